#include "config.h"
#include "cone/cone.h"
#include "cone/problem/local.h"
#include "support/methods.h"
#include "support/speed_laws.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Friction that depends on the speed: one contact, and the measure. */

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
  for (int trial = 0; trial < 5000; trial++) {
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
  ck_assert_int_gt(count, 2500);
  ck_assert_double_le(worst, 5e4);
  ck_assert_int_le(most, 100);
}
END_TEST

/* ---- the measure, exact zeros ---------------------------------------------------------------------------- */

static const char *const names[] = {"auto", "gauss-seidel", "newton"};

/* A speed of 1e-10 between velocities of 1e2: w = W p + b does not have it, the pair of the law that is nearest does; p is a solution, and one that is off by
 * 1e-6 is not. */
START_TEST(rounding_of_velocities_is_no_error) {
  law f = {.kind = REGULAR, .a = 0.01, .y = 0.5 / 0.01 - log(1e-10)};
  const double W[] = {1e-4, 0.0, 0.0, 1e-4}, mu[] = {0.6}, normal = 1e6;
  const double V = 1e-10, b[] = {-1e-4 * normal, (double)(friction_l(&f, V) * 1e-4L * normal + V)};
  const prc_cone_problem problem = {.dim = 2,
                                    .n = 1,
                                    .W = W,
                                    .symmetric = 1,
                                    .b = b,
                                    .mu = mu,
                                    .friction = friction_of,
                                    .friction_owner = &f};
  double p[2] = {0.0}, w[2], found = 0.0, speed = 0.0;
  const prc_cone_info info = solve("gauss-seidel", &problem, p);
  ck_assert(info.converged);
  ck_assert_double_le(prc_cone_error(&problem, p, w).scaled, 1e-14);
  prc_cone_friction_found(&problem, p, w, &found, &speed);
  ck_assert_double_eq_tol(found, (double)friction_l(&f, V), 1e-12);
  ck_assert_double_eq_tol(speed / V, 1.0, 1e-5); /* b is rounded: 1e-14 in mu, of which a is a hundredth */
  p[1] *= 1.0 + 1e-6;
  const double error = prc_cone_error(&problem, p, w).scaled;
  ck_assert_double_ge(error, 1e-7);
  ck_assert_double_le(error, 1e-5);
}
END_TEST

/* Without a tangential drive, without an approach, with a friction that is nothing, with a speed below all numbers. */
START_TEST(exact_zeros) {
  const double W[] = {2.0, 0.0, 0.0, 2.0}, mu[] = {0.0};
  const double free[][2] = {{-1.0, 0.0}, {0.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1e-300}};
  law laws[] = {
      {.kind = REGULAR, .a = 0.01, .y = 60.0}, {.kind = REGULAR, .a = 0.0005, .y = 1200.0}, {.kind = STEADY}};
  for (int i = 0; i < 5; i++)
    for (int f = 0; f < 3; f++)
      for (int m = 0; m < 3; m++) {
        double p[2] = {0.0}, w[2];
        const prc_cone_problem problem = {.dim = 2,
                                          .n = 1,
                                          .W = W,
                                          .symmetric = 1,
                                          .b = free[i],
                                          .mu = mu,
                                          .friction = friction_of,
                                          .friction_owner = laws + f};
        const prc_cone_info info = solve(names[m], &problem, p);
        ck_assert_msg(info.converged, "%d %d %s", i, f, names[m]);
        ck_assert_double_le(prc_cone_error(&problem, p, w).scaled, 1e-10);
        ck_assert_double_eq_tol(p[0], free[i][0] < 0.0 ? 0.5 : 0.0, 1e-9);
        if (free[i][1] == 0.0 || laws[f].kind == STEADY) ck_assert_double_eq_tol(p[1], 0.0, 1e-9);
      }
}
END_TEST

SUITE(cone_speed) {
  Suite *suite = suite_create("cone_speed");
  TCase *one = tcase_create("one contact");
  tcase_set_timeout(one, 120.0);
  tcase_add_loop_test(one, one_contact_that_slips_is_solved, 0, 3 * N_KINDS);
  tcase_add_test(one, rounding_of_velocities_is_no_error);
  tcase_add_test(one, exact_zeros);
  suite_add_tcase(suite, one);
  return suite;
}
