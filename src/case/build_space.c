#include "config.h"
#include "case/build.h"

#include <math.h>
#include <string.h>

/* Rigid bodies in space, and the obstacles of a case, which are driven bodies. */

static void add_body(const prc_builder *b, int i, int set) {
  const prc_case_set *of = &b->c->set[set];
  const prc_case_body *from = &b->c->body[i];
  prc_spatial_body *to = &b->parts->spatial_body[i];
  *to = (prc_spatial_body){.name = from->name,
                           .mass = from->mass,
                           .moment = {from->space.moment[0], from->space.moment[1], from->space.moment[2]},
                           .force = {from->force[0], from->force[1], from->force[2]},
                           .turns = from->space.turns,
                           .driven = from->driven,
                           .set = of->several ? of->name : NULL,
                           .group = set};
  memcpy(to->inertia, from->space.inertia, sizeof to->inertia);
  memcpy(to->position, from->position, sizeof to->position);
  memcpy(to->orientation, from->space.solid.orientation, sizeof to->orientation);
  memcpy(to->velocity, from->velocity, sizeof to->velocity);
  memcpy(to->spin, from->space.spin, sizeof to->spin);
  memcpy(to->axis, from->space.motion_axis, sizeof to->axis);
  if (!from->driven) return;
  to->motion[0] = from->motion[0], to->motion[1] = from->motion[1];
  to->motion[2] = from->space.motion_z, to->motion[3] = from->motion[2];
}

/* A plane has its axes at its point, as they are fixed. */
static void add_obstacle(const prc_builder *b, int i) {
  const prc_case_obstacle *from = &b->c->obstacle[i];
  prc_spatial_body *to = &b->parts->spatial_body[b->c->n_bodies + i];
  *to = (prc_spatial_body){
      .name = from->name, .noun = "obstacle", .turns = 1, .driven = 1, .axis = {0.0, 0.0, 1.0}};
  memcpy(to->position, from->about, sizeof to->position);
  memcpy(to->orientation, from->space.solid.orientation, sizeof to->orientation);
  if (!from->moves) return;
  memcpy(to->axis, from->space.motion_axis, sizeof to->axis);
  to->motion[0] = from->motion[0], to->motion[1] = from->motion[1];
  to->motion[2] = from->space.motion_z, to->motion[3] = from->motion[2];
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static prc_status make_half_space(const prc_case_obstacle *from, prc_case_solids *out, prc_error *err) {
  const double *n = from->normal, length = hypot(hypot(n[0], n[1]), n[2]), zero[3] = {0.0, 0.0, 0.0};
  const double unit[3] = {n[0] / length, n[1] / length, n[2] / length};
  prc_status status = prc_new(&out->part, 1, err);
  if (status == PRC_OK) status = prc_solid_make_half_space(zero, unit, &out->part[0], err);
  if (status == PRC_OK) out->n = 1;
  return status;
}

/* In the axes of the centre of mass. */
static prc_status make_shapes(const prc_builder *b, int i, int set) {
  const prc_case *c = b->c;
  const prc_case_obstacle *obstacle = i < c->n_bodies ? NULL : &c->obstacle[i - c->n_bodies];
  static const double as_it_is[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  prc_case_solids *solids = &b->parts->solids[i];
  prc_status status = PRC_OK;
  if (obstacle && obstacle->is_plane) {
    prc_try(make_half_space(obstacle, solids, b->err));
  } else {
    const prc_case_owner o = obstacle ? prc_case_owner_of_obstacle(c, obstacle)
                                      : prc_case_owner_of_body(c, c->set[set].name, &c->body[i]);
    prc_try(prc_case_make_solids(&o, obstacle ? &obstacle->space.solid : &c->body[i].space.solid, solids,
                                 b->err));
  }
  for (int k = 0; !obstacle && k < solids->n; k++)
    prc_solid_move(&solids->part[k], c->body[i].space.origin, as_it_is);
  b->parts->spatial_body[i].n_parts = solids->n, b->parts->spatial_body[i].part = solids->part;
done:
  return status;
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

/* In the order of the case: where several name two bodies, the first holds. */
static void add_pairs(const prc_builder *b) {
  int *n = &b->parts->spatial.n_pairs;
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    b->parts->case_of_pairs[*n] = i;
    b->parts->spatial_pairs[(*n)++] = (prc_spatial_pairs){.name = from->name,
                                                          .n = {from->n_side[0], from->n_side[1]},
                                                          .body = {from->side[0], from->side[1]},
                                                          .law = &b->parts->own_law[i],
                                                          .drilling = from->drilling};
  }
}

/* ---- joints and springs -------------------------------------------------------------------------------- */

/* Where point r of a body or an obstacle, in its own axes, is at the start; NULL: their origin. Of the ground it is where it says. */
static void place_of(const prc_builder *b, int index, const double *r, double x[3]) {
  static const double zero[3] = {0.0, 0.0, 0.0};
  const double *own = r ? r : zero;
  if (index < 0) {
    memcpy(x, own, 3 * sizeof *x);
    return;
  }
  const prc_spatial_body *body = &b->parts->spatial_body[index];
  const prc_solid_pose pose = prc_solid_pose_at(body->position, body->orientation);
  for (int k = 0; k < 3; k++)
    x[k] = pose.x[k] + (pose.R[3 * k] * own[0] + pose.R[3 * k + 1] * own[1] + pose.R[3 * k + 2] * own[2]);
}

static void place_ends(const prc_builder *b, const int index[2], int n, const double *point,
                       double at[2][3]) {
  for (int k = 0; k < 2; k++) place_of(b, index[k], n > 0 ? point + 3 * k : NULL, at[k]);
}

static void add_joint(const prc_builder *b, const prc_case_joint *from, prc_spatial_joint *to) {
  *to = (prc_spatial_joint){.name = from->name,
                            .type = (prc_spatial_joint_type)from->type,
                            .body = {from->index[0], from->index[1]},
                            .axis = {from->axis[0], from->axis[1], from->axis[2]},
                            .length = from->length > 0.0 ? from->length : NAN,
                            .has_value = from->value_given,
                            .value = from->value};
  if (from->at_given)
    for (int k = 0; k < 2; k++) memcpy(to->at[k], from->at, sizeof to->at[k]);
  else
    place_ends(b, from->index, from->n_points, from->point, to->at);
}

static prc_status add_links(const prc_builder *b) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  struct prc_model_parts *parts = b->parts;
  prc_try(prc_new(&parts->spatial_joint, c->n_joints, b->err));
  prc_try(prc_new(&parts->spatial_spring, c->n_springs, b->err));
  for (int i = 0; i < c->n_joints; i++) add_joint(b, &c->joint[i], &parts->spatial_joint[i]);
  for (int i = 0; i < c->n_springs; i++) {
    const prc_case_spring *from = &c->spring[i];
    prc_spatial_spring *to = &parts->spatial_spring[i];
    *to = (prc_spatial_spring){.name = from->name,
                               .body = {from->index[0], from->index[1]},
                               .stiffness = from->stiffness,
                               .damping = from->damping,
                               .rest_length = from->rest_length};
    place_ends(b, from->index, from->n_points, from->point, to->at);
  }
  parts->spatial.n_joints = c->n_joints, parts->spatial.joint = parts->spatial_joint;
  parts->spatial.n_springs = c->n_springs, parts->spatial.spring = parts->spatial_spring;
done:
  return status;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

prc_status prc_build_space(const prc_builder *b, prc_model *model) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  const prc_case *c = b->c;
  const int n = c->n_bodies + c->n_obstacles;
  prc_try(prc_new(&parts->spatial_body, n, b->err));
  prc_try(prc_new(&parts->solids, n, b->err));
  parts->n_solids = n;
  prc_try(prc_new(&parts->spatial_pairs, c->n_contacts, b->err));
  prc_try(prc_new(&parts->case_of_pairs, c->n_contacts, b->err));
  for (int s = 0; s < c->n_sets; s++)
    for (int i = c->set[s].first; i < c->set[s].first + c->set[s].n; i++) {
      add_body(b, i, s);
      prc_try(make_shapes(b, i, s));
    }
  for (int i = 0; i < c->n_obstacles; i++) {
    add_obstacle(b, i);
    prc_try(make_shapes(b, c->n_bodies + i, 0));
  }
  add_pairs(b);
  parts->spatial.n_bodies = n;
  parts->spatial.body = parts->spatial_body, parts->spatial.pairs = parts->spatial_pairs;
  for (int k = 0; k < 3; k++) parts->spatial.gravity[k] = c->model.gravity[k];
  prc_try(add_links(b));
  prc_try(prc_build_place_joint(c, prc_spatial_create(&parts->spatial, &model->spatial, b->err), b->err));
done:
  return status;
}

void prc_build_free_space(struct prc_model_parts *parts) {
  for (int i = 0; i < parts->n_solids; i++) prc_case_free_solids(&parts->solids[i]);
  prc_delete(&parts->solids);
  prc_delete(&parts->spatial_body);
  prc_delete(&parts->spatial_pairs);
  prc_delete(&parts->spatial_joint);
  prc_delete(&parts->spatial_spring);
}
