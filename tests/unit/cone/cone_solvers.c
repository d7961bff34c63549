#include "config.h"
#include "cone/cone.h"
#include "cone/fclib.h"
#include "cone/problem/local.h"
#include "cone/solvers/newton.h"
#include "linear/linear.h"
#include "support/known_contact.h"
#include "support/support.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- problems of known solution ------------------------------------------------------------------------------------- */

#define MOST 32 /* contacts */

typedef struct {
  prc_cone_problem problem, by_blocks;
  prc_cone_blocks blocks;
  double W[9 * MOST * MOST], b[3 * MOST], mu[MOST], values[9 * MOST * MOST];
  int row_start[MOST + 1], column[MOST * MOST];
  double p[3 * MOST]; /* the solution it was made from */
} known;

/* The same matrix by blocks. */
static void fill_blocks(known *k) {
  const int n = k->problem.n, dim = k->problem.dim, rows = dim * n;
  double *to = k->values;
  for (int c = 0; c < n; c++)
    for (int j = 0; j < n; j++) {
      k->column[c * n + j] = j;
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) *to++ = k->W[(dim * c + r) * rows + dim * j + d];
    }
  for (int c = 0; c <= n; c++) k->row_start[c] = c * n;
  k->blocks = (prc_cone_blocks){.row_start = k->row_start, .column = k->column, .values = k->values};
  k->by_blocks = k->problem;
  k->by_blocks.W = NULL, k->by_blocks.blocks = &k->blocks;
}

/* W = H H' with H of `rank` columns whose squared sizes fall from 1 to 1 / condition; b = w - W p. */
static void make_known(known *k, int dim, int n, int rank, double condition, double mu_most, uint64_t seed) {
  static double H[9 * MOST * MOST];
  const int rows = dim * n;
  prc_random r = {.state = seed};
  double w[3 * MOST];
  support_delassus(&r, rows, rank, condition, H, k->W);
  for (int c = 0; c < n; c++) {
    k->mu[c] = prc_random_uniform(&r, 0.0, mu_most);
    support_contact(&r, dim, k->mu[c], (int)prc_random_uniform(&r, 0.0, 3.0), k->p + dim * c, w + dim * c);
  }
  for (int i = 0; i < rows; i++) {
    k->b[i] = w[i];
    for (int j = 0; j < rows; j++) k->b[i] -= k->W[i * rows + j] * k->p[j];
  }
  k->problem = (prc_cone_problem){.dim = dim, .n = n, .W = k->W, .b = k->b, .mu = k->mu};
  fill_blocks(k);
}

/* Solves from zero; what info says must be what the data say. */
static prc_cone_info solve_with(const char *name, const prc_cone_problem *problem,
                                const prc_cone_options *options, double *p) {
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  double *w = calloc((size_t)(problem->dim * problem->n) + 1, sizeof *w);
  memset(p, 0, (size_t)(problem->dim * problem->n) * sizeof *p);
  support_ok(prc_cone_problem_check(problem, &err), &err);
  support_ok(prc_cone_solver_create_for(name, problem, options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  const prc_cone_measure error = prc_cone_error(problem, p, w);
  ck_assert_double_eq(error.paper, info.error.paper);
  const int both = options->criterion == PRC_CONE_BOTH;
  ck_assert_int_eq(info.converged,
                   error.paper <= options->tolerance && (!both || error.scaled <= options->tolerance));
  ck_assert(!(info.converged && info.infeasible));
  prc_cone_solver_free(&solver);
  free(w);
  return info;
}

/* ---- one contact ------------------------------------------------------------------------------------------------------ */

/* One contact whose W is far from singular: every b has a solution, the known one is lost. */
static void make_definite(known *k, int dim, uint64_t seed) {
  make_known(k, dim, 1, dim, 100.0, 0.9, seed);
  for (int d = 0; d < dim; d++) k->W[d * (dim + 1)] += 0.1;
}

/* The natural map against |p| and what b is worth as a percussion: rounding of either may enter it. */
static double relative_error(const prc_cone_problem *problem, const double *p, double *w) {
  const double rho = prc_cone_rho(problem);
  double size = 0.0;
  prc_cone_velocity(problem, p, w);
  for (int i = 0; i < problem->dim; i++) size = fmax(size, fmax(fabs(p[i]), rho * fabs(problem->b[i])));
  return prc_cone_natural_map(problem, rho, p, w) / size;
}

START_TEST(the_local_solvers_are_exact_for_every_status) {
  static known k;
  for (int dim = 2; dim <= 3; dim++)
    for (uint64_t seed = 1; seed <= 3000; seed++) {
      double p[3] = {0.0}, w[3];
      make_definite(&k, dim, seed);
      if (dim == 2)
        prc_cone_local_2d(k.W, k.b, k.mu[0], p);
      else
        prc_cone_local_space(3, k.W, k.b, k.mu[0], p);
      /* of the solution or of another one: only the measure counts */
      ck_assert_msg(relative_error(&k.problem, p, w) < 1e-13, "%dD, seed %d: %g", dim, (int)seed,
                    relative_error(&k.problem, p, w));
    }
}
END_TEST

START_TEST(a_wrong_guess_of_the_slip_direction_does_not_matter) {
  static known k;
  for (uint64_t seed = 1; seed <= 200; seed++)
    for (int turn = 0; turn < 12; turn++) {
      make_definite(&k, 3, seed);
      double p[3] = {1.0, cos(0.5236 * turn), sin(0.5236 * turn)}, w[3];
      prc_cone_local_space(3, k.W, k.b, k.mu[0], p);
      ck_assert_double_lt(relative_error(&k.problem, p, w), 1e-13);
    }
}
END_TEST

/* ---- the equations of Newton's method ------------------------------------------------------------------------------------ */

START_TEST(derivatives_of_both_equations_match_differences) {
  const double mu[1] = {0.6}, h = 1e-7;
  double A[16], B[16];
  char open[1];
  for (int dim = 1; dim <= 4; dim++)
    for (int trial = 0; trial < 200; trial++) {
      prc_random r = {.state = (uint64_t)trial + 7};
      prc_cone_system g = {
          .dim = dim, .n = 1, .mu = mu, .rho = 0.7, .natural = trial % 2, .A = A, .B = B, .open = open};
      double x[8], high[4], low[4];
      for (int i = 0; i < 8; i++) x[i] = prc_random_uniform(&r, -1.0, 1.0);
      prc_cone_system_derive(&g, x, x + 4);
      for (int i = 0; i < 2 * dim; i++) {
        double *entry = x + (i < dim ? i : 4 + i - dim), keep = *entry;
        *entry = keep + h, prc_cone_system_residual(&g, x, x + 4, high);
        *entry = keep - h, prc_cone_system_residual(&g, x, x + 4, low);
        *entry = keep;
        const double *D = i < dim ? A : B;
        for (int f = 0; f < dim; f++)
          ck_assert_msg(fabs((high[f] - low[f]) / (2.0 * h) - D[dim * f + i % dim]) < 1e-5,
                        "%dD, trial %d: entry %d, %d", dim, trial, f, i);
      }
    }
}
END_TEST

START_TEST(block_factors_solve_systems_with_fill) {
  enum { n = 40 };
  prc_random r = {.state = 3};
  prc_error err = {0};
  for (int dim = 1; dim <= 4; dim++) {
    const int size = dim * dim, rows = dim * n;
    int row_start[n + 1] = {0}, column[n * n], nnz = 0;
    static double A[16 * n * n];
    double x[4 * n], b[4 * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) /* not symmetric in its pattern either */
        if (i == j || prc_random_uniform(&r, 0.0, 1.0) < 0.06) column[nnz++] = j;
      row_start[i + 1] = nnz;
    }
    for (int i = 0; i < size * nnz; i++) A[i] = support_normal(&r);
    for (int i = 0; i < n; i++)
      for (int k = row_start[i]; k < row_start[i + 1]; k++)
        for (int d = 0; d < dim && column[k] == i; d++) A[size * k + d * (dim + 1)] += 8.0;
    for (int i = 0; i < rows; i++) x[i] = support_normal(&r), b[i] = 0.0;
    for (int i = 0; i < n; i++)
      for (int k = row_start[i]; k < row_start[i + 1]; k++)
        for (int e = 0; e < size; e++) b[dim * i + e / dim] += A[size * k + e] * x[dim * column[k] + e % dim];
    prc_block_lu *lu = NULL;
    support_ok(prc_block_lu_create(dim, &lu, &err), &err);
    for (int again = 0; again < 2; again++) {
      double y[4 * n];
      support_ok(prc_block_lu_analyze(lu, n, row_start, column, &err), &err);
      ck_assert_int_eq(prc_block_lu_factor(lu, A), PRC_OK);
      memcpy(y, b, (size_t)rows * sizeof *y);
      prc_block_lu_solve(lu, y);
      for (int i = 0; i < rows; i++) ck_assert_double_eq_tol(y[i], x[i], 1e-10);
    }
    memset(A, 0, sizeof A);
    ck_assert_int_eq(prc_block_lu_factor(lu, A), PRC_SINGULAR);
    prc_block_lu_free(&lu);
    support_ok(prc_block_lu_create(dim, &lu, &err), &err);
    prc_block_lu_limit(lu, 1.0); /* it takes more */
    support_ok(prc_block_lu_analyze(lu, n, row_start, column, &err), &err);
    ck_assert_int_eq(prc_block_lu_factor(lu, A), PRC_NOMEM);
    prc_block_lu_free(&lu);
  }
}
END_TEST

/* ---- solvers ---------------------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"auto", "newton", "gauss-seidel", "lemke"};

START_TEST(every_solver_solves_both_storages_in_2d_and_3d) {
  static known k;
  prc_cone_options options = prc_cone_options_default();
  const char *name = names[_i];
  for (int dim = 2; dim <= 3; dim++)
    for (uint64_t seed = 1; seed <= 40; seed++) {
      double p[3 * MOST], q[3 * MOST];
      make_known(&k, dim, 8, 8 * dim, 1.0, 0.5, seed);
      const prc_cone_info dense = solve_with(name, &k.problem, &options, p);
      const prc_cone_info sparse = solve_with(name, &k.by_blocks, &options, q);
      ck_assert_msg(dense.converged, "%s, dense, %dD, seed %d: %g", name, dim, (int)seed, dense.error.scaled);
      ck_assert_msg(sparse.converged, "%s, by blocks, %dD, seed %d: %g", name, dim, (int)seed,
                    sparse.error.scaled);
    }
}
END_TEST

START_TEST(the_active_set_goes_the_same_way_by_blocks) {
  static known k;
  const prc_cone_options options = prc_cone_options_default();
  int n_converged = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    double p[2 * MOST], q[2 * MOST];
    make_known(&k, 2, 8, 16, 1.0, 0.5, seed);
    const prc_cone_info dense = solve_with("active-set", &k.problem, &options, p);
    const prc_cone_info sparse = solve_with("active-set", &k.by_blocks, &options, q);
    n_converged += dense.converged;
    ck_assert_int_eq(dense.iterations, sparse.iterations);
    for (int i = 0; i < 2 * k.problem.n; i++) ck_assert_double_eq_tol(p[i], q[i], 1e-10 * (1.0 + fabs(p[i])));
  }
  ck_assert_int_gt(n_converged, 20);
}
END_TEST

START_TEST(a_solution_is_recognised_without_an_iteration) {
  static known k;
  prc_cone_options options = prc_cone_options_default();
  prc_error err = {0};
  prc_cone_solver *solver = NULL;
  double p[3 * MOST];
  make_known(&k, 3, 12, 20, 1.0, 1.0, 5);
  support_ok(prc_cone_solver_create_for(names[_i], &k.by_blocks, &options, &solver, &err), &err);
  memcpy(p, k.p, sizeof p);
  const prc_cone_info info = prc_cone_solve(solver, &k.by_blocks, p);
  ck_assert(info.converged);
  ck_assert_int_eq(info.iterations, 0);
  prc_cone_solver_free(&solver);
}
END_TEST

START_TEST(random_order_and_relaxation_reach_the_same_solution) {
  static known k;
  prc_cone_options options = prc_cone_options_default();
  double p[3 * MOST], q[3 * MOST], again[3 * MOST];
  make_known(&k, 3, 10, 30, 1.0, 0.3, 11);
  ck_assert(solve_with("gauss-seidel", &k.by_blocks, &options, p).converged);
  options.seed = 17, options.relaxation = 1.2;
  ck_assert(solve_with("gauss-seidel", &k.by_blocks, &options, q).converged);
  ck_assert(solve_with("gauss-seidel", &k.by_blocks, &options, again).converged);
  for (int i = 0; i < 30; i++) {
    ck_assert_double_eq_tol(p[i], q[i], 1e-7);
    ck_assert_double_eq(q[i], again[i]);
  }
}
END_TEST

/* Rank, condition and friction as in the specification; the fast test does a few of each kind. */
START_TEST(rank_deficient_and_ill_conditioned_problems_are_solved) {
  static known k;
  static const struct {
    double rank, condition, mu;
    int least; /* solved, of 40; the others are reported as what they are */
  } kinds[] = {{1.0, 1.0, 2.0, 40}, {1.0, 1e8, 2.0, 40}, {0.6, 1.0, 2.0, 40},
               {0.6, 1e8, 2.0, 40}, {0.3, 1.0, 2.0, 40}, {0.3, 1e8, 2.0, 39}};
  prc_cone_options options = prc_cone_options_default();
  const int dim = 2 + _i % 2, kind = _i / 2, n = 10;
  int solved = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    double p[3 * MOST];
    make_known(&k, dim, n, (int)ceil(kinds[kind].rank * dim * n), kinds[kind].condition, kinds[kind].mu,
               seed);
    solved += solve_with("auto", &k.by_blocks, &options, p).converged;
  }
  ck_assert_msg(solved >= kinds[kind].least, "%d of 40 solved, %dD, kind %d", solved, dim, kind);
}
END_TEST

/* Load steps enter all candidates: the gaps of those far away stand in b_N, and p is a solution still. The error is relative to |b|, so
 * of velocities of size 1 it says no more than 1e-10 x 10^i. */
START_TEST(wide_gaps_of_open_contacts_do_not_stop_it) {
  static known k;
  const prc_cone_options options = prc_cone_options_default();
  const int dim = 2 + _i % 2, n = 12;
  const double wide = pow(10.0, _i / 2);
  for (uint64_t seed = 1; seed <= 30; seed++) {
    double p[3 * MOST];
    make_known(&k, dim, n, seed % 2 ? dim * n : dim * n / 2, 1e3, 1.0, seed);
    for (int c = 0; c < n; c++)
      if (k.p[dim * c] <= 0.0) k.b[dim * c] += wide;
    const prc_cone_info info = solve_with("auto", &k.problem, &options, p);
    ck_assert_msg(info.converged, "%dD, gaps of %g, seed %d: %g", dim, wide, (int)seed, info.error.scaled);
  }
}
END_TEST

static int stop_at_once(void *count) {
  return ++*(int *)count > 3;
}

START_TEST(a_caller_who_wants_to_stop_gets_the_true_error) {
  static known k;
  prc_cone_options options = prc_cone_options_default();
  int count = 0;
  double p[3 * MOST];
  make_known(&k, 3, 20, 20, 1e6, 1.0, 3);
  options.stop = stop_at_once, options.stop_data = &count;
  const prc_cone_info info = solve_with("auto", &k.by_blocks, &options, p);
  ck_assert(!info.converged);
  ck_assert_int_le(info.iterations, 10);
}
END_TEST

/* ---- degenerate problems ------------------------------------------------------------------------------------------------------ */

START_TEST(degenerate_problems_behave) {
  prc_cone_options options = prc_cone_options_default();
  double p[6];
  const char *name = names[_i];
  /* no contact */
  const prc_cone_problem none = {.dim = 3};
  ck_assert(solve_with(name, &none, &options, p).converged);
  /* take-off everywhere, with tangential motion */
  const double W1[9] = {1.0, 0.2, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0}, up[3] = {0.5, -2.0, 1.0},
               mu[2] = {0.4, 0.4};
  const prc_cone_problem open = {.dim = 3, .n = 1, .W = W1, .b = up, .mu = mu};
  ck_assert(solve_with(name, &open, &options, p).converged);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(p[i], 0.0, 1e-12);
  /* no friction: p = -b_N / W_NN, however it moves */
  const double down[3] = {-0.5, -2.0, 1.0}, smooth[1] = {0.0};
  const prc_cone_problem slippery = {.dim = 3, .n = 1, .W = W1, .b = down, .mu = smooth};
  ck_assert(solve_with(name, &slippery, &options, p).converged);
  ck_assert_double_eq_tol(p[0], 0.5, 1e-9);
  /* one contact, W of rank one: no tangential mobility */
  const double W2[9] = {2.0}, sliding[3] = {-1.0, 0.3, 0.4};
  const prc_cone_problem singular = {.dim = 3, .n = 1, .W = W2, .b = sliding, .mu = mu};
  ck_assert(solve_with(name, &singular, &options, p).converged);
  ck_assert_double_eq_tol(p[0], 0.5, 1e-9);
  ck_assert_double_eq_tol(p[1], -0.5 * 0.4 * 0.6, 1e-9); /* against the sliding */
  ck_assert_double_eq_tol(p[2], -0.5 * 0.4 * 0.8, 1e-9);
  /* the same contact twice: only the sum is determined */
  double W3[36];
  const double twice[6] = {-1.0, 0.0, 0.0, -1.0, 0.0, 0.0};
  for (int i = 0; i < 36; i++) W3[i] = W1[(i / 6 % 3) * 3 + i % 3];
  const prc_cone_problem duplicated = {.dim = 3, .n = 2, .W = W3, .b = twice, .mu = mu};
  ck_assert(solve_with(name, &duplicated, &options, p).converged);
  ck_assert_double_eq_tol(p[0] + p[3], 1.0 / (1.0 - 0.04), 1e-8);
}
END_TEST

/* A body squeezed by two walls that approach each other: w_1 + w_2 = -2 whatever p does. */
START_TEST(a_problem_without_solution_is_called_one) {
  const double W[36] = {1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0,  1.0, 0.0, 0.0, 1.0, 0.0,
                        0.0, 0.0, 1.0, 0.0,  0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                        0.0, 1.0, 0.0, 0.0,  1.0, 0.0, 0.0,  0.0, 1.0, 0.0, 0.0, 1.0};
  double b[6] = {-1.0, 0.1, 0.0, -1.0, 0.1, 0.0}, p[6];
  const double mu[2] = {0.3, 0.3};
  const prc_cone_problem squeezed = {.dim = 3, .n = 2, .W = W, .b = b, .mu = mu};
  prc_cone_options options = prc_cone_options_default();
  const prc_cone_info no = solve_with("auto", &squeezed, &options, p);
  ck_assert(!no.converged);
  ck_assert(no.infeasible);
  ck_assert_int_lt(no.iterations, options.max_iterations);
  b[3] = 1.5; /* one wall leaves faster than the other comes */
  const prc_cone_info yes = solve_with("auto", &squeezed, &options, p);
  ck_assert(yes.converged);
  ck_assert(!yes.infeasible);
}
END_TEST

START_TEST(wrong_problems_are_refused_with_the_place) {
  static known k;
  prc_error err = {0};
  make_known(&k, 3, 4, 12, 1.0, 1.0, 1);
#define REFUSED(text)                                                                                        \
  do {                                                                                                       \
    prc_error_clear(&err);                                                                                   \
    support_fails(prc_cone_problem_check(p, &err), PRC_INPUT, &err, text);                                   \
  } while (0)
  prc_cone_problem *p = &k.problem;
  k.W[12 * 5 + 7] = NAN;
  REFUSED("W(5, 7) is");
  k.W[12 * 5 + 7] = 0.0, k.b[3] = INFINITY;
  REFUSED("b(3) is inf");
  k.b[3] = 0.0, k.mu[2] = -0.1;
  REFUSED("friction of contact 2 is -0.1");
  k.mu[2] = 1.1e8;
  REFUSED("friction of contact 2 is 1.1e+08, expected a number in [0, 1e+08]");
  k.mu[2] = NAN;
  REFUSED("friction of contact 2 is");
  k.mu[2] = 0.1, p->dim = 5;
  REFUSED("dimension 5, expected 1 to 4");
  p->dim = 0;
  REFUSED("dimension 0, expected 1 to 4");
  p->dim = 3, p->n = -1;
  REFUSED("-1 contacts");
  p->n = 4, p->blocks = &k.blocks;
  REFUSED("two matrices");
  p->W = NULL, p->blocks = NULL;
  REFUSED("no matrix");
  p = &k.by_blocks;
  k.values[9 * 6 + 4] = -INFINITY; /* block 6: row 1, column 2 */
  REFUSED("W(4, 7) is -inf");
  k.values[9 * 6 + 4] = 0.0, k.column[9] = 0;
  REFUSED("blocks of row 2 of W are not in ascending columns");
  k.column[9] = 4;
  REFUSED("in column 4, expected 0 to 3");
  k.column[9] = 1, k.row_start[2] = 2;
  REFUSED("before its start");
  k.row_start[2] = 5, k.column[4] = 2;
  REFUSED("row 1 of W has no diagonal block");
#undef REFUSED
}
END_TEST

START_TEST(wrong_options_and_names_are_refused) {
  prc_error err = {0};
  prc_cone_solver *solver = NULL;
  prc_cone_options options = prc_cone_options_default();
  support_fails(prc_cone_solver_create("simplex", 3, 2, &options, &solver, &err), PRC_INPUT, &err,
                "'simplex'");
  prc_error_clear(&err);
  support_fails(prc_cone_solver_create("active-set", 3, 2, &options, &solver, &err), PRC_INPUT, &err, "3D");
  prc_error_clear(&err);
  options.relaxation = 2.0;
  support_fails(prc_cone_solver_create("auto", 3, 2, &options, &solver, &err), PRC_INPUT, &err, "relaxation");
  ck_assert_ptr_null(solver);
}
END_TEST

/* ---- the field's problems ------------------------------------------------------------------------------------------------------ */

/* All of them have a solution; the measure is the one in which solvers are compared. */
static const char *const direct[] = {"newton", "extragradient", "projected-gradient"};

/* M and H as they are; the solution is judged by the condensed problem. */
START_TEST(global_problems_of_the_collection_are_solved_without_W) {
  static const char *const files[] = {"CubeH8", "GFC3D_OneContact", "GFC3D_Example00_badly_scaled",
                                      "gfc2d_granularflowonwall_00230_00206"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    prc_fclib *file = NULL;
    prc_cone_problem problem, condensed;
    prc_error err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.hdf5", support_source("../shared/fclib/open"), files[i]);
    if (access(path, R_OK) != 0) {
      printf("# skipped: there is no file %s\n", path);
      return;
    }
    prc_cone_options options = prc_cone_options_default();
    options.criterion = PRC_CONE_PAPER;
    support_ok(prc_fclib_read(path, &file, &err), &err);
    support_ok(prc_fclib_whole(file, &problem, &err), &err);
    double *p = calloc((size_t)(problem.dim * problem.n) + 1, sizeof *p), *w = calloc(1000, sizeof *w);
    const prc_cone_info info = solve_with(direct[_i], &problem, &options, p);
    ck_assert_msg(info.converged, "%s by %s: %g", files[i], direct[_i], info.error.paper);
    support_ok(prc_fclib_blocks(file, &condensed, &err), &err);
    ck_assert_double_le(prc_cone_error(&condensed, p, w).paper, 1.1e-10);
    free(p), free(w);
    prc_fclib_free(&file);
  }
}
END_TEST

/* By hand: M = 2, H = (1, 0), so that W = diag(1/2, 0); b = (-1, 1), mu = 1/2: p = (2, -1), w = (0, 1). */
START_TEST(a_global_problem_by_hand) {
  int M_start[] = {0, 1}, M_column[] = {0}, H_start[] = {0, 1, 1}, H_row[] = {0};
  double M[] = {2.0}, H[] = {1.0}, p[2];
  const double b[] = {-1.0, 1.0}, mu[] = {0.5};
  prc_error err = {0};
  prc_cone_whole *whole = calloc(1, sizeof *whole);
  *whole = (prc_cone_whole){1, M_start, M_column, M, H_start, H_row, H, NULL, NULL, NULL};
  support_ok(prc_cone_whole_prepare(whole, 2, &err), &err);
  const prc_cone_problem problem = {.dim = 2, .n = 1, .b = b, .mu = mu, .whole = whole};
  const prc_cone_options options = prc_cone_options_default();
  const prc_cone_info info = solve_with("newton", &problem, &options, p);
  ck_assert_int_eq(info.converged, 1);
  ck_assert_double_eq_tol(p[0], 2.0, 1e-9);
  ck_assert_double_eq_tol(p[1], -1.0, 1e-9);
  whole->M_start = whole->M_column = whole->H_start = whole->H_row = NULL, whole->M = whole->H = NULL;
  prc_cone_whole_free(&whole);
}
END_TEST

START_TEST(the_public_collection_is_solved) {
  const char *given = getenv("PRC_FCLIB_OPEN"),
             *folder = given ? given : support_source("../shared/fclib/open");
  char path[1024], name[512];
  DIR *directory = opendir(folder);
  int count = 0;
  if (!directory) {
    printf("# skipped: there is no folder %s\n", folder);
    return;
  }
  snprintf(name, sizeof name, "%s", folder);
  for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
    prc_fclib *file = NULL;
    prc_cone_problem problem;
    prc_error err = {0};
    if (!strstr(entry->d_name, ".hdf5")) continue;
    snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
    support_ok(prc_fclib_read(path, &file, &err), &err);
    support_ok(prc_fclib_blocks(file, &problem, &err), &err);
    double *p = calloc((size_t)(problem.dim * problem.n) + 1, sizeof *p);
    for (int digits = 8; digits <= 12; digits += 4) {
      prc_cone_options options = prc_cone_options_default();
      options.tolerance = pow(10.0, -digits), options.criterion = PRC_CONE_PAPER;
      const prc_cone_info info = solve_with("auto", &problem, &options, p);
      ck_assert_msg(info.converged, "%s: %g after %d iterations, expected 1e-%d", entry->d_name,
                    info.error.paper, info.iterations, digits);
    }
    free(p);
    prc_fclib_free(&file);
    count++;
  }
  closedir(directory);
  ck_assert_int_gt(count, 0);
}
END_TEST

/* Points on a line, each pushing the next: C has the rows (.., -1, 1, ..), W = C M^-1 C'. Uzawa's iteration converges below 2 / |W|, which for
 * equal masses is 2 min m / |C'C| = m / (1 + cos(pi / (n + 1))), and above it does not. */
START_TEST(uzawa_converges_below_its_bound_and_not_above) {
  enum { N = 6 };
  double W[N * N] = {0.0}, b[N], mu[N] = {0.0}, exact[N] = {0.0}, p[N];
  const double mass = 1.0 + 2.0 * _i, largest = (2.0 + 2.0 * cos(M_PI / (N + 1))) / mass,
               bound = 2.0 / largest;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) W[N * i + j] = i == j ? 2.0 / mass : abs(i - j) == 1 ? -1.0 / mass : 0.0;
    b[i] = -1.0 - 0.1 * i * i; /* all meet */
  }
  const prc_cone_problem problem = {.dim = 1, .n = N, .W = W, .symmetric = 1, .b = b, .mu = mu};
  prc_cone_options options = prc_cone_options_default();
  options.criterion = PRC_CONE_SCALED;
  ck_assert(solve_with("newton", &problem, &options, exact).converged);
  for (int above = 0; above < 2; above++) {
    memset(p, 0, sizeof p);
    options.gradient_step = bound * (above ? 1.01 : 0.99), options.max_iterations = 20000;
    const prc_cone_info info = solve_with("projected-gradient", &problem, &options, p);
    ck_assert_int_eq(info.converged, !above);
    for (int i = 0; !above && i < N; i++) ck_assert_double_eq_tol(p[i], exact[i], 1e-8 * exact[i]);
  }
  options.gradient_step = 0.0; /* and Nesterov's needs none */
  ck_assert(solve_with("projected-gradient", &problem, &options, p).converged);
}
END_TEST

SUITE(cone_solvers) {
  Suite *suite = suite_create("cone_solvers");
  TCase *local = tcase_create("local"), *parts = tcase_create("parts"), *solvers = tcase_create("solvers"),
        *degenerate = tcase_create("degenerate"), *collection = tcase_create("collection");
  tcase_add_test(local, the_local_solvers_are_exact_for_every_status);
  tcase_add_test(local, a_wrong_guess_of_the_slip_direction_does_not_matter);
  suite_add_tcase(suite, local);
  tcase_add_test(parts, derivatives_of_both_equations_match_differences);
  tcase_add_test(parts, block_factors_solve_systems_with_fill);
  suite_add_tcase(suite, parts);
  tcase_add_loop_test(solvers, every_solver_solves_both_storages_in_2d_and_3d, 0, 4);
  tcase_add_test(solvers, the_active_set_goes_the_same_way_by_blocks);
  tcase_add_loop_test(solvers, a_solution_is_recognised_without_an_iteration, 0, 4);
  tcase_add_loop_test(solvers, uzawa_converges_below_its_bound_and_not_above, 0, 2);
  tcase_add_test(solvers, random_order_and_relaxation_reach_the_same_solution);
  tcase_add_loop_test(solvers, rank_deficient_and_ill_conditioned_problems_are_solved, 0, 12);
  tcase_add_loop_test(solvers, wide_gaps_of_open_contacts_do_not_stop_it, 0, 18);
  tcase_add_test(solvers, a_caller_who_wants_to_stop_gets_the_true_error);
  suite_add_tcase(suite, solvers);
  tcase_add_loop_test(degenerate, degenerate_problems_behave, 0, 4);
  tcase_add_test(degenerate, a_problem_without_solution_is_called_one);
  tcase_add_test(degenerate, wrong_problems_are_refused_with_the_place);
  tcase_add_test(degenerate, wrong_options_and_names_are_refused);
  suite_add_tcase(suite, degenerate);
  tcase_add_loop_test(collection, global_problems_of_the_collection_are_solved_without_W, 0, 3);
  tcase_add_test(solvers, a_global_problem_by_hand);
  tcase_add_test(collection, the_public_collection_is_solved);
  suite_add_tcase(suite, collection);
  return suite;
}
