/* The theta-scheme's relatives and options: Moreau's midpoint scheme, activation at a prediction, passes and their tolerance, orders on smooth arcs and
 * with impacts, what is promised. Systems of a user's own; what they are compared with was computed by other means. */
#include "config.h"
#include "support/support.h"
#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

enum { MOST = 4 };
static prc_error err;

typedef struct {
  prc_system system;
  prc_sym M;
  int p[MOST + 1], i[MOST];
  double m[MOST];
  void (*load)(double t, const double *v, double *F);
  double k1;   /* internal forces k1 q of the first dof, by a function */
  double hole; /* the way that the centre of a ball may go in a hole; 0: dof 0 is over the floor q = 0 */
  prc_law law;
  const prc_law *may_come;
  char touched[MOST];
  int searches, listed;
  prc_stepper *stepper;
  const prc_step_record *r;
  prc_ledger *ledger;
} own;

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const own *s = owner;
  (void)e;
  for (int i = 0; i < s->system.space.nv; i++) F[i] = 0.0;
  s->load(at->t, at->v, F);
  return PRC_OK;
}

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *e) {
  const own *s = owner;
  (void)e;
  if (f) memset(f, 0, (size_t)s->system.space.nv * sizeof *f), f[0] = s->k1 * at->q[0];
  if (potential) *potential = 0.5 * s->k1 * at->q[0] * at->q[0];
  return PRC_OK;
}

static prc_status tangent(void *owner, const prc_at *at, double c, double c_v, prc_sym *A, prc_error *e) {
  const own *s = owner;
  (void)at, (void)c_v, (void)e;
  A->x[0] += c * s->k1;
  return PRC_OK;
}

static double gap_of(const own *s, const double *q) {
  return s->hole > 0.0 ? s->hole - hypot(q[0], q[1] - 1.0) : q[0];
}

/* Where the set varies, only while no velocity can bring it closer than the reach within the step. */
static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  own *s = owner;
  const int dof[MOST] = {0, 1, 2};
  s->searches++;
  if ((s->system.contacts.varies & PRC_CONTACTS_SET)
      && gap_of(s, at->q) > reach + h * hypot(at->v[0], s->hole > 0.0 ? at->v[1] : 0.0))
    return PRC_OK;
  s->listed++;
  return prc_contact_set_add(
      set, &(prc_contact){.body = {-1, 0}, .n_dof = s->system.space.nv, .dof = dof, .law = &s->law}, e);
}

/* gap = way - |S - P|, n from the centre S of the ball to P, t = (n_y, -n_x), gamma = v . t + R u_phi, R = 0.1. */
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const own *s = owner;
  const int n = s->system.space.nv, dim = set->dim;
  if (set->n == 0) return;
  set->gap[0] = gap_of(s, at->q);
  if (!(what & PRC_EVALUATE_H)) return;
  memset(set->H.x, 0, (size_t)(n * dim) * sizeof *set->H.x);
  if (s->hole > 0.0) {
    const double x = -at->q[0], y = 1.0 - at->q[1], r = hypot(x, y);
    const double H[6] = {x / r, y / r, 0.0, y / r, -x / r, 0.1};
    memcpy(set->H.x, H, sizeof H);
  } else
    for (int k = 0; k < dim; k++) set->H.x[k * n + k] = 1.0;
}

static void make(own *s, int n, int dim, double mu, double e) {
  memset(s, 0, sizeof *s);
  prc_error_clear(&err);
  for (int i = 0; i < n; i++) s->p[i + 1] = i + 1, s->i[i] = i, s->m[i] = 1.0, s->touched[i] = 1;
  s->M = (prc_sym){.n = n, .p = s->p, .i = s->i, .x = s->m};
  s->law = prc_law_coulomb(mu, e, 0.0);
  s->system =
      (prc_system){.space = {.nv = n},
                   .dynamics = {.M = &s->M, .loads = loads},
                   .contacts = {.dim = dim, .find = find, .evaluate = evaluate, .touched = s->touched},
                   .length = 1.0,
                   .velocity = 1.0,
                   .owner = s};
}

static void start(own *s, const prc_step_options *o, const double *q, const double *v) {
  support_ok(prc_stepper_create(&s->system, o, &s->stepper, &err), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
  const prc_ledger_options options = {.promises = prc_stepper_promises(s->stepper),
                                      .tolerance = 1e-10,
                                      .max_penetration = -1.0,
                                      .gap_tolerance = prc_stepper_options(s->stepper)->gap_tolerance};
  support_ok(prc_ledger_create(&options, &s->ledger, &err), &err);
  prc_ledger_start(s->ledger, s->r);
}

static void step(own *s, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(s->stepper, &err), &err);
    prc_ledger_enter(s->ledger, s->r);
    ck_assert_double_le(fabs(prc_ledger_now(s->ledger)->balance_residual), 1e-12);
  }
}

static void drop(own *s) {
  prc_ledger_free(&s->ledger);
  prc_stepper_free(&s->stepper);
}

static prc_step_options options(const char *scheme, double h, double theta, prc_impact law) {
  prc_step_options o = prc_step_options_default(h);
  o.scheme = scheme, o.theta = theta, o.law = law;
  o.cone.tolerance = 1e-13;
  return o;
}

/* Directions of the start where gaps are predicted: those of the centre have none. */
static prc_step_options predicting(prc_step_options o, prc_prediction where) {
  o.prediction = where;
  if (where != PRC_PREDICT_PRESENT) o.directions = PRC_DIRECTIONS_START;
  return o;
}

static prc_certificate_entry entry(const own *s, int k) {
  return prc_ledger_certificate(s->ledger).entry[k];
}

/* ---- Moreau's midpoint scheme ----------------------------------------------------------------------------------------------- */

static void gravity(double t, const double *v, double *F) {
  (void)t, (void)v;
  F[1] = -9.81;
}

/* The gap drifts as published (Capobianco et al. 2021, figure 7; here from a transcription of the scheme with a closed contact problem). */
START_TEST(the_midpoint_scheme_sinks_into_a_cylinder_as_published) {
  static const double steps[2] = {1e-2, 2e-3}, at[3] = {1.0, 2.0, 4.0};
  static const double x[2][3] = {{0.830263, -0.601458, -0.166115}, {0.823656, -0.622532, -0.271620}},
                      y[2][3] = {{0.564023, 0.251821, 0.036507}, {0.618457, 0.332832, 0.124672}},
                      gap[2][3] = {{-0.038, -0.060, -0.078}, {-0.0077, -0.0125, -0.0165}};
  const int k = _i % 2;
  const double q[3] = {-0.9, 1.0, 0.0}, v[3] = {0.0};
  own s;
  make(&s, 3, 2, 0.1, 0.0);
  s.m[2] = 0.004, s.hole = 0.9, s.load = gravity;
  s.system.contacts.varies = PRC_CONTACTS_H | (_i > 1 ? PRC_CONTACTS_SET : 0);
  s.may_come = &s.law, s.system.contacts.n_laws = _i > 1 ? 1 : 0, s.system.contacts.law = &s.may_come;
  prc_step_options o = options("midpoint", steps[k], 0.5, PRC_IMPACT_NEWTON);
  o.directions = PRC_DIRECTIONS_MIDDLE;
  start(&s, &o, q, v);
  for (int n = 0; n < 3; n++) {
    step(&s, (int)round((at[n] - s.r->t) / steps[k]));
    ck_assert_double_eq_tol(s.r->q[0], x[k][n], 1e-6);
    ck_assert_double_eq_tol(s.r->q[1], y[k][n], 1e-6);
    ck_assert_double_eq_tol(gap_of(&s, s.r->q), gap[k][n], k == 0 ? 5e-4 : 5e-5);
    ck_assert_double_eq_tol(s.r->gap[0], gap_of(&s, s.r->q), 1e-15); /* of the end, not of the middle */
  }
  ck_assert_int_ne(entry(&s, PRC_CERTIFY_TANGENTIAL).verdict, PRC_PASS);
  ck_assert_int_eq(entry(&s, PRC_CERTIFY_NORMAL).verdict, PRC_PASS);
  ck_assert_int_eq(entry(&s, PRC_CERTIFY_NUMERICAL).verdict, PRC_PASS);
  drop(&s);
}
END_TEST

/* The law of Fremond is promised to dissipate with H of the middle too. */
START_TEST(with_the_law_of_fremond_friction_in_the_middle_dissipates) {
  const double q[3] = {-0.9, 1.0, 0.0}, v[3] = {0.0};
  own s;
  make(&s, 3, 2, 0.1, 0.0);
  s.m[2] = 0.004, s.hole = 0.9, s.load = gravity;
  s.system.contacts.varies = PRC_CONTACTS_H;
  prc_step_options o = options("midpoint", 5e-3, 0.5, PRC_IMPACT_FREMOND);
  o.directions = PRC_DIRECTIONS_MIDDLE;
  start(&s, &o, q, v);
  double before = 9.81;
  for (int k = 0; k < 800; k++) {
    step(&s, 1);
    const double now = prc_ledger_now(s.ledger)->kinetic + 9.81 * s.r->q[1];
    ck_assert_double_le(now, before + 1e-12);
    before = now;
  }
  ck_assert_int_eq(entry(&s, PRC_CERTIFY_TANGENTIAL).verdict, PRC_PASS);
  ck_assert_int_eq(entry(&s, PRC_CERTIFY_RISE).verdict, PRC_PASS);
  drop(&s);
}
END_TEST

/* ---- activation at a prediction ----------------------------------------------------------------------------------------------- */

static void weight(double t, const double *v, double *F) {
  (void)t, (void)v;
  F[0] = -10.0;
}

typedef struct {
  double q, u, p;
} ball;

/* One step of a ball of mass 1 that falls with 10, by hand: active where the predicted height is not above zero, and with `both` the velocity. */
static void by_hand(ball *b, double h, double theta, double e, prc_prediction where, int both) {
  const double free = b->u - 10.0 * h;
  double to = 0.0;
  if (where == PRC_PREDICT_VELOCITY) to = b->u;
  if (where == PRC_PREDICT_FREE) to = (1.0 - theta) * b->u + theta * free;
  const int active = b->q + h * to <= 1e-12 && (!both || b->u <= 1e-11);
  const double next = active ? fmax(free, -e * b->u) : free;
  b->p = next - free;
  b->q += h * ((1.0 - theta) * b->u + theta * next);
  b->u = next;
}

static const prc_prediction predictions[3] = {PRC_PREDICT_PRESENT, PRC_PREDICT_VELOCITY, PRC_PREDICT_FREE};

static void bouncing_ball(own *s, double theta, double e, prc_prediction where, prc_activation activation,
                          int loose) {
  const double q[1] = {e > 0.0 ? 0.801 : 0.8045},
               v[1] = {0.0}; /* without restitution it stops above the floor */
  make(s, 1, 1, 0.0, e);
  s->load = weight;
  if (loose) {
    s->system.contacts.varies = PRC_CONTACTS_SET;
    s->may_come = &s->law, s->system.contacts.n_laws = 1, s->system.contacts.law = &s->may_come;
  }
  prc_step_options o = predicting(options("theta", 2e-3, theta, PRC_IMPACT_NEWTON), where);
  o.activation = activation;
  start(s, &o, q, v);
}

START_TEST(a_ball_bounces_as_its_gap_is_predicted) {
  const prc_prediction where = predictions[_i % 3];
  const int loose = _i / 3 % 2, both = _i / 6 % 2;
  own s;
  const double e = _i % 12 == _i ? 0.8 : 0.0, theta = e > 0.0 ? 5.0 / 9.0 : 0.5;
  ball b = {e > 0.0 ? 0.801 : 0.8045, 0.0, 0.0};
  bouncing_ball(&s, theta, e, where, both ? PRC_ACTIVATION_BOTH : PRC_ACTIVATION_GAP, loose);
  for (int k = 1; k <= 2250; k++) {
    step(&s, 1);
    by_hand(&b, 2e-3, theta, e, where, both);
    ck_assert_double_eq_tol(s.r->q[0], b.q, 1e-11);
    ck_assert_double_eq_tol(s.r->n_contacts > 0 ? s.r->p[0] : 0.0, b.p, 1e-11);
  }
  if (both) ck_assert_int_eq(prc_ledger_certificate(s.ledger).verdict, PRC_PASS);
  if (loose && e > 0.0) ck_assert_int_lt(s.listed, s.searches * 9 / 10);
  drop(&s);
}
END_TEST

/* Of theta = 1 / (1 + e), active by the gap alone (Bruls, Acary & Cardona 2014, section 10.1, with either prediction). */
START_TEST(a_ball_bounces_as_published) {
  static const double impact[2][5] = {{0.404, 1.048, 1.562, 1.972, 2.300}, {0.402, 1.042, 1.554}},
                      impulse[3] = {7.256, 5.7872, 4.62224}, energy[3] = {5.090039, 1.309385, 0.207180},
                      lowest[2] = {-7.467e-3, -1.67e-5};
  int n = 0;
  double deepest = 0.0;
  own s;
  bouncing_ball(&s, 5.0 / 9.0, 0.8, predictions[_i], PRC_ACTIVATION_GAP, 0);
  for (int k = 1; k <= 2250; k++) {
    step(&s, 1);
    if (s.r->p[0] > 1.0 && n < (_i ? 3 : 5)) {
      ck_assert_double_eq_tol(s.r->t, impact[_i][n], 1e-9);
      if (_i == 0 && n < 3) ck_assert_double_eq_tol(s.r->p[0], impulse[n], 1e-9);
      n++;
    }
    if (_i == 0 && k % 500 == 0 && k <= 1500)
      ck_assert_double_eq_tol(prc_ledger_now(s.ledger)->kinetic + 10.0 * s.r->q[0], energy[k / 500 - 1],
                              1e-6);
    deepest = fmin(deepest, s.r->q[0]);
  }
  ck_assert_double_eq_tol(deepest, lowest[_i], 6e-4 * fabs(lowest[_i]));
  if (_i == 0) ck_assert_double_eq_tol(s.r->q[0], -1.604e-5, 1e-8);
  drop(&s);
}
END_TEST

static void drag(double t, const double *v, double *F) {
  (void)t;
  F[0] = -10.0 - 0.1 * fabs(v[0]) * v[0];
}

static void weak_drag(double t, const double *v, double *F) {
  (void)t, (void)v;
  F[0] = -10.0;
}

/* A step that iterates predicts what the linear one does: a spring by its matrix and by a function, the latter also under loads of the state. */
START_TEST(steps_that_iterate_predict_alike) {
  const double q[1] = {0.3}, v[1] = {0.0};
  int p[] = {0, 1}, i[] = {0};
  double x[] = {7.0};
  const prc_sym K = {.n = 1, .p = p, .i = i, .x = x};
  own a, b;
  make(&a, 1, 1, 0.0, 0.5), make(&b, 1, 1, 0.0, 0.5);
  a.load = b.load = weak_drag;
  a.system.dynamics.K = &K;
  b.k1 = 7.0;
  b.system.dynamics.varies = PRC_INTERNAL_NONLINEAR | PRC_LOADS_OF_STATE;
  b.system.dynamics.internal = internal, b.system.dynamics.tangent = tangent;
  const prc_step_options o = predicting(options("theta", 5e-3, 0.5, PRC_IMPACT_FREMOND), (prc_prediction)_i);
  start(&a, &o, q, v), start(&b, &o, q, v);
  int impacts = 0;
  for (int k = 0; k < 400; k++) {
    step(&a, 1), step(&b, 1);
    impacts += a.r->p[0] > 0.1;
    ck_assert_double_eq_tol(a.r->q[0], b.r->q[0], 1e-10);
    ck_assert_double_eq_tol(a.r->p[0], b.r->p[0], 1e-10);
  }
  ck_assert_int_gt(impacts, 3);
  drop(&a), drop(&b);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------------------------------------------ */

START_TEST(what_a_scheme_has_not_is_refused) {
  static const struct {
    const char *scheme;
    double theta;
    prc_prediction prediction;
    const char *says;
  } wrong[] = {{"midpoint", 0.6, PRC_PREDICT_PRESENT, "theta is 0.6, expected 1/2 with the scheme midpoint"},
               {"midpoint", 0.5, PRC_PREDICT_VELOCITY, "expected a prediction with the scheme theta only"},
               {"theta", 0.5, PRC_PREDICT_FREE, "gaps are predicted and directions are those of the centre"},
               {"position", 1.0, PRC_PREDICT_FREE, "the scheme position looks at gaps of its own"},
               {"nothing", 0.5, PRC_PREDICT_PRESENT, "expected theta|midpoint|position"}};
  own s;
  make(&s, 1, 1, 0.0, 0.0);
  s.load = weight;
  prc_step_options o = options(wrong[_i].scheme, 1e-2, wrong[_i].theta, PRC_IMPACT_NEWTON);
  o.prediction = wrong[_i].prediction;
  support_fails(prc_stepper_create(&s.system, &o, &s.stepper, &err), PRC_INPUT, &err, wrong[_i].says);
}
END_TEST

/* ---- passes and their tolerance ---------------------------------------------------------------------------------------------- */

START_TEST(the_certificate_has_the_passes_and_their_tolerance) {
  static const double asked[3] = {0.0, 1e-6, 1e-300};
  const double q[1] = {1.0}, v[1] = {0.0};
  own s;
  make(&s, 1, 1, 0.0, 0.5);
  s.load = drag;
  s.system.dynamics.varies = PRC_LOADS_OF_STATE;
  prc_step_options o = options("theta", 1e-2, 0.5, PRC_IMPACT_FREMOND);
  o.tolerance = asked[_i];
  start(&s, &o, q, v);
  step(&s, 100);
  prc_step_drift drift;
  support_ok(prc_stepper_drift(s.stepper, &drift, &err), &err);
  (void)prc_ledger_drift(s.ledger, s.r->step, &drift);
  const prc_certificate_entry e = entry(&s, PRC_CERTIFY_ITERATIONS);
  ck_assert_str_eq(e.name, "iterations");
  ck_assert_double_eq(e.bound, _i == 0 ? 1e-12 : asked[_i]);
  ck_assert_double_gt(e.passes, 100.0);
  if (_i == 2) { /* out of reach: steps that fall short are kept, and counted */
    ck_assert_int_eq(e.verdict, PRC_FAIL);
    ck_assert_int_gt(e.count, 0);
    ck_assert_double_gt(e.value, e.bound);
    ck_assert_double_lt(e.value, 1e-12);
  } else {
    ck_assert_int_eq(e.verdict, PRC_PASS);
    ck_assert_double_le(e.value, e.bound);
    ck_assert_int_eq(prc_ledger_certificate(s.ledger).verdict, PRC_PASS);
  }
  drop(&s);
}
END_TEST

/* ---- promises ------------------------------------------------------------------------------------------------------------------ */

START_TEST(promises_are_those_of_the_scheme) {
  const double q[1] = {0.1}, v[1] = {-1.0};
  const int position = _i == 1;
  own s;
  make(&s, 1, 1, 0.0, 0.0);
  s.load = weight;
  const prc_step_options o =
      options(position ? "position" : "theta", 0.02, position ? 1.0 : 0.5, PRC_IMPACT_FREMOND);
  start(&s, &o, q, v);
  step(&s, 50);
  const prc_certificate_entry deepest = entry(&s, PRC_CERTIFY_PENETRATION);
  if (position) { /* the gap at the end of the step */
    ck_assert_int_eq(deepest.verdict, PRC_PASS);
    ck_assert_ptr_nonnull(deepest.theorem);
    ck_assert_double_le(deepest.value, 1e-14);
  } else { /* a point has no size, and theta promises none */
    ck_assert_int_eq(deepest.verdict, PRC_NOT_PROMISED);
    ck_assert_double_gt(deepest.value, 1e-3);
  }
  const prc_certificate_entry numerical = entry(&s, PRC_CERTIFY_NUMERICAL);
  ck_assert_int_eq(numerical.verdict, PRC_PASS);
  ck_assert_ptr_nonnull(numerical.theorem);
  ck_assert(numerical.has_sums && numerical.gained <= 1e-15);
  ck_assert(position ? numerical.lost < -0.1 : numerical.lost == 0.0);
  ck_assert_int_eq(entry(&s, PRC_CERTIFY_RISE).verdict, PRC_PASS);
  drop(&s);
}
END_TEST

/* A work that the scheme does not promise to be negative: reported with both sums, and no failure; one that it does promise fails. */
START_TEST(positive_works_of_a_scheme_are_judged_where_they_are_promised) {
  const prc_step_promise promised = {.theorem = "a theorem"}, not = {.reason = "no theorem"};
  const prc_ledger_options o = {.promises = {.tangential_sign = promised,
                                             .normal_sign = promised,
                                             .numerical_sign = _i ? promised : not },
                                .tolerance = 1e-10,
                                .max_penetration = -1.0};
  prc_step_record r = {.kinetic = 1.0, .cone = {.converged = 1}};
  prc_ledger *ledger;
  support_ok(prc_ledger_create(&o, &ledger, &err), &err);
  prc_ledger_start(ledger, &r);
  static const double work[3] = {0.25, -0.5, 0.125};
  for (int k = 0; k < 3; k++) {
    r.step = k + 1, r.kinetic = work[k], r.work[PRC_WORK_numerical] = work[k];
    prc_ledger_enter(ledger, &r);
  }
  const prc_certificate c = prc_ledger_certificate(ledger);
  const prc_certificate_entry n = c.entry[PRC_CERTIFY_NUMERICAL], rise = c.entry[PRC_CERTIFY_RISE];
  ck_assert_int_eq(n.verdict, _i ? PRC_FAIL : PRC_NOTED);
  ck_assert_int_eq(rise.verdict, n.verdict);
  ck_assert_int_eq(c.verdict, _i ? PRC_FAIL : PRC_PASS_WITH_NOTES);
  ck_assert_double_eq(n.value, 0.25);
  ck_assert_double_eq(n.gained, 0.375);
  ck_assert_double_eq(n.lost, -0.5);
  ck_assert_double_eq(rise.value, 0.25);
  ck_assert_double_eq(rise.gained, 0.375);
  if (!_i) ck_assert_str_eq(rise.reason, "no theorem");
  if (_i) ck_assert_int_eq(n.count, 2);
  prc_ledger_free(&ledger);
}
END_TEST

/* ---- orders -------------------------------------------------------------------------------------------------------------------- */

/* A mass on a spring of stiffness 1 slides on the floor with mu = 0.2 under the pressure 1 + cos(3 t) / 2 (dofs: normal, tangent). */
static double pressure(double t) {
  return 1.0 + 0.5 * cos(3.0 * t);
}
static void press(double t, const double *v, double *F) {
  (void)v;
  F[0] = -pressure(t);
}

/* x'' + x = 0.2 (1 + cos(3 t) / 2) while x' < 0, from x = 2, x' = -1: x = 0.2 - cos(3 t) / 80 + C cos t - sin t. */
static double slid(double t) {
  return 0.2 - cos(3.0 * t) / 80.0 + (2.0 - 0.2 + 1.0 / 80.0) * cos(t) - sin(t);
}
static double slid_rate(double t) {
  return 3.0 * sin(3.0 * t) / 80.0 - (2.0 - 0.2 + 1.0 / 80.0) * sin(t) - cos(t);
}

START_TEST(on_smooth_arcs_theta_one_half_is_of_second_order) {
  const char *scheme = _i < 2 ? "theta" : "midpoint";
  const prc_impact law = _i % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  int p[] = {0, 1, 2}, i[] = {0, 1};
  double x[] = {0.0, 1.0}, before[3] = {0.0};
  const prc_sym K = {.n = 2, .p = p, .i = i, .x = x};
  const double q[2] = {0.0, 2.0}, v[2] = {0.0, -1.0};
  for (int n = 20; n <= 160; n *= 2) {
    own s;
    make(&s, 2, 2, 0.2, 0.0);
    s.load = press;
    s.system.dynamics.varies = PRC_LOADS_IN_TIME, s.system.dynamics.K = &K;
    const prc_step_options o = options(scheme, 2.0 / n, 0.5, law);
    start(&s, &o, q, v);
    double error[3] = {0.0};
    for (int k = 1; k <= n; k++) {
      step(&s, 1);
      const double t = s.r->t, h = s.r->h;
      error[0] = fmax(error[0], fabs(s.r->q[1] - slid(t)));
      error[1] = fmax(error[1], fabs(s.r->v[1] - slid_rate(t)));
      error[2] = fmax(error[2], fabs(s.r->p[0] / h - pressure(t - 0.5 * h)));
    }
    for (int k = 0; k < 3; k++) {
      if (n > 20) ck_assert_double_eq_tol(log2(before[k] / error[k]), 2.0, 0.06);
      if (n == 160) ck_assert_double_lt(error[k], 2e-4);
      before[k] = error[k];
    }
    drop(&s);
  }
}
END_TEST

/* A point dropped from heights near 1 with e = 0.5, at t = 0.8, after the impact: the error of its place, in the mean of 64 phases of the step. */
START_TEST(an_impact_takes_one_order) {
  double before = 0.0;
  for (int n = 80; n <= 640; n *= 2) {
    double mean = 0.0;
    for (int phase = 0; phase < 64; phase++) {
      const double height = 1.0 + 0.1 * phase / 64.0, q[1] = {height}, v[1] = {0.0};
      const double hit = sqrt(0.2 * height), rest = 0.8 - hit, exact = 5.0 * hit * rest - 5.0 * rest * rest;
      own s;
      make(&s, 1, 1, 0.0, 0.5);
      s.load = weight;
      const prc_step_options o =
          predicting(options("theta", 0.8 / n, 0.5, PRC_IMPACT_FREMOND), predictions[_i]);
      start(&s, &o, q, v);
      step(&s, n);
      mean += fabs(s.r->q[0] - exact) / 64.0;
      drop(&s);
    }
    if (n > 80) ck_assert_double_eq_tol(log2(before / mean), 1.0, 0.2);
    before = mean;
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("theta_family");
  TCase *schemes = tcase_create("schemes"), *ledger = tcase_create("ledger");
  tcase_set_timeout(schemes, 60.0);
  tcase_add_loop_test(schemes, the_midpoint_scheme_sinks_into_a_cylinder_as_published, 0, 4);
  tcase_add_test(schemes, with_the_law_of_fremond_friction_in_the_middle_dissipates);
  tcase_add_loop_test(schemes, a_ball_bounces_as_its_gap_is_predicted, 0, 24);
  tcase_add_loop_test(schemes, a_ball_bounces_as_published, 0, 2);
  tcase_add_loop_test(schemes, steps_that_iterate_predict_alike, 0, 3);
  tcase_add_loop_test(schemes, what_a_scheme_has_not_is_refused, 0, 5);
  tcase_add_loop_test(schemes, on_smooth_arcs_theta_one_half_is_of_second_order, 0, 4);
  tcase_add_loop_test(schemes, an_impact_takes_one_order, 0, 3);
  tcase_add_loop_test(ledger, the_certificate_has_the_passes_and_their_tolerance, 0, 3);
  tcase_add_loop_test(ledger, promises_are_those_of_the_scheme, 0, 2);
  tcase_add_loop_test(ledger, positive_works_of_a_scheme_are_judged_where_they_are_promised, 0, 2);
  suite_add_tcase(suite, schemes);
  suite_add_tcase(suite, ledger);
  return support_run(suite);
}
