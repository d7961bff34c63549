#include "config.h"
#include "cone/solvers/newton.h"

#include <math.h>
#include <string.h>

/* Up to this many rows, or when a third of the blocks are there, the dense factorisation is the fastest. */
#define DENSE_ROWS  45
#define DENSE_SHARE 0.3
/* From this many products of blocks on, UMFPACK's dense kernels win. */
#define MUCH_WORK 5e6

void prc_cone_system_free(prc_cone_system *g) {
  double **vectors[] = {&g->W,   &g->b, &g->scale,     &g->A,       &g->B, &g->J,
                        &g->rhs, &g->x, &g->remainder, &g->J_dense, &g->Jx};
  int **lists[] = {&g->row_start, &g->column, &g->pivots, &g->Jp, &g->Ji, &g->index};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  prc_delete(&g->open);
  prc_delete(&g->open_before);
  prc_lu_free(&g->lu);
  prc_cone_newton_whole_free(&g->whole);
  prc_cone_newton_runs_free(&g->runs);
  prc_block_lu_free(&g->blocks);
}

static prc_status create_sparse(const prc_cone_sizes *sizes, prc_cone_system *g, prc_error *err) {
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

prc_status prc_cone_system_create(const prc_cone_sizes *sizes, prc_cone_system *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)sizes->n_max, dim = (size_t)sizes->dim, rows = dim * n, size = dim * dim;
  const size_t entries = sizes->n_blocks * size;
  g->dim = sizes->dim;
  g->dense = sizes->whole || sizes->factored
                 ? 0
                 : !sizes->sparse || rows <= DENSE_ROWS
                       || (double)entries > DENSE_SHARE * (double)rows * (double)rows;
  prc_try(prc_new(&g->row_start, n + 1, err));
  prc_try(prc_new(&g->column, sizes->n_blocks, err));
  prc_try(prc_new(&g->W, entries, err));
  prc_try(prc_new(&g->J, entries, err));
  prc_try(prc_new(&g->A, size * n, err));
  prc_try(prc_new(&g->B, size * n, err));
  prc_try(prc_new(&g->open, n, err));
  prc_try(prc_new(&g->b, rows, err));
  prc_try(prc_new(&g->scale, n, err));
  prc_try(prc_new(&g->rhs, rows, err));
  prc_try(prc_new(&g->x, rows, err));
  prc_try(prc_new(&g->remainder, rows, err));
  prc_try(prc_new(&g->J_dense, g->dense ? rows * rows : 0, err));
  prc_try(prc_new(&g->pivots, rows, err));
  if (sizes->whole)
    prc_try(prc_cone_newton_whole_create(sizes->whole, sizes->dim, sizes->n_max, &g->whole, err));
  else if (sizes->factored)
    prc_try(prc_cone_newton_runs_create(sizes, &g->runs, err));
  else if (!g->dense)
    prc_try(create_sparse(sizes, g, err));
done:
  return status; /* the caller frees what was made */
}

/* ---- scaling -------------------------------------------------------------------------------- */

/* W as it stands, by blocks. */
static void copy_blocks(prc_cone_system *g, const prc_cone_problem *problem) {
  const int n = problem->n, dim = g->dim, size = dim * dim;
  const prc_cone_blocks *W = problem->blocks;
  memcpy(g->row_start, W->row_start, ((size_t)n + 1) * sizeof *g->row_start);
  memcpy(g->column, W->column, (size_t)W->row_start[n] * sizeof *g->column);
  memcpy(g->W, W->values, (size_t)W->row_start[n] * (size_t)size * sizeof *g->W);
}

/* A dense W, cut into blocks. */
static void cut_blocks(prc_cone_system *g, const prc_cone_problem *problem) {
  const int n = problem->n, dim = g->dim;
  const size_t rows = (size_t)dim * (size_t)n;
  double *to = g->W;
  for (int c = 0; c < n; c++) {
    g->row_start[c + 1] = (c + 1) * n;
    for (int j = 0; j < n; j++) {
      g->column[c * n + j] = j;
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++)
          *to++ = problem->W[(size_t)(dim * c + r) * rows + (size_t)(dim * j + d)];
    }
  }
  g->row_start[0] = 0;
}

/* Nothing to copy: the matrices are used where they are. */
static void set_scale(prc_cone_system *g, const prc_cone_problem *problem, double mean) {
  for (int c = 0; c < g->n; c++) {
    const double diagonal =
        problem->whole ? problem->whole->diagonal[g->dim * c] : prc_cone_diagonal(problem, g->dim * c);
    g->scale[c] = 1.0 / sqrt(diagonal > 1e-6 * mean ? diagonal : mean);
  }
  for (int i = 0; i < g->dim * g->n; i++) g->b[i] = problem->b[i] * g->scale[i / g->dim];
}

prc_status prc_cone_system_set(prc_cone_system *g, const prc_cone_problem *problem) {
  const int n = problem->n, dim = g->dim, size = dim * dim;
  const double mean = 1.0 / prc_cone_rho(problem);
  g->n = n, g->mu = problem->mu, g->problem = problem->whole;
  g->rubs = problem->friction ? problem : NULL;
  g->factored = PRC_CONE_NOTHING, g->analysed = 0;
  if (problem->whole || problem->factors) {
    set_scale(g, problem, mean);
    return problem->factors ? prc_cone_newton_runs_set(g->runs, problem, g->scale) : PRC_OK;
  }
  if (problem->blocks)
    copy_blocks(g, problem);
  else
    cut_blocks(g, problem);
  for (int c = 0; c < n; c++)
    for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++) {
      const double diagonal = g->W[(size_t)k * (size_t)size];
      if (g->column[k] == c) g->scale[c] = 1.0 / sqrt(diagonal > 1e-6 * mean ? diagonal : mean);
    }
  for (int c = 0; c < n; c++)
    for (int k = g->row_start[c]; k < g->row_start[c + 1]; k++)
      for (int i = 0; i < size; i++)
        g->W[(size_t)k * (size_t)size + (size_t)i] *= g->scale[c] * g->scale[g->column[k]];
  for (int i = 0; i < dim * n; i++) g->b[i] = problem->b[i] * g->scale[i / dim];
  return g->dense ? PRC_OK : prc_block_lu_analyze(g->blocks, n, g->row_start, g->column, NULL);
}

/* ---- products ------------------------------------------------------------------------------- */

static void multiply(const prc_cone_system *g, const double *A, const double *x, double *y) {
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

void prc_cone_system_multiply(const prc_cone_system *g, const double *x, double *y) {
  const int rows = g->dim * g->n;
  if (g->runs) {
    prc_cone_newton_runs_multiply(g->runs, x, y);
    return;
  }
  if (!g->problem) {
    multiply(g, g->W, x, y);
    return;
  }
  for (int i = 0; i < rows; i++) g->x[i] = g->scale[i / g->dim] * x[i];
  prc_cone_whole_multiply(g->problem, rows, g->x, y);
  for (int i = 0; i < rows; i++) y[i] *= g->scale[i / g->dim];
}

/* ---- Newton's system ------------------------------------------------------------------------ */

/* J, and the right-hand side -F, to which the known steps -F = -p of open contacts contribute. */
static void assemble(prc_cone_system *g, double alpha, const double *F) {
  const int dim = g->dim, size = dim * dim;
  for (int i = 0; i < dim * g->n; i++) g->rhs[i] = -F[i];
  for (int c = 0; c < g->n; c++) {
    const double *A = g->A + size * c, *B = g->B + size * c;
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
      for (int i = 0; i < size && other == c; i++) J[i] += A[i] + alpha * B[i];
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
static int solve_dense(prc_cone_system *g) {
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
static double defect(prc_cone_system *g) {
  double sum = 0.0, scale = 0.0;
  multiply(g, g->J, g->x, g->remainder);
  for (int i = 0; i < g->dim * g->n; i++) {
    g->remainder[i] = g->rhs[i] - g->remainder[i];
    sum += g->remainder[i] * g->remainder[i];
    scale += g->rhs[i] * g->rhs[i];
  }
  return scale > 0.0 ? sqrt(sum / scale) : 0.0;
}

/* By blocks, with one refinement where that is needed; pivots are not chosen freely, so the defect
 * decides. */
static int solve_blocks(prc_cone_system *g) {
  const int rows = g->dim * g->n;
  if (g->factored != PRC_CONE_BLOCKS && prc_block_lu_factor(g->blocks, g->J) != PRC_OK) return 0;
  g->factored = PRC_CONE_BLOCKS;
  memcpy(g->x, g->rhs, (size_t)rows * sizeof *g->x);
  prc_block_lu_solve(g->blocks, g->x);
  if (defect(g) < 1e-10) return 1;
  prc_block_lu_solve(g->blocks, g->remainder);
  for (int i = 0; i < rows; i++) g->x[i] += g->remainder[i];
  return defect(g) < 1e-6;
}

/* Jp, Ji, Jx: the rows and columns of contacts that are not open; returns how many. */
static int reduce(prc_cone_system *g) {
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
static int solve_scalar(prc_cone_system *g) {
  const int dim = g->dim;
  int n = 0;
  if (g->factored != PRC_CONE_REDUCED) {
    const size_t contacts = (size_t)g->n;
    const int same = g->analysed && memcmp(g->open, g->open_before, contacts) == 0;
    n = reduce(g), g->analysed = 0;
    if (n > 0 && prc_lu_factor(g->lu, n, g->Jp, g->Ji, g->Jx, same) != PRC_OK) return 0;
    memcpy(g->open_before, g->open, contacts);
    g->factored = PRC_CONE_REDUCED, g->analysed = n > 0;
  }
  n = 0;
  for (int c = 0; c < g->n; c++)
    for (int r = 0; r < dim && !g->open[c]; r++) g->x[n++] = g->rhs[dim * c + r];
  if (n > 0) prc_lu_solve(g->lu, g->x);
  for (int c = g->n - 1; c >= 0; c--)
    for (int r = dim - 1; r >= 0; r--) g->x[dim * c + r] = g->open[c] ? g->rhs[dim * c + r] : g->x[--n];
  return 1;
}

static int copy_step(const prc_cone_system *g, double *step) {
  for (int i = 0; i < g->dim * g->n; i++) {
    if (!isfinite(g->x[i])) return 0;
    step[i] = g->x[i];
  }
  return 1;
}

int prc_cone_system_step(prc_cone_system *g, double alpha, const double *F, double *step) {
  g->factored = PRC_CONE_NOTHING;
  if (g->runs) {
    if (!prc_cone_newton_runs_step(g->runs, g->A, g->B, alpha, F, g->x)) return 0;
    return copy_step(g, step);
  }
  if (g->whole) {
    if (!prc_cone_newton_whole_step(g->whole, g->dim, g->n, g->scale, g->A, g->B, alpha, F, g->x)) return 0;
  } else {
    assemble(g, alpha, F);
  }
  if (!g->whole && (g->dense ? !solve_dense(g) : !solve_blocks(g) && !solve_scalar(g))) return 0;
  return copy_step(g, step);
}

int prc_cone_system_step_again(prc_cone_system *g, double alpha, const double *F, double *step) {
  if (g->factored == PRC_CONE_NOTHING) return prc_cone_system_step(g, alpha, F, step);
  for (int i = 0; i < g->dim * g->n; i++) g->rhs[i] = -F[i];
  if (!(g->factored == PRC_CONE_BLOCKS && solve_blocks(g)) && !solve_scalar(g)) return 0;
  return copy_step(g, step);
}
