#include "config.h"
#include "linear/internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

prc_status prc_sym_create(int n, int nnz, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *A = NULL;
  if (n < 0 || nnz < 0)
    return prc_fail(err, PRC_INPUT, "a matrix of %d rows with %d entries, expected 0 or more of both", n,
                    nnz);
  prc_try(prc_new(&A, 1, err));
  A->n = n;
  prc_try(prc_new(&A->p, (size_t)n + 1, err));
  prc_try(prc_new(&A->i, nnz, err));
  prc_try(prc_new(&A->x, nnz, err));
  *out = A, A = NULL;
done:
  prc_sym_free(&A);
  return status;
}

void prc_sym_free(prc_sym **A) {
  if (!*A) return;
  prc_delete(&(*A)->p);
  prc_delete(&(*A)->i);
  prc_delete(&(*A)->x);
  prc_delete(A);
}

/* Column j, whose entries are all there. */
static prc_status check_column(const prc_sym *A, int j, const char *name, prc_error *err) {
  const int first = A->p[j], end = A->p[j + 1];
  if (first == end)
    return prc_fail(err, PRC_INPUT, "%s: column %d has no entries, expected its diagonal first", name, j);
  for (int k = first; k < end; k++) {
    const int row = A->i[k];
    if (row < 0 || row >= A->n)
      return prc_fail(err, PRC_INPUT, "%s: column %d has the row %d, expected rows from %d to %d", name, j,
                      row, j, A->n - 1);
    if (row < j)
      return prc_fail(err, PRC_INPUT,
                      "%s: entry (%d, %d) is above the diagonal, expected the lower triangle alone", name,
                      row, j);
    if (k == first && row > j)
      return prc_fail(err, PRC_INPUT,
                      "%s: column %d begins with row %d, expected its diagonal first, be it zero", name, j,
                      row);
    if (k > first && row <= A->i[k - 1])
      return prc_fail(err, PRC_INPUT,
                      "%s: column %d has row %d behind row %d, expected ascending rows, each once", name, j,
                      row, A->i[k - 1]);
    if (!isfinite(A->x[k]))
      return prc_fail(err, PRC_INPUT, "%s: entry (%d, %d) is %g, expected a finite number", name, row, j,
                      A->x[k]);
  }
  return PRC_OK;
}

prc_status prc_sym_check(const prc_sym *A, const char *name, prc_error *err) {
  if (A->n < 0) return prc_fail(err, PRC_INPUT, "%s has %d rows, expected 0 or more", name, A->n);
  if (!A->p || !A->i || !A->x) return prc_fail(err, PRC_INPUT, "%s lacks one of its arrays p, i and x", name);
  if (A->p[0] != 0) return prc_fail(err, PRC_INPUT, "%s: p[0] is %d, expected 0", name, A->p[0]);
  for (int j = 0; j < A->n; j++)
    if (A->p[j + 1] < A->p[j])
      return prc_fail(err, PRC_INPUT, "%s: column %d ends at entry %d, before its start at %d", name, j,
                      A->p[j + 1], A->p[j]);
  for (int j = 0; j < A->n; j++) {
    const prc_status status = check_column(A, j, name, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

int prc_sym_nnz(const prc_sym *A) {
  return A->p[A->n];
}

void prc_sym_multiply(const prc_sym *A, const double *x, double *y) {
  memset(y, 0, (size_t)A->n * sizeof *y);
  for (int j = 0; j < A->n; j++) {
    double sum = A->x[A->p[j]] * x[j];
    for (int k = A->p[j] + 1; k < A->p[j + 1]; k++) {
      y[A->i[k]] += A->x[k] * x[j];
      sum += A->x[k] * x[A->i[k]];
    }
    y[j] += sum;
  }
}

double prc_sym_form(const prc_sym *A, const double *x, const double *y) {
  double form = 0.0;
  for (int j = 0; j < A->n; j++) {
    form += A->x[A->p[j]] * x[j] * y[j];
    for (int k = A->p[j] + 1; k < A->p[j + 1]; k++) form += A->x[k] * (x[A->i[k]] * y[j] + x[j] * y[A->i[k]]);
  }
  return form;
}

/* Merges one column of two matrices: rows ascending in both. Returns where the next column of C begins. */
static int merge_column(int j, double a, const prc_sym *A, double b, const prc_sym *B, int out, prc_sym *C) {
  int ka = A->p[j], kb = B ? B->p[j] : 0;
  const int ea = A->p[j + 1], eb = B ? B->p[j + 1] : 0;
  while (ka < ea || kb < eb) {
    const int ra = ka < ea ? A->i[ka] : INT_MAX, rb = B && kb < eb ? B->i[kb] : INT_MAX;
    const int row = ra < rb ? ra : rb;
    double value = 0.0;
    if (ra == row) value += a * A->x[ka++];
    if (B && rb == row) value += b * B->x[kb++];
    if (C) C->i[out] = row, C->x[out] = value;
    out++;
  }
  return out;
}

prc_status prc_sym_add(double a, const prc_sym *A, double b, const prc_sym *B, prc_sym **out,
                       prc_error *err) {
  int nnz = 0;
  if (B && A->n != B->n)
    return prc_fail(err, PRC_INPUT, "a sum of matrices of %d and %d rows, expected equal sizes", A->n, B->n);
  for (int j = 0; j < A->n; j++) nnz = merge_column(j, a, A, b, B, nnz, NULL);
  const prc_status status = prc_sym_create(A->n, nnz, out, err);
  if (status != PRC_OK) return status;
  for (int j = 0; j < A->n; j++) (*out)->p[j + 1] = merge_column(j, a, A, b, B, (*out)->p[j], *out);
  return PRC_OK;
}

typedef struct {
  int row;
  double x;
} entry;

static int by_row(const void *a, const void *b) {
  const int ra = ((const entry *)a)->row, rb = ((const entry *)b)->row;
  return (ra > rb) - (ra < rb);
}

/* Sorts column j of C by rows; `buffer` holds the longest column. */
static void sort_column(prc_sym *C, int j, entry *buffer) {
  const int start = C->p[j], count = C->p[j + 1] - start;
  for (int k = 0; k < count; k++) buffer[k] = (entry){C->i[start + k], C->x[start + k]};
  qsort(buffer, (size_t)count, sizeof *buffer, by_row);
  for (int k = 0; k < count; k++) C->i[start + k] = buffer[k].row, C->x[start + k] = buffer[k].x;
}

/* Calls of the loop over the entries of A that survive the permutation; counts (C = NULL) or places them. */
static void place_entries(const prc_sym *A, const int *inverse, int *next, prc_sym *C) {
  for (int j = 0; j < A->n; j++) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int r = inverse[A->i[k]], c = inverse[j];
      if (r < 0 || c < 0) continue;
      const int column = r < c ? r : c, at = next[column]++;
      if (C) C->i[at] = r < c ? c : r, C->x[at] = A->x[k];
    }
  }
}

/* inverse[perm[k]] = k, -1 for those that are not kept */
static prc_status invert(int n, const int *perm, int n_keep, int *inverse, prc_error *err) {
  for (int i = 0; i < n; i++) inverse[i] = -1;
  for (int k = 0; k < n_keep; k++) {
    if (perm[k] < 0 || perm[k] >= n || inverse[perm[k]] >= 0)
      return prc_fail(err, PRC_INPUT,
                      "place %d of a permutation is %d, expected each of 0 to %d once at most", k, perm[k],
                      n - 1);
    inverse[perm[k]] = k;
  }
  return PRC_OK;
}

prc_status prc_sym_permute(const prc_sym *A, const int *perm, int n_keep, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *C = NULL;
  int *inverse = NULL, *next = NULL, longest = 0;
  entry *buffer = NULL;
  if (n_keep < 0 || n_keep > A->n)
    return prc_fail(err, PRC_INPUT, "%d of %d unknowns are kept, expected at most all", n_keep, A->n);
  prc_try(prc_new(&inverse, A->n, err));
  prc_try(prc_new(&next, n_keep, err));
  prc_try(invert(A->n, perm, n_keep, inverse, err));
  place_entries(A, inverse, next, NULL);
  int nnz = 0;
  for (int k = 0; k < n_keep; k++) nnz += next[k];
  prc_try(prc_sym_create(n_keep, nnz, &C, err));
  for (int k = 0; k < n_keep; k++) {
    if (next[k] > longest) longest = next[k];
    C->p[k + 1] = C->p[k] + next[k];
    next[k] = C->p[k];
  }
  place_entries(A, inverse, next, C);
  prc_try(prc_new(&buffer, longest, err));
  for (int k = 0; k < n_keep; k++) sort_column(C, k, buffer);
  *out = C, C = NULL;
done:
  prc_sym_free(&C);
  prc_delete(&inverse);
  prc_delete(&next);
  prc_delete(&buffer);
  return status;
}
