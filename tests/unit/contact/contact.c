#include "config.h"
#include "support/support.h"
#include "contact/contact.h"
#include "contact/outline.h"

#include <float.h>
#include <math.h>
#include <string.h>

static prc_error err;

static prc_contact_plane make(double x, double y, double nx, double ny) {
  prc_contact_plane plane;
  prc_error_clear(&err);
  support_ok(prc_contact_plane_make((const double[2]){x, y}, (const double[2]){nx, ny}, &plane, &err), &err);
  return plane;
}

/* ---- planes -------------------------------------------------------------------------------------------- */

START_TEST(the_normal_becomes_unit_whatever_its_length) {
  static const double length[] = {1e-300, 1e-9, 1.0, 5.0, 1e9, 1e300};
  for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
    const prc_contact_plane plane = make(1.0, 2.0, 0.6 * length[k], -0.8 * length[k]);
    ck_assert_double_eq_tol(plane.normal[0], 0.6, 4.0 * DBL_EPSILON);
    ck_assert_double_eq_tol(plane.normal[1], -0.8, 4.0 * DBL_EPSILON);
    ck_assert_double_eq(plane.point[0], 1.0);
    ck_assert_double_eq(plane.point[1], 2.0);
  }
}
END_TEST

START_TEST(a_normal_without_direction_is_refused) {
  static const double bad[][2] = {{0.0, 0.0}, {-0.0, 0.0},     {NAN, 1.0},
                                  {1.0, NAN}, {INFINITY, 0.0}, {1.0, -INFINITY}};
  const double origin[2] = {0.0, 0.0};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    prc_contact_plane plane;
    prc_error_clear(&err);
    support_fails(prc_contact_plane_make(origin, bad[k], &plane, &err), PRC_INPUT, &err,
                  "the normal of a plane is (");
  }
}
END_TEST

START_TEST(a_point_that_is_nowhere_is_refused) {
  const double normal[2] = {0.0, 1.0};
  prc_contact_plane plane;
  prc_error_clear(&err);
  support_fails(prc_contact_plane_make((const double[2]){0.0, NAN}, normal, &plane, &err), PRC_INPUT, &err,
                "not finite");
}
END_TEST

START_TEST(on_a_floor_n_is_up_and_t_is_to_the_right) {
  const prc_contact_plane floor = make(0.0, 0.0, 0.0, 2.0);
  double frame[4];
  prc_contact_plane_frame(&floor, frame);
  ck_assert_double_eq(frame[0], 0.0);
  ck_assert_double_eq(frame[1], 1.0);
  ck_assert_double_eq(frame[2], 1.0);
  ck_assert_double_eq(frame[3], 0.0);
}
END_TEST

/* t is n turned by -90 degrees: n_x t_y - n_y t_x = -1, whatever the slope */
START_TEST(the_frame_is_orthonormal_and_turns_clockwise) {
  const double angle = 0.1 + 0.6 * _i;
  const prc_contact_plane plane = make(0.0, 0.0, 3.0 * cos(angle), 3.0 * sin(angle));
  double f[4];
  prc_contact_plane_frame(&plane, f);
  ck_assert_double_eq_tol(f[0], cos(angle), 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(f[1], sin(angle), 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(f[2], cos(angle - 0.5 * acos(-1.0)), 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(f[3], sin(angle - 0.5 * acos(-1.0)), 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(f[0] * f[2] + f[1] * f[3], 0.0, 4.0 * DBL_EPSILON);
  ck_assert_double_eq_tol(f[0] * f[3] - f[1] * f[2], -1.0, 4.0 * DBL_EPSILON);
}
END_TEST

/* The slope through (1, 1) with normal (-3, 4)/5: the distance of (1, 1) + s n + r t is s. */
START_TEST(the_distance_is_along_the_normal_and_negative_inside) {
  const prc_contact_plane slope = make(1.0, 1.0, -3.0, 4.0);
  double f[4];
  prc_contact_plane_frame(&slope, f);
  for (int s = -2; s <= 2; s++)
    for (int r = -2; r <= 2; r++)
      ck_assert_double_eq_tol(
          prc_contact_plane_distance(&slope, 1.0 + s * f[0] + r * f[2], 1.0 + s * f[1] + r * f[3]), (double)s,
          1e-14);
  ck_assert_double_eq_tol(prc_contact_plane_distance(&slope, 0.0, 0.0), -0.2, 1e-15);
}
END_TEST

/* ---- points -------------------------------------------------------------------------------------------- */

static prc_contact_points *two_points(void) {
  prc_contact_points *points = NULL;
  const prc_contact_plane floor = make(0.0, -1.0, 0.0, 1.0), slope = make(1.0, 1.0, -3.0, 4.0);
  support_ok(prc_contact_points_create(2, &points, &err), &err);
  prc_contact_points_set(points, 0, 5.0, 2.0, 6, 7, &floor);
  prc_contact_points_set(points, 1, 0.0, 3.0, 2, 0, &slope); /* dofs in any order */
  return points;
}

START_TEST(gaps_are_distances_of_the_displaced_points) {
  prc_contact_points *points = two_points();
  const prc_contact_plane floor = make(0.0, -1.0, 0.0, 1.0), slope = make(1.0, 1.0, -3.0, 4.0);
  double q[8] = {0.0}, gap[2];
  prc_contact_points_gap(points, q, gap);
  ck_assert_double_eq(gap[0], 3.0);
  ck_assert_double_eq_tol(gap[1], 2.2, 1e-14); /* (3 + 8) / 5 */
  prc_random r = {3};
  for (int k = 0; k < 20; k++) {
    for (int i = 0; i < 8; i++) q[i] = prc_random_uniform(&r, -4.0, 4.0);
    prc_contact_points_gap(points, q, gap);
    ck_assert_double_eq_tol(gap[0], prc_contact_plane_distance(&floor, 5.0 + q[6], 2.0 + q[7]), 1e-14);
    ck_assert_double_eq_tol(gap[1], prc_contact_plane_distance(&slope, q[2], 3.0 + q[0]), 1e-14);
  }
  prc_contact_points_free(&points);
  ck_assert_ptr_null(points);
}
END_TEST

START_TEST(the_gap_is_affine_in_q_with_the_normal_row_of_H) {
  prc_contact_points *points = two_points();
  prc_random r = {4};
  double q[8], gap[2];
  for (int i = 0; i < 8; i++) q[i] = prc_random_uniform(&r, -1.0, 1.0);
  for (int c = 0; c < 2; c++) {
    const double *H = points->frame + 4 * c, s = 1e3;
    const double slope = H[0] * q[points->dof[2 * c]] + H[1] * q[points->dof[2 * c + 1]];
    double far[8];
    for (int i = 0; i < 8; i++) far[i] = s * q[i];
    prc_contact_points_gap(points, far, gap);
    ck_assert_double_eq_tol(gap[c], points->gap0[c] + s * slope, 1e-12 * s);
  }
  prc_contact_points_free(&points);
}
END_TEST

START_TEST(sliding_along_the_plane_leaves_the_gap) {
  prc_contact_points *points = two_points();
  const double *t = points->frame + 4 + 2;
  double q[8] = {0.0}, before[2], after[2];
  prc_contact_points_gap(points, q, before);
  q[2] = 10.0 * t[0], q[0] = 10.0 * t[1], q[6] = 100.0;
  prc_contact_points_gap(points, q, after);
  ck_assert_double_eq_tol(after[0], before[0], 1e-14);
  ck_assert_double_eq_tol(after[1], before[1], 1e-14);
  prc_contact_points_free(&points);
}
END_TEST

START_TEST(a_body_may_have_no_contact) {
  prc_contact_points *points = NULL, *never = NULL;
  double nothing[1] = {7.0};
  prc_error_clear(&err);
  support_ok(prc_contact_points_create(0, &points, &err), &err);
  prc_contact_points_gap(points, nothing, nothing);
  ck_assert_double_eq(nothing[0], 7.0);
  prc_contact_points_free(&points);
  prc_contact_points_free(&never);
}
END_TEST

/* ---- outlines, against samples of them -------------------------------------------------------------------------- */

enum { CORNERS = 9, SAMPLES = 400 };

static uint64_t seed;
static double any(double low, double high) {
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* A star around (x, y), not convex as a rule: corners at random distances, anticlockwise. */
static prc_outline star(int n, double x, double y, double least, double most) {
  prc_outline o = {.n_points = n, .n_chords = n, .closed = 1};
  support_ok(prc_new(&o.x, 2 * (size_t)n, &err), &err);
  support_ok(prc_new(&o.chord, n, &err), &err);
  const double first = any(0.0, 6.0);
  for (int i = 0; i < n; i++) {
    const double r = any(least, most), a = first + 2.0 * 3.14159265358979323846 * i / n;
    o.x[2 * i] = x + r * cos(a), o.x[2 * i + 1] = y + r * sin(a);
    o.chord[i][0] = i, o.chord[i][1] = (i + 1) % n;
  }
  prc_outline_enclose(&o);
  return o;
}

/* Inside by the sum of the angles under which edges are seen; the distance by many points of the edges. */
static double sampled_depth(const prc_outline *o, const double x[2]) {
  double angle = 0.0, least = INFINITY;
  for (int k = 0; k < o->n_chords; k++) {
    const double *a = o->x + 2 * o->chord[k][0], *b = o->x + 2 * o->chord[k][1];
    const double u[2] = {a[0] - x[0], a[1] - x[1]}, v[2] = {b[0] - x[0], b[1] - x[1]};
    angle += atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
    for (int i = 0; i <= SAMPLES; i++) {
      const double s = (double)i / SAMPLES;
      least = fmin(least, hypot(u[0] + s * (v[0] - u[0]), u[1] + s * (v[1] - u[1])));
    }
  }
  return fabs(angle) > 3.0 ? least : -least;
}

START_TEST(a_point_is_as_deep_as_samples_say) {
  seed = (uint64_t)_i + 1;
  prc_outline o = star(3 + _i % (CORNERS - 2), any(-1, 1), any(-1, 1), 0.3, 1.0);
  for (int k = 0; k < 40; k++) {
    const double x[2] = {any(-2, 2), any(-2, 2)}, wanted = sampled_depth(&o, x), r = any(0.0, 0.5);
    ck_assert_double_eq_tol(prc_outline_depth(&o, x), wanted, 4e-3);
    ck_assert_double_eq_tol(prc_outline_depth_of_disc(&o, x, r, 1), wanted + r, 4e-3);
    ck_assert_double_ge(prc_outline_depth_of_disc(&o, x, r, 0), wanted + r - 4e-3); /* far away: no nearer */
    ck_assert_int_eq(prc_outline_depth_of_disc(&o, x, r, 0) > 4e-3, wanted + r > 4e-3);
  }
  prc_outline_free(&o);
}
END_TEST

/* Of corners of either in the other; of two that are apart their distance. */
START_TEST(two_outlines_are_as_deep_as_samples_say) {
  seed = (uint64_t)_i + 100;
  prc_outline a = star(3 + _i % 5, 0.0, 0.0, 0.4, 1.0),
              b = star(3 + _i % 6, any(-2, 2), any(-2, 2), 0.3, 1.0);
  double wanted = -INFINITY;
  for (int i = 0; i < b.n_points; i++) wanted = fmax(wanted, sampled_depth(&a, b.x + 2 * i));
  for (int i = 0; i < a.n_points; i++) wanted = fmax(wanted, sampled_depth(&b, a.x + 2 * i));
  const double exact = prc_outline_depth_of_two(&a, &b, 1), quick = prc_outline_depth_of_two(&a, &b, 0);
  ck_assert_double_ge(exact, wanted - 4e-3); /* edges that cross may be deeper between corners */
  if (exact < 0.0) ck_assert_double_eq_tol(exact, wanted, 4e-3);
  ck_assert_int_eq(exact > 0.0, quick > 0.0);
  ck_assert_double_ge(quick, exact - 1e-15);
  prc_outline_free(&a);
  prc_outline_free(&b);
}
END_TEST

/* A cross of two bars has no corner of the one in the other; half the width is how deep they are. */
START_TEST(bars_that_cross_are_in_each_other) {
  seed = (uint64_t)_i + 300;
  const double angle = any(0.0, 3.0), width[2] = {any(0.05, 0.3), any(0.05, 0.3)};
  prc_outline bar[2];
  for (int k = 0; k < 2; k++) {
    bar[k] = star(4, 0.0, 0.0, 1.0, 1.0);
    const double c = cos(angle + 1.57 * k), s = sin(angle + 1.57 * k);
    for (int i = 0; i < 4; i++) {
      const double x = i == 0 || i == 3 ? 1.0 : -1.0, y = i < 2 ? 0.5 * width[k] : -0.5 * width[k];
      bar[k].x[2 * i] = c * x - s * y, bar[k].x[2 * i + 1] = s * x + c * y;
    }
    prc_outline_enclose(&bar[k]);
  }
  const double depth = prc_outline_depth_of_two(&bar[0], &bar[1], 1);
  ck_assert_double_ge(depth, 0.4 * fmin(width[0], width[1]));
  ck_assert_double_le(depth, 0.5 * fmax(width[0], width[1]) + 1e-3);
  for (int k = 0; k < 2; k++) prc_outline_free(&bar[k]);
}
END_TEST

/* Depths change by no more than things move: by it steps are passed over. */
START_TEST(a_depth_changes_by_no_more_than_the_way) {
  seed = (uint64_t)_i + 500;
  prc_outline a = star(6, 0.0, 0.0, 0.4, 1.0), b = star(5, any(-1, 1), any(-1, 1), 0.3, 0.8);
  double before = prc_outline_depth_of_two(&a, &b, 1);
  for (int k = 0; k < 50; k++) {
    const double way = any(0.0, 0.05), angle = any(0.0, 6.3);
    for (int i = 0; i < b.n_points; i++) b.x[2 * i] += way * cos(angle), b.x[2 * i + 1] += way * sin(angle);
    prc_outline_enclose(&b);
    double corners = -INFINITY;
    for (int i = 0; i < b.n_points; i++) corners = fmax(corners, prc_outline_depth(&a, b.x + 2 * i));
    const double now = prc_outline_depth_of_disc(&a, b.x, 0.2, 1);
    ck_assert_double_ge(prc_outline_depth_of_two(&a, &b, 1), corners - 1e-15);
    if (k > 0) ck_assert_double_le(fabs(now - before), way + 1e-12);
    before = now;
  }
  prc_outline_free(&a);
  prc_outline_free(&b);
}
END_TEST

/* A line with a side, as of a crack: deep is what is on its left, beside a bend too, and nothing beyond its ends. */
START_TEST(a_line_with_a_side_has_nothing_inside_but_behind_it) {
  seed = (uint64_t)_i + 700;
  const double bend = any(-1.0, 1.0), c = cos(bend), s = sin(bend);
  prc_outline o = star(3, 0.0, 0.0, 1.0, 1.0);
  const double x[6] = {-1.0, 0.0, 0.0, 0.0, c, s};
  memcpy(o.x, x, sizeof x);
  o.closed = 0, o.has_side = 1, o.n_chords = 2;
  prc_outline_enclose(&o);
  const double d = any(0.01, 0.1);
  ck_assert_double_eq_tol(prc_outline_depth(&o, (double[2]){-0.5, d}), d, 1e-12);
  ck_assert_double_eq_tol(prc_outline_depth(&o, (double[2]){-0.5, -d}), -d, 1e-12);
  ck_assert_double_eq_tol(prc_outline_depth(&o, (double[2]){0.5 * c - d * s, 0.5 * s + d * c}), d, 1e-12);
  const double middle[2] = {-d * sin(0.5 * bend), d * cos(0.5 * bend)}; /* halfway between both normals */
  ck_assert_double_gt(prc_outline_depth(&o, middle), 0.0);
  ck_assert_double_lt(prc_outline_depth(&o, (double[2]){-middle[0], -middle[1]}), 0.0);
  ck_assert_double_lt(prc_outline_depth(&o, (double[2]){-1.0 - d, d}), 0.0);
  ck_assert_double_eq_tol(prc_outline_depth_behind(&o, (double[2]){0.0, 0.25}, (double[2]){0.0, 1.0}),
                          0.25 - fmin(0.0, s), 1e-15);
  prc_outline_free(&o);
}
END_TEST

SUITE(contact) {
  Suite *suite = suite_create("contact");
  TCase *plane = tcase_create("plane"), *points = tcase_create("points");
  tcase_add_test(plane, the_normal_becomes_unit_whatever_its_length);
  tcase_add_test(plane, a_normal_without_direction_is_refused);
  tcase_add_test(plane, a_point_that_is_nowhere_is_refused);
  tcase_add_test(plane, on_a_floor_n_is_up_and_t_is_to_the_right);
  tcase_add_loop_test(plane, the_frame_is_orthonormal_and_turns_clockwise, 0, 11);
  tcase_add_test(plane, the_distance_is_along_the_normal_and_negative_inside);
  tcase_add_test(points, gaps_are_distances_of_the_displaced_points);
  tcase_add_test(points, the_gap_is_affine_in_q_with_the_normal_row_of_H);
  tcase_add_test(points, sliding_along_the_plane_leaves_the_gap);
  tcase_add_test(points, a_body_may_have_no_contact);
  suite_add_tcase(suite, plane);
  suite_add_tcase(suite, points);
  TCase *outlines = tcase_create("outlines");
  tcase_add_loop_test(outlines, a_point_is_as_deep_as_samples_say, 0, 20);
  tcase_add_loop_test(outlines, two_outlines_are_as_deep_as_samples_say, 0, 60);
  tcase_add_loop_test(outlines, bars_that_cross_are_in_each_other, 0, 10);
  tcase_add_loop_test(outlines, a_depth_changes_by_no_more_than_the_way, 0, 10);
  tcase_add_loop_test(outlines, a_line_with_a_side_has_nothing_inside_but_behind_it, 0, 10);
  suite_add_tcase(suite, outlines);
  return suite;
}
