/* Probing vectors of prc_system_check_at. */
#ifndef PRC_SYSTEM_PROBE_H
#define PRC_SYSTEM_PROBE_H

#include "system/system.h"

/* D(s) = (x(q (+) s e) - x(q (-) s e)) / 2s is off x' by s^2 x'''/6 and by the rounding of x over s, with s = 1e-5 of the system's length. The first is
 * about a third of |D(2s) - D(s)|; ten times that is allowed, a hundred times the second, and 1e-6 of the largest derivative in the row. A
 * wrong sign, factor or place is a million times more. */

#define PRC_PROBE_STEP  1e-5
#define PRC_PROBE_SHARE 1e-6
#define PRC_PROBE_FAR                                                                                        \
  1e-2 /* of the length: how far the state moves where something should not change, or holds for any step */
#define PRC_PROBE_ROUNDED 1e-9 /* of what cancels, where something holds to rounding */

typedef struct {
  const prc_system *s;
  prc_at at;
  double h, length, step;
  int nq, nv;
  double *q, *v, *dx; /* a displaced state: nq, nv, nv */
  double *x[4];       /* nv each */
  prc_error *err;
} prc_probe;

/* q (+) way e_j; and somewhere else, each dof by another way. They stand in q, v and dx. */
prc_at prc_probe_along(const prc_probe *p, int j, double way);
prc_at prc_probe_elsewhere(const prc_probe *p);
void prc_probe_fill(int n, double *x); /* NaN: what is not overwritten is found */
prc_status prc_probe_numbers(const prc_probe *p, const char *what, int n, const double *x) PRC_MUST_CHECK;
double prc_probe_largest(int n, const double *x);
/* x at these times s against the derivative that is told; size: of what x is a difference of, largest: of the derivatives beside it. */
extern const double prc_probe_ways[4];
int prc_probe_is_derivative(const double x[4], double s, double told, double size, double largest,
                            double *found);

prc_status prc_probe_contacts(const prc_probe *p) PRC_MUST_CHECK;
prc_status prc_probe_joints(const prc_probe *p) PRC_MUST_CHECK;

#endif
