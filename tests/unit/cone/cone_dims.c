#include "config.h"
#include "cone/cone.h"
#include "cone/problem/local.h"
#include "support/known_contact.h"
#include "support/methods.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Local vectors of dimension 1 (no friction) to 4 (drilling). What is expected comes from enumeration in long double, from another
 * dimension, or from the solution that a problem was made of. Methods are those of the table, each in what it says it can do. */

#define DIM PRC_CONE_DIM_MOST

/* ---- one contact, in long double ------------------------------------------------------------------------------------- */

/* x := A^-1 x by elimination with pivots, n <= 4 */
static void eliminate(int n, const long double *matrix, long double *x) {
  long double A[DIM * DIM];
  memcpy(A, matrix, (size_t)(n * n) * sizeof *A);
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(A[n * i + k]) > fabsl(A[n * pivot + k])) pivot = i;
    for (int j = 0; j < n; j++) {
      const long double swap = A[n * k + j];
      A[n * k + j] = A[n * pivot + j], A[n * pivot + j] = swap;
    }
    const long double swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const long double factor = A[n * i + k] / A[n * k + k];
      for (int j = k; j < n; j++) A[n * i + j] -= factor * A[n * k + j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < n; k++) x[k] /= A[n * k + k];
}

/* p with w_N = 0 and w_T = -z p_T: one linear system. Returns |p_T| - mu p_N. */
static long double slip(int dim, const double *W, const double *q, double mu, long double z, long double *p) {
  long double A[DIM * DIM], tangential = 0.0L;
  for (int i = 0; i < dim * dim; i++) A[i] = (long double)W[i] + (i > 0 && i % (dim + 1) == 0 ? z : 0.0L);
  for (int r = 0; r < dim; r++) p[r] = -(long double)q[r];
  eliminate(dim, A, p);
  for (int r = 1; r < dim; r++) tangential += p[r] * p[r];
  return sqrtl(tangential) - (long double)mu * p[0];
}

/* Open, stick, or the slip that a scan of speeds finds, W definite. Returns how many slips there are where it neither opens nor
 * sticks. */
static int enumerate(int dim, const double *W, const double *q, double mu, long double *p) {
  int n_roots = 0;
  for (int r = 0; r < dim; r++) p[r] = 0.0L;
  if (q[0] >= 0.0) return 1;
  if (dim == 1 || mu == 0.0) {
    p[0] = -(long double)q[0] / W[0];
    return 1;
  }
  if (slip(dim, W, q, mu, 0.0L, p) <= 0.0L) return 1;
  long double best = 0.0L, low = 0.0L, trial[DIM];
  for (int k = -400; k <= 400; k++) {
    const long double z = (long double)W[0] * powl(10.0L, 0.02L * k);
    if ((slip(dim, W, q, mu, z, trial) > 0.0L) == (slip(dim, W, q, mu, low, p) > 0.0L)) {
      low = z;
      continue;
    }
    const int up = slip(dim, W, q, mu, low, p) > 0.0L;
    long double a = low, b = z;
    for (int i = 0; i < 100; i++) {
      const long double middle = 0.5L * (a + b);
      *((slip(dim, W, q, mu, middle, trial) > 0.0L) == up ? &a : &b) = middle;
    }
    n_roots++, best = a, low = z;
  }
  slip(dim, W, q, mu, best, p);
  return n_roots;
}

static void draw_contact(prc_random *r, int dim, double condition, double *W, double *q) {
  double H[DIM * DIM];
  support_delassus(r, dim, dim, condition, H, W);
  for (int k = 0; k < dim; k++) W[k * (dim + 1)] += 1.0 / condition;
  for (int k = 0; k < dim; k++) q[k] = support_normal(r) - (k == 0 ? 1.0 : 0.0);
}

START_TEST(a_contact_of_every_dimension_is_what_enumeration_says) {
  const int dim = _i + 1;
  prc_random r = {(uint64_t)dim};
  int several = 0, slips = 0;
  for (int trial = 0; trial < 400; trial++) {
    const double mu = trial % 8 == 0 ? 0.0 : pow(10.0, prc_random_uniform(&r, -2.0, 0.5));
    double W[DIM * DIM], q[DIM], p[DIM] = {0.0};
    long double expected[DIM], size = 0.0L, off = 0.0L;
    draw_contact(&r, dim, 30.0, W, q);
    if (enumerate(dim, W, q, mu, expected) != 1) {
      several++; /* the fastest slip is taken, but not proved here */
      continue;
    }
    prc_cone_local(dim, W, q, mu, p);
    for (int k = 0; k < dim; k++)
      size = fmaxl(size, fabsl(expected[k])), off = fmaxl(off, fabsl(p[k] - expected[k]));
    slips += dim > 1 && prc_cone_status_of(dim, mu, p) == PRC_CONE_SLIP;
    ck_assert_msg(off <= 1e-12L * size, "dimension %d, trial %d: %Lg of %Lg", dim, trial, off, size);
  }
  ck_assert_int_le(several, 8);
  ck_assert(dim == 1 || slips > 50);
}
END_TEST

START_TEST(every_method_solves_a_contact_of_every_dimension_it_can_do) {
  for (int dim = 1; dim <= DIM; dim++) {
    prc_random r = {11};
    if (!can(_i, dim, &prc_cone_dense)) continue;
    for (int trial = 0; trial < 40; trial++) {
      const double mu = trial % 8 == 0 ? 0.0 : prc_random_uniform(&r, 0.0, 1.0);
      double W[DIM * DIM], q[DIM], p[DIM] = {0.0};
      long double expected[DIM];
      draw_contact(&r, dim, 4.0, W, q);
      if (enumerate(dim, W, q, mu, expected) != 1) continue;
      const prc_cone_problem one = {.dim = dim, .n = 1, .W = W, .b = q, .mu = &mu};
      const prc_cone_info info = solve(ability(_i)->name, &one, p);
      ck_assert_msg(info.converged, "%s, dimension %d, trial %d: error %g", ability(_i)->name, dim, trial,
                    info.error.scaled);
      for (int k = 0; k < dim; k++) ck_assert_double_eq_tol(p[k], (double)expected[k], 1e-7);
    }
  }
}
END_TEST

/* The lengths of drilling radii squared: a row that is 1e-8 to 1e-24 of the others keeps its digits in p. */
START_TEST(a_small_drilling_row_keeps_its_digits) {
  prc_random r = {5};
  for (int trial = 0; trial < 300; trial++) {
    double W[16], q[4], p[4] = {0.0};
    long double expected[4];
    const double mu = prc_random_uniform(&r, 0.05, 1.0),
                 radius = pow(10.0, prc_random_uniform(&r, -12.0, -4.0));
    draw_contact(&r, 4, 10.0, W, q);
    for (int k = 0; k < 4; k++) W[12 + k] *= radius, W[4 * k + 3] *= radius;
    q[3] *= radius;
    if (enumerate(4, W, q, mu, expected) != 1) continue;
    prc_cone_local(4, W, q, mu, p);
    for (int k = 0; k < 4; k++)
      ck_assert_double_eq_tol(p[k], (double)expected[k], 1e-8 * (double)expected[0] + 1e-300);
  }
}
END_TEST

/* Drilling by itself, its row 1e-8 to 1e-24 of the others, sticks with the p that q was made of. */
START_TEST(a_small_drilling_row_by_itself_sticks) {
  prc_random r = {8};
  for (int trial = 0; trial < 200; trial++) {
    double W[16], q[4], p[4] = {0.0};
    const double radius = pow(10.0, prc_random_uniform(&r, -12.0, -4.0)), stuck[4] = {1.0, 0.2, -0.1, 0.3};
    draw_contact(&r, 4, 10.0, W, q);
    for (int k = 0; k < 4; k++) W[12 + k] = W[4 * k + 3] = 0.0;
    W[15] = radius * radius;
    for (int i = 0; i < 4; i++) q[i] = -prc_cone_dot(4, W + 4 * i, stuck);
    if (!(q[0] < 0.0)) continue;
    prc_cone_local(4, W, q, 0.5, p);
    for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(p[k], stuck[k], 1e-11);
  }
}
END_TEST

/* Without symmetry there is no promise; where the coupling is weak the slip is found all the same. */
START_TEST(a_matrix_that_is_not_symmetric_is_taken_as_it_is) {
  prc_random r = {6};
  for (int dim = 3; dim <= 4; dim++)
    for (int trial = 0; trial < 200; trial++) {
      double W[16], q[4], p[4] = {0.0}, w[4];
      const double mu = 0.4;
      draw_contact(&r, dim, 2.0, W, q);
      for (int i = 0; i < dim * dim; i++)
        W[i] = 0.1 * W[i] + (i % (dim + 1) == 0) + 0.02 * support_normal(&r);
      prc_cone_local(dim, W, q, mu, p);
      const prc_cone_problem one = {.dim = dim, .n = 1, .W = W, .b = q, .mu = &mu};
      ck_assert_double_le(prc_cone_error(&one, p, w).scaled, 1e-12);
    }
}
END_TEST

/* ---- several contacts ------------------------------------------------------------------------------------------------- */

#define MOST 8 /* contacts */
#define ROWS (DIM * MOST)

typedef struct {
  prc_cone_problem problem;
  double W[ROWS * ROWS], b[ROWS], mu[MOST], p[ROWS], w[ROWS];
} sample;

/* of known solution p: b = w - W p */
static void make(sample *s, int dim, int n, double mu_most, uint64_t seed) {
  static double H[ROWS * ROWS];
  const int rows = dim * n;
  prc_random r = {seed};
  support_delassus(&r, rows, rows, 10.0, H, s->W);
  for (int i = 0; i < rows; i++) s->W[i * (rows + 1)] += 0.5;
  for (int c = 0; c < n; c++) {
    s->mu[c] = prc_random_uniform(&r, 0.0, mu_most);
    support_contact(&r, dim, s->mu[c], c % 3, s->p + dim * c, s->w + dim * c);
  }
  for (int i = 0; i < rows; i++) {
    s->b[i] = s->w[i];
    for (int j = 0; j < rows; j++) s->b[i] -= s->W[i * rows + j] * s->p[j];
  }
  s->problem = (prc_cone_problem){.dim = dim, .n = n, .W = s->W, .b = s->b, .mu = s->mu};
}

START_TEST(known_solutions_of_every_dimension_have_no_error) {
  static sample s;
  for (int dim = 1; dim <= DIM; dim++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      double w[ROWS];
      make(&s, dim, MOST, 5.0, seed); /* both maps */
      ck_assert_double_le(prc_cone_error(&s.problem, s.p, w).scaled, 1e-14);
      s.p[dim * 2 - 1] += 1e-3;
      ck_assert_double_ge(prc_cone_error(&s.problem, s.p, w).scaled, 1e-6);
    }
}
END_TEST

START_TEST(every_method_solves_several_contacts_of_every_dimension) {
  static sample s;
  for (int dim = 1; dim <= DIM; dim++)
    for (uint64_t seed = 1; seed <= 4 && can(_i, dim, &prc_cone_dense); seed++) {
      double p[ROWS] = {0.0};
      make(&s, dim, MOST, 0.3, seed);
      const prc_cone_info info = solve(ability(_i)->name, &s.problem, p);
      ck_assert_msg(info.converged, "%s, dimension %d: error %g", ability(_i)->name, dim, info.error.scaled);
    }
}
END_TEST

START_TEST(
    without_friction_enumeration_solves_it) { /* w = W p + b, 0 <= w . p: 2^n sets of closed contacts */
  static sample s;
  for (int dim = 1; dim <= DIM; dim++) {
    if (!can(_i, dim, &prc_cone_dense)) continue;
    double p[ROWS] = {0.0}, A[MOST * MOST], expected[MOST];
    int found = 0;
    make(&s, dim, MOST, 0.0, 3);
    for (int set = 0; set < 1 << MOST && !found; set++) {
      double x[MOST];
      found = 1;
      for (int i = 0; i < MOST; i++) {
        const int closed = set >> i & 1;
        x[i] = closed ? -s.b[dim * i] : 0.0;
        for (int j = 0; j < MOST; j++)
          A[MOST * i + j] = closed ? s.W[dim * i * dim * MOST + dim * j] : i == j;
      }
      for (int k = 0; k < MOST; k++) /* Gauss-Jordan: W is definite */
        for (int i = 0; i < MOST; i++) {
          const double factor = i == k ? 0.0 : A[MOST * i + k] / A[MOST * k + k];
          for (int j = 0; j < MOST && i != k; j++) A[MOST * i + j] -= factor * A[MOST * k + j];
          x[i] -= factor * x[k];
        }
      for (int i = 0; i < MOST; i++) expected[i] = x[i] / A[MOST * i + i];
      for (int i = 0; i < MOST; i++) {
        double w = s.b[dim * i];
        for (int j = 0; j < MOST; j++) w += s.W[dim * i * dim * MOST + dim * j] * expected[j];
        if (expected[i] < 0.0 || (!(set >> i & 1) && w < 0.0)) found = 0;
      }
    }
    ck_assert(found);
    if (dim == 1)
      for (int i = 0; i < MOST; i++) s.mu[i] = 0.7; /* which nothing may ask for */
    ck_assert(solve(ability(_i)->name, &s.problem, p).converged);
    for (int i = 0; i < dim * MOST; i++)
      ck_assert_double_eq_tol(p[i], i % dim == 0 ? expected[i / dim] : 0.0, 1e-7);
  }
}
END_TEST

START_TEST(a_drilling_row_of_zeros_leaves_the_problem_in_space) {
  static sample space, drilling;
  if (!can(_i, 3, &prc_cone_dense) || !can(_i, 4, &prc_cone_dense)) return;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    double p3[ROWS] = {0.0}, p4[ROWS] = {0.0};
    make(&space, 3, MOST, 0.5, seed);
    memset(&drilling, 0, sizeof drilling);
    for (int i = 0; i < 3 * MOST; i++) {
      drilling.b[i / 3 * 4 + i % 3] = space.b[i];
      for (int j = 0; j < 3 * MOST; j++)
        drilling.W[(i / 3 * 4 + i % 3) * 4 * MOST + j / 3 * 4 + j % 3] = space.W[i * 3 * MOST + j];
    }
    drilling.problem =
        (prc_cone_problem){.dim = 4, .n = MOST, .W = drilling.W, .b = drilling.b, .mu = space.mu};
    ck_assert(solve(ability(_i)->name, &space.problem, p3).converged);
    const prc_cone_info info = solve(ability(_i)->name, &drilling.problem, p4);
    ck_assert_msg(info.converged, "%s: error %g", ability(_i)->name, info.error.scaled);
    for (int i = 0; i < 4 * MOST; i++)
      ck_assert_double_eq_tol(p4[i], i % 4 < 3 ? p3[i / 4 * 3 + i % 4] : 0.0, 1e-6);
  }
}
END_TEST

START_TEST(turned_tangential_axes_turn_the_percussion) { /* the cone knows no direction in its three rows */
  static sample s, turned;
  const double c = cos(0.7), k = sin(0.7),
               Q[4][4] = {{1, 0, 0, 0}, {0, c * c, -k, c * k}, {0, c * k, c, k * k}, {0, -k, 0, c}};
  double p[ROWS] = {0.0}, x[ROWS] = {0.0};
  const int rows = 4 * MOST;
  make(&s, 4, MOST, 0.5, 9), make(&turned, 4, MOST, 0.5, 9);
  for (int i = 0; i < rows; i++) {
    turned.b[i] = 0.0;
    for (int r = 0; r < 4; r++) turned.b[i] += Q[i % 4][r] * s.b[i / 4 * 4 + r];
    for (int j = 0; j < rows; j++) {
      turned.W[i * rows + j] = 0.0;
      for (int r = 0; r < 4; r++)
        for (int d = 0; d < 4; d++)
          turned.W[i * rows + j] += Q[i % 4][r] * s.W[(i / 4 * 4 + r) * rows + j / 4 * 4 + d] * Q[j % 4][d];
    }
  }
  ck_assert(solve("auto", &s.problem, p).converged);
  ck_assert(solve("auto", &turned.problem, x).converged);
  for (int i = 0; i < rows; i++) {
    double expected = 0.0;
    for (int r = 0; r < 4; r++) expected += Q[i % 4][r] * p[i / 4 * 4 + r];
    ck_assert_double_eq_tol(x[i], expected, 1e-8);
  }
}
END_TEST

SUITE(cone_dims) {
  Suite *suite = suite_create("cone_dims");
  TCase *one = tcase_create("one contact"), *several = tcase_create("several");
  int n;
  prc_cone_abilities(&n);
  tcase_set_timeout(one, 60.0), tcase_set_timeout(several, 60.0);
  tcase_add_loop_test(one, a_contact_of_every_dimension_is_what_enumeration_says, 0, DIM);
  tcase_add_loop_test(one, every_method_solves_a_contact_of_every_dimension_it_can_do, 0, n);
  tcase_add_test(one, a_small_drilling_row_keeps_its_digits);
  tcase_add_test(one, a_small_drilling_row_by_itself_sticks);
  tcase_add_test(one, a_matrix_that_is_not_symmetric_is_taken_as_it_is);
  tcase_add_test(several, known_solutions_of_every_dimension_have_no_error);
  tcase_add_loop_test(several, every_method_solves_several_contacts_of_every_dimension, 0, n);
  tcase_add_loop_test(several, without_friction_enumeration_solves_it, 0, n);
  tcase_add_loop_test(several, a_drilling_row_of_zeros_leaves_the_problem_in_space, 0, n);
  tcase_add_test(several, turned_tangential_axes_turn_the_percussion);
  suite_add_tcase(suite, one), suite_add_tcase(suite, several);
  return suite;
}
