/* The rows of the table of operators, against Gauss elimination in extended precision. */
#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "linear/operator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, CONTACTS = 12 }; /* unknowns and contacts of the small problems */

static prc_error err;
static const char *const names[] = {"direct", "iterative", "umfpack", "diagonal"};
enum { N_NAMES = 4 };

/* ---- dense reference --------------------------------------------------------------------------------------------- */

typedef struct {
  int n;
  long double a[MOST][MOST];
} dense;

/* X := A^-1 by Gauss-Jordan elimination without exchanges, A being positive definite */
static dense invert(dense A) {
  dense X = {.n = A.n};
  for (int i = 0; i < A.n; i++) X.a[i][i] = 1.0L;
  for (int k = 0; k < A.n; k++) {
    const long double pivot = A.a[k][k];
    for (int j = 0; j < A.n; j++) A.a[k][j] /= pivot, X.a[k][j] /= pivot;
    for (int i = 0; i < A.n; i++) {
      const long double l = A.a[i][k];
      for (int j = 0; i != k && j < A.n; j++) A.a[i][j] -= l * A.a[k][j], X.a[i][j] -= l * X.a[k][j];
    }
  }
  return X;
}

/* ---- problems ------------------------------------------------------------------------------------------------------ */

/* How the unknowns are coupled. */
typedef enum { SPARSE, FULL, CHAIN, BODIES, DIAGONAL, N_SHAPES } shape;
/* Which part they are in: at random; none touched; all touched; all prescribed but one. */
typedef enum { MIXED, UNTOUCHED, TOUCHED, HELD, N_PARTS } parts;
static const int sizes[] = {1, 2, 3, 7, 18, MOST};
enum { N_SIZES = 6, N_PROBLEMS = N_SHAPES * N_PARTS * N_SIZES };

typedef struct {
  int n;
  dense A;
  prc_sym *S;
  char part[MOST], known[MOST][MOST]; /* known: the pattern */
  int place[MOST];                    /* among the free ones, -1: prescribed */
  dense inverse;                      /* of the free block */
  prc_rows H;
  int start[CONTACTS + 1], dof[CONTACTS * 4];
  double x[CONTACTS * 16];
} problem;

static double uniform(prc_random *r) {
  return prc_random_uniform(r, -1.0, 1.0);
}

static int below(prc_random *r, int n) {
  return (int)prc_random_uniform(r, 0.0, n);
}

static int coupled(shape s, int i, int j, prc_random *r) {
  const double chance = prc_random_uniform(r, 0.0, 1.0);
  return s == FULL || (s == SPARSE && chance < 0.2) || (s == CHAIN && abs(i - j) == 1)
         || (s == BODIES && i % 4 == j % 4 && chance < 0.6);
}

/* Values alone, in the pattern that is there: strictly dominant by rows. */
static void fill_matrix(problem *P, prc_random *r) {
  for (int i = 0; i < P->n; i++)
    for (int j = 0; j < i; j++) P->A.a[i][j] = P->A.a[j][i] = P->known[i][j] ? uniform(r) : 0.0;
  for (int i = 0; i < P->n; i++) {
    double sum = prc_random_uniform(r, 0.5, 1.5);
    for (int j = 0; j < P->n; j++)
      if (j != i) sum += fabs((double)P->A.a[i][j]);
    P->A.a[i][i] = sum;
  }
}

static prc_sym *pack(const problem *P) {
  prc_sym *S = NULL;
  int nnz = 0;
  for (int j = 0; j < P->n; j++)
    for (int i = j; i < P->n; i++) nnz += i == j || P->known[i][j];
  support_ok(prc_sym_create(P->n, nnz, &S, &err), &err);
  nnz = 0;
  for (int j = 0; j < P->n; j++) {
    for (int i = j; i < P->n; i++)
      if (i == j || P->known[i][j]) S->i[nnz] = i, S->x[nnz++] = (double)P->A.a[i][j];
    S->p[j + 1] = nnz;
  }
  return S;
}

static void choose_parts(problem *P, parts kind, prc_random *r) {
  const int one = below(r, P->n);
  for (int i = 0; i < P->n; i++) {
    const int any = below(r, 3);
    P->part[i] = (char)(kind == MIXED ? any : kind == UNTOUCHED ? 2 * (any / 2) : kind == TOUCHED ? 1 : 2);
    if (kind == HELD && i == one) P->part[i] = 1;
  }
}

static void invert_free(problem *P) {
  dense F = {0};
  for (int i = 0; i < P->n; i++) P->place[i] = P->part[i] == 2 ? -1 : F.n++;
  for (int i = 0; i < P->n; i++)
    for (int j = 0; j < P->n; j++)
      if (P->place[i] >= 0 && P->place[j] >= 0) F.a[P->place[i]][P->place[j]] = P->A.a[i][j];
  P->inverse = invert(F);
}

/* Contacts of up to four unknowns, touched or prescribed, shared by several; one has none. */
static void choose_contacts(problem *P, int dim, prc_random *r) {
  int allowed[MOST], n = 0, count = 0;
  for (int i = 0; i < P->n; i++)
    if (P->part[i] > 0) allowed[n++] = i;
  P->H = (prc_rows){.n = CONTACTS, .dim = dim, .start = P->start, .dof = P->dof, .x = P->x};
  for (int c = 0; c < CONTACTS; c++) {
    const int wanted = c == 3 ? 0 : 1 + below(r, 4), first = n > 0 ? below(r, n) : 0;
    for (int d = 0; d < wanted && d < n; d++) P->dof[count++] = allowed[(first + d * 3) % n];
    P->start[c + 1] = count;
  }
  for (int k = 0; k < dim * count; k++) P->x[k] = below(r, 6) == 0 ? 0.0 : uniform(r);
}

static problem *make(int k, int dim) {
  problem *P = calloc(1, sizeof *P);
  prc_random r = {(uint64_t)(1000 * dim + k)};
  ck_assert_ptr_nonnull(P);
  prc_error_clear(&err);
  P->n = sizes[k % N_SIZES];
  P->A.n = P->n;
  for (int i = 0; i < P->n; i++)
    for (int j = 0; j < i; j++)
      P->known[i][j] = P->known[j][i] = (char)coupled((shape)(k / N_SIZES % N_SHAPES), i, j, &r);
  choose_parts(P, (parts)(k / N_SIZES / N_SHAPES), &r);
  fill_matrix(P, &r);
  invert_free(P);
  choose_contacts(P, dim, &r);
  P->S = pack(P);
  return P;
}

static void discard(problem *P) {
  prc_sym_free(&P->S);
  free(P);
}

static prc_operator_plan plan_of(const problem *P) {
  return (prc_operator_plan){.part = P->part, .tolerance = 1e-15, .has_mass = 1, .threads = 1};
}

static prc_operator *create(const char *name, const problem *P, int may_change) {
  prc_operator *op = NULL;
  prc_operator_plan plan = plan_of(P);
  plan.may_change = may_change;
  support_ok(prc_operator_create(name, P->S, &plan, &op, &err), &err);
  return op;
}

/* The last row takes diagonal matrices alone. */
static int can(int k, const problem *P) {
  return k < N_NAMES - 1 || prc_sym_nnz(P->S) == P->n;
}

/* ---- what is expected ------------------------------------------------------------------------------------------------ */

/* free rows of b - A_fp x_p + scale H'p, x holding b and x_p; then times the inverse */
static void solve(const problem *P, const double *in, int n, const int *list, double scale, const double *p,
                  double *out) {
  long double b[MOST], H = 0.0L;
  for (int i = 0; i < P->n; i++) {
    b[i] = in[i];
    for (int j = 0; j < P->n; j++)
      if (P->place[j] < 0) b[i] -= P->A.a[i][j] * in[j];
  }
  for (int k = 0; k < n; k++) {
    const int c = list ? list[k] : k, count = P->start[c + 1] - P->start[c];
    for (int r = 0; r < P->H.dim; r++)
      for (int d = 0; d < count; d++) {
        H = P->x[P->H.dim * P->start[c] + r * count + d];
        b[P->dof[P->start[c] + d]] += scale * H * p[P->H.dim * c + r];
      }
  }
  for (int i = 0; i < P->n; i++) {
    long double sum = P->place[i] < 0 ? in[i] : 0.0L;
    for (int j = 0; P->place[i] >= 0 && j < P->n; j++)
      if (P->place[j] >= 0) sum += P->inverse.a[P->place[i]][P->place[j]] * b[j];
    out[i] = (double)sum;
  }
}

/* Entry of scale H A^-1 H' between row r of contact a and row s of contact b. */
static double entry(const problem *P, int a, int r, int b, int s, double scale) {
  const int na = P->start[a + 1] - P->start[a], nb = P->start[b + 1] - P->start[b];
  const double *Ha = P->x + P->H.dim * P->start[a] + r * na, *Hb = P->x + P->H.dim * P->start[b] + s * nb;
  long double sum = 0.0L;
  for (int d = 0; d < na; d++)
    for (int e = 0; e < nb; e++) {
      const int i = P->place[P->dof[P->start[a] + d]], j = P->place[P->dof[P->start[b] + e]];
      if (i >= 0 && j >= 0) sum += (long double)Ha[d] * P->inverse.a[i][j] * Hb[e];
    }
  return (double)(scale * sum);
}

static void expect_near(int n, const double *x, const double *y, double tolerance) {
  double size = 1.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(x[i] - y[i]) <= tolerance * size, "%d of %d: %.17g is not %.17g", i, n, x[i], y[i]);
}

/* A list of so many contacts in any order, each at most once. */
static int draw_list(prc_random *r, int *list) {
  const int n = below(r, CONTACTS + 1);
  for (int c = 0; c < CONTACTS; c++) list[c] = c;
  for (int c = CONTACTS - 1; c > 0; c--) {
    const int other = below(r, c + 1), swap = list[c];
    list[c] = list[other], list[other] = swap;
  }
  return n;
}

#define EXACT 2e-13 /* of matrices whose condition is below a hundred */

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

static void expect_step(prc_operator *op, const problem *P, prc_random *r, int n, const int *list) {
  double x[MOST], b[MOST], guess[MOST], free_x[MOST], expected[MOST], p[CONTACTS * 4];
  for (int i = 0; i < P->n; i++) {
    b[i] = P->part[i] == 2 && below(r, 2) ? 0.0 : uniform(r);
    guess[i] = uniform(r);
  }
  for (int i = 0; i < CONTACTS * P->H.dim; i++) p[i] = uniform(r);
  memcpy(x, b, sizeof x);
  solve(P, b, 0, NULL, 0.7, p, free_x);
  support_ok(prc_operator_begin(op, below(r, 2) ? guess : NULL, x, &err), &err);
  for (int i = 0; i < P->n; i++) {
    if (P->part[i] == 1) expect_near(1, x + i, free_x + i, EXACT);
    if (P->part[i] == 2) ck_assert(x[i] == b[i]);
  }
  solve(P, b, n, list, 0.7, p, expected);
  prc_operator_finish(op, &P->H, n, list, 0.7, p, x);
  expect_near(P->n, x, expected, EXACT);
}

START_TEST(a_step_is_a_solve_with_the_forces_of_contacts) {
  for (int dim = 1; dim <= 4; dim++) {
    problem *P = make(_i, dim);
    prc_random r = {(uint64_t)_i};
    for (int k = 0; k < N_NAMES && can(k, P); k++) {
      prc_operator *op = create(names[k], P, 0);
      int list[CONTACTS];
      expect_step(op, P, &r, 0, NULL);
      expect_step(op, P, &r, CONTACTS, NULL);
      expect_step(op, P, &r, draw_list(&r, list), list);
      expect_step(op, P, &r, 1, list);
      prc_operator_free(&op);
    }
    discard(P);
  }
}
END_TEST

START_TEST(rows_multiply_and_pull_as_matrices_do) {
  problem *P = make(_i, 1 + _i % 4);
  prc_random r = {3};
  double x[MOST], u[CONTACTS * 4], p[CONTACTS * 4], y[MOST] = {0.0};
  long double forward = 0.0L, back = 0.0L;
  for (int i = 0; i < P->n; i++) x[i] = uniform(&r);
  for (int i = 0; i < CONTACTS * P->H.dim; i++) p[i] = uniform(&r);
  prc_rows_multiply(&P->H, x, u);
  prc_rows_pull(&P->H, CONTACTS, NULL, 2.0, p, y);
  for (int i = 0; i < CONTACTS * P->H.dim; i++) forward += (long double)u[i] * p[i];
  for (int i = 0; i < P->n; i++) back += 0.5L * y[i] * x[i];
  ck_assert_double_le(fabs((double)(forward - back)), 1e-13); /* p . H x = x . H'p */
  for (int c = 0; c < CONTACTS; c++) {
    long double sum = 0.0L;
    for (int d = P->start[c]; d < P->start[c + 1]; d++)
      sum += (long double)P->x[P->H.dim * P->start[c] + d - P->start[c]] * x[P->dof[d]];
    ck_assert_double_le(fabs((double)sum - u[P->H.dim * c]), 1e-14);
  }
  discard(P);
}
END_TEST

/* ---- W ------------------------------------------------------------------------------------------------------------------ */

static void expect_dense(prc_operator *op, const problem *P, int n, const int *list, double *W) {
  const int dim = P->H.dim, rows = dim * n;
  prc_operator_condense_dense(op, &P->H, n, list, 0.3, W);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      const int a = list ? list[i / dim] : i / dim, b = list ? list[j / dim] : j / dim;
      ck_assert(W[i * rows + j] == W[j * rows + i]);
      ck_assert_double_le(fabs(W[i * rows + j] - entry(P, a, i % dim, b, j % dim, 0.3)), EXACT * 10.0);
    }
}

/* The blocks hold what the dense matrix holds, to the last bit, and what they leave out is zero. */
static void expect_blocks(prc_operator *op, const problem *P, int n, const int *list, const double *W,
                          prc_block_matrix *B) {
  const int dim = P->H.dim, rows = dim * n;
  support_ok(prc_operator_condense_blocks(op, &P->H, n, list, 0.3, B, &err), &err);
  ck_assert_int_eq(B->blocks.row_start[0], 0);
  for (int i = 0; i < n; i++) {
    int at = B->blocks.row_start[i], diagonal = 0;
    for (int k = at + 1; k < B->blocks.row_start[i + 1]; k++)
      ck_assert_int_gt(B->blocks.column[k], B->blocks.column[k - 1]);
    for (int j = 0; j < n; j++) {
      const int there = at < B->blocks.row_start[i + 1] && B->blocks.column[at] == j;
      for (int r = 0; r < dim; r++)
        for (int s = 0; s < dim; s++)
          ck_assert((there ? B->blocks.values[dim * dim * at + dim * r + s] : 0.0)
                    == W[(dim * i + r) * rows + dim * j + s]);
      at += there, diagonal += there && i == j;
    }
    ck_assert_int_eq(at, B->blocks.row_start[i + 1]);
    ck_assert_int_eq(diagonal, 1);
  }
}

START_TEST(condensed_matrices_are_those_of_the_inverse) {
  static double W[CONTACTS * 4 * CONTACTS * 4];
  prc_block_matrix B = {0};
  for (int dim = 1; dim <= 4; dim++) {
    problem *P = make(_i, dim);
    prc_random r = {(uint64_t)_i};
    for (int k = 0; k < N_NAMES && can(k, P); k++) {
      prc_operator *op = create(names[k], P, 0);
      for (int draw = 0; draw < 3; draw++) {
        int list[CONTACTS];
        const int n = draw == 0 ? CONTACTS : draw_list(&r, list);
        expect_dense(op, P, n, draw ? list : NULL, W);
        expect_blocks(op, P, n, draw ? list : NULL, W, &B);
        for (int c = 0; c < dim * P->start[CONTACTS]; c++) P->x[c] = uniform(&r); /* H moves */
      }
      prc_operator_free(&op);
    }
    discard(P);
  }
  prc_block_matrix_free(&B);
  ck_assert_ptr_null(B.blocks.values);
}
END_TEST

/* ---- new values ------------------------------------------------------------------------------------------------------------ */

static void compare(prc_operator *a, prc_operator *b, const problem *P, int same_bits) {
  const int rows = P->H.dim * CONTACTS;
  double *W[2] = {calloc((size_t)(rows * rows), sizeof **W), calloc((size_t)(rows * rows), sizeof **W)};
  double x[2][MOST], p[CONTACTS * 4];
  prc_operator *both[2] = {a, b};
  ck_assert(W[0] && W[1]);
  for (int k = 0; k < 2; k++) {
    prc_random r = {11};
    for (int i = 0; i < P->n; i++) x[k][i] = uniform(&r);
    for (int i = 0; i < rows; i++) p[i] = uniform(&r);
    prc_operator_condense_dense(both[k], &P->H, CONTACTS, NULL, 1.0, W[k]);
    support_ok(prc_operator_begin(both[k], NULL, x[k], &err), &err);
    prc_operator_finish(both[k], &P->H, CONTACTS, NULL, 1.0, p, x[k]);
  }
  expect_near(P->n, x[0], x[1], same_bits ? 0.0 : EXACT);
  expect_near(rows * rows, W[0], W[1], same_bits ? 0.0 : EXACT);
  if (same_bits)
    ck_assert(prc_operator_get_facts(a).weakest_pivot == prc_operator_get_facts(b).weakest_pivot);
  free(W[0]), free(W[1]);
}

START_TEST(new_values_make_what_a_new_operator_would_be) {
  problem *P = make(_i, 2);
  prc_random r = {7};
  for (int k = 0; k < N_NAMES && can(k, P); k++) {
    prc_operator *op = create(names[k], P, 1);
    for (int times = 0; times < 3; times++) {
      fill_matrix(P, &r);
      invert_free(P);
      prc_sym_free(&P->S);
      P->S = pack(P);
      support_ok(prc_operator_set(op, P->S, &err), &err);
      expect_step(op, P, &r, CONTACTS, NULL);
      prc_operator *anew = create(names[k], P, 0);
      compare(op, anew, P, k == 0);
      prc_operator_free(&anew);
    }
    prc_operator_free(&op);
  }
  discard(P);
}
END_TEST

START_TEST(values_that_were_not_planned_are_refused) {
  problem *P = make(N_SIZES - 1, 2), *Q = make(N_SIZES - 1 + N_SIZES, 2);
  for (int k = 0; k < N_NAMES && can(k, P); k++) {
    prc_operator *op = create(names[k], P, 0);
    support_fails(prc_operator_set(op, P->S, &err), PRC_INPUT, &err, "expected may_change");
    prc_error_clear(&err);
    prc_operator_free(&op);
    op = create(names[k], P, 1);
    support_fails(prc_operator_set(op, Q->S, &err), PRC_INPUT, &err, "the pattern of the first");
    prc_error_clear(&err);
    prc_operator_free(&op);
  }
  discard(P), discard(Q);
}
END_TEST

/* What failed may be set again. */
START_TEST(a_matrix_that_is_not_definite_is_refused_and_forgotten) {
  problem *P = make(N_SIZES - 1, 2); /* MIXED, SPARSE, 40 */
  prc_random r = {5};
  int at = 0;
  while (P->part[at] == 2) at++;
  const double kept = P->S->x[P->S->p[at]];
  prc_operator *op = create("direct", P, 1), *none = NULL;
  const prc_operator_plan plan = plan_of(P);
  P->S->x[P->S->p[at]] = -kept;
  support_fails(prc_operator_set(op, P->S, &err), PRC_SINGULAR, &err, "not positive definite");
  prc_error_clear(&err);
  support_fails(prc_operator_create("direct", P->S, &plan, &none, &err), PRC_SINGULAR, &err,
                "not positive definite");
  prc_error_clear(&err);
  support_fails(prc_operator_create("iterative", P->S, &plan, &none, &err), PRC_SINGULAR, &err,
                "not positive definite");
  prc_error_clear(&err);
  P->S->x[P->S->p[at]] = kept;
  support_ok(prc_operator_set(op, P->S, &err), &err);
  expect_step(op, P, &r, CONTACTS, NULL);
  prc_operator_free(&op);
  discard(P);
}
END_TEST

/* ---- the table ------------------------------------------------------------------------------------------------------------- */

START_TEST(a_diagonal_matrix_is_taken_for_one_and_no_other) {
  problem *P = make(N_SIZES - 1 + DIAGONAL * N_SIZES, 2), *Q = make(N_SIZES - 1, 2);
  prc_operator_plan plan = plan_of(Q);
  prc_operator *op = NULL;
  support_fails(prc_operator_create("diagonal", Q->S, &plan, &op, &err), PRC_INPUT, &err,
                "beside its diagonal, expected none");
  prc_error_clear(&err);
  op = create("auto", P, 1);
  const prc_operator_facts facts = prc_operator_get_facts(op);
  ck_assert_str_eq(facts.name, "diagonal");
  ck_assert_str_eq(facts.ordering, "none");
  ck_assert(facts.weakest_pivot == 1.0);
  int touched = 0, unheld = 0, at = 0;
  for (int i = 0; i < P->n; i++) touched += P->part[i] == 1, unheld += P->part[i] != 2;
  ck_assert_int_eq(facts.n_touched, touched);
  ck_assert_uint_eq(facts.entries, (size_t)unheld);
  while (P->part[at] == 2) at++;
  for (int k = 0; k < 2; k++) {
    P->S->x[at] = k ? 0.0 : -1.0;
    support_fails(prc_operator_set(op, P->S, &err), PRC_SINGULAR, &err, "not positive definite");
    prc_error_clear(&err);
  }
  P->part[0] = 3, plan.part = P->part;
  support_fails(prc_operator_create("diagonal", P->S, &plan, &op, &err), PRC_INPUT, &err,
                "unknown 0 is in part 3");
  prc_error_clear(&err);
  prc_operator_free(&op);
  discard(P), discard(Q);
}
END_TEST

START_TEST(rows_are_known_by_name) {
  problem *P = make(N_SIZES - 1, 2);
  prc_operator_plan plan = plan_of(P);
  prc_operator *op = NULL;
  int touched = 0;
  support_fails(prc_operator_create("magic", P->S, &plan, &op, &err), PRC_INPUT, &err,
                "'magic', expected auto, direct, iterative, umfpack or diagonal");
  prc_error_clear(&err);
  plan.has_mass = 0;
  support_fails(prc_operator_create("iterative", P->S, &plan, &op, &err), PRC_INPUT, &err, "need a mass");
  prc_error_clear(&err);
  ck_assert_ptr_null(op);
  for (int i = 0; i < P->n; i++) touched += P->part[i] == 1;
  for (int k = 0; k < N_NAMES; k++) {
    op = create(k < N_NAMES - 1 ? names[k] : "auto", P, 0);
    const prc_operator_facts facts = prc_operator_get_facts(op);
    ck_assert_str_eq(facts.name, names[k % (N_NAMES - 1)]);
    ck_assert_str_eq(facts.ordering, k == 2 ? "UMFPACK's own" : facts.ordering);
    ck_assert_int_eq(facts.n_touched, touched);
    ck_assert_uint_gt(facts.entries, 0);
    ck_assert_uint_gt(facts.bytes, 0);
    ck_assert(facts.weakest_pivot > 0.0 && facts.weakest_pivot <= 1.0);
    ck_assert_int_eq(facts.products > 0, k == 1);
    ck_assert_int_eq(facts.traffic_iteration > 0.0, k == 1);
    prc_operator_free(&op);
  }
  P->part[0] = 3;
  support_fails(prc_operator_create("direct", P->S, &plan, &op, &err), PRC_INPUT, &err,
                "unknown 0 is in part 3");
  prc_error_clear(&err);
  prc_operator_free(&op);
  discard(P);
}
END_TEST

/* ---- units ------------------------------------------------------------------------------------------------------------------- */

/* A' = D A D with powers of two in D: x = D x', to the last bit. Unknowns of two units for the factor; one for the others. */
START_TEST(units_are_seen_by_nobody) {
  problem *P = make(_i, 2);
  prc_random r = {13};
  for (int k = 0; k < N_NAMES && can(k, P); k++) {
    double D[MOST], x[2][MOST], p[CONTACTS * 4], H[CONTACTS * 16];
    for (int i = 0; i < P->n; i++) D[i] = k == 0 ? ldexp(1.0, below(&r, 9) - 4) : 32.0;
    prc_operator *plain = create(names[k], P, 0);
    for (int j = 0; j < P->n; j++)
      for (int at = P->S->p[j]; at < P->S->p[j + 1]; at++) P->S->x[at] *= D[j] * D[P->S->i[at]];
    prc_operator *scaled = create(names[k], P, 0);
    for (int j = 0; j < P->n; j++)
      for (int at = P->S->p[j]; at < P->S->p[j + 1]; at++) P->S->x[at] /= D[j] * D[P->S->i[at]];
    for (int i = 0; i < P->n; i++) {
      x[0][i] = uniform(&r);
      x[1][i] = P->part[i] == 2 ? x[0][i] / D[i] : x[0][i] * D[i];
    }
    for (int i = 0; i < CONTACTS * 2; i++) p[i] = uniform(&r);
    memcpy(H, P->x, sizeof H);
    support_ok(prc_operator_begin(plain, NULL, x[0], &err), &err);
    prc_operator_finish(plain, &P->H, CONTACTS, NULL, 0.5, p, x[0]);
    for (int c = 0; c < CONTACTS; c++)
      for (int row = 0, count = P->start[c + 1] - P->start[c]; row < 2; row++)
        for (int d = 0; d < count; d++) P->x[2 * P->start[c] + row * count + d] *= D[P->dof[P->start[c] + d]];
    support_ok(prc_operator_begin(scaled, NULL, x[1], &err), &err);
    prc_operator_finish(scaled, &P->H, CONTACTS, NULL, 0.5, p, x[1]);
    memcpy(P->x, H, sizeof H);
    for (int i = 0; i < P->n; i++) ck_assert(x[1][i] * D[i] == x[0][i]);
    prc_operator_free(&plain);
    prc_operator_free(&scaled);
  }
  discard(P);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------------------------------ */

START_TEST(steps_allocate_nothing) {
  problem *P = make(N_SIZES - 1 + _i * N_SIZES, 3);
  static double W[CONTACTS * 3 * CONTACTS * 3];
  prc_block_matrix B = {0};
  prc_random r = {17};
  double x[MOST], p[CONTACTS * 3];
  for (int k = 0; k < N_NAMES && can(k, P); k++) {
    prc_operator *op = create(names[k], P, 0);
    support_ok(prc_operator_condense_blocks(op, &P->H, CONTACTS, NULL, 1.0, &B, &err), &err);
    for (int step = 0; step < 5; step++) {
      int list[CONTACTS];
      const int n = draw_list(&r, list);
      for (int i = 0; i < P->n; i++) x[i] = uniform(&r);
      for (int i = 0; i < CONTACTS * 3; i++) p[i] = uniform(&r);
      support_watch(0);
      const prc_status began = prc_operator_begin(op, x, x, &err);
      prc_operator_condense_dense(op, &P->H, n, list, 1.0, W);
      const prc_status made = prc_operator_condense_blocks(op, &P->H, n, list, 1.0, &B, &err);
      prc_operator_finish(op, &P->H, n, list, 1.0, p, x);
      support_look_away();
      ck_assert_int_eq(began, PRC_OK);
      ck_assert_int_eq(made, PRC_OK);
      ck_assert_int_eq(support_allocator.calls, 0);
    }
    prc_operator_free(&op);
  }
  prc_block_matrix_free(&B);
  discard(P);
}
END_TEST

/* Every allocation of ours may fail: a message, and nothing is lost. */
START_TEST(a_refused_allocation_is_a_message) {
  problem *P = make(N_SIZES - 1, 2);
  prc_operator_plan plan = plan_of(P);
  plan.may_change = 1;
  for (int k = 0; k < N_NAMES && can(k, P); k++) {
    prc_status status = PRC_NOMEM;
    for (int fail_at = 1; status != PRC_OK; fail_at++) {
      prc_operator *op = NULL;
      prc_block_matrix B = {0};
      prc_error_clear(&err);
      support_watch(fail_at);
      status = prc_operator_create(names[k], P->S, &plan, &op, &err);
      if (status == PRC_OK) status = prc_operator_set(op, P->S, &err);
      if (status == PRC_OK) status = prc_operator_condense_blocks(op, &P->H, CONTACTS, NULL, 1.0, &B, &err);
      prc_operator_free(&op);
      prc_block_matrix_free(&B);
      support_look_away();
      ck_assert(status == PRC_OK || status == PRC_NOMEM);
      ck_assert_int_eq(support_allocator.live, 0);
      ck_assert_int_lt(fail_at, 1000);
    }
  }
  discard(P);
}
END_TEST

/* ---- thousands of bodies ------------------------------------------------------------------------------------------------------- */

enum { BODIES_MANY = 2000, CONTACTS_MANY = 5000 };

typedef struct {
  prc_sym *A;
  char part[3 * BODIES_MANY];
  int start[CONTACTS_MANY + 1], dof[6 * CONTACTS_MANY], list[CONTACTS_MANY];
  double x[24 * CONTACTS_MANY];
  prc_rows H;
} crowd;

/* Any two bodies, or one and the ground, which is none; every tenth is driven; masses over four decades. */
static void draw_contacts(crowd *s, int n, prc_random *r) {
  int count = 0;
  for (int c = 0; c < n; c++) {
    const int a = below(r, BODIES_MANY), b = below(r, 4) ? below(r, BODIES_MANY) : a;
    for (int k = 0; k < 3; k++) s->dof[count++] = 3 * a + k;
    for (int k = 0; k < 3 && b != a; k++) s->dof[count++] = 3 * b + k;
    s->start[c + 1] = count;
  }
  for (int k = 0; k < s->H.dim * count; k++) s->x[k] = uniform(r);
  for (int c = 0; c < n; c++) s->list[c] = c;
  for (int c = n - 1; c > 0; c--) {
    const int other = below(r, c + 1), swap = s->list[c];
    s->list[c] = s->list[other], s->list[other] = swap;
  }
  s->H.n = n;
}

static crowd *make_crowd(int dim, prc_random *r) {
  crowd *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  support_ok(prc_sym_create(3 * BODIES_MANY, 3 * BODIES_MANY, &s->A, &err), &err);
  for (int i = 0; i < 3 * BODIES_MANY; i++) {
    s->A->i[i] = i, s->A->p[i + 1] = i + 1, s->A->x[i] = pow(10.0, prc_random_uniform(r, -2.0, 2.0));
    s->part[i] = i / 3 % 10 == 0 ? 2 : 1;
  }
  s->H = (prc_rows){.dim = dim, .start = s->start, .dof = s->dof, .x = s->x};
  return s;
}

static void expect_same_blocks(const prc_block_matrix *A, const prc_block_matrix *B, int dim, int n) {
  const int size = dim * dim;
  const prc_blocks *a = &A->blocks, *b = &B->blocks;
  ck_assert_mem_eq(a->row_start, b->row_start, ((size_t)n + 1) * sizeof(int));
  ck_assert_mem_eq(a->column, b->column, (size_t)a->row_start[n] * sizeof(int));
  for (int i = 0; i < size * a->row_start[n]; i++)
    ck_assert_msg(fabs(a->values[i] - b->values[i]) <= 1e-14 * (fabs(a->values[i]) + 100.0), "%g is not %g",
                  a->values[i], b->values[i]);
}

/* Other contacts and lists from call to call, and as many as ever or fewer need no more room. */
START_TEST(thousands_of_contacts_that_come_and_go_have_the_same_blocks_by_the_factor) {
  static const int counts[] = {CONTACTS_MANY, 1, 0, CONTACTS_MANY / 3, CONTACTS_MANY};
  const int dim = _i + 1;
  prc_random r = {29};
  prc_block_matrix A = {0}, B = {0};
  crowd *s = make_crowd(dim, &r);
  const prc_operator_plan plan = {.part = s->part, .has_mass = 1, .threads = 1};
  prc_operator *diagonal = NULL, *direct = NULL;
  support_ok(prc_operator_create("auto", s->A, &plan, &diagonal, &err), &err);
  support_ok(prc_operator_create("direct", s->A, &plan, &direct, &err), &err);
  ck_assert_str_eq(prc_operator_get_facts(diagonal).name, "diagonal");
  ck_assert_int_eq(prc_operator_is_sparse(diagonal), 1);
  for (int step = 0; step < 5; step++) {
    const int n = counts[step];
    draw_contacts(s, CONTACTS_MANY, &r);
    support_watch(0);
    const prc_status made =
        prc_operator_condense_blocks(diagonal, &s->H, n, step % 2 ? s->list : NULL, 0.5, &A, &err);
    support_look_away();
    ck_assert_int_eq(made, PRC_OK);
    if (step == 1 || step == 2 || step == 3) ck_assert_int_eq(support_allocator.calls, 0);
    support_ok(prc_operator_condense_blocks(direct, &s->H, n, step % 2 ? s->list : NULL, 0.5, &B, &err),
               &err);
    expect_same_blocks(&A, &B, dim, n);
  }
  prc_operator_free(&diagonal);
  prc_operator_free(&direct);
  prc_block_matrix_free(&A);
  prc_block_matrix_free(&B);
  prc_sym_free(&s->A);
  free(s);
}
END_TEST

/* ---- the product ---------------------------------------------------------------------------------------------------------------- */

START_TEST(a_product_is_that_of_the_matrix) {
  problem *P = make(_i, 2);
  prc_random r = {23};
  double x[MOST], y[MOST], expected[MOST];
  for (int i = 0; i < P->n; i++) x[i] = uniform(&r);
  for (int i = 0; i < P->n; i++) {
    long double sum = 0.0L;
    for (int j = 0; j < P->n; j++) sum += P->A.a[i][j] * x[j];
    expected[i] = (double)sum;
  }
  for (int k = 0; k <= N_NAMES; k++) {
    if (k < N_NAMES && !can(k, P)) continue;
    prc_operator *op = k < N_NAMES ? create(names[k], P, 0) : NULL;
    prc_product *product = NULL;
    support_ok(prc_product_create(P->S, op, &product, &err), &err);
    prc_operator_free(&op);
    prc_product_multiply(product, x, y);
    expect_near(P->n, y, expected, 1e-14);
    if (k == 2) { /* shares nothing with panels */
      prc_sym_multiply(P->S, x, expected);
      expect_near(P->n, y, expected, 0.0);
    }
    ck_assert_uint_gt(prc_product_bytes(product), 0);
    prc_product_free(&product);
  }
  discard(P);
}
END_TEST

SUITE(operator) {
  Suite *suite = suite_create("operator");
  TCase *step = tcase_create("step"), *table = tcase_create("table"), *memory = tcase_create("memory");
  prc_dense_single_thread();
  tcase_add_loop_test(step, a_step_is_a_solve_with_the_forces_of_contacts, 0, N_PROBLEMS);
  tcase_add_loop_test(step, rows_multiply_and_pull_as_matrices_do, 0, N_PROBLEMS);
  tcase_add_loop_test(step, condensed_matrices_are_those_of_the_inverse, 0, N_PROBLEMS);
  tcase_add_loop_test(step, new_values_make_what_a_new_operator_would_be, 0, N_PROBLEMS);
  tcase_add_loop_test(step, units_are_seen_by_nobody, 0, N_PROBLEMS);
  tcase_add_loop_test(step, a_product_is_that_of_the_matrix, 0, N_PROBLEMS);
  tcase_add_test(table, values_that_were_not_planned_are_refused);
  tcase_add_test(table, a_matrix_that_is_not_definite_is_refused_and_forgotten);
  tcase_add_test(table, a_diagonal_matrix_is_taken_for_one_and_no_other);
  tcase_add_test(table, rows_are_known_by_name);
  tcase_add_loop_test(step, thousands_of_contacts_that_come_and_go_have_the_same_blocks_by_the_factor, 0, 4);
  tcase_add_loop_test(memory, steps_allocate_nothing, 0, N_SHAPES);
  tcase_add_test(memory, a_refused_allocation_is_a_message);
  suite_add_tcase(suite, step);
  suite_add_tcase(suite, table);
  suite_add_tcase(suite, memory);
  return suite;
}
