#include "config.h"
#include "case/build.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The mesh of a case, of one file or several, split along faults; and the contacts between its curves. */

/* ---- files --------------------------------------------------------------------------------------------- */

/* For meshing a .geo. Some is left to what is done with the mesh. */
static double memory_for(const prc_case *c) {
  const double available = prc_memory_available();
  return c->mesh.max_memory > 0.0 ? 1e9 * c->mesh.max_memory : isfinite(available) ? 0.9 * available : 0.0;
}

/* The pairs of curves that contacts are between: their nodes may be at the same places. Returns their number. */
static int list_seams(const prc_case *c, const char *(*seam)[2]) {
  int n = 0;
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    if (!contact->interface || contact->split) continue;
    for (int k = 0; k < 2; k++) seam[n][k] = contact->curve[k];
    n++;
  }
  return n;
}

static prc_status read_file(const prc_case *c, int i, const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  const char *path = c->mesh.files[i], *(*seam)[2] = NULL;
  prc_try(prc_new(&seam, c->n_contacts, err));
  const prc_mesh_options options = {.size = prc_ends_with(path, ".geo") ? c->mesh.size : 0.0,
                                    .n_seams = list_seams(c, seam),
                                    .seam = (const char *const(*)[2])seam,
                                    .allow_duplicate_nodes = c->mesh.allow_duplicate_nodes,
                                    .no_commands = c->mesh.no_commands,
                                    .max_time = c->mesh.max_time,
                                    .max_memory = memory_for(c),
                                    .max_cells = c->mesh.max_elements};
  const prc_case_place place = prc_case_place_of(c, "mesh.file");
  if (access(path, R_OK) != 0) /* the case is wrong: PRC_INPUT, not PRC_IO */
    prc_try(prc_case_fail(c, &place, err, "%s: cannot be opened: %s, expected a mesh or a geometry", path,
                          strerror(errno)));
  prc_log_message(log, PRC_LOG_PHASE, prc_ends_with(path, ".geo") ? "meshing %s" : "reading %s", path);
  status = prc_mesh_read(path, &options, log, out, err);
  prc_build_add_context(c, &place, status, err);
done:
  prc_delete(&seam);
  return status;
}

static prc_status split_curves(const prc_case *c, prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_builder b = {.c = c, .mesh = mesh, .err = err};
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    const prc_mesh_group *group;
    if (!contact->split) continue;
    prc_try(prc_build_find_group(&b, 1, contact->split, &contact->split_place, &group));
    status = prc_mesh_split(mesh, contact->split, err);
    prc_build_add_context(c, &contact->split_place, status, err);
    prc_try(status);
  }
done:
  return status;
}

static prc_status read_mesh(const prc_case *c, const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh **part = NULL, *mesh = NULL;
  prc_try(prc_new(&part, c->mesh.n_files, err));
  for (int i = 0; i < c->mesh.n_files; i++) prc_try(read_file(c, i, log, &part[i], err));
  if (c->mesh.n_files > 1)
    prc_try(prc_mesh_join(c->mesh.n_files, part, &mesh, err));
  else
    mesh = part[0], part[0] = NULL;
  prc_try(split_curves(c, mesh, err));
  *out = mesh, mesh = NULL;
done:
  for (int i = 0; part && i < c->mesh.n_files; i++) prc_mesh_free(&part[i]);
  prc_delete(&part);
  prc_mesh_free(&mesh);
  return status;
}

/* ---- contacts of its curves ---------------------------------------------------------------------------- */

/* A first name that nothing has may have been meant for an obstacle or a body. */
static prc_status find_curve(const prc_builder *b, const prc_case_contact *contact, int which,
                             const prc_mesh_group **out) {
  const prc_case *c = b->c;
  const char *name = contact->curve[which], *near = NULL;
  char hint[3 * PRC_CASE_NAME] = "", curves[512];
  if (which == 1 || prc_mesh_find(b->mesh, 1, name))
    return prc_build_find_group(b, 1, name, &contact->between_place, out);
  for (int i = 0; i < b->mesh->n_groups; i++)
    if (b->mesh->group[i].dim == 1) near = prc_nearest_name(name, near, b->mesh->group[i].name);
  for (int i = 0; i < c->n_obstacles; i++) near = prc_nearest_name(name, near, c->obstacle[i].name);
  for (int i = 0; i < c->n_sets; i++) near = prc_nearest_name(name, near, c->set[i].name);
  prc_mesh_names(b->mesh, 1, curves, sizeof curves);
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return prc_case_fail(
      c, &contact->between_place, b->err,
      "contacts.%s.between[%d] is '%s', expected an obstacle, a body or a physical curve of the "
      "mesh: %s%s",
      contact->name, which, name, curves, hint);
}

/* Two curves of one connected part do not touch each other, except the sides of a split. */
static prc_status check_bodies(const prc_builder *b, const prc_case_contact *contact,
                               const prc_mesh_group *const group[2]) {
  const prc_mesh *mesh = b->mesh;
  int *body = NULL;
  char *touched = NULL;
  prc_status status = PRC_OK;
  if (contact->split || mesh->part) return PRC_OK; /* of a part: the whole was looked at */
  prc_try(prc_new(&body, mesh->n_nodes, b->err));
  prc_try(prc_new(&touched, mesh->n_nodes, b->err));
  prc_mesh_bodies(mesh, body);
  for (int k = 0; k < group[0]->n_nodes; k++) touched[body[group[0]->node[k]]] = 1;
  for (int k = 0; k < group[1]->n_nodes && status == PRC_OK; k++)
    if (touched[body[group[1]->node[k]]])
      status =
          prc_case_fail(b->c, &contact->between_place, b->err,
                        "contacts.%s is between '%s' and '%s', which are curves of one body, expected those "
                        "of two: no body touches itself, and a fault inside one is `split: <curve>`",
                        contact->name, group[0]->name, group[1]->name);
done:
  prc_delete(&body);
  prc_delete(&touched);
  return status;
}

/* Curves that contacts are of: all ranks have them whole. */
static int list_curves(const prc_case *c, const char **name) {
  int n = 0;
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    if (contact->interface)
      name[n++] = contact->curve[0], name[n++] = contact->curve[1];
    else if (contact->group)
      name[n++] = contact->group;
  }
  return n;
}

/* Checks of interfaces that need the whole mesh, which only rank 0 has. */
static prc_status check_whole(const prc_case *c, const prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_builder b = {.c = c, .mesh = mesh, .err = err};
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_mesh_group *group[2];
    if (!c->contact_group[i].interface) continue;
    for (int k = 0; k < 2; k++) prc_try(find_curve(&b, &c->contact_group[i], k, &group[k]));
    prc_try(check_bodies(&b, &c->contact_group[i], group));
  }
done:
  return status;
}

/* Rank 0 reads it before MPI begins; then it is dealt. */
static prc_status share_mesh(const prc_case *c, const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_status status = prc_case_check_ranks(c, err), begun;
  const prc_ranks_launch *launch = c->mesh.launch;
  const prc_ranks *ranks = NULL;
  const char **name = NULL;
  prc_error second = {0};
  if (status == PRC_OK && launch->rank == 0) status = read_mesh(c, log, out, err);
  if (status == PRC_OK && launch->rank == 0) status = check_whole(c, *out, err);
  begun = launch->begin(launch->to, &ranks, status == PRC_OK ? err : &second);
  if (status != PRC_OK && begun != PRC_OK) return status;
  if (begun != PRC_OK) return begun;
  prc_try(prc_ranks_agree(ranks, status, err));
  status = prc_new(&name, 2 * (size_t)c->n_contacts + 1, err);
  prc_try(prc_ranks_agree(ranks, status, err));
  prc_log_message(log, PRC_LOG_PHASE, "dealing the mesh to %d ranks", ranks->n);
  status = prc_mesh_distribute(ranks, list_curves(c, name), name, out, err);
done:
  prc_delete(&name);
  return status;
}

prc_status prc_build_read_mesh(const prc_case *c, const prc_log *log, prc_mesh **out, prc_error *err) {
  return (c->mesh.launch ? share_mesh : read_mesh)(c, log, out, err);
}

prc_status prc_build_interfaces(const prc_builder *b) {
  prc_status status = PRC_OK;
  struct prc_model_parts *parts = b->parts;
  prc_try(prc_new(&parts->interface, b->c->n_contacts, b->err));
  prc_try(prc_new(&parts->case_of_interface, b->c->n_contacts, b->err));
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    const prc_mesh_group *group[2];
    if (!from->interface) continue;
    for (int k = 0; k < 2; k++) prc_try(find_curve(b, from, k, &group[k]));
    prc_try(check_bodies(b, from, group));
    parts->case_of_interface[parts->n_interfaces] = i;
    parts->interface[parts->n_interfaces++] =
        (prc_fem_interface){.name = from->name,
                            .group = {group[0], group[1]},
                            .friction = from->friction,
                            .restitution = from->restitution,
                            .restitution_tangential = from->tangential_restitution,
                            .small = from->small,
                            .from_start = from->from_start,
                            .interference = from->interference,
                            .normal = from->prestress[0],
                            .shear = from->prestress[1]};
  }
done:
  return status;
}

/* An obstacle or a body whose motion is data does not give way; what it touches has to. */
prc_status prc_build_refuse_held(const prc_builder *b, const prc_fem *fem) {
  prc_status status = PRC_OK;
  for (int i = 0; i < b->c->n_contacts && status == PRC_OK; i++) {
    const prc_case_contact *from = &b->c->contact_group[i];
    const prc_case_obstacle *o = from->obstacle >= 0 ? &b->c->obstacle[from->obstacle] : NULL;
    const prc_mesh_group *group = NULL;
    if (from->interface || from->on_plane || !from->between[0] || !from->group) continue;
    int all_driven = 1;
    for (int j = 0; j < from->n_side[0]; j++)
      all_driven &= from->side[0][j] >= b->c->n_bodies || b->c->body[from->side[0][j]].driven;
    if (from->shapes ? !all_driven : !o && !b->c->body[from->surface_body].driven) continue;
    const int level = o && o->is_plane && !o->motion[2].eval && o->motion[2].constant == 0.0;
    prc_try(prc_build_find_group(b, 1, from->group, &from->between_place, &group));
    status = prc_fem_refuse_held(fem, group, level ? o->normal : NULL, b->err);
    if (status == PRC_OK) continue;
    prc_error_context(b->err, "contact '%s'", from->name);
    prc_build_add_context(b->c, &from->place, status, b->err);
  }
done:
  return status;
}

prc_status prc_model_laws(const prc_case *c, const prc_model *model, int i, int *n, prc_law **out,
                          prc_error *err) {
  static const double nowhere[2] = {0.0, 0.0};
  prc_status status = PRC_OK;
  const prc_case_contact *contact = &c->contact_group[i];
  const prc_mesh_group *group = contact->interface ? prc_mesh_find(model->mesh, 1, contact->curve[1])
                                : contact->shapes  ? prc_mesh_find(model->mesh, 1, contact->group)
                                                   : NULL;
  prc_law *law = NULL;
  *n = group ? group->n_nodes : 1;
  prc_try(prc_new(&law, *n, err));
  for (int k = 0; k < *n; k++) {
    prc_law_formulas formulas;
    prc_try(prc_law_at(&contact->friction, &contact->restitution, contact->tangential_restitution,
                       group ? model->mesh->x + 2 * group->node[k] : nowhere, &law[k], &formulas, err));
    law[k].formulas = NULL;
  }
  *out = law, law = NULL;
done:
  prc_delete(&law);
  return status;
}

prc_status prc_model_prestress(const prc_case *c, const prc_model *model, int i, double *const out[2],
                               prc_error *err) {
  const prc_case_contact *contact = &c->contact_group[i];
  const prc_mesh_group *group = prc_mesh_find(model->mesh, 1, contact->curve[1]);
  prc_status status = PRC_OK;
  for (int k = 0; k < group->n_nodes && status == PRC_OK; k++)
    for (int j = 0; j < 2 && status == PRC_OK; j++) {
      const double *x = model->mesh->x + 2 * group->node[k];
      status = prc_field_eval(&contact->prestress[j], x[0], x[1], 0.0, &out[j][k], err);
    }
  return status;
}

void prc_model_describe_sides(const prc_case *c, const prc_model *model, int i, const prc_text *to) {
  const prc_case_contact *contact = &c->contact_group[i];
  int k = 0;
  while (model->parts->case_of_interface[k] != i) k++;
  const prc_fem_interface_facts facts = prc_fem_get_interface_facts(model->fem, k);
  if (facts.feature < facts.side)
    prc_text_print(
        to,
        "          note: '%s' has features of %.3g, corners or bends, which are smaller than sides of '%s' "
        "(%.3g): what touches should have the smaller sides; exchange the two in `between`, or mesh it "
        "finer\n",
        contact->curve[0], facts.feature, contact->curve[1], facts.side);
  if (facts.off > 0.0)
    prc_text_print(
        to,
        "          note: straight sides lie up to %.3g off the arcs that they follow (d^2/8R), and gaps or "
        "overlaps there are %.3g: take quadratic or shorter sides, or `gap: from-start`, with an "
        "`interference` where it is a press fit\n",
        facts.off, facts.gap);
}

/* ---- what of it results are asked of -------------------------------------------------------------------- */

static prc_status check_regions(const prc_builder *b) {
  char name[PRC_CASE_PATH], groups[256];
  for (const char *at = b->c->output.regions; at && *at;) {
    const size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    if (!prc_mesh_find(b->mesh, 2, name)) {
      prc_mesh_names(b->mesh, 2, groups, sizeof groups);
      const prc_case_place place = prc_case_place_of(b->c, "output.regions");
      return prc_case_fail(b->c, &place, b->err, "output.regions has '%s', expected surfaces of the mesh: %s",
                           name, groups);
    }
    at += length + strspn(at + length, ", ");
  }
  return PRC_OK;
}

/* A diagram of the nodes that touch is of a line. */
static prc_status check_diagrams(const prc_builder *b) {
  for (int i = 0; i < b->c->n_contacts; i++) {
    const prc_case_contact *contact = &b->c->contact_group[i];
    if (!contact->diagram || contact->interface || (contact->on_plane && contact->group)) continue;
    const prc_case_place at = prc_case_place_of(b->c, "contacts.%s.diagram", contact->name);
    return prc_case_fail(b->c, &at, b->err,
                         "contacts.%s.diagram is given, expected it of a contact of a mesh with a plane or "
                         "between two curves: others have no diagram",
                         contact->name);
  }
  return PRC_OK;
}

prc_status prc_build_check_results(const prc_builder *b) {
  const prc_status status = check_regions(b);
  return status == PRC_OK ? check_diagrams(b) : status;
}
