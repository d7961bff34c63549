/* Small systems, put together by hand: masses, springs and floors whose motion is known in closed form. */
#ifndef PRC_TESTS_TOY_H
#define PRC_TESTS_TOY_H

#include "step/step.h"

enum { TOY_MAX = 12 }; /* dofs */

typedef struct toy {
  prc_system system;
  double M[TOY_MAX][TOY_MAX], K[TOY_MAX][TOY_MAX];
  int n_contacts, backwards; /* backwards: contacts are added from the last to the first */
  double mu[TOY_MAX], e[TOY_MAX], e_t[TOY_MAX], gap0[TOY_MAX], size[TOY_MAX];
  prc_law law[TOY_MAX];          /* what a test leaves empty is Coulomb's, of mu, e and e_t */
  double H[TOY_MAX][4][TOY_MAX]; /* contact, row, dof: dense */
  int prescribed[TOY_MAX];
  double F[TOY_MAX];      /* constant, unless load is set */
  double motion[TOY_MAX]; /* velocities of the prescribed dofs, in their order; unless drive is set */
  prc_status (*load)(double t, double *F, prc_error *err);
  double (*drive)(double t,
                  double h); /* the velocity of all prescribed dofs; alone: it is all that is known of them */
  double (*path)(
      double t); /* the displacement of all prescribed dofs, whose velocity at t = 0 is that of drive */
  double place[TOY_MAX]; /* of the prescribed dofs at t = 0; filled in by toy_start, for motion */
  prc_stepper *stepper;
  const prc_step_record *r;
} toy;

/* n dofs of mass m each; M, K, H, loads may be changed until toy_start. */
void toy_make(toy *s, int n, double m);
/* A contact with a floor, whose normal is dof `normal` and whose tangent is dof `tangent`. */
void toy_floor(toy *s, int normal, int tangent, double mu, double e);
void toy_spring(toy *s, int a, int b, double k);
/* A mass 1 on a spring of stiffness omega^2 to a wall, dof TOY_WALL, which is prescribed; instead of toy_make. */
enum { TOY_WALL, TOY_MASS };
void toy_oscillator(toy *s, double omega);

prc_step_options toy_options(double h, double theta, prc_impact law);
/* The stepper alone, which may fail; toy_start makes it and puts it into its initial state. */
prc_status toy_create(toy *s, const prc_step_options *options, prc_error *err);
void toy_start(toy *s, const prc_step_options *options, const double *q, const double *v);
void toy_step(toy *s, int n);
void toy_free(toy *s);
double toy_velocity(const toy *s, int i); /* of dof i of the system */

#endif
