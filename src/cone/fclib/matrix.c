#include "config.h"
#include "cone/fclib.h"
#include "cone/fclib/internal.h"
#include "linear/linear.h"

#include <stdio.h>
#include <string.h>

/* ---- matrices ------------------------------------------------------------------------------- */

/* order := the positions of from[] such that key[order[]] ascends; what has the same key keeps its order.
 * start: room for n_keys + 1. */
static void sort_stably(int count, const int *from, const int *key, int n_keys, int *start, int *order) {
  memset(start, 0, ((size_t)n_keys + 1) * sizeof *start);
  for (int k = 0; k < count; k++) start[key[k] + 1]++;
  for (int j = 0; j < n_keys; j++) start[j + 1] += start[j];
  for (int k = 0; k < count; k++) order[start[key[from[k]]]++] = from[k];
}

prc_status prc_fclib_matrix_set(prc_fclib_matrix *A, int n_rows, int n_cols, int count, const int *row,
                                const int *col, const double *x, prc_error *err) {
  prc_status status = PRC_OK;
  const int longest = n_rows > n_cols ? n_rows : n_cols;
  int *start = NULL, *by_row = NULL, *by_column = NULL;
  prc_try(prc_new(&start, (size_t)longest + 1, err));
  prc_try(prc_new(&by_row, count, err));
  prc_try(prc_new(&by_column, count, err));
  prc_try(prc_new(&A->p, (size_t)n_cols + 1, err));
  prc_try(prc_new(&A->i, count, err));
  prc_try(prc_new(&A->x, count, err));
  A->n_rows = n_rows, A->n_cols = n_cols;
  for (int k = 0; k < count; k++) by_column[k] = k; /* as given */
  sort_stably(count, by_column, row, n_rows, start, by_row);
  sort_stably(count, by_row, col, n_cols, start, by_column);
  int n = 0;
  for (int k = 0; k < count; k++) {
    const int e = by_column[k], before = k > 0 ? by_column[k - 1] : -1;
    if (before >= 0 && row[before] == row[e] && col[before] == col[e]) {
      A->x[n - 1] += x[e];
      continue;
    }
    A->i[n] = row[e], A->x[n] = x[e], n++;
    A->p[col[e] + 1] = n;
  }
  for (int j = 0; j < n_cols; j++)
    if (A->p[j + 1] < A->p[j]) A->p[j + 1] = A->p[j]; /* an empty column */
done:
  prc_delete(&start);
  prc_delete(&by_row);
  prc_delete(&by_column);
  return status;
}

void prc_fclib_matrix_clear(prc_fclib_matrix *A) {
  prc_delete(&A->p);
  prc_delete(&A->i);
  prc_delete(&A->x);
}

void prc_fclib_matrix_multiply_add(const prc_fclib_matrix *A, double a, const double *x, double *y) {
  for (int j = 0; j < A->n_cols; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) y[A->i[k]] += a * A->x[k] * x[j];
}

void prc_fclib_matrix_multiply_add_transposed(const prc_fclib_matrix *A, double a, const double *x,
                                              double *y) {
  for (int j = 0; j < A->n_cols; j++) {
    double sum = 0.0;
    for (int k = A->p[j]; k < A->p[j + 1]; k++) sum += A->x[k] * x[A->i[k]];
    y[j] += a * sum;
  }
}

/* ---- the problem ---------------------------------------------------------------------------- */

static void state_clear(prc_fclib_state *s) {
  prc_delete(&s->p);
  prc_delete(&s->w);
  prc_delete(&s->v);
}

void prc_fclib_free(prc_fclib **problem) {
  prc_fclib *f = *problem;
  if (!f) return;
  prc_fclib_matrix_clear(&f->W);
  prc_fclib_matrix_clear(&f->M);
  prc_fclib_matrix_clear(&f->H);
  prc_lu_free(&f->factor);
  prc_cone_whole_free(&f->whole);
  for (int k = 0; k < f->n_guesses; k++) state_clear(&f->guess[k]);
  state_clear(&f->solution);
  prc_delete(&f->guess);
  prc_delete(&f->mu);
  prc_delete(&f->b);
  prc_delete(&f->f);
  prc_delete(&f->w0);
  prc_delete(&f->path);
  prc_delete(&f->title);
  prc_delete(&f->description);
  prc_delete(&f->math_info);
  prc_delete(&f->dense);
  prc_delete(&f->blocks.row_start);
  prc_delete(&f->blocks.column);
  prc_delete(&f->blocks.values);
  prc_delete(problem);
}

prc_status prc_fclib_dense(prc_fclib *problem, prc_cone_problem *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_fclib_condense(problem, err));
  const prc_fclib_matrix *W = &problem->W;
  const size_t n = (size_t)W->n_cols;
  if (!problem->dense) {
    prc_try(prc_new(&problem->dense, n * n, err));
    for (size_t j = 0; j < n; j++)
      for (int k = W->p[j]; k < W->p[j + 1]; k++) problem->dense[(size_t)W->i[k] * n + j] = W->x[k];
  }
  *out = (prc_cone_problem){
      .dim = problem->dim, .n = problem->n, .W = problem->dense, .b = problem->b, .mu = problem->mu};
done:
  return status;
}

/* Visits the blocks of W column after column, the diagonal block always. place[r] of n: the number of the
 * block in row r of the present column, for those with seen[r] = the column. Counts per row into count[r +
 * 1] when values is NULL, else fills from where next[r] points. */
static void walk_blocks(const prc_fclib *f, int *seen, int *place, int *next, int *column, double *values) {
  const prc_fclib_matrix *W = &f->W;
  const int dim = f->dim;
  for (int r = 0; r < f->n; r++) seen[r] = -1;
  for (int c = 0; c < f->n; c++) {
    seen[c] = c, place[c] = next[c]++;
    if (values) column[place[c]] = c;
    for (int k = W->p[dim * c]; k < W->p[dim * c + dim]; k++) {
      const int r = W->i[k] / dim;
      if (seen[r] == c) continue;
      seen[r] = c, place[r] = next[r]++;
      if (values) column[place[r]] = c;
    }
    for (int j = 0; values && j < dim; j++)
      for (int k = W->p[dim * c + j]; k < W->p[dim * c + j + 1]; k++)
        values[(size_t)place[W->i[k] / dim] * (size_t)dim * (size_t)dim + (size_t)(W->i[k] % dim * dim + j)] =
            W->x[k];
  }
}

prc_status prc_fclib_blocks(prc_fclib *problem, prc_cone_problem *out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)problem->n, dim = (size_t)problem->dim;
  prc_cone_blocks B = {NULL, NULL, NULL};
  int *seen = NULL, *place = NULL, *next = NULL;
  prc_try(prc_fclib_condense(problem, err));
  if (!problem->blocks.row_start) {
    prc_try(prc_new(&seen, n, err));
    prc_try(prc_new(&place, n, err));
    prc_try(prc_new(&next, n, err));
    prc_try(prc_new(&B.row_start, n + 1, err));
    walk_blocks(problem, seen, place, next, NULL, NULL);
    for (size_t r = 0; r < n; r++) B.row_start[r + 1] = B.row_start[r] + next[r], next[r] = B.row_start[r];
    const size_t n_blocks = (size_t)B.row_start[n];
    prc_try(prc_new(&B.column, n_blocks, err));
    prc_try(prc_new(&B.values, n_blocks * dim * dim, err));
    walk_blocks(problem, seen, place, next, B.column, B.values);
    problem->blocks = B;
    B = (prc_cone_blocks){NULL, NULL, NULL};
  }
  *out = (prc_cone_problem){
      .dim = problem->dim, .n = problem->n, .b = problem->b, .mu = problem->mu, .blocks = &problem->blocks};
done:
  prc_delete(&seen);
  prc_delete(&place);
  prc_delete(&next);
  prc_delete(&B.row_start);
  prc_delete(&B.column);
  prc_delete(&B.values);
  return status;
}

prc_status prc_fclib_problem(prc_fclib *problem, prc_cone_problem *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_fclib_condense(problem, err));
  const double n_rows = (double)problem->dim * problem->n, entries = problem->W.p[problem->W.n_cols];
  const int sparse = n_rows > 100.0 && entries < 0.25 * n_rows * n_rows;
  prc_try(sparse ? prc_fclib_blocks(problem, out, err) : prc_fclib_dense(problem, out, err));
done:
  return status;
}
