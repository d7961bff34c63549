#include "config.h"
#include "mesh/msh.h"

#include <limits.h>
#include <stdlib.h>

/* Version 2.2: each element has its own physical group, the first of its tags. One that is in several groups
 * comes once for each. */

/* The number of a node or an element. */
static prc_status read_tag(prc_msh *m, size_t *out, prc_error *err) {
  int tag = 0;
  const prc_status status = prc_msh_int(m, &tag, err);
  if (status == PRC_OK && tag < 0)
    return prc_fail(err, PRC_INPUT, "%s, %s %zu of %zu has the number %d, expected one >= 0", m->section,
                    m->item, m->done + 1, m->n_items, tag);
  *out = (size_t)tag;
  return status;
}

/* In binary files the count is text, and the numbers begin on the next line. */
static prc_status begin(prc_msh *m, const char *item, const char *items, prc_error *err) {
  size_t n;
  const prc_status status = prc_msh_count(m, items, &n, err);
  if (status != PRC_OK) return status;
  while (m->binary && m->at < m->end && *m->at == '\r') m->at++;
  if (m->binary && m->at < m->end && *m->at == '\n') m->at++;
  prc_msh_begin(m, item, n);
  return PRC_OK;
}

prc_status prc_msh2_nodes(prc_msh *m, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  size_t tag;
  prc_try(begin(m, "node", "nodes", err));
  for (; m->done < m->n_items; m->done++) {
    prc_try(read_tag(m, &tag, err));
    prc_try(prc_msh_add_node(m, raw, tag, err));
    for (int k = 0; k < 3; k++) prc_try(prc_msh_double(m, &raw->node[raw->n_nodes - 1].x[k], err));
  }
done:
  return status;
}

/* The group of an element, without the sign that turns it round; 0: none. */
static prc_status read_tags(prc_msh *m, int n_tags, prc_raw_cell *cell, prc_error *err) {
  prc_status status = PRC_OK;
  int physical = 0;
  if (n_tags < 0)
    return prc_fail(err, PRC_INPUT, "$Elements: element %zu has %d tags, expected 0 or more", cell->tag,
                    n_tags);
  if (n_tags > 0) prc_try(prc_msh_int(m, &physical, err));
  if (n_tags > 1) prc_try(prc_msh_int(m, &cell->entity, err));
  if (n_tags > 2) prc_try(prc_msh_skip_ints(m, (size_t)n_tags - 2, err));
  if (physical == INT_MIN)
    prc_try(prc_fail(err, PRC_INPUT, "$Elements: element %zu has the group %d, expected a smaller number",
                     cell->tag, physical));
  cell->key = abs(physical);
done:
  return status;
}

/* The rest of an element whose type and number of tags are known. last: the groups that were linked last. */
static prc_status read_element(prc_msh *m, int type, int n_tags, size_t tag, prc_raw_mesh *raw, int last[3],
                               prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  prc_raw_cell cell = {.tag = tag, .element = prc_element_of_gmsh(type)};
  size_t unused;
  int dim;
  prc_try(prc_msh_type(type, tag, &cell.n_nodes, &dim, err));
  prc_try(read_tags(m, n_tags, &cell, err));
  for (int a = 0; a < cell.n_nodes; a++) prc_try(read_tag(m, dim ? &cell.node[a] : &unused, err));
  if (dim == 0) goto done;
  prc_try(prc_msh_add_cell(raw, dim, &cell, err));
  if (cell.key != 0 && cell.key != last[dim])
    prc_try(prc_msh_link_group(groups, dim, cell.key, cell.key, err));
  last[dim] = cell.key;
done:
  return status;
}

/* number, type, number of tags, tags, nodes */
static prc_status read_text(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  int last[3] = {0}, type, n_tags;
  size_t tag;
  for (; m->done < m->n_items; m->done++) {
    prc_try(read_tag(m, &tag, err));
    prc_try(prc_msh_int(m, &type, err));
    prc_try(prc_msh_int(m, &n_tags, err));
    prc_try(read_element(m, type, n_tags, tag, raw, last, groups, err));
  }
done:
  return status;
}

/* Blocks: type, number of elements, number of tags; then of each element its number, tags and nodes. */
static prc_status read_binary(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  int last[3] = {0}, type, n, n_tags;
  size_t tag;
  while (m->done < m->n_items) {
    prc_try(prc_msh_int(m, &type, err));
    prc_try(prc_msh_int(m, &n, err));
    prc_try(prc_msh_int(m, &n_tags, err));
    if (n < 1 || (size_t)n > m->n_items - m->done)
      prc_try(prc_fail(err, PRC_INPUT, "$Elements has a block of %d elements, expected 1 to %zu", n,
                       m->n_items - m->done));
    for (int k = 0; k < n; k++, m->done++) {
      prc_try(read_tag(m, &tag, err));
      prc_try(read_element(m, type, n_tags, tag, raw, last, groups, err));
    }
  }
done:
  return status;
}

prc_status prc_msh2_elements(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups, prc_error *err) {
  const prc_status status = begin(m, "element", "elements", err);
  if (status != PRC_OK) return status;
  return m->binary ? read_binary(m, raw, groups, err) : read_text(m, raw, groups, err);
}
