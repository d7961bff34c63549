#include "config.h"
#include "cone/problem/problem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

/* ---- what a problem must satisfy ------------------------------------------------------------ */

prc_status prc_cone_check_pattern(const prc_cone_problem *problem, prc_error *err) {
  const prc_cone_blocks *W = problem->blocks;
  if (!W->row_start || !W->column)
    return prc_fail(err, PRC_INPUT, "the blocks of W lack row_start or column");
  if (W->row_start[0] != 0)
    return prc_fail(err, PRC_INPUT, "the blocks of W start at %d, expected 0", W->row_start[0]);
  for (int c = 0; c < problem->n; c++)
    if (W->row_start[c + 1] < W->row_start[c])
      return prc_fail(err, PRC_INPUT, "row %d of blocks of W ends at %d, before its start at %d", c,
                      W->row_start[c + 1], W->row_start[c]);
  for (int c = 0; c < problem->n; c++) {
    int diagonal = 0;
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
      if (W->column[k] < 0 || W->column[k] >= problem->n)
        return prc_fail(err, PRC_INPUT, "a block of W in row %d is in column %d, expected 0 to %d", c,
                        W->column[k], problem->n - 1);
      if (k > W->row_start[c] && W->column[k] <= W->column[k - 1])
        return prc_fail(err, PRC_INPUT, "the blocks of row %d of W are not in ascending columns (%d, %d)", c,
                        W->column[k - 1], W->column[k]);
      diagonal |= W->column[k] == c;
    }
    if (!diagonal) return prc_fail(err, PRC_INPUT, "row %d of W has no diagonal block, expected one", c);
  }
  return PRC_OK;
}

static prc_status check_dense(const prc_cone_problem *problem, prc_error *err) {
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite(problem->W[i]))
      return prc_fail(err, PRC_INPUT, "W(%zu, %zu) is %g, expected a finite number", i / n, i % n,
                      problem->W[i]);
  for (size_t i = 0; problem->symmetric && i < n; i++)
    for (size_t j = 0; j < i; j++)
      if (problem->W[i * n + j] != problem->W[j * n + i])
        return prc_fail(err, PRC_INPUT,
                        "W(%zu, %zu) is %.17g and W(%zu, %zu) is %.17g, expected the same in a W that is "
                        "called symmetric",
                        i, j, problem->W[i * n + j], j, i, problem->W[j * n + i]);
  return PRC_OK;
}

static prc_status check_blocks(const prc_cone_problem *problem, prc_error *err) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim, size = dim * dim;
  for (int c = 0; c < problem->n; c++)
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++)
      for (int i = 0; i < size; i++) {
        const double value = W->values[(size_t)k * (size_t)size + (size_t)i];
        if (!isfinite(value))
          return prc_fail(err, PRC_INPUT, "W(%d, %d) is %g, expected a finite number", dim * c + i / dim,
                          dim * W->column[k] + i % dim, value);
      }
  return PRC_OK;
}

static prc_status check_factors(const prc_cone_problem *problem, prc_error *err) {
  const prc_cone_factors *F = problem->factors;
  const size_t run = 2 * PRC_CONE_RUN;
  for (int k = 0; k < 2 * problem->n; k++)
    if (F->run[k] < 0 || F->run[k] > F->n_runs)
      return prc_fail(err, PRC_INPUT, "contact %d touches the run %d, expected 0 to %d", k / 2, F->run[k],
                      F->n_runs);
  for (size_t i = 0; i < (size_t)problem->dim * (size_t)problem->n * run; i++)
    if (!isfinite(F->G[i]))
      return prc_fail(err, PRC_INPUT, "G(%zu, %zu) is %g, expected a finite number", i / run, i % run,
                      F->G[i]);
  return PRC_OK;
}

static prc_status check_arrays(const prc_cone_problem *problem, prc_error *err) {
  if (problem->n > INT_MAX / problem->dim)
    return prc_fail(err, PRC_INPUT, "the contact problem has %d contacts, expected at most %d", problem->n,
                    INT_MAX / problem->dim);
  if (problem->n > 0 && (!problem->b || !problem->mu))
    return prc_fail(err, PRC_INPUT, "the contact problem lacks b or mu");
  if (problem->n > 0 && problem->blocks && !problem->blocks->values)
    return prc_fail(err, PRC_INPUT, "the blocks of W have no values");
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
  if (problem->n > 0 && matrices != 1)
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
  if (problem->blocks) prc_try(prc_cone_check_pattern(problem, err));
  if (problem->factors) prc_try(check_factors(problem, err));
  if (problem->n > 0 && !problem->whole && !problem->factors)
    prc_try(problem->blocks ? check_blocks(problem, err) : check_dense(problem, err));
done:
  return status;
}

/* ---- symmetry ------------------------------------------------------------------------------- */

static double block_asymmetry(const prc_cone_problem *problem) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  assert(W->values);
  double largest = 0.0, difference = 0.0;
  for (int c = 0; c < problem->n; c++)
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
      const double *here = W->values + (size_t)k * (size_t)dim * (size_t)dim;
      const int across = prc_cone_find_block(W, W->column[k], c);
      const double *there = across < 0 ? NULL : W->values + (size_t)across * (size_t)dim * (size_t)dim;
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) {
          const double other = there ? there[dim * d + r] : 0.0;
          largest = fmax(largest, fabs(here[dim * r + d]));
          difference = fmax(difference, fabs(here[dim * r + d] - other));
        }
    }
  return largest > 0.0 ? difference / largest : 0.0;
}

double prc_cone_asymmetry(const prc_cone_problem *problem) {
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  double largest = 0.0, difference = 0.0;
  if (problem->factors) return 0.0;
  if (problem->blocks) return block_asymmetry(problem);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      const double a = problem->W[i * n + j], at = problem->W[j * n + i];
      largest = fmax(largest, fmax(fabs(a), fabs(at)));
      difference = fmax(difference, fabs(a - at));
    }
  return largest > 0.0 ? difference / largest : 0.0;
}

/* ---- infeasibility -------------------------------------------------------------------------- */

/* v := W' y, y the normal parts of p, those that are positive */
static void transposed_normal(const prc_cone_problem *problem, const double *p, double *v) {
  const int dim = problem->dim, rows = dim * problem->n;
  const prc_cone_blocks *W = problem->blocks;
  for (int i = 0; i < rows; i++) v[i] = 0.0;
  if (problem->factors) {
    for (int c = 0; c < problem->n; c++) v[dim * c] = p[dim * c] > 0.0 ? p[dim * c] : 0.0;
    prc_cone_factors_pull(problem->factors, dim, problem->n, v, problem->factors->v);
    prc_cone_factors_push(problem->factors, dim, problem->n, problem->factors->v, v);
    return;
  }
  for (int c = 0; c < problem->n; c++) {
    const double y = p[dim * c];
    if (!(y > 0.0)) continue;
    if (!W) {
      const double *row = problem->W + (size_t)dim * (size_t)c * (size_t)rows;
      for (int i = 0; i < rows; i++) v[i] += y * row[i];
      continue;
    }
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++)
      for (int d = 0; d < dim; d++)
        v[dim * W->column[k] + d] += y * W->values[(size_t)k * (size_t)dim * (size_t)dim + (size_t)d];
  }
}

int prc_cone_infeasible(const prc_cone_problem *problem, const double *p, double *v) {
  const int dim = problem->dim;
  double size = 0.0, work = 0.0, b = 0.0, most = 0.0;
  if (problem->friction) return 0; /* its cones are not known */
  for (int c = 0; c < problem->n; c++) size += p[dim * c] > 0.0 ? p[dim * c] : 0.0;
  if (!(size > 0.0) || !isfinite(size)) return 0;
  transposed_normal(problem, p, v);
  for (int c = 0; c < problem->n; c++) {
    /* the largest v . p' for p'_N = 1 */
    most = fmax(most, v[dim * c] + problem->mu[c] * prc_cone_tangential(dim, v + dim * c));
    work += p[dim * c] > 0.0 ? p[dim * c] * problem->b[dim * c] : 0.0;
    for (int r = 0; r < dim; r++) b = fmax(b, fabs(problem->b[dim * c + r]));
  }
  /* y . w_N >= 0 needs sum p'_N >= |y . b_N| / most */
  return work < -1e-6 * size * b && -work > 1e11 * most * prc_cone_rho(problem) * b;
}
