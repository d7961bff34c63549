/* Assembly, materials and equilibrium of a meshed body. */
#include "config.h"
#include "support/block.h"
#include "support/body.h"
#include "support/found.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static prc_error err;

BODY_FUNCTION(one, 1.0)
BODY_FUNCTION(of_x, x)
BODY_FUNCTION(of_y, y)
BODY_FUNCTION(minus_y, -y)
BODY_FUNCTION(some_linear, 0.3 - 0.02 * x + 0.05 * y)
BODY_FUNCTION(field_x, 1e-3 * x + 2e-3 * y + 0.5) /* displacements with the strains 1e-3, -3e-3, 1e-3 */
BODY_FUNCTION(field_y, -1e-3 * x - 3e-3 * y - 0.25)
BODY_FUNCTION(wave, sin(3.0 * t + 0.4))

/* ---- assembly ------------------------------------------------------------------------------------------------ */

static int on_boundary(const body *r, int a) {
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
  body r = body_block(5.0);
  double s[3];
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  stress_of_the_field(_i, s);
  body_pull(&r, BOTTOM, prc_field_constant(-s[2]), prc_field_constant(-s[1]));
  body_pull(&r, RIGHT, prc_field_constant(s[0]), prc_field_constant(s[2]));
  body_pull(&r, TOP, prc_field_constant(s[2]), prc_field_constant(s[1]));
  body_pull(&r, LEFT, prc_field_constant(-s[0]), prc_field_constant(-s[2]));
  body_build(&r);
  double *q = body_vector(&r), *f = body_vector(&r), *F = body_vector(&r);
  body_set(&r, 0, field_x, q), body_set(&r, 1, field_y, q);
  prc_sym_multiply(r.system->dynamics.K, q, f);
  support_ok(r.system->dynamics.loads(r.system->owner, &(prc_at){0}, F, &err), &err);
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
  body_drop(&r);
}
END_TEST

/* The same, solved: two sides follow the linear displacement, two carry its tractions, the rest is found. */
START_TEST(equilibrium_finds_a_linear_displacement_inside) {
  body r = body_block(5.0);
  formula fx = {field_x}, fy = {field_y};
  double s[3];
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  stress_of_the_field(_i, s);
  body_hold(&r, LEFT, 1, 1, body_field(&fx, 1, 0), body_field(&fy, 1, 0));
  body_hold(&r, RIGHT, 1, 1, body_field(&fx, 1, 0), body_field(&fy, 1, 0));
  body_pull(&r, BOTTOM, prc_field_constant(-s[2]), prc_field_constant(-s[1]));
  body_pull(&r, TOP, prc_field_constant(s[2]), prc_field_constant(s[1]));
  body_build(&r);
  double *q = body_vector(&r), *expected = body_vector(&r);
  body_set(&r, 0, field_x, expected), body_set(&r, 1, field_y, expected);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), &err);
  for (int i = 0; i < r.system->space.nv; i++) ck_assert_double_eq_tol(q[i], expected[i], 1e-13);
  prc_delete(&q);
  prc_delete(&expected);
  body_drop(&r);
}
END_TEST

START_TEST(rigid_motions_of_the_body_do_no_work) {
  body r = body_block(5.0);
  body_build(&r);
  double *q = body_vector(&r), *f = body_vector(&r);
  for (int motion = 0; motion < 3; motion++) {
    memset(q, 0, (size_t)r.system->space.nv * sizeof *q);
    if (motion < 2) body_set(&r, motion, one, q);
    if (motion == 2) body_set(&r, 0, minus_y, q), body_set(&r, 1, of_x, q);
    prc_sym_multiply(r.system->dynamics.K, q, f);
    for (int i = 0; i < r.system->space.nv; i++)
      ck_assert_double_le(fabs(f[i]), 1e-13 * E0 * t0 * (motion < 2 ? 1.0 : 40.0));
  }
  prc_delete(&q);
  prc_delete(&f);
  body_drop(&r);
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
  body r = body_block(5.0);
  body_build(&r);
  double *v = body_vector(&r);
  for (int k = 0; k < 2; k++) {
    memset(v, 0, (size_t)r.system->space.nv * sizeof *v);
    body_set(&r, k, some_linear, v);
    const double expected = rho0 * t0 * integral_of_square(some_linear);
    ck_assert_double_eq_tol(prc_sym_form(r.system->dynamics.M, v, v), expected, 1e-13 * expected);
  }
  prc_delete(&v);
  body_drop(&r);
}
END_TEST

/* mass, first moments and no coupling of x with y, lumped (_i) or not */
START_TEST(the_mass_has_the_bodys_total_and_centre) {
  body r = body_block(5.0);
  r.model.mass = _i ? PRC_MASS_LUMPED : PRC_MASS_CONSISTENT;
  body_build(&r);
  double *v = body_vector(&r), *m = body_vector(&r);
  const double mass = rho0 * t0 * width * height; /* 17.55 g */
  for (int k = 0; k < 2; k++) {
    memset(v, 0, (size_t)r.system->space.nv * sizeof *v);
    body_set(&r, k, one, v);
    prc_sym_multiply(r.system->dynamics.M, v, m);
    ck_assert_double_eq_tol(body_moment(&r, k, one, m), mass, 1e-13 * mass);
    ck_assert_double_eq_tol(body_moment(&r, k, of_x, m), mass * 0.5 * width, 1e-12 * mass * width);
    ck_assert_double_eq_tol(body_moment(&r, k, of_y, m), mass * 0.5 * height, 1e-12 * mass * width);
    ck_assert_double_eq(body_moment(&r, 1 - k, one, m), 0.0);
  }
  prc_delete(&v);
  prc_delete(&m);
  body_drop(&r);
}
END_TEST

START_TEST(the_lumped_mass_is_diagonal_and_positive) {
  body r = body_block(5.0);
  r.model.mass = PRC_MASS_LUMPED;
  body_build(&r);
  const prc_sym *M = r.system->dynamics.M;
  for (int j = 0; j < M->n; j++) {
    ck_assert_double_gt(M->x[M->p[j]], 0.0);
    for (int k = M->p[j] + 1; k < M->p[j + 1]; k++) ck_assert_double_eq(M->x[k], 0.0);
  }
  body_drop(&r);
}
END_TEST

static void turn(prc_mesh *mesh, double angle) {
  for (int a = 0; a < mesh->n_nodes; a++) {
    const double x = mesh->x[2 * a], y = mesh->x[2 * a + 1];
    mesh->x[2 * a] = cos(angle) * x - sin(angle) * y, mesh->x[2 * a + 1] = sin(angle) * x + cos(angle) * y;
  }
}

START_TEST(energies_do_not_change_when_the_body_and_its_motion_are_turned) {
  body r = body_block(5.0), other = body_block(5.0);
  const double angle = 0.7;
  prc_random random = {52};
  turn(other.mesh, angle);
  body_build(&r);
  body_build(&other);
  double *q = body_vector(&r), *turned = body_vector(&r);
  for (int a = 0; a < r.mesh->n_nodes; a++) {
    const double x = prc_random_uniform(&random, -1.0, 1.0), y = prc_random_uniform(&random, -1.0, 1.0);
    q[2 * a] = x, q[2 * a + 1] = y;
    turned[2 * a] = cos(angle) * x - sin(angle) * y, turned[2 * a + 1] = sin(angle) * x + cos(angle) * y;
  }
  const double elastic = prc_sym_form(r.system->dynamics.K, q, q),
               kinetic = prc_sym_form(r.system->dynamics.M, q, q);
  ck_assert_double_eq_tol(prc_sym_form(other.system->dynamics.K, turned, turned), elastic, 1e-12 * elastic);
  ck_assert_double_eq_tol(prc_sym_form(other.system->dynamics.M, turned, turned), kinetic, 1e-12 * kinetic);
  prc_delete(&q);
  prc_delete(&turned);
  body_drop(&r);
  body_drop(&other);
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
  body single = body_on(net(150)), two = body_on(net(150)); /* 22801 nodes: enough for threads to be used */
  use_threads(1);
  body_build(&single);
  use_threads(2);
  body_build(&two);
  const prc_sym *A[2] = {single.system->dynamics.K, single.system->dynamics.M},
                *B[2] = {two.system->dynamics.K, two.system->dynamics.M};
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(prc_sym_nnz(A[k]), prc_sym_nnz(B[k]));
    ck_assert_mem_eq(A[k]->i, B[k]->i, (size_t)prc_sym_nnz(A[k]) * sizeof(int));
    ck_assert_mem_eq(A[k]->x, B[k]->x, (size_t)prc_sym_nnz(A[k]) * sizeof(double));
  }
  body_drop(&single);
  body_drop(&two);
}
END_TEST

START_TEST(the_facts_are_those_of_the_block) {
  body r = body_block(5.0);
  body_build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  ck_assert_double_eq_tol(facts.area, 1000.0, 1e-10);
  ck_assert_double_eq_tol(facts.mass, 17.55, 1e-12);
  ck_assert_double_eq_tol(facts.first_moment[0], 17.55 * 20.0, 1e-10);
  ck_assert_double_eq_tol(facts.first_moment[1], 17.55 * 12.5, 1e-10);
  ck_assert_double_eq_tol(facts.speed_p, 2374.23, 0.005); /* sqrt(E / (rho (1 - nu^2))) */
  ck_assert_double_eq_tol(facts.speed_s, 1345.17, 0.005); /* sqrt(E / (2 rho (1 + nu))) */
  ck_assert_double_eq_tol(facts.cfl_step, facts.smallest_height / facts.speed_p, 1e-15);
  ck_assert_double_eq(r.system->velocity, facts.speed_p);
  body_drop(&r);
}
END_TEST

START_TEST(in_plane_strain_longitudinal_waves_are_faster_and_shear_waves_are_not) {
  body r = body_block(5.0);
  r.model.plane = PRC_PLANE_STRAIN;
  body_build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  const double expected = sqrt(E0 * (1.0 - nu0) / ((1.0 + nu0) * (1.0 - 2.0 * nu0) * rho0));
  ck_assert_double_eq_tol(facts.speed_p, expected, 1e-12 * expected);
  ck_assert_double_eq_tol(facts.speed_s, 1345.17, 0.005);
  body_drop(&r);
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

static body on_square(void) {
  square_element[0] = square_element[1] = prc_element_of_gmsh(2);
  return body_on(&square);
}

START_TEST(a_triangle_without_material_is_refused) {
  body r = on_square();
  r.material[0].group = prc_mesh_find(&square, 2, "below");
  ck_assert_ptr_nonnull(strstr(body_refuse(&r, "triangle 102 has no material"), "block, below, above"));
}
END_TEST

START_TEST(a_triangle_with_two_materials_is_refused) {
  body r = on_square();
  r.material[1] = r.material[0];
  r.material[1].group = prc_mesh_find(&square, 2, "above");
  r.model.n_materials = 2;
  body_refuse(&r, "triangle 102 belongs to two groups with a material, 'block' and 'above'");
}
END_TEST

START_TEST(each_triangle_has_the_material_of_its_group) {
  body r = on_square();
  r.material[0].group = prc_mesh_find(&square, 2, "below");
  r.material[1] = (prc_fem_material){
      .group = prc_mesh_find(&square, 2, "above"), .young = 4.0 * E0, .poisson = nu0, .density = 3.0 * rho0};
  r.model.n_materials = 2;
  body_build(&r);
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  ck_assert_double_eq_tol(facts.mass, 2.0 * rho0 * t0, 1e-15);
  ck_assert_double_eq_tol(facts.speed_p, 2374.23 * sqrt(4.0 / 3.0), 0.01);
  ck_assert_double_eq_tol(facts.smallest_height, sqrt(0.5), 1e-15); /* the height above the diagonal */
  double *q = body_vector(&r), stress[6], across[2], energy[2];
  body_set(&r, 0, field_x, q), body_set(&r, 1, field_y, q);
  prc_fem_cell_fields(r.fem, q, stress, across, energy);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(stress[3 + i], 4.0 * stress[i], 1e-10);
  ck_assert_double_eq_tol(energy[1], 4.0 * energy[0], 1e-12);
  prc_delete(&q);
  prc_fem_free(&r.fem);
}
END_TEST

/* ---- laws of elasticity ------------------------------------------------------------------------------------------- */

/* Turned against the axes, so that every entry counts; out of the plane nothing in plane stress. */
static const double own_D[4][4] = {
    {7.0, 1.0, 0.3, 2.0}, {1.0, 3.0, -0.2, 0.5}, {0.3, -0.2, 2.0, 0.1}, {2.0, 0.5, 0.1, 5.0}};
static const char *const own_parameters[] = {"young", NULL};
static prc_status own_check(const prc_fem_material *m, prc_fem_plane plane, prc_error *e) {
  (void)plane;
  return m->poisson == 0.0 ? PRC_OK : prc_fail(e, PRC_INPUT, "poisson is %g, expected none", m->poisson);
}
static void own_elasticity(const prc_fem_material *m, prc_fem_plane plane, double D[4][4]) {
  const int n = plane == PRC_PLANE_STRESS ? 3 : 4;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) D[i][j] = m->young * own_D[i][j];
}
static void own_moduli(const prc_fem_material *m, prc_fem_plane plane, double *longitudinal, double *shear) {
  (void)plane;
  *longitudinal = 9.0 * m->young, *shear = 2.5 * m->young;
}
static const prc_fem_law own_law = {"own", own_parameters, own_check, own_elasticity, own_moduli};

BODY_FUNCTION(stretched_x, 1e-3 * x)
BODY_FUNCTION(stretched_y, 1e-3 * x - 3e-3 * y)

/* of the elastic norm: the square root of the integral of eps . D eps, by errors and by the comparison with itself */
static void expect_elastic_norms(body *r, const double *q, const double *v, double expected) {
  formula fx = {stretched_x}, fy = {stretched_y};
  const prc_fem_exact exact = {.displacement = {body_field(&fx, 1, 0), body_field(&fy, 1, 0)}};
  prc_fem_norms error, size;
  prc_fem_comparison *comparison = NULL;
  support_ok(prc_fem_errors(r->fem, &exact, 0.0, v, v, &error, &size, &err), &err);
  ck_assert_double_eq_tol(size.elastic, expected, 1e-9 * expected);
  support_ok(prc_fem_comparison_create(r->fem, r->fem, &comparison, &err), &err);
  prc_fem_compare(comparison, q, v, q, v, &error, &size);
  ck_assert_double_eq_tol(size.elastic, expected, 1e-12 * expected);
  prc_fem_comparison_free(&comparison);
}

/* Uniform strains, in axisymmetry with the hoop: stress, energy by cells and by K, norms and wave speeds are those of the law. */
START_TEST(a_law_of_ones_own_gives_stiffness_stress_energy_norms_and_speeds) {
  const prc_fem_plane planes[] = {PRC_PLANE_STRESS, PRC_PLANE_STRAIN, PRC_AXISYMMETRIC};
  const int n = _i == 0 ? 3 : 4;
  const double strain[4] = {1e-3, -3e-3, 1e-3, _i == 2 ? 1e-3 : 0.0}, pi = 3.14159265358979323846;
  const double volume = width * height * (_i == 2 ? pi * width : t0);
  double stress[4] = {0.0}, twice = 0.0;
  body r = body_block(5.0);
  r.model.plane = planes[_i];
  r.material[0].law = &own_law, r.material[0].young = 11.0, r.material[0].poisson = 0.0;
  body_build(&r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) stress[i] += 11.0 * own_D[i][j] * strain[j];
  for (int i = 0; i < n; i++) twice += stress[i] * strain[i];
  const int cells = r.mesh->n_cells;
  double *q = body_vector(&r), *Kq = body_vector(&r), *zero = body_vector(&r), *of_cells = NULL, work = 0.0;
  support_ok(prc_new(&of_cells, 5 * (size_t)cells, &err), &err);
  body_set(&r, 0, stretched_x, q), body_set(&r, 1, stretched_y, q);
  prc_fem_cell_fields(r.fem, q, of_cells, of_cells + 3 * cells, of_cells + 4 * cells);
  for (int c = 0; c < cells; c++) {
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(of_cells[3 * c + i], stress[i], 1e-12);
    ck_assert_double_eq_tol(of_cells[3 * cells + c], stress[3], 1e-12);
    ck_assert_double_eq_tol(of_cells[4 * cells + c], 0.5 * twice, 1e-14);
  }
  prc_sym_multiply(r.system->dynamics.K, q, Kq);
  for (int i = 0; i < r.system->space.nv; i++) work += q[i] * Kq[i];
  ck_assert_double_eq_tol(work, twice * volume, 1e-11 * twice * volume);
  expect_elastic_norms(&r, q, zero, sqrt(twice * volume));
  const prc_fem_facts facts = prc_fem_get_facts(r.fem);
  ck_assert_double_eq_tol(facts.speed_p, sqrt(99.0 / rho0), 1e-9);
  ck_assert_double_eq_tol(facts.speed_s, sqrt(27.5 / rho0), 1e-9);
  ck_assert_double_eq_tol(facts.cfl_step, facts.smallest_height / facts.speed_p, 1e-15);
  ck_assert_double_eq_tol(r.system->velocity, facts.speed_p, 1e-12 * facts.speed_p);
  prc_delete(&q), prc_delete(&Kq), prc_delete(&zero), prc_delete(&of_cells);
  body_drop(&r);
}
END_TEST

START_TEST(materials_that_their_law_does_not_allow_are_refused) {
  body r = on_square();
  r.material[0].law = &own_law, r.material[0].poisson = 0.1;
  body_refuse(&r, "material 'block': poisson is 0.1, expected none");
  r.material[0].law = prc_fem_law_find("isotropic"), r.material[0].young = 0.0;
  body_refuse(&r, "material 'block': young is 0, expected a number > 0");
  r.material[0].young = 1.0, r.material[0].poisson = 0.5, r.model.plane = PRC_PLANE_STRAIN;
  body_refuse(&r, "material 'block': poisson is 0.5, expected less than 0.5 except in plane stress");
  r.material[0].poisson = -1.0;
  body_refuse(&r, "material 'block': poisson is -1, expected a number in (-1, 0.5]");
  r.material[0].poisson = 0.0, r.material[0].density = 0.0;
  body_refuse(&r, "material 'block': density is 0, expected a number > 0");
}
END_TEST

START_TEST(laws_of_elasticity_are_found_by_their_names) {
  int n = 0;
  for (const prc_fem_law *const *law = prc_fem_laws(); *law; law++, n++)
    ck_assert_ptr_eq(prc_fem_law_find((*law)->name), *law);
  ck_assert_int_ge(n, 1);
  ck_assert_ptr_null(prc_fem_law_find("none of them"));
  ck_assert_int_eq(prc_fem_law_has(prc_fem_laws()[0], "young"), 1);
  ck_assert_int_eq(prc_fem_law_has(prc_fem_laws()[0], "density"), 0);
}
END_TEST

START_TEST(unused_nodes_are_held_at_zero) {
  body r = on_square();
  body_build(&r);
  const prc_system *s = r.system;
  double d[2] = {7.0, 7.0}, v[2] = {7.0, 7.0};
  ck_assert_int_eq(s->drive.n, 2);
  ck_assert(s->drive.dof[0] == 8 && s->drive.dof[1] == 9);
  support_ok(s->drive.displacement(s->owner, 1.0, d, &err), &err);
  support_ok(s->drive.velocity(s->owner, 1.0, 0.1, v, &err), &err);
  ck_assert(d[0] == 0.0 && d[1] == 0.0 && v[0] == 0.0 && v[1] == 0.0);
  prc_fem_free(&r.fem);
}
END_TEST

START_TEST(stress_at_nodes_is_the_mean_by_area) { /* nodes 0 and 2 see both halves, 1 and 3 one, 4 none */
  double x[10] = {0.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0, 2.0, 9.0, 9.0}; /* areas 1 and 2 */
  body r = on_square();
  prc_mesh mesh = square;
  mesh.x = x;
  r = body_on(&mesh);
  body_build(&r);
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
  body r = on_square();
  r.support[0] =
      (prc_fem_support){.name = "wall", .group = prc_mesh_find(&square, 1, "nothing"), .held = {1, 1}};
  r.model.n_supports = 1;
  body_refuse(&r, "the support 'wall' holds nothing: its group has no nodes");
  r.model.n_supports = 0;
  r.contact[0] = (prc_fem_contact){.name = "rail", .group = prc_mesh_find(&square, 1, "nothing")};
  r.model.n_contacts = 1;
  body_refuse(&r, "contact 'rail': its group 'nothing' has no nodes");
}
END_TEST

/* ---- equilibrium and fields --------------------------------------------------------------------------------------- */

/* Pressed between bottom and top by d, free to the right, on a smooth wall at the left: sigma_yy = -E' d / H and
 * u_x = nu' x d / H; E' = E, nu' = nu in plane stress, E / (1 - nu^2), nu / (1 - nu) in plane strain. */
START_TEST(a_compressed_bar_agrees_with_the_closed_form) {
  const double d = 0.005, E = _i ? E0 / (1.0 - nu0 * nu0) : E0, nu = _i ? nu0 / (1.0 - nu0) : nu0;
  body r = body_block(5.0);
  r.model.plane = _i ? PRC_PLANE_STRAIN : PRC_PLANE_STRESS;
  body_hold(&r, BOTTOM, 0, 1, prc_field_constant(0.0), prc_field_constant(0.0));
  body_hold(&r, TOP, 0, 1, prc_field_constant(0.0), prc_field_constant(-d));
  body_hold(&r, LEFT, 1, 0, prc_field_constant(0.0), prc_field_constant(0.0));
  body_build(&r);
  double *q = body_vector(&r), *stress = NULL, *across = NULL, *energy = NULL, *node = NULL, total = 0.0;
  support_ok(prc_new(&stress, 3 * r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&across, r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&energy, r.mesh->n_cells, &err), &err);
  support_ok(prc_new(&node, 3 * r.mesh->n_nodes, &err), &err);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), &err);
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
  ck_assert_double_eq_tol(total, 0.5 * prc_sym_form(r.system->dynamics.K, q, q), 1e-12 * total);
  prc_fem_node_stress(r.fem, q, node); /* the mean of a constant is that constant */
  for (int i = 0; i < 3 * r.mesh->n_nodes; i++) ck_assert_double_eq_tol(node[i], expected[i % 3], 1e-11);
  prc_delete(&q);
  prc_delete(&stress);
  prc_delete(&across);
  prc_delete(&energy);
  prc_delete(&node);
  body_drop(&r);
}
END_TEST

START_TEST(
    reactions_balance_the_loads) { /* hanging by its top: R = K q - F, the sum of R is minus the sum of F */
  body r = body_block(5.0);
  r.model.gravity[1] = prc_field_constant(-1e-3);
  body_pull(&r, LEFT, prc_field_constant(2.0), prc_field_constant(0.0));
  body_hold(&r, TOP, 1, 1, prc_field_constant(0.0), prc_field_constant(0.0));
  body_build(&r);
  double *q = body_vector(&r), *R = body_vector(&r), *F = body_forces(&r, 0.0);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), &err);
  prc_sym_multiply(r.system->dynamics.K, q, R);
  for (int i = 0; i < r.system->space.nv; i++) R[i] -= F[i];
  for (int a = 0; a < r.mesh->n_nodes; a++)
    if (r.mesh->x[2 * a + 1] < height - 1e-9)
      for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(R[2 * a + k], 0.0, 1e-9);
  ck_assert_double_eq_tol(body_moment(&r, 0, one, R), -2.0 * height * t0, 1e-8);
  ck_assert_double_eq_tol(body_moment(&r, 1, one, R), 17.55e-3, 1e-8);
  support_ok(prc_fem_equilibrium(r.fem, 0, q, NULL, &err), &err); /* without loads it stays as it is */
  for (int i = 0; i < r.system->space.nv; i++) ck_assert_double_eq(q[i], 0.0);
  prc_delete(&q);
  prc_delete(&R);
  prc_delete(&F);
  body_drop(&r);
}
END_TEST

/* what is left free: everything; all but x; all but y; all but the sides' y, which leaves x */
START_TEST(a_body_that_is_not_held_firmly_is_refused) {
  static const double size[] = {12.5, 5.0, 2.0};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    body r = body_block(size[k]);
    r.model.gravity[0] = prc_field_constant(1e-3);
    r.model.gravity[1] = prc_field_constant(-1e-3);
    if (_i == 1) body_hold(&r, LEFT, 1, 0, prc_field_constant(0.0), prc_field_constant(0.0));
    if (_i == 2) body_hold(&r, BOTTOM, 0, 1, prc_field_constant(0.0), prc_field_constant(0.0));
    if (_i == 3)
      body_hold(&r, LEFT, 0, 1, prc_field_constant(0.0), prc_field_constant(0.0)),
          body_hold(&r, RIGHT, 0, 1, prc_field_constant(0.0), prc_field_constant(0.0));
    body_build(&r);
    double *q = body_vector(&r);
    prc_error_clear(&err);
    support_fails(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), PRC_SINGULAR, &err, "not held firmly enough");
    prc_delete(&q);
    body_drop(&r);
  }
}
END_TEST

/* 40 m long and 25 mm high, clamped at one end: soft, but held; pulled by 1 MPa it grows by its length / E. The clamp hinders
 * the lateral contraction within the first cells, an eighth of the length, and stiffens them by at most 1 / (1 - nu^2). */
START_TEST(a_slender_bar_that_is_held_at_one_end_is_not_refused) {
  body r = body_block(5.0);
  for (int a = 0; a < r.mesh->n_nodes; a++) r.mesh->x[2 * a] *= 1000.0;
  body_hold(&r, LEFT, 1, 1, prc_field_constant(0.0), prc_field_constant(0.0));
  body_pull(&r, RIGHT, prc_field_constant(1.0), prc_field_constant(0.0));
  body_build(&r);
  double *q = body_vector(&r);
  support_ok(prc_fem_equilibrium(r.fem, 1, q, NULL, &err), &err);
  const prc_mesh_group *right = prc_mesh_find(r.mesh, 1, "right");
  for (int k = 0; k < right->n_nodes; k++) {
    const double u = q[2 * right->node[k]];
    ck_assert_msg(fabs(u * E0 / 40000.0 - 1.0) < nu0 * nu0 / 8.0, "u = %g", u);
  }
  prc_delete(&q);
  body_drop(&r);
}
END_TEST

/* The sliding block's start on the mesh of the reference traces: contact nodes held, the top pressed down by 0.005 mm,
 * neither gravity nor traction. */
START_TEST(the_preloaded_block_holds_the_energy_of_the_reference) {
  body r = body_on(block_mesh("tests/data/sliding-block/block.msh", 0.0));
  formula f = {wave};
  body_touch(&r, BOTTOM, prc_field_constant(0.5), prc_field_constant(0.0));
  body_hold(&r, TOP, 0, 1, prc_field_constant(0.0), prc_field_constant(-0.005));
  body_pull(&r, LEFT, body_field(&f, 0, 1), prc_field_constant(0.0));
  r.model.gravity[1] = prc_field_constant(-1e-3);
  body_build(&r);
  double *q = body_vector(&r);
  support_ok(prc_fem_equilibrium(r.fem, 0, q, NULL, &err), &err);
  ck_assert_double_eq_tol(0.5 * prc_sym_form(r.system->dynamics.K, q, q), 1.77489900106, 2e-11);
  const int *node = prc_fem_contact_nodes(r.fem);
  ck_assert_int_eq(found_count(r.system), 41);
  for (int c = 0; c < 41; c++) ck_assert(q[2 * node[c]] == 0.0 && q[2 * node[c] + 1] == 0.0);
  prc_delete(&q);
  body_drop(&r);
}
END_TEST

SUITE(fem) {
  Suite *suite = suite_create("fem");
  TCase *assembly = tcase_create("assembly"), *pair = tcase_create("square"),
        *equilibrium = tcase_create("equilibrium");
  prc_dense_single_thread();
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
  tcase_add_test(pair, a_triangle_without_material_is_refused);
  tcase_add_test(pair, a_triangle_with_two_materials_is_refused);
  tcase_add_test(pair, each_triangle_has_the_material_of_its_group);
  tcase_add_loop_test(pair, a_law_of_ones_own_gives_stiffness_stress_energy_norms_and_speeds, 0, 3);
  tcase_add_test(pair, materials_that_their_law_does_not_allow_are_refused);
  tcase_add_test(pair, laws_of_elasticity_are_found_by_their_names);
  tcase_add_test(pair, unused_nodes_are_held_at_zero);
  tcase_add_test(pair, stress_at_nodes_is_the_mean_by_area);
  tcase_add_test(pair, groups_without_nodes_are_refused);
  tcase_add_loop_test(equilibrium, a_compressed_bar_agrees_with_the_closed_form, 0, 2);
  tcase_add_test(equilibrium, reactions_balance_the_loads);
  tcase_add_loop_test(equilibrium, a_body_that_is_not_held_firmly_is_refused, 0, 4);
  tcase_add_test(equilibrium, a_slender_bar_that_is_held_at_one_end_is_not_refused);
  tcase_add_test(equilibrium, the_preloaded_block_holds_the_energy_of_the_reference);
  suite_add_tcase(suite, assembly);
  suite_add_tcase(suite, pair);
  suite_add_tcase(suite, equilibrium);
  return suite;
}
