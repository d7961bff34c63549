#include "config.h"
#include "output/output.h"
#include "output/internal.h"
#include "output/store_internal.h"

#include <stdio.h>

/* A store being written lives in memory (HDF5's core driver) and its bytes go to disk at once when it is
 * closed: a full disk is then an ordinary failure to write, of which HDF5 need not recover, and half a file
 * is never seen. */

/* ---- life ---------------------------------------------------------------------------------------------- */

prc_status prc_store_new(const prc_folder *in, const char *name, prc_output_store **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_try(prc_new(&store, 1, err));
  store->file = -1;
  prc_try(prc_output_place_set(&store->place, in, name, err));
  *out = store, store = NULL;
done:
  prc_store_free(&store);
  return status;
}

void prc_store_free(prc_output_store **store) {
  if (!*store) return;
  prc_output_store *s = *store;
  if (s->file >= 0) H5Fclose(s->file);
  for (size_t k = 0; k < s->n_arrays; k++) {
    prc_delete(&s->array[k].name);
    prc_delete(&s->array[k].value);
  }
  prc_delete(&s->array);
  prc_output_place_clear(&s->place);
  prc_delete(&s->older);
  prc_delete(store);
}

/* Times are not tracked: the same arrays give the same bytes. HDF5 opens and closes what it finds of the
 * name: there is nothing below /dev/null. */
static hid_t create_in_memory(const char *path, prc_hdf5_reason *why) {
  char name[8192];
  snprintf(name, sizeof name, "/dev/null/%s", path);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;
  if (H5Pset_fapl_core(access, (size_t)1 << 20, 0) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
    file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  if (file < 0) *why = prc_hdf5_last_reason(); /* the calls below clear it */
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

prc_status prc_output_store_create(const prc_folder *in, const char *name, const char *older,
                                   prc_output_store **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_hdf5_reason why = {""};
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  prc_try(prc_store_new(in, name, &store, err));
  if (older) prc_try(prc_strdup(older, &store->older, err));
  store->writing = 1;
  store->file = create_in_memory(store->place.path, &why);
  if (store->file < 0)
    prc_try(prc_fail(err, PRC_IO, "%s: cannot be created: %s", store->place.path, why.text));
  *out = store, store = NULL;
done:
  prc_store_free(&store);
  prc_hdf5_errors_restore(before);
  return status;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static hid_t create_dataset(hid_t file, const char *name, size_t n, prc_hdf5_reason *why) {
  const hsize_t extent = n;
  const hid_t space = H5Screate_simple(1, &extent, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  hid_t data = -1;
  if (H5Pset_obj_track_times(creation, 0) >= 0 && H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0)
    data = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (data < 0) *why = prc_hdf5_last_reason(); /* the calls below clear it */
  H5Pclose(creation);
  H5Sclose(space);
  return data;
}

static prc_status refuse(const prc_output_store *store, const char *name, prc_error *err) {
  const prc_hdf5_reason why = prc_hdf5_last_reason();
  return prc_fail(err, PRC_IO, "%s: cannot store '%s': %s", store->place.path, name, why.text);
}

static prc_status put(prc_output_store *store, const char *name, size_t n, const double *value,
                      prc_error *err) {
  if (H5Lexists(store->file, name, H5P_DEFAULT) > 0)
    return prc_fail(err, PRC_IO, "%s: cannot store '%s': there is one already", store->place.path, name);
  prc_hdf5_reason why = {""};
  const hid_t data = create_dataset(store->file, name, n, &why);
  if (data < 0) return prc_fail(err, PRC_IO, "%s: cannot store '%s': %s", store->place.path, name, why.text);
  prc_status status = PRC_OK;
  if (n > 0 && H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
    status = refuse(store, name, err);
  if (H5Dclose(data) < 0 && status == PRC_OK) status = refuse(store, name, err);
  return status;
}

prc_status prc_output_store_put(prc_output_store *store, const char *name, size_t n, const double *value,
                                prc_error *err) {
  if (!store->writing || !*name || strchr(name, '/'))
    return prc_fail(err, PRC_INPUT,
                    "%s: cannot store '%s', expected a store being written and a name without '/'",
                    store->place.path, name);
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  const prc_status status = put(store, name, n, value, err);
  if (status != PRC_OK) store->failed = 1;
  prc_hdf5_errors_restore(before);
  return status;
}

/* ---- closing ------------------------------------------------------------------------------------------- */

void prc_store_checksum(const char *image, size_t n, char trailer[PRC_STORE_TRAILER]) {
  const uint64_t hash = prc_hash(PRC_HASH_START, image, n);
  for (int k = 0; k < 8; k++) trailer[k] = PRC_STORE_MARK[k];
  for (int k = 0; k < 8; k++) trailer[8 + k] = (char)(unsigned char)(hash >> (8 * k) & 0xff);
}

/* HDF5's bytes with the trailer behind them. */
static prc_status make_image(const prc_output_store *store, char **image, size_t *n, prc_error *err) {
  ssize_t bytes = -1;
  if (H5Fflush(store->file, H5F_SCOPE_GLOBAL) >= 0) bytes = H5Fget_file_image(store->file, NULL, 0);
  if (bytes >= 0) {
    *n = (size_t)bytes + PRC_STORE_TRAILER;
    const prc_status status = prc_new(image, *n, err);
    if (status != PRC_OK) return status;
    bytes = H5Fget_file_image(store->file, *image, (size_t)bytes);
  }
  if (bytes < 0)
    return prc_fail(err, PRC_IO, "%s: cannot be written: %s", store->place.path, prc_hdf5_last_reason().text);
  prc_store_checksum(*image, (size_t)bytes, *image + bytes);
  return PRC_OK;
}

/* The new file is complete on disk before the one that is there gets its older name, and whatever happens in
 * between one of the two is whole. */
static prc_status commit(const prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_folder *in = store->place.in;
  const char *name = store->place.name;
  const int at = prc_folder_descriptor(in);
  char *image = NULL;
  size_t n = 0;
  prc_try(make_image(store, &image, &n, err));
  prc_try(prc_output_prepare(in, name, image, n, err));
  if (store->older && renameat(at, name, at, store->older) != 0 && errno != ENOENT) {
    status = prc_output_fail(err, store->place.path, "the older one cannot be renamed");
    prc_output_discard(in, name);
    goto done;
  }
  prc_try(prc_output_commit(in, name, err));
done:
  prc_delete(&image);
  return status;
}

prc_status prc_output_store_close(prc_output_store **store, prc_error *err) {
  if (!*store) return PRC_OK;
  const prc_hdf5_error_handler before = prc_hdf5_errors_off();
  const int earlier = err && err->status != PRC_OK;
  prc_status status = PRC_OK;
  if ((*store)->writing && earlier)
    status = err->status;
  else if ((*store)->writing && (*store)->failed)
    status =
        prc_fail(err, PRC_IO, "%s: not written, because an array could not be stored", (*store)->place.path);
  else if ((*store)->writing)
    status = commit(*store, err);
  prc_store_free(store);
  prc_hdf5_errors_restore(before);
  return status;
}
