#include "config.h"
#include "spatial/spatial.h"
#include "step/step.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Joints and springs in space: their rows against differences, what the secant promises, closed forms, and what is refused. */

static prc_error err;

/* ---- four bodies: two that fly, one that is driven, one that does not turn ---------------------------------------------------- */

enum { NV = 21, NQ = 24, ROWS = 6, ENTRIES = 72, TYPES = 5, PAIRS = 8 };

static prc_status wave(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  const double *data = field->data;
  (void)x, (void)y, (void)e;
  *value = data[0] + data[1] * sin(data[2] * t);
  return PRC_OK;
}
static prc_status derivatives(const prc_field *field, double x, double y, double t, double out[3],
                              prc_error *e) {
  const double *data = field->data, w = data[2];
  (void)x, (void)y, (void)e;
  out[0] = data[0] + data[1] * sin(w * t), out[1] = data[1] * w * cos(w * t);
  out[2] = -data[1] * w * w * sin(w * t);
  return PRC_OK;
}
static double swing[3] = {0.0, 0.3, 2.0}, stroke[3] = {3.0, 0.3, 2.0};

static const prc_spatial_body bodies[4] = {
    {.name = "a",
     .mass = 2.0,
     .inertia = {0.5, 0.7, 0.6, 0.1, -0.05, 0.08},
     .position = {0.3, -0.2, 0.5},
     .orientation = {0.5, 0.5, -0.5, 0.5},
     .turns = 1},
    {.name = "b",
     .mass = 1.0,
     .inertia = {0.1, 0.2, 0.25},
     .position = {1.3, 0.9, -0.4},
     .orientation = {0.8, 0.0, 0.6, 0.0},
     .turns = 1},
    {.name = "c",
     .position = {-0.7, 0.1, 0.3},
     .orientation = {1.0},
     .driven = 1,
     .turns = 1,
     .axis = {0.0, 0.6, 0.8},
     .motion = {[3] = {.eval = wave, .data = swing, .uses_time = 1, .derivatives = derivatives}}},
    {.name = "d", .mass = 3.0, .position = {0.1, 1.1, 0.2}, .orientation = {1.0}}};

static const int ends[PAIRS][2] = {{0, 1}, {1, 0}, {-1, 1}, {0, -1}, {2, 0}, {1, 2}, {3, 1}, {0, 3}};

typedef struct {
  prc_spatial_joint joint;
  prc_spatial_model model;
  prc_spatial *spatial;
  const prc_joints *joints;
} joined;

static int may_have_value(int type) {
  return type == PRC_SPATIAL_HINGE || type == PRC_SPATIAL_SLIDER || type == PRC_SPATIAL_DISTANCE;
}

static void make(joined *j, int type, const int pair[2], int has_value) {
  *j =
      (joined){.joint = {.name = "j",
                         .type = (prc_spatial_joint_type)type,
                         .body = {pair[0], pair[1]},
                         .at = {{0.8, 0.5, 0.1}, {0.8, 0.5, 0.1}},
                         .axis = {1.0, -2.0, 2.0},
                         .length = NAN,
                         .has_value = has_value,
                         .value = {.eval = wave, .data = swing, .uses_time = 1, .derivatives = derivatives}}};
  if (type == PRC_SPATIAL_DISTANCE) {
    const double apart[3] = {1.0, 2.0, -2.0};
    for (int k = 0; k < 3; k++) j->joint.at[1][k] += apart[k];
    j->joint.value.data = stroke;
  }
  j->model = (prc_spatial_model){.n_bodies = 4, .n_joints = 1, .body = bodies, .joint = &j->joint};
  support_ok(prc_spatial_create(&j->model, &j->spatial, &err), &err);
  j->joints = &prc_spatial_system(j->spatial)->joints;
  ck_assert_int_eq(prc_spatial_system(j->spatial)->space.nq, NQ);
  ck_assert_int_ge(j->joints->n, 1);
  ck_assert_int_le(j->joints->n, ROWS);
}

/* All types, pairs, with and without values. */
static void for_all(void (*check)(const joined *j, prc_random *r)) {
  prc_random r = {7};
  for (int type = 0; type < TYPES; type++)
    for (int pair = 0; pair < PAIRS; pair++)
      for (int value = 0; value < (may_have_value(type) ? 2 : 1); value++) {
        joined j;
        make(&j, type, ends[pair], value);
        for (int k = 0; k < 20; k++) check(&j, &r);
        prc_spatial_free(&j.spatial);
      }
}

static void draw(prc_random *r, double size, int n, double *x) {
  for (int i = 0; i < n; i++) x[i] = prc_random_uniform(r, -size, size);
}

static void move(const joined *j, const double *q, double s, const double *v, double *to) {
  double dx[NV];
  for (int i = 0; i < NV; i++) dx[i] = s * v[i];
  const prc_system *system = prc_spatial_system(j->spatial);
  system->space.advance(system->owner, q, dx, to);
}

/* Anywhere; of a hinge not where its angle jumps. The driven body turns about its own axis alone. */
static void place(const joined *j, prc_random *r, double *q, double *v) {
  double change[NV], x[2][3], apart = 0.0, g[ROWS];
  const prc_system *system = prc_spatial_system(j->spatial);
  prc_spatial_initial(j->spatial, q, v);
  draw(r, 0.9, NV, change);
  draw(r, 1.0, NV, v);
  for (int i = 12; i < 18; i++) change[i] = i < 15 ? change[i] : 0.0, v[i] = i < 15 ? v[i] : 0.0;
  v[16] = 0.6 * change[0], v[17] = 0.8 * change[0];
  move(j, q, 1.0, change, q);
  prc_spatial_joint_place(j->spatial, 0, q, x);
  for (int k = 0; k < 3; k++) apart = hypot(apart, x[1][k] - x[0][k]);
  const prc_at at = {0.7, q, v};
  support_ok(system->joints.evaluate(system->owner, &at, g, NULL, NULL, NULL, &err), &err);
  const int turns_far = j->joint.type == PRC_SPATIAL_HINGE && j->joint.has_value && fabs(g[5]) > 1.2;
  if ((j->joint.type == PRC_SPATIAL_DISTANCE && apart < 0.5) || turns_far) place(j, r, q, v);
}

static void evaluate(const joined *j, double t, const double *q, const double *v, double *g, double *G,
                     double *rate, double *bias) {
  const prc_at at = {t, q, v};
  support_ok(j->joints->evaluate(prc_spatial_system(j->spatial)->owner, &at, g, G, rate, bias, &err), &err);
}

static double product(const joined *j, int row, const double *G, const double *x) {
  double sum = 0.0;
  for (int k = j->joints->start[row]; k < j->joints->start[row + 1]; k++) sum += G[k] * x[j->joints->dof[k]];
  return sum;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------------- */

static void check_start(const joined *j, prc_random *r) {
  double q[NQ], v[NV], g[ROWS];
  (void)r;
  prc_spatial_initial(j->spatial, q, v);
  evaluate(j, 0.0, q, v, g, NULL, NULL, NULL);
  for (int row = 0; row < j->joints->n; row++) {
    ck_assert(fabs(g[row]) <= 16.0 * DBL_EPSILON);
    for (int k = j->joints->start[row]; k < j->joints->start[row + 1]; k++)
      ck_assert(j->joints->dof[k] < NV
                && (k == j->joints->start[row] || j->joints->dof[k] > j->joints->dof[k - 1]));
  }
}
START_TEST(bodies_begin_where_their_joints_hold) {
  for_all(check_start);
}
END_TEST

static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

/* dg/dt along q (+) s v by the eighth-order difference, against G v + rate: the Cayley map of s v turns with the spin v at s = 0. */
static void check_gradient(const joined *j, prc_random *r) {
  const double t = 0.7, h = 4e-3;
  double q[NQ], v[NV], at[NQ], G[ENTRIES], rate[ROWS], before[ROWS], behind[ROWS], sum[ROWS] = {0};
  place(j, r, q, v);
  evaluate(j, t, q, v, NULL, G, rate, NULL);
  for (int k = 1; k <= 4; k++) {
    move(j, q, k * h, v, at);
    evaluate(j, t + k * h, at, v, behind, NULL, NULL, NULL);
    move(j, q, -k * h, v, at);
    evaluate(j, t - k * h, at, v, before, NULL, NULL, NULL);
    for (int row = 0; row < j->joints->n; row++) sum[row] += weight[k - 1] * (behind[row] - before[row]) / h;
  }
  for (int row = 0; row < j->joints->n; row++) {
    const double expected = product(j, row, G, v) + rate[row];
    ck_assert_msg(fabs(sum[row] - expected) < 1e-9, "type %d row %d: %.12g, expected %.12g", j->joint.type,
                  row, expected, sum[row]);
  }
}
START_TEST(gradients_are_what_differences_of_g_say) {
  for_all(check_gradient);
}
END_TEST

/* d/dt (G v + rate) with v that stands still, against the bias: the attitude along s of the Cayley map has the spin v / (1 + s^2 |v|^2 / 4), so that at
 * s = 0 first derivatives are those of the motion. */
static void check_bias(const joined *j, prc_random *r) {
  const double t = 0.7, h = 4e-3;
  double q[NQ], v[NV], at[NQ], G[ENTRIES], rate[ROWS], bias[ROWS], sum[ROWS] = {0};
  place(j, r, q, v);
  evaluate(j, t, q, v, NULL, NULL, NULL, bias);
  for (int k = 1; k <= 4; k++)
    for (int side = -1; side <= 1; side += 2) {
      move(j, q, side * k * h, v, at);
      evaluate(j, t + side * k * h, at, v, NULL, G, rate, NULL);
      for (int row = 0; row < j->joints->n; row++)
        sum[row] += side * weight[k - 1] * (product(j, row, G, v) + rate[row]) / h;
    }
  for (int row = 0; row < j->joints->n; row++)
    ck_assert_msg(fabs(sum[row] - bias[row]) < 1e-8 * (1.0 + fabs(bias[row])),
                  "type %d row %d: %.12g, expected %.12g", j->joint.type, row, bias[row], sum[row]);
}
START_TEST(biases_are_what_differences_of_velocities_say) {
  for_all(check_bias);
}
END_TEST

/* g(t + h, q (+) dx) - g(t, q) = G dx + h rate to rounding, for steps small and large; zero and -0.0 too. */
static void check_secant(const joined *j, prc_random *r) {
  static const double sizes[] = {0.0, -0.0, 1e-12, 1e-4, 0.1, 0.6};
  const double t = 0.7, h = 0.05;
  double q[NQ], v[NV], next[NQ], dx[NV], G[ENTRIES], rate[ROWS], before[ROWS], behind[ROWS];
  const prc_system *system = prc_spatial_system(j->spatial);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    place(j, r, q, v);
    for (int i = 0; i < NV; i++) dx[i] = sizes[s] * v[i];
    move(j, q, 1.0, dx, next);
    const prc_at at = {t, q, v};
    support_ok(j->joints->secant(system->owner, &at, h, dx, G, rate, &err), &err);
    evaluate(j, t, q, v, before, NULL, NULL, NULL);
    evaluate(j, t + h, next, v, behind, NULL, NULL, NULL);
    for (int row = 0; row < j->joints->n; row++) {
      double change = behind[row] - before[row];
      if (j->joint.type == PRC_SPATIAL_HINGE && row == 5 && fabs(change) > 2.0) continue; /* a whole turn */
      const double said = product(j, row, G, dx) + h * rate[row];
      ck_assert_msg(fabs(change - said) < 2e-14, "type %d row %d, %g: %.17g, expected %.17g", j->joint.type,
                    row, sizes[s], said, change);
    }
  }
}
START_TEST(secants_give_the_change_of_g) {
  for_all(check_secant);
}
END_TEST

/* ---- springs -------------------------------------------------------------------------------------------------------------------- */

/* f = dV/dx by differences; a damper takes power; the tangent is the derivative of f where the spring pulls, but for the arms: exact for a body that
 * does not turn. */
START_TEST(springs_follow_their_potential) {
  prc_random r = {11};
  for (int pair = 0; pair < PAIRS; pair++) {
    const prc_spatial_spring spring = {.name = "s",
                                       .body = {ends[pair][0], ends[pair][1]},
                                       .at = {{0.5, 0.5, 0.1}, {1.5, 2.0, -0.7}},
                                       .stiffness = 3.0,
                                       .damping = 0.7,
                                       .rest_length = pair % 2 ? 0.5 : 0.0};
    joined j = {.model = {.n_bodies = 4, .n_springs = 1, .body = bodies, .spring = &spring}};
    support_ok(prc_spatial_create(&j.model, &j.spatial, &err), &err);
    const prc_system *s = prc_spatial_system(j.spatial);
    double q[NQ], v[NV], at[NQ], f[NV], d[NV], power = 0.0, drag = 0.0, sum = 0.0;
    prc_spatial_initial(j.spatial, q, v);
    draw(&r, 1.0, NV, v);
    for (int i = 12; i < 18; i++) v[i] = 0.0;
    const prc_at here = {0.0, q, v};
    support_ok(s->dynamics.internal(s->owner, &here, f, NULL, &err), &err);
    support_ok(s->dynamics.damping(s->owner, &here, d, &err), &err);
    for (int k = 1; k <= 4; k++)
      for (int side = -1; side <= 1; side += 2) {
        double V;
        move(&j, q, side * k * 4e-3, v, at);
        support_ok(s->dynamics.internal(s->owner, &(prc_at){0.0, at, v}, NULL, &V, &err), &err);
        sum += side * weight[k - 1] * V / 4e-3;
      }
    for (int i = 0; i < NV; i++) power += f[i] * v[i], drag += d[i] * v[i];
    ck_assert_msg(fabs(sum - power) < 1e-9 * (1.0 + fabs(power)), "%.12g, expected %.12g", power, sum);
    const prc_spatial_spring_state now = prc_spatial_spring_now(j.spatial, 0, q, v);
    ck_assert(drag >= 0.0 && fabs(drag - now.viscous * now.rate) < 1e-13);
    ck_assert(fabs(now.elastic * now.rate - power) < 1e-13);
    prc_spatial_free(&j.spatial);
  }
}
END_TEST

/* ---- in motion -------------------------------------------------------------------------------------------------------------------- */

typedef struct {
  prc_spatial_model model;
  prc_spatial *spatial;
  prc_stepper *stepper;
} running;

static void start_with(running *run, const char *scheme, double h, double theta) {
  prc_step_options options = prc_step_options_default(h);
  double *q, *v;
  support_ok(prc_spatial_create(&run->model, &run->spatial, &err), &err);
  const prc_system *s = prc_spatial_system(run->spatial);
  options.scheme = scheme, options.rho = 0.8, options.theta = theta;
  support_ok(prc_stepper_create(s, &options, &run->stepper, &err), &err);
  support_ok(prc_new(&q, s->space.nq, &err), &err);
  support_ok(prc_new(&v, s->space.nv, &err), &err);
  prc_spatial_initial(run->spatial, q, v);
  support_ok(prc_stepper_start(run->stepper, q, v, &err), &err);
  prc_delete(&q);
  prc_delete(&v);
}
static void start(running *run, const char *scheme, double h) {
  start_with(run, scheme, h, 0.5);
}
static void stop(running *run) {
  prc_stepper_free(&run->stepper);
  prc_spatial_free(&run->spatial);
}

/* A symmetric top on a ball precesses steadily at inclination theta where  (I1 + m l^2) W^2 cos(theta) - I3 s W + m g l = 0,  s its spin along its
 * axis of symmetry. With these numbers: I1 + m l^2 = 0.7, I3 = 0.1, m g l = 4.905. */
static void check_top(const char *scheme, double theta_of, double h, double tolerance) {
  const double theta = 0.5, s = 60.0, I1 = 0.7, I3 = 0.1, mgl = 4.905, c = cos(theta);
  const double W = (I3 * s - sqrt(I3 * I3 * s * s - 4.0 * I1 * c * mgl)) / (2.0 * I1 * c);
  prc_spatial_body top = {.name = "top", .mass = 1.0, .inertia = {0.45, 0.45, 0.1}, .turns = 1};
  top.position[0] = 0.5 * sin(theta), top.position[2] = 0.5 * c;
  top.orientation[0] = cos(0.5 * theta), top.orientation[2] = sin(0.5 * theta);
  top.velocity[1] = W * top.position[0];
  top.spin[0] = -W * sin(theta), top.spin[2] = s; /* W about the vertical, and the rest along its axis */
  const prc_spatial_joint joint = {.name = "tip", .type = PRC_SPATIAL_BALL, .body = {-1, 0}};
  running run = {.model = {.n_bodies = 1,
                           .n_joints = 1,
                           .body = &top,
                           .joint = &joint,
                           .gravity = {[2] = {.constant = -9.81}}}};
  start_with(&run, scheme, h, theta_of);
  const int steps = (int)lround(1.0 / h);
  double worst = 0.0, gap = 0.0;
  for (int k = 0; k < steps; k++) {
    support_ok(prc_stepper_step(run.stepper, &err), &err);
    const prc_step_record *r = prc_stepper_record(run.stepper);
    const prc_spatial_motion now = prc_spatial_motion_of(run.spatial, r->q, NULL, 0);
    const double phi = W * r->t, radius = 0.5 * sin(theta);
    worst = fmax(worst, hypot(hypot(now.position[0] - radius * cos(phi), now.position[1] - radius * sin(phi)),
                              now.position[2] - 0.5 * c));
    for (int i = 0; r->joint_g && i < 3; i++) gap = fmax(gap, fabs(r->joint_g[i]));
  }
  ck_assert_msg(worst < tolerance, "%s at %g: off by %.3g", scheme, h, worst);
  ck_assert_msg(gap < 1e-12, "%s at %g: |g| = %.3g", scheme, h, gap);
  stop(&run);
}
START_TEST(a_top_on_a_ball_precesses) {
  check_top("theta", 0.5, 1e-3, 6e-5);
  check_top("theta", 0.5, 5e-4, 1.5e-5);
  check_top("generalized-alpha", 0.5, 1e-3, 2e-4);
  check_top("generalized-alpha", 0.5, 5e-4, 5e-5);
}
END_TEST

/* With theta above 1/2 the spin goes on by its mean: it neither slows nor falls. What is lost is the centre's, (theta - 1/2) m |dv|^2 a step with |dv| = h W^2 l
 * sin(theta). */
START_TEST(a_top_stays_up_for_every_theta) {
  static const double theta_of[] = {0.6, 0.75, 1.0};
  for (int i = 0; i < 3; i++) check_top("theta", theta_of[i], 1e-3, 1.2e-4);
}
END_TEST

/* Two bodies on a ball with a spring and a damper between them, in flight: the balance closes, the joint holds, and the scheme gives nothing, for every theta. */
START_TEST(joined_bodies_close_their_balance_for_every_theta) {
  static const double theta_of[] = {0.5, 0.6, 0.75, 1.0};
  const prc_spatial_joint joint = {
      .name = "j", .type = PRC_SPATIAL_BALL, .body = {0, 1}, .at = {{0.8, 0.5, 0.1}, {0.8, 0.5, 0.1}}};
  const prc_spatial_spring spring = {.name = "s",
                                     .body = {0, 1},
                                     .at = {{0.5, 0.5, 0.1}, {1.5, 2.0, -0.7}},
                                     .stiffness = 300.0,
                                     .damping = 0.5,
                                     .rest_length = 0.9};
  prc_spatial_body two[2] = {bodies[0], bodies[1]};
  for (int i = 0; i < 4; i++) {
    running run = {
        .model = {
            .n_bodies = 2, .n_joints = 1, .n_springs = 1, .body = two, .joint = &joint, .spring = &spring}};
    double gap = 0.0, numerical = 0.0, lost = 0.0, turned = 0.0, worst = 0.0, passes = 0.0;
    start_with(&run, "theta", 5e-3, theta_of[i]);
    for (int k = 0; k < 500; k++) {
      support_ok(prc_stepper_step(run.stepper, &err), &err);
      const prc_step_record *r = prc_stepper_record(run.stepper);
      double left = r->kinetic + r->potential;
      for (int n = 0; n < PRC_N_WORKS; n++) left -= r->work[n];
      worst = fmax(worst, fabs(left)), passes = fmax(passes, r->passes);
      numerical = fmax(numerical, r->work[PRC_WORK_numerical]), lost += r->work[PRC_WORK_damping];
      for (int n = 3; n < 6; n++) turned = fmax(turned, fabs(r->v[n]));
      for (int n = 0; n < 3; n++) gap = fmax(gap, fabs(r->joint_g[n]));
      ck_assert_double_le(r->change, 1e-12);
    }
    ck_assert_msg(worst < 1e-13 && numerical < 1e-13 && gap < 1e-11 && passes <= 30.0,
                  "theta %g: the balance lacks %.3g, %.3g numerical, gap %.3g, %g passes", theta_of[i], worst,
                  numerical, gap, passes);
    ck_assert_msg(turned > 0.5 && lost < -1e-3, "theta %g: spin %g, lost %g", theta_of[i], turned, lost);
    stop(&run);
  }
}
END_TEST

/* How far a hinge is from 0.3 sin 2t at most, of 3 s. */
static double hinge_off(int twice, double h) {
  const prc_spatial_body body = {.name = "b",
                                 .mass = 1.0,
                                 .inertia = {0.1, 0.2, 0.25, 0.02, 0.0, 0.01},
                                 .position = {0.4, 0.0, 0.0},
                                 .orientation = {1.0},
                                 .turns = 1};
  const prc_spatial_joint joint[2] = {
      {.name = "one",
       .type = PRC_SPATIAL_HINGE,
       .body = {-1, 0},
       .axis = {2.0, 3.0, 6.0},
       .has_value = 1,
       .value = {.eval = wave, .data = swing, .uses_time = 1, .derivatives = derivatives}},
      {.name = "two", .type = PRC_SPATIAL_HINGE, .body = {-1, 0}, .axis = {2.0, 3.0, 6.0}}};
  double off = 0.0;
  /* the start has the velocity of the formula, 0.6 about (2, 3, 6)/7 */
  prc_spatial_body moving = body;
  for (int k = 0; k < 3; k++) moving.spin[k] = 0.6 * joint[0].axis[k] / 7.0;
  moving.velocity[1] = moving.spin[2] * 0.4, moving.velocity[2] = -moving.spin[1] * 0.4;
  running run = {.model = {.n_bodies = 1, .n_joints = 1 + twice, .body = &moving, .joint = joint}};
  start(&run, "theta", h);
  for (int k = 0; k < (int)(3.0 / h + 0.5); k++) {
    support_ok(prc_stepper_step(run.stepper, &err), &err);
    const prc_step_record *r = prc_stepper_record(run.stepper);
    const prc_spatial_motion now = prc_spatial_motion_of(run.spatial, r->q, NULL, 0);
    const double half = 0.15 * sin(2.0 * r->t);
    off = fmax(off, fabs(now.orientation[0] - cos(half)));
    for (int i = 0; i < 3; i++)
      off = fmax(off, fabs(now.orientation[i + 1] - sin(half) * joint[0].axis[i] / 7.0));
  }
  stop(&run);
  return off;
}

/* A body on a hinge that is turned by a formula d follows it, whatever its axis, as far as chords do: (d(t + h/2) + d(t - h/2))/2 is h^2/8 d'' away, here up to
 * 1.5e-5 in angle at h = 1e-2, half of that in the quaternion, 6/7 of it in its largest part. One hinge on another (rows that depend on each other) changes
 * nothing. */
START_TEST(a_hinge_turns_as_it_is_told) {
  for (int twice = 0; twice < 2; twice++) {
    const double coarse = hinge_off(twice, 1e-2), fine = hinge_off(twice, 5e-3);
    ck_assert_double_eq_tol(coarse, 1e-4 / 8.0 * 1.2 / 2.0 * 6.0 / 7.0, 0.1e-6);
    ck_assert_double_eq_tol(coarse / fine, 4.0, 0.01);
  }
}
END_TEST

/* Two bodies on a ball, or on a hinge, in free flight keep energy, momentum and spatial angular momentum, whatever the step is. */
START_TEST(joined_bodies_in_flight_keep_their_angular_momentum) {
  for (int type = PRC_SPATIAL_BALL; type <= PRC_SPATIAL_FIXED; type++) {
    prc_spatial_body two[2] = {bodies[0], bodies[1]};
    const prc_spatial_joint joint = {.name = "j",
                                     .type = (prc_spatial_joint_type)type,
                                     .body = {0, 1},
                                     .at = {{0.8, 0.5, 0.1}, {0.8, 0.5, 0.1}},
                                     .axis = {1.0, -2.0, 2.0}};
    /* both turn as one at the start */
    const double spin[3] = {3.0, -1.0, 2.0};
    for (int b = 0; b < 2; b++) {
      const double *p = two[b].orientation, *x = two[b].position;
      const double w = p[0], u[3] = {-p[1], -p[2], -p[3]};
      double cross[3], again[3];
      for (int k = 0; k < 3; k++)
        cross[k] = u[(k + 1) % 3] * spin[(k + 2) % 3] - u[(k + 2) % 3] * spin[(k + 1) % 3];
      for (int k = 0; k < 3; k++)
        again[k] = u[(k + 1) % 3] * cross[(k + 2) % 3] - u[(k + 2) % 3] * cross[(k + 1) % 3];
      for (int k = 0; k < 3; k++) {
        two[b].spin[k] = spin[k] + 2.0 * (w * cross[k] + again[k]);
        two[b].velocity[k] = spin[(k + 1) % 3] * x[(k + 2) % 3] - spin[(k + 2) % 3] * x[(k + 1) % 3];
      }
    }
    running run = {.model = {.n_bodies = 2, .n_joints = 1, .body = two, .joint = &joint}};
    start(&run, "theta", 2e-2);
    const prc_step_record *r = prc_stepper_record(run.stepper);
    double linear[3], angular[3], now[3], energy = 0.0, first = 0.0, gap = 0.0;
    prc_spatial_momentum(run.spatial, r->q, r->v, linear, angular);
    const prc_sym *M = prc_spatial_system(run.spatial)->dynamics.M;
    for (int i = 0; i < 12; i++) first += 0.5 * M->x[i] * r->v[i] * r->v[i];
    for (int k = 0; k < 2000; k++) support_ok(prc_stepper_step(run.stepper, &err), &err);
    r = prc_stepper_record(run.stepper);
    for (int i = 0; i < 12; i++) energy += 0.5 * M->x[i] * r->v[i] * r->v[i];
    prc_spatial_momentum(run.spatial, r->q, r->v, linear, now);
    for (int i = 0; r->joint_g && i < 3; i++) gap = fmax(gap, fabs(r->joint_g[i]));
    for (int k = 0; k < 3; k++)
      ck_assert_msg(fabs(now[k] - angular[k]) < 1e-11, "type %d: angular momentum off by %.3g", type,
                    now[k] - angular[k]);
    ck_assert_msg(fabs(energy - first) < 1e-11 * first && gap < 1e-12,
                  "type %d: energy off by %.3g, |g| %.3g", type, energy - first, gap);
    stop(&run);
  }
}
END_TEST

/* Two bodies on springs between points of them in free flight keep energy and both momenta, one spring without rest length, at a large step too. */
START_TEST(bodies_on_springs_in_flight_keep_energy_and_momenta) {
  const prc_spatial_spring spring[2] = {{.name = "s",
                                         .body = {0, 1},
                                         .at = {{0.5, 0.5, 0.1}, {1.5, 2.0, -0.7}},
                                         .stiffness = 30.0,
                                         .rest_length = 0.9},
                                        {.name = "t",
                                         .body = {1, 0},
                                         .at = {{1.1, 0.2, 0.3}, {-0.4, 0.2, 0.6}},
                                         .stiffness = 5.0,
                                         .rest_length = 0.0}};
  prc_spatial_body two[2] = {bodies[0], bodies[1]};
  memcpy(two[0].spin, (const double[]){1.0, -2.0, 0.7}, sizeof two[0].spin);
  memcpy(two[1].velocity, (const double[]){0.3, 0.5, -1.0}, sizeof two[1].velocity);
  static const double steps[] = {1e-2, 4e-2};
  for (int i = 0; i < 2; i++) {
    running run = {.model = {.n_bodies = 2, .n_springs = 2, .body = two, .spring = spring}};
    start(&run, "theta", steps[i]);
    const prc_step_record *r = prc_stepper_record(run.stepper);
    double P[2][3], L[2][3], E[2] = {0.0, 0.0}, turned = 0.0;
    for (int side = 0; side < 2; side++) {
      for (int k = 0; side == 1 && k < 2000; k++) {
        support_ok(prc_stepper_step(run.stepper, &err), &err);
        const double change = prc_stepper_record(run.stepper)->change;
        ck_assert_msg(change <= 1e-12, "h = %g, step %d: change %.3g", steps[i], k + 1, change);
      }
      r = prc_stepper_record(run.stepper);
      const prc_sym *M = prc_spatial_system(run.spatial)->dynamics.M;
      for (int k = 0; k < 12; k++) E[side] += 0.5 * M->x[k] * r->v[k] * r->v[k];
      for (int k = 0; k < 2; k++) E[side] += prc_spatial_spring_now(run.spatial, k, r->q, r->v).potential;
      for (int k = 3; k < 6; k++) turned = fmax(turned, fabs(r->v[k] - two[0].spin[k - 3]));
      prc_spatial_momentum(run.spatial, r->q, r->v, P[side], L[side]);
    }
    ck_assert_double_gt(turned, 0.5);
    ck_assert_msg(fabs(E[1] - E[0]) < 1e-11 * E[0], "h = %g: energy off by %.3g of %.3g", steps[i],
                  E[1] - E[0], E[0]);
    for (int k = 0; k < 3; k++)
      ck_assert_msg(fabs(P[1][k] - P[0][k]) < 1e-12 && fabs(L[1][k] - L[0][k]) < 5e-11,
                    "h = %g: momentum off by %.3g, angular by %.3g", steps[i], P[1][k] - P[0][k],
                    L[1][k] - L[0][k]);
    stop(&run);
  }
}
END_TEST

/* ---- refused -------------------------------------------------------------------------------------------------------------------- */

START_TEST(bad_joints_are_refused_with_words) {
  static const struct {
    prc_spatial_joint joint;
    const char *said;
  } cases[] = {
      {{.name = "x", .type = PRC_SPATIAL_HINGE, .body = {0, 1}}, "its axis is (0, 0, 0)"},
      {{.name = "x", .type = PRC_SPATIAL_BALL, .body = {0, 0}}, "between a and itself"},
      {{.name = "x", .type = PRC_SPATIAL_BALL, .body = {-1, 2}}, "whose motion is data"},
      {{.name = "x", .type = PRC_SPATIAL_BALL, .body = {0, 7}}, "body 7, expected one of 4"},
      {{.name = "x", .type = PRC_SPATIAL_BALL, .body = {0, 1}, .at = {{0.0, 0.0, 1.0}}},
       "1 apart at the start"},
      {{.name = "x", .type = PRC_SPATIAL_DISTANCE, .body = {0, 1}, .length = NAN},
       "at one place at the start"},
      {{.name = "x", .type = PRC_SPATIAL_DISTANCE, .body = {0, 1}, .at = {{3.0, 0.0, 4.0}}, .length = 4.0},
       "its length is 4, but its points are 5 apart"},
      {{.name = "x", .type = PRC_SPATIAL_FIXED, .body = {0, 1}, .has_value = 1},
       "expected none of a ball or a fixed"},
      {{.name = "x",
        .type = PRC_SPATIAL_SLIDER,
        .body = {0, 1},
        .axis = {0.0, 0.0, -2.0},
        .has_value = 1,
        .value = {.constant = 0.5}},
       "0.5 at t = 0"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const prc_spatial_model model = {.n_bodies = 4, .n_joints = 1, .body = bodies, .joint = &cases[k].joint};
    prc_spatial *spatial = NULL;
    err = (prc_error){0};
    ck_assert_int_eq(prc_spatial_create(&model, &spatial, &err), PRC_INPUT);
    ck_assert_msg(strstr(err.message, cases[k].said) != NULL, "%zu: %s", k, err.message);
    ck_assert_ptr_null(spatial);
  }
}
END_TEST

SUITE(joints_space) {
  Suite *suite = suite_create("joints_space");
  TCase *tests = tcase_create("joints in space");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, bodies_begin_where_their_joints_hold);
  tcase_add_test(tests, gradients_are_what_differences_of_g_say);
  tcase_add_test(tests, biases_are_what_differences_of_velocities_say);
  tcase_add_test(tests, secants_give_the_change_of_g);
  tcase_add_test(tests, springs_follow_their_potential);
  tcase_add_test(tests, a_top_on_a_ball_precesses);
  tcase_add_test(tests, a_top_stays_up_for_every_theta);
  tcase_add_test(tests, joined_bodies_close_their_balance_for_every_theta);
  tcase_add_test(tests, a_hinge_turns_as_it_is_told);
  tcase_add_test(tests, joined_bodies_in_flight_keep_their_angular_momentum);
  tcase_add_test(tests, bodies_on_springs_in_flight_keep_energy_and_momenta);
  tcase_add_test(tests, bad_joints_are_refused_with_words);
  suite_add_tcase(suite, tests);
  return suite;
}
