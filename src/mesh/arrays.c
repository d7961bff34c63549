#include "config.h"
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

/* A mesh of a program's own arrays: they become what a file would have said, and are judged as a file is. */

enum { EDGE = 1, QUADRATIC_EDGE = 8 }; /* Gmsh's types of lines */

/* Nodes of an element of the list; 0: the type is not known. *dim: 1 or 2 */
static int size_of(const prc_mesh_list *list, int *dim) {
  const prc_element *element = prc_element_of_gmsh(list->gmsh_type);
  *dim = element ? 2 : 1;
  if (element) return element->n_nodes;
  return list->gmsh_type == EDGE ? 2 : list->gmsh_type == QUADRATIC_EDGE ? 3 : 0;
}

static prc_status check_list(const prc_mesh_arrays *from, const prc_mesh_list *list, prc_error *err) {
  int dim;
  const int size = size_of(list, &dim);
  const char *name = list->name ? list->name : "";
  if (!*name) return prc_fail(err, PRC_INPUT, "a list of elements has no name, expected that of its group");
  if (size == 0)
    return prc_fail(
        err, PRC_INPUT,
        "'%s' has elements of Gmsh's type %d, expected sides (1, 8), triangles (2, 9) or quadrilaterals "
        "(3, 16, 10)",
        name, list->gmsh_type);
  if (list->n < 0 || (list->n > 0 && !list->node))
    return prc_fail(err, PRC_INPUT, "'%s' has %d elements, expected as many as there are nodes for", name,
                    list->n);
  for (int k = 0; k < size * list->n; k++)
    if (list->node[k] < 0 || list->node[k] >= from->n_nodes)
      return prc_fail(err, PRC_INPUT, "'%s': node %d of element %d is %d, expected 0 to %d", name, k % size,
                      k / size, list->node[k], from->n_nodes - 1);
  return PRC_OK;
}

static prc_status check(const prc_mesh_arrays *from, prc_error *err) {
  prc_status status = PRC_OK;
  if (from->n_nodes < 1 || !from->x) return prc_fail(err, PRC_INPUT, "a mesh needs nodes, there are none");
  if (from->n_lists > 0) prc_need(from->list, err);
  for (int i = 0; i < 2 * from->n_nodes; i++)
    if (!isfinite(from->x[i]))
      return prc_fail(err, PRC_INPUT, "node %d: %s is %g, expected a finite number", i / 2, i % 2 ? "y" : "x",
                      from->x[i]);
  for (int l = 0; l < from->n_lists; l++) prc_try(check_list(from, &from->list[l], err));
done:
  return status;
}

/* The first list of that name and dimension: lists of one name are one group. */
static int group_of(const prc_mesh_arrays *from, int l) {
  int dim, other;
  (void)size_of(&from->list[l], &dim);
  for (int k = 0; k < l; k++)
    if (strcmp(from->list[k].name, from->list[l].name) == 0 && size_of(&from->list[k], &other)
        && other == dim)
      return k;
  return l;
}

static prc_status add_nodes(const prc_mesh_arrays *from, prc_raw_mesh *raw, prc_error *err) {
  const prc_status status = prc_new(&raw->node, from->n_nodes, err);
  if (status != PRC_OK) return status;
  raw->n_nodes = (size_t)from->n_nodes;
  for (int a = 0; a < from->n_nodes; a++)
    raw->node[a] = (prc_raw_node){(size_t)a + 1, {from->x[2 * a], from->x[2 * a + 1], 0.0}};
  return PRC_OK;
}

static void add_list(const prc_mesh_list *list, int key, prc_raw_mesh *raw, size_t *tag) {
  int dim;
  const int size = size_of(list, &dim);
  for (int e = 0; e < list->n; e++) {
    prc_raw_cell *cell = &raw->cell[dim][raw->n_cells[dim]++];
    *cell = (prc_raw_cell){.tag = ++*tag,
                           .n_nodes = size,
                           .entity = key,
                           .key = key,
                           .element = prc_element_of_gmsh(list->gmsh_type)};
    for (int k = 0; k < size; k++) cell->node[k] = (size_t)list->node[size * e + k] + 1;
  }
}

static prc_status add_lists(const prc_mesh_arrays *from, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  size_t room[3] = {0}, tag = 0;
  int dim;
  for (int l = 0; l < from->n_lists; l++) {
    (void)size_of(&from->list[l], &dim);
    room[dim] += (size_t)from->list[l].n;
  }
  for (dim = 1; dim < 3; dim++) prc_try(prc_new(&raw->cell[dim], room[dim], err));
  prc_try(prc_new(&raw->group, from->n_lists, err));
  for (int l = 0; l < from->n_lists; l++) {
    const int first = group_of(from, l);
    add_list(&from->list[l], first + 1, raw, &tag);
    if (first != l) continue;
    prc_raw_group *group = &raw->group[raw->n_groups++];
    (void)size_of(&from->list[l], &group->dim);
    group->tag = l + 1, group->n_keys = 1;
    prc_try(prc_strdup(from->list[l].name, &group->name, err));
    prc_try(prc_new(&group->key, 1, err));
    group->key[0] = l + 1;
  }
done:
  return status;
}

prc_status prc_mesh_create(const prc_mesh_arrays *from, const prc_log *log, prc_mesh **out, prc_error *err) {
  prc_need(from, err);
  prc_need(out, err);
  const prc_mesh_options options = {.allow_duplicate_nodes = from->allow_duplicate_nodes};
  prc_raw_mesh raw = {0};
  prc_status status = PRC_OK;
  prc_try(check(from, err));
  prc_try(add_nodes(from, &raw, err));
  prc_try(add_lists(from, &raw, err));
  prc_try(prc_mesh_build(&raw, "mesh", &options, log, out, err));
done:
  prc_raw_mesh_free(&raw);
  return status;
}
