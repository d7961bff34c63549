#include "config.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>

/* Areas of hulls with round corners, cut by two lines.
 *
 * With coordinates s along n and t across it, the part of a region where s <= c and t <= d has the area
 *
 *   F(c, d) = integral over s <= c of the length of { t <= d } = closed integral of min(t, d) ds over the boundary where s <= c,
 *
 * the boundary run through clockwise as (s, t) see it, which is anticlockwise in space, t being n turned by -90 degrees. On segments and
 * arcs, cut where s = c and t = d, this is in closed form. A rectangle has F at its corners, two with each sign. */

typedef struct {
  double c, d;
} lines;

static double on_segment(const double from[2], const double to[2], const lines *at) {
  const double ds = to[0] - from[0], dt = to[1] - from[1];
  double cut[4] = {0.0, (at->c - from[0]) / ds, (at->d - from[1]) / dt, 1.0}, sum = 0.0;
  for (int k = 1; k < 3; k++)
    if (!(cut[k] > 0.0 && cut[k] < 1.0)) cut[k] = 1.0; /* parallel: not a number, or infinite */
  if (cut[1] > cut[2]) {
    const double other = cut[1];
    cut[1] = cut[2], cut[2] = other;
  }
  for (int k = 0; k < 3; k++) {
    const double middle = 0.5 * (cut[k] + cut[k + 1]), t = from[1] + middle * dt;
    if (from[0] + middle * ds <= at->c) sum += (cut[k + 1] - cut[k]) * ds * fmin(t, at->d);
  }
  return sum;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The integral of min(t, d) ds over the arc (s, t) = centre + r (cos, sin) from angle `from` down to `to`. */
static double on_arc(const double centre[2], double r, double from, double to, const lines *at) {
  const double turn = 2.0 * acos(-1.0), s = (at->c - centre[0]) / r, t = (at->d - centre[1]) / r;
  const double crossing[4] = {acos(s), -acos(s), asin(t), 0.5 * turn - asin(t)};
  double cut[10] = {to, from}, sum = 0.0;
  int n = 2;
  for (int k = 0; k < 4; k++) {
    if (!(fabs(k < 2 ? s : t) <= 1.0)) continue;
    for (double angle = crossing[k] + turn * ceil((to - crossing[k]) / turn); angle < from && n < 10;
         angle += turn)
      cut[n++] = angle;
  }
  qsort(cut, (size_t)n, sizeof *cut, by_value);
  for (int k = 0; k + 1 < n; k++) {
    const double a = cut[k + 1], b = cut[k], middle = 0.5 * (a + b);
    if (centre[0] + r * cos(middle) > at->c) continue;
    const double ds = r * (cos(b) - cos(a));
    if (centre[1] + r * sin(middle) > at->d)
      sum += at->d * ds;
    else
      sum += centre[1] * ds + 0.5 * r * r * (a - b - sin(a) * cos(a) + sin(b) * cos(b));
  }
  return sum;
}

/* Where a point of the hull, moved out of edge k by its radius, is in s and t, from the origin of its axes. */
typedef struct {
  const prc_shape *shape;
  double axis[2][2]; /* n and t in the shape's axes */
} view;

static void see(const view *v, const double *corner, const double *out, double place[2]) {
  for (int i = 0; i < 2; i++) {
    place[i] = v->axis[i][0] * corner[0] + v->axis[i][1] * corner[1];
    if (out) place[i] += v->shape->radius * (v->axis[i][0] * out[0] + v->axis[i][1] * out[1]);
  }
}

/* Out of the edge from corner k: the edge turned by -90 degrees. */
static void normal_of(const prc_shape *shape, int k, double out[2]) {
  const double *from = shape->corner + 2 * (k % shape->n), *to = shape->corner + 2 * ((k + 1) % shape->n);
  const double e[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(e[0], e[1]);
  out[0] = e[1] / length, out[1] = -e[0] / length;
}

/* Along edge k and round the corner at its end. */
static double along_edge(const view *v, int k, const lines *at) {
  const prc_shape *shape = v->shape;
  const double *end = shape->corner + 2 * ((k + 1) % shape->n), turn = 2.0 * acos(-1.0);
  double out[2], next[2], from[2], to[2], centre[2], angle[2];
  normal_of(shape, k, out);
  see(v, shape->corner + 2 * k, out, from);
  see(v, end, out, to);
  const double straight = on_segment(from, to, at);
  if (!(shape->radius > 0.0)) return straight;
  normal_of(shape, k + 1, next);
  see(v, end, NULL, centre);
  const double *const direction[2] = {out, next};
  for (int i = 0; i < 2; i++)
    angle[i] = atan2(v->axis[1][0] * direction[i][0] + v->axis[1][1] * direction[i][1],
                     v->axis[0][0] * direction[i][0] + v->axis[0][1] * direction[i][1]);
  if (angle[1] > angle[0]) angle[1] -= turn;
  return straight + on_arc(centre, shape->radius, angle[0], angle[1], at);
}

static double below(const view *v, const lines *at) {
  const prc_shape *shape = v->shape;
  double sum = 0.0, centre[2];
  if (shape->n == 1) {
    see(v, shape->corner, NULL, centre);
    return shape->radius > 0.0 ? on_arc(centre, shape->radius, 2.0 * acos(-1.0), 0.0, at) : 0.0;
  }
  for (int k = 0; k < shape->n; k++) sum += along_edge(v, k, at);
  return sum;
}

double prc_measure_area(const prc_shape *shape) {
  const view v = {shape, {{1.0, 0.0}, {0.0, -1.0}}};
  return below(&v, &(lines){INFINITY, INFINITY});
}

double prc_measure_area_below(const prc_shape *shape, const prc_pose *pose, const double normal[2], double s,
                              double d) {
  const double n[2] = {normal[0], normal[1]}, t[2] = {n[1], -n[0]}, *x = pose->x;
  const double c = pose->c, sine = pose->s;
  const view v = {
      shape,
      {{c * n[0] + sine * n[1], -sine * n[0] + c * n[1]}, {c * t[0] + sine * t[1], -sine * t[0] + c * t[1]}}};
  return below(&v, &(lines){s - n[0] * x[0] - n[1] * x[1], d - t[0] * x[0] - t[1] * x[1]});
}
