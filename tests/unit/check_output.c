#include "config.h"
#include "output/store_internal.h"
#include "output/output.h"
#include "output/internal.h"
#include "support/support.h"

#include <fcntl.h>
#include <float.h>
#include <hdf5.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes no UTF-8 text has, between letters; split where a hexadecimal digit would be swallowed. */
#define BROKEN_UTF8                                                                                          \
  "a\xff"                                                                                                    \
  "b\xc3"                                                                                                    \
  "(\xed\xa0\x80"                                                                                            \
  "c\xf0\x9f"

/* ---- support ------------------------------------------------------------------------------------------- */

/* A path below the tests' own folder. */
static const char *out(const char *name) {
  char relative[512];
  prc_error err = {0};
  support_ok(prc_output_make_folder(support_build("output.tmp"), &err), &err);
  snprintf(relative, sizeof relative, "output.tmp/%s", name);
  return support_build(relative);
}

/* A path that does not exist now. */
static const char *fresh(const char *name) {
  const char *path = out(name);
  unlink(path);
  return path;
}

static int exists(const char *path) {
  return access(path, F_OK) == 0;
}

static int part_exists(const char *path) {
  char part[4200];
  snprintf(part, sizeof part, "%s.part", path);
  return exists(part);
}

/* The file's bytes and a zero; the caller frees. */
static char *slurp_bytes(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(*n + 1, 1);
  ck_assert_uint_eq(fread(text, 1, *n, file), *n);
  fclose(file);
  return text;
}

static char *slurp(const char *path) {
  size_t n;
  return slurp_bytes(path, &n);
}

static void spill(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

static void assert_content(const char *path, const char *expected) {
  char *text = slurp(path);
  ck_assert_str_eq(text, expected);
  free(text);
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (; (text = strstr(text, what)); text++) n++;
  return n;
}

/* A full disk: no file may grow past this many bytes. */
static struct rlimit limit_files(rlim_t bytes) {
  struct rlimit before, now;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  now = before;
  now.rlim_cur = bytes;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &now), 0);
  return before;
}

static void unlimit_files(struct rlimit before) {
  setrlimit(RLIMIT_FSIZE, &before);
}

/* ---- folders ------------------------------------------------------------------------------------------- */

START_TEST(folders_are_made_with_their_parents_and_may_exist) {
  prc_error err = {0};
  const char *path = out("a/b/c");
  for (int twice = 0; twice < 2; twice++) {
    support_ok(prc_output_make_folder(path, &err), &err);
    support_ok(prc_output_make_folder(out("a/b/c//d/"), &err), &err);
  }
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  ck_assert(S_ISDIR(about.st_mode));
}
END_TEST

START_TEST(a_file_in_the_way_of_a_folder_is_named) {
  prc_error err = {0};
  spill(out("in_the_way"), "x", 1);
  support_fails(prc_output_make_folder(out("in_the_way"), &err), PRC_IO, &err, out("in_the_way"));
  prc_error_clear(&err);
  support_fails(prc_output_make_folder(out("in_the_way/b/c"), &err), PRC_IO, &err, out("in_the_way/b/c"));
  prc_error_clear(&err);
  support_fails(prc_output_make_folder("", &err), PRC_IO, &err, "No such file or directory");
}
END_TEST

/* ---- fields -------------------------------------------------------------------------------------------- */

static const double square[8] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
static const int halves[6] = {0, 1, 2, 0, 2, 3};
static const prc_output_cells two_halves = {.n = 2, .width = 3, .node = halves};
static const prc_output_cells three_lines = {.n = 3, .width = 2, .node = halves}, no_lines = {.width = 2};
static const double velocity[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
static const double stress[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
static const int region[2] = {7, 9};
static const prc_output_array on_points = {.name = "velocity", .components = 2, .real = velocity};
static const prc_output_array on_cells[2] = {{.name = "stress", .components = 3, .real = stress},
                                             {.name = "region", .components = 1, .integer = region}};

static prc_status write_square(const char *path, prc_error *err) {
  return prc_output_vtu(path, 4, square, &two_halves, 1, &on_points, 2, on_cells, err);
}

/* Every array is inline, nothing is in an appended section. */
static void assert_inline(const char *text) {
  ck_assert_int_eq(count(text, "format=\"binary\""), count(text, "<DataArray"));
  ck_assert_int_eq(count(text, "ppended"), 0);
  ck_assert_int_eq(count(text, "format=\"ascii\""), 0);
  ck_assert_int_eq(count(text, "compressor="), 0);
}

START_TEST(a_vtu_is_inline_binary_and_names_its_arrays) {
  prc_error err = {0};
  const char *path = fresh("square.vtu");
  support_ok(write_square(path, &err), &err);
  char *text = slurp(path);
  assert_inline(text);
  ck_assert_int_eq(count(text, "<VTKFile type=\"UnstructuredGrid\""), 1);
  ck_assert_int_eq(count(text, "NumberOfPoints=\"4\""), 1);
  ck_assert_int_eq(count(text, "NumberOfCells=\"2\""), 1);
  ck_assert_int_eq(count(text, "type=\"Int32\" Name=\"region\""), 1);
  ck_assert_int_eq(count(text, "type=\"Float64\" Name=\"stress\" NumberOfComponents=\"3\""), 1);
  ck_assert(!part_exists(path));
  free(text);
}
END_TEST

START_TEST(plane_vectors_get_a_third_component_on_points_only) {
  const prc_output_array on_cell = {.name = "flux", .components = 2, .real = velocity};
  prc_error err = {0};
  const char *path = fresh("components.vtu");
  support_ok(prc_output_vtu(path, 4, square, &two_halves, 1, &on_points, 1, &on_cell, &err), &err);
  char *text = slurp(path);
  ck_assert_int_eq(count(text, "Name=\"velocity\" NumberOfComponents=\"3\""), 1);
  ck_assert_int_eq(count(text, "Name=\"flux\" NumberOfComponents=\"2\""), 1);
  free(text);
}
END_TEST

START_TEST(segments_and_an_empty_mesh_are_written) {
  const prc_output_array none[2] = {{.name = "p", .components = 2}, {.name = "active", .components = 1}};
  prc_error err = {0};
  const char *path = fresh("segments.vtu");
  support_ok(prc_output_vtu(path, 4, square, &three_lines, 0, NULL, 0, NULL, &err), &err);
  char *text = slurp(path);
  ck_assert_int_eq(count(text, "NumberOfCells=\"3\""), 1);
  free(text);
  support_ok(prc_output_vtu(fresh("empty.vtu"), 0, NULL, &no_lines, 1, none, 1, none + 1, &err), &err);
  text = slurp(out("empty.vtu"));
  ck_assert_int_eq(count(text, "NumberOfPoints=\"0\""), 1);
  free(text);
}
END_TEST

/* The bytes of base64 text up to `<`, an independent reading; returns how many there are. */
static size_t decode_base64(const char *text, unsigned char *bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = 0;
  int n_bits = 0;
  size_t n = 0;
  for (; *text && *text != '<'; text++) {
    const char *found = strchr(digits, *text);
    if (!found) continue; /* blanks, and = at the end */
    bits = (bits << 6 | (unsigned)(found - digits)) & 0xffff;
    n_bits += 6;
    if (n_bits >= 8) bytes[n++] = (unsigned char)(bits >> (n_bits -= 8));
  }
  return n;
}

/* The array of this name has the values, behind their size in bytes. */
static void assert_values(const char *text, const char *name, const void *value, size_t bytes) {
  char start[64];
  unsigned char *there = malloc(strlen(text));
  uint32_t size;
  snprintf(start, sizeof start, "Name=\"%s\"", name);
  const char *at = strstr(text, start);
  ck_assert_msg(at != NULL, "there is no array '%s'", name);
  const size_t n = decode_base64(strchr(at, '>') + 1, there);
  ck_assert_uint_eq(n, sizeof size + bytes);
  memcpy(&size, there, sizeof size);
  ck_assert_uint_eq(size, bytes);
  if (bytes > 0) ck_assert_mem_eq(there + sizeof size, value, bytes);
  free(there);
}

/* Many sizes, some beyond the room that is handed on at once: every remainder by three, every boundary. */
START_TEST(every_number_of_values_is_written_as_it_is) {
  enum { MOST = 70001 };
  static const int sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 127, 128, 129, 257, 49151, 65534, MOST};
  static double real[3 * MOST], wide[3 * MOST];
  static int whole[MOST];
  prc_random random = {3};
  prc_error err = {0};
  const int n = sizes[_i];
  for (int i = 0; i < 2 * n; i++) real[i] = prc_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < n; i++) whole[i] = (int)(prc_random_bits(&random) >> 33);
  for (int i = 0; i < n; i++) memcpy(wide + 3 * i, real + 2 * i, 2 * sizeof *wide);
  const prc_output_array arrays[] = {{"pairs", 2, real, NULL}, {"ones", 1, real, NULL}},
                         constant = {"numbers", 1, NULL, whole};
  prc_output_frame *frame = NULL;
  support_ok(prc_output_frame_create(n, real, &no_lines, 1, &constant, &frame, &err), &err);
  for (int twice = 0; twice < 2; twice++) {
    support_ok(prc_output_frame_write(frame, fresh("values.vtu"), 2, arrays, 0, NULL, &err), &err);
    char *text = slurp(out("values.vtu"));
    assert_values(text, "pairs", wide, 3 * (size_t)n * sizeof *wide);
    assert_values(text, "ones", real, (size_t)n * sizeof *real);
    assert_values(text, "numbers", whole, (size_t)n * sizeof *whole);
    assert_values(text, "Points", wide, 3 * (size_t)n * sizeof *wide);
    free(text);
  }
  prc_output_frame_free(&frame);
}
END_TEST

START_TEST(arrays_tell_their_range_and_vectors_that_of_their_lengths) {
  const double plane[8] = {3.0, 4.0, 0.0, 0.5, -6.0, 8.0, 1.0, 0.0};
  const prc_output_array fields[] = {{"speed", 2, plane, NULL}, {"heat <of> \"it\"", 1, plane, NULL}};
  prc_error err = {0};
  support_ok(prc_output_vtu(fresh("range.vtu"), 4, square, &two_halves, 2, fields, 1, on_cells + 1, &err),
             &err);
  char *text = slurp(out("range.vtu"));
  ck_assert_int_eq(
      count(text,
            "Name=\"speed\" NumberOfComponents=\"3\" format=\"binary\" RangeMin=\"0.5\" RangeMax=\"10\""),
      1);
  ck_assert_int_eq(
      count(text, "Name=\"heat &lt;of&gt; &quot;it&quot;\" format=\"binary\" RangeMin=\"0\" RangeMax=\"4\""),
      1);
  ck_assert_int_eq(count(text, "Name=\"region\" format=\"binary\" RangeMin=\"7\" RangeMax=\"9\""), 1);
  free(text);
}
END_TEST

START_TEST(a_vtr_is_inline_binary_with_its_extent) {
  const double x[3] = {0.0, 1.0, 3.0}, y[2] = {0.0, 0.5};
  const prc_output_array fields[2] = {{.name = "pressure", .components = 1, .real = stress},
                                      {.name = "status", .components = 1, .integer = halves}};
  prc_error err = {0};
  const char *path = fresh("diagram.vtr");
  support_ok(prc_output_vtr(path, 3, x, 2, y, 2, fields, &err), &err);
  char *text = slurp(path);
  assert_inline(text);
  ck_assert_int_eq(count(text, "WholeExtent=\"0 2 0 1 0 0\""), 1);
  ck_assert_int_eq(count(text, "Name=\"pressure\""), 1);
  ck_assert_int_eq(count(text, "type=\"Int32\" Name=\"status\""), 1);
  ck_assert(!part_exists(path));
  free(text);
}
END_TEST

START_TEST(the_same_fields_give_the_same_bytes) {
  prc_error err = {0};
  support_ok(write_square(out("one.vtu"), &err), &err);
  support_ok(write_square(out("two.vtu"), &err), &err);
  char *one = slurp(out("one.vtu"));
  assert_content(out("two.vtu"), one);
  free(one);
}
END_TEST

START_TEST(what_is_not_finite_is_refused_by_name_and_writes_nothing) {
  const double x[2] = {0.0, INFINITY}, y[1] = {0.0};
  double bad[8];
  prc_output_array array = {.name = "impulse", .components = 2, .real = bad};
  prc_error err = {0};
  const char *path = fresh("nan.vtu");
  memcpy(bad, square, sizeof bad);
  bad[5] = NAN;
  support_fails(prc_output_vtu(path, 4, square, &two_halves, 1, &array, 0, NULL, &err), PRC_DIVERGED, &err,
                "array 'impulse' is nan at index 2, component 1");
  prc_error_clear(&err);
  bad[5] = -INFINITY;
  array.components = 3;
  support_fails(prc_output_vtu(path, 4, square, &two_halves, 0, NULL, 1, &array, &err), PRC_DIVERGED, &err,
                "array 'impulse' is -inf at index 1, component 2");
  prc_error_clear(&err);
  support_fails(prc_output_vtu(path, 4, bad, &two_halves, 0, NULL, 0, NULL, &err), PRC_DIVERGED, &err,
                "'Points'");
  prc_error_clear(&err);
  support_fails(prc_output_vtr(path, 2, x, 1, y, 0, NULL, &err), PRC_DIVERGED, &err,
                "array 'x' is inf at index 1");
  ck_assert(!exists(path));
}
END_TEST

START_TEST(a_folder_that_cannot_hold_the_file_is_reported_with_the_path) {
  prc_error err = {0};
  const char *path = out("nowhere/a.vtu");
  support_fails(write_square(path, &err), PRC_IO, &err, path);
  ck_assert_ptr_nonnull(strstr(err.message, "No such file or directory"));
  prc_error_clear(&err);
  support_ok(prc_output_make_folder(out("folder.vtu"), &err), &err);
  support_fails(write_square(out("folder.vtu"), &err), PRC_IO, &err, "it is a folder");
  char endless[5000] = "";
  memset(endless, 'a', sizeof endless - 1);
  prc_error_clear(&err);
  support_fails(write_square(endless, &err), PRC_IO, &err, "aaaa");
}
END_TEST

START_TEST(a_full_disk_is_reported_and_keeps_the_old_file) {
  static double x[20000];
  static int cell[20000];
  const prc_output_cells cells = {.n = 6666, .width = 3, .node = cell};
  prc_random random = {1};
  prc_error err = {0};
  const char *path = fresh("full.vtu");
  for (int i = 0; i < 20000; i++) x[i] = prc_random_uniform(&random, 0.0, 1.0), cell[i] = i / 2;
  support_ok(write_square(path, &err), &err);
  char *before = slurp(path);
  for (rlim_t bytes = 16; bytes < 200000; bytes += 49999) {
    const struct rlimit limit = limit_files(bytes);
    const prc_status status = prc_output_vtu(path, 10000, x, &cells, 0, NULL, 0, NULL, &err);
    unlimit_files(limit);
    support_fails(status, PRC_IO, &err, path);
    ck_assert(!part_exists(path));
    prc_error_clear(&err);
  }
  assert_content(path, before);
  free(before);
}
END_TEST

/* ---- collections --------------------------------------------------------------------------------------- */

static const char pvd_head[] = "<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                               "  <Collection>\n";
static const char pvd_tail[] = "  </Collection>\n</VTKFile>\n";

START_TEST(a_collection_is_complete_after_every_add) {
  char expected[4096];
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = fresh("run.pvd");
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  ck_assert(!exists(path));
  support_ok(prc_output_pvd_add(pvd, 0.0, "vtu/a_0.vtu", &err), &err);
  snprintf(expected, sizeof expected, "%s    <DataSet timestep=\"0\" part=\"0\" file=\"vtu/a_0.vtu\"/>\n%s",
           pvd_head, pvd_tail);
  assert_content(path, expected);
  support_ok(prc_output_pvd_add(pvd, 0.1, "vtu/a_1.vtu", &err), &err);
  snprintf(expected, sizeof expected,
           "%s    <DataSet timestep=\"0\" part=\"0\" file=\"vtu/a_0.vtu\"/>\n"
           "    <DataSet timestep=\"0.1\" part=\"0\" file=\"vtu/a_1.vtu\"/>\n%s",
           pvd_head, pvd_tail);
  assert_content(path, expected);
  ck_assert(!part_exists(path));
  prc_output_pvd_free(&pvd);
  ck_assert_ptr_null(pvd);
  prc_output_pvd_free(&pvd);
}
END_TEST

START_TEST(a_collection_escapes_names_and_restores_them) {
  const char *names[] = {"a&b<c>\"d\"'e'.vtu", "tab\tline\nreturn\r.vtu", "\xc3\xa9t\xc3\xa9 &amp; &#9;.vtu",
                         "late.vtu"};
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = fresh("names.pvd");
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  for (int i = 0; i < 3; i++) support_ok(prc_output_pvd_add(pvd, i / 3.0, names[i], &err), &err);
  prc_output_pvd_free(&pvd);
  char *before = slurp(path);
  ck_assert_int_eq(count(before, "file=\"a&amp;b&lt;c&gt;&quot;d&quot;&apos;e&apos;.vtu\""), 1);
  ck_assert_int_eq(count(before, "file=\"tab&#9;line&#10;return&#13;.vtu\""), 1);

  /* one entry more, cut off again by restoring to the time before it: 1 - 1/3 is 2/3 but for roundings */
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  support_ok(prc_output_pvd_restore(pvd, 1.0, &err), &err);
  support_ok(prc_output_pvd_add(pvd, 5.0, names[3], &err), &err);
  prc_output_pvd_free(&pvd);
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  support_ok(prc_output_pvd_restore(pvd, (2.0 / 3.0) * (1.0 - 4.0 * DBL_EPSILON), &err), &err);
  support_ok(prc_output_pvd_add(pvd, 5.0, "late2.vtu", &err), &err);
  prc_output_pvd_free(&pvd);
  char *after = slurp(path);
  const size_t entries = strlen(before) - strlen(pvd_tail);
  ck_assert(strncmp(before, after, entries) == 0);
  ck_assert_str_eq(after + entries, "    <DataSet timestep=\"5\" part=\"0\" file=\"late2.vtu\"/>\n"
                                    "  </Collection>\n</VTKFile>\n");
  free(before);
  free(after);
}
END_TEST

START_TEST(a_collection_refuses_names_xml_cannot_hold_and_goes_on) {
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = fresh("refused.pvd");
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  support_fails(prc_output_pvd_add(pvd, 0.0, "a\x01.vtu", &err), PRC_INPUT, &err, "0x01");
  prc_error_clear(&err);
  support_fails(prc_output_pvd_add(pvd, 0.0, "a\xff.vtu", &err), PRC_INPUT, &err, "0xff");
  prc_error_clear(&err);
  support_fails(prc_output_pvd_add(pvd, NAN, "a.vtu", &err), PRC_DIVERGED, &err, "'a.vtu' is nan");
  prc_error_clear(&err);
  support_ok(prc_output_pvd_add(pvd, 1.0, "a.vtu", &err), &err);
  char *text = slurp(path);
  ck_assert_int_eq(count(text, "<DataSet"), 1);
  free(text);
  prc_output_pvd_free(&pvd);
}
END_TEST

/* Restoring this text fails and names the line. */
static void refuse_collection(const char *text, int line) {
  char where[4200];
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = fresh("bad.pvd");
  spill(path, text, strlen(text));
  snprintf(where, sizeof where, "%s:%d: not a collection", path, line);
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  support_fails(prc_output_pvd_restore(pvd, 1.0, &err), PRC_IO, &err, where);
  prc_output_pvd_free(&pvd);
}

START_TEST(a_collection_that_is_malformed_or_missing_is_refused) {
#define HEAD                                                                                                 \
  "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  "   \
  "<Collection>\n"
#define GOOD "    <DataSet timestep=\"0\" part=\"0\" file=\"a.vtu\"/>\n"
#define TAIL "  </Collection>\n</VTKFile>\n"
  refuse_collection("", 1);
  refuse_collection("\177ELF", 1);
  refuse_collection(HEAD, 4);
  refuse_collection(HEAD GOOD, 5);
  refuse_collection(HEAD GOOD "    <DataSet timestep=\"\" part=\"0\" file=\"a.vtu\"/>\n" TAIL, 5);
  refuse_collection(HEAD GOOD "    <DataSet timestep=\"nan\" part=\"0\" file=\"a.vtu\"/>\n" TAIL, 5);
  refuse_collection(HEAD GOOD GOOD "    <DataSet timestep=\"0\" part=\"0\" file=\"a.v", 6);
  refuse_collection(HEAD GOOD TAIL "more", 7);
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = fresh("missing.pvd");
  support_ok(prc_output_pvd_create(path, &pvd, &err), &err);
  support_fails(prc_output_pvd_restore(pvd, 1.0, &err), PRC_IO, &err, path);
  prc_output_pvd_free(&pvd);
}
END_TEST

/* ---- tables -------------------------------------------------------------------------------------------- */

START_TEST(a_table_writes_integers_without_a_point_and_zero_without_a_sign) {
  const double row[] = {0.0, -0.0, 1.0,  -12.0,    1e15,     0x1p53 - 1.0, -(0x1p53 - 1.0),
                        0.5, NAN,  -NAN, INFINITY, -INFINITY};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = fresh("integers.csv");
  const char *expected =
      "t,a\n0,0,1,-12,1000000000000000,9007199254740991,-9007199254740991,0.5,nan,nan,inf,-inf\n1\n";
  support_ok(prc_output_csv_open(path, "t,a", -1, &csv, &err), &err);
  support_ok(prc_output_csv_row(csv, sizeof row / sizeof row[0], row, &err), &err);
  support_ok(prc_output_csv_row(csv, 1, row + 2, &err), &err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), (long)strlen(expected));
  support_ok(prc_output_csv_close(&csv, &err), &err);
  ck_assert_ptr_null(csv);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  assert_content(path, expected);
}
END_TEST

static double any_double(prc_random *random) { /* all bit patterns but nan and infinity */
  double x;
  do {
    const uint64_t bits = prc_random_bits(random);
    memcpy(&x, &bits, sizeof x);
  } while (!isfinite(x));
  return x;
}

START_TEST(a_table_returns_every_double_exactly) {
  enum { ROWS = 5000, COLUMNS = 9 };
  static double value[ROWS][COLUMNS];
  const double edges[COLUMNS] = {DBL_MAX,   -DBL_MAX,     DBL_MIN,       DBL_TRUE_MIN,    0x1p53,
                                 1.0 / 3.0, 123456.78901, 1.0 - 0x1p-53, -9.87654321e-100};
  prc_random random = {7};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = fresh("doubles.csv");
  support_ok(prc_output_csv_open(path, "x", -1, &csv, &err), &err);
  memcpy(value[0], edges, sizeof edges);
  for (int i = 1; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      value[i][j] = j < 6 ? any_double(&random) : prc_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < ROWS; i++) support_ok(prc_output_csv_row(csv, COLUMNS, value[i], &err), &err);
  const long bytes = prc_output_csv_bytes(csv);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  char *text = slurp(path), *at = text + 2;
  ck_assert_int_eq((long)strlen(text), bytes);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      const double back = strtod(at, &at);
      ck_assert_msg(back == value[i][j], "row %d: %a came back as %a", i, value[i][j], back);
      ck_assert_int_eq(*at++, j + 1 < COLUMNS ? ',' : '\n');
    }
  ck_assert_int_eq(*at, '\0');
  free(text);
}
END_TEST

START_TEST(a_flushed_table_is_on_disk) {
  const double one = 1.0;
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = fresh("flushed.csv");
  support_ok(prc_output_csv_open(path, "x", -1, &csv, &err), &err);
  support_ok(prc_output_csv_row(csv, 1, &one, &err), &err);
  support_ok(prc_output_csv_flush(csv, &err), &err);
  assert_content(path, "x\n1\n");
  ck_assert_int_eq(prc_output_csv_bytes(csv), 4);
  support_ok(prc_output_csv_close(&csv, &err), &err);
}
END_TEST

START_TEST(a_continued_table_is_cut_and_goes_on) {
  const double row[2] = {1.0, 0.5};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = fresh("continued.csv");
  spill(path, "t,a\n0,0\n7,7\n8", 13);
  support_ok(prc_output_csv_open(path, "t,a", 8, &csv, &err), &err);
  assert_content(path, "t,a\n0,0\n");
  ck_assert_int_eq(prc_output_csv_bytes(csv), 8);
  support_ok(prc_output_csv_row(csv, 2, row, &err), &err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), 14);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  assert_content(path, "t,a\n0,0\n1,0.5\n");
}
END_TEST

static void refuse_to_continue(const char *path, const char *header, long at, const char *why) {
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  support_fails(prc_output_csv_open(path, header, at, &csv, &err), PRC_IO, &err, why);
  ck_assert_ptr_nonnull(strstr(err.message, path));
  ck_assert_ptr_null(csv);
}

START_TEST(a_table_that_does_not_fit_is_not_continued_and_not_touched) {
  const char *path = fresh("unfit.csv");
  spill(path, "t,a\n0,0\n7,7\n", 12);
  refuse_to_continue(path, "t,a", 13, "has 12 bytes, expected at least 13");
  refuse_to_continue(path, "t,b", 8, "first line is not 't,b'");
  refuse_to_continue(path, "t", 8, "first line is not 't'");
  refuse_to_continue(path, "t,a,and,much,more", 8, "first line is not");
  refuse_to_continue(path, "t,a", 7, "no row ends at byte 7");
  refuse_to_continue(path, "t,a", 0, "no row ends at byte 0");
  assert_content(path, "t,a\n0,0\n7,7\n");
  refuse_to_continue(fresh("absent.csv"), "t,a", 0, "No such file or directory");
}
END_TEST

START_TEST(a_table_on_a_full_disk_says_so) {
  const double row[2] = {0.1, 0.2};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  if (!exists("/dev/full")) return;
  support_ok(prc_output_csv_open("/dev/full", "t,a", -1, &csv, &err), &err);
  prc_status status = PRC_OK;
  int rows = 0;
  for (; status == PRC_OK && rows < 100000; rows++) status = prc_output_csv_row(csv, 2, row, &err);
  support_fails(status, PRC_IO, &err, "/dev/full: cannot be written: No space left on device");
  ck_assert_int_gt(rows, 1000); /* rows are buffered */
  prc_error_clear(&err);
  support_fails(prc_output_csv_flush(csv, &err), PRC_IO, &err, "/dev/full");
  prc_error_clear(&err);
  support_fails(prc_output_csv_close(&csv, &err), PRC_IO, &err, "/dev/full");
  ck_assert_ptr_null(csv);
}
END_TEST

START_TEST(a_table_counts_what_a_full_disk_took) {
  const double third = 1.0 / 3.0;
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = fresh("short.csv");
  support_ok(prc_output_csv_open(path, "x", -1, &csv, &err), &err);
  for (int i = 0; i < 100; i++) support_ok(prc_output_csv_row(csv, 1, &third, &err), &err);
  const long bytes = prc_output_csv_bytes(csv);
  const struct rlimit limit = limit_files(777);
  const prc_status status = prc_output_csv_flush(csv, &err);
  unlimit_files(limit);
  support_fails(status, PRC_IO, &err, path);
  prc_error_clear(&err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), bytes);
  support_ok(prc_output_csv_close(&csv, &err), &err); /* there is room again: nothing is lost */
  char *text = slurp(path);
  ck_assert_int_eq((long)strlen(text), bytes);
  ck_assert_int_eq(count(text, "\n0.33333333333333331"), 100);
  free(text);
}
END_TEST

START_TEST(a_table_in_a_missing_folder_is_refused_with_its_path) {
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = out("nowhere/a.csv");
  support_fails(prc_output_csv_open(path, "t", -1, &csv, &err), PRC_IO, &err, path);
  ck_assert_ptr_null(csv);
}
END_TEST

START_TEST(numbers_have_a_point_in_every_locale) {
  char number[PRC_OUTPUT_NUMBER];
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
    return; /* not installed */
  ck_assert_uint_eq(prc_output_number_short(number, -0.25), 5);
  ck_assert_str_eq(number, "-0.25");
  ck_assert_uint_eq(prc_output_number_short(number, 1e-300), 6);
  ck_assert_str_eq(number, "1e-300");
  ck_assert_uint_eq(prc_output_number(number, 1.5e300), 23);
  setlocale(LC_NUMERIC, "C");
  ck_assert_double_eq(strtod(number, NULL), 1.5e300);
}
END_TEST

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static prc_output_json *json_at(const char *path) {
  prc_output_json *json = NULL;
  prc_error err = {0};
  support_ok(prc_output_json_open(path, &json, &err), &err);
  return json;
}

static void json_done(prc_output_json *json) {
  prc_error err = {0};
  support_ok(prc_output_json_close(&json, &err), &err);
  ck_assert_ptr_null(json);
  support_ok(prc_output_json_close(&json, &err), &err);
}

START_TEST(json_is_indented_and_keeps_plain_lists_on_a_line) {
  const char *path = fresh("layout.json");
  prc_output_json *json = json_at(path);
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_number(json, "a", 0.1);
  prc_output_json_begin(json, "b", '{');
  prc_output_json_text(json, "c", "text");
  prc_output_json_begin(json, "none", '{');
  prc_output_json_end(json);
  prc_output_json_end(json);
  prc_output_json_begin(json, "d", '[');
  for (int i = 1; i <= 3; i++) prc_output_json_integer(json, NULL, i);
  prc_output_json_end(json);
  prc_output_json_begin(json, "e", '[');
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_boolean(json, "yes", 2);
  prc_output_json_end(json);
  prc_output_json_begin(json, NULL, '[');
  prc_output_json_end(json);
  prc_output_json_end(json);
  prc_output_json_text(json, "nothing", NULL);
  ck_assert(!exists(path));
  prc_output_json_end(json);
  json_done(json);
  assert_content(path, "{\n  \"a\": 0.1,\n  \"b\": {\n    \"c\": \"text\",\n    \"none\": {}\n  },\n"
                       "  \"d\": [1, 2, 3],\n  \"e\": [\n    {\n      \"yes\": true\n    },\n    []\n  ],\n"
                       "  \"nothing\": null\n}\n");
  ck_assert(!part_exists(path));
}
END_TEST

START_TEST(json_escapes_whatever_a_text_holds) {
  const char *path = fresh("escapes.json");
  prc_output_json *json = json_at(path);
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "q\"k", "\"\\/\b\f\n\r\t\x01\x1f\x7f");
  prc_output_json_text(json, "utf8", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  prc_output_json_text(json, "broken", BROKEN_UTF8);
  json_done(json);
  assert_content(path, "{\n  \"q\\\"k\": \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\",\n"
                       "  \"utf8\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\",\n"
                       "  \"broken\": \"a\xef\xbf\xbd"
                       "b\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                       "c"
                       "\xef\xbf\xbd\xef\xbf\xbd\"\n}\n");
}
END_TEST

START_TEST(only_well_formed_utf8_is_accepted) {
  const char *good[] = {"a",
                        "\x7f",
                        "\xc2\x80",
                        "\xdf\xbf",
                        "\xe0\xa0\x80",
                        "\xed\x9f\xbf",
                        "\xee\x80\x80",
                        "\xf0\x90\x80\x80",
                        "\xf4\x8f\xbf\xbf"};
  const char *bad[] = {"\x80",
                       "\xc0\x80",
                       "\xc1\xbf",
                       "\xc2",
                       "\xe0\x9f\xbf",
                       "\xe2\x82",
                       "\xed\xa0\x80",
                       "\xf0\x8f\xbf\xbf",
                       "\xf4\x90\x80\x80",
                       "\xf5\x80\x80\x80",
                       "\xff",
                       "\xe2\x82("};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    ck_assert_uint_eq(prc_output_utf8(good[i]), strlen(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) ck_assert_uint_eq(prc_output_utf8(bad[i]), 0);
}
END_TEST

START_TEST(json_numbers_are_exact_and_never_nan) {
  const double value[] = {0.1, 1.0 / 3.0, -0.0, 5.0, 1e300, DBL_TRUE_MIN, NAN, INFINITY, 0.3, 0x1p53};
  const char *path = fresh("numbers.json");
  prc_output_json *json = json_at(path);
  prc_output_json_begin(json, NULL, '[');
  for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) prc_output_json_number(json, NULL, value[i]);
  prc_output_json_integer(json, NULL, -9223372036854775807LL - 1);
  json_done(json);
  assert_content(path, "[0.1, 0.3333333333333333, 0, 5, 1e+300, 4.94065645841247e-324, null, null, 0.3, "
                       "9007199254740992, -9223372036854775808]\n");
}
END_TEST

START_TEST(json_may_be_sixteen_deep_and_is_ended_by_close) {
  const char *path = fresh("deep.json");
  prc_output_json *json = json_at(path);
  for (int i = 0; i < 16; i++) prc_output_json_begin(json, NULL, '[');
  json_done(json);
  char *text = slurp(path);
  ck_assert_int_eq(count(text, "["), 16);
  ck_assert_int_eq(count(text, "]"), 16);
  free(text);
  json_done(json_at(path));
  assert_content(path, "{}\n");
}
END_TEST

START_TEST(json_that_cannot_be_written_says_so_at_close_and_spares_devices) {
  prc_error err = {0};
  const char *path = out("nowhere/a.json");
  prc_output_json *json = json_at(path);
  support_fails(prc_output_json_close(&json, &err), PRC_IO, &err, path);
  ck_assert_ptr_null(json);
  prc_error_clear(&err);
  ck_assert_int_eq(mkfifo(fresh("pipe"), 0600), 0);
  json = json_at(out("pipe"));
  support_fails(prc_output_json_close(&json, &err), PRC_IO, &err, "a device or pipe");
  struct stat about;
  ck_assert_int_eq(stat(out("pipe"), &about), 0);
  ck_assert(S_ISFIFO(about.st_mode));
}
END_TEST

/* ---- checkpoints --------------------------------------------------------------------------------------- */

static const double state[5] = {1.0, -0.0, 1.0 / 3.0, DBL_TRUE_MIN, -DBL_MAX};

static prc_status write_store(const char *path, size_t n, const double *value, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_try(prc_output_store_create(path, NULL, &store, err));
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
  const char *path = fresh("state.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  ck_assert(!part_exists(path));
  support_ok(prc_output_store_open(path, &store, &err), &err);
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
  support_ok(write_store(out("large.h5"), N, value, &err), &err);
  support_ok(prc_output_store_open(out("large.h5"), &store, &err), &err);
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
  support_ok(write_store(out("one.h5"), 5, state, &err), &err);
  sleep(1); /* HDF5's times count in seconds */
  support_ok(write_store(out("two.h5"), 5, state, &err), &err);
  char *one = slurp_bytes(out("one.h5"), &n_one), *two = slurp_bytes(out("two.h5"), &n_two);
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
  const char *path = fresh("refuses.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  support_ok(prc_output_store_open(path, &store, &err), &err);
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
  support_fails(prc_output_store_open(path, &store, &err), expected, &err, path);
  ck_assert_msg(strstr(err.message, why) != NULL, "message is '%s', expected '%s' in it", err.message, why);
  ck_assert_ptr_null(store);
}

START_TEST(files_that_are_no_store_are_refused_with_their_path) {
  size_t n;
  prc_error err = {0};
  const char *path = fresh("damaged.h5");
  refuse_store(path, PRC_IO, "No such file or directory");
  refuse_store(out(""), PRC_IO, "it is not a file");
  spill(path, "", 0);
  refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  spill(path, "time,energy\n0,1\n", 16);
  refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = slurp_bytes(path, &n);
  for (size_t keep = 8; keep < n; keep += 1 + n / 13) {
    spill(path, bytes, keep);
    refuse_store(path, PRC_INPUT, "not a complete HDF5 file");
  }
  free(bytes);
}
END_TEST

/* Puts the checksum behind a file, as if percuss had written it. */
static void seal(const char *path) {
  size_t n;
  char *bytes = slurp_bytes(path, &n), *sealed = calloc(1, n + PRC_STORE_TRAILER);
  ck_assert_ptr_nonnull(sealed);
  memcpy(sealed, bytes, n);
  prc_store_seal(bytes, n, sealed + n);
  spill(path, sealed, n + PRC_STORE_TRAILER);
  free(bytes);
  free(sealed);
}

START_TEST(any_flipped_bit_is_refused) {
  size_t n;
  prc_error err = {0};
  const char *path = fresh("flipped.h5");
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = slurp_bytes(path, &n);
  for (size_t bit = 0; bit < 8 * n; bit += 31) {
    bytes[bit / 8] ^= (char)(1 << bit % 8);
    spill(path, bytes, n);
    refuse_store(path, PRC_INPUT, ""); /* by the signature, the mark or the checksum */
    bytes[bit / 8] ^= (char)(1 << bit % 8);
  }
  bytes[n / 2] ^= 4;
  spill(path, bytes, n);
  refuse_store(path, PRC_INPUT, "is damaged: its checksum is not that of its content");
  free(bytes);
}
END_TEST

START_TEST(the_store_before_is_kept) {
  double back;
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = fresh("new.h5"), *older = fresh("old.h5");
  for (double value = 1.0; value <= 3.0; value++) {
    support_ok(prc_output_store_create(path, older, &store, &err), &err);
    support_ok(prc_output_store_put(store, "q", 1, &value, &err), &err);
    support_ok(prc_output_store_close(&store, &err), &err);
  }
  support_ok(prc_output_store_open(path, &store, &err), &err);
  support_ok(prc_output_store_get(store, "q", 1, &back, &err), &err);
  ck_assert(back == 3.0);
  support_ok(prc_output_store_close(&store, &err), &err);
  support_ok(prc_output_store_open(older, &store, &err), &err);
  support_ok(prc_output_store_get(store, "q", 1, &back, &err), &err);
  ck_assert(back == 2.0);
  support_ok(prc_output_store_close(&store, &err), &err);
}
END_TEST

START_TEST(damage_under_a_good_checksum_is_a_message) {
  size_t n;
  prc_error err = {0};
  const char *path = fresh("forged.h5");
  prc_random r = {7};
  support_ok(write_store(path, 5, state, &err), &err);
  char *bytes = slurp_bytes(path, &n);
  for (int k = 0; k < 60; k++) { /* HDF5 sees these, in its own process */
    prc_output_store *store = NULL;
    const size_t at = 8 + (size_t)(prc_random_bits(&r) % (n - PRC_STORE_TRAILER - 8));
    const char was = bytes[at];
    bytes[at] = (char)prc_random_bits(&r);
    spill(path, bytes, n - PRC_STORE_TRAILER);
    bytes[at] = was;
    seal(path);
    prc_error_clear(&err);
    if (prc_output_store_open(path, &store, &err) != PRC_OK)
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
  const char *path = fresh("foreign.h5");
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t row = H5Screate_simple(1, extent, NULL), table = H5Screate_simple(2, extent, NULL);
  H5Dclose(H5Dcreate2(file, "integers", H5T_STD_I32LE, row, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file, "table", H5T_IEEE_F64LE, table, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(row);
  H5Sclose(table);
  H5Fclose(file);
  seal(path);
  support_ok(prc_output_store_open(path, &store, &err), &err);
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

START_TEST(a_checkpoint_that_fails_leaves_the_old_one) {
  static double many[50000];
  prc_output_store *store = NULL;
  prc_error err = {0};
  const char *path = fresh("kept.h5");
  size_t n_before, n_after;
  support_ok(write_store(path, 5, state, &err), &err);
  char *before = slurp_bytes(path, &n_before);

  const struct rlimit limit = limit_files(100000); /* a full disk */
  const prc_status status = write_store(path, 50000, many, &err);
  unlimit_files(limit);
  support_fails(status, PRC_IO, &err, path);
  ck_assert(!part_exists(path));
  prc_error_clear(&err);

  support_ok(prc_output_store_create(path, NULL, &store, &err), &err); /* a name used twice */
  support_ok(prc_output_store_put(store, "q", 1, state, &err), &err);
  support_fails(prc_output_store_put(store, "q", 1, state, &err), PRC_IO, &err, "'q': there is one already");
  prc_error_clear(&err);
  support_fails(prc_output_store_close(&store, &err), PRC_IO, &err, "not written");
  prc_error_clear(&err);

  support_ok(prc_output_store_create(path, NULL, &store, &err),
             &err); /* the caller failed before it was complete */
  ck_assert_int_eq(prc_fail(&err, PRC_DIVERGED, "elsewhere"), PRC_DIVERGED);
  support_fails(prc_output_store_close(&store, &err), PRC_DIVERGED, &err, "elsewhere");

  char *after = slurp_bytes(path, &n_after);
  ck_assert_uint_eq(n_before, n_after);
  ck_assert(memcmp(before, after, n_before) == 0);
  free(before);
  free(after);
}
END_TEST

START_TEST(a_store_in_a_missing_folder_is_refused_with_its_path) {
  prc_error err = {0};
  const char *path = out("nowhere/a.h5");
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
  refuse_store(fresh("absent.h5"), PRC_IO, "cannot be read");
  H5Eget_auto2(H5E_DEFAULT, &now, &to);
  H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)H5Eprint2, stderr);
  ck_assert(now == listener);
  ck_assert_ptr_eq(to, &mine);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------------- */

static void add_fields_and_folders(Suite *suite) {
  TCase *tc = tcase_create("fields and folders");
  tcase_add_test(tc, folders_are_made_with_their_parents_and_may_exist);
  tcase_add_test(tc, a_file_in_the_way_of_a_folder_is_named);
  tcase_add_test(tc, a_vtu_is_inline_binary_and_names_its_arrays);
  tcase_add_test(tc, plane_vectors_get_a_third_component_on_points_only);
  tcase_add_test(tc, segments_and_an_empty_mesh_are_written);
  tcase_add_loop_test(tc, every_number_of_values_is_written_as_it_is, 0, 15);
  tcase_add_test(tc, arrays_tell_their_range_and_vectors_that_of_their_lengths);
  tcase_add_test(tc, a_vtr_is_inline_binary_with_its_extent);
  tcase_add_test(tc, the_same_fields_give_the_same_bytes);
  tcase_add_test(tc, what_is_not_finite_is_refused_by_name_and_writes_nothing);
  tcase_add_test(tc, a_folder_that_cannot_hold_the_file_is_reported_with_the_path);
  tcase_add_test(tc, a_full_disk_is_reported_and_keeps_the_old_file);
  tcase_add_test(tc, a_collection_is_complete_after_every_add);
  tcase_add_test(tc, a_collection_escapes_names_and_restores_them);
  tcase_add_test(tc, a_collection_refuses_names_xml_cannot_hold_and_goes_on);
  tcase_add_test(tc, a_collection_that_is_malformed_or_missing_is_refused);
  suite_add_tcase(suite, tc);
}

static void add_tables_and_json(Suite *suite) {
  TCase *tc = tcase_create("tables and JSON");
  tcase_add_test(tc, a_table_writes_integers_without_a_point_and_zero_without_a_sign);
  tcase_add_test(tc, a_table_returns_every_double_exactly);
  tcase_add_test(tc, a_flushed_table_is_on_disk);
  tcase_add_test(tc, a_continued_table_is_cut_and_goes_on);
  tcase_add_test(tc, a_table_that_does_not_fit_is_not_continued_and_not_touched);
  tcase_add_test(tc, a_table_on_a_full_disk_says_so);
  tcase_add_test(tc, a_table_counts_what_a_full_disk_took);
  tcase_add_test(tc, a_table_in_a_missing_folder_is_refused_with_its_path);
  tcase_add_test(tc, numbers_have_a_point_in_every_locale);
  tcase_add_test(tc, json_is_indented_and_keeps_plain_lists_on_a_line);
  tcase_add_test(tc, json_escapes_whatever_a_text_holds);
  tcase_add_test(tc, only_well_formed_utf8_is_accepted);
  tcase_add_test(tc, json_numbers_are_exact_and_never_nan);
  tcase_add_test(tc, json_may_be_sixteen_deep_and_is_ended_by_close);
  tcase_add_test(tc, json_that_cannot_be_written_says_so_at_close_and_spares_devices);
  suite_add_tcase(suite, tc);
}

static void add_checkpoints(Suite *suite) {
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
  tcase_add_test(tc, a_checkpoint_that_fails_leaves_the_old_one);
  tcase_add_test(tc, a_store_in_a_missing_folder_is_refused_with_its_path);
  tcase_add_test(tc, the_callers_setting_of_hdf5_messages_survives);
  suite_add_tcase(suite, tc);
}

int main(void) {
  Suite *suite = suite_create("output");
  add_fields_and_folders(suite);
  add_tables_and_json(suite);
  add_checkpoints(suite);
  return support_run(suite);
}
