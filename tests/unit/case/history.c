/* Tables that formulas look up: values and derivatives against those of SciPy's PchipInterpolator and against lines, ends, wrong files; and in
 * formulas, with parameters, against differences. */
#include "config.h"
#include "case/case.h"
#include "case/history.h"
#include "case/internal.h"

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const char *with_text(const char *name, const char *text) {
  const char *path = support_build(name);
  FILE *file = fopen(path, "wbe");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  return path;
}

static prc_history *read_table(const char *text, const char *column, int cubic, int hold) {
  prc_error err = {0};
  prc_history *h = NULL;
  const prc_history_options options = {with_text("check-history.csv", text), column, cubic, hold};
  support_ok(prc_history_read(&options, &h, &err), &err);
  return h;
}

static const char rows[] = "0,1\n0.5,1.5\n2,1.5\n2.25,4\n4,-2\n7,-1\n";

/* ---- values ------------------------------------------------------------------------------------------------ */

/* SciPy 1.10, PchipInterpolator(x, y) and its derivatives */
static const struct {
  double s, d[3];
} known[] = {
    {0, {1, 1.25, 2}},
    {0.10000000000000001, {1.1320000000000001, 1.3599999999999999, 0.19999999999999973}},
    {0.5, {1.5, 0, 0}},
    {1.3, {1.5, 0, 0}},
    {2, {1.5, 0, 240}},
    {2.1000000000000001, {2.3800000000000012, 14.400000000000006, 47.999999999999829}},
    {2.25, {4, 0, -11.755102040816325}},
    {3.2999999999999998, {0.11200000000000188, -4.9371428571428577, 2.3510204081632651}},
    {4, {-2, 0, -2.7755575615628914e-17}},
    {5.5, {-1.875, 0.24999999999999994, 0.33333333333333337}},
    {6.9000000000000004, {-1.0967037037037031, 0.93444444444444463, 0.6444444444444446}},
};

START_TEST(cubics_are_those_of_fritsch_and_butland) {
  prc_history *h = read_table(rows, NULL, 1, 0);
  for (int i = 0; i < COUNT(known); i++) {
    double d[3];
    ck_assert_int_eq(prc_history_evaluate(h, known[i].s, 0, d), 1);
    for (int k = 0; k < 3; k++)
      ck_assert_msg(fabs(d[k] - known[i].d[k]) <= 1e-12 * (1.0 + fabs(known[i].d[k])),
                    "derivative %d at %g is %.17g, expected %.17g", k, known[i].s, d[k], known[i].d[k]);
  }
  prc_history_free(&h);
}
END_TEST

START_TEST(between_rows_cubics_stay_within_them) {
  static const double x[] = {0, 0.5, 2, 2.25, 4, 7}, y[] = {1, 1.5, 1.5, 4, -2, -1};
  prc_history *h = read_table(rows, NULL, 1, 0);
  for (int k = 0; k < COUNT(x) - 1; k++)
    for (int i = 0; i <= 100; i++) {
      double d[3];
      ck_assert(prc_history_evaluate(h, x[k] + (x[k + 1] - x[k]) * 0.01 * i, 0, d));
      ck_assert_double_ge(d[0], fmin(y[k], y[k + 1]) - 1e-14);
      ck_assert_double_le(d[0], fmax(y[k], y[k + 1]) + 1e-14);
    }
  prc_history_free(&h);
}
END_TEST

START_TEST(lines_pass_through_their_rows_and_have_two_slopes_there) {
  prc_history *h = read_table("# a comment\n\n t ; v \n-1 ; 2\r\n0;-0.5\n\n 3.5;6.5", NULL, 0, 0);
  double d[3];
  ck_assert(prc_history_evaluate(h, 0.0, 0, d) && d[0] == -0.5 && d[1] == 2.0 && d[2] == 0.0);
  ck_assert(prc_history_evaluate(h, 0.0, 1, d) && d[0] == -0.5 && d[1] == -2.5);
  ck_assert(prc_history_evaluate(h, -1.0, 0, d) && d[0] == 2.0 && d[1] == -2.5);
  ck_assert(prc_history_evaluate(h, 3.5, 0, d) && d[0] == 6.5 && d[1] == 2.0);
  ck_assert(prc_history_evaluate(h, -0.5, 0, d) && d[0] == 0.75);
  ck_assert(!prc_history_evaluate(h, 3.6, 0, d) && isnan(d[0]));
  ck_assert(!prc_history_evaluate(h, -1.1, 0, d) && isnan(d[1]));
  ck_assert(!prc_history_evaluate(h, NAN, 0, d));
  prc_history_free(&h);
}
END_TEST

START_TEST(what_is_held_rests_beyond_its_ends) {
  prc_history *h = read_table("0 1\n1\t3\n2  2\n", "2", 1, 1);
  double d[3];
  ck_assert(prc_history_evaluate(h, -5.0, 0, d) && d[0] == 1.0 && d[1] == 0.0);
  ck_assert(prc_history_evaluate(h, 2.0, 0, d) && d[0] == 2.0 && d[1] == 0.0);
  ck_assert(prc_history_evaluate(h, 2.0, 1, d) && d[0] == 2.0 && d[1] < 0.0);
  ck_assert(prc_history_evaluate(h, 1e9, 0, d) && d[0] == 2.0 && d[2] == 0.0);
  prc_history_free(&h);
}
END_TEST

START_TEST(columns_have_names_and_numbers) {
  static const char text[] = "time,\"a x\", ay\n0,1,2\n1,3,4\n";
  static const char *const column[] = {"a x", "ay", "2", "3", "time"};
  static const double value[] = {2.0, 3.0, 2.0, 3.0, 0.5};
  for (int i = 0; i < COUNT(column); i++) {
    prc_history *h = read_table(text, column[i], 0, 0);
    double d[3];
    ck_assert(prc_history_evaluate(h, 0.5, 0, d));
    ck_assert_double_eq(d[0], value[i]);
    prc_history_free(&h);
  }
}
END_TEST

START_TEST(many_rows_are_found) {
  enum { N = 100000 };
  prc_bytes text = {0};
  prc_error err = {0};
  double d[3];
  for (int k = 0; k < N; k++) support_ok(prc_bytes_print(&text, &err, "%d,%d\n", k, (k * 7919) % 1000), &err);
  prc_history *h = read_table(text.at, NULL, 0, 0);
  for (int k = 0; k < N; k++) {
    ck_assert(prc_history_evaluate(h, k, 0, d));
    ck_assert_double_eq(d[0], (double)((k * 7919) % 1000));
  }
  prc_history_free(&h);
  prc_delete(&text.at);
}
END_TEST

/* ---- wrong files --------------------------------------------------------------------------------------------- */

static const struct {
  const char *text, *column, *message;
} wrong[] = {
    {"", NULL, "no rows, expected two or more"},
    {"# only\n\n", NULL, "no rows"},
    {"t,v\n", NULL, "0 rows of numbers, expected two or more"},
    {"0,1\n", NULL, "1 row of numbers"},
    {"1\n2\n", NULL, ":1: one column, expected two or more"},
    {"0,1,2\n1,2,3\n", NULL,
     ":1: 3 columns, expected table(file, column, t) with one of 1, 2, 3: by its number"},
    {"t,u,v\n0,1,2\n", NULL, "with one of t, u, v: by its name"},
    {"t,u,v\n0,1,2\n", "w", "there is no column 'w', expected one of t, u, v"},
    {"0,1\n1,2\n", "0", "there is no column '0'"},
    {"0,1\n1,2\n", "3", "there is no column '3'"},
    {"0,1\n0.5,2\n0.5,3\n", NULL, ":3: the first cell is 0.5 after 0.5, expected numbers that grow"},
    {"0,1\n-1,2\n", NULL, ":2: the first cell is -1 after 0"},
    {"0,1\n1,2,3\n", NULL, ":2: 3 cells, expected 2 as in the first line"},
    {"0,1\n1,\n", NULL, ":2: cell 2 is ''"},
    {"0,1\n1,nan\n", NULL, ":2: cell 2 is 'nan', expected a finite number"},
    {"0,1\n1,1e999\n", NULL, ":2: cell 2 is '1e999'"},
    {"0,1\n1,0x10\n", NULL, ":2: cell 2 is '0x10'"},
    {"0,1\ninf,1\n", NULL, ":2: cell 1 is 'inf'"},
    {"0;1,5\n1;2,5\n", NULL,
     ":1: cell 2 is '1,5', expected a finite number of at most 1e50, with a decimal point"},
    {"t,v\na,b\n0,1\n", NULL, ":2: cell 1 is 'a'"},
};

START_TEST(wrong_tables_name_the_line) {
  prc_error err = {0};
  prc_history *h = NULL;
  const prc_history_options options = {.path = with_text("check-history-wrong.csv", wrong[_i].text),
                                       .column = wrong[_i].column};
  support_fails(prc_history_read(&options, &h, &err), PRC_INPUT, &err, wrong[_i].message);
  ck_assert_ptr_null(h);
}
END_TEST

START_TEST(the_identity_is_that_of_the_numbers) {
  prc_history *one = read_table("0,1\n1,2\n", NULL, 0, 0), *same = read_table("0,1\n1,2\n", NULL, 0, 0),
              *other = read_table("0,1\n1,3\n", NULL, 0, 0), *cubic = read_table("0,1\n1,2\n", NULL, 1, 0);
  ck_assert(prc_history_identity(one) == prc_history_identity(same));
  ck_assert(prc_history_identity(one) != prc_history_identity(other));
  ck_assert(prc_history_identity(one) != prc_history_identity(cubic));
  prc_history_free(&one);
  prc_history_free(&same);
  prc_history_free(&other);
  prc_history_free(&cubic);
}
END_TEST

/* ---- in cases ---------------------------------------------------------------------------------------------------- */

static const char body[] =
    "bodies: {ball: {position: [0, 0], disc: r, mass: m, inertia: 1/k2, force: [%s, 0]}}\n"
    "parameters: {r: 0.5*a, m: 2*r, a: 3, k2: 7, w: 2*pi}\n"
    "time: {end: 4, step: 0.01}\n";

static prc_case *read_body(const char *motion) {
  char text[2048];
  prc_error err = {0};
  prc_case *c = NULL;
  with_text("check-history.csv", rows);
  snprintf(text, sizeof text, body, motion);
  support_ok(prc_case_read(with_text("check-history.yaml", text), 0, NULL, &c, &err), &err);
  return c;
}

START_TEST(parameters_are_numbers_everywhere) {
  prc_case *c = read_body("0");
  ck_assert_double_eq(c->body[0].radius, 1.5);
  ck_assert_double_eq(c->body[0].mass, 3.0);
  ck_assert_double_eq(c->body[0].inertia, 1.0 / 7.0);
  ck_assert_int_eq(c->n_parameters, 5);
  ck_assert(c->parameter[0].used && c->parameter[2].used && !c->parameter[4].used);
  prc_case_free(&c);
}
END_TEST

/* f, f', f'' of a formula against central differences of f and f' */
static void differentiate(const char *motion) {
  prc_case *c = read_body(motion);
  prc_error err = {0};
  const prc_field *f = &c->body[0].force[0];
  const double h = 1e-5;
  ck_assert_msg(f->derivatives != NULL, "%s", motion);
  for (double t = 0.0123; t < 3.9; t += 0.05) {
    double d[3], before[3], after[3], value;
    support_ok(prc_field_derivatives(f, 0, 0, t, 0, d, &err), &err);
    support_ok(prc_field_derivatives(f, 0, 0, t - h, 0, before, &err), &err);
    support_ok(prc_field_derivatives(f, 0, 0, t + h, 0, after, &err), &err);
    support_ok(prc_field_eval(f, 0, 0, t, &value, &err), &err);
    ck_assert_double_eq_tol(value, d[0], 1e-13 * (1.0 + fabs(value)));
    ck_assert_double_eq_tol(d[1], (after[0] - before[0]) / (2 * h), 1e-6 * (1.0 + fabs(d[1])));
    ck_assert_double_eq_tol(d[2], (after[1] - before[1]) / (2 * h), 1e-5 * (1.0 + fabs(d[2])));
  }
  prc_case_free(&c);
}

static const char *const motions[] = {
    "a*t",
    "sin(w*t)/k2 + r*t^2",
    "\"table(check-history.csv, t, cubic)*r\"",
    "\"a*sin(table(check-history.csv, 2, 0.9*t + 0.1, cubic)) + table('check-history.csv', t, linear)\"",
    "\"table(check-history.csv, 4 - t, cubic) - table( check-history.csv , 2 , 2*t , hold , cubic )\"",
    "\"table(check-history.csv, table(check-history.csv, t, cubic) + 2.0*(t > -1), cubic)\"",
};

START_TEST(formulas_with_tables_have_their_derivatives) {
  differentiate(motions[_i]);
}
END_TEST

/* At a row what follows counts: also where the argument falls. */
START_TEST(at_a_row_the_derivative_is_that_of_what_follows) {
  prc_case *c = read_body("\"table(check-history.csv, 4 - t)\"");
  prc_error err = {0};
  double d[3];
  support_ok(prc_field_derivatives(&c->body[0].force[0], 0, 0, 2.0, 0, d, &err),
             &err); /* from 2 down to 0.5: it rests */
  ck_assert_double_eq(d[0], 1.5);
  ck_assert_double_eq(d[1], 0.0);
  prc_case_free(&c);
}
END_TEST

static const struct {
  const char *motion, *message;
} refused[] = {
    {"\"table(check-history.csv, 2*t)\"", "asks for the row of 7.03125 at t = 3.515625"},
    {"\"table(check-history.csv, t - 1)\"", "asks for the row of -1 at t = 0, and the table"},
    {"\"table(none.csv, t)\"", "none.csv: cannot be read: No such file"},
    {"\"table(check-history.csv)\"", "table() of 1 arguments"},
    {"\"table(check-history.csv, 2, t, t)\"", "table() of 4 arguments"},
    {"\"table(, t)\"", "table() of 2 arguments"},
    {"\"table(check-history.csv, t\"", "table( without its )"},
    {"\"table(check-history.csv, q)\"",
     "unknown function or name 'q', expected the variable t, a parameter (r, m, a, k2, w)"},
    {"\"2*_T0(t)\"", "unknown name '_T0'"},
    {"kk*t", "did you mean 'k2'"},
};

START_TEST(what_is_wrong_with_a_table_is_said) {
  char text[2048];
  prc_error err = {0};
  prc_case *c = NULL;
  with_text("check-history.csv", rows);
  snprintf(text, sizeof text, body, refused[_i].motion);
  support_fails(prc_case_read(with_text("check-history.yaml", text), 0, NULL, &c, &err), PRC_INPUT, &err,
                refused[_i].message);
}
END_TEST

START_TEST(words_of_formulas_are_names_not_parts_of_numbers) {
  static const char text[] = "2e3*a1 + e_2/.5e-1 - 'quoted w' + 0x1 + B";
  static const char *const expected[] = {"a1", "e_2", "B"};
  int n = 0;
  size_t length;
  for (const char *word = text; (word = prc_expression_word(word, &length)); word += length, n++)
    if (n < COUNT(expected))
      ck_assert_msg(strlen(expected[n]) == length && memcmp(word, expected[n], length) == 0,
                    "word %d is %.*s", n, (int)length, word);
  ck_assert_int_eq(n, COUNT(expected));
}
END_TEST

SUITE(history) {
  Suite *suite = suite_create("history");
  TCase *tc = tcase_create("tables");
  tcase_add_test(tc, cubics_are_those_of_fritsch_and_butland);
  tcase_add_test(tc, between_rows_cubics_stay_within_them);
  tcase_add_test(tc, lines_pass_through_their_rows_and_have_two_slopes_there);
  tcase_add_test(tc, what_is_held_rests_beyond_its_ends);
  tcase_add_test(tc, columns_have_names_and_numbers);
  tcase_add_test(tc, many_rows_are_found);
  tcase_add_loop_test(tc, wrong_tables_name_the_line, 0, COUNT(wrong));
  tcase_add_test(tc, the_identity_is_that_of_the_numbers);
  tcase_add_test(tc, parameters_are_numbers_everywhere);
  tcase_add_loop_test(tc, formulas_with_tables_have_their_derivatives, 0, COUNT(motions));
  tcase_add_test(tc, at_a_row_the_derivative_is_that_of_what_follows);
  tcase_add_loop_test(tc, what_is_wrong_with_a_table_is_said, 0, COUNT(refused));
  tcase_add_test(tc, words_of_formulas_are_names_not_parts_of_numbers);
  suite_add_tcase(suite, tc);
  return suite;
}
