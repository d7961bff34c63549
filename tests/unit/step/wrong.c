/* Matrices, systems and contact problems that are wrong, given to the library: the first violation is named, and nothing else happens. */
#include "config.h"
#include "support/support.h"
#include "cone/cone.h"
#include "linear/linear.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static prc_error err;

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

/* Four unknowns in a row: 4 on the diagonal, -1 beside it. */
enum { N = 4, ENTRIES = 7 };
typedef struct {
  int p[N + 1], i[ENTRIES];
  double x[ENTRIES];
  prc_sym A;
} matrix;

static void make(matrix *m) {
  *m = (matrix){.p = {0, 2, 4, 6, 7}, .i = {0, 1, 1, 2, 2, 3, 3}, .x = {4, -1, 4, -1, 4, -1, 4}};
  m->A = (prc_sym){N, m->p, m->i, m->x};
}

typedef struct {
  enum { NOTHING, P, ROW, VALUE, SIZE, NO_P, NO_I, NO_X } what;
  int at;
  double put;
  const char *message; /* after the name */
} violation;

static const violation violations[] = {
    {SIZE, 0, -1, " has -1 rows, expected 0 or more"},
    {NO_P, 0, 0, " lacks one of its arrays p, i and x"},
    {NO_I, 0, 0, " lacks one of its arrays p, i and x"},
    {NO_X, 0, 0, " lacks one of its arrays p, i and x"},
    {P, 0, 1, ": p[0] is 1, expected 0"},
    {P, 2, 1, ": column 1 ends at entry 1, before its start at 2"},
    {P, 4, -7, ": column 3 ends at entry -7, before its start at 6"},
    {P, 1, 0, ": column 0 has no entries, expected its diagonal first"},
    {P, 4, 6, ": column 3 has no entries, expected its diagonal first"},
    {P, 1, 1,
     ": column 1 has row 1 behind row 1, expected ascending rows, each once"}, /* (1, 0) has become (1, 1) */
    {ROW, 2, 2, ": column 1 begins with row 2, expected its diagonal first, be it zero"},
    {ROW, 6, 2, ": entry (2, 3) is above the diagonal, expected the lower triangle alone"},
    {ROW, 5, 1, ": entry (1, 2) is above the diagonal, expected the lower triangle alone"},
    {ROW, 5, 2, ": column 2 has row 2 behind row 2, expected ascending rows, each once"},
    {ROW, 1, 4, ": column 0 has the row 4, expected rows from 0 to 3"},
    {ROW, 3, -1, ": column 1 has the row -1, expected rows from 1 to 3"},
    {ROW, 0, 2147483647, ": column 0 has the row 2147483647, expected rows from 0 to 3"},
    {VALUE, 4, NAN, ": entry (2, 2) is nan, expected a finite number"},
    {VALUE, 1, INFINITY, ": entry (1, 0) is inf, expected a finite number"},
};

static void violate(matrix *m, const violation *v) {
  make(m);
  if (v->what == SIZE) m->A.n = (int)v->put;
  if (v->what == NO_P) m->A.p = NULL;
  if (v->what == NO_I) m->A.i = NULL;
  if (v->what == NO_X) m->A.x = NULL;
  if (v->what == P) m->p[v->at] = (int)v->put;
  if (v->what == ROW) m->i[v->at] = (int)v->put;
  if (v->what == VALUE) m->x[v->at] = v->put;
}

static void refused(prc_status status, const char *name, const char *message) {
  char expected[256];
  snprintf(expected, sizeof expected, "%s%s", name, message);
  support_fails(status, PRC_INPUT, &err, expected);
  prc_error_clear(&err);
}

START_TEST(every_wrong_matrix_is_named) {
  const violation *v = &violations[_i];
  const int part[N] = {0, 0, 0, 1};
  int perm[N];
  matrix m;
  prc_panels *panels = NULL;
  prc_factor *factor = NULL;
  prc_iteration *iteration = NULL;
  double entries;
  violate(&m, v);
  refused(prc_sym_check(&m.A, "B", &err), "B", v->message);
  refused(prc_order(&m.A, part, perm, NULL, &err), "the matrix to be ordered", v->message);
  refused(prc_panels_create(&m.A, &panels, &err), "the matrix", v->message);
  refused(prc_factor_create(&m.A, 1, &factor, &err), "the matrix", v->message);
  refused(prc_factor_count(&m.A, &entries, &err), "the matrix", v->message);
  refused(prc_iteration_create(&m.A, 1, 1e-10, 1.0, &iteration, &err), "the matrix", v->message);
  ck_assert(!panels && !factor && !iteration);
}
END_TEST

START_TEST(sizes_parts_and_permutations_are_refused) {
  static const int outside[] = {0, 1, 2, 4}, twice[] = {0, 1, 2, 1}, part[] = {0, 3, 0, 0};
  int perm[N];
  matrix m, other;
  prc_sym *S = NULL;
  prc_factor *F = NULL;
  make(&m), make(&other);
  other.A.n = 3;
  refused(prc_sym_create(-1, 1, &S, &err), "a matrix of -1 rows with 1 entries",
          ", expected 0 or more of both");
  refused(prc_sym_create(1, -1, &S, &err), "a matrix of 1 rows with -1 entries",
          ", expected 0 or more of both");
  refused(prc_sym_add(1.0, &m.A, 1.0, &other.A, &S, &err), "a sum of matrices of 4 and 3 rows",
          ", expected equal sizes");
  refused(prc_sym_permute(&m.A, outside, 4, &S, &err), "place 3 of a permutation is 4",
          ", expected each of 0 to 3 once");
  refused(prc_sym_permute(&m.A, twice, 4, &S, &err), "place 3 of a permutation is 1",
          ", expected each of 0 to 3 once");
  refused(prc_sym_permute(&m.A, twice, 5, &S, &err), "5 of 4 unknowns are kept", ", expected at most all");
  refused(prc_sym_permute(&m.A, twice, -1, &S, &err), "-1 of 4 unknowns are kept", ", expected at most all");
  refused(prc_order(&m.A, part, perm, NULL, &err), "unknown 1 is in part 3", ", expected 0, 1 or 2");
  refused(prc_factor_create(&m.A, 5, &F, &err), "the tail has 5 of 4 unknowns", ", expected at most all");
  refused(prc_factor_create(&m.A, -1, &F, &err), "the tail has -1 of 4 unknowns", ", expected at most all");
  ck_assert(!S && !F);
}
END_TEST

/* ---- systems --------------------------------------------------------------------------------------------------------- */

/* The four unknowns with two contacts in 2D: unknowns 0 and 1, 2 and 3. */
typedef struct {
  matrix M, K;
  int prescribed[2];
  int dof[4], lawless; /* lawless: the contact that has no law; -1: none */
  uint32_t id[2];
  char touched[N];
  prc_law law[2];
  prc_system s;
} body;

static prc_status find(void *data, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *error) {
  const body *b = data;
  prc_status status = PRC_OK;
  (void)at, (void)h, (void)reach;
  for (int c = 0; c < 2; c++) {
    const prc_contact contact = {.id = {.feature_b = b->id[c]},
                                 .body = {-1, 0},
                                 .n_dof = 2,
                                 .dof = b->dof + 2 * c,
                                 .law = c == b->lawless ? NULL : &b->law[c]};
    prc_try(prc_contact_set_add(set, &contact, error));
  }
done:
  return status;
}

static void evaluate(void *data, const prc_at *at, unsigned what, prc_contact_set *set) {
  (void)data, (void)at;
  for (int c = 0; c < set->n; c++) {
    if (what & PRC_EVALUATE_GAP) set->gap[c] = 1.0;
    if (what & PRC_EVALUATE_H) memcpy(set->H.x + 4 * c, (double[]){1, 0, 0, 1}, 4 * sizeof *set->H.x);
  }
}

static prc_status still(void *data, double t, double h, double *v, prc_error *error) {
  (void)data, (void)t, (void)h, (void)error;
  v[0] = v[1] = 0.0;
  return PRC_OK;
}

static void make_body(body *b) {
  *b = (body){.prescribed = {0, 2}, .dof = {0, 1, 2, 3}, .lawless = -1, .id = {0, 1}};
  for (int c = 0; c < 2; c++) b->law[c] = prc_law_coulomb(0.0, 0.0, 0.0);
  make(&b->M), make(&b->K);
  b->s = (prc_system){
      .space = {.nv = N},
      .dynamics = {.M = &b->M.A, .K = &b->K.A},
      .drive = {.n = 2, .dof = b->prescribed, .velocity = still},
      .contacts = {.dim = 2, .find = find, .evaluate = evaluate},
      .length = 1.0,
      .velocity = 1.0,
      .owner = b,
  };
}

static prc_status create(const body *b) {
  const prc_step_options options = prc_step_options_default(0.01);
  prc_stepper *stepper = NULL;
  const prc_status status = prc_stepper_create(&b->s, &options, &stepper, &err);
  if (status != PRC_OK) ck_assert_ptr_null(stepper);
  prc_stepper_free(&stepper);
  return status;
}

START_TEST(every_wrong_matrix_of_a_system_is_named) {
  const violation *v = &violations[_i];
  body b;
  make_body(&b);
  support_ok(create(&b), &err);
  violate(&b.M, v);
  if (v->what == SIZE)
    refused(create(&b), "a system of 4 dofs needs a mass matrix", " of that size");
  else
    refused(create(&b), "M", v->message);
  make_body(&b);
  violate(&b.K, v);
  if (v->what == SIZE)
    refused(create(&b), "the stiffness has -1 rows", ", expected 4");
  else
    refused(create(&b), "K", v->message);
}
END_TEST

#define REFUSED(change, message)                                                                             \
  do {                                                                                                       \
    make_body(&b);                                                                                           \
    change;                                                                                                  \
    refused(create(&b), message, "");                                                                        \
  } while (0)

START_TEST(every_wrong_number_of_a_system_is_named) {
  body b;
  REFUSED(b.s.space.nv = 0, "the system has 0 dofs, expected 1 or more");
  REFUSED(b.s.space.nv = -4, "the system has -4 dofs, expected 1 or more");
  REFUSED(b.s.dynamics.M = NULL, "a system of 4 dofs needs a mass matrix of that size");
  REFUSED(b.M.x[0] = -1, "M: entry (0, 0) is -1, expected a mass >= 0");
  REFUSED(b.M.x[2] = 0, "M: entry (1, 0) is -1, expected 0 since (1, 1) on the diagonal is 0");
  REFUSED(b.M.x[0] = 0, "M: entry (1, 0) is -1, expected 0 since (0, 0) on the diagonal is 0");
  REFUSED(b.s.dynamics.damping_mass = NAN, "the damping is nan M + 0 K, expected finite factors >= 0");
  REFUSED(b.s.dynamics.damping_stiffness = -1, "the damping is 0 M + -1 K, expected finite factors >= 0");
  REFUSED(b.s.velocity = INFINITY,
          "the system's length is 1 and its velocity inf, expected finite numbers >= 0");
  REFUSED(b.s.length = -1, "the system's length is -1 and its velocity 1, expected finite numbers >= 0");
  REFUSED(b.s.drive.n = 5, "5 of 4 dofs are prescribed, expected at most all");
  REFUSED(b.s.drive.n = -1, "-1 of 4 dofs are prescribed, expected at most all");
  REFUSED(b.s.drive.dof = NULL, "2 dofs are prescribed, expected the list of them");
  REFUSED(b.prescribed[1] = 4, "prescribed dof 1 of the list is 4, expected 0 to 3");
  REFUSED(b.prescribed[0] = -1, "prescribed dof 0 of the list is -1, expected 0 to 3");
  REFUSED(b.prescribed[1] = 0, "prescribed dof 1 of the list is 0 behind 0, expected ascending, each once");
  REFUSED(b.s.drive.velocity = NULL,
          "a system with prescribed motions needs a function for their velocities");
}
END_TEST

START_TEST(every_wrong_number_of_its_contacts_is_named) {
  body b;
  REFUSED(b.s.contacts.dim = 5, "contacts have the dimension 5, expected 1 to 4");
  REFUSED(b.s.contacts.dim = 0, "contacts have the dimension 0, expected 1 to 4");
  REFUSED(b.s.contacts.evaluate = NULL,
          "a system with contacts needs a function for their gaps and directions");
  REFUSED(b.s.contacts.varies = PRC_CONTACTS_SET,
          "contacts that come and go need a mark for each dof that they may touch");
  REFUSED(b.lawless = 1, "contact 1 has no law");
  REFUSED(b.law[0].friction = NULL, "contact 0: there is no law of friction");
  REFUSED(b.law[1].parameter[0] = -0.5, "contact 1: the friction is -0.5, expected a");
  REFUSED(b.law[1].parameter[0] = INFINITY, "contact 1: the friction is inf, expected a");
  REFUSED(b.law[0].parameter[0] = NAN, "contact 0: the friction is nan, expected a");
  REFUSED(b.law[0].e = NAN, "contact 0: the restitution is nan, expected a number in [0, 1]");
  REFUSED(b.law[1].e_t = -2, "contact 1: the tangential restitution is -2, expected a number in [-1, 1]");
  REFUSED(b.dof[3] = 4, "contact 1 touches dof 4, expected 0 to 3");
  REFUSED(b.dof[0] = -1, "contact 0 touches dof -1, expected 0 to 3");
  REFUSED((b.touched[0] = b.touched[1] = b.touched[2] = 1, b.s.contacts.touched = b.touched),
          "contact 1 touches dof 3, which is not marked as one that contacts touch");
  REFUSED(b.id[0] = 1, "two contacts have the id (0, 0, 0, 1), expected each once");
}
END_TEST

START_TEST(a_start_that_is_not_finite_is_named) {
  const prc_step_options options = prc_step_options_default(0.01);
  prc_stepper *stepper = NULL;
  double q[N] = {0}, v[N] = {0};
  body b;
  make_body(&b);
  support_ok(prc_stepper_create(&b.s, &options, &stepper, &err), &err);
  support_ok(prc_stepper_start(stepper, q, v, &err), &err);
  v[3] = NAN;
  refused(prc_stepper_start(stepper, q, v, &err), "v[3] is nan", ", expected a finite number");
  v[3] = 0.0, q[0] = -INFINITY;
  refused(prc_stepper_start(stepper, q, v, &err), "q[0] is -inf", ", expected a finite number");
  prc_stepper_free(&stepper);
}
END_TEST

/* ---- contact problems -------------------------------------------------------------------------------------------------- */

static prc_status solver_for(const prc_cone_problem *problem) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  const prc_status status = prc_cone_solver_create_for("auto", problem, &options, &solver, &err);
  prc_cone_solver_free(&solver);
  return status;
}

static prc_status solver_of(int dim, int n) {
  const prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  const prc_status status = prc_cone_solver_create("auto", dim, n, &options, &solver, &err);
  prc_cone_solver_free(&solver);
  return status;
}

START_TEST(solvers_of_no_size_are_refused) {
  refused(solver_of(5, 1), "the contact problem has dimension 5", ", expected 1 to 4");
  refused(solver_of(2, -1), "a solver of -1 contacts", ", expected 0 to");
  refused(solver_of(2, 2147483647), "a solver of 2147483647 contacts", ", expected 0 to");
  refused(solver_for(&(prc_cone_problem){.dim = 2, .n = -3}), "a solver of -3 contacts", ", expected 0 to");
}
END_TEST

START_TEST(a_pattern_is_refused_when_a_solver_is_made_for_it) {
  static const struct {
    int start[3], column[4];
    const char *message;
  } wrong[] = {
      {{1, 2, 4}, {0, 1, 0, 1}, "the blocks of W start at 1, expected 0"},
      {{0, 5, 4}, {0, 1, 0, 1}, "row 1 of blocks of W ends at 4, before its start at 5"},
      {{0, 2, 4}, {0, 2, 0, 1}, "a block of W in row 0 is in column 2, expected 0 to 1"},
      {{0, 2, 4}, {1, 0, 0, 1}, "the blocks of row 0 of W are not in ascending columns (1, 0)"},
      {{0, 2, 4}, {0, 1, 1, 1}, "the blocks of row 1 of W are not in ascending columns (1, 1)"},
      {{0, 2, 3}, {0, 1, 0, 0}, "row 1 of W has no diagonal block, expected one"},
  };
  for (int k = 0; k < COUNT(wrong); k++) {
    int start[3], column[4];
    double values[16] = {0.0}, b[4] = {0.0}, mu[2] = {0.0};
    memcpy(start, wrong[k].start, sizeof start);
    memcpy(column, wrong[k].column, sizeof column);
    const prc_cone_blocks W = {start, column, values};
    const prc_cone_problem problem = {.dim = 2, .n = 2, .b = b, .mu = mu, .blocks = &W};
    refused(prc_cone_problem_check(&problem, &err), wrong[k].message, "");
    refused(solver_for(&problem), wrong[k].message, "");
  }
}
END_TEST

START_TEST(a_contact_problem_that_lacks_or_lies_is_refused) {
  double W[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1}, b[4] = {0.0}, mu[2] = {0.0};
  int start[3] = {0, 1, 2}, column[2] = {0, 1};
  const prc_cone_blocks blocks = {start, column, NULL}, none = {NULL, NULL, NULL};
  prc_cone_problem problem = {.dim = 2, .n = 2, .W = W, .b = b, .mu = mu};
  support_ok(prc_cone_problem_check(&problem, &err), &err);
  problem.symmetric = 1;
  refused(prc_cone_problem_check(&problem, &err), "W(2, 0) is 0.5 and W(0, 2) is 0, expected the same", "");
  problem.symmetric = 0, problem.b = NULL;
  refused(prc_cone_problem_check(&problem, &err), "the contact problem lacks b or mu", "");
  problem.b = b, problem.n = 1500000000;
  refused(prc_cone_problem_check(&problem, &err),
          "the contact problem has 1500000000 contacts, expected at most", "");
  problem = (prc_cone_problem){.dim = 2, .n = 2, .b = b, .mu = mu, .blocks = &blocks};
  refused(prc_cone_problem_check(&problem, &err), "the blocks of W have no values", "");
  problem.blocks = &none;
  refused(solver_for(&problem), "the blocks of W lack row_start or column", "");
}
END_TEST

/* M of two velocities, H of two rows */
#define WHOLE_REFUSED(change, message)                                                                       \
  do {                                                                                                       \
    int M_start[] = {0, 2, 4}, M_column[] = {0, 1, 0, 1}, H_start[] = {0, 1, 2}, H_row[] = {0, 1};           \
    double M[] = {2, 1, 1, 2}, H[] = {1, 1};                                                                 \
    prc_cone_whole g = {.n_velocities = 2,                                                                   \
                        .M_start = M_start,                                                                  \
                        .M_column = M_column,                                                                \
                        .M = M,                                                                              \
                        .H_start = H_start,                                                                  \
                        .H_row = H_row,                                                                      \
                        .H = H};                                                                             \
    change;                                                                                                  \
    refused(prc_cone_whole_prepare(&g, 2, &err), message, "");                                               \
    ck_assert(!g.v && !g.diagonal && !g.M_lu);                                                               \
  } while (0)

START_TEST(a_wrong_problem_in_global_form_is_named) {
  WHOLE_REFUSED(g.n_velocities = -1, "M has -1 rows and H 2 columns, expected 0 or more");
  WHOLE_REFUSED(g.M = NULL, "M lacks one of its arrays");
  WHOLE_REFUSED(g.H_row = NULL, "H lacks one of its arrays");
  WHOLE_REFUSED(M_start[0] = 1, "the rows of M start at 1, expected 0");
  WHOLE_REFUSED(M_start[1] = 5, "row 1 of M ends at 4, before its start at 5");
  WHOLE_REFUSED(M_column[1] = 2, "row 0 of M has an entry at 2, expected 0 to 1");
  WHOLE_REFUSED(M_column[2] = 1, "row 1 of M has column 1 behind column 1, expected ascending, each once");
  WHOLE_REFUSED(M[3] = NAN, "row 1 of M has nan at 1, expected a finite number");
  WHOLE_REFUSED(H_row[1] = -1, "column 1 of H has an entry at -1, expected 0 to 1");
  WHOLE_REFUSED(H_start[2] = 0, "column 1 of H ends at 0, before its start at 1");
  WHOLE_REFUSED(H[0] = INFINITY, "column 0 of H has inf at 0, expected a finite number");
}
END_TEST

SUITE(wrong) {
  Suite *suite = suite_create("wrong");
  TCase *t = tcase_create("refused");
  tcase_add_loop_test(t, every_wrong_matrix_is_named, 0, COUNT(violations));
  tcase_add_test(t, sizes_parts_and_permutations_are_refused);
  tcase_add_loop_test(t, every_wrong_matrix_of_a_system_is_named, 0, COUNT(violations));
  tcase_add_test(t, every_wrong_number_of_a_system_is_named);
  tcase_add_test(t, every_wrong_number_of_its_contacts_is_named);
  tcase_add_test(t, a_start_that_is_not_finite_is_named);
  tcase_add_test(t, solvers_of_no_size_are_refused);
  tcase_add_test(t, a_pattern_is_refused_when_a_solver_is_made_for_it);
  tcase_add_test(t, a_contact_problem_that_lacks_or_lies_is_refused);
  tcase_add_test(t, a_wrong_problem_in_global_form_is_named);
  suite_add_tcase(suite, t);
  return suite;
}
