#include "config.h"
#include "scene/figures.h"
#include "scene/view.h"

#include <math.h>

/* A beam: a point s of it moves with the splines that are not zero there. */

static const prc_system *system_of(const void *self) {
  return prc_beam_system(self);
}

static void initial(const void *self, double *q, double *v) {
  prc_beam_initial(self, q, v);
}

static int items(const void *self) {
  (void)self;
  return 1;
}

static int surfaces(const void *self) {
  return prc_beam_get_model(self)->n_contacts;
}

static double size(const void *self, int item) {
  (void)item;
  return prc_beam_length(self);
}

static void place(const void *self, const double *q, const prc_body_point *point, double x[2]) {
  const prc_beam_basis basis = prc_beam_basis_at(self, point->r[0]);
  prc_beam_sum(&basis, 0, q, x);
}

static void rows(const void *self, const double *q, const prc_body_point *point, const double x[2],
                 prc_body_rows *out) {
  const prc_beam_basis basis = prc_beam_basis_at(self, point->r[0]);
  (void)q, (void)x;
  *out = (prc_body_rows){.n = 2 * basis.n};
  for (int i = 0; i < out->n; i++) {
    out->dof[i] = 2 * basis.first + i;
    out->J[i % 2][i] = basis.N[0][i / 2];
  }
}

/* Rows of the place, and of the angle of a tangent that would turn by  factor a x a': k x a N' . dx. */
static void write_rows(const prc_beam_basis *basis, const double a[2], double factor, prc_body_frame *out) {
  *out = (prc_body_frame){.n = 2 * basis->n};
  for (int i = 0; i < out->n; i++) {
    out->dof[i] = 2 * basis->first + i;
    out->J[i % 2][i] = basis->N[0][i / 2];
    out->J[2][i] = factor * basis->N[1][i / 2] * (i % 2 == 0 ? -a[1] : a[0]);
  }
}

/* The tangent a = x' has the rate a x a' / |a|^2 of its angle, whose own rate without accelerations is -2 (a . a') (a x a') / |a|^4. */
static void frame(const void *self, const double *q, const double *v, const prc_body_point *point,
                  prc_body_frame *out) {
  const prc_beam_basis basis = prc_beam_basis_at(self, point->r[0]);
  double a[2], rate[2];
  prc_beam_sum(&basis, 1, q, a);
  const double r = a[0] * a[0] + a[1] * a[1];
  write_rows(&basis, a, 1.0 / r, out);
  prc_beam_sum(&basis, 0, q, out->x);
  out->x[2] = atan2(a[1], a[0]);
  out->length = prc_beam_length(self) / sqrt(12.0);
  if (!v) return;
  prc_beam_sum(&basis, 1, v, rate);
  out->bias[2] = -2.0 * (a[0] * rate[0] + a[1] * rate[1]) * (a[0] * rate[1] - a[1] * rate[0]) / (r * r);
}

/* From a to a', with a_m = (a + a') / 2: a_m x (a' - a) = a x a', and the tangent turns by atan2(a x a', a . a'). */
static void frame_mean(const void *self, const double *q, const double *dx, const prc_body_point *point,
                       prc_body_frame *out) {
  const prc_beam_basis basis = prc_beam_basis_at(self, point->r[0]);
  double a[2], change[2];
  prc_beam_sum(&basis, 1, q, a), prc_beam_sum(&basis, 1, dx, change);
  const double after[2] = {a[0] + change[0], a[1] + change[1]};
  const double mean[2] = {a[0] + 0.5 * change[0], a[1] + 0.5 * change[1]};
  const double across = a[0] * after[1] - a[1] * after[0], along = a[0] * after[0] + a[1] * after[1];
  /* of a small angle c/d - c^3 / 3d^3 the second term is below rounding */
  const double factor = fabs(across) <= 1e-8 * along ? 1.0 / along : atan2(across, along) / across;
  write_rows(&basis, mean, factor, out);
}

const prc_body_kind prc_body_kind_beam = {.name = "beam",
                                          .system = system_of,
                                          .initial = initial,
                                          .items = items,
                                          .surfaces = surfaces,
                                          .groups = surfaces,
                                          .size = size,
                                          .place = place,
                                          .rows = rows,
                                          .frame = frame,
                                          .frame_mean = frame_mean,
                                          .figure = &prc_figure_kind_beam,
                                          .view = &prc_body_view_beam};
