#include "config.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* area over the longest side squared: a height that rounding may have made */
static const double flat = 1e-12;

/* ---- order --------------------------------------------------------------------------------------------- */

int prc_raw_by_tag(const void *a, const void *b) {
  const prc_raw_cell *p = a, *q = b;
  const int tags = prc_compare_sizes(p->tag, q->tag);
  return tags ? tags : prc_compare_ints(p->entity, q->entity);
}

static int n_corners(const prc_raw_cell *cell) {
  return cell->element ? cell->element->n_corners : 2;
}

static int compare_nodes(const prc_raw_cell *p, const prc_raw_cell *q) {
  int order = prc_compare_ints(p->n_nodes, q->n_nodes);
  for (int a = 0; a < p->n_nodes && !order; a++) order = prc_compare_sizes(p->node[a], q->node[a]);
  return order;
}

static int by_nodes(const void *a, const void *b) {
  const int nodes = compare_nodes(a, b);
  return nodes ? nodes : prc_raw_by_tag(a, b);
}

static int by_entity(const void *a, const void *b) {
  const prc_raw_cell *p = a, *q = b;
  const int entities = prc_compare_ints(p->entity, q->entity);
  return entities ? entities : prc_compare_sizes(p->tag, q->tag);
}

/* ---- corners ------------------------------------------------------------------------------------------- */

/* Index of the node with that tag, or n_nodes. */
static size_t node_index(const prc_mesh *mesh, size_t tag) {
  const size_t none = (size_t)mesh->n_nodes;
  /* tags without holes, the usual case, need no search */
  if (none > 0 && tag >= mesh->tag[0] && tag - mesh->tag[0] < none && mesh->tag[tag - mesh->tag[0]] == tag)
    return tag - mesh->tag[0];
  const size_t low = prc_lower_bound(&tag, mesh->tag, none, sizeof tag, prc_by_size);
  return low < none && mesh->tag[low] == tag ? low : none;
}

/* Turns n entries round by `first`: the first-th becomes the first. */
static void rotate(size_t *list, int n, int first) {
  size_t old[PRC_ELEMENT_NODES];
  memcpy(old, list, (size_t)n * sizeof *list);
  for (int a = 0; a < n; a++) list[a] = old[(a + first) % n];
}

/* Puts the smallest corner first and keeps the sense of a cell; the sense of an edge does not matter yet. */
static void rotate_corners(prc_raw_cell *cell) {
  const int n = n_corners(cell);
  int first = 0;
  for (int a = 1; a < n; a++)
    if (cell->node[a] < cell->node[first]) first = a;
  if (first == 0) return;
  rotate(cell->node, n, first);
  if (cell->element && cell->element->quadratic) rotate(cell->node + n, n, first);
}

/* .msh 2.2 lists an element once for each group it is in, with a new number each time; the lowest is kept,
 * and has the keys of all. Counts how many were dropped. */
static prc_status remove_repeated(prc_raw_mesh *raw, int dim, size_t *repeated, prc_error *err) {
  prc_raw_cell *cell = raw->cell[dim];
  size_t kept = 0;
  const size_t n = raw->n_cells[dim];
  const prc_status status = prc_new(&raw->member[dim], n, err);
  if (status != PRC_OK || n == 0) return status;
  raw->n_members[dim] = n;
  qsort(cell, n, sizeof *cell, by_nodes);
  for (size_t c = 0; c < n; c++) {
    const int key = cell[c].key;
    if (kept == 0 || compare_nodes(&cell[kept - 1], &cell[c]) != 0) cell[kept++] = cell[c];
    raw->member[dim][c] = (prc_raw_member){key, cell[kept - 1].tag};
  }
  raw->n_cells[dim] = kept;
  *repeated += n - kept;
  return PRC_OK;
}

prc_status prc_mesh_resolve_nodes(const prc_mesh *mesh, prc_raw_mesh *raw, int dim, size_t *repeated,
                                  prc_error *err) {
  for (size_t c = 0; c < raw->n_cells[dim]; c++) {
    prc_raw_cell *cell = &raw->cell[dim][c];
    for (int a = 0; a < cell->n_nodes; a++) {
      const size_t tag = cell->node[a], index = node_index(mesh, tag);
      if (index == (size_t)mesh->n_nodes)
        return prc_fail(err, PRC_INPUT, "element %zu uses node %zu, which the file does not have", cell->tag,
                        tag);
      cell->node[a] = index;
    }
    rotate_corners(cell);
  }
  return remove_repeated(raw, dim, repeated, err);
}

/* Edges and cells together: results and messages name them by their numbers, and so may what wrote the
 * file. */
prc_status prc_mesh_check_numbers(const prc_raw_mesh *raw, prc_error *err) {
  size_t *tag = NULL, n = 0;
  for (int dim = 1; dim <= 2; dim++)
    if (raw->n_cells[dim] > INT_MAX / (2 * PRC_ELEMENT_NODES))
      return prc_fail(err, PRC_INPUT, "%zu elements are too many", raw->n_cells[dim]);
  const size_t all = raw->n_cells[1] + raw->n_cells[2];
  prc_status status = prc_new(&tag, all, err);
  if (status != PRC_OK) return status;
  for (int dim = 1; dim <= 2; dim++)
    for (size_t c = 0; c < raw->n_cells[dim]; c++) tag[n++] = raw->cell[dim][c].tag;
  qsort(tag, n, sizeof *tag, prc_by_size);
  for (size_t k = 1; k < n && status == PRC_OK; k++)
    if (tag[k] == tag[k - 1])
      status = prc_fail(err, PRC_INPUT, "two elements have the number %zu, expected one", tag[k]);
  prc_delete(&tag);
  return status;
}

/* "4, 8 or 9": the nodes that elements of so many corners may have */
static void list_nodes(int corners, char *text, size_t size) {
  int n, count = 0, left = 0;
  const prc_element *const *element = prc_elements(&n);
  for (int k = 0; k < n; k++) left += element[k]->n_corners == corners;
  text[0] = '\0';
  for (int k = 0; k < n; k++) {
    if (element[k]->n_corners != corners) continue;
    const char *between = count++ == 0 ? "" : left == 1 ? " or " : ", ";
    prc_append(text, size, "%s%d", between, element[k]->n_nodes);
    left--;
  }
}

void prc_mesh_element_noun(int type, char *text, size_t size) {
  static const struct {
    int type;
    const char *name;
  } known[] = {{4, "4-node tetrahedra"},       {5, "8-node hexahedra"},    {6, "6-node prisms"},
               {7, "5-node pyramids"},         {11, "10-node tetrahedra"}, {21, "10-node triangles"},
               {26, "4-node edges"},           {34, "polygons"},           {35, "polyhedra"},
               {36, "16-node quadrilaterals"}, {12, "27-node hexahedra"},  {17, "20-node hexahedra"}};
  snprintf(text, size, "elements of Gmsh's type %d", type);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].type == type) snprintf(text, size, "%s", known[i].name);
}

prc_status prc_mesh_refuse_elements(const char *what, int in_space, prc_error *err) {
  char triangles[64], quadrilaterals[64];
  list_nodes(3, triangles, sizeof triangles);
  list_nodes(4, quadrilaterals, sizeof quadrilaterals);
  return prc_fail(err, PRC_INPUT,
                  "elements other than triangles of %s nodes, quadrilaterals of %s and their edges are not "
                  "supported: %s%s",
                  triangles, quadrilaterals, what,
                  in_space ? "; the mesh is one of a body in space, expected one in the plane" : "");
}

prc_status prc_mesh_refuse_element(int type, size_t tag, prc_error *err) {
  char what[128], noun[64];
  prc_mesh_element_noun(type, noun, sizeof noun);
  snprintf(what, sizeof what, "%s (first: element %zu)", noun, tag);
  return prc_mesh_refuse_elements(what, 0, err);
}

/* ---- shape --------------------------------------------------------------------------------------------- */

static double distance_squared(const double *a, const double *b) {
  return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

static prc_status refuse_repeated_node(const prc_raw_cell *cell, prc_error *err) {
  for (int a = 0; a < cell->n_nodes; a++)
    for (int b = 0; b < a; b++)
      if (cell->node[a] == cell->node[b])
        return prc_fail(err, PRC_INPUT, "%s %zu has a node twice", cell->element->noun, cell->tag);
  return PRC_OK;
}

/* Twice the area of a straight triangle is its Jacobian; other cells have one at each point of their
 * quadrature. Their area, and the smallest and the largest of the Jacobians. */
static double area_of(const prc_raw_cell *cell, const double (*x)[2], double *low, double *high) {
  const prc_element *e = cell->element;
  double area = 0.0;
  *low = INFINITY, *high = -INFINITY;
  if (e->n_nodes == 3) {
    *low = *high = prc_triangle_area2(x[0], x[1], x[2]);
    return 0.5 * *low;
  }
  for (int k = 0; k < e->rule->n; k++) {
    double point[2], N[PRC_ELEMENT_NODES], gradient[PRC_ELEMENT_NODES][2];
    const double det = prc_element_map(e, x, e->rule->point[k].at, point, N, gradient);
    area += e->rule->point[k].weight * det;
    *low = fmin(*low, det), *high = fmax(*high, det);
  }
  return area;
}

static prc_status refuse_shape(const prc_mesh *mesh, const prc_raw_cell *cell, double low, double high,
                               int is_flat, prc_error *err) {
  const size_t *n = cell->node;
  const size_t a = mesh->tag[n[0]], b = mesh->tag[n[1]], c = mesh->tag[n[2]];
  if (cell->element->n_nodes == 3)
    return prc_fail(err, PRC_INPUT, "%s %zu has no area: its nodes %zu, %zu and %zu lie on a line",
                    cell->element->noun, cell->tag, a, b, c);
  if (is_flat)
    return prc_fail(err, PRC_INPUT, "%s %zu with the corners %zu, %zu, %zu%s has no area",
                    cell->element->noun, cell->tag, a, b, c, cell->element->n_corners > 3 ? ", ..." : "");
  return prc_fail(
      err, PRC_INPUT,
      "%s %zu with the corners %zu, %zu, %zu%s is folded: its Jacobian goes from %.3g to %.3g over "
      "its points of integration, expected one sign",
      cell->element->noun, cell->tag, a, b, c, cell->element->n_corners > 3 ? ", ..." : "", low, high);
}

/* The area of a cell, negative if it runs clockwise; refused when it is flat or folded. */
static prc_status signed_area(const prc_mesh *mesh, const prc_raw_cell *cell, double *area, prc_error *err) {
  double x[PRC_ELEMENT_NODES][2] = {{0.0}}, longest = 0.0, low, high;
  const int corners = cell->element->n_corners;
  const prc_status status = refuse_repeated_node(cell, err);
  if (status != PRC_OK) return status;
  for (int a = 0; a < cell->n_nodes; a++) memcpy(x[a], mesh->x + 2 * cell->node[a], sizeof x[a]);
  for (int a = 0; a < corners; a++) longest = fmax(longest, distance_squared(x[a], x[(a + 1) % corners]));
  *area = area_of(cell, (const double(*)[2])x, &low, &high);
  const int is_flat = !(fabs(*area) > flat * longest);
  if (is_flat || !(low > 0.0 || high < 0.0)) return refuse_shape(mesh, cell, low, high, is_flat, err);
  return PRC_OK;
}

/* ---- orientation --------------------------------------------------------------------------------------- */

/* "surface 3 of "block"", where the cell is */
static void name_surface(const prc_raw_mesh *raw, const prc_raw_cell *cell, char *text, size_t size) {
  snprintf(text, size, "surface %d", cell->entity);
  for (size_t g = 0; g < raw->n_groups; g++)
    for (size_t k = 0; k < raw->group[g].n_keys; k++)
      if (raw->group[g].dim == 2 && raw->group[g].key[k] == cell->key && *raw->group[g].name) {
        snprintf(text, size, "surface %d of \"%s\"", cell->entity, raw->group[g].name);
        return;
      }
}

static void reverse(size_t *list, int n) {
  for (int a = 0; 2 * a < n - 1; a++) {
    const size_t other = list[a];
    list[a] = list[n - 1 - a];
    list[n - 1 - a] = other;
  }
}

/* The first corner stays; the other corners and the nodes on sides run the other way. */
static void reverse_cell(prc_raw_cell *cell) {
  const int n = cell->element->n_corners;
  reverse(cell->node + 1, n - 1);
  if (cell->element->quadratic) reverse(cell->node + n, n);
}

/* The n cells of one surface: all run the same way, and if that is clockwise, they are turned. */
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
    name_surface(raw, cell, name, sizeof name);
    return prc_fail(err, PRC_INPUT,
                    "%s: %s %zu runs anticlockwise but %s %zu clockwise; expected one sense in a surface",
                    name, seen[0]->element->noun, seen[0]->tag, seen[1]->element->noun, seen[1]->tag);
  }
  for (size_t c = 0; c < n && seen[1]; c++, mesh->n_turned++) reverse_cell(&cell[c]);
  return PRC_OK;
}

prc_status prc_mesh_orient_cells(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                 prc_error *err) {
  const size_t n = raw->n_cells[2];
  prc_raw_cell *cell = raw->cell[2];
  qsort(cell, n, sizeof *cell, by_entity);
  for (size_t start = 0, end = 0; start < n; start = end) {
    while (end < n && cell[end].entity == cell[start].entity) end++;
    const prc_status status = orient_surface(mesh, raw, cell + start, end - start, err);
    if (status != PRC_OK) return status;
  }
  if (mesh->n_turned > 0)
    prc_log_message(log, PRC_LOG_INFO, "%s: %d of %zu cells came clockwise and were turned", path,
                    mesh->n_turned, n);
  return PRC_OK;
}

prc_status prc_mesh_build_cells(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = raw->n_cells[2];
  size_t n_nodes = 0;
  qsort(raw->cell[2], n, sizeof *raw->cell[2], prc_raw_by_tag);
  for (size_t c = 0; c < n; c++) n_nodes += (size_t)raw->cell[2][c].n_nodes;
  prc_try(prc_new(&mesh->cell_start, n + 1, err));
  prc_try(prc_new(&mesh->cell, n_nodes, err));
  prc_try(prc_new(&mesh->cell_element, n, err));
  prc_try(prc_new(&mesh->cell_tag, n, err));
  mesh->n_cells = (int)n;
  for (size_t c = 0; c < n; c++) {
    const prc_raw_cell *from = &raw->cell[2][c];
    for (int a = 0; a < from->n_nodes; a++) mesh->cell[mesh->cell_start[c] + a] = (int)from->node[a];
    mesh->cell_start[c + 1] = mesh->cell_start[c] + from->n_nodes;
    mesh->cell_element[c] = from->element;
    mesh->cell_tag[c] = from->tag;
  }
done:
  return status;
}
