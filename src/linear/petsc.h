/* What the files of the row `petsc` share. */
#ifndef PRC_LINEAR_PETSC_H
#define PRC_LINEAR_PETSC_H

#include "linear/row.h"

#include <petscksp.h>

enum { PETSC_MOST_PRODUCTS = 20000 };
#define PETSC_SINGULAR 1e-4  /* of a known x, what is not found of one that is */
#define PETSC_STATIC   1e-13 /* of an equilibrium, whose plan has no tolerance */
#define PETSC_AGAIN    4.0   /* what the first solve may leave, and rounding, is no reason for a second */

#define PETSC_OUTSIDE                                                                                        \
  2.0 /* the norm by blocks of 2 is at most that of the diagonal times this, unless the two are nearly dependent (correlated by 3/4) */

typedef struct petsc_work petsc_work;

/* The near field of the touched unknowns, on rank 0: those so many layers around them that A^-1 is below rounding outside. Other ranks have what all must know. */
typedef struct {
  int n, *number; /* rank 0: its unknowns as PETSc counts them, ascending; else 0 */
  int n_place,
      *place; /* of each unknown here: where it is in the near field; the last, which nothing acts on, where it is not touched */
  prc_operator *op; /* rank 0: of n + 1 unknowns, whose last is alone */
  double *x;        /* n + 1 */
  double *diagonal; /* n: of A */
  int n_border,
      *border;       /* rank 0: of its unknowns those that A couples to others; none where it is the whole */
  double *before;    /* n_touched */
  prc_rows H;        /* a list of contacts in its numbers: dof is this one's, the rest is theirs */
  size_t room;       /* of H.dof */
  Vec values;        /* rank 0: n; else none */
  VecScatter to_all; /* values are added where they belong */
  int is_sparse, layers;
  size_t bytes, entries;
} prc_near;

/* Columns of prescribed unknowns. */
typedef struct {
  int n, *dof, *start, *row;
  double *value, *diagonal, *given; /* given: in the present step */
} prc_columns;

struct petsc_work {
  const prc_share *share;
  MPI_Comm comm;
  double tolerance, size, enough; /* of the right-hand side, and of the residual that is small enough */
  int first, n_own;               /* unknowns */
  int widest;                     /* the most entries of a row of A */
  int n_kept;                     /* unknowns that all ranks have, of rank 0; 0 where there is one rank */
  int n_touched, *touched;        /* ascending; all of them kept */
  Mat A;
  Vec x, b, Bb; /* the last: workspace */
  KSP ksp;
  Vec copies; /* of others' unknowns, behind own ones */
  VecScatter to_copies;
  prc_columns prescribed;
  double *inverse; /* n_own: of the diagonal */
  prc_near *near;  /* NULL: nothing is touched */
  int products, corrected,
      most_products; /* of the last step, before contacts and after them, and the most of both */
  long long products_sum, n_solved; /* of all steps, and these */
  int failed, is_static;
};

prc_status prc_petsc_failed(PetscErrorCode code, const char *what, prc_error *err);
/* In a function with status, err and a label done. */
#define prc_petsc(call)                                                                                      \
  do {                                                                                                       \
    const PetscErrorCode petsc_code = (call);                                                                \
    if (petsc_code) {                                                                                        \
      status = prc_petsc_failed(petsc_code, #call, err);                                                     \
      goto done;                                                                                             \
    }                                                                                                        \
  } while (0)

/* petsc_matrix.c: an unknown of this rank as PETSc counts them; A and the vectors; prescribed columns and the diagonal */
int prc_petsc_number(const prc_share *share, int dof);
prc_status prc_petsc_make_matrix(petsc_work *w, const prc_sym *A, const char *part,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_petsc_keep_prescribed(petsc_work *w, const prc_sym *A, const char *part,
                                     prc_error *err) PRC_MUST_CHECK;
/* near.c */
prc_status prc_near_create(petsc_work *w, const prc_log *log, prc_near **out, prc_error *err) PRC_MUST_CHECK;
void prc_near_free(prc_near **near);
/* Rank 0: A^-1 (scale H'p) in the near field; others do nothing. Returns a bound of what A makes of it outside, in the norm of the inverse of its diagonal: all that it
 * lacks. NaN where it fails, 0 on other ranks. */
double prc_near_solve(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                      const double *p);
void prc_near_spread(petsc_work *w); /* x += what prc_near_solve found */
void prc_near_condense_dense(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                             double *W);
prc_status prc_near_condense_blocks(petsc_work *w, const prc_rows *H, int n, const int *list, double scale,
                                    prc_block_matrix *W, prc_error *err) PRC_MUST_CHECK;

#endif
