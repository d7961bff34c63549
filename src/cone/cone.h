/* cone: the second-order-cone complementarity problem of Coulomb friction, (91):
 *
 *   w = W p + b,   -Phi(w) in N_K(p),   Phi(w) = (w_N + mu |w_T|, w_T),   K = { |p_T| <= mu p_N }.
 *
 * A local vector is ordered normal first. Its dimension is 1 without friction, (n); 2 in the plane, (n,
 * t); 3 in space, (n, t1, t2); 4 in space with drilling, (n, t1, t2, r), |p_T| being the length of all
 * three. In dimension 1 mu is not used. The module knows neither time nor bodies.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_CONE_H
#define PRC_CONE_H

#include "base/base.h"
#include "linear/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef prc_blocks prc_cone_blocks; /* W sparse by blocks, of contacts */

/* A problem in global form, M v = H p + f, w = H' v + w_0: W = H' M^-1 H is applied, never formed, and
 * b = w_0 + H' M^-1 f. */
typedef struct {
  int n_velocities;
  int *M_start, *M_column; /* by rows */
  double *M;
  int *H_start, *H_row; /* n_velocities x dim n, by columns */
  double *H;
  /* what prc_cone_whole_prepare makes */
  struct prc_lu *M_lu;
  double *diagonal; /* dim n: that of H' D^-1 H, D the diagonal of M; it stands for the diagonal of W */
  double *v;        /* n_velocities, workspace of the product: one problem is for one thread */
} prc_cone_whole;

/* The largest coefficient of friction: beyond, mu p_N of a p_N that is rounding only would be a
 * percussion. What sticks whatever happens has any mu above that of the forces on it; a joint is no
 * contact. */
#define PRC_CONE_FRICTION_MOST 1e8

#define PRC_CONE_DIM_MOST 4

/* W = G G', as where contacts are between rigid bodies: W itself is never formed. */
#define PRC_CONE_RUN PRC_RUN
typedef prc_runs prc_cone_factors;

/* A storage of W: the functions that the measure and the methods call (cone/operator.h). */
typedef struct prc_cone_operator prc_cone_operator;

/* W is given in one of five ways: W, blocks, whole, factors (the others are NULL), or storage, whose functions may look at any field. */
typedef struct {
  int dim; /* 1 to PRC_CONE_DIM_MOST */
  int n;   /* contacts */
  /* (dim n) x (dim n), dense, by rows; it need not be symmetric. */
  const double *W;
  int symmetric;    /* a promise: W given dense equals its transpose to the last bit */
  const double *b;  /* dim n */
  const double *mu; /* n, from 0 to PRC_CONE_FRICTION_MOST */
  /* Friction that depends on the speed |w_T|: mu of contact c there, >= 0 and finite, and d mu / d speed (slope is never NULL). mu[c] is not used then
   * but to begin with. NULL: mu is all there is. For methods whose ability says so. One that does not fall makes solutions those of a monotone
   * law; where it falls, and both stick and slip are possible, it sticks. */
  double (*friction)(const void *owner, int c, double speed, double *slope);
  const void *friction_owner;
  const prc_cone_blocks *blocks;    /* W sparse by blocks */
  const prc_cone_whole *whole;      /* W = H' M^-1 H in global form */
  const prc_cone_factors *factors;  /* W = G G' */
  const prc_cone_operator *storage; /* a storage of one's own; NULL: that of the field that is given */
  const void *stored;               /* what its functions find W in */
  /* n_rows / tr W where it is known, 0: it is not, as in a problem that is stated. A solver keeps it here while it solves. */
  double rho;
} prc_cone_problem;

/* Refuses, with the place, sizes that make no sense, W and blocks both given or both missing, a pattern
 * out of order or without its diagonal, friction that is negative or above PRC_CONE_FRICTION_MOST, and
 * numbers that are not finite. */
prc_status prc_cone_problem_check(const prc_cone_problem *problem, prc_error *err) PRC_MUST_CHECK;
/* Factorises M, which with H has been filled in, for a problem of so many rows. */
prc_status prc_cone_whole_prepare(prc_cone_whole *whole, int rows, prc_error *err) PRC_MUST_CHECK;
void prc_cone_whole_free(prc_cone_whole **whole);
/* w = W p + b */
void prc_cone_velocity(const prc_cone_problem *problem, const double *p, double *w);
/* W_ii of a row; in global form what stands for it */
double prc_cone_diagonal(const prc_cone_problem *problem, int row);
/* max |W - W'| / max |W|, 0 for a symmetric matrix or one that is known by products only */
double prc_cone_asymmetry(const prc_cone_problem *problem);
/* sigma, dim n: the singular values of W, falling. Cubic in dim n and dense: for problems of some hundred
 * rows. */
prc_status prc_cone_singular_values(const prc_cone_problem *problem, double *sigma,
                                    prc_error *err) PRC_MUST_CHECK;
/* lambda, dim n: the eigenvalues of (W + W') / 2, rising; the first is negative when W is not
 * semi-definite. */
prc_status prc_cone_eigenvalues(const prc_cone_problem *problem, double *lambda,
                                prc_error *err) PRC_MUST_CHECK;

/* ---- the measure: its code is its own, but for W p + b --------------------- */

/* x := the nearest point of { |x_T| <= mu x_N } */
void prc_cone_project(int dim, double mu, double *x);
/* |p - proj_K(p - rho Phi(w))|_2 over all contacts, w given */
double prc_cone_natural_map(const prc_cone_problem *problem, double rho, const double *p, const double *w);
/* The same of normal law and friction taken apart, e_N = min(p_N, rho w_N), e_T = p_T - (the nearest of
 * p_T - rho w_T within mu p_N): at any mu, where the natural map loses u_N in u_N + mu |u_T| when mu is
 * large. */
double prc_cone_decoupled_map(const prc_cone_problem *problem, double rho, const double *p, const double *w);
/* Kind of measure: the natural map of contacts up to mu = 2, the decoupled one above. */
double prc_cone_residual(const prc_cone_problem *problem, double rho, const double *p, const double *w);
/* mu of each contact, and its speed (NULL: not asked): those of its law that are nearest to p and w = W p + b. A w that is the rest of much larger
 * velocities has a speed that is their rounding; this one has not. */
void prc_cone_friction_found(const prc_cone_problem *problem, const double *p, const double *w, double *mu,
                             double *speed);
/* n_rows / tr W, the percussion a unit velocity is worth; 1 when the trace is not positive */
double prc_cone_rho(const prc_cone_problem *problem);

typedef struct {
  double paper;  /* (residual of rho = 1) / (1 + |b|): the paper's up to mu = 2; depends on units */
  double scaled; /* (residual of rho = n_rows / tr W) / (rho |b|), over |p| where b = 0: free of units */
} prc_cone_measure;
/* w: workspace of dim n, holds W p + b on return */
prc_cone_measure prc_cone_error(const prc_cone_problem *problem, const double *p, double *w);

typedef enum { PRC_CONE_OPEN, PRC_CONE_STICK, PRC_CONE_SLIP } prc_cone_status;
/* what a percussion says of its contact: zero, inside the cone, on its edge (to a relative 1e-9), where it
 * is without friction */
prc_cone_status prc_cone_status_of(int dim, double mu, const double *p);

/* ---- solvers: created once, solving at every step without allocation ------------------------ */

/* Which measures the tolerance is for. The first two are of a p so small that rounding of W p + b does not
 * decide: eps |p| <= tolerance rho |b|. */
typedef enum {
  PRC_CONE_BOTH,
  PRC_CONE_SCALED, /* the one that is free of units, as inside a run */
  PRC_CONE_PAPER   /* the one that depends on units, as problem collections compare solvers */
} prc_cone_criterion;

/* Where forces are indeterminate the solution that is found depends on where the search begins and on the
 * order of contacts. Draws are functions of (seed, step, sweep) alone: the same give the same numbers. */
typedef enum {
  PRC_CONE_START_WARM, /* the p that is given */
  PRC_CONE_START_ZERO,
  PRC_CONE_START_RANDOM /* in the cones, up to twice the largest normal percussion of the p that is given;
                         * where that has none, up to twice what the largest |b_i| is worth */
} prc_cone_start;
typedef enum {
  PRC_CONE_ORDER_NATURAL, /* contacts as they are stored */
  PRC_CONE_ORDER_RANDOM   /* another one in each sweep */
} prc_cone_order;

typedef struct {
  double tolerance;   /* on the measures of the criterion */
  int max_iterations; /* sweeps, or as many products with W as sweeps; the budget is a count, never a time */
  prc_cone_criterion criterion;
  double relaxation; /* of Gauss-Seidel, in (0, 2) */
  /* of projected-gradient: a fixed step rho in place of Nesterov's, p := proj_K(p - rho Phi(W p + b)), which is the iteration of Uzawa that
   * Maury (2006) uses. Without friction it converges for 0 < rho < 2 / |W|, which where W = C M^-1 C' is at least 2 min m / |C'C|. 0: Nesterov's */
  double gradient_step;
  prc_cone_start start;
  prc_cone_order order; /* of the sweeps of Gauss-Seidel */
  uint64_t seed, step;  /* of what is drawn; the step: see prc_cone_solver_set_step */
  /* Asked after every sweep or Newton step; nonzero ends the solve with the best iterate. NULL inside a
   * run, which must not depend on the clock; `percuss cone --max-time` sets it. */
  int (*stop)(void *data);
  void *stop_data;
} prc_cone_options;
prc_cone_options prc_cone_options_default(void); /* 1e-10, 10000, both, 1, warm, natural, 0, 0 */
prc_status prc_cone_options_check(const prc_cone_options *options, prc_error *err) PRC_MUST_CHECK;

/* A method's share of a solve: auto has several. */
enum { PRC_CONE_STAGES = 10 };
typedef struct {
  const char *method;
  int iterations;
} prc_cone_stage;

typedef struct {
  int converged;        /* the criterion holds: recomputed from the data, nothing else counts */
  int infeasible;       /* certified: no p makes Phi(W p + b) lie in K* */
  int iterations;       /* sweeps and Newton steps together */
  int newton;           /* of which Newton steps: systems factored and solved */
  const char *finished; /* the solver that finished */
  /* the solver path: methods in the order of their first turns, and what each did in all turns */
  int n_stages;
  prc_cone_stage stages[PRC_CONE_STAGES];
  prc_cone_measure error;
  /* what the measure that is free of units was judged by: the tolerance; by the criterion PRC_CONE_SCALED at least four times what rounding of W p + b makes
   * of it, where that is up to 1e-6 */
  double bound;
  /* where it has not converged: what rounding of W p + b may make of the measure that is free of units. Of a p so large no tolerance
   * below that is reached. */
  double rounding;
} prc_cone_info;

/* Needs of a method from W, beside products and the diagonal. */
enum {
  PRC_CONE_SWEEPS = 1, /* sweeps of Gauss-Seidel */
  PRC_CONE_FORMED = 2, /* W itself, by rows */
  PRC_CONE_SYSTEMS = 4 /* Newton's systems */
};

/* Abilities of a method; the rows are those of solvers/methods.h. */
typedef struct {
  const char *name;
  const char *help; /* one line */
  unsigned dims;    /* 1 << d: problems of dimension d */
  unsigned needs;   /* PRC_CONE_SWEEPS, ...; prc_cone_can of cone/operator.h says which storages have them */
  int of_speed;     /* problems whose friction depends on the speed */
} prc_cone_ability;
const prc_cone_ability *prc_cone_abilities(int *count);

typedef struct prc_cone_solver prc_cone_solver;
/* `name`: one of prc_cone_abilities; unknown ones are refused. For dense problems of up to n_max contacts. */
prc_status prc_cone_solver_create(const char *name, int dim, int n_max, const prc_cone_options *options,
                                  prc_cone_solver **out, prc_error *err) PRC_MUST_CHECK;
/* For problems of this size and storage: as many contacts and, sparse, as many blocks. Allocations during
 * a solve are two, both for sparse problems: the order of elimination when the pattern is not that of the
 * last solve, and UMFPACK, which takes over where the factorisation by blocks fails. */
prc_status prc_cone_solver_create_for(const char *name, const prc_cone_problem *problem,
                                      const prc_cone_options *options, prc_cone_solver **out,
                                      prc_error *err) PRC_MUST_CHECK;
/* Makes room for larger problems (contacts, blocks) of the same dimension and storage, between solves;
 * nothing to do where there is room. What was asked for before stays, and so do the options; without
 * memory the solver is what it was. It then solves as one that was created for that size. */
prc_status prc_cone_solver_reserve(prc_cone_solver *solver, const prc_cone_problem *largest,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_cone_solver_free(prc_cone_solver **solver);
/* Random draws of the next solves are those of this step. */
/* Another tolerance from now on, in (0, 1). */
void prc_cone_solver_set_tolerance(prc_cone_solver *solver, double tolerance);
void prc_cone_solver_set_step(prc_cone_solver *solver, uint64_t step);
/* p: start in (see prc_cone_start), solution (or best iterate) out. Not reaching the tolerance is not an error status:
 * info says so. A problem that the solver was not created for, larger or stored otherwise, is left as it
 * is, with an infinite error. */
prc_cone_info prc_cone_solve(prc_cone_solver *solver, const prc_cone_problem *problem, double *p);

/* ---- exploration: how far is the solution from unique? (Moreau 2004) ------------------------ */

typedef struct {
  /* solves done, and those that reached the criterion: the others do not count below */
  int n_draws, n_solved;
  int n_distinct;     /* solutions that differ by more than `distinct` of the largest component of all */
  double distinct;    /* 1e-6 */
  double *p;          /* n_distinct solutions of dim n */
  double *low, *high; /* dim n: the bounding box of each contact's percussion */
} prc_cone_exploration;

/* Solves n_draws times: first from rest, then from percussions drawn in the cones, up to twice the largest
 * normal one found from rest, with the contacts in an order drawn anew. The same seed gives the same
 * solutions. Ends early, with what there is, when options->stop says so. */
prc_status prc_cone_explore(const prc_cone_problem *problem, const char *solver,
                            const prc_cone_options *options, int n_draws, uint64_t seed,
                            prc_cone_exploration **out, prc_error *err) PRC_MUST_CHECK;
void prc_cone_exploration_free(prc_cone_exploration **exploration);

#ifdef __cplusplus
}
#endif
#endif
