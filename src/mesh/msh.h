/* A Gmsh mesh file (.msh) of version 2.2 or 4.1, text or binary, read by percuss itself: Gmsh's own model
 * knows the groups of curves and surfaces only, where version 2.2 has them element by element. */
#ifndef PRC_MESH_MSH_H
#define PRC_MESH_MSH_H

#include "mesh/internal.h"

/* The file, and where in it the reader stands: at item `done` + 1 of n_items of a section. */
typedef struct {
  const char *start, *at, *end;
  double version;
  int binary, swapped; /* numbers are bytes; of the other order than ours */
  char section[32];    /* "$Nodes" */
  const char *item;    /* "node" */
  size_t done, n_items;
  size_t node_capacity; /* of raw->node */
} prc_msh;

/* A group of that dimension and tag has what has that key. */
typedef struct {
  int dim, tag, key;
} prc_msh_link;
typedef struct {
  int dim, tag;
  char *name;
} prc_msh_name;
typedef struct {
  int dim, tag;
} prc_msh_entity;
typedef struct {
  prc_msh_link *link;
  size_t n_links, link_capacity;
  prc_msh_name *name;
  size_t n_names, name_capacity;
  prc_msh_entity *entity; /* version 4.1: all that are listed */
  size_t n_entities, entity_capacity;
  int has_entities; /* there is such a list */
} prc_msh_groups;

/* ---- numbers: words, or bytes in binary files ---------------------------------------------------------- */

int prc_msh_is_blank(char c);
void prc_msh_skip_blanks(prc_msh *m);
prc_status prc_msh_int(prc_msh *m, int *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_size(prc_msh *m, size_t *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_double(prc_msh *m, double *out, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_skip_ints(prc_msh *m, size_t n, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_skip_doubles(prc_msh *m, size_t n, prc_error *err) PRC_MUST_CHECK;
/* How many items there are, no more than the file can hold: a word in version 2.2, where binary files have it
 * as text too. */
prc_status prc_msh_count(prc_msh *m, const char *items, size_t *out, prc_error *err) PRC_MUST_CHECK;
/* From here on messages name the item. */
void prc_msh_begin(prc_msh *m, const char *item, size_t n);

/* ---- what is read -------------------------------------------------------------------------------------- */

prc_status prc_msh_add_node(prc_msh *m, prc_raw_mesh *raw, size_t tag, prc_error *err) PRC_MUST_CHECK;
/* The number of nodes of an element of that type of Gmsh's, and its dimension: 0 (a point, which is not
 * kept), 1 or 2. Any other type is refused. */
prc_status prc_msh_type(int type, size_t tag, int *n_nodes, int *dim, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_add_cell(prc_raw_mesh *raw, int dim, const prc_raw_cell *cell,
                            prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh_link_group(prc_msh_groups *groups, int dim, int tag, int key,
                              prc_error *err) PRC_MUST_CHECK;

/* Sections, each from behind its name to before its end. msh2.c and msh4.c */
prc_status prc_msh2_nodes(prc_msh *m, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh2_elements(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups,
                             prc_error *err) PRC_MUST_CHECK;
/* Which groups the points, curves, surfaces and volumes are in; partitioned: those of
 * $PartitionedEntities. */
prc_status prc_msh4_entities(prc_msh *m, int partitioned, prc_msh_groups *groups,
                             prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh4_nodes(prc_msh *m, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_msh4_elements(prc_msh *m, prc_raw_mesh *raw, prc_msh_groups *groups,
                             prc_error *err) PRC_MUST_CHECK;

#endif
