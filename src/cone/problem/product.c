#include "config.h"
#include "cone/problem/problem.h"

/* ---- sizes of vectors ----------------------------------------------------------------------- */

double prc_cone_largest(int n, const double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
  return largest;
}

double prc_cone_scale_for(double largest) {
  if (!(largest > 0.0 && largest < INFINITY) || (largest > PRC_CONE_SMALL && largest < PRC_CONE_LARGE))
    return 1.0;
  const int e = ilogb(largest);
  return ldexp(1.0, e < -1000 ? 1000 : -e);
}

double prc_cone_norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  if (sum > PRC_CONE_SMALL * PRC_CONE_SMALL && sum < PRC_CONE_LARGE * PRC_CONE_LARGE) return sqrt(sum);
  const double scale = prc_cone_scale_for(prc_cone_largest(n, x));
  if (scale == 1.0) return sqrt(sum);
  sum = 0.0;
  for (int i = 0; i < n; i++) sum += (scale * x[i]) * (scale * x[i]);
  return sqrt(sum) / scale;
}

/* ---- the cone ------------------------------------------------------------------------------- */

/* Euclidean projection. With the polar cone { x_N + mu |x_T| <= 0 } there are three cases: inside, in the
 * polar cone (0), else on the edge: x_N = s, |x_T| = mu s with s = (x_N + mu |x_T|) / (1 + mu^2). */
void prc_cone_project(int dim, double mu, double *x) {
  const double t = prc_cone_tangential(dim, x);
  if (x[0] >= 0.0 && t <= mu * x[0]) return;
  const double s = (x[0] + mu * t) / (1.0 + mu * mu), shrink = t > 0.0 ? mu / t : 0.0;
  const double edge = s > 0.0 ? s : 0.0;
  x[0] = edge;
  for (int k = 1; k < dim; k++) x[k] *= shrink * edge;
}
