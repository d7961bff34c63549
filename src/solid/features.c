#include "config.h"
#include "solid/cores.h"
#include "solid/polyhedra.h"

#include <math.h>

/* Gap, normal and place of two features of polyhedra. Whatever finds features ends here, and so does what follows them: both have the same
 * bits. Exchanging the two bodies changes signs alone. */

prc_solid_touch prc_solid_turned_round(const prc_solid_touch *touch) {
  prc_solid_touch turned = *touch;
  for (int k = 0; k < 3; k++) turned.normal[k] = -touch->normal[k];
  turned.feature_a = touch->feature_b, turned.feature_b = touch->feature_a;
  return turned;
}

/* ---- edges --------------------------------------------------------------------------------------------- */

#define SINE   0.1 /* edges that cross at less have no normal of their own that is worth much */
#define COSINE 0.5 /* nor do those whose normal is farther off the one asked for */

/* Unit direction of edge e, and its length. */
static double direction_of(prc_solid_stand x, int e, double t[3]) {
  const int *edge = x.solid->edge + 4 * (size_t)e;
  const double *from = x.solid->corner + 3 * (size_t)edge[0], *to = x.solid->corner + 3 * (size_t)edge[1];
  const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double length = sqrt(prc_solid_dot(d, d));
  prc_solid_turn(x.pose->R, d, t);
  for (int k = 0; k < 3; k++) t[k] /= length;
  return length;
}

/* Of the four faces at the two edges the one whose normal, from a to b, is nearest to `towards`: that which `towards` was made of, if it
 * was one of them at these poses, to the bit. */
static void nearest_normal(prc_solid_stand a, int i, prc_solid_stand b, int j, const double towards[3],
                           double n[3]) {
  double least = INFINITY;
  for (int k = 0; k < 4; k++) {
    const prc_solid_stand x = k < 2 ? a : b;
    const int face = x.solid->edge[4 * (size_t)(k < 2 ? i : j) + 2 + (size_t)(k % 2)];
    double m[3], square = 0.0;
    prc_solid_turn(x.pose->R, x.solid->face_normal + 3 * (size_t)face, m);
    for (int l = 0; l < 3; l++) {
      if (k >= 2) m[l] = -m[l];
      square += (m[l] - towards[l]) * (m[l] - towards[l]);
    }
    if (!(square < least)) continue;
    least = square;
    for (int l = 0; l < 3; l++) n[l] = m[l];
  }
}

static double within(double s, double length) {
  return s > 0.0 ? fmin(s, length) : 0.0;
}

/* With the unit directions s of a's and t of b's edge, c = s x t, and d from the start of a's to that of b's: the points p + sigma s and
 * q + tau t that are over each other seen along n have
 *   sigma = (d x t) . n / (c . n),   tau = (d x s) . n / (c . n),   g = n . (d + tau t - sigma s),
 * and for n = c / |c| they are the nearest points of the two lines, g = n . d, whose rate is n . (v_b - v_a). Where that n is of no use, it is
 * that of a face. */
prc_solid_touch prc_solid_edge_edge(prc_solid_stand a, int i, prc_solid_stand b, int j,
                                    const double towards[3], double same, int *inside) {
  prc_solid_touch touch = {.feature_a = (uint32_t)i | PRC_SOLID_EDGE,
                           .feature_b = (uint32_t)j | PRC_SOLID_EDGE};
  const int p = a.solid->edge[4 * (size_t)i], q = b.solid->edge[4 * (size_t)j];
  double s[3], t[3], c[3], d[3], n[3] = {0.0, 0.0, 0.0}, ds[3], dt[3], arm_a[3], arm_b[3];
  const double length_a = direction_of(a, i, s), length_b = direction_of(b, j, t);
  prc_solid_between(b, q, a, p, d);
  prc_solid_cross(s, t, c);
  prc_solid_cross(d, s, ds);
  prc_solid_cross(d, t, dt);
  const double sine = sqrt(prc_solid_dot(c, c)), along = prc_solid_dot(c, towards);
  const int crossing = sine > SINE && fabs(along) >= COSINE * sine;
  for (int k = 0; k < 3 && crossing; k++) n[k] = along < 0.0 ? -c[k] / sine : c[k] / sine;
  if (!crossing) nearest_normal(a, i, b, j, towards, n);
  const double cn = prc_solid_dot(c, n);
  const int parallel = !(fabs(cn) > 1e-12);
  double sigma = parallel ? 0.5 * length_a : prc_solid_dot(dt, n) / cn;
  double tau = parallel ? 0.5 * length_b : prc_solid_dot(ds, n) / cn;
  if (inside)
    *inside =
        !parallel && sigma >= -same && sigma <= length_a + same && tau >= -same && tau <= length_b + same;
  if (!crossing) sigma = within(sigma, length_a), tau = within(tau, length_b);
  prc_solid_turn(a.pose->R, a.solid->corner + 3 * (size_t)p, arm_a);
  prc_solid_turn(b.pose->R, b.solid->corner + 3 * (size_t)q, arm_b);
  for (int k = 0; k < 3; k++) {
    touch.gap += n[k] * (d[k] + (tau * t[k] - sigma * s[k]));
    touch.normal[k] = n[k];
    touch.place[k] =
        0.5 * ((a.pose->x[k] + arm_a[k]) + sigma * s[k]) + 0.5 * ((b.pose->x[k] + arm_b[k]) + tau * t[k]);
  }
  return touch;
}

/* ---- following ----------------------------------------------------------------------------------------- */

void prc_solid_polyhedra_follow(prc_solid_stand a, prc_solid_stand b, prc_solid_touch *touch) {
  const int i = (int)PRC_SOLID_NUMBER(touch->feature_a), j = (int)PRC_SOLID_NUMBER(touch->feature_b);
  if (PRC_SOLID_KIND(touch->feature_a) == PRC_SOLID_EDGE) {
    const double towards[3] = {touch->normal[0], touch->normal[1], touch->normal[2]};
    *touch = prc_solid_edge_edge(a, i, b, j, towards, 0.0, NULL);
  } else if (PRC_SOLID_KIND(touch->feature_a) == PRC_SOLID_FACE) {
    *touch = prc_solid_ball_face(b, j, a, i);
  } else {
    const prc_solid_touch there = prc_solid_ball_face(a, i, b, j);
    *touch = prc_solid_turned_round(&there);
  }
}
