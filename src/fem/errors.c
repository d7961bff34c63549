#include "config.h"
#include "fem/internal.h"

#include <math.h>

/* Gradient of a field by the central differences of order 6, (45 (f_1 - f_-1) - 9 (f_2 - f_-2) + f_3 - f_-3)
 * / 60 d: with d a hundredth of the cell, truncation (d / wave length)^6 and rounding (100 eps of the field
 * over the cell) are both far below any error of discretisation. */
static prc_status gradient_of(const prc_field *field, const double x[2], double t, double d, double g[2],
                              prc_error *err) {
  static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
  prc_status status = PRC_OK;
  g[0] = g[1] = 0.0;
  for (int i = 0; i < 2 && field->uses_place; i++)
    for (int k = 1; k <= 3; k++)
      for (int side = -1; side <= 1; side += 2) {
        double at[2] = {x[0], x[1]}, value;
        at[i] += side * k * d;
        prc_try(prc_field_eval(field, at[0], at[1], t, &value, err));
        g[i] += side * weight[k - 1] * value / d;
      }
done:
  return status;
}

static prc_status exact_motion(const prc_fem *fem, const prc_fem_exact *exact, const prc_fem_point *p,
                               double t, double d, prc_fem_motion *m, prc_error *err) {
  prc_status status = PRC_OK;
  double g[2][2] = {{0.0}};
  for (int k = 0; k < 2; k++) {
    prc_try(prc_field_eval(&exact->displacement[k], p->x[0], p->x[1], t, &m->u[k], err));
    prc_try(prc_field_eval(&exact->velocity[k], p->x[0], p->x[1], t, &m->v[k], err));
    prc_try(gradient_of(&exact->displacement[k], p->x, t, d, g[k], err));
  }
  m->strain[0] = g[0][0], m->strain[1] = g[1][1], m->strain[2] = g[0][1] + g[1][0];
  m->strain[3] = fem->model->plane == PRC_AXISYMMETRIC ? m->u[0] / p->x[0] : 0.0;
done:
  return status;
}

void prc_fem_motion_at(const prc_fem_point *p, const double (*u)[2], const double (*v)[2],
                       prc_fem_motion *m) {
  *m = (prc_fem_motion){.u = {0.0}};
  for (int a = 0; a < p->n; a++)
    for (int k = 0; k < 2; k++) {
      m->u[k] += p->N[a] * u[a][k];
      m->v[k] += p->N[a] * v[a][k];
    }
  prc_fem_strain(p, u, m->strain);
}

void prc_fem_add_norms(const prc_fem_motion *m, const double D[4][4], double density, double volume,
                       prc_fem_norms *to) {
  double stress[4];
  prc_fem_stress(D, m->strain, stress);
  for (int k = 0; k < 2; k++) {
    to->displacement += volume * m->u[k] * m->u[k];
    to->velocity += volume * m->v[k] * m->v[k];
    to->kinetic += density * volume * m->v[k] * m->v[k];
  }
  for (int i = 0; i < 4; i++) to->elastic += volume * stress[i] * m->strain[i];
}

void prc_fem_sqrt_norms(prc_fem_norms *n) {
  n->displacement = sqrt(n->displacement), n->velocity = sqrt(n->velocity);
  n->elastic = sqrt(n->elastic), n->kinetic = sqrt(n->kinetic);
}

void prc_fem_subtract(prc_fem_motion *m, const prc_fem_motion *from) {
  for (int i = 0; i < 2; i++) m->u[i] -= from->u[i], m->v[i] -= from->v[i];
  for (int i = 0; i < 4; i++) m->strain[i] -= from->strain[i];
}

static prc_status add_cell(const prc_fem *fem, const prc_fem_exact *exact, double t, int c, const double *q,
                           const double *w, prc_fem_norms *error, prc_fem_norms *size, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = fem->model->mesh;
  const prc_fem_material *material = &fem->model->material[fem->cell_material[c]];
  const double d = 0.01 * sqrt(prc_mesh_area(mesh, c));
  double D[4][4], u[PRC_ELEMENT_NODES][2] = {{0.0}}, v[PRC_ELEMENT_NODES][2] = {{0.0}};
  prc_fem_point point[PRC_FEM_POINTS];
  prc_fem_cell_values(mesh, c, q, u);
  prc_fem_cell_values(mesh, c, w, v);
  prc_fem_material_elasticity(material, fem->model->plane, D);
  for (int k = 0, n = prc_fem_cell_points(fem->model, c, mesh->cell_element[c]->fine, point); k < n; k++) {
    prc_fem_motion there, here;
    prc_try(exact_motion(fem, exact, &point[k], t, d, &there, err));
    prc_fem_add_norms(&there, (const double(*)[4])D, material->density, point[k].volume, size);
    prc_fem_motion_at(&point[k], (const double(*)[2])u, (const double(*)[2])v, &here);
    prc_fem_subtract(&here, &there);
    prc_fem_add_norms(&here, (const double(*)[4])D, material->density, point[k].volume, error);
  }
done:
  return status;
}

prc_status prc_fem_errors(const prc_fem *fem, const prc_fem_exact *exact, double t, const double *q,
                          const double *v, prc_fem_norms *error, prc_fem_norms *size, prc_error *err) {
  prc_status status = PRC_OK;
  *error = *size = (prc_fem_norms){0};
  for (int c = 0; c < fem->model->mesh->n_cells; c++)
    prc_try(add_cell(fem, exact, t, c, q, v, error, size, err));
  prc_fem_sqrt_norms(error), prc_fem_sqrt_norms(size);
done:
  if (status != PRC_OK) prc_error_context(err, "the exact solution");
  return status;
}
