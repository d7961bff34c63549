#include "config.h"
#include "cone/solvers/method.h"
#include "cone/problem/local.h"
#include "support/known_contact.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Friction from none to PRC_CONE_FRICTION_MOST, exact zeros, blocks of any rank. The judge here is Coulomb's law once more, in quadruple
 * precision and as projections, p - proj(p - rho w), which there have digits enough: it shares no code with cone/measure.c. */

__extension__ typedef __float128 quad;

static quad root(quad x) {
  if (!(x > 0)) return 0;
  int doublings = 0;
  for (; x < (quad)1e-200; doublings--) x *= (quad)0x1p400; /* double has no such exponents */
  for (; x > (quad)1e200; doublings++) x *= (quad)0x1p-400;
  quad s = (quad)sqrt((double)x);
  for (int k = 0; k < 3; k++) s = (s + x / s) / 2;
  for (; doublings > 0; doublings--) s *= (quad)0x1p200;
  for (; doublings < 0; doublings++) s *= (quad)0x1p-200;
  return s;
}

static quad larger(quad a, quad b) {
  return a > b ? a : b;
}

/* The square of what normal law and friction, each by itself, lack at a contact; where it opens there is no friction. */
static quad broken_square(int dim, double mu, quad rho, int opens, const double *p, const quad *w) {
  const quad p_n = p[0], e_n = p_n - larger(0, p_n - rho * w[0]), radius = opens ? 0 : mu * larger(0, p_n);
  quad y[3], size = 0, sum = e_n * e_n;
  for (int k = 1; k < dim; k++) y[k] = p[k] - rho * w[k], size += y[k] * y[k];
  size = root(size);
  for (int k = 1; k < dim; k++) {
    const quad e = p[k] - (size <= radius ? y[k] : radius / size * y[k]);
    sum += e * e;
  }
  return sum;
}

/* The natural map: of the apex, the point itself and the edge in the direction of its tangential part, the nearest is taken. */
static quad natural_square(int dim, double mu, quad rho, const double *p, const quad *w) {
  quad z[3], speed = 0, t = 0, best = 0, at[3] = {0, 0, 0}, distance = 0, sum = 0;
  for (int k = 1; k < dim; k++) speed += w[k] * w[k];
  z[0] = p[0] - rho * (w[0] + mu * root(speed));
  for (int k = 1; k < dim; k++) z[k] = p[k] - rho * w[k], t += z[k] * z[k];
  t = root(t);
  for (int k = 0; k < dim; k++) best += z[k] * z[k];
  const quad s = (z[0] + mu * t) / (1 + (quad)mu * mu);
  if (s > 0 && t > 0) {
    distance = (z[0] - s) * (z[0] - s) + (t - mu * s) * (t - mu * s);
    if (distance < best) {
      best = distance, at[0] = s;
      for (int k = 1; k < dim; k++) at[k] = mu * s / t * z[k];
    }
  }
  if (z[0] >= 0 && t <= mu * z[0])
    for (int k = 0; k < dim; k++) at[k] = z[k];
  for (int k = 0; k < dim; k++) sum += (p[k] - at[k]) * (p[k] - at[k]);
  return sum;
}

static void velocity(const prc_cone_problem *problem, const double *p, quad *w) {
  const int rows = problem->dim * problem->n;
  for (int i = 0; i < rows; i++) {
    w[i] = problem->b[i];
    for (int j = 0; j < rows; j++) w[i] += (quad)problem->W[(size_t)i * (size_t)rows + (size_t)j] * p[j];
  }
}

enum { MOST = 24 };

/* What p lacks of a solution, against what b and p are worth. W dense. */
static double judge(const prc_cone_problem *problem, const double *p) {
  const int dim = problem->dim, rows = dim * problem->n;
  quad w[3 * MOST], trace = 0, b2 = 0, p2 = 0, sum = 0;
  velocity(problem, p, w);
  for (int i = 0; i < rows; i++) {
    trace += problem->W[(size_t)i * (size_t)(rows + 1)];
    b2 += (quad)problem->b[i] * problem->b[i], p2 += (quad)p[i] * p[i];
  }
  const quad rho = trace > 0 ? rows / trace : 1, size = rho * root(b2) + root(p2);
  for (int c = 0; c < problem->n; c++)
    sum += broken_square(dim, problem->mu[c], rho, 0, p + dim * c, w + dim * c);
  return size > 0 ? (double)(root(sum) / size) : (double)root(sum);
}

/* ---- the measure ------------------------------------------------------------------------------------------------------- */

static const double frictions[] = {0.0, 1e-300, 1e-8, 0.3, 1.0, 2.0, 2.1, 30.0, 1e4, 1e8};
enum { N_FRICTIONS = sizeof frictions / sizeof *frictions };

/* Zeros of either sign, ones, equal numbers, numbers of all sizes. */
static double odd_number(prc_random *r) {
  static const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.3, -0.3, 1e-16, -1e-16, 1e-300, -1e-300, 1e6, -1e6};
  const uint64_t bits = prc_random_bits(r);
  if (bits % 3 == 0) return support_normal(r);
  return bits % 3 == 1 ? 0.0 : odd[bits / 3 % (sizeof odd / sizeof *odd)];
}

START_TEST(the_measure_is_the_law_also_at_exact_zeros) {
  const double mu = frictions[_i];
  prc_random r = {51};
  for (int trial = 0; trial < 20000; trial++) {
    const int dim = 2 + trial % 2;
    const double rho = trial % 4 < 2 ? 1.0 : 0.01;
    double p[3], w[3];
    quad exact[3];
    for (int k = 0; k < dim; k++) p[k] = odd_number(&r), exact[k] = w[k] = odd_number(&r);
    if (trial % 8 == 0) memcpy(p, w, sizeof p);
    const prc_cone_problem one = {.dim = dim, .n = 1, .mu = &mu};
    const double natural = prc_cone_natural_map(&one, rho, p, w),
                 decoupled = prc_cone_decoupled_map(&one, rho, p, w),
                 taken = prc_cone_residual(&one, rho, p, w);
    const double expected = (double)root(natural_square(dim, mu, rho, p, exact)),
                 broken = (double)root(broken_square(dim, mu, rho, 0, p, exact)),
                 opened = (double)root(broken_square(dim, mu, rho, 1, p, exact));
    double size = 0.0;
    for (int k = 0; k < dim; k++) size += fabs(p[k]) + rho * (1.0 + (k > 0) * mu) * fabs(w[k]);
    ck_assert_msg(fabs(natural - expected) <= 1e-14 * size,
                  "mu %g, %dD, trial %d: natural map %g, expected %g", mu, dim, trial, natural, expected);
    /* above two, friction where a contact opens is an error itself */
    const double y_2 = dim == 3 ? p[2] - rho * w[2] : 0.0, t = hypot(p[1], dim == 3 ? p[2] : 0.0);
    const int slips = hypot(p[1] - rho * w[1], y_2) >= (1.0 - 1e-15) * mu * fmax(p[0], 0.0); /* or nearly */
    const double rounding = 1e-27 * size + (slips ? 1e-15 * t : 0.0),
                 decoupled_error = fabs(decoupled - broken),
                 opened_error = mu > 2.0 && rho * w[0] > p[0] ? fabs(decoupled - opened) : INFINITY;
    ck_assert_msg(fmin(decoupled_error, opened_error) <= 1e-14 * decoupled + rounding,
                  "mu %g, %dD, trial %d: decoupled %g, expected %g", mu, dim, trial, decoupled, broken);
    ck_assert(taken == (mu <= 2.0 ? natural : decoupled));
    if (mu <= 2.0) ck_assert_double_le(decoupled, 3.8 * natural + 1e-14 * size);
  }
}
END_TEST

/* Solutions of one contact, with exact zeros and the sign of zero either way: the measure is exactly zero there. */
START_TEST(solutions_with_zeros_have_no_error) {
  static const struct {
    double mu_least, p[3], w[3];
  } solution[] = {
      {0, {0, 0, 0}, {1, 0, 0}},       {0, {0, 0, 0}, {0, 0, 0}},     {0, {0, 0, 0}, {1, 5, -3}},
      {0, {0, 0, 0}, {0, 2, 0}},       {0, {2, 0, 0}, {0, 0, 0}},     {0, {-0.0, 0, -0.0}, {1, 0, 0}},
      {0, {0, -0.0, 0}, {-0.0, 0, 0}}, {1, {1, 1, 0}, {0, 0, 0}},     {1, {1, 0.5, -0.5}, {-0.0, 0, -0.0}},
      {0, {1e-300, 0, 0}, {0, 0, 0}},  {0, {0, 0, 0}, {1e-300, 0, 0}}};
  for (int m = 0; m < N_FRICTIONS; m++)
    for (size_t k = 0; k < sizeof solution / sizeof *solution; k++)
      for (int dim = 2; dim <= 3; dim++) {
        const double mu = frictions[m];
        const prc_cone_problem one = {.dim = dim, .n = 1, .mu = &mu};
        if (mu < solution[k].mu_least) continue;
        ck_assert_double_eq(prc_cone_residual(&one, 0.7, solution[k].p, solution[k].w), 0.0);
        ck_assert_double_eq(prc_cone_decoupled_map(&one, 0.7, solution[k].p, solution[k].w), 0.0);
      }
}
END_TEST

START_TEST(large_friction_hides_neither_the_obstacle_nor_the_stick) {
  const double mu = 1e8, W[4] = {1.0, 0.0, 0.0, 1.0}, b[2] = {-1.0, 1e-6}, none[2] = {0.0, 0.0};
  const prc_cone_problem one = {.dim = 2, .n = 1, .W = W, .b = b, .mu = &mu};
  double w[2];
  ck_assert_double_eq_tol(prc_cone_error(&one, none, w).scaled, 1.0, 1e-6); /* it falls through the floor */
  ck_assert_double_ge(prc_cone_error(&one, none, w).paper, 0.49);
  const double stuck[2] = {1.0, 0.0}, little[2] = {0.0, 1e-16};
  ck_assert_double_le(prc_cone_residual(&one, 1.0, stuck, little), 2e-16);
  /* friction without a normal force: mu p_N of a p_N far within any tolerance, at a contact that opens */
  const double ghost[2] = {1e-11, 1e-3}, open[2] = {0.5, -0.1};
  ck_assert_double_ge(prc_cone_residual(&one, 1.0, ghost, open), 1e-3);
  const double nan[2] = {NAN, 0.0}, infinite[2] = {INFINITY, 0.0};
  ck_assert(isnan(prc_cone_residual(&one, 1.0, nan, open))
            && isnan(prc_cone_residual(&one, 1.0, stuck, nan)));
  ck_assert(!(prc_cone_residual(&one, 1.0, infinite, open) < 1e300));
}
END_TEST

START_TEST(no_size_of_numbers_hides_an_error) { /* squares of 1e-170 are zero, those of 1e170 infinite */
  const double p[6] = {1.0, 0.5, 0.2, 0.0, 0.3, 0.0}, w[6] = {0.1, -0.2, 0.3, -0.4, 0.0, 1.0};
  for (int m = 0; m < N_FRICTIONS; m++)
    for (int e = -900; e <= 900; e += 100) {
      const double mu[2] = {frictions[m], frictions[m]}, scale = ldexp(1.0, e);
      const prc_cone_problem two = {.dim = 3, .n = 2, .mu = mu};
      double q[6], u[6], W[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, b[3] = {-scale, 0.0, 0.0},
                         x[3];
      for (int i = 0; i < 6; i++) q[i] = scale * p[i], u[i] = scale * w[i];
      ck_assert_double_eq_tol(prc_cone_residual(&two, 0.5, q, u) / scale, prc_cone_residual(&two, 0.5, p, w),
                              1e-14);
      const prc_cone_problem falls = {.dim = 3, .n = 1, .W = W, .b = b, .mu = mu};
      const double none[3] = {0.0};
      ck_assert_double_ge(prc_cone_error(&falls, none, x).scaled, 0.5);
    }
}
END_TEST

START_TEST(no_free_velocity_needs_no_percussion) { /* b = 0 has no scale but p's */
  const double W[4] = {1.0, 0.0, 0.0, 0.0}, b[2] = {0.0, -0.0}, mu = 0.5;
  const prc_cone_problem one = {.dim = 2, .n = 1, .W = W, .b = b, .mu = &mu};
  double p[2] = {1e-15, 0.0}, w[2];
  ck_assert_double_ge(prc_cone_error(&one, p, w).scaled, 0.5);
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  support_ok(prc_cone_solver_create("auto", 2, 1, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, &one, p);
  ck_assert(info.converged && info.iterations == 0 && p[0] == 0.0 && p[1] == 0.0);
  prc_cone_solver_free(&solver);
}
END_TEST

/* ---- one contact --------------------------------------------------------------------------------------------------------- */

/* W = H H' of a rank and condition; b = w - W p of a status whose p and w are of size one, whatever mu. */
static void make(prc_random *r, int dim, int n, int rank, double condition, double mu, double *W, double *b) {
  static double H[9 * MOST * MOST];
  double p[3 * MOST] = {0.0}, w[3 * MOST] = {0.0};
  const int rows = dim * n;
  support_delassus(r, rows, rank, condition, H, W);
  for (int c = 0; c < n; c++) {
    const int status = (int)prc_random_uniform(r, 0.0, 3.0);
    double *p_c = p + dim * c, *w_c = w + dim * c;
    support_contact(r, dim, mu, status, p_c, w_c);
    const double size = dim == 2 ? fabs(p_c[1]) : hypot(p_c[1], p_c[2]);
    for (int d = status == PRC_CONE_SLIP ? 0 : 1; d < dim && size > 1.0; d++) p_c[d] /= size;
  }
  for (int i = 0; i < rows; i++) {
    b[i] = w[i];
    for (int j = 0; j < rows; j++) b[i] -= W[i * rows + j] * p[j];
  }
}

START_TEST(a_contact_is_solved_whatever_its_friction_rank_and_condition) {
  static const struct {
    double condition;
    int lacking; /* of the rank */
  } kind[] = {{1.0, 0}, {1e4, 0}, {1e10, 0}, {1e16, 0}, {1e3, 1}};
  const double mu = frictions[_i];
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    for (int dim = 2; dim <= 3; dim++) {
      prc_random r = {77};
      for (int trial = 0; trial < 2000; trial++) {
        double W[9], q[3], p[3] = {0.0, 0.5, 0.2};
        make(&r, dim, 1, dim - kind[k].lacking, kind[k].condition, mu, W, q);
        if (dim == 2)
          prc_cone_local_2d(W, q, mu, p);
        else
          prc_cone_local_space(3, W, q, mu, p);
        const prc_cone_problem one = {.dim = dim, .n = 1, .W = W, .b = q, .mu = &mu};
        ck_assert_msg(judge(&one, p) <= 1e-12, "mu %g, %dD, condition %g, trial %d: %g", mu, dim,
                      kind[k].condition, trial, judge(&one, p));
      }
    }
}
END_TEST

/* Zeros wherever they can stand, in b and in W: every solver, every friction. Slip at 1e8 where W_TT is zero has p_T = 1e8 p_N, whose
 * rounding is above the tolerance: there a miss is right. */
static const char *const methods[] = {"auto",          "gauss-seidel",       "newton",
                                      "lemke",         "interior-point",     "active-set",
                                      "extragradient", "projected-gradient", "admm"};
enum { N_METHODS = sizeof methods / sizeof *methods, TO_THE_END = 4 }; /* the first do large friction too */

START_TEST(exact_zeros_are_solved_by_every_method) {
  static const double blocks[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                     {1, 0, 0, 0, 0, 0, 0, 0, 0},
                                     {1, 0, 0, 0, 1, 0, 0, 0, 0},
                                     {2, 1, 0, 1, 2, 0, 0, 0, 2},
                                     {1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1}};
  static const double values[] = {0.0, -0.0, 1.0, -1.0}, some[] = {0.0, 1e-300, 1e-8, 1.0, 1e8};
  const char *name = methods[_i];
  prc_cone_options options = prc_cone_options_default();
  options.max_iterations = 3000;
  for (int dim = 2; dim <= (strcmp(name, "active-set") == 0 ? 2 : 3); dim++) {
    prc_cone_solver *solver = NULL;
    prc_error err = {0};
    support_ok(prc_cone_solver_create(name, dim, 2, &options, &solver, &err), &err);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
      for (int v = 0; v < (dim == 2 ? 16 : 64); v++)
        for (size_t m = 0; m < sizeof some / sizeof *some; m++)
          for (int start = 0; start < 2; start++) {
            double W[9], b[3], p[3] = {start ? 1.0 : -0.0, start ? -0.0 : 0.0, 0.0};
            for (int i = 0; i < dim * dim; i++) W[i] = blocks[k][3 * (i / dim) + i % dim];
            for (int i = 0; i < dim; i++) b[i] = values[v >> 2 * i & 3];
            const prc_cone_problem one = {.dim = dim, .n = 1, .W = W, .b = b, .mu = some + m};
            const prc_cone_info info = prc_cone_solve(solver, &one, p);
            const int beyond =
                some[m] > 1.0 && (k == 1 || k == 2) && (b[1] != 0.0 || (dim == 3 && b[2] != 0.0));
            if (!beyond && (_i < TO_THE_END || some[m] <= 1.0))
              ck_assert_msg(info.converged, "%s, %dD, W %d, b (%g, %g, %g), mu %g: %g", name, dim, (int)k,
                            b[0], b[1], dim == 3 ? b[2] : 0.0, some[m], info.error.scaled);
            if (info.converged) ck_assert_double_le(judge(&one, p), 4e-10);
          }
    prc_cone_solver_free(&solver);
  }
}
END_TEST

/* The same contact twice, and twice the same numbers, without friction and with much. */
START_TEST(equal_contacts_are_solved) {
  static const double some[] = {0.0, 0.5, 1e8};
  const char *name = methods[_i];
  prc_cone_options options = prc_cone_options_default();
  for (int dim = 2; dim <= (strcmp(name, "active-set") == 0 ? 2 : 3); dim++)
    for (int m = 0; m < 3; m++) {
      const int rows = 2 * dim;
      double W[36], b[6], p[6] = {0.0}, mu[2] = {some[m], some[m]};
      prc_cone_solver *solver = NULL;
      prc_error err = {0};
      for (int i = 0; i < rows; i++) {
        b[i] = i % dim == 0 ? -1.0 : 0.0;
        for (int j = 0; j < rows; j++) W[i * rows + j] = i % dim == j % dim;
      }
      const prc_cone_problem two = {.dim = dim, .n = 2, .W = W, .b = b, .mu = mu};
      support_ok(prc_cone_solver_create(name, dim, 2, &options, &solver, &err), &err);
      const prc_cone_info info = prc_cone_solve(solver, &two, p);
      if (strcmp(name, "active-set") != 0) /* it has one system for both, which is singular */
        ck_assert_msg(info.converged, "%s, %dD, mu %g: %g", name, dim, some[m], info.error.scaled);
      if (info.converged) ck_assert_double_eq_tol(p[0] + p[dim], 1.0, 1e-9);
      prc_cone_solver_free(&solver);
    }
}
END_TEST

/* ---- many contacts, much friction --------------------------------------------------------------------------------------- */

static void fill_blocks(int dim, int n, const double *W, prc_cone_blocks *B) {
  double *to = B->values;
  for (int c = 0; c < n; c++)
    for (int j = 0; j < n; j++) {
      B->column[c * n + j] = j, B->row_start[c + 1] = (c + 1) * n;
      for (int e = 0; e < dim * dim; e++) *to++ = W[(dim * c + e / dim) * dim * n + dim * j + e % dim];
    }
}

/* W is the inverse of nothing here: M = 1, H a square root of W would do as well, but H = W, M = W is simpler: H' M^-1 H = W. */
static void fill_whole(int rows, const double *W, prc_cone_whole *g) {
  g->n_velocities = rows;
  for (int i = 0; i < rows; i++) {
    g->M_start[i + 1] = g->H_start[i + 1] = (i + 1) * rows;
    for (int j = 0; j < rows; j++) {
      g->M_column[i * rows + j] = g->H_row[i * rows + j] = j;
      g->M[i * rows + j] = g->H[i * rows + j] = W[i * rows + j];
    }
  }
}

static prc_cone_info solve_once(const char *name, const prc_cone_problem *problem, double *p) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  memset(p, 0, (size_t)(problem->dim * problem->n) * sizeof *p);
  support_ok(prc_cone_problem_check(problem, &err), &err);
  support_ok(prc_cone_solver_create_for(name, problem, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

START_TEST(large_friction_is_solved_dense_and_by_blocks) {
  static const double much[] = {3.0, 100.0, 1e4, 1e6, 1e8};
  static double W[9 * MOST * MOST], values[9 * MOST * MOST], b[3 * MOST], mu[MOST], p[3 * MOST];
  static int row_start[MOST + 1], column[MOST * MOST];
  prc_cone_blocks blocks = {row_start, column, values};
  const double friction = much[_i];
  const int n = 8;
  for (int c = 0; c < n; c++) mu[c] = friction;
  for (int dim = 2; dim <= 3; dim++) {
    prc_random r = {5};
    for (int trial = 0; trial < 40; trial++) {
      make(&r, dim, n, trial % 2 ? dim * n : dim * n * 2 / 3, trial % 4 < 2 ? 1.0 : 1e6, friction, W, b);
      fill_blocks(dim, n, W, &blocks);
      const prc_cone_problem dense = {.dim = dim, .n = n, .W = W, .b = b, .mu = mu},
                             sparse = {.dim = dim, .n = n, .blocks = &blocks, .b = b, .mu = mu};
      for (int k = 0; k < 2; k++) {
        const prc_cone_info info = solve_once("auto", k ? &sparse : &dense, p);
        ck_assert_msg(info.converged, "mu %g, %dD, trial %d, %s: %g", friction, dim, trial,
                      k ? "by blocks" : "dense", info.error.scaled);
        ck_assert_double_le(judge(&dense, p), 4e-10);
      }
    }
  }
}
END_TEST

/* All contacts stick: p = -W^-1 b with every p_N > 0, the solution that any friction large enough has. Every method gets it or says that
 * it did not. */
START_TEST(what_sticks_is_solved_as_a_stick) {
  static double W[9 * MOST * MOST], b[3 * MOST], mu[MOST], p[3 * MOST], stuck[3 * MOST];
  const char *name = methods[_i];
  const int n = 6;
  for (int dim = 2; dim <= (strcmp(name, "active-set") == 0 ? 2 : 3); dim++)
    for (int e = 0; e <= 8; e += 2) {
      prc_random r = {9};
      const int rows = dim * n;
      make(&r, dim, n, 4 * rows / 4, 10.0, 1.0, W, b);
      for (int i = 0; i < rows; i++) {
        W[i * (rows + 1)] += 1.0;
        stuck[i] = i % dim == 0 ? prc_random_uniform(&r, 1.0, 2.0) : prc_random_uniform(&r, -0.5, 0.5);
      }
      for (int i = 0; i < rows; i++) {
        b[i] = 0.0;
        for (int j = 0; j < rows; j++) b[i] -= W[i * rows + j] * stuck[j];
      }
      for (int c = 0; c < n; c++) mu[c] = pow(10.0, e);
      const prc_cone_problem problem = {.dim = dim, .n = n, .W = W, .b = b, .mu = mu};
      const prc_cone_info info = solve_once(name, &problem, p);
      if (_i < TO_THE_END || strcmp(name, "active-set") == 0)
        ck_assert_msg(info.converged, "%s, %dD, mu 1e%d: %g", name, dim, e, info.error.scaled);
      for (int i = 0; i < rows && info.converged; i++) ck_assert_double_eq_tol(p[i], stuck[i], 1e-8);
    }
}
END_TEST

START_TEST(large_friction_is_solved_in_global_form) {
  enum { N = 5, ROWS = 3 * N };
  static double W[ROWS * ROWS], b[ROWS], mu[N], p[ROWS], M[ROWS * ROWS], H[ROWS * ROWS];
  static int M_start[ROWS + 1], M_column[ROWS * ROWS], H_start[ROWS + 1], H_row[ROWS * ROWS];
  prc_error err = {0};
  int solved = 0, all = 0;
  for (int dim = 2; dim <= 3; dim++)
    for (int e = 1; e <= 8; e++) {
      prc_random r = {(uint64_t)(3 + e)};
      const int rows = dim * N;
      make(&r, dim, N, 3 * rows / 3, 10.0, pow(10.0, e), W, b);
      for (int c = 0; c < N; c++) mu[c] = pow(10.0, e);
      prc_cone_whole *g = calloc(1, sizeof *g);
      *g = (prc_cone_whole){rows, M_start, M_column, M, H_start, H_row, H, NULL, NULL, NULL};
      fill_whole(rows, W, g);
      support_ok(prc_cone_whole_prepare(g, rows, &err), &err);
      const prc_cone_problem whole = {.dim = dim, .n = N, .b = b, .mu = mu, .whole = g},
                             dense = {.dim = dim, .n = N, .W = W, .b = b, .mu = mu};
      const prc_cone_info info = solve_once("newton", &whole, p);
      solved += info.converged, all++;
      if (info.converged) ck_assert_double_le(judge(&dense, p), 1e-8); /* of the condensed problem */
      g->M_start = g->M_column = g->H_start = g->H_row = NULL, g->M = g->H = NULL;
      prc_cone_whole_free(&g);
    }
  ck_assert_msg(solved == all, "%d of %d solved", solved, all);
}
END_TEST

/* In other units W is 2^i W, b is 2^j b, and p is 2^(j - i) p, to the last bit, by the measure that has no units. */
START_TEST(powers_of_two_change_no_bit) {
  static double W[9 * MOST * MOST], b[3 * MOST], mu[MOST], p[3 * MOST], W_2[9 * MOST * MOST], b_2[3 * MOST],
      p_2[3 * MOST];
  const char *name = methods[_i];
  const int n = 6;
  prc_cone_options options = prc_cone_options_default();
  options.criterion = PRC_CONE_SCALED, options.max_iterations = 2000;
  for (int dim = 2; dim <= (strcmp(name, "active-set") == 0 ? 2 : 3); dim++)
    for (int trial = 0; trial < 48; trial++) {
      prc_random r = {(uint64_t)(trial / 8 + 1)};
      prc_cone_solver *solver = NULL;
      prc_error err = {0};
      const int rows = dim * n, i_W = 30 * (trial % 4 - 2), i_b = trial % 8 < 4 ? 30 : -30;
      make(&r, dim, n, trial / 8 % 2 ? rows : rows / 2, 1.0, trial < 24 ? 0.7 : 20.0, W, b);
      for (int c = 0; c < n; c++) mu[c] = trial < 24 ? 0.7 : 20.0;
      for (int i = 0; i < rows * rows; i++) W_2[i] = ldexp(W[i], i_W);
      for (int i = 0; i < rows; i++) b_2[i] = ldexp(b[i], i_b), p[i] = p_2[i] = 0.0;
      const prc_cone_problem one = {.dim = dim, .n = n, .W = W, .b = b, .mu = mu},
                             other = {.dim = dim, .n = n, .W = W_2, .b = b_2, .mu = mu};
      support_ok(prc_cone_solver_create(name, dim, n, &options, &solver, &err), &err);
      const prc_cone_info here = prc_cone_solve(solver, &one, p), there = prc_cone_solve(solver, &other, p_2);
      prc_cone_solver_free(&solver);
      ck_assert_int_eq(here.iterations, there.iterations);
      ck_assert_double_eq(here.error.scaled, there.error.scaled);
      for (int i = 0; i < rows; i++) ck_assert_double_eq(ldexp(p[i], i_b - i_W), p_2[i]);
    }
}
END_TEST

SUITE(cone_friction) {
  Suite *suite = suite_create("cone_friction");
  TCase *measure = tcase_create("measure"), *one = tcase_create("one contact"), *many = tcase_create("many");
  tcase_add_loop_test(measure, the_measure_is_the_law_also_at_exact_zeros, 0, N_FRICTIONS);
  tcase_add_test(measure, solutions_with_zeros_have_no_error);
  tcase_add_test(measure, large_friction_hides_neither_the_obstacle_nor_the_stick);
  tcase_add_test(measure, no_size_of_numbers_hides_an_error);
  tcase_add_test(measure, no_free_velocity_needs_no_percussion);
  suite_add_tcase(suite, measure);
  tcase_add_loop_test(one, a_contact_is_solved_whatever_its_friction_rank_and_condition, 0, N_FRICTIONS);
  tcase_add_loop_test(one, exact_zeros_are_solved_by_every_method, 0, N_METHODS);
  tcase_add_loop_test(one, equal_contacts_are_solved, 0, N_METHODS);
  suite_add_tcase(suite, one);
  tcase_add_loop_test(many, large_friction_is_solved_dense_and_by_blocks, 0, 5);
  tcase_add_loop_test(many, what_sticks_is_solved_as_a_stick, 0, N_METHODS);
  tcase_add_loop_test(many, powers_of_two_change_no_bit, 0, N_METHODS);
  tcase_add_test(many, large_friction_is_solved_in_global_form);
  suite_add_tcase(suite, many);
  return suite;
}
