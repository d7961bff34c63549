#include "config.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups -------------------------------------------------------------------------------------------- */

/* Which cells have a key; ordered by key, then cell. */
typedef struct {
  int key, cell;
} member;

typedef struct {
  member *list[3]; /* by dimension, as raw->cell */
  prc_mesh_side *sides;
  size_t n_sides;
  int *mark;            /* n_nodes: the last group, counted from 1, that took the node */
  size_t edge_capacity; /* of mesh->edge, in edges */
  size_t edge_middle_capacity, edge_cell_capacity, edge_beyond_capacity;
} group_work;

static int by_key(const void *a, const void *b) {
  const member *p = a, *q = b;
  const int keys = prc_compare_ints(p->key, q->key);
  return keys ? keys : prc_compare_ints(p->cell, q->cell);
}

static int by_member_tag(const void *a, const void *b) {
  return prc_compare_sizes(((const prc_raw_member *)a)->tag, ((const prc_raw_member *)b)->tag);
}

/* The cells stand by ascending tag: their members, put in the same order, find them in one pass. */
static prc_status list_members(prc_raw_mesh *raw, int dim, member **out, prc_error *err) {
  const size_t n = raw->n_members[dim];
  const prc_status status = prc_new(out, n, err);
  if (status != PRC_OK || n == 0) return status;
  qsort(raw->member[dim], n, sizeof *raw->member[dim], by_member_tag);
  for (size_t k = 0, c = 0; k < n; k++) {
    while (c + 1 < raw->n_cells[dim] && raw->cell[dim][c].tag < raw->member[dim][k].tag) c++;
    (*out)[k] = (member){raw->member[dim][k].key, (int)c};
  }
  qsort(*out, n, sizeof **out, by_key);
  return PRC_OK;
}

/* Place of the key's first cell in the list, or where it would be. */
static size_t first_member(const member *list, size_t n, int key) {
  const member first = {key, 0};
  return prc_lower_bound(&first, list, n, sizeof first, by_key);
}

/* Of the list: where the cells of a key begin and end. */
typedef struct {
  size_t begin, end;
} range;

static range members_of(const member *list, size_t n, int key) {
  return (range){first_member(list, n, key), key < INT_MAX ? first_member(list, n, key + 1) : n};
}

/* Each once; they are in order. Returns how many are left. */
static int remove_repeated(int *list, int n) {
  int kept = 0;
  for (int k = 0; k < n; k++)
    if (kept == 0 || list[k] != list[kept - 1]) list[kept++] = list[k];
  return kept;
}

/* The cells of the group, as indices into raw->cell[dim]. */
static prc_status collect_cells(prc_mesh_group *group, const prc_raw_group *from, const member *list,
                                size_t n, prc_error *err) {
  size_t count = 0, next = 0;
  for (size_t k = 0; k < from->n_keys; k++) {
    const range r = members_of(list, n, from->key[k]);
    count += r.end - r.begin;
  }
  if (count > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "group \"%s\" has too many elements", group->name);
  const prc_status status = prc_new(&group->cell, count, err);
  if (status != PRC_OK) return status;
  for (size_t k = 0; k < from->n_keys; k++) {
    const range r = members_of(list, n, from->key[k]);
    for (size_t m = r.begin; m < r.end; m++) group->cell[next++] = list[m].cell;
  }
  qsort(group->cell, count, sizeof *group->cell, prc_by_int);
  group->n_cells = remove_repeated(group->cell, (int)count);
  return PRC_OK;
}

/* beyond: the cell on its right, or -1 */
static prc_status add_edge(prc_mesh *mesh, group_work *work, const prc_mesh_side *edge, int beyond,
                           prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)mesh->n_edges;
  if (n >= INT_MAX / 4) return prc_fail(err, PRC_INPUT, "the physical curves have too many edges");
  prc_try(prc_grow(&mesh->edge, &work->edge_capacity, n + 1, 2 * sizeof *mesh->edge, err));
  prc_try(prc_grow(&mesh->edge_middle, &work->edge_middle_capacity, n + 1, sizeof *mesh->edge_middle, err));
  prc_try(prc_grow(&mesh->edge_cell, &work->edge_cell_capacity, n + 1, sizeof *mesh->edge_cell, err));
  prc_try(prc_grow(&mesh->edge_beyond, &work->edge_beyond_capacity, n + 1, sizeof *mesh->edge_beyond, err));
  mesh->edge[2 * n] = edge->from;
  mesh->edge[2 * n + 1] = edge->to;
  mesh->edge_middle[n] = edge->middle;
  mesh->edge_cell[n] = edge->cell;
  mesh->edge_beyond[n] = beyond;
  mesh->n_edges++;
done:
  return status;
}

/* The side of a cell that an edge lies on; inside the body that of the lower cell, and the other is
 * beyond. */
static prc_status find_side(const prc_mesh *mesh, const prc_mesh_group *group, const prc_raw_cell *edge,
                            const group_work *work, const prc_mesh_side **out, int *beyond, prc_error *err) {
  const int i = (int)edge->node[0], j = (int)edge->node[1];
  const int middle = edge->n_nodes > 2 ? (int)edge->node[2] : -1;
  const prc_mesh_side *one = prc_mesh_find_side(work->sides, work->n_sides, i, j),
                      *other = prc_mesh_find_side(work->sides, work->n_sides, j, i);
  *out = one && other ? (one->cell < other->cell ? one : other) : one ? one : other;
  *beyond = one && other ? (one->cell < other->cell ? other : one)->cell : -1;
  if (!*out)
    return prc_fail(err, PRC_INPUT,
                    "group \"%s\": edge %zu between nodes %zu and %zu is not a side of any cell", group->name,
                    edge->tag, mesh->tag[i], mesh->tag[j]);
  if ((*out)->middle != middle)
    return prc_fail(err, PRC_INPUT,
                    "group \"%s\": edge %zu between nodes %zu and %zu has %s, but the side of %s %zu has %s",
                    group->name, edge->tag, mesh->tag[i], mesh->tag[j],
                    middle < 0 ? "no node halfway" : "a node halfway of its own",
                    mesh->cell_element[(*out)->cell]->noun, mesh->cell_tag[(*out)->cell],
                    (*out)->middle < 0 ? "none" : "one");
  return PRC_OK;
}

/* The group's edges join mesh->edge, each with the body on its left; group->cell then holds their indices
 * there. */
static prc_status orient_edges(prc_mesh *mesh, prc_mesh_group *group, const prc_raw_cell *raw,
                               group_work *work, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < group->n_cells; k++) {
    const prc_mesh_side *side;
    int beyond;
    prc_try(find_side(mesh, group, &raw[group->cell[k]], work, &side, &beyond, err));
    group->cell[k] = mesh->n_edges;
    prc_try(add_edge(mesh, work, side, beyond, err));
  }
done:
  return status;
}

/* Up to PRC_ELEMENT_NODES nodes of an edge or a cell. */
static int nodes_of(const prc_mesh *mesh, int dim, int k, int *node) {
  int n = 0;
  if (dim == 2) {
    for (int i = mesh->cell_start[k]; i < mesh->cell_start[k + 1]; i++) node[n++] = mesh->cell[i];
    return n;
  }
  for (int a = 0; a < 2; a++) node[n++] = mesh->edge[2 * k + a];
  if (mesh->edge_middle[k] >= 0) node[n++] = mesh->edge_middle[k];
  return n;
}

/* The nodes of the group's cells, ascending, each once; stamp differs from group to group. */
prc_status prc_mesh_collect_nodes(const prc_mesh *mesh, prc_mesh_group *group, int *mark, int stamp,
                                  prc_error *err) {
  size_t most = 0;
  int node[PRC_ELEMENT_NODES];
  group->n_nodes = 0;
  for (int k = 0; k < group->n_cells; k++) most += (size_t)nodes_of(mesh, group->dim, group->cell[k], node);
  const prc_status status = prc_new(&group->node, most, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < group->n_cells; k++)
    for (int a = 0, n = nodes_of(mesh, group->dim, group->cell[k], node); a < n; a++) {
      if (mark[node[a]] == stamp) continue;
      mark[node[a]] = stamp;
      group->node[group->n_nodes++] = node[a];
    }
  qsort(group->node, (size_t)group->n_nodes, sizeof *group->node, prc_by_int);
  return PRC_OK;
}

static prc_status name_group(prc_mesh_group *group, const prc_raw_group *from, prc_error *err) {
  char number[32];
  snprintf(number, sizeof number, "physical-%d", from->tag);
  group->dim = from->dim;
  return prc_strdup(*from->name ? from->name : number, &group->name, err);
}

static prc_status build_group(prc_mesh *mesh, const prc_raw_mesh *raw, size_t g, group_work *work,
                              const char *path, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_raw_group *from = &raw->group[g];
  prc_mesh_group *group = &mesh->group[mesh->n_groups++];
  const int dim = from->dim;
  prc_try(name_group(group, from, err));
  prc_try(collect_cells(group, from, work->list[dim], raw->n_members[dim], err));
  if (dim == 1) prc_try(orient_edges(mesh, group, raw->cell[1], work, err));
  prc_try(prc_mesh_collect_nodes(mesh, group, work->mark, (int)g + 1, err));
  if (group->n_cells == 0)
    prc_log_message(log, PRC_LOG_WARNING, "%s: the physical %s \"%s\" has no elements", path,
                    dim == 1 ? "curve" : "surface", group->name);
done:
  return status;
}

static int by_name(const void *a, const void *b) {
  const prc_mesh_group *p = *(const prc_mesh_group *const *)a, *q = *(const prc_mesh_group *const *)b;
  const int dims = prc_compare_ints(p->dim, q->dim);
  return dims ? dims : strcmp(p->name, q->name);
}

static prc_status check_names(const prc_mesh *mesh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh_group **list = NULL;
  prc_try(prc_new(&list, mesh->n_groups, err));
  for (int g = 0; g < mesh->n_groups; g++) list[g] = &mesh->group[g];
  qsort(list, (size_t)mesh->n_groups, sizeof *list, by_name);
  for (int g = 1; g < mesh->n_groups && status == PRC_OK; g++)
    if (by_name(&list[g - 1], &list[g]) == 0)
      status = prc_fail(err, PRC_INPUT, "two physical %s have the name \"%s\"",
                        list[g]->dim == 1 ? "curves" : "surfaces", list[g]->name);
done:
  prc_delete(&list);
  return status;
}

prc_status prc_mesh_build_groups(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  group_work work = {0};
  if (raw->n_groups > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "%zu groups are too many", raw->n_groups);
  if (raw->n_cells[1]) qsort(raw->cell[1], raw->n_cells[1], sizeof *raw->cell[1], prc_raw_by_tag);
  prc_try(prc_mesh_list_sides(mesh, &work.sides, &work.n_sides, err));
  for (int dim = 1; dim <= 2; dim++) prc_try(list_members(raw, dim, &work.list[dim], err));
  prc_try(prc_new(&work.mark, mesh->n_nodes, err));
  prc_try(prc_new(&mesh->group, raw->n_groups, err));
  for (size_t g = 0; g < raw->n_groups; g++) prc_try(build_group(mesh, raw, g, &work, path, log, err));
  status = check_names(mesh, err);
done:
  prc_delete(&work.list[1]);
  prc_delete(&work.list[2]);
  prc_delete(&work.sides);
  prc_delete(&work.mark);
  return status;
}
