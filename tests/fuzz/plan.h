/* An HDF5 file as a table of what it holds. A valid table is changed by the fuzzer's bytes, one edit after the other, and the
 * file is made of what results: so the search stays near files that are read to their end. */
#ifndef PRC_TESTS_FUZZ_PLAN_H
#define PRC_TESTS_FUZZ_PLAN_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the fuzzer's bytes, taken from the front -------------------------------------------------------------- */

typedef struct {
  const uint8_t *at;
  size_t left;
} fuzz_bytes;
unsigned fuzz_byte(fuzz_bytes *from); /* 0 once none is left */
double fuzz_number(fuzz_bytes *from); /* a notorious one, or any eight bytes */

/* ---- the table --------------------------------------------------------------------------------------------- */

enum { FUZZ_ITEMS = 64, FUZZ_VALUES = 512, FUZZ_NAME = 96, FUZZ_FLIPS = 16 };

typedef enum { FUZZ_DATA, FUZZ_GROUP, FUZZ_HARD, FUZZ_SOFT, FUZZ_EXTERNAL, FUZZ_GONE, FUZZ_KINDS } fuzz_kind;

typedef struct {
  char name[FUZZ_NAME]; /* such as /fclib_local/W/x; the groups on its way are made */
  fuzz_kind kind;
  int target; /* of a link: the item whose name it has */
  unsigned type, layout;
  int rank; /* -1: the space that holds nothing */
  hsize_t extent[3], chunk;
  size_t n; /* values; written where the extents ask for no more */
  double value[FUZZ_VALUES];
} fuzz_item;

typedef struct {
  int n;
  fuzz_item item[FUZZ_ITEMS];
  unsigned version; /* the oldest format of HDF5 that may be used */
  int n_flips;      /* bytes of the finished file that are replaced */
  size_t flip_at[FUZZ_FLIPS];
  uint8_t flip_to[FUZZ_FLIPS];
  double cut; /* the part of it that is there */
} fuzz_plan;

typedef enum {
  FUZZ_REALS = 0,
  FUZZ_INTEGERS = 1,
  FUZZ_TEXT = 2
} fuzz_type; /* the first of the types an edit may give */

/* One more dataset of one dimension. */
void fuzz_plan_add(fuzz_plan *plan, const char *name, fuzz_type type, size_t n, const double *value);
/* Edits until the bytes end. */
void fuzz_plan_edit(fuzz_plan *plan, fuzz_bytes *from);
/* The file, allocated, with `room` more bytes behind it; NULL where HDF5 refuses to make one. */
char *fuzz_plan_image(const fuzz_plan *plan, size_t room, size_t *n);

#endif
