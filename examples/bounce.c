/* A system of one's own, stepped by libpercuss: a point mass that bounces on a rough floor. It prints time, x and y.
 *
 *   cc -std=c17 bounce.c $(pkg-config --cflags --libs percuss) -o bounce && ./bounce
 *
 * A prc_system says what a scheme needs: the mass matrix, the loads, and for each contact its gap, its normal and tangent,
 * friction and restitution. K, damping and prescribed motions may be added; see system/system.h. */
#include <step/step.h>
#include <stdio.h>

static prc_status weight(void *body, double t, double *F, prc_error *err) {
  (void)body, (void)t, (void)err;
  return F[0] = 0.0, F[1] = -9.81, PRC_OK;
}
static void gap(void *body, const double *q, double *g) {
  (void)body, g[0] = q[1];
}
static void directions(void *body, const double *q, double *H) { /* normal (0, 1), tangent (1, 0) */
  (void)body, (void)q, H[0] = 0, H[1] = 1, H[2] = 1, H[3] = 0;
}

int main(void) {
  prc_sym M = {.n = 2, .p = (int[]){0, 1, 2}, .i = (int[]){0, 1}, .x = (double[]){1, 1}}; /* lower triangle */
  prc_system ball = {.n_dof = 2,
                     .dim = 2,
                     .M = &M,
                     .force = weight,
                     .force_constant = 1,
                     .n_contacts = 1,
                     .mu = (double[]){0.1},
                     .e = (double[]){0.5},
                     .H_start = (int[]){0, 2},
                     .H_dof = (int[]){0, 1},
                     .H_constant = 1,
                     .length = 1,
                     .velocity = 100,
                     .gap = gap,
                     .directions = directions};
  prc_step_options options = prc_step_options_default(1e-3);
  prc_stepper *stepper = NULL;
  prc_error err = {0};
  prc_status status = prc_stepper_create(&ball, &options, &stepper, &err);
  if (status == PRC_OK) status = prc_stepper_start(stepper, (double[]){0, 1}, (double[]){1, 0}, &err);
  for (int k = 1; status == PRC_OK && k <= 1000; k++) {
    status = prc_stepper_step(stepper, &err);
    const double *q = prc_stepper_record(stepper)->q;
    if (k % 100 == 0) printf("%g %g %g\n", 1e-3 * k, q[0], q[1]);
  }
  if (status != PRC_OK) fprintf(stderr, "%s\n", err.message);
  prc_stepper_free(&stepper);
  return status != PRC_OK;
}
