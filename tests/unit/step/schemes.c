#include "config.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "step/step.h"
#include "support/allocator.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What holds for every scheme alike, on systems of every kind: steps allocate nothing, allocations that fail are survived, a run goes on to
 * the byte from any step, and what cannot be stepped is said. */

static prc_error err;

static const char *const schemes[] = {"theta", "midpoint",     "position",    "generalized-alpha",
                                      "ggl",   "modified-lcp", "smooth-alpha"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Systems: a case without friction and restitution, and what its bodies are. `warm`: steps after which nothing new comes up. */
static const struct {
  const char *name, *set[6];
  double h;
  int warm, has_joints, nonlinear, again; /* again: the same steps once more */
} systems[] = {
    {"cases/bouncing-pendulum.yaml", {"contacts.wall.restitution=0"}, 1e-2, 60, 1, 0, 0},
    {"cases/four-bar.yaml", {NULL}, 5e-3, 5, 1, 0, 0},
    {"cases/cart.yaml", {NULL}, 1e-2, 5, 1, 0, 0},
    {"cases/spring-pendulum.yaml", {NULL}, 5e-3, 5, 0, 1, 0},
    {"cases/newton-cradle.yaml", {"contacts.discs.restitution=0"}, 1e-2, 40, 0, 0, 0},
    {"cases/rotating-ball.yaml", {"contacts.floor.friction=0"}, 5e-3, 20, 0, 0, 0},
    {"cases/dropped-block.yaml",
     {"mesh.size=10", "contacts.bottom.friction=0", "initial.velocity=[0,-20]"},
     1e-2,
     5,
     0,
     0,
     0},
    {"tests/input/turned-bar.yaml", {NULL}, 1e-2, 5, 1, 1, 0},
    {"tests/input/tiles.yaml", {NULL}, 2e-3, 60, 0, 0, 1},
    {"tests/input/tiles-in-space.yaml", {NULL}, 2e-3, 60, 0, 1, 1},
};
enum { SYSTEMS = sizeof systems / sizeof *systems, TRIES = SCHEMES * SYSTEMS };

typedef struct {
  prc_case *c;
  prc_model *model;
  const prc_system *system;
  prc_step_options options;
  double *q, *v;
} setting;

static int suits(int scheme, int k) {
  const int is_position = strcmp(schemes[scheme], "position") == 0,
            is_midpoint = strcmp(schemes[scheme], "midpoint") == 0;
  return !(is_position && (systems[k].has_joints || systems[k].nonlinear))
         && !(is_midpoint && systems[k].has_joints);
}

static void open_setting(setting *s, int scheme, int k) {
  int n_set = 0;
  *s = (setting){.options = prc_step_options_default(systems[k].h)};
  while (n_set < 6 && systems[k].set[n_set]) n_set++;
  support_ok(prc_case_read(support_source(systems[k].name), n_set, systems[k].set, &s->c, &err), &err);
  support_ok(prc_case_build(s->c, NULL, &s->model, &err), &err);
  s->system = s->model->system;
  s->options.scheme = schemes[scheme], s->options.law = PRC_IMPACT_NEWTON;
  s->options.theta = strcmp(schemes[scheme], "position") == 0 ? 1.0 : 0.5;
  s->q = calloc((size_t)prc_system_coordinates(s->system), sizeof *s->q);
  s->v = calloc((size_t)s->system->space.nv, sizeof *s->v);
  ck_assert(s->q && s->v);
  prc_scene_initial(s->model->scene, s->q, s->v);
}

static void close_setting(setting *s) {
  free(s->q), free(s->v);
  prc_model_free(&s->model);
  prc_case_free(&s->c);
}

static prc_status begin(const setting *s, prc_stepper **stepper) {
  const prc_status status = prc_stepper_create(s->system, &s->options, stepper, &err);
  return status == PRC_OK ? prc_stepper_start(*stepper, s->q, s->v, &err) : status;
}

static prc_status steps(prc_stepper *stepper, prc_ledger *ledger, int n) {
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) {
    status = prc_stepper_step(stepper, &err);
    if (ledger && status == PRC_OK) prc_ledger_enter(ledger, prc_stepper_record(stepper));
  }
  return status;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

START_TEST(steps_allocate_nothing) {
  const prc_ledger_options of_ledger = {.tolerance = 1e-8, .max_penetration = -1.0};
  const int scheme = _i % SCHEMES, k = _i / SCHEMES;
  setting s;
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  if (!suits(scheme, k)) return;
  open_setting(&s, scheme, k);
  support_ok(begin(&s, &stepper), &err);
  support_ok(prc_ledger_create(&of_ledger, &ledger, &err), &err);
  prc_ledger_start(ledger, prc_stepper_record(stepper));
  support_ok(steps(stepper, ledger, systems[k].warm), &err);
  if (systems[k].again) support_ok(prc_stepper_start(stepper, s.q, s.v, &err), &err);
  support_watch(0);
  const prc_status status = steps(stepper, ledger, 60);
  support_look_away();
  support_ok(status, &err);
  ck_assert_msg(support_allocator.calls == 0, "%s, %s: %d calls", schemes[scheme], systems[k].name,
                support_allocator.calls);
  prc_ledger_free(&ledger);
  prc_stepper_free(&stepper);
  close_setting(&s);
}
END_TEST

/* Each call for memory of the making, the start and the first steps is refused in turn. */
START_TEST(every_failed_allocation_is_survived) {
  const int scheme = _i % SCHEMES, k = _i / SCHEMES;
  setting s;
  int n = 1;
  if (!suits(scheme, k)) return;
  open_setting(&s, scheme, k);
  for (prc_status status = PRC_NOMEM; status != PRC_OK; n++) {
    prc_stepper *stepper = NULL;
    prc_error_clear(&err);
    support_watch(n);
    status = begin(&s, &stepper);
    if (status == PRC_OK) status = steps(stepper, NULL, systems[k].warm / 2 + 1);
    prc_stepper_free(&stepper);
    support_look_away();
    ck_assert_msg(support_allocator.live == 0, "%s, %s, allocation %d: %ld blocks are left", schemes[scheme],
                  systems[k].name, n, support_allocator.live);
    ck_assert_msg(status == PRC_OK || (status == PRC_NOMEM && strstr(err.message, "out of memory")),
                  "%s, %s, allocation %d: status %d: %s", schemes[scheme], systems[k].name, n, (int)status,
                  err.message);
    ck_assert_int_lt(n, 10000);
  }
  ck_assert_int_gt(n, 40);
  close_setting(&s);
}
END_TEST

/* ---- going on -------------------------------------------------------------------------------------------------------------- */

typedef struct {
  double *values; /* one after the other */
  size_t count, room;
  int write;
} memory_of_scheme;

static prc_status visit(void *to, const char *name, size_t n, double *values, prc_error *failure) {
  memory_of_scheme *of = to;
  (void)name, (void)failure;
  ck_assert_uint_le(of->count + n, of->room);
  if (n > 0 && of->write) memcpy(values, of->values + of->count, n * sizeof *values);
  if (n > 0 && !of->write) memcpy(of->values + of->count, values, n * sizeof *values);
  of->count += n;
  return PRC_OK;
}

/* `to` goes on where `from` is; with what the scheme remembers, or without. */
static void hand_over(const setting *s, prc_stepper *from, prc_stepper *to, int with_memory) {
  const prc_step_record *r = prc_stepper_record(from);
  const prc_contact_set *set = r->contacts;
  const size_t n = (size_t)r->n;
  double *state = calloc(3 * n, sizeof *state);
  memory_of_scheme memory = {.room = 40 * (n + (size_t)r->n_joints)};
  memory.values = calloc(memory.room, sizeof *memory.values);
  ck_assert(state && memory.values);
  prc_stepper_state(from, state, state + n, state + 2 * n);
  const prc_step_state at = {.step = r->step,
                             .q = r->q,
                             .v = state,
                             .m = state + n,
                             .f = state + 2 * n,
                             .speed = r->speed,
                             .n_contacts = set->n,
                             .id = set->id,
                             .p = r->p,
                             .state = set->state,
                             .kept = with_memory ? set->kept : NULL,
                             .place = set->place,
                             .axes = set->axes};
  (void)s;
  support_ok(prc_stepper_resume(to, &at, &err), &err);
  if (with_memory) {
    support_ok(prc_stepper_visit(from, visit, &memory, &err), &err);
    memory.count = 0, memory.write = 1;
    support_ok(prc_stepper_visit(to, visit, &memory, &err), &err);
  }
  free(state), free(memory.values);
}

START_TEST(a_run_goes_on_to_the_byte_from_any_step) {
  const int scheme = _i % SCHEMES, k = _i / SCHEMES;
  setting s;
  prc_stepper *whole = NULL, *rest = NULL;
  if (!suits(scheme, k)) return;
  open_setting(&s, scheme, k);
  support_ok(begin(&s, &whole), &err);
  support_ok(begin(&s, &rest), &err); /* what goes on was somewhere else before */
  support_ok(steps(rest, NULL, 7), &err);
  const prc_step_record *a = prc_stepper_record(whole), *b = prc_stepper_record(rest);
  for (int step = 0; step < 90; step++) {
    hand_over(&s, whole, rest, 1);
    support_ok(steps(whole, NULL, 1), &err);
    support_ok(steps(rest, NULL, 1), &err);
    ck_assert_int_eq(a->n_contacts, b->n_contacts);
    ck_assert_mem_eq(a->q, b->q, (size_t)prc_system_coordinates(s.system) * sizeof *a->q);
    ck_assert_mem_eq(a->v, b->v, (size_t)a->n * sizeof *a->v);
    ck_assert_mem_eq(a->f, b->f, (size_t)a->n * sizeof *a->f);
    ck_assert_mem_eq(a->work, b->work, sizeof a->work);
    if (a->n_contacts > 0) ck_assert_mem_eq(a->p, b->p, (size_t)(a->dim * a->n_contacts) * sizeof *a->p);
    if (a->n_joints > 0)
      ck_assert_mem_eq(a->joint_force, b->joint_force, (size_t)a->n_joints * sizeof *a->joint_force);
  }
  prc_stepper_free(&whole), prc_stepper_free(&rest);
  close_setting(&s);
}
END_TEST

/* ---- what cannot be stepped -------------------------------------------------------------------------------------------------- */

/* A system whose loads or joints go wrong from some time on. */
static struct {
  prc_system as_it_was;
  double from, load;
  int refuse; /* joints do */
} wrong;

static prc_status wrong_loads(void *owner, const prc_at *at, double *F, prc_error *failure) {
  const prc_system *s = &wrong.as_it_was;
  for (int i = 0; i < s->space.nv; i++) F[i] = 0.0;
  const prc_status status = s->dynamics.loads ? s->dynamics.loads(owner, at, F, failure) : PRC_OK;
  if (at->t > wrong.from) F[s->space.nv - 1] = wrong.load;
  return status;
}

static prc_status wrong_joints(void *owner, const prc_at *at, double *g, double *G, double *rate,
                               double *bias, prc_error *failure) {
  const prc_joints *joints = &wrong.as_it_was.joints;
  const prc_status status = joints->evaluate(owner, at, g, G, rate, bias, failure);
  if (at->t <= wrong.from) return status;
  if (wrong.refuse) return prc_fail(failure, PRC_INPUT, "the rope has come to its end");
  for (int k = 0; G && k < joints->start[joints->n]; k++) G[k] = NAN;
  return status;
}

static prc_status wrong_secant(void *owner, const prc_at *from, double h, const double *dx, double *G,
                               double *rate, prc_error *failure) {
  const prc_joints *joints = &wrong.as_it_was.joints;
  const prc_status status = joints->secant(owner, from, h, dx, G, rate, failure);
  if (from->t + h <= wrong.from) return status;
  if (wrong.refuse) return prc_fail(failure, PRC_INPUT, "the rope has come to its end");
  for (int k = 0; k < joints->start[joints->n]; k++) G[k] = NAN;
  return status;
}

/* Goes on until it fails; what it has is then that of the last step that was whole. */
static prc_status until_it_fails(setting *s, int n) {
  prc_stepper *stepper = NULL;
  prc_status status;
  support_ok(begin(s, &stepper), &err);
  status = steps(stepper, NULL, n);
  prc_stepper_free(&stepper);
  return status;
}

START_TEST(a_load_that_is_no_number_ends_a_run_by_its_name) {
  const double loads[] = {NAN, INFINITY, -INFINITY, 1e308};
  const int scheme = _i % SCHEMES, k = _i / SCHEMES;
  setting s;
  if (!suits(scheme, k) || strstr(systems[k].name, "tiles")) return; /* whose last dofs are an obstacle's */
  open_setting(&s, scheme, k);
  prc_system system = *s.system;
  wrong.as_it_was = system, wrong.from = 4.5 * systems[k].h;
  system.dynamics.loads = wrong_loads, system.dynamics.mean_loads = NULL;
  system.dynamics.varies |= PRC_LOADS_IN_TIME;
  s.system = &system;
  for (size_t l = 0; l < sizeof loads / sizeof *loads; l++) {
    prc_error_clear(&err);
    wrong.load = loads[l];
    const prc_status status = until_it_fails(&s, 8);
    ck_assert_msg(status == PRC_DIVERGED || status == PRC_INPUT || (status == PRC_SINGULAR && k != 6)
                      || (l == 3 && status == PRC_OK),
                  "%s, %s, load %g: status %d: %s", schemes[scheme], systems[k].name, loads[l], (int)status,
                  err.message);
    if (status != PRC_OK) ck_assert_uint_gt(strlen(err.message), 20);
  }
  close_setting(&s);
}
END_TEST

START_TEST(joints_that_fail_end_a_run_by_what_they_say) {
  const int scheme = _i % SCHEMES, k = _i / SCHEMES;
  setting s;
  if (!suits(scheme, k) || !systems[k].has_joints) return;
  open_setting(&s, scheme, k);
  prc_system system = *s.system;
  wrong.as_it_was = system, wrong.from = 4.5 * systems[k].h;
  system.joints.evaluate = wrong_joints, system.joints.secant = wrong_secant;
  s.system = &system;
  wrong.refuse = 1;
  support_fails(until_it_fails(&s, 8), PRC_INPUT, &err, "the rope has come to its end");
  prc_error_clear(&err);
  wrong.refuse = 0;
  const prc_status status = until_it_fails(&s, 8);
  ck_assert_msg(status != PRC_OK && status != PRC_NOMEM, "%s, %s: status %d: %s", schemes[scheme],
                systems[k].name, (int)status, err.message);
  close_setting(&s);
}
END_TEST

static void forget(void) {
  prc_error_clear(&err);
}

SUITE(schemes) {
  Suite *suite = suite_create("schemes");
  TCase *memory = tcase_create("memory"), *on = tcase_create("going on"), *no = tcase_create("no");
  tcase_add_loop_test(memory, steps_allocate_nothing, 0, TRIES);
  tcase_add_loop_test(memory, every_failed_allocation_is_survived, 0, TRIES);
  tcase_add_loop_test(on, a_run_goes_on_to_the_byte_from_any_step, 0, TRIES);
  tcase_add_loop_test(no, a_load_that_is_no_number_ends_a_run_by_its_name, 0, TRIES);
  tcase_add_loop_test(no, joints_that_fail_end_a_run_by_what_they_say, 0, TRIES);
  TCase *const cases[] = {memory, on, no};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tcase_set_timeout(cases[k], 120.0);
    tcase_add_checked_fixture(cases[k], forget, NULL);
    suite_add_tcase(suite, cases[k]);
  }
  return suite;
}
