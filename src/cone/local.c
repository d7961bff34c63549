#include "config.h"
#include "cone/internal.h"

#include <float.h>
#include <math.h>

/* ---- the slip direction is a root of a trigonometric polynomial ------------------------------------------------- */

/* Slip along d = (cos, sin): p = p_N (1, mu d), and w_N = 0 gives p_N = -q_N / (W_NN + mu W_NT d). That w_T be parallel to
 * d reads, times the denominator,
 *
 *   g(d) = (d x q_T)(W_NN + mu W_NT d) - q_N d x (W_TN + mu W_TT d) = 0,
 *
 * with a x b = a_1 b_2 - a_2 b_1: a c + b s + e c^2 + f c s + h s^2, of at most four roots. */
typedef struct {
  double c, s, cc, cs, ss;
} slip_polynomial;

static slip_polynomial polynomial_of(const double W[9], const double q[3], double mu) {
  return (slip_polynomial){.c = q[2] * W[0] - q[0] * W[6],
                           .s = q[0] * W[3] - q[1] * W[0],
                           .cc = mu * (q[2] * W[1] - q[0] * W[7]),
                           .cs = mu * (q[2] * W[2] - q[1] * W[1] - q[0] * (W[8] - W[4])),
                           .ss = mu * (q[0] * W[5] - q[1] * W[2])};
}

static double value_at(const slip_polynomial *g, double c, double s) {
  return g->c * c + g->s * s + g->cc * c * c + g->cs * c * s + g->ss * s * s;
}

static double slope_at(const slip_polynomial *g, double c, double s) {
  return g->s * c - g->c * s + 2.0 * (g->ss - g->cc) * c * s + g->cs * (c * c - s * s);
}

/* p for the direction (c, s). Returns the speed of slip against it, w_T = -speed (c, s); negative is wrong. */
static double slip_along(const double W[9], const double q[3], double mu, double c, double s, double p[3]) {
  const double d = W[0] + mu * (W[1] * c + W[2] * s);
  if (!(d > 0.0)) return -INFINITY;
  p[0] = -q[0] / d;
  p[1] = mu * p[0] * c;
  p[2] = mu * p[0] * s;
  const double w1 = q[1] + W[3] * p[0] + W[4] * p[1] + W[5] * p[2];
  const double w2 = q[2] + W[6] * p[0] + W[7] * p[1] + W[8] * p[2];
  return -(w1 * c + w2 * s);
}

/* Newton's method on the circle. Returns 1 when it settles on a root. */
static int polish(const slip_polynomial *g, double *c, double *s) {
  for (int k = 0; k < 12; k++) {
    const double slope = slope_at(g, *c, *s), step = -value_at(g, *c, *s) / slope;
    if (!(fabs(step) <= 1.0)) return 0;
    const double c1 = *c - step * *s, s1 = *s + step * *c, size = sqrt(c1 * c1 + s1 * s1);
    *c = c1 / size, *s = s1 / size;
    if (fabs(step) < 1e-9) return 1; /* quadratic: the next step would be rounding */
  }
  return 0;
}

/* All roots, between the sign changes of g on a fine circle, by bisection and Newton; the one that slips the right way
 * fastest. */
#define ANGLES 48
static void search_slip(const double W[9], const double q[3], double mu, const slip_polynomial *g,
                        double p[3]) {
  static const double step_c = 0.99144486137381041, step_s = 0.13052619222005157; /* of 2 pi / 48 */
  double c = 1.0, s = 0.0, value = value_at(g, c, s), best = -INFINITY;
  for (int k = 0; k < ANGLES; k++) {
    const double c1 = c * step_c - s * step_s, s1 = s * step_c + c * step_s, value1 = value_at(g, c1, s1);
    if ((value <= 0.0) != (value1 <= 0.0) || value == 0.0) {
      double lc = c, ls = s, hc = c1, hs = s1, mc = c, ms = s;
      for (int i = 0; i < 50; i++) {
        mc = lc + hc, ms = ls + hs;
        const double size = sqrt(mc * mc + ms * ms);
        mc /= size, ms /= size;
        if ((value_at(g, mc, ms) <= 0.0) == (value <= 0.0))
          lc = mc, ls = ms;
        else
          hc = mc, hs = ms;
      }
      double try[3] = {0.0};
      const double speed = slip_along(W, q, mu, mc, ms, try);
      if (speed > best) best = speed, p[0] = try[0], p[1] = try[1], p[2] = try[2];
    }
    c = c1, s = s1, value = value1;
  }
}

/* p := -W^-1 q, 0 when W is not positive enough for it */
static int try_stick(const double W[9], const double q[3], double p[3]) {
  const double c0 = W[4] * W[8] - W[5] * W[7], c1 = W[5] * W[6] - W[3] * W[8], c2 = W[3] * W[7] - W[4] * W[6];
  const double det = W[0] * c0 + W[1] * c1 + W[2] * c2, size = W[0] * W[4] * W[8];
  if (!(det > 8.0 * DBL_EPSILON * fabs(size))) return 0;
  p[0] = -(c0 * q[0] + (W[2] * W[7] - W[1] * W[8]) * q[1] + (W[1] * W[5] - W[2] * W[4]) * q[2]) / det;
  p[1] = -(c1 * q[0] + (W[0] * W[8] - W[2] * W[6]) * q[1] + (W[2] * W[3] - W[0] * W[5]) * q[2]) / det;
  p[2] = -(c2 * q[0] + (W[1] * W[6] - W[0] * W[7]) * q[1] + (W[0] * W[4] - W[1] * W[3]) * q[2]) / det;
  return 1;
}

void prc_cone_local_3d(const double W[9], const double q[3], double mu, double p[3]) {
  double start[2] = {p[1], p[2]}, size = hypot(p[1], p[2]);
  p[0] = p[1] = p[2] = 0.0;
  if (q[0] >= 0.0) return;
  if (try_stick(W, q, p)) {
    const double tangential = hypot(p[1], p[2]);
    if (tangential <= mu * p[0]) return;
    if (!(size > 0.0)) start[0] = p[1], start[1] = p[2], size = tangential;
  }
  if (!(size > 0.0)) start[0] = -q[1], start[1] = -q[2], size = hypot(q[1], q[2]);
  const slip_polynomial g = polynomial_of(W, q, mu);
  p[0] = p[1] = p[2] = 0.0;
  if (size > 0.0) {
    double c = start[0] / size, s = start[1] / size;
    if (polish(&g, &c, &s) && slip_along(W, q, mu, c, s, p) >= 0.0) return;
  }
  search_slip(W, q, mu, &g, p);
}
