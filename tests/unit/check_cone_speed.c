#include "config.h"
#include "cone/cone.h"
#include "cone/solvers/local.h"
#include "support/methods.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Friction that depends on the speed: one contact, the measure, and problems made of their solutions. The laws here are written in long double;
 * what a solver is told is rounded from them. */

#define DIM PRC_CONE_DIM_MOST

/* ---- laws ---------------------------------------------------------------------------------------------- */

typedef enum { STEADY, REGULAR, WEAKENING, N_KINDS } law_kind;

/* STEADY: mu = a.  REGULAR (rate and state): mu = a asinh(V / 2 V_0 exp(psi / a)), y = ln(exp(psi / a) / 2 V_0).  WEAKENING: mu = a + b / (1 + V / V_0). */
typedef struct {
  law_kind kind;
  double a, b, V_0, y;
  long calls;
} law;

static long double friction_l(const law *f, long double V) {
  if (f->kind == STEADY) return f->a;
  if (f->kind == WEAKENING) return f->a + f->b / (1.0L + V / f->V_0);
  const long double ln = V > 0.0L ? logl(V) + f->y : -INFINITY;
  return f->a * (ln > 300.0L ? ln + logl(2.0L) : asinhl(expl(ln)));
}

/* As rows of the table of laws do it: doubles, through logarithms. */
static double friction_of(const void *owner, int c, double V, double *slope) {
  law *f = (law *)(uintptr_t)owner + c;
  f->calls++;
  if (f->kind == STEADY) {
    *slope = 0.0;
    return f->a;
  }
  if (f->kind == WEAKENING) {
    const double share = 1.0 / (1.0 + V / f->V_0);
    *slope = -f->b * share * share / f->V_0;
    return f->a + f->b * share;
  }
  const double ln = V > 0.0 ? log(V) + f->y : -INFINITY;
  if (ln > 300.0) {
    *slope = f->a / V;
    return f->a * (ln + 0.69314718055994530942);
  }
  const double x = exp(ln);
  *slope = V > 0.0 ? f->a * (x / sqrt(1.0 + x * x)) / V : f->a * exp(f->y);
  return f->a * asinh(x);
}

static double uniform(prc_random *r, double low, double high) {
  return prc_random_uniform(r, low, high);
}
static double decades(prc_random *r, double low, double high) {
  return pow(10.0, uniform(r, low, high));
}

/* Rate and state as faults have it: mu = 0.3 to 0.9 at a speed near V, or far in its linear part. */
static law draw_law(prc_random *r, law_kind kind, double V) {
  law f = {.kind = kind, .a = uniform(r, 0.0, 1.0), .b = uniform(r, 0.0, 0.5), .V_0 = V * decades(r, -2, 2)};
  if (kind != REGULAR) return f;
  f.a = decades(r, -3, -1);
  f.y = (uniform(r, 0, 5) < 1.0 ? uniform(r, -20, 0) : uniform(r, 0.3, 0.9) / f.a) - log(V);
  return f;
}

/* ---- one contact ----------------------------------------------------------------------------------------- */

/* W = scale G G' of unit diagonal up to its rows' sizes, the tangential rows coupled with the normal one by up to `coupling`. */
static void draw_block(prc_random *r, int dim, double coupling, double *W) {
  double G[DIM][DIM] = {{0.0}}, size[DIM];
  for (int i = 0; i < dim; i++) {
    size[i] = decades(r, -1, 1);
    for (int k = 0; k < dim; k++) G[i][k] = i == 0 ? k == 0 : uniform(r, -1, 1);
    if (i > 0) G[i][0] = uniform(r, -coupling, coupling);
  }
  const double scale = decades(r, -6, 6);
  for (int i = 0; i < dim; i++)
    for (int k = 0; k < dim; k++) {
      double sum = 0.0;
      for (int j = 0; j < dim; j++) sum += G[i][j] * G[k][j];
      W[dim * i + k] = scale * size[i] * size[k] * sum;
    }
}

static void direction(prc_random *r, int m, double *d) {
  double size = 0.0;
  do {
    size = 0.0;
    for (int k = 0; k < m; k++) d[k] = uniform(r, -1, 1), size += d[k] * d[k];
  } while (!(size > 1e-2 && size < 1.0));
  for (int k = 0; k < m; k++) d[k] /= sqrt(size);
}

/* q of a contact that slips at V, with what percussion. Returns mu |W_NT| / W_NN: from 1 on, friction wedges. */
static double known_slip(prc_random *r, int dim, const law *f, const double *W, double V, double *q) {
  double d[DIM] = {0.0}, across = 0.0;
  long double p[DIM];
  direction(r, dim - 1, d);
  const long double mu = friction_l(f, V);
  p[0] = V / W[dim + 1] * decades(r, -4, 16);
  for (int k = 1; k < dim; k++) p[k] = -mu * p[0] * d[k - 1], across += W[k] * W[k];
  for (int i = 0; i < dim; i++) {
    long double sum = i > 0 ? (long double)V * d[i - 1] : 0.0L;
    for (int k = 0; k < dim; k++) sum -= W[dim * i + k] * p[k];
    q[i] = (double)sum;
  }
  return (double)mu * sqrt(across) / W[0];
}

/* By how much p breaks the law, in units of the rounding that W p + q has: w_N = 0, w_T against p_T, and mu = |p_T| / p_N that of a speed as near to
 * |w_T| as that. */
static double broken(int dim, const law *f, const double *W, const double *q, const double *p) {
  long double w[DIM], size_w = 0.0L, size_p = 0.0L, V = 0.0L, T = 0.0L, least = INFINITY, most = 0.0L;
  for (int i = 0; i < dim; i++) {
    w[i] = q[i];
    for (int k = 0; k < dim; k++) w[i] += (long double)W[dim * i + k] * p[k];
  }
  for (int i = 0; i < dim * dim; i++) size_w += (long double)W[i] * W[i];
  for (int i = 0; i < dim; i++) size_p += (long double)p[i] * p[i];
  size_w = sqrtl(size_w * size_p) * 0x1p-53L;
  for (int i = 1; i < dim; i++) V += w[i] * w[i], T += (long double)p[i] * p[i];
  V = sqrtl(V), T = sqrtl(T);
  long double worst = fabsl(w[0]) / size_w;
  for (int i = 1; i < dim; i++) worst = fmaxl(worst, fabsl(w[i] + V * p[i] / T) / size_w);
  for (int k = -1; k <= 1; k++) {
    const long double mu = friction_l(f, fmaxl(V + 1000.0L * k * size_w, 0.0L));
    least = fminl(least, mu), most = fmaxl(most, mu);
  }
  const long double mu = T / p[0], rounding = 0x1p-53L * mu;
  if (mu < least && !(V < 1000.0L * size_w)) worst = fmaxl(worst, (least - mu) / rounding);
  if (mu > most) worst = fmaxl(worst, (mu - most) / rounding);
  return (double)worst;
}

START_TEST(one_contact_that_slips_is_solved) {
  const int dim = 2 + _i / N_KINDS;
  const law_kind which = (law_kind)(_i % N_KINDS);
  prc_random r = {.state = 5 + (uint64_t)_i};
  long most = 0, all = 0, count = 0;
  double worst = 0.0;
  for (int trial = 0; trial < 20000; trial++) {
    double W[DIM * DIM], q[DIM], p[DIM] = {0.0};
    const double V = decades(&r, -14, 1);
    law f = draw_law(&r, which, V);
    const double mu[] = {0.0};
    draw_block(&r, dim, 0.6, W);
    if (!(known_slip(&r, dim, &f, W, V, q) < 0.95) || !(q[0] < 0.0)) continue;
    const prc_cone_problem problem = {
        .dim = dim, .n = 1, .W = W, .b = q, .mu = mu, .friction = friction_of, .friction_owner = &f};
    prc_cone_local_of_speed(&problem, 0, W, q, p);
    const double error = broken(dim, &f, W, q, p);
    if (error > worst) worst = error;
    if (f.calls > most) most = f.calls;
    all += f.calls, count++;
  }
  if (getenv("PRC_TEST_SHOW"))
    printf("dim %d kind %d: %ld, worst %.2e, calls %.2f, most %ld\n", dim, which, count, worst,
           (double)all / (double)count, most);
  ck_assert_int_gt(count, 10000);
  ck_assert_double_le(worst, 5e4);
  ck_assert_int_le(most, 100);
}
END_TEST

/* ---- many contacts ---------------------------------------------------------------------------------------- */

enum { MOST = 60 };

typedef struct {
  int dim, n;
  double W[DIM * DIM * MOST * MOST], b[DIM * MOST], mu[MOST], p[DIM * MOST], w[DIM * MOST];
  law laws[MOST];
  prc_cone_problem problem;
} known;

/* A solution: percussions and velocities of contacts that are open, stick or slip, as their laws have it. */
static void draw_solution(prc_random *r, known *k, int which, double normal, double slowest, double fastest) {
  const int dim = k->dim;
  for (int c = 0; c < k->n; c++) {
    double d[DIM] = {0.0}, *p = k->p + dim * c, *w = k->w + dim * c;
    const double V = decades(r, slowest, fastest), kind = uniform(r, 0, 6);
    law *f = k->laws + c;
    *f = draw_law(r, which < N_KINDS ? (law_kind)which : kind < 4.0 ? REGULAR : STEADY, V);
    if (which == WEAKENING) f->V_0 = V * decades(r, 0, 2);
    for (int i = 0; i < dim; i++) p[i] = w[i] = 0.0;
    direction(r, dim - 1, d);
    if (kind < 1.0) { /* open */
      w[0] = V;
      for (int i = 1; i < dim; i++) w[i] = V * d[i - 1];
      continue;
    }
    p[0] = normal * uniform(r, 0.5, 2.0);
    const int sticks = f->kind != REGULAR && kind < 5.0;
    const long double mu = friction_l(f, sticks ? 0.0L : V);
    for (int i = 1; i < dim; i++) {
      p[i] = (double)(-mu * p[0] * d[i - 1]) * (sticks ? 0.7 : 1.0);
      w[i] = sticks ? 0.0 : V * d[i - 1];
    }
  }
}

/* b = w - W p, and what a solver is told. */
static void pose(known *k) {
  const int rows = k->dim * k->n;
  for (int i = 0; i < rows; i++) {
    long double sum = k->w[i];
    for (int j = 0; j < rows; j++) sum -= (long double)k->W[i * rows + j] * k->p[j];
    k->b[i] = (double)sum;
  }
  for (int c = 0; c < k->n; c++) k->mu[c] = 0.5, k->laws[c].calls = 0;
  k->problem =
      (prc_cone_problem){.dim = k->dim, .n = k->n, .W = k->W, .symmetric = 1, .b = k->b, .mu = k->mu};
  k->problem.friction = friction_of, k->problem.friction_owner = k->laws;
}

/* W of random bodies: G G', rows of the size of one. */
static void draw_matrix(prc_random *r, known *k, int n_bodies) {
  const int rows = k->dim * k->n;
  static double G[DIM * MOST][DIM * MOST];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n_bodies; j++) G[i][j] = uniform(r, -1, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      double sum = 0.0;
      for (int m = 0; m < n_bodies; m++) sum += G[i][m] * G[j][m];
      k->W[i * rows + j] = sum / n_bodies;
    }
}

/* W of n nodes in a row, masses of one and springs between them: (1 + C^2 K)^-1, C the step in units of Courant's. Rows of a node are coupled a little. */
static void fault_matrix(known *k, double courant) {
  const int n = k->n, dim = k->dim, rows = dim * n;
  static double A[MOST][2 * MOST];
  memset(A, 0, sizeof A);
  for (int i = 0; i < n; i++) {
    A[i][i] = 1.0 + 1e-3 * courant * courant, A[i][n + i] = 1.0;
    for (int j = i - 1; j <= i + 1; j += 2)
      if (j >= 0 && j < n) A[i][j] = -courant * courant, A[i][i] += courant * courant;
  }
  for (int i = 0; i < n; i++) {
    const double one = 1.0 / A[i][i];
    for (int j = 0; j < 2 * n; j++) A[i][j] *= one;
    for (int m = 0; m < n; m++) {
      const double factor = m == i ? 0.0 : A[m][i];
      for (int j = 0; j < 2 * n && factor != 0.0; j++) A[m][j] -= factor * A[i][j];
    }
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      k->W[i * rows + j] =
          0.5 * (A[i / dim][n + j / dim] + A[j / dim][n + i / dim]) * (i % dim == j % dim ? 1.0 : 0.1);
}

static prc_cone_info solve_known(const char *name, known *k, double *p) {
  memset(p, 0, (size_t)(k->dim * k->n) * sizeof *p);
  return solve(name, &k->problem, p);
}

static double apart(int n, const double *x, const double *y) {
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]), size += y[i] * y[i];
  return sqrt(sum / size);
}

static const char *const names[] = {"auto", "gauss-seidel", "newton"};

START_TEST(random_problems_with_a_known_solution) {
  const int dim = 2 + _i % 3, which = _i / 3 % 4;
  prc_random r = {.state = 77 + (uint64_t)_i};
  static known k;
  static double p[DIM * MOST];
  int missed[3] = {0}, iterations[3] = {0};
  double worst = 0.0;
  for (int trial = 0; trial < 100; trial++) {
    k.dim = dim, k.n = 1 + (int)uniform(&r, 0, 20);
    draw_matrix(&r, &k, 3 * dim * k.n);
    draw_solution(&r, &k, which, decades(&r, -2, 6), -8, 0);
    pose(&k);
    for (int m = 0; m < 3; m++) {
      const prc_cone_info info = solve_known(names[m], &k, p);
      missed[m] += !info.converged, iterations[m] += info.iterations;
      const double far = apart(dim * k.n, p, k.p);
      if (info.converged && which != WEAKENING && far > worst) worst = far;
    }
  }
  if (getenv("PRC_TEST_SHOW"))
    printf("dim %d kind %d: missed %d %d %d iterations %d %d %d worst %g\n", dim, which, missed[0], missed[1],
           missed[2], iterations[0], iterations[1], iterations[2], worst);
}
END_TEST

START_TEST(faults_of_any_step) {
  prc_random r = {.state = 7 + (uint64_t)_i};
  static known k;
  static double p[DIM * MOST];
  const double courant = pow(10.0, _i - 0.3);
  for (int trial = 0; trial < 20; trial++) {
    k.dim = 2, k.n = 41;
    fault_matrix(&k, courant);
    draw_solution(&r, &k, REGULAR, decades(&r, 0, 9), -12, trial % 2 ? 0 : -8);
    pose(&k);
    for (int m = 0; m < 3; m++) {
      const prc_cone_info info = solve_known(names[m], &k, p);
      if (getenv("PRC_TEST_SHOW"))
        printf("%s courant %g: %d %d newton %d error %g far %g\n", names[m], courant, info.converged,
               info.iterations, info.newton, info.error.scaled, apart(82, p, k.p));
    }
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cone speed");
  TCase *one = tcase_create("one contact");
  tcase_add_loop_test(one, one_contact_that_slips_is_solved, 0, 3 * N_KINDS);
  suite_add_tcase(suite, one);
  TCase *many = tcase_create("many");
  tcase_add_loop_test(many, random_problems_with_a_known_solution, 0, 12);
  tcase_add_loop_test(many, faults_of_any_step, 0, 7);
  suite_add_tcase(suite, many);
  return support_run(suite);
}
