/* Dashpots of a boundary: what of a wave comes back, what they take, and that nothing depends on axes or units.
 *
 * At the end of a line of linear elements of length d with consistent mass, where u_j = exp(-i k j d) + R exp(i k j d), j elements from the
 * end, the row of the last node with a dashpot D is
 *
 *   B(k) + R B(-k) = 0,   B(k) = -w^2 (rho d / 6) (2 + e^{-ikd}) - i w D + (rho c^2 / d) (1 - e^{-ikd}),
 *
 * with the frequency w of the line (see waves.c), whatever the step and theta: R -> (rho c - D) / (rho c + D). */
#include "config.h"
#include "support/rig.h"
#include "support/support.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static prc_error err;
static const double pi = 3.14159265358979323846, material[3] = {2.5, 0.25, 1.5};

/* along the wave, across it: plane strain */
static double speed(int shear) {
  const double shear_modulus = material[0] / (2.0 * (1.0 + material[1]));
  const double modulus =
      shear ? shear_modulus
            : material[0] * (1.0 - material[1]) / ((1.0 + material[1]) * (1.0 - 2.0 * material[1]));
  return sqrt(modulus / material[2]);
}

static double impedance(int shear) {
  return material[2] * speed(shear);
}

static double energy(const rig *r) {
  const prc_dynamics *d = &r->system->dynamics;
  return 0.5
         * (prc_sym_form(d->M, r->record->v, r->record->v) + prc_sym_form(d->K, r->record->q, r->record->q));
}

/* ---- a pulse against the end of a strip ------------------------------------------------------------------------------ */

/* The strip of waves.c, held across the motion, with a dashpot at each end: absorbing on the left, `ratio` x rho c on the right
 * (ratio < 0: absorbing). The pulse exp(-(x - from)^2 / 2) runs to the right. */
typedef struct {
  int type, shear;
  double size, theta, courant, ratio;
} bar;
static const double length = 32.0, from = 24.0;

typedef struct {
  rig rig;
  prc_fem_dashpot dashpot[2];
  double *q, *v;
} strip;

static void open_strip(strip *s, const bar *b, double way, int n) {
  const plate p = {.type = b->type,
                   .nx = (int)lround(length / b->size),
                   .ny = 2,
                   .width = length,
                   .height = 2.0 * b->size};
  prc_step_options o = prc_step_options_default(way / speed(b->shear) / n);
  rig *r = &s->rig;
  o.theta = b->theta;
  rig_open(r, &p, material);
  r->model.plane = PRC_PLANE_STRAIN;
  rig_hold(r, 0, PLATE_BOTTOM, b->shear, !b->shear);
  rig_hold(r, 1, PLATE_TOP, b->shear, !b->shear);
  s->dashpot[0] = (prc_fem_dashpot){"left", &r->mesh->group[PLATE_LEFT], {1, 1}, {0.0, 0.0}};
  s->dashpot[1] = (prc_fem_dashpot){"right", &r->mesh->group[PLATE_RIGHT], {1, 1}, {0.0, 0.0}};
  if (b->ratio >= 0.0)
    s->dashpot[1].absorbs[b->shear] = 0, s->dashpot[1].coefficient[b->shear] = b->ratio * impedance(b->shear);
  r->model.n_dashpots = 2, r->model.dashpot = s->dashpot;
  rig_build(r);
  s->q = rig_room((size_t)r->system->space.nv), s->v = rig_room((size_t)r->system->space.nv);
  for (int a = 0; a < r->mesh->n_nodes; a++) {
    const double x = r->mesh->x[2 * a] - from;
    s->q[2 * a + b->shear] = exp(-0.5 * x * x);
    s->v[2 * a + b->shear] = speed(b->shear) * x * s->q[2 * a + b->shear];
  }
  rig_start(r, &o, s->q, s->v);
}

static void close_strip(strip *s) {
  prc_delete(&s->q);
  prc_delete(&s->v);
  rig_close(&s->rig);
}

/* The coefficient of exp(i k x) along the middle row, of corners beyond x = low. */
static double complex coefficient(const strip *s, const bar *b, const double *u, double low, double k) {
  const prc_mesh *mesh = s->rig.mesh;
  double complex sum = 0.0;
  for (int a = 0; a < mesh->n_nodes; a++) {
    const double *x = mesh->x + 2 * a, place = x[0] / b->size;
    if (fabs(x[1] - b->size) < 1e-9 && x[0] > low && fabs(place - round(place)) < 1e-6)
      sum += b->size * u[2 * a + b->shear] * cexp(-k * x[0] * I);
  }
  return sum;
}

enum { N_WAVES = 4, N_RATIOS = 4 };
static const double waves[N_WAVES] = {0.5, 1.0, 1.5, 2.0}, ratios[N_RATIOS] = {-1.0, 0.0, 0.5, 3.0};

/* out[i]: what has come back of waves[i], over what there was at the start; the number of steps. */
static int reflect(const bar *b, double complex out[N_WAVES], double *h) {
  const double way = 2.0 * (length - from);
  const int n = (int)lround(way / (b->courant * b->size));
  strip s;
  open_strip(&s, b, way, n);
  *h = s.rig.record->h;
  rig_step(&s.rig, n);
  for (int i = 0; i < N_WAVES; i++)
    out[i] = coefficient(&s, b, s.rig.record->q, 0.5 * length, -waves[i])
             / coefficient(&s, b, s.q, -1.0, waves[i]);
  close_strip(&s);
  return n;
}

static double complex end_row(const bar *b, double w, double k, double D) {
  const double c = speed(b->shear), d = b->size, rho = material[2];
  const double complex next = cexp(-k * d * I);
  return -w * w * rho * d / 6.0 * (2.0 + next) - w * D * I + rho * c * c / d * (1.0 - next);
}

/* _i: longitudinal and shear, absorbing and three ratios, theta 1/2 and 0.6 */
START_TEST(an_end_throws_back_what_its_dashpot_says) {
  const double ratio = ratios[_i / 2 % N_RATIOS], theta = _i / 2 / N_RATIOS ? 0.6 : 0.5;
  const bar b = {.type = 3, .shear = _i % 2, .size = 0.25, .theta = theta, .courant = 0.5, .ratio = ratio};
  const double c = speed(b.shear), d = b.size, D = (ratio < 0.0 ? 1.0 : ratio) * impedance(b.shear);
  double complex out[N_WAVES];
  double h;
  const int n = reflect(&b, out, &h);
  for (int i = 0; i < N_WAVES; i++) {
    const double k = waves[i], w = c / d * sqrt(6.0 * (1.0 - cos(k * d)) / (2.0 + cos(k * d)));
    const double complex R = -end_row(&b, w, k, D) / end_row(&b, w, -k, D);
    const double complex factor = (1.0 - (1.0 - theta) * w * h * I) / (1.0 + theta * w * h * I);
    const double complex expected =
        R * cexp(2.0 * k * length * I) * 0.5 * (1.0 + c * k / w) * cpow(factor, n);
    ck_assert_msg(cabs(out[i] - expected) < 1e-8, "D = %g, k = %g: %.9f %+.9fi, expected %.9f %+.9fi", D, k,
                  creal(out[i]), cimag(out[i]), creal(expected), cimag(expected));
    const double limit = (impedance(b.shear) - D) / (impedance(b.shear) + D);
    ck_assert_msg(cabs(R - limit) < 0.2 * k * k * d * d, "k = %g: R = %g %+gi, %g in the limit", k, creal(R),
                  cimag(R), limit);
  }
}
END_TEST

/* The energy that is left when the pulse would be back, over that at the start. */
static double share(const bar *b) {
  const double way = 2.0 * (length - from);
  const int n = (int)lround(way / (b->courant * b->size));
  strip s;
  open_strip(&s, b, way, n);
  const double start = energy(&s.rig);
  rig_step(&s.rig, n);
  const double left = energy(&s.rig);
  close_strip(&s);
  return left / start;
}

/* What comes back of the wave k = 1 falls with the order of the elements, 2 or 4. All that is left of the energy is below `most` with four
 * elements in the length of the pulse; it falls with twice the order in lines of Q4, and where the nodal values of the start have vibrations
 * of the cells in them, which do not travel, with the order of their energy. */
static const struct {
  int type, order, of_energy;
  double most;
} elements[] = {{2, 2, 2, 1e-3}, {3, 2, 4, 2e-5}, {9, 4, 4, 2e-6}, {16, 4, 6, 2e-9}, {10, 4, 6, 2e-9}};

START_TEST(what_an_absorbing_end_leaves_falls_with_the_size_of_elements) {
  const int type = elements[_i / 2].type;
  double e[3], back[3];
  for (int j = 0; j < 3; j++) {
    const bar b = {
        .type = type, .shear = _i % 2, .size = 1.0 / (1 << j), .theta = 0.5, .courant = 0.25, .ratio = -1.0};
    double complex out[N_WAVES];
    double h;
    e[j] = share(&b);
    (void)reflect(&b, out, &h);
    back[j] = cabs(out[1]);
  }
  ck_assert_msg(e[2] < elements[_i / 2].most, "type %d: %.3e %.3e %.3e", type, e[0], e[1], e[2]);
  ck_assert_msg(log2(e[1] / e[2]) > elements[_i / 2].of_energy - 0.3, "type %d: %.3e %.3e %.3e", type, e[0],
                e[1], e[2]);
  ck_assert_msg(0.5 * log2(back[0] / back[2]) > elements[_i / 2].order - 0.4, "type %d: %.3e %.3e %.3e", type,
                back[0], back[1], back[2]);
}
END_TEST

/* ---- energy ------------------------------------------------------------------------------------------------------------ */

/* h x the integral of D v^2 over the ends, v linear along each edge */
static double taken(const strip *s, const bar *b, double D) {
  const prc_mesh *mesh = s->rig.mesh;
  double sum = 0.0;
  for (int g = 0; g < 2; g++) {
    const prc_mesh_group *end = s->dashpot[g].group;
    for (int k = 0; k < end->n_cells; k++) {
      const int *node = mesh->edge + 2 * end->cell[k];
      const double one = s->rig.record->v_work[2 * node[0] + b->shear],
                   two = s->rig.record->v_work[2 * node[1] + b->shear];
      sum += (g ? D : impedance(b->shear)) * b->size / 3.0 * (one * one + one * two + two * two);
    }
  }
  return s->rig.record->h * sum;
}

/* Each step's works are the change of the energy, and those of damping what the ends took. */
START_TEST(the_energy_that_leaves_is_the_work_of_damping) {
  const double ratio = ratios[_i / 2 % N_RATIOS], theta = _i / 2 / N_RATIOS ? 0.7 : 0.5;
  const bar b = {.type = 3, .shear = _i % 2, .size = 0.5, .theta = theta, .courant = 0.5, .ratio = ratio};
  double works = 0.0, damping = 0.0;
  strip s;
  open_strip(&s, &b, 16.0, 64);
  const double start = energy(&s.rig);
  const prc_step_record *now = s.rig.record;
  for (int k = 0; k < 64; k++) {
    double given = 0.0;
    rig_step(&s.rig, 1);
    for (int w = 0; w < PRC_N_WORKS; w++) given += now->work[w];
    ck_assert_double_le(fabs(now->kinetic + now->potential - given), 1e-13 * start);
    ck_assert_double_le(fabs(now->work[PRC_WORK_boundary] + taken(&s, &b, fabs(ratio) * impedance(b.shear))),
                        1e-13 * start);
    ck_assert_double_le(now->work[PRC_WORK_boundary], 0.0);
    works += given, damping += now->work[PRC_WORK_boundary];
    ck_assert_double_le(fabs(energy(&s.rig) - start - works), 1e-13 * start);
  }
  if (theta == 0.5 && ratio < 0.0)
    ck_assert_double_le(fabs(damping + start), 1e-3 * start);         /* all of it is out */
  if (ratio == 0.0) ck_assert_double_le(fabs(damping), 1e-3 * start); /* what ran to the left is in there */
  close_strip(&s);
}
END_TEST

/* ---- the integral -------------------------------------------------------------------------------------------------------- */

static double power(const rig *r, int component, double (*field)(double x, double y)) {
  double *v = rig_room((size_t)r->system->space.nv);
  for (int a = 0; a < r->mesh->n_nodes; a++)
    v[2 * a + component] = field(r->mesh->x[2 * a], r->mesh->x[2 * a + 1]);
  const double form = prc_sym_form(r->system->dynamics.C, v, v);
  prc_delete(&v);
  return form;
}

static double one(double x, double y) {
  (void)x, (void)y;
  return 1.0;
}
static double linear(double x, double y) {
  return 1.0 + 2.0 * x - 3.0 * y;
}
static double square(double x, double y) {
  return x * x - 2.0 * y * y;
}

/* v'C v is the integral of d v^2 over the edge: of everything the elements have, on a plate 3 x 2 of thickness 0.7 with d along the normal and
 * across it on its right and its top. */
START_TEST(the_form_of_c_is_the_integral_over_the_curve) {
  static const int types[] = {2, 3, 9, 16, 10, PLATE_LINEAR_MIX, PLATE_QUADRATIC_MIX};
  const int type = types[_i],
            quadratic = type == 9 || type == 16 || type == 10 || type == PLATE_QUADRATIC_MIX;
  const double dn = 1.3, dt = 0.4, t = 0.7;
  const plate p = {.type = type, .nx = 3, .ny = 4, .width = 3.0, .height = 2.0, .shake = 0.2};
  rig r;
  rig_open(&r, &p, material);
  const prc_fem_dashpot dashpot[2] = {{"right", &r.mesh->group[PLATE_RIGHT], {0, 0}, {dn, dt}},
                                      {"top", &r.mesh->group[PLATE_TOP], {0, 0}, {dn, dt}}};
  r.model.thickness = t, r.model.n_dashpots = 2, r.model.dashpot = dashpot;
  rig_build(&r);
  for (int k = 0; k < 2; k++) {
    const double right = t * (k ? dt : dn), top = t * (k ? dn : dt);
    ck_assert_double_eq_tol(power(&r, k, one), 2.0 * right + 3.0 * top, 1e-13);
    /* (7 - 3 y)^2 over [0, 2], (2 x - 5)^2 over [0, 3] */
    ck_assert_double_eq_tol(power(&r, k, linear), right * (343.0 - 1.0) / 9.0 + top * (1.0 + 125.0) / 6.0,
                            1e-12);
    /* (9 - 2 y^2)^2 over [0, 2], (x^2 - 8)^2 over [0, 3] */
    if (quadratic)
      ck_assert_double_eq_tol(power(&r, k, square),
                              right * (162.0 - 36.0 * 8.0 / 3.0 + 4.0 * 32.0 / 5.0)
                                  + top * (243.0 / 5.0 - 16.0 * 9.0 + 192.0),
                              1e-11);
  }
  rig_close(&r);
}
END_TEST

/* Of the whole ring: 2 pi r dr on the top of a cylinder, 2 pi R dy on its side. */
START_TEST(a_ring_has_its_whole_surface) {
  static const int types[] = {2, 3, 9, 16, 10};
  const double dn = 1.3, dt = 0.4;
  const plate p = {.type = types[_i], .nx = 3, .ny = 4, .width = 3.0, .height = 2.0};
  rig r;
  rig_open(&r, &p, material);
  const prc_fem_dashpot dashpot[2] = {{"right", &r.mesh->group[PLATE_RIGHT], {0, 0}, {dn, dt}},
                                      {"top", &r.mesh->group[PLATE_TOP], {0, 0}, {dn, dt}}};
  r.model.plane = PRC_AXISYMMETRIC, r.model.n_dashpots = 2, r.model.dashpot = dashpot;
  rig_build(&r);
  for (int k = 0; k < 2; k++) {
    const double right = k ? dt : dn, top = k ? dn : dt;
    ck_assert_double_eq_tol(power(&r, k, one), 12.0 * pi * right + 9.0 * pi * top, 1e-12);
    /* 2 pi 3 (7 - 3 y)^2 over [0, 2], 2 pi x (2 x - 5)^2 over [0, 3] */
    ck_assert_double_eq_tol(power(&r, k, linear),
                            2.0 * pi * (right * 3.0 * 342.0 / 9.0 + top * (81.0 - 180.0 + 112.5)), 1e-10);
  }
  rig_close(&r);
}
END_TEST

/* ---- axes and units -------------------------------------------------------------------------------------------------------- */

enum { STEPS = 100 };

static void turned_place(const void *how, const double s[2], double x[2]) {
  const double angle = *(const double *)how, at[2] = {3.0 * s[0], 2.0 * s[1]};
  x[0] = cos(angle) * at[0] - sin(angle) * at[1], x[1] = sin(angle) * at[0] + cos(angle) * at[1];
}

/* A plate with a shear and a pressure of its motion, a dashpot on the right (absorbing) and on the top (given); q and v after some
 * steps, in axes turned by `angle`, with units of length, mass and time that are scale[0..2] of the first ones. */
static void swing(int type, double angle, const double scale[3], double *q, double *v) {
  const double L = scale[0], M = scale[1], T = scale[2], c = cos(angle), s = sin(angle);
  const double own[3] = {material[0] * M / (L * T * T), material[1], material[2] * M / (L * L * L)};
  const plate flat = {.type = type, .nx = 3, .ny = 4, .width = 3.0 * L, .height = 2.0 * L},
              turned = {.type = type, .nx = 3, .ny = 4, .map = turned_place, .how = &angle};
  prc_step_options o = prc_step_options_default(0.0625 * T);
  rig r;
  rig_open(&r, angle == 0.0 ? &flat : &turned, own);
  const double unit = M / (L * L * T);
  const prc_fem_dashpot dashpot[2] = {{"right", &r.mesh->group[PLATE_RIGHT], {1, 1}, {0.0, 0.0}},
                                      {"top", &r.mesh->group[PLATE_TOP], {0, 0}, {0.75 * unit, 3.0 * unit}}};
  r.model.thickness = L, r.model.n_dashpots = 2, r.model.dashpot = dashpot;
  rig_build(&r);
  const size_t n = (size_t)r.system->space.nv;
  double *q0 = rig_room(n), *v0 = rig_room(n);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    const double *x = r.mesh->x + 2 * a, at[2] = {(c * x[0] + s * x[1]) / L, (c * x[1] - s * x[0]) / L};
    const double w[2] = {0.5 * at[0] * at[1] - 0.25, 1.0 - 0.125 * at[0] * at[0]};
    v0[2 * a] = (c * w[0] - s * w[1]) * L / T, v0[2 * a + 1] = (s * w[0] + c * w[1]) * L / T;
  }
  rig_start(&r, &o, q0, v0);
  rig_step(&r, STEPS);
  for (int i = 0; i < (int)n; i += 2)
    for (int k = 0; k < 2; k++) { /* back into the first axes and units */
      const double *u = r.record->q + i, *w = r.record->v + i;
      q[i + k] = (k ? c * u[1] - s * u[0] : c * u[0] + s * u[1]) / L;
      v[i + k] = (k ? c * w[1] - s * w[0] : c * w[0] + s * w[1]) * T / L;
    }
  prc_delete(&q0);
  prc_delete(&v0);
  rig_close(&r);
}

enum { ROOM = 200 };

START_TEST(turned_axes_turn_the_motion) {
  static const int types[] = {2, 3, 9, 16, 10};
  static const double plain[3] = {1.0, 1.0, 1.0}, angles[] = {0.3, 0.5 * 3.14159265358979323846, 2.2};
  double q[2][ROOM] = {{0.0}}, v[2][ROOM] = {{0.0}};
  swing(types[_i % 5], 0.0, plain, q[0], v[0]);
  swing(types[_i % 5], angles[_i / 5], plain, q[1], v[1]);
  for (int i = 0; i < ROOM; i++) {
    ck_assert_double_eq_tol(q[1][i], q[0][i], 1e-12);
    ck_assert_double_eq_tol(v[1][i], v[0][i], 1e-12);
  }
}
END_TEST

START_TEST(units_that_are_powers_of_two_keep_every_bit) {
  static const int types[] = {2, 3, 9, 16, 10};
  static const double plain[3] = {1.0, 1.0, 1.0}, other[3] = {8.0, 1.0 / 64.0, 32.0};
  double q[2][ROOM] = {{0.0}}, v[2][ROOM] = {{0.0}};
  swing(types[_i], 0.0, plain, q[0], v[0]);
  swing(types[_i], 0.0, other, q[1], v[1]);
  ck_assert(fabs(q[0][4]) > 1e-3);
  ck_assert_int_eq(memcmp(q[0], q[1], sizeof q[0]), 0);
  ck_assert_int_eq(memcmp(v[0], v[1], sizeof v[0]), 0);
}
END_TEST

/* ---- what is refused --------------------------------------------------------------------------------------------------------- */

static void refuse(double normal, double tangential, const char *text) {
  const plate p = {.type = 3, .nx = 2, .ny = 2, .width = 1.0, .height = 1.0};
  rig r;
  rig_open(&r, &p, material);
  const prc_fem_dashpot dashpot = {"side", &r.mesh->group[PLATE_RIGHT], {0, 0}, {normal, tangential}};
  r.model.n_dashpots = 1, r.model.dashpot = &dashpot;
  prc_error_clear(&err);
  support_fails(prc_fem_create(&r.model, &r.fem, &err), PRC_INPUT, &err, text);
  rig_close(&r);
}

START_TEST(a_coefficient_below_zero_is_refused) {
  refuse(-1.0, 0.0, "dashpot 'side': the normal coefficient is -1, expected a number >= 0");
  refuse(0.0, -2.5, "dashpot 'side': the tangential coefficient is -2.5, expected a number >= 0");
  refuse(INFINITY, 0.0, "dashpot 'side': the normal coefficient is inf");
  refuse(0.0, NAN, "dashpot 'side': the tangential coefficient is");
}
END_TEST

/* Coefficients that are zero are no dashpots: no matrix, no product. */
START_TEST(nothing_is_no_matrix) {
  const plate p = {.type = 3, .nx = 2, .ny = 2, .width = 1.0, .height = 1.0};
  rig r;
  rig_open(&r, &p, material);
  const prc_fem_dashpot dashpot = {"side", &r.mesh->group[PLATE_RIGHT], {0, 0}, {0.0, 0.0}};
  r.model.n_dashpots = 1, r.model.dashpot = &dashpot;
  rig_build(&r);
  ck_assert_ptr_null(r.system->dynamics.C);
  rig_close(&r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dashpots");
  TCase *all = tcase_create("dashpots");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, an_end_throws_back_what_its_dashpot_says, 0, 4 * N_RATIOS);
  tcase_add_loop_test(all, what_an_absorbing_end_leaves_falls_with_the_size_of_elements, 0, 10);
  tcase_add_loop_test(all, the_energy_that_leaves_is_the_work_of_damping, 0, 4 * N_RATIOS);
  tcase_add_loop_test(all, the_form_of_c_is_the_integral_over_the_curve, 0, 7);
  tcase_add_loop_test(all, a_ring_has_its_whole_surface, 0, 5);
  tcase_add_loop_test(all, turned_axes_turn_the_motion, 0, 15);
  tcase_add_loop_test(all, units_that_are_powers_of_two_keep_every_bit, 0, 5);
  tcase_add_test(all, a_coefficient_below_zero_is_refused);
  tcase_add_test(all, nothing_is_no_matrix);
  suite_add_tcase(suite, all);
  return support_run(suite);
}
