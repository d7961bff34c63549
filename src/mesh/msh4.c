#include "config.h"
#include "mesh/msh.h"

#include <limits.h>
#include <stdlib.h>

/* Version 4.1: the groups are those of points, curves, surfaces and volumes, and each block of elements
 * belongs to one. */

static const char *const noun[4] = {"point", "curve", "surface", "volume"};

/* ---- entities ------------------------------------------------------------------------------------------ */

static prc_status add_entity(prc_msh_groups *groups, int dim, int tag, prc_error *err) {
  const prc_status status = prc_grow(&groups->entity, &groups->entity_capacity, groups->n_entities + 1,
                                     sizeof *groups->entity, err);
  if (status == PRC_OK) groups->entity[groups->n_entities++] = (prc_msh_entity){dim, tag};
  return status;
}

/* The groups of an entity, without the sign that turns it round. */
static prc_status read_groups(prc_msh *m, int dim, int tag, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n;
  int physical = 0;
  prc_try(prc_msh_size(m, &n, err));
  for (size_t k = 0; k < n; k++) {
    prc_try(prc_msh_int(m, &physical, err));
    if (physical == INT_MIN)
      prc_try(prc_fail(err, PRC_INPUT, "%s: %s %d has the group %d, expected a smaller number", m->section,
                       noun[dim], tag, physical));
    prc_try(prc_msh_link_group(groups, dim, abs(physical), tag, err));
  }
done:
  return status;
}

/* Tag; of a partitioned one its parent and partitions; place or box; groups; and, beyond points, what bounds
 * it. */
static prc_status read_entity(prc_msh *m, int dim, int partitioned, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  int tag = 0;
  size_t n;
  prc_try(prc_msh_int(m, &tag, err));
  if (partitioned) {
    prc_try(prc_msh_skip_ints(m, 2, err));
    prc_try(prc_msh_size(m, &n, err));
    prc_try(prc_msh_skip_ints(m, n, err));
  }
  prc_try(prc_msh_skip_doubles(m, dim == 0 ? 3 : 6, err));
  prc_try(add_entity(groups, dim, tag, err));
  prc_try(read_groups(m, dim, tag, groups, err));
  if (dim > 0) {
    prc_try(prc_msh_size(m, &n, err));
    prc_try(prc_msh_skip_ints(m, n, err));
  }
done:
  return status;
}

static prc_status skip_ghosts(prc_msh *m, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n;
  prc_try(prc_msh_size(m, &n, err)); /* partitions */
  prc_try(prc_msh_count(m, "ghosts", &n, err));
  prc_try(prc_msh_skip_ints(m, 2 * n, err));
done:
  return status;
}

prc_status prc_msh4_entities(prc_msh *m, int partitioned, prc_msh_groups *groups, prc_error *err) {
  static const char *const plural[4] = {"points", "curves", "surfaces", "volumes"};
  prc_status status = PRC_OK;
  size_t n[4];
  groups->has_entities = 1;
  prc_msh_begin(m, "line", 1);
  if (partitioned) prc_try(skip_ghosts(m, err));
  for (int dim = 0; dim < 4; dim++) prc_try(prc_msh_count(m, plural[dim], &n[dim], err));
  for (int dim = 0; dim < 4; dim++) {
    prc_msh_begin(m, noun[dim], n[dim]);
    for (; m->done < m->n_items; m->done++) prc_try(read_entity(m, dim, partitioned, groups, err));
  }
done:
  return status;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* Of nodes or elements: where they belong, what else is said of all of them, how many there are. */
typedef struct {
  int dim, entity, kind; /* nodes: parametric; elements: their type */
  size_t n;
} block;

/* Blocks, items, the least and the largest number. */
static prc_status begin(prc_msh *m, const char *item, const char *items, size_t *n_blocks, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n, unused;
  prc_try(prc_msh_count(m, "blocks", n_blocks, err));
  prc_try(prc_msh_count(m, items, &n, err));
  prc_msh_begin(m, item, n);
  for (int k = 0; k < 2; k++) prc_try(prc_msh_size(m, &unused, err));
done:
  return status;
}

static prc_status read_block(prc_msh *m, block *b, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_msh_int(m, &b->dim, err));
  prc_try(prc_msh_int(m, &b->entity, err));
  prc_try(prc_msh_int(m, &b->kind, err));
  prc_try(prc_msh_size(m, &b->n, err));
  if (b->dim < 0 || b->dim > 3)
    prc_try(prc_fail(err, PRC_INPUT, "%s has a block of dimension %d, expected 0 to 3", m->section, b->dim));
  if (b->n > m->n_items - m->done)
    prc_try(prc_fail(err, PRC_INPUT, "%s has a block of %zu %ss, but %zu are left of the %zu it claims",
                     m->section, b->n, m->item, m->n_items - m->done, m->n_items));
done:
  return status;
}

static prc_status expect_all(const prc_msh *m, prc_error *err) {
  if (m->done == m->n_items) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s claims %zu %ss, but its blocks have %zu", m->section, m->n_items,
                  m->item, m->done);
}

/* Numbers first, then places, each followed by as many parameters as the block has dimensions where it is
 * parametric. */
static prc_status read_nodes(prc_msh *m, const block *b, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t first = raw->n_nodes, done = m->done;
  size_t tag;
  for (size_t k = 0; k < b->n; k++, m->done++) {
    prc_try(prc_msh_size(m, &tag, err));
    prc_try(prc_msh_add_node(m, raw, tag, err));
  }
  m->done = done;
  for (size_t k = 0; k < b->n; k++, m->done++) {
    for (int d = 0; d < 3; d++) prc_try(prc_msh_double(m, &raw->node[first + k].x[d], err));
    if (b->kind != 0) prc_try(prc_msh_skip_doubles(m, (size_t)b->dim, err));
  }
done:
  return status;
}

prc_status prc_msh4_nodes(prc_msh *m, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n_blocks;
  block b;
  prc_try(begin(m, "node", "nodes", &n_blocks, err));
  for (size_t k = 0; k < n_blocks; k++) {
    prc_try(read_block(m, &b, err));
    prc_try(read_nodes(m, &b, raw, err));
  }
  prc_try(expect_all(m, err));
done:
  return status;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static int by_dim_and_tag(const void *a, const void *b) {
  const prc_msh_entity *p = a, *q = b;
  const int dims = prc_compare_ints(p->dim, q->dim);
  return dims ? dims : prc_compare_ints(p->tag, q->tag);
}

/* A curve that is not listed would be missing from its groups. */
static prc_status expect_listed(const prc_msh_groups *groups, const block *b, prc_error *err) {
  const prc_msh_entity wanted = {b->dim, b->entity};
  if (!groups->has_entities
      || (groups->n_entities > 0
          && bsearch(&wanted, groups->entity, groups->n_entities, sizeof wanted, by_dim_and_tag)))
    return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "$Elements has elements of %s %d, which $Entities does not have, so that their groups are not "
      "known; expected all of them there",
      noun[b->dim], b->entity);
}

static prc_status read_elements(prc_msh *m, const block *b, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  prc_raw_cell cell = {.entity = b->entity, .key = b->entity, .element = prc_element_of_gmsh(b->kind)};
  size_t unused;
  int dim = 0;
  for (size_t k = 0; k < b->n; k++, m->done++) {
    prc_try(prc_msh_size(m, &cell.tag, err));
    prc_try(prc_msh_type(b->kind, cell.tag, &cell.n_nodes, &dim, err));
    if (dim != b->dim)
      prc_try(prc_fail(err, PRC_INPUT, "element %zu has %d dimensions but stands in a block of %s %d",
                       cell.tag, dim, noun[b->dim], b->entity));
    for (int a = 0; a < cell.n_nodes; a++) prc_try(prc_msh_size(m, dim > 0 ? &cell.node[a] : &unused, err));
    if (dim > 0) prc_try(prc_msh_add_cell(raw, dim, &cell, err));
  }
done:
  return status;
}

prc_status prc_msh4_elements(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  size_t n_blocks;
  block b;
  if (groups->n_entities > 0)
    qsort(groups->entity, groups->n_entities, sizeof *groups->entity, by_dim_and_tag);
  prc_try(begin(m, "element", "elements", &n_blocks, err));
  for (size_t k = 0; k < n_blocks; k++) {
    prc_try(read_block(m, &b, err));
    if (b.n > 0) prc_try(expect_listed(groups, &b, err));
    prc_try(read_elements(m, &b, raw, err));
  }
  prc_try(expect_all(m, err));
done:
  return status;
}
