/* What is known at points and in cells, as bodies offer it and files take it. */
#ifndef PRC_FIELDS_H
#define PRC_FIELDS_H

/* Numbers by name: of each point, or of each cell. */
typedef struct {
  const char *name;
  int components;
  const double *real; /* one of the two: components values per point or cell */
  const int *integer;
} prc_array;

/* Cells with their nodes in VTK's order. width: nodes of each cell, 2 of segments, 3 of triangles, without
 * start and type; 0: cell c has the nodes node[start[c]] .. node[start[c+1]-1] and VTK's type type[c]. in_space:
 * the points have three coordinates, else two, and lie in the plane z = 0. */
typedef struct {
  int n, width, in_space;
  const int *node, *start, *type;
} prc_cells;

#endif
