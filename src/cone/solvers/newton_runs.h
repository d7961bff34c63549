#ifndef PRC_CONE_NEWTON_RUNS_H
#define PRC_CONE_NEWTON_RUNS_H

#include "cone/solvers/method.h"

/* Newton's system where W = G G', solved for the velocities of bodies, see operators/runs_system.c. All in the scaled variables of newton.h. */
typedef struct prc_cone_newton_runs prc_cone_newton_runs;
prc_status prc_cone_newton_runs_create(const prc_cone_sizes *sizes, prc_cone_newton_runs **out,
                                       prc_error *err) PRC_MUST_CHECK;
void prc_cone_newton_runs_free(prc_cone_newton_runs **g);
/* Takes the problem, scaled; PRC_NOMEM when a new pattern cannot be analysed. */
prc_status prc_cone_newton_runs_set(prc_cone_newton_runs *g, const prc_cone_problem *problem,
                                    const double *scale);
/* y = W' x */
void prc_cone_newton_runs_multiply(prc_cone_newton_runs *g, const double *x, double *y);
/* step: the solution of (A + B (W' + alpha)) step = -F. Returns 0 when it is singular. */
int prc_cone_newton_runs_step(prc_cone_newton_runs *g, const double *A, const double *B, double alpha,
                              const double *F, double *step);

#endif
