/* W = G G' by contacts and runs of six velocities, as of rigid bodies in space, against the same W dense. */
#include "config.h"
#include "cone/operator.h"
#include "cone/fclib.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTACTS = 24, RUNS = 14, WIDTH = 2 * PRC_CONE_RUN, DIM = PRC_CONE_DIM_MOST, ROWS = DIM * CONTACTS };

typedef struct {
  int run[2 * CONTACTS];
  double G[ROWS * WIDTH], v[PRC_CONE_RUN * (RUNS + 1)];
  double W[ROWS * ROWS], b[ROWS], mu[CONTACTS];
  prc_cone_factors factors;
  prc_cone_problem by_runs, dense;
} sample;

/* Where column k of G stands in a row of contact c: of the six of the first body, or of the second; -1: it is of another. */
static int place_of(const sample *s, int c, int k) {
  const int body = k / PRC_CONE_RUN;
  if (s->run[2 * c] == body) return k % PRC_CONE_RUN;
  return s->run[2 * c + 1] == body ? PRC_CONE_RUN + k % PRC_CONE_RUN : -1;
}

/* W = G G' with G written out, column by column. */
static void form(sample *s) {
  const int dim = s->by_runs.dim, n = s->by_runs.n, rows = dim * n;
  memset(s->W, 0, sizeof s->W);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < PRC_CONE_RUN * s->factors.n_runs; k++) {
        const int a = place_of(s, i / dim, k), b = place_of(s, j / dim, k);
        if (a >= 0 && b >= 0) s->W[i * rows + j] += s->G[i * WIDTH + a] * s->G[j * WIDTH + b];
      }
}

/* n contacts of so many bodies, one in four with the ground, in either order; b as of bodies that weight drives together, mu up to 0.8 and one
 * in five 0. */
static void make(sample *s, int dim, int n, int n_runs, uint64_t seed) {
  prc_random r = {.state = seed};
  memset(s, 0, sizeof *s);
  s->factors = (prc_cone_factors){.n_runs = n_runs, .run = s->run, .G = s->G, .v = s->v};
  for (int c = 0; c < n; c++) {
    const int a = (int)prc_random_uniform(&r, 0.0, n_runs),
              other = 1 + (int)prc_random_uniform(&r, 0.0, n_runs - 1),
              ground = n_runs == 1 || prc_random_uniform(&r, 0.0, 1.0) < 0.25;
    s->run[2 * c + c % 2] = a, s->run[2 * c + 1 - c % 2] = ground ? n_runs : (a + other) % n_runs;
    for (int i = 0; i < dim * WIDTH; i++) {
      const int is_ground = s->run[2 * c + i % WIDTH / PRC_CONE_RUN] == n_runs;
      s->G[c * dim * WIDTH + i] = is_ground ? 0.0 : prc_random_uniform(&r, -1.0, 1.0);
    }
    s->mu[c] = c % 5 == 4 ? 0.0 : prc_random_uniform(&r, 0.1, 0.8);
    for (int i = 0; i < dim; i++) s->b[dim * c + i] = prc_random_uniform(&r, i ? -1.0 : -2.0, i ? 1.0 : 0.5);
  }
  s->by_runs = (prc_cone_problem){.dim = dim, .n = n, .b = s->b, .mu = s->mu, .factors = &s->factors};
  form(s);
  s->dense = (prc_cone_problem){.dim = dim, .n = n, .W = s->W, .symmetric = 1, .b = s->b, .mu = s->mu};
}

static double largest(int n, const double *x, const double *y) {
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - (y ? y[i] : 0.0)));
  return most;
}

START_TEST(products_diagonals_and_measures_are_those_of_the_dense_matrix) {
  static sample s;
  const int sizes[][2] = {{1, 1}, {2, 1}, {7, 4}, {CONTACTS, RUNS}};
  for (int dim = 1; dim <= DIM; dim++)
    for (int k = 0; k < 4; k++) {
      prc_error err = {0};
      double p[ROWS], w[2][ROWS];
      prc_random r = {.state = 5};
      make(&s, dim, sizes[k][0], sizes[k][1], (uint64_t)(10 * dim + k));
      support_ok(prc_cone_problem_check(&s.by_runs, &err), &err);
      const int rows = dim * s.dense.n;
      for (int i = 0; i < rows; i++) {
        p[i] = prc_random_uniform(&r, -1.0, 1.0);
        ck_assert_double_eq_tol(prc_cone_diagonal(&s.by_runs, i), s.W[i * rows + i], 1e-13);
      }
      const prc_cone_measure one = prc_cone_error(&s.by_runs, p, w[0]),
                             other = prc_cone_error(&s.dense, p, w[1]);
      ck_assert_double_lt(largest(rows, w[0], w[1]), 1e-13 * (1.0 + largest(rows, w[1], NULL)));
      ck_assert_double_eq_tol(one.scaled, other.scaled, 1e-12 * other.scaled);
      ck_assert_double_eq_tol(one.paper, other.paper, 1e-12 * other.paper);
    }
}
END_TEST

static prc_cone_info solve(const char *name, const prc_cone_problem *problem, double tolerance, int most,
                           double *p) {
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  prc_cone_options options = prc_cone_options_default();
  options.criterion = PRC_CONE_SCALED, options.tolerance = tolerance, options.max_iterations = most;
  memset(p, 0, ROWS * sizeof *p);
  support_ok(prc_cone_solver_create_for(name, problem, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

/* More unknowns than rows: W is definite, and friction small enough that few have two solutions. Both ways go the same way up to rounding. */
START_TEST(every_method_that_takes_it_finds_what_it_finds_of_the_dense_matrix) {
  static sample s;
  int count = 0, taken = 0;
  const prc_cone_ability *ability = prc_cone_abilities(&count);
  for (int m = 0; m < count; m++) {
    if (!prc_cone_can(ability + m, &prc_cone_by_runs)) continue;
    taken++;
    for (int dim = 1; dim <= DIM; dim++) {
      if (!(ability[m].dims & 1u << dim)) continue;
      for (uint64_t seed = 1; seed <= 12; seed++) {
        double p[2][ROWS], w[ROWS];
        make(&s, dim, 1 + (int)seed, RUNS, 100 * seed + (uint64_t)dim);
        const prc_cone_info info = solve(ability[m].name, &s.by_runs, 1e-9, 20000, p[0]);
        solve(ability[m].name, &s.dense, 1e-9, 20000, p[1]);
        ck_assert_msg(info.converged, "%s, dimension %d, seed %d: %g", ability[m].name, dim, (int)seed,
                      info.error.scaled);
        ck_assert_double_lt(prc_cone_error(&s.dense, p[0], w).scaled, 1.001e-9);
        const double far = largest(dim * s.dense.n, p[0], p[1]), size = largest(dim * s.dense.n, p[1], NULL);
        ck_assert_msg(far < 1e-5 * (1.0 + size), "%s, dimension %d, seed %d: %g of %g", ability[m].name, dim,
                      (int)seed, far, size);
      }
    }
  }
  ck_assert_int_ge(taken, 5);
}
END_TEST

/* More rows than unknowns, as where a block rests on four corners: many percussions, one velocity. */
START_TEST(what_is_singular_is_solved_by_runs_too) {
  static sample s;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double p[ROWS], w[ROWS];
    make(&s, 3, CONTACTS, 6, seed);
    prc_cone_info info = solve("auto", &s.dense, 1e-8, 20000, p);
    if (!info.converged) continue; /* it may have no solution */
    info = solve("auto", &s.by_runs, 1e-8, 20000, p);
    ck_assert_msg(info.converged, "seed %d: %g", (int)seed, info.error.scaled);
    ck_assert_double_lt(prc_cone_error(&s.dense, p, w).scaled, 1.001e-8);
  }
}
END_TEST

/* Sticking by the inverse that is kept, sliding and thin blocks by the local problem: one sweep solves one contact. */
START_TEST(one_contact_is_solved_by_one_sweep) {
  static sample s;
  for (int dim = 1; dim <= DIM; dim++)
    for (uint64_t seed = 1; seed <= 2000; seed++) {
      double p[ROWS], w[ROWS];
      make(&s, dim, 1, 2, seed);
      if (seed % 3 == 0) /* two rows nearly alike: thin */
        for (int i = 0; dim > 1 && i < WIDTH; i++)
          s.G[(dim - 1) * WIDTH + i] = s.G[i] + 1e-3 * s.G[(dim - 1) * WIDTH + i];
      if (seed % 4 == 0) /* as small as rows of drilling friction are */
        for (int i = 0; dim > 1 && i < WIDTH; i++) s.G[(dim - 1) * WIDTH + i] *= 1e-3;
      s.b[0] = -fabs(s.b[0]);
      form(&s);
      const prc_cone_info info = solve("gauss-seidel", &s.by_runs, 1e-9, 2, p);
      ck_assert_msg(info.converged, "dimension %d, seed %d: %g", dim, (int)seed, info.error.scaled);
      ck_assert_int_le(info.iterations, 2);
      ck_assert_double_lt(prc_cone_error(&s.dense, p, w).scaled, 1.1e-9);
    }
}
END_TEST

/* Newton's iterates may pull or rub too much by their error, at a loose tolerance by much. */
START_TEST(percussions_stay_in_their_cones_at_any_tolerance) {
  static sample s;
  const char *const name[] = {"auto", "newton", "gauss-seidel"};
  for (int m = 0; m < 3; m++)
    for (uint64_t seed = 1; seed <= 300; seed++) {
      double p[ROWS], w[ROWS];
      make(&s, 3, CONTACTS, 5 + (int)(seed % 9), seed);
      if (!solve(name[m], &s.by_runs, 0.02, 2000, p).converged) continue;
      ck_assert_double_le(prc_cone_error(&s.dense, p, w).scaled, 0.0201);
      for (int c = 0; c < CONTACTS; c++) {
        ck_assert_msg(p[3 * c] >= 0.0, "%s, seed %d: contact %d pulls by %g", name[m], (int)seed, c,
                      p[3 * c]);
        ck_assert_double_le(hypot(p[3 * c + 1], p[3 * c + 2]), s.mu[c] * p[3 * c] * (1.0 + 1e-9));
      }
    }
}
END_TEST

START_TEST(a_file_of_it_is_the_same_problem) {
  static sample s;
  prc_error err = {0};
  prc_fclib *file = NULL;
  prc_cone_problem problem;
  double p[ROWS], w[2][ROWS];
  prc_random r = {.state = 8};
  const char *path = support_build("runs.hdf5");
  make(&s, 3, CONTACTS, RUNS, 3);
  support_ok(prc_fclib_write(NULL, path, &s.by_runs, NULL, &err), &err);
  support_ok(prc_fclib_read(path, &file, &err), &err);
  support_ok(prc_fclib_dense(file, &problem, &err), &err);
  for (int i = 0; i < 3 * CONTACTS; i++) p[i] = prc_random_uniform(&r, -1.0, 1.0);
  prc_cone_velocity(&s.by_runs, p, w[0]);
  prc_cone_velocity(&problem, p, w[1]);
  ck_assert_double_lt(largest(3 * CONTACTS, w[0], w[1]), 1e-12);
  ck_assert_double_eq(largest(CONTACTS, problem.mu, s.mu), 0.0);
  prc_fclib_free(&file);
  make(&s, 4, CONTACTS, RUNS, 3);
  support_fails(prc_fclib_write(NULL, path, &s.by_runs, NULL, &err), PRC_INPUT, &err,
                "a problem of dimension 4, expected 2 or 3");
  unlink(path);
}
END_TEST

SUITE(runs) {
  Suite *suite = suite_create("runs");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 120);
  tcase_add_test(all, products_diagonals_and_measures_are_those_of_the_dense_matrix);
  tcase_add_test(all, every_method_that_takes_it_finds_what_it_finds_of_the_dense_matrix);
  tcase_add_test(all, what_is_singular_is_solved_by_runs_too);
  tcase_add_test(all, one_contact_is_solved_by_one_sweep);
  tcase_add_test(all, percussions_stay_in_their_cones_at_any_tolerance);
  tcase_add_test(all, a_file_of_it_is_the_same_problem);
  suite_add_tcase(suite, all);
  return suite;
}
