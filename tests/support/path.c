#include "config.h"
#include "support/path.h"
#include "mesh/internal.h"
#include "support/plate.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static prc_error err;

prc_mesh *path_square(int type) {
  const plate p = {.type = type, .nx = PATH_SIDE, .ny = PATH_SIDE, .width = 1.0, .height = 1.0};
  return plate_mesh(&p);
}

int path_node(const prc_mesh *mesh, double x, double y) {
  for (int i = 0; i < mesh->n_nodes; i++)
    if (hypot(mesh->x[2 * i] - x, mesh->x[2 * i + 1] - y) < 1e-9) return i;
  ck_abort_msg("there is no node at (%g, %g)", x, y);
  return -1;
}

static void *longer(void *list, size_t n, size_t size) {
  void *more = NULL;
  support_ok(prc_allocate(n + 1, size, &more, &err), &err);
  if (n > 0) memcpy(more, list, n * size);
  prc_release(&list);
  return more;
}

void path_add_side(prc_mesh *mesh, prc_mesh_group *group, int i, int j) {
  prc_mesh_side *sides = NULL;
  size_t n, e = (size_t)mesh->n_edges;
  support_ok(prc_mesh_list_sides(mesh, &sides, &n, &err), &err);
  const prc_mesh_side *one = prc_mesh_find_side(sides, n, i, j), *other = prc_mesh_find_side(sides, n, j, i);
  ck_assert(one || other);
  if (!one || (other && other->cell < one->cell)) {
    const prc_mesh_side *swap = one;
    one = other, other = swap;
  }
  mesh->edge = longer(mesh->edge, e, 2 * sizeof *mesh->edge);
  mesh->edge_middle = longer(mesh->edge_middle, e, sizeof *mesh->edge_middle);
  mesh->edge_cell = longer(mesh->edge_cell, e, sizeof *mesh->edge_cell);
  mesh->edge_beyond = longer(mesh->edge_beyond, e, sizeof *mesh->edge_beyond);
  mesh->edge[2 * e] = one->from, mesh->edge[2 * e + 1] = one->to;
  mesh->edge_middle[e] = one->middle, mesh->edge_cell[e] = one->cell;
  mesh->edge_beyond[e] = other ? other->cell : -1;
  group->cell = longer(group->cell, (size_t)group->n_cells, sizeof *group->cell);
  group->cell[group->n_cells++] = mesh->n_edges++;
  prc_delete(&sides);
}

void path_add(prc_mesh *mesh, const path *p) {
  double x = p->x, y = p->y;
  int *mark = NULL;
  mesh->group = longer(mesh->group, (size_t)mesh->n_groups, sizeof *mesh->group);
  prc_mesh_group *group = &mesh->group[mesh->n_groups++];
  *group = (prc_mesh_group){.dim = 1};
  support_ok(prc_strdup(p->name, &group->name, &err), &err);
  for (const char *s = p->steps; *s; s++) {
    const double dx = (*s == 'R') + (*s == 'A') - (*s == 'L'), dy = (*s == 'U') + (*s == 'A') - (*s == 'D');
    path_add_side(mesh, group, path_node(mesh, x / PATH_SIDE, y / PATH_SIDE),
                  path_node(mesh, (x + dx) / PATH_SIDE, (y + dy) / PATH_SIDE));
    x += dx, y += dy;
  }
  support_ok(prc_new(&mark, mesh->n_nodes, &err), &err);
  support_ok(prc_mesh_collect_nodes(mesh, group, mark, 1, &err), &err);
  prc_delete(&mark);
}

prc_mesh *path_on(int type, const path *p) {
  prc_mesh *mesh = path_square(type);
  path_add(mesh, p);
  return mesh;
}

void path_add_unused(prc_mesh *mesh) {
  const size_t n = (size_t)mesh->n_nodes++;
  size_t largest = 0;
  for (size_t i = 0; i < n; i++) largest = mesh->tag[i] > largest ? mesh->tag[i] : largest;
  mesh->x = longer(mesh->x, n, 2 * sizeof *mesh->x);
  mesh->tag = longer(mesh->tag, n, sizeof *mesh->tag);
  mesh->x[2 * n] = mesh->x[2 * n + 1] = 9.0;
  mesh->tag[n] = largest + 1;
  mesh->n_unused++;
}

prc_mesh *path_bodies(int type, int other) {
  const path fault = {"fault", 0, 4, "RRRRRRRR"}, inside = {"inside", 2, 1, "RRRUU"};
  prc_mesh *part[2] = {path_on(type, &fault), path_square(other)}, *mesh = NULL;
  path_add(part[0], &inside);
  path_add_unused(part[0]);
  for (int i = 0; i < part[1]->n_nodes; i++) part[1]->x[2 * i] += 2.0;
  part[1]->low[0] += 2.0, part[1]->high[0] += 2.0;
  prc_error_clear(&err);
  support_ok(prc_mesh_join(2, part, &mesh, &err), &err);
  support_ok(prc_mesh_split(mesh, "fault", &err), &err);
  return mesh;
}
