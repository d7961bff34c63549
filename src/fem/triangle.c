#include "config.h"
#include "fem/fem.h"

/* Gradients of the shape functions, constant over the cell: B is the strain of unit displacements. Returns
 * twice the signed area; if it is not positive, B is untouched. */
static double strain_matrix(const double x[3][2], double B[3][6]) {
  const double area2 = prc_triangle_area2(x[0], x[1], x[2]);
  if (!(area2 > 0.0)) return area2;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const double dx = (x[b][1] - x[c][1]) / area2, dy = (x[c][0] - x[b][0]) / area2;
    B[0][2 * a] = B[2][2 * a + 1] = dx;
    B[1][2 * a + 1] = B[2][2 * a] = dy;
    B[0][2 * a + 1] = B[1][2 * a] = 0.0;
  }
  return area2;
}

double prc_fem_t3_stiffness(const double x[3][2], const double D[3][3], double thickness, double Ke[6][6]) {
  double B[3][6] = {{0.0}}, DB[3][6];
  const double area = 0.5 * strain_matrix(x, B);
  if (!(area > 0.0)) return area;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 6; j++) DB[i][j] = D[i][0] * B[0][j] + D[i][1] * B[1][j] + D[i][2] * B[2][j];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Ke[i][j] = area * thickness * (B[0][i] * DB[0][j] + B[1][i] * DB[1][j] + B[2][i] * DB[2][j]);
  return area;
}

void prc_fem_t3_mass(double area, double density, double thickness, double Me[3][3]) {
  const double m = density * area * thickness / 12.0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) Me[a][b] = a == b ? 2.0 * m : m;
}
