#include "config.h"
#include "cone/solvers/splitting.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* The alternating direction method of multipliers (Boyd, Parikh, Chu, Peleato and Eckstein 2011) for
 *
 *   minimise x' W x / 2 + (b + s) . x + (indicator of K)(p)   with x = p,
 *
 * with R = rho diag(1 / m) for the penalty, over-relaxation, and the dual of the constraint kept as a
 * velocity z:
 *
 *   (W + R) x = R p + z - b - s,
 *   x^ = a x + (1 - a) p,   p := proj_K(x^ - R^-1 z),   z := z + R (p - x^).
 *
 * z tends to Phi(w), and s follows it at every step: s_N = mu |z_T|, since Phi leaves w_T as it is. W + R
 * is factored once, and again when rho changes. */

#define OVER       1.6
#define WAIT_FIRST 30  /* iterations before rho is looked at */
#define CHANGE     3.0 /* factor of rho, which is 1 at first */
#define RHO_LEAST  1e-6
#define RHO_MOST   1e6
#define FAST       (-0.6) /* log of the residual's fall over a window, beyond which rho stays */

typedef struct {
  double *m;                      /* n_max: weights */
  double *x, *z, *r, *before, *w; /* dim n_max */
  double *A;                      /* W + R: its inverse where W stands as a dense matrix, else its blocks */
  double size_b;                  /* |b| */
  int *row_start, *column;        /* of the blocks */
  prc_block_lu *lu;               /* of the blocks; NULL: of W dense */
} work_admm;

static void admm_free(void **work) {
  work_admm *g = *work;
  if (!g) return;
  double **vectors[] = {&g->m, &g->x, &g->z, &g->r, &g->before, &g->w, &g->A};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->row_start);
  prc_delete(&g->column);
  if (g->lu) prc_block_lu_free(&g->lu);
  prc_delete(work);
}

static prc_status admm_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_admm *g = NULL;
  const size_t rows = (size_t)sizes->dim * (size_t)sizes->n_max;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  double **vectors[] = {&g->m, &g->x, &g->z, &g->r, &g->before, &g->w};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], rows, err));
  if (sizes->W->dense) {
    prc_try(prc_new(&g->A, rows * rows, err));
    return PRC_OK;
  }
  prc_try(prc_new(&g->A, sizes->n_blocks * (size_t)sizes->dim * (size_t)sizes->dim, err));
  prc_try(prc_new(&g->row_start, (size_t)sizes->n_max + 1, err));
  prc_try(prc_new(&g->column, sizes->n_blocks, err));
  prc_try(prc_block_lu_create(sizes->dim, &g->lu, err));
done:
  if (status != PRC_OK) admm_free(work);
  return status;
}

/* ---- W + R ---------------------------------------------------------------------------------- */

/* A := A^-1 by Gauss-Jordan elimination without pivots, for a matrix that is positive definite or nearly.
 * Returns 0 when a pivot is not positive. */
static int invert(size_t n, double *A) {
  for (size_t k = 0; k < n; k++) {
    double *restrict row = A + k * n;
    if (!(row[k] > 0.0)) return 0;
    const double pivot = 1.0 / row[k];
    row[k] = 1.0;
    for (size_t j = 0; j < n; j++) row[j] *= pivot;
    for (size_t i = 0; i < n; i++) {
      if (i == k) continue;
      double *restrict other = A + i * n;
      const double factor = other[k];
      if (factor == 0.0) continue;
      other[k] = 0.0;
      for (size_t j = 0; j < n; j++) other[j] -= factor * row[j];
    }
  }
  return 1;
}

static int factor_dense(work_admm *g, const prc_cone_problem *problem, double rho) {
  const size_t dim = (size_t)problem->dim, rows = dim * (size_t)problem->n;
  prc_cone_copy_dense(problem, g->A);
  for (size_t i = 0; i < rows; i++) g->A[i * (rows + 1)] += rho / g->m[i / dim];
  return invert(rows, g->A);
}

static int factor_blocks(work_admm *g, const prc_cone_problem *problem, double rho) {
  const int dim = problem->dim;
  prc_cone_copy_blocks(problem, &(prc_cone_blocks){g->row_start, g->column, g->A});
  for (int c = 0; c < problem->n; c++)
    for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++)
      for (int r = 0; r < dim && g->column[k] == c; r++)
        g->A[((size_t)k * (size_t)dim + (size_t)r) * (size_t)dim + (size_t)r] += rho / g->m[c];
  return prc_block_lu_factor(g->lu, g->A) == PRC_OK;
}

/* A negative eigenvalue of W asks for a larger rho. Returns 0 when none does. */
static int factor(work_admm *g, const prc_cone_problem *problem, double *rho, prc_cone_info *info) {
  for (int k = 0; k < 12; k++, *rho *= 10.0) {
    info->iterations++, info->newton++;
    if (g->lu ? factor_blocks(g, problem, *rho) : factor_dense(g, problem, *rho)) return 1;
  }
  return 0;
}

/* ---- the iteration -------------------------------------------------------------------------- */

/* x := (W + R)^-1 (R p + z - b - s) */
static void solve_linear(work_admm *g, const prc_cone_problem *problem, double rho, const double *p) {
  const int dim = problem->dim, rows = dim * problem->n;
  double *to = g->lu ? g->x : g->r;
  for (int c = 0, i = 0; c < problem->n; c++) {
    const double *z = g->z + i;
    const double speed = prc_cone_tangential(dim, z);
    for (int r = 0; r < dim; r++, i++)
      to[i] = rho / g->m[c] * p[i] + g->z[i] - problem->b[i] - (r == 0 ? problem->mu[c] * speed : 0.0);
  }
  if (g->lu) {
    prc_block_lu_solve(g->lu, g->x);
    return;
  }
  memset(g->x, 0, (size_t)rows * sizeof *g->x);
  prc_dense_multiply_add(rows, rows, 1.0, g->A, g->r, g->x);
}

/* p, z and, in x, x^. Returns the residuals |x - p| and rho |p - p_before|, in the norm of percussions. */
typedef struct {
  double primal, dual; /* relative, for the balance */
} residuals;

static residuals project(work_admm *g, const prc_cone_problem *problem, double rho, double *p) {
  const int dim = problem->dim, rows = dim * problem->n;
  residuals res;
  memcpy(g->before, p, (size_t)rows * sizeof *p);
  for (int i = 0; i < rows; i++) g->r[i] = OVER * g->x[i] + (1.0 - OVER) * p[i];
  prc_cone_project_step(problem, g->m, 1.0 / rho, g->r, g->z, p);
  for (int i = 0; i < rows; i++) g->z[i] += rho / g->m[i / dim] * (p[i] - g->r[i]);
  const double size_p = sqrt(prc_cone_weighted_dot(problem, g->m, -1, p, NULL, p, NULL)),
               size_z = sqrt(prc_cone_weighted_dot(problem, g->m, 1, g->z, NULL, g->z, NULL));
  res.primal = sqrt(prc_cone_weighted_dot(problem, g->m, -1, g->x, p, g->x, p));
  res.dual = rho * sqrt(prc_cone_weighted_dot(problem, g->m, -1, p, g->before, p, g->before));
  res.primal /= size_p > 0.0 ? size_p : 1.0;
  res.dual /= fmax(size_z, g->size_b);
  return res;
}

/* The search for rho. The first factor follows the residuals' ratio; afterwards a window of iterations
 * tells how fast the larger of the two falls, and a change that slowed that is undone: the next goes in
 * the other direction. Where it grows, s makes the iteration cycle, and rho rises. Windows lengthen, so
 * that changes become rare. */
typedef struct {
  int wait, since;
  double factor;  /* of the last change; 0 before the first */
  double balance; /* sum of the logs of the residuals' ratio */
  double from;    /* residual where the window's rate begins */
  double rate;    /* of the last window */
} adaption;

/* Returns 1 when rho has changed. */
static int adapt(adaption *a, const residuals *res, double *rho) {
  const double larger = fmax(res->primal, res->dual);
  a->balance += log(res->primal > 0.0 && res->dual > 0.0 ? res->primal / res->dual : 1.0);
  a->since++;
  const int settled = a->wait / 3;
  if (a->since == settled) a->from = larger; /* what a change stirs up has settled */
  if (a->since < a->wait || !(larger > 0.0)) return 0;
  const double rate = log(larger / a->from) / (a->since - settled), mean = exp(a->balance / a->since);
  a->since = 0, a->balance = 0.0;
  if (rate * a->wait < FAST) return 0;
  if (a->factor == 0.0)
    a->factor = mean > 1.0 ? CHANGE : 1.0 / CHANGE;
  else if (rate > 0.0)
    a->factor = CHANGE, a->wait += a->wait / 4;
  else if (rate > a->rate)
    a->factor = 1.0 / a->factor, a->wait += a->wait / 4;
  a->rate = rate;
  *rho = fmax(RHO_LEAST, fmin(RHO_MOST, *rho * a->factor));
  return 1;
}

static void admm_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                       double *p, prc_cone_info *info) {
  work_admm *g = work;
  double rho = 1.0;
  adaption a = {.wait = WAIT_FIRST, .factor = 0.0};
  info->finished = "admm";
  prc_cone_weights(problem, g->m);
  g->size_b = sqrt(prc_cone_weighted_dot(problem, g->m, 1, problem->b, NULL, problem->b, NULL));
  if (g->lu) prc_cone_copy_blocks(problem, &(prc_cone_blocks){g->row_start, g->column, g->A});
  if (g->lu && prc_block_lu_analyze(g->lu, problem->n, g->row_start, g->column, NULL) != PRC_OK) return;
  prc_cone_project_step(problem, g->m, 0.0, p, p, p);
  prc_cone_velocity_fast(problem, p, g->z);
  prc_cone_phi(problem, g->z, g->z);
  if (!factor(g, problem, &rho, info)) return;
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    solve_linear(g, problem, rho, p);
    const residuals res = project(g, problem, rho, p);
    info->iterations++;
    if (prc_cone_is_nearly_solved(problem, options, g->m, 1.0, p, g->x)
        && prc_cone_is_nearly_solved(problem, options, g->m, 1.0 / rho, p, g->before)
        && prc_cone_reached(problem, options, "admm", p, g->w, info))
      return;
    if (!adapt(&a, &res, &rho)) continue;
    if (!factor(g, problem, &rho, info)) return;
  }
}

const prc_cone_method prc_cone_admm = {
    .create = admm_create,
    .solve = admm_solve,
    .free = admm_free,
};
