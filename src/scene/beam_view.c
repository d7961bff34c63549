#include "config.h"
#include "scene/view.h"

#include <stdio.h>
#include <string.h>

/* View of a beam for output and commands. Its two ends are tracked; pictures have lines between points of its
 * elements. */

enum { PER_ELEMENT = 8 };

static void describe(const void *self, const prc_view_words *words, const prc_text *to) {
  const prc_beam_model *model = prc_beam_get_model(self);
  const prc_beam_state start = prc_beam_now(self, model->point, NULL, 0.0);
  const prc_beam_state end = prc_beam_now(self, model->point, NULL, 1.0);
  (void)words;
  prc_text_print(to, "beam      '%s': %d element%s of degree %d, length %.9g, mass %.9g, EA %g, EI %g\n",
                 model->name, model->n_elements, model->n_elements > 1 ? "s" : "", model->degree,
                 prc_beam_length(self), prc_beam_mass(self), model->EA, model->EI);
  prc_text_print(to, "          from (%g, %g) to (%g, %g), velocity (%g, %g), spin %g\n", start.x[0],
                 start.x[1], end.x[0], end.x[1], model->velocity[0], model->velocity[1], model->spin);
}

static int sizes(const void *self, prc_view_size size[PRC_VIEW_SIZES]) {
  size[0] = (prc_view_size){"control points", prc_beam_points(self)};
  return 1;
}

/* Facts that the state at the start does not show. */
static uint64_t fingerprint(const void *self) {
  const prc_beam_model *m = prc_beam_get_model(self);
  const double values[] = {m->EA,         m->EI,      m->density,      m->degree,
                           m->n_elements, m->n_gauss, m->damping_mass, m->damping_stiffness};
  return prc_hash(PRC_HASH_START, values, sizeof values);
}

static void point_name(const void *self, int item, int feature, char *text, size_t size) {
  (void)item;
  snprintf(text, size, "point %d of beam '%.80s'", feature + 1, prc_beam_get_model(self)->name);
}

static double point_number(const void *self, int item, int feature) {
  (void)self, (void)item;
  return feature + 1;
}

static int tracked(const void *self) {
  (void)self;
  return 2;
}

static const char *tracked_name(const void *self, int end) {
  return prc_beam_end_name(self, end);
}

static void motion(const void *self, int end, const double *q, const double *v, double row[6]) {
  const prc_beam_state now = prc_beam_now(self, q, v, end);
  const double of[6] = {now.x[0], now.x[1], now.angle, now.velocity[0], now.velocity[1], now.spin};
  memcpy(row, of, sizeof of);
}

static double product(const prc_sym *M, const double *v) {
  double sum = 0.0;
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++)
      sum += (M->i[k] == j ? 1.0 : 2.0) * v[j] * M->x[k] * v[M->i[k]]; /* one half is kept */
  return sum;
}

static prc_status energies(const void *self, const double *q, const double *v, int *n, prc_view_energy **out,
                           prc_error *err) {
  double stretching, bending;
  const prc_status status = prc_new(out, 1, err);
  if (status != PRC_OK) return status;
  *n = 1;
  prc_beam_energies(self, q, &stretching, &bending);
  snprintf((*out)->body, sizeof(*out)->body, "%.120s", prc_beam_get_model(self)->name);
  (*out)->material = "";
  (*out)->kinetic = 0.5 * product(prc_beam_system(self)->dynamics.M, v);
  (*out)->elastic = stretching + bending;
  return PRC_OK;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static int count_points(const void *self) {
  return PER_ELEMENT * prc_beam_get_model(self)->n_elements + 1;
}

static prc_status fields(const void *self, prc_view_fields *out, prc_error *err) {
  const int n = count_points(self);
  prc_status status = PRC_OK;
  prc_try(prc_new(&out->real, 6 * (size_t)n, err));
  prc_try(prc_new(&out->integer, 3 * (size_t)(n - 1), err));
  for (int c = 0; c < n - 1; c++) {
    out->integer[2 * c] = c, out->integer[2 * c + 1] = c + 1;
    out->integer[2 * (n - 1) + c] = PRC_OUTLINE_BEAM;
  }
  out->n_points = n, out->moves = 1, out->x = out->real;
  out->cells = (prc_cells){.n = n - 1, .width = 2, .node = out->integer};
done:
  return status;
}

static void update(const void *self, const prc_view_state *state, prc_view_fields *out) {
  const int n = count_points(self);
  double *x = out->real, *velocity = x + 2 * n, *tension = velocity + 2 * n, *moment = tension + n;
  for (int i = 0; i < n; i++) {
    const prc_beam_state now = prc_beam_now(self, state->q, state->v, (double)i / (n - 1));
    for (int k = 0; k < 2; k++) x[2 * i + k] = now.x[k], velocity[2 * i + k] = now.velocity[k];
    tension[i] = now.tension, moment[i] = now.moment;
  }
  const prc_array points[] = {
      {"velocity", 2, velocity, NULL}, {"tension", 1, tension, NULL}, {"bending_moment", 1, moment, NULL}};
  out->n_on_points = (int)(sizeof points / sizeof *points), out->n_on_cells = 1;
  memcpy(out->on_points, points, sizeof points);
  out->on_cells[0] = (prc_array){"kind", 1, NULL, out->integer + 2 * (n - 1)};
}

const prc_body_view prc_body_view_beam = {.one = "point",
                                          .many = "points",
                                          .tangential_restitution = 1,
                                          .describe = describe,
                                          .sizes = sizes,
                                          .fingerprint = fingerprint,
                                          .point_name = point_name,
                                          .point_number = point_number,
                                          .tracked = tracked,
                                          .tracked_name = tracked_name,
                                          .motion = motion,
                                          .energies = energies,
                                          .fields = fields,
                                          .update = update};
