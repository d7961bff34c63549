#include "config.h"
#include "cone/problem/problem.h"

#include <limits.h>
#include <string.h>

/* W of a problem by the functions of its row; what a row leaves out is made of what it has. */

enum { SIZE = PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST };

/* ---- products ------------------------------------------------------------------------------- */

void prc_cone_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  const size_t rows = (size_t)problem->dim * (size_t)problem->n;
  if (rows == 0) return;
  memcpy(w, problem->b, rows * sizeof *w);
  prc_cone_operator_of(problem)->multiply(problem, p, w);
}

void prc_cone_velocity_fast(const prc_cone_problem *problem, const double *p, double *w) {
  const size_t rows = (size_t)problem->dim * (size_t)problem->n;
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  if (rows == 0) return;
  memcpy(w, problem->b, rows * sizeof *w);
  (W->multiply_fast ? W->multiply_fast : W->multiply)(problem, p, w);
}

void prc_cone_multiply_transposed(const prc_cone_problem *problem, const double *p, double *w) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  if (W->multiply_transposed) {
    W->multiply_transposed(problem, p, w);
    return;
  }
  for (int i = 0; i < problem->dim * problem->n; i++) w[i] = 0.0;
  W->multiply(problem, p, w);
}

/* ---- the diagonal --------------------------------------------------------------------------- */

void prc_cone_block(const prc_cone_problem *problem, int c, double *block) {
  prc_cone_operator_of(problem)->block(problem, c, block);
}

double prc_cone_diagonal(const prc_cone_problem *problem, int row) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  double block[SIZE];
  if (W->diagonal) return W->diagonal(problem, row);
  W->block(problem, row / problem->dim, block);
  return block[row % problem->dim * (problem->dim + 1)];
}

double prc_cone_trace(const prc_cone_problem *problem, int c) {
  double trace = 0.0;
  for (int r = 0; r < problem->dim; r++) trace += prc_cone_diagonal(problem, problem->dim * c + r);
  return trace;
}

double prc_cone_rho(const prc_cone_problem *problem) {
  const int n = problem->dim * problem->n;
  double trace = 0.0;
  if (problem->rho > 0.0) return problem->rho;
  for (int i = 0; i < n; i++) trace += prc_cone_diagonal(problem, i);
  return trace > 0.0 ? n / trace : 1.0;
}

/* ---- W itself ------------------------------------------------------------------------------- */

/* Row c of W as a dense matrix. */
typedef struct {
  int dim;
  size_t rows; /* dim n */
  double *to;  /* row dim c */
} spreading;

static void spread(void *taker, int column, const double *block) {
  const spreading *s = taker;
  const size_t first = (size_t)s->dim * (size_t)column;
  for (int i = 0; i < s->dim * s->dim; i++)
    s->to[(size_t)(i / s->dim) * s->rows + first + (size_t)(i % s->dim)] = block[i];
}

void prc_cone_copy_dense(const prc_cone_problem *problem, double *W) {
  const prc_cone_operator *from = prc_cone_operator_of(problem);
  const size_t rows = (size_t)problem->dim * (size_t)problem->n;
  if (rows == 0) return;
  if (from->dense) {
    memcpy(W, from->dense(problem), rows * rows * sizeof *W);
    return;
  }
  memset(W, 0, rows * rows * sizeof *W);
  spreading s = {.dim = problem->dim, .rows = rows, .to = W};
  for (int c = 0; c < problem->n; c++, s.to += (size_t)problem->dim * rows) from->row(problem, c, spread, &s);
}

/* Row i of W by blocks, which ends where it has come to. */
typedef struct {
  const prc_cone_blocks *to;
  int i;
  size_t size; /* dim^2 */
} appending;

static void append(void *taker, int column, const double *block) {
  const appending *a = taker;
  int *end = a->to->row_start + a->i + 1;
  a->to->column[*end] = column;
  memcpy(a->to->values + a->size * (size_t)*end, block, a->size * sizeof *block);
  ++*end;
}

void prc_cone_append_row(const prc_cone_problem *problem, int c, const prc_cone_blocks *to, int i) {
  appending a = {.to = to, .i = i, .size = (size_t)problem->dim * (size_t)problem->dim};
  if (i == 0) to->row_start[0] = 0;
  to->row_start[i + 1] = to->row_start[i];
  prc_cone_operator_of(problem)->row(problem, c, append, &a);
}

void prc_cone_copy_blocks(const prc_cone_problem *problem, const prc_cone_blocks *to) {
  to->row_start[0] = 0;
  for (int c = 0; c < problem->n; c++) prc_cone_append_row(problem, c, to, c);
}

size_t prc_cone_dense_room(const prc_cone_operator *W, size_t rows) {
  return W->dense ? 0 : rows * rows;
}

const double *prc_cone_as_dense(const prc_cone_problem *problem, double *room) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  if (W->dense) return W->dense(problem);
  prc_cone_copy_dense(problem, room);
  return room;
}

double prc_cone_asymmetry(const prc_cone_problem *problem) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  return W->asymmetry ? W->asymmetry(problem) : 0.0;
}

/* ---- what a solver is told -------------------------------------------------------------------- */

static prc_status check_sizes(int dim, int n, prc_error *err) {
  if (dim < 1 || dim > PRC_CONE_DIM_MOST)
    return prc_fail(err, PRC_INPUT, "the contact problem has dimension %d, expected 1 to %d", dim,
                    PRC_CONE_DIM_MOST);
  if (n < 0 || n > INT_MAX / PRC_CONE_DIM_MOST)
    return prc_fail(err, PRC_INPUT, "a solver of %d contacts, expected 0 to %d", n,
                    INT_MAX / PRC_CONE_DIM_MOST);
  return PRC_OK;
}

prc_cone_sizes prc_cone_sizes_of(const prc_cone_problem *problem) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  prc_cone_sizes sizes = {
      .dim = problem->dim, .n_max = problem->n, .of_speed = problem->friction != NULL, .W = W};
  if (W->size)
    W->size(problem, &sizes);
  else
    sizes.n_blocks = W->row ? (size_t)problem->n * (size_t)problem->n : 0;
  return sizes;
}

prc_status prc_cone_sizes_find(const prc_cone_problem *problem, prc_cone_sizes *sizes, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  prc_try(check_sizes(problem->dim, problem->n, err));
  if (W->check_pattern) prc_try(W->check_pattern(problem, err));
  *sizes = prc_cone_sizes_of(problem);
done:
  return status;
}
