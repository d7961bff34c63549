#ifndef PRC_OUTPUT_STORE_INTERNAL_H
#define PRC_OUTPUT_STORE_INTERNAL_H

#include "base/hdf5.h"
#include "output/internal.h"
#include "output/output.h"

/* An array as it was read. */
typedef struct {
  char *name;
  int is_row; /* of floating-point numbers; else n is 0 */
  size_t n;
  double *value; /* n */
} prc_store_array;

struct prc_output_store {
  prc_output_place place;
  char *older; /* its name in the same folder, or NULL */
  hid_t file;  /* being written; < 0: not open */
  int writing;
  int failed; /* a put failed: what we have is not a checkpoint */
  size_t n_arrays, capacity;
  prc_store_array *array; /* what was read */
};

prc_status prc_store_new(const prc_folder *in, const char *name, prc_output_store **out,
                         prc_error *err) PRC_MUST_CHECK;
void prc_store_free(prc_output_store **store);

/* The last 16 bytes of a file: these 8, and a checksum of all bytes before them, the lowest byte first. */
#define PRC_STORE_MARK "percussH"
enum { PRC_STORE_TRAILER = 16 };
void prc_store_checksum(const char *image, size_t n, char trailer[PRC_STORE_TRAILER]);

#endif
