#ifndef PRC_CONE_SPEED_H
#define PRC_CONE_SPEED_H

#include "cone/cone.h"

/* Friction that depends on the speed: mu of a contact there, and the one equation that the measure and all methods solve for it. */

/* mu of contact c at a speed, and d mu / d speed: the problem's friction, or its number */
static inline double prc_cone_friction_at(const prc_cone_problem *problem, int c, double speed,
                                          double *slope) {
  if (problem->friction) return problem->friction(problem->friction_owner, c, speed, slope);
  *slope = 0.0;
  return problem->mu[c];
}

/* One tangential row, of length:   V + S mu(V) p_N = d,   p_N = normal / (1 - wedge mu(V)).
 * The speed is that of unit V: what is scaled says by how much. */
typedef struct {
  const prc_cone_problem *problem;
  int c;
  double unit, S, normal, wedge, d;
  double mu, slope; /* out: mu(V), and d mu / d V */
  double value;     /* (V + S mu p_N) / d, of the last look */
} prc_cone_rub;

/* A solution is above this, or there is none but below all numbers. */
#define PRC_CONE_SPEED_LEAST 1e-290

/* V >= 0, and mu there: 0 where mu(0) is enough; else the root. Where that is below all numbers, V is 0, mu what it takes and its slope infinite.
 * A mu that falls with the speed may have several: one of them. */
double prc_cone_rub_speed(prc_cone_rub *rub);

/* A function that is below 1 at 0 and, for sure, not below 1 at `high`, and d of it; what it keeps is that of the last call. */
typedef struct {
  double value, slope;
} prc_cone_value;
typedef prc_cone_value prc_cone_function(void *owner, double x);
/* Where it is 1, to rounding; x of the last call */
double prc_cone_root(prc_cone_function *at, void *owner, double high);

#endif
