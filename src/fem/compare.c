#include "config.h"
#include "fem/internal.h"

#include <math.h>

/* Two meshes of one body: at every point of integration of the finer one, where that is in the coarser. Where their boundaries
 * differ, as two polygons in one arc do, the coarser field is extended from the nearest cell by its shape functions. */
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

/* Displacement, velocity and strain of a body at a point of its cell c. */
typedef struct {
  double u[2], v[2], strain[4];
} state;

static state state_at(const prc_fem *fem, int c, const prc_fem_point *point, const double *q,
                      const double *v) {
  state s = {{0.0}, {0.0}, {0.0}};
  double u[PRC_ELEMENT_NODES][2];
  int n;
  const int *node = prc_fem_cell(fem->model->mesh, c, &n);
  for (int a = 0; a < n; a++)
    for (int k = 0; k < 2; k++) {
      u[a][k] = q[2 * node[a] + k];
      s.u[k] += point->N[a] * u[a][k];
      s.v[k] += point->N[a] * v[2 * node[a] + k];
    }
  prc_fem_strain(point, (const double(*)[2])u, s.strain);
  return s;
}

static state coarse_state(const prc_fem_comparison *k, int i, const double *q, const double *v) {
  const prc_fem_model *model = k->coarse->model;
  double x[PRC_ELEMENT_NODES][2];
  prc_fem_point point;
  prc_mesh_cell_nodes(model->mesh, k->cell[i], x);
  prc_fem_point_of(model, model->mesh->cell_element[k->cell[i]], (const double(*)[2])x, k->at[i], 0.0,
                   &point);
  return state_at(k->coarse, k->cell[i], &point, q, v);
}

/* sum += the squares of the norms of s over `volume` */
static void add_squares(const state *s, const double D[4][4], double density, double volume,
                        double sum[PRC_FEM_NORMS]) {
  double stress[4];
  const double uu = s->u[0] * s->u[0] + s->u[1] * s->u[1], vv = s->v[0] * s->v[0] + s->v[1] * s->v[1];
  prc_fem_stress(D, s->strain, stress);
  sum[PRC_FEM_U_L2] += volume * uu;
  sum[PRC_FEM_V_L2] += volume * vv;
  sum[PRC_FEM_V_ENERGY] += volume * density * vv;
  for (int i = 0; i < 4; i++) sum[PRC_FEM_U_ENERGY] += volume * stress[i] * s->strain[i];
}

static void subtract(state *s, const state *t) {
  for (int i = 0; i < 2; i++) s->u[i] -= t->u[i], s->v[i] -= t->v[i];
  for (int i = 0; i < 4; i++) s->strain[i] -= t->strain[i];
}

void prc_fem_compare(const prc_fem_comparison *k, const double *q_coarse, const double *v_coarse,
                     const double *q_fine, const double *v_fine, double error[PRC_FEM_NORMS],
                     double size[PRC_FEM_NORMS]) {
  const prc_fem_model *model = k->fine->model;
  prc_fem_point point[PRC_FEM_POINTS];
  for (int i = 0; i < PRC_FEM_NORMS; i++) error[i] = size[i] = 0.0;
  for (int c = 0, next = 0; c < model->mesh->n_cells; c++) {
    const prc_fem_material *material = &model->material[k->fine->cell_material[c]];
    double D[4][4];
    prc_fem_elasticity_4(material->young, material->poisson, model->plane, D);
    for (int i = 0, n = prc_fem_cell_points(model, c, model->mesh->cell_element[c]->fine, point); i < n;
         i++) {
      state fine = state_at(k->fine, c, &point[i], q_fine, v_fine);
      const state coarse = coarse_state(k, next++, q_coarse, v_coarse);
      add_squares(&fine, (const double(*)[4])D, material->density, point[i].volume, size);
      subtract(&fine, &coarse);
      add_squares(&fine, (const double(*)[4])D, material->density, point[i].volume, error);
    }
  }
  for (int i = 0; i < PRC_FEM_NORMS; i++) error[i] = sqrt(error[i]), size[i] = sqrt(size[i]);
}
