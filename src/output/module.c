#include "config.h"
#include "output/vtk.h"
#include "output/writer.h"
#include "output/xml_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The writer that calls libvtk is a module, percuss-vtk.so, loaded where the first field is written: what
 * writes none starts without VTK's libraries. It is looked for in $PERCUSS_LIBDIR, beside the program (as it
 * is built) and its folder (a copy of what is installed), and where it is installed. */

#define MODULE "percuss-vtk.so"

static int is_there(char *path, size_t size, const char *folder, const char *below) {
  const int length = snprintf(path, size, "%s%s/" MODULE, folder, below);
  return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

static void find_module(char *path, size_t size) {
  const char *folder = getenv("PERCUSS_LIBDIR");
  char self[PATH_MAX];
  if (folder && is_there(path, size, folder, "")) return;
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    if (is_there(path, size, self, "") || is_there(path, size, self, "/../lib/percuss-" PACKAGE_VERSION))
      return;
  }
  (void)is_there(path, size, PRC_MODULEDIR, "");
}

/* The module stays loaded until the program ends, and the system counts it: there is nothing to remember
 * here. */
static prc_status load(const prc_vtk **out, prc_error *err) {
  char path[PATH_MAX + sizeof MODULE + 1];
  find_module(path, sizeof path);
  void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  const prc_vtk *vtk = module ? dlsym(module, PRC_VTK_SYMBOL) : NULL;
  if (!vtk)
    return prc_fail(err, PRC_IO,
                    "the writer 'vtk' of fields cannot be loaded: %s ('output.writer: own' does without VTK)",
                    dlerror());
  dlclose(module);
  if (strcmp(vtk->version, PACKAGE_VERSION) != 0)
    return prc_fail(err, PRC_IO, "%s is of percuss %s, expected that of " PACKAGE_VERSION, path,
                    vtk->version);
  *out = vtk;
  return PRC_OK;
}

static prc_status describe(char *text, size_t size, prc_error *err) {
  const prc_vtk *vtk;
  const prc_status status = load(&vtk, err);
  if (status == PRC_OK) snprintf(text, size, "VTK %s", vtk->vtk_version);
  return status;
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* three: vectors of two components get a third */
static prc_status check(int n, const prc_array *array, size_t tuples, int three, int single, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) {
    const prc_output_values values = prc_output_values_of(&array[k], tuples, three, single);
    double range[2];
    status = prc_output_values_check(&values, range, err);
  }
  return status;
}

static prc_status check_real(const char *name, int components, const double *value, int n, int single,
                             prc_error *err) {
  const prc_array array = {name, components, value, NULL};
  return check(1, &array, (size_t)n, 1, single, err);
}

/* ---- files --------------------------------------------------------------------------------------------- */

typedef struct {
  prc_output_part *file;
  prc_status status;
  prc_error *err;
} taker;

static int put(void *to, const void *bytes, size_t n) {
  taker *t = to;
  if (t->status == PRC_OK) t->status = prc_output_part_put(t->file, bytes, n, t->err);
  return t->status == PRC_OK;
}

static prc_status finish(const prc_vtk_result *result, prc_error *err) {
  if (result->status == PRC_NOMEM) return prc_fail(err, PRC_NOMEM, "out of memory in VTK");
  return prc_fail(err, result->status, "cannot be written by VTK: %s", result->why);
}

static prc_status finish_file(const prc_vtk_result *result, const taker *t, prc_error *err) {
  if (t->status != PRC_OK || result->status == PRC_OK) return t->status;
  const prc_status status = finish(result, err);
  prc_error_context(err, "%s", t->file->path);
  return status;
}

typedef struct {
  const prc_vtk *vtk;
  prc_vtk_frame *frame;
  size_t n_points, n_cells;
  int single;
} vtk_frame;

static prc_vtk_form form_of(const prc_output_form *form) {
  return (prc_vtk_form){form->single, form->level, prc_field_component};
}

static void free_frame(void **frame) {
  vtk_frame *f = *frame;
  if (f && f->frame) f->vtk->free(&f->frame);
  prc_delete(frame);
}

static prc_status create_frame(const prc_output_form *form, int n_points, const double *x,
                               const prc_cells *cells, int n_arrays, const prc_array *array, void **out,
                               prc_error *err) {
  prc_status status = PRC_OK;
  vtk_frame *f = NULL;
  const prc_vtk_form as = form_of(form);
  prc_try(prc_new(&f, 1, err));
  prc_try(load(&f->vtk, err));
  f->n_points = (size_t)n_points, f->n_cells = (size_t)cells->n, f->single = form->single;
  prc_try(check(n_arrays, array, f->n_points, 1, f->single, err));
  prc_try(check_real("Points", cells->in_space ? 3 : 2, x, n_points, f->single, err));
  const prc_vtk_result result = f->vtk->create(&as, n_points, x, cells, n_arrays, array, &f->frame);
  if (result.status != PRC_OK) prc_try(finish(&result, err));
  *out = f, f = NULL;
done:
  free_frame(&(void *){f});
  return status;
}

static prc_status write_frame(void *frame, prc_output_part *file, const prc_output_arrays *arrays,
                              prc_error *err) {
  prc_status status = PRC_OK;
  vtk_frame *f = frame;
  taker to = {file, PRC_OK, err};
  prc_try(check(arrays->n_points, arrays->point, f->n_points, 1, f->single, err));
  prc_try(check(arrays->n_cells, arrays->cell, f->n_cells, 0, f->single, err));
  const prc_vtk_result result =
      f->vtk->write(f->frame, arrays->n_points, arrays->point, arrays->n_cells, arrays->cell, put, &to);
  status = finish_file(&result, &to, err);
done:
  return status;
}

static prc_status write_grid(const prc_output_form *form, prc_output_part *file, int n_x, const double *x,
                             int n_y, const double *y, int n_arrays, const prc_array *array, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_vtk *vtk;
  taker to = {file, PRC_OK, err};
  const prc_vtk_form as = form_of(form);
  prc_try(load(&vtk, err));
  prc_try(check(n_arrays, array, (size_t)n_x * (size_t)n_y, 1, form->single, err));
  prc_try(check_real("x", 1, x, n_x, 0, err));
  prc_try(check_real("y", 1, y, n_y, 0, err));
  const prc_vtk_result result = vtk->grid(&as, n_x, x, n_y, y, n_arrays, array, put, &to);
  status = finish_file(&result, &to, err);
done:
  return status;
}

const prc_output_writer prc_output_writer_vtk = {"vtk",       describe,   create_frame,
                                                 write_frame, free_frame, write_grid};
