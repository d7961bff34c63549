#include "config.h"
#include "mesh/internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mesh that is split along a curve. Each node of the curve becomes two, of which the cells on its left get the new one. At a node the sides
 * that are not of the curve hold its cells together in fans: one on the left and one on the right where the curve goes on or ends at the
 * boundary, a single one where it ends inside the body, and there nothing is split. */

/* A side of the curve: its ends in the order of the walk, what lies on either hand. */
typedef struct {
  int from, to, middle, left, right;
} link;

typedef struct {
  prc_mesh *mesh;
  const char *name;
  int n;
  link *link;     /* in the order of the walk once it was walked */
  int *first;     /* n_nodes: the links at a node of the curve, or -1 */
  int *second;    /* likewise */
  int *left_node; /* n_nodes: what the node is on the left; itself where it is not split */
  prc_mesh_side *sides;
  size_t n_sides;
  int *cell; /* the nodes of cells as they will be */
  int n_new;
  prc_error *err;
} split;

static prc_status refuse(const split *s, int node, const char *what) {
  const prc_mesh *mesh = s->mesh;
  return prc_fail(
      s->err, PRC_INPUT,
      "the curve '%s' %s at node %zu, (%g, %g), expected a curve inside the body that may end in it "
      "or at its boundary",
      s->name, what, mesh->tag[node], mesh->x[2 * node], mesh->x[2 * node + 1]);
}

/* ---- the curve as a chain -------------------------------------------------------------------------------- */

static prc_status add_end(split *s, int node, int k) {
  if (s->mesh->twin && s->mesh->twin[node] >= 0) return refuse(s, node, "meets another that was split");
  int *at = s->first[node] < 0 ? &s->first[node] : &s->second[node];
  if (*at >= 0) return refuse(s, node, "branches or meets itself");
  *at = k;
  return PRC_OK;
}

static prc_status gather(split *s, const prc_mesh_group *group) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = s->mesh;
  s->n = group->n_cells;
  prc_try(prc_new(&s->link, s->n, s->err));
  prc_try(prc_new(&s->first, mesh->n_nodes, s->err));
  prc_try(prc_new(&s->second, mesh->n_nodes, s->err));
  for (int i = 0; i < mesh->n_nodes; i++) s->first[i] = s->second[i] = -1;
  for (int k = 0; k < s->n; k++) {
    const int e = group->cell[k], *end = mesh->edge + 2 * e;
    s->link[k] = (link){end[0], end[1], mesh->edge_middle[e], mesh->edge_cell[e],
                        mesh->edge_beyond ? mesh->edge_beyond[e] : -1};
    if (s->link[k].right < 0) prc_try(refuse(s, end[0], "runs along the boundary"));
    for (int a = 0; a < 2; a++) prc_try(add_end(s, end[a], k));
  }
done:
  return status;
}

static void turn(link *l) {
  *l = (link){l->to, l->from, l->middle, l->right, l->left};
}

static int comes_before(const double *x, const double *y) {
  return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

/* The other link at the end of one; -1: the curve ends there. */
static int next_of(const split *s, int k, int node) {
  return s->first[node] == k ? s->second[node] : s->first[node];
}

/* From link k, which leaves `node`, on: appends to `order`, each as it is walked. Returns the last node. */
static int walk(split *s, int k, int node, int *order, int *n, char *seen) {
  while (k >= 0 && !seen[k]) {
    if (s->link[k].from != node) turn(&s->link[k]);
    order[(*n)++] = k, seen[k] = 1;
    node = s->link[k].to;
    k = next_of(s, k, node);
  }
  return node;
}

/* Open pieces from the end with the smaller x; of a closed one twice the area inside tells which way it goes. */
static void walk_all(split *s, int *order, char *seen) {
  const double *x = s->mesh->x;
  int n = 0;
  for (int pass = 0; pass < 2; pass++) /* what has ends, then what is closed */
    for (int k = 0; k < s->n; k++) {
      int start = s->link[k].from, first = n;
      double area2 = 0.0;
      if (pass == 0 && s->second[start] >= 0) start = s->link[k].to;
      if (seen[k] || (pass == 0 && s->second[start] >= 0)) continue;
      const int end = walk(s, k, start, order, &n, seen);
      for (int i = first; i < n; i++) {
        const double *p = x + 2 * s->link[order[i]].from, *q = x + 2 * s->link[order[i]].to;
        area2 += p[0] * q[1] - q[0] * p[1];
      }
      if (pass == 0 ? comes_before(x + 2 * start, x + 2 * end) : area2 > 0.0) continue;
      for (int i = first, j = n - 1; i < j; i++, j--) {
        const int other = order[i];
        order[i] = order[j], order[j] = other;
      }
      for (int i = first; i < n; i++) turn(&s->link[order[i]]);
    }
}

static prc_status put_in_order(split *s) {
  prc_status status = PRC_OK;
  int *order = NULL;
  char *seen = NULL;
  link *sorted = NULL;
  prc_try(prc_new(&order, s->n, s->err));
  prc_try(prc_new(&seen, s->n, s->err));
  prc_try(prc_new(&sorted, s->n, s->err));
  walk_all(s, order, seen);
  for (int i = 0; i < s->n; i++) sorted[i] = s->link[order[i]];
  memcpy(s->link, sorted, (size_t)s->n * sizeof *sorted);
  for (int i = 0; i < s->mesh->n_nodes; i++) s->first[i] = s->second[i] = -1;
  for (int k = 0; k < s->n; k++)
    for (int a = 0; a < 2; a++) {
      const int node = a ? s->link[k].to : s->link[k].from;
      *(s->first[node] < 0 ? &s->first[node] : &s->second[node]) = k;
    }
done:
  prc_delete(&order);
  prc_delete(&seen);
  prc_delete(&sorted);
  return status;
}

/* ---- fans ------------------------------------------------------------------------------------------------ */

/* The place of a node in a cell. */
static int corner_of(const prc_mesh *mesh, int c, int node) {
  int a = mesh->cell_start[c];
  while (mesh->cell[a] != node) a++;
  return a - mesh->cell_start[c];
}

static int is_of_curve(const split *s, int node, int other) {
  for (int which = 0; which < 2; which++) {
    const int k = which ? s->second[node] : s->first[node];
    if (k >= 0 && (s->link[k].from == other || s->link[k].to == other)) return 1;
  }
  return 0;
}

/* The next cell around the node, anticlockwise or clockwise; -1: there the curve or the boundary is. */
static int neighbour(const split *s, int c, int node, int anticlockwise) {
  const prc_mesh *mesh = s->mesh;
  const int n = mesh->cell_element[c]->n_corners, a = corner_of(mesh, c, node);
  const int *corner = mesh->cell + mesh->cell_start[c];
  const int other = corner[(a + (anticlockwise ? n - 1 : 1)) % n];
  if (is_of_curve(s, node, other)) return -1;
  const prc_mesh_side *side = anticlockwise ? prc_mesh_find_side(s->sides, s->n_sides, node, other)
                                            : prc_mesh_find_side(s->sides, s->n_sides, other, node);
  return side ? side->cell : -1;
}

/* Goes through the fan of cell c; with `replaced` >= 0 that takes the place of the node there. Returns how many cells it has; *holds: is `wanted`
 * one of them? */
static int visit_fan(split *s, int c, int node, int wanted, int replaced, int *holds) {
  int n = 0, edge = c;
  *holds = 0;
  for (int next; (next = neighbour(s, edge, node, 0)) >= 0 && next != c;) edge = next;
  for (int at = edge; at >= 0; at = neighbour(s, at, node, 1)) {
    if (n > 0 && at == edge) break; /* all around */
    *holds |= at == wanted, n++;
    if (replaced >= 0) s->cell[s->mesh->cell_start[at] + corner_of(s->mesh, at, node)] = replaced;
  }
  return n;
}

/* Which hands of the node's links lie in which fan: on either side of it one fan, and these are all of its cells. */
static prc_status split_node(split *s, int node, const int *cells_around) {
  const link *one = &s->link[s->first[node]], *two = s->second[node] < 0 ? one : &s->link[s->second[node]];
  int both, same;
  const int left = visit_fan(s, one->left, node, one->right, -1, &both);
  if (both) { /* a fan that goes around an end inside the body */
    if (left < cells_around[node])
      return refuse(s, node, "ends where the body hangs together in a point alone,");
    return PRC_OK;
  }
  const int right = visit_fan(s, one->right, node, two->right, -1, &same);
  if (left + right < cells_around[node] || !same)
    return refuse(s, node, "touches the boundary otherwise than with an end");
  if (s->mesh->n_nodes + s->n_new >= INT_MAX / 4)
    return prc_fail(s->err, PRC_INPUT, "the split mesh has too many nodes");
  s->left_node[node] = s->mesh->n_nodes + s->n_new++;
  visit_fan(s, one->left, node, -1, s->left_node[node], &both);
  return PRC_OK;
}

static void split_middle(split *s, const link *l) {
  const prc_mesh *mesh = s->mesh;
  if (l->middle < 0) return;
  s->left_node[l->middle] = mesh->n_nodes + s->n_new++;
  s->cell[mesh->cell_start[l->left] + corner_of(mesh, l->left, l->middle)] = s->left_node[l->middle];
}

static prc_status split_nodes(split *s) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = s->mesh;
  int *around = NULL;
  prc_try(prc_new(&around, mesh->n_nodes, s->err));
  prc_try(prc_new(&s->left_node, mesh->n_nodes, s->err));
  prc_try(prc_new(&s->cell, mesh->cell_start[mesh->n_cells], s->err));
  for (int i = 0; i < mesh->n_nodes; i++) s->left_node[i] = i;
  memcpy(s->cell, mesh->cell, (size_t)mesh->cell_start[mesh->n_cells] * sizeof *s->cell);
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++) around[mesh->cell[k]]++;
  for (int k = 0; k < s->n; k++) {
    const link *l = &s->link[k];
    if (s->first[l->from] == k) prc_try(split_node(s, l->from, around));
    split_middle(s, l);
    if (s->first[l->to] == k) prc_try(split_node(s, l->to, around));
  }
  for (int k = 0; k < s->n; k++) {
    const link *l = &s->link[k];
    if (s->left_node[l->from] == l->from && s->left_node[l->to] == l->to)
      prc_try(refuse(s, l->from, "is one side between two ends inside the body"));
  }
done:
  prc_delete(&around);
  return status;
}

/* ---- the mesh as it is then ------------------------------------------------------------------------------ */

/* The lowest corner first again; nodes halfway go with their sides. */
static void rotate_cells(prc_mesh *mesh) {
  for (int c = 0; c < mesh->n_cells; c++) {
    const prc_element *e = mesh->cell_element[c];
    int *node = mesh->cell + mesh->cell_start[c], old[PRC_ELEMENT_NODES], lowest = 0;
    memcpy(old, node, (size_t)e->n_nodes * sizeof *old);
    for (int a = 1; a < e->n_corners; a++)
      if (old[a] < old[lowest]) lowest = a;
    for (int a = 0; a < e->n_corners && lowest > 0; a++) {
      const int from = (a + lowest) % e->n_corners;
      node[a] = old[from];
      if (e->quadratic) node[e->n_corners + a] = old[e->n_corners + from];
    }
  }
}

static prc_status add_nodes(split *s) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = s->mesh;
  double *x = NULL;
  size_t *tag = NULL, largest = 0;
  int *twin = NULL;
  const int n = mesh->n_nodes, all = n + s->n_new;
  prc_try(prc_new(&x, 2 * (size_t)all, s->err));
  prc_try(prc_new(&tag, all, s->err));
  prc_try(prc_new(&twin, all, s->err));
  memcpy(x, mesh->x, 2 * (size_t)n * sizeof *x);
  memcpy(tag, mesh->tag, (size_t)n * sizeof *tag);
  for (int i = 0; i < all; i++) twin[i] = i < n && mesh->twin ? mesh->twin[i] : -1;
  for (int i = 0; i < n; i++) largest = tag[i] > largest ? tag[i] : largest;
  for (int i = 0; i < n; i++) {
    const int j = s->left_node[i];
    if (j == i) continue;
    x[2 * j] = x[2 * i], x[2 * j + 1] = x[2 * i + 1];
    tag[j] = largest + 1 + (size_t)(j - n);
    twin[i] = j, twin[j] = i;
  }
  prc_delete(&mesh->x);
  prc_delete(&mesh->tag);
  prc_delete(&mesh->twin);
  mesh->x = x, mesh->tag = tag, mesh->twin = twin, mesh->n_nodes = all;
  x = NULL, tag = NULL, twin = NULL;
done:
  prc_delete(&x);
  prc_delete(&tag);
  prc_delete(&twin);
  return status;
}

/* Edges of other curves: the nodes of the cell that they belong to. */
static void rename_edges(split *s) {
  prc_mesh *mesh = s->mesh;
  for (int k = 0; k < mesh->n_edges; k++) {
    const int c = mesh->edge_cell[k];
    for (int a = 0; a < 2; a++) {
      int *node = &mesh->edge[2 * k + a];
      if (s->left_node[*node] != *node) *node = s->cell[mesh->cell_start[c] + corner_of(mesh, c, *node)];
    }
  }
}

/* Edge e of the mesh is the k-th side of the curve as seen from the left or the right: its cell on the left of it, nothing beyond. */
static void set_edge(split *s, int e, int k, int left) {
  prc_mesh *mesh = s->mesh;
  const link *l = &s->link[k];
  const int middle = l->middle >= 0 && left ? s->left_node[l->middle] : l->middle;
  mesh->edge[2 * e] = left ? s->left_node[l->from] : l->to;
  mesh->edge[2 * e + 1] = left ? s->left_node[l->to] : l->from;
  mesh->edge_middle[e] = middle;
  mesh->edge_cell[e] = left ? l->left : l->right;
  mesh->edge_beyond[e] = -1;
}

static prc_status lengthen(int **list, size_t n, size_t more, prc_error *err) {
  int *longer = NULL;
  const prc_status status = prc_new(&longer, n + more, err);
  if (status != PRC_OK) return status;
  if (n > 0) memcpy(longer, *list, n * sizeof *longer);
  prc_delete(list);
  *list = longer;
  return PRC_OK;
}

/* The group's own edges become those of the right; those of the left stand behind all others. */
static prc_status add_edges(split *s, int g) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = s->mesh;
  const size_t n = (size_t)mesh->n_edges, more = (size_t)s->n;
  prc_try(lengthen(&mesh->edge, 2 * n, 2 * more, s->err));
  prc_try(lengthen(&mesh->edge_middle, n, more, s->err));
  prc_try(lengthen(&mesh->edge_cell, n, more, s->err));
  prc_try(lengthen(&mesh->edge_beyond, n, more, s->err));
  for (int k = 0; k < s->n; k++) {
    set_edge(s, mesh->group[g].cell[k], k, 0);
    set_edge(s, mesh->n_edges + k, k, 1);
    mesh->group[g + 1].cell[k] = mesh->n_edges + k;
  }
  mesh->n_edges += s->n;
done:
  return status;
}

static prc_status name_side(split *s, const char *hand, char **out) {
  prc_bytes text = {0};
  const prc_status status = prc_bytes_print(&text, s->err, "%s.%s", s->name, hand);
  if (status != PRC_OK) return status;
  if (prc_mesh_find(s->mesh, 1, text.at)) {
    const prc_status there =
        prc_fail(s->err, PRC_INPUT,
                 "the mesh has a physical curve '%s' already, expected the name to be free for a "
                 "side of '%s'",
                 text.at, s->name);
    prc_delete(&text.at);
    return there;
  }
  *out = text.at;
  return PRC_OK;
}

/* Group g becomes two, the right one first. */
static prc_status add_groups(split *s, int g) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = s->mesh;
  prc_mesh_group *group = NULL, right = {.dim = 1, .n_cells = s->n}, left = right;
  const size_t n = (size_t)mesh->n_groups;
  prc_try(name_side(s, "right", &right.name));
  prc_try(name_side(s, "left", &left.name));
  prc_try(prc_new(&left.cell, s->n, s->err));
  prc_try(prc_new(&group, n + 1, s->err));
  memcpy(group, mesh->group, (size_t)(g + 1) * sizeof *group);
  memcpy(group + g + 2, mesh->group + g + 1, (n - (size_t)g - 1) * sizeof *group);
  right.cell = group[g].cell, right.node = group[g].node;
  prc_delete(&group[g].name);
  group[g] = right, group[g + 1] = left;
  prc_delete(&mesh->group);
  mesh->group = group, mesh->n_groups++;
  right.name = NULL, left = (prc_mesh_group){0};
done:
  prc_delete(&right.name);
  prc_delete(&left.name);
  prc_delete(&left.cell);
  return status;
}

static prc_status collect_nodes(split *s) {
  prc_status status = PRC_OK;
  prc_mesh *mesh = s->mesh;
  int *mark = NULL;
  prc_try(prc_new(&mark, mesh->n_nodes, s->err));
  for (int g = 0; g < mesh->n_groups; g++) {
    prc_delete(&mesh->group[g].node);
    prc_try(prc_mesh_collect_nodes(mesh, &mesh->group[g], mark, g + 1, s->err));
  }
done:
  prc_delete(&mark);
  return status;
}

/* ---- all ------------------------------------------------------------------------------------------------- */

static int group_of(const prc_mesh *mesh, const char *curve) {
  const prc_mesh_group *group = prc_mesh_find(mesh, 1, curve);
  return group ? (int)(group - mesh->group) : -1;
}

/* An edge that another curve has too would have to be on one of the sides. */
static prc_status check_shared(const split *s, const prc_mesh_group *own) {
  const prc_mesh *mesh = s->mesh;
  for (int g = 0; g < mesh->n_groups; g++)
    for (int k = 0; mesh->group[g].dim == 1 && &mesh->group[g] != own && k < mesh->group[g].n_cells; k++) {
      const int *end = mesh->edge + 2 * mesh->group[g].cell[k];
      if (s->first[end[0]] < 0 || !is_of_curve(s, end[0], end[1])) continue;
      return prc_fail(
          s->err, PRC_INPUT,
          "the curve '%s' that is to be split and the curve '%s' share the side between nodes %zu and "
          "%zu, expected it in one of them: it becomes two sides",
          s->name, mesh->group[g].name, mesh->tag[end[0]], mesh->tag[end[1]]);
    }
  return PRC_OK;
}

prc_status prc_mesh_split(prc_mesh *mesh, const char *curve, prc_error *err) {
  prc_status status = PRC_OK;
  split s = {.mesh = mesh, .name = curve, .err = err};
  const int g = group_of(mesh, curve);
  if (g < 0 || mesh->group[g].n_cells == 0)
    return prc_fail(err, PRC_INPUT,
                    "the mesh has no physical curve '%s' with elements, expected one to be split", curve);
  prc_try(gather(&s, &mesh->group[g]));
  prc_try(check_shared(&s, &mesh->group[g]));
  prc_try(put_in_order(&s));
  prc_try(prc_mesh_list_sides(mesh, &s.sides, &s.n_sides, err));
  prc_try(split_nodes(&s));
  prc_try(add_groups(&s, g));
  rename_edges(&s);
  prc_try(add_edges(&s, g));
  prc_try(add_nodes(&s));
  memcpy(mesh->cell, s.cell, (size_t)mesh->cell_start[mesh->n_cells] * sizeof *s.cell);
  rotate_cells(mesh);
  prc_try(collect_nodes(&s));
done:
  prc_delete(&s.link);
  prc_delete(&s.first);
  prc_delete(&s.second);
  prc_delete(&s.left_node);
  prc_delete(&s.cell);
  prc_delete(&s.sides);
  return status;
}
