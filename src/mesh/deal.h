/* A mesh that is dealt to ranks: what rank 0 knows of the whole (deal.c), the parts it makes of it (part.c) and how they get to the others (parcel.c). */
#ifndef PRC_MESH_DEAL_H
#define PRC_MESH_DEAL_H

#include "mesh/mesh.h"

/* partition.c: which of n parts each cell is in, by METIS; none is empty. The same mesh gives the same parts. */
prc_status prc_mesh_partition(const prc_mesh *mesh, int n, int *part_of_cell, prc_error *err) PRC_MUST_CHECK;

/* Plan of a distribution, by indices of the whole. */
typedef struct {
  const prc_mesh *whole;
  int *cell_rank;             /* n_cells: whose own it is */
  int *node_rank;             /* n_nodes: likewise; of those without cells 0 */
  char *kept;                 /* n_nodes: it is on a curve that is kept whole */
  int n_kept;                 /* of them */
  int *number;                /* n_nodes: prc_share.number */
  double area;                /* of all cells */
  uint64_t hash, groups_hash; /* prc_mesh_hash, prc_mesh_groups_hash */
  int *node, *cell,
      *edge;          /* n_nodes, n_cells, n_edges: for prc_mesh_make_part, the place in the part, or -1 */
  int *nodes, *cells; /* n_nodes, n_cells: likewise, what is in the part, in its order */
} prc_mesh_plan;

/* The part of a rank. Its groups have what of them is there. */
prc_status prc_mesh_make_part(prc_mesh_plan *plan, const prc_ranks *ranks, int rank, prc_mesh **out,
                              prc_error *err) PRC_MUST_CHECK;

/* From rank 0 to another. Called by all: what fails on one fails on all. mesh: rank 0 has it, status is how it was made; on rank `to` it comes out. */
prc_status prc_mesh_hand_over(const prc_ranks *ranks, int to, prc_status status, prc_mesh **mesh,
                              prc_error *err) PRC_MUST_CHECK;

#endif
