#include "config.h"
#include "solid/cores.h"

#include <math.h>

void prc_solid_between(prc_solid_stand x, int i, prc_solid_stand y, int j, double out[3]) {
  double arm_x[3], arm_y[3];
  prc_solid_turn(x.pose->R, x.solid->corner + 3 * (size_t)i, arm_x);
  prc_solid_turn(y.pose->R, y.solid->corner + 3 * (size_t)j, arm_y);
  for (int k = 0; k < 3; k++) out[k] = (x.pose->x[k] - y.pose->x[k]) + (arm_x[k] - arm_y[k]);
}

static void place_of(prc_solid_stand x, int i, double out[3]) {
  prc_solid_turn(x.pose->R, x.solid->corner + 3 * (size_t)i, out);
  for (int k = 0; k < 3; k++) out[k] += x.pose->x[k];
}

double prc_solid_edge_of(prc_solid_stand x, int e, int ends[2], double along[3]) {
  const int polyhedron = x.solid->n_edges > 0;
  double d[3], direction[3];
  for (int k = 0; k < 2; k++) ends[k] = polyhedron ? x.solid->edge[4 * (size_t)e + (size_t)k] : k;
  const double *from = x.solid->corner + 3 * (size_t)ends[0], *to = x.solid->corner + 3 * (size_t)ends[1];
  for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
  const double length = prc_solid_distance(d, direction);
  prc_solid_turn(x.pose->R, direction, along);
  return length;
}

/* At right angles to a unit direction, the same for its opposite: of the axis of space that is least along it. */
static void perpendicular(const double along[3], double out[3]) {
  double e[3] = {0.0}, direction[3];
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(along[k]) < fabs(along[least])) least = k;
  for (int k = 0; k < 3; k++) e[k] = (k == least ? 1.0 : 0.0) - along[least] * along[k];
  (void)prc_solid_distance(e, direction);
  for (int k = 0; k < 3; k++) out[k] = direction[k];
}

/* |d| and its direction; against `towards` both change their sign. */
static double distance_towards(const double d[3], const double *towards, double normal[3]) {
  const double distance = prc_solid_distance(d, normal);
  if (!towards || !(prc_solid_dot(normal, towards) < 0.0)) return distance;
  for (int k = 0; k < 3; k++) normal[k] = -normal[k];
  return -distance;
}

prc_solid_touch prc_solid_ball_face(prc_solid_stand x, int i, prc_solid_stand y, int f) {
  prc_solid_touch touch = {.feature_a = (uint32_t)f | PRC_SOLID_FACE, .feature_b = (uint32_t)i};
  const int corner = y.solid->n_faces > 0 ? y.solid->face_corner[y.solid->face_start[f]] : 0;
  double d[3], at[3];
  prc_solid_between(x, i, y, corner, d);
  prc_solid_turn(y.pose->R, y.solid->face_normal + 3 * (size_t)f, touch.normal);
  touch.gap = prc_solid_dot(touch.normal, d) - x.solid->radius;
  place_of(x, i, at);
  for (int k = 0; k < 3; k++) touch.place[k] = at[k] - (x.solid->radius + 0.5 * touch.gap) * touch.normal[k];
  return touch;
}

/* d = v - y less its part along the edge; g = |d| less the radii, whose rate is that of n . (v - y). Taken off twice: the first leaves the
 * rounding of what is long. */
prc_solid_touch prc_solid_ball_edge(prc_solid_stand x, int i, prc_solid_stand y, int e,
                                    const double *towards) {
  prc_solid_touch touch = {.feature_a = (uint32_t)e | PRC_SOLID_EDGE, .feature_b = (uint32_t)i};
  double d[3], along[3], at[3];
  int ends[2];
  (void)prc_solid_edge_of(y, e, ends, along);
  prc_solid_between(x, i, y, ends[0], d);
  for (int twice = 0; twice < 2; twice++) {
    const double s = prc_solid_dot(d, along);
    for (int k = 0; k < 3; k++) d[k] -= s * along[k];
  }
  const double distance = distance_towards(d, towards, touch.normal);
  if (!(distance != 0.0)) {
    perpendicular(along, touch.normal);
    if (towards && prc_solid_dot(touch.normal, towards) < 0.0)
      for (int k = 0; k < 3; k++) touch.normal[k] = -touch.normal[k];
  }
  touch.gap = distance - (x.solid->radius + y.solid->radius);
  place_of(x, i, at);
  for (int k = 0; k < 3; k++) touch.place[k] = at[k] - (x.solid->radius + 0.5 * touch.gap) * touch.normal[k];
  return touch;
}

prc_solid_touch prc_solid_ball_ball(prc_solid_stand a, int i, prc_solid_stand b, int j,
                                    const double *towards) {
  prc_solid_touch touch = {.feature_a = (uint32_t)i, .feature_b = (uint32_t)j};
  double d[3], at_a[3], at_b[3];
  prc_solid_between(b, j, a, i, d);
  touch.gap = distance_towards(d, towards, touch.normal) - (a.solid->radius + b.solid->radius);
  place_of(a, i, at_a);
  place_of(b, j, at_b);
  for (int k = 0; k < 3; k++)
    touch.place[k] = 0.5 * (at_a[k] + a.solid->radius * touch.normal[k])
                     + 0.5 * (at_b[k] - b.solid->radius * touch.normal[k]);
  return touch;
}

/* With the unit directions u of a's and v of b's edge, c = u x v, and d from the start of a's to that of b's, the lines are nearest at
 *   s = (d x v) . c / c^2,   t = (d x u) . c / c^2,   g = n . d less the radii,  n = c / |c|,
 * and n . (v_b - v_a), both there, is the rate of g. */
prc_solid_touch prc_solid_line_line(prc_solid_stand a, int i, prc_solid_stand b, int j, const double *towards,
                                    double *s, double *t) {
  prc_solid_touch touch = {.feature_a = (uint32_t)i | PRC_SOLID_EDGE,
                           .feature_b = (uint32_t)j | PRC_SOLID_EDGE};
  double u[3], v[3], c[3], d[3], du[3], dv[3], at_a[3], at_b[3];
  int p[2], q[2];
  const double length_a = prc_solid_edge_of(a, i, p, u), length_b = prc_solid_edge_of(b, j, q, v);
  prc_solid_between(b, q[0], a, p[0], d);
  prc_solid_cross(u, v, c);
  prc_solid_cross(d, u, du);
  prc_solid_cross(d, v, dv);
  const double cc = prc_solid_dot(c, c);
  const int crossing = cc > 1e-24;
  *s = crossing ? prc_solid_dot(dv, c) / cc : 0.5 * length_a;
  *t = crossing ? prc_solid_dot(du, c) / cc : 0.5 * length_b;
  if (crossing) {
    const double *side = towards ? towards : d;
    const double signed_sine = prc_solid_dot(c, side) < 0.0 ? -sqrt(cc) : sqrt(cc);
    for (int k = 0; k < 3; k++) touch.normal[k] = c[k] / signed_sine;
  } else if (towards) {
    for (int k = 0; k < 3; k++) touch.normal[k] = towards[k];
  } else {
    perpendicular(u, touch.normal);
  }
  place_of(a, p[0], at_a);
  place_of(b, q[0], at_b);
  for (int k = 0; k < 3; k++) {
    touch.gap += touch.normal[k] * (d[k] + (*t * v[k] - *s * u[k]));
    touch.place[k] = 0.5 * (at_a[k] + *s * u[k] + a.solid->radius * touch.normal[k])
                     + 0.5 * (at_b[k] + *t * v[k] - b.solid->radius * touch.normal[k]);
  }
  touch.gap -= a.solid->radius + b.solid->radius;
  return touch;
}

/* ---- rims ---------------------------------------------------------------------------------------------- */

/* From the centre of the rim to the point: the lowest is at -(n - (n . a) a) = a x (a x n), a multiple of which is the axis' sine to n. Lying
 * flat there is none, and the first of the fixed ones stands for it. */
static double to_rim(prc_solid_stand b, const double n[3], int point, double out[3]) {
  static const double angle = 3.14159265358979323846 / (0.5 * PRC_SOLID_RIM_POINTS);
  double a[3], an[3], down[3], e[3], f[3], fixed[3];
  prc_solid_turn(b.pose->R, b.solid->face_normal, a);
  prc_solid_cross(a, n, an);
  prc_solid_cross(a, an, down);
  const double sine = prc_solid_distance(down, out);
  if (point == 0 && sine > 0.0) return sine;
  perpendicular(b.solid->face_normal, e);
  prc_solid_cross(b.solid->face_normal, e, f);
  const double turn = angle * (point - 1 < 0 ? 0 : point - 1), x = cos(turn), y = sin(turn);
  for (int k = 0; k < 3; k++) fixed[k] = x * e[k] + y * f[k];
  prc_solid_turn(b.pose->R, fixed, out);
  return sine;
}

/* g = n . (point - y). Of the lowest the rate is that of the point of the cylinder that is there: among the others of the rim it is the least,
 * so that going on along the rim changes nothing at first. */
prc_solid_touch prc_solid_face_rim(prc_solid_stand a, prc_solid_stand b, int number, double *sine) {
  prc_solid_touch touch = {.feature_a = PRC_SOLID_FACE, .feature_b = (uint32_t)number | PRC_SOLID_RIM};
  double d[3], at[3], arm[3];
  prc_solid_turn(a.pose->R, a.solid->face_normal, touch.normal);
  const double tilt = to_rim(b, touch.normal, number / 2, arm);
  if (sine) *sine = tilt;
  prc_solid_between(b, number % 2, a, 0, d);
  place_of(b, number % 2, at);
  for (int k = 0; k < 3; k++) touch.gap += touch.normal[k] * (d[k] + b.solid->radius * arm[k]);
  for (int k = 0; k < 3; k++)
    touch.place[k] = at[k] + b.solid->radius * arm[k] - 0.5 * touch.gap * touch.normal[k];
  return touch;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

/* The lower kind of the two is the second's, so that there is one function for either order. */
prc_solid_touch prc_solid_of_features(prc_solid_stand a, prc_solid_stand b, const prc_solid_touch *touch) {
  const uint32_t kind_a = PRC_SOLID_KIND(touch->feature_a), kind_b = PRC_SOLID_KIND(touch->feature_b);
  const int i = (int)PRC_SOLID_NUMBER(touch->feature_a), j = (int)PRC_SOLID_NUMBER(touch->feature_b);
  double s, t;
  if (kind_a == PRC_SOLID_CORNER && kind_b == PRC_SOLID_CORNER)
    return prc_solid_ball_ball(a, i, b, j, touch->normal);
  if (kind_a == PRC_SOLID_EDGE && kind_b == PRC_SOLID_EDGE)
    return prc_solid_line_line(a, i, b, j, touch->normal, &s, &t);
  if (kind_b == PRC_SOLID_RIM) return prc_solid_face_rim(a, b, j, NULL);
  if (kind_b == PRC_SOLID_CORNER)
    return kind_a == PRC_SOLID_FACE ? prc_solid_ball_face(b, j, a, i)
                                    : prc_solid_ball_edge(b, j, a, i, touch->normal);
  const prc_solid_touch there = prc_solid_turned_round(touch), here = prc_solid_of_features(b, a, &there);
  return prc_solid_turned_round(&here);
}
