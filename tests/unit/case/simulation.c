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

/* ---- NULL where something must be there ------------------------------------------------------------------- */

static prc_sym one = {.n = 1, .p = (int[]){0, 1}, .i = (int[]){0}, .x = (double[]){1.0}};
static const prc_system point = {.space = {.nv = 1}, .dynamics = {.M = &one}, .length = 1.0, .velocity = 1.0};

static prc_stepper *made; /* of that */

/* What is given, and the name in the message; by one line each. */
#define MISUSE(call, name)                                                                                   \
  if (k-- == 0) return *part = (name), (call)

static prc_status misuse_simulation(int k, const char **part) {
  const void *data;
  int n, done;
  MISUSE(prc_simulation_create(NULL, 0, NULL, NULL, &s, &err), "'path'");
  MISUSE(prc_simulation_create("bounce", 0, NULL, NULL, NULL, &err), "'out'");
  MISUSE(prc_simulation_create("bounce", 1, NULL, NULL, &s, &err), "'set'");
  MISUSE(prc_simulation_create("bounce", 1, (const char *[]){NULL}, NULL, &s, &err), "'set[k]'");
  MISUSE(prc_simulation_step(NULL, 1, 0.0, &done, &err), "'s'");
  MISUSE(prc_simulation_apply(NULL, &err), "'s'");
  MISUSE(prc_simulation_array(NULL, "q", &data, &n, &n, &n, &err), "'s'");
  MISUSE(prc_simulation_array(s, NULL, &data, &n, &n, &n, &err), "'name'");
  MISUSE(prc_simulation_array(s, "q", NULL, &n, &n, &n, &err), "'data'");
  MISUSE(prc_simulation_array(s, "q", &data, NULL, &n, &n, &err), "'rows'");
  MISUSE(prc_simulation_array(s, "q", &data, &n, &n, NULL, &err), "'type'");
  MISUSE(prc_simulation_fields(NULL, 0, &err), "'s'");
  MISUSE(prc_simulation_certify(NULL, part, &err), "'s'");
  MISUSE(prc_simulation_certify(s, NULL, &err), "'verdict'");
  return PRC_OK;
}

static prc_status misuse_system(int k, const char **part) {
  static const prc_at nowhere = {0.0, NULL, NULL};
  prc_contact_set set = {0};
  prc_system no_mass = point, no_list = point, no_gaps = point;
  no_mass.dynamics.M = NULL, no_list.drive.n = 1, no_gaps.contacts.dim = 2;
  no_gaps.contacts.find =
      (prc_status(*)(void *, const prc_at *, double, double, prc_contact_set *, prc_error *))1;
  MISUSE(prc_system_check(NULL, &err), "'s'");
  MISUSE(prc_system_check(&no_mass, &err), "needs a mass matrix");
  MISUSE(prc_system_check(&no_list, &err), "expected the list");
  MISUSE(prc_system_check(&no_gaps, &err), "needs a function for their gaps");
  MISUSE(prc_system_check_at(NULL, NULL, 1e-3, &err), "'s'");
  MISUSE(prc_system_check_contacts(&point, NULL, &err), "'set'");
  MISUSE(prc_system_check_contacts(NULL, &set, &err), "'s'");
  MISUSE(prc_system_find_contacts(NULL, &nowhere, 1.0, 1.0, &set, NULL, &err), "'s'");
  MISUSE(prc_system_find_contacts(&point, NULL, 1.0, 1.0, &set, NULL, &err), "'at'");
  MISUSE(prc_system_find_contacts(&point, &nowhere, 1.0, 1.0, NULL, NULL, &err), "'set'");
  return PRC_OK;
}

static prc_status misuse_stepper(int k, const char **part) {
  prc_step_options o = prc_step_options_default(1e-3), no_scheme = o, no_solver = o, no_linear = o;
  prc_stepper *out = NULL;
  const double zero = 0.0;
  prc_step_state state = {.q = &zero};
  no_scheme.scheme = NULL, no_solver.solver = NULL, no_linear.linear = NULL;
  MISUSE(prc_stepper_create(NULL, &o, &out, &err), "'system'");
  MISUSE(prc_stepper_create(&point, NULL, &out, &err), "'options'");
  MISUSE(prc_stepper_create(&point, &o, NULL, &err), "'out'");
  MISUSE(prc_stepper_create(&point, &no_scheme, &out, &err), "'o->scheme'");
  MISUSE(prc_stepper_create(&point, &no_solver, &out, &err), "'o->solver'");
  MISUSE(prc_stepper_create(&point, &no_linear, &out, &err), "'o->linear'");
  MISUSE(prc_stepper_start(NULL, &zero, &zero, &err), "'s'");
  MISUSE(prc_stepper_start(made, NULL, &zero, &err), "'q'");
  MISUSE(prc_stepper_start(made, &zero, NULL, &err), "'v'");
  MISUSE(prc_stepper_foresee(NULL, 1, &err), "'s'");
  MISUSE(prc_stepper_step(NULL, &err), "'s'");
  MISUSE(prc_stepper_set_step(NULL, 1.0, &err), "'s'");
  MISUSE(prc_stepper_set_state(made, NULL, &zero, &err), "'q'");
  MISUSE(prc_stepper_set_state(NULL, &zero, &zero, &err), "'s'");
  MISUSE(prc_stepper_resume(made, NULL, &err), "'from'");
  MISUSE(prc_stepper_resume(made, &state, &err), "'from->v'");
  MISUSE(prc_stepper_continue(made, &state, &err), "'from->v'");
  MISUSE(prc_stepper_visit(made, NULL, NULL, &err), "'visit'");
  MISUSE(prc_stepper_drift(made, NULL, &err), "'drift'");
  return PRC_OK;
}

static prc_status misuse_models(int k, const char **part) {
  const prc_ledger_options ledger = {0};
  const prc_fem_model no_mesh = {0};
  const prc_rigid_model no_bodies = {.n_bodies = 1};
  const prc_spatial_model no_solids = {.n_bodies = 1};
  const prc_scene_model no_scene = {.n_bodies = 1};
  const prc_mesh_arrays no_lists = {.n_nodes = 1, .n_lists = 1, .x = (double[]){0.0, 0.0}};
  const prc_cone_options cone = prc_cone_options_default();
  prc_ledger *a;
  prc_fem *b;
  prc_rigid *c;
  prc_spatial *d;
  prc_beam *e;
  prc_scene *f;
  prc_mesh *g;
  prc_case *h;
  prc_model *m;
  prc_cone_solver *solver;
  char *text;
  MISUSE(prc_ledger_create(NULL, &a, &err), "'options'");
  MISUSE(prc_ledger_create(&ledger, NULL, &err), "'out'");
  MISUSE(prc_fem_create(NULL, &b, &err), "'model'");
  MISUSE(prc_fem_create(&no_mesh, &b, &err), "'model->mesh'");
  MISUSE(prc_rigid_create(NULL, &c, &err), "'model'");
  MISUSE(prc_rigid_create(&no_bodies, &c, &err), "'model->body'");
  MISUSE(prc_spatial_create(NULL, &d, &err), "'model'");
  MISUSE(prc_spatial_create(&no_solids, &d, &err), "'model->body'");
  MISUSE(prc_beam_create(NULL, &e, &err), "'model'");
  MISUSE(prc_scene_create(NULL, &f, &err), "'model'");
  MISUSE(prc_scene_create(&no_scene, &f, &err), "'model->body'");
  MISUSE(prc_mesh_read(NULL, NULL, NULL, &g, &err), "'path'");
  MISUSE(prc_mesh_create(NULL, NULL, &g, &err), "'from'");
  MISUSE(prc_mesh_create(&no_lists, NULL, &g, &err), "'from->list'");
  MISUSE(prc_case_read(NULL, 0, NULL, &h, &err), "'path'");
  MISUSE(prc_case_build(NULL, NULL, &m, &err), "'c'");
  MISUSE(prc_case_text(NULL, &text, &err), "'c'");
  MISUSE(prc_cone_solver_create(NULL, 2, 1, &cone, &solver, &err), "'name'");
  MISUSE(prc_cone_solver_create("auto", 2, 1, NULL, &solver, &err), "'options'");
  return PRC_OK;
}

START_TEST(null_is_refused_by_the_name_of_the_argument) {
  static prc_status (*const misuse[])(int, const char **) = {misuse_simulation, misuse_system, misuse_stepper,
                                                             misuse_models};
  const prc_step_options o = prc_step_options_default(1e-3);
  int n = 0;
  begin("bouncing-ball", 0, NULL);
  support_ok(prc_stepper_create(&point, &o, &made, &err), &err);
  for (size_t f = 0; f < sizeof misuse / sizeof *misuse; f++)
    for (int k = 0;; k++, n++) {
      const char *part = NULL;
      const prc_status status = misuse[f](k, &part);
      if (!part) break;
      expect(status, part);
    }
  ck_assert_int_eq(n, 62);
  ck_assert_int_eq(prc_stepper_create(NULL, NULL, NULL, NULL), PRC_INPUT); /* nor must there be an error */
  prc_stepper_free(&made);
  prc_simulation_free(&s);
}
END_TEST

START_TEST(null_in_place_of_a_simulation_gives_nothing) {
  const char *text;
  const void *data;
  double x, row[PRC_VIEW_MOTION];
  int n, range[4];
  prc_simulation_free(NULL);
  prc_simulation_revert(NULL);
  ck_assert_int_eq(prc_simulation_is_over(NULL), 1);
  ck_assert_int_eq(prc_simulation_value(NULL, "t", &x), 0);
  ck_assert_ptr_null(prc_simulation_name(NULL));
  ck_assert_ptr_null(prc_simulation_units(NULL));
  ck_assert_ptr_null(prc_simulation_contact_name(NULL, 0));
  ck_assert_int_eq(prc_simulation_bodies(NULL), 0);
  ck_assert_ptr_null(prc_simulation_body(NULL, 0, &text, range));
  ck_assert_int_eq(prc_simulation_items(NULL, 0), 0);
  ck_assert_ptr_null(prc_simulation_item(NULL, 0, 0, row));
  ck_assert_int_eq(prc_simulation_motion_size(NULL, 0), 0);
  ck_assert_int_eq(prc_simulation_field(NULL, 0, 0, &text, &data, &n, &n, &n, &n), 0);
  ck_assert_int_eq(prc_simulation_entry(NULL, 0, &text, &text, &text, &x, &x, &n), 0);
  begin("bouncing-ball", 0, NULL);
  ck_assert_int_eq(prc_simulation_value(s, NULL, &x), 0);
  ck_assert_int_eq(prc_simulation_value(s, "t", NULL), 0);
  ck_assert_ptr_null(prc_simulation_body(s, 0, NULL, range));
  ck_assert_ptr_null(prc_simulation_item(s, 0, 0, NULL));
  ck_assert_int_eq(prc_simulation_entry(s, 0, NULL, &text, &text, &x, &x, &n), 0);
  prc_simulation_free(&s);
}
END_TEST

SUITE(simulation) {
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
  tcase_add_test(tests, null_is_refused_by_the_name_of_the_argument);
  tcase_add_test(tests, null_in_place_of_a_simulation_gives_nothing);
  suite_add_tcase(suite, tests);
  return suite;
}
