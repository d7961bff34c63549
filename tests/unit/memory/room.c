#include "config.h"
#include "support/allocator.h"
#include "support/support.h"
#include "case/case.h"
#include "ledger/ledger.h"
#include "step/step.h"

#include <stdio.h>

/* A step of no scheme allocates anything: shipped cases, from their first step on where contacts are there at all times, else in a second run of the
 * same stepper, whose room suffices; so it is with beams, whose first step finds where the entries of their matrix stand in its factor. Springs are left out: they change A, which CHOLMOD factorises anew. */

static prc_error err;

#define RATE_AND_STATE                                                                                       \
  "{law: rate-and-state, a: 0.01, b: 0.015, reference_friction: 0.6, reference_speed: 1e-6, length: 1e-4}"
#define WEAKENING "{law: slip-weakening, static: 0.6, kinetic: 0.2, distance: 1e-3}"

static const struct {
  const char *name;
  int steps, n_set;
  const char *set[4];
} cases[] = {
    {"bouncing-ball", 1200, 1, {"time.scheme=theta"}},
    {"bouncing-ball", 1200, 1, {"time.scheme=midpoint"}},
    {"bouncing-ball", 1200, 2, {"time.scheme=position", "contacts.floor.restitution=0"}},
    {"bouncing-ball", 1200, 1, {"time.scheme=generalized-alpha"}},
    {"bouncing-ball", 1200, 1, {"time.scheme=ggl"}},
    {"bouncing-ball", 1200, 1, {"time.scheme=modified-lcp"}},
    {"bouncing-ball", 1200, 2, {"time.scheme=smooth-alpha", "contacts.floor.restitution=0"}},
    {"ball-in-corner", 6500, 1, {"time.scheme=theta"}},
    {"ball-in-corner", 6500, 1, {"time.scheme=midpoint"}},
    {"ball-in-corner", 6500, 1, {"time.scheme=generalized-alpha"}},
    {"painleve-rod", 1100, 1, {"time.scheme=generalized-alpha"}},
    {"rocking-block-bruls", 400, 1, {"time.scheme=ggl"}},
    {"four-bar", 300, 1, {"time.scheme=theta"}},
    {"four-bar", 300, 2, {"time.scheme=theta", "time.joints=velocity"}},
    {"four-bar", 300, 1, {"time.scheme=generalized-alpha"}},
    {"four-bar", 300, 1, {"time.scheme=ggl"}},
    {"four-bar", 300, 1, {"time.scheme=modified-lcp"}},
    {"four-bar", 300, 1, {"time.scheme=smooth-alpha"}},
    {"cart", 300, 1, {"time.scheme=theta"}},
    {"cart", 300, 1, {"time.scheme=generalized-alpha"}},
    {"chaplygin-sleigh", 300, 1, {"time.scheme=theta"}},
    {"chaplygin-sleigh", 300, 1, {"time.scheme=generalized-alpha"}},
    {"elastic-bar", 300, 1, {"time.scheme=ggl"}},
    {"elastic-bar", 300, 1, {"time.scheme=generalized-alpha"}},
    {"elastic-bar", 300, 1, {"time.scheme=theta"}},
    {"sliding-block", 60, 2, {"time.scheme=generalized-alpha", "mesh.size=4"}},
    {"newton-cradle", 300, 1, {"time.scheme=theta"}},
    {"newton-cradle", 300, 1, {"time.scheme=generalized-alpha"}},
    {"impacting-stick", 300, 1, {"time.scheme=generalized-alpha"}},
    {"rolling-sphere", 300, 1, {"time.law=newton"}},
    {"rolling-sphere", 300, 1, {"time.law=fremond"}},
    {"rolling-sphere", 300, 1, {"time.scheme=generalized-alpha"}},
    {"tippe-top", 1600, 1, {"time.scheme=generalized-alpha"}},
    {"tippe-top", 1600, 1, {"contact.slip_direction=mean"}},
    {"spinning-disc", 100, 1, {"time.scheme=generalized-alpha"}},
    {"carried-spheres", 100, 1, {"time.law=newton"}},
    {"heavy-on-light-space", 200, 1, {"time.law=fremond"}},
    {"masonry-small", 120, 1, {"time.law=fremond"}},
    {"masonry-small", 120, 1, {"time.law=newton"}},
    {"swinging-cantilever", 300, 1, {"time.scheme=theta"}},
    {"swinging-cantilever", 300, 1, {"time.scheme=generalized-alpha"}},
    {"guided-hopper", 4000, 1, {"time.scheme=generalized-alpha"}},
    {"impacting-stick", 300, 2, {"time.law=fremond", "contacts.tip.friction=" RATE_AND_STATE}},
    {"impacting-stick", 300, 2, {"time.law=fremond", "contacts.tip.friction=" WEAKENING}},
    {"fault-opening", 300, 2, {"mesh.size=2000", "contacts.fault.friction=" RATE_AND_STATE}},
    {"fault-opening", 300, 1, {"mesh.size=2000"}},
    {"fault-opening", 300, 2, {"mesh.size=2000", "contacts.fault.sliding=large"}},
    {"ironing", 40, 3, {"mesh.size=0.3", "time.analysis=dynamic", "time.step=0.05"}},
    {"ironing", 40, 4, {"mesh.size=0.3", "time.analysis=dynamic", "time.scheme=midpoint", "time.step=0.05"}},
    {"ironing", 40, 2, {"mesh.size=0.3", "time.step=0.05"}},
    {"two-cylinders", 20, 2, {"mesh.size=0.2", "contacts.touch.sliding=small"}},
};

/* As percuss run reads a case, without what it says of the contact solver. */
static prc_step_options options_of(const prc_case *c) {
  prc_step_options o = prc_step_options_default(c->time.step);
  o.scheme = c->time.quasi_static ? "static" : c->time.scheme, o.theta = c->time.theta, o.law = c->time.law,
  o.rho = c->time.rho;
  o.tolerance = c->time.tolerance, o.joints = c->time.joints, o.activation = c->contact.activation;
  return o;
}

static prc_status initial(const prc_case *c, const prc_model *model, double *q, double *v) {
  prc_scene_initial(model->scene, q, v);
  return model->fem && c->initial.kind == PRC_INITIAL_EQUILIBRIUM
             ? prc_fem_equilibrium(model->fem, c->initial.with_loads, q, NULL, &err)
             : PRC_OK;
}

static prc_status steps(prc_stepper *stepper, prc_ledger *ledger, int n) {
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) {
    status = prc_stepper_step(stepper, &err);
    if (status == PRC_OK) prc_ledger_enter(ledger, prc_stepper_record(stepper));
  }
  return status;
}

START_TEST(a_step_allocates_nothing) {
  char path[128];
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_stepper *stepper = NULL;
  prc_ledger *ledger = NULL;
  double *q = NULL, *v = NULL;
  const prc_ledger_options lo = {.tolerance = 1e-10, .max_penetration = -1.0};
  snprintf(path, sizeof path, "cases/%s.yaml", cases[_i].name);
  support_ok(prc_case_read(support_source(path), cases[_i].n_set, cases[_i].set, &c, &err), &err);
  support_ok(prc_case_build(c, NULL, &model, &err), &err);
  const prc_step_options o = options_of(c);
  support_ok(prc_stepper_create(model->system, &o, &stepper, &err), &err);
  support_ok(prc_ledger_create(&lo, &ledger, &err), &err);
  support_ok(prc_new(&q, prc_system_coordinates(model->system), &err), &err);
  support_ok(prc_new(&v, model->system->space.nv, &err), &err);
  support_ok(initial(c, model, q, v), &err);
  const int again = c->n_beams > 0 || model->system->contacts.varies & PRC_CONTACTS_SET;
  for (int run = again ? 0 : 1; run < 2; run++) {
    support_ok(prc_stepper_start(stepper, q, v, &err), &err);
    prc_ledger_start(ledger, prc_stepper_record(stepper));
    support_watch(0);
    const prc_status status = steps(stepper, ledger, cases[_i].steps);
    support_look_away();
    support_ok(status, &err);
    ck_assert_msg(run == 0 || support_allocator.calls == 0, "%s, %s: %d calls in %d steps", cases[_i].name,
                  cases[_i].set[0], support_allocator.calls, cases[_i].steps);
  }
  prc_delete(&q);
  prc_delete(&v);
  prc_ledger_free(&ledger);
  prc_stepper_free(&stepper);
  prc_model_free(&model);
  prc_case_free(&c);
}
END_TEST

SUITE(room) {
  Suite *suite = suite_create("room");
  TCase *tc = tcase_create("steps");
  tcase_add_loop_test(tc, a_step_allocates_nothing, 0, (int)(sizeof cases / sizeof *cases));
  suite_add_tcase(suite, tc);
  return suite;
}
