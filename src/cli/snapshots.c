#include "config.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* Snapshots for ParaView: the fields of a mesh, or the outlines of rigid bodies. */

size_t cli_snapshot_size(const cli_run_state *run) {
  if (run->model->rigid)
    return (size_t)run->system->n_dof + 4 * (size_t)prc_rigid_get_outline(run->model->rigid)->n_points;
  return 8 * (size_t)run->model->mesh->n_nodes + 5 * (size_t)run->model->mesh->n_cells;
}

/* ---- meshes ----------------------------------------------------------------------------------------------- */

typedef struct {
  double *velocity, *stress_nodes, *gap, *traction, *stress, *out_of_plane, *energy;
  int *status, *node, *cell_type;
} snapshot;

/* Contact fields at the nodes: gap, status (-1: no candidate, 0 open, 1 sticking, 2 sliding) and traction p/(h area) in x and
 * y; of a node that faces several planes, the smallest gap, the firmest status and the sum. */
static void contact_fields(const cli_run_state *run, const prc_step_record *r, snapshot *s) {
  const prc_fem *fem = run->model->fem;
  for (int a = 0; a < run->model->mesh->n_nodes; a++) s->status[a] = -1;
  for (int c = 0; c < r->n_contacts; c++) {
    const int node = prc_fem_contact_nodes(fem)[c];
    const double *frame = prc_fem_contact_frames(fem) + 4 * c, area = prc_fem_contact_areas(fem)[c];
    if (s->status[node] < 0 || r->gap[c] < s->gap[node]) s->gap[node] = r->gap[c];
    if (r->status[c] > s->status[node]) s->status[node] = r->status[c];
    for (int k = 0; k < 2 && area > 0.0; k++)
      s->traction[2 * node + k] += (r->p[2 * c] * frame[k] + r->p[2 * c + 1] * frame[2 + k]) / (r->h * area);
  }
}

static prc_status integer_fields(const cli_run_state *run, snapshot *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = run->model->mesh;
  prc_try(prc_new(&s->status, mesh->n_nodes, err));
  prc_try(prc_new(&s->node, mesh->n_nodes, err));
  for (int a = 0; a < mesh->n_nodes; a++) s->node[a] = (int)mesh->tag[a];
  prc_try(prc_new(&s->cell_type, mesh->n_cells, err));
  for (int c = 0; c < mesh->n_cells; c++) s->cell_type[c] = mesh->cell_element[c]->vtk_type;
done:
  return status;
}

static prc_status write_vtu(cli_run_state *run, const prc_step_record *r, const snapshot *s, const char *name,
                            prc_error *err) {
  const prc_mesh *mesh = run->model->mesh;
  const prc_output_array points[] = {{"displacement", 2, r->q, NULL},
                                     {"velocity", 2, s->velocity, NULL},
                                     {"stress_recovered", 3, s->stress_nodes, NULL},
                                     {"contact_gap", 1, s->gap, NULL},
                                     {"contact_traction", 2, s->traction, NULL},
                                     {"contact_status", 1, NULL, s->status},
                                     {"node", 1, NULL, s->node}};
  const prc_output_array on_cells[] = {{"stress", 3, s->stress, NULL},
                                       {"stress_out_of_plane", 1, s->out_of_plane, NULL},
                                       {"energy_density", 1, s->energy, NULL}};
  const prc_output_cells cells = {
      .n = mesh->n_cells, .node = mesh->cell, .start = mesh->cell_start, .type = s->cell_type};
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", run->folder, name);
  return prc_output_vtu(path, mesh->n_nodes, mesh->x, &cells, 7, points, 3, on_cells, err);
}

static prc_status mesh_snapshot(cli_run_state *run, const char *name, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const size_t nodes = (size_t)run->model->mesh->n_nodes, cells = (size_t)run->model->mesh->n_cells;
  double *f = run->field;
  snapshot s = {
      .velocity = f, .stress_nodes = f + 2 * nodes, .gap = f + 5 * nodes, .traction = f + 6 * nodes};
  s.stress = f + 8 * nodes, s.out_of_plane = s.stress + 3 * cells, s.energy = s.stress + 4 * cells;
  prc_try(integer_fields(run, &s, err));
  memset(s.gap, 0, 3 * nodes * sizeof *f);
  prc_stepper_state(run->stepper, s.velocity, NULL, NULL);
  prc_fem_cell_fields(run->model->fem, r->q, s.stress, s.out_of_plane, s.energy);
  prc_fem_node_stress(run->model->fem, r->q, s.stress_nodes);
  contact_fields(run, r, &s);
  prc_try(write_vtu(run, r, &s, name, err));
done:
  prc_delete(&s.status);
  prc_delete(&s.node);
  prc_delete(&s.cell_type);
  return status;
}

/* ---- rigid bodies --------------------------------------------------------------------------------------------- */

static prc_status outline_snapshot(cli_run_state *run, const char *name, prc_error *err) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(run->model->rigid);
  double *v = run->field, *x = v + run->system->n_dof, *velocity = x + 2 * outline->n_points;
  const prc_output_array points[] = {{"velocity", 2, velocity, NULL}, {"body", 1, NULL, outline->body}};
  char path[4200];
  prc_stepper_state(run->stepper, v, NULL, NULL);
  prc_rigid_place_outline(run->model->rigid, prc_stepper_record(run->stepper)->q, v, x, velocity);
  snprintf(path, sizeof path, "%s/%s", run->folder, name);
  const prc_output_cells segments = {.n = outline->n_segments, .width = 2, .node = outline->segment};
  return prc_output_vtu(path, outline->n_points, x, &segments, 2, points, 0, NULL, err);
}

prc_status cli_results_snapshot(cli_run_state *run, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char name[64];
  snprintf(name, sizeof name, "vtu/step-%08d.vtu", r->step);
  const prc_status status =
      run->model->rigid ? outline_snapshot(run, name, err) : mesh_snapshot(run, name, err);
  return status == PRC_OK ? prc_output_pvd_add(run->pvd, r->t, name, err) : status;
}
