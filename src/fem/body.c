#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- materials --------------------------------------------------------------------------------------------------------- */

static prc_status assign_materials(prc_fem *fem, prc_error *err) {
  const prc_fem_model *model = fem->model;
  const prc_mesh *mesh = model->mesh;
  const prc_status status = prc_new(&fem->cell_material, mesh->n_cells, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < mesh->n_cells; c++) fem->cell_material[c] = -1;
  for (int m = 0; m < model->n_materials; m++)
    for (int k = 0; k < model->material[m].group->n_cells; k++) {
      const int c = model->material[m].group->cell[k];
      if (fem->cell_material[c] >= 0)
        return prc_fail(err, PRC_INPUT, "%s %zu belongs to two groups with a material, '%s' and '%s'",
                        mesh->cell_element[c]->noun, mesh->cell_tag[c],
                        model->material[fem->cell_material[c]].group->name, model->material[m].group->name);
      fem->cell_material[c] = m;
    }
  for (int c = 0; c < mesh->n_cells; c++)
    if (fem->cell_material[c] < 0) {
      char names[256];
      prc_mesh_names(mesh, 2, names, sizeof names);
      return prc_fail(
          err, PRC_INPUT,
          "%s %zu has no material, expected every cell in a group that `materials` names (the mesh "
          "has the surfaces: %s)",
          mesh->cell_element[c]->noun, mesh->cell_tag[c], names);
    }
  return PRC_OK;
}

static prc_status sum_areas(prc_fem *fem, prc_error *err) {
  const prc_mesh *mesh = fem->model->mesh;
  const prc_status status = prc_new(&fem->node_area, mesh->n_nodes, err);
  for (int c = 0; status == PRC_OK && c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
      fem->node_area[mesh->cell[k]] += prc_mesh_area(mesh, c);
  return status;
}

/* ---- supports ------------------------------------------------------------------------------------------------------------ */

static int same_constant(const prc_field *a, const prc_field *b) {
  return !a->uses_time && !a->uses_place && !b->uses_time && !b->uses_place && !a->eval && !b->eval
         && a->constant == b->constant;
}

static prc_status refuse_both(const prc_fem_model *model, int first, int second, int d, int node,
                              prc_error *err) {
  return prc_fail(err, PRC_INPUT,
                  "the supports '%s' and '%s' both prescribe the %c displacement of node %zu, expected one "
                  "of them, or the "
                  "same constant in both",
                  model->support[first].name, model->support[second].name, "xy"[d],
                  model -> mesh -> tag[node]);
}

/* owner[dof]: the support that prescribes it, -1 for what is held at zero anyway (unused nodes, radial displacements on the
 * axis), -2 for a free dof */
static prc_status mark_support(const prc_fem_model *model, int s, int *owner, prc_error *err) {
  const prc_fem_support *support = &model->support[s];
  for (int k = 0; k < support->group->n_nodes; k++)
    for (int d = 0; d < 2; d++) {
      const int node = support->group->node[k], other = owner[2 * node + d];
      if (!support->held[d]) continue;
      if (other < 0)
        owner[2 * node + d] = s;
      else if (!same_constant(&support->displacement[d], &model->support[other].displacement[d]))
        return refuse_both(model, other, s, d, node, err);
    }
  return PRC_OK;
}

static void mark_unused(const prc_mesh *mesh, int *owner) {
  for (int i = 0; i < 2 * mesh->n_nodes; i++) owner[i] = -1;
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++)
    owner[2 * mesh->cell[k]] = owner[2 * mesh->cell[k] + 1] = -2;
}

static int is_on_axis(const prc_mesh *mesh, int a) {
  return fabs(mesh->x[2 * a]) <= 1e-12 * fmax(mesh->high[0], mesh->high[1] - mesh->low[1]);
}

/* On the axis nothing moves radially; beyond it there is nothing. */
static prc_status hold_axis(const prc_fem_model *model, int *owner, prc_error *err) {
  const prc_mesh *mesh = model->mesh;
  const prc_field zero = prc_field_constant(0.0);
  for (int a = 0; a < mesh->n_nodes; a++) {
    int *own = &owner[2 * a];
    if (*own == -1) continue;
    if (is_on_axis(mesh, a)) {
      if (*own >= 0 && !same_constant(&model->support[*own].displacement[0], &zero))
        return prc_fail(err, PRC_INPUT,
                        "the support '%s' moves node %zu off the axis, expected x: 0 there: in axisymmetry x "
                        "is the radius",
                        model->support[*own].name, mesh->tag[a]);
      if (*own < 0) *own = -1;
    } else if (mesh->x[2 * a] < 0.0)
      return prc_fail(err, PRC_INPUT,
                      "the model is axisymmetric, but node %zu has x = %g, expected x >= 0: x is the radius",
                      mesh->tag[a], mesh->x[2 * a]);
  }
  return PRC_OK;
}

static prc_status list_rows(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_supports = fem->model->n_supports;
  prc_try(prc_new(&fem->support_rows, n_supports, err));
  prc_try(prc_new(&fem->support_count, n_supports, err));
  for (int s = 0; s < n_supports; s++) {
    prc_try(prc_new(&fem->support_rows[s], 2 * (size_t)fem->model->support[s].group->n_nodes, err));
    const prc_fem_support *support = &fem->model->support[s];
    for (int i = 0; i < fem->n_prescribed; i++)
      if (fem->prescribed_support[i] == s) fem->support_rows[s][fem->support_count[s]++] = i;
    if (fem->support_count[s] == 0)
      prc_try(prc_fail(err, PRC_INPUT, "the support '%s' holds nothing: %s", support->name,
                       support->group->n_nodes == 0 ? "its group has no nodes"
                                                    : "other supports hold all of its nodes already"));
  }
done:
  return status;
}

static prc_status prescribe(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  const int n_dof = 2 * model->mesh->n_nodes;
  int *owner = NULL;
  prc_try(prc_new(&owner, n_dof, err));
  mark_unused(model->mesh, owner);
  for (int s = 0; s < model->n_supports; s++) prc_try(mark_support(model, s, owner, err));
  if (model->plane == PRC_AXISYMMETRIC) prc_try(hold_axis(model, owner, err));
  for (int i = 0; i < n_dof; i++) fem->n_prescribed += owner[i] >= -1;
  prc_try(prc_new(&fem->prescribed, fem->n_prescribed, err));
  prc_try(prc_new(&fem->prescribed_support, fem->n_prescribed, err));
  for (int i = 0, k = 0; i < n_dof; i++)
    if (owner[i] >= -1) fem->prescribed[k] = i, fem->prescribed_support[k++] = owner[i];
  prc_try(list_rows(fem, err));
done:
  prc_delete(&owner);
  return status;
}

static const prc_field *displacement_of(const prc_fem *fem, int i, double x[2]) {
  const int dof = fem->prescribed[i];
  for (int k = 0; k < 2; k++) x[k] = fem->model->mesh->x[2 * (dof / 2) + k];
  return &fem->model->support[fem->prescribed_support[i]].displacement[dof % 2];
}

static prc_status prescribed_at(void *body, int i, double t, double *d, prc_error *err) {
  const prc_fem *fem = body;
  double x[2];
  *d = 0.0;
  if (fem->prescribed_support[i] < 0) return PRC_OK;
  const prc_field *field = displacement_of(fem, i, x);
  return prc_field_eval(field, x[0], x[1], t, d, err);
}

/* A component of a displacement that is the same along its edge is evaluated once for all of the edge's nodes. */
static prc_status prescribed_displacement(void *body, double t, double *d, prc_error *err) {
  const prc_fem *fem = body;
  const prc_field *last[2] = {NULL, NULL};
  double last_d[2] = {0.0, 0.0};
  for (int i = 0; i < fem->n_prescribed; i++) {
    const int component = fem->prescribed[i] % 2;
    double x[2];
    d[i] = 0.0;
    if (fem->prescribed_support[i] < 0) continue;
    const prc_field *field = displacement_of(fem, i, x);
    if (field != last[component] || field->uses_place) {
      const prc_status status = prc_field_eval(field, x[0], x[1], t, &last_d[component], err);
      if (status != PRC_OK) return status;
      last[component] = field;
    }
    d[i] = last_d[component];
  }
  return PRC_OK;
}

static void prescribed_name(void *body, int i, char *text, size_t size) {
  const prc_fem *fem = body;
  const int support = fem->prescribed_support[i];
  if (support < 0)
    snprintf(text, size, "what is held at zero");
  else
    snprintf(text, size, "support '%s': %c", fem->model->support[support].name, "xy"[fem->prescribed[i] % 2]);
}

/* A component of a motion that is the same along its edge is evaluated once for all of the edge's nodes. */
static prc_status prescribed_velocity(void *body, double t, double h, double *v, prc_error *err) {
  const prc_fem *fem = body;
  const prc_field *last[2] = {NULL, NULL};
  double last_v[2] = {0.0, 0.0};
  for (int i = 0; i < fem->n_prescribed; i++) {
    const int component = fem->prescribed[i] % 2;
    double x[2];
    v[i] = 0.0;
    if (fem->prescribed_support[i] < 0) continue;
    const prc_field *field = displacement_of(fem, i, x);
    if (!field->uses_time) continue;
    if (field != last[component] || field->uses_place) {
      const prc_status status = prc_field_rate(field, x[0], x[1], t, h, &last_v[component], err);
      if (status != PRC_OK) return status;
      last[component] = field;
    }
    v[i] = last_v[component];
  }
  return PRC_OK;
}

/* ---- contacts --------------------------------------------------------------------------------------------------------------- */

static prc_status candidate_coefficients(prc_fem *fem, const prc_fem_contact *contact, int c, int node,
                                         prc_error *err) {
  const double *x = fem->model->mesh->x + 2 * node;
  prc_status status = PRC_OK;
  double mu, e;
  prc_try(prc_field_eval(&contact->friction, x[0], x[1], 0.0, &mu, err));
  prc_try(prc_field_eval(&contact->restitution, x[0], x[1], 0.0, &e, err));
  fem->law[c] = prc_law_coulomb(mu, e, 0.0);
  status = prc_law_check(&fem->law[c], err);
  if (status != PRC_OK) prc_error_context(err, "at (%g, %g)", x[0], x[1]);
done:
  if (status != PRC_OK) prc_error_context(err, "contact '%s'", contact->name);
  return status;
}

/* area[k]: what the group's edges around its k-th node add up to there. scratch: n_nodes, zero in and out. */
static void tributary_areas(const prc_fem *fem, const prc_mesh_group *group, double *scratch, double *area) {
  for (int k = 0; k < group->n_cells; k++) {
    int node[3];
    double share[3];
    for (int a = 0, n = prc_fem_edge_areas(fem->model, group->cell[k], node, share); a < n; a++)
      scratch[node[a]] += share[a];
  }
  for (int k = 0; k < group->n_nodes; k++) {
    area[k] = scratch[group->node[k]];
    scratch[group->node[k]] = 0.0;
  }
}

static double diagonal_of(const prc_mesh *mesh) {
  return hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
}

static prc_status allocate_candidates(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  prc_try(prc_new(&fem->contact_first, (size_t)model->n_contacts + 1, err));
  for (int g = 0; g < model->n_contacts; g++) {
    if (model->contact[g].group->n_nodes == 0)
      prc_try(prc_fail(err, PRC_INPUT, "contact '%s': its group '%s' has no nodes", model->contact[g].name,
                       model->contact[g].group->name));
    status = prc_fem_check_boundary(model->mesh, model->contact[g].group, err);
    if (status != PRC_OK) prc_error_context(err, "contact '%s'", model->contact[g].name);
    prc_try(status);
    fem->contact_first[g + 1] = fem->contact_first[g] + model->contact[g].group->n_nodes;
  }
  const int n = fem->contact_first[model->n_contacts];
  prc_try(prc_contact_points_create(n, &fem->points, err));
  prc_try(prc_new(&fem->contact_node, n, err));
  prc_try(prc_new(&fem->contact_area, n, err));
  prc_try(prc_new(&fem->law, n, err));
  fem->size = diagonal_of(fem->model->mesh);
done:
  return status;
}

static prc_status make_candidates(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  double *scratch = NULL;
  prc_try(allocate_candidates(fem, err));
  prc_try(prc_new(&scratch, model->mesh->n_nodes, err));
  for (int g = 0; g < model->n_contacts; g++) {
    const prc_fem_contact *contact = &model->contact[g];
    tributary_areas(fem, contact->group, scratch, fem->contact_area + fem->contact_first[g]);
    for (int k = 0; k < contact->group->n_nodes; k++) {
      const int c = fem->contact_first[g] + k, node = contact->group->node[k];
      const double *x = model->mesh->x + 2 * node;
      fem->contact_node[c] = node;
      prc_contact_points_set(fem->points, c, x[0], x[1], 2 * node, 2 * node + 1, &contact->plane);
      prc_try(candidate_coefficients(fem, contact, c, node, err));
    }
  }
done:
  prc_delete(&scratch);
  return status;
}

/* Node c of the groups is the contact c of the set: both are in the order of groups and nodes. Against planes H does not change. */
static void evaluate(void *body, const prc_at *at, unsigned what, prc_contact_set *set) {
  const prc_contact_points *points = ((const prc_fem *)body)->points;
  if (what & PRC_EVALUATE_GAP) prc_contact_points_gap(points, at->q, set->gap);
  if (what & PRC_EVALUATE_H) memcpy(set->H.x, points->frame, 4 * (size_t)points->n * sizeof *set->H.x);
}

static prc_status find(void *body, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  const prc_fem *fem = body;
  prc_status status = PRC_OK;
  (void)at, (void)h, (void)reach;
  for (int g = 0; g < fem->model->n_contacts; g++)
    for (int c = fem->contact_first[g]; c < fem->contact_first[g + 1]; c++) {
      const prc_contact contact = {.id = {(uint32_t)g, 0, 0, (uint32_t)fem->contact_node[c]},
                                   .body = {-1, 0},
                                   .n_dof = 2,
                                   .dof = fem->points->dof + 2 * c,
                                   .law = &fem->law[c],
                                   .size = fem->size};
      prc_try(prc_contact_set_add(set, &contact, err));
    }
done:
  return status;
}

static double rotation(void *body, const double *q) {
  return prc_fem_rotation(body, q);
}

/* ---- the system -------------------------------------------------------------------------------------------------------------- */

/* The size of the coordinates sets the rounding of gaps. */
static double size_of(const prc_fem_model *model) {
  const prc_mesh *mesh = model->mesh;
  double size = diagonal_of(mesh);
  for (int k = 0; k < 2; k++) {
    size = fmax(size, fmax(fabs(mesh->low[k]), fabs(mesh->high[k])));
    for (int c = 0; c < model->n_contacts; c++) size = fmax(size, fabs(model->contact[c].plane.point[k]));
  }
  return size;
}

static void present(prc_fem *fem) {
  const prc_fem_model *model = fem->model;
  prc_system *s = &fem->system;
  s->space.nv = 2 * model->mesh->n_nodes;
  s->dynamics = (prc_dynamics){.M = fem->M,
                               .K = fem->K,
                               .damping_mass = model->damping_mass,
                               .damping_stiffness = model->damping_stiffness,
                               .varies = fem->terms.n_terms == 0 ? 0 : PRC_LOADS_IN_TIME,
                               .loads = prc_fem_loads};
  s->drive = (prc_drive){.n = fem->n_prescribed,
                         .rest = 1,
                         .dof = fem->prescribed,
                         .velocity = prescribed_velocity,
                         .displacement = prescribed_displacement,
                         .displacement_at = prescribed_at,
                         .name = prescribed_name};
  for (int i = 0; i < model->n_supports; i++)
    for (int k = 0; k < 2; k++)
      if (model->support[i].held[k] && model->support[i].displacement[k].uses_time) s->drive.rest = 0;
  if (fem->points->n > 0) s->contacts = (prc_contacts){.dim = 2, .find = find, .evaluate = evaluate};
  s->length = size_of(model);
  s->velocity = prc_fem_get_facts(fem).speed_p;
  s->owner = fem;
  s->rotation = rotation;
}

static prc_status check_gravity(const prc_fem_model *model, prc_error *err) {
  if (model->plane != PRC_AXISYMMETRIC || same_constant(&model->gravity[0], &(prc_field){0})) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "the model is axisymmetric, but gravity has a radial part, expected [0, g]");
}

prc_status prc_fem_create(const prc_fem_model *model, prc_fem **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem *fem = NULL;
  prc_try(prc_new(&fem, 1, err));
  fem->model = model;
  prc_try(check_gravity(model, err));
  prc_try(assign_materials(fem, err));
  prc_try(sum_areas(fem, err));
  prc_try(prc_fem_assemble(fem, err));
  prc_try(prescribe(fem, err));
  prc_try(prc_fem_build_loads(fem, err));
  prc_try(make_candidates(fem, err));
  if (model->mass == PRC_MASS_MODIFIED && fem->points->n > 0) prc_try(prc_fem_modify_mass(fem, err));
  present(fem);
  *out = fem, fem = NULL;
done:
  prc_fem_free(&fem);
  return status;
}

void prc_fem_free(prc_fem **out) {
  prc_fem *fem = *out;
  if (!fem) return;
  for (int s = 0; fem->support_rows && s < fem->model->n_supports; s++) prc_delete(&fem->support_rows[s]);
  prc_delete(&fem->support_rows);
  prc_delete(&fem->support_count);
  prc_sym_free(&fem->M);
  prc_sym_free(&fem->K);
  prc_delete(&fem->cell_material);
  prc_delete(&fem->node_area);
  prc_delete(&fem->F_constant);
  prc_delete(&fem->terms.term);
  prc_delete(&fem->terms.dof);
  prc_delete(&fem->terms.value);
  prc_delete(&fem->prescribed);
  prc_delete(&fem->prescribed_support);
  prc_contact_points_free(&fem->points);
  prc_delete(&fem->contact_first);
  prc_delete(&fem->contact_node);
  prc_delete(&fem->contact_area);
  prc_delete(&fem->law);
  prc_delete(out);
}

const prc_system *prc_fem_system(const prc_fem *fem) {
  return &fem->system;
}
const prc_fem_model *prc_fem_get_model(const prc_fem *fem) {
  return fem->model;
}
int prc_fem_contact_first(const prc_fem *fem, int k) {
  return fem->contact_first[k];
}
const int *prc_fem_contact_nodes(const prc_fem *fem) {
  return fem->contact_node;
}
const double *prc_fem_contact_areas(const prc_fem *fem) {
  return fem->contact_area;
}
const double *prc_fem_contact_frames(const prc_fem *fem) {
  return fem->points->frame;
}

int prc_fem_support_rows(const prc_fem *fem, int k, const int **rows) {
  *rows = fem->support_rows[k];
  return fem->support_count[k];
}
