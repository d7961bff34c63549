#include "config.h"
#include "support/allocator.h"
#include "support/block.h"
#include "support/support.h"
#include "support/toy.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static const prc_impact laws[2] = {PRC_IMPACT_FREMOND, PRC_IMPACT_NEWTON};
static const double nothing[TOY_MAX] = {0.0};

/* ---- prescribed motion ------------------------------------------------------------------------------------------- */

/* The wall moves with velocity 1 from the start. Seen from it, the mass starts with -1 and swings: the trapezoidal rule is
 * a rotation, x = -sin(a k) / omega with tan(a / 2) = omega h / 2. */
START_TEST(a_moving_wall_does_not_ring) {
  const double omega = 1.7, h = 0.1, a = 2.0 * atan(0.5 * omega * h);
  const prc_step_options o = toy_options(h, 0.5, PRC_IMPACT_FREMOND);
  double work = 0.0;
  toy s;
  toy_oscillator(&s, omega);
  s.M[TOY_WALL][TOY_WALL] = 3.0;
  s.system.drive.rest = 0, s.motion[0] = 1.0;
  toy_start(&s, &o, nothing, nothing);
  ck_assert(toy_velocity(&s, TOY_WALL) == 1.0);
  double before = 0.0;
  for (int k = 1; k <= 1000; k++) {
    toy_step(&s, 1);
    const double x = -sin(a * k) / omega;
    ck_assert_double_eq_tol(toy_velocity(&s, TOY_WALL), 1.0, 3e-13); /* rounding of d up to 100, over h */
    ck_assert_double_eq_tol(s.r->q[TOY_WALL], h * k, 1e-11);
    ck_assert_double_eq_tol(s.r->q[TOY_MASS] - s.r->q[TOY_WALL], x, 1e-10);
    ck_assert_double_eq_tol(toy_velocity(&s, TOY_MASS), 1.0 - cos(a * k), 1e-10);
    /* the wall only has to bear the spring, in the mean of the step */
    ck_assert_double_eq_tol(s.r->reaction[0], -0.5 * omega * omega * (x + before), 1e-10);
    work += h * s.r->v_work[TOY_WALL] * s.r->reaction[0];
    const double v = toy_velocity(&s, TOY_MASS);
    ck_assert_double_eq_tol(work, 0.5 * v * v + 0.5 * omega * omega * x * x, 1e-9);
    before = x;
  }
  prc_step_drift drift;
  support_ok(prc_stepper_drift(s.stepper, &drift, &err), &err);
  ck_assert_double_le(
      drift.elastic,
      1e-9 * drift.elastic_scale); /* of the spring's force, after 100 lengths of translation */
  ck_assert_double_le(drift.momentum, 1e-14 * drift.momentum_scale);
  ck_assert_double_eq_tol(drift.prescribed.deviation, fabs(s.r->q[TOY_WALL] - 100.0), 1e-15);
  toy_free(&s);
}
END_TEST

static double swing(double t, double h) {
  (void)h;
  return sin(3.0 * t);
}

START_TEST(
    the_reaction_does_the_work_that_the_body_gets) { /* with damping, a load on the wall and a varying velocity */
  const double theta = _i ? 0.8 : 0.5, h = 0.02, alpha = 0.2, beta = 0.05, k = 2.89;
  const prc_step_options o = toy_options(h, theta, PRC_IMPACT_FREMOND);
  toy s;
  toy_oscillator(&s, 1.7);
  s.M[TOY_WALL][TOY_MASS] = s.M[TOY_MASS][TOY_WALL] = 0.3; /* a consistent mass couples */
  s.M[TOY_WALL][TOY_WALL] = 3.0;
  s.system.dynamics.damping_mass = alpha, s.system.dynamics.damping_stiffness = beta;
  s.system.drive.rest = 0, s.drive = swing;
  s.F[TOY_WALL] = 0.7;
  toy_start(&s, &o, nothing, nothing);
  double q_old[2] = {0.0}, v_old[2] = {0.0}, v[2];
  for (int step = 1; step <= 300; step++) {
    toy_step(&s, 1);
    for (int i = 0; i < 2; i++) v[i] = toy_velocity(&s, i);
    ck_assert(v[TOY_WALL] == swing(h * step, h));
    double R = 0.0;
    for (int j = 0; j < 2; j++) { /* row TOY_WALL of (61) */
      const double v_theta = theta * v[j] + (1.0 - theta) * v_old[j],
                   q_theta = q_old[j] + theta * h * v_theta;
      const double Kj = j == TOY_WALL ? k : -k;
      R += s.M[TOY_WALL][j] * (v[j] - v_old[j]) / h + Kj * q_theta
           + (alpha * s.M[TOY_WALL][j] + beta * Kj) * v_theta;
    }
    ck_assert_double_eq_tol(s.r->reaction[0], R - 0.7, 1e-11);
    for (int i = 0; i < 2; i++) q_old[i] = s.r->q[i], v_old[i] = v[i];
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_motion_into_the_obstacle_is_refused) {
  const double velocities[3] = {-0.1, 0.0, 0.1};
  const prc_step_options o = toy_options(0.01, 0.5, laws[_i]);
  for (int k = 0; k < 3; k++) { /* down, along, up */
    toy s;
    toy_make(&s, 2, 1.0);
    toy_floor(&s, 1, 0, 0.5, 0.0);
    s.system.drive.n = 1, s.prescribed[0] = 1, s.motion[0] = velocities[k];
    s.F[0] = 1.0;
    toy_start(&s, &o, nothing, nothing);
    if (k == 0)
      support_fails(prc_stepper_step(s.stepper, &err), PRC_INPUT, &err,
                    "prescribed motion drives contact 0 into its obstacle");
    else
      support_ok(prc_stepper_step(s.stepper, &err), &err);
    if (k > 0) ck_assert(s.r->p[0] == 0.0);
    toy_free(&s);
  }
}
END_TEST

/* ---- activation, (64) --------------------------------------------------------------------------------------------- */

START_TEST(activation_compares_as_it_says) {
  /* gap and velocity of five contacts; who is in the problem by both tests, the gap alone, strict comparisons */
  static const struct {
    double gap, velocity;
    int in[3];
  } of[5] = {{-1e-3, -1.0, {1, 1, 1}},
             {5e-11, 5e-9, {1, 1, 0}},
             {0.0, 1.0, {0, 1, 0}},
             {1e-9, -1.0, {0, 0, 0}},
             {0.0, 0.0, {1, 1, 1}}};
  static const prc_activation kinds[3] = {PRC_ACTIVATION_BOTH, PRC_ACTIVATION_GAP, PRC_ACTIVATION_STRICT};
  prc_step_options o = toy_options(0.01, 0.5, PRC_IMPACT_FREMOND);
  double v[10] = {0.0};
  toy s;
  int at = 0;
  toy_make(&s, 10, 1.0);
  for (int c = 0; c < 5; c++) {
    toy_floor(&s, 2 * c + 1, 2 * c, 0.5, 0.0);
    s.gap0[c] = of[c].gap, v[2 * c + 1] = of[c].velocity;
  }
  o.activation = kinds[_i], o.gap_tolerance = 1e-10, o.velocity_tolerance = 1e-8;
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 1);
  for (int c = 0; c < 5; c++)
    if (of[c].in[_i]) ck_assert_int_eq(s.r->active[at++], c);
  ck_assert_int_eq(s.r->n_active, at);
  toy_free(&s);
}
END_TEST

START_TEST(tolerances_follow_the_system) {
  prc_step_options o = prc_step_options_default(0.01);
  toy s;
  toy_make(&s, 2, 1.0);
  s.system.length = 40.0, s.system.velocity = 2000.0;
  support_ok(toy_create(&s, &o, &err), &err);
  ck_assert_double_eq_tol(prc_stepper_options(s.stepper)->gap_tolerance, 40.0 * 2.22e-14 + 0.1 * 2e-8, 1e-15);
  ck_assert_double_eq_tol(prc_stepper_options(s.stepper)->velocity_tolerance, 2e-8, 1e-20);
  toy_free(&s);
  toy_make(&s, 2, 1.0);
  o.cone.tolerance = 1e-6; /* a looser contact problem leaves more velocity at a resting contact */
  support_ok(toy_create(&s, &o, &err), &err);
  ck_assert_double_eq_tol(prc_stepper_options(s.stepper)->velocity_tolerance, 1e-7, 1e-20);
  toy_free(&s);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

START_TEST(theta_outside_the_theorem_is_refused) { /* (87) */
  static const struct {
    double theta, e;
    int good;
  } of[] = {{0.5, 1.0, 1},  {0.5, 0.0, 1},  {1.0, 0.0, 1},   {2.0 / 3.0, 0.5, 1}, {0.49, 0.0, 0},
            {1.01, 0.0, 0}, {0.67, 0.5, 0}, {0.501, 1.0, 0}, {-1.0, 0.0, 0},      {NAN, 0.0, 0}};
  const prc_step_options o = toy_options(0.01, of[_i].theta, PRC_IMPACT_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  toy_floor(&s, 1, 0, 0.5, of[_i].e);
  const prc_status status = toy_create(&s, &o, &err);
  if (of[_i].good)
    support_ok(status, &err);
  else {
    const int beyond_e = of[_i].theta >= 0.5 && of[_i].theta <= 1.0; /* a theta, but not with this e */
    support_fails(status, PRC_INPUT, &err,
                  beyond_e ? "expected a number in [1/2, 1/(1+e)]" : "expected a number in [1/2, 1]");
    ck_assert_ptr_null(s.stepper);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_step_that_is_no_length_is_refused) {
  const double h[] = {0.0, -1.0, NAN, INFINITY};
  const prc_step_options o = toy_options(h[_i], 0.5, PRC_IMPACT_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  support_fails(toy_create(&s, &o, &err), PRC_INPUT, &err, "the time step is ");
  toy_free(&s);
}
END_TEST

START_TEST(a_body_without_mass_is_singular) {
  const prc_step_options o = toy_options(0.1, 0.5, PRC_IMPACT_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  s.M[1][1] = 0.0;
  support_fails(toy_create(&s, &o, &err), PRC_SINGULAR, &err,
                "the iteration matrix M + h theta C + h^2 theta^2 K");
  toy_free(&s);
}
END_TEST

static prc_status spoilt(double t, double *F, prc_error *e) {
  (void)e;
  if (t > 0.35) F[0] = (double)NAN;
  return PRC_OK;
}

static prc_status failing(double t, double *F, prc_error *e) {
  (void)F;
  return t > 0.35 ? prc_fail(e, PRC_INPUT, "no load is known after t = 0.35") : PRC_OK;
}

START_TEST(a_load_that_is_no_number_stops_the_run) {
  const prc_step_options o = toy_options(0.1, 0.5, laws[_i]);
  toy s;
  toy_make(&s, 2, 1.0);
  s.load = spoilt, s.F[1] = -1.0;
  toy_floor(&s, 1, 0, 0.5, 0.0);
  toy_start(&s, &o, nothing, nothing);
  toy_step(&s, 3);
  support_fails(prc_stepper_step(s.stepper, &err), PRC_DIVERGED, &err, "not finite at t = 0.4");
  toy_free(&s);
}
END_TEST

START_TEST(a_load_that_fails_says_why) {
  const prc_step_options o = toy_options(0.1, 0.5, PRC_IMPACT_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  s.load = failing;
  toy_start(&s, &o, nothing, nothing);
  toy_step(&s, 3);
  support_fails(prc_stepper_step(s.stepper, &err), PRC_INPUT, &err, "no load is known after t = 0.35");
  toy_free(&s);
}
END_TEST

/* ---- a body of triangles ------------------------------------------------------------------------------------------- */

static void small_block(block *b, const prc_mesh *mesh) {
  block_case(b, mesh);
  b->step.h = 1e-3;
}

START_TEST(a_resumed_run_is_the_same_to_the_bit) {
  prc_mesh *mesh = block_strip(10, 6, 40.0, 25.0);
  block whole, late;
  small_block(&whole, mesh), small_block(&late, mesh);
  whole.step.law = late.step.law = laws[_i % 2];
  if (_i / 2) whole.step.linear = late.step.linear = "iterative";
  block_start(&whole), block_start(&late);
  const size_t n = (size_t)whole.system->space.nv, rows = 2 * (size_t)whole.record->n_contacts;
  double *state = malloc((3 * n + prc_ledger_size()) * sizeof *state), *ledger = state + 3 * n;
  ck_assert_ptr_nonnull(state);
  block_step(&whole, 150);
  prc_stepper_state(whole.stepper, state, state + n, state + 2 * n);
  prc_ledger_save(whole.ledger, ledger);
  const prc_step_state from = {.step = 150,
                               .q = whole.record->q,
                               .v = state,
                               .m = state + n,
                               .f = state + 2 * n,
                               .speed = whole.record->speed,
                               .n_contacts = whole.record->n_contacts,
                               .id = whole.record->contacts->id,
                               .p = whole.record->p};
  support_ok(prc_stepper_resume(late.stepper, &from, &err), &err);
  prc_ledger_restore(late.ledger, ledger);
  for (int k = 0; k < 150; k++) {
    block_step(&whole, 1), block_step(&late, 1);
    ck_assert_int_eq(late.record->step, whole.record->step);
    ck_assert_mem_eq(late.record->q, whole.record->q, n * sizeof(double));
    ck_assert_mem_eq(late.record->v, whole.record->v, n * sizeof(double));
    ck_assert_mem_eq(late.record->p, whole.record->p, rows * sizeof(double));
    ck_assert_mem_eq(late.row, whole.row, sizeof *late.row);
  }
  free(state);
  block_free(&whole), block_free(&late);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(two_runs_are_the_same_to_the_bit) {
  prc_mesh *mesh = block_strip(10, 6, 40.0, 25.0);
  block a, b;
  small_block(&a, mesh), small_block(&b, mesh);
  block_start(&a), block_start(&b);
  for (int k = 0; k < 200; k++) {
    block_step(&a, 1), block_step(&b, 1);
    ck_assert_mem_eq(a.row, b.row, sizeof *a.row);
  }
  block_free(&a), block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(a_step_allocates_nothing) {
  static const char *const solvers[] = {"auto", "gauss-seidel", "active-set", "auto", "auto", "auto"};
  prc_mesh *mesh = _i == 4 ? block_strip(400, 2, 160.0, 0.8) : block_strip(20, 12, 40.0, 25.0);
  prc_status status = PRC_OK;
  block b;
  small_block(&b, mesh);
  b.step.solver = solvers[_i];
  if (_i == 3) b.step.linear = "iterative";
  if (_i == 4) b.step.h = 1e-5; /* W by blocks */
  if (_i == 5) b.step.linear = "umfpack";
  block_start(&b);
  support_watch(0);
  for (int k = 0; k < 100 && status == PRC_OK; k++) {
    status = prc_stepper_step(b.stepper, &err);
    prc_ledger_enter(b.ledger, b.record);
  }
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  ck_assert_int_eq((int)support_allocator.live, 0);
  ck_assert_int_gt(b.record->n_active, 0);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* Steps so short that W falls off: it is kept by blocks, and is to rounding what the dense way makes of the same S^-1 (that this has
 * lost nothing is for check_large). */
START_TEST(a_w_that_falls_off_is_sparse_and_loses_nothing) {
  prc_mesh *mesh = block_strip(400, 2, 160.0, 0.8);
  block b;
  small_block(&b, mesh);
  b.step.h = 1e-5;
  b.step.law = laws[_i];
  block_start(&b);
  const size_t rows = 2 * (size_t)b.record->n_contacts;
  double *W = malloc(rows * rows * sizeof *W);
  ck_assert_ptr_nonnull(W);
  ck_assert_uint_lt(4 * prc_stepper_facts(b.stepper).W_entries, rows * rows);
  for (int k = 0; k < 20; k++) {
    block_step(&b, 10);
    const prc_step_record *r = b.record;
    const int n = 2 * r->n_active;
    ck_assert_ptr_null(r->problem.W);
    ck_assert_ptr_nonnull(r->problem.blocks);
    prc_stepper_delassus(b.stepper, r->n_active, r->active, W);
    for (int i = 0; i < n; i++) {
      double w = 0.0, size = 0.0;
      for (int j = 0; j < n; j++) {
        const double part =
            W[i * n + j] * r->p_active[j] / (laws[_i] == PRC_IMPACT_NEWTON ? b.step.theta : 1.0);
        w += part, size += fabs(part);
      }
      ck_assert_double_le(fabs(w + r->problem.b[i] - r->w_active[i]),
                          16.0 * DBL_EPSILON * (size + fabs(r->problem.b[i])));
    }
    ck_assert_int_gt(n, 0);
  }
  free(W);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* Steps by conjugate gradients against steps by the factor. */
START_TEST(both_ways_to_solve_make_the_same_steps) {
  prc_mesh *mesh = block_strip(20, 12, 40.0, 25.0);
  block direct, iterative;
  small_block(&direct, mesh), small_block(&iterative, mesh);
  direct.step.h = iterative.step.h = 2e-4;
  direct.step.law = iterative.step.law = laws[_i];
  direct.step.linear = "direct", iterative.step.linear = "iterative";
  block_start(&direct), block_start(&iterative);
  ck_assert_str_eq(prc_stepper_facts(direct.stepper).linear.name, "direct");
  ck_assert_str_eq(prc_stepper_facts(iterative.stepper).linear.name, "iterative");
  for (int k = 0; k < 300; k++) {
    double largest = 0.0, apart = 0.0;
    block_step(&direct, 1), block_step(&iterative, 1);
    for (int i = 0; i < direct.record->n; i++) {
      largest = fmax(largest, fabs(direct.record->q[i]));
      apart = fmax(apart, fabs(direct.record->q[i] - iterative.record->q[i]));
    }
    ck_assert_double_le(apart, 1e-11 * largest);
    ck_assert_int_eq(direct.record->n_active, iterative.record->n_active);
  }
  const prc_certificate certificate = block_certificate(&iterative);
  ck_assert_int_eq(certificate.verdict, PRC_PASS);
  block_free(&direct), block_free(&iterative);
  prc_mesh_free(&mesh);
}
END_TEST

/* One attempt to build with the n-th allocation failing; says whether it did. Nothing may be left behind. */
static int fails_cleanly(block *b, int what, int n) {
  const prc_ledger_options ledger = {.tolerance = 1e-10, .max_penetration = -1.0};
  prc_fem *fem = NULL;
  prc_stepper *stepper = NULL;
  prc_ledger *made = NULL;
  prc_status status;
  prc_error_clear(&err);
  support_watch(n);
  if (what == 0)
    status = prc_fem_create(&b->model, &fem, &err);
  else if (what == 1)
    status = prc_stepper_create(b->system, &b->step, &stepper, &err);
  else if (what == 3 || what == 4) {
    b->step.linear = what == 3 ? "iterative" : "umfpack";
    status = prc_stepper_create(b->system, &b->step, &stepper, &err);
  } else
    status = prc_ledger_create(&ledger, &made, &err);
  const int failed = status != PRC_OK;
  if (!failed) prc_fem_free(&fem), prc_stepper_free(&stepper), prc_ledger_free(&made);
  support_look_away();
  ck_assert_int_eq(status, failed ? PRC_NOMEM : PRC_OK);
  ck_assert_msg(support_allocator.live == 0, "allocation %d of %d: %ld blocks are left", n, what,
                support_allocator.live);
  ck_assert(!fem && !stepper && !made);
  if (failed) ck_assert_ptr_nonnull(strstr(err.message, "out of memory"));
  return failed;
}

START_TEST(every_failed_allocation_is_survived) {
  prc_mesh *mesh = block_strip(5, 3, 40.0, 25.0);
  block b;
  int n = 1;
  small_block(&b, mesh);
  block_prepare(&b);
  while (fails_cleanly(&b, _i, n)) n++;
  ck_assert_int_gt(n, _i == 2 ? 1 : 20); /* calls were seen */
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

static void forget(void) { /* the failure of the test before, in the same process */
  prc_error_clear(&err);
}

SUITE(stepper) {
  Suite *suite = suite_create("stepper");
  TCase *motion = tcase_create("prescribed"), *activation = tcase_create("activation"),
        *refused = tcase_create("refused"), *body = tcase_create("body");
  tcase_add_test(motion, a_moving_wall_does_not_ring);
  tcase_add_loop_test(motion, the_reaction_does_the_work_that_the_body_gets, 0, 2);
  tcase_add_loop_test(motion, a_motion_into_the_obstacle_is_refused, 0, 2);
  tcase_add_loop_test(activation, activation_compares_as_it_says, 0, 3);
  tcase_add_test(activation, tolerances_follow_the_system);
  tcase_add_loop_test(refused, theta_outside_the_theorem_is_refused, 0, 10);
  tcase_add_loop_test(refused, a_step_that_is_no_length_is_refused, 0, 4);
  tcase_add_test(refused, a_body_without_mass_is_singular);
  tcase_add_loop_test(refused, a_load_that_is_no_number_stops_the_run, 0, 2);
  tcase_add_test(refused, a_load_that_fails_says_why);
  tcase_add_loop_test(body, a_resumed_run_is_the_same_to_the_bit, 0, 4);
  tcase_add_test(body, two_runs_are_the_same_to_the_bit);
  tcase_add_loop_test(body, a_w_that_falls_off_is_sparse_and_loses_nothing, 0, 2);
  tcase_add_loop_test(body, both_ways_to_solve_make_the_same_steps, 0, 2);
  tcase_add_loop_test(body, a_step_allocates_nothing, 0, 6);
  tcase_add_loop_test(body, every_failed_allocation_is_survived, 0, 5);
  TCase *const cases[] = {motion, activation, refused, body};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tcase_add_checked_fixture(cases[k], forget, NULL);
    suite_add_tcase(suite, cases[k]);
  }
  return suite;
}
