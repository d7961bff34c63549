#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

prc_mesh *block_mesh(const char *relative, double size) {
  const prc_mesh_options options = {.size = size};
  prc_mesh *mesh = NULL;
  prc_error_clear(&err);
  support_ok(prc_mesh_read(support_source(relative), &options, NULL, &mesh, &err), &err);
  return mesh;
}

static void *room(size_t count, size_t size) {
  void *made = NULL;
  support_ok(prc_allocate(count, size, &made, &err), &err);
  return made;
}

static void *copy_of(const void *from, size_t count, size_t size) {
  void *made = room(count, size);
  memcpy(made, from, count * size);
  return made;
}

static void set_box(prc_mesh *m) {
  for (int d = 0; d < 2; d++) m->low[d] = INFINITY, m->high[d] = -INFINITY;
  for (int i = 0; i < 2 * m->n_nodes; i++) {
    m->low[i % 2] = fmin(m->low[i % 2], m->x[i]);
    m->high[i % 2] = fmax(m->high[i % 2], m->x[i]);
  }
}

static int add_triangle(prc_mesh *m, int a, int b, int c) {
  int *cell = m->cell + 3 * m->n_cells;
  m->cell_start[m->n_cells] = 3 * m->n_cells;
  m->cell_element[m->n_cells] = prc_element_of_gmsh(2);
  const int low = a < b ? (a < c ? 0 : 2) : (b < c ? 1 : 2), n[3] = {a, b, c};
  for (int k = 0; k < 3; k++) cell[k] = n[(low + k) % 3];
  m->cell_tag[m->n_cells] = (size_t)m->n_cells + 1;
  return m->n_cells++;
}

static int cell_of_edge(const prc_mesh *m, int a, int b) {
  for (int c = 0; c < m->n_cells; c++)
    for (int k = 0; k < 3; k++)
      if (m->cell[3 * c + k] == a && m->cell[3 * c + (k + 1) % 3] == b) return c;
  ck_abort_msg("no triangle has the edge %d %d", a, b);
  return -1;
}

/* A side of the strip: n edges from node `from`, the next nodes `by` further; the body is on the left. */
static void add_side(prc_mesh *m, const char *name, int from, int by, int n) {
  prc_mesh_group *g = &m->group[m->n_groups++];
  g->name = copy_of(name, strlen(name) + 1, 1);
  g->dim = 1, g->n_cells = n, g->n_nodes = n + 1;
  g->cell = room((size_t)n, sizeof *g->cell);
  g->node = room((size_t)n + 1, sizeof *g->node);
  for (int k = 0; k <= n; k++) g->node[by > 0 ? k : n - k] = from + k * by;
  for (int k = 0; k < n; k++) {
    const int a = from + k * by, b = a + by;
    g->cell[k] = m->n_edges;
    m->edge[2 * m->n_edges] = a, m->edge[2 * m->n_edges + 1] = b;
    m->edge_middle[m->n_edges] = -1;
    m->edge_cell[m->n_edges++] = cell_of_edge(m, a, b);
  }
}

static void add_surface(prc_mesh *m) {
  prc_mesh_group *g = &m->group[m->n_groups++];
  g->name = copy_of("block", 6, 1);
  g->dim = 2, g->n_cells = m->n_cells, g->n_nodes = m->n_nodes;
  g->cell = room((size_t)m->n_cells, sizeof *g->cell);
  g->node = room((size_t)m->n_nodes, sizeof *g->node);
  for (int k = 0; k < m->n_cells; k++) g->cell[k] = k;
  for (int k = 0; k < m->n_nodes; k++) g->node[k] = k;
}

prc_mesh *block_strip(int nx, int ny, double width, double height) {
  prc_mesh *m = room(1, sizeof *m);
  const size_t n_edges = 2 * (size_t)(nx + ny), n_cells = 2 * (size_t)nx * (size_t)ny;
  m->n_nodes = (nx + 1) * (ny + 1);
  m->x = room(2 * (size_t)m->n_nodes, sizeof *m->x);
  m->tag = room((size_t)m->n_nodes, sizeof *m->tag);
  m->cell = room(3 * n_cells, sizeof *m->cell);
  m->cell_start = room(n_cells + 1, sizeof *m->cell_start);
  m->cell_start[n_cells] = 3 * (int)n_cells;
  m->cell_element = room(n_cells, sizeof *m->cell_element);
  m->cell_tag = room(n_cells, sizeof *m->cell_tag);
  m->edge_middle = room(n_edges, sizeof *m->edge_middle);
  m->edge = room(2 * n_edges, sizeof *m->edge);
  m->edge_cell = room(n_edges, sizeof *m->edge_cell);
  m->group = room(5, sizeof *m->group);
  for (int a = 0; a < m->n_nodes; a++) {
    m->x[2 * a] = width * (a % (nx + 1)) / nx;
    m->x[2 * a + 1] = height * (a / (nx + 1)) / ny; /* NOLINT: whole rows */
    m->tag[a] = (size_t)a + 1;
  }
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      const int a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1, turned = (i + j) % 2;
      add_triangle(m, a, b, turned ? d : c);
      add_triangle(m, turned ? b : a, c, d);
    }
  set_box(m);
  add_side(m, "bottom", 0, 1, nx);
  add_side(m, "right", nx, nx + 1, ny);
  add_side(m, "top", m->n_nodes - 1, -1, nx);
  add_side(m, "left", ny * (nx + 1), -(nx + 1), ny);
  add_surface(m);
  return m;
}

static prc_mesh *copy_mesh(const prc_mesh *from) {
  prc_mesh *m = copy_of(from, 1, sizeof *from);
  m->x = copy_of(from->x, 2 * (size_t)m->n_nodes, sizeof *m->x);
  m->tag = copy_of(from->tag, (size_t)m->n_nodes, sizeof *m->tag);
  m->cell_start = copy_of(from->cell_start, (size_t)m->n_cells + 1, sizeof *m->cell_start);
  m->cell = copy_of(from->cell, (size_t)m->cell_start[m->n_cells], sizeof *m->cell);
  m->cell_element = copy_of(from->cell_element, (size_t)m->n_cells, sizeof *m->cell_element);
  m->cell_tag = copy_of(from->cell_tag, (size_t)m->n_cells, sizeof *m->cell_tag);
  m->edge_middle = copy_of(from->edge_middle, (size_t)m->n_edges, sizeof *m->edge_middle);
  m->edge = copy_of(from->edge, 2 * (size_t)m->n_edges, sizeof *m->edge);
  m->edge_cell = copy_of(from->edge_cell, (size_t)m->n_edges, sizeof *m->edge_cell);
  m->edge_beyond =
      NULL; /* which moving and renumbering would have to follow; none of these meshes has edges inside */
  m->group = copy_of(from->group, (size_t)m->n_groups, sizeof *m->group);
  for (int g = 0; g < m->n_groups; g++) {
    prc_mesh_group *group = &m->group[g];
    group->name = copy_of(from->group[g].name, strlen(from->group[g].name) + 1, 1);
    group->cell = copy_of(from->group[g].cell, (size_t)group->n_cells, sizeof *group->cell);
    group->node = copy_of(from->group[g].node, (size_t)group->n_nodes, sizeof *group->node);
  }
  return m;
}

static void swap(int *a, int *b) {
  const int c = *a;
  *a = *b, *b = c;
}

prc_mesh *block_mapped(const prc_mesh *mesh, const double linear[2][2], const double offset[2]) {
  prc_mesh *m = copy_mesh(mesh);
  for (int a = 0; a < m->n_nodes; a++)
    for (int d = 0; d < 2; d++)
      m->x[2 * a + d] = offset[d] + linear[d][0] * mesh->x[2 * a] + linear[d][1] * mesh->x[2 * a + 1];
  if (linear[0][0] * linear[1][1] - linear[0][1] * linear[1][0] < 0.0) {
    for (int c = 0; c < m->n_cells; c++) swap(&m->cell[3 * c + 1], &m->cell[3 * c + 2]);
    for (int k = 0; k < m->n_edges; k++) swap(&m->edge[2 * k], &m->edge[2 * k + 1]);
  }
  set_box(m);
  return m;
}

static void shuffle(int n, int *to, prc_random *random) {
  for (int i = 0; i < n; i++) to[i] = i;
  for (int i = n - 1; i > 0; i--) swap(&to[i], &to[prc_random_bits(random) % (uint64_t)(i + 1)]);
}

static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void renumber(int n, int *list, const int *to, int sorted) {
  for (int k = 0; k < n; k++) list[k] = to[list[k]];
  if (sorted) qsort(list, (size_t)n, sizeof *list, by_value);
}

prc_mesh *block_shuffled(const prc_mesh *mesh, uint64_t seed, int *to) {
  prc_mesh *m = copy_mesh(mesh);
  prc_random random = {seed};
  int *cell_to = room((size_t)m->n_cells, sizeof *cell_to);
  shuffle(m->n_nodes, to, &random);
  shuffle(m->n_cells, cell_to, &random);
  for (int a = 0; a < m->n_nodes; a++)
    for (int d = 0; d < 2; d++) m->x[2 * to[a] + d] = mesh->x[2 * a + d];
  for (int c = 0; c < m->n_cells; c++) {
    const int *n = mesh->cell + 3 * c;
    m->n_cells = cell_to[c]; /* add_triangle writes there and counts */
    add_triangle(m, to[n[0]], to[n[1]], to[n[2]]);
    m->n_cells = mesh->n_cells;
  }
  renumber(2 * m->n_edges, m->edge, to, 0);
  renumber(m->n_edges, m->edge_cell, cell_to, 0);
  for (int g = 0; g < m->n_groups; g++) {
    renumber(m->group[g].n_nodes, m->group[g].node, to, 1);
    if (m->group[g].dim == 2) renumber(m->group[g].n_cells, m->group[g].cell, cell_to, 1);
  }
  free(cell_to);
  return m;
}

/* ---- the model ------------------------------------------------------------------------------------------------- */

static prc_status reversing(const prc_field *field, double x, double y, double t, double *value,
                            prc_error *e) {
  const block_traction *traction = field->data;
  const double s = sin(4.0 * acos(-1.0) * (t / traction->time));
  (void)x, (void)y, (void)e;
  *value = traction->factor * 2.0 * ((s > 0.0) - (s < 0.0));
  return PRC_OK;
}

void block_case(block *b, const prc_mesh *mesh) {
  const double point[2] = {0.0, 0.0}, up[2] = {0.0, 1.0};
  prc_error_clear(&err);
  *b = (block){.mesh = mesh, .unit = {1.0, 1.0, 1.0}, .traction = {1.0, 1.0}, .max_penetration = -1.0};
  b->material = (prc_fem_material){
      .group = prc_mesh_find(mesh, 2, "block"), .young = 5750.0, .poisson = 0.358, .density = 1.17e-3};
  b->load = (prc_fem_load){.name = "left", .group = prc_mesh_find(mesh, 1, "left")};
  b->load.traction[0] = (prc_field){.eval = reversing, .data = &b->traction, .uses_time = 1};
  b->support = (prc_fem_support){.name = "top", .group = prc_mesh_find(mesh, 1, "top"), .held = {0, 1}};
  b->support.displacement[1] = prc_field_constant(-0.005);
  b->contact = (prc_fem_contact){.name = "bottom", .group = prc_mesh_find(mesh, 1, "bottom")};
  b->contact.friction = prc_field_constant(0.5), b->contact.restitution = prc_field_constant(0.0);
  support_ok(prc_contact_plane_make(point, up, &b->contact.plane, &err), &err);
  b->model = (prc_fem_model){.mesh = mesh, .thickness = 15.0};
  b->model.gravity[1] = prc_field_constant(-1e-3);
  b->model.n_materials = b->model.n_loads = b->model.n_supports = b->model.n_contacts = 1;
  b->model.material = &b->material, b->model.load = &b->load;
  b->model.support = &b->support, b->model.contact = &b->contact;
  b->step = prc_step_options_default(1e-4);
  b->step.loads = PRC_LOADS_SAMPLED; /* as the paper has its square wave */
  b->preloaded = 1;
}

void block_in_units(block *b, block_units unit) {
  const double L = unit.length, M = unit.mass, T = unit.time;
  const double stress = M / (L * T * T);
  b->unit = unit;
  b->traction = (block_traction){stress * b->traction.factor, T};
  b->material.young *= stress;
  b->material.density *= M / (L * L * L);
  b->support.displacement[1].constant *= L;
  b->model.thickness *= L;
  b->model.gravity[1].constant *= L / (T * T);
  b->step.h *= T;
}

void block_without_support(block *b) {
  b->model.n_supports = 0;
  b->preloaded = 0;
}
void block_without_load(block *b) {
  b->model.n_loads = 0;
}
void block_without_contact(block *b) {
  b->model.n_contacts = 0;
}

void block_prepare(block *b) {
  support_ok(prc_fem_create(&b->model, &b->fem, &err), &err);
  b->system = prc_fem_system(b->fem);
  b->q0 = room((size_t)b->system->space.nv, sizeof *b->q0);
  b->v0 = room((size_t)b->system->space.nv, sizeof *b->v0);
  if (b->preloaded) support_ok(prc_fem_equilibrium(b->fem, 0, b->q0, NULL, &err), &err);
}

void block_begin(block *b) {
  support_ok(prc_stepper_create(b->system, &b->step, &b->stepper, &err), &err);
  const prc_ledger_options options = {.promises = prc_stepper_promises(b->stepper),
                                      .accepted = 1U << PRC_INDICATOR_strain,
                                      .tolerance = b->step.cone.tolerance,
                                      .max_penetration = b->max_penetration};
  support_ok(prc_stepper_start(b->stepper, b->q0, b->v0, &err), &err);
  support_ok(prc_ledger_create(&options, &b->ledger, &err), &err);
  b->record = prc_stepper_record(b->stepper);
  prc_ledger_start(b->ledger, b->record);
  b->row = prc_ledger_now(b->ledger);
}

void block_start(block *b) {
  block_prepare(b);
  block_begin(b);
}

void block_step(block *b, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(b->stepper, &err), &err);
    prc_ledger_enter(b->ledger, b->record);
  }
}

void block_free(block *b) {
  prc_ledger_free(&b->ledger);
  prc_stepper_free(&b->stepper);
  prc_fem_free(&b->fem);
  prc_delete(&b->q0);
  prc_delete(&b->v0);
}

double block_energy(const block *b) {
  return b->row->kinetic + b->row->elastic;
}

prc_certificate block_certificate(block *b) {
  prc_step_drift drift;
  support_ok(prc_stepper_drift(b->stepper, &drift, &err), &err);
  prc_ledger_drift(b->ledger, b->record->step, &drift);
  return prc_ledger_certificate(b->ledger);
}
