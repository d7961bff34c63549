#include "config.h"
#include "support/support.h"
#include "fem/fem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static prc_error err;

/* ---- the triangle -------------------------------------------------------------------------------------- */

static const double skewed[3][2] = {{0.3, -0.2}, {2.1, 0.4}, {0.9, 1.7}};

static double area_of(const double x[3][2]) {
  return 0.5 * ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]));
}

static double largest(const double Ke[6][6]) {
  double most = 0.0;
  for (int i = 0; i < 36; i++) most = fmax(most, fabs(Ke[i / 6][i % 6]));
  return most;
}

static void stiffness(int plane_strain, double Ke[6][6]) {
  double D[3][3];
  prc_fem_elasticity(5750.0, 0.358, plane_strain, D);
  ck_assert_double_eq_tol(prc_fem_t3_stiffness(skewed, (const double(*)[3])D, 15.0, Ke), area_of(skewed),
                          1e-15);
}

START_TEST(rigid_motions_do_no_work) { /* translations and the infinitesimal rotation span the null space */
  double Ke[6][6], rigid[3][6];
  stiffness(_i, Ke);
  for (int a = 0; a < 3; a++) {
    rigid[0][2 * a] = 1.0, rigid[0][2 * a + 1] = 0.0;
    rigid[1][2 * a] = 0.0, rigid[1][2 * a + 1] = 1.0;
    rigid[2][2 * a] = -skewed[a][1], rigid[2][2 * a + 1] = skewed[a][0];
  }
  for (int m = 0; m < 3; m++)
    for (int i = 0; i < 6; i++) {
      double force = 0.0;
      for (int j = 0; j < 6; j++) force += Ke[i][j] * rigid[m][j];
      ck_assert_double_le(fabs(force), 16.0 * DBL_EPSILON * largest((const double(*)[6])Ke));
    }
}
END_TEST

/* Eigenvalues of a symmetric matrix by Jacobi's rotations, on its diagonal. */
static void diagonalise(double A[6][6]) {
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 6; p++)
      for (int q = p + 1; q < 6; q++) {
        if (A[p][q] == 0.0) continue;
        const double angle = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 6; k++) {
          const double kp = A[k][p], kq = A[k][q];
          A[k][p] = c * kp - s * kq, A[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 6; k++) {
          const double pk = A[p][k], qk = A[q][k];
          A[p][k] = c * pk - s * qk, A[q][k] = s * pk + c * qk;
        }
      }
}

START_TEST(the_stiffness_is_symmetric_with_three_zero_and_three_positive_eigenvalues) {
  double Ke[6][6];
  int zero = 0, positive = 0;
  stiffness(_i, Ke);
  const double scale = largest((const double(*)[6])Ke);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++) ck_assert_double_le(fabs(Ke[i][j] - Ke[j][i]), 4.0 * DBL_EPSILON * scale);
  diagonalise(Ke);
  for (int i = 0; i < 6; i++) {
    zero += fabs(Ke[i][i]) <= 1e-13 * scale;
    positive += Ke[i][i] > 0.01 * scale;
  }
  ck_assert_int_eq(zero, 3);
  ck_assert_int_eq(positive, 3);
}
END_TEST

/* xx, yy and engineering shear of displacements u of the skewed triangle, by the element's own gradients */
static void strain_of(const double u[3][2], double strain[3]) {
  const double middle[2] = {1.0 / 3.0, 1.0 / 3.0};
  double point[2], N[3], g[3][2];
  ck_assert_double_gt(prc_element_map(prc_element_of_gmsh(2), skewed, middle, point, N, g), 0.0);
  strain[0] = strain[1] = strain[2] = 0.0;
  for (int a = 0; a < 3; a++) {
    strain[0] += g[a][0] * u[a][0];
    strain[1] += g[a][1] * u[a][1];
    strain[2] += g[a][1] * u[a][0] + g[a][0] * u[a][1];
  }
}

START_TEST(the_strain_of_a_linear_field_is_its_gradient) { /* u = (a x + b y, c x + d y) + a translation */
  const double a = 1e-3, b = -2e-3, c = 5e-3, d = 7e-3;
  double u[3][2], strain[3];
  for (int k = 0; k < 3; k++) {
    u[k][0] = 4.0 + a * skewed[k][0] + b * skewed[k][1];
    u[k][1] = -3.0 + c * skewed[k][0] + d * skewed[k][1];
  }
  strain_of((const double(*)[2])u, strain);
  ck_assert_double_eq_tol(strain[0], a, 1e-14);
  ck_assert_double_eq_tol(strain[1], d, 1e-14);
  ck_assert_double_eq_tol(strain[2], b + c, 1e-14);
}
END_TEST

START_TEST(the_stiffness_gives_the_strain_energy) { /* u' Ke u = A t eps' D eps for any u */
  double Ke[6][6], D[3][3], u[3][2], strain[3];
  prc_random r = {51};
  stiffness(_i, Ke);
  prc_fem_elasticity(5750.0, 0.358, _i, D);
  for (int k = 0; k < 20; k++) {
    double twice = 0.0, expected = 0.0;
    for (int i = 0; i < 6; i++) u[i / 2][i % 2] = prc_random_uniform(&r, -1.0, 1.0);
    strain_of((const double(*)[2])u, strain);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) twice += u[i / 2][i % 2] * Ke[i][j] * u[j / 2][j % 2];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) expected += area_of(skewed) * 15.0 * strain[i] * D[i][j] * strain[j];
    ck_assert_double_eq_tol(twice, expected, 1e-13 * expected);
  }
}
END_TEST

START_TEST(a_triangle_that_is_flat_or_clockwise_is_left_alone) {
  const double clockwise[3][2] = {{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}},
               flat[3][2] = {{0.0, 0.0}, {1.0, 1.0}, {2.0, 2.0}};
  double D[3][3], Ke[6][6] = {{0.0}};
  prc_fem_elasticity(1.0, 0.3, 0, D);
  Ke[2][3] = 7.0;
  ck_assert_double_eq(prc_fem_t3_stiffness(clockwise, (const double(*)[3])D, 1.0, Ke), -0.5);
  ck_assert_double_eq(prc_fem_t3_stiffness(flat, (const double(*)[3])D, 1.0, Ke), 0.0);
  ck_assert_double_eq(Ke[2][3], 7.0);
}
END_TEST

/* Uniaxial stress s: eps = (s/E, -nu s/E) in plane stress; with eps_zz = 0, s_zz = nu s and eps = (1 - nu^2, -nu (1 +
 * nu)) s/E in plane strain. Shear: E / (2 (1 + nu)) times the engineering strain in both. */
START_TEST(the_elasticity_matrix_agrees_with_uniaxial_stress_and_pure_shear) {
  const double E = 210.0, nu = 0.3, s = 3.0;
  for (int plane_strain = 0; plane_strain <= 1; plane_strain++) {
    double D[3][3];
    const double along = plane_strain ? 1.0 - nu * nu : 1.0, across = plane_strain ? -nu * (1.0 + nu) : -nu;
    const double strain[3] = {along * s / E, across * s / E, 0.0};
    prc_fem_elasticity(E, nu, plane_strain, D);
    for (int i = 0; i < 3; i++) {
      const double stress = D[i][0] * strain[0] + D[i][1] * strain[1] + D[i][2] * strain[2];
      ck_assert_double_eq_tol(stress, i == 0 ? s : 0.0, 1e-14);
    }
    ck_assert_double_eq_tol(D[2][2], E / 2.6, 1e-13);
    for (int i = 0; i < 9; i++) ck_assert_double_eq(D[i / 3][i % 3], D[i % 3][i / 3]);
  }
}
END_TEST

START_TEST(plane_strain_is_plane_stress_of_a_stiffer_material) { /* E / (1 - nu^2), nu / (1 - nu) */
  const double E = 5750.0, nu = 0.358;
  double strain[3][3], stress[3][3];
  prc_fem_elasticity(E, nu, 1, strain);
  prc_fem_elasticity(E / (1.0 - nu * nu), nu / (1.0 - nu), 0, stress);
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(strain[i / 3][i % 3], stress[i / 3][i % 3], 1e-11);
}
END_TEST

/* v = sum v_a N_a: the integral of rho t v^2 over a triangle is rho t A / 6 (sum of v_a v_b, a <= b). */
START_TEST(the_mass_of_a_triangle_is_exact_for_linear_velocities) {
  const double v[3] = {0.7, -1.3, 2.2};
  double Me[3][3], twice = 0.0, total = 0.0;
  prc_fem_t3_mass(2.0, 1.5, 0.5, Me);
  for (int i = 0; i < 9; i++) {
    twice += v[i / 3] * Me[i / 3][i % 3] * v[i % 3];
    total += Me[i / 3][i % 3];
  }
  ck_assert_double_eq_tol(total, 1.5, 1e-15);
  ck_assert_double_eq_tol(
      twice, 1.5 / 6.0 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[0] * v[1] + v[1] * v[2] + v[2] * v[0]),
      1e-15);
}
END_TEST

/* ---- a body to try things on ------------------------------------------------------------------------------- */

enum { BOTTOM, RIGHT, TOP, LEFT, N_SIDES };
static const char *const sides[N_SIDES] = {"bottom", "right", "top", "left"};
static const double width = 40.0, height = 25.0, E0 = 5750.0, nu0 = 0.358, rho0 = 1.17e-3, t0 = 15.0;

/* A model with room for one of everything on each side, and the body made of it. */
typedef struct {
  prc_mesh *mesh;
  prc_fem_material material[3];
  prc_fem_load load[N_SIDES];
  prc_fem_support support[N_SIDES];
  prc_fem_contact contact[N_SIDES];
  prc_fem_model model;
  prc_fem *fem;
  const prc_system *system;
} rig;

/* The PMMA block of section 5.3 in g, mm, ms on a mesh; nothing loads or holds it yet. */
static rig rig_on(prc_mesh *mesh) {
  rig r = {.mesh = mesh};
  const prc_field zero = prc_field_constant(0.0);
  r.material[0] = (prc_fem_material){prc_mesh_find(mesh, 2, "block"), E0, nu0, rho0};
  r.model = (prc_fem_model){.mesh = mesh, .thickness = t0, .gravity = {zero, zero}, .n_materials = 1};
  return r;
}

static prc_mesh *read_mesh(const char *path, double size) {
  const prc_mesh_options options = {size, 0};
  prc_mesh *mesh = NULL;
  prc_error_clear(&err);
  support_ok(prc_mesh_read(path, &options, NULL, &mesh, &err), &err);
  return mesh;
}

static rig block(double size) {
  return rig_on(read_mesh(support_source("meshes/block.geo"), size));
}

static void point_model(rig *r) {
  r->model.material = r->material, r->model.load = r->load, r->model.support = r->support,
  r->model.contact = r->contact;
}

static void build(rig *r) {
  point_model(r);
  prc_error_clear(&err);
  support_ok(prc_fem_create(&r->model, &r->fem, &err), &err);
  r->system = prc_fem_system(r->fem);
}

static void refuse(rig *r, const char *text) {
  point_model(r);
  prc_error_clear(&err);
  support_fails(prc_fem_create(&r->model, &r->fem, &err), PRC_INPUT, &err, text);
  ck_assert_ptr_null(r->fem);
}

static void drop(rig *r) {
  prc_fem_free(&r->fem);
  ck_assert_ptr_null(r->fem);
  prc_mesh_free(&r->mesh);
}

static void pull(rig *r, int side, prc_field x, prc_field y) {
  r->load[r->model.n_loads++] = (prc_fem_load){
      .name = sides[side], .group = prc_mesh_find(r->mesh, 1, sides[side]), .traction = {x, y}};
}

static void hold(rig *r, int side, int in_x, int in_y, prc_field x, prc_field y) {
  r->support[r->model.n_supports++] = (prc_fem_support){.name = sides[side],
                                                        .group = prc_mesh_find(r->mesh, 1, sides[side]),
                                                        .held = {in_x, in_y},
                                                        .displacement = {x, y}};
}

static void touch(rig *r, int side, prc_field friction, prc_field restitution) {
  const double floor[2] = {0.0, -0.5}, up[2] = {0.0, 1.0}, wall[2] = {-1.5, 0.0}, in[2] = {1.0, 0.0};
  prc_fem_contact *c = &r->contact[r->model.n_contacts++];
  *c = (prc_fem_contact){.name = sides[side],
                         .group = prc_mesh_find(r->mesh, 1, sides[side]),
                         .friction = friction,
                         .restitution = restitution};
  support_ok(prc_contact_plane_make(side == LEFT ? wall : floor, side == LEFT ? in : up, &c->plane, &err),
             &err);
}

static prc_field constant(double value) {
  return prc_field_constant(value);
}

/* fields: f(x, y, t) behind a prc_field */
typedef struct {
  double (*f)(double x, double y, double t);
} formula;

static prc_status evaluate(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *error) {
  const formula *g = field->data;
  *value = g->f(x, y, t);
  return isfinite(*value) ? PRC_OK : prc_fail(error, PRC_INPUT, "no finite value at t = %g", t);
}

static prc_field field_of(formula *g, int uses_place, int uses_time) {
  return (prc_field){.eval = evaluate, .data = g, .uses_place = uses_place, .uses_time = uses_time};
}

static double *vector_of(const rig *r) {
  double *v = NULL;
  support_ok(prc_new(&v, r->system->n_dof, &err), &err);
  return v;
}

/* v_a = f(x_a, y_a) in component k */
static void set(const rig *r, int k, double (*f)(double x, double y, double t), double *v) {
  for (int a = 0; a < r->mesh->n_nodes; a++) v[2 * a + k] = f(r->mesh->x[2 * a], r->mesh->x[2 * a + 1], 0.0);
}

/* sum over nodes of f(x_a, y_a) times component k: a resultant, a moment */
static double moment(const rig *r, int k, double (*f)(double x, double y, double t), const double *v) {
  double sum = 0.0;
  for (int a = 0; a < r->mesh->n_nodes; a++)
    sum += f(r->mesh->x[2 * a], r->mesh->x[2 * a + 1], 0.0) * v[2 * a + k];
  return sum;
}

#define FUNCTION(name, value)                                                                                \
  static double name(double x, double y, double t) {                                                         \
    (void)x, (void)y, (void)t;                                                                               \
    return value;                                                                                            \
  }
FUNCTION(one, 1.0)
FUNCTION(of_x, x)
FUNCTION(of_y, y)
FUNCTION(minus_y, -y)
FUNCTION(some_linear, 0.3 - 0.02 * x + 0.05 * y)
FUNCTION(field_x, 1e-3 * x + 2e-3 * y + 0.5) /* displacements with the strains 1e-3, -3e-3, 1e-3 */
FUNCTION(field_y, -1e-3 * x - 3e-3 * y - 0.25)
FUNCTION(linear_y, 2.0 + 0.1 * y)
FUNCTION(square_y, y *y)
FUNCTION(wave, sin(3.0 * t + 0.4))
FUNCTION(travelling, (1.0 + 0.2 * y) * cos(5.0 * t))
FUNCTION(profile, 1.0 + 0.2 * y)
FUNCTION(growing_friction, 0.1 + 0.01 * x)
FUNCTION(negative_at_the_end, 0.3 - 0.01 * x)
FUNCTION(too_bouncy_at_the_end, 0.03 * x)
FUNCTION(not_a_number_at_the_end, x > 38.0 ? NAN : 0.5)
FUNCTION(ramp, 0.25 + 1.75 * t)
FUNCTION(quartic, 1.0 + t * (2.0 + t * (-3.0 + t * (4.0 - 5.0 * t))))
FUNCTION(kink, t < 0.5 ? 2.0 * t : 1.0 - 3.0 * (t - 0.5))
FUNCTION(resting, 0.75 + 0.0 * t)
FUNCTION(shear_in_time, 0.01 * y * t)

/* ---- assembly ------------------------------------------------------------------------------------------------ */

static int on_boundary(const rig *r, int a) {
  const double *x = r->mesh->x + 2 * a, near = 1e-9;
  return x[0] < near || x[0] > width - near || x[1] < near || x[1] > height - near;
}

static void stress_of_the_field(int plane_strain, double stress[3]) {
  const double strain[3] = {1e-3, -3e-3, 1e-3};
  double D[3][3];
  prc_fem_elasticity(E0, nu0, plane_strain, D);
  for (int i = 0; i < 3; i++) stress[i] = D[i][0] * strain[0] + D[i][1] * strain[1] + D[i][2] * strain[2];
}

/* The patch test: a linear displacement is in equilibrium with the tractions of its constant stress: K q = F of them, at
 * every node; inside, that is zero. */
START_TEST(linear_displacements_are_in_equilibrium_with_constant_tractions) {
  rig r = block(5.0);
  double s[3];
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  stress_of_the_field(_i, s);
  pull(&r, BOTTOM, constant(-s[2]), constant(-s[1]));
  pull(&r, RIGHT, constant(s[0]), constant(s[2]));
  pull(&r, TOP, constant(s[2]), constant(s[1]));
  pull(&r, LEFT, constant(-s[0]), constant(-s[2]));
  build(&r);
  double *q = vector_of(&r), *f = vector_of(&r), *F = vector_of(&r);
  set(&r, 0, field_x, q), set(&r, 1, field_y, q);
  prc_sym_multiply(r.system->K, q, f);
  support_ok(r.system->force(r.system->body, 0.0, F, &err), &err);
  const double rounding = 1e-11 * E0 * t0; /* of K times displacements of order 1 */
  int inside = 0;
  for (int a = 0; a < r.mesh->n_nodes; a++)
    for (int k = 0; k < 2; k++) {
      ck_assert_double_le(fabs(f[2 * a + k] - F[2 * a + k]), rounding);
      if (on_boundary(&r, a)) continue;
      inside++;
      ck_assert_double_le(fabs(f[2 * a + k]), rounding);
    }
  ck_assert_int_gt(inside, 40);
  prc_delete(&q);
  prc_delete(&f);
  prc_delete(&F);
  drop(&r);
}
END_TEST

/* The same, solved: two sides follow the linear displacement, two carry its tractions, the rest is found. */
START_TEST(equilibrium_finds_a_linear_displacement_inside) {
  rig r = block(5.0);
  formula fx = {field_x}, fy = {field_y};
  double s[3];
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  stress_of_the_field(_i, s);
  hold(&r, LEFT, 1, 1, field_of(&fx, 1, 0), field_of(&fy, 1, 0));
  hold(&r, RIGHT, 1, 1, field_of(&fx, 1, 0), field_of(&fy, 1, 0));
  pull(&r, BOTTOM, constant(-s[2]), constant(-s[1]));
  pull(&r, TOP, constant(s[2]), constant(s[1]));
  build(&r);
  double *q = vector_of(&r), *expected = vector_of(&r);
  set(&r, 0, field_x, expected), set(&r, 1, field_y, expected);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, &err), &err);
  for (int i = 0; i < r.system->n_dof; i++) ck_assert_double_eq_tol(q[i], expected[i], 1e-13);
  prc_delete(&q);
  prc_delete(&expected);
  drop(&r);
}
END_TEST

START_TEST(rigid_motions_of_the_body_do_no_work) {
  rig r = block(5.0);
  build(&r);
  double *q = vector_of(&r), *f = vector_of(&r);
  for (int motion = 0; motion < 3; motion++) {
    memset(q, 0, (size_t)r.system->n_dof * sizeof *q);
    if (motion < 2) set(&r, motion, one, q);
    if (motion == 2) set(&r, 0, minus_y, q), set(&r, 1, of_x, q);
    prc_sym_multiply(r.system->K, q, f);
    for (int i = 0; i < r.system->n_dof; i++)
      ck_assert_double_le(fabs(f[i]), 1e-13 * E0 * t0 * (motion < 2 ? 1.0 : 40.0));
  }
  prc_delete(&q);
  prc_delete(&f);
  drop(&r);
}
END_TEST

/* The integral of (a + b x + c y)^2 over the block, by two-point Gauss quadrature in each direction, exact for it. */
static double integral_of_square(double (*f)(double x, double y, double t)) {
  double sum = 0.0;
  for (int i = -1; i <= 1; i += 2)
    for (int j = -1; j <= 1; j += 2) {
      const double value = f(0.5 * width * (1.0 + i / sqrt(3.0)), 0.5 * height * (1.0 + j / sqrt(3.0)), 0.0);
      sum += 0.25 * width * height * value * value;
    }
  return sum;
}

START_TEST(the_consistent_mass_is_exact_for_linear_velocities) {
  rig r = block(5.0);
  build(&r);
  double *v = vector_of(&r);
  for (int k = 0; k < 2; k++) {
    memset(v, 0, (size_t)r.system->n_dof * sizeof *v);
    set(&r, k, some_linear, v);
    const double expected = rho0 * t0 * integral_of_square(some_linear);
    ck_assert_double_eq_tol(prc_sym_form(r.system->M, v, v), expected, 1e-13 * expected);
  }
  prc_delete(&v);
  drop(&r);
}
END_TEST

/* mass, first moments and no coupling of x with y, lumped (_i) or not */
START_TEST(the_mass_has_the_bodys_total_and_centre) {
  rig r = block(5.0);
  r.model.mass = _i ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT;
  build(&r);
  double *v = vector_of(&r), *m = vector_of(&r);
  const double mass = rho0 * t0 * width * height; /* 17.55 g */
  for (int k = 0; k < 2; k++) {
    memset(v, 0, (size_t)r.system->n_dof * sizeof *v);
    set(&r, k, one, v);
    prc_sym_multiply(r.system->M, v, m);
    ck_assert_double_eq_tol(moment(&r, k, one, m), mass, 1e-13 * mass);
    ck_assert_double_eq_tol(moment(&r, k, of_x, m), mass * 0.5 * width, 1e-12 * mass * width);
    ck_assert_double_eq_tol(moment(&r, k, of_y, m), mass * 0.5 * height, 1e-12 * mass * width);
    ck_assert_double_eq(moment(&r, 1 - k, one, m), 0.0);
  }
  prc_delete(&v);
  prc_delete(&m);
  drop(&r);
}
END_TEST

START_TEST(the_lumped_mass_is_diagonal_and_positive) {
  rig r = block(5.0);
  r.model.mass = PRC_MASS_LUMPED;
  build(&r);
  const prc_sym *M = r.system->M;
  for (int j = 0; j < M->n; j++) {
    ck_assert_double_gt(M->x[M->p[j]], 0.0);
    for (int k = M->p[j] + 1; k < M->p[j + 1]; k++) ck_assert_double_eq(M->x[k], 0.0);
  }
  drop(&r);
}
END_TEST

static void turn(prc_mesh *mesh, double angle) {
  for (int a = 0; a < mesh->n_nodes; a++) {
    const double x = mesh->x[2 * a], y = mesh->x[2 * a + 1];
    mesh->x[2 * a] = cos(angle) * x - sin(angle) * y, mesh->x[2 * a + 1] = sin(angle) * x + cos(angle) * y;
  }
}

START_TEST(energies_do_not_change_when_the_body_and_its_motion_are_turned) {
  rig r = block(5.0), other = block(5.0);
  const double angle = 0.7;
  prc_random random = {52};
  turn(other.mesh, angle);
  build(&r);
  build(&other);
  double *q = vector_of(&r), *turned = vector_of(&r);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    const double x = prc_random_uniform(&random, -1.0, 1.0), y = prc_random_uniform(&random, -1.0, 1.0);
    q[2 * a] = x, q[2 * a + 1] = y;
    turned[2 * a] = cos(angle) * x - sin(angle) * y, turned[2 * a + 1] = sin(angle) * x + cos(angle) * y;
  }
  const double elastic = prc_sym_form(r.system->K, q, q), kinetic = prc_sym_form(r.system->M, q, q);
  ck_assert_double_eq_tol(prc_sym_form(other.system->K, turned, turned), elastic, 1e-12 * elastic);
  ck_assert_double_eq_tol(prc_sym_form(other.system->M, turned, turned), kinetic, 1e-12 * kinetic);
  prc_delete(&q);
  prc_delete(&turned);
  drop(&r);
  drop(&other);
}
END_TEST

/* A net of n x n squares, each cut in two, its inner nodes shaken; one surface, "block". */
static prc_mesh *net(int n) {
  prc_mesh *m = NULL;
  prc_random r = {53};
  prc_error_clear(&err);
  support_ok(prc_new(&m, 1, &err), &err);
  m->n_nodes = (n + 1) * (n + 1), m->n_cells = 2 * n * n, m->n_groups = 1;
  support_ok(prc_new(&m->x, 2 * m->n_nodes, &err), &err);
  support_ok(prc_new(&m->tag, m->n_nodes, &err), &err);
  support_ok(prc_new(&m->cell, 3 * m->n_cells, &err), &err);
  support_ok(prc_new(&m->cell_tag, m->n_cells, &err), &err);
  support_ok(prc_new(&m->cell_start, m->n_cells + 1, &err), &err);
  support_ok(prc_new(&m->cell_element, m->n_cells, &err), &err);
  support_ok(prc_new(&m->group, 1, &err), &err);
  support_ok(prc_strdup("block", &m->group[0].name, &err), &err);
  support_ok(prc_new(&m->group[0].cell, m->n_cells, &err), &err);
  m->group[0].dim = 2, m->group[0].n_cells = m->n_cells;
  for (int a = 0; a < m->n_nodes; a++) {
    const int i = a % (n + 1), j = a / (n + 1), inside = i > 0 && i < n && j > 0 && j < n;
    m->x[2 * a] = i + (inside ? prc_random_uniform(&r, -0.2, 0.2) : 0.0);
    m->x[2 * a + 1] = j + (inside ? prc_random_uniform(&r, -0.2, 0.2) : 0.0);
    m->tag[a] = (size_t)a + 1;
  }
  for (int c = 0; c < m->n_cells; c++) {
    const int s = c / 2, low = s % n + s / n * (n + 1);
    const int cell[2][3] = {{low, low + 1, low + n + 2}, {low, low + n + 2, low + n + 1}};
    memcpy(m->cell + 3 * c, cell[c % 2], sizeof cell[0]);
    m->cell_start[c + 1] = 3 * (c + 1);
    m->cell_element[c] = prc_element_of_gmsh(2);
    m->cell_tag[c] = (size_t)c + 1;
    m->group[0].cell[c] = c;
  }
  m->high[0] = m->high[1] = n;
  return m;
}

static void use_threads(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#else
  (void)n;
#endif
}

START_TEST(matrices_are_the_same_bytes_with_one_thread_and_with_two) {
  rig single = rig_on(net(150)), two = rig_on(net(150)); /* 22801 nodes: enough for threads to be used */
  use_threads(1);
  build(&single);
  use_threads(2);
  build(&two);
  const prc_sym *A[2] = {single.system->K, single.system->M}, *B[2] = {two.system->K, two.system->M};
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(prc_sym_nnz(A[k]), prc_sym_nnz(B[k]));
    ck_assert_mem_eq(A[k]->i, B[k]->i, (size_t)prc_sym_nnz(A[k]) * sizeof(int));
    ck_assert_mem_eq(A[k]->x, B[k]->x, (size_t)prc_sym_nnz(A[k]) * sizeof(double));
  }
  drop(&single);
  drop(&two);
}
END_TEST

START_TEST(the_facts_are_those_of_the_block) {
  rig r = block(5.0);
  build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  ck_assert_double_eq_tol(facts.area, 1000.0, 1e-10);
  ck_assert_double_eq_tol(facts.mass, 17.55, 1e-12);
  ck_assert_double_eq_tol(facts.first_moment[0], 17.55 * 20.0, 1e-10);
  ck_assert_double_eq_tol(facts.first_moment[1], 17.55 * 12.5, 1e-10);
  ck_assert_double_eq_tol(facts.speed_p, 2374.23, 0.005); /* sqrt(E / (rho (1 - nu^2))) */
  ck_assert_double_eq_tol(facts.speed_s, 1345.17, 0.005); /* sqrt(E / (2 rho (1 + nu))) */
  ck_assert_double_eq_tol(facts.cfl_step, facts.smallest_height / facts.speed_p, 1e-15);
  ck_assert_double_eq(r.system->velocity, facts.speed_p);
  drop(&r);
}
END_TEST

START_TEST(in_plane_strain_longitudinal_waves_are_faster_and_shear_waves_are_not) {
  rig r = block(5.0);
  r.model.plane = PRC_PLANE_STRAIN;
  build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  const double expected = sqrt(E0 * (1.0 - nu0) / ((1.0 + nu0) * (1.0 - 2.0 * nu0) * rho0));
  ck_assert_double_eq_tol(facts.speed_p, expected, 1e-12 * expected);
  ck_assert_double_eq_tol(facts.speed_s, 1345.17, 0.005);
  drop(&r);
}
END_TEST

/* ---- loads --------------------------------------------------------------------------------------------------- */

static double *forces(const rig *r, double t) {
  double *F = vector_of(r);
  for (int i = 0; i < r->system->n_dof; i++) F[i] = 1e9; /* overwritten */
  support_ok(r->system->force(r->system->body, t, F, &err), &err);
  return F;
}

START_TEST(a_constant_traction_has_its_resultant_and_moment) {
  rig r = block(5.0);
  pull(&r, LEFT, constant(2.0), constant(-0.5));
  build(&r);
  double *F = forces(&r, 0.3);
  const double side = height * t0;
  ck_assert_double_eq_tol(moment(&r, 0, one, F), 2.0 * side, 1e-11);
  ck_assert_double_eq_tol(moment(&r, 1, one, F), -0.5 * side, 1e-11);
  ck_assert_double_eq_tol(moment(&r, 0, of_y, F), 2.0 * side * 0.5 * height, 1e-10);
  ck_assert_double_eq_tol(moment(&r, 0, of_x, F), 0.0, 1e-10); /* all of it on the left */
  ck_assert_int_eq(r.system->force_constant, 1);
  prc_delete(&F);
  drop(&r);
}
END_TEST

START_TEST(a_traction_linear_along_its_side_has_its_resultant_and_moment) {
  rig r = block(5.0);
  formula f = {linear_y};
  pull(&r, RIGHT, field_of(&f, 1, 0), constant(0.0));
  build(&r);
  double *F = forces(&r, 0.0);
  const double h2 = height * height / 2.0, h3 = height * height * height / 3.0;
  ck_assert_double_eq_tol(moment(&r, 0, one, F), t0 * (2.0 * height + 0.1 * h2), 1e-10);
  ck_assert_double_eq_tol(moment(&r, 0, of_y, F), t0 * (2.0 * h2 + 0.1 * h3), 1e-9);
  ck_assert_double_eq(moment(&r, 1, one, F), 0.0);
  ck_assert_int_eq(r.system->force_constant, 1);
  prc_delete(&F);
  drop(&r);
}
END_TEST

START_TEST(even_a_quadratic_traction_has_its_resultant_and_moment) {
  rig r = block(5.0);
  formula f = {square_y};
  pull(&r, RIGHT, field_of(&f, 1, 0), constant(0.0));
  build(&r);
  double *F = forces(&r, 0.0);
  ck_assert_double_eq_tol(moment(&r, 0, one, F), t0 * pow(height, 3.0) / 3.0, 1e-8);
  ck_assert_double_eq_tol(moment(&r, 0, of_y, F), t0 * pow(height, 4.0) / 4.0, 1e-7);
  prc_delete(&F);
  drop(&r);
}
END_TEST

START_TEST(a_load_in_time_is_its_amplitude_times_a_fixed_vector) {
  rig r = block(5.0), fixed = block(5.0);
  formula f = {wave}, g = {travelling}, shape = {profile};
  pull(&r, TOP, field_of(&f, 0, 1), constant(0.0));
  pull(&r, LEFT, constant(0.0), field_of(&g, 1, 1));
  pull(&fixed, TOP, constant(1.0), constant(0.0));
  pull(&fixed, LEFT, constant(0.0), field_of(&shape, 1, 0));
  build(&r);
  build(&fixed);
  ck_assert_int_eq(r.system->force_constant, 0);
  double *F1 = forces(&fixed, 0.0);
  for (int k = 0; k < 5; k++) {
    const double t = 0.37 * k;
    double *F = forces(&r, t);
    for (int a = 0; a < r.mesh->n_nodes; a++) {
      ck_assert_double_eq_tol(F[2 * a], sin(3.0 * t + 0.4) * F1[2 * a], 1e-12);
      ck_assert_double_eq_tol(F[2 * a + 1], cos(5.0 * t) * F1[2 * a + 1], 1e-11);
    }
    prc_delete(&F);
  }
  prc_delete(&F1);
  drop(&r);
  drop(&fixed);
}
END_TEST

START_TEST(loads_on_one_node_add_up) { /* the corner of left and top carries both, and gravity */
  rig all = block(5.0), part[3] = {block(5.0), block(5.0), block(5.0)};
  for (int k = 0; k < 4; k++) {
    rig *r = k < 3 ? &part[k] : &all;
    if (k == 0 || k == 3) pull(r, LEFT, constant(2.0), constant(1.0));
    if (k == 1 || k == 3) pull(r, TOP, constant(-1.0), constant(-3.0));
    if (k == 2 || k == 3) r->model.gravity[1] = constant(-9.81);
    build(r);
  }
  double *F = forces(&all, 0.0), *sum = vector_of(&all);
  for (int k = 0; k < 3; k++) {
    double *one_of_them = forces(&part[k], 0.0);
    for (int i = 0; i < all.system->n_dof; i++) sum[i] += one_of_them[i];
    prc_delete(&one_of_them);
    drop(&part[k]);
  }
  for (int i = 0; i < all.system->n_dof; i++) ck_assert_double_eq_tol(F[i], sum[i], 1e-12);
  prc_delete(&F);
  prc_delete(&sum);
  drop(&all);
}
END_TEST

/* _i: consistent or lumped mass; gravity is M times the uniform acceleration in both */
START_TEST(gravity_is_the_mass_times_the_acceleration) {
  rig r = block(5.0);
  r.model.mass = _i ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT;
  r.model.gravity[0] = constant(2e-3);
  r.model.gravity[1] = constant(-1e-3);
  build(&r);
  double *F = forces(&r, 0.0), *g = vector_of(&r), *Mg = vector_of(&r);
  for (int a = 0; a < r.mesh->n_nodes; a++) g[2 * a] = 2e-3, g[2 * a + 1] = -1e-3;
  prc_sym_multiply(r.system->M, g, Mg);
  for (int i = 0; i < r.system->n_dof; i++) ck_assert_double_eq_tol(F[i], Mg[i], 1e-16);
  ck_assert_double_eq_tol(moment(&r, 1, one, F), -17.55e-3, 1e-15);
  ck_assert_double_eq_tol(moment(&r, 1, of_x, F), -17.55e-3 * 20.0, 1e-13);
  prc_delete(&F);
  prc_delete(&g);
  prc_delete(&Mg);
  drop(&r);
}
END_TEST

START_TEST(gravity_may_shake) {
  rig r = block(5.0);
  formula f = {wave};
  r.model.gravity[0] = field_of(&f, 0, 1);
  build(&r);
  ck_assert_int_eq(r.system->force_constant, 0);
  for (int k = 0; k < 4; k++) {
    double *F = forces(&r, 0.2 * k);
    ck_assert_double_eq_tol(moment(&r, 0, one, F), 17.55 * sin(0.6 * k + 0.4), 1e-12);
    ck_assert_double_eq(moment(&r, 1, one, F), 0.0);
    prc_delete(&F);
  }
  drop(&r);
}
END_TEST

START_TEST(a_load_without_value_names_itself) {
  rig r = block(5.0);
  formula f = {not_a_number_at_the_end};
  pull(&r, BOTTOM, constant(0.0), field_of(&f, 1, 0));
  refuse(&r, "load 'bottom': no finite value");
  drop(&r);
}
END_TEST

/* ---- supports ------------------------------------------------------------------------------------------------ */

START_TEST(prescribed_dofs_ascend_and_know_their_support) {
  rig r = block(5.0);
  hold(&r, TOP, 0, 1, constant(0.0), constant(-0.005));
  hold(&r, LEFT, 1, 0, constant(0.02), constant(0.0));
  build(&r);
  const prc_system *s = r.system;
  ck_assert_int_eq(s->n_prescribed, r.support[0].group->n_nodes + r.support[1].group->n_nodes);
  ck_assert_int_eq(s->prescribed_rest, 1);
  double *d = NULL;
  support_ok(prc_new(&d, s->n_prescribed, &err), &err);
  support_ok(s->prescribed_displacement(s->body, 0.0, d, &err), &err);
  for (int k = 0; k < 2; k++) {
    const int *rows, count = prc_fem_support_rows(r.fem, k, &rows);
    ck_assert_int_eq(count, r.support[k].group->n_nodes);
    for (int i = 0; i < count; i++) {
      ck_assert_int_eq(s->prescribed[rows[i]], 2 * r.support[k].group->node[i] + (k == 0));
      ck_assert_double_eq(d[rows[i]], k == 0 ? -0.005 : 0.02);
    }
  }
  for (int i = 1; i < s->n_prescribed; i++) ck_assert_int_lt(s->prescribed[i - 1], s->prescribed[i]);
  prc_delete(&d);
  drop(&r);
}
END_TEST

START_TEST(supports_that_disagree_at_a_corner_are_refused) {
  rig r = block(5.0);
  hold(&r, TOP, 1, 1, constant(0.0), constant(-0.005));
  hold(&r, LEFT, 0, 1, constant(0.0), constant(0.0));
  refuse(&r, "the supports 'top' and 'left' both prescribe the y displacement of node 4");
  drop(&r);
}
END_TEST

START_TEST(supports_that_move_are_not_taken_for_the_same) {
  rig r = block(5.0);
  formula f = {ramp};
  hold(&r, TOP, 1, 0, field_of(&f, 0, 1), constant(0.0));
  hold(&r, LEFT, 1, 0, field_of(&f, 0, 1), constant(0.0));
  refuse(&r, "both prescribe the x displacement");
  drop(&r);
}
END_TEST

START_TEST(the_same_constant_twice_is_accepted_and_belongs_to_the_first) {
  rig r = block(5.0);
  hold(&r, TOP, 0, 1, constant(0.0), constant(-0.005));
  hold(&r, LEFT, 1, 1, constant(0.0), constant(-0.005));
  build(&r);
  const int *rows, top = prc_fem_support_rows(r.fem, 0, &rows), left = prc_fem_support_rows(r.fem, 1, &rows);
  ck_assert_int_eq(top, r.support[0].group->n_nodes);
  ck_assert_int_eq(left, 2 * r.support[1].group->n_nodes - 1);
  ck_assert_int_eq(r.system->n_prescribed, top + left);
  drop(&r);
}
END_TEST

START_TEST(a_support_that_holds_nothing_is_refused) {
  rig r = block(5.0);
  hold(&r, TOP, 1, 0, constant(0.0), constant(0.0));
  hold(&r, TOP, 1, 0, constant(0.0), constant(0.0));
  refuse(&r, "holds nothing: other supports hold all of its nodes already");
  drop(&r);
}
END_TEST

/* Velocities of the right side, prescribed in x by f, with the step h. */
static void expect_velocity(double (*f)(double x, double y, double t), double t, double h, double expected,
                            double tolerance) {
  rig r = block(12.5);
  formula g = {f};
  hold(&r, RIGHT, 1, 1, field_of(&g, 0, 1), constant(3.0));
  build(&r);
  const prc_system *s = r.system;
  double v[64];
  ck_assert_int_eq(s->prescribed_rest, 0);
  ck_assert_int_le(s->n_prescribed, 64);
  support_ok(s->prescribed_velocity(s->body, t, h, v, &err), &err);
  for (int i = 0; i < s->n_prescribed; i++)
    if (s->prescribed[i] % 2)
      ck_assert_double_eq(v[i], 0.0); /* a constant rests exactly */
    else
      ck_assert_double_le(fabs(v[i] - expected), tolerance);
  drop(&r);
}

START_TEST(a_motion_that_rests_has_no_velocity_at_all) {
  expect_velocity(resting, 0.3, 1e-4, 0.0, 0.0);
}
END_TEST

START_TEST(
    a_ramp_has_its_slope) { /* rounding of the displacement over the step: 1e-16 / 1e-4 and a few times more */
  expect_velocity(ramp, 0.0, 1e-4, 1.75, 1e-10);
  expect_velocity(ramp, 0.7, 1e-4, 1.75, 1e-10);
}
END_TEST

START_TEST(a_quartic_has_its_derivative) { /* 2 - 6 t + 12 t^2 - 20 t^3 */
  expect_velocity(quartic, 0.0, 0.1, 2.0, 1e-13);
  expect_velocity(quartic, 0.5, 0.1, -0.5, 1e-13);
  expect_velocity(quartic, 0.5, 2.0, -0.5, 1e-12);
}
END_TEST

START_TEST(at_a_kink_the_velocity_is_the_one_with_which_the_motion_goes_on) {
  expect_velocity(kink, 0.5, 1e-3, -3.0, 1e-11);
  expect_velocity(kink, 0.499, 0.001, 2.0, 1e-11); /* up to the kink: what comes after it is not felt */
}
END_TEST

START_TEST(a_motion_may_vary_along_its_side) {
  rig r = block(5.0);
  formula f = {shear_in_time};
  hold(&r, RIGHT, 1, 0, field_of(&f, 1, 1), constant(0.0));
  build(&r);
  const prc_system *s = r.system;
  double v[64], d[64];
  ck_assert_int_le(s->n_prescribed, 64);
  support_ok(s->prescribed_velocity(s->body, 2.0, 0.01, v, &err), &err);
  support_ok(s->prescribed_displacement(s->body, 2.0, d, &err), &err);
  for (int i = 0; i < s->n_prescribed; i++) {
    const double y = r.mesh->x[2 * (s->prescribed[i] / 2) + 1];
    ck_assert_double_eq_tol(v[i], 0.01 * y, 1e-12);
    ck_assert_double_eq_tol(d[i], 0.02 * y, 1e-15);
  }
  drop(&r);
}
END_TEST

/* ---- a square of two triangles -------------------------------------------------------------------------------- */

/* Node 4 belongs to no triangle. Surfaces: the body, and its two halves; "below" lacks the other half. */
static double square_x[10] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 9.0, 9.0};
static size_t square_tag[5] = {11, 12, 13, 14, 15}, square_cell_tag[2] = {101, 102};
static int square_cell[6] = {0, 1, 2, 0, 2, 3}, square_edge[4] = {0, 1, 3, 2}, square_edge_cell[2] = {0, 1};
static int square_list[6] = {0, 1, 2, 3, 0, 2};
static char square_names[6][8] = {"floor", "ceiling", "block", "below", "above", "nothing"};
static prc_mesh_group square_group[6] = {
    {square_names[0], 1, 1, square_list, 2, square_list},
    {square_names[1], 1, 1, square_list + 1, 2, square_list + 2},
    {square_names[2], 2, 2, square_list, 4, square_list},
    {square_names[3], 2, 1, square_list, 3, square_list},
    {square_names[4], 2, 1, square_list + 1, 3, square_list},
    {square_names[5], 1, 0, square_list, 0, square_list},
};
static int square_start[3] = {0, 3, 6}, square_middle[2] = {-1, -1};
static const prc_element *square_element[2] = {NULL, NULL}; /* triangles: set by on_square */
static prc_mesh square = {.n_nodes = 5,
                          .x = square_x,
                          .tag = square_tag,
                          .n_cells = 2,
                          .cell_start = square_start,
                          .cell = square_cell,
                          .cell_element = square_element,
                          .cell_tag = square_cell_tag,
                          .n_edges = 2,
                          .edge = square_edge,
                          .edge_middle = square_middle,
                          .edge_cell = square_edge_cell,
                          .n_groups = 6,
                          .group = square_group,
                          .n_unused = 1,
                          .high = {1.0, 1.0}};

static rig on_square(void) {
  square_element[0] = square_element[1] = prc_element_of_gmsh(2);
  return rig_on(&square);
}

START_TEST(a_triangle_without_material_is_refused) {
  rig r = on_square();
  r.material[0].group = prc_mesh_find(&square, 2, "below");
  refuse(&r, "triangle 102 has no material");
  ck_assert_ptr_nonnull(strstr(err.message, "block, below, above"));
}
END_TEST

START_TEST(a_triangle_with_two_materials_is_refused) {
  rig r = on_square();
  r.material[1] = r.material[0];
  r.material[1].group = prc_mesh_find(&square, 2, "above");
  r.model.n_materials = 2;
  refuse(&r, "triangle 102 belongs to two groups with a material, 'block' and 'above'");
}
END_TEST

START_TEST(each_triangle_has_the_material_of_its_group) {
  rig r = on_square();
  r.material[0].group = prc_mesh_find(&square, 2, "below");
  r.material[1] = (prc_fem_material){prc_mesh_find(&square, 2, "above"), 4.0 * E0, nu0, 3.0 * rho0};
  r.model.n_materials = 2;
  build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  ck_assert_double_eq_tol(facts.mass, 2.0 * rho0 * t0, 1e-15);
  ck_assert_double_eq_tol(facts.speed_p, 2374.23 * sqrt(4.0 / 3.0), 0.01);
  ck_assert_double_eq_tol(facts.smallest_height, sqrt(0.5), 1e-15); /* the height above the diagonal */
  double *q = vector_of(&r), stress[6], across[2], energy[2];
  set(&r, 0, field_x, q), set(&r, 1, field_y, q);
  prc_fem_cell_fields(r.fem, q, stress, across, energy);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(stress[3 + i], 4.0 * stress[i], 1e-10);
  ck_assert_double_eq_tol(energy[1], 4.0 * energy[0], 1e-12);
  prc_delete(&q);
  prc_fem_free(&r.fem);
}
END_TEST

START_TEST(unused_nodes_are_held_at_zero) {
  rig r = on_square();
  build(&r);
  const prc_system *s = r.system;
  double d[2] = {7.0, 7.0}, v[2] = {7.0, 7.0};
  ck_assert_int_eq(s->n_prescribed, 2);
  ck_assert(s->prescribed[0] == 8 && s->prescribed[1] == 9);
  support_ok(s->prescribed_displacement(s->body, 1.0, d, &err), &err);
  support_ok(s->prescribed_velocity(s->body, 1.0, 0.1, v, &err), &err);
  ck_assert(d[0] == 0.0 && d[1] == 0.0 && v[0] == 0.0 && v[1] == 0.0);
  prc_fem_free(&r.fem);
}
END_TEST

START_TEST(stress_at_nodes_is_the_mean_by_area) { /* nodes 0 and 2 see both halves, 1 and 3 one, 4 none */
  double x[10] = {0.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0, 2.0, 9.0, 9.0}; /* areas 1 and 2 */
  rig r = on_square();
  prc_mesh mesh = square;
  mesh.x = x;
  r = rig_on(&mesh);
  build(&r);
  const double q[10] = {0.0, 0.0, 1e-3, -2e-3, 5e-3, 1e-3, -1e-3, 4e-3, 7.0, 7.0};
  double cell[6], across[2], energy[2], node[15];
  prc_fem_cell_fields(r.fem, q, cell, across, energy);
  prc_fem_node_stress(r.fem, q, node);
  for (int i = 0; i < 3; i++) {
    const double mean = (cell[i] + 2.0 * cell[3 + i]) / 3.0;
    const double expected[5] = {mean, cell[i], mean, cell[3 + i], 0.0};
    for (int a = 0; a < 5; a++) ck_assert_double_eq_tol(node[3 * a + i], expected[a], 1e-12);
  }
  prc_fem_free(&r.fem);
}
END_TEST

START_TEST(groups_without_nodes_are_refused) {
  rig r = on_square();
  r.support[0] =
      (prc_fem_support){.name = "wall", .group = prc_mesh_find(&square, 1, "nothing"), .held = {1, 1}};
  r.model.n_supports = 1;
  refuse(&r, "the support 'wall' holds nothing: its group has no nodes");
  r.model.n_supports = 0;
  r.contact[0] = (prc_fem_contact){.name = "rail", .group = prc_mesh_find(&square, 1, "nothing")};
  r.model.n_contacts = 1;
  refuse(&r, "contact 'rail': its group 'nothing' has no nodes");
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------------------------- */

START_TEST(tributary_areas_sum_to_the_length_times_the_thickness) {
  rig r = block(3.0);
  touch(&r, BOTTOM, constant(0.5), constant(0.0));
  touch(&r, LEFT, constant(0.2), constant(0.9));
  build(&r);
  const double expected[2] = {width * t0, height * t0};
  for (int k = 0; k < 2; k++) {
    double sum = 0.0;
    for (int c = prc_fem_contact_first(r.fem, k); c < prc_fem_contact_first(r.fem, k + 1); c++) {
      ck_assert_double_gt(prc_fem_contact_areas(r.fem)[c], 0.0);
      sum += prc_fem_contact_areas(r.fem)[c];
    }
    ck_assert_double_eq_tol(sum, expected[k], 1e-11);
  }
  drop(&r);
}
END_TEST

START_TEST(candidates_are_the_nodes_group_after_group_with_their_gaps_and_frames) {
  rig r = block(5.0);
  formula f = {growing_friction};
  touch(&r, BOTTOM, field_of(&f, 1, 0), constant(0.25));
  touch(&r, LEFT, constant(0.2), constant(1.0));
  build(&r);
  const prc_system *s = r.system;
  const int *node = prc_fem_contact_nodes(r.fem);
  const double *frame = prc_fem_contact_frames(r.fem);
  double *q = vector_of(&r), *gap = NULL, *H = NULL;
  support_ok(prc_new(&gap, s->n_contacts, &err), &err);
  support_ok(prc_new(&H, 4 * s->n_contacts, &err), &err);
  set(&r, 0, field_x, q), set(&r, 1, field_y, q);
  s->gap(s->body, q, gap);
  s->directions(s->body, q, H);
  ck_assert_int_eq(prc_fem_contact_first(r.fem, 0), 0);
  ck_assert_int_eq(prc_fem_contact_first(r.fem, 2), s->n_contacts);
  ck_assert_int_eq(s->H_constant, 1);
  ck_assert_mem_eq(H, frame, 4 * (size_t)s->n_contacts * sizeof *H);
  for (int k = 0; k < 2; k++) {
    const double n[2] = {k == 1, k == 0}, t[2] = {k == 0, -(k == 1)};
    for (int c = prc_fem_contact_first(r.fem, k); c < prc_fem_contact_first(r.fem, k + 1); c++) {
      const int a = node[c];
      const double *x = r.mesh->x + 2 * a;
      ck_assert_int_eq(a, r.contact[k].group->node[c - prc_fem_contact_first(r.fem, k)]);
      ck_assert_int_eq(s->H_start[c], 2 * c);
      ck_assert(s->H_dof[2 * c] == 2 * a && s->H_dof[2 * c + 1] == 2 * a + 1);
      ck_assert(H[4 * c] == n[0] && H[4 * c + 1] == n[1] && H[4 * c + 2] == t[0] && H[4 * c + 3] == t[1]);
      ck_assert_double_eq_tol(gap[c], k == 0 ? x[1] + q[2 * a + 1] + 0.5 : x[0] + q[2 * a] + 1.5, 1e-14);
      ck_assert_double_eq(s->mu[c], k == 0 ? 0.1 + 0.01 * x[0] : 0.2);
      ck_assert_double_eq(s->e[c], k == 0 ? 0.25 : 1.0);
    }
  }
  ck_assert_int_eq(s->H_start[s->n_contacts], 2 * s->n_contacts);
  prc_delete(&q);
  prc_delete(&gap);
  prc_delete(&H);
  drop(&r);
}
END_TEST

START_TEST(friction_and_restitution_out_of_range_are_refused_where_they_are) {
  static const struct {
    double (*friction)(double x, double y, double t);
    double (*restitution)(double x, double y, double t);
    const char *message;
  } bad[] = {
      {negative_at_the_end, one, "contact 'bottom': the friction is -0."},
      {one, too_bouncy_at_the_end, "contact 'bottom': the restitution is 1."},
      {one, minus_y, NULL}, /* -0 at y = 0: fine */
      {not_a_number_at_the_end, one, "contact 'bottom': no finite value"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    rig r = block(5.0);
    formula mu = {bad[k].friction}, e = {bad[k].restitution};
    touch(&r, BOTTOM, field_of(&mu, 1, 0), field_of(&e, 1, 0));
    if (bad[k].message)
      refuse(&r, bad[k].message);
    else
      build(&r);
    drop(&r);
  }
}
END_TEST

START_TEST(constants_out_of_range_are_refused) {
  static const double bad[][2] = {{-0.3, 0.0}, {NAN, 0.0}, {0.5, -0.1}, {0.5, 1.5}, {0.5, NAN}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    rig r = block(12.5);
    touch(&r, BOTTOM, constant(bad[k][0]), constant(bad[k][1]));
    refuse(&r, k < 2 ? "the friction is" : "the restitution is");
    drop(&r);
  }
}
END_TEST

/* ---- equilibrium and fields --------------------------------------------------------------------------------------- */

/* Pressed between bottom and top by d, free to the right, on a smooth wall at the left: sigma_yy = -E' d / H and
 * u_x = nu' x d / H; E' = E, nu' = nu in plane stress, E / (1 - nu^2), nu / (1 - nu) in plane strain. */
START_TEST(a_compressed_bar_agrees_with_the_closed_form) {
  const double d = 0.005, E = _i ? E0 / (1.0 - nu0 * nu0) : E0, nu = _i ? nu0 / (1.0 - nu0) : nu0;
  rig r = block(5.0);
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  hold(&r, BOTTOM, 0, 1, constant(0.0), constant(0.0));
  hold(&r, TOP, 0, 1, constant(0.0), constant(-d));
  hold(&r, LEFT, 1, 0, constant(0.0), constant(0.0));
  build(&r);
  double *q = vector_of(&r), *stress = NULL, *across = NULL, *energy = NULL, *node = NULL, total = 0.0;
  support_ok(prc_new(&stress, 3 * r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&across, r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&energy, r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&node, 3 * r.mesh->n_nodes, &err), &err);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, &err), &err);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    ck_assert_double_eq_tol(q[2 * a], nu * d / height * r.mesh->x[2 * a], 1e-15);
    ck_assert_double_eq_tol(q[2 * a + 1], -d / height * r.mesh->x[2 * a + 1], 1e-15);
  }
  prc_fem_cell_fields(r.fem, q, stress, across, energy);
  const double expected[3] = {0.0, -E * d / height, 0.0};
  for (int c = 0; c < r.mesh->n_cells; c++) {
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(stress[3 * c + i], expected[i], 1e-11);
    ck_assert_double_eq_tol(across[c], _i ? nu0 * expected[1] : 0.0, 1e-11); /* nu (sigma_xx + sigma_yy) */
    ck_assert_double_eq_tol(energy[c], 0.5 * E * d * d / (height * height), 1e-14);
    total += energy[c] * prc_mesh_area(r.mesh, c) * t0;
  }
  ck_assert_double_eq_tol(total, 0.5 * prc_sym_form(r.system->K, q, q), 1e-12 * total);
  prc_fem_node_stress(r.fem, q, node); /* the mean of a constant is that constant */
  for (int i = 0; i < 3 * r.mesh->n_nodes; i++) ck_assert_double_eq_tol(node[i], expected[i % 3], 1e-11);
  prc_delete(&q);
  prc_delete(&stress);
  prc_delete(&across);
  prc_delete(&energy);
  prc_delete(&node);
  drop(&r);
}
END_TEST

START_TEST(
    reactions_balance_the_loads) { /* hanging by its top: R = K q - F, the sum of R is minus the sum of F */
  rig r = block(5.0);
  r.model.gravity[1] = constant(-1e-3);
  pull(&r, LEFT, constant(2.0), constant(0.0));
  hold(&r, TOP, 1, 1, constant(0.0), constant(0.0));
  build(&r);
  double *q = vector_of(&r), *R = vector_of(&r), *F = forces(&r, 0.0);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, &err), &err);
  prc_sym_multiply(r.system->K, q, R);
  for (int i = 0; i < r.system->n_dof; i++) R[i] -= F[i];
  for (int a = 0; a < r.mesh->n_nodes; a++)
    if (r.mesh->x[2 * a + 1] < height - 1e-9)
      for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(R[2 * a + k], 0.0, 1e-9);
  ck_assert_double_eq_tol(moment(&r, 0, one, R), -2.0 * height * t0, 1e-8);
  ck_assert_double_eq_tol(moment(&r, 1, one, R), 17.55e-3, 1e-8);
  support_ok(prc_fem_equilibrium(r.fem, 0, q, &err), &err); /* without loads it stays as it is */
  for (int i = 0; i < r.system->n_dof; i++) ck_assert_double_eq(q[i], 0.0);
  prc_delete(&q);
  prc_delete(&R);
  prc_delete(&F);
  drop(&r);
}
END_TEST

/* what is left free: everything; all but x; all but y; all but the sides' y, which leaves x */
START_TEST(a_body_that_is_not_held_firmly_is_refused) {
  static const double size[] = {12.5, 5.0, 2.0};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    rig r = block(size[k]);
    r.model.gravity[0] = constant(1e-3);
    r.model.gravity[1] = constant(-1e-3);
    if (_i == 1) hold(&r, LEFT, 1, 0, constant(0.0), constant(0.0));
    if (_i == 2) hold(&r, BOTTOM, 0, 1, constant(0.0), constant(0.0));
    if (_i == 3)
      hold(&r, LEFT, 0, 1, constant(0.0), constant(0.0)), hold(&r, RIGHT, 0, 1, constant(0.0), constant(0.0));
    build(&r);
    double *q = vector_of(&r);
    prc_error_clear(&err);
    support_fails(prc_fem_equilibrium(r.fem, 1, q, &err), PRC_SINGULAR, &err, "not held firmly enough");
    prc_delete(&q);
    drop(&r);
  }
}
END_TEST

/* 40 m long and 25 mm high, clamped at one end: soft, but held; pulled by 1 MPa it grows by its length / E. The clamp hinders
 * the lateral contraction within the first cells, an eighth of the length, and stiffens them by at most 1 / (1 - nu^2). */
START_TEST(a_slender_bar_that_is_held_at_one_end_is_not_refused) {
  rig r = block(5.0);
  for (int a = 0; a < r.mesh->n_nodes; a++) r.mesh->x[2 * a] *= 1000.0;
  hold(&r, LEFT, 1, 1, constant(0.0), constant(0.0));
  pull(&r, RIGHT, constant(1.0), constant(0.0));
  build(&r);
  double *q = vector_of(&r);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, &err), &err);
  const prc_mesh_group *right = prc_mesh_find(r.mesh, 1, "right");
  for (int k = 0; k < right->n_nodes; k++) {
    const double u = q[2 * right->node[k]];
    ck_assert_msg(fabs(u * E0 / 40000.0 - 1.0) < nu0 * nu0 / 8.0, "u = %g", u);
  }
  prc_delete(&q);
  drop(&r);
}
END_TEST

/* The sliding block's start on the mesh of the reference traces: contact nodes held, the top pressed down by 0.005 mm,
 * neither gravity nor traction. */
START_TEST(the_preloaded_block_holds_the_energy_of_the_reference) {
  rig r = rig_on(read_mesh(support_source("tests/data/sliding-block/block.msh"), 0.0));
  formula f = {wave};
  touch(&r, BOTTOM, constant(0.5), constant(0.0));
  hold(&r, TOP, 0, 1, constant(0.0), constant(-0.005));
  pull(&r, LEFT, field_of(&f, 0, 1), constant(0.0));
  r.model.gravity[1] = constant(-1e-3);
  build(&r);
  double *q = vector_of(&r);
  support_ok(prc_fem_equilibrium(r.fem, 0, q, &err), &err);
  ck_assert_double_eq_tol(0.5 * prc_sym_form(r.system->K, q, q), 1.77489900106, 2e-11);
  const int *node = prc_fem_contact_nodes(r.fem);
  ck_assert_int_eq(r.system->n_contacts, 41);
  for (int c = 0; c < r.system->n_contacts; c++)
    ck_assert(q[2 * node[c]] == 0.0 && q[2 * node[c] + 1] == 0.0);
  prc_delete(&q);
  drop(&r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fem");
  TCase *triangle = tcase_create("triangle"), *assembly = tcase_create("assembly"),
        *loads = tcase_create("loads"), *supports = tcase_create("supports"), *pair = tcase_create("square"),
        *contacts = tcase_create("contacts"), *equilibrium = tcase_create("equilibrium");
  prc_dense_single_thread();
  tcase_add_loop_test(triangle, rigid_motions_do_no_work, 0, 2);
  tcase_add_loop_test(triangle, the_stiffness_is_symmetric_with_three_zero_and_three_positive_eigenvalues, 0,
                      2);
  tcase_add_test(triangle, the_strain_of_a_linear_field_is_its_gradient);
  tcase_add_loop_test(triangle, the_stiffness_gives_the_strain_energy, 0, 2);
  tcase_add_test(triangle, a_triangle_that_is_flat_or_clockwise_is_left_alone);
  tcase_add_test(triangle, the_elasticity_matrix_agrees_with_uniaxial_stress_and_pure_shear);
  tcase_add_test(triangle, plane_strain_is_plane_stress_of_a_stiffer_material);
  tcase_add_test(triangle, the_mass_of_a_triangle_is_exact_for_linear_velocities);
  tcase_add_loop_test(assembly, linear_displacements_are_in_equilibrium_with_constant_tractions, 0, 2);
  tcase_add_loop_test(assembly, equilibrium_finds_a_linear_displacement_inside, 0, 2);
  tcase_add_test(assembly, rigid_motions_of_the_body_do_no_work);
  tcase_add_test(assembly, the_consistent_mass_is_exact_for_linear_velocities);
  tcase_add_loop_test(assembly, the_mass_has_the_bodys_total_and_centre, 0, 2);
  tcase_add_test(assembly, the_lumped_mass_is_diagonal_and_positive);
  tcase_add_test(assembly, energies_do_not_change_when_the_body_and_its_motion_are_turned);
  tcase_add_test(assembly, matrices_are_the_same_bytes_with_one_thread_and_with_two);
  tcase_add_test(assembly, the_facts_are_those_of_the_block);
  tcase_add_test(assembly, in_plane_strain_longitudinal_waves_are_faster_and_shear_waves_are_not);
  tcase_add_test(loads, a_constant_traction_has_its_resultant_and_moment);
  tcase_add_test(loads, a_traction_linear_along_its_side_has_its_resultant_and_moment);
  tcase_add_test(loads, even_a_quadratic_traction_has_its_resultant_and_moment);
  tcase_add_test(loads, a_load_in_time_is_its_amplitude_times_a_fixed_vector);
  tcase_add_test(loads, loads_on_one_node_add_up);
  tcase_add_loop_test(loads, gravity_is_the_mass_times_the_acceleration, 0, 2);
  tcase_add_test(loads, gravity_may_shake);
  tcase_add_test(loads, a_load_without_value_names_itself);
  tcase_add_test(supports, prescribed_dofs_ascend_and_know_their_support);
  tcase_add_test(supports, supports_that_disagree_at_a_corner_are_refused);
  tcase_add_test(supports, supports_that_move_are_not_taken_for_the_same);
  tcase_add_test(supports, the_same_constant_twice_is_accepted_and_belongs_to_the_first);
  tcase_add_test(supports, a_support_that_holds_nothing_is_refused);
  tcase_add_test(supports, a_motion_that_rests_has_no_velocity_at_all);
  tcase_add_test(supports, a_ramp_has_its_slope);
  tcase_add_test(supports, a_quartic_has_its_derivative);
  tcase_add_test(supports, at_a_kink_the_velocity_is_the_one_with_which_the_motion_goes_on);
  tcase_add_test(supports, a_motion_may_vary_along_its_side);
  tcase_add_test(pair, a_triangle_without_material_is_refused);
  tcase_add_test(pair, a_triangle_with_two_materials_is_refused);
  tcase_add_test(pair, each_triangle_has_the_material_of_its_group);
  tcase_add_test(pair, unused_nodes_are_held_at_zero);
  tcase_add_test(pair, stress_at_nodes_is_the_mean_by_area);
  tcase_add_test(pair, groups_without_nodes_are_refused);
  tcase_add_test(contacts, tributary_areas_sum_to_the_length_times_the_thickness);
  tcase_add_test(contacts, candidates_are_the_nodes_group_after_group_with_their_gaps_and_frames);
  tcase_add_test(contacts, friction_and_restitution_out_of_range_are_refused_where_they_are);
  tcase_add_test(contacts, constants_out_of_range_are_refused);
  tcase_add_loop_test(equilibrium, a_compressed_bar_agrees_with_the_closed_form, 0, 2);
  tcase_add_test(equilibrium, reactions_balance_the_loads);
  tcase_add_loop_test(equilibrium, a_body_that_is_not_held_firmly_is_refused, 0, 4);
  tcase_add_test(equilibrium, a_slender_bar_that_is_held_at_one_end_is_not_refused);
  tcase_add_test(equilibrium, the_preloaded_block_holds_the_energy_of_the_reference);
  suite_add_tcase(suite, triangle);
  suite_add_tcase(suite, assembly);
  suite_add_tcase(suite, loads);
  suite_add_tcase(suite, supports);
  suite_add_tcase(suite, pair);
  suite_add_tcase(suite, contacts);
  suite_add_tcase(suite, equilibrium);
  return support_run(suite);
}
