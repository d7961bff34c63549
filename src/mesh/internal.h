/* Raw content of a mesh file, between its readers (msh.c, and Gmsh in gmsh.c) and the checks: everything by
 * the numbers of the file, unchecked. */
#ifndef PRC_MESH_INTERNAL_H
#define PRC_MESH_INTERNAL_H

#include "base/order.h"
#include "mesh/mesh.h"

#include <math.h>

typedef struct {
  size_t tag;
  double x[3];
} prc_raw_node;

typedef struct {
  size_t tag;
  /* tags as read, indices once prc_mesh_resolve_nodes found them; the rest is 0 */
  size_t node[PRC_ELEMENT_NODES];
  int n_nodes; /* of an edge: 2, or 3 with the one halfway at the end */
  int entity;  /* Gmsh's curve or surface */
  /* by which groups know it: its entity, or the group's own tag (.msh 2.2, which repeats the element for
   * each) */
  int key;
  const prc_element *element; /* NULL: an edge */
} prc_raw_cell;

typedef struct {
  int dim, tag;
  char *name; /* may be empty */
  size_t n_keys;
  int *key; /* of its cells */
} prc_raw_group;

/* A key of a cell, which is named by its tag: prc_mesh_resolve_nodes makes them, where repeated cells become
 * one. */
typedef struct {
  int key;
  size_t tag;
} prc_raw_member;

typedef struct {
  size_t n_nodes;
  prc_raw_node *node;
  size_t n_cells[3], capacity[3]; /* by dimension: [1] edges, [2] cells; [0] is not used */
  prc_raw_cell *cell[3];
  size_t n_members[3];
  prc_raw_member *member[3];
  size_t n_groups;
  prc_raw_group *group; /* of dimension 1 and 2 */
} prc_raw_mesh;

/* The n bytes of a .msh. */
prc_status prc_msh_read(const char *bytes, size_t n, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
/* Meshes a .geo, or reads whatever else Gmsh does; warnings go to the log. */
prc_status prc_gmsh_read(const char *path, const prc_mesh_options *options, const prc_log *log,
                         prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
/* gmsh_groups.c: curves and surfaces as groups where the file has none, and its rim where it has no edges */
prc_status prc_gmsh_complete_groups(prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
/* Of the geometry that Gmsh has open: at least so many cells, of edges up to this length on this area; zeros: nothing is known of it. */
typedef struct {
  double cells, longest, area;
} prc_mesh_estimate;
prc_mesh_estimate prc_geo_estimate(void);
/* Of an element of a type of Gmsh's that is not supported. */
prc_status prc_mesh_refuse_element(int type, size_t tag, prc_error *err);
void prc_mesh_element_noun(int type, char *text, size_t size); /* "4-node tetrahedra" */
/* what: "12 4-node tetrahedra (first: element 7), ..."; in_space: some are volumes */
prc_status prc_mesh_refuse_elements(const char *what, int in_space, prc_error *err);
void prc_raw_mesh_free(prc_raw_mesh *raw);

/* From the process that reads to the one that asked (transfer.c); warnings are lines. */
prc_status prc_raw_mesh_send(const prc_raw_mesh *raw, prc_bytes *to, prc_error *err) PRC_MUST_CHECK;
prc_status prc_raw_mesh_receive(prc_bytes *from, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_send_warnings(const prc_bytes *lines, prc_bytes *to, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_receive_warnings(prc_bytes *from, const prc_log *log, prc_error *err) PRC_MUST_CHECK;

/* Checks, numbers and orients what was read. raw is reordered on the way and stays the caller's; path is
 * for the log. */
prc_status prc_mesh_build(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                          const prc_log *log, prc_mesh **out, prc_error *err) PRC_MUST_CHECK;

/* ---- its steps ----------------------------------------------------------------------------------------- */

/* nodes.c: nodes by ascending tag; then, once cells are known, z = 0, unused nodes, the bounding box */
prc_status prc_mesh_build_nodes(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_check_nodes(prc_mesh *mesh, const prc_raw_mesh *raw, const char *path, const prc_log *log,
                                prc_error *err) PRC_MUST_CHECK;
/* of the bounding box's diagonal: far above rounding, far below an edge */
#define PRC_MESH_SAME_PLACE 1e-10
static inline double prc_mesh_diagonal(const prc_mesh *mesh) {
  return hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
}
/* duplicates.c: once groups are known, nodes at the same place that are no seam */
prc_status prc_mesh_refuse_duplicates(const prc_mesh *mesh, const char *path, const prc_mesh_options *options,
                                      const prc_log *log, prc_error *err) PRC_MUST_CHECK;
/* cells.c: no element has the number of another; node tags become indices, repeated elements are dropped
 * (counted in *repeated); then orientation and shape; then mesh->cell */
prc_status prc_mesh_check_numbers(const prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_resolve_nodes(const prc_mesh *mesh, prc_raw_mesh *raw, int dim, size_t *repeated,
                                  prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_orient_cells(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_build_cells(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;

/* A side of a cell from corner to corner, the cell on its left; middle: the node halfway, or -1. */
typedef struct {
  int from, to, middle, cell;
} prc_mesh_side;
/* sides.c: all n sides, ordered by their ends; neighbours must agree on what they share */
prc_status prc_mesh_list_sides(const prc_mesh *mesh, prc_mesh_side **out, size_t *n,
                               prc_error *err) PRC_MUST_CHECK;
const prc_mesh_side *prc_mesh_find_side(const prc_mesh_side *sides, size_t n, int from, int to);
/* groups.c */
/* group->node, of its cells; mark: n_nodes, where `stamp` does not stand. A list that was there is the caller's to delete. */
prc_status prc_mesh_collect_nodes(const prc_mesh *mesh, prc_mesh_group *group, int *mark, int stamp,
                                  prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_build_groups(prc_mesh *mesh, prc_raw_mesh *raw, const char *path, const prc_log *log,
                                 prc_error *err) PRC_MUST_CHECK;

/* ---- order --------------------------------------------------------------------------------------------- */

/* for qsort: raw cells by tag, then entity */
int prc_raw_by_tag(const void *a, const void *b);

#endif
