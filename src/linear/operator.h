/* operator: A^-1 as contacts need it. A is symmetric positive definite on the free unknowns. It knows neither time nor contact laws.
 * Vectors come and go in the system's order; permutations, tails and panels are secrets of the rows.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_LINEAR_OPERATOR_H
#define PRC_LINEAR_OPERATOR_H

#include "base/ranks.h"
#include "linear/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n blocks of `dim` rows: block k touches the unknowns dof[start[k]] .. dof[start[k+1]-1]; its numbers stand by rows at
 * x + dim * start[k]. */
typedef struct {
  int n, dim;
  int *start, *dof;
  double *x;
} prc_rows;
void prc_rows_multiply(const prc_rows *H, const double *x, double *u); /* u := H x */
/* y += s H'p of those listed (list NULL: the first n); p: dim per block of H, not packed */
void prc_rows_pull(const prc_rows *H, int n, const int *list, double s, const double *p, double *y);

/* Blocks that grow: zeros to begin with. */
typedef struct {
  prc_blocks blocks;
  int n_room, dim; /* rows of blocks that there is room for; the dim that `room` is for */
  size_t room;     /* blocks */
} prc_block_matrix;
void prc_block_matrix_free(prc_block_matrix *W); /* what it holds; it is zeros again */

/* Runs that grow: zeros to begin with. */
typedef struct {
  prc_runs runs;
  size_t contacts, numbers, velocities; /* that there is room for: contacts, of G, of v */
} prc_run_matrix;
void prc_run_matrix_free(prc_run_matrix *W); /* what it holds; it is zeros again */

typedef struct prc_operator prc_operator;
typedef struct {
  const char *
      part; /* n: 0 interior, 1 touched by contacts, 2 prescribed: its value is given in begin; used by create only */
  const prc_log *log; /* is told what takes time; NULL: nobody is */
  double tolerance;   /* of rows that iterate */
  int has_mass;       /* 0: rows that need inertia refuse (quasi-static) */
  int threads;        /* that may share the work */
  int may_change;     /* set will be called: A changes its values, never its pattern */
  int is_one_of_many; /* others will be made with other weights of mass and stiffness: auto takes none that may be slow with some */
  /* Of a matrix of the same pattern and parts: its order of elimination is taken, where it has one; NULL: none. Used by create only */
  const prc_operator *like;
  const prc_rows *
      joints; /* rows G with G x = g (dim 1, one per row, their pattern); their free unknowns are of part 1; NULL: none */
  const int
      *body; /* n: the rigid body whose velocity it is, ascending, at most six of each; NULL: not known */
  const prc_share *
      share; /* A is whole in own rows alone, and touched unknowns are here on all ranks; must outlive the operator; NULL: all is here */
  const double *mass; /* n: by which rows of joints are compared; NULL or not positive: the diagonal of A */
  prc_sym **
      given; /* A, if it is given away: freed as soon as the operator has its own, before it is factorised; NULL: it is not */
} prc_operator_plan;

typedef struct {
  const char *name, *ordering; /* direct, iterative, umfpack, diagonal; how the unknowns were ordered */
  size_t entries, bytes;       /* of its factors, made or only counted; of all that it keeps */
  double weakest_pivot;        /* rounding (n epsilon or less) where A is singular */
  int shared, n_touched;       /* threads share the work; unknowns that contacts touch and that are free */
  int products; /* of a trial of the iteration; of rows that ranks share: the most in a step so far; 0: there was none */
  long long products_sum,
      n_solved; /* of rows that ranks share: in all steps so far, after contacts too, and these steps */
  double traffic_factor, traffic_iteration; /* bytes a step; 0: not counted */
} prc_operator_facts;

/* name: a row, or "auto", which takes the cheapest that can do it. PRC_INPUT for an unknown name (names listed in the message).
 * A is not used after the call. */
prc_status prc_operator_create(const char *name, const prc_sym *A, const prc_operator_plan *plan,
                               prc_operator **out, prc_error *err) PRC_MUST_CHECK;
void prc_operator_free(prc_operator **op);
/* New values, same pattern. Where it fails nothing but free, or another set, may follow. */
prc_status prc_operator_set(prc_operator *op, const prc_sym *A, prc_error *err) PRC_MUST_CHECK;
/* x in: a right-hand side on free rows, the given values on prescribed rows (whose columns of A it takes to the right-hand side itself;
 * a zero value costs nothing). guess: near x, may be NULL. x out: on touched rows A^-1 b without forces of contacts, on prescribed rows
 * as given; interior rows are not defined before finish. */
prc_status prc_operator_begin(prc_operator *op, const double *guess, double *x,
                              prc_error *err) PRC_MUST_CHECK;
/* Does W by blocks pay: is A^-1 between touched unknowns sparse? A matter of A alone. */
int prc_operator_is_sparse(const prc_operator *op);
/* W := scale H A^-1 H' of the listed blocks of H, packed in the order of the list (NULL: the first n): dense by rows, exactly
 * symmetric ... H touches unknowns of part 1, and of part 2, which W knows nothing of. */
void prc_operator_condense_dense(prc_operator *op, const prc_rows *H, int n, const int *list, double scale,
                                 double *W);
/* ... or by blocks of dim x dim, ascending columns, every diagonal block there; W grows where its room does not suffice, else nothing
 * is allocated */
prc_status prc_operator_condense_blocks(prc_operator *op, const prc_rows *H, int n, const int *list,
                                        double scale, prc_block_matrix *W, prc_error *err) PRC_MUST_CHECK;
/* Can it give W as G G'? With a diagonal A whose bodies are known, and without joints. */
int prc_operator_has_runs(const prc_operator *op);
/* G of the listed blocks of H, each of two bodies at most; grows as blocks do. */
prc_status prc_operator_condense_runs(prc_operator *op, const prc_rows *H, int n, const int *list,
                                      double scale, prc_run_matrix *W, prc_error *err) PRC_MUST_CHECK;
/* x := A^-1 (b + scale H'p) over all rows, after begin; p: dim per block of H, not packed; only blocks listed have forces. n = 0: none */
void prc_operator_finish(prc_operator *op, const prc_rows *H, int n, const int *list, double scale,
                         const double *p, double *x);
prc_operator_facts prc_operator_get_facts(const prc_operator *op);

/* With joints, x is that of  A x = b + scale H'p + G'l,  G x = g: begin, condense and finish go by it, W has the joints eliminated (once they have values). Rows that
 * depend on others are dropped, l = 0 there, and must agree with them. */
/* New values of G, after create and whenever they or those of A have changed. It finds which rows depend on others, ... */
prc_status prc_operator_set_joints(prc_operator *op, const prc_rows *G, prc_error *err) PRC_MUST_CHECK;
/* ... alone, and A may be another since ... */
prc_status prc_operator_rank_joints(prc_operator *op, const prc_rows *G, prc_error *err) PRC_MUST_CHECK;
/* ... or not at all, where G has moved by so little that the same rows depend on others: within a step that iterates, whose states are
 * near those that joints allow, and at which rows that depend on others do so only nearly. */
prc_status prc_operator_turn_joints(prc_operator *op, const prc_rows *G, prc_error *err) PRC_MUST_CHECK;
/* From the next turn on it is G_lead x = g that begins solve, with forces G'l as before: Newton's method where secants G are what forces need, and G_lead is the derivative of what
 * they hold. Values on the pattern of G; NULL: G itself again. Dense over the rows that are kept, and for steps in which nothing touches: condense and finish know nothing of it. */
prc_status prc_operator_lead_joints(prc_operator *op, const double *lead, prc_error *err) PRC_MUST_CHECK;
/* g of the next begins; NULL: zero. */
void prc_operator_aim_joints(prc_operator *op, const double *g);
/* Rows agree where they differ by 1e-9 of what cancels in them, or of this: as in corrections that go to zero, where rounding of what is
 * corrected is left. 0 in the beginning. */
void prc_operator_size_joints(prc_operator *op, double least);
/* l of the last finish. */
void prc_operator_joint_forces(const prc_operator *op, double *l);
/* The row that begin found to contradict the others (it failed with PRC_INPUT then), and by how much it misses g; -1: none. */
int prc_operator_contradiction(const prc_operator *op, double *by);
/* Coefficients of a dependent row of G in the others, in units of its length; n numbers. Zeros for an
 * independent row. */
void prc_operator_dependence(prc_operator *op, int row, double *share);

/* ---- the product with another matrix of the same unknowns ------------------------------------------------------------- */

/* y = K x for a symmetric matrix, many times. */
typedef struct prc_product prc_product;
/* op: the operator that it stands beside, which may be one that shares nothing with panels; NULL: none. Neither K nor op is used
 * after the call. */
prc_status prc_product_create(const prc_sym *K, const prc_operator *op, prc_product **out,
                              prc_error *err) PRC_MUST_CHECK;
void prc_product_free(prc_product **product);
void prc_product_multiply(const prc_product *product, const double *x, double *y); /* y := K x */
size_t prc_product_bytes(const prc_product *product);

#ifdef __cplusplus
}
#endif
#endif
