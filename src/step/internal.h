#ifndef PRC_STEP_INTERNAL_H
#define PRC_STEP_INTERNAL_H

#include "step/step.h"

/* What prc_stepper_create takes: everything of the system that can be seen without its functions (check.c). */
prc_status prc_step_check_system(const prc_system *system, prc_error *err) PRC_MUST_CHECK;
/* n finite numbers of a state */
prc_status prc_step_check_numbers(const char *name, int n, const double *x, prc_error *err) PRC_MUST_CHECK;

/* ---- M hat v = rhs (solve.c): which solver ---------------------------------------------------------------------- */

typedef struct {
  const prc_solver *row;
  void *work;                               /* the row's */
  double entries;                           /* of the factor, made or only counted; 0: not counted */
  double traffic_factor, traffic_iteration; /* bytes a step; 0: not counted */
  int products;                             /* of a trial of the iteration */
} prc_step_solver;

/* A: M hat over the free dofs in the order of elimination */
prc_status prc_step_solver_create(prc_step_solver *solver, const prc_step_options *options, const prc_sym *A,
                                  int n_tail, prc_error *err) PRC_MUST_CHECK;
void prc_step_solver_free(prc_step_solver *solver);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* The contact side of a step. In the order of elimination, the contact dofs that are free are the tail, n_lead ..
 * n_lead + n_tail - 1. */
typedef struct {
  int dim, n, n_lead, n_tail;
  const prc_tail *S;         /* its inverse */
  int *H_dof;                /* the system's H_dof in the order of elimination */
  double *H;                 /* blocks, dim x (dofs of the contact) by rows, at dim H_start[c] */
  int sparse;                /* W by blocks, because S^-1 is sparse and H constant; else dense */
  double *W_all, *W;         /* (dim n)^2 of all candidates, when H is constant; of the active ones, packed */
  prc_cone_blocks all, part; /* the same by blocks */
  double *W_normal;          /* n: share (H S^-1 H')_NN, when H is constant */
  int *gathered, n_gathered; /* the active set that W or part is of; -1: of none */
  int *place;                /* n, workspace; with blocks only */
  double *row, *pull, *kick; /* n_tail: workspace, share H'p, S^-1 of that */
  double *b, *w, *p_active, *mu;                     /* packed */
  double *p, *u_old, *u_theta, *u, *gap, *allowance; /* all candidates */
  int *active, n_active;
  int *status;                              /* all candidates */
  double gap_tolerance, velocity_tolerance; /* of activation, as they are now */
  /* the second is this times the velocity, which follows `speed`; 0: both stay as they are */
  double velocity_share;
  int gap_follows; /* the first follows too */
  double speed;    /* see prc_step_record */
  double size_least;
  int implicit; /* no inertia at contacts: they enter by the gap at the end of the step */
  int newton;   /* the law of the problem */
  double share; /* v_tail gains share x S^-1 H'p: theta, or kappa where there is no inertia */
  double scale; /* W is scale x H S^-1 H': share, or share / theta with the Newton law */
  prc_cone_solver *solver;
} prc_step_contacts;

prc_status prc_step_contacts_create(const prc_system *system, const prc_step_options *options,
                                    const prc_tail *S, const int *inverse, int n_lead, int n_tail,
                                    prc_step_contacts *contacts, prc_error *err) PRC_MUST_CHECK;
void prc_step_contacts_free(prc_step_contacts *contacts);
/* The tolerances from the options as they were given, where zero asks for what follows from the system. */
void prc_step_contacts_set_tolerances(const prc_system *system, const prc_step_options *given,
                                      prc_step_contacts *contacts);
/* The speed is this; the tolerances follow. */
void prc_step_contacts_set_speed(const prc_system *system, const prc_step_options *options, double speed,
                                 prc_step_contacts *contacts);
/* u := H x for all candidates, x in the order of elimination */
void prc_step_contacts_velocity(const prc_system *system, const prc_step_contacts *contacts, const double *x,
                                double *u);
/* Which candidates are active, from gap and u_old, (64), and from the percussions of the last step. */
void prc_step_contacts_activate(const prc_system *system, const prc_step_options *options,
                                prc_step_contacts *contacts);
/* W := scale H S^-1 H' of the listed candidates (NULL: of the first `count`), dense, packed. */
void prc_step_contacts_condense(const prc_system *system, const prc_step_contacts *contacts, double scale,
                                int count, const int *list, double *W);
/* W over all candidates, where H is constant: once H is known. */
void prc_step_contacts_condense_all(const prc_system *system, prc_step_contacts *contacts);
/* The contact problem as it stands. */
prc_cone_problem prc_step_contacts_problem(const prc_step_contacts *contacts);
/* The contact problem of the step. x: v_{k+theta} without percussions in the tail, prescribed velocities behind it. What
 * percussions add to the right-hand side goes to pull, and to the tail to kick. */
prc_status prc_step_contacts_solve(const prc_system *system, const prc_step_options *options,
                                   prc_step_contacts *contacts, double t, const double *x,
                                   prc_cone_info *info, prc_error *err) PRC_MUST_CHECK;
/* y += a H' p, y in the order of elimination */
void prc_step_contacts_apply(const prc_system *system, const prc_step_contacts *contacts, double a,
                             double *y);
/* y += |H'| |p| */
void prc_step_contacts_add_sizes(const prc_system *system, const prc_step_contacts *contacts, double *y);

/* ---- prescribed motions (motion.c) ------------------------------------------------------------------------- */

typedef struct {
  const prc_system *system;
  double h, theta;
  int moves;              /* velocities that may be other than zero are asked for */
  int follows;            /* they come from the displacements */
  int jumped;             /* the last failure was a jump */
  double *first, *now;    /* n_prescribed: d at 0 and at t_k */
  double *before, *ahead; /* D_{k-1} and D_k, see motion.c */
  double *rate, *room;    /* of the last two values that were looked at; workspace */
} prc_step_motion;

prc_status prc_step_motion_create(const prc_system *system, const prc_step_options *options,
                                  prc_step_motion *motion, prc_error *err) PRC_MUST_CHECK;
void prc_step_motion_free(prc_step_motion *motion);
/* v := V_step, at the start or where a run goes on */
prc_status prc_step_motion_enter(prc_step_motion *motion, int step, double *v, prc_error *err) PRC_MUST_CHECK;
/* v := V_step, after step - 1. Refuses a jump on the way. */
prc_status prc_step_motion_advance(prc_step_motion *motion, int step, double *v,
                                   prc_error *err) PRC_MUST_CHECK;
/* Refuses a q at t = 0 that is not d(0); v: V_0. */
prc_status prc_step_motion_check_start(const prc_step_motion *motion, const double *q, const double *v,
                                       prc_error *err) PRC_MUST_CHECK;
/* Refuses jumps in the steps from 0 to n_steps; v: workspace. To be entered again. */
prc_status prc_step_motion_foresee(prc_step_motion *motion, int n_steps, double *v,
                                   prc_error *err) PRC_MUST_CHECK;
prc_step_deviation prc_step_motion_compare(const prc_step_motion *motion, const double *d, const double *q);

/* ---- the stepper ------------------------------------------------------------------------------------------ */

/* Rows of M and Mhat of the prescribed dofs, in the order of elimination. */
typedef struct {
  int *start, *column;
  double *M, *Mhat;
} prc_step_rows;

struct prc_stepper {
  const prc_system *system;
  prc_step_options options;
  int n, n_free, n_lead, n_tail, n_prescribed;
  char *massless;       /* n: free rows without inertia; NULL: there are none */
  int *perm;            /* entry i is dof perm[i] of the system */
  const char *ordering; /* how it was found */
  prc_step_solver solver;
  prc_panels *K;    /* all dofs, in the order of elimination; NULL without stiffness */
  prc_sym *K_plain; /* stands in its place where the solver shares nothing with panels */
  prc_step_rows rows;
  prc_step_contacts contacts;
  prc_step_motion motion;

  int step;
  double t;
  /* in the system's order: displacements, loads at t_k and t_{k+1} */
  double *q, *F, *F_next;
  /* in the order of elimination; the old ones trade places with the new */
  double *v, *m, *f, *v_old, *m_old, *f_old;
  double *v_theta, *s, *F_theta;
  double *vp, *vp_next, *reaction;          /* n_prescribed */
  double *work, *work2;                     /* n */
  double *drag;                             /* n: C v; quasi-static only */
  int moved;                                /* steps were made since the start or the resumption */
  double seconds[PRC_STEP_N_PHASES], since; /* when timed: of the phases, and of the clock */
  prc_step_record record;
};

/* ---- a quasi-static step (static.c): what differs from a dynamic one ------------------------------------------- */

/* vp_next := the rate that takes the prescribed dofs to their displacements at t. */
prc_status prc_step_static_prescribed(prc_stepper *s, double t, prc_error *err) PRC_MUST_CHECK;
/* The state at the end of a load step from v_theta and s = K v_theta. */
void prc_step_static_update(prc_stepper *s);
/* The norm of what the equilibrium of the last step lacks on free dofs, computed afresh. */
double prc_step_static_imbalance(prc_stepper *s);

#endif
