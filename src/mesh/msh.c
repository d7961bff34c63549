#include "config.h"
#include "mesh/msh.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file as a whole: its format, its sections, the names of its groups. */

static int begins_with(const prc_msh *m, const char *start) {
  const size_t n = strlen(start);
  return (size_t)(m->end - m->at) >= n && memcmp(m->at, start, n) == 0;
}

static void skip_line(prc_msh *m) {
  const char *line = memchr(m->at, '\n', (size_t)(m->end - m->at));
  m->at = line ? line + 1 : m->end;
}

/* ---- sections ------------------------------------------------------------------------------------------ */

/* Behind the line of the next section's name, which goes to m->section; 0: there is none. */
static int next_section(prc_msh *m) {
  for (; m->at < m->end; skip_line(m)) {
    if (*m->at != '$' || begins_with(m, "$End")) continue;
    size_t n = 0;
    while (m->at + n < m->end && !prc_msh_is_blank(m->at[n]) && n + 1 < sizeof m->section) n++;
    memcpy(m->section, m->at, n);
    m->section[n] = '\0';
    skip_line(m);
    return 1;
  }
  return 0;
}

/* "$EndNodes" of "$Nodes" */
static void name_end(const prc_msh *m, char name[40]) {
  snprintf(name, 40, "$End%s", m->section + 1);
}

/* Behind the end of the section, where the reader stands. */
static prc_status close_section(prc_msh *m, prc_error *err) {
  char name[40];
  name_end(m, name);
  prc_msh_skip_blanks(m);
  if (m->at == m->end)
    return prc_fail(err, PRC_INPUT, "ends without %s, expected a mesh that is complete", name);
  if (!begins_with(m, name))
    return prc_fail(err, PRC_INPUT, "%s has more than it says that it has, expected %s", m->section, name);
  skip_line(m);
  return PRC_OK;
}

static prc_status skip_section(prc_msh *m, prc_error *err) {
  char name[40];
  name_end(m, name);
  for (; m->at < m->end; skip_line(m))
    if (begins_with(m, name)) return skip_line(m), PRC_OK;
  return prc_fail(err, PRC_INPUT, "ends without %s, expected a mesh that is complete", name);
}

/* ---- format -------------------------------------------------------------------------------------------- */

/* Binary files have an int 1, from which one sees the order of its bytes. */
static prc_status read_order(prc_msh *m, prc_error *err) {
  static const unsigned char little[4] = {1, 0, 0, 0}, big[4] = {0, 0, 0, 1};
  const int one = 1;
  if (m->end - m->at < 4 || (memcmp(m->at, little, 4) != 0 && memcmp(m->at, big, 4) != 0))
    return prc_fail(err, PRC_INPUT, "$MeshFormat has no 1 in binary behind its first line, expected one");
  m->swapped = memcmp(m->at, &one, 4) != 0;
  m->at += 4;
  return PRC_OK;
}

static prc_status read_format(prc_msh *m, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error none = {0};
  double type, size;
  if (prc_msh_double(m, &m->version, &none) != PRC_OK || prc_msh_double(m, &type, &none) != PRC_OK
      || prc_msh_double(m, &size, &none) != PRC_OK)
    return prc_fail(
        err, PRC_INPUT,
        "the line after $MeshFormat is not understood, expected a version, 0 (text) or 1 (binary) "
        "and 8, as in '4.1 0 8'");
  if ((type != 0.0 && type != 1.0) || size != 8.0)
    return prc_fail(err, PRC_INPUT,
                    "$MeshFormat has file type %g and data size %g, expected 0 (text) or 1 (binary), and 8",
                    type, size);
  if (!(m->version >= 2.0 && m->version <= 2.2) && m->version != 4.1)
    return prc_fail(err, PRC_INPUT,
                    "is a Gmsh mesh of version %g, expected 2.2 or 4.1, into which "
                    "'gmsh OLD.msh -save -format msh41 -o NEW.msh' turns others",
                    m->version);
  skip_line(m);
  m->binary = type == 1.0;
  if (m->binary) prc_try(read_order(m, err));
  status = close_section(m, err);
done:
  return status;
}

/* ---- names --------------------------------------------------------------------------------------------- */

static prc_status refuse_name(const prc_msh *m, prc_error *err) {
  return prc_fail(err, PRC_INPUT,
                  "$PhysicalNames: line %zu of %zu is not understood, expected a dimension, a number and a "
                  "name, as in '2 1 \"block\"'",
                  m->done + 1, m->n_items);
}

/* Text between the quotes in the rest of the line. */
static prc_status read_quoted_name(prc_msh *m, char **name, prc_error *err) {
  const char *line = memchr(m->at, '\n', (size_t)(m->end - m->at));
  const char *from = memchr(m->at, '"', (size_t)((line ? line : m->end) - m->at));
  const char *to = from ? memchr(from + 1, '"', (size_t)((line ? line : m->end) - from - 1)) : NULL;
  if (!to || memchr(from, '\0', (size_t)(to - from))) return refuse_name(m, err);
  const size_t n = (size_t)(to - from - 1);
  const prc_status status = prc_new(name, n + 1, err);
  if (status == PRC_OK) memcpy(*name, from + 1, n);
  skip_line(m);
  return status;
}

static prc_status read_name(prc_msh *m, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error none = {0};
  prc_msh_name name = {0};
  if (prc_msh_int(m, &name.dim, &none) != PRC_OK || prc_msh_int(m, &name.tag, &none) != PRC_OK)
    return refuse_name(m, err);
  prc_try(read_quoted_name(m, &name.name, err));
  prc_try(prc_grow(&groups->name, &groups->name_capacity, groups->n_names + 1, sizeof *groups->name, err));
  groups->name[groups->n_names++] = name, name.name = NULL;
done:
  prc_delete(&name.name);
  return status;
}

static int by_dim_and_tag(const void *a, const void *b) {
  const prc_msh_name *p = a, *q = b;
  const int dims = prc_compare_ints(p->dim, q->dim);
  return dims ? dims : prc_compare_ints(p->tag, q->tag);
}

static prc_status sort_names(prc_msh_groups *groups, prc_error *err) {
  prc_msh_name *name = groups->name;
  if (groups->n_names > 0) qsort(name, groups->n_names, sizeof *name, by_dim_and_tag);
  for (size_t k = 1; k < groups->n_names; k++)
    if (by_dim_and_tag(&name[k - 1], &name[k]) == 0)
      return prc_fail(err, PRC_INPUT, "$PhysicalNames gives group %d of dimension %d two names", name[k].tag,
                      name[k].dim);
  return PRC_OK;
}

/* They are text in binary files too. */
static prc_status read_names(prc_msh *m, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  const int binary = m->binary;
  size_t n;
  m->binary = 0;
  prc_try(prc_msh_count(m, "names", &n, err));
  prc_msh_begin(m, "name", n);
  for (; m->done < n; m->done++) prc_try(read_name(m, groups, err));
  status = sort_names(groups, err);
done:
  m->binary = binary;
  return status;
}

/* ---- groups -------------------------------------------------------------------------------------------- */

prc_status prc_msh_link_group(prc_msh_groups *groups, int dim, int tag, int key, prc_error *err) {
  const prc_status status =
      prc_grow(&groups->link, &groups->link_capacity, groups->n_links + 1, sizeof *groups->link, err);
  if (status != PRC_OK) return status;
  groups->link[groups->n_links++] = (prc_msh_link){dim, tag, key};
  return PRC_OK;
}

static int by_group(const void *a, const void *b) {
  const prc_msh_link *p = a, *q = b;
  int order = prc_compare_ints(p->dim, q->dim);
  if (!order) order = prc_compare_ints(p->tag, q->tag);
  return order ? order : prc_compare_ints(p->key, q->key);
}

static const char *name_of(const prc_msh_groups *groups, int dim, int tag) {
  const prc_msh_name wanted = {dim, tag, NULL}, *found = NULL;
  if (groups->n_names > 0)
    found = bsearch(&wanted, groups->name, groups->n_names, sizeof wanted, by_dim_and_tag);
  return found ? found->name : "";
}

/* The group of the first n links, which are its own; a key may be there several times. */
static prc_status make_group(const prc_msh_groups *groups, const prc_msh_link *link, size_t n,
                             prc_raw_group *group, prc_error *err) {
  prc_status status = PRC_OK;
  group->dim = link->dim, group->tag = link->tag;
  prc_try(prc_strdup(name_of(groups, link->dim, link->tag), &group->name, err));
  prc_try(prc_new(&group->key, n, err));
  for (size_t k = 0; k < n; k++)
    if (link[k].key != INT_MIN && (k == 0 || link[k].key != link[k - 1].key))
      group->key[group->n_keys++] = link[k].key;
done:
  return status;
}

/* Physical groups of curves and surfaces, by dimension and tag. A name alone is a group without elements (its
 * key is INT_MIN, which nothing has). */
static prc_status make_groups(prc_msh_groups *groups, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  for (size_t k = 0; k < groups->n_names; k++)
    prc_try(prc_msh_link_group(groups, groups->name[k].dim, groups->name[k].tag, INT_MIN, err));
  prc_try(prc_new(&raw->group, groups->n_links, err));
  if (groups->n_links > 0) qsort(groups->link, groups->n_links, sizeof *groups->link, by_group);
  for (size_t start = 0, end = 0; start < groups->n_links; start = end) {
    const prc_msh_link *link = &groups->link[start];
    while (end < groups->n_links && groups->link[end].dim == link->dim && groups->link[end].tag == link->tag)
      end++;
    if (link->dim == 1 || link->dim == 2)
      prc_try(make_group(groups, link, end - start, &raw->group[raw->n_groups++], err));
  }
done:
  return status;
}

static void free_groups(prc_msh_groups *groups) {
  for (size_t k = 0; k < groups->n_names; k++) prc_delete(&groups->name[k].name);
  prc_delete(&groups->name);
  prc_delete(&groups->link);
  prc_delete(&groups->entity);
}

/* ---- nodes and elements -------------------------------------------------------------------------------- */

prc_status prc_msh_add_node(prc_msh *m, prc_raw_mesh *raw, size_t tag, prc_error *err) {
  const prc_status status = prc_grow(&raw->node, &m->node_capacity, raw->n_nodes + 1, sizeof *raw->node, err);
  if (status != PRC_OK) return status;
  raw->node[raw->n_nodes++] = (prc_raw_node){.tag = tag};
  return PRC_OK;
}

/* Gmsh's numbers of points and of edges with two and with three nodes */
prc_status prc_msh_type(int type, size_t tag, int *n_nodes, int *dim, prc_error *err) {
  const prc_element *element = prc_element_of_gmsh(type);
  *dim = type == 15 ? 0 : element ? 2 : 1;
  *n_nodes = element ? element->n_nodes : type == 15 ? 1 : type == 1 ? 2 : 3;
  if (element || type == 15 || type == 1 || type == 8) return PRC_OK;
  return prc_mesh_refuse_element(type, tag, err);
}

prc_status prc_msh_add_cell(prc_raw_mesh *raw, int dim, const prc_raw_cell *cell, prc_error *err) {
  const prc_status status =
      prc_grow(&raw->cell[dim], &raw->capacity[dim], raw->n_cells[dim] + 1, sizeof *cell, err);
  if (status == PRC_OK) raw->cell[dim][raw->n_cells[dim]++] = *cell;
  return status;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

typedef enum { OTHER, NAMES, ENTITIES, PARTITIONED, NODES, ELEMENTS, SECTIONS } section;

static section find_section(const prc_msh *m) {
  static const char *const name[SECTIONS] = {[NAMES] = "$PhysicalNames",
                                             [ENTITIES] = "$Entities",
                                             [PARTITIONED] = "$PartitionedEntities",
                                             [NODES] = "$Nodes",
                                             [ELEMENTS] = "$Elements"};
  for (int k = 1; k < SECTIONS; k++)
    if (strcmp(name[k], m->section) == 0) return (section)k;
  return OTHER;
}

static prc_status read_section(prc_msh *m, section what, prc_raw_mesh *raw, prc_msh_groups *groups,
                               prc_error *err) {
  const int four = m->version > 4.0;
  switch (what) {
  case NAMES:
    return read_names(m, groups, err);
  case ENTITIES:
  case PARTITIONED:
    return prc_msh4_entities(m, what == PARTITIONED, groups, err);
  case NODES:
    return four ? prc_msh4_nodes(m, raw, err) : prc_msh2_nodes(m, raw, err);
  default:
    return four ? prc_msh4_elements(m, raw, groups, err) : prc_msh2_elements(m, raw, groups, err);
  }
}

static prc_status read_sections(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups, prc_error *err) {
  prc_status status = PRC_OK;
  int seen[SECTIONS] = {0};
  while (next_section(m)) {
    const section what = find_section(m);
    const int is_known = what != OTHER && (m->version > 4.0 || (what != ENTITIES && what != PARTITIONED));
    if (is_known && seen[what]++)
      prc_try(prc_fail(err, PRC_INPUT, "there are two sections %s, expected one", m->section));
    if (is_known) prc_try(read_section(m, what, raw, groups, err));
    prc_try(is_known ? close_section(m, err) : skip_section(m, err));
  }
done:
  return status;
}

prc_status prc_msh_read(const char *bytes, size_t n, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  prc_msh m = {.start = bytes, .at = bytes, .end = bytes + n};
  prc_msh_groups groups = {0};
  if (!begins_with(&m, "$MeshFormat") || !next_section(&m) || strcmp(m.section, "$MeshFormat") != 0)
    return prc_fail(err, PRC_INPUT,
                    "is not a Gmsh mesh of version 2.2 or 4.1: expected $MeshFormat in its first line");
  prc_try(read_format(&m, err));
  prc_try(read_sections(&m, raw, &groups, err));
  status = make_groups(&groups, raw, err);
done:
  free_groups(&groups);
  return status;
}
