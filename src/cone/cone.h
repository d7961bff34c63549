/* cone: the second-order-cone complementarity problem of Coulomb friction, (91):
 *
 *   w = W p + b,   -Phi(w) in N_K(p),   Phi(w) = (w_N + mu |w_T|, w_T),   K = { |p_T| <= mu p_N }.
 *
 * A local vector is ordered normal first, (n, t) in 2D and (n, t1, t2) in 3D. The module knows neither time nor bodies. */
#ifndef PRC_CONE_H
#define PRC_CONE_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int dim;          /* 2 or 3 */
  int n;            /* contacts */
  const double *W;  /* (dim n) x (dim n), dense, by rows; it need not be symmetric */
  const double *b;  /* dim n */
  const double *mu; /* n, >= 0 */
} prc_cone_problem;

/* ---- the measure: no solver shares this code ----------------------------------------------------------------- */

/* x := the nearest point of { |x_T| <= mu x_N } */
void prc_cone_project(int dim, double mu, double *x);
/* |p - proj_K(p - rho Phi(w))|_2 over all contacts, w given */
double prc_cone_natural_map(const prc_cone_problem *problem, double rho, const double *p, const double *w);

typedef struct {
  double paper;  /* |p - proj_K(p - Phi(W p + b))| / (1 + |b|): the contract; depends on units */
  double scaled; /* |p - proj_K(p - rho Phi(W p + b))| / (rho |b|), rho = n_rows / tr W: free of units */
} prc_cone_measure;
/* w: workspace of dim n, holds W p + b on return */
prc_cone_measure prc_cone_error(const prc_cone_problem *problem, const double *p, double *w);

typedef enum { PRC_CONE_OPEN, PRC_CONE_STICK, PRC_CONE_SLIP } prc_cone_status;
/* what a percussion says of its contact: zero, inside the cone, on its edge (to a relative 1e-9) */
prc_cone_status prc_cone_status_of(int dim, double mu, const double *p);

/* ---- solvers: created once, solving at every step without allocation ------------------------------------------ */

typedef struct {
  double tolerance;   /* on both measures */
  int max_iterations; /* sweeps and Newton steps together; the budget is a count, never a time */
} prc_cone_options;
prc_cone_options prc_cone_options_default(void); /* 1e-10, 10000 */
prc_status prc_cone_options_check(const prc_cone_options *options, prc_error *err) PRC_MUST_CHECK;

typedef struct {
  int converged;  /* both measures are below the tolerance: recomputed from the data, nothing else counts */
  int iterations; /* sweeps and Newton steps together */
  int newton;     /* of which Newton steps */
  const char *finished; /* the solver that finished */
  prc_cone_measure error;
} prc_cone_info;

typedef struct prc_cone_solver prc_cone_solver;
/* `name`: "gauss-seidel", "active-set" (2D) or "auto"; for up to n_max contacts. Unknown names are refused. */
prc_status prc_cone_solver_create(const char *name, int dim, int n_max, const prc_cone_options *options,
                                  prc_cone_solver **out, prc_error *err) PRC_MUST_CHECK;
void prc_cone_solver_free(prc_cone_solver **solver);
/* p: warm start in, solution (or best iterate) out. Not reaching the tolerance is not an error status: info says so. */
prc_cone_info prc_cone_solve(prc_cone_solver *solver, const prc_cone_problem *problem, double *p);

#ifdef __cplusplus
}
#endif
#endif
