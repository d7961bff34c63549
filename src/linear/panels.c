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

static void pack_panel(prc_panels *A, int k, const int *p, const int *i, const double *x) {
  const int c0 = A->first[k], w = A->first[k + 1] - c0, below = A->row_start[k + 1] - A->row_start[k];
  double *triangle = A->x + A->start[k], *rows = triangle + w * w;
  memcpy(A->row + A->row_start[k], i + p[c0 + w - 1] + 1, (size_t)below * sizeof *i);
  for (int c = 0; c < w; c++) {
    const double *column = x + p[c0 + c];
    for (int r = c; r < w; r++) triangle[r * w + c] = column[r - c];
    for (int r = 0; r < below; r++) rows[r * w + c] = column[w - c + r];
  }
}

prc_status prc_panels_pack(int n, int n_columns, const int *p, const int *i, const double *x,
                           prc_panels **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_panels *A = NULL;
  int n_rows = 0;
  size_t n_values = 0;
  prc_try(prc_new(&A, 1, err));
  A->n = n;
  for (int j = 0, w; j < n_columns; j += w, A->n_panels++) w = panel_width(p, i, j, n_columns);
  prc_try(prc_new(&A->first, (size_t)A->n_panels + 1, err));
  prc_try(prc_new(&A->row_start, (size_t)A->n_panels + 1, err));
  prc_try(prc_new(&A->start, (size_t)A->n_panels + 1, err));
  for (int k = 0, j = 0; k < A->n_panels; k++) {
    const int w = panel_width(p, i, j, n_columns), below = p[j + w] - p[j + w - 1] - 1;
    n_rows += below;
    n_values += (size_t)w * (size_t)(w + below);
    A->first[k + 1] = j += w;
    A->row_start[k + 1] = n_rows;
    A->start[k + 1] = n_values;
  }
  prc_try(prc_new(&A->row, n_rows, err));
  prc_try(prc_new(&A->x, n_values, err));
  for (int k = 0; k < A->n_panels; k++) pack_panel(A, k, p, i, x);
  *out = A, A = NULL;
done:
  prc_panels_free(&A);
  return status;
}

prc_status prc_panels_create(const prc_sym *lower, prc_panels **out, prc_error *err) {
  return prc_panels_pack(lower->n, lower->n, lower->p, lower->i, lower->x, out, err);
}

void prc_panels_free(prc_panels **A) {
  if (!*A) return;
  prc_delete(&(*A)->first);
  prc_delete(&(*A)->row_start);
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
    const int c0 = A->first[k], below = A->row_start[k + 1] - A->row_start[k],
              *row = A->row + A->row_start[k];
    const double *a = A->x + A->start[k];
    switch (A->first[k + 1] - c0) {
    case 1:
      multiply_panel(1, a, below, row, x, y, c0);
      break;
    case 2:
      multiply_panel(2, a, below, row, x, y, c0);
      break;
    case 3:
      multiply_panel(3, a, below, row, x, y, c0);
      break;
    default:
      multiply_panel(4, a, below, row, x, y, c0);
      break;
    }
  }
}
