#include "config.h"
#include "mesh/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by tag -------------------------------------------------------------------------------------------- */

static int by_tag(const void *a, const void *b) {
  return prc_compare_sizes(((const prc_raw_node *)a)->tag, ((const prc_raw_node *)b)->tag);
}

prc_status prc_mesh_build_nodes(prc_mesh *mesh, prc_raw_mesh *raw, prc_error *err) {
  prc_status status = PRC_OK;
  if (raw->n_nodes > INT_MAX / 4) return prc_fail(err, PRC_INPUT, "%zu nodes are too many", raw->n_nodes);
  if (raw->n_nodes > 0) qsort(raw->node, raw->n_nodes, sizeof *raw->node, by_tag);
  prc_try(prc_new(&mesh->x, 2 * raw->n_nodes, err));
  prc_try(prc_new(&mesh->tag, raw->n_nodes, err));
  mesh->n_nodes = (int)raw->n_nodes;
  for (size_t i = 0; i < raw->n_nodes; i++) {
    const prc_raw_node *node = &raw->node[i];
    if (i > 0 && node->tag == raw->node[i - 1].tag)
      return prc_fail(err, PRC_INPUT, "two nodes have the number %zu", node->tag);
    if (!isfinite(node->x[0]) || !isfinite(node->x[1]) || !isfinite(node->x[2]))
      return prc_fail(err, PRC_INPUT, "node %zu is at (%g, %g, %g): expected finite numbers", node->tag,
                      node->x[0], node->x[1], node->x[2]);
    mesh->tag[i] = node->tag;
    mesh->x[2 * i] = node->x[0];
    mesh->x[2 * i + 1] = node->x[1];
  }
done:
  return status;
}

/* ---- the plane ----------------------------------------------------------------------------------------- */

static prc_status mark_used(const prc_mesh *mesh, const prc_raw_mesh *raw, char **out, prc_error *err) {
  const prc_status status = prc_new(out, mesh->n_nodes, err);
  if (status != PRC_OK) return status;
  for (size_t c = 0; c < raw->n_cells[2]; c++)
    for (int a = 0; a < raw->cell[2][c].n_nodes; a++) (*out)[raw->cell[2][c].node[a]] = 1;
  return PRC_OK;
}

static void find_bounding_box(prc_mesh *mesh, const char *used) {
  for (int d = 0; d < 2; d++) mesh->low[d] = INFINITY, mesh->high[d] = -INFINITY;
  for (int i = 0; i < mesh->n_nodes; i++)
    for (int d = 0; d < 2 && used[i]; d++) {
      mesh->low[d] = fmin(mesh->low[d], mesh->x[2 * i + d]);
      mesh->high[d] = fmax(mesh->high[d], mesh->x[2 * i + d]);
    }
}

/* Squares of lengths, and their products, must stay within what doubles can hold. */
static prc_status check_extent(const prc_mesh *mesh, prc_error *err) {
  static const double least = 1e-60, most = 1e60;
  const double size = prc_mesh_diagonal(mesh), far = fmax(fmax(fabs(mesh->low[0]), fabs(mesh->high[0])),
                                                          fmax(fabs(mesh->low[1]), fabs(mesh->high[1])));
  if ((size >= least || size == 0.0) && size <= most && far <= most) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "the mesh reaches from (%g, %g) to (%g, %g), expected a size between %g and %g: choose other "
      "units of length",
      mesh->low[0], mesh->low[1], mesh->high[0], mesh->high[1], least, most);
}

static prc_status check_plane(const prc_mesh *mesh, const prc_raw_mesh *raw, prc_error *err) {
  const double rounding = PRC_MESH_SAME_PLACE * prc_mesh_diagonal(mesh);
  for (size_t i = 0; i < raw->n_nodes; i++)
    if (fabs(raw->node[i].x[2]) > rounding)
      return prc_fail(err, PRC_INPUT, "node %zu has z = %.15g: expected a plane mesh with z = 0",
                      raw->node[i].tag, raw->node[i].x[2]);
  return PRC_OK;
}

static void count_unused(prc_mesh *mesh, const char *used, const char *path, const prc_log *log) {
  int first = -1;
  for (int i = 0; i < mesh->n_nodes; i++) {
    if (used[i]) continue;
    if (first < 0) first = i;
    mesh->n_unused++;
  }
  if (first >= 0)
    prc_log_message(log, PRC_LOG_WARNING, "%s: no cell uses %d of the %d nodes (first: node %zu)", path,
                    mesh->n_unused, mesh->n_nodes, mesh->tag[first]);
}

prc_status prc_mesh_check_nodes(prc_mesh *mesh, const prc_raw_mesh *raw, const char *path, const prc_log *log,
                                prc_error *err) {
  prc_status status = PRC_OK;
  char *used = NULL;
  prc_try(mark_used(mesh, raw, &used, err));
  find_bounding_box(mesh, used);
  prc_try(check_extent(mesh, err));
  prc_try(check_plane(mesh, raw, err));
  count_unused(mesh, used, path, log);
done:
  prc_delete(&used);
  return status;
}
