#include "config.h"
#include "fem/internal.h"

#include <string.h>

/* Hooke's isotropic law, of Young's modulus E and Poisson's ratio nu. */

static const char *const parameters[] = {"young", "poisson", NULL};

static prc_status check(const prc_fem_material *m, prc_fem_plane plane, prc_error *err) {
  if (!(m->young > 0.0)) return prc_fail(err, PRC_INPUT, "young is %g, expected a number > 0", m->young);
  if (!(m->poisson > -1.0 && m->poisson <= 0.5))
    return prc_fail(err, PRC_INPUT, "poisson is %g, expected a number in (-1, 0.5]", m->poisson);
  if (plane != PRC_PLANE_STRESS && m->poisson >= 0.5)
    return prc_fail(err, PRC_INPUT, "poisson is %g, expected less than 0.5 except in plane stress",
                    m->poisson);
  return PRC_OK;
}

/* In the plane, sigma = D epsilon, rows xx, yy, xy with the engineering shear strain [force/length^2]: with s = E / (1 - nu^2) in plane
 * stress, D = s (1, nu; nu, 1); with s = E / ((1 + nu)(1 - 2 nu)) where the strain out of the plane is zero, D = s (1 - nu, nu; nu, 1 -
 * nu); the shear modulus is E / 2 (1 + nu) in both. */
void prc_fem_elasticity(double young, double poisson, int plane_strain, double D[3][3]) {
  const double E = young, nu = poisson;
  const double scale = plane_strain ? E / ((1.0 + nu) * (1.0 - 2.0 * nu)) : E / (1.0 - nu * nu);
  const double diagonal = plane_strain ? 1.0 - nu : 1.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[i][j] = 0.0;
  D[0][0] = D[1][1] = scale * diagonal;
  D[0][1] = D[1][0] = scale * nu;
  D[2][2] = E / (2.0 * (1.0 + nu));
}

/* The fourth row is out of the plane: no stress in plane stress; else as the two in the plane. */
static void elasticity(const prc_fem_material *m, prc_fem_plane plane, double D[4][4]) {
  double in_plane[3][3];
  prc_fem_elasticity(m->young, m->poisson, plane != PRC_PLANE_STRESS, in_plane);
  for (int i = 0; i < 3; i++) memcpy(D[i], in_plane[i], sizeof in_plane[i]);
  if (plane == PRC_PLANE_STRESS) return;
  D[3][3] = D[0][0];
  for (int i = 0; i < 2; i++) D[3][i] = D[i][3] = D[0][1];
}

/* Waves are the same in all directions. */
static void moduli(const prc_fem_material *m, prc_fem_plane plane, double *longitudinal, double *shear) {
  double D[3][3];
  prc_fem_elasticity(m->young, m->poisson, plane != PRC_PLANE_STRESS, D);
  *longitudinal = D[0][0], *shear = D[2][2];
}

const prc_fem_law prc_fem_isotropic = {
    .name = "isotropic", .parameter = parameters, .check = check, .elasticity = elasticity, .moduli = moduli};
