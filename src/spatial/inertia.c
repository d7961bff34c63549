#include "config.h"
#include "spatial/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 30 };
#define ROUNDING (16.0 * DBL_EPSILON) /* of integrals that make an inertia */
#define DIGITS   1e-5 /* of moments as they are typed: those of a plate are rounded, each by itself */

/* An entry off the diagonal counts as zero if it is within the rounding of the two beside it. */
static int is_off(double A[3][3], int i, int j) {
  return fabs(A[i][j]) > ROUNDING * sqrt(fabs(A[i][i]) * fabs(A[j][j]));
}

/* A := G'A G, V := V G with the rotation of axes i and j that makes A_ij zero, the smaller of the two that do: with tau = (A_jj - A_ii) / (2 A_ij)
 * its tangent is the smaller root of t^2 + 2 tau t = 1. */
static void rotate(double A[3][3], double V[3][3], int i, int j) {
  const double tau = (A[j][j] - A[i][i]) / (2.0 * A[i][j]);
  const double t = copysign(1.0, tau) / (fabs(tau) + hypot(1.0, tau));
  const double c = 1.0 / hypot(1.0, t), s = t * c, off = A[i][j];
  const int k = 3 - i - j;
  A[i][i] -= t * off, A[j][j] += t * off;
  A[i][j] = A[j][i] = 0.0;
  const double ki = A[k][i], kj = A[k][j];
  A[k][i] = A[i][k] = c * ki - s * kj;
  A[k][j] = A[j][k] = s * ki + c * kj;
  for (int r = 0; r < 3; r++) {
    const double vi = V[r][i], vj = V[r][j];
    V[r][i] = c * vi - s * vj;
    V[r][j] = s * vi + c * vj;
  }
}

/* Jacobi's method, cyclic. */
void prc_spatial_principal_axes(const double inertia[6], double moments[3], double P[9]) {
  const double *J = inertia;
  double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
  double V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int sweep = 0, rotated = 1; rotated && sweep < SWEEPS; sweep++) {
    rotated = 0;
    for (int i = 0; i < 2; i++)
      for (int j = i + 1; j < 3; j++)
        if (is_off(A, i, j)) rotate(A, V, i, j), rotated = 1;
  }
  for (int k = 0; k < 3; k++) moments[k] = A[k][k];
  memcpy(P, V, sizeof V);
}

/* J_i = integral of rho (x_j^2 + x_k^2), so that none is more than the sum of the others; a flat plate has one that is. */
prc_status prc_spatial_check_inertia(const double inertia[6], prc_error *err) {
  double moments[3], P[9];
  for (int k = 0; k < 6; k++)
    if (!isfinite(inertia[k]))
      return prc_fail(err, PRC_INPUT, "its inertia has %g, expected numbers", inertia[k]);
  prc_spatial_principal_axes(inertia, moments, P);
  for (int k = 0; k < 3; k++)
    if (!(moments[k] > 0.0))
      return prc_fail(err, PRC_INPUT,
                      "its principal moments of inertia are %.6g, %.6g, %.6g, expected positive numbers",
                      moments[0], moments[1], moments[2]);
  for (int k = 0; k < 3; k++)
    if (moments[k] > (moments[(k + 1) % 3] + moments[(k + 2) % 3]) * (1.0 + DIGITS))
      return prc_fail(
          err, PRC_INPUT,
          "its principal moments of inertia are %.6g, %.6g, %.6g: no body has one that is more than "
          "the sum of the others",
          moments[0], moments[1], moments[2]);
  return PRC_OK;
}
