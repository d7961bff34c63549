#include "config.h"
#include "linear/internal.h"

#include <string.h>

/* ---- packing ----------------------------------------------------------------------------------------------- */

/* Column j + 1 continues a panel that ends with column j when its rows are those of j without j itself. */
static int continues(const int *p, const int *i, int j) {
  const int count = p[j + 1] - p[j] - 1;
  if (p[j + 2] - p[j + 1] != count) return 0;
  return memcmp(i + p[j] + 1, i + p[j + 1], (size_t)count * sizeof *i) == 0;
}

/* Width of the panel that starts at column j. */
static int panel_width(const int *p, const int *i, int j, int n_columns) {
  int width = 1;
  while (width < PRC_PANEL_MAX && j + width < n_columns && continues(p, i, j + width - 1)) width++;
  return width;
}

prc_status prc_panels_allocate(prc_panels *A, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&A->first, (size_t)A->n_panels + 1, err));
  prc_try(prc_new(&A->row_start, A->n_panels, err));
  prc_try(prc_new(&A->below, A->n_panels, err));
  prc_try(prc_new(&A->start, (size_t)A->n_panels + 1, err));
done:
  return status;
}

/* Where the panels begin, and which lists of rows they use: the end of the last one's where they go on with its columns.
 * Returns how many rows are listed. */
static int lay_out(prc_panels *A, int n_columns, const int *p, const int *i) {
  int n_rows = 0;
  for (int k = 0, j = 0, w; k < A->n_panels; k++, j += w) {
    w = panel_width(p, i, j, n_columns);
    const int below = p[j + w] - p[j + w - 1] - 1, shares = j > 0 && continues(p, i, j - 1);
    A->first[k + 1] = j + w;
    A->below[k] = below;
    A->row_start[k] = shares ? A->row_start[k - 1] + w : n_rows;
    if (!shares) n_rows += below;
    A->start[k + 1] = A->start[k] + (size_t)w * (size_t)(w + below);
  }
  return n_rows;
}

static void pack_panel(prc_panels *A, int k, const int *p, const int *i, const double *x) {
  const int c0 = A->first[k], w = A->first[k + 1] - c0, below = A->below[k];
  double *triangle = A->x + A->start[k], *rows = triangle + w * w;
  memcpy(A->row + A->row_start[k], i + p[c0 + w - 1] + 1, (size_t)below * sizeof *i);
  for (int c = 0; c < w; c++) {
    const double *column = x + p[c0 + c];
    for (int r = c; r < w; r++) triangle[r * w + c] = column[r - c];
    for (int r = 0; r < below; r++) rows[r * w + c] = column[w - c + r];
  }
}

void prc_panels_refill(prc_panels *A, const int *p, const int *i, const double *x) {
  for (int k = 0; k < A->n_panels; k++) pack_panel(A, k, p, i, x);
}

prc_status prc_panels_pack(int n, int n_columns, const int *p, const int *i, const double *x,
                           prc_panels **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_panels *A = NULL;
  prc_try(prc_new(&A, 1, err));
  A->n = n;
  for (int j = 0; j < n_columns; j += panel_width(p, i, j, n_columns)) A->n_panels++;
  prc_try(prc_panels_allocate(A, err));
  const int n_rows = lay_out(A, n_columns, p, i);
  prc_try(prc_new(&A->row, n_rows, err));
  prc_try(prc_new(&A->x, A->start[A->n_panels], err));
  prc_panels_refill(A, p, i, x);
  *out = A, A = NULL;
done:
  prc_panels_free(&A);
  return status;
}

size_t prc_panels_bytes(const prc_panels *A) {
  const int last = A->n_panels - 1;
  return A->start[A->n_panels] * sizeof *A->x + (size_t)A->n_panels * (3 * sizeof(int) + sizeof(size_t))
         + (last < 0 ? 0 : (size_t)(A->row_start[last] + A->below[last]) * sizeof(int));
}

prc_status prc_panels_create(const prc_sym *lower, prc_panels **out, prc_error *err) {
  const prc_status status = prc_sym_check(lower, "the matrix", err);
  if (status != PRC_OK) return status;
  return prc_panels_pack(lower->n, lower->n, lower->p, lower->i, lower->x, out, err);
}

void prc_panels_free(prc_panels **A) {
  if (!*A) return;
  prc_delete(&(*A)->first);
  prc_delete(&(*A)->row_start);
  prc_delete(&(*A)->below);
  if ((*A)->n_borrowed[1] > 0) prc_supernodes_give_back(*A);
  prc_delete(&(*A)->row);
  prc_delete(&(*A)->start);
  prc_delete(&(*A)->x);
  prc_delete(A);
}

/* ---- the symmetric product ----------------------------------------------------------------------------------- */

/* One panel of width w (a constant where this is inlined): with its columns c and rows r below,
 * y_r += A_rc x_c and y_c += A_rc x_r; the triangle counts once on its diagonal. */
static inline void multiply_panel(int w, const double *restrict a, int below, const int *restrict row,
                                  const double *restrict x, double *restrict y, int c0) {
  double xc[PRC_PANEL_MAX], yc[PRC_PANEL_MAX];
  for (int c = 0; c < w; c++) xc[c] = x[c0 + c], yc[c] = 0.0;
  for (int r = 0; r < w; r++) {
    for (int c = 0; c < r; c++) yc[r] += a[r * w + c] * xc[c], yc[c] += a[r * w + c] * xc[r];
    yc[r] += a[r * w + r] * xc[r];
  }
  a += w * w;
  for (int r = 0; r < below; r++, a += w) {
    const double xr = x[row[r]];
    double sum = 0.0;
    for (int c = 0; c < w; c++) sum += a[c] * xc[c], yc[c] += a[c] * xr;
    y[row[r]] += sum;
  }
  for (int c = 0; c < w; c++) y[c0 + c] += yc[c];
}

void prc_panels_multiply(const prc_panels *A, const double *x, double *y) {
  memset(y, 0, (size_t)A->n * sizeof *y);
  for (int k = 0; k < A->n_panels; k++) {
    const int c0 = A->first[k], below = A->below[k], *row = A->row + A->row_start[k];
    const double *a = A->x + A->start[k];
    PRC_PANEL_OF(A->first[k + 1] - c0, multiply_panel, a, below, row, x, y, c0)
  }
}
