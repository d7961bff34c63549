#include "config.h"
#include "linear/internal.h"

/* Substitutions with the panels of a factor, whose diagonals are stored inverted. */

/* One panel of width w (constant where inlined): x_c := L_cc^-1 x_c, then x_r -= L_rc x_c for its first `inside` rows, and the
 * same into `far` for the others. */
static inline void forward_panel(int w, const double *restrict l, int inside, int below,
                                 const int *restrict row, double *restrict x, double *restrict far, int c0) {
  double xc[PRC_PANEL_MAX];
  int r = 0;
  for (int c = 0; c < w; c++) {
    double sum = x[c0 + c];
    for (int d = 0; d < c; d++) sum -= l[c * w + d] * xc[d];
    x[c0 + c] = xc[c] = sum * l[c * w + c];
  }
  l += w * w;
  for (; r < inside; r++, l += w) {
    double sum = 0.0;
    for (int c = 0; c < w; c++) sum += l[c] * xc[c];
    x[row[r]] -= sum;
  }
  for (; r < below; r++, l += w) {
    double sum = 0.0;
    for (int c = 0; c < w; c++) sum += l[c] * xc[c];
    far[row[r]] -= sum;
  }
}

/* x_c := L_cc^-T (x_c - L_rc' x_r) */
static inline void backward_panel(int w, const double *restrict l, int below, const int *restrict row,
                                  double *restrict x, int c0) {
  double sum[PRC_PANEL_MAX] = {0.0};
  const double *a =
      l + w * w + (size_t)below * (size_t)w; /* downwards: memory is read in one direction all the way */
  for (int r = below - 1; r >= 0; r--) {
    a -= w;
    for (int c = 0; c < w; c++) sum[c] += a[c] * x[row[r]];
  }
  for (int c = w - 1; c >= 0; c--) {
    double value = x[c0 + c] - sum[c];
    for (int d = c + 1; d < w; d++) value -= l[d * w + c] * x[c0 + d];
    x[c0 + c] = value * l[c * w + c];
  }
}

void prc_panels_forward(const prc_panels *A, int from, int to, const int *inside, double *x, double *far) {
  for (int k = from; k < to; k++) {
    const int c0 = A->first[k], below = A->below[k], near = inside ? inside[k] : below,
              *row = A->row + A->row_start[k];
    const double *l = A->x + A->start[k];
    PRC_PANEL_OF(A->first[k + 1] - c0, forward_panel, l, near, below, row, x, far, c0)
  }
}

void prc_panels_backward(const prc_panels *A, int from, int to, double *x) {
  for (int k = to - 1; k >= from; k--) {
    const int c0 = A->first[k], below = A->below[k], *row = A->row + A->row_start[k];
    const double *l = A->x + A->start[k];
    PRC_PANEL_OF(A->first[k + 1] - c0, backward_panel, l, below, row, x, c0)
  }
}
