#include "config.h"
#include "beam/internal.h"

#include <math.h>
#include <string.h>

/* B-splines on open knots u_0 = ... = u_p = 0 < ... < 1 = ... , after Cox and de Boor:
 *
 *   N_i,p = (s - u_i) / (u_i+p - u_i) N_i,p-1 + (u_i+p+1 - s) / (u_i+p+1 - u_i+1) N_i+1,p-1,
 *   N_i,p' = p (N_i,p-1 / (u_i+p - u_i) - N_i+1,p-1 / (u_i+p+1 - u_i+1)). */

/* From the k splines of degree k - 1 that are not zero on the span, i = span - k + 1 ... span, the k + 1 of degree k, or their derivatives. */
static void raise_degree(int k, const double *knot, int span, double s, int derive, const double *low,
                         double *high) {
  for (int j = 0; j <= k; j++) {
    const int i = span - k + j;
    const double *u = knot + i;
    double sum = 0.0;
    if (j > 0) sum += (derive ? k : s - u[0]) / (u[k] - u[0]) * low[j - 1];
    if (j < k) sum += (derive ? -k : u[k + 1] - s) / (u[k + 1] - u[1]) * low[j];
    high[j] = sum;
  }
}

prc_beam_basis prc_beam_splines(int degree, const double *knot, int span, double s) {
  prc_beam_basis out = {.first = span - degree, .n = degree + 1};
  double low[3][PRC_BEAM_POINTS], next[3][PRC_BEAM_POINTS]; /* value and derivatives of the degree so far */
  memset(low, 0, sizeof low);
  low[0][0] = 1.0;
  for (int k = 1; k <= degree; k++) {
    raise_degree(k, knot, span, s, 0, low[0], next[0]);
    raise_degree(k, knot, span, s, 1, low[0], next[1]);
    raise_degree(k, knot, span, s, 1, low[1],
                 next[2]); /* the derivative of the derivative has the same form */
    memcpy(low, next, sizeof low);
  }
  memcpy(out.N, low, sizeof out.N);
  return out;
}

prc_beam_basis prc_beam_basis_at(const prc_beam *beam, double s) {
  const int n = beam->model->n_elements;
  const double element = floor(s * n);
  const int e = element < 0.0 ? 0 : element >= n ? n - 1 : (int)element;
  return prc_beam_splines(beam->model->degree, beam->knot, beam->model->degree + e, s);
}

/* Derivatives of the splines add up to zero: the places are taken from the first of them, so that what is far from the origin loses no digits. */
void prc_beam_sum(const prc_beam_basis *basis, int derivative, const double *q, double out[2]) {
  const double *N = basis->N[derivative], *x = q + 2 * (size_t)basis->first;
  for (int k = 0; k < 2; k++) {
    const double from = derivative > 0 ? x[k] : 0.0;
    out[k] = 0.0;
    for (int i = 0; i < basis->n; i++) out[k] += N[i] * (x[2 * i + k] - from);
  }
}

/* With control points at the means of p knots each, x(s) is linear. */
void prc_beam_straight(int degree, int n_elements, const double ends[2][2], double *point) {
  for (int i = 0; i < n_elements + degree; i++) {
    double s = 0.0;
    for (int j = 1; j <= degree; j++) s += fmin(fmax(i + j - degree, 0), n_elements);
    s /= (double)degree * n_elements;
    for (int k = 0; k < 2; k++) point[2 * i + k] = (1.0 - s) * ends[0][k] + s * ends[1][k];
  }
}

/* Zeros of Legendre's polynomial P_n by Newton's method, P_k by (k + 1) P_k+1 = (2k + 1) x P_k - k P_k-1;
 * weights 1 / ((1 - x^2) P_n'^2) on an interval of length one. */
void prc_beam_gauss_rule(int n, double *s, double *weight) {
  for (int i = 0; i < n; i++) {
    double x = cos(acos(-1.0) * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int pass = 0; pass < 20; pass++) {
      double p = 1.0, before = 0.0;
      for (int k = 0; k < n; k++) {
        const double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
        before = p, p = next;
      }
      slope = n * (before - x * p) / (1.0 - x * x);
      const double change = p / slope;
      x -= change;
      if (fabs(change) < 1e-16) break;
    }
    s[i] = 0.5 * (1.0 - x);
    weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
}
