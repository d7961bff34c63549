/* The cell that holds a point, and the point's place in it. */
#include "config.h"
#include "mesh/mesh.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>

START_TEST(a_point_is_found_in_the_triangle_that_holds_it) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 5.0);
  prc_random random = {7};
  double w[3] = {0.0};
  for (int k = 0; k < 200; k++) {
    const double x = prc_random_uniform(&random, 0.0, 40.0), y = prc_random_uniform(&random, 0.0, 25.0);
    const int c = prc_mesh_locate(mesh, x, y, w);
    double at[2] = {0.0, 0.0};
    ck_assert_int_ge(c, 0);
    for (int a = 0; a < 3; a++)
      for (int d = 0; d < 2; d++) at[d] += w[a] * mesh->x[2 * mesh->cell[3 * c + a] + d];
    ck_assert_double_ge(fmin(w[0], fmin(w[1], w[2])), -1e-10);
    ck_assert_double_eq_tol(w[0] + w[1] + w[2], 1.0, 1e-13);
    ck_assert_double_eq_tol(at[0], x, 1e-12);
    ck_assert_double_eq_tol(at[1], y, 1e-12);
  }
  prc_mesh_free(&mesh);
}
END_TEST

START_TEST(every_node_is_found_and_nothing_outside) {
  prc_mesh *mesh = block_mesh("meshes/block.geo", 5.0);
  double w[3] = {0.0};
  for (int i = 0; i < mesh->n_nodes; i++) {
    const int c = prc_mesh_locate(mesh, mesh->x[2 * i], mesh->x[2 * i + 1], w);
    ck_assert_int_ge(c, 0);
    for (int a = 0; a < 3; a++) ck_assert_double_eq_tol(w[a], mesh->cell[3 * c + a] == i ? 1.0 : 0.0, 1e-10);
  }
  ck_assert_int_eq(prc_mesh_locate(mesh, 20.0, -1e-6, w), -1);
  ck_assert_int_eq(prc_mesh_locate(mesh, 41.0, 12.0, w), -1);
  ck_assert_int_eq(prc_mesh_locate(mesh, (double)NAN, 12.0, w), -1);
  prc_mesh_free(&mesh);
}
END_TEST

SUITE(locate) {
  Suite *suite = suite_create("locate");
  TCase *locate = tcase_create("locate");
  tcase_add_test(locate, a_point_is_found_in_the_triangle_that_holds_it);
  tcase_add_test(locate, every_node_is_found_and_nothing_outside);
  suite_add_tcase(suite, locate);
  return suite;
}
