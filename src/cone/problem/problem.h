#ifndef PRC_CONE_PROBLEM_H
#define PRC_CONE_PROBLEM_H

#include "cone/operator.h"

#include <math.h>

/* Declarations about a problem shared by the measure, the solvers and the files: its W, lengths of vectors,
 * the cone. */

/* ---- W, by its row (operator.h); what a row leaves out is made of what it has ---------------- */

/* W_cc, dim^2 by rows */
void prc_cone_block(const prc_cone_problem *problem, int c, double *block);
/* tr W_cc, sums by rows */
double prc_cone_trace(const prc_cone_problem *problem, int c);
/* w := W p + b in any order of sums, as fast as it can be; the measure uses prc_cone_velocity. */
void prc_cone_velocity_fast(const prc_cone_problem *problem, const double *p, double *w);
/* w := W' p, two arrays */
void prc_cone_multiply_transposed(const prc_cone_problem *problem, const double *p, double *w);
/* W as a dense matrix, (dim n)^2 numbers: copied; where it stands, or copied into `room`. Of rows that have `row`. */
void prc_cone_copy_dense(const prc_cone_problem *problem, double *W);
const double *prc_cone_as_dense(const prc_cone_problem *problem, double *room);
/* The room that prc_cone_as_dense needs for so many rows of W: rows^2 or 0. */
size_t prc_cone_dense_room(const prc_cone_operator *W, size_t rows);
/* W by blocks, all rows or row c alone, as row i of `to` behind the i rows that stand there. */
void prc_cone_copy_blocks(const prc_cone_problem *problem, const prc_cone_blocks *to);
void prc_cone_append_row(const prc_cone_problem *problem, int c, const prc_cone_blocks *to, int i);
/* Needs of a problem from a solver; the second refuses sizes and patterns that make no sense. */
prc_cone_sizes prc_cone_sizes_of(const prc_cone_problem *problem);
prc_status prc_cone_sizes_find(const prc_cone_problem *problem, prc_cone_sizes *sizes,
                               prc_error *err) PRC_MUST_CHECK;
/* PRC_CONE_SWEEPS, ... that the row has */
unsigned prc_cone_offers(const prc_cone_operator *W);
/* How the row sweeps and solves Newton's systems; NULL where it does not. */
const prc_cone_sweeper *prc_cone_sweeper_of(const prc_cone_operator *W);
const prc_cone_algebra *prc_cone_algebra_of(const prc_cone_operator *W);

/* w := H' v of a problem in global form */
void prc_cone_whole_velocities(const prc_cone_whole *whole, int rows, const double *v, double *w);

/* ---- sizes of vectors, the cone --------------------------------------------------------------- */

/* Squares of what lies between these neither overflow nor vanish. */
#define PRC_CONE_SMALL 1e-140
#define PRC_CONE_LARGE 1e140
/* max |x_i| */
double prc_cone_largest(int n, const double *x);
/* The power of two that brings a number near one; 1 where its square neither overflows nor vanishes. */
double prc_cone_scale_for(double largest);
/* |x|_2, also where squares would overflow or vanish */
double prc_cone_norm(int n, const double *x);

/* Whether y, zero but for normal parts that are not negative, proves that no percussion makes every w_N >= 0: for p' in K,
 * y . w_N = y . b_N + (W' y) . p', whose first term is negative and whose second is not positive, or so
 * little that p' would have to be 1e11 times what b and W suggest: there is no solution that rounding
 * would let anyone see. y: dim n, as any increment of p in, as above out; v: dim n, workspace. */
int prc_cone_infeasible(const prc_cone_problem *problem, double *y, double *v);

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
