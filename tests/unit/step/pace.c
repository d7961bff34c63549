/* Steps that vary: what they conserve, how long they are, where they end, and that nothing is left of how they were made. */
#include "config.h"
#include "step/step.h"
#include "support/allocator.h"
#include "support/support.h"
#include "support/toy.h"

#include <math.h>
#include <string.h>

static prc_error err;
static const double nothing[TOY_MAX] = {0.0}, longest = 0.02;
static const double thetas[] = {0.5, 0.7, 1.0};

static prc_step_options paced(double first, double theta) {
  prc_step_options o = toy_options(first, theta, PRC_IMPACT_FREMOND);
  o.pace = (prc_step_pace){.max = longest, .growth = 1.1};
  return o;
}

/* Sizes from longest / 64 to longest, up and down at once, some of them twice. */
static double size_of(int k) {
  static const double share[] = {1.0, 0.5, 0.515625, 0.03125, 0.03125, 0.7, 0.015625, 0.99, 0.25};
  return longest * share[(k * 5 + k / 9) % 9];
}

static void step_by(toy *s, double h) {
  support_ok(prc_stepper_set_step(s->stepper, h, &err), &err);
  toy_step(s, 1);
  ck_assert_double_eq(s->r->h, h);
}

/* What is left of energies and works in the last step. */
static double residual(const toy *s) {
  const prc_step_record *r = s->r;
  double left = r->kinetic + r->potential;
  for (int k = 0; k < PRC_N_WORKS; k++) left -= r->work[k];
  for (int i = 0; i < r->n_active; i++)
    for (int d = 0; d < r->dim; d++)
      left -= r->u_work[r->dim * r->active[i] + d] * r->p[r->dim * r->active[i] + d];
  return left;
}

/* ---- what they conserve -------------------------------------------------------------------------------------------------- */

/* The middle rule turns (q, v / w) by 2 atan(w h / 2) in a step: energies are what they were, whatever its size. */
START_TEST(an_oscillator_turns_by_the_angles_of_its_steps) {
  const double w = 70.0, q = 0.3;
  double angle = 0.0, energy = 0.0;
  toy s;
  toy_make(&s, 1, 1.0);
  s.K[0][0] = w * w;
  const prc_step_options o = paced(0.01, 0.5);
  toy_start(&s, &o, &q, nothing);
  for (int k = 0; k < 3000; k++) {
    step_by(&s, size_of(k));
    angle += 2.0 * atan(0.5 * w * size_of(k));
    energy = fmax(energy, fabs(s.r->kinetic + s.r->potential));
  }
  ck_assert_double_eq_tol(s.r->q[0], q * cos(angle), 1e-10);
  ck_assert_double_eq_tol(toy_velocity(&s, 0), -q * w * sin(angle), 1e-8);
  ck_assert_double_le(energy, 1e-12 * 0.5 * w * w * q * q);
  toy_free(&s);
}
END_TEST

/* A mass above another on a spring, which falls, bounces and rubs: the balance of every step closes. */
static void falling(toy *s, double e) {
  toy_make(s, 4, 2.0);
  toy_spring(s, 1, 3, 4e4);
  toy_spring(s, 0, 2, 1e4);
  toy_floor(s, 1, 0, 0.4, e);
  s->gap0[0] = 0.3;
  s->F[1] = s->F[3] = -20.0, s->F[2] = 3.0;
}

START_TEST(the_balance_closes_in_every_step) {
  const double theta = thetas[_i % 3], v[4] = {1.0, -0.5, 1.0, 0.0};
  int active = 0, open = 0;
  toy s;
  falling(&s, _i < 3 && theta == 0.5 ? 0.5 : 0.0);
  s.system.dynamics.damping_mass = 0.3, s.system.dynamics.damping_stiffness = 1e-4;
  const prc_step_options o = paced(0.005, theta);
  toy_start(&s, &o, nothing, v);
  for (int k = 0; k < 800; k++) {
    step_by(&s, size_of(k));
    ck_assert_double_eq_tol(residual(&s), 0.0, 1e-11);
    active += s.r->n_active > 0, open += s.r->n_active == 0;
  }
  ck_assert_int_gt(active, 20);
  ck_assert_int_gt(open, 20);
  toy_free(&s);
}
END_TEST

static prc_status in_time(double t, double *F, prc_error *e) {
  (void)e;
  F[0] = 3.0 * t;
  return PRC_OK;
}

/* F = 3 t is at its mean in the middle of a step: v = 3/2 t^2 to rounding, and t is the sum of the steps. */
START_TEST(loads_are_those_of_the_time_that_steps_add_up_to) {
  double t = 0.0;
  toy s;
  toy_make(&s, 1, 1.0);
  s.load = in_time;
  const prc_step_options o = paced(0.01, 0.5);
  toy_start(&s, &o, nothing, nothing);
  for (int k = 0; k < 1000; k++) {
    step_by(&s, size_of(k));
    t += size_of(k);
    ck_assert_double_eq_tol(s.r->t, t, 1e-13 * t);
    ck_assert_double_eq_tol(toy_velocity(&s, 0), 1.5 * t * t, 1e-12 * t * t);
  }
  toy_free(&s);
}
END_TEST

/* Load steps end in an equilibrium that does not know of steps: a mass pressed on a floor by a spring whose end moves. */
static double press(double t) {
  return -0.1 * t;
}
START_TEST(load_steps_that_vary_end_where_others_end) {
  toy s;
  toy_make(&s, 3, 1.0);
  toy_spring(&s, 0, 1, 1e3);
  toy_spring(&s, 1, 2, 3e3);
  s.K[2][2] += 500.0;
  toy_floor(&s, 1, 0, 0.0, 0.0);
  s.H[0][1][0] = 0.0;
  s.gap0[0] = 0.01;
  s.prescribed[0] = 0, s.system.drive.n = 1, s.path = press;
  prc_step_options o = paced(0.01, 1.0);
  o.scheme = "static";
  toy_start(&s, &o, nothing, nothing);
  for (int k = 0; k < 200; k++) step_by(&s, size_of(k));
  const double d = press(s.r->t), q1 = fmax(-0.01, 1e3 * d / (1e3 + 3e3 * 500.0 / 3500.0));
  ck_assert_double_eq_tol(s.r->q[0], d, 1e-12);
  ck_assert_double_eq_tol(s.r->q[1], q1, 1e-10);
  ck_assert_double_eq_tol(s.r->q[2], 3e3 * q1 / 3500.0, 1e-10);
  toy_free(&s);
}
END_TEST

/* ---- prescribed motions ----------------------------------------------------------------------------------------------------- */

static double line(double t) {
  return 0.2 + 3.0 * t;
}
static double wave(double t) {
  return sin(5.0 * t);
}
static double stops(double t) {
  return fmin(t, 1.03);
}
static double rests(double t) {
  return 0.25 + 0.0 * t;
}
static double none(double t, double h) {
  (void)t, (void)h;
  return 0.0;
}
static double of_line(double t, double h) {
  (void)t, (void)h;
  return 3.0;
}
static double of_wave(double t, double h) {
  (void)h;
  return 5.0 * cos(5.0 * t);
}
static double of_stops(double t, double h) {
  (void)h;
  return t < 1.03 ? 1.0 : 0.0;
}

static const struct {
  double (*d)(double), (*v)(double, double);
  double deviation, excess; /* of q from d and of V from its bounds, at most */
  double least, most;       /* of d' */
} motions[] = {{line, of_line, 1e-12, 1e-9, 3.0, 3.0},
               {rests, none, 0.0, 0.0, 0.0, 0.0},
               {wave, of_wave, 2e-3, 0.05, -5.0, 5.0},
               {stops, of_stops, 0.01, 0.5, 0.0, 1.0}};
enum { MOTIONS = 4 };

/* q stays near d, V near its derivatives, and nothing is left that rings. */
START_TEST(prescribed_motions_are_followed) {
  const double theta = thetas[_i / MOTIONS];
  toy s;
  toy_make(&s, 2, 1.0);
  toy_spring(&s, 0, 1, 100.0);
  s.prescribed[0] = 0, s.system.drive.n = 1;
  s.path = motions[_i % MOTIONS].d, s.drive = motions[_i % MOTIONS].v;
  const double q[2] = {s.path(0.0), s.path(0.0)};
  const prc_step_options o = paced(0.01, theta);
  toy_start(&s, &o, q, nothing);
  for (int k = 0; k < 600; k++) {
    step_by(&s, size_of(k));
    const double v = toy_velocity(&s, 0), away = motions[_i % MOTIONS].excess;
    ck_assert_double_le(fabs(s.r->q[0] - s.path(s.r->t)), motions[_i % MOTIONS].deviation);
    ck_assert_double_ge(v, motions[_i % MOTIONS].least - away);
    ck_assert_double_le(v, motions[_i % MOTIONS].most + away);
    ck_assert_double_eq_tol(residual(&s), 0.0, 1e-9);
  }
  toy_free(&s);
}
END_TEST

/* All steps half as long: a fourth of the deviation. */
START_TEST(prescribed_motions_are_of_second_order) {
  double worst[2] = {0.0, 0.0};
  for (int half = 0; half < 2; half++) {
    toy s;
    toy_make(&s, 1, 1.0);
    s.prescribed[0] = 0, s.system.drive.n = 1, s.path = wave, s.drive = of_wave;
    prc_step_options o = paced(half ? 0.005 : 0.01, 0.5);
    o.pace.max = half ? 0.5 * longest : longest;
    toy_start(&s, &o, nothing, (const double[]){5.0});
    for (int k = 0; s.r->t < 3.0; k++) {
      step_by(&s, half ? 0.5 * size_of(k / 2) : size_of(k));
      worst[half] = fmax(worst[half], fabs(s.r->q[0] - wave(s.r->t)));
    }
    toy_free(&s);
  }
  ck_assert_double_gt(worst[0] / worst[1], 3.0);
}
END_TEST

static double jumps(double t) {
  return t < 0.5 ? 0.0 : 0.1;
}
START_TEST(a_jump_is_refused_when_it_is_met) {
  prc_status status = PRC_OK;
  toy s;
  toy_make(&s, 1, 1.0);
  s.prescribed[0] = 0, s.system.drive.n = 1, s.path = jumps, s.drive = none;
  const prc_step_options o = paced(0.01, thetas[_i]);
  toy_start(&s, &o, nothing, nothing);
  support_ok(prc_stepper_foresee(s.stepper, 100, &err), &err);
  for (int k = 0; k < 200 && status == PRC_OK; k++) {
    support_ok(prc_stepper_set_step(s.stepper, size_of(k), &err), &err);
    status = prc_stepper_step(s.stepper, &err);
  }
  support_fails(status, PRC_INPUT, &err, "jumps by 0.1 at t = 0.5,");
  ck_assert_double_le(s.r->t, 0.5);
  prc_error_clear(&err);
  toy_free(&s);
}
END_TEST

/* ---- how long they are ------------------------------------------------------------------------------------------------------- */

START_TEST(they_grow_to_the_longest_and_land_on_the_end) {
  const double end = 1.0 + 0.0137 * _i;
  double before = 0.0, last[2] = {0.0, 0.0};
  toy s;
  toy_make(&s, 1, 1.0);
  prc_step_options o = paced(1e-3, 0.5);
  o.pace.end = end;
  toy_start(&s, &o, nothing, nothing);
  for (int k = 0; !prc_stepper_is_at_end(s.stepper); k++) {
    ck_assert_int_lt(k, 200);
    toy_step(&s, 1);
    const double h = s.r->h, left = end - s.r->t + h;
    if (left > 2.0 * longest) {
      ck_assert_double_eq_tol(h, fmin(1e-3 * pow(1.1, k), longest), 1e-14);
      ck_assert_double_le(h, fmax(1e-3, 1.1 * before) * (1.0 + 1e-9));
    }
    before = h, last[0] = last[1], last[1] = h;
  }
  ck_assert_double_eq_tol(s.r->t, end, 4e-16 * end);
  ck_assert_double_eq_tol(last[0], last[1], 1e-14);
  ck_assert_double_gt(last[1], 0.49 * longest);
  toy_free(&s);
}
END_TEST

/* Friction that remembers its way over a length. */
static prc_status any(const double *parameter, prc_error *e) {
  (void)parameter, (void)e;
  return PRC_OK;
}
static double weakened(const double *parameter, const double *state, double speed, double *slope) {
  (void)speed;
  if (slope) *slope = 0.0;
  return fmax(parameter[0] * (1.0 - state[0] / parameter[1]), 0.0);
}
static void advance(const double *parameter, double h, const prc_law_slip *of, double *state) {
  (void)parameter;
  state[0] += h * of->speed;
}
static double length(const double *parameter) {
  return parameter[1];
}
static const prc_friction weakening = {.name = "weakening",
                                       .n_parameters = 2,
                                       .n_state = 1,
                                       .parameter = (const char *const[]){"mu", "length"},
                                       .check = any,
                                       .friction = weakened,
                                       .advance = advance,
                                       .length = length};

static void sliding(toy *s, double mu) {
  toy_make(s, 2, 2.0);
  toy_floor(s, 1, 0, 0.0, 0.0);
  s->law[0] = (prc_law){.friction = &weakening, .parameter = {mu, 0.5}};
  s->F[1] = -20.0;
}

/* A block that slides at V without friction: h goes to the rung below 0.1 x 0.5 / V, at once where it is lower, by growth where not. */
START_TEST(they_follow_slip) {
  const double V[] = {1.0, 40.0, 1e3, 3.0}, v[2] = {V[_i], 0.0};
  toy s;
  sliding(&s, 0.0);
  prc_step_options o = paced(0.003, 0.5);
  o.pace.per_slip = 0.1;
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 60);
  const double wanted = fmin(0.05 / V[_i], longest), h = s.r->h;
  ck_assert_double_eq_tol(s.r->slip_rate, V[_i] / 0.5, 1e-12 * V[_i]);
  ck_assert_double_le(h, wanted * (1.0 + 1e-8));
  ck_assert_double_ge(h, wanted / 1.1 * (1.0 - 1e-8));
  if (wanted < longest) {
    const double rung = log(h / 0.003) / log(1.1);
    ck_assert_double_eq_tol(rung, round(rung), 1e-9);
  } else
    ck_assert_double_eq(h, longest);
  toy_free(&s);
}
END_TEST

/* ---- nothing is left of how they were made --------------------------------------------------------------------------------------- */

typedef struct {
  double q[4], v[4], m[4], f[4], p[2], state[PRC_LAW_STATE];
  prc_step_clock clock;
  prc_step_state from;
} kept;

static void keep(const toy *s, kept *k) {
  const prc_step_record *r = s->r;
  const size_t n = (size_t)r->n * sizeof(double);
  memcpy(k->q, r->q, n), memcpy(k->v, r->v, n), memcpy(k->m, r->m, n), memcpy(k->f, r->f, n);
  memcpy(k->p, r->p, sizeof k->p), memcpy(k->state, r->contacts->state, sizeof k->state);
  k->clock = prc_stepper_clock(s->stepper);
  k->from = (prc_step_state){.step = r->step,
                             .clock = &k->clock,
                             .q = k->q,
                             .v = k->v,
                             .m = k->m,
                             .f = k->f,
                             .speed = r->speed,
                             .n_contacts = 1,
                             .p = k->p,
                             .state = k->state};
}

static void expect_same(const toy *a, const toy *b) {
  const size_t n = (size_t)a->r->n * sizeof(double);
  ck_assert_double_eq(a->r->t, b->r->t);
  ck_assert_double_eq(a->r->h, b->r->h);
  ck_assert_mem_eq(a->r->q, b->r->q, n);
  ck_assert_mem_eq(a->r->v, b->r->v, n);
  ck_assert_mem_eq(a->r->m, b->r->m, n);
  ck_assert_mem_eq(a->r->f, b->r->f, n);
  ck_assert_mem_eq(a->r->p, b->r->p, 2 * sizeof(double));
}

/* A stepper that keeps the factors of its sizes, and one that is made anew for every step. */
START_TEST(kept_factors_are_those_that_are_made) {
  const double v[4] = {1.0, -0.5, 1.0, 0.0};
  const prc_step_options o = paced(0.005, thetas[_i]);
  toy whole;
  kept k;
  falling(&whole, 0.0);
  toy_start(&whole, &o, nothing, v);
  for (int n = 0; n < 150; n++) {
    toy once;
    falling(&once, 0.0);
    toy_start(&once, &o, nothing, v);
    keep(&whole, &k);
    if (n > 0) support_ok(prc_stepper_resume(once.stepper, &k.from, &err), &err);
    step_by(&whole, size_of(n)), step_by(&once, size_of(n));
    expect_same(&whole, &once);
    toy_free(&once);
  }
  toy_free(&whole);
}
END_TEST

/* Sizes that are new ask for memory, which is refused, each time once more, until the step is made: nothing is lost. */
START_TEST(a_step_that_finds_no_memory_for_its_size_can_be_made_again) {
  const double v[4] = {1.0, -0.5, 1.0, 0.0};
  const prc_step_options o = paced(0.005, 0.5);
  int refused = 0;
  toy whole, poor;
  falling(&whole, 0.0), falling(&poor, 0.0);
  toy_start(&whole, &o, nothing, v), toy_start(&poor, &o, nothing, v);
  for (int n = 0; n < 60; n++) {
    prc_status status = PRC_NOMEM;
    step_by(&whole, size_of(n));
    support_ok(prc_stepper_set_step(poor.stepper, size_of(n), &err), &err);
    for (int fail = 1; status == PRC_NOMEM && fail < 500; fail++) {
      support_watch(fail);
      status = prc_stepper_step(poor.stepper, &err);
      support_look_away();
      refused += status == PRC_NOMEM;
    }
    ck_assert_int_eq(status, PRC_OK);
    prc_error_clear(&err);
    expect_same(&whole, &poor);
  }
  ck_assert_int_gt(refused, 50);
  support_watch(0);
  for (int n = 60; n < 200; n++) {
    if (prc_stepper_set_step(whole.stepper, size_of(n), &err) != PRC_OK) break;
    if (prc_stepper_step(whole.stepper, &err) != PRC_OK) break;
  }
  support_look_away();
  ck_assert_int_eq(whole.r->step, 200);
  ck_assert_int_eq(support_allocator.calls, 0); /* all sizes were there before */
  toy_free(&whole), toy_free(&poor);
}
END_TEST

/* Steps that friction chooses go on where they stopped, a prescribed end of a spring too. */
static void driven(toy *s, const prc_step_options *o) {
  sliding(s, 0.5);
  s->system.space.nv = 3, s->M[2][2] = 2.0;
  toy_spring(s, 0, 2, 300.0);
  s->prescribed[0] = 2, s->system.drive.n = 1, s->path = wave, s->drive = of_wave;
  toy_start(s, o, nothing, (const double[]){2.0, 0.0, 5.0});
}

START_TEST(a_run_goes_on_where_it_stopped) {
  prc_step_options o = paced(0.001, thetas[_i % 3]);
  o.pace.per_slip = 0.05, o.pace.end = 2.0;
  toy whole, late;
  kept k;
  driven(&whole, &o), driven(&late, &o);
  toy_step(&whole, 40 + 11 * _i);
  keep(&whole, &k);
  support_ok(prc_stepper_resume(late.stepper, &k.from, &err), &err);
  while (!prc_stepper_is_at_end(whole.stepper)) {
    toy_step(&whole, 1), toy_step(&late, 1);
    expect_same(&whole, &late);
  }
  ck_assert_int_eq(prc_stepper_is_at_end(late.stepper), 1);
  toy_free(&whole), toy_free(&late);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------------------------------------------- */

START_TEST(what_cannot_be_is_refused) {
  static const struct {
    prc_step_pace pace;
    const char *scheme, *text;
  } bad[] = {
      {{0.001, 1.1, 0.0, 0.0}, "theta", "the largest step is 0.001, expected a number that is not below"},
      {{NAN, 1.1, 0.0, 0.0}, "theta", "the largest step is"},
      {{0.1, 1.0, 0.0, 0.0}, "theta", "steps grow by a factor of 1, expected a number in (1, 2]"},
      {{0.1, 2.5, 0.0, 0.0}, "theta", "steps grow by a factor of 2.5"},
      {{0.1, 1.1, -1.0, 0.0}, "theta", "of that of friction, is -1"},
      {{0.1, 1.1, 0.0, -1.0}, "theta", "the end is -1"},
      {{0.1, 1.1, 0.0, 0.0}, "generalized-alpha", "the scheme generalized-alpha has steps of one size"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    toy s;
    toy_make(&s, 1, 1.0);
    prc_step_options o = toy_options(0.01, 0.5, PRC_IMPACT_FREMOND);
    o.pace = bad[k].pace, o.scheme = bad[k].scheme;
    support_fails(toy_create(&s, &o, &err), PRC_INPUT, &err, bad[k].text);
    prc_error_clear(&err);
    toy_free(&s);
  }
  toy s;
  toy_make(&s, 1, 1.0);
  const prc_step_options o = paced(0.01, 0.5), alike = toy_options(0.01, 0.5, PRC_IMPACT_FREMOND);
  toy_start(&s, &o, nothing, nothing);
  support_fails(prc_stepper_set_step(s.stepper, 0.0, &err), PRC_INPUT, &err, "the next step is 0, expected");
  prc_error_clear(&err);
  support_fails(prc_stepper_set_step(s.stepper, 0.03, &err), PRC_INPUT, &err, "not above 0.02");
  prc_error_clear(&err);
  toy_free(&s);
  toy_make(&s, 1, 1.0);
  toy_start(&s, &alike, nothing, nothing);
  support_fails(prc_stepper_set_step(s.stepper, 0.01, &err), PRC_INPUT, &err, "for steps of one size");
  prc_error_clear(&err);
  ck_assert_int_eq(prc_stepper_is_at_end(s.stepper), 0);
  toy_free(&s);
}
END_TEST

SUITE(pace) {
  Suite *suite = suite_create("pace");
  TCase *all = tcase_create("all");
  suite_add_tcase(suite, all);
  tcase_add_test(all, an_oscillator_turns_by_the_angles_of_its_steps);
  tcase_add_loop_test(all, the_balance_closes_in_every_step, 0, 6);
  tcase_add_test(all, loads_are_those_of_the_time_that_steps_add_up_to);
  tcase_add_test(all, load_steps_that_vary_end_where_others_end);
  tcase_add_loop_test(all, prescribed_motions_are_followed, 0, 3 * MOTIONS);
  tcase_add_test(all, prescribed_motions_are_of_second_order);
  tcase_add_loop_test(all, a_jump_is_refused_when_it_is_met, 0, 3);
  tcase_add_loop_test(all, they_grow_to_the_longest_and_land_on_the_end, 0, 4);
  tcase_add_loop_test(all, they_follow_slip, 0, 4);
  tcase_add_loop_test(all, kept_factors_are_those_that_are_made, 0, 3);
  tcase_add_test(all, a_step_that_finds_no_memory_for_its_size_can_be_made_again);
  tcase_add_loop_test(all, a_run_goes_on_where_it_stopped, 0, 6);
  tcase_add_test(all, what_cannot_be_is_refused);
  return suite;
}
