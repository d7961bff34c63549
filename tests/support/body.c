#include "config.h"
#include "support/block.h"
#include "support/body.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static prc_error err;

static const char *const sides[N_SIDES] = {"bottom", "right", "top", "left"};

body body_on(prc_mesh *mesh) {
  body r = {.mesh = mesh};
  const prc_field zero = prc_field_constant(0.0);
  r.material[0] = (prc_fem_material){
      .group = prc_mesh_find(mesh, 2, "block"), .young = E0, .poisson = nu0, .density = rho0};
  r.model = (prc_fem_model){.mesh = mesh, .thickness = t0, .gravity = {zero, zero}, .n_materials = 1};
  return r;
}

body body_block(double size) {
  return body_on(block_mesh("meshes/block.geo", size));
}

static void point_model(body *r) {
  r->model.material = r->material, r->model.load = r->load, r->model.support = r->support,
  r->model.contact = r->contact;
}

void body_build(body *r) {
  point_model(r);
  prc_error_clear(&err);
  support_ok(prc_fem_create(&r->model, &r->fem, &err), &err);
  r->system = prc_fem_system(r->fem);
}

const char *body_refuse(body *r, const char *text) {
  point_model(r);
  prc_error_clear(&err);
  support_fails(prc_fem_create(&r->model, &r->fem, &err), PRC_INPUT, &err, text);
  ck_assert_ptr_null(r->fem);
  return err.message;
}

void body_drop(body *r) {
  prc_fem_free(&r->fem);
  ck_assert_ptr_null(r->fem);
  prc_mesh_free(&r->mesh);
}

void body_pull(body *r, int side, prc_field x, prc_field y) {
  r->load[r->model.n_loads++] = (prc_fem_load){
      .name = sides[side], .group = prc_mesh_find(r->mesh, 1, sides[side]), .traction = {x, y}};
}

void body_hold(body *r, int side, int in_x, int in_y, prc_field x, prc_field y) {
  r->support[r->model.n_supports++] = (prc_fem_support){.name = sides[side],
                                                        .group = prc_mesh_find(r->mesh, 1, sides[side]),
                                                        .held = {in_x, in_y},
                                                        .displacement = {x, y}};
}

void body_touch(body *r, int side, prc_field friction, prc_field restitution) {
  const double floor[2] = {0.0, -0.5}, up[2] = {0.0, 1.0}, wall[2] = {-1.5, 0.0}, in[2] = {1.0, 0.0};
  prc_fem_contact *c = &r->contact[r->model.n_contacts++];
  *c = (prc_fem_contact){.name = sides[side],
                         .group = prc_mesh_find(r->mesh, 1, sides[side]),
                         .friction = friction,
                         .restitution = restitution};
  support_ok(prc_contact_plane_make(side == LEFT ? wall : floor, side == LEFT ? in : up, &c->plane, &err),
             &err);
}

static prc_status evaluate(const prc_field *field, double x, double y, double t, double *value,
                           prc_error *error) {
  const formula *g = field->data;
  *value = g->f(x, y, t);
  return isfinite(*value) ? PRC_OK : prc_fail(error, PRC_INPUT, "no finite value at t = %g", t);
}

prc_field body_field(formula *g, int uses_place, int uses_time) {
  return (prc_field){.eval = evaluate, .data = g, .uses_place = uses_place, .uses_time = uses_time};
}

double *body_vector(const body *r) {
  double *v = NULL;
  support_ok(prc_new(&v, r->system->space.nv, &err), &err);
  return v;
}

void body_set(const body *r, int k, double (*f)(double x, double y, double t), double *v) {
  for (int a = 0; a < r->mesh->n_nodes; a++) v[2 * a + k] = f(r->mesh->x[2 * a], r->mesh->x[2 * a + 1], 0.0);
}

double body_moment(const body *r, int k, double (*f)(double x, double y, double t), const double *v) {
  double sum = 0.0;
  for (int a = 0; a < r->mesh->n_nodes; a++)
    sum += f(r->mesh->x[2 * a], r->mesh->x[2 * a + 1], 0.0) * v[2 * a + k];
  return sum;
}

double *body_forces(const body *r, double t) {
  double *F = body_vector(r);
  for (int i = 0; i < r->system->space.nv; i++) F[i] = 1e9; /* overwritten */
  support_ok(r->system->dynamics.loads(r->system->owner, &(prc_at){.t = t}, F, &err), &err);
  return F;
}
