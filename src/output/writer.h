/* One kind of writer of fields is one row of the table in writers.h: these functions. */
#ifndef PRC_OUTPUT_WRITER_H
#define PRC_OUTPUT_WRITER_H

#include "output/internal.h"
#include "output/output.h"
#include "output/writers.h"

typedef struct {
  int n_points, n_cells; /* arrays on each */
  const prc_array *point, *cell;
} prc_output_arrays;

struct prc_output_writer {
  const char *name; /* as output.writer has it */
  /* Can it write? Says in a few words which it is, for people; room for `size` characters. */
  prc_status (*describe)(char *text, size_t size, prc_error *err);
  /* The functions below return PRC_DIVERGED for a value that is not finite, with the array's name and the
   * place. The file stays open. */
  prc_status (*create)(const prc_output_form *form, int n_points, const double *x, const prc_cells *cells,
                       int n_arrays, const prc_array *array, void **frame, prc_error *err);
  prc_status (*write)(void *frame, prc_output_part *file, const prc_output_arrays *arrays, prc_error *err);
  void (*free)(void **frame); /* NULL is fine */
  prc_status (*grid)(const prc_output_form *form, prc_output_part *file, int n_x, const double *x, int n_y,
                     const double *y, int n_arrays, const prc_array *array, prc_error *err);
};

/* vtk is module.c, libvtk's; own is fields.c */
#define PRC_OUTPUT_DECLARE(symbol, name) extern const prc_output_writer prc_output_writer_##symbol;
PRC_OUTPUT_WRITERS(PRC_OUTPUT_DECLARE, PRC_OUTPUT_DECLARE)

#endif
