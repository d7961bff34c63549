#ifndef PRC_CONE_LOCAL_H
#define PRC_CONE_LOCAL_H

#include "cone/problem/problem.h"
#include "cone/problem/speed.h"

/* The problem of a single contact in space or with drilling, w = W p + q, dim 3 or 4, W by rows; in the
 * plane see below. p: a guess of the direction of slip in, the exact solution out; where there is none
 * (wedged contact), the slip of largest speed, or zero. */
void prc_cone_local_space(int dim, const double *W, const double *q, double mu, double *p);

/* The problem of a single contact. In the plane, w = W p + q, by enumeration of its statuses. Inline: it
 * is what a sweep does. Where W is nearly singular, its determinant would be rounding. */
#define PRC_CONE_THIN 1e-3 /* |det W| / (W_NN W_TT), below which local.c takes over */
void prc_cone_local_thin_2d(const double W[4], const double q[2], double mu, double p[2]);

/* Slip with p_T = sign mu p_N: w_N = 0 gives p_N. Returns by how much the sliding velocity has the wrong
 * sign. */
static inline double prc_cone_try_slip(const double W[4], const double q[2], double mu, double sign,
                                       double p[2]) {
  const double d = W[0] + sign * mu * W[1];
  if (!(d > 0.0)) return INFINITY;
  p[0] = -q[0] / d;
  p[1] = sign * mu * p[0];
  return sign * (q[1] + W[2] * p[0] + W[3] * p[1]);
}

/* Take-off, then stick, then the two slips, (17). */
static inline void prc_cone_local_2d(const double W[4], const double q[2], double mu, double p[2]) {
  p[0] = p[1] = 0.0;
  if (q[0] >= 0.0) return;
  const double det = W[0] * W[3] - W[1] * W[2];
  if (fabs(det) <= PRC_CONE_THIN * W[0] * W[3]) {
    prc_cone_local_thin_2d(W, q, mu, p);
    return;
  }
  if (det > 0.0) {
    p[0] = (W[1] * q[1] - W[3] * q[0]) / det;
    p[1] = (W[2] * q[0] - W[0] * q[1]) / det;
    if (fabs(p[1]) <= mu * p[0]) return;
  }
  double left[2] = {0.0}, right[2] = {0.0};
  const double wrong_left = prc_cone_try_slip(W, q, mu, -1.0, left),
               wrong_right = prc_cone_try_slip(W, q, mu, 1.0, right);
  const double *slip = wrong_left < wrong_right ? left : right;
  p[0] = slip[0], p[1] = slip[1];
}

/* The problem of a single contact, of any dimension; a contact without friction is pushed away or parts. */
static inline void prc_cone_local(int dim, const double *W, const double *q, double mu, double *p) {
  if (dim == 1)
    p[0] = q[0] < 0.0 && W[0] > 0.0 ? -q[0] / W[0] : 0.0;
  else if (dim == 2)
    prc_cone_local_2d(W, q, mu, p);
  else
    prc_cone_local_space(dim, W, q, mu, p);
}

/* The same with the problem's friction of contact c at the speed |w_T|, which its solution has: p, and mu there. p in: a guess of the direction
 * of slip. Where both stick and slip are possible it sticks. */
double prc_cone_local_of_speed(const prc_cone_problem *problem, int c, const double *W, const double *q,
                               double *p);

/* One or the other; returns mu. */
static inline double prc_cone_local_of(int dim, const prc_cone_problem *problem, int c, const double *W,
                                       const double *q, double *p) {
  if (problem->friction) return prc_cone_local_of_speed(problem, c, W, q, p);
  prc_cone_local(dim, W, q, problem->mu[c], p);
  return problem->mu[c];
}

/* next := p + relaxation (next - p), back in the cone when that leaves it */
static inline void prc_cone_relax(int dim, double mu, double relaxation, const double *p, double *next) {
  if (relaxation == 1.0) return;
  for (int r = 0; r < dim; r++) next[r] = p[r] + relaxation * (next[r] - p[r]);
  prc_cone_project(dim, mu, next);
}

#endif
