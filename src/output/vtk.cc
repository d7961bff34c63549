#include "config.h"
#include "output/vtk.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkVersion.h>
#include <vtkXMLRectilinearGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

/* That of VTK's own header, which includes those of TBB: these are not there where VTK's headers alone
 * are. */
class vtkSMPTools {
public:
  static const char *GetBackend();
  static bool SetBackend(const char *name);
};

/* Files of VTK's XML formats, written by VTK. Arrays are always inline: a recent expat makes ParaView 5.11
 * refuse the appended section, which is VTK's default. */

namespace {

/* ---- where the text goes ------------------------------------------------------------------------------- */

/* Hands full rooms on to the callback. VTK flushes after every attribute, which is none of the disk's
 * business: `finish` hands on what is left. */
class sink : public std::streambuf {
public:
  sink(prc_vtk_put taker, void *whom) : put(taker), to(whom), room(1 << 18) {
    setp(room.data(), room.data() + room.size());
  }
  bool finish() {
    write_through();
    return !failed;
  }
  bool has_failed() const {
    return failed;
  }

protected:
  int_type overflow(int_type c) override {
    write_through();
    if (failed) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    return failed ? -1 : 0;
  }
  /* VTK goes to the beginning before it writes: there it is. */
  pos_type seekpos(pos_type to_here, std::ios_base::openmode) override {
    return to_here == pos_type(0) && !begun && pptr() == pbase() ? pos_type(0) : pos_type(off_type(-1));
  }

private:
  prc_vtk_put put;
  void *to;
  std::vector<char> room;
  bool begun = false, failed = false;

  void write_through() {
    const std::size_t n = static_cast<std::size_t>(pptr() - pbase());
    if (n > 0 && !failed) failed = !put(to, pbase(), n);
    begun = begun || n > 0;
    setp(room.data(), room.data() + room.size());
  }
};

/* ---- errors -------------------------------------------------------------------------------------------- */

/* VTK prints what goes wrong unless somebody listens. The first message is kept. */
void copy_message(vtkObject *, unsigned long, void *result, void *message) {
  auto *r = static_cast<prc_vtk_result *>(result);
  if (r->why[0] == '\0' && message) snprintf(r->why, sizeof r->why, "%s", static_cast<const char *>(message));
}

/* What `work` throws becomes a status. */
template <class Work> prc_vtk_result guarded(Work work) noexcept {
  prc_vtk_result result = {PRC_OK, ""};
  try {
    work(result);
  } catch (const std::bad_alloc &) {
    result.status = PRC_NOMEM;
  } catch (const std::exception &failure) {
    result.status = PRC_IO;
    snprintf(result.why, sizeof result.why, "%s", failure.what());
  } catch (...) {
    result.status = PRC_IO;
    snprintf(result.why, sizeof result.why, "an exception of an unknown kind");
  }
  return result;
}

/* VTK looks for the range of an array in as many threads as there are processors, unless it is told not to.
 * That is said to the whole process, so here is one at a time: a run's second thread may write a snapshot
 * while the first writes diagrams. */
class one_thread {
public:
  one_thread() : lock(one_at_a_time), before(vtkSMPTools::GetBackend()) {
    vtkSMPTools::SetBackend("Sequential");
  }
  ~one_thread() {
    vtkSMPTools::SetBackend(before.c_str());
  }
  one_thread(const one_thread &) = delete;
  one_thread &operator=(const one_thread &) = delete;

private:
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock;
  const std::string before;
};
std::mutex one_thread::one_at_a_time;

/* VTK's writer of one kind of file, with a stream in place of a file. */
template <class Writer> class to_stream : public Writer {
public:
  static to_stream *New() {
    VTK_STANDARD_NEW_BODY(to_stream);
  }
  bool write_to(std::ostream &stream) {
    this->Stream = &stream;
    const int done = this->Write();
    this->Stream = nullptr;
    return done != 0;
  }

protected:
  /* Where writing fails, VTK frees the positions of an appended section, pointers that it has not set where
   * arrays are inline. There is nothing to free. */
  void DeletePositionArrays() override {}
};

/* VTK goes back to put the sizes of compressed blocks before them: such a file is in memory until it is whole. */
template <class Writer> bool write_packed(to_stream<Writer> *writer, std::ostream &stream) {
  std::ostringstream memory;
  if (!writer->write_to(memory) || !memory.good()) return false;
  const std::string text = memory.str();
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return stream.good();
}

template <class Writer>
void write_file(vtkDataSet *data, int level, prc_vtk_put put, void *to, prc_vtk_result &result) {
  vtkNew<vtkCallbackCommand> listener;
  vtkNew<to_stream<Writer>> writer;
  sink text(put, to);
  std::ostream stream(&text);
  listener->SetCallback(copy_message);
  listener->SetClientData(&result);
  for (vtkObject *speaker :
       {static_cast<vtkObject *>(writer), static_cast<vtkObject *>(writer->GetExecutive())}) {
    speaker->AddObserver(vtkCommand::ErrorEvent, listener);
    speaker->AddObserver(vtkCommand::WarningEvent, listener);
  }
  writer->SetInputData(data);
  writer->SetDataModeToBinary();
  if (level > 0) {
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(level);
  } else {
    writer->SetCompressorTypeToNone();
  }
  const bool done =
      level > 0 ? write_packed<Writer>(writer, stream) : writer->write_to(stream) && stream.good();
  if (text.has_failed() || !text.finish()) {
    result.status = PRC_IO, result.why[0] = '\0'; /* the callback knows why */
  } else if (!done) {
    result.status = PRC_IO;
    if (result.why[0] == '\0')
      snprintf(result.why, sizeof result.why, "%s",
               vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode()));
  } else {
    result.why[0] = '\0';
  }
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* values with a third component, 0, behind two */
template <class Value> void widen(std::size_t tuples, const Value *value, std::vector<Value> &wide) {
  wide.assign(3 * tuples, Value(0));
  for (std::size_t i = 0; i < tuples; i++) wide[3 * i] = value[2 * i], wide[3 * i + 1] = value[2 * i + 1];
}

/* VTK writes names as they are. */
std::string escaped(const char *name) {
  std::string text;
  for (; *name; name++) {
    const char *entity = *name == '&'   ? "&amp;"
                         : *name == '<' ? "&lt;"
                         : *name == '>' ? "&gt;"
                         : *name == '"' ? "&quot;"
                                        : nullptr;
    entity ? text.append(entity) : text.append(1, *name);
  }
  return text;
}

/* VTK's array of values that stay where they are and live longer than it does */
template <class Array, class Value>
vtkSmartPointer<Array> wrap(const char *name, int components, std::size_t tuples, const Value *value) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(escaped(name).c_str()); /* VTK names an array that has none after its place in memory */
  array->SetNumberOfComponents(components);
  array->SetArray(const_cast<Value *>(value), static_cast<vtkIdType>(tuples) * components, 1);
  return array;
}

/* Numbers of one array, widened, rounded or copied if need be. */
struct room {
  std::vector<double> real;
  std::vector<float> single;
  std::vector<int> integer;
};

/* All doubles as 32 bits. */
const float *rounded(const double *value, std::size_t n, std::vector<float> &room) {
  room.resize(n);
  for (std::size_t i = 0; i < n; i++) room[i] = static_cast<float>(value[i]);
  return room.data();
}

vtkSmartPointer<vtkDataArray> wrap_single(const prc_array &a, std::size_t tuples, bool three, room &r) {
  const int components = three && a.components == 2 ? 3 : a.components;
  const double *value = a.real;
  if (components != a.components) {
    widen(tuples, a.real, r.real);
    value = r.real.data();
  }
  return wrap<vtkFloatArray>(a.name, components, tuples,
                             rounded(value, tuples * static_cast<std::size_t>(components), r.single));
}

void name_components(const prc_vtk_form &form, const prc_array &a, vtkDataArray *array) {
  char text[PRC_FIELD_COMPONENT];
  for (int k = 0; k < a.components; k++)
    if (form.component(a.name, array->GetNumberOfComponents(), k, text)) array->SetComponentName(k, text);
}

template <class Array, class Value>
vtkSmartPointer<vtkDataArray> wrap_or_widen(const prc_array &a, std::size_t tuples, const Value *value,
                                            bool three, std::vector<Value> &wide) {
  if (!three || a.components != 2) return wrap<Array>(a.name, a.components, tuples, value);
  widen(tuples, value, wide);
  return wrap<Array>(a.name, 3, tuples, wide.data());
}

/* three: vectors of two components get a third */
void add(const prc_vtk_form &form, vtkDataSetAttributes *to, int n, const prc_array *array,
         std::size_t tuples, bool three, std::vector<room> &rooms) {
  if (rooms.size() < static_cast<std::size_t>(n)) rooms.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; k++) {
    const prc_array &a = array[k];
    room &r = rooms[static_cast<std::size_t>(k)];
    const auto made = a.integer     ? wrap_or_widen<vtkIntArray>(a, tuples, a.integer, three, r.integer)
                      : form.single ? wrap_single(a, tuples, three, r)
                                    : wrap_or_widen<vtkDoubleArray>(a, tuples, a.real, three, r.real);
    name_components(form, a, made);
    to->AddArray(made);
  }
}

} // namespace

/* ---- meshes -------------------------------------------------------------------------------------------- */

struct prc_vtk_frame {
  prc_vtk_form form;
  std::size_t n_points, n_cells;
  std::vector<double> x; /* 3 per point */
  std::vector<float> x_single;
  std::vector<vtkTypeInt32> node, start;
  std::vector<unsigned char> type;
  std::vector<prc_array> constant;     /* the arrays on points that do not change, */
  std::vector<std::vector<char>> name; /* with their names, */
  std::vector<room> kept, wide;        /* their values, and the room to widen these in */
  std::vector<room> on_points;         /* that of the others */
};

namespace {

template <class Value> const Value *copy(const Value *value, std::size_t n, std::vector<Value> &room) {
  if (value) room.assign(value, value + n);
  return value ? room.data() : nullptr;
}

void copy_arrays(prc_vtk_frame &f, int n, const prc_array *array) {
  const std::size_t count = static_cast<std::size_t>(n);
  f.constant.assign(array, array + n);
  f.name.resize(count), f.kept.resize(count);
  for (std::size_t k = 0; k < count; k++) {
    prc_array &a = f.constant[k];
    const std::size_t values = f.n_points * static_cast<std::size_t>(a.components);
    const std::size_t length = std::char_traits<char>::length(a.name) + 1;
    a.name = copy(a.name, length, f.name[k]);
    a.real = copy(a.real, values, f.kept[k].real);
    a.integer = copy(a.integer, values, f.kept[k].integer);
  }
}

void copy_cells(prc_vtk_frame &f, const prc_cells &cells) {
  enum { LINE = 3, TRIANGLE = 5 };
  const int width = cells.width;
  f.start.resize(f.n_cells + 1);
  f.type.resize(f.n_cells);
  for (std::size_t c = 0; c <= f.n_cells; c++)
    f.start[c] = width > 0 ? static_cast<vtkTypeInt32>(c) * width : f.n_cells > 0 ? cells.start[c] : 0;
  for (std::size_t c = 0; c < f.n_cells; c++)
    f.type[c] = static_cast<unsigned char>(width == 0 ? cells.type[c] : width == 2 ? LINE : TRIANGLE);
  f.node.assign(cells.node, cells.node + f.start[f.n_cells]);
}

prc_vtk_result create(const prc_vtk_form *form, int n_points, const double *x, const prc_cells *cells,
                      int n_arrays, const prc_array *array, prc_vtk_frame **out) {
  return guarded([&](prc_vtk_result &) {
    std::unique_ptr<prc_vtk_frame> f(new prc_vtk_frame());
    f->form = *form;
    f->n_points = static_cast<std::size_t>(n_points), f->n_cells = static_cast<std::size_t>(cells->n);
    if (cells->in_space)
      f->x.assign(x, x + 3 * f->n_points);
    else
      widen(f->n_points, x, f->x);
    if (form->single) rounded(f->x.data(), f->x.size(), f->x_single);
    copy_cells(*f, *cells);
    copy_arrays(*f, n_arrays, array);
    *out = f.release();
  });
}

void release(prc_vtk_frame **frame) {
  delete *frame;
  *frame = nullptr;
}

/* VTK's mesh on the frame's memory: made for each file, so that what VTK remembers of an array depends on
 * nothing before. */
void describe(const prc_vtk_frame &f, vtkUnstructuredGrid *grid) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  if (f.form.single)
    points->SetData(wrap<vtkFloatArray>("Points", 3, f.n_points, f.x_single.data()));
  else
    points->SetData(wrap<vtkDoubleArray>("Points", 3, f.n_points, f.x.data()));
  cells->SetData(wrap<vtkTypeInt32Array>("offsets", 1, f.start.size(), f.start.data()),
                 wrap<vtkTypeInt32Array>("connectivity", 1, f.node.size(), f.node.data()));
  grid->SetPoints(points);
  grid->SetCells(wrap<vtkUnsignedCharArray>("types", 1, f.n_cells, f.type.data()), cells);
}

prc_vtk_result write(prc_vtk_frame *f, int n_point_arrays, const prc_array *point_array, int n_cell_arrays,
                     const prc_array *cell_array, prc_vtk_put put, void *to) {
  return guarded([&](prc_vtk_result &result) {
    const one_thread alone;
    std::vector<room> none;
    vtkNew<vtkUnstructuredGrid> grid;
    describe(*f, grid);
    add(f->form, grid->GetPointData(), n_point_arrays, point_array, f->n_points, true, f->on_points);
    add(f->form, grid->GetPointData(), static_cast<int>(f->constant.size()), f->constant.data(), f->n_points,
        true, f->wide);
    add(f->form, grid->GetCellData(), n_cell_arrays, cell_array, f->n_cells, false, none);
    write_file<vtkXMLUnstructuredGridWriter>(grid, f->form.level, put, to, result);
  });
}

/* ---- grids --------------------------------------------------------------------------------------------- */

prc_vtk_result grid(const prc_vtk_form *form, int n_x, const double *x, int n_y, const double *y,
                    int n_arrays, const prc_array *array, prc_vtk_put put, void *to) {
  return guarded([&](prc_vtk_result &result) {
    const one_thread alone;
    const double z = 0.0;
    const std::size_t nx = static_cast<std::size_t>(n_x), ny = static_cast<std::size_t>(n_y);
    std::vector<room> rooms;
    vtkNew<vtkRectilinearGrid> data;
    data->SetDimensions(n_x, n_y, 1);
    data->SetXCoordinates(wrap<vtkDoubleArray>("x", 1, nx, x));
    data->SetYCoordinates(wrap<vtkDoubleArray>("y", 1, ny, y));
    data->SetZCoordinates(wrap<vtkDoubleArray>("z", 1, 1, &z));
    add(*form, data->GetPointData(), n_arrays, array, nx * ny, true, rooms);
    write_file<vtkXMLRectilinearGridWriter>(data, form->level, put, to, result);
  });
}

} // namespace

extern "C" {
extern __attribute__((visibility("default"))) const prc_vtk percuss_vtk;
const prc_vtk percuss_vtk = {PACKAGE_VERSION, vtkVersion::GetVTKVersion(), create, write, release, grid};
}
