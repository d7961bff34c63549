/* A manufactured solution of elastodynamics: the orders of the elements in space and of the scheme in time. */
#include "config.h"
#include "support/rig.h"
#include "support/support.h"

#include <math.h>

static const double pi = 3.14159265358979323846, E0 = 2.5, nu0 = 0.25, rho0 = 1.5, omega = 2.0;

static prc_error err;

/* On the unit square, plane strain: u_x = u_y = g(t) sin(pi x) sin(pi y), g = sin(omega t), held at the rim. With
 * S = sin(pi x) sin(pi y) and C = cos(pi x) cos(pi y) the equation of motion asks for the body force
 *   rho g'' S + g pi^2 [(lambda + 3 mu) S - (lambda + mu) C]   in x and y. */
static prc_status displacement(const prc_field *f, double x, double y, double t, double *value,
                               prc_error *e) {
  (void)f, (void)e;
  *value = sin(omega * t) * sin(pi * x) * sin(pi * y);
  return PRC_OK;
}

static prc_status velocity(const prc_field *f, double x, double y, double t, double *value, prc_error *e) {
  (void)f, (void)e;
  *value = omega * cos(omega * t) * sin(pi * x) * sin(pi * y);
  return PRC_OK;
}

static prc_status body_force(const prc_field *f, double x, double y, double t, double *value, prc_error *e) {
  const double lambda = E0 * nu0 / ((1.0 + nu0) * (1.0 - 2.0 * nu0)), mu = 0.5 * E0 / (1.0 + nu0),
               g = sin(omega * t);
  const double S = sin(pi * x) * sin(pi * y), C = cos(pi * x) * cos(pi * y);
  (void)f, (void)e;
  *value = -rho0 * omega * omega * g * S + g * pi * pi * ((lambda + 3.0 * mu) * S - (lambda + mu) * C);
  return PRC_OK;
}

static void start(rig *r, int type, int n, double h, double theta) {
  const plate p = {.type = type, .nx = n, .ny = n, .width = 1.0, .height = 1.0};
  const prc_field force = {.eval = body_force, .uses_time = 1, .uses_place = 1};
  prc_step_options o = prc_step_options_default(h);
  o.theta = theta;
  rig_open(r, &p, (const double[3]){E0, nu0, rho0});
  r->model.plane = PRC_PLANE_STRAIN;
  r->model.body_force[0] = r->model.body_force[1] = force;
  for (int k = 0; k < 4; k++) rig_hold(r, k, k, 1, 1);
  rig_build(r);
  double *q = rig_room((size_t)r->system->space.nv), *v = rig_room((size_t)r->system->space.nv);
  for (int i = 0; i < r->system->space.nv; i++) {
    const double *x = r->mesh->x + (i - i % 2);
    support_ok(velocity(NULL, x[0], x[1], 0.0, &v[i], &err), &err);
  }
  rig_start(r, &o, q, v);
  prc_delete(&q);
  prc_delete(&v);
}

/* ---- in space ---------------------------------------------------------------------------------------------------- */

/* Relative errors at t = 0.4, after h so small that time adds nothing that shows. */
static prc_fem_norms error_of(int type, int n, double h) {
  const prc_field u = {.eval = displacement, .uses_time = 1, .uses_place = 1},
                  v = {.eval = velocity, .uses_time = 1, .uses_place = 1};
  const prc_fem_exact exact = {{u, u}, {v, v}};
  prc_fem_norms error, size;
  rig r;
  start(&r, type, n, h, 0.5);
  rig_step(&r, (int)lround(0.4 / h));
  double *now_v = rig_room((size_t)r.system->space.nv);
  prc_stepper_state(r.stepper, now_v, NULL, NULL);
  support_ok(prc_fem_errors(r.fem, &exact, r.record->t, r.record->q, now_v, &error, &size, &err), &err);
  prc_delete(&now_v);
  rig_close(&r);
  return (prc_fem_norms){error.displacement / size.displacement, error.elastic / size.elastic,
                         error.velocity / size.velocity, error.kinetic / size.kinetic};
}

static void expect_order(const char *what, int type, const double e[3], double order, double bound) {
  for (int k = 0; k < 2; k++)
    ck_assert_msg(fabs(log2(e[k] / e[k + 1]) - order) <= 0.3,
                  "%s, type %d: errors %.3e %.3e %.3e, expected order %g", what, type, e[0], e[1], e[2],
                  order);
  ck_assert_msg(e[2] <= bound, "%s, type %d: error %.3e, expected at most %.3e", what, type, e[2], bound);
}

START_TEST(errors_fall_at_the_order_of_the_element) {
  static const int types[] = {2, 3, PLATE_LINEAR_MIX, 9, 16, 10, PLATE_QUADRATIC_MIX};
  const int quadratic = _i >= 3, coarsest = quadratic ? 3 : 6;
  double u[3], strain[3];
  for (int k = 0; k < 3; k++) {
    const prc_fem_norms e = error_of(types[_i], coarsest << k, quadratic ? 0.004 : 0.01);
    u[k] = e.displacement, strain[k] = e.elastic;
  }
  expect_order("displacement", types[_i], u, quadratic ? 3.0 : 2.0, quadratic ? 1e-3 : 1e-2);
  expect_order("strain", types[_i], strain, quadratic ? 2.0 : 1.0, quadratic ? 2e-2 : 1.2e-1);
}
END_TEST

/* ---- in time ------------------------------------------------------------------------------------------------------- */

/* On one mesh: the distance from the same mesh with steps so small that their error does not count. */
static double distance(int steps, double theta, const double *reference) {
  rig r;
  double sum = 0.0;
  start(&r, 16, 4, 0.8 / steps, theta);
  rig_step(&r, steps);
  const prc_step_record *now = r.record;
  for (int i = 0; i < now->n; i++) sum += pow(now->q[i] - reference[i], 2.0);
  rig_close(&r);
  return sqrt(sum);
}

START_TEST(time_is_second_order_at_one_half_and_first_order_above) {
  static const double thetas[] = {0.5, 0.6, 1.0};
  double e[3], *reference = NULL, size = 0.0;
  rig r;
  start(&r, 16, 4, 0.8 / 1280, 0.5);
  rig_step(&r, 1280);
  const prc_step_record *now = r.record;
  support_ok(prc_new(&reference, now->n, &err), &err);
  for (int i = 0; i < now->n; i++) reference[i] = now->q[i], size += now->q[i] * now->q[i];
  rig_close(&r);
  for (int k = 0; k < 3; k++) e[k] = distance(40 << k, thetas[_i], reference) / sqrt(size);
  expect_order("time", 16, e, _i == 0 ? 2.0 : 1.0, _i == 0 ? 1e-4 : _i == 1 ? 4e-3 : 2e-2);
  prc_delete(&reference);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("manufactured");
  TCase *orders = tcase_create("orders");
  prc_dense_single_thread();
  tcase_set_timeout(orders, 60.0);
  tcase_add_loop_test(orders, errors_fall_at_the_order_of_the_element, 0, 7);
  tcase_add_loop_test(orders, time_is_second_order_at_one_half_and_first_order_above, 0, 3);
  suite_add_tcase(suite, orders);
  return support_run(suite);
}
