#include "config.h"
#include "contact/contact.h"

#include <math.h>

/* Surfaces that a point touches from outside: each kind is one function, surface and point to signed gap
 * and unit normal. */

/* The half-plane behind a line: g = (x - P) . n, whatever the place along it. */
static double face_gap(const prc_contact_surface *face, const double x[2], double normal[2]) {
  normal[0] = face->normal[0], normal[1] = face->normal[1];
  return (x[0] - face->point[0]) * normal[0] + (x[1] - face->point[1]) * normal[1];
}

/* The normal is (x - centre) / |x - centre|, with both brought near 1 by a power of two first: the
 * quotient of numbers near the smallest would have no digits. At the centre every direction leads out
 * alike: `normal` of the surface. */
static double disc_gap(const prc_contact_surface *disc, const double x[2], double normal[2]) {
  const double d[2] = {x[0] - disc->point[0], x[1] - disc->point[1]};
  const double largest = fmax(fabs(d[0]), fabs(d[1]));
  int exponent;
  normal[0] = disc->normal[0], normal[1] = disc->normal[1];
  if (!(largest > 0.0)) return -disc->radius;
  (void)frexp(largest, &exponent);
  const double scaled[2] = {ldexp(d[0], -exponent), ldexp(d[1], -exponent)};
  const double length = hypot(scaled[0], scaled[1]);
  for (int k = 0; k < 2; k++) normal[k] = scaled[k] / length;
  return ldexp(length, exponent) - disc->radius;
}

prc_contact_surface prc_contact_face(const prc_contact_plane *plane) {
  return (prc_contact_surface){.gap = face_gap,
                               .point = {plane->point[0], plane->point[1]},
                               .normal = {plane->normal[0], plane->normal[1]}};
}

prc_contact_surface prc_contact_disc(const double centre[2], double radius) {
  return (prc_contact_surface){
      .gap = disc_gap, .point = {centre[0], centre[1]}, .normal = {0.0, 1.0}, .radius = radius};
}

/* The surface of a body whose origin stands at G and that is turned by an angle a: points G + R(a) r, directions R(a) n. */
prc_contact_surface prc_contact_surface_moved(const prc_contact_surface *own, const double origin[2],
                                              double angle) {
  const double c = cos(angle), s = sin(angle);
  prc_contact_surface now = *own;
  now.point[0] = origin[0] + c * own->point[0] - s * own->point[1];
  now.point[1] = origin[1] + s * own->point[0] + c * own->point[1];
  now.normal[0] = c * own->normal[0] - s * own->normal[1];
  now.normal[1] = s * own->normal[0] + c * own->normal[1];
  return now;
}
