#include "config.h"
#include "mesh/elements.h"

#include <math.h>

#define ROW(symbol) &prc_element_##symbol,
static const prc_element *const table[] = {PRC_ELEMENTS(ROW)};
#undef ROW
enum { N_ELEMENTS = sizeof table / sizeof *table };

const prc_element *const *prc_elements(int *n) {
  *n = N_ELEMENTS;
  return table;
}

const prc_element *prc_element_of_gmsh(int type) {
  for (int k = 0; k < N_ELEMENTS; k++)
    if (table[k]->gmsh_type == type) return table[k];
  return NULL;
}

/* x = sum N_a x_a, J = dx/dxi, dN/dx = J^-T dN/dxi */
double prc_element_map(const prc_element *element, const double (*x)[2], const double at[2], double point[2],
                       double *N, double (*gradient)[2]) {
  double dN[PRC_ELEMENT_NODES][2], J[2][2] = {{0.0}};
  element->shape(at, N, dN);
  point[0] = point[1] = 0.0;
  for (int a = 0; a < element->n_nodes; a++)
    for (int i = 0; i < 2; i++) {
      point[i] += N[a] * x[a][i];
      for (int k = 0; k < 2; k++) J[i][k] += x[a][i] * dN[a][k];
    }
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (det == 0.0) return det;
  for (int a = 0; a < element->n_nodes; a++) {
    gradient[a][0] = (J[1][1] * dN[a][0] - J[1][0] * dN[a][1]) / det;
    gradient[a][1] = (J[0][0] * dN[a][1] - J[0][1] * dN[a][0]) / det;
  }
  return det;
}

double prc_element_depth(const prc_element *element, const double at[2]) {
  if (element->n_corners == 3) return fmin(1.0 - at[0] - at[1], fmin(at[0], at[1]));
  return 0.5 * (1.0 - fmax(fabs(at[0]), fabs(at[1])));
}
