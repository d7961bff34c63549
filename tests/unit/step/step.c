#include "config.h"
#include "support/support.h"
#include "support/toy.h"
#include "linear/linear.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static const prc_impact laws[2] = {PRC_IMPACT_FREMOND, PRC_IMPACT_NEWTON};
static const double nothing[TOY_MAX] = {0.0};

/* ---- a point mass ---------------------------------------------------------------------------------------------- */

START_TEST(free_flight_is_a_parabola_at_theta_one_half) {
  const prc_step_options o = toy_options(0.01, 0.5, laws[_i]);
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
    ck_assert_double_eq_tol(toy_velocity(&s, 1), 5.0 - 9.81 * t, 1e-13);
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
  const prc_step_options o = toy_options(0.1, theta, PRC_IMPACT_FREMOND);
  toy s;
  toy_make(&s, 1, 2.0);
  s.load = rising;
  toy_start(&s, &o, nothing, nothing);
  double v = 0.0;
  for (int k = 0; k < 20; k++) {
    toy_step(&s, 1);
    v += 0.1 / 2.0 * ((1.0 - theta) * (0.1 * k) * (0.1 * k) + theta * (0.1 * (k + 1)) * (0.1 * (k + 1)));
    ck_assert_double_eq_tol(toy_velocity(&s, 0), v, 1e-14);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_bounce_turns_the_velocity_round) { /* u' = -e u, (77), at any theta that (87) allows */
  static const double e[] = {0.0, 0.5, 1.0};
  const double restitution = e[_i / 4], largest = 1.0 / (1.0 + restitution);
  const double theta = _i % 4 < 2 ? 0.5 : largest;
  const prc_step_options o = toy_options(0.01, theta, laws[_i % 2]);
  const double v[2] = {3.0, -4.0};
  toy s;
  toy_make(&s, 2, 2.0);
  toy_floor(&s, 1, 0, 0.25, restitution);
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 1);
  ck_assert_double_eq_tol(toy_velocity(&s, 1), 4.0 * restitution, 1e-14);
  ck_assert_double_eq_tol(s.r->p[0], 2.0 * 4.0 * (1.0 + restitution), 1e-13);
  ck_assert_double_eq_tol(s.r->p[1], -0.25 * s.r->p[0], 1e-13); /* it slides: mu p_N is less than m u_T */
  ck_assert_double_eq_tol(toy_velocity(&s, 0), 3.0 - 0.25 * 4.0 * (1.0 + restitution), 1e-13);
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
  const prc_impact law = laws[_i % 2];
  const prc_step_options o = toy_options(0.01, theta, law);
  toy s;
  toy_make(&s, 2, 2.0);
  toy_floor(&s, 1, 0, 1.0, 0.0);
  toy_start(&s, &o, nothing, v);
  toy_step(&s, 1);
  ck_assert_int_eq(s.r->status[0], PRC_CONE_STICK);
  ck_assert_double_eq_tol(toy_velocity(&s, 0), law == PRC_IMPACT_NEWTON ? 0.0 : -(1.0 - theta) / theta,
                          1e-13);
  ck_assert_double_eq_tol(toy_velocity(&s, 1), 0.0, 1e-13);
  toy_free(&s);
}
END_TEST

/* m = 2 under its weight 20 and a push T: mu = 0.5 holds it up to T = 10. */
START_TEST(a_pushed_mass_sticks_or_slides) {
  const double theta = _i < 4 ? 0.5 : 1.0, push = _i / 2 % 2 ? 16.0 : 8.0;
  const prc_step_options o = toy_options(0.01, theta, laws[_i % 2]);
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
    ck_assert_double_eq_tol(toy_velocity(&s, 0), a * t, 1e-12);
    /* exact at 1/2; at 1 a sum of end velocities, a h^2 k (k + 1) / 2 */
    ck_assert_double_eq_tol(s.r->q[0], theta == 0.5 ? 0.5 * a * t * t : 0.5 * a * t * (t + 0.01), 1e-12);
    ck_assert_double_eq_tol(s.r->q[1], 0.0, 1e-14);
    ck_assert_int_eq(s.r->status[0], a > 0.0 ? PRC_CONE_SLIP : PRC_CONE_STICK);
  }
  toy_free(&s);
}
END_TEST

START_TEST(a_sliding_mass_comes_to_rest) { /* by friction, after v / (mu g), and stays there */
  const prc_step_options o = toy_options(0.01, 0.5, PRC_IMPACT_NEWTON);
  const double v[2] = {2.0, 0.0};
  toy s;
  toy_make(&s, 2, 1.0);
  s.F[1] = -10.0;
  toy_floor(&s, 1, 0, 0.4, 0.0);
  toy_start(&s, &o, nothing, v);
  for (int k = 1; k <= 80; k++) {
    toy_step(&s, 1);
    ck_assert_double_eq_tol(toy_velocity(&s, 0), fmax(0.0, 2.0 - 4.0 * 0.01 * k), 1e-12);
  }
  ck_assert_double_eq_tol(s.r->q[0], 0.5, 1e-12); /* v^2 / (2 mu g) */
  toy_free(&s);
}
END_TEST

/* ---- oscillators ----------------------------------------------------------------------------------------------- */

START_TEST(an_oscillator_keeps_its_energy_at_theta_one_half) {
  const prc_step_options o = toy_options(0.1, 0.5, PRC_IMPACT_FREMOND);
  const double q[2] = {0.0, 1.0}, omega = 1.7;
  toy s;
  toy_oscillator(&s, omega);
  toy_start(&s, &o, q, nothing);
  for (int k = 0; k < 10000; k++) {
    toy_step(&s, 1);
    const double v = toy_velocity(&s, TOY_MASS),
                 E = 0.5 * (v * v + omega * omega * s.r->q[TOY_MASS] * s.r->q[TOY_MASS]);
    ck_assert_double_eq_tol(E, 0.5 * omega * omega,
                            1e-12); /* 1e4 steps of rounding add up as a walk: 100 eps */
  }
  toy_free(&s);
}
END_TEST

static double oscillator_error(double h, double theta, double *energy) {
  const prc_step_options o = toy_options(h, theta, PRC_IMPACT_FREMOND);
  const double q[2] = {0.0, 1.0};
  toy s;
  toy_oscillator(&s, 1.0);
  toy_start(&s, &o, q, nothing);
  toy_step(&s, (int)lround(5.0 / h));
  const double error = hypot(s.r->q[TOY_MASS] - cos(5.0), toy_velocity(&s, TOY_MASS) + sin(5.0));
  *energy = 0.5 * (pow(s.r->q[TOY_MASS], 2.0) + pow(toy_velocity(&s, TOY_MASS), 2.0));
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
  const prc_step_options o = toy_options(h, theta, PRC_IMPACT_FREMOND);
  double q = 1.0, v = 0.0;
  toy s;
  toy_make(&s, 2, m);
  toy_spring(&s, TOY_WALL, TOY_MASS, k);
  s.system.drive.n = 1, s.system.drive.rest = 1;
  s.system.dynamics.damping_mass = alpha, s.system.dynamics.damping_stiffness = beta;
  s.F[TOY_MASS] = 0.5;
  toy_start(&s, &o, q0, nothing);
  for (int step = 0; step < 200; step++) {
    toy_step(&s, 1);
    const double mid = (m * v + h * theta * (0.5 - k * q)) / (m + h * theta * c + h * h * theta * theta * k);
    q += h * mid;
    v = (mid - (1.0 - theta) * v) / theta;
    ck_assert_double_eq_tol(s.r->q[TOY_MASS], q, 1e-13);
    ck_assert_double_eq_tol(toy_velocity(&s, TOY_MASS), v, 1e-13);
    ck_assert_double_eq_tol(0.5 * m * v * v + 0.5 * k * q * q,
                            0.5 * toy_velocity(&s, TOY_MASS) * toy_velocity(&s, TOY_MASS) * m
                                + 0.5 * k * s.r->q[TOY_MASS] * s.r->q[TOY_MASS],
                            1e-12);
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
    const prc_step_options o = toy_options(0.01, _i ? 0.5 : 1.0, laws[k]);
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

START_TEST(
    directions_that_may_vary_but_do_not_change_nothing) { /* W of all is not kept, and contacts are found anew */
  const double v[6] = {2.0, -1.0, 1.0, -2.0, -1.0, -3.0};
  static const unsigned varies[4] = {0, PRC_CONTACTS_H, PRC_CONTACTS_SET, PRC_CONTACTS_H | PRC_CONTACTS_SET};
  static const char touched[6] = {1, 1, 1, 1, 1, 1};
  toy s[4];
  for (int k = 0; k < 4; k++) {
    const prc_step_options o = toy_options(0.01, 0.5, laws[_i]);
    chain(&s[k]);
    s[k].system.contacts.varies = varies[k], s[k].system.contacts.touched = touched;
    toy_start(&s[k], &o, nothing, v);
  }
  for (int step = 0; step < 500; step++) {
    toy_step(&s[0], 1);
    for (int k = 1; k < 4; k++) {
      toy_step(&s[k], 1);
      for (int i = 0; i < 6; i++) {
        ck_assert_double_eq_tol(s[0].r->q[i], s[k].r->q[i], 1e-11);
        ck_assert_double_eq_tol(s[0].r->p[i], s[k].r->p[i], 1e-11);
      }
    }
  }
  for (int k = 0; k < 4; k++) toy_free(&s[k]);
}
END_TEST

START_TEST(the_order_in_which_contacts_are_found_changes_no_bit) { /* they are in the order of their ids */
  const double v[6] = {2.0, -1.0, 1.0, -2.0, -1.0, -3.0};
  toy s[2];
  int pushed = 0;
  for (int k = 0; k < 2; k++) {
    const prc_step_options o = toy_options(0.01, 0.5, laws[_i]);
    chain(&s[k]);
    s[k].backwards = k;
    toy_start(&s[k], &o, nothing, v);
    for (int c = 0; c < s[k].r->n_contacts; c++)
      ck_assert_uint_eq(s[k].r->contacts->id[c].feature_b, (uint32_t)c);
  }
  ck_assert_int_gt(s[0].r->n_contacts, 1);
  for (int step = 0; step < 500; step++) {
    toy_step(&s[0], 1), toy_step(&s[1], 1);
    ck_assert_mem_eq(s[0].r->q, s[1].r->q, sizeof v);
    ck_assert_mem_eq(s[0].r->p, s[1].r->p, 2 * (size_t)s[0].r->n_contacts * sizeof *v);
    pushed += s[0].r->n_active;
  }
  ck_assert_int_gt(pushed, 100);
  toy_free(&s[0]), toy_free(&s[1]);
}
END_TEST

START_TEST(vectors_are_in_the_systems_order) {
  const double q[6] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}, v[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0},
               loads[6] = {1.5, -2.5, 3.5, -4.5, 5.5, -6.5};
  const prc_step_options o = toy_options(0.01, 0.5, PRC_IMPACT_FREMOND);
  double v_out[6], m[6], f[6];
  toy s;
  chain(&s);
  s.system.drive.n = 2, s.system.drive.rest = 0;
  s.prescribed[0] = 1, s.prescribed[1] = 4, s.motion[0] = -7.0, s.motion[1] = 8.0;
  memcpy(s.F, loads, sizeof loads);
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
    ck_assert(s.r->v[i] == v_out[i] && s.r->m[i] == m[i] && s.r->f[i] == f[i]);
  }
  toy_step(&s, 1);
  for (int i = 0; i < 6; i++) {
    const double v_next = toy_velocity(&s, i);
    ck_assert(s.r->v[i] == v_next && s.r->v_old[i] == v_out[i] && s.r->m_old[i] == m[i]);
    ck_assert(s.r->f_old[i] == f[i] && s.r->F[i] == loads[i]);
    ck_assert_double_eq_tol(s.r->v_work[i], 0.5 * (v_out[i] + v_next), 1e-13);
    ck_assert_double_eq_tol(s.r->q[i], q[i] + 0.01 * s.r->v_work[i], 1e-15);
  }
  for (int r = 0; r < 2; r++) /* what prescribed motions follow */
    ck_assert_double_eq_tol(s.r->v[s.prescribed[r]], s.motion[r], 1e-12);
  toy_free(&s);
}
END_TEST

/* ---- W ----------------------------------------------------------------------------------------------------------- */

/* A random positive definite system of n dofs, c contacts of dense random H, some dofs prescribed. */
static void random_system(toy *s, prc_random *random, int n, int contacts, int prescribed) {
  double A[TOY_MAX][TOY_MAX];
  toy_make(s, n, 1.0);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i][j] = prc_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) (pass ? s->K : s->M)[i][j] += (pass ? 30.0 : 0.2) * A[i][k] * A[j][k];
  }
  s->n_contacts = contacts;
  for (int c = 0; c < contacts; c++)
    for (int r = 0; r < 2; r++)
      for (int i = 0; i < 4; i++)
        s->H[c][r][prc_random_bits(random) % (uint64_t)n] = prc_random_uniform(random, -1.0, 1.0);
  s->system.drive.n = prescribed, s->system.drive.rest = 1;
  for (int i = 0; i < prescribed; i++) s->prescribed[i] = 1 + 3 * i;
}

/* Mhat over all dofs, rows and columns of the prescribed ones those of the unit matrix; one column of H' as right side. */
static void solve_column(const toy *s, const prc_step_options *o, int c, int r, double *x) {
  const int n = s->system.space.nv;
  double A[TOY_MAX * TOY_MAX];
  int pivots[TOY_MAX];
  for (int i = 0; i < n; i++) {
    x[i] = s->H[c][r][i];
    for (int j = 0; j < n; j++) A[i * n + j] = s->M[i][j] + o->h * o->h * o->theta * o->theta * s->K[i][j];
  }
  for (int k = 0; k < s->system.drive.n; k++) {
    const int p = s->prescribed[k];
    for (int j = 0; j < n; j++) A[p * n + j] = A[j * n + p] = 0.0;
    A[p * n + p] = 1.0, x[p] = 0.0;
  }
  support_ok(prc_dense_solve(n, A, pivots, x), &err);
}

START_TEST(
    the_delassus_matrix_is_that_of_single_solves) { /* (99), for random systems and random active sets */
  prc_random random = {(uint64_t)_i + 1};
  const prc_step_options o = toy_options(0.2, 0.5 + 0.05 * (_i % 5), PRC_IMPACT_FREMOND);
  const int contacts = 1 + _i % 5, n = 8 + _i % 5;
  toy s;
  random_system(&s, &random, n, contacts, _i % 4);
  s.system.contacts.varies = (_i % 2) ? 0 : PRC_CONTACTS_H;
  toy_start(&s, &o, nothing, nothing);
  for (int set = 1; set < 1 << contacts; set++) {
    int list[TOY_MAX], count = 0;
    double W[4 * TOY_MAX * TOY_MAX];
    for (int c = 0; c < contacts; c++)
      if (set >> c & 1) list[count++] = c;
    prc_stepper_delassus(s.stepper, count, list, W);
    for (int j = 0; j < 2 * count; j++) {
      double x[TOY_MAX];
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

/* (97) in every row with the percussions of the step; F: the loads, constant */
static void expect_motion(const toy *s, double h, double theta, const double *F, const double *q_old,
                          const double *v_old, const double *v_new) {
  const int n = s->system.space.nv, contacts = s->n_contacts;
  for (int i = 0; i < n; i++) {
    double residual = -h * F[i];
    int held = 0;
    for (int k = 0; k < s->system.drive.n; k++) held |= s->prescribed[k] == i;
    for (int j = 0; j < n; j++) {
      const double v_theta = theta * v_new[j] + (1.0 - theta) * v_old[j];
      residual += s->M[i][j] * (v_new[j] - v_old[j]) + h * s->K[i][j] * (q_old[j] + theta * h * v_theta);
    }
    for (int c = 0; c < contacts; c++)
      for (int r = 0; r < 2; r++) residual -= s->H[c][r][i] * s->r->p[2 * c + r];
    if (held)
      ck_assert(v_new[i] == 0.0);
    else
      ck_assert_double_eq_tol(residual, 0.0, 1e-11);
  }
}

/* (61c) and the law of every contact that has a percussion, p = proj(p - Phi(w)), (62) or (73) */
static void expect_law(const toy *s, prc_impact law, double theta, const double *v_new) {
  const int n = s->system.space.nv, contacts = s->n_contacts;
  for (int c = 0; c < contacts; c++) {
    const double *p = s->r->p + 2 * c, *u_old = s->r->u_old + 2 * c;
    double u[2] = {0.0, 0.0}, x[2];
    for (int r = 0; r < 2; r++) {
      for (int i = 0; i < n; i++) u[r] += s->H[c][r][i] * v_new[i];
      ck_assert_double_eq_tol(s->r->u[2 * c + r], u[r], 1e-12);
      ck_assert_double_eq_tol(s->r->u_work[2 * c + r], theta * u[r] + (1.0 - theta) * u_old[r], 1e-12);
    }
    if (p[0] == 0.0 && p[1] == 0.0) continue;
    const double t = law == PRC_IMPACT_NEWTON ? u[1] : theta * u[1] + (1.0 - theta) * u_old[1];
    const int parts =
        (s->system.contacts.varies & PRC_CONTACTS_H) && u_old[0] > 0.0; /* then w_N is u_{k+theta} */
    const double back = parts ? (1.0 - theta) / theta * u_old[0] : s->e[c] * u_old[0];
    x[0] = p[0] - (law == PRC_IMPACT_NEWTON ? 1.0 : theta) * (u[0] + back) - s->mu[c] * fabs(t);
    x[1] = p[1] - t;
    prc_cone_project(2, s->mu[c], x);
    ck_assert_double_eq_tol(x[0], p[0], 1e-11);
    ck_assert_double_eq_tol(x[1], p[1], 1e-11);
  }
}

/* The step itself with some contacts open: (97) holds with the percussions it reports, (61c) and the law too. */
START_TEST(a_step_obeys_the_equation_of_motion_and_the_law) {
  prc_random random = {(uint64_t)_i + 100};
  const prc_impact law = laws[_i % 2];
  const double theta = _i % 3 ? 0.5 : 0.65;
  const prc_step_options o = toy_options(0.05, theta, law);
  const int n = 12, contacts = 4;
  double q[TOY_MAX], v[TOY_MAX], v_old[TOY_MAX], q_old[TOY_MAX], v_new[TOY_MAX], F[TOY_MAX];
  int active = 0;
  toy s;
  random_system(&s, &random, n, contacts, _i % 4);
  s.system.contacts.varies = (_i / 2 % 2) ? 0 : PRC_CONTACTS_H;
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
    expect_motion(&s, o.h, theta, F, q_old, v_old, v_new);
    expect_law(&s, law, theta, v_new);
  }
  ck_assert_int_gt(active, 0);
  toy_free(&s);
}
END_TEST

SUITE(step) {
  Suite *suite = suite_create("step");
  TCase *point = tcase_create("point mass"), *oscillators = tcase_create("oscillators"),
        *W = tcase_create("W");
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
  tcase_add_loop_test(oscillators, the_order_in_which_contacts_are_found_changes_no_bit, 0, 2);
  tcase_add_test(oscillators, vectors_are_in_the_systems_order);
  tcase_add_loop_test(W, the_delassus_matrix_is_that_of_single_solves, 0, 20);
  tcase_add_loop_test(W, a_step_obeys_the_equation_of_motion_and_the_law, 0, 12);
  TCase *const cases[] = {point, oscillators, W};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) suite_add_tcase(suite, cases[k]);
  return suite;
}
