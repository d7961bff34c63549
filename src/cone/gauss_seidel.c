#include "config.h"
#include "cone/internal.h"

#include <math.h>

/* Nonsmooth Gauss-Seidel for 2D: contact after contact, the local problem is solved exactly by enumeration of its three
 * statuses, and w = W p + b follows by columns of W, so that a contact which does not change costs nothing. */

typedef struct {
  double *w;       /* 2 n_max: W p + b, carried along */
  double *columns; /* (2 n_max)^2: W by columns */
} work_2d;

static void gauss_seidel_free(void **work) {
  work_2d *g = *work;
  if (!g) return;
  prc_delete(&g->w);
  prc_delete(&g->columns);
  prc_delete(work);
}

static prc_status gauss_seidel_create(int dim, int n_max, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_2d *g = NULL;
  const size_t n = (size_t)dim * (size_t)n_max;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->w, n, err));
  prc_try(prc_new(&g->columns, n * n, err));
done:
  if (status != PRC_OK) gauss_seidel_free(work);
  return status;
}

/* Slip with p_T = sign mu p_N: w_N = 0 gives p_N. Returns by how much the sliding velocity has the wrong sign. */
static double try_slip(const double W[4], const double q[2], double mu, double sign, double p[2]) {
  const double d = W[0] + sign * mu * W[1];
  if (!(d > 0.0)) return INFINITY;
  p[0] = -q[0] / d;
  p[1] = sign * mu * p[0];
  return sign * (q[1] + W[2] * p[0] + W[3] * p[1]);
}

/* Solves w = W p + q, -Phi(w) in N_K(p) for one contact: take-off, then stick, then the two slips, (17). W: 2 x 2. */
static void solve_local(const double W[4], const double q[2], double mu, double p[2]) {
  p[0] = p[1] = 0.0;
  if (q[0] >= 0.0) return;
  const double det = W[0] * W[3] - W[1] * W[2];
  if (det > 0.0) {
    p[0] = (W[1] * q[1] - W[3] * q[0]) / det;
    p[1] = (W[2] * q[0] - W[0] * q[1]) / det;
    if (fabs(p[1]) <= mu * p[0]) return;
  }
  double left[2] = {0.0}, right[2] = {0.0};
  const double wrong_left = try_slip(W, q, mu, -1.0, left), wrong_right = try_slip(W, q, mu, 1.0, right);
  const double *slip = wrong_left < wrong_right ? left : right;
  p[0] = slip[0], p[1] = slip[1];
}

/* One sweep; returns |change of p|^2. */
static double sweep(const prc_cone_problem *problem, const double *columns, double *restrict w,
                    double *restrict p) {
  const int rows = 2 * problem->n;
  double change = 0.0;
  for (int c = 0; c < problem->n; c++) {
    const double *restrict c0 = columns + (size_t)(2 * c) * (size_t)rows, *restrict c1 = c0 + rows;
    const double W[4] = {c0[2 * c], c1[2 * c], c0[2 * c + 1], c1[2 * c + 1]};
    const double q[2] = {w[2 * c] - W[0] * p[2 * c] - W[1] * p[2 * c + 1],
                         w[2 * c + 1] - W[2] * p[2 * c] - W[3] * p[2 * c + 1]};
    double next[2];
    solve_local(W, q, problem->mu[c], next);
    const double d0 = next[0] - p[2 * c], d1 = next[1] - p[2 * c + 1];
    if (d0 == 0.0 && d1 == 0.0) continue;
    for (int i = 0; i < rows; i++) w[i] += c0[i] * d0 + c1[i] * d1;
    p[2 * c] = next[0], p[2 * c + 1] = next[1];
    change += d0 * d0 + d1 * d1;
  }
  return change;
}

int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info) {
  work_2d *g = work;
  const int rows = 2 * problem->n;
  double b = 0.0;
  for (int i = 0; i < rows; i++) b += problem->b[i] * problem->b[i];
  const double small = options->tolerance * prc_cone_rho(problem), small2 = small * small * b;
  for (size_t i = 0, n = (size_t)rows; i < n; i++)
    for (size_t j = 0; j < n; j++) g->columns[j * n + i] = problem->W[i * n + j];
  prc_cone_reached(problem, options, "gauss-seidel", p, g->w, info); /* for w */
  for (int k = 0; k < n_sweeps; k++) {
    const double change = sweep(problem, g->columns, g->w, p);
    info->iterations++;
    /* the measure costs as much as a sweep: it is worth taking when p hardly moves */
    if (!(change > small2) && prc_cone_reached(problem, options, "gauss-seidel", p, g->w, info)) return 1;
  }
  return 0;
}

static void gauss_seidel_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                               double *p, prc_cone_info *info) {
  prc_cone_sweeps(work, problem, options, options->max_iterations, p, info);
}

const prc_cone_method prc_cone_gauss_seidel = {
    .name = "gauss-seidel",
    .in_2d = 1,
    .create = gauss_seidel_create,
    .solve = gauss_seidel_solve,
    .free = gauss_seidel_free,
};
