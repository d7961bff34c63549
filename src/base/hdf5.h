/* HDF5 without messages of its own, and the reason of a failure as text. */
#ifndef PRC_BASE_HDF5_H
#define PRC_BASE_HDF5_H

#include <hdf5.h>

/* HDF5 prints its error stack unless told not to; the caller's setting is put back. */
typedef struct {
  H5E_auto2_t print;
  void *to;
} prc_hdf5_error_handler;
prc_hdf5_error_handler prc_hdf5_errors_off(void);
void prc_hdf5_errors_restore(prc_hdf5_error_handler before);

/* HDF5's innermost sentence about the call that just failed. */
typedef struct {
  char text[256];
} prc_hdf5_reason;
prc_hdf5_reason prc_hdf5_last_reason(void);

/* Are the values of a dataset in other files (external storage, virtual datasets)? Such a file reads what it
 * pleases. */
int prc_hdf5_is_external(hid_t data);

#endif
