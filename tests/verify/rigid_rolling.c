/* Planar single bodies of Bruls et al. 2014 and 2018 whose continuous motion is known: the rotating ball, the ball in a
 * corner, the Painleve rod and the frictionless rocking block. The Moreau-Jean schemes converge to it with O(h). */
#include "config.h"
#include "support/rigid_common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int show(void) {
  return getenv("PRC_SHOW") != NULL;
}

/* within a tolerance */
static void near(double value, double expected, double tolerance) {
  ck_assert_msg(fabs(value - expected) <= tolerance, "%.12g, expected %.12g +- %g", value, expected,
                tolerance);
}

static const double ground[4] = {0.0, 0.0, 0.0, 1.0};

/* ---- the rotating ball ------------------------------------------------------------------------------------------ */

static void ball(rigid_case *c, double spin) {
  rigid_case_one(c, 0.4 * 0.01, 9.81);
  c->body[0].position[1] = 1.0, c->body[0].spin = spin;
  rigid_case_contact(c, 0, ground, 0, NULL, 0.1)->friction = 0.2;
}

/* Steps until the first impact; returns the time at the end of its step. */
static double fall(rigid_run *run) {
  do rigid_run_step(run);
  while (!(run->record->p[0] > 0.0) && run->record->t < 10.0);
  return run->record->t;
}

START_TEST(the_rotating_ball_slides_then_rolls) {
  const double h = 1e-4;
  const prc_step_options options = rigid_options(_i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND, h, 0.5);
  rigid_case c;
  rigid_run run;
  ball(&c, 50.0);
  rigid_run_open(&run, &c, &options);
  near(fall(&run), 0.4283529369, 2.0 * h);
  near(run.record->p[0], 4.2021423, 20.0 * h);
  near(run.record->p[1], -0.8404285, 4.0 * h);
  near(run.v[0], -0.8404285, 4.0 * h);
  near(run.v[1], 0.0, 1e-12);
  near(run.v[2], 28.9892884, 0.1 * 4.0 * h / 0.004);
  double last_slip = 0.0;
  while (run.record->t < 0.8) {
    rigid_run_step(&run);
    if (run.record->status[0] == PRC_CONE_SLIP) last_slip = run.record->t;
    near(run.record->p[0] / h, 9.81, 1e-6);
    if (run.record->t < 0.727) near(run.record->p[1] / h, -1.962, 1e-6);
  }
  if (show()) fprintf(stderr, "# last slip %.5f, v %.8f %.8f\n", last_slip, run.v[0], run.v[2]);
  near(last_slip, 0.7281199942, 5.0 * h);
  /* Newton: the slip velocity is zero, and so is the friction. Fremond at theta = 1/2: its mean over each step is zero, so
   * that what the last slipping step left changes sign for ever, and the friction with it. */
  const double friction = run.record->p[1];
  rigid_run_step(&run);
  near((run.record->p[1] + friction) / h, 0.0, 1e-6);
  near(run.record->u_work[1], 0.0, _i == 0 ? 1e-12 : 1e-9);
  if (_i == 0) near(friction / h, 0.0, 1e-6);
  ck_assert_int_eq(run.record->status[0], PRC_CONE_STICK);
  near(run.v[0], -10.0 / 7.0, 1e-3 * 10.0 / 7.0);
  near(run.v[2], 100.0 / 7.0, 1e-3 * 100.0 / 7.0);
  near(rigid_run_energy(&run), 0.7 * run.v[0] * run.v[0] + 9.81 * run.q[1], 2.0 * h);
  rigid_run_close(&run);
}
END_TEST

/* Newton: the tangential velocity after the impact is zero. The Fremond law reverses it instead, since it is the mean
 * velocity that sticks; the next step stops it. */
START_TEST(the_slowly_rotating_ball_sticks_in_the_impact) {
  const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, 1e-4, 0.5);
  rigid_case c;
  rigid_run run;
  ball(&c, 10.0);
  rigid_run_open(&run, &c, &options);
  near(fall(&run), 0.4283529369, 2e-4);
  ck_assert_int_eq(run.record->status[0], PRC_CONE_STICK);
  near(run.record->p[1], -2.0 / 7.0, 1e-12);
  for (int k = 0; k < 1000; k++) {
    near(run.v[0], -2.0 / 7.0, 1e-9);
    near(run.v[2], 20.0 / 7.0, 1e-8);
    rigid_run_step(&run);
    near(run.record->p[1], 0.0, 1e-10);
  }
  rigid_run_close(&run);
}
END_TEST

START_TEST(the_bouncing_ball_comes_to_rest) { /* run 1: impacts at t0 (1 + 1 + 1/2 + ...), rest at 3 t0 */
  const double h = 1e-5, t0 = 0.4283529369;
  const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, h, 0.5);
  rigid_case c;
  rigid_run run;
  ball(&c, 0.0);
  c.contact[0].restitution = 0.5;
  rigid_run_open(&run, &c, &options);
  double t = t0, p = 6.3032135;
  for (int k = 0; k < 5; k++) {
    near(fall(&run), t, 10.0 * h);
    near(run.record->p[0], p, 30.0 * h);
    t += t0 * pow(0.5, k), p *= 0.5;
  }
  while (run.record->t < 3.0 * t0 + 0.01) rigid_run_step(&run);
  for (int k = 0; k < 1000; k++) {
    rigid_run_step(&run);
    near(run.v[1], 0.0, 10.0 * h);
  }
  near(run.q[1], 0.1, 10.0 * h);
  rigid_run_close(&run);
}
END_TEST

/* ---- the ball in a corner ------------------------------------------------------------------------------------------ */

START_TEST(the_ball_settles_in_the_corner) {
  static const double plane[2][4] = {{0.0, 0.0, -1.0, 1.0}, {0.0, 0.0, 1.0, 1.0}};
  const double h = 1e-4, u[3] = {0.9472916, -0.9472916, -13.3967261};
  const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, h, 0.5);
  rigid_case c;
  rigid_run run;
  rigid_case_one(&c, 0.4 * 0.01, 9.81);
  c.body[0].position[0] = -0.5, c.body[0].position[1] = 1.0;
  for (int k = 0; k < 2; k++) {
    prc_rigid_contact *contact = rigid_case_contact(&c, 0, plane[k], 0, NULL, 0.1);
    contact->friction = 0.3, contact->restitution = k == 0 ? 0.5 : 0.0;
  }
  rigid_run_open(&run, &c, &options);
  const double start = rigid_run_energy(&run);
  do rigid_run_step(&run);
  while (!(run.record->p[2] > 0.0) && run.record->t < 10.0);
  near(run.record->t, 0.2703788424, 2.0 * h);
  ck_assert_int_eq(run.record->status[1], PRC_CONE_STICK);
  near(run.record->p[2], 1.8755417, 20.0 * h);
  near(fabs(run.record->p[3]), 0.5358690, 10.0 * h);
  for (int k = 0; k < 3; k++) near(run.v[k], u[k], 20.0 * h * fmax(1.0, fabs(u[k])));

  double rest = 0.0, energy = start, growth = 0.0;
  while (run.record->t < 1.5) {
    rigid_run_step(&run);
    const double speed = hypot(run.v[0], run.v[1]) + 0.1 * fabs(run.v[2]);
    if (speed > 1e-2) rest = run.record->t;
    growth = fmax(growth, rigid_run_energy(&run) - energy);
    energy = rigid_run_energy(&run);
  }
  if (show())
    fprintf(stderr,
            "# corner: growth %.1e rest at %.4f, (%.2e, %.7f), phi %.5f, v %.1e %.1e %.1e, active %d, p/h "
            "%.4f %.4f %.4f "
            "%.4f\n",
            growth, rest, run.q[0], run.q[1], run.q[2], run.v[0], run.v[1], run.v[2], run.record->n_active,
            run.record->p[0] / h, run.record->p[1] / h, run.record->p[2] / h, run.record->p[3] / h);
  near(rest, 1.3608451663, 0.01);
  near(run.q[0], 0.0, 10.0 * h);
  near(run.q[1], 0.1 * sqrt(2.0), 10.0 * h);
  near(run.q[2], -11.5608, 100.0 * h);

  /* Contact 1 with e > 0 never quite rests: it leaves each impact with e times its speed, is free for a step, and falls
   * back with h g. On average the reactions carry the weight, each within its cone, and are symmetric. */
  double mean[4] = {0.0, 0.0, 0.0, 0.0}, fastest = 0.0;
  const int n_steps = 4000;
  for (int k = 0; k < n_steps; k++) {
    rigid_run_step(&run);
    for (int i = 0; i < 4; i++) mean[i] += run.record->p[i] / (n_steps * h);
    fastest = fmax(fastest, hypot(run.v[0], run.v[1]) + 0.1 * fabs(run.v[2]));
  }
  if (show())
    fprintf(stderr, "# mean %.5f %.5f %.5f %.5f, fastest %.2e\n", mean[0], mean[1], mean[2], mean[3],
            fastest);
  ck_assert_double_le(fastest, 2.0 * h * 9.81);
  near(run.q[0], 0.0, 10.0 * h);
  near(run.q[1], 0.1 * sqrt(2.0), 10.0 * h);
  near((mean[0] + mean[2] + mean[1] - mean[3]) / sqrt(2.0), 9.81, 1e-2);
  near(mean[0], mean[2], 1e-2);
  near(mean[1], -mean[3], 1e-2);
  for (int k = 0; k < 2; k++) {
    ck_assert_double_le(fabs(mean[2 * k + 1]), 0.3 * mean[2 * k]);
    ck_assert_double_ge(mean[2 * k],
                        9.81 / (1.3 * sqrt(2.0)) - 1e-5); /* 5.335937: all of the friction holds up */
    ck_assert_double_le(mean[2 * k], 9.910);
  }
  rigid_run_close(&run);
}
END_TEST

/* ---- the Painleve rod ------------------------------------------------------------------------------------------------ */

/* As H turns with the rod, the velocity that one step makes tangential to the ground leaves it by O(h) in the next, which
 * is then free: percussions come in about three steps of five, and lambda_N is their mean over a window. */
START_TEST(the_painleve_rod_slides_as_its_equation_says) {
  static const double degree = 3.14159265358979323846 / 180.0, tip[2] = {1.0, 0.0};
  static const double at[4][4] = {{0.2, 31.051387, 0.0106637, 10.076931},
                                  {0.4, 31.353689, 0.0523427, 10.349291},
                                  {0.6, 32.835465, 0.2639344, 11.860089},
                                  {0.7, 35.282046, 0.6606257, 15.193319}};
  const double h = 1e-5, window = 0.01;
  const prc_step_options options = rigid_options(_i == 0 ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND, h, 0.5);
  rigid_case c;
  rigid_run run;
  rigid_case_one(&c, 1.0 / 3.0, 10.0);
  c.body[0].angle = -31.0 * degree; /* the table's angle is clockwise */
  c.body[0].position[1] = sin(31.0 * degree);
  c.body[0].velocity[0] = 30.0;
  rigid_case_contact(&c, 0, ground, 1, tip, 0.0)->friction = 5.0 / 3.0;
  rigid_run_open(&run, &c, &options);
  double energy = rigid_run_energy(&run), deepest = 0.0, highest = 0.0, growth = 0.0;
  int open = 0;
  for (int k = 0; k < 4; k++) {
    const int middle = (int)lround(at[k][0] / h), half = (int)lround(window / h);
    double sum = 0.0, state[2] = {0.0, 0.0};
    while (run.record->step < middle + half) {
      rigid_run_step(&run);
      deepest = fmin(deepest, run.record->gap[0]), highest = fmax(highest, run.record->gap[0]);
      open += run.record->n_active == 0;
      growth = fmax(growth, rigid_run_energy(&run) - energy);
      energy = rigid_run_energy(&run);
      if (run.record->step == middle) state[0] = -run.q[2] / degree, state[1] = -run.v[2];
      if (run.record->step > middle - half) sum += run.record->p[0];
    }
    if (show())
      fprintf(stderr,
              "# phi %.6f (%.6f) u_phi %.7f (%.7f) lambda %.6f (%.6f), %d open, gap %.1e .. %.1e, E + %.1e\n",
              state[0], at[k][1], state[1], at[k][2], sum / (2.0 * window), at[k][3], open, deepest, highest,
              growth);
    near(state[0], at[k][1], 2e-3 * at[k][1]);
    near(state[1], at[k][2], 2e-3 * at[k][2]);
    near(sum / (2.0 * window), at[k][3], 2e-3 * at[k][3]);
  }
  ck_assert_double_ge(deepest, -10.0 * h);
  ck_assert_double_le(highest, 10.0 * h);
  if (_i == 1) ck_assert_double_le(growth, 1e-12 * energy);
  rigid_run_close(&run);
}
END_TEST

/* ---- the frictionless rocking block ------------------------------------------------------------------------------------- */

START_TEST(the_frictionless_block_rocks_into_rest) {
  static const double corners[4] = {0.5, -0.75, -0.5, -0.75}; /* contacts 1 and 2 of the table */
  static const struct {
    double t;
    int contact;
    double p, v_y, spin;
  } impact[6] = {{0.1837514838, 2, 1.8916032, 0.0890012, -2.3818925},
                 {0.2962968644, 1, 1.7941021, 0.7790330, 0.5846903},
                 {0.4726932339, 2, 1.0081216, 0.0567062, -1.1774380},
                 {0.5185765810, 1, 0.7738748, 0.3804654, 0.2103708},
                 {0.6146458470, 2, 0.5211691, -0.0408049, -0.7499805},
                 {0.6175555293, 1, 0.3466405, 0.2772915, -0.1109224}};
  static const double energy_at[3][2] = {{0.25, 8.957548}, {0.5, 7.714286}, {0.75, 7.357975}};
  const double h = 1e-5;
  const prc_step_options options = rigid_options(PRC_IMPACT_NEWTON, h, 1.0 / 1.8);
  rigid_case c;
  rigid_run run;
  rigid_case_one(&c, 3.25 / 12.0, 9.81);
  c.body[0].position[1] = 1.0, c.body[0].angle = 0.2;
  rigid_case_contact(&c, 0, ground, 2, corners, 0.0)->restitution = 0.5;
  rigid_run_open(&run, &c, &options);
  double rest = 0.0;
  int n = 0, mark = 0;
  while (run.record->t < 0.9) {
    rigid_run_step(&run);
    for (int a = 0; a < 2 && n < 6; a++) {
      if (!(run.record->p[2 * a] > 0.0)) continue;
      if (show())
        fprintf(stderr, "# impact t %.5f (%.5f) contact %d p %.6f (%.6f) v_y %.6f (%.6f) spin %.6f (%.6f)\n",
                run.record->t, impact[n].t, a + 1, run.record->p[2 * a], impact[n].p, run.v[1], impact[n].v_y,
                run.v[2], impact[n].spin);
      ck_assert_int_eq(a + 1, impact[n].contact);
      near(run.record->t, impact[n].t, 20.0 * h);
      near(run.record->p[2 * a], impact[n].p, 100.0 * h);
      near(run.v[1], impact[n].v_y, 200.0 * h);
      near(run.v[2], impact[n].spin, 500.0 * h);
      n++;
    }
    if (mark < 3 && run.record->t > energy_at[mark][0] - 0.5 * h) {
      near(rigid_run_energy(&run), energy_at[mark][1], 200.0 * h);
      mark++;
    }
    if (fabs(run.v[1]) + fabs(run.v[2]) > 1e-2) rest = run.record->t;
    ck_assert_double_eq(run.q[0], 0.0);
    ck_assert_double_eq(run.record->p[1], 0.0);
  }
  if (show())
    fprintf(stderr, "# rest at %.5f, y %.7f, angle %.2e, v %.1e %.1e\n", rest, run.q[1], run.q[2], run.v[1],
            run.v[2]);
  ck_assert_int_eq(n, 6);
  near(rest, 0.7621, 0.01);
  near(run.q[1], 0.75, 1e-4);
  near(run.q[2], 0.0, 1e-4);
  rigid_run_close(&run);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("rigid_rolling");
  TCase *discs = tcase_create("discs"), *rod = tcase_create("rod"), *block = tcase_create("block");
  tcase_add_loop_test(discs, the_rotating_ball_slides_then_rolls, 0, 2);
  tcase_add_test(discs, the_slowly_rotating_ball_sticks_in_the_impact);
  tcase_add_test(discs, the_bouncing_ball_comes_to_rest);
  tcase_add_test(discs, the_ball_settles_in_the_corner);
  suite_add_tcase(s, discs);
  tcase_add_loop_test(rod, the_painleve_rod_slides_as_its_equation_says, 0, 2);
  suite_add_tcase(s, rod);
  tcase_add_test(block, the_frictionless_block_rocks_into_rest);
  suite_add_tcase(s, block);
  return s;
}

int main(void) {
  return support_run(suite());
}
