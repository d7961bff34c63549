#ifndef PRC_CONE_RUNS_H
#define PRC_CONE_RUNS_H

#include "cone/solvers/method.h"

/* Sweeps of Gauss-Seidel where W = G G': what contacts tell each other goes through v = G'p, the velocities of bodies in the scale of their
 * mass, so that a contact costs the same however many others its bodies have. */
typedef struct {
  double *v; /* 6 (n_runs + 1): G'p, carried along */
  double *diagonal,
      *inverse; /* dim^2 n_max: W_cc; its inverse, which is what a contact that sticks needs; zeros where it is thin */
} prc_cone_runs;

prc_status prc_cone_runs_create(const prc_cone_sizes *sizes, prc_cone_runs *g, prc_error *err) PRC_MUST_CHECK;
void prc_cone_runs_free(prc_cone_runs *g);
/* v of p, and W_cc */
void prc_cone_runs_begin(prc_cone_runs *g, const prc_cone_problem *problem, const double *p);
/* One sweep over the contacts listed; change += |change of p|^2 of their islands. */
void prc_cone_runs_sweep(prc_cone_runs *g, const prc_cone_problem *problem, int n, const int *list,
                         const int *island, double relaxation, double *p, double *change);

#endif
