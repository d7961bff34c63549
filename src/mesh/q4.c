#include "config.h"
#include "mesh/elements.h"

static const double node[][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};

/* The 4-node quadrilateral: N_a = (1 + x x_a) (1 + y y_a) / 4; of its stress the mean is the best. */
static void shape(const double at[2], double *N, double (*dN)[2]) {
  for (int a = 0; a < 4; a++) {
    const double x = 1.0 + at[0] * node[a][0], y = 1.0 + at[1] * node[a][1];
    N[a] = 0.25 * x * y;
    dN[a][0] = 0.25 * node[a][0] * y;
    dN[a][1] = 0.25 * node[a][1] * x;
  }
}

static void extend(const double at[2], double *weight) {
  (void)at;
  weight[0] = 1.0;
}

static const double sample[][2] = {{0.0, 0.0}};

const prc_element prc_element_q4 = {.name = "Q4",
                                    .noun = "4-node quadrilateral",
                                    .gmsh_type = 3,
                                    .vtk_type = 9,
                                    .n_nodes = 4,
                                    .n_corners = 4,
                                    .node = node,
                                    .shape = shape,
                                    .rule = &prc_square_4,
                                    .fine = &prc_square_9,
                                    .n_samples = 1,
                                    .sample = sample,
                                    .extend = extend};
