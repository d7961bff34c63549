#include "config.h"
#include "cone/solvers/method.h"
#include "linear/linear.h"

#include <math.h>

/* The active-set (semismooth) Newton method for 2D: given the status of every contact, the law is linear,
 *
 *   open: p = 0;   stick: w_N = 0, w_T = 0;   slip with sign s: w_N = 0, p_T = s mu p_N,
 *
 * and one dense solve gives p; statuses that its result contradicts are revised. When they no longer
 * change, p solves the problem to rounding. */

typedef enum { OPEN, STICK, SLIP_LEFT, SLIP_RIGHT } mode; /* SLIP_RIGHT: p_T = + mu p_N */

typedef struct {
  double *w, *w_try, *p_try; /* 2 n_max */
  double *W;                 /* (2 n_max)^2: W as a dense matrix where it does not stand so, else NULL */
  double *A, *x;             /* (2 n_max)^2, 2 n_max: the linear system */
  int *pivots, *row;         /* 2 n_max: row: which component of w an equation sets to zero */
  mode *status;              /* n_max */
} work_newton;

static void active_set_free(void **work) {
  work_newton *g = *work;
  if (!g) return;
  prc_delete(&g->w);
  prc_delete(&g->w_try);
  prc_delete(&g->p_try);
  prc_delete(&g->W);
  prc_delete(&g->A);
  prc_delete(&g->x);
  prc_delete(&g->pivots);
  prc_delete(&g->row);
  prc_delete(&g->status);
  prc_delete(work);
}

static prc_status active_set_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_newton *g = NULL;
  const size_t n = (size_t)sizes->dim * (size_t)sizes->n_max;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->w, n, err));
  prc_try(prc_new(&g->w_try, n, err));
  prc_try(prc_new(&g->p_try, n, err));
  prc_try(prc_new(&g->A, n * n, err));
  prc_try(prc_new(&g->W, prc_cone_dense_room(sizes->W, n), err));
  prc_try(prc_new(&g->x, n, err));
  prc_try(prc_new(&g->pivots, n, err));
  prc_try(prc_new(&g->row, n, err));
  prc_try(prc_new(&g->status, sizes->n_max, err));
done:
  if (status != PRC_OK) active_set_free(work);
  return status;
}

/* The status that the natural map's argument p - rho w points to. */
static mode status_of(double mu, double rho, const double *p, const double *w) {
  const double n = p[0] - rho * w[0], t = p[1] - rho * w[1];
  if (n <= 0.0) return OPEN;
  if (fabs(t) < mu * n) return STICK;
  return t > 0.0 ? SLIP_RIGHT : SLIP_LEFT;
}

/* Test of a status by the solution under it. Without friction nothing sticks; where W_TT is
 * zero nothing that p does can make a sliding contact stick. */
static mode revised(mode status, double mu, double W_tt, const double *p, const double *w) {
  if (status == OPEN) return w[0] >= 0.0 ? OPEN : mu > 0.0 ? STICK : SLIP_RIGHT;
  if (p[0] < 0.0) return OPEN;
  if (!(mu > 0.0)) return status == STICK ? SLIP_RIGHT : status;
  switch (status) {
  case STICK:
    if (!(W_tt > 0.0) && w[1] != 0.0) return w[1] > 0.0 ? SLIP_LEFT : SLIP_RIGHT;
    if (fabs(p[1]) <= mu * p[0]) return STICK;
    return p[1] > 0.0 ? SLIP_RIGHT : SLIP_LEFT;
  case SLIP_LEFT:
    return w[1] >= 0.0 ? SLIP_LEFT : STICK;
  default:
    return w[1] <= 0.0 ? SLIP_RIGHT : STICK;
  }
}

/* p under the statuses, in p_try. Returns 0 when the system is singular. */
static int solve_statuses(work_newton *g, const prc_cone_problem *problem, const double *dense) {
  const int rows = 2 * problem->n;
  int n = 0;
  for (int c = 0; c < problem->n; c++) {
    if (g->status[c] != OPEN) g->row[n++] = 2 * c;
    if (g->status[c] == STICK && dense[(size_t)(2 * c + 1) * (size_t)(rows + 1)] > 0.0)
      g->row[n++] = 2 * c + 1; /* else p_T moves nothing, and is zero */
  }
  for (int k = 0; k < n; k++) {
    const double *W = dense + (size_t)g->row[k] * (size_t)rows;
    double *A = g->A + (size_t)k * (size_t)n;
    for (int l = 0; l < n; l++) {
      const int column = g->row[l], c = column / 2;
      A[l] = W[column];
      if (g->status[c] == SLIP_RIGHT) A[l] += problem->mu[c] * W[column + 1];
      if (g->status[c] == SLIP_LEFT) A[l] -= problem->mu[c] * W[column + 1];
    }
    g->x[k] = -problem->b[g->row[k]];
  }
  if (prc_dense_solve(n, g->A, g->pivots, g->x) != PRC_OK) return 0;
  for (int i = 0; i < rows; i++) g->p_try[i] = 0.0;
  for (int k = 0; k < n; k++) g->p_try[g->row[k]] = g->x[k];
  for (int c = 0; c < problem->n; c++) {
    if (g->status[c] == SLIP_RIGHT) g->p_try[2 * c + 1] = problem->mu[c] * g->p_try[2 * c];
    if (g->status[c] == SLIP_LEFT) g->p_try[2 * c + 1] = -problem->mu[c] * g->p_try[2 * c];
  }
  return 1;
}

int prc_cone_active_steps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                          int n_steps, double *p, prc_cone_info *info) {
  work_newton *g = work;
  const double rho = prc_cone_rho(problem);
  const double *dense = prc_cone_as_dense(problem, g->W);
  prc_cone_reached(problem, options, "active-set", p, g->w, info);
  double best = info->error.scaled;
  for (int c = 0; c < problem->n; c++) g->status[c] = status_of(problem->mu[c], rho, p + 2 * c, g->w + 2 * c);
  for (int k = 0; k < n_steps; k++) {
    info->iterations++;
    info->newton++;
    if (!solve_statuses(g, problem, dense)) return 0;
    const int reached = prc_cone_reached(problem, options, "active-set", g->p_try, g->w_try, info);
    if (reached || info->error.scaled < best) {
      best = info->error.scaled;
      for (int i = 0; i < 2 * problem->n; i++) p[i] = g->p_try[i];
    }
    if (reached) return 1;
    int changed = 0;
    for (int c = 0; c < problem->n; c++) {
      const mode next = revised(g->status[c], problem->mu[c], prc_cone_diagonal(problem, 2 * c + 1),
                                g->p_try + 2 * c, g->w_try + 2 * c);
      changed += next != g->status[c];
      g->status[c] = next;
    }
    if (!changed) return 0; /* a fixed point that is no solution to this tolerance: rounding rules */
  }
  return 0;
}

static void active_set_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                             double *p, prc_cone_info *info) {
  prc_cone_active_steps(work, problem, options, options->max_iterations, p, info);
}

const prc_cone_method prc_cone_active_set = {
    .create = active_set_create,
    .solve = active_set_solve,
    .free = active_set_free,
};
