/* Contacts that turn: angular momentum, energy and places of bodies that press on each other, roll and collide, against closed forms and with every theta and both laws; and
 * the certificate's look at angular momentum. */
#include "config.h"
#include "spatial/spatial.h"
#include "support/crowd.h"

#include <math.h>
#include <string.h>

static prc_certificate_entry entry_of(const prc_ledger *ledger, const char *name) {
  const prc_certificate all = prc_ledger_certificate(ledger);
  for (int i = 0; i < PRC_CERTIFY_ENTRIES; i++)
    if (strcmp(all.entry[i].name, name) == 0) return all.entry[i];
  ck_abort_msg("there is no entry %s", name);
}

/* It is promised to rounding, and kept. */
static void judge_promise(const prc_ledger *ledger) {
  const prc_certificate_entry e = entry_of(ledger, "angular_momentum");
  ck_assert_ptr_nonnull(e.theorem);
  ck_assert_msg(e.verdict == PRC_PASS, "%g of %g", e.value, e.bound);
}

static prc_certificate_entry entry(const crowd *c, const char *name) {
  return entry_of(c->ledger, name);
}

/* ---- two discs pressed together by a spring between their centres, turning like one body -------------------------------------------- */

typedef struct {
  crowd c;
  prc_rigid_spring spring[2];
  double L, T; /* of the start */
} binary;

/* Of radii a, b around their common centre of mass at rest, with the spin w, from the angle given. */
static void begin_binary(binary *s, double a, double b, double w, double angle) {
  *s = (binary){0};
  const double radius[2] = {a, b}, mass[2] = {acos(-1.0) * a * a, acos(-1.0) * b * b};
  const double d[2] = {-(a + b) * mass[1] / (mass[0] + mass[1]), (a + b) * mass[0] / (mass[0] + mass[1])};
  const double n[2] = {cos(angle), sin(angle)};
  double x[2][2];
  for (int k = 0; k < 2; k++) {
    x[k][0] = d[k] * n[0], x[k][1] = d[k] * n[1];
    const int body = crowd_disc(&s->c, x[k][0], x[k][1], radius[k]);
    s->c.body[body].velocity[0] = -w * d[k] * n[1], s->c.body[body].velocity[1] = w * d[k] * n[0];
    s->c.body[body].spin = w;
    const double J = mass[k] * (d[k] * d[k] + 0.5 * radius[k] * radius[k]);
    s->L += J * w, s->T += 0.5 * J * w * w;
  }
  /* it presses with five times what keeps them on their way */
  const double needed = mass[0] * fabs(d[0]) * w * w, k = 200.0 * needed / (a + b);
  s->spring[0] = (prc_rigid_spring){
      .name = "spring", .body = {0, 1}, .at = {{x[0][0], x[0][1]}, {x[1][0], x[1][1]}}, .stiffness = k};
  s->spring[0].rest_length = (a + b) - 5.0 * needed / k;
  s->c.model.n_springs = 1, s->c.model.spring = s->spring;
}

static void make_binary(binary *s, const prc_step_options *o, double a, double b, double w, double angle) {
  begin_binary(s, a, b, w, angle);
  crowd_meet(&s->c, 0.5, 0.0);
  crowd_open(&s->c, o);
}

static double L_of(const crowd *c) {
  double p[3];
  crowd_momentum(c, p);
  return p[2];
}

/* Three turns in steps of 1e-2 at most: at theta = 1/2 angular momentum to rounding, as percussions have the arms of the spring, energy of second order, the gap below a thousandth. */
START_TEST(discs_that_turn_pressed_together_keep_what_they_have) {
  prc_random random = {7 + (uint64_t)_i};
  const prc_impact law = _i % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND;
  const double a = prc_random_uniform(&random, 0.3, 0.6), b = prc_random_uniform(&random, 0.3, 0.6),
               w = prc_random_uniform(&random, 1.0, 2.0), angle = prc_random_uniform(&random, -3.0, 3.0),
               h = prc_random_uniform(&random, 0.3, 1.0) * 1e-2;
  prc_step_options o = crowd_options(h, 0.5, law);
  o.scheme = _i % 4 < 2 ? "theta" : "midpoint";
  binary s;
  make_binary(&s, &o, a, b, w, angle);
  crowd_steps(&s.c, (int)(6.0 * acos(-1.0) / w / h));
  ck_assert_double_le(fabs(L_of(&s.c) / s.L - 1.0), 1e-12);
  ck_assert_double_le(fabs(crowd_kinetic(&s.c) / s.T - 1.0), pow(w * h, 2.0));
  ck_assert_double_le(fabs(hypot(s.c.r->q[3] - s.c.r->q[0], s.c.r->q[4] - s.c.r->q[1]) / (a + b) - 1.0),
                      pow(w * h, 2.0));
  judge_promise(s.c.ledger);
  crowd_close(&s.c);
}
END_TEST

/* Directions of the start lose half of it and more, and the certificate fails. */
START_TEST(what_directions_of_the_start_lose_is_certified) {
  prc_step_options o =
      crowd_options(1e-2, _i < 2 ? 0.5 : 1.0, _i % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  o.directions = PRC_DIRECTIONS_START;
  binary s;
  make_binary(&s, &o, 0.5, 0.5, 2.0, 0.7 * _i);
  crowd_steps(&s.c, 1000);
  const double lost = s.L - L_of(&s.c);
  const prc_certificate_entry e = entry(&s.c, "angular_momentum");
  ck_assert_double_ge(lost, 0.2 * s.L);
  ck_assert_int_eq(e.verdict, PRC_FAIL);
  ck_assert_double_eq_tol(e.value, lost, 1e-3 * s.L);
  crowd_close(&s.c);
}
END_TEST

/* What a joint or a weak spring ties to the ground far off hides nothing of two that are free, and is no part of their scale: at theta = 1 they lose a quarter of it and fail, at theta = 1/2
 * they pass. */
START_TEST(what_is_tied_far_off_hides_no_loss) {
  const double theta = _i / 2 % 2 ? 0.5 : 1.0;
  const prc_step_options o = crowd_options(1e-2, theta, PRC_IMPACT_FREMOND);
  prc_rigid_joint pin = {
      .name = "pin", .type = PRC_JOINT_REVOLUTE, .body = {-1, 2}, .at = {{9.0, 0.0}, {9.0, 0.0}}};
  binary s;
  begin_binary(&s, 0.5, 0.4, 2.0, 0.7 * _i);
  s.c.body[crowd_disc(&s.c, 9.0, 0.0, 0.5)].spin = 30.0;
  s.spring[1] =
      (prc_rigid_spring){.name = "tie", .body = {-1, 2}, .at = {{9.0, 2.0}, {9.0, 0.0}}, .stiffness = 1e-6};
  if (_i % 2)
    s.c.model.n_springs = 2;
  else
    s.c.model.n_joints = 1, s.c.model.joint = &pin;
  crowd_meet(&s.c, 0.5, 0.0);
  crowd_open(&s.c, &o);
  const double before = L_of(&s.c);
  crowd_steps(&s.c, 500);
  const double lost = before - L_of(&s.c);
  const prc_certificate_entry e = entry(&s.c, "angular_momentum");
  ck_assert_int_eq(e.verdict, theta > 0.5 ? PRC_FAIL : PRC_PASS);
  ck_assert_double_eq_tol(e.bound, 1e-2 * s.L, 1e-4 * s.L);
  ck_assert_double_eq_tol(e.value, theta > 0.5 ? lost : 0.0, 1e-3 * s.L);
  if (theta > 0.5) ck_assert_double_ge(lost, 0.2 * s.L);
  crowd_close(&s.c);
}
END_TEST

/* ---- a disc that rolls in a hole ------------------------------------------------------------------------------------------------- */

/* From rest at 60 degrees, where it rolls from the start on: m g (R - r) (1 - cos) + 3/4 m v^2 stays. */
START_TEST(a_disc_rolls_in_a_hole_and_keeps_its_energy) {
  static const double centre[2] = {0.0, 0.0};
  const double steps[2] = {1e-2, 2e-3}, lost[2] = {1.2e-2, 5e-4}, deep[2] = {2e-3, 8e-5};
  const int k = _i % 2;
  crowd c = {0};
  crowd_hole(&c, centre, 1.0);
  const int disc = crowd_disc(&c, -0.9 * sin(acos(0.5)), -0.45, 0.1);
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 0.9, 0.0);
  const prc_step_options o = crowd_options(steps[k], 0.5, _i / 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  const double mass = c.body[disc].mass, whole = 0.45 * mass * 9.81;
  double depth = 0.0;
  for (int n = 0; n < (int)(6.0 / steps[k]); n++) {
    crowd_steps(&c, 1);
    depth = fmax(depth, hypot(c.r->q[3 * disc], c.r->q[3 * disc + 1]) - 0.9);
  }
  const double energy = crowd_kinetic(&c) + mass * 9.81 * (c.r->q[3 * disc + 1] + 0.9);
  ck_assert_double_le(fabs(energy / whole - 1.0), lost[k]);
  ck_assert_double_le(depth, deep[k]);
  crowd_close(&c);
}
END_TEST

/* ---- six discs that collide ------------------------------------------------------------------------------------------------------ */

/* Thrown at each other with spin, friction and restitution: angular momentum to rounding, whatever theta and the law. */
START_TEST(discs_that_collide_keep_their_angular_momentum) {
  static const double thetas[3] = {0.5, 0.6, 1.0};
  prc_random random = {11 + (uint64_t)_i};
  const double theta = thetas[_i % 3], e = theta < 1.0 ? 0.5 : 0.0;
  crowd c = {0};
  for (int k = 0; k < 6; k++) {
    const double a = acos(-1.0) / 3.0 * k, r = prc_random_uniform(&random, 0.8, 1.2);
    const int disc = crowd_disc(&c, r * cos(a), r * sin(a), prc_random_uniform(&random, 0.1, 0.3));
    for (int d = 0; d < 2; d++)
      c.body[disc].velocity[d] = -3.0 * c.body[disc].position[d] + prc_random_uniform(&random, -0.5, 0.5);
    c.body[disc].spin = prc_random_uniform(&random, -10.0, 10.0);
  }
  crowd_meet(&c, 0.4, e);
  const prc_step_options o = crowd_options(2e-3, theta, _i / 3 % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  double p[3], hits = 0.0, size = 0.0;
  crowd_momentum(&c, p);
  for (int b = 0; b < 6; b++) size += c.body[b].inertia * fabs(c.body[b].spin);
  for (int k = 0; k < 800; k++) {
    crowd_steps(&c, 1);
    for (int i = 0; i < c.r->n_contacts; i++) hits += c.r->p[2 * i] > 0.0;
  }
  ck_assert_double_gt(hits, 5.0);
  ck_assert_double_le(fabs(L_of(&c) - p[2]), 1e-12 * size);
  judge_promise(c.ledger);
  crowd_close(&c);
}
END_TEST

/* ---- what sticks on an obstacle that turns ------------------------------------------------------------------------------------------- */

/* Turns by rate t + swing (1 - cos(t)), about the origin. */
typedef struct {
  double rate, swing;
} turntable;

static prc_status turntable_angle(const prc_field *field, double x, double y, double t, double *value,
                                  prc_error *err) {
  const turntable *of = field->data;
  (void)x, (void)y, (void)err;
  *value = of->rate * t + of->swing * (1.0 - cos(t));
  return PRC_OK;
}

/* Thrown outwards against a wall that goes round with it, whose normal is `lean` off the radius. */
static int make_turntable(crowd *c, turntable *of, double radius, double lean, double size, int round) {
  const double n[2] = {-cos(lean), -sin(lean)}, low = 0.5 * size * (1.0 - 1e-13);
  const double foot[2] = {radius - low * n[0], -low * n[1]};
  const int wall = crowd_half_plane(c, foot, n);
  c->body[wall].motion[2] = (prc_field){.eval = turntable_angle, .data = of, .uses_time = 1};
  const int body = round ? crowd_disc(c, radius, 0.0, low) : crowd_box(c, radius, 0.0, size, size);
  c->body[body].angle = lean, c->body[body].spin = of->rate, c->body[body].velocity[1] = of->rate * radius;
  crowd_meet(c, 1.5 * tan(fabs(lean)) + 0.3, 0.0);
  return body;
}

static prc_step_options carried_options(double h, int k) {
  static const double theta[3] = {0.5, 0.6, 1.0};
  prc_step_options o = crowd_options(h, theta[k % 3], k / 3 % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  o.scheme = k / 6 % 2 && k % 3 == 0 ? "midpoint" : "theta";
  if (k / 6 % 2 && k % 3 > 0) o.bulk = PRC_BULK_MIDDLE;
  return o;
}

/* A box keeps its place on the turntable to rounding over three turns, by every scheme and law, whatever the step. */
START_TEST(what_sticks_on_a_turntable_keeps_its_place) {
  prc_random random = {101 + (uint64_t)_i};
  turntable of = {prc_random_uniform(&random, 0.5, 2.0), 0.0};
  const double radius = prc_random_uniform(&random, 0.5, 2.0), lean = prc_random_uniform(&random, -0.5, 0.5),
               h = prc_random_uniform(&random, 0.2, 1.0) * 2e-2, size = 0.2 * radius;
  if (_i >= 12) of.swing = 0.03 * of.rate;
  crowd c = {0};
  const int box = make_turntable(&c, &of, radius, lean, size, 0);
  const prc_step_options o = carried_options(h, _i);
  crowd_open(&c, &o);
  double off = 0.0;
  for (int n = 0; n < (int)(20.0 / of.rate / h); n++) {
    crowd_steps(&c, 1);
    const double *x = c.r->q + 3 * box, angle = c.r->q[2];
    off = fmax(off, hypot(x[0] - radius * cos(angle), x[1] - radius * sin(angle)));
    off = fmax(off, size * fabs(x[2] - lean - angle));
  }
  ck_assert_double_le(off, 1e-10 * radius);
  ck_assert_double_le(entry(&c, "sticking").value, 1e-9 * radius);
  crowd_close(&c);
}
END_TEST

/* Directions of the start let it creep, and the certificate says by how much, while every slip of the law is rounding. */
START_TEST(what_creeps_while_it_sticks_is_certified) {
  prc_random random = {131 + (uint64_t)_i};
  turntable of = {prc_random_uniform(&random, 0.8, 1.5), 0.0};
  const double h = prc_random_uniform(&random, 0.5, 1.0) * 2e-2,
               lean = prc_random_uniform(&random, -0.3, 0.3);
  crowd c = {0};
  const int box = make_turntable(&c, &of, 1.0, lean, 0.2, 0);
  prc_step_options o = crowd_options(h, _i % 2 ? 0.5 : 1.0, PRC_IMPACT_FREMOND);
  o.directions = PRC_DIRECTIONS_START;
  crowd_open(&c, &o);
  double slip = 0.0;
  for (int n = 0; n < (int)(5.0 / h); n++) {
    crowd_steps(&c, 1);
    for (int i = 0; i < c.r->n_active; i++)
      if (c.r->status[c.r->active[i]] == PRC_CONE_STICK)
        slip = fmax(slip, fabs(c.r->u_work[2 * c.r->active[i] + 1]));
  }
  const double *x = c.r->q + 3 * box, angle = c.r->q[2], off = hypot(x[0] - cos(angle), x[1] - sin(angle));
  const prc_certificate_entry e = entry(&c, "sticking");
  ck_assert_double_ge(off, 0.01);
  ck_assert_double_le(slip, 1e-12);
  ck_assert_int_eq(e.verdict, PRC_FAIL);
  ck_assert_double_le(e.value, 1.01 * off);
  crowd_close(&c);
}
END_TEST

/* A disc on a wall that pushes it round goes outwards by s = s0 exp(lambda t), lambda the rate where nothing rubs and sqrt(2/3) of it where it rolls. Returns how far s and its
 * distance from the wall are off. */
static double off_the_wall(const prc_step_options *o, double rate, double mu) {
  static const double foot[2] = {0.0, -0.1}, up[2] = {0.0, 1.0};
  const double lambda = rate * (mu > 0.0 ? sqrt(2.0 / 3.0) : 1.0), end = 1.5 / rate;
  turntable of = {rate, 0.0};
  crowd c = {0};
  const int wall = crowd_half_plane(&c, foot, up), disc = crowd_disc(&c, 0.5, 0.0, 0.1);
  c.body[wall].motion[2] = (prc_field){.eval = turntable_angle, .data = &of, .uses_time = 1};
  c.body[disc].velocity[0] = 0.5 * lambda, c.body[disc].velocity[1] = 0.5 * rate;
  c.body[disc].spin = mu > 0.0 ? rate - 5.0 * lambda : rate;
  crowd_meet(&c, mu, 0.0);
  crowd_open(&c, o);
  crowd_steps(&c, (int)lround(end / o->h));
  const double *x = c.r->q + 3 * disc, *q = c.r->q + 3 * wall;
  const double s = cos(q[2]) * x[0] + sin(q[2]) * x[1], g = cos(q[2]) * x[1] - sin(q[2]) * x[0];
  const double off = hypot(s - 0.5 * exp(lambda * c.r->t), g);
  crowd_close(&c);
  return off;
}

/* Of second order at theta = 1/2, of first else. */
START_TEST(what_slides_or_rolls_on_a_turntable_goes_its_way) {
  prc_random random = {151 + (uint64_t)_i};
  const double rate = prc_random_uniform(&random, 0.5, 2.0), mu = _i / 12 % 2 ? 0.6 : 0.0;
  double off[3];
  int order = 1;
  for (int k = 0; k < 3; k++) {
    const prc_step_options o = carried_options(0.06 / rate / (1 << 2 * k) / 4.0, _i);
    off[k] = off_the_wall(&o, rate, mu);
    if (o.theta == 0.5 || o.bulk == PRC_BULK_MIDDLE) order = 2;
  }
  ck_assert_double_le(off[2], order == 2 ? 2e-6 : 2e-3);
  for (int k = 0; k < 2; k++) ck_assert_double_ge(off[k] / off[k + 1], order == 2 ? 15.0 : 3.8);
}
END_TEST

/* Two boxes on a plank that turns on a hinge: between free bodies percussions act at one place, which keeps angular momentum, and what sticks slides to second order. Returns the larger way of
 * the two along the plank. */
static double slid_on_a_seesaw(const prc_step_options *o, double rate, double half) {
  crowd c = {0};
  const int plank = crowd_box(&c, 0.0, 0.0, 4.0, 0.2);
  for (int k = 0; k < 2; k++) {
    const int box = crowd_box(&c, k ? half : -half, 0.2 * (1.0 - 1e-12), 0.3, 0.2);
    c.body[box].spin = rate, c.body[box].velocity[0] = -0.2 * rate;
    c.body[box].velocity[1] = (k ? half : -half) * rate;
  }
  c.body[plank].spin = rate;
  prc_rigid_joint hinge = {.name = "hinge", .type = PRC_JOINT_REVOLUTE, .body = {-1, plank}};
  c.model.n_joints = 1, c.model.joint = &hinge;
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 1.0, 0.0);
  crowd_open(&c, o);
  crowd_steps(&c, (int)lround(0.4 / rate / o->h));
  double way = 0.0;
  const double *q = c.r->q, co = cos(q[3 * plank + 2]), si = sin(q[3 * plank + 2]);
  for (int b = 1; b < 3; b++)
    way = fmax(way, fabs(co * q[3 * b] + si * q[3 * b + 1] - c.body[b].position[0]));
  const prc_certificate_entry e = entry(&c, "sticking");
  ck_assert_double_eq_tol(e.value, way, 0.15 * way); /* of either corner */
  crowd_close(&c);
  return way;
}

START_TEST(what_sticks_on_a_seesaw_slides_to_second_order) {
  prc_random random = {171 + (uint64_t)_i};
  const double rate = prc_random_uniform(&random, 0.5, 1.5), half = prc_random_uniform(&random, 0.5, 1.5);
  double way[3];
  for (int k = 0; k < 3; k++) {
    prc_step_options o =
        crowd_options(0.4 / rate / (16 << 2 * k), 0.5, _i % 2 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
    if (_i % 4 > 1) o.bulk = PRC_BULK_MIDDLE, o.theta = 1.0;
    way[k] = slid_on_a_seesaw(&o, rate, half);
  }
  for (int k = 0; k < 2; k++) ck_assert_double_ge(way[k] / way[k + 1], 12.0);
}
END_TEST

/* ---- the bulk of the middle -------------------------------------------------------------------------------------------------------- */

static const double weights[4] = {0.5, 0.6, 0.75, 1.0};

static prc_step_options middle(double h, int k) {
  prc_step_options o = crowd_options(h, weights[k], PRC_IMPACT_FREMOND);
  o.bulk = PRC_BULK_MIDDLE;
  return o;
}

/* Springs that press discs together keep what they have whatever theta is; by the theta-scheme theta = 1 leaves two fifths of L and less. */
START_TEST(discs_that_turn_keep_what_they_have_whatever_theta_is) {
  prc_random random = {31 + (uint64_t)_i};
  const double a = prc_random_uniform(&random, 0.3, 0.6), b = prc_random_uniform(&random, 0.3, 0.6),
               angle = prc_random_uniform(&random, -3.0, 3.0);
  const prc_step_options o = middle(1e-2, _i % 4);
  binary s;
  make_binary(&s, &o, a, b, 2.0, angle);
  crowd_steps(&s.c, 1000);
  ck_assert_double_le(fabs(L_of(&s.c) / s.L - 1.0), 1e-12);
  ck_assert_double_le(fabs(crowd_kinetic(&s.c) / s.T - 1.0), 1e-4);
  ck_assert_int_eq(prc_ledger_certificate(s.c.ledger).verdict, PRC_PASS);
  crowd_close(&s.c);
}
END_TEST

/* A disc at rest falls on a floor that moves along: it is caught, and what is left of its slip goes by -(1 - theta) / theta a step. */
START_TEST(what_is_caught_forgets_its_slip_by_theta) {
  static const double zero[2] = {0.0, 0.0}, up[2] = {0.0, 1.0};
  const double w = weights[_i], h = 1e-3, factor = -(1.0 - w) / w;
  crowd c = {0};
  (void)crowd_half_plane(&c, zero, up);
  const int disc = crowd_disc(&c, 0.0, 0.2, 0.2);
  c.body[disc].velocity[0] = 1e-3;
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 5.0, 0.0);
  const prc_step_options o = middle(h, _i);
  crowd_open(&c, &o);
  double before = 1e-3;
  for (int k = 0; k < 6; k++) {
    crowd_steps(&c, 1);
    const double *v = c.r->v + 3 * disc, slip = v[0] + 0.2 * v[2];
    ck_assert_double_eq_tol(slip, factor * before, 1e-12);
    before = slip;
  }
  crowd_close(&c);
}
END_TEST

/* e = 1 bounces with every theta: normal percussions take nothing, and with friction energy never rises by more than what it takes. */
START_TEST(a_perfect_restitution_bounces_with_every_theta) {
  static const double zero[2] = {0.0, 0.0}, up[2] = {0.0, 1.0};
  const double h = 1e-3;
  crowd c = {0};
  (void)crowd_half_plane(&c, zero, up);
  const int disc = crowd_disc(&c, 0.0, 0.7, 0.2);
  c.body[disc].velocity[0] = 1.0, c.body[disc].spin = -3.0;
  crowd_gravity(&c, 0.0, -9.81);
  crowd_meet(&c, 0.0, 1.0);
  const prc_step_options o = middle(h, _i);
  crowd_open(&c, &o);
  const double mass = c.body[disc].mass, start = crowd_kinetic(&c) + mass * 9.81 * 0.7;
  double touched = 0.0;
  for (int k = 0; k < 3000; k++) {
    crowd_steps(&c, 1);
    for (int i = 0; i < c.r->n_active; i++) touched += c.r->p_active[2 * i] > 0.0;
    ck_assert_double_eq_tol(crowd_kinetic(&c) + mass * 9.81 * c.r->q[3 * disc + 1], start, 1e-12 * start);
  }
  ck_assert_double_gt(touched, 3.0);
  crowd_close(&c);
}
END_TEST

/* ---- chains and springs off the centres ------------------------------------------------------------------------------------------------ */

enum { LINKS = 4 };

typedef struct {
  crowd c;
  prc_rigid_joint joint[LINKS];
  prc_rigid_spring spring[2];
} chain;

/* Four discs in a zigzag, each joined to the next half way between them, turning as one, with springs between points off their centres; and two discs thrown at them. */
static void make_chain(chain *s, prc_joint_type type, int with_springs, prc_random *random) {
  double x[LINKS][2];
  const double w = prc_random_uniform(random, 2.0, 4.0);
  *s = (chain){0};
  for (int b = 0; b < LINKS; b++) {
    x[b][0] = 0.5 * (b - 1.5), x[b][1] = (b % 2 ? 0.15 : -0.15) + prc_random_uniform(random, -0.05, 0.05);
    const int body = crowd_disc(&s->c, x[b][0], x[b][1], prc_random_uniform(random, 0.08, 0.15));
    s->c.body[body].velocity[0] = -w * x[b][1], s->c.body[body].velocity[1] = w * x[b][0];
    s->c.body[body].spin = w;
  }
  for (int b = 0; b + 1 < LINKS; b++) {
    prc_rigid_joint *joint = &s->joint[b];
    *joint = (prc_rigid_joint){
        .name = "joint", .type = type, .body = {b, b + 1}, .axis = {1.0, 0.3}, .length = NAN, .radius = 0.1};
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 2; i++)
        joint->at[i][k] =
            0.5 * (x[b][k] + x[b + 1][k]) + (type == PRC_JOINT_DISTANCE ? (i ? 0.1 : -0.1) : 0.0);
  }
  for (int i = 0; i < 2; i++) {
    const int b = crowd_disc(&s->c, i ? 0.3 : -0.4, i ? -1.0 : 1.0, 0.12);
    s->c.body[b].velocity[1] = i ? 3.0 : -3.0, s->c.body[b].spin = prc_random_uniform(random, -20.0, 20.0);
    prc_rigid_spring *spring = &s->spring[i];
    *spring = (prc_rigid_spring){.name = "spring",
                                 .body = {i ? 5 : 0, i ? 1 : 3},
                                 .stiffness = prc_random_uniform(random, 1.0, 5.0),
                                 .damping = 0.01 * i,
                                 .rest_length = NAN};
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 2; j++)
        spring->at[j][k] = s->c.body[spring->body[j]].position[k] + prc_random_uniform(random, -0.1, 0.1);
  }
  s->c.model.n_joints = LINKS - 1, s->c.model.joint = s->joint;
  if (with_springs) s->c.model.n_springs = 2, s->c.model.spring = s->spring;
  crowd_meet(&s->c, 0.4, 0.3);
}

/* Joints of each type, with springs and dampers off the centres, and what strikes them: angular momentum to rounding, as angles go by the Cayley map; positions of joints too. */
START_TEST(a_free_chain_keeps_its_angular_momentum) {
  static const prc_joint_type types[6] = {PRC_JOINT_REVOLUTE,  PRC_JOINT_DISTANCE, PRC_JOINT_FIXED,
                                          PRC_JOINT_PRISMATIC, PRC_JOINT_ANGLE,    PRC_JOINT_WHEEL};
  prc_random random = {91 + (uint64_t)_i};
  chain s;
  make_chain(&s, types[_i % 6], _i / 6 % 2, &random);
  prc_step_options o = crowd_options(2e-3, _i / 12 % 2 ? 0.8 : 0.5, PRC_IMPACT_FREMOND);
  if (_i / 12 % 2) o.bulk = PRC_BULK_MIDDLE;
  crowd_open(&s.c, &o);
  double p[3], size = 0.0, hits = 0.0;
  crowd_momentum(&s.c, p);
  s.c.system->moment(s.c.system->owner, s.c.r->q, s.c.r->m, PRC_MOMENT_OF_MOMENTA, s.c.system->whole,
                     (double[3]){0.0}, &size);
  for (int k = 0; k < 500; k++) {
    crowd_steps(&s.c, 1);
    for (int i = 0; i < s.c.r->n_active; i++) hits += s.c.r->p_active[2 * i] > 0.0;
  }
  ck_assert_double_ge(hits, 1.0);
  ck_assert_double_le(fabs(L_of(&s.c) - p[2]), 1e-12 * size);
  judge_promise(s.c.ledger);
  ck_assert_int_eq(entry(&s.c, "joints").verdict, PRC_PASS);
  crowd_close(&s.c);
}
END_TEST

/* ---- bodies in space ---------------------------------------------------------------------------------------------------------------- */

enum { SWARM = 4 };

/* Spheres, boxes, or both in turn, thrown at each other with spin. */
typedef struct {
  prc_spatial_body body[SWARM];
  prc_solid part[SWARM];
  int everybody[SWARM];
  prc_spatial_pairs pairs;
  prc_spatial_spring spring[SWARM];
  prc_spatial_model model;
  prc_spatial *spatial;
  prc_stepper *stepper;
  prc_ledger *ledger;
  const prc_step_record *r;
  double q[7 * SWARM], v[6 * SWARM];
} swarm;

static void add_solid(swarm *s, int box, double size, prc_random *random) {
  static const double zero[3] = {0.0};
  const int b = s->model.n_bodies++;
  prc_spatial_body *body = &s->body[b];
  *body = (prc_spatial_body){.name = "body", .turns = 1, .n_parts = 1, .part = &s->part[b]};
  double edges[3], square = 0.0;
  for (int k = 0; k < 3; k++) edges[k] = size * prc_random_uniform(random, 1.0, 2.0);
  body->mass = box ? edges[0] * edges[1] * edges[2] : 4.0 * size * size * size;
  for (int k = 0; k < 3; k++)
    body->inertia[k] =
        box ? body->mass / 12.0
                  * (edges[(k + 1) % 3] * edges[(k + 1) % 3] + edges[(k + 2) % 3] * edges[(k + 2) % 3])
            : 0.4 * body->mass * size * size;
  for (int k = 0; k < 4; k++) body->orientation[k] = prc_random_uniform(random, -1.0, 1.0);
  for (int k = 0; k < 4; k++) square += body->orientation[k] * body->orientation[k];
  for (int k = 0; k < 4; k++) body->orientation[k] /= sqrt(square);
  if (box)
    support_ok(prc_solid_make_box(edges, &s->part[b], &crowd_err), &crowd_err);
  else
    support_ok(prc_solid_make_hull(1, zero, size, &s->part[b], &crowd_err), &crowd_err);
  s->everybody[b] = b;
}

/* kind 0: spheres, 1: boxes, 2: both */
static void make_swarm(swarm *s, int kind, double spin, uint64_t seed) {
  static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  prc_random random = {seed};
  *s = (swarm){.model = {.n_pairs = 1}};
  for (int b = 0; b < SWARM; b++) {
    add_solid(s, kind == 1 || (kind == 2 && b % 2), prc_random_uniform(&random, 0.2, 0.3), &random);
    for (int k = 0; k < 3; k++) {
      s->body[b].position[k] = 0.7 * corner[b][k];
      s->body[b].velocity[k] = -2.0 * corner[b][k] + prc_random_uniform(&random, -0.3, 0.3);
      s->body[b].spin[k] = prc_random_uniform(&random, -spin, spin);
    }
  }
  s->pairs = (prc_spatial_pairs){.name = "all",
                                 .n = {SWARM, SWARM},
                                 .body = {s->everybody, s->everybody},
                                 .friction = 0.4,
                                 .restitution = 0.3};
  s->model.body = s->body, s->model.pairs = &s->pairs;
}

static void open_swarm(swarm *s, const prc_step_options *o) {
  support_ok(prc_spatial_create(&s->model, &s->spatial, &crowd_err), &crowd_err);
  prc_spatial_initial(s->spatial, s->q, s->v);
  support_ok(prc_stepper_create(prc_spatial_system(s->spatial), o, &s->stepper, &crowd_err), &crowd_err);
  support_ok(prc_stepper_start(s->stepper, s->q, s->v, &crowd_err), &crowd_err);
  s->r = prc_stepper_record(s->stepper);
  const prc_ledger_options judge = {
      .promises = prc_stepper_promises(s->stepper), .tolerance = o->cone.tolerance, .max_penetration = -1.0};
  support_ok(prc_ledger_create(&judge, &s->ledger, &crowd_err), &crowd_err);
  prc_ledger_start(s->ledger, s->r);
}

static void close_swarm(swarm *s) {
  prc_ledger_free(&s->ledger);
  prc_stepper_free(&s->stepper);
  prc_spatial_free(&s->spatial);
  for (int b = 0; b < s->model.n_bodies; b++) prc_solid_free(&s->part[b]);
}

/* Steps; *hits: contacts that pushed. Returns the largest change of angular momentum against what was in play. */
static double fly(swarm *s, int n, int *hits, double *passes) {
  double start[3], now[3], linear[3], size = 0.0, worst = 0.0;
  const prc_system *system = prc_spatial_system(s->spatial);
  system->moment(system->owner, s->r->q, s->r->m, PRC_MOMENT_OF_MOMENTA, system->whole, start, &size);
  prc_spatial_momentum(s->spatial, s->r->q, s->r->v, linear, start);
  *hits = 0, *passes = 0.0;
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(s->stepper, &crowd_err), &crowd_err);
    prc_ledger_enter(s->ledger, s->r);
    for (int i = 0; i < s->r->n_active; i++) *hits += s->r->p_active[3 * i] > 0.0;
    *passes += s->r->passes;
    prc_spatial_momentum(s->spatial, s->r->q, s->r->v, linear, now);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(now[i] - start[i]) / size);
  }
  return worst;
}

/* Spheres and boxes that collide with spin keep their angular momentum to rounding: with the bulk of the middle and by theta, whatever theta is and whatever bodies they are. */
START_TEST(bodies_in_space_that_collide_keep_their_angular_momentum) {
  const int way = _i % 5, kind = _i / 5 % 3;
  const double spin = _i / 15 % 2 ? 50.0 : 5.0;
  prc_step_options o = crowd_options(1e-3,
                                     way == 2   ? 0.75
                                     : way == 4 ? 1.0
                                                : 0.5,
                                     way == 1 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
  if (way == 2 || way == 3) o.bulk = PRC_BULK_MIDDLE;
  if (way == 3) o.scheme = "midpoint", o.bulk = PRC_BULK_THETA;
  swarm s;
  int hits;
  double passes;
  make_swarm(&s, kind, spin, 41 + (uint64_t)_i);
  if (way == 4) s.pairs.restitution = 0.0;
  open_swarm(&s, &o);
  const double off = fly(&s, 400, &hits, &passes);
  ck_assert_double_le(off, 2e-13);
  judge_promise(s.ledger);
  ck_assert_double_le(passes, 10.0 * 400);
  ck_assert_int_ge(hits, 3);
  close_swarm(&s);
}
END_TEST

/* Likewise with springs between points off the centres, which steps with and without contacts have to agree with. */
START_TEST(bodies_on_springs_in_space_collide_and_keep_their_angular_momentum) {
  const int kind = _i % 3, middle = _i / 3 % 2;
  prc_random random = {71 + (uint64_t)_i};
  prc_step_options o = crowd_options(1e-3, middle ? 0.75 : 0.5, PRC_IMPACT_FREMOND);
  if (middle) o.bulk = PRC_BULK_MIDDLE;
  swarm s;
  int hits;
  double passes;
  make_swarm(&s, kind, 10.0, 51 + (uint64_t)_i);
  s.model.n_springs = SWARM, s.model.spring = s.spring;
  for (int k = 0; k < SWARM; k++) {
    prc_spatial_spring *spring = &s.spring[k];
    *spring = (prc_spatial_spring){.name = "spring",
                                   .body = {k, (k + 1) % SWARM},
                                   .stiffness = prc_random_uniform(&random, 1.0, 10.0),
                                   .damping = 0.05 * (k % 2),
                                   .rest_length = 0.1};
    for (int i = 0; i < 2; i++)
      for (int d = 0; d < 3; d++)
        spring->at[i][d] = s.body[spring->body[i]].position[d] + prc_random_uniform(&random, -0.15, 0.15);
  }
  open_swarm(&s, &o);
  const double off = fly(&s, 400, &hits, &passes);
  ck_assert_double_le(off, 1e-12);
  judge_promise(s.ledger);
  ck_assert_int_ge(hits, 3);
  close_swarm(&s);
}
END_TEST

/* ---- what sticks on an obstacle that turns in space ------------------------------------------------------------------------------------ */

/* out = x turned about the unit vector e */
static void turned_about(const double e[3], double angle, const double x[3], double out[3]) {
  const double c = cos(angle), along = (1.0 - c) * (e[0] * x[0] + e[1] * x[1] + e[2] * x[2]);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = c * x[k] + sin(angle) * (e[i] * x[j] - e[j] * x[i]) + along * e[k];
  }
}

static void matrix_of(const double a[4], double R[3][3]) { /* by columns */
  const double v[3] = {a[1], a[2], a[3]}, sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double e[3] = {v[0] / sine, v[1] / sine, v[2] / sine};
  for (int k = 0; k < 3; k++) {
    const double unit[3] = {k == 0, k == 1, k == 2};
    turned_about(e, 2.0 * atan2(sine, a[0]), unit, R[k]);
  }
}

typedef struct {
  swarm s;
  turntable of;
  double R[3][3], e[3], x[3], radius; /* of the box at the start */
} carousel;

/* A box on a plate that turns about an axis of any direction: on a floor that turns about its normal, or thrown outwards against a wall that goes round with it. */
static void make_carousel(carousel *w, prc_random *random, int outwards) {
  *w = (carousel){.of = {prc_random_uniform(random, 0.5, 2.0), 0.0},
                  .radius = prc_random_uniform(random, 0.5, 2.0)};
  swarm *s = &w->s;
  const double rate = w->of.rate, lean = prc_random_uniform(random, 0.0, 0.4), half = 0.05 * w->radius,
               g = 5.0 * rate * rate * w->radius;
  double foot[3], size = 0.0;
  s->model = (prc_spatial_model){.n_pairs = 1};
  add_solid(s, 1, 0.1, random);
  prc_solid_free(&s->part[0]);
  const double edges[3] = {3.0 * half, 2.5 * half, 2.0 * half};
  support_ok(prc_solid_make_box(edges, &s->part[0], &crowd_err), &crowd_err);
  matrix_of(s->body[0].orientation, w->R);
  const double *n = w->R[2], *side = w->R[0];
  for (int k = 0; k < 3; k++) {
    w->x[k] = outwards ? -w->radius * (cos(lean) * n[k] + sin(lean) * side[k]) : w->radius * side[k];
    foot[k] = w->x[k] - half * (1.0 - 1e-12) * n[k];
    w->e[k] =
        outwards
            ? w->R[1][k] + prc_random_uniform(random, -0.5, 0.5) * (cos(lean) * side[k] - sin(lean) * n[k])
            : n[k];
    size += w->e[k] * w->e[k];
  }
  for (int k = 0; k < 3; k++) w->e[k] /= sqrt(size);
  prc_spatial_body *box = &s->body[0], *plate = &s->body[1];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    box->position[k] = w->x[k];
    box->velocity[k] = rate * (w->e[i] * w->x[j] - w->e[j] * w->x[i]);
    box->spin[k] = rate * (w->R[k][0] * w->e[0] + w->R[k][1] * w->e[1] + w->R[k][2] * w->e[2]);
    if (!outwards) s->model.gravity[k] = prc_field_constant(-g * n[k]);
  }
  *plate = (prc_spatial_body){.name = "plate", .turns = 1, .driven = 1, .orientation = {1.0}, .n_parts = 1};
  plate->part = &s->part[1], s->everybody[1] = 1, s->model.n_bodies = 2;
  memcpy(plate->axis, w->e, sizeof w->e);
  plate->motion[3] = (prc_field){.eval = turntable_angle, .data = &w->of, .uses_time = 1};
  support_ok(prc_solid_make_half_space(foot, n, &s->part[1], &crowd_err), &crowd_err);
  s->pairs = (prc_spatial_pairs){.name = "all", .n = {2, 2}, .body = {s->everybody, s->everybody}};
  s->pairs.friction = outwards ? 1.5 * tan(lean) + 0.3 : 0.4;
  s->model.body = s->body, s->model.pairs = &s->pairs;
}

/* Its place to rounding by every scheme and law. Attitudes go by the mean of the spins and rows by those of theta: that of the body too at theta = 1/2, else while the plate goes on
 * evenly but for what the first step leaves, and to first order where its rate changes. */
START_TEST(what_sticks_on_a_plate_in_space_keeps_its_place) {
  prc_random random = {211 + (uint64_t)_i};
  carousel w;
  make_carousel(&w, &random, _i / 12 % 2);
  if (_i >= 24) w.of.swing = 0.03 * w.of.rate;
  const double h = prc_random_uniform(&random, 0.2, 1.0) * 2e-2;
  const prc_step_options o = carried_options(h, _i);
  open_swarm(&w.s, &o);
  double off = 0.0, turned = 0.0;
  for (int n = 0; n < (int)(10.0 / w.of.rate / h); n++) {
    support_ok(prc_stepper_step(w.s.stepper, &crowd_err), &crowd_err);
    prc_ledger_enter(w.s.ledger, w.s.r);
    const prc_spatial_motion now = prc_spatial_motion_of(w.s.spatial, w.s.r->q, w.s.r->v, 0),
                             plate = prc_spatial_motion_of(w.s.spatial, w.s.r->q, w.s.r->v, 1);
    const double *a = plate.orientation,
                 angle = 2.0 * atan2(a[1] * w.e[0] + a[2] * w.e[1] + a[3] * w.e[2], a[0]);
    double R[3][3], to[3];
    matrix_of(now.orientation, R);
    turned_about(w.e, angle, w.x, to);
    off = fmax(off, hypot(hypot(now.position[0] - to[0], now.position[1] - to[1]), now.position[2] - to[2]));
    for (int k = 0; k < 3; k++) {
      turned_about(w.e, angle, w.R[k], to);
      for (int i = 0; i < 3; i++) turned = fmax(turned, fabs(R[k][i] - to[i]));
    }
  }
  ck_assert_double_le(off, 1e-10 * w.radius);
  ck_assert_int_eq(entry_of(w.s.ledger, "sticking").verdict, PRC_PASS);
  const int even = o.theta == 0.5 || o.bulk == PRC_BULK_MIDDLE;
  const double lag = (o.theta - 0.5) * h * w.of.swing; /* (theta - 1/2) h times the change of the rate */
  ck_assert_double_le(turned, even ? 1e-9 : 1.01 * lag + pow(w.of.rate * h, 3.0));
  close_swarm(&w.s);
}
END_TEST

int main(void) {
  Suite *s = suite_create("contacts that turn");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, discs_that_turn_pressed_together_keep_what_they_have, 0, 12);
  tcase_add_loop_test(t, what_directions_of_the_start_lose_is_certified, 0, 4);
  tcase_add_loop_test(t, what_is_tied_far_off_hides_no_loss, 0, 4);
  tcase_add_loop_test(t, a_disc_rolls_in_a_hole_and_keeps_its_energy, 0, 4);
  tcase_add_loop_test(t, discs_that_collide_keep_their_angular_momentum, 0, 12);
  tcase_add_loop_test(t, what_sticks_on_a_turntable_keeps_its_place, 0, 24);
  tcase_add_loop_test(t, what_creeps_while_it_sticks_is_certified, 0, 6);
  tcase_add_loop_test(t, what_sticks_on_a_seesaw_slides_to_second_order, 0, 4);
  tcase_add_loop_test(t, what_slides_or_rolls_on_a_turntable_goes_its_way, 0, 24);
  tcase_add_loop_test(t, discs_that_turn_keep_what_they_have_whatever_theta_is, 0, 8);
  tcase_add_loop_test(t, what_is_caught_forgets_its_slip_by_theta, 0, 4);
  tcase_add_loop_test(t, a_perfect_restitution_bounces_with_every_theta, 0, 4);
  tcase_add_loop_test(t, a_free_chain_keeps_its_angular_momentum, 0, 24);
  tcase_add_loop_test(t, bodies_in_space_that_collide_keep_their_angular_momentum, 0, 30);
  tcase_add_loop_test(t, bodies_on_springs_in_space_collide_and_keep_their_angular_momentum, 0, 6);
  tcase_add_loop_test(t, what_sticks_on_a_plate_in_space_keeps_its_place, 0, 36);
  suite_add_tcase(s, t);
  return support_run(s);
}
