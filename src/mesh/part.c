#include "config.h"
#include "base/order.h"
#include "mesh/deal.h"

#include <stdlib.h>
#include <string.h>

/* One part of a mesh: its own cells, the cells around their nodes and around those of the kept curves. A node that is its own is one of an own cell, or a kept one, so all
 * cells around it are there, and so are the edges at it with the cells on both sides. */

/* ---- what is in it --------------------------------------------------------------------------------------- */

static void mark_nodes(prc_mesh_plan *plan, int c) {
  const prc_mesh *whole = plan->whole;
  for (int k = whole->cell_start[c]; k < whole->cell_start[c + 1]; k++) plan->node[whole->cell[k]] = 1;
}

static int has_marked(const prc_mesh_plan *plan, int c) {
  const prc_mesh *whole = plan->whole;
  for (int k = whole->cell_start[c]; k < whole->cell_start[c + 1]; k++)
    if (plan->node[whole->cell[k]]) return 1;
  return 0;
}

/* Own cells, then the others. Leaves their nodes marked. Returns the number of cells. */
static int choose_cells(prc_mesh_plan *plan, int rank, int *n_own) {
  const prc_mesh *whole = plan->whole;
  int n = 0;
  for (int i = 0; i < whole->n_nodes; i++) plan->node[i] = plan->kept[i] != 0;
  for (int c = 0; c < whole->n_cells; c++) {
    plan->cell[c] = -1;
    if (plan->cell_rank[c] != rank) continue;
    mark_nodes(plan, c);
    plan->cells[n++] = c;
  }
  *n_own = n;
  for (int c = 0; c < whole->n_cells; c++)
    if (plan->cell_rank[c] != rank && has_marked(plan, c)) plan->cells[n++] = c;
  for (int k = 0; k < n; k++) {
    if (k >= *n_own) mark_nodes(plan, plan->cells[k]);
    plan->cell[plan->cells[k]] = k;
  }
  return n;
}

/* Kept nodes, then own ones, those without cells among them, then copies. Returns their number. */
static int choose_nodes(prc_mesh_plan *plan, int rank, int *end_own) {
  const int n_whole = plan->whole->n_nodes;
  int n = 0;
  for (int i = 0; i < n_whole; i++)
    if (plan->kept[i]) plan->nodes[n++] = i;
  for (int i = 0; i < n_whole; i++)
    if (!plan->kept[i] && plan->node_rank[i] == rank) plan->nodes[n++] = i;
  *end_own = n;
  for (int i = 0; i < n_whole; i++)
    if (!plan->kept[i] && plan->node_rank[i] != rank && plan->node[i]) plan->nodes[n++] = i;
  for (int i = 0; i < n_whole; i++) plan->node[i] = -1;
  for (int k = 0; k < n; k++) plan->node[plan->nodes[k]] = k;
  return n;
}

/* Edges with the cells on both sides: one inside the body does not become one of the boundary. */
static int choose_edges(prc_mesh_plan *plan) {
  const prc_mesh *whole = plan->whole;
  int n = 0;
  for (int e = 0; e < whole->n_edges; e++) {
    const int beyond = whole->edge_beyond ? whole->edge_beyond[e] : -1;
    const int is_there = plan->cell[whole->edge_cell[e]] >= 0 && (beyond < 0 || plan->cell[beyond] >= 0);
    plan->edge[e] = is_there ? n++ : -1;
  }
  return n;
}

/* ---- the mesh of it -------------------------------------------------------------------------------------- */

static prc_status copy_nodes(const prc_mesh_plan *plan, prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *whole = plan->whole;
  prc_try(prc_new(&mesh->x, 2 * (size_t)mesh->n_nodes, err));
  prc_try(prc_new(&mesh->tag, mesh->n_nodes, err));
  if (whole->twin) prc_try(prc_new(&mesh->twin, mesh->n_nodes, err));
  for (int k = 0; k < mesh->n_nodes; k++) {
    const int i = plan->nodes[k];
    mesh->x[2 * k] = whole->x[2 * i], mesh->x[2 * k + 1] = whole->x[2 * i + 1];
    mesh->tag[k] = whole->tag[i];
    if (whole->twin) mesh->twin[k] = whole->twin[i] < 0 ? -1 : plan->node[whole->twin[i]];
  }
done:
  return status;
}

/* Nodes of a cell go on from the same corner: what is integrated over it has the same bits. */
static prc_status copy_cells(const prc_mesh_plan *plan, prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *whole = plan->whole;
  prc_try(prc_new(&mesh->cell_start, (size_t)mesh->n_cells + 1, err));
  prc_try(prc_new(&mesh->cell_element, mesh->n_cells, err));
  prc_try(prc_new(&mesh->cell_tag, mesh->n_cells, err));
  for (int k = 0; k < mesh->n_cells; k++) {
    const int c = plan->cells[k];
    mesh->cell_start[k + 1] = mesh->cell_start[k] + whole->cell_start[c + 1] - whole->cell_start[c];
    mesh->cell_element[k] = whole->cell_element[c], mesh->cell_tag[k] = whole->cell_tag[c];
  }
  prc_try(prc_new(&mesh->cell, mesh->cell_start[mesh->n_cells], err));
  for (int k = 0; k < mesh->n_cells; k++) {
    const int *from = whole->cell + whole->cell_start[plan->cells[k]];
    int *to = mesh->cell + mesh->cell_start[k];
    for (int a = 0; a < mesh->cell_start[k + 1] - mesh->cell_start[k]; a++) to[a] = plan->node[from[a]];
  }
done:
  return status;
}

static prc_status copy_edges(const prc_mesh_plan *plan, prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *whole = plan->whole;
  prc_try(prc_new(&mesh->edge, 2 * (size_t)mesh->n_edges, err));
  prc_try(prc_new(&mesh->edge_middle, mesh->n_edges, err));
  prc_try(prc_new(&mesh->edge_cell, mesh->n_edges, err));
  if (whole->edge_beyond) prc_try(prc_new(&mesh->edge_beyond, mesh->n_edges, err));
  for (int e = 0; e < whole->n_edges; e++) {
    const int k = plan->edge[e];
    if (k < 0) continue;
    for (int a = 0; a < 2; a++) mesh->edge[2 * k + a] = plan->node[whole->edge[2 * e + a]];
    mesh->edge_middle[k] = whole->edge_middle[e] < 0 ? -1 : plan->node[whole->edge_middle[e]];
    mesh->edge_cell[k] = plan->cell[whole->edge_cell[e]];
    if (whole->edge_beyond)
      mesh->edge_beyond[k] = whole->edge_beyond[e] < 0 ? -1 : plan->cell[whole->edge_beyond[e]];
  }
done:
  return status;
}

/* Members of a list that this part has, by their places, ascending. */
static prc_status narrow_list(const int *list, int n, const int *place, int **out, int *n_out,
                              prc_error *err) {
  size_t count = 0;
  for (int k = 0; k < n; k++) count += place[list[k]] >= 0;
  const prc_status status = prc_new(out, count, err);
  if (status != PRC_OK) return status;
  *n_out = 0;
  for (int k = 0; k < n; k++)
    if (place[list[k]] >= 0) (*out)[(*n_out)++] = place[list[k]];
  qsort(*out, count, sizeof **out, prc_by_int);
  return PRC_OK;
}

static prc_status copy_groups(const prc_mesh_plan *plan, prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *whole = plan->whole;
  prc_try(prc_new(&mesh->group, whole->n_groups, err));
  while (mesh->n_groups < whole->n_groups) {
    const prc_mesh_group *from = &whole->group[mesh->n_groups];
    prc_mesh_group *to = &mesh->group[mesh->n_groups++];
    const int *place = from->dim == 1 ? plan->edge : plan->cell;
    to->dim = from->dim;
    prc_try(prc_strdup(from->name, &to->name, err));
    prc_try(narrow_list(from->cell, from->n_cells, place, &to->cell, &to->n_cells, err));
    prc_try(narrow_list(from->node, from->n_nodes, plan->node, &to->node, &to->n_nodes, err));
  }
done:
  return status;
}

static prc_status copy_part(const prc_mesh_plan *plan, const prc_ranks *ranks, int rank, prc_mesh *mesh,
                            prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh_part *part = mesh->part;
  prc_try(prc_new(&part->cell, mesh->n_cells, err));
  prc_try(prc_new(&part->whole, mesh->n_nodes, err));
  prc_try(prc_new(&part->number, mesh->n_nodes, err));
  memcpy(part->cell, plan->cells, (size_t)mesh->n_cells * sizeof *part->cell);
  memcpy(part->whole, plan->nodes, (size_t)mesh->n_nodes * sizeof *part->whole);
  for (int k = 0; k < mesh->n_nodes; k++) part->number[k] = plan->number[plan->nodes[k]];
  part->n_cells = plan->whole->n_cells, part->n_kept = plan->n_kept;
  part->whole_area = plan->area, part->hash = plan->hash;
  part->groups_hash = plan->groups_hash;
  part->share.ranks = ranks, part->share.width = 2;
  part->share.n = mesh->n_nodes, part->share.n_whole = plan->whole->n_nodes;
  part->share.first = rank == 0 ? 0 : plan->n_kept, part->share.middle = plan->n_kept;
  part->share.whole = part->whole, part->share.number = part->number, part->share.place = mesh->x;
done:
  return status;
}

prc_status prc_mesh_make_part(prc_mesh_plan *plan, const prc_ranks *ranks, int rank, prc_mesh **out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *whole = plan->whole;
  prc_mesh *mesh = NULL;
  prc_try(prc_new(&mesh, 1, err));
  prc_try(prc_new(&mesh->part, 1, err));
  mesh->n_cells = choose_cells(plan, rank, &mesh->part->n_own);
  mesh->n_nodes = choose_nodes(plan, rank, &mesh->part->share.end);
  mesh->n_edges = choose_edges(plan);
  mesh->n_turned = whole->n_turned, mesh->n_unused = whole->n_unused;
  memcpy(mesh->low, whole->low, sizeof mesh->low);
  memcpy(mesh->high, whole->high, sizeof mesh->high);
  prc_try(copy_nodes(plan, mesh, err));
  prc_try(copy_cells(plan, mesh, err));
  prc_try(copy_edges(plan, mesh, err));
  prc_try(copy_groups(plan, mesh, err));
  prc_try(copy_part(plan, ranks, rank, mesh, err));
  *out = mesh, mesh = NULL;
done:
  prc_mesh_free(&mesh);
  return status;
}
