/* Pulses: a longitudinal, a shear and a Rayleigh wave travel at their speeds, to the dispersion of the elements and of the scheme.
 *
 * What is measured is the phase of each wave number k of a pulse, after it has left the place where it was made. In lines of linear
 * elements of length d with consistent mass (also Q4 under a wave along its sides) a wave of speed c has the frequency
 *
 *   w_d(k)^2 = (6 c^2 / d^2) (1 - cos kd) / (2 + cos kd),   w_d / (c k) = 1 + (kd)^2 / 24 + ...,
 *
 * in quadratic ones 1 + (kd)^4 / 1440 + ...; a step of the scheme multiplies its amplitude by
 *
 *   A = (1 - i (1 - theta) z) / (1 + i theta z),   z = w_d h,   arg A = -2 atan(z / 2) for theta = 1/2. */
#include "config.h"
#include "support/rig.h"
#include "support/support.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846, material[3] = {2.5, 0.25, 1.5};

static double speed_p(void) {
  return sqrt(material[0] * (1.0 - material[1])
              / ((1.0 + material[1]) * (1.0 - 2.0 * material[1]) * material[2]));
}

static double speed_s(void) {
  return sqrt(material[0] / (2.0 * (1.0 + material[1]) * material[2]));
}

static double complex amplification(double z, double theta) {
  return (1.0 - (1.0 - theta) * z * I) / (1.0 + theta * z * I);
}

/* The coefficient of exp(i k x) of component d of u along the row of nodes at height y, from x = low on: the sum over corners, which are
 * `step` apart, exact for what is band-limited and vanishes at both ends. */
static double complex coefficient(const prc_mesh *mesh, const double *u, int d, double y, double low,
                                  double step, double k) {
  double complex sum = 0.0;
  for (int a = 0; a < mesh->n_nodes; a++) {
    const double *x = mesh->x + 2 * a, place = x[0] / step;
    if (fabs(x[1] - y) < 1e-9 && x[0] > low && fabs(place - round(place)) < 1e-6)
      sum += step * u[2 * a + d] * cexp(-k * x[0] * I);
  }
  return sum;
}

/* ---- longitudinal and shear waves -------------------------------------------------------------------------------- */

/* A strip along x, held across the motion at bottom and top (the bulk), with the pulse u = exp(-(x - 16)^2 / 2), v = -c u'. It travels 24 to
 * the right; what little is not of the right-going branch, (1 - ck / w) / 2, runs to the left, away from the window. */
typedef struct {
  int type, shear;
  double size, theta, courant;
} bulk;
enum { N_WAVES = 4 };
static const double waves[N_WAVES] = {0.5, 1.0, 1.5, 2.0}, from = 16.0, way = 24.0, length = 56.0;

/* ratio[i]: the right-going pulse at waves[i] after n steps, over that at the start; h: of the step */
static int travel(const bulk *b, double complex ratio[N_WAVES], double *h) {
  const int nx = (int)lround(length / b->size), d = b->shear;
  const plate p = {.type = b->type, .nx = nx, .ny = 2, .width = length, .height = 2.0 * b->size};
  const double c = b->shear ? speed_s() : speed_p();
  const int n = (int)lround(way / (b->courant * b->size));
  prc_step_options o = prc_step_options_default(way / c / n);
  rig r;
  o.theta = b->theta, *h = o.h;
  rig_open(&r, &p, material);
  r.model.plane = PRC_PLANE_STRAIN;
  rig_hold(&r, 0, PLATE_BOTTOM, b->shear, !b->shear);
  rig_hold(&r, 1, PLATE_TOP, b->shear, !b->shear);
  rig_build(&r);
  double *q = rig_room((size_t)r.system->space.nv), *v = rig_room((size_t)r.system->space.nv);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    const double s = r.mesh->x[2 * a] - from;
    q[2 * a + d] = exp(-0.5 * s * s), v[2 * a + d] = c * s * q[2 * a + d];
  }
  rig_start(&r, &o, q, v);
  rig_step(&r, n);
  for (int i = 0; i < N_WAVES; i++)
    ratio[i] = coefficient(r.mesh, r.record->q, d, b->size, from + 0.5 * way, b->size, waves[i])
               / coefficient(r.mesh, q, d, b->size, -1.0, b->size, waves[i]);
  prc_delete(&q);
  prc_delete(&v);
  rig_close(&r);
  return n;
}

/* _i: longitudinal and shear, theta 1/2 and 0.6. */
START_TEST(a_pulse_in_quadrilaterals_follows_their_dispersion) {
  const bulk b = {.type = 3, .shear = _i % 2, .size = 0.25, .theta = _i / 2 ? 0.6 : 0.5, .courant = 0.5};
  const double c = b.shear ? speed_s() : speed_p(), d = b.size;
  double complex ratio[N_WAVES];
  double h;
  const int n = travel(&b, ratio, &h);
  for (int i = 0; i < N_WAVES; i++) {
    const double k = waves[i], w = c / d * sqrt(6.0 * (1.0 - cos(k * d)) / (2.0 + cos(k * d)));
    const double complex expected = 0.5 * (1.0 + c * k / w) * cpow(amplification(w * h, b.theta), n);
    ck_assert_msg(cabs(ratio[i] - expected) < 1e-8, "k = %g: %.9f %+.9fi, expected %.9f %+.9fi", k,
                  creal(ratio[i]), cimag(ratio[i]), creal(expected), cimag(expected));
    if (b.theta > 0.5) continue;
    /* and so the speed is that of the wave, to (kd)^2 / 24 - (wh)^2 / 12 */
    const double phase = carg(ratio[i] * cexp(k * way * I)), speed = 1.0 - phase / (k * way);
    ck_assert_msg(fabs(speed - 1.0 - (k * k * d * d - 2.0 * c * c * k * k * h * h) / 24.0)
                      < pow(k * d, 4.0) / 100.0,
                  "k = %g: speed %.6f c", k, speed);
  }
}
END_TEST

/* What remains of the error of the speed at k = 1.5 without that of the scheme, w_d = 2 / h tan(w h / 2). */
static double dispersion(int type, int shear, double size) {
  const bulk b = {.type = type, .shear = shear, .size = size, .theta = 0.5, .courant = 0.25};
  const double c = shear ? speed_s() : speed_p(), k = waves[2];
  double complex ratio[N_WAVES];
  double h;
  const int n = travel(&b, ratio, &h);
  const double w = c * k - carg(ratio[2] * cexp(k * way * I)) / (n * h);
  return 2.0 / h * tan(0.5 * w * h) / (c * k) - 1.0;
}

/* Order 2 for linear elements, 4 for quadratic ones; Q8 and Q9 with the factor of the line. */
START_TEST(speeds_converge_at_the_order_of_the_element) {
  static const int types[] = {2, 3, 9, 16, 10};
  const int type = types[_i / 2], quadratic = _i / 2 >= 2, order = quadratic ? 4 : 2;
  double e[3];
  for (int j = 0; j < 3; j++) e[j] = dispersion(type, _i % 2, 0.5 / (1 << j));
  for (int j = 0; j < 2; j++)
    ck_assert_msg(e[j] > 0.0 && fabs(log2(e[j] / e[j + 1]) - order) < 0.3, "type %d: %.3e %.3e %.3e", type,
                  e[0], e[1], e[2]);
  const double kd = waves[2] * (quadratic ? 0.25 : 0.125),
               line = pow(kd, order) / (quadratic ? 1440.0 : 24.0);
  ck_assert_msg(e[2] < 1.2 * line, "type %d: %.3e, %.3e in a line", type, e[2], line);
}
END_TEST

/* ---- Rayleigh's wave ------------------------------------------------------------------------------------------------- */

/* c_R / c_S: (2 - s)^2 = 4 sqrt(1 - s) sqrt(1 - s kappa), s = (c_R / c_S)^2, kappa = (c_S / c_P)^2 (Rayleigh 1885); by bisection */
static double rayleigh_speed(void) {
  const double kappa = pow(speed_s() / speed_p(), 2.0);
  double low = 0.5, high = 1.0; /* of s: negative, positive */
  for (int i = 0; i < 60; i++) {
    const double s = 0.5 * (low + high), f = pow(2.0 - s, 2.0) - 4.0 * sqrt(1.0 - s) * sqrt(1.0 - s * kappa);
    if (f < 0.0)
      low = s;
    else
      high = s;
  }
  return speed_s() * sqrt(low);
}

/* u = (-sin(phi) X(y), cos(phi) Y(y)), phi = k (x - c_R t), y <= 0 from the surface:
 *   X = exp(kqy) - 2qs / (1 + s^2) exp(ksy),   Y = q (exp(kqy) - 2 / (1 + s^2) exp(ksy)),
 * q^2 = 1 - (c_R / c_P)^2, s^2 = 1 - (c_R / c_S)^2. */
static void add_rayleigh(double k, double amplitude, double x, double y, double u[2], double v[2]) {
  const double c = rayleigh_speed(), q = sqrt(1.0 - pow(c / speed_p(), 2.0)),
               s = sqrt(1.0 - pow(c / speed_s(), 2.0));
  const double P = exp(k * q * y), S = exp(k * s * y);
  const double X = amplitude * (P - 2.0 * q * s / (1.0 + s * s) * S),
               Y = amplitude * q * (P - 2.0 / (1.0 + s * s) * S);
  u[0] -= sin(k * x) * X, u[1] += cos(k * x) * Y;
  v[0] += k * c * cos(k * x) * X, v[1] += k * c * sin(k * x) * Y;
}

/* A block 16 x 3 (wave lengths of the middle of the band) on rollers but for its surface; the band is normal around k0 with a sixth of it,
 * cut at half and three halves. The pulse goes from x = 5 to x = 11, and what runs to the left stays left of 6. */
static const double k0 = 2.0 * 3.14159265358979323846, wide = 16.0, deep = 3.0;
enum { LOWEST = 16, HIGHEST = 48 }; /* of k = m pi / wide: the waves that rollers left and right admit */

static double band(int m) {
  return exp(-18.0 * pow(m * pi / wide / k0 - 1.0, 2.0));
}

static void open_half_space(rig *r, int type, int per_length) {
  const plate p = {.type = type,
                   .nx = (int)wide * per_length,
                   .ny = (int)deep * per_length,
                   .width = wide,
                   .height = deep};
  rig_open(r, &p, material);
  r->model.plane = PRC_PLANE_STRAIN;
  rig_hold(r, 0, PLATE_BOTTOM, 0, 1), rig_hold(r, 1, PLATE_LEFT, 1, 0), rig_hold(r, 2, PLATE_RIGHT, 1, 0);
  rig_build(r);
}

/* The speed of wave m of the pulse over c_R, without the error of the scheme, for each m of a list */
static void surface_speeds(int type, int per_length, int n_waves, const int *m, double *speed) {
  const double c = rayleigh_speed(), d = 1.0 / per_length;
  const int n = 24 * per_length; /* steps for 6 wave lengths */
  const prc_step_options o = prc_step_options_default(6.0 / c / n);
  rig r;
  open_half_space(&r, type, per_length);
  double *q = rig_room((size_t)r.system->space.nv), *v = rig_room((size_t)r.system->space.nv);
  for (int a = 0; a < r.mesh->n_nodes; a++)
    for (int i = LOWEST; i <= HIGHEST; i++)
      add_rayleigh(i * pi / wide, band(i), r.mesh->x[2 * a] - 5.0, r.mesh->x[2 * a + 1] - deep, q + 2 * a,
                   v + 2 * a);
  for (int i = 0; i < r.system->drive.n; i++) q[r.system->drive.dof[i]] = 0.0; /* what is left of it there */
  rig_start(&r, &o, q, v);
  rig_step(&r, n);
  for (int i = 0; i < n_waves; i++) {
    const double k = m[i] * pi / wide;
    const double complex ratio =
        coefficient(r.mesh, r.record->q, 1, deep, 6.0, d, k) / coefficient(r.mesh, q, 1, deep, -1.0, d, k);
    const double w = c * k - carg(ratio * cexp(6.0 * k * I)) / (n * o.h);
    speed[i] = 2.0 / o.h * tan(0.5 * w * o.h) / (c * k);
  }
  prc_delete(&q);
  prc_delete(&v);
  rig_close(&r);
}

/* The dispersion of the surface wave in a regular mesh of Q4: fields sin(kx) X_j, cos(kx) Y_j of one number for each row of nodes are mapped
 * on such fields by K and M, so the lowest of 2 (rows) eigenvalues among them is the frequency of the mesh. */
static double mesh_speed(int per_length, int m) {
  rig r;
  open_half_space(&r, 3, per_length);
  const double k = m * pi / wide;
  const int n = r.system->space.nv, rows = (int)deep * per_length + 1, N = 2 * rows;
  const prc_sym *matrix[2] = {r.system->dynamics.K, r.system->dynamics.M};
  double *reduced[2], *fields = rig_room((size_t)n * (size_t)N), *y = rig_room((size_t)n),
                      *lambda = rig_room((size_t)N);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    const double x = r.mesh->x[2 * a];
    const size_t row = (size_t)lround(r.mesh->x[2 * a + 1] * per_length);
    fields[2 * row * (size_t)n + 2 * (size_t)a] = x > 1e-9 && x < wide - 1e-9 ? sin(k * x) : 0.0;
    fields[(2 * row + 1) * (size_t)n + 2 * (size_t)a + 1] = cos(k * x);
  }
  for (int i = 0; i < 2; i++) {
    reduced[i] = rig_room((size_t)N * (size_t)N);
    for (int p = 0; p < N; p++) {
      prc_sym_multiply(matrix[i], fields + (size_t)p * (size_t)n, y);
      for (int s = 0; s < N; s++)
        for (int a = 0; a < n; a++) reduced[i][p * N + s] += y[a] * fields[(size_t)s * (size_t)n + (size_t)a];
    }
  }
  for (int s = 0; s < N; s++) { /* row 0 rolls: Y = 0 */
    reduced[0][N + s] = reduced[0][s * N + 1] = s == 1 ? 1e6 : 0.0;
    reduced[1][N + s] = reduced[1][s * N + 1] = s == 1 ? 1.0 : 0.0;
  }
  rig_eigen(N, reduced[0], reduced[1], lambda);
  const double speed = sqrt(lambda[0]) / (k * rayleigh_speed());
  for (int i = 0; i < 2; i++) prc_delete(&reduced[i]);
  prc_delete(&fields);
  prc_delete(&y);
  prc_delete(&lambda);
  rig_close(&r);
  return speed;
}

static const int middle[] = {28, 32, 36};

/* 16 cells a wave length. The exact field is not quite that of the mesh: what it lacks goes into the body, some per cent of the amplitude. */
START_TEST(a_surface_pulse_in_quadrilaterals_follows_their_dispersion) {
  double speed[3];
  ck_assert_double_eq_tol(rayleigh_speed() / speed_s(), 0.9194, 1e-4); /* nu = 1/4 */
  surface_speeds(3, 16, 3, middle, speed);
  for (int i = 0; i < 3; i++) {
    const double expected = mesh_speed(16, middle[i]) - 1.0;
    ck_assert_msg(fabs(expected - 0.011) < 0.004, "wave %d: %.6f c_R in the mesh", middle[i], 1.0 + expected);
    ck_assert_msg(fabs(speed[i] - 1.0 - expected) < 0.01 * expected, "wave %d: %.6f c_R, %.6f in the mesh",
                  middle[i], speed[i], 1.0 + expected);
  }
}
END_TEST

/* Cells a wave length: 8, 12, 16 linear ones, 4, 6, 8 quadratic ones. */
START_TEST(the_speed_of_surface_waves_converges_at_the_order_of_the_element) {
  static const int types[] = {2, 3, 9, 16, 10};
  const int type = types[_i], quadratic = _i >= 2, order = quadratic ? 4 : 2;
  double e[3];
  for (int j = 0; j < 3; j++) {
    surface_speeds(type, (quadratic ? 2 : 4) * (j + 2), 1, &middle[1], &e[j]);
    e[j] -= 1.0;
  }
  const double first = log(e[0] / e[1]) / log(1.5), last = log(e[1] / e[2]) / log(4.0 / 3.0);
  ck_assert_msg(e[2] > 0.0 && fabs(first - order) < 0.7 && fabs(last - order) < 0.35,
                "type %d: errors %.3e %.3e %.3e", type, e[0], e[1], e[2]);
  ck_assert_msg(e[2] < (quadratic ? 1.5e-3 : 1.6e-2), "type %d: error %.3e", type, e[2]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("waves");
  TCase *bulk_waves = tcase_create("bulk"), *surface = tcase_create("surface");
  prc_dense_single_thread();
  tcase_set_timeout(bulk_waves, 60.0), tcase_set_timeout(surface, 60.0);
  tcase_add_loop_test(bulk_waves, a_pulse_in_quadrilaterals_follows_their_dispersion, 0, 4);
  tcase_add_loop_test(bulk_waves, speeds_converge_at_the_order_of_the_element, 0, 10);
  tcase_add_test(surface, a_surface_pulse_in_quadrilaterals_follows_their_dispersion);
  /* all elements with PRC_LONG=1, else linear squares and quadratic triangles */
  tcase_add_loop_test(surface, the_speed_of_surface_waves_converges_at_the_order_of_the_element,
                      support_whole() ? 0 : 1, support_whole() ? 5 : 3);
  suite_add_tcase(suite, bulk_waves);
  suite_add_tcase(suite, surface);
  return support_run(suite);
}
