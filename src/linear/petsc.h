/* Declarations shared by the files of the operator `petsc`. */
#ifndef PRC_LINEAR_PETSC_H
#define PRC_LINEAR_PETSC_H

#include "linear/internal.h"
#include "linear/row.h"

#include <petscksp.h>

enum { PETSC_MOST_PRODUCTS = 20000 };
#define PETSC_SINGULAR 1e-4  /* of a known x, what is not found of one that is */
#define PETSC_STATIC   1e-13 /* of an equilibrium, whose plan has no tolerance */
#define PETSC_AGAIN    4.0   /* what the first solve may leave, and rounding, is no reason for a second */

#define PETSC_OUTSIDE                                                                                        \
  2.0 /* the norm by blocks of 2 is at most that of the diagonal times this, unless the two are nearly dependent (correlated by 3/4) */

typedef struct petsc_work petsc_work;

/* The near field of some touched unknowns that are close together: those so many layers around them that A^-1 is below rounding outside, and A factored there. */
typedef struct {
  int n, n_tail; /* unknowns; the last of them are touched, by this group or another */
  int *number;   /* n: as PETSc counts them, in the order of elimination */
  int *touched;  /* n_tail: which of the touched, from 0 */
  char *is_own;  /* n_tail: each touched unknown is one group's */
  prc_factor *L;
  double *diagonal;      /* n: of A */
  double *x;             /* n: lent by the near field */
  int n_border, *border; /* those that A couples to others; none where it is the whole */
} prc_near_group;

/* The near field of all that is touched, in groups that ranks share; and S^-1, A^-1 among the touched, on all ranks with the same bits. */
typedef struct {
  prc_frame frame; /* of touched unknowns alone, as this rank counts them */
  prc_tail *tail;  /* S^-1 */
  int n_groups;    /* this rank's */
  prc_near_group *group;
  double *x;         /* of all of its groups, one after the other */
  Vec values;        /* the same */
  VecScatter to_all; /* values are added where they belong */
  int layers;
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
/* A^-1 frame.pull in this rank's part of the near field. Returns a bound of what A makes of it outside, in the norm of the inverse of its diagonal: all that it lacks. */
double prc_near_solve(petsc_work *w);
void prc_near_spread(petsc_work *w); /* x += what prc_near_solve found, on all ranks */
/* near_groups.c: touched unknowns in groups of at most so many nodes that are close together, cut in halves across their larger extent. group[k]: of the k-th touched; the
 * same on all ranks. */
prc_status prc_near_divide(const petsc_work *w, int most, int *group, int *n_groups,
                           prc_error *err) PRC_MUST_CHECK;
/* near_tail.c: S^-1 from the groups of all ranks */
prc_status prc_near_join(const petsc_work *w, prc_near *near, prc_error *err) PRC_MUST_CHECK;

#endif
