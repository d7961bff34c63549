#include "config.h"
#include "linear/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* S^-1 = X'X, X = L_tt^-1, by sparse columns, where it falls off: with independent bodies, whose unknowns have nothing to do with each
 * other, and in steps that are short against the time a wave takes along the contacts. Neither S^-1 nor L_tt is ever made dense then: what
 * is needed beside the factor is what is kept. With many entries it gives up, and tail.c does it densely.
 *
 * What is left out cannot be seen in S^-1, whose entries count above eps/n sqrt(S^-1_ii S^-1_jj), n being the unknowns of the tail:
 *   l_ij where |l_ij| <= eps/n |row i of L_tt|: changes S_ik by at most eps/sqrt(n) sqrt(S_ii S_kk), less than the rounding of L does;
 *   x_jc where |x_jc| l_cc <= eps/n^2: with X L = I + R, |R_jc| <= eps/n^2, X is off by R X, so column c by at most
 *   eps/n |column c of X|, whose square is S^-1_cc, and S^-1_ij by what does not count. */

/* Columns of a lower triangle that grow: column c is row[begin[c]] .. row[end[c]-1]. */
typedef struct {
  size_t *begin, *end, count, row_room, x_room;
  int *row;
  double *x;
} columns;

static void columns_free(columns *C) {
  prc_delete(&C->begin);
  prc_delete(&C->end);
  prc_delete(&C->row);
  prc_delete(&C->x);
}

static prc_status columns_create(columns *C, int n, prc_error *err) {
  const prc_status status = prc_new(&C->begin, n, err);
  return status == PRC_OK ? prc_new(&C->end, n, err) : status;
}

/* Room for so many entries more. */
static prc_status reserve(columns *C, size_t more, prc_error *err) {
  const prc_status status = prc_grow(&C->row, &C->row_room, C->count + more, sizeof *C->row, err);
  return status == PRC_OK ? prc_grow(&C->x, &C->x_room, C->count + more, sizeof *C->x, err) : status;
}

static void append(columns *C, int row, double x) {
  C->row[C->count] = row, C->x[C->count++] = x;
}

/* A column as it is being summed up. */
typedef struct {
  double *value; /* n */
  int *list;     /* n: rows that were met, in this order */
  int *met;      /* n: by which column, last */
  int count;
} sum;

static void sum_free(sum *s) {
  prc_delete(&s->value);
  prc_delete(&s->list);
  prc_delete(&s->met);
}

static prc_status sum_create(sum *s, int n, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&s->value, n, err));
  prc_try(prc_new(&s->list, n, err));
  prc_try(prc_new(&s->met, n, err));
done:
  return status;
}

static void sum_begin(sum *s, int n) {
  for (int i = 0; i < n; i++) s->met[i] = -1;
}

static inline void sum_add(sum *s, int column, int row, double value) {
  if (s->met[row] != column) s->met[row] = column, s->list[s->count++] = row, s->value[row] = 0.0;
  s->value[row] += value;
}

/* ---- L_tt --------------------------------------------------------------------------------------------------------- */

/* L_tt by columns, the diagonal first, without what cannot be seen. *enough: 0 where it has more entries than `most`. */
static prc_status extract_factor(const cholmod_factor *L, int n, size_t most, columns *C, int *enough,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  const int n_lead = (int)L->n - n;
  double *size = NULL; /* of the rows, squared */
  size_t super = 0;
  prc_try(prc_new(&size, n, err));
  prc_try(columns_create(C, n, err));
  for (int j = 0; j < n; j++) {
    const prc_factor_column column = prc_column_of_factor(L, n_lead + j, &super);
    for (int k = 0; k < column.count; k++) size[column.row[k] - n_lead] += column.x[k] * column.x[k];
  }
  for (int i = 0; i < n; i++) size[i] = DBL_EPSILON / n * sqrt(size[i]);
  super = 0, *enough = 1;
  for (int j = 0; *enough && j < n; j++) {
    const prc_factor_column column = prc_column_of_factor(L, n_lead + j, &super);
    prc_try(reserve(C, (size_t)column.count, err));
    C->begin[j] = C->count;
    for (int k = 0; k < column.count; k++)
      if (k == 0 || fabs(column.x[k]) > size[column.row[k] - n_lead])
        append(C, column.row[k] - n_lead, column.x[k]);
    C->end[j] = C->count;
    *enough = C->count <= most;
  }
done:
  prc_delete(&size);
  return status;
}

/* ---- X = L_tt^-1 ------------------------------------------------------------------------------------------------------ */

/* From the last column to the first, by X L = I: X_c l_cc = e_c - sum_{i > c} l_ic X_i. */
static prc_status invert_triangle(const columns *L, int n, size_t most, columns *X, int *enough,
                                  prc_error *err) {
  prc_status status = PRC_OK;
  const double least = DBL_EPSILON / n / n;
  sum s = {0};
  prc_try(sum_create(&s, n, err));
  prc_try(columns_create(X, n, err));
  sum_begin(&s, n);
  *enough = 1;
  for (int c = n - 1; *enough && c >= 0; c--) {
    const double inverse = 1.0 / L->x[L->begin[c]];
    s.count = 0;
    for (size_t k = L->begin[c] + 1; k < L->end[c]; k++) {
      const int i = L->row[k];
      for (size_t at = X->begin[i]; at < X->end[i]; at++) sum_add(&s, c, X->row[at], -L->x[k] * X->x[at]);
    }
    prc_try(reserve(X, (size_t)s.count + 1, err));
    X->begin[c] = X->count;
    append(X, c, inverse);
    for (int k = 0; k < s.count; k++)
      if (fabs(s.value[s.list[k]]) > least) append(X, s.list[k], s.value[s.list[k]] * inverse);
    X->end[c] = X->count;
    *enough = X->count <= most;
  }
done:
  sum_free(&s);
  return status;
}

/* ---- X'X --------------------------------------------------------------------------------------------------------------- */

/* X by rows, columns ascending: row r is column[start[r]] .. column[start[r+1]-1]. */
typedef struct {
  size_t *start, *next;
  int *column;
  double *x;
} rows;

static void rows_free(rows *R) {
  prc_delete(&R->start);
  prc_delete(&R->next);
  prc_delete(&R->column);
  prc_delete(&R->x);
}

static prc_status turn(const columns *X, int n, rows *R, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&R->start, (size_t)n + 1, err));
  prc_try(prc_new(&R->next, n, err));
  prc_try(prc_new(&R->column, X->count, err));
  prc_try(prc_new(&R->x, X->count, err));
  for (size_t k = 0; k < X->count; k++) R->start[X->row[k] + 1]++;
  for (int r = 0; r < n; r++) R->next[r] = R->start[r], R->start[r + 1] += R->start[r];
  for (int c = 0; c < n; c++)
    for (size_t k = X->begin[c]; k < X->end[c]; k++) {
      const size_t at = R->next[X->row[k]]++;
      R->column[at] = c, R->x[at] = X->x[k];
    }
  memcpy(R->next, R->start, (size_t)n * sizeof *R->next);
done:
  return status;
}

/* The columns of the lower triangle of X'X, what counts of them: column c from the rows that it has entries in, from c on. */
static prc_status square(const columns *X, int n, size_t most, columns *Z, int *enough, prc_error *err) {
  prc_status status = PRC_OK;
  sum s = {0};
  rows R = {0};
  double *size = NULL;
  prc_try(sum_create(&s, n, err));
  prc_try(columns_create(Z, n, err));
  prc_try(prc_new(&size, n, err));
  prc_try(turn(X, n, &R, err));
  sum_begin(&s, n);
  for (int c = 0; c < n; c++) {
    for (size_t k = X->begin[c]; k < X->end[c]; k++) size[c] += X->x[k] * X->x[k];
    size[c] = sqrt(size[c]);
  }
  *enough = 1;
  for (int c = 0; *enough && c < n; c++) {
    s.count = 0;
    for (size_t k = X->begin[c]; k < X->end[c]; k++) {
      const int r = X->row[k];
      for (size_t at = R.next[r]; at < R.start[r + 1]; at++) sum_add(&s, c, R.column[at], X->x[k] * R.x[at]);
      R.next[r]++; /* it stood at column c */
    }
    prc_try(reserve(Z, (size_t)s.count, err));
    Z->begin[c] = Z->count;
    for (int k = 0; k < s.count; k++) {
      const int a = s.list[k];
      if (a == c || fabs(s.value[a]) > DBL_EPSILON / n * (size[a] * size[c])) append(Z, a, s.value[a]);
    }
    Z->end[c] = Z->count;
    *enough = Z->count <= most;
  }
done:
  sum_free(&s);
  rows_free(&R);
  prc_delete(&size);
  return status;
}

/* Both triangles by rows, ascending: to the rows of the lower triangle come those of the upper one behind. */
static prc_status unfold(const columns *Z, int n, prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  size_t *start = NULL, *next = NULL;
  int *column = NULL;
  double *value = NULL;
  const size_t total = 2 * Z->count - (size_t)n;
  prc_try(prc_new(&start, (size_t)n + 1, err));
  prc_try(prc_new(&next, n, err));
  prc_try(prc_new(&column, total, err));
  prc_try(prc_new(&value, total, err));
  for (int c = 0; c < n; c++)
    for (size_t k = Z->begin[c]; k < Z->end[c]; k++) start[Z->row[k] + 1]++, start[c + 1] += Z->row[k] != c;
  for (int r = 0; r < n; r++) next[r] = start[r], start[r + 1] += start[r];
  for (int c = 0; c < n; c++)
    for (size_t k = Z->begin[c]; k < Z->end[c]; k++) {
      const size_t at = next[Z->row[k]]++;
      column[at] = c, value[at] = Z->x[k];
    }
  for (int r = 0; r < n; r++)
    for (size_t k = start[r]; column[k] < r; k++) {
      const size_t at = next[column[k]]++;
      column[at] = r, value[at] = value[k];
    }
  status = prc_tail_of_rows(n, &start, &column, &value, out, err);
done:
  prc_delete(&start);
  prc_delete(&next);
  prc_delete(&column);
  prc_delete(&value);
  return status;
}

prc_status prc_tail_try_sparse(const cholmod_factor *L, int n, size_t most, prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t triangle = (most + (size_t)n) / 2;
  columns C = {0}, X = {0}, Z = {0};
  int enough = 0;
  *out = NULL;
  prc_try(extract_factor(L, n, 2 * triangle, &C, &enough, err));
  if (enough) prc_try(invert_triangle(&C, n, 2 * triangle, &X, &enough, err));
  columns_free(&C);
  C = (columns){0};
  if (enough) prc_try(square(&X, n, triangle, &Z, &enough, err));
  columns_free(&X);
  X = (columns){0};
  if (enough) status = unfold(&Z, n, out, err);
done:
  columns_free(&C);
  columns_free(&X);
  columns_free(&Z);
  return status;
}

/* ---- from columns that are solved for --------------------------------------------------------------------------------------- */

/* The columns as they come, of which nothing is left out that may count: S^-1_rr is at least least[r]^2. */
static prc_status solve_columns(int n, const double *least, prc_tail_solve solve, void *of, size_t most,
                                columns *C, int *enough, prc_error *err) {
  prc_status status = PRC_OK;
  double *x = NULL;
  prc_try(prc_new(&x, n, err));
  prc_try(columns_create(C, n, err));
  *enough = 1;
  for (int c = 0; *enough && c < n; c++) {
    solve(of, c, x);
    prc_try(reserve(C, (size_t)n, err));
    const double bound = DBL_EPSILON / n * sqrt(fmax(x[c], 0.0));
    C->begin[c] = C->count;
    for (int r = 0; r < n; r++)
      if (r == c || fabs(x[r]) > bound * least[r]) append(C, r, x[r]);
    C->end[c] = C->count;
    *enough = C->count <= most;
  }
done:
  prc_delete(&x);
  return status;
}

/* Column c of the lower triangle: half the sum of column and row c of C, which are equal but for rounding. */
static prc_status join(const columns *C, const rows *R, int n, const double *diagonal, columns *Z,
                       prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(columns_create(Z, n, err));
  for (int c = 0; c < n; c++) {
    size_t a = C->begin[c], b = R->start[c];
    prc_try(reserve(Z, C->end[c] - a + R->start[c + 1] - b, err));
    Z->begin[c] = Z->count;
    while (a < C->end[c] || b < R->start[c + 1]) {
      const int ra = a < C->end[c] ? C->row[a] : n, rb = b < R->start[c + 1] ? R->column[b] : n;
      const int row = ra < rb ? ra : rb;
      const double x = ra == row ? C->x[a++] : R->x[b], y = rb == row ? R->x[b++] : x, mean = 0.5 * (x + y);
      if (row == c || (row > c && fabs(mean) > DBL_EPSILON / n * sqrt(diagonal[row] * diagonal[c])))
        append(Z, row, mean);
    }
    Z->end[c] = Z->count;
  }
done:
  return status;
}

prc_status prc_tail_try_columns(int n, const double *least, prc_tail_solve solve, void *of, size_t most,
                                prc_tail **out, prc_error *err) {
  prc_status status = PRC_OK;
  columns C = {0}, Z = {0};
  rows R = {0};
  double *diagonal = NULL;
  int enough = 0;
  *out = NULL;
  prc_try(solve_columns(n, least, solve, of, most, &C, &enough, err));
  if (!enough) goto done;
  prc_try(turn(&C, n, &R, err));
  prc_try(prc_new(&diagonal, n, err));
  for (int c = 0; c < n; c++)
    for (size_t k = C.begin[c]; k < C.end[c]; k++)
      if (C.row[k] == c) diagonal[c] = fmax(C.x[k], 0.0);
  prc_try(join(&C, &R, n, diagonal, &Z, err));
  columns_free(&C);
  C = (columns){0};
  status = unfold(&Z, n, out, err);
done:
  columns_free(&C);
  columns_free(&Z);
  rows_free(&R);
  prc_delete(&diagonal);
  return status;
}
