#include "config.h"
#include "spatial/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

void prc_quaternion_product(const double a[4], const double b[4], double out[4]) {
  const double product[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  };
  memcpy(out, product, sizeof product);
}

/* A factor turns nothing, so that what is wrong with the length goes and the attitude stays. */
void prc_quaternion_normalize(double a[4]) {
  const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  for (int k = 0; k < 4; k++) a[k] /= length;
}

void prc_quaternion_matrix(const double a[4], double R[9]) {
  const double w = a[0], x = a[1], y = a[2], z = a[3];
  R[0] = 1.0 - 2.0 * (y * y + z * z), R[1] = 2.0 * (x * y - w * z), R[2] = 2.0 * (x * z + w * y);
  R[3] = 2.0 * (x * y + w * z), R[4] = 1.0 - 2.0 * (x * x + z * z), R[5] = 2.0 * (y * z - w * x);
  R[6] = 2.0 * (x * z - w * y), R[7] = 2.0 * (y * z + w * x), R[8] = 1.0 - 2.0 * (x * x + y * y);
}

/* 4 a_i a_k are sums and differences of entries of R; those with the largest a_i are divided by it. */
void prc_quaternion_of_matrix(const double R[9], double out[4]) {
  const double square[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8],
                            1.0 - R[0] - R[4] + R[8]};               /* 4 a_i^2 */
  const double wx = R[7] - R[5], wy = R[2] - R[6], wz = R[3] - R[1]; /* 4 w x, ... */
  const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
  const double product[4][4] = {
      {square[0], wx, wy, wz}, {wx, square[1], xy, xz}, {wy, xy, square[2], yz}, {wz, xz, yz, square[3]}};
  int largest = 0;
  for (int k = 1; k < 4; k++)
    if (square[k] > square[largest]) largest = k;
  for (int k = 0; k < 4; k++) out[k] = product[largest][k];
  prc_quaternion_normalize(out);
}

static int is_zero(const double dx[3]) {
  return dx[0] == 0.0 && dx[1] == 0.0 && dx[2] == 0.0;
}

void prc_quaternion_cayley(const double a[4], const double dx[3], double out[4]) {
  const double turn[4] = {1.0, 0.5 * dx[0], 0.5 * dx[1], 0.5 * dx[2]};
  memmove(out, a, 4 * sizeof *out);
  if (is_zero(dx)) return; /* what is at rest keeps its bits */
  prc_quaternion_product(out, turn, out);
  prc_quaternion_normalize(out);
}

void prc_quaternion_exponential(const double a[4], const double dx[3], double out[4]) {
  const double angle = hypot(hypot(dx[0], dx[1]), dx[2]);
  memmove(out, a, 4 * sizeof *out);
  if (is_zero(dx)) return;
  const double share = sin(0.5 * angle) / angle;
  const double turn[4] = {cos(0.5 * angle), share * dx[0], share * dx[1], share * dx[2]};
  prc_quaternion_product(out, turn, out);
  prc_quaternion_normalize(out);
}
