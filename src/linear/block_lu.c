#include "config.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <suitesparse/cholmod.h>

enum { DIM_MOST = 6 };

/* Its arrays, by which their room is known. */
enum {
  OF_PERM,
  OF_INVERSE,
  OF_ROW_START,
  OF_COLUMN,
  OF_L_START,
  OF_L_COLUMN,
  OF_U_START,
  OF_U_COLUMN,
  OF_L,
  OF_U,
  OF_D,
  OF_ROW,
  OF_X,
  OF_PRESENT,
  OF_PARENT,
  OF_MARK,
  OF_TP,
  OF_TI,
  ARRAYS
};

/* P A P' = L U by rows of blocks, with the fill of a symmetric pattern; L has identities on its diagonal. Rows are
 * eliminated one after the other (IKJ): row i is spread out, the rows k < i of U that it meets are subtracted, and it is
 * gathered again. Blocks that turn out to be zero, as those of unknowns that are decoupled, cost nothing. */
struct prc_block_lu {
  int dim, n, n_blocks;                         /* n_blocks: of A */
  int *perm, *inverse;                          /* perm[k]: the row of A that is k-th */
  int *row_start, *column;                      /* of A, as analysed */
  int *L_start, *L_column, *U_start, *U_column; /* ascending; without the diagonal */
  double *L, *U, *D, *row, *x; /* D: inverses of the diagonal blocks of U; row: n blocks, zero between uses */
  char *present;               /* n: blocks of the row that are not zero */
  double work, most;           /* products of blocks; beyond so many there is no room for numbers */
  int *parent, *mark, *Tp, *Ti; /* while a pattern is analysed */
  size_t room[ARRAYS];          /* items that there is memory for */
};

prc_status prc_block_lu_create(int dim, prc_block_lu **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_block_lu *lu = NULL;
  prc_try(prc_new(&lu, 1, err));
  lu->dim = dim, lu->n = -1, lu->most = INFINITY;
  *out = lu;
done:
  return status;
}

void prc_block_lu_limit(prc_block_lu *lu, double most) {
  lu->most = most;
}

static void forget(prc_block_lu *lu) {
  int **lists[] = {&lu->perm,    &lu->inverse,  &lu->row_start, &lu->column, &lu->L_start, &lu->L_column,
                   &lu->U_start, &lu->U_column, &lu->parent,    &lu->mark,   &lu->Tp,      &lu->Ti};
  double **numbers[] = {&lu->L, &lu->U, &lu->D, &lu->row, &lu->x};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) prc_delete(numbers[i]);
  prc_delete(&lu->present);
  memset(lu->room, 0, sizeof lu->room);
  lu->n = -1;
}

/* *array: `needed` zeros; what was there is lost. Where there is too little room, a quarter more than that is made: patterns that come are alike. */
static prc_status clear(prc_block_lu *lu, int which, void *array, size_t needed, size_t size,
                        prc_error *err) {
  void *old;
  memcpy(&old, array, sizeof old);
  if (old && needed <= lu->room[which]) {
    memset(old, 0, needed * size);
    return PRC_OK;
  }
  prc_release(array);
  lu->room[which] = 0;
  const prc_status status = prc_allocate(needed + needed / 4, size, array, err);
  if (status == PRC_OK) lu->room[which] = needed + needed / 4;
  return status;
}
#define clear_array(which, pointer, needed)                                                                  \
  clear(lu, which, pointer, (size_t)(needed), sizeof **(pointer), err)

void prc_block_lu_free(prc_block_lu **lu) {
  if (!*lu) return;
  forget(*lu);
  prc_delete(lu);
}

/* ---- once per pattern ----------------------------------------------------------------------------------------------- */

/* perm: an approximate minimum degree order of the pattern of A + A' */
static prc_status order(prc_block_lu *lu, prc_error *err) {
  prc_status status = PRC_OK;
  cholmod_common common;
  cholmod_sparse A = {.nrow = (size_t)lu->n,
                      .ncol = (size_t)lu->n,
                      .nzmax = (size_t)lu->n_blocks,
                      .p = lu->row_start,
                      .i = lu->column,
                      .stype = 0,
                      .itype = CHOLMOD_INT,
                      .xtype = CHOLMOD_PATTERN,
                      .dtype = CHOLMOD_DOUBLE,
                      .sorted = 1,
                      .packed = 1};
  cholmod_start(&common);
  cholmod_sparse *T = cholmod_transpose(&A, 0, &common);
  double zero[2] = {0.0, 0.0};
  cholmod_sparse *S = T ? cholmod_add(&A, T, zero, zero, 0, 1, &common) : NULL;
  if (S) S->stype = 1;
  if (!S || !cholmod_amd(S, NULL, 0, lu->perm, &common))
    status = prc_fail(err, PRC_NOMEM, "out of memory while ordering %d contacts", lu->n);
  cholmod_free_sparse(&S, &common);
  cholmod_free_sparse(&T, &common);
  cholmod_finish(&common);
  return status;
}

/* Visits, for each row i of the permuted pattern of A + A', the columns k < i of row i of L: the paths of the elimination
 * tree from its entries to i. `Tp, Ti`: the pattern of A', rows of the lower part. */
static void transpose(const prc_block_lu *lu) {
  int *Tp = lu->Tp, *Ti = lu->Ti;
  for (int k = 0; k < lu->n_blocks; k++) Tp[lu->column[k] + 1]++;
  for (int j = 0; j < lu->n; j++) Tp[j + 1] += Tp[j];
  for (int i = 0; i < lu->n; i++)
    for (int k = lu->row_start[i]; k < lu->row_start[i + 1]; k++) Ti[Tp[lu->column[k]]++] = i;
  for (int j = lu->n; j > 0; j--) Tp[j] = Tp[j - 1];
  Tp[0] = 0;
}

/* Climbs from the entry (i, j) towards i; a column seen for the first time is counted in U_start, or gets i appended. */
static void climb(prc_block_lu *lu, int append, int i, int j) {
  for (; j < i && lu->mark[j] != i; j = lu->parent[j]) {
    if (lu->parent[j] < 0) lu->parent[j] = i;
    lu->mark[j] = i;
    if (append)
      lu->U_column[lu->U_start[j]++] = i;
    else
      lu->U_start[j + 1]++;
  }
}

static void visit(prc_block_lu *lu, int append) {
  for (int i = 0; i < lu->n; i++) lu->mark[i] = -1, lu->parent[i] = -1;
  for (int i = 0; i < lu->n; i++) {
    const int row = lu->perm[i];
    for (int k = lu->row_start[row]; k < lu->row_start[row + 1]; k++)
      climb(lu, append, i, lu->inverse[lu->column[k]]);
    for (int k = lu->Tp[row]; k < lu->Tp[row + 1]; k++) climb(lu, append, i, lu->inverse[lu->Ti[k]]);
  }
}

/* The pattern of L: that of U transposed. */
static void transpose_fill(prc_block_lu *lu) {
  for (int k = 0; k < lu->U_start[lu->n]; k++) lu->L_start[lu->U_column[k] + 1]++;
  for (int i = 0; i < lu->n; i++) lu->L_start[i + 1] += lu->L_start[i];
  for (int k = 0; k < lu->n; k++)
    for (int e = lu->U_start[k]; e < lu->U_start[k + 1]; e++)
      lu->L_column[lu->L_start[lu->U_column[e]]++] = k;
  for (int i = lu->n; i > 0; i--) lu->L_start[i] = lu->L_start[i - 1];
  lu->L_start[0] = 0;
}

static prc_status find_fill(prc_block_lu *lu, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = lu->n;
  prc_try(clear_array(OF_PARENT, &lu->parent, n));
  prc_try(clear_array(OF_MARK, &lu->mark, n));
  prc_try(clear_array(OF_TP, &lu->Tp, n + 1));
  prc_try(clear_array(OF_TI, &lu->Ti, lu->n_blocks));
  prc_try(clear_array(OF_U_START, &lu->U_start, n + 1));
  prc_try(clear_array(OF_L_START, &lu->L_start, n + 1));
  transpose(lu);
  visit(lu, 0);
  for (int k = 0; k < n; k++) lu->U_start[k + 1] += lu->U_start[k];
  prc_try(clear_array(OF_U_COLUMN, &lu->U_column, lu->U_start[n]));
  prc_try(clear_array(OF_L_COLUMN, &lu->L_column, lu->U_start[n]));
  visit(lu, 1);
  for (int k = n; k > 0; k--) lu->U_start[k] = lu->U_start[k - 1];
  lu->U_start[0] = 0;
  transpose_fill(lu);
  lu->work = 0.0;
  for (int k = 0; k < n; k++) {
    const double count = lu->U_start[k + 1] - lu->U_start[k];
    lu->work += count * (count + 1.0);
  }
done:
  return status;
}

static prc_status make_room(prc_block_lu *lu, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)lu->dim * (size_t)lu->dim, n = (size_t)lu->n, fill = (size_t)lu->U_start[n];
  prc_try(clear_array(OF_L, &lu->L, fill * size));
  prc_try(clear_array(OF_U, &lu->U, fill * size));
  prc_try(clear_array(OF_D, &lu->D, n * size));
  prc_try(clear_array(OF_ROW, &lu->row, n * size));
  prc_try(clear_array(OF_X, &lu->x, (size_t)lu->dim * n));
  prc_try(clear_array(OF_PRESENT, &lu->present, n));
done:
  return status;
}

prc_status prc_block_lu_analyze(prc_block_lu *lu, int n, const int *row_start, const int *column,
                                prc_error *err) {
  prc_status status = PRC_OK;
  if (n == lu->n && memcmp(row_start, lu->row_start, ((size_t)n + 1) * sizeof *row_start) == 0
      && memcmp(column, lu->column, (size_t)row_start[n] * sizeof *column) == 0)
    return PRC_OK;
  lu->n_blocks = row_start[n];
  prc_try(clear_array(OF_ROW_START, &lu->row_start, n + 1));
  prc_try(clear_array(OF_COLUMN, &lu->column, lu->n_blocks));
  prc_try(clear_array(OF_PERM, &lu->perm, n));
  prc_try(clear_array(OF_INVERSE, &lu->inverse, n));
  memcpy(lu->row_start, row_start, ((size_t)n + 1) * sizeof *row_start);
  memcpy(lu->column, column, (size_t)lu->n_blocks * sizeof *column);
  lu->n = n;
  prc_try(order(lu, err));
  for (int k = 0; k < n; k++) lu->inverse[lu->perm[k]] = k;
  prc_try(find_fill(lu, err));
  if (lu->work <= lu->most) prc_try(make_room(lu, err));
done:
  if (status != PRC_OK) forget(lu);
  return status;
}

/* ---- once per matrix ------------------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline)) /* dim is a constant where these are used */
#else
#define INLINE static inline
#endif

/* inverse := A^-1 by Gauss-Jordan elimination with row pivoting; A is destroyed. Returns 0 when a pivot is lost to
 * rounding. */
INLINE int invert(const int dim, double *A, double *inverse) {
  double largest = 0.0;
  for (int i = 0; i < dim * dim; i++) largest = fmax(largest, fabs(A[i])), inverse[i] = 0.0;
  for (int i = 0; i < dim; i++) inverse[dim * i + i] = 1.0;
  for (int k = 0; k < dim; k++) {
    int pivot = k;
    for (int i = k + 1; i < dim; i++)
      if (fabs(A[dim * i + k]) > fabs(A[dim * pivot + k])) pivot = i;
    if (!(fabs(A[dim * pivot + k]) > DBL_EPSILON * largest)) return 0;
    for (int j = 0; j < dim; j++) {
      const double a = A[dim * pivot + j], b = inverse[dim * pivot + j];
      A[dim * pivot + j] = A[dim * k + j], inverse[dim * pivot + j] = inverse[dim * k + j];
      A[dim * k + j] = a, inverse[dim * k + j] = b;
    }
    const double scale = 1.0 / A[dim * k + k];
    for (int j = 0; j < dim; j++) A[dim * k + j] *= scale, inverse[dim * k + j] *= scale;
    for (int i = 0; i < dim; i++) {
      const double factor = A[dim * i + k];
      if (i == k || factor == 0.0) continue;
      for (int j = 0; j < dim; j++) {
        A[dim * i + j] -= factor * A[dim * k + j];
        inverse[dim * i + j] -= factor * inverse[dim * k + j];
      }
    }
  }
  return 1;
}

INLINE int all_zero(const int size, const double *A) {
  for (int i = 0; i < size; i++)
    if (A[i] != 0.0) return 0;
  return 1;
}

/* C -= A B */
INLINE void subtract_product(const int dim, const double *restrict A, const double *restrict B,
                             double *restrict C) {
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      double sum = A[dim * i] * B[j];
      for (int k = 1; k < dim; k++) sum += A[dim * i + k] * B[dim * k + j];
      C[dim * i + j] -= sum;
    }
}

INLINE int factor(const int dim, prc_block_lu *lu, const double *A) {
  const int size = dim * dim;
  double *row = lu->row;
  for (int i = 0; i < lu->n; i++) {
    const int source = lu->perm[i];
    memset(row + size * i, 0, (size_t)size * sizeof *row);
    for (int e = lu->L_start[i]; e < lu->L_start[i + 1]; e++) lu->present[lu->L_column[e]] = 0;
    for (int e = lu->U_start[i]; e < lu->U_start[i + 1]; e++) {
      lu->present[lu->U_column[e]] = 0;
      memset(row + size * lu->U_column[e], 0, (size_t)size * sizeof *row);
    }
    for (int k = lu->row_start[source]; k < lu->row_start[source + 1]; k++) {
      const int j = lu->inverse[lu->column[k]];
      const double *block = A + (size_t)k * (size_t)size;
      if (all_zero(size, block)) continue;
      lu->present[j] = 1;
      memcpy(row + size * j, block, (size_t)size * sizeof *row);
    }
    for (int e = lu->L_start[i]; e < lu->L_start[i + 1]; e++) {
      const int k = lu->L_column[e];
      double *L = lu->L + (size_t)e * (size_t)size, minus[DIM_MOST * DIM_MOST] = {0.0};
      memset(L, 0, (size_t)size * sizeof *L);
      if (!lu->present[k]) continue;
      subtract_product(dim, row + size * k, lu->D + size * k, minus);
      for (int r = 0; r < size; r++) L[r] = -minus[r];
      for (int f = lu->U_start[k]; f < lu->U_start[k + 1]; f++) {
        const int j = lu->U_column[f];
        double *to = row + size * j;
        if (!lu->present[j]) {
          if (j < i) memset(to, 0, (size_t)size * sizeof *to);
          lu->present[j] = 1;
        }
        subtract_product(dim, L, lu->U + (size_t)f * (size_t)size, to);
      }
    }
    double diagonal[DIM_MOST * DIM_MOST];
    memcpy(diagonal, row + size * i, (size_t)size * sizeof *row);
    if (!invert(dim, diagonal, lu->D + size * i)) return 0;
    for (int e = lu->U_start[i]; e < lu->U_start[i + 1]; e++)
      memcpy(lu->U + (size_t)e * (size_t)size, row + size * lu->U_column[e], (size_t)size * sizeof *row);
  }
  return 1;
}

prc_status prc_block_lu_factor(prc_block_lu *lu, const double *A) {
  if (lu->work > lu->most) return PRC_NOMEM;
  const int done = lu->dim == 1   ? factor(1, lu, A)
                   : lu->dim == 2 ? factor(2, lu, A)
                   : lu->dim == 3 ? factor(3, lu, A)
                   : lu->dim == 4 ? factor(4, lu, A)
                                  : factor(6, lu, A);
  return done ? PRC_OK : PRC_SINGULAR;
}

/* y -= A x */
INLINE void subtract_block(const int dim, const double *A, const double *x, double *y) {
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) y[i] -= A[dim * i + j] * x[j];
}

INLINE void solve(const int dim, prc_block_lu *lu, double *b) {
  const int size = dim * dim;
  double *x = lu->x;
  for (int i = 0; i < lu->n; i++) {
    double y[DIM_MOST] = {0.0};
    for (int r = 0; r < dim; r++) y[r] = b[dim * lu->perm[i] + r];
    for (int e = lu->L_start[i]; e < lu->L_start[i + 1]; e++)
      subtract_block(dim, lu->L + (size_t)e * (size_t)size, x + dim * lu->L_column[e], y);
    for (int r = 0; r < dim; r++) x[dim * i + r] = y[r];
  }
  for (int i = lu->n - 1; i >= 0; i--) {
    double y[DIM_MOST] = {0.0}, minus[DIM_MOST] = {0.0};
    for (int r = 0; r < dim; r++) y[r] = x[dim * i + r];
    for (int e = lu->U_start[i]; e < lu->U_start[i + 1]; e++)
      subtract_block(dim, lu->U + (size_t)e * (size_t)size, x + dim * lu->U_column[e], y);
    subtract_block(dim, lu->D + size * i, y, minus);
    for (int r = 0; r < dim; r++) x[dim * i + r] = -minus[r];
  }
  for (int i = 0; i < lu->n; i++)
    for (int r = 0; r < dim; r++) b[dim * lu->perm[i] + r] = x[dim * i + r];
}

void prc_block_lu_solve(prc_block_lu *lu, double *x) {
  if (lu->dim == 1)
    solve(1, lu, x);
  else if (lu->dim == 2)
    solve(2, lu, x);
  else if (lu->dim == 3)
    solve(3, lu, x);
  else if (lu->dim == 4)
    solve(4, lu, x);
  else
    solve(6, lu, x);
}
