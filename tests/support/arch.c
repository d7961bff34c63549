#include "config.h"
#include "support/arch.h"
#include "support/crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- limit analysis --------------------------------------------------------------------------------------------------------- */

/* The least sum of what is missing in A x = b, x >= 0: the first phase of the simplex method on a dense tableau, whose last row is minus the
 * sum of those above. Bland's rule: it never cycles. */
static double least_missing(int rows, int columns, double *tableau) {
  const int width = columns + 1;
  double *cost = tableau + (size_t)rows * (size_t)width;
  for (int i = 0; i < rows; i++) { /* b >= 0 */
    double *row = tableau + (size_t)i * (size_t)width;
    const double sign = row[columns] < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < width; j++) row[j] *= sign, cost[j] -= row[j];
  }
  int *basis =
      calloc((size_t)rows, sizeof *basis); /* beyond the columns: what is missing, which never comes back */
  ck_assert_ptr_nonnull(basis);
  for (int i = 0; i < rows; i++) basis[i] = columns + i;
  for (;;) {
    int enters = 0, leaves = -1;
    while (enters < columns && cost[enters] > -1e-11) enters++;
    if (enters == columns) break;
    for (int i = 0; i < rows; i++) {
      const double *row = tableau + (size_t)i * (size_t)width;
      if (row[enters] < 1e-9) continue;
      if (leaves < 0) {
        leaves = i;
        continue;
      }
      const double *best = tableau + (size_t)leaves * (size_t)width;
      const double d = row[columns] * best[enters] - best[columns] * row[enters];
      if (d < -1e-15 || (fabs(d) <= 1e-15 && basis[i] < basis[leaves])) leaves = i;
    }
    if (leaves < 0) break;
    double *pivot = tableau + (size_t)leaves * (size_t)width;
    const double scale = 1.0 / pivot[enters];
    for (int j = 0; j < width; j++) pivot[j] *= scale;
    for (int i = 0; i <= rows; i++) {
      double *row = tableau + (size_t)i * (size_t)width;
      const double factor = row[enters];
      if (i == leaves || factor == 0.0) continue;
      for (int j = 0; j < width; j++) row[j] -= factor * pivot[j];
    }
    basis[leaves] = enters;
  }
  free(basis);
  return -cost[columns];
}

/* What equilibrium lacks, as a share of the weight. Joint j stands at the angle pi j / n; it pushes block j forward and block j - 1 back, at its
 * inner and outer corner, along the two edges of the cone there. Torques are about the middle of the arch. */
static double missing(int n, double thickness, double friction) {
  const int rows = 3 * n, columns = 4 * (n + 1), width = columns + 1;
  const double half = 0.5 * pi / n, r[2] = {1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness};
  const double centre = cos(half) * (1.0 + thickness * thickness / 12.0); /* of mass: that of a trapezoid */
  double *tableau = calloc(((size_t)rows + 1) * (size_t)width, sizeof *tableau);
  ck_assert_ptr_nonnull(tableau);
#define AT(i, j) tableau[(size_t)(i) * (size_t)width + (size_t)(j)]
  for (int j = 0; j <= n; j++)
    for (int k = 0; k < 4; k++) {
      const double a = pi * j / n, slip = k % 2 ? friction : -friction, radius = r[k / 2];
      const double f[2] = {-sin(a) + slip * cos(a), cos(a) + slip * sin(a)}, torque = radius;
      for (int side = 0; side < 2; side++) {
        const int block = j - side;
        const double sign = side ? -1.0 : 1.0;
        if (block < 0 || block >= n) continue;
        AT(3 * block, 4 * j + k) = sign * f[0], AT(3 * block + 1, 4 * j + k) = sign * f[1];
        AT(3 * block + 2, 4 * j + k) = sign * torque;
      }
    }
  for (int i = 0; i < n; i++) { /* each weighs 1 / n */
    AT(3 * i + 1, columns) = 1.0 / n;
    AT(3 * i + 2, columns) = centre * cos(pi * (i + 0.5) / n) / n;
  }
#undef AT
  const double sum = least_missing(rows, columns, tableau);
  free(tableau);
  return sum;
}

int arch_has_equilibrium(int n, double thickness, double friction) {
  return missing(n, thickness, friction) <= 1e-9;
}

double arch_limit(int n, double friction) {
  double falls = 0.02, stands = 0.4;
  ck_assert(!arch_has_equilibrium(n, falls, friction) && arch_has_equilibrium(n, stands, friction));
  while (stands - falls > 1e-7) {
    const double middle = 0.5 * (falls + stands);
    if (arch_has_equilibrium(n, middle, friction))
      stands = middle;
    else
      falls = middle;
  }
  return stands;
}

/* ---- motion ----------------------------------------------------------------------------------------------------------------- */

int arch_stands(int n, double thickness, double friction, double end) {
  const double half = 0.5 * pi / n, centre = cos(half) * (1.0 + thickness * thickness / 12.0),
               zero[2] = {0.0, 0.0}, up[2] = {0.0, 1.0}, h = 1e-3;
  double corner[8], moved = 0.0;
  crowd c = {0};
  for (int k = 0; k < 4; k++) {
    const double r = 1.0 + (k == 1 || k == 2 ? 0.5 : -0.5) * thickness;
    corner[2 * k] = r * cos(half) - centre, corner[2 * k + 1] = (k < 2 ? -r : r) * sin(half);
  }
  for (int i = 0; i < n; i++) {
    const double a = pi * (i + 0.5) / n;
    (void)crowd_polygon(&c, centre * cos(a), centre * sin(a), a, 4, corner);
  }
  (void)crowd_half_plane(&c, zero, up);
  crowd_gravity(&c, 0.0, -1.0);
  crowd_meet(&c, friction, 0.0);
  const prc_step_options o = crowd_options(h, 1.0, PRC_IMPACT_NEWTON);
  crowd_open(&c, &o);
  for (int step = 0; step * h < end && moved <= 1e-3; step += 10) {
    crowd_steps(&c, 10);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 4; k++) {
        const double *q = c.r->q + 3 * i, *q0 = c.q + 3 * i, *x = corner + 2 * k;
        const double now[2] = {q[0] + cos(q[2]) * x[0] - sin(q[2]) * x[1],
                               q[1] + sin(q[2]) * x[0] + cos(q[2]) * x[1]};
        const double then[2] = {q0[0] + cos(q0[2]) * x[0] - sin(q0[2]) * x[1],
                                q0[1] + sin(q0[2]) * x[0] + cos(q0[2]) * x[1]};
        moved = fmax(moved, hypot(now[0] - then[0], now[1] - then[1]));
      }
  }
  crowd_close(&c);
  return moved <= 1e-3;
}
