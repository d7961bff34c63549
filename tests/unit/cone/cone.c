#include "config.h"
#include "support/support.h"
#include "cone/cone.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

static prc_error err;

static double dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static double norm(int n, const double *x) {
  return sqrt(dot(n, x, x));
}

static void fill(prc_random *r, double *x, int n, double low, double high) {
  for (int i = 0; i < n; i++) x[i] = prc_random_uniform(r, low, high);
}

/* ---- projection ------------------------------------------------------------------------------------------ */

static const double frictions[] = {0.0, 0.1, 0.5, 1.0, 3.0};
enum { N_FRICTIONS = 5, N_POINTS = 400 };

static double outside_cone(int dim, double mu, const double *x) { /* positive: by how much */
  return norm(dim - 1, x + 1) - mu * x[0];
}
static double outside_polar(int dim, double mu, const double *x) { /* the polar cone: x_N + mu |x_T| <= 0 */
  return x[0] + mu * norm(dim - 1, x + 1);
}

/* Moreau: a + b = x with a in K, b in the polar cone and a . b = 0 hold for the projections and nothing else. */
START_TEST(a_point_is_the_sum_of_its_projections_on_the_cone_and_its_polar) {
  const int dim = 2 + _i % 2;
  const double mu = frictions[_i / 2];
  prc_random r = {31};
  for (int k = 0; k < N_POINTS; k++) {
    double x[3], a[3], b[3];
    fill(&r, x, dim, -2.0, 2.0);
    memcpy(a, x, sizeof a);
    prc_cone_project(dim, mu, a);
    for (int i = 0; i < dim; i++) b[i] = x[i] - a[i];
    ck_assert_double_le(outside_cone(dim, mu, a), 1e-14);
    ck_assert_double_le(outside_polar(dim, mu, b), 1e-14);
    ck_assert_double_le(fabs(dot(dim, a, b)), 1e-14);
  }
}
END_TEST

START_TEST(projecting_twice_is_projecting_once) {
  const int dim = 2 + _i % 2;
  const double mu = frictions[_i / 2];
  prc_random r = {32};
  for (int k = 0; k < N_POINTS; k++) {
    double x[3], once[3];
    fill(&r, x, dim, -2.0, 2.0);
    prc_cone_project(dim, mu, x);
    memcpy(once, x, sizeof once);
    prc_cone_project(dim, mu, x);
    for (int i = 0; i < dim; i++) ck_assert_double_le(fabs(x[i] - once[i]), 1e-15);
  }
}
END_TEST

START_TEST(projecting_brings_no_two_points_further_apart) {
  const int dim = 2 + _i % 2;
  const double mu = frictions[_i / 2];
  prc_random r = {33};
  for (int k = 0; k < N_POINTS; k++) {
    double x[3], y[3], before[3], after[3];
    fill(&r, x, dim, -2.0, 2.0), fill(&r, y, dim, -2.0, 2.0);
    for (int i = 0; i < dim; i++) before[i] = x[i] - y[i];
    prc_cone_project(dim, mu, x);
    prc_cone_project(dim, mu, y);
    for (int i = 0; i < dim; i++) after[i] = x[i] - y[i];
    ck_assert_double_le(norm(dim, after), norm(dim, before) + 1e-15);
  }
}
END_TEST

START_TEST(points_of_the_cone_stay_and_points_of_the_polar_go_to_zero) {
  double inside[3] = {1.0, 0.3, -0.4}, edge[2] = {2.0, -1.0}, polar[3] = {-1.0, 1.2, -1.6}, apex[3] = {0.0};
  prc_cone_project(3, 0.5, inside);
  ck_assert(inside[0] == 1.0 && inside[1] == 0.3 && inside[2] == -0.4);
  prc_cone_project(2, 0.5, edge);
  ck_assert(edge[0] == 2.0 && edge[1] == -1.0);
  prc_cone_project(3, 0.5, polar); /* on the edge of the polar cone: 0.5 * 2 = 1 */
  ck_assert(polar[0] == 0.0 && polar[1] == 0.0 && polar[2] == 0.0);
  prc_cone_project(3, 0.5, apex);
  ck_assert(apex[0] == 0.0 && apex[1] == 0.0 && apex[2] == 0.0);
}
END_TEST

START_TEST(without_friction_the_cone_is_a_ray) {
  double up[3] = {2.0, 1.0, -3.0}, down[2] = {-2.0, 1.0};
  prc_cone_project(3, 0.0, up);
  ck_assert(up[0] == 2.0 && up[1] == 0.0 && up[2] == 0.0);
  prc_cone_project(2, 0.0, down);
  ck_assert(down[0] == 0.0 && down[1] == 0.0);
}
END_TEST

/* ---- known solutions of one contact ------------------------------------------------------------------------ */

typedef enum { OPEN, STICK, SLIP, N_STATUSES } status;

/* p and w of one status; `t` is the direction of sliding, a unit tangential vector. Slip: p on the cone's edge, w
 * tangential and opposed to p_T, so that Phi(w) = (mu |w_T|, w_T) is orthogonal to p. */
static void known(status s, int dim, double mu, const double *t, double size, double *p, double *w) {
  p[0] = s == OPEN ? 0.0 : 3.0 * size, w[0] = s == OPEN ? 0.7 * size : 0.0;
  for (int k = 1; k < dim; k++) {
    p[k] = s == OPEN ? 0.0 : (s == STICK ? 0.6 : -1.0) * mu * p[0] * t[k - 1];
    w[k] = s == STICK ? 0.0 : 2.0 * size * t[k - 1];
  }
}

static void direction(int dim, double angle, double t[2]) {
  t[0] = dim == 2 ? (cos(angle) < 0.0 ? -1.0 : 1.0) : cos(angle);
  t[1] = dim == 2 ? 0.0 : sin(angle);
}

START_TEST(the_natural_map_is_zero_at_solutions_of_every_status) {
  const int dim = 2 + _i % 2;
  const double mu = frictions[_i / 2];
  for (int s = 0; s < N_STATUSES; s++)
    for (int k = 0; k < 12; k++) {
      double t[2], p[3], w[3];
      direction(dim, 0.1 + 0.5 * k, t);
      known((status)s, dim, mu, t, 1.0, p, w);
      const prc_cone_problem one = {.dim = dim, .n = 1, .mu = &mu};
      ck_assert_double_le(prc_cone_natural_map(&one, 1.0, p, w), 1e-14);
      ck_assert_double_le(prc_cone_natural_map(&one, 0.01, p, w), 1e-14);
    }
}
END_TEST

/* what is no solution: penetrating, pulling, outside the cone, sliding while sticking, sliding the wrong way, sliding
 * at less than the limit, pushing while open */
START_TEST(the_natural_map_is_positive_where_the_law_is_broken) {
  static const struct {
    double p[3], w[3];
  } wrong[] = {{{0.0, 0.0, 0.0}, {-0.1, 0.0, 0.0}}, {{-0.1, 0.0, 0.0}, {0.0, 0.0, 0.0}},
               {{1.0, 0.6, 0.0}, {0.0, 0.0, 0.0}},  {{1.0, 0.1, 0.0}, {0.0, 0.1, 0.0}},
               {{1.0, 0.5, 0.0}, {0.0, 0.1, 0.0}},  {{1.0, 0.4, 0.0}, {0.0, -0.1, 0.0}},
               {{1.0, 0.0, 0.0}, {0.1, 0.0, 0.0}},  {{0.0, 0.1, 0.0}, {0.1, 0.0, 0.0}}};
  const double mu = 0.5;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    for (int dim = 2; dim <= 3; dim++) {
      const prc_cone_problem one = {.dim = dim, .n = 1, .mu = &mu};
      ck_assert_double_gt(prc_cone_natural_map(&one, 1.0, wrong[k].p, wrong[k].w), 0.02);
    }
}
END_TEST

START_TEST(in_3d_friction_opposes_the_sliding_and_no_other_direction) {
  const double mu = 0.5, p[3] = {1.0, 0.0, -0.5};
  const prc_cone_problem one = {.dim = 3, .n = 1, .mu = &mu};
  for (int k = 0; k < 16; k++) {
    const double angle = 2.0 * acos(-1.0) * k / 16.0, w[3] = {0.0, cos(angle), sin(angle)};
    const double error = prc_cone_natural_map(&one, 1.0, p, w);
    if (k == 4)
      ck_assert_double_le(error, 1e-15);
    else
      ck_assert_double_gt(error, 0.05);
  }
}
END_TEST

START_TEST(the_natural_map_sums_the_contacts) {
  const double mu[3] = {0.5, 0.0, 2.0}, p[6] = {1.0, 0.7, -0.2, 0.1, 0.5, 0.0},
               w[6] = {0.3, 0.2, -1.0, 1.0, 0.0, 2.0};
  double sum = 0.0;
  for (int c = 0; c < 3; c++) {
    const prc_cone_problem one = {.dim = 2, .n = 1, .mu = mu + c};
    const double part = prc_cone_natural_map(&one, 0.7, p + 2 * c, w + 2 * c);
    sum += part * part;
  }
  const prc_cone_problem all = {.dim = 2, .n = 3, .mu = mu};
  ck_assert_double_eq_tol(prc_cone_natural_map(&all, 0.7, p, w), sqrt(sum), 1e-15);
}
END_TEST

START_TEST(a_percussion_tells_its_status) {
  const double open[2] = {0.0, 0.0}, pulling[2] = {-1.0, 0.0}, stick[3] = {2.0, 0.5, -0.5},
               slip[3] = {5.0, 1.5, -2.0}, nearly[2] = {1.0, 0.5 * (1.0 - 1e-12)},
               almost[2] = {1.0, 0.5 * (1.0 - 1e-6)};
  ck_assert_int_eq(prc_cone_status_of(2, 0.5, open), PRC_CONE_OPEN);
  ck_assert_int_eq(prc_cone_status_of(2, 0.5, pulling), PRC_CONE_OPEN);
  ck_assert_int_eq(prc_cone_status_of(3, 0.5, stick), PRC_CONE_STICK);
  ck_assert_int_eq(prc_cone_status_of(3, 0.5, slip), PRC_CONE_SLIP);
  ck_assert_int_eq(prc_cone_status_of(2, 0.5, nearly), PRC_CONE_SLIP);
  ck_assert_int_eq(prc_cone_status_of(2, 0.5, almost), PRC_CONE_STICK);
}
END_TEST

/* ---- the measure --------------------------------------------------------------------------------------------- */

/* W = diag(2, 1), b = (-1, 1/2), mu = 1/2. At p = 0: Phi(b) = (-3/4, 1/2), -Phi projects on (4/5, -2/5), of length
 * sqrt(4/5); |b| = sqrt(5/4). The map is homogeneous at p = 0, so the scaled measure is sqrt(4/5) / sqrt(5/4) = 4/5. */
static const double hand_W[4] = {2.0, 0.0, 0.0, 1.0}, hand_b[2] = {-1.0, 0.5}, hand_mu = 0.5;

START_TEST(the_measure_agrees_with_a_computation_by_hand) {
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = hand_W, .b = hand_b, .mu = &hand_mu};
  double p[2] = {0.0, 0.0}, w[2];
  prc_cone_measure error = prc_cone_error(&problem, p, w);
  ck_assert_double_eq_tol(error.paper, sqrt(0.8) / (1.0 + sqrt(1.25)), 1e-15);
  ck_assert_double_eq_tol(error.scaled, 0.8, 1e-15);
  ck_assert(w[0] == -1.0 && w[1] == 0.5);
  /* p = (1/2, 0): w = (0, 1/2), Phi = (1/4, 1/2). rho = 1: p - Phi = (1/4, -1/2) projects on s (1, -1/2), s = 2/5, so
   * p moves by (1/10, 1/5). rho = 2/3: p - rho Phi = (1/3, -1/3), s = 2/5 again. */
  p[0] = 0.5;
  error = prc_cone_error(&problem, p, w);
  ck_assert_double_eq_tol(error.paper, sqrt(0.05) / (1.0 + sqrt(1.25)), 1e-15);
  ck_assert_double_eq_tol(error.scaled, sqrt(0.05) / (2.0 / 3.0 * sqrt(1.25)), 1e-15);
  /* slip: p = (1/2, -1/4), w = (0, 1/4) */
  p[1] = -0.25;
  error = prc_cone_error(&problem, p, w);
  ck_assert_double_eq(error.paper, 0.0);
  ck_assert_double_le(error.scaled, DBL_EPSILON);
}
END_TEST

START_TEST(w_is_taken_row_by_row_of_a_matrix_that_need_not_be_symmetric) {
  const double W[4] = {1.0, 2.0, 3.0, 4.0}, b[2] = {10.0, 20.0}, mu = 0.5, p[2] = {1.0, -1.0};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = W, .b = b, .mu = &mu};
  double w[2];
  prc_cone_error(&problem, p, w);
  ck_assert(w[0] == 9.0 && w[1] == 19.0);
}
END_TEST

START_TEST(with_b_zero_the_solution_zero_has_no_error) {
  const double b[2] = {0.0, 0.0}, zero[4] = {0.0}, p[2] = {0.0, 0.0};
  double w[2];
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = hand_W, .b = b, .mu = &hand_mu},
                         none = {.dim = 2, .n = 1, .W = zero, .b = b, .mu = &hand_mu},
                         empty = {.dim = 2, .n = 0, .W = zero, .b = b, .mu = &hand_mu};
  ck_assert_double_eq(prc_cone_error(&problem, p, w).scaled, 0.0);
  ck_assert_double_eq(prc_cone_error(&problem, p, w).paper, 0.0);
  ck_assert_double_eq(prc_cone_error(&none, p, w).scaled, 0.0);
  ck_assert_double_eq(prc_cone_error(&empty, p, w).scaled, 0.0);
}
END_TEST

/* ---- random problems, built backwards from their solution ---------------------------------------------------- */

enum { MOST = 60, ROWS = 2 * MOST };

typedef struct {
  prc_cone_problem problem;
  double W[ROWS * ROWS], b[ROWS], mu[MOST], p[ROWS], w[ROWS]; /* p and w: the known solution */
} sample;

/* W = A A' / m + shift with A of 2n x m: singular when m < 2n and shift = 0. b = w - W p. */
static void make(sample *s, int n, int m, double shift, double mu_low, double mu_high, uint64_t seed) {
  static double A[ROWS * 8 * ROWS];
  const int rows = 2 * n;
  prc_random r = {seed};
  fill(&r, A, rows * m, -sqrt(3.0), sqrt(3.0)); /* of variance 1 */
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      s->W[i * rows + j] = dot(m, A + i * m, A + j * m) / m + (i == j ? shift : 0.0);
  fill(&r, s->mu, n, mu_low, mu_high);
  for (int c = 0; c < n; c++) {
    const status which = (status)(prc_random_bits(&r) % N_STATUSES);
    double t[2];
    direction(2, prc_random_uniform(&r, -3.0, 3.0), t);
    known(which, 2, s->mu[c], t, prc_random_uniform(&r, 0.1, 1.0), s->p + 2 * c, s->w + 2 * c);
  }
  for (int i = 0; i < rows; i++) s->b[i] = s->w[i] - dot(rows, s->W + i * rows, s->p);
  s->problem = (prc_cone_problem){.dim = 2, .n = n, .W = s->W, .b = s->b, .mu = s->mu};
}

/* The two measures once more, by other means: the projection is the nearest of x itself (if inside), the two rays'
 * nearest points and the apex. */
static double distance2_moved(const double p[2], const double z[2], double mu) {
  double best = z[0] * z[0] + z[1] * z[1], nearest[2] = {0.0, 0.0};
  if (fabs(z[1]) <= mu * z[0]) best = 0.0, nearest[0] = z[0], nearest[1] = z[1];
  for (int sign = -1; sign <= 1; sign += 2) {
    const double s = (z[0] + sign * mu * z[1]) / (1.0 + mu * mu), ray[2] = {s, sign * mu * s};
    const double d = (z[0] - ray[0]) * (z[0] - ray[0]) + (z[1] - ray[1]) * (z[1] - ray[1]);
    if (s > 0.0 && d < best) best = d, nearest[0] = ray[0], nearest[1] = ray[1];
  }
  return (p[0] - nearest[0]) * (p[0] - nearest[0]) + (p[1] - nearest[1]) * (p[1] - nearest[1]);
}

static prc_cone_measure independent(const prc_cone_problem *problem, const double *p) {
  const int rows = 2 * problem->n;
  double paper = 0.0, scaled = 0.0, trace = 0.0;
  for (int i = 0; i < rows; i++) trace += problem->W[i * rows + i];
  const double rho = trace > 0.0 ? rows / trace : 1.0, b = norm(rows, problem->b);
  for (int c = 0; c < problem->n; c++) {
    const double w0 = problem->b[2 * c] + dot(rows, problem->W + 2 * c * rows, p),
                 w1 = problem->b[2 * c + 1] + dot(rows, problem->W + (2 * c + 1) * rows, p),
                 phi[2] = {w0 + problem->mu[c] * fabs(w1), w1};
    const double z[2] = {p[2 * c] - phi[0], p[2 * c + 1] - phi[1]},
                 z_rho[2] = {p[2 * c] - rho * phi[0], p[2 * c + 1] - rho * phi[1]};
    paper += distance2_moved(p + 2 * c, z, problem->mu[c]);
    scaled += distance2_moved(p + 2 * c, z_rho, problem->mu[c]);
  }
  return (prc_cone_measure){sqrt(paper) / (1.0 + b), sqrt(scaled) / (b > 0.0 ? rho * b : 1.0)};
}

START_TEST(the_measure_is_zero_at_known_solutions_and_nowhere_near) {
  static sample s;
  prc_random r = {34};
  make(&s, 1 + 3 * _i, 6 * _i + 4, 0.1, 0.0, 0.8, 35 + (uint64_t)_i);
  double w[ROWS];
  prc_cone_measure error = prc_cone_error(&s.problem, s.p, w);
  ck_assert_double_le(error.paper, 1e-14);
  ck_assert_double_le(error.scaled, 1e-14);
  for (int i = 0; i < 2 * s.problem.n; i++) {
    ck_assert_double_le(fabs(w[i] - s.w[i]), 1e-12);
    double p[ROWS], away[ROWS];
    memcpy(p, s.p, sizeof p);
    p[i] += prc_random_uniform(&r, 0.0, 1.0) < 0.5 ? -0.01 : 0.01;
    ck_assert_double_gt(prc_cone_error(&s.problem, p, away).paper, 1e-7);
    ck_assert_double_gt(prc_cone_error(&s.problem, p, away).scaled, 1e-7);
  }
}
END_TEST

START_TEST(the_measure_agrees_with_an_independent_one) {
  static sample s;
  prc_random r = {36};
  make(&s, 10, 30, 0.0, 0.0, 1.0, 37);
  for (int k = 0; k < 100; k++) {
    double p[ROWS], w[ROWS];
    fill(&r, p, 20, -1.0, 3.0);
    const prc_cone_measure expected = independent(&s.problem, p), error = prc_cone_error(&s.problem, p, w);
    ck_assert_double_eq_tol(error.paper, expected.paper, 1e-13 * (1.0 + expected.paper));
    ck_assert_double_eq_tol(error.scaled, expected.scaled, 1e-13 * (1.0 + expected.scaled));
  }
}
END_TEST

/* Velocities in other units: w, b times c; percussions times s; W times c / s. SI and g-mm-ms differ by such factors. */
START_TEST(the_scaled_measure_does_not_depend_on_units_and_the_papers_does) {
  static sample s;
  static double W[ROWS * ROWS];
  const double c = 1e-3, q = 1e-6;
  double b[ROWS], p[ROWS], p_new[ROWS], w[ROWS];
  prc_random r = {38};
  make(&s, 12, 40, 0.0, 0.1, 0.8, 39);
  fill(&r, p, 24, 0.0, 1.0);
  for (int i = 0; i < 24 * 24; i++) W[i] = s.W[i] * c / q;
  for (int i = 0; i < 24; i++) b[i] = s.b[i] * c, p_new[i] = p[i] * q;
  const prc_cone_problem other = {.dim = 2, .n = 12, .W = W, .b = b, .mu = s.mu};
  const prc_cone_measure here = prc_cone_error(&s.problem, p, w), there = prc_cone_error(&other, p_new, w);
  ck_assert_double_gt(here.scaled, 0.01);
  ck_assert_double_eq_tol(there.scaled, here.scaled, 1e-12 * here.scaled);
  ck_assert_double_gt(fabs(there.paper - here.paper), 0.1 * here.paper);
}
END_TEST

START_TEST(for_small_b_the_papers_measure_lets_even_zero_pass_and_the_scaled_does_not) {
  const double b[2] = {1e-12 * hand_b[0], 1e-12 * hand_b[1]}, p[2] = {0.0, 0.0};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = hand_W, .b = b, .mu = &hand_mu};
  double w[2];
  ck_assert_double_lt(prc_cone_error(&problem, p, w).paper, 1e-10);
  ck_assert_double_eq_tol(prc_cone_error(&problem, p, w).scaled, 0.8, 1e-15);
}
END_TEST

/* ---- solvers ------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"gauss-seidel", "active-set", "auto"};
enum { GAUSS_SEIDEL, ACTIVE_SET, AUTO, N_SOLVERS };

static prc_cone_solver *solver_with(const char *name, int n_max, double tolerance, int max_iterations) {
  prc_cone_options options = prc_cone_options_default();
  options.tolerance = tolerance, options.max_iterations = max_iterations;
  prc_cone_solver *solver = NULL;
  prc_error_clear(&err);
  support_ok(prc_cone_solver_create(name, 2, n_max, &options, &solver, &err), &err);
  return solver;
}

static prc_cone_solver *solver_of(const char *name, int n_max) {
  const prc_cone_options options = prc_cone_options_default();
  return solver_with(name, n_max, options.tolerance, options.max_iterations);
}

/* Whatever a solver says must be true of the p it left. Returns 1 when it converged. */
static int expect_honest(const prc_cone_problem *problem, const double *p, const prc_cone_info *info,
                         double tolerance) {
  double w[ROWS];
  const prc_cone_measure again = prc_cone_error(problem, p, w), other = independent(problem, p);
  ck_assert_double_eq(info->error.paper, again.paper);
  ck_assert_double_eq(info->error.scaled, again.scaled);
  ck_assert_int_eq(info->converged, again.paper <= tolerance && again.scaled <= tolerance);
  ck_assert_ptr_nonnull(info->finished);
  ck_assert_int_le(info->newton, info->iterations);
  if (info->converged) {
    ck_assert_double_le(other.paper, tolerance + 1e-13);
    ck_assert_double_le(other.scaled, tolerance + 1e-13);
  }
  return info->converged;
}

static int solve_honestly(prc_cone_solver *solver, const sample *s, double *p) {
  memset(p, 0, ROWS * sizeof *p);
  const prc_cone_info info = prc_cone_solve(solver, &s->problem, p);
  return expect_honest(&s->problem, p, &info, prc_cone_options_default().tolerance);
}

/* Eigenvalues of W in about 1/4 .. 9/4 and mu <= 0.1: the solution is unique. */
START_TEST(every_solver_finds_the_known_solution_when_it_is_unique) {
  static sample s;
  static const int n_of[] = {1, 2, 3, 5, 8, 13, 20, 30, 45, 60};
  prc_cone_solver *solver = solver_of(names[_i], MOST);
  for (int k = 0; k < 20; k++) {
    const int n = n_of[k % 10];
    double p[ROWS];
    make(&s, n, 16 * n, 0.0, 0.0, 0.1, 40 + (uint64_t)k);
    ck_assert_msg(solve_honestly(solver, &s, p), "%d contacts, sample %d", n, k);
    for (int i = 0; i < 2 * n; i++) ck_assert_double_le(fabs(p[i] - s.p[i]), 1e-8);
  }
  prc_cone_solver_free(&solver);
  ck_assert_ptr_null(solver);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(sweeps_and_auto_solve_problems_with_strong_friction) {
  static sample s;
  prc_cone_solver *solver = solver_of(names[_i ? AUTO : GAUSS_SEIDEL], MOST);
  for (int k = 0; k < 40; k++) {
    double p[ROWS];
    make(&s, 1 + 3 * (k % 20), 16 * (1 + 3 * (k % 20)), 0.05, 0.1, 0.8, 60 + (uint64_t)k);
    ck_assert_msg(solve_honestly(solver, &s, p), "%d contacts, sample %d", s.problem.n, k);
  }
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(
    auto_solves_ill_conditioned_problems) { /* as many unknowns as rows: a condition number of thousands */
  static sample s;
  prc_cone_solver *solver = solver_of("auto", MOST);
  for (int k = 0; k < 40; k++) {
    double p[ROWS];
    const int n = 1 + 3 * (k % 20);
    make(&s, n, 2 * n + 2, 1e-3, 0.1, 0.8, 100 + (uint64_t)k);
    ck_assert_msg(solve_honestly(solver, &s, p), "%d contacts, sample %d", n, k);
  }
  prc_cone_solver_free(&solver);
}
END_TEST

/* W of rank 2 n / 3 .. 2 n - 1: the velocities are those of a body with fewer dofs than contact rows. */
START_TEST(auto_solves_most_problems_with_more_contact_rows_than_dofs_and_says_which) {
  static sample s;
  prc_cone_solver *solver = solver_of("auto", MOST);
  int solved = 0;
  for (int k = 0; k < 200; k++) {
    double p[ROWS];
    const int n = 2 + k % 29, m = 2 * n - 1 - (k / 29) * n / 6;
    make(&s, n, m > 1 ? m : 1, 0.0, 0.0, 0.8, 200 + (uint64_t)k);
    solved += solve_honestly(solver, &s, p);
  }
  prc_cone_solver_free(&solver);
  ck_assert_int_ge(solved, 190);
}
END_TEST

START_TEST(sweeps_and_newton_are_honest_on_problems_with_more_contact_rows_than_dofs) {
  static sample s;
  prc_cone_solver *solver = solver_with(names[_i], MOST, 1e-10, 200);
  for (int k = 0; k < 60; k++) {
    double p[ROWS] = {0.0};
    make(&s, 2 + k % 29, 2 + k % 29, 0.0, 0.0, 0.8, 500 + (uint64_t)k);
    const prc_cone_info info = prc_cone_solve(solver, &s.problem, p);
    expect_honest(&s.problem, p, &info, 1e-10);
    ck_assert_int_le(info.iterations, 200);
  }
  prc_cone_solver_free(&solver);
}
END_TEST

/* One contact with the statuses and signs in turn; the sweep solves it exactly by enumeration. */
START_TEST(one_contact_takes_one_sweep) {
  static sample s;
  prc_cone_solver *solver = solver_of("gauss-seidel", 1);
  for (int k = 0; k < 300; k++) {
    double p[2] = {0.0, 0.0};
    make(&s, 1, 3, 0.05, 0.0, 1.5, 600 + (uint64_t)k);
    const prc_cone_info info = prc_cone_solve(solver, &s.problem, p);
    expect_honest(&s.problem, p, &info, 1e-10);
    ck_assert_int_eq(info.converged, 1);
    ck_assert_int_le(info.iterations, 2); /* the second sees that nothing moves */
  }
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(without_friction_percussions_are_normal) {
  static sample s;
  prc_cone_solver *solver = solver_of(names[_i], MOST);
  for (int k = 0; k < 20; k++) {
    double p[ROWS];
    make(&s, 1 + 2 * k, 16 * (1 + 2 * k), 0.0, 0.0, 0.0, 700 + (uint64_t)k);
    ck_assert_int_eq(solve_honestly(solver, &s, p), 1);
    for (int c = 0; c < s.problem.n; c++) {
      ck_assert_double_le(fabs(p[2 * c + 1]), 1e-15); /* Newton's is rounding where a contact rests */
      ck_assert_double_ge(p[2 * c], 0.0);
    }
    for (int i = 0; i < 2 * s.problem.n; i++) ck_assert_double_le(fabs(p[i] - s.p[i]), 1e-8);
  }
  prc_cone_solver_free(&solver);
}
END_TEST

/* nothing approaches: p = 0 is the solution, whatever the start */
START_TEST(separating_contacts_take_no_percussion) {
  static sample s;
  prc_cone_solver *solver = solver_of(names[_i], MOST);
  make(&s, 20, 80, 0.1, 0.1, 0.8, 41);
  for (int c = 0; c < 20; c++) s.b[2 * c] = c % 3 == 0 ? 0.0 : fabs(s.b[2 * c]);
  double p[ROWS] = {0.0};
  prc_cone_info info = prc_cone_solve(solver, &s.problem, p);
  ck_assert_int_eq(info.converged, 1);
  ck_assert_int_eq(info.iterations, 0);
  for (int i = 0; i < 40; i++) ck_assert_double_eq(p[i], 0.0);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(no_contact_is_no_problem) {
  const double nothing[1] = {0.0};
  double p[1] = {7.0};
  const prc_cone_problem empty = {.dim = 2, .n = 0, .W = nothing, .b = nothing, .mu = nothing};
  for (int n_max = 0; n_max <= 5; n_max += 5) {
    prc_cone_solver *solver = solver_of(names[_i], n_max);
    const prc_cone_info info = prc_cone_solve(solver, &empty, p);
    ck_assert_int_eq(info.converged, 1);
    ck_assert_int_eq(info.iterations, 0);
    ck_assert_double_eq(p[0], 7.0);
    prc_cone_solver_free(&solver);
  }
}
END_TEST

START_TEST(a_start_at_the_solution_takes_no_iteration) {
  static sample s;
  prc_cone_solver *solver = solver_of(names[_i], MOST);
  make(&s, 30, 40, 0.0, 0.1, 0.8, 42);
  double p[ROWS];
  memcpy(p, s.p, sizeof p);
  const prc_cone_info info = prc_cone_solve(solver, &s.problem, p);
  ck_assert_int_eq(info.converged, 1);
  ck_assert_int_eq(info.iterations, 0);
  ck_assert_str_eq(info.finished, "warm start");
  ck_assert_mem_eq(p, s.p, 60 * sizeof *p);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(a_start_near_the_solution_helps) {
  static sample s;
  prc_cone_solver *solver = solver_of("gauss-seidel", MOST);
  prc_random r = {43};
  make(&s, 40, 640, 0.0, 0.0, 0.1, 44);
  double cold[ROWS] = {0.0}, warm[ROWS];
  for (int i = 0; i < 80; i++) warm[i] = s.p[i] * (1.0 + prc_random_uniform(&r, -1e-6, 1e-6));
  const prc_cone_info from_zero = prc_cone_solve(solver, &s.problem, cold),
                      from_near = prc_cone_solve(solver, &s.problem, warm);
  ck_assert_int_eq(from_zero.converged && from_near.converged, 1);
  ck_assert_int_lt(from_near.iterations, from_zero.iterations);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(a_spent_budget_is_reported_and_the_best_iterate_kept) {
  static sample s;
  for (int budget = 1; budget <= 20; budget += 6) {
    prc_cone_solver *solver = solver_with(names[_i], MOST, 1e-14, budget);
    double p[ROWS] = {0.0}, start[ROWS] = {0.0}, w[ROWS];
    make(&s, 60, 60, 0.0, 0.3, 0.8, 45);
    const prc_cone_info info = prc_cone_solve(solver, &s.problem, p);
    ck_assert_int_eq(info.converged, 0);
    expect_honest(&s.problem, p, &info, 1e-14);
    ck_assert_int_le(info.iterations, budget);
    ck_assert_double_le(info.error.scaled, prc_cone_error(&s.problem, start, w).scaled);
    prc_cone_solver_free(&solver);
  }
}
END_TEST

START_TEST(a_problem_without_solution_is_not_called_solved) { /* b approaches and no percussion changes it */
  const double W[4] = {0.0}, b[2] = {-1.0, 0.2}, mu = 0.5;
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = W, .b = b, .mu = &mu};
  prc_cone_solver *solver = solver_with(names[_i], 1, 1e-10, 50);
  double p[2] = {0.0, 0.0};
  const prc_cone_info info = prc_cone_solve(solver, &problem, p);
  ck_assert_int_eq(info.converged, 0);
  ck_assert(isfinite(p[0]) && isfinite(p[1]));
  ck_assert_double_gt(info.error.scaled, 0.1);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(nan_is_never_called_solved) {
  const double b[2] = {-1.0, NAN};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = hand_W, .b = b, .mu = &hand_mu};
  prc_cone_solver *solver = solver_with(names[_i], 1, 1e-10, 50);
  double p[2] = {0.25, 0.0};
  const prc_cone_info info = prc_cone_solve(solver, &problem, p);
  ck_assert_int_eq(info.converged, 0);
  ck_assert(p[0] == 0.25 && p[1] == 0.0); /* nothing better was found than the start */
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(a_solver_remembers_nothing_of_earlier_problems) {
  static sample large, s;
  prc_cone_solver *used = solver_of(names[_i], MOST), *fresh = solver_of(names[_i], 7);
  double p[ROWS], first[ROWS], second[ROWS];
  make(&large, 60, 90, 0.0, 0.1, 0.8, 46);
  make(&s, 7, 9, 0.0, 0.1, 0.8, 47);
  solve_honestly(used, &large, p);
  solve_honestly(used, &s, first);
  solve_honestly(fresh, &s, second);
  ck_assert_mem_eq(first, second, sizeof first);
  prc_cone_solver_free(&used);
  prc_cone_solver_free(&fresh);
}
END_TEST

/* The same problem in other units takes another path only through the paper's measure; p scales with them. */
START_TEST(solutions_scale_with_the_units) {
  static sample s;
  static double W[ROWS * ROWS];
  const double c = 1024.0, q = 0x1.0p-20; /* powers of two: rounding is the same in both */
  double b[ROWS], p[ROWS], p_new[ROWS] = {0.0};
  prc_cone_solver *solver = solver_of(names[_i], MOST);
  make(&s, 20, 320, 0.0, 0.0, 0.1, 48);
  for (int i = 0; i < 40 * 40; i++) W[i] = s.W[i] * c / q;
  for (int i = 0; i < 40; i++) b[i] = s.b[i] * c;
  const prc_cone_problem other = {.dim = 2, .n = 20, .W = W, .b = b, .mu = s.mu};
  ck_assert_int_eq(solve_honestly(solver, &s, p), 1);
  const prc_cone_info info = prc_cone_solve(solver, &other, p_new);
  ck_assert_int_eq(info.converged, 1);
  for (int i = 0; i < 40; i++) ck_assert_double_le(fabs(p_new[i] / q - p[i]), 1e-8);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(unknown_solvers_are_refused_with_the_names_that_exist) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error_clear(&err);
  support_fails(prc_cone_solver_create("simplex", 2, 3, &options, &solver, &err), PRC_INPUT, &err,
                "there is no contact solver 'simplex', expected auto, gauss-seidel,");
  ck_assert_ptr_null(solver);
  prc_error_clear(&err);
  support_fails(prc_cone_solver_create("", 2, 3, &options, &solver, &err), PRC_INPUT, &err, "''");
}
END_TEST

START_TEST(a_plane_solver_refuses_space) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error_clear(&err);
  support_fails(prc_cone_solver_create("active-set", 3, 3, &options, &solver, &err), PRC_INPUT, &err,
                "cannot solve 3D problems");
  ck_assert_ptr_null(solver);
}
END_TEST

START_TEST(bad_options_are_refused) {
  static const struct {
    double tolerance;
    int max_iterations;
  } of[] = {{0.0, 10}, {-1e-10, 10}, {1.0, 10}, {NAN, 10}, {1e-10, 0}, {1e-10, -5}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    prc_cone_solver *solver = NULL;
    prc_cone_options bad = prc_cone_options_default();
    bad.tolerance = of[k].tolerance, bad.max_iterations = of[k].max_iterations;
    prc_error_clear(&err);
    support_fails(prc_cone_options_check(&bad, &err), PRC_INPUT, &err, k < 4 ? "tolerance" : "iterations");
    prc_error_clear(&err);
    support_fails(prc_cone_solver_create("auto", 2, 3, &bad, &solver, &err), PRC_INPUT, &err, "expected");
    ck_assert_ptr_null(solver);
  }
  const prc_cone_options good = prc_cone_options_default();
  ck_assert_double_eq(good.tolerance, 1e-10);
  ck_assert_int_eq(good.max_iterations, 10000);
  prc_error_clear(&err);
  support_ok(prc_cone_options_check(&good, &err), &err);
}
END_TEST

SUITE(cone) {
  Suite *suite = suite_create("cone");
  TCase *projection = tcase_create("projection"), *measure = tcase_create("measure"),
        *solvers = tcase_create("solvers"), *refused = tcase_create("refused");
  prc_dense_single_thread();
  tcase_add_loop_test(projection, a_point_is_the_sum_of_its_projections_on_the_cone_and_its_polar, 0,
                      2 * N_FRICTIONS);
  tcase_add_loop_test(projection, projecting_twice_is_projecting_once, 0, 2 * N_FRICTIONS);
  tcase_add_loop_test(projection, projecting_brings_no_two_points_further_apart, 0, 2 * N_FRICTIONS);
  tcase_add_test(projection, points_of_the_cone_stay_and_points_of_the_polar_go_to_zero);
  tcase_add_test(projection, without_friction_the_cone_is_a_ray);
  tcase_add_loop_test(measure, the_natural_map_is_zero_at_solutions_of_every_status, 0, 2 * N_FRICTIONS);
  tcase_add_test(measure, the_natural_map_is_positive_where_the_law_is_broken);
  tcase_add_test(measure, in_3d_friction_opposes_the_sliding_and_no_other_direction);
  tcase_add_test(measure, the_natural_map_sums_the_contacts);
  tcase_add_test(measure, a_percussion_tells_its_status);
  tcase_add_test(measure, the_measure_agrees_with_a_computation_by_hand);
  tcase_add_test(measure, w_is_taken_row_by_row_of_a_matrix_that_need_not_be_symmetric);
  tcase_add_test(measure, with_b_zero_the_solution_zero_has_no_error);
  tcase_add_loop_test(measure, the_measure_is_zero_at_known_solutions_and_nowhere_near, 0, 8);
  tcase_add_test(measure, the_measure_agrees_with_an_independent_one);
  tcase_add_test(measure, the_scaled_measure_does_not_depend_on_units_and_the_papers_does);
  tcase_add_test(measure, for_small_b_the_papers_measure_lets_even_zero_pass_and_the_scaled_does_not);
  tcase_add_loop_test(solvers, every_solver_finds_the_known_solution_when_it_is_unique, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, sweeps_and_auto_solve_problems_with_strong_friction, 0, 2);
  tcase_add_test(solvers, auto_solves_ill_conditioned_problems);
  tcase_add_test(solvers, auto_solves_most_problems_with_more_contact_rows_than_dofs_and_says_which);
  tcase_add_loop_test(solvers, sweeps_and_newton_are_honest_on_problems_with_more_contact_rows_than_dofs, 0,
                      N_SOLVERS);
  tcase_add_test(solvers, one_contact_takes_one_sweep);
  tcase_add_loop_test(solvers, without_friction_percussions_are_normal, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, separating_contacts_take_no_percussion, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, no_contact_is_no_problem, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, a_start_at_the_solution_takes_no_iteration, 0, N_SOLVERS);
  tcase_add_test(solvers, a_start_near_the_solution_helps);
  tcase_add_loop_test(solvers, a_spent_budget_is_reported_and_the_best_iterate_kept, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, a_problem_without_solution_is_not_called_solved, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, nan_is_never_called_solved, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, a_solver_remembers_nothing_of_earlier_problems, 0, N_SOLVERS);
  tcase_add_loop_test(solvers, solutions_scale_with_the_units, 0, N_SOLVERS);
  tcase_add_test(refused, unknown_solvers_are_refused_with_the_names_that_exist);
  tcase_add_test(refused, a_plane_solver_refuses_space);
  tcase_add_test(refused, bad_options_are_refused);
  suite_add_tcase(suite, projection);
  suite_add_tcase(suite, measure);
  suite_add_tcase(suite, solvers);
  suite_add_tcase(suite, refused);
  return suite;
}
