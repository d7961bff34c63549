#include "config.h"
#include "cone/fclib.h"
#include "support/support.h"

#include <float.h>
#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- support: files made through HDF5, so that they can be wrong ------------------------------------------------- */

static const char *out(const char *name) {
  char relative[256];
  const char *folder = support_build("fclib.tmp");
  mkdir(folder, 0777);
  snprintf(relative, sizeof relative, "fclib.tmp/%s", name);
  return support_build(relative);
}

static int exists(const char *path) {
  return access(path, F_OK) == 0;
}

static void put(hid_t file, const char *name, hid_t type, size_t n, const void *value) {
  const hsize_t length = n;
  const hid_t space = H5Screate_simple(1, &length, NULL), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  H5E_auto2_t print;
  void *to;
  H5Eget_auto2(H5E_DEFAULT, &print, &to);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Ldelete(file, name, H5P_DEFAULT); /* if it is there */
  H5Eset_auto2(H5E_DEFAULT, print, to);
  const hid_t data = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(data, 0);
  if (n > 0) ck_assert_int_ge(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value), 0);
  H5Dclose(data);
  H5Pclose(links);
  H5Sclose(space);
}

static void put_reals(hid_t file, const char *name, size_t n, const double *value) {
  put(file, name, H5T_NATIVE_DOUBLE, n, value);
}

static void put_ints(hid_t file, const char *name, size_t n, const int *value) {
  put(file, name, H5T_NATIVE_INT, n, value);
}

static void put_int(hid_t file, const char *name, int value) {
  put_ints(file, name, 1, &value);
}

typedef struct {
  int m, n, nz, nzmax, n_p, n_i;
  const int *p, *i;
  const double *x;
} stored;

static void put_matrix(hid_t file, const char *group, const stored *A) {
  char name[64];
#define MEMBER(text) (snprintf(name, sizeof name, "%s/" text, group), name)
  put_int(file, MEMBER("m"), A->m);
  put_int(file, MEMBER("n"), A->n);
  put_int(file, MEMBER("nz"), A->nz);
  put_int(file, MEMBER("nzmax"), A->nzmax);
  put_ints(file, MEMBER("p"), (size_t)A->n_p, A->p);
  put_ints(file, MEMBER("i"), (size_t)A->n_i, A->i);
  put_reals(file, MEMBER("x"), (size_t)A->n_i, A->x);
#undef MEMBER
}

/* The same 4 x 4 matrix, two contacts in 2D, not symmetric:
 *   4 1 0 2
 *   0 3 0 0
 *   0 5 6 0
 *   7 0 0 8  */
static const double full[16] = {4, 1, 0, 2, 0, 3, 0, 0, 0, 5, 6, 0, 7, 0, 0, 8};
static const stored by_columns = {.m = 4,
                                  .n = 4,
                                  .nz = -1,
                                  .nzmax = 8,
                                  .n_p = 5,
                                  .n_i = 8,
                                  .p = (const int[]){0, 2, 5, 6, 8},
                                  .i = (const int[]){0, 3, 0, 1, 2, 2, 0, 3},
                                  .x = (const double[]){4, 7, 1, 3, 5, 6, 2, 8}};
static const stored by_rows = {.m = 4,
                               .n = 4,
                               .nz = -2,
                               .nzmax = 20, /* may exceed what there is */
                               .n_p = 5,
                               .n_i = 8,
                               .p = (const int[]){0, 3, 4, 6, 8},
                               .i = (const int[]){3, 0, 1, 1, 2, 1, 0, 3}, /* in no order within a row */
                               .x = (const double[]){2, 4, 1, 3, 6, 5, 7, 8}};
/* i the rows, p the columns; W(0, 0) in two parts, an explicit zero, and arrays longer than nz */
static const stored by_triplets = {.m = 4,
                                   .n = 4,
                                   .nz = 10,
                                   .nzmax = 64,
                                   .n_p = 12,
                                   .n_i = 12,
                                   .p = (const int[]){3, 3, 0, 0, 0, 1, 1, 1, 2, 0, 99, 99},
                                   .i = (const int[]){3, 0, 3, 0, 0, 2, 1, 0, 2, 1, 99, 99},
                                   .x = (const double[]){8, 2, 7, 1, 3, 5, 3, 1, 6, 0, 0, 0}};

static hid_t create(const char *path) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  return file;
}

static const double q[4] = {-1.0, 0.5, 2.0, -0.25}, mu[2] = {0.3, 0.0};

static const char *local_file(const char *name, const stored *W) {
  const char *path = out(name);
  const hid_t file = create(path);
  put_int(file, "/fclib_local/spacedim", 2);
  put_matrix(file, "/fclib_local/W", W);
  put_reals(file, "/fclib_local/vectors/q", 4, q);
  put_reals(file, "/fclib_local/vectors/mu", 2, mu);
  H5Fclose(file);
  return path;
}

/* M = 2 x 2, general; H = 2 x 3: one contact in 3D. */
static const stored M = {.m = 2,
                         .n = 2,
                         .nz = 3,
                         .nzmax = 3,
                         .n_p = 3,
                         .n_i = 3,
                         .p = (const int[]){0, 1, 1},
                         .i = (const int[]){0, 0, 1},
                         .x = (const double[]){2, 1, 4}};
static const stored H = {.m = 2,
                         .n = 3,
                         .nz = -1,
                         .nzmax = 4,
                         .n_p = 4,
                         .n_i = 4,
                         .p = (const int[]){0, 1, 3, 4},
                         .i = (const int[]){0, 0, 1, 1},
                         .x = (const double[]){1, 2, 1, 3}};

static const char *global_file(const char *name) {
  const char *path = out(name);
  const hid_t file = create(path);
  put_int(file, "/fclib_global/spacedim", 3);
  put_matrix(file, "/fclib_global/M", &M);
  put_matrix(file, "/fclib_global/H", &H);
  put_reals(file, "/fclib_global/vectors/f", 2, (const double[]){4, 8});
  put_reals(file, "/fclib_global/vectors/w", 3, (const double[]){-1, 0, 1});
  put_reals(file, "/fclib_global/vectors/mu", 1, (const double[]){0.5});
  H5Fclose(file);
  return path;
}

static prc_fclib *read_good(const char *path) {
  prc_error err = {0};
  prc_fclib *f = NULL;
  support_ok(prc_fclib_read(path, &f, &err), &err);
  return f;
}

/* The file is refused as PRC_INPUT, with its name and these words. */
static void refused(const char *path, const char *text) {
  prc_error err = {0};
  prc_fclib *f = NULL;
  prc_cone_problem problem;
  prc_status status = prc_fclib_read(path, &f, &err);
  if (status == PRC_OK) status = prc_fclib_problem(f, &problem, &err);
  ck_assert_msg(status == PRC_INPUT, "status %d, '%s', expected '%s'", status, err.message, text);
  ck_assert_msg(strstr(err.message, text) && strncmp(err.message, path, strlen(path)) == 0,
                "message is '%s', expected '%s' in it", err.message, text);
  prc_fclib_free(&f);
}

static void assert_same(size_t n, const double *a, const double *b) {
  for (size_t k = 0; k < n; k++)
    ck_assert_msg(memcmp(&a[k], &b[k], sizeof *a) == 0, "[%zu]: %a, %a", k, a[k], b[k]);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

static void assert_full(prc_fclib *f, prc_fclib_storage how) {
  prc_error err = {0};
  prc_cone_problem dense, sparse;
  double w[2][4];
  ck_assert_int_eq(f->global, 0);
  ck_assert_int_eq(f->dim, 2);
  ck_assert_int_eq(f->n, 2);
  ck_assert_int_eq((int)f->W.stored, (int)how);
  support_ok(prc_fclib_dense(f, &dense, &err), &err);
  support_ok(prc_fclib_blocks(f, &sparse, &err), &err);
  support_ok(prc_cone_problem_check(&dense, &err), &err);
  support_ok(prc_cone_problem_check(&sparse, &err), &err);
  assert_same(16, dense.W, full);
  assert_same(4, dense.b, q);
  assert_same(2, dense.mu, mu);
  for (int j = 0; j < 4; j++) { /* by blocks it is the same matrix */
    double p[4] = {0.0};
    p[j] = 1.0;
    prc_cone_velocity(&dense, p, w[0]);
    prc_cone_velocity(&sparse, p, w[1]);
    for (int i = 0; i < 4; i++) {
      ck_assert_double_eq(w[0][i], full[4 * i + j] + q[i]);
      ck_assert_double_eq(w[1][i], w[0][i]);
    }
  }
  prc_fclib_free(&f);
}

START_TEST(three_storage_forms_are_one_matrix) {
  assert_full(read_good(local_file("columns.hdf5", &by_columns)), PRC_FCLIB_COLUMNS);
  assert_full(read_good(local_file("rows.hdf5", &by_rows)), PRC_FCLIB_ROWS);
  assert_full(read_good(local_file("triplets.hdf5", &by_triplets)), PRC_FCLIB_TRIPLETS);
}
END_TEST

START_TEST(texts_and_states_are_optional) {
  prc_fclib *f = read_good(local_file("plain.hdf5", &by_columns));
  ck_assert_str_eq(f->title, "");
  ck_assert_str_eq(f->description, "");
  ck_assert_int_eq(f->n_guesses, 0);
  ck_assert_int_eq(f->has_solution, 0);
  prc_fclib_free(&f);
}
END_TEST

START_TEST(texts_may_have_any_bytes) {
  const char *path = local_file("texts.hdf5", &by_columns), *variable = "a variable one";
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
  const char bytes[4] = {'a', '\xff', '\xc3', 'z'}; /* not UTF-8, not terminated */
  H5Tset_size(type, 4);
  put(file, "/fclib_local/info/title", type, 1, bytes);
  H5Tset_size(type, H5T_VARIABLE);
  put(file, "/fclib_local/info/description", type, 1, &variable);
  put_int(file, "/fclib_local/info/math_info", 3); /* no text: as if it were absent */
  H5Tclose(type);
  H5Fclose(file);
  prc_fclib *f = read_good(path);
  ck_assert_uint_eq(strlen(f->title), 4);
  ck_assert_mem_eq(f->title, bytes, 4);
  ck_assert_str_eq(f->description, ""); /* of variable length: left out, as FCLib has none */
  ck_assert_str_eq(f->math_info, "");
  prc_fclib_free(&f);
}
END_TEST

/* M^-1 = [1/2 -1/8; 0 1/4]: by hand, W = H' M^-1 H, b = w + H' M^-1 f with M^-1 f = (1, 2). */
START_TEST(global_problems_are_condensed_with_general_M) {
  static const double W[9] = {0.5, 0.875, -0.375, 1.0, 2.0, 0.0, 0.0, 0.75, 2.25}, b[3] = {0, 4, 7};
  prc_error err = {0};
  prc_cone_problem problem;
  prc_fclib *f = read_good(global_file("global.hdf5"));
  double v[2];
  ck_assert_int_eq(f->global, 1);
  ck_assert_int_eq(f->n_velocities, 2);
  support_ok(prc_fclib_problem(f, &problem, &err), &err);
  for (int k = 0; k < 9; k++) ck_assert_double_eq_tol(problem.W[k], W[k], 1e-15);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(problem.b[k], b[k], 1e-14);
  support_ok(prc_fclib_velocity(f, (const double[]){2, 0, 0}, v, &err), &err); /* M^-1 (6, 8) */
  ck_assert_double_eq_tol(v[0], 2.0, 1e-15);
  ck_assert_double_eq_tol(v[1], 2.0, 1e-15);
  prc_fclib_free(&f);
}
END_TEST

/* The same problem without W: its products and its b are those of the condensed one, whichever is made first. */
START_TEST(global_problems_are_what_they_are_when_condensed) {
  static const double p[3] = {1.5, -0.5, 0.25};
  prc_error err = {0};
  prc_cone_problem condensed, whole;
  prc_fclib *f = read_good(global_file("whole.hdf5"));
  double w[3], v[3];
  support_ok(prc_fclib_whole(f, &whole, &err), &err);
  prc_cone_velocity(&whole, p, v);
  support_ok(prc_cone_problem_check(&whole, &err), &err);
  support_ok(prc_fclib_problem(f, &condensed, &err), &err);
  support_ok(prc_fclib_whole(f, &whole, &err), &err);
  prc_cone_velocity(&condensed, p, w);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(v[k], w[k], 1e-14);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(whole.b[k], condensed.b[k], 1e-14);
  prc_fclib_free(&f);
  f = read_good(local_file("local.hdf5", &by_columns));
  ck_assert_int_eq(prc_fclib_whole(f, &whole, &err), PRC_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "a local problem, expected a global one"));
  prc_fclib_free(&f);
}
END_TEST

START_TEST(nothing_in_touch_is_a_problem_too) {
  const char *path = out("empty.hdf5");
  prc_error err = {0};
  prc_cone_problem problem = {.dim = 3, .W = (double[1]){0}, .b = (double[1]){0}, .mu = (double[1]){0}};
  support_ok(prc_fclib_write(NULL, path, &problem, NULL, &err), &err);
  prc_fclib *f = read_good(path);
  ck_assert_int_eq(f->n, 0);
  support_ok(prc_fclib_problem(f, &problem, &err), &err);
  support_ok(prc_fclib_blocks(f, &problem, &err), &err);
  prc_fclib_free(&f);
}
END_TEST

/* ---- refusing ------------------------------------------------------------------------------------------------------------ */

typedef struct {
  const char *name; /* dataset to replace, or to delete when n < 0 */
  int n;
  int integer[6];
  double real[6];
  int is_real;
  const char *text;
} fault;

#define INTS(name, n, text, ...)                                                                             \
  { name, n, {__VA_ARGS__}, {0}, 0, text }
#define REALS(name, n, text, ...)                                                                            \
  { name, n, {0}, {__VA_ARGS__}, 1, text }
#define GONE(name) INTS(name, -1, name " is missing", 0)
#define L          "/fclib_local/"
#define G          "/fclib_global/"

static void spoil(const char *path, const fault *what) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (what->n < 0)
    ck_assert_int_ge(H5Ldelete(file, what->name, H5P_DEFAULT), 0);
  else if (what->is_real)
    put_reals(file, what->name, (size_t)what->n, what->real);
  else
    put_ints(file, what->name, (size_t)what->n, what->integer);
  H5Fclose(file);
}

static const fault of_columns[] = {
    GONE(L "spacedim"),
    GONE(L "W/m"),
    GONE(L "W/n"),
    GONE(L "W/nz"),
    GONE(L "W/nzmax"),
    GONE(L "W/p"),
    GONE(L "W/i"),
    GONE(L "W/x"),
    GONE(L "vectors/q"),
    GONE(L "vectors/mu"),
    INTS(L "W", -1, L "W/m is missing", 0),
    INTS(L "vectors", -1, L "vectors/mu is missing", 0),
    INTS("/fclib_local", -1, "neither /fclib_local and /fclib_global", 0),
    INTS("/fclib_global", 1, "both /fclib_local and /fclib_global", 0),
    INTS(L "spacedim", 1, L "spacedim is 4, expected a number from 2 to 3", 4),
    INTS(L "spacedim", 1, L "spacedim is 1, expected a number from 2 to 3", 1),
    INTS(L "spacedim", 2, L "spacedim has 2 values, expected a single one", 2, 2),
    INTS(L "spacedim", 0, L "spacedim has 0 values, expected a single one", 0),
    REALS(L "spacedim", 1, L "spacedim has values of another type, expected integers", 2),
    INTS(L "spacedim", 1, L "W/m is 4, expected 6 rows: spacedim for each value of vectors/mu", 3),
    INTS(L "W/m", 1, L "W/m is 5, expected 4 rows", 5),
    INTS(L "W/m", 1, L "W/m is -4, expected a number from 0", -4),
    INTS(L "W/n", 1, L "W/n is 2147483647, expected a number from 0", INT_MAX),
    INTS(L "W/n", 1, L "W/n is 3, expected 4 columns", 3),
    INTS(L "W/nz", 1, L "W/nz is -3, expected a number from -2", -3),
    INTS(L "W/nz", 1, L "W/p has 5 values, expected at least nz = 8", 8),
    INTS(L "W/nz", 1, L "W/i has 8 values, expected at least nz = 100000", 100000),
    INTS(L "W/nzmax", 1, L "W/nzmax is 7, expected at least the 8 entries", 7),
    INTS(L "W/nzmax", 1, L "W/nzmax is -1, expected a number from 0", -1),
    INTS(L "W/p", 4, L "W/p has 4 values, expected 5: one more than there are columns", 0, 2, 5, 8),
    INTS(L "W/p", 6, L "W/p has 6 values, expected 5", 0, 2, 5, 6, 8, 8),
    INTS(L "W/p", 5, L "W/p[0] is 1, expected 0", 1, 2, 5, 6, 8),
    INTS(L "W/p", 5, L "W/p[2] is 1, expected at least the 2 before it", 0, 2, 1, 6, 8),
    INTS(L "W/p", 5, L "W/p[1] is -1, expected at least the 0 before it", 0, -1, 5, 6, 8),
    INTS(L "W/p", 5, L "W/p[4] is 9, expected at most the 8 values of " L "W/i", 0, 2, 5, 6, 9),
    INTS(L "W/i", 5, L "W/x has 8 values, expected as many as " L "W/i, which has 5", 0, 1, 2, 3, 0),
    REALS(L "W/p", 5, L "W/p has values of another type, expected integers", 0, 2, 5, 6, 8),
    INTS(L "W/x", 5, L "W/x has values of another type, expected floating-point", 0, 2, 5, 6, 8),
    REALS(L "vectors/q", 3, L "vectors/q has 3 values, expected 4", 0, 0, 0),
    REALS(L "vectors/q", 4, L "vectors/q[3] is nan, expected a finite number", 0, 0, 0, NAN),
    REALS(L "vectors/q", 4, L "vectors/q[0] is -inf, expected a finite number", -INFINITY, 0, 0, 0),
    REALS(L "vectors/mu", 2, L "vectors/mu[1] is -0.5, expected a number in [0, 1e+08]", 0.5, -0.5),
    REALS(L "vectors/mu", 2, L "vectors/mu[0] is 1e+12, expected a number in [0, 1e+08]", 1e12, 0.5),
    REALS(L "vectors/mu", 2, L "vectors/mu[0] is nan, expected a finite number", NAN, 0.5),
    REALS(L "vectors/mu", 3, L "W/m is 4, expected 6 rows", 0, 0, 0),
    REALS(L "vectors/mu", 0, L "W/m is 4, expected 0 rows", 0),
    INTS(L "V/n", 1, L "V has 2 columns of bilateral constraints", 2),
    INTS(L "V/m", 1, L "V/n is missing", 2),
    INTS("/solution/r", 1, "/solution/r has values of another type", 2),
    REALS("/solution/r", 4, "/solution/u is missing", 0, 0, 0, 0),
    REALS("/solution/r", 3, "/solution/r has 3 values, expected 4", 0, 0, 0),
    REALS("/solution/r", 4, "/solution/r[2] is inf, expected a finite number", 0, 0, INFINITY, 0),
    INTS("/guesses/number_of_guesses", 1, "/guesses/1/r is missing", 2000000),
    INTS("/guesses/number_of_guesses", 1, "/guesses/number_of_guesses is -1", -1),
    INTS("/guesses/1", 1, "/guesses/number_of_guesses is missing", 0),
    INTS("/solution", 1, "/solution/r is missing", 0),
};

static const fault of_triplets[] = {
    INTS(L "W/nz", 1, L "W/i has 12 values, expected at least nz = 13", 13),
    INTS(L "W/nz", 1, L "W/p[10] is 99, expected a column from 0 to 3", 11),
    INTS(L "W/nz", 1, L "W/p has 12 values, expected 5: one more than there are columns", -1),
    INTS(L "W/nz", 1, L "W/p has 12 values, expected 5: one more than there are rows", -2),
    INTS(L "W/nzmax", 1, L "W/nzmax is 9, expected at least the 10 entries", 9),
};

static const fault of_global[] = {
    GONE(G "M/x"),
    GONE(G "H/x"),
    GONE(G "vectors/f"),
    GONE(G "vectors/w"),
    INTS(G "M/m", 1, G "M/m is 3, expected 2 rows: one for each value of vectors/f", 3),
    INTS(G "H/m", 1, G "H/m is 3, expected 2 rows: one for each value of vectors/f", 3),
    INTS(G "H/n", 1, G "H/n is 2, expected 3 columns: spacedim for each value of vectors/mu", 2),
    INTS(G "M/i", 3, G "M/i[2] is 2, expected a row from 0 to 1", 0, 0, 2),
    INTS(G "M/p", 3, G "M/p[1] is -1, expected a column from 0 to 1", 0, -1, 1),
    INTS(G "H/i", 4, G "H/i[3] is -2147483648, expected a row from 0 to 1", 0, 0, 1, INT_MIN),
    REALS(G "M/x", 3, G "M is singular, expected a matrix that has an inverse", 2, 1, 0),
    REALS(G "M/x", 3, "overflows", 1e-300, 0, 1e-300),
    REALS(G "H/x", 4, G "H/x[0] is nan, expected a finite number", NAN, 2, 1, 3),
    REALS(G "vectors/f", 1, G "M/m is 2, expected 1 rows", 0),
    INTS(G "G/n", 1, G "G has 1 columns of bilateral constraints", 1),
};

START_TEST(malformed_local_files_are_refused_with_the_place) {
  const char *path = local_file("malformed.hdf5", &by_columns);
  spoil(path, &of_columns[_i]);
  refused(path, of_columns[_i].text);
}
END_TEST

START_TEST(malformed_triplets_are_refused_with_the_place) {
  const char *path = local_file("malformed-triplets.hdf5", &by_triplets);
  spoil(path, &of_triplets[_i]);
  refused(path, of_triplets[_i].text);
}
END_TEST

START_TEST(malformed_global_files_are_refused_with_the_place) {
  const char *path = global_file("malformed-global.hdf5");
  spoil(path, &of_global[_i]);
  if (strcmp(of_global[_i].text, "overflows") == 0) { /* H entries of 1e300 on top */
    const fault large = REALS(G "H/x", 4, "", 1e300, 2, 1, 3);
    spoil(path, &large);
  }
  refused(path, of_global[_i].text);
}
END_TEST

START_TEST(sums_that_overflow_are_refused) {
  const stored W = {.m = 4,
                    .n = 4,
                    .nz = 2,
                    .nzmax = 2,
                    .n_p = 2,
                    .n_i = 2,
                    .p = (const int[]){1, 1},
                    .i = (const int[]){2, 2},
                    .x = (const double[]){1e308, 1e308}};
  refused(local_file("overflow.hdf5", &W), "in row 2 overflow when they are summed");
}
END_TEST

/* A wide integer that 32 bits would cut to something plausible. */
START_TEST(wide_integers_are_not_cut) {
  const char *path = local_file("wide.hdf5", &by_columns);
  const int64_t wide = ((int64_t)1 << 32) + 2;
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put(file, "/fclib_local/spacedim", H5T_NATIVE_INT64, 1, &wide);
  H5Fclose(file);
  refused(path, "/fclib_local/spacedim[0] is 4294967298, expected an integer of 32 bits");
}
END_TEST

/* An array of 2^40 numbers in a file of some kilobytes: never written, so that HDF5 stores nothing. */
START_TEST(sizes_no_file_can_hold_are_refused) {
  const char *path = local_file("huge.hdf5", &by_columns);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t length = (hsize_t)1 << (_i == 0 ? 40 : 27), chunk = 1024;
  const hid_t space = H5Screate_simple(1, &length, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Ldelete(file, "/fclib_local/vectors/mu", H5P_DEFAULT);
  H5Dclose(
      H5Dcreate2(file, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
  refused(path, "/fclib_local/vectors/mu claims");
}
END_TEST

START_TEST(other_shapes_are_refused) {
  const char *path = local_file("shape.hdf5", &by_columns);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t square[2] = {2, 2};
  const hid_t space = H5Screate_simple(2, square, NULL);
  H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                      H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  refused(path, "/fclib_local/vectors/q has 2 dimensions, expected one");
}
END_TEST

START_TEST(groups_where_datasets_belong_and_dangling_links) {
  const char *path = local_file("group.hdf5", &by_columns);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/fclib_local/W/x", H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "/fclib_local/W/x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  refused(path, "/fclib_local/W/x cannot be read");
  path = local_file("dangling.hdf5", &by_columns);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/fclib_local/W", H5P_DEFAULT);
  H5Lcreate_soft("/nowhere", file, "/fclib_local/W", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  refused(path, "/fclib_local/W/m is missing");
}
END_TEST

/* What another file holds is not the problem's, be it reached by a link or be it the storage of an array: a pipe there would
 * be waited for, and a file of somebody's be shown. */
START_TEST(values_of_other_files_are_refused) {
  char other[4096];
  snprintf(other, sizeof other, "%s", local_file("other.hdf5", &by_columns));
  const char *path = local_file("linked.hdf5", &by_columns);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
  ck_assert_int_ge(H5Lcreate_external(other, "/fclib_local/vectors/q", file, "/fclib_local/vectors/q",
                                      H5P_DEFAULT, H5P_DEFAULT),
                   0);
  H5Fclose(file);
  refused(path, "/fclib_local/vectors/q is missing");
  path = local_file("stored.hdf5", &by_columns);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t four = 4;
  const hid_t space = H5Screate_simple(1, &four, NULL), elsewhere = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(elsewhere, "/dev/zero", 0, 32);
  H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
  const hid_t data =
      H5Dcreate2(file, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, elsewhere, H5P_DEFAULT);
  ck_assert_int_ge(data, 0);
  H5Dclose(data);
  H5Pclose(elsewhere);
  H5Sclose(space);
  H5Fclose(file);
  refused(path, "/fclib_local/vectors/q has its values in another file");
}
END_TEST

static size_t slurp(const char *path, char *bytes, size_t room) {
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  const size_t n = fread(bytes, 1, room, file);
  fclose(file);
  return n;
}

static void spill(const char *path, const char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

START_TEST(truncated_files_are_refused) {
  static char bytes[1 << 16];
  const size_t n = slurp(local_file("whole.hdf5", &by_columns), bytes, sizeof bytes);
  const char *path = out("cut.hdf5");
  for (size_t k = 0; k < n; k += 97) {
    spill(path, bytes, k);
    refused(path, "not a complete HDF5 file");
  }
}
END_TEST

START_TEST(files_that_cannot_be_read) {
  prc_error err = {0};
  prc_fclib *f = NULL;
  support_fails(prc_fclib_read(out("no-such.hdf5"), &f, &err), PRC_IO, &err, "No such file");
  prc_error_clear(&err);
  support_fails(prc_fclib_read(support_build("fclib.tmp"), &f, &err), PRC_IO, &err, "it is not a file");
  ck_assert_ptr_null(f);
  spill(out("text.hdf5"), "some text\n", 10);
  refused(out("text.hdf5"), "not a complete HDF5 file");
}
END_TEST

/* ---- writing --------------------------------------------------------------------------------------------------------------- */

/* Numbers of every size: no bit may change on the way. */
static void awkward(size_t n, double *x, uint64_t seed) {
  prc_random random = {seed};
  for (size_t k = 0; k < n; k++)
    x[k] = ldexp(prc_random_uniform(&random, -1.0, 1.0), (int)(prc_random_bits(&random) % 600) - 300);
}

static void round_trip(int dim, int n, int with_states) {
  const size_t rows = (size_t)(dim * n);
  double *W = calloc(rows * rows, sizeof *W), *b = calloc(rows, sizeof *b),
         *friction = calloc((size_t)n, sizeof *b), *p = calloc(rows, sizeof *p), *w = calloc(rows, sizeof *w);
  prc_cone_problem problem = {.dim = dim, .n = n, .W = W, .b = b, .mu = friction}, dense, sparse;
  const prc_fclib_notes notes = {"a title", "a\ndescription", p, with_states ? p : NULL};
  prc_error err = {0};
  awkward(rows * rows, W, 1);
  awkward(rows, b, 2);
  awkward(rows, p, 3);
  for (size_t k = 0; k < rows; k++)
    p[k] = k % 3 ? 1.0 / (double)(k + 1) : 0.0; /* so that w does not overflow */
  for (int c = 0; c < n; c++) friction[c] = 1.0 / (c + 3.0);
  for (size_t k = 0; k < rows * rows; k += 3) W[k] = 0.0;
  W[1] = -0.0;
  prc_cone_velocity(&problem, p, w);
  const char *path = out("round.hdf5"), *again = out("again.hdf5");
  support_ok(prc_fclib_write(NULL, path, &problem, with_states ? &notes : NULL, &err), &err);
  prc_fclib *f = read_good(path);
  support_ok(prc_fclib_dense(f, &dense, &err), &err);
  assert_same(rows * rows, dense.W, W);
  assert_same(rows, dense.b, b);
  assert_same((size_t)n, dense.mu, friction);
  ck_assert_int_eq(f->has_solution, with_states);
  ck_assert_int_eq(f->n_guesses, with_states);
  if (with_states) {
    assert_same(rows, f->guess[0].p, p);
    assert_same(rows, f->solution.p, p);
    assert_same(rows, f->solution.w, w);
    ck_assert_str_eq(f->title, notes.title);
    ck_assert_str_eq(f->description, notes.description);
  }
  /* by blocks it is the same file, up to the rounding of w in its states */
  support_ok(prc_fclib_blocks(f, &sparse, &err), &err);
  support_ok(prc_fclib_write(NULL, again, &sparse, NULL, &err), &err);
  prc_fclib *g = read_good(again);
  support_ok(prc_fclib_dense(g, &dense, &err), &err);
  for (size_t k = 0; k < rows * rows; k++) ck_assert_double_eq(dense.W[k], W[k]);
  prc_fclib_free(&f);
  prc_fclib_free(&g);
  free(W), free(b), free(friction), free(p), free(w);
}

START_TEST(what_is_written_is_read_back_to_the_bit) {
  round_trip(2, 1, 0);
  round_trip(2, 7, 1);
  round_trip(3, 5, 1);
  round_trip(3, 40, 1); /* arrays long enough to be compressed */
}
END_TEST

START_TEST(the_same_problem_gives_the_same_bytes) {
  static char first[1 << 16], second[1 << 16];
  double W[9] = {2, 0, 1, 0, 1, 0, 1, 0, 3}, b[3] = {-1, 0, 1}, friction[1] = {0.5};
  const prc_cone_problem problem = {.dim = 3, .n = 1, .W = W, .b = b, .mu = friction};
  prc_error err = {0};
  const char *path = out("same.hdf5");
  support_ok(prc_fclib_write(NULL, path, &problem, NULL, &err), &err);
  const size_t n = slurp(path, first, sizeof first);
  sleep(1);
  support_ok(prc_fclib_write(NULL, path, &problem, NULL, &err), &err);
  ck_assert_uint_eq(slurp(path, second, sizeof second), n);
  ck_assert_mem_eq(first, second, n);
}
END_TEST

START_TEST(wrong_problems_and_places_are_not_written) {
  double W[4] = {1, 0, 0, 1}, b[2] = {0, NAN}, friction[1] = {0.5}, p[2] = {INFINITY, 0};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = W, .b = b, .mu = friction};
  const prc_fclib_notes notes = {NULL, NULL, p, NULL};
  prc_error err = {0};
  const char *path = out("wrong.hdf5");
  unlink(path);
  ck_assert_int_eq(prc_fclib_write(NULL, path, &problem, NULL, &err), PRC_INPUT);
  b[1] = 0.0;
  prc_error_clear(&err);
  support_fails(prc_fclib_write(NULL, path, &problem, &notes, &err), PRC_INPUT, &err,
                "/guesses/1: percussion component 0 is inf");
  ck_assert(!exists(path));
  prc_error_clear(&err);
  support_fails(prc_fclib_write(NULL, support_build("fclib.tmp"), &problem, NULL, &err), PRC_IO, &err,
                "not a file");
  prc_error_clear(&err);
  support_fails(prc_fclib_write(NULL, out("no/such/folder.hdf5"), &problem, NULL, &err), PRC_IO, &err,
                "No such file");
  prc_error_clear(&err);
  if (access("/dev/full", W_OK) == 0)
    support_fails(prc_fclib_write(NULL, "/dev/full", &problem, NULL, &err), PRC_IO, &err, "not a file");
}
END_TEST

/* ---- singular values and exploration ------------------------------------------------------------------------------------------ */

START_TEST(singular_values_of_a_matrix_that_is_not_symmetric) {
  double W[16] = {0}, sigma[4];
  const double b[4] = {0}, friction[2] = {0};
  const prc_cone_problem problem = {.dim = 2, .n = 2, .W = W, .b = b, .mu = friction};
  prc_error err = {0};
  W[1] = 3.0, W[4] = -5.0, W[10] = 2.0; /* a permuted diagonal 3, 5, 2, 0 */
  support_ok(prc_cone_singular_values(&problem, sigma, &err), &err);
  for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(sigma[k], ((const double[]){5, 3, 2, 0})[k], 1e-14);
}
END_TEST

START_TEST(eigenvalues_of_the_symmetric_part) {
  double W[16] = {0}, lambda[4];
  const double b[4] = {0}, friction[2] = {0};
  const prc_cone_problem problem = {.dim = 2, .n = 2, .W = W, .b = b, .mu = friction};
  prc_error err = {0};
  W[0] = W[5] = 1.0, W[1] = 6.0, W[4] = -2.0, W[10] = 7.0; /* [1 2; 2 1] has 3 and -1 */
  support_ok(prc_cone_eigenvalues(&problem, lambda, &err), &err);
  for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(lambda[k], ((const double[]){-1, 0, 3, 7})[k], 1e-14);
}
END_TEST

/* A bar on two frictional contacts that share its weight: p_1 + p_2 = (1, 0), so that the tangential percussions are
 * opposite and as large as the smaller cone allows; the boxes cannot be larger than that. */
static const double shared_W[16] = {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1},
                    shared_b[4] = {-1, 0, -1, 0}, shared_mu[2] = {0.5, 0.25};
static const prc_cone_problem shared = {.dim = 2, .n = 2, .W = shared_W, .b = shared_b, .mu = shared_mu};

START_TEST(exploration_finds_the_segment_of_solutions) {
  prc_error err = {0};
  prc_cone_exploration *e = NULL, *again = NULL;
  const prc_cone_options options = prc_cone_options_default();
  support_ok(prc_cone_explore(&shared, "gauss-seidel", &options, 200, 7, &e, &err), &err);
  ck_assert_int_eq(e->n_draws, 200);
  ck_assert_int_eq(e->n_solved, 200);
  ck_assert_int_gt(e->n_distinct, 100);
  for (int c = 0; c < 2; c++) {
    ck_assert_double_eq_tol(e->low[2 * c], 1.0, 1e-8);
    ck_assert_double_eq_tol(e->high[2 * c], 1.0, 1e-8);
    ck_assert_double_ge(e->low[2 * c + 1], -0.25 - 1e-8);
    ck_assert_double_le(e->low[2 * c + 1], -0.15);
    ck_assert_double_le(e->high[2 * c + 1], 0.25 + 1e-8);
    ck_assert_double_ge(e->high[2 * c + 1], 0.15);
  }
  support_ok(prc_cone_explore(&shared, "gauss-seidel", &options, 200, 7, &again, &err), &err);
  ck_assert_int_eq(again->n_distinct, e->n_distinct);
  assert_same(4 * (size_t)e->n_distinct, again->p, e->p);
  prc_cone_exploration_free(&e);
  prc_cone_exploration_free(&again);
}
END_TEST

START_TEST(exploration_of_a_unique_solution_finds_one) {
  double W[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 2, 1}, friction[1] = {0.5};
  const prc_cone_problem problem = {.dim = 3, .n = 1, .W = W, .b = b, .mu = friction};
  const prc_cone_options options = prc_cone_options_default();
  prc_error err = {0};
  prc_cone_exploration *e = NULL;
  support_ok(prc_cone_explore(&problem, "auto", &options, 20, 1, &e, &err), &err);
  ck_assert_int_eq(e->n_solved, 20);
  ck_assert_int_eq(e->n_distinct, 1);
  prc_cone_exploration_free(&e);
  b[0] = 1.0; /* takes off */
  support_ok(prc_cone_explore(&problem, "auto", &options, 20, 1, &e, &err), &err);
  ck_assert_int_eq(e->n_distinct, 1);
  ck_assert_double_eq(e->high[0], 0.0);
  prc_cone_exploration_free(&e);
  ck_assert_int_eq(prc_cone_explore(&problem, "auto", &options, 0, 1, &e, &err), PRC_INPUT);
}
END_TEST

/* ---- the collection ------------------------------------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  int global, dim, n, deficiency; /* of the rank; -1: not computed */
  double asymmetry, error;        /* of W; of p = 0: as the collection's README has them */
  prc_fclib_storage stored;       /* of W or H */
} known;

/* clang-format off */
static const known collection[] = {
    {"FC2D_SliderCrankLagrangian00000", 0, 2, 2, 1, 3e-07, 1.3e-01, PRC_FCLIB_COLUMNS},
    {"FC2D_SliderCrankLagrangian00001", 0, 2, 2, 1, 7e-07, 8.8e-02, PRC_FCLIB_COLUMNS},
    {"FrictionContactProblem00394", 0, 2, 6, 0, 1e-17, 5.0e-16, PRC_FCLIB_COLUMNS},
    {"FrictionContactProblem00374", 0, 2, 28, 0, 1e-17, 6.7e-01, PRC_FCLIB_COLUMNS},
    {"FrictionContactProblem00727", 0, 2, 367, -1, 4e-17, 5.4e-01, PRC_FCLIB_COLUMNS},
    {"fc2d_granularflowonwall_00667_00000", 0, 2, 667, -1, 0e+00, 1.9e-18, PRC_FCLIB_COLUMNS},
    {"fc2d_granularflowonwall_07002_00801", 0, 2, 7002, -1, 2e-15, 1.1e-01, PRC_FCLIB_COLUMNS},
    {"gfc2d_granularflowonwall_00230_00206", 1, 2, 230, 1, 3e-18, 6.6e-01, PRC_FCLIB_COLUMNS},
    {"FrictionContact3D_RR_1c", 0, 3, 1, 0, 0e+00, 9.4e-02, PRC_FCLIB_COLUMNS},
    {"Rover11211", 0, 3, 1, 0, 2e-05, 5.5e-01, PRC_FCLIB_COLUMNS},
    {"Rover1039", 0, 3, 4, 0, 9e-06, 1.1e-01, PRC_FCLIB_COLUMNS},
    {"Rover4493", 0, 3, 4, 0, 3e-05, 1.4e-01, PRC_FCLIB_COLUMNS},
    {"Rover4622", 0, 3, 4, 0, 1e-05, 3.8e-02, PRC_FCLIB_COLUMNS},
    {"Rover3865", 0, 3, 5, 2, 8e-06, 4.2e-02, PRC_FCLIB_COLUMNS},
    {"Rover9770", 0, 3, 5, 2, 9e-06, 4.2e-02, PRC_FCLIB_COLUMNS},
    {"OneObject-i1028-138", 0, 3, 23, 18, 1e-04, 2.4e-03, PRC_FCLIB_COLUMNS},
    {"OneObject-i100000-316", 0, 3, 25, 26, 5e-05, 1.5e-03, PRC_FCLIB_COLUMNS},
    {"NESpheres_30_1", 0, 3, 44, 7, 4e-17, 2.6e-01, PRC_FCLIB_COLUMNS},
    {"BoxesStack1-i100000-32", 0, 3, 52, 78, 2e-16, 9.8e-01, PRC_FCLIB_COLUMNS},
    {"Confeti-ex03-Fc3D-SBM", 0, 3, 54, 0, 5e-17, 5.6e-01, PRC_FCLIB_COLUMNS},
    {"Capsules-i101-404", 0, 3, 225, -1, 6e-04, 5.6e-03, PRC_FCLIB_COLUMNS},
    {"Capsules-i100-1090", 0, 3, 276, -1, 9e-04, 6.7e-03, PRC_FCLIB_COLUMNS},
    {"Capsules-i125-1213", 0, 3, 286, -1, 1e-03, 1.4e-02, PRC_FCLIB_ROWS},
    {"KaplasTower-i1061-4", 0, 3, 570, -1, 1e-13, 9.9e-01, PRC_FCLIB_COLUMNS},
    {"CubeH8", 1, 3, 1, 0, 1e-12, 2.6e-04, PRC_FCLIB_TRIPLETS},
    {"GFC3D_Example00", 1, 3, 1, 0, 0e+00, 3.6e-01, PRC_FCLIB_COLUMNS},
    {"GFC3D_Example00_badly_scaled", 1, 3, 1, 0, 0e+00, 1.0e+00, PRC_FCLIB_COLUMNS},
    {"GFC3D_OneContact", 1, 3, 1, 0, 1e-14, 1.7e-02, PRC_FCLIB_COLUMNS},
    {"spheres-in-a-box-98-i10000-256-10", 1, 3, 256, -1, 9e-17, 6.4e-02, PRC_FCLIB_TRIPLETS},
};
/* clang-format on */

/* The collection stands beside the source tree, or where PRC_FCLIB says. */
static const char *collected(const known *k) {
  static char path[4096];
  const char *folder = getenv("PRC_FCLIB");
  snprintf(path, sizeof path, "%s/%s.hdf5", folder ? folder : support_source("../shared/fclib/open"),
           k->name);
  if (exists(path)) return path;
  if (k == collection) fprintf(stderr, "# %s is not there: the collection is not tested\n", path);
  return NULL;
}

static int deficiency_of(const prc_cone_problem *problem) {
  prc_error err = {0};
  const int n = problem->dim * problem->n;
  double *sigma = calloc((size_t)n, sizeof *sigma);
  int small = 0;
  support_ok(prc_cone_singular_values(problem, sigma, &err), &err);
  for (int k = 0; k < n; k++) small += sigma[k] <= 1e-10 * sigma[0];
  free(sigma);
  return small;
}

static double error_at_rest(const prc_cone_problem *problem) {
  const size_t n = (size_t)(problem->dim * problem->n);
  double *p = calloc(n, sizeof *p), *w = calloc(n, sizeof *w);
  const double error = prc_cone_error(problem, p, w).paper;
  free(p), free(w);
  return error;
}

START_TEST(problems_of_the_collection_are_what_its_table_says) {
  const known *k = &collection[_i];
  const char *path = collected(k);
  prc_error err = {0};
  prc_cone_problem problem;
  if (!path) return;
  prc_fclib *f = read_good(path);
  support_ok(prc_fclib_problem(f, &problem, &err), &err);
  support_ok(prc_cone_problem_check(&problem, &err), &err);
  ck_assert_int_eq(f->global, k->global);
  ck_assert_int_eq(problem.dim, k->dim);
  ck_assert_int_eq(problem.n, k->n);
  ck_assert_int_eq((int)(k->global ? f->H.stored : f->W.stored), (int)k->stored);
  ck_assert_double_eq_tol(error_at_rest(&problem), k->error,
                          0.051 * pow(10.0, floor(log10(k->error) + 1e-9)));
  const double asymmetry = prc_cone_asymmetry(&problem);
  if (k->asymmetry > 1e-11) /* else a matter of rounding */
    ck_assert_double_eq_tol(asymmetry, k->asymmetry, 0.51 * pow(10.0, floor(log10(k->asymmetry) + 1e-9)));
  else
    ck_assert_double_lt(asymmetry, 1e-11);
  if (k->deficiency >= 0) ck_assert_int_eq(deficiency_of(&problem), k->deficiency);
  prc_fclib_free(&f);
}
END_TEST

START_TEST(problems_of_the_collection_survive_a_round_trip) {
  const char *path = collected(&collection[_i]);
  prc_error err = {0};
  prc_cone_problem problem, again;
  if (!path) return;
  prc_fclib *f = read_good(path), *g = NULL;
  support_ok(prc_fclib_blocks(f, &problem, &err), &err);
  support_ok(prc_fclib_write(NULL, out("collected.hdf5"), &problem, NULL, &err), &err);
  g = read_good(out("collected.hdf5"));
  support_ok(prc_fclib_blocks(g, &again, &err), &err);
  ck_assert_int_eq(problem.n, again.n);
  assert_same((size_t)(problem.dim * problem.n), problem.b, again.b);
  assert_same((size_t)problem.n, problem.mu, again.mu);
  ck_assert_double_eq(error_at_rest(&problem), error_at_rest(&again));
  for (int j = 0, l = 0; j < f->W.n_cols; j++) /* all but the zeros the file had */
    for (int k = f->W.p[j]; k < f->W.p[j + 1]; k++) {
      if (f->W.x[k] == 0.0 && !signbit(f->W.x[k])) continue;
      ck_assert_int_eq(f->W.i[k], g->W.i[l]);
      assert_same(1, &f->W.x[k], &g->W.x[l]);
      l++;
    }
  prc_fclib_free(&f);
  prc_fclib_free(&g);
}
END_TEST

/* ---- the program ---------------------------------------------------------------------------------------------------------------- */

/* Exit status of `percuss ARGUMENTS`; what it printed, both streams, in text. */
static int percuss(const char *arguments, char *text, size_t room) {
  char command[8192];
  snprintf(command, sizeof command, "'%s' %s 2>&1", support_build("percuss"), arguments);
  FILE *pipe = popen(command, "r");
  ck_assert_ptr_nonnull(pipe);
  text[fread(text, 1, room - 1, pipe)] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void runs(int expected, const char *text, const char *format, ...) {
  static char printed[1 << 16];
  char arguments[4096];
  va_list rest;
  va_start(rest, format);
  vsnprintf(arguments, sizeof arguments, format, rest);
  va_end(rest);
  const int status = percuss(arguments, printed, sizeof printed);
  ck_assert_msg(status == expected && strstr(printed, text), "%s: status %d, expected %d and '%s':\n%s",
                arguments, status, expected, text, printed);
}

static const char *write_shared(const char *name) {
  prc_error err = {0};
  const char *path = out(name);
  const prc_fclib_notes notes = {"a bar on\ttwo \x1b[31m contacts \xff", NULL, NULL, NULL};
  support_ok(prc_fclib_write(NULL, path, &shared, &notes, &err), &err);
  return path;
}

START_TEST(percuss_cone_solves_a_file) {
  const char *path = write_shared("shared.hdf5"), *result = out("r.txt");
  double p[4];
  runs(0, "size       2D, 2 contacts, local", "cone '%s' -o '%s'", path, result);
  FILE *file = fopen(result, "r");
  for (int k = 0; k < 4; k++) ck_assert_int_eq(fscanf(file, "%lf", &p[k]), 1);
  fclose(file);
  ck_assert_double_eq_tol(p[0], 1.0, 1e-9);
  ck_assert_double_eq_tol(p[1] + p[3], 0.0, 1e-9);
  runs(0, "rank 3 of 4", "cone '%s' --solver gauss-seidel --tolerance 1e-8 --max-time 5", path);
  runs(0, "a bar on\\ttwo \\x1b[31m contacts \\xff\n", "cone '%s'", path);
  runs(0, "contact,p_n_min,p_n_max,p_t_min,p_t_max\n0,", "cone '%s' --explore 10 --seed 3", path);
  runs(0, "PROBLEM.hdf5 [--solver NAME]", "cone --help");
}
END_TEST

/* No velocity is admissible: W = 0 and the contact closes. However large p becomes, this is no solution. */
START_TEST(percuss_cone_says_what_it_did_not_solve) {
  const double W[4] = {0}, b[2] = {-1, 0}, friction[1] = {0.5};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = W, .b = b, .mu = friction};
  prc_error err = {0};
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", out("folder"));
  mkdir(folder, 0777);
  unlink(out("folder/two.hdf5"));
  unlink(out("folder/three.hdf5"));
  write_shared("folder/one.hdf5");
  runs(0, "1 of 1 solved to 1e-10", "cone --all '%s'", folder);
  support_ok(prc_fclib_write(NULL, out("folder/two.hdf5"), &problem, NULL, &err), &err);
  runs(1, "NOT SOLVED", "cone '%s'", out("folder/two.hdf5"));
  runs(1, "1 of 2 solved to 1e-10", "cone --all '%s'", folder);
  spill(out("folder/three.hdf5"), "nothing", 7);
  runs(1, "1 of 3 solved to 1e-10", "cone --all '%s'", folder);
  runs(1, "three.hdf5: not a complete HDF5 file", "cone --all '%s'", folder);
  unlink(out("folder/two.hdf5"));
  unlink(out("folder/three.hdf5"));
}
END_TEST

/* A chunk of no entries, on which HDF5 1.10 divides by zero. */
START_TEST(percuss_cone_survives_what_hdf5_does_not) {
  static char bytes[1 << 16];
  const char *path = local_file("damaged.hdf5", &by_columns);
  const hsize_t length = 4, most = H5S_UNLIMITED, chunk = 0x00abcdef;
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, &length, &most),
              list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
  H5Dclose(
      H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
  const size_t n = slurp(path, bytes, sizeof bytes);
  int found = 0;
  for (size_t k = 0; k + 4 <= n; k++)
    if (memcmp(bytes + k, "\xef\xcd\xab", 4) == 0) memset(bytes + k, 0, 4), found++;
  ck_assert_int_ge(found, 1);
  spill(path, bytes, n);
  runs(2, "damaged.hdf5: ", "cone '%s'", path);
}
END_TEST

START_TEST(percuss_cone_refuses_wrong_usage) {
  char path[4096];
  snprintf(path, sizeof path, "%s", write_shared("usage.hdf5"));
  runs(2, "which problem?", "cone");
  runs(2, "more than one problem", "cone '%s' '%s'", path, path);
  runs(2, "--tolerance is '2', expected a number between 0 and 1", "cone '%s' --tolerance 2", path);
  runs(2, "--tolerance is '1e-8x'", "cone '%s' --tolerance 1e-8x", path);
  runs(2, "--max-time is '-1', expected a positive number", "cone '%s' --max-time -1", path);
  runs(2, "--explore is '0', expected a number of solves", "cone '%s' --explore 0", path);
  runs(2, "--seed is 'x'", "cone '%s' --seed x", path);
  runs(2, "'--nothing' is not understood", "cone '%s' --nothing", path);
  runs(2, "there is no contact solver 'magic'", "cone '%s' --solver magic", path);
  runs(2, "there is no contact solver 'magic'", "cone --all '%s' --solver magic", support_build("fclib.tmp"));
  runs(2, "a local problem, expected a global one", "cone '%s' --direct", path);
  runs(2, "cannot solve problems in global form", "cone '%s' --direct --solver lemke",
       global_file("direct.hdf5"));
  runs(2, "--all goes without", "cone --all '%s' -o x", support_build("fclib.tmp"));
  runs(2, "No such file", "cone '%s'", out("no-such.hdf5"));
  runs(2, "No such file", "cone --all '%s'", out("no-such-folder"));
  runs(2, "it is not a file", "cone '%s'", support_build("fclib.tmp"));
  runs(1, "cannot be written", "cone '%s' -o '%s'", path, out("no/such/r.txt"));
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

SUITE(fclib) {
  Suite *suite = suite_create("fclib");
  TCase *reading = tcase_create("reading"), *refusing = tcase_create("refusing"),
        *writing = tcase_create("writing"), *exploring = tcase_create("exploring"),
        *collected_ones = tcase_create("collection"), *program = tcase_create("program");
  tcase_add_test(reading, three_storage_forms_are_one_matrix);
  tcase_add_test(reading, texts_and_states_are_optional);
  tcase_add_test(reading, texts_may_have_any_bytes);
  tcase_add_test(reading, global_problems_are_condensed_with_general_M);
  tcase_add_test(reading, global_problems_are_what_they_are_when_condensed);
  tcase_add_test(reading, nothing_in_touch_is_a_problem_too);
  tcase_add_loop_test(refusing, malformed_local_files_are_refused_with_the_place, 0, COUNT(of_columns));
  tcase_add_loop_test(refusing, malformed_triplets_are_refused_with_the_place, 0, COUNT(of_triplets));
  tcase_add_loop_test(refusing, malformed_global_files_are_refused_with_the_place, 0, COUNT(of_global));
  tcase_add_test(refusing, sums_that_overflow_are_refused);
  tcase_add_test(refusing, wide_integers_are_not_cut);
  tcase_add_loop_test(refusing, sizes_no_file_can_hold_are_refused, 0, 2);
  tcase_add_test(refusing, other_shapes_are_refused);
  tcase_add_test(refusing, groups_where_datasets_belong_and_dangling_links);
  tcase_add_test(refusing, values_of_other_files_are_refused);
  tcase_add_test(refusing, truncated_files_are_refused);
  tcase_add_test(refusing, files_that_cannot_be_read);
  tcase_add_test(writing, what_is_written_is_read_back_to_the_bit);
  tcase_add_test(writing, the_same_problem_gives_the_same_bytes);
  tcase_add_test(writing, wrong_problems_and_places_are_not_written);
  tcase_add_test(exploring, singular_values_of_a_matrix_that_is_not_symmetric);
  tcase_add_test(exploring, eigenvalues_of_the_symmetric_part);
  tcase_add_test(exploring, exploration_finds_the_segment_of_solutions);
  tcase_add_test(exploring, exploration_of_a_unique_solution_finds_one);
  tcase_add_loop_test(collected_ones, problems_of_the_collection_are_what_its_table_says, 0,
                      COUNT(collection));
  tcase_add_loop_test(collected_ones, problems_of_the_collection_survive_a_round_trip, 0, COUNT(collection));
  tcase_add_test(program, percuss_cone_solves_a_file);
  tcase_add_test(program, percuss_cone_says_what_it_did_not_solve);
  tcase_add_test(program, percuss_cone_survives_what_hdf5_does_not);
  tcase_add_test(program, percuss_cone_refuses_wrong_usage);
  suite_add_tcase(suite, program);
  suite_add_tcase(suite, reading);
  suite_add_tcase(suite, refusing);
  suite_add_tcase(suite, writing);
  suite_add_tcase(suite, exploring);
  suite_add_tcase(suite, collected_ones);
  return suite;
}
