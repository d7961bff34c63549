#include "config.h"
#include "linear/petsc.h"

/* A as PETSc has it: own rows, with the columns of all; and what of prescribed unknowns goes to the right-hand side. */

int prc_petsc_number(const prc_share *s, int dof) {
  return s->width * s->number[dof / s->width] + dof % s->width;
}

typedef struct {
  int *start, *column;
  double *value;
} rows;

static void free_rows(rows *r) {
  prc_delete(&r->start);
  prc_delete(&r->column);
  prc_delete(&r->value);
}

/* Own rows of A by columns that PETSc counts; what couples prescribed unknowns to others is zero. next: where each row goes on. */
static void fill_rows(const petsc_work *w, const prc_sym *A, const char *part, int *next, rows *to) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int i = A->i[k];
      const double value = i != j && (part[i] == 2 || part[j] == 2) ? 0.0 : A->x[k];
      for (int side = 0; side < (i == j ? 1 : 2); side++) {
        const int row = (side ? j : i) - w->first, column = side ? i : j;
        if (row < 0 || row >= w->n_own) continue;
        const int at = next[row]++;
        if (!to->column) continue;
        to->column[at] = prc_petsc_number(w->share, column), to->value[at] = value;
      }
    }
}

/* Columns of a row ascend; there are few. */
static void sort_row(int n, int *column, double *value) {
  for (int k = 1; k < n; k++) {
    const int c = column[k];
    const double x = value[k];
    int at = k;
    for (; at > 0 && column[at - 1] > c; at--) column[at] = column[at - 1], value[at] = value[at - 1];
    column[at] = c, value[at] = x;
  }
}

static prc_status make_rows(const petsc_work *w, const prc_sym *A, const char *part, rows *out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL;
  prc_try(prc_new(&next, w->n_own, err));
  prc_try(prc_new(&out->start, (size_t)w->n_own + 1, err));
  fill_rows(w, A, part, next, out);
  for (int i = 0; i < w->n_own; i++) out->start[i + 1] = out->start[i] + next[i], next[i] = out->start[i];
  prc_try(prc_new(&out->column, out->start[w->n_own], err));
  prc_try(prc_new(&out->value, out->start[w->n_own], err));
  fill_rows(w, A, part, next, out);
  for (int i = 0; i < w->n_own; i++)
    sort_row(out->start[i + 1] - out->start[i], out->column + out->start[i], out->value + out->start[i]);
done:
  prc_delete(&next);
  return status;
}

prc_status prc_petsc_make_matrix(petsc_work *w, const prc_sym *A, const char *part, prc_error *err) {
  prc_status status = PRC_OK;
  rows own = {0};
  prc_try(make_rows(w, A, part, &own, err));
  for (int i = 0; i < w->n_own; i++)
    if (own.start[i + 1] - own.start[i] > w->widest) w->widest = own.start[i + 1] - own.start[i];
  prc_petsc(MatCreate(w->comm, &w->A));
  prc_petsc(MatSetSizes(w->A, w->n_own, w->n_own, PETSC_DETERMINE, PETSC_DETERMINE));
  prc_petsc(MatSetType(w->A, MATAIJ));
  prc_petsc(MatSetBlockSize(w->A, w->share->width));
  prc_petsc(MatSeqAIJSetPreallocationCSR(w->A, own.start, own.column, own.value));
  prc_petsc(MatMPIAIJSetPreallocationCSR(w->A, own.start, own.column, own.value));
  prc_petsc(MatSetOption(w->A, MAT_SPD, PETSC_TRUE));
  prc_petsc(MatCreateVecs(w->A, &w->x, &w->b));
  prc_petsc(VecDuplicate(w->b, &w->Bb));
done:
  free_rows(&own);
  return status;
}

/* Columns of prescribed unknowns in own free rows; own prescribed ones; the inverse of the diagonal. */
static void visit_prescribed(const petsc_work *w, const prc_sym *A, const char *part, prc_columns *to,
                             int *next) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++)
      for (int side = 0; side < 2; side++) {
        const int column = side ? A->i[k] : j, row = side ? j : A->i[k];
        if (part[column] != 2 || part[row] == 2 || row < w->first || row >= w->first + w->n_own) continue;
        const int at = next[column]++;
        if (to->row) to->row[at] = row - w->first, to->value[at] = A->x[k];
      }
}

prc_status prc_petsc_keep_prescribed(petsc_work *w, const prc_sym *A, const char *part, prc_error *err) {
  prc_status status = PRC_OK;
  prc_columns *c = &w->prescribed;
  int *next = NULL, sum = 0;
  prc_try(prc_new(&next, A->n, err));
  for (int i = 0; i < A->n; i++) c->n += part[i] == 2;
  prc_try(prc_new(&c->dof, c->n, err));
  prc_try(prc_new(&c->diagonal, c->n, err));
  prc_try(prc_new(&c->given, c->n, err));
  prc_try(prc_new(&c->start, (size_t)c->n + 1, err));
  visit_prescribed(w, A, part, c, next);
  for (int i = 0, k = 0; i < A->n; i++) {
    if (part[i] != 2) continue;
    const int count = next[i];
    c->diagonal[k] = A->x[A->p[i]];
    c->dof[k] = i, next[i] = sum, sum += count, c->start[++k] = sum;
  }
  prc_try(prc_new(&c->row, sum, err));
  prc_try(prc_new(&c->value, sum, err));
  visit_prescribed(w, A, part, c, next);
  prc_try(prc_new(&w->inverse, w->n_own, err));
  for (int i = 0; i < w->n_own; i++) {
    const double diagonal = A->x[A->p[w->first + i]];
    if (!(diagonal > 0.0))
      prc_try(prc_fail(err, PRC_SINGULAR, "the matrix is not positive definite (unknown %d)",
                       prc_petsc_number(w->share, w->first + i)));
    w->inverse[i] = 1.0 / diagonal;
  }
done:
  prc_delete(&next);
  return status;
}
