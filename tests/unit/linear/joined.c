/* Operators with joints, against Gauss elimination of the whole system in extended precision. */
#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "linear/operator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, ROWS = 14, CONTACTS = 6, WIDE = 6, ALL = MOST + ROWS };

static prc_error err;
static const char *const names[] = {"direct", "umfpack", "diagonal"};

static double uniform(prc_random *r) {
  return prc_random_uniform(r, -1.0, 1.0);
}
static int below(prc_random *r, int n) {
  return (int)prc_random_uniform(r, 0.0, n);
}

/* ---- problems ---------------------------------------------------------------------------------------------------------- */

typedef enum { DIAGONAL, BODIES, CHAIN, FULL, N_SHAPES } shape;

typedef struct {
  int n, n_rows, n_free, place[MOST]; /* place: among the free ones, -1: prescribed */
  double A[MOST][MOST];
  prc_sym *S;
  char part[MOST];
  prc_rows G, H;
  int G_start[ROWS + 1], G_dof[ROWS * MOST], H_start[CONTACTS + 1], H_dof[CONTACTS * WIDE];
  double G_x[ROWS * MOST], H_x[CONTACTS * WIDE * 4];
  double mass[MOST], g[ROWS], b[MOST], p[CONTACTS * 4];
  int kept[ROWS], n_kept;
  double nearest; /* the least squared distance of a kept row from those before it */
} problem;

static void fill_matrix(problem *P, shape s, double condition, prc_random *r) {
  int entries = 0;
  for (int i = 0; i < P->n; i++)
    for (int j = 0; j < i; j++) {
      const int there = s == FULL || (s == CHAIN && i == j + 1) || (s == BODIES && i / 3 == j / 3);
      P->A[i][j] = P->A[j][i] = there ? uniform(r) : 0.0;
    }
  for (int i = 0; i < P->n; i++) {
    double sum = prc_random_uniform(r, 0.5, 1.5);
    for (int j = 0; j < P->n; j++) sum += j != i ? fabs(P->A[i][j]) : 0.0;
    P->A[i][i] = sum;
    P->mass[i] = prc_random_uniform(r, 0.5, 2.0);
  }
  /* D A D, of a condition of that */
  for (int i = 0; i < P->n; i++) {
    const double d = pow(condition, 0.5 * prc_random_uniform(r, -0.5, 0.5));
    for (int j = 0; j < P->n; j++) P->A[i][j] *= d, P->A[j][i] *= d;
  }
  for (int j = 0; j < P->n; j++)
    for (int i = j; i < P->n; i++) entries += i == j || P->A[i][j] != 0.0;
  support_ok(prc_sym_create(P->n, entries, &P->S, &err), &err);
  entries = 0;
  for (int j = 0; j < P->n; j++) {
    for (int i = j; i < P->n; i++)
      if (i == j || P->A[i][j] != 0.0) P->S->i[entries] = i, P->S->x[entries++] = P->A[i][j];
    P->S->p[j + 1] = entries;
  }
}

/* A row of up to three unknowns, or a combination of rows before it: then it depends on them. */
static void add_row(problem *P, int combine, prc_random *r) {
  double row[MOST] = {0.0};
  int m = P->G.n, at = P->G_start[m];
  if (combine && m > 0) {
    for (int k = 0; k < 2; k++) {
      const int from = below(r, m);
      const double times = uniform(r);
      for (int e = P->G_start[from]; e < P->G_start[from + 1]; e++) row[P->G_dof[e]] += times * P->G_x[e];
    }
  } else {
    for (int k = 0; k < 3; k++) {
      const int dof = below(r, P->n);
      if (P->part[dof] != 0) row[dof] = uniform(r);
    }
  }
  for (int i = 0; i < P->n; i++)
    if (row[i] != 0.0) P->G_dof[at] = i, P->G_x[at++] = row[i];
  P->G_start[m + 1] = at;
  P->G.n++;
}

/* Rows that are independent, by Gram and Schmidt with the longest first, over free unknowns. */
static void find_rank(problem *P) {
  long double rows[ROWS][MOST] = {{0.0L}}, size[ROWS];
  for (int m = 0; m < P->G.n; m++) {
    size[m] = 0.0L;
    for (int at = P->G_start[m]; at < P->G_start[m + 1]; at++)
      if (P->part[P->G_dof[at]] != 2) rows[m][P->G_dof[at]] = (long double)P->G_x[at];
    for (int i = 0; i < P->n; i++) size[m] += rows[m][i] * rows[m][i];
    for (int i = 0; size[m] > 0.0L && i < P->n; i++) rows[m][i] /= sqrtl(size[m]);
  }
  P->nearest = 1.0;
  for (P->n_kept = 0;; P->n_kept++) {
    int best = -1;
    long double most = 1e-10L;
    for (int m = 0; m < P->G.n; m++) {
      long double sum = 0.0L;
      for (int i = 0; i < P->n; i++) sum += rows[m][i] * rows[m][i];
      if (sum > most) most = sum, best = m;
    }
    if (best < 0) return;
    P->kept[P->n_kept] = best;
    P->nearest = fmin(P->nearest, (double)most);
    long double e[MOST];
    for (int i = 0; i < P->n; i++) e[i] = rows[best][i] / sqrtl(most);
    for (int m = 0; m < P->G.n; m++) {
      long double along = 0.0L;
      for (int i = 0; i < P->n; i++) along += rows[m][i] * e[i];
      for (int i = 0; i < P->n; i++) rows[m][i] -= along * e[i];
    }
    for (int i = 0; i < P->n; i++) rows[best][i] = 0.0L;
  }
}

static void add_contacts(problem *P, int dim, prc_random *r) {
  P->H = (prc_rows){.n = CONTACTS, .dim = dim, .start = P->H_start, .dof = P->H_dof, .x = P->H_x};
  for (int c = 0; c < CONTACTS; c++) {
    int count = 0, *dof = P->H_dof + P->H_start[c];
    for (int i = 0; i < P->n && count < WIDE; i++)
      if (P->part[i] != 0 && below(r, 3) == 0) dof[count++] = i;
    P->H_start[c + 1] = P->H_start[c] + count;
    for (int k = 0; k < dim * count; k++) P->H_x[dim * P->H_start[c] + k] = uniform(r);
  }
  for (int k = 0; k < dim * CONTACTS; k++) P->p[k] = uniform(r);
}

static void make_problem(problem *P, shape s, int dim, double spread, double condition, prc_random *r) {
  double exact[MOST];
  *P = (problem){.n = 4 + below(r, MOST - 3)};
  fill_matrix(P, s, condition, r);
  for (int i = 0; i < P->n; i++) {
    const int any = below(r, 6);
    P->part[i] = (char)(any == 0 ? 0 : any == 1 ? 2 : 1);
    P->place[i] = P->part[i] == 2 ? -1 : P->n_free++;
    P->b[i] = uniform(r), exact[i] = uniform(r);
    if (P->part[i] == 2) P->b[i] = exact[i];
  }
  P->G = (prc_rows){.dim = 1, .start = P->G_start, .dof = P->G_dof, .x = P->G_x};
  const int rows = below(r, ROWS + 1);
  for (int k = 0; k < rows; k++) add_row(P, k > P->n_free / 2 || below(r, 4) == 0, r);
  for (int m = 0; m < P->G.n; m++) {
    const double scale = pow(10.0, spread * uniform(r));
    for (int at = P->G_start[m]; at < P->G_start[m + 1]; at++) P->G_x[at] *= scale;
    for (int at = P->G_start[m]; at < P->G_start[m + 1]; at++) P->g[m] += P->G_x[at] * exact[P->G_dof[at]];
  }
  find_rank(P);
  add_contacts(P, dim, r);
}

static prc_operator *operator_of(const problem *P, const char *name) {
  prc_operator *op = NULL;
  const prc_operator_plan plan = {
      .part = P->part, .has_mass = 1, .may_change = 1, .joints = &P->G, .mass = P->mass};
  support_ok(prc_operator_create(name, P->S, &plan, &op, &err), &err);
  support_ok(prc_operator_set_joints(op, &P->G, &err), &err);
  prc_operator_aim_joints(op, P->g);
  return op;
}

/* ---- the reference -------------------------------------------------------------------------------------------------------- */

typedef struct {
  int n;
  long double a[ALL][ALL], b[ALL];
} dense;

/* b := A^-1 b with exchanges of rows */
static void eliminate(dense *D) {
  for (int k = 0; k < D->n; k++) {
    int best = k;
    for (int i = k; i < D->n; i++)
      if (fabsl(D->a[i][k]) > fabsl(D->a[best][k])) best = i;
    for (int j = 0; j < D->n; j++) {
      const long double swap = D->a[k][j];
      D->a[k][j] = D->a[best][j], D->a[best][j] = swap;
    }
    const long double swap = D->b[k];
    D->b[k] = D->b[best], D->b[best] = swap;
    for (int i = k + 1; i < D->n; i++) {
      const long double l = D->a[i][k] / D->a[k][k];
      for (int j = k; l != 0.0L && j < D->n; j++) D->a[i][j] -= l * D->a[k][j];
      D->b[i] -= l * D->b[k];
    }
  }
  for (int k = D->n - 1; k >= 0; k--) {
    for (int j = k + 1; j < D->n; j++) D->b[k] -= D->a[k][j] * D->b[j];
    D->b[k] /= D->a[k][k];
  }
}

/* x of A x = f + G'l, G x = g on free unknowns; prescribed ones as given in b of the problem where `whole`, else zero, and g too. */
static void solve_exactly(const problem *P, const long double *f, int whole, long double *x) {
  static dense D;
  memset(&D, 0, sizeof D);
  D.n = P->n_free + P->n_kept;
  for (int i = 0; i < P->n; i++) {
    const int row = P->place[i];
    if (row < 0) continue;
    D.b[row] = f[i];
    for (int j = 0; j < P->n; j++)
      if (P->place[j] >= 0)
        D.a[row][P->place[j]] = (long double)P->A[i][j];
      else if (whole)
        D.b[row] -= (long double)P->A[i][j] * (long double)P->b[j];
  }
  for (int k = 0; k < P->n_kept; k++) {
    const int m = P->kept[k], row = P->n_free + k;
    D.b[row] = whole ? (long double)P->g[m] : 0.0L;
    for (int at = P->G_start[m]; at < P->G_start[m + 1]; at++) {
      const int dof = P->G_dof[at];
      if (P->place[dof] >= 0)
        D.a[row][P->place[dof]] = D.a[P->place[dof]][row] = (long double)P->G_x[at];
      else if (whole)
        D.b[row] -= (long double)P->G_x[at] * (long double)P->b[dof];
    }
  }
  eliminate(&D);
  for (int i = 0; i < P->n; i++)
    x[i] = P->place[i] >= 0 ? D.b[P->place[i]] : whole ? (long double)P->b[i] : 0.0L;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------------ */

static void pull_exactly(const problem *P, double scale, long double *f) {
  const int dim = P->H.dim;
  for (int c = 0; c < CONTACTS; c++) {
    const int first = P->H_start[c], count = P->H_start[c + 1] - first;
    for (int r = 0; r < dim; r++)
      for (int d = 0; d < count; d++)
        f[P->H_dof[first + d]] +=
            (long double)(scale * P->H_x[dim * first + r * count + d] * P->p[dim * c + r]);
  }
}

/* What rounding leaves of a solve. */
static double tolerance_of(const problem *P) {
  return fmax(1e-11, 1e-14 / P->nearest);
}

static void compare_steps(const problem *P, const char *name) {
  prc_operator *op = operator_of(P, name);
  long double f[MOST], expected[MOST], size = 0.0L;
  double x[MOST], l[ROWS];
  int forces = 0;
  for (int contacts = 0; contacts < 2; contacts++) {
    for (int i = 0; i < P->n; i++) f[i] = (long double)(x[i] = P->b[i]);
    support_ok(prc_operator_begin(op, NULL, x, &err), &err);
    if (!contacts) solve_exactly(P, f, 1, expected);
    for (int i = 0; i < P->n; i++) size = fmaxl(size, fabsl(expected[i]));
    for (int i = 0; !contacts && i < P->n; i++)
      if (P->part[i] != 0)
        ck_assert_double_lt((double)fabsl((long double)x[i] - expected[i]), tolerance_of(P) * (double)size);
    if (contacts) pull_exactly(P, 0.7, f), solve_exactly(P, f, 1, expected);
    prc_operator_finish(op, &P->H, contacts ? CONTACTS : 0, NULL, 0.7, P->p, x);
    for (int i = 0; i < P->n; i++)
      ck_assert_double_lt((double)fabsl((long double)x[i] - expected[i]), tolerance_of(P) * (double)size);
  }
  prc_operator_joint_forces(op, l);
  for (int m = 0; m < P->G.n; m++) forces += l[m] != 0.0;
  ck_assert_int_le(forces, P->n_kept);
  prc_operator_free(&op);
}

/* scale (H A^-1 H')_ij with joints eliminated: what a unit force at j does at i */
static long double exact_W(const problem *P, int i, int j) {
  const int dim = P->H.dim;
  long double f[MOST] = {0.0L}, x[MOST], sum = 0.0L;
  const int cj = j / dim, first = P->H_start[cj], count = P->H_start[cj + 1] - first;
  for (int d = 0; d < count; d++)
    f[P->H_dof[first + d]] = (long double)P->H_x[dim * first + j % dim * count + d];
  solve_exactly(P, f, 0, x);
  const int ci = i / dim, start = P->H_start[ci], many = P->H_start[ci + 1] - start;
  for (int d = 0; d < many; d++)
    sum += (long double)P->H_x[dim * start + i % dim * many + d] * x[P->H_dof[start + d]];
  return sum;
}

static double entry_of(const prc_blocks *W, int dim, int i, int j) {
  for (int at = W->row_start[i / dim]; at < W->row_start[i / dim + 1]; at++)
    if (W->column[at] == j / dim) return W->values[dim * dim * at + dim * (i % dim) + j % dim];
  return 0.0;
}

static void compare_W(const problem *P, const char *name) {
  prc_operator *op = operator_of(P, name);
  const int list[] = {0, 2, 3, 5}, n = 4, dim = P->H.dim, rows = n * dim;
  double W[16 * 16], size = 0.0;
  prc_block_matrix blocks = {0};
  prc_operator_condense_dense(op, &P->H, n, list, 0.6, W);
  support_ok(prc_operator_condense_blocks(op, &P->H, n, list, 0.6, &blocks, &err), &err);
  for (int i = 0; i < rows; i++) size = fmax(size, W[i * rows + i]);
  for (int i = 0; i < n; i++)
    for (int at = blocks.blocks.row_start[i] + 1; at < blocks.blocks.row_start[i + 1]; at++)
      ck_assert_int_gt(blocks.blocks.column[at], blocks.blocks.column[at - 1]);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      const int a = dim * list[i / dim] + i % dim, b = dim * list[j / dim] + j % dim;
      const double expected = 0.6 * (double)exact_W(P, a, b);
      ck_assert_double_lt(fabs(W[i * rows + j] - expected), tolerance_of(P) * (1e-3 + size));
      ck_assert_double_eq(W[i * rows + j], W[j * rows + i]);
      const double by_blocks = entry_of(&blocks.blocks, dim, i, j);
      ck_assert_double_lt(fabs(by_blocks - expected), tolerance_of(P) * (1e-3 + size));
      ck_assert_double_eq(by_blocks, entry_of(&blocks.blocks, dim, j, i));
    }
  prc_block_matrix_free(&blocks);
  prc_operator_free(&op);
}

START_TEST(operators_with_joints_solve_the_whole_system) {
  prc_random r = {17};
  for (int k = 0; k < 400; k++)
    for (int s = 0; s < N_SHAPES; s++) {
      problem P;
      make_problem(&P, (shape)s, 1 + k % 4, 2.0, 1.0, &r);
      for (int name = 0; name < (s == DIAGONAL ? 3 : 2); name++) compare_steps(&P, names[name]);
      prc_sym_free(&P.S);
    }
}
END_TEST

START_TEST(W_is_the_complement_of_the_whole_system) {
  prc_random r = {18};
  for (int k = 0; k < 40; k++)
    for (int s = 0; s < N_SHAPES; s++) {
      problem P;
      make_problem(&P, (shape)s, 1 + k % 4, 2.0, 1.0, &r);
      for (int name = 0; name < (s == DIAGONAL ? 3 : 2); name++) compare_W(&P, names[name]);
      prc_sym_free(&P.S);
    }
}
END_TEST

/* ---- rows that depend on others ---------------------------------------------------------------------------------------- */

/* x without joints: with them much of that cancels. */
static void find_bare(const problem *P, double *x) {
  prc_operator *op = NULL;
  const prc_operator_plan plan = {.part = P->part, .has_mass = 1};
  support_ok(prc_operator_create("direct", P->S, &plan, &op, &err), &err);
  memcpy(x, P->b, sizeof P->b);
  support_ok(prc_operator_begin(op, NULL, x, &err), &err);
  prc_operator_finish(op, &P->H, CONTACTS, NULL, 1.0, P->p, x);
  prc_operator_free(&op);
}

/* Rows of sizes from 1e-6 to 1e6, A of a condition of 1e8: what is solved is what was asked for, and no more rows carry forces than are
 * independent. */
START_TEST(sizes_of_rows_and_of_A_hide_no_dependence) {
  prc_random r = {19};
  for (int k = 0; k < 1000; k++)
    for (int s = 0; s < N_SHAPES; s++) {
      problem P;
      double x[MOST], bare[MOST], l[ROWS];
      int forces = 0;
      make_problem(&P, (shape)s, 2, 6.0, 1e8, &r);
      if (P.nearest < 1e-4) {
        prc_sym_free(&P.S);
        continue;
      }
      prc_operator *op = operator_of(&P, names[s == DIAGONAL ? 2 : k % 2]);
      memcpy(x, P.b, sizeof x);
      support_ok(prc_operator_begin(op, NULL, x, &err), &err);
      prc_operator_finish(op, &P.H, CONTACTS, NULL, 1.0, P.p, x);
      prc_operator_joint_forces(op, l);
      find_bare(&P, bare);
      for (int m = 0; m < P.G.n; m++) {
        double sum = -P.g[m], size = fabs(P.g[m]);
        for (int at = P.G_start[m]; at < P.G_start[m + 1]; at++) {
          sum += P.G_x[at] * x[P.G_dof[at]];
          size += fabs(P.G_x[at]) * (fabs(x[P.G_dof[at]]) + fabs(bare[P.G_dof[at]]));
        }
        ck_assert_double_le(fabs(sum), 1e-9 * size);
        forces += l[m] != 0.0;
      }
      ck_assert_int_le(forces, P.n_kept);
      prc_operator_free(&op);
      prc_sym_free(&P.S);
    }
}
END_TEST

/* Points on a line, each at a distance from the next: of a closed chain of bodies the last row depends on all others. */
START_TEST(a_long_chain_that_closes_has_one_row_too_many) {
  enum { N = 200 };
  prc_sym *A = NULL;
  char part[N];
  static int start[N + 1], dof[2 * N];
  static double g[2 * N], x[N], l[N];
  support_ok(prc_sym_create(N, N, &A, &err), &err);
  for (int i = 0; i < N; i++)
    A->p[i + 1] = i + 1, A->i[i] = i, A->x[i] = 1.0 + i % 3, part[i] = 1, x[i] = i % 7;
  for (int m = 0; m < N; m++) {
    start[m + 1] = 2 * m + 2;
    const int last = m == N - 1;
    dof[2 * m] = last ? 0 : m, dof[2 * m + 1] = last ? N - 1 : m + 1;
    g[2 * m] = 1.0, g[2 * m + 1] = -1.0;
  }
  const prc_rows G = {.n = N, .dim = 1, .start = start, .dof = dof, .x = g};
  const prc_operator_plan plan = {.part = part, .joints = &G};
  prc_operator *op = NULL;
  int idle = 0;
  support_ok(prc_operator_create("diagonal", A, &plan, &op, &err), &err);
  support_ok(prc_operator_set_joints(op, &G, &err), &err);
  support_ok(prc_operator_begin(op, NULL, x, &err), &err);
  prc_operator_finish(op, NULL, 0, NULL, 1.0, NULL, x);
  prc_operator_joint_forces(op, l);
  for (int i = 1; i < N; i++)
    ck_assert_double_eq_tol(x[i], x[0], 1e-12); /* all of one value: that of the mean */
  for (int m = 0; m < N; m++) idle += l[m] == 0.0;
  ck_assert_int_eq(idle, 1);
  prc_operator_free(&op);
  prc_sym_free(&A);
}
END_TEST

/* One unknown, x = 1 and 2 x = g. */
static prc_operator *two_rows(prc_sym **A, const prc_rows *G, const char *part) {
  prc_operator *op = NULL;
  const prc_operator_plan plan = {.part = part, .joints = G, .may_change = 1};
  support_ok(prc_sym_create(1, 1, A, &err), &err);
  (*A)->p[1] = 1, (*A)->x[0] = 4.0;
  support_ok(prc_operator_create("auto", *A, &plan, &op, &err), &err);
  return op;
}

START_TEST(rows_that_contradict_each_other_are_named) {
  int start[] = {0, 1, 2}, dof[] = {0, 0};
  double g[] = {1.0, 2.0}, aim[] = {1.0, 2.0}, x = 0.0, by;
  const prc_rows G = {.n = 2, .dim = 1, .start = start, .dof = dof, .x = g};
  prc_sym *A = NULL;
  prc_operator *op = two_rows(&A, &G, (char[]){1});
  support_fails(prc_operator_begin(op, NULL, &x, &err), PRC_INPUT, &err, "joints have no values");
  prc_error_clear(&err);
  support_ok(prc_operator_set_joints(op, &G, &err), &err);
  prc_operator_aim_joints(op, aim);
  support_ok(prc_operator_begin(op, NULL, &x, &err), &err);
  ck_assert_double_eq_tol(x, 1.0, 1e-15);
  ck_assert_int_eq(prc_operator_contradiction(op, &by), -1);
  aim[1] = 2.1, x = 0.0;
  prc_operator_aim_joints(op, aim);
  support_fails(prc_operator_begin(op, NULL, &x, &err), PRC_INPUT, &err, "contradicts the others");
  ck_assert_int_ge(prc_operator_contradiction(op, &by), 0);
  ck_assert_double_ge(fabs(by), 0.04);
  prc_error_clear(&err);
  prc_operator_size_joints(op, 1e9); /* small against what they are corrections of */
  x = 0.0;
  support_ok(prc_operator_begin(op, NULL, &x, &err), &err);
  prc_operator_aim_joints(op, NULL);
  prc_operator_size_joints(op, 0.0);
  x = 5.0;
  support_ok(prc_operator_begin(op, NULL, &x, &err), &err);
  ck_assert_double_eq_tol(x, 0.0, 1e-16);
  g[0] = NAN;
  support_ok(prc_operator_set_joints(op, &G, &err), &err); /* nothing is independent of that, ... */
  support_fails(prc_operator_begin(op, NULL, &x, &err), PRC_INPUT, &err,
                "contradicts"); /* ... nor agrees with it */
  prc_operator_free(&op);
  prc_sym_free(&A);
}
END_TEST

/* All unknowns prescribed: the rows must agree with them, and can do nothing. */
START_TEST(rows_of_what_is_prescribed_must_agree_with_it) {
  prc_error_clear(&err);
  int start[] = {0, 1, 2}, dof[] = {0, 0};
  double g[] = {1.0, 2.0}, aim[] = {1.0, 2.0}, x = 1.0, l[2];
  const prc_rows G = {.n = 2, .dim = 1, .start = start, .dof = dof, .x = g};
  prc_sym *A = NULL;
  prc_operator *op = two_rows(&A, &G, (char[]){2});
  support_ok(prc_operator_set_joints(op, &G, &err), &err);
  prc_operator_aim_joints(op, aim);
  support_ok(prc_operator_begin(op, NULL, &x, &err), &err);
  prc_operator_joint_forces(op, l);
  ck_assert(x == 1.0 && l[0] == 0.0 && l[1] == 0.0);
  x = 1.5;
  support_fails(prc_operator_begin(op, NULL, &x, &err), PRC_INPUT, &err, "contradicts");
  prc_operator_free(&op);
  prc_sym_free(&A);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------------------------------------ */

START_TEST(what_cannot_be_is_refused) {
  prc_error_clear(&err);
  int start[] = {0, 1}, dof[] = {0};
  double g[] = {1.0}, x = 0.0;
  prc_rows G = {.n = 1, .dim = 1, .start = start, .dof = dof, .x = g};
  prc_sym *A = NULL;
  prc_operator *op = two_rows(&A, &G, (char[]){1});
  prc_operator_plan plan = {.part = (char[]){1}, .joints = &G, .tolerance = 1e-13};
  prc_rows other = {
      .n = 2, .dim = 1, .start = (int[]){0, 1, 2}, .dof = (int[]){0, 0}, .x = (double[]){1.0, 1.0}};
  support_fails(prc_operator_set_joints(op, &other, &err), PRC_INPUT, &err, "another pattern");
  prc_error_clear(&err);
  support_ok(prc_operator_set_joints(op, &G, &err), &err);
  support_ok(prc_operator_set(op, A, &err), &err);
  support_fails(prc_operator_begin(op, NULL, &x, &err), PRC_INPUT, &err,
                "joints have no values"); /* A is another */
  prc_error_clear(&err);
  support_ok(prc_operator_turn_joints(op, &G, &err), &err);
  support_ok(prc_operator_begin(op, NULL, &x, &err), &err);
  prc_operator_free(&op);
  support_fails(prc_operator_create("iterative", A, &plan, &op, &err), PRC_INPUT, &err,
                "'iterative' has no joints");
  prc_error_clear(&err);
  plan.part = (char[]){0};
  support_fails(prc_operator_create("auto", A, &plan, &op, &err), PRC_INPUT, &err, "of part 0");
  prc_error_clear(&err);
  plan.part = (char[]){1}, dof[0] = 1;
  support_fails(prc_operator_create("auto", A, &plan, &op, &err), PRC_INPUT, &err, "unknown 1 of 1");
  prc_error_clear(&err);
  dof[0] = 0, G.dim = 2;
  support_fails(prc_operator_create("auto", A, &plan, &op, &err), PRC_INPUT, &err, "dim 2, expected 1");
  prc_error_clear(&err);
  plan.joints = NULL;
  support_ok(prc_operator_create("auto", A, &plan, &op, &err), &err);
  support_fails(prc_operator_set_joints(op, &other, &err), PRC_INPUT, &err, "without joints");
  prc_operator_free(&op);
  prc_sym_free(&A);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

START_TEST(steps_with_joints_allocate_nothing) {
  prc_random r = {20};
  problem P;
  double x[MOST], W[CONTACTS * 4 * CONTACTS * 4];
  prc_block_matrix blocks = {0};
  make_problem(&P, (shape)_i, 3, 1.0, 1.0, &r);
  prc_operator *op = operator_of(&P, names[_i == DIAGONAL ? 2 : 0]);
  prc_status status = prc_operator_condense_blocks(op, &P.H, CONTACTS, NULL, 1.0, &blocks, &err);
  support_watch(0);
  for (int k = 0; k < 3 && status == PRC_OK; k++) {
    status = prc_operator_set_joints(op, &P.G, &err);
    memcpy(x, P.b, sizeof x);
    if (status == PRC_OK) status = prc_operator_begin(op, NULL, x, &err);
    prc_operator_condense_dense(op, &P.H, CONTACTS, NULL, 1.0, W);
    if (status == PRC_OK) status = prc_operator_condense_blocks(op, &P.H, CONTACTS, NULL, 1.0, &blocks, &err);
    prc_operator_finish(op, &P.H, CONTACTS, NULL, 1.0, P.p, x);
  }
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  ck_assert_uint_gt(prc_operator_get_facts(op).bytes, 0);
  prc_block_matrix_free(&blocks);
  prc_operator_free(&op);
  prc_sym_free(&P.S);
}
END_TEST

START_TEST(a_refused_allocation_is_a_message) {
  prc_random r = {21};
  problem P;
  int failures = 0;
  make_problem(&P, BODIES, 2, 1.0, 1.0, &r);
  while (P.G.n < 4) {
    prc_sym_free(&P.S);
    make_problem(&P, BODIES, 2, 1.0, 1.0, &r);
  }
  for (int fail_at = 1;; fail_at++) {
    prc_operator *op = NULL;
    prc_block_matrix blocks = {0};
    const prc_operator_plan plan = {.part = P.part, .has_mass = 1, .joints = &P.G};
    prc_error_clear(&err);
    support_watch(fail_at);
    prc_status status = prc_operator_create("direct", P.S, &plan, &op, &err);
    if (status == PRC_OK) status = prc_operator_set_joints(op, &P.G, &err);
    if (status == PRC_OK) status = prc_operator_condense_blocks(op, &P.H, CONTACTS, NULL, 1.0, &blocks, &err);
    prc_operator_free(&op);
    prc_block_matrix_free(&blocks);
    support_look_away();
    ck_assert_int_eq(support_allocator.live, 0);
    if (status == PRC_OK) break;
    ck_assert_int_eq(status, PRC_NOMEM);
    ck_assert_ptr_nonnull(strstr(err.message, "memory"));
    failures++;
  }
  ck_assert_int_gt(failures, 30);
  prc_sym_free(&P.S);
}
END_TEST

SUITE(joined) {
  Suite *suite = suite_create("joined");
  TCase *step = tcase_create("step"), *rank = tcase_create("rank"), *memory = tcase_create("memory");
  prc_dense_single_thread();
  tcase_set_timeout(step, 60);
  tcase_set_timeout(rank, 60);
  tcase_add_test(step, operators_with_joints_solve_the_whole_system);
  tcase_add_test(step, W_is_the_complement_of_the_whole_system);
  tcase_add_test(rank, sizes_of_rows_and_of_A_hide_no_dependence);
  tcase_add_test(rank, a_long_chain_that_closes_has_one_row_too_many);
  tcase_add_test(rank, rows_that_contradict_each_other_are_named);
  tcase_add_test(rank, rows_of_what_is_prescribed_must_agree_with_it);
  tcase_add_test(rank, what_cannot_be_is_refused);
  tcase_add_loop_test(memory, steps_with_joints_allocate_nothing, 0, N_SHAPES);
  tcase_add_test(memory, a_refused_allocation_is_a_message);
  suite_add_tcase(suite, step);
  suite_add_tcase(suite, rank);
  suite_add_tcase(suite, memory);
  return suite;
}
