#include "config.h"
#include "support/crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

prc_error crowd_err;

static const double pi = 3.14159265358979323846;

static int add(crowd *c, const prc_rigid_body *body) {
  const int b = c->model.n_bodies++;
  c->body = realloc(c->body, (size_t)c->model.n_bodies * sizeof *c->body);
  c->part = realloc(c->part, (size_t)c->model.n_bodies * sizeof *c->part);
  ck_assert(c->body && c->part);
  c->body[b] = *body;
  c->body[b].name = "body", c->body[b].n_parts = 1;
  return b;
}

int crowd_disc(crowd *c, double x, double y, double radius) {
  const double zero[2] = {0.0, 0.0}, mass = pi * radius * radius;
  const int b = add(
      c, &(prc_rigid_body){
             .mass = mass, .inertia = 0.5 * mass * radius * radius, .position = {x, y}, .radius = radius});
  support_ok(prc_shape_make_hull(1, zero, radius, &c->part[b], &crowd_err), &crowd_err);
  return b;
}

int crowd_polygon(crowd *c, double x, double y, double angle, int n, const double *corner) {
  prc_rigid_polygon_facts facts;
  support_ok(prc_rigid_polygon(n, corner, &facts, &crowd_err), &crowd_err);
  ck_assert(hypot(facts.centre[0], facts.centre[1]) < 1e-12 && facts.area > 0.0);
  const int b = add(
      c, &(prc_rigid_body){.mass = facts.area, .inertia = facts.moment, .position = {x, y}, .angle = angle});
  support_ok(prc_shape_make_hull(n, corner, 0.0, &c->part[b], &crowd_err), &crowd_err);
  return b;
}

int crowd_box(crowd *c, double x, double y, double width, double height) {
  const double a = 0.5 * width, b = 0.5 * height, corner[8] = {-a, -b, a, -b, a, b, -a, b};
  return crowd_polygon(c, x, y, 0.0, 4, corner);
}

int crowd_half_plane(crowd *c, const double point[2], const double normal[2]) {
  const int b = add(c, &(prc_rigid_body){.driven = 1});
  support_ok(prc_shape_make_half_plane(point, normal, &c->part[b], &crowd_err), &crowd_err);
  return b;
}

int crowd_hole(crowd *c, const double centre[2], double radius) {
  const int b = add(c, &(prc_rigid_body){.driven = 1});
  support_ok(prc_shape_make_hole(centre, radius, &c->part[b], &crowd_err), &crowd_err);
  return b;
}

void crowd_fix(crowd *c, int body) {
  c->body[body].driven = 1;
}

void crowd_meet(crowd *c, double friction, double restitution) {
  const int n = c->model.n_bodies, k = c->model.n_pairs++;
  c->pairs = realloc(c->pairs, (size_t)c->model.n_pairs * sizeof *c->pairs);
  if (!c->everybody) c->everybody = malloc((size_t)n * sizeof *c->everybody);
  ck_assert(c->pairs && c->everybody);
  for (int b = 0; b < n; b++) c->everybody[b] = b;
  c->pairs[k] = (prc_rigid_pairs){.name = "all",
                                  .n = {n, n},
                                  .body = {c->everybody, c->everybody},
                                  .friction = friction,
                                  .restitution = restitution};
}

void crowd_gravity(crowd *c, double x, double y) {
  c->model.gravity[0] = prc_field_constant(x), c->model.gravity[1] = prc_field_constant(y);
}

void crowd_open(crowd *c, const prc_step_options *options) {
  for (int b = 0; b < c->model.n_bodies; b++) c->body[b].part = &c->part[b];
  c->model.body = c->body, c->model.pairs = c->pairs;
  support_ok(prc_rigid_create(&c->model, &c->rigid, &crowd_err), &crowd_err);
  c->system = prc_rigid_system(c->rigid);
  c->q = calloc(3 * (size_t)c->model.n_bodies, sizeof *c->q);
  c->v = calloc(3 * (size_t)c->model.n_bodies, sizeof *c->v);
  ck_assert(c->q && c->v);
  prc_rigid_initial(c->rigid, c->q, c->v);
  support_ok(prc_stepper_create(c->system, options, &c->stepper, &crowd_err), &crowd_err);
  support_ok(prc_stepper_start(c->stepper, c->q, c->v, &crowd_err), &crowd_err);
  c->r = prc_stepper_record(c->stepper);
  const prc_ledger_options judge = {.promises = prc_stepper_promises(c->stepper),
                                    .tolerance = options->cone.tolerance,
                                    .max_penetration = -1.0};
  support_ok(prc_ledger_create(&judge, &c->ledger, &crowd_err), &crowd_err);
  prc_ledger_start(c->ledger, c->r);
}

void crowd_steps(crowd *c, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(c->stepper, &crowd_err), &crowd_err);
    prc_ledger_enter(c->ledger, c->r);
  }
}

void crowd_close(crowd *c) {
  prc_ledger_free(&c->ledger);
  prc_stepper_free(&c->stepper);
  prc_rigid_free(&c->rigid);
  for (int b = 0; b < c->model.n_bodies; b++) prc_shape_free(&c->part[b]);
  free(c->body), free(c->pairs), free(c->part), free(c->everybody), free(c->q), free(c->v);
  memset(c, 0, sizeof *c);
}

double crowd_kinetic(const crowd *c) {
  double sum = 0.0;
  for (int b = 0; b < c->model.n_bodies; b++) {
    const prc_rigid_body *body = &c->body[b];
    const double *v = c->r->v + 3 * b;
    if (!body->driven) sum += 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]);
  }
  return sum;
}

void crowd_momentum(const crowd *c, double momentum[3]) {
  momentum[0] = momentum[1] = momentum[2] = 0.0;
  for (int b = 0; b < c->model.n_bodies; b++) {
    const prc_rigid_body *body = &c->body[b];
    const double *v = c->r->v + 3 * b, *q = c->r->q + 3 * b;
    if (body->driven) continue;
    momentum[0] += body->mass * v[0], momentum[1] += body->mass * v[1];
    momentum[2] += body->inertia * v[2] + body->mass * (q[0] * v[1] - q[1] * v[0]);
  }
}

prc_step_options crowd_options(double h, double theta, prc_impact law) {
  prc_step_options options = prc_step_options_default(h);
  options.theta = theta, options.law = law;
  return options;
}
