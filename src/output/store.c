#include "config.h"
#include "output/output.h"
#include "output/internal.h"

#include <assert.h>
#include <hdf5.h>
#include <stdio.h>
#include <sys/stat.h>

/* A store being written lives in memory (HDF5's core driver) and its bytes go to disk at once when it is
 * closed: a full disk is then an ordinary failure to write, of which HDF5 need not recover, and half a file
 * is never seen. */

struct prc_output_store {
  char *path;
  hid_t file; /* < 0: not open */
  int writing;
  int failed; /* a put failed: what we have is not a checkpoint */
};

/* HDF5 prints its error stack unless told not to; the caller's setting is put back. */
typedef struct {
  H5E_auto2_t print;
  void *to;
} voice;

static voice hush(void) {
  voice before = {NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &before.print, &before.to);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return before;
}

static void restore_voice(voice before) {
  H5Eset_auto2(H5E_DEFAULT, before.print, before.to);
}

/* ---- reasons ------------------------------------------------------------------------------------------- */

typedef struct {
  char text[256];
} reason;

static herr_t keep_innermost(unsigned n, const H5E_error2_t *e, void *to) {
  reason *why = to;
  if (n == 0 && e->desc) snprintf(why->text, sizeof why->text, "%s", e->desc);
  return 0;
}

/* HDF5's innermost sentence about the call that just failed. */
static reason last_reason(void) {
  reason why = {"no reason given"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &why);
  return why;
}

static prc_status fail(const prc_output_store *store, prc_status status, const char *doing, const char *name,
                       prc_error *err) {
  const reason why = last_reason();
  return prc_fail(err, status, "%s: %s '%s': %s", store->path, doing, name, why.text);
}

/* ---- creating and opening ------------------------------------------------------------------------------ */

static prc_status store_new(const char *path, prc_output_store **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_try(prc_new(&store, 1, err));
  store->file = -1;
  prc_try(prc_strdup(path, &store->path, err));
  *out = store, store = NULL;
done:
  prc_delete(&store);
  return status;
}

static void store_free(prc_output_store **store) {
  if (!*store) return;
  if ((*store)->file >= 0) H5Fclose((*store)->file);
  prc_delete(&(*store)->path);
  prc_delete(store);
}

/* Times are not tracked: the same arrays give the same bytes. */
static hid_t create_in_memory(const char *path, reason *why) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;
  if (H5Pset_fapl_core(access, (size_t)1 << 20, 0) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  if (file < 0) *why = last_reason(); /* the calls below clear it */
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

prc_status prc_output_store_create(const char *path, prc_output_store **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  const voice before = hush();
  prc_try(store_new(path, &store, err));
  store->writing = 1;
  reason why = {""};
  store->file = create_in_memory(path, &why);
  if (store->file < 0) prc_try(prc_fail(err, PRC_IO, "%s: cannot be created: %s", path, why.text));
  *out = store, store = NULL;
done:
  store_free(&store);
  restore_voice(before);
  return status;
}

/* HDF5 has no good sentence for a file that is absent, locked away or a folder; the system has. */
static prc_status check_readable(const char *path, prc_error *err) {
  struct stat about;
  FILE *file = fopen(path, "rb");
  if (!file) return prc_output_fail(err, path, "cannot be read");
  const int is_file = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
  fclose(file);
  return is_file ? PRC_OK : prc_fail(err, PRC_IO, "%s: cannot be read: it is not a file", path);
}

prc_status prc_output_store_open(const char *path, prc_output_store **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  const voice before = hush();
  prc_try(check_readable(path, err));
  prc_try(store_new(path, &store, err));
  store->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (store->file < 0)
    prc_try(prc_fail(err, PRC_INPUT, "%s: not a complete HDF5 file: %s", path, last_reason().text));
  *out = store, store = NULL;
done:
  store_free(&store);
  restore_voice(before);
  return status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static hid_t create_dataset(hid_t file, const char *name, size_t n, reason *why) {
  const hsize_t extent = n;
  const hid_t space = H5Screate_simple(1, &extent, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  hid_t data = -1;
  if (H5Pset_obj_track_times(creation, 0) >= 0 && H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0)
    data = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (data < 0) *why = last_reason(); /* the calls below clear it */
  H5Pclose(creation);
  H5Sclose(space);
  return data;
}

static prc_status put(prc_output_store *store, const char *name, size_t n, const double *value,
                      prc_error *err) {
  if (H5Lexists(store->file, name, H5P_DEFAULT) > 0)
    return prc_fail(err, PRC_IO, "%s: cannot store '%s': there is one already", store->path, name);
  reason why = {""};
  const hid_t data = create_dataset(store->file, name, n, &why);
  if (data < 0) return prc_fail(err, PRC_IO, "%s: cannot store '%s': %s", store->path, name, why.text);
  prc_status status = PRC_OK;
  if (n > 0 && H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
    status = fail(store, PRC_IO, "cannot store", name, err);
  if (H5Dclose(data) < 0 && status == PRC_OK) status = fail(store, PRC_IO, "cannot store", name, err);
  return status;
}

prc_status prc_output_store_put(prc_output_store *store, const char *name, size_t n, const double *value,
                                prc_error *err) {
  assert(store->writing && *name && !strchr(name, '/'));
  const voice before = hush();
  const prc_status status = put(store, name, n, value, err);
  if (status != PRC_OK) store->failed = 1;
  restore_voice(before);
  return status;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static int is_row_of_doubles(hid_t data) {
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  const int yes = H5Tget_class(type) == H5T_FLOAT && H5Sget_simple_extent_ndims(space) == 1;
  H5Sclose(space);
  H5Tclose(type);
  return yes;
}

static prc_status open_dataset(const prc_output_store *store, const char *name, hid_t *out, prc_error *err) {
  if (H5Lexists(store->file, name, H5P_DEFAULT) <= 0)
    return prc_fail(err, PRC_INPUT, "%s: has no array '%s'", store->path, name);
  const hid_t data = H5Dopen2(store->file, name, H5P_DEFAULT);
  if (data < 0) return fail(store, PRC_INPUT, "cannot read", name, err);
  if (!is_row_of_doubles(data)) {
    H5Dclose(data);
    return prc_fail(err, PRC_INPUT, "%s: '%s' is not a one-dimensional array of floating-point numbers",
                    store->path, name);
  }
  *out = data;
  return PRC_OK;
}

static size_t extent_of(hid_t data) {
  const hid_t space = H5Dget_space(data);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return points > 0 ? (size_t)points : 0;
}

prc_status prc_output_store_size(prc_output_store *store, const char *name, size_t *n, prc_error *err) {
  hid_t data = -1;
  const voice before = hush();
  const prc_status status = open_dataset(store, name, &data, err);
  if (status == PRC_OK) {
    *n = extent_of(data);
    H5Dclose(data);
  }
  restore_voice(before);
  return status;
}

prc_status prc_output_store_get(prc_output_store *store, const char *name, size_t n, double *value,
                                prc_error *err) {
  prc_status status = PRC_OK;
  hid_t data = -1;
  const voice before = hush();
  prc_try(open_dataset(store, name, &data, err));
  const size_t have = extent_of(data);
  if (have != n)
    prc_try(prc_fail(err, PRC_INPUT, "%s: '%s' has %zu values, expected %zu", store->path, name, have, n));
  if (n > 0 && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
    prc_try(fail(store, PRC_INPUT, "cannot read", name, err));
done:
  if (data >= 0) H5Dclose(data);
  restore_voice(before);
  return status;
}

/* ---- closing ------------------------------------------------------------------------------------------- */

static prc_status commit(const prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  char *image = NULL;
  ssize_t bytes = -1;
  if (H5Fflush(store->file, H5F_SCOPE_GLOBAL) >= 0) bytes = H5Fget_file_image(store->file, NULL, 0);
  if (bytes < 0) prc_try(prc_fail(err, PRC_IO, "%s: cannot be written: %s", store->path, last_reason().text));
  prc_try(prc_new(&image, bytes, err));
  if (H5Fget_file_image(store->file, image, (size_t)bytes) < 0)
    prc_try(prc_fail(err, PRC_IO, "%s: cannot be written: %s", store->path, last_reason().text));
  prc_try(prc_output_replace(store->path, image, (size_t)bytes, err));
done:
  prc_delete(&image);
  return status;
}

prc_status prc_output_store_close(prc_output_store **store, prc_error *err) {
  if (!*store) return PRC_OK;
  const voice before = hush();
  const int earlier = err && err->status != PRC_OK;
  prc_status status = PRC_OK;
  if ((*store)->writing && earlier)
    status = err->status;
  else if ((*store)->writing && (*store)->failed)
    status = prc_fail(err, PRC_IO, "%s: not written, because an array could not be stored", (*store)->path);
  else if ((*store)->writing)
    status = commit(*store, err);
  store_free(store);
  restore_voice(before);
  return status;
}
