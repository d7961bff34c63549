#include "config.h"
#include "case/build.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The rigid bodies of a case, its obstacles, which are driven bodies, and the scene of them and the mesh. */

/* ---- rigid bodies ----------------------------------------------------------------------------------- */

static void add_bodies(const prc_builder *b) {
  const prc_case *c = b->c;
  for (int i = 0, s = 0; i < c->n_bodies; i++) {
    const prc_case_body *from = &c->body[i];
    while (i >= c->set[s].first + c->set[s].n) s++;
    prc_rigid_body *to = &b->parts->body[i];
    *to = (prc_rigid_body){
        .name = from->name,
        .mass = from->mass,
        .inertia = from->inertia,
        .position = {from->position[0], from->position[1]},
        .angle = from->angle,
        .velocity = {from->velocity[0], from->velocity[1]},
        .spin = from->spin,
        .force = {from->force[0], from->force[1]},
        .moment = from->moment,
        .has_integral = from->integral_given,
        .force_integral = {from->force_integral[0], from->force_integral[1]},
        .n_points = from->n_points,
        .point = from->point,
        .radius = from->radius,
        .driven = from->driven,
        .set = c->set[s].several ? c->set[s].name : NULL,
        .group = s,
    };
    if (from->driven) memcpy(to->motion, from->motion, sizeof to->motion);
  }
}

/* An obstacle turns about the origin of its axes. */
static void add_obstacles(const prc_builder *b) {
  for (int i = 0; i < b->c->n_obstacles; i++) {
    const prc_case_obstacle *from = &b->c->obstacle[i];
    prc_rigid_body *to = &b->parts->body[b->c->n_bodies + i];
    *to = (prc_rigid_body){
        .name = from->name, .noun = "obstacle", .position = {from->about[0], from->about[1]}, .driven = 1};
    if (from->moves) memcpy(to->motion, from->motion, sizeof to->motion);
  }
}

/* The points of the contact, or else the body's corners, or else its disc. prc_case_check_rules has found the
 * body. */
static prc_status add_plane_contacts(const prc_builder *b) {
  prc_status status = PRC_OK;
  int *n = &b->parts->rigid.n_contacts;
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    if (!from->body || !from->on_plane) continue;
    const prc_case_body *body = prc_case_find_body(b->c, from->body);
    b->parts->case_of_plane[*n] = i;
    prc_rigid_contact *to = &b->parts->rigid_contact[(*n)++];
    const int own = from->n_candidates > 0;
    prc_try(prc_contact_plane_make(from->point, from->normal, &to->plane, b->err));
    to->name = from->name;
    to->body = (int)(body - b->c->body);
    to->n_points = own ? from->n_candidates : body->n_points;
    to->point = own ? from->candidate : body->point;
    to->radius = own ? 0.0 : body->radius;
    to->law = &b->parts->own_law[i];
  }
done:
  return status;
}

/* In the order of the case: where several name two bodies, the first holds. */
static void add_pairs(const prc_builder *b) {
  int *n = &b->parts->rigid.n_pairs;
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    if (!from->pairs) continue;
    b->parts->case_of_pairs[*n] = i;
    b->parts->pairs[(*n)++] = (prc_rigid_pairs){.name = from->name,
                                                .n = {from->n_side[0], from->n_side[1]},
                                                .body = {from->side[0], from->side[1]},
                                                .law = &b->parts->own_law[i]};
  }
}

static void set_period(const prc_case *c, prc_rigid_model *rigid) {
  const double *d = c->periodic.direction;
  for (int k = 0; k < 2 && c->periodic.given; k++)
    rigid->period[k] = c->periodic.length * (d[k] / hypot(d[0], d[1]));
}

prc_status prc_build_bodies(const prc_builder *b, prc_model *model) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  const prc_case *c = b->c;
  const size_t n = (size_t)c->n_bodies + (size_t)c->n_obstacles;
  prc_try(prc_new(&parts->body, n, b->err));
  prc_try(prc_new(&parts->rigid_contact, c->n_contacts, b->err));
  prc_try(prc_new(&parts->case_of_plane, c->n_contacts, b->err));
  prc_try(prc_new(&parts->case_of_pairs, c->n_contacts, b->err));
  prc_try(prc_new(&parts->pairs, c->n_contacts, b->err));
  add_bodies(b);
  add_obstacles(b);
  prc_try(prc_build_shapes(b));
  prc_try(add_plane_contacts(b));
  add_pairs(b);
  set_period(c, &parts->rigid);
  parts->rigid.n_bodies = (int)n;
  parts->rigid.body = parts->body, parts->rigid.contact = parts->rigid_contact;
  parts->rigid.pairs = parts->pairs;
  for (int k = 0; k < 2; k++) parts->rigid.gravity[k] = c->model.gravity[k];
  prc_try(prc_build_joints(b));
  prc_try(prc_build_place_joint(b->c, prc_rigid_create(&parts->rigid, &model->rigid, b->err), b->err));
done:
  return status;
}

/* ---- contacts between two --------------------------------------------------------------------------- */

prc_status prc_build_laws(const prc_builder *b) {
  static const double nowhere[2] = {0.0, 0.0};
  const prc_case *c = b->c;
  prc_status status = PRC_OK;
  prc_try(prc_new(&b->parts->own_law, c->n_contacts, b->err));
  prc_try(prc_new(&b->parts->own_formulas, c->n_contacts, b->err));
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *from = &c->contact_group[i];
    if (from->group) continue; /* its nodes have theirs */
    status = prc_law_at(&from->friction, &from->restitution, from->tangential_restitution, nowhere,
                        &b->parts->own_law[i], &b->parts->own_formulas[i], b->err);
    prc_build_add_context(c, &from->friction_place, status, b->err);
    prc_try(status);
  }
done:
  return status;
}

/* In the axes of the rigid body that has it. */
static prc_status make_surface(const prc_builder *b, const prc_case_contact *from, prc_scene_contact *to) {
  const prc_case *c = b->c;
  prc_status status = PRC_OK;
  prc_contact_plane plane;
  const double *point, *normal, *origin, zero[2] = {0.0, 0.0};
  double place[2];
  to->surface_item = from->obstacle >= 0 ? c->n_bodies + from->obstacle : from->surface_body;
  if (from->obstacle >= 0) {
    const prc_case_obstacle *o = &c->obstacle[from->obstacle];
    origin = o->about, point = o->is_plane ? o->point : o->centre, normal = o->is_plane ? o->normal : NULL;
    to->surface.radius = o->radius;
  } else {
    const prc_case_body *body = &c->body[from->surface_body];
    origin = zero, point = body->has_face ? body->face_point : zero;
    normal = body->has_face ? body->face_normal : NULL;
    to->surface.radius = body->radius;
  }
  for (int k = 0; k < 2; k++) place[k] = point[k] - origin[k];
  if (!normal) {
    to->surface = prc_contact_disc(place, to->surface.radius);
    return PRC_OK;
  }
  prc_try(prc_contact_plane_make(place, normal, &plane, b->err));
  to->surface = prc_contact_face(&plane);
done:
  return status;
}

/* Touching points: nodes of a group, points or corners of a body, or its centre with its radius. */
static prc_status make_points(const prc_builder *b, const prc_case_contact *from, int k) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  prc_scene_contact *to = &parts->between[k];
  const prc_mesh_group *group = NULL;
  const prc_case_body *body = NULL;
  if (from->beam >= 0)
    to->n_points = prc_build_count_along(b->c, from);
  else if (from->group) {
    prc_try(prc_build_find_group(b, 1, from->group, &from->between_place, &group));
    to->n_points = group->n_nodes;
  } else {
    body = prc_case_find_body(b->c, from->body);
    to->n_points = from->n_candidates > 0 ? from->n_candidates : body->n_points > 0 ? body->n_points : 1;
    to->radius = from->n_candidates > 0 || body->n_points > 0 ? 0.0 : body->radius;
  }
  const double *r = body && from->n_candidates > 0 ? from->candidate : body ? body->point : NULL;
  prc_try(prc_new(&parts->point[k], to->n_points, b->err));
  for (int i = 0; i < to->n_points; i++) {
    prc_body_point *point = &parts->point[k][i];
    point->feature = group ? group->node[i] : i;
    point->item = body ? (int)(body - b->c->body) : 0;
    for (int d = 0; r && d < 2; d++) point->r[d] = r[2 * i + d];
    if (from->beam >= 0) point->r[0] = prc_build_along(b->c, from, i);
  }
  to->point = parts->point[k];
done:
  return status;
}

static prc_status make_laws(const prc_builder *b, const prc_case_contact *from, int k) {
  prc_status status = PRC_OK;
  prc_scene_contact *to = &b->parts->between[k];
  prc_try(prc_new(&b->parts->law[k], to->n_points, b->err));
  prc_try(prc_new(&b->parts->formulas[k], to->n_points, b->err));
  for (int i = 0; i < to->n_points; i++) {
    const double zero[2] = {0.0, 0.0}, *x = from->group ? b->mesh->x + 2 * to->point[i].feature : zero;
    status = prc_law_at(&from->friction, &from->restitution, from->tangential_restitution, x,
                        &b->parts->law[k][i], &b->parts->formulas[k][i], b->err);
    if (status != PRC_OK) prc_error_context(b->err, "contact '%s'", from->name);
    prc_try(status);
  }
  to->law = b->parts->law[k];
done:
  return status;
}

/* The half-plane that body `first` carries, its line through the front of its disc, against the disc or the point of the next. The direction is one
 * of space at the start, and turns with the body. */
static prc_status add_next(const prc_builder *b, int contact, int first, int next, int of_bodies) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  const prc_case_contact *from = &b->c->contact_group[contact];
  const prc_case_body *body = &b->c->body[first];
  const int k = parts->n_between++;
  const double c = cos(body->angle), s = sin(body->angle), *d = from->ordered;
  const double normal[2] = {c * d[0] + s * d[1], c * d[1] - s * d[0]};
  const double front[2] = {body->radius * normal[0], body->radius * normal[1]};
  prc_contact_plane plane;
  parts->case_of_between[k] = contact;
  prc_try(prc_contact_plane_make(front, normal, &plane, b->err));
  parts->between[k] = (prc_scene_contact){.name = from->name,
                                          .surface_of = of_bodies,
                                          .surface_item = first,
                                          .surface = prc_contact_face(&plane),
                                          .points_of = of_bodies,
                                          .n_points = 1,
                                          .radius = b->c->body[next].radius};
  prc_try(prc_new(&parts->point[k], 1, b->err));
  parts->point[k][0] = (prc_body_point){.item = next};
  parts->between[k].point = parts->point[k];
  prc_try(make_laws(b, from, k));
done:
  return status;
}

/* How many contacts of the scene this one of the case is. */
static int count_between(const prc_case_contact *from) {
  if (from->is_ordered) return from->n_side[0] > 1 ? from->n_side[0] - 1 : 0;
  return from->between[0] && !from->interface && !from->shapes
         && (from->group || from->body || from->beam >= 0);
}

static prc_status add_between(const prc_builder *b, int of_mesh, int of_bodies, int of_beams) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  size_t n = 0;
  for (int i = 0; i < b->c->n_contacts; i++) n += (size_t)count_between(&b->c->contact_group[i]);
  prc_try(prc_new(&parts->between, n, b->err));
  prc_try(prc_new(&parts->point, n, b->err));
  prc_try(prc_new(&parts->law, n, b->err));
  prc_try(prc_new(&parts->formulas, n, b->err));
  prc_try(prc_new(&parts->case_of_between, n, b->err));
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    for (int j = 1; from->is_ordered && j < from->n_side[0]; j++)
      prc_try(add_next(b, i, from->side[0][j - 1], from->side[0][j], of_bodies));
    if (from->is_ordered || count_between(from) == 0) continue;
    const int k = parts->n_between++;
    parts->case_of_between[k] = i;
    parts->between[k] = (prc_scene_contact){.name = from->name,
                                            .surface_of = of_bodies,
                                            .points_of = from->beam >= 0 ? of_beams + from->beam
                                                         : from->group   ? of_mesh
                                                                         : of_bodies};
    prc_try(make_surface(b, from, &parts->between[k]));
    prc_try(make_points(b, from, k));
    prc_try(make_laws(b, from, k));
  }
done:
  return status;
}

static prc_status make_curve_laws(const prc_builder *b, const prc_case_contact *from, int k) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  const prc_mesh_group *group = parts->curve[k].curve;
  prc_try(prc_new(&parts->curve_law[k], group->n_nodes, b->err));
  prc_try(prc_new(&parts->curve_formulas[k], group->n_nodes, b->err));
  for (int i = 0; i < group->n_nodes; i++) {
    status = prc_law_at(&from->friction, &from->restitution, from->tangential_restitution,
                        b->mesh->x + 2 * group->node[i], &parts->curve_law[k][i],
                        &parts->curve_formulas[k][i], b->err);
    if (status != PRC_OK) prc_error_context(b->err, "contact '%s'", from->name);
    prc_try(status);
  }
  parts->curve[k].law = parts->curve_law[k];
done:
  return status;
}

static prc_status add_curves(const prc_builder *b, int of_mesh, int of_bodies) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  prc_try(prc_new(&parts->curve, b->c->n_contacts, b->err));
  prc_try(prc_new(&parts->case_of_curve, b->c->n_contacts, b->err));
  prc_try(prc_new(&parts->curve_law, b->c->n_contacts, b->err));
  prc_try(prc_new(&parts->curve_formulas, b->c->n_contacts, b->err));
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    if (!from->shapes) continue;
    const int k = parts->n_curves++;
    parts->case_of_curve[k] = i;
    parts->curve[k] = (prc_scene_curve){.name = from->name,
                                        .curve_of = of_mesh,
                                        .shapes_of = of_bodies,
                                        .n_items = from->n_side[0],
                                        .item = from->side[0]};
    prc_try(prc_build_find_group(b, 1, from->group, &from->between_place, &parts->curve[k].curve));
    prc_try(make_curve_laws(b, from, k));
  }
done:
  return status;
}

void prc_case_free_bodies(struct prc_model_parts *parts) {
  for (int k = 0; k < parts->n_curves; k++) {
    prc_delete(&parts->curve_law[k]);
    prc_delete(&parts->curve_formulas[k]);
  }
  prc_delete(&parts->curve_law);
  prc_delete(&parts->curve_formulas);
  prc_delete(&parts->curve);
  prc_delete(&parts->case_of_curve);
  for (int k = 0; k < parts->n_between; k++) {
    prc_delete(&parts->point[k]);
    prc_delete(&parts->law[k]);
    prc_delete(&parts->formulas[k]);
  }
  for (int k = 0; k < parts->n_shapes; k++) prc_shape_free(&parts->shape[k]);
  prc_delete(&parts->shape);
  prc_delete(&parts->pairs);
  prc_delete(&parts->case_of_plane);
  prc_delete(&parts->case_of_pairs);
  prc_delete(&parts->case_of_between);
  prc_delete(&parts->between);
  prc_delete(&parts->point);
  prc_delete(&parts->law);
  prc_delete(&parts->formulas);
  prc_delete(&parts->body);
  prc_delete(&parts->joint);
  prc_delete(&parts->spring);
  prc_delete(&parts->rigid_contact);
}

/* ---- the scene -------------------------------------------------------------------------------------- */

/* Beams are the last bodies of the scene. */
static int first_beam(const prc_model *model) {
  return (model->fem != NULL) + (model->spatial != NULL) + (model->rigid != NULL);
}

/* Joints of rigid bodies stand first. */
static prc_status name_joints(const prc_builder *b, prc_model *model) {
  const prc_case *c = b->c;
  const prc_status status = prc_new(&model->joint_of, c->n_joints, b->err);
  int own = 0, linked = c->n_joints - b->parts->n_linked;
  for (int k = 0; status == PRC_OK && k < c->n_joints; k++)
    model->joint_of[k] = c->joint[k].beam[0] >= 0 || c->joint[k].beam[1] >= 0 ? linked++ : own++;
  return status;
}

/* Which of the case's contacts each group of contacts in the system is: those of the mesh, of the bodies with fixed planes, of pairs, and
 * between two are each in the case's order. */
static prc_status name_groups(const prc_builder *b, prc_model *model) {
  const struct prc_model_parts *parts = b->parts;
  const prc_scene *scene = model->scene;
  const int bodies = model->fem ? 1 : 0, planes = parts->rigid.n_contacts;
  const prc_status status = prc_new(&model->contact_of, prc_scene_groups(scene), b->err);
  if (status != PRC_OK) return status;
  for (int k = 0; model->fem && k < parts->n_contacts; k++)
    model->contact_of[prc_scene_group(scene, 0, k)] = parts->case_of_mesh[k];
  for (int k = 0; model->fem && k < parts->n_interfaces; k++)
    model->contact_of[prc_scene_group(scene, 0, parts->n_contacts + k)] = parts->case_of_interface[k];
  for (int k = 0; k < planes; k++)
    model->contact_of[prc_scene_group(scene, bodies, k)] = parts->case_of_plane[k];
  for (int k = 0; k < parts->spatial.n_pairs; k++)
    model->contact_of[prc_scene_group(scene, 0, k)] = parts->case_of_pairs[k];
  for (int k = 0; k < parts->rigid.n_pairs; k++)
    model->contact_of[prc_scene_group(scene, bodies, planes + k)] = parts->case_of_pairs[k];
  for (int i = 0; i < model->n_beams; i++)
    for (int c = 0, k = 0; c < b->c->n_contacts; c++)
      if (b->c->contact_group[c].beam == i && b->c->contact_group[c].on_plane)
        model->contact_of[prc_scene_group(scene, first_beam(model) + i, k++)] = c;
  for (int k = 0; k < parts->n_between; k++)
    model->contact_of[prc_scene_group(scene, -1, k)] = parts->case_of_between[k];
  for (int k = 0; k < parts->n_curves; k++)
    model->contact_of[prc_scene_group(scene, -1, parts->n_between + k)] = parts->case_of_curve[k];
  return PRC_OK;
}

static int touches(const prc_contact_set *set, int c, const char *marked) {
  for (int i = set->H.start[c]; marked && i < set->H.start[c + 1]; i++)
    if (marked[set->H.dof[i]]) return 1;
  return 0;
}

/* Of the contacts at the start and of those that may come, whose restitution is one of the case; of rigid bodies that step by the mean without those between them. */
static prc_status largest_restitution(const prc_builder *b, const prc_model *model, double *e) {
  prc_status status = PRC_OK;
  const prc_system *system = model->system;
  prc_contact_set set = {0};
  double *q = NULL, *v = NULL;
  const int of_means = b->c->time.bulk == PRC_BULK_MIDDLE;
  *e = 0.0;
  prc_try(prc_new(&q, prc_system_coordinates(system), b->err));
  prc_try(prc_new(&v, system->space.nv, b->err));
  prc_scene_initial(model->scene, q, v);
  prc_try(prc_system_find_contacts(system, &(prc_at){0.0, q, v}, 0.0, 0.0, &set, NULL, b->err));
  for (int c = 0; c < set.n; c++)
    if (!of_means || touches(&set, c, system->space.deforms)) *e = fmax(*e, set.law[c]->e);
  for (int k = 0; !of_means && k < system->contacts.n_laws; k++) *e = fmax(*e, system->contacts.law[k]->e);
done:
  prc_contact_set_free(&set);
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

/* The mesh first, then the rigid bodies, then the beams. */
prc_status prc_build_scene(const prc_builder *b, prc_model *model, double *e_max) {
  prc_status status = PRC_OK;
  prc_body *body = NULL;
  int n = 0;
  prc_try(prc_new(&body, 2 + (size_t)model->n_beams, b->err));
  if (model->fem) body[n++] = (prc_body){.kind = &prc_body_kind_mesh, .self = model->fem, .name = "mesh"};
  if (model->spatial)
    body[n++] = (prc_body){.kind = &prc_body_kind_spatial, .self = model->spatial, .name = "bodies"};
  if (model->rigid)
    body[n++] = (prc_body){.kind = &prc_body_kind_rigid, .self = model->rigid, .name = "bodies"};
  for (int i = 0; i < model->n_beams; i++)
    body[n++] = (prc_body){.kind = &prc_body_kind_beam, .self = model->beam[i], .name = b->c->beam[i].name};
  const int of_beams = first_beam(model);
  if (!model->spatial) prc_try(add_between(b, 0, of_beams - 1, of_beams));
  if (!model->spatial) prc_try(add_curves(b, 0, of_beams - 1));
  prc_try(prc_build_linked(b, of_beams - 1, of_beams));
  const prc_scene_model scene = {
      .n_bodies = n,
      .n_contacts = b->parts->n_between,
      .body = body,
      .contact = b->parts->between,
      .n_curves = b->parts->n_curves,
      .curve = b->parts->curve,
      .max_penetration = b->c->contact.max_penetration == 0.0 ? DBL_MIN : b->c->contact.max_penetration,
      .n_joints = b->parts->n_linked,
      .joint = b->parts->linked};
  prc_try(prc_build_place_joint(b->c, prc_scene_create(&scene, &model->scene, b->err), b->err));
  model->system = prc_scene_system(model->scene);
  prc_try(name_groups(b, model));
  prc_try(name_joints(b, model));
  prc_try(largest_restitution(b, model, e_max));
done:
  prc_delete(&body);
  return status;
}
