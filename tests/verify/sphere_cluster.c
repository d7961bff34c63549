/* Spheres in space that do not turn, by the scheme on positions of Maury 2006: a cluster falls as one onto a floor in steps of three diameters. In
 * one layer it is the cluster of discs, whose numbers are known; in space each step is judged by the conditions of its quadratic programme. */
#include "config.h"
#include "step/step.h"
#include "support/spheres.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

static void near(double value, double expected, double tolerance) {
  ck_assert_msg(fabs(value - expected) <= tolerance, "%.15g, expected %.15g +- %g", value, expected,
                tolerance);
}

typedef struct {
  spheres s;
  prc_spatial *spatial;
  prc_stepper *stepper;
  const prc_step_record *r;
  double mass;
} cluster;

static void open_cluster(cluster *c, const int n[3], double h, double tolerance) {
  prc_step_options options = prc_step_options_default(h);
  options.scheme = "position", options.theta = 1.0;
  options.cone.tolerance = tolerance;
  prc_error_clear(&err);
  support_ok(spheres_make(n, &c->s, &err), &err);
  support_ok(prc_spatial_create(&c->s.model, &c->spatial, &err), &err);
  const prc_system *system = prc_spatial_system(c->spatial);
  double *q = calloc(2 * (size_t)system->space.nq, sizeof *q);
  ck_assert_ptr_nonnull(q);
  prc_spatial_initial(c->spatial, q, q + system->space.nq);
  support_ok(prc_stepper_create(system, &options, &c->stepper, &err), &err);
  support_ok(prc_stepper_start(c->stepper, q, q + system->space.nq, &err), &err);
  free(q);
  c->r = prc_stepper_record(c->stepper);
  c->mass = 0.0;
  for (int b = 0; b < c->s.floor; b++) c->mass += c->s.body[b].mass;
}
static void step(cluster *c) {
  support_ok(prc_stepper_step(c->stepper, &err), &err);
  c->r = prc_stepper_record(c->stepper);
  ck_assert(c->r->cone.converged);
}
static void close_cluster(cluster *c) {
  prc_stepper_free(&c->stepper);
  prc_spatial_free(&c->spatial);
  spheres_free(&c->s);
}

static double energy_of(const cluster *c) {
  double sum = 0.0;
  for (int i = 0; i < 3 * c->s.floor; i++) sum += 0.5 * c->s.body[i / 3].mass * c->r->v[i] * c->r->v[i];
  return sum;
}
static double mean_of(const cluster *c, const double *x, int k) {
  double sum = 0.0;
  for (int b = 0; b < c->s.floor; b++) sum += c->s.body[b].mass * x[3 * b + k];
  return sum / c->mass;
}

/* 10 rows of 20, side by side in a plane: the numbers of the discs' case, which stand there. */
START_TEST(one_layer_is_the_cluster_of_discs) {
  static const double energy[5] = {47.389822, 9.404096, 8.064383, 7.542672, 7.387851};
  static const double momentum[5] = {-133.202809, -30.562371, -20.127627, -14.735916, -12.942017};
  static const double height[5] = {0.12484447, 0.11018969, 0.10053841, 0.09347247, 0.08726672};
  cluster c = {.mass = 0.0};
  open_cluster(&c, (const int[3]){20, 1, 10}, 0.1, 1e-11);
  near(c.mass, 208.548776872, 1e-8);
  for (int k = 0; k < 10; k++) {
    step(&c);
    if (k < 5) {
      near(energy_of(&c), energy[k], 1e-6 * energy[k]);
      near(c.mass * mean_of(&c, c.r->v, 2), momentum[k], 1e-6 * fabs(momentum[k]));
      near(mean_of(&c, c.r->q, 2), height[k], 1e-8);
    }
    near(mean_of(&c, c.r->v, 0), 0.0, 1e-14);
    for (int b = 0; b < c.s.floor; b++) ck_assert(c.r->q[3 * b + 1] == 0.0 && c.r->v[3 * b + 1] == 0.0);
  }
  near(energy_of(&c), 6.886571, 1e-5);
  near(mean_of(&c, c.r->q, 2), 0.06965239, 1e-6);
  close_cluster(&c);
}
END_TEST

/* Every pair, whether it was listed or not: the gap after the step, which the distance of spheres, being convex, leaves no less than the linear one. */
static double least_gap(const cluster *c) {
  double least = INFINITY;
  for (int i = 0; i < c->s.floor; i++) {
    const double *x = c->r->q + 3 * i, radius = c->s.part[i].radius;
    least = fmin(least, x[2] - radius);
    for (int j = 0; j < i; j++) {
      const double *y = c->r->q + 3 * j;
      const double square =
          (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
      const double sum = radius + c->s.part[j].radius;
      if (square < 4.0 * sum * sum) least = fmin(least, sqrt(square) - sum);
    }
  }
  return least;
}

/* 9 x 8 x 7: no two overlap, no pushing contact stays open, none pulls, the changes of velocities are what percussions make of them, and energy falls;
 * along x and y nothing but rounding moves the whole. */
START_TEST(a_cluster_in_space_falls_on_the_floor) {
  cluster c = {.mass = 0.0};
  const double h = 0.1;
  open_cluster(&c, (const int[3]){9, 8, 7}, h, 1e-11);
  double before = energy_of(&c), pushes = 0.0, *change = calloc(3 * (size_t)c.s.floor + 3, sizeof *change);
  ck_assert_ptr_nonnull(change);
  for (int k = 0; k < 8; k++) {
    step(&c);
    ck_assert_double_ge(least_gap(&c), -1e-10);
    const double after = energy_of(&c);
    ck_assert_double_le(after, before * (1.0 + 1e-12));
    before = after;
    for (int i = 0; i < 2; i++) near(mean_of(&c, c.r->v, i), 0.0, 1e-14);
    const int dim = c.r->dim;
    for (int i = 0; i < 3 * c.s.floor; i++) change[i] = c.s.body[i / 3].mass * (c.r->v[i] - c.r->v_old[i]);
    for (int i = 0; i < c.r->n_contacts; i++) {
      const double *p = c.r->p + dim * i, linear = c.r->gap_old[i] + h * c.r->u_work[dim * i];
      ck_assert_double_ge(p[0], 0.0);
      for (int row = 1; row < dim; row++) ck_assert(p[row] == 0.0);
      ck_assert_double_ge(linear, -1e-10);
      near(fmin(p[0], linear), 0.0, 1e-10);
      pushes += p[0] > 0.0;
    }
    const prc_rows *H = &c.r->contacts->H;
    for (int i = 0; i < H->n; i++)
      for (int d = H->start[i]; d < H->start[i + 1]; d++) {
        const int dof = H->dof[d];
        if (dof < 3 * c.s.floor) change[dof] -= H->x[dim * H->start[i] + d - H->start[i]] * c.r->p[dim * i];
      }
    for (int i = 0; i < 3 * c.s.floor; i++) near(change[i], 0.0, 1e-13);
  }
  ck_assert_double_gt(pushes, 2000.0);
  ck_assert_double_lt(mean_of(&c, c.r->q, 2), 0.05);
  free(change);
  close_cluster(&c);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sphere cluster");
  TCase *tc = tcase_create("sphere cluster");
  tcase_set_timeout(tc, 60.0);
  tcase_add_test(tc, one_layer_is_the_cluster_of_discs);
  tcase_add_test(tc, a_cluster_in_space_falls_on_the_floor);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}
