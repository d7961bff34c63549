#include "config.h"
#include "case/case.h"
#include "case/internal.h"
#include "cone/fclib.h"
#include "mesh/mesh.h"
#include "output/output.h"
#include "support/calls.h"
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of the system and of libraries that hardly ever fail: each fails in turn, from the first to the last, and the work
 * that needs it says so. */

static prc_error err;

/* ---- works --------------------------------------------------------------------------------------------- */

static prc_status say_yes(void *data, prc_bytes *out, prc_error *failure) {
  (void)data;
  return prc_bytes_put(out, "yes", 3, failure);
}

static prc_status work_apart(void) {
  const prc_subprocess_limits limits = {.what = "the work", .seconds = 60};
  prc_bytes out = {0};
  const prc_status status = prc_subprocess_run(&limits, say_yes, NULL, &out, &err);
  prc_delete(&out.at);
  return status;
}

static prc_status start_background(void) {
  prc_background *background = NULL;
  const prc_status status = prc_background_create(&background, &err);
  prc_background_free(&background);
  return status;
}

static prc_status read_case_with(int n_set, const char *const *set) {
  prc_case *c = NULL;
  const prc_status status = prc_case_read(support_source("tests/input/good.yaml"), n_set, set, &c, &err);
  prc_case_free(&c);
  return status;
}

static prc_status read_case(void) {
  return read_case_with(0, NULL);
}

static prc_status read_case_with_expression(void) {
  return read_case_with(1, &(const char *){"model.gravity=[0, sin(t)]"});
}

static prc_status read_expression_called(const char *label) {
  prc_expression *expression = NULL;
  double value;
  prc_status status = prc_expression_create("sin(t)", "t", &expression, &err);
  if (status == PRC_OK && label) status = prc_expression_label(expression, label, &err);
  if (status == PRC_OK) {
    const prc_field field = prc_expression_field(expression);
    status = prc_field_eval(&field, 0.0, 0.0, 1.0, &value, &err);
  }
  prc_expression_free(&expression);
  return status;
}

static prc_status read_expression(void) {
  return read_expression_called(NULL);
}

static prc_status read_labelled_expression(void) {
  return read_expression_called("a.yaml:1:2: loads.top");
}

static prc_status read_mesh(const char *path) {
  prc_mesh *mesh = NULL;
  const prc_mesh_options options = {.size = strstr(path, ".geo") ? 8.0 : 0.0};
  const prc_status status = prc_mesh_read(path, &options, NULL, &mesh, &err);
  prc_mesh_free(&mesh);
  return status;
}

static prc_status read_msh(void) {
  return read_mesh(support_source("tests/input/good.msh"));
}

static prc_status read_geo(void) {
  return read_mesh(support_source("meshes/block.geo"));
}

static prc_status read_problem(void) {
  prc_fclib *problem = NULL;
  const prc_status status = prc_fclib_read(support_source("tests/fuzz/problem/contact.hdf5"), &problem, &err);
  prc_fclib_free(&problem);
  return status;
}

static prc_status write_problem(void) {
  static const double W[4] = {2.0, 0.0, 0.0, 1.0}, b[2] = {-1.0, 0.5}, mu[1] = {0.3}, p[2] = {0.5, 0.0};
  const prc_cone_problem problem = {.dim = 2, .n = 1, .W = W, .b = b, .mu = mu};
  const prc_fclib_notes notes = {.title = "one contact", .guess = p};
  return prc_fclib_write(NULL, support_out("problem.hdf5"), &problem, &notes, &err);
}

static prc_status write_store(void) {
  static const double value[2] = {1.0, 2.0};
  prc_output_store *store = NULL;
  prc_status status = prc_output_store_create(NULL, support_out("calls.h5"), NULL, &store, &err);
  if (status == PRC_OK) status = prc_output_store_put(store, "q", 2, value, &err);
  const prc_status closed = prc_output_store_close(&store, &err);
  return status == PRC_OK ? closed : status;
}

static prc_status read_store(void) {
  double value[2];
  prc_output_store *store = NULL;
  prc_status status = prc_output_store_open(NULL, support_out("calls.h5"), &store, &err);
  if (status == PRC_OK) status = prc_output_store_get(store, "q", 2, value, &err);
  const prc_status closed = prc_output_store_close(&store, &err);
  return status == PRC_OK ? closed : status;
}

static prc_status restore_collection(void) {
  prc_output_pvd *pvd = NULL;
  prc_status status = prc_output_pvd_create(NULL, support_out("calls.pvd"), &pvd, &err);
  if (status == PRC_OK) status = prc_output_pvd_restore(pvd, 1.0, &err);
  prc_output_pvd_free(&pvd);
  return status;
}

static prc_status continue_table(void) {
  prc_output_csv *table = NULL;
  const prc_status status = prc_output_csv_open(NULL, support_out("calls.csv"), "a,b", 8, &table, &err);
  const prc_status closed = prc_output_csv_close(&table, &err);
  return status == PRC_OK ? closed : status;
}

/* What the works above find. */
static void prepare(void) {
  static const double x[2] = {1.0, 2.0};
  prc_output_csv *table = NULL;
  prc_output_pvd *pvd = NULL;
  prc_error_clear(&err);
  support_ok(write_store(), &err);
  support_ok(prc_output_csv_open(NULL, support_out("calls.csv"), "a,b", -1, &table, &err), &err);
  support_ok(prc_output_csv_row(table, 2, x, &err), &err);
  support_ok(prc_output_csv_close(&table, &err), &err);
  support_ok(prc_output_pvd_create(NULL, support_out("calls.pvd"), &pvd, &err), &err);
  support_ok(prc_output_pvd_add(pvd, 0.5, "a.vtu", &err), &err);
  support_ok(prc_output_pvd_write(pvd, &err), &err);
  prc_output_pvd_free(&pvd);
}

/* ---- what is said of them ------------------------------------------------------------------------------ */

static const struct {
  prc_status (*work)(void);
  const char *call;
  int does_without; /* how many of the calls the work can do without */
  prc_status status;
  const char *text;
} calls[] = {
    {work_apart, "pipe", 0, PRC_IO, "the work needs a process of its own: Too many open files"},
    {work_apart, "fork", 0, PRC_IO, "the work needs a process of its own: Resource temporarily unavailable"},
    {work_apart, "read", 0, PRC_IO, "the work: its process cannot be heard: Input/output error"},
    {work_apart, "waitpid", 0, PRC_IO, "the work: no answer: No child processes"},
    {start_background, "pthread_create", 0, PRC_NOMEM, "there is no thread to be had: Resource temporarily"},
    {read_case, "fread", 0, PRC_INPUT, "good.yaml: cannot be read: Input/output error"},
    {read_case, "fy_parser_create", 0, PRC_NOMEM, "out of memory"},
    {read_case, "fy_diag_create", 0, PRC_NOMEM, "out of memory"},
    {read_case_with_expression, "mupCreate", 0, PRC_NOMEM, "out of memory"},
    {read_expression, "mupCreate", 0, PRC_NOMEM, "out of memory"},
    {read_expression, "mupError", 0, PRC_INPUT, "'sin(t)'"},
    {read_labelled_expression, "mupError", 0, PRC_INPUT, "'sin(t)'"},
    {read_msh, "fstat", 0, PRC_IO, "good.msh: cannot be read: Input/output error"},
    {read_msh, "fread", 0, PRC_IO, "good.msh: cannot be read: Input/output error"},
    {read_geo, "gmshInitialize", 0, PRC_IO, "block.geo: Gmsh does not start (code 1)"},
    {read_geo, "gmshOpen", 0, PRC_INPUT, "block.geo: Gmsh failed (code 1) while opening the file"},
    {read_geo, "gmshModelMeshGenerate", 0, PRC_INPUT, "block.geo: Gmsh failed (code 1) while meshing"},
    {read_geo, "gmshModelMeshGetNodes", 0, PRC_INPUT, "Gmsh failed (code 1) while listing the nodes"},
    {read_geo, "gmshModelMeshGetElements", 0, PRC_INPUT, "Gmsh failed (code 1) while listing the elements"},
    {read_geo, "gmshModelGetEntities", 0, PRC_INPUT, "(code 1) while listing curves and surfaces"},
    {read_geo, "gmshModelGetPhysicalGroups", 0, PRC_INPUT, "(code 1) while listing the physical groups"},
    {read_geo, "gmshModelGetEntitiesForPhysicalGroup", 0, PRC_INPUT,
     "(code 1) while reading a physical group"},
    {read_problem, "H5Dopen2", 3, PRC_INPUT, "cannot be read ("},
    {read_problem, "H5Dread", 3, PRC_INPUT, "); is the file complete?"},
    {write_problem, "H5Fcreate", 0, PRC_IO, "problem.hdf5: cannot be created: "},
    {write_problem, "H5Gcreate2", 0, PRC_IO, "problem.hdf5: cannot store /"},
    {write_problem, "H5Dcreate2", 0, PRC_IO, "problem.hdf5: cannot store /"},
    {write_problem, "H5Dwrite", 0, PRC_IO, "problem.hdf5: cannot store /"},
    {write_problem, "H5Dclose", 3, PRC_IO, "problem.hdf5: cannot store /"},
    {write_problem, "H5Fflush", 0, PRC_IO, "problem.hdf5: cannot store the problem: "},
    {write_problem, "H5Fget_file_image", 0, PRC_IO, "problem.hdf5: cannot store the problem: "},
    {write_store, "H5Fcreate", 0, PRC_IO, "calls.h5: cannot be created: "},
    {write_store, "H5Dcreate2", 0, PRC_IO, "calls.h5: cannot store 'q': "},
    {write_store, "H5Dwrite", 0, PRC_IO, "calls.h5: cannot store 'q': "},
    {write_store, "H5Dclose", 0, PRC_IO, "calls.h5: cannot store 'q': "},
    {write_store, "H5Fflush", 0, PRC_IO, "calls.h5: cannot be written: "},
    {write_store, "H5Fget_file_image", 0, PRC_IO, "calls.h5: cannot be written: "},
    {read_store, "fstat", 0, PRC_IO, "calls.h5: cannot be read: Input/output error"},
    {read_store, "fread", 0, PRC_IO, "calls.h5: cannot be read: Input/output error"},
    {read_store, "H5Literate", 0, PRC_INPUT, "calls.h5: cannot be read: "},
    {read_store, "H5Dopen2", 0, PRC_INPUT, "calls.h5: 'q' is not a one-dimensional array"},
    {read_store, "H5Dread", 0, PRC_INPUT, "calls.h5: cannot read 'q': "},
    {restore_collection, "fstat", 0, PRC_IO, "calls.pvd: cannot be read: Input/output error"},
    {restore_collection, "fread", 0, PRC_IO, "calls.pvd: cannot be read: Input/output error"},
    {continue_table, "fstat", 1, PRC_IO, "calls.csv: cannot be continued: Input/output error"},
    {continue_table, "pread", 0, PRC_IO, "calls.csv: cannot be continued: Input/output error"},
    {continue_table, "ftruncate", 0, PRC_IO, "calls.csv: cannot be continued: Input/output error"},
};

START_TEST(every_failing_call_is_a_message) {
  int n_failed = 0, n_done_without = 0;
  prepare();
  for (int n = 1;; n++) {
    prc_error_clear(&err);
    support_let_fail(calls[_i].call, n);
    const prc_status status = calls[_i].work();
    if (!support_let_succeed()) break;
    n_done_without += status == PRC_OK;
    n_failed += status != PRC_OK;
    if (status == PRC_OK) continue;
    ck_assert_msg(status == calls[_i].status && strstr(err.message, calls[_i].text),
                  "%s %d: status %d, '%s', expected '%s'", calls[_i].call, n, (int)status, err.message,
                  calls[_i].text);
  }
  prc_error_clear(&err);
  support_ok(calls[_i].work(), &err); /* nothing is broken by it */
  ck_assert_msg(n_failed > 0, "%s was never called", calls[_i].call);
  ck_assert_msg(n_done_without == calls[_i].does_without, "%s: %d did not matter", calls[_i].call,
                n_done_without);
}
END_TEST

/* What a child reads for its parent is only as good as the child. */
START_TEST(an_answer_that_is_cut_is_a_message) {
  static const struct {
    prc_status (*work)(void);
    int stride;
    const char *file;
  } answers[] = {{read_problem, 41, "contact.hdf5"},
                 {read_case, 61, "good.yaml"},
                 {read_store, 17, "calls.h5"},
                 {read_geo, 1501, "block.geo"}};
  int n_cut = 0;
  prepare();
  for (int n = 0;; n += answers[_i].stride) {
    prc_error_clear(&err);
    support_let_fail("bytes", n);
    const prc_status status = answers[_i].work();
    if (!support_let_succeed()) break;
    ck_assert_msg(status != PRC_OK, "%d bytes were enough", n);
    ck_assert_msg(strstr(err.message, answers[_i].file), "message is '%s'", err.message);
    n_cut++;
  }
  ck_assert_int_gt(n_cut, 5);
}
END_TEST

START_TEST(a_problem_on_a_full_disk_is_not_written) {
  prc_error_clear(&err);
  const struct rlimit before = support_limit_files(1000);
  const prc_status status = write_problem();
  support_unlimit_files(before);
  support_fails(status, PRC_IO, &err, "problem.hdf5: cannot be written: File too large");
}
END_TEST

START_TEST(a_syntax_error_without_a_reason_is_a_message) {
  prc_error_clear(&err);
  support_let_fail("fy_diag_errors_iterate", 1);
  const prc_status status = read_case_with(1, &(const char *){"time.end=[1"});
  ck_assert(support_let_succeed());
  support_fails(status, PRC_INPUT, &err, "--set time.end: this cannot be parsed, expected valid YAML");
}
END_TEST

SUITE(calls) {
  Suite *suite = suite_create("calls");
  TCase *tc = tcase_create("failing");
  tcase_add_loop_test(tc, every_failing_call_is_a_message, 0, sizeof calls / sizeof *calls);
  tcase_add_loop_test(tc, an_answer_that_is_cut_is_a_message, 0, 4);
  tcase_add_test(tc, a_problem_on_a_full_disk_is_not_written);
  tcase_add_test(tc, a_syntax_error_without_a_reason_is_a_message);
  suite_add_tcase(suite, tc);
  return suite;
}
