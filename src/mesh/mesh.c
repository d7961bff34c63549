#include "config.h"
#include "mesh/mesh.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double same_place =
    1e-10; /* of the bounding box's diagonal: far above rounding, far below an edge */
static const double flat =
    1e-12; /* area over the longest edge squared: a height that rounding may have made */
static const double on_the_rim =
    1e-10; /* barycentric: how far outside a triangle a point may be and still count */

/* ---- order --------------------------------------------------------------------------------------------- */

static int order_sizes(size_t a, size_t b) {
  return (a > b) - (a < b);
}

static int order_ints(int a, int b) {
  return (a > b) - (a < b);
}

static int order_doubles(double a, double b) {
  return (a > b) - (a < b);
}

static int by_int(const void *a, const void *b) {
  return order_ints(*(const int *)a, *(const int *)b);
}

static int nodes_by_tag(const void *a, const void *b) {
  return order_sizes(((const prc_raw_node *)a)->tag, ((const prc_raw_node *)b)->tag);
}

static int cells_by_tag(const void *a, const void *b) {
  const prc_raw_cell *p = a, *q = b;
  const int tags = order_sizes(p->tag, q->tag);
  return tags ? tags : order_ints(p->entity, q->entity);
}

static int order_corners(const prc_raw_cell *p, const prc_raw_cell *q) {
  int order = order_ints(p->entity, q->entity);
  for (int a = 0; a < 3 && !order; a++) order = order_sizes(p->node[a], q->node[a]);
  return order;
}

static int cells_by_corners(const void *a, const void *b) {
  const int corners = order_corners(a, b);
  return corners ? corners : cells_by_tag(a, b);
}

/* ---- nodes and the corners of cells -------------------------------------------------------------------- */

static prc_status take_nodes(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  if (raw->n_nodes > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "%zu nodes are too many", raw->n_nodes);
  qsort(raw->node, raw->n_nodes, sizeof *raw->node, nodes_by_tag);
  prc_try(prc_new(&mesh->x, 2 * raw->n_nodes, err));
  prc_try(prc_new(&mesh->tag, raw->n_nodes, err));
  mesh->n_nodes = (int)raw->n_nodes;
  for (size_t i = 0; i < raw->n_nodes; i++) {
    const prc_raw_node *node = &raw->node[i];
    if (i > 0 && node->tag == raw->node[i - 1].tag)
      return prc_fail(err, PRC_INPUT, "two nodes have the number %zu", node->tag);
    if (!isfinite(node->x[0]) || !isfinite(node->x[1]) || !isfinite(node->x[2]))
      return prc_fail(err, PRC_INPUT, "node %zu is at (%g, %g, %g): expected finite numbers", node->tag,
                      node->x[0], node->x[1], node->x[2]);
    mesh->tag[i] = node->tag;
    mesh->x[2 * i] = node->x[0];
    mesh->x[2 * i + 1] = node->x[1];
  }
done:
  return status;
}

/* Index of the node with that tag, or n_nodes. */
static size_t node_index(const prc_mesh *mesh, size_t tag) {
  size_t low = 0, high = (size_t)mesh->n_nodes;
  const size_t none = high;
  /* tags without holes, the usual case, need no search */
  if (none > 0 && tag >= mesh->tag[0] && tag - mesh->tag[0] < none && mesh->tag[tag - mesh->tag[0]] == tag)
    return tag - mesh->tag[0];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (mesh->tag[middle] < tag)
      low = middle + 1;
    else
      high = middle;
  }
  return low < none && mesh->tag[low] == tag ? low : none;
}

/* Puts the smallest corner first and keeps the sense of a triangle; the sense of an edge does not matter
 * yet. */
static void rotate_corners(prc_raw_cell *cell, int dim) {
  size_t *n = cell->node;
  if (dim == 1) {
    const size_t first = n[0];
    if (n[1] < first) n[0] = n[1], n[1] = first;
    return;
  }
  while (n[1] < n[0] || n[2] < n[0]) {
    const size_t first = n[0];
    n[0] = n[1], n[1] = n[2], n[2] = first;
  }
}

static prc_status look_up_corners(const prc_mesh *mesh, prc_raw_mesh *raw, int dim, prc_error *err) {
  if (raw->n_cells[dim] > INT_MAX / 4)
    return prc_fail(err, PRC_INPUT, "%zu elements are too many", raw->n_cells[dim]);
  for (size_t c = 0; c < raw->n_cells[dim]; c++) {
    prc_raw_cell *cell = &raw->cell[dim][c];
    for (int a = 0; a <= dim; a++) {
      const size_t tag = cell->node[a], index = node_index(mesh, tag);
      if (index == (size_t)mesh->n_nodes)
        return prc_fail(err, PRC_INPUT, "element %zu uses node %zu, which the file does not have", cell->tag,
                        tag);
      cell->node[a] = index;
    }
    rotate_corners(cell, dim);
  }
  return PRC_OK;
}

/* .msh 2.2 lists an element once for each group it is in, with a new number each time; the first is kept.
 * Afterwards the cells are ordered by entity. Returns how many were dropped. */
static size_t drop_repeats(prc_raw_mesh *raw, int dim) {
  prc_raw_cell *cell = raw->cell[dim];
  size_t kept = 0;
  const size_t n = raw->n_cells[dim];
  if (n == 0) return 0;
  qsort(cell, n, sizeof *cell, cells_by_corners);
  for (size_t c = 0; c < n; c++)
    if (kept == 0 || order_corners(&cell[kept - 1], &cell[c]) != 0) cell[kept++] = cell[c];
  raw->n_cells[dim] = kept;
  return n - kept;
}

/* ---- the plane ----------------------------------------------------------------------------------------- */

static prc_status mark_used(const prc_mesh *mesh, const prc_raw_mesh *raw, char **out, prc_error *err) {
  const prc_status status = prc_new(out, mesh->n_nodes, err);
  if (status != PRC_OK) return status;
  for (size_t c = 0; c < raw->n_cells[2]; c++)
    for (int a = 0; a < 3; a++) (*out)[raw->cell[2][c].node[a]] = 1;
  return PRC_OK;
}

static void bound(prc_mesh *mesh, const char *used) {
  for (int d = 0; d < 2; d++) mesh->low[d] = INFINITY, mesh->high[d] = -INFINITY;
  for (int i = 0; i < mesh->n_nodes; i++)
    for (int d = 0; d < 2 && used[i]; d++) {
      mesh->low[d] = fmin(mesh->low[d], mesh->x[2 * i + d]);
      mesh->high[d] = fmax(mesh->high[d], mesh->x[2 * i + d]);
    }
}

static double diagonal(const prc_mesh *mesh) {
  return hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
}

static prc_status check_plane(const prc_mesh *mesh, const prc_raw_mesh *raw, prc_error *err) {
  const double rounding = same_place * diagonal(mesh);
  for (size_t i = 0; i < raw->n_nodes; i++)
    if (fabs(raw->node[i].x[2]) > rounding)
      return prc_fail(err, PRC_INPUT, "node %zu has z = %.15g: expected a plane mesh with z = 0",
                      raw->node[i].tag, raw->node[i].x[2]);
  return PRC_OK;
}

static void count_unused(prc_mesh *mesh, const char *used, const char *path, const prc_log *log) {
  int first = -1;
  for (int i = 0; i < mesh->n_nodes; i++) {
    if (used[i]) continue;
    if (first < 0) first = i;
    mesh->n_unused++;
  }
  if (first >= 0)
    prc_log_say(log, PRC_LOG_WARNING, "%s: no triangle uses %d of the %d nodes (first: node %zu)", path,
                mesh->n_unused, mesh->n_nodes, mesh->tag[first]);
}

typedef struct {
  double column, y;
  int node;
} place;

static int by_place(const void *a, const void *b) {
  const place *p = a, *q = b;
  const int columns = order_doubles(p->column, q->column), rows = order_doubles(p->y, q->y);
  return columns ? columns : rows ? rows : order_ints(p->node, q->node);
}

/* Nodes in columns twice as wide as the tolerance, ordered by y within: coincident ones become neighbours.
 * The columns are laid twice, shifted by half their width, so that no pair is always on both sides of a
 * border. */
static prc_status check_columns(const prc_mesh *mesh, place *list, size_t n, double shift, prc_error *err) {
  const double near = same_place * diagonal(mesh);
  for (size_t k = 0; k < n; k++) {
    const double *x = mesh->x + 2 * list[k].node;
    list[k].column = floor((x[0] - mesh->low[0]) / (2.0 * near) + shift);
    list[k].y = x[1];
  }
  qsort(list, n, sizeof *list, by_place);
  for (size_t k = 1; k < n; k++) {
    const int i = list[k - 1].node, j = list[k].node, first = i < j ? i : j, second = i < j ? j : i;
    if (list[k].column == list[k - 1].column && list[k].y - list[k - 1].y <= near)
      return prc_fail(
          err, PRC_INPUT,
          "nodes %zu and %zu are at the same place (%.15g, %.15g), so the body is cut there; merge them "
          "(Coherence in Gmsh), or set mesh.allow_duplicate_nodes if a seam is meant",
          mesh->tag[first], mesh->tag[second], mesh->x[2 * first], mesh->x[2 * first + 1]);
  }
  return PRC_OK;
}

static prc_status check_duplicates(const prc_mesh *mesh, const char *used, prc_error *err) {
  prc_status status = PRC_OK;
  place *list = NULL;
  size_t n = 0;
  prc_try(prc_new(&list, mesh->n_nodes, err));
  for (int i = 0; i < mesh->n_nodes; i++)
    if (used[i]) list[n++].node = i;
  prc_try(check_columns(mesh, list, n, 0.0, err));
  prc_try(check_columns(mesh, list, n, 0.5, err));
done:
  prc_delete(&list);
  return status;
}

static prc_status check_nodes(prc_mesh *mesh, const prc_raw_mesh *raw, const char *path,
                              const prc_mesh_options *options, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  char *used = NULL;
  prc_try(mark_used(mesh, raw, &used, err));
  bound(mesh, used);
  prc_try(check_plane(mesh, raw, err));
  if (!options->allow_duplicate_nodes) prc_try(check_duplicates(mesh, used, err));
  count_unused(mesh, used, path, log);
done:
  prc_delete(&used);
  return status;
}

/* ---- triangles ----------------------------------------------------------------------------------------- */

/* twice the area, positive if a, b, c run anticlockwise */
static double cross(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

static double squared(const double *a, const double *b) {
  return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

static prc_status signed_area(const prc_mesh *mesh, const prc_raw_cell *cell, double *area, prc_error *err) {
  const size_t *n = cell->node;
  const double *a = mesh->x + 2 * n[0], *b = mesh->x + 2 * n[1], *c = mesh->x + 2 * n[2];
  const double longest = fmax(squared(a, b), fmax(squared(b, c), squared(c, a)));
  if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0])
    return prc_fail(err, PRC_INPUT, "triangle %zu has a node twice", cell->tag);
  *area = 0.5 * cross(a, b, c);
  if (!(fabs(*area) > flat * longest))
    return prc_fail(err, PRC_INPUT, "triangle %zu has no area: its nodes %zu, %zu and %zu lie on a line",
                    cell->tag, mesh->tag[n[0]], mesh->tag[n[1]], mesh->tag[n[2]]);
  return PRC_OK;
}

/* "surface 3 of "block"" */
static void name_surface(const prc_raw_mesh *raw, int surface, char *text, size_t size) {
  snprintf(text, size, "surface %d", surface);
  for (size_t g = 0; g < raw->n_groups; g++)
    for (size_t k = 0; k < raw->group[g].n_entities; k++)
      if (raw->group[g].dim == 2 && raw->group[g].entity[k] == surface && *raw->group[g].name) {
        snprintf(text, size, "surface %d of \"%s\"", surface, raw->group[g].name);
        return;
      }
}

/* The n triangles of one surface: all run the same way, and if that is clockwise, they are turned. */
static prc_status orient_surface(prc_mesh *mesh, const prc_raw_mesh *raw, prc_raw_cell *cell, size_t n,
                                 prc_error *err) {
  const prc_raw_cell *seen[2] = {NULL, NULL}; /* the lowest number anticlockwise, clockwise */
  char name[256];
  for (size_t c = 0; c < n; c++) {
    double area = 0.0;
    const prc_status status = signed_area(mesh, &cell[c], &area, err);
    if (status != PRC_OK) return status;
    const prc_raw_cell **first = &seen[area < 0.0];
    if (!*first || cell[c].tag < (*first)->tag) *first = &cell[c];
  }
  if (seen[0] && seen[1]) {
    name_surface(raw, cell->entity, name, sizeof name);
    return prc_fail(
        err, PRC_INPUT,
        "%s: triangle %zu runs anticlockwise but triangle %zu clockwise; expected one sense in a surface",
        name, seen[0]->tag, seen[1]->tag);
  }
  for (size_t c = 0; c < n && seen[1]; c++) {
    const size_t corner = cell[c].node[1];
    cell[c].node[1] = cell[c].node[2];
    cell[c].node[2] = corner;
    mesh->n_turned++;
  }
  return PRC_OK;
}

/* Expects the triangles ordered by surface, as drop_repeats leaves them. */
static prc_status orient_triangles(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                   prc_error *err) {
  const size_t n = raw->n_cells[2];
  prc_raw_cell *cell = raw->cell[2];
  for (size_t start = 0, end = 0; start < n; start = end) {
    while (end < n && cell[end].entity == cell[start].entity) end++;
    const prc_status status = orient_surface(mesh, raw, cell + start, end - start, err);
    if (status != PRC_OK) return status;
  }
  if (mesh->n_turned > 0)
    prc_log_say(log, PRC_LOG_INFO, "%s: %d of %zu triangles came clockwise and were turned", path,
                mesh->n_turned, n);
  return PRC_OK;
}

static prc_status take_triangles(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = raw->n_cells[2];
  qsort(raw->cell[2], n, sizeof *raw->cell[2], cells_by_tag);
  prc_try(prc_new(&mesh->cell, 3 * n, err));
  prc_try(prc_new(&mesh->cell_tag, n, err));
  mesh->n_cells = (int)n;
  for (size_t c = 0; c < n; c++) {
    for (size_t a = 0; a < 3; a++) mesh->cell[3 * c + a] = (int)raw->cell[2][c].node[a];
    mesh->cell_tag[c] = raw->cell[2][c].tag;
  }
done:
  return status;
}

/* ---- sides of triangles -------------------------------------------------------------------------------- */

/* A side of a triangle from node to node, the triangle on its left. */
typedef struct {
  int from, to, cell;
} side;

static int order_ends(const side *p, const side *q) {
  const int from = order_ints(p->from, q->from);
  return from ? from : order_ints(p->to, q->to);
}

static int by_ends(const void *a, const void *b) {
  return order_ends(a, b);
}

static int by_ends_and_cell(const void *a, const void *b) {
  const int ends = order_ends(a, b);
  return ends ? ends : order_ints(((const side *)a)->cell, ((const side *)b)->cell);
}

/* All 3 n_cells sides, ordered by their ends. */
static prc_status list_sides(const prc_mesh *mesh, side **out, prc_error *err) {
  const size_t n = 3 * (size_t)mesh->n_cells;
  const prc_status status = prc_new(out, n, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < mesh->n_cells; c++)
    for (int a = 0; a < 3; a++)
      (*out)[3 * c + a] = (side){mesh->cell[3 * c + a], mesh->cell[3 * c + (a + 1) % 3], c};
  qsort(*out, n, sizeof **out, by_ends_and_cell);
  for (size_t k = 1; k < n; k++) {
    const side *p = &(*out)[k - 1], *q = &(*out)[k];
    if (order_ends(p, q) == 0)
      return prc_fail(err, PRC_INPUT,
                      "triangles %zu and %zu overlap: both lie on the same side of nodes %zu and %zu",
                      mesh->cell_tag[p->cell], mesh->cell_tag[q->cell], mesh->tag[p->from], mesh->tag[p->to]);
  }
  return PRC_OK;
}

static const side *find_side(const prc_mesh *mesh, const side *sides, int from, int to) {
  const side wanted = {from, to, 0};
  return bsearch(&wanted, sides, 3 * (size_t)mesh->n_cells, sizeof *sides, by_ends);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

/* Which cells an entity has; ordered by entity, then cell. */
typedef struct {
  int entity, cell;
} member;

typedef struct {
  member *list[3]; /* by dimension, as raw->cell */
  side *sides;
  int *mark;            /* n_nodes: the last group, counted from 1, that took the node */
  size_t edge_capacity; /* of mesh->edge, in edges */
  size_t edge_cell_capacity;
} group_work;

static int by_entity(const void *a, const void *b) {
  const member *p = a, *q = b;
  const int entities = order_ints(p->entity, q->entity);
  return entities ? entities : order_ints(p->cell, q->cell);
}

static prc_status list_members(const prc_raw_mesh *raw, int dim, member **out, prc_error *err) {
  const size_t n = raw->n_cells[dim];
  const prc_status status = prc_new(out, n, err);
  if (status != PRC_OK) return status;
  for (size_t c = 0; c < n; c++) (*out)[c] = (member){raw->cell[dim][c].entity, (int)c};
  qsort(*out, n, sizeof **out, by_entity);
  return PRC_OK;
}

/* Place of the entity's first cell in the list, or where it would be. */
static size_t first_member(const member *list, size_t n, int entity) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (list[middle].entity < entity)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The cells of the group's entities, as indices into raw->cell[dim]. */
static prc_status collect_cells(prc_mesh_group *group, const prc_raw_group *from, const member *list,
                                size_t n, prc_error *err) {
  size_t count = 0, next = 0;
  for (size_t k = 0; k < from->n_entities; k++)
    for (size_t m = first_member(list, n, from->entity[k]); m < n && list[m].entity == from->entity[k]; m++)
      count++;
  if (count > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "group \"%s\" has too many elements", group->name);
  const prc_status status = prc_new(&group->cell, count, err);
  if (status != PRC_OK) return status;
  for (size_t k = 0; k < from->n_entities; k++)
    for (size_t m = first_member(list, n, from->entity[k]); m < n && list[m].entity == from->entity[k]; m++)
      group->cell[next++] = list[m].cell;
  group->n_cells = (int)count;
  qsort(group->cell, count, sizeof *group->cell, by_int);
  return PRC_OK;
}

static prc_status add_edge(prc_mesh *mesh, group_work *work, const side *edge, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)mesh->n_edges;
  if (n >= INT_MAX / 4) return prc_fail(err, PRC_INPUT, "the physical curves have too many edges");
  prc_try(prc_grow(&mesh->edge, &work->edge_capacity, n + 1, 2 * sizeof *mesh->edge, err));
  prc_try(prc_grow(&mesh->edge_cell, &work->edge_cell_capacity, n + 1, sizeof *mesh->edge_cell, err));
  mesh->edge[2 * n] = edge->from;
  mesh->edge[2 * n + 1] = edge->to;
  mesh->edge_cell[n] = edge->cell;
  mesh->n_edges++;
done:
  return status;
}

/* The group's edges join mesh->edge, each with the body on its left; group->cell then holds their indices
 * there. */
static prc_status orient_edges(prc_mesh *mesh, prc_mesh_group *group, const prc_raw_cell *raw,
                               group_work *work, prc_error *err) {
  for (int k = 0; k < group->n_cells; k++) {
    const prc_raw_cell *cell = &raw[group->cell[k]];
    const int i = (int)cell->node[0], j = (int)cell->node[1];
    const side *one = find_side(mesh, work->sides, i, j), *other = find_side(mesh, work->sides, j, i);
    const side *edge = one && other ? (one->cell < other->cell ? one : other) : one ? one : other;
    if (!edge)
      return prc_fail(err, PRC_INPUT,
                      "group \"%s\": edge %zu between nodes %zu and %zu is not a side of any triangle",
                      group->name, cell->tag, mesh->tag[i], mesh->tag[j]);
    group->cell[k] = mesh->n_edges;
    const prc_status status = add_edge(mesh, work, edge, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* The nodes of the group's cells, ascending, each once; stamp differs from group to group. */
static prc_status collect_nodes(const prc_mesh *mesh, prc_mesh_group *group, int *mark, int stamp,
                                prc_error *err) {
  const int width = group->dim + 1;
  const int *corner = group->dim == 1 ? mesh->edge : mesh->cell;
  const size_t most = (size_t)group->n_cells * (size_t)width;
  const prc_status status = prc_new(&group->node, most, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < group->n_cells; k++)
    for (int a = 0; a < width; a++) {
      const int i = corner[width * group->cell[k] + a];
      if (mark[i] == stamp) continue;
      mark[i] = stamp;
      group->node[group->n_nodes++] = i;
    }
  qsort(group->node, (size_t)group->n_nodes, sizeof *group->node, by_int);
  return PRC_OK;
}

static prc_status name_group(prc_mesh_group *group, const prc_raw_group *from, prc_error *err) {
  char number[32];
  snprintf(number, sizeof number, "physical-%d", from->tag);
  group->dim = from->dim;
  return prc_strdup(*from->name ? from->name : number, &group->name, err);
}

static prc_status take_group(prc_mesh *mesh, const prc_raw_mesh *raw, size_t g, group_work *work,
                             const char *path, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_raw_group *from = &raw->group[g];
  prc_mesh_group *group = &mesh->group[mesh->n_groups++];
  const int dim = from->dim;
  prc_try(name_group(group, from, err));
  prc_try(collect_cells(group, from, work->list[dim], raw->n_cells[dim], err));
  if (dim == 1) prc_try(orient_edges(mesh, group, raw->cell[1], work, err));
  prc_try(collect_nodes(mesh, group, work->mark, (int)g + 1, err));
  if (group->n_cells == 0)
    prc_log_say(log, PRC_LOG_WARNING, "%s: the physical %s \"%s\" has no elements", path,
                dim == 1 ? "curve" : "surface", group->name);
done:
  return status;
}

static int by_name(const void *a, const void *b) {
  const prc_mesh_group *p = *(const prc_mesh_group *const *)a, *q = *(const prc_mesh_group *const *)b;
  const int dims = order_ints(p->dim, q->dim);
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

static prc_status take_groups(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                              prc_error *err) {
  prc_status status = PRC_OK;
  group_work work = {0};
  if (raw->n_groups > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "%zu groups are too many", raw->n_groups);
  if (raw->n_cells[1]) qsort(raw->cell[1], raw->n_cells[1], sizeof *raw->cell[1], cells_by_tag);
  prc_try(list_sides(mesh, &work.sides, err));
  for (int dim = 1; dim <= 2; dim++) prc_try(list_members(raw, dim, &work.list[dim], err));
  prc_try(prc_new(&work.mark, mesh->n_nodes, err));
  prc_try(prc_new(&mesh->group, raw->n_groups, err));
  for (size_t g = 0; g < raw->n_groups; g++) prc_try(take_group(mesh, raw, g, &work, path, log, err));
  status = check_names(mesh, err);
done:
  prc_delete(&work.list[1]);
  prc_delete(&work.list[2]);
  prc_delete(&work.sides);
  prc_delete(&work.mark);
  return status;
}

/* ---- the mesh ------------------------------------------------------------------------------------------ */

static prc_status take_cells(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                             prc_error *err) {
  prc_status status = PRC_OK;
  size_t repeated = 0;
  if (raw->n_cells[2] == 0)
    return prc_fail(
        err, PRC_INPUT,
        "there are no triangles; a geometry needs a Plane Surface, and once there is a physical group, "
        "Gmsh saves only what is in one");
  for (int dim = 1; dim <= 2; dim++) {
    prc_try(look_up_corners(mesh, raw, dim, err));
    repeated += drop_repeats(raw, dim);
  }
  if (repeated > 0)
    prc_log_say(log, PRC_LOG_INFO,
                "%s: %zu repeated elements were read once (.msh 2.2 repeats them for each group)", path,
                repeated);
done:
  return status;
}

prc_status prc_mesh_build(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                          const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = NULL;
  prc_try(prc_new(&mesh, 1, err));
  prc_try(take_nodes(mesh, raw, err));
  prc_try(take_cells(mesh, raw, path, log, err));
  prc_try(check_nodes(mesh, raw, path, options, log, err));
  prc_try(orient_triangles(mesh, raw, path, log, err));
  prc_try(take_triangles(mesh, raw, err));
  prc_try(take_groups(mesh, raw, path, log, err));
  *out = mesh, mesh = NULL;
done:
  prc_mesh_free(&mesh);
  return status;
}

void prc_mesh_free(prc_mesh **mesh) {
  if (!mesh || !*mesh) return;
  prc_mesh *m = *mesh;
  for (int g = 0; g < m->n_groups; g++) {
    prc_delete(&m->group[g].name);
    prc_delete(&m->group[g].cell);
    prc_delete(&m->group[g].node);
  }
  prc_delete(&m->group);
  prc_delete(&m->x);
  prc_delete(&m->tag);
  prc_delete(&m->cell);
  prc_delete(&m->cell_tag);
  prc_delete(&m->edge);
  prc_delete(&m->edge_cell);
  prc_delete(mesh);
}

/* ---- questions ----------------------------------------------------------------------------------------- */

const prc_mesh_group *prc_mesh_find(const prc_mesh *mesh, int dim, const char *name) {
  for (int g = 0; g < mesh->n_groups; g++)
    if (mesh->group[g].dim == dim && strcmp(mesh->group[g].name, name) == 0) return &mesh->group[g];
  return NULL;
}

void prc_mesh_names(const prc_mesh *mesh, int dim, char *text, size_t size) {
  size_t used = 0;
  if (size == 0) return;
  text[0] = '\0';
  for (int g = 0; g < mesh->n_groups && used < size; g++) {
    if (mesh->group[g].dim != dim) continue;
    const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", mesh->group[g].name);
    if (n < 0) return;
    used += (size_t)n;
  }
}

double prc_mesh_area(const prc_mesh *mesh, int c) {
  const int *n = mesh->cell + 3 * c;
  return 0.5 * cross(mesh->x + 2 * n[0], mesh->x + 2 * n[1], mesh->x + 2 * n[2]);
}

double prc_mesh_length(const prc_mesh *mesh, int k) {
  const double *a = mesh->x + 2 * mesh->edge[2 * k], *b = mesh->x + 2 * mesh->edge[2 * k + 1];
  return hypot(b[0] - a[0], b[1] - a[1]);
}

/* Of the triangles around a point the one it is deepest in; the first that holds it strictly or on its rim
 * ends the scan, so that a point between two triangles is in the one of lower index. */
int prc_mesh_locate(const prc_mesh *mesh, double x, double y, double weight[3]) {
  const double point[2] = {x, y};
  double deepest = -on_the_rim;
  int found = -1;
  for (int c = 0; c < mesh->n_cells && !(found >= 0 && deepest >= 0.0); c++) {
    const int *n = mesh->cell + 3 * c;
    const double *p[3] = {mesh->x + 2 * n[0], mesh->x + 2 * n[1], mesh->x + 2 * n[2]};
    const double area2 = cross(p[0], p[1], p[2]);
    const double w[3] = {cross(point, p[1], p[2]) / area2, cross(p[0], point, p[2]) / area2,
                         cross(p[0], p[1], point) / area2};
    const double depth = fmin(w[0], fmin(w[1], w[2]));
    if (!(depth >= deepest)) continue;
    deepest = depth;
    found = c;
    memcpy(weight, w, sizeof w);
  }
  return found;
}
