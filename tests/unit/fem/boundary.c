/* What acts on the sides of a meshed body: loads, supports, contacts. */
#include "config.h"
#include "support/body.h"
#include "support/found.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static prc_error err;

BODY_FUNCTION(one, 1.0)
BODY_FUNCTION(of_x, x)
BODY_FUNCTION(of_y, y)
BODY_FUNCTION(minus_y, -y)
BODY_FUNCTION(field_x, 1e-3 * x + 2e-3 * y + 0.5) /* displacements with the strains 1e-3, -3e-3, 1e-3 */
BODY_FUNCTION(field_y, -1e-3 * x - 3e-3 * y - 0.25)
BODY_FUNCTION(linear_y, 2.0 + 0.1 * y)
BODY_FUNCTION(square_y, y *y)
BODY_FUNCTION(wave, sin(3.0 * t + 0.4))
BODY_FUNCTION(travelling, (1.0 + 0.2 * y) * cos(5.0 * t))
BODY_FUNCTION(profile, 1.0 + 0.2 * y)
BODY_FUNCTION(growing_friction, 0.1 + 0.01 * x)
BODY_FUNCTION(negative_at_the_end, 0.3 - 0.01 * x)
BODY_FUNCTION(too_bouncy_at_the_end, 0.03 * x)
BODY_FUNCTION(not_a_number_at_the_end, x > 38.0 ? NAN : 0.5)
BODY_FUNCTION(ramp, 0.25 + 1.75 * t)
BODY_FUNCTION(quartic, 1.0 + t * (2.0 + t * (-3.0 + t * (4.0 - 5.0 * t))))
BODY_FUNCTION(kink, t < 0.5 ? 2.0 * t : 1.0 - 3.0 * (t - 0.5))
BODY_FUNCTION(resting, 0.75 + 0.0 * t)
BODY_FUNCTION(shear_in_time, 0.01 * y * t)

/* ---- loads --------------------------------------------------------------------------------------------------- */

START_TEST(a_constant_traction_has_its_resultant_and_moment) {
  body r = body_block(5.0);
  body_pull(&r, LEFT, prc_field_constant(2.0), prc_field_constant(-0.5));
  body_build(&r);
  double *F = body_forces(&r, 0.3);
  const double side = height * t0;
  ck_assert_double_eq_tol(body_moment(&r, 0, one, F), 2.0 * side, 1e-11);
  ck_assert_double_eq_tol(body_moment(&r, 1, one, F), -0.5 * side, 1e-11);
  ck_assert_double_eq_tol(body_moment(&r, 0, of_y, F), 2.0 * side * 0.5 * height, 1e-10);
  ck_assert_double_eq_tol(body_moment(&r, 0, of_x, F), 0.0, 1e-10); /* all of it on the left */
  ck_assert_uint_eq(r.system->dynamics.varies, 0);
  prc_delete(&F);
  body_drop(&r);
}
END_TEST

START_TEST(a_traction_linear_along_its_side_has_its_resultant_and_moment) {
  body r = body_block(5.0);
  formula f = {linear_y};
  body_pull(&r, RIGHT, body_field(&f, 1, 0), prc_field_constant(0.0));
  body_build(&r);
  double *F = body_forces(&r, 0.0);
  const double h2 = height * height / 2.0, h3 = height * height * height / 3.0;
  ck_assert_double_eq_tol(body_moment(&r, 0, one, F), t0 * (2.0 * height + 0.1 * h2), 1e-10);
  ck_assert_double_eq_tol(body_moment(&r, 0, of_y, F), t0 * (2.0 * h2 + 0.1 * h3), 1e-9);
  ck_assert_double_eq(body_moment(&r, 1, one, F), 0.0);
  ck_assert_uint_eq(r.system->dynamics.varies, 0);
  prc_delete(&F);
  body_drop(&r);
}
END_TEST

START_TEST(even_a_quadratic_traction_has_its_resultant_and_moment) {
  body r = body_block(5.0);
  formula f = {square_y};
  body_pull(&r, RIGHT, body_field(&f, 1, 0), prc_field_constant(0.0));
  body_build(&r);
  double *F = body_forces(&r, 0.0);
  ck_assert_double_eq_tol(body_moment(&r, 0, one, F), t0 * pow(height, 3.0) / 3.0, 1e-8);
  ck_assert_double_eq_tol(body_moment(&r, 0, of_y, F), t0 * pow(height, 4.0) / 4.0, 1e-7);
  prc_delete(&F);
  body_drop(&r);
}
END_TEST

START_TEST(a_load_in_time_is_its_amplitude_times_a_fixed_vector) {
  body r = body_block(5.0), fixed = body_block(5.0);
  formula f = {wave}, g = {travelling}, shape = {profile};
  body_pull(&r, TOP, body_field(&f, 0, 1), prc_field_constant(0.0));
  body_pull(&r, LEFT, prc_field_constant(0.0), body_field(&g, 1, 1));
  body_pull(&fixed, TOP, prc_field_constant(1.0), prc_field_constant(0.0));
  body_pull(&fixed, LEFT, prc_field_constant(0.0), body_field(&shape, 1, 0));
  body_build(&r);
  body_build(&fixed);
  ck_assert_uint_eq(r.system->dynamics.varies, PRC_LOADS_IN_TIME);
  double *F1 = body_forces(&fixed, 0.0);
  for (int k = 0; k < 5; k++) {
    const double t = 0.37 * k;
    double *F = body_forces(&r, t);
    for (int a = 0; a < r.mesh->n_nodes; a++) {
      ck_assert_double_eq_tol(F[2 * a], sin(3.0 * t + 0.4) * F1[2 * a], 1e-12);
      ck_assert_double_eq_tol(F[2 * a + 1], cos(5.0 * t) * F1[2 * a + 1], 1e-11);
    }
    prc_delete(&F);
  }
  prc_delete(&F1);
  body_drop(&r);
  body_drop(&fixed);
}
END_TEST

START_TEST(loads_on_one_node_add_up) { /* the corner of left and top carries both, and gravity */
  body all = body_block(5.0), part[3] = {body_block(5.0), body_block(5.0), body_block(5.0)};
  for (int k = 0; k < 4; k++) {
    body *r = k < 3 ? &part[k] : &all;
    if (k == 0 || k == 3) body_pull(r, LEFT, prc_field_constant(2.0), prc_field_constant(1.0));
    if (k == 1 || k == 3) body_pull(r, TOP, prc_field_constant(-1.0), prc_field_constant(-3.0));
    if (k == 2 || k == 3) r->model.gravity[1] = prc_field_constant(-9.81);
    body_build(r);
  }
  double *F = body_forces(&all, 0.0), *sum = body_vector(&all);
  for (int k = 0; k < 3; k++) {
    double *one_of_them = body_forces(&part[k], 0.0);
    for (int i = 0; i < all.system->space.nv; i++) sum[i] += one_of_them[i];
    prc_delete(&one_of_them);
    body_drop(&part[k]);
  }
  for (int i = 0; i < all.system->space.nv; i++) ck_assert_double_eq_tol(F[i], sum[i], 1e-12);
  prc_delete(&F);
  prc_delete(&sum);
  body_drop(&all);
}
END_TEST

/* _i: consistent or lumped mass; gravity is M times the uniform acceleration in both */
START_TEST(gravity_is_the_mass_times_the_acceleration) {
  body r = body_block(5.0);
  r.model.mass = _i ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT;
  r.model.gravity[0] = prc_field_constant(2e-3);
  r.model.gravity[1] = prc_field_constant(-1e-3);
  body_build(&r);
  double *F = body_forces(&r, 0.0), *g = body_vector(&r), *Mg = body_vector(&r);
  for (int a = 0; a < r.mesh->n_nodes; a++) g[2 * a] = 2e-3, g[2 * a + 1] = -1e-3;
  prc_sym_multiply(r.system->dynamics.M, g, Mg);
  for (int i = 0; i < r.system->space.nv; i++) ck_assert_double_eq_tol(F[i], Mg[i], 1e-16);
  ck_assert_double_eq_tol(body_moment(&r, 1, one, F), -17.55e-3, 1e-15);
  ck_assert_double_eq_tol(body_moment(&r, 1, of_x, F), -17.55e-3 * 20.0, 1e-13);
  prc_delete(&F);
  prc_delete(&g);
  prc_delete(&Mg);
  body_drop(&r);
}
END_TEST

START_TEST(gravity_may_shake) {
  body r = body_block(5.0);
  formula f = {wave};
  r.model.gravity[0] = body_field(&f, 0, 1);
  body_build(&r);
  ck_assert_uint_eq(r.system->dynamics.varies, PRC_LOADS_IN_TIME);
  for (int k = 0; k < 4; k++) {
    double *F = body_forces(&r, 0.2 * k);
    ck_assert_double_eq_tol(body_moment(&r, 0, one, F), 17.55 * sin(0.6 * k + 0.4), 1e-12);
    ck_assert_double_eq(body_moment(&r, 1, one, F), 0.0);
    prc_delete(&F);
  }
  body_drop(&r);
}
END_TEST

START_TEST(a_load_without_value_names_itself) {
  body r = body_block(5.0);
  formula f = {not_a_number_at_the_end};
  body_pull(&r, BOTTOM, prc_field_constant(0.0), body_field(&f, 1, 0));
  body_refuse(&r, "load 'bottom': no finite value");
  body_drop(&r);
}
END_TEST

/* ---- supports ------------------------------------------------------------------------------------------------ */

START_TEST(prescribed_dofs_ascend_and_know_their_support) {
  body r = body_block(5.0);
  body_hold(&r, TOP, 0, 1, prc_field_constant(0.0), prc_field_constant(-0.005));
  body_hold(&r, LEFT, 1, 0, prc_field_constant(0.02), prc_field_constant(0.0));
  body_build(&r);
  const prc_system *s = r.system;
  ck_assert_int_eq(s->drive.n, r.support[0].group->n_nodes + r.support[1].group->n_nodes);
  ck_assert_int_eq(s->drive.rest, 1);
  double *d = NULL;
  support_ok(prc_new(&d, s->drive.n, &err), &err);
  support_ok(s->drive.displacement(s->owner, 0.0, d, &err), &err);
  for (int k = 0; k < 2; k++) {
    const int *rows, count = prc_fem_support_rows(r.fem, k, &rows);
    ck_assert_int_eq(count, r.support[k].group->n_nodes);
    for (int i = 0; i < count; i++) {
      ck_assert_int_eq(s->drive.dof[rows[i]], 2 * r.support[k].group->node[i] + (k == 0));
      ck_assert_double_eq(d[rows[i]], k == 0 ? -0.005 : 0.02);
    }
  }
  for (int i = 1; i < s->drive.n; i++) ck_assert_int_lt(s->drive.dof[i - 1], s->drive.dof[i]);
  prc_delete(&d);
  body_drop(&r);
}
END_TEST

START_TEST(supports_that_disagree_at_a_corner_are_refused) {
  body r = body_block(5.0);
  body_hold(&r, TOP, 1, 1, prc_field_constant(0.0), prc_field_constant(-0.005));
  body_hold(&r, LEFT, 0, 1, prc_field_constant(0.0), prc_field_constant(0.0));
  body_refuse(&r, "the supports 'top' and 'left' both prescribe the y displacement of node 4");
  body_drop(&r);
}
END_TEST

START_TEST(supports_that_move_are_not_taken_for_the_same) {
  body r = body_block(5.0);
  formula f = {ramp};
  body_hold(&r, TOP, 1, 0, body_field(&f, 0, 1), prc_field_constant(0.0));
  body_hold(&r, LEFT, 1, 0, body_field(&f, 0, 1), prc_field_constant(0.0));
  body_refuse(&r, "both prescribe the x displacement");
  body_drop(&r);
}
END_TEST

START_TEST(the_same_constant_twice_is_accepted_and_belongs_to_the_first) {
  body r = body_block(5.0);
  body_hold(&r, TOP, 0, 1, prc_field_constant(0.0), prc_field_constant(-0.005));
  body_hold(&r, LEFT, 1, 1, prc_field_constant(0.0), prc_field_constant(-0.005));
  body_build(&r);
  const int *rows, top = prc_fem_support_rows(r.fem, 0, &rows), left = prc_fem_support_rows(r.fem, 1, &rows);
  ck_assert_int_eq(top, r.support[0].group->n_nodes);
  ck_assert_int_eq(left, 2 * r.support[1].group->n_nodes - 1);
  ck_assert_int_eq(r.system->drive.n, top + left);
  body_drop(&r);
}
END_TEST

START_TEST(a_support_that_holds_nothing_is_refused) {
  body r = body_block(5.0);
  body_hold(&r, TOP, 1, 0, prc_field_constant(0.0), prc_field_constant(0.0));
  body_hold(&r, TOP, 1, 0, prc_field_constant(0.0), prc_field_constant(0.0));
  body_refuse(&r, "holds nothing: other supports hold all of its nodes already");
  body_drop(&r);
}
END_TEST

/* Velocities of the right side, prescribed in x by f, with the step h. */
static void expect_velocity(double (*f)(double x, double y, double t), double t, double h, double expected,
                            double tolerance) {
  body r = body_block(12.5);
  formula g = {f};
  body_hold(&r, RIGHT, 1, 1, body_field(&g, 0, 1), prc_field_constant(3.0));
  body_build(&r);
  const prc_system *s = r.system;
  double v[64];
  ck_assert_int_eq(s->drive.rest, 0);
  ck_assert_int_le(s->drive.n, 64);
  support_ok(s->drive.velocity(s->owner, t, h, v, &err), &err);
  for (int i = 0; i < s->drive.n; i++)
    if (s->drive.dof[i] % 2)
      ck_assert_double_eq(v[i], 0.0); /* a constant rests exactly */
    else
      ck_assert_double_le(fabs(v[i] - expected), tolerance);
  body_drop(&r);
}

/* A velocity that is 2 up to a time, then -1; or that but for a while that is a quarter of a step or longer. */
typedef struct {
  double from, to;
} jumps;
static prc_status jumping(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  const jumps *j = field->data;
  (void)x, (void)y, (void)e;
  *value = t < j->from || t >= j->to ? 2.0 : -1.0;
  return PRC_OK;
}

static void expect_integral(jumps j, double h, double t) {
  body r = body_block(12.5);
  const prc_field v = {.eval = jumping, .data = &j, .uses_time = 1};
  double d[64];
  body_hold(&r, RIGHT, 1, 0, v, prc_field_constant(0.0));
  r.support[0].by_velocity[0] = 1, r.model.piece = h;
  body_build(&r);
  const prc_system *s = r.system;
  ck_assert_int_le(s->drive.n, 64);
  support_ok(s->drive.displacement(s->owner, t, d, &err), &err);
  const double expected = 2.0 * t - 3.0 * (fmin(t, fmax(j.to, 0.0)) - fmin(t, j.from));
  for (int i = 0; i < s->drive.n; i++)
    ck_assert_msg(fabs(d[i] - expected) <= 1e-10 * h + 1e-15 * t,
                  "jump at %.17g h, t = %g h: %.17g, not %.17g", j.from / h, t / h, d[i], expected);
  body_drop(&r);
}

START_TEST(the_integral_of_a_velocity_sees_a_jump_wherever_it_is) {
  const double of_a_step[] = {0.0,  1e-15, 1e-9, 1e-4,  1e-3,   0.01,       0.019,
                              0.03, 0.1,   0.3,  0.5,   0.599,  0.7,        0.9,
                              0.97, 0.98,  0.99, 0.995, 0.9999, 1.0 - 1e-9, 1.0 - 1e-15};
  const double steps[] = {1e-3, 0.1, 7.0}, first[] = {0.0, 3.0, 5000.0};
  for (size_t i = 0; i < sizeof of_a_step / sizeof *of_a_step; i++)
    for (int k = 0; k < 3; k++) {
      const double h = steps[(i + (size_t)k) % 3], jump = first[k] + of_a_step[i];
      expect_integral((jumps){jump * h, INFINITY}, h, (first[k] + 2.0) * h);
      expect_integral((jumps){jump * h, INFINITY}, h, (first[k] + 1.3) * h); /* within a step */
      expect_integral((jumps){jump * h, (jump + 0.26) * h}, h, (first[k] + 2.0) * h);
    }
}
END_TEST

START_TEST(a_motion_that_rests_has_no_velocity_at_all) {
  expect_velocity(resting, 0.3, 1e-4, 0.0, 0.0);
}
END_TEST

START_TEST(
    a_ramp_has_its_slope) { /* rounding of the displacement over the step: 1e-16 / 1e-4 and a few times more */
  expect_velocity(ramp, 0.0, 1e-4, 1.75, 1e-10);
  expect_velocity(ramp, 0.7, 1e-4, 1.75, 1e-10);
}
END_TEST

START_TEST(a_quartic_has_its_derivative) { /* 2 - 6 t + 12 t^2 - 20 t^3 */
  expect_velocity(quartic, 0.0, 0.1, 2.0, 1e-13);
  expect_velocity(quartic, 0.5, 0.1, -0.5, 1e-13);
  expect_velocity(quartic, 0.5, 2.0, -0.5, 1e-12);
}
END_TEST

START_TEST(at_a_kink_the_velocity_is_the_one_with_which_the_motion_goes_on) {
  expect_velocity(kink, 0.5, 1e-3, -3.0, 1e-11);
  expect_velocity(kink, 0.499, 0.001, 2.0, 1e-11); /* up to the kink: what comes after it is not felt */
}
END_TEST

START_TEST(a_motion_may_vary_along_its_side) {
  body r = body_block(5.0);
  formula f = {shear_in_time};
  body_hold(&r, RIGHT, 1, 0, body_field(&f, 1, 1), prc_field_constant(0.0));
  body_build(&r);
  const prc_system *s = r.system;
  double v[64], d[64];
  ck_assert_int_le(s->drive.n, 64);
  support_ok(s->drive.velocity(s->owner, 2.0, 0.01, v, &err), &err);
  support_ok(s->drive.displacement(s->owner, 2.0, d, &err), &err);
  for (int i = 0; i < s->drive.n; i++) {
    const double y = r.mesh->x[2 * (s->drive.dof[i] / 2) + 1];
    ck_assert_double_eq_tol(v[i], 0.01 * y, 1e-12);
    ck_assert_double_eq_tol(d[i], 0.02 * y, 1e-15);
  }
  body_drop(&r);
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------------------------- */

START_TEST(tributary_areas_sum_to_the_length_times_the_thickness) {
  body r = body_block(3.0);
  body_touch(&r, BOTTOM, prc_field_constant(0.5), prc_field_constant(0.0));
  body_touch(&r, LEFT, prc_field_constant(0.2), prc_field_constant(0.9));
  body_build(&r);
  const double expected[2] = {width * t0, height * t0};
  for (int k = 0; k < 2; k++) {
    double sum = 0.0;
    for (int c = prc_fem_contact_first(r.fem, k); c < prc_fem_contact_first(r.fem, k + 1); c++) {
      ck_assert_double_gt(prc_fem_contact_areas(r.fem)[c], 0.0);
      sum += prc_fem_contact_areas(r.fem)[c];
    }
    ck_assert_double_eq_tol(sum, expected[k], 1e-11);
  }
  body_drop(&r);
}
END_TEST

START_TEST(candidates_are_the_nodes_group_after_group_with_their_gaps_and_frames) {
  body r = body_block(5.0);
  formula f = {growing_friction};
  body_touch(&r, BOTTOM, body_field(&f, 1, 0), prc_field_constant(0.25));
  body_touch(&r, LEFT, prc_field_constant(0.2), prc_field_constant(1.0));
  body_build(&r);
  const prc_system *s = r.system;
  const int *node = prc_fem_contact_nodes(r.fem);
  const double *frame = prc_fem_contact_frames(r.fem);
  double *q = body_vector(&r);
  prc_contact_set set = {0};
  body_set(&r, 0, field_x, q), body_set(&r, 1, field_y, q);
  found_contacts(s, q, &set);
  const double *gap = set.gap, *H = set.H.x;
  ck_assert_int_eq(prc_fem_contact_first(r.fem, 0), 0);
  ck_assert_int_eq(prc_fem_contact_first(r.fem, 2), set.n);
  ck_assert_uint_eq(s->contacts.varies, 0); /* H is constant */
  ck_assert_int_eq(s->contacts.dim, 2);
  ck_assert_mem_eq(H, frame, 4 * (size_t)set.n * sizeof *H);
  for (int k = 0; k < 2; k++) {
    const double n[2] = {k == 1, k == 0}, t[2] = {k == 0, -(k == 1)};
    for (int c = prc_fem_contact_first(r.fem, k); c < prc_fem_contact_first(r.fem, k + 1); c++) {
      const int a = node[c];
      const double *x = r.mesh->x + 2 * a;
      ck_assert_int_eq(a, r.contact[k].group->node[c - prc_fem_contact_first(r.fem, k)]);
      ck_assert_int_eq(set.H.start[c], 2 * c);
      ck_assert(set.H.dof[2 * c] == 2 * a && set.H.dof[2 * c + 1] == 2 * a + 1);
      ck_assert(H[4 * c] == n[0] && H[4 * c + 1] == n[1] && H[4 * c + 2] == t[0] && H[4 * c + 3] == t[1]);
      ck_assert_double_eq_tol(gap[c], k == 0 ? x[1] + q[2 * a + 1] + 0.5 : x[0] + q[2 * a] + 1.5, 1e-14);
      ck_assert_double_eq(prc_law_friction_at(set.law[c], NULL, 0.0), k == 0 ? 0.1 + 0.01 * x[0] : 0.2);
      ck_assert_double_eq(set.law[c]->e, k == 0 ? 0.25 : 1.0);
    }
  }
  ck_assert_int_eq(set.H.start[set.n], 2 * set.n);
  prc_delete(&q);
  prc_contact_set_free(&set);
  body_drop(&r);
}
END_TEST

START_TEST(friction_and_restitution_out_of_range_are_refused_where_they_are) {
  static const struct {
    double (*friction)(double x, double y, double t);
    double (*restitution)(double x, double y, double t);
    const char *message;
  } bad[] = {
      {negative_at_the_end, one, "contact 'bottom': at (40, 0): the friction is -0.1, expected a number in"},
      {one, too_bouncy_at_the_end,
       "contact 'bottom': at (40, 0): the restitution is 1.2, expected a number in"},
      {one, minus_y, NULL}, /* -0 at y = 0: fine */
      {not_a_number_at_the_end, one, "contact 'bottom': no finite value"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    body r = body_block(5.0);
    formula mu = {bad[k].friction}, e = {bad[k].restitution};
    body_touch(&r, BOTTOM, body_field(&mu, 1, 0), body_field(&e, 1, 0));
    if (bad[k].message)
      body_refuse(&r, bad[k].message);
    else
      body_build(&r);
    body_drop(&r);
  }
}
END_TEST

START_TEST(constants_out_of_range_are_refused) {
  static const double bad[][2] = {{-0.3, 0.0}, {NAN, 0.0}, {0.5, -0.1}, {0.5, 1.5}, {0.5, NAN}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    body r = body_block(12.5);
    body_touch(&r, BOTTOM, prc_field_constant(bad[k][0]), prc_field_constant(bad[k][1]));
    body_refuse(&r, k < 2 ? "the friction is" : "the restitution is");
    body_drop(&r);
  }
}
END_TEST

SUITE(boundary) {
  Suite *suite = suite_create("boundary");
  TCase *loads = tcase_create("loads"), *supports = tcase_create("supports"),
        *contacts = tcase_create("contacts");
  prc_dense_single_thread();
  tcase_add_test(loads, a_constant_traction_has_its_resultant_and_moment);
  tcase_add_test(loads, a_traction_linear_along_its_side_has_its_resultant_and_moment);
  tcase_add_test(loads, even_a_quadratic_traction_has_its_resultant_and_moment);
  tcase_add_test(loads, a_load_in_time_is_its_amplitude_times_a_fixed_vector);
  tcase_add_test(loads, loads_on_one_node_add_up);
  tcase_add_loop_test(loads, gravity_is_the_mass_times_the_acceleration, 0, 2);
  tcase_add_test(loads, gravity_may_shake);
  tcase_add_test(loads, a_load_without_value_names_itself);
  tcase_add_test(supports, prescribed_dofs_ascend_and_know_their_support);
  tcase_add_test(supports, supports_that_disagree_at_a_corner_are_refused);
  tcase_add_test(supports, supports_that_move_are_not_taken_for_the_same);
  tcase_add_test(supports, the_same_constant_twice_is_accepted_and_belongs_to_the_first);
  tcase_add_test(supports, a_support_that_holds_nothing_is_refused);
  tcase_add_test(supports, the_integral_of_a_velocity_sees_a_jump_wherever_it_is);
  tcase_add_test(supports, a_motion_that_rests_has_no_velocity_at_all);
  tcase_add_test(supports, a_ramp_has_its_slope);
  tcase_add_test(supports, a_quartic_has_its_derivative);
  tcase_add_test(supports, at_a_kink_the_velocity_is_the_one_with_which_the_motion_goes_on);
  tcase_add_test(supports, a_motion_may_vary_along_its_side);
  tcase_add_test(contacts, tributary_areas_sum_to_the_length_times_the_thickness);
  tcase_add_test(contacts, candidates_are_the_nodes_group_after_group_with_their_gaps_and_frames);
  tcase_add_test(contacts, friction_and_restitution_out_of_range_are_refused_where_they_are);
  tcase_add_test(contacts, constants_out_of_range_are_refused);
  suite_add_tcase(suite, loads);
  suite_add_tcase(suite, supports);
  suite_add_tcase(suite, contacts);
  return suite;
}
