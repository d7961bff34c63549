#include "config.h"
#include "contact/contact.h"

#include <math.h>

/* Row of the displacement of a body on an obstacle that turns. Seen from the obstacle, its centre goes in a
 * step from z to z'; with dx the way of the body less that of the obstacle, psi the angle that the
 * obstacle turns by and phi the body's own, both in fixed axes that are those of the obstacle in the middle of the step, R = R(psi/2):
 *
 *   R^-1 (z + dx) - R z = cos(psi/2) dx - sin(psi/2) k x (2 z + dx).
 *
 * With dx = (R^2 - 1) z + R^2 s on the right, s what the body is expected to slide by, and over cos(psi/2),
 *
 *   h u = D [dx - (R^2 - 1) z - tan(psi/2) k x R^2 s + sinc(psi/2) k x R r (phi - psi)],   (R^2 - 1) z = psi sinc(psi/2) k x R z,
 *
 * with directions D and the arm r that turn by R. It is linear in dx and phi, exact where s is, and of what is carried along (s = 0, phi = psi) whatever r is: a body that sticks
 * keeps its place to rounding. Where psi = 0 it is the row of a body on what rests. */

static void turn(double c, double s, const double x[2], double out[2]) {
  out[0] = c * x[0] - s * x[1], out[1] = s * x[0] + c * x[1];
}

void prc_contact_carry(double angle, const double normal[2], const double arm[2], const double from[2],
                       const double slide[2], prc_contact_carried *out) {
  const double a = 0.5 * angle, c = cos(a), s = sin(a), share = a != 0.0 ? s / a : 1.0;
  double r[2], z[2], way[2];
  turn(c, s, normal, out->normal);
  turn(c, s, arm, r), turn(c, s, from, z), turn(cos(angle), sin(angle), slide, way);
  out->of_body[0] = -share * r[1], out->of_body[1] = share * r[0];
  out->of_obstacle[0] = out->of_body[0] - share * z[1] - 0.5 * share / c * way[1];
  out->of_obstacle[1] = out->of_body[1] + share * z[0] + 0.5 * share / c * way[0];
}
