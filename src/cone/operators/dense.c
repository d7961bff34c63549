#include "config.h"
#include "cone/operators/internal.h"
#include "cone/problem/local.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* W as a dense matrix, (dim n)^2 numbers by rows. It need not be symmetric. */

static size_t rows_of(const prc_cone_problem *problem) {
  return (size_t)problem->dim * (size_t)problem->n;
}

static prc_status check(const prc_cone_problem *problem, prc_error *err) {
  const size_t n = rows_of(problem);
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

/* ---- products ------------------------------------------------------------------------------- */

/* w_i += sum_j W_ij p_j, j ascending. Four sums side by side, none of which waits for the others. */
static void multiply(const prc_cone_problem *problem, const double *p, double *w) {
  const int n = problem->dim * problem->n;
  int first = 0;
  for (; first + 4 <= n; first += 4) {
    const double *r0 = problem->W + (size_t)first * (size_t)n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    double s0 = w[first], s1 = w[first + 1], s2 = w[first + 2], s3 = w[first + 3];
    for (int j = 0; j < n; j++) {
      s0 += r0[j] * p[j], s1 += r1[j] * p[j];
      s2 += r2[j] * p[j], s3 += r3[j] * p[j];
    }
    w[first] = s0, w[first + 1] = s1, w[first + 2] = s2, w[first + 3] = s3;
  }
  for (int i = first; i < n; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double sum = w[i];
    for (int j = 0; j < n; j++) sum += row[j] * p[j];
    w[i] = sum;
  }
}

/* The same by the BLAS, which sums as it likes. */
static void multiply_fast(const prc_cone_problem *problem, const double *p, double *w) {
  const int n = problem->dim * problem->n;
  prc_dense_multiply_add(n, n, 1.0, problem->W, p, w);
}

/* w := sum_i p_i (row i of W), p_i = 0 left out */
static void multiply_transposed(const prc_cone_problem *problem, const double *p, double *w) {
  const size_t n = rows_of(problem);
  for (size_t i = 0; i < n; i++) w[i] = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *row = problem->W + i * n;
    if (p[i] == 0.0) continue;
    for (size_t j = 0; j < n; j++) w[j] += p[i] * row[j];
  }
}

/* ---- W itself ------------------------------------------------------------------------------- */

static void copy_block(const prc_cone_problem *problem, int c, int column, double *block) {
  const size_t n = rows_of(problem), dim = (size_t)problem->dim;
  const double *from = problem->W + dim * (size_t)c * n + dim * (size_t)column;
  for (size_t r = 0; r < dim; r++, from += n)
    for (size_t d = 0; d < dim; d++) *block++ = from[d];
}

static void block(const prc_cone_problem *problem, int c, double *out) {
  copy_block(problem, c, c, out);
}

static double diagonal(const prc_cone_problem *problem, int i) {
  return problem->W[(size_t)i * (rows_of(problem) + 1)];
}

static void row(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  double block[PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST];
  for (int j = 0; j < problem->n; j++) {
    copy_block(problem, c, j, block);
    take(taker, j, block);
  }
}

static const double *dense(const prc_cone_problem *problem) {
  return problem->W;
}

static double asymmetry(const prc_cone_problem *problem) {
  const size_t n = rows_of(problem);
  double largest = 0.0, difference = 0.0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      const double a = problem->W[i * n + j], at = problem->W[j * n + i];
      largest = fmax(largest, fmax(fabs(a), fabs(at)));
      difference = fmax(difference, fabs(a - at));
    }
  return largest > 0.0 ? difference / largest : 0.0;
}

/* ---- sweeps --------------------------------------------------------------------------------- */

/* w = W p + b is carried along by columns of W: a contact whose p does not change costs nothing beside its local problem. */
typedef struct {
  double *transposed; /* (dim n_max)^2: W by columns, where it is not symmetric to the last bit */
} carrying;

static void columns_free(void **work) {
  carrying *g = *work;
  if (!g) return;
  prc_delete(&g->transposed);
  prc_delete(work);
}

static prc_status columns_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t rows = (size_t)sizes->dim * (size_t)sizes->n_max;
  carrying *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->transposed, rows * rows, err));
done:
  if (status != PRC_OK) columns_free(work);
  return status;
}

static void begin(void *work, const prc_cone_problem *problem, const double *p, double *w) {
  const carrying *g = work;
  const size_t rows = rows_of(problem);
  for (size_t i = 0; i < rows && !problem->symmetric; i++)
    for (size_t j = 0; j < rows; j++) g->transposed[j * rows + i] = problem->W[i * rows + j];
  prc_cone_velocity(problem, p, w);
}

/* w += (dim columns of W) d. One expression a row, which the compiler makes vectors of. */
PRC_CONE_INLINE void add_columns(const int dim, size_t rows, const double *restrict column, const double *d,
                                 double *restrict w) {
  const double *c1 = column + rows, *c2 = c1 + rows, *c3 = c2 + rows;
  if (dim == 1)
    for (size_t i = 0; i < rows; i++) w[i] += column[i] * d[0];
  else if (dim == 2)
    for (size_t i = 0; i < rows; i++) w[i] += column[i] * d[0] + c1[i] * d[1];
  else if (dim == 3)
    for (size_t i = 0; i < rows; i++) w[i] += column[i] * d[0] + c1[i] * d[1] + c2[i] * d[2];
  else
    for (size_t i = 0; i < rows; i++) w[i] += column[i] * d[0] + c1[i] * d[1] + c2[i] * d[2] + c3[i] * d[3];
}

/* For each contact: q := w_c - W_cc p_c, p_c := the solution of w_c = W_cc p_c + q, w += (columns of c) (change of p_c). Returns the sum
 * of |change of p_c|^2. */
PRC_CONE_INLINE double sweep_columns(const int dim, const prc_cone_problem *problem,
                                     const prc_cone_sweep *sweep, const double *columns, double *restrict p,
                                     double *restrict w) {
  const size_t rows = (size_t)dim * (size_t)problem->n;
  double change = 0.0;
  for (int k = 0; k < sweep->n; k++) {
    const size_t first = (size_t)dim * (size_t)sweep->list[k];
    const double *restrict column = columns + first * rows;
    double W[PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST], q[PRC_CONE_DIM_MOST], next[PRC_CONE_DIM_MOST],
        d[PRC_CONE_DIM_MOST] = {0.0}, d2 = 0.0;
    for (int r = 0; r < dim; r++) {
      next[r] = p[first + (size_t)r], q[r] = w[first + (size_t)r];
      for (int j = 0; j < dim; j++) {
        W[dim * r + j] = column[(size_t)j * rows + first + (size_t)r];
        q[r] -= W[dim * r + j] * p[first + (size_t)j];
      }
    }
    const double mu = prc_cone_local_of(dim, problem, sweep->list[k], W, q, next);
    prc_cone_relax(dim, mu, sweep->relaxation, p + first, next);
    for (int r = 0; r < dim; r++) {
      d[r] = next[r] - p[first + (size_t)r], p[first + (size_t)r] = next[r];
      d2 += d[r] * d[r];
    }
    if (d2 == 0.0) continue;
    add_columns(dim, rows, column, d, w);
    change += d2;
  }
  return change;
}

static void sweep(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                  double *w, double *change) {
  const carrying *g = work;
  const double *columns = problem->symmetric ? problem->W : g->transposed;
  switch (problem->dim) {
  case 1:
    *change += sweep_columns(1, problem, sweep, columns, p, w);
    break;
  case 2:
    *change += sweep_columns(2, problem, sweep, columns, p, w);
    break;
  case 3:
    *change += sweep_columns(3, problem, sweep, columns, p, w);
    break;
  default:
    *change += sweep_columns(4, problem, sweep, columns, p, w);
  }
}

static const prc_cone_sweeper sweeper = {
    .create = columns_create, .free = columns_free, .begin = begin, .sweep = sweep};

const prc_cone_operator prc_cone_dense = {
    .name = "dense",
    .check = check,
    .multiply = multiply,
    .multiply_fast = multiply_fast,
    .multiply_transposed = multiply_transposed,
    .block = block,
    .diagonal = diagonal,
    .row = row,
    .forms = 1,
    .dense = dense,
    .asymmetry = asymmetry,
    .sweeper = &sweeper,
    .cost = PRC_CONE_COSTS_FULL,
};
