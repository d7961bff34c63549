#ifndef PRC_STEP_THETA_H
#define PRC_STEP_THETA_H

#include "step/internal.h"

#define PRC_STEP_THETA_TOLERANCE 1e-12 /* of passes, where the case names none */

/* The theta-scheme's own work. */
typedef struct {
  char *massless; /* n: free rows without inertia; NULL: there are none */
  double kappa;
  /* of a step that iterates, else NULL: f*, the correction, v_w without percussions, M v_w; q in the step; the matrix */
  double *f, *d, *x, *Mv, *q;
  double *
      begun; /* the momentum that the step begins with: m_k, or where passes leave more than rounding theta m_k + (1 - theta) M v_k */
  double *Mway; /* M times the velocity of the way, where that is another; else NULL */
  prc_sym *A;
  int renews; /* the next pass makes A anew */
  double
      *lead; /* of joints, on the pattern of G: the derivative of what secants hold, where passes go by it */
  int leads; /* they do */
  int ranks_anew;         /* each pass decides which rows of joints depend on others */
  double potential, gain; /* V(q_k), V(q_{k+1}) - V(q_k) */
  double
      scale; /* velocities and impulses in play, in the norm of energy: what the change of a pass is compared with */
  double
      rounding; /* of the correction, in the norm of energy: what V leaves in the bracket of f*; 0 without it */
} prc_step_theta;

/* Parts shared with `position` and `midpoint` (theta_position.c, theta_midpoint.c). */
prc_status prc_step_theta_check(const prc_system *system, const prc_step_options *o,
                                prc_error *err) PRC_MUST_CHECK;
prc_step_matrix prc_step_theta_matrix(const prc_system *system, const prc_step_options *o);
prc_step_promises prc_step_theta_promises(const prc_stepper *s);
prc_status prc_step_theta_create(prc_stepper *s, prc_step_action *action, prc_error *err) PRC_MUST_CHECK;
void prc_step_theta_start(prc_stepper *s);
void prc_step_theta_resize(prc_stepper *s, prc_step_action *action);
prc_status prc_step_theta_step(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
/* v_work := the right-hand side of A v_{k+theta}; and from v_{k+theta} and the percussions to the state and its works */
void prc_step_theta_right_hand_side(prc_stepper *s);
void prc_step_theta_finish(prc_stepper *s);
/* v_{k+theta} of what is prescribed */
void prc_step_set_prescribed(const prc_stepper *s, double *v);
/* Does theta weigh dof i, so that it takes (theta - 1/2) dv M dv? */
static inline int prc_step_is_weighed(const prc_stepper *s, int i) {
  return (!s->way || !s->system->space.mean[i]) && (!s->mixed || s->system->space.deforms[i]);
}
void prc_step_theta_drift(prc_stepper *s, prc_step_drift *drift);
void prc_step_theta_free(prc_stepper *s);
/* The contacts of the step, and that theta suits them; v_free: see prc_step_begin_contacts. */
prc_status prc_step_theta_begin_contacts(prc_stepper *s, const double *v_free, prc_error *err) PRC_MUST_CHECK;
/* Largest restitution of all contacts that there are or may be. */
double prc_step_largest_restitution(const prc_stepper *s);

/* Joints (theta_joints.c): at the beginning of a step; in a pass, before its solve and after it; of the v_w that came out: refuses what rows do
 * not agree with; and their works. */
prc_status prc_step_theta_begin_joints(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_theta_impose_joints(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
/* Passes go by the derivative of what secants hold, in steps in which nothing touches; and back, with G of the step's secants. */
void prc_step_theta_lead_joints(prc_stepper *s);
prc_status prc_step_theta_end_lead(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_theta_set_joint_forces(prc_stepper *s);
prc_status prc_step_theta_check_joints(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
void prc_step_theta_joint_works(prc_stepper *s);
prc_step_promise prc_step_theta_joint_promise(const prc_stepper *s);

/* Of a system that is not linear; and where contacts ask for it. */
int prc_step_theta_is_nonlinear(const prc_system *system);
int prc_step_theta_iterates(const prc_stepper *s);
/* Internal forces or loads that depend on the state (theta_iterate.c). */
prc_status prc_step_theta_create_iteration(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_theta_iterate(prc_stepper *s, prc_error *err) PRC_MUST_CHECK;
double prc_step_theta_rounding(const prc_stepper *s);

#endif
