#ifndef PRC_CONE_METHOD_H
#define PRC_CONE_METHOD_H

#include "cone/cone.h"
#include "cone/problem/problem.h"
#include "cone/solvers/methods.h"

/* A method of solution: one file, and one row in methods.h. Its workspace is made once; solve takes p as a
 * start and leaves its last or best iterate there, and stops when prc_cone_reached says so, its budget is
 * spent or prc_cone_stopped. It allocates nothing but what prc_cone_solver_create_for names. */
typedef struct {
  prc_status (*create)(const prc_cone_sizes *sizes, void **work, prc_error *err);
  void (*solve)(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                prc_cone_info *info);
  void (*free)(void **work);
} prc_cone_method;

#define PRC_CONE_DECLARE(symbol, name, help, dims, needs, of_speed)                                          \
  extern const prc_cone_method prc_cone_##symbol;
PRC_CONE_METHODS(PRC_CONE_DECLARE, PRC_CONE_DECLARE)

/* The method of that name, when it can do problems of that dimension and storage of W. */
prc_status prc_cone_method_find(const char *name, const prc_cone_sizes *sizes, const prc_cone_method **out,
                                prc_error *err) PRC_MUST_CHECK;
int prc_cone_method_can(const prc_cone_method *method, const prc_cone_sizes *sizes);
/* Friction may depend on the speed. */
int prc_cone_method_can_speed(const prc_cone_method *method);

/* ---- what every method needs ---------------------------------------------------------------- */

/* The measure that the criterion judges, the larger where it judges both. */
double prc_cone_verdict(const prc_cone_options *options, const prc_cone_measure *error);
/* It is below the tolerance; stores both measures and who reached them in info. w: dim n, W p + b on
 * return. */
int prc_cone_reached(const prc_cone_problem *problem, const prc_cone_options *options, const char *name,
                     const double *p, double *w, prc_cone_info *info);
/* Rounding of W p + b against b; up to `little` a bound that costs less. */
double prc_cone_rounding(const prc_cone_problem *problem, const double *p, double little);
/* Counts the iterations since the last call as those of the named method. */
void prc_cone_count_iterations(prc_cone_info *info, const char *name);
/* The random numbers of a sweep, 0 for what comes before the first: a function of seed, step and sweep. */
prc_random prc_cone_random(const prc_cone_options *options, uint64_t sweep);
/* Percussions drawn in the cones, the normal ones up to `largest`. */
void prc_cone_draw(const prc_cone_problem *problem, double largest, prc_random *random, double *p);
/* Another place to start from: contacts that are open, stick or slip at random, percussions up to twice what stops |b|. */
void prc_cone_draw_start(prc_random *random, const prc_cone_problem *problem, double *p);
/* The caller wants the solve to end. */
int prc_cone_stopped(const prc_cone_options *options);

/* ---- methods in pieces, for auto ------------------------------------------------------------ */

/* Gauss-Seidel for at most n_sweeps sweeps. Returns 1 when the problem is solved. */
int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info);
/* The proximal-point Newton method: start copies the problem; run goes on from p until the problem is
 * solved (1), an inner iteration fails, the error no longer falls or the budget is spent, with the last
 * proximal point in p. */
prc_status prc_cone_prox_start(void *work, const prc_cone_problem *problem) PRC_MUST_CHECK;
int prc_cone_prox_run(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                      prc_cone_info *info);
/* As after start, which begins with this much regularisation, for a p from elsewhere. */
#define PRC_CONE_ALPHA_FIRST 1e-3
void prc_cone_prox_restart(void *work, double alpha);

/* The paths of lemke.c: start copies the problem; each call follows another path and returns 1 when it
 * ends at a solution or near one, in p. `fits` says whether the workspace has room for the problem. */
int prc_cone_lemke_fits(const void *work, const prc_cone_problem *problem);
void prc_cone_lemke_start(void *work, const prc_cone_problem *problem);
int prc_cone_lemke_path(void *work, const prc_cone_options *options, double *p, prc_cone_info *info);

/* At most n_steps steps of the active-set Newton method from the statuses of p and W p + b. Returns 1 when
 * reached. */
int prc_cone_active_steps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                          int n_steps, double *p, prc_cone_info *info);

#endif
