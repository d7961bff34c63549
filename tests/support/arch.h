/* A semicircular arch of n equal straight voussoirs on fixed springings: limit analysis and motion. Radius of the centre line, density and
 * gravity are 1. */
#ifndef PRC_TESTS_ARCH_H
#define PRC_TESTS_ARCH_H

/* Whether forces at the corners of the joints, in their cones of friction, can be in equilibrium with the weights; the least thickness for which they
 * can. */
int arch_has_equilibrium(int n, double thickness, double friction);
double arch_limit(int n, double friction);
/* Whether no corner moves by more than 1e-3 within the time end. */
int arch_stands(int n, double thickness, double friction, double end);

#endif
