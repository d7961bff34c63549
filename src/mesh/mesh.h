/* mesh: nodes, cells and named groups, of a .msh or of a .geo that Gmsh meshes. It knows no physics.
 *
 * Plane meshes of the elements of element.h, mixed as the file has them. Nodes are numbered 0 .. n_nodes-1 by
 * ascending Gmsh tag, so that numbering in the results is the mesh's own; `tag` holds the Gmsh tags. Cells
 * are numbered in the same way; an element that the file lists several times (.msh 2.2 does, once for each
 * group) is read once.
 * What creates, reads or builds something refuses NULL where something must be there (PRC_INPUT, with the
 * argument's name); elsewhere no pointer may be NULL unless that is said. */
#ifndef PRC_MESH_H
#define PRC_MESH_H

#include "base/base.h"
#include "base/ranks.h"
#include "mesh/element.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char *name; /* of the physical group; "physical-<tag>" if it has none */
  int dim;    /* 1: edges, 2: cells */
  int n_cells;
  int *cell; /* n_cells: dim 2: indices of cells, ascending; dim 1: indices of edges (prc_mesh.edge) */
  int n_nodes;
  int *node; /* n_nodes: its nodes, ascending */
} prc_mesh_group;

/* Of a mesh that ranks share, the part of one: its own cells, all others that share a node with those, and all cells at the curves that are kept whole.
 * So what is summed over the cells of a node is whole on own nodes. Nodes of the curves that are kept whole come first, on all ranks in the same order; they
 * are rank 0's own, and so are those that no cell uses; any other is the lowest rank's that has a cell at it as its own. Then come own nodes, then copies of
 * others', ascending in the whole each. Cells that are its own come first; each cell of the whole is one rank's own.
 * An edge of a curve is there where the cells on both its sides are: all edges at own nodes and at kept ones. What of a group's nodes is there is in
 * its list, also where none of its edges is. Numbers n_turned and n_unused, low and high are those of the whole; a twin that is not there is -1. Nodes of a
 * cell begin with the corner that is the lowest in the whole. */
typedef struct {
  prc_share share; /* of nodes, width 2: the dofs of displacements */
  int n_own;       /* cells 0 .. n_own-1 are its own */
  int n_cells;     /* of the whole; n_nodes of the whole are share.n_whole */
  int n_kept;      /* nodes 0 .. n_kept-1 are those of the curves that are kept whole */
  /* n_cells of the mesh: which of the whole it is; ascending among own ones, and among the others */
  int *cell;
  int *whole, *number;  /* what share points to */
  double whole_area;    /* of all cells */
  uint64_t hash;        /* of places and cells of the whole, as prc_mesh_hash has it */
  uint64_t groups_hash; /* of the groups of the whole, as prc_mesh_groups_hash has it */
} prc_mesh_part;

typedef struct {
  int n_nodes;
  double *x; /* 2 n_nodes: coordinates */
  size_t
      *tag; /* n_nodes: Gmsh's number of the node; of what was joined or split numbers beyond the largest */
  int n_cells;
  int *cell_start; /* n_cells + 1: cell c has the nodes cell[cell_start[c]] .. cell[cell_start[c+1]-1] */
  int *cell;       /* anticlockwise, the lowest corner first, in the order of element.h */
  const prc_element **cell_element; /* n_cells */
  size_t *cell_tag;                 /* n_cells: Gmsh's number of the cell */
  int n_edges;      /* edges of the physical curves, curve by curve: one in two curves is here twice */
  int *edge;        /* 2 n_edges: its ends, the body on the left */
  int *edge_middle; /* n_edges: the node halfway, -1 on linear elements */
  int *edge_cell;   /* n_edges: the cell the edge belongs to (the lower, if it is inside the body) */
  int *edge_beyond; /* n_edges: the cell on its other side, -1 on the boundary; NULL: none is inside */
  int n_groups;
  prc_mesh_group *group; /* curves and surfaces, in Gmsh's order; names are unique within a dimension */
  int n_turned;          /* cells that came clockwise and were turned */
  int n_unused;          /* nodes that no cell uses; they stay in the list */
  int *twin; /* n_nodes: what a node was one with before a split, or -1; NULL: nothing was split */
  double low[2], high[2]; /* bounding box of the used nodes */
  prc_mesh_part *part;    /* NULL: the mesh is whole */
} prc_mesh;

typedef struct {
  double size; /* > 0: the value of the geometry's parameter `size` (.geo only); 0: as the file says */
  int allow_duplicate_nodes; /* coincident used nodes are wanted (a seam), not a mistake */
  int n_seams; /* pairs of curves, by names: a node of the one may be where one of the other is */
  const char *const (*seam)[2];
  /* of a .geo, which is a program */
  /* one that would start a program, write, move or remove a file or open a connection is refused */
  int no_commands;
  double max_time;   /* seconds of wall time for meshing it; 0: no limit */
  double max_memory; /* bytes; 0: no limit */
  /* one that would have more cells is refused before it is made, as far as that is known then; 0: no limit */
  double max_cells;
} prc_mesh_options;

/* Reads .msh 2.2 and 4.1 (text or binary) or lets Gmsh mesh a .geo. Warnings (unused nodes, turned cells) go
 * to the log. Messages begin with the path. A .geo is a program that can run commands: read only what the
 * user named. Gmsh works in a process of its own: its crash is a message, and the caller's own Gmsh session
 * is not touched. */
prc_status prc_mesh_read(const char *path, const prc_mesh_options *options, const prc_log *log,
                         prc_mesh **out, prc_error *err) PRC_MUST_CHECK;
/* Or of a program's own arrays, without a file: lists of elements of one type each, by the indices of their nodes in the order of element.h. Gmsh's types: 1 and 8
 * are sides of two and three nodes (ends, then the middle); 2 and 9 triangles of three and six, 3, 16 and 10 quadrilaterals of four, eight and nine. Lists of one
 * name are one group, as a curve or surface of a file is; each side and cell stands in one list. Judged as a file is: what is clockwise throughout is turned; nodes keep their
 * numbers. */
typedef struct {
  const char *name;
  int gmsh_type, n; /* n elements */
  const int *node;
} prc_mesh_list;
typedef struct {
  int n_nodes, n_lists;
  const double *x; /* 2 n_nodes */
  const prc_mesh_list *list;
  int allow_duplicate_nodes;
} prc_mesh_arrays;
prc_status prc_mesh_create(const prc_mesh_arrays *arrays, const prc_log *log, prc_mesh **out,
                           prc_error *err) PRC_MUST_CHECK;
void prc_mesh_free(prc_mesh **mesh);

/* One mesh of several: nodes, cells and groups one after the other; groups of one name and dimension become one. Deletes what it joins. */
prc_status prc_mesh_join(int n, prc_mesh **part, prc_mesh **out, prc_error *err) PRC_MUST_CHECK;
/* Splits the mesh along a curve inside it: its nodes become two, but for ends inside the body. Two curves take its place in the list of groups, `<name>.right`
 * and `<name>.left`, as it is walked from its end with the smaller x (then y; a closed one is walked anticlockwise). Refuses curves that branch, touch
 * themselves or another that was split, or run along the boundary. */
prc_status prc_mesh_split(prc_mesh *mesh, const char *curve, prc_error *err) PRC_MUST_CHECK;

/* Says which files a mesh is made of: the file itself and, of a .geo, what it includes and merges, as far as its text tells without running it; where names are built, all geometries of the
 * folder. One that is not there is left out. */
prc_status prc_mesh_files(const char *path, void (*say)(void *to, const char *path), void *to,
                          prc_error *err) PRC_MUST_CHECK;

/* Deals a mesh that rank 0 has (others: *mesh is NULL) to the ranks, cells by METIS, about equal numbers to each; all keep the curves of these names whole, at
 * which rank 0 has more cells than any other. *mesh becomes the part, the whole is freed. Groups are the same on all ranks, with what of them is there;
 * curves that are kept have all their nodes and edges. Refuses a mesh of fewer cells than ranks. What fails on one rank fails on all, and then *mesh is as it
 * was. ranks: must outlive the part; NULL: the mesh stays whole. */
prc_status prc_mesh_distribute(const prc_ranks *ranks, int n_kept, const char *const *kept, prc_mesh **mesh,
                               prc_error *err) PRC_MUST_CHECK;
/* Of places and cells; of a part that of the whole. */
uint64_t prc_mesh_hash(const prc_mesh *mesh);
/* Of the groups: their names, cells and nodes; of a part those of the whole. */
uint64_t prc_mesh_groups_hash(const prc_mesh *mesh);

/* Cells 0 .. that-1 are its own: all of a mesh that is whole. */
static inline int prc_mesh_own_cells(const prc_mesh *mesh) {
  return mesh->part ? mesh->part->n_own : mesh->n_cells;
}

/* NULL: of a mesh that is whole. */
static inline const prc_ranks *prc_mesh_ranks(const prc_mesh *mesh) {
  return mesh->part ? mesh->part->share.ranks : NULL;
}

/* body: n_nodes: the lowest node of those that cells hold together with a node. */
void prc_mesh_bodies(const prc_mesh *mesh, int *body);
/* The n sides that one cell has alone, the body on the left: ends, then the node halfway or -1. The caller deletes them. */
prc_status prc_mesh_boundary(const prc_mesh *mesh, int *n, int (**side)[3], prc_error *err) PRC_MUST_CHECK;
/* The group of that name and dimension, or NULL. */
const prc_mesh_group *prc_mesh_find(const prc_mesh *mesh, int dim, const char *name);
/* "bottom, right, top": the names of the groups of that dimension, for messages; cut to fit. */
void prc_mesh_names(const prc_mesh *mesh, int dim, char *text, size_t size);
/* area of cell c (positive), length of edge k */
double prc_mesh_area(const prc_mesh *mesh, int c);
double prc_mesh_length(const prc_mesh *mesh, int k);
/* x: the places of the nodes of cell c */
void prc_mesh_cell_nodes(const prc_mesh *mesh, int c, double (*x)[2]);

/* Points of integration along an edge: place, nodes and their shape functions there, the length that the
 * point stands for and the unit normal out of the body. */
enum { PRC_MESH_EDGE_POINTS = 3 };
typedef struct {
  double x[2], N[3], length, normal[2];
  int n_nodes, node[3]; /* the ends, then the node halfway if there is one */
} prc_mesh_edge_point;
int prc_mesh_edge_points(const prc_mesh *mesh, int k, prc_mesh_edge_point *point); /* returns their number */

/* The cell that holds (x, y) and the values of its shape functions there (n_nodes of its element, at most
 * PRC_ELEMENT_NODES); -1 if none does. It looks at all cells: for many points take a locator. */
int prc_mesh_locate(const prc_mesh *mesh, double x, double y, double *weight);

/* Finds cells by place, through a grid of boxes laid over the mesh, which must outlive it. */
typedef struct prc_mesh_locator prc_mesh_locator;
prc_status prc_mesh_locator_create(const prc_mesh *mesh, prc_mesh_locator **out,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_mesh_locator_free(prc_mesh_locator **locator);
/* The cell that holds (x, y), or else the one nearby that is nearest to holding it, as where two meshes of a
 * curved boundary differ; at: the place in its reference element, outside it then. -1 only if there is no
 * cell around. */
int prc_mesh_locator_find(const prc_mesh_locator *locator, double x, double y, double at[2]);
/* How deep a point is in cell c, as prc_element_depth has it, and where; -infinity: nowhere near. */
double prc_mesh_depth(const prc_mesh *mesh, int c, const double point[2], double at[2]);

/* Report of prc_mesh_carry: number of nodes outside the other mesh, and place and distance of the farthest. */
typedef struct {
  int n_outside;
  double farthest, x[2];
} prc_mesh_carried;
/* Fields of two components at the nodes of `from` become fields at those of `to`, which is another mesh of the same body: by the shape functions of the
 * cell that holds a node, on its own side of a line where nodes are double, or of the nearest cell, where a node is a little outside. 2 n_nodes each; at nodes
 * that no cell uses zeros. PRC_INPUT where a node is outside by more than a cell. */
prc_status prc_mesh_carry(const prc_mesh *from, const prc_mesh *to, int n, const double *const *in,
                          double *const *out, prc_mesh_carried *facts, prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
