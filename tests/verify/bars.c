/* Elastic bars, in closed form. With nu = 0 a strip of triangles is a bar: u_y = 0 and u_x = u(x, t) solve the plane
 * problem. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* E = 4, rho = 1: c = 2; the bar is 8 long, 1 wide and thick, so that a wave crosses it in 4 */
static const double length = 8.0, speed = 2.0, pi = 3.14159265358979323846;

static void bar_case(block *b, const prc_mesh *mesh) {
  block_case(b, mesh);
  b->material.young = 4.0, b->material.poisson = 0.0, b->material.density = 1.0;
  b->model.thickness = 1.0;
  b->model.gravity[1] = prc_field_constant(0.0);
  b->preloaded = 0;
  block_without_load(b), block_without_contact(b);
}

static void hold_left(block *b) {
  b->support.group = prc_mesh_find(b->mesh, 1, "left");
  b->support.held[0] = 1, b->support.held[1] = 0;
  b->support.displacement[0] = prc_field_constant(0.0);
}

static double slope(double coarse, double fine) {
  return log2(fabs(coarse) / fabs(fine));
}

/* Three meshes and h with them, all halved: second order is a slope of 2, with an error as small as expected. */
static void expect_second_order(const double error[3], double bound) {
  for (int k = 0; k < 2; k++)
    ck_assert_msg(fabs(slope(error[k], error[k + 1]) - 2.0) <= 0.3, "errors %.3e %.3e %.3e", error[0],
                  error[1], error[2]);
  ck_assert_msg(fabs(error[2]) <= bound, "error %.3e, expected at most %.3e", error[2], bound);
}

/* phi' m over the x dofs */
static double modal(const block *b, const double *phi) {
  double sum = 0.0;
  for (int i = 0; i < b->record->n; i++) sum += phi[i] * b->record->m[i];
  return sum;
}

/* The fixed-free bar let go with the velocity of its first mode, sin(pi x / 2L): the modal velocity is cos(omega t), and
 * its third zero is at 5/4 of a period. */
static double first_frequency(int nx) {
  prc_mesh *mesh = block_strip(nx, nx / 8, length, 1.0);
  block b;
  bar_case(&b, mesh);
  hold_left(&b);
  b.step.h = 0.5 * length / nx / speed;
  block_prepare(&b);
  for (int a = 0; a < mesh->n_nodes; a++) b.v0[2 * a] = sin(0.5 * pi * mesh->x[2 * a] / length);
  block_begin(&b);
  double before = modal(&b, b.v0), now = before, t = 0.0;
  for (int zeros = 0; zeros < 3; before = now) {
    block_step(&b, 1);
    now = modal(&b, b.v0);
    if (before * now > 0.0) continue;
    t = b.record->t - b.step.h * now / (now - before); /* cos is straight where it is zero: third order */
    zeros++;
  }
  block_free(&b);
  prc_mesh_free(&mesh);
  return 2.5 * pi / t;
}

START_TEST(the_first_frequency_of_a_bar_converges) {
  const double exact = 0.5 * pi * speed / length;
  double error[3];
  for (int k = 0; k < 3; k++) error[k] = first_frequency(8 << k) / exact - 1.0;
  /* k dx = pi / 64 on the last mesh: (k dx)^2 / 24 of the consistent mass, less (omega h)^2 / 12 */
  expect_second_order(error, 2e-4);
  ck_assert_double_gt(error[2], 0.0); /* a consistent mass makes it too stiff */
}
END_TEST

/* The free end under a force that grows as sin^2 and goes again: d'Alembert gives the velocity f(t - (L - x)/c) / (rho c)
 * everywhere before the wave comes back; smooth, so the order shows. */
static prc_status pulse(const prc_field *field, double x, double y, double t, double *value, prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = t <= 0.0 || t >= 3.0 ? 0.0 : pow(sin(pi * t / 3.0), 2.0);
  return PRC_OK;
}

static double wave_error(int nx, double theta) {
  prc_mesh *mesh = block_strip(nx, 2, length, 1.0);
  const int steps = nx; /* to t = 3.5: the front is 1 before the wall at x = 0 */
  block b;
  bar_case(&b, mesh);
  hold_left(&b);
  b.load.group = prc_mesh_find(mesh, 1, "right");
  b.load.traction[0] = (prc_field){.eval = pulse, .uses_time = 1};
  b.model.n_loads = 1;
  b.step.theta = theta;
  b.step.h = 3.5 / steps;
  block_start(&b);
  block_step(&b, steps);
  double sum = 0.0;
  for (int i = 0; i < b.record->n; i++) {
    const int a = i / 2;
    double exact;
    ck_assert_int_eq(pulse(NULL, 0.0, 0.0, 3.5 - (length - mesh->x[2 * a]) / speed, &exact, NULL), PRC_OK);
    if (i % 2 == 0) sum += pow(b.record->v[i] - exact / speed, 2.0); /* rho c = c */
  }
  block_free(&b);
  prc_mesh_free(&mesh);
  return sqrt(sum / (3.0 * (nx + 1)));
}

START_TEST(a_wave_travels_at_the_speed_of_sound) {
  double error[3];
  for (int k = 0; k < 3; k++) error[k] = wave_error(32 << k, 0.5);
  expect_second_order(error, 0.005 / speed); /* 0.5 % of the pulse's height, in the mean of squares */
}
END_TEST

START_TEST(a_wave_is_first_order_with_theta_above_one_half) {
  double error[3];
  for (int k = 0; k < 3; k++) error[k] = wave_error(64 << k, 0.8);
  for (int k = 0; k < 2; k++)
    ck_assert_msg(fabs(slope(error[k], error[k + 1]) - 1.0) <= 0.3, "errors %.3e %.3e %.3e", error[0],
                  error[1], error[2]);
}
END_TEST

/* ---- impact ----------------------------------------------------------------------------------------------------- */

/* A bar that falls with velocity 1 on its end: it stays for 2 L / c, the force is rho c v A, and it leaves with its
 * velocity turned round. The restitution of the contact nodes is 0: the rebound is the bar's. */
typedef struct {
  double duration, force, rebound, lost; /* lost: of the kinetic energy */
} impact;

static impact strike(int ny, prc_impact law) {
  prc_mesh *mesh = block_strip(2, ny, 1.0, length);
  impact seen = {0};
  double impulse = 0.0, momentum = 0.0, whole = 2.0 * 1.0 * length; /* 2 m v */
  block b;
  bar_case(&b, mesh);
  b.model.n_contacts = 1, b.model.n_supports = 0;
  b.contact.friction = prc_field_constant(0.0);
  b.step.law = law;
  b.step.h = 0.25 * length / ny / speed;
  block_prepare(&b);
  for (int a = 0; a < mesh->n_nodes; a++) b.v0[2 * a + 1] = -1.0;
  block_begin(&b);
  const double energy = block_energy(&b);
  while (b.record->t < 1.5 * 2.0 * length / speed) {
    double p = 0.0;
    block_step(&b, 1);
    for (int c = 0; c < b.record->n_contacts; c++) p += b.record->p[2 * c];
    impulse += p;
    if (p > 0.0) seen.duration = b.record->t;
  }
  for (int i = 0; i < b.record->n; i++)
    if (i % 2) momentum += b.record->m[i];
  ck_assert_int_ne(block_certificate(&b).verdict, PRC_FAIL);
  ck_assert_double_eq_tol(impulse - 0.5 * whole, momentum, 1e-11 * whole);
  seen.force = impulse / seen.duration;
  seen.rebound = momentum / (0.5 * whole);
  seen.lost = 1.0 - block_energy(&b) / energy;
  block_free(&b);
  prc_mesh_free(&mesh);
  return seen;
}

START_TEST(a_bar_that_strikes_a_floor_leaves_after_two_crossings) {
  const double stay = 2.0 * length / speed, force = speed; /* rho c v A */
  double kept[3], lost[3];
  for (int k = 0; k < 3; k++) {
    const impact seen = strike(32 << k, _i ? PRC_IMPACT_NEWTON : PRC_IMPACT_FREMOND);
    kept[k] = fabs(seen.rebound - 1.0), lost[k] = seen.lost;
    /* the front is some elements wide: two of 32 are 3 % of the two crossings */
    ck_assert_double_le(fabs(seen.duration / stay - 1.0), 0.03);
    ck_assert_double_le(fabs(seen.force / force - 1.0), 0.03);
  }
  for (int k = 0; k < 2;
       k++) { /* what stays behind as vibration, and what the nodes lose, goes with the mesh */
    ck_assert_double_lt(kept[k + 1], 0.85 * kept[k]);
    ck_assert_double_lt(lost[k + 1], 0.85 * lost[k]);
  }
  ck_assert_double_ge(lost[2], 0.0);
  ck_assert_double_le(kept[2], 0.02);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bars");
  TCase *waves = tcase_create("waves"), *impacts = tcase_create("impacts");
  tcase_add_test(waves, the_first_frequency_of_a_bar_converges);
  tcase_add_test(waves, a_wave_travels_at_the_speed_of_sound);
  tcase_add_test(waves, a_wave_is_first_order_with_theta_above_one_half);
  tcase_add_loop_test(impacts, a_bar_that_strikes_a_floor_leaves_after_two_crossings, 0, 2);
  suite_add_tcase(suite, waves);
  suite_add_tcase(suite, impacts);
  return support_run(suite);
}
