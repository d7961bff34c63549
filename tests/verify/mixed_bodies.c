/* Rigid bodies that step by the mean beside what deforms and keeps theta: random systems of both against the equations, which are solved densely here. */
#include "config.h"
#include "support/support.h"
#include "support/toy.h"
#include "ledger/ledger.h"

#include <math.h>
#include <string.h>

enum { RIGID = 6, DEFORMS = 6, N = RIGID + DEFORMS, CONTACTS = 5 };

static const char deforms[N] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};

typedef struct {
  toy toy;
  double h, theta, of[N];
  double q[N], v[N];    /* before the step */
  double lag[CONTACTS]; /* of contacts of both kinds that pushed in the last step */
} mixed;

/* ---- what a test is made of --------------------------------------------------------------------------------------------------- */

/* G G' + shift on the block. */
static void positive(prc_random *random, double shift, double A[TOY_MAX][TOY_MAX]) {
  double G[DEFORMS][DEFORMS];
  for (int i = 0; i < DEFORMS; i++)
    for (int j = 0; j < DEFORMS; j++) G[i][j] = prc_random_uniform(random, -1.0, 1.0);
  for (int i = 0; i < DEFORMS; i++)
    for (int j = 0; j < DEFORMS; j++) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < DEFORMS; k++) sum += G[i][k] * G[j][k];
      A[RIGID + i][RIGID + j] = sum;
    }
}

/* kind 0: between rigid bodies, 1: between what deforms, 2: of both. */
static void touch(mixed *s, prc_random *random, int kind, double mu, double e) {
  toy *t = &s->toy;
  const int c = t->n_contacts++;
  for (int r = 0; r < 2; r++)
    for (int i = 0; i < N; i++)
      t->H[c][r][i] = kind < 2 && kind != deforms[i] ? 0.0 : prc_random_uniform(random, -1.0, 1.0);
  t->mu[c] = mu, t->e[c] = e;
}

static void make(mixed *s, prc_random *random, double theta) {
  memset(s, 0, sizeof *s);
  toy_make(&s->toy, N, 1.0);
  s->toy.system.space.deforms = deforms;
  s->theta = theta, s->h = prc_random_uniform(random, 1e-3, 1e-2);
  for (int i = 0; i < N; i++) s->of[i] = deforms[i] ? theta : 0.5;
  for (int i = 0; i < RIGID; i++) s->toy.M[i][i] = prc_random_uniform(random, 0.2, 3.0);
  positive(random, 1.0, s->toy.M);
}

static void open(mixed *s, prc_impact law, const double *q, const double *v) {
  prc_step_options o = toy_options(s->h, s->theta, law);
  o.bulk = PRC_BULK_MIDDLE;
  toy_start(&s->toy, &o, q, v);
}

/* What the dofs that deform add to u_N in the step, where rigid ones have a part. */
static void keep(mixed *s) {
  const prc_step_record *r = s->toy.r;
  for (int c = 0; c < s->toy.n_contacts; c++) {
    const double *n = s->toy.H[c][0];
    s->lag[c] = 0.0;
    for (int i = RIGID; i < N && n[0] != 0.0 && r->p[2 * c] > 0.0; i++)
      s->lag[c] += n[i] * (r->v[i] - s->v[i]);
  }
}

static void step(mixed *s) {
  memcpy(s->q, s->toy.r->q, sizeof s->q);
  memcpy(s->v, s->toy.r->v, sizeof s->v);
  toy_step(&s->toy, 1);
}

static double times(const double A[TOY_MAX][TOY_MAX], int i, const double *x) {
  double sum = 0.0;
  for (int j = 0; j < N; j++) sum += A[i][j] * x[j];
  return sum;
}

static double form(const double A[TOY_MAX][TOY_MAX], const double *x) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) sum += x[i] * times(A, i, x);
  return sum;
}

static double row(const mixed *s, int c, int r, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < N; i++) sum += s->toy.H[c][r][i] * x[i];
  return sum;
}

/* x := A^-1 b, A = M + h^2 T^2 K with the theta of each dof. */
static void solve(const mixed *s, const double *b, double *x) {
  double A[N][N + 1];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) A[i][j] = s->toy.M[i][j] + s->h * s->h * s->of[i] * s->of[j] * s->toy.K[i][j];
    A[i][N] = b[i];
  }
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++) {
      if (i == k) continue;
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= N; j++) A[i][j] -= factor * A[k][j];
    }
  for (int i = 0; i < N; i++) x[i] = A[i][N] / A[i][i];
}

/* H T dv over H dv of what a percussion in this row does. */
static double weight(const mixed *s, int c, int r) {
  double dv[N], way[N];
  solve(s, s->toy.H[c][r], dv);
  for (int i = 0; i < N; i++) way[i] = s->of[i] * dv[i];
  return row(s, c, r, way) / row(s, c, r, dv);
}

/* ---- the equations of a step ----------------------------------------------------------------------------------------------------- */

static void check_motion(const mixed *s) {
  const prc_step_record *r = s->toy.r;
  for (int i = 0; i < N; i++) {
    double dv[N], q[N], force = s->toy.F[i];
    for (int j = 0; j < N; j++) dv[j] = r->v[j] - s->v[j], q[j] = s->q[j] + s->h * s->theta * r->v_work[j];
    force -= times(s->toy.K, i, q);
    double impulse = s->h * force;
    for (int c = 0; c < s->toy.n_contacts; c++)
      for (int k = 0; k < 2; k++) impulse += s->toy.H[c][k][i] * r->p[2 * c + k];
    ck_assert_double_eq_tol(times(s->toy.M, i, dv), impulse, 1e-12);
    ck_assert_double_eq_tol(r->v_work[i], s->v[i] + s->of[i] * dv[i], 1e-13);
    ck_assert_double_eq_tol(r->q[i], s->q[i] + s->h * r->v_work[i], 1e-15);
  }
}

/* What the energies gain is what loads and contacts work at v_w, and what theta takes of the part that deforms. */
static void check_energy(const mixed *s) {
  const prc_step_record *r = s->toy.r;
  double dv[N] = {0.0}, dq[N] = {0.0}, works = 0.0;
  for (int i = 0; i < N; i++) {
    works += s->h * s->toy.F[i] * r->v_work[i];
    if (deforms[i]) dv[i] = r->v[i] - s->v[i], dq[i] = r->q[i] - s->q[i];
  }
  for (int c = 0; c < s->toy.n_contacts; c++)
    for (int k = 0; k < 2; k++) works += r->p[2 * c + k] * row(s, c, k, r->v_work);
  const double taken = (s->theta - 0.5) * (form(s->toy.M, dv) + form(s->toy.K, dq));
  const double gain =
      0.5 * (form(s->toy.M, r->v) - form(s->toy.M, s->v) + form(s->toy.K, r->q) - form(s->toy.K, s->q));
  ck_assert_double_eq_tol(gain, works - taken, 1e-12);
  ck_assert_double_eq_tol(r->work[PRC_WORK_numerical], -taken, 1e-13);
}

/* Returns how many push. Tangents with the whole law: of the first pass of a contact. */
static int check_laws(const mixed *s, prc_impact law) {
  const prc_step_record *r = s->toy.r;
  int pushing = 0;
  for (int i = 0; i < r->n_active; i++) {
    const int c = r->active[i];
    const double *p = r->p + 2 * c, w = weight(s, c, 0), w_t = weight(s, c, 1);
    const double u[2] = {row(s, c, 0, s->v), row(s, c, 1, s->v)};
    int rigid = 0;
    for (int j = 0; j < RIGID; j++) rigid |= s->toy.H[c][0][j] != 0.0;
    const double left = !rigid && law == PRC_IMPACT_NEWTON ? 1.0 - w_t : 1.0 - w_t / s->theta;
    const double z_N = row(s, c, 0, r->v_work)
                       + (w * (1.0 + s->toy.e[c]) - 1.0) * fmin(u[0] + (s->theta - 0.5) * s->lag[c], 0.0);
    const double z_T = row(s, c, 1, r->v_work) - left * u[1];
    const double room = s->toy.mu[c] * p[0] - fabs(p[1]);
    ck_assert(w > 0.5 - 1e-14 && w < s->theta + 1e-14);
    ck_assert(p[0] >= -1e-13 && z_N >= -1e-11 && room >= -1e-12);
    ck_assert_double_le(fabs(z_N * p[0]), 1e-12);
    ck_assert_double_le(fabs(z_T * room), 1e-11);
    ck_assert_double_le(z_T * p[1], 1e-11);
    ck_assert_double_le(row(s, c, 0, r->v_work) * p[0], 1e-12);
    pushing += p[0] > 1e-6;
  }
  return pushing;
}

/* Random masses, stiffness, directions, loads and states; theta from 1/2 to 1, both laws. */
START_TEST(a_step_has_its_equations_its_energy_and_its_laws) {
  static const double thetas[4] = {0.5, 0.6, 0.8, 1.0};
  prc_random random = {1 + (uint64_t)_i};
  const prc_impact law = _i % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  mixed s;
  int pushing = 0;
  double q[N], v[N];
  make(&s, &random, thetas[_i / 2 % 4]);
  const double e = 0.9 * (1.0 / s.theta - 1.0);
  positive(&random, 100.0, s.toy.K);
  for (int c = 0; c < CONTACTS; c++) touch(&s, &random, c % 3, 0.5, c % 2 ? e : 0.0);
  for (int i = 0; i < N; i++) {
    q[i] = deforms[i] ? prc_random_uniform(&random, -0.01, 0.01) : 0.0;
    v[i] = prc_random_uniform(&random, -1.0, 1.0), s.toy.F[i] = prc_random_uniform(&random, -20.0, 20.0);
  }
  for (int c = 0; c < CONTACTS; c++) {
    s.toy.gap0[c] = -10.0; /* the velocity decides */
    for (int i = 0; i < N; i++) s.toy.F[i] -= 20.0 * s.toy.H[c][0][i];
  }
  open(&s, law, q, v);
  for (int k = 0; k < 40; k++) {
    step(&s);
    check_motion(&s);
    check_energy(&s);
    pushing += check_laws(&s, law);
    keep(&s);
  }
  ck_assert_int_gt(pushing, 10);
  toy_free(&s.toy);
}
END_TEST

/* A percussion alone: -e u_N, and of a slip that is caught -(1 - theta) / theta of it, whatever touches what. */
START_TEST(a_percussion_alone_leaves_what_the_law_says) {
  static const double thetas[3] = {0.5, 0.7, 1.0};
  prc_random random = {77 + (uint64_t)_i};
  mixed s;
  double q[N] = {0.0}, v[N];
  make(&s, &random, thetas[_i % 3]);
  const double e = 1.0 / s.theta - 1.0;
  touch(&s, &random, _i / 3, 1e8, e);
  for (int i = 0; i < N; i++) v[i] = prc_random_uniform(&random, -1.0, 1.0);
  for (int kind = 0; kind < 2; kind++) { /* neither row moves the other, by either kind of body */
    double part[N], dv[N];
    for (int i = 0; i < N; i++) part[i] = deforms[i] == kind ? s.toy.H[0][0][i] : 0.0;
    solve(&s, part, dv);
    const double along = row(&s, 0, 0, dv), across = row(&s, 0, 1, dv);
    for (int i = 0; i < N && along > 0.0; i++) s.toy.H[0][1][i] -= across / along * part[i];
  }
  double u[2] = {row(&s, 0, 0, v), row(&s, 0, 1, v)};
  if (u[0] > 0.0)
    for (int i = 0; i < N; i++) v[i] = -v[i];
  for (int r = 0; r < 2; r++) u[r] = row(&s, 0, r, v);
  open(&s, PRC_IMPACT_FREMOND, q, v);
  step(&s);
  ck_assert_double_gt(s.toy.r->p[0], 0.0);
  ck_assert_double_eq_tol(row(&s, 0, 0, s.toy.r->v), -e * u[0], 1e-12);
  ck_assert_double_eq_tol(row(&s, 0, 1, s.toy.r->v), -(1.0 - s.theta) / s.theta * u[1], 1e-12);
  toy_free(&s.toy);
}
END_TEST

/* What was not built is refused, with what to write. */
START_TEST(what_is_not_known_to_deform_is_refused) {
  prc_random random = {5};
  mixed s;
  prc_error err = {0};
  make(&s, &random, 0.8);
  positive(&random, 100.0, s.toy.K);
  prc_step_options o = toy_options(s.h, s.theta, PRC_IMPACT_FREMOND);
  o.bulk = PRC_BULK_MIDDLE;
  s.toy.system.space.deforms = NULL;
  ck_assert_int_eq(toy_create(&s.toy, &o, &err), PRC_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "expected space.deforms beside a stiffness"));
  toy_free(&s.toy);
  prc_error_clear(&err);
  make(&s, &random, 0.8);
  touch(&s, &random, 2, 0.3, 0.5);
  ck_assert_int_eq(toy_create(&s.toy, &o, &err), PRC_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "expected a number in [1/2, 1/(1+e)]"));
  toy_free(&s.toy);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mixed bodies");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, a_step_has_its_equations_its_energy_and_its_laws, 0, 24);
  tcase_add_loop_test(t, a_percussion_alone_leaves_what_the_law_says, 0, 9);
  tcase_add_test(t, what_is_not_known_to_deform_is_refused);
  suite_add_tcase(suite, t);
  return support_run(suite);
}
