#include "config.h"
#include "support/duet.h"
#include "support/support.h"

#include <string.h>

static prc_error err;

void duet_case(duet *d, int n, const patch *list) {
  prc_error_clear(&err);
  *d = (duet){.mesh = patches_mesh(n, list), .step = prc_step_options_default(1e-3)};
  d->model = (prc_fem_model){.mesh = d->mesh,
                             .plane = PRC_PLANE_STRAIN,
                             .thickness = 1.0,
                             .n_materials = n,
                             .material = d->material,
                             .support = d->support,
                             .load = d->load,
                             .interface = d->interface};
  for (int k = 0; k < n; k++)
    d->material[k] = (prc_fem_material){
        .group = prc_mesh_find(d->mesh, 2, list[k].name), .young = 1000.0, .poisson = 0.3, .density = 1.0};
}

const prc_mesh_group *duet_curve(const duet *d, const char *name) {
  const prc_mesh_group *g = prc_mesh_find(d->mesh, 1, name);
  ck_assert_msg(g != NULL, "no curve %s", name);
  return g;
}

void duet_hold(duet *d, const char *curve, int bits, double x, double y) {
  prc_fem_support *s = &d->support[d->model.n_supports++];
  *s = (prc_fem_support){.name = curve, .group = duet_curve(d, curve), .held = {bits & 1, (bits & 2) != 0}};
  s->displacement[0] = prc_field_constant(x), s->displacement[1] = prc_field_constant(y);
}

void duet_press(duet *d, const char *curve, double pressure) {
  d->load[d->model.n_loads++] =
      (prc_fem_load){.name = curve, .group = duet_curve(d, curve), .pressure = prc_field_constant(pressure)};
}

prc_fem_interface *duet_meet(duet *d, const char *touched, const char *touching, double mu) {
  prc_fem_interface *f = &d->interface[d->model.n_interfaces++];
  *f = (prc_fem_interface){.name = touching,
                           .group = {duet_curve(d, touched), duet_curve(d, touching)},
                           .friction = {.law = &prc_friction_coulomb},
                           .small = 1};
  f->friction.parameter[0] = prc_field_constant(mu);
  return f;
}

void duet_prepare(duet *d) {
  prc_error_clear(&err);
  support_ok(prc_fem_create(&d->model, &d->fem, &err), &err);
  d->system = prc_fem_system(d->fem);
  support_ok(prc_new(&d->q0, d->system->space.nv, &err), &err);
  support_ok(prc_new(&d->v0, d->system->space.nv, &err), &err);
}

void duet_begin(duet *d) {
  support_ok(prc_stepper_create(d->system, &d->step, &d->stepper, &err), &err);
  const prc_ledger_options options = {.promises = prc_stepper_promises(d->stepper),
                                      .tolerance = d->step.cone.tolerance,
                                      .max_penetration = -1.0};
  support_ok(prc_stepper_start(d->stepper, d->q0, d->v0, &err), &err);
  support_ok(prc_ledger_create(&options, &d->ledger, &err), &err);
  d->record = prc_stepper_record(d->stepper);
  prc_ledger_start(d->ledger, d->record);
  d->row = prc_ledger_now(d->ledger);
}

void duet_start(duet *d) {
  duet_prepare(d);
  duet_begin(d);
}

void duet_step(duet *d, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(d->stepper, &err), &err);
    prc_ledger_enter(d->ledger, d->record);
  }
}

void duet_solve(duet *d) {
  d->step.scheme = "static", d->step.theta = 1.0, d->step.h = 1.0;
  duet_start(d);
  duet_step(d, 1);
}

void duet_free(duet *d) {
  prc_ledger_free(&d->ledger);
  prc_stepper_free(&d->stepper);
  prc_fem_free(&d->fem);
  prc_delete(&d->q0);
  prc_delete(&d->v0);
  prc_mesh_free(&d->mesh);
}

static int candidate(const duet *d, int c) {
  const prc_contact_set *set = d->record->contacts;
  return prc_fem_contact_candidate(d->fem, (int)set->id[c].a, (int)set->id[c].feature_b);
}

void duet_traction(const duet *d, int c, double out[2]) {
  const double area = prc_fem_contact_areas(d->fem)[candidate(d, c)];
  for (int k = 0; k < 2; k++) out[k] = d->record->p[2 * c + k] / (d->record->h * area);
}

const double *duet_place(const duet *d, int c) {
  return d->mesh->x + 2 * d->record->contacts->id[c].feature_b;
}
