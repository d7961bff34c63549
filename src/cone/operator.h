/* operator: W of a contact problem w = W p + b, whatever it is stored as.
 *
 * A storage is a row of functions, prc_cone_operator. The measure and the methods call these functions and nothing else. Four rows are in
 * cone/operators/operators.h. Each has its field in prc_cone_problem:
 *
 *   dense      W, (dim n)^2 numbers                           runs      factors: W = G G' of bodies, G = H M^-1/2
 *   blocks     blocks: sparse, by blocks of contacts          global    whole: W = H' M^-1 H, M factorised
 *
 * A storage of one's own is a fifth row:
 *
 *   static void multiply(const prc_cone_problem *problem, const double *p, double *w);    ... w += W p of problem->stored
 *   static const prc_cone_operator mine = {.name = "mine", .multiply = multiply, .block = block, .row = row, .forms = 1};
 *   const prc_cone_problem problem = {.dim = 3, .n = n, .b = b, .mu = mu, .storage = &mine, .stored = &W};
 *   status = prc_operator_check(&problem, W_dense, 1e-12, &err);                         ... in a test
 *   status = prc_cone_solver_create_for("gauss-seidel", &problem, &options, &solver, &err);
 *
 * Blocks are dim x dim, by rows. Velocities are in m/s (of a moment's row rad/s), percussions in N s (N m s), W in m/s per N s.
 * No function allocates, except the two that are called create. */
#ifndef PRC_CONE_OPERATOR_H
#define PRC_CONE_OPERATOR_H

#include "cone/cone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest sizes of a solver's problems. */
typedef struct {
  int dim, n_max;             /* contacts */
  int of_speed;               /* friction depends on the speed */
  const prc_cone_operator *W; /* the row */
  /* Result of `size`: the number of blocks that `row` gives, and of runs of six velocities (prc_runs); 0
   * without them. */
  size_t n_blocks;
  int n_runs;
  const void *owner; /* problems must have this owner, because work arrays are laid out for it; NULL: any */
} prc_cone_sizes;

/* Arguments of a sweep. */
typedef struct {
  int n;             /* contacts of the sweep */
  const int *list;   /* n: the contacts, in the order of the sweep */
  const int *island; /* of each contact of the problem: the entry of `change` that it adds to */
  double relaxation; /* in (0, 2); 1: none */
} prc_cone_sweep;

/* Gauss-Seidel: for each contact of the list, p_c := the solution of the problem of contact c alone, the other p given (prc_cone_local). */
typedef struct {
  prc_status (*create)(const prc_cone_sizes *sizes, void **work, prc_error *err);
  void (*free)(void **work);
  /* Before the first sweep from p. w: dim n. The caller keeps w for the sweeps and may set it to W p + b between two of them. */
  void (*begin)(void *work, const prc_cone_problem *problem, const double *p, double *w);
  /* p: in and out; change[island[c]] += |p_c after - p_c before|^2 */
  void (*sweep)(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                double *w, double *change);
} prc_cone_sweeper;

/* Newton's matrix, in variables scaled by s_c, one number a contact:
 *
 *   A + B (W' + alpha),   W' = S W S.
 *
 * A, B are blocks of contacts. A contact that is open has A = 1 and B = 0. */
typedef struct {
  int dim, n;
  const double *A, *B; /* dim^2 n */
  const char *open;    /* n */
  double alpha;
} prc_cone_jacobian;

typedef struct {
  prc_status (*create)(const prc_cone_sizes *sizes, void **work, prc_error *err);
  void (*free)(void **work);
  /* Takes W' of a problem, scale: n numbers s_c. PRC_NOMEM when a new pattern cannot be analysed. */
  prc_status (*set)(void *work, const prc_cone_problem *problem, const double *scale);
  /* y := W' x */
  void (*multiply)(void *work, const double *x, double *y);
  /* step := the solution of (A + B (W' + alpha)) step = -F. Returns 0 when the matrix is singular. */
  int (*step)(void *work, const prc_cone_jacobian *at, const double *F, double *step);
  /* The same matrix as in the last step, no contact open, and another F. NULL: step is called again. */
  int (*step_again)(void *work, const prc_cone_jacobian *at, const double *F, double *step);
  int inner_steps;    /* Newton steps for a proximal point at first (newton.c) */
  int first_equation; /* which of the equations of newton.c is tried first */
} prc_cone_algebra;

#define PRC_CONE_INNER_STEPS 10 /* for the member inner_steps: what W by rows takes */

/* Cost class of W. `auto` chooses its plan by it. */
typedef enum {
  PRC_CONE_COSTS_FULL,   /* a sweep n^2, a system n^3 */
  PRC_CONE_COSTS_BLOCKS, /* W has few blocks a row: a system costs some ten sweeps */
  PRC_CONE_COSTS_BODIES  /* systems are of bodies, not of contacts: one costs some thirty sweeps */
} prc_cone_cost;

/* Called with two contacts that W couples; with a block of a row of W, dim^2 numbers that are gone after the call. */
typedef void prc_cone_unite(int *parent, int c, int d);
typedef void prc_cone_take(void *taker, int column, const double *block);

struct prc_cone_operator {
  const char *name; /* as in "problems stored ..." of messages: "dense", "by blocks" */
  /* Refuses sizes, patterns and numbers that make no sense, with their place. NULL: nothing to refuse. */
  prc_status (*check)(const prc_cone_problem *problem, prc_error *err);
  /* The same of a pattern alone, W having no numbers yet: asked when a solver is made. NULL: nothing to refuse. */
  prc_status (*check_pattern)(const prc_cone_problem *problem, prc_error *err);
  /* Fills n_blocks, n_runs and owner. NULL: n^2 blocks where there is `row`, else none; no runs and any owner. */
  void (*size)(const prc_cone_problem *problem, prc_cone_sizes *sizes);

  /* w += W p, sums of a row in the order of its columns: the product of the measure */
  void (*multiply)(const prc_cone_problem *problem, const double *p, double *w);
  /* The same in any order of sums, as fast as it can be. NULL: multiply. */
  void (*multiply_fast)(const prc_cone_problem *problem, const double *p, double *w);
  /* w := W' p. NULL: W is symmetric, multiply. p and w are two arrays. */
  void (*multiply_transposed)(const prc_cone_problem *problem, const double *p, double *w);
  /* The diagonal block W_cc, and W_ii of row i (NULL: from block). */
  void (*block)(const prc_cone_problem *problem, int c, double *block);
  double (*diagonal)(const prc_cone_problem *problem, int i);
  int diagonal_is_scale; /* these two are no more than the size of W's */

  /* Block row c of W: take(taker, column, block) for each of its blocks, columns ascending, the diagonal block always among them.
   * NULL: W is known by products only. */
  void (*row)(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker);
  int forms; /* methods that factorise or eliminate with W itself may ask for all rows */
  /* W where it stands as a dense matrix. NULL: it does not. */
  const double *(*dense)(const prc_cone_problem *problem);
  /* max |W - W'| / max |W|. NULL: 0 */
  double (*asymmetry)(const prc_cone_problem *problem);
  /* unite(parent, c, d) for contacts that share an entry of W, enough of them for the islands of W. room: n_runs + 1 numbers.
   * NULL: all contacts are one island. */
  void (*couple)(const prc_cone_problem *problem, int *room, int *parent, prc_cone_unite *unite);

  const prc_cone_sweeper *sweeper; /* NULL: sweeps by `row`, or none */
  const prc_cone_algebra *algebra; /* NULL: where `forms`, the matrix is assembled from rows; else none */
  prc_cone_cost cost;
  /* Of a solution, what lies outside the cones by the error allowed is taken away (prc_cone_solve): for tolerances of the size of
   * percussions that count. */
  int ends_in_cones;
};

extern const prc_cone_operator prc_cone_dense, prc_cone_by_blocks, prc_cone_by_runs, prc_cone_global;

/* The row of a problem's W. */
const prc_cone_operator *prc_cone_operator_of(const prc_cone_problem *problem);
/* Has the row what a method of that ability needs? */
int prc_cone_can(const prc_cone_ability *ability, const prc_cone_operator *W);

/* The battery of a storage: all functions of the problem's row against the same W as a dense matrix, (dim n)^2 by rows. Refuses the first
 * difference above `tolerance` (such as 1e-12) of the largest |W_ij|, with the function and the place: products with unit vectors and with
 * random p, W' p, diagonal blocks, rows, islands, the change of sweeps and where they lead against Gauss-Seidel of the dense matrix in two
 * orders, Newton's steps by what they leave of their system. For whoever writes a storage; problem->friction must be NULL. */
prc_status prc_operator_check(const prc_cone_problem *problem, const double *W, double tolerance,
                              prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
