#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* Contacts of groups of edges with planes: the nodes that may touch, their laws, and what they are asked in a step. */

static prc_status candidate_law(prc_fem *fem, const prc_fem_contact *contact, int c, prc_error *err) {
  const double *x = fem->model->mesh->x + 2 * fem->contact_node[c];
  const prc_law_fields coulomb = {prc_frictions()[0], {contact->friction}};
  const prc_status status =
      prc_law_at(contact->law ? contact->law : &coulomb, &contact->restitution,
                 contact->restitution_tangential, x, &fem->law[c], &fem->formulas[c], err);
  if (status == PRC_OK && !contact->law && fem->law[c].formulas)
    fem->formulas[c].parameter[0] = &contact->friction; /* and not that of the copy */
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

static prc_status allocate_candidates(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  const int n_all = model->n_contacts + model->n_interfaces;
  prc_try(prc_new(&fem->contact_first, (size_t)n_all + 1, err));
  for (int g = 0; g < model->n_contacts; g++) {
    if (model->contact[g].group->n_nodes == 0)
      prc_try(prc_fail(err, PRC_INPUT, "contact '%s': its group '%s' has no nodes", model->contact[g].name,
                       model->contact[g].group->name));
    status = prc_fem_check_boundary(model->mesh, model->contact[g].group, err);
    if (status != PRC_OK) prc_error_context(err, "contact '%s'", model->contact[g].name);
    prc_try(status);
    fem->contact_first[g + 1] = fem->contact_first[g] + model->contact[g].group->n_nodes;
  }
  prc_try(prc_contact_points_create(fem->contact_first[model->n_contacts], &fem->points, err));
  for (int i = 0; i < model->n_interfaces; i++)
    fem->contact_first[model->n_contacts + i + 1] =
        fem->contact_first[model->n_contacts + i] + model->interface[i].group[1]->n_nodes;
  const int n = fem->contact_first[n_all];
  prc_try(prc_new(&fem->contact_node, n, err));
  prc_try(prc_new(&fem->contact_area, n, err));
  prc_try(prc_new(&fem->contact_frame, 4 * (size_t)n, err));
  prc_try(prc_new(&fem->law, n, err));
  prc_try(prc_new(&fem->formulas, n, err));
  fem->size = prc_fem_diagonal(fem->model->mesh);
done:
  return status;
}

prc_status prc_fem_make_candidates(prc_fem *fem, prc_error *err) {
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
      prc_contact_plane_frame(&contact->plane, fem->contact_frame + 4 * c);
      prc_try(candidate_law(fem, contact, c, err));
    }
    status = prc_fem_refuse_held(fem, contact->group, contact->plane.normal, err);
    if (status != PRC_OK) prc_error_context(err, "contact '%s'", contact->name);
    prc_try(status);
  }
done:
  prc_delete(&scratch);
  return status;
}

/* Node c of the groups is the contact c of the set: both are in the order of groups and nodes. Against planes H does not change. */
/* Directions of sides of a mesh are those of the place where they were found: a node that slides over an edge of the other side would have u_k and H of two sides. */
static void evaluate(void *body, const prc_at *at, unsigned what, prc_contact_set *set) {
  prc_fem *fem = body;
  const prc_contact_points *points = fem->points;
  if (what & PRC_EVALUATE_CENTRE) return;
  if (what & PRC_EVALUATE_GAP) prc_contact_points_gap(points, at->q, set->gap);
  if (what & PRC_EVALUATE_H) memcpy(set->H.x, points->frame, 4 * (size_t)points->n * sizeof *set->H.x);
  for (int i = 0, first = points->n; i < fem->model->n_interfaces; i++)
    first += prc_fem_evaluate_interface(fem, i, at, what, set, first);
}

static double largest_speed(const prc_fem *fem, int i, const double *v) {
  double largest = 0.0;
  for (int side = 0; side < 2; side++) {
    const prc_mesh_group *group = fem->model->interface[i].group[side];
    for (int k = 0; k < group->n_nodes; k++)
      largest = fmax(largest, hypot(v[2 * group->node[k]], v[2 * group->node[k] + 1]));
  }
  return largest;
}

static prc_status find(void *body, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *err) {
  prc_fem *fem = body;
  prc_status status = PRC_OK;

  for (int g = 0; g < fem->model->n_contacts; g++)
    for (int c = fem->contact_first[g]; c < fem->contact_first[g + 1]; c++) {
      const prc_contact contact = {.id = {(uint32_t)g, 0, 0, (uint32_t)fem->contact_node[c]},
                                   .group = g,
                                   .body = {-1, 0},
                                   .n_dof = 2,
                                   .dof = fem->points->dof + 2 * c,
                                   .law = &fem->law[c],
                                   .size = fem->size,
                                   .place = {fem->model->mesh->x[2 * fem->contact_node[c]],
                                             fem->model->mesh->x[2 * fem->contact_node[c] + 1]}};
      prc_try(prc_contact_set_add(set, &contact, err));
    }
  for (int i = 0; i < fem->model->n_interfaces; i++)
    prc_try(prc_fem_find_interface(fem, i, at, reach + 2.0 * h * largest_speed(fem, i, at->v), set, err));
done:
  return status;
}

prc_contacts prc_fem_contacts(const prc_fem *fem) {
  const prc_fem_model *model = fem->model;
  const int n = fem->contact_first[model->n_contacts + model->n_interfaces];
  prc_contacts contacts = {.dim = 2, .find = find, .evaluate = evaluate};
  if (n == 0) return (prc_contacts){0};
  if (!prc_fem_slides(model)) return contacts;
  contacts.varies = PRC_CONTACTS_H | PRC_CONTACTS_SET;
  contacts.ramps = 1;
  contacts.n_laws = n, contacts.law = fem->laws;
  contacts.touched = fem->touched;
  return contacts;
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
  return fem->contact_frame;
}

int prc_fem_contact_carrier(const prc_fem *fem, int c) {
  const prc_fem_model *model = fem->model;
  int i = model->n_interfaces - 1;
  while (i >= 0 && c < fem->contact_first[model->n_contacts + i]) i--;
  if (i < 0) return c;
  const int first = fem->contact_first[model->n_contacts + i], j = fem->touch[i].mortar->goes[c - first];
  return j < 0 ? -1 : first + j;
}

void prc_fem_side_areas(const prc_fem *fem, double *area) {
  const prc_fem_model *model = fem->model;
  memset(area, 0, (size_t)model->mesh->n_nodes * sizeof *area);
  for (int i = 0; i < 2 * model->n_interfaces; i++) {
    const prc_mesh_group *group = model->interface[i / 2].group[i % 2];
    for (int k = 0; k < group->n_cells; k++) {
      int node[3];
      double share[3];
      for (int a = 0, n = prc_fem_edge_areas(model, group->cell[k], node, share); a < n; a++)
        area[node[a]] += share[a];
    }
  }
}
