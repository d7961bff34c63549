#ifndef PRC_STEP_INTERNAL_H
#define PRC_STEP_INTERNAL_H

#include "step/step.h"

/* The contact side of a step. In the order of elimination, the contact dofs that are free are the tail, n_lead ..
 * n_lead + n_tail - 1. */
typedef struct {
  int dim, n, n_lead, n_tail;
  const prc_factor *factor;
  int *H_dof; /* the system's H_dof in the order of elimination */
  double *H;  /* blocks, dim x (dofs of the contact) by rows, at dim H_start[c] */
  double *
      HS; /* (dim n) x n_tail: H_tail S^-1; all candidates when H is constant, else the active ones, packed */
  double *W_all;                 /* (dim n)^2, theta H S^-1 H': all candidates; only when H is constant */
  double *W;                     /* (dim n_active)^2 of the active ones, packed */
  double *r;                     /* n_tail: the condensed right-hand side */
  double *b, *w, *p_active, *mu; /* packed */
  double *p, *u_old, *u_theta, *u, *gap, *allowance; /* all candidates */
  int *active, n_active;
  int *status; /* all candidates */
  prc_cone_solver *solver;
} prc_step_contacts;

prc_status prc_step_contacts_create(const prc_system *system, const prc_step_options *options,
                                    const prc_factor *factor, const int *inverse, int n_lead, int n_tail,
                                    prc_step_contacts *contacts, prc_error *err) PRC_MUST_CHECK;
void prc_step_contacts_free(prc_step_contacts *contacts);
/* u := H x for all candidates, x in the order of elimination */
void prc_step_contacts_velocity(const prc_system *system, const prc_step_contacts *contacts, const double *x,
                                double *u);
/* Which candidates are active, from gap and u_old: (64). */
void prc_step_contacts_activate(prc_step_contacts *contacts, const prc_step_options *options);
/* HS rows and W of the listed candidates, packed: W is theta H S^-1 H'. */
void prc_step_contacts_condense(const prc_system *system, const prc_step_contacts *contacts, double theta,
                                int count, const int *list, double *HS, double *W);
/* The contact problem of the step. x: the condensed right-hand side in the tail, prescribed velocities behind it; on
 * return the tail holds v_{k+theta}. */
prc_status prc_step_contacts_solve(const prc_system *system, const prc_step_options *options,
                                   prc_step_contacts *contacts, double t, double *x, prc_cone_info *info,
                                   prc_error *err) PRC_MUST_CHECK;
/* y += a H' p, y in the order of elimination */
void prc_step_contacts_apply(const prc_system *system, const prc_step_contacts *contacts, double a,
                             double *y);

#endif
