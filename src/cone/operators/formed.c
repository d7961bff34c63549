#include "config.h"
#include "cone/operators/internal.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Newton's matrix J = A + B (W' + alpha), W' = S W S, assembled from the rows of W by its blocks:
 *
 *   J_cj = B_c W'_cj + (A_c + alpha B_c if j = c).
 *
 * Rows of open contacts are the identity; their known steps -F go to the right-hand side, so that their columns are zero. One of three
 * factorisations: dense, by blocks, or UMFPACK's where that one fails. */

/* Up to this many rows, or when a third of the blocks are there, the dense factorisation is the fastest. */
#define DENSE_ROWS  45
#define DENSE_SHARE 0.3
/* From this many products of blocks on, UMFPACK's dense kernels win. */
#define MUCH_WORK 5e6

typedef enum { NOTHING, BLOCKS, REDUCED } factored; /* of a sparse system: what serves again */

typedef struct {
  int dim, n;
  int *row_start, *column;     /* W' by blocks, also where W is dense */
  double *W, *J;               /* J by the blocks of W' */
  double *rhs, *x, *remainder; /* dim n */
  const char *open;            /* of the step: n */
  char *open_before;           /* n: those of the system that UMFPACK has analysed */
  factored factored;
  int analysed; /* that of open_before is */
  int dense;
  double *J_dense;
  int *pivots;
  prc_block_lu *blocks;
  prc_lu *lu;
  int *Jp, *Ji, *index;
  double *Jx;
} assembled;

static void assembled_free(void **work) {
  assembled *g = *work;
  if (!g) return;
  double **vectors[] = {&g->W, &g->J, &g->rhs, &g->x, &g->remainder, &g->J_dense, &g->Jx};
  int **lists[] = {&g->row_start, &g->column, &g->pivots, &g->Jp, &g->Ji, &g->index};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  prc_delete(&g->open_before);
  prc_lu_free(&g->lu);
  prc_block_lu_free(&g->blocks);
  prc_delete(work);
}

static prc_status create_sparse(const prc_cone_sizes *sizes, assembled *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t rows = (size_t)sizes->dim * (size_t)sizes->n_max;
  const size_t entries = sizes->n_blocks * (size_t)sizes->dim * (size_t)sizes->dim;
  prc_try(prc_new(&g->Jp, rows + 1, err));
  prc_try(prc_new(&g->Ji, entries, err));
  prc_try(prc_new(&g->Jx, entries, err));
  prc_try(prc_new(&g->index, sizes->n_max, err));
  prc_try(prc_new(&g->open_before, sizes->n_max, err));
  prc_try(prc_lu_create(&(prc_lu_options){.n_max = (int)rows, .symmetric = 1, .refine = 1}, &g->lu, err));
  prc_try(prc_block_lu_create(sizes->dim, &g->blocks, err));
  prc_block_lu_limit(g->blocks, MUCH_WORK);
done:
  return status;
}

/* sizes->W->dense: its systems are dense too. */
static prc_status assembled_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)sizes->n_max, dim = (size_t)sizes->dim, rows = dim * n;
  const size_t entries = sizes->n_blocks * dim * dim;
  assembled *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  g->dim = sizes->dim;
  g->dense = sizes->W->dense != NULL || rows <= DENSE_ROWS
             || (double)entries > DENSE_SHARE * (double)rows * (double)rows;
  prc_try(prc_new(&g->row_start, n + 1, err));
  prc_try(prc_new(&g->column, sizes->n_blocks, err));
  prc_try(prc_new(&g->W, entries, err));
  prc_try(prc_new(&g->J, entries, err));
  prc_try(prc_new(&g->rhs, rows, err));
  prc_try(prc_new(&g->x, rows, err));
  prc_try(prc_new(&g->remainder, rows, err));
  prc_try(prc_new(&g->J_dense, g->dense ? rows * rows : 0, err));
  prc_try(prc_new(&g->pivots, rows, err));
  if (!g->dense) prc_try(create_sparse(sizes, g, err));
done:
  if (status != PRC_OK) assembled_free(work);
  return status;
}

/* ---- W' ------------------------------------------------------------------------------------- */

/* W'_cj = s_c s_j W_cj */
static prc_status set(void *work, const prc_cone_problem *problem, const double *scale) {
  assembled *g = work;
  const size_t size = (size_t)g->dim * (size_t)g->dim;
  g->n = problem->n, g->factored = NOTHING, g->analysed = 0;
  prc_cone_copy_blocks(problem, &(prc_cone_blocks){g->row_start, g->column, g->W});
  for (int c = 0; c < g->n; c++)
    for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++)
      for (size_t i = 0; i < size; i++) g->W[(size_t)k * size + i] *= scale[c] * scale[g->column[k]];
  return g->dense ? PRC_OK : prc_block_lu_analyze(g->blocks, g->n, g->row_start, g->column, NULL);
}

/* ---- products ------------------------------------------------------------------------------- */

static void multiply_blocks(const assembled *g, const double *A, const double *x, double *y) {
  const int dim = g->dim;
  int k = 0;
  if (dim == 2)
    for (int c = 0; c < g->n; c++, y += 2) {
      y[0] = y[1] = 0.0;
      for (; k < g->row_start[c + 1]; k++, A += 4) {
        const double *v = x + 2 * g->column[k];
        y[0] += A[0] * v[0] + A[1] * v[1];
        y[1] += A[2] * v[0] + A[3] * v[1];
      }
    }
  else if (dim == 3)
    for (int c = 0; c < g->n; c++, y += 3) {
      y[0] = y[1] = y[2] = 0.0;
      for (; k < g->row_start[c + 1]; k++, A += 9) {
        const double *v = x + 3 * g->column[k];
        y[0] += A[0] * v[0] + A[1] * v[1] + A[2] * v[2];
        y[1] += A[3] * v[0] + A[4] * v[1] + A[5] * v[2];
        y[2] += A[6] * v[0] + A[7] * v[1] + A[8] * v[2];
      }
    }
  else
    for (int c = 0; c < g->n; c++, y += dim) {
      for (int r = 0; r < dim; r++) y[r] = 0.0;
      for (; k < g->row_start[c + 1]; k++, A += dim * dim)
        for (int r = 0; r < dim; r++) y[r] += prc_cone_dot(dim, A + dim * r, x + dim * g->column[k]);
    }
}

/* ---- Newton's system ------------------------------------------------------------------------ */

/* J, and the right-hand side -F, to which the known steps -F = -p of open contacts contribute. */
static void assemble(assembled *g, const prc_cone_jacobian *at, const double *F) {
  const int dim = g->dim, size = dim * dim;
  for (int i = 0; i < dim * g->n; i++) g->rhs[i] = -F[i];
  for (int c = 0; c < g->n; c++) {
    const double *A = at->A + size * c, *B = at->B + size * c;
    for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++) {
      const double *W = g->W + (size_t)k * (size_t)size;
      const int other = g->column[k];
      double *J = g->J + (size_t)k * (size_t)size;
      if (g->open[c]) {
        for (int i = 0; i < size; i++) J[i] = other == c ? A[i] : 0.0;
        continue;
      }
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) {
          double sum = B[dim * r] * W[d];
          for (int j = 1; j < dim; j++) sum += B[dim * r + j] * W[dim * j + d];
          J[dim * r + d] = sum;
        }
      for (int i = 0; i < size && other == c; i++) J[i] += A[i] + at->alpha * B[i];
      if (!g->open[other]) continue;
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) {
          g->rhs[dim * c + r] += J[dim * r + d] * F[dim * other + d];
          J[dim * r + d] = 0.0;
        }
    }
  }
}

/* The rows and columns of contacts that are not open, dense. */
static int solve_dense(assembled *g) {
  const int dim = g->dim, size = dim * dim;
  int n = 0;
  for (int c = 0; c < g->n; c++)
    if (!g->open[c])
      for (int r = 0; r < dim; r++) g->pivots[dim * c + r] = n++; /* first the place of each row */
  memset(g->J_dense, 0, (size_t)n * (size_t)n * sizeof *g->J_dense);
  for (int c = 0; c < g->n; c++)
    for (int k = g->row_start[c]; k < g->row_start[c + 1] && !g->open[c]; k++) {
      const int other = g->column[k];
      for (int i = 0; i < size && !g->open[other]; i++)
        g->J_dense[(size_t)g->pivots[dim * c + i / dim] * (size_t)n
                   + (size_t)g->pivots[dim * other + i % dim]] = g->J[(size_t)k * (size_t)size + (size_t)i];
    }
  n = 0;
  for (int c = 0; c < g->n; c++)
    for (int r = 0; r < dim && !g->open[c]; r++) g->x[n++] = g->rhs[dim * c + r];
  if (prc_dense_solve(n, g->J_dense, g->pivots, g->x) != PRC_OK) return 0;
  for (int c = g->n - 1; c >= 0; c--)
    for (int r = dim - 1; r >= 0; r--) g->x[dim * c + r] = g->open[c] ? g->rhs[dim * c + r] : g->x[--n];
  return 1;
}

/* |rhs - J x| / |rhs|, the difference in `remainder` */
static double defect(assembled *g) {
  double sum = 0.0, scale = 0.0;
  multiply_blocks(g, g->J, g->x, g->remainder);
  for (int i = 0; i < g->dim * g->n; i++) {
    g->remainder[i] = g->rhs[i] - g->remainder[i];
    sum += g->remainder[i] * g->remainder[i];
    scale += g->rhs[i] * g->rhs[i];
  }
  return scale > 0.0 ? sqrt(sum / scale) : 0.0;
}

/* By blocks, with one refinement where that is needed; pivots are not chosen freely, so the defect
 * decides. */
static int solve_blocks(assembled *g) {
  const int rows = g->dim * g->n;
  if (g->factored != BLOCKS && prc_block_lu_factor(g->blocks, g->J) != PRC_OK) return 0;
  g->factored = BLOCKS;
  memcpy(g->x, g->rhs, (size_t)rows * sizeof *g->x);
  prc_block_lu_solve(g->blocks, g->x);
  if (defect(g) < 1e-10) return 1;
  prc_block_lu_solve(g->blocks, g->remainder);
  for (int i = 0; i < rows; i++) g->x[i] += g->remainder[i];
  return defect(g) < 1e-6;
}

/* Jp, Ji, Jx: the rows and columns of contacts that are not open; returns how many. */
static int reduce(assembled *g) {
  const int dim = g->dim, size = dim * dim;
  int n = 0, e = 0;
  for (int c = 0; c < g->n; c++)
    if (!g->open[c]) g->index[c] = n, n += dim;
  for (int c = 0; c < g->n; c++)
    for (int r = 0; r < dim && !g->open[c]; r++) {
      g->Jp[g->index[c] + r] = e;
      for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++)
        for (int d = 0; d < dim && !g->open[g->column[k]]; d++, e++) {
          g->Ji[e] = g->index[g->column[k]] + d;
          g->Jx[e] = g->J[(size_t)k * (size_t)size + (size_t)(dim * r + d)];
        }
    }
  g->Jp[n] = e;
  return n;
}

/* The same reduced system by UMFPACK, whose analysis serves as long as the same contacts are open. */
static int solve_scalar(assembled *g) {
  const int dim = g->dim;
  int n = 0;
  if (g->factored != REDUCED) {
    const size_t contacts = (size_t)g->n;
    const int same = g->analysed && memcmp(g->open, g->open_before, contacts) == 0;
    n = reduce(g), g->analysed = 0;
    if (n > 0 && prc_lu_factor(g->lu, n, g->Jp, g->Ji, g->Jx, same) != PRC_OK) return 0;
    memcpy(g->open_before, g->open, contacts);
    g->factored = REDUCED, g->analysed = n > 0;
  }
  n = 0;
  for (int c = 0; c < g->n; c++)
    for (int r = 0; r < dim && !g->open[c]; r++) g->x[n++] = g->rhs[dim * c + r];
  if (n > 0) prc_lu_solve(g->lu, g->x);
  for (int c = g->n - 1; c >= 0; c--)
    for (int r = dim - 1; r >= 0; r--) g->x[dim * c + r] = g->open[c] ? g->rhs[dim * c + r] : g->x[--n];
  return 1;
}

/* ---- the row -------------------------------------------------------------------------------- */

static void multiply(void *work, const double *x, double *y) {
  const assembled *g = work;
  multiply_blocks(g, g->W, x, y);
}

static int step(void *work, const prc_cone_jacobian *at, const double *F, double *step) {
  assembled *g = work;
  g->factored = NOTHING, g->open = at->open;
  assemble(g, at, F);
  if (g->dense ? !solve_dense(g) : !solve_blocks(g) && !solve_scalar(g)) return 0;
  memcpy(step, g->x, (size_t)(g->dim * g->n) * sizeof *step);
  return 1;
}

static int step_again(void *work, const prc_cone_jacobian *at, const double *F, double *out) {
  assembled *g = work;
  if (g->factored == NOTHING) return step(work, at, F, out);
  for (int i = 0; i < g->dim * g->n; i++) g->rhs[i] = -F[i];
  if (!(g->factored == BLOCKS && solve_blocks(g)) && !solve_scalar(g)) return 0;
  memcpy(out, g->x, (size_t)(g->dim * g->n) * sizeof *out);
  return 1;
}

const prc_cone_algebra prc_cone_assembled = {
    .create = assembled_create,
    .free = assembled_free,
    .set = set,
    .multiply = multiply,
    .step = step,
    .step_again = step_again,
    .inner_steps = PRC_CONE_INNER_STEPS,
};
