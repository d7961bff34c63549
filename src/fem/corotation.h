#ifndef PRC_FEM_COROTATION_H
#define PRC_FEM_COROTATION_H

#include "fem/internal.h"

/* Declarations shared by corotation.c, which has the equations, and corotation_tangent.c. Complex numbers are
 * pairs. */

/* The deformation at a point: F z = alpha z + beta conj(z). */
typedef struct {
  double alpha[2], beta[2];
  double size;      /* |alpha| */
  double gamma[2];  /* beta conj(alpha) / |alpha| */
  double strain[4]; /* xx, yy, xy (engineering shear), out of the plane */
} prc_fem_motion_of_point;

/* Change of strains between two deformations: d size = Re(conj(m) d alpha), and
 * d gamma = s (beta_m conj(d alpha) + conj(alpha_m) d beta) - g d size. */
typedef struct {
  double m[2], s, g[2], alpha[2], beta[2];
} prc_fem_secant;

/* A point as it is stored: its volume, then gradient and hoop of n nodes. */
static inline size_t prc_fem_point_length(int n) {
  return 1 + 3 * (size_t)n;
}
prc_fem_motion_of_point prc_fem_motion_of(int n, const double *point, const double (*u)[2]);
prc_fem_secant prc_fem_secant_of(const prc_fem_motion_of_point *from, const prc_fem_motion_of_point *to);

#endif
