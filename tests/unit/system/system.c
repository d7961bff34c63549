#include "config.h"
#include "case/case.h"
#include "support/support.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What prc_system_check and prc_system_check_at say of a system that is wrong in one thing, and that they say nothing of one that is right. */

static prc_error err;

/* A point mass on a nonlinear spring above a slope, a third dof that a joint ties to it and to time, and a fourth that is driven. */
enum { N = 4, ENTRIES = 5 };
typedef enum {
  NONE,
  LOAD_LEFT_OUT,
  LOAD_IN_TIME,
  LOAD_OF_STATE,
  FORCE_TURNED,
  FORCE_WITHOUT_FACTOR,
  TANGENT_DOUBLED,
  TANGENT_LEFT_OUT,
  MEAN_OFF,
  DAMPING_DRIVES,
  DAMPING_TANGENT,
  GAP_TURNED,
  GAP_OF_TIME,
  GAP_OF_OTHER,
  ROW_TWICE,
  ROW_NAN,
  H_TURNS,
  SAME_ID,
  NO_LAW,
  DOF_BEYOND,
  JOINT_ROW,
  JOINT_SECANT,
  JOINT_RATE_NAN,
  MOTION_RATE
} flaw;

typedef struct {
  prc_system system;
  prc_sym M, pattern;
  int p[N + 1], i[N], pattern_p[N + 1], pattern_i[ENTRIES], prescribed[1], start[2], joint_dof[2];
  double x[N], zeros[ENTRIES];
  prc_law law;
  flaw is;
} model;

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const model *m = owner;
  (void)e;
  F[0] = 0.0, F[1] = -9.81, F[2] = 1.0;
  if (m->is != LOAD_LEFT_OUT) F[3] = 0.0;
  if (m->is == LOAD_IN_TIME) F[1] += at->t;
  if (m->is == LOAD_OF_STATE) F[1] += at->v[1];
  return PRC_OK;
}

/* V = 50 (r - 1)^2 + q_2^4 / 4, r of (q_0, q_1) */
static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *e) {
  const model *m = owner;
  const double *q = at->q, r = hypot(q[0], q[1]), pull = m->is == FORCE_WITHOUT_FACTOR ? 50.0 : 100.0;
  (void)e;
  if (potential) *potential = 50.0 * (r - 1.0) * (r - 1.0) + 0.25 * pow(q[2], 4);
  if (!f) return PRC_OK;
  for (int i = 0; i < 2; i++) f[i] = pull * (r - 1.0) * q[i] / r;
  f[2] = (m->is == FORCE_TURNED ? -1.0 : 1.0) * pow(q[2], 3), f[3] = 0.0;
  return PRC_OK;
}

/* The spring's tangent in dofs 0 and 1, and that of a dashpot 0.7 v_2 |v_2|; the pattern is (0,0) (1,0) (1,1) (2,2) (3,3). */
static prc_status tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *e) {
  const model *m = owner;
  const double *q = at->q, r = hypot(q[0], q[1]);
  (void)e;
  const double k = m->is == TANGENT_DOUBLED ? 2.0 : 1.0;
  A->x[0] += c_x * k * 100.0 * (1.0 - 1.0 / r + q[0] * q[0] / (r * r * r));
  if (m->is != TANGENT_LEFT_OUT) A->x[1] += c_x * 100.0 * q[0] * q[1] / (r * r * r);
  A->x[2] += c_x * 100.0 * (1.0 - 1.0 / r + q[1] * q[1] / (r * r * r));
  A->x[3] += c_x * 3.0 * q[2] * q[2] + c_v * (m->is == DAMPING_TANGENT ? 0.7 : 1.4) * fabs(at->v[2]);
  return PRC_OK;
}

/* The secant along dx: exact whatever dx is. */
static prc_status mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                prc_error *e) {
  const model *m = owner;
  double before, after, next[N], size = 0.0;
  for (int i = 0; i < N; i++) next[i] = q[i] + dx[i], size += dx[i] * dx[i];
  (void)internal(owner, &(prc_at){0.0, q, NULL}, NULL, &before, e);
  (void)internal(owner, &(prc_at){0.0, next, NULL}, NULL, &after, e);
  *gain = after - before;
  for (int i = 0; i < N; i++) f[i] = (m->is == MEAN_OFF ? 1.001 : 1.0) * *gain * dx[i] / size;
  return PRC_OK;
}

static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *e) {
  const model *m = owner;
  (void)e;
  d[0] = d[1] = d[3] = 0.0;
  d[2] = (m->is == DAMPING_DRIVES ? -0.7 : 0.7) * at->v[2] * fabs(at->v[2]);
  return PRC_OK;
}

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  model *m = owner;
  prc_status status = PRC_OK;
  const int dof[2] = {0, m->is == DOF_BEYOND ? N : 1};
  (void)at, (void)h, (void)reach;
  for (uint32_t k = 0; k < 2 && status == PRC_OK; k++)
    status = prc_contact_set_add(set,
                                 &(prc_contact){.id = {.b = m->is == SAME_ID ? 0 : k},
                                                .body = {-1, 0},
                                                .n_dof = 2,
                                                .dof = dof,
                                                .law = m->is == NO_LAW ? NULL : &m->law},
                                 e);
  return status;
}

/* Two slopes of normals (0.6, 0.8) and (-0.6, 0.8). */
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const model *m = owner;
  for (int c = 0; c < set->n; c++) {
    const double n[2] = {c == 0 ? 0.6 : -0.6, 0.8}, sign = m->is == GAP_TURNED && c == 1 ? -1.0 : 1.0;
    double *H = set->H.x + 4 * c;
    if (what & PRC_EVALUATE_GAP) set->gap[c] = sign * (n[0] * at->q[0] + n[1] * at->q[1] - 0.1);
    if ((what & PRC_EVALUATE_GAP) && m->is == GAP_OF_TIME) set->gap[c] += 0.1 * at->t;
    if ((what & PRC_EVALUATE_GAP) && m->is == GAP_OF_OTHER) set->gap[c] += 0.1 * at->q[2];
    if (!(what & PRC_EVALUATE_H)) continue;
    H[0] = n[0], H[1] = n[1], H[2] = n[1], H[3] = -n[0];
    if (m->is == ROW_TWICE) H[0] *= 2.0, H[1] *= 2.0;
    if (m->is == ROW_NAN) H[3] = NAN;
    if (m->is == H_TURNS) H[2] += 0.1 * at->q[3];
  }
}

/* g = q_0 + q_2 - sin(t) */
static prc_status joint(void *owner, const prc_at *at, double *g, double *G, double *rate, double *bias,
                        prc_error *e) {
  const model *m = owner;
  (void)e;
  if (g) *g = at->q[0] + at->q[2] - sin(at->t);
  if (G) G[0] = 1.0, G[1] = m->is == JOINT_ROW ? -1.0 : 1.0;
  if (rate) *rate = m->is == JOINT_RATE_NAN ? NAN : -cos(at->t);
  if (bias) *bias = sin(at->t);
  return PRC_OK;
}
static prc_status secant(void *owner, const prc_at *from, double h, const double *dx, double *G, double *rate,
                         prc_error *e) {
  const model *m = owner;
  (void)dx, (void)e;
  G[0] = G[1] = 1.0;
  *rate = m->is == JOINT_SECANT ? -cos(from->t) : -(sin(from->t + h) - sin(from->t)) / h;
  return PRC_OK;
}

static prc_status velocity(void *owner, double t, double h, double *v, prc_error *e) {
  const model *m = owner;
  (void)h, (void)e;
  *v = (m->is == MOTION_RATE ? 1.01 : 1.0) * 0.3 * cos(3.0 * t);
  return PRC_OK;
}
static prc_status displacement(void *owner, double t, double *d, prc_error *e) {
  (void)owner, (void)e;
  *d = 0.1 * sin(3.0 * t);
  return PRC_OK;
}

static void make(model *m, flaw is) {
  static const int pattern_p[N + 1] = {0, 2, 3, 4, 5}, pattern_i[ENTRIES] = {0, 1, 1, 2, 3};
  memset(m, 0, sizeof *m);
  prc_error_clear(&err);
  for (int i = 0; i < N; i++) m->p[i + 1] = i + 1, m->i[i] = i, m->x[i] = 1.0 + i;
  memcpy(m->pattern_p, pattern_p, sizeof pattern_p), memcpy(m->pattern_i, pattern_i, sizeof pattern_i);
  m->M = (prc_sym){.n = N, .p = m->p, .i = m->i, .x = m->x};
  m->pattern = (prc_sym){.n = N, .p = m->pattern_p, .i = m->pattern_i, .x = m->zeros};
  m->prescribed[0] = 3, m->start[1] = 2, m->joint_dof[1] = 2;
  m->law = prc_law_coulomb(0.3, 0.0, 0.0), m->is = is;
  m->system = (prc_system){
      .space = {.nv = N},
      .dynamics = {.M = &m->M,
                   .varies = PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE,
                   .loads = loads,
                   .internal = internal,
                   .mean_internal = mean_internal,
                   .damping = damping,
                   .tangent = tangent,
                   .pattern = &m->pattern},
      .drive = {.n = 1, .dof = m->prescribed, .velocity = velocity, .displacement = displacement},
      .joints = {.n = 1, .start = m->start, .dof = m->joint_dof, .evaluate = joint, .secant = secant},
      .contacts = {.dim = 2, .find = find, .evaluate = evaluate},
      .length = 1.0,
      .velocity = 10.0,
      .owner = m};
}

static const double q_0[N] = {0.7, 0.5, -0.4, 0.0}, v_0[N] = {0.3, -0.2, 0.5, 0.3};

static prc_status ask(const model *m) {
  return prc_system_check_at(&m->system, &(prc_at){0.2, q_0, v_0}, 1e-2, &err);
}

START_TEST(a_system_whose_functions_agree_is_let_through) {
  model m;
  make(&m, NONE);
  support_ok(ask(&m), &err);
}
END_TEST

static void expect(const char *part) {
  ck_assert_msg(err.status == PRC_INPUT && strstr(err.message, part), "%d '%s', expected '%s'",
                (int)err.status, err.message, part);
}

/* What each flaw is called. */
static const struct {
  flaw is;
  const char *says;
} flaws[] = {
    {LOAD_LEFT_OUT, "dynamics.loads: F[3] is nan, expected a finite number written there"},
    {LOAD_IN_TIME, "expected PRC_LOADS_IN_TIME in dynamics.varies"},
    {LOAD_OF_STATE, "expected PRC_LOADS_OF_STATE in dynamics.varies"},
    {FORCE_TURNED, "dynamics.internal: f[2] is 0.064, expected -0.064"},
    {FORCE_WITHOUT_FACTOR, "dynamics.internal: f[0] is"},
    {TANGENT_DOUBLED, "dynamics.tangent: entry (0, 0) of df/dq is"},
    {TANGENT_LEFT_OUT, "dynamics.tangent: entry (1, 0) of df/dq is 0, expected"},
    {MEAN_OFF, "dynamics.mean_internal: dx . f is"},
    {DAMPING_DRIVES, "dynamics.damping: v . d is -"},
    {DAMPING_TANGENT, "dynamics.tangent: entry (2, 2) of dd/dv is 0.35, expected 0.7"},
    {GAP_TURNED, "H row 0, dof 0, of contact 1, id (0, 1, 0, 0), is -0.6, expected 0.6"},
    {GAP_OF_TIME, "the gap, at the same q and another time, of contact 0"},
    {GAP_OF_OTHER, "H row 0, dof 2, of contact 0, id (0, 0, 0, 0), is 0, expected 0.1"},
    {ROW_TWICE, "H row 0, dof 0, of contact 0, id (0, 0, 0, 0), is 1.2, expected 0.6"},
    {ROW_NAN, "H row 1, dof 1 of contact 0, id (0, 0, 0, 0), is nan"},
    {H_TURNS, "PRC_CONTACTS_H in contacts.varies"},
    {SAME_ID, "two contacts have the id (0, 0, 0, 0)"},
    {NO_LAW, "contact 0 has no law"},
    {DOF_BEYOND, "contact 0 touches dof 4, expected 0 to 3"},
    {JOINT_ROW, "joints.evaluate: G of row 0, dof 2, is -1, expected 1"},
    {JOINT_SECANT, "joints.secant: G dx + h rate of row 0 is"},
    {JOINT_RATE_NAN, "joints.evaluate: rate[0] is nan"},
    {MOTION_RATE, "drive.velocity: v[0] is"},
};

START_TEST(the_first_flaw_of_its_functions_is_named_with_row_and_values) {
  model m;
  make(&m, flaws[_i].is);
  ck_assert_int_eq(ask(&m), PRC_INPUT);
  expect(flaws[_i].says);
}
END_TEST

/* Matrices and lists, which a stepper asks for too. */
START_TEST(what_can_be_seen_without_functions_is_named_by_its_place) {
  model m;
  double x[4] = {1.0, 5.0, 2.0, 3.0};
  int p[3] = {0, 2, 3}, i[3] = {0, 1, 1};
  make(&m, NONE);
  m.system.space.nv = 2, m.M = (prc_sym){.n = 2, .p = p, .i = i, .x = x};
  m.system = (prc_system){.space = {.nv = 2}, .dynamics = {.M = &m.M}, .length = 1.0, .velocity = 1.0};
  ck_assert_int_eq(prc_system_check(&m.system, &err), PRC_INPUT);
  expect("M: entry (1, 0) is 5, expected at most 1.41421 in size");
  const struct {
    int i[3];
    double x[3];
    const char *says;
  } wrong[] = {{{1, 0, 1}, {1.0, 0.1, 2.0}, "M: "}, /* the diagonal does not come first */
               {{0, 0, 1}, {1.0, 0.1, 2.0}, "M: "}, /* twice */
               {{0, 2, 1}, {1.0, 0.1, 2.0}, "M: "}, /* beyond */
               {{0, 1, 0}, {1.0, 0.1, 2.0}, "M: "}, /* above the diagonal */
               {{0, 1, 1}, {1.0, NAN, 2.0}, "nan"}, /* no number */
               {{0, 1, 1}, {-1.0, 0.1, 2.0}, "a mass >= 0"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    prc_error_clear(&err);
    memcpy(i, wrong[k].i, sizeof i), memcpy(x, wrong[k].x, sizeof wrong[k].x);
    ck_assert_int_eq(prc_system_check(&m.system, &err), PRC_INPUT);
    expect(wrong[k].says);
  }
  make(&m, NONE);
  m.system.dynamics.internal = NULL;
  ck_assert_int_eq(prc_system_check(&m.system, &err), PRC_INPUT);
  expect("a function for them and their potential");
  make(&m, NONE);
  m.system.dynamics.K = &m.M;
  ck_assert_int_eq(prc_system_check(&m.system, &err), PRC_INPUT);
  expect("K is given beside internal forces");
}
END_TEST

START_TEST(it_holds_in_any_unit_of_length) {
  static const double unit[] = {1e-6, 1e-3, 1e3, 1e6};
  model m;
  make(&m, NONE);
  /* the contacts and loads of it: gaps, rows and places scale alike */
  m.system.dynamics = (prc_dynamics){.M = &m.M, .loads = loads};
  m.system.drive = (prc_drive){0}, m.system.joints = (prc_joints){0};
  double q[N];
  for (size_t k = 0; k < 4; k++) {
    for (int i = 0; i < N; i++) q[i] = unit[k] * q_0[i];
    m.system.length = unit[k], m.is = NONE;
    support_ok(prc_system_check_at(&m.system, &(prc_at){0.2, q, v_0}, 1e-2, &err), &err);
    m.is = GAP_TURNED;
    ck_assert_int_eq(prc_system_check_at(&m.system, &(prc_at){0.2, q, v_0}, 1e-2, &err), PRC_INPUT);
    prc_error_clear(&err);
  }
}
END_TEST

/* The library's own systems: in the plane, in space, with joints, meshes and beams, moved a little from where they start, as contacts that touch have kinks. */
static const char *const own[] = {"rocking-block", "four-bar",     "chaplygin-sleigh", "spring-pendulum",
                                  "gyroscope",     "sliding-cube", "bouncing-ball",    "swinging-cantilever"};

START_TEST(the_library_keeps_its_own_promises) {
  char name[64];
  prc_case *c = NULL;
  prc_model *model_of = NULL;
  double *q = NULL, *v = NULL;
  prc_error_clear(&err);
  snprintf(name, sizeof name, "cases/%s.yaml", own[_i]);
  support_ok(prc_case_read(support_source(name), 0, NULL, &c, &err), &err);
  support_ok(prc_case_build(c, NULL, &model_of, &err), &err);
  support_ok(prc_new(&q, prc_system_coordinates(model_of->system), &err), &err);
  support_ok(prc_new(&v, model_of->system->space.nv, &err), &err);
  prc_scene_initial(model_of->scene, q, v);
  support_ok(prc_system_check_at(model_of->system, &(prc_at){0.01, q, v}, c->time.step, &err), &err);
  prc_delete(&q);
  prc_delete(&v);
  prc_model_free(&model_of);
  prc_case_free(&c);
}
END_TEST

SUITE(system) {
  Suite *suite = suite_create("system");
  TCase *tests = tcase_create("check");
  tcase_add_test(tests, a_system_whose_functions_agree_is_let_through);
  tcase_add_loop_test(tests, the_first_flaw_of_its_functions_is_named_with_row_and_values, 0,
                      (int)(sizeof flaws / sizeof *flaws));
  tcase_add_test(tests, what_can_be_seen_without_functions_is_named_by_its_place);
  tcase_add_test(tests, it_holds_in_any_unit_of_length);
  tcase_add_loop_test(tests, the_library_keeps_its_own_promises, 0, (int)(sizeof own / sizeof *own));
  suite_add_tcase(suite, tests);
  return suite;
}
