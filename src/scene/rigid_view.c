#include "config.h"
#include "scene/view.h"

#include <stdio.h>
#include <string.h>

/* What output and commands ask of rigid bodies. Obstacles, which have a noun of their own, stand behind
 * them in the family. */

static const prc_rigid_body *body_of(const void *self, int item) {
  return &prc_rigid_get_model(self)->body[item];
}

static int tracked(const void *self) {
  const prc_rigid_model *model = prc_rigid_get_model(self);
  int n = 0;
  while (n < model->n_bodies && !model->body[n].noun) n++;
  return n;
}

static void describe(const void *self, const prc_view_words *words, const prc_text *to) {
  (void)words;
  for (int b = 0, n = tracked(self); b < n; b++) {
    const prc_rigid_body *body = body_of(self, b);
    prc_text_print(to, "body      '%s': mass %.9g, inertia %.9g, centre of mass (%g, %g), angle %g\n",
                   body->name, body->mass, body->inertia, body->position[0], body->position[1], body->angle);
    prc_text_print(to, "          velocity (%g, %g), spin %g", body->velocity[0], body->velocity[1],
                   body->spin);
    if (body->radius > 0.0) prc_text_print(to, ", a disc of radius %g", body->radius);
    if (body->n_points > 0) prc_text_print(to, ", a polygon of %d corners", body->n_points);
    prc_text_print(to, "\n");
  }
}

static int sizes(const void *self, prc_view_size size[PRC_VIEW_SIZES]) {
  size[0] = (prc_view_size){"bodies", tracked(self)};
  return size[0].value > 0;
}

static const char *item_name(const void *self, int item) {
  return body_of(self, item)->name;
}

static void point_name(const void *self, int item, int feature, char *text, size_t size) {
  snprintf(text, size, "point %d of body '%.80s'", feature + 1, body_of(self, item)->name);
}

static double point_number(const void *self, int item, int feature) {
  (void)self, (void)item;
  return feature + 1;
}

static void motion(const void *self, int item, const double *q, const double *v, double row[6]) {
  (void)self;
  memcpy(row, q + 3 * item, 3 * sizeof *row);
  memcpy(row + 3, v + 3 * item, 3 * sizeof *row);
}

static prc_status fields(const void *self, prc_view_fields *out, prc_error *err) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(self);
  const prc_status status = prc_new(&out->real, 4 * (size_t)outline->n_points, err);
  out->n_points = outline->n_points, out->moves = 1, out->x = out->real;
  out->cells = (prc_output_cells){.n = outline->n_segments, .width = 2, .node = outline->segment};
  return status;
}

static void update(const void *self, const prc_view_state *state, prc_view_fields *out) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(self);
  double *velocity = out->real + 2 * outline->n_points;
  prc_rigid_place_outline(self, state->q, state->v, out->real, velocity);
  out->n_on_points = 2;
  out->on_points[0] = (prc_output_array){"velocity", 2, velocity, NULL};
  out->on_points[1] = (prc_output_array){"body", 1, NULL, outline->body};
}

const prc_body_view prc_body_view_rigid = {.one = "point",
                                           .many = "points",
                                           .tangential_restitution = 1,
                                           .describe = describe,
                                           .sizes = sizes,
                                           .item_name = item_name,
                                           .point_name = point_name,
                                           .point_number = point_number,
                                           .tracked = tracked,
                                           .motion = motion,
                                           .fields = fields,
                                           .update = update};
