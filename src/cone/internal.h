#ifndef PRC_CONE_INTERNAL_H
#define PRC_CONE_INTERNAL_H

#include "cone/cone.h"

/* A method of solution. Its workspace is made once for up to n_max contacts; solve allocates nothing, takes p as a start
 * and leaves its last iterate there, and stops when prc_cone_reached says so or its budget is spent. */
typedef struct {
  int dim, n_max;              /* contacts */
  size_t n_blocks;             /* blocks of W, at most; n_max^2 for dense problems */
  int sparse;                  /* W comes by blocks */
  const prc_cone_whole *whole; /* the problem in global form, or NULL */
} prc_cone_sizes;

typedef struct {
  const char *name; /* as in case files and manifests */
  int in_2d, in_3d; /* the dimensions it can do */
  int whole;        /* and problems in global form */
  prc_status (*create)(const prc_cone_sizes *sizes, void **work, prc_error *err);
  void (*solve)(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                prc_cone_info *info);
  void (*free)(void **work);
} prc_cone_method;

extern const prc_cone_method prc_cone_gauss_seidel;
extern const prc_cone_method prc_cone_newton;
extern const prc_cone_method prc_cone_active_set;
extern const prc_cone_method prc_cone_extragradient;
extern const prc_cone_method prc_cone_projected_gradient;
extern const prc_cone_method prc_cone_admm;
extern const prc_cone_method prc_cone_interior_point;
extern const prc_cone_method prc_cone_lemke;
extern const prc_cone_method prc_cone_auto;

/* The pattern of W by blocks alone: it may have no values yet. */
prc_status prc_cone_check_pattern(const prc_cone_problem *problem, prc_error *err) PRC_MUST_CHECK;
/* The friction up to which the natural map is measured and iterated with; above, u_N would be lost in u_N + mu |u_T|. */
#define PRC_CONE_COUPLED_MOST 2.0
/* The measure that the criterion judges, the larger where it judges both. */
double prc_cone_verdict(const prc_cone_options *options, const prc_cone_measure *error);
/* It is below the tolerance; stores both measures and who reached them in info. w: dim n, W p + b on return. */
int prc_cone_reached(const prc_cone_problem *problem, const prc_cone_options *options, const char *name,
                     const double *p, double *w, prc_cone_info *info);
/* Books the iterations not yet booked as those of the named method. */
void prc_cone_book(prc_cone_info *info, const char *name);
/* |x|_2, also where squares would overflow or vanish */
double prc_cone_norm(int n, const double *x);
/* w = W p and w = H' v of a problem in global form */
void prc_cone_whole_multiply(const prc_cone_whole *whole, int rows, const double *p, double *w);
void prc_cone_whole_velocities(const prc_cone_whole *whole, int rows, const double *v, double *w);
/* W, given dense or by blocks, as a dense matrix: (dim n)^2 numbers */
void prc_cone_copy_dense(const prc_cone_problem *problem, double *W);

/* Gauss-Seidel for at most n_sweeps sweeps; prc_cone_auto interleaves it with Newton steps. */
int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info);
/* The proximal-point Newton method in pieces, for prc_cone_auto: start copies the problem; run goes on from p until the
 * problem is solved (1) or an inner iteration fails, with the last proximal point in p. */
prc_status prc_cone_prox_start(void *work, const prc_cone_problem *problem) PRC_MUST_CHECK;
int prc_cone_prox_run(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                      prc_cone_info *info);
/* As after start, which begins with this much regularisation, for a p from elsewhere. */
#define PRC_CONE_ALPHA_FIRST 1e-3
void prc_cone_prox_restart(void *work, double alpha);
/* The caller wants the solve to end. */
int prc_cone_stopped(const prc_cone_options *options);

/* Whether y, the positive normal parts of p, proves that no percussion makes every w_N >= 0: for p' in K, y . w_N = y . b_N
 * + (W' y) . p', whose first term is negative and whose second is not positive, or so little that p' would have to be
 * 1e11 times what b and W suggest: there is no solution that rounding would let anyone see. v: dim n. */
int prc_cone_infeasible(const prc_cone_problem *problem, const double *p, double *v);

/* The problem of a single contact in 3D, w = W p + q, W by rows; in 2D see local_2d.h. p: a guess of the direction of slip
 * in, the exact solution out; where there is none (wedged contact), the slip of largest speed, or zero. */
void prc_cone_local_3d(const double W[9], const double q[3], double mu, double p[3]);

/* The paths of lemke.c, for problems that its workspace has room for: start copies the problem; each call follows another path, one in
 * four from `near` unless that is NULL, and returns 1
 * when it ends at a solution or near one, in p. */
int prc_cone_lemke_fits(const void *work, const prc_cone_problem *problem);
void prc_cone_lemke_start(void *work, const prc_cone_problem *problem);
int prc_cone_lemke_path(void *work, const prc_cone_options *options, const double *near, double *p,
                        prc_cone_info *info);

/* At most n_steps steps of the active-set Newton method from the statuses of p and W p + b. Returns 1 when reached. */
int prc_cone_active_steps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                          int n_steps, double *p, prc_cone_info *info);

#endif
