#include "config.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

/* Fields at the nodes of one mesh, to the nodes of another of the same body: by the shape functions of the cell that a node lies in. */

/* Nodes on a line that parts a body are twice at one place, on either side of it: a point a little towards the middle of a cell of the
 * node is on its side. */
static const double littles[] = {1e-3, 1e-5, 1e-7, 1e-9};
enum { LITTLES = sizeof littles / sizeof *littles };
static const double on_the_rim = 1e-8; /* of a cell: so far outside counts as inside */

/* A cell of each node, -1: none uses it. */
static prc_status list_cells(const prc_mesh *mesh, int **out, prc_error *err) {
  const prc_status status = prc_new(out, mesh->n_nodes, err);
  if (status != PRC_OK) return status;
  for (int i = 0; i < mesh->n_nodes; i++) (*out)[i] = -1;
  for (int c = mesh->n_cells - 1; c >= 0; c--)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++) (*out)[mesh->cell[k]] = c;
  return PRC_OK;
}

static void inwards(const prc_mesh *mesh, int c, double little, const double x[2], double out[2]) {
  double node[PRC_ELEMENT_NODES][2], middle[2] = {0.0, 0.0};
  const int corners = mesh->cell_element[c]->n_corners;
  prc_mesh_cell_nodes(mesh, c, node);
  for (int a = 0; a < corners; a++)
    for (int d = 0; d < 2; d++) middle[d] += node[a][d] / corners;
  for (int d = 0; d < 2; d++) out[d] = x[d] + little * (middle[d] - x[d]);
}

/* The cell of `from` that holds node i of `to`, on its side, and the place in it. Returns its depth there. */
static double find(const prc_mesh_locator *locator, const prc_mesh *from, const prc_mesh *to, int of, int i,
                   int *cell, double at[2]) {
  const double *x = to->x + (size_t)2 * (size_t)i;
  double near[2], depth = -INFINITY;
  for (int k = 0; k < LITTLES; k++) { /* a side of another cell may be nearer than the first */
    inwards(to, of, littles[k], x, near);
    *cell = prc_mesh_locator_find(locator, near[0], near[1], at);
    if (*cell >= 0) depth = prc_mesh_depth(from, *cell, x, at);
    if (*cell >= 0 && depth >= -on_the_rim) return depth;
  }
  *cell = prc_mesh_locator_find(locator, x[0], x[1], at);
  return *cell >= 0 ? prc_mesh_depth(from, *cell, x, at) : -INFINITY;
}

/* How far the point is from the cell, or a little more. */
static double distance(const prc_mesh *mesh, int c, const double x[2], const double at[2]) {
  const prc_element *e = mesh->cell_element[c];
  double node[PRC_ELEMENT_NODES][2], N[PRC_ELEMENT_NODES], gradient[PRC_ELEMENT_NODES][2], nearest[2];
  const int triangle = e->n_corners == 3;
  double inside[2];
  for (int d = 0; d < 2; d++) inside[d] = fmin(fmax(at[d], triangle ? 0.0 : -1.0), 1.0);
  const double sum = inside[0] + inside[1];
  for (int d = 0; d < 2 && triangle && sum > 1.0; d++) inside[d] /= sum;
  prc_mesh_cell_nodes(mesh, c, node);
  (void)prc_element_map(e, (const double(*)[2])node, inside, nearest, N, gradient);
  return hypot(x[0] - nearest[0], x[1] - nearest[1]);
}

static prc_status note_outside(const prc_mesh *from, const prc_mesh *to, int i, int c, double depth,
                               const double at[2], prc_mesh_carried *facts, prc_error *err) {
  const double *x = to->x + (size_t)2 * (size_t)i;
  if (depth >= -on_the_rim) return PRC_OK;
  if (c < 0 || depth < -1.0)
    return prc_fail(
        err, PRC_INPUT,
        "node %zu at (%.6g, %.6g) lies outside, farther than the nearest cell is wide; expected a "
        "mesh of the same body at the same place",
        to->tag[i], x[0], x[1]);
  const double far = distance(from, c, x, at);
  facts->n_outside++;
  if (!(far > facts->farthest)) return PRC_OK;
  facts->farthest = far;
  memcpy(facts->x, x, sizeof facts->x);
  return PRC_OK;
}

prc_status prc_mesh_carry(const prc_mesh *from, const prc_mesh *to, int n, const double *const *in,
                          double *const *out, prc_mesh_carried *facts, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mesh_locator *locator = NULL;
  int *of = NULL;
  *facts = (prc_mesh_carried){0};
  prc_try(list_cells(to, &of, err));
  prc_try(prc_mesh_locator_create(from, &locator, err));
  for (int i = 0; i < to->n_nodes; i++) {
    double at[2], N[PRC_ELEMENT_NODES], dN[PRC_ELEMENT_NODES][2];
    int c;
    for (int f = 0; f < n; f++) out[f][2 * i] = out[f][2 * i + 1] = 0.0;
    if (of[i] < 0) continue;
    const double depth = find(locator, from, to, of[i], i, &c, at);
    prc_try(note_outside(from, to, i, c, depth, at, facts, err));
    from->cell_element[c]->shape(at, N, dN);
    const int *node = from->cell + from->cell_start[c];
    for (int f = 0; f < n; f++)
      for (int a = 0; a < from->cell_element[c]->n_nodes; a++)
        for (int d = 0; d < 2; d++) out[f][2 * i + d] += N[a] * in[f][2 * node[a] + d];
  }
done:
  prc_delete(&of);
  prc_mesh_locator_free(&locator);
  return status;
}
