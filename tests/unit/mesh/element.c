/* Every element of the table, whatever it is: shape functions, their derivatives, quadratures, the extension of stress. */
#include "config.h"
#include "mesh/element.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const prc_element *element_at(int k) {
  int n;
  const prc_element *const *elements = prc_elements(&n);
  ck_assert_int_lt(k, n);
  return elements[k];
}

static int n_elements(void) {
  int n;
  (void)prc_elements(&n);
  return n;
}

/* some places inside both reference elements */
static const double inside[][2] = {{0.2, 0.3}, {0.5, 0.1}, {0.05, 0.85}, {1.0 / 3.0, 1.0 / 3.0}};
enum { N_INSIDE = sizeof inside / sizeof *inside };

START_TEST(names_and_numbers_tell_elements_apart) {
  const prc_element *e = element_at(_i);
  ck_assert_int_le(e->n_nodes, PRC_ELEMENT_NODES);
  ck_assert_int_le(e->n_samples, PRC_ELEMENT_SAMPLES);
  ck_assert(e->n_corners == 3 || e->n_corners == 4);
  ck_assert_int_ge(e->n_nodes, e->quadratic ? 2 * e->n_corners : e->n_corners);
  ck_assert_ptr_eq(prc_element_of_gmsh(e->gmsh_type), e);
  for (int k = 0; k < _i; k++) {
    ck_assert_str_ne(element_at(k)->name, e->name);
    ck_assert_str_ne(element_at(k)->noun, e->noun);
    ck_assert_int_ne(element_at(k)->vtk_type, e->vtk_type);
  }
}
END_TEST

/* corners anticlockwise on the reference element, then the middles of its sides */
START_TEST(nodes_stand_in_the_order_of_gmsh_and_vtk) {
  static const double triangle[][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}},
                      square[][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
  const prc_element *e = element_at(_i);
  const double(*corner)[2] = e->n_corners == 3 ? triangle : square;
  for (int a = 0; a < e->n_corners; a++)
    for (int k = 0; k < 2; k++) {
      const int b = (a + 1) % e->n_corners;
      ck_assert(e->node[a][k] == corner[a][k]);
      if (e->quadratic) ck_assert(e->node[e->n_corners + a][k] == 0.5 * (corner[a][k] + corner[b][k]));
    }
}
END_TEST

START_TEST(each_shape_function_is_one_at_its_node_and_zero_at_the_others) {
  const prc_element *e = element_at(_i);
  double N[PRC_ELEMENT_NODES], dN[PRC_ELEMENT_NODES][2];
  for (int b = 0; b < e->n_nodes; b++) {
    e->shape(e->node[b], N, dN);
    for (int a = 0; a < e->n_nodes; a++) ck_assert_double_eq_tol(N[a], a == b, 1e-15);
  }
}
END_TEST

/* sum N = 1 and sum N x_a = x: with them every linear field is exact; of quadratic ones the products on the sides too */
START_TEST(linear_fields_are_exact) {
  const prc_element *e = element_at(_i);
  for (int i = 0; i < N_INSIDE; i++) {
    double N[PRC_ELEMENT_NODES], dN[PRC_ELEMENT_NODES][2], one = 0.0, x[2] = {0.0}, J[2][2] = {{0.0}};
    double xx = 0.0;
    e->shape(inside[i], N, dN);
    for (int a = 0; a < e->n_nodes; a++) {
      one += N[a];
      xx += N[a] * e->node[a][0] * e->node[a][0];
      for (int k = 0; k < 2; k++) {
        x[k] += N[a] * e->node[a][k];
        for (int l = 0; l < 2; l++) J[k][l] += e->node[a][k] * dN[a][l];
      }
    }
    ck_assert_double_eq_tol(one, 1.0, 1e-15);
    if (e->quadratic) ck_assert_double_eq_tol(xx, inside[i][0] * inside[i][0], 1e-15);
    for (int k = 0; k < 2; k++) {
      ck_assert_double_eq_tol(x[k], inside[i][k], 1e-15);
      for (int l = 0; l < 2; l++) ck_assert_double_eq_tol(J[k][l], k == l, 1e-14);
    }
  }
}
END_TEST

START_TEST(
    derivatives_are_those_of_the_shape_functions) { /* at most cubic along an axis: five points are exact */
  static const double weight[2] = {8.0 / 12.0, -1.0 / 12.0};
  const prc_element *e = element_at(_i);
  const double d = 1.0 / 64.0;
  for (int i = 0; i < N_INSIDE; i++)
    for (int k = 0; k < 2; k++) {
      double N[PRC_ELEMENT_NODES], dN[PRC_ELEMENT_NODES][2], spare[PRC_ELEMENT_NODES][2],
          difference[PRC_ELEMENT_NODES] = {0.0};
      for (int step = 1; step <= 2; step++)
        for (int side = -1; side <= 1; side += 2) {
          double at[2] = {inside[i][0], inside[i][1]};
          at[k] += side * step * d;
          e->shape(at, N, spare);
          for (int a = 0; a < e->n_nodes; a++) difference[a] += side * weight[step - 1] * N[a] / d;
        }
      e->shape(inside[i], N, dN);
      for (int a = 0; a < e->n_nodes; a++) ck_assert_double_eq_tol(dN[a][k], difference[a], 1e-12);
    }
}
END_TEST

/* of x^i y^j over the reference element: i! j! / (i + j + 2)! of the triangle; of the square 4 / (i + 1)(j + 1) where both are even */
static double integral_of(int corners, int i, int j) {
  if (corners == 3) return tgamma(i + 1.0) * tgamma(j + 1.0) / tgamma(i + j + 3.0);
  return i % 2 || j % 2 ? 0.0 : 4.0 / ((i + 1.0) * (j + 1.0));
}

/* `rule` for products of two shape functions, `fine` two degrees above; degrees of a square are by coordinate */
START_TEST(quadratures_are_exact_for_what_they_are_for) {
  const prc_element *e = element_at(_i);
  const prc_quadrature *rules[2] = {e->rule, e->fine};
  const int degree = e->quadratic ? 4 : 2;
  for (int r = 0; r < 2; r++)
    for (int i = 0; i <= degree; i++)
      for (int j = 0; j <= (e->n_corners == 3 ? degree - i : degree); j++) {
        double sum = 0.0;
        for (int k = 0; k < rules[r]->n; k++) {
          const prc_element_point *p = &rules[r]->point[k];
          ck_assert_double_gt(p->weight, 0.0);
          ck_assert_double_gt(prc_element_depth(e, p->at), 0.0);
          sum += p->weight * pow(p->at[0], i) * pow(p->at[1], j);
        }
        ck_assert_double_eq_tol(sum, integral_of(e->n_corners, i, j), 1e-14);
      }
}
END_TEST

START_TEST(
    stress_is_extended_from_its_samples_as_it_is) { /* constants; where there are three or more also linear ones */
  const prc_element *e = element_at(_i);
  for (int i = 0; i < N_INSIDE; i++) {
    double weight[PRC_ELEMENT_SAMPLES] = {0.0}, one = 0.0, x[2] = {0.0};
    e->extend(inside[i], weight);
    for (int k = 0; k < e->n_samples; k++) {
      one += weight[k];
      for (int l = 0; l < 2; l++) x[l] += weight[k] * e->sample[k][l];
    }
    ck_assert_double_eq_tol(one, 1.0, 1e-14);
    for (int l = 0; l < 2 && e->n_samples >= 3; l++) ck_assert_double_eq_tol(x[l], inside[i][l], 1e-14);
  }
}
END_TEST

SUITE(element) {
  Suite *suite = suite_create("element");
  TCase *t = tcase_create("table");
  const int n = n_elements();
  tcase_add_loop_test(t, names_and_numbers_tell_elements_apart, 0, n);
  tcase_add_loop_test(t, nodes_stand_in_the_order_of_gmsh_and_vtk, 0, n);
  tcase_add_loop_test(t, each_shape_function_is_one_at_its_node_and_zero_at_the_others, 0, n);
  tcase_add_loop_test(t, linear_fields_are_exact, 0, n);
  tcase_add_loop_test(t, derivatives_are_those_of_the_shape_functions, 0, n);
  tcase_add_loop_test(t, quadratures_are_exact_for_what_they_are_for, 0, n);
  tcase_add_loop_test(t, stress_is_extended_from_its_samples_as_it_is, 0, n);
  suite_add_tcase(suite, t);
  return suite;
}
