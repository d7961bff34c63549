#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLRectilinearGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cassert>
#include <cmath>
#include <exception>
#include <new>
#include <string>

/* A thin coat over VTK. Arrays are wrapped, not copied, save points and vectors of two components, which
 * get a third. Always inline binary: a recent expat makes ParaView 5.11 refuse the appended section. */

namespace {

/* VTK prints its errors to stderr unless told not to; the caller's setting is put back. */
class Quiet {
public:
  Quiet() : before(vtkObject::GetGlobalWarningDisplay()) {
    vtkObject::GlobalWarningDisplayOff();
  }
  ~Quiet() {
    vtkObject::SetGlobalWarningDisplay(before);
  }
  Quiet(const Quiet &) = delete;
  Quiet &operator=(const Quiet &) = delete;

private:
  int before;
};

prc_status check_finite(const char *path, const char *name, vtkIdType tuples, int components,
                        const double *value, prc_error *err) {
  for (vtkIdType i = 0; i < tuples * components; i++)
    if (!std::isfinite(value[i]))
      return prc_fail(err, PRC_DIVERGED, "%s: array '%s' is %g at index %lld, component %d", path, name,
                      value[i], static_cast<long long>(i / components), static_cast<int>(i % components));
  return PRC_OK;
}

prc_status check_arrays(const char *path, vtkIdType tuples, int n, const prc_output_array *array,
                        prc_error *err) {
  for (int a = 0; a < n; a++) {
    assert(!array[a].real != !array[a].integer || tuples == 0);
    if (!array[a].real) continue;
    const prc_status status =
        check_finite(path, array[a].name, tuples, array[a].components, array[a].real, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* VTK's setter wants a pointer it may write through, and does not: the 1 says that the values stay ours. */
template <class Array, class Value>
void wrap(Array *to, vtkIdType tuples, int components, const Value *value) {
  to->SetNumberOfComponents(components);
  to->SetArray(const_cast<Value *>(value), tuples * components, 1);
}

/* (x, y) becomes (x, y, 0). */
template <class Array, class Value> void widen(Array *to, vtkIdType tuples, const Value *value) {
  to->SetNumberOfComponents(3);
  to->SetNumberOfTuples(tuples);
  Value *out = to->GetPointer(0);
  for (vtkIdType i = 0; i < tuples; i++) {
    out[3 * i] = value[2 * i];
    out[3 * i + 1] = value[2 * i + 1];
    out[3 * i + 2] = 0;
  }
}

template <class Array, class Value>
void add_values(vtkFieldData *fields, vtkIdType tuples, const prc_output_array &array, const Value *value,
                bool three) {
  vtkNew<Array> values;
  values->SetName(array.name);
  if (three && array.components == 2)
    widen(values.Get(), tuples, value);
  else
    wrap(values.Get(), tuples, array.components, value);
  fields->AddArray(values);
}

/* three: vectors of two components get a third */
void add_arrays(vtkFieldData *fields, vtkIdType tuples, int n, const prc_output_array *array, bool three) {
  for (int a = 0; a < n; a++) {
    if (array[a].integer)
      add_values<vtkIntArray>(fields, tuples, array[a], array[a].integer, three);
    else
      add_values<vtkDoubleArray>(fields, tuples, array[a], array[a].real, three);
  }
}

/* VTK writes to memory and we to the disk: if its own writing fails half-way, as on a full disk, VTK 9.1 frees
 * arrays that it only makes for the appended mode, through pointers it never set. */
prc_status write(vtkXMLWriter *writer, vtkDataObject *data, const char *path, prc_error *err) {
  writer->SetInputData(data);
  writer->WriteToOutputStringOn();
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToNone();
  const int wrote = writer->Write();
  const unsigned long code = writer->GetErrorCode();
  if (!wrote || code != vtkErrorCode::NoError)
    return prc_fail(err, PRC_IO, "%s: cannot be written: %s", path,
                    vtkErrorCode::GetStringFromErrorCode(code));
  const std::string text = writer->GetOutputString();
  return prc_output_replace(path, text.data(), text.size(), 0, err);
}

void set_points(vtkUnstructuredGrid *grid, int n_points, const double *x) {
  vtkNew<vtkDoubleArray> xyz;
  vtkNew<vtkPoints> points;
  widen(xyz.Get(), n_points, x);
  points->SetData(xyz);
  grid->SetPoints(points);
}

void set_cells(vtkUnstructuredGrid *grid, const prc_output_cells *from) {
  vtkNew<vtkIntArray> offsets, connectivity;
  vtkNew<vtkCellArray> cells;
  offsets->SetNumberOfValues(from->n + 1);
  for (int c = 0; c <= from->n; c++) offsets->SetValue(c, from->width > 0 ? c * from->width : from->start[c]);
  wrap(connectivity.Get(), offsets->GetValue(from->n), 1, from->node);
  cells->SetData(offsets, connectivity);
  if (from->width > 0) {
    grid->SetCells(from->width == 2 ? VTK_LINE : VTK_TRIANGLE, cells);
    return;
  }
  vtkNew<vtkUnsignedCharArray> types;
  types->SetNumberOfValues(from->n);
  for (int c = 0; c < from->n; c++) types->SetValue(c, static_cast<unsigned char>(from->type[c]));
  grid->SetCells(types, cells);
}

/* Runs a writer and turns whatever it throws into a status. */
template <class Work> prc_status guarded(const char *path, prc_error *err, Work work) {
  try {
    const Quiet quiet;
    return work();
  } catch (const std::bad_alloc &) {
    return prc_fail(err, PRC_NOMEM, "%s: out of memory", path);
  } catch (const std::exception &e) {
    return prc_fail(err, PRC_IO, "%s: cannot be written: %s", path, e.what());
  } catch (...) {
    return prc_fail(err, PRC_IO, "%s: cannot be written: unknown exception", path);
  }
}

} // namespace

extern "C" {

prc_status prc_output_vtu(const char *path, int n_points, const double *x, const prc_output_cells *cells,
                          int n_point_arrays, const prc_output_array *point_array, int n_cell_arrays,
                          const prc_output_array *cell_array, prc_error *err) {
  assert(cells->width == 2 || cells->width == 3 || (cells->width == 0 && cells->start && cells->type));
  prc_status status = check_finite(path, "points", n_points, 2, x, err);
  if (status == PRC_OK) status = check_arrays(path, n_points, n_point_arrays, point_array, err);
  if (status == PRC_OK) status = check_arrays(path, cells->n, n_cell_arrays, cell_array, err);
  if (status != PRC_OK) return status;
  return guarded(path, err, [&] {
    vtkNew<vtkUnstructuredGrid> grid;
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    set_points(grid, n_points, x);
    set_cells(grid, cells);
    add_arrays(grid->GetPointData(), n_points, n_point_arrays, point_array, true);
    add_arrays(grid->GetCellData(), cells->n, n_cell_arrays, cell_array, false);
    return write(writer, grid, path, err);
  });
}

prc_status prc_output_vtr(const char *path, int n_x, const double *x, int n_y, const double *y, int n_arrays,
                          const prc_output_array *array, prc_error *err) {
  const vtkIdType n_points = static_cast<vtkIdType>(n_x) * n_y;
  prc_status status = check_finite(path, "x", n_x, 1, x, err);
  if (status == PRC_OK) status = check_finite(path, "y", n_y, 1, y, err);
  if (status == PRC_OK) status = check_arrays(path, n_points, n_arrays, array, err);
  if (status != PRC_OK) return status;
  return guarded(path, err, [&] {
    const double zero = 0.0;
    vtkNew<vtkDoubleArray> xs, ys, zs;
    vtkNew<vtkRectilinearGrid> grid;
    vtkNew<vtkXMLRectilinearGridWriter> writer;
    xs->SetName("x"), ys->SetName("y"), zs->SetName("z"); // else VTK names them after their addresses
    wrap(xs.Get(), n_x, 1, x);
    wrap(ys.Get(), n_y, 1, y);
    wrap(zs.Get(), 1, 1, &zero);
    grid->SetDimensions(n_x, n_y, 1);
    grid->SetXCoordinates(xs);
    grid->SetYCoordinates(ys);
    grid->SetZCoordinates(zs);
    add_arrays(grid->GetPointData(), n_points, n_arrays, array, true);
    return write(writer, grid, path, err);
  });
}

} /* extern "C" */
