#include "config.h"
#include "cone/operators/internal.h"
#include "cone/problem/local.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* W by rows of blocks, dim^2 numbers each: blocks row_start[c] .. row_start[c + 1] of row c, their columns ascending, the diagonal one
 * always among them. It need not be symmetric. */

static const double *at(const prc_cone_problem *problem, int k) {
  return problem->blocks->values + (size_t)k * (size_t)problem->dim * (size_t)problem->dim;
}

static prc_status check_pattern(const prc_cone_problem *problem, prc_error *err) {
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

static prc_status check(const prc_cone_problem *problem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  if (problem->n > 0 && !W->values) return prc_fail(err, PRC_INPUT, "the blocks of W have no values");
  prc_try(check_pattern(problem, err));
  for (int c = 0; c < problem->n; c++)
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++)
      for (int i = 0; i < dim * dim; i++)
        if (!isfinite(at(problem, k)[i]))
          return prc_fail(err, PRC_INPUT, "W(%d, %d) is %g, expected a finite number", dim * c + i / dim,
                          dim * W->column[k] + i % dim, at(problem, k)[i]);
done:
  return status;
}

static void size(const prc_cone_problem *problem, prc_cone_sizes *sizes) {
  sizes->n_blocks = (size_t)problem->blocks->row_start[problem->n];
}

/* ---- products ------------------------------------------------------------------------------- */

/* w_c += sum_j W_cj p_j, j ascending */
static void multiply(const prc_cone_problem *problem, const double *p, double *w) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++) {
    double sum[PRC_CONE_DIM_MOST];
    for (int r = 0; r < dim; r++) sum[r] = w[dim * c + r];
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
      const double *block = at(problem, k), *x = p + dim * W->column[k];
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) sum[r] += block[dim * r + d] * x[d];
    }
    for (int r = 0; r < dim; r++) w[dim * c + r] = sum[r];
  }
}

/* w_j := sum_c W_cj' p_c, p_i = 0 left out */
static void multiply_transposed(const prc_cone_problem *problem, const double *p, double *w) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  for (int i = 0; i < dim * problem->n; i++) w[i] = 0.0;
  for (int i = 0; i < dim * problem->n; i++)
    for (int k = W->row_start[i / dim]; k < W->row_start[i / dim + 1] && p[i] != 0.0; k++)
      for (int d = 0; d < dim; d++) w[dim * W->column[k] + d] += p[i] * at(problem, k)[i % dim * dim + d];
}

/* ---- W itself ------------------------------------------------------------------------------- */

int prc_cone_find_block(const prc_cone_blocks *W, int row, int column) {
  int low = W->row_start[row], high = W->row_start[row + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (W->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low == high && W->column[low] == column ? low : -1;
}

static const double *diagonal_block(const prc_cone_problem *problem, int c) {
  const int k = prc_cone_find_block(problem->blocks, c, c);
  assert(k >= 0); /* every row has its diagonal block */
  return at(problem, k);
}

static void block(const prc_cone_problem *problem, int c, double *out) {
  memcpy(out, diagonal_block(problem, c), (size_t)problem->dim * (size_t)problem->dim * sizeof *out);
}

static double diagonal(const prc_cone_problem *problem, int i) {
  return diagonal_block(problem, i / problem->dim)[i % problem->dim * (problem->dim + 1)];
}

static void row(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  const prc_cone_blocks *W = problem->blocks;
  for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) take(taker, W->column[k], at(problem, k));
}

/* Each block against the one across the diagonal, zeros where there is none. */
static double asymmetry(const prc_cone_problem *problem) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  double largest = 0.0, difference = 0.0;
  for (int c = 0; c < problem->n; c++)
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
      const int across = prc_cone_find_block(W, W->column[k], c);
      for (int i = 0; i < dim * dim; i++) {
        const double here = at(problem, k)[i],
                     other = across < 0 ? 0.0 : at(problem, across)[i % dim * dim + i / dim];
        largest = fmax(largest, fabs(here));
        difference = fmax(difference, fabs(here - other));
      }
    }
  return largest > 0.0 ? difference / largest : 0.0;
}

static void couple(const prc_cone_problem *problem, int *room, int *parent, prc_cone_unite *unite) {
  const prc_cone_blocks *W = problem->blocks;
  (void)room;
  for (int c = 0; c < problem->n; c++)
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) unite(parent, c, W->column[k]);
}

/* ---- sweeps --------------------------------------------------------------------------------- */

/* Nothing is carried along: w of a contact is computed from its row when it is needed. */
static prc_status no_work(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  (void)sizes, (void)work, (void)err;
  return PRC_OK;
}

static void free_nothing(void **work) {
  (void)work;
}

static void begin(void *work, const prc_cone_problem *problem, const double *p, double *w) {
  (void)work, (void)problem, (void)p, (void)w;
}

/* q := b_c + sum_j W_cj p_j, j not c; returns W_cc */
static const double *row_without_diagonal(const prc_cone_problem *problem, int c, const double *p,
                                          double *q) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  const double *diagonal = NULL;
  for (int r = 0; r < dim; r++) q[r] = problem->b[dim * c + r];
  for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
    const double *A = at(problem, k), *x = p + dim * W->column[k];
    if (W->column[k] == c) {
      diagonal = A;
    } else if (dim == 2) {
      q[0] += A[0] * x[0] + A[1] * x[1];
      q[1] += A[2] * x[0] + A[3] * x[1];
    } else if (dim == 3) {
      q[0] += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
      q[1] += A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
      q[2] += A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
    } else {
      for (int r = 0; r < dim; r++) q[r] += prc_cone_dot(dim, A + dim * r, x);
    }
  }
  return diagonal;
}

/* For each contact: p_c := the solution of w_c = W_cc p_c + q. */
static void sweep(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                  double *w, double *change) {
  const int dim = problem->dim;
  (void)work, (void)w;
  for (int k = 0; k < sweep->n; k++) {
    const int c = sweep->list[k];
    double *moved = change + sweep->island[c];
    double q[PRC_CONE_DIM_MOST] = {0.0}, next[PRC_CONE_DIM_MOST], *here = p + dim * c;
    const double *W = row_without_diagonal(problem, c, p, q);
    assert(W); /* every row has its diagonal block */
    for (int r = 0; r < dim; r++) next[r] = here[r];
    const double mu = prc_cone_local_of(dim, problem, c, W, q, next);
    prc_cone_relax(dim, mu, sweep->relaxation, here, next);
    for (int r = 0; r < dim; r++) {
      *moved += (next[r] - here[r]) * (next[r] - here[r]);
      here[r] = next[r];
    }
  }
}

static const prc_cone_sweeper sweeper = {
    .create = no_work, .free = free_nothing, .begin = begin, .sweep = sweep};

const prc_cone_operator prc_cone_by_blocks = {
    .name = "by blocks",
    .check = check,
    .check_pattern = check_pattern,
    .size = size,
    .multiply = multiply,
    .multiply_transposed = multiply_transposed,
    .block = block,
    .diagonal = diagonal,
    .row = row,
    .forms = 1,
    .asymmetry = asymmetry,
    .couple = couple,
    .sweeper = &sweeper,
    .cost = PRC_CONE_COSTS_BLOCKS,
};
