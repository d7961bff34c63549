#include "config.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

/* Means over the cells of a grid: see the header for what they are. */

typedef struct {
  const prc_measure_grid *grid;
  double axis[2][2], width[2], area; /* n and t; of a cell */
  prc_measure_cell *out;
} frame;

static void along(const frame *f, const double x[2], double out[2]) {
  for (int k = 0; k < 2; k++) out[k] = f->axis[k][0] * x[0] + f->axis[k][1] * x[1];
}

static double border(const frame *f, int k, int i) {
  return f->grid->from[k] + f->width[k] * i;
}

/* Which cells along axis k an interval meets: [first, end). */
static void cells_of(const frame *f, int k, double low, double high, int *first, int *end) {
  const double n = f->grid->n[k], a = floor((low - f->grid->from[k]) / f->width[k]),
               b = floor((high - f->grid->from[k]) / f->width[k]) + 1.0;
  *first = (int)fmin(fmax(a, 0.0), n), *end = (int)fmin(fmax(b, 0.0), n);
}

/* ---- what repeats itself --------------------------------------------------------------------------------- */

/* The images of what reaches from `low` to `high` (x and y) that may meet the grid: from *first up to *last. */
static void images_of(const frame *f, const double period[2], const double low[2], const double high[2],
                      int *first, int *last) {
  const double length = hypot(period[0], period[1]);
  *first = *last = 0;
  if (!(length > 0.0)) return;
  const double e[2] = {period[0] / length, period[1] / length};
  double own[2] = {0.0, 0.0}, of_grid[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    const double a = e[k] * low[k], b = e[k] * high[k], share = e[0] * f->axis[k][0] + e[1] * f->axis[k][1];
    const double c = share * f->grid->from[k], d = share * f->grid->to[k];
    own[0] += fmin(a, b), own[1] += fmax(a, b);
    of_grid[0] += fmin(c, d), of_grid[1] += fmax(c, d);
  }
  *first = (int)ceil((of_grid[0] - own[1]) / length), *last = (int)floor((of_grid[1] - own[0]) / length);
}

/* ---- grains ---------------------------------------------------------------------------------------------- */

typedef struct {
  double mass, v[3]; /* along n, t; spin */
} grain;

/* Area of a part in cell (i, j). */
static double area_in(const frame *f, const prc_shape *part, const prc_pose *pose, int i, int j) {
  const double *n = f->grid->normal, s[2] = {border(f, 0, i), border(f, 0, i + 1)},
               d[2] = {border(f, 1, j), border(f, 1, j + 1)};
  return prc_measure_area_below(part, pose, n, s[1], d[1]) - prc_measure_area_below(part, pose, n, s[0], d[1])
         - prc_measure_area_below(part, pose, n, s[1], d[0])
         + prc_measure_area_below(part, pose, n, s[0], d[0]);
}

/* Second pass: the fluctuation about the cell's mean velocity. */
static void add_share(prc_measure_cell *cell, double area, double mass, const grain *g, int fluctuation) {
  if (!fluctuation) {
    cell->solid += area, cell->density += mass, cell->spin += mass * g->v[2];
    for (int k = 0; k < 2; k++) cell->velocity[k] += mass * g->v[k];
    return;
  }
  const double v[2] = {g->v[0] - cell->velocity[0], g->v[1] - cell->velocity[1]};
  for (int k = 0; k < 4; k++) cell->kinetic[k] += mass * v[k / 2] * v[k % 2];
}

static void add_part(const frame *f, const prc_shape *part, const prc_pose *pose, double density,
                     const grain *g, int fluctuation) {
  double x[2], low[2], high[2];
  int first[2] = {0, 0}, end[2] = {0, 0};
  along(f, pose->x, x);
  for (int k = 0; k < 2; k++) {
    low[k] = x[k] - part->extent, high[k] = x[k] + part->extent;
    cells_of(f, k, low[k], high[k], &first[k], &end[k]);
  }
  for (int i = first[0]; i < end[0]; i++)
    for (int j = first[1]; j < end[1]; j++) {
      const double area = area_in(f, part, pose, i, j);
      if (area > 0.0) add_share(&f->out[i * f->grid->n[1] + j], area, density * area, g, fluctuation);
    }
}

/* A body without an area is a point: all of its mass is where its centre is. */
static void add_point(const frame *f, const double x[2], const grain *g, int fluctuation) {
  double place[2];
  int first[2] = {0, 0}, end[2] = {0, 0};
  along(f, x, place);
  for (int k = 0; k < 2; k++) cells_of(f, k, place[k], place[k], &first[k], &end[k]);
  if (end[0] > first[0] && end[1] > first[1])
    add_share(&f->out[first[0] * f->grid->n[1] + first[1]], 0.0, g->mass, g, fluctuation);
}

static void add_body(const frame *f, const prc_measure_grains *grains, int b, int fluctuation) {
  const double *q = grains->q + 3 * b, *v = grains->v + 3 * b;
  double area = 0.0, extent = 0.0;
  int first, last;
  grain g = {.mass = grains->body[b].mass, .v = {0.0, 0.0, v[2]}};
  along(f, v, g.v);
  for (int k = 0; k < grains->body[b].n_parts; k++) {
    const prc_shape *part = &grains->body[b].part[k];
    if (!isfinite(part->extent)) continue;
    area += prc_measure_area(part), extent = fmax(extent, part->extent);
  }
  images_of(f, grains->period, (double[]){q[0] - extent, q[1] - extent},
            (double[]){q[0] + extent, q[1] + extent}, &first, &last);
  for (int image = first; image <= last; image++) {
    const double x[2] = {q[0] + image * grains->period[0], q[1] + image * grains->period[1]};
    const prc_pose pose = prc_pose_at(x[0], x[1], q[2]);
    if (!(area > 0.0)) add_point(f, x, &g, fluctuation);
    for (int k = 0; k < grains->body[b].n_parts && area > 0.0; k++)
      if (isfinite(grains->body[b].part[k].extent))
        add_part(f, &grains->body[b].part[k], &pose, g.mass / area, &g, fluctuation);
  }
}

static void add_bodies(const frame *f, const prc_measure_grains *grains, int fluctuation) {
  for (int b = 0; b < grains->n; b++)
    if (grains->body[b].group >= 0) add_body(f, grains, b, fluctuation);
}

/* ---- forces ---------------------------------------------------------------------------------------------- */

/* The share of the line from x to x + r in cell (i, j). */
static double share_in(const frame *f, const double x[2], const double r[2], int i, int j) {
  const int cell[2] = {i, j};
  double from = 0.0, to = 1.0;
  for (int k = 0; k < 2; k++) {
    const double low = border(f, k, cell[k]) - x[k], high = border(f, k, cell[k] + 1) - x[k];
    if (r[k] == 0.0) {
      if (low > 0.0 || high <= 0.0) return 0.0; /* a border belongs to the cell above it */
      continue;
    }
    from = fmax(from, (r[k] > 0.0 ? low : high) / r[k]), to = fmin(to, (r[k] > 0.0 ? high : low) / r[k]);
  }
  return fmax(to - from, 0.0);
}

/* -F (x) r of the force F on a grain at the end of the arm r. */
static void add_arm(const frame *f, const double centre[2], const double arm[2], const double force[2]) {
  double x[2], r[2], F[2];
  int first[2] = {0, 0}, end[2] = {0, 0};
  along(f, centre, x), along(f, arm, r), along(f, force, F);
  for (int k = 0; k < 2; k++)
    cells_of(f, k, fmin(x[k], x[k] + r[k]), fmax(x[k], x[k] + r[k]), &first[k], &end[k]);
  for (int i = first[0]; i < end[0]; i++)
    for (int j = first[1]; j < end[1]; j++) {
      prc_measure_cell *cell = &f->out[i * f->grid->n[1] + j];
      const double share = share_in(f, x, r, i, j);
      for (int k = 0; k < 4; k++) cell->stress[k] -= share * F[k / 2] * r[k % 2];
    }
}

static void add_contact(const frame *f, const prc_measure_grains *grains,
                        const prc_measure_contact *contact) {
  for (int side = 0; side < 2; side++) {
    const int b = contact->body[side];
    if (b < 0 || grains->body[b].group < 0) continue;
    const double sign = side == 0 ? -1.0 : 1.0, *q = grains->q + 3 * b, *arm = contact->arm[side];
    const double force[2] = {sign * contact->force[0], sign * contact->force[1]};
    const double low[2] = {fmin(q[0], q[0] + arm[0]), fmin(q[1], q[1] + arm[1])},
                 high[2] = {fmax(q[0], q[0] + arm[0]), fmax(q[1], q[1] + arm[1])};
    int first, last;
    images_of(f, grains->period, low, high, &first, &last);
    for (int image = first; image <= last; image++)
      add_arm(f, (double[]){q[0] + image * grains->period[0], q[1] + image * grains->period[1]}, arm, force);
  }
}

/* ---- all ------------------------------------------------------------------------------------------------- */

void prc_measure_cells(const prc_measure_grains *grains, int n_contacts, const prc_measure_contact *contact,
                       const prc_measure_grid *grid, prc_measure_cell *out) {
  const double *n = grid->normal;
  frame f = {.grid = grid, .axis = {{n[0], n[1]}, {n[1], -n[0]}}, .out = out};
  const int n_cells = grid->n[0] * grid->n[1];
  for (int k = 0; k < 2; k++) f.width[k] = (grid->to[k] - grid->from[k]) / grid->n[k];
  f.area = f.width[0] * f.width[1];
  memset(out, 0, (size_t)n_cells * sizeof *out);
  add_bodies(&f, grains, 0);
  for (int k = 0; k < n_cells; k++) {
    const double mass = out[k].density > 0.0 ? out[k].density : 1.0;
    out[k].velocity[0] /= mass, out[k].velocity[1] /= mass, out[k].spin /= mass;
  }
  add_bodies(&f, grains, 1);
  for (int c = 0; c < n_contacts; c++) add_contact(&f, grains, &contact[c]);
  for (int k = 0; k < n_cells; k++) {
    out[k].solid /= f.area, out[k].density /= f.area;
    for (int i = 0; i < 4; i++) out[k].stress[i] /= f.area, out[k].kinetic[i] /= f.area;
  }
}
