#ifndef PRC_CONE_NEWTON_H
#define PRC_CONE_NEWTON_H

#include "cone/solvers/method.h"

/* The parts of the proximal-point Newton method, see newton.c.
 *
 * Contacts are scaled by s_c = W_NN^-1/2: p = S p', W' = S W S, b' = S b leave K and Phi as they are and
 * make the normal diagonal of W' one, so that no parameter of the method has a unit. Everything below is
 * in these variables. */
typedef struct {
  int dim, n;
  double *b, *scale;            /* dim n; n */
  const double *mu;             /* of the problem */
  const prc_cone_problem *rubs; /* the problem, where friction depends on the speed; else NULL */

  double rho;    /* of the equation: the percussion that a unit velocity is compared with */
  int natural;   /* the natural map instead of the function of Alart and Curnier */
  double *A, *B; /* dim^2 per contact: dF = A dp + B dw */
  char *open;    /* n: F = p there, A = 1 and B = 0 */

  const prc_cone_algebra *algebra; /* W' and the solution of A + B (W' + alpha), by the row of W */
  void *work;
} prc_cone_system;

prc_status prc_cone_system_create(const prc_cone_sizes *sizes, prc_cone_system *g,
                                  prc_error *err) PRC_MUST_CHECK;
void prc_cone_system_free(prc_cone_system *g);
/* Scales the problem; PRC_NOMEM when a new pattern cannot be analysed. */
prc_status prc_cone_system_set(prc_cone_system *g, const prc_cone_problem *problem);
/* y = W' x */
void prc_cone_system_multiply(const prc_cone_system *g, const double *x, double *y);
/* F(p, w); returns |F|^2 */
double prc_cone_system_residual(const prc_cone_system *g, const double *p, const double *w, double *F);
/* A, B and open at (p, w) */
void prc_cone_system_derive(prc_cone_system *g, const double *p, const double *w);
/* step: the solution of (A + B (W' + alpha)) step = -F. Returns 0 when it is singular. */
int prc_cone_system_step(prc_cone_system *g, double alpha, const double *F, double *step);
/* The same matrix, none of whose contacts is open, and another F: a sparse one is not factored again. */
int prc_cone_system_step_again(prc_cone_system *g, double alpha, const double *F, double *step);

#endif
