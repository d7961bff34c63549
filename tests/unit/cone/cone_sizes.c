#include "config.h"
#include "cone/operator.h"
#include "support/known_contact.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every solver, created for n candidates, gets problems of m active contacts, m <= n, as a run gives them to it: none of the
 * sizes may be special. What is tested is that a solve stays within its memory (the sanitizers see it) and tells the truth;
 * budgets are small. With PRC_LONG=1 every n from 1 to 500 is taken; the sizes below stand around those at which a method changes
 * its way: 15 and 22 contacts (45 rows, from where factors are sparse), 200 (paths, interior points), powers of two. */

enum { MOST = 500, FEW = 6 };
static const int some[] = {1, 2, 3, 5, 14, 15, 16, 22, 23, 40, 67, 128, 200, 201, 204, 256, 500};

typedef struct {
  int dim, n;
  double *W, *b, *mu, *p, *w;
  prc_cone_blocks blocks;
  prc_cone_problem problem;
} sample;

static void free_sample(sample *s) {
  free(s->W), free(s->b), free(s->mu), free(s->p), free(s->w);
  free(s->blocks.row_start), free(s->blocks.column), free(s->blocks.values);
}

/* A chain: each contact feels its neighbours. Half of the contacts have mu in [0, 1], one in eight none, some much. */
static void fill_block(int dim, int row, int column, double *B) {
  for (int r = 0; r < dim; r++)
    for (int d = 0; d < dim; d++)
      B[dim * r + d] = row == column ? (r == d ? 2.0 - 0.5 * (r > 0) : 0.1) : (r == d ? -0.4 : 0.0);
}

static void make_sample(int dim, int n, int sparse, uint64_t seed, sample *s) {
  prc_random r = {seed};
  const size_t rows = (size_t)dim * (size_t)n;
  const int size = dim * dim;
  *s = (sample){.dim = dim, .n = n};
  s->b = calloc(rows + 1, sizeof *s->b), s->p = calloc(rows + 1, sizeof *s->p);
  s->w = calloc(rows + 1, sizeof *s->w), s->mu = calloc((size_t)n + 1, sizeof *s->mu);
  s->blocks.row_start = calloc((size_t)n + 1, sizeof(int));
  s->blocks.column = calloc(3 * (size_t)n + 1, sizeof(int));
  s->blocks.values = calloc(3 * (size_t)n * (size_t)size + 1, sizeof(double));
  s->W = calloc(sparse ? 1 : rows * rows + 1, sizeof *s->W);
  int count = 0;
  for (int c = 0; c < n; c++) {
    for (int j = c > 0 ? c - 1 : 0; j <= c + 1 && j < n; j++) {
      double *B = s->blocks.values + count * size;
      fill_block(dim, c, j, B);
      for (int i = 0; i < size && !sparse; i++)
        s->W[(size_t)(dim * c + i / dim) * rows + (size_t)(dim * j + i % dim)] = B[i];
      s->blocks.column[count++] = j;
    }
    s->blocks.row_start[c + 1] = count;
    s->mu[c] = c % 8 == 0 ? 0.0 : pow(10.0, prc_random_uniform(&r, -2.0, c % 2 ? 0.0 : 4.0));
  }
  for (size_t i = 0; i < rows; i++) s->b[i] = support_normal(&r) - (i % (size_t)dim == 0 ? 0.5 : 0.0);
  s->problem = (prc_cone_problem){.dim = dim, .n = n, .b = s->b, .mu = s->mu};
  if (sparse)
    s->problem.blocks = &s->blocks;
  else
    s->problem.W = s->W;
}

/* One solve, from zero; its report must be what the data say. */
static void solve(prc_cone_solver *solver, const char *what, sample *s, double tolerance) {
  memset(s->p, 0, (size_t)(s->dim * s->n) * sizeof *s->p);
  const prc_cone_info info = prc_cone_solve(solver, &s->problem, s->p);
  const prc_cone_measure error = prc_cone_error(&s->problem, s->p, s->w);
  ck_assert_msg(
      isfinite(error.scaled) && error.scaled == info.error.scaled && error.paper == info.error.paper,
      "%s, %dD, %d active: %g is reported as %g", what, s->dim, s->n, error.scaled, info.error.scaled);
  ck_assert(!info.converged || fmax(error.scaled, error.paper) <= tolerance);
}

/* Few contacts get a budget that takes auto through all its ways, none of which can reach the tolerance. */
static prc_cone_solver *create(const char *name, const sample *all, double tolerance, int budget) {
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  options.tolerance = tolerance, options.max_iterations = budget;
  support_ok(prc_cone_solver_create_for(name, &all->problem, &options, &solver, &err), &err);
  return solver;
}

static void try_counts(const char *name, int dim, int n, int sparse, int everything) {
  const int counts[] = {0, 1, 2, n / 3, n / 2, n - 1, n, 199, 200, 201};
  sample all, part;
  make_sample(dim, n, sparse, 7, &all);
  prc_cone_solver *solver = create(name, &all, 1e-10, 2);
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    if (counts[k] < 0 || counts[k] > n) continue;
    if (!everything && (size_t)(dim * counts[k]) > 600 && !sparse) continue; /* seconds a factor */
    make_sample(dim, counts[k], sparse, 11 + k, &part);
    solve(solver, name, &part, 1e-10);
    free_sample(&part);
  }
  prc_cone_solver_free(&solver);
  solver = create(name, &all, 1e-300, strcmp(name, "auto") == 0 ? 5000 : 100);
  for (int m = 1; m <= FEW && m <= n; m += 2) {
    make_sample(dim, m, sparse, 23 + (uint64_t)m, &part);
    solve(solver, name, &part, 1e-300);
    free_sample(&part);
  }
  prc_cone_solver_free(&solver);
  free_sample(&all);
}

START_TEST(no_number_of_candidates_is_special) {
  int n_methods;
  const prc_cone_ability *method = prc_cone_abilities(&n_methods) + _i / 8;
  const char *name = method->name;
  const int dim = 1 + _i % 4, sparse = _i / 4 % 2;
  if (!(method->dims >> dim & 1u) || !prc_cone_can(method, sparse ? &prc_cone_by_blocks : &prc_cone_dense))
    return;
  if (support_whole())
    for (int n = 1; n <= MOST; n++) try_counts(name, dim, n, sparse, n % 50 == 0);
  else
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) try_counts(name, dim, some[k], sparse, 0);
}
END_TEST

/* What a solver was not made for is left alone, and said not to be solved. */
START_TEST(a_problem_that_does_not_fit_is_not_touched) {
  int n_methods;
  const prc_cone_ability *methods = prc_cone_abilities(&n_methods);
  for (int k = 0; k < n_methods; k++) {
    sample small, large, stored;
    make_sample(2, 4, 0, 1, &small), make_sample(2, 5, 0, 2, &large), make_sample(2, 4, 1, 3, &stored);
    prc_cone_solver *solver = create(methods[k].name, &small, 1e-10, 100);
    sample *const wrong[] = {&large, &stored};
    for (int i = 0; i < 2; i++) {
      wrong[i]->p[0] = 0.25;
      const prc_cone_info info = prc_cone_solve(solver, &wrong[i]->problem, wrong[i]->p);
      ck_assert(!info.converged && info.iterations == 0 && info.error.scaled == INFINITY);
      ck_assert_double_eq(wrong[i]->p[0], 0.25);
    }
    prc_cone_solver_free(&solver);
    free_sample(&small), free_sample(&large), free_sample(&stored);
  }
}
END_TEST

SUITE(cone_sizes) {
  Suite *suite = suite_create("cone_sizes");
  TCase *sizes = tcase_create("sizes");
  int n_methods;
  prc_cone_abilities(&n_methods);
  tcase_set_timeout(sizes, 600.0);
  tcase_add_loop_test(sizes, no_number_of_candidates_is_special, 0, 8 * n_methods);
  tcase_add_test(sizes, a_problem_that_does_not_fit_is_not_touched);
  suite_add_tcase(suite, sizes);
  return suite;
}
