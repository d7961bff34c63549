#include "config.h"
#include "support/support.h"
#include "linear/internal.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- dense reference ------------------------------------------------------------------------------------- */

enum { MOST = 60 }; /* unknowns of the small matrices */

typedef struct {
  int n;
  double a[MOST][MOST];
  char there[MOST][MOST]; /* the pattern, symmetric */
} dense;

static prc_error err;

/* Random symmetric positive definite matrices (strictly diagonally dominant) of several shapes. */
typedef enum { SPARSE, FULL, TRIDIAGONAL, NODES, PARTS, DIAGONAL, N_KINDS } kind;
static const int sizes[] = {0, 1, 2, 3, 4, 5, 9, 24, 60};
#define N_SIZES    ((int)(sizeof sizes / sizeof *sizes))
#define N_MATRICES (N_KINDS * N_SIZES)
#define kind_of(k) ((kind)((k) / N_SIZES))
#define n_of(k)    (sizes[(k) % N_SIZES])

static int coupled(kind shape, int i, int j, prc_random *r) {
  const double chance = prc_random_uniform(r, 0.0, 1.0);
  switch (shape) {
  case SPARSE:
    return chance < 0.15;
  case FULL:
    return 1;
  case TRIDIAGONAL:
    return abs(i - j) == 1;
  case NODES: /* a chain of nodes with two unknowns each */
    return abs(i / 2 - j / 2) <= 1;
  case PARTS: /* two bodies, their unknowns interleaved */
    return i % 2 == j % 2 && chance < 0.3;
  default:
    return 0;
  }
}

static void make(dense *A, kind shape, int n, uint64_t seed) {
  prc_random r = {seed};
  memset(A, 0, sizeof *A);
  A->n = n;
  for (int i = 0; i < n; i++) {
    A->there[i][i] = 1;
    for (int j = 0; j < i; j++)
      if (coupled(shape, i, j, &r)) {
        A->there[i][j] = A->there[j][i] = 1;
        A->a[i][j] = A->a[j][i] = prc_random_uniform(&r, -1.0, 1.0);
      }
  }
  for (int i = 0; i < n; i++) {
    double sum = prc_random_uniform(&r, 0.5, 1.5);
    for (int j = 0; j < n; j++) sum += fabs(A->a[i][j]);
    A->a[i][i] = sum;
  }
}

static prc_sym *pack(const dense *A) {
  prc_sym *S = NULL;
  int nnz = 0;
  for (int j = 0; j < A->n; j++)
    for (int i = j; i < A->n; i++) nnz += A->there[i][j];
  prc_error_clear(&err);
  support_ok(prc_sym_create(A->n, nnz, &S, &err), &err);
  nnz = 0;
  for (int j = 0; j < A->n; j++) {
    for (int i = j; i < A->n; i++)
      if (A->there[i][j]) S->i[nnz] = i, S->x[nnz++] = A->a[i][j];
    S->p[j + 1] = nnz;
  }
  return S;
}

/* S is a lower triangle in good order and equals the leading n x n block of A. */
static void expect_equal(const prc_sym *S, const dense *A, double tolerance) {
  ck_assert_int_eq(S->n, A->n);
  ck_assert_int_eq(S->p[0], 0);
  for (int j = 0; j < A->n; j++) {
    int k = S->p[j];
    ck_assert_int_gt(S->p[j + 1], k);
    for (int i = j; i < A->n; i++) {
      if (!A->there[i][j]) continue;
      ck_assert_int_lt(k, S->p[j + 1]);
      ck_assert_int_eq(S->i[k], i);
      ck_assert_double_le(fabs(S->x[k++] - A->a[i][j]), tolerance);
    }
    ck_assert_int_eq(k, S->p[j + 1]);
  }
}

static void fill(double *x, int n, uint64_t seed) {
  prc_random r = {seed};
  for (int i = 0; i < n; i++) x[i] = prc_random_uniform(&r, -1.0, 1.0);
}

static void times(const dense *A, const double *x, double *y) {
  for (int i = 0; i < A->n; i++) {
    y[i] = 0.0;
    for (int j = 0; j < A->n; j++) y[i] += A->a[i][j] * x[j];
  }
}

/* Gauss elimination with row exchanges: x := A^-1 x. */
static void eliminate(const dense *matrix, double *x) {
  static dense A;
  A = *matrix;
  for (int k = 0; k < A.n; k++) {
    int pivot = k;
    for (int i = k + 1; i < A.n; i++)
      if (fabs(A.a[i][k]) > fabs(A.a[pivot][k])) pivot = i;
    for (int j = 0; j < A.n; j++) {
      const double swap = A.a[k][j];
      A.a[k][j] = A.a[pivot][j], A.a[pivot][j] = swap;
    }
    const double swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    for (int i = k + 1; i < A.n; i++) {
      const double l = A.a[i][k] / A.a[k][k];
      for (int j = k; j < A.n; j++) A.a[i][j] -= l * A.a[k][j];
      x[i] -= l * x[k];
    }
  }
  for (int k = A.n - 1; k >= 0; k--) {
    for (int j = k + 1; j < A.n; j++) x[k] -= A.a[k][j] * x[j];
    x[k] /= A.a[k][k];
  }
}

/* the leading n x n block */
static dense leading(const dense *A, int n) {
  dense B = *A;
  B.n = n;
  return B;
}

static void expect_near(const double *x, const double *y, int n, double tolerance) {
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(x[i] - y[i]) <= tolerance, "entry %d of %d: %.17g is not %.17g", i, n, x[i], y[i]);
}

/* rounding in a sum of n products of numbers up to n (the largest diagonal) */
static double rounding(int n) {
  return 4.0 * (n + 1) * (n + 1) * DBL_EPSILON;
}

static void shuffle(int *list, int n, uint64_t seed) {
  prc_random r = {seed};
  for (int k = 0; k < n; k++) list[k] = k;
  for (int k = n - 1; k > 0; k--) {
    const int l = (int)prc_random_uniform(&r, 0.0, k + 1.0), swap = list[k];
    list[k] = list[l], list[l] = swap;
  }
}

/* ---- symmetric matrices ---------------------------------------------------------------------------------- */

START_TEST(products_and_forms_are_those_of_the_full_matrix) {
  dense A;
  double x[MOST], y[MOST], expected[MOST], got[MOST], form = 0.0;
  make(&A, kind_of(_i), n_of(_i), 11);
  fill(x, A.n, 1), fill(y, A.n, 2), fill(got, A.n, 3); /* the product is overwritten, not added to */
  prc_sym *S = pack(&A);
  times(&A, x, expected);
  prc_sym_multiply(S, x, got);
  expect_near(got, expected, A.n, rounding(A.n));
  for (int i = 0; i < A.n; i++) form += y[i] * expected[i];
  ck_assert_double_le(fabs(prc_sym_form(S, x, y) - form), A.n * rounding(A.n));
  ck_assert_double_le(fabs(prc_sym_form(S, y, x) - form), A.n * rounding(A.n));
  prc_sym_free(&S);
  ck_assert_ptr_null(S);
  prc_sym_free(&S);
}
END_TEST

START_TEST(panels_multiply_as_the_matrix_does) {
  dense A;
  double x[MOST], expected[MOST], got[MOST];
  prc_panels *P = NULL;
  make(&A, kind_of(_i), n_of(_i), 12);
  fill(x, A.n, 1), fill(got, A.n, 3);
  prc_sym *S = pack(&A);
  support_ok(prc_panels_create(S, &P, &err), &err);
  prc_sym_multiply(S, x, expected);
  prc_panels_multiply(P, x, got);
  expect_near(got, expected, A.n, rounding(A.n));
  prc_panels_free(&P);
  ck_assert_ptr_null(P);
  prc_panels_free(&P);
  prc_sym_free(&S);
}
END_TEST

/* So that the tests on panels meet every width. */
START_TEST(panels_join_columns_that_share_their_rows) {
  static const struct {
    kind shape;
    int n, n_panels, first[6];
  } expected[] = {{FULL, 11, 3, {0, 4, 8, 11}},
                  {FULL, 9, 3, {0, 4, 8, 9}},
                  {TRIDIAGONAL, 4, 3, {0, 1, 2, 4}}, /* the last column's rows are those of the one before */
                  {NODES, 8, 3, {0, 2, 4, 8}},       /* as are those of the last node */
                  {DIAGONAL, 3, 3, {0, 1, 2, 3}}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    dense A;
    prc_panels *P = NULL;
    make(&A, expected[k].shape, expected[k].n, 5);
    prc_sym *S = pack(&A);
    support_ok(prc_panels_create(S, &P, &err), &err);
    ck_assert_int_eq(P->n_panels, expected[k].n_panels);
    for (int l = 0; l <= P->n_panels; l++) ck_assert_int_eq(P->first[l], expected[k].first[l]);
    prc_panels_free(&P);
    prc_sym_free(&S);
  }
}
END_TEST

START_TEST(a_sum_lives_on_the_union_of_the_patterns) {
  dense A, B, C;
  prc_sym *sum = NULL;
  make(&A, kind_of(_i), n_of(_i), 13);
  make(&B, SPARSE, A.n, 14);
  C = A;
  for (int i = 0; i < A.n; i++)
    for (int j = 0; j < A.n; j++) {
      C.a[i][j] = 2.0 * A.a[i][j] - 0.5 * B.a[i][j];
      C.there[i][j] = A.there[i][j] || B.there[i][j];
    }
  prc_sym *SA = pack(&A), *SB = pack(&B);
  support_ok(prc_sym_add(2.0, SA, -0.5, SB, &sum, &err), &err);
  expect_equal(sum, &C, rounding(A.n));
  prc_sym_free(&sum);
  prc_sym_free(&SB);
  prc_sym_free(&SA);
}
END_TEST

START_TEST(one_matrix_alone_is_scaled) {
  dense A;
  prc_sym *scaled = NULL;
  make(&A, kind_of(_i), n_of(_i), 15);
  prc_sym *S = pack(&A);
  support_ok(prc_sym_add(-4.0, S, 1.0, NULL, &scaled, &err), &err);
  for (int i = 0; i < A.n; i++)
    for (int j = 0; j < A.n; j++) A.a[i][j] *= -4.0;
  expect_equal(scaled, &A, 0.0);
  ck_assert_int_eq(prc_sym_nnz(scaled), prc_sym_nnz(S));
  prc_sym_free(&scaled);
  prc_sym_free(&S);
}
END_TEST

static void expect_permuted(const dense *A, int n_keep) {
  static dense C;
  int perm[MOST] = {0};
  prc_sym *S = pack(A), *P = NULL;
  shuffle(perm, A->n, 16);
  memset(&C, 0, sizeof C);
  C.n = n_keep;
  for (int k = 0; k < n_keep; k++)
    for (int l = 0; l < n_keep; l++) {
      C.a[k][l] = A->a[perm[k]][perm[l]];
      C.there[k][l] = A->there[perm[k]][perm[l]];
    }
  support_ok(prc_sym_permute(S, perm, n_keep, &P, &err), &err);
  expect_equal(P, &C, 0.0);
  prc_sym_free(&P);
  prc_sym_free(&S);
}

START_TEST(a_permuted_matrix_has_the_same_entries_elsewhere) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 17);
  expect_permuted(&A, A.n);
}
END_TEST

START_TEST(keeping_fewer_unknowns_gives_the_block) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 18);
  expect_permuted(&A, 0);
  expect_permuted(&A, A.n / 2);
  expect_permuted(&A, A.n > 0 ? A.n - 1 : 0);
}
END_TEST

/* ---- orderings --------------------------------------------------------------------------------------------- */

/* parts: all interior, at random, no interior, a tail only, nothing to eliminate */
static void choose_parts(int *part, int n, int way) {
  prc_random r = {19};
  for (int i = 0; i < n; i++) {
    const int any = (int)prc_random_uniform(&r, 0.0, 3.0);
    part[i] = way == 0 ? 0 : way == 1 ? any : way == 2 ? 1 + any % 2 : way == 3 ? 1 : 2;
  }
}

static void expect_order(const dense *A, int way) {
  int part[MOST], perm[MOST] = {0}, again[MOST] = {0}, met[MOST] = {0};
  const char *method = NULL;
  prc_sym *S = pack(A);
  choose_parts(part, A->n, way);
  support_ok(prc_order(S, part, perm, &method, &err), &err);
  ck_assert_ptr_nonnull(method);
  for (int k = 0; k < A->n; k++) {
    ck_assert_int_ge(perm[k], 0);
    ck_assert_int_lt(perm[k], A->n);
    ck_assert_int_eq(met[perm[k]]++, 0);
    if (k > 0) ck_assert_int_le(part[perm[k - 1]], part[perm[k]]);
  }
  support_ok(prc_order(S, part, again, NULL, &err), &err);
  ck_assert_mem_eq(perm, again, sizeof perm);
  prc_sym_free(&S);
}

START_TEST(an_order_is_a_permutation_with_its_parts_in_order_and_the_same_each_time) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 20);
  for (int way = 0; way < 5; way++) expect_order(&A, way);
}
END_TEST

/* One unknown coupled with all others: eliminated first it fills everything, eliminated last it fills nothing. */
START_TEST(an_arrow_is_ordered_without_fill) {
  dense A;
  int part[MOST] = {0}, perm[MOST];
  prc_sym *P = NULL;
  prc_factor *L = NULL;
  make(&A, DIAGONAL, MOST, 21);
  for (int i = 1; i < MOST; i++) A.there[i][0] = A.there[0][i] = 1, A.a[i][0] = A.a[0][i] = 0.01;
  prc_sym *S = pack(&A);
  support_ok(prc_factor_create(S, 0, &L, &err), &err);
  ck_assert_uint_eq(prc_factor_nnz(L), MOST * (MOST + 1) / 2);
  prc_factor_free(&L);
  support_ok(prc_order(S, part, perm, NULL, &err), &err);
  support_ok(prc_sym_permute(S, perm, MOST, &P, &err), &err);
  support_ok(prc_factor_create(P, 0, &L, &err), &err);
  ck_assert_uint_eq(prc_factor_nnz(L), 2 * MOST - 1);
  prc_factor_free(&L);
  prc_sym_free(&P);
  prc_sym_free(&S);
}
END_TEST

/* Entries of the factor of S in an order by one of CHOLMOD's methods, or in the order it has. */
static double entries_by(int ordering, const prc_sym *S) {
  cholmod_common common;
  cholmod_sparse view = prc_cholmod_view(S);
  prc_cholmod_begin(&common);
  common.method[0].ordering = ordering;
  cholmod_factor *L = cholmod_analyze(&view, &common);
  ck_assert_ptr_nonnull(L);
  const double entries = common.lnz;
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return entries;
}

/* The five-point stencil on a grid of n x m points. */
static prc_sym *grid(int n, int m) {
  prc_sym *S = NULL;
  prc_error_clear(&err);
  support_ok(prc_sym_create(n * m, 3 * n * m - n - m, &S, &err), &err);
  for (int j = 0, k = 0; j < n * m; j++) {
    S->i[k] = j, S->x[k++] = 5.0;
    if (j % n + 1 < n) S->i[k] = j + 1, S->x[k++] = -1.0;
    if (j + n < n * m) S->i[k] = j + n, S->x[k++] = -1.0;
    S->p[j + 1] = k;
  }
  return S;
}

static int *order_of(const prc_sym *S, const char **method) {
  int *part = NULL, *perm = NULL;
  support_ok(prc_new(&part, S->n, &err), &err);
  support_ok(prc_new(&perm, S->n, &err), &err);
  for (int i = S->n - 40; i < S->n; i++) part[i] = 1;
  support_ok(prc_order(S, part, perm, method, &err), &err);
  prc_delete(&part);
  return perm;
}

static volatile sig_atomic_t asked, heard;

static void ask(int number) {
  (void)number;
  asked = asked + 1;
  kill(getpid(), SIGTERM);
}

static void hear(int number) {
  (void)number;
  heard = heard + 1;
}

/* METIS takes SIGTERM for itself and begins rand() anew; who calls us sees neither, and the order is the same. */
START_TEST(an_order_leaves_signals_and_random_numbers_alone) {
  const struct itimerval often = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
  const char *method = NULL;
  prc_sym *S = grid(130, 130);
  int *quiet = order_of(S, &method), numbers[2];
  ck_assert_ptr_nonnull(strstr(method, "METIS"));
  srand(7);
  for (int k = 0; k < 2; k++) numbers[k] = rand();
  srand(7);
  ck_assert_int_eq(rand(), numbers[0]);
  signal(SIGALRM, ask), signal(SIGTERM, hear);
  setitimer(ITIMER_REAL, &often, NULL);
  int *disturbed = order_of(S, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  ck_assert_int_gt(asked, 0);
  ck_assert_int_eq(heard, asked);
  ck_assert(signal(SIGTERM, SIG_DFL) == hear);
  signal(SIGALRM, SIG_DFL);
  ck_assert_int_eq(rand(), numbers[1]);
  ck_assert_mem_eq(disturbed, quiet, (size_t)S->n * sizeof *quiet);
  prc_delete(&quiet);
  prc_delete(&disturbed);
  prc_sym_free(&S);
}
END_TEST

/* Nothing to dissect, and nodes of so many unknowns that nothing else can be ordered. */
START_TEST(what_cannot_be_dissected_is_ordered) {
  prc_sym *diagonal = NULL, *S = NULL, *full = NULL;
  support_ok(prc_sym_create(500, 500, &diagonal, &err), &err);
  for (int j = 0; j < 500; j++) diagonal->p[j + 1] = j + 1, diagonal->i[j] = j, diagonal->x[j] = 1.0;
  support_ok(prc_sym_create(200, 200 * 201 / 2, &full, &err), &err);
  for (int j = 0, k = 0; j < 200; j++) {
    for (int i = j; i < 200; i++) full->i[k] = i, full->x[k++] = i == j ? 300.0 : 1.0;
    full->p[j + 1] = k;
  }
  S = grid(10, 11);
  prc_sym *const all[] = {diagonal, full, S};
  for (int k = 0; k < 3; k++) {
    const char *method = NULL;
    int *perm = order_of(all[k], &method);
    char seen[500] = {0};
    ck_assert_ptr_null(strstr(method, "METIS"));
    for (int i = 0; i < all[k]->n; i++) ck_assert(!seen[perm[i]]++);
    for (int i = all[k]->n - 40; i < all[k]->n; i++) ck_assert_int_ge(perm[i], all[k]->n - 40);
    prc_delete(&perm);
  }
  prc_sym_free(&diagonal);
  prc_sym_free(&full);
  prc_sym_free(&S);
}
END_TEST

/* Which of the methods is best differs: METIS on the square, minimum degree on the strip. */
START_TEST(no_single_method_gives_a_sparser_factor) {
  static const int size[][2] = {{7, 200}, {60, 60}, {90, 90}, {30, 45}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    const int n = size[k][0] * size[k][1];
    int *part = NULL, *perm = NULL;
    prc_sym *S = grid(size[k][0], size[k][1]), *P = NULL;
    support_ok(prc_new(&part, n, &err), &err);
    support_ok(prc_new(&perm, n, &err), &err);
    support_ok(prc_order(S, part, perm, NULL, &err), &err);
    support_ok(prc_sym_permute(S, perm, n, &P, &err), &err);
    const double entries = entries_by(CHOLMOD_NATURAL, P);
    ck_assert_double_le(entries, entries_by(CHOLMOD_AMD, S));
    ck_assert_double_le(entries, entries_by(CHOLMOD_METIS, S));
    prc_sym_free(&P);
    prc_sym_free(&S);
    prc_delete(&part);
    prc_delete(&perm);
  }
}
END_TEST

/* ---- the factor -------------------------------------------------------------------------------------------- */

static prc_factor *factorise(const dense *A, int n_tail) {
  prc_factor *L = NULL;
  prc_sym *S = pack(A);
  support_ok(prc_factor_create(S, n_tail, &L, &err), &err);
  prc_sym_free(&S);
  return L;
}

static int tail_of(int n, int which) { /* 0, 1, some, half, all but one, all */
  const int tails[6] = {0, 1, n / 3, n / 2, n - 1, n};
  return tails[which] < 0 ? 0 : tails[which] > n ? n : tails[which];
}

START_TEST(solving_inverts_the_matrix) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 22);
  for (int which = 0; which < 6; which++) {
    double x[MOST], b[MOST], again[MOST];
    prc_factor *L = factorise(&A, tail_of(A.n, which));
    fill(x, A.n, 4);
    times(&A, x, b);
    memcpy(again, b, sizeof b);
    prc_factor_solve(L, b);
    expect_near(b, x, A.n, 10.0 * rounding(A.n));
    prc_factor_solve(L, again); /* nothing is left over from one solve to the next */
    ck_assert_mem_eq(again, b, (size_t)A.n * sizeof *b);
    prc_factor_free(&L);
    ck_assert_ptr_null(L);
    prc_factor_free(&L);
  }
}
END_TEST

/* (A^-1)_tt is the inverse of the Schur complement A_tt - A_tl A_ll^-1 A_lt. */
START_TEST(the_inverse_tail_is_the_tail_of_the_inverse) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 23);
  for (int which = 0; which < 6; which++) {
    const int n_tail = tail_of(A.n, which), n_lead = A.n - n_tail;
    prc_factor *L = factorise(&A, n_tail);
    double T[MOST * MOST] = {0.0};
    for (int r = 0; r < n_tail; r++) prc_tail_add_row(prc_factor_tail(L), r, 1.0, T + r * n_tail);
    for (int c = 0; c < n_tail; c++) {
      double column[MOST] = {0.0};
      column[n_lead + c] = 1.0;
      eliminate(&A, column);
      for (int r = 0; r < n_tail; r++) {
        ck_assert_double_le(fabs(T[r * n_tail + c] - column[n_lead + r]), 10.0 * rounding(A.n));
        ck_assert_double_eq(T[r * n_tail + c], T[c * n_tail + r]);
      }
    }
    prc_factor_free(&L);
  }
}
END_TEST

START_TEST(forward_leaves_the_condensed_right_hand_side_in_the_tail) {
  dense A;
  make(&A, kind_of(_i), n_of(_i), 24);
  for (int which = 0; which < 6; which++) {
    const int n_tail = tail_of(A.n, which), n_lead = A.n - n_tail;
    const dense lead = leading(&A, n_lead);
    double b[MOST], x[MOST], expected[MOST];
    prc_factor *L = factorise(&A, n_tail);
    fill(b, A.n, 5);
    memcpy(x, b, sizeof b);
    memcpy(expected, b, sizeof b);
    eliminate(&lead, x); /* A_ll^-1 b_l */
    for (int i = n_lead; i < A.n; i++)
      for (int j = 0; j < n_lead; j++) expected[i] -= A.a[i][j] * x[j];
    prc_factor_forward(L, b);
    expect_near(b + n_lead, expected + n_lead, n_tail, 10.0 * rounding(A.n));
    prc_factor_free(&L);
  }
}
END_TEST

START_TEST(backward_takes_any_tail) { /* x_l = A_ll^-1 (b_l - A_lt x_t) whatever x_t is; x_t stays */
  dense A;
  make(&A, kind_of(_i), n_of(_i), 25);
  for (int which = 0; which < 6; which++) {
    const int n_tail = tail_of(A.n, which), n_lead = A.n - n_tail;
    const dense lead = leading(&A, n_lead);
    double b[MOST], tail[MOST], expected[MOST];
    prc_factor *L = factorise(&A, n_tail);
    fill(b, A.n, 6), fill(tail, n_tail, 7);
    for (int i = 0; i < n_lead; i++) {
      expected[i] = b[i];
      for (int c = 0; c < n_tail; c++) expected[i] -= A.a[i][n_lead + c] * tail[c];
    }
    eliminate(&lead, expected);
    prc_factor_forward(L, b);
    for (int c = 0; c < n_tail; c++) b[n_lead + c] = expected[n_lead + c] = tail[c];
    prc_factor_backward(L, b);
    expect_near(b, expected, n_lead, 10.0 * rounding(A.n));
    for (int c = 0; c < n_tail; c++) ck_assert_double_eq(b[n_lead + c], tail[c]);
    prc_factor_free(&L);
  }
}
END_TEST

START_TEST(the_factor_has_no_more_entries_than_it_needs) {
  static const struct {
    kind shape;
    size_t nnz;
  } expected[] = {{DIAGONAL, 24}, {TRIDIAGONAL, 47}, {NODES, 24 + 12 + 4 * 11}, {FULL, 300}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    dense A;
    make(&A, expected[k].shape, 24, 26);
    prc_factor *L = factorise(&A, 8);
    ck_assert_uint_eq(prc_factor_nnz(L), expected[k].nnz);
    prc_factor_free(&L);
  }
}
END_TEST

/* (1 c; c 1) has the pivots 1 and 1 - c^2, whatever is diagonal beside it. */
START_TEST(the_weakest_pivot_tells_how_close_a_matrix_is_to_singular) {
  static const double c[] = {0.0, 0.5, 0.999, 1.0 - 1e-9};
  for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
    dense A;
    make(&A, DIAGONAL, 6, 30);
    A.there[4][1] = A.there[1][4] = 1;
    A.a[1][1] = A.a[4][4] = 1.0, A.a[4][1] = A.a[1][4] = c[k];
    for (int n_tail = 0; n_tail <= 6; n_tail += 3) {
      prc_factor *L = factorise(&A, n_tail);
      ck_assert_double_eq_tol(prc_factor_weakest_pivot(L), 1.0 - c[k] * c[k], 1e-15);
      prc_factor_free(&L);
    }
  }
  dense none;
  make(&none, DIAGONAL, 0, 30);
  prc_factor *L = factorise(&none, 0);
  ck_assert_double_eq(prc_factor_weakest_pivot(L), 1.0);
  prc_factor_free(&L);
}
END_TEST

/* a pivot that is negative or zero, in the interior, in the tail and at the end */
START_TEST(a_matrix_that_is_not_positive_definite_is_refused_by_its_unknown) {
  static const int at[] = {0, 3, 7, 9};
  static const double pivot[] = {-1.0, 0.0};
  for (int k = 0; k < 8; k++) {
    dense A;
    char text[64];
    prc_factor *L = NULL;
    make(&A, DIAGONAL, 10, 27);
    A.a[at[k / 2]][at[k / 2]] = pivot[k % 2];
    prc_sym *S = pack(&A);
    snprintf(text, sizeof text, "not positive definite (unknown %d of 10)", at[k / 2]);
    support_fails(prc_factor_create(S, 4, &L, &err), PRC_SINGULAR, &err, text);
    ck_assert_ptr_null(L);
    prc_sym_free(&S);
  }
}
END_TEST

/* (1 2; 2 1) has a positive diagonal and the eigenvalue -1 */
START_TEST(an_indefinite_matrix_is_found_behind_a_positive_diagonal) {
  dense A;
  make(&A, DIAGONAL, 6, 28);
  A.there[5][2] = A.there[2][5] = 1;
  A.a[2][2] = A.a[5][5] = 1.0, A.a[5][2] = A.a[2][5] = 2.0;
  for (int n_tail = 0; n_tail <= 6; n_tail++) {
    prc_factor *L = NULL;
    prc_sym *S = pack(&A);
    support_fails(prc_factor_create(S, n_tail, &L, &err), PRC_SINGULAR, &err, "(unknown 5 of 6)");
    prc_sym_free(&S);
  }
}
END_TEST

/* ---- dense --------------------------------------------------------------------------------------------------- */

START_TEST(a_dense_product_is_added_row_by_row) {
  const double A[2][3] = {{1.0, 2.0, 3.0}, {-4.0, 5.0, 6.0}}, x[3] = {1.0, 10.0, 100.0};
  double y[2] = {7.0, -7.0};
  prc_dense_multiply_add(2, 3, 2.0, A[0], x, y);
  ck_assert_double_eq(y[0], 7.0 + 2.0 * 321.0);
  ck_assert_double_eq(y[1], -7.0 + 2.0 * 646.0);
  prc_dense_multiply_add(0, 3, 2.0, A[0], x, y);
  prc_dense_multiply_add(2, 0, 2.0, A[0], x, y);
  ck_assert_double_eq(y[0], 649.0);
}
END_TEST

START_TEST(a_dense_system_that_is_not_symmetric_is_solved) {
  static const int counts[] = {0, 1, 2, 3, 7, 20, 50};
  const int n = counts[_i];
  double A[MOST * MOST], x[MOST], b[MOST];
  int pivots[MOST];
  fill(A, n * n, 9), fill(x, n, 10);
  for (int i = 0; i < n; i++) {
    A[i * n + (i + 1) % n] += 3.0 * n; /* the large entries are off the diagonal: rows must be exchanged */
    b[i] = 0.0;
    for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
  }
  ck_assert_int_eq(prc_dense_solve(n, A, pivots, b), PRC_OK);
  expect_near(b, x, n, 10.0 * rounding(n));
}
END_TEST

START_TEST(a_singular_dense_system_is_refused) {
  double A[9] = {1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, 1.0}, zero[1] = {0.0}, x[3] = {1.0, 1.0, 1.0};
  int pivots[3];
  ck_assert_int_eq(prc_dense_solve(3, A, pivots, x), PRC_SINGULAR);
  ck_assert_int_eq(prc_dense_solve(1, zero, pivots, x), PRC_SINGULAR);
}
END_TEST

SUITE(linear) {
  Suite *suite = suite_create("linear");
  TCase *sym = tcase_create("sym"), *order = tcase_create("order"), *factor = tcase_create("factor"),
        *small = tcase_create("dense");
  prc_dense_single_thread();
  tcase_add_loop_test(sym, products_and_forms_are_those_of_the_full_matrix, 0, N_MATRICES);
  tcase_add_loop_test(sym, panels_multiply_as_the_matrix_does, 0, N_MATRICES);
  tcase_add_test(sym, panels_join_columns_that_share_their_rows);
  tcase_add_loop_test(sym, a_sum_lives_on_the_union_of_the_patterns, 0, N_MATRICES);
  tcase_add_loop_test(sym, one_matrix_alone_is_scaled, 0, N_MATRICES);
  tcase_add_loop_test(sym, a_permuted_matrix_has_the_same_entries_elsewhere, 0, N_MATRICES);
  tcase_add_loop_test(sym, keeping_fewer_unknowns_gives_the_block, 0, N_MATRICES);
  tcase_add_loop_test(order, an_order_is_a_permutation_with_its_parts_in_order_and_the_same_each_time, 0,
                      N_MATRICES);
  tcase_add_test(order, an_arrow_is_ordered_without_fill);
  tcase_add_test(order, an_order_leaves_signals_and_random_numbers_alone);
  tcase_add_test(order, what_cannot_be_dissected_is_ordered);
  tcase_add_test(order, no_single_method_gives_a_sparser_factor);
  tcase_add_loop_test(factor, solving_inverts_the_matrix, 0, N_MATRICES);
  tcase_add_loop_test(factor, the_inverse_tail_is_the_tail_of_the_inverse, 0, N_MATRICES);
  tcase_add_loop_test(factor, forward_leaves_the_condensed_right_hand_side_in_the_tail, 0, N_MATRICES);
  tcase_add_loop_test(factor, backward_takes_any_tail, 0, N_MATRICES);
  tcase_add_test(factor, the_factor_has_no_more_entries_than_it_needs);
  tcase_add_test(factor, the_weakest_pivot_tells_how_close_a_matrix_is_to_singular);
  tcase_add_test(factor, a_matrix_that_is_not_positive_definite_is_refused_by_its_unknown);
  tcase_add_test(factor, an_indefinite_matrix_is_found_behind_a_positive_diagonal);
  tcase_add_test(small, a_dense_product_is_added_row_by_row);
  tcase_add_loop_test(small, a_dense_system_that_is_not_symmetric_is_solved, 0, 7);
  tcase_add_test(small, a_singular_dense_system_is_refused);
  suite_add_tcase(suite, sym);
  suite_add_tcase(suite, order);
  suite_add_tcase(suite, factor);
  suite_add_tcase(suite, small);
  return suite;
}
