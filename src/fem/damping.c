#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* Damping beyond the factors that hold for all of M and of K, as one matrix: sum over materials of alpha_m M_m + beta_m K_m where they differ,
 * and dashpots of the boundary, t = -d_n v_n n - d_t v_t t per area, which give the nodes a, b of an edge
 *
 *   C_ab = integral of N_a N_b (d_n n n' + d_t (1 - n n')) dA.
 *
 * A plane wave that arrives along the normal is thrown back by (rho c - d) / (rho c + d), so d = rho c lets it pass (Lysmer & Kuhlemeyer
 * 1969). */

void prc_fem_add_entry(prc_sym *C, int i, int j, double value) {
  const int row = i > j ? i : j, column = i > j ? j : i;
  int low = C->p[column], high = C->p[column + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (C->i[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  C->x[low] += value;
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

static prc_fem_damping factors_of(const prc_fem_model *model, int m) {
  return model->own_damping ? model->own_damping[m]
                            : (prc_fem_damping){model->damping_mass, model->damping_stiffness};
}

double prc_fem_drag_of_material(const prc_fem_model *model, int m) {
  return factors_of(model, m).mass;
}

/* A damping that all materials share stays a factor of the system; `differs` marks the others. For
 * corotational strains the damping of the stiffness is not in C (corotation.c). */
static void find_factors(prc_fem *fem, int differs[2]) {
  const prc_fem_model *model = fem->model;
  const prc_fem_damping first = factors_of(model, 0);
  differs[0] = differs[1] = 0;
  for (int m = 1; m < model->n_materials; m++) {
    const prc_fem_damping other = factors_of(model, m);
    differs[0] |= other.mass != first.mass;
    differs[1] |= other.stiffness != first.stiffness;
  }
  if (model->kinematics == PRC_COROTATIONAL) differs[1] = 0;
  fem->damping_mass = differs[0] ? 0.0 : first.mass;
  fem->damping_stiffness = differs[1] ? 0.0 : first.stiffness;
}

/* Contribution of cell c to the columns of its node number v, from the diagonal down. */
static void add_columns(prc_fem *fem, int c, int v, prc_fem_damping f) {
  prc_fem_columns columns;
  int n;
  const int *node = prc_fem_cell(fem->model->mesh, c, &n), b = node[v];
  const double *d = fem->mass_factor;
  prc_fem_cell_columns(fem, c, v, &columns);
  for (int w = 0; w < n; w++) {
    const int a = node[w];
    const double mass = f.mass * columns.M[w] * (d ? d[a] * d[b] : 1.0);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        if (2 * a + i >= 2 * b + j)
          prc_fem_add_entry(fem->C, 2 * a + i, 2 * b + j,
                            f.stiffness * columns.K[2 * w + i][j] + (i == j ? mass : 0.0));
  }
}

static void add_materials(prc_fem *fem, const int differs[2]) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int c = 0; c < mesh->n_cells; c++) {
    prc_fem_damping f = factors_of(fem->model, fem->cell_material[c]);
    if (!differs[0]) f.mass = 0.0;
    if (!differs[1]) f.stiffness = 0.0;
    if (f.mass == 0.0 && f.stiffness == 0.0) continue;
    for (int v = 0; v < mesh->cell_start[c + 1] - mesh->cell_start[c]; v++) add_columns(fem, c, v, f);
  }
}

/* ---- dashpots ------------------------------------------------------------------------------------------------------ */

static const char *const direction[] = {"normal", "tangential"};

prc_status prc_fem_check_dashpots(const prc_fem_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < model->n_dashpots && status == PRC_OK; i++) {
    const prc_fem_dashpot *dashpot = &model->dashpot[i];
    for (int k = 0; k < 2 && status == PRC_OK; k++)
      if (!dashpot->absorbs[k] && !(dashpot->coefficient[k] >= 0.0 && isfinite(dashpot->coefficient[k])))
        status = prc_fail(err, PRC_INPUT, "the %s coefficient is %g, expected a number >= 0", direction[k],
                          dashpot->coefficient[k]);
    if (status == PRC_OK) status = prc_fem_check_boundary(model->mesh, dashpot->group, err);
    if (status != PRC_OK) prc_error_context(err, "dashpot '%s'", dashpot->name);
  }
  return status;
}

/* Along the normal and across it on edge e: rho c_p and rho c_s of the material inside where it absorbs. */
void prc_fem_dashpot_coefficients(const prc_fem *fem, const prc_fem_dashpot *dashpot, int e, double d[2]) {
  const prc_fem_model *model = fem->model;
  const prc_fem_material *inside = &model->material[fem->cell_material[model->mesh->edge_cell[e]]];
  double moduli[2]; /* rho c^2 */
  prc_fem_material_moduli(inside, model->plane, &moduli[0], &moduli[1]);
  for (int k = 0; k < 2; k++)
    d[k] = dashpot->absorbs[k] ? sqrt(inside->density * moduli[k]) : dashpot->coefficient[k];
}

void prc_fem_add_edge(const prc_fem *fem, prc_sym *C, int e, const double d[2], const double fixed[2]) {
  prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
  for (int g = 0, n = prc_mesh_edge_points(fem->model->mesh, e, point); g < n; g++) {
    const prc_mesh_edge_point *p = &point[g];
    const double area = p->length * prc_fem_depth(fem->model, p->x[0]);
    for (int k = 0; k < 4 * p->n_nodes * p->n_nodes; k++) {
      const int a = k / 4 / p->n_nodes, b = k / 4 % p->n_nodes, i = k / 2 % 2, j = k % 2;
      const double nn = p->normal[i] * p->normal[j], one = i == j ? 1.0 : 0.0;
      if (2 * p->node[a] + i >= 2 * p->node[b] + j)
        prc_fem_add_entry(C, 2 * p->node[a] + i, 2 * p->node[b] + j,
                          area * p->N[a] * p->N[b] * (d[0] * nn + d[1] * (one - nn) + fixed[i] * one));
    }
  }
}

static void add_dashpots(const prc_fem *fem, prc_sym *C) {
  const prc_fem_model *model = fem->model;
  for (int i = 0; i < model->n_dashpots; i++)
    for (int k = 0; k < model->dashpot[i].group->n_cells; k++) {
      double d[2];
      prc_fem_dashpot_coefficients(fem, &model->dashpot[i], model->dashpot[i].group->cell[k], d);
      prc_fem_add_edge(fem, C, model->dashpot[i].group->cell[k], d, (const double[]){0.0, 0.0});
    }
}

/* ---- the matrix ------------------------------------------------------------------------------------------------------ */

/* The pattern of K, without values. */
static prc_status create_pattern(const prc_sym *K, prc_sym **out, prc_error *err) {
  const int nnz = prc_sym_nnz(K);
  const prc_status status = prc_sym_create(K->n, nnz, out, err);
  if (status != PRC_OK) return status;
  memcpy((*out)->p, K->p, ((size_t)K->n + 1) * sizeof *K->p);
  memcpy((*out)->i, K->i, (size_t)nnz * sizeof *K->i);
  return PRC_OK;
}

/* Diagonals and what is not zero: dashpots alone leave little more than the boundary. C is NULL where nothing is left. */
static prc_status drop_zeros(prc_sym **C, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *full = *C;
  int left = 0, nnz = full->n;
  *C = NULL;
  for (int j = 0; j < full->n; j++)
    for (int k = full->p[j]; k < full->p[j + 1]; k++) {
      left += full->x[k] != 0.0;
      nnz += k > full->p[j] && full->x[k] != 0.0;
    }
  if (left == 0) goto done;
  prc_try(prc_sym_create(full->n, nnz, C, err));
  for (int j = 0, n = 0; j < full->n; j++) {
    for (int k = full->p[j]; k < full->p[j + 1]; k++)
      if (k == full->p[j] || full->x[k] != 0.0) (*C)->i[n] = full->i[k], (*C)->x[n++] = full->x[k];
    (*C)->p[j + 1] = n;
  }
done:
  prc_sym_free(&full);
  return status;
}

static int touches(const prc_mesh_group *group, int node) {
  for (int k = 0; k < group->n_nodes; k++)
    if (group->node[k] == node) return 1;
  return 0;
}

/* A node without mass that has a damping of its own follows neither from inertia nor from equilibrium. */
static prc_status refuse_massless(const prc_fem *fem, int node, prc_error *err) {
  const prc_fem_model *model = fem->model;
  const size_t tag = model->mesh->tag[node];
  for (int i = 0; i < model->n_dashpots; i++)
    if (touches(model->dashpot[i].group, node))
      return prc_fail(err, PRC_INPUT,
                      "dashpot '%s': its node %zu is a contact node, which has no mass with mass: modified; "
                      "expected mass: consistent or lumped, or curves that do not meet",
                      model->dashpot[i].name, tag);
  return prc_fail(err, PRC_INPUT,
                  "the materials differ in damping.stiffness and contact node %zu has no mass with mass: "
                  "modified; expected mass: consistent or lumped, or the same damping.stiffness in all",
                  tag);
}

static prc_status check_massless(const prc_fem *fem, prc_error *err) {
  const double *d = fem->mass_factor;
  for (int j = 0; d && fem->C && j < fem->C->n; j++)
    for (int k = fem->C->p[j]; k < fem->C->p[j + 1]; k++) {
      const int a = j / 2, b = fem->C->i[k] / 2;
      if (fem->C->x[k] != 0.0 && (d[a] == 0.0 || d[b] == 0.0))
        return refuse_massless(fem, d[a] == 0.0 ? a : b, err);
    }
  return PRC_OK;
}

/* Dashpots once more by themselves: what they take has a column of its own. */
static prc_status assemble_boundary(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  if (fem->model->n_dashpots == 0) return PRC_OK;
  prc_try(create_pattern(fem->K, &fem->C_boundary, err));
  add_dashpots(fem, fem->C_boundary);
  prc_try(drop_zeros(&fem->C_boundary, err));
done:
  return status;
}

prc_status prc_fem_assemble_damping(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  int differs[2];
  find_factors(fem, differs);
  if (!differs[0] && !differs[1] && fem->model->n_dashpots == 0) return PRC_OK;
  prc_try(create_pattern(fem->K, &fem->C, err));
  if (differs[0] || differs[1]) add_materials(fem, differs);
  add_dashpots(fem, fem->C);
  prc_try(drop_zeros(&fem->C, err));
  prc_try(check_massless(fem, err));
  prc_try(assemble_boundary(fem, err));
done:
  return status;
}
