#include "config.h"
#include "mesh/elements.h"

/* The 6-node triangle: with L the barycentric coordinates, N = L (2 L - 1) at corners and 4 L_a L_b halfway
 * between a and b; stress is linear where sides are straight. */
static void shape(const double at[2], double *N, double (*dN)[2]) {
  static const double dL[3][2] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
  const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3;
    N[a] = L[a] * (2.0 * L[a] - 1.0);
    N[3 + a] = 4.0 * L[a] * L[b];
    for (int k = 0; k < 2; k++) {
      dN[a][k] = (4.0 * L[a] - 1.0) * dL[a][k];
      dN[3 + a][k] = 4.0 * (L[a] * dL[b][k] + L[b] * dL[a][k]);
    }
  }
}

/* The linear function with given values at the samples, which stand where one barycentric coordinate is
 * 2/3. */
static void extend(const double at[2], double *weight) {
  const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
  for (int a = 0; a < 3; a++) weight[a] = 2.0 * L[a] - 1.0 / 3.0;
}

static const double node[][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.5, 0.0}, {0.5, 0.5}, {0.0, 0.5}};
static const double sample[][2] = {{1.0 / 6.0, 1.0 / 6.0}, {2.0 / 3.0, 1.0 / 6.0}, {1.0 / 6.0, 2.0 / 3.0}};

const prc_element prc_element_t6 = {.name = "T6",
                                    .noun = "6-node triangle",
                                    .gmsh_type = 9,
                                    .vtk_type = 22,
                                    .n_nodes = 6,
                                    .n_corners = 3,
                                    .quadratic = 1,
                                    .node = node,
                                    .shape = shape,
                                    .rule = &prc_triangle_7,
                                    .fine = &prc_triangle_12,
                                    .n_samples = 3,
                                    .sample = sample,
                                    .extend = extend};
