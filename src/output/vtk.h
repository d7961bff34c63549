/* Interface of the module that calls libvtk (vtk.cc, the only C++ here): a table of C functions with opaque
 * frames.
 *
 * The module is loaded when the first field is written (module.c), so that what writes none starts without
 * VTK's libraries. It needs nothing of percuss: text goes out through a callback, and no exception comes out.
 * One thread at a time may use a frame; those of several frames wait for one another. */
#ifndef PRC_OUTPUT_VTK_H
#define PRC_OUTPUT_VTK_H

#include "output/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes n bytes of the file. Returns 0 if it could not: the rest is not wanted then. */
typedef int (*prc_vtk_put)(void *to, const void *bytes, size_t n);

/* Returns PRC_OK, PRC_NOMEM, or PRC_IO with VTK's message in `why`, which is empty if `put` failed. */
typedef struct {
  prc_status status;
  char why[256];
} prc_vtk_result;

typedef struct prc_vtk_frame prc_vtk_frame;

/* As prc_output_form has it, and the names of components, as prc_field_component gives them. */
typedef struct {
  int single, level;
  int (*component)(const char *name, int components, int k, char *text);
} prc_vtk_form;

typedef struct {
  const char *version;     /* percuss's, of which the module is a part */
  const char *vtk_version; /* that of the library it is linked with, 9.1.0 */

  /* As prc_output_frame_create: all that is given is copied. */
  prc_vtk_result (*create)(const prc_vtk_form *form, int n_points, const double *x, const prc_cells *cells,
                           int n_arrays, const prc_array *array, prc_vtk_frame **out);
  /* A file UnstructuredGrid: the frame with these arrays. The values are finite. */
  prc_vtk_result (*write)(prc_vtk_frame *frame, int n_point_arrays, const prc_array *point_array,
                          int n_cell_arrays, const prc_array *cell_array, prc_vtk_put put, void *to);
  void (*free)(prc_vtk_frame **frame);
  /* A file RectilinearGrid, n_x by n_y points. */
  prc_vtk_result (*grid)(const prc_vtk_form *form, int n_x, const double *x, int n_y, const double *y,
                         int n_arrays, const prc_array *array, prc_vtk_put put, void *to);
} prc_vtk;

/* The one name that the module exports, for dlsym: the address of a prc_vtk. */
#define PRC_VTK_SYMBOL "percuss_vtk"

#ifdef __cplusplus
}
#endif
#endif
