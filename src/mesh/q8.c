#include "config.h"
#include "mesh/elements.h"

static const double node[][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0},
                                 {0.0, -1.0},  {1.0, 0.0},  {0.0, 1.0}, {-1.0, 0.0}};

/* The 8-node quadrilateral ("serendipity"). Corners: (1 + x x_a) (1 + y y_a) (x x_a + y y_a - 1) / 4; halfway
 * along a side with x_a = 0: (1 - x^2) (1 + y y_a) / 2, and with y_a = 0 the same with x and y exchanged. */
static void shape(const double at[2], double *N, double (*dN)[2]) {
  const double x = at[0], y = at[1];
  for (int a = 0; a < 8; a++) {
    const double p = node[a][0], q = node[a][1], X = 1.0 + x * p, Y = 1.0 + y * q;
    if (a < 4) {
      N[a] = 0.25 * X * Y * (x * p + y * q - 1.0);
      dN[a][0] = 0.25 * p * Y * (2.0 * x * p + y * q);
      dN[a][1] = 0.25 * q * X * (x * p + 2.0 * y * q);
    } else if (p == 0.0) {
      N[a] = 0.5 * (1.0 - x * x) * Y;
      dN[a][0] = -x * Y;
      dN[a][1] = 0.5 * q * (1.0 - x * x);
    } else {
      N[a] = 0.5 * (1.0 - y * y) * X;
      dN[a][0] = 0.5 * p * (1.0 - y * y);
      dN[a][1] = -y * X;
    }
  }
}

const prc_element prc_element_q8 = {.name = "Q8",
                                    .noun = "8-node quadrilateral",
                                    .gmsh_type = 16,
                                    .vtk_type = 23,
                                    .n_nodes = 8,
                                    .n_corners = 4,
                                    .quadratic = 1,
                                    .node = node,
                                    .shape = shape,
                                    .rule = &prc_square_9,
                                    .fine = &prc_square_16,
                                    .n_samples = 4,
                                    .sample = prc_square_sample,
                                    .extend = prc_square_extend};
