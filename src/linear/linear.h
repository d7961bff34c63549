/* linear: sparse symmetric matrices, the factorisation of a time step, orderings. It knows neither meshes nor contact.
 *
 * A symmetric matrix is kept as its lower triangle by columns. For the two operations of every step, the product with
 * K and the substitutions with the factor of Mhat, triangles are repacked into *panels*: groups of up to PRC_PANEL_MAX
 * neighbouring columns that share their rows, stored row by row, so that one index serves a whole row of numbers.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_LINEAR_H
#define PRC_LINEAR_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symmetric sparse matrices ----------------------------------------------------------------------------- */

typedef struct {
  int n;
  int *p;    /* n + 1: column j is i[p[j]] .. i[p[j+1]-1] */
  int *i;    /* rows, ascending; the first of each column is the diagonal, which is always there */
  double *x; /* values */
} prc_sym;   /* the lower triangle, by columns */

prc_status prc_sym_create(int n, int nnz, prc_sym **out, prc_error *err) PRC_MUST_CHECK;
void prc_sym_free(prc_sym **A);
/* Refuses the first entry that makes A no such triangle, by its place (rows and columns count from 0): p that does not rise from 0,
 * a column that does not begin with its diagonal, rows that are not ascending, stand twice or are beyond n, a value that is not
 * finite. name: what it is in messages. Whoever takes a matrix from outside asks once: one pass over it. */
prc_status prc_sym_check(const prc_sym *A, const char *name, prc_error *err) PRC_MUST_CHECK;
int prc_sym_nnz(const prc_sym *A);                                       /* entries of the triangle */
void prc_sym_multiply(const prc_sym *A, const double *x, double *y);     /* y = A x */
double prc_sym_form(const prc_sym *A, const double *x, const double *y); /* x' A y */
/* C = a A + b B on the union of the patterns; B may be NULL */
prc_status prc_sym_add(double a, const prc_sym *A, double b, const prc_sym *B, prc_sym **out,
                       prc_error *err) PRC_MUST_CHECK;
/* C = P A P': C(k, l) = A(perm[k], perm[l]) over the first n_keep entries of perm */
prc_status prc_sym_permute(const prc_sym *A, const int *perm, int n_keep, prc_sym **out,
                           prc_error *err) PRC_MUST_CHECK;

/* A matrix of dim x dim blocks: row c has the blocks row_start[c] .. row_start[c+1]-1, the k-th in the columns of block column[k]. */
typedef struct {
  int *row_start; /* n + 1, row_start[0] = 0 */
  int *column;    /* ascending in each row; every diagonal block is stored, be it zero */
  double *values; /* dim * dim per block, by rows */
} prc_blocks;

/* G of W = G G' where contacts are between bodies of six velocities or fewer, G = H M^-1/2 with a diagonal M: the velocities of a body are a run of
 * six. */
#define PRC_RUN 6
typedef struct {
  int n_runs;
  int *
      run; /* 2 n: those that a contact touches; n_runs: it has no second, or no first, and G is zero there */
  double *G; /* by contacts, and by rows of each: 6 numbers for either run. Zeros where a body has fewer */
  double *v; /* 6 (n_runs + 1), workspace of the product: one problem is for one thread */
} prc_runs;

/* ---- orderings --------------------------------------------------------------------------------------------- */

/* An elimination order of A that reduces fill and puts its unknowns in three parts one after the other: part[i] is
 * 0 (interior), 1 (in the tail: contact) or 2 (not eliminated: prescribed). perm[k] is the index in A of the k-th.
 * Tries METIS, AMD and constrained CAMD and keeps the one with the sparsest factor. METIS works in a process of its own. */
prc_status prc_order(const prc_sym *A, const int *part, int *perm, const char **method,
                     prc_error *err) PRC_MUST_CHECK;

void prc_order_parts(int n, const int *part, int *perm); /* the parts alone, in each as it stands */

/* ---- panels ------------------------------------------------------------------------------------------------ */

typedef struct prc_panels prc_panels; /* a lower triangle in panels */
prc_status prc_panels_create(const prc_sym *lower, prc_panels **out, prc_error *err) PRC_MUST_CHECK;
void prc_panels_free(prc_panels **A);
size_t prc_panels_bytes(const prc_panels *A);
/* y = A x for the symmetric matrix of which these panels are the lower triangle */
void prc_panels_multiply(const prc_panels *A, const double *x, double *y);

/* ---- the factor of a symmetric positive definite matrix, with a tail ---------------------------------------- */

/* A = L L', of which the last n_tail unknowns are kept apart: with S = L_tt L_tt' the condensed matrix,
 *
 *   forward:  x := what stands in the system after elimination of the leading unknowns: x_lead = L_ll^-1 x_lead and
 *             x_tail -= L_tl x_lead, the condensed right-hand side;
 *   (tail):   the caller solves S x_tail = r_tail, for which prc_factor_tail() is S^-1;
 *   backward: given x_tail, x_lead := L_ll^-T (x_lead - L_tl' x_tail). */
typedef struct prc_factor prc_factor;
prc_status prc_factor_create(const prc_sym *A, int n_tail, prc_factor **out, prc_error *err) PRC_MUST_CHECK;
void prc_factor_free(prc_factor **L);
/* From now on so many threads share the substitutions, if the order of elimination is a postorder. The number decides about rounding, nothing else. */
prc_status prc_factor_share(prc_factor *L, int threads, prc_error *err) PRC_MUST_CHECK;
void prc_factor_forward(const prc_factor *L, double *x);
void prc_factor_backward(const prc_factor *L, double *x);
size_t prc_factor_nnz(const prc_factor *L);
size_t prc_factor_bytes(const prc_factor *L);
/* The smallest L_jj^2 / A_jj, in (0, 1]: 1 for a diagonal matrix, rounding (n epsilon or less) for one that is singular. */
double prc_factor_weakest_pivot(const prc_factor *L);
void prc_factor_solve(prc_factor *L, double *x); /* all three together, x := A^-1 x */

/* S^-1, symmetric; sparse where it falls off so fast that most of its entries are below rounding. */
typedef struct prc_tail prc_tail;
const prc_tail *prc_factor_tail(const prc_factor *L);
int prc_tail_is_sparse(const prc_tail *tail);
size_t prc_tail_entries(const prc_tail *tail);                             /* kept */
void prc_tail_multiply(const prc_tail *tail, const double *x, double *y);  /* y = S^-1 x */
void prc_tail_add_row(const prc_tail *tail, int row, double a, double *y); /* y += a times that row */
void prc_tail_mark_row(const prc_tail *tail, int row,
                       double *mark); /* mark := 1 where that row has entries */

/* Entries of the factor that prc_factor_create would make. */
prc_status prc_factor_count(const prc_sym *A, double *entries, prc_error *err) PRC_MUST_CHECK;

/* ---- the same without a factor, where A^-1 falls off fast --------------------------------------------------------- */

/* A x = b by conjugate gradients, for a matrix whose inverse is below rounding some layers of its graph away from the tail:
 *
 *   solve:   x := A^-1 x from a guess, to |r| <= tolerance |b| in the norm of 1 / diag(A);
 *   (tail):  S^-1 as above, of the near field;
 *   spread:  x += A^-1 (0, S kick), the effect of what adds `kick` to the tail. */
typedef struct prc_iteration prc_iteration;
/* share: the most of all unknowns that the near field may have, 1 for all of them; *out is NULL where it would need more. */
prc_status prc_iteration_create(const prc_sym *A, int n_tail, double tolerance, double share,
                                prc_iteration **out, prc_error *err) PRC_MUST_CHECK;
void prc_iteration_free(prc_iteration **it);
int prc_iteration_solve(prc_iteration *it, const double *guess,
                        double *x); /* products with A; -1: not reached */
/* The products that a rough x takes, from zero. */
prc_status prc_iteration_trial(prc_iteration *it, int *products, prc_error *err) PRC_MUST_CHECK;
const prc_tail *prc_iteration_tail(const prc_iteration *it);
void prc_iteration_spread(prc_iteration *it, const double *kick, double *x);
size_t prc_iteration_bytes(const prc_iteration *it);
double prc_iteration_traffic(const prc_iteration *it,
                             int products); /* bytes read and written by a solve of so many */

/* ---- the factors of a general sparse matrix ------------------------------------------------------------------ */

/* L and U by UMFPACK: A need be neither symmetric nor definite. It allocates in create and factor and nowhere else. */
typedef struct {
  int n_max; /* the largest matrix that there will be */
  int symmetric; /* the pattern is, or nearly, and pivots on the diagonal will mostly do: sparser factors; 0: UMFPACK looks */
  int refine; /* steps of iterative refinement in a solve, each a product and a solve more; 0: what rounding leaves */
} prc_lu_options;
typedef struct prc_lu prc_lu;
prc_status prc_lu_create(const prc_lu_options *options, prc_lu **out, prc_error *err) PRC_MUST_CHECK;
void prc_lu_free(prc_lu **lu);
/* A by rows: row r is i[p[r]] .. i[p[r+1]-1], ascending; who has columns solves the transposed system. With refinement it is kept by
 * reference until the last solve. same_pattern: p and i have not changed since the last call. PRC_SINGULAR if a pivot is zero,
 * PRC_NOMEM when memory runs out; there is nothing to solve with then. Columns may be of any scale, rows should be of one. */
prc_status prc_lu_factor(prc_lu *lu, int n, const int *p, const int *i, const double *x, int same_pattern);
void prc_lu_solve(prc_lu *lu, double *x);            /* x := A^-1 x */
void prc_lu_solve_transposed(prc_lu *lu, double *x); /* x := A^-T x */
/* The smallest |U_kk| of A with its rows divided by their sums of magnitudes: rounding (n epsilon or less) where A is singular. */
double prc_lu_weakest_pivot(const prc_lu *lu);
size_t prc_lu_entries(const prc_lu *lu); /* of L and U */
size_t prc_lu_bytes(const prc_lu *lu);

/* The same for a matrix of dim x dim blocks (dim 1 to 4, and 6), with pivots inside diagonal blocks only: fast where these
 * dominate or A is nearly definite; the caller checks the residual. */
typedef struct prc_block_lu prc_block_lu;
prc_status prc_block_lu_create(int dim, prc_block_lu **out, prc_error *err) PRC_MUST_CHECK;
void prc_block_lu_free(prc_block_lu **lu);
/* Orders and allocates, unless the pattern is that of the last call. Columns ascend, diagonals are there. */
prc_status prc_block_lu_analyze(prc_block_lu *lu, int n, const int *row_start, const int *column,
                                prc_error *err) PRC_MUST_CHECK;
/* From the next pattern on: one whose factorisation takes more products of blocks gets no memory for numbers, and is not factorised. */
void prc_block_lu_limit(prc_block_lu *lu, double most);
/* A: dim * dim numbers per block, by rows. PRC_SINGULAR when a diagonal block of U is, PRC_NOMEM beyond the limit. */
prc_status prc_block_lu_factor(prc_block_lu *lu, const double *A);
void prc_block_lu_solve(prc_block_lu *lu, double *x); /* x := A^-1 x */

/* ---- dense ------------------------------------------------------------------------------------------------- */

/* Has the lower triangle of A, rows of `stride`, a factor of Cholesky's? For a few rows; it is overwritten. */
int prc_dense_is_definite(int n, int stride, double *A);
/* y += a A x for a dense row-major n_rows x n_cols matrix */
void prc_dense_multiply_add(int n_rows, int n_cols, double a, const double *A, const double *x, double *y);
/* Solves A x = b in place (A, pivots overwritten, row-major; x: b in, solution out). PRC_SINGULAR if A is. */
prc_status prc_dense_solve(int n, double *A, int *pivots, double *x);
/* Name of the BLAS, "OpenBLAS 0.3.21 Haswell", with the kernel that it chose for this processor. Two different
 * ones round differently. "unknown": the BLAS does not say. */
enum { PRC_DENSE_KERNEL = 96 };
void prc_dense_kernel(char text[PRC_DENSE_KERNEL]);
/* One BLAS thread: reproducible, and as fast as two here. Called by whoever owns the process. */
void prc_dense_single_thread(void);
/* The same, and the library has what memory it needs, or PRC_NOMEM; to be called when a program begins. */
prc_status prc_dense_begin(prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
