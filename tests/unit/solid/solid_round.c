/* Spheres, capsules and cylinders, placed anyhow against what they meet, beside a slow answer in extended precision that shares no code with
 * src/solid: distances over all triangles and edges, the depth over all directions. */
#include "config.h"
#include "solid/solid.h"
#include "support/polyhedra.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
typedef long double real;
typedef struct {
  prc_solid solid;
  prc_solid_pose pose;
} body;
static prc_solid_touches found, swapped;

/* ---- vectors ------------------------------------------------------------------------------------------- */

static real dot(const real a[3], const real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(const real a[3], const real b[3], real out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}
static void less(const real a[3], const real b[3], real out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}
static void corner_of(const body *b, int i, real out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = b->pose.x[k];
    for (int l = 0; l < 3; l++) out[k] += (real)b->pose.R[3 * k + l] * b->solid.corner[3 * i + l];
  }
}

/* ---- the slow answer ----------------------------------------------------------------------------------- */

/* |p - (a + t (b - a))|, t within 0 .. 1 */
static real point_segment(const real p[3], const real a[3], const real b[3]) {
  real d[3], e[3];
  less(b, a, d), less(p, a, e);
  const real square = dot(d, d);
  const real t = square > 0 ? fminl(fmaxl(dot(d, e) / square, 0), 1) : 0;
  for (int k = 0; k < 3; k++) e[k] -= t * d[k];
  return sqrtl(dot(e, e));
}
/* By barycentric coordinates of the foot; else along the edges. */
static real point_triangle(const real p[3], const real a[3], const real b[3], const real c[3]) {
  real u[3], v[3], w[3];
  less(b, a, u), less(c, a, v), less(p, a, w);
  const real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const real det = uu * vv - uv * uv, s = (vv * uw - uv * vw) / det, t = (uu * vw - uv * uw) / det;
  if (s >= 0 && t >= 0 && s + t <= 1) {
    for (int k = 0; k < 3; k++) w[k] -= s * u[k] + t * v[k];
    return sqrtl(dot(w, w));
  }
  return fminl(point_segment(p, a, b), fminl(point_segment(p, b, c), point_segment(p, c, a)));
}
/* The distance of p from a segment is convex along the other: the least by golden sections, and by the formula of lines. */
static real segment_segment(const real a[3], const real b[3], const real c[3], const real d[3]) {
  real least = fminl(fminl(point_segment(a, c, d), point_segment(b, c, d)),
                     fminl(point_segment(c, a, b), point_segment(d, a, b)));
  real u[3], v[3], w[3], n[3], uw[3], vw[3];
  less(b, a, u), less(d, c, v), less(c, a, w);
  cross(u, v, n);
  const real nn = dot(n, n);
  if (!(nn > 1e-30L * dot(u, u) * dot(v, v))) return least;
  cross(w, v, vw), cross(w, u, uw);
  const real s = dot(vw, n) / nn, t = dot(uw, n) / nn;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = fminl(least, fabsl(dot(w, n)) / sqrtl(nn));
  return least;
}

/* Of the core of a sphere or a capsule, in the order 0, last; and of a polyhedron every face as a fan of triangles. */
static void core(const body *b, real from[3], real to[3]) {
  corner_of(b, 0, from), corner_of(b, b->solid.n - 1, to);
}
static void face_plane(const body *y, int f, real n[3], real *offset) {
  const int *corner = y->solid.face_corner + y->solid.face_start[f];
  const int m = y->solid.face_start[f + 1] - y->solid.face_start[f];
  real sum[3] = {0, 0, 0}, a[3], b[3], o[3], c[3];
  corner_of(y, corner[0], o);
  for (int k = 1; k + 1 < m; k++) {
    corner_of(y, corner[k], a), corner_of(y, corner[k + 1], b);
    less(a, o, a), less(b, o, b);
    cross(a, b, c);
    for (int l = 0; l < 3; l++) sum[l] += c[l];
  }
  const real length = sqrtl(dot(sum, sum));
  for (int l = 0; l < 3; l++) n[l] = sum[l] / length;
  *offset = dot(n, o);
}
static real width_along(const body *x, const body *y,
                        const real n[3]) { /* how far x is in front of y along n */
  real lowest = INFINITY, highest = -INFINITY, p[3];
  for (int i = 0; i < x->solid.n; i++) corner_of(x, i, p), lowest = fminl(lowest, dot(n, p));
  for (int i = 0; i < y->solid.n; i++) corner_of(y, i, p), highest = fmaxl(highest, dot(n, p));
  return lowest - highest;
}
/* The core of x and the polyhedron y: positive apart, negative the least way out. */
static real core_polyhedron(const body *x, const body *y) {
  real from[3], to[3], along[3], t0 = 0, t1 = 1, most = -INFINITY, least = INFINITY, n[3], offset;
  core(x, from, to);
  less(to, from, along);
  for (int f = 0; f < y->solid.n_faces; f++) {
    face_plane(y, f, n, &offset);
    const real d0 = dot(n, from) - offset, d1 = dot(n, to) - offset;
    most = fmaxl(most, width_along(x, y, n));
    if (d0 > 0 && d1 > 0) t1 = -1;
    if (d0 > 0 && d1 < 0) t0 = fmaxl(t0, d0 / (d0 - d1));
    if (d0 < 0 && d1 > 0) t1 = fminl(t1, d0 / (d0 - d1));
  }
  if (t0 <= t1) {
    for (int e = 0; e < y->solid.n_edges && x->solid.n == 2; e++) {
      real p[3], q[3], c[3];
      corner_of(y, y->solid.edge[4 * e], p), corner_of(y, y->solid.edge[4 * e + 1], q);
      less(q, p, q);
      cross(q, along, c);
      const real length = sqrtl(dot(c, c));
      if (!(length > 1e-9L * sqrtl(dot(q, q) * dot(along, along)))) continue;
      for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < 3; k++) n[k] = sign * c[k] / length;
        most = fmaxl(most, width_along(x, y, n));
      }
    }
    return most;
  }
  for (int f = 0; f < y->solid.n_faces; f++) {
    const int *corner = y->solid.face_corner + y->solid.face_start[f];
    const int m = y->solid.face_start[f + 1] - y->solid.face_start[f];
    real a[3], b[3], c[3];
    corner_of(y, corner[0], a);
    for (int k = 1; k + 1 < m; k++) {
      corner_of(y, corner[k], b), corner_of(y, corner[k + 1], c);
      least = fminl(least, fminl(point_triangle(from, a, b, c), point_triangle(to, a, b, c)));
      least = fminl(least, fminl(segment_segment(from, to, a, b), segment_segment(from, to, b, c)));
      least = fminl(least, segment_segment(from, to, c, a));
    }
  }
  return least;
}
static real exact_core(const body *a, const body *b) {
  if (a->solid.n > 2) return core_polyhedron(b, a);
  if (b->solid.n > 2) return core_polyhedron(a, b);
  real from[3], to[3], c[3], d[3];
  core(a, from, to), core(b, c, d);
  if (a->solid.n == 1) return point_segment(from, c, d);
  if (b->solid.n == 1) return point_segment(c, from, to);
  return segment_segment(from, to, c, d);
}

/* ---- what holds for every pair ------------------------------------------------------------------------- */

static void meet(const body *a, const body *b, double reach, prc_solid_touches *out) {
  out->n = 0;
  support_ok(prc_solid_meet(&a->solid, &a->pose, &b->solid, &b->pose, reach, out, &err), &err);
}
static int same_touch(const prc_solid_touch *s, const prc_solid_touch *t, int sign) {
  int same = s->gap == t->gap && s->feature_a == (sign > 0 ? t->feature_a : t->feature_b)
             && s->feature_b == (sign > 0 ? t->feature_b : t->feature_a);
  for (int k = 0; k < 3; k++) same &= s->normal[k] == sign * t->normal[k] && s->place[k] == t->place[k];
  return same;
}
static void check_bits(const body *a, const body *b, double reach) {
  meet(b, a, reach, &swapped);
  ck_assert_int_eq(found.n, swapped.n);
  for (int k = 0; k < found.n; k++) {
    int twins = 0;
    for (int l = 0; l < found.n; l++) {
      twins += same_touch(&found.touch[k], &swapped.touch[l], -1);
      ck_assert(k == l || found.touch[k].feature_a != found.touch[l].feature_a
                || found.touch[k].feature_b != found.touch[l].feature_b);
    }
    ck_assert_int_eq(twins, 1);
    prc_solid_touch t = found.touch[k];
    t.gap = NAN, t.place[1] = NAN;
    prc_solid_follow(&a->solid, &a->pose, &b->solid, &b->pose, &t);
    ck_assert(same_touch(&t, &found.touch[k], 1));
    t = swapped.touch[k];
    prc_solid_follow(&b->solid, &b->pose, &a->solid, &a->pose, &t);
    ck_assert(same_touch(&t, &swapped.touch[k], 1));
  }
}

/* Spins and velocities; the pose a little later. */
static prc_solid_pose moved(const prc_solid_pose *pose, const double v[6], double by) {
  prc_solid_pose out = *pose;
  const double angle = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
  const double zero[3] = {0.0, 0.0, 0.0};
  const prc_solid_pose turn = support_pose(zero, v + 3, by * angle);
  for (int i = 0; i < 3; i++) {
    out.x[i] += by * v[i];
    for (int j = 0; j < 3; j++) {
      out.R[3 * i + j] = 0.0;
      for (int k = 0; k < 3; k++) out.R[3 * i + j] += turn.R[3 * i + k] * pose->R[3 * k + j];
    }
  }
  return out;
}
/* The gap's rate is n . (v_b - v_a) at the place; it changes within h by h^2 times what is over the square of the distance of the cores. */
static int check_rates(const body *a, const body *b, uint64_t *seed) {
  const double h = 0x1p-17, at_least = 0.02;
  double v[2][6];
  int checked = 0;
  for (int k = 0; k < 12; k++) v[k / 6][k % 6] = support_uniform(seed, -1.0, 1.0);
  for (int k = 0; k < found.n; k++) {
    const prc_solid_touch *t = &found.touch[k];
    double gap[2], rate = 0.0;
    const double apart = t->gap + a->solid.radius + b->solid.radius;
    if (fabs(apart) < at_least) continue;
    for (int side = 0; side < 2; side++) {
      prc_solid_touch later = *t;
      const prc_solid_pose pa = moved(&a->pose, v[0], side ? h : -h),
                           pb = moved(&b->pose, v[1], side ? h : -h);
      prc_solid_follow(&a->solid, &pa, &b->solid, &pb, &later);
      gap[side] = later.gap;
    }
    for (int i = 0; i < 2; i++) {
      const prc_solid_pose *pose = i ? &b->pose : &a->pose;
      const double r[3] = {t->place[0] - pose->x[0], t->place[1] - pose->x[1], t->place[2] - pose->x[2]};
      const double *w = v[i] + 3;
      const double u[3] = {v[i][0] + w[1] * r[2] - w[2] * r[1], v[i][1] + w[2] * r[0] - w[0] * r[2],
                           v[i][2] + w[0] * r[1] - w[1] * r[0]};
      for (int l = 0; l < 3; l++) rate += (i ? 1.0 : -1.0) * t->normal[l] * u[l];
    }
    const int lines =
        PRC_SOLID_KIND(t->feature_a) == PRC_SOLID_EDGE && PRC_SOLID_KIND(t->feature_b) == PRC_SOLID_EDGE;
    const double off = fabs((gap[1] - gap[0]) / (2.0 * h) - rate);
    const double curved = 1e-8 + 100.0 * h * h / (apart * apart);
    if (off > curved && lines) continue; /* of edges that are nearly parallel the rate itself changes fast */
    ck_assert_double_le(off, curved);
    checked++;
  }
  return checked;
}

static long count_pairs, count_touches, count_rates, count_deep;
static double worst_deep;

static void check_pair(const body *a, const body *b, double reach, uint64_t *seed) {
  const real inner = exact_core(a, b), exact = inner - a->solid.radius - b->solid.radius;
  const double size = 1.0 + fabs((double)exact), tolerance = 4e-14 * size;
  const int polyhedron = a->solid.n > 2 || b->solid.n > 2, sphere = a->solid.n == 1 || b->solid.n == 1;
  const double same = polyhedron ? 1.1e-9 : sphere ? 0.0 : 2e-8;
  double least = INFINITY;
  meet(a, b, reach, &found);
  count_pairs++, count_touches += found.n;
  if (exact > reach + tolerance + same) ck_assert_int_eq(found.n, 0);
  if (exact > reach - tolerance - same) return;
  ck_assert_int_ge(found.n, 1);
  for (int k = 0; k < found.n; k++) {
    const double *n = found.touch[k].normal;
    ck_assert_double_le(found.touch[k].gap, reach);
    ck_assert_double_eq_tol(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 2e-14);
    least = fmin(least, found.touch[k].gap);
  }
  if (inner > 0 || sphere) {
    ck_assert_double_le(fabs((double)(least - exact)), tolerance + same);
  } else {
    const double off = fabs((double)(least - exact)) / (double)(1e-3 - inner);
    worst_deep = fmax(worst_deep, off), count_deep++;
  }
  if (inner > 0 || polyhedron) check_bits(a, b, reach); /* centres in one place have no direction */
  if (count_pairs % 8 == 0) count_rates += check_rates(a, b, seed);
}

/* ---- solids and places --------------------------------------------------------------------------------- */

enum { POOL = 24 };
static body sphere[POOL], capsule[POOL], stone[POOL];

static void fill(uint64_t *seed) {
  for (int i = 0; i < POOL; i++) {
    double x[6];
    for (int k = 0; k < 6; k++)
      x[k] = i % 4 == 0 ? 0.25 * (k % 3 == i % 3) * (k < 3 ? -1 : 1) : support_uniform(seed, -0.6, 0.6);
    const double r = i % 5 == 1 ? 0.0 : i % 3 == 1 ? 0.25 : support_uniform(seed, 0.01, 0.4);
    prc_solid slow = support_stone(seed);
    support_ok(prc_solid_make_hull(1, x, r, &sphere[i].solid, &err), &err);
    support_ok(prc_solid_make_hull(2, x, i % 7 == 2 ? 0.0 : 0.5 * r, &capsule[i].solid, &err), &err);
    if (i % 4 == 0)
      support_ok(prc_solid_make_box((const double[3]){0.5 + 0.25 * (i % 3), 1.0, i % 8 ? 0.5 : 0.02},
                                    &stone[i].solid, &err),
                 &err);
    else
      support_ok(prc_solid_make_hull(slow.n, slow.corner, 0.0, &stone[i].solid, &err), &err);
    support_release(&slow);
  }
}
static void empty(void) {
  for (int i = 0; i < POOL; i++) {
    prc_solid_free(&sphere[i].solid), prc_solid_free(&capsule[i].solid), prc_solid_free(&stone[i].solid);
  }
  prc_solid_free_touches(&found), prc_solid_free_touches(&swapped);
}

/* A quarter turn or none about some axes, and places on a grid: exactly parallel, in line, edge on edge, in one place. */
static prc_solid_pose on_grid(uint64_t *seed) {
  static const double turn[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    {0, -1, 0, 1, 0, 0, 0, 0, 1},
                                    {1, 0, 0, 0, 0, -1, 0, 1, 0},
                                    {0, 0, 1, 1, 0, 0, 0, 1, 0}};
  prc_solid_pose pose;
  for (int k = 0; k < 3; k++) pose.x[k] = 0.125 * rint(support_uniform(seed, -6.0, 6.0));
  memcpy(pose.R, turn[(int)support_uniform(seed, 0.0, 3.999)], sizeof pose.R);
  return pose;
}
static prc_solid_pose anywhere(uint64_t *seed, double far) {
  const double x[3] = {support_uniform(seed, -far, far), support_uniform(seed, -far, far),
                       support_uniform(seed, -far, far)};
  return support_any_attitude(seed, x);
}
/* Towards each other until they nearly touch, and on by `offset`. */
static void bring_near(const body *a, body *b, double offset) {
  double d[3], length = 0.0;
  for (int k = 0; k < 3; k++) d[k] = b->pose.x[k] - a->pose.x[k], length += d[k] * d[k];
  length = sqrt(length);
  if (!(length > 0.0)) return;
  for (int step = 0; step < 12; step++) {
    const double gap = (double)exact_core(a, b) - a->solid.radius - b->solid.radius;
    for (int k = 0; k < 3; k++) b->pose.x[k] -= (step < 11 ? fmax(gap, 0.0) : -offset) * d[k] / length;
  }
}
static void try_pairs(body *as, body *bs, int trials, uint64_t start) {
  static const double offset[] = {0.01, 1e-4, 0.0, -1e-4, -0.05};
  uint64_t seed = start;
  fill(&seed);
  count_pairs = count_touches = count_rates = count_deep = 0, worst_deep = 0.0;
  for (int trial = 0; trial < trials; trial++) {
    body a = as[(int)support_uniform(&seed, 0.0, POOL - 0.001)],
         b = bs[(int)support_uniform(&seed, 0.0, POOL - 0.001)];
    a.pose = trial % 3 ? anywhere(&seed, 0.5) : on_grid(&seed);
    b.pose = trial % 3 == 2 ? anywhere(&seed, 0.7) : trial % 3 ? a.pose : on_grid(&seed);
    if (trial % 3 == 1) { /* the same attitude, or nearly */
      for (int k = 0; k < 3; k++) b.pose.x[k] += support_uniform(&seed, -0.7, 0.7);
      if (trial % 2) support_nudge(&seed, &b.pose, pow(10.0, support_uniform(&seed, -16.0, -1.0)));
    }
    if (trial % 5 == 0) bring_near(&a, &b, offset[trial / 5 % 5]);
    check_pair(&a, &b, trial % 4 ? 0.05 : 2.0, &seed);
  }
  if (getenv("PRC_TELL"))
    printf("# %ld pairs, %ld touches, %ld rates, %ld deep, worst %g\n", count_pairs, count_touches,
           count_rates, count_deep, worst_deep);
  empty();
}

static int trials(void) {
  return getenv("PRC_TRIALS") ? atoi(getenv("PRC_TRIALS")) : 20000;
}
START_TEST(two_spheres_have_the_gap_of_the_slow_answer) {
  try_pairs(sphere, sphere, trials(), 1);
}
END_TEST
START_TEST(so_have_a_sphere_and_a_capsule) {
  try_pairs(capsule, sphere, trials(), 2);
}
END_TEST
START_TEST(so_have_two_capsules) {
  try_pairs(capsule, capsule, trials(), 3);
}
END_TEST
START_TEST(so_have_a_sphere_and_a_polyhedron) {
  try_pairs(stone, sphere, trials(), 4);
}
END_TEST
START_TEST(so_have_a_capsule_and_a_polyhedron) {
  try_pairs(stone, capsule, trials(), 5);
  ck_assert_double_le(worst_deep, 2e-3);
}
END_TEST

SUITE(solid_round) {
  Suite *suite = suite_create("solid_round");
  TCase *random = tcase_create("random");
  tcase_set_timeout(random, 300.0);
  tcase_add_test(random, two_spheres_have_the_gap_of_the_slow_answer);
  tcase_add_test(random, so_have_a_sphere_and_a_capsule);
  tcase_add_test(random, so_have_two_capsules);
  tcase_add_test(random, so_have_a_sphere_and_a_polyhedron);
  tcase_add_test(random, so_have_a_capsule_and_a_polyhedron);
  suite_add_tcase(suite, random);
  return suite;
}
