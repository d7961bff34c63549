/* Bodies in space that nothing touches: energy and angular momentum over 100 000 steps, tops in closed form, Dzhanibekov's turns at the times
 * of elliptic functions, attitudes against another integration, moments in fixed axes, driven bodies, and a boulder up to where it first touches
 * a slope. */
#include "config.h"
#include "spatial/spatial.h"
#include "step/step.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

static int show(void) {
  return getenv("PRC_SHOW") != NULL;
}
static void near(double value, double expected, double tolerance) {
  ck_assert_msg(fabs(value - expected) <= tolerance, "%.15g, expected %.15g +- %g", value, expected,
                tolerance);
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

enum { MOST_BODIES = 8 };

typedef struct {
  prc_spatial_body body[MOST_BODIES];
  prc_spatial_model model;
  prc_spatial *spatial;
  prc_stepper *stepper;
  const prc_step_record *record;
} run;

static prc_spatial_body *add(run *r, double J1, double J2, double J3) {
  prc_spatial_body *body = &r->body[r->model.n_bodies++];
  *body = (prc_spatial_body){
      .name = "top", .mass = 2.0, .inertia = {J1, J2, J3}, .orientation = {1.0}, .turns = 1};
  r->model.body = r->body;
  return body;
}

static void start_with(run *r, double h, double theta) {
  double q[7 * MOST_BODIES], v[6 * MOST_BODIES];
  prc_step_options options = prc_step_options_default(h);
  options.theta = theta;
  prc_error_clear(&err);
  support_ok(prc_spatial_create(&r->model, &r->spatial, &err), &err);
  prc_spatial_initial(r->spatial, q, v);
  support_ok(prc_stepper_create(prc_spatial_system(r->spatial), &options, &r->stepper, &err), &err);
  support_ok(prc_stepper_start(r->stepper, q, v, &err), &err);
  r->record = prc_stepper_record(r->stepper);
}
static void start(run *r, double h) {
  start_with(r, h, 0.5);
}
static void step(run *r) {
  support_ok(prc_stepper_step(r->stepper, &err), &err);
  r->record = prc_stepper_record(r->stepper);
}
static void end(run *r) {
  prc_stepper_free(&r->stepper);
  prc_spatial_free(&r->spatial);
}
static prc_spatial_motion motion(const run *r, int b) {
  return prc_spatial_motion_of(r->spatial, r->record->q, r->record->v, b);
}

static double energy_of(const run *r) {
  const prc_system *system = prc_spatial_system(r->spatial);
  return 0.5 * prc_sym_form(system->dynamics.M, r->record->v, r->record->v);
}
static double norm(int n, const double *x) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* ---- what stays ----------------------------------------------------------------------------------------- */

/* A rock, a plate, a needle and a ball, through the origin's neighbourhood and back. */
static void four_bodies(run *r) {
  static const double orientation[4] = {0.5, -0.5, 0.7, 0.1};
  prc_spatial_body *rock = add(r, 136844.35, 147071.19, 98845.51);
  rock->mass = 72049.828;
  rock->inertia[3] = -9121.35, rock->inertia[4] = 3144.91, rock->inertia[5] = -18336.50;
  rock->spin[0] = 0.5, rock->spin[1] = 10.0, rock->spin[2] = 0.1;
  rock->velocity[0] = -10.0, rock->velocity[2] = -35.0;
  prc_spatial_body *plate = add(r, 1.0, 2.0, 3.0), *needle = add(r, 1e-6, 5.0, 5.0),
                   *ball = add(r, 0.3, 0.3, 0.3);
  plate->spin[0] = 1e-3, plate->spin[1] = 4.0;
  needle->spin[0] = 10.0, needle->spin[1] = -1.0, needle->spin[2] = 0.2;
  ball->spin[0] = 3.0, ball->spin[1] = -2.0, ball->spin[2] = 7.0;
  ball->position[0] = 1e3, ball->velocity[1] = 0.1;
  for (int b = 1; b < 4; b++)
    for (int k = 0; k < 4; k++) r->body[b].orientation[k] = orientation[k];
}

START_TEST(energy_and_angular_momentum_stay) {
  static const double h[] = {5e-4, 2e-2};
  for (int b = 0; b < 4; b++) {
    run r = {0};
    four_bodies(&r);
    r.body[0] = r.body[b], r.model.n_bodies = 1;
    start(&r, h[_i]);
    double before[3], linear[3], now[3], change[3], worst[3] = {0.0}, passes = 0.0;
    const double energy = energy_of(&r);
    prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, before);
    for (int k = 0; k < 100000; k++) {
      step(&r);
      passes += r.record->passes;
      const prc_spatial_motion m = motion(&r, 0);
      worst[0] = fmax(worst[0], fabs(energy_of(&r) - energy) / energy);
      worst[2] = fmax(worst[2], fabs(norm(4, m.orientation) - 1.0));
      if (k % 100 > 0) continue;
      prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, now);
      double x[3], orbit[3];
      for (int i = 0; i < 3; i++) x[i] = m.position[i];
      for (int i = 0; i < 3;
           i++) /* the centre's part is that of a straight line: taken off, its rounding is of the way */
        orbit[i] = x[(i + 1) % 3] * linear[(i + 2) % 3] - x[(i + 2) % 3] * linear[(i + 1) % 3];
      for (int i = 0; i < 3; i++) change[i] = now[i] - orbit[i];
      if (k == 0) memcpy(before, change, sizeof before);
      for (int i = 0; i < 3; i++) change[i] -= before[i];
      worst[1] = fmax(worst[1], norm(3, change) / norm(3, before));
    }
    if (show())
      fprintf(stderr, "# body %d, h %g: energy %.2e, momentum %.2e, quaternion %.2e, passes %.2f\n", b, h[_i],
              worst[0], worst[1], worst[2], passes / 1e5);
    ck_assert_double_le(worst[0], 1e-12);
    ck_assert_double_le(worst[1], 1e-12);
    ck_assert_double_le(worst[2], 1e-14);
    end(&r);
  }
}
END_TEST

/* Whatever theta is: a plate that is tossed, Dzhanibekov's nut, and bodies by chance with turns of up to 0.4 a step. The centre goes on straight. */
START_TEST(free_rotation_keeps_energy_and_momentum_for_every_theta) {
  static const double theta[] = {0.5, 0.6, 0.75, 0.9, 1.0};
  prc_random random = {17 + (uint64_t)_i};
  for (int b = 0; b < 8; b++) {
    run r = {0};
    const double a = prc_random_uniform(&random, 0.2, 2.0), c = prc_random_uniform(&random, 0.2, 2.0);
    const double h = b == 0 ? 5e-4 : b == 1 ? 1e-3 : prc_random_uniform(&random, 1e-4, 1e-2);
    const int steps = b == 1 ? 10000 : 2000;
    prc_spatial_body *body = b == 0   ? add(&r, 1.0, 1.0, 2.0 - 1e-6)
                             : b == 1 ? add(&r, 1.0, 2.0, 3.0)
                                      : add(&r, a, c, prc_random_uniform(&random, fabs(a - c), a + c));
    for (int k = 0; k < 3; k++) {
      static const double tossed[3] = {60.0, 0.0, 60.0}, nut[3] = {0.1, 100.0, 0.1};
      body->spin[k] = b == 0 ? tossed[k] : b == 1 ? nut[k] : prc_random_uniform(&random, -25.0, 25.0);
      body->velocity[k] = prc_random_uniform(&random, -1.0, 1.0);
    }
    start_with(&r, h, theta[_i]);
    double before[3], now[3], linear[3], worst[2] = {0.0};
    const double energy = energy_of(&r);
    prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, before);
    for (int k = 1; k <= steps; k++) {
      step(&r);
      worst[0] = fmax(worst[0], fabs(energy_of(&r) - energy) / energy);
      near(r.record->work[PRC_WORK_numerical], 0.0, 1e-20);
      prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, now);
      for (int i = 0; i < 3; i++) worst[1] = fmax(worst[1], fabs(now[i] - before[i]) / norm(3, before));
    }
    for (int i = 0; i < 3; i++) near(r.record->q[i], h * steps * body->velocity[i], 1e-10);
    if (show())
      fprintf(stderr, "# theta %g, body %d, h %.2g: energy %.2e, momentum %.2e\n", theta[_i], b, h, worst[0],
              worst[1]);
    ck_assert_double_le(worst[0], 1e-12);
    ck_assert_double_le(worst[1], 1e-12);
    end(&r);
  }
}
END_TEST

/* ---- tops in closed form ---------------------------------------------------------------------------------- */

/* J1 = J2: w3 stays, and (w1, w2) turns with (J3 - J1)/J1 w3. The midpoint rule of a linear equation turns it by 2 atan of half the angle of a
 * step. Oblate, prolate, a rod that is nearly none, a disc. */
START_TEST(the_spin_of_a_top_turns_about_its_axis) {
  static const double J3[] = {2.0, 0.4, 1e-9, 2.0 - 1e-9}, h = 1e-3;
  for (int b = 0; b < 4; b++) {
    run r = {0};
    const double w[3] = {0.3, -0.2, 11.0}, rate = (J3[b] - 1.0) * w[2];
    memcpy(add(&r, 1.0, 1.0, J3[b])->spin, w, sizeof w);
    start(&r, h);
    for (int k = 1; k <= 10000; k++) {
      step(&r);
      const prc_spatial_motion m = motion(&r, 0);
      const double angle = k * 2.0 * atan(0.5 * h * rate);
      near(m.spin[0], cos(angle) * w[0] - sin(angle) * w[1], 1e-12);
      near(m.spin[1], sin(angle) * w[0] + cos(angle) * w[1], 1e-12);
      near(m.spin[2], w[2], 1e-13);
    }
    end(&r);
  }
}
END_TEST

/* Three equal moments: nothing to iterate, the spin keeps its bits, and a step turns by 2 atan of half of h |w|. */
START_TEST(a_ball_turns_about_a_fixed_axis) {
  run r = {0};
  const double h = 1e-2, w[3] = {2.0, -1.0, 2.0}; /* |w| = 3 */
  prc_spatial_body *ball = add(&r, 0.7, 0.7, 0.7);
  memcpy(ball->spin, w, sizeof w);
  ball->velocity[1] = 0.25;
  start(&r, h);
  for (int k = 1; k <= 10000; k++) {
    step(&r);
    const prc_spatial_motion m = motion(&r, 0);
    const double half = k * atan(0.5 * h * 3.0);
    near(m.orientation[0], cos(half), 1e-12);
    for (int i = 0; i < 3; i++) near(m.orientation[1 + i], sin(half) * w[i] / 3.0, 1e-12);
    for (int i = 0; i < 3; i++) ck_assert_double_eq(m.spin[i], w[i]);
    near(m.position[1], 0.25 * h * k, 1e-11);
  }
  end(&r);
}
END_TEST

/* ---- Dzhanibekov ------------------------------------------------------------------------------------------- */

/* sn, cn, dn of modulus k^2 = 1 - c2, by descending Landen steps: with a_{n+1} = (a_n + b_n)/2, b_{n+1} = sqrt(a_n b_n), c_{n+1} = (a_n - b_n)/2 from
 * (1, sqrt c2), phi_N = 2^N a_N u and sin(2 phi_{n-1} - phi_n) = c_n/a_n sin phi_n. *quarter: K. */
static void elliptic(double u, double c2, double out[3], double *quarter) {
  double a[16] = {1.0}, b = sqrt(c2), c[16] = {sqrt(1.0 - c2)};
  int n = 0;
  for (; fabs(c[n]) > 1e-17 && n < 15; n++) {
    a[n + 1] = 0.5 * (a[n] + b), c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
  }
  *quarter = 0.5 * acos(-1.0) / a[n];
  double phi = ldexp(a[n] * u, n), before = phi;
  for (int i = n; i > 0; i--) before = phi, phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  out[0] = sin(phi), out[1] = cos(phi), out[2] = n > 0 ? cos(phi) / cos(before - phi) : 1.0;
}

/* J1 < J2 < J3 and L^2 > 2 T J2: w1 = A1 cn, w2 = A2 sn, w3 = A3 dn of rate (t - t0); the turns of w2 are 2 K / rate apart. */
typedef struct {
  double A[3], rate, c2, quarter, t0;
} euler;
static euler euler_of(const double J[3], const double w[3]) {
  euler e = {.t0 = 0.0};
  double low = 0.0, high = 0.0,
         middle = 0.0; /* 2 T J3 - L^2, L^2 - 2 T J1, L^2 - 2 T J2, without what cancels in them */
  for (int k = 0; k < 3; k++) {
    low += J[k] * (J[2] - J[k]) * w[k] * w[k];
    high += J[k] * (J[k] - J[0]) * w[k] * w[k];
    middle += J[k] * (J[k] - J[1]) * w[k] * w[k];
  }
  e.A[0] = copysign(sqrt(low / (J[0] * (J[2] - J[0]))), w[0]);
  e.A[2] = copysign(sqrt(high / (J[2] * (J[2] - J[0]))), w[2]);
  /* J2 w2' = (J3 - J1) w3 w1 decides about the sign of A2 */
  e.A[1] = copysign(sqrt(low / (J[1] * (J[2] - J[1]))), w[0] * w[2]);
  e.rate = sqrt((J[2] - J[1]) * high / (J[0] * J[1] * J[2]));
  e.c2 = (J[2] - J[0]) * middle / ((J[2] - J[1]) * high); /* 1 - k^2 */
  double f[3];
  elliptic(0.0, e.c2, f, &e.quarter);
  /* u with am u = atan2 of both: am bends down, so Newton from 0 on comes from below; w2 alone, nearly A2, would lose half of the digits */
  const double amplitude = atan2(w[1] / e.A[1], w[0] / e.A[0]);
  double u = 0.0;
  for (int k = 0; k < 100; k++) {
    elliptic(u, e.c2, f, &e.quarter);
    u -= asin(f[0] * cos(amplitude) - f[1] * sin(amplitude)) / f[2];
  }
  e.t0 = -u / e.rate;
  return e;
}

/* Times at which w2 passes through zero, of steps of h, the cubic through values and rates at both ends: as many as there is room for. */
static void turns_of(const double J[3], const double w[3], double h, int n, double *t) {
  run r = {0};
  memcpy(add(&r, J[0], J[1], J[2])->spin, w, 3 * sizeof *w);
  start(&r, h);
  prc_spatial_motion before = motion(&r, 0);
  for (int k = 0, found = 0; found < n; k++) {
    step(&r);
    const prc_spatial_motion m = motion(&r, 0);
    if ((before.spin[1] > 0.0) != (m.spin[1] > 0.0)) {
      const double f0 = before.spin[1], f1 = m.spin[1];
      const double d0 = h * (J[2] - J[0]) / J[1] * before.spin[0] * before.spin[2],
                   d1 = h * (J[2] - J[0]) / J[1] * m.spin[0] * m.spin[2];
      double x = f0 / (f0 - f1);
      for (int i = 0; i < 20; i++) {
        const double c2 = -3.0 * f0 + 3.0 * f1 - 2.0 * d0 - d1, c3 = 2.0 * f0 - 2.0 * f1 + d0 + d1;
        x -= (f0 + x * (d0 + x * (c2 + x * c3))) / (d0 + x * (2.0 * c2 + 3.0 * x * c3));
      }
      t[found++] = (k + x) * h;
    }
    before = m;
  }
  end(&r);
}

/* Rotation about the middle axis, off by 1e-3 and by 1e-5: it turns over, and over again, at the times of the elliptic functions, to second order in
 * the step; extrapolated to none, to 1e-8 of them. */
START_TEST(rotation_about_the_middle_axis_turns_over) {
  enum { TURNS = 5 };
  static const double J[3] = {1.0, 2.0, 3.0};
  const double w[3] = {_i == 0 ? 1e-3 : 1e-5, 1.0, _i == 0 ? 1.2e-3 : 1.2e-5};
  const euler e = euler_of(J, w);
  double t[3][TURNS];
  const int turns = _i == 0 ? TURNS : 1; /* later ones are of what rounding has made of 1e-5 */
  for (int k = 0; k < 3; k++) turns_of(J, w, ldexp(0.04, -k), turns, t[k]);
  for (int i = 0; i < turns; i++) {
    double exact = e.t0 + 2.0 * i * e.quarter / e.rate;
    const double period = 2.0 * e.quarter / e.rate;
    if (e.t0 < 0.0) exact += period;
    const double off[3] = {t[0][i] - exact, t[1][i] - exact, t[2][i] - exact};
    const double once[2] = {(4.0 * off[1] - off[0]) / 3.0, (4.0 * off[2] - off[1]) / 3.0};
    if (show())
      fprintf(stderr, "# turn %d at %.9f: off by %.3e %.3e %.3e, order %.3f, extrapolated %.2e %.2e\n", i,
              exact, off[0], off[1], off[2], log2(off[0] / off[1]), once[1],
              (16.0 * once[1] - once[0]) / 15.0);
    near(off[0] / off[1], 4.0, 0.02);
    near(off[1] / off[2], 4.0, 0.02);
    near((16.0 * once[1] - once[0]) / 15.0, 0.0, 1e-8 * exact);
  }
}
END_TEST

/* ---- attitudes against another integration -------------------------------------------------------------- */

/* y: quaternion, spin in its own axes, L = integral of the moment in fixed axes; J w' = R'M - w x J w, q' = q w / 2. */
typedef void moment_of(double t, double M[3]);
static void rates(const double J[3], moment_of *moment, double t, const double y[7], double out[7]) {
  const double *q = y, *w = y + 4;
  double M[3] = {0.0}, own[3];
  if (moment) moment(t, M);
  /* R'M by the quaternion: M + 2 v x (v x M) - 2 w (v x M) */
  const double c[3] = {q[2] * M[2] - q[3] * M[1], q[3] * M[0] - q[1] * M[2], q[1] * M[1] - q[2] * M[0]};
  own[0] = M[0] + 2.0 * (q[2] * c[2] - q[3] * c[1] - q[0] * c[0]);
  own[1] = M[1] + 2.0 * (q[3] * c[0] - q[1] * c[2] - q[0] * c[1]);
  own[2] = M[2] + 2.0 * (q[1] * c[1] - q[2] * c[0] - q[0] * c[2]);
  out[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
  out[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  out[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  out[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[4 + k] = (own[k] + (J[i] - J[j]) * w[i] * w[j]) / J[k];
  }
}
/* The classical Runge-Kutta method. */
static void integrate(const double J[3], moment_of *moment, double t_end, int n, double y[7]) {
  const double h = t_end / n;
  for (int step = 0; step < n; step++) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[7] = {0.0}, sum[7] = {0.0}, x[7];
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 7; i++) x[i] = y[i] + at[s] * h * slope[i];
      rates(J, moment, (step + at[s]) * h, x, slope);
      for (int i = 0; i < 7; i++) sum[i] += weight[s] * slope[i];
    }
    for (int i = 0; i < 7; i++) y[i] += h / 6.0 * sum[i];
  }
}

static void changing_moment(double t, double M[3]) {
  M[0] = 0.4 + 0.3 * t, M[1] = -0.2, M[2] = 0.05 * t * t;
}
static prc_status eval_moment(const prc_field *field, double x, double y, double t, double *value,
                              prc_error *e) {
  double M[3];
  (void)x, (void)y, (void)e;
  changing_moment(t, M);
  *value = M[*(const int *)field->data];
  return PRC_OK;
}

/* Free, and under a moment that changes in fixed axes while a force does too: attitude and spin after 6 s to second order, extrapolated to 1e-8. */
START_TEST(attitudes_are_those_of_another_integration) {
  static const double J[3] = {0.8, 1.7, 2.1}, spin[3] = {0.6, 1.9, -0.4}, T = 6.0;
  static const double orientation[4] = {0.8, 0.0, -0.6, 0.0};
  static int axis[3] = {0, 1, 2};
  moment_of *const moment = _i == 0 ? NULL : changing_moment;
  double exact[2][7], off[3][7], size[3];
  for (int k = 0; k < 2; k++) {
    memcpy(exact[k], orientation, sizeof orientation);
    memcpy(exact[k] + 4, spin, sizeof spin);
    integrate(J, moment, T, 20000 << k, exact[k]);
  }
  for (int i = 0; i < 7; i++) near(exact[0][i], exact[1][i], 1e-12);
  for (int n = 0; n < 3; n++) {
    run r = {0};
    prc_spatial_body *body = add(&r, J[0], J[1], J[2]);
    memcpy(body->spin, spin, sizeof spin);
    memcpy(body->orientation, orientation, sizeof orientation);
    for (int k = 0; k < 3 && moment; k++)
      body->moment[k] = (prc_field){.eval = eval_moment, .data = &axis[k], .uses_time = 1};
    const int steps = 1500 << n;
    start(&r, T / steps);
    for (int k = 0; k < steps; k++) step(&r);
    const prc_spatial_motion m = motion(&r, 0);
    for (int i = 0; i < 7; i++) off[n][i] = (i < 4 ? m.orientation[i] : m.spin[i - 4]) - exact[1][i];
    size[n] = norm(7, off[n]);
    end(&r);
  }
  if (show()) fprintf(stderr, "# off by %.3e %.3e %.3e\n", size[0], size[1], size[2]);
  near(size[0] / size[1], 4.0, 0.02);
  near(size[1] / size[2], 4.0, 0.01);
  for (int i = 0; i < 7; i++) {
    const double once[2] = {(4.0 * off[1][i] - off[0][i]) / 3.0, (4.0 * off[2][i] - off[1][i]) / 3.0};
    near((16.0 * once[1] - once[0]) / 15.0, 0.0, 1e-8);
  }
}
END_TEST

/* ---- forces and moments in fixed axes ---------------------------------------------------------------------- */

/* A constant force moves the centre by F t / m whatever the body turns like. A constant moment M adds M t to the angular momentum: to rounding where the
 * body is round, else to second order. */
START_TEST(forces_in_fixed_axes_do_not_turn_with_the_body) {
  static const double J[2][3] = {{0.5, 0.5, 0.5}, {0.4, 0.7, 0.9}}, F[3] = {1.0, -2.0, 0.5},
                      M[3] = {0.3, 0.1, -0.7};
  double off[3];
  for (int n = 0; n < 3; n++) {
    run r = {0};
    const double h = ldexp(2e-3, -n);
    prc_spatial_body *body = add(&r, J[_i][0], J[_i][1], J[_i][2]);
    body->spin[0] = 1.0, body->spin[1] = 3.0;
    body->orientation[0] = 0.6, body->orientation[3] = 0.8;
    for (int k = 0; k < 3; k++)
      body->force[k] = prc_field_constant(F[k]), body->moment[k] = prc_field_constant(M[k]);
    r.model.gravity[2] = prc_field_constant(-9.81);
    start(&r, h);
    double before[3], now[3], linear[3], change[3];
    prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, before);
    for (int k = 0; k < 1000 << n; k++) step(&r);
    const prc_spatial_motion m = motion(&r, 0);
    const double t = 2.0;
    prc_spatial_momentum(r.spatial, r.record->q, r.record->v, linear, now);
    for (int k = 0; k < 3; k++) {
      const double f = F[k] - (k == 2 ? 2.0 * 9.81 : 0.0);
      near(m.velocity[k], f * t / 2.0, 1e-12);
      near(m.position[k], f * t * t / 4.0, 1e-12);
      const double orbit =
          m.position[(k + 1) % 3] * linear[(k + 2) % 3] - m.position[(k + 2) % 3] * linear[(k + 1) % 3];
      change[k] = now[k] - orbit - before[k] - M[k] * t;
    }
    off[n] = norm(3, change);
    end(&r);
  }
  if (show()) fprintf(stderr, "# angular momentum off by %.3e %.3e %.3e\n", off[0], off[1], off[2]);
  near(off[0] / off[1], 4.0, 0.05);
  near(off[1] / off[2], 4.0, 0.05);
  ck_assert_double_le(off[2], 1e-6);
}
END_TEST

/* ---- driven bodies ----------------------------------------------------------------------------------------- */

static double angle_at(double t) {
  return 3.0 * t + 2.0 * sin(1.7 * t);
}
static prc_status eval_angle(const prc_field *field, double x, double y, double t, double *value,
                             prc_error *e) {
  (void)field, (void)x, (void)y, (void)e;
  *value = angle_at(t);
  return PRC_OK;
}

static prc_status eval_steady(const prc_field *field, double x, double y, double t, double *value,
                              prc_error *e) {
  (void)field, (void)x, (void)y, (void)e;
  *value = 40.0 * t;
  return PRC_OK;
}

/* However far it turns, by steps of any size, about an axis that is none of its own: steady ones with the midpoint rule, others at theta = 1, where
 * what is imposed at the end of a step is the datum there. */
START_TEST(driven_bodies_turn_exactly_as_prescribed) {
  static const double axis[3] = {1.0, -2.0, 0.5}, orientation[4] = {0.1, 0.7, -0.1, 0.7};
  run r = {0};
  const double h = 0.05;
  prc_spatial_body *body = add(&r, 3.0, 4.0, 5.0);
  body->inertia[3] = -0.7, body->inertia[4] = 0.3, body->inertia[5] = 1.1;
  body->driven = 1;
  memcpy(body->axis, axis, sizeof axis);
  memcpy(body->orientation, orientation, sizeof orientation);
  body->motion[3] = (prc_field){.eval = _i == 0 ? eval_steady : eval_angle, .uses_time = 1};
  body->motion[1] = body->motion[3];
  body->position[1] = 5.0;
  double q[7], v[6];
  prc_step_options options = prc_step_options_default(h);
  if (_i == 1) options.theta = 1.0;
  prc_error_clear(&err);
  support_ok(prc_spatial_create(&r.model, &r.spatial, &err), &err);
  prc_spatial_initial(r.spatial, q, v);
  support_ok(prc_stepper_create(prc_spatial_system(r.spatial), &options, &r.stepper, &err), &err);
  support_ok(prc_stepper_start(r.stepper, q, v, &err), &err);
  for (int k = 1; k <= 2000; k++) {
    step(&r);
    const prc_spatial_motion m = motion(&r, 0);
    const double t = k * h, angle = _i == 0 ? 40.0 * t : angle_at(t), length = norm(3, axis);
    const double turn[4] = {cos(0.5 * angle), sin(0.5 * angle) * axis[0] / length,
                            sin(0.5 * angle) * axis[1] / length, sin(0.5 * angle) * axis[2] / length};
    const double *o = orientation;
    const double product[4] = {turn[0] * o[0] - turn[1] * o[1] - turn[2] * o[2] - turn[3] * o[3],
                               turn[0] * o[1] + turn[1] * o[0] + turn[2] * o[3] - turn[3] * o[2],
                               turn[0] * o[2] - turn[1] * o[3] + turn[2] * o[0] + turn[3] * o[1],
                               turn[0] * o[3] + turn[1] * o[2] - turn[2] * o[1] + turn[3] * o[0]};
    double cosine = 0.0;
    for (int i = 0; i < 4; i++) cosine += product[i] * m.orientation[i];
    for (int i = 0; i < 4; i++) near(m.orientation[i], copysign(1.0, cosine) * product[i], 3e-12);
    near(m.position[1], 5.0 + angle, 1e-11);
    near(norm(4, m.orientation), 1.0, 1e-15);
  }
  if (show()) fprintf(stderr, "# driven: turned by %g\n", _i == 0 ? 4000.0 : angle_at(100.0));
  end(&r);
}
END_TEST

START_TEST(driven_bodies_at_rest_keep_their_bits) {
  run r = {0};
  double q[7], v[6];
  prc_spatial_body *body = add(&r, 0.0, 0.0, 0.0);
  body->mass = 0.0;
  body->driven = 1;
  body->orientation[0] = 0.1, body->orientation[1] = body->orientation[3] = 0.7, body->orientation[2] = -0.1;
  body->position[0] = 0.1, body->position[1] = -0.3;
  start(&r, 1e-3);
  prc_spatial_initial(r.spatial, q, v);
  for (int k = 0; k < 100; k++) step(&r);
  ck_assert_mem_eq(r.record->q, q, sizeof q);
  for (int k = 0; k < 6; k++) ck_assert(r.record->v[k] == 0.0);
  end(&r);
}
END_TEST

/* ---- a boulder and a slope -------------------------------------------------------------------------------- */

/* The boulder of Acary & Collins-Craft 2024, section 5.4: eight corners by their angles, the largest extent 5 m, around its centroid. */
static void make_rock(prc_solid *rock) {
  static const double r[16] = {
      1.143194140731269,   0.6247636994959747, 0.4198206059540749, 1.1116480956118107,
      0.8965451614785596,  0.8819019228647785, 0.2592675582459427, 0.22899315888913663,
      0.23837569282753324, 0.6585606791241505, 1.0084563758002816, 0.9096785924063177,
      0.8633716705085941,  1.1215975890657788, 1.1983269522076825, 0.5443688021200721};
  static const double sign[8][3] = {{1, 1, 1},  {1, -1, 1},  {-1, 1, 1},  {-1, -1, 1},
                                    {1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1}};
  double x[24], extent = 0.0;
  for (int i = 0; i < 8; i++) {
    const double a = r[2 * i], b = r[2 * i + 1];
    x[3 * i] = sign[i][0] * cos(a) * cos(b);
    x[3 * i + 1] = sign[i][1] * sin(a) * cos(b);
    x[3 * i + 2] = sign[i][2] * sin(b);
  }
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 8; i++) low = fmin(low, x[3 * i + k]), high = fmax(high, x[3 * i + k]);
    extent = fmax(extent, high - low);
  }
  for (int i = 0; i < 24; i++) x[i] *= 5.0 / extent;
  support_ok(prc_solid_make_hull(8, x, 0.0, rock, &err), &err);
  const prc_solid_mass mass = prc_solid_mass_of(rock);
  const double by[3] = {-mass.centre[0], -mass.centre[1], -mass.centre[2]};
  static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  prc_solid_move(rock, by, none);
}

START_TEST(a_boulder_flies_to_the_slope) {
  const double density = 2300.0, h = 5e-4;
  run r = {0};
  prc_solid part[2];
  prc_error_clear(&err);
  make_rock(&part[0]);
  support_ok(prc_solid_make_box((const double[3]){50.0, 50.0, 0.1}, &part[1], &err), &err);
  const prc_solid_mass mass = prc_solid_mass_of(&part[0]);
  near(mass.volume, 31.326012, 1e-6);
  prc_spatial_body *rock = add(&r, 0.0, 0.0, 0.0), *slope = add(&r, 1.0, 1.0, 1.0);
  rock->mass = density * mass.volume;
  for (int k = 0; k < 6; k++) rock->inertia[k] = density * mass.inertia[k];
  static const double inertia[6] = {136844.35, 147071.19, 98845.51, -9121.35, 3144.91, -18336.50};
  for (int k = 0; k < 6; k++) near(rock->inertia[k], inertia[k], 0.01);
  rock->position[0] = 30.0, rock->position[2] = 35.0;
  rock->velocity[0] = -10.0, rock->velocity[2] = -35.0;
  rock->spin[0] = 0.5, rock->spin[1] = 10.0, rock->spin[2] = 0.1;
  rock->n_parts = 1, rock->part = &part[0];
  slope->driven = 1, slope->n_parts = 1, slope->part = &part[1];
  slope->position[0] = 30.0, slope->position[2] = 17.62767;
  const double eighth = 0.125 * acos(-1.0);
  slope->orientation[0] = cos(eighth), slope->orientation[2] = -sin(eighth);
  const prc_spatial_pairs pairs = {.name = "slope",
                                   .n = {1, 1},
                                   .body = {(const int[]){1}, (const int[]){0}},
                                   .friction = 0.6,
                                   .restitution = 0.2};
  r.model.n_pairs = 1, r.model.pairs = &pairs;
  r.model.gravity[2] = prc_field_constant(-9.81);
  start(&r, h);
  const double energy = energy_of(&r);
  near(energy, 55.040384e6, 1.0);
  double touch = NAN;
  prc_spatial_motion before = motion(&r, 0), m = before;
  while (isnan(touch)) {
    before = m;
    step(&r);
    m = motion(&r, 0);
    for (int c = 0; c < r.record->n_contacts; c++)
      if (r.record->gap[c] <= 0.0)
        touch = r.record->t - h + h * r.record->gap_old[c] / (r.record->gap_old[c] - r.record->gap[c]);
    if (isnan(touch))
      near(energy_of(&r) + rock->mass * 9.81 * (m.position[2] - 35.0), energy, 1e-12 * energy);
    ck_assert_double_lt(r.record->t, 0.6);
  }
  const double share = (touch - (r.record->t - h)) / h;
  if (show())
    fprintf(stderr, "# touch at %.7f, centre %.5f %.5f %.5f, spin %.6f %.6f %.6f\n", touch,
            before.position[0] + share * (m.position[0] - before.position[0]), m.position[1],
            before.position[2] + share * (m.position[2] - before.position[2]),
            before.spin[0] + share * (m.spin[0] - before.spin[0]),
            before.spin[1] + share * (m.spin[1] - before.spin[1]),
            before.spin[2] + share * (m.spin[2] - before.spin[2]));
  near(touch, 0.5105201, 1e-5);
  static const double centre[3] = {24.8948, 0.0, 15.8534}, spin[3] = {0.85549, 8.04221, -5.88543};
  for (int k = 0; k < 3; k++) {
    near(before.position[k] + share * (m.position[k] - before.position[k]), centre[k], 2e-4);
    near(before.spin[k] + share * (m.spin[k] - before.spin[k]), spin[k], 2e-5);
  }
  end(&r);
  for (int k = 0; k < 2; k++) prc_solid_free(&part[k]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("free flight");
  TCase *tc = tcase_create("free flight");
  tcase_set_timeout(tc, 60.0);
  tcase_add_loop_test(tc, energy_and_angular_momentum_stay, 0, 2);
  tcase_add_loop_test(tc, free_rotation_keeps_energy_and_momentum_for_every_theta, 0, 5);
  tcase_add_test(tc, the_spin_of_a_top_turns_about_its_axis);
  tcase_add_test(tc, a_ball_turns_about_a_fixed_axis);
  tcase_add_loop_test(tc, rotation_about_the_middle_axis_turns_over, 0, 2);
  tcase_add_loop_test(tc, attitudes_are_those_of_another_integration, 0, 2);
  tcase_add_loop_test(tc, forces_in_fixed_axes_do_not_turn_with_the_body, 0, 2);
  tcase_add_loop_test(tc, driven_bodies_turn_exactly_as_prescribed, 0, 2);
  tcase_add_test(tc, driven_bodies_at_rest_keep_their_bits);
  tcase_add_test(tc, a_boulder_flies_to_the_slope);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}
