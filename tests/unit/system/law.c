#include "config.h"
#include "law/law.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* The rows of law, each against its formula: mu and its slope, the way of its state, parameters that are refused. */

static prc_error err;

static prc_law of(const char *name, int n, const double *parameter) {
  prc_law law = {.friction = prc_friction_find(name)};
  ck_assert_ptr_nonnull(law.friction);
  ck_assert_int_eq(n, law.friction->n_parameters);
  memcpy(law.parameter, parameter, (size_t)n * sizeof *parameter);
  return law;
}
#define LAW(name, ...)                                                                                       \
  of(name, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

static void begin(const prc_law *law, double *state) {
  memset(state, 0, PRC_LAW_STATE * sizeof *state);
  if (law->friction->start) law->friction->start(law->parameter, state);
}

static void go_on(const prc_law *law, double h, double speed, double *state) {
  law->friction->advance(law->parameter, h, &(prc_law_slip){speed, speed > 0.0}, state);
}

START_TEST(every_row_is_whole) {
  int n = 0;
  for (const prc_friction *const *row = prc_frictions(); *row; row++, n++) {
    const prc_friction *f = *row;
    ck_assert_ptr_eq(prc_friction_find(f->name), f);
    ck_assert_int_le(f->n_parameters, PRC_LAW_PARAMETERS);
    ck_assert_int_le(f->n_state, PRC_LAW_SPEED);
    ck_assert_int_eq(f->n_state > 0, f->advance != NULL);
    ck_assert_int_eq(f->n_state > 0, f->state != NULL);
    for (int i = 0; i < f->n_parameters; i++) ck_assert_int_gt((int)strlen(f->parameter[i]), 0);
  }
  ck_assert_int_eq(n, 6);
  ck_assert_ptr_null(prc_friction_find("rate"));
}
END_TEST

START_TEST(slope_is_the_derivative_of_friction) {
  const prc_law law[] = {LAW("coulomb", 0.4),
                         LAW("two-values", 0.6, 0.4),
                         LAW("slip-weakening", 0.6, 0.4, 0.1),
                         LAW("slip-weakening-exponential", 0.6, 0.4, 0.1),
                         LAW("rate-and-state", 0.01, 0.015, 0.6, 1e-6, 1e-4, 0, 3.0),
                         LAW("rate-and-state", 0.01, 0.015, 0.6, 1e-6, 1e-4, 1, 3.0),
                         LAW("velocity-weakening", 0.6, 0.3, 0.2)};
  for (size_t l = 0; l < sizeof law / sizeof *law; l++) {
    double state[PRC_LAW_STATE], slope;
    begin(&law[l], state);
    support_ok(prc_law_check(&law[l], &err), &err);
    for (double V = 1e-12; V < 20.0; V *= 10.0) {
      const prc_friction *f = law[l].friction;
      const double step = 1e-4 * V, mu = f->friction(law[l].parameter, state, V, &slope);
      const double difference = (f->friction(law[l].parameter, state, V + step, NULL)
                                 - f->friction(law[l].parameter, state, V - step, NULL))
                                / (2.0 * step);
      ck_assert_double_ge(mu, 0.0);
      ck_assert_double_eq_tol(V * slope, V * difference, 1e-9);
    }
  }
}
END_TEST

START_TEST(slip_weakens_to_the_kinetic_value_and_no_further) {
  const prc_law linear = LAW("slip-weakening", 0.6, 0.5, 1e-3);
  const prc_law exponential = LAW("slip-weakening-exponential", 0.6, 0.5, 1e-3);
  double state[PRC_LAW_STATE];
  begin(&linear, state);
  ck_assert_double_eq(prc_law_friction_at(&linear, state, 1.0), 0.6);
  go_on(&linear, 0.1, 4e-3, state);
  ck_assert_double_eq_tol(state[0], 4e-4, 1e-18);
  ck_assert_double_eq_tol(prc_law_friction_at(&linear, state, 1.0), 0.56, 1e-15);
  ck_assert_double_eq_tol(prc_law_friction_at(&exponential, state, 1.0), 0.5 + 0.1 * exp(-0.4), 1e-15);
  go_on(&linear, 0.1, 0.0, state);
  linear.friction->advance(linear.parameter, 0.1, &(prc_law_slip){7.0, 0}, state); /* the error of a solver */
  ck_assert_double_eq_tol(state[0], 4e-4, 1e-18);
  go_on(&linear, 1.0, 1.0, state);
  ck_assert_double_eq(prc_law_friction_at(&linear, state, 1.0), 0.5);
}
END_TEST

START_TEST(two_values_follow_what_the_contact_did) {
  const prc_law law = LAW("two-values", 0.6, 0.4);
  double state[PRC_LAW_STATE];
  begin(&law, state);
  ck_assert_double_eq(prc_law_friction_at(&law, state, 0.0), 0.6);
  ck_assert_double_eq(prc_law_friction_at(&law, state, 1e-3), 0.4);
  go_on(&law, 0.1, 1.0, state);
  ck_assert_double_eq(prc_law_friction_at(&law, state, 0.0), 0.4);
  go_on(&law, 0.1, 0.0, state);
  ck_assert_double_eq(prc_law_friction_at(&law, state, 1e-3),
                      0.6); /* at theta = 1/2 it may only change its sign */
}
END_TEST

/* Steady slip: theta = L / V and mu = f_0 + (a - b) ln(V / V_0), but for what regularising adds, a (V_0/V)^2 e^(-2 psi/a). At rest 0, and no
 * contact sticks. */
START_TEST(rate_and_state_slides_steadily_and_rests_without_friction) {
  for (int n = 0; n < 2; n++) {
    const prc_law law = LAW("rate-and-state", 0.010, 0.015, 0.6, 1e-6, 1e-4, n, 0.0);
    double state[PRC_LAW_STATE];
    begin(&law, state);
    ck_assert_double_eq_tol(state[0], 100.0, 1e-12);
    for (double V = 1e-9; V < 2.0; V *= 10.0) {
      for (int k = 0; k < 60; k++) go_on(&law, 1e-4 / V, V, state);
      ck_assert_double_eq_tol(state[0] * V, 1e-4, 1e-15);
      ck_assert_double_eq_tol(prc_law_friction_at(&law, state, V), 0.6 - 0.005 * log(V / 1e-6), 1e-13);
    }
    ck_assert_double_eq(prc_law_friction_at(&law, state, 0.0), 0.0);
    double slope, next;
    law.friction->friction(law.parameter, state, 0.0, &slope);
    law.friction->friction(law.parameter, state, 1e-300, &next);
    ck_assert_double_eq_tol(slope / next, 1.0, 1e-12);
  }
}
END_TEST

/* A jump of the speed by ten, as algorithms have it: 0.6 -> 0.6230..., then on along the ageing law. */
START_TEST(a_step_of_velocity_has_the_known_course) {
  const prc_law law = LAW("rate-and-state", 0.010, 0.015, 0.6, 1e-6, 1e-4, 0, 0.0);
  const double when[] = {0.0, 10.0, 20.0, 100.0},
               mu[] = {0.623025850930, 0.610404327111, 0.600436281551, 0.588493202274};
  for (int split = 1; split < 200; split *= 7)
    for (int k = 0; k < 4; k++) {
      double state[PRC_LAW_STATE];
      begin(&law, state);
      for (int i = 0; i < split; i++) go_on(&law, when[k] / split, 1e-5, state);
      ck_assert_double_eq_tol(prc_law_friction_at(&law, state, 1e-5), mu[k], 2e-12);
    }
}
END_TEST

/* Of the exact ways of the state: theta at rest, the half of a way twice, and the limit of small steps. */
START_TEST(states_go_on_exactly) {
  const prc_law ageing = LAW("rate-and-state", 0.010, 0.015, 0.6, 1e-6, 1e-4, 0, 5.0);
  const prc_law slip = LAW("rate-and-state", 0.010, 0.015, 0.6, 1e-6, 1e-4, 1, 5.0);
  const prc_law *const laws[] = {&ageing, &slip};
  double state[PRC_LAW_STATE], halves[PRC_LAW_STATE];
  begin(&ageing, state), go_on(&ageing, 7.0, 0.0, state);
  ck_assert_double_eq(state[0], 12.0);
  begin(&slip, state), go_on(&slip, 7.0, 0.0, state);
  ck_assert_double_eq(state[0], 5.0);
  for (int l = 0; l < 2; l++)
    for (double V = 1e-15; V < 1.0; V *= 10.0) {
      const double h = 1e-3, rate = V * 5.0 / 1e-4;
      begin(laws[l], state), go_on(laws[l], 2.0, V, state);
      begin(laws[l], halves), go_on(laws[l], 0.5, V, halves), go_on(laws[l], 1.5, V, halves);
      ck_assert_double_eq_tol(state[0] / halves[0], 1.0, 1e-14);
      begin(laws[l], state), go_on(laws[l], h * 1e-4, V, state);
      if (V < 1e-2)
        ck_assert_double_eq_tol((state[0] - 5.0) / (h * 1e-4), l ? -rate * log(rate) : 1.0 - rate,
                                1e-4 * rate * (1.0 + rate) + 1e-7);
    }
}
END_TEST

/* A contact that rested for a century and one that slips at the speed of sound have numbers. */
START_TEST(extreme_states_have_numbers) {
  const prc_law law = LAW("rate-and-state", 0.001, 0.0015, 0.6, 1e-9, 1e-4, 0, 3e9);
  double state[PRC_LAW_STATE], slope;
  begin(&law, state);
  double before = 0.0;
  for (double V = 1e-300; V < 1e4; V *= 10.0) {
    const double mu = law.friction->friction(law.parameter, state, V, &slope);
    ck_assert(isfinite(mu) && isfinite(slope) && mu >= before && slope > 0.0);
    before = mu;
  }
  law.friction->friction(law.parameter, state, 0.0, &slope);
  ck_assert(isfinite(slope));
}
END_TEST

START_TEST(parameters_out_of_range_are_named) {
  const struct {
    prc_law law;
    const char *text;
  } bad[] = {
      {LAW("two-values", -0.1, 0.4), "static of the friction is -0.1"},
      {LAW("two-values", 0.6, NAN), "kinetic of the friction is"},
      {LAW("slip-weakening", 0.6, 0.5, 0.0), "distance of the friction is 0, expected a positive number"},
      {LAW("slip-weakening-exponential", 0.6, 0.5, INFINITY), "distance of the friction is inf"},
      {LAW("rate-and-state", 0.0, 0.015, 0.6, 1e-6, 1e-4, 0, 0.0), "parameter a of the friction is 0"},
      {LAW("rate-and-state", 0.01, -1.0, 0.6, 1e-6, 1e-4, 0, 0.0), "parameter b of the friction is -1"},
      {LAW("rate-and-state", 0.01, 0.01, 0.6, 0.0, 1e-4, 0, 0.0), "reference_speed of the friction is 0"},
      {LAW("rate-and-state", 0.01, 0.01, 0.6, 1e-6, -1.0, 1, 0.0), "length of the friction is -1"},
      {LAW("rate-and-state", 0.01, 0.01, 0.6, 1e-6, 1.0, 1, -2.0), "initial_state of the friction is -2"},
      {LAW("rate-and-state", 0.01, 0.01, 0.6, 1e-6, 1.0, 0.5, 0.0), "evolution of the friction is 0.5"},
      {LAW("velocity-weakening", 0.6, 0.4, 0.0), "speed of the friction is 0"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    support_fails(prc_law_check(&bad[k].law, &err), PRC_INPUT, &err, bad[k].text);
    prc_error_clear(&err);
  }
}
END_TEST

/* ---- formulas ---------------------------------------------------------------------------------------------------------------- */

static prc_status falls(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  (void)field, (void)e;
  *value = 0.6 + 0.1 * x - 0.01 * y - t;
  return PRC_OK;
}

START_TEST(parameters_may_be_formulas) {
  prc_law law = LAW("slip-weakening", 0.6, 0.5, 1e-3);
  const prc_field field = {.eval = falls, .uses_time = 1, .uses_place = 1};
  const prc_law_formulas formulas = {.place = {2.0, 3.0}, .parameter = {&field}};
  double parameter[PRC_LAW_PARAMETERS];
  ck_assert(prc_law_is_constant(&(prc_law){.friction = &prc_friction_coulomb}));
  ck_assert(!prc_law_is_constant(&law) && prc_law_rubs(&law));
  law.formulas = &formulas;
  support_ok(prc_law_parameters_at(&law, 0.25, parameter, &err), &err);
  ck_assert_double_eq_tol(parameter[0], 0.52, 1e-15);
  ck_assert_double_eq(parameter[1], 0.5);
  support_fails(prc_law_parameters_at(&law, 1.0, parameter, &err), PRC_INPUT, &err, "static of the friction");
  ck_assert_ptr_nonnull(strstr(err.message, "(2, 3)"));
  prc_error_clear(&err);
}
END_TEST

SUITE(law) {
  Suite *suite = suite_create("law");
  TCase *tests = tcase_create("rows");
  tcase_add_test(tests, every_row_is_whole);
  tcase_add_test(tests, slope_is_the_derivative_of_friction);
  tcase_add_test(tests, slip_weakens_to_the_kinetic_value_and_no_further);
  tcase_add_test(tests, two_values_follow_what_the_contact_did);
  tcase_add_test(tests, rate_and_state_slides_steadily_and_rests_without_friction);
  tcase_add_test(tests, a_step_of_velocity_has_the_known_course);
  tcase_add_test(tests, states_go_on_exactly);
  tcase_add_test(tests, extreme_states_have_numbers);
  tcase_add_test(tests, parameters_out_of_range_are_named);
  tcase_add_test(tests, parameters_may_be_formulas);
  suite_add_tcase(suite, tests);
  return suite;
}
