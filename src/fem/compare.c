#include "config.h"
#include "fem/internal.h"

#include <math.h>

/* Two meshes of one body: at every point of integration of the finer one, where that is in the coarser. Where
 * their boundaries differ, as two polygons in one arc do, the coarser field is extended from the nearest cell
 * by its shape functions. */
struct prc_fem_comparison {
  const prc_fem *coarse, *fine;
  int n_points;
  int *cell;       /* n_points: of the coarser mesh */
  double (*at)[2]; /* n_points: in the reference element of that cell */
};

static int count_points(const prc_mesh *mesh) {
  int n = 0;
  for (int c = 0; c < mesh->n_cells; c++) n += mesh->cell_element[c]->fine->n;
  return n;
}

static prc_status locate(prc_fem_comparison *k, const prc_mesh_locator *locator, prc_error *err) {
  const prc_mesh *mesh = k->fine->model->mesh;
  prc_fem_point point[PRC_FEM_POINTS];
  for (int c = 0, next = 0; c < mesh->n_cells; c++)
    for (int i = 0, n = prc_fem_cell_points(k->fine->model, c, mesh->cell_element[c]->fine, point); i < n;
         i++, next++) {
      k->cell[next] = prc_mesh_locator_find(locator, point[i].x[0], point[i].x[1], k->at[next]);
      if (k->cell[next] < 0)
        return prc_fail(err, PRC_INPUT,
                        "the meshes do not cover the same body: the coarser one has nothing at (%g, %g)",
                        point[i].x[0], point[i].x[1]);
    }
  return PRC_OK;
}

prc_status prc_fem_comparison_create(const prc_fem *coarse, const prc_fem *fine, prc_fem_comparison **out,
                                     prc_error *err) {
  prc_need(coarse, err);
  prc_need(fine, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_fem_comparison *k = NULL;
  prc_mesh_locator *locator = NULL;
  prc_try(prc_new(&k, 1, err));
  k->coarse = coarse, k->fine = fine;
  k->n_points = count_points(fine->model->mesh);
  prc_try(prc_new(&k->cell, k->n_points, err));
  prc_try(prc_new(&k->at, k->n_points, err));
  prc_try(prc_mesh_locator_create(coarse->model->mesh, &locator, err));
  prc_try(locate(k, locator, err));
  *out = k, k = NULL;
done:
  prc_mesh_locator_free(&locator);
  prc_fem_comparison_free(&k);
  return status;
}

void prc_fem_comparison_free(prc_fem_comparison **k) {
  if (!*k) return;
  prc_delete(&(*k)->cell);
  prc_delete(&(*k)->at);
  prc_delete(k);
}

/* The motion of a body at a point of its cell c. */
static prc_fem_motion motion_of(const prc_fem *fem, int c, const prc_fem_point *point, const double *q,
                                const double *w) {
  double u[PRC_ELEMENT_NODES][2], v[PRC_ELEMENT_NODES][2];
  prc_fem_motion m;
  prc_fem_cell_values(fem->model->mesh, c, q, u);
  prc_fem_cell_values(fem->model->mesh, c, w, v);
  prc_fem_motion_at(point, (const double(*)[2])u, (const double(*)[2])v, &m);
  return m;
}

static prc_fem_motion coarse_motion(const prc_fem_comparison *k, int i, const double *q, const double *v) {
  const prc_fem_model *model = k->coarse->model;
  double x[PRC_ELEMENT_NODES][2];
  prc_fem_point point;
  prc_mesh_cell_nodes(model->mesh, k->cell[i], x);
  prc_fem_point_of(model, model->mesh->cell_element[k->cell[i]], (const double(*)[2])x, k->at[i], 0.0,
                   &point);
  return motion_of(k->coarse, k->cell[i], &point, q, v);
}

void prc_fem_compare(const prc_fem_comparison *k, const double *q_coarse, const double *v_coarse,
                     const double *q_fine, const double *v_fine, prc_fem_norms *error, prc_fem_norms *size) {
  const prc_fem_model *model = k->fine->model;
  prc_fem_point point[PRC_FEM_POINTS];
  *error = *size = (prc_fem_norms){0};
  for (int c = 0, next = 0; c < model->mesh->n_cells; c++) {
    const prc_fem_material *material = &model->material[k->fine->cell_material[c]];
    double D[4][4];
    prc_fem_material_elasticity(material, model->plane, D);
    for (int i = 0, n = prc_fem_cell_points(model, c, model->mesh->cell_element[c]->fine, point); i < n;
         i++) {
      prc_fem_motion fine = motion_of(k->fine, c, &point[i], q_fine, v_fine);
      const prc_fem_motion coarse = coarse_motion(k, next++, q_coarse, v_coarse);
      prc_fem_add_norms(&fine, (const double(*)[4])D, material->density, point[i].volume, size);
      prc_fem_subtract(&fine, &coarse);
      prc_fem_add_norms(&fine, (const double(*)[4])D, material->density, point[i].volume, error);
    }
  }
  prc_fem_sqrt_norms(error), prc_fem_sqrt_norms(size);
}
