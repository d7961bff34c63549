#include "config.h"
#include "cone/fclib.h"
#include "cone/fclib/internal.h"
#include "cone/problem/problem.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file is made in memory (HDF5's core driver) and goes to disk in one piece. Times are not tracked:
 * the same problem gives the same bytes. */

typedef struct {
  const prc_folder *in;
  const char *name;
  const char *path; /* for messages */
  hid_t file;
  prc_error *err;
} target;

static prc_status failed(const target *to, const char *name) {
  return prc_fail(to->err, PRC_IO, "%s: cannot store %s: %s", to->path, name, prc_hdf5_last_reason().text);
}

/* ---- groups and datasets -------------------------------------------------------------------- */

static prc_status put_group(const target *to, const char *name) {
  const hid_t group = H5Gcreate2(to->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return failed(to, name);
  H5Gclose(group);
  return PRC_OK;
}

/* Long arrays are compressed, as in the collection's own files. */
static hid_t creation_of(hsize_t length) {
  enum { LONG = 4096 };
  const hsize_t chunk = length < 1 << 17 ? length : 1 << 17;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, 0);
  if (length >= LONG && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 6);
  }
  return list;
}

static prc_status put(const target *to, const char *name, hid_t stored, hid_t native, size_t n,
                      const void *value) {
  prc_status status = PRC_OK;
  const hsize_t length = n;
  const hid_t space = H5Screate_simple(1, &length, NULL), creation = creation_of(length);
  const hid_t data = H5Dcreate2(to->file, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (data < 0 || (n > 0 && H5Dwrite(data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0))
    status = failed(to, name);
  if (data >= 0 && H5Dclose(data) < 0 && status == PRC_OK) status = failed(to, name);
  H5Pclose(creation);
  H5Sclose(space);
  return status;
}

static prc_status put_numbers(const target *to, const char *name, size_t n, const double *value) {
  return put(to, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, value);
}

static prc_status put_integers(const target *to, const char *name, size_t n, const int *value) {
  return put(to, name, H5T_STD_I32LE, H5T_NATIVE_INT, n, value);
}

static prc_status put_integer(const target *to, const char *name, int value) {
  return put_integers(to, name, 1, &value);
}

static prc_status put_text(const target *to, const char *name, const char *text) {
  prc_status status = PRC_OK;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), creation = creation_of(0);
  H5Tset_size(type, strlen(text) + 1);
  const hid_t data = H5Dcreate2(to->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (data < 0 || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) status = failed(to, name);
  if (data >= 0) H5Dclose(data);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
  return status;
}

/* ---- W -------------------------------------------------------------------------------------- */

typedef struct {
  size_t count, capacity[3];
  int *row, *col;
  double *x;
} entries;

/* A negative zero is kept: what is read back has the same bits. */
static prc_status append(entries *E, const prc_cone_problem *problem, int row, int col, double x,
                         prc_error *err) {
  prc_status status = PRC_OK;
  if (x == 0.0 && !signbit(x)) return PRC_OK;
  /* never taken: such a W and its copy here have several GB */
  if (E->count >= INT_MAX / 16)
    prc_try(prc_fail(err, PRC_INPUT, "W of %d contacts has too many entries for an FCLib file", problem->n));
  prc_try(prc_grow(&E->row, &E->capacity[0], E->count + 1, sizeof *E->row, err));
  prc_try(prc_grow(&E->col, &E->capacity[1], E->count + 1, sizeof *E->col, err));
  prc_try(prc_grow(&E->x, &E->capacity[2], E->count + 1, sizeof *E->x, err));
  E->row[E->count] = row, E->col[E->count] = col, E->x[E->count] = x, E->count++;
done:
  return status;
}

/* Row c of W. */
typedef struct {
  entries *E;
  const prc_cone_problem *problem;
  int c;
  prc_status status;
  prc_error *err;
} collecting;

static void collect(void *taker, int column, const double *block) {
  collecting *to = taker;
  const int dim = to->problem->dim;
  for (int e = 0; e < dim * dim && to->status == PRC_OK; e++)
    to->status = append(to->E, to->problem, dim * to->c + e / dim, dim * column + e % dim, block[e], to->err);
}

static prc_status put_W(const target *to, const prc_cone_problem *problem) {
  prc_status status = PRC_OK;
  const int n = problem->dim * problem->n;
  entries E = {.count = 0};
  prc_fclib_matrix W = {.p = NULL};
  const prc_cone_operator *from = prc_cone_operator_of(problem);
  if (!from->row)
    prc_try(prc_fail(to->err, PRC_INPUT, "%s: W is %s, expected one whose entries are known", to->path,
                     from->name));
  collecting row = {.E = &E, .problem = problem, .err = to->err};
  for (; row.c < problem->n && row.status == PRC_OK; row.c++) from->row(problem, row.c, collect, &row);
  prc_try(row.status);
  prc_try(prc_fclib_matrix_set(&W, n, n, (int)E.count, E.row, E.col, E.x, to->err));
  prc_try(put_group(to, "/fclib_local/W"));
  prc_try(put_integer(to, "/fclib_local/W/m", n));
  prc_try(put_integer(to, "/fclib_local/W/n", n));
  prc_try(put_integer(to, "/fclib_local/W/nz", -1));
  prc_try(put_integer(to, "/fclib_local/W/nzmax", W.p[n]));
  prc_try(put_integers(to, "/fclib_local/W/p", (size_t)n + 1, W.p));
  prc_try(put_integers(to, "/fclib_local/W/i", (size_t)W.p[n], W.i));
  prc_try(put_numbers(to, "/fclib_local/W/x", (size_t)W.p[n], W.x));
done:
  prc_delete(&E.row);
  prc_delete(&E.col);
  prc_delete(&E.x);
  prc_fclib_matrix_clear(&W);
  return status;
}

/* ---- the rest of the problem ---------------------------------------------------------------- */

/* p, and with it w = W p + b */
static prc_status put_state(const target *to, const char *group, const prc_cone_problem *problem,
                            const double *p) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  char name[64];
  double *w = NULL;
  for (size_t k = 0; k < n; k++)
    if (!isfinite(p[k]))
      prc_try(prc_fail(to->err, PRC_INPUT, "%s: %s: percussion component %zu is %g, expected a finite number",
                       to->path, group, k, p[k]));
  prc_try(prc_new(&w, n, to->err));
  prc_cone_velocity(problem, p, w);
  prc_try(put_group(to, group));
  snprintf(name, sizeof name, "%s/r", group);
  prc_try(put_numbers(to, name, n, p));
  snprintf(name, sizeof name, "%s/u", group);
  prc_try(put_numbers(to, name, n, w));
done:
  prc_delete(&w);
  return status;
}

static prc_status put_problem(const target *to, const prc_cone_problem *problem,
                              const prc_fclib_notes *notes) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  prc_try(put_group(to, "/fclib_local"));
  prc_try(put_integer(to, "/fclib_local/spacedim", problem->dim));
  prc_try(put_W(to, problem));
  prc_try(put_group(to, "/fclib_local/vectors"));
  prc_try(put_numbers(to, "/fclib_local/vectors/q", n, problem->b));
  prc_try(put_numbers(to, "/fclib_local/vectors/mu", (size_t)problem->n, problem->mu));
  prc_try(put_group(to, "/fclib_local/info"));
  prc_try(put_text(to, "/fclib_local/info/title", notes->title ? notes->title : ""));
  prc_try(put_text(to, "/fclib_local/info/description", notes->description ? notes->description : ""));
  prc_try(put_text(to, "/fclib_local/info/math_info", ""));
  if (notes->solution) prc_try(put_state(to, "/solution", problem, notes->solution));
  if (notes->guess) {
    prc_try(put_group(to, "/guesses"));
    prc_try(put_integer(to, "/guesses/number_of_guesses", 1));
    prc_try(put_state(to, "/guesses/1", problem, notes->guess));
  }
done:
  return status;
}

/* ---- to disk -------------------------------------------------------------------------------- */

static prc_status create_in_memory(target *to) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_fapl_core(access, (size_t)1 << 20, 0);
  H5Pset_obj_track_times(creation, 0);
  to->file = H5Fcreate(to->path, H5F_ACC_TRUNC, creation, access);
  prc_status status = PRC_OK;
  if (to->file < 0)
    status = prc_fail(to->err, PRC_IO, "%s: cannot be created: %s", to->path, prc_hdf5_last_reason().text);
  H5Pclose(creation);
  H5Pclose(access);
  return status;
}

static prc_status replace(const target *to, const char *part, const void *bytes, size_t n) {
  const int at = prc_folder_descriptor(to->in);
  const char *other = prc_file_obstacle(to->in, to->name);
  if (other) return prc_fail(to->err, PRC_IO, "%s: cannot be written: it is %s, not a file", to->path, other);
  const int descriptor = prc_file_create(to->in, part);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (!file) {
    const int reason = errno;
    if (descriptor >= 0) close(descriptor);
    return prc_fail(to->err, PRC_IO, "%s: cannot be written: %s", to->path, strerror(reason));
  }
  int bad = fwrite(bytes, 1, n, file) < n ? errno : 0;
  if (fclose(file) != 0 && !bad) bad = errno;
  if (!bad && renameat(at, part, at, to->name) != 0) bad = errno;
  if (!bad) return PRC_OK;
  unlinkat(at, part, 0);
  return prc_fail(to->err, PRC_IO, "%s: cannot be written: %s", to->path, strerror(bad));
}

static prc_status commit(const target *to) {
  prc_status status = PRC_OK;
  char *image = NULL, *part = NULL;
  const size_t length = strlen(to->name);
  ssize_t bytes = -1;
  if (H5Fflush(to->file, H5F_SCOPE_GLOBAL) >= 0) bytes = H5Fget_file_image(to->file, NULL, 0);
  if (bytes < 0) prc_try(failed(to, "the problem"));
  prc_try(prc_new(&image, bytes, to->err));
  prc_try(prc_new(&part, length + sizeof ".part", to->err));
  memcpy(part, to->name, length);
  memcpy(part + length, ".part", sizeof ".part");
  if (H5Fget_file_image(to->file, image, (size_t)bytes) < 0) prc_try(failed(to, "the problem"));
  prc_try(replace(to, part, image, (size_t)bytes));
done:
  prc_delete(&image);
  prc_delete(&part);
  return status;
}

prc_status prc_fclib_write(const prc_folder *in, const char *name, const prc_cone_problem *problem,
                           const prc_fclib_notes *notes, prc_error *err) {
  prc_need(name, err);
  prc_need(problem, err);
  prc_status status = PRC_OK;
  char path[8192];
  const prc_fclib_notes none = {NULL, NULL, NULL, NULL};
  target to = {in, name, path, -1, err};
  prc_folder_join(in, name, path, sizeof path);
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  prc_try(prc_cone_problem_check(problem, err));
  if (problem->dim != 2 && problem->dim != 3)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s: a problem of dimension %d, expected 2 or 3: an FCLib file has no other", path,
                     problem->dim));
  prc_try(create_in_memory(&to));
  prc_try(put_problem(&to, problem, notes ? notes : &none));
  prc_try(commit(&to));
done:
  if (to.file >= 0) H5Fclose(to.file);
  prc_hdf5_errors_restore(before);
  return status;
}
