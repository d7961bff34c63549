/* One rigid body in space that stands with balls on a plane, put together by hand: no code of src/spatial and src/solid is in it. */
#ifndef PRC_TESTS_TOP_H
#define PRC_TESTS_TOP_H

#include "ledger/ledger.h"
#include "step/step.h"

enum { TOP_BALLS = 8 };

/* u: velocity of the centre of mass in fixed axes, spin in its own axes, which are those of inertia. q: x, y, z, the last three of the quaternion, its
 * first. A local vector: n, t1, t2 in the carried frame, and with dim 4 `drilling` times the spin about n. The floor is the plane n.x = 0, or a sphere about
 * the origin that the balls are in. */
typedef struct {
  prc_system system;
  double mass, moments[3];
  int n_balls, dim, comes_and_goes; /* the set is searched for in each step */
  double centre[TOP_BALLS][3], radius[TOP_BALLS], drilling;
  double friction, restitution;
  double bowl;                           /* the radius of that sphere; 0: a plane */
  double normal[3], force[3], moment[3]; /* constant, in fixed axes */
  prc_law law;
  double q[7], v[6]; /* at the start */
  prc_stepper *stepper;
  prc_ledger *ledger;
  const prc_step_record *r;
} top;

/* Of this mass, with no spin and no balls, on z = 0, without friction; dim 3. The quaternion is that of the unit. */
void top_make(top *s, double mass, double J1, double J2, double J3);
void top_ball(top *s, double x, double y, double z, double radius);
void top_start(top *s, const prc_step_options *options);
/* Steps, each entered into the ledger. */
void top_step(top *s, int n);
void top_free(top *s);

void top_matrix(const double *q, double R[9]);                 /* of its attitude, by rows */
void top_turn(double *q, const double axis[3], double degree); /* the attitude: about an axis in fixed axes */
double top_energy(const top *s);                               /* kinetic, and of the force as a potential */
void top_spin(const top *s, double fixed[3]);
void top_angular_momentum(const top *s, double fixed[3]); /* about the centre of mass */
/* The force of contact c over the last step in fixed axes, and the moment of drilling along n. */
double top_percussion(const top *s, int c, double fixed[3]);

#endif
