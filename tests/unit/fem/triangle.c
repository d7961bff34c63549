/* The kernels of the 3-node triangle. */
#include "config.h"
#include "fem/fem.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

SUITE(triangle) {
  Suite *suite = suite_create("triangle");
  TCase *triangle = tcase_create("triangle");
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
  suite_add_tcase(suite, triangle);
  return suite;
}
