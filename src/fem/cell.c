#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* [length]: volume = depth x area in the plane. */
double prc_fem_depth(const prc_fem_model *model, double x) {
  return model->plane == PRC_AXISYMMETRIC ? 2.0 * pi * x : model->thickness;
}

/* At `at`: x = sum N_a x_a, gradients dN_a/dx by the inverse of the map's Jacobian, volume = weight det J depth(x), and N_a / r,
 * which makes the hoop strain u_r / r of nodal u_r; a point of a quadrature lies inside, so r > 0. */
void prc_fem_point_of(const prc_fem_model *model, const prc_element *element, const double (*x)[2],
                      const double at[2], double weight, prc_fem_point *out) {
  const double det = prc_element_map(element, x, at, out->x, out->N, out->gradient);
  out->n = element->n_nodes;
  out->volume = weight * det * prc_fem_depth(model, out->x[0]);
  for (int a = 0; a < out->n; a++)
    out->hoop[a] = model->plane == PRC_AXISYMMETRIC ? out->N[a] / out->x[0] : 0.0;
}

int prc_fem_cell_points(const prc_fem_model *model, int c, const prc_quadrature *rule, prc_fem_point *out) {
  double x[PRC_ELEMENT_NODES][2];
  prc_mesh_cell_nodes(model->mesh, c, x);
  for (int k = 0; k < rule->n; k++)
    prc_fem_point_of(model, model->mesh->cell_element[c], (const double(*)[2])x, rule->point[k].at,
                     rule->point[k].weight, &out[k]);
  return rule->n;
}

double prc_fem_cell_volume(const prc_fem_model *model, int c) {
  prc_fem_point point[PRC_FEM_POINTS];
  double volume = 0.0;
  if (model->plane != PRC_AXISYMMETRIC) return prc_mesh_area(model->mesh, c) * model->thickness;
  for (int k = 0, n = prc_fem_cell_points(model, c, model->mesh->cell_element[c]->rule, point); k < n; k++)
    volume += point[k].volume;
  return volume;
}

/* eps = (du_x/dx, du_y/dy, du_x/dy + du_y/dx, u_r / r): rows xx, yy, xy (engineering shear), out of the plane, whose strain
 * is zero in the plane; in plane stress it is not known here and D has no use for it. */
void prc_fem_strain(const prc_fem_point *point, const double (*u)[2], double strain[4]) {
  memset(strain, 0, 4 * sizeof *strain);
  for (int a = 0; a < point->n; a++) {
    const double *g = point->gradient[a];
    strain[0] += g[0] * u[a][0];
    strain[1] += g[1] * u[a][1];
    strain[2] += g[1] * u[a][0] + g[0] * u[a][1];
    strain[3] += point->hoop[a] * u[a][0];
  }
}

/* sigma = D eps, rows as those of the strain [force/length^2] */
void prc_fem_stress(const double D[4][4], const double strain[4], double stress[4]) {
  for (int i = 0; i < 4; i++) {
    stress[i] = 0.0;
    for (int j = 0; j < 4; j++) stress[i] += D[i][j] * strain[j];
  }
}

/* ---- what a cell gives to the columns of one of its nodes ---------------------------------------------- */

/* K_wv += volume B_w' D B_v for all nodes w, of one point of the quadrature; B_v (4 x 2) is the strain of unit displacements of
 * node v, rows as in prc_fem_strain. out->K: row 2w + i is component i of node w, column k that of node v [force/length]. */
static void add_stiffness(const prc_fem_point *p, const double D[4][4], int v, prc_fem_columns *out) {
  const double *g = p->gradient[v];
  const double B[2][4] = {{g[0], 0.0, g[1], p->hoop[v]}, {0.0, g[1], g[0], 0.0}};
  for (int k = 0; k < 2; k++) {
    double s[4];
    prc_fem_stress(D, B[k], s);
    for (int w = 0; w < p->n; w++) {
      const double *h = p->gradient[w];
      out->K[2 * w][k] += p->volume * (h[0] * s[0] + h[1] * s[2] + p->hoop[w] * s[3]);
      out->K[2 * w + 1][k] += p->volume * (h[1] * s[1] + h[0] * s[2]);
    }
  }
}

/* Lumped mass of node v: the sum of its row, sum rho N_v dV, for linear elements; for quadratic ones, where
 * that may be zero or negative, the diagonal of the consistent mass scaled to the mass of the cell (Hinton,
 * Rock & Zienkiewicz 1976). */
static double lumped_mass(const prc_element *element, int n_points, const prc_fem_point *point, int v) {
  double row = 0.0, volume = 0.0, own = 0.0, trace = 0.0;
  for (int k = 0; k < n_points; k++) {
    const prc_fem_point *p = &point[k];
    row += p->volume * p->N[v];
    volume += p->volume;
    own += p->volume * p->N[v] * p->N[v];
    for (int a = 0; a < p->n; a++) trace += p->volume * p->N[a] * p->N[a];
  }
  return element->quadratic ? volume * own / trace : row;
}

/* Columns of node v: K_wv = integral of B_w' D B_v dV, M_wv = integral of rho N_w N_v dV, by the quadrature that is exact where
 * sides are straight (in the plane: N_w / r in axisymmetry is no polynomial). */
static void general_columns(const prc_fem_model *model, const prc_fem_material *material, int c, int v,
                            prc_fem_columns *out) {
  const prc_element *element = model->mesh->cell_element[c];
  prc_fem_point point[PRC_FEM_POINTS];
  double D[4][4];
  const int n = prc_fem_cell_points(model, c, element->rule, point);
  prc_fem_material_elasticity(material, model->plane, D);
  memset(out, 0, sizeof *out);
  for (int k = 0; k < n; k++) {
    add_stiffness(&point[k], (const double(*)[4])D, v, out);
    for (int w = 0; w < element->n_nodes; w++)
      out->M[w] += material->density * point[k].volume * point[k].N[v] * point[k].N[w];
  }
  if (model->mass != PRC_MASS_LUMPED) return;
  memset(out->M, 0, sizeof out->M);
  out->M[v] = material->density * lumped_mass(element, n, point, v);
}

/* The plane 3-node triangle has both in closed form. */
static void triangle_columns(const prc_fem_model *model, const prc_fem_material *material, int c, int v,
                             prc_fem_columns *out) {
  double x[PRC_ELEMENT_NODES][2], all[4][4], D[3][3], Ke[6][6], Me[3][3];
  prc_mesh_cell_nodes(model->mesh, c, x);
  prc_fem_material_elasticity(material, model->plane, all);
  for (int i = 0; i < 3; i++) memcpy(D[i], all[i], sizeof D[i]);
  const double area =
      prc_fem_t3_stiffness((const double(*)[2])x, (const double(*)[3])D, model->thickness, Ke);
  prc_fem_t3_mass(area, material->density, model->thickness, Me);
  for (int w = 0; w < 3; w++) {
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 2; i++) out->K[2 * w + i][k] = Ke[2 * w + i][2 * v + k];
    out->M[w] = Me[v][w];
    if (model->mass == PRC_MASS_LUMPED) out->M[w] = (v == w) * (Me[v][0] + Me[v][1] + Me[v][2]);
  }
}

void prc_fem_cell_columns(const prc_fem *fem, int c, int v, prc_fem_columns *out) {
  const prc_fem_model *model = fem->model;
  const prc_fem_material *material = &model->material[fem->cell_material[c]];
  if (model->mesh->cell_element[c]->n_nodes == 3 && model->plane != PRC_AXISYMMETRIC)
    triangle_columns(model, material, c, v, out);
  else
    general_columns(model, material, c, v, out);
}
