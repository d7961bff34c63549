#include "config.h"
#include "linear/operator.h"

/* Contacts in the plane: both rows at once. */
static void multiply_pairs(const prc_rows *H, const double *restrict x, double *restrict u) {
  for (int c = 0; c < H->n; c++) {
    const int first = H->start[c], count = H->start[c + 1] - first, *dof = H->dof + first;
    const double *row = H->x + 2 * first, *next = row + count;
    double sum = 0.0, sum_next = 0.0;
    for (int d = 0; d < count; d++) {
      const double value = x[dof[d]];
      sum += row[d] * value, sum_next += next[d] * value;
    }
    u[2 * c] = sum, u[2 * c + 1] = sum_next;
  }
}

void prc_rows_multiply(const prc_rows *H, const double *restrict x, double *restrict u) {
  const int dim = H->dim;
  if (dim == 2) {
    multiply_pairs(H, x, u);
    return;
  }
  for (int c = 0; c < H->n; c++) {
    const int *dof = H->dof + H->start[c], count = H->start[c + 1] - H->start[c];
    const double *row = H->x + dim * H->start[c];
    for (int r = 0; r < dim; r++, row += count) {
      double sum = 0.0;
      for (int d = 0; d < count; d++) sum += row[d] * x[dof[d]];
      u[dim * c + r] = sum;
    }
  }
}

void prc_rows_pull(const prc_rows *H, int n, const int *list, double s, const double *p, double *y) {
  const int dim = H->dim;
  for (int i = 0; i < n; i++) {
    const int c = list ? list[i] : i, *dof = H->dof + H->start[c], count = H->start[c + 1] - H->start[c];
    const double *row = H->x + dim * H->start[c];
    for (int r = 0; r < dim; r++, row += count)
      for (int d = 0; d < count; d++) y[dof[d]] += s * row[d] * p[dim * c + r];
  }
}
