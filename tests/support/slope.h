/* The shipped granular slope, step by step, and what its ground gives. */
#ifndef PRC_TESTS_SLOPE_H
#define PRC_TESTS_SLOPE_H

#include "case/case.h"
#include "step/step.h"

typedef struct {
  prc_case *c;
  prc_model *model;
  prc_stepper *stepper;
  const prc_step_record *r;
  double *q, *v;         /* of the start of the last step */
  prc_contact_set found; /* contacts there */
  double weight;         /* of the grains, m g */
  int n_bodies;
} slope;

/* cases/granular-slope.yaml with these changes */
void slope_open(slope *s, int n_set, const char *const *set);
void slope_close(slope *s);
void slope_step(slope *s);
/* The momentum of the grains, and the percussion that the ground gave them in the last step, both x, y. */
void slope_momentum(const slope *s, double momentum[2]);
void slope_reaction(slope *s, double percussion[2]);
/* Adds the mass and the momentum along the slope of the grains whose centres are in each of n strips from 0 to height. */
void slope_strips(const slope *s, int n, double height, double *mass, double *momentum);

#endif
