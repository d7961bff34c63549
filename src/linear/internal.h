#ifndef PRC_LINEAR_INTERNAL_H
#define PRC_LINEAR_INTERNAL_H

#include "linear/linear.h"

#include <suitesparse/cholmod.h>

/* A CHOLMOD session that prints nothing. */
void prc_cholmod_begin(cholmod_common *common);
/* A as a matrix, and its last n_tail unknowns, of which it has as many. */
prc_status prc_check_tail(const prc_sym *A, int n_tail, prc_error *err) PRC_MUST_CHECK;
/* The same matrix as CHOLMOD sees it, sharing the arrays; stype -1: the lower triangle is stored. */
cholmod_sparse prc_cholmod_view(const prc_sym *A);
prc_status prc_cholmod_failed(const cholmod_common *common, const char *doing, prc_error *err);

/* Nested dissections of a graph of n_unknowns, *count of them, none where it is too small: order[][k] is its k-th vertex. */
enum { PRC_DISSECTIONS = 3 };
prc_status prc_dissect(const prc_sym *graph, int n_unknowns, int *order[PRC_DISSECTIONS], int *count,
                       prc_error *err) PRC_MUST_CHECK;

/* T, by rows, holds the lower triangle of L; T := (L L')^-1, full. */
prc_status prc_dense_invert_factored(int n, double *T, prc_error *err) PRC_MUST_CHECK;

/* Column j of a factor from its diagonal on. super: 0 before the first of columns that are asked for in ascending order. */
typedef struct {
  int count;
  const int *row;
  const double *x;
} prc_factor_column;
prc_factor_column prc_column_of_factor(const cholmod_factor *L, int j, size_t *super);

/* From so many unknowns on S^-1 is sparse, if it has no more than this share of all entries. */
#define PRC_TAIL_SPARSE_FROM  128
#define PRC_TAIL_SPARSE_SHARE 0.25
/* S^-1 as tail.c keeps it: from a factor whose last n unknowns are the tail; of no unknowns; and from S^-1 itself, dense or by
 * rows, which they take over. A dense one that is there is filled anew. */
prc_status prc_tail_of_factor(const cholmod_factor *L, int n, prc_tail **out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_tail_of_nothing(prc_tail **out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_tail_of_inverse(int n, double **T, prc_tail **out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_tail_of_rows(int n, size_t **start, int **column, double **value, prc_tail **out,
                            prc_error *err) PRC_MUST_CHECK;
/* inverse.c: the same, never dense; *out stays NULL where it would have more than `most` entries. */
prc_status prc_tail_try_sparse(const cholmod_factor *L, int n, size_t most, prc_tail **out,
                               prc_error *err) PRC_MUST_CHECK;
/* From its columns, which solve writes one by one: S^-1 dense or not as above, symmetric to the last bit. least: S^-1_rr is at least the
 * square of that. */
typedef void (*prc_tail_solve)(void *of, int column, double *x);
prc_status prc_tail_of_columns(int n, const double *least, prc_tail_solve solve, void *of, prc_tail **out,
                               prc_error *err) PRC_MUST_CHECK;
prc_status prc_tail_try_columns(int n, const double *least, prc_tail_solve solve, void *of, size_t most,
                                prc_tail **out, prc_error *err) PRC_MUST_CHECK;
/* n x n zeros, or a message that says what for. */
prc_status prc_tail_room(int n, double **T, prc_error *err) PRC_MUST_CHECK;
void prc_tail_free(prc_tail **tail);
/* The columns of the entries of that row, NULL where all are there: 0 .. count-1; and y := 0 in them. */
const int *prc_tail_columns(const prc_tail *tail, int row, int *count);
void prc_tail_clear_row(const prc_tail *tail, int row, double *y);
size_t prc_tail_bytes(const prc_tail *tail);

/* A lower triangle in panels. Panel k holds the columns first[k] .. first[k+1]-1 (its width w, at most PRC_PANEL_MAX): first
 * a dense w x w triangle by rows at x[start[k]] (upper part zero), then the rows below it, w numbers each, for the below[k] row
 * indices from row[row_start[k]] on. Panels whose columns share their rows share a list. */
#define PRC_PANEL_MAX 4
struct prc_panels {
  int n, n_panels;
  int *first;     /* n_panels + 1 */
  int *row_start; /* n_panels */
  int *below;     /* n_panels */
  int *row;       /* rows below the triangles */
  size_t *start;  /* n_panels + 1 */
  double *x;
  size_t n_borrowed[2]; /* where row and x came from CHOLMOD and go back to it: their items */
};
/* kernel(width, ...) with a width that the compiler knows: its loops unroll. */
#define PRC_PANEL_OF(width, kernel, ...)                                                                     \
  switch (width) {                                                                                           \
  case 1:                                                                                                    \
    kernel(1, __VA_ARGS__);                                                                                  \
    break;                                                                                                   \
  case 2:                                                                                                    \
    kernel(2, __VA_ARGS__);                                                                                  \
    break;                                                                                                   \
  case 3:                                                                                                    \
    kernel(3, __VA_ARGS__);                                                                                  \
    break;                                                                                                   \
  default:                                                                                                   \
    kernel(4, __VA_ARGS__);                                                                                  \
  }
prc_status prc_panels_allocate(prc_panels *A,
                               prc_error *err) PRC_MUST_CHECK; /* all but row and x, for its n_panels */
/* Other numbers in the pattern that was packed. */
void prc_panels_refill(prc_panels *A, const int *p, const int *i, const double *x);
/* Packs the columns 0 .. n_columns-1 of a lower triangle given by columns (rows ascending, the diagonal first). */
prc_status prc_panels_pack(int n, int n_columns, const int *p, const int *i, const double *x,
                           prc_panels **out, prc_error *err) PRC_MUST_CHECK;

/* supernodes.c, of a supernodal factor L: the smallest L_jj^2 / A_jj; and its leading columns as panels in the memory of L, which is left without its numbers. That memory goes back to CHOLMOD. */
double prc_supernodes_weakest_pivot(const cholmod_factor *L, const prc_sym *A);
prc_status prc_panels_from_supernodes(cholmod_factor *L, int n_lead, cholmod_common *common, prc_panels **out,
                                      prc_error *err) PRC_MUST_CHECK;
void prc_supernodes_give_back(prc_panels *A);
/* L has its memory again, of so many entries of s and of x, for other numbers; the panels are left without. Where that much cannot be had
 * all stays as it is. */
void prc_supernodes_return(prc_panels *A, cholmod_factor *L, const size_t size[2], cholmod_common *common);

/* A factor that may get other numbers in the same pattern (keep: it is ready for that), and these. Where they fail there is nothing to
 * solve with, until others do. */
prc_status prc_factor_make(const prc_sym *A, int n_tail, int keep, prc_factor **out,
                           prc_error *err) PRC_MUST_CHECK;
prc_status prc_factor_set(prc_factor *F, const prc_sym *A, prc_error *err) PRC_MUST_CHECK;
int prc_factor_is_shared(const prc_factor *L);

/* substitution.c: panels from .. to-1 of a factor. Rows of panel k from inside[k] on are changed in `far`; NULL: there are none. */
void prc_panels_forward(const prc_panels *A, int from, int to, const int *inside, double *x, double *far);
void prc_panels_backward(const prc_panels *A, int from, int to, double *x);

/* forest.c: the panels of a factor shared by threads; *out stays NULL where they are in no postorder. */
typedef struct prc_forest prc_forest;
prc_status prc_forest_create(const prc_panels *A, int n_lead, int threads, prc_forest **out,
                             prc_error *err) PRC_MUST_CHECK;
void prc_forest_free(prc_forest **forest);
void prc_forest_forward(const prc_forest *forest, const prc_panels *A, double *x);
void prc_forest_backward(const prc_forest *forest, const prc_panels *A, double *x);

#endif
