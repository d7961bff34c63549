#include "config.h"
#include "cone/cone.h"
#include "cone/fclib.h"
#include "support/support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The methods beside Gauss-Seidel and Newton. Every test runs for each of them (_i) and judges by the measure alone. */
static const char *const methods[] = {"extragradient", "projected-gradient", "admm", "interior-point"};
#define N_METHODS     4
#define CONTACTS_MOST 12
#define ROWS_MOST     (3 * CONTACTS_MOST)

typedef enum { OPEN, STICK, SLIP, GRAZING, MIXED } kind;

/* A problem that is made from its solution p, dense and by blocks. */
typedef struct {
  int dim, n;
  double W[ROWS_MOST * ROWS_MOST], values[ROWS_MOST * ROWS_MOST], b[ROWS_MOST], mu[CONTACTS_MOST],
      p[ROWS_MOST];
  int row_start[CONTACTS_MOST + 1], column[CONTACTS_MOST * CONTACTS_MOST];
  prc_cone_blocks blocks;
} known;

/* W = G G' / rank, G: rows x rank, uniform in (-1, 1) */
static void fill_matrix(known *k, int rank, prc_random *random) {
  static double G[ROWS_MOST][3 * ROWS_MOST];
  ck_assert_int_le(rank, 3 * ROWS_MOST);
  const int rows = k->dim * k->n;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rank; j++) G[i][j] = prc_random_uniform(random, -1.0, 1.0);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      double sum = 0.0;
      for (int l = 0; l < rank; l++) sum += G[i][l] * G[j][l];
      k->W[i * rows + j] = sum / rank;
    }
}

/* p and w of one contact, so that -Phi(w) is in N_K(p) */
static void fill_contact(int dim, double mu, kind what, prc_random *random, double *p, double *w) {
  const double angle = prc_random_uniform(random, 0.0, 6.283185307179586),
               size = prc_random_uniform(random, 0.5, 2.0);
  const double t[2] = {dim == 3 ? cos(angle) : angle < 3.0 ? 1.0 : -1.0, sin(angle)};
  for (int r = 0; r < dim; r++) p[r] = w[r] = 0.0;
  if (what == OPEN) w[0] = size;
  if (what == STICK || what == SLIP) p[0] = size;
  for (int r = 1; r < dim; r++) {
    if (what == OPEN) w[r] = size * t[r - 1];
    if (what == STICK) p[r] = 0.5 * mu * size * t[r - 1];
    if (what == SLIP) p[r] = -mu * size * t[r - 1], w[r] = size * t[r - 1];
  }
}

static known *make(int dim, int n, int rank, kind what, double mu_most, uint64_t seed) {
  static known k;
  prc_random random = {.state = seed};
  const int rows = dim * n;
  double w[ROWS_MOST];
  k.dim = dim, k.n = n;
  fill_matrix(&k, rank, &random);
  for (int c = 0; c < n; c++) {
    k.mu[c] = prc_random_uniform(&random, 0.5, 1.0) * mu_most;
    fill_contact(dim, k.mu[c], what == MIXED ? (kind)(c % 4) : what, &random, k.p + dim * c, w + dim * c);
  }
  for (int i = 0; i < rows; i++) {
    k.b[i] = w[i];
    for (int j = 0; j < rows; j++) k.b[i] -= k.W[i * rows + j] * k.p[j];
  }
  for (int c = 0; c <= n; c++) k.row_start[c] = c * n;
  for (int e = 0; e < n * n; e++) {
    k.column[e] = e % n;
    for (int i = 0; i < dim * dim; i++)
      k.values[e * dim * dim + i] = k.W[(e / n * dim + i / dim) * rows + e % n * dim + i % dim];
  }
  k.blocks = (prc_cone_blocks){.row_start = k.row_start, .column = k.column, .values = k.values};
  return &k;
}

static prc_cone_problem problem_of(const known *k, int by_blocks) {
  return (prc_cone_problem){.dim = k->dim,
                            .n = k->n,
                            .W = by_blocks ? NULL : k->W,
                            .b = k->b,
                            .mu = k->mu,
                            .blocks = by_blocks ? &k->blocks : NULL};
}

static prc_cone_info solve(int method, const prc_cone_problem *problem, const prc_cone_options *options,
                           double *p) {
  prc_error err = {0};
  prc_cone_solver *solver = NULL;
  support_ok(prc_cone_problem_check(problem, &err), &err);
  support_ok(prc_cone_solver_create_for(methods[method], problem, options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

/* From zero to `tolerance` in both storages; the error is computed anew. */
static void solves(int method, const known *k, double tolerance, int budget) {
  prc_cone_options options = prc_cone_options_default();
  options.tolerance = tolerance, options.max_iterations = budget;
  for (int by_blocks = 0; by_blocks < 2; by_blocks++) {
    const prc_cone_problem problem = problem_of(k, by_blocks);
    double p[ROWS_MOST] = {0.0}, w[ROWS_MOST];
    const prc_cone_info info = solve(method, &problem, &options, p);
    const prc_cone_measure error = prc_cone_error(&problem, p, w);
    ck_assert_msg(info.converged && error.paper <= tolerance && error.scaled <= tolerance,
                  "%s, %dD, %d contacts, %s: error %g after %d iterations", methods[method], k->dim, k->n,
                  by_blocks ? "blocks" : "dense", error.paper, info.iterations);
  }
}

START_TEST(each_status_is_found) { /* W definite and p unique: one contact of each status */
  for (int dim = 2; dim <= 3; dim++)
    for (kind what = OPEN; what <= SLIP; what++) {
      known *k = make(dim, 1, dim, what, 0.0, 7);
      const double W[9] = {2.0, 0.1, 0.05, 0.1, 1.5, 0.1, 0.05, 0.1, 1.0};
      double w[3], p[3] = {0.0};
      prc_random random = {.state = 7};
      k->mu[0] = 0.4;
      fill_contact(dim, 0.4, what, &random, k->p, w);
      for (int r = 0; r < dim; r++) {
        k->b[r] = w[r];
        for (int j = 0; j < dim; j++) {
          k->W[dim * r + j] = k->values[dim * r + j] = W[3 * r + j];
          k->b[r] -= W[3 * r + j] * k->p[j];
        }
      }
      solves(_i, k, 1e-12, 10000);
      const prc_cone_options options = prc_cone_options_default();
      const prc_cone_problem problem = problem_of(k, 0);
      solve(_i, &problem, &options, p);
      for (int r = 0; r < dim; r++) ck_assert_double_eq_tol(p[r], k->p[r], 1e-8);
    }
}
END_TEST

START_TEST(random_problems_are_solved) { /* to 1e-10, W of full rank: twice as many columns as rows */
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 1; n <= CONTACTS_MOST / 2; n++)
      for (uint64_t seed = 1; seed <= 5; seed++)
        solves(_i, make(dim, n, dim * CONTACTS_MOST, MIXED, 0.6, seed), 1e-10, 50000);
}
END_TEST

START_TEST(
    rank_deficient_problems_are_solved) { /* two thirds of the rank; grazing contacts are not strict either */
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 3; n <= CONTACTS_MOST; n += 3)
      for (uint64_t seed = 1; seed <= 5; seed++)
        solves(_i, make(dim, n, 2 * dim * n / 3, MIXED, 0.6, seed), 1e-8, 50000);
}
END_TEST

START_TEST(
    no_friction_is_a_linear_complementarity_problem) { /* mu = 0: p_T = 0, p_N >= 0, w_N >= 0, p_N w_N = 0 */
  for (int dim = 2; dim <= 3; dim++) {
    known *k = make(dim, 6, 2 * dim * 6, MIXED, 0.0, 3);
    solves(_i, k, 1e-10, 50000);
    const prc_cone_problem problem = problem_of(k, 0);
    const prc_cone_options options = prc_cone_options_default();
    double p[ROWS_MOST] = {0.0}, w[ROWS_MOST];
    ck_assert(solve(_i, &problem, &options, p).converged);
    prc_cone_velocity(&problem, p, w);
    for (int c = 0; c < 6; c++) {
      for (int r = 1; r < dim; r++) ck_assert_double_le(fabs(p[dim * c + r]), 1e-9);
      ck_assert_double_ge(p[dim * c], -1e-9);
      ck_assert_double_ge(w[dim * c], -1e-9);
      ck_assert_double_le(fabs(p[dim * c] * w[dim * c]), 1e-8);
    }
  }
}
END_TEST

START_TEST(nothing_to_do_costs_nothing) { /* no contact; contacts that part; the solution as a start */
  const prc_cone_options options = prc_cone_options_default();
  const prc_cone_problem none = {.dim = 3};
  double p[ROWS_MOST] = {0.0};
  prc_cone_info info = solve(_i, &none, &options, p);
  ck_assert(info.converged && info.iterations == 0);
  for (int dim = 2; dim <= 3; dim++) {
    prc_cone_problem problem = problem_of(make(dim, 4, 4 * dim, OPEN, 0.5, 5), 0);
    memset(p, 0, sizeof p);
    info = solve(_i, &problem, &options, p);
    ck_assert(info.converged && info.iterations == 0);
    known *k = make(dim, 8, 16 * dim, MIXED, 0.5, 5);
    problem = problem_of(k, 1);
    memcpy(p, k->p, sizeof p);
    info = solve(_i, &problem, &options, p);
    ck_assert(info.converged && info.iterations == 0);
  }
}
END_TEST

START_TEST(a_near_start_is_cheaper) {
  const prc_cone_options options = prc_cone_options_default();
  int cold = 0, warm = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    known *k = make(3, 6, 36, MIXED, 0.5, seed);
    const prc_cone_problem problem = problem_of(k, 0);
    double p[ROWS_MOST] = {0.0};
    cold += solve(_i, &problem, &options, p).iterations;
    for (int i = 0; i < 18; i++) p[i] = k->p[i] * (1.0 + 1e-6);
    const prc_cone_info info = solve(_i, &problem, &options, p);
    ck_assert(info.converged);
    warm += info.iterations;
  }
  ck_assert_int_lt(warm, cold);
}
END_TEST

START_TEST(the_budget_is_kept_and_a_miss_is_honest) {
  for (int dim = 2; dim <= 3; dim++)
    for (int budget = 1; budget <= 4; budget++) {
      known *k = make(dim, CONTACTS_MOST, dim * CONTACTS_MOST / 2, MIXED, 0.9, 11);
      for (int by_blocks = 0; by_blocks < 2; by_blocks++) {
        const prc_cone_problem problem = problem_of(k, by_blocks);
        prc_cone_options options = prc_cone_options_default();
        double p[ROWS_MOST] = {0.0}, w[ROWS_MOST];
        options.max_iterations = budget, options.tolerance = 1e-14;
        const double before = prc_cone_error(&problem, p, w).scaled;
        const prc_cone_info info = solve(_i, &problem, &options, p);
        const prc_cone_measure error = prc_cone_error(&problem, p, w);
        ck_assert_int_eq(info.converged, 0);
        ck_assert_int_le(info.iterations, budget + 2); /* a step that has begun is ended */
        ck_assert(error.paper == info.error.paper && error.scaled == info.error.scaled);
        ck_assert_double_le(error.scaled, before);
      }
    }
}
END_TEST

static int stop_at_once(void *data) {
  ++*(int *)data;
  return 1;
}

START_TEST(the_caller_can_stop_it) {
  int asked = 0;
  prc_cone_options options = prc_cone_options_default();
  options.stop = stop_at_once, options.stop_data = &asked;
  const prc_cone_problem problem = problem_of(make(3, 9, 12, MIXED, 0.9, 2), 0);
  double p[ROWS_MOST] = {0.0};
  const prc_cone_info info = solve(_i, &problem, &options, p);
  ck_assert_int_gt(asked, 0);
  ck_assert_int_le(info.iterations, 4);
}
END_TEST

START_TEST(a_problem_without_solution_is_not_solved) { /* W = 0 and b_N < 0: no percussion stops it */
  const double W[9] = {0.0}, b[3] = {-1.0, 0.5, 0.0}, mu[1] = {0.3};
  prc_cone_options options = prc_cone_options_default();
  options.max_iterations = 500;
  const prc_cone_problem problem = {.dim = 3, .n = 1, .W = W, .b = b, .mu = mu};
  double p[3] = {0.0};
  const prc_cone_info info = solve(_i, &problem, &options, p);
  ck_assert_int_eq(info.converged, 0);
  ck_assert_int_le(info.iterations, 502);
  ck_assert_double_gt(info.error.paper, 0.1);
}
END_TEST

START_TEST(scales_do_not_matter) { /* W in other units: s^2 W and s b have the solution p / s */
  for (int e = -6; e <= 6; e += 3) {
    known *k = make(3, 5, 30, MIXED, 0.5, 4);
    const double s = pow(10.0, e);
    prc_cone_options options = prc_cone_options_default();
    double p[ROWS_MOST] = {0.0};
    for (int i = 0; i < 225; i++) k->W[i] *= s * s;
    for (int i = 0; i < 15; i++) k->b[i] *= s;
    options.tolerance = 1e-9;
    const prc_cone_problem problem = problem_of(k, 0);
    const prc_cone_info info = solve(_i, &problem, &options, p);
    ck_assert_msg(info.converged, "%s, s = %g: error %g, free of units %g", methods[_i], s, info.error.paper,
                  info.error.scaled);
  }
}
END_TEST

/* ---- the problems of the collection, if it is there ------------------------------------------------------------------ */

static const struct {
  const char *name;
  int missed_by; /* bit k: method k needs more than the budget */
} collection[] = {
    {"BoxesStack1-i100000-32", 1},
    {"Confeti-ex03-Fc3D-SBM", 0},
    {"CubeH8", 0},
    {"FC2D_SliderCrankLagrangian00000", 0},
    {"FC2D_SliderCrankLagrangian00001", 0},
    {"FrictionContact3D_RR_1c", 0},
    {"FrictionContactProblem00374", 0},
    {"FrictionContactProblem00394", 0},
    {"GFC3D_Example00", 0},
    {"GFC3D_Example00_badly_scaled", 0},
    {"GFC3D_OneContact", 0},
    {"NESpheres_30_1", 0},
    {"OneObject-i100000-316", 0},
    {"OneObject-i1028-138", 0},
    {"Rover1039", 0},
    {"Rover11211", 0},
    {"Rover3865", 0},
    {"Rover4493", 0},
    {"Rover4622", 0},
    {"Rover9770", 0},
};

START_TEST(collected_problems_are_solved) { /* those that have been seen to be, to 1e-8 */
  prc_error err = {0};
  DIR *folder = opendir(support_source("../shared/fclib/open"));
  if (!folder) {
    puts("# ../shared/fclib/open is not there: the collection is not tested");
    return;
  }
  closedir(folder);
  for (size_t i = 0; i < sizeof collection / sizeof *collection; i++) {
    char path[4200], name[64];
    prc_fclib *file = NULL;
    prc_cone_problem problem;
    prc_cone_options options = prc_cone_options_default();
    options.tolerance = 1e-8, options.criterion = PRC_CONE_PAPER, options.max_iterations = 40000;
    if (collection[i].missed_by & 1 << _i) continue;
    snprintf(name, sizeof name, "/%s.hdf5", collection[i].name);
    snprintf(path, sizeof path, "%s%s", support_source("../shared/fclib/open"), name);
    support_ok(prc_fclib_read(path, &file, &err), &err);
    support_ok(prc_fclib_problem(file, &problem, &err), &err);
    const size_t rows = (size_t)(problem.dim * problem.n);
    double *p = calloc(rows, sizeof *p), *w = calloc(rows, sizeof *w);
    ck_assert(p && w);
    const prc_cone_info info = solve(_i, &problem, &options, p);
    ck_assert_msg(info.converged && prc_cone_error(&problem, p, w).paper <= 1e-8,
                  "%s, %s: error %g after %d iterations", methods[_i], collection[i].name, info.error.paper,
                  info.iterations);
    free(p), free(w);
    prc_fclib_free(&file);
  }
}
END_TEST

SUITE(cone_family) {
  Suite *suite = suite_create("cone_family");
  TCase *tc = tcase_create("every method");
  tcase_add_loop_test(tc, each_status_is_found, 0, N_METHODS);
  tcase_add_loop_test(tc, random_problems_are_solved, 0, N_METHODS);
  tcase_add_loop_test(tc, rank_deficient_problems_are_solved, 0, N_METHODS);
  tcase_add_loop_test(tc, no_friction_is_a_linear_complementarity_problem, 0, N_METHODS);
  tcase_add_loop_test(tc, nothing_to_do_costs_nothing, 0, N_METHODS);
  tcase_add_loop_test(tc, a_near_start_is_cheaper, 0, N_METHODS);
  tcase_add_loop_test(tc, the_budget_is_kept_and_a_miss_is_honest, 0, N_METHODS);
  tcase_add_loop_test(tc, the_caller_can_stop_it, 0, N_METHODS);
  tcase_add_loop_test(tc, a_problem_without_solution_is_not_solved, 0, N_METHODS);
  tcase_add_loop_test(tc, scales_do_not_matter, 0, N_METHODS);
  tcase_add_loop_test(tc, collected_problems_are_solved, 0, N_METHODS);
  suite_add_tcase(suite, tc);
  return suite;
}
