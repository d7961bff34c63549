/* Contacts that turn: angular momentum, energy and places of bodies that press on each other, roll and collide, against closed forms and with every theta and both laws; and
 * the certificate's look at angular momentum. */
#include "config.h"
#include "support/crowd.h"

#include <math.h>
#include <string.h>

static prc_certificate_entry entry(const crowd *c, const char *name) {
  const prc_certificate all = prc_ledger_certificate(c->ledger);
  for (int i = 0; i < PRC_CERTIFY_ENTRIES; i++)
    if (strcmp(all.entry[i].name, name) == 0) return all.entry[i];
  ck_abort_msg("there is no entry %s", name);
}

/* ---- two discs pressed together by a spring between their centres, turning like one body -------------------------------------------- */

typedef struct {
  crowd c;
  prc_rigid_spring spring;
  double L, T; /* of the start */
} binary;

/* Of radii a, b around their common centre of mass at rest, with the spin w, from the angle given. */
static void make_binary(binary *s, const prc_step_options *o, double a, double b, double w, double angle) {
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
  s->spring = (prc_rigid_spring){
      .name = "spring", .body = {0, 1}, .at = {{x[0][0], x[0][1]}, {x[1][0], x[1][1]}}, .stiffness = k};
  s->spring.rest_length = (a + b) - 5.0 * needed / k;
  s->c.model.n_springs = 1, s->c.model.spring = &s->spring;
  crowd_meet(&s->c, 0.5, 0.0);
  crowd_open(&s->c, o);
}

static double L_of(const crowd *c) {
  double p[3];
  crowd_momentum(c, p);
  return p[2];
}

/* Three turns in steps of 1e-2 at most: at theta = 1/2 momentum of second order (a spring that turns has its arms elsewhere), energy too, the gap below a thousandth. */
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
  ck_assert_double_le(fabs(L_of(&s.c) / s.L - 1.0), 0.05 * pow(w * h, 2.0));
  ck_assert_double_le(fabs(crowd_kinetic(&s.c) / s.T - 1.0), pow(w * h, 2.0));
  ck_assert_double_le(fabs(hypot(s.c.r->q[3] - s.c.r->q[0], s.c.r->q[4] - s.c.r->q[1]) / (a + b) - 1.0),
                      pow(w * h, 2.0));
  const prc_certificate_entry e = entry(&s.c, "angular_momentum");
  ck_assert_int_eq(e.verdict, PRC_PASS);
  ck_assert_double_le(e.value, 1e-3 * s.L);
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
  const prc_certificate_entry moment = entry(&c, "angular_momentum");
  ck_assert_double_le(moment.value, 1e-12 * size);
  crowd_close(&c);
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
  ck_assert_double_le(fabs(L_of(&s.c) / s.L - 1.0), 1e-6);
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

int main(void) {
  Suite *s = suite_create("contacts that turn");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, discs_that_turn_pressed_together_keep_what_they_have, 0, 12);
  tcase_add_loop_test(t, what_directions_of_the_start_lose_is_certified, 0, 4);
  tcase_add_loop_test(t, a_disc_rolls_in_a_hole_and_keeps_its_energy, 0, 4);
  tcase_add_loop_test(t, discs_that_collide_keep_their_angular_momentum, 0, 12);
  tcase_add_loop_test(t, discs_that_turn_keep_what_they_have_whatever_theta_is, 0, 8);
  tcase_add_loop_test(t, what_is_caught_forgets_its_slip_by_theta, 0, 4);
  tcase_add_loop_test(t, a_perfect_restitution_bounces_with_every_theta, 0, 4);
  suite_add_tcase(s, t);
  return support_run(s);
}
