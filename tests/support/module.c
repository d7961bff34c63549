/* A module in the place of percuss-vtk.so whose calls fail: without memory if $PRC_MODULE is 'memory', else with words. A frame of
 * no points fails when it is made, others when they are written. */
#include "config.h"
#include "output/vtk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PRC_MODULE_VERSION
#define PRC_MODULE_VERSION PACKAGE_VERSION
#endif

struct prc_vtk_frame {
  int nothing;
};
static prc_vtk_frame only;

static prc_vtk_result fail(void) {
  const char *how = getenv("PRC_MODULE");
  prc_vtk_result result = {PRC_IO, ""};
  if (how && strcmp(how, "memory") == 0)
    result.status = PRC_NOMEM;
  else
    snprintf(result.why, sizeof result.why, "no good");
  return result;
}

static prc_vtk_result create(const prc_vtk_form *form, int n_points, const double *x, const prc_cells *cells,
                             int n_arrays, const prc_array *array, prc_vtk_frame **out) {
  (void)form, (void)x, (void)cells, (void)n_arrays, (void)array;
  if (n_points == 0) return fail();
  *out = &only;
  return (prc_vtk_result){PRC_OK, ""};
}

static prc_vtk_result some_and_fail(prc_vtk_put put, void *to) {
  put(to, "<?xml", 5);
  return fail();
}

static prc_vtk_result write_frame(prc_vtk_frame *frame, int n_point_arrays, const prc_array *point_array,
                                  int n_cell_arrays, const prc_array *cell_array, prc_vtk_put put, void *to) {
  (void)frame, (void)n_point_arrays, (void)point_array, (void)n_cell_arrays, (void)cell_array;
  return some_and_fail(put, to);
}

static void free_frame(prc_vtk_frame **frame) {
  *frame = NULL;
}

static prc_vtk_result grid(const prc_vtk_form *form, int n_x, const double *x, int n_y, const double *y,
                           int n_arrays, const prc_array *array, prc_vtk_put put, void *to) {
  (void)form, (void)n_x, (void)x, (void)n_y, (void)y, (void)n_arrays, (void)array;
  return some_and_fail(put, to);
}

extern const prc_vtk percuss_vtk;
const prc_vtk percuss_vtk = {PRC_MODULE_VERSION, "0.0.0", create, write_frame, free_frame, grid};
