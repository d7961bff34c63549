#include "config.h"
#include "support/halves.h"

static void add_node(prc_mesh_group *g, int a) {
  for (int k = 0; k < g->n_nodes; k++)
    if (g->node[k] == a) return;
  g->node[g->n_nodes++] = a;
}

void halves_open(halves *h, int type, int held, const double one[3], const double two[3]) {
  const plate p = {.type = type, .nx = 4, .ny = 3, .width = 2.0, .height = 1.0};
  rig *r = &h->rig;
  rig_open(r, &p, one);
  if (held) rig_hold(r, 0, PLATE_LEFT, 1, 1);
  for (int k = 0; k < 2; k++)
    h->half[k] = (prc_mesh_group){
        .name = k ? "right half" : "left half", .dim = 2, .cell = h->cells[k], .node = h->nodes[k]};
  for (int c = 0; c < r->mesh->n_cells; c++) {
    double middle = 0.0;
    const int first = r->mesh->cell_start[c], n = r->mesh->cell_start[c + 1] - first;
    for (int k = 0; k < n; k++) middle += r->mesh->x[2 * r->mesh->cell[first + k]] / n;
    prc_mesh_group *g = &h->half[middle > 1.0];
    g->cell[g->n_cells++] = c;
    for (int k = 0; k < n; k++) add_node(g, r->mesh->cell[first + k]);
  }
  h->material[0] =
      (prc_fem_material){.group = &h->half[0], .young = one[0], .poisson = one[1], .density = one[2]};
  h->material[1] =
      (prc_fem_material){.group = &h->half[1], .young = two[0], .poisson = two[1], .density = two[2]};
  r->model.n_materials = 2, r->model.material = h->material;
}

void halves_damp(halves *h, prc_fem_damping left, prc_fem_damping right) {
  h->damping[0] = left, h->damping[1] = right;
  h->rig.model.own_damping = h->damping;
}
