/* Thousands of random pairs of shapes against a slow answer in extended precision that shares no code with src/shape: the distance over all
 * pairs of edges, the depth over all directions of edges, every corner for itself. */
#include "config.h"
#include "shape/shape.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
typedef long double real;

/* ---- the slow answer ----------------------------------------------------------------------------------- */

enum { MOST = 2048 };
typedef struct {
  int n;
  real x[MOST][2], radius;
} world;

static void stand(const prc_shape *shape, const prc_pose *pose, world *out) {
  out->n = shape->n, out->radius = shape->radius;
  for (int k = 0; k < shape->n; k++) {
    const real rx = shape->corner[2 * k], ry = shape->corner[2 * k + 1];
    out->x[k][0] = pose->x[0] + (pose->c * rx - pose->s * ry);
    out->x[k][1] = pose->x[1] + (pose->s * rx + pose->c * ry);
  }
}

static real point_segment(const real p[2], const real a[2], const real b[2]) {
  const real t[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {p[0] - a[0], p[1] - a[1]};
  const real square = t[0] * t[0] + t[1] * t[1];
  real at = square > 0.0L ? (d[0] * t[0] + d[1] * t[1]) / square : 0.0L;
  at = fminl(fmaxl(at, 0.0L), 1.0L);
  return hypotl(d[0] - at * t[0], d[1] - at * t[1]);
}
static real side(const real a[2], const real b[2], const real p[2]) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}
static int cross(const real a[2], const real b[2], const real c[2], const real d[2]) {
  return (side(a, b, c) > 0.0L) != (side(a, b, d) > 0.0L) && (side(c, d, a) > 0.0L) != (side(c, d, b) > 0.0L)
         && side(a, b, c) != 0.0L && side(a, b, d) != 0.0L && side(c, d, a) != 0.0L && side(c, d, b) != 0.0L;
}
static int holds(const world *w, const real p[2]) {
  for (int k = 0; k < w->n; k++)
    if (w->n < 3 || !(side(w->x[k], w->x[(k + 1) % w->n], p) > 0.0L)) return 0;
  return 1;
}
static int overlap(const world *a, const world *b) {
  for (int i = 0; i < a->n; i++)
    if (holds(b, a->x[i])) return 1;
  for (int j = 0; j < b->n; j++)
    if (holds(a, b->x[j])) return 1;
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++)
      if (cross(a->x[i], a->x[(i + 1) % a->n], b->x[j], b->x[(j + 1) % b->n])) return 1;
  return 0;
}
/* The least width of their difference over the normals of the edges of `of`, on both sides. */
static real least_width(const world *of, const world *a, const world *b, real least) {
  for (int k = 0; k < of->n && of->n > 1; k++) {
    const real *p = of->x[k], *q = of->x[(k + 1) % of->n];
    const real length = hypotl(q[0] - p[0], q[1] - p[1]);
    for (int sign = -1; sign <= 1; sign += 2) {
      const real u[2] = {sign * (q[1] - p[1]) / length, -sign * (q[0] - p[0]) / length};
      real most = -INFINITY, smallest = INFINITY;
      for (int i = 0; i < a->n; i++) most = fmaxl(most, u[0] * a->x[i][0] + u[1] * a->x[i][1]);
      for (int j = 0; j < b->n; j++) smallest = fminl(smallest, u[0] * b->x[j][0] + u[1] * b->x[j][1]);
      least = fminl(least, most - smallest);
    }
  }
  return least;
}
/* The signed gap of two hulls, and of their cores. */
static real exact_gap(const world *a, const world *b, real *core) {
  real least = INFINITY;
  if (overlap(a, b)) {
    *core = -least_width(b, a, b, least_width(a, a, b, INFINITY));
    return *core - a->radius - b->radius;
  }
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++) {
      least = fminl(least, point_segment(a->x[i], b->x[j], b->x[(j + 1) % b->n]));
      least = fminl(least, point_segment(b->x[j], a->x[i], a->x[(i + 1) % a->n]));
    }
  *core = least;
  return least - a->radius - b->radius;
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* A random hull of at most n corners, `size` long and `thin` as much across, somewhere near its origin. */
static prc_shape random_hull(prc_random *r, int n, double size, double thin, double radius) {
  prc_shape shape;
  double corner[2 * MOST], angle = 0.0;
  for (;;) {
    const double turn = prc_random_uniform(r, 0.0, 6.3), cx = size * prc_random_uniform(r, -0.2, 0.2);
    double step[MOST], sum = 0.0;
    for (int k = 0; k < n; k++) sum += step[k] = prc_random_uniform(r, 0.1, 1.0);
    for (int k = 0; k < n; k++) {
      angle += 2.0 * 3.14159265358979 * step[k] / sum;
      const double x = n == 1 ? 0.0 : 0.5 * size * cos(angle),
                   y = n == 1 ? 0.0 : 0.5 * size * thin * sin(angle);
      corner[2 * k] = cx + cos(turn) * x - sin(turn) * y, corner[2 * k + 1] = sin(turn) * x + cos(turn) * y;
    }
    prc_error_clear(&err);
    if (prc_shape_make_hull(n, corner, radius, &shape, &err) == PRC_OK) return shape;
  }
}

/* ---- what holds for every pair ------------------------------------------------------------------------- */

typedef struct {
  const prc_shape *shape;
  prc_pose pose;
} body;
static prc_shape_touches found, swapped;

static void meet(const body *a, const body *b, double reach, prc_shape_touches *out) {
  out->n = 0;
  support_ok(prc_shape_meet(a->shape, &a->pose, b->shape, &b->pose, reach, out, &err), &err);
}
static int same_touch(const prc_shape_touch *s, const prc_shape_touch *t, int sign) {
  const int straight = s->feature_a == t->feature_a && s->feature_b == t->feature_b;
  const int round = s->feature_a == t->feature_b && s->feature_b == t->feature_a;
  return s->gap == t->gap && s->normal[0] == sign * t->normal[0] && s->normal[1] == sign * t->normal[1]
         && s->place[0] == t->place[0] && s->place[1] == t->place[1] && (sign > 0 ? straight : round);
}
/* The other way round all is the same, turned; what follows the features finds what was found. */
static void check_bits(const body *a, const body *b, double reach) {
  meet(b, a, reach, &swapped);
  ck_assert_int_eq(found.n, swapped.n);
  for (int k = 0; k < found.n; k++) {
    prc_shape_touch t = found.touch[k];
    ck_assert(same_touch(&t, &swapped.touch[k], -1));
    t.gap = NAN, t.normal[0] = NAN, t.place[1] = NAN;
    prc_shape_follow(a->shape, &a->pose, b->shape, &b->pose, &t);
    ck_assert(same_touch(&t, &found.touch[k], 1));
    t = swapped.touch[k], t.gap = NAN;
    prc_shape_follow(b->shape, &b->pose, a->shape, &a->pose, &t);
    ck_assert(same_touch(&t, &swapped.touch[k], 1));
  }
}

static real corner_of(const body *b, int k, real out[2]) {
  static world w;
  stand(b->shape, &b->pose, &w);
  out[0] = w.x[k % w.n][0], out[1] = w.x[k % w.n][1];
  return w.radius;
}
/* A touch of x's corner and y's edge, by the corners alone: gap, normal out of y, place; and the corner stands between the ends. */
static void check_corner_edge(const body *x, int corner, const body *y, int edge, const prc_shape_touch *t,
                              int sign, real size) {
  real v[2], p[2], q[2];
  const real rx = corner_of(x, corner, v), ry = corner_of(y, edge, p);
  corner_of(y, edge + 1, q);
  const real length = hypotl(q[0] - p[0], q[1] - p[1]);
  const real along[2] = {(q[0] - p[0]) / length, (q[1] - p[1]) / length}, n[2] = {along[1], -along[0]};
  const real s = (v[0] - p[0]) * along[0] + (v[1] - p[1]) * along[1];
  const real gap = (v[0] - p[0]) * n[0] + (v[1] - p[1]) * n[1] - rx - ry;
  ck_assert_ldouble_eq_tol(t->gap, gap, 1e-14L * size);
  ck_assert(s > -2e-9L * length - 1e-14L * size && s < length * (1 + 2e-9L) + 1e-14L * size);
  for (int k = 0; k < 2; k++) {
    ck_assert_ldouble_eq_tol(sign * t->normal[k], n[k], 1e-15L * fmaxl(size / length, 1.0L));
    ck_assert_ldouble_eq_tol(t->place[k], v[k] - (rx + gap / 2) * n[k], 1e-14L * size);
  }
}
static void check_touch(const body *a, const body *b, const prc_shape_touch *t, real size) {
  ck_assert_double_eq_tol(hypot(t->normal[0], t->normal[1]), 1.0, 8.0 * DBL_EPSILON);
  ck_assert(!(t->feature_a & t->feature_b & PRC_SHAPE_EDGE));
  if (t->feature_a & PRC_SHAPE_EDGE)
    check_corner_edge(b, t->feature_b, a, t->feature_a & ~PRC_SHAPE_EDGE, t, 1, size);
  else if (t->feature_b & PRC_SHAPE_EDGE)
    check_corner_edge(a, t->feature_a, b, t->feature_b & ~PRC_SHAPE_EDGE, t, -1, size);
  else {
    real v[2], w[2];
    const real radii = corner_of(a, t->feature_a, v) + corner_of(b, t->feature_b, w);
    const real distance = hypotl(w[0] - v[0], w[1] - v[1]);
    ck_assert_ldouble_eq_tol(t->gap, distance - radii, 1e-14L * size);
    for (int k = 0; k < 2; k++) ck_assert_ldouble_eq_tol(t->normal[k] * distance, w[k] - v[k], 1e-14L * size);
  }
}

/* Two hulls: the least gap is the exact distance where their cores are apart; where they overlap the depth is among the touches, and none
 * is above it that does not have its own corner there. */
static void check_hulls(const body *a, const body *b, double reach, real size) {
  static world wa, wb;
  real core, least = INFINITY, off = INFINITY;
  stand(a->shape, &a->pose, &wa);
  stand(b->shape, &b->pose, &wb);
  const real exact = exact_gap(&wa, &wb, &core), tolerance = 2e-14L * size;
  const real equal = 1.01e-9L
                     * fminl(a->shape->length > 0 ? a->shape->length : INFINITY,
                             b->shape->length > 0 ? b->shape->length : INFINITY);
  /* edges that separate alike are a choice by number, within 1e-9 length; a corner alone has none but at a corner */
  const real same = (a->shape->n > 1 && b->shape->n > 1) || fabsl(core) < equal ? equal : 0.0L;
  meet(a, b, reach, &found);
  ck_assert_int_le(found.n, 2);
  if (exact > reach + tolerance) ck_assert_int_eq(found.n, 0);
  if (exact > reach - tolerance - same) return;
  ck_assert_int_ge(found.n, 1);
  for (int k = 0; k < found.n; k++) {
    const prc_shape_touch *t = &found.touch[k];
    ck_assert_double_le(t->gap, reach);
    least = fminl(least, t->gap);
    off = fminl(off, fabsl(t->gap - exact));
    check_touch(a, b, t, size);
  }
  ck_assert_ldouble_le(off, tolerance + same);
  ck_assert_ldouble_le(least, exact + tolerance + same);
  if (core > 0.0L) ck_assert_ldouble_ge(least, exact - tolerance - same);
  check_bits(a, b, reach);
}

static double size_of(const prc_shape *a, const prc_shape *b) {
  return a->extent + b->extent;
}

/* ---- hulls of all sizes -------------------------------------------------------------------------------- */

static void shift(body *b, double by, const double u[2]) {
  for (int k = 0; k < 2; k++) b->pose.x[k] += by * u[k];
}
/* From afar until they nearly touch, by no more than what is between them at a time; and on by `offset`. */
static void bring_near(const body *one, body *two, const double u[2], double far, double offset) {
  static world wa, wb;
  real core;
  stand(one->shape, &one->pose, &wa);
  shift(two, 2.0 * far, u);
  for (int k = 0; k < 12; k++) {
    stand(two->shape, &two->pose, &wb);
    shift(two, -(double)fmaxl(exact_gap(&wa, &wb, &core), 0.0L), u);
  }
  shift(two, offset, u);
}

/* Placed anyhow: apart, near, deep, in one place, and just touching. */
static void try_pairs(uint64_t seed, int trials, int most_corners, double small, double thin, double round) {
  static const double offset[] = {0.05, 1e-3, -1e-3, 0.0};
  prc_random r = {seed};
  for (int trial = 0; trial < trials; trial++) {
    const int n = 1 + (int)prc_random_uniform(&r, 0.0, most_corners);
    const int m = 1 + (int)prc_random_uniform(&r, 0.0, most_corners);
    const double r1 = trial % 3 ? 0.0 : round * prc_random_uniform(&r, 0.0, 0.3);
    const double r2 = trial % 4 ? 0.0 : round * small * prc_random_uniform(&r, 0.0, 0.3);
    prc_shape a = random_hull(&r, n, 1.0, trial % 2 ? thin : 1.0, r1);
    prc_shape b = random_hull(&r, m, small, trial % 5 ? 1.0 : thin, r2);
    const double angle = prc_random_uniform(&r, 0.0, 6.3), far = size_of(&a, &b);
    for (int place = 0; place < 10; place++) {
      static const double distance[] = {1.2, 0.9, 0.6, 0.4, 0.1, 0.0};
      const double way = prc_random_uniform(&r, 0.0, 6.3), u[2] = {cos(way), sin(way)};
      const body one = {&a, prc_pose_at(0.3, -0.2, prc_random_uniform(&r, 0.0, 6.3))};
      body two = {&b, prc_pose_at(0.3, -0.2, angle)};
      if (place < 6)
        shift(&two, distance[place] * far, u);
      else
        bring_near(&one, &two, u, far, offset[place - 6] * small);
      const double apart = hypot(two.pose.x[0] - one.pose.x[0], two.pose.x[1] - one.pose.x[1]);
      check_hulls(&one, &two, trial % 7 ? 0.1 * small : 2.0, 4.0 * far + apart);
    }
    prc_shape_free(&a);
    prc_shape_free(&b);
  }
}

START_TEST(hulls_have_the_gaps_of_the_slow_answer) {
  try_pairs(1, 1200, 7, 1.0, 0.5, 1.0);
}
END_TEST
START_TEST(so_have_rounded_ones_of_few_corners) {
  try_pairs(2, 800, 3, 0.7, 0.3, 1.0);
}
END_TEST
START_TEST(so_have_needles) {
  try_pairs(3, 800, 6, 1.0, 1e-6, 0.01);
}
END_TEST
START_TEST(so_has_the_tiny_beside_the_huge) {
  try_pairs(4, 800, 6, 1e-6, 0.7, 1.0);
}
END_TEST
START_TEST(so_have_hulls_of_many_corners) {
  try_pairs(5, 8, 300, 0.4, 0.6, 0.1);
}
END_TEST

/* ---- half-planes and holes: every corner --------------------------------------------------------------- */

/* `other` is a half-plane or a hole: the corners within reach, in order, with gap and normal by themselves. */
static void check_endless(const body *other, const body *b, int hole, double reach, real size) {
  static world w;
  real c[2];
  int n = 0;
  stand(b->shape, &b->pose, &w);
  corner_of(other, 0, c);
  meet(other, b, reach, &found);
  for (int k = 0; k < w.n; k++) {
    const double *own = other->shape->normal;
    real m[2] = {other->pose.c * own[0] - other->pose.s * own[1],
                 other->pose.s * own[0] + other->pose.c * own[1]};
    const real d[2] = {w.x[k][0] - c[0], w.x[k][1] - c[1]}, far = hypotl(d[0], d[1]);
    const real gap = hole ? other->shape->radius - far - w.radius : d[0] * m[0] + d[1] * m[1] - w.radius;
    if (hole) m[0] = -d[0] / far, m[1] = -d[1] / far;
    if (fabsl(gap - reach) < 1e-14L * size) return; /* either way */
    if (gap > reach) continue;
    ck_assert_int_lt(n, found.n);
    const prc_shape_touch *t = &found.touch[n++];
    ck_assert_int_eq(t->feature_a, 0);
    ck_assert_int_eq(t->feature_b, k);
    ck_assert_ldouble_eq_tol(t->gap, gap, 1e-14L * size);
    for (int i = 0; i < 2; i++) {
      ck_assert_ldouble_eq_tol(t->normal[i], m[i], 1e-15L * fmaxl(1.0L, size / far));
      ck_assert_ldouble_eq_tol(t->place[i], w.x[k][i] - (w.radius + gap / 2) * m[i], 1e-14L * size);
    }
  }
  ck_assert_int_eq(n, found.n);
  check_bits(other, b, reach);
}

START_TEST(every_corner_of_a_hull_meets_what_has_no_end) {
  prc_random r = {6};
  for (int trial = 0; trial < 2000; trial++) {
    const int hole = trial % 2, n = 1 + (int)prc_random_uniform(&r, 0.0, trial % 20 ? 7.0 : 200.0);
    const double turn = prc_random_uniform(&r, 0.0, 6.3), size = trial % 3 ? 1.0 : 1e-6;
    const double at[2] = {prc_random_uniform(&r, -1.0, 1.0), prc_random_uniform(&r, -1.0, 1.0)};
    prc_shape a, b = random_hull(&r, n, size, 0.5, trial % 5 ? 0.0 : 0.2 * size);
    if (hole)
      support_ok(prc_shape_make_hole(at, prc_random_uniform(&r, 0.5, 4.0), &a, &err), &err);
    else
      support_ok(prc_shape_make_half_plane(at, (const double[2]){cos(turn), sin(turn)}, &a, &err), &err);
    for (int place = 0; place < 4; place++) {
      const body one = {&a, prc_pose_at(0.3, -0.2, prc_random_uniform(&r, 0.0, 6.3))};
      const body two = {
          &b, prc_pose_at(prc_random_uniform(&r, -3.0, 3.0), prc_random_uniform(&r, -3.0, 3.0), turn)};
      check_endless(&one, &two, hole, trial % 4 ? 0.1 : 3.0, 16.0L);
    }
    prc_shape_free(&a);
    prc_shape_free(&b);
  }
}
END_TEST

/* ---- what does not change ------------------------------------------------------------------------------ */

/* A pair of any kinds, near each other. */
static void random_pair(prc_random *r, prc_shape *a, prc_shape *b, body *one, body *two) {
  static const double offset[] = {0.02, 1e-4, -1e-4, -0.1};
  const double way = prc_random_uniform(r, 0.0, 6.3), u[2] = {cos(way), sin(way)};
  const double kind = prc_random_uniform(r, 0.0, 1.0),
               round = prc_random_uniform(r, 0.0, 1.0) < 0.5 ? 0.1 : 0.0;
  *b = random_hull(r, 1 + (int)prc_random_uniform(r, 0.0, 5.0), 0.6, 0.7, round);
  *two = (body){b, prc_pose_at(0.25, -0.5, prc_random_uniform(r, 0.0, 6.3))};
  if (kind < 0.2)
    support_ok(prc_shape_make_half_plane((const double[2]){0.0, 0.1}, u, a, &err), &err);
  else if (kind < 0.4)
    support_ok(prc_shape_make_hole((const double[2]){0.0, 0.1}, 0.9, a, &err), &err);
  else
    *a = random_hull(r, 1 + (int)prc_random_uniform(r, 0.0, 5.0), 1.0, 0.4, 0.0);
  *one = (body){a, prc_pose_at(0.25, -0.5, prc_random_uniform(r, 0.0, 6.3))};
  if (kind < 0.4)
    shift(two, 0.5, u);
  else
    bring_near(one, two, u, size_of(a, b), offset[(int)prc_random_uniform(r, 0.0, 4.0)]);
}

/* The same shape with all lengths times `unit`, mirrored at its x axis if so. */
static prc_shape changed(const prc_shape *shape, double unit, int mirror) {
  double corner[2 * MOST];
  prc_shape out;
  for (int k = 0; k < shape->n; k++) {
    const int from = mirror ? shape->n - 1 - k : k;
    corner[2 * k] = unit * shape->corner[2 * from];
    corner[2 * k + 1] = (mirror ? -unit : unit) * shape->corner[2 * from + 1];
  }
  const double n[2] = {shape->normal[0], mirror ? -shape->normal[1] : shape->normal[1]};
  prc_error_clear(&err);
  if (isfinite(shape->extent))
    support_ok(prc_shape_make_hull(shape->n, corner, unit * shape->radius, &out, &err), &err);
  else if (shape->radius > 0.0)
    support_ok(prc_shape_make_hole(corner, unit * shape->radius, &out, &err), &err);
  else
    support_ok(prc_shape_make_half_plane(corner, n, &out, &err), &err);
  return out;
}

/* In other units by powers of two every bit is the same; so it is far away, where poses have no bits to lose. */
START_TEST(units_and_places_change_no_bit) {
  static const double units[] = {0x1p-300, 0x1p-40, 0x1p20, 0x1p300};
  prc_random r = {7};
  for (int trial = 0; trial < 2000; trial++) {
    prc_shape a, b;
    body one, two;
    random_pair(&r, &a, &b, &one, &two);
    for (int k = 0; k < 2; k++) two.pose.x[k] = ldexp(round(ldexp(two.pose.x[k], 20)), -20);
    meet(&one, &two, 0.05, &found);
    const double unit = units[trial % 4], far = trial % 2 ? 0x1p28 : -0x1p28;
    prc_shape c = changed(&a, unit, 0), d = changed(&b, unit, 0);
    body first = {&c, one.pose}, second = {&d, two.pose};
    for (int k = 0; k < 2; k++) first.pose.x[k] *= unit, second.pose.x[k] *= unit;
    meet(&first, &second, 0.05 * unit, &swapped);
    ck_assert_int_eq(swapped.n, found.n);
    for (int k = 0; k < found.n; k++) {
      prc_shape_touch t = swapped.touch[k];
      t.gap /= unit, t.place[0] /= unit, t.place[1] /= unit;
      ck_assert(same_touch(&t, &found.touch[k], 1));
    }
    shift(&one, far, (const double[2]){1.0, -0.5});
    shift(&two, far, (const double[2]){1.0, -0.5});
    meet(&one, &two, 0.05, &swapped);
    ck_assert_int_eq(swapped.n, found.n);
    for (int k = 0; k < found.n; k++) {
      prc_shape_touch t = swapped.touch[k];
      for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol(t.place[i], found.touch[k].place[i] + (i ? -0.5 : 1.0) * far, 1e-7);
      memcpy(t.place, found.touch[k].place, sizeof t.place);
      ck_assert(same_touch(&t, &found.touch[k], 1));
    }
    prc_shape_free(&a), prc_shape_free(&b), prc_shape_free(&c), prc_shape_free(&d);
  }
}
END_TEST

/* The feature of a shape whose corners are counted the other way round. */
static int mirrored(int feature, int n) {
  if (feature & PRC_SHAPE_EDGE) return PRC_SHAPE_EDGE | ((2 * n - 2 - (feature & ~PRC_SHAPE_EDGE)) % n);
  return n - 1 - feature;
}
static int has_touch(const prc_shape_touches *in, const prc_shape_touch *t, double tolerance) {
  for (int k = 0; k < in->n; k++) {
    const prc_shape_touch *s = &in->touch[k];
    const double off =
        fmax(fabs(s->gap - t->gap), hypot(s->normal[0] - t->normal[0], s->normal[1] - t->normal[1]));
    if (s->feature_a == t->feature_a && s->feature_b == t->feature_b && off < tolerance
        && hypot(s->place[0] - t->place[0], s->place[1] - t->place[1]) < tolerance)
      return 1;
  }
  return 0;
}

/* All turned by an angle, or mirrored at the x axis: the same touches, turned or mirrored. */
START_TEST(turned_and_mirrored_all_is_turned_and_mirrored) {
  prc_random r = {8};
  int ties = 0;
  for (int trial = 0; trial < 2000; trial++) {
    prc_shape a, b;
    body one, two;
    const int mirror = trial % 2;
    const double turn = mirror ? 0.0 : prc_random_uniform(&r, 0.0, 6.3), c = cos(turn), s = sin(turn);
    random_pair(&r, &a, &b, &one, &two);
    meet(&one, &two, 0.05, &found);
    prc_shape m = changed(&a, 1.0, mirror), n = changed(&b, 1.0, mirror);
    body pair[2] = {{&m, one.pose}, {&n, two.pose}};
    for (int k = 0; k < 2; k++) {
      prc_pose *p = &pair[k].pose;
      const prc_pose was = *p;
      *p = (prc_pose){{c * was.x[0] - s * was.x[1], s * was.x[0] + c * was.x[1]},
                      was.c * c - was.s * s,
                      was.s * c + was.c * s};
      if (mirror) p->x[1] = -p->x[1], p->s = -p->s;
    }
    meet(&pair[0], &pair[1], 0.05, &swapped);
    ck_assert_int_eq(swapped.n, found.n);
    for (int k = 0; k < found.n; k++) {
      prc_shape_touch t = found.touch[k];
      double *v[2] = {t.normal, t.place};
      for (int i = 0; i < 2; i++) {
        const double x = v[i][0], y = mirror ? -v[i][1] : v[i][1];
        v[i][0] = c * x - s * y, v[i][1] = s * x + c * y;
      }
      if (mirror && isfinite(a.extent)) t.feature_a = (uint16_t)mirrored(t.feature_a, a.n);
      if (mirror) t.feature_b = (uint16_t)mirrored(t.feature_b, b.n);
      ties += !has_touch(&swapped, &t, 1e-13);
    }
    prc_shape_free(&a), prc_shape_free(&b), prc_shape_free(&m), prc_shape_free(&n);
  }
  ck_assert_int_le(
      ties,
      6); /* choices between equal separations, by number: capsules along each other, discs in one place */
}
END_TEST

/* n . (v_b - v_a) at the place of a touch is the rate of its gap. */
START_TEST(the_gap_of_features_has_the_rate_of_the_bodies_there) {
  prc_random r = {9};
  const double h = 0x1p-17;
  int checked = 0;
  for (int trial = 0; trial < 2000; trial++) {
    prc_shape a, b;
    body pair[2];
    double v[2][3];
    random_pair(&r, &a, &b, &pair[0], &pair[1]);
    meet(&pair[0], &pair[1], 0.05, &found);
    for (int k = 0; k < 6; k++) v[k / 3][k % 3] = prc_random_uniform(&r, -1.0, 1.0);
    for (int k = 0; k < found.n; k++) {
      double gap[2], rate = 0.0;
      for (int side = 0; side < 2; side++) {
        prc_shape_touch t = found.touch[k];
        prc_pose pose[2];
        for (int i = 0; i < 2; i++) {
          const double by = side ? h : -h, c = cos(by * v[i][2]), s = sin(by * v[i][2]);
          const prc_pose *p = &pair[i].pose;
          pose[i] = (prc_pose){
              {p->x[0] + by * v[i][0], p->x[1] + by * v[i][1]}, p->c * c - p->s * s, p->s * c + p->c * s};
        }
        prc_shape_follow(&a, &pose[0], &b, &pose[1], &t);
        ck_assert(t.feature_a == found.touch[k].feature_a && t.feature_b == found.touch[k].feature_b);
        gap[side] = t.gap;
      }
      for (int i = 0; i < 2; i++) {
        const double *x = found.touch[k].place, *n = found.touch[k].normal;
        const double arm[2] = {x[0] - pair[i].pose.x[0], x[1] - pair[i].pose.x[1]};
        const double along = n[0] * (v[i][0] - v[i][2] * arm[1]) + n[1] * (v[i][1] + v[i][2] * arm[0]);
        rate += i ? along : -along;
      }
      /* of two corners the rate itself changes with the square of the speed across over their distance */
      const int corners = !((found.touch[k].feature_a | found.touch[k].feature_b) & PRC_SHAPE_EDGE);
      const double gap_now = found.touch[k].gap;
      const double apart = isfinite(a.extent) ? gap_now + a.radius + b.radius : a.radius - gap_now - b.radius;
      const double curved = corners ? 30.0 * h * h / (apart * apart) : 0.0;
      if (curved < 1e-3) ck_assert_double_eq_tol((gap[1] - gap[0]) / (2.0 * h), rate, 2e-9 + curved);
      checked += curved < 1e-3;
    }
    prc_shape_free(&a), prc_shape_free(&b);
  }
  ck_assert_int_gt(checked, 2000);
}
END_TEST

SUITE(shape_random) {
  Suite *suite = suite_create("shape_random");
  TCase *random = tcase_create("hulls");
  tcase_set_timeout(random, 60.0);
  tcase_add_test(random, hulls_have_the_gaps_of_the_slow_answer);
  tcase_add_test(random, so_have_rounded_ones_of_few_corners);
  tcase_add_test(random, so_have_needles);
  tcase_add_test(random, so_has_the_tiny_beside_the_huge);
  tcase_add_test(random, so_have_hulls_of_many_corners);
  tcase_add_test(random, every_corner_of_a_hull_meets_what_has_no_end);
  tcase_add_test(random, units_and_places_change_no_bit);
  tcase_add_test(random, turned_and_mirrored_all_is_turned_and_mirrored);
  tcase_add_test(random, the_gap_of_features_has_the_rate_of_the_bodies_there);
  suite_add_tcase(suite, random);
  return suite;
}
