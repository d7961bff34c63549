/* The elements in closed form: patch tests, rigid motions, masses, frequencies. */
#include "config.h"
#include "support/rig.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, E0 = 5.0, nu0 = 0.3, rho0 = 2.0, t0 = 1.5;
static const int types[] = {2, 3, PLATE_LINEAR_MIX, 9, 16, 10, PLATE_QUADRATIC_MIX};
enum { N_TYPES = sizeof types / sizeof *types, LINEAR = 3 }; /* the first LINEAR are */

static prc_error err;

static void open_plate(rig *r, const plate *p) {
  rig_open(r, p, (const double[3]){E0, nu0, rho0});
  r->model.thickness = t0;
}

/* A quarter of a ring, bent and stretched: every side of a quadratic element is curved. */
static void bend(const void *how, const double s[2], double x[2]) {
  (void)how;
  const double radius = 1.0 + s[1] * (1.0 + 0.2 * s[0]), angle = 0.5 * pi * (1.0 - s[0]);
  x[0] = radius * cos(angle), x[1] = radius * sin(angle);
}

/* _i: a type, its inner corners shaken; or, from N_TYPES on, a quadratic type bent */
static plate distorted(int i) {
  if (i < N_TYPES)
    return (plate){.type = types[i], .nx = 3, .ny = 3, .width = 3.0, .height = 2.0, .shake = 0.25};
  return (plate){.type = types[i - N_TYPES + LINEAR], .nx = 3, .ny = 2, .map = bend};
}
enum { N_DISTORTED = 2 * N_TYPES - LINEAR };

/* ---- patch tests ------------------------------------------------------------------------------------------------ */

/* u = shift + G x; on bent plates G is a dilatation, so that their stress is a pressure */
typedef struct {
  double shift, gx, gy;
} linear_motion;
static const linear_motion sheared[2] = {{0.02, 1e-3, -2e-3}, {-0.03, 5e-4, 3e-3}},
                           dilated[2] = {{0.02, 1e-3, 0.0}, {-0.03, 0.0, 1e-3}};

static prc_status linear(const prc_field *field, double x, double y, double t, double *value, prc_error *e) {
  const linear_motion *u = field->data;
  (void)t, (void)e;
  *value = u->shift + u->gx * x + u->gy * y;
  return PRC_OK;
}

static prc_field linear_field(const linear_motion *u) {
  return (prc_field){.eval = linear, .data = (void *)(size_t)u, .uses_place = 1};
}

static void stress_of(const linear_motion u[2], prc_fem_plane plane, double s[3]) {
  double D[3][3];
  const double strain[3] = {u[0].gx, u[1].gy, u[0].gy + u[1].gx};
  prc_fem_elasticity(E0, nu0, plane != PRC_PLANE_STRESS, D);
  for (int i = 0; i < 3; i++) s[i] = D[i][0] * strain[0] + D[i][1] * strain[1] + D[i][2] * strain[2];
}

static void expect_stress(const rig *r, const double *q, const double s[3], double rounding) {
  const size_t cells = (size_t)r->mesh->n_cells, nodes = (size_t)r->mesh->n_nodes;
  double *stress = rig_room(3 * cells), *across = rig_room(cells), *energy = rig_room(cells),
         *node = rig_room(3 * nodes);
  prc_fem_cell_fields(r->fem, q, stress, across, energy);
  prc_fem_node_stress(r->fem, q, node);
  for (size_t i = 0; i < 3 * cells; i++) ck_assert_double_eq_tol(stress[i], s[i % 3], rounding);
  for (size_t i = 0; i < 3 * nodes; i++) ck_assert_double_eq_tol(node[i], s[i % 3], 4.0 * rounding);
  prc_delete(&stress);
  prc_delete(&across);
  prc_delete(&energy);
  prc_delete(&node);
}

/* Left and right follow the motion, bottom and top carry its tractions (bent: its pressure); the rest is found. */
static void load_patch(rig *r, int bent, const linear_motion u[2], double s[3]) {
  r->model.n_loads = r->model.n_supports = 2;
  for (int k = 0; k < 2; k++) {
    const int side = k ? PLATE_TOP : PLATE_BOTTOM, sign = k ? 1 : -1;
    r->load[k] = (prc_fem_load){.name = "side", .group = &r->mesh->group[side]};
    if (bent)
      r->load[k].pressure = prc_field_constant(-s[0]);
    else
      r->load[k].traction[0] = prc_field_constant(sign * s[2]),
      r->load[k].traction[1] = prc_field_constant(sign * s[1]);
    r->support[k] = (prc_fem_support){.name = "end",
                                      .group = &r->mesh->group[k ? PLATE_RIGHT : PLATE_LEFT],
                                      .held = {1, 1},
                                      .displacement = {linear_field(&u[0]), linear_field(&u[1])}};
  }
}

START_TEST(a_patch_is_strained_evenly) {
  const plate p = distorted(_i);
  const linear_motion *u = p.map ? dilated : sheared;
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_PLANE_STRAIN; plane++) {
    rig r;
    double s[3];
    open_plate(&r, &p);
    r.model.plane = plane;
    stress_of(u, plane, s);
    load_patch(&r, p.map != NULL, u, s);
    rig_build(&r);
    double *q = rig_room((size_t)r.system->space.nv);
    support_ok(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), &err);
    for (int i = 0; i < r.system->space.nv; i++) {
      const double *x = r.mesh->x + (i - i % 2);
      ck_assert_double_eq_tol(q[i], u[i % 2].shift + u[i % 2].gx * x[0] + u[i % 2].gy * x[1], 1e-15);
    }
    expect_stress(&r, q, s, 2e-14);
    prc_delete(&q);
    rig_close(&r);
  }
}
END_TEST

/* x becomes R U x, R the rotation by an angle and U symmetric: that angle is found, to any side and however large; without it none is. */
START_TEST(a_rotation_is_told_from_strain) {
  static const double angles[] = {0.0, 1e-9, 0.5 * 3.14159265358979323846 / 180.0, -0.3, 1.0, -2.5, 3.1};
  const double U[2][2] = {{1.2, 0.1}, {0.1, 0.7}};
  const plate p = distorted(_i);
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_AXISYMMETRIC; plane++) {
    rig r;
    if (p.map && plane == PRC_AXISYMMETRIC) continue;
    open_plate(&r, &p);
    r.model.plane = plane;
    rig_build(&r);
    double *q = rig_room((size_t)r.system->space.nv);
    for (size_t n = 0; n < sizeof angles / sizeof *angles; n++) {
      const double c = cos(angles[n]), s = sin(angles[n]), R[2][2] = {{c, -s}, {s, c}};
      for (int i = 0; i < r.system->space.nv; i++) {
        const double *x = r.mesh->x + (i - i % 2);
        q[i] = 0.3 - x[i % 2];
        for (int j = 0; j < 2; j++) q[i] += R[i % 2][j] * (U[j][0] * x[0] + U[j][1] * x[1]);
      }
      ck_assert_double_eq_tol(prc_fem_rotation(r.fem, q), fabs(angles[n]), 1e-13);
      ck_assert_double_eq(r.system->rotation(r.system->owner, q), prc_fem_rotation(r.fem, q));
    }
    memset(q, 0, (size_t)r.system->space.nv * sizeof *q);
    for (int a = 0; a < r.mesh->n_nodes && p.type == 2 && !p.map; a++) /* a part of the body alone */
      q[2 * a + 1] = 0.2 * fmax(r.mesh->x[2 * a] - 2.0, 0.0);
    if (p.type == 2 && !p.map) {
      ck_assert_double_le(prc_fem_rotation(r.fem, q), 1.1 * atan2(0.2, 2.0));
      ck_assert_double_ge(prc_fem_rotation(r.fem, q), 0.9 * atan2(0.2, 2.0));
    }
    prc_delete(&q);
    rig_close(&r);
  }
}
END_TEST

/* A ring that swells, u = (a r, b z), has constant stress; inside it nothing pulls. */
START_TEST(a_swelling_ring_is_in_equilibrium) {
  plate p = distorted(_i);
  rig r;
  open_plate(&r, &p);
  r.model.plane = PRC_AXISYMMETRIC;
  rig_build(&r);
  const double a = 1e-3, b = -2e-3, scale = E0 / ((1.0 + nu0) * (1.0 - 2.0 * nu0));
  const double s[3] = {scale * (a + nu0 * b), scale * ((1.0 - nu0) * b + 2.0 * nu0 * a),
                       0.0}; /* radial = hoop */
  double *q = rig_room((size_t)r.system->space.nv), *f = rig_room((size_t)r.system->space.nv);
  for (int i = 0; i < r.system->space.nv; i++) q[i] = (i % 2 ? b : a) * r.mesh->x[i];
  expect_stress(&r, q, s, 2e-14);
  prc_sym_multiply(r.system->dynamics.K, q, f);
  char *rim = NULL;
  support_ok(prc_new(&rim, r.mesh->n_nodes, &err), &err);
  for (int g = 0; g < 4; g++)
    for (int k = 0; k < r.mesh->group[g].n_nodes; k++) rim[r.mesh->group[g].node[k]] = 1;
  for (int i = 0; i < r.system->space.nv; i++) ck_assert(rim[i / 2] || fabs(f[i]) < 2e-14);
  prc_delete(&rim);
  prc_delete(&q);
  prc_delete(&f);
  rig_close(&r);
}
END_TEST

/* ---- rigid motions and masses -------------------------------------------------------------------------------------- */

static void make_dense(const prc_sym *A, double *full) {
  memset(full, 0, (size_t)A->n * (size_t)A->n * sizeof *full);
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) full[j * A->n + A->i[k]] = full[A->i[k] * A->n + j] = A->x[k];
}

/* K x = lambda M x: the eigenvalues, ascending; vectors: n * n, one after the other. */
static void solve_modes(const rig *r, double *lambda, double *vectors) {
  const int n = r->system->space.nv;
  double *M = rig_room((size_t)n * (size_t)n);
  make_dense(r->system->dynamics.K, vectors), make_dense(r->system->dynamics.M, M);
  rig_eigen(n, vectors, M, lambda);
  prc_delete(&M);
}

/* Three motions of a plate have no energy, one of a ring: along its axis. Others have much more than rounding. */
START_TEST(only_rigid_motions_have_no_energy) {
  const plate p = distorted(_i);
  for (prc_fem_plane plane = PRC_PLANE_STRESS; plane <= PRC_AXISYMMETRIC; plane++) {
    const int expected = plane == PRC_AXISYMMETRIC ? 1 : 3;
    rig r;
    open_plate(&r, &p);
    r.model.plane = plane;
    for (int a = 0; a < r.mesh->n_nodes; a++) r.mesh->x[2 * a] += 1.0; /* off the axis */
    rig_build(&r);
    const size_t n = (size_t)r.system->space.nv;
    double *lambda = rig_room(n), *vectors = rig_room(n * n);
    solve_modes(&r, lambda, vectors);
    for (int k = 0; k < expected; k++) ck_assert_double_lt(fabs(lambda[k]), 1e-13 * lambda[n - 1]);
    ck_assert_double_gt(lambda[expected], 1e-5 * lambda[n - 1]);
    prc_delete(&lambda);
    prc_delete(&vectors);
    rig_close(&r);
  }
}
END_TEST

START_TEST(the_mass_is_that_of_the_body_with_its_inertia) {
  const plate p = distorted(_i);
  const double w = p.width, h = p.height, mass = rho0 * t0 * w * h;
  rig r;
  open_plate(&r, &p);
  rig_build(&r);
  const int n = r.system->space.nv;
  double *one = rig_room((size_t)n), *turn = rig_room((size_t)n);
  for (int i = 0; i < n; i += 2)
    one[i] = 1.0, turn[i] = 0.5 * h - r.mesh->x[i + 1], turn[i + 1] = r.mesh->x[i] - 0.5 * w;
  ck_assert_double_eq_tol(prc_sym_form(r.system->dynamics.M, one, one), mass, 1e-13 * mass);
  ck_assert_double_eq_tol(prc_sym_form(r.system->dynamics.M, one, turn), 0.0, 1e-13 * mass);
  ck_assert_double_eq_tol(prc_sym_form(r.system->dynamics.M, turn, turn), mass * (w * w + h * h) / 12.0,
                          1e-13 * mass * w * w);
  ck_assert_double_eq_tol(prc_fem_get_facts(r.fem).mass, mass, 1e-13 * mass);
  prc_delete(&one);
  prc_delete(&turn);
  rig_close(&r);
}
END_TEST

START_TEST(a_lumped_mass_is_diagonal_positive_and_complete) {
  const plate p = distorted(_i);
  rig r;
  double sum = 0.0;
  open_plate(&r, &p);
  r.model.mass = PRC_MASS_LUMPED;
  rig_build(&r);
  const prc_sym *M = r.system->dynamics.M;
  for (int j = 0; j < M->n; j++) {
    ck_assert_double_gt(M->x[M->p[j]], 0.0);
    for (int k = M->p[j] + 1; k < M->p[j + 1]; k++) ck_assert_double_eq(M->x[k], 0.0);
    if (j % 2 == 0) sum += M->x[M->p[j]];
  }
  ck_assert_double_eq_tol(sum, rho0 * t0 * p.width * p.height, 1e-13 * sum);
  rig_close(&r);
}
END_TEST

/* A ring of rectangular section: Pappus. */
START_TEST(a_ring_has_the_mass_of_pappus) {
  const plate p = distorted(_i);
  rig r;
  open_plate(&r, &p);
  for (int a = 0; a < r.mesh->n_nodes; a++) r.mesh->x[2 * a] += 1.0;
  r.model.plane = PRC_AXISYMMETRIC;
  r.model.mass = PRC_MASS_CONSISTENT;
  rig_build(&r);
  const double mass = rho0 * 2.0 * pi * (1.0 + 0.5 * p.width) * p.width * p.height;
  double *along = rig_room((size_t)r.system->space.nv);
  for (int i = 1; i < r.system->space.nv; i += 2) along[i] = 1.0;
  ck_assert_double_eq_tol(prc_sym_form(r.system->dynamics.M, along, along), mass, 1e-13 * mass);
  prc_delete(&along);
  rig_close(&r);
}
END_TEST

/* ---- frequencies ------------------------------------------------------------------------------------------------------ */

typedef struct {
  double width, height, poisson, lambda; /* lambda: of the mode, omega^2 */
  void (*mode)(const double x[2], double u[2]);
} vibration;

/* nu = 0: u_x = cos(pi x / 2) of a free bar of length 2, lambda = (pi / 2)^2 E / rho */
static void bar_mode(const double x[2], double u[2]) {
  u[0] = cos(0.5 * pi * x[0]), u[1] = 0.0;
}

/* Lame's mode of a free square of side 1, without change of volume: lambda = 2 pi^2 G / rho, and with nu = 0 no other mode near that
 * coarse triangles could mix with it */
static void lame_mode(const double x[2], double u[2]) {
  u[0] = cos(pi * x[0]) * sin(pi * x[1]), u[1] = -sin(pi * x[0]) * cos(pi * x[1]);
}

/* The eigenvalue of the computed mode that is most like the exact one, relative to the exact. */
static double excess(const vibration *v, int type, int nx, int ny) {
  const plate p = {.type = type, .nx = nx, .ny = ny, .width = v->width, .height = v->height};
  rig r;
  int best = 0;
  double most = 0.0;
  open_plate(&r, &p);
  r.material.poisson = v->poisson;
  rig_build(&r);
  const int n = r.system->space.nv;
  double *lambda = rig_room((size_t)n), *vectors = rig_room((size_t)n * (size_t)n), *u = rig_room((size_t)n),
         *m = rig_room((size_t)n);
  solve_modes(&r, lambda, vectors);
  for (int a = 0; a < r.mesh->n_nodes; a++) v->mode(r.mesh->x + 2 * a, u + 2 * a);
  prc_sym_multiply(r.system->dynamics.M, u, m);
  for (int k = 0; k < n; k++) {
    double likeness = 0.0;
    for (int i = 0; i < n; i++) likeness += m[i] * vectors[k * n + i];
    if (fabs(likeness) > most) most = fabs(likeness), best = k;
  }
  const double relative = lambda[best] / v->lambda - 1.0;
  prc_delete(&lambda);
  prc_delete(&vectors);
  prc_delete(&u);
  prc_delete(&m);
  rig_close(&r);
  return relative;
}

/* On three meshes, from above: order 2 for linear elements, 4 for quadratic ones. */
START_TEST(frequencies_converge_from_above) {
  static const int pure[] = {2, 3, 9, 16, 10};
  const vibration all[2] = {{2.0, 1.0, 0.0, 0.25 * pi * pi * E0 / rho0, bar_mode},
                            {1.0, 1.0, 0.0, pi * pi * E0 / rho0, lame_mode}};
  const int type = pure[_i / 2], square = _i % 2, quadratic = _i / 2 >= 2, unit = quadratic ? 2 : 4;
  double e[3];
  for (int k = 0; k < 3; k++) {
    const int n = (k + 2) * unit;
    e[k] = excess(&all[square], type, n, square ? n : n / 2);
    ck_assert_msg(e[k] > 0.0, "type %d: %.3e is below", type, e[k]);
  }
  for (int k = 0; k < 2; k++)
    ck_assert_msg(fabs(log(e[k] / e[k + 1]) / log((k + 3.0) / (k + 2.0)) - (quadratic ? 4.0 : 2.0)) < 0.35,
                  "type %d: errors %.3e %.3e %.3e", type, e[0], e[1], e[2]);
  ck_assert_msg(e[2] < (quadratic ? 4e-4 : 2e-2), "type %d: error %.3e", type, e[2]);
}
END_TEST

/* ---- decay of one mode ------------------------------------------------------------------------------------------------ */

/* A mode stays one mode: its amplitude follows the scheme of one degree of freedom, q" + (alpha + beta w^2) q' + w^2 q = 0, to rounding.
 * _i: damping by the mass, by the stiffness (Kelvin-Voigt), by both with theta above one half. */
START_TEST(a_mode_decays_by_the_factor_of_the_scheme) {
  static const double alpha[] = {0.3, 0.0, 0.2}, beta[] = {0.0, 0.05, 0.03}, theta[] = {0.5, 0.5, 0.7};
  const plate p = {.type = PLATE_QUADRATIC_MIX, .nx = 3, .ny = 2, .width = 3.0, .height = 2.0, .shake = 0.2};
  const double h = 0.05;
  rig r;
  open_plate(&r, &p);
  r.model.damping_mass = alpha[_i], r.model.damping_stiffness = beta[_i];
  rig_build(&r);
  const size_t n = (size_t)r.system->space.nv;
  double *lambda = rig_room(n), *vectors = rig_room(n * n), *rest = rig_room(n), *v = rig_room(n);
  const double *mode = vectors + 5 * n;
  prc_step_options o = prc_step_options_default(h);
  solve_modes(&r, lambda, vectors);
  o.theta = theta[_i];
  rig_start(&r, &o, mode, rest);
  double x = 1.0, y = 0.0;
  const double w2 = lambda[5], c = alpha[_i] + beta[_i] * w2, t = theta[_i];
  for (int k = 0; k < 200; k++) {
    const double now = (y - h * t * w2 * x) / (1.0 + h * t * c + h * h * t * t * w2);
    rig_step(&r, 1);
    x += h * now, y = (now - (1.0 - t) * y) / t;
  }
  prc_stepper_state(r.stepper, v, NULL, NULL);
  const double *q = r.record->q;
  for (size_t i = 0; i < n; i++) {
    ck_assert_double_eq_tol(q[i], x * mode[i], 1e-11);
    ck_assert_double_eq_tol(v[i], y * mode[i], 1e-11);
  }
  ck_assert_double_lt(fabs(x), 0.5);
  prc_delete(&lambda);
  prc_delete(&vectors);
  prc_delete(&rest);
  prc_delete(&v);
  rig_close(&r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("elements");
  TCase *patch = tcase_create("patch"), *rigid = tcase_create("rigid"), *modes = tcase_create("modes");
  prc_dense_single_thread();
  tcase_set_timeout(modes, 60.0);
  tcase_add_loop_test(patch, a_patch_is_strained_evenly, 0, N_DISTORTED);
  tcase_add_loop_test(patch, a_swelling_ring_is_in_equilibrium, 0, N_TYPES);
  tcase_add_loop_test(rigid, a_rotation_is_told_from_strain, 0, N_DISTORTED);
  tcase_add_loop_test(rigid, only_rigid_motions_have_no_energy, 0, N_DISTORTED);
  tcase_add_loop_test(rigid, the_mass_is_that_of_the_body_with_its_inertia, 0, N_TYPES);
  tcase_add_loop_test(rigid, a_lumped_mass_is_diagonal_positive_and_complete, 0, N_TYPES);
  tcase_add_loop_test(rigid, a_ring_has_the_mass_of_pappus, 0, N_TYPES);
  tcase_add_loop_test(modes, frequencies_converge_from_above, 0, 10);
  tcase_add_loop_test(modes, a_mode_decays_by_the_factor_of_the_scheme, 0, 3);
  suite_add_tcase(suite, patch);
  suite_add_tcase(suite, rigid);
  suite_add_tcase(suite, modes);
  return support_run(suite);
}
