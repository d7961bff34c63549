/* A system of one's own, stepped by libpercuss: a point mass that bounces on a rough floor. It prints time, x and y.
 *
 *   cc -std=c17 bounce.c $(pkg-config --cflags --libs percuss) -o bounce && ./bounce
 *
 * A prc_system says what a scheme needs: the mass matrix, the loads, and contacts: which there are, by what law, and where it is asked for
 * their gaps, normals and tangents. K, damping, prescribed motions, contacts that come and go may be added; see system/system.h. */
#include <percuss/step/step.h>
#include <stdio.h>

static prc_status weight(void *owner, const prc_at *at, double *F, prc_error *err) {
  (void)owner, (void)at, (void)err;
  return F[0] = 0.0, F[1] = -9.81, PRC_OK;
}
static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  (void)at, (void)h, (void)reach;
  return prc_contact_set_add(
      set, &(prc_contact){.body = {-1, 0}, .n_dof = 2, .dof = (int[]){0, 1}, .law = owner}, err);
}
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  static const double H[] = {0, 1, 1, 0}; /* normal (0, 1), tangent (1, 0) */
  (void)owner, set->gap[0] = at->q[1];
  for (int i = 0; (what & PRC_EVALUATE_H) && i < 4; i++) set->H.x[i] = H[i];
}

int main(void) {
  prc_sym M = {.n = 2, .p = (int[]){0, 1, 2}, .i = (int[]){0, 1}, .x = (double[]){1, 1}}; /* lower triangle */
  prc_law law = prc_law_coulomb(0.1, 0.5, 0.0); /* friction, restitution */
  prc_system ball = {.space = {.nv = 2},
                     .dynamics = {.M = &M, .loads = weight},
                     .contacts = {.dim = 2, .find = find, .evaluate = evaluate},
                     .length = 1,
                     .velocity = 100,
                     .owner = &law};
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
