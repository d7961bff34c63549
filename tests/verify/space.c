/* One body in space under every scheme: free flight, rolling, drilling, what friction holds; the same whichever way the force points. The body is put together by hand
 * (support/top.h), so that nothing here depends on src/spatial. */
#include "config.h"
#include "support/support.h"
#include "support/top.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  prc_impact law;
  prc_slip_direction slip;
} ways[] = {{"theta", PRC_IMPACT_FREMOND, PRC_SLIP_END},
            {"theta", PRC_IMPACT_NEWTON, PRC_SLIP_END},
            {"midpoint", PRC_IMPACT_FREMOND, PRC_SLIP_END},
            {"midpoint", PRC_IMPACT_NEWTON, PRC_SLIP_END},
            {"generalized-alpha", PRC_IMPACT_NEWTON, PRC_SLIP_END},
            {"generalized-alpha", PRC_IMPACT_NEWTON, PRC_SLIP_MEAN}};
enum { WAYS = 6, THETAS = 4 };

static void near(double value, double expected, double tolerance) {
  ck_assert_msg(fabs(value - expected) <= tolerance, "%.15g, expected %.15g +- %g", value, expected,
                tolerance);
}

static prc_step_options options_of(int way, double h) {
  prc_step_options o = prc_step_options_default(h);
  o.scheme = ways[way].name, o.law = ways[way].law, o.slip_direction = ways[way].slip;
  o.rho = 0.5, o.cone.tolerance = 1e-13;
  if (way >= THETAS) o.tolerance = 1e-12;
  return o;
}

static double norm(const double *x) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* What each certificate promises holds, and each step closes its balance; but gaps of schemes that act on velocities drift. */
static void judge(const top *s) {
  const prc_certificate c = prc_ledger_certificate(s->ledger);
  for (int i = 0; i < PRC_CERTIFY_ENTRIES; i++)
    ck_assert_msg(c.entry[i].verdict != PRC_FAIL || i == PRC_CERTIFY_PENETRATION, "%s: %g > %g in step %d",
                  c.entry[i].name, c.entry[i].value, c.entry[i].bound, c.entry[i].step);
}

/* Of what friction stops within a step Fremond's law at theta = 1/2 keeps a velocity of alternating sign, of at most half of what friction takes in a step. */
static double flip_of(int way) {
  return ways[way].law == PRC_IMPACT_FREMOND ? 0.5 + 1e-6 : 1e-6;
}

/* ---- free flight ---------------------------------------------------------------------------------------------------------- */

static void spinning(top *s) {
  top_make(s, 2.0, 0.03, 0.05, 0.07);
  top_turn(s->q, (const double[]){1.0, 2.0, 3.0}, 40.0);
  const double v[6] = {0.3, -0.2, 0.1, 4.0, 3.0, -5.0};
  memcpy(s->v, v, sizeof v);
}

/* Spatial angular momentum and energy of theta = 1/2 are exact. */
START_TEST(a_free_top_keeps_energy_and_angular_momentum) {
  const prc_step_options o = options_of(_i, 0.02);
  double before[3], now[3];
  top s;
  spinning(&s);
  top_start(&s, &o);
  top_angular_momentum(&s, before);
  const double energy = top_energy(&s);
  for (int k = 0; k < 2000; k++) {
    top_step(&s, 1);
    top_angular_momentum(&s, now);
    near(top_energy(&s), energy, 1e-12 * energy);
    for (int i = 0; i < 3; i++) near(now[i], before[i], 1e-12 * norm(before));
    double length = 0.0;
    for (int i = 3; i < 7; i++) length += s.r->q[i] * s.r->q[i];
    near(length, 1.0, 1e-15);
  }
  judge(&s);
  top_free(&s);
}
END_TEST

static void fly(int way, int n, double *q) {
  const prc_step_options o = options_of(way, 1.0 / n);
  top s;
  spinning(&s);
  top_start(&s, &o);
  top_step(&s, n);
  judge(&s);
  memcpy(q, s.r->q, 7 * sizeof *q);
  top_free(&s);
}

/* q, v of the end of a second against those of a step 32 times as short. */
START_TEST(a_free_top_is_of_second_order) {
  double coarse[7], fine[7], exact[7], error[2] = {0.0};
  fly(_i, 200, coarse), fly(_i, 400, fine), fly(_i, 6400, exact);
  for (int k = 0; k < 7; k++) {
    error[0] = fmax(error[0], fabs(coarse[k] - exact[k]));
    error[1] = fmax(error[1], fabs(fine[k] - exact[k]));
  }
  near(log2(error[0] / error[1]), 2.0, 0.1);
}
END_TEST

/* ---- a ball that rolls ------------------------------------------------------------------------------------------------------ */

enum { DIRECTIONS = 5 };
static const double directions[DIRECTIONS][3] = {
    {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}, {0.6, 0.0, 0.8}, {-0.48, 0.6, 0.64}, {-1.0, 0.0, 0.0}};

/* Two unit vectors along the floor. */
static void along(const double n[3], double t[2][3]) {
  double frame[9];
  const double none[9] = {0.0};
  prc_contact_turn_frame(none, n, frame);
  memcpy(t, frame + 3, 6 * sizeof *frame);
}

static void on_floor(top *s, const double n[3], double radius) {
  memcpy(s->normal, n, sizeof s->normal);
  for (int k = 0; k < 3; k++) s->q[k] = radius * n[k];
  top_ball(s, 0.0, 0.0, 0.0, radius);
}

/* A ball that slides with v_0 rolls from t = 2 v_0 / (7 mu g) on, with 5/7 v_0, on any floor, any way, also one that is turned anyhow. */
START_TEST(a_sliding_ball_begins_to_roll) {
  const double mu = 0.3, g = 10.0, radius = 0.1, mass = 2.0, angle = 0.7, speed = 2.0, h = 1e-3;
  const int way = _i % WAYS;
  const double *n = directions[_i / WAYS];
  const prc_step_options o = options_of(way, h);
  double t[2][3], e[3], v;
  top s;
  const double J = 0.4 * mass * radius * radius;
  top_make(&s, mass, J, J, J);
  on_floor(&s, n, radius);
  along(n, t);
  s.friction = mu, s.dim = _i % 2 == 0 ? 3 : 4, s.drilling = 0.001;
  s.comes_and_goes = way % 2;
  for (int k = 0; k < 3; k++) {
    e[k] = cos(angle) * t[0][k] + sin(angle) * t[1][k];
    s.v[k] = speed * e[k], s.force[k] = -mass * g * n[k];
  }
  top_turn(s.q, (const double[]){0.3, 1.0, -0.5}, 77.0);
  top_start(&s, &o);
  const double rolls = 2.0 * speed / (7.0 * mu * g);
  double percussion[3];
  while (s.r->t < 2.0 * rolls) {
    top_step(&s, 1);
    v = s.r->v[0] * e[0] + s.r->v[1] * e[1] + s.r->v[2] * e[2];
    const double expected = s.r->t < rolls ? speed - mu * g * s.r->t : 5.0 / 7.0 * speed;
    near(v, expected,
         fabs(s.r->t - rolls) <= h ? 0.5 * mu * g * h
                                   : 1e-11 + (s.r->t > rolls ? flip_of(way) * mu * g * h : 0.0));
    near(norm(s.r->v), v, 1e-11);
    top_percussion(&s, 0, percussion);
    if (s.r->t < rolls) near(norm(percussion), mass * g * h * sqrt(1.0 + mu * mu), 1e-9 * mass * g * h);
    near(s.r->gap[0], 0.0, 1e-12);
  }
  judge(&s);
  top_free(&s);
}
END_TEST

/* Down a plane of 30 degrees by 5/7 g sin(30) where mu suffices, else by g (sin - mu cos). */
START_TEST(a_ball_goes_down_a_plane) {
  const double g = 10.0, radius = 0.1, J = 0.4 * radius * radius, h = 1e-3, T = 0.5;
  const int way = _i % WAYS, slides = _i / WAYS;
  const prc_step_options o = options_of(way, h);
  const double mu = slides ? 0.1 : 0.2; /* 2/7 tan(30) = 0.165 */
  top s;
  top_make(&s, 1.0, J, J, J);
  on_floor(&s, (const double[]){0.5, 0.0, sqrt(0.75)}, radius);
  s.friction = mu, s.force[2] = -g;
  top_start(&s, &o);
  top_step(&s, (int)(T / h + 0.5));
  const double a = slides ? g * (0.5 - mu * sqrt(0.75)) : 5.0 / 7.0 * 0.5 * g;
  near(s.r->v[0], a * T * sqrt(0.75), 1e-10);
  near(s.r->v[2], -a * T * 0.5, 1e-10);
  near(s.r->v[1], 0.0, 1e-12);
  judge(&s);
  top_free(&s);
}
END_TEST

/* Inside a sphere, thrown sideways: a ball that rolls without slip keeps its energy and its spin about the normal, and gaps stay with generalized-alpha. */
START_TEST(a_ball_that_rolls_in_a_bowl_keeps_its_energy) {
  const double radius = 0.1, bowl = 0.5, J = 0.4 * radius * radius, h = 5e-4;
  const prc_step_options o = options_of(_i, h);
  top s;
  top_make(&s, 1.0, J, J, J);
  top_ball(&s, 0.0, 0.0, 0.0, radius);
  s.bowl = bowl, s.friction = 1.0, s.force[2] = -10.0, s.comes_and_goes = 1;
  s.q[0] = (bowl - radius) * 0.6, s.q[2] = -(bowl - radius) * 0.8;
  const double n[3] = {-0.6, 0.0, 0.8}, v[3] = {0.0, 1.5, 0.0}; /* u = v + w x (-r n) = 0: w = n x v / r */
  for (int k = 0; k < 3; k++) {
    s.v[k] = v[k];
    s.v[3 + k] = (n[(k + 1) % 3] * v[(k + 2) % 3] - n[(k + 2) % 3] * v[(k + 1) % 3]) / radius;
  }
  top_start(&s, &o);
  const double energy = top_energy(&s);
  double sticks = 0.0, gap = 0.0;
  for (int k = 0; k < 4000; k++) {
    top_step(&s, 1);
    sticks += s.r->status[0] == PRC_CONE_STICK, gap = fmin(gap, s.r->gap[0]);
  }
  ck_assert_double_ge(sticks, 3990.0);
  near(top_energy(&s), energy, _i >= THETAS ? 2e-4 : 3e-2); /* those stop the fall of each step */
  ck_assert_double_ge(gap, _i >= THETAS ? -1e-11 : -6e-3);
  judge(&s);
  top_free(&s);
}
END_TEST

/* ---- drilling -------------------------------------------------------------------------------------------------------------- */

/* A ball that spins about the normal stops after I w / (mu m g 3 pi R / 16), its spin falling linearly; an inclined axis of spin is not its own. */
START_TEST(a_ball_that_drills_stops_in_time) {
  const double mu = 0.4, g = 10.0, radius = 0.05, mass = 3.0, patch = 0.01, spin = 20.0;
  const double J = 0.4 * mass * radius * radius, length = 3.0 * M_PI / 16.0 * patch;
  const double stops = J * spin / (mu * mass * g * length), h = stops / 200.5;
  const int way = _i % WAYS;
  const double *n = directions[_i / WAYS];
  const prc_step_options o = options_of(way, h);
  double w[3];
  top s;
  top_make(&s, mass, J, J, J);
  on_floor(&s, n, radius);
  s.friction = mu, s.dim = 4, s.drilling = length;
  for (int k = 0; k < 3; k++) s.v[3 + k] = -spin * n[k], s.force[k] = -mass * g * n[k];
  top_start(&s, &o);
  for (int k = 1; k < 260; k++) {
    top_step(&s, 1);
    top_spin(&s, w);
    const double about = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    const double expected = s.r->t < stops ? -spin * (1.0 - s.r->t / stops) : 0.0;
    near(about, expected, s.r->t > stops ? flip_of(way) * spin / 200.0 : 1e-9 * spin);
    near(norm(w), fabs(about), 1e-9 * spin);
    near(norm(s.r->v), 0.0, 1e-11);
  }
  judge(&s);
  top_free(&s);
}
END_TEST

/* ---- isotropy -------------------------------------------------------------------------------------------------------------- */

/* A body on three feet, drawn along the floor and twisted, its force turned by `degree` about the normal, itself too. */
static void drawn(top *s, int way, double degree, int n) {
  const prc_step_options o = options_of(way, 1e-3);
  const double c = cos(degree * M_PI / 180.0), sine = sin(degree * M_PI / 180.0);
  top_make(s, 2.0, 0.004, 0.005, 0.007);
  for (int k = 0; k < 3; k++)
    top_ball(s, 0.1 * cos(2.0 * M_PI * k / 3.0), 0.1 * sin(2.0 * M_PI * k / 3.0), -0.05, 0.01);
  s->q[2] = 0.06, s->friction = 0.4, s->dim = 3 + way % 2, s->drilling = 2e-3;
  top_turn(s->q, (const double[]){0.0, 0.0, 1.0}, degree);
  s->force[0] = 9.0 * c, s->force[1] = 9.0 * sine, s->force[2] = -20.0;
  s->moment[2] = 0.1;
  s->v[0] = -0.3 * sine, s->v[1] = 0.3 * c, s->v[5] = 2.0;
  top_start(s, &o);
  top_step(s, n);
}

/* By steps of 10 degrees everything turns with the force: place, velocity, spin, attitude and forces. */
START_TEST(friction_has_no_directions_of_its_own) {
  const int way = _i % WAYS, steps = 400;
  const double degree = 10.0 * (1 + _i / WAYS), c = cos(degree * M_PI / 180.0),
               sine = sin(degree * M_PI / 180.0);
  top a, b;
  drawn(&a, way, 0.0, steps), drawn(&b, way, degree, steps);
  near(b.r->q[0], c * a.r->q[0] - sine * a.r->q[1], 1e-11);
  near(b.r->q[1], sine * a.r->q[0] + c * a.r->q[1], 1e-11);
  near(b.r->v[0], c * a.r->v[0] - sine * a.r->v[1], 1e-10);
  near(b.r->v[1], sine * a.r->v[0] + c * a.r->v[1], 1e-10);
  near(b.r->q[2], a.r->q[2], 1e-12);
  for (int k = 2; k < 6; k++) near(b.r->v[k], a.r->v[k], 1e-10);
  double sum_a[3] = {0.0}, sum_b[3] = {0.0};
  for (int k = 0; k < 3; k++) {
    double p[3];
    top_percussion(&a, k, p);
    for (int i = 0; i < 3; i++) sum_a[i] += p[i];
    top_percussion(&b, k, p);
    for (int i = 0; i < 3; i++) sum_b[i] += p[i];
  }
  near(sum_b[0], c * sum_a[0] - sine * sum_a[1], 1e-10);
  near(sum_b[1], sine * sum_a[0] + c * sum_a[1], 1e-10);
  ck_assert_double_gt(hypot(a.r->v[0], a.r->v[1]), 0.3); /* it has been moved */
  judge(&a), judge(&b);
  top_free(&a), top_free(&b);
}
END_TEST

/* ---- what friction holds ---------------------------------------------------------------------------------------------------- */

/* 1 kg, pressed against a wall by 20 N, mu = 1, from rest, for 10 s: it stays where it is. */
START_TEST(what_is_held_by_friction_does_not_creep) {
  const int way = _i % WAYS;
  const double *n = directions[_i / WAYS];
  const prc_step_options o = options_of(way, 5e-3);
  double t[2][3];
  top s;
  top_make(&s, 1.0, 0.01, 0.012, 0.015);
  memcpy(s.normal, n, sizeof s.normal);
  along(n, t);
  for (int k = 0; k < 4; k++) { /* feet in the plane, whatever its attitude */
    const double a = k & 1 ? 0.1 : -0.1, b = k & 2 ? 0.1 : -0.1;
    double foot[3];
    for (int i = 0; i < 3; i++) foot[i] = a * t[0][i] + b * t[1][i];
    top_ball(&s, foot[0], foot[1], foot[2], 0.02);
  }
  s.friction = 1.0;
  for (int i = 0; i < 3; i++)
    s.q[i] = 0.02 * n[i], s.force[i] = -20.0 * n[i] + 9.81 * (0.8 * t[0][i] - 0.6 * t[1][i]);
  double start[7];
  memcpy(start, s.q, sizeof start);
  top_start(&s, &o);
  for (int k = 0; k < 2000; k++) {
    top_step(&s, 1);
    for (int i = 0; i < 7; i++) near(s.r->q[i], start[i], 1e-12);
  }
  judge(&s);
  top_free(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("one body in space");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, a_free_top_keeps_energy_and_angular_momentum, 0, THETAS);
  tcase_add_loop_test(tc, a_free_top_is_of_second_order, 0, WAYS);
  tcase_add_loop_test(tc, a_sliding_ball_begins_to_roll, 0, WAYS * DIRECTIONS);
  tcase_add_loop_test(tc, a_ball_goes_down_a_plane, 0, 2 * WAYS);
  tcase_add_loop_test(tc, a_ball_that_rolls_in_a_bowl_keeps_its_energy, 0, WAYS);
  tcase_add_loop_test(tc, a_ball_that_drills_stops_in_time, 0, WAYS * DIRECTIONS);
  tcase_add_loop_test(tc, friction_has_no_directions_of_its_own, 0, WAYS * 35);
  tcase_add_loop_test(tc, what_is_held_by_friction_does_not_creep, 0, WAYS * DIRECTIONS);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}
