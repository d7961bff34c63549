/* Shapes that meet where the answer is known: exactly parallel, exactly touching, in one place, hinges, ends of segments; and shapes that
 * are none. */
#include "config.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_shape_touches found;
enum { EDGE = PRC_SHAPE_EDGE };
static const double pi = 3.14159265358979323846;

static prc_shape hull(int n, const double *corner, double radius) {
  prc_shape shape;
  prc_error_clear(&err);
  support_ok(prc_shape_make_hull(n, corner, radius, &shape, &err), &err);
  return shape;
}
static prc_shape disc(double radius) {
  return hull(1, (const double[2]){0.0, 0.0}, radius);
}
/* From (-w, -h) to (w, h): edge 0 is below, 1 on the right, 2 above, 3 on the left. */
static prc_shape box(double w, double h) {
  return hull(4, (const double[8]){-w, -h, w, -h, w, h, -w, h}, 0.0);
}
static prc_shape segment(double half, double radius) {
  return hull(2, (const double[4]){-half, 0.0, half, 0.0}, radius);
}

/* b at (x, y) turned by an angle against a at the origin. */
static int meet(const prc_shape *a, const prc_shape *b, double x, double y, double angle, double reach) {
  const prc_pose origin = prc_pose_at(0.0, 0.0, 0.0), there = prc_pose_at(x, y, angle);
  found.n = 0;
  support_ok(prc_shape_meet(a, &origin, b, &there, reach, &found, &err), &err);
  return found.n;
}
static void check_features(int k, int of_a, int of_b) {
  ck_assert_int_lt(k, found.n);
  ck_assert_int_eq(found.touch[k].feature_a, of_a);
  ck_assert_int_eq(found.touch[k].feature_b, of_b);
}
static void check_touch(int k, double gap, double nx, double ny, double x, double y) {
  ck_assert_int_lt(k, found.n);
  ck_assert_double_eq(found.touch[k].gap, gap);
  ck_assert_double_eq(found.touch[k].normal[0], nx);
  ck_assert_double_eq(found.touch[k].normal[1], ny);
  ck_assert_double_eq(found.touch[k].place[0], x);
  ck_assert_double_eq(found.touch[k].place[1], y);
}

/* ---- one corner ---------------------------------------------------------------------------------------- */

START_TEST(discs_meet_along_the_line_of_their_centres) {
  prc_shape one = disc(1.0), half = disc(0.5), point = disc(0.0);
  ck_assert_int_eq(meet(&one, &half, 0.0, 1.75, 0.0, 0.25), 1);
  check_touch(0, 0.25, 0.0, 1.0, 0.0, 1.125);
  check_features(0, 0, 0);
  ck_assert_int_eq(meet(&one, &half, 0.0, 1.75, 0.0, 0.2499), 0);
  ck_assert_int_eq(meet(&one, &half, 0.75, 1.0, 2.0, 0.0), 1);
  check_touch(0, -0.25, 0.6, 0.8, 0.525, 0.7);
  ck_assert_int_eq(meet(&one, &half, -0.25, -0.0, 0.0, 0.0), 1);
  check_touch(0, -1.25, -1.0, -0.0, -0.375, 0.0);
  ck_assert_int_eq(meet(&one, &point, 3.0, 4.0, 0.0, 4.0), 1);
  check_touch(0, 4.0, 0.6, 0.8, 1.8, 2.4);
  prc_shape_free(&one), prc_shape_free(&half), prc_shape_free(&point);
}
END_TEST

START_TEST(discs_in_one_place_are_parted_upwards) {
  prc_shape one = disc(1.0), point = disc(0.0);
  ck_assert_int_eq(meet(&one, &one, 0.0, -0.0, 1.0, 0.0), 1);
  check_touch(0, -2.0, 0.0, 1.0, 0.0, 0.0);
  ck_assert_int_eq(meet(&point, &point, -0.0, 0.0, 0.0, 0.0), 1);
  check_touch(0, 0.0, 0.0, 1.0, 0.0, 0.0);
  ck_assert_int_eq(meet(&one, &one, 0x1p-600, 0.0, 0.0, 0.0), 1); /* its square is zero */
  check_touch(0, -2.0, 1.0, 0.0, 0.0, 0.0);
  ck_assert_int_eq(meet(&one, &one, 0.0, 0x1p+600, 0.0, 0x1p+601), 1); /* and this infinite */
  ck_assert_double_eq(found.touch[0].gap, 0x1p+600);
  prc_shape_free(&one), prc_shape_free(&point);
}
END_TEST

START_TEST(a_corner_alone_meets_the_nearest_edge_or_corner) {
  prc_shape block = box(2.0, 1.0), ball = disc(0.5), point = disc(0.0);
  ck_assert_int_eq(meet(&block, &ball, 1.0, 1.75, 0.0, 1.0), 1); /* above an edge */
  check_touch(0, 0.25, 0.0, 1.0, 1.0, 1.125);
  check_features(0, EDGE | 2, 0);
  ck_assert_int_eq(meet(&block, &ball, 2.6, -1.8, 0.0, 1.0), 1); /* off a corner */
  ck_assert_double_eq_tol(found.touch[0].gap, 0.5, 1e-15);
  check_features(0, 1, 0);
  ck_assert_int_eq(meet(&block, &point, 2.0, 0.5, 0.0, 0.0), 1); /* on an edge */
  check_touch(0, 0.0, 1.0, 0.0, 2.0, 0.5);
  ck_assert_int_eq(meet(&block, &point, 2.0, 1.0, 0.0, 0.0), 1); /* on a corner: the lower of its edges */
  check_touch(0, 0.0, 1.0, 0.0, 2.0, 1.0);
  check_features(0, EDGE | 1, 0);
  ck_assert_int_eq(meet(&block, &point, 1.75, 0.5, 0.0, 0.0), 1); /* inside: the nearest edge */
  check_touch(0, -0.25, 1.0, 0.0, 1.875, 0.5);
  ck_assert_int_eq(meet(&block, &point, 0.0, 0.0, 0.0, 0.0), 1); /* as near to two */
  check_touch(0, -1.0, 0.0, -1.0, 0.0, -0.5);
  check_features(0, EDGE | 0, 0);
  ck_assert_int_eq(meet(&block, &point, 2.0 + 0x1p-40, 1.0 + 0x1p-40, 0.0, 1.0),
                   1); /* too near to a corner for a direction */
  ck_assert_double_eq(found.touch[0].normal[0], 1.0);
  check_features(0, EDGE | 1, 0);
  prc_shape_free(&block), prc_shape_free(&ball), prc_shape_free(&point);
}
END_TEST

START_TEST(a_segment_has_two_sides_and_two_ends) {
  prc_shape line = segment(1.0, 0.0), ball = disc(0.25), point = disc(0.0);
  ck_assert_int_eq(meet(&line, &ball, 0.5, 0.5, 0.0, 1.0), 1);
  check_touch(0, 0.25, 0.0, 1.0, 0.5, 0.125);
  check_features(0, EDGE | 1, 0);
  ck_assert_int_eq(meet(&line, &ball, 0.5, -0.5, 0.0, 1.0), 1);
  check_touch(0, 0.25, 0.0, -1.0, 0.5, -0.125);
  check_features(0, EDGE | 0, 0);
  ck_assert_int_eq(meet(&line, &ball, 2.0, 0.0, 0.0, 1.0), 1); /* on its line, beyond the end */
  check_touch(0, 0.75, 1.0, 0.0, 1.375, 0.0);
  check_features(0, 1, 0);
  ck_assert_int_eq(meet(&line, &ball, -2.0, -0.0, 0.0, 1.0), 1);
  check_touch(0, 0.75, -1.0, 0.0, -1.375, 0.0);
  ck_assert_int_eq(meet(&line, &point, 0.25, 0.0, 0.0, 0.0), 1); /* on it */
  check_touch(0, 0.0, 0.0, -1.0, 0.25, 0.0);
  ck_assert_int_eq(meet(&line, &point, 1.0, 0.0, 0.0, 0.0), 1); /* on its end */
  ck_assert_double_eq(found.touch[0].gap, 0.0);
  ck_assert_int_eq(meet(&line, &point, 1.5, 0.0, 0.0, 0.25), 0);
  prc_shape_free(&line), prc_shape_free(&ball), prc_shape_free(&point);
}
END_TEST

/* ---- segments and capsules ----------------------------------------------------------------------------- */

START_TEST(capsules_meet_along_across_and_end_to_end) {
  prc_shape one = segment(1.0, 0.5), other = segment(1.0, 0.25);
  ck_assert_int_eq(meet(&one, &other, 3.0, 0.0, 0.0, 1.0), 1); /* on one line, apart */
  check_touch(0, 0.25, 1.0, 0.0, 1.625, 0.0);
  check_features(0, 1, 0);
  ck_assert_int_eq(meet(&one, &other, 0.5, 1.0, 0.0, 1.0), 2); /* side by side */
  check_touch(0, 0.25, 0.0, 1.0, -0.5, 0.625);
  check_touch(1, 0.25, 0.0, 1.0, 1.0, 0.625);
  check_features(0, EDGE | 1, 0);
  check_features(1, 1, EDGE | 0);
  ck_assert_int_eq(meet(&one, &other, 0.5, 0.0, 0.0, 1.0), 2); /* in each other */
  ck_assert_double_eq(found.touch[0].gap, -0.75);
  ck_assert_double_eq(found.touch[1].gap, -0.75);
  ck_assert_int_eq(meet(&one, &other, 2.0, 0.0, 0.0, 0.0), 1); /* end on end */
  ck_assert_double_eq(found.touch[0].gap, -0.75);
  ck_assert_int_eq(meet(&one, &other, 0.25, 0.0, 0.5 * pi, 0.0), 1); /* across: the shorter way out */
  ck_assert_double_eq_tol(found.touch[0].gap, -1.5, 1e-15);
  ck_assert_double_eq_tol(found.touch[0].normal[0], 1.0, 1e-15);
  ck_assert_int_eq(meet(&one, &other, 0.25, 2.0, 0.5 * pi, 1.0), 1); /* standing on it: the foot alone */
  ck_assert_double_eq_tol(found.touch[0].gap, 0.25, 1e-15);
  check_features(0, EDGE | 1, 0);
  prc_shape_free(&one), prc_shape_free(&other);
}
END_TEST

START_TEST(a_segment_along_the_edges_of_a_box_sees_both_its_sides) {
  prc_shape line = segment(0.5, 0.0), block = box(1.0, 0.625);
  for (int up = -1; up <= 1; up += 2) {
    ck_assert_int_eq(meet(&line, &block, 0.0, 0.375 * up, 0.0, 0.0), 2);
    for (int k = 0; k < 2; k++) check_touch(k, -0.25, 0.0, up, found.touch[k].place[0], -0.125 * up);
    ck_assert_int_eq(meet(&block, &line, 0.0, 0.375 * up, 0.0, 0.0), 2);
    for (int k = 0; k < 2; k++) check_touch(k, -0.25, 0.0, up, found.touch[k].place[0], 0.5 * up);
  }
  prc_shape_free(&line), prc_shape_free(&block);
}
END_TEST

/* ---- edges that face each other ------------------------------------------------------------------------ */

START_TEST(in_a_wall_of_boxes_the_joints_have_their_true_corners) {
  prc_shape brick = box(1.0, 0.5), base = box(4.0, 0.5);
  ck_assert_int_eq(meet(&brick, &brick, 0.0, 1.0, 0.0, 0.0), 2); /* exactly above: equal edges */
  check_touch(0, 0.0, 0.0, 1.0, -1.0, 0.5);
  check_touch(1, 0.0, 0.0, 1.0, 1.0, 0.5);
  check_features(0, 3, EDGE | 0);
  check_features(1, 2, EDGE | 0);
  ck_assert_int_eq(meet(&brick, &brick, 1.0, 1.0, 0.0, 0.0), 2); /* half a brick on */
  check_touch(0, 0.0, 0.0, 1.0, 0.0, 0.5);
  check_touch(1, 0.0, 0.0, 1.0, 1.0, 0.5);
  check_features(0, EDGE | 2, 0);
  check_features(1, 2, EDGE | 0);
  ck_assert_int_eq(meet(&brick, &brick, 2.0, 0.0, 0.0, 0.0), 2); /* beside */
  check_touch(0, 0.0, 1.0, 0.0, 1.0, -0.5);
  check_touch(1, 0.0, 1.0, 0.0, 1.0, 0.5);
  ck_assert_int_eq(meet(&base, &brick, 0.5, 1.25, 0.0, 0.25), 2); /* above with a gap */
  check_touch(0, 0.25, 0.0, 1.0, -0.5, 0.625);
  check_touch(1, 0.25, 0.0, 1.0, 1.5, 0.625);
  ck_assert_int_eq(meet(&base, &brick, 0.5, 0.75, 0.0, 0.0), 2); /* deep */
  check_touch(0, -0.25, 0.0, 1.0, -0.5, 0.375);
  check_touch(1, -0.25, 0.0, 1.0, 1.5, 0.375);
  ck_assert_int_eq(meet(&brick, &brick, 2.0, 1.0, 0.0, 0.0), 1); /* corner on corner */
  ck_assert_double_eq(found.touch[0].gap, 0.0);
  ck_assert_int_eq(meet(&brick, &brick, 2.0, 1.0, 0.0, 0.125), 1);
  ck_assert_int_eq(meet(&brick, &brick, 2.3, 1.4, 0.0, 0.625), 1); /* and off it */
  ck_assert_double_eq_tol(found.touch[0].gap, 0.5, 1e-15);
  check_features(0, 2, 0);
  prc_shape_free(&brick), prc_shape_free(&base);
}
END_TEST

START_TEST(what_is_in_one_place_has_the_depth_of_its_width) {
  prc_shape brick = box(1.0, 0.5), rounded = hull(3, (const double[6]){0, 0, 4, 0, 0, 3}, 0.25);
  ck_assert_int_eq(meet(&brick, &brick, 0.0, 0.0, 0.0, 0.0), 2);
  check_touch(0, -1.0, 0.0, -1.0, -1.0, 0.0);
  check_touch(1, -1.0, 0.0, -1.0, 1.0, 0.0);
  ck_assert_int_ge(meet(&rounded, &rounded, 0.0, 0.0, 0.0, 0.0), 1);
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < found.n; k++) {
    least = fmin(least, found.touch[k].gap);
    most = fmax(most, found.touch[k].gap);
  }
  ck_assert_double_eq_tol(least, -2.4 - 0.5, 1e-15); /* height over the longest side, and the radii */
  prc_shape_free(&brick), prc_shape_free(&rounded);
}
END_TEST

/* Two blocks that lean apart by an angle about a corner they share. */
START_TEST(a_joint_that_opens_turns_about_its_true_corner) {
  prc_shape brick = box(1.0, 0.5);
  static const double angle[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5};
  for (size_t k = 0; k < sizeof angle / sizeof *angle; k++) {
    const double a = angle[k], c = cos(a), s = sin(a);
    /* the upper one turns about its corner 0 at (-1, 0.5) */
    ck_assert_int_eq(meet(&brick, &brick, -1.0 + c - 0.5 * s, 0.5 + s + 0.5 * c, a, 2.0), 2);
    double gap[2] = {fmin(found.touch[0].gap, found.touch[1].gap),
                     fmax(found.touch[0].gap, found.touch[1].gap)};
    ck_assert_double_eq_tol(gap[0], 0.0, 1e-15);
    ck_assert_double_eq_tol(gap[1], 2.0 * s, 1e-15 + 1e-15 * s);
    meet(&brick, &brick, -1.0 + c - 0.5 * s, 0.5 + s + 0.5 * c, a, s);
    ck_assert_int_eq(found.n, 1); /* what is out of reach is left out alone */
    ck_assert_double_eq_tol(found.touch[0].gap, 0.0, 1e-15);
  }
  prc_shape_free(&brick);
}
END_TEST

/* Straight voussoirs of a semicircle, thickness 0.1: each joint touches at the two corners of both. */
START_TEST(an_arch_touches_at_its_true_corners) {
  enum { N = 27 };
  const double in = 0.95, out = 1.05, half = 0.5 * pi / N;
  const double corner[8] = {in * cos(half),  -in * sin(half), out * cos(half), -out * sin(half),
                            out * cos(half), out * sin(half), in * cos(half),  in * sin(half)};
  prc_shape voussoir = hull(4, corner, 0.0);
  for (int k = 0; k + 1 < N; k++) {
    const prc_pose a = prc_pose_at(0.0, 0.0, (2 * k + 1) * half),
                   b = prc_pose_at(0.0, 0.0, (2 * k + 3) * half);
    const double at = (2 * k + 2) * half;
    found.n = 0;
    support_ok(prc_shape_meet(&voussoir, &a, &voussoir, &b, 1e-3, &found, &err), &err);
    ck_assert_int_eq(found.n, 2);
    check_features(0, 3, EDGE | 0);
    check_features(1, 2, EDGE | 0);
    for (int i = 0; i < 2; i++) {
      const double r = i ? out : in;
      ck_assert_double_eq_tol(found.touch[i].gap, 0.0, 5e-16);
      ck_assert_double_eq_tol(found.touch[i].place[0], r * cos(at), 5e-16);
      ck_assert_double_eq_tol(found.touch[i].place[1], r * sin(at), 5e-16);
    }
  }
  prc_shape_free(&voussoir);
}
END_TEST

/* A box that slides over the end of a table: its corner leaves the edge, and the edge's corner takes its place. */
START_TEST(over_an_end_the_other_corner_takes_the_place) {
  prc_shape table = box(2.0, 1.0), brick = box(0.5, 0.5);
  for (int k = -8; k <= 8; k++) {
    const double off = ldexp(k, -5);
    ck_assert_int_eq(meet(&table, &brick, 1.5 + off, 1.5, 0.0, 0.25), 2);
    check_features(1, k >= 0 ? 2 : EDGE | 2, k >= 0 ? EDGE | 0 : 1);
    check_touch(1, 0.0, 0.0, 1.0, fmin(2.0, 2.0 + off), 1.0);
  }
  prc_shape_free(&table), prc_shape_free(&brick);
}
END_TEST

/* ---- half-planes and holes ----------------------------------------------------------------------------- */

START_TEST(every_corner_within_reach_touches_a_half_plane) {
  prc_shape brick = box(1.0, 0.5), ball = disc(0.5), ground, wall;
  support_ok(
      prc_shape_make_half_plane((const double[2]){3.0, 0.0}, (const double[2]){0.0, 5.0}, &ground, &err),
      &err);
  support_ok(
      prc_shape_make_half_plane((const double[2]){2.0, 7.0}, (const double[2]){-1e-300, -0.0}, &wall, &err),
      &err);
  ck_assert_int_eq(meet(&ground, &brick, 0.0, 0.5, 0.0, 0.25), 2);
  check_touch(0, 0.0, 0.0, 1.0, -1.0, 0.0);
  check_touch(1, 0.0, 0.0, 1.0, 1.0, 0.0);
  check_features(0, 0, 0);
  check_features(1, 0, 1);
  ck_assert_int_eq(meet(&ground, &brick, 0.0, -0.5, 0.0, 0.0), 4); /* all of it */
  check_touch(3, 0.0, 0.0, 1.0, -1.0, 0.0);
  ck_assert_int_eq(meet(&ground, &brick, 0.0, 1.0, 0.0, 0.25), 0);
  ck_assert_int_eq(meet(&brick, &ground, 0.0, -0.75, 0.0, 0.25), 2); /* the other way round */
  check_touch(1, 0.25, 0.0, -1.0, 1.0, -0.625);
  check_features(1, 1, 0);
  ck_assert_int_eq(meet(&wall, &ball, 1.25, 3.0, 1.0, 0.25), 1);
  check_touch(0, 0.25, -1.0, 0.0, 1.875, 3.0);
  ck_assert_int_eq(meet(&ground, &wall, 0.0, 0.0, 0.0, 1.0), 0);
  ck_assert_int_eq(meet(&ground, &ground, 0.0, 0.0, 0.0, 1.0), 0);
  prc_shape_free(&brick), prc_shape_free(&ball), prc_shape_free(&ground), prc_shape_free(&wall);
}
END_TEST

START_TEST(every_corner_within_reach_touches_a_hole) {
  prc_shape brick = box(4.0, 3.0), ball = disc(0.5), round;
  support_ok(prc_shape_make_hole((const double[2]){0.0, 0.0}, 5.0, &round, &err), &err);
  ck_assert_int_eq(meet(&round, &brick, 0.0, 0.0, 0.0, 0.0), 4);
  check_touch(2, 0.0, -0.8, -0.6, 4.0, 3.0);
  check_features(2, 0, 2);
  ck_assert_int_eq(meet(&brick, &round, 0.0, 0.0, 0.0, 0.0), 4);
  check_touch(2, 0.0, 0.8, 0.6, 4.0, 3.0);
  check_features(2, 2, 0);
  ck_assert_int_eq(meet(&round, &ball, 0.0, -4.25, 0.0, 0.25), 1);
  check_touch(0, 0.25, 0.0, 1.0, 0.0, -4.875);
  ck_assert_int_eq(meet(&round, &ball, 0.0, 0.0, 0.0, 5.0), 1); /* at the centre */
  check_touch(0, 4.5, 0.0, 1.0, 0.0, -2.75);
  ck_assert_int_eq(meet(&round, &ball, 6.0, 0.0, 0.0, 0.0), 1); /* in the rock */
  check_touch(0, -1.5, -1.0, 0.0, 5.75, 0.0);
  ck_assert_int_eq(meet(&round, &ball, 0.0, -4.0, 0.0, 0.25), 0);
  ck_assert_int_eq(meet(&round, &round, 1.0, 0.0, 0.0, 9.0), 0);
  prc_shape_free(&brick), prc_shape_free(&ball), prc_shape_free(&round);
}
END_TEST

/* ---- made and refused ---------------------------------------------------------------------------------- */

static void refuse(int n, const double *corner, double radius, const char *text) {
  prc_shape shape;
  prc_error_clear(&err);
  support_fails(prc_shape_make_hull(n, corner, radius, &shape, &err), PRC_INPUT, &err, text);
  ck_assert_ptr_null(shape.corner);
  prc_shape_free(&shape);
}
START_TEST(what_is_no_convex_polygon_is_refused) {
  const double square[] = {0, 0, 1, 0, 1, 1, 0, 1}, line[] = {0, 0, 0.1, 0.1, 0.3, 0.3, 0, 1};
  const double rounded[] = {0, 0, 0.1, 3 * 0.1, 0.8, 3 * 0.8, -1, 1};
  const double clockwise[] = {0, 0, 0, 1, 1, 1, 1, 0}, dent[] = {0, 0, 2, 0, 0.5, 0.5, 0, 2};
  const double twice[] = {0, 0, 1, 0, 1, 0, 0, 1}, nowhere[] = {0, 0, 1, NAN, 0, 1};
  double star[10];
  for (int k = 0; k < 5; k++) star[2 * k] = cos(0.8 * pi * k), star[2 * k + 1] = sin(0.8 * pi * k);
  refuse(0, square, 0.0, "0 corners, expected 1 to 32767");
  refuse(PRC_SHAPE_CORNERS + 1, square, 0.0, "32768 corners");
  refuse(4, square, -1.0, "radius");
  refuse(4, square, INFINITY, "radius");
  refuse(4, square, NAN, "radius");
  refuse(4, line, 0.0, "corner 2 of a shape, (0.1, 0.1), turns not at all");
  refuse(4, rounded, 0.0, "corner 2 of a shape, (0.1, 0.3), turns not at all"); /* but for its last bit */
  refuse(4, clockwise, 0.0, "turns clockwise");
  refuse(4, dent, 0.0, "corner 3 of a shape, (0.5, 0.5), turns clockwise");
  refuse(4, twice, 0.0, "corners 2 and 3 of a shape are both at (1, 0)");
  refuse(3, nowhere, 0.0, "corner 2 of a shape is (1, nan)");
  refuse(5, star, 0.0, "go round more than once");
  prc_shape shape;
  prc_error_clear(&err);
  support_fails(prc_shape_make_half_plane(square, (const double[2]){0.0, -0.0}, &shape, &err), PRC_INPUT,
                &err, "direction");
  prc_error_clear(&err);
  support_fails(prc_shape_make_hole(square, 0.0, &shape, &err), PRC_INPUT, &err, "> 0");
}
END_TEST

/* Of regular polygons: 2 r cos(pi/n) where n is even, r (1 + cos(pi/n)) where it is odd; of a flattened one against all edges and corners. */
START_TEST(a_shape_knows_its_width) {
  double corner[2 * 41];
  for (int n = 3; n <= 41; n++)
    for (int flat = 0; flat < 2; flat++) {
      for (int k = 0; k < n; k++) {
        corner[2 * k] = 2.0 * cos(0.3 + 2.0 * pi * k / n);
        corner[2 * k + 1] = (flat ? 0.01 : 2.0) * sin(0.3 + 2.0 * pi * k / n);
      }
      prc_shape shape = hull(n, corner, 0.125);
      double least = INFINITY;
      for (int e = 0; e < n; e++) {
        const int next = (e + 1) % n;
        const double d[2] = {corner[2 * next] - corner[2 * e], corner[2 * next + 1] - corner[2 * e + 1]};
        double across = 0.0;
        for (int k = 0; k < n; k++)
          across = fmax(across, (d[0] * (corner[2 * k + 1] - corner[2 * e + 1])
                                 - d[1] * (corner[2 * k] - corner[2 * e]))
                                    / hypot(d[0], d[1]));
        least = fmin(least, across);
      }
      ck_assert_double_eq_tol(shape.width, least + 0.25, 1e-13);
      const double regular = n % 2 ? 2.0 * (1.0 + cos(pi / n)) : 4.0 * cos(pi / n);
      if (!flat) ck_assert_double_eq_tol(shape.width, regular + 0.25, 1e-13);
      prc_shape_free(&shape);
    }
}
END_TEST

START_TEST(a_shape_knows_its_lengths_and_its_box) {
  double b[4];
  const prc_pose at = {{10.0, 20.0}, 0.0, 1.0}, straight = prc_pose_at(10.0, 20.0, 0.0);
  prc_shape brick = box(2.0, 1.0), rounded = hull(2, (const double[4]){3, 4, 3, 6}, 0.25), ground, round;
  ck_assert_double_eq(brick.length, 2.0);
  ck_assert_double_eq(brick.extent, sqrt(5.0));
  ck_assert_double_eq(brick.width, 2.0);
  ck_assert_double_eq(rounded.width, 0.5);
  ck_assert_double_eq(rounded.length, 0.5);
  ck_assert_double_eq(rounded.extent, sqrt(45.0) + 0.25);
  prc_shape_box(&brick, &at, b);
  ck_assert(b[0] == 9.0 && b[1] == 18.0 && b[2] == 11.0 && b[3] == 22.0);
  prc_shape_box(&rounded, &at, b); /* x = 10 - y, y = 20 + x */
  ck_assert(b[0] == 3.75 && b[1] == 22.75 && b[2] == 6.25 && b[3] == 23.25);
  support_ok(prc_shape_make_half_plane((const double[2]){0, 1}, (const double[2]){0, 2}, &ground, &err),
             &err);
  prc_shape_box(&ground, &straight, b);
  ck_assert(b[0] == -INFINITY && b[1] == -INFINITY && b[2] == INFINITY && b[3] == 21.0);
  prc_shape_box(&ground, &(prc_pose){{0, 0}, 0.6, 0.8}, b);
  ck_assert(b[0] == -INFINITY && b[1] == -INFINITY && b[2] == INFINITY && b[3] == INFINITY);
  support_ok(prc_shape_make_hole((const double[2]){0, 1}, 2.0, &round, &err), &err);
  prc_shape_box(&round, &at, b);
  ck_assert(b[0] == -INFINITY && b[3] == INFINITY && round.length == 4.0 && isinf(round.extent));
  ck_assert(isinf(round.width) && isinf(ground.width));
  prc_shape_free(&brick), prc_shape_free(&rounded), prc_shape_free(&ground), prc_shape_free(&round);
}
END_TEST

START_TEST(memory_is_asked_for_only_where_there_is_no_room) {
  const double corner[6] = {0, 0, 1, 0, 0, 1};
  for (int fail = 1; fail <= 2; fail++) {
    prc_shape shape;
    prc_error_clear(&err);
    support_watch(fail);
    const prc_status status = prc_shape_make_hull(3, corner, 0.0, &shape, &err);
    support_look_away();
    ck_assert_int_eq(status, PRC_NOMEM);
    ck_assert_int_eq((int)support_allocator.live, 0);
  }
  prc_shape brick = box(1.0, 0.5), ground;
  prc_shape_touches touches = {0};
  const prc_pose a = prc_pose_at(0, 0, 0), b = prc_pose_at(0, 1, 0);
  support_ok(prc_shape_make_half_plane(corner, (const double[2]){0, 1}, &ground, &err), &err);
  support_watch(1);
  ck_assert_int_eq(prc_shape_meet(&brick, &a, &brick, &b, 0.0, &touches, &err), PRC_NOMEM);
  support_watch(1);
  ck_assert_int_eq(prc_shape_meet(&ground, &a, &brick, &b, 1.0, &touches, &err), PRC_NOMEM);
  support_look_away();
  prc_error_clear(&err);
  support_ok(prc_shape_meet(&brick, &a, &brick, &b, 0.0, &touches, &err), &err);
  ck_assert_int_eq(touches.n, 2);
  support_watch(0);
  const prc_status appended = prc_shape_meet(&ground, &a, &brick, &b, 1.0, &touches, &err);
  support_look_away();
  ck_assert_int_eq(appended, PRC_OK);
  ck_assert_int_eq(support_allocator.calls, 0);
  ck_assert_int_eq(touches.n, 4);
  free(touches.touch);
  prc_shape_free(&brick), prc_shape_free(&ground);
}
END_TEST

/* Two circles of the most corners there may be, a corner towards a corner. */
START_TEST(a_hull_may_have_thirty_thousand_corners) {
  enum { N = PRC_SHAPE_CORNERS };
  double *corner = malloc(2 * N * sizeof *corner);
  ck_assert_ptr_nonnull(corner);
  for (int k = 0; k < N; k++)
    corner[2 * k] = cos(2.0 * pi * k / N), corner[2 * k + 1] = sin(2.0 * pi * k / N);
  prc_shape a = hull(N, corner, 0.0), b = hull(N, corner, 0.5);
  ck_assert_int_eq(meet(&a, &b, 2.75, 0.0, pi, 0.5), 1);
  ck_assert_double_eq_tol(found.touch[0].gap, 0.25, 1e-13);
  check_features(0, 0, 0);
  ck_assert_int_ge(meet(&a, &b, 0.0, 2.25, 0.0, 0.5), 1);
  for (int k = 0; k < found.n; k++) ck_assert_double_eq_tol(found.touch[k].gap, -0.25, 1e-7);
  ck_assert_int_eq(meet(&a, &b, 1.8, 1.8, 0.0, 0.04), 0);
  ck_assert_int_eq(meet(&a, &b, NAN, 1.8, 0.0, 0.04), 0);
  prc_shape_free(&a), prc_shape_free(&b);
  free(corner);
}
END_TEST

SUITE(shape) {
  Suite *suite = suite_create("shape");
  TCase *known = tcase_create("known"), *made = tcase_create("made");
  tcase_add_test(known, discs_meet_along_the_line_of_their_centres);
  tcase_add_test(known, discs_in_one_place_are_parted_upwards);
  tcase_add_test(known, a_corner_alone_meets_the_nearest_edge_or_corner);
  tcase_add_test(known, a_segment_has_two_sides_and_two_ends);
  tcase_add_test(known, capsules_meet_along_across_and_end_to_end);
  tcase_add_test(known, a_segment_along_the_edges_of_a_box_sees_both_its_sides);
  tcase_add_test(known, in_a_wall_of_boxes_the_joints_have_their_true_corners);
  tcase_add_test(known, what_is_in_one_place_has_the_depth_of_its_width);
  tcase_add_test(known, a_joint_that_opens_turns_about_its_true_corner);
  tcase_add_test(known, an_arch_touches_at_its_true_corners);
  tcase_add_test(known, over_an_end_the_other_corner_takes_the_place);
  tcase_add_test(known, every_corner_within_reach_touches_a_half_plane);
  tcase_add_test(known, every_corner_within_reach_touches_a_hole);
  tcase_add_test(made, what_is_no_convex_polygon_is_refused);
  tcase_add_test(made, a_shape_knows_its_lengths_and_its_box);
  tcase_add_test(made, a_shape_knows_its_width);
  tcase_add_test(made, memory_is_asked_for_only_where_there_is_no_room);
  tcase_add_test(made, a_hull_may_have_thirty_thousand_corners);
  suite_add_tcase(suite, known);
  suite_add_tcase(suite, made);
  return suite;
}
