#include "config.h"
#include "simulation/simulation.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A case in a program's own process: states that are written, forces, what is refused; against closed forms. */

static prc_error err;
static prc_simulation *s;

static void begin(const char *name, int n_set, const char *const *set) {
  char path[64];
  prc_error_clear(&err);
  snprintf(path, sizeof path, "cases/%s.yaml", name);
  support_ok(prc_simulation_create(support_source(path), n_set, set, NULL, &s, &err), &err);
}

static double *array(const char *name, int *n) {
  const void *data;
  int rows, columns, type;
  support_ok(prc_simulation_array(s, name, &data, &rows, &columns, &type, &err), &err);
  ck_assert_int_eq(type, PRC_ARRAY_REAL);
  if (n) *n = rows * columns;
  return (double *)data;
}

static double value(const char *name) {
  double out = NAN;
  ck_assert_msg(prc_simulation_value(s, name, &out), "no value %s", name);
  return out;
}

static int steps(int n) {
  int done;
  support_ok(prc_simulation_step(s, n, 0.0, &done, &err), &err);
  return done;
}

static void expect(prc_status status, const char *part) {
  ck_assert_msg(status == PRC_INPUT && strstr(err.message, part), "%d '%s', expected '%s'", (int)status,
                err.message, part);
  prc_error_clear(&err);
}

static const char *verdict(void) {
  const char *word;
  support_ok(prc_simulation_certify(s, &word, &err), &err);
  return word;
}

/* The ball of bouncing-ball.yaml falls from 1 with mass 1 and g = 9.81 on the plane y = 0 with radius 0.2. */
START_TEST(a_velocity_that_is_written_is_where_the_ball_goes_on) {
  begin("bouncing-ball", 0, NULL);
  double *const q = array("q", NULL), *const v = array("v", NULL), h = value("h");
  ck_assert_int_eq(steps(20), 20);
  const double y = q[1], v_y = v[1], before = value("kinetic");
  v[0] = 2.0, v[1] = 3.0; /* thrown up */
  ck_assert_int_eq(steps(50), 50);
  const double g = -v_y / (20 * h), t = 50 * h; /* it fell freely so far */
  ck_assert_double_eq_tol(v[1], 3.0 - g * t, 1e-12);
  ck_assert_double_eq_tol(q[1], y + 3.0 * t - 0.5 * g * t * t,
                          1e-12); /* exact with theta = 1/2; else of order h */
  ck_assert_double_eq_tol(q[0], 2.0 * t, 1e-12);
  ck_assert_ptr_eq(q, array("q", NULL)); /* the arrays stay where they are */
  const double m = array("mass", NULL)[0];
  ck_assert_double_eq_tol(before, 0.5 * m * v_y * v_y, 1e-12 * before);
  ck_assert_double_eq_tol(value("kinetic"), 0.5 * m * (v[0] * v[0] + v[1] * v[1]), 1e-12 * value("kinetic"));
  ck_assert_str_eq(verdict(), "pass");
  prc_simulation_free(&s);
}
END_TEST

/* Energies and works balance over what was written too. */
START_TEST(what_is_written_stands_in_the_external_work) {
  begin("bouncing-ball", 0, NULL);
  double *const v = array("v", NULL);
  const double start = value("kinetic");
  for (int k = 0; k < 40; k++) {
    steps(50);
    v[0] += 0.1 * k, v[1] *= 0.9, v[2] -= 1.0;
    support_ok(prc_simulation_apply(s, &err), &err);
    const double works = value("work_external") + value("work_damping") + value("work_contact_normal")
                         + value("work_contact_tangential") + value("dissipation_numerical") + value("driven")
                         + value("joints") + value("work_boundary") + value("projection");
    ck_assert_double_eq_tol(value("kinetic") - start, works, 1e-11 * (1.0 + fabs(works)));
  }
  ck_assert_str_eq(verdict(), "pass");
  prc_simulation_free(&s);
}
END_TEST

/* A force equal to the weight, upwards, for a time: the ball does not fall; without it, it does. Zeros written are as none. */
START_TEST(a_force_is_added_to_the_loads_while_it_stands) {
  begin("bouncing-ball", 1, (const char *[]){"time.scheme=theta"});
  double *const q = array("q", NULL), *const v = array("v", NULL), *const F = array("force", NULL),
                h = value("h");
  const double y = q[1];
  steps(1);
  const double g = -v[1] / h, m = array("mass", NULL)[1];
  v[1] = 0.0, q[1] = y, F[1] = m * g;
  steps(100);
  ck_assert_double_eq_tol(v[1], 0.0, 1e-12);
  ck_assert_double_eq_tol(q[1], y, 1e-12);
  F[1] = 0.0, F[0] = 2.0 * m;
  steps(30);
  ck_assert_double_eq_tol(v[1], -g * 30 * h, 1e-11);
  ck_assert_double_eq_tol(v[0], 2.0 * 30 * h, 1e-11);
  ck_assert_str_eq(verdict(), "pass");
  F[0] = NAN;
  expect(prc_simulation_step(s, 1, 0.0, NULL, &err), "the force[0] is nan");
  prc_simulation_free(&s);
}
END_TEST

/* Written and taken over without a change: nothing changes, in the last bit, but what friction and starts remember. */
START_TEST(the_same_state_written_goes_on_to_the_same) {
  static const char *const set[] = {"mesh.size=4", "time.end=0.02"};
  double *kept = NULL;
  int n;
  begin("sliding-block", 2, set);
  steps(100);
  double *q = array("q", &n);
  support_ok(prc_new(&kept, n, &err), &err);
  memcpy(kept, q, (size_t)n * sizeof *kept);
  prc_simulation_free(&s);
  begin("sliding-block", 2, set);
  for (int k = 0; k < 10; k++) {
    steps(10);
    double *v = array("v", NULL), was = v[7];
    v[7] = was + 1e-3;
    if (k == 9) break;
    v[7] = was; /* as it was: no difference is found */
    support_ok(prc_simulation_apply(s, &err), &err);
  }
  prc_simulation_revert(s); /* the last is given up */
  q = array("q", NULL);
  ck_assert_int_eq(memcmp(kept, q, (size_t)n * sizeof *kept), 0);
  prc_delete(&kept);
  prc_simulation_free(&s);
}
END_TEST

/* Forces and energy of an elastic body follow from what is written: those of an earlier state come back with it. */
START_TEST(elastic_forces_are_made_anew) {
  static const char *const set[] = {"mesh.size=4", "time.end=0.02"};
  double *kept = NULL, *kept_f = NULL;
  int n;
  begin("sliding-block", 2, set);
  steps(10);
  double *q = array("q", &n);
  const double elastic = value("elastic");
  support_ok(prc_new(&kept, n, &err), &err);
  support_ok(prc_new(&kept_f, n, &err), &err);
  memcpy(kept, q, (size_t)n * sizeof *kept), memcpy(kept_f, array("f", NULL), (size_t)n * sizeof *kept);
  steps(60);
  ck_assert_double_gt(fabs(value("elastic") - elastic), 1e-3);
  memcpy(q, kept, (size_t)n * sizeof *kept);
  support_ok(prc_simulation_apply(s, &err), &err);
  ck_assert_double_eq_tol(value("elastic"), elastic, 1e-12 * elastic);
  double largest = 0.0, off = 0.0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(kept_f[i])), off = fmax(off, fabs(array("f", NULL)[i] - kept_f[i]));
  ck_assert_double_lt(off, 1e-10 * largest);
  steps(60);
  ck_assert_str_eq(verdict(), "pass");
  prc_delete(&kept);
  prc_delete(&kept_f);
  prc_simulation_free(&s);
}
END_TEST

START_TEST(what_cannot_be_is_refused_and_nothing_is_lost) {
  begin("four-bar", 0, NULL);
  steps(3);
  double *q = array("q", NULL), *v = array("v", NULL), was = q[0];
  v[1] = NAN;
  expect(prc_simulation_step(s, 1, 0.0, NULL, &err), "v[1] is nan");
  prc_simulation_revert(s);
  q[0] += 0.1;
  expect(prc_simulation_apply(s, &err), "is open by");
  expect(prc_simulation_step(s, 1, 0.0, NULL, &err), "is open by"); /* until it is in order */
  q[0] = was;
  ck_assert_int_eq(steps(3), 3);
  ck_assert_double_eq(value("step"), 6.0);
  ck_assert_str_eq(verdict(), "pass");
  prc_simulation_free(&s);
  expect(prc_simulation_create(support_source("cases/none.yaml"), 0, NULL, NULL, &s, &err), "none.yaml");
  ck_assert_ptr_null(s);
  expect(prc_simulation_create(support_source("cases/four-bar.yaml"), 1, (const char *[]){"time.step=-1"},
                               NULL, &s, &err),
         "time.step");
}
END_TEST

START_TEST(driven_motions_are_not_the_programs) {
  begin("shaken-block", 0, NULL);
  steps(2);
  int n;
  double *v = array("v", &n);
  int refused = 0, n_driven, columns, type;
  const void *driven;
  support_ok(prc_simulation_array(s, "driven", &driven, &n_driven, &columns, &type, &err), &err);
  ck_assert_int_eq(type, PRC_ARRAY_INTEGER);
  for (int i = 0; i < n; i++) {
    const double was = v[i];
    v[i] += 1e-3;
    if (prc_simulation_apply(s, &err) != PRC_OK) refused++, expect(err.status, "prescribes it");
    v[i] = was;
    support_ok(prc_simulation_apply(s, &err), &err);
  }
  ck_assert_int_eq(refused, n_driven);
  ck_assert_int_gt(refused, 0);
  ck_assert_int_lt(refused, n);
  prc_simulation_free(&s);
}
END_TEST

START_TEST(the_end_of_the_case_is_the_end) {
  begin("bouncing-ball", 1, (const char *[]){"time.end=0.1"});
  const int n = (int)value("steps");
  ck_assert_int_eq(n, 50);
  ck_assert_int_eq(steps(1000), n);
  ck_assert(prc_simulation_is_over(s));
  ck_assert_int_eq(steps(10), 0);
  ck_assert_double_eq_tol(value("t"), 0.1, 1e-12);
  prc_simulation_free(&s);
}
END_TEST

/* Each scheme takes over a state: a free ball flies on by its law, whatever the scheme remembers. */

START_TEST(every_scheme_goes_on_from_what_is_written) {
  char scheme[64];
  prc_step_scheme row;
  if (!prc_step_scheme_at(_i, &row) || strcmp(row.name, "static") == 0) return;
  snprintf(scheme, sizeof scheme, "time.scheme=%s", row.name);
  const char *const set[] = {scheme, "contacts.floor.restitution=0"};
  char path[64];
  snprintf(path, sizeof path, "cases/bouncing-ball.yaml");
  prc_error_clear(&err);
  if (prc_simulation_create(support_source(path), 2, set, NULL, &s, &err) != PRC_OK)
    return; /* options of its own */
  double *q = array("q", NULL), *v = array("v", NULL), h = value("h");
  steps(10);
  const double g = -v[1] / (10 * h), y = q[1];
  v[1] = 2.0;
  steps(50);
  ck_assert_double_eq_tol(v[1], 2.0 - g * 50 * h, 1e-9);
  ck_assert_double_eq_tol(q[1], y + 2.0 * 50 * h - 0.5 * g * pow(50 * h, 2), 1.01 * g * 50 * h * h);
  ck_assert_str_eq(verdict(), "pass");
  prc_simulation_free(&s);
}
END_TEST

START_TEST(everything_has_a_name) {
  begin("bouncing-ball", 0, NULL);
  double out;
  int n_values = 0, n_arrays = 0, range[4];
  const char *kind;
  for (; prc_simulation_value_name(n_values); n_values++)
    ck_assert(prc_simulation_value(s, prc_simulation_value_name(n_values), &out));
  ck_assert_int_gt(n_values, 20);
  ck_assert(!prc_simulation_value(s, "none", &out));
  for (; prc_simulation_array_name(n_arrays); n_arrays++) {
    const void *data;
    int rows, columns, type;
    support_ok(
        prc_simulation_array(s, prc_simulation_array_name(n_arrays), &data, &rows, &columns, &type, &err),
        &err);
    ck_assert(data || rows == 0);
  }
  const void *data;
  int rows, columns, type;
  expect(prc_simulation_array(s, "none", &data, &rows, &columns, &type, &err), "no array 'none'");
  ck_assert_int_eq(prc_simulation_bodies(s), 1);
  ck_assert_ptr_nonnull(prc_simulation_body(s, 0, &kind, range));
  ck_assert_str_eq(kind, "rigid");
  ck_assert_int_eq(range[3], 3);
  ck_assert_ptr_null(prc_simulation_body(s, 1, &kind, range));
  double row[PRC_VIEW_MOTION];
  ck_assert_int_eq(prc_simulation_items(s, 0), 1);
  ck_assert_ptr_nonnull(prc_simulation_item(s, 0, 0, row));
  ck_assert_double_eq(row[1], array("q", NULL)[1]);
  ck_assert_ptr_null(prc_simulation_item(s, 0, 1, row));
  prc_simulation_free(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simulation");
  TCase *tests = tcase_create("simulation");
  tcase_add_test(tests, a_velocity_that_is_written_is_where_the_ball_goes_on);
  tcase_add_test(tests, what_is_written_stands_in_the_external_work);
  tcase_add_test(tests, a_force_is_added_to_the_loads_while_it_stands);
  tcase_add_test(tests, the_same_state_written_goes_on_to_the_same);
  tcase_add_test(tests, elastic_forces_are_made_anew);
  tcase_add_test(tests, what_cannot_be_is_refused_and_nothing_is_lost);
  tcase_add_test(tests, driven_motions_are_not_the_programs);
  tcase_add_test(tests, the_end_of_the_case_is_the_end);
  tcase_add_loop_test(tests, every_scheme_goes_on_from_what_is_written, 0, 16);
  tcase_add_test(tests, everything_has_a_name);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
