#include "config.h"
#include "output/output.h"
#include "output/writer.h"
#include "output/xml_internal.h"

#include <assert.h>
#include <stdio.h>

/* Files of VTK's XML formats, written without VTK. Arrays are always inline: a recent expat makes ParaView
 * 5.11 refuse the appended section. */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_NAME "BigEndian"
#else
#define BYTE_ORDER_NAME "LittleEndian"
#endif

static void put_file_head(prc_output_xml *xml, const char *kind) {
  prc_output_xml_put(xml, "<?xml version=\"1.0\"?>\n<VTKFile type=\"");
  prc_output_xml_put(xml, kind);
  prc_output_xml_put(xml, "\" version=\"0.1\" byte_order=\"" BYTE_ORDER_NAME "\" header_type=\"UInt32\"");
  prc_output_xml_put(xml, xml->form.level > 0 ? " compressor=\"vtkZLibDataCompressor\">\n" : ">\n");
}

/* three: vectors of two components get a third */
static void put(prc_output_xml *xml, const prc_array *a, size_t tuples, int three) {
  const prc_output_values values = prc_output_values_of(a, tuples, three, xml->form.single);
  prc_output_xml_put_values(xml, &values);
}

static void put_real(prc_output_xml *xml, const char *name, int components, const double *value,
                     size_t tuples) {
  const prc_array array = {.name = name, .components = components, .real = value};
  put(xml, &array, tuples, 1);
}

static void put_arrays(prc_output_xml *xml, int n, const prc_array *array, size_t tuples, int three) {
  for (int k = 0; k < n; k++) put(xml, &array[k], tuples, three);
}

/* ---- meshes -------------------------------------------------------------------------------------------- */

typedef struct {
  size_t n_points, n_cells;
  prc_output_form form;
  prc_bytes arrays, end; /* the constant arrays on points; all behind the arrays on cells */
  char *text;            /* PRC_OUTPUT_XML_ROOM */
} own_frame;

static void put_cells(prc_output_xml *xml, const prc_cells *cells, const int *offset,
                      const unsigned char *type) {
  const size_t n = (size_t)cells->n;
  const prc_array connectivity = {"connectivity", 1, NULL, cells->node},
                  offsets = {"offsets", 1, NULL, offset};
  prc_output_values types = {"types", "UInt8", 1, 1, n, type, 0, 0};
  prc_output_xml_put(xml, "      <Cells>\n");
  put(xml, &connectivity, n > 0 ? (size_t)offset[n - 1] : 0, 0);
  put(xml, &offsets, n, 0);
  prc_output_xml_put_values(xml, &types);
  prc_output_xml_put(xml, "      </Cells>\n");
}

/* VTK's offsets are the ends of the cells. */
static prc_status encode_cells(prc_output_xml *xml, const prc_cells *cells, prc_error *err) {
  enum { LINE = 3, TRIANGLE = 5 };
  prc_status status = PRC_OK;
  int *offset = NULL;
  unsigned char *type = NULL;
  prc_try(prc_new(&offset, cells->n, err));
  prc_try(prc_new(&type, cells->n, err));
  for (int c = 0; c < cells->n; c++) {
    offset[c] = cells->width > 0 ? (c + 1) * cells->width : cells->start[c + 1];
    type[c] = (unsigned char)(cells->width == 0 ? cells->type[c] : cells->width == 2 ? LINE : TRIANGLE);
  }
  put_cells(xml, cells, offset, type);
done:
  prc_delete(&offset);
  prc_delete(&type);
  return status;
}

static prc_status encode_end(prc_output_xml *xml, size_t n_points, const double *x, const prc_cells *cells,
                             prc_error *err) {
  prc_output_xml_put(xml, "      <Points>\n");
  put_real(xml, "Points", cells->in_space ? 3 : 2, x, n_points);
  prc_output_xml_put(xml, "      </Points>\n");
  const prc_status status = encode_cells(xml, cells, err);
  prc_output_xml_put(xml, "    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
  return status == PRC_OK ? prc_output_xml_flush(xml) : status;
}

static void free_frame(void **frame) {
  own_frame *f = *frame;
  if (!f) return;
  prc_delete(&f->arrays.at);
  prc_delete(&f->end.at);
  prc_delete(&f->text);
  prc_delete(frame);
}

static prc_status create_frame(const prc_output_form *form, int n_points, const double *x,
                               const prc_cells *cells, int n_arrays, const prc_array *array, void **out,
                               prc_error *err) {
  prc_status status = PRC_OK;
  own_frame *f = NULL;
  assert(cells->width == 2 || cells->width == 3 || (cells->width == 0 && cells->start && cells->type));
  prc_try(prc_new(&f, 1, err));
  prc_try(prc_new(&f->text, PRC_OUTPUT_XML_ROOM, err));
  f->n_points = (size_t)n_points, f->n_cells = (size_t)cells->n, f->form = *form;
  prc_output_xml arrays = {.memory = &f->arrays, .text = f->text, .form = *form, .err = err};
  put_arrays(&arrays, n_arrays, array, f->n_points, 1);
  prc_try(prc_output_xml_flush(&arrays));
  prc_output_xml end = {.memory = &f->end, .text = f->text, .form = *form, .err = err};
  prc_try(encode_end(&end, f->n_points, x, cells, err));
  *out = f, f = NULL;
done:
  free_frame(&(void *){f});
  return status;
}

/* ---- files --------------------------------------------------------------------------------------------- */

static prc_status write_frame(void *frame, prc_output_part *file, const prc_output_arrays *arrays,
                              prc_error *err) {
  const own_frame *f = frame;
  prc_output_xml xml = {.file = file, .text = f->text, .form = f->form, .err = err};
  put_file_head(&xml, "UnstructuredGrid");
  prc_output_xml_put(&xml, "  <UnstructuredGrid>\n");
  prc_output_xml_put_count(&xml, "    <Piece NumberOfPoints=\"", (long long)f->n_points, "\"");
  prc_output_xml_put_count(&xml, " NumberOfCells=\"", (long long)f->n_cells, "\">\n      <PointData>\n");
  put_arrays(&xml, arrays->n_points, arrays->point, f->n_points, 1);
  prc_output_xml_put_bytes(&xml, &f->arrays);
  prc_output_xml_put(&xml, "      </PointData>\n      <CellData>\n");
  put_arrays(&xml, arrays->n_cells, arrays->cell, f->n_cells, 0);
  prc_output_xml_put(&xml, "      </CellData>\n");
  prc_output_xml_put_bytes(&xml, &f->end);
  return prc_output_xml_flush(&xml);
}

static void put_extent(prc_output_xml *xml, const char *before, int n_x, int n_y, const char *after) {
  prc_output_xml_put(xml, before);
  prc_output_xml_put_count(xml, "=\"0 ", n_x - 1, " 0 ");
  prc_output_xml_put_count(xml, "", n_y - 1, " 0 0\"");
  prc_output_xml_put(xml, after);
}

static prc_status write_grid(const prc_output_form *form, prc_output_part *file, int n_x, const double *x,
                             int n_y, const double *y, int n_arrays, const prc_array *array, prc_error *err) {
  const double z = 0.0;
  char *text = NULL;
  prc_status status = prc_new(&text, PRC_OUTPUT_XML_ROOM, err);
  if (status != PRC_OK) return status;
  prc_output_xml xml = {.file = file, .text = text, .form = *form, .err = err};
  put_file_head(&xml, "RectilinearGrid");
  put_extent(&xml, "  <RectilinearGrid WholeExtent", n_x, n_y, ">\n");
  put_extent(&xml, "    <Piece Extent", n_x, n_y, ">\n      <PointData>\n");
  put_arrays(&xml, n_arrays, array, (size_t)n_x * (size_t)n_y, 1);
  prc_output_xml_put(&xml, "      </PointData>\n      <CellData>\n      </CellData>\n      <Coordinates>\n");
  xml.form.single = 0; /* places and times are kept */
  put_real(&xml, "x", 1, x, (size_t)n_x);
  put_real(&xml, "y", 1, y, (size_t)n_y);
  put_real(&xml, "z", 1, &z, 1);
  prc_output_xml_put(&xml, "      </Coordinates>\n    </Piece>\n  </RectilinearGrid>\n</VTKFile>\n");
  status = prc_output_xml_flush(&xml);
  prc_delete(&text);
  return status;
}

static prc_status describe(char *text, size_t size, prc_error *err) {
  (void)err;
  snprintf(text, size, "percuss's own writer");
  return PRC_OK;
}

const prc_output_writer prc_output_writer_own = {"own",       describe,   create_frame,
                                                 write_frame, free_frame, write_grid};
