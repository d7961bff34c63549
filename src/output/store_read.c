#include "config.h"
#include "output/output.h"
#include "output/internal.h"
#include "output/store_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nothing of the file is believed: its checksum is compared before HDF5 sees it, HDF5 reads it in a process
 * of its own, and what comes back is checked again. */

enum { MOST_ARRAYS = 1000, LONGEST_NAME = 255, PATIENCE = 120 /* seconds */ };

/* ---- the bytes ----------------------------------------------------------------------------------------- */

static prc_status check_checksum(const char *path, const char *image, size_t n, prc_error *err) {
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  char trailer[PRC_STORE_TRAILER];
  if (n < sizeof signature - 1 || memcmp(image, signature, sizeof signature - 1) != 0)
    return prc_fail(err, PRC_INPUT, "%s: not a complete HDF5 file: it does not begin as one", path);
  if (n < PRC_STORE_TRAILER || memcmp(image + n - PRC_STORE_TRAILER, PRC_STORE_MARK, 8) != 0)
    return prc_fail(err, PRC_INPUT,
                    "%s: not a complete HDF5 file written by percuss: its checksum is missing at the end",
                    path);
  prc_store_checksum(image, n - PRC_STORE_TRAILER, trailer);
  if (memcmp(image + n - PRC_STORE_TRAILER, trailer, sizeof trailer) == 0) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s: is damaged: its checksum is not that of its content", path);
}

int prc_output_store_is_ours(const prc_folder *in, const char *name) {
  char mark[sizeof PRC_STORE_MARK] = "";
  struct stat about;
  const int descriptor =
      openat(prc_folder_descriptor(in), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int got =
      fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
      && pread(descriptor, mark, sizeof mark - 1, about.st_size - PRC_STORE_TRAILER) == sizeof mark - 1;
  close(descriptor);
  return got && strcmp(mark, PRC_STORE_MARK) == 0;
}

/* ---- HDF5, in a child process -------------------------------------------------------------------------- */

typedef struct {
  const char *path;
  char *image; /* without the trailer */
  size_t n;
  prc_bytes *out;
  prc_error *err;
  size_t n_arrays;
  prc_status status;
} reading;

static size_t extent_of(hid_t data) {
  const hid_t space = H5Dget_space(data);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return points > 0 ? (size_t)points : 0;
}

static int is_row_of_doubles(hid_t data) {
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  const int yes = H5Tget_class(type) == H5T_FLOAT && H5Sget_simple_extent_ndims(space) == 1;
  H5Sclose(space);
  H5Tclose(type);
  return yes;
}

/* percuss writes without compression: the values cannot have more bytes than the file. */
static prc_status send_values(const reading *r, const char *name, hid_t data, size_t n) {
  prc_status status = PRC_OK;
  double *value = NULL;
  if (n > r->n / sizeof *value)
    return prc_fail(r->err, PRC_INPUT, "%s: '%s' claims %zu values, expected no more than the file holds",
                    r->path, name, n);
  prc_try(prc_new(&value, n, r->err));
  if (n > 0 && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
    prc_try(
        prc_fail(r->err, PRC_INPUT, "%s: cannot read '%s': %s", r->path, name, prc_hdf5_last_reason().text));
  status = prc_bytes_put(r->out, value, n * sizeof *value, r->err);
done:
  prc_delete(&value);
  return status;
}

/* The name's length, the name, whether it is a row of numbers, their number and the numbers. */
static prc_status send_array(const reading *r, const char *name, hid_t data) {
  prc_status status = PRC_OK;
  const size_t length = strlen(name);
  const int is_row = data >= 0 && !prc_hdf5_is_external(data) && is_row_of_doubles(data);
  const size_t n = is_row ? extent_of(data) : 0;
  prc_try(prc_bytes_put(r->out, &length, sizeof length, r->err));
  prc_try(prc_bytes_put(r->out, name, length, r->err));
  prc_try(prc_bytes_put(r->out, &is_row, sizeof is_row, r->err));
  prc_try(prc_bytes_put(r->out, &n, sizeof n, r->err));
  status = send_values(r, name, data, n);
done:
  return status;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *to) {
  reading *r = to;
  if (strlen(name) > LONGEST_NAME || ++r->n_arrays > MOST_ARRAYS) {
    r->status = prc_fail(r->err, PRC_INPUT, "%s: has more than %d arrays, or a name longer than %d", r->path,
                         (int)MOST_ARRAYS, (int)LONGEST_NAME);
    return -1;
  }
  const hid_t data = link->type == H5L_TYPE_HARD ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
  r->status = send_array(r, name, data);
  if (data >= 0) H5Dclose(data);
  return r->status == PRC_OK ? 0 : -1;
}

/* HDF5 wants a name of which there is no file. */
static hid_t open_image(const reading *r, prc_hdf5_reason *why) {
  static const char nowhere[] = "/dev/null/image";
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  hid_t file = -1;
  if (H5Pset_fapl_core(access, (size_t)1 << 20, 0) >= 0 && H5Pset_file_image(access, r->image, r->n) >= 0)
    file = H5Fopen(nowhere, H5F_ACC_RDONLY, access);
  if (file < 0) *why = prc_hdf5_last_reason(); /* the call below clears it */
  H5Pclose(access);
  return file;
}

static prc_status read_image(void *data, prc_bytes *out, prc_error *err) {
  reading *r = data;
  r->out = out, r->err = err;
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  prc_hdf5_reason why = {""};
  const hid_t file = open_image(r, &why);
  if (file < 0)
    r->status = prc_fail(err, PRC_INPUT, "%s: not a complete HDF5 file: %s", r->path, why.text);
  else if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, r) < 0 && r->status == PRC_OK)
    r->status = prc_fail(err, PRC_INPUT, "%s: cannot be read: %s", r->path, prc_hdf5_last_reason().text);
  if (file >= 0) H5Fclose(file);
  prc_hdf5_errors_restore(before);
  return r->status;
}

/* ---- what came back ------------------------------------------------------------------------------------ */

static prc_status refuse_truncated(const prc_output_store *store, prc_error *err) {
  return prc_fail(err, PRC_INPUT, "%s: what was read of it cannot be understood", store->place.path);
}

static prc_status get_array(const prc_output_store *store, prc_bytes *bytes, prc_store_array *array,
                            prc_error *err) {
  prc_status status = PRC_OK;
  size_t length = 0;
  int whole = prc_bytes_get(bytes, &length, sizeof length) && length <= LONGEST_NAME;
  if (!whole) return refuse_truncated(store, err);
  prc_try(prc_new(&array->name, length + 1, err));
  whole = prc_bytes_get(bytes, array->name, length)
          && prc_bytes_get(bytes, &array->is_row, sizeof array->is_row)
          && prc_bytes_get(bytes, &array->n, sizeof array->n)
          && array->n <= (bytes->used - bytes->got) / sizeof *array->value;
  if (!whole) prc_try(refuse_truncated(store, err));
  prc_try(prc_new(&array->value, array->n, err));
  (void)prc_bytes_get(bytes, array->value, array->n * sizeof *array->value); /* there is as much */
done:
  return status;
}

static prc_status get_arrays(prc_output_store *store, prc_bytes *bytes, prc_error *err) {
  while (bytes->got < bytes->used) {
    prc_status status =
        prc_grow(&store->array, &store->capacity, store->n_arrays + 1, sizeof *store->array, err);
    if (status == PRC_OK) status = get_array(store, bytes, &store->array[store->n_arrays++], err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

prc_status prc_output_store_open(const prc_folder *in, const char *name, prc_output_store **out,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_bytes bytes = {0};
  reading r = {0};
  char what[300];
  prc_try(prc_store_new(in, name, &store, err));
  r.path = store->place.path;
  snprintf(what, sizeof what, "%.250s: reading it with HDF5", r.path);
  prc_try(prc_output_read_all(&store->place, &r.image, &r.n, err));
  prc_try(check_checksum(r.path, r.image, r.n, err));
  r.n -= PRC_STORE_TRAILER;
  const prc_subprocess_limits limits = {
      .what = what, .memory = 256e6 + 16.0 * (double)r.n, .seconds = PATIENCE};
  prc_try(prc_subprocess_run(&limits, read_image, &r, &bytes, err));
  prc_try(get_arrays(store, &bytes, err));
  *out = store, store = NULL;
done:
  prc_delete(&r.image);
  prc_delete(&bytes.at);
  prc_store_free(&store);
  return status;
}

/* ---- asking -------------------------------------------------------------------------------------------- */

static prc_status find(const prc_output_store *store, const char *name, const prc_store_array **out,
                       prc_error *err) {
  for (size_t k = 0; k < store->n_arrays; k++) {
    *out = &store->array[k];
    if (strcmp((*out)->name, name) != 0) continue;
    if ((*out)->is_row) return PRC_OK;
    return prc_fail(err, PRC_INPUT, "%s: '%s' is not a one-dimensional array of floating-point numbers",
                    store->place.path, name);
  }
  return prc_fail(err, PRC_INPUT, "%s: has no array '%s'", store->place.path, name);
}

prc_status prc_output_store_size(prc_output_store *store, const char *name, size_t *n, prc_error *err) {
  const prc_store_array *array = NULL;
  const prc_status status = find(store, name, &array, err);
  if (status == PRC_OK) *n = array->n;
  return status;
}

prc_status prc_output_store_get(prc_output_store *store, const char *name, size_t n, double *value,
                                prc_error *err) {
  const prc_store_array *array = NULL;
  const prc_status status = find(store, name, &array, err);
  if (status != PRC_OK || !array) return status;
  if (array->n != n)
    return prc_fail(err, PRC_INPUT, "%s: '%s' has %zu values, expected %zu", store->place.path, name,
                    array->n, n);
  if (n > 0) memcpy(value, array->value, n * sizeof *value);
  return PRC_OK;
}
