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

int main(void) {
  Suite *suite = suite_create("cone speed");
  TCase *one = tcase_create("one contact");
  tcase_add_loop_test(one, one_contact_that_slips_is_solved, 0, 3 * N_KINDS);
  suite_add_tcase(suite, one);
  return support_run(suite);
}
