#include "config.h"
#include "step/alpha.h"

#include <math.h>
#include <string.h>

/* The fixed point phi = target(phi) by secants (Anderson): with f = target - phi and the last m changes of phi and f in the columns of X and Y,
 *
 *   phi_next = target - (X + Y) gamma,   gamma = argmin |f - Y gamma|.
 *
 * The normal equations have 1e-13 of their trace on the diagonal. A factor beyond MOST is no secant to trust: then the target itself. */
#define MOST  200.0
#define SMALL 1e-13

prc_status prc_alpha_feedback_reserve(prc_alpha_feedback *f, size_t n, prc_error *err) {
  prc_status status = PRC_OK;
  if (n <= f->room) return PRC_OK;
  double **one[] = {&f->last, &f->last_residual}, **ring[] = {&f->change, &f->residual_change};
  for (int k = 0; k < 2; k++) prc_delete(one[k]), prc_delete(ring[k]);
  f->room = 0;
  prc_alpha_feedback_restart(f);
  for (int k = 0; k < 2; k++) {
    prc_try(prc_new(one[k], n, err));
    prc_try(prc_new(ring[k], PRC_ALPHA_DEPTH * n, err));
  }
  f->room = n;
done:
  return status;
}

void prc_alpha_feedback_free(prc_alpha_feedback *f) {
  prc_delete(&f->last);
  prc_delete(&f->last_residual);
  prc_delete(&f->change);
  prc_delete(&f->residual_change);
}

void prc_alpha_feedback_restart(prc_alpha_feedback *f) {
  f->depth = f->next = f->has_last = 0;
}

static double dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* The changes since the last call go into the rings; phi and its residual are the last ones then. */
static void remember(prc_alpha_feedback *f, int n, const double *target, const double *phi) {
  double *dx = f->change + f->room * (size_t)f->next, *df = f->residual_change + f->room * (size_t)f->next;
  for (int i = 0; i < n; i++) {
    const double residual = target[i] - phi[i];
    if (f->has_last) dx[i] = phi[i] - f->last[i], df[i] = residual - f->last_residual[i];
    f->last[i] = phi[i], f->last_residual[i] = residual;
  }
  if (f->has_last) {
    f->next = (f->next + 1) % PRC_ALPHA_DEPTH;
    f->depth += f->depth < PRC_ALPHA_DEPTH;
  }
  f->has_last = 1;
}

/* gamma by Cholesky of the normal equations; 0: they are singular, or a factor is too large. */
static int factors(const prc_alpha_feedback *f, int n, double gamma[PRC_ALPHA_DEPTH]) {
  const int m = f->depth;
  double L[PRC_ALPHA_DEPTH][PRC_ALPHA_DEPTH] = {{0.0}}, trace = 0.0;
  for (int i = 0; i < m; i++) {
    const double *row = f->residual_change + f->room * (size_t)i;
    for (int j = 0; j <= i; j++) L[i][j] = dot(n, row, f->residual_change + f->room * (size_t)j);
    gamma[i] = dot(n, row, f->last_residual);
    trace += L[i][i];
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = L[i][j] + (i == j ? SMALL * trace : 0.0);
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > 0.0)) return 0;
      L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
    }
  }
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < i; k++) gamma[i] -= L[i][k] * gamma[k];
    gamma[i] /= L[i][i];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++) gamma[i] -= L[k][i] * gamma[k];
    gamma[i] /= L[i][i];
  }
  for (int i = 0; i < m; i++)
    if (!(fabs(gamma[i]) <= MOST)) return 0;
  return 1;
}

void prc_alpha_feedback_next(prc_alpha_feedback *f, int n, const double *target, double *phi) {
  double gamma[PRC_ALPHA_DEPTH];
  remember(f, n, target, phi);
  for (int i = 0; i < n; i++) phi[i] = target[i];
  if (f->depth == 0 || !factors(f, n, gamma)) return;
  for (int k = 0; k < f->depth; k++) {
    const double *dx = f->change + f->room * (size_t)k, *df = f->residual_change + f->room * (size_t)k;
    for (int i = 0; i < n; i++) phi[i] -= gamma[k] * (dx[i] + df[i]);
  }
}
