#include "config.h"
#include "support/allocator.h"
#include "support/block.h"
#include "support/support.h"
#include "linear/linear.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- small systems, by hand ------------------------------------------------------------------------------------ */

enum { MAX = 12 }; /* dofs */

typedef struct toy {
  prc_system system;
  double M[MAX][MAX], K[MAX][MAX];
  double mu[MAX], e[MAX], gap0[MAX];
  double H[MAX][3][MAX]; /* contact, row, dof: dense */
  int prescribed[MAX], H_start[MAX + 1], H_dof[MAX * MAX];
  double F[MAX];      /* constant, unless load is set */
  double motion[MAX]; /* velocities of the prescribed dofs, in their order; unless drive is set */
  prc_status (*load)(double t, double *F, prc_error *err);
  double (*drive)(double t, double h);
  prc_stepper *stepper;
  const prc_step_record *r;
} toy;

static prc_error err;

static prc_status toy_force(void *body, double t, double *F, prc_error *e) {
  const toy *s = body;
  memcpy(F, s->F, (size_t)s->system.n_dof * sizeof *F);
  return s->load ? s->load(t, F, e) : PRC_OK;
}

static prc_status toy_velocity(void *body, double t, double h, double *v, prc_error *e) {
  const toy *s = body;
  (void)e;
  for (int i = 0; i < s->system.n_prescribed; i++) v[i] = s->drive ? s->drive(t, h) : s->motion[i];
  return PRC_OK;
}

static prc_status toy_displacement(void *body, double t, double *d, prc_error *e) {
  const toy *s = body;
  (void)e;
  for (int i = 0; i < s->system.n_prescribed; i++) d[i] = s->motion[i] * t;
  return PRC_OK;
}

static void toy_gap(void *body, const double *q, double *gap) {
  const toy *s = body;
  for (int c = 0; c < s->system.n_contacts; c++) {
    gap[c] = s->gap0[c];
    for (int i = 0; i < s->system.n_dof; i++) gap[c] += s->H[c][0][i] * q[i];
  }
}

static void toy_directions(void *body, const double *q, double *H) {
  const toy *s = body;
  const int n = s->system.n_dof, dim = s->system.dim;
  (void)q;
  for (int c = 0; c < s->system.n_contacts; c++)
    for (int r = 0; r < dim; r++)
      for (int i = 0; i < n; i++) H[(c * dim + r) * n + i] = s->H[c][r][i];
}

static prc_sym *packed(int n, double A[MAX][MAX]) {
  prc_sym *out = NULL;
  int at = 0;
  support_ok(prc_sym_create(n, n * (n + 1) / 2, &out, &err), &err);
  for (int j = 0; j < n; j++) {
    out->p[j] = at;
    for (int i = j; i < n; i++)
      if (i == j || A[i][j] != 0.0) out->i[at] = i, out->x[at++] = A[i][j];
  }
  out->p[n] = at;
  return out;
}

/* n dofs of mass m each; M, K, H, loads may be changed until toy_start. */
static void toy_make(toy *s, int n, double m) {
  prc_error_clear(&err);
  memset(s, 0, sizeof *s);
  s->system.n_dof = n, s->system.dim = 2;
  s->system.length = 1.0, s->system.velocity = 1.0;
  s->system.H_constant = s->system.force_constant = 1;
  for (int i = 0; i < n; i++) s->M[i][i] = m;
}

/* A contact with a floor, whose normal is dof `normal` and whose tangent is dof `tangent`. */
static void toy_floor(toy *s, int normal, int tangent, double mu, double e) {
  const int c = s->system.n_contacts++;
  s->H[c][0][normal] = s->H[c][1][tangent] = 1.0;
  s->mu[c] = mu, s->e[c] = e;
}

static void toy_spring(toy *s, int a, int b, double k) {
  s->K[a][a] += k, s->K[b][b] += k;
  s->K[a][b] -= k, s->K[b][a] -= k;
}

static prc_status toy_create(toy *s, const prc_step_options *options) {
  prc_system *y = &s->system;
  const int n = y->n_dof;
  int stiff = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) stiff |= s->K[i][j] != 0.0;
  for (int c = 0; c < y->n_contacts; c++) {
    s->H_start[c + 1] = s->H_start[c] + n;
    for (int i = 0; i < n; i++) s->H_dof[c * n + i] = i;
  }
  y->M = packed(n, s->M), y->K = stiff ? packed(n, s->K) : NULL;
  y->prescribed = s->prescribed, y->mu = s->mu, y->e = s->e, y->H_start = s->H_start, y->H_dof = s->H_dof;
  y->body = s;
  y->force = toy_force, y->force_constant = !s->load;
  y->prescribed_velocity = toy_velocity, y->prescribed_displacement = toy_displacement;
  y->gap = toy_gap, y->directions = toy_directions;
  return prc_stepper_create(y, options, &s->stepper, &err);
}

static void toy_start(toy *s, const prc_step_options *options, const double *q, const double *v) {
  support_ok(toy_create(s, options), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
}

static void toy_step(toy *s, int n) {
  for (int k = 0; k < n; k++) support_ok(prc_stepper_step(s->stepper, &err), &err);
}

static void toy_free(toy *s) {
  prc_sym *M = (prc_sym *)s->system.M, *K = (prc_sym *)s->system.K;
  prc_stepper_free(&s->stepper);
  prc_sym_free(&M);
  prc_sym_free(&K);
}

/* velocity of dof i of the system */
static double velocity(const toy *s, int i) {
  double v[MAX];
  prc_stepper_state(s->stepper, v, NULL, NULL);
  return v[i];
}

static prc_step_options options_of(double h, double theta, prc_law law) {
  prc_step_options o = prc_step_options_default(h);
  o.theta = theta, o.law = law;
  o.cone.tolerance = 1e-14;
  return o;
}

static const prc_law laws[2] = {PRC_LAW_FREMOND, PRC_LAW_NEWTON};
static const double nothing[MAX] = {0.0};

/* ---- a point mass ---------------------------------------------------------------------------------------------- */

START_TEST(free_flight_is_a_parabola_at_theta_one_half) {
  const prc_step_options o = options_of(0.01, 0.5, laws[_i]);
  const double v[2] = {3.0, 5.0};
  toy s;
  toy_make(&s, 2, 2.0);
  s.F[1] = -2.0 * 9.81;
  toy_floor(&s, 1, 0, 0.5, 0.5);
  toy_start(&s, &o, nothing, v);
  for (int k = 1; k <= 100; k++) { /* it lands at t = 1.02 */
    toy_step(&s, 1);
    const double t = 0.01 * k;
    ck_assert(s.r->t == 0.01 * k);
    ck_assert_double_eq_tol(s.r->q[0], 3.0 * t, 1e-14);
    ck_assert_double_eq_tol(s.r->q[1], 5.0 * t - 0.5 * 9.81 * t * t, 1e-13);
    ck_assert_double_eq_tol(velocity(&s, 1), 5.0 - 9.81 * t, 1e-13);
    ck_assert_double_eq_tol(s.r->gap[0], s.r->q[1], 1e-15);
  }
  ck_assert_int_eq(s.r->n_active, 0);
  toy_free(&s);
}
END_TEST

static prc_status rising(double t, double *F, prc_error *e) {
  (void)e;
  F[0] = t * t;
  return PRC_OK;
}

START_TEST(the_load_is_that_of_its_ends) { /* F_{k+theta} = (1 - theta) F_k + theta F_{k+1} */
  const double theta = (double[]){0.5, 0.75, 1.0}[_i];
  const prc_step_options o = options_of(0.1, theta, PRC_LAW_FREMOND);
  toy s;
  toy_make(&s, 1, 2.0);
  s.load = rising;
  toy_start(&s, &o, nothing, nothing);
  double v = 0.0;
  for (int k = 0; k < 20; k++) {
    toy_step(&s, 1);
    v += 0.1 / 2.0 * ((1.0 - theta) * (0.1 * k) * (0.1 * k) + theta * (0.1 * (k + 1)) * (0.1 * (k + 1)));
    ck_assert_double_eq_tol(velocity(&s, 0), v, 1e-14);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_bounce_turns_the_velocity_round) { /* u' = -e u, (77), at any theta that (87) allows */
  static const double e[] = {0.0, 0.5, 1.0};
  const double restitution = e[_i / 4], largest = 1.0 / (1.0 + restitution);
  const double theta = _i % 4 < 2 ? 0.5 : largest;
  const prc_step_options o = options_of(0.01, theta, laws[_i % 2]);
  const double v[2] = {3.0, -4.0};
  toy s;
  toy_make(&s, 2, 2.0);
  toy_floor(&s, 1, 0, 0.25, restitution);
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 1);
  ck_assert_double_eq_tol(velocity(&s, 1), 4.0 * restitution, 1e-14);
  ck_assert_double_eq_tol(s.r->p[0], 2.0 * 4.0 * (1.0 + restitution), 1e-13);
  ck_assert_double_eq_tol(s.r->p[1], -0.25 * s.r->p[0], 1e-13); /* it slides: mu p_N is less than m u_T */
  ck_assert_double_eq_tol(velocity(&s, 0), 3.0 - 0.25 * 4.0 * (1.0 + restitution), 1e-13);
  ck_assert_int_eq(s.r->status[0], PRC_CONE_SLIP);
  if (restitution > 0.0) {
    toy_step(&s, 1); /* it leaves */
    ck_assert_double_eq_tol(s.r->p[0], 0.0, 1e-300);
    ck_assert_int_eq(s.r->status[0], PRC_CONE_OPEN);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_corner_of_velocities_is_stopped_by_friction) {
  /* u_T = 1, u_N = -4, mu = 1, e = 0: sticks. Newton: u'_T = 0; Fremond: u_{T,k+theta} = 0, so u'_T = -(1-theta)/theta */
  const double theta = _i < 2 ? 0.5 : 0.8, v[2] = {1.0, -4.0};
  const prc_law law = laws[_i % 2];
  const prc_step_options o = options_of(0.01, theta, law);
  toy s;
  toy_make(&s, 2, 2.0);
  toy_floor(&s, 1, 0, 1.0, 0.0);
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 1);
  ck_assert_int_eq(s.r->status[0], PRC_CONE_STICK);
  ck_assert_double_eq_tol(velocity(&s, 0), law == PRC_LAW_NEWTON ? 0.0 : -(1.0 - theta) / theta, 1e-13);
  ck_assert_double_eq_tol(velocity(&s, 1), 0.0, 1e-13);
  toy_free(&s);
}
END_TEST

/* m = 2 under its weight 20 and a push T: mu = 0.5 holds it up to T = 10. */
START_TEST(a_pushed_mass_sticks_or_slides) {
  const double theta = _i < 4 ? 0.5 : 1.0, push = _i / 2 % 2 ? 16.0 : 8.0;
  const prc_step_options o = options_of(0.01, theta, laws[_i % 2]);
  toy s;
  toy_make(&s, 2, 2.0);
  s.F[0] = push, s.F[1] = -20.0;
  toy_floor(&s, 1, 0, 0.5, 0.0);
  toy_start(&s, &o, nothing, nothing);
  for (int k = 1; k <= 100; k++) {
    toy_step(&s, 1);
    const double t = 0.01 * k, a = push > 10.0 ? (push - 10.0) / 2.0 : 0.0;
    ck_assert_double_eq_tol(s.r->p[0], 20.0 * 0.01, 1e-13);
    ck_assert_double_eq_tol(s.r->p[1], -fmin(push, 10.0) * 0.01, 1e-13);
    ck_assert_double_eq_tol(velocity(&s, 0), a * t, 1e-12);
    /* exact at 1/2; at 1 a sum of end velocities, a h^2 k (k + 1) / 2 */
    ck_assert_double_eq_tol(s.r->q[0], theta == 0.5 ? 0.5 * a * t * t : 0.5 * a * t * (t + 0.01), 1e-12);
    ck_assert_double_eq_tol(s.r->q[1], 0.0, 1e-14);
    ck_assert_int_eq(s.r->status[0], a > 0.0 ? PRC_CONE_SLIP : PRC_CONE_STICK);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_sliding_mass_comes_to_rest) { /* by friction, after v / (mu g), and stays there */
  const prc_step_options o = options_of(0.01, 0.5, PRC_LAW_NEWTON);
  const double v[2] = {2.0, 0.0};
  toy s;
  toy_make(&s, 2, 1.0);
  s.F[1] = -10.0;
  toy_floor(&s, 1, 0, 0.4, 0.0);
  toy_start(&s, &o, nothing, v);
  for (int k = 1; k <= 80; k++) {
    toy_step(&s, 1);
    ck_assert_double_eq_tol(velocity(&s, 0), fmax(0.0, 2.0 - 4.0 * 0.01 * k), 1e-12);
  }
  ck_assert_double_eq_tol(s.r->q[0], 0.5, 1e-12); /* v^2 / (2 mu g) */
  toy_free(&s);
}
END_TEST

/* ---- oscillators ----------------------------------------------------------------------------------------------- */

enum { WALL, MASS };

/* A mass 1 on a spring of stiffness omega^2 to a wall, dof WALL, which is prescribed. */
static void oscillator(toy *s, double omega) {
  toy_make(s, 2, 1.0);
  toy_spring(s, WALL, MASS, omega * omega);
  s->system.n_prescribed = 1, s->system.prescribed_rest = 1;
}

START_TEST(an_oscillator_keeps_its_energy_at_theta_one_half) {
  const prc_step_options o = options_of(0.1, 0.5, PRC_LAW_FREMOND);
  const double q[2] = {0.0, 1.0}, omega = 1.7;
  toy s;
  oscillator(&s, omega);
  toy_start(&s, &o, q, nothing);
  for (int k = 0; k < 10000; k++) {
    toy_step(&s, 1);
    const double v = velocity(&s, MASS), E = 0.5 * (v * v + omega * omega * s.r->q[MASS] * s.r->q[MASS]);
    ck_assert_double_eq_tol(E, 0.5 * omega * omega,
                            1e-12); /* 1e4 steps of rounding add up as a walk: 100 eps */
  }
  toy_free(&s);
}
END_TEST

static double oscillator_error(double h, double theta, double *energy) {
  const prc_step_options o = options_of(h, theta, PRC_LAW_FREMOND);
  const double q[2] = {0.0, 1.0};
  toy s;
  oscillator(&s, 1.0);
  toy_start(&s, &o, q, nothing);
  toy_step(&s, (int)lround(5.0 / h));
  const double error = hypot(s.r->q[MASS] - cos(5.0), velocity(&s, MASS) + sin(5.0));
  *energy = 0.5 * (pow(s.r->q[MASS], 2.0) + pow(velocity(&s, MASS), 2.0));
  toy_free(&s);
  return error;
}

START_TEST(an_oscillator_is_second_order_at_theta_one_half) {
  double error[3], energy;
  for (int k = 0; k < 3; k++) error[k] = oscillator_error(0.1 / (1 << k), 0.5, &energy);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(log2(error[k] / error[k + 1]), 2.0, 0.05);
  ck_assert_double_eq_tol(error[2], 5.0 * 0.025 * 0.025 / 12.0,
                          2e-6); /* the phase lags by omega^3 h^2 t / 12 */
}
END_TEST

START_TEST(an_oscillator_is_first_order_and_damped_above) {
  double error[4], energy[4];
  for (int k = 0; k < 4; k++) error[k] = oscillator_error(0.02 / (1 << k), 0.8, &energy[k]);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(log2(error[k] / error[k + 1]), 1.0, 0.1);
    ck_assert_double_lt(energy[k], energy[k + 1]);
  }
  /* amplitudes decay by exp(-(theta - 1/2) h omega^2 t) */
  ck_assert_double_eq_tol(energy[3] / 0.5, exp(-2.0 * 0.3 * 0.0025 * 5.0), 1e-4);
}
END_TEST

/* The scheme for one dof, written once more from (61): M dv + h K q_theta + h C v_theta = h F. */
START_TEST(damping_follows_the_schemes_recursion) {
  const double theta = (double[]){0.5, 0.8, 1.0}[_i], h = 0.05, k = 9.0, m = 2.0, alpha = 0.3, beta = 0.07;
  const double c = alpha * m + beta * k, q0[2] = {0.0, 1.0};
  const prc_step_options o = options_of(h, theta, PRC_LAW_FREMOND);
  double q = 1.0, v = 0.0;
  toy s;
  toy_make(&s, 2, m);
  toy_spring(&s, WALL, MASS, k);
  s.system.n_prescribed = 1, s.system.prescribed_rest = 1;
  s.system.damping_mass = alpha, s.system.damping_stiffness = beta;
  s.F[MASS] = 0.5;
  toy_start(&s, &o, q0, nothing);
  for (int step = 0; step < 200; step++) {
    toy_step(&s, 1);
    const double mid = (m * v + h * theta * (0.5 - k * q)) / (m + h * theta * c + h * h * theta * theta * k);
    q += h * mid;
    v = (mid - (1.0 - theta) * v) / theta;
    ck_assert_double_eq_tol(s.r->q[MASS], q, 1e-13);
    ck_assert_double_eq_tol(velocity(&s, MASS), v, 1e-13);
    ck_assert_double_eq_tol(
        0.5 * m * v * v + 0.5 * k * q * q,
        0.5 * velocity(&s, MASS) * velocity(&s, MASS) * m + 0.5 * k * s.r->q[MASS] * s.r->q[MASS], 1e-12);
  }
  ck_assert_double_eq_tol(q, 0.5 / k, 0.05); /* it has come to rest */
  toy_free(&s);
}
END_TEST

/* Three masses between walls, two of which may touch floors: everything at once, for the two tests that follow. */
static void chain(toy *s) {
  toy_make(s, 6, 1.0);
  for (int i = 0; i < 4; i++) toy_spring(s, i, i + 2, 40.0 + i);
  toy_spring(s, 0, 1, 7.0), toy_spring(s, 4, 5, 9.0);
  for (int i = 0; i < 6; i++) s->K[i][i] += 11.0, s->M[i][i] += 0.1 * i;
  s->M[0][2] = s->M[2][0] = 0.2;
  for (int i = 1; i < 6; i += 2) s->F[i] = -10.0, s->F[i - 1] = 3.0;
  toy_floor(s, 1, 0, 0.3, 0.0), toy_floor(s, 3, 2, 0.4, 0.0), toy_floor(s, 5, 4, 0.1, 0.0);
}

START_TEST(the_laws_are_one_at_theta_1) { /* (84)-(85) */
  const double v[6] = {2.0, -1.0, 1.0, -2.0, -1.0, -3.0};
  toy s[2];
  for (int k = 0; k < 2; k++) {
    const prc_step_options o = options_of(0.01, _i ? 0.5 : 1.0, laws[k]);
    chain(&s[k]);
    toy_start(&s[k], &o, nothing, v);
  }
  double apart = 0.0;
  int touched = 0;
  for (int step = 0; step < 500; step++) {
    toy_step(&s[0], 1), toy_step(&s[1], 1);
    for (int i = 0; i < 6; i++) apart = fmax(apart, fabs(s[0].r->q[i] - s[1].r->q[i]));
    touched += s[0].r->n_active;
  }
  ck_assert_int_gt(touched, 500);
  if (_i)
    ck_assert_double_gt(apart, 1e-4); /* elsewhere they are two */
  else
    ck_assert_double_le(apart, 1e-12);
  toy_free(&s[0]), toy_free(&s[1]);
}
END_TEST

START_TEST(directions_that_may_vary_but_do_not_change_nothing) { /* H_constant = 0 takes other paths */
  const double v[6] = {2.0, -1.0, 1.0, -2.0, -1.0, -3.0};
  toy s[2];
  for (int k = 0; k < 2; k++) {
    const prc_step_options o = options_of(0.01, 0.5, laws[_i]);
    chain(&s[k]);
    s[k].system.H_constant = k;
    toy_start(&s[k], &o, nothing, v);
  }
  for (int step = 0; step < 500; step++) {
    toy_step(&s[0], 1), toy_step(&s[1], 1);
    for (int i = 0; i < 6; i++) {
      ck_assert_double_eq_tol(s[0].r->q[i], s[1].r->q[i], 1e-11);
      ck_assert_double_eq_tol(s[0].r->p[i], s[1].r->p[i], 1e-11);
    }
  }
  toy_free(&s[0]), toy_free(&s[1]);
}
END_TEST

START_TEST(positions_of_the_state_are_the_systems) {
  const double q[6] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}, v[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  const prc_step_options o = options_of(0.01, 0.5, PRC_LAW_FREMOND);
  double v_out[6], m[6], f[6];
  int seen[6] = {0}, moved = 0;
  toy s;
  chain(&s);
  s.system.n_prescribed = 2, s.system.prescribed_rest = 0;
  s.prescribed[0] = 1, s.prescribed[1] = 4, s.motion[0] = -7.0, s.motion[1] = 8.0;
  toy_start(&s, &o, q, v);
  prc_stepper_state(s.stepper, v_out, m, f);
  for (int i = 0; i < 6; i++) {
    const double datum = i == 1 ? -7.0 : i == 4 ? 8.0 : v[i];
    double mi = 0.0, fi = 0.0;
    ck_assert(v_out[i] == datum);
    ck_assert(s.r->q[i] == q[i]);
    for (int j = 0; j < 6; j++) mi += s.M[i][j] * v_out[j], fi += s.K[i][j] * q[j];
    ck_assert_double_eq_tol(m[i], mi, 1e-13);
    ck_assert_double_eq_tol(f[i], fi, 1e-13);
    ck_assert(s.r->v[i] == v_out[s.r->perm[i]]);
    seen[s.r->perm[i]]++;
    moved += s.r->perm[i] != i;
  }
  for (int i = 0; i < 6; i++) ck_assert_int_eq(seen[i], 1);
  ck_assert_int_gt(moved, 0);
  ck_assert_int_eq(s.r->perm[4], 1); /* the prescribed ones are last, in order */
  ck_assert_int_eq(s.r->perm[5], 4);
  toy_free(&s);
}
END_TEST

/* ---- W ----------------------------------------------------------------------------------------------------------- */

/* A random positive definite system of n dofs, c contacts of dense random H, some dofs prescribed. */
static void random_system(toy *s, prc_random *random, int n, int contacts, int prescribed) {
  double A[MAX][MAX];
  toy_make(s, n, 1.0);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i][j] = prc_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) (pass ? s->K : s->M)[i][j] += (pass ? 30.0 : 0.2) * A[i][k] * A[j][k];
  }
  s->system.n_contacts = contacts;
  for (int c = 0; c < contacts; c++)
    for (int r = 0; r < 2; r++)
      for (int i = 0; i < 4; i++)
        s->H[c][r][prc_random_bits(random) % (uint64_t)n] = prc_random_uniform(random, -1.0, 1.0);
  s->system.n_prescribed = prescribed, s->system.prescribed_rest = 1;
  for (int i = 0; i < prescribed; i++) s->prescribed[i] = 1 + 3 * i;
}

/* Mhat over all dofs, rows and columns of the prescribed ones those of the unit matrix; one column of H' as right side. */
static void solve_column(const toy *s, const prc_step_options *o, int c, int r, double *x) {
  const int n = s->system.n_dof;
  double A[MAX * MAX];
  int pivots[MAX];
  for (int i = 0; i < n; i++) {
    x[i] = s->H[c][r][i];
    for (int j = 0; j < n; j++) A[i * n + j] = s->M[i][j] + o->h * o->h * o->theta * o->theta * s->K[i][j];
  }
  for (int k = 0; k < s->system.n_prescribed; k++) {
    const int p = s->prescribed[k];
    for (int j = 0; j < n; j++) A[p * n + j] = A[j * n + p] = 0.0;
    A[p * n + p] = 1.0, x[p] = 0.0;
  }
  support_ok(prc_dense_solve(n, A, pivots, x), &err);
}

START_TEST(
    the_delassus_matrix_is_that_of_single_solves) { /* (99), for random systems and random active sets */
  prc_random random = {(uint64_t)_i + 1};
  const prc_step_options o = options_of(0.2, 0.5 + 0.05 * (_i % 5), PRC_LAW_FREMOND);
  const int contacts = 1 + _i % 5, n = 8 + _i % 5;
  toy s;
  random_system(&s, &random, n, contacts, _i % 4);
  s.system.H_constant = _i % 2;
  toy_start(&s, &o, nothing, nothing);
  for (int set = 1; set < 1 << contacts; set++) {
    int list[MAX], count = 0;
    double W[4 * MAX * MAX];
    for (int c = 0; c < contacts; c++)
      if (set >> c & 1) list[count++] = c;
    prc_stepper_delassus(s.stepper, count, list, W);
    for (int j = 0; j < 2 * count; j++) {
      double x[MAX];
      solve_column(&s, &o, list[j / 2], j % 2, x);
      for (int i = 0; i < 2 * count; i++) {
        double expected = 0.0;
        for (int d = 0; d < n; d++) expected += o.theta * s.H[list[i / 2]][i % 2][d] * x[d];
        ck_assert_double_eq_tol(W[i * 2 * count + j], expected, 1e-12);
        ck_assert(W[i * 2 * count + j] == W[j * 2 * count + i]);
      }
    }
  }
  toy_free(&s);
}
END_TEST

/* The step itself with some contacts open: (97) holds with the percussions it reports, (61c) and the law too. */
START_TEST(a_step_obeys_the_equation_of_motion_and_the_law) {
  prc_random random = {(uint64_t)_i + 100};
  const prc_law law = laws[_i % 2];
  const double theta = _i % 3 ? 0.5 : 0.65;
  const prc_step_options o = options_of(0.05, theta, law);
  const int n = 12, contacts = 4;
  double q[MAX], v[MAX], v_old[MAX], q_old[MAX], v_new[MAX], F[MAX];
  int active = 0;
  toy s;
  random_system(&s, &random, n, contacts, _i % 4);
  s.system.H_constant = _i / 2 % 2;
  for (int i = 0; i < n; i++) {
    q[i] = prc_random_uniform(&random, -0.1, 0.1), v[i] = prc_random_uniform(&random, -1.0, 1.0);
    s.F[i] = prc_random_uniform(&random, -5.0, 5.0);
  }
  for (int c = 0; c < contacts; c++)
    s.mu[c] = 0.2 + 0.1 * c, s.e[c] = 0.1 * c, s.gap0[c] = c == 2 ? 9.0 : -1.0;
  toy_start(&s, &o, q, v);
  memcpy(F, s.F, sizeof F);
  for (int step = 0; step < 20; step++) {
    memcpy(q_old, s.r->q, (size_t)n * sizeof *q_old);
    prc_stepper_state(s.stepper, v_old, NULL, NULL);
    toy_step(&s, 1);
    ck_assert(s.r->cone.converged);
    prc_stepper_state(s.stepper, v_new, NULL, NULL);
    active += s.r->n_active;
    for (int i = 0; i < n; i++) {
      double residual = -o.h * F[i];
      int held = 0;
      for (int k = 0; k < s.system.n_prescribed; k++) held |= s.prescribed[k] == i;
      for (int j = 0; j < n; j++) {
        const double v_theta = theta * v_new[j] + (1.0 - theta) * v_old[j];
        residual += s.M[i][j] * (v_new[j] - v_old[j]) + o.h * s.K[i][j] * (q_old[j] + theta * o.h * v_theta);
      }
      for (int c = 0; c < contacts; c++)
        for (int r = 0; r < 2; r++) residual -= s.H[c][r][i] * s.r->p[2 * c + r];
      if (held)
        ck_assert(v_new[i] == 0.0);
      else
        ck_assert_double_eq_tol(residual, 0.0, 1e-11);
    }
    for (int c = 0; c < contacts; c++) {
      const double *p = s.r->p + 2 * c, *u_old = s.r->u_old + 2 * c;
      double u[2] = {0.0, 0.0}, x[2];
      for (int r = 0; r < 2; r++) {
        for (int i = 0; i < n; i++) u[r] += s.H[c][r][i] * v_new[i];
        ck_assert_double_eq_tol(s.r->u[2 * c + r], u[r], 1e-12);
        ck_assert_double_eq_tol(s.r->u_theta[2 * c + r], theta * u[r] + (1.0 - theta) * u_old[r], 1e-12);
      }
      if (p[0] == 0.0 && p[1] == 0.0) continue;
      /* p = proj(p - Phi(w)), (62) or (73) */
      const double t = law == PRC_LAW_NEWTON ? u[1] : theta * u[1] + (1.0 - theta) * u_old[1];
      x[0] = p[0] - (law == PRC_LAW_NEWTON ? 1.0 : theta) * (u[0] + s.e[c] * u_old[0]) - s.mu[c] * fabs(t);
      x[1] = p[1] - t;
      prc_cone_project(2, s.mu[c], x);
      ck_assert_double_eq_tol(x[0], p[0], 1e-11);
      ck_assert_double_eq_tol(x[1], p[1], 1e-11);
    }
  }
  ck_assert_int_gt(active, 0);
  toy_free(&s);
}
END_TEST

/* ---- prescribed motion ------------------------------------------------------------------------------------------- */

/* The wall moves with velocity 1 from the start. Seen from it, the mass starts with -1 and swings: the trapezoidal rule is
 * a rotation, x = -sin(a k) / omega with tan(a / 2) = omega h / 2. */
START_TEST(a_moving_wall_does_not_ring) {
  const double omega = 1.7, h = 0.1, a = 2.0 * atan(0.5 * omega * h);
  const prc_step_options o = options_of(h, 0.5, PRC_LAW_FREMOND);
  double work = 0.0;
  toy s;
  oscillator(&s, omega);
  s.M[WALL][WALL] = 3.0;
  s.system.prescribed_rest = 0, s.motion[0] = 1.0;
  toy_start(&s, &o, nothing, nothing);
  ck_assert(velocity(&s, WALL) == 1.0);
  double before = 0.0;
  for (int k = 1; k <= 1000; k++) {
    toy_step(&s, 1);
    const double x = -sin(a * k) / omega;
    ck_assert(velocity(&s, WALL) == 1.0);
    ck_assert_double_eq_tol(s.r->q[WALL], h * k, 1e-11);
    ck_assert_double_eq_tol(s.r->q[MASS] - s.r->q[WALL], x, 1e-10);
    ck_assert_double_eq_tol(velocity(&s, MASS), 1.0 - cos(a * k), 1e-10);
    /* the wall only has to bear the spring, in the mean of the step */
    ck_assert_double_eq_tol(s.r->reaction[0], -0.5 * omega * omega * (x + before), 1e-10);
    work += h * 1.0 * s.r->reaction[0];
    const double v = velocity(&s, MASS);
    ck_assert_double_eq_tol(work, 0.5 * v * v + 0.5 * omega * omega * x * x, 1e-9);
    before = x;
  }
  prc_step_drift drift;
  support_ok(prc_stepper_drift(s.stepper, &drift, &err), &err);
  ck_assert_double_le(
      drift.elastic,
      1e-9 * drift.elastic_scale); /* of the spring's force, after 100 lengths of translation */
  ck_assert_double_le(drift.momentum, 1e-14 * drift.momentum_scale);
  ck_assert_double_eq_tol(drift.prescribed, fabs(s.r->q[WALL] - 100.0), 1e-15);
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
  const prc_step_options o = options_of(h, theta, PRC_LAW_FREMOND);
  toy s;
  oscillator(&s, 1.7);
  s.M[WALL][MASS] = s.M[MASS][WALL] = 0.3; /* a consistent mass couples */
  s.M[WALL][WALL] = 3.0;
  s.system.damping_mass = alpha, s.system.damping_stiffness = beta;
  s.system.prescribed_rest = 0, s.drive = swing;
  s.F[WALL] = 0.7;
  toy_start(&s, &o, nothing, nothing);
  double q_old[2] = {0.0}, v_old[2] = {0.0}, v[2];
  for (int step = 1; step <= 300; step++) {
    toy_step(&s, 1);
    for (int i = 0; i < 2; i++) v[i] = velocity(&s, i);
    ck_assert(v[WALL] == swing(h * step, h));
    double R = 0.0;
    for (int j = 0; j < 2; j++) { /* row WALL of (61) */
      const double v_theta = theta * v[j] + (1.0 - theta) * v_old[j],
                   q_theta = q_old[j] + theta * h * v_theta;
      const double Kj = j == WALL ? k : -k;
      R += s.M[WALL][j] * (v[j] - v_old[j]) / h + Kj * q_theta + (alpha * s.M[WALL][j] + beta * Kj) * v_theta;
    }
    ck_assert_double_eq_tol(s.r->reaction[0], R - 0.7, 1e-11);
    for (int i = 0; i < 2; i++) q_old[i] = s.r->q[i], v_old[i] = v[i];
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_motion_into_the_obstacle_is_refused) {
  const double velocities[3] = {-0.1, 0.0, 0.1};
  const prc_step_options o = options_of(0.01, 0.5, laws[_i]);
  for (int k = 0; k < 3; k++) { /* down, along, up */
    toy s;
    toy_make(&s, 2, 1.0);
    toy_floor(&s, 1, 0, 0.5, 0.0);
    s.system.n_prescribed = 1, s.prescribed[0] = 1, s.motion[0] = velocities[k];
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
  prc_step_options o = options_of(0.01, 0.5, PRC_LAW_FREMOND);
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
  support_ok(toy_create(&s, &o), &err);
  ck_assert_double_eq_tol(prc_stepper_options(s.stepper)->gap_tolerance, 40.0 * 2.22e-14 + 0.1 * 2e-8, 1e-15);
  ck_assert_double_eq_tol(prc_stepper_options(s.stepper)->velocity_tolerance, 2e-8, 1e-20);
  toy_free(&s);
  toy_make(&s, 2, 1.0);
  o.cone.tolerance = 1e-6; /* a looser contact problem leaves more velocity at a resting contact */
  support_ok(toy_create(&s, &o), &err);
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
  const prc_step_options o = options_of(0.01, of[_i].theta, PRC_LAW_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  toy_floor(&s, 1, 0, 0.5, of[_i].e);
  const prc_status status = toy_create(&s, &o);
  if (of[_i].good)
    support_ok(status, &err);
  else {
    support_fails(status, PRC_INPUT, &err, "expected a number in [1/2, 1/(1+e)]");
    ck_assert_ptr_null(s.stepper);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_step_that_is_no_length_is_refused) {
  const double h[] = {0.0, -1.0, NAN, INFINITY};
  const prc_step_options o = options_of(h[_i], 0.5, PRC_LAW_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  support_fails(toy_create(&s, &o), PRC_INPUT, &err, "the time step is ");
  toy_free(&s);
}
END_TEST

START_TEST(a_body_without_mass_is_singular) {
  const prc_step_options o = options_of(0.1, 0.5, PRC_LAW_FREMOND);
  toy s;
  toy_make(&s, 2, 1.0);
  s.M[1][1] = 0.0;
  support_fails(toy_create(&s, &o), PRC_SINGULAR, &err, "the iteration matrix M + h theta C + h^2 theta^2 K");
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
  const prc_step_options o = options_of(0.1, 0.5, laws[_i]);
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
  const prc_step_options o = options_of(0.1, 0.5, PRC_LAW_FREMOND);
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
  if (_i / 2) whole.step.linear = late.step.linear = PRC_LINEAR_ITERATIVE;
  block_start(&whole), block_start(&late);
  const size_t n = (size_t)whole.system->n_dof, rows = 2 * (size_t)whole.system->n_contacts;
  double *state = malloc((3 * n + prc_ledger_size()) * sizeof *state), *ledger = state + 3 * n;
  ck_assert_ptr_nonnull(state);
  block_step(&whole, 150);
  prc_stepper_state(whole.stepper, state, state + n, state + 2 * n);
  prc_ledger_save(whole.ledger, ledger);
  support_ok(prc_stepper_resume(late.stepper, 150, whole.record->q, state, state + n, state + 2 * n,
                                whole.record->p, &err),
             &err);
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
  static const char *const solvers[] = {"auto", "gauss-seidel", "active-set", "auto", "auto"};
  prc_mesh *mesh = _i == 4 ? block_strip(400, 2, 160.0, 0.8) : block_strip(20, 12, 40.0, 25.0);
  prc_status status = PRC_OK;
  block b;
  small_block(&b, mesh);
  b.step.solver = solvers[_i];
  if (_i == 3) b.step.linear = PRC_LINEAR_ITERATIVE;
  if (_i == 4) b.step.h = 1e-5; /* W by blocks */
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
  const size_t rows = 2 * (size_t)b.system->n_contacts;
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
        const double part = W[i * n + j] * r->p_active[j] / (laws[_i] == PRC_LAW_NEWTON ? b.step.theta : 1.0);
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
  direct.step.linear = PRC_LINEAR_DIRECT, iterative.step.linear = PRC_LINEAR_ITERATIVE;
  block_start(&direct), block_start(&iterative);
  ck_assert(!prc_stepper_facts(direct.stepper).iterative);
  ck_assert(prc_stepper_facts(iterative.stepper).iterative);
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
  const prc_ledger_options ledger = {
      .tangential_promised = 1, .normal_promised = 1, .tolerance = 1e-10, .max_penetration = -1.0};
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
  else if (what == 3) {
    b->step.linear = PRC_LINEAR_ITERATIVE;
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

int main(void) {
  Suite *suite = suite_create("step");
  TCase *point = tcase_create("point mass"), *oscillators = tcase_create("oscillators"),
        *W = tcase_create("W"), *motion = tcase_create("prescribed"),
        *activation = tcase_create("activation"), *refused = tcase_create("refused"),
        *body = tcase_create("body");
  tcase_add_loop_test(point, free_flight_is_a_parabola_at_theta_one_half, 0, 2);
  tcase_add_loop_test(point, the_load_is_that_of_its_ends, 0, 3);
  tcase_add_loop_test(point, a_bounce_turns_the_velocity_round, 0, 12);
  tcase_add_loop_test(point, a_corner_of_velocities_is_stopped_by_friction, 0, 4);
  tcase_add_loop_test(point, a_pushed_mass_sticks_or_slides, 0, 8);
  tcase_add_test(point, a_sliding_mass_comes_to_rest);
  tcase_add_test(oscillators, an_oscillator_keeps_its_energy_at_theta_one_half);
  tcase_add_test(oscillators, an_oscillator_is_second_order_at_theta_one_half);
  tcase_add_test(oscillators, an_oscillator_is_first_order_and_damped_above);
  tcase_add_loop_test(oscillators, damping_follows_the_schemes_recursion, 0, 3);
  tcase_add_loop_test(oscillators, the_laws_are_one_at_theta_1, 0, 2);
  tcase_add_loop_test(oscillators, directions_that_may_vary_but_do_not_change_nothing, 0, 2);
  tcase_add_test(oscillators, positions_of_the_state_are_the_systems);
  tcase_add_loop_test(W, the_delassus_matrix_is_that_of_single_solves, 0, 20);
  tcase_add_loop_test(W, a_step_obeys_the_equation_of_motion_and_the_law, 0, 12);
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
  tcase_add_loop_test(body, a_step_allocates_nothing, 0, 5);
  tcase_add_loop_test(body, every_failed_allocation_is_survived, 0, 4);
  TCase *const cases[] = {point, oscillators, W, motion, activation, refused, body};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) suite_add_tcase(suite, cases[k]);
  return support_run(suite);
}
