#ifndef PRC_CONE_NEWTON_WHOLE_H
#define PRC_CONE_NEWTON_WHOLE_H

#include "cone/solvers/method.h"

/* Newton's system for a problem in global form; see newton.h for the scaled variables, A, B and F. */
typedef struct prc_cone_newton_whole prc_cone_newton_whole;
prc_status prc_cone_newton_whole_create(const prc_cone_whole *problem, int dim, int n,
                                        prc_cone_newton_whole **out, prc_error *err) PRC_MUST_CHECK;
void prc_cone_newton_whole_free(prc_cone_newton_whole **g);
/* step: dp of the solution; 0 when the system is singular. */
int prc_cone_newton_whole_step(prc_cone_newton_whole *g, int dim, int n, const double *scale, const double *A,
                               const double *B, double alpha, const double *F, double *step);

#endif
