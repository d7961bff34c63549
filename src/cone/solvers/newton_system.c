#include "config.h"
#include "cone/solvers/newton.h"

#include <math.h>

/* The scaled problem of Newton's method, and its systems by the row of W. */

void prc_cone_system_free(prc_cone_system *g) {
  double **vectors[] = {&g->b, &g->scale, &g->A, &g->B};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->open);
  if (g->algebra) g->algebra->free(&g->work);
}

prc_status prc_cone_system_create(const prc_cone_sizes *sizes, prc_cone_system *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)sizes->n_max, dim = (size_t)sizes->dim;
  g->dim = sizes->dim;
  g->algebra = prc_cone_algebra_of(sizes->W);
  prc_try(prc_new(&g->A, dim * dim * n, err));
  prc_try(prc_new(&g->B, dim * dim * n, err));
  prc_try(prc_new(&g->open, n, err));
  prc_try(prc_new(&g->b, dim * n, err));
  prc_try(prc_new(&g->scale, n, err));
  prc_try(g->algebra->create(sizes, &g->work, err));
done:
  return status; /* the caller frees what was made */
}

/* s_c = W_NN^-1/2, or by the mean of the diagonal where W_NN is as good as zero beside it; b' = S b */
prc_status prc_cone_system_set(prc_cone_system *g, const prc_cone_problem *problem) {
  const double mean = 1.0 / prc_cone_rho(problem);
  g->n = problem->n, g->mu = problem->mu;
  g->rubs = problem->friction ? problem : NULL;
  for (int c = 0; c < g->n; c++) {
    const double diagonal = prc_cone_diagonal(problem, g->dim * c);
    g->scale[c] = 1.0 / sqrt(diagonal > 1e-6 * mean ? diagonal : mean);
  }
  for (int i = 0; i < g->dim * g->n; i++) g->b[i] = problem->b[i] * g->scale[i / g->dim];
  return g->algebra->set(g->work, problem, g->scale);
}

void prc_cone_system_multiply(const prc_cone_system *g, const double *x, double *y) {
  g->algebra->multiply(g->work, x, y);
}

static prc_cone_jacobian jacobian_of(const prc_cone_system *g, double alpha) {
  return (prc_cone_jacobian){.dim = g->dim, .n = g->n, .A = g->A, .B = g->B, .open = g->open, .alpha = alpha};
}

static int is_finite(const prc_cone_system *g, const double *step) {
  int i = 0;
  while (i < g->dim * g->n && isfinite(step[i])) i++;
  return i == g->dim * g->n;
}

int prc_cone_system_step(prc_cone_system *g, double alpha, const double *F, double *step) {
  const prc_cone_jacobian at = jacobian_of(g, alpha);
  return g->algebra->step(g->work, &at, F, step) && is_finite(g, step);
}

int prc_cone_system_step_again(prc_cone_system *g, double alpha, const double *F, double *step) {
  const prc_cone_jacobian at = jacobian_of(g, alpha);
  return (g->algebra->step_again ? g->algebra->step_again : g->algebra->step)(g->work, &at, F, step)
         && is_finite(g, step);
}
