#include "config.h"
#include "support/support.h"
#include "contact/contact.h"

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

int main(void) {
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
  return support_run(suite);
}
