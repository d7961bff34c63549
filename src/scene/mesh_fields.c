#include "config.h"
#include "scene/view.h"

#include <string.h>

/* Fields of a mesh: displacement, velocity, stresses, and what its contacts know at the nodes. */

typedef struct {
  double *stress_nodes, *gap, *traction, *stress, *out_of_plane, *energy;
  double *area, *rest,
      *rubs[PRC_VIEW_RUBS]; /* of interfaces: areas around nodes, forces there that are not of planes */
  double *strain;           /* if it is asked for */
} mesh_fields;

static mesh_fields place_fields(const prc_mesh *mesh, double *field) {
  const size_t nodes = (size_t)mesh->n_nodes, cells = (size_t)mesh->n_cells;
  double *on_cells = field + 6 * nodes;
  return (mesh_fields){.stress_nodes = field,
                       .gap = field + 3 * nodes,
                       .traction = field + 4 * nodes,
                       .stress = on_cells,
                       .out_of_plane = on_cells + 3 * cells,
                       .energy = on_cells + 4 * cells,
                       .area = on_cells + 5 * cells,
                       .rest = on_cells + 5 * cells + nodes,
                       .rubs = {on_cells + 5 * cells + 3 * nodes, on_cells + 5 * cells + 4 * nodes,
                                on_cells + 5 * cells + 5 * nodes},
                       .strain = on_cells + 5 * cells + 6 * nodes};
}

/* integers: tags of the nodes, their status, the types of the cells, and, if they are asked for, materials and bodies */
prc_status prc_mesh_view_fields(const void *self, prc_view_fields *fields, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  const size_t nodes = (size_t)mesh->n_nodes, cells = (size_t)mesh->n_cells;
  prc_try(prc_new(&fields->real, 12 * nodes + (fields->asked & PRC_VIEW_STRAIN ? 8 : 5) * cells, err));
  prc_try(prc_new(&fields->integer, 2 * nodes + 3 * cells, err));
  int *type = fields->integer + 2 * nodes;
  for (int a = 0; a < mesh->n_nodes; a++) fields->integer[a] = (int)mesh->tag[a];
  for (int c = 0; c < mesh->n_cells; c++) type[c] = mesh->cell_element[c]->vtk_type;
  fields->n_points = mesh->n_nodes, fields->x = mesh->x;
  fields->cells =
      (prc_cells){.n = mesh->n_cells, .node = mesh->cell, .start = mesh->cell_start, .type = type};
  prc_fem_side_areas(self, place_fields(mesh, fields->real).area);
  memcpy(type + cells, prc_fem_cell_materials(self), cells * sizeof *type);
  int n_bodies = 0;
  if (fields->asked & PRC_VIEW_BODY)
    prc_try(prc_mesh_view_number_bodies(self, &n_bodies, type + 2 * cells, err));
  for (size_t c = 0; c < cells; c++) type[2 * cells + c] += fields->first_body;
  fields->fixed[fields->n_fixed++] = (prc_array){"node", 1, NULL, fields->integer};
done:
  return status;
}

/* Contact fields at the nodes: gap, status (-1: no candidate, 0 open, 1 sticking, 2 sliding) and traction
 * p/(h area) in x and y; of a node that faces several obstacles, the smallest gap, the firmest status and
 * the sum. Tractions are those on planes. */
static void contact_fields(const prc_fem *fem, const prc_view_state *state, const mesh_fields *f,
                           int *status) {
  const size_t nodes = (size_t)prc_fem_get_model(fem)->mesh->n_nodes;
  const int planes = prc_fem_contact_first(fem, prc_fem_get_model(fem)->n_contacts);
  memset(f->gap, 0, nodes * sizeof *f->gap);
  memset(f->traction, 0, 2 * nodes * sizeof *f->traction);
  for (size_t a = 0; a < nodes; a++) status[a] = -1;
  for (int i = 0; i < state->n_contacts; i++) {
    const prc_view_contact *c = &state->contact[i];
    const int node = c->feature;
    if (status[node] < 0 || c->gap < f->gap[node]) f->gap[node] = c->gap;
    if (c->status > status[node]) status[node] = c->status;
    for (int k = 0; k < PRC_VIEW_RUBS && state->force; k++) f->rubs[k][node] = c->rubs[k];
    if (c->own < 0 || c->own >= planes) continue;
    const double *frame = prc_fem_contact_frames(fem) + 4 * c->own, area = prc_fem_contact_areas(fem)[c->own];
    for (int k = 0; k < 2 && area > 0.0; k++)
      f->traction[2 * node + k] += (c->p[0] * frame[k] + c->p[1] * frame[2 + k]) / (state->h * area);
    for (int k = 0; k < 2 && state->force; k++)
      f->rest[2 * node + k] -= (c->p[0] * frame[k] + c->p[1] * frame[2 + k]) / state->h;
  }
}

/* Fields of the two sides of interfaces, before each contact's own values: means of the contacts that push a
 * node, and the force there. */
static void begin_sides(const prc_fem *fem, const prc_view_state *state, const mesh_fields *f) {
  const int n = prc_fem_get_model(fem)->mesh->n_nodes;
  memcpy(f->rest, state->force, 2 * (size_t)n * sizeof *f->rest);
  for (int a = 0; a < n; a++) {
    const double weight = state->weight[2 * a] + state->weight[2 * a + 1];
    for (int k = 0; k < PRC_VIEW_RUBS; k++)
      f->rubs[k][a] = weight > 0.0 ? (state->rubs[k][2 * a] * state->weight[2 * a]
                                      + state->rubs[k][2 * a + 1] * state->weight[2 * a + 1])
                                         / weight
                                   : 0.0;
  }
}

/* Forces over the areas around nodes. */
static void add_sides(const prc_fem *fem, const mesh_fields *f) {
  for (int a = 0; a < prc_fem_get_model(fem)->mesh->n_nodes; a++)
    for (int k = 0; k < 2 && f->area[a] > 0.0; k++) f->traction[2 * a + k] += f->rest[2 * a + k] / f->area[a];
}

/* Behind the others on cells. */
static void add_asked(const void *self, const prc_view_state *state, const mesh_fields *f,
                      prc_view_fields *fields) {
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  const int *material = fields->integer + 2 * mesh->n_nodes + mesh->n_cells;
  const prc_array asked[] = {{"strain", 3, f->strain, NULL},
                             {"material", 1, NULL, material},
                             {"body", 1, NULL, material + mesh->n_cells}};
  if (fields->asked & PRC_VIEW_STRAIN) prc_fem_cell_strain(self, state->q, f->strain);
  for (int k = 0; k < 3; k++)
    if (fields->asked & 1U << k) fields->on_cells[fields->n_on_cells++] = asked[k];
}

void prc_mesh_view_update(const void *self, const prc_view_state *state, prc_view_fields *fields) {
  const prc_mesh *mesh = prc_fem_get_model(self)->mesh;
  const mesh_fields f = place_fields(mesh, fields->real);
  int *status = fields->integer + mesh->n_nodes;
  prc_fem_cell_fields(self, state->q, f.stress, f.out_of_plane, f.energy);
  prc_fem_node_stress(self, state->q, f.stress_nodes);
  if (state->force) begin_sides(self, state, &f);
  contact_fields(self, state, &f, status);
  if (state->force) add_sides(self, &f);
  const prc_array points[] = {
      {"displacement", 2, state->q, NULL},           {"velocity", 2, state->v, NULL},
      {"stress_recovered", 3, f.stress_nodes, NULL}, {"contact_gap", 1, f.gap, NULL},
      {"contact_traction", 2, f.traction, NULL},     {"contact_status", 1, NULL, status},
      {"contact_slip", 1, f.rubs[0], NULL},          {"contact_friction", 1, f.rubs[1], NULL},
      {"contact_state", 1, f.rubs[2], NULL}};
  const prc_array cells[] = {{"stress", 3, f.stress, NULL},
                             {"stress_out_of_plane", 1, f.out_of_plane, NULL},
                             {"energy_density", 1, f.energy, NULL}};
  fields->n_on_points = state->force ? 6 + PRC_VIEW_RUBS : 6, fields->n_on_cells = 3;
  memcpy(fields->on_points, points, sizeof points);
  memcpy(fields->on_cells, cells, sizeof cells);
  add_asked(self, state, &f, fields);
}
