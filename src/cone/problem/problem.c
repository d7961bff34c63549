#include "config.h"
#include "cone/problem/problem.h"

#include <limits.h>
#include <math.h>

/* ---- what a problem must satisfy ------------------------------------------------------------ */

static prc_status check_arrays(const prc_cone_problem *problem, prc_error *err) {
  if (problem->n > INT_MAX / problem->dim)
    return prc_fail(err, PRC_INPUT, "the contact problem has %d contacts, expected at most %d", problem->n,
                    INT_MAX / problem->dim);
  if (problem->n > 0 && (!problem->b || !problem->mu))
    return prc_fail(err, PRC_INPUT, "the contact problem lacks b or mu");
  return PRC_OK;
}

prc_status prc_cone_problem_check(const prc_cone_problem *problem, prc_error *err) {
  prc_status status = PRC_OK;
  if (problem->dim < 1 || problem->dim > PRC_CONE_DIM_MOST)
    return prc_fail(err, PRC_INPUT, "the contact problem has dimension %d, expected 1 to %d", problem->dim,
                    PRC_CONE_DIM_MOST);
  if (problem->n < 0)
    return prc_fail(err, PRC_INPUT, "the contact problem has %d contacts, expected 0 or more", problem->n);
  const int matrices = (problem->W != NULL) + (problem->blocks != NULL) + (problem->whole != NULL)
                       + (problem->factors != NULL);
  if (problem->n > 0 && !problem->storage && matrices != 1)
    return prc_fail(err, PRC_INPUT,
                    "the contact problem has %s, expected W either dense or sparse by blocks, or M and H",
                    matrices > 1 ? "two matrices" : "no matrix");
  prc_try(check_arrays(problem, err));
  for (int c = 0; c < problem->n; c++)
    if (!(problem->mu[c] >= 0.0 && problem->mu[c] <= PRC_CONE_FRICTION_MOST))
      return prc_fail(err, PRC_INPUT, "the friction of contact %d is %g, expected a number in [0, %g]", c,
                      problem->mu[c], PRC_CONE_FRICTION_MOST);
  for (int i = 0; i < problem->dim * problem->n; i++)
    if (!isfinite(problem->b[i]))
      return prc_fail(err, PRC_INPUT, "b(%d) is %g, expected a finite number", i, problem->b[i]);
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  if (W->check) prc_try(W->check(problem, err));
done:
  return status;
}

/* ---- infeasibility -------------------------------------------------------------------------- */

int prc_cone_infeasible(const prc_cone_problem *problem, double *y, double *v) {
  const int dim = problem->dim;
  double size = 0.0, work = 0.0, b = 0.0, most = 0.0;
  if (problem->friction) return 0; /* its cones are not known */
  for (int i = 0; i < dim * problem->n; i++) {
    y[i] = i % dim == 0 && y[i] > 0.0 ? y[i] : 0.0;
    size += y[i];
  }
  if (!(size > 0.0) || !isfinite(size)) return 0;
  prc_cone_multiply_transposed(problem, y, v);
  for (int c = 0; c < problem->n; c++) {
    /* the largest v . p' for p'_N = 1 */
    most = fmax(most, v[dim * c] + problem->mu[c] * prc_cone_tangential(dim, v + dim * c));
    work += y[dim * c] > 0.0 ? y[dim * c] * problem->b[dim * c] : 0.0;
    for (int r = 0; r < dim; r++) b = fmax(b, fabs(problem->b[dim * c + r]));
  }
  /* y . w_N >= 0 needs sum p'_N >= |y . b_N| / most */
  return work < -1e-6 * size * b && -work > 1e11 * most * prc_cone_rho(problem) * b;
}
