#include "config.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

/* The frames of contacts in space. One that is turned by no more than its normal is carried parallel along the path of the contact: percussions and
 * forces in it keep their meaning, and it has no seams, as one made of the normal alone must have somewhere. */

static double dot(const double *x, const double *y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* x := x - n (n.x), of length 1 */
static void straighten(const double n[3], double x[3]) {
  const double along = dot(n, x);
  for (int k = 0; k < 3; k++) x[k] -= along * n[k];
  const double length = sqrt(dot(x, x));
  for (int k = 0; k < 3; k++) x[k] /= length;
}

/* The rotation about n x n' that takes n to n' takes a t that is normal to n to t - (n + n') (n'.t) / (1 + n.n'). What rounding leaves of t along n' is taken
 * away, so that errors do not add up. */
void prc_contact_turn_frame(const double base[9], const double n[3], double frame[9]) {
  const double cosine = dot(base, n);
  double t[3] = {0.0};
  if (base[0] == n[0] && base[1] == n[1] && base[2] == n[2]) {
    memmove(frame, base, 9 * sizeof *frame);
    return;
  }
  if (cosine > 0.0) {
    const double along = dot(n, base + 3) / (1.0 + cosine);
    for (int k = 0; k < 3; k++) t[k] = base[3 + k] - (base[k] + n[k]) * along;
  } else {
    int least = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(n[k]) < fabs(n[least])) least = k;
    t[least] = 1.0;
  }
  straighten(n, t);
  const double own[3] = {n[0], n[1], n[2]};
  memcpy(frame, own, sizeof own);
  memcpy(frame + 3, t, sizeof t);
  for (int k = 0; k < 3; k++)
    frame[6 + k] = own[(k + 1) % 3] * t[(k + 2) % 3] - own[(k + 2) % 3] * t[(k + 1) % 3];
}
