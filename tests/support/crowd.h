/* Rigid bodies that meet: what the tests of them share. */
#ifndef PRC_TESTS_CROWD_H
#define PRC_TESTS_CROWD_H

#include "ledger/ledger.h"
#include "rigid/rigid.h"
#include "support/support.h"

/* A model that grows body by body, and a run of it. Bodies are added first, then sets that meet; then it is opened. */
typedef struct {
  prc_rigid_model model;
  prc_rigid_body *body;
  prc_rigid_pairs *pairs;
  prc_shape *part; /* one for each body */
  int *everybody;  /* 0, 1, 2 ... */
  prc_rigid *rigid;
  const prc_system *system;
  prc_stepper *stepper;
  prc_ledger *ledger;
  const prc_step_record *r;
  double *q, *v; /* of the start */
} crowd;

extern prc_error crowd_err;

/* Each gives the number of the body. Density 1; anticlockwise corners around their centre of mass; an obstacle rests. */
int crowd_disc(crowd *c, double x, double y, double radius);
int crowd_polygon(crowd *c, double x, double y, double angle, int n, const double *corner);
int crowd_box(crowd *c, double x, double y, double width, double height);
int crowd_half_plane(crowd *c, const double point[2], const double normal[2]);
int crowd_hole(crowd *c, const double centre[2], double radius);
void crowd_fix(crowd *c, int body); /* it rests */
/* All meet all. */
void crowd_meet(crowd *c, double friction, double restitution);
void crowd_gravity(crowd *c, double x, double y);
void crowd_open(crowd *c, const prc_step_options *options);
void crowd_steps(crowd *c, int n);
void crowd_close(crowd *c);
double crowd_kinetic(const crowd *c);
/* sum m v, and the angular momentum about the origin */
void crowd_momentum(const crowd *c, double momentum[3]);
prc_step_options crowd_options(double h, double theta, prc_impact law);

#endif
