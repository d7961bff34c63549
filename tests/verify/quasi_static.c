/* Load steps without inertia: a point on springs against its return mapping, a pressed block against its closed form, and
 * what the supports leave free. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- a point on two springs above a floor ---------------------------------------------------------------------------- */

enum { STEPS = 60 };
static const double stiffness[2] = {3.0, 7.0}, friction = 0.4, above = 0.25, h = 0.5;

/* F: down onto the floor (closing at 1.75), to and fro along it while the normal force changes, up again */
static void load_of(double t, double F[2]) {
  const double k = t / h;
  F[1] = k <= 20 ? -0.35 * k : k <= 50 ? -7.0 + 0.05 * (k - 20) : -5.5 + 0.9 * (k - 50);
  F[0] = 4.0 * sin(0.3 * k);
}

typedef struct {
  prc_sym M, K;
  double m[2], k[2];
  int start[3], row[2];
  prc_law law;
  prc_system system;
} spring;

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *err) {
  (void)owner, (void)err;
  load_of(at->t, F);
  return PRC_OK;
}

static prc_status find(void *owner, const prc_at *at, double step, double reach, prc_contact_set *set,
                       prc_error *err) {
  const spring *s = owner;
  (void)at, (void)step, (void)reach;
  const prc_contact floor = {.body = {-1, 0}, .n_dof = 2, .dof = (const int[]){0, 1}, .law = &s->law};
  return prc_contact_set_add(set, &floor, err);
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  (void)owner;
  if (what & PRC_EVALUATE_GAP) set->gap[0] = above + at->q[1];
  if (what & PRC_EVALUATE_H) memcpy(set->H.x, (double[]){0.0, 1.0, 1.0, 0.0}, 4 * sizeof *set->H.x);
}

static void spring_make(spring *s, double drag) {
  *s = (spring){.m = {1.0, 1.0},
                .k = {stiffness[0], stiffness[1]},
                .start = {0, 1, 2},
                .row = {0, 1},
                .law = prc_law_coulomb(friction, 0.0, 0.0)};
  s->M = (prc_sym){.n = 2, .p = s->start, .i = s->row, .x = s->m};
  s->K = (prc_sym){.n = 2, .p = s->start, .i = s->row, .x = s->k};
  s->system = (prc_system){
      .space = {.nv = 2},
      .dynamics = {.M = &s->M, .K = &s->K, .damping_mass = drag, .varies = PRC_LOADS_IN_TIME, .loads = loads},
      .contacts = {.dim = 2, .find = find, .evaluate = evaluate},
      .length = 1.0,
      .velocity = 1.0,
      .owner = s};
}

/* One load step by hand: the normal spring alone decides the normal force; the tangential one is tried sticking. (N, T) are the
 * forces of the floor, both springs loaded by a drag of `drag` (q - q_0) / h as well. */
static int return_map(double t, double drag, double q[2], double r[2]) {
  double F[2];
  load_of(t, F);
  const double k_N = stiffness[1] + drag / h, k_T = stiffness[0] + drag / h;
  const double q_N = (F[1] + drag / h * q[1]) / k_N, q_T = (F[0] + drag / h * q[0]) / k_T;
  r[0] = fmax(0.0, k_N * (-above - q_N));
  r[1] = k_T * (q[0] - q_T); /* what holds it where it is */
  const int slips = fabs(r[1]) > friction * r[0];
  if (slips) r[1] = copysign(friction * r[0], r[1]);
  q[1] = q_N + r[0] / k_N;
  q[0] = q_T + r[1] / k_T;
  return r[0] > 0.0 ? 1 + slips : 0;
}

static const double drags[] = {0.0, 0.3};

START_TEST(a_point_on_springs_follows_its_return_mapping) {
  static const double rest[2] = {0.0, 0.0};
  const double drag = drags[_i];
  spring s;
  prc_error err = {0};
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  prc_step_options options = prc_step_options_default(h);
  options.theta = 1.0, options.scheme = "static";
  spring_make(&s, drag);
  support_ok(prc_stepper_create(&s.system, &options, &stepper, &err), &err);
  const prc_ledger_options watched = {
      .promises = prc_stepper_promises(stepper), .tolerance = 1e-10, .max_penetration = 1e-12};
  ck_assert(watched.promises.tangential_sign.theorem && watched.promises.normal_sign.theorem
            && watched.promises.equilibrium);
  support_ok(prc_ledger_create(&watched, &ledger, &err), &err);
  support_ok(prc_stepper_start(stepper, rest, rest, &err), &err);
  const prc_step_record *r = prc_stepper_record(stepper);
  prc_ledger_start(ledger, r);
  double q[2] = {0.0, 0.0}, rubbed = 0.0, external = 0.0, dragged = 0.0;
  int count[3] = {0};
  for (int k = 1; k <= STEPS; k++) {
    double force_now[2], F[2];
    const double before[2] = {q[0], q[1]};
    count[return_map(k * h, drag, q, force_now)]++;
    load_of(k * h, F);
    rubbed += force_now[1] * (q[0] - before[0]);
    for (int i = 0; i < 2; i++) {
      external += F[i] * (q[i] - before[i]);
      dragged -= drag / h * pow(q[i] - before[i], 2.0);
    }
    support_ok(prc_stepper_step(stepper, &err), &err);
    prc_ledger_enter(ledger, r);
    for (int i = 0; i < 2; i++) {
      ck_assert_double_le(fabs(r->q[i] - q[i]), 1e-10);
      ck_assert_double_le(fabs(r->p[i] / h - force_now[i]), 1e-9);
    }
  }
  for (int i = 0; i < 3; i++) ck_assert_int_ge(count[i], 5); /* open, stick, slip: all were met */
  const prc_ledger_row *row = prc_ledger_now(ledger);
  ck_assert_double_le(fabs(row->work_contact_tangential - rubbed), 1e-9);
  ck_assert_double_le(fabs(row->work_external - external), 1e-9);
  ck_assert_double_le(fabs(row->work_damping - dragged), 1e-9);
  ck_assert_double_le(fabs(row->elastic - 0.5 * (stiffness[0] * q[0] * q[0] + stiffness[1] * q[1] * q[1])),
                      1e-9);
  ck_assert_double_lt(rubbed, -0.1);
  prc_step_drift drift;
  support_ok(prc_stepper_drift(stepper, &drift, &err), &err);
  prc_ledger_drift(ledger, STEPS, &drift);
  ck_assert_double_le(drift.momentum, 1e-12 * drift.momentum_scale);
  ck_assert_int_eq(prc_ledger_certificate(ledger).verdict, PRC_PASS);
  prc_ledger_free(&ledger);
  prc_stepper_free(&stepper);
}
END_TEST

START_TEST(what_has_inertia_or_bounces_is_refused) {
  spring s;
  prc_error err = {0};
  prc_stepper *stepper = NULL;
  prc_step_options options = prc_step_options_default(h);
  options.scheme = "static"; /* theta is 1/2 */
  spring_make(&s, 0.0);
  support_fails(prc_stepper_create(&s.system, &options, &stepper, &err), PRC_INPUT, &err, "theta = 1");
  err = (prc_error){0};
  options.theta = 1.0;
  s.system.dynamics.K = NULL;
  support_fails(prc_stepper_create(&s.system, &options, &stepper, &err), PRC_INPUT, &err, "a stiffness");
  err = (prc_error){0};
  s.system.dynamics.K = &s.K, s.k[1] = 0.0;
  support_fails(prc_stepper_create(&s.system, &options, &stepper, &err), PRC_SINGULAR, &err, "the stiffness");
  ck_assert_ptr_null(stepper);
}
END_TEST

/* ---- a block pressed on the floor -------------------------------------------------------------------------------------- */

static void press(block *b, const prc_mesh *mesh, double drag) {
  block_case(b, mesh);
  b->material.young = 100.0, b->material.poisson = 0.25;
  b->model.plane = PRC_PLANE_STRESS, b->model.thickness = 1.0;
  b->model.gravity[1] = prc_field_constant(0.0);
  b->model.damping_mass = drag;
  b->load.group = prc_mesh_find(mesh, 1, "top");
  b->load.traction[0] = prc_field_constant(0.0), b->load.traction[1] = prc_field_constant(-2.0);
  b->contact.friction = prc_field_constant(0.0);
  b->support.group = prc_mesh_find(mesh, 1, "left");
  b->support.held[0] = 1, b->support.held[1] = 0;
  b->support.displacement[0] = prc_field_constant(0.0);
  b->preloaded = 0;
  b->step.scheme = "static", b->step.theta = 1.0, b->step.h = 0.1;
}

/* Only the floor holds it in y: the drag makes the problem solvable, and is gone after a few steps at a constant load. Then the
 * stress is uniform: u_y = -2 y / E, u_x = nu 2 x / E, and a node of the floor carries 2 x its area. */
START_TEST(a_pressed_block_is_strained_uniformly) {
  prc_mesh *mesh = block_strip(8, 5, 4.0, 2.5);
  block b;
  press(&b, mesh, 10.0);
  b.step.cone.tolerance = 1e-13;
  block_start(&b);
  block_step(&b, 8);
  const double *x = mesh->x, *area = prc_fem_contact_areas(b.fem);
  for (int a = 0; a < mesh->n_nodes; a++) {
    ck_assert_double_le(fabs(b.record->q[2 * a] - 0.25 * 2.0 * x[2 * a] / 100.0), 1e-12);
    ck_assert_double_le(fabs(b.record->q[2 * a + 1] + 2.0 * x[2 * a + 1] / 100.0), 1e-12);
  }
  for (int c = 0; c < b.record->n_contacts; c++)
    ck_assert_double_le(fabs(b.record->p[2 * c] / b.step.h - 2.0 * area[c]), 1e-10);
  ck_assert_double_eq(b.row->active, 9.0);
  ck_assert_double_eq(b.row->kinetic, 0.0);
  ck_assert_double_le(fabs(b.row->elastic - 0.5 * 4.0 / 100.0 * 10.0), 1e-12); /* sigma^2 / 2 E x area */
  ck_assert_int_ne(block_certificate(&b).verdict, PRC_FAIL);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* The ramp of a support is followed exactly, whatever its shape in time. */
static prc_status sagging(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  (void)field, (void)x, (void)y, (void)err;
  *value = -0.01 * t * t;
  return PRC_OK;
}

START_TEST(supports_follow_their_displacement) {
  prc_mesh *mesh = block_strip(4, 3, 4.0, 3.0);
  block b;
  press(&b, mesh, 0.0);
  block_without_load(&b);
  b.support.group = prc_mesh_find(mesh, 1, "top");
  b.support.held[0] = b.support.held[1] = 1;
  b.support.displacement[1] = (prc_field){.eval = sagging, .uses_time = 1};
  block_start(&b);
  for (int k = 1; k <= 10; k++) {
    block_step(&b, 1);
    const int *rows, n = prc_fem_support_rows(b.fem, 0, &rows);
    double reaction = 0.0, floor_force = 0.0;
    for (int i = 0; i < n; i++) {
      const int dof = b.system->drive.dof[rows[i]];
      ck_assert_double_le(fabs(b.record->q[dof] - (dof % 2 ? -1e-4 * k * k : 0.0)), 1e-16);
      if (dof % 2) reaction += b.record->reaction[rows[i]];
    }
    for (int c = 0; c < b.record->n_contacts; c++) floor_force += b.record->p[2 * c] / b.step.h;
    ck_assert_double_gt(floor_force, 0.0);
    ck_assert_double_le(fabs(reaction + floor_force), 1e-12 * 100.0); /* the two carry each other */
  }
  ck_assert_int_ne(block_certificate(&b).verdict, PRC_FAIL);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

/* ---- what the supports leave free ------------------------------------------------------------------------------------------ */

static const struct {
  const char *group; /* NULL: no support */
  int held[2], n_modes;
  const char *text;
} holds[] = {
    {NULL, {0, 0}, 3, "is free in translation in x, translation in y and rotation about (2, 1)"},
    {"left", {1, 0}, 1, "is free in translation in y"},
    {"left", {0, 1}, 2, "is free in translation in x and rotation about (0, 1)"},
    {"bottom", {1, 0}, 2, "is free in translation in y and rotation about (2, 0)"},
    {"bottom", {0, 1}, 1, "is free in translation in x"},
    {"top", {1, 1}, 0, NULL},
};

START_TEST(free_motions_are_found_and_named) {
  prc_mesh *mesh = block_strip(8, 4, 4.0, 2.0);
  block b;
  prc_error err = {0};
  prc_fem_free_body *list = NULL;
  int n = -1;
  press(&b, mesh, 1e-3);
  if (holds[_i].group) {
    b.support.group = prc_mesh_find(mesh, 1, holds[_i].group);
    memcpy(b.support.held, holds[_i].held, sizeof b.support.held);
  } else
    block_without_support(&b);
  block_without_contact(&b); /* the support of the bottom would leave nothing of it to give way */
  block_prepare(&b);
  support_ok(prc_fem_free_bodies(b.fem, &n, &list, &err), &err);
  ck_assert_int_eq(n, holds[_i].n_modes > 0);
  if (n > 0) {
    char text[512];
    prc_fem_free_body_text(&list[0], text, sizeof text);
    ck_assert_int_eq(list[0].n_modes, holds[_i].n_modes);
    ck_assert_int_eq(list[0].n_nodes, 45);
    ck_assert_msg(strstr(text, holds[_i].text) != NULL, "'%s', expected '%s' in it", text, holds[_i].text);
  }
  prc_delete(&list);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("quasi_static");
  TCase *points = tcase_create("points"), *blocks = tcase_create("blocks");
  suite_add_tcase(suite, points);
  suite_add_tcase(suite, blocks);
  tcase_add_loop_test(points, a_point_on_springs_follows_its_return_mapping, 0, 2);
  tcase_add_test(points, what_has_inertia_or_bounces_is_refused);
  tcase_add_test(blocks, a_pressed_block_is_strained_uniformly);
  tcase_add_test(blocks, supports_follow_their_displacement);
  tcase_add_loop_test(blocks, free_motions_are_found_and_named, 0, (int)(sizeof holds / sizeof *holds));
  return support_run(suite);
}
