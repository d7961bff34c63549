#include "config.h"
#include "output/internal.h"
#include "output/output.h"
#include "support/files.h"
#include "support/support.h"

#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes no UTF-8 text has, between letters; split where a hexadecimal digit would be swallowed. */
#define BROKEN_UTF8                                                                                          \
  "a\xff"                                                                                                    \
  "b\xc3"                                                                                                    \
  "(\xed\xa0\x80"                                                                                            \
  "c\xf0\x9f"

/* ---- folders ------------------------------------------------------------------------------------------- */

START_TEST(folders_are_made_with_their_parents_and_may_exist) {
  prc_error err = {0};
  const char *path = support_out("a/b/c");
  for (int twice = 0; twice < 2; twice++) {
    support_ok(prc_output_make_folder(path, &err), &err);
    support_ok(prc_output_make_folder(support_out("a/b/c//d/"), &err), &err);
  }
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  ck_assert(S_ISDIR(about.st_mode));
}
END_TEST

START_TEST(a_file_in_the_way_of_a_folder_is_named) {
  prc_error err = {0};
  support_write_bytes(support_out("in_the_way"), "x", 1);
  support_fails(prc_output_make_folder(support_out("in_the_way"), &err), PRC_IO, &err,
                support_out("in_the_way"));
  prc_error_clear(&err);
  support_fails(prc_output_make_folder(support_out("in_the_way/b/c"), &err), PRC_IO, &err,
                support_out("in_the_way/b/c"));
  prc_error_clear(&err);
  support_fails(prc_output_make_folder("", &err), PRC_IO, &err, "No such file or directory");
}
END_TEST

/* A folder of this name held open, new. */
static prc_folder *fresh_folder(const char *name) {
  prc_error err = {0};
  prc_folder *folder = NULL;
  support_ok(prc_output_make_folder(support_out(name), &err), &err);
  support_ok(prc_folder_open(support_out(name), &folder, &err), &err);
  return folder;
}

START_TEST(a_folder_held_open_stays_the_same_one) {
  prc_error err = {0};
  prc_output_json *json = NULL;
  prc_folder *below = NULL, *folder = fresh_folder("held");
  ck_assert_str_eq(prc_folder_path(folder), support_out("held"));
  support_ok(prc_folder_open_below(folder, "more", 1, &below, &err), &err);
  support_ok(prc_output_json_open(below, "a.json", &json, &err), &err);
  ck_assert_int_eq(rename(support_out("held"), support_out("held-elsewhere")), 0);
  support_ok(prc_output_json_close(&json, &err), &err);
  support_has_content(support_out("held-elsewhere/more/a.json"), "{}\n");
  prc_folder_close(&below);
  support_fails(prc_folder_open_below(folder, "absent", 0, &below, &err), PRC_IO, &err,
                "held/absent: the folder cannot");
  prc_folder_close(&folder);
  ck_assert_ptr_null(folder);
  ck_assert_int_eq(unlink(support_out("held-elsewhere/more/a.json")), 0);
  ck_assert_int_eq(rmdir(support_out("held-elsewhere/more")), 0);
  ck_assert_int_eq(rmdir(support_out("held-elsewhere")), 0);
}
END_TEST

/* Every way to write a file below a folder, where a link of its name leads to `precious`. */
START_TEST(no_link_below_a_folder_is_followed) {
  static const char *const names[] = {"link", "other.part", "table.csv", "folder"};
  const double one = 1.0;
  prc_error err = {0};
  prc_output_csv *csv = NULL;
  prc_output_store *store = NULL;
  prc_folder *below = NULL, *folder = fresh_folder("links");
  char *bytes = NULL;
  size_t n;
  support_write_bytes(support_out("precious"), "x\n", 2);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    unlinkat(prc_folder_descriptor(folder), names[k], 0);
    ck_assert_int_eq(symlinkat(support_out("precious"), prc_folder_descriptor(folder), names[k]), 0);
  }
  support_fails(prc_output_replace(folder, "link", "y", 1, &err), PRC_IO, &err,
                "links/link: cannot be written: it is a symbolic link");
  prc_error_clear(&err);
  support_ok(prc_output_replace(folder, "other", "y", 1, &err), &err);
  support_fails(prc_output_csv_open(folder, "table.csv", "x", -1, &csv, &err), PRC_IO, &err,
                "it is a symbolic link");
  prc_error_clear(&err);
  support_fails(prc_output_csv_open(folder, "table.csv", "x", 2, &csv, &err), PRC_IO, &err,
                "it is a symbolic link");
  prc_error_clear(&err);
  support_fails(prc_folder_open_below(folder, "folder", 1, &below, &err), PRC_IO, &err,
                "links/folder: it is a symbolic link");
  prc_error_clear(&err);
  support_fails(prc_file_read_all(folder, "link", &bytes, &n, &err), PRC_IO, &err,
                "it is a symbolic link, not a file");
  prc_error_clear(&err);
  support_ok(prc_output_store_create(folder, "link", NULL, &store, &err), &err);
  support_ok(prc_output_store_put(store, "a", 1, &one, &err), &err);
  support_fails(prc_output_store_close(&store, &err), PRC_IO, &err, "it is a symbolic link");
  support_has_content(support_out("precious"), "x\n");
  prc_folder_close(&folder);
}
END_TEST

/* ---- collections --------------------------------------------------------------------------------------- */

static const char pvd_head[] = "<?xml version=\"1.0\"?>\n"
                               "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                               "  <Collection>\n";
static const char pvd_tail[] = "  </Collection>\n</VTKFile>\n";

static prc_status add_and_write(prc_output_pvd *pvd, double time, const char *file, prc_error *err) {
  const prc_status status = prc_output_pvd_add(pvd, time, file, err);
  return status == PRC_OK ? prc_output_pvd_write(pvd, err) : status;
}

START_TEST(a_collection_is_complete_when_it_was_written) {
  char expected[4096];
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = support_fresh("run.pvd");
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
  support_ok(prc_output_pvd_write(pvd, &err), &err); /* it has nothing to say yet */
  ck_assert(!support_exists(path));
  support_ok(add_and_write(pvd, 0.0, "vtu/a_0.vtu", &err), &err);
  snprintf(expected, sizeof expected, "%s    <DataSet timestep=\"0\" part=\"0\" file=\"vtu/a_0.vtu\"/>\n%s",
           pvd_head, pvd_tail);
  support_has_content(path, expected);
  support_ok(add_and_write(pvd, 0.1, "vtu/a_1.vtu", &err), &err);
  snprintf(expected, sizeof expected,
           "%s    <DataSet timestep=\"0\" part=\"0\" file=\"vtu/a_0.vtu\"/>\n"
           "    <DataSet timestep=\"0.1\" part=\"0\" file=\"vtu/a_1.vtu\"/>\n%s",
           pvd_head, pvd_tail);
  support_has_content(path, expected);
  ck_assert(!support_part_exists(path));
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
  const char *path = support_fresh("names.pvd");
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
  for (int i = 0; i < 3; i++) support_ok(add_and_write(pvd, i / 3.0, names[i], &err), &err);
  prc_output_pvd_free(&pvd);
  char *before = support_read_text(path);
  ck_assert_int_eq(support_count(before, "file=\"a&amp;b&lt;c&gt;&quot;d&quot;&apos;e&apos;.vtu\""), 1);
  ck_assert_int_eq(support_count(before, "file=\"tab&#9;line&#10;return&#13;.vtu\""), 1);

  /* one entry more, cut off again by restoring to the time before it: 1 - 1/3 is 2/3 but for roundings */
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
  support_ok(prc_output_pvd_restore(pvd, 1.0, &err), &err);
  support_ok(add_and_write(pvd, 5.0, names[3], &err), &err);
  prc_output_pvd_free(&pvd);
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
  support_ok(prc_output_pvd_restore(pvd, (2.0 / 3.0) * (1.0 - 4.0 * DBL_EPSILON), &err), &err);
  support_ok(add_and_write(pvd, 5.0, "late2.vtu", &err), &err);
  prc_output_pvd_free(&pvd);
  char *after = support_read_text(path);
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
  const char *path = support_fresh("refused.pvd");
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
  support_fails(prc_output_pvd_add(pvd, 0.0, "a\x01.vtu", &err), PRC_INPUT, &err, "0x01");
  prc_error_clear(&err);
  support_fails(prc_output_pvd_add(pvd, 0.0, "a\xff.vtu", &err), PRC_INPUT, &err, "0xff");
  prc_error_clear(&err);
  support_fails(prc_output_pvd_add(pvd, NAN, "a.vtu", &err), PRC_DIVERGED, &err, "'a.vtu' is nan");
  prc_error_clear(&err);
  support_ok(add_and_write(pvd, 1.0, "a.vtu", &err), &err);
  char *text = support_read_text(path);
  ck_assert_int_eq(support_count(text, "<DataSet"), 1);
  free(text);
  prc_output_pvd_free(&pvd);
}
END_TEST

/* Restoring this text fails and names the line. */
static void refuse_collection(const char *text, int line) {
  char where[4200];
  prc_output_pvd *pvd = NULL;
  prc_error err = {0};
  const char *path = support_fresh("bad.pvd");
  support_write_bytes(path, text, strlen(text));
  snprintf(where, sizeof where, "%s:%d: not a collection", path, line);
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
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
  const char *path = support_fresh("missing.pvd");
  support_ok(prc_output_pvd_create(NULL, path, &pvd, &err), &err);
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
  const char *path = support_fresh("integers.csv");
  const char *expected =
      "t,a\n0,0,1,-12,1000000000000000,9007199254740991,-9007199254740991,0.5,nan,nan,inf,-inf\n1\n";
  support_ok(prc_output_csv_open(NULL, path, "t,a", -1, &csv, &err), &err);
  support_ok(prc_output_csv_row(csv, sizeof row / sizeof row[0], row, &err), &err);
  support_ok(prc_output_csv_row(csv, 1, row + 2, &err), &err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), (long)strlen(expected));
  support_ok(prc_output_csv_close(&csv, &err), &err);
  ck_assert_ptr_null(csv);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  support_has_content(path, expected);
}
END_TEST

START_TEST(texts_in_a_table_are_quoted_where_they_must_be) { /* RFC 4180, section 2, rules 5 to 7 */
  static const prc_output_value row[] = {{.number = 1.0},  {.text = "floor"},      {.text = ""},
                                         {.text = "a, b"}, {.text = "5\" \"disc"}, {.text = "two\nlines"},
                                         {.number = 0.5}};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = support_fresh("names.csv");
  const char *expected = "t,a\n1,floor,,\"a, b\",\"5\"\" \"\"disc\",\"two\nlines\",0.5\n";
  support_ok(prc_output_csv_open(NULL, path, "t,a", -1, &csv, &err), &err);
  support_ok(prc_output_csv_values(csv, sizeof row / sizeof row[0], row, &err), &err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), (long)strlen(expected));
  support_fails(prc_output_csv_values(csv, 0, row, &err), PRC_INPUT, &err, "a row of 0 values");
  prc_error_clear(&err);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  support_has_content(path, expected);
}
END_TEST

START_TEST(texts_that_spreadsheets_would_run_have_an_apostrophe) {
  static const prc_output_value row[] = {
      {.text = "=1+1"},  {.text = "+a"}, {.text = "-2*t"}, {.text = "@sum"}, {.text = "=1,\"2"},
      {.text = "-2e-3"}, {.text = "+1"}, {.text = "\t=1"}, {.text = "a=1"},  {.number = -1.0}};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = support_fresh("formulas.csv");
  const char *expected = "t\n'=1+1,'+a,'-2*t,'@sum,\"'=1,\"\"2\",-2e-3,+1,'\t=1,a=1,-1\n";
  support_ok(prc_output_csv_open(NULL, path, "t", -1, &csv, &err), &err);
  support_ok(prc_output_csv_values(csv, sizeof row / sizeof row[0], row, &err), &err);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  support_has_content(path, expected);
}
END_TEST

START_TEST(a_table_is_as_wide_as_its_header) {
  enum { COLUMNS = 40000, LENGTH = 8 };
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = support_fresh("wide.csv");
  char *header = calloc(COLUMNS, LENGTH + 1);
  double *row = calloc(COLUMNS, sizeof *row);
  for (int i = 0; i < COLUMNS; i++) {
    row[i] = (i + 1) / -3.0;
    snprintf(header + (size_t)i * LENGTH, LENGTH + 1, "%*d%s", LENGTH - 1, i, i + 1 < COLUMNS ? "," : "");
  }
  support_ok(prc_output_csv_open(NULL, path, header, -1, &csv, &err), &err);
  for (int twice = 0; twice < 3; twice++) support_ok(prc_output_csv_row(csv, COLUMNS, row, &err), &err);
  support_fails(prc_output_csv_row(csv, 3 * COLUMNS, row, &err), PRC_INPUT, &err,
                "a row of 120000 numbers, expected from 1 to");
  prc_error_clear(&err);
  support_fails(prc_output_csv_row(csv, 0, row, &err), PRC_INPUT, &err, "a row of 0 numbers");
  prc_error_clear(&err);
  const long bytes = prc_output_csv_bytes(csv);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  char *text = support_read_text(path);
  ck_assert_int_eq((long)strlen(text), bytes);
  ck_assert_int_eq(support_count(text, ","), 4 * (COLUMNS - 1));
  ck_assert(strncmp(text, header, strlen(header)) == 0);
  support_ok(prc_output_csv_check(NULL, path, header, bytes, &err), &err);
  free(text);
  free(row);
  free(header);
}
END_TEST

START_TEST(a_header_of_two_lines_is_refused) {
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  support_fails(prc_output_csv_open(NULL, support_fresh("lines.csv"), "t,a\nb", -1, &csv, &err), PRC_INPUT,
                &err, "a name of a column has an end of line");
  ck_assert(!support_exists(support_out("lines.csv")));
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
  const char *path = support_fresh("doubles.csv");
  support_ok(prc_output_csv_open(NULL, path, "x", -1, &csv, &err), &err);
  memcpy(value[0], edges, sizeof edges);
  for (int i = 1; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      value[i][j] = j < 6 ? any_double(&random) : prc_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < ROWS; i++) support_ok(prc_output_csv_row(csv, COLUMNS, value[i], &err), &err);
  const long bytes = prc_output_csv_bytes(csv);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  char *text = support_read_text(path), *at = text + 2;
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
  const char *path = support_fresh("flushed.csv");
  support_ok(prc_output_csv_open(NULL, path, "x", -1, &csv, &err), &err);
  support_ok(prc_output_csv_row(csv, 1, &one, &err), &err);
  support_ok(prc_output_csv_flush(csv, &err), &err);
  support_has_content(path, "x\n1\n");
  ck_assert_int_eq(prc_output_csv_bytes(csv), 4);
  support_ok(prc_output_csv_close(&csv, &err), &err);
}
END_TEST

START_TEST(a_continued_table_is_cut_and_goes_on) {
  const double row[2] = {1.0, 0.5};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = support_fresh("continued.csv");
  support_write_bytes(path, "t,a\n0,0\n7,7\n8", 13);
  support_ok(prc_output_csv_open(NULL, path, "t,a", 8, &csv, &err), &err);
  support_has_content(path, "t,a\n0,0\n");
  ck_assert_int_eq(prc_output_csv_bytes(csv), 8);
  support_ok(prc_output_csv_row(csv, 2, row, &err), &err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), 14);
  support_ok(prc_output_csv_close(&csv, &err), &err);
  support_has_content(path, "t,a\n0,0\n1,0.5\n");
}
END_TEST

static void refuse_to_continue(const char *path, const char *header, long at, const char *why) {
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  support_fails(prc_output_csv_open(NULL, path, header, at, &csv, &err), PRC_IO, &err, why);
  ck_assert_ptr_nonnull(strstr(err.message, path));
  ck_assert_ptr_null(csv);
}

START_TEST(a_table_that_does_not_fit_is_not_continued_and_not_touched) {
  const char *path = support_fresh("unfit.csv");
  support_write_bytes(path, "t,a\n0,0\n7,7\n", 12);
  refuse_to_continue(path, "t,a", 13, "has 12 bytes, expected at least 13");
  refuse_to_continue(path, "t,b", 8, "first line is not 't,b'");
  refuse_to_continue(path, "t", 8, "first line is not 't'");
  refuse_to_continue(path, "t,a,and,much,more", 8, "first line is not");
  refuse_to_continue(path, "t,a", 7, "no row ends at byte 7");
  refuse_to_continue(path, "t,a", 0, "no row ends at byte 0");
  support_has_content(path, "t,a\n0,0\n7,7\n");
  refuse_to_continue(support_fresh("absent.csv"), "t,a", 0, "No such file or directory");
}
END_TEST

START_TEST(a_table_on_a_full_disk_says_so) {
  const double row[2] = {0.1, 0.2};
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  if (!support_exists("/dev/full")) return;
  support_ok(prc_output_csv_open(NULL, "/dev/full", "t,a", -1, &csv, &err), &err);
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
  const char *path = support_fresh("short.csv");
  support_ok(prc_output_csv_open(NULL, path, "x", -1, &csv, &err), &err);
  for (int i = 0; i < 100; i++) support_ok(prc_output_csv_row(csv, 1, &third, &err), &err);
  const long bytes = prc_output_csv_bytes(csv);
  const struct rlimit limit = support_limit_files(777);
  const prc_status status = prc_output_csv_flush(csv, &err);
  support_unlimit_files(limit);
  support_fails(status, PRC_IO, &err, path);
  prc_error_clear(&err);
  ck_assert_int_eq(prc_output_csv_bytes(csv), bytes);
  support_ok(prc_output_csv_close(&csv, &err), &err); /* there is room again: nothing is lost */
  char *text = support_read_text(path);
  ck_assert_int_eq((long)strlen(text), bytes);
  ck_assert_int_eq(support_count(text, "\n0.33333333333333331"), 100);
  free(text);
}
END_TEST

START_TEST(a_table_in_a_missing_folder_is_refused_with_its_path) {
  prc_output_csv *csv = NULL;
  prc_error err = {0};
  const char *path = support_out("nowhere/a.csv");
  support_fails(prc_output_csv_open(NULL, path, "t", -1, &csv, &err), PRC_IO, &err, path);
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
  support_ok(prc_output_json_open(NULL, path, &json, &err), &err);
  return json;
}

static void json_done(prc_output_json *json) {
  prc_error err = {0};
  support_ok(prc_output_json_close(&json, &err), &err);
  ck_assert_ptr_null(json);
  support_ok(prc_output_json_close(&json, &err), &err);
}

START_TEST(json_is_indented_and_keeps_plain_lists_on_a_line) {
  const char *path = support_fresh("layout.json");
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
  ck_assert(!support_exists(path));
  prc_output_json_end(json);
  json_done(json);
  support_has_content(path,
                      "{\n  \"a\": 0.1,\n  \"b\": {\n    \"c\": \"text\",\n    \"none\": {}\n  },\n"
                      "  \"d\": [1, 2, 3],\n  \"e\": [\n    {\n      \"yes\": true\n    },\n    []\n  ],\n"
                      "  \"nothing\": null\n}\n");
  ck_assert(!support_part_exists(path));
}
END_TEST

START_TEST(json_escapes_whatever_a_text_holds) {
  const char *path = support_fresh("escapes.json");
  prc_output_json *json = json_at(path);
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "q\"k", "\"\\/\b\f\n\r\t\x01\x1f\x7f");
  prc_output_json_text(json, "utf8", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  prc_output_json_text(json, "broken", BROKEN_UTF8);
  json_done(json);
  support_has_content(path, "{\n  \"q\\\"k\": \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\",\n"
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
    ck_assert_uint_eq(prc_utf8_length(good[i]), strlen(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) ck_assert_uint_eq(prc_utf8_length(bad[i]), 0);
}
END_TEST

START_TEST(json_numbers_are_exact_and_never_nan) {
  const double value[] = {0.1, 1.0 / 3.0, -0.0, 5.0, 1e300, DBL_TRUE_MIN, NAN, INFINITY, 0.3, 0x1p53};
  const char *path = support_fresh("numbers.json");
  prc_output_json *json = json_at(path);
  prc_output_json_begin(json, NULL, '[');
  for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) prc_output_json_number(json, NULL, value[i]);
  prc_output_json_integer(json, NULL, -9223372036854775807LL - 1);
  json_done(json);
  support_has_content(path, "[0.1, 0.3333333333333333, 0, 5, 1e+300, 4.94065645841247e-324, null, null, 0.3, "
                            "9007199254740992, -9223372036854775808]\n");
}
END_TEST

START_TEST(json_may_be_sixteen_deep_and_is_ended_by_close) {
  const char *path = support_fresh("deep.json");
  prc_output_json *json = json_at(path);
  for (int i = 0; i < 16; i++) prc_output_json_begin(json, NULL, '[');
  json_done(json);
  char *text = support_read_text(path);
  ck_assert_int_eq(support_count(text, "["), 16);
  ck_assert_int_eq(support_count(text, "]"), 16);
  free(text);
  json_done(json_at(path));
  support_has_content(path, "{}\n");
}
END_TEST

START_TEST(json_that_cannot_be_written_says_so_at_close_and_spares_devices) {
  prc_error err = {0};
  const char *path = support_out("nowhere/a.json");
  prc_output_json *json = json_at(path);
  support_fails(prc_output_json_close(&json, &err), PRC_IO, &err, path);
  ck_assert_ptr_null(json);
  prc_error_clear(&err);
  ck_assert_int_eq(mkfifo(support_fresh("pipe"), 0600), 0);
  json = json_at(support_out("pipe"));
  support_fails(prc_output_json_close(&json, &err), PRC_IO, &err, "a device or pipe");
  struct stat about;
  ck_assert_int_eq(stat(support_out("pipe"), &about), 0);
  ck_assert(S_ISFIFO(about.st_mode));
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------------- */

static void add_folders_and_collections(Suite *suite) {
  TCase *tc = tcase_create("folders and collections");
  tcase_add_test(tc, folders_are_made_with_their_parents_and_may_exist);
  tcase_add_test(tc, a_file_in_the_way_of_a_folder_is_named);
  tcase_add_test(tc, a_folder_held_open_stays_the_same_one);
  tcase_add_test(tc, no_link_below_a_folder_is_followed);
  tcase_add_test(tc, a_collection_is_complete_when_it_was_written);
  tcase_add_test(tc, a_collection_escapes_names_and_restores_them);
  tcase_add_test(tc, a_collection_refuses_names_xml_cannot_hold_and_goes_on);
  tcase_add_test(tc, a_collection_that_is_malformed_or_missing_is_refused);
  suite_add_tcase(suite, tc);
}

static void add_tables_and_json(Suite *suite) {
  TCase *tc = tcase_create("tables and JSON");
  tcase_add_test(tc, a_table_writes_integers_without_a_point_and_zero_without_a_sign);
  tcase_add_test(tc, texts_in_a_table_are_quoted_where_they_must_be);
  tcase_add_test(tc, texts_that_spreadsheets_would_run_have_an_apostrophe);
  tcase_add_test(tc, a_table_is_as_wide_as_its_header);
  tcase_add_test(tc, a_header_of_two_lines_is_refused);
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

SUITE(output) {
  Suite *suite = suite_create("output");
  add_folders_and_collections(suite);
  add_tables_and_json(suite);
  return suite;
}
