/* A^-1 between the unknowns that contacts touch, kept where it counts; and which row of the table auto takes. */
#include "config.h"
#include "support/support.h"
#include "linear/operator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static const char *const names[] = {"direct", "iterative", "umfpack"};
enum { N_NAMES = 3 };

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

/* How far unknowns see each other. */
typedef enum {
  FAR,    /* a chain whose inverse falls off slowly: all entries count */
  NEAR,   /* a band of three whose inverse falls off by a factor of ten or so */
  BODIES, /* dense bodies of 1 to 30 unknowns, independent, their unknowns shuffled */
  ALONE,  /* a diagonal */
  N_KINDS
} kind;

typedef struct {
  int n;
  double *a;          /* n x n */
  long double *x, *b; /* its inverse; workspace */
  char *part;
} matrix;

static void discard(matrix *A) {
  free(A->a), free(A->x), free(A->b), free(A->part);
}

static double coupling(kind k, int i, int j, const int *body, prc_random *r) {
  switch (k) {
  case FAR:
    return abs(i - j) == 1 ? -1.0 : 0.0;
  case NEAR:
    return abs(i - j) <= 3 ? prc_random_uniform(r, -1.0, 1.0) : 0.0;
  case BODIES:
    return body[i] == body[j] ? prc_random_uniform(r, 0.5, 1.0) : 0.0;
  default:
    return 0.0;
  }
}

/* body[i]: which one the unknown is of */
static int *make_bodies(int n, prc_random *r) {
  int *body = calloc((size_t)n, sizeof *body);
  ck_assert_ptr_nonnull(body);
  for (int i = 0, number = 0; i < n; number++)
    for (int left = 1 + (int)prc_random_uniform(r, 0.0, 30.0); left > 0 && i < n; left--) body[i++] = number;
  for (int i = n - 1; i > 0; i--) {
    const int other = (int)prc_random_uniform(r, 0.0, i + 1.0), swap = body[i];
    body[i] = body[other], body[other] = swap;
  }
  return body;
}

static void fill(matrix *A, kind k, uint64_t seed) {
  const int n = A->n;
  prc_random r = {seed};
  int *body = make_bodies(n, &r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      A->a[i * n + j] = A->a[j * n + i] = i == j ? 0.0 : coupling(k, i, j, body, &r);
  for (int i = 0; i < n; i++) {
    double sum = k == FAR ? 1e-9 : k == NEAR ? 10.0 : 1.0;
    for (int j = 0; j < n; j++) sum += j == i ? 0.0 : fabs(A->a[i * n + j]);
    A->a[i * n + i] = k == FAR ? 2.0 : sum;
  }
  free(body);
}

/* x := A^-1 by Gauss-Jordan elimination without exchanges */
static void invert(matrix *A) {
  const int n = A->n;
  for (int i = 0; i < n * n; i++) A->b[i] = A->a[i], A->x[i] = i % (n + 1) == 0 ? 1.0L : 0.0L;
  for (int k = 0; k < n; k++) {
    const long double pivot = A->b[k * n + k];
    for (int j = 0; j < n; j++) A->b[k * n + j] /= pivot, A->x[k * n + j] /= pivot;
    for (int i = 0; i < n; i++) {
      const long double l = A->b[i * n + k];
      if (i == k || l == 0.0L) continue;
      for (int j = 0; j < n; j++)
        A->b[i * n + j] -= l * A->b[k * n + j], A->x[i * n + j] -= l * A->x[k * n + j];
    }
  }
}

static matrix make(kind k, int n, uint64_t seed) {
  const size_t entries = (size_t)n * (size_t)n;
  matrix A = {.n = n,
              .a = calloc(entries, sizeof *A.a),
              .x = calloc(entries, sizeof *A.x),
              .b = calloc(entries, sizeof *A.b),
              .part = calloc((size_t)n, 1)};
  ck_assert(A.a && A.x && A.b && A.part);
  prc_error_clear(&err);
  fill(&A, k, seed);
  invert(&A);
  return A;
}

static prc_sym *pack(const matrix *A) {
  prc_sym *S = NULL;
  int nnz = 0;
  for (int j = 0; j < A->n; j++)
    for (int i = j; i < A->n; i++) nnz += A->a[i * A->n + j] != 0.0;
  support_ok(prc_sym_create(A->n, nnz, &S, &err), &err);
  nnz = 0;
  for (int j = 0; j < A->n; j++) {
    for (int i = j; i < A->n; i++)
      if (A->a[i * A->n + j] != 0.0) S->i[nnz] = i, S->x[nnz++] = A->a[i * A->n + j];
    S->p[j + 1] = nnz;
  }
  return S;
}

static prc_operator *create(const char *name, const matrix *A, int may_change) {
  prc_operator *op = NULL;
  prc_sym *S = pack(A);
  const prc_operator_plan plan = {
      .part = A->part, .tolerance = 1e-15, .has_mass = 1, .threads = 1, .may_change = may_change};
  support_ok(prc_operator_create(name, S, &plan, &op, &err), &err);
  prc_sym_free(&S);
  return op;
}

/* ---- what is kept ------------------------------------------------------------------------------------------------------ */

/* Contacts of one unknown each: W is A^-1. All of it is near what is expected against sqrt(A^-1_ii A^-1_jj), and by blocks has what is
 * not zero in it. */
static void expect_inverse(prc_operator *op, const matrix *A, double tolerance) {
  const int n = A->n, sparse = prc_operator_is_sparse(op);
  int *unit = calloc((size_t)n + 1, sizeof *unit), *dof = calloc((size_t)n, sizeof *dof), m = 0;
  double *one = calloc((size_t)n, sizeof *one), *W = calloc((size_t)n * (size_t)n, sizeof *W);
  prc_block_matrix B = {0};
  ck_assert(unit && dof && one && W);
  for (int i = 0; i < n; i++) {
    unit[i + 1] = i + 1, one[i] = 1.0;
    if (A->part[i] == 1) dof[m++] = i;
  }
  const prc_rows H = {.n = m, .dim = 1, .start = unit, .dof = dof, .x = one};
  prc_operator_condense_dense(op, &H, m, NULL, 1.0, W);
  support_ok(prc_operator_condense_blocks(op, &H, m, NULL, 1.0, &B, &err), &err);
  for (int i = 0; i < m; i++) {
    int at = B.blocks.row_start[i];
    for (int j = 0; j < m; j++) {
      const long double expected = A->x[dof[i] * n + dof[j]],
                        size = sqrtl(A->x[dof[i] * n + dof[i]] * A->x[dof[j] * n + dof[j]]);
      const int there = at < B.blocks.row_start[i + 1] && B.blocks.column[at] == j;
      /* assertions cost more than what is asserted */
      if (!(fabsl(W[i * m + j] - expected) <= tolerance * size))
        ck_abort_msg("(%d, %d): %.17g is not %.17Lg", i, j, W[i * m + j], expected);
      if (W[i * m + j] != W[j * m + i] || W[i * m + j] != (there ? B.blocks.values[at] : 0.0))
        ck_abort_msg("(%d, %d): %.17g is %.17g on the other side, or another by blocks", i, j, W[i * m + j],
                     W[j * m + i]);
      if (!there && sparse && !(fabsl(expected) <= 2.0 * DBL_EPSILON / m * size))
        ck_abort_msg("(%d, %d): %.17Lg is left out", i, j, expected);
      at += there;
    }
    ck_assert_int_eq(at, B.blocks.row_start[i + 1]);
  }
  if (sparse) ck_assert_int_le(B.blocks.row_start[m], m * m / 4);
  prc_block_matrix_free(&B);
  free(unit), free(dof), free(one), free(W);
}

/* All unknowns touched, or all but every seventh. */
START_TEST(an_inverse_is_kept_where_it_counts) {
  const kind k = (kind)(_i % N_KINDS);
  matrix A = make(k, 300, (uint64_t)_i);
  for (int i = 0; i < A.n; i++) A.part[i] = (char)(_i < N_KINDS || i % 7 > 0);
  const double tolerance = k == FAR ? 1e-11 : 2e-15; /* the condition of the slow chain is ten thousand */
  for (int row = 0; row < N_NAMES; row++) {
    prc_operator *op = create(names[row], &A, 0);
    ck_assert_int_eq(prc_operator_is_sparse(op), k != FAR);
    expect_inverse(op, &A, tolerance);
    prc_operator_free(&op);
  }
  discard(&A);
}
END_TEST

/* Below 128 unknowns all is kept. */
START_TEST(few_unknowns_are_kept_whole) {
  for (int n = 127; n <= 128; n++) {
    matrix A = make((kind)_i, n, 3);
    memset(A.part, 1, (size_t)n);
    for (int row = 0; row < N_NAMES; row++) {
      prc_operator *op = create(names[row], &A, 0);
      if (n == 127 || _i != NEAR) ck_assert_int_eq(prc_operator_is_sparse(op), n == 128 && _i != FAR);
      expect_inverse(op, &A, _i == FAR ? 1e-11 : 2e-15);
      prc_operator_free(&op);
    }
    discard(&A);
  }
}
END_TEST

/* New values may make the inverse fall off, and another time not. */
START_TEST(new_values_decide_anew) {
  matrix A = make(FAR, 200, 5);
  memset(A.part, 1, (size_t)A.n);
  prc_operator *op = create(names[_i], &A, 1);
  for (int times = 0; times < 4; times++) {
    for (int i = 0; i < A.n; i++) A.a[i * A.n + i] = times % 2 ? 2.0 : 20.0;
    invert(&A);
    prc_sym *S = pack(&A);
    support_ok(prc_operator_set(op, S, &err), &err);
    prc_sym_free(&S);
    ck_assert_int_eq(prc_operator_is_sparse(op), times % 2 == 0);
    expect_inverse(op, &A, times % 2 ? 1e-11 : 2e-15);
  }
  prc_operator_free(&op);
  discard(&A);
}
END_TEST

/* ---- many bodies ------------------------------------------------------------------------------------------------------------- */

/* Bodies of three unknowns each, dense among themselves; contact c touches bodies c and c + 1. */
static prc_sym *bodies(int n) {
  prc_sym *S = NULL;
  support_ok(prc_sym_create(3 * n, 6 * n, &S, &err), &err);
  for (int j = 0, k = 0; j < 3 * n; j++) {
    for (int i = j; i < 3 * (j / 3) + 3; i++)
      S->i[k] = i, S->x[k++] = i == j ? 4.0 + j % 3 : 1.0 / (1 + i % 3);
    S->p[j + 1] = k;
  }
  return S;
}

/* Fewer by umfpack, which takes long; as many as by the others with PRC_LONG=1. */
START_TEST(many_bodies_give_few_blocks) {
  const int n = _i < 2 || support_whole() ? 5000 : 1000;
  prc_sym *S = bodies(n);
  char *part = malloc(3 * (size_t)n);
  int *start = calloc((size_t)n, sizeof *start), *dof = calloc(6 * (size_t)n, sizeof *dof);
  double *x = calloc(12 * (size_t)n, sizeof *x);
  const prc_operator_plan plan = {.part = part, .tolerance = 1e-15, .has_mass = 1, .threads = 1};
  const prc_rows H = {.n = n - 1, .dim = 2, .start = start, .dof = dof, .x = x};
  prc_operator *op = NULL;
  prc_block_matrix W = {0};
  double one[36];
  prc_random r = {19};
  ck_assert(part && start && dof && x);
  memset(part, 1, 3 * (size_t)n);
  for (int c = 0; c < n - 1; c++) {
    start[c + 1] = 6 * (c + 1);
    for (int d = 0; d < 6; d++) dof[6 * c + d] = 3 * c + d;
  }
  for (int k = 0; k < 12 * (n - 1); k++) x[k] = prc_random_uniform(&r, -1.0, 1.0);
  support_ok(prc_operator_create(names[_i], S, &plan, &op, &err), &err);
  ck_assert_int_eq(prc_operator_is_sparse(op), 1);
  ck_assert_uint_le(prc_operator_get_facts(op).bytes, 1000 * (size_t)n);
  support_ok(prc_operator_condense_blocks(op, &H, n - 1, NULL, 1.0, &W, &err), &err);
  ck_assert_int_eq(W.blocks.row_start[n - 1], 3 * (n - 1) - 2);
  for (int c = 1; c < n - 3; c += 97) { /* the blocks of three neighbours, from W made dense of these alone */
    const int list[3] = {c, c + 1, c + 2};
    prc_operator_condense_dense(op, &H, 3, list, 1.0, one);
    for (int a = 0; a < 2; a++)
      for (int k = 0; k < 4; k++)
        ck_assert(W.blocks.values[4 * (W.blocks.row_start[c] + 1 + a) + k]
                  == one[6 * (k / 2) + 2 * a + k % 2]);
  }
  prc_block_matrix_free(&W);
  prc_operator_free(&op);
  prc_sym_free(&S);
  free(part), free(start), free(dof), free(x);
}
END_TEST

/* ---- auto ------------------------------------------------------------------------------------------------------------------------ */

/* The seven-point Laplacian on a plate of m x m x 4 with this diagonal. */
static prc_sym *plate(int m, double diagonal) {
  prc_sym *S = NULL;
  const int n = 4 * m * m, step[] = {1, 4, 4 * m};
  support_ok(prc_sym_create(n, 4 * n, &S, &err), &err);
  for (int j = 0, k = 0; j < n; j++) {
    const int at[] = {j % 4, j / 4 % m, j / 4 / m}, end[] = {4, m, m};
    S->i[k] = j, S->x[k++] = diagonal;
    for (int d = 0; d < 3; d++)
      if (at[d] + 1 < end[d]) S->i[k] = j + step[d], S->x[k++] = -1.0;
    S->p[j + 1] = k;
  }
  return S;
}

/* A large factor against four products, against a hundred, without mass, and with few unknowns; begin and finish of what was taken. */
START_TEST(auto_takes_what_moves_fewer_bytes) {
  static const struct {
    int m, has_mass;
    double diagonal;
    const char *taken;
  } cases[] = {
      {165, 1, 1e5, "iterative"}, {165, 1, 6.1, "direct"}, {165, 0, 1e5, "direct"}, {15, 1, 1e5, "direct"}};
  const int m = cases[_i].m, n = 4 * m * m;
  prc_sym *S = plate(m, cases[_i].diagonal);
  char *part = calloc((size_t)n, 1);
  double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
  prc_operator *op = NULL;
  ck_assert(part && x && y);
  for (int i = 0; i < m; i++) part[i] = 1;
  const prc_operator_plan plan = {
      .part = part, .tolerance = 1e-13, .has_mass = cases[_i].has_mass, .threads = 1, .may_change = 1};
  support_ok(prc_operator_create("auto", S, &plan, &op, &err), &err);
  const prc_operator_facts facts = prc_operator_get_facts(op);
  ck_assert_str_eq(facts.name, cases[_i].taken);
  ck_assert_int_eq(facts.traffic_factor > 0.0, n > 100000);
  ck_assert_int_eq(facts.traffic_iteration > 0.0, n > 100000 && cases[_i].has_mass);
  ck_assert_uint_gt(facts.entries, (size_t)n);
  for (int times = 0; times < 2; times++) { /* and with other numbers */
    for (int i = 0; i < n; i++) x[i] = sin(i);
    support_ok(prc_operator_begin(op, NULL, x, &err), &err);
    prc_operator_finish(op, NULL, 0, NULL, 1.0, NULL, x);
    prc_sym_multiply(S, x, y);
    for (int i = 0; i < n; i++)
      if (!(fabs(y[i] - sin(i)) <= 1e-10)) ck_abort_msg("unknown %d: %.17g", i, y[i]);
    for (int k = 0; k < prc_sym_nnz(S); k++) S->x[k] *= S->x[k] > 0.0 ? 1.01 : 1.0;
    support_ok(prc_operator_set(op, S, &err), &err);
  }
  prc_operator_free(&op);
  prc_sym_free(&S);
  free(part), free(x), free(y);
}
END_TEST

SUITE(inverse) {
  Suite *suite = suite_create("inverse");
  TCase *kept = tcase_create("kept"), *table = tcase_create("auto");
  prc_dense_single_thread();
  tcase_add_loop_test(kept, an_inverse_is_kept_where_it_counts, 0, 2 * N_KINDS);
  tcase_add_loop_test(kept, few_unknowns_are_kept_whole, 0, N_KINDS);
  tcase_add_loop_test(kept, new_values_decide_anew, 0, N_NAMES);
  tcase_add_loop_test(kept, many_bodies_give_few_blocks, 0, N_NAMES);
  tcase_add_loop_test(table, auto_takes_what_moves_fewer_bytes, 0, 4);
  suite_add_tcase(suite, kept);
  suite_add_tcase(suite, table);
  return suite;
}
