#include "config.h"
#include "fem/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A prescribed velocity V(t) is the displacement d(t) = integral of V over (0, t), and is imposed as that (step/motion.c): so the body is where the
 * integral is, however long it runs. The time is cut into pieces of one length, the step's, and
 *
 *   d(t) = I_1 + I_2 + ... + I_j + integral of V over (j P, t),   j = floor(t / P),   I_k = integral over ((k - 1) P, k P),
 *
 * always summed in this order, with what rounding loses of it (Neumaier). That is a function of t alone: what is kept of the sums spares the
 * work of making them again, and changes no bit of them. Each piece is integrated by four points of Lobatto and the seven of Kronrod that extend
 * them (Gander and Gautschi 2000), halved until they agree to 1e-11 of what V moves in the piece: smooth formulas to rounding, and kinks and jumps in
 * V to that. Both ends are among the points, and no sum of the first weights is the same in both rules, so that one jump is seen wherever it is. */

enum { KEPT = 8, POINTS = 4, DEEPEST = 48 };

typedef struct {
  int j; /* -1: none */
  prc_sum sum;
} kept_sum;

struct prc_fem_way {
  kept_sum kept[KEPT]; /* the last ones, by j modulo their number */
};

/* ---- one piece ---------------------------------------------------------------------------------------------- */

typedef struct {
  const prc_field *velocity;
  const double *x;
  double size; /* of V, largest so far, times the length of the piece */
  prc_error *err;
} integrand;

static prc_status value_at(const integrand *f, double t, double *value) {
  return prc_field_eval(f->velocity, f->x[0], f->x[1], t, value, f->err);
}

/* Kronrod's points from the outside in, the last in the middle; every second is one of Lobatto: 1, sqrt(2/3), sqrt(1/5), 0. */
static const double place[POINTS] = {1.0, 0.816496580927726032732428024901964,
                                     0.447213595499957939281834733746255, 0.0};
static const double kronrod[POINTS] = {77.0 / 1470.0, 432.0 / 1470.0, 625.0 / 1470.0, 672.0 / 1470.0};
static const double lobatto[POINTS] = {1.0 / 6.0, 0.0, 5.0 / 6.0, 0.0};

/* The ends are looked at from within, so that what jumps at one, give or take its rounding, belongs to one side. */
static double within(double a, double b) {
  const double half = 0.5 * (b - a);
  return half - fmin(0.1 * half, fmax(ldexp(half, -40), 4.0 * DBL_EPSILON * fabs(b)));
}

static prc_status quadrature(integrand *f, double a, double b, double *value, double *error) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), last = within(a, b);
  double fine = 0.0, coarse = 0.0;
  for (int k = 0; k < 2 * POINTS - 1; k++) {
    const int p = k < POINTS ? k : 2 * POINTS - 2 - k;
    const double off = p == 0 ? last : half * place[p];
    double v;
    const prc_status status = value_at(f, k < POINTS ? middle - off : middle + off, &v);
    if (status != PRC_OK) return status;
    fine += kronrod[p] * v, coarse += lobatto[p] * v;
    f->size = fmax(f->size, fabs(v));
  }
  *value = half * fine, *error = half * fabs(fine - coarse);
  return PRC_OK;
}

/* Adds the integral over (a, b), from the left to the right; whole: the length of all of it. */
static prc_status add_integral(integrand *f, double a, double b, double whole, prc_sum *sum) {
  prc_status status = PRC_OK;
  double end[DEEPEST + 1], value, error;
  int n = 0;
  if (!(b > a)) return PRC_OK;
  for (end[n++] = b; n > 0;) {
    const double to = end[n - 1], middle = 0.5 * (a + to);
    prc_try(quadrature(f, a, to, &value, &error));
    if (error > 1e-11 * whole * f->size && n < DEEPEST && middle > a && middle < to) {
      end[n++] = middle;
      continue;
    }
    prc_sum_add(sum, value);
    a = to, n--;
  }
done:
  return status;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

/* The sum of the first j pieces, from the nearest that is kept before. */
static prc_status sum_to(const integrand *f, double piece, int j, prc_fem_way *way, prc_sum *out) {
  int from = 0;
  *out = (prc_sum){0};
  for (int k = 0; k < KEPT; k++)
    if (way->kept[k].j > from && way->kept[k].j <= j) from = way->kept[k].j, *out = way->kept[k].sum;
  for (int k = from + 1; k <= j; k++) {
    integrand g = *f;
    const prc_status status = add_integral(&g, (double)(k - 1) * piece, (double)k * piece, piece, out);
    if (status != PRC_OK) return status;
    way->kept[k % KEPT] = (kept_sum){k, *out};
  }
  return PRC_OK;
}

prc_status prc_fem_way_at(const prc_fem *fem, int i, const prc_field *velocity, const double x[2], double t,
                          double *d, prc_error *err) {
  prc_status status = PRC_OK;
  const double piece = fem->model->piece > 0.0 ? fem->model->piece : 1.0;
  prc_fem_way *way = &fem->way[fem->way_of[i]];
  const double most = 2147483000.0, whole = floor(t / piece);
  integrand f = {.velocity = velocity, .x = x, .err = err};
  prc_sum sum = {0};
  *d = 0.0;
  if (!velocity->eval) {
    *d = velocity->constant * t;
    return PRC_OK;
  }
  if (!(t > 0.0)) return PRC_OK;
  const int j = (int)fmin(whole, most);
  prc_try(sum_to(&f, piece, j, way, &sum));
  prc_try(add_integral(&f, (double)j * piece, t, piece, &sum));
  *d = prc_sum_total(&sum);
done:
  return status;
}

/* Velocity just after t, where that is known. */
prc_status prc_fem_way_rates(const prc_field *velocity, const double x[2], double t, double d[2],
                             prc_error *err) {
  double of[3] = {0.0};
  prc_status status;
  if (velocity->derivatives) {
    status = velocity->derivatives(velocity, x[0], x[1], t, of, err);
  } else
    status = prc_field_eval(velocity, x[0], x[1], t, &of[0], err);
  d[0] = of[0], d[1] = of[1];
  return status;
}

/* ---- which there are -------------------------------------------------------------------------------------------- */

static const prc_field *velocity_of(const prc_fem *fem, int i) {
  const int s = fem->prescribed_support[i], k = fem->prescribed[i] % 2;
  if (s < 0 || !fem->model->support[s].by_velocity[k]) return NULL;
  return &fem->model->support[s].displacement[k];
}

/* One for all nodes of a field that is the same for all; else each its own. */
prc_status prc_fem_make_ways(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&fem->way_of, fem->n_prescribed, err));
  for (int i = 0; i < fem->n_prescribed; i++) {
    const prc_field *velocity = velocity_of(fem, i);
    int same = -1;
    for (int k = i - 1; velocity && !velocity->uses_place && same < 0 && k >= 0; k--)
      if (velocity_of(fem, k) == velocity) same = fem->way_of[k];
    fem->way_of[i] = !velocity ? -1 : same >= 0 ? same : fem->n_ways++;
  }
  prc_try(prc_new(&fem->way, fem->n_ways, err));
  for (int w = 0; w < fem->n_ways; w++)
    for (int k = 0; k < KEPT; k++) fem->way[w].kept[k].j = -1;
done:
  return status;
}
