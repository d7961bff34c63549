/* Matrices that are too large for a dense reference: closed forms, and one way to solve against another. */
#include "config.h"
#include "support/support.h"
#include "linear/linear.h"

#include <suitesparse/SuiteSparse_config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

static void fill(double *x, int n, uint64_t seed) {
  prc_random r = {seed};
  for (int i = 0; i < n; i++) x[i] = prc_random_uniform(&r, -1.0, 1.0);
}

/* The chain: -1 beside the diagonal */
static prc_sym *chain(int n, double diagonal) {
  prc_sym *S = NULL;
  prc_error_clear(&err);
  support_ok(prc_sym_create(n, 2 * n - 1, &S, &err), &err);
  for (int j = 0, k = 0; j < n; j++) {
    S->i[k] = j, S->x[k++] = diagonal;
    if (j + 1 < n) S->i[k] = j + 1, S->x[k++] = -1.0;
    S->p[j + 1] = k;
  }
  return S;
}

/* Entry (i, j) of the inverse of the tridiagonal matrix with 2 cosh(a) on its diagonal and -1 beside it. */
static double inverse_of_chain(int n, double a, int i, int j) {
  const double low = i < j ? i + 1.0 : j + 1.0, high = i < j ? n - j : n - i;
  if (a == 0.0) return low * high / (n + 1.0);
  return exp(-a * (n + 1.0 - low - high)) * (1.0 - exp(-2.0 * a * low)) * (1.0 - exp(-2.0 * a * high))
         / (2.0 * sinh(a) * (1.0 - exp(-2.0 * a * (n + 1.0))));
}

static void expect_inverse_tail(const prc_factor *L, int n, int n_tail, double a, double tolerance) {
  const prc_tail *tail = prc_factor_tail(L);
  double *row = NULL, *unit = NULL, *column = NULL;
  support_ok(prc_new(&row, n_tail, &err), &err);
  support_ok(prc_new(&unit, n_tail, &err), &err);
  support_ok(prc_new(&column, n_tail, &err), &err);
  for (int r = 0; r < n_tail; r++) {
    memset(row, 0, (size_t)n_tail * sizeof *row);
    prc_tail_add_row(tail, r, 1.0, row);
    unit[r] = 1.0;
    prc_tail_multiply(tail, unit, column);
    unit[r] = 0.0;
    for (int c = 0; c < n_tail; c++) {
      ck_assert_double_eq_tol(row[c], inverse_of_chain(n, a, n - n_tail + r, n - n_tail + c), tolerance);
      ck_assert(row[c] == column[c]);
    }
  }
  prc_delete(&row);
  prc_delete(&unit);
  prc_delete(&column);
}

/* Below and above the size from which the factor is made by supernodes; with an inverse that falls off slowly, which is kept
 * whole, and fast, of which only a band is above rounding. */
START_TEST(a_long_chain_with_a_large_tail_is_solved_in_closed_form) {
  const int n = _i % 2 ? 60000 : 20000, n_tail = 500;
  const double a = _i / 2 ? 1.0 : 0.0;
  prc_sym *S = chain(n, 2.0 * cosh(a));
  prc_factor *L = NULL;
  double *x = NULL, *b = NULL;
  support_ok(prc_factor_create(S, n_tail, &L, &err), &err);
  ck_assert_int_eq(prc_tail_is_sparse(prc_factor_tail(L)), a > 0.0);
  if (a > 0.0) /* e^-40 is below 2e-16 / 500 */
    ck_assert_uint_le(prc_tail_entries(prc_factor_tail(L)), (size_t)n_tail * 2 * 50);
  expect_inverse_tail(L, n, n_tail, a, a > 0.0 ? 4.0 * DBL_EPSILON : 1e-8 * n_tail);
  support_ok(prc_new(&x, n, &err), &err);
  support_ok(prc_new(&b, n, &err), &err);
  fill(b, n, 8);
  memcpy(x, b, (size_t)n * sizeof *x);
  prc_factor_solve(L, x);
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
    largest = fmax(largest, fabs(x[i]));
    b[i] -= 2.0 * cosh(a) * x[i] - left - right;
  }
  for (int i = 0; i < n; i++) ck_assert_double_le(fabs(b[i]), 64.0 * DBL_EPSILON * largest);
  prc_delete(&x);
  prc_delete(&b);
  prc_factor_free(&L);
  prc_sym_free(&S);
}
END_TEST

/* The five-point Laplacian on a square of m x m, whose last row is the tail, in the order that prc_order gives. */
static prc_sym *square(int m) {
  prc_sym *S = NULL, *P = NULL;
  int *part = calloc((size_t)m * (size_t)m, sizeof *part),
      *perm = calloc((size_t)m * (size_t)m, sizeof *perm);
  ck_assert(part && perm);
  support_ok(prc_sym_create(m * m, 3 * m * m - 2 * m, &S, &err), &err);
  for (int j = 0, k = 0; j < m * m; j++) {
    S->i[k] = j, S->x[k++] = 4.0;
    if ((j + 1) % m > 0) S->i[k] = j + 1, S->x[k++] = -1.0;
    if (j + m < m * m) S->i[k] = j + m, S->x[k++] = -1.0;
    S->p[j + 1] = k;
    part[j] = j >= m * m - m;
  }
  support_ok(prc_order(S, part, perm, NULL, &err), &err);
  support_ok(prc_sym_permute(S, perm, m * m, &P, &err), &err);
  prc_sym_free(&S);
  free(part), free(perm);
  return P;
}

/* 2, 3 or 7 threads against one, for a factor with and one without supernodes. */
START_TEST(threads_change_nothing_but_rounding) {
  static const int threads[] = {2, 3, 7};
  const int m = _i < 3 ? 150 : 230, n = m * m;
  prc_sym *S = square(m);
  prc_factor *alone = NULL, *shared = NULL;
  double *x = NULL, *y = NULL, *z = NULL, largest = 0.0;
  support_ok(prc_factor_create(S, m, &alone, &err), &err);
  support_ok(prc_factor_create(S, m, &shared, &err), &err);
  support_ok(prc_factor_share(shared, threads[_i % 3], &err), &err);
  support_ok(prc_new(&x, n, &err), &err);
  support_ok(prc_new(&y, n, &err), &err);
  support_ok(prc_new(&z, n, &err), &err);
  fill(x, n, 10);
  memcpy(y, x, (size_t)n * sizeof *y);
  memcpy(z, x, (size_t)n * sizeof *z);
  prc_factor_solve(alone, x);
  prc_factor_solve(shared, y);
  prc_factor_solve(shared, z);
  int apart = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n; i++) {
    ck_assert_double_le(fabs(x[i] - y[i]), 1e-12 * largest);
    ck_assert(y[i] == z[i]);
    apart += x[i] != y[i];
  }
  ck_assert_int_gt(apart, 0); /* they have shared it: sums came in another order */
  prc_delete(&x);
  prc_delete(&y);
  prc_delete(&z);
  prc_factor_free(&alone);
  prc_factor_free(&shared);
  prc_sym_free(&S);
}
END_TEST

/* The near field of a chain whose inverse falls off is short; of one whose inverse does not it is all of it. */
START_TEST(conjugate_gradients_need_no_factor) {
  const int n = 3000, n_tail = 7;
  const double a = _i ? 1.0 : 0.0, tolerance = 1e-13;
  prc_sym *S = chain(n, 2.0 * cosh(a));
  prc_iteration *it = NULL;
  double *x = NULL, *b = NULL, *zero = NULL, kick[7] = {0.0};
  int products = 0;
  support_ok(prc_iteration_create(S, n_tail, tolerance, 0.5, &it, &err), &err);
  ck_assert_int_eq(it != NULL, a > 0.0);
  if (!it) support_ok(prc_iteration_create(S, n_tail, tolerance, 1.0, &it, &err), &err);
  support_ok(prc_new(&x, n, &err), &err);
  support_ok(prc_new(&b, n, &err), &err);
  support_ok(prc_new(&zero, n, &err), &err);
  /* the effect of a pull on unknown n - 4 is that column of the inverse */
  prc_tail_add_row(prc_iteration_tail(it), 3, 1.0, kick);
  prc_iteration_spread(it, kick, x);
  for (int i = 0; i < n; i++)
    ck_assert_double_eq_tol(x[i], inverse_of_chain(n, a, i, n - 4), a > 0.0 ? 1e-16 : 1e-9);
  if (a
      > 0.0) { /* 2 cosh(1) +- 2 bound the eigenvalues: the error falls by (sqrt k - 1) / (sqrt k + 1) = e^-1 at least */
    fill(b, n, 9);
    memcpy(x, b, (size_t)n * sizeof *x);
    const int count = prc_iteration_solve(it, zero, x);
    ck_assert_int_ge(count, 20);
    ck_assert_int_le(count, 33); /* 13 ln 10 + ln 2 and the norms' ratio */
    support_ok(prc_iteration_trial(it, &products, &err), &err);
    ck_assert_int_le(products, 33);
    double rest = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
      const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0,
                   r = b[i] - 2.0 * cosh(a) * x[i] + left + right;
      rest += r * r, size += b[i] * b[i];
    }
    ck_assert_double_le(sqrt(rest), 4.0 * tolerance * sqrt(size));
    memcpy(zero, x, (size_t)n * sizeof *x);
    memcpy(x, b, (size_t)n * sizeof *x);
    ck_assert_int_le(prc_iteration_solve(it, zero, x), 1); /* from its own solution */
    x[5] = NAN;
    ck_assert_int_eq(prc_iteration_solve(it, zero, x), -1);
  }
  prc_delete(&x);
  prc_delete(&b);
  prc_delete(&zero);
  prc_iteration_free(&it);
  prc_sym_free(&S);
}
END_TEST

START_TEST(a_large_matrix_that_is_not_positive_definite_is_refused) {
  prc_sym *S = chain(60000, 2.0);
  prc_factor *L = NULL;
  S->x[S->p[40000]] = -2.0;
  support_fails(prc_factor_create(S, 10, &L, &err), PRC_SINGULAR, &err, "not positive definite");
  ck_assert_ptr_null(L);
  prc_sym_free(&S);
}
END_TEST

/* ---- SuiteSparse with functions of its own ----------------------------------------------------------------------- */

/* Blocks that malloc did not hand out: each stands behind its size and a mark. */
enum { BEFORE = 64 };
static const uint64_t mark = UINT64_C(0x6c6f646d6f686321);
static long n_own; /* blocks */

static void *own_malloc(size_t size) {
  char *block = malloc(size + BEFORE);
  if (!block) return NULL;
  memcpy(block, &mark, sizeof mark);
  memcpy(block + sizeof mark, &size, sizeof size);
  n_own++;
  return block + BEFORE;
}

static void own_free(void *at) {
  uint64_t found;
  if (!at) return;
  memcpy(&found, (char *)at - BEFORE, sizeof found);
  ck_assert_msg(found == mark, "a block that these functions did not hand out");
  n_own--;
  free((char *)at - BEFORE);
}

static void *own_calloc(size_t count, size_t size) {
  void *at = own_malloc(count * size);
  return at ? memset(at, 0, count * size) : NULL;
}

static void *own_realloc(void *at, size_t size) {
  size_t old = 0;
  void *moved = own_malloc(size);
  if (!moved) return NULL;
  if (at) memcpy(&old, (char *)at - BEFORE + sizeof mark, sizeof old);
  if (at) memcpy(moved, at, old < size ? old : size);
  own_free(at);
  return moved;
}

#if SUITESPARSE_MAIN_VERSION >= 6
static void allocate_by(void *(*allocate)(size_t), void *(*zeroed)(size_t, size_t),
                        void *(*again)(void *, size_t), void (*release)(void *)) {
  SuiteSparse_config_malloc_func_set(allocate);
  SuiteSparse_config_calloc_func_set(zeroed);
  SuiteSparse_config_realloc_func_set(again);
  SuiteSparse_config_free_func_set(release);
}
#else
static void allocate_by(void *(*allocate)(size_t), void *(*zeroed)(size_t, size_t),
                        void *(*again)(void *, size_t), void (*release)(void *)) {
  SuiteSparse_config.malloc_func = allocate;
  SuiteSparse_config.calloc_func = zeroed;
  SuiteSparse_config.realloc_func = again;
  SuiteSparse_config.free_func = release;
}
#endif

/* With and without supernodes: what SuiteSparse allocated goes back to it, and all of it. */
START_TEST(memory_of_suitesparse_goes_back_to_it) {
  const int n = _i ? 60000 : 2000;
  double *x = NULL;
  prc_sym *S = chain(n, 3.0);
  prc_factor *L = NULL;
  allocate_by(own_malloc, own_calloc, own_realloc, own_free);
  support_ok(prc_factor_create(S, 10, &L, &err), &err);
  ck_assert_int_eq(n_own > 0, n == 60000); /* the panels of supernodes stand in it */
  support_ok(prc_new(&x, n, &err), &err);
  prc_factor_solve(L, x);
  prc_factor_free(&L);
  ck_assert_int_eq(n_own, 0);
  allocate_by(malloc, calloc, realloc, free);
  prc_delete(&x);
  prc_sym_free(&S);
}
END_TEST

SUITE(large) {
  Suite *suite = suite_create("large");
  TCase *closed = tcase_create("closed forms"), *shared = tcase_create("threads");
  tcase_set_timeout(closed, 0);
  tcase_add_loop_test(closed, a_long_chain_with_a_large_tail_is_solved_in_closed_form, 0, 4);
  tcase_add_loop_test(closed, conjugate_gradients_need_no_factor, 0, 2);
  tcase_add_loop_test(closed, memory_of_suitesparse_goes_back_to_it, 0, 2);
  tcase_add_test(closed, a_large_matrix_that_is_not_positive_definite_is_refused);
  tcase_add_loop_test(shared, threads_change_nothing_but_rounding, 0, 6);
  suite_add_tcase(suite, closed);
  suite_add_tcase(suite, shared);
  return suite;
}
