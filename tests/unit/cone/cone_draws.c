/* Where a search begins and in which order it takes the contacts: what is drawn, and that the same seed, step and sweep draw the same. */
#include "config.h"
#include "support/methods.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static prc_error err;

static int at_once(void *data) {
  (void)data;
  return 1;
}

static prc_cone_solver *solver_of(const prc_cone_problem *problem, const prc_cone_options *options,
                                  const char *name) {
  prc_cone_solver *solver = NULL;
  prc_error_clear(&err);
  support_ok(prc_cone_solver_create_for(name, problem, options, &solver, &err), &err);
  return solver;
}

/* ---- the order ---------------------------------------------------------------------------------------------------------- */

/* One sweep over two frictionless contacts that feel each other, in closed form: who comes second finds half of it done. */
static int first_of(const prc_cone_options *options, uint64_t step) {
  static const double W[] = {2.0, 1.0, 1.0, 2.0}, b[] = {-1.0, -1.0}, mu[] = {0.0, 0.0};
  const prc_cone_problem problem = {.dim = 1, .n = 2, .W = W, .b = b, .mu = mu};
  prc_cone_options one = *options;
  double p[2] = {0.0, 0.0};
  one.max_iterations = 1;
  prc_cone_solver *solver = solver_of(&problem, &one, "gauss-seidel");
  prc_cone_solver_set_step(solver, step);
  prc_cone_solve(solver, &problem, p);
  prc_cone_solver_free(&solver);
  const int first = p[0] == 0.5 ? 0 : 1;
  ck_assert_double_eq(p[first], 0.5);
  ck_assert_double_eq(p[1 - first], 0.25);
  return first;
}

START_TEST(contacts_are_taken_as_they_stand_unless_an_order_is_drawn) {
  prc_cone_options options = prc_cone_options_default();
  for (uint64_t step = 0; step < 8; step++) ck_assert_int_eq(first_of(&options, step), 0);
  options.seed = 7; /* a seed alone draws nothing */
  for (uint64_t step = 0; step < 8; step++) ck_assert_int_eq(first_of(&options, step), 0);
  options.order = PRC_CONE_ORDER_RANDOM;
  int count = 0, as_before = 0;
  for (uint64_t step = 0; step < 400; step++) {
    const int first = first_of(&options, step);
    ck_assert_int_eq(first, first_of(&options, step));
    count += first;
    as_before += step > 0 && first == first_of(&options, step - 1);
  }
  ck_assert_int_ge(count, 160); /* four deviations of 10 from the half */
  ck_assert_int_le(count, 240);
  ck_assert_int_ge(as_before, 160); /* steps know nothing of each other */
  ck_assert_int_le(as_before, 240);
}
END_TEST

/* ---- a disc between two walls: however much both push, as long as friction holds it ------------------------------------------------------ */

typedef struct {
  prc_cone_problem problem;
  double W[16], b[4], mu[2];
} disc;

/* Mass and inertia 1, radius 1, walls at both sides: u_1 = (v_x, v_y + w), u_2 = (-v_x, v_y - w) with v_y downwards -1. */
static void make_disc(disc *d) {
  static const double H[4][3] = {{1, 0, 0}, {0, 1, 1}, {-1, 0, 0}, {0, 1, -1}};
  memset(d, 0, sizeof *d);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++) d->W[4 * i + j] += H[i][k] * H[j][k];
  d->b[1] = d->b[3] = -1.0, d->mu[0] = d->mu[1] = 0.5;
  d->problem = (prc_cone_problem){.dim = 2, .n = 2, .W = d->W, .b = d->b, .mu = d->mu, .symmetric = 1};
}

/* The walls push alike, and friction carries half of the weight each, or what it can where it slips. */
static void expect_held(const disc *d, const double *p) {
  const double carried = fmin(0.5, d->mu[0] * p[0]);
  ck_assert_double_le(fabs(p[0] - p[2]), 1e-9 * (1.0 + p[0]));
  ck_assert_double_le(fabs(p[1] - carried), 1e-9 * (1.0 + p[0]));
  ck_assert_double_le(fabs(p[3] - carried), 1e-9 * (1.0 + p[0]));
}

START_TEST(a_start_is_what_is_given_or_zero_or_drawn_in_the_cones) {
  prc_cone_options options = prc_cone_options_default();
  disc d;
  double largest = 0.0;
  make_disc(&d);
  options.stop = at_once; /* what it begins with is what remains */
  for (int start = PRC_CONE_START_WARM; start <= PRC_CONE_START_RANDOM; start++)
    for (uint64_t step = 0; step < 200; step++) {
      options.start = (prc_cone_start)start;
      prc_cone_solver *solver = solver_of(&d.problem, &options, "gauss-seidel");
      double p[4] = {3.0, 1.0, 0.25, 0.0};
      prc_cone_solver_set_step(solver, step);
      const prc_cone_info info = prc_cone_solve(solver, &d.problem, p);
      prc_cone_solver_free(&solver);
      ck_assert_int_eq(info.iterations, 0);
      if (start == PRC_CONE_START_WARM) ck_assert(p[0] == 3.0 && p[1] == 1.0 && p[2] == 0.25 && p[3] == 0.0);
      if (start == PRC_CONE_START_ZERO) ck_assert(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0 && p[3] == 0.0);
      for (int c = 0; c < 2 && start == PRC_CONE_START_RANDOM; c++) {
        ck_assert(p[2 * c] >= 0.0 && p[2 * c] < 6.0 && fabs(p[2 * c + 1]) <= 0.5 * p[2 * c]);
        largest = fmax(largest, p[2 * c]);
      }
    }
  ck_assert_double_ge(largest, 5.9); /* of 400 */
}
END_TEST

START_TEST(without_a_percussion_to_go_by_the_start_is_as_large_as_b_is_worth) {
  prc_cone_options options = prc_cone_options_default();
  disc d;
  double largest = 0.0;
  make_disc(&d);
  options.stop = at_once, options.start = PRC_CONE_START_RANDOM;
  prc_cone_solver *solver = solver_of(&d.problem, &options, "auto");
  for (uint64_t step = 0; step < 200; step++) {
    double p[4] = {0.0};
    prc_cone_solver_set_step(solver, step);
    prc_cone_solve(solver, &d.problem, p);
    largest = fmax(largest, fmax(p[0], p[2]));
  }
  prc_cone_solver_free(&solver);
  ck_assert_double_le(largest, 2.0 * 4.0 / 6.0); /* 2 max |b| n / tr W */
  ck_assert_double_ge(largest, 1.3);
}
END_TEST

START_TEST(starts_of_other_steps_find_other_solutions_and_the_same_step_the_same) {
  static const char *const names[] = {"gauss-seidel", "auto"};
  prc_cone_options options = prc_cone_options_default();
  double low = INFINITY, high = 0.0;
  disc d;
  make_disc(&d);
  options.start = PRC_CONE_START_RANDOM, options.order = PRC_CONE_ORDER_RANDOM;
  prc_cone_solver *solver = solver_of(&d.problem, &options, names[_i]);
  for (uint64_t step = 0; step < 50; step++) {
    double p[4] = {4.0, 0.0, 4.0, 0.0}, again[4] = {4.0, 0.0, 4.0, 0.0};
    prc_cone_solver_set_step(solver, step);
    ck_assert(prc_cone_solve(solver, &d.problem, p).converged);
    expect_held(&d, p);
    prc_cone_solver_set_step(solver, step + 1000);
    prc_cone_solve(solver, &d.problem, again); /* what came between leaves no trace */
    again[0] = again[2] = 4.0, again[1] = again[3] = 0.0;
    prc_cone_solver_set_step(solver, step);
    prc_cone_solve(solver, &d.problem, again);
    ck_assert_mem_eq(p, again, sizeof p);
    low = fmin(low, p[0]), high = fmax(high, p[0]);
  }
  prc_cone_solver_free(&solver);
  ck_assert_double_ge(high - low, 1.0);
}
END_TEST

START_TEST(without_contacts_and_without_numbers_there_is_nothing_to_draw) {
  prc_cone_options options = prc_cone_options_default();
  disc d;
  double p[4] = {1.0, 0.0, 1.0, 0.0};
  make_disc(&d);
  options.start = PRC_CONE_START_RANDOM, options.order = PRC_CONE_ORDER_RANDOM;
  prc_cone_solver *solver = solver_of(&d.problem, &options, "auto");
  prc_cone_problem none = d.problem;
  none.n = 0;
  ck_assert(prc_cone_solve(solver, &none, p).converged);
  d.b[0] = NAN, p[0] = p[2] = 0.0;
  ck_assert(!prc_cone_solve(solver, &d.problem, p).converged);
  for (int i = 0; i < 4; i++) ck_assert(isfinite(p[i]));
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(starts_and_orders_that_do_not_exist_are_refused) {
  prc_cone_options bad = prc_cone_options_default();
  bad.start = (prc_cone_start)3;
  prc_error_clear(&err);
  support_fails(prc_cone_options_check(&bad, &err), PRC_INPUT, &err, "start 3 and order 0");
  bad = prc_cone_options_default();
  bad.order = (prc_cone_order)2;
  prc_error_clear(&err);
  support_fails(prc_cone_options_check(&bad, &err), PRC_INPUT, &err, "start 0 and order 2");
}
END_TEST

SUITE(cone_draws) {
  Suite *suite = suite_create("cone_draws");
  TCase *draws = tcase_create("draws");
  tcase_add_test(draws, contacts_are_taken_as_they_stand_unless_an_order_is_drawn);
  tcase_add_test(draws, a_start_is_what_is_given_or_zero_or_drawn_in_the_cones);
  tcase_add_test(draws, without_a_percussion_to_go_by_the_start_is_as_large_as_b_is_worth);
  tcase_add_loop_test(draws, starts_of_other_steps_find_other_solutions_and_the_same_step_the_same, 0, 2);
  tcase_add_test(draws, without_contacts_and_without_numbers_there_is_nothing_to_draw);
  tcase_add_test(draws, starts_and_orders_that_do_not_exist_are_refused);
  suite_add_tcase(suite, draws);
  return suite;
}
