#include "config.h"
#include "scene/view.h"
#include "spatial/spatial.h"

#include <stdio.h>
#include <string.h>

/* Fields of rigid bodies in space: their surfaces, and on every cell what its body does. */

/* Up to so many bodies points have velocities and the numbers of their bodies too, from which arrows are drawn. */
enum { FEW_BODIES = 1000 };
enum { REALS = 3 + 4 + 3 + 1, INTEGERS = 2 }; /* of a cell, as they stand in cell_arrays */

/* Fields of a point from its body: velocity in fixed axes, unit quaternion (w, x, y, z), spin in its own axes,
 * kinetic energy; its group and neighbours. */
typedef struct {
  double *velocity, *quaternion, *spin, *energy;
  int *group, *neighbours;
} cell_arrays;

static int has_point_arrays(const void *self) {
  return prc_spatial_count(self) <= FEW_BODIES;
}

static int has_spheres_of_one_point(const prc_spatial_outline *outline) {
  for (int c = 0; c < outline->n_cells; c++)
    if (outline->radius[c] > 0.0) return 1;
  return 0;
}

prc_status prc_spatial_view_fields(const void *self, prc_view_fields *out, prc_error *err) {
  const prc_spatial_outline *outline = prc_spatial_get_outline(self);
  const size_t n = (size_t)outline->n_points, cells = (size_t)outline->n_cells;
  prc_status status = PRC_OK;
  prc_try(prc_new(&out->real, (has_point_arrays(self) ? 6 : 3) * n + REALS * cells, err));
  prc_try(prc_new(&out->integer, INTEGERS * cells, err));
  out->n_points = outline->n_points, out->moves = 1, out->x = out->real;
  out->cells = (prc_cells){.n = outline->n_cells,
                           .in_space = 1,
                           .node = outline->node,
                           .start = outline->start,
                           .type = outline->type};
done:
  return status;
}

/* m v.v / 2 + W.(J W) / 2, J by xx, yy, zz, xy, xz, yz */
static double kinetic_energy(const prc_spatial_body *body, const prc_spatial_motion *motion) {
  const double *v = motion->velocity, *W = motion->spin, *J = body->inertia;
  double energy = 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (body->turns)
    energy += 0.5 * (J[0] * W[0] * W[0] + J[1] * W[1] * W[1] + J[2] * W[2] * W[2]) + J[3] * W[0] * W[1]
              + J[4] * W[0] * W[2] + J[5] * W[1] * W[2];
  return energy;
}

prc_status prc_spatial_view_energies(const void *self, const double *q, const double *v, int *n,
                                     prc_view_energy **out, prc_error *err) {
  prc_view_energy *row = NULL;
  const prc_status status = prc_new(&row, prc_spatial_count(self), err);
  if (status != PRC_OK) return status;
  *n = prc_spatial_count(self), *out = row;
  for (int b = 0; b < *n; b++) {
    const prc_spatial_body *body = &prc_spatial_get_model(self)->body[b];
    const prc_spatial_motion motion = prc_spatial_motion_of(self, q, v, b);
    snprintf(row[b].body, sizeof row[b].body, "%.120s", body->name);
    row[b].material = "";
    row[b].kinetic = kinetic_energy(body, &motion);
  }
  return PRC_OK;
}

static void update_cell(const void *self, const prc_view_state *state, int b, int c, const cell_arrays *to) {
  static const prc_spatial_motion at_rest = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  const prc_spatial_body *body = b >= 0 ? &prc_spatial_get_model(self)->body[b] : NULL;
  const prc_spatial_motion m = body ? prc_spatial_motion_of(self, state->q, state->v, b) : at_rest;
  const int is_measured = body && !body->driven;
  memcpy(to->velocity + 3 * (size_t)c, m.velocity, sizeof m.velocity);
  memcpy(to->quaternion + 4 * (size_t)c, m.orientation, sizeof m.orientation);
  memcpy(to->spin + 3 * (size_t)c, m.spin, sizeof m.spin);
  to->energy[c] = is_measured ? kinetic_energy(body, &m) : 0.0;
  to->group[c] = is_measured ? body->group : -1;
  to->neighbours[c] = is_measured && state->neighbours ? state->neighbours[b] : -1;
}

void prc_spatial_view_update(const void *self, const prc_view_state *state, prc_view_fields *out) {
  const prc_spatial_outline *outline = prc_spatial_get_outline(self);
  const size_t n = (size_t)outline->n_points, cells = (size_t)outline->n_cells;
  const int on_points = has_point_arrays(self);
  double *velocity = on_points ? out->real + 3 * n : NULL, *of_cells = out->real + (on_points ? 6 : 3) * n;
  const cell_arrays to = {.velocity = of_cells,
                          .quaternion = of_cells + 3 * cells,
                          .spin = of_cells + 7 * cells,
                          .energy = of_cells + 10 * cells,
                          .group = out->integer,
                          .neighbours = out->integer + cells};
  prc_spatial_place_outline(self, state->q, state->v, out->real, velocity);
  for (int c = 0; c < outline->n_cells; c++) update_cell(self, state, outline->owner[c], c, &to);
  const prc_array points[] = {{"velocity", 3, velocity, NULL}, {"body", 1, NULL, outline->body}};
  const prc_array on_cells[] = {
      {"body", 1, NULL, outline->owner},      {"kind", 1, NULL, outline->kind},
      {"group", 1, NULL, to.group},           {"velocity", 3, to.velocity, NULL},
      {"quaternion", 4, to.quaternion, NULL}, {"spin", 3, to.spin, NULL},
      {"kinetic_energy", 1, to.energy, NULL}, {"neighbours", 1, NULL, to.neighbours},
      {"radius", 1, outline->radius, NULL}};
  out->n_on_points = on_points ? 2 : 0;
  out->n_on_cells = (int)(sizeof on_cells / sizeof *on_cells) - !has_spheres_of_one_point(outline);
  memcpy(out->on_points, points, (size_t)out->n_on_points * sizeof *points);
  memcpy(out->on_cells, on_cells, (size_t)out->n_on_cells * sizeof *on_cells);
}
