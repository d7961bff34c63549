#include "config.h"
#include "rigid_common.h"

#include <math.h>
#include <string.h>

prc_error rigid_err;

void rigid_case_one(rigid_case *c, double inertia, double g) {
  memset(c, 0, sizeof *c);
  c->body[0] = (prc_rigid_body){.name = "body", .mass = 1.0, .inertia = inertia};
  c->model = (prc_rigid_model){.n_bodies = 1, .body = c->body, .contact = c->contact};
  c->model.gravity[1] = prc_field_constant(-g);
}

prc_rigid_contact *rigid_case_contact(rigid_case *c, int b, const double plane[4], int n, const double *point,
                                      double radius) {
  prc_rigid_contact *contact = &c->contact[c->model.n_contacts++];
  *contact = (prc_rigid_contact){.name = "contact", .body = b, .n_points = n, .point = point};
  contact->radius = radius;
  support_ok(prc_contact_plane_make(plane, plane + 2, &contact->plane, &rigid_err), &rigid_err);
  return contact;
}

static const double ground[4] = {0.0, 0.0, 0.0, 1.0};

void rigid_case_stick(rigid_case *c) {
  static const double tip[2] = {0.0, -0.5};
  const double pi = 3.14159265358979323846;
  rigid_case_one(c, 1.0 / 12.0, 10.0);
  prc_rigid_body *b = &c->body[0];
  b->angle = 0.25 * pi;
  b->position[0] = 0.5 * sin(b->angle), b->position[1] = 0.5 * cos(b->angle) + 0.01;
  b->velocity[0] = -0.5, b->velocity[1] = 0.1, b->spin = 0.1;
  prc_rigid_contact *contact = rigid_case_contact(c, 0, ground, 1, tip, 0.0);
  contact->restitution = 1.0, contact->friction = 0.01;
}

void rigid_case_block(rigid_case *c, double inertia) {
  static const double corners[4] = {-0.5, -0.5, 0.5, -0.5};
  rigid_case_one(c, inertia, 10.0);
  c->body[0].position[1] = 0.6;
  c->body[0].velocity[1] = -0.2, c->body[0].spin = 1.0;
  prc_rigid_contact *contact = rigid_case_contact(c, 0, ground, 2, corners, 0.0);
  contact->restitution = 1.0, contact->friction = 0.1;
}

prc_step_options rigid_options(prc_impact law, double h, double theta) {
  prc_step_options options = prc_step_options_default(h);
  options.law = law;
  options.theta = theta;
  return options;
}

static void look(rigid_run *run) {
  run->record = prc_stepper_record(run->stepper);
  memcpy(run->q, run->record->q, (size_t)run->system->space.nv * sizeof *run->q);
  prc_stepper_state(run->stepper, run->v, NULL, NULL);
}

void rigid_run_open(rigid_run *run, rigid_case *c, const prc_step_options *options) {
  memset(run, 0, sizeof *run);
  run->setting = c;
  support_ok(prc_rigid_create(&c->model, &run->rigid, &rigid_err), &rigid_err);
  run->system = prc_rigid_system(run->rigid);
  prc_rigid_initial(run->rigid, run->q, run->v);
  support_ok(prc_stepper_create(run->system, options, &run->stepper, &rigid_err), &rigid_err);
  support_ok(prc_stepper_start(run->stepper, run->q, run->v, &rigid_err), &rigid_err);
  look(run);
}

void rigid_run_step(rigid_run *run) {
  support_ok(prc_stepper_step(run->stepper, &rigid_err), &rigid_err);
  look(run);
}

void rigid_run_steps(rigid_run *run, int n) {
  for (int k = 0; k < n; k++) rigid_run_step(run);
}

void rigid_run_close(rigid_run *run) {
  prc_stepper_free(&run->stepper);
  prc_rigid_free(&run->rigid);
}

double rigid_run_kinetic(const rigid_run *run) {
  double sum = 0.0;
  for (int b = 0; b < run->setting->model.n_bodies; b++) {
    const prc_rigid_body *body = &run->setting->body[b];
    const double *v = run->v + 3 * b;
    sum += 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]);
  }
  return sum;
}

double rigid_run_energy(const rigid_run *run) {
  const prc_rigid_model *model = &run->setting->model;
  double sum = rigid_run_kinetic(run);
  for (int b = 0; b < model->n_bodies; b++)
    for (int k = 0; k < 2; k++) sum -= model->body[b].mass * model->gravity[k].constant * run->q[3 * b + k];
  return sum;
}
