/* system: what a time-stepping scheme needs of any mechanical system, and nothing else. The hinge of the house: every
 * body (finite elements, rigid bodies) presents itself as a prc_system, every scheme works on every prc_system.
 *
 *   M dv + (K q + C v - F(t)) dt = H' di,   C = damping_mass M + damping_stiffness K,   u = H(q) v.
 */
#ifndef PRC_SYSTEM_H
#define PRC_SYSTEM_H

#include "base/base.h"
#include "linear/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct prc_system {
  int n_dof;
  int dim;          /* of local vectors: 2 or 3 */
  const prc_sym *M; /* mass */
  const prc_sym *K; /* stiffness; NULL when there is none */
  double damping_mass, damping_stiffness;

  int n_prescribed;      /* dofs whose velocity is a datum */
  const int *prescribed; /* ascending */
  int prescribed_rest;   /* all of them are held fixed at all times */

  int n_contacts;    /* candidates */
  const double *mu;  /* n_contacts */
  const double *e;   /* n_contacts, in [0, 1] */
  const double *e_t; /* n_contacts: tangential restitution of the Newton law, (58); NULL: none */
  /* contact c touches the dofs H_dof[H_start[c]] .. H_dof[H_start[c+1]-1] */
  const int *H_start; /* n_contacts + 1 */
  const int *H_dof;
  int H_constant; /* H does not depend on q */

  /* n_contacts: the size of the body that a candidate belongs to, which penetrations are compared with; 0: it has none, as a
   * point mass; NULL: none has */
  const double *size;

  /* scales for the tolerances of activation: the size of the coordinates, and a velocity well above those of the contacts,
   * such as the longitudinal wave speed; 0: not known */
  double length, velocity;
  int velocity_at_start; /* the velocity is that of the start only: what contacts reach later counts too, see step.h */

  void *body; /* handed to the functions below */
  /* F(t), all dofs, overwritten; NULL: no loads */
  prc_status (*force)(void *body, double t, double *F, prc_error *err);
  int force_constant;
  /* prescribed velocities at t, n_prescribed. One-sided at kinks: the velocity with which the motion goes on over
   * (t, t + h). May be NULL when prescribed_rest, or without prescribed dofs. Where displacements are given, only that of t = 0
   * is used, and that of the last step where they end there. */
  prc_status (*prescribed_velocity)(void *body, double t, double h, double *v, prc_error *err);
  /* prescribed displacements at t, n_prescribed: those that the velocities of a scheme follow, to within half a step's way. Also asked
   * for a little beyond the last step, where it may fail. NULL: the velocities alone are known, and taken as they are. */
  prc_status (*prescribed_displacement)(void *body, double t, double *d, prc_error *err);
  /* gaps at q (positive: open), n_contacts */
  void (*gap)(void *body, const double *q, double *gap);
  /* H at q: contact c's block is dim x (number of its dofs), by rows, at H + dim * H_start[c] */
  void (*directions)(void *body, const double *q, double *H);

  /* the following may be NULL */
  /* row i of prescribed_displacement alone */
  prc_status (*prescribed_at)(void *body, int i, double t, double *d, prc_error *err);
  /* what prescribes row i, for messages: "support 'top': y"; NULL: "prescribed dof 17" */
  void (*prescribed_name)(void *body, int i, char *text, size_t size);
  /* the largest rotation of a part in radians, where the model is one of small rotations; NULL: it is not */
  double (*rotation)(void *body, const double *q);
} prc_system;

#ifdef __cplusplus
}
#endif
#endif
