#include "config.h"
#include "output/output.h"
#include "output/store_internal.h"
#include "support/files.h"
#include "support/support.h"

#include <fcntl.h>
#include <float.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- checkpoints --------------------------------------------------------------------------------------- */

static const double state[5] = {1.0, -0.0, 1.0 / 3.0, DBL_TRUE_MIN, -DBL_MAX};

static prc_status write_store(const char *path, size_t n, const double *value, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_try(prc_output_store_create(NULL, path, NULL, &store, err));
  prc_try(prc_output_store_put(store, "q", n, value, err));
  prc_try(prc_output_store_put(store, "p", 0, NULL, err));
done:
  if (store) status = prc_output_store_close(&store, err);
  return status;
}

START_TEST(a_store_returns_the_same_bits_and_sizes) {
  double back[5];
  size_t n = 99;
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = support_fresh("state.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  ck_assert(!support_part_exists(path));
  support_ok(prc_output_store_open(NULL, path, &store, &err), &err);
  support_ok(prc_output_store_size(store, "q", &n, &err), &err);
  ck_assert_uint_eq(n, 5);
  support_ok(prc_output_store_get(store, "q", 5, back, &err), &err);
  ck_assert_mem_eq(back, state, sizeof state);
  support_ok(prc_output_store_size(store, "p", &n, &err), &err);
  ck_assert_uint_eq(n, 0);
  support_ok(prc_output_store_get(store, "p", 0, NULL, &err), &err);
  support_ok(prc_output_store_close(&store, &err), &err);
  ck_assert_ptr_null(store);
  support_ok(prc_output_store_close(&store, &err), &err);
}
END_TEST

START_TEST(a_large_store_comes_back_whole) {
  enum { N = 400000 };
  double *value = calloc(N, sizeof *value), *back = calloc(N, sizeof *back);
  prc_output_store *store = NULL;
  prc_error err = {0};
  prc_random random = {3};
  for (int i = 0; i < N; i++) value[i] = prc_random_uniform(&random, -1.0, 1.0);
  support_ok(write_store(support_out("large.h5"), N, value, &err), &err);
  support_ok(prc_output_store_open(NULL, support_out("large.h5"), &store, &err), &err);
  support_ok(prc_output_store_get(store, "q", N, back, &err), &err);
  support_ok(prc_output_store_close(&store, &err), &err);
  ck_assert(memcmp(value, back, N * sizeof *value) == 0);
  free(value);
  free(back);
}
END_TEST

START_TEST(the_same_arrays_give_the_same_bytes) {
  size_t n_one, n_two;
  prc_error err = {0};
  support_ok(write_store(support_out("one.h5"), 5, state, &err), &err);
  sleep(1); /* HDF5's times count in seconds */
  support_ok(write_store(support_out("two.h5"), 5, state, &err), &err);
  char *one = support_read_bytes(support_out("one.h5"), &n_one),
       *two = support_read_bytes(support_out("two.h5"), &n_two);
  ck_assert_uint_eq(n_one, n_two);
  ck_assert(memcmp(one, two, n_one) == 0);
  free(one);
  free(two);
}
END_TEST

START_TEST(a_store_refuses_wrong_sizes_and_names) {
  double back[8];
  size_t n;
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = support_fresh("refuses.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  support_ok(prc_output_store_open(NULL, path, &store, &err), &err);
  support_fails(prc_output_store_get(store, "q", 8, back, &err), PRC_INPUT, &err,
                "'q' has 5 values, expected 8");
  ck_assert_ptr_nonnull(strstr(err.message, path));
  prc_error_clear(&err);
  support_fails(prc_output_store_get(store, "v", 5, back, &err), PRC_INPUT, &err, "has no array 'v'");
  prc_error_clear(&err);
  support_fails(prc_output_store_size(store, "v", &n, &err), PRC_INPUT, &err, "has no array 'v'");
  prc_error_clear(&err);
  support_ok(prc_output_store_close(&store, &err), &err);
}
END_TEST

static void refuse_store(const char *path, prc_status expected, const char *why) {
  prc_output_store *store = NULL;
  prc_error err = {0};
  support_fails(prc_output_store_open(NULL, path, &store, &err), expected, &err, path);
  ck_assert_msg(strstr(err.message, why) != NULL, "message is '%s', expected '%s' in it", err.message, why);
  ck_assert_ptr_null(store);
}

START_TEST(files_that_are_no_store_are_refused_with_their_path) {
  size_t n;
  prc_error err = {0};
  const char *path = support_fresh("damaged.h5");
  refuse_store(path, PRC_IO, "No such file or directory");
  refuse_store(support_out(""), PRC_IO, "it is a directory");
  refuse_store("/dev/null", PRC_IO, "it is not a file");
  support_write_bytes(path, "", 0);
  refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  support_write_bytes(path, "time,energy\n0,1\n", 16);
  refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = support_read_bytes(path, &n);
  for (size_t keep = 8; keep < n; keep += 1 + n / 13) {
    support_write_bytes(path, bytes, keep);
    refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  }
  free(bytes);
}
END_TEST

/* Puts the checksum behind a file, as if percuss had written it. */
static void seal(const char *path) {
  size_t n;
  char *bytes = support_read_bytes(path, &n), *sealed = calloc(1, n + PRC_STORE_TRAILER);
  ck_assert_ptr_nonnull(sealed);
  memcpy(sealed, bytes, n);
  prc_store_checksum(bytes, n, sealed + n);
  support_write_bytes(path, sealed, n + PRC_STORE_TRAILER);
  free(bytes);
  free(sealed);
}

START_TEST(any_flipped_bit_is_refused) {
  size_t n;
  prc_error err = {0};
  const char *path = support_fresh("flipped.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = support_read_bytes(path, &n);
  for (size_t bit = 0; bit < 8 * n; bit += 31) {
    bytes[bit / 8] ^= (char)(1 << bit % 8);
    support_write_bytes(path, bytes, n);
    refuse_store(path, PRC_INPUT, ""); /* by the signature, the mark or the checksum */
    bytes[bit / 8] ^= (char)(1 << bit % 8);
  }
  bytes[n / 2] ^= 4;
  support_write_bytes(path, bytes, n);
  refuse_store(path, PRC_INPUT, "is damaged: its checksum is not that of its content");
  free(bytes);
}
END_TEST

START_TEST(the_store_before_is_kept) {
  double back;
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = support_fresh("new.h5"), *older = support_fresh("old.h5");
  for (double value = 1.0; value <= 3.0; value++) {
    support_ok(prc_output_store_create(NULL, path, older, &store, &err), &err);
    support_ok(prc_output_store_put(store, "q", 1, &value, &err), &err);
    support_ok(prc_output_store_close(&store, &err), &err);
  }
  support_ok(prc_output_store_open(NULL, path, &store, &err), &err);
  support_ok(prc_output_store_get(store, "q", 1, &back, &err), &err);
  ck_assert(back == 3.0);
  support_ok(prc_output_store_close(&store, &err), &err);
  support_ok(prc_output_store_open(NULL, older, &store, &err), &err);
  support_ok(prc_output_store_get(store, "q", 1, &back, &err), &err);
  ck_assert(back == 2.0);
  support_ok(prc_output_store_close(&store, &err), &err);
}
END_TEST

START_TEST(damage_under_a_good_checksum_is_a_message) {
  size_t n;
  prc_error err = {0};
  const char *path = support_fresh("forged.h5");
  prc_random r = {7};
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = support_read_bytes(path, &n);
  for (int k = 0; k < 60; k++) { /* HDF5 sees these, in its own process */
    prc_output_store *store = NULL;
    const size_t at = 8 + (size_t)(prc_random_bits(&r) % (n - PRC_STORE_TRAILER - 8));
    const char was = bytes[at];
    bytes[at] = (char)prc_random_bits(&r);
    support_write_bytes(path, bytes, n - PRC_STORE_TRAILER);
    bytes[at] = was;
    seal(path);
    prc_error_clear(&err);
    if (prc_output_store_open(NULL, path, &store, &err) != PRC_OK)
      ck_assert_ptr_nonnull(strstr(err.message, "forged.h5"));
    ck_assert_int_eq(prc_output_store_close(&store, NULL), PRC_OK);
  }
  free(bytes);
}
END_TEST

START_TEST(what_is_not_a_row_of_doubles_is_refused) {
  double back[4];
  const hsize_t extent[2] = {2, 2};
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = support_fresh("foreign.h5");
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t row = H5Screate_simple(1, extent, NULL), table = H5Screate_simple(2, extent, NULL);
  H5Dclose(H5Dcreate2(file, "integers", H5T_STD_I32LE, row, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file, "table", H5T_IEEE_F64LE, table, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(row);
  H5Sclose(table);
  H5Fclose(file);
  seal(path);
  support_ok(prc_output_store_open(NULL, path, &store, &err), &err);
  support_fails(prc_output_store_get(store, "integers", 2, back, &err), PRC_INPUT, &err,
                "'integers' is not a");
  prc_error_clear(&err);
  support_fails(prc_output_store_get(store, "table", 4, back, &err), PRC_INPUT, &err, "'table' is not a");
  prc_error_clear(&err);
  support_fails(prc_output_store_get(store, "group", 4, back, &err), PRC_INPUT, &err, "'group'");
  prc_error_clear(&err);
  support_ok(prc_output_store_close(&store, &err), &err);
}
END_TEST

/* A file of one array of that name and length, of which nothing was ever written, and of some empty ones. */
static void write_foreign(const char *path, const char *name, hsize_t length, int n_more) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
              row = H5Screate_simple(1, &length, NULL), none = H5Screate(H5S_NULL);
  char other[16];
  H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, row, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int k = 0; k < n_more; k++) {
    snprintf(other, sizeof other, "a%d", k);
    H5Dclose(H5Dcreate2(file, other, H5T_IEEE_F64LE, none, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Sclose(none);
  H5Sclose(row);
  H5Fclose(file);
  seal(path);
}

START_TEST(what_no_checkpoint_has_is_refused) {
  char name[300] = "";
  const char *path = support_fresh("strange.h5");
  memset(name, 'q', 256);
  write_foreign(path, name, 1, 0);
  refuse_store(path, PRC_INPUT, "has more than 1000 arrays, or a name longer than 255");
  write_foreign(path, "q", 1, 1000);
  refuse_store(path, PRC_INPUT, "has more than 1000 arrays, or a name longer than 255");
  write_foreign(path, "q", 1 << 20, 0);
  refuse_store(path, PRC_INPUT, "'q' claims 1048576 values, expected no more than the file holds");
}
END_TEST

START_TEST(a_checkpoint_that_fails_leaves_the_old_one) {
  static double many[50000];
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = support_fresh("kept.h5");
  size_t n_before, n_after;
  support_ok(write_store(path, 5, state, &err), &err);
  char *before = support_read_bytes(path, &n_before);

  const struct rlimit limit = support_limit_files(100000); /* a full disk */
  const prc_status status = write_store(path, 50000, many, &err);
  support_unlimit_files(limit);
  support_fails(status, PRC_IO, &err, path);
  ck_assert(!support_part_exists(path));
  prc_error_clear(&err);

  support_ok(prc_output_store_create(NULL, path, NULL, &store, &err), &err); /* a name used twice */
  support_ok(prc_output_store_put(store, "q", 1, state, &err), &err);
  support_fails(prc_output_store_put(store, "q", 1, state, &err), PRC_IO, &err, "'q': there is one already");
  prc_error_clear(&err);
  support_fails(prc_output_store_close(&store, &err), PRC_IO, &err, "not written");
  prc_error_clear(&err);

  support_ok(prc_output_store_create(NULL, path, NULL, &store, &err),
             &err); /* the caller failed before it was complete */
  ck_assert_int_eq(prc_fail(&err, PRC_DIVERGED, "elsewhere"), PRC_DIVERGED);
  support_fails(prc_output_store_close(&store, &err), PRC_DIVERGED, &err, "elsewhere");

  char *after = support_read_bytes(path, &n_after);
  ck_assert_uint_eq(n_before, n_after);
  ck_assert(memcmp(before, after, n_before) == 0);
  free(before);
  free(after);
}
END_TEST

START_TEST(a_store_in_a_missing_folder_is_refused_with_its_path) {
  prc_error err = {0};
  const char *path = support_out("nowhere/a.h5");
  support_fails(write_store(path, 5, state, &err), PRC_IO, &err, path);
  ck_assert_ptr_nonnull(strstr(err.message, "No such file or directory"));
}
END_TEST

static herr_t listener(hid_t stack, void *to) {
  return (void)stack, (void)to, 0;
}

START_TEST(the_callers_setting_of_hdf5_messages_survives) {
  H5E_auto2_t now = NULL;
  void *to = NULL;
  int mine = 0;
  H5Eset_auto2(H5E_DEFAULT, listener, &mine);
  refuse_store(support_fresh("absent.h5"), PRC_IO, "cannot be read");
  H5Eget_auto2(H5E_DEFAULT, &now, &to);
  H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)H5Eprint2, stderr);
  ck_assert(now == listener);
  ck_assert_ptr_eq(to, &mine);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------------- */

SUITE(store) {
  Suite *suite = suite_create("store");
  TCase *tc = tcase_create("checkpoints");
  tcase_add_test(tc, a_store_returns_the_same_bits_and_sizes);
  tcase_add_test(tc, a_large_store_comes_back_whole);
  tcase_add_test(tc, the_same_arrays_give_the_same_bytes);
  tcase_add_test(tc, a_store_refuses_wrong_sizes_and_names);
  tcase_add_test(tc, files_that_are_no_store_are_refused_with_their_path);
  tcase_add_test(tc, any_flipped_bit_is_refused);
  tcase_add_test(tc, the_store_before_is_kept);
  tcase_add_test(tc, damage_under_a_good_checksum_is_a_message);
  tcase_add_test(tc, what_is_not_a_row_of_doubles_is_refused);
  tcase_add_test(tc, what_no_checkpoint_has_is_refused);
  tcase_add_test(tc, a_checkpoint_that_fails_leaves_the_old_one);
  tcase_add_test(tc, a_store_in_a_missing_folder_is_refused_with_its_path);
  tcase_add_test(tc, the_callers_setting_of_hdf5_messages_survives);
  suite_add_tcase(suite, tc);
  return suite;
}
