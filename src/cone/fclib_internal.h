#ifndef PRC_CONE_FCLIB_INTERNAL_H
#define PRC_CONE_FCLIB_INTERNAL_H

#include "cone/fclib.h"

#include <hdf5.h>

/* HDF5 prints its error stack unless told not to; the caller's setting is put back. */
typedef struct {
  H5E_auto2_t print;
  void *to;
} prc_hdf5_voice;
prc_hdf5_voice prc_hdf5_hush(void);
void prc_hdf5_restore(prc_hdf5_voice before);
/* HDF5's innermost sentence about the call that just failed */
typedef struct {
  char text[256];
} prc_hdf5_reason;
prc_hdf5_reason prc_hdf5_last_reason(void);

/* A by columns from `count` entries in any order; entries of the same place are summed in the order given. The indices
 * have been checked. The arrays of A are allocated. */
prc_status prc_fclib_matrix_set(prc_fclib_matrix *A, int n_rows, int n_cols, int count, const int *row,
                                const int *col, const double *x, prc_error *err) PRC_MUST_CHECK;
void prc_fclib_matrix_clear(prc_fclib_matrix *A);
/* y += a A x and y += a A' x */
void prc_fclib_matrix_multiply_add(const prc_fclib_matrix *A, double a, const double *x, double *y);
void prc_fclib_matrix_multiply_add_transposed(const prc_fclib_matrix *A, double a, const double *x,
                                              double *y);

/* prc_fclib_read in this process, whatever HDF5 makes of the file */
prc_status prc_fclib_read_here(const char *path, prc_fclib **out, prc_error *err) PRC_MUST_CHECK;

void prc_fclib_factor_free(void **factor);

#endif
