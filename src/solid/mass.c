#include "config.h"
#include "solid/internal.h"

#include <math.h>

/* Volume, centre and inertia, of unit density. */

/* ---- of what is inside triangles ----------------------------------------------------------------------- */

/* A tetrahedron from o to the triangle a b c, these from o, has the volume V = a . (b x c) / 6 (negative where it is seen from behind), and with
 * s = a + b + c
 *
 *   integral of x   = V s / 4
 *   integral of x x' = V (a a' + b b' + c c' + s s') / 20
 *
 * exactly; the sum over a closed surface is that of what is inside. */
void prc_solid_add_triangle(prc_solid_sums *sums, const double *p, const double *q, const double *r) {
  double a[3], b[3], c[3], s[3], normal[3];
  for (int k = 0; k < 3; k++) {
    a[k] = p[k] - sums->origin[k], b[k] = q[k] - sums->origin[k], c[k] = r[k] - sums->origin[k];
    s[k] = a[k] + b[k] + c[k];
  }
  prc_solid_cross(b, c, normal);
  const double volume = prc_solid_dot(a, normal) / 6.0;
  sums->volume += volume;
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3;
    sums->first[k] += volume * s[k] / 4.0;
    sums->second[k] += volume * (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + s[k] * s[k]) / 20.0;
    sums->mixed[k] += volume * (a[k] * a[l] + b[k] * b[l] + c[k] * c[l] + s[k] * s[l]) / 20.0;
  }
}

/* Rounding of numbers of that size is set to zero, so that a symmetric solid has the axes of its symmetry. */
static double without_rounding(double x, double size) {
  return fabs(x) > 1e-14 * size ? x : 0.0;
}

/* About the centre by Steiner's theorem; mixed: x y, y z, z x. */
prc_solid_mass prc_solid_mass_of_sums(const prc_solid_sums *sums) {
  prc_solid_mass mass = {.volume = sums->volume};
  double from[3], x2[3], xy[3], size = 0.0;
  for (int k = 0; k < 3; k++) size = fmax(size, fabs(sums->origin[k]));
  for (int k = 0; k < 3; k++) {
    from[k] = sums->first[k] / sums->volume;
    x2[k] = sums->second[k] - sums->volume * from[k] * from[k];
  }
  const double length = sqrt((x2[0] + x2[1] + x2[2]) / sums->volume), trace = 2.0 * (x2[0] + x2[1] + x2[2]);
  for (int k = 0; k < 3; k++) {
    xy[k] = without_rounding(sums->mixed[k] - sums->volume * from[k] * from[(k + 1) % 3], trace);
    mass.centre[k] = without_rounding(sums->origin[k] + from[k], 0.1 * fmax(size, length));
    mass.inertia[k] = x2[(k + 1) % 3] + x2[(k + 2) % 3];
  }
  mass.inertia[3] = 0.0 - xy[0], mass.inertia[4] = 0.0 - xy[2], mass.inertia[5] = 0.0 - xy[1];
  return mass;
}

/* From the mean of the corners, so that nothing is lost far from the origin. */
static prc_solid_mass polyhedron(const prc_solid *solid) {
  prc_solid_sums sums = {0};
  for (int i = 0; i < solid->n; i++)
    for (int k = 0; k < 3; k++) sums.origin[k] += solid->corner[3 * (size_t)i + (size_t)k] / solid->n;
  for (int f = 0; f < solid->n_faces; f++) {
    const int *corner = solid->face_corner + solid->face_start[f];
    const int n = solid->face_start[f + 1] - solid->face_start[f];
    for (int i = 1; i + 1 < n; i++)
      prc_solid_add_triangle(&sums, solid->corner + 3 * (size_t)corner[0],
                             solid->corner + 3 * (size_t)corner[i],
                             solid->corner + 3 * (size_t)corner[i + 1]);
  }
  return prc_solid_mass_of_sums(&sums);
}

/* ---- of what is round ---------------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* I = I_across (1 - a a') + I_along a a' */
static void around_axis(const double a[3], double along, double across, double inertia[6]) {
  for (int k = 0; k < 3; k++) inertia[k] = across + (along - across) * a[k] * a[k];
  inertia[3] = (along - across) * a[0] * a[1];
  inertia[4] = (along - across) * a[0] * a[2];
  inertia[5] = (along - across) * a[1] * a[2];
}

/* A cylinder and, of a capsule, two halves of a ball at its ends, whose centres are 3 r / 8 from there and whose moments across about them
 * are 83/320 m r^2. */
static prc_solid_mass along_axis(const prc_solid *solid, int balls) {
  prc_solid_mass mass = {0};
  double d[3], axis[3];
  for (int k = 0; k < 3; k++) {
    d[k] = solid->corner[3 + k] - solid->corner[k];
    mass.centre[k] = 0.5 * solid->corner[k] + 0.5 * solid->corner[3 + k];
  }
  const double length = prc_solid_distance(d, axis), r = solid->radius;
  const double cylinder = pi * r * r * length, half = balls ? 2.0 / 3.0 * pi * r * r * r : 0.0;
  const double arm = 0.5 * length + 0.375 * r;
  mass.volume = cylinder + 2.0 * half;
  around_axis(axis, (0.5 * cylinder + 0.8 * half) * r * r,
              cylinder * (3.0 * r * r + length * length) / 12.0
                  + 2.0 * half * (83.0 / 320.0 * r * r + arm * arm),
              mass.inertia);
  return mass;
}

static prc_solid_mass sphere(const prc_solid *solid) {
  prc_solid_mass mass = {0};
  const double r = solid->radius;
  mass.volume = 4.0 / 3.0 * pi * r * r * r;
  for (int k = 0; k < 3; k++) {
    mass.centre[k] = solid->corner[k];
    mass.inertia[k] = 0.4 * mass.volume * r * r;
  }
  return mass;
}

prc_solid_mass prc_solid_mass_of(const prc_solid *solid) {
  const int row = solid->kind->row;
  if (row == PRC_SOLID_POLYHEDRON) return polyhedron(solid);
  if (row == PRC_SOLID_HALF_SPACE || !(solid->radius > 0.0)) return (prc_solid_mass){0};
  return row == PRC_SOLID_SPHERE ? sphere(solid) : along_axis(solid, row == PRC_SOLID_CAPSULE);
}
