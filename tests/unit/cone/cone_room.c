#include "config.h"
#include "cone/cone.h"
#include "cone/fclib.h"
#include "support/known_contact.h"
#include "support/methods.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Problems of every dimension from none to a thousand contacts, solvers that are given room for more, and what each method of the
 * table refuses. */

#define DIM PRC_CONE_DIM_MOST

/* ---- sizes, and room for more ------------------------------------------------------------------------------------------- */

typedef struct {
  prc_cone_problem problem;
  prc_cone_blocks blocks;
  double *W, *b, *mu, *p;
} chain;

/* Each contact feels its neighbours; dense or by blocks. */
static void make_chain(chain *s, int dim, int n, int sparse) {
  const size_t size = (size_t)(dim * dim), rows = (size_t)(dim * n);
  prc_random r = {(uint64_t)n};
  int count = 0;
  *s = (chain){.W = sparse ? NULL : calloc(rows * rows, sizeof(double)),
               .b = calloc(rows + 1, sizeof(double))};
  s->mu = calloc((size_t)n + 1, sizeof(double)), s->p = calloc(rows + 1, sizeof(double));
  s->blocks.row_start = calloc((size_t)n + 1, sizeof(int)),
  s->blocks.column = calloc(3 * (size_t)n + 1, sizeof(int));
  s->blocks.values = calloc(3 * (size_t)n * size + 1, sizeof(double));
  for (int c = 0; c < n; c++) {
    for (int j = c > 0 ? c - 1 : 0; j <= c + 1 && j < n; j++, count++)
      for (int i = 0; i < dim * dim; i++) {
        const double value = i % (dim + 1) == 0 ? (c == j ? 2.0 : -0.4) : c == j ? 0.1 : 0.0;
        s->blocks.values[(size_t)count * size + (size_t)i] = value;
        s->blocks.column[count] = j;
        if (!sparse) s->W[(size_t)(dim * c + i / dim) * rows + (size_t)(dim * j + i % dim)] = value;
      }
    s->blocks.row_start[c + 1] = count;
    s->mu[c] = prc_random_uniform(&r, 0.0, 0.8);
    for (int k = 0; k < dim; k++) s->b[dim * c + k] = support_normal(&r) - (k == 0 ? 0.5 : 0.0);
  }
  s->problem = (prc_cone_problem){.dim = dim, .n = n, .W = s->W, .b = s->b, .mu = s->mu};
  if (sparse) s->problem.blocks = &s->blocks;
}

static void free_chain(chain *s) {
  free(s->W), free(s->b), free(s->mu), free(s->p);
  free(s->blocks.row_start), free(s->blocks.column), free(s->blocks.values);
}

START_TEST(from_none_to_a_thousand_contacts) {
  const int dim = _i + 1, counts[] = {0, 1, 1000};
  for (int k = 0; k < 3; k++) {
    chain s;
    make_chain(&s, dim, counts[k], 1);
    const prc_cone_info info = solve("auto", &s.problem, s.p);
    ck_assert_msg(info.converged, "dimension %d, %d contacts: error %g", dim, counts[k], info.error.scaled);
    free_chain(&s);
  }
}
END_TEST

/* 1, 10, and many contacts one after the other, in a solver that grows, against new ones: the same bits. */
static void grow(const char *name, int dim, int sparse, int most) {
  const int counts[] = {1, 10, most, 10};
  const prc_cone_options options = {.tolerance = 1e-10, .max_iterations = 300, .relaxation = 1.0};
  prc_cone_solver *growing = NULL;
  prc_error err = {0};
  for (int k = 0; k < 4; k++) {
    prc_cone_solver *fresh = NULL;
    chain s, largest;
    make_chain(&s, dim, counts[k], sparse), make_chain(&largest, dim, counts[k < 3 ? k : 2], sparse);
    double *p = calloc((size_t)(dim * counts[k]), sizeof *p);
    if (k == 0) support_ok(prc_cone_solver_create_for(name, &s.problem, &options, &growing, &err), &err);
    if (k > 0) { /* one that does not fit is left alone until there is room */
      const prc_cone_info before =
          k < 3 ? prc_cone_solve(growing, &s.problem, p) : (prc_cone_info){.iterations = 0};
      ck_assert(!before.converged && before.iterations == 0);
      support_ok(prc_cone_solver_reserve(growing, &s.problem, &err), &err);
    }
    support_ok(prc_cone_solver_create_for(name, &largest.problem, &options, &fresh, &err), &err);
    const prc_cone_info grown = prc_cone_solve(growing, &s.problem, s.p),
                        made = prc_cone_solve(fresh, &s.problem, p);
    ck_assert_int_eq(grown.iterations, made.iterations);
    ck_assert_int_eq(grown.converged, made.converged);
    ck_assert_int_eq(memcmp(s.p, p, (size_t)(dim * counts[k]) * sizeof *p), 0);
    ck_assert_msg(grown.converged || strcmp(name, "auto") != 0, "%s, %d contacts", name, counts[k]);
    prc_cone_solver_free(&fresh);
    free_chain(&s), free_chain(&largest), free(p);
  }
  prc_cone_solver_free(&growing);
}

START_TEST(a_solver_grows_and_solves_as_a_new_one) {
  const char *name = ability(_i)->name;
  for (int dim = 1; dim <= DIM; dim++) {
    if (can(_i, dim, &prc_cone_by_blocks)) grow(name, dim, 1, strcmp(name, "lemke") == 0 ? 60 : 120);
    if (can(_i, dim, &prc_cone_dense)) grow(name, dim, 0, 30);
  }
}
END_TEST

START_TEST(a_solver_grows_to_a_thousand_contacts) {
  for (int dim = 1; dim <= DIM; dim++) grow("auto", dim, 1, 1000);
  grow("auto", 1, 0, 1000);
}
END_TEST

START_TEST(room_is_for_the_same_kind_of_problem) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  chain plane, sparse, space;
  make_chain(&plane, 2, 4, 0), make_chain(&sparse, 2, 9, 1), make_chain(&space, 3, 9, 0);
  support_ok(prc_cone_solver_create_for("auto", &plane.problem, &options, &solver, &err), &err);
  support_fails(prc_cone_solver_reserve(solver, &sparse.problem, &err), PRC_INPUT, &err,
                "dimension 2, by blocks");
  prc_error_clear(&err);
  support_fails(prc_cone_solver_reserve(solver, &space.problem, &err), PRC_INPUT, &err, "dimension 3, dense");
  prc_error_clear(&err);
  ck_assert(prc_cone_solve(solver, &plane.problem, plane.p).converged);
  prc_cone_solver_free(&solver);
  free_chain(&plane), free_chain(&sparse), free_chain(&space);
}
END_TEST

START_TEST(what_a_method_cannot_do_is_refused) {
  const prc_cone_options options = prc_cone_options_default();
  for (int dim = 0; dim <= DIM + 1; dim++) {
    prc_cone_solver *solver = NULL;
    prc_error err = {0};
    const int possible = dim >= 1 && dim <= DIM && can(_i, dim, &prc_cone_dense);
    const prc_status status = prc_cone_solver_create(ability(_i)->name, dim, 2, &options, &solver, &err);
    ck_assert_int_eq(status, possible ? PRC_OK : PRC_INPUT);
    if (!possible && dim >= 1 && dim <= DIM)
      ck_assert_ptr_nonnull(strstr(err.message, "expected auto, gauss-seidel"));
    prc_cone_solver_free(&solver);
  }
}
END_TEST

START_TEST(files_have_two_or_three_rows_a_contact) {
  for (int dim = 1; dim <= DIM; dim++) {
    const char *path = support_build("tests/unit/check_cone_dims.hdf5");
    prc_error err = {0};
    chain s;
    make_chain(&s, dim, 2, 0);
    const prc_status status = prc_fclib_write(NULL, path, &s.problem, NULL, &err);
    if (dim == 2 || dim == 3)
      support_ok(status, &err);
    else
      support_fails(status, PRC_INPUT, &err, "expected 2 or 3: an FCLib file has no other");
    remove(path);
    free_chain(&s);
  }
}
END_TEST

SUITE(cone_room) {
  Suite *suite = suite_create("cone_room");
  TCase *room = tcase_create("room");
  int n;
  prc_cone_abilities(&n);
  tcase_set_timeout(room, 120.0);
  tcase_add_loop_test(room, from_none_to_a_thousand_contacts, 0, DIM);
  tcase_add_loop_test(room, a_solver_grows_and_solves_as_a_new_one, 0, n);
  tcase_add_test(room, a_solver_grows_to_a_thousand_contacts);
  tcase_add_test(room, room_is_for_the_same_kind_of_problem);
  tcase_add_loop_test(room, what_a_method_cannot_do_is_refused, 0, n);
  tcase_add_test(room, files_have_two_or_three_rows_a_contact);
  suite_add_tcase(suite, room);
  return suite;
}
