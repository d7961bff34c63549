/* Thousands of random pairs of shapes against a slow answer in extended precision that shares no code with src/shape: the distance over all
 * pairs of edges, the depth over all directions of edges, every corner for itself. */
#include "config.h"
#include "shape/shape.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
  for (int k = 0; k < 30; k++) {
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
      check_hulls(&one, &two, trial % 7 ? 0.1 * small : 2.0, 4.0 * far);
    }
    prc_shape_free(&a);
    prc_shape_free(&b);
  }
}

START_TEST(hulls_have_the_gaps_of_the_slow_answer) {
  try_pairs(1, 3000, 7, 1.0, 0.5, 1.0);
}
END_TEST
START_TEST(so_have_rounded_ones_of_few_corners) {
  try_pairs(2, 2000, 3, 0.7, 0.3, 1.0);
}
END_TEST
START_TEST(so_have_needles) {
  try_pairs(3, 2000, 6, 1.0, 1e-6, 0.01);
}
END_TEST
START_TEST(so_has_the_tiny_beside_the_huge) {
  try_pairs(4, 2000, 6, 1e-6, 0.7, 1.0);
}
END_TEST
START_TEST(so_have_hulls_of_many_corners) {
  try_pairs(5, 20, 300, 0.4, 0.6, 0.1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("shape random");
  TCase *random = tcase_create("hulls");
  tcase_set_timeout(random, 60.0);
  tcase_add_test(random, hulls_have_the_gaps_of_the_slow_answer);
  tcase_add_test(random, so_have_rounded_ones_of_few_corners);
  tcase_add_test(random, so_have_needles);
  tcase_add_test(random, so_has_the_tiny_beside_the_huge);
  tcase_add_test(random, so_have_hulls_of_many_corners);
  suite_add_tcase(suite, random);
  return support_run(suite);
}
