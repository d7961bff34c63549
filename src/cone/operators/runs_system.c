#include "config.h"
#include "cone/operators/internal.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Newton's system (A + B (W + alpha)) dp = -F where W = G G' and A, B are by contacts, through the velocities of bodies, v = G'dp:
 *
 *   dp = -K (F + B G v),   K = (A + alpha B)^-1,   (1 + sum_c G_c' E_c G_c) v = -sum_c G_c' K_c F_c,   E_c = K_c B_c,
 *
 * a matrix of 6 x 6 blocks, one row a body, however many contacts the bodies have. An open contact has E = 0; one that sticks E = 1 / alpha,
 * so that digits are lost as alpha becomes small: one step of refinement. */
enum { RUN = PRC_CONE_RUN, BLOCK = RUN * RUN, SIZE = PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST };

typedef struct {
  int dim, n, n_runs;
  int *run;                          /* of the problem */
  double *G;                         /* scaled */
  double *K, *E;                     /* dim^2 n_max */
  double *v, *rhs, *w, *rest, *more; /* 6 (n_runs + 1) each of the first two; dim n_max */
  /* the pattern: rows are runs, their columns ascend; of a contact the places of its blocks (aa, ab, ba, bb) */
  int *row_start, *column, *place; /* n_runs + 1; room; 4 n_max */
  int *by_start, *by;              /* contacts by their runs */
  int *met;                        /* n_runs: where the column stands in the row that is made; -1 */
  size_t column_room, value_room;
  double *values;
  prc_block_lu *lu;
} bodies;

static void bodies_free(void **work) {
  bodies *g = *work;
  if (!g) return;
  double **vectors[] = {&g->G, &g->K, &g->E, &g->v, &g->rhs, &g->w, &g->rest, &g->more, &g->values};
  int **lists[] = {&g->row_start, &g->column, &g->place, &g->by_start, &g->by, &g->met};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  prc_block_lu_free(&g->lu);
  prc_delete(work);
}

static prc_status bodies_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  bodies *g = NULL;
  const size_t dim = (size_t)sizes->dim, n = (size_t)sizes->n_max, runs = (size_t)sizes->n_runs;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  g->dim = sizes->dim;
  double **by_rows[] = {&g->w, &g->rest, &g->more};
  prc_try(prc_new(&g->G, dim * n * 2 * RUN, err));
  prc_try(prc_new(&g->K, dim * dim * n, err));
  prc_try(prc_new(&g->E, dim * dim * n, err));
  prc_try(prc_new(&g->v, (runs + 1) * RUN, err));
  prc_try(prc_new(&g->rhs, (runs + 1) * RUN, err));
  for (size_t i = 0; i < sizeof by_rows / sizeof *by_rows; i++) prc_try(prc_new(by_rows[i], dim * n, err));
  prc_try(prc_new(&g->row_start, runs + 1, err));
  prc_try(prc_new(&g->by_start, runs + 2, err));
  prc_try(prc_new(&g->by, 2 * n, err));
  prc_try(prc_new(&g->place, 4 * n, err));
  prc_try(prc_new(&g->met, runs, err));
  prc_try(prc_block_lu_create(RUN, &g->lu, err));
done:
  if (status != PRC_OK) bodies_free(work);
  return status;
}

/* ---- the pattern ---------------------------------------------------------------------------- */

/* Contacts by their runs, by counting. */
static void list_by_runs(bodies *g) {
  memset(g->by_start, 0, ((size_t)g->n_runs + 2) * sizeof *g->by_start);
  for (int k = 0; k < 2 * g->n; k++) g->by_start[g->run[k] + 1]++;
  for (int r = 0; r <= g->n_runs; r++) g->by_start[r + 1] += g->by_start[r];
  for (int k = 0; k < 2 * g->n; k++) g->by[g->by_start[g->run[k]]++] = k;
  for (int r = g->n_runs + 1; r > 0; r--) g->by_start[r] = g->by_start[r - 1];
  g->by_start[0] = 0;
}

/* Ascending, of few. */
static void sort(int n, int *x) {
  for (int i = 1; i < n; i++) {
    const int value = x[i];
    int k = i;
    for (; k > 0 && x[k - 1] > value; k--) x[k] = x[k - 1];
    x[k] = value;
  }
}

/* Row r: itself and the runs that share a contact with it; and where the blocks of its contacts are. */
static prc_status lay_row(bodies *g, int r, prc_error *err) {
  prc_status status = PRC_OK;
  const int first = g->row_start[r], most = 1 + g->by_start[r + 1] - g->by_start[r];
  int count = 0;
  prc_try(prc_grow(&g->column, &g->column_room, (size_t)first + (size_t)most, sizeof *g->column, err));
  g->column[first + count++] = r, g->met[r] = r;
  for (int at = g->by_start[r]; at < g->by_start[r + 1]; at++) {
    const int other = g->run[g->by[at] ^ 1];
    if (other == g->n_runs || g->met[other] == r) continue;
    g->column[first + count++] = other, g->met[other] = r;
  }
  sort(count, g->column + first);
  g->row_start[r + 1] = first + count;
done:
  return status;
}

static int find(const bodies *g, int row, int column) {
  int k = g->row_start[row];
  while (g->column[k] != column) k++;
  return k;
}

static prc_status lay_out(bodies *g, prc_error *err) {
  prc_status status = PRC_OK;
  list_by_runs(g);
  for (int r = 0; r < g->n_runs; r++) g->met[r] = -1;
  g->row_start[0] = 0;
  for (int r = 0; r < g->n_runs; r++) prc_try(lay_row(g, r, err));
  prc_try(
      prc_grow(&g->values, &g->value_room, (size_t)g->row_start[g->n_runs] * BLOCK, sizeof *g->values, err));
  for (int k = 0; k < 4 * g->n; k++) {
    const int row = g->run[2 * (k / 4) + k % 4 / 2], column = g->run[2 * (k / 4) + k % 2];
    g->place[k] = row == g->n_runs || column == g->n_runs ? -1 : find(g, row, column);
  }
done:
  return status;
}

static prc_status set(void *work, const prc_cone_problem *problem, const double *scale) {
  prc_status status = PRC_OK;
  bodies *g = work;
  const int width = 2 * RUN * g->dim;
  g->n = problem->n, g->run = problem->factors->run, g->n_runs = problem->factors->n_runs;
  for (int c = 0; c < g->n; c++)
    for (int i = 0; i < width; i++)
      g->G[(size_t)c * (size_t)width + (size_t)i] =
          scale[c] * problem->factors->G[(size_t)c * (size_t)width + (size_t)i];
  prc_try(lay_out(g, NULL));
  prc_try(prc_block_lu_analyze(g->lu, g->n_runs, g->row_start, g->column, NULL));
done:
  return status;
}

/* ---- products --------------------------------------------------------------------------------- */

static prc_cone_factors factors_of(const bodies *g) {
  return (prc_cone_factors){.n_runs = g->n_runs, .run = g->run, .G = g->G};
}

static void multiply(void *work, const double *x, double *y) {
  bodies *g = work;
  const prc_cone_factors factors = factors_of(g);
  memset(y, 0, (size_t)(g->dim * g->n) * sizeof *y);
  prc_cone_factors_pull(&factors, g->dim, g->n, x, g->v);
  prc_cone_factors_push(&factors, g->dim, g->n, g->v, y);
}

/* y_c := Z_c x_c */
static void multiply_blocks(const bodies *g, const double *Z, const double *x, double *y) {
  const int dim = g->dim;
  for (int c = 0; c < g->n; c++, Z += dim * dim, x += dim, y += dim) {
    double sum[PRC_CONE_DIM_MOST] = {0.0};
    for (int r = 0; r < dim; r++) sum[r] = prc_cone_dot(dim, Z + dim * r, x);
    for (int r = 0; r < dim; r++) y[r] = sum[r];
  }
}

/* ---- the system --------------------------------------------------------------------------------- */

/* X := A^-1 B of dim x dim, both destroyed; A^-1 to B's right too: two right-hand sides. 0: it is singular. */
static int divide(int dim, double *A, double *X, double *Y) {
  for (int k = 0; k < dim; k++) {
    int pivot = k;
    for (int i = k + 1; i < dim; i++)
      if (fabs(A[dim * i + k]) > fabs(A[dim * pivot + k])) pivot = i;
    if (!(fabs(A[dim * pivot + k]) > 0.0)) return 0;
    for (int j = 0; j < dim; j++) {
      double *rows[] = {A, X, Y};
      for (int m = 0; m < 3; m++) {
        const double swap = rows[m][dim * k + j];
        rows[m][dim * k + j] = rows[m][dim * pivot + j], rows[m][dim * pivot + j] = swap;
      }
    }
    const double one = 1.0 / A[dim * k + k];
    for (int j = 0; j < dim; j++) A[dim * k + j] *= one, X[dim * k + j] *= one, Y[dim * k + j] *= one;
    for (int i = 0; i < dim; i++) {
      const double factor = A[dim * i + k];
      if (i == k || factor == 0.0) continue;
      for (int j = 0; j < dim; j++) {
        A[dim * i + j] -= factor * A[dim * k + j];
        X[dim * i + j] -= factor * X[dim * k + j];
        Y[dim * i + j] -= factor * Y[dim * k + j];
      }
    }
  }
  return 1;
}

/* K and E */
static int divide_all(bodies *g, const prc_cone_jacobian *at) {
  const int size = g->dim * g->dim;
  for (int c = 0; c < g->n; c++) {
    double *K = g->K + size * c, *E = g->E + size * c, M[SIZE] = {0.0};
    for (int i = 0; i < size; i++) {
      M[i] = at->A[size * c + i] + at->alpha * at->B[size * c + i];
      K[i] = i % (g->dim + 1) == 0, E[i] = at->B[size * c + i];
    }
    if (!divide(g->dim, M, K, E)) return 0;
  }
  return 1;
}

static int is_zero(int n, const double *x) {
  int i = 0;
  while (i < n && x[i] == 0.0) i++;
  return i == n;
}

/* to += X' E Y of rows of six in twelve */
PRC_CONE_INLINE void add_block(const int dim, const double *X, const double *EY, double *to) {
  for (int i = 0; i < RUN; i++)
    for (int r = 0; r < dim; r++) {
      const double x = X[2 * RUN * r + i];
      for (int j = 0; j < RUN; j++) to[RUN * i + j] += x * EY[2 * RUN * r + j];
    }
}

PRC_CONE_INLINE void add_contact(const int dim, bodies *g, int c) {
  const double *G = g->G + (size_t)(c * dim) * 2 * RUN, *E = g->E + dim * dim * c;
  const int *place = g->place + 4 * c;
  double EG[PRC_CONE_DIM_MOST * 2 * RUN];
  for (int r = 0; r < dim; r++)
    for (int i = 0; i < 2 * RUN; i++) {
      double sum = 0.0;
      for (int s = 0; s < dim; s++) sum += E[dim * r + s] * G[2 * RUN * s + i];
      EG[2 * RUN * r + i] = sum;
    }
  for (int k = 0; k < 4; k++)
    if (place[k] >= 0)
      add_block(dim, G + k / 2 * RUN, EG + k % 2 * RUN, g->values + (size_t)place[k] * BLOCK);
}

/* 1 + sum G' E G, factorised */
static int factor(bodies *g) {
  const int dim = g->dim;
  memset(g->values, 0, (size_t)g->row_start[g->n_runs] * BLOCK * sizeof *g->values);
  for (int r = 0; r < g->n_runs; r++)
    for (int i = 0, k = find(g, r, r); i < RUN; i++)
      g->values[(size_t)k * BLOCK + (size_t)(i * (RUN + 1))] = 1.0;
  for (int c = 0; c < g->n; c++) {
    if (is_zero(dim * dim, g->E + dim * dim * c)) continue;
    if (dim == 3)
      add_contact(3, g, c);
    else
      add_contact(dim, g, c);
  }
  return prc_block_lu_factor(g->lu, g->values) == PRC_OK;
}

/* x := (A + B (W + alpha))^-1 r */
static void substitute(bodies *g, const double *r, double *x) {
  const prc_cone_factors factors = factors_of(g);
  multiply_blocks(g, g->K, r, g->w);
  prc_cone_factors_pull(&factors, g->dim, g->n, g->w, g->rhs);
  for (int k = 0; k < RUN; k++) g->rhs[RUN * g->n_runs + k] = 0.0;
  prc_block_lu_solve(g->lu, g->rhs);
  memset(x, 0, (size_t)(g->dim * g->n) * sizeof *x);
  prc_cone_factors_push(&factors, g->dim, g->n, g->rhs, x);
  multiply_blocks(g, g->E, x, x);
  for (int i = 0; i < g->dim * g->n; i++) x[i] = g->w[i] - x[i];
}

/* rest := r - (A + B (W + alpha)) x; returns |rest| / |r| */
static double defect(bodies *g, const prc_cone_jacobian *at, const double *F, const double *x) {
  const int dim = g->dim;
  double sum = 0.0, size = 0.0;
  multiply(g, x, g->w);
  for (int i = 0; i < dim * g->n; i++) g->w[i] += at->alpha * x[i];
  for (int i = 0; i < dim * g->n; i++) {
    const int c = i / dim;
    g->rest[i] = -F[i] - prc_cone_dot(dim, at->A + dim * i, x + dim * c)
                 - prc_cone_dot(dim, at->B + dim * i, g->w + dim * c);
    sum += g->rest[i] * g->rest[i], size += F[i] * F[i];
  }
  return size > 0.0 ? sqrt(sum / size) : 0.0;
}

static int step(void *work, const prc_cone_jacobian *at, const double *F, double *step) {
  bodies *g = work;
  const int rows = g->dim * g->n;
  if (!divide_all(g, at) || !factor(g)) return 0;
  for (int i = 0; i < rows; i++) g->rest[i] = -F[i];
  substitute(g, g->rest, step);
  if (defect(g, at, F, step) < 1e-10) return 1;
  substitute(g, g->rest, g->more);
  for (int i = 0; i < rows; i++) step[i] += g->more[i];
  return defect(g, at, F, step) < 1e-6;
}

/* A failed inner iteration costs sweeps and a start anew here, so it may take more steps. The second equation comes first: a fifth less
 * work for a wall that is hit. */
const prc_cone_algebra prc_cone_system_of_bodies = {
    .create = bodies_create,
    .free = bodies_free,
    .set = set,
    .multiply = multiply,
    .step = step,
    .inner_steps = 15,
    .first_equation = 1,
};
