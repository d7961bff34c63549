#include "config.h"
#include "fuzz/plan.h"
#include "fuzz/targets.h"
#include "cone/cone.h"
#include "cone/fclib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Contact problems in FCLib files, read and then used as `percuss cone` uses them. */

/* ---- what follows reading ---------------------------------------------------------------------------------- */

static void solve(const prc_cone_problem *problem, unsigned way) {
  int n_methods;
  const prc_cone_ability *methods = prc_cone_abilities(&n_methods);
  prc_error err = {0};
  prc_cone_solver *solver = NULL;
  prc_cone_options options = prc_cone_options_default();
  double *p = calloc((size_t)problem->dim * (size_t)problem->n + 1, sizeof *p);
  if (!p) abort();
  options.max_iterations = 30;
  if (prc_cone_solver_create_for(methods[way % (unsigned)n_methods].name, problem, &options, &solver, &err)
      == PRC_OK) {
    const prc_cone_info info = prc_cone_solve(solver, problem, p);
    if (info.converged && !(info.error.scaled <= options.tolerance)) abort(); /* a success that is none */
  }
  prc_cone_solver_free(&solver);
  free(p);
}

static void look_at(const prc_cone_problem *problem) {
  prc_error err = {0};
  double *x = calloc((size_t)problem->dim * (size_t)problem->n + 1, sizeof *x);
  if (!x) abort();
  (void)prc_cone_asymmetry(problem);
  (void)!prc_cone_singular_values(problem, x, &err);
  prc_error_clear(&err);
  (void)!prc_cone_eigenvalues(problem, x, &err);
  free(x);
}

/* `way` chooses among the forms and the solvers. Large ones would only take long. */
static void use(prc_fclib *f, unsigned way) {
  enum { ROWS = 60, VELOCITIES = 200 };
  prc_error err = {0};
  prc_cone_problem problem;
  if (f->n > ROWS / f->dim || f->n_velocities > VELOCITIES) return;
  const unsigned form = way / 9 % 4;
  const prc_status status = form == 0   ? prc_fclib_problem(f, &problem, &err)
                            : form == 1 ? prc_fclib_dense(f, &problem, &err)
                            : form == 2 ? prc_fclib_blocks(f, &problem, &err)
                                        : prc_fclib_whole(f, &problem, &err);
  if (status != PRC_OK || prc_cone_problem_check(&problem, &err) != PRC_OK) return;
  solve(&problem, way);
  if (!problem.whole) look_at(&problem);
}

static int read_and_use(const void *bytes, size_t n, unsigned way) {
  char path[64];
  prc_error err = {0};
  prc_fclib *problem = NULL;
  fuzz_temporary(
      path); /* with a name: HDF5 asks for the real path of a link as below /proc, and a memory file has none */
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) abort();
  const prc_status status = prc_fclib_read(path, &problem, &err);
  if (status == PRC_OK)
    use(problem, way);
  else if (err.status == PRC_OK || !err.message[0])
    abort(); /* a failure that says nothing */
  prc_fclib_free(&problem);
  unlink(path);
  return status == PRC_OK;
}

int fuzz_read_problem(const uint8_t *bytes, size_t n) {
  return read_and_use(bytes, n, n > 0 ? bytes[n - 1] : 0);
}

/* ---- files that are made ----------------------------------------------------------------------------------- */

#define SIZE(list) (sizeof(list) / sizeof *(list))
#define LIST(...)  (SIZE(((const double[]){__VA_ARGS__}))), ((const double[]){__VA_ARGS__})

static void add(fuzz_plan *plan, const char *group, const char *name, fuzz_type type, size_t n,
                const double *value) {
  char path[FUZZ_NAME];
  snprintf(path, sizeof path, "%s/%s", group, name);
  fuzz_plan_add(plan, path, type, n, value);
}

/* By columns or rows (nz -1, -2) or by triplets. */
static void add_matrix(fuzz_plan *plan, const char *group, int m, int n, int nz, size_t n_p, const double *p,
                       size_t n_i, const double *i, const double *x) {
  add(plan, group, "m", FUZZ_INTEGERS, LIST(m));
  add(plan, group, "n", FUZZ_INTEGERS, LIST(n));
  add(plan, group, "nz", FUZZ_INTEGERS, LIST(nz));
  add(plan, group, "nzmax", FUZZ_INTEGERS, LIST((double)n_i));
  add(plan, group, "p", FUZZ_INTEGERS, n_p, p);
  add(plan, group, "i", FUZZ_INTEGERS, n_i, i);
  add(plan, group, "x", FUZZ_REALS, n_i, x);
}

static void add_state(fuzz_plan *plan, const char *group, size_t n, size_t n_velocities) {
  static const double some[8] = {1, 0.2, 0, 0, 0.5, -0.1, 0, 0};
  add(plan, group, "r", FUZZ_REALS, n, some);
  add(plan, group, "u", FUZZ_REALS, n, some);
  if (n_velocities > 0) add(plan, group, "v", FUZZ_REALS, n_velocities, some);
}

/* Two contacts in 2D; W by columns (or, since it is symmetric, by rows) or by triplets. */
static void add_local(fuzz_plan *plan, int nz) {
  static const double start[] = {0, 2, 5, 8, 10}, line[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3},
                      column[] = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3}, x[] = {4, 1, 1, 5, -1, -1, 6, 2, 2, 8};
  add(plan, "/fclib_local", "spacedim", FUZZ_INTEGERS, LIST(2));
  add(plan, "/fclib_local", "vectors/q", FUZZ_REALS, LIST(-1, 0.5, -2, -0.25));
  add(plan, "/fclib_local", "vectors/mu", FUZZ_REALS, LIST(0.3, 0));
  if (nz < 0)
    add_matrix(plan, "/fclib_local/W", 4, 4, nz, SIZE(start), start, SIZE(line), line, x);
  else
    add_matrix(plan, "/fclib_local/W", 4, 4, nz, SIZE(column), column, SIZE(line), line, x);
  add(plan, "/fclib_local", "info/title", FUZZ_TEXT, 1, (const double[]){1e40});
  add_state(plan, "/solution", 4, 0);
  add(plan, "/guesses", "number_of_guesses", FUZZ_INTEGERS, LIST(1));
  add_state(plan, "/guesses/1", 4, 0);
}

/* Two contacts in 3D. */
static void add_local_3d(fuzz_plan *plan) {
  static const double start[] = {0, 2, 3, 4, 6, 7, 8}, line[] = {0, 3, 1, 2, 0, 3, 4, 5},
                      x[] = {2, 1, 2, 2, 1, 2, 2, 2};
  add(plan, "/fclib_local", "spacedim", FUZZ_INTEGERS, LIST(3));
  add(plan, "/fclib_local", "vectors/q", FUZZ_REALS, LIST(-1, 0.5, 1, -2, -0.25, 3));
  add(plan, "/fclib_local", "vectors/mu", FUZZ_REALS, LIST(0.3, 0.8));
  add_matrix(plan, "/fclib_local/W", 6, 6, -1, SIZE(start), start, SIZE(line), line, x);
}

/* Three velocities and a contact in 3D. */
static void add_global(fuzz_plan *plan) {
  static const double row[] = {0, 0, 1, 2}, column[] = {0, 1, 1, 2}, M[] = {2, 1, 4, 3};
  static const double start[] = {0, 2, 3, 4}, line[] = {0, 2, 1, 1}, H[] = {1, 1, 2, 1};
  add(plan, "/fclib_global", "spacedim", FUZZ_INTEGERS, LIST(3));
  add(plan, "/fclib_global", "vectors/mu", FUZZ_REALS, LIST(0.5));
  add(plan, "/fclib_global", "vectors/f", FUZZ_REALS, LIST(4, 8, -2));
  add(plan, "/fclib_global", "vectors/w", FUZZ_REALS, LIST(-1, 0, 1));
  add_matrix(plan, "/fclib_global/M", 3, 3, 4, SIZE(column), column, SIZE(row), row, M);
  add_matrix(plan, "/fclib_global/H", 3, 3, -1, SIZE(start), start, SIZE(line), line, H);
  add(plan, "/fclib_global", "G/n", FUZZ_INTEGERS, LIST(0));
  add_state(plan, "/solution", 3, 3);
}

/* The first byte chooses the file to begin with, the second what is done with it, the rest are edits. */
int fuzz_read_made_problem(const uint8_t *bytes, size_t n) {
  fuzz_bytes from = {bytes, n};
  fuzz_plan *plan = calloc(1, sizeof *plan);
  const unsigned base = fuzz_byte(&from) % 5, way = fuzz_byte(&from);
  size_t length = 0;
  if (!plan) abort();
  if (base < 3)
    add_local(plan, base == 0 ? -1 : base == 1 ? -2 : 10);
  else if (base == 3)
    add_local_3d(plan);
  else
    add_global(plan);
  fuzz_plan_edit(plan, &from);
  char *image = fuzz_plan_image(plan, 0, &length);
  const int accepted = image && read_and_use(image, length, way);
  free(image);
  free(plan);
  return accepted;
}
