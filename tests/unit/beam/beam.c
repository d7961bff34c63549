#include "config.h"
#include "beam/beam.h"
#include "step/step.h"
#include "support/rig.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beams: forces and tangents against differences, closed forms of statics, vibration and motion, and what is refused. */

static prc_error err;
enum { MOST = 2 * 80 };
static const double pi = 3.14159265358979323846;

/* ---- a straight beam along x, and a bent one --------------------------------------------------------------------------- */

typedef struct {
  double point[MOST];
  prc_beam_model model;
  prc_beam *beam;
  const prc_system *system;
  int n; /* dofs */
} one;

static void prepare(one *b, int degree, int elements, double length) {
  memset(b, 0, sizeof *b);
  b->model = (prc_beam_model){.name = "b",
                              .degree = degree,
                              .n_elements = elements,
                              .EA = 1e4,
                              .EI = 2.0,
                              .density = 0.5,
                              .point = b->point};
  prc_beam_straight(degree, elements, (const double[2][2]){{0.0, 0.0}, {length, 0.0}}, b->point);
  b->n = 2 * (elements + degree);
  ck_assert_int_le(b->n, MOST);
}

static void build(one *b) {
  support_ok(prc_beam_create(&b->model, &b->beam, &err), &err);
  b->system = prc_beam_system(b->beam);
  ck_assert_int_eq(b->system->space.nv, b->n);
}

static void bend(one *b) { /* the unstrained line, by some curve that nothing is special of */
  for (int i = 0; i < b->n / 2; i++) {
    const double x = b->point[2 * i];
    b->point[2 * i] = 0.3 + 0.9 * x - 0.2 * x * x,
                 b->point[2 * i + 1] = -0.1 + 0.4 * x * x - 0.2 * sin(2.0 * x);
  }
}

static double potential_at(const one *b, const double *q) {
  double V;
  support_ok(b->system->dynamics.internal(b->system->owner, &(prc_at){0.0, q, NULL}, NULL, &V, &err), &err);
  return V;
}

static void force_at(const one *b, const double *q, double *f) {
  support_ok(b->system->dynamics.internal(b->system->owner, &(prc_at){0.0, q, NULL}, f, NULL, &err), &err);
}

/* The full matrix of c_x df/dq + c_v dd/dv. */
static void tangent_at(const one *b, const double *q, const double *v, double c_x, double c_v, double *K) {
  prc_sym *A = NULL;
  support_ok(prc_sym_add(0.0, b->system->dynamics.M, 0.0, NULL, &A, &err), &err);
  support_ok(b->system->dynamics.tangent(b->system->owner, &(prc_at){0.0, q, v}, c_x, c_v, A, &err), &err);
  memset(K, 0, (size_t)b->n * (size_t)b->n * sizeof *K);
  for (int j = 0; j < b->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) K[A->i[k] * b->n + j] = K[j * b->n + A->i[k]] = A->x[k];
  prc_sym_free(&A);
}

static void draw(prc_random *r, const one *b, double size, double *q) {
  for (int i = 0; i < b->n; i++) q[i] = b->point[i] + size * prc_random_uniform(r, -1.0, 1.0);
}

/* ---- forces ------------------------------------------------------------------------------------------------------------ */

START_TEST(forces_are_the_slope_of_the_potential) {
  prc_random r = {3};
  for (int degree = 2; degree <= 5; degree++)
    for (int bent = 0; bent < 2; bent++) {
      one b;
      double q[MOST], f[MOST];
      prepare(&b, degree, 3, 1.0);
      if (bent) bend(&b);
      build(&b);
      draw(&r, &b, 0.03, q);
      force_at(&b, q, f);
      for (int i = 0; i < b.n; i++) {
        const double kept = q[i], d = 1e-6;
        q[i] = kept + d;
        const double above = potential_at(&b, q);
        q[i] = kept - d;
        const double below = potential_at(&b, q);
        q[i] = kept;
        ck_assert_double_eq_tol(f[i], (above - below) / (2.0 * d), 1e-6 * (1.0 + fabs(f[i])) + 1e-6);
      }
      prc_beam_free(&b.beam);
    }
}
END_TEST

/* The mean of forces over a step, however large, gives the change of the potential, no resultant and no moment, and is the force where the step
 * is small. */
START_TEST(means_of_forces_keep_energy_and_momentum) {
  prc_random r = {4};
  for (int degree = 2; degree <= 5; degree++)
    for (double size = 1e-6; size < 0.2; size *= 10.0) {
      one b;
      double q[MOST], after[MOST], dx[MOST], f[MOST], at_middle[MOST], gain, sum[3] = {0.0, 0.0, 0.0},
                                                                             scale = 0.0;
      prepare(&b, degree, 3, 1.0);
      bend(&b);
      build(&b);
      draw(&r, &b, 0.02, q);
      for (int i = 0; i < b.n; i++) dx[i] = size * prc_random_uniform(&r, -1.0, 1.0), after[i] = q[i] + dx[i];
      support_ok(b.system->dynamics.mean_internal(b.system->owner, q, dx, f, &gain, &err), &err);
      const double before = potential_at(&b, q), then = potential_at(&b, after);
      ck_assert_double_eq_tol(gain, then - before, 1e-11 * (before + then));
      for (int i = 0; i < b.n; i += 2) {
        const double x = q[i] + 0.5 * dx[i], y = q[i + 1] + 0.5 * dx[i + 1];
        sum[0] += f[i], sum[1] += f[i + 1], sum[2] += x * f[i + 1] - y * f[i];
        scale += fabs(f[i]) + fabs(f[i + 1]);
      }
      for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(sum[k], 0.0, 1e-12 * scale);
      if (size < 1e-4) {
        for (int i = 0; i < b.n; i++) after[i] = q[i] + 0.5 * dx[i];
        force_at(&b, after, at_middle);
        for (int i = 0; i < b.n; i++) ck_assert_double_eq_tol(f[i], at_middle[i], 1e-4 * scale);
      }
      prc_beam_free(&b.beam);
    }
}
END_TEST

START_TEST(the_tangent_is_that_of_differences) {
  prc_random r = {5};
  for (int degree = 2; degree <= 5; degree++)
    for (int bent = 0; bent < 2; bent++) {
      one b;
      static double q[MOST], K[MOST * MOST], above[MOST], below[MOST];
      double largest = 0.0;
      prepare(&b, degree, 3, 1.0);
      if (bent) bend(&b);
      build(&b);
      draw(&r, &b, 0.03, q);
      const double c = 1e-9; /* M keeps it definite: nothing is left out */
      tangent_at(&b, q, NULL, c, 0.0, K);
      for (int i = 0; i < b.n * b.n; i++) largest = fmax(largest, fabs(K[i] / c));
      for (int j = 0; j < b.n; j++) {
        const double kept = q[j], d = 1e-6;
        q[j] = kept + d, force_at(&b, q, above);
        q[j] = kept - d, force_at(&b, q, below);
        q[j] = kept;
        for (int i = 0; i < b.n; i++)
          ck_assert_double_eq_tol(K[i * b.n + j] / c, (above[i] - below[i]) / (2.0 * d), 1e-6 * largest);
      }
      prc_beam_free(&b.beam);
    }
}
END_TEST

/* Every tangent leaves M + c df/dq positive definite, however compressed the beam is. */
START_TEST(a_compressed_beam_leaves_the_matrix_positive) {
  one b;
  static double q[MOST], K[MOST * MOST];
  prepare(&b, 3, 4, 1.0);
  build(&b);
  for (int i = 0; i < b.n; i++) q[i] = 0.4 * b.point[i];
  for (double c = 1e-8; c < 1e3; c *= 10.0) {
    tangent_at(&b, q, NULL, c, 0.0, K);
    const prc_sym *M = b.system->dynamics.M;
    for (int j = 0; j < b.n; j++)
      for (int k = M->p[j]; k < M->p[j + 1]; k++) K[M->i[k] * b.n + j] += M->x[k];
    for (int j = 0; j < b.n; j++) { /* Cholesky */
      for (int k = 0; k < j; k++) K[j * b.n + j] -= K[j * b.n + k] * K[j * b.n + k];
      ck_assert_double_gt(K[j * b.n + j], 0.0);
      K[j * b.n + j] = sqrt(K[j * b.n + j]);
      for (int i = j + 1; i < b.n; i++) {
        for (int k = 0; k < j; k++) K[i * b.n + j] -= K[i * b.n + k] * K[j * b.n + k];
        K[i * b.n + j] /= K[j * b.n + j];
      }
    }
  }
  prc_beam_free(&b.beam);
}
END_TEST

START_TEST(damping_takes_energy_and_leaves_rotations_free) {
  prc_random r = {7};
  one b;
  static double q[MOST], v[MOST], d[MOST], K[MOST * MOST];
  prepare(&b, 3, 4, 1.0);
  bend(&b);
  b.model.damping_stiffness = 1e-3;
  build(&b);
  draw(&r, &b, 0.02, q);
  for (int i = 0; i < b.n; i++) v[i] = prc_random_uniform(&r, -0.5, 0.5);
  const prc_at at = {0.0, q, v};
  double work = 0.0, moving = 0.0;
  support_ok(b.system->dynamics.damping(b.system->owner, &at, d, &err), &err);
  tangent_at(&b, q, v, 0.0, 1.0, K);
  for (int i = 0; i < b.n; i++) {
    double sum = 0.0;
    for (int j = 0; j < b.n; j++) sum += K[i * b.n + j] * v[j];
    ck_assert_double_eq_tol(d[i], sum, 1e-9 * (1.0 + fabs(d[i]))); /* linear in v */
    work += v[i] * d[i];
  }
  ck_assert_double_gt(work, 0.0);
  for (int i = 0; i < b.n; i += 2) v[i] = 0.3 - 2.0 * q[i + 1], v[i + 1] = -0.7 + 2.0 * q[i];
  support_ok(b.system->dynamics.damping(b.system->owner, &at, d, &err), &err);
  for (int i = 0; i < b.n; i++) moving = fmax(moving, fabs(d[i]));
  ck_assert_double_lt(moving, 1e-11);
  prc_beam_free(&b.beam);
}
END_TEST

START_TEST(rigid_motions_strain_nothing) {
  for (int bent = 0; bent < 2; bent++) {
    one b;
    double q[MOST], f[MOST], stretching, bending;
    prepare(&b, 2 + bent, 5, 2.0);
    if (bent) bend(&b);
    build(&b);
    for (double angle = 0.0; angle < 7.0; angle += 0.7) {
      for (int i = 0; i < b.n; i += 2) {
        q[i] = 3.0 + cos(angle) * b.point[i] - sin(angle) * b.point[i + 1];
        q[i + 1] = -1.0 + sin(angle) * b.point[i] + cos(angle) * b.point[i + 1];
      }
      force_at(&b, q, f);
      for (int i = 0; i < b.n; i++) ck_assert_double_eq_tol(f[i], 0.0, 1e-9);
      prc_beam_energies(b.beam, q, &stretching, &bending);
      ck_assert_double_lt(stretching + bending, 1e-20);
      ck_assert_double_eq_tol(stretching + bending, potential_at(&b, q), 1e-22);
    }
    prc_beam_free(&b.beam);
  }
}
END_TEST

/* Turned, mirrored, moved and in other units (lengths times 2^10, forces times 2^-5, all exact): the same forces. */
START_TEST(forces_turn_and_mirror_with_the_line) {
  prc_random r = {9};
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (double angle = 0.0; angle < 6.0; angle += 1.3) {
      one b, other;
      double q[MOST], moved[MOST], f[MOST], f_moved[MOST];
      const double c = cos(angle), s = sin(angle), m = mirrored ? -1.0 : 1.0, unit = 1024.0,
                   force = 1.0 / 32.0;
      prepare(&b, 3, 4, 1.0), prepare(&other, 3, 4, 1.0);
      bend(&b);
      other.model.EA *= force, other.model.EI *= force * unit * unit;
      draw(&r, &b, 0.03, q);
      for (int i = 0; i < b.n; i += 2)
        for (int k = 0; k < 2; k++) {
          const double *from = k == 0 ? b.point : q;
          double *to = k == 0 ? other.point : moved;
          to[i] = unit * (2.0 + c * from[i] - s * m * from[i + 1]);
          to[i + 1] = unit * (-1.0 + s * from[i] + c * m * from[i + 1]);
        }
      build(&b), build(&other);
      force_at(&b, q, f), force_at(&other, moved, f_moved);
      double scale = 0.0;
      for (int i = 0; i < b.n; i++) scale = fmax(scale, fabs(f[i]));
      for (int i = 0; i < b.n; i += 2) {
        ck_assert_double_eq_tol(f_moved[i] / force, c * f[i] - s * m * f[i + 1], 1e-10 * scale);
        ck_assert_double_eq_tol(f_moved[i + 1] / force, s * f[i] + c * m * f[i + 1], 1e-10 * scale);
      }
      ck_assert_double_eq_tol(potential_at(&other, moved) / (force * unit), potential_at(&b, q),
                              1e-10 * potential_at(&b, q));
      prc_beam_free(&b.beam), prc_beam_free(&other.beam);
    }
}
END_TEST

/* Mass, centre and moment of inertia of a straight beam: 1/2 v'M v of a rigid motion. */
START_TEST(mass_is_that_of_a_thin_rod) {
  for (int degree = 2; degree <= 5; degree++) {
    one b;
    double q[MOST], v[MOST];
    const double L = 1.5, m = 0.5 * L, w = 3.0;
    prepare(&b, degree, 4, L);
    b.model.velocity[0] = 0.4, b.model.velocity[1] = -0.2, b.model.spin = w;
    build(&b);
    prc_beam_initial(b.beam, q, v);
    ck_assert_double_eq_tol(prc_beam_mass(b.beam), m, 1e-14);
    ck_assert_double_eq_tol(0.5 * prc_sym_form(b.system->dynamics.M, v, v),
                            0.5 * m * (0.16 + 0.04) + 0.5 * m * L * L / 12.0 * w * w, 1e-13);
    const prc_beam_state tip = prc_beam_now(b.beam, q, v, 1.0);
    ck_assert_double_eq_tol(tip.velocity[0], 0.4, 1e-14);
    ck_assert_double_eq_tol(tip.velocity[1], -0.2 + 0.5 * w * L, 1e-14);
    ck_assert_double_eq_tol(tip.spin, w, 1e-13);
    prc_beam_free(&b.beam);
  }
}
END_TEST

START_TEST(splines_are_those_of_their_knots) {
  one b;
  prepare(&b, 4, 5, 1.0);
  build(&b);
  for (int k = 0; k <= 200; k++) {
    const double s = k / 200.0, d = 1e-5;
    const prc_beam_basis at = prc_beam_basis_at(b.beam, s);
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < at.n; i++)
      for (int j = 0; j < 3; j++) sum[j] += at.N[j][i];
    ck_assert_double_eq_tol(sum[0], 1.0, 1e-14);
    ck_assert_double_eq_tol(sum[1], 0.0, 1e-12);
    ck_assert_double_eq_tol(sum[2], 0.0, 1e-10);
    if (k % 40 == 0) continue; /* on a knot */
    const prc_beam_basis after = prc_beam_basis_at(b.beam, s + d), before = prc_beam_basis_at(b.beam, s - d);
    for (int i = 0; i < at.n; i++)
      for (int j = 0; j < 2; j++)
        ck_assert_double_eq_tol(at.N[j + 1][i], (after.N[j][i] - before.N[j][i]) / (2.0 * d), 1e-5);
    ck_assert_double_eq_tol(prc_beam_now(b.beam, b.point, NULL, s).x[0], s, 1e-14);
  }
  prc_beam_free(&b.beam);
}
END_TEST

/* ---- statics ----------------------------------------------------------------------------------------------------------- */

/* Equilibrium of the beam clamped at its start, under its loads at t: Newton's method with the loads' own differences. */
static void settle(const one *b, double t, double *q) {
  static double K[MOST * MOST], f[MOST], F[MOST], more[MOST], x[MOST];
  static int pivots[MOST];
  double change = 1.0;
  for (int pass = 0; pass < 60 && change > 1e-12; pass++) {
    force_at(b, q, f);
    support_ok(b->system->dynamics.loads(b->system->owner, &(prc_at){t, q, NULL}, F, &err), &err);
    /* the exact tangent: c so small that nothing is left out */
    tangent_at(b, q, NULL, 1e-12, 0.0, K);
    for (int i = 0; i < b->n * b->n; i++) K[i] *= 1e12;
    for (int j = 0; j < b->n; j++) {
      const double kept = q[j];
      q[j] = kept + 1e-6;
      support_ok(b->system->dynamics.loads(b->system->owner, &(prc_at){t, q, NULL}, more, &err), &err);
      q[j] = kept;
      for (int i = 0; i < b->n; i++) K[i * b->n + j] -= (more[i] - F[i]) / 1e-6;
    }
    for (int i = 0; i < b->n; i++) x[i] = F[i] - f[i];
    for (int i = 0; i < 4; i++) {
      if (i == 2) continue; /* the second control point may move along the tangent */
      for (int j = 0; j < b->n; j++) K[i * b->n + j] = i == j;
      x[i] = 0.0;
    }
    ck_assert_int_eq(prc_dense_solve(b->n, K, pivots, x), PRC_OK);
    change = 0.0;
    for (int i = 0; i < b->n; i++) q[i] += x[i], change = fmax(change, fabs(x[i]));
  }
  ck_assert_double_le(change, 1e-9);
}

/* Of a cantilever under a small force at its tip: P L^3 / 3 EI, exactly what cubic splines can be; of order 2 with quadratic ones. */
START_TEST(a_cantilever_bends_by_the_formula) {
  for (int degree = 2; degree <= 4; degree++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      one b;
      double q[MOST];
      prc_beam_load tip = {.s = 1.0};
      prepare(&b, degree, 8 << k, 2.0);
      tip.force[1].constant = 1e-5;
      b.model.n_loads = 1, b.model.load = &tip;
      build(&b);
      memcpy(q, b.point, sizeof q);
      settle(&b, 0.0, q);
      const double exact = 1e-5 * 8.0 / (3.0 * 2.0);
      error[k] = fabs(prc_beam_now(b.beam, q, NULL, 1.0).x[1] / exact - 1.0);
      prc_beam_free(&b.beam);
    }
    if (degree == 2)
      ck_assert_double_eq_tol(log2(error[0] / error[1]), 2.0, 0.1);
    else
      ck_assert_double_lt(error[1], 1e-8);
  }
}
END_TEST

/* An end moment of 2 pi EI / L rolls a beam up to a circle, without stretching it. */
START_TEST(an_end_moment_rolls_it_up_to_a_circle) {
  for (int degree = 2; degree <= 4; degree++) {
    double miss[2];
    for (int k = 0; k < 2; k++) {
      one b;
      double q[MOST], stretching, bending;
      prc_beam_load tip = {.s = 1.0};
      prepare(&b, degree, (degree == 2 ? 16 : 8) << k, 1.0);
      b.model.n_loads = 1, b.model.load = &tip;
      tip.moment.constant = 1.0;
      build(&b);
      memcpy(q, b.point, sizeof q);
      for (int i = 1; i <= 40; i++) {
        tip.moment.constant = 2.0 * pi * b.model.EI / 1.0 * i / 40.0;
        settle(&b, 0.0, q);
      }
      prc_beam_energies(b.beam, q, &stretching, &bending);
      const prc_beam_state end = prc_beam_now(b.beam, q, NULL, 1.0);
      miss[k] = hypot(end.x[0], end.x[1]);
      ck_assert_double_eq_tol(bending, 0.5 * b.model.EI * 4.0 * pi * pi, degree == 2 ? 5.0 : 0.3);
      prc_beam_free(&b.beam);
    }
    ck_assert_double_lt(miss[1], degree == 2 ? 2e-2 : 1e-3);
    ck_assert_double_gt(log2(miss[0] / miss[1]), degree == 2 ? 1.7 : 3.0);
  }
}
END_TEST

/* ---- vibrations -------------------------------------------------------------------------------------------------------- */

/* Angular frequencies, ascending, of the unstrained beam; held: how many of the first dofs of each kind (clamped: both of 0, y of 1). */
static void frequencies(const one *b, int clamped, double *omega, int *n_free) {
  static double K[MOST * MOST], A[MOST * MOST], B[MOST * MOST], lambda[MOST];
  int list[MOST], n = 0;
  tangent_at(b, b->point, NULL, 1.0, 0.0, K);
  for (int i = 0; i < b->n; i++)
    if (!clamped || (i != 0 && i != 1 && i != 3)) list[n++] = i;
  memset(B, 0, sizeof B);
  const prc_sym *M = b->system->dynamics.M;
  static double full[MOST * MOST];
  memset(full, 0, sizeof full);
  for (int j = 0; j < b->n; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++) full[M->i[k] * b->n + j] = full[j * b->n + M->i[k]] = M->x[k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i + j * n] = K[list[i] * b->n + list[j]];
      B[i + j * n] = full[list[i] * b->n + list[j]];
    }
  rig_eigen(n, A, B, lambda);
  for (int i = 0; i < n; i++) omega[i] = sqrt(fmax(lambda[i], 0.0));
  *n_free = n;
}

/* The frequency nearest to an exact one, relative error. */
static double error_of(const double *omega, int n, double exact) {
  double nearest = INFINITY;
  for (int i = 0; i < n; i++) nearest = fmin(nearest, fabs(omega[i] / exact - 1.0));
  return nearest;
}

/* Bending frequencies (beta L)^2 sqrt(EI / rho) / L^2 with cos cosh = -1 (clamped and free) or 1 (free), of order 2 (p - 1); the second mode,
 * which rounding spoils less. */
START_TEST(bending_frequencies_converge_to_their_order) {
  const double beta[2] = {7.85320462409584, 4.69409113297418}; /* free: second; clamped: second */
  for (int degree = 2; degree <= 4; degree++)
    for (int clamped = 0; clamped < 2; clamped++) {
      const int n[2] = {degree == 2 ? 16 : 8, degree == 2 ? 32 : 16};
      double error[2];
      for (int k = 0; k < 2; k++) {
        one b;
        double omega[MOST];
        int n_free;
        prepare(&b, degree, n[k], 1.3);
        build(&b);
        frequencies(&b, clamped, omega, &n_free);
        const double exact = pow(beta[clamped] / 1.3, 2) * sqrt(b.model.EI / b.model.density);
        error[k] = error_of(omega, n_free, exact);
        prc_beam_free(&b.beam);
      }
      const double order = log2(error[0] / error[1]);
      ck_assert_msg(fabs(order - 2.0 * (degree - 1)) < 0.35, "degree %d: errors %g, %g, order %g", degree,
                    error[0], error[1], order);
    }
}
END_TEST

/* Bars: k pi c / L of the free, (k - 1/2) pi c / L of the clamped one, c = sqrt(EA / rho), of order 2 p. */
START_TEST(longitudinal_frequencies_converge_to_their_order) {
  for (int degree = 2; degree <= 4; degree++)
    for (int clamped = 0; clamped < 2; clamped++) {
      double error[2];
      for (int k = 0; k < 2; k++) {
        one b;
        double omega[MOST];
        int n_free;
        prepare(&b, degree, 4 << k, 1.0);
        b.model.EI = 1e-3; /* far from where they are */
        build(&b);
        frequencies(&b, clamped, omega, &n_free);
        const double c = sqrt(b.model.EA / b.model.density);
        error[k] = error_of(omega, n_free, (clamped ? 1.5 : 2.0) * pi * c);
        prc_beam_free(&b.beam);
      }
      const double order = log2(error[0] / error[1]);
      ck_assert_msg(order > 2.0 * degree - 0.9, "degree %d: errors %g, %g, order %g", degree, error[0],
                    error[1], order);
    }
}
END_TEST

/* ---- motion ------------------------------------------------------------------------------------------------------------ */

static void run(const one *b, const prc_step_options *o, int steps, double *sum,
                void (*check)(const prc_step_record *r, void *to), void *to) {
  prc_stepper *stepper = NULL;
  double q[MOST], v[MOST];
  prc_beam_initial(b->beam, q, v);
  support_ok(prc_stepper_create(b->system, o, &stepper, &err), &err);
  support_ok(prc_stepper_start(stepper, q, v, &err), &err);
  const prc_step_record *r = prc_stepper_record(stepper);
  *sum = r->kinetic + r->potential;
  for (int k = 0; k < steps; k++) {
    support_ok(prc_stepper_step(stepper, &err), &err);
    *sum += r->kinetic + r->potential;
    for (int w = 0; w < PRC_N_WORKS; w++) *sum -= r->work[w];
    check(r, to);
  }
  prc_stepper_free(&stepper);
}

typedef struct {
  const one *b;
  double spread, tip[2];
  double momentum[3], first[3];
  int n;
} course;

static void follow(const prc_step_record *r, void *to) {
  course *c = to;
  double p[3] = {0.0, 0.0, 0.0};
  static double Mv[MOST];
  prc_sym_multiply(c->b->system->dynamics.M, r->v, Mv);
  for (int i = 0; i < r->n; i += 2) {
    p[0] += Mv[i], p[1] += Mv[i + 1];
    p[2] += r->q[i] * Mv[i + 1] - r->q[i + 1] * Mv[i];
  }
  memcpy(c->momentum, p, sizeof p);
  if (c->n++ == 0) memcpy(c->first, p, sizeof p);
  ck_assert_double_le(r->change, r->tolerance);
  const prc_beam_state tip = prc_beam_now(c->b->beam, r->q, r->v, 1.0);
  memcpy(c->tip, tip.x, sizeof tip.x);
  c->spread = fmax(c->spread, fabs(prc_beam_now(c->b->beam, r->q, r->v, 0.5).curvature));
}

/* A beam thrown and turned, soft enough to bend by its own inertia as it turns from a bent shape: energy to rounding, momentum too. */
START_TEST(energy_stays_to_rounding_through_large_motions) {
  for (int degree = 2; degree <= 4; degree++) {
    one b;
    double sum;
    prepare(&b, degree, 6, 1.0);
    b.model.EI = 0.02, b.model.velocity[0] = 1.0, b.model.velocity[1] = 2.0, b.model.spin = 8.0;
    prc_beam_load push = {.s = 0.8}; /* for no moment: energy that loads give is counted */
    push.force[1].constant = 0.7;
    b.model.n_loads = 1, b.model.load = &push;
    build(&b);
    prc_step_options o = prc_step_options_default(2e-3);
    o.theta = 0.5;
    course c = {.b = &b};
    double q[MOST], v[MOST];
    prc_beam_initial(b.beam, q, v);
    const double start = 0.5 * prc_sym_form(b.system->dynamics.M, v, v);
    run(&b, &o, 500, &sum, follow, &c);
    ck_assert_double_gt(c.spread, 0.5); /* it does bend */
    ck_assert_double_eq_tol(sum, start, 1e-11 * start);
    ck_assert_double_eq_tol(c.momentum[0] - c.first[0], 0.0, 1e-11);
    ck_assert_double_eq_tol(c.momentum[1] - c.first[1], 0.7 * 499 * 2e-3, 1e-11);
    prc_beam_free(&b.beam);
  }
}
END_TEST

/* Without strain there is none: a free stiff beam turns as a rod, by the Cayley-like mean of the theta-scheme, and its strain stays second order. */
START_TEST(a_turning_beam_stretches_by_its_spin) {
  one b;
  double sum;
  prepare(&b, 3, 4, 1.0);
  b.model.spin = 2.0;
  build(&b);
  prc_step_options o = prc_step_options_default(1e-3);
  o.scheme = "generalized-alpha", o.rho = 0.5;
  course c = {.b = &b};
  run(&b, &o, 2000, &sum, follow, &c);
  /* steady: (EA u')' + rho w^2 x = 0, u' = rho w^2 (L^2/4 - x^2) / 2 EA: 2.5e-5 here; the tip at 0.5 from the centre */
  ck_assert_double_eq_tol(hypot(c.tip[0] - 0.5, c.tip[1]), 0.5, 2e-4);
  ck_assert_double_eq_tol(atan2(c.tip[1], c.tip[0] - 0.5), remainder(2.0 * 2.0, 2.0 * pi), 2e-3);
  ck_assert_double_lt(c.spread, 1e-2);
  prc_beam_free(&b.beam);
}
END_TEST

/* ---- contact ----------------------------------------------------------------------------------------------------------- */

static void push_of(const prc_step_record *r, void *to) {
  double *sum = to;
  for (int c = 0; c < r->n_contacts; c++) {
    sum[0] += r->p[2 * c], sum[1] += r->p[2 * c + 1];
    ck_assert_double_ge(r->p[2 * c], 0.0);
    ck_assert_double_le(fabs(r->p[2 * c + 1]), 0.3 * r->p[2 * c] * (1.0 + 1e-9) + 1e-12);
  }
  sum[2] = 0.0, sum[3] = 0.0;
  for (int i = 0; i < r->n; i += 2) sum[2] += r->m[i], sum[3] += r->m[i + 1];
}

/* A beam falls on a floor with its two ends and its middle: what pushes it is its weight and its change of momentum. */
START_TEST(percussions_are_weight_and_change_of_momentum) {
  static const double s[3] = {0.0, 0.5, 1.0};
  for (int scheme = 0; scheme < 2; scheme++) {
    one b;
    double sum, push[4] = {0.0, 0.0, 0.0, 0.0};
    prc_beam_contact floor_of = {
        .name = "floor", .plane = {{0.0, -0.05}, {0.0, 1.0}}, .n_points = 3, .s = s, .friction = 0.3};
    prepare(&b, 3, 4, 1.0);
    b.model.gravity[1].constant = -9.81, b.model.velocity[0] = 0.2, b.model.spin = 0.3;
    b.model.n_contacts = 1, b.model.contact = &floor_of;
    build(&b);
    prc_step_options o = prc_step_options_default(1e-4);
    o.scheme = scheme ? "generalized-alpha" : "theta", o.theta = 0.55, o.rho = 0.0;
    if (scheme) o.law = PRC_IMPACT_NEWTON;
    run(&b, &o, 2000, &sum, push_of, push);
    const double m = prc_beam_mass(b.beam);
    ck_assert_double_gt(push[0], 0.1);
    ck_assert_double_eq_tol(push[3], push[0] - m * 9.81 * 0.2, 1e-10);
    ck_assert_double_eq_tol(push[2], 0.2 * m + push[1], 1e-10);
    prc_beam_free(&b.beam);
  }
}
END_TEST

/* ---- what cannot be ---------------------------------------------------------------------------------------------------- */

static void refused(const one *b, const char *words) {
  prc_beam *beam = NULL;
  prc_error_clear(&err);
  support_fails(prc_beam_create(&b->model, &beam, &err), PRC_INPUT, &err, words);
  ck_assert_ptr_null(beam);
  prc_error_clear(&err);
}

START_TEST(what_cannot_be_is_refused) {
  one b;
  prepare(&b, 3, 4, 1.0);
  b.model.degree = 1, refused(&b, "its degree is 1");
  b.model.degree = 6, refused(&b, "its degree is 6");
  b.model.degree = 3, b.model.EI = 0.0, refused(&b, "EI is 0");
  b.model.EI = NAN, refused(&b, "EI is nan");
  b.model.EI = 1.0, b.model.EA = -1.0, refused(&b, "EA is -1");
  b.model.EA = 1.0, b.model.density = 0.0, refused(&b, "density is 0");
  b.model.density = 1.0, b.model.n_elements = 0, refused(&b, "0 elements");
  b.model.n_elements = 4, b.model.n_gauss = 3, refused(&b, "3 Gauss points");
  b.model.n_gauss = 0, b.model.damping_mass = -1.0, refused(&b, "damping");
  b.model.damping_mass = 0.0, b.point[3] = NAN, refused(&b, "control point 2 is not finite");
  memset(b.point, 0, sizeof b.point);
  refused(&b, "stands still");
  prc_beam_straight(3, 4, (const double[2][2]){{0.0, 0.0}, {1.0, 0.0}}, b.point);
  const prc_beam_load load = {.s = 1.5};
  b.model.n_loads = 1, b.model.load = &load, refused(&b, "a load acts at s = 1.5");
  b.model.n_loads = 0;
  const double s = -0.1;
  prc_beam_contact contact = {.name = "c", .plane = {{0.0, 0.0}, {0.0, 1.0}}, .n_points = 1, .s = &s};
  b.model.n_contacts = 1, b.model.contact = &contact, refused(&b, "s = -0.1");
  contact.n_points = 0, contact.friction = -1.0, refused(&b, "contact 'c'");
}
END_TEST

SUITE(beam) {
  Suite *s = suite_create("beam");
  TCase *forces = tcase_create("forces"), *statics = tcase_create("closed forms"),
        *motion = tcase_create("motion");
  tcase_add_test(forces, splines_are_those_of_their_knots);
  tcase_add_test(forces, forces_are_the_slope_of_the_potential);
  tcase_add_test(forces, means_of_forces_keep_energy_and_momentum);
  tcase_add_test(forces, the_tangent_is_that_of_differences);
  tcase_add_test(forces, a_compressed_beam_leaves_the_matrix_positive);
  tcase_add_test(forces, damping_takes_energy_and_leaves_rotations_free);
  tcase_add_test(forces, rigid_motions_strain_nothing);
  tcase_add_test(forces, forces_turn_and_mirror_with_the_line);
  tcase_add_test(forces, mass_is_that_of_a_thin_rod);
  tcase_add_test(forces, what_cannot_be_is_refused);
  suite_add_tcase(s, forces);
  tcase_add_test(statics, a_cantilever_bends_by_the_formula);
  tcase_add_test(statics, an_end_moment_rolls_it_up_to_a_circle);
  tcase_add_test(statics, bending_frequencies_converge_to_their_order);
  tcase_add_test(statics, longitudinal_frequencies_converge_to_their_order);
  suite_add_tcase(s, statics);
  tcase_add_test(motion, energy_stays_to_rounding_through_large_motions);
  tcase_add_test(motion, a_turning_beam_stretches_by_its_spin);
  tcase_add_test(motion, percussions_are_weight_and_change_of_momentum);
  suite_add_tcase(s, motion);
  return s;
}
