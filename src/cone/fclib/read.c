#include "config.h"
#include "cone/fclib.h"
#include "cone/fclib/internal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nothing in the file is believed before it is checked: a length is compared with what is expected, and
 * with the size of the file, before memory is asked for. */

/* More entries than this in one array are refused: sums of a few of them must fit an int. */
enum { MOST = INT_MAX / 16, LONGEST_TEXT = 1 << 20, LONGEST_NAME = 96 };

typedef struct {
  const char *path;
  double bytes; /* of the file */
  hid_t file;
  prc_error *err;
} source;

/* ---- datasets ------------------------------------------------------------------------------- */

#define wrong(from, ...) prc_fail((from)->err, PRC_INPUT, __VA_ARGS__)

/* Soft and external links lead out of the file, or nowhere: FCLib has none, and what they lead to is not
 * there for us. */
static int is_hard_link(const source *from, const char *name) {
  H5L_info_t link;
  return H5Lexists(from->file, name, H5P_DEFAULT) > 0
         && H5Lget_info(from->file, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

static int exists(const source *from, const char *name) {
  char part[LONGEST_NAME];
  for (const char *slash = strchr(name + 1, '/');;
       slash = strchr(slash + 1, '/')) { /* every group on the way */
    const size_t length = slash ? (size_t)(slash - name) : strlen(name);
    if (length >= sizeof part) return 0;
    memcpy(part, name, length);
    part[length] = '\0';
    if (!is_hard_link(from, part) || H5Oexists_by_name(from->file, part, H5P_DEFAULT) <= 0) return 0;
    if (!slash) return 1;
  }
}

typedef struct {
  hid_t id;
  size_t length;
} dataset;

/* The dataset of that class (H5T_INTEGER, H5T_FLOAT) with at most one dimension. */
static prc_status open_dataset(const source *from, const char *name, H5T_class_t class, dataset *out) {
  prc_status status = PRC_OK;
  hid_t type = -1, space = -1, data = -1;
  if (!exists(from, name)) return wrong(from, "%s: %s is missing", from->path, name);
  data = H5Dopen2(from->file, name, H5P_DEFAULT);
  if (data < 0)
    return wrong(from, "%s: %s cannot be read (%s), expected a dataset", from->path, name,
                 prc_hdf5_last_reason().text);
  if (prc_hdf5_is_external(data))
    prc_try(
        wrong(from, "%s: %s has its values in another file, expected them in this one", from->path, name));
  type = H5Dget_type(data), space = H5Dget_space(data);
  const hssize_t points = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  const int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (type < 0 || H5Tget_class(type) != class)
    prc_try(wrong(from, "%s: %s has values of another type, expected %s", from->path, name,
                  class == H5T_INTEGER ? "integers" : "floating-point numbers"));
  if (points < 0 || rank < 0 || rank > 1)
    prc_try(wrong(from, "%s: %s has %d dimensions, expected one", from->path, name, rank));
  /* no compression of HDF5 is better than 1 to 1032: such an array cannot be in this file */
  if ((double)points > MOST || (double)points * (double)H5Tget_size(type) > 1100.0 * from->bytes + 1e6)
    prc_try(wrong(from, "%s: %s claims %lld entries, expected no more than a file of %.0f bytes can hold",
                  from->path, name, (long long)points, from->bytes));
  out->id = data, out->length = (size_t)points, data = -1;
done:
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (data >= 0) H5Dclose(data);
  return status;
}

static prc_status fetch(const source *from, const char *name, const dataset *data, hid_t type, void *value) {
  if (data->length == 0 || H5Dread(data->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0) return PRC_OK;
  return wrong(from, "%s: %s cannot be read (%s); is the file complete?", from->path, name,
               prc_hdf5_last_reason().text);
}

static prc_status read_integers(const source *from, const char *name, int **out, size_t *length) {
  prc_status status = PRC_OK;
  dataset data = {-1, 0};
  int64_t *wide = NULL;
  int *value = NULL;
  prc_try(open_dataset(from, name, H5T_INTEGER, &data));
  prc_try(prc_new(&wide, data.length, from->err));
  prc_try(prc_new(&value, data.length, from->err));
  prc_try(fetch(from, name, &data, H5T_NATIVE_INT64, wide)); /* what is too wide even for this is clipped */
  for (size_t k = 0; k < data.length; k++) {
    if (wide[k] < INT_MIN || wide[k] > INT_MAX)
      prc_try(wrong(from, "%s: %s[%zu] is %lld, expected an integer of 32 bits", from->path, name, k,
                    (long long)wide[k]));
    value[k] = (int)wide[k];
  }
  *out = value, value = NULL;
  *length = data.length;
done:
  prc_delete(&wide);
  prc_delete(&value);
  if (data.id >= 0) H5Dclose(data.id);
  return status;
}

static prc_status read_integer(const source *from, const char *name, int low, int high, int *out) {
  prc_status status = PRC_OK;
  int *value = NULL;
  size_t length;
  prc_try(read_integers(from, name, &value, &length));
  if (length != 1)
    prc_try(wrong(from, "%s: %s has %zu values, expected a single one", from->path, name, length));
  if (*value < low || *value > high)
    prc_try(
        wrong(from, "%s: %s is %d, expected a number from %d to %d", from->path, name, *value, low, high));
  *out = *value;
done:
  prc_delete(&value);
  return status;
}

/* expected: as many values, or -1 for any number; all finite */
static prc_status read_numbers(const source *from, const char *name, int expected, double **out,
                               size_t *length) {
  prc_status status = PRC_OK;
  dataset data = {-1, 0};
  double *value = NULL;
  prc_try(open_dataset(from, name, H5T_FLOAT, &data));
  if (expected >= 0 && data.length != (size_t)expected)
    prc_try(wrong(from, "%s: %s has %zu values, expected %d", from->path, name, data.length, expected));
  prc_try(prc_new(&value, data.length, from->err));
  prc_try(fetch(from, name, &data, H5T_NATIVE_DOUBLE, value));
  for (size_t k = 0; k < data.length; k++)
    if (!isfinite(value[k]))
      prc_try(wrong(from, "%s: %s[%zu] is %g, expected a finite number", from->path, name, k, value[k]));
  *out = value, value = NULL;
  if (length) *length = data.length;
done:
  prc_delete(&value);
  if (data.id >= 0) H5Dclose(data.id);
  return status;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* They are of no consequence: anything unusual is left out. So are strings of variable length, of which
 * FCLib has none: HDF5 1.10 does not survive them in a damaged file. */
static prc_status copy_fixed(hid_t data, hid_t type, char **out, prc_error *err) {
  const size_t bytes = H5Tget_size(type);
  if (bytes > LONGEST_TEXT) return prc_strdup("", out, err);
  const prc_status status = prc_new(out, bytes + 1, err);
  if (status == PRC_OK && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) **out = '\0';
  if (status == PRC_OK) (*out)[bytes] = '\0';
  return status;
}

static prc_status read_text(const source *from, const char *name, char **out) {
  prc_status status = PRC_OK;
  hid_t data = exists(from, name) ? H5Dopen2(from->file, name, H5P_DEFAULT) : -1;
  if (data < 0) return prc_strdup("", out, from->err);
  hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0
      || prc_hdf5_is_external(data) || H5Sget_simple_extent_npoints(space) != 1)
    status = prc_strdup("", out, from->err);
  else
    status = copy_fixed(data, type, out, from->err);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Dclose(data);
  return status;
}

/* ---- matrices ------------------------------------------------------------------------------- */

typedef struct {
  const char *group; /* such as /fclib_local/W */
  int m, n, nz, nzmax;
  int *p, *i;
  double *x;
  size_t n_p, n_i, n_x;
  char name[LONGEST_NAME];
} raw_matrix;

static const char *member(raw_matrix *A, const char *name) {
  snprintf(A->name, sizeof A->name, "%s/%s", A->group, name);
  return A->name;
}

static prc_status check_indices(const source *from, raw_matrix *A, const char *name, const int *index,
                                int count, int end, const char *of) {
  for (int k = 0; k < count; k++)
    if (index[k] < 0 || index[k] >= end)
      return wrong(from, "%s: %s[%d] is %d, expected a %s from 0 to %d", from->path, member(A, name), k,
                   index[k], of, end - 1);
  return PRC_OK;
}

/* Compressed columns or rows: p says where each of the `lines` begins. */
static prc_status check_pointers(const source *from, raw_matrix *A, int lines) {
  if (A->n_p != (size_t)lines + 1)
    return wrong(from, "%s: %s has %zu values, expected %d: one more than there are %s", from->path,
                 member(A, "p"), A->n_p, lines + 1, A->nz == -1 ? "columns" : "rows");
  if (A->p[0] != 0) return wrong(from, "%s: %s[0] is %d, expected 0", from->path, member(A, "p"), A->p[0]);
  for (int j = 0; j < lines; j++)
    if (A->p[j + 1] < A->p[j])
      return wrong(from, "%s: %s[%d] is %d, expected at least the %d before it", from->path, member(A, "p"),
                   j + 1, A->p[j + 1], A->p[j]);
  if ((size_t)A->p[lines] > A->n_i)
    return wrong(from, "%s: %s[%d] is %d, expected at most the %zu values of %s/i", from->path,
                 member(A, "p"), lines, A->p[lines], A->n_i, A->group);
  return PRC_OK;
}

static prc_status check_raw(const source *from, raw_matrix *A, int *count) {
  prc_status status = PRC_OK;
  if (A->n_x != A->n_i)
    prc_try(wrong(from, "%s: %s has %zu values, expected as many as %s/i, which has %zu", from->path,
                  member(A, "x"), A->n_x, A->group, A->n_i));
  if (A->nz >= 0) {
    *count = A->nz;
    if (A->n_i < (size_t)A->nz || A->n_p < (size_t)A->nz)
      prc_try(wrong(from, "%s: %s has %zu values, expected at least nz = %d", from->path,
                    member(A, A->n_i < (size_t)A->nz ? "i" : "p"), A->n_i < (size_t)A->nz ? A->n_i : A->n_p,
                    A->nz));
    prc_try(check_indices(from, A, "p", A->p, *count, A->n, "column")); /* as CSparse has it: p the columns */
    prc_try(check_indices(from, A, "i", A->i, *count, A->m, "row"));
  } else {
    const int lines = A->nz == -1 ? A->n : A->m;
    prc_try(check_pointers(from, A, lines));
    *count = A->p[lines];
    prc_try(
        check_indices(from, A, "i", A->i, *count, A->nz == -1 ? A->m : A->n, A->nz == -1 ? "row" : "column"));
  }
  if (A->nzmax < *count)
    prc_try(wrong(from, "%s: %s is %d, expected at least the %d entries there are", from->path,
                  member(A, "nzmax"), A->nzmax, *count));
done:
  return status;
}

/* line[k]: the column (or row) that entry k of a compressed matrix is in */
static prc_status expand(const raw_matrix *A, int lines, int count, int **line, prc_error *err) {
  const prc_status status = prc_new(line, count, err);
  if (status != PRC_OK) return status;
  for (int j = 0; j < lines; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) (*line)[k] = j;
  return PRC_OK;
}

static prc_status read_raw(const source *from, raw_matrix *A) {
  prc_status status = PRC_OK;
  prc_try(read_integer(from, member(A, "m"), 0, MOST, &A->m));
  prc_try(read_integer(from, member(A, "n"), 0, MOST, &A->n));
  prc_try(read_integer(from, member(A, "nz"), -2, MOST, &A->nz));
  prc_try(read_integer(from, member(A, "nzmax"), 0, INT_MAX, &A->nzmax));
  prc_try(read_integers(from, member(A, "p"), &A->p, &A->n_p));
  prc_try(read_integers(from, member(A, "i"), &A->i, &A->n_i));
  prc_try(read_numbers(from, member(A, "x"), -1, &A->x, &A->n_x));
done:
  return status;
}

/* rows_of and columns_of say in a message why so many are expected */
static prc_status read_matrix(const source *from, const char *group, int m, const char *rows_of, int n,
                              const char *columns_of, prc_fclib_matrix *out) {
  prc_status status = PRC_OK;
  raw_matrix A = {.group = group};
  int *line = NULL, count = 0;
  prc_try(read_raw(from, &A));
  if (A.m != m)
    prc_try(wrong(from, "%s: %s is %d, expected %d rows: %s", from->path, member(&A, "m"), A.m, m, rows_of));
  if (A.n != n)
    prc_try(wrong(from, "%s: %s is %d, expected %d columns: %s", from->path, member(&A, "n"), A.n, n,
                  columns_of));
  prc_try(check_raw(from, &A, &count));
  if (A.nz < 0) prc_try(expand(&A, A.nz == -1 ? n : m, count, &line, from->err));
  const int *row = A.nz == -2 ? line : A.i, *column = A.nz == -2 ? A.i : A.nz == -1 ? line : A.p;
  prc_try(prc_fclib_matrix_set(out, m, n, count, row, column, A.x, from->err));
  out->stored = A.nz == -1 ? PRC_FCLIB_COLUMNS : A.nz == -2 ? PRC_FCLIB_ROWS : PRC_FCLIB_TRIPLETS;
  for (int k = 0; k < out->p[n]; k++)
    if (!isfinite(out->x[k]))
      prc_try(wrong(from, "%s: the entries of %s in row %d overflow when they are summed", from->path,
                    member(&A, "x"), out->i[k]));
done:
  prc_delete(&line);
  prc_delete(&A.p);
  prc_delete(&A.i);
  prc_delete(&A.x);
  return status;
}

/* ---- guesses and solution ------------------------------------------------------------------- */

static prc_status read_state(const source *from, const char *group, const prc_fclib *f,
                             prc_fclib_state *out) {
  prc_status status = PRC_OK;
  char name[LONGEST_NAME];
  snprintf(name, sizeof name, "%s/r", group);
  prc_try(read_numbers(from, name, f->dim * f->n, &out->p, NULL));
  snprintf(name, sizeof name, "%s/u", group);
  prc_try(read_numbers(from, name, f->dim * f->n, &out->w, NULL));
  snprintf(name, sizeof name, "%s/v", group);
  if (f->global) prc_try(read_numbers(from, name, f->n_velocities, &out->v, NULL));
done:
  return status;
}

static prc_status read_states(const source *from, prc_fclib *f) {
  prc_status status = PRC_OK;
  size_t capacity = 0;
  int n = 0;
  if (exists(from, "/solution")) {
    prc_try(read_state(from, "/solution", f, &f->solution));
    f->has_solution = 1;
  }
  if (exists(from, "/guesses")) prc_try(read_integer(from, "/guesses/number_of_guesses", 0, MOST, &n));
  for (int k = 0; k < n; k++) { /* grows with what is there, not with what is claimed */
    char group[LONGEST_NAME];
    snprintf(group, sizeof group, "/guesses/%d", k + 1);
    prc_try(prc_grow(&f->guess, &capacity, (size_t)k + 1, sizeof *f->guess, from->err));
    f->n_guesses = k + 1;
    prc_try(read_state(from, group, f, &f->guess[k]));
  }
done:
  return status;
}

/* ---- problems ------------------------------------------------------------------------------- */

static prc_status refuse_constraints(const source *from, const char *group) {
  char name[LONGEST_NAME];
  int n = 0;
  if (!exists(from, group)) return PRC_OK;
  snprintf(name, sizeof name, "%s/n", group);
  const prc_status status = read_integer(from, name, 0, INT_MAX, &n);
  if (status != PRC_OK || n == 0) return status;
  return wrong(from, "%s: %s has %d columns of bilateral constraints, expected a problem without any",
               from->path, group, n);
}

static prc_status read_friction(const source *from, const char *root, prc_fclib *f) {
  prc_status status = PRC_OK;
  char name[LONGEST_NAME];
  size_t n = 0;
  snprintf(name, sizeof name, "%s/spacedim", root);
  prc_try(read_integer(from, name, 2, 3, &f->dim));
  snprintf(name, sizeof name, "%s/vectors/mu", root);
  prc_try(read_numbers(from, name, -1, &f->mu, &n));
  for (size_t k = 0; k < n; k++)
    if (f->mu[k] < 0.0 || f->mu[k] > PRC_CONE_FRICTION_MOST)
      prc_try(wrong(from, "%s: %s[%zu] is %g, expected a number in [0, %g]", from->path, name, k, f->mu[k],
                    PRC_CONE_FRICTION_MOST));
  f->n = (int)n; /* at most MOST, so that dim n fits an int */
done:
  return status;
}

static prc_status read_local(const source *from, prc_fclib *f) {
  prc_status status = PRC_OK;
  static const char why[] = "spacedim for each value of vectors/mu";
  prc_try(read_friction(from, "/fclib_local", f));
  prc_try(refuse_constraints(from, "/fclib_local/V"));
  prc_try(read_matrix(from, "/fclib_local/W", f->dim * f->n, why, f->dim * f->n, why, &f->W));
  prc_try(read_numbers(from, "/fclib_local/vectors/q", f->dim * f->n, &f->b, NULL));
done:
  return status;
}

static prc_status read_global(const source *from, prc_fclib *f) {
  prc_status status = PRC_OK;
  static const char velocities[] = "one for each value of vectors/f",
                    why[] = "spacedim for each value of vectors/mu";
  size_t n;
  f->global = 1;
  prc_try(read_friction(from, "/fclib_global", f));
  prc_try(refuse_constraints(from, "/fclib_global/G"));
  prc_try(read_numbers(from, "/fclib_global/vectors/f", -1, &f->f, &n));
  f->n_velocities = (int)n; /* at most MOST */
  prc_try(
      read_matrix(from, "/fclib_global/M", f->n_velocities, velocities, f->n_velocities, velocities, &f->M));
  prc_try(read_matrix(from, "/fclib_global/H", f->n_velocities, velocities, f->dim * f->n, why, &f->H));
  prc_try(read_numbers(from, "/fclib_global/vectors/w", f->dim * f->n, &f->w0, NULL));
done:
  return status;
}

static prc_status read_texts(const source *from, prc_fclib *f) {
  prc_status status = PRC_OK;
  prc_try(read_text(from, f->global ? "/fclib_global/info/title" : "/fclib_local/info/title", &f->title));
  prc_try(read_text(from, f->global ? "/fclib_global/info/description" : "/fclib_local/info/description",
                    &f->description));
  prc_try(read_text(from, f->global ? "/fclib_global/info/math_info" : "/fclib_local/info/math_info",
                    &f->math_info));
done:
  return status;
}

/* HDF5 has no good sentence for a file that is absent, locked away or a folder; the system has. */
static prc_status open_source(source *from) {
  struct stat about;
  const int there = stat(from->path, &about) == 0;
  if (there && !S_ISREG(about.st_mode))
    return prc_fail(from->err, PRC_IO, "%s: cannot be read: it is not a file", from->path);
  if (!there || access(from->path, R_OK) != 0)
    return prc_fail(from->err, PRC_IO, "%s: cannot be read: %s", from->path, strerror(errno));
  from->bytes = (double)about.st_size;
  from->file = H5Fopen(from->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (from->file < 0)
    return wrong(from, "%s: not a complete HDF5 file: %s", from->path, prc_hdf5_last_reason().text);
  return PRC_OK;
}

prc_status prc_fclib_read_here(const char *path, prc_fclib **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fclib *f = NULL;
  source from = {.path = path, .file = -1, .err = err};
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  prc_try(prc_new(&f, 1, err));
  prc_try(prc_strdup(path, &f->path, err));
  prc_try(open_source(&from));
  const int local = exists(&from, "/fclib_local"), global = exists(&from, "/fclib_global");
  if (local == global)
    prc_try(wrong(&from, "%s: has %s /fclib_local and /fclib_global, expected one of them: an FCLib problem",
                  path, local ? "both" : "neither"));
  prc_try(local ? read_local(&from, f) : read_global(&from, f));
  prc_try(read_texts(&from, f));
  prc_try(read_states(&from, f));
  *out = f, f = NULL;
done:
  if (from.file >= 0) H5Fclose(from.file);
  prc_hdf5_errors_restore(before);
  prc_fclib_free(&f);
  return status;
}
