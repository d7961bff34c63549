#include "config.h"
#include "scene/spread.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* View of rigid bodies for output and commands. Obstacles stand behind them in the family, with a noun of
 * their own. */

static const prc_rigid_body *body_of(const void *self, int item) {
  return &prc_rigid_get_model(self)->body[item];
}

static int tracked(const void *self) {
  const prc_rigid_model *model = prc_rigid_get_model(self);
  int n = 0;
  while (n < model->n_bodies && !model->body[n].noun) n++;
  return n;
}

static void describe_one(const prc_rigid_body *body, const prc_text *to) {
  prc_text_print(to, "body      '%s': mass %.9g, inertia %.9g, centre of mass (%g, %g), angle %g\n",
                 body->name, body->mass, body->inertia, body->position[0], body->position[1], body->angle);
  prc_text_print(to, "          velocity (%g, %g), spin %g", body->velocity[0], body->velocity[1],
                 body->spin);
  if (body->radius > 0.0) prc_text_print(to, ", a disc of radius %g", body->radius);
  if (body->n_points > 0) prc_text_print(to, ", a polygon of %d corners", body->n_points);
  if (body->n_points == 0 && body->n_parts > 1) prc_text_print(to, ", %d parts", body->n_parts);
  prc_text_print(to, "\n");
}

static void add_to(prc_spread *s, const prc_rigid_body *body) {
  prc_spread_add(s, 2, body->mass, body->position, body->n_parts);
  if (body->radius > 0.0) prc_spread_shape(s, 0, body->radius);
  if (body->n_points > 0) prc_spread_shape(s, 1, body->n_points);
}

static const prc_spread_words words_of = {{"disc", "polygon"}, {"discs", "polygons"}};

/* Two lines a body, or a set; of very many that stand alone the first, and what the others are. */
static void describe(const void *self, const prc_view_words *words, const prc_text *to) {
  enum { TOLD = 100 };
  prc_spread all = prc_spread_none, others = prc_spread_none;
  int told = 0;
  (void)words;
  for (int b = 0, n = tracked(self); b < n;) {
    const char *set = body_of(self, b)->set;
    prc_spread s = prc_spread_none;
    do {
      const prc_rigid_body *body = body_of(self, b++);
      if (set)
        add_to(&s, body);
      else if (told++ < TOLD)
        describe_one(body, to);
      else
        add_to(&others, body);
      add_to(&all, body);
    } while (b < n && set && body_of(self, b)->set == set);
    if (set) prc_spread_describe(&s, 2, set, &words_of, to);
  }
  if (others.n > 0) prc_spread_describe(&others, 2, "... others", &words_of, to);
  if (all.n > 1) prc_spread_sum(&all, 2, to);
}

static int sizes(const void *self, prc_view_size size[PRC_VIEW_SIZES]) {
  size[0] = (prc_view_size){"bodies", tracked(self)};
  return size[0].value > 0;
}

static void dofs(const void *self, int item, int own[3]) {
  (void)self;
  own[0] = 3 * item, own[1] = 3, own[2] = -1;
}

static const char *item_name(const void *self, int item) {
  return body_of(self, item)->name;
}

static void point_name(const void *self, int item, int feature, char *text, size_t size) {
  const prc_rigid_body *body = body_of(self, item);
  const uint32_t of = (uint32_t)feature, k = of & (PRC_SHAPE_EDGE - 1);
  const char *noun = body->noun ? body->noun : "body";
  if (!prc_rigid_feature_is_of_pair(of))
    snprintf(text, size, "point %d of body '%.80s'", feature + 1, body->name);
  else if (body->n_parts == 1 && body->part->n < 2) /* a disc, a half-plane: all there is */
    snprintf(text, size, "%s '%.80s'", noun, body->name);
  else
    snprintf(text, size, "%s %u of %s '%.80s'", of & PRC_SHAPE_EDGE ? "edge" : "corner", k + 1, noun,
             body->name);
}

static double point_number(const void *self, int item, int feature) {
  (void)self, (void)item;
  return prc_rigid_feature_is_of_pair((uint32_t)feature) ? (feature & (PRC_SHAPE_EDGE - 1)) + 1 : feature + 1;
}

static void motion(const void *self, int item, const double *q, const double *v,
                   double row[PRC_VIEW_MOTION]) {
  (void)self;
  memcpy(row, q + 3 * item, 3 * sizeof *row);
  memcpy(row + 3, v + 3 * item, 3 * sizeof *row);
}

/* Obstacles and driven bodies are touched, and not measured. */
static void grain(const void *self, int item, prc_measure_body *out) {
  const prc_rigid_body *body = body_of(self, item);
  *out = (prc_measure_body){.mass = body->mass,
                            .inertia = body->inertia,
                            .group = body->driven ? -1 : body->group,
                            .n_parts = body->n_parts,
                            .part = body->part};
}

/* ---- joints and springs ---------------------------------------------------------------------------------- */

static int joints(const void *self) {
  return prc_rigid_get_model(self)->n_joints;
}

static int joint_first(const void *self, int k) {
  return prc_rigid_joint_first(self, k);
}

static void joint(const void *self, int k, const double *q, const double *g, const double *rows,
                  prc_view_joint *out) {
  const int first = prc_rigid_joint_first(self, k), end = prc_rigid_joint_first(self, k + 1);
  double x[2][2], force[3] = {0.0, 0.0, 0.0};
  *out = (prc_view_joint){.n_rows = end - first};
  prc_rigid_joint_place(self, k, q, x);
  memcpy(out->x, x[1], sizeof x[1]);
  if (rows) prc_rigid_joint_force(self, k, q, rows, force);
  out->force[0] = force[0], out->force[1] = force[1], out->moment[2] = force[2];
  for (int i = first; g && i < end; i++) out->gap = fmax(out->gap, fabs(g[i]));
}

static int springs(const void *self) {
  return prc_rigid_get_model(self)->n_springs;
}

static void spring(const void *self, int k, const double *q, const double *v, prc_view_spring *out) {
  const prc_rigid_spring_state now = prc_rigid_spring_now(self, k, q, v);
  *out = (prc_view_spring){now.length, now.length - now.rest_length, now.rate, now.elastic, now.viscous};
}

/* Of every body, driven or not, by its mass and inertia as M has them. */
static prc_status energies(const void *self, const double *q, const double *v, int *n, prc_view_energy **out,
                           prc_error *err) {
  prc_view_energy *row = NULL;
  const prc_status status = prc_new(&row, prc_rigid_count(self), err);
  if (status != PRC_OK) return status;
  (void)q;
  *n = prc_rigid_count(self), *out = row;
  for (int b = 0; b < *n; b++, v += 3) {
    const prc_rigid_body *body = body_of(self, b);
    snprintf(row[b].body, sizeof row[b].body, "%.120s", body->name);
    row[b].material = "";
    row[b].kinetic = 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body->inertia * v[2] * v[2];
  }
  return PRC_OK;
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
  out->cells = (prc_cells){
      .n = outline->n_cells, .node = outline->node, .start = outline->start, .type = outline->type};
done:
  return status;
}

/* Fields of a point from its body: velocity, angle, spin, kinetic energy; its group and neighbours. */
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
  const prc_array points[] = {{"velocity", 2, velocity, NULL}, {"body", 1, NULL, outline->body}};
  const prc_array on_cells[] = {
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
                                           .dofs = dofs,
                                           .tracked = tracked,
                                           .motion = motion,
                                           .grain = grain,
                                           .joints = joints,
                                           .joint_first = joint_first,
                                           .joint = joint,
                                           .springs = springs,
                                           .spring = spring,
                                           .energies = energies,
                                           .fields = fields,
                                           .update = update};
