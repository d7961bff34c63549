#include "config.h"
#include "cone/solvers/method.h"
#include "cone/solvers/islands.h"
#include "cone/problem/local.h"
#include "cone/solvers/runs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Nonsmooth Gauss-Seidel: contact after contact, the local problem is solved exactly. Where W is dense, w
 * = W p + b follows by columns of W, so that a contact which does not change costs nothing; where it is
 * sparse, a contact's w is computed from its row when it is needed, and an island of contacts that has
 * settled is not swept again until all have. */

typedef struct {
  double *w;       /* dim n_max: W p + b; carried along where W is dense */
  double *columns; /* (dim n_max)^2: W by columns, where it is dense and not known to be symmetric */
  int *order;      /* n_max: contacts in the order of the sweep */
  int n_awake;     /* of them, which the sweep takes */
  prc_cone_islands islands;
  double *small2, *change; /* of each island: |change of p|^2 at which it rests; that of the sweep */
  prc_cone_runs runs;      /* where W is G G' */
} work_sweeps;

static void gauss_seidel_free(void **work) {
  work_sweeps *g = *work;
  if (!g) return;
  prc_delete(&g->w);
  prc_delete(&g->columns);
  prc_delete(&g->order);
  prc_cone_islands_free(&g->islands);
  prc_delete(&g->small2);
  prc_delete(&g->change);
  prc_cone_runs_free(&g->runs);
  prc_delete(work);
}

static prc_status gauss_seidel_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_sweeps *g = NULL;
  const size_t n = (size_t)sizes->dim * (size_t)sizes->n_max;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->w, n, err));
  const int n_awake = sizes->sparse || sizes->factored ? sizes->n_max : 0; /* the others are swept together */
  prc_try(prc_new(&g->columns, n_awake > 0 ? 0 : n * n, err));
  prc_try(prc_new(&g->order, sizes->n_max, err));
  prc_try(prc_cone_islands_create(n_awake, sizes->n_runs, &g->islands, err));
  prc_try(prc_new(&g->small2, n_awake, err));
  prc_try(prc_new(&g->change, n_awake, err));
  if (sizes->factored) prc_try(prc_cone_runs_create(sizes, &g->runs, err));
done:
  if (status != PRC_OK) gauss_seidel_free(work);
  return status;
}

#define INLINE static inline __attribute__((always_inline)) /* dim is a constant where these are used */

/* w += (dim columns of W) d. One expression a row, which the compiler makes vectors of. */
INLINE void add_columns(const int dim, size_t rows, const double *restrict column, const double *d,
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

/* One sweep, W dense; returns |change of p|^2. */
INLINE double sweep_columns(const int dim, const work_sweeps *g, const prc_cone_problem *problem,
                            const double *columns, double relaxation, double *restrict p) {
  const size_t rows = (size_t)dim * (size_t)problem->n;
  double *restrict w = g->w;
  double change = 0.0;
  for (int k = 0; k < problem->n; k++) {
    const size_t first = (size_t)dim * (size_t)g->order[k];
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
    const double mu = prc_cone_local_of(dim, problem, g->order[k], W, q, next);
    prc_cone_relax(dim, mu, relaxation, p + first, next);
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

static double sweep_dense(const work_sweeps *g, const prc_cone_problem *problem, const double *columns,
                          double relaxation, double *p) {
  switch (problem->dim) {
  case 1:
    return sweep_columns(1, g, problem, columns, relaxation, p);
  case 2:
    return sweep_columns(2, g, problem, columns, relaxation, p);
  case 3:
    return sweep_columns(3, g, problem, columns, relaxation, p);
  default:
    return sweep_columns(4, g, problem, columns, relaxation, p);
  }
}

/* q := b + (row c of W without its diagonal) p; the diagonal block is returned */
static const double *row_without_diagonal(const prc_cone_problem *problem, int c, const double *p,
                                          double *q) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  const double *diagonal = NULL;
  for (int r = 0; r < dim; r++) q[r] = problem->b[dim * c + r];
  for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
    const double *A = W->values + (size_t)k * (size_t)dim * (size_t)dim, *x = p + dim * W->column[k];
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

/* One sweep over those that are awake, W by blocks; g->change of their islands. */
static void sweep_blocks(const work_sweeps *g, const prc_cone_problem *problem, double relaxation,
                         double *p) {
  const int dim = problem->dim;
  memset(g->change, 0, (size_t)g->islands.count * sizeof *g->change);
  for (int k = 0; k < g->n_awake; k++) {
    const int c = g->order[k];
    double *change = g->change + g->islands.of[c];
    double q[PRC_CONE_DIM_MOST] = {0.0}, next[PRC_CONE_DIM_MOST], *here = p + dim * c;
    const double *W = row_without_diagonal(problem, c, p, q);
    assert(W); /* every row has its diagonal block */
    for (int r = 0; r < dim; r++) next[r] = here[r];
    const double mu = prc_cone_local_of(dim, problem, c, W, q, next);
    prc_cone_relax(dim, mu, relaxation, here, next);
    for (int r = 0; r < dim; r++) {
      *change += (next[r] - here[r]) * (next[r] - here[r]);
      here[r] = next[r];
    }
  }
}

static void shuffle(int n, int *order, prc_random random) {
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)(prc_random_bits(&random) % (uint64_t)(i + 1)), swap = order[i];
    order[i] = order[j], order[j] = swap;
  }
}

static void draw_order(work_sweeps *g, int n, const prc_cone_options *options, const prc_cone_info *info) {
  if (options->order == PRC_CONE_ORDER_RANDOM)
    shuffle(n, g->order, prc_cone_random(options, 1 + (uint64_t)info->iterations));
}

static void wake(work_sweeps *g, int n) {
  for (int c = 0; c < n; c++) g->order[c] = c;
  g->n_awake = n;
}

/* small2 of W dense: what p may change by in a sweep that is the last */
static double small_of(const prc_cone_problem *problem, const prc_cone_options *options) {
  const int rows = problem->dim * problem->n;
  double b = 0.0;
  for (int i = 0; i < rows; i++) b += problem->b[i] * problem->b[i];
  const double small = options->tolerance * prc_cone_rho(problem);
  return small * small * b;
}

static int sweeps_dense(work_sweeps *g, const prc_cone_problem *problem, const prc_cone_options *options,
                        int n_sweeps, double *p, prc_cone_info *info) {
  const size_t rows = (size_t)problem->dim * (size_t)problem->n;
  const double small2 = small_of(problem, options), *columns = problem->symmetric ? problem->W : g->columns;
  for (size_t i = 0; i < rows && !problem->symmetric; i++)
    for (size_t j = 0; j < rows; j++) g->columns[j * rows + i] = problem->W[i * rows + j];
  prc_cone_velocity(problem, p, g->w);
  for (int k = 0; k < n_sweeps && !prc_cone_stopped(options); k++) {
    draw_order(g, problem->n, options, info);
    const double change = sweep_dense(g, problem, columns, options->relaxation, p);
    info->iterations++;
    /* the measure costs as much as a sweep: it is worth taking when p hardly moves */
    if (!(change > small2) && prc_cone_reached(problem, options, "gauss-seidel", p, g->w, info)) return 1;
  }
  return 0;
}

/* The same for each island, by its own b. */
static void begin_islands(work_sweeps *g, const prc_cone_problem *problem, const prc_cone_options *options) {
  const int dim = problem->dim;
  const double small = options->tolerance * prc_cone_rho(problem);
  prc_cone_islands_find(&g->islands, problem);
  memset(g->small2, 0, (size_t)g->islands.count * sizeof *g->small2);
  for (int i = 0; i < dim * problem->n; i++)
    g->small2[g->islands.of[i / dim]] += problem->b[i] * problem->b[i];
  for (int k = 0; k < g->islands.count; k++) g->small2[k] *= small * small;
}

/* Islands that hardly moved are left. */
static void leave_settled(work_sweeps *g, double share) {
  int kept = 0;
  for (int k = 0; k < g->n_awake; k++) {
    const int island = g->islands.of[g->order[k]];
    if (g->change[island] > share * g->small2[island]) g->order[kept++] = g->order[k];
  }
  g->n_awake = kept;
}

#define SHARE                                                                                                \
  0.1 /* where islands that had settled are no solution together: of |change|^2, for the next time */

static int sweeps_by_islands(work_sweeps *g, const prc_cone_problem *problem, const prc_cone_options *options,
                             int n_sweeps, double *p, prc_cone_info *info) {
  double share = 1.0;
  begin_islands(g, problem, options);
  if (problem->factors) prc_cone_runs_begin(&g->runs, problem, p);
  for (int k = 0; k < n_sweeps && !prc_cone_stopped(options); k++) {
    draw_order(g, g->n_awake, options, info);
    if (problem->factors) {
      memset(g->change, 0, (size_t)g->islands.count * sizeof *g->change);
      prc_cone_runs_sweep(&g->runs, problem, g->n_awake, g->order, g->islands.of, options->relaxation, p,
                          g->change);
    } else {
      sweep_blocks(g, problem, options->relaxation, p);
    }
    info->iterations++;
    leave_settled(g, share);
    if (g->n_awake > 0) continue;
    if (prc_cone_reached(problem, options, "gauss-seidel", p, g->w, info)) return 1;
    if (g->islands.count > 1) share *= SHARE;
    wake(g, problem->n);
  }
  return 0;
}

int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info) {
  work_sweeps *g = work;
  info->finished = "gauss-seidel";
  wake(g, problem->n);
  return problem->blocks || problem->factors ? sweeps_by_islands(g, problem, options, n_sweeps, p, info)
                                             : sweeps_dense(g, problem, options, n_sweeps, p, info);
}

static void gauss_seidel_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                               double *p, prc_cone_info *info) {
  prc_cone_sweeps(work, problem, options, options->max_iterations, p, info);
}

const prc_cone_method prc_cone_gauss_seidel = {
    .create = gauss_seidel_create,
    .solve = gauss_seidel_solve,
    .free = gauss_seidel_free,
};
