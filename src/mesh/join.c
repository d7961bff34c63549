#include "config.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* One mesh of several. Everything stands one after the other, so numbers of a part are shifted by what stands before it. */

/* Sums over the parts before a part. */
typedef struct {
  int nodes, cells, corners, edges;
  size_t node_tag, cell_tag; /* the largest so far */
} before;

static prc_status count(int n, prc_mesh *const *part, before *sum, size_t *groups, prc_error *err) {
  double nodes = 0.0, corners = 0.0, edges = 0.0;
  *groups = 0;
  for (int i = 0; i < n; i++) {
    const prc_mesh *p = part[i];
    nodes += p->n_nodes, corners += p->cell_start[p->n_cells], edges += p->n_edges;
    *groups += (size_t)p->n_groups;
    sum->nodes += p->n_nodes, sum->cells += p->n_cells, sum->edges += p->n_edges;
    sum->corners += p->cell_start[p->n_cells];
    if (nodes < INT_MAX / 4 && corners < INT_MAX / 4 && edges < INT_MAX / 4) continue;
    return prc_fail(err, PRC_INPUT, "the meshes have %g nodes together, expected fewer than %d", nodes,
                    INT_MAX / 4);
  }
  return PRC_OK;
}

static prc_status allocate(prc_mesh *mesh, const before *sum, size_t groups, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&mesh->x, 2 * (size_t)sum->nodes, err));
  prc_try(prc_new(&mesh->tag, sum->nodes, err));
  prc_try(prc_new(&mesh->cell_start, (size_t)sum->cells + 1, err));
  prc_try(prc_new(&mesh->cell, sum->corners, err));
  prc_try(prc_new(&mesh->cell_element, sum->cells, err));
  prc_try(prc_new(&mesh->cell_tag, sum->cells, err));
  prc_try(prc_new(&mesh->edge, 2 * (size_t)sum->edges, err));
  prc_try(prc_new(&mesh->edge_middle, sum->edges, err));
  prc_try(prc_new(&mesh->edge_cell, sum->edges, err));
  prc_try(prc_new(&mesh->edge_beyond, sum->edges, err));
  prc_try(prc_new(&mesh->group, groups, err));
done:
  return status;
}

static void add_nodes(prc_mesh *mesh, const prc_mesh *from, const before *at) {
  memcpy(mesh->x + 2 * at->nodes, from->x, 2 * (size_t)from->n_nodes * sizeof *mesh->x);
  for (int i = 0; i < from->n_nodes; i++) mesh->tag[at->nodes + i] = at->node_tag + from->tag[i];
  for (int k = 0; k < 2; k++) {
    mesh->low[k] = fmin(mesh->low[k], from->low[k]);
    mesh->high[k] = fmax(mesh->high[k], from->high[k]);
  }
  mesh->n_nodes += from->n_nodes, mesh->n_unused += from->n_unused, mesh->n_turned += from->n_turned;
}

static int shifted(int index, int by) {
  return index < 0 ? -1 : index + by;
}

static void add_cells(prc_mesh *mesh, const prc_mesh *from, const before *at) {
  for (int c = 0; c < from->n_cells; c++) {
    mesh->cell_start[at->cells + c + 1] = at->corners + from->cell_start[c + 1];
    mesh->cell_element[at->cells + c] = from->cell_element[c];
    mesh->cell_tag[at->cells + c] = at->cell_tag + from->cell_tag[c];
  }
  for (int k = 0; k < from->cell_start[from->n_cells]; k++)
    mesh->cell[at->corners + k] = at->nodes + from->cell[k];
  for (int k = 0; k < from->n_edges; k++) {
    const int e = at->edges + k;
    for (int a = 0; a < 2; a++) mesh->edge[2 * e + a] = at->nodes + from->edge[2 * k + a];
    mesh->edge_middle[e] = shifted(from->edge_middle[k], at->nodes);
    mesh->edge_cell[e] = at->cells + from->edge_cell[k];
    mesh->edge_beyond[e] = from->edge_beyond ? shifted(from->edge_beyond[k], at->cells) : -1;
  }
  mesh->n_cells += from->n_cells, mesh->n_edges += from->n_edges;
}

/* Behind what the group has already: indices of later parts are larger, so the lists stay in order. */
static prc_status extend(int **list, int *n, const int *more, int n_more, int by, prc_error *err) {
  prc_status status = PRC_OK;
  int *longer = NULL;
  prc_try(prc_new(&longer, (size_t)*n + (size_t)n_more, err));
  if (*n > 0) memcpy(longer, *list, (size_t)*n * sizeof *longer);
  for (int k = 0; k < n_more; k++) longer[*n + k] = more[k] + by;
  prc_delete(list);
  *list = longer, *n += n_more;
done:
  return status;
}

static prc_status add_groups(prc_mesh *mesh, const prc_mesh *from, const before *at, prc_error *err) {
  prc_status status = PRC_OK;
  for (int g = 0; g < from->n_groups; g++) {
    const prc_mesh_group *own = &from->group[g];
    int k = 0;
    while (k < mesh->n_groups
           && (mesh->group[k].dim != own->dim || strcmp(mesh->group[k].name, own->name) != 0))
      k++;
    prc_mesh_group *to = &mesh->group[k];
    if (k == mesh->n_groups) {
      to->dim = own->dim, mesh->n_groups++;
      prc_try(prc_strdup(own->name, &to->name, err));
    }
    prc_try(
        extend(&to->cell, &to->n_cells, own->cell, own->n_cells, own->dim == 1 ? at->edges : at->cells, err));
    prc_try(extend(&to->node, &to->n_nodes, own->node, own->n_nodes, at->nodes, err));
  }
done:
  return status;
}

static void advance(before *at, const prc_mesh *past) {
  size_t node_tag = 0, cell_tag = 0;
  for (int i = 0; i < past->n_nodes; i++) node_tag = past->tag[i] > node_tag ? past->tag[i] : node_tag;
  for (int c = 0; c < past->n_cells; c++)
    cell_tag = past->cell_tag[c] > cell_tag ? past->cell_tag[c] : cell_tag;
  at->nodes += past->n_nodes, at->cells += past->n_cells, at->edges += past->n_edges;
  at->corners += past->cell_start[past->n_cells];
  at->node_tag += node_tag, at->cell_tag += cell_tag;
}

prc_status prc_mesh_join(int n, prc_mesh **part, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = NULL;
  before sum = {0}, at = {0};
  size_t groups;
  prc_try(prc_new(&mesh, 1, err));
  prc_try(count(n, part, &sum, &groups, err));
  prc_try(allocate(mesh, &sum, groups, err));
  for (int k = 0; k < 2; k++) mesh->low[k] = INFINITY, mesh->high[k] = -INFINITY;
  for (int i = 0; i < n; i++) {
    add_nodes(mesh, part[i], &at);
    add_cells(mesh, part[i], &at);
    prc_try(add_groups(mesh, part[i], &at, err));
    advance(&at, part[i]);
  }
  for (int i = 0; i < n; i++) prc_mesh_free(&part[i]);
  *out = mesh, mesh = NULL;
done:
  prc_mesh_free(&mesh);
  return status;
}
