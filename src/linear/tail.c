#include "config.h"
#include "linear/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* S^-1, S = L_tt L_tt', the inverse of the condensed matrix. Where the steps are short against the time a wave takes along the
 * contacts, its entries fall off exponentially from the diagonal, and those that are below the rounding of any product with it
 * are not kept: |S^-1_ij| <= eps / n sqrt(S^-1_ii S^-1_jj). Then it is sparse, and contacts cost what they are in number. */
struct prc_tail {
  int n;
  double *dense; /* n x n; or NULL, and by rows: */
  size_t *start; /* n + 1 */
  int *column;   /* ascending */
  double *value;
};

void prc_tail_free(prc_tail **tail) {
  if (!*tail) return;
  prc_delete(&(*tail)->dense);
  prc_delete(&(*tail)->start);
  prc_delete(&(*tail)->column);
  prc_delete(&(*tail)->value);
  prc_delete(tail);
}

static int counts(const double *T, size_t n, size_t i, size_t j) {
  return fabs(T[i * n + j]) > DBL_EPSILON / (double)n * sqrt(T[i * n + i] * T[j * n + j]);
}

static size_t count_entries(const double *T, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) count += (size_t)counts(T, n, i, j);
  return count;
}

static prc_status compress(prc_tail *tail, size_t count, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)tail->n;
  size_t at = 0;
  prc_try(prc_new(&tail->start, n + 1, err));
  prc_try(prc_new(&tail->column, count, err));
  prc_try(prc_new(&tail->value, count, err));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      if (counts(tail->dense, n, i, j)) tail->column[at] = (int)j, tail->value[at++] = tail->dense[i * n + j];
    tail->start[i + 1] = at;
  }
  prc_delete(&tail->dense);
done:
  return status;
}

prc_status prc_tail_room(int n, double **T, prc_error *err) {
  const double bytes = sizeof **T * (double)n * (double)n;
  if (n > 0 && (size_t)n > SIZE_MAX / sizeof **T / (size_t)n)
    return prc_fail(err, PRC_NOMEM, "a dense matrix of %d contact unknowns does not fit in memory", n);
  const prc_status status = prc_memory_expect(bytes, "the condensed matrix of the contacts", err);
  return status == PRC_OK ? prc_new(T, (size_t)n * (size_t)n, err) : status;
}

prc_status prc_tail_of_inverse(int n, double **T, prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_tail *tail = NULL;
  prc_try(prc_new(&tail, 1, err));
  tail->n = n;
  tail->dense = *T, *T = NULL;
  if (n >= PRC_TAIL_SPARSE_FROM) {
    const size_t count = count_entries(tail->dense, (size_t)n);
    if ((double)count <= PRC_TAIL_SPARSE_SHARE * (double)n * (double)n) prc_try(compress(tail, count, err));
  }
  *out = tail, tail = NULL;
done:
  prc_tail_free(&tail);
  return status;
}

prc_status prc_tail_of_rows(int n, size_t **start, int **column, double **value, prc_tail **out,
                            prc_error *err) {
  const prc_status status = prc_new(out, 1, err);
  if (status != PRC_OK) return status;
  **out = (prc_tail){.n = n, .start = *start, .column = *column, .value = *value};
  *start = NULL, *column = NULL, *value = NULL;
  return PRC_OK;
}

/* L_tt by rows, into zeros; then S^-1 where it stood */
static prc_status invert(const cholmod_factor *L, int n, double *T, prc_error *err) {
  const int n_lead = (int)L->n - n;
  size_t super = 0;
  for (int j = 0; j < n; j++) {
    const prc_factor_column column = prc_column_of_factor(L, n_lead + j, &super);
    for (int k = 0; k < column.count; k++)
      T[(size_t)(column.row[k] - n_lead) * (size_t)n + (size_t)j] = column.x[k];
  }
  return prc_dense_invert_factored(n, T, err);
}

static prc_status make_dense(const cholmod_factor *L, int n, prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  double *T = NULL;
  prc_try(prc_tail_room(n, &T, err));
  prc_try(invert(L, n, T, err));
  status = prc_tail_of_inverse(n, &T, out, err);
done:
  prc_delete(&T);
  return status;
}

static size_t most_entries(int n) {
  return (size_t)(PRC_TAIL_SPARSE_SHARE * (double)n * (double)n);
}

prc_status prc_tail_of_factor(const cholmod_factor *L, int n, prc_tail **out, prc_error *err) {
  if (*out && (*out)->dense && n < PRC_TAIL_SPARSE_FROM) {
    memset((*out)->dense, 0, (size_t)n * (size_t)n * sizeof *(*out)->dense);
    return invert(L, n, (*out)->dense, err);
  }
  prc_tail_free(out);
  if (n >= PRC_TAIL_SPARSE_FROM) {
    const prc_status status = prc_tail_try_sparse(L, n, most_entries(n), out, err);
    if (status != PRC_OK || *out) return status;
  }
  return make_dense(L, n, out, err);
}

/* Half the sum of what stands on both sides of the diagonal. */
static prc_status solve_dense(int n, prc_tail_solve solve, void *of, prc_tail **out, prc_error *err) {
  const size_t m = (size_t)n;
  double *T = NULL;
  prc_status status = prc_tail_room(n, &T, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < n; c++) solve(of, c, T + (size_t)c * m);
  for (size_t r = 0; r < m; r++)
    for (size_t c = 0; c < r; c++) T[r * m + c] = T[c * m + r] = 0.5 * (T[r * m + c] + T[c * m + r]);
  status = prc_tail_of_inverse(n, &T, out, err);
  prc_delete(&T);
  return status;
}

prc_status prc_tail_of_columns(int n, const double *least, prc_tail_solve solve, void *of, prc_tail **out,
                               prc_error *err) {
  *out = NULL;
  if (n >= PRC_TAIL_SPARSE_FROM) {
    const prc_status status = prc_tail_try_columns(n, least, solve, of, most_entries(n), out, err);
    if (status != PRC_OK || *out) return status;
  }
  return solve_dense(n, solve, of, out, err);
}

prc_status prc_tail_of_nothing(prc_tail **out, prc_error *err) {
  double *T = NULL;
  const prc_status status = prc_new(&T, 0, err);
  return status == PRC_OK ? prc_tail_of_inverse(0, &T, out, err) : status;
}

size_t prc_tail_entries(const prc_tail *tail) {
  return tail->dense ? (size_t)tail->n * (size_t)tail->n : tail->start[tail->n];
}

size_t prc_tail_bytes(const prc_tail *tail) {
  return prc_tail_entries(tail) * (sizeof(double) + (tail->dense ? 0 : sizeof(int)));
}

int prc_tail_is_sparse(const prc_tail *tail) {
  return !tail->dense;
}

void prc_tail_add_row(const prc_tail *tail, int i, double a, double *restrict y) {
  if (tail->dense) {
    const double *restrict row = tail->dense + (size_t)i * (size_t)tail->n;
    for (int j = 0; j < tail->n; j++) y[j] += a * row[j];
    return;
  }
  for (size_t k = tail->start[i]; k < tail->start[i + 1]; k++) y[tail->column[k]] += a * tail->value[k];
}

void prc_tail_mark_row(const prc_tail *tail, int i, double *mark) {
  for (int j = 0; tail->dense && j < tail->n; j++) mark[j] = 1.0;
  if (tail->dense) return;
  for (size_t k = tail->start[i]; k < tail->start[i + 1]; k++) mark[tail->column[k]] = 1.0;
}

const int *prc_tail_columns(const prc_tail *tail, int i, int *count) {
  *count = tail->dense ? tail->n : (int)(tail->start[i + 1] - tail->start[i]);
  return tail->dense ? NULL : tail->column + tail->start[i];
}

void prc_tail_clear_row(const prc_tail *tail, int i, double *y) {
  if (tail->dense) memset(y, 0, (size_t)tail->n * sizeof *y);
  if (tail->dense) return;
  for (size_t k = tail->start[i]; k < tail->start[i + 1]; k++) y[tail->column[k]] = 0.0;
}

void prc_tail_multiply(const prc_tail *tail, const double *restrict x, double *restrict y) {
  if (tail->dense) {
    for (int i = 0; i < tail->n; i++) y[i] = 0.0;
    prc_dense_multiply_add(tail->n, tail->n, 1.0, tail->dense, x, y);
    return;
  }
  for (int i = 0; i < tail->n; i++) {
    double sum = 0.0;
    for (size_t k = tail->start[i]; k < tail->start[i + 1]; k++) sum += tail->value[k] * x[tail->column[k]];
    y[i] = sum;
  }
}
