/* Squares of 8 x 8 cells of any element (plate.h), with curves along the lines of the grid. */
#ifndef PRC_TESTS_PATH_H
#define PRC_TESTS_PATH_H

#include "mesh/mesh.h"

enum { PATH_SIDE = 8 };

/* From (x, y) on in steps of a cell: "RRUU" goes right twice and up twice, A along a diagonal. */
typedef struct {
  const char *name;
  int x, y;
  const char *steps;
} path;

prc_mesh *path_square(int type); /* the unit square; type: as in plate.h */
int path_node(const prc_mesh *mesh, double x, double y);
void path_add(prc_mesh *mesh, const path *p);
prc_mesh *path_on(int type, const path *p); /* both */
/* To the group of dim 1 side i-j, as prc_mesh_read would add it: with the lower cell on its left. */
void path_add_side(prc_mesh *mesh, prc_mesh_group *group, int i, int j);
/* A node at (9, 9) that no cell uses. */
void path_add_unused(prc_mesh *mesh);
/* A square of one type, which a fault from side to side makes two bodies, `fault.right` below and `fault.left` above it, with a curve "inside" it and an unused
 * node; and at x = 2 .. 3 one of another type. */
prc_mesh *path_bodies(int type, int other);

#endif
