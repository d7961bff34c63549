#include "config.h"
#include "case/build.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- groups -------------------------------------------------------------------------------------------- */

static const char *const dimension[] = {"", "curve", "surface"};

static prc_status refuse_group(const prc_builder *b, int dim, const char *name, const prc_case_place *place) {
  const prc_mesh *mesh = b->mesh;
  const char *near = NULL;
  char names[512], hint[256] = "";
  prc_mesh_names(mesh, dim, names, sizeof names);
  for (int i = 0; i < mesh->n_groups; i++)
    if (mesh->group[i].dim == dim) near = prc_nearest_name(name, near, mesh->group[i].name);
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  if (prc_mesh_find(mesh, 3 - dim, name))
    snprintf(hint, sizeof hint, "; '%s' is a physical %s", name, dimension[3 - dim]);
  if (!names[0])
    return prc_case_fail(b->c, place, b->err,
                         "the mesh has no physical %s '%s', nor any other; expected groups of this kind%s",
                         dimension[dim], name, hint);
  return prc_case_fail(b->c, place, b->err, "the mesh has no physical %s '%s', expected one of %s%s",
                       dimension[dim], name, names, hint);
}

prc_status prc_build_find_group(const prc_builder *b, int dim, const char *name, const prc_case_place *place,
                                const prc_mesh_group **out) {
  *out = prc_mesh_find(b->mesh, dim, name);
  if (!*out) return refuse_group(b, dim, name, place);
  double n_cells = (*out)->n_cells; /* on the rank that has most of it */
  if (b->mesh->part) prc_share_largest(&b->mesh->part->share, 1, &n_cells);
  if (n_cells > 0.0) return PRC_OK;
  return prc_case_fail(b->c, place, b->err, "the physical %s '%s' has no elements, expected some",
                       dimension[dim], name);
}

/* ---- the parts of the model ---------------------------------------------------------------------------- */

static prc_status add_materials(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_materials; i++) {
    const prc_case_material *from = &b->c->material[i];
    prc_fem_material *to = &b->parts->material[i];
    *to = from->values;
    prc_try(prc_build_find_group(b, 2, from->group, &from->place, &to->group));
    b->parts->own_damping[i] = (prc_fem_damping){
        .mass = from->damping_given[0] ? from->damping_mass : b->c->model.damping_mass,
        .stiffness = from->damping_given[1] ? from->damping_stiffness : b->c->model.damping_stiffness};
  }
done:
  return status;
}

static prc_status add_loads(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_loads; i++) {
    const prc_case_load *from = &b->c->load[i];
    prc_fem_load *to = &b->parts->load[i];
    to->n_points = from->n_points, to->point = from->point;
    memcpy(to->force, from->force, sizeof to->force);
    if (from->n_points == 0) prc_try(prc_build_find_group(b, 1, from->group, &from->place, &to->group));
    to->name = from->name;
    memcpy(to->traction, from->traction, sizeof to->traction);
    to->pressure = from->pressure;
  }
done:
  return status;
}

static prc_status add_supports(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_supports; i++) {
    const prc_case_support *from = &b->c->support[i];
    prc_fem_support *to = &b->parts->support[i];
    prc_try(prc_build_find_group(b, 1, from->group, &from->place, &to->group));
    to->name = from->name;
    memcpy(to->held, from->held, sizeof to->held);
    memcpy(to->displacement, from->displacement, sizeof to->displacement);
    memcpy(to->by_velocity, from->has_velocity, sizeof to->by_velocity);
  }
done:
  return status;
}

static prc_status add_grounds(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_grounds; i++) {
    const prc_case_ground *from = &b->c->ground[i];
    prc_fem_spring *to = &b->parts->ground[i];
    if (from->group) prc_try(prc_build_find_group(b, 1, from->group, &from->place, &to->group));
    to->name = from->name;
    memcpy(to->stiffness, from->spring, sizeof to->stiffness);
    memcpy(to->fixed, from->fixed, sizeof to->fixed);
    memcpy(to->point, from->point, sizeof to->point);
  }
done:
  return status;
}

static prc_status add_contacts(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    prc_fem_contact *to = &b->parts->contact[b->parts->n_contacts];
    if (!from->group || !from->on_plane) continue;
    b->parts->case_of_mesh[b->parts->n_contacts++] = i;
    prc_try(prc_build_find_group(b, 1, from->group, &from->place, &to->group));
    prc_try(prc_contact_plane_make(from->point, from->normal, &to->plane, b->err));
    to->name = from->name;
    to->law = &from->friction, to->restitution = from->restitution;
    to->restitution_tangential = from->tangential_restitution;
  }
done:
  return status;
}

static prc_status add_dashpots(const prc_builder *b) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_dashpots; i++) {
    const prc_case_dashpot *from = &b->c->dashpot[i];
    prc_fem_dashpot *to = &b->parts->dashpot[i];
    prc_try(prc_build_find_group(b, 1, from->group, &from->place, &to->group));
    to->name = from->name;
    for (int k = 0; k < 2; k++) {
      to->absorbs[k] = isnan(from->coefficient[k]);
      to->coefficient[k] = to->absorbs[k] ? 0.0 : from->coefficient[k];
    }
  }
done:
  return status;
}

static prc_status allocate_parts(const prc_builder *b) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&b->parts->material, b->c->n_materials, b->err));
  prc_try(prc_new(&b->parts->own_damping, b->c->n_materials, b->err));
  prc_try(prc_new(&b->parts->load, b->c->n_loads, b->err));
  prc_try(prc_new(&b->parts->support, b->c->n_supports, b->err));
  prc_try(prc_new(&b->parts->contact, b->c->n_contacts, b->err));
  prc_try(prc_new(&b->parts->case_of_mesh, b->c->n_contacts, b->err));
  prc_try(prc_new(&b->parts->dashpot, b->c->n_dashpots, b->err));
  prc_try(prc_new(&b->parts->ground, b->c->n_grounds, b->err));
done:
  return status;
}

static prc_status fill_parts(const prc_builder *b) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  struct prc_model_parts *parts = b->parts;
  prc_try(allocate_parts(b));
  prc_try(add_materials(b));
  prc_try(add_loads(b));
  prc_try(add_supports(b));
  prc_try(add_grounds(b));
  prc_try(add_contacts(b));
  prc_try(prc_build_interfaces(b));
  prc_try(add_dashpots(b));
  parts->model = (prc_fem_model){
      .mesh = b->mesh,
      .plane = c->model.plane,
      .kinematics = c->model.kinematics,
      .thickness = c->model.thickness,
      .mass = c->model.mass,
      .damping_mass = c->model.damping_mass,
      .damping_stiffness = c->model.damping_stiffness,
      .gravity = {c->model.gravity[0], c->model.gravity[1]},
      .body_force = {c->model.body_force[0], c->model.body_force[1]},
      .n_materials = c->n_materials,
      .n_loads = c->n_loads,
      .n_supports = c->n_supports,
      .n_contacts = parts->n_contacts,
      .n_interfaces = parts->n_interfaces,
      .n_dashpots = c->n_dashpots,
      .n_springs = c->n_grounds,
      .spring = parts->ground,
      .piece = fmax(c->time.step, c->time.longest),
      .material = parts->material,
      .own_damping = parts->own_damping,
      .load = parts->load,
      .support = parts->support,
      .contact = parts->contact,
      .interface = parts->interface,
      .dashpot = parts->dashpot,
  };
done:
  return status;
}

/* ---- checks that need the mesh ------------------------------------------------------------------------- */

/* A contact that has a line: of a mesh with a plane or between two curves. */
static prc_status check_probed_contact(const prc_builder *b, const prc_case_probe *probe) {
  const char *near = NULL;
  if (!probe->contact) return PRC_OK;
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *contact = &b->c->contact_group[i];
    if (!contact->interface && !(contact->on_plane && contact->group)) continue;
    if (strcmp(contact->name, probe->contact) == 0) return PRC_OK;
    near = prc_nearest_name(probe->contact, near, contact->name);
  }
  const prc_case_place at = prc_case_place_of(b->c, "probes.%s.contact", probe->name);
  return prc_case_fail(b->c, &at, b->err,
                       "probes.%s.contact is '%s', expected a contact of a mesh with a plane or between two "
                       "curves%s%s%s",
                       probe->name, probe->contact, near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

static prc_status check_probes(const prc_builder *b) {
  const prc_mesh *mesh = b->mesh;
  for (int i = 0; i < b->c->n_probes; i++) {
    const prc_case_probe *probe = &b->c->probe[i];
    double weight[PRC_ELEMENT_NODES];
    const prc_status status = check_probed_contact(b, probe);
    if (status != PRC_OK) return status;
    double is_there = prc_mesh_locate(mesh, probe->point[0], probe->point[1], weight) >= 0;
    if (mesh->part) prc_share_largest(&mesh->part->share, 1, &is_there);
    if (is_there > 0.0) continue;
    return prc_case_fail(
        b->c, &probe->place, b->err,
        "probes.%s.point is (%.9g, %.9g), expected a point of the mesh, which lies in [%.9g, %.9g] x "
        "[%.9g, %.9g]",
        probe->name, probe->point[0], probe->point[1], mesh->low[0], mesh->high[0], mesh->low[1],
        mesh->high[1]);
  }
  return PRC_OK;
}

/* "block.yaml:12:9: ..." or "block.yaml: --set ...", wherever it begins in the message; NULL: nowhere */
static char *find_place(const prc_case *c, char *message) {
  char path[4096]; /* as messages have it */
  prc_escape(c->path, path, sizeof path);
  const size_t length = strlen(path);
  for (char *s = message; (s = strstr(s, path)); s++) {
    const char *after = s + length;
    if (strncmp(after, ": --set ", 8) == 0 || (after[0] == ':' && isdigit((unsigned char)after[1]))) return s;
  }
  return NULL;
}

/* Puts the place in front of the message, unless it has one of its own: an expression knows its place better
 * than whoever evaluates it. */
void prc_build_add_context(const prc_case *c, const prc_case_place *place, prc_status status,
                           prc_error *err) {
  char where[4096];
  if (!err || status == PRC_OK || status == PRC_NOMEM) return;
  char *own = find_place(c, err->message);
  if (own) memmove(err->message, own, strlen(own) + 1);
  prc_case_place_text(c, place, where, sizeof where);
  if (!own) prc_error_context(err, "%s", where);
}

/* ---- the body ------------------------------------------------------------------------------------------ */

static int mentions(const char *message, const char *what, const char *name) {
  char raw[512], text[1024];
  snprintf(raw, sizeof raw, "%s '%s'", what, name);
  prc_escape(raw, text, sizeof text);
  return strstr(message, text) != NULL;
}

/* Place in the case of an error from fem, whose message names the contact, the load, the dashpot or the
 * support. */
static prc_case_place place_of_error(const prc_case *c, const char *message) {
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    if (!mentions(message, "contact", contact->name)) continue;
    if (strstr(message, ": the restitution is")) return contact->restitution_place;
    const int of_friction = strstr(message, ": the friction is") || strstr(message, ": the parameter ");
    return of_friction ? contact->friction_place : contact->place;
  }
  for (int i = 0; i < c->n_loads; i++)
    if (mentions(message, "load", c->load[i].name)) return c->load[i].place;
  for (int i = 0; i < c->n_dashpots; i++)
    if (mentions(message, "dashpot", c->dashpot[i].name)) return c->dashpot[i].place;
  for (int i = 0; i < c->n_supports; i++)
    if (mentions(message, "support", c->support[i].name) || mentions(message, "supports", c->support[i].name))
      return c->support[i].place;
  for (int i = 0; i < c->n_grounds; i++)
    if (mentions(message, "support", c->ground[i].name)) return c->ground[i].place;
  return prc_case_place_of(c, strstr(message, "material") ? "materials" : "model");
}

/* noun: "support"; key: "supports.%s.%s" of `block`, which is the name but of one body of many. 1: it is what the message names. */
static int place_motion(const prc_case *c, const char *noun, const char *key, const char *name,
                        const char *block, const char *component, prc_error *err) {
  char text[512], path[2 * PRC_CASE_PATH];
  snprintf(text, sizeof text, "%s '%s': %s ", noun, name, component);
  if (!strstr(err->message, text)) return 0;
  snprintf(path, sizeof path, key, block, component);
  const prc_case_place place = prc_case_place_of(c, "%s", path);
  prc_build_add_context(c, &place, err->status, err);
  return 1;
}

void prc_case_place_motion(const prc_case *c, prc_error *err) {
  static const char *const component[] = {"x", "y", "rotation", "z"};
  int found = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < c->n_supports && k < 2 && !found; i++) {
      const char *name = c->support[i].name;
      found = place_motion(c, "support", "supports.%s.%s", name, name, component[k], err);
    }
    for (int i = 0; i < c->n_obstacles && !found; i++) {
      const char *name = c->obstacle[i].name;
      found = place_motion(c, "obstacle", "obstacles.%s.motion.%s", name, name, component[k], err);
    }
    for (int s = 0; s < c->n_sets; s++)
      for (int i = c->set[s].first; i < c->set[s].first + c->set[s].n && !found; i++)
        found = place_motion(c, "body", "bodies.%s.motion.%s", c->body[i].name, c->set[s].name, component[k],
                             err);
  }
  if (!found) err->status = prc_build_place_joint(c, err->status, err);
}

static prc_status create_fem(const prc_case *c, prc_model *model, prc_error *err) {
  const prc_status status = prc_fem_create(&model->parts->model, &model->fem, err);
  if (status == PRC_OK || !err) return status;
  const prc_case_place place = place_of_error(c, err->message);
  prc_build_add_context(c, &place, status, err);
  return status;
}

/* Without inertia K alone must hold every body, or a drag beside it. The drag proposed is, at the rate of a
 * load step, a ten-thousandth of what strains the body: alpha rho L^2 / h against E. */
static prc_status check_held(const prc_case *c, const prc_fem *fem, prc_error *err) {
  prc_fem_free_body *list = NULL;
  char what[512];
  int n = 0;
  prc_status status = prc_fem_undragged_bodies(fem, &n, &list, err);
  if (status == PRC_OK && n > 0) {
    const double speed = prc_fem_get_facts(fem).speed_p;
    const prc_case_place place = prc_case_place_of(c, "time.analysis");
    prc_fem_free_body_text(&list[0], what, sizeof what);
    status = prc_case_fail(
        c, &place, err,
        "without inertia nothing but contact holds %d of the bodies: %s; expected supports that hold "
        "it, or model.damping.mass > 0, a drag against motion (%.0e is small here)",
        n, what, 1e-4 * c->time.step * pow(speed / list[0].size, 2.0));
  }
  prc_delete(&list);
  return status;
}

/* ---- life ---------------------------------------------------------------------------------------------- */

void prc_model_free(prc_model **model) {
  if (!*model) return;
  prc_scene_free(&(*model)->scene);
  prc_fem_free(&(*model)->fem);
  prc_rigid_free(&(*model)->rigid);
  prc_spatial_free(&(*model)->spatial);
  for (int i = 0; (*model)->beam && i < (*model)->n_beams; i++) prc_beam_free(&(*model)->beam[i]);
  prc_delete(&(*model)->beam);
  if ((*model)->parts) {
    prc_delete(&(*model)->parts->material);
    prc_delete(&(*model)->parts->own_damping);
    prc_delete(&(*model)->parts->load);
    prc_delete(&(*model)->parts->support);
    prc_delete(&(*model)->parts->contact);
    prc_delete(&(*model)->parts->case_of_mesh);
    prc_delete(&(*model)->parts->interface);
    prc_delete(&(*model)->parts->case_of_interface);
    prc_delete(&(*model)->parts->dashpot);
    prc_delete(&(*model)->parts->ground);
    prc_delete(&(*model)->parts->own_law);
    prc_delete(&(*model)->parts->own_formulas);
    prc_case_free_bodies((*model)->parts);
    prc_build_free_space((*model)->parts);
    prc_build_free_beams((*model)->parts);
  }
  prc_delete(&(*model)->parts);
  prc_delete(&(*model)->contact_of);
  prc_delete(&(*model)->joint_of);
  prc_mesh_free(&(*model)->mesh);
  prc_delete(model);
}

static prc_status build_mesh(const prc_case *c, const prc_log *log, prc_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_build_read_mesh(c, log, &model->mesh, err));
  const prc_builder b = {.c = c, .mesh = model->mesh, .parts = model->parts, .err = err};
  prc_log_message(log, PRC_LOG_PHASE, "assembling %d nodes", model->mesh->n_nodes);
  prc_try(prc_ranks_agree(prc_mesh_ranks(model->mesh), fill_parts(&b), err));
  prc_try(check_probes(&b));
  prc_try(prc_build_check_results(&b));
  prc_try(create_fem(c, model, err));
  prc_try(prc_build_refuse_held(&b, model->fem));
  if (c->time.quasi_static) prc_try(check_held(c, model->fem, err));
done:
  return status;
}

static void note_unused(const prc_case *c, const prc_log *log) {
  char where[4096];
  for (int k = 0; k < c->n_parameters; k++) {
    if (c->parameter[k].used) continue;
    prc_case_place_text(c, &c->parameter[k].place, where, sizeof where);
    prc_log_message(log, PRC_LOG_WARNING, "%s: parameters.%s is used by no formula", where,
                    c->parameter[k].name);
  }
}

prc_status prc_case_build(const prc_case *c, const prc_log *log, prc_model **out, prc_error *err) {
  prc_need(c, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_model *model = NULL;
  double e;
  note_unused(c, log);
  prc_try(prc_case_note_shadowed(c, log, err));
  prc_try(prc_new(&model, 1, err));
  prc_try(prc_new(&model->parts, 1, err));
  if (c->mesh.file) prc_try(build_mesh(c, log, model, err));
  const prc_builder b = {.c = c, .mesh = model->mesh, .parts = model->parts, .err = err};
  prc_try(prc_build_laws(&b));
  if (c->model.dimension == 3)
    prc_try(prc_build_space(&b, model));
  else if (c->n_bodies > 0 || c->n_obstacles > 0)
    prc_try(prc_build_bodies(&b, model));
  if (c->n_beams > 0) prc_try(prc_build_beams(&b, model));
  prc_try(prc_build_scene(&b, model, &e));
  prc_try(prc_case_check_restitution(c, e, err));
  prc_try(prc_build_check_finite(c, model, err));
  *out = model, model = NULL;
done:
  prc_model_free(&model);
  return status;
}
