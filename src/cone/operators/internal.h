#ifndef PRC_CONE_OPERATORS_INTERNAL_H
#define PRC_CONE_OPERATORS_INTERNAL_H

#include "cone/problem/problem.h"

/* Declarations shared by the storages. */

/* Sweeps of a storage that has `row` alone, and Newton's matrix assembled from rows. */
extern const prc_cone_sweeper prc_cone_sweeps_by_rows;
extern const prc_cone_algebra prc_cone_assembled;
/* Newton's systems for the velocities of bodies, and for velocities and percussions together. */
extern const prc_cone_algebra prc_cone_system_of_bodies, prc_cone_system_of_all;

/* The number of the block (row, column), -1 where there is none; by bisection, columns ascend. */
int prc_cone_find_block(const prc_cone_blocks *W, int row, int column);
/* v := G'p, 6 (n_runs + 1); w += G v */
void prc_cone_factors_pull(const prc_cone_factors *factors, int dim, int n, const double *p, double *v);
void prc_cone_factors_push(const prc_cone_factors *factors, int dim, int n, const double *v, double *w);
/* w += H' M^-1 H p of a problem in global form */
void prc_cone_whole_multiply(const prc_cone_whole *whole, int rows, const double *p, double *w);

/* A function whose argument dim is a constant where it is called, so that loops over it are written out. */
#define PRC_CONE_INLINE static inline __attribute__((always_inline))

#endif
