/* Prescribed displacements: how closely they are followed, for how long, and what is refused as a jump. */
#include "config.h"
#include "step/step.h"
#include "support/support.h"
#include "support/toy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static prc_error err;
static const double nothing[TOY_MAX] = {0.0};
static const double thetas[] = {0.5, 0.7, 1.0};
enum { N_THETAS = 3 };

static void forget(void) {
  prc_error_clear(&err);
}

/* ---- data: with step 0.01 -------------------------------------------------------------------------------------------- */

static const double h = 0.01, pi = 3.14159265358979323846;

static double between(double x) { /* 0 up to 0, 1 from 1 on, a ramp between */
  return fmin(fmax(x, 0.0), 1.0);
}
static double triangle(double x) { /* of period 1 and slopes +-1, from 0 */
  const double part = x - floor(x);
  return part < 0.5 ? part : 1.0 - part;
}
static double sign(double x) {
  return (x > 0.0) - (x < 0.0);
}

#define PATH(name, value)                                                                                    \
  static double name(double t) {                                                                             \
    return value;                                                                                            \
  }
PATH(rests, 0.25 + 0.0 * t)
PATH(ramp, 0.7 * t)
PATH(ramp_that_stops, fmin(t, 0.1))
PATH(kink_on_the_grid, fabs(t - 0.3))
PATH(kink_off_the_grid, fabs(t - 0.3033))
PATH(zigzag, 0.013 * triangle((t + 0.0021) / 0.013)) /* some kinks a step, at all phases */
PATH(slow_zigzag, 0.171 * triangle(t / 0.171))
PATH(swing, sin(t))
PATH(fast_swing, sin(2.0 * pi * t / 0.04) * 0.04 / (2.0 * pi))
PATH(faster_than_the_steps, sin(2.0 * pi * t / 0.0137) * 0.0137 / (2.0 * pi))
PATH(three_steps_a_period, sin(2.0 * pi * t / 0.03) * 0.03 / (2.0 * pi))
PATH(root, 0.1 * sqrt(t + 1e-4)) /* of slope 5 at the start */
PATH(ramp_of_a_step, 0.01 * between((t - 0.1) / 0.01))
PATH(ramp_of_a_step_between, 0.01 * between((t - 0.10333) / 0.01))
PATH(ramp_of_three_steps, 0.01 * between((t - 0.10333) / 0.03))
PATH(smooth_step, 0.01 * tanh((t - 0.2) / 0.01))
PATH(noise, (1e3 + 0.01 * t) - 1e3)

/* |d'| <= slope */
static const struct {
  double (*d)(double t);
  double slope;
  int n_steps;
} legal[] = {{rests, 0.0, 1000},
             {ramp, 0.7, 1000},
             {ramp_that_stops, 1.0, 1000},
             {kink_on_the_grid, 1.0, 100},
             {kink_off_the_grid, 1.0, 100},
             {zigzag, 1.0, 100000},
             {slow_zigzag, 1.0, 100000},
             {swing, 1.0, 100000},
             {fast_swing, 1.0, 100000},
             {faster_than_the_steps, 1.0, 10000},
             {three_steps_a_period, 1.0, 10000},
             {root, 5.0, 1000},
             {ramp_of_a_step, 1.0, 100},
             {ramp_of_a_step_between, 1.0, 100},
             {ramp_of_three_steps, 1.0 / 3.0, 100},
             {smooth_step, 1.0, 100},
             {noise, 0.0101, 1000}};
enum { N_LEGAL = sizeof legal / sizeof *legal };

static double (*path)(double t);
static double derivative(double t, double step) { /* from the right, of second order */
  return (4.0 * (path(t + 0.5 * step) - path(t)) - (path(t + step) - path(t))) / step;
}

/* A wall that moves by d, with a mass on a spring. */
static void begin_with(toy *s, double (*d)(double t), const prc_step_options *o) {
  double q[TOY_MAX] = {0.0};
  path = d;
  toy_oscillator(s, 1.7);
  s->M[TOY_WALL][TOY_WALL] = 3.0, s->M[TOY_WALL][TOY_MASS] = s->M[TOY_MASS][TOY_WALL] = 0.3;
  s->system.drive.rest = 0, s->path = d, s->drive = derivative;
  q[TOY_WALL] = q[TOY_MASS] = isnan(d(0.0)) ? 0.0 : d(0.0);
  toy_start(s, o, q, nothing);
}

/* ---- how closely ------------------------------------------------------------------------------------------------------- */

/* No further from d than the chord over a step is, and what V_0 does in the rest of its step; and never faster than d itself. Rounding: a
 * random walk of q. */
START_TEST(every_lipschitz_datum_is_followed_to_within_a_step_for_ever) {
  const double slope = legal[_i / N_THETAS].slope, theta = thetas[_i % N_THETAS];
  const double most = h * slope * (1.0 - theta) * (2.0 * theta + 1.0);
  const prc_step_options o = toy_options(h, theta, PRC_IMPACT_FREMOND);
  toy s;
  begin_with(&s, legal[_i / N_THETAS].d, &o);
  for (int k = 1; k <= legal[_i / N_THETAS].n_steps; k++) {
    toy_step(&s, 1);
    const double off = fabs(s.r->q[TOY_WALL] - path(s.r->t));
    ck_assert_msg(off <= most + 1e-13 * sqrt(k), "step %d: off by %g, expected %g", k, off, most);
    ck_assert(s.r->prescribed.deviation == off);
    ck_assert_double_le(fabs(toy_velocity(&s, TOY_WALL)), slope * (1.0 + 1e-9) + 1e-11);
  }
  if (slope == 0.0) ck_assert(s.r->q[TOY_WALL] == 0.25 && toy_velocity(&s, TOY_WALL) == 0.0);
  toy_free(&s);
}
END_TEST

/* The velocity is that of the datum two steps behind a kink, and stays: nothing rings. */
START_TEST(a_kink_is_over_after_a_step) {
  for (int n = 0; n < N_THETAS; n++) {
    const prc_step_options o = toy_options(h, thetas[n], PRC_IMPACT_FREMOND);
    toy s;
    begin_with(&s, kink_off_the_grid, &o);
    for (int k = 1; k <= 100; k++) {
      toy_step(&s, 1);
      const double v = toy_velocity(&s, TOY_WALL);
      if (k < 30) ck_assert_double_eq_tol(v, -1.0, 1e-13);
      if (k > 31) ck_assert_double_eq_tol(v, 1.0, 1e-13);
      if (k < 30 || k > 31) ck_assert_double_eq_tol(s.r->q[TOY_WALL], path(s.r->t), 1e-14);
    }
    toy_free(&s);
  }
}
END_TEST

/* A derivative that the differences of the datum do not bear out is not taken: it would leave half a step's way of it behind for ever. */
static double wrong_derivative(double t, double step) {
  (void)t, (void)step;
  return 100.0;
}

START_TEST(a_start_that_is_not_resolved_takes_the_mean) {
  const prc_step_options o = toy_options(h, thetas[_i], PRC_IMPACT_FREMOND);
  toy s;
  toy_oscillator(&s, 1.7);
  s.system.drive.rest = 0, s.path = ramp, s.drive = wrong_derivative;
  toy_start(&s, &o, nothing, nothing);
  ck_assert_double_eq_tol(toy_velocity(&s, TOY_WALL), 0.7, 1e-13);
  toy_step(&s, 100);
  ck_assert_double_eq_tol(s.r->q[TOY_WALL], 0.7, 1e-13);
  toy_free(&s);
}
END_TEST

/* x'' = omega^2 (sin t - x) from rest: x = A sin t - A / omega sin(omega t), A = omega^2 / (omega^2 - 1). */
static double oscillator_error(double step) {
  const double omega = 1.7, A = omega * omega / (omega * omega - 1.0);
  const prc_step_options o = toy_options(step, 0.5, PRC_IMPACT_FREMOND);
  double worst = 0.0;
  toy s;
  path = swing;
  toy_oscillator(&s, omega);
  s.system.drive.rest = 0, s.path = swing, s.drive = derivative;
  toy_start(&s, &o, nothing, nothing);
  for (int k = 1; k <= (int)lround(5.0 / step); k++) {
    toy_step(&s, 1);
    const double x = A * sin(s.r->t) - A / omega * sin(omega * s.r->t);
    worst = fmax(worst, fabs(s.r->q[TOY_MASS] - x));
  }
  toy_free(&s);
  return worst;
}

START_TEST(smooth_motions_keep_the_order_of_the_scheme) {
  const double error[3] = {oscillator_error(0.05), oscillator_error(0.025), oscillator_error(0.0125)};
  ck_assert_double_le(error[0], 0.01);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(log2(error[k] / error[k + 1]), 2.0, 0.03);
}
END_TEST

/* ---- jumps --------------------------------------------------------------------------------------------------------------- */

PATH(jump, 0.01 * (t > 0.5))
PATH(jump_between_steps, 0.01 * (t > 0.025075))
PATH(stairs, floor(10.0 * t))
PATH(signum, sign(t - 0.3))
PATH(heaviside, 0.5 * (1.0 + sign(t - 0.335)))
PATH(square_wave, 0.01 * sign(sin(4.0 * pi * t)))
PATH(saw, t / 0.1 - floor(t / 0.1))
PATH(jump_at_once, 0.01 * (t > 0.0))
PATH(one_instant, 0.5 * (t == 0.4))
PATH(jump_of_a_swing, sin(t) + 0.01 * (t > 0.5))
PATH(jump_far_out, 1e6 + 0.01 * (t > 0.5))
PATH(ramp_within_a_step, 0.01 * between((t - 0.5) / 0.002))
PATH(ramp_within_half_a_step, 0.01 * between((t - 0.5017) / 0.005))
PATH(first_ramp_within_a_step, 0.01 * between(t / 0.003))
PATH(tiny_jump, 1e-9 * (t > 0.5))

static const struct {
  double (*d)(double t);
  double size, t, within; /* size 0: as large as a part of the ramp */
} jumps[] = {{jump, 0.01, 0.5, 1e-9},
             {jump_between_steps, 0.01, 0.025075, 1e-9},
             {stairs, 1.0, 0.1, 1e-9},
             {signum, 2.0, 0.3, 1e-9},
             {heaviside, 1.0, 0.335, 1e-9},
             {square_wave, 0.01, 0.0, 1e-9},
             {saw, -1.0, 0.1, 1e-9},
             {jump_at_once, 0.01, 0.0, 1e-9},
             {one_instant, 0.5, 0.4, 1e-9},
             {jump_of_a_swing, 0.01, 0.5, 1e-9},
             {jump_far_out, 0.01, 0.5, 1e-9},
             {ramp_within_a_step, 0.01, 0.501, 0.005},
             {ramp_within_half_a_step, 0.01, 0.5042, 0.005},
             {first_ramp_within_a_step, 0.01, 0.0015, 0.005},
             {tiny_jump, 1e-9, 0.5, 1e-9}};
enum { N_JUMPS = sizeof jumps / sizeof *jumps };

/* "... by SIZE at t = TIME ..." */
static void expect_jump(double size, double t, double within) {
  double found = 0.0, at = 0.0;
  const char *by = strstr(err.message, " by ");
  ck_assert_msg(strstr(err.message, "prescribed dof 0 ") == err.message && by, "'%s'", err.message);
  const char *time = strstr(err.message, " t = ");
  ck_assert_int_eq(sscanf(by, " by %lf", &found), 1);
  ck_assert_int_eq(sscanf(time, " t = %lf", &at), 1);
  ck_assert_msg(fabs(found - size) <= 0.02 * fabs(size) && fabs(at - t) <= within, "'%s', expected %g at %g",
                err.message, size, t);
}

static prc_status go_on(toy *s, int n) {
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) status = prc_stepper_step(s->stepper, &err);
  return status;
}

START_TEST(a_jump_is_refused_with_its_size_and_time) {
  const int n = _i / N_THETAS;
  const prc_step_options o = toy_options(h, thetas[_i % N_THETAS], PRC_IMPACT_FREMOND);
  toy s;
  path = jumps[n].d;
  toy_oscillator(&s, 1.7);
  s.system.drive.rest = 0, s.path = path, s.drive = derivative;
  double q[TOY_MAX] = {0.0};
  q[TOY_WALL] = path(0.0);
  support_ok(toy_create(&s, &o, &err), &err);
  prc_status status = prc_stepper_start(s.stepper, q, nothing, &err);
  s.r = prc_stepper_record(s.stepper);
  if (status == PRC_OK) status = go_on(&s, 60);
  ck_assert_int_eq(status, PRC_INPUT);
  expect_jump(jumps[n].size, jumps[n].t, jumps[n].within);
  /* in the step that meets it, with the look ahead of a step */
  ck_assert_double_le(fabs(s.r->t - jumps[n].t), 2.0 * h);
  toy_free(&s);
}
END_TEST

START_TEST(it_is_seen_beforehand_too) {
  const int n = _i / N_THETAS;
  const prc_step_options o = toy_options(h, thetas[_i % N_THETAS], PRC_IMPACT_FREMOND);
  if (jumps[n].t < h) return; /* not even begun */
  toy s;
  begin_with(&s, jumps[n].d, &o);
  const double v = toy_velocity(&s, TOY_WALL);
  support_ok(prc_stepper_foresee(s.stepper, (int)(jumps[n].t / h) - 2, &err), &err);
  ck_assert_int_eq(prc_stepper_foresee(s.stepper, 60, &err), PRC_INPUT);
  expect_jump(jumps[n].size, jumps[n].t, jumps[n].within);
  ck_assert(toy_velocity(&s, TOY_WALL) == v);
  toy_free(&s);
}
END_TEST

/* The steps are those of a run that did not look ahead. */
START_TEST(looking_ahead_changes_nothing) {
  const prc_step_options o = toy_options(h, thetas[_i], PRC_IMPACT_FREMOND);
  toy a, b;
  begin_with(&a, slow_zigzag, &o);
  begin_with(&b, slow_zigzag, &o);
  support_ok(prc_stepper_foresee(a.stepper, 1000, &err), &err);
  for (int k = 0; k < 100; k++) {
    toy_step(&a, 1), toy_step(&b, 1);
    ck_assert(memcmp(a.r->q, b.r->q, 2 * sizeof(double)) == 0);
    ck_assert(memcmp(a.r->v, b.r->v, 2 * sizeof(double)) == 0);
  }
  toy_free(&a), toy_free(&b);
}
END_TEST

/* ---- the start, the end, and in between ---------------------------------------------------------------------------------- */

/* Where the wall stands, where it should; and whether that is a jump: a thousandth of it is not, which another run may leave. */
static const struct {
  double is, should;
  int jumps;
} starts[] = {{0.0, -0.005, 1},       {-0.005, -0.005, 0}, {-0.005, -0.006, 1}, {-0.005, -0.00502, 1},
              {-0.005, -0.005001, 0}, {0.0, 1e-16, 0},     {0.0, 1e-9, 1}};
static double stands;
static double standing(double t) {
  return stands + 0.0 * t;
}

START_TEST(a_start_elsewhere_is_a_jump) {
  const prc_step_options o = toy_options(h, 0.5, PRC_IMPACT_FREMOND);
  double q[TOY_MAX] = {starts[_i].is};
  for (int rest = 0; rest < 2; rest++) { /* a support that never moves is one too */
    toy s;
    stands = starts[_i].should, path = standing;
    toy_oscillator(&s, 1.7);
    s.system.drive.rest = rest, s.path = standing, s.drive = derivative;
    support_ok(toy_create(&s, &o, &err), &err);
    const prc_status status = prc_stepper_start(s.stepper, q, nothing, &err);
    ck_assert_int_eq(status, starts[_i].jumps ? PRC_INPUT : PRC_OK);
    if (starts[_i].jumps) support_fails(status, PRC_INPUT, &err, "initial.state: equilibrium");
    prc_error_clear(&err);
    toy_free(&s);
  }
}
END_TEST

/* Load steps end where they should, whatever was before. */
START_TEST(without_inertia_a_jump_is_imposed_as_it_is) {
  prc_step_options o = toy_options(0.1, 1.0, PRC_IMPACT_FREMOND);
  o.scheme = "static";
  toy s;
  path = stairs;
  toy_oscillator(&s, 1.7);
  s.system.drive.rest = 0, s.path = stairs, s.drive = derivative;
  toy_start(&s, &o, nothing, nothing);
  for (int k = 1; k <= 7; k++) {
    toy_step(&s, 1);
    ck_assert_double_eq_tol(s.r->q[TOY_WALL], floor(10.0 * s.r->t), 1e-15);
  }
  toy_free(&s);
}
END_TEST

/* What only its velocity is known of is taken as it is. */
static double jumping_velocity(double t, double step) {
  (void)step;
  return t < 0.5 ? 0.0 : 2.0;
}

START_TEST(velocities_alone_may_do_anything) {
  const prc_step_options o = toy_options(h, 0.5, PRC_IMPACT_FREMOND);
  toy s;
  toy_oscillator(&s, 1.7);
  s.system.drive.rest = 0, s.drive = jumping_velocity;
  toy_start(&s, &o, nothing, nothing);
  toy_step(&s, 100);
  ck_assert_double_eq_tol(s.r->q[TOY_WALL], 2.0 * (0.5 + 0.5 * h), 1e-13);
  ck_assert(s.r->prescribed.deviation == 0.0);
  toy_free(&s);
}
END_TEST

PATH(ends, t <= 1.0 + 1e-12 ? t * t : (double)NAN)
static double from_the_left(double t, double step) {
  return isnan(path(t + step)) ? 2.0 * t : derivative(t, step);
}

START_TEST(a_datum_may_end_with_the_run) {
  const prc_step_options o = toy_options(h, thetas[_i], PRC_IMPACT_FREMOND);
  toy s;
  path = ends;
  toy_oscillator(&s, 1.7);
  s.system.drive.rest = 0, s.path = ends, s.drive = from_the_left;
  toy_start(&s, &o, nothing, nothing);
  support_ok(prc_stepper_foresee(s.stepper, 200, &err), &err); /* no jump, at least */
  toy_step(&s, 100);
  ck_assert_double_eq_tol(s.r->q[TOY_WALL], 1.0, h * h);
  ck_assert_double_eq_tol(toy_velocity(&s, TOY_WALL), 2.0, h);
  support_fails(prc_stepper_step(s.stepper, &err), PRC_INPUT, &err, "the path is not known at t = 1.01");
  toy_free(&s);
}
END_TEST

START_TEST(a_motion_goes_on_to_the_bit) {
  const prc_step_options o = toy_options(h, thetas[_i % N_THETAS], PRC_IMPACT_FREMOND);
  const int at = _i / N_THETAS ? 77 : 0;
  double q[2], v[2], m[2], f[2];
  toy a, b;
  begin_with(&a, slow_zigzag, &o);
  begin_with(&b, slow_zigzag, &o);
  toy_step(&a, at);
  memcpy(q, a.r->q, sizeof q);
  prc_stepper_state(a.stepper, v, m, f);
  const prc_step_state from = {.step = at, .q = q, .v = v, .m = m, .f = f};
  support_ok(prc_stepper_resume(b.stepper, &from, &err), &err);
  for (int k = 0; k < 100; k++) {
    toy_step(&a, 1), toy_step(&b, 1);
    ck_assert(memcmp(a.r->q, b.r->q, sizeof q) == 0 && memcmp(a.r->v, b.r->v, sizeof v) == 0);
    ck_assert(memcmp(&a.r->prescribed, &b.r->prescribed, sizeof a.r->prescribed) == 0);
  }
  toy_free(&a), toy_free(&b);
}
END_TEST

SUITE(motion) {
  Suite *suite = suite_create("motion");
  TCase *follows = tcase_create("follows"), *refused = tcase_create("jumps"),
        *ends_case = tcase_create("ends");
  tcase_add_loop_test(follows, every_lipschitz_datum_is_followed_to_within_a_step_for_ever, 0,
                      N_LEGAL * N_THETAS);
  tcase_add_test(follows, a_kink_is_over_after_a_step);
  tcase_add_loop_test(follows, a_start_that_is_not_resolved_takes_the_mean, 0, N_THETAS);
  tcase_add_test(follows, smooth_motions_keep_the_order_of_the_scheme);
  tcase_add_loop_test(refused, a_jump_is_refused_with_its_size_and_time, 0, N_JUMPS * N_THETAS);
  tcase_add_loop_test(refused, it_is_seen_beforehand_too, 0, N_JUMPS * N_THETAS);
  tcase_add_loop_test(refused, looking_ahead_changes_nothing, 0, N_THETAS);
  tcase_add_loop_test(ends_case, a_start_elsewhere_is_a_jump, 0, (int)(sizeof starts / sizeof *starts));
  tcase_add_test(ends_case, without_inertia_a_jump_is_imposed_as_it_is);
  tcase_add_test(ends_case, velocities_alone_may_do_anything);
  tcase_add_loop_test(ends_case, a_datum_may_end_with_the_run, 0, N_THETAS);
  tcase_add_loop_test(ends_case, a_motion_goes_on_to_the_bit, 0, 2 * N_THETAS);
  TCase *const cases[] = {follows, refused, ends_case};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tcase_add_checked_fixture(cases[k], forget, NULL);
    suite_add_tcase(suite, cases[k]);
  }
  return suite;
}
