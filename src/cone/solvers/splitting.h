#ifndef PRC_CONE_SPLITTING_H
#define PRC_CONE_SPLITTING_H

#include "cone/solvers/method.h"

/* Parts shared by the methods that only multiply by W and project. They work in the problem's own variables
 * with one positive weight m_c per contact, the percussion a unit velocity of that contact is worth: steps
 * are p - rho m_c w_c, the norm of percussions is |p|^2 = sum |p_c|^2 / m_c, that of velocities sum m_c
 * |w_c|^2. It is the scaling p = m_c^1/2 p' without a copy of W; it leaves K and Phi as they are. */

/* m_c = dim / tr W_cc, or the mean of it over all contacts where that is not positive */
void prc_cone_weights(const prc_cone_problem *problem, double *m);
/* z = Phi(w); the two may be the same */
void prc_cone_phi(const prc_cone_problem *problem, const double *w, double *z);
/* next = proj_K(p - rho m z) */
void prc_cone_project_step(const prc_cone_problem *problem, const double *m, double rho, const double *p,
                           const double *z, double *next);
/* sum m_c^power (x_c - y_c) . (u_c - v_c); y and v may be NULL for zero */
double prc_cone_weighted_dot(const prc_cone_problem *problem, const double *m, int power, const double *x,
                             const double *y, const double *u, const double *v);
/* p solves the problem to the tolerance as far as |p - next| / rho tells, next = descend(p): time to ask
 * the measure. */
int prc_cone_is_nearly_solved(const prc_cone_problem *problem, const prc_cone_options *options,
                              const double *m, double rho, const double *p, const double *next);

#endif
