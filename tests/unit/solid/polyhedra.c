/* Pairs of polyhedra, placed at random and on purpose badly, against slow answers that share no code with src/solid: the sign of the gap by
 * edges through faces, the distance over all features, the depth along all axes. And what holds wherever they are. */
#include "config.h"
#include "solid/internal.h"
#include "support/polyhedra.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_solid_touches found, turned;
enum { POOL = 48 };

static int count_of(int n) {
  return getenv("PRC_SHORT") ? n / 100 : getenv("PRC_LONG") ? n : n / 5;
}
static double least_gap(const prc_solid_touches *touches) {
  double least = INFINITY;
  for (int k = 0; k < touches->n; k++) least = fmin(least, touches->touch[k].gap);
  return least;
}

/* ---- what holds wherever they are ---------------------------------------------------------------------- */

/* Assertions cost more than what is asserted. */
static void check_same(const prc_solid_touch *p, const prc_solid_touch *q) {
  int same = p->gap == q->gap && p->feature_a == q->feature_a && p->feature_b == q->feature_b;
  for (int k = 0; k < 3; k++) same &= p->normal[k] == q->normal[k] && p->place[k] == q->place[k];
  if (!same)
    ck_abort_msg("gaps %.17g and %.17g of %x %x and %x %x", p->gap, q->gap, p->feature_a, p->feature_b,
                 q->feature_a, q->feature_b);
}

/* Unit normals, features that are there and each pair of them once, followed to the bit, the same turned round. */
static void check_touches(prc_solid_stand a, prc_solid_stand b, double reach) {
  found.n = turned.n = 0;
  support_ok(prc_solid_polyhedra_meet(a, b, reach, &found, &err), &err);
  support_ok(prc_solid_polyhedra_meet(b, a, reach, &turned, &err), &err);
  ck_assert_int_eq(found.n, turned.n);
  /* one in its own place cannot know which of the two is meant */
  const int one = a.solid == b.solid && memcmp(a.pose, b.pose, sizeof *a.pose) == 0;
  for (int k = 0; k < found.n; k++) {
    prc_solid_touch *p = &found.touch[k], q = turned.touch[k];
    const prc_solid_touch as_found = *p;
    const uint32_t kind = PRC_SOLID_KIND(p->feature_a), other = PRC_SOLID_KIND(p->feature_b);
    int good = p->gap <= reach && fabs(prc_solid_dot(p->normal, p->normal) - 1.0) < 1e-14
               && (kind == PRC_SOLID_EDGE ? other == PRC_SOLID_EDGE : kind + other == PRC_SOLID_FACE);
    for (int l = 0; l < k; l++)
      good &= found.touch[l].feature_a != p->feature_a || found.touch[l].feature_b != p->feature_b;
    if (!good) ck_abort_msg("gap %g, features %x and %x", p->gap, p->feature_a, p->feature_b);
    prc_solid_polyhedra_follow(a, b, p);
    check_same(&as_found, p);
    prc_solid_polyhedra_follow(b, a, &q);
    check_same(&turned.touch[k], &q);
    if (one) continue;
    for (int l = 0; l < 3; l++) q.normal[l] = -q.normal[l];
    const uint32_t feature = q.feature_a;
    q.feature_a = q.feature_b, q.feature_b = feature;
    check_same(p, &q);
  }
}

/* Lengths times a power of two: the same bits. */
static void check_scaled(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                         const prc_solid_pose *pose_b, double reach) {
  const double scale = 0x1p-20;
  prc_solid copy[2] = {*a, *b};
  prc_solid_pose pose[2] = {*pose_a, *pose_b};
  found.n = turned.n = 0;
  for (int s = 0; s < 2; s++) {
    const size_t n = 3 * (size_t)copy[s].n, faces = (size_t)copy[s].n_faces;
    double *corner = malloc(n * sizeof *corner), *offset = malloc(faces * sizeof *offset);
    for (size_t k = 0; k < n; k++) corner[k] = scale * copy[s].corner[k];
    for (size_t k = 0; k < faces; k++) offset[k] = scale * copy[s].face_offset[k];
    copy[s].corner = corner, copy[s].face_offset = offset;
    copy[s].length *= scale, copy[s].extent *= scale, copy[s].width *= scale;
    for (int k = 0; k < 3; k++) pose[s].x[k] *= scale;
  }
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b}, u = {&copy[0], &pose[0]}, v = {&copy[1], &pose[1]};
  support_ok(prc_solid_polyhedra_meet(x, y, reach, &found, &err), &err);
  support_ok(prc_solid_polyhedra_meet(u, v, scale * reach, &turned, &err), &err);
  ck_assert_int_eq(found.n, turned.n);
  for (int k = 0; k < found.n; k++) {
    turned.touch[k].gap /= scale;
    for (int l = 0; l < 3; l++) turned.touch[k].place[l] /= scale;
    check_same(&found.touch[k], &turned.touch[k]);
  }
  for (int s = 0; s < 2; s++) free(copy[s].corner), free(copy[s].face_offset);
}

/* ---- against slow answers ------------------------------------------------------------------------------ */

typedef struct {
  int apart, equal, inside, off; /* off: overlaps whose deepest touch is not as deep as they are */
  double least_share, most_off;
} seen;

/* `rounding`: what is less is neither apart nor inside. */
static void check_pair(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                       const prc_solid_pose *pose_b, double rounding, seen *s) {
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b};
  const double reach = 0.1 * fmin(a->extent, b->extent);
  double gap, back;
  support_ok(prc_solid_polyhedra_gap(x, y, &found, &gap, &err), &err);
  support_ok(prc_solid_polyhedra_gap(y, x, &found, &back, &err), &err);
  ck_assert_double_eq_tol(gap, back, rounding);
  check_touches(x, y, reach);
  check_touches(x, y, 0.0);
  if (support_overlap(a, pose_a, b, pose_b)) {
    const double depth = (double)support_depth(a, pose_a, b, pose_b);
    ck_assert_double_eq_tol(gap, -depth, rounding);
    if (depth <= rounding) return;
    ck_assert_int_ge(found.n, 1);
    const double off = fabs(least_gap(&found) + depth) / depth;
    s->inside++, s->off += off > 1e-9 && off * depth > rounding;
    if (off * depth > rounding) s->most_off = fmax(s->most_off, off);
  } else {
    const double distance = (double)support_distance(a, pose_a, b, pose_b);
    ck_assert_double_le(gap, distance + rounding);
    if (distance <= rounding) {
      ck_assert_double_ge(gap, -rounding);
      return;
    }
    ck_assert_double_gt(gap, 0.0);
    s->apart++, s->equal += distance - gap <= rounding;
    s->least_share = fmin(s->least_share, gap / distance);
  }
}

static void random_pairs(int kind, int n, seen *s) {
  uint64_t seed = 20260101u + (uint64_t)kind;
  prc_solid pool[2][POOL];
  *s = (seen){.least_share = 1.0};
  for (int k = 0; k < POOL; k++)
    for (int side = 0; side < 2; side++) {
      double edge[3];
      for (int l = 0; l < 3; l++) edge[l] = support_uniform(&seed, 0.25, 2.0);
      pool[side][k] = side < kind ? support_stone(&seed) : support_box(edge[0], edge[1], edge[2]);
    }
  for (int i = 0; i < n; i++) {
    const prc_solid *a = &pool[0][i % POOL], *b = &pool[1][i / POOL % POOL];
    const double limit = 0.75 * (a->extent + b->extent);
    double x[3], y[3];
    for (int k = 0; k < 3; k++) x[k] = support_uniform(&seed, -5.0, 5.0);
    for (int k = 0; k < 3; k++) y[k] = x[k] + support_uniform(&seed, -limit, limit);
    const prc_solid_pose pose_a = support_any_attitude(&seed, x), pose_b = support_any_attitude(&seed, y);
    check_pair(a, &pose_a, b, &pose_b, 2e-14, s);
    if (i % 16 == 0) check_scaled(a, &pose_a, b, &pose_b, 0.1);
  }
  for (int k = 0; k < POOL; k++)
    for (int side = 0; side < 2; side++) support_release(&pool[side][k]);
}

static const char *const names[] = {"boxes", "boxes and stones", "stones"};
START_TEST(gaps_of_random_pairs_are_those_of_the_slow_answers) {
  static const int number[] = {40000, 30000, 30000};
  static const double share[] = {0.5, 0.5, 0.4};
  seen s;
  random_pairs(_i, count_of(number[_i]), &s);
  ck_assert_int_gt(s.inside, count_of(number[_i]) / 8);
  ck_assert_int_gt(s.apart, count_of(number[_i]) / 8);
  ck_assert_msg(s.equal > share[_i] * s.apart, "%s: %d of %d gaps are distances", names[_i], s.equal,
                s.apart);
  ck_assert_double_gt(s.least_share, 0.4);
  ck_assert_msg(s.off <= 1 + s.inside / 500,
                "%s: %d of %d have no touch as deep as they are, by up to %g of it", names[_i], s.off,
                s.inside, s.most_off);
}
END_TEST

/* ---- bad placements ------------------------------------------------------------------------------------ */

/* Offsets along an axis of the first: none, near none, half a block, a whole one, any. */
static double any_offset(uint64_t *seed, double a, double b) {
  static const double small[] = {0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5, 1e-3};
  const double sign = support_uniform(seed, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
  const double near = sign * small[(int)support_uniform(seed, 0.0, 9.999)];
  switch ((int)support_uniform(seed, 0.0, 5.999)) {
  case 0:
    return near;
  case 1:
    return near + 0.5 * sign * (a + b); /* side by side */
  case 2:
    return near + 0.5 * sign * (a - b); /* flush */
  case 3:
    return near + 0.25 * sign * (a + b);
  case 4:
    return sign * 0.5 * a;
  default:
    return support_uniform(seed, -0.6, 0.6) * (a + b);
  }
}

/* Boxes in one attitude, or turned by a half, a quarter, an eighth, or by next to nothing against it; everything turned anyhow in space. */
enum { BOXES = 7 };
static const double edges[BOXES][3] = {{1, 2, 1},       {1, 1, 1},          {0.5, 2, 0.25}, {3, 3, 3e-3},
                                       {1e-3, 1, 1e-3}, {1e-3, 1e-3, 1e-3}, {50, 50, 0.1}};
static prc_solid box[BOXES];
static void make_boxes(void) {
  for (int k = 0; k < BOXES; k++) box[k] = support_box(edges[k][0], edges[k][1], edges[k][2]);
}
static void release_boxes(void) {
  for (int k = 0; k < BOXES; k++) support_release(&box[k]);
}

static void bad_boxes(uint64_t *seed, int i, double far, seen *s) {
  static const double nudge[] = {0.0, 0.0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
  const double zero[3] = {0.0, 0.0, 0.0};
  const int one = (int)support_uniform(seed, 0.0, BOXES - 0.001);
  const int other = (int)support_uniform(seed, 0.0, BOXES - 0.001);
  const prc_solid *a = &box[one], *b = &box[other];
  double x[3] = {far, -far, 2.0 * far}, offset[3], arm[3], axis[3] = {0.0, 0.0, 0.0};
  prc_solid_pose pose_a = support_pose(x, (const double[3]){1, 0, 0}, 0.0);
  axis[i / 2 % 3] = 1.0;
  prc_solid_pose turn = support_pose(zero, axis, (i % 8) * 0.78539816339744831), pose_b;
  if (i % 3) pose_a = support_any_attitude(seed, x);
  for (int k = 0; k < 3; k++) offset[k] = any_offset(seed, edges[one][k], edges[other][k]);
  prc_solid_turn(pose_a.R, offset, arm);
  for (int k = 0; k < 3; k++) pose_b.x[k] = x[k] + arm[k];
  for (int k = 0; k < 9; k++) pose_b.R[k] = 0.0;
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 3; c++) pose_b.R[3 * r + c] += pose_a.R[3 * r + k] * turn.R[3 * k + c];
  const double by = nudge[(int)support_uniform(seed, 0.0, 10.999)];
  if (by > 0.0) support_nudge(seed, &pose_b, by);
  /* of edges that are nearly parallel none cross: what they would separate more is not seen */
  const double unclear = by < 1e-5 ? 2.0 * by : 0.0;
  check_pair(a, &pose_a, b, &pose_b, (1e-14 + unclear) * (a->extent + b->extent) + 4e-16 * far, s);
}

START_TEST(blocks_that_are_parallel_within_rounding_are_apart_or_not) {
  uint64_t seed = 77u;
  seen s = {.least_share = 1.0};
  make_boxes();
  for (int i = 0; i < count_of(20000); i++) bad_boxes(&seed, i, 0.0, &s);
  release_boxes();
  ck_assert_int_gt(s.inside, count_of(20000) / 4);
  ck_assert_msg(s.off <= 1 + s.inside / 100, "%d of %d, by up to %g", s.off, s.inside, s.most_off);
}
END_TEST

START_TEST(far_from_the_origin_nothing_is_lost_but_the_places) {
  uint64_t seed = 78u;
  seen s = {.least_share = 1.0};
  make_boxes();
  for (int i = 0; i < count_of(2000); i++) bad_boxes(&seed, i, 1e5, &s);
  release_boxes();
  ck_assert_int_gt(s.inside, count_of(2000) / 4);
}
END_TEST

/* A feature of the one on a feature of the other: corner on corner, corner on edge, edge across edge. */
START_TEST(corners_and_edges_on_each_other_are_no_worse) {
  uint64_t seed = 79u;
  seen s = {.least_share = 1.0};
  prc_solid pool[POOL];
  for (int k = 0; k < POOL; k++) pool[k] = k % 4 ? support_stone(&seed) : support_box(1, 2, 0.5 + k);
  for (int i = 0; i < count_of(6000); i++) {
    const prc_solid *a = &pool[i % POOL], *b = &pool[i / POOL % POOL];
    double zero[3] = {0.0, 0.0, 0.0}, place[2][3];
    prc_solid_pose pose_a = support_any_attitude(&seed, zero), pose_b = support_any_attitude(&seed, zero);
    const prc_solid_stand stand[2] = {{a, &pose_a}, {b, &pose_b}};
    for (int side = 0; side < 2; side++) {
      const prc_solid *x = stand[side].solid;
      const int *edge = x->edge + 4 * (size_t)(support_uniform(&seed, 0.0, 0.9999) * x->n_edges);
      const double share = i % 3 + side >= 2 ? support_uniform(&seed, 0.1, 0.9) : 0.0;
      double r[3];
      for (int k = 0; k < 3; k++)
        r[k] = x->corner[3 * edge[0] + k] + share * (x->corner[3 * edge[1] + k] - x->corner[3 * edge[0] + k]);
      prc_solid_turn(stand[side].pose->R, r, place[side]);
    }
    for (int k = 0; k < 3; k++) pose_b.x[k] = place[0][k] - place[1][k];
    check_pair(a, &pose_a, b, &pose_b, 1e-14 * (1.0 + a->extent + b->extent), &s);
  }
  for (int k = 0; k < POOL; k++) support_release(&pool[k]);
}
END_TEST

/* Where corners are many they are found along edges, and few edges are looked at. */
START_TEST(pebbles_of_many_faces_are_no_worse) {
  uint64_t seed = 81u;
  seen s = {.least_share = 1.0};
  prc_solid pool[6];
  for (int k = 0; k < 6; k++)
    pool[k] = k < 4 ? support_pebble(&seed, 34 + 10 * k) : support_box(1, 2, 0.5 + k);
  for (int i = 0; i < count_of(400); i++) {
    const prc_solid *a = &pool[i % 6], *b = &pool[i / 6 % 4];
    const double x[3] = {0.0, 0.0, 0.0};
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = support_uniform(&seed, -1.1, 1.1);
    const prc_solid_pose pose_a = support_any_attitude(&seed, x), pose_b = support_any_attitude(&seed, y);
    check_pair(a, &pose_a, b, &pose_b, 2e-14, &s);
  }
  ck_assert_int_gt(s.inside, count_of(400) / 10);
  ck_assert_int_gt(s.apart, count_of(400) / 10);
  for (int k = 0; k < 6; k++) support_release(&pool[k]);
}
END_TEST

START_TEST(what_is_in_one_place_has_the_depth_of_its_width) {
  uint64_t seed = 80u;
  seen s = {.least_share = 1.0};
  for (int i = 0; i < count_of(400); i++) {
    prc_solid a = i % 2 ? support_stone(&seed) : support_box(1, 2, 0.75);
    const double x[3] = {1.0, -2.0, 3.0};
    const prc_solid_pose pose = support_any_attitude(&seed, x);
    prc_solid_pose other = pose;
    if (i % 4 > 1) support_nudge(&seed, &other, 1e-15);
    check_pair(&a, &pose, &a, &other, 1e-13, &s);
    support_release(&a);
  }
}
END_TEST

START_TEST(poses_that_are_not_numbers_do_no_harm) {
  prc_solid a = support_box(1, 1, 1);
  const prc_solid_pose good = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, 5e-324};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    for (int l = 0; l < 12; l++) {
      prc_solid_pose pose = good;
      if (l < 3)
        pose.x[l] = bad[k];
      else
        pose.R[l - 3] = bad[k];
      const prc_solid_stand x = {&a, &good}, y = {&a, &pose};
      found.n = 0;
      support_ok(prc_solid_polyhedra_meet(x, y, 0.1, &found, &err), &err);
      support_ok(prc_solid_polyhedra_meet(y, x, 0.1, &found, &err), &err);
      ck_assert_int_le(found.n, 32);
    }
  support_release(&a);
}
END_TEST

SUITE(polyhedra) {
  Suite *suite = suite_create("polyhedra");
  TCase *random = tcase_create("random"), *bad = tcase_create("bad");
  tcase_add_loop_test(random, gaps_of_random_pairs_are_those_of_the_slow_answers, 0, 3);
  tcase_add_test(random, pebbles_of_many_faces_are_no_worse);
  tcase_add_test(bad, blocks_that_are_parallel_within_rounding_are_apart_or_not);
  tcase_add_test(bad, far_from_the_origin_nothing_is_lost_but_the_places);
  tcase_add_test(bad, corners_and_edges_on_each_other_are_no_worse);
  tcase_add_test(bad, what_is_in_one_place_has_the_depth_of_its_width);
  tcase_add_test(bad, poses_that_are_not_numbers_do_no_harm);
  suite_add_tcase(suite, random);
  suite_add_tcase(suite, bad);
  return suite;
}
