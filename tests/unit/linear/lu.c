/* The factors of general matrices, and the solver of time steps that is made of them. */
#include "config.h"
#include "linear/operator.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/SuiteSparse_config.h>

enum { MOST = 40 };

static prc_error err;

/* ---- what SuiteSparse asks for ------------------------------------------------------------------------------------- */

static struct {
  int calls, fail_at; /* the call that fails, from 1; 0: none */
  long live;
} memory;

static void *handed(void *block) {
  memory.live += block != NULL;
  return block;
}

static int refused(void) {
  return ++memory.calls == memory.fail_at;
}

static void *watched_malloc(size_t size) {
  return refused() ? NULL : handed(malloc(size));
}

static void *watched_calloc(size_t count, size_t size) {
  return refused() ? NULL : handed(calloc(count, size));
}

static void *watched_realloc(void *block, size_t size) {
  if (refused()) return NULL;
  void *grown = realloc(block, size);
  memory.live += !block && grown;
  return grown;
}

static void watched_free(void *block) {
  memory.live -= block != NULL;
  free(block);
}

static void watch(int fail_at) {
  memory.calls = 0, memory.live = 0, memory.fail_at = fail_at;
  SuiteSparse_config.malloc_func = watched_malloc, SuiteSparse_config.calloc_func = watched_calloc;
  SuiteSparse_config.realloc_func = watched_realloc, SuiteSparse_config.free_func = watched_free;
}

static void look_away(void) { /* of the test before, in the same process */
  SuiteSparse_config.malloc_func = malloc, SuiteSparse_config.calloc_func = calloc;
  SuiteSparse_config.realloc_func = realloc, SuiteSparse_config.free_func = free;
}

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

typedef struct {
  int n, p[MOST + 1], i[MOST * MOST];
  double x[MOST * MOST];
} matrix;

enum { GENERAL, ZERO_DIAGONAL, SADDLE, BADLY_SCALED, KINDS };

/* Entry (r, c), or zero where there is none. A saddle point has a quarter of its rows for constraints; a third of the entries
 * are there besides those that make sure of an inverse. */
static double entry(int kind, int n, int r, int c, prc_random *random) {
  const double value = prc_random_uniform(random, -1.0, 1.0);
  const int there = prc_random_uniform(random, 0.0, 1.0) < 0.3, first = n - n / 4;
  switch (kind) {
  case ZERO_DIAGONAL: /* a cycle is what it has an inverse by */
    return r == c ? 0.0 : c == (r + 1) % n ? 4.0 + value : there ? 0.3 * value : 0.0;
  case SADDLE:
    if (r >= first && c >= first) return 0.0;
    if (r >= first || c >= first) return r - c == first || c - r == first ? 2.0 : there ? 0.1 * value : 0.0;
    return r == c ? 3.0 : there ? 0.2 * value : 0.0;
  case BADLY_SCALED:
    return ldexp(r == c ? 3.0 + value : there ? value : 0.0, 7 * (c % 9));
  default:
    return r == c ? value : there ? value : 0.0;
  }
}

static void make(matrix *A, int kind, int n, uint64_t seed) {
  prc_random random = {seed};
  A->n = n, A->p[0] = 0;
  for (int r = 0, k = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      const double x = entry(kind, n, r, c, &random);
      if (x != 0.0) A->i[k] = c, A->x[k++] = x;
    }
    A->p[r + 1] = k;
  }
}

/* b = A x or A' x, and the sum of magnitudes */
static void times(const matrix *A, int transposed, const double *x, double *b, double *size) {
  for (int r = 0; r < A->n; r++) b[r] = size[r] = 0.0;
  for (int r = 0; r < A->n; r++)
    for (int k = A->p[r]; k < A->p[r + 1]; k++) {
      const int to = transposed ? A->i[k] : r, from = transposed ? r : A->i[k];
      b[to] += A->x[k] * x[from], size[to] += fabs(A->x[k] * x[from]);
    }
}

/* The largest |b - A x| over |A| |x| + |b|, row by row: the backward error. */
static double backward_error(const matrix *A, int transposed, const double *x, const double *b) {
  double product[MOST], size[MOST], worst = 0.0;
  times(A, transposed, x, product, size);
  for (int r = 0; r < A->n; r++)
    worst = fmax(worst, fabs(b[r] - product[r]) / (size[r] + fabs(b[r]) + DBL_MIN));
  return worst;
}

static void draw(double *b, int n, uint64_t seed) {
  prc_random random = {seed};
  for (int k = 0; k < n; k++) b[k] = prc_random_uniform(&random, -1.0, 1.0);
}

static prc_lu *create(int n_max, int symmetric, int refine) {
  const prc_lu_options options = {.n_max = n_max, .symmetric = symmetric, .refine = refine};
  prc_lu *lu = NULL;
  prc_error_clear(&err);
  support_ok(prc_lu_create(&options, &lu, &err), &err);
  return lu;
}

static prc_status factor(prc_lu *lu, const matrix *A, int same_pattern) {
  return prc_lu_factor(lu, A->n, A->p, A->i, A->x, same_pattern);
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

/* Both ways of looking for pivots, both systems, one object for all sizes. Two steps of refinement bring every row to rounding,
 * also where columns are of different scale, which UMFPACK takes out. */
START_TEST(the_solution_satisfies_every_row) {
  const double most[] = {1e-10,
                         _i == BADLY_SCALED ? 1e-13 : 8.0 * DBL_EPSILON}; /* without refinement, with */
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int refined = 0; refined < 2; refined++) {
      prc_lu *lu = create(MOST, symmetric, refined ? 2 : 0);
      for (int n = 2; n <= MOST; n++) {
        matrix A;
        double b[MOST], x[MOST];
        make(&A, _i, n, 100U + (unsigned)n);
        draw(b, n, 7);
        ck_assert_int_eq(factor(lu, &A, 0), PRC_OK);
        memcpy(x, b, sizeof b);
        prc_lu_solve(lu, x);
        ck_assert_double_le(backward_error(&A, 0, x, b), most[refined]);
        memcpy(x, b, sizeof b);
        prc_lu_solve_transposed(lu, x);
        ck_assert_double_le(backward_error(&A, 1, x, b), most[refined]);
      }
      prc_lu_free(&lu);
      ck_assert_ptr_null(lu);
    }
}
END_TEST

/* [2 1; 0 4]: by hand, A^-1 (4, 8) = (1, 2) and A^-T (4, 8) = (2, 3/2). */
START_TEST(rows_are_rows) {
  const matrix A = {.n = 2, .p = {0, 2, 3}, .i = {0, 1, 1}, .x = {2.0, 1.0, 4.0}};
  double x[2] = {4.0, 8.0}, y[2] = {4.0, 8.0};
  prc_lu *lu = create(2, 0, 0);
  ck_assert_int_eq(factor(lu, &A, 0), PRC_OK);
  prc_lu_solve(lu, x), prc_lu_solve_transposed(lu, y);
  const double expected[4] = {1.0, 2.0, 2.0, 1.5}, got[4] = {x[0], x[1], y[0], y[1]};
  for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(got[k], expected[k], 4.0 * DBL_EPSILON);
  ck_assert_uint_eq(prc_lu_entries(lu), 5);
  ck_assert_uint_gt(prc_lu_bytes(lu), 0);
  prc_lu_free(&lu);
}
END_TEST

/* New values in the same pattern, as a tangent has in every iteration. */
START_TEST(a_pattern_is_analysed_once) {
  matrix A;
  double b[MOST], x[MOST];
  prc_lu *lu = create(MOST, 0, 1);
  make(&A, SADDLE, MOST, 3);
  ck_assert_int_eq(factor(lu, &A, 0), PRC_OK);
  for (int turn = 0; turn < 5; turn++) {
    for (int k = 0; k < A.p[A.n]; k++) A.x[k] *= 1.0 + 0.1 * ((k + turn) % 3);
    draw(b, A.n, 9);
    memcpy(x, b, sizeof b);
    watch(0);
    ck_assert_int_eq(factor(lu, &A, 1), PRC_OK);
    const int calls = memory.calls;
    watch(0);
    ck_assert_int_eq(factor(lu, &A, 0), PRC_OK);
    ck_assert_int_lt(calls, memory.calls);
    prc_lu_solve(lu, x);
    ck_assert_double_le(backward_error(&A, 0, x, b), 1e-14);
  }
  prc_lu_free(&lu);
}
END_TEST

START_TEST(a_solve_allocates_nothing) {
  for (int refine = 0; refine < 3; refine++) {
    matrix A;
    double x[MOST];
    prc_lu *lu = create(MOST, 0, refine);
    make(&A, GENERAL, MOST, 4);
    ck_assert_int_eq(factor(lu, &A, 0), PRC_OK);
    draw(x, MOST, 1);
    watch(0);
    prc_lu_solve(lu, x), prc_lu_solve_transposed(lu, x);
    ck_assert_int_eq(memory.calls, 0);
    prc_lu_free(&lu);
  }
}
END_TEST

/* An empty row, an empty column, a row twice, the zero matrix; and the next matrix is solved again. */
START_TEST(a_singular_matrix_is_reported) {
  double b[MOST], x[MOST];
  prc_lu *lu = create(MOST, _i % 2, 1);
  matrix A, good;
  make(&A, GENERAL, 12, 5), make(&good, GENERAL, MOST, 6);
  for (int r = 0; r < A.n; r++)
    for (int k = A.p[r]; k < A.p[r + 1]; k++) {
      if (_i / 2 == 0 && r == 7) A.x[k] = 0.0;
      if (_i / 2 == 1 && A.i[k] == 3) A.x[k] = 0.0;
      if (_i / 2 == 3) A.x[k] = 0.0;
    }
  if (_i / 2 == 2) A = (matrix){.n = 2, .p = {0, 2, 4}, .i = {0, 1, 0, 1}, .x = {1.0, 2.0, 1.0, 2.0}};
  ck_assert_int_eq(factor(lu, &A, 0), PRC_SINGULAR);
  ck_assert_int_eq(factor(lu, &good, 0), PRC_OK);
  draw(b, MOST, 2);
  memcpy(x, b, sizeof b);
  prc_lu_solve(lu, x);
  ck_assert_double_le(backward_error(&good, 0, x, b), 1e-14);
  prc_lu_free(&lu);
}
END_TEST

/* The rows of a chain that nothing holds sum to zero: what is left of its last pivot is rounding. */
START_TEST(a_pivot_of_rounding_is_seen) {
  matrix A = {.n = MOST};
  for (int held = 0; held < 2; held++) {
    int k = 0;
    for (int r = 0; r < A.n; r++) {
      const double weight = 1.0 + 0.1 * r, before = r > 0 ? 0.9 + 0.1 * r : 0.0,
                   after = r + 1 < A.n ? weight : 0.0;
      if (r > 0) A.i[k] = r - 1, A.x[k++] = -before;
      A.i[k] = r, A.x[k++] = before + after + (held && r == 0 ? 1.0 : 0.0);
      if (r + 1 < A.n) A.i[k] = r + 1, A.x[k++] = -after;
      A.p[r + 1] = k;
    }
    prc_lu *lu = create(MOST, 1, 0);
    const prc_status status = factor(lu, &A, 0);
    if (held) ck_assert_int_eq(status, PRC_OK);
    if (held) ck_assert_double_gt(prc_lu_weakest_pivot(lu), 1e-3);
    if (!held && status == PRC_OK) ck_assert_double_le(prc_lu_weakest_pivot(lu), MOST * DBL_EPSILON);
    prc_lu_free(&lu);
  }
}
END_TEST

START_TEST(no_memory_is_no_singular_matrix) {
  matrix A;
  int n = 1;
  prc_status status;
  make(&A, GENERAL, MOST, 8);
  do {
    prc_lu *lu = create(MOST, _i, 0);
    watch(n++);
    status = factor(lu, &A, 0);
    const int failed = memory.calls >= memory.fail_at;
    if (failed) ck_assert(status == PRC_NOMEM || status == PRC_OK); /* it may try again with less */
    prc_lu_free(&lu);
    ck_assert_int_eq((int)memory.live, 0);
    if (!failed) break;
  } while (1);
  ck_assert_int_eq(status, PRC_OK);
  ck_assert_int_gt(n, 5);
}
END_TEST

/* ---- as rows of the operators: operator.c has their answers ---------------------------------------------------- */

/* The five-point stencil on a grid of n x m points, its diagonal `more` above what makes rows sum to zero. */
static prc_sym *grid(int n, int m, double more) {
  prc_sym *S = NULL;
  prc_error_clear(&err);
  support_ok(prc_sym_create(n * m, 3 * n * m - n - m, &S, &err), &err);
  for (int j = 0, k = 0; j < n * m; j++) {
    const int right = j % n + 1 < n, up = j + n < n * m;
    S->i[k] = j, S->x[k++] = more + right + up + (j % n > 0) + (j >= n);
    if (right) S->i[k] = j + 1, S->x[k++] = -1.0;
    if (up) S->i[k] = j + n, S->x[k++] = -1.0;
    S->p[j + 1] = k;
  }
  return S;
}

enum { WIDE = 11, HIGH = 13, GRID = WIDE * HIGH, TAIL = 2 * WIDE };

/* The last unknowns are touched. */
static prc_status make_operator(const char *name, const prc_sym *A, int n_touched, prc_operator **op) {
  char part[GRID] = {0};
  for (int i = A->n - n_touched; i < A->n; i++) part[i] = 1;
  return prc_operator_create(name, A, &(prc_operator_plan){.part = part, .tolerance = 1e-14}, op, &err);
}

/* What can move without being strained is seen by its pivot, or refused at once. */
START_TEST(a_singular_step_is_seen_by_its_pivot) {
  static const char *const names[] = {"direct", "umfpack"};
  for (int more = 0; more < 2; more++) {
    prc_sym *A = grid(WIDE, HIGH, more);
    prc_operator *op = NULL;
    prc_error_clear(&err);
    const prc_status status = make_operator(names[_i], A, WIDE, &op);
    const int seen = status == PRC_SINGULAR
                     || (status == PRC_OK && prc_operator_get_facts(op).weakest_pivot <= GRID * DBL_EPSILON);
    ck_assert_int_eq(seen, !more);
    prc_operator_free(&op);
    prc_sym_free(&A);
  }
}
END_TEST

/* Every refusal of memory to UMFPACK is PRC_NOMEM, and nothing is left behind. */
START_TEST(a_lack_of_memory_is_a_message) {
  prc_sym *A = grid(WIDE, HIGH, 0.7);
  int refusals = 0, seen = 1;
  for (int n = 1; seen; n++) {
    prc_operator *op = NULL;
    prc_error_clear(&err);
    watch(n);
    const prc_status status = make_operator("umfpack", A, TAIL, &op);
    seen = memory.calls >= n;
    if (status != PRC_OK) {
      refusals++;
      ck_assert_int_eq(status, PRC_NOMEM);
      ck_assert_ptr_nonnull(strstr(err.message, "out of memory"));
      ck_assert_ptr_null(op);
    }
    prc_operator_free(&op);
    ck_assert_int_eq((int)memory.live, 0);
  }
  ck_assert_int_gt(refusals, 5);
  prc_sym_free(&A);
}
END_TEST

SUITE(lu) {
  Suite *suite = suite_create("lu");
  TCase *factors = tcase_create("factors"), *steps = tcase_create("steps");
  tcase_add_loop_test(factors, the_solution_satisfies_every_row, 0, KINDS);
  tcase_add_test(factors, rows_are_rows);
  tcase_add_test(factors, a_pattern_is_analysed_once);
  tcase_add_test(factors, a_solve_allocates_nothing);
  tcase_add_loop_test(factors, a_singular_matrix_is_reported, 0, 8);
  tcase_add_test(factors, a_pivot_of_rounding_is_seen);
  tcase_add_loop_test(factors, no_memory_is_no_singular_matrix, 0, 2);
  tcase_add_checked_fixture(factors, look_away, NULL);
  tcase_add_checked_fixture(steps, look_away, NULL);
  suite_add_tcase(suite, factors);
  tcase_add_loop_test(steps, a_singular_step_is_seen_by_its_pivot, 0, 2);
  tcase_add_test(steps, a_lack_of_memory_is_a_message);
  suite_add_tcase(suite, steps);
  return suite;
}
