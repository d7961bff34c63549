#include "config.h"
#include "base/order.h"
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Snapshots for ParaView: the fields of a mesh, or the outlines of rigid bodies. The state is copied, so that
 * the run can go on while a second thread makes the fields and writes them. */

#define SNAPSHOTS "vtu" /* their folder */

struct cli_snapshots {
  const prc_model *model;
  prc_folder *folder; /* vtu */
  const prc_output_writer *writer;
  prc_background *background; /* NULL: written in place */
  prc_output_frame *frame;    /* of a mesh */
  prc_output_pvd *pvd;
  double h, t; /* the state */
  int step, n_contacts;
  double *q, *v, *gap, *p;
  int *status;
  double *field; /* room for what follows */
  int *node_status;
  double listed;      /* prc_clock() when the collection was last written */
  prc_error unlisted; /* why it was not, the first time */
  int is_unlisted;    /* the same, for the thread that computes */
};

/* ---- meshes -------------------------------------------------------------------------------------------- */

typedef struct {
  double *stress_nodes, *gap, *traction, *stress, *out_of_plane, *energy;
} mesh_fields;

static size_t mesh_field_size(const prc_mesh *mesh) {
  return 6 * (size_t)mesh->n_nodes + 5 * (size_t)mesh->n_cells;
}

static mesh_fields place_fields(const prc_mesh *mesh, double *field) {
  const size_t nodes = (size_t)mesh->n_nodes, cells = (size_t)mesh->n_cells;
  double *on_cells = field + 6 * nodes;
  return (mesh_fields){.stress_nodes = field,
                       .gap = field + 3 * nodes,
                       .traction = field + 4 * nodes,
                       .stress = on_cells,
                       .out_of_plane = on_cells + 3 * cells,
                       .energy = on_cells + 4 * cells};
}

/* Contact fields at the nodes: gap, status (-1: no candidate, 0 open, 1 sticking, 2 sliding) and traction
 * p/(h area) in x and y; of a node that faces several planes, the smallest gap, the firmest status and the
 * sum. */
static void contact_fields(const cli_snapshots *s, const mesh_fields *f) {
  const prc_fem *fem = s->model->fem;
  const size_t nodes = (size_t)s->model->mesh->n_nodes;
  memset(f->gap, 0, nodes * sizeof *f->gap);
  memset(f->traction, 0, 2 * nodes * sizeof *f->traction);
  for (size_t a = 0; a < nodes; a++) s->node_status[a] = -1;
  for (int c = 0, n = prc_fem_contact_first(fem, prc_fem_get_model(fem)->n_contacts); c < n; c++) {
    const int node = prc_fem_contact_nodes(fem)[c];
    const double *frame = prc_fem_contact_frames(fem) + 4 * c, area = prc_fem_contact_areas(fem)[c];
    if (s->node_status[node] < 0 || s->gap[c] < f->gap[node]) f->gap[node] = s->gap[c];
    if (s->status[c] > s->node_status[node]) s->node_status[node] = s->status[c];
    for (int k = 0; k < 2 && area > 0.0; k++)
      f->traction[2 * node + k] += (s->p[2 * c] * frame[k] + s->p[2 * c + 1] * frame[2 + k]) / (s->h * area);
  }
}

static prc_status write_mesh(const cli_snapshots *s, const char *name, prc_error *err) {
  const mesh_fields f = place_fields(s->model->mesh, s->field);
  prc_fem_cell_fields(s->model->fem, s->q, f.stress, f.out_of_plane, f.energy);
  prc_fem_node_stress(s->model->fem, s->q, f.stress_nodes);
  contact_fields(s, &f);
  const prc_output_array points[] = {{"displacement", 2, s->q, NULL},
                                     {"velocity", 2, s->v, NULL},
                                     {"stress_recovered", 3, f.stress_nodes, NULL},
                                     {"contact_gap", 1, f.gap, NULL},
                                     {"contact_traction", 2, f.traction, NULL},
                                     {"contact_status", 1, NULL, s->node_status}};
  const prc_output_array on_cells[] = {{"stress", 3, f.stress, NULL},
                                       {"stress_out_of_plane", 1, f.out_of_plane, NULL},
                                       {"energy_density", 1, f.energy, NULL}};
  return prc_output_frame_write(s->frame, s->folder, name, 6, points, 3, on_cells, err);
}

static prc_status create_frame(cli_snapshots *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = s->model->mesh;
  int *node = NULL, *type = NULL;
  prc_try(prc_new(&node, mesh->n_nodes, err));
  prc_try(prc_new(&type, mesh->n_cells, err));
  for (int a = 0; a < mesh->n_nodes; a++) node[a] = (int)mesh->tag[a];
  for (int c = 0; c < mesh->n_cells; c++) type[c] = mesh->cell_element[c]->vtk_type;
  const prc_output_array nodes = {"node", 1, NULL, node};
  const prc_output_cells cells = {
      .n = mesh->n_cells, .node = mesh->cell, .start = mesh->cell_start, .type = type};
  status = prc_output_frame_create(s->writer, mesh->n_nodes, mesh->x, &cells, 1, &nodes, &s->frame, err);
done:
  prc_delete(&node);
  prc_delete(&type);
  return status;
}

/* ---- rigid bodies -------------------------------------------------------------------------------------- */

static prc_status write_outline(const cli_snapshots *s, const char *name, prc_error *err) {
  const prc_rigid_outline *outline = prc_rigid_get_outline(s->model->rigid);
  double *x = s->field, *velocity = x + 2 * outline->n_points;
  const prc_output_array points[] = {{"velocity", 2, velocity, NULL}, {"body", 1, NULL, outline->body}};
  const prc_output_cells segments = {.n = outline->n_segments, .width = 2, .node = outline->segment};
  prc_rigid_place_outline(s->model->rigid, s->q, s->v, x, velocity);
  return prc_output_vtu(s->writer, s->folder, name, outline->n_points, x, &segments, 2, points, 0, NULL, err);
}

/* ---- both ---------------------------------------------------------------------------------------------- */

static prc_status create_buffers(cli_snapshots *s, const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = s->model->mesh;
  const size_t outline = s->model->rigid ? 4 * (size_t)prc_rigid_get_outline(s->model->rigid)->n_points : 0;
  const prc_system *system = run->system;
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  s->n_contacts = set->n;
  prc_try(prc_new(&s->q, system->space.nv, err));
  prc_try(prc_new(&s->v, system->space.nv, err));
  prc_try(prc_new(&s->gap, s->n_contacts, err));
  prc_try(prc_new(&s->p, (size_t)set->dim * (size_t)s->n_contacts, err));
  prc_try(prc_new(&s->status, s->n_contacts, err));
  prc_try(prc_new(&s->field, mesh ? mesh_field_size(mesh) : outline, err));
  prc_try(prc_new(&s->node_status, mesh ? mesh->n_nodes : 0, err));
  if (mesh) prc_try(create_frame(s, err));
done:
  return status;
}

static void name_listed(int step, char name[64]) {
  snprintf(name, 64, SNAPSHOTS "/step-%08d.vtu", step);
}

static prc_status create_collection(cli_snapshots *s, const cli_run_state *run, int resumed, prc_error *err) {
  static const char name[] = "solution.pvd";
  const prc_status status = prc_output_pvd_create(run->results, name, &s->pvd, err);
  if (status != PRC_OK || !resumed || faccessat(prc_folder_descriptor(run->results), name, F_OK, 0) != 0)
    return status; /* the first part had no snapshots */
  return prc_output_pvd_restore(s->pvd, prc_stepper_record(run->stepper)->t, err);
}

/* The steps of the snapshots that are there, up to the present one. */
static prc_status find_snapshots(const cli_snapshots *s, int last, int **step, size_t *n, prc_error *err) {
  prc_status status = PRC_OK;
  size_t capacity = 0;
  const int descriptor = openat(prc_folder_descriptor(s->folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *open = descriptor >= 0 ? fdopendir(descriptor) : NULL;
  for (const struct dirent *entry; open && status == PRC_OK && (entry = readdir(open));) {
    int k, length = 0;
    if (sscanf(entry->d_name, "step-%9d.vtu%n", &k, &length) != 1 || length == 0 || entry->d_name[length]
        || k > last)
      continue;
    status = prc_grow(step, &capacity, *n + 1, sizeof **step, err);
    if (status == PRC_OK) (*step)[(*n)++] = k;
  }
  if (!open)
    status = prc_fail(err, PRC_IO, "%s: cannot be listed: %s", prc_folder_path(s->folder), strerror(errno));
  if (open)
    closedir(open);
  else if (descriptor >= 0)
    close(descriptor);
  if (*n > 0) qsort(*step, *n, sizeof **step, prc_by_int);
  return status;
}

/* What was written and not listed before the run ended is listed now. */
static prc_status complete_collection(cli_snapshots *s, const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double h = prc_stepper_options(run->stepper)->h, listed = prc_output_pvd_last(s->pvd);
  int *step = NULL;
  size_t n = 0;
  prc_try(find_snapshots(s, r->step, &step, &n, err));
  for (size_t k = 0; k < n; k++) {
    char name[64];
    if (step[k] * h <= listed + 1e-12 * fabs(listed)) continue;
    name_listed(step[k], name);
    prc_try(prc_output_pvd_add(s->pvd, step[k] * h, name, err));
  }
done:
  prc_delete(&step);
  return status;
}

prc_status cli_snapshots_create(cli_run_state *run, int resumed, prc_error *err) {
  prc_status status = PRC_OK;
  cli_snapshots *s = NULL;
  if (run->c->output.every == 0) return PRC_OK;
  prc_try(prc_new(&s, 1, err));
  s->model = run->model, s->writer = run->writer;
  prc_try(prc_folder_open_below(run->results, SNAPSHOTS, 1, &s->folder, err));
  s->listed = -INFINITY;
  prc_try(create_buffers(s, run, err));
  prc_try(create_collection(s, run, resumed, err));
  if (resumed) prc_try(complete_collection(s, run, err));
  if (run->threads > 1 && !prc_stepper_facts(run->stepper).linear.shared) /* else they all have work */
    prc_try(prc_background_create(&s->background, err));
  run->snapshots = s, s = NULL;
done:
  cli_snapshots_free(&s);
  return status;
}

void cli_snapshots_free(cli_snapshots **snapshots) {
  cli_snapshots *s = *snapshots;
  if (!s) return;
  prc_background_free(&s->background);
  prc_output_frame_free(&s->frame);
  prc_output_pvd_free(&s->pvd);
  prc_folder_close(&s->folder);
  prc_delete(&s->q);
  prc_delete(&s->v);
  prc_delete(&s->gap);
  prc_delete(&s->p);
  prc_delete(&s->status);
  prc_delete(&s->field);
  prc_delete(&s->node_status);
  prc_delete(snapshots);
}

static void copy_state(cli_snapshots *s, const prc_stepper *stepper) {
  const prc_step_record *r = prc_stepper_record(stepper);
  const size_t n = (size_t)r->n_contacts;
  s->step = r->step, s->t = r->t, s->h = r->h;
  memcpy(s->q, r->q, (size_t)r->n * sizeof *s->q);
  prc_stepper_state(stepper, s->v, NULL, NULL);
  memcpy(s->gap, r->gap, n * sizeof *s->gap);
  memcpy(s->p, r->p, (size_t)r->dim * n * sizeof *s->p);
  memcpy(s->status, r->status, n * sizeof *s->status);
}

/* The collection is replaced at most twice a second: that may cost more than the snapshot, because it is
 * forced to the disk. */
static prc_status list_snapshot(cli_snapshots *s, const char *name, prc_error *err) {
  const prc_status status = prc_output_pvd_add(s->pvd, s->t, name, err);
  if (status != PRC_OK || prc_clock() - s->listed < 0.5) return status;
  s->listed = prc_clock();
  (void)!prc_output_pvd_write(s->pvd, &s->unlisted);
  return PRC_OK;
}

static prc_status write_snapshot(void *data, prc_error *err) {
  cli_snapshots *s = data;
  char listed[64];
  name_listed(s->step, listed);
  const char *name = listed + sizeof SNAPSHOTS;
  const prc_status status = s->model->mesh ? write_mesh(s, name, err) : write_outline(s, name, err);
  return status == PRC_OK ? list_snapshot(s, listed, err) : status;
}

prc_status cli_snapshots_add(cli_run_state *run, prc_error *err) {
  cli_snapshots *s = run->snapshots;
  prc_status status = prc_background_wait(s->background, err);
  if (status != PRC_OK) return status;
  s->is_unlisted = s->unlisted.status != PRC_OK; /* the thread that writes is at rest */
  copy_state(s, run->stepper);
  status = prc_background_begin(s->background, write_snapshot, s, err);
  if (!s->background) s->is_unlisted = s->unlisted.status != PRC_OK;
  return status;
}

int cli_snapshots_unlisted(const cli_run_state *run) {
  return run->snapshots && run->snapshots->is_unlisted;
}

prc_status cli_snapshots_wait(const cli_run_state *run, prc_error *err) {
  return run->snapshots ? prc_background_wait(run->snapshots->background, err) : PRC_OK;
}

prc_status cli_snapshots_list(const cli_run_state *run, prc_error *err) {
  if (!run->snapshots) return PRC_OK;
  const prc_error *before = &run->snapshots->unlisted;
  const prc_status status = prc_output_pvd_write(run->snapshots->pvd, err);
  if (status == PRC_OK && before->status != PRC_OK)
    return prc_fail(err, before->status, "%s", before->message);
  return status;
}

int cli_snapshots_in_background(const cli_run_state *run) {
  return run->snapshots && run->snapshots->background;
}
