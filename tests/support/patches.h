/* Meshes of mapped squares, in memory: several bodies in one mesh, of any element. */
#ifndef PRC_TESTS_PATCHES_H
#define PRC_TESTS_PATCHES_H

#include "mesh/mesh.h"

/* The unit square in nx x ny cells (triangles: two of each, diagonals alternating) under a map; its groups are <name> (cells) and <name>.bottom, .right,
 * .top and .left (edges), as they lie in the square. The map keeps the sense of turning. */
typedef struct {
  const char *name;
  int nx, ny;
  int element; /* Gmsh's number: 2 T3, 3 Q4, 9 T6, 16 Q8 */
  void (*map)(const void *of, double u, double v, double x[2]);
  const void *of;
} patch;
prc_mesh *patches_mesh(int n, const patch *list);

/* A map: the rectangle from (x, y), width w, height h, turned by an angle about the origin. */
typedef struct {
  double x, y, w, h, angle;
} patch_box;
void patch_in_box(const void *of, double u, double v, double x[2]);
/* A map: radii from r to r + thick (v), angles from `from` to `to` (u), turned against each other as v goes outwards: bottom is the inner arc. from > to. */
typedef struct {
  double r, thick, from, to, centre[2];
} patch_ring;
void patch_in_ring(const void *of, double u, double v, double x[2]);

#endif
