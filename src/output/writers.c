#include "config.h"
#include "output/output.h"
#include "output/writer.h"

/* Which writer makes a file, and what is the same for all of them: a file is complete or not there. */

#define ROW(symbol, name) &prc_output_writer_##symbol,
#ifdef HAVE_VTK
#define VTK ROW
#else
#define VTK(symbol, name)
#endif
static const prc_output_writer *const writers[] = {PRC_OUTPUT_WRITERS(VTK, ROW)};
#undef VTK
#undef ROW
enum { N_WRITERS = sizeof writers / sizeof *writers };

const prc_output_writer *prc_output_writer_find(const char *name) {
  if (strcmp(name, "auto") == 0) return writers[0];
  for (int k = 0; k < N_WRITERS; k++)
    if (strcmp(name, writers[k]->name) == 0) return writers[k];
  return NULL;
}

const prc_output_writer *prc_output_writer_at(int k) {
  return k >= 0 && k < N_WRITERS ? writers[k] : NULL;
}

const char *prc_output_writer_name(const prc_output_writer *writer) {
  return writer->name;
}

prc_status prc_output_writer_describe(const prc_output_writer *writer, char *text, size_t size,
                                      prc_error *err) {
  return writer->describe(text, size, err);
}

/* Ends the file, or drops it if anything failed. */
static prc_status finish(prc_status status, prc_output_part *file, prc_error *err) {
  if (status == PRC_OK) return prc_output_part_commit(file, 0, err);
  if (status == PRC_DIVERGED) prc_error_context(err, "%s", file->path);
  prc_output_part_discard(file);
  return status;
}

/* ---- meshes -------------------------------------------------------------------------------------------- */

struct prc_output_frame {
  const prc_output_writer *writer;
  void *made; /* the writer's */
};

static const prc_output_form plain = {0, 0};

prc_status prc_output_frame_create(const prc_output_writer *writer, const prc_output_form *form, int n_points,
                                   const double *x, const prc_cells *cells, int n_arrays,
                                   const prc_array *array, prc_output_frame **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_frame *f = NULL;
  prc_try(prc_new(&f, 1, err));
  f->writer = writer;
  prc_try(writer->create(form ? form : &plain, n_points, x, cells, n_arrays, array, &f->made, err));
  *out = f, f = NULL;
done:
  prc_output_frame_free(&f);
  return status;
}

void prc_output_frame_free(prc_output_frame **frame) {
  if (!*frame) return;
  (*frame)->writer->free(&(*frame)->made);
  prc_delete(frame);
}

prc_status prc_output_frame_write(prc_output_frame *f, const prc_folder *in, const char *name,
                                  int n_point_arrays, const prc_array *point_array, int n_cell_arrays,
                                  const prc_array *cell_array, prc_error *err) {
  const prc_output_arrays arrays = {n_point_arrays, n_cell_arrays, point_array, cell_array};
  prc_output_part file;
  const prc_status status = prc_output_part_open(&file, in, name, err);
  if (status != PRC_OK) return status;
  return finish(f->writer->write(f->made, &file, &arrays, err), &file, err);
}

prc_status prc_output_vtu(const prc_output_writer *writer, const prc_output_form *form, const prc_folder *in,
                          const char *name, int n_points, const double *x, const prc_cells *cells,
                          int n_point_arrays, const prc_array *point_array, int n_cell_arrays,
                          const prc_array *cell_array, prc_error *err) {
  prc_output_frame *frame = NULL;
  prc_status status = prc_output_frame_create(writer, form, n_points, x, cells, 0, NULL, &frame, err);
  if (status == PRC_OK)
    status =
        prc_output_frame_write(frame, in, name, n_point_arrays, point_array, n_cell_arrays, cell_array, err);
  else
    prc_error_context(err, "%s", name);
  prc_output_frame_free(&frame);
  return status;
}

/* ---- grids --------------------------------------------------------------------------------------------- */

prc_status prc_output_vtr(const prc_output_writer *writer, const prc_output_form *form, const prc_folder *in,
                          const char *name, int n_x, const double *x, int n_y, const double *y, int n_arrays,
                          const prc_array *array, prc_error *err) {
  prc_output_part file;
  const prc_status status = prc_output_part_open(&file, in, name, err);
  if (status != PRC_OK) return status;
  return finish(writer->grid(form ? form : &plain, &file, n_x, x, n_y, y, n_arrays, array, err), &file, err);
}
