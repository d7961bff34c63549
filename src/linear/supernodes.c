#include "config.h"
#include "linear/internal.h"

#include <math.h>
#include <string.h>

/* A large factor is made by supernodes, groups of columns that share their rows: a dense block each, by columns, whose first
 * rows are its triangle. Panels are what substitutions are fast with, and there is no room for both; so the blocks become
 * panels where they stand, first to last. A block gives less than it takes (its upper triangle goes), hence what is written
 * never reaches a block that has not been read. The lists of rows stay as they are: every panel of a supernode uses the end
 * of its list. */

typedef struct {
  int first, width, rows; /* columns; rows of the block */
  int row_start;          /* where its list of rows begins */
  size_t at;              /* where its block begins */
} supernode;

static supernode supernode_at(const cholmod_factor *L, size_t k) {
  const int *super = L->super, *pi = L->pi, *px = L->px;
  return (supernode){super[k], super[k + 1] - super[k], pi[k + 1] - pi[k], pi[k], (size_t)px[k]};
}

static int lesser(int a, int b) {
  return a < b ? a : b;
}

double prc_supernodes_weakest_pivot(const cholmod_factor *L, const prc_sym *A) {
  const double *x = L->x;
  double weakest = 1.0;
  for (size_t k = 0; k < L->nsuper; k++) {
    const supernode S = supernode_at(L, k);
    for (int c = 0; c < S.width; c++) {
      const double pivot = x[S.at + (size_t)c * ((size_t)S.rows + 1)];
      weakest = fmin(weakest, pivot * pivot / A->x[A->p[S.first + c]]);
    }
  }
  return weakest;
}

prc_factor_column prc_column_of_factor(const cholmod_factor *L, int j, size_t *super) {
  if (!L->is_super) {
    const int *p = L->p;
    return (prc_factor_column){p[j + 1] - p[j], (const int *)L->i + p[j], (const double *)L->x + p[j]};
  }
  supernode S = supernode_at(L, *super);
  while (S.first + S.width <= j) S = supernode_at(L, ++*super);
  const int c = j - S.first;
  return (prc_factor_column){S.rows - c, (const int *)L->s + S.row_start + c,
                             (const double *)L->x + S.at + (size_t)c * ((size_t)S.rows + 1)};
}

/* Columns c .. c+w-1 of a block, by rows: the triangle with zeros above it, then the rows below. */
static double *write_panel(int w, int c, int rows, const double *block, double *out) {
  for (int r = c; r < rows; r++)
    for (int j = c; j < c + w; j++) *out++ = j > r ? 0.0 : block[(size_t)j * (size_t)rows + (size_t)r];
  return out;
}

static void pack(prc_panels *A, const cholmod_factor *L, int n_lead, double *block) {
  double *out = A->x;
  int panel = 0;
  for (size_t k = 0; k < L->nsuper; k++) {
    const supernode S = supernode_at(L, k);
    const int leading = lesser(S.width, n_lead - S.first);
    if (leading <= 0) break;
    memcpy(block, A->x + S.at, (size_t)leading * (size_t)S.rows * sizeof *block);
    for (int c = 0, w; c < leading; c += w, panel++) {
      w = lesser(PRC_PANEL_MAX, leading - c);
      out = write_panel(w, c, S.rows, block, out);
      A->first[panel + 1] = S.first + c + w;
      A->row_start[panel] = S.row_start + c + w;
      A->below[panel] = S.rows - c - w;
      A->start[panel + 1] = (size_t)(out - A->x);
    }
  }
}

/* SuiteSparse may have been given other functions than malloc and free: what it allocated only it can make smaller or free. */
static void borrow(prc_panels *A, cholmod_factor *L) {
  A->x = L->x, A->n_borrowed[1] = L->xsize;
  A->row = L->s, A->n_borrowed[0] = L->ssize;
  L->x = NULL, L->xsize = 0, L->s = NULL, L->ssize = 0;
}

/* The numbers are those of panels, and will be overwritten. */
void prc_supernodes_return(prc_panels *A, cholmod_factor *L, const size_t size[2], cholmod_common *common) {
  if (A->n_borrowed[1] == 0) return;
  A->x = cholmod_realloc(size[1], sizeof *A->x, A->x, &A->n_borrowed[1], common);
  if (A->n_borrowed[1] < size[1]) return; /* common says that memory has run out */
  L->x = A->x, L->xsize = size[1], A->x = NULL;
  L->s = A->row, L->ssize = size[0], A->row = NULL;
  A->n_borrowed[0] = A->n_borrowed[1] = 0;
}

void prc_supernodes_give_back(prc_panels *A) {
  cholmod_common common;
  prc_cholmod_begin(&common);
  A->row = cholmod_free(A->n_borrowed[0], sizeof *A->row, A->row, &common);
  A->x = cholmod_free(A->n_borrowed[1], sizeof *A->x, A->x, &common);
  A->n_borrowed[0] = A->n_borrowed[1] = 0;
  cholmod_finish(&common);
}

prc_status prc_panels_from_supernodes(cholmod_factor *L, int n_lead, cholmod_common *common, prc_panels **out,
                                      prc_error *err) {
  prc_status status = PRC_OK;
  prc_panels *A = NULL;
  double *block = NULL;
  size_t largest = 0;
  prc_try(prc_new(&A, 1, err));
  A->n = (int)L->n;
  for (size_t k = 0; k < L->nsuper; k++) {
    const supernode S = supernode_at(L, k);
    const int leading = lesser(S.width, n_lead - S.first);
    if (leading <= 0) break;
    A->n_panels += (leading + PRC_PANEL_MAX - 1) / PRC_PANEL_MAX;
    if ((size_t)leading * (size_t)S.rows > largest) largest = (size_t)leading * (size_t)S.rows;
  }
  prc_try(prc_new(&block, largest, err));
  prc_try(prc_panels_allocate(A, err));
  borrow(A, L);
  pack(A, L, n_lead, block);
  const size_t used = A->start[A->n_panels];
  A->x = cholmod_realloc(used ? used : 1, sizeof *A->x, A->x, &A->n_borrowed[1],
                         common); /* the same where it fails */
  *out = A, A = NULL;
done:
  prc_delete(&block);
  prc_panels_free(&A);
  return status;
}
