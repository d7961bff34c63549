/* Plates of any element, made in memory: the unit square in nx by ny cells, laid out by a map of the caller, with the groups
 * bottom, right, top, left (edges) and plate (cells). Nodes halfway along sides are mapped too: where the map is curved, so are
 * the sides. */
#ifndef PRC_TESTS_PLATE_H
#define PRC_TESTS_PLATE_H

#include "mesh/mesh.h"

enum { PLATE_BOTTOM, PLATE_RIGHT, PLATE_TOP, PLATE_LEFT, PLATE_CELLS }; /* of mesh->group */

/* Gmsh's types: 2 T3, 9 T6, 3 Q4, 16 Q8, 10 Q9; or cells that alternate: of T3 and Q4, of T6, Q8 and Q9 */
enum { PLATE_LINEAR_MIX = -1, PLATE_QUADRATIC_MIX = -2 };

typedef struct {
  int type, nx, ny;
  void (*map)(const void *how, const double s[2],
              double x[2]); /* s in the unit square; NULL: width and height */
  const void *how;
  double width, height;
  double shake; /* inner corners are moved by up to that part of a cell; sides stay straight */
} plate;

prc_mesh *plate_mesh(const plate *plate);

#endif
