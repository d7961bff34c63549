#include "config.h"
#include "output/output.h"
#include "output/xml_internal.h"
#include "support/files.h"
#include "support/support.h"

#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields -------------------------------------------------------------------------------------------- */

static const double square[8] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
static const int halves[6] = {0, 1, 2, 0, 2, 3};
static const prc_cells two_halves = {.n = 2, .width = 3, .node = halves};
static const prc_cells three_lines = {.n = 3, .width = 2, .node = halves}, no_lines = {.width = 2};
static const double velocity[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
static const double stress[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
static const int region[2] = {7, 9};
static const prc_array on_points = {.name = "velocity", .components = 2, .real = velocity};
static const prc_array on_cells[2] = {{.name = "stress", .components = 3, .real = stress},
                                      {.name = "region", .components = 1, .integer = region}};

/* Every claim holds for every writer: the tests are loops over the table. */
#define WRITER prc_output_writer_at(_i)

static int n_writers(void) {
  int n = 0;
  while (prc_output_writer_at(n)) n++;
  return n;
}

static prc_status write_square(const prc_output_writer *writer, const char *path, prc_error *err) {
  return prc_output_vtu(writer, NULL, NULL, path, 4, square, &two_halves, 1, &on_points, 2, on_cells, err);
}

/* Every array is inline, nothing is in an appended section. */
static void assert_inline(const char *text) {
  ck_assert_int_eq(support_count(text, "format=\"binary\""), support_count(text, "<DataArray"));
  ck_assert_int_eq(support_count(text, "ppended"), 0);
  ck_assert_int_eq(support_count(text, "format=\"ascii\""), 0);
  ck_assert_int_eq(support_count(text, "compressor="), 0);
}

START_TEST(a_vtu_is_inline_binary_and_names_its_arrays) {
  prc_error err = {0};
  const char *path = support_fresh("square.vtu");
  support_ok(write_square(WRITER, path, &err), &err);
  char *text = support_read_text(path);
  assert_inline(text);
  ck_assert_int_eq(support_count(text, "<VTKFile type=\"UnstructuredGrid\""), 1);
  ck_assert_int_eq(support_count(text, "NumberOfPoints=\"4\""), 1);
  ck_assert_int_eq(support_count(text, "NumberOfCells=\"2\""), 1);
  ck_assert_int_eq(support_count(text, "type=\"Int32\" Name=\"region\""), 1);
  ck_assert_int_eq(support_count(text, "type=\"Float64\" Name=\"stress\" NumberOfComponents=\"3\""), 1);
  ck_assert(!support_part_exists(path));
  free(text);
}
END_TEST

START_TEST(plane_vectors_get_a_third_component_on_points_only) {
  const prc_array on_cell = {.name = "flux", .components = 2, .real = velocity};
  prc_error err = {0};
  const char *path = support_fresh("components.vtu");
  support_ok(
      prc_output_vtu(WRITER, NULL, NULL, path, 4, square, &two_halves, 1, &on_points, 1, &on_cell, &err),
      &err);
  char *text = support_read_text(path);
  ck_assert_int_eq(support_count(text, "Name=\"velocity\" NumberOfComponents=\"3\""), 1);
  ck_assert_int_eq(support_count(text, "Name=\"flux\" NumberOfComponents=\"2\""), 1);
  free(text);
}
END_TEST

START_TEST(segments_and_an_empty_mesh_are_written) {
  const prc_array none[2] = {{.name = "p", .components = 2}, {.name = "active", .components = 1}};
  prc_error err = {0};
  const char *path = support_fresh("segments.vtu");
  support_ok(prc_output_vtu(WRITER, NULL, NULL, path, 4, square, &three_lines, 0, NULL, 0, NULL, &err), &err);
  char *text = support_read_text(path);
  ck_assert_int_eq(support_count(text, "NumberOfCells=\"3\""), 1);
  free(text);
  support_ok(prc_output_vtu(WRITER, NULL, NULL, support_fresh("empty.vtu"), 0, NULL, &no_lines, 1, none, 1,
                            none + 1, &err),
             &err);
  text = support_read_text(support_out("empty.vtu"));
  ck_assert_int_eq(support_count(text, "NumberOfPoints=\"0\""), 1);
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

/* A tetrahedron with a polygon and a line of it, vectors and quaternions. */
START_TEST(points_in_space_keep_their_three_coordinates) {
  static const double x[12] = {0.0, 0.0, 0.0, 1.0, 0.25, 0.0, 0.0, 2.0, -0.5, 0.0, 0.0, 3.0};
  static const double quaternion[8] = {1.0, 0.0, 0.0, 0.0, 0.5, 0.5, -0.5, 0.5};
  static const int node[5] = {0, 1, 2, 3, 0}, start[3] = {0, 3, 5}, type[2] = {7, 3};
  const prc_cells cells = {.n = 2, .in_space = 1, .node = node, .start = start, .type = type};
  const prc_array velocities = {.name = "velocity", .components = 3, .real = x},
                  turned = {.name = "quaternion", .components = 4, .real = quaternion};
  prc_error err = {0};
  const char *path = support_fresh("space.vtu");
  support_ok(prc_output_vtu(WRITER, NULL, NULL, path, 4, x, &cells, 1, &velocities, 1, &turned, &err), &err);
  char *text = support_read_text(path);
  ck_assert_int_eq(support_count(text, "Name=\"quaternion\" NumberOfComponents=\"4\""), 1);
  ck_assert_int_eq(support_count(text, "Name=\"Points\" NumberOfComponents=\"3\""), 1);
  assert_values(text, "Points", x, sizeof x);
  assert_values(text, "velocity", x, sizeof x);
  assert_values(text, "quaternion", quaternion, sizeof quaternion);
  free(text);
}
END_TEST

/* A value that is none is refused in the third coordinate too. */
START_TEST(a_third_coordinate_that_is_no_number_is_refused) {
  const double x[6] = {0.0, 0.0, 0.0, 1.0, 0.0, NAN};
  const prc_cells cells = {.n = 1, .width = 2, .in_space = 1, .node = (const int[]){0, 1}};
  prc_error err = {0};
  support_fails(
      prc_output_vtu(WRITER, NULL, NULL, support_fresh("bad.vtu"), 2, x, &cells, 0, NULL, 0, NULL, &err),
      PRC_DIVERGED, &err, "array 'Points' is nan at index 1, component 2");
}
END_TEST

enum { SIZES = 15 };

/* Many sizes, some beyond the room that is handed on at once: every remainder by three, every boundary. */
START_TEST(every_number_of_values_is_written_as_it_is) {
  enum { MOST = 70001 };
  static const int sizes[SIZES] = {0, 1, 2, 3, 4, 5, 6, 7, 127, 128, 129, 257, 49151, 65534, MOST};
  static double real[3 * MOST], wide[3 * MOST];
  static int whole[MOST];
  prc_random random = {3};
  prc_error err = {0};
  const int n = sizes[_i % SIZES];
  for (int i = 0; i < 2 * n; i++) real[i] = prc_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < n; i++) whole[i] = (int)(prc_random_bits(&random) >> 33);
  for (int i = 0; i < n; i++) memcpy(wide + 3 * i, real + 2 * i, 2 * sizeof *wide);
  const prc_array arrays[] = {{"pairs", 2, real, NULL}, {"ones", 1, real, NULL}},
                  constant = {"numbers", 1, NULL, whole};
  prc_output_frame *frame = NULL;
  support_ok(prc_output_frame_create(prc_output_writer_at(_i / SIZES), NULL, n, real, &no_lines, 1, &constant,
                                     &frame, &err),
             &err);
  for (int twice = 0; twice < 2; twice++) {
    support_ok(prc_output_frame_write(frame, NULL, support_fresh("values.vtu"), 2, arrays, 0, NULL, &err),
               &err);
    char *text = support_read_text(support_out("values.vtu"));
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
  const prc_array fields[] = {{"speed", 2, plane, NULL}, {"heat <of> \"it\"", 1, plane, NULL}};
  prc_error err = {0};
  support_ok(prc_output_vtu(WRITER, NULL, NULL, support_fresh("range.vtu"), 4, square, &two_halves, 2, fields,
                            1, on_cells + 1, &err),
             &err);
  char *text = support_read_text(support_out("range.vtu"));
  ck_assert_int_eq(
      support_count(
          text, "Name=\"speed\" NumberOfComponents=\"3\" format=\"binary\" RangeMin=\"0.5\" RangeMax=\"10\""),
      1);
  ck_assert_int_eq(
      support_count(
          text, "Name=\"heat &lt;of&gt; &quot;it&quot;\" format=\"binary\" RangeMin=\"0\" RangeMax=\"4\""),
      1);
  ck_assert_int_eq(support_count(text, "Name=\"region\" format=\"binary\" RangeMin=\"7\" RangeMax=\"9\""), 1);
  free(text);
}
END_TEST

START_TEST(a_vtr_is_inline_binary_with_its_extent) {
  const double x[3] = {0.0, 1.0, 3.0}, y[2] = {0.0, 0.5};
  const prc_array fields[2] = {{.name = "pressure", .components = 1, .real = stress},
                               {.name = "status", .components = 1, .integer = halves}};
  prc_error err = {0};
  const char *path = support_fresh("diagram.vtr");
  support_ok(prc_output_vtr(WRITER, NULL, NULL, path, 3, x, 2, y, 2, fields, &err), &err);
  char *text = support_read_text(path);
  assert_inline(text);
  ck_assert_int_eq(support_count(text, "WholeExtent=\"0 2 0 1 0 0\""), 1);
  ck_assert_int_eq(support_count(text, "Name=\"pressure\""), 1);
  ck_assert_int_eq(support_count(text, "type=\"Int32\" Name=\"status\""), 1);
  ck_assert(!support_part_exists(path));
  free(text);
}
END_TEST

START_TEST(the_same_fields_give_the_same_bytes) {
  prc_error err = {0};
  support_ok(write_square(WRITER, support_out("one.vtu"), &err), &err);
  support_ok(write_square(WRITER, support_out("two.vtu"), &err), &err);
  char *one = support_read_text(support_out("one.vtu"));
  support_has_content(support_out("two.vtu"), one);
  free(one);
}
END_TEST

START_TEST(what_is_not_finite_is_refused_by_name_and_writes_nothing) {
  const double x[2] = {0.0, INFINITY}, y[1] = {0.0};
  double bad[8];
  prc_array array = {.name = "impulse", .components = 2, .real = bad};
  prc_error err = {0};
  const char *path = support_fresh("nan.vtu");
  memcpy(bad, square, sizeof bad);
  bad[5] = NAN;
  support_fails(prc_output_vtu(WRITER, NULL, NULL, path, 4, square, &two_halves, 1, &array, 0, NULL, &err),
                PRC_DIVERGED, &err, "array 'impulse' is nan at index 2, component 1");
  prc_error_clear(&err);
  bad[5] = -INFINITY;
  array.components = 3;
  support_fails(prc_output_vtu(WRITER, NULL, NULL, path, 4, square, &two_halves, 0, NULL, 1, &array, &err),
                PRC_DIVERGED, &err, "array 'impulse' is -inf at index 1, component 2");
  prc_error_clear(&err);
  support_fails(prc_output_vtu(WRITER, NULL, NULL, path, 4, bad, &two_halves, 0, NULL, 0, NULL, &err),
                PRC_DIVERGED, &err, "'Points'");
  prc_error_clear(&err);
  support_fails(prc_output_vtr(WRITER, NULL, NULL, path, 2, x, 1, y, 0, NULL, &err), PRC_DIVERGED, &err,
                "array 'x' is inf at index 1");
  ck_assert(!support_exists(path));
}
END_TEST

/* VTK's headers of 32 bits count no more. The values are not looked at. */
START_TEST(an_array_of_four_gigabytes_is_refused) {
  static char room[PRC_OUTPUT_XML_ROOM];
  prc_error err = {0};
  prc_output_xml xml = {.text = room, .err = &err};
  const prc_output_values values = {
      .name = "speed", .type = "Float64", .item = 8, .components = 2, .tuples = 1 << 28, .value = NULL};
  prc_output_xml_put_values(&xml, &values);
  support_fails(xml.status, PRC_IO, &err, "array 'speed' has 4294967296 bytes, expected less than 4 GB");
}
END_TEST

START_TEST(a_folder_that_cannot_hold_the_file_is_reported_with_the_path) {
  prc_error err = {0};
  const char *path = support_out("nowhere/a.vtu");
  support_fails(write_square(WRITER, path, &err), PRC_IO, &err, path);
  ck_assert_ptr_nonnull(strstr(err.message, "No such file or directory"));
  prc_error_clear(&err);
  support_ok(prc_output_make_folder(support_out("folder.vtu"), &err), &err);
  support_fails(write_square(WRITER, support_out("folder.vtu"), &err), PRC_IO, &err, "it is a folder");
  char endless[5000] = "";
  memset(endless, 'a', sizeof endless - 1);
  prc_error_clear(&err);
  support_fails(write_square(WRITER, endless, &err), PRC_IO, &err, "aaaa");
}
END_TEST

START_TEST(a_full_disk_is_reported_and_keeps_the_old_file) {
  static double x[20000], line[100];
  static int cell[20000];
  const prc_cells cells = {.n = 6666, .width = 3, .node = cell};
  const prc_array many = {"many", 2, x, NULL};
  prc_random random = {1};
  prc_error err = {0};
  const char *path = support_fresh("full.vtu");
#ifdef M_PERTURB
  mallopt(M_PERTURB, 165); /* memory is not 0 by chance: what fails must free only what it has */
#endif
  for (int i = 0; i < 20000; i++) x[i] = prc_random_uniform(&random, 0.0, 1.0), cell[i] = i / 2;
  for (int i = 0; i < 100; i++) line[i] = i;
  support_ok(write_square(WRITER, path, &err), &err);
  char *before = support_read_text(path);
  for (rlim_t bytes = 16; bytes < 200000; bytes += 49999) {
    const struct rlimit limit = support_limit_files(bytes);
    const prc_status status =
        prc_output_vtu(WRITER, NULL, NULL, path, 10000, x, &cells, 0, NULL, 0, NULL, &err);
    support_unlimit_files(limit);
    support_fails(status, PRC_IO, &err, path);
    ck_assert(!support_part_exists(path));
    prc_error_clear(&err);
    const struct rlimit again = support_limit_files(bytes);
    const prc_status grid = prc_output_vtr(WRITER, NULL, NULL, path, 100, line, 100, line, 1, &many, &err);
    support_unlimit_files(again);
    support_fails(grid, PRC_IO, &err, path);
    ck_assert(!support_part_exists(path));
    prc_error_clear(&err);
  }
  support_has_content(path, before);
  free(before);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------------- */

SUITE(fields) {
  Suite *suite = suite_create("fields");
  TCase *tc = tcase_create("fields");
  tcase_add_loop_test(tc, a_vtu_is_inline_binary_and_names_its_arrays, 0, n_writers());
  tcase_add_loop_test(tc, plane_vectors_get_a_third_component_on_points_only, 0, n_writers());
  tcase_add_loop_test(tc, segments_and_an_empty_mesh_are_written, 0, n_writers());
  tcase_add_loop_test(tc, points_in_space_keep_their_three_coordinates, 0, n_writers());
  tcase_add_loop_test(tc, a_third_coordinate_that_is_no_number_is_refused, 0, n_writers());
  tcase_add_loop_test(tc, every_number_of_values_is_written_as_it_is, 0, SIZES * n_writers());
  tcase_add_loop_test(tc, arrays_tell_their_range_and_vectors_that_of_their_lengths, 0, n_writers());
  tcase_add_loop_test(tc, a_vtr_is_inline_binary_with_its_extent, 0, n_writers());
  tcase_add_loop_test(tc, the_same_fields_give_the_same_bytes, 0, n_writers());
  tcase_add_loop_test(tc, what_is_not_finite_is_refused_by_name_and_writes_nothing, 0, n_writers());
  tcase_add_test(tc, an_array_of_four_gigabytes_is_refused);
  tcase_add_loop_test(tc, a_folder_that_cannot_hold_the_file_is_reported_with_the_path, 0, n_writers());
  tcase_add_loop_test(tc, a_full_disk_is_reported_and_keeps_the_old_file, 0, n_writers());
  suite_add_tcase(suite, tc);
  return suite;
}
