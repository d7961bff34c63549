#include "config.h"
#include "support/support.h"
#include "support/toy.h"
#include "ledger/ledger.h"

#include <float.h>
#include <math.h>
#include <string.h>

static prc_error err;

/* ---- a step by hand -------------------------------------------------------------------------------------------- */

/* Two masses on springs, M = diag(2, 3), K = [5 -1; -1 7], the first along the tangent and the second along the normal of
 * one contact. The second of two contacts is open. */
typedef struct {
  double h, theta, alpha, beta;
  double q_old[2], v_old[2], F[2], p[2];
} data;

typedef struct {
  prc_step_record r;
  int status[2], active[2];
  double v_theta[2], f_old[2], f[2];
  double kinetic_old, elastic_old, kinetic, elastic;
  double p[4], u_old[4], u_work[4], u[4], gap[2], allowance[2];
} step;

static const double M[2] = {2.0, 3.0}, K[2][2] = {{5.0, -1.0}, {-1.0, 7.0}};

static void product(const double *x, double *y) {
  for (int i = 0; i < 2; i++) y[i] = K[i][0] * x[0] + K[i][1] * x[1];
}

static double dot(const double *x, const double *y) {
  return x[0] * y[0] + x[1] * y[1];
}

static double energy_of(const double *q, const double *v, double *kinetic) {
  double f[2];
  product(q, f);
  *kinetic = 0.5 * (M[0] * v[0] * v[0] + M[1] * v[1] * v[1]);
  return 0.5 * dot(q, f);
}

/* v_theta from Mhat v_theta = M v - h theta K q + h theta F + theta H'p, (97); dof 0 is the tangent. */
static void solve(const data *d, double *v_theta) {
  const double ht = d->h * d->theta;
  double A[2][2], b[2], f[2];
  product(d->q_old, f);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++)
      A[i][j] = (i == j ? (1.0 + ht * d->alpha) * M[i] : 0.0) + (ht * d->beta + ht * ht) * K[i][j];
    b[i] = M[i] * d->v_old[i] - ht * f[i] + ht * d->F[i] + d->theta * d->p[1 - i];
  }
  const double determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  v_theta[0] = (b[0] * A[1][1] - b[1] * A[0][1]) / determinant;
  v_theta[1] = (b[1] * A[0][0] - b[0] * A[1][0]) / determinant;
}

/* Works of loads, damping and the scheme over that step, (65)-(67). */
static void set_works(double *work, const data *d, const double *F, const double *v_theta, const double *v) {
  double dv_dm = 0.0, damping = 0.0, Kv[2];
  product(v_theta, Kv);
  for (int i = 0; i < 2; i++) {
    dv_dm += M[i] * (v[i] - d->v_old[i]) * (v[i] - d->v_old[i]);
    damping += v_theta[i] * (d->alpha * M[i] * v_theta[i] + d->beta * Kv[i]);
  }
  work[PRC_WORK_external] = d->h * dot(v_theta, F);
  work[PRC_WORK_damping] = -d->h * damping;
  work[PRC_WORK_numerical] = (0.5 - d->theta) * (dv_dm + d->h * d->h * dot(v_theta, Kv));
}

static void set_record(step *k, const data *d) {
  k->r = (prc_step_record){.step = 1,
                           .t = d->h,
                           .h = d->h,
                           .n = 2,
                           .kinetic = k->kinetic - k->kinetic_old,
                           .potential = k->elastic - k->elastic_old,
                           .dim = 2,
                           .n_contacts = 2,
                           .gap = k->gap,
                           .p = k->p,
                           .u_old = k->u_old,
                           .u_work = k->u_work,
                           .u = k->u,
                           .status = k->status,
                           .allowance = k->allowance,
                           .n_active = 1,
                           .active = k->active,
                           .cone = {.converged = 1, .iterations = 3, .finished = "by hand"}};
  k->r.cone.error.paper = 1e-13, k->r.cone.error.scaled = 3e-13;
}

static void make(step *k, const data *d) {
  double q[2], v[2];
  memset(k, 0, sizeof *k);
  solve(d, k->v_theta);
  for (int i = 0; i < 2; i++) {
    q[i] = d->q_old[i] + d->h * k->v_theta[i];
    v[i] = (k->v_theta[i] - (1.0 - d->theta) * d->v_old[i]) / d->theta;
  }
  k->elastic_old = energy_of(d->q_old, d->v_old, &k->kinetic_old);
  k->elastic = energy_of(q, v, &k->kinetic);
  product(d->q_old, k->f_old), product(q, k->f);
  for (int i = 0; i < 2; i++) {
    const int j = 1 - i; /* the normal first */
    k->p[i] = d->p[i];
    k->u_old[i] = d->v_old[j], k->u_work[i] = k->v_theta[j], k->u[i] = v[j];
  }
  k->u_work[2] = k->u_work[3] = 9.0; /* of the open contact: nobody's business */
  k->status[0] = PRC_CONE_SLIP, k->status[1] = PRC_CONE_OPEN;
  set_record(k, d);
  set_works(k->r.work, d, d->F, k->v_theta, v);
  k->r.force = dot(k->f, k->f), k->r.displacement = dot(q, q);
}

/* The record of the state before, for the beginning. */
static prc_step_record before(const step *k) {
  prc_step_record r = k->r;
  r.step = 0, r.t = 0.0, r.n_active = 0, r.impulse = 0.0;
  r.kinetic = k->kinetic_old, r.potential = k->elastic_old;
  r.force = dot(k->f_old, k->f_old);
  memset(r.work, 0, sizeof r.work);
  return r;
}

static const data plain = {0.1, 0.5, 0.0, 0.0, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {3.0, -0.6}};

static prc_ledger *start(const step *k, prc_ledger_options options) {
  prc_ledger *ledger = NULL;
  const prc_step_record r = before(k);
  prc_error_clear(&err);
  support_ok(prc_ledger_create(&options, &ledger, &err), &err);
  prc_ledger_start(ledger, &r);
  return ledger;
}

static const prc_ledger_options promising = {
    .promises = {.tangential_sign = {"friction", NULL}, .normal_sign = {"pushing", NULL}},
    .tolerance = 1e-10,
    .max_penetration = -1.0};

static prc_certificate certificate_of(const step *k, prc_ledger_options options) {
  prc_ledger *ledger = start(k, options);
  prc_ledger_enter(ledger, &k->r);
  const prc_certificate c = prc_ledger_certificate(ledger);
  prc_ledger_free(&ledger);
  return c;
}

/* All entries but that one pass or are not promised; that one has the verdict, and with it the whole. */
static void expect_only(const prc_certificate *c, int which, prc_verdict verdict) {
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    if (k != which) ck_assert_msg(c->entry[k].verdict != PRC_FAIL, "%s fails", c->entry[k].name);
  ck_assert_msg(c->entry[which].verdict == verdict, "%s: %s", c->entry[which].name,
                prc_verdict_name(c->entry[which].verdict));
  ck_assert_int_eq(c->verdict, verdict == PRC_FAIL    ? PRC_FAIL
                               : verdict == PRC_NOTED ? PRC_PASS_WITH_NOTES
                                                      : PRC_PASS);
}

/* A step whose works are all as they should be: sliding against friction, pushed away from the floor. */
static void good(step *k) {
  make(k, &plain);
  ck_assert_double_lt(k->u_work[0] * k->p[0], 0.0);
  ck_assert_double_lt(k->u_work[1] * k->p[1], 0.0);
}

/* ---- the row ------------------------------------------------------------------------------------------------------ */

START_TEST(the_header_is_the_contract) {
  ck_assert_str_eq(
      prc_ledger_header(),
      "step,t,kinetic,elastic,work_external,work_damping,work_contact_normal,work_contact_tangential,"
      "dissipation_numerical,balance_residual,tangential_work_max,tangential_work_min,active,sticking,"
      "sliding,cone_iterations,cone_error,driven,joints,work_boundary,breakdown,loss_contact_normal,"
      "loss_contact_tangential,numerical_rest,projection");
}
END_TEST

START_TEST(columns_are_numbers_one_after_the_other) { /* files write the row as an array */
  const prc_ledger_row row = {.step = 1.0,
                              .t = 2.0,
                              .kinetic = 3.0,
                              .cone_error = 17.0,
                              .driven = 18.0,
                              .joints = 19.0,
                              .work_boundary = 20.0,
                              .breakdown = 21.0,
                              .numerical_rest = 24.0,
                              .projection = 25.0};
  double x[25];
  ck_assert_int_eq(PRC_LEDGER_N_COLUMNS, 25);
  ck_assert_uint_eq(sizeof row, sizeof x);
  memcpy(x, &row, sizeof x);
  ck_assert(x[0] == 1.0 && x[1] == 2.0 && x[2] == 3.0 && x[16] == 17.0 && x[17] == 18.0 && x[18] == 19.0
            && x[19] == 20.0 && x[20] == 21.0 && x[23] == 24.0 && x[24] == 25.0);
}
END_TEST

START_TEST(the_start_has_the_energies_of_the_state) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert(row->kinetic == k.kinetic_old && row->elastic == k.elastic_old);
  ck_assert(row->step == 0.0 && row->t == 0.0 && row->work_external == 0.0 && row->active == 0.0);
  ck_assert_int_eq(prc_ledger_certificate(ledger).verdict, PRC_PASS);
  prc_ledger_free(&ledger);
}
END_TEST

/* The same two masses, stepped: theta, damping, a prescribed tangent whose work is that of a support or of an obstacle, and a
 * contact that is left. */
static const struct {
  data d;
  int prescribed;
  char driven;
} steps[] = {
    {{0.1, 0.5, 0.0, 0.0, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 0, 0},
    {{0.1, 0.8, 0.0, 0.0, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 0, 0},
    {{0.1, 1.0, 0.3, 0.0, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 0, 0},
    {{0.2, 0.7, 0.3, 0.4, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 0, 0},
    {{0.2, 0.5, 0.0, 0.4, {-0.3, 0.2}, {1.0, 2.0}, {0.0, 0.0}, {0.0, 0.0}}, 1, 0},
    {{0.2, 0.6, 0.1, 0.4, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 1, 0},
    {{0.2, 0.6, 0.1, 0.4, {0.3, -0.2}, {1.0, -2.0}, {4.0, -6.0}, {0.0, 0.0}}, 1, 1},
};

static prc_ledger *start_toy(toy *s, int which) {
  const data *d = &steps[which].d;
  const prc_step_options o = toy_options(d->h, d->theta, PRC_IMPACT_FREMOND);
  prc_ledger *ledger = NULL;
  toy_make(s, 2, 0.0);
  for (int i = 0; i < 2; i++) {
    s->M[i][i] = M[i], s->F[i] = d->F[i];
    for (int j = 0; j < 2; j++) s->K[i][j] = K[i][j];
  }
  s->system.dynamics.damping_mass = d->alpha, s->system.dynamics.damping_stiffness = d->beta;
  s->system.drive.n = steps[which].prescribed, s->system.drive.work = &steps[which].driven;
  s->motion[0] = d->v_old[0];
  toy_floor(s, 1, 0, 0.2, 0.0);
  s->gap0[0] = -d->q_old[1];
  toy_start(s, &o, d->q_old, d->v_old);
  prc_error_clear(&err);
  support_ok(prc_ledger_create(&promising, &ledger, &err), &err);
  prc_ledger_start(ledger, s->r);
  return ledger;
}

/* M dv = h (F + R - K q_theta - C v_theta) + H'p: what the terms of the balance are the works of. */
static void expect_motion(const toy *s, const data *d, const double *v, const double *R) {
  const double *v_old = d->v_old;
  double v_theta[2], q_theta[2], f[2], Kv[2];
  for (int i = 0; i < 2; i++) {
    v_theta[i] = (1.0 - d->theta) * v_old[i] + d->theta * v[i];
    q_theta[i] = d->q_old[i] + d->h * d->theta * v_theta[i];
    ck_assert_double_eq_tol(s->r->q[i], d->q_old[i] + d->h * v_theta[i], 1e-14);
  }
  product(q_theta, f), product(v_theta, Kv);
  for (int i = 0; i < 2; i++)
    ck_assert_double_eq_tol(M[i] * (v[i] - v_old[i]),
                            d->h * (d->F[i] + R[i] - f[i] - d->alpha * M[i] * v_theta[i] - d->beta * Kv[i])
                                + s->r->p[1 - i],
                            1e-13);
}

START_TEST(every_term_of_the_balance_is_its_formula) { /* (65)-(67), of a step that the scheme made */
  const data *d = &steps[_i].d;
  const int touches = d->v_old[1] < 0.0;
  toy s;
  prc_ledger *ledger = start_toy(&s, _i);
  const prc_ledger_row *row = prc_ledger_now(ledger);
  double kinetic, elastic = energy_of(d->q_old, d->v_old, &kinetic), work[PRC_N_WORKS] = {0.0}, v[2],
                  v_theta[2];
  ck_assert_double_eq_tol(row->kinetic, kinetic, 1e-14);
  ck_assert_double_eq_tol(row->elastic, elastic, 1e-14);
  toy_step(&s, 1);
  prc_ledger_enter(ledger, s.r);
  const double R[2] = {steps[_i].prescribed ? s.r->reaction[0] : 0.0, 0.0}, *p = s.r->p;
  for (int i = 0; i < 2; i++) {
    v[i] = toy_velocity(&s, i);
    v_theta[i] = (1.0 - d->theta) * d->v_old[i] + d->theta * v[i];
  }
  expect_motion(&s, d, v, R);
  elastic = energy_of(s.r->q, v, &kinetic);
  set_works(work, d, d->F, v_theta, v);
  work[steps[_i].driven ? PRC_WORK_driven : PRC_WORK_external] += d->h * dot(v_theta, R);
  ck_assert_double_eq_tol(row->kinetic, kinetic, 1e-13);
  ck_assert_double_eq_tol(row->elastic, elastic, 1e-13);
  ck_assert_double_eq_tol(row->work_external, work[PRC_WORK_external], 1e-13);
  ck_assert_double_eq_tol(row->driven, work[PRC_WORK_driven], 1e-13);
  ck_assert_double_eq_tol(row->work_damping, work[PRC_WORK_damping], 1e-13);
  ck_assert_double_eq_tol(row->work_contact_normal, v_theta[1] * p[0], 1e-13);
  ck_assert_double_eq_tol(row->work_contact_tangential, v_theta[0] * p[1], 1e-13);
  ck_assert_double_eq_tol(row->dissipation_numerical, work[PRC_WORK_numerical], 1e-13);
  ck_assert_double_eq_tol(row->balance_residual, 0.0, 1e-14);
  ck_assert(row->tangential_work_max == row->tangential_work_min);
  ck_assert_double_eq_tol(row->tangential_work_max, v_theta[0] * p[1], 1e-14);
  ck_assert(row->step == 1.0 && row->t == d->h);
  ck_assert(row->active == touches && row->sticking == 0.0 && row->sliding == touches);
  ck_assert(p[0] > 0.0 || !touches);
  prc_ledger_free(&ledger);
  toy_free(&s);
}
END_TEST

/* 1 kg at 1 m/s meets the floor, straight or at 0.7 m/s along it with mu = 0.3, with weight or without. What it loses is (1 - e^2)/2, and of friction 0.3 x 0.55, whatever theta is:
 * with M dv = p + h F,  u_m . p  of the impact and  -(theta - 1/2) h dv . F  of the scheme. At u_theta it is anything between that and nothing. */
START_TEST(what_an_impact_takes_does_not_depend_on_theta) {
  static const double theta[] = {0.5, 0.6, 0.75, 1.0 / 1.3, 1.0}, h = 1e-3;
  const double e = _i & 1 ? 0.3 : 0.0, along = _i & 2 ? 0.7 : 0.0, weight = _i & 4 ? 9.81 : 0.0;
  const prc_ledger_options watched = {
      .promises = {.normal_sign = {.theorem = "(87)"}}, .tolerance = 1e-10, .max_penetration = -1.0};
  for (int k = 0; k < (e > 0.0 ? 4 : 5); k++) {
    toy s;
    prc_ledger *ledger = NULL;
    const prc_step_options o = toy_options(h, theta[k], PRC_IMPACT_FREMOND);
    toy_make(&s, 2, 1.0);
    toy_floor(&s, 1, 0, 0.3, e);
    s.F[1] = -weight;
    toy_start(&s, &o, (double[]){0.0, 0.0}, (double[]){along, -1.0});
    support_ok(prc_ledger_create(&watched, &ledger, &err), &err);
    prc_ledger_start(ledger, s.r);
    toy_step(&s, 1);
    prc_ledger_enter(ledger, s.r);
    const prc_ledger_row *row = prc_ledger_now(ledger);
    const double p = 1.0 + e + h * weight; /* u' = e, whatever pulls */
    const double u_theta = 1.0 - theta[k] * (1.0 + e);
    ck_assert_double_eq_tol(s.r->p[0], p, 1e-12);
    ck_assert_double_eq_tol(row->loss_contact_normal, -0.5 * (1.0 - e) * p, 1e-13);
    ck_assert_double_eq_tol(row->work_contact_normal, -u_theta * p, 1e-13);
    ck_assert_double_eq_tol(row->loss_contact_tangential, along > 0.0 ? -0.3 * p * (along - 0.15 * p) : 0.0,
                            1e-13);
    ck_assert_double_eq_tol(row->numerical_rest, (theta[k] - 0.5) * h * (1.0 + e) * weight, 1e-13);
    ck_assert_double_eq_tol(
        row->loss_contact_normal + row->loss_contact_tangential + row->numerical_rest,
        row->work_contact_normal + row->work_contact_tangential + row->dissipation_numerical, 1e-14);
    ck_assert_int_eq(prc_ledger_certificate(ledger).entry[PRC_CERTIFY_LOSS].verdict, PRC_PASS);
    prc_ledger_free(&ledger);
    toy_free(&s);
  }
}
END_TEST

START_TEST(what_the_solver_did_is_in_the_row) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert(row->cone_iterations == 3.0 && row->cone_error == 3e-13);
  ck_assert(row->active == 1.0 && row->sticking == 0.0 && row->sliding == 1.0);
  prc_ledger_free(&ledger);
}
END_TEST

/* Each term on its own: what is entered is what the record says, and the residual is their sum. */
START_TEST(the_works_of_the_scheme_are_entered_as_they_are) {
  step k;
  good(&k);
  for (int i = 0; i < PRC_N_WORKS; i++) k.r.work[i] = 1.0 + i;
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert(row->work_external == k.r.work[PRC_WORK_external]);
  ck_assert(row->work_damping == k.r.work[PRC_WORK_damping]);
  ck_assert(row->dissipation_numerical == k.r.work[PRC_WORK_numerical]);
  ck_assert(row->work_boundary == k.r.work[PRC_WORK_boundary]);
  ck_assert(row->driven == k.r.work[PRC_WORK_driven]);
  ck_assert_double_eq_tol(row->kinetic, k.kinetic, 1e-14);
  ck_assert_double_eq_tol(row->elastic, k.elastic, 1e-14);
  ck_assert_double_eq_tol(row->balance_residual,
                          k.r.kinetic + k.r.potential - 28.0 - k.p[0] * k.u_work[0] - k.p[1] * k.u_work[1],
                          1e-14);
  prc_ledger_free(&ledger);
}
END_TEST

/* |f|^2 and |q|^2 of the state; of percussions sqrt(sum_i W_ii p_i^2), with W = theta H Mhat^-1 H'. A load step has no momentum. */
START_TEST(the_record_has_the_scales_of_drifts) {
  const prc_step_options dynamic = toy_options(0.1, 0.8, PRC_IMPACT_FREMOND);
  prc_step_options still = dynamic;
  still.scheme = "static", still.theta = 1.0;
  for (int is_static = 0; is_static < 2; is_static++) {
    toy s;
    toy_make(&s, 2, 2.0);
    for (int i = 0; i < 2; i++) s.K[i][i] = 3.0 + i, s.F[i] = 1.0 - 3.0 * i;
    toy_floor(&s, 1, 0, 0.2, 0.0);
    toy_start(&s, is_static ? &still : &dynamic, (double[]){0.3, 0.0}, (double[]){1.0, -2.0});
    ck_assert_double_eq_tol(s.r->force, 0.9 * 0.9, 1e-15);
    ck_assert_double_eq_tol(s.r->displacement, 0.3 * 0.3, 1e-16);
    ck_assert(s.r->impulse == 0.0);
    toy_step(&s, 1);
    const double *p = s.r->p, *q = s.r->q, f[2] = {3.0 * q[0], 4.0 * q[1]};
    double sum = 0.0;
    for (int i = 0; i < 2; i++) /* the normal is dof 1 */
      sum += 0.8 / (2.0 + 0.08 * 0.08 * (4.0 - i)) * p[i] * p[i];
    ck_assert_double_eq_tol(s.r->force, dot(f, f), 1e-14);
    ck_assert_double_eq_tol(s.r->displacement, dot(q, q), 1e-15);
    ck_assert_double_gt(p[0], 0.1);
    ck_assert_double_eq_tol(s.r->impulse, is_static ? 0.0 : sqrt(sum), 1e-14);
    toy_free(&s);
  }
}
END_TEST

START_TEST(the_residual_is_what_does_not_add_up) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  k.p[0] += 0.25; /* a percussion that the motion does not know of */
  prc_ledger_enter(ledger, &k.r);
  ck_assert_double_eq_tol(prc_ledger_now(ledger)->balance_residual, -0.25 * k.u_work[0], 1e-13);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(works_add_up_and_residuals_do_not) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  const double normal = k.p[0] * k.u_work[0];
  k.p[0] += 0.25;
  for (int n = 1; n <= 1000; n++) {
    k.r.step = n;
    prc_ledger_enter(ledger, &k.r);
  }
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert_double_eq_tol(row->work_contact_normal, 1000.0 * (normal + 0.25 * k.u_work[0]), 1e-10);
  ck_assert_double_eq_tol(row->balance_residual, -0.25 * k.u_work[0], 1e-13);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(largest_and_smallest_are_over_the_active_contacts) {
  step k;
  good(&k);
  k.active[0] = 0, k.active[1] = 1, k.r.n_active = 2;
  k.p[3] = -0.5, k.u_work[3] = 4.0, k.status[1] = PRC_CONE_STICK;
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert_double_eq_tol(row->tangential_work_max, k.p[1] * k.u_work[1], 1e-15);
  ck_assert_double_eq_tol(row->tangential_work_min, -2.0, 1e-15);
  ck_assert(row->active == 2.0 && row->sticking == 1.0 && row->sliding == 1.0);
  prc_ledger_free(&ledger);
}
END_TEST

/* ---- the certificate -------------------------------------------------------------------------------------------------- */

START_TEST(a_good_step_passes) {
  step k;
  good(&k);
  const prc_certificate c = certificate_of(&k, promising);
  for (int i = 0; i < PRC_CERTIFY_ENTRIES; i++) {
    const int reported = i == PRC_CERTIFY_PENETRATION || i == PRC_CERTIFY_CONTACT_PAPER
                         || i == PRC_CERTIFY_NUMERICAL || i == PRC_CERTIFY_RISE;
    ck_assert_int_eq(c.entry[i].verdict, reported ? PRC_NOT_PROMISED : PRC_PASS);
    ck_assert_ptr_nonnull(c.entry[i].name);
    ck_assert_ptr_nonnull(c.entry[i].meaning);
  }
  ck_assert_int_eq(c.verdict, PRC_PASS);
}
END_TEST

START_TEST(a_residual_fails_beyond_1e_11_of_the_energy) {
  step k;
  good(&k);
  const double scale = 20.0; /* kinetic + elastic + works of that step: between 10 and 40 */
  k.r.work[PRC_WORK_external] += 1e-12 * scale;
  prc_certificate c = certificate_of(&k, promising);
  expect_only(&c, PRC_CERTIFY_BALANCE, PRC_PASS);
  k.r.work[PRC_WORK_external] += 1e-10 * scale;
  c = certificate_of(&k, promising);
  expect_only(&c, PRC_CERTIFY_BALANCE, PRC_FAIL);
  ck_assert_int_eq(c.entry[PRC_CERTIFY_BALANCE].step, 1);
  ck_assert(c.entry[PRC_CERTIFY_BALANCE].bound == 1e-11);
}
END_TEST

START_TEST(a_residual_that_is_no_number_fails_for_good) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  const double gained = k.r.kinetic;
  k.r.kinetic = (double)NAN;
  prc_ledger_enter(ledger, &k.r);
  ck_assert_int_eq(prc_ledger_certificate(ledger).verdict, PRC_FAIL);
  k.r.kinetic = gained, k.r.step = 2; /* what comes later does not heal it */
  prc_ledger_enter(ledger, &k.r);
  const prc_certificate c = prc_ledger_certificate(ledger);
  ck_assert_int_eq(c.entry[PRC_CERTIFY_BALANCE].verdict, PRC_FAIL);
  ck_assert(isnan(c.entry[PRC_CERTIFY_BALANCE].value));
  ck_assert_int_eq(c.entry[PRC_CERTIFY_BALANCE].step, 1);
  prc_ledger_free(&ledger);
}
END_TEST

/* Of the range of the motion: 0.1; where nothing moves, of the displacement itself. What was worst is kept, against the range that came
 * after it too. */
START_TEST(a_motion_that_is_not_followed_fails) {
  static const struct {
    prc_step_deviation at;
    double value;
    prc_verdict verdict;
  } of[] = {{{0.0, 0.0, 0.0}, 0.0, PRC_PASS},     {{0.099, 1.0, 3.0}, 0.099, PRC_PASS},
            {{0.101, 1.0, 3.0}, 0.101, PRC_FAIL}, {{1e-6, 0.0, 5e-3}, 2e-4, PRC_PASS},
            {{5e-3, 0.0, 5e-3}, 1.0, PRC_FAIL},   {{1e-16, 1e-15, 1.0}, 1e-16, PRC_PASS},
            {{4e-7, 1e-6, 1.0}, 0.4, PRC_FAIL}};
  for (size_t n = 0; n < sizeof of / sizeof *of; n++)
    for (int by_step = 0; by_step < 2; by_step++) {
      const prc_step_drift drift = {.elastic_scale = 1.0, .momentum_scale = 1.0, .prescribed = of[n].at};
      step k;
      good(&k);
      prc_ledger *ledger = start(&k, promising);
      if (by_step) k.r.prescribed = of[n].at;
      prc_ledger_enter(ledger, &k.r);
      if (!by_step) prc_ledger_drift(ledger, 1, &drift);
      const prc_certificate c = prc_ledger_certificate(ledger);
      expect_only(&c, PRC_CERTIFY_PRESCRIBED, of[n].verdict);
      ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_PRESCRIBED].value, of[n].value,
                              1e-12 * of[n].value + 1e-30);
      ck_assert_int_eq(c.entry[PRC_CERTIFY_PRESCRIBED].step, of[n].value > 0.0);
      prc_ledger_free(&ledger);
    }
}
END_TEST

START_TEST(a_cell_that_turned_is_noted_and_then_fails) {
  static const struct {
    double degrees;
    prc_verdict small, accepted;
  } of[] = {{0.0, PRC_PASS, PRC_PASS},        {0.5, PRC_PASS, PRC_PASS},   {2.0, PRC_NOTED, PRC_NOTED},
            {4.99, PRC_NOTED, PRC_NOTED},     {5.01, PRC_FAIL, PRC_NOTED}, {57.3, PRC_FAIL, PRC_NOTED},
            {(double)NAN, PRC_FAIL, PRC_FAIL}};
  for (size_t n = 0; n < sizeof of / sizeof *of; n++)
    for (int accepted = 0; accepted < 2; accepted++) {
      prc_ledger_options options = promising;
      options.rotations_accepted = accepted;
      step k;
      good(&k);
      prc_ledger *ledger = start(&k, options);
      prc_step_drift drift = {.elastic_scale = 1.0, .momentum_scale = 1.0};
      drift.rotation = of[n].degrees * acos(-1.0) / 180.0;
      prc_ledger_drift(ledger, 7, &drift);
      drift.rotation = 0.0; /* it turned back */
      prc_ledger_drift(ledger, 8, &drift);
      const prc_certificate c = prc_ledger_certificate(ledger);
      expect_only(&c, PRC_CERTIFY_ROTATION, accepted ? of[n].accepted : of[n].small);
      if (of[n].degrees > 0.0) {
        ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_ROTATION].value, of[n].degrees, 1e-12);
        ck_assert_int_eq(c.entry[PRC_CERTIFY_ROTATION].step, 7);
      }
      ck_assert_int_eq(isnan(c.entry[PRC_CERTIFY_ROTATION].bound) != 0, accepted);
      prc_ledger_free(&ledger);
    }
}
END_TEST

START_TEST(a_drifting_state_fails) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  const prc_step_drift small = {.elastic = 1e-12,
                                .momentum = 1e-12,
                                .elastic_scale = 1.0,
                                .momentum_scale = 1.0,
                                .prescribed = {1e-3, 2.0, 5.0}},
                       elastic = {.elastic = 1e-6, .elastic_scale = 1.0, .momentum_scale = 1.0},
                       momentum = {.momentum = 1e-6, .elastic_scale = 1.0, .momentum_scale = 1.0},
                       none = {.elastic = (double)NAN, .elastic_scale = 1.0, .momentum_scale = 1.0};
  double state[512];
  ck_assert_uint_le(prc_ledger_size(), 512);
  prc_ledger_drift(ledger, 10, &small);
  prc_certificate c = prc_ledger_certificate(ledger);
  expect_only(&c, PRC_CERTIFY_DRIFT_ELASTIC, PRC_PASS);
  ck_assert(c.entry[PRC_CERTIFY_PRESCRIBED].value == 5e-4); /* of the range of 2 */
  ck_assert_int_eq(c.entry[PRC_CERTIFY_PRESCRIBED].step, 10);
  prc_ledger_save(ledger, state);
  prc_ledger_drift(ledger, 20, &elastic);
  prc_ledger_drift(ledger, 30, &small); /* the worst stays */
  c = prc_ledger_certificate(ledger);
  expect_only(&c, PRC_CERTIFY_DRIFT_ELASTIC, PRC_FAIL);
  ck_assert_int_eq(c.entry[PRC_CERTIFY_DRIFT_ELASTIC].step, 20);
  prc_ledger_restore(ledger, state);
  prc_ledger_drift(ledger, 20, &momentum);
  c = prc_ledger_certificate(ledger);
  expect_only(&c, PRC_CERTIFY_DRIFT_MOMENTUM, PRC_FAIL);
  prc_ledger_restore(ledger, state);
  prc_ledger_drift(ledger, 20, &none);
  prc_ledger_drift(ledger, 30, &small);
  c = prc_ledger_certificate(ledger);
  expect_only(&c, PRC_CERTIFY_DRIFT_ELASTIC, PRC_FAIL);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(
    a_contact_problem_short_of_its_tolerance_fails) { /* in the measure without units; the other is reported */
  const double error[3] = {2e-10, 0.9e-10, (double)NAN};
  for (int which = 0; which < 2; which++)
    for (int i = 0; i < 3; i++) {
      step k;
      good(&k);
      *(which ? &k.r.cone.error.paper : &k.r.cone.error.scaled) = error[i];
      k.r.cone.converged = i == 1;
      const prc_certificate c = certificate_of(&k, promising);
      expect_only(&c, PRC_CERTIFY_CONTACT, i == 1 || which == 1 ? PRC_PASS : PRC_FAIL);
      const prc_certificate_entry *paper = &c.entry[PRC_CERTIFY_CONTACT_PAPER];
      ck_assert(paper->verdict == PRC_NOT_PROMISED && isnan(paper->bound));
      if (which == 1) ck_assert(paper->value == error[i] || (i == 2 && isnan(paper->value)));
      ck_assert(c.entry[PRC_CERTIFY_CONTACT].bound == 1e-10);
    }
}
END_TEST

/* Works `excess` times the allowance, in the motion itself, so that the balance still closes. */
static void working(step *k, int tangential, double excess) {
  make(k, &plain);
  double *p = &k->p[tangential ? 1 : 0], u = k->u_work[tangential ? 1 : 0];
  const double p_new = excess * 1e-6 / u;
  k->r.work[PRC_WORK_external] += u * (*p - p_new); /* a load has to give what p lost */
  *p = p_new;
  k->allowance[0] = 1e-6;
}

START_TEST(positive_work_fails_beyond_what_the_contact_error_explains) {
  for (int tangential = 0; tangential < 2; tangential++) {
    const int which = tangential ? PRC_CERTIFY_TANGENTIAL : PRC_CERTIFY_NORMAL;
    step k;
    working(&k, tangential, 0.9);
    prc_certificate c = certificate_of(&k, promising);
    expect_only(&c, which, PRC_PASS);
    ck_assert_double_eq_tol(c.entry[which].value, 0.9e-6, 1e-15);
    ck_assert_str_eq(c.entry[which].theorem, tangential ? "friction" : "pushing");
    ck_assert_ptr_null(c.entry[which].reason);
    working(&k, tangential, 1.1);
    c = certificate_of(&k, promising);
    expect_only(&c, which, PRC_FAIL);
    ck_assert_double_eq_tol(c.entry[which].value, 1.1e-6, 1e-15);
    ck_assert_double_eq_tol(c.entry[which].bound, 1e-6, 1e-15);
    ck_assert_int_eq(c.entry[which].step, 1);
  }
}
END_TEST

/* What activation let in although it opens may work as it opens. Where contacts that open are in the problem on purpose, the law says that they
 * work nothing. */
START_TEST(a_contact_that_opens_may_work_only_where_it_was_let_in) {
  for (int listed = 0; listed < 2; listed++) {
    step k;
    working(&k, 0, 1.1);
    if (k.p[0] < 0.0) k.p[0] = -k.p[0], k.u_work[0] = -k.u_work[0];
    k.u_old[0] = 1.0;
    k.r.listed = listed;
    const prc_certificate c = certificate_of(&k, promising);
    expect_only(&c, PRC_CERTIFY_NORMAL, listed ? PRC_FAIL : PRC_PASS);
  }
}
END_TEST

/* By its error it pulls as it opens: that opening works backwards, and takes nothing from what its error explains. */
START_TEST(a_contact_that_pulls_as_it_opens_keeps_its_allowance) {
  step k;
  working(&k, 0, 0.9);
  if (k.p[0] > 0.0) k.p[0] = -k.p[0], k.u_work[0] = -k.u_work[0];
  k.u_old[0] = 1.0;
  const prc_certificate c = certificate_of(&k, promising);
  expect_only(&c, PRC_CERTIFY_NORMAL, PRC_PASS);
}
END_TEST

/* A normal impulse that gives at the mean of the velocities fails where signs are promised, though it takes at u_theta; but for one that opened before. */
START_TEST(a_normal_impulse_that_gives_at_the_mean_fails) {
  for (int opened = 0; opened < 2; opened++) {
    step k;
    double mean[4] = {0.0}, before[4] = {0.0};
    good(&k);
    if (k.p[0] < 0.0) k.p[0] = -k.p[0], k.u_work[0] = -k.u_work[0];
    mean[0] = 1e-3, before[0] = opened ? 3e-3 : -1e-3;
    k.r.u_mean = mean, k.r.u_before = before;
    const prc_certificate c = certificate_of(&k, promising);
    expect_only(&c, PRC_CERTIFY_LOSS, opened ? PRC_PASS : PRC_FAIL);
    ck_assert_int_eq(c.entry[PRC_CERTIFY_NORMAL].verdict, PRC_PASS);
  }
}
END_TEST

START_TEST(
    positive_work_without_a_promise_is_reported) { /* Newton's law with theta < 1; the gap test alone */
  for (int tangential = 0; tangential < 2; tangential++) {
    const int which = tangential ? PRC_CERTIFY_TANGENTIAL : PRC_CERTIFY_NORMAL;
    prc_ledger_options silent = promising;
    *(tangential ? &silent.promises.tangential_sign : &silent.promises.normal_sign) =
        (prc_step_promise){NULL, "this law has none"};
    step k;
    working(&k, tangential, 1000.0);
    const prc_certificate c = certificate_of(&k, silent);
    expect_only(&c, which, PRC_NOTED); /* the energies are about one: a thousandth was created */
    ck_assert_double_eq_tol(c.entry[which].created, 1e-3 - 1e-6, 1e-14); /* beyond what its error explains */
    ck_assert_double_eq_tol(c.entry[which].value, 1e-3, 1e-14);
    ck_assert(isnan(c.entry[which].bound));
    ck_assert_ptr_null(c.entry[which].theorem);
    ck_assert_str_eq(c.entry[which].reason, "this law has none");
  }
}
END_TEST

START_TEST(notes_name_created_energy_with_its_amount) {
  prc_ledger_options silent = promising;
  char text[512];
  step k;
  silent.promises.tangential_sign = (prc_step_promise){NULL, "this law has none"};
  working(&k, 1, 1000.0);
  prc_certificate c = certificate_of(&k, silent);
  prc_certificate_notes(&c, text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "friction created energy: 0.000999"));
  ck_assert_ptr_nonnull(strstr(text, "(tangential_work)"));
  good(&k);
  c = certificate_of(&k, silent);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  prc_certificate_notes(&c, text, sizeof text);
  ck_assert_str_eq(text, "");
}
END_TEST

/* What rounding leaves of the energies in play is no work: a law without any allowance has a floor of 1e-14 of them. */
START_TEST(works_below_rounding_pass_without_an_allowance) {
  const double floor = 1e-14, of[] = {1e-198, 0.5 * floor, 2.0 * floor};
  for (int n = 0; n < 3; n++) {
    step k;
    good(&k);
    prc_certificate c = certificate_of(&k, promising);
    const double tangent = of[n] * c.energy_largest / k.p[1];
    k.u_work[1] = tangent, k.allowance[0] = 0.0;
    c = certificate_of(&k, promising);
    const prc_certificate_entry *entry = &c.entry[PRC_CERTIFY_TANGENTIAL];
    ck_assert_msg(entry->verdict == (n < 2 ? PRC_PASS : PRC_FAIL), "%g of the energy: %s", of[n],
                  prc_verdict_name(entry->verdict));
    ck_assert(entry->ratio == entry->value / entry->bound);
  }
}
END_TEST

/* An entry has its worst value and its worst ratio, which may be of two steps. */
START_TEST(the_worst_value_and_the_worst_ratio_are_kept_apart) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  const double work[] = {1e-6, 1e-5}, allowance[] = {1.25e-6, 1e-3};
  for (int n = 0; n < 2; n++) {
    k.u_work[1] = work[n] / k.p[1], k.allowance[0] = allowance[n], k.r.step = n + 1;
    prc_ledger_enter(ledger, &k.r);
  }
  const prc_certificate c = prc_ledger_certificate(ledger);
  const prc_certificate_entry *entry = &c.entry[PRC_CERTIFY_TANGENTIAL];
  ck_assert_double_eq_tol(entry->value, 1e-6, 1e-18);
  ck_assert_double_eq_tol(entry->ratio, 0.8, 1e-12);
  ck_assert_int_eq(entry->step, 1);
  ck_assert_double_eq_tol(entry->largest, 1e-5, 1e-17);
  ck_assert_int_eq(entry->largest_step, 2);
  prc_ledger_free(&ledger);
}
END_TEST

static prc_certificate certificate_of_look(int which, unsigned accepted, int n, const double *value,
                                           const double *scale) {
  prc_ledger_options options = promising;
  step k;
  good(&k);
  options.accepted = accepted;
  prc_ledger *ledger = start(&k, options);
  for (int i = 0; i < n; i++) {
    k.r.indicator[which] = (prc_indicator){.value = value[i], .scale = scale[i], .a = 10 + i, .b = 20 + i};
    k.r.step = i + 1;
    prc_ledger_enter(ledger, &k.r);
  }
  const prc_certificate c = prc_ledger_certificate(ledger);
  prc_ledger_free(&ledger);
  return c;
}

START_TEST(a_look_is_judged_by_its_worst_ratio) {
  const double value[] = {1e-3, 0.5, 1e-3}, scale[] = {1e-2, 10.0, 1e-2}, deep[] = {1.5e-2};
  prc_certificate c = certificate_of_look(PRC_INDICATOR_overlap, 0, 3, value, scale);
  const prc_certificate_entry *entry = &c.entry[PRC_CERTIFY_INDICATORS + PRC_INDICATOR_overlap];
  expect_only(&c, PRC_CERTIFY_INDICATORS + PRC_INDICATOR_overlap, PRC_PASS);
  ck_assert(entry->value == 1e-3 && entry->bound == 1e-2 && entry->step == 1);
  ck_assert(entry->largest == 0.5 && entry->largest_step == 2);
  ck_assert(entry->has_pair && entry->pair[0] == 10 && entry->pair[1] == 20);
  c = certificate_of_look(PRC_INDICATOR_overlap, 0, 1, deep, scale);
  expect_only(&c, PRC_CERTIFY_INDICATORS + PRC_INDICATOR_overlap, PRC_FAIL);
  c = certificate_of_look(PRC_INDICATOR_overlap, 1U << PRC_INDICATOR_overlap, 1, deep, scale);
  expect_only(&c, PRC_CERTIFY_INDICATORS + PRC_INDICATOR_overlap, PRC_NOTED);
  ck_assert(c.entry[PRC_CERTIFY_INDICATORS + PRC_INDICATOR_strain].absent);
}
END_TEST

START_TEST(angular_momentum_adds_up) {
  const double value[] = {6e-4, 6e-4, 6e-4}, scale[] = {1.0, 0.5, 0.1};
  prc_certificate c = certificate_of_look(PRC_INDICATOR_angular_momentum, 0, 1, value, scale);
  expect_only(&c, PRC_CERTIFY_INDICATORS, PRC_PASS);
  c = certificate_of_look(PRC_INDICATOR_angular_momentum, 0, 3, value, scale);
  expect_only(&c, PRC_CERTIFY_INDICATORS, PRC_NOTED);
  ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_INDICATORS].value, 1.8e-3, 1e-15);
}
END_TEST

START_TEST(work_that_is_no_number_fails) {
  step k;
  good(&k);
  k.u_work[1] = (double)NAN;
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  k.u_work[1] = 0.0;
  prc_ledger_enter(ledger, &k.r);
  ck_assert_int_eq(prc_ledger_certificate(ledger).entry[PRC_CERTIFY_TANGENTIAL].verdict, PRC_FAIL);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(penetration_fails_only_where_a_bound_is_set) {
  const double bound[4] = {-1.0, 0.02, 0.01, 0.0};
  static const prc_verdict verdict[4] = {PRC_NOT_PROMISED, PRC_PASS, PRC_FAIL, PRC_FAIL};
  for (int i = 0; i < 4; i++) {
    prc_ledger_options options = promising;
    options.max_penetration = bound[i];
    step k;
    good(&k);
    k.gap[0] = 0.5, k.gap[1] = -0.015;
    const prc_certificate c = certificate_of(&k, options);
    expect_only(&c, PRC_CERTIFY_PENETRATION, verdict[i]);
    ck_assert(c.entry[PRC_CERTIFY_PENETRATION].value == 0.015);
  }
}
END_TEST

/* A force that a gap hides lasts; the percussion by which nodes strike is there in one step. */
START_TEST(a_percussion_hides_no_force) {
  for (int lasts = 0; lasts < 2; lasts++) {
    double ramp[2] = {0.1, 0.1}, none[2] = {0.0, 0.0};
    step k;
    good(&k);
    prc_contact_set set = {.dim = 2, .n = 2, .ramp = ramp, .size = none};
    double before[2] = {lasts * k.p[0], lasts * k.p[2]};
    k.gap[0] = k.gap[1] = -0.015;
    k.r.contacts = &set, k.r.p_old = before;
    const prc_certificate c = certificate_of(&k, promising);
    ck_assert_int_eq(c.entry[PRC_CERTIFY_APPROACH].value > 0.0, lasts);
  }
}
END_TEST

START_TEST(verdicts_have_their_names) {
  ck_assert_str_eq(prc_verdict_name(PRC_PASS), "pass");
  ck_assert_str_eq(prc_verdict_name(PRC_FAIL), "fail");
  ck_assert_str_eq(prc_verdict_name(PRC_NOT_PROMISED), "not promised");
  ck_assert_str_eq(prc_verdict_name(PRC_NOTED), "noted");
}
END_TEST

START_TEST(drifts_are_measured_against_the_largest_scale_so_far) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  const prc_step_drift
      lively = {.elastic = 1e-9, .momentum = 1e-10, .elastic_scale = 20.0, .momentum_scale = 40.0},
      at_rest = {.elastic = 1e-9, .momentum = 1e-10, .elastic_scale = 1e-12, .momentum_scale = 1e-12};
  prc_ledger_drift(ledger, 1, &lively);
  prc_ledger_drift(ledger, 2, &at_rest); /* the same rounding is left when the motion has died away */
  prc_certificate c = prc_ledger_certificate(ledger);
  ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_DRIFT_ELASTIC].value, 0.5e-10, 1e-24);
  ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_DRIFT_MOMENTUM].value, 0.25e-11, 1e-24);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(drifts_are_measured_against_states_that_no_look_saw) {
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  prc_ledger_enter(ledger, &k.r);
  const prc_step_drift at_rest = {
      .elastic = 1e-12, .momentum = 1e-12, .elastic_scale = 1e-14, .momentum_scale = 1e-14};
  prc_ledger_drift(ledger, 2, &at_rest); /* the first look, after the motion of step 1 has died away */
  prc_certificate c = prc_ledger_certificate(ledger);
  const double f = fmax(hypot(k.f[0], k.f[1]), hypot(k.f_old[0], k.f_old[1]));
  ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_DRIFT_ELASTIC].value, 1e-12 / f, 1e-24);
  ck_assert_double_eq_tol(c.entry[PRC_CERTIFY_DRIFT_MOMENTUM].value,
                          1e-12 / sqrt(2.0 * fmax(k.kinetic, k.kinetic_old)), 1e-24);
  ck_assert_int_eq(c.verdict, PRC_PASS);
  prc_ledger_free(&ledger);
}
END_TEST

/* Neither moves nor is strained, before and after. */
static void rest(step *k) {
  k->kinetic_old = k->elastic_old = k->r.kinetic = k->r.potential = k->r.force = k->r.displacement = 0.0;
  k->f_old[0] = k->f_old[1] = 0.0;
}

START_TEST(
    drifts_are_measured_against_impulses_that_no_look_saw) { /* pressed against an obstacle, which moves nothing */
  const prc_step_drift after = {.momentum = 1e-12, .momentum_scale = 1e-14};
  for (int implicit = 0; implicit <= 1; implicit++) {
    step k;
    good(&k);
    rest(&k);
    prc_ledger *ledger = start(&k, promising);
    k.r.impulse = implicit ? 0.0 : sqrt(37.0); /* rows without inertia have none */
    prc_ledger_enter(ledger, &k.r);
    const prc_ledger_drifts d = prc_ledger_drift(ledger, 2, &after);
    ck_assert_double_eq_tol(d.momentum, implicit ? 100.0 : 1e-12 / sqrt(37.0), implicit ? 1e-10 : 1e-24);
    prc_ledger_free(&ledger);
  }
}
END_TEST

START_TEST(drifts_are_measured_against_ways_that_no_look_saw) { /* there and back without strain */
  const prc_step_drift back = {.elastic = 1e-9, .momentum = 1e-10, .stiffness = 7.0, .lack = 0.5};
  step k;
  good(&k);
  rest(&k);
  prc_ledger *ledger = start(&k, promising);
  k.r.displacement = 3.0 * 3.0 + 4.0 * 4.0;
  prc_ledger_enter(ledger, &k.r);
  const prc_ledger_drifts d = prc_ledger_drift(ledger, 2, &back);
  ck_assert_double_eq_tol(d.elastic, 1e-9 / 35.0, 1e-24);
  ck_assert_double_eq_tol(d.momentum, 1e-10 / 17.5, 1e-24);
  prc_ledger_free(&ledger);
}
END_TEST

START_TEST(a_restored_ledger_goes_on_to_the_bit) {
  const prc_step_drift drift = {.elastic = 1e-12,
                                .momentum = 2e-12,
                                .elastic_scale = 1.0,
                                .momentum_scale = 1.0,
                                .prescribed = {3e-12, 1.0, 1.0},
                                .rotation = 1e-3};
  double state[512];
  step k;
  good(&k);
  prc_ledger *a = start(&k, promising), *b = start(&k, promising);
  ck_assert_uint_le(prc_ledger_size(), 512);
  for (int n = 1; n <= 20; n++) {
    k.r.step = n, k.r.work[PRC_WORK_external] += 0.001 * k.v_theta[0]; /* residuals, so that marks are set */
    prc_ledger_enter(a, &k.r);
    prc_ledger_drift(a, n, &drift);
  }
  prc_ledger_save(a, state);
  prc_ledger_restore(b, state);
  for (int n = 21; n <= 40; n++) {
    k.r.step = n, k.r.work[PRC_WORK_external] += 0.001 * k.v_theta[0];
    prc_ledger_enter(a, &k.r), prc_ledger_enter(b, &k.r);
    ck_assert_mem_eq(prc_ledger_now(a), prc_ledger_now(b), sizeof(prc_ledger_row));
  }
  const prc_certificate x = prc_ledger_certificate(a), y = prc_ledger_certificate(b);
  for (int i = 0; i < PRC_CERTIFY_ENTRIES; i++) {
    ck_assert(x.entry[i].value == y.entry[i].value);
    ck_assert_int_eq(x.entry[i].step, y.entry[i].step);
    ck_assert_int_eq(x.entry[i].verdict, y.entry[i].verdict);
  }
  ck_assert_int_eq(x.verdict, PRC_FAIL);
  prc_ledger_free(&a), prc_ledger_free(&b);
}
END_TEST

/* What a checkpoint claims need not be a step, nor a count. */
START_TEST(nonsense_in_a_restored_ledger_gives_steps_and_counts) {
  static const double nonsense[] = {1e300, -1e300, INFINITY, NAN, -1.0, 0.5};
  double state[512];
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    for (size_t j = 0; j < prc_ledger_size(); j++) state[j] = nonsense[i];
    prc_ledger_restore(ledger, state);
    const prc_certificate c = prc_ledger_certificate(ledger);
    for (int e = 0; e < PRC_CERTIFY_ENTRIES; e++) {
      ck_assert_int_ge(c.entry[e].step, 0);
      ck_assert_int_ge(c.entry[e].count, 0);
    }
  }
  prc_ledger_free(&ledger);
}
END_TEST

/* A state of a run, and the same with one number that no run has. The mark of a contact error may be anything. */
START_TEST(a_ledger_that_is_not_of_this_step_is_found_out) {
  static const double nonsense[] = {INFINITY, -INFINITY, NAN};
  double state[512];
  int found = 0;
  step k;
  good(&k);
  prc_ledger *ledger = start(&k, promising);
  k.r.step = 7, k.r.t = 0.7;
  prc_ledger_enter(ledger, &k.r);
  prc_ledger_fail(ledger, 7);
  prc_ledger_save(ledger, state);
  ck_assert(prc_ledger_is_sound(state, 7, 0.7 * (1.0 + 1e-12)));
  ck_assert(!prc_ledger_is_sound(state, 6, 0.7) && !prc_ledger_is_sound(state, 7, 0.6));
  ck_assert(prc_ledger_failures(state) == 1.0);
  for (size_t j = 0; j < prc_ledger_size(); j++)
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
      const double before = state[j];
      state[j] = nonsense[i];
      found += !prc_ledger_is_sound(state, 7, 0.7);
      state[j] = before;
    }
  ck_assert_int_ge(found, 3 * 20); /* step, time, seven sums and what they lost, and counts */
  prc_ledger_free(&ledger);
}
END_TEST

SUITE(ledger) {
  Suite *suite = suite_create("ledger");
  TCase *row = tcase_create("row"), *certificate = tcase_create("certificate");
  tcase_add_test(row, the_header_is_the_contract);
  tcase_add_test(row, columns_are_numbers_one_after_the_other);
  tcase_add_test(row, the_start_has_the_energies_of_the_state);
  tcase_add_loop_test(row, every_term_of_the_balance_is_its_formula, 0, sizeof steps / sizeof *steps);
  tcase_add_loop_test(row, what_an_impact_takes_does_not_depend_on_theta, 0, 8);
  tcase_add_test(row, what_the_solver_did_is_in_the_row);
  tcase_add_test(row, the_works_of_the_scheme_are_entered_as_they_are);
  tcase_add_test(row, the_record_has_the_scales_of_drifts);
  tcase_add_test(row, the_residual_is_what_does_not_add_up);
  tcase_add_test(row, works_add_up_and_residuals_do_not);
  tcase_add_test(row, largest_and_smallest_are_over_the_active_contacts);
  tcase_add_test(certificate, a_good_step_passes);
  tcase_add_test(certificate, a_residual_fails_beyond_1e_11_of_the_energy);
  tcase_add_test(certificate, a_residual_that_is_no_number_fails_for_good);
  tcase_add_test(certificate, a_motion_that_is_not_followed_fails);
  tcase_add_test(certificate, a_cell_that_turned_is_noted_and_then_fails);
  tcase_add_test(certificate, a_drifting_state_fails);
  tcase_add_test(certificate, drifts_are_measured_against_the_largest_scale_so_far);
  tcase_add_test(certificate, drifts_are_measured_against_states_that_no_look_saw);
  tcase_add_test(certificate, drifts_are_measured_against_impulses_that_no_look_saw);
  tcase_add_test(certificate, drifts_are_measured_against_ways_that_no_look_saw);
  tcase_add_test(certificate, a_contact_problem_short_of_its_tolerance_fails);
  tcase_add_test(certificate, positive_work_fails_beyond_what_the_contact_error_explains);
  tcase_add_test(certificate, a_contact_that_opens_may_work_only_where_it_was_let_in);
  tcase_add_test(certificate, a_contact_that_pulls_as_it_opens_keeps_its_allowance);
  tcase_add_test(certificate, positive_work_without_a_promise_is_reported);
  tcase_add_test(certificate, a_normal_impulse_that_gives_at_the_mean_fails);
  tcase_add_test(certificate, work_that_is_no_number_fails);
  tcase_add_test(certificate, notes_name_created_energy_with_its_amount);
  tcase_add_test(certificate, works_below_rounding_pass_without_an_allowance);
  tcase_add_test(certificate, the_worst_value_and_the_worst_ratio_are_kept_apart);
  tcase_add_test(certificate, a_look_is_judged_by_its_worst_ratio);
  tcase_add_test(certificate, angular_momentum_adds_up);
  tcase_add_test(certificate, penetration_fails_only_where_a_bound_is_set);
  tcase_add_test(certificate, a_percussion_hides_no_force);
  tcase_add_test(certificate, verdicts_have_their_names);
  tcase_add_test(certificate, a_restored_ledger_goes_on_to_the_bit);
  tcase_add_test(certificate, nonsense_in_a_restored_ledger_gives_steps_and_counts);
  tcase_add_test(certificate, a_ledger_that_is_not_of_this_step_is_found_out);
  suite_add_tcase(suite, row);
  suite_add_tcase(suite, certificate);
  return suite;
}
