#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <string.h>

/* Frame of all operators that eliminate: the order, the prescribed columns, and the action of impulses on the
 * tail. A step passes twice over
 * the unknowns in a permuted order, with the right-hand side in and with the solution out. */

void prc_frame_free(prc_frame *f) {
  prc_delete(&f->perm);
  prc_delete(&f->tail_place);
  prc_delete(&f->column_start);
  prc_delete(&f->column_row);
  prc_delete(&f->column_value);
  prc_delete(&f->next);
  prc_delete(&f->inverse);
  prc_delete(&f->y);
  prc_delete(&f->pull);
  prc_delete(&f->kick);
  prc_delete(&f->line);
  prc_delete(&f->by_start);
  prc_delete(&f->by);
  prc_delete(&f->met);
}

static prc_status find_order(const prc_sym *A, const char *part, prc_order_of order, prc_frame *f,
                             prc_error *err) {
  prc_status status = PRC_OK;
  int *wide = NULL;
  prc_try(prc_new(&wide, A->n, err));
  for (int i = 0; i < A->n; i++) {
    wide[i] = (unsigned char)part[i];
    f->n_lead += part[i] == 0, f->n_tail += part[i] == 1;
  }
  f->n = A->n, f->n_free = f->n_lead + f->n_tail;
  prc_try(prc_new(&f->perm, A->n, err));
  status = order(A, wide, f->perm, &f->ordering, err);
done:
  prc_delete(&wide);
  return status;
}

/* Data that follow from the order. */
static prc_status make_room(prc_frame *f, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_tail = f->n_tail;
  prc_try(prc_new(&f->tail_place, f->n, err));
  for (int k = 0; k < f->n; k++)
    f->tail_place[f->perm[k]] = k >= f->n_lead && k < f->n_free ? k - f->n_lead : -1;
  prc_try(prc_new(&f->y, f->n, err));
  prc_try(prc_new(&f->pull, n_tail, err));
  prc_try(prc_new(&f->kick, n_tail, err));
  prc_try(prc_new(&f->line, n_tail, err));
  prc_try(prc_new(&f->by_start, (size_t)n_tail + 1, err));
done:
  return status; /* the caller frees what was made */
}

prc_status prc_frame_create(const prc_sym *A, const char *part, prc_order_of order, prc_frame *f,
                            prc_error *err) {
  for (int i = 0; i < A->n; i++)
    if (part[i] < 0 || part[i] > 2)
      return prc_fail(err, PRC_INPUT, "unknown %d is in part %d, expected 0, 1 or 2", i, part[i]);
  const prc_status status = find_order(A, part, order, f, err);
  return status == PRC_OK ? make_room(f, err) : status;
}

prc_status prc_frame_create_like(const prc_frame *other, prc_frame *f, prc_error *err) {
  f->n = other->n, f->n_free = other->n_free, f->n_lead = other->n_lead, f->n_tail = other->n_tail;
  f->ordering = other->ordering;
  const prc_status status = prc_new(&f->perm, f->n, err);
  if (status == PRC_OK && f->n > 0) memcpy(f->perm, other->perm, (size_t)f->n * sizeof *f->perm);
  return status == PRC_OK ? make_room(f, err) : status;
}

size_t prc_frame_bytes(const prc_frame *f) {
  const size_t n = (size_t)f->n, m = (size_t)f->n_tail;
  const size_t columns = f->column_start ? (size_t)f->column_start[f->n - f->n_free] : 0;
  return n * (2 * sizeof(int) + sizeof(double)) + m * (3 * sizeof(double) + sizeof(int))
         + columns * (sizeof(int) + sizeof(double)) + (f->by_room + f->met_room) * sizeof(int);
}

/* ---- prescribed columns ------------------------------------------------------------------------------------------------ */

/* Visits the entries of A that are in a free row and a prescribed column, each column's by free rows; counts them or stores them. */
static void visit_prescribed(prc_frame *f, const prc_sym *A, const int *inverse, int *next, int store) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int a = inverse[A->i[k]], b = inverse[j];
      const int row = a < b ? a : b, column = (a < b ? b : a) - f->n_free;
      if (column < 0 || row >= f->n_free) continue;
      const int at = next[column]++;
      if (store) f->column_row[at] = row, f->column_value[at] = A->x[k];
    }
}

static prc_status find_prescribed(prc_frame *f, const prc_sym *A, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_prescribed = f->n - f->n_free;
  prc_try(prc_new(&f->next, n_prescribed, err));
  prc_try(prc_new(&f->inverse, f->n, err));
  prc_try(prc_new(&f->column_start, (size_t)n_prescribed + 1, err));
  for (int k = 0; k < f->n; k++) f->inverse[f->perm[k]] = k;
  visit_prescribed(f, A, f->inverse, f->next, 0);
  for (int r = 0; r < n_prescribed; r++) f->column_start[r + 1] = f->column_start[r] + f->next[r];
  prc_try(prc_new(&f->column_row, f->column_start[n_prescribed], err));
  prc_try(prc_new(&f->column_value, f->column_start[n_prescribed], err));
done:
  return status; /* the frame frees what was made */
}

static prc_status load_prescribed(prc_frame *f, const prc_sym *A, prc_error *err) {
  const int n_prescribed = f->n - f->n_free;
  const prc_status status = n_prescribed > 0 && !f->inverse ? find_prescribed(f, A, err) : PRC_OK;
  if (status != PRC_OK || n_prescribed == 0) return status;
  memcpy(f->next, f->column_start, (size_t)n_prescribed * sizeof *f->next);
  visit_prescribed(f, A, f->inverse, f->next, 1);
  return PRC_OK;
}

prc_status prc_frame_prescribe(prc_frame *f, const prc_sym *A, prc_sym **inner, prc_error *err) {
  const prc_status status = load_prescribed(f, A, err);
  return status == PRC_OK ? prc_sym_permute(A, f->perm, f->n_free, inner, err) : status;
}

/* By a matrix of their numbers in A. */
static prc_status find_places(const prc_frame *f, const prc_sym *A, prc_sym **inner, int **from,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym numbers = *A, *found = NULL;
  double *x = NULL;
  prc_try(prc_new(&x, prc_sym_nnz(A), err));
  for (int k = 0; k < prc_sym_nnz(A); k++) x[k] = k;
  numbers.x = x;
  prc_try(prc_sym_permute(&numbers, f->perm, f->n_free, &found, err));
  prc_delete(from);
  prc_try(prc_new(from, prc_sym_nnz(found), err));
  for (int k = 0; k < prc_sym_nnz(found); k++) (*from)[k] = (int)found->x[k];
  *inner = found, found = NULL;
done:
  prc_sym_free(&found);
  prc_delete(&x);
  return status;
}

prc_status prc_frame_refill(prc_frame *f, const prc_sym *A, prc_sym **inner, int **from, prc_error *err) {
  prc_status status = load_prescribed(f, A, err);
  if (status == PRC_OK && !*inner) status = find_places(f, A, inner, from, err);
  for (int k = 0; status == PRC_OK && k < prc_sym_nnz(*inner); k++) (*inner)->x[k] = A->x[(*from)[k]];
  return status;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------ */

/* y[k] := x[perm[k]] and back, four at a time: half the instructions */
static void gather(int n, const int *restrict perm, const double *restrict x, double *restrict y) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    y[k] = x[perm[k]], y[k + 1] = x[perm[k + 1]];
    y[k + 2] = x[perm[k + 2]], y[k + 3] = x[perm[k + 3]];
  }
  for (; k < n; k++) y[k] = x[perm[k]];
}

static void scatter(int n, const int *restrict perm, const double *restrict y, double *restrict x) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    x[perm[k]] = y[k], x[perm[k + 1]] = y[k + 1];
    x[perm[k + 2]] = y[k + 2], x[perm[k + 3]] = y[k + 3];
  }
  for (; k < n; k++) x[perm[k]] = y[k];
}

void prc_frame_enter(prc_frame *f, const double *x) {
  double *y = f->y;
  gather(f->n, f->perm, x, y);
  for (int r = 0; r < f->n - f->n_free; r++) {
    const double value = y[f->n_free + r];
    if (value == 0.0) continue;
    for (int at = f->column_start[r]; at < f->column_start[r + 1]; at++)
      y[f->column_row[at]] -= f->column_value[at] * value;
  }
}

void prc_frame_leave_tail(const prc_frame *f, double *x) {
  scatter(f->n_tail, f->perm + f->n_lead, f->y + f->n_lead, x);
}

void prc_frame_leave(const prc_frame *f, double *x) {
  scatter(f->n, f->perm, f->y, x);
}

int prc_frame_pull(prc_frame *f, const prc_rows *H, int n, const int *list, double scale, const double *p) {
  const int dim = H ? H->dim : 0;
  int pulled = 0;
  memset(f->pull, 0, (size_t)f->n_tail * sizeof *f->pull);
  for (int i = 0; H && i < n; i++) {
    const int c = list ? list[i] : i, *dof = H->dof + H->start[c], count = H->start[c + 1] - H->start[c];
    const double *row = H->x + dim * H->start[c];
    for (int r = 0; r < dim; r++, row += count)
      for (int d = 0; d < count; d++) {
        const int at = f->tail_place[dof[d]];
        if (at >= 0) f->pull[at] += row[d] * p[dim * c + r];
      }
  }
  for (int k = 0; n > 0 && k < f->n_tail; k++) pulled |= (f->pull[k] *= scale) != 0.0;
  return pulled;
}

void prc_frame_kick(prc_frame *f, const prc_tail *S) {
  memset(f->kick, 0, (size_t)f->n_tail * sizeof *f->kick);
  for (int k = 0; k < f->n_tail; k++)
    if (f->pull[k] != 0.0) prc_tail_add_row(S, k, f->pull[k], f->kick);
}
