#ifndef PRC_LINEAR_SCHUR_H
#define PRC_LINEAR_SCHUR_H

#include "base/base.h"

/* A symmetric matrix of one pattern, positive semidefinite but for rounding, scaled to a unit diagonal: which of its rows are
 * independent, and L L' of those. Rows beyond them are dropped: their unknowns are zero and their equations are not solved. */
typedef struct {
  int n, n_islands;
  int *perm, *place; /* n: at place k stands row perm[k]; and back */
  int *island;       /* n_islands + 1: places of rows that know nothing of others stand together */
  int *diagonal;     /* n: of the row at place k, where its diagonal stands in the values */
  int *from_start, *from_place,
      *from_value; /* what stands before it: at which places, and where in the values */
  /* the rows of L: places ascending, and where in x; x by columns */
  int *row_start, *row_place, *row_at, *column_start, *column_place;
  double *x, *pivot;            /* pivot: n, L_kk */
  double *scale;                /* n: 1 / sqrt of the diagonal, by places */
  double *work, *rest, *sorted; /* n; zero between calls; of solve */
  char *dropped;                /* n, by places */
  double *dense;                /* of islands whose rank is doubtful */
  int *pivots;
  double *dense_work;
  size_t dense_room;
} prc_schur;

/* The pattern: row r has the columns column[start[r]] .. , ascending, the last is r itself. */
prc_status prc_schur_create(int n, const int *start, const int *column, prc_schur *schur,
                            prc_error *err) PRC_MUST_CHECK;
void prc_schur_free(prc_schur *schur);
/* Decides by these values which rows are dropped. It allocates where an island is doubtful and larger than those before. */
prc_status prc_schur_rank(prc_schur *schur, const double *values, prc_error *err) PRC_MUST_CHECK;
/* L of the rows that are kept. */
prc_status prc_schur_factor(prc_schur *schur, const double *values, prc_error *err) PRC_MUST_CHECK;
/* x := values^-1 x by rows; 0 in dropped ones */
void prc_schur_solve(const prc_schur *schur, double *x);
/* The same of an island alone, x by places, with a step of refinement: others are neither read nor written. */
void prc_schur_solve_island(const prc_schur *schur, const double *values, int island, double *x);
size_t prc_schur_bytes(const prc_schur *schur);

#endif
