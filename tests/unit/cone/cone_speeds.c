#include "config.h"
#include "cone/cone.h"
#include "support/methods.h"
#include "support/speed_laws.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Friction that depends on the speed: problems made of their solutions. */

enum { MOST = 60 };

typedef struct {
  int dim, n;
  double W[DIM * DIM * MOST * MOST], b[DIM * MOST], mu[MOST], p[DIM * MOST], w[DIM * MOST];
  law laws[MOST];
  prc_cone_problem problem;
} known;

/* A solution: percussions and velocities of contacts that are open, stick or slip, as their laws have it. */
static void draw_solution(prc_random *r, known *k, int which, double normal, double slowest, double fastest) {
  const int dim = k->dim;
  for (int c = 0; c < k->n; c++) {
    double d[DIM] = {0.0}, *p = k->p + dim * c, *w = k->w + dim * c;
    const double V = decades(r, slowest, fastest), kind = uniform(r, 0, 6);
    law *f = k->laws + c;
    *f = draw_law(r, which < N_KINDS ? (law_kind)which : kind < 4.0 ? REGULAR : STEADY, V);
    if (which == WEAKENING) f->V_0 = V * decades(r, 0, 2);
    for (int i = 0; i < dim; i++) p[i] = w[i] = 0.0;
    direction(r, dim - 1, d);
    if (kind < 1.0) { /* open */
      w[0] = V;
      for (int i = 1; i < dim; i++) w[i] = V * d[i - 1];
      continue;
    }
    p[0] = normal * uniform(r, 0.5, 2.0);
    const int sticks = f->kind != REGULAR && kind < 5.0;
    const long double mu = friction_l(f, sticks ? 0.0L : V);
    for (int i = 1; i < dim; i++) {
      p[i] = (double)(-mu * p[0] * d[i - 1]) * (sticks ? 0.7 : 1.0);
      w[i] = sticks ? 0.0 : V * d[i - 1];
    }
  }
}

/* b = w - W p, and what a solver is told. */
static void pose(known *k) {
  const int rows = k->dim * k->n;
  for (int i = 0; i < rows; i++) {
    long double sum = k->w[i];
    for (int j = 0; j < rows; j++) sum -= (long double)k->W[i * rows + j] * k->p[j];
    k->b[i] = (double)sum;
  }
  for (int c = 0; c < k->n; c++) k->mu[c] = 0.5, k->laws[c].calls = 0;
  k->problem =
      (prc_cone_problem){.dim = k->dim, .n = k->n, .W = k->W, .symmetric = 1, .b = k->b, .mu = k->mu};
  k->problem.friction = friction_of, k->problem.friction_owner = k->laws;
}

/* W of random bodies: G G', rows of the size of one. */
static void draw_matrix(prc_random *r, known *k, int n_bodies) {
  const int rows = k->dim * k->n;
  static double G[DIM * MOST][DIM * MOST];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n_bodies; j++) G[i][j] = uniform(r, -1, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      double sum = 0.0;
      for (int m = 0; m < n_bodies; m++) sum += G[i][m] * G[j][m];
      k->W[i * rows + j] = sum / n_bodies;
    }
}

/* W of n nodes in a row, masses of one and springs between them: (1 + C^2 K)^-1, C the step in units of Courant's. Rows of a node are coupled a little. */
static void fault_matrix(known *k, double courant) {
  const int n = k->n, dim = k->dim, rows = dim * n;
  static double A[MOST][2 * MOST];
  memset(A, 0, sizeof A);
  for (int i = 0; i < n; i++) {
    A[i][i] = 1.0 + 1e-3 * courant * courant, A[i][n + i] = 1.0;
    for (int j = i - 1; j <= i + 1; j += 2)
      if (j >= 0 && j < n) A[i][j] = -courant * courant, A[i][i] += courant * courant;
  }
  for (int i = 0; i < n; i++) {
    const double one = 1.0 / A[i][i];
    for (int j = 0; j < 2 * n; j++) A[i][j] *= one;
    for (int m = 0; m < n; m++) {
      const double factor = m == i ? 0.0 : A[m][i];
      for (int j = 0; j < 2 * n && factor != 0.0; j++) A[m][j] -= factor * A[i][j];
    }
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      k->W[i * rows + j] =
          0.5 * (A[i / dim][n + j / dim] + A[j / dim][n + i / dim]) * (i % dim == j % dim ? 1.0 : 0.1);
}

static prc_cone_info solve_known(const char *name, const known *k, double *p) {
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  options.max_iterations = 3000, options.criterion = PRC_CONE_SCALED;
  memset(p, 0, (size_t)(k->dim * k->n) * sizeof *p);
  support_ok(prc_cone_problem_check(&k->problem, &err), &err);
  support_ok(prc_cone_solver_create_for(name, &k->problem, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, &k->problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

static double apart(int n, const double *x, const double *y) {
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]), size += y[i] * y[i];
  return sqrt(sum / size);
}

static const char *const names[] = {"auto", "gauss-seidel", "newton"};

START_TEST(random_problems_with_a_known_solution) {
  const int dim = 2 + _i % 3, which = _i / 3 % 4;
  prc_random r = {.state = 77 + (uint64_t)_i};
  static known k;
  static double p[DIM * MOST];
  int missed[3] = {0}, iterations[3] = {0};
  double worst = 0.0;
  for (int trial = 0; trial < 15; trial++) {
    k.dim = dim, k.n = 1 + (int)uniform(&r, 0, 15);
    draw_matrix(&r, &k, 3 * dim * k.n);
    draw_solution(&r, &k, which, decades(&r, -2, 6), -8, 0);
    pose(&k);
    for (int m = 0; m < 3; m++) {
      const prc_cone_info info = solve_known(names[m], &k, p);
      missed[m] += !info.converged, iterations[m] += info.iterations;
      const double far = apart(dim * k.n, p, k.p);
      if (info.converged && which != WEAKENING && far > worst) worst = far;
    }
  }
  if (getenv("PRC_TEST_SHOW"))
    printf("dim %d kind %d: missed %d %d %d iterations %d %d %d worst %g\n", dim, which, missed[0], missed[1],
           missed[2], iterations[0], iterations[1], iterations[2], worst);
  ck_assert_int_eq(missed[0], 0);
  ck_assert_int_eq(missed[2], 0);
  if (which != WEAKENING) ck_assert_int_eq(missed[1], 0);
  ck_assert_double_le(worst, 1e-7);
}
END_TEST

/* The law of contact c is made so flat that each contact has one solution for itself, S p_N |mu'| < 1 with a quarter to spare of the whole trace for S. */
static void flatten(known *k, int c) {
  const int dim = k->dim, rows = dim * k->n;
  double *p = k->p + dim * c, *w = k->w + dim * c, trace = 0.0, speed = 0.0;
  law *f = k->laws + c;
  for (int i = 0; i < rows; i++) trace += k->W[i * rows + i];
  f->V_0 = 4.0 * trace * f->b * p[0] + 1e-300;
  for (int i = 1; i < dim; i++) speed += w[i] * w[i];
  speed = sqrt(speed);
  if (p[0] > 0.0 && speed > 0.0)
    for (int i = 1; i < dim; i++) p[i] = (double)(-friction_l(f, speed)) * p[0] * w[i] / speed;
}

/* What sweeps miss where mu falls are contacts that have three solutions for themselves: where each has one they miss none. */
START_TEST(sweeps_miss_none_where_a_falling_friction_is_unique) {
  prc_random r = {.state = 401 + (uint64_t)_i};
  static known k;
  static double p[DIM * MOST];
  for (int trial = 0; trial < 30; trial++) {
    k.dim = 2 + _i, k.n = 1 + (int)uniform(&r, 0, 15);
    draw_matrix(&r, &k, 3 * k.dim * k.n);
    draw_solution(&r, &k, WEAKENING, decades(&r, -2, 6), -8, 0);
    for (int c = 0; c < k.n; c++) flatten(&k, c);
    pose(&k);
    for (int m = 0; m < 3; m++) {
      const prc_cone_info info = solve_known(names[m], &k, p);
      ck_assert_msg(info.converged, "%s misses trial %d: %g", names[m], trial, info.error.scaled);
    }
  }
}
END_TEST

START_TEST(faults_of_any_step) {
  prc_random r = {.state = 7 + (uint64_t)_i};
  static known k;
  static double p[DIM * MOST];
  const double courant = 0.5 * pow(10.0, _i);
  int most[3] = {0}, missed[3] = {0}, sum[3] = {0}, few = 4;
  for (int trial = 0; trial < few; trial++) {
    k.dim = 2, k.n = 41;
    fault_matrix(&k, courant);
    draw_solution(&r, &k, REGULAR, decades(&r, 0, 9), -12, trial % 2 ? 0 : -8);
    pose(&k);
    for (int m = 0; m < 3; m++) {
      const prc_cone_info info = solve_known(names[m], &k, p);
      missed[m] += !info.converged, sum[m] += info.iterations;
      if (info.iterations > most[m]) most[m] = info.iterations;
    }
  }
  for (int m = 0; m < 3 && getenv("PRC_TEST_SHOW"); m++)
    printf("%s courant %g: missed %d, iterations %d, most %d\n", names[m], courant, missed[m], sum[m] / few,
           most[m]);
  for (int m = 0; m < 3; m++) ck_assert_int_eq(missed[m], 0);
  ck_assert_int_le(most[2], 60); /* systems */
}
END_TEST

/* The same problem by blocks, all of them there. */
START_TEST(blocks_and_a_dense_matrix_agree) {
  prc_random r = {.state = 3};
  static known k;
  static double p[DIM * MOST], values[9 * 400];
  static int start[21], column[400];
  k.dim = 3, k.n = 20;
  draw_matrix(&r, &k, 180);
  draw_solution(&r, &k, N_KINDS, 100.0, -8, 0);
  pose(&k);
  for (int c = 0; c < 20; c++) {
    start[c + 1] = 20 * (c + 1);
    for (int j = 0; j < 20; j++) {
      column[20 * c + j] = j;
      for (int i = 0; i < 9; i++) values[9 * (20 * c + j) + i] = k.W[(3 * c + i / 3) * 60 + 3 * j + i % 3];
    }
  }
  const prc_cone_blocks blocks = {.row_start = start, .column = column, .values = values};
  k.problem.W = NULL, k.problem.symmetric = 0, k.problem.blocks = &blocks;
  for (int m = 0; m < 3; m++) {
    ck_assert(solve_known(names[m], &k, p).converged);
    ck_assert_double_le(apart(60, p, k.p), 1e-7);
  }
}
END_TEST

/* W = G G' of bodies of six velocities, never formed. */
START_TEST(contacts_of_bodies_are_solved_through_their_velocities) {
  enum { BODIES = 20 };
  prc_random r = {.state = 13};
  static known k;
  static double p[DIM * MOST], G[DIM * MOST * 12], v[6 * (BODIES + 1)], all[DIM * MOST][6 * BODIES];
  int run[2 * MOST];
  k.dim = 3 + _i, k.n = 25;
  for (int i = 0; i < 2 * k.n; i++) run[i] = (i / 2 + (i % 2) * (1 + i / 2 / BODIES)) % BODIES;
  memset(all, 0, sizeof all);
  for (int i = 0; i < k.dim * k.n; i++)
    for (int m = 0; m < 12; m++)
      all[i][6 * run[2 * (i / k.dim) + m / 6] + m % 6] = G[12 * i + m] = uniform(&r, -1, 1);
  for (int i = 0; i < k.dim * k.n; i++)
    for (int j = 0; j < k.dim * k.n; j++) {
      double sum = 0.0;
      for (int m = 0; m < 6 * BODIES; m++) sum += all[i][m] * all[j][m];
      k.W[i * k.dim * k.n + j] = sum;
    }
  draw_solution(&r, &k, REGULAR, 100.0, -8, 0);
  pose(&k);
  prc_cone_factors factors = {.n_runs = BODIES, .run = run, .G = G, .v = v};
  k.problem.W = NULL, k.problem.symmetric = 0, k.problem.factors = &factors;
  for (int m = 0; m < 3; m++) {
    ck_assert(solve_known(names[m], &k, p).converged);
    ck_assert_double_le(apart(k.dim * k.n, p, k.p), 1e-6);
  }
}
END_TEST

/* M = W and H = W: H' M^-1 H = W, as files have it. */
START_TEST(a_problem_in_global_form_is_solved) {
  enum { N = 6, ROWS = 3 * N };
  prc_random r = {.state = 17};
  static known k;
  double p[ROWS], M[ROWS * ROWS], H[ROWS * ROWS];
  int start[ROWS + 1] = {0}, column[ROWS * ROWS], also[ROWS + 1] = {0}, row[ROWS * ROWS];
  prc_error err = {0};
  k.dim = 3, k.n = N;
  draw_matrix(&r, &k, 60);
  draw_solution(&r, &k, REGULAR, 100.0, -8, 0);
  pose(&k);
  for (int i = 0; i < ROWS; i++) {
    start[i + 1] = also[i + 1] = (i + 1) * ROWS;
    for (int j = 0; j < ROWS; j++) {
      column[i * ROWS + j] = row[i * ROWS + j] = j;
      M[i * ROWS + j] = H[i * ROWS + j] = k.W[i * ROWS + j];
    }
  }
  prc_cone_whole whole = {.n_velocities = ROWS, .M_start = start, .M_column = column, .M = M};
  whole.H_start = also, whole.H_row = row, whole.H = H;
  support_ok(prc_cone_whole_prepare(&whole, ROWS, &err), &err);
  k.problem.W = NULL, k.problem.symmetric = 0, k.problem.whole = &whole;
  ck_assert(solve_known("newton", &k, p).converged);
  ck_assert_double_le(apart(ROWS, p, k.p), 1e-7);
  prc_lu_free(&whole.M_lu);
  prc_delete(&whole.diagonal);
  prc_delete(&whole.v);
}
END_TEST

/* A friction that is the same at every speed is a number. */
START_TEST(a_function_that_is_constant_is_a_number) {
  prc_random r = {.state = 9};
  static known k;
  static double p[DIM * MOST], other[DIM * MOST], w[DIM * MOST];
  for (int dim = 2; dim <= 4; dim++) {
    k.dim = dim, k.n = 12;
    draw_matrix(&r, &k, 60);
    draw_solution(&r, &k, STEADY, 10.0, -3, 0);
    pose(&k);
    ck_assert(solve_known("gauss-seidel", &k, p).converged);
    const prc_cone_measure one = prc_cone_error(&k.problem, p, w);
    for (int c = 0; c < k.n; c++) k.mu[c] = k.laws[c].a;
    k.problem.friction = NULL;
    const prc_cone_measure two = prc_cone_error(&k.problem, p, w);
    ck_assert_double_le(two.scaled, 1e-9);
    ck_assert_double_le(one.scaled, 1e-10);
    ck_assert(solve_known("gauss-seidel", &k, other).converged);
    ck_assert_double_le(apart(dim * k.n, p, other), 1e-8);
  }
}
END_TEST

START_TEST(methods_that_do_not_know_it_say_so) {
  static known k;
  prc_random r = {.state = 1};
  k.dim = 2, k.n = 2;
  draw_matrix(&r, &k, 8);
  draw_solution(&r, &k, REGULAR, 1.0, -3, 0);
  pose(&k);
  const prc_cone_options options = prc_cone_options_default();
  for (int i = 0; ability(i); i++) {
    prc_cone_solver *solver = NULL;
    prc_error err = {0};
    double p[4] = {0.0};
    if (ability(i)->of_speed) continue;
    support_fails(prc_cone_solver_create_for(ability(i)->name, &k.problem, &options, &solver, &err),
                  PRC_INPUT, &err,
                  "whose friction depends on the speed, expected auto, gauss-seidel or newton");
    support_ok(prc_cone_solver_create(ability(i)->name, 2, 2, &options, &solver, &err), &err);
    const prc_cone_info info = prc_cone_solve(solver, &k.problem, p);
    ck_assert(!info.converged && isinf(info.error.scaled));
    prc_cone_solver_free(&solver);
  }
}
END_TEST

SUITE(cone_speeds) {
  Suite *suite = suite_create("cone_speeds");
  TCase *many = tcase_create("many");
  tcase_set_timeout(many, 120.0);
  tcase_add_loop_test(many, random_problems_with_a_known_solution, 0, 12);
  tcase_add_loop_test(many, sweeps_miss_none_where_a_falling_friction_is_unique, 0, 3);
  tcase_add_loop_test(many, faults_of_any_step, 0, 7);
  tcase_add_test(many, blocks_and_a_dense_matrix_agree);
  tcase_add_loop_test(many, contacts_of_bodies_are_solved_through_their_velocities, 0, 2);
  tcase_add_test(many, a_problem_in_global_form_is_solved);
  tcase_add_test(many, a_function_that_is_constant_is_a_number);
  tcase_add_test(many, methods_that_do_not_know_it_say_so);
  suite_add_tcase(suite, many);
  return suite;
}
