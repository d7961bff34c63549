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

/* ---- fields -------------------------------------------------------------------------------------------- */

/* Up to so many bodies points have arrays too, from which arrows are drawn and a rotation is seen. Beyond, what cells have must do: a
 * snapshot of 50 000 discs is half as large then. */
enum { FEW_BODIES = 1000 };

static int has_point_arrays(const void *self) {
  return prc_rigid_count(self) <= FEW_BODIES;
}

static prc_status fields(const void *self, prc_view_fields *out, prc_error *err) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(self);
  const size_t n = (size_t)outline->n_points, cells = (size_t)outline->n_cells;
  prc_status status = PRC_OK;
  prc_try(prc_new(&out->real, (has_point_arrays(self) ? 4 : 2) * n + 5 * cells, err));
  prc_try(prc_new(&out->integer, 2 * cells, err));
  out->n_points = outline->n_points, out->moves = 1, out->x = out->real;
  out->cells = (prc_output_cells){
      .n = outline->n_cells, .node = outline->node, .start = outline->start, .type = outline->type};
done:
  return status;
}

/* Of its body: velocity, angle, spin, kinetic energy; its group and neighbours. */
typedef struct {
  double *velocity, *angle, *spin, *energy;
  int *group, *neighbours;
} cell_arrays;

static void update_cell(const void *self, const prc_view_state *state, int b, int c, const cell_arrays *to) {
  const int is_measured = b >= 0 && !body_of(self, b)->driven;
  const double zero[3] = {0.0, 0.0, 0.0}, *v = b >= 0 ? state->v + 3 * b : zero;
  const double m = is_measured ? body_of(self, b)->mass : 0.0,
               J = is_measured ? body_of(self, b)->inertia : 0.0;
  to->velocity[2 * c] = v[0], to->velocity[2 * c + 1] = v[1];
  to->angle[c] = b >= 0 ? state->q[3 * b + 2] : 0.0, to->spin[c] = v[2];
  to->energy[c] = 0.5 * m * (v[0] * v[0] + v[1] * v[1]) + 0.5 * J * v[2] * v[2];
  to->group[c] = is_measured ? body_of(self, b)->group : -1;
  to->neighbours[c] = is_measured && state->neighbours ? state->neighbours[b] : -1;
}

static void update(const void *self, const prc_view_state *state, prc_view_fields *out) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(self);
  const int n = outline->n_points, cells = outline->n_cells, on_points = has_point_arrays(self);
  double *velocity = on_points ? out->real + 2 * n : NULL, *of_cells = out->real + (on_points ? 4 : 2) * n;
  const cell_arrays to = {.velocity = of_cells,
                          .angle = of_cells + 2 * cells,
                          .spin = of_cells + 3 * cells,
                          .energy = of_cells + 4 * cells,
                          .group = out->integer,
                          .neighbours = out->integer + cells};
  prc_rigid_place_outline(self, state->q, state->v, out->real, velocity);
  for (int c = 0; c < cells; c++) update_cell(self, state, outline->owner[c], c, &to);
  const prc_output_array points[] = {{"velocity", 2, velocity, NULL}, {"body", 1, NULL, outline->body}};
  const prc_output_array on_cells[] = {
      {"body", 1, NULL, outline->owner},      {"kind", 1, NULL, outline->kind},
      {"group", 1, NULL, to.group},           {"velocity", 2, to.velocity, NULL},
      {"angle", 1, to.angle, NULL},           {"spin", 1, to.spin, NULL},
      {"kinetic_energy", 1, to.energy, NULL}, {"neighbours", 1, NULL, to.neighbours}};
  out->n_on_points = on_points ? 2 : 0, out->n_on_cells = (int)(sizeof on_cells / sizeof *on_cells);
  memcpy(out->on_points, points, (size_t)out->n_on_points * sizeof *points);
  memcpy(out->on_cells, on_cells, sizeof on_cells);
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
