/* A law of friction of one's own: lubricated friction, mu = mu_0 + c |u_T|, under a block that slides to rest; against the closed form.
 *
 *   cc -std=c17 own_law.c $(pkg-config --cflags --libs percuss) -lm -o own_law && ./own_law
 *
 * dv/dt = -g (mu_0 + c v) gives v = (v_0 + mu_0/c) exp(-g c t) - mu_0/c until v = 0, at t = log(1 + c v_0/mu_0) / (g c). A law is a
 * prc_friction: mu of its parameters, of a state (none here) and of the speed. A contact names it in its prc_law. */
#include <percuss/step/step.h>

#include <math.h>
#include <stdio.h>

static const double g = 9.81, mu_0 = 0.1, c = 0.2, v_0 = 3.0, h = 1e-3;

/* ---- the law ---- */

static double friction(const double *parameter, const double *state, double speed, double *slope) {
  (void)state;
  if (slope) *slope = parameter[1];
  return parameter[0] + parameter[1] * speed;
}
/* Refused where they mean nothing: a friction below zero would make energy. */
static prc_status check(const double *parameter, prc_error *err) {
  const prc_status status = prc_law_expect("mu_0", parameter[0], 0.0, 1e3, err);
  return status == PRC_OK ? prc_law_expect("c", parameter[1], 0.0, 1e3, err) : status;
}
static const char *const parameters[] = {"mu_0", "c"};
static const prc_friction lubricated = {.name = "lubricated",
                                        .help = "mu_0 + c |u_T|",
                                        .n_parameters = 2,
                                        .parameter = parameters,
                                        .check = check,
                                        .friction = friction,
                                        .of_speed = 1}; /* mu is that of the speed which the step finds */

/* ---- the block ---- */

static prc_status weight(void *owner, const prc_at *at, double *F, prc_error *err) {
  (void)owner, (void)at, (void)err;
  return F[0] = 0.0, F[1] = -g, PRC_OK;
}
static prc_status find(void *owner, const prc_at *at, double step, double reach, prc_contact_set *set,
                       prc_error *err) {
  (void)at, (void)step, (void)reach;
  return prc_contact_set_add(
      set, &(prc_contact){.body = {-1, 0}, .n_dof = 2, .dof = (int[]){0, 1}, .law = owner}, err);
}
/* The normal row first: it is the derivative of the gap. */
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  static const double H[] = {0, 1, 1, 0};
  (void)owner;
  if (what & PRC_EVALUATE_GAP) set->gap[0] = at->q[1];
  for (int i = 0; (what & PRC_EVALUATE_H) && i < 4; i++) set->H.x[i] = H[i];
}

int main(void) {
  prc_sym M = {.n = 2, .p = (int[]){0, 1, 2}, .i = (int[]){0, 1}, .x = (double[]){1, 1}};
  prc_law law = {.friction = &lubricated, .parameter = {mu_0, c}};
  const prc_system block = {.space = {.nv = 2},
                            .dynamics = {.M = &M, .loads = weight},
                            .contacts = {.dim = 2, .find = find, .evaluate = evaluate},
                            .length = 1,
                            .velocity = 100,
                            .owner = &law};
  prc_step_options options = prc_step_options_default(h);
  options.theta = 1; /* friction at the end of the step: what slides comes to rest */
  const double rest = log(1 + c * v_0 / mu_0) / (g * c);
  double off = 0, stopped = 0;
  prc_stepper *stepper = NULL;
  prc_error err = {0};
  prc_status status =
      prc_system_check_at(&block, &(prc_at){0, (double[]){0, 0.5}, (double[]){v_0, 0}}, h, &err);
  if (status == PRC_OK) status = prc_stepper_create(&block, &options, &stepper, &err);
  if (status == PRC_OK) status = prc_stepper_start(stepper, (double[]){0, 0}, (double[]){v_0, 0}, &err);
  for (int k = 1; status == PRC_OK && k * h < 1.2 * rest; k++) {
    status = prc_stepper_step(stepper, &err);
    const double t = k * h, v = prc_stepper_record(stepper)->v[0];
    const double exact = t < rest ? (v_0 + mu_0 / c) * exp(-g * c * t) - mu_0 / c : 0;
    off = fmax(off, fabs(v - exact));
    if (v > 1e-9) stopped = t + h;
  }
  if (status == PRC_OK) {
    printf("largest error of the velocity: %.2g of %g\n", off, v_0);
    printf("at rest at %.4g, expected %.4g\n", stopped, rest);
  } else
    fprintf(stderr, "%s\n", err.message);
  prc_stepper_free(&stepper);
  return status != PRC_OK || !(off < 2 * h * g * (mu_0 + c * v_0)) || !(fabs(stopped - rest) < 2 * h);
}
