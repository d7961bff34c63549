#ifndef PRC_CONE_FCLIB_INTERNAL_H
#define PRC_CONE_FCLIB_INTERNAL_H

#include "base/hdf5.h"
#include "cone/fclib.h"

/* A by columns from `count` entries in any order; entries of the same place are summed in the order given.
 * The indices have been checked. The arrays of A are allocated. */
prc_status prc_fclib_matrix_set(prc_fclib_matrix *A, int n_rows, int n_cols, int count, const int *row,
                                const int *col, const double *x, prc_error *err) PRC_MUST_CHECK;
void prc_fclib_matrix_clear(prc_fclib_matrix *A);
/* y += a A x and y += a A' x */
void prc_fclib_matrix_multiply_add(const prc_fclib_matrix *A, double a, const double *x, double *y);
void prc_fclib_matrix_multiply_add_transposed(const prc_fclib_matrix *A, double a, const double *x,
                                              double *y);

/* prc_fclib_read in this process, whatever HDF5 makes of the file */
prc_status prc_fclib_read_here(const char *path, prc_fclib **out, prc_error *err) PRC_MUST_CHECK;

#endif
