/* Joints of a stepper, as schemes see them (joints.c). */
#ifndef PRC_STEP_JOINTS_H
#define PRC_STEP_JOINTS_H

#include "system/system.h"

typedef struct {
  const prc_system *system;
  int n;                   /* rows; 0: there are none, and nothing that follows */
  prc_rows G;              /* as it was evaluated last: at a state, or the secant */
  double *g, *rate, *bias; /* n; g and bias at a state only */
  double *target;          /* n: for schemes, what G x is to be */
  double *force;           /* n: impulses of the step */
  double *miss;            /* n: for the record, see prc_step_joints_measure */
  /* n, of prescribed values that are followed (values.c), or NULL: what they go on by in the step, and what is followed less the value of the data */
  double *way, *shift;
  double *ahead, *closing; /* n: of the theta-scheme, rates at the end and what a step takes back */
} prc_step_joints;

prc_status prc_step_joints_create(const prc_system *system, prc_step_joints *joints,
                                  prc_error *err) PRC_MUST_CHECK;
void prc_step_joints_free(prc_step_joints *joints);
void prc_step_joints_name(const prc_step_joints *joints, int row, char *text, size_t size);
/* G, g, rate and bias at a state; and G and rate over a step. */
prc_status prc_step_joints_evaluate(prc_step_joints *joints, const prc_at *at, prc_error *err) PRC_MUST_CHECK;
prc_status prc_step_joints_secant(prc_step_joints *joints, const prc_at *from, double h, const double *dx,
                                  prc_error *err) PRC_MUST_CHECK;
/* Which rows of G, as it stands, depend on others; see prc_operator_rank_joints. */
prc_status prc_step_joints_rank(prc_step_joints *joints, prc_operator *op, prc_error *err) PRC_MUST_CHECK;
/* G as it stands, and G x = target from the next begin on; rank: which rows depend on others is found anew, see prc_operator_turn_joints.
 * least: see prc_operator_size_joints; INFINITY: rows that depend on others need not agree yet. */
prc_status prc_step_joints_impose(prc_step_joints *joints, prc_operator *op, int rank, const double *target,
                                  double least, prc_error *err) PRC_MUST_CHECK;
/* prc_operator_begin, where joints that contradict each other are named. */
prc_status prc_step_joints_begin(prc_step_joints *joints, prc_operator *op, double t, const double *guess,
                                 double *x, prc_error *err) PRC_MUST_CHECK;
/* Refuses a v over a step with G v + rate != 0 that leaves joints open, as of rows that depend on others and say otherwise, and names those. g is that of its
 * beginning. play: velocities that
 * cancel in v, dof by dof. */
prc_status prc_step_joints_agree(prc_step_joints *joints, prc_operator *op, double t, double h,
                                 const double *v, const double *play, prc_error *err) PRC_MUST_CHECK;
/* The same of a step by levels at its end: g is that of there, and v its velocity (NULL: rows of velocities are not of the end). */
prc_status prc_step_joints_agree_at_end(prc_step_joints *joints, prc_operator *op, double t, double h,
                                        const double *v, prc_error *err) PRC_MUST_CHECK;
/* Of g at t_k, what a step takes back: rounding, that openings do not add up. What a start left open stays nearly as it is. */
double prc_step_joints_close(const prc_step_joints *joints, int row);
/* miss of rows of velocities := h (G v + rate), for schemes: as they have imposed it ... */
void prc_step_joints_measure(prc_step_joints *joints, double h, const double *v);
/* ... and of others := g, at the end of the step. G is that of the state then. */
prc_status prc_step_joints_end(prc_step_joints *joints, const prc_at *at, prc_error *err) PRC_MUST_CHECK;
void prc_step_joints_pull(const prc_step_joints *joints, double a, double *y); /* y += a G'force */
void prc_step_joints_add_sizes(const prc_step_joints *joints, double *y);      /* y += |G'| |force| */
/* Refuses a state of the start that is not one of the joints. */
prc_status prc_step_joints_check_start(prc_step_joints *joints, const prc_at *at, double h,
                                       prc_error *err) PRC_MUST_CHECK;

#endif
