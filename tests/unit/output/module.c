#include "config.h"
#include "output/output.h"
#include "support/files.h"
#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The writer whose calls of libvtk are a module: when it is not there, not ours, or fails. */

static prc_error err;

static void look_in(const char *folder) {
  setenv("PERCUSS_LIBDIR", support_build(folder), 1);
}

/* where the tests share a process, the module of one is not that of the next */
static void begin(void) {
  prc_error_clear(&err);
  look_in(".");
}

static const prc_output_writer *vtk(void) {
  return prc_output_writer_find("vtk");
}

/* ---- the table ----------------------------------------------------------------------------------------- */

START_TEST(writers_are_found_by_their_names_and_the_first_is_the_default) {
  ck_assert_ptr_eq(prc_output_writer_find("auto"), prc_output_writer_at(0));
  for (int k = 0; prc_output_writer_at(k); k++)
    ck_assert_ptr_eq(prc_output_writer_find(prc_output_writer_name(prc_output_writer_at(k))),
                     prc_output_writer_at(k));
  ck_assert_ptr_null(prc_output_writer_find("netcdf"));
  ck_assert_ptr_null(prc_output_writer_at(-1));
  ck_assert_ptr_nonnull(prc_output_writer_find("own"));
}
END_TEST

START_TEST(every_writer_says_what_it_is) {
  char text[64];
  for (int k = 0; prc_output_writer_at(k); k++)
    support_ok(prc_output_writer_describe(prc_output_writer_at(k), text, sizeof text, &err), &err);
  ck_assert_str_eq(text, "percuss's own writer");
  if (!vtk()) return;
  support_ok(prc_output_writer_describe(vtk(), text, sizeof text, &err), &err);
  ck_assert(strncmp(text, "VTK 9.", 6) == 0);
}
END_TEST

#ifdef HAVE_VTK
/* ---- a module that cannot be used ---------------------------------------------------------------------- */

static const double x[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
static const int node[3] = {0, 1, 2};
static const prc_cells triangle = {.n = 1, .width = 3, .node = node}, nothing = {.width = 3};
static const prc_array speed = {"speed", 2, x, NULL};

static prc_status write_triangle(const char *path) {
  prc_error_clear(&err);
  return prc_output_vtu(vtk(), NULL, NULL, path, 3, x, &triangle, 1, &speed, 0, NULL, &err);
}

static prc_status write_grid(const char *path) {
  prc_error_clear(&err);
  return prc_output_vtr(vtk(), NULL, NULL, path, 2, x, 1, x, 1, &speed, &err);
}

START_TEST(a_module_that_is_no_library_is_refused_with_the_way_out) {
  prc_output_frame *frame = NULL;
  char text[64];
  support_ok(prc_output_make_folder(support_out("no-module"), &err), &err);
  support_write_bytes(support_out("no-module/percuss-vtk.so"), "nothing", 7);
  setenv("PERCUSS_LIBDIR", support_out("no-module"), 1);
  support_fails(prc_output_writer_describe(vtk(), text, sizeof text, &err), PRC_IO, &err,
                "the writer 'vtk' of fields cannot be loaded");
  ck_assert_ptr_nonnull(strstr(err.message, "no-module/percuss-vtk.so"));
  ck_assert_ptr_nonnull(strstr(err.message, "'output.writer: own' does without VTK"));
  prc_error_clear(&err);
  support_fails(prc_output_frame_create(vtk(), NULL, 3, x, &triangle, 0, NULL, &frame, &err), PRC_IO, &err,
                "cannot be loaded");
  support_fails(write_grid(support_fresh("no.vtr")), PRC_IO, &err, "cannot be loaded");
  ck_assert(!support_exists(support_out("no.vtr")) && !support_part_exists(support_out("no.vtr")));
}
END_TEST

START_TEST(a_module_without_the_table_is_refused) {
  char text[64];
  look_in("tests/modules/empty");
  support_fails(prc_output_writer_describe(vtk(), text, sizeof text, &err), PRC_IO, &err, "percuss_vtk");
}
END_TEST

START_TEST(a_module_of_another_version_is_refused) {
  look_in("tests/modules/older");
  support_fails(write_triangle(support_fresh("older.vtu")), PRC_IO, &err,
                "percuss-vtk.so is of percuss 0.0.1, expected that of " PACKAGE_VERSION);
}
END_TEST

/* ---- failures in the module ---------------------------------------------------------------------------- */

START_TEST(what_fails_in_vtk_is_told_with_the_path_and_leaves_no_file) {
  static const struct {
    const char *how, *says;
    prc_status status;
  } ways[] = {{"memory", "out of memory in VTK", PRC_NOMEM},
              {"words", "cannot be written by VTK: no good", PRC_IO}};
  look_in("tests/modules/failing");
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    const char *path = support_fresh("failing.vtu");
    setenv("PRC_MODULE", ways[k].how, 1);
    support_fails(write_triangle(path), ways[k].status, &err, ways[k].says);
    ck_assert_ptr_nonnull(strstr(err.message, path));
    support_fails(write_grid(path), ways[k].status, &err, ways[k].says);
    prc_error_clear(&err);
    support_fails(prc_output_vtu(vtk(), NULL, NULL, path, 0, NULL, &nothing, 0, NULL, 0, NULL, &err),
                  ways[k].status, &err, ways[k].says);
    ck_assert_ptr_nonnull(strstr(err.message, path));
    ck_assert(!support_exists(path) && !support_part_exists(path));
  }
}
END_TEST

/* ---- VTK itself ---------------------------------------------------------------------------------------- */

static int n_threads(void) {
  int n = 0;
  DIR *tasks = opendir("/proc/self/task");
  ck_assert_ptr_nonnull(tasks);
  while (readdir(tasks)) n++;
  closedir(tasks);
  return n;
}

/* A run has the threads it was given. VTK takes one for each processor where it is let. */
START_TEST(vtk_starts_no_threads) {
  enum { POINTS = 200000 };
  static double values[2 * POINTS];
  const prc_array many = {"many", 2, values, NULL};
  const int before = n_threads();
  support_ok(prc_output_vtu(vtk(), NULL, NULL, support_fresh("threads.vtu"), POINTS, values, &triangle, 1,
                            &many, 0, NULL, &err),
             &err);
  ck_assert_int_eq(n_threads(), before);
  remove(support_out("threads.vtu"));
}
END_TEST

static double used(void) { /* bytes of address space */
  double pages = 0.0;
  FILE *file = fopen("/proc/self/statm", "r");
  ck_assert_int_eq(fscanf(file, "%lf", &pages), 1);
  fclose(file);
  return 4096.0 * pages;
}

/* With ever more memory left, whatever VTK and the wrapper cannot have is an error and not the end; then it is written. */
START_TEST(memory_that_vtk_cannot_have_is_an_error) {
  enum { POINTS = 2000000 };
  static double points[2 * POINTS], values[2 * POINTS];
  const prc_array many = {"many", 2, values, NULL};
  const char *path = support_fresh("memory.vtu");
  struct rlimit before;
  int failures = 0;
  prc_status status;
  support_ok(write_triangle(path), &err); /* VTK is loaded */
  ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
  remove(path);
  for (double more = 1e6;; more += 15e6) {
    const struct rlimit limit = {(rlim_t)(used() + more), before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    prc_error_clear(&err);
    status = prc_output_vtu(vtk(), NULL, NULL, path, POINTS, points, &triangle, 1, &many, 0, NULL, &err);
    setrlimit(RLIMIT_AS, &before);
    if (status == PRC_OK) break;
    failures++;
    ck_assert_msg(status == PRC_NOMEM, "%g bytes more: %s", more, err.message);
    ck_assert(!support_exists(path) && !support_part_exists(path));
  }
  ck_assert_int_ge(failures, 4);
  ck_assert(support_exists(path));
  remove(path);
}
END_TEST

#endif

/* ---- the suite ----------------------------------------------------------------------------------------- */

SUITE(module) {
  Suite *suite = suite_create("module");
  TCase *tc = tcase_create("module");
  tcase_add_checked_fixture(tc, begin, NULL);
  tcase_add_test(tc, writers_are_found_by_their_names_and_the_first_is_the_default);
  tcase_add_test(tc, every_writer_says_what_it_is);
#ifdef HAVE_VTK
  tcase_add_test(tc, a_module_that_is_no_library_is_refused_with_the_way_out);
  tcase_add_test(tc, a_module_without_the_table_is_refused);
  tcase_add_test(tc, a_module_of_another_version_is_refused);
  tcase_add_test(tc, what_fails_in_vtk_is_told_with_the_path_and_leaves_no_file);
  tcase_add_test(tc, vtk_starts_no_threads);
  /* the tools keep an address space of their own */
  if (!getenv("PRC_SANITIZED") && !getenv("PRC_VALGRIND"))
    tcase_add_test(tc, memory_that_vtk_cannot_have_is_an_error);
#endif
  suite_add_tcase(suite, tc);
  return suite;
}
