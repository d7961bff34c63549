#include "config.h"
#include "mesh/elements.h"

static const double node[][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0},  {-1.0, 1.0}, {0.0, -1.0},
                                 {1.0, 0.0},   {0.0, 1.0},  {-1.0, 0.0}, {0.0, 0.0}};

/* The quadratic Lagrange polynomial that is 1 at p = -1, 0 or 1 and zero at the others, and its
 * derivative. */
static double lagrange(double p, double x, double *derivative) {
  *derivative = p == 0.0 ? -2.0 * x : x + 0.5 * p;
  return p == 0.0 ? 1.0 - x * x : 0.5 * x * (x + p);
}

/* The 9-node quadrilateral: products of quadratic Lagrange polynomials. */
static void shape(const double at[2], double *N, double (*dN)[2]) {
  for (int a = 0; a < 9; a++) {
    double dx, dy;
    const double x = lagrange(node[a][0], at[0], &dx), y = lagrange(node[a][1], at[1], &dy);
    N[a] = x * y;
    dN[a][0] = dx * y;
    dN[a][1] = x * dy;
  }
}

const prc_element prc_element_q9 = {.name = "Q9",
                                    .noun = "9-node quadrilateral",
                                    .gmsh_type = 10,
                                    .vtk_type = 28,
                                    .n_nodes = 9,
                                    .n_corners = 4,
                                    .quadratic = 1,
                                    .node = node,
                                    .shape = shape,
                                    .rule = &prc_square_9,
                                    .fine = &prc_square_16,
                                    .n_samples = 4,
                                    .sample = prc_square_sample,
                                    .extend = prc_square_extend};
