#include "config.h"
#include "rigid/rigid.h"
#include "step/step.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints and springs: their rows against differences, what the secant promises, and what is refused. */

static prc_error err;

/* ---- three bodies, the last of them driven ----------------------------------------------------------------------------- */

enum { N = 9, ROWS = 3, ENTRIES = 18 };

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
static double swing[3] = {0.0, 0.3, 2.0}, stroke[3] = {2.5, 0.3, 2.0};

static const prc_rigid_body bodies[3] = {
    {.name = "a", .mass = 2.0, .inertia = 0.5, .position = {0.3, -0.2}, .angle = 0.4},
    {.name = "b", .mass = 1.0, .inertia = 0.125, .position = {1.3, 0.9}, .angle = -1.1},
    {.name = "c", .position = {-0.7, 0.1}, .angle = 2.0, .driven = 1}};

static const int ends[][2] = {{0, 1}, {1, 0}, {-1, 1}, {0, -1}, {2, 0}, {1, 2}};
enum { PAIRS = 6, TYPES = 7 };

static prc_rigid_joint joint_of(prc_joint_type type, const int pair[2], int has_value) {
  prc_rigid_joint j = {.name = "j",
                       .type = type,
                       .body = {pair[0], pair[1]},
                       .at = {{0.8, 0.5}, {0.8, 0.5}},
                       .axis = {0.6, 0.8},
                       .length = NAN,
                       .radius = 0.4,
                       .has_value = has_value,
                       .value = {.eval = wave, .data = swing, .uses_time = 1, .derivatives = derivatives}};
  if (type == PRC_JOINT_DISTANCE) j.at[1][0] += 1.5, j.at[1][1] += 2.0, j.value.data = stroke;
  return j;
}

static int may_have_value(prc_joint_type type) {
  return type == PRC_JOINT_REVOLUTE || type == PRC_JOINT_PRISMATIC || type == PRC_JOINT_DISTANCE
         || type == PRC_JOINT_ANGLE;
}

typedef struct {
  prc_rigid_joint joint;
  prc_rigid_model model;
  prc_rigid *rigid;
  const prc_joints *joints;
} joined;

static void make(joined *j, prc_joint_type type, const int pair[2], int has_value) {
  *j = (joined){.joint = joint_of(type, pair, has_value)};
  j->model = (prc_rigid_model){.n_bodies = 3, .n_joints = 1, .body = bodies, .joint = &j->joint};
  support_ok(prc_rigid_create(&j->model, &j->rigid, &err), &err);
  j->joints = &prc_rigid_system(j->rigid)->joints;
  ck_assert_int_ge(j->joints->n, 1);
  ck_assert_int_le(j->joints->n, ROWS);
}

/* All types, pairs, with and without values. */
static void for_all(void (*check)(const joined *j, prc_random *r)) {
  prc_random r = {7};
  for (int type = 0; type < TYPES; type++)
    for (int pair = 0; pair < PAIRS; pair++)
      for (int value = 0; value < (may_have_value((prc_joint_type)type) ? 2 : 1); value++) {
        joined j;
        make(&j, (prc_joint_type)type, ends[pair], value);
        for (int k = 0; k < 20; k++) check(&j, &r);
        prc_rigid_free(&j.rigid);
      }
}

static void draw(prc_random *r, double size, int n, double *x) {
  for (int i = 0; i < n; i++) x[i] = prc_random_uniform(r, -size, size);
}

static void place(const joined *j, prc_random *r, double *q, double *v) {
  double change[N];
  prc_rigid_initial(j->rigid, q, v);
  draw(r, 2.0, N, change);
  draw(r, 1.5, N, v);
  for (int i = 0; i < N; i++) q[i] += change[i];
  if (j->joint.type != PRC_JOINT_DISTANCE) return;
  double x[2][2];
  prc_rigid_joint_place(j->rigid, 0, q, x); /* |d| has no derivative near its zero */
  if (hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]) < 0.5) place(j, r, q, v);
}

static void evaluate(const joined *j, double t, const double *q, const double *v, double *g, double *G,
                     double *rate, double *bias) {
  const prc_at at = {t, q, v};
  support_ok(j->joints->evaluate(prc_rigid_system(j->rigid)->owner, &at, g, G, rate, bias, &err), &err);
}

static double product(const joined *j, int row, const double *G, const double *x) {
  double sum = 0.0;
  for (int k = j->joints->start[row]; k < j->joints->start[row + 1]; k++) sum += G[k] * x[j->joints->dof[k]];
  return sum;
}

static void move(const double *q, double s, const double *v, double *to) {
  for (int i = 0; i < N; i++) to[i] = q[i] + s * v[i];
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

static void check_pattern(const joined *j, prc_random *r) {
  (void)r;
  for (int row = 0; row < j->joints->n; row++)
    for (int k = j->joints->start[row]; k < j->joints->start[row + 1]; k++) {
      ck_assert_int_lt(j->joints->dof[k], N);
      ck_assert(k == j->joints->start[row] || j->joints->dof[k] > j->joints->dof[k - 1]);
    }
}
START_TEST(rows_list_their_dofs_ascending) {
  for_all(check_pattern);
}
END_TEST

static void check_start(const joined *j, prc_random *r) {
  double q[N], v[N], g[ROWS];
  (void)r;
  prc_rigid_initial(j->rigid, q, v);
  evaluate(j, 0.0, q, v, g, NULL, NULL, NULL);
  for (int row = 0; row < j->joints->n; row++) ck_assert(fabs(g[row]) <= 8.0 * DBL_EPSILON);
}
START_TEST(bodies_begin_where_their_joints_hold) {
  for_all(check_start);
}
END_TEST

/* dg/dt along a straight motion by the eighth-order difference, against G v + rate. */
static void check_gradient(const joined *j, prc_random *r) {
  static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  const double t = 0.7, h = 4e-3;
  double q[N], v[N], at[N], G[ENTRIES], rate[ROWS], before[ROWS], behind[ROWS], sum[ROWS] = {0};
  place(j, r, q, v);
  evaluate(j, t, q, v, NULL, G, rate, NULL);
  for (int k = 1; k <= 4; k++) {
    move(q, k * h, v, at);
    evaluate(j, t + k * h, at, v, behind, NULL, NULL, NULL);
    move(q, -k * h, v, at);
    evaluate(j, t - k * h, at, v, before, NULL, NULL, NULL);
    for (int row = 0; row < j->joints->n; row++) sum[row] += weight[k - 1] * (behind[row] - before[row]) / h;
  }
  for (int row = 0; row < j->joints->n; row++) {
    const double expected = j->joints->of_velocities[row] ? 0.0 : product(j, row, G, v) + rate[row];
    ck_assert_msg(fabs(sum[row] - expected) < 1e-9, "row %d: %.12g, expected %.12g", row, sum[row], expected);
  }
}
START_TEST(gradients_are_what_differences_of_g_say) {
  for_all(check_gradient);
}
END_TEST

/* d/dt (G v + rate) along a motion without acceleration, against the bias. */
static void check_bias(const joined *j, prc_random *r) {
  static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  const double t = 0.7, h = 4e-3;
  double q[N], v[N], at[N], G[ENTRIES], rate[ROWS], bias[ROWS], sum[ROWS] = {0};
  place(j, r, q, v);
  evaluate(j, t, q, v, NULL, NULL, NULL, bias);
  for (int k = 1; k <= 4; k++)
    for (int side = -1; side <= 1; side += 2) {
      move(q, side * k * h, v, at);
      evaluate(j, t + side * k * h, at, v, NULL, G, rate, NULL);
      for (int row = 0; row < j->joints->n; row++)
        sum[row] += side * weight[k - 1] * (product(j, row, G, v) + rate[row]) / h;
    }
  for (int row = 0; row < j->joints->n; row++)
    ck_assert_msg(fabs(sum[row] - bias[row]) < 1e-9 * (1.0 + fabs(bias[row])),
                  "row %d: %.12g, expected %.12g", row, bias[row], sum[row]);
}
START_TEST(biases_are_what_differences_of_velocities_say) {
  for_all(check_bias);
}
END_TEST

/* A skate's row is the velocity of its point against what is below it, across its axis: by the differences of places, without rows. */
static void check_skate(const joined *j, prc_random *r) {
  const double h = 1e-6;
  double q[N], v[N], G[ENTRIES], x[2][2], moved[2][2], at[N];
  if (j->joint.type != PRC_JOINT_SKATE) return;
  place(j, r, q, v);
  evaluate(j, 0.0, q, v, NULL, G, NULL, NULL);
  const int a = j->joint.body[1] < 0 ? -1 : j->joint.body[0],
            b = j->joint.body[1] < 0 ? j->joint.body[0] : j->joint.body[1];
  prc_rigid_joint_place(j->rigid, 0, q, x);
  move(q, h, v, at);
  prc_rigid_joint_place(j->rigid, 0, at, moved);
  const double turn = q[3 * b + 2] - bodies[b].angle;
  const double n[2] = {-0.6 * sin(turn) - 0.8 * cos(turn), 0.6 * cos(turn) - 0.8 * sin(turn)};
  double slip = 0.0;
  for (int k = 0; k < 2; k++) {
    double below = 0.0;
    if (a >= 0)
      below = v[3 * a + k] + v[3 * a + 2] * (k == 0 ? -(x[1][1] - q[3 * a + 1]) : x[1][0] - q[3 * a]);
    slip += n[k] * ((moved[1][k] - x[1][k]) / h - below);
  }
  ck_assert_msg(fabs(slip - product(j, 0, G, v)) < 1e-4, "%g, expected %g", product(j, 0, G, v), slip);
}
START_TEST(a_skate_is_across_its_axis) {
  for_all(check_skate);
}
END_TEST

/* ---- the secant ------------------------------------------------------------------------------------------------------------ */

/* to := q (+) dx, and dx as rounding leaves it: of angles that go by the Cayley map 2 tan of half of what they turn by */
static void advance(const joined *j, const double *q, const double *dx, double *to, double *change) {
  const prc_system *system = prc_rigid_system(j->rigid);
  if (!system->space.advance) {
    move(q, 1.0, dx, to);
    for (int i = 0; i < N; i++) change[i] = to[i] - q[i]; /* what q + dx is */
    return;
  }
  system->space.advance(system->owner, q, dx, to);
  for (int i = 0; i < N; i++) {
    change[i] = to[i] - q[i];
    const double by_tangent = 2.0 * tan(0.5 * change[i]);
    if (i % 3 == 2 && fabs(by_tangent - dx[i]) < fabs(change[i] - dx[i])) change[i] = by_tangent;
  }
}

/* g(t + h, q (+) dx) - g(t, q) = G dx + h rate within a few roundings of the numbers that make g. */
static void check_step_of(const joined *j, const double *q, const double *v, const double *dx, double h) {
  const double t = 0.7;
  double to[N], change[N], before[ROWS], behind[ROWS], G[ENTRIES], rate[ROWS];
  advance(j, q, dx, to, change);
  evaluate(j, t, q, v, before, NULL, NULL, NULL);
  evaluate(j, t + h, to, v, behind, NULL, NULL, NULL);
  const prc_at from = {t, q, v};
  support_ok(j->joints->secant(prc_rigid_system(j->rigid)->owner, &from, h, change, G, rate, &err), &err);
  for (int row = 0; row < j->joints->n; row++) {
    if (j->joints->of_velocities[row]) continue;
    const double expected = product(j, row, G, change) + h * rate[row], found = behind[row] - before[row];
    ck_assert_msg(fabs(found - expected) <= 128.0 * DBL_EPSILON,
                  "type %d row %d, turn %g: %.17g, expected %.17g", (int)j->joint.type, row, change[2], found,
                  expected);
  }
}

static void check_secant(const joined *j, prc_random *r) {
  static const double turn[] = {0.0,  -0.0, 1e-9, -1e-9, 1e-5, 1e-4, 1.0001e-4,
                                2e-4, 0.1,  1.0,  3.0,   -3.1, 7.0};
  double q[N], v[N], dx[N];
  place(j, r, q, v);
  for (size_t k = 0; k < sizeof turn / sizeof *turn; k++) {
    draw(r, 1.0, N, dx);
    for (int i = 2; i < N; i += 3) dx[i] *= turn[k];
    check_step_of(j, q, v, dx, 0.3);
    for (int i = 0; i < N; i++) dx[i] = i % 3 == 2 ? turn[k] : 0.0; /* only turns */
    check_step_of(j, q, v, dx, 1e-6);
  }
}
START_TEST(the_secant_explains_every_change_of_g) {
  for_all(check_secant);
}
END_TEST

/* A tiny step: the secant of a row is its gradient in the middle. */
static void check_small(const joined *j, prc_random *r) {
  double q[N], v[N], middle[N], dx[N], G[ENTRIES], mean[ENTRIES];
  place(j, r, q, v);
  draw(r, 1e-6, N, dx);
  move(q, 0.5, dx, middle);
  const prc_at from = {0.2, q, v};
  support_ok(j->joints->secant(prc_rigid_system(j->rigid)->owner, &from, 1e-6, dx, mean, NULL, &err), &err);
  evaluate(j, 0.2, middle, v, NULL, G, NULL, NULL);
  for (int k = 0; k < j->joints->start[j->joints->n]; k++)
    ck_assert_msg(fabs(G[k] - mean[k]) < 1e-11, "%.15g, expected %.15g", mean[k], G[k]);
}
START_TEST(a_small_step_has_the_gradient_of_its_middle) {
  for_all(check_small);
}
END_TEST

/* ---- forces ------------------------------------------------------------------------------------------------------------------ */

/* The force and moment on the second body work as the rows do, against the first body as the opposite. */
static void check_force(const joined *j, prc_random *r) {
  double q[N], v[N], G[ENTRIES], l[ROWS], force[3], x[2][2], of_rows = 0.0;
  place(j, r, q, v);
  draw(r, 1.0, ROWS, l);
  evaluate(j, 0.0, q, v, NULL, G, NULL, NULL);
  prc_rigid_joint_force(j->rigid, 0, q, l, force);
  prc_rigid_joint_place(j->rigid, 0, q, x);
  const int b = j->joint.body[1] < 0 ? j->joint.body[0] : j->joint.body[1];
  for (int i = 0; i < N; i++)
    if (i / 3 != b) v[i] = 0.0;
  for (int row = 0; row < j->joints->n; row++) of_rows += l[row] * product(j, row, G, v);
  const double *w = v + 3 * b, arm[2] = {x[1][0] - q[3 * b], x[1][1] - q[3 * b + 1]};
  const double work = force[0] * (w[0] - w[2] * arm[1]) + force[1] * (w[1] + w[2] * arm[0]) + force[2] * w[2];
  ck_assert_msg(fabs(work - of_rows) < 1e-13, "%g, expected %g", work, of_rows);
}
START_TEST(a_joint_force_works_on_its_second_body_as_the_rows_do) {
  for_all(check_force);
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------------------------------------------- */

static void refused(const prc_rigid_joint *joint, const char *message) {
  const prc_rigid_model model = {.n_bodies = 3, .n_joints = 1, .body = bodies, .joint = joint};
  prc_rigid *rigid = NULL;
  prc_error e = {0};
  ck_assert_int_eq(prc_rigid_create(&model, &rigid, &e), PRC_INPUT);
  ck_assert_msg(strstr(e.message, message) != NULL, "'%s', expected '%s'", e.message, message);
  ck_assert(!rigid);
}

START_TEST(joints_that_cannot_be_are_refused) {
  const int pair[2] = {0, 1};
  prc_rigid_joint j = joint_of(PRC_JOINT_REVOLUTE, pair, 0);
  j.at[1][0] += 0.03, j.at[1][1] += 0.04;
  refused(&j, "0.05 apart");
  j = joint_of(PRC_JOINT_DISTANCE, pair, 0);
  j.length = 2.25;
  refused(&j, "0.25 more");
  j.at[1][0] = j.at[0][0], j.at[1][1] = j.at[0][1];
  refused(&j, "at one place");
  j = joint_of(PRC_JOINT_DISTANCE, pair, 1), j.value.data = swing;
  refused(&j, "expected 2.5");
  j = joint_of(PRC_JOINT_ANGLE, pair, 1), j.value.data = stroke;
  refused(&j, "off by 2.5");
  j = joint_of(PRC_JOINT_FIXED, pair, 1);
  refused(&j, "prescribed value");
  j = joint_of(PRC_JOINT_REVOLUTE, (int[2]){1, 1}, 0);
  refused(&j, "itself");
  j = joint_of(PRC_JOINT_REVOLUTE, (int[2]){-1, -1}, 0);
  refused(&j, "itself");
  j = joint_of(PRC_JOINT_REVOLUTE, (int[2]){-1, 2}, 0);
  refused(&j, "motion is data");
  j = joint_of(PRC_JOINT_REVOLUTE, (int[2]){0, 3}, 0);
  refused(&j, "body 3");
  j = joint_of(PRC_JOINT_PRISMATIC, pair, 0), j.axis[0] = j.axis[1] = 0.0;
  refused(&j, "a direction");
  j = joint_of(PRC_JOINT_WHEEL, pair, 0), j.radius = 0.0;
  refused(&j, "radius");
}
END_TEST

/* ---- springs ------------------------------------------------------------------------------------------------------------------ */

typedef struct {
  prc_rigid_spring spring[2];
  prc_rigid_model model;
  prc_rigid *rigid;
  const prc_dynamics *d;
} sprung;

static void hang(sprung *s, const int pair[2], double rest_length) {
  *s = (sprung){.spring = {{"s", {pair[0], pair[1]}, {{0.8, 0.5}, {1.2, 1.7}}, 3.0, 0.7, rest_length},
                           {"t", {1, -1}, {{0.1, 0.2}, {0.9, 0.7}}, 2.0, 0.3, NAN}}};
  s->model = (prc_rigid_model){.n_bodies = 3, .n_springs = 2, .body = bodies, .spring = s->spring};
  support_ok(prc_rigid_create(&s->model, &s->rigid, &err), &err);
  s->d = &prc_rigid_system(s->rigid)->dynamics;
}

static double potential_at(const sprung *s, const double *q) {
  const prc_at at = {0.0, q, q};
  double V;
  support_ok(s->d->internal(s->rigid, &at, NULL, &V, &err), &err);
  return V;
}

static void force_at(const sprung *s, const double *q, double *f) {
  const prc_at at = {0.0, q, q};
  support_ok(s->d->internal(s->rigid, &at, f, NULL, &err), &err);
}

static void check_forces(const sprung *s, const double *q) {
  const double h = 1e-4;
  double f[N], at[N];
  force_at(s, q, f);
  for (int i = 0; i < N; i++) {
    double V[4];
    for (int k = 0; k < 4; k++) {
      memcpy(at, q, sizeof at);
      at[i] += h * (k < 2 ? k - 2 : k - 1);
      V[k] = potential_at(s, at);
    }
    const double slope = (8.0 * (V[2] - V[1]) - (V[3] - V[0])) / (12.0 * h);
    ck_assert_msg(fabs(f[i] - slope) < 1e-9, "dof %d: %.12g, expected %.12g", i, f[i], slope);
  }
}

static void check_tangent(const sprung *s, const double *q, const double *v) {
  const double h = 1e-5, c = 1e-6; /* small: what may be taken off is not limited */
  const prc_at at = {0.0, q, v};
  prc_sym *A = NULL;
  double x[N], Ax[N], moved[2][N], f[2][N];
  support_ok(prc_sym_add(0.0, s->d->pattern, 0.0, s->d->pattern, &A, &err), &err);
  support_ok(s->d->tangent(s->rigid, &at, c, 0.0, A, &err), &err);
  for (int i = 0; i < N; i++) x[i] = sin(1.0 + 3.0 * i);
  prc_sym_multiply(A, x, Ax);
  for (int k = 0; k < 2; k++) move(q, k ? h : -h, x, moved[k]), force_at(s, moved[k], f[k]);
  for (int i = 0; i < N; i++)
    ck_assert_msg(fabs(Ax[i] / c - (f[1][i] - f[0][i]) / (2.0 * h)) < 1e-6, "dof %d: %g, expected %g", i,
                  Ax[i] / c, (f[1][i] - f[0][i]) / (2.0 * h));
  prc_sym_free(&A);
}

static void check_damping(const sprung *s, const double *q, const double *v) {
  const prc_at at = {0.0, q, v};
  prc_sym *A = NULL;
  double d[N], Av[N], work = 0.0, expected = 0.0;
  support_ok(s->d->damping(s->rigid, &at, d, &err), &err);
  support_ok(prc_sym_add(0.0, s->d->pattern, 0.0, s->d->pattern, &A, &err), &err);
  support_ok(s->d->tangent(s->rigid, &at, 0.0, 1.0, A, &err), &err);
  prc_sym_multiply(A, v, Av); /* it is linear in v */
  for (int i = 0; i < N; i++) {
    ck_assert_msg(fabs(d[i] - Av[i]) < 1e-13, "dof %d: %g, expected %g", i, d[i], Av[i]);
    work += v[i] * d[i];
  }
  for (int k = 0; k < 2; k++) { /* c L'^2, L' by differences */
    double there[2][N], L[2];
    for (int side = 0; side < 2; side++) {
      move(q, side ? 1e-5 : -1e-5, v, there[side]);
      L[side] = prc_rigid_spring_now(s->rigid, k, there[side], v).length;
    }
    expected += s->spring[k].damping * pow((L[1] - L[0]) / 2e-5, 2.0);
  }
  ck_assert_msg(work >= 0.0 && fabs(work - expected) < 1e-8, "%g, expected %g", work, expected);
  prc_sym_free(&A);
}

START_TEST(springs_pull_with_the_slope_of_their_potential) {
  const double rest[] = {NAN, 0.0, 0.4, 5.0};
  prc_random r = {11};
  for (int pair = 0; pair < PAIRS; pair++)
    for (int k = 0; k < 4; k++) {
      sprung s;
      hang(&s, ends[pair], rest[k]);
      support_ok(prc_sym_check(s.d->pattern, "pattern", &err), &err);
      for (int i = 0; i < 10; i++) {
        double q[N], v[N], change[N];
        prc_rigid_initial(s.rigid, q, v);
        draw(&r, 0.4, N, change);
        draw(&r, 1.0, N, v);
        move(q, 1.0, change, q);
        check_forces(&s, q);
        check_tangent(&s, q, v);
        check_damping(&s, q, v);
      }
      prc_rigid_free(&s.rigid);
    }
}
END_TEST

/* Where the length is zero: linear with rest length 0, no force with another. */
START_TEST(a_spring_without_length_has_no_direction) {
  const prc_rigid_spring spring = {"s", {-1, 0}, {{1.0, 0.0}, {0.0, 0.0}}, 2.0, 1.0, 0.5};
  const prc_rigid_body body = {.name = "b", .mass = 1.0, .inertia = 1.0};
  prc_rigid_model model = {.n_bodies = 1, .n_springs = 1, .body = &body, .spring = &spring};
  for (int k = 0; k < 2; k++) {
    prc_rigid_spring own = spring;
    own.rest_length = k == 0 ? 0.5 : 0.0;
    model.spring = &own;
    prc_rigid *rigid = NULL;
    prc_sym *A = NULL;
    const double q[3] = {1.0, 0.0, 0.3}, v[3] = {1.0, 2.0, 3.0};
    const prc_at at = {0.0, q, v};
    double f[3], V;
    support_ok(prc_rigid_create(&model, &rigid, &err), &err);
    const prc_dynamics *d = &prc_rigid_system(rigid)->dynamics;
    support_ok(d->internal(rigid, &at, f, &V, &err), &err);
    support_ok(prc_sym_add(0.0, d->pattern, 0.0, d->pattern, &A, &err), &err);
    support_ok(d->tangent(rigid, &at, 1.0, 0.0, A, &err), &err);
    for (int i = 0; i < 3; i++) ck_assert(f[i] == 0.0);
    ck_assert(V == (k == 0 ? 0.25 : 0.0));
    ck_assert(A->x[0] == (k == 0 ? 0.0 : 2.0) && A->x[3] == (k == 0 ? 0.0 : 2.0) && A->x[5] == 0.0);
    support_ok(d->damping(rigid, &at, f, &err), &err);
    for (int i = 0; i < 3; i++) ck_assert(f[i] == 0.0);
    prc_sym_free(&A);
    prc_rigid_free(&rigid);
  }
}
END_TEST

/* A short spring that pushes hard: what it takes off A leaves that positive. */
START_TEST(a_compressed_spring_leaves_the_matrix_positive) {
  prc_random r = {5};
  for (int k = 0; k < 200; k++) {
    sprung s;
    prc_sym *A = NULL;
    double q[N], v[N], change[N], x[N];
    hang(&s, ends[0], 5.0);
    prc_rigid_initial(s.rigid, q, v);
    draw(&r, 1.0, N, change);
    move(q, 1.0, change, q);
    const prc_at at = {0.0, q, v};
    support_ok(prc_sym_add(1.0, prc_rigid_system(s.rigid)->dynamics.M, 0.0, s.d->pattern, &A, &err), &err);
    support_ok(s.d->tangent(s.rigid, &at, 1e4, 0.0, A, &err), &err);
    draw(&r, 1.0, N, x);
    for (int i = 6; i < N; i++) x[i] = 0.0; /* of what is not driven */
    ck_assert(prc_sym_form(A, x, x) >= 0.4 * prc_sym_form(prc_rigid_system(s.rigid)->dynamics.M, x, x));
    prc_sym_free(&A);
    prc_rigid_free(&s.rigid);
  }
}
END_TEST

/* Of two bodies on springs, by steps of h for 20 s: kinetic energy and that of springs, momentum, moment of momentum; as it was, and as it is. */
static void fly(const prc_rigid_spring *spring, double h, double now[2][4]) {
  const prc_rigid_body two[2] = {
      {.name = "a", .mass = 2.0, .inertia = 0.3, .position = {0.2, 0.1}, .angle = 0.3, .spin = 2.0},
      {.name = "b",
       .mass = 1.0,
       .inertia = 0.1,
       .position = {1.5, 1.0},
       .velocity = {0.4, -0.9},
       .spin = -1.0}};
  const prc_rigid_model model = {.n_bodies = 2, .n_springs = 2, .body = two, .spring = spring};
  const double M[6] = {2.0, 2.0, 0.3, 1.0, 1.0, 0.1};
  prc_rigid *rigid = NULL;
  prc_stepper *stepper = NULL;
  double q[6], v[6];
  const prc_step_options o = prc_step_options_default(h);
  support_ok(prc_rigid_create(&model, &rigid, &err), &err);
  support_ok(prc_stepper_create(prc_rigid_system(rigid), &o, &stepper, &err), &err);
  prc_rigid_initial(rigid, q, v);
  support_ok(prc_stepper_start(stepper, q, v, &err), &err);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; side == 1 && k < (int)lround(20.0 / h); k++)
      support_ok(prc_stepper_step(stepper, &err), &err);
    const prc_step_record *r = prc_stepper_record(stepper);
    memset(now[side], 0, sizeof now[side]);
    for (int i = 0; i < 6; i++) now[side][0] += 0.5 * M[i] * r->v[i] * r->v[i];
    for (int k = 0; k < 2; k++) now[side][0] += prc_rigid_spring_now(rigid, k, r->q, r->v).potential;
    for (int b = 0; b < 6; b += 3) {
      now[side][1] += M[b] * r->v[b], now[side][2] += M[b] * r->v[b + 1];
      now[side][3] += M[b + 2] * r->v[b + 2] + M[b] * (r->q[b] * r->v[b + 1] - r->q[b + 1] * r->v[b]);
    }
  }
  prc_stepper_free(&stepper);
  prc_rigid_free(&rigid);
}

/* The moment of momentum too, wherever springs pull: where that is off the centres, angles go by the Cayley map (turns.c). */
START_TEST(bodies_on_springs_in_flight_keep_energy_and_momenta) {
  static const prc_rigid_spring sets[2][2] = {{{"s", {0, 1}, {{0.2, 0.1}, {1.5, 1.0}}, 30.0, 0.0, 1.1},
                                               {"t", {1, 0}, {{1.5, 1.0}, {0.2, 0.1}}, 5.0, 0.0, 0.0}},
                                              {{"s", {0, 1}, {{0.5, 0.5}, {1.2, 1.7}}, 30.0, 0.0, 1.1},
                                               {"t", {1, 0}, {{1.7, 0.8}, {0.1, -0.2}}, 5.0, 0.0, 0.0}}};
  static const double steps[] = {4e-2, 1e-2, 2.5e-3};
  for (int arms = 0; arms < 2; arms++)
    for (int i = 0; i < 3; i++) {
      double now[2][4];
      fly(sets[arms], steps[i], now);
      ck_assert_msg(fabs(now[1][0] - now[0][0]) < 1e-11 * now[0][0], "energy off by %.3g",
                    now[1][0] - now[0][0]);
      for (int k = 1; k < 3; k++)
        ck_assert_msg(fabs(now[1][k] - now[0][k]) < 1e-12, "momentum off by %.3g", now[1][k] - now[0][k]);
      ck_assert_msg(fabs(now[1][3] - now[0][3]) < 1e-11, "h = %g: angular momentum off by %.3g of %.3g",
                    steps[i], now[1][3] - now[0][3], now[0][3]);
    }
}
END_TEST

static void refused_spring(prc_rigid_spring spring, const char *message) {
  const prc_rigid_model model = {.n_bodies = 3, .n_springs = 1, .body = bodies, .spring = &spring};
  prc_rigid *rigid = NULL;
  prc_error e = {0};
  ck_assert_int_eq(prc_rigid_create(&model, &rigid, &e), PRC_INPUT);
  ck_assert_msg(strstr(e.message, message) != NULL, "'%s', expected '%s'", e.message, message);
}

START_TEST(springs_that_cannot_be_are_refused) {
  refused_spring((prc_rigid_spring){"s", {0, 1}, {{1.0, 0.0}, {1.0, 0.0}}, 1.0, 0.0, 0.5}, "one place");
  refused_spring((prc_rigid_spring){"s", {0, 1}, {{1.0, 0.0}, {1.0, 1.0}}, -1.0, 0.0, 0.5}, "stiffness");
  refused_spring((prc_rigid_spring){"s", {0, 1}, {{1.0, 0.0}, {1.0, 1.0}}, 1.0, 0.0, -0.5}, "rest length");
  refused_spring((prc_rigid_spring){"s", {-1, 2}, {{1.0, 0.0}, {1.0, 1.0}}, 1.0, 0.0, 0.5}, "is data");
}
END_TEST

SUITE(joints) {
  Suite *s = suite_create("joints");
  TCase *rows = tcase_create("rows"), *springs = tcase_create("springs");
  tcase_add_test(rows, rows_list_their_dofs_ascending);
  tcase_add_test(rows, bodies_begin_where_their_joints_hold);
  tcase_add_test(rows, gradients_are_what_differences_of_g_say);
  tcase_add_test(rows, biases_are_what_differences_of_velocities_say);
  tcase_add_test(rows, a_skate_is_across_its_axis);
  tcase_add_test(rows, the_secant_explains_every_change_of_g);
  tcase_add_test(rows, a_small_step_has_the_gradient_of_its_middle);
  tcase_add_test(rows, a_joint_force_works_on_its_second_body_as_the_rows_do);
  tcase_add_test(rows, joints_that_cannot_be_are_refused);
  suite_add_tcase(s, rows);
  tcase_add_test(springs, springs_pull_with_the_slope_of_their_potential);
  tcase_add_test(springs, a_spring_without_length_has_no_direction);
  tcase_add_test(springs, a_compressed_spring_leaves_the_matrix_positive);
  tcase_add_test(springs, bodies_on_springs_in_flight_keep_energy_and_momenta);
  tcase_add_test(springs, springs_that_cannot_be_are_refused);
  suite_add_tcase(s, springs);
  return s;
}
