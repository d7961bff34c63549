/* The storages of W: each row by the battery (prc_operator_check), a storage of one's own, and what the battery refuses. */
#include "config.h"
#include "cone/operator.h"
#include "support/known_contact.h"
#include "support/methods.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, ROWS = PRC_CONE_DIM_MOST * MOST, RUNS = 4, WIDTH = 2 * PRC_CONE_RUN };

/* One W in up to four storages: dense and by blocks; as G G' or in global form where it is made so. */
typedef struct {
  double W[ROWS * ROWS], b[ROWS], mu[MOST];
  int row_start[MOST + 1], column[MOST * MOST];
  double values[ROWS * ROWS];
  prc_cone_blocks blocks;
  int run[2 * MOST];
  double G[ROWS * WIDTH], v[PRC_CONE_RUN * (RUNS + 1)];
  prc_cone_factors factors;
  prc_cone_whole *whole;
  prc_cone_problem problem; /* without W */
} sample;

static void begin(sample *s, prc_random *r, int dim, int n) {
  memset(s, 0, sizeof *s);
  s->problem = (prc_cone_problem){.dim = dim, .n = n, .b = s->b, .mu = s->mu};
  for (int c = 0; c < n; c++) s->mu[c] = c % 4 == 3 ? 0.0 : prc_random_uniform(r, 0.1, 0.6);
  for (int i = 0; i < dim * n; i++)
    s->b[i] = prc_random_uniform(r, i % dim ? -1.0 : -2.0, i % dim ? 1.0 : 0.5);
}

/* W: definite, contacts of two groups that are not coupled, some blocks zero; `skew` adds what is not symmetric. */
static void make_blocks(sample *s, uint64_t seed, int dim, int n, double skew) {
  prc_random r = {.state = seed};
  begin(s, &r, dim, n);
  const int rows = dim * n;
  int count = 0;
  for (int c = 0; c < n; c++) {
    for (int j = 0; j < n; j++) {
      if (c != j && (c % 2 != j % 2 || (c + j) % 6 == 4)) continue;
      for (int e = 0; e < dim * dim; e++) {
        const int i = dim * c + e / dim, k = dim * j + e % dim;
        const double other = c == j  ? (e / dim > e % dim ? s->W[k * rows + i] : NAN)
                             : j < c ? s->W[k * rows + i]
                                     : NAN;
        s->W[i * rows + k] = i == k         ? 2.0 + prc_random_uniform(&r, 0.0, 1.0)
                             : isnan(other) ? prc_random_uniform(&r, -0.2, 0.2)
                                            : other + skew * prc_random_uniform(&r, -0.1, 0.1);
        s->values[count * dim * dim + e] = s->W[i * rows + k];
      }
      s->column[count++] = j;
    }
    s->row_start[c + 1] = count;
  }
  s->blocks = (prc_cone_blocks){s->row_start, s->column, s->values};
}

/* W = G G' of contacts of four bodies and the ground. */
static void make_runs(sample *s, uint64_t seed, int dim, int n) {
  prc_random r = {.state = seed};
  begin(s, &r, dim, n);
  for (int c = 0; c < n; c++) {
    s->run[2 * c] = c % RUNS, s->run[2 * c + 1] = c % 3 == 0 ? RUNS : (c + 2) % RUNS;
    for (int i = 0; i < dim * WIDTH; i++)
      s->G[c * dim * WIDTH + i] =
          s->run[2 * c + i % WIDTH / PRC_CONE_RUN] == RUNS ? 0.0 : prc_random_uniform(&r, -1.0, 1.0);
  }
  s->factors = (prc_cone_factors){.n_runs = RUNS, .run = s->run, .G = s->G, .v = s->v};
  for (int i = 0; i < dim * n; i++)
    for (int j = 0; j < dim * n; j++)
      for (int k = 0; k < WIDTH * WIDTH; k++) {
        const int a = k / WIDTH, b = k % WIDTH;
        const int body = s->run[2 * (i / dim) + a / PRC_CONE_RUN],
                  same = s->run[2 * (j / dim) + b / PRC_CONE_RUN];
        if (body == same && a % PRC_CONE_RUN == b % PRC_CONE_RUN)
          s->W[i * dim * n + j] += s->G[i * WIDTH + a] * s->G[j * WIDTH + b];
      }
}

/* W = H' M^-1 H with M = L L', L lower and bidiagonal: M^-1 by two substitutions. */
static void make_whole(sample *s, uint64_t seed, int dim, int n) {
  static double Y[ROWS][ROWS];
  prc_random r = {.state = seed};
  prc_error err = {0};
  begin(s, &r, dim, n);
  const int rows = dim * n, nv = rows;
  double d[ROWS], l[ROWS];
  prc_cone_whole *g = calloc(1, sizeof *g);
  s->whole = g;
  g->n_velocities = nv;
  g->M_start = calloc((size_t)nv + 1, sizeof(int)), g->M_column = calloc(3 * (size_t)nv, sizeof(int));
  g->M = calloc(3 * (size_t)nv, sizeof(double));
  g->H_start = calloc((size_t)rows + 1, sizeof(int)), g->H_row = calloc((size_t)(rows * nv), sizeof(int));
  g->H = calloc((size_t)(rows * nv), sizeof(double));
  for (int i = 0; i < nv; i++)
    d[i] = prc_random_uniform(&r, 1.0, 2.0), l[i] = prc_random_uniform(&r, -0.4, 0.4);
  int e = 0;
  for (int i = 0; i < nv; i++) {
    if (i > 0) g->M_column[e] = i - 1, g->M[e++] = l[i] * d[i - 1];
    g->M_column[e] = i, g->M[e++] = d[i] * d[i] + (i > 0 ? l[i] * l[i] : 0.0);
    if (i + 1 < nv) g->M_column[e] = i + 1, g->M[e++] = l[i + 1] * d[i];
    g->M_start[i + 1] = e;
  }
  for (int j = 0; j < rows; j++) { /* Y := L^-1 H, W = Y' Y */
    for (int i = 0; i < nv; i++) {
      const double h = i == j ? 1.0 : (i + j) % 3 == 0 ? prc_random_uniform(&r, -0.3, 0.3) : 0.0;
      if (h != 0.0) g->H_row[g->H_start[j + 1]] = i, g->H[g->H_start[j + 1]++] = h;
      Y[i][j] = (h - (i > 0 ? l[i] * Y[i - 1][j] : 0.0)) / d[i];
    }
    if (j + 2 <= rows) g->H_start[j + 2] = g->H_start[j + 1];
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < nv; k++) s->W[i * rows + j] += Y[k][i] * Y[k][j];
  support_ok(prc_cone_whole_prepare(g, rows, &err), &err);
}

static void passes(const sample *s, const prc_cone_problem *problem) {
  prc_error err = {0};
  support_ok(prc_operator_check(problem, s->W, 1e-12, &err), &err);
}

START_TEST(every_row_passes_the_battery) {
  static sample s;
  for (int dim = 1; dim <= PRC_CONE_DIM_MOST; dim++)
    for (int n = 1; n <= MOST; n += 3)
      for (uint64_t seed = 1; seed <= 3; seed++) {
        prc_cone_problem one;
        make_blocks(&s, seed, dim, n, seed > 1 ? 1.0 : 0.0);
        one = s.problem, one.blocks = &s.blocks, passes(&s, &one);
        one = s.problem, one.W = s.W, one.symmetric = seed == 1, passes(&s, &one);
        make_runs(&s, seed, dim, n);
        one = s.problem, one.factors = &s.factors, passes(&s, &one);
        make_whole(&s, seed, dim, n);
        one = s.problem, one.whole = s.whole, passes(&s, &one);
        prc_cone_whole_free(&s.whole);
      }
}
END_TEST

/* More rows than a dense system of Newton's method takes: factorised by blocks. */
START_TEST(large_systems_by_blocks_pass_it_too) {
  enum { N = 40, ALL = 3 * N };
  static double W[ALL * ALL], values[3 * N * 9], b[ALL], mu[N];
  static int row_start[N + 1], column[3 * N];
  prc_random r = {.state = 4};
  int count = 0;
  for (int c = 0; c < N; c++) {
    for (int j = c > 0 ? c - 1 : 0; j < N && j <= c + 1; j++) {
      for (int e = 0; e < 9; e++)
        values[9 * count + e] = W[(3 * c + e / 3) * ALL + 3 * j + e % 3] =
            prc_random_uniform(&r, -0.1, 0.1) + (c == j && e % 4 == 0 ? 1.0 : 0.0);
      column[count++] = j;
    }
    row_start[c + 1] = count, mu[c] = 0.3;
  }
  for (int i = 0; i < ALL; i++) b[i] = prc_random_uniform(&r, -1.0, 1.0);
  const prc_cone_blocks blocks = {row_start, column, values};
  const prc_cone_problem problem = {.dim = 3, .n = N, .b = b, .mu = mu, .blocks = &blocks};
  prc_error err = {0};
  support_ok(prc_operator_check(&problem, W, 1e-12, &err), &err);
}
END_TEST

/* ---- a storage of one's own: W = diag(d) + g g' --------------------------------------------- */

typedef struct {
  double d[ROWS], g[ROWS];
} own;

static void own_multiply(const prc_cone_problem *problem, const double *p, double *w) {
  const own *W = problem->stored;
  double sum = 0.0;
  for (int i = 0; i < problem->dim * problem->n; i++) sum += W->g[i] * p[i];
  for (int i = 0; i < problem->dim * problem->n; i++) w[i] += W->d[i] * p[i] + W->g[i] * sum;
}

static void own_entries(const prc_cone_problem *problem, int c, int j, double *block) {
  const own *W = problem->stored;
  const int dim = problem->dim;
  for (int e = 0; e < dim * dim; e++) {
    const int i = dim * c + e / dim, k = dim * j + e % dim;
    block[e] = W->g[i] * W->g[k] + (i == k ? W->d[i] : 0.0);
  }
}

static void own_block(const prc_cone_problem *problem, int c, double *block) {
  own_entries(problem, c, c, block);
}

static void own_row(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  double block[PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST];
  for (int j = 0; j < problem->n; j++) {
    own_entries(problem, c, j, block);
    take(taker, j, block);
  }
}

static const prc_cone_operator by_products = {
    .name = "stored as one likes", .multiply = own_multiply, .block = own_block};
static const prc_cone_operator by_rows = {
    .name = "stored as one likes", .multiply = own_multiply, .block = own_block, .row = own_row, .forms = 1};

static void make_own(sample *s, own *W, uint64_t seed, int dim, int n) {
  prc_random r = {.state = seed};
  begin(s, &r, dim, n);
  const int rows = dim * n;
  for (int i = 0; i < rows; i++)
    W->d[i] = prc_random_uniform(&r, 1.0, 2.0), W->g[i] = prc_random_uniform(&r, -0.7, 0.7);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) s->W[i * rows + j] = W->g[i] * W->g[j] + (i == j ? W->d[i] : 0.0);
  s->problem.stored = W;
}

START_TEST(a_storage_of_ones_own_serves_every_method_that_it_has_functions_for) {
  static sample s;
  static own W;
  int taken[2] = {0};
  for (int few = 0; few < 2; few++)
    for (int dim = 1; dim <= PRC_CONE_DIM_MOST; dim++) {
      make_own(&s, &W, 10 + (uint64_t)dim, dim, MOST);
      prc_cone_problem mine = s.problem, dense = s.problem;
      mine.storage = few ? &by_products : &by_rows, dense.W = s.W;
      passes(&s, &mine);
      for (int k = 0; ability(k); k++) {
        double p[2][ROWS] = {{0.0}}, w[ROWS];
        if (!can(k, dim, mine.storage)) continue;
        taken[few]++;
        const prc_cone_info info = solve(ability(k)->name, &mine, p[0]);
        ck_assert_msg(info.converged, "%s, dimension %d: %g", ability(k)->name, dim, info.error.scaled);
        ck_assert_double_le(prc_cone_error(&dense, p[0], w).scaled, 1.1e-10);
        solve(ability(k)->name, &dense, p[1]);
        for (int i = 0; i < dim * MOST; i++) ck_assert_double_eq_tol(p[0][i], p[1][i], 1e-7);
      }
    }
  ck_assert_int_ge(taken[0], 4 * 9 - 5); /* active-set: one dimension, lemke: two */
  ck_assert_int_eq(taken[1], 2 * 4);     /* extragradient and the projected gradient */
}
END_TEST

START_TEST(what_a_method_needs_is_asked_for) {
  static sample s;
  static own W;
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  const prc_cone_options options = prc_cone_options_default();
  make_own(&s, &W, 1, 3, MOST);
  prc_cone_problem mine = s.problem;
  mine.storage = &by_products;
  support_fails(prc_cone_solver_create_for("gauss-seidel", &mine, &options, &solver, &err), PRC_INPUT, &err,
                "'gauss-seidel' cannot solve problems stored as one likes, expected extragradient or "
                "projected-gradient");
}
END_TEST

/* ---- what the battery refuses ------------------------------------------------------------------ */

static void overwrites(const prc_cone_problem *problem, const double *p, double *w) {
  for (int i = 0; i < problem->dim * problem->n; i++) w[i] = 0.0;
  prc_cone_dense.multiply(problem, p, w);
}

static void transposed_block(const prc_cone_problem *problem, int c, double *block) {
  double from[PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST];
  prc_cone_dense.block(problem, c, from);
  for (int e = 0; e < problem->dim * problem->dim; e++)
    block[e] = from[e % problem->dim * problem->dim + e / problem->dim];
}

static double twice(const prc_cone_problem *problem, int i) {
  return 2.0 * prc_cone_dense.diagonal(problem, i);
}

typedef struct {
  prc_cone_take *take;
  void *taker;
  int left_out;
} filter;

static void take_others(void *taker, int column, const double *block) {
  const filter *f = taker;
  if (column != f->left_out) f->take(f->taker, column, block);
}

static void without_last(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  filter f = {take, taker, problem->n - 1 == c ? 0 : problem->n - 1};
  prc_cone_dense.row(problem, c, take_others, &f);
}

static void without_diagonal(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  filter f = {take, taker, c};
  prc_cone_dense.row(problem, c, take_others, &f);
}

static void no_couple(const prc_cone_problem *problem, int *room, int *parent, prc_cone_unite *unite) {
  (void)problem, (void)room, (void)parent, (void)unite;
}

static void jacobi(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                   double *w,
                   double *change) { /* one contact after the other, but w is that of the sweep before */
  (void)work, (void)change;
  prc_cone_velocity(problem, p, w);
  for (int k = 0; k < sweep->n; k++) p[problem->dim * sweep->list[k]] *= 0.5;
}

static void no_change(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                      double *w, double *change) {
  prc_cone_dense.sweeper->sweep(work, problem, sweep, p, w, change);
  change[0] = 0.0;
}

static const double *half_done(const prc_cone_problem *problem) {
  return problem->b;
}

START_TEST(what_is_wrong_in_a_row_is_refused_with_its_function) {
  static sample s;
  prc_error err = {0};
  prc_cone_sweeper sweeper[2] = {*prc_cone_dense.sweeper, *prc_cone_dense.sweeper};
  sweeper[0].sweep = jacobi, sweeper[1].sweep = no_change;
  struct {
    prc_cone_operator row;
    const char *message;
  } wrong[11];
  const char *const message[] = {"multiply of the storage 'dense': row",
                                 "multiply_fast of the storage",
                                 "multiply (no multiply_transposed: symmetric) of the storage",
                                 "block of the storage 'dense': W(",
                                 "diagonal of the storage 'dense': W(0, 0)",
                                 "row of the storage 'dense': W(",
                                 "row 0 has no diagonal block",
                                 "couple of the storage 'dense': W(",
                                 "of Gauss-Seidel",
                                 "island 0 changes by 0",
                                 "dense of the storage 'dense': W("};
  for (int k = 0; k < 11; k++) wrong[k].row = prc_cone_dense, wrong[k].message = message[k];
  wrong[0].row.multiply = overwrites;
  wrong[1].row.multiply_fast = overwrites;
  wrong[2].row.multiply_transposed = NULL;
  wrong[3].row.block = transposed_block;
  wrong[4].row.diagonal = twice;
  wrong[5].row.row = without_last, wrong[5].row.dense = NULL;
  wrong[6].row.row = without_diagonal;
  wrong[7].row.couple = no_couple;
  wrong[8].row.sweeper = &sweeper[0];
  wrong[9].row.sweeper = &sweeper[1];
  wrong[10].row.dense = half_done;
  make_blocks(&s, 3, 2, MOST, 1.0);
  /* W must be found by the rows of the dense storage, so it stands in its field, and the row is another */
  for (int k = 0; k < 11; k++) {
    prc_cone_problem problem = s.problem;
    problem.W = s.W, problem.storage = &wrong[k].row;
    err = (prc_error){0};
    support_fails(prc_operator_check(&problem, s.W, 1e-12, &err), PRC_INPUT, &err, wrong[k].message);
  }
}
END_TEST

/* A system without its proximal term, and one that ignores B. */
static int step_without_alpha(void *work, const prc_cone_jacobian *at, const double *F, double *step) {
  prc_cone_jacobian other = *at;
  other.alpha = 0.0;
  return prc_cone_by_runs.algebra->step(work, &other, F, step);
}

static void multiply_nothing(void *work, const double *x, double *y) {
  (void)work;
  y[0] = x[0];
}

START_TEST(what_is_wrong_in_newtons_systems_is_refused) {
  static sample s;
  prc_error err = {0};
  prc_cone_algebra algebra = *prc_cone_by_runs.algebra;
  prc_cone_operator row = prc_cone_by_runs;
  make_runs(&s, 2, 3, MOST);
  prc_cone_problem problem = s.problem;
  problem.factors = &s.factors, problem.storage = &row, row.algebra = &algebra;
  passes(&s, &problem);
  algebra.step = step_without_alpha;
  err = (prc_error){0};
  support_fails(prc_operator_check(&problem, s.W, 1e-12, &err), PRC_INPUT, &err,
                "algebra.step of the storage");
  algebra = *prc_cone_by_runs.algebra, algebra.multiply = multiply_nothing;
  err = (prc_error){0};
  support_fails(prc_operator_check(&problem, s.W, 1e-12, &err), PRC_INPUT, &err,
                "algebra.multiply of the storage");
  row = (prc_cone_operator){.name = "stored as one likes"};
  err = (prc_error){0};
  support_fails(prc_operator_check(&problem, s.W, 1e-12, &err), PRC_INPUT, &err, "lacks multiply");
}
END_TEST

SUITE(cone_storages) {
  Suite *suite = suite_create("cone_storages");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 120);
  tcase_add_test(all, every_row_passes_the_battery);
  tcase_add_test(all, large_systems_by_blocks_pass_it_too);
  tcase_add_test(all, a_storage_of_ones_own_serves_every_method_that_it_has_functions_for);
  tcase_add_test(all, what_a_method_needs_is_asked_for);
  tcase_add_test(all, what_is_wrong_in_a_row_is_refused_with_its_function);
  tcase_add_test(all, what_is_wrong_in_newtons_systems_is_refused);
  suite_add_tcase(suite, all);
  return suite;
}
