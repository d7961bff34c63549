#include "config.h"
#include "mesh/elements.h"

/* The 3-node triangle: barycentric coordinates; stress is constant. */
static void shape(const double at[2], double *N, double (*dN)[2]) {
  static const double derivative[3][2] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
  N[0] = 1.0 - at[0] - at[1], N[1] = at[0], N[2] = at[1];
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) dN[a][k] = derivative[a][k];
}

static void extend(const double at[2], double *weight) {
  (void)at;
  weight[0] = 1.0;
}

static const double node[][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
static const double sample[][2] = {{1.0 / 3.0, 1.0 / 3.0}};

const prc_element prc_element_t3 = {.name = "T3",
                                    .noun = "triangle",
                                    .gmsh_type = 2,
                                    .vtk_type = 5,
                                    .n_nodes = 3,
                                    .n_corners = 3,
                                    .node = node,
                                    .shape = shape,
                                    .rule = &prc_triangle_3,
                                    .fine = &prc_triangle_7,
                                    .n_samples = 1,
                                    .sample = sample,
                                    .extend = extend};
