/* Bodies in space: axes of inertia, coordinates, what prescribes motions, contacts and their H against differences. */
#include "config.h"
#include "spatial/internal.h"
#include "spatial/spatial.h"
#include "step/step.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

static void near(double value, double expected, double tolerance) {
  ck_assert_msg(fabs(value - expected) <= tolerance, "%.17g, expected %.17g +- %g", value, expected,
                tolerance);
}

/* ---- a few bodies ------------------------------------------------------------------------------------- */

enum { MOST_BODIES = 4, MOST_NUMBERS = 7 * MOST_BODIES };

typedef struct {
  prc_spatial_body body[MOST_BODIES];
  prc_solid part[MOST_BODIES];
  prc_spatial_pairs pairs;
  int all[MOST_BODIES];
  prc_spatial_model model;
  prc_spatial *spatial;
  double q[MOST_NUMBERS], v[MOST_NUMBERS];
} scene;

static prc_spatial_body *add(scene *s, const prc_solid *part) {
  const int b = s->model.n_bodies++;
  prc_spatial_body *body = &s->body[b];
  static const char *const name[] = {"first", "second", "third", "fourth"};
  *body = (prc_spatial_body){
      .name = name[b], .mass = 2.0, .inertia = {0.4, 0.5, 0.6}, .orientation = {1.0}, .turns = 1};
  if (part) s->part[b] = *part, body->n_parts = 1, body->part = &s->part[b];
  s->model.body = s->body;
  s->all[b] = b;
  return body;
}

static void meet(scene *s, double friction, double drilling) {
  s->pairs = (prc_spatial_pairs){.name = "all",
                                 .n = {s->model.n_bodies, s->model.n_bodies},
                                 .body = {s->all, s->all},
                                 .friction = friction,
                                 .drilling = drilling};
  s->model.n_pairs = 1, s->model.pairs = &s->pairs;
}

static void open_scene(scene *s) {
  prc_error_clear(&err);
  support_ok(prc_spatial_create(&s->model, &s->spatial, &err), &err);
  prc_spatial_initial(s->spatial, s->q, s->v);
}

static void close_scene(scene *s) {
  prc_spatial_free(&s->spatial);
  for (int b = 0; b < s->model.n_bodies; b++) prc_solid_free(&s->part[b]);
}

static void random_unit(prc_random *r, int n, double *x) {
  double square = 0.0;
  do {
    square = 0.0;
    for (int k = 0; k < n; k++) x[k] = prc_random_uniform(r, -1.0, 1.0), square += x[k] * x[k];
  } while (square > 1.0 || square < 0.01);
  for (int k = 0; k < n; k++) x[k] /= sqrt(square);
}

static prc_solid box_of(double x, double y, double z) {
  prc_solid solid;
  support_ok(prc_solid_make_box((const double[3]){x, y, z}, &solid, &err), &err);
  return solid;
}
static prc_solid sphere_of(double radius) {
  prc_solid solid;
  support_ok(prc_solid_make_hull(1, (const double[3]){0.0}, radius, &solid, &err), &err);
  return solid;
}
static prc_solid floor_of(void) {
  prc_solid solid;
  support_ok(
      prc_solid_make_half_space((const double[3]){0.0}, (const double[3]){0.0, 0.0, 1.0}, &solid, &err),
      &err);
  return solid;
}

/* ---- inertia ------------------------------------------------------------------------------------------- */

START_TEST(axes_of_inertia_make_it_diagonal) {
  prc_random r = {1};
  for (int trial = 0; trial < 20000; trial++) {
    double J[3], quaternion[4], R[9], inertia[6], moments[3], P[9];
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; k++) J[k] = pow(10.0, prc_random_uniform(&r, -4.0, 4.0));
    if (trial % 4 == 0) J[1] = J[0];
    if (trial % 16 == 0) J[2] = J[0];
    random_unit(&r, 4, quaternion);
    prc_quaternion_matrix(quaternion, R);
    for (int i = 0; i < 6; i++) {
      inertia[i] = 0.0;
      for (int k = 0; k < 3; k++) inertia[i] += R[3 * at[i][0] + k] * J[k] * R[3 * at[i][1] + k];
    }
    prc_spatial_principal_axes(inertia, moments, P);
    const double largest = fmax(J[0], fmax(J[1], J[2]));
    for (int i = 0; i < 6; i++) {
      double back = 0.0, unit = 0.0;
      for (int k = 0; k < 3; k++) {
        back += P[3 * at[i][0] + k] * moments[k] * P[3 * at[i][1] + k];
        unit += P[3 * at[i][0] + k] * P[3 * at[i][1] + k];
      }
      near(back, inertia[i], 4e-15 * largest);
      near(unit, i < 3, 2e-15);
    }
    double determinant = 0.0;
    for (int k = 0; k < 3; k++)
      determinant +=
          P[k] * (P[3 + (k + 1) % 3] * P[6 + (k + 2) % 3] - P[3 + (k + 2) % 3] * P[6 + (k + 1) % 3]);
    near(determinant, 1.0, 2e-15);
  }
}
END_TEST

START_TEST(a_diagonal_inertia_keeps_its_axes_to_the_bit) {
  static const double given[][6] = {
      {3.0, 1.0, 2.0, 0.0, -0.0, 0.0}, {1.0, 1.0, 1.0}, {1e-30, 1e30, 1.0}, {0.0}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    double moments[3], P[9];
    prc_spatial_principal_axes(given[i], moments, P);
    for (int k = 0; k < 9; k++) ck_assert(P[k] == (k % 4 == 0));
    for (int k = 0; k < 3; k++) ck_assert(moments[k] == given[i][k]);
  }
}
END_TEST

START_TEST(no_body_has_such_an_inertia) {
  prc_error_clear(&err);
  support_ok(prc_spatial_check_inertia((const double[6]){1.0, 2.0, 3.0}, &err), &err); /* a plate */
  support_fails(prc_spatial_check_inertia((const double[6]){1.0, 2.0, 3.1}, &err), PRC_INPUT, &err,
                "1, 2, 3.1: no body has one that is more than the sum of the others");
  prc_error_clear(&err);
  support_fails(prc_spatial_check_inertia((const double[6]){1.0, 1.0, 2.0001}, &err), PRC_INPUT, &err,
                "no body has one that is more than the sum of the others");
  prc_error_clear(&err);
  /* a plate whose moments are typed with six digits, turned ones too; a rod without thickness; one below zero, wherever it stands */
  support_ok(prc_spatial_check_inertia((const double[6]){0.333333, 0.333333, 0.666667}, &err), &err);
  support_ok(prc_spatial_check_inertia((const double[6]){2.5, 2.5, 2.0, 0.5, 0.0, 0.0}, &err), &err);
  support_ok(prc_spatial_check_inertia((const double[6]){2.0, 2.0, 2.0, 1.0, 0.0, 0.0}, &err), &err);
  for (int k = 0; k < 3; k++)
    for (int sign = -1; sign <= 0; sign++) {
      double J[6] = {1.0, 1.0, 1.0};
      J[k] = sign;
      support_fails(prc_spatial_check_inertia(J, &err), PRC_INPUT, &err, "expected positive numbers");
      prc_error_clear(&err);
    }
  support_fails(prc_spatial_check_inertia((const double[6]){0.0}, &err), PRC_INPUT, &err,
                "expected positive numbers");
  prc_error_clear(&err);
  support_fails(prc_spatial_check_inertia((const double[6]){1.0, 1.0, 1.0, 1.5}, &err), PRC_INPUT, &err,
                "expected positive numbers");
  prc_error_clear(&err);
  support_fails(prc_spatial_check_inertia((const double[6]){1.0, NAN, 1.0}, &err), PRC_INPUT, &err, "nan");
}
END_TEST

/* What is given in any axes comes back in them, and q (+) dx is a rotation about dx. */
START_TEST(motions_are_seen_in_the_axes_that_were_given) {
  prc_random r = {2};
  for (int trial = 0; trial < 200; trial++) {
    scene s = {0};
    prc_spatial_body *body = add(&s, NULL);
    const double given[6] = {3.0, 4.0, 5.0, -0.7, 0.3, 1.1};
    memcpy(body->inertia, given, sizeof given);
    random_unit(&r, 4, body->orientation);
    random_unit(&r, 3, body->spin);
    random_unit(&r, 3, body->position);
    random_unit(&r, 3, body->velocity);
    open_scene(&s);
    const prc_spatial_motion m = prc_spatial_motion_of(s.spatial, s.q, s.v, 0);
    const prc_solid_pose pose = prc_spatial_pose(s.spatial, s.q, 0);
    double R[9], linear[3], angular[3];
    prc_quaternion_matrix(body->orientation, R);
    for (int k = 0; k < 4; k++) near(m.orientation[k], body->orientation[k], 4e-16);
    for (int k = 0; k < 9; k++) near(pose.R[k], R[k], 2e-15);
    for (int k = 0; k < 3; k++) {
      near(m.spin[k], body->spin[k], 4e-16);
      ck_assert(m.position[k] == body->position[k] && m.velocity[k] == body->velocity[k]);
    }
    prc_spatial_momentum(s.spatial, s.q, s.v, linear, angular);
    const double *w = body->spin, *J = given;
    const double Jw[3] = {J[0] * w[0] + J[3] * w[1] + J[4] * w[2], J[3] * w[0] + J[1] * w[1] + J[5] * w[2],
                          J[4] * w[0] + J[5] * w[1] + J[2] * w[2]};
    const double *x = body->position, *v = body->velocity;
    for (int k = 0; k < 3; k++) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      near(linear[k], 2.0 * v[k], 1e-15);
      near(angular[k],
           2.0 * (x[i] * v[j] - x[j] * v[i]) + R[3 * k] * Jw[0] + R[3 * k + 1] * Jw[1] + R[3 * k + 2] * Jw[2],
           2e-14);
    }
    close_scene(&s);
  }
}
END_TEST

START_TEST(what_is_at_rest_keeps_its_bits) {
  scene s = {0};
  double q[MOST_NUMBERS];
  prc_random r = {3};
  random_unit(&r, 4, add(&s, NULL)->orientation);
  add(&s, NULL)->turns = 0;
  random_unit(&r, 4, add(&s, NULL)->orientation);
  s.body[2].driven = 1;
  open_scene(&s);
  const prc_system *system = prc_spatial_system(s.spatial);
  ck_assert_int_eq(system->space.nv, 15);
  ck_assert_int_eq(system->space.nq, 17);
  memset(q, 0, sizeof q);
  system->space.advance(system->owner, s.q, (const double[15]){0.0}, q);
  ck_assert_mem_eq(q, s.q, 17 * sizeof *q);
  system->space.advance(system->owner, q, (const double[15]){[4] = 0.3, [13] = 0.3}, q); /* in place */
  double norm[2] = {q[15] * q[15], q[16] * q[16]};
  for (int k = 0; k < 3; k++) norm[0] += q[3 + k] * q[3 + k], norm[1] += q[12 + k] * q[12 + k];
  near(norm[0], 1.0, 4e-16);
  near(norm[1], 1.0, 4e-16);
  /* angles of 2 atan(0.15) about an axis of the body, and of 0.3 */
  for (int b = 0; b < 3; b += 2) {
    const prc_spatial_motion m = prc_spatial_motion_of(s.spatial, q, NULL, b);
    double cosine = 0.0;
    for (int k = 0; k < 4; k++) cosine += m.orientation[k] * s.body[b].orientation[k];
    near(2.0 * acos(cosine), b == 0 ? 2.0 * atan(0.15) : 0.3, 1e-14);
  }
  /* and data of the driven one are off by what they do not turn it by */
  const double data[][6] = {{0.0}, {[4] = 0.3}, {[4] = 0.3 - 2.0 * acos(-1.0)}, {[4] = -0.2}};
  const double off[] = {0.3, 0.0, 0.0, 0.5};
  for (int k = 0; k < 4; k++) near(system->drive.turned(system->owner, data[k], q), off[k], 1e-14);
  close_scene(&s);
}
END_TEST

/* ---- contacts ------------------------------------------------------------------------------------------ */

static void find_contacts(scene *s, double reach, prc_contact_set *set) {
  const prc_system *system = prc_spatial_system(s->spatial);
  const prc_at at = {0.0, s->q, s->v};
  prc_contact_set_begin(set, system->contacts.dim);
  support_ok(system->contacts.find(system->owner, &at, 0.0, reach, set, &err), &err);
  support_ok(prc_contact_set_end(set, NULL, &err), &err);
  system->contacts.evaluate(system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H | PRC_EVALUATE_PLACE, set);
}

/* The gap of contact c at q (+) h v. */
static double gap_at(const scene *s, prc_contact_set *set, int c, double h) {
  const prc_system *system = prc_spatial_system(s->spatial);
  double q[MOST_NUMBERS], dx[MOST_NUMBERS];
  for (int i = 0; i < system->space.nv; i++) dx[i] = h * s->v[i];
  system->space.advance(system->owner, s->q, dx, q);
  const double before = set->gap[c];
  system->contacts.evaluate(system->owner, &(prc_at){h, q, s->v}, PRC_EVALUATE_GAP, set);
  const double gap = set->gap[c];
  set->gap[c] = before;
  return gap;
}

/* Velocity of what of body b is at x. */
static void velocity_at(const scene *s, int b, const double x[3], double out[3], double spin[3]) {
  const prc_spatial_motion m = prc_spatial_motion_of(s->spatial, s->q, s->v, b);
  double R[9];
  prc_quaternion_matrix(m.orientation, R);
  for (int k = 0; k < 3; k++)
    spin[k] = R[3 * k] * m.spin[0] + R[3 * k + 1] * m.spin[1] + R[3 * k + 2] * m.spin[2];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = m.velocity[k] + spin[i] * (x[j] - m.position[j]) - spin[j] * (x[i] - m.position[i]);
  }
}

static void check_rows(scene *s, prc_contact_set *set, double drilling) {
  double u[4 * 64];
  ck_assert_int_le(set->n, 64);
  prc_rows_multiply(&set->H, s->v, u);
  for (int c = 0; c < set->n; c++) {
    const double *n = set->frame + 9 * c, *own = u + set->dim * c;
    double v[2][3], spin[2][3];
    const double rate = (gap_at(s, set, c, 1e-5) - gap_at(s, set, c, -1e-5)) / 2e-5;
    near(own[0], rate, 1e-8);
    for (int i = 0; i < 2; i++) velocity_at(s, set->body[2 * c + i], set->place + 3 * c, v[i], spin[i]);
    for (int row = 0; row < 3; row++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) sum += n[3 * row + k] * (v[1][k] - v[0][k]);
      near(own[row], sum, 1e-14);
      ck_assert_mem_eq(set->axes + 9 * c + 3 * row, n + 3 * row, 3 * sizeof *n);
    }
    double turn = 0.0;
    for (int k = 0; k < 3; k++) turn += n[k] * (spin[1][k] - spin[0][k]);
    if (set->dim == 4) near(own[3], 3.0 * acos(-1.0) / 16.0 * drilling * turn, 1e-14);
  }
}

/* A sphere, a box and a rough body that does not turn, over a floor that moves too; inertias that are not diagonal. */
START_TEST(rows_are_the_rates_of_gaps) {
  prc_random r = {4};
  int contacts = 0;
  for (int trial = 0; trial < 100; trial++) {
    scene s = {0};
    const prc_solid part[4] = {floor_of(), sphere_of(0.4), box_of(1.0, 0.8, 0.6), sphere_of(0.5)};
    for (int b = 0; b < 4; b++) {
      prc_spatial_body *body = add(&s, &part[b]);
      const double inertia[6] = {3.0, 4.0, 5.0, -0.7, 0.3, 1.1};
      memcpy(body->inertia, inertia, sizeof inertia);
      if (b != 1) random_unit(&r, 4, body->orientation);
      random_unit(&r, 3, body->position);
      random_unit(&r, 3, body->velocity);
      random_unit(&r, 3, body->spin);
    }
    s.body[3].turns = 0;
    meet(&s, 0.3, trial % 2 ? 0.01 : 0.0);
    if (trial % 3 == 0) s.pairs.n[0] = 1; /* the floor with all */
    open_scene(&s);
    prc_contact_set set = {0};
    find_contacts(&s, 0.2, &set);
    ck_assert_int_eq(set.dim, trial % 2 ? 4 : 3);
    check_rows(&s, &set, 0.01);
    contacts += set.n;
    prc_contact_set_free(&set);
    close_scene(&s);
  }
  ck_assert_int_gt(contacts, 300);
}
END_TEST

/* A body of two parts, a ball and a cube beside it, falls on a floor and rests on both; whatever its mass is, in the same place. */
START_TEST(a_body_of_two_parts_rests_on_both_whatever_its_mass) {
  static const double mass[] = {1.0, 1e-9, 1e9};
  double place[3][7];
  for (int trial = 0; trial < 3; trial++) {
    scene s = {0};
    const prc_solid floor = floor_of();
    add(&s, &floor)->driven = 1;
    prc_spatial_body *body = add(&s, NULL);
    prc_solid part[2] = {sphere_of(0.5), box_of(1.0, 1.0, 1.0)};
    static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    prc_solid_move(&part[0], (const double[3]){-1.0, 0.0, 0.0}, none);
    prc_solid_move(&part[1], (const double[3]){1.0, 0.0, 0.0}, none);
    body->n_parts = 2, body->part = part, body->mass = mass[trial];
    for (int k = 0; k < 3; k++) body->inertia[k] *= mass[trial];
    body->position[2] = 0.51;
    s.model.gravity[2] = prc_field_constant(-10.0);
    meet(&s, 0.5, 0.0);
    open_scene(&s);
    prc_step_options options = prc_step_options_default(1e-3);
    options.law = PRC_IMPACT_NEWTON;
    prc_stepper *stepper;
    support_ok(prc_stepper_create(prc_spatial_system(s.spatial), &options, &stepper, &err), &err);
    support_ok(prc_stepper_start(stepper, s.q, s.v, &err), &err);
    for (int k = 0; k < 300; k++) support_ok(prc_stepper_step(stepper, &err), &err);
    const prc_step_record *r = prc_stepper_record(stepper);
    const prc_spatial_motion m = prc_spatial_motion_of(s.spatial, r->q, r->v, 1);
    double weight = 0.0, of_ball = 0.0;
    for (int c = 0; c < r->n_contacts; c++) {
      int of = -1;
      weight += r->p[3 * c];
      ck_assert_int_eq(prc_spatial_body_of(s.spatial, r->contacts->id[c].b, &of), 1);
      if (of == 0) of_ball += r->p[3 * c];
    }
    near(weight / (mass[trial] * 10.0 * 1e-3), 1.0, 1e-6);
    ck_assert_double_gt(of_ball, 0.0);
    ck_assert_double_lt(of_ball, weight);
    for (int k = 0; k < 3; k++) near(m.velocity[k], 0.0, 1e-6), near(m.spin[k], 0.0, 1e-6);
    memcpy(place[trial], m.position, sizeof m.position);
    memcpy(place[trial] + 3, m.orientation, sizeof m.orientation);
    for (int k = 0; k < 7; k++) near(place[trial][k], place[0][k], 1e-6);
    near(m.position[2], 0.5, 1.1e-3);
    prc_stepper_free(&stepper);
    for (int k = 0; k < 2; k++) prc_solid_free(&part[k]);
    close_scene(&s);
  }
}
END_TEST

/* ---- seams, and through each other --------------------------------------------------------------------- */

static const struct {
  const char *name;
  prc_impact law;
  double theta;
} rows[] = {{"theta", PRC_IMPACT_FREMOND, 0.5},
            {"theta", PRC_IMPACT_FREMOND, 1.0},
            {"midpoint", PRC_IMPACT_NEWTON, 0.5},
            {"generalized-alpha", PRC_IMPACT_NEWTON, 1.0},
            {"ggl", PRC_IMPACT_NEWTON, 1.0}};
enum { ROWS = sizeof rows / sizeof *rows };

static prc_stepper *begin(const scene *s, int row, double h) {
  prc_step_options o = prc_step_options_default(h);
  prc_stepper *stepper;
  o.scheme = rows[row].name, o.law = rows[row].law, o.theta = rows[row].theta;
  support_ok(prc_stepper_create(prc_spatial_system(s->spatial), &o, &stepper, &err), &err);
  support_ok(prc_stepper_start(stepper, s->q, s->v, &err), &err);
  return stepper;
}

/* x of a scene that is turned. */
static void turned(const double R[9], double x, double y, double z, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z;
}

/* Three tiles, which rest, tops random up to `height`, and on them a box or a ball at 2 m/s: its speed along them after it went over both seams. */
static double speed_over_tiles(uint64_t seed, int row, int ball, double drop, double height, double step) {
  prc_random r = {seed};
  double turn[4], R[9], down[3], v[3];
  scene s = {0};
  random_unit(&r, 4, turn);
  prc_quaternion_matrix(turn, R);
  for (int k = 0; k < 3; k++) {
    const prc_solid solid = box_of(0.5, 1.0, 0.3);
    prc_spatial_body *tile = add(&s, &solid);
    turned(R, 0.5 * k, 0.0, -0.15 - prc_random_uniform(&r, 0.0, height) + (k > 0 ? step : 0.0),
           tile->position);
    memcpy(tile->orientation, turn, sizeof turn);
    tile->driven = 1;
  }
  const prc_solid solid = ball ? sphere_of(0.1) : box_of(0.3, 0.3, 0.2);
  prc_spatial_body *mover = add(&s, &solid);
  turned(R, 0.0, 0.07, 0.1 + drop, mover->position);
  memcpy(mover->orientation, turn, sizeof turn);
  turned(R, 2.0, 0.0, 0.0, mover->velocity);
  turned(R, 0.0, 0.0, -9.81, down);
  for (int k = 0; k < 3; k++) s.model.gravity[k] = prc_field_constant(down[k]);
  meet(&s, 0.0, 0.0);
  open_scene(&s);
  prc_stepper *stepper = begin(&s, row, 1e-3);
  for (int k = 0; k < 450; k++) support_ok(prc_stepper_step(stepper, &err), &err);
  const prc_step_record *record = prc_stepper_record(stepper);
  const prc_spatial_motion now = prc_spatial_motion_of(s.spatial, record->q, record->v, 3);
  turned(R, 1.0, 0.0, 0.0, v);
  const double speed = v[0] * now.velocity[0] + v[1] * now.velocity[1] + v[2] * now.velocity[2];
  prc_stepper_free(&stepper);
  close_scene(&s);
  return speed;
}

START_TEST(flush_tiles_are_one_floor) {
  const int row = _i % ROWS, ball = _i / ROWS % 2;
  near(speed_over_tiles(7 + (uint64_t)_i, row, ball, _i / ROWS / 2 % 2 ? 0.01 : 0.0, 0.0, 0.0), 2.0, 4e-10);
  /* a box that comes over a tile that is lower by more than gaps are closed to falls for a step, g h^2, and is tilted by that */
  near(speed_over_tiles(9 + (uint64_t)_i, row, ball, 0.0, 5e-10, 0.0), 2.0, row < 2 && !ball ? 1e-5 : 4e-9);
  near(speed_over_tiles(9 + (uint64_t)_i, row, ball, 5e-7, 5e-7, 0.0), 2.0, 2e-3);
  ck_assert_double_lt(speed_over_tiles(9 + (uint64_t)_i, row, ball, 0.0, 0.0, ball ? 0.05 : 2e-3), 1.5);
}
END_TEST

/* A ball goes at 2 m/s over a seam of two capsules that lie end to end, and over tiles that move against it, all at -1 m/s: its speed. */
static prc_status minus_t(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  (void)x, (void)y, (void)e;
  *value = -field->constant * t;
  return PRC_OK;
}
static double speed_over_seams(uint64_t seed, int row, int capsules) {
  prc_random r = {seed};
  double turn[4], R[9], down[3], v[3];
  const double lengths[2] = {prc_random_uniform(&r, 0.3, 0.5), prc_random_uniform(&r, 0.3, 0.5)};
  scene s = {0};
  random_unit(&r, 4, turn);
  prc_quaternion_matrix(turn, R);
  for (int k = 0; k < 2; k++) {
    const double ends[6] = {-0.5 * lengths[k], 0.0, 0.0, 0.5 * lengths[k], 0.0, 0.0};
    prc_solid solid = box_of(lengths[k], 1.0, 0.2);
    if (capsules) {
      prc_solid_free(&solid);
      support_ok(prc_solid_make_hull(2, ends, 0.1, &solid, &err), &err);
    }
    prc_spatial_body *part = add(&s, &solid);
    turned(R, k ? 0.2 + 0.5 * lengths[1] : 0.2 - 0.5 * lengths[0], 0.0, -0.1, part->position);
    memcpy(part->orientation, turn, sizeof turn);
    part->driven = 1;
    turned(R, 1.0, 0.0, 0.0, v);
    for (int i = 0; i < 3 && !capsules; i++)
      part->motion[i] = (prc_field){.eval = minus_t, .constant = v[i], .uses_time = 1};
  }
  const prc_solid solid = sphere_of(0.1);
  prc_spatial_body *mover = add(&s, &solid);
  turned(R, 0.0, 0.0, 0.1, mover->position);
  turned(R, capsules ? 2.0 : 1.0, 0.0, 0.0, mover->velocity);
  turned(R, 0.0, 0.0, -9.81, down);
  for (int k = 0; k < 3; k++) s.model.gravity[k] = prc_field_constant(down[k]);
  meet(&s, 0.0, 0.0);
  open_scene(&s);
  prc_stepper *stepper = begin(&s, row, 1e-3);
  for (int k = 0; k < 140; k++) support_ok(prc_stepper_step(stepper, &err), &err);
  const prc_step_record *record = prc_stepper_record(stepper);
  const prc_spatial_motion now = prc_spatial_motion_of(s.spatial, record->q, record->v, 2);
  turned(R, 1.0, 0.0, 0.0, v);
  const double speed = v[0] * now.velocity[0] + v[1] * now.velocity[1] + v[2] * now.velocity[2];
  prc_stepper_free(&stepper);
  close_scene(&s);
  return speed;
}
START_TEST(capsules_in_a_row_and_tiles_that_move_are_one) {
  const int capsules = _i / ROWS % 2;
  near(speed_over_seams(51 + (uint64_t)_i, _i % ROWS, capsules), capsules ? 2.0 : 1.0, 4e-10);
}
END_TEST

/* A long capsule spins through another between two looks: its centre stands still, and turning alone is the way. */
START_TEST(what_spins_through_another_is_seen) {
  prc_random r = {71 + (uint64_t)_i};
  const double h = 1e-3, turn = prc_random_uniform(&r, 0.5, 1.2);
  const double rod[6] = {-0.5, 0.0, 0.0, 0.5, 0.0, 0.0}, post[6] = {0.0, 0.0, -0.2, 0.0, 0.0, 0.2};
  const double angle = prc_random_uniform(&r, 0.45, 0.55) * turn, along = prc_random_uniform(&r, 0.3, 0.45);
  scene s = {0};
  prc_solid part[2];
  double w = 0.0;
  support_ok(prc_solid_make_hull(2, rod, 0.01, &part[0], &err), &err);
  support_ok(prc_solid_make_hull(2, post, 0.01, &part[1], &err), &err);
  prc_spatial_body *first = add(&s, &part[0]);
  first->spin[2] = 2.0 * tan(0.5 * turn) / h;
  prc_spatial_body *second = add(&s, &part[1]);
  second->position[0] = along * cos(angle), second->position[1] = along * sin(angle);
  second->driven = 1;
  meet(&s, 0.0, 0.0);
  open_scene(&s);
  prc_stepper *stepper = begin(&s, _i % ROWS, h);
  support_ok(prc_stepper_step(stepper, &err), &err);
  const prc_step_record *record = prc_stepper_record(stepper);
  const prc_indicator *indicator = &record->indicator[PRC_INDICATOR_overlap];
  for (int c = 0; c < record->n_contacts; c++) w = fmax(w, record->p[3 * c]);
  ck_assert_msg(w > 0.0 || (indicator->scale > 0.0 && indicator->value >= indicator->scale), "%g rad", turn);
  prc_stepper_free(&stepper);
  close_scene(&s);
}
END_TEST

/* Spheres and boxes head-on, by 0.7 to 6 widths a step: they stop, or the look `overlap` of the step says that it fails, or they are seen inside each other. */
START_TEST(what_passes_through_each_other_is_seen) {
  prc_random r = {31 + (uint64_t)_i};
  const double h = 1e-3, speed = prc_random_uniform(&r, 0.7, 6.0) * 0.2 / h;
  const double from = prc_random_uniform(&r, 3.0, 4.0);
  scene s = {0};
  int seen = 0;
  for (int k = 0; k < 2; k++) {
    const prc_solid solid = (_i >> k) % 2 ? box_of(0.2, 0.2, 0.2) : sphere_of(0.1);
    prc_spatial_body *body = add(&s, &solid);
    body->position[0] = k ? from : 0.0, body->position[1] = 0.03 * k;
    body->velocity[0] = k ? -0.5 * speed : 0.5 * speed;
    random_unit(&r, 4, body->orientation);
  }
  meet(&s, 0.0, 0.0);
  open_scene(&s);
  prc_stepper *stepper = begin(&s, _i % ROWS, h);
  const prc_step_record *record = prc_stepper_record(stepper);
  for (int k = 0; k < 40; k++) {
    support_ok(prc_stepper_step(stepper, &err), &err);
    const prc_indicator *indicator = &record->indicator[PRC_INDICATOR_overlap];
    seen |= indicator->scale > 0.0 && indicator->value >= indicator->scale;
    for (int c = 0; c < record->n_contacts; c++) seen |= record->gap[c] < -0.02 || record->p[3 * c] > 0.0;
  }
  ck_assert_msg(seen, "%g widths a step", speed * h / 0.2);
  prc_stepper_free(&stepper);
  close_scene(&s);
}
END_TEST

SUITE(spatial) {
  Suite *suite = suite_create("spatial");
  TCase *bodies = tcase_create("bodies");
  tcase_add_test(bodies, axes_of_inertia_make_it_diagonal);
  tcase_add_test(bodies, a_diagonal_inertia_keeps_its_axes_to_the_bit);
  tcase_add_test(bodies, no_body_has_such_an_inertia);
  tcase_add_test(bodies, motions_are_seen_in_the_axes_that_were_given);
  tcase_add_test(bodies, what_is_at_rest_keeps_its_bits);
  suite_add_tcase(suite, bodies);
  TCase *contacts = tcase_create("contacts");
  tcase_add_test(contacts, rows_are_the_rates_of_gaps);
  tcase_add_test(contacts, a_body_of_two_parts_rests_on_both_whatever_its_mass);
  tcase_add_loop_test(contacts, flush_tiles_are_one_floor, 0, 4 * ROWS);
  tcase_add_loop_test(contacts, capsules_in_a_row_and_tiles_that_move_are_one, 0, 4 * ROWS);
  tcase_add_loop_test(contacts, what_passes_through_each_other_is_seen, 0, 30);
  tcase_add_loop_test(contacts, what_spins_through_another_is_seen, 0, 2 * ROWS);
  suite_add_tcase(suite, contacts);
  return suite;
}
