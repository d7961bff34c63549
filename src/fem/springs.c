#include "config.h"
#include "fem/internal.h"

#include <math.h>

/* Springs to the ground: a traction -(k_n n n' + k_t (1 - n n') + diag(k_x, k_y)) u per area of a curve, or at a point a force
 * -diag(k_x, k_y) u. They give the nodes a, b of an edge, or of the cell around a point,
 *
 *   K_ab = integral of N_a N_b (k_n n n' + ...) dA,      K_ab = N_a N_b diag(k_x, k_y)
 *
 * so their energy is part of u'K u / 2, the elastic energy, and stiffness damping damps them too. */

prc_status prc_fem_find_point(const prc_mesh *mesh, const double x[2], int *cell,
                              double weight[PRC_ELEMENT_NODES], prc_error *err) {
  *cell = prc_mesh_locate(mesh, x[0], x[1], weight);
  if (*cell >= 0) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "the point (%.9g, %.9g) is not in the mesh, which lies in [%.9g, %.9g] x [%.9g, %.9g]; expected one "
      "of the body",
      x[0], x[1], mesh->low[0], mesh->high[0], mesh->low[1], mesh->high[1]);
}

static prc_status add_at_point(prc_fem *fem, int i, prc_error *err) {
  const prc_fem_spring *spring = &fem->model->spring[i];
  prc_fem_place *at = &fem->spring_at[i];
  int n;
  const prc_status status = prc_fem_find_point(fem->model->mesh, spring->point, &at->cell, at->N, err);
  if (status != PRC_OK) return status;
  const int *node = prc_fem_cell(fem->model->mesh, at->cell, &n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int k = 0; k < 2; k++)
        if (node[a] >= node[b])
          prc_fem_add_entry(fem->K, 2 * node[a] + k, 2 * node[b] + k, at->N[a] * at->N[b] * spring->fixed[k]);
  return PRC_OK;
}

prc_status prc_fem_add_springs(prc_fem *fem, prc_error *err) {
  prc_status status = prc_new(&fem->spring_at, fem->model->n_springs, err);
  for (int i = 0; i < fem->model->n_springs && status == PRC_OK; i++) {
    const prc_fem_spring *spring = &fem->model->spring[i];
    for (int k = 0; spring->group && k < spring->group->n_cells; k++)
      prc_fem_add_edge(fem, fem->K, spring->group->cell[k], spring->stiffness, spring->fixed);
    if (!spring->group) status = add_at_point(fem, i, err);
    if (status != PRC_OK) prc_error_context(err, "support '%s'", spring->name);
  }
  return status;
}

/* u = sum of N_a q_a */
static void displacement(int n, const int *node, const double *N, const double *q, double u[2]) {
  u[0] = u[1] = 0.0;
  for (int a = 0; a < n; a++)
    for (int k = 0; k < 2; k++) u[k] += N[a] * q[2 * node[a] + k];
}

/* Contribution of a point of an edge, or of a single node: its force, and u of the mesh there. */
typedef void visit_point(void *to, const double force[2], const double u[2]);

/* -(k_n n n' + k_t (1 - n n') + diag(k_x, k_y)) u dA at each of the points that give K. */
static void visit(const prc_fem *fem, int i, const double *q, visit_point *each, void *to) {
  const prc_fem_spring *spring = &fem->model->spring[i];
  const prc_mesh *mesh = fem->model->mesh;
  double u[2], force[2];
  for (int e = 0; spring->group && e < spring->group->n_cells; e++) {
    prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
    for (int g = 0, n = prc_mesh_edge_points(mesh, spring->group->cell[e], point); g < n; g++) {
      const prc_mesh_edge_point *p = &point[g];
      const double area = p->length * prc_fem_depth(fem->model, p->x[0]);
      displacement(p->n_nodes, p->node, p->N, q, u);
      const double along = p->normal[0] * u[0] + p->normal[1] * u[1];
      for (int k = 0; k < 2; k++)
        force[k] = -area
                   * ((spring->stiffness[0] - spring->stiffness[1]) * along * p->normal[k]
                      + (spring->stiffness[1] + spring->fixed[k]) * u[k]);
      each(to, force, u);
    }
  }
  if (spring->group) return;
  int n;
  const int *node = prc_fem_cell(mesh, fem->spring_at[i].cell, &n);
  displacement(n, node, fem->spring_at[i].N, q, u);
  for (int k = 0; k < 2; k++) force[k] = -spring->fixed[k] * u[k];
  each(to, force, u);
}

static void add_force(void *to, const double force[2], const double u[2]) {
  double *sum = to;
  (void)u;
  sum[0] += force[0], sum[1] += force[1];
}

static void add_energy(void *to, const double force[2], const double u[2]) {
  *(double *)to -= 0.5 * (force[0] * u[0] + force[1] * u[1]);
}

void prc_fem_spring_force(const prc_fem *fem, int i, const double *q, double force[2]) {
  force[0] = force[1] = 0.0;
  visit(fem, i, q, add_force, force);
}

double prc_fem_spring_energy(const prc_fem *fem, int i, const double *q) {
  double energy = 0.0;
  visit(fem, i, q, add_energy, &energy);
  return energy;
}
