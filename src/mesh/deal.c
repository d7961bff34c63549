#include "config.h"
#include "mesh/deal.h"

#include <limits.h>
#include <string.h>

/* Rank 0 decides whose each cell and node is, then makes and sends one part after another, its own last: beside the whole there is one part at a time.
 * Each of these steps is agreed on, so that none waits for what another failed to do. */

uint64_t prc_mesh_hash(const prc_mesh *mesh) {
  if (mesh->part) return mesh->part->hash;
  const uint64_t places = prc_hash(PRC_HASH_START, mesh->x, 2 * (size_t)mesh->n_nodes * sizeof *mesh->x);
  return prc_hash(places, mesh->cell, (size_t)mesh->cell_start[mesh->n_cells] * sizeof *mesh->cell);
}

/* Lists of a part are those of the whole as far as they are there: not its identity. */
uint64_t prc_mesh_groups_hash(const prc_mesh *mesh) {
  uint64_t hash = PRC_HASH_START;
  if (mesh->part) return mesh->part->groups_hash;
  for (int k = 0; k < mesh->n_groups; k++) {
    const prc_mesh_group *g = &mesh->group[k];
    hash = prc_hash(hash, g->name, strlen(g->name) + 1);
    hash = prc_hash(hash, &g->dim, sizeof g->dim);
    hash = prc_hash(hash, g->cell, (size_t)g->n_cells * sizeof *g->cell);
    hash = prc_hash(hash, g->node, (size_t)g->n_nodes * sizeof *g->node);
  }
  return hash;
}

static prc_status mark_kept(prc_mesh_plan *plan, int n, const char *const *name, prc_error *err) {
  for (int k = 0; k < n; k++) {
    const prc_mesh_group *curve = prc_mesh_find(plan->whole, 1, name[k]);
    if (!curve)
      return prc_fail(err, PRC_INPUT, "the mesh has no physical curve '%s', which all ranks were to keep",
                      name[k]);
    for (int i = 0; i < curve->n_nodes; i++) plan->kept[curve->node[i]] = 1;
  }
  for (int i = 0; i < plan->whole->n_nodes; i++) plan->n_kept += plan->kept[i];
  return PRC_OK;
}

static int is_at_kept(const prc_mesh_plan *plan, int c) {
  const prc_mesh *mesh = plan->whole;
  for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
    if (plan->kept[mesh->cell[k]]) return 1;
  return 0;
}

/* The part with most cells at the kept curves becomes that of rank 0. */
static prc_status number_parts(prc_mesh_plan *plan, int n, prc_error *err) {
  prc_status status = PRC_OK;
  int *count = NULL, most = 0;
  prc_try(prc_new(&count, n, err));
  for (int c = 0; c < plan->whole->n_cells; c++) count[plan->cell_rank[c]] += is_at_kept(plan, c);
  for (int p = 1; p < n; p++)
    if (count[p] > count[most]) most = p;
  for (int c = 0; c < plan->whole->n_cells; c++) {
    int *rank = &plan->cell_rank[c];
    *rank = *rank == most ? 0 : *rank == 0 ? most : *rank;
  }
done:
  prc_delete(&count);
  return status;
}

static void find_owners(prc_mesh_plan *plan) {
  const prc_mesh *mesh = plan->whole;
  for (int i = 0; i < mesh->n_nodes; i++) plan->node_rank[i] = plan->kept[i] ? 0 : INT_MAX;
  for (int c = 0; c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++) {
      int *rank = &plan->node_rank[mesh->cell[k]];
      if (plan->cell_rank[c] < *rank) *rank = plan->cell_rank[c];
    }
  for (int i = 0; i < mesh->n_nodes; i++)
    if (plan->node_rank[i] == INT_MAX) plan->node_rank[i] = 0; /* no cell uses it */
}

/* Order: kept items first, then rank by rank, ascending in each. */
static prc_status number_nodes(prc_mesh_plan *plan, int n, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL, kept = 0;
  prc_try(prc_new(&next, (size_t)n + 1, err));
  for (int i = 0; i < plan->whole->n_nodes; i++)
    if (!plan->kept[i]) next[plan->node_rank[i] + 1]++;
  next[0] = plan->n_kept;
  for (int rank = 0; rank < n; rank++) next[rank + 1] += next[rank];
  for (int i = 0; i < plan->whole->n_nodes; i++)
    plan->number[i] = plan->kept[i] ? kept++ : next[plan->node_rank[i]]++;
done:
  prc_delete(&next);
  return status;
}

static prc_status make_plan(prc_mesh_plan *plan, int n, int n_kept, const char *const *kept, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = plan->whole;
  prc_sum area = {0};
  prc_try(prc_new(&plan->cell_rank, mesh->n_cells, err));
  prc_try(prc_new(&plan->node_rank, mesh->n_nodes, err));
  prc_try(prc_new(&plan->kept, mesh->n_nodes, err));
  prc_try(prc_new(&plan->number, mesh->n_nodes, err));
  prc_try(mark_kept(plan, n_kept, kept, err));
  prc_try(prc_mesh_partition(mesh, n, plan->cell_rank, err));
  prc_try(number_parts(plan, n, err));
  find_owners(plan);
  prc_try(number_nodes(plan, n, err));
  for (int c = 0; c < mesh->n_cells; c++) prc_sum_add(&area, prc_mesh_area(mesh, c));
  plan->area = prc_sum_total(&area), plan->hash = prc_mesh_hash(mesh);
  plan->groups_hash = prc_mesh_groups_hash(mesh);
  prc_try(prc_new(&plan->node, mesh->n_nodes, err));
  prc_try(prc_new(&plan->cell, mesh->n_cells, err));
  prc_try(prc_new(&plan->edge, mesh->n_edges, err));
  prc_try(prc_new(&plan->nodes, mesh->n_nodes, err));
  prc_try(prc_new(&plan->cells, mesh->n_cells, err));
done:
  return status;
}

static void free_plan(prc_mesh_plan *plan) {
  prc_delete(&plan->cell_rank);
  prc_delete(&plan->node_rank);
  prc_delete(&plan->kept);
  prc_delete(&plan->number);
  prc_delete(&plan->node);
  prc_delete(&plan->cell);
  prc_delete(&plan->edge);
  prc_delete(&plan->nodes);
  prc_delete(&plan->cells);
}

/* To all others, and last to itself. part: what is this rank's. */
static prc_status distribute(const prc_ranks *ranks, prc_mesh_plan *plan, prc_mesh **part, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *theirs = NULL;
  for (int to = 1; to < ranks->n; to++) {
    status = ranks->rank == 0 ? prc_mesh_make_part(plan, ranks, to, &theirs, err) : PRC_OK;
    prc_try(prc_mesh_hand_over(ranks, to, status, ranks->rank == to ? part : &theirs, err));
    prc_mesh_free(&theirs);
  }
  if (ranks->rank == 0) status = prc_mesh_make_part(plan, ranks, 0, part, err);
  status = prc_ranks_agree(ranks, status, err);
done:
  prc_mesh_free(&theirs);
  return status;
}

prc_status prc_mesh_distribute(const prc_ranks *ranks, int n_kept, const char *const *kept, prc_mesh **mesh,
                               prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh *part = NULL;
  prc_mesh_plan plan = {0};
  if (!ranks) return PRC_OK;
  if (ranks->rank == 0) {
    plan.whole = *mesh;
    status = make_plan(&plan, ranks->n, n_kept, kept, err);
  }
  prc_try(prc_ranks_agree(ranks, status, err));
  prc_try(distribute(ranks, &plan, &part, err));
  prc_mesh_free(mesh);
  *mesh = part, part = NULL;
  prc_memory_trim();
done:
  free_plan(&plan);
  prc_mesh_free(&part);
  return status;
}
