#ifndef PRC_CONE_PROBLEM_H
#define PRC_CONE_PROBLEM_H

#include "cone/cone.h"

#include <math.h>

/* What measure, solvers and files share about a problem: its blocks, its products, lengths of vectors. */

/* The pattern of W by blocks alone: it may have no values yet. */
prc_status prc_cone_check_pattern(const prc_cone_problem *problem, prc_error *err) PRC_MUST_CHECK;
/* The number of the block (row, column), -1 where there is none; by bisection, columns ascend. */
int prc_cone_find_block(const prc_cone_blocks *W, int row, int column);
/* W, given dense or by blocks, as a dense matrix: (dim n)^2 numbers */
void prc_cone_copy_dense(const prc_cone_problem *problem, double *W);
/* w = W p and w = H' v of a problem in global form */
void prc_cone_whole_multiply(const prc_cone_whole *whole, int rows, const double *p, double *w);
void prc_cone_whole_velocities(const prc_cone_whole *whole, int rows, const double *v, double *w);

/* v := G'p, 6 (n_runs + 1); w := G v */
void prc_cone_factors_pull(const prc_cone_factors *factors, int dim, int n, const double *p, double *v);
void prc_cone_factors_push(const prc_cone_factors *factors, int dim, int n, const double *v, double *w);

/* Squares of what lies between these neither overflow nor vanish. */
#define PRC_CONE_SMALL 1e-140
#define PRC_CONE_LARGE 1e140
/* max |x_i| */
double prc_cone_largest(int n, const double *x);
/* The power of two that brings a number near one; 1 where its square neither overflows nor vanishes. */
double prc_cone_scale_for(double largest);
/* |x|_2, also where squares would overflow or vanish */
double prc_cone_norm(int n, const double *x);

/* Whether y, the positive normal parts of p, proves that no percussion makes every w_N >= 0: for p' in K,
 * y . w_N = y . b_N + (W' y) . p', whose first term is negative and whose second is not positive, or so
 * little that p' would have to be 1e11 times what b and W suggest: there is no solution that rounding
 * would let anyone see. v: dim n. */
int prc_cone_infeasible(const prc_cone_problem *problem, const double *p, double *v);

/* The friction up to which the natural map is measured and iterated with; above, u_N would be lost in u_N
 * + mu |u_T|. */
#define PRC_CONE_COUPLED_MOST 2.0

static inline double prc_cone_dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* |x_T| of a local vector */
static inline double prc_cone_tangential(int dim, const double *x) {
  return dim == 1 ? 0.0 : dim == 2 ? fabs(x[1]) : sqrt(prc_cone_dot(dim - 1, x + 1, x + 1));
}

#endif
