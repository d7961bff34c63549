#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <stdio.h>

/* A .pvtu: which files are the pieces of a mesh, and what arrays each of them has. */

static void put_escaped(prc_bytes *text, const char *value, prc_status *status, prc_error *err) {
  char one[2] = "";
  for (; (*one = *value) && *status == PRC_OK; value++) {
    const char *entity = prc_output_xml_entity(*value);
    *status = prc_bytes_print(text, err, "%s", entity ? entity : one);
  }
}

/* three: two components are written with a third */
static prc_status put_array(prc_bytes *text, const prc_array *a, int single, int three, prc_error *err) {
  const char *type = a->integer ? "Int32" : single ? "Float32" : "Float64";
  const int components = three && a->components == 2 ? 3 : a->components;
  prc_status status = prc_bytes_print(text, err, "      <PDataArray type=\"%s\" Name=\"", type);
  put_escaped(text, a->name, &status, err);
  if (status == PRC_OK) status = prc_bytes_print(text, err, "\"");
  if (components > 1 && status == PRC_OK)
    status = prc_bytes_print(text, err, " NumberOfComponents=\"%d\"", components);
  for (int k = 0; k < components && status == PRC_OK; k++) {
    char name[PRC_FIELD_COMPONENT];
    if (prc_field_component(a->name, components, k, name))
      status = prc_bytes_print(text, err, " ComponentName%d=\"%s\"", k, name);
  }
  return status == PRC_OK ? prc_bytes_print(text, err, "/>\n") : status;
}

static prc_status put_arrays(prc_bytes *text, const char *kind, int n, const prc_array *array, int single,
                             int three, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_bytes_print(text, err, "    <%s>\n", kind));
  for (int k = 0; k < n; k++) prc_try(put_array(text, &array[k], single, three, err));
  prc_try(prc_bytes_print(text, err, "    </%s>\n", kind));
done:
  return status;
}

prc_status prc_output_pvtu(const prc_output_form *form, const prc_folder *in, const char *name, int n,
                           prc_output_piece_name *piece, const void *of, int n_point_arrays,
                           const prc_array *point_array, int n_cell_arrays, const prc_array *cell_array,
                           prc_error *err) {
  static const double none;
  const prc_array points = {"Points", 3, &none, NULL};
  const int single = form && form->single;
  prc_status status = PRC_OK;
  prc_bytes text = {0};
  prc_try(prc_bytes_print(&text, err,
                          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"0.1\" "
                          "byte_order=\"LittleEndian\" header_type=\"UInt32\">\n"
                          "  <PUnstructuredGrid GhostLevel=\"0\">\n"));
  prc_try(put_arrays(&text, "PPointData", n_point_arrays, point_array, single, 1, err));
  prc_try(put_arrays(&text, "PCellData", n_cell_arrays, cell_array, single, 0, err));
  prc_try(put_arrays(&text, "PPoints", 1, &points, single, 0, err));
  for (int k = 0; k < n; k++) {
    char of_piece[64];
    piece(of, k, of_piece);
    prc_try(prc_bytes_print(&text, err, "    <Piece Source=\"%s\"/>\n", of_piece));
  }
  prc_try(prc_bytes_print(&text, err, "  </PUnstructuredGrid>\n</VTKFile>\n"));
  status = prc_output_replace(in, name, text.at, text.used, err);
done:
  prc_delete(&text.at);
  return status;
}
