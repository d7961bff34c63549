#include "config.h"
#include "case/case.h"
#include "step/step.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beams among other bodies: joints with them against differences, and the guided hopper of Capobianco, Harsch, Eugster and Leine (2021), section 10.5. */

static prc_error err;
static const double pi = 3.14159265358979323846;

/* ---- joints ------------------------------------------------------------------------------------------------------------- */

static prc_status swing(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  const double *data = field->data;
  (void)x, (void)y, (void)e;
  *value = data[0] + 0.3 * sin(2.0 * t);
  return PRC_OK;
}
static prc_status swing_derivatives(const prc_field *field, double x, double y, double t, double out[3],
                                    prc_error *e) {
  const double *data = field->data;
  (void)x, (void)y, (void)e;
  out[0] = data[0] + 0.3 * sin(2.0 * t), out[1] = 0.6 * cos(2.0 * t), out[2] = -1.2 * sin(2.0 * t);
  return PRC_OK;
}

/* Two rigid bodies and two beams; the joint is between two of what there is. */
enum { BODIES = 3, MOST = 64 };
typedef struct {
  prc_rigid_body body[2];
  prc_rigid_model rigid_model;
  prc_rigid *rigid;
  double point[2][24], offset;
  prc_beam_model beam_model[2];
  prc_beam *beam[2];
  prc_scene *scene;
  const prc_system *system;
  int n;
} joined;

static void make(joined *j, prc_joint_type type, int first, int second, int has_value) {
  static const double ends[2][2][2] = {{{0.0, 0.0}, {1.0, 0.5}}, {{1.0, 0.5}, {0.3, 1.4}}};
  memset(j, 0, sizeof *j);
  for (int k = 0; k < 2; k++)
    j->body[k] = (prc_rigid_body){
        .name = "r", .mass = 1.0 + k, .inertia = 0.2 + k, .position = {1.4, 0.2 + k}, .angle = 0.7 - k};
  j->rigid_model = (prc_rigid_model){.n_bodies = 2, .body = j->body};
  support_ok(prc_rigid_create(&j->rigid_model, &j->rigid, &err), &err);
  for (int k = 0; k < 2; k++) {
    prc_beam_straight(2 + k, 3, ends[k], j->point[k]);
    j->beam_model[k] = (prc_beam_model){.name = "b",
                                        .degree = 2 + k,
                                        .n_elements = 3,
                                        .point = j->point[k],
                                        .EA = 100.0,
                                        .EI = 1.0,
                                        .density = 0.5};
    support_ok(prc_beam_create(&j->beam_model[k], &j->beam[k], &err), &err);
  }
  const prc_body body[BODIES] = {{.kind = &prc_body_kind_rigid, .self = j->rigid, .name = "r"},
                                 {.kind = &prc_body_kind_beam, .self = j->beam[0], .name = "a"},
                                 {.kind = &prc_body_kind_beam, .self = j->beam[1], .name = "b"}};
  /* all at (1, 0.5), the second body's by its axes; a distance from elsewhere on it */
  const double c = cos(0.7), s = sin(0.7), d[2] = {1.0 - 1.4, 0.5 - 0.2};
  const int is_distance = type == PRC_JOINT_DISTANCE;
  prc_scene_joint joint = {
      .name = "j", .type = type, .body = {first, second}, .length = NAN, .has_value = has_value};
  for (int k = 0; k < 2; k++) {
    const int b = joint.body[k];
    joint.point[k] = b < 0    ? (prc_body_point){.r = {1.0, 0.5}}
                     : b == 0 ? (prc_body_point){.r = {c * d[0] + s * d[1], c * d[1] - s * d[0]}}
                              : (prc_body_point){.r = {b == 1, 0.0}};
    if (k == 1 && is_distance) joint.point[k].r[0] = b == 0 ? 0.9 : 0.4;
  }
  if (has_value && is_distance) { /* what it is at the start */
    prc_scene_joint free = joint;
    free.has_value = 0;
    const prc_scene_model without = {.n_bodies = BODIES, .body = body, .n_joints = 1, .joint = &free};
    double x[2][2], force[3], q[MOST], v[MOST];
    support_ok(prc_scene_create(&without, &j->scene, &err), &err);
    prc_scene_initial(j->scene, q, v);
    prc_scene_joint_now(j->scene, 0, q, NULL, force, x);
    j->offset = hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]);
    prc_scene_free(&j->scene);
  }
  joint.value =
      (prc_field){.eval = swing, .data = &j->offset, .uses_time = 1, .derivatives = swing_derivatives};
  const prc_scene_model model = {.n_bodies = BODIES, .body = body, .n_joints = 1, .joint = &joint};
  support_ok(prc_scene_create(&model, &j->scene, &err), &err);
  j->system = prc_scene_system(j->scene);
  j->n = j->system->space.nv;
  ck_assert_int_le(j->n, MOST);
  ck_assert_int_ge(j->system->joints.n, 1);
}

static void close_joined(joined *j) {
  prc_scene_free(&j->scene);
  prc_rigid_free(&j->rigid);
  for (int k = 0; k < 2; k++) prc_beam_free(&j->beam[k]);
}

static void gaps(const joined *j, double t, const double *q, double *g) {
  support_ok(j->system->joints.evaluate(j->system->owner, &(prc_at){t, q, NULL}, g, NULL, NULL, NULL, &err),
             &err);
}

/* G times v, row by row. */
static void times(const joined *j, const double *G, const double *v, double *out) {
  const prc_joints *of = &j->system->joints;
  for (int r = 0; r < of->n; r++) {
    out[r] = 0.0;
    for (int k = of->start[r]; k < of->start[r + 1]; k++) {
      if (k > of->start[r]) ck_assert_int_gt(of->dof[k], of->dof[k - 1]);
      out[r] += G[k] * v[of->dof[k]];
    }
  }
}

/* g' = G v + rate, g'' = G a + bias by differences, and g(t + h, q + dx) - g = G dx + h rate of the secant to rounding. */
static void check_rows(const joined *j, prc_random *r) {
  double q[MOST], v[MOST], v0[MOST], dx[MOST], then[MOST], before[MOST], G[256];
  double g[3], g_1[3], g_0[3], rate[3], bias[3], Gv[3];
  const double t = 0.3, d = 1e-4, h = 0.1;
  prc_scene_initial(j->scene, q, v0);
  for (int i = 0; i < j->n; i++)
    q[i] += prc_random_uniform(r, -0.03, 0.03), v[i] = prc_random_uniform(r, -0.3, 0.3),
                                                dx[i] = prc_random_uniform(r, -0.03, 0.03);
  support_ok(j->system->joints.evaluate(j->system->owner, &(prc_at){t, q, v}, g, G, rate, bias, &err), &err);
  times(j, G, v, Gv);
  for (int i = 0; i < j->n; i++) then[i] = q[i] + d * v[i], before[i] = q[i] - d * v[i];
  gaps(j, t + d, then, g_1), gaps(j, t - d, before, g_0);
  for (int k = 0; k < j->system->joints.n; k++) {
    ck_assert_double_eq_tol(Gv[k] + rate[k], (g_1[k] - g_0[k]) / (2.0 * d), 2e-5);
    ck_assert_double_eq_tol(bias[k], (g_1[k] - 2.0 * g[k] + g_0[k]) / (d * d), 2e-3);
  }
  support_ok(j->system->joints.secant(j->system->owner, &(prc_at){t, q, NULL}, h, dx, G, rate, &err), &err);
  times(j, G, dx, Gv);
  for (int i = 0; i < j->n; i++) then[i] = q[i] + dx[i];
  gaps(j, t + h, then, g_1);
  for (int k = 0; k < j->system->joints.n; k++)
    ck_assert_double_eq_tol(g_1[k] - g[k], Gv[k] + h * rate[k], 1e-14);
}

START_TEST(rows_between_kinds_are_those_of_differences) {
  static const prc_joint_type types[] = {PRC_JOINT_REVOLUTE, PRC_JOINT_FIXED, PRC_JOINT_ANGLE,
                                         PRC_JOINT_DISTANCE};
  static const int pairs[][2] = {{-1, 1}, {1, -1}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}};
  prc_random r = {11};
  for (size_t type = 0; type < sizeof types / sizeof *types; type++)
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
      for (int value = 0; value < (types[type] == PRC_JOINT_FIXED ? 1 : 2); value++) {
        joined j;
        double q[MOST], v[MOST], g[3];
        if (types[type] == PRC_JOINT_DISTANCE && pairs[pair][1] < 0) continue;
        make(&j, types[type], pairs[pair][0], pairs[pair][1], value);
        prc_scene_initial(j.scene, q, v);
        gaps(&j, 0.0, q, g);
        for (int k = 0; k < j.system->joints.n; k++) ck_assert_double_eq_tol(g[k], 0.0, 1e-15);
        for (int k = 0; k < 20; k++) check_rows(&j, &r);
        close_joined(&j);
      }
}
END_TEST

/* ---- the hopper --------------------------------------------------------------------------------------------------------- */

typedef struct {
  prc_case *c;
  prc_model *model;
  prc_stepper *stepper;
  const prc_step_record *r;
  double up; /* momentum at the start */
} hopper;

enum { SHANK = 9 }; /* its first dof, behind the two rigid bodies and the floor */

/* Of the whole system: 2 rigid bodies, and the beam's control points. */
static double momentum_up(const prc_step_record *r) {
  double sum = r->m[1] + r->m[4];
  for (int i = SHANK; i < r->n; i += 2) sum += r->m[i + 1];
  return sum;
}

static void open_hopper(hopper *p, const char *scheme, double step, double theta) {
  double *q = NULL, *v = NULL;
  memset(p, 0, sizeof *p);
  support_ok(prc_case_read(support_source("cases/guided-hopper.yaml"), 0, NULL, &p->c, &err), &err);
  support_ok(prc_case_build(p->c, NULL, &p->model, &err), &err);
  prc_step_options o = prc_step_options_default(step);
  o.scheme = scheme, o.theta = theta, o.rho = 0.0, o.tolerance = p->c->time.tolerance;
  if (strcmp(scheme, "theta") != 0) o.law = PRC_IMPACT_NEWTON;
  support_ok(prc_stepper_create(p->model->system, &o, &p->stepper, &err), &err);
  support_ok(prc_new(&q, p->model->system->space.nv, &err), &err);
  support_ok(prc_new(&v, p->model->system->space.nv, &err), &err);
  prc_scene_initial(p->model->scene, q, v);
  support_ok(prc_stepper_start(p->stepper, q, v, &err), &err);
  p->r = prc_stepper_record(p->stepper);
  p->up = momentum_up(p->r);
  prc_delete(&q);
  prc_delete(&v);
}

static void close_hopper(hopper *p) {
  prc_stepper_free(&p->stepper);
  prc_model_free(&p->model);
  prc_case_free(&p->c);
}

/* What it did, of the foot's only contact. */
typedef struct {
  double first, last, second; /* times: first contact, end of the first stance, second touchdown */
  double push, stance;        /* sum of P_N, and of the first stance */
  int closed, sliding;
  double y[9], foot; /* at the times of the table; of the foot at 0.15 */
} course;
static const double times_of[9] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0};

static void always_true(const hopper *p, int by_levels) {
  const prc_step_record *r = p->r;
  for (int i = 0; i < r->n_joints; i++) ck_assert_double_le(fabs(r->joint_g[i]), 1e-9);
  ck_assert_int_eq(r->n_contacts, 1);
  ck_assert_double_ge(r->p[0], 0.0);
  ck_assert_double_le(fabs(r->p[1]), 0.2 * r->p[0] * (1.0 + 1e-6) + 1e-15);
  if (by_levels) ck_assert_double_ge(r->gap[0], -1e-10);
}

static course follow(hopper *p, int steps, int by_levels) {
  course c = {.first = -1.0, .last = -1.0, .second = -1.0};
  double speed[9];
  for (int k = 0, at = 0; k < steps; k++) {
    support_ok(prc_stepper_step(p->stepper, &err), &err);
    always_true(p, by_levels);
    const double push = p->r->p[0], t = p->r->t;
    c.push += push;
    if (push > 0.0) {
      if (c.first < 0.0) c.first = t;
      if (t < 0.3) c.last = t, c.stance += push;
      if (t > 0.3 && c.second < 0.0) c.second = t;
      c.closed++, c.sliding += p->r->status[0] == PRC_CONE_SLIP;
    }
    if (at < 9 && fabs(t - times_of[at]) < 1e-9) {
      c.y[at] = p->r->q[1], speed[at] = p->r->v[1];
      if (at == 2) c.foot = prc_beam_now(p->model->beam[0], p->r->q + SHANK, NULL, 1.0).x[0];
      at++;
    }
  }
  c.y[8] = speed[3]; /* of y at 0.2 */
  return c;
}

/* sum P_N = weight T + change of the momentum */
static void check_momentum(const hopper *p, const course *c, double tolerance) {
  const double weight = (3.0 + 1.56 + 0.71 * 0.2) * 9.81;
  ck_assert_double_eq_tol(weight, 46.12662, 1e-9);
  ck_assert_double_eq_tol(c->push, weight * p->r->t + momentum_up(p->r) - p->up, tolerance);
}

START_TEST(the_hopper_follows_its_table) {
  hopper p;
  open_hopper(&p, "generalized-alpha", 5e-5, 0.5);
  const course c = follow(&p, 20000, 1);
  for (int k = 0; k < 2; k++) { /* rigid in flight: y = 0.31 - g t^2 / 2 + 0.0422373 (cos alpha - 1/2) */
    const double t = times_of[k], alpha = pi / 3.0 - pi / 30.0 * (1.0 - cos(4.0 * pi * t));
    ck_assert_double_eq_tol(c.y[k], 0.31 - 4.905 * t * t + 0.0422373 * (cos(alpha) - 0.5), 1.2e-6);
  }
  ck_assert_double_eq_tol(c.first, 0.12621, 1e-4);
  ck_assert_double_eq_tol(c.last, 0.1820, 5e-4);
  ck_assert_double_eq_tol(c.y[2], 0.21534, 1e-4);
  ck_assert_double_eq_tol(c.y[8], 1.5909, 2e-3);
  ck_assert_double_eq_tol(c.y[4], 0.39468, 1e-3);
  ck_assert_double_eq_tol(c.y[5], 0.39989, 1e-3);
  ck_assert_double_eq_tol(c.y[6], 0.1995, 0.02 * 0.1995);
  ck_assert_double_eq_tol(c.y[7], 0.5244, 0.02 * 0.5244);
  ck_assert_double_eq_tol(c.second, 0.559, 2e-3);
  ck_assert_double_eq_tol(c.foot, -0.0183, 2e-4);
  ck_assert_double_eq_tol(c.stance, 16.577, 0.05);
  ck_assert_double_gt((double)c.sliding / c.closed, 0.96);
  check_momentum(&p, &c, 1e-11);
  close_hopper(&p);
}
END_TEST

/* The theta-scheme at 0.55, whose foot sinks by some 1e-4: joints by the secant, momentum to rounding too. */
START_TEST(the_hopper_jumps_with_theta) {
  hopper p;
  open_hopper(&p, "theta", 2e-4, 0.55);
  const course c = follow(&p, 2000, 0);
  ck_assert_double_eq_tol(c.y[2], 0.21518, 3e-4);
  ck_assert_double_eq_tol(c.y[3], 0.28738, 3e-4);
  ck_assert_double_eq_tol(c.y[4], 0.39485, 5e-4);
  ck_assert_double_eq_tol(c.y[5], 0.40034, 5e-4);
  check_momentum(&p, &c, 1e-11);
  close_hopper(&p);
}
END_TEST

SUITE(hopper) {
  Suite *s = suite_create("hopper");
  TCase *joints = tcase_create("joints"), *hoppers = tcase_create("the hopper");
  tcase_add_test(joints, rows_between_kinds_are_those_of_differences);
  suite_add_tcase(s, joints);
  tcase_add_test(hoppers, the_hopper_follows_its_table);
  tcase_add_test(hoppers, the_hopper_jumps_with_theta);
  suite_add_tcase(s, hoppers);
  return s;
}
