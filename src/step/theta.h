#ifndef PRC_STEP_THETA_H
#define PRC_STEP_THETA_H

#include "step/internal.h"

/* The theta-scheme's own work. */
typedef struct {
  char *massless; /* n: free rows without inertia; NULL: there are none */
  double kappa;
  /* of a step that iterates, else NULL: f*, the correction, v_w without percussions, M v_w; q in the step; the matrix */
  double *f, *d, *x, *Mv, *q;
  prc_sym *A;
  double potential, gain; /* V(q_k), V(q_{k+1}) - V(q_k) */
  double
      rounding; /* of the correction, in the norm of energy: what V leaves in the bracket of f*; 0 without it */
} prc_step_theta;

int prc_step_theta_iterates(const prc_system *system);
/* Internal forces or loads that depend on the state (theta_iterate.c). */
prc_status prc_step_theta_create_iteration(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_theta_iterate(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;

#endif
