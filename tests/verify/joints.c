/* Joints of systems of a user's own, in the theta-scheme: planar bodies (x, y, angle) whose points meet each other, the ground, or a place
 * that moves. */
#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "ledger/ledger.h"
#include "step/step.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 101, MOST = 3 * BODIES, ROWS = 4 * BODIES };
static prc_error err;

/* Component `axis` of (place of point a of body i) - (of point b of body j, or of b itself where j < 0) - amplitude sin(speed t) */
typedef struct {
  int i, j, axis;
  double a[2], b[2], amplitude, speed;
  int of_velocities; /* x' - a[0] angle' = 0: a wheel of radius a[0] */
} row;

typedef struct {
  prc_system system;
  prc_sym M, C;
  int p[MOST + 1], i[MOST], start[ROWS + 1], dof[4 * ROWS];
  char of_velocities[ROWS];
  double m[MOST], c[MOST], gravity, push, drag;
  row rows[ROWS];
  int driven[3];
  double amplitude, speed; /* of the driven body */
  prc_law law;
  int walls; /* x of so many bodies is above wall */
  double wall;
  prc_stepper *stepper;
  const prc_step_record *r;
  prc_ledger *ledger;
} own;

/* ---- the system ------------------------------------------------------------------------------------------------------------ */

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const own *s = owner;
  (void)at, (void)e;
  for (int k = 0; k < s->system.space.nv; k++)
    F[k] = k % 3 == 1 ? -s->gravity * s->m[k] : k % 3 == 0 ? s->push : 0.0;
  return PRC_OK;
}

static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *e) {
  const own *s = owner;
  (void)e;
  for (int k = 0; k < s->system.space.nv; k++) d[k] = s->drag * at->v[k];
  return PRC_OK;
}

static prc_status tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *e) {
  const own *s = owner;
  (void)at, (void)e, (void)c_x;
  for (int k = 0; k < A->n; k++) A->x[A->p[k]] += c_v * s->drag;
  return PRC_OK;
}

/* axis of R(angle) a, and its derivative */
static double arm(int axis, double angle, const double *a) {
  return axis == 0 ? a[0] * cos(angle) - a[1] * sin(angle) : a[0] * sin(angle) + a[1] * cos(angle);
}
static double lever(int axis, double angle, const double *a) {
  return axis == 0 ? -a[0] * sin(angle) - a[1] * cos(angle) : a[0] * cos(angle) - a[1] * sin(angle);
}

static void fill_row(const own *s, int k, const double *angle, const double *share, double *G) {
  const row *w = &s->rows[k];
  double *to = G + s->start[k];
  if (w->of_velocities) {
    to[0] = 1.0, to[1] = -w->a[0];
    return;
  }
  to[0] = 1.0, to[1] = share[w->i] * lever(w->axis, angle[w->i], w->a);
  if (w->j >= 0) to[2] = -1.0, to[3] = -share[w->j] * lever(w->axis, angle[w->j], w->b);
}

static double value_of(const own *s, int k, double t, const double *q) {
  const row *w = &s->rows[k];
  const double there = w->j < 0 ? w->b[w->axis] : q[3 * w->j + w->axis] + arm(w->axis, q[3 * w->j + 2], w->b);
  if (w->of_velocities) return 0.0;
  return q[3 * w->i + w->axis] + arm(w->axis, q[3 * w->i + 2], w->a) - there
         - w->amplitude * sin(w->speed * t);
}

static prc_status evaluate(void *owner, const prc_at *at, double *g, double *G, double *rate, double *bias,
                           prc_error *e) {
  const own *s = owner;
  const int n = s->system.space.nv / 3;
  double angle[BODIES], share[BODIES];
  (void)bias, (void)e;
  for (int b = 0; b < n; b++) angle[b] = at->q[3 * b + 2], share[b] = 1.0;
  for (int k = 0; k < s->system.joints.n; k++) {
    if (G) fill_row(s, k, angle, share, G);
    if (g) g[k] = value_of(s, k, at->t, at->q);
    if (rate) rate[k] = -s->rows[k].amplitude * s->rows[k].speed * cos(s->rows[k].speed * at->t);
  }
  return PRC_OK;
}

/* R(b) a - R(a) a = 2 sin((b - a)/2) R'((a + b)/2) a */
static prc_status secant(void *owner, const prc_at *from, double h, const double *dx, double *G, double *rate,
                         prc_error *e) {
  const own *s = owner;
  const int n = s->system.space.nv / 3;
  double angle[BODIES], share[BODIES];
  (void)e;
  for (int b = 0; b < n; b++) {
    const double half = 0.5 * dx[3 * b + 2];
    angle[b] = from->q[3 * b + 2] + half, share[b] = half != 0.0 ? sin(half) / half : 1.0;
  }
  for (int k = 0; k < s->system.joints.n; k++) {
    const row *w = &s->rows[k];
    fill_row(s, k, angle, share, G);
    rate[k] = -w->amplitude * (sin(w->speed * (from->t + h)) - sin(w->speed * from->t)) / h;
  }
  return PRC_OK;
}

static void name(void *owner, int k, char *text, size_t size) {
  (void)owner;
  snprintf(text, size, "joint 'j%d'", k);
}

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  const own *s = owner;
  prc_status status = PRC_OK;
  (void)at, (void)h, (void)reach;
  for (int b = 0; b < s->walls && status == PRC_OK; b++) {
    const prc_contact contact = {.id = {.a = 0, .b = 1, .feature_b = (uint32_t)b},
                                 .body = {-1, b},
                                 .n_dof = 1,
                                 .dof = (int[]){3 * b},
                                 .law = &s->law};
    status = prc_contact_set_add(set, &contact, e);
  }
  return status;
}

static void evaluate_contacts(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const own *s = owner;
  for (int b = 0; b < set->n; b++) {
    if (what & PRC_EVALUATE_GAP) set->gap[b] = at->q[3 * b] - s->wall;
    if (what & PRC_EVALUATE_H) set->H.x[b] = 1.0;
  }
}

static prc_status displacement(void *owner, double t, double *d, prc_error *e) {
  const own *s = owner;
  (void)e;
  d[0] = s->amplitude * sin(s->speed * t), d[1] = d[2] = 0.0;
  return PRC_OK;
}

static prc_status velocity(void *owner, double t, double h, double *v, prc_error *e) {
  const own *s = owner;
  (void)e, (void)h;
  v[0] = s->amplitude * s->speed * cos(s->speed * t), v[1] = v[2] = 0.0;
  return PRC_OK;
}

static void make(own *s, int n_bodies, double mass, double inertia) {
  const int n = 3 * n_bodies;
  memset(s, 0, sizeof *s);
  prc_error_clear(&err);
  for (int k = 0; k < n; k++) s->p[k + 1] = k + 1, s->i[k] = k, s->m[k] = k % 3 == 2 ? inertia : mass;
  s->M = (prc_sym){.n = n, .p = s->p, .i = s->i, .x = s->m};
  s->C = (prc_sym){.n = n, .p = s->p, .i = s->i, .x = s->c};
  s->gravity = 10.0;
  s->system = (prc_system){.space = {.nv = n},
                           .dynamics = {.M = &s->M, .loads = loads},
                           .joints = {.start = s->start,
                                      .dof = s->dof,
                                      .of_velocities = s->of_velocities,
                                      .evaluate = evaluate,
                                      .secant = secant,
                                      .name = name},
                           .length = 1.0,
                           .velocity = 10.0,
                           .owner = s};
}

static row *add(own *s, row w) {
  const int k = s->system.joints.n++;
  int at = s->start[k];
  const int first = w.i < w.j || w.j < 0 ? w.i : w.j, second = first == w.i ? w.j : w.i;
  ck_assert_int_eq(first, w.i); /* dofs ascend */
  s->dof[at++] = 3 * w.i + w.axis, s->dof[at++] = 3 * w.i + 2;
  if (second >= 0) s->dof[at++] = 3 * second + w.axis, s->dof[at++] = 3 * second + 2;
  s->start[k + 1] = at;
  s->of_velocities[k] = (char)w.of_velocities;
  s->rows[k] = w;
  return &s->rows[k];
}

/* Both components of a point */
static void pin(own *s, int i, int j, double ax, double ay, double bx, double by) {
  for (int axis = 0; axis < 2; axis++)
    add(s, (row){.i = i, .j = j, .axis = axis, .a = {ax, ay}, .b = {bx, by}});
}

static void wall(own *s, double x, double e) {
  s->walls = s->system.space.nv / 3; /* of each body */
  s->wall = x, s->law = prc_law_coulomb(0.0, e, 0.0);
  s->system.contacts = (prc_contacts){.dim = 1, .find = find, .evaluate = evaluate_contacts};
}

/* A rod of length 1 without mass, a point with inertia at its end, hung up at the origin: benchmarks.md */
#define START_ANGLE 0.26179938779914941
static void pendulum(own *s, double q[3]) {
  make(s, 1, 1.0, 0.1);
  pin(s, 0, -1, -1.0, 0.0, 0.0, 0.0);
  q[0] = cos(START_ANGLE), q[1] = sin(START_ANGLE), q[2] = START_ANGLE;
}

static prc_step_options options(double h, double theta) {
  prc_step_options o = prc_step_options_default(h);
  o.theta = theta, o.cone.tolerance = 1e-13;
  return o;
}

static void start(own *s, const prc_step_options *o, const double *q, const double *v) {
  support_ok(prc_stepper_create(&s->system, o, &s->stepper, &err), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
  const prc_ledger_options ledger = {
      .promises = prc_stepper_promises(s->stepper), .tolerance = 1e-10, .max_penetration = 1.0};
  support_ok(prc_ledger_create(&ledger, &s->ledger, &err), &err);
  prc_ledger_start(s->ledger, s->r);
}

static void step(own *s, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(s->stepper, &err), &err);
    prc_ledger_enter(s->ledger, s->r);
  }
}

static double open_most(const own *s) {
  double most = 0.0;
  for (int k = 0; k < s->r->n_joints; k++) most = fmax(most, fabs(s->r->joint_g[k]));
  return most;
}

static double energy(const own *s) {
  double sum = 0.0;
  for (int k = 0; k < s->system.space.nv; k++)
    sum += 0.5 * s->m[k] * s->r->v[k] * s->r->v[k] + (k % 3 == 1 ? s->m[k] * s->gravity * s->r->q[k] : 0.0);
  return sum;
}

static void passes(const own *s) {
  const prc_certificate c = prc_ledger_certificate(s->ledger);
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    ck_assert_msg(c.entry[k].verdict != PRC_FAIL, "%s is %g, bound %g", c.entry[k].name, c.entry[k].value,
                  c.entry[k].bound);
}

static void drop(own *s) {
  prc_ledger_free(&s->ledger);
  prc_stepper_free(&s->stepper);
}

/* ---- a pendulum in redundant coordinates ------------------------------------------------------------------------------------- */

START_TEST(the_secant_keeps_positions_and_energy_to_rounding) {
  double q[3], v[3] = {0.0}, most = 0.0, worst = 0.0;
  own s;
  pendulum(&s, q);
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  const double before = energy(&s);
  for (int k = 0; k < 500; k++) {
    step(&s, 1);
    most = fmax(most, open_most(&s)), worst = fmax(worst, fabs(energy(&s) - before));
  }
  ck_assert_double_le(most, 1e-13);
  ck_assert_double_le(worst, 1e-12);
  ck_assert_double_le(fabs(prc_ledger_now(s.ledger)->joints), 1e-12);
  passes(&s);
  drop(&s);
}
END_TEST

START_TEST(joints_on_velocities_drift) {
  double q[3], v[3] = {0.0}, most = 0.0, worst = 0.0;
  own s;
  pendulum(&s, q);
  prc_step_options o = options(1e-2, 0.5);
  o.joints = PRC_JOINTS_VELOCITY;
  start(&s, &o, q, v);
  const double before = energy(&s);
  for (int k = 0; k < 500; k++) {
    step(&s, 1);
    most = fmax(most, open_most(&s)), worst = fmax(worst, fabs(energy(&s) - before));
    ck_assert_double_le(fabs(prc_ledger_now(s.ledger)->balance_residual), 1e-12);
  }
  printf("# velocity: drift %g, energy %g\n", most, worst);
  ck_assert_double_ge(most, 0.1);
  ck_assert_double_ge(worst, 1.0);
  const prc_certificate_entry *entry = &prc_ledger_certificate(s.ledger).entry[PRC_CERTIFY_JOINTS];
  ck_assert_int_eq(entry->verdict, PRC_NOT_PROMISED);
  ck_assert_double_eq_tol(entry->value, most, 1e-15);
  drop(&s);
}
END_TEST

START_TEST(joint_forces_of_the_start_are_those_of_the_accelerations) {
  double q[3], v[3] = {0.0};
  const double h = 1e-5;
  own s;
  pendulum(&s, q);
  const prc_step_options o = options(h, 1.0);
  start(&s, &o, q, v);
  step(&s, 1);
  ck_assert_double_eq_tol(s.r->joint_force[0] / h, 2.2727273, 1e-3);
  ck_assert_double_eq_tol(s.r->joint_force[1] / h, 1.5180663, 1e-3);
  drop(&s);
}
END_TEST

/* benchmarks.md, bouncing-pendulum: times, percussions and energies of its impacts */
START_TEST(a_pendulum_bounces_off_a_wall) {
  static const double time[] = {0.4861104433, 1.2812252569, 1.9513403119, 2.5171373484},
                      push[] = {11.7346660, 9.3877328, 7.5101862, 6.0},
                      after[] = {-0.8891425, -3.1146356, -4.5389512, -5.4505132};
  double q[3], v[3] = {0.0};
  const double h = 1e-4;
  int impacts = 0;
  own s;
  pendulum(&s, q);
  wall(&s, sqrt(0.5), 0.8);
  const prc_step_options o = options(h, 0.5);
  start(&s, &o, q, v);
  while (s.r->t < 2.6 && impacts < 4) {
    step(&s, 1);
    if (!(s.r->n_active > 0 && s.r->p[0] > 1.0)) continue;
    ck_assert_double_eq_tol(s.r->t, time[impacts], 10.0 * h);
    if (impacts < 3) ck_assert_double_eq_tol(s.r->p[0], push[impacts], 2e-3 * push[impacts]);
    ck_assert_double_eq_tol(energy(&s), after[impacts], 5e-3);
    impacts++;
  }
  ck_assert_int_eq(impacts, 4);
  ck_assert_double_le(open_most(&s), 1e-12);
  passes(&s);
  drop(&s);
}
END_TEST

/* Each an island of its own: W by blocks. */
START_TEST(sixty_pendulums_bounce_as_one_does) {
  enum { N = 60 };
  double q[3], v[3 * N] = {0.0}, all[3 * N];
  int pushed = 0;
  own one, *many = NULL;
  support_ok(prc_new(&many, 1, &err), &err);
  pendulum(&one, q);
  wall(&one, sqrt(0.5), 0.8);
  make(many, N, 1.0, 0.1);
  for (int b = 0; b < N; b++) {
    pin(many, b, -1, -1.0, 0.0, 0.0, 0.0);
    memcpy(all + 3 * b, q, sizeof q);
  }
  wall(many, sqrt(0.5), 0.8);
  const prc_step_options o = options(2e-3, 0.5);
  start(&one, &o, q, v);
  start(many, &o, all, v);
  for (int k = 0; k < 500; k++) {
    step(&one, 1);
    step(many, 1);
    pushed += one.r->p[0] > 0.0;
    for (int b = 0; b < N; b++) {
      for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(many->r->q[3 * b + i], one.r->q[i], 1e-10);
      ck_assert_double_eq_tol(many->r->p[b], one.r->p[0], 1e-9);
    }
  }
  ck_assert_int_gt(pushed, 0);
  ck_assert_ptr_nonnull(many->r->problem.blocks);
  passes(many);
  drop(&one);
  drop(many);
  prc_delete(&many);
}
END_TEST

/* ---- joints that move ---------------------------------------------------------------------------------------------------------- */

/* x0 = A sin(w t), angle'' (m l^2 + J) = -m g l cos(angle) + m l sin(angle) x0'', by Runge and Kutta with small steps */
static void swing(double A, double w, double end, double *angle, double *speed) {
  const int n = 20000;
  const double h = end / n, J = 1.1;
  double y[2] = {START_ANGLE, 0.0};
  y[1] = 0.0;
  for (int k = 0; k < n; k++) {
    double d[4][2], at[2] = {y[0], y[1]};
    for (int stage = 0; stage < 4; stage++) {
      const double c = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5, t = (k + c) * h;
      for (int i = 0; i < 2 && stage > 0; i++) at[i] = y[i] + c * h * d[stage - 1][i];
      d[stage][0] = at[1];
      d[stage][1] = (-10.0 * cos(at[0]) - A * w * w * sin(w * t) * sin(at[0])) / J;
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6.0 * (d[0][i] + 2.0 * d[1][i] + 2.0 * d[2][i] + d[3][i]);
  }
  *angle = y[0], *speed = y[1];
}

static void shake(own *s, double A, double w, double q[3], double v[3]) {
  pendulum(s, q);
  s->rows[0].amplitude = A, s->rows[0].speed = w;
  v[0] = A * w, v[1] = v[2] = 0.0;
}

START_TEST(a_pendulum_whose_pivot_moves_is_driven_and_of_second_order) {
  const double A = 0.2, w = 5.0, end = 1.0;
  double angle, speed, error[3];
  swing(A, w, end, &angle, &speed);
  for (int n = 0; n < 3; n++) {
    double q[3], v[3];
    own s;
    shake(&s, A, w, q, v);
    const int steps = 100 << n;
    const prc_step_options o = options(end / steps, 0.5);
    start(&s, &o, q, v);
    const double before = energy(&s);
    step(&s, steps);
    const prc_ledger_row *now = prc_ledger_now(s.ledger);
    ck_assert_double_eq_tol(energy(&s) - before, now->driven, 1e-11);
    ck_assert_double_ge(fabs(now->driven), 0.1);
    ck_assert_double_le(fabs(now->joints), 1e-12);
    ck_assert_double_le(open_most(&s), 1e-13);
    passes(&s);
    error[n] = fabs(s.r->q[2] - angle);
    drop(&s);
  }
  for (int n = 0; n < 2; n++) ck_assert_double_eq_tol(log2(error[n] / error[n + 1]), 2.0, 0.15);
}
END_TEST

/* The pivot is a body that is driven, as near to its data as schemes follow them. */
START_TEST(a_joint_to_what_is_driven_is_one_that_moves) {
  const double A = 0.2, w = 5.0;
  double q[3], v[3], q2[6] = {0.0}, v2[6] = {0.0};
  own s, d;
  shake(&s, A, w, q, v);
  make(&d, 2, 1.0, 0.1);
  pin(&d, 0, 1, -1.0, 0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) d.driven[k] = 3 + k, q2[k] = q[k], v2[k] = v[k];
  d.amplitude = A, d.speed = w;
  d.system.drive = (prc_drive){.n = 3, .dof = d.driven, .velocity = velocity, .displacement = displacement};
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  start(&d, &o, q2, v2);
  for (int k = 0; k < 200; k++) {
    step(&s, 1);
    step(&d, 1);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(s.r->q[i], d.r->q[i], 1e-2);
    ck_assert_double_le(open_most(&d), 1e-13);
    /* its reaction carries its weight and what the joint does to it */
    ck_assert_double_eq_tol(d.r->reaction[1], 10.0 + d.r->joint_force[1] / o.h, 1e-10);
  }
  passes(&d);
  drop(&s);
  drop(&d);
}
END_TEST

/* ---- joints that depend on each other -------------------------------------------------------------------------------------------- */

START_TEST(joints_given_twice_move_as_if_given_once) {
  const double A = 0.1, w = 7.0;
  double q[3], v[3];
  own once, twice;
  shake(&once, A, w, q, v);
  shake(&twice, A, w, q, v);
  for (int k = 0; k < 2; k++) add(&twice, twice.rows[1]), add(&twice, twice.rows[0]);
  const prc_step_options o = options(1e-2, 0.5);
  start(&once, &o, q, v);
  start(&twice, &o, q, v);
  for (int k = 0; k < 300; k++) {
    step(&once, 1);
    step(&twice, 1);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(once.r->q[i], twice.r->q[i], 1e-12);
    ck_assert_double_le(open_most(&twice), 1e-13);
  }
  ck_assert_double_eq_tol(prc_ledger_now(once.ledger)->driven, prc_ledger_now(twice.ledger)->driven, 1e-11);
  passes(&twice);
  drop(&once);
  drop(&twice);
}
END_TEST

START_TEST(joints_that_contradict_each_other_are_named) {
  double q[3], v[3];
  own s;
  shake(&s, 0.0, 1.0, q, v);
  add(&s, s.rows[0])->amplitude = 1e-3; /* begins as fast as it shakes: refused at once */
  const prc_step_options o = options(1e-2, 0.5);
  support_ok(prc_stepper_create(&s.system, &o, &s.stepper, &err), &err);
  support_fails(prc_stepper_start(s.stepper, q, v, &err), PRC_INPUT, &err, "joint 'j2' opens at -0.001");
  prc_stepper_free(&s.stepper);
  prc_error_clear(&err);
  shake(&s, 1e-3, 1.0, q, v);
  add(&s, s.rows[0])->speed = 1.0 + 1e-3,
          s.rows[2].amplitude /= 1.0 + 1e-3; /* as fast at first, and then not */
  start(&s, &o, q, v);
  prc_status status = PRC_OK;
  for (int k = 0; k < 100 && status == PRC_OK; k++) status = prc_stepper_step(s.stepper, &err);
  ck_assert_int_eq(status, PRC_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "contradicts joint 'j"));
  ck_assert_ptr_nonnull(strstr(err.message, "joint 'j"));
  drop(&s);
}
END_TEST

START_TEST(what_is_open_at_the_start_is_refused_by_how_much) {
  double q[3], v[3] = {0.0};
  own s;
  pendulum(&s, q);
  q[1] += 3.2e-3;
  const prc_step_options o = options(1e-2, 0.5);
  support_ok(prc_stepper_create(&s.system, &o, &s.stepper, &err), &err);
  support_fails(prc_stepper_start(s.stepper, q, v, &err), PRC_INPUT, &err, "joint 'j1' is open by 0.0032");
  prc_error_clear(&err);
  q[1] -= 3.2e-3, v[0] = 0.5;
  support_fails(prc_stepper_start(s.stepper, q, v, &err), PRC_INPUT, &err, "joint 'j0' opens at 0.5");
  prc_stepper_free(&s.stepper);
}
END_TEST

/* A parallelogram of three cranks and a bar: one crank too many, which the other two make move as they do. The one in the middle stands
 * higher, or where all are in line with the bar they could part. */
static void parallelogram(own *s, int cranks, double *q) {
  make(s, 4, 1.0, 0.05);
  for (int k = 0; k < 3; k++) {
    const double x = 0.75 * k, y = k == 1 ? 0.4 : 0.0, angle = 1.2;
    q[3 * k] = x + 0.5 * cos(angle), q[3 * k + 1] = y + 0.5 * sin(angle), q[3 * k + 2] = angle;
    pin(s, k, -1, -0.5, 0.0, x, y);
    if (k < cranks) pin(s, k, 3, 0.5, 0.0, x - 0.75, y);
  }
  q[9] = 0.75 + cos(1.2), q[10] = sin(1.2), q[11] = 0.0;
}

START_TEST(a_loop_with_a_joint_too_many_moves_as_a_parallelogram) {
  double q[12], v[12] = {0.0};
  own s;
  parallelogram(&s, 3, q);
  const prc_step_options o = options(5e-3, 0.5);
  start(&s, &o, q, v);
  const double before = energy(&s);
  for (int k = 0; k < 2000; k++) {
    step(&s, 1);
    ck_assert_double_le(open_most(&s), 1e-12);
    ck_assert_double_eq_tol(energy(&s), before, 1e-10);
    for (int b = 0; b < 2; b++) ck_assert_double_eq_tol(s.r->q[3 * b + 2], s.r->q[3 * b + 5], 1e-11);
    ck_assert_double_eq_tol(s.r->q[11], 0.0, 1e-11);
  }
  passes(&s);
  drop(&s);
}
END_TEST

/* ---- many, one, none ------------------------------------------------------------------------------------------------------------- */

/* n rods of length 1 in a row, from the origin where pinned */
static void chain(own *s, int n, int pinned, double *q) {
  make(s, n, 1.0, 1.0 / 12.0);
  for (int b = 0; b < n; b++) q[3 * b] = b + 0.5, q[3 * b + 1] = q[3 * b + 2] = 0.0;
  if (pinned) pin(s, 0, -1, -0.5, 0.0, 0.0, 0.0);
  for (int b = 0; b + 1 < n; b++) pin(s, b, b + 1, 0.5, 0.0, -0.5, 0.0);
  s->system.length = n;
}

START_TEST(a_chain_of_a_hundred_rods_swings) {
  static double q[MOST], v[MOST];
  const double h = 2e-3;
  own *s = NULL;
  support_ok(prc_new(&s, 1, &err), &err);
  chain(s, 100, 1, q);
  const prc_step_options o = options(h, 0.5);
  start(s, &o, q, v);
  const double before = energy(s);
  const double began = prc_clock();
  double most = 0.0;
  for (int k = 0; k < 500; k++) {
    step(s, 1);
    most = fmax(most, s->r->passes);
    ck_assert_double_le(open_most(s), 1e-12);
    ck_assert_double_eq_tol(energy(s), before, 1e-8);
  }
  printf("# chain: %.3g us a step, %g passes, open %g, energy %g\n", 1e6 * (prc_clock() - began) / 500, most,
         open_most(s), energy(s) - before);
  passes(s);
  drop(s);
  prc_delete(&s);
}
END_TEST

/* Joints alone make a step one that iterates: after a single pass they would be open by the square of what a step turns. */
START_TEST(a_chain_swings_by_levels_and_stays_closed) {
  static const char *const schemes[] = {"generalized-alpha", "ggl", "modified-lcp", "smooth-alpha"};
  static double q[MOST], v[MOST];
  own *s = NULL;
  support_ok(prc_new(&s, 1, &err), &err);
  chain(s, 5, 1, q);
  prc_step_options o = options(2e-3, 0.5);
  o.scheme = schemes[_i];
  start(s, &o, q, v);
  const double before = energy(s);
  for (int k = 0; k < 250; k++) {
    step(s, 1);
    ck_assert_int_gt(s->r->passes, 1);
    ck_assert_double_le(open_most(s), 1e-11);
    ck_assert_double_eq_tol(energy(s), before, 0.05); /* they damp */
  }
  passes(s);
  drop(s);
  prc_delete(&s);
}
END_TEST

START_TEST(a_chain_without_a_hold_keeps_its_momentum) {
  double q[30], v[30] = {0.0}, before[2] = {0.0};
  own s;
  chain(&s, 10, 0, q);
  s.gravity = 0.0;
  for (int b = 0; b < 10; b++) v[3 * b] = 0.3, v[3 * b + 1] = 0.2 + 0.7 * (b + 0.5), v[3 * b + 2] = 0.7;
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  for (int b = 0; b < 10; b++) before[0] += s.r->m[3 * b], before[1] += s.r->m[3 * b + 1];
  for (int k = 0; k < 300; k++) {
    double now[2] = {0.0};
    step(&s, 1);
    for (int b = 0; b < 10; b++) now[0] += s.r->m[3 * b], now[1] += s.r->m[3 * b + 1];
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(now[i], before[i], 1e-11);
  }
  passes(&s);
  drop(&s);
}
END_TEST

START_TEST(without_joints_a_body_falls_as_it_always_did) {
  double q[3] = {0.0, 1.0, 0.0}, v[3] = {1.0, 0.0, 2.0};
  own s;
  make(&s, 1, 2.0, 0.3);
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  step(&s, 100);
  ck_assert_int_eq(s.r->n_joints, 0);
  ck_assert_int_eq(s.r->passes, 1);
  ck_assert_double_eq_tol(s.r->q[1], 1.0 - 5.0, 1e-12);
  drop(&s);
}
END_TEST

/* A body that is held in all directions: contact can move nothing, and what is pushed against the wall stays where it is. */
START_TEST(a_contact_of_what_joints_hold_finds_nothing_to_push) {
  double q[3] = {0.0}, v[3] = {0.0};
  own s;
  make(&s, 1, 1.0, 0.1);
  s.push = -5.0;
  pin(&s, 0, -1, 0.5, 0.0, 0.5, 0.0);
  pin(&s, 0, -1, -0.5, 0.0, -0.5, 0.0);
  wall(&s, 0.0, 0.0);
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  for (int k = 0; k < 100; k++) {
    step(&s, 1);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(s.r->q[i], 0.0, 1e-14);
    ck_assert_double_eq(s.r->p[0], 0.0);
    ck_assert_double_eq_tol(s.r->joint_force[0] + s.r->joint_force[2], 0.05, 1e-13);
  }
  passes(&s);
  drop(&s);
}
END_TEST

/* m x'' = F - l, J angle'' = -R l ... : rolling, x'' = F / (m + J / R^2) */
START_TEST(a_wheel_rolls) {
  double q[3] = {0.0}, v[3] = {0.0};
  const double R = 0.4, m = 2.0, J = 0.3, F = 3.0;
  own s;
  make(&s, 1, m, J);
  s.gravity = 0.0, s.push = F;
  add(&s, (row){.i = 0, .j = -1, .a = {R, 0.0}, .of_velocities = 1});
  const prc_step_options o = options(1e-2, 0.5);
  start(&s, &o, q, v);
  step(&s, 100);
  ck_assert_double_eq_tol(s.r->v[0], F / (m + J / (R * R)), 1e-12);
  ck_assert_double_eq_tol(s.r->v[0], R * s.r->v[2], 1e-13);
  passes(&s);
  drop(&s);
}
END_TEST

/* ---- what holds for every step ----------------------------------------------------------------------------------------------------- */

/* Damping by a function of the state is that of a matrix, where it is one. */
START_TEST(damping_of_the_state_works_as_damping) {
  double q[3], v[3];
  own a, b;
  shake(&a, 0.1, 3.0, q, v);
  shake(&b, 0.1, 3.0, q, v);
  a.drag = 0.4;
  a.system.dynamics.varies = PRC_DAMPING_OF_STATE;
  a.system.dynamics.damping = damping, a.system.dynamics.tangent = tangent;
  for (int k = 0; k < 3; k++) b.c[k] = 0.4;
  b.system.dynamics.C = &b.C;
  const prc_step_options o = options(1e-2, 0.6);
  start(&a, &o, q, v);
  start(&b, &o, q, v);
  for (int k = 0; k < 200; k++) {
    step(&a, 1);
    step(&b, 1);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(a.r->q[i], b.r->q[i], 1e-11);
  }
  ck_assert_double_lt(prc_ledger_now(a.ledger)->work_damping, -0.1);
  ck_assert_double_eq_tol(prc_ledger_now(a.ledger)->work_damping, prc_ledger_now(b.ledger)->work_damping,
                          1e-10);
  passes(&a);
  passes(&b);
  drop(&a);
  drop(&b);
}
END_TEST

START_TEST(a_run_goes_on_to_the_byte) {
  double q[12], v[12] = {0.0}, saved[4][12];
  own s, t;
  parallelogram(&s, 3, q);
  parallelogram(&t, 3, q);
  const prc_step_options o = options(5e-3, 0.5);
  start(&s, &o, q, v);
  start(&t, &o, q, v);
  step(&s, 57);
  memcpy(saved[0], s.r->q, sizeof saved[0]), memcpy(saved[1], s.r->v, sizeof saved[1]);
  memcpy(saved[2], s.r->m, sizeof saved[2]), memcpy(saved[3], s.r->f, sizeof saved[3]);
  const prc_step_state from = {
      .step = 57, .q = saved[0], .v = saved[1], .m = saved[2], .f = saved[3], .speed = s.r->speed};
  support_ok(prc_stepper_resume(t.stepper, &from, &err), &err);
  for (int k = 0; k < 100; k++) {
    step(&s, 1);
    step(&t, 1);
    ck_assert_mem_eq(s.r->q, t.r->q, sizeof saved[0]);
    ck_assert_mem_eq(s.r->v, t.r->v, sizeof saved[0]);
    ck_assert_mem_eq(s.r->joint_force, t.r->joint_force, (size_t)s.r->n_joints * sizeof(double));
  }
  drop(&s);
  drop(&t);
}
END_TEST

START_TEST(steps_allocate_nothing) {
  double q[12], v[12] = {0.0};
  own s;
  parallelogram(&s, 3, q);
  wall(&s, -1.0, 0.5);
  const prc_step_options o = options(5e-3, 0.5);
  start(&s, &o, q, v);
  step(&s, 10);
  support_watch(0);
  prc_status status = PRC_OK;
  for (int k = 0; k < 500 && status == PRC_OK; k++) {
    status = prc_stepper_step(s.stepper, &err);
    prc_ledger_enter(s.ledger, s.r);
  }
  support_look_away();
  ck_assert_int_eq(status, PRC_OK);
  ck_assert_int_eq(support_allocator.calls, 0);
  drop(&s);
}
END_TEST

START_TEST(schemes_and_solvers_without_joints_say_so) {
  double q[3];
  own s;
  pendulum(&s, q);
  prc_step_options o = options(1e-2, 1.0);
  o.scheme = "position";
  support_fails(prc_stepper_create(&s.system, &o, &s.stepper, &err), PRC_INPUT, &err,
                "position has no joints");
  prc_error_clear(&err);
  o = options(1e-2, 0.5), o.linear = "iterative";
  support_fails(prc_stepper_create(&s.system, &o, &s.stepper, &err), PRC_INPUT, &err,
                "'iterative' has no joints");
  prc_error_clear(&err);
  o.linear = "auto", s.dof[1] = 7;
  support_fails(prc_stepper_create(&s.system, &o, &s.stepper, &err), PRC_INPUT, &err, "touches dof 7");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("joints");
  TCase *all = tcase_create("theta");
  prc_dense_single_thread();
  tcase_set_timeout(all, 60);
  tcase_add_test(all, the_secant_keeps_positions_and_energy_to_rounding);
  tcase_add_test(all, joints_on_velocities_drift);
  tcase_add_test(all, joint_forces_of_the_start_are_those_of_the_accelerations);
  tcase_add_test(all, a_pendulum_bounces_off_a_wall);
  tcase_add_test(all, sixty_pendulums_bounce_as_one_does);
  tcase_add_test(all, a_pendulum_whose_pivot_moves_is_driven_and_of_second_order);
  tcase_add_test(all, a_joint_to_what_is_driven_is_one_that_moves);
  tcase_add_test(all, joints_given_twice_move_as_if_given_once);
  tcase_add_test(all, joints_that_contradict_each_other_are_named);
  tcase_add_test(all, what_is_open_at_the_start_is_refused_by_how_much);
  tcase_add_test(all, a_loop_with_a_joint_too_many_moves_as_a_parallelogram);
  tcase_add_test(all, a_chain_of_a_hundred_rods_swings);
  tcase_add_loop_test(all, a_chain_swings_by_levels_and_stays_closed, 0, 4);
  tcase_add_test(all, a_chain_without_a_hold_keeps_its_momentum);
  tcase_add_test(all, without_joints_a_body_falls_as_it_always_did);
  tcase_add_test(all, a_contact_of_what_joints_hold_finds_nothing_to_push);
  tcase_add_test(all, a_wheel_rolls);
  tcase_add_test(all, damping_of_the_state_works_as_damping);
  tcase_add_test(all, a_run_goes_on_to_the_byte);
  tcase_add_test(all, steps_allocate_nothing);
  tcase_add_test(all, schemes_and_solvers_without_joints_say_so);
  suite_add_tcase(suite, all);
  return support_run(suite);
}
