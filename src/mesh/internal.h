/* What the file says, between Gmsh (read.c) and the checks (mesh.c): everything by Gmsh's tags, nothing
 * judged yet. */
#ifndef PRC_MESH_INTERNAL_H
#define PRC_MESH_INTERNAL_H

#include "mesh/mesh.h"

typedef struct {
  size_t tag;
  double x[3];
} prc_raw_node;

typedef struct {
  size_t tag;
  size_t node
      [3];    /* tags of the nodes as read, their indices once prc_mesh_build looked them up; edges use two */
  int entity; /* Gmsh's curve or surface */
} prc_raw_cell;

typedef struct {
  int dim, tag;
  char *name; /* may be empty */
  size_t n_entities;
  int *entity;
} prc_raw_group;

typedef struct {
  size_t n_nodes;
  prc_raw_node *node;
  size_t n_cells[3], capacity[3]; /* by dimension: [1] edges, [2] triangles; [0] is not used */
  prc_raw_cell *cell[3];
  size_t n_groups;
  prc_raw_group *group; /* of dimension 1 and 2 */
} prc_raw_mesh;

/* The bytes of a file. Messages do not name it. */
prc_status prc_mesh_slurp(const char *path, char **bytes, size_t *n, prc_error *err) PRC_MUST_CHECK;
/* Refuses what is no .msh, or whose counts its bytes cannot hold. */
prc_status prc_mesh_inspect(const char *bytes, size_t n, prc_error *err) PRC_MUST_CHECK;

/* From the process that reads to the one that asked (carry.c); warnings are lines. */
prc_status prc_raw_mesh_send(const prc_raw_mesh *raw, prc_bytes *to, prc_error *err) PRC_MUST_CHECK;
prc_status prc_raw_mesh_receive(prc_bytes *from, prc_raw_mesh *raw, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_send_warnings(const prc_bytes *lines, prc_bytes *to, prc_error *err) PRC_MUST_CHECK;
prc_status prc_mesh_receive_warnings(prc_bytes *from, const prc_log *log, prc_error *err) PRC_MUST_CHECK;

/* Checks, numbers and orients what was read. raw is reordered on the way and stays the caller's; path is
 * for the log. */
prc_status prc_mesh_build(prc_raw_mesh *raw, const char *path, const prc_mesh_options *options,
                          const prc_log *log, prc_mesh **out, prc_error *err) PRC_MUST_CHECK;

#endif
