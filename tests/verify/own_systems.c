/* Systems of a user's own, against closed forms: local vectors of one to four rows, loads that depend on the state, internal forces
 * that are not linear, coordinates that are not velocities' sums, contacts that come and go. */
#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "ledger/ledger.h"
#include "step/step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
static const double g = 9.81;
static prc_error err;

/* ---- masses that are not coupled --------------------------------------------------------------------------------------- */

typedef struct {
  prc_system system;
  prc_sym M;
  int p[MOST + 1], i[MOST];
  double m[MOST];
  double weight[MOST]; /* a constant load of each dof */
  double c;            /* drag: -c |v_i| v_i */
  double B;            /* a load across the velocity: B (v_1, -v_0) */
  double k1, k3;       /* internal forces k1 q + k3 q^3 of each dof */
  double datum;        /* of their potential: its value at q = 0 */
  prc_law law;
  int dim, n_balls, listed,
      searches; /* balls of dim dofs, normal first, over the floor q = 0; listed: most that find ever added */
  double margin; /* only balls within it are listed; 0: all */
  int backwards;
  prc_stepper *stepper;
  const prc_step_record *r;
  prc_ledger *ledger;
} own;

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const own *s = owner;
  (void)e;
  for (int i = 0; i < s->system.space.nv; i++) {
    F[i] = s->weight[i];
    if (s->c != 0.0) F[i] -= s->c * fabs(at->v[i]) * at->v[i];
  }
  if (s->B != 0.0) F[0] += s->B * at->v[1], F[1] -= s->B * at->v[0];
  return PRC_OK;
}

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *e) {
  const own *s = owner;
  (void)e;
  if (potential) *potential = s->datum;
  for (int i = 0; i < s->system.space.nv; i++) {
    const double q = at->q[i];
    if (f) f[i] = s->k1 * q + s->k3 * q * q * q;
    if (potential) *potential += 0.5 * s->k1 * q * q + 0.25 * s->k3 * q * q * q * q;
  }
  return PRC_OK;
}

static prc_status tangent(void *owner, const prc_at *at, double c, double c_v, prc_sym *A, prc_error *e) {
  (void)c_v;
  const own *s = owner;
  (void)e;
  for (int i = 0; i < A->n; i++) A->x[A->p[i]] += c * (s->k1 + 3.0 * s->k3 * at->q[i] * at->q[i]);
  return PRC_OK;
}

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  own *s = owner;
  prc_status status = PRC_OK;
  int count = 0;
  (void)h;
  s->searches++;
  for (int k = 0; k < s->n_balls && status == PRC_OK; k++) {
    const int b = s->backwards ? s->n_balls - 1 - k : k;
    int dof[4];
    for (int r = 0; r < s->dim; r++) dof[r] = s->dim * b + r;
    if (s->margin > 0.0 && at->q[dof[0]] > s->margin + reach) continue;
    status = prc_contact_set_add(
        set,
        &(prc_contact){
            .id = {.b = (uint32_t)b}, .body = {-1, b}, .n_dof = s->dim, .dof = dof, .law = &s->law},
        e);
    count++;
  }
  if (count > s->listed) s->listed = count;
  return status;
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const own *s = owner;
  for (int c = 0; c < set->n; c++) {
    set->gap[c] = at->q[s->dim * (int)set->id[c].b];
    for (int i = 0; (what & PRC_EVALUATE_H) && i < s->dim * s->dim; i++)
      set->H.x[c * s->dim * s->dim + i] = i % (s->dim + 1) == 0;
  }
}

static void make(own *s, int n, double mass) {
  memset(s, 0, sizeof *s);
  prc_error_clear(&err);
  for (int i = 0; i < n; i++) s->p[i + 1] = i + 1, s->i[i] = i, s->m[i] = mass;
  s->M = (prc_sym){.n = n, .p = s->p, .i = s->i, .x = s->m};
  s->system = (prc_system){.space = {.nv = n},
                           .dynamics = {.M = &s->M, .loads = loads},
                           .length = 1.0,
                           .velocity = 1.0,
                           .owner = s};
}

static void floors(own *s, int dim, int n_balls, double mu, double e) {
  s->dim = dim, s->n_balls = n_balls;
  s->law = prc_law_coulomb(mu, e, 0.0);
  s->system.contacts = (prc_contacts){.dim = dim, .find = find, .evaluate = evaluate};
}

static void start(own *s, const prc_step_options *o, const double *q, const double *v) {
  support_ok(prc_stepper_create(&s->system, o, &s->stepper, &err), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
  const prc_ledger_options options = {
      .promises = prc_stepper_promises(s->stepper), .tolerance = 1e-10, .max_penetration = -1.0};
  support_ok(prc_ledger_create(&options, &s->ledger, &err), &err);
  prc_ledger_start(s->ledger, s->r);
}

static void step(own *s, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(s->stepper, &err), &err);
    prc_ledger_enter(s->ledger, s->r);
    ck_assert_double_le(fabs(prc_ledger_now(s->ledger)->balance_residual), 1e-13 * 50.0);
  }
}

static void drop(own *s) {
  prc_ledger_free(&s->ledger);
  prc_stepper_free(&s->stepper);
}

static prc_step_options options(double h, double theta) {
  prc_step_options o = prc_step_options_default(h);
  o.theta = theta, o.cone.tolerance = 1e-13;
  return o;
}

/* ---- one to four rows ------------------------------------------------------------------------------------------------------ */

/* A mass on a floor, _i + 1 rows: all its tangential dofs weigh the same, so it slides straight on and slows down by mu g, with
 * drilling (whose row is a length times the spin of a body of that radius of gyration) as without. */
START_TEST(a_mass_slides_on_a_floor_and_stops) {
  const int dim = _i + 1;
  const double h = 1e-3, mu = 0.3, mass = 2.0, speed = 1.5;
  static const double direction[] = {0.0, 3.0, -4.0, 12.0}; /* 3, 5, 13 long */
  double q[4] = {0.0}, v[4] = {0.0}, length = 0.0;
  own s;
  make(&s, dim, mass);
  floors(&s, dim, 1, mu, 0.0);
  s.weight[0] = -mass * g;
  for (int r = 1; r < dim; r++) length = hypot(length, direction[r]);
  for (int r = 1; r < dim; r++) v[r] = speed * direction[r] / length;
  prc_step_options o = options(h, 0.5);
  o.law =
      PRC_IMPACT_NEWTON; /* with Fremond's at theta = 1/2 what sticks goes to and fro for ever, by less than mu g h */
  start(&s, &o, q, v);
  for (int k = 1; k <= 800; k++) {
    step(&s, 1);
    const double t = k * h, now = fmax(speed - mu * g * t, 0.0), stop = speed / (mu * g);
    const double way = t < stop ? speed * t - 0.5 * mu * g * t * t : 0.5 * speed * stop;
    ck_assert_double_eq_tol(s.r->p[0], mass * g * h, 1e-12);
    ck_assert_double_eq_tol(s.r->q[0], 0.0, 1e-13);
    for (int r = 1; r < dim; r++) {
      const double along = direction[r] / length;
      ck_assert_double_eq_tol(s.r->v[r], now * along, fabs(t - stop) < 2.0 * h ? mu * g * h : 1e-10);
      ck_assert_double_eq_tol(s.r->q[r], way * along, 0.5 * mu * g * h * h + 1e-10);
    }
  }
  ck_assert_int_eq(s.r->status[0], dim == 1 ? s.r->status[0] : PRC_CONE_STICK);
  ck_assert_int_eq(prc_ledger_certificate(s.ledger).verdict, PRC_PASS);
  drop(&s);
}
END_TEST

/* It falls, and bounces with e: each apex is e^2 of the last. */
START_TEST(a_mass_bounces_whatever_the_number_of_rows) {
  const int dim = _i + 1;
  const double h = 1e-4, e = 0.6;
  double q[4] = {1.0}, v[4] = {0.0}, highest = 0.0;
  int impacts = 0;
  own s;
  make(&s, dim, 3.0);
  floors(&s, dim, 1, 0.5, e);
  s.weight[0] = -3.0 * g;
  const prc_step_options o = options(h, 0.5);
  start(&s, &o, q, v);
  for (int k = 0; k < 12000 && impacts < 2; k++) {
    step(&s, 1);
    impacts += s.r->p[0] > 0.0;
    if (impacts == 1) highest = fmax(highest, s.r->q[0]);
  }
  ck_assert_double_eq_tol(highest, e * e, 20.0 * h);
  drop(&s);
}
END_TEST

/* ---- loads that depend on the state ---------------------------------------------------------------------------------------- */

/* A fall in air: v = -v_t tanh(g t / v_t), v_t = sqrt(m g / c); of second order. */
START_TEST(a_body_falls_in_air) {
  const double mass = 2.0, c = 0.5, vt = sqrt(mass * g / c), q[1] = {0.0}, v[1] = {0.0};
  double error[2];
  for (int n = 0; n < 2; n++) {
    const double h = 0.02 / (1 << n);
    own s;
    make(&s, 1, mass);
    s.system.dynamics.varies = PRC_LOADS_OF_STATE;
    s.weight[0] = -mass * g, s.c = c;
    const prc_step_options o = options(h, 0.5);
    start(&s, &o, q, v);
    step(&s, 50 << n);
    error[n] = s.r->v[0] + vt * tanh(g / vt);
    ck_assert_int_gt(s.r->passes, 1);
    drop(&s);
  }
  ck_assert_double_le(fabs(error[0]), 1e-3);
  ck_assert_double_eq_tol(error[0] / error[1], 4.0, 0.05);
}
END_TEST

/* A load across the velocity does no work: a circle, whose energy stays to rounding. */
START_TEST(a_load_across_the_velocity_does_no_work) {
  const double q[2] = {0.0}, v[2] = {1.0, 0.0};
  own s;
  make(&s, 2, 1.0);
  s.system.dynamics.varies = PRC_LOADS_OF_STATE;
  s.B = 3.0;
  const prc_step_options o = options(0.01, 0.5);
  start(&s, &o, q, v);
  step(&s, 1000);
  const double angle = 1000.0 * 2.0 * atan(0.5 * 3.0 * 0.01); /* that of the implicit midpoint rule */
  ck_assert_double_eq_tol(hypot(s.r->v[0], s.r->v[1]), 1.0, 1e-12);
  ck_assert_double_eq_tol(s.r->v[0], cos(angle), 1e-10);
  ck_assert_double_eq_tol(s.r->v[1], -sin(angle), 1e-10);
  ck_assert_double_le(fabs(prc_ledger_now(s.ledger)->work_external), 1e-12);
  drop(&s);
}
END_TEST

/* ---- internal forces that are not linear ------------------------------------------------------------------------------------ */

/* The complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double elliptic(double k) {
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int n = 0; n < 60 && fabs(a - b) > 1e-16 * a; n++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b), a = mean;
  }
  return acos(-1.0) / (2.0 * a);
}

/* Duffing's oscillator: period 4 K(k) / sqrt(k1 + k3 A^2), k^2 = k3 A^2 / (2 (k1 + k3 A^2)); its energy stays to rounding. */
START_TEST(a_stiffening_spring_has_its_period_and_keeps_its_energy) {
  const double k1 = 1.0, k3 = 2.0, A = 1.5, q[1] = {A}, v[1] = {0.0};
  const double stiff = k1 + k3 * A * A, period = 4.0 * elliptic(sqrt(0.5 * k3 * A * A / stiff)) / sqrt(stiff);
  own s;
  make(&s, 1, 1.0);
  s.k1 = k1, s.k3 = k3;
  s.system.dynamics.varies = PRC_INTERNAL_NONLINEAR;
  s.system.dynamics.internal = internal, s.system.dynamics.tangent = tangent;
  const prc_step_options o = options(period / 2000.0, 0.5);
  start(&s, &o, q, v);
  const double energy = s.r->potential;
  ck_assert_double_eq(energy, 0.5 * k1 * A * A + 0.25 * k3 * A * A * A * A);
  step(&s, 10000);
  const prc_ledger_row *row = prc_ledger_now(s.ledger);
  ck_assert_double_eq_tol(s.r->q[0], A, 1e-4); /* five periods */
  ck_assert_double_eq_tol(row->kinetic + row->elastic, energy, 1e-12);
  ck_assert_double_eq(row->dissipation_numerical, 0.0);
  ck_assert_int_eq(prc_ledger_certificate(s.ledger).verdict, PRC_PASS);
  drop(&s);
}
END_TEST

/* Short steps, and a potential that is large against what it changes by: what rounding leaves of its differences is no reason to go on. */
START_TEST(rounding_of_a_potential_keeps_no_step_from_its_end) {
  static const double datum[] = {0.0, 1e4};
  const double q[1] = {1.3}, v[1] = {0.0};
  for (int k = 0; k < 8; k++) {
    own s;
    make(&s, 1, 1.0);
    s.k1 = 0.0, s.k3 = 1.0, s.datum = datum[_i];
    s.system.dynamics.varies = PRC_INTERNAL_NONLINEAR;
    s.system.dynamics.internal = internal, s.system.dynamics.tangent = tangent;
    const prc_step_options o = options(0.1 * pow(0.5, k), 0.5);
    start(&s, &o, q, v);
    const double energy = s.r->potential;
    for (int n = 0; n < 2000; n++) {
      support_ok(prc_stepper_step(s.stepper, &err), &err);
      prc_ledger_enter(s.ledger, s.r);
    }
    const prc_ledger_row *row = prc_ledger_now(s.ledger);
    prc_step_drift drift;
    const double most =
        2000.0 * 16.0 * DBL_EPSILON * 2.0 * energy; /* of brackets that are left out, in all steps */
    ck_assert_double_eq_tol(row->kinetic + row->elastic, energy, most);
    ck_assert_double_eq_tol(0.5 * s.r->v[0] * s.r->v[0] + 0.25 * pow(s.r->q[0], 4.0) + datum[_i], energy,
                            most);
    support_ok(prc_stepper_drift(s.stepper, &drift, &err), &err);
    (void)prc_ledger_drift(s.ledger, s.r->step, &drift);
    ck_assert_int_eq(prc_ledger_certificate(s.ledger).verdict, PRC_PASS);
    drop(&s);
  }
}
END_TEST

/* The same, linear (k3 = 0), against the scheme for a stiffness matrix at theta = 1/2: the same motion; and onto a floor. */
START_TEST(a_linear_spring_steps_as_by_its_matrix) {
  const double q[1] = {0.5}, v[1] = {-0.2};
  int p[] = {0, 1}, i[] = {0};
  double x[] = {7.0};
  const prc_sym K = {.n = 1, .p = p, .i = i, .x = x};
  own a, b;
  make(&a, 1, 2.0), make(&b, 1, 2.0);
  floors(&a, 1, 1, 0.0, 0.4), floors(&b, 1, 1, 0.0, 0.4);
  a.system.dynamics.K = &K;
  b.k1 = 7.0;
  b.system.dynamics.varies = PRC_INTERNAL_NONLINEAR;
  b.system.dynamics.internal = internal, b.system.dynamics.tangent = tangent;
  const prc_step_options o = options(0.01, 0.5);
  start(&a, &o, q, v), start(&b, &o, q, v);
  int impacts = 0;
  for (int k = 0; k < 600; k++) {
    step(&a, 1), step(&b, 1);
    impacts += a.r->p[0] > 0.0;
    ck_assert_double_eq_tol(a.r->q[0], b.r->q[0], 1e-11);
    ck_assert_double_eq_tol(a.r->p[0], b.r->p[0], 1e-10);
  }
  ck_assert_int_gt(impacts, 3);
  drop(&a), drop(&b);
}
END_TEST

/* ---- coordinates of their own ------------------------------------------------------------------------------------------------ */

/* A pendulum by the cosine and sine of its angle: two coordinates, one velocity, q (+) dx by the Cayley map. */
static void turn(const void *owner, const double *q, const double *dx, double *next) {
  const double a = 0.5 * dx[0], c = (1.0 - a * a) / (1.0 + a * a), s = 2.0 * a / (1.0 + a * a);
  const double x = c * q[0] - s * q[1], y = s * q[0] + c * q[1];
  (void)owner;
  next[0] = x, next[1] = y;
}

static prc_status swing(void *owner, const prc_at *at, double *f, double *potential, prc_error *e) {
  (void)owner, (void)e;
  if (f) f[0] = g * at->q[1];
  if (potential) *potential = g * (1.0 - at->q[0]);
  return PRC_OK;
}

static prc_status swing_tangent(void *owner, const prc_at *at, double c, double c_v, prc_sym *A,
                                prc_error *e) {
  (void)c_v;
  (void)owner, (void)e;
  A->x[0] += c * g * at->q[0];
  return PRC_OK;
}

/* Period 4 K(sin(amplitude / 2)) sqrt(l / g). */
START_TEST(a_pendulum_by_two_coordinates_keeps_its_length_and_its_energy) {
  const double amplitude = 2.0, q[2] = {cos(amplitude), sin(amplitude)}, v[1] = {0.0};
  const double period = 4.0 * elliptic(sin(0.5 * amplitude)) / sqrt(g);
  own s;
  make(&s, 1, 1.0);
  s.system.space = (prc_space){.nq = 2, .nv = 1, .advance = turn};
  s.system.dynamics.varies = PRC_INTERNAL_NONLINEAR;
  s.system.dynamics.loads = NULL;
  s.system.dynamics.internal = swing, s.system.dynamics.tangent = swing_tangent;
  const prc_step_options o = options(period / 1000.0, 0.5);
  start(&s, &o, q, v);
  step(&s, 3000);
  const prc_ledger_row *row = prc_ledger_now(s.ledger);
  ck_assert_double_eq_tol(atan2(s.r->q[1], s.r->q[0]), amplitude, 1e-3);
  ck_assert_double_eq_tol(hypot(s.r->q[0], s.r->q[1]), 1.0, 1e-12);
  ck_assert_double_eq_tol(row->kinetic + row->elastic, g * (1.0 - cos(amplitude)), 1e-11);
  drop(&s);
}
END_TEST

/* ---- contacts that come and go ------------------------------------------------------------------------------------------------ */

/* Twenty balls from different heights, each over the floor: listed only where they are near it, in either order, or all at all times; in
 * air, whose drag is a load of the state, or without. */
static const struct {
  const char *scheme;
  prc_prediction prediction;
} ways[4] = {{"theta", PRC_PREDICT_PRESENT},
             {"midpoint", PRC_PREDICT_PRESENT},
             {"theta", PRC_PREDICT_VELOCITY},
             {"theta", PRC_PREDICT_FREE}};

static prc_step_options options_of_way(int way) {
  prc_step_options o = options(2e-3, 0.5);
  o.scheme = ways[way].scheme, o.prediction = ways[way].prediction;
  if (o.prediction != PRC_PREDICT_PRESENT) o.directions = PRC_DIRECTIONS_START;
  return o;
}

static void balls(own *s, int way, double margin, int backwards, double drag) {
  make(s, 40, 1.5);
  s->c = drag;
  if (drag > 0.0) s->system.dynamics.varies = PRC_LOADS_OF_STATE;
  floors(s, 2, 20, 0.2, 0.5);
  s->margin = margin, s->backwards = backwards;
  s->system.contacts.varies = PRC_CONTACTS_H | (margin > 0.0 ? PRC_CONTACTS_SET : 0);
  static char touched[40];
  memset(touched, 1, sizeof touched);
  s->system.contacts.touched = touched;
  double q[40], v[40];
  for (int b = 0; b < 20; b++) {
    q[2 * b] = 0.05 * (b % 7) * (b % 7), q[2 * b + 1] = b;
    v[2 * b] = 0.0, v[2 * b + 1] = 0.3;
    s->weight[2 * b] = -1.5 * g;
  }
  const prc_step_options o = options_of_way(way);
  start(s, &o, q, v);
}

START_TEST(contacts_that_come_and_go_change_nothing) {
  own all, near, back;
  const double drag = 0.2 * (_i % 2);
  const int way = _i / 2;
  balls(&all, way, 0.0, 0, drag), balls(&near, way, 0.02, 0, drag), balls(&back, way, 0.02, 1, drag);
  int fewest = 20;
  for (int k = 0; k < 1500; k++) {
    step(&all, 1), step(&near, 1), step(&back, 1);
    ck_assert_mem_eq(near.r->q, back.r->q, 40 * sizeof(double));
    ck_assert_mem_eq(near.r->v, back.r->v, 40 * sizeof(double));
    for (int i = 0; i < 40; i++) ck_assert_double_eq_tol(near.r->q[i], all.r->q[i], 1e-11);
    if (near.r->n_contacts < fewest) fewest = near.r->n_contacts;
    ck_assert_int_eq(near.r->n_active, all.r->n_active);
  }
  ck_assert_int_lt(fewest, 12); /* they do come and go */
  ck_assert_int_eq(near.listed, 20);
  ck_assert_int_gt(near.searches, 1000);
  ck_assert_int_le(all.searches, 2);
  drop(&all), drop(&near), drop(&back);
}
END_TEST

START_TEST(a_run_with_contacts_that_come_and_go_goes_on_where_it_stopped) {
  own whole, late;
  balls(&whole, _i / 4, 0.02, 0, 0.0);
  step(&whole, 300 + 37 * (_i % 4));
  balls(&late, _i / 4, 0.02, 1, 0.0);
  const prc_step_record *r = whole.r;
  prc_contact_id id[20];
  double p[40], q[40], v[40], m[40], f[40];
  int n = 0;
  for (int c = r->n_contacts - 1; c >= 0; c--) { /* those that were active, in any order */
    if (r->p[2 * c] == 0.0) continue;
    id[n] = r->contacts->id[c];
    p[2 * n] = r->p[2 * c], p[2 * n + 1] = r->p[2 * c + 1], n++;
  }
  memcpy(q, r->q, sizeof q), memcpy(v, r->v, sizeof v), memcpy(m, r->m, sizeof m), memcpy(f, r->f, sizeof f);
  const prc_step_state state = {
      .step = r->step, .q = q, .v = v, .m = m, .f = f, .speed = r->speed, .n_contacts = n, .id = id, .p = p};
  support_ok(prc_stepper_resume(late.stepper, &state, &err), &err);
  for (int k = 0; k < 200; k++) {
    support_ok(prc_stepper_step(whole.stepper, &err), &err);
    support_ok(prc_stepper_step(late.stepper, &err), &err);
    ck_assert_mem_eq(late.r->q, whole.r->q, sizeof q);
    ck_assert_mem_eq(late.r->v, whole.r->v, sizeof v);
  }
  drop(&whole), drop(&late);
}
END_TEST

START_TEST(while_the_set_is_within_its_capacity_a_step_allocates_nothing) {
  prc_status status = PRC_OK;
  own s;
  balls(&s, _i, 0.02, 0, _i % 2 ? 0.0 : 0.1);
  step(&s, 900); /* the largest set has been */
  support_watch(0);
  for (int k = 0; k < 300 && status == PRC_OK; k++) status = prc_stepper_step(s.stepper, &err);
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  drop(&s);
}
END_TEST

/* ---- friction that remembers ---------------------------------------------------------------------------------------------------- */

/* mu falls with the way slipped, mu_s - k s. */
static prc_status any(const double *parameter, prc_error *e) {
  (void)parameter, (void)e;
  return PRC_OK;
}

static double weakened(const double *parameter, const double *state, double speed, double *slope) {
  (void)speed;
  if (slope) *slope = 0.0;
  return parameter[0] - parameter[1] * state[0];
}

static void slip(const double *parameter, double h, const prc_law_slip *of, double *state) {
  (void)parameter;
  state[0] += h * of->speed;
}

static const prc_friction weakening = {.name = "weakening",
                                       .n_parameters = 2,
                                       .n_state = 1,
                                       .parameter = (const char *const[]){"mu", "k"},
                                       .check = any,
                                       .forgets = 1,
                                       .friction = weakened,
                                       .advance = slip};

/* Steps whose allocations are refused, each in turn, and that are made again: nothing is lost of what is remembered. */
START_TEST(a_step_that_finds_no_memory_can_be_made_again) {
  own whole, poor;
  int refused = 0;
  own *const both[] = {&whole, &poor};
  for (int n = 0; n < 2; n++) { /* made without contacts */
    double q[40], v[40];
    const prc_step_options o = options_of_way(_i);
    balls(both[n], _i, 0.02, n, 0.0);
    memcpy(q, both[n]->r->q, sizeof q), memcpy(v, both[n]->r->v, sizeof v);
    drop(both[n]);
    both[n]->n_balls = 0;
    start(both[n], &o, q, v);
    both[n]->n_balls = 20;
  }
  for (int k = 0; k < 400; k++) {
    prc_status status = PRC_NOMEM;
    step(&whole, 1);
    for (int fail = 1; status == PRC_NOMEM && fail < 2000; fail++) {
      support_watch(fail);
      status = prc_stepper_step(poor.stepper, &err);
      support_look_away();
      refused += status == PRC_NOMEM;
    }
    ck_assert_int_eq(status, PRC_OK);
    prc_error_clear(&err);
    ck_assert_mem_eq(whole.r->v, poor.r->v, 40 * sizeof(double));
  }
  ck_assert_int_gt(refused, 5);
  drop(&whole), drop(&poor);
}
END_TEST

/* s'' = -g (mu - k s): s = mu/k (1 - cosh wt) + v/w sinh wt, w^2 = g k. Of first order in h, for mu is that of the start of a step. */
START_TEST(friction_weakens_with_slip) {
  const double mu = 0.5, k = 0.8, speed = 2.0, w = sqrt(g * k), t = 0.3;
  const double exact = mu / k * (1.0 - cosh(w * t)) + speed / w * sinh(w * t), q[2] = {0.0},
               v[2] = {0.0, speed};
  double error[2];
  for (int n = 0; n < 2; n++) {
    const double h = 1e-3 / (1 << n);
    own s;
    make(&s, 2, 2.0);
    floors(&s, 2, 1, 0.0, 0.0);
    s.law.friction = &weakening, s.law.parameter[0] = mu, s.law.parameter[1] = k;
    s.weight[0] = -2.0 * g;
    const prc_step_options o = options(h, 0.5);
    start(&s, &o, q, v);
    step(&s, 300 << n);
    ck_assert_double_eq_tol(s.r->contacts->state[0], s.r->q[1], 1e-12);
    error[n] = s.r->q[1] - exact;
    drop(&s);
  }
  ck_assert_double_le(fabs(error[0]), 1e-3);
  ck_assert_double_eq_tol(error[0] / error[1], 2.0, 0.05);
}
END_TEST

/* A jump over the floor: what slip has done is forgotten where the contact opens, and goes on where a run is resumed. */
START_TEST(what_friction_remembers_ends_with_the_contact_and_survives_a_resumption) {
  const double q[2] = {0.0}, v[2] = {0.0, 3.0};
  own s, late;
  for (int n = 0; n < 2; n++) {
    own *o = n ? &late : &s;
    make(o, 2, 2.0);
    floors(o, 2, 1, 0.0, 0.0);
    o->law.friction = &weakening, o->law.parameter[0] = 0.5, o->law.parameter[1] = 0.1;
    o->weight[0] = -2.0 * g;
    const prc_step_options so = options(1e-3, 0.5);
    start(o, &so, q, v);
  }
  step(&s, 100);
  ck_assert_double_gt(s.r->contacts->state[0], 0.2);
  double now[2], velocity[2], m[2], f[2], p[2], state[PRC_LAW_STATE];
  memcpy(now, s.r->q, sizeof now), memcpy(velocity, s.r->v, sizeof velocity), memcpy(m, s.r->m, sizeof m);
  memcpy(f, s.r->f, sizeof f), memcpy(p, s.r->p, sizeof p), memcpy(state, s.r->contacts->state, sizeof state);
  const prc_step_state from = {.step = 100,
                               .q = now,
                               .v = velocity,
                               .m = m,
                               .f = f,
                               .speed = s.r->speed,
                               .n_contacts = 1,
                               .p = p,
                               .state = state};
  support_ok(prc_stepper_resume(late.stepper, &from, &err), &err);
  step(&s, 50), step(&late, 50);
  ck_assert_mem_eq(s.r->q, late.r->q, sizeof now);
  ck_assert_mem_eq(s.r->contacts->state, late.r->contacts->state, sizeof state);
  velocity[0] = 1.0;
  const prc_step_state up = {.step = 150,
                             .q = s.r->q,
                             .v = velocity,
                             .m = (double[]){2.0, m[1]},
                             .f = f,
                             .n_contacts = 1,
                             .p = p,
                             .state = state};
  support_ok(prc_stepper_resume(late.stepper, &up, &err), &err);
  step(&late, 1);
  ck_assert_double_eq(late.r->contacts->state[0], 0.0);
  drop(&s), drop(&late);
}
END_TEST

/* A stepper that begins anew has forgotten. */
START_TEST(a_start_anew_and_a_resumption_without_contacts_forget) {
  const double q[2] = {0.0}, v[2] = {0.0, 3.0};
  own s;
  make(&s, 2, 2.0);
  floors(&s, 2, 1, 0.0, 0.0);
  s.law.friction = &weakening, s.law.parameter[0] = 0.5, s.law.parameter[1] = 0.1;
  s.weight[0] = -2.0 * g;
  const prc_step_options o = options(1e-3, 0.5);
  start(&s, &o, q, v);
  step(&s, 20);
  const double first[2] = {s.r->q[1], s.r->contacts->state[0]};
  ck_assert_double_gt(first[1], 0.05);
  support_ok(prc_stepper_start(s.stepper, q, v, &err), &err);
  ck_assert_double_eq(s.r->contacts->state[0], 0.0);
  step(&s, 20);
  ck_assert_double_eq(s.r->q[1], first[0]);
  ck_assert_double_eq(s.r->contacts->state[0], first[1]);
  const double momentum[2] = {0.0, 6.0}, f[2] = {0.0};
  const prc_step_state none = {.q = q, .v = v, .m = momentum, .f = f};
  support_ok(prc_stepper_resume(s.stepper, &none, &err), &err);
  ck_assert_double_eq(s.r->contacts->state[0], 0.0);
  drop(&s);
}
END_TEST

/* ---- what cannot be ---------------------------------------------------------------------------------------------------------- */

static void refused(own *s, const prc_step_options *o, const char *why) {
  ck_assert_int_eq(prc_stepper_create(&s->system, o, &s->stepper, &err), PRC_INPUT);
  ck_assert_msg(strstr(err.message, why) != NULL, "'%s' without '%s'", err.message, why);
  prc_error_clear(&err);
}

START_TEST(systems_without_what_they_need_are_refused) {
  const prc_step_options o = options(0.01, 0.5);
  int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2};
  double x[] = {1.0, 1.0, 1.0};
  const prc_sym small = {.n = 1, .p = p, .i = i, .x = x}, large = {.n = 3, .p = p, .i = i, .x = x};
  own s;
  make(&s, 2, 1.0);
  s.system.dynamics.C = &small;
  refused(&s, &o, "the damping has 1 rows, expected 2");
  s.system.dynamics.C = NULL, s.system.dynamics.pattern = &large;
  refused(&s, &o, "the pattern of the tangent has 3 rows, expected 2");
  s.system.dynamics.pattern = NULL, s.system.space.nq = 3;
  refused(&s, &o, "2 velocities and 3 coordinates need a function");
  s.system.space.nq = 0, s.system.dynamics.varies = PRC_LOADS_OF_STATE, s.system.dynamics.loads = NULL;
  refused(&s, &o, "loads that depend on the state need a function");
  s.system.dynamics.varies = PRC_INTERNAL_NONLINEAR, s.system.dynamics.internal = internal;
  refused(&s, &o, "a function for their tangent");
}
END_TEST

/* Between the load and a dashpot alone a velocity would change its sign about the mean in every step, and never die: with forces of a
 * spring or without. */
START_TEST(a_dof_without_mass_on_a_dashpot_alone_is_refused) {
  const prc_step_options o = options(0.01, 0.5);
  int p[] = {0, 1, 2}, i[] = {0, 1};
  double x[] = {2.0, 0.0};
  const prc_sym C = {.n = 2, .p = p, .i = i, .x = x};
  own s;
  make(&s, 2, 1.0);
  s.m[0] = 0.0, s.weight[0] = 1.0;
  s.system.dynamics.C = &C;
  refused(&s, &o, "dof 0 has no mass but damping of its own");
  s.system.dynamics.varies = PRC_INTERNAL_NONLINEAR, s.k1 = 1.0;
  s.system.dynamics.internal = internal, s.system.dynamics.tangent = tangent;
  refused(&s, &o, "needs a mass in every free dof, 1 have none");
}
END_TEST

/* (87) holds for contacts that appear, too. */
START_TEST(a_restitution_that_appears_is_refused_where_it_would_give_energy) {
  const double q[1] = {0.05}, v[1] = {0.0};
  static const char touched[1] = {1};
  own s;
  make(&s, 1, 1.0);
  floors(&s, 1, 1, 0.0, 0.5);
  s.weight[0] = -g;
  s.system.contacts.varies = PRC_CONTACTS_SET, s.system.contacts.touched = touched;
  s.margin = 0.01;
  s.n_balls = 0; /* of the first search: it stands far away */
  const prc_step_options o = options(0.01, 1.0);
  start(&s, &o, q, v);
  s.n_balls = 1;
  prc_status status = PRC_OK;
  for (int k = 0; k < 100 && status == PRC_OK; k++) status = prc_stepper_step(s.stepper, &err);
  ck_assert_int_eq(status, PRC_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "the largest e is 0.5"));
  drop(&s);
}
END_TEST

static void blind(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const own *s = owner;
  evaluate(owner, at, what, set);
  if (at->t < 0.05) return;
  if (s->c > 0.0)
    set->gap[0] = NAN;
  else
    set->H.x[0] = NAN;
}

START_TEST(a_gap_or_a_direction_that_is_no_number_ends_the_run) {
  const double q[1] = {0.0}, v[1] = {0.0};
  own s;
  make(&s, 1, 1.0);
  floors(&s, 1, 1, 0.0, 0.0);
  s.system.contacts.evaluate = blind, s.system.contacts.varies = PRC_CONTACTS_H;
  s.c = _i;
  const prc_step_options o = options(0.01, 0.5);
  start(&s, &o, q, v);
  prc_status status = PRC_OK;
  for (int k = 0; k < 20 && status == PRC_OK; k++) status = prc_stepper_step(s.stepper, &err);
  ck_assert_int_eq(status, PRC_DIVERGED);
  ck_assert_int_le(s.r->step, 6);
  drop(&s);
}
END_TEST

/* Only what touches exactly is listed: what rests, 1e-15 above the floor or on it, is within the tolerance, so it is found too. */
START_TEST(what_rests_is_found_by_a_search_without_a_margin) {
  const double q[1] = {1e-15}, v[1] = {0.0};
  static const char touched[1] = {1};
  own s;
  make(&s, 1, 1.0);
  floors(&s, 1, 1, 0.0, 0.0);
  s.weight[0] = -g;
  s.system.contacts.varies = PRC_CONTACTS_SET, s.system.contacts.touched = touched;
  s.margin = 1e-300;
  const prc_step_options o = options(1e-3, 0.5);
  start(&s, &o, q, v);
  for (int k = 0; k < 100; k++) {
    step(&s, 1);
    ck_assert_int_eq(s.r->n_active, 1);
    ck_assert_double_eq_tol(s.r->p[0], g * 1e-3, 1e-15);
  }
  drop(&s);
}
END_TEST

/* It comes from where it was not listed, and a blow throws it out again in the step that finds it: the certificate knows how deep it was. */
START_TEST(the_depth_of_a_contact_that_was_not_listed_is_seen) {
  const double q[1] = {0.5}, v[1] = {0.0};
  static const char touched[1] = {1};
  own s;
  make(&s, 1, 1.0);
  floors(&s, 1, 1, 0.0, 0.0);
  s.weight[0] = -g;
  s.system.contacts.varies = PRC_CONTACTS_SET, s.system.contacts.touched = touched;
  s.margin = 1e-300;
  s.system.dynamics.varies = PRC_LOADS_IN_TIME;
  const prc_step_options o = options(7e-3, 0.5);
  start(&s, &o, q, v);
  for (int k = 0; k < 200 && s.r->q[0] >= 0.0; k++) step(&s, 1);
  const double deepest = -s.r->q[0];
  s.weight[0] = 1e4;
  step(&s, 2);
  ck_assert_double_gt(s.r->q[0], 0.0);
  ck_assert_double_gt(deepest, 1e-3);
  ck_assert_double_eq(prc_ledger_certificate(s.ledger).entry[PRC_CERTIFY_PENETRATION].value, deepest);
  drop(&s);
}
END_TEST

static prc_status pulled(void *owner, double t, double h, double *v, prc_error *e) {
  (void)owner, (void)h, (void)e;
  v[0] = 0.3 * t;
  return PRC_OK;
}

/* Load steps whose support is known by its velocity alone, or rests where it is. */
START_TEST(load_steps_follow_a_velocity_and_leave_what_rests) {
  const int dof[] = {0};
  const double q[2] = {0.25, 0.1}, v[2] = {0.0}, h = 0.1;
  int p[] = {0, 2, 3}, i[] = {0, 1, 1};
  double x[] = {2.0, -2.0, 3.0}, expected = 0.25;
  const prc_sym K = {.n = 2, .p = p, .i = i, .x = x};
  own s;
  make(&s, 2, 1.0);
  s.system.dynamics.K = &K;
  s.system.drive = (prc_drive){.n = 1, .rest = _i, .dof = dof, .velocity = pulled};
  prc_step_options o = options(h, 1.0);
  o.scheme = "static";
  start(&s, &o, q, v);
  for (int k = 1; k <= 10; k++) {
    step(&s, 1);
    if (!_i) expected += h * 0.3 * k * h;
    ck_assert_double_eq_tol(s.r->q[0], expected, 1e-15);
    ck_assert_double_eq_tol(s.r->q[1], 2.0 / 3.0 * expected, 1e-14);
  }
  drop(&s);
}
END_TEST

static Suite *suite(void) {
  Suite *all = suite_create("own systems");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 60.0);
  tcase_add_loop_test(tc, a_mass_slides_on_a_floor_and_stops, 0, 4);
  tcase_add_loop_test(tc, a_mass_bounces_whatever_the_number_of_rows, 0, 4);
  tcase_add_test(tc, a_body_falls_in_air);
  tcase_add_test(tc, a_load_across_the_velocity_does_no_work);
  tcase_add_test(tc, a_stiffening_spring_has_its_period_and_keeps_its_energy);
  tcase_add_loop_test(tc, rounding_of_a_potential_keeps_no_step_from_its_end, 0, 2);
  tcase_add_test(tc, a_linear_spring_steps_as_by_its_matrix);
  tcase_add_test(tc, a_pendulum_by_two_coordinates_keeps_its_length_and_its_energy);
  tcase_add_loop_test(tc, contacts_that_come_and_go_change_nothing, 0, 8);
  tcase_add_loop_test(tc, a_run_with_contacts_that_come_and_go_goes_on_where_it_stopped, 0, 16);
  tcase_add_loop_test(tc, while_the_set_is_within_its_capacity_a_step_allocates_nothing, 0, 4);
  tcase_add_loop_test(tc, a_step_that_finds_no_memory_can_be_made_again, 0, 4);
  tcase_add_test(tc, friction_weakens_with_slip);
  tcase_add_test(tc, what_friction_remembers_ends_with_the_contact_and_survives_a_resumption);
  tcase_add_test(tc, a_start_anew_and_a_resumption_without_contacts_forget);
  tcase_add_test(tc, systems_without_what_they_need_are_refused);
  tcase_add_test(tc, a_dof_without_mass_on_a_dashpot_alone_is_refused);
  tcase_add_test(tc, a_restitution_that_appears_is_refused_where_it_would_give_energy);
  tcase_add_loop_test(tc, a_gap_or_a_direction_that_is_no_number_ends_the_run, 0, 2);
  tcase_add_test(tc, what_rests_is_found_by_a_search_without_a_margin);
  tcase_add_test(tc, the_depth_of_a_contact_that_was_not_listed_is_seen);
  tcase_add_loop_test(tc, load_steps_follow_a_velocity_and_leave_what_rests, 0, 2);
  suite_add_tcase(all, tc);
  return all;
}

int main(void) {
  return support_run(suite());
}
