#ifndef PRC_CONE_INTERNAL_H
#define PRC_CONE_INTERNAL_H

#include "cone/cone.h"

/* A method of solution. Its workspace is made once for up to n_max contacts; solve allocates nothing, takes p as a start
 * and leaves its last iterate there, and stops when prc_cone_reached says so or its budget is spent. */
typedef struct {
  const char *name; /* as in case files and manifests */
  int in_2d, in_3d; /* the dimensions it can do */
  prc_status (*create)(int dim, int n_max, void **work, prc_error *err);
  void (*solve)(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                prc_cone_info *info);
  void (*free)(void **work);
} prc_cone_method;

extern const prc_cone_method prc_cone_gauss_seidel;
extern const prc_cone_method prc_cone_active_set;
extern const prc_cone_method prc_cone_auto;

/* Both measures are below the tolerance; stores them and who reached them in info. w: dim n, W p + b on return. */
int prc_cone_reached(const prc_cone_problem *problem, const prc_cone_options *options, const char *name,
                     const double *p, double *w, prc_cone_info *info);
/* n_rows / tr W, the percussion a unit velocity is worth; 1 when the trace is not positive */
double prc_cone_rho(const prc_cone_problem *problem);

/* Gauss-Seidel for at most n_sweeps sweeps; prc_cone_auto interleaves it with Newton steps. */
int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info);
/* At most n_steps steps of the active-set Newton method from the statuses of p and W p + b. Returns 1 when reached. */
int prc_cone_newton(void *work, const prc_cone_problem *problem, const prc_cone_options *options, int n_steps,
                    double *p, prc_cone_info *info);

#endif
