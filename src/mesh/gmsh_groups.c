#include "config.h"
#include "mesh/internal.h"

#include <gmshc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups of files that have none: while Gmsh still knows what it read. */

/* The name of a curve or surface, or "curve-3": its number is the file's reference, or Gmsh's own. */
static prc_status name_entity(int dim, int entity, char **out, prc_error *err) {
  static const char *const noun[] = {"", "curve", "surface"};
  char *name = NULL, text[64];
  int ierr = 0;
  gmshModelGetEntityName(dim, entity, &name, &ierr);
  snprintf(text, sizeof text, "%s-%d", noun[dim], entity);
  const prc_status status = prc_strdup(ierr == 0 && name && *name ? name : text, out, err);
  gmshFree(name);
  return status;
}

static prc_status add_group(prc_raw_mesh *raw, int dim, int entity, prc_error *err) {
  prc_raw_group *group = &raw->group[raw->n_groups++];
  *group = (prc_raw_group){.dim = dim, .tag = entity};
  prc_status status = name_entity(dim, entity, &group->name, err);
  if (status == PRC_OK) status = prc_new(&group->key, 1, err);
  if (status == PRC_OK) group->key[group->n_keys++] = entity;
  return status;
}

/* Where there is no physical group of a dimension, each curve, or surface, that has cells is one. */
static prc_status add_entities(prc_raw_mesh *raw, int dim, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t k = 0; k < raw->n_groups; k++)
    if (raw->group[k].dim == dim) return PRC_OK;
  size_t capacity = 0;
  prc_raw_group *more = NULL;
  for (size_t c = 0; c < raw->n_cells[dim]; c++) {
    int known = 0;
    for (size_t k = raw->n_groups; k > 0 && !known; k--)
      known = raw->group[k - 1].dim == dim && raw->group[k - 1].tag == raw->cell[dim][c].entity;
    if (known) continue;
    capacity = raw->n_groups + 1;
    prc_try(prc_new(&more, capacity, err));
    if (raw->n_groups > 0) memcpy(more, raw->group, raw->n_groups * sizeof *more);
    prc_delete(&raw->group);
    raw->group = more, more = NULL;
    prc_try(add_group(raw, dim, raw->cell[dim][c].entity, err));
  }
done:
  return status;
}

typedef struct {
  size_t end[2], middle; /* by numbers of nodes, end[0] < end[1] */
} side;

static int by_ends(const void *a, const void *b) {
  const side *p = a, *q = b;
  const int first = prc_compare_sizes(p->end[0], q->end[0]);
  return first ? first : prc_compare_sizes(p->end[1], q->end[1]);
}

static size_t list_sides(const prc_raw_mesh *raw, side *list) {
  size_t n = 0;
  for (size_t c = 0; c < raw->n_cells[2]; c++) {
    const prc_raw_cell *cell = &raw->cell[2][c];
    const int corners = cell->element->n_corners;
    for (int k = 0; k < corners; k++, n++) {
      const size_t a = cell->node[k], b = cell->node[(k + 1) % corners];
      if (list)
        list[n] = (side){.end = {a < b ? a : b, a < b ? b : a},
                         .middle = cell->element->quadratic ? cell->node[corners + k] : 0};
    }
  }
  return n;
}

static prc_status add_edge(prc_raw_mesh *raw, const side *s, size_t tag, prc_error *err) {
  const prc_status status =
      prc_grow(&raw->cell[1], &raw->capacity[1], raw->n_cells[1] + 1, sizeof *raw->cell[1], err);
  if (status == PRC_OK)
    raw->cell[1][raw->n_cells[1]++] = (prc_raw_cell){.tag = tag,
                                                     .node = {s->end[0], s->end[1], s->middle},
                                                     .n_nodes = s->middle ? 3 : 2,
                                                     .entity = 1,
                                                     .key = 1};
  return status;
}

/* A file without any edges has one group of them, `boundary`: the sides that one cell has for itself. */
static prc_status add_boundary(prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  side *list = NULL;
  size_t tag = 0;
  if (raw->n_cells[1] > 0 || raw->n_cells[2] == 0) return PRC_OK;
  const size_t n = list_sides(raw, NULL);
  prc_try(prc_new(&list, n, err));
  (void)list_sides(raw, list);
  qsort(list, n, sizeof *list, by_ends);
  for (size_t c = 0; c < raw->n_cells[2]; c++)
    if (raw->cell[2][c].tag > tag) tag = raw->cell[2][c].tag;
  for (size_t k = 0; k < n; k++) {
    const int before = k > 0 && by_ends(&list[k - 1], &list[k]) == 0,
              after = k + 1 < n && by_ends(&list[k], &list[k + 1]) == 0;
    if (!before && !after) prc_try(add_edge(raw, &list[k], ++tag, err));
  }
  prc_try(add_entities(raw, 1, err));
  for (size_t k = 0; k < raw->n_groups; k++)
    if (raw->group[k].dim == 1) {
      prc_delete(&raw->group[k].name);
      prc_try(prc_strdup("boundary", &raw->group[k].name, err));
    }
done:
  prc_delete(&list);
  return status;
}

prc_status prc_gmsh_complete_groups(prc_raw_mesh *raw, prc_error *err) {
  if (raw->n_cells[2] == 0)
    return prc_fail(err, PRC_INPUT, "Gmsh finds no triangles or quadrilaterals in it, expected a plane mesh");
  prc_status status = add_boundary(raw, err);
  if (status == PRC_OK) status = add_entities(raw, 2, err);
  return status == PRC_OK ? add_entities(raw, 1, err) : status;
}
