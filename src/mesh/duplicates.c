#include "config.h"
#include "mesh/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes at the same place: a body that was cut by mistake, unless they are of the two sides of a contact. */

typedef struct {
  double column, y;
  int node;
} place;

static int by_place(const void *a, const void *b) {
  const place *p = a, *q = b;
  const int columns = prc_compare_doubles(p->column, q->column), rows = prc_compare_doubles(p->y, q->y);
  return columns ? columns : rows ? rows : prc_compare_ints(p->node, q->node);
}

static int by_number(const void *a, const void *b) {
  return prc_compare_ints(*(const int *)a, *(const int *)b);
}

static int has_node(const prc_mesh *mesh, const char *name, int node) {
  const prc_mesh_group *g = prc_mesh_find(mesh, 1, name);
  return g && bsearch(&node, g->node, (size_t)g->n_nodes, sizeof *g->node, by_number);
}

static int is_seam(const prc_mesh *mesh, const prc_mesh_options *options, int i, int j) {
  for (int k = 0; k < options->n_seams; k++) {
    const char *const *curve = options->seam[k];
    if ((has_node(mesh, curve[0], i) && has_node(mesh, curve[1], j))
        || (has_node(mesh, curve[1], i) && has_node(mesh, curve[0], j)))
      return 1;
  }
  return 0;
}

static prc_status refuse(const prc_mesh *mesh, const prc_mesh_options *options, int i, int j,
                         prc_error *err) {
  const int first = i < j ? i : j, second = i < j ? j : i;
  if (is_seam(mesh, options, first, second)) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "nodes %zu and %zu are at the same place (%.15g, %.15g), so the body is cut there; merge them "
      "(Coherence in Gmsh), make the curves that they are of a contact (`between`), or set "
      "mesh.allow_duplicate_nodes if a seam is meant",
      mesh->tag[first], mesh->tag[second], mesh->x[2 * first], mesh->x[2 * first + 1]);
}

/* Nodes in columns twice as wide as the tolerance, ordered by y within: coincident ones become neighbours.
 * The columns are laid twice, shifted by half their width, so that no pair is always on both sides of a
 * border. *n_seams: the pairs that are seams. */
static prc_status check_columns(const prc_mesh *mesh, const prc_mesh_options *options, place *list, int n,
                                double shift, int *n_seams, prc_error *err) {
  const double near = PRC_MESH_SAME_PLACE * prc_mesh_diagonal(mesh);
  *n_seams = 0;
  for (int k = 0; k < n; k++) {
    const double *x = mesh->x + 2 * list[k].node;
    list[k].column = floor((x[0] - mesh->low[0]) / (2.0 * near) + shift);
    list[k].y = x[1];
  }
  qsort(list, (size_t)n, sizeof *list, by_place);
  for (int k = 1; k < n; k++)
    for (int i = k - 1; i >= 0 && list[k].column == list[i].column && list[k].y - list[i].y <= near; i--) {
      const prc_status status = refuse(mesh, options, list[i].node, list[k].node, err);
      if (status != PRC_OK) return status;
      ++*n_seams;
    }
  return PRC_OK;
}

/* Of nodes that cells use. Their number. */
static int list_used(const prc_mesh *mesh, place *list, char *used) {
  int n = 0;
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++) used[mesh->cell[k]] = 1;
  for (int i = 0; i < mesh->n_nodes; i++)
    if (used[i]) list[n++].node = i;
  return n;
}

prc_status prc_mesh_refuse_duplicates(const prc_mesh *mesh, const char *path, const prc_mesh_options *options,
                                      const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  place *list = NULL;
  char *used = NULL;
  int n_seams[2];
  if (options->allow_duplicate_nodes) return PRC_OK;
  prc_try(prc_new(&list, mesh->n_nodes, err));
  prc_try(prc_new(&used, mesh->n_nodes, err));
  const int n = list_used(mesh, list, used);
  for (int k = 0; k < 2; k++) prc_try(check_columns(mesh, options, list, n, 0.5 * k, &n_seams[k], err));
  const int most = n_seams[0] > n_seams[1] ? n_seams[0] : n_seams[1];
  if (most > 0)
    prc_log_message(log, PRC_LOG_INFO,
                    "%s: %d pairs of nodes are at the same places, of two curves that touch: they stay two",
                    path, most);
done:
  prc_delete(&list);
  prc_delete(&used);
  return status;
}
