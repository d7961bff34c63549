#include "config.h"
#include "fem/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- facts ------------------------------------------------------------------------------------------------------------- */

static double smallest_height(const prc_mesh *mesh, int c) {
  double x[3][2], longest = 0.0;
  prc_fem_cell_nodes(mesh, c, x);
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3;
    longest = fmax(longest, hypot(x[b][0] - x[a][0], x[b][1] - x[a][1]));
  }
  return 2.0 * prc_mesh_area(mesh, c) / longest;
}

prc_fem_facts prc_fem_get_facts(const prc_fem *fem) {
  const prc_fem_model *model = fem->model;
  const prc_mesh *mesh = model->mesh;
  prc_fem_facts facts = {.smallest_height = DBL_MAX, .cfl_step = DBL_MAX};
  for (int c = 0; c < mesh->n_cells; c++) {
    const prc_fem_material *material = &model->material[fem->cell_material[c]];
    const double area = prc_mesh_area(mesh, c), mass = material->density * area * model->thickness;
    double D[3][3];
    prc_fem_elasticity(material->young, material->poisson, model->plane_strain, D);
    const double speed = sqrt(D[0][0] / material->density), height = smallest_height(mesh, c);
    facts.area += area;
    facts.mass += mass;
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < 2; k++)
        facts.first_moment[k] += mass / 3.0 * mesh->x[2 * mesh->cell[3 * c + a] + k];
    facts.speed_p = fmax(facts.speed_p, speed);
    facts.speed_s = fmax(facts.speed_s, sqrt(D[2][2] / material->density));
    facts.smallest_height = fmin(facts.smallest_height, height);
    facts.cfl_step = fmin(facts.cfl_step, height / speed);
  }
  return facts;
}

/* ---- stress and energy --------------------------------------------------------------------------------------------------- */

void prc_fem_cell_fields(const prc_fem *fem, const double *q, double *stress, double *energy) {
  const prc_fem_model *model = fem->model;
  for (int c = 0; c < model->mesh->n_cells; c++) {
    const prc_fem_material *material = &model->material[fem->cell_material[c]];
    double x[3][2], u[3][2], D[3][3], strain[3];
    prc_fem_cell_nodes(model->mesh, c, x);
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < 2; k++) u[a][k] = q[2 * model->mesh->cell[3 * c + a] + k];
    prc_fem_elasticity(material->young, material->poisson, model->plane_strain, D);
    prc_fem_t3_strain((const double(*)[2])x, (const double(*)[2])u, strain);
    energy[c] = 0.0;
    for (int i = 0; i < 3; i++) {
      double *s = &stress[3 * c + i];
      *s = D[i][0] * strain[0] + D[i][1] * strain[1] + D[i][2] * strain[2];
      energy[c] += 0.5 * *s * strain[i];
    }
  }
}

void prc_fem_recover(const prc_fem *fem, int n_components, const double *cell, double *node) {
  const prc_mesh *mesh = fem->model->mesh;
  const int n = n_components;
  memset(node, 0, (size_t)n * (size_t)mesh->n_nodes * sizeof *node);
  for (int c = 0; c < mesh->n_cells; c++)
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < n; k++)
        node[n * mesh->cell[3 * c + a] + k] += prc_mesh_area(mesh, c) * cell[n * c + k];
  for (int a = 0; a < mesh->n_nodes; a++)
    for (int k = 0; k < n; k++)
      if (fem->node_area[a] > 0.0) node[n * a + k] /= fem->node_area[a];
}

/* ---- static equilibrium ---------------------------------------------------------------------------------------------------- */

/* part[i]: 0 free, 2 held; value[i]: where it is held. */
static prc_status hold(const prc_fem *fem, int *part, double *value, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = &fem->system;
  double *d = NULL;
  for (int k = 0; k < 2 * fem->points->n; k++) part[fem->points->dof[k]] = 2;
  prc_try(prc_new(&d, s->n_prescribed, err));
  prc_try(s->prescribed_displacement(s->body, 0.0, d, err));
  for (int i = 0; i < s->n_prescribed; i++) {
    part[s->prescribed[i]] = 2;
    value[s->prescribed[i]] = d[i];
  }
done:
  prc_delete(&d);
  return status;
}

/* K_ff q_f = F_f - K_fh q_h: q holds the held values on entry, the equilibrium on return; rhs: F. */
static prc_status solve_free(const prc_sym *K, const int *part, const int *perm, double *q, double *rhs,
                             double *work, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *Kff = NULL;
  prc_factor *L = NULL;
  int n_free = 0;
  for (int i = 0; i < K->n; i++) n_free += part[i] == 0;
  prc_try(prc_sym_permute(K, perm, n_free, &Kff, err));
  status = prc_factor_create(Kff, 0, &L, err);
  /* a motion that nothing holds leaves a pivot that is the rounding of n subtractions, of either sign */
  if (status == PRC_OK && !(prc_factor_weakest_pivot(L) > n_free * DBL_EPSILON))
    status = prc_fail(err, PRC_SINGULAR, "the stiffness matrix is singular to rounding");
  if (status == PRC_SINGULAR)
    prc_error_context(err,
                      "static equilibrium: the body is not held firmly enough by its supports and contacts");
  if (status != PRC_OK) goto done;
  prc_sym_multiply(K, q, work);
  for (int i = 0; i < K->n; i++) rhs[i] -= work[i];
  for (int k = 0; k < n_free; k++) work[k] = rhs[perm[k]];
  prc_factor_solve(L, work);
  for (int k = 0; k < n_free; k++) q[perm[k]] = work[k];
done:
  prc_sym_free(&Kff);
  prc_factor_free(&L);
  return status;
}

prc_status prc_fem_equilibrium(const prc_fem *fem, int with_loads, double *q, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = &fem->system;
  int *part = NULL, *perm = NULL;
  double *rhs = NULL, *work = NULL;
  prc_try(prc_new(&part, s->n_dof, err));
  prc_try(prc_new(&perm, s->n_dof, err));
  prc_try(prc_new(&rhs, s->n_dof, err));
  prc_try(prc_new(&work, s->n_dof, err));
  memset(q, 0, (size_t)s->n_dof * sizeof *q);
  prc_try(hold(fem, part, q, err));
  prc_try(prc_order(s->K, part, perm, NULL, err));
  if (with_loads) prc_try(s->force(s->body, 0.0, rhs, err));
  prc_try(solve_free(s->K, part, perm, q, rhs, work, err));
done:
  prc_delete(&part);
  prc_delete(&perm);
  prc_delete(&rhs);
  prc_delete(&work);
  return status;
}
