#include "config.h"
#include "fem/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- facts --------------------------------------------------------------------------------------------- */

/* Of a triangle its smallest height, of a quadrilateral what its area leaves beside its longest side. */
static double smallest_height(const prc_mesh *mesh, int c) {
  const prc_element *element = mesh->cell_element[c];
  double x[PRC_ELEMENT_NODES][2], longest = 0.0;
  prc_mesh_cell_nodes(mesh, c, x);
  for (int a = 0; a < element->n_corners; a++) {
    const int b = (a + 1) % element->n_corners;
    longest = fmax(longest, hypot(x[b][0] - x[a][0], x[b][1] - x[a][1]));
  }
  const double height = (element->n_corners == 3 ? 2.0 : 1.0) * prc_mesh_area(mesh, c) / longest;
  return element->quadratic ? 0.5 * height : height;
}

static void add_moments(const prc_fem_model *model, int c, double density, prc_fem_facts *facts) {
  prc_fem_point point[PRC_FEM_POINTS];
  for (int i = 0, n = prc_fem_cell_points(model, c, model->mesh->cell_element[c]->rule, point); i < n; i++)
    for (int k = 0; k < 2; k++) facts->first_moment[k] += density * point[i].volume * point[i].x[k];
}

/* Of own cells, to those of all ranks. */
static void share_facts(const prc_share *share, prc_fem_facts *f) {
  double sum[] = {f->area, f->mass, f->first_moment[0], f->first_moment[1]};
  double largest[] = {f->speed_p, f->speed_s, -f->smallest_height, -f->cfl_step};
  prc_share_sum(share, 4, sum);
  prc_share_largest(share, 4, largest);
  f->area = sum[0], f->mass = sum[1], f->first_moment[0] = sum[2], f->first_moment[1] = sum[3];
  f->speed_p = largest[0], f->speed_s = largest[1], f->smallest_height = -largest[2],
  f->cfl_step = -largest[3];
}

prc_fem_facts prc_fem_get_facts(const prc_fem *fem) {
  const prc_fem_model *model = fem->model;
  const prc_mesh *mesh = model->mesh;
  prc_fem_facts facts = {.smallest_height = DBL_MAX, .cfl_step = DBL_MAX};
  for (int c = 0; c < prc_mesh_own_cells(mesh); c++) {
    const prc_fem_material *material = &model->material[fem->cell_material[c]];
    double longitudinal, shear;
    prc_fem_material_moduli(material, model->plane, &longitudinal, &shear);
    const double speed = sqrt(longitudinal / material->density), height = smallest_height(mesh, c);
    facts.area += prc_mesh_area(mesh, c);
    facts.mass += material->density * prc_fem_cell_volume(model, c);
    add_moments(model, c, material->density, &facts);
    facts.speed_p = fmax(facts.speed_p, speed);
    facts.speed_s = fmax(facts.speed_s, sqrt(shear / material->density));
    facts.smallest_height = fmin(facts.smallest_height, height);
    facts.cfl_step = fmin(facts.cfl_step, height / speed);
  }
  share_facts(fem->system.share, &facts);
  return facts;
}

double prc_fem_material_mass(const prc_fem *fem, int m) {
  double mass = 0.0;
  for (int c = 0; c < prc_mesh_own_cells(fem->model->mesh); c++)
    if (fem->cell_material[c] == m)
      mass += fem->model->material[m].density * prc_fem_cell_volume(fem->model, c);
  prc_share_sum(fem->system.share, 1, &mass);
  return mass;
}

/* ---- stress and energy --------------------------------------------------------------------------------- */

/* D of the cell's material, and the displacements of its nodes. */
static void prepare_cell(const prc_fem *fem, int c, const double *q, double D[4][4], double (*u)[2]) {
  const prc_fem_material *material = &fem->model->material[fem->cell_material[c]];
  prc_fem_material_elasticity(material, fem->model->plane, D);
  prc_fem_cell_values(fem->model->mesh, c, q, u);
}

/* Stress in the axes of space, and strain energy per volume; the strain and stress that go with it are of axes turned with the point. */
static double stress_at(const prc_fem *fem, const prc_fem_point *point, const double D[4][4],
                        const double (*u)[2], double s[4]) {
  const int turns = fem->model->kinematics == PRC_COROTATIONAL;
  double strain[4], R[2], energy = 0.0;
  if (turns)
    prc_fem_turned_strain(point, u, strain, R);
  else
    prc_fem_strain(point, u, strain);
  prc_fem_stress(D, strain, s);
  for (int i = 0; i < 4; i++) energy += 0.5 * s[i] * strain[i];
  if (turns) prc_fem_turn_stress(R, s);
  return energy;
}

void prc_fem_cell_fields(const prc_fem *fem, const double *q, double *stress, double *out_of_plane,
                         double *energy) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int c = 0; c < mesh->n_cells; c++) {
    double D[4][4], u[PRC_ELEMENT_NODES][2], mean[4] = {0.0}, work = 0.0, volume = 0.0;
    prc_fem_point point[PRC_FEM_POINTS];
    prepare_cell(fem, c, q, D, u);
    for (int k = 0, n = prc_fem_cell_points(fem->model, c, mesh->cell_element[c]->rule, point); k < n; k++) {
      double s[4];
      work += point[k].volume * stress_at(fem, &point[k], (const double(*)[4])D, (const double(*)[2])u, s);
      volume += point[k].volume;
      for (int i = 0; i < 4; i++) mean[i] += point[k].volume * s[i];
    }
    for (int i = 0; i < 3; i++) stress[3 * c + i] = mean[i] / volume;
    out_of_plane[c] = mean[3] / volume;
    energy[c] = work / volume;
  }
}

/* The tensor's, in the axes of space. */
static void strain_at(const prc_fem *fem, const prc_fem_point *point, const double (*u)[2],
                      double strain[4]) {
  const int turns = fem->model->kinematics == PRC_COROTATIONAL;
  double R[2];
  if (turns)
    prc_fem_turned_strain(point, u, strain, R);
  else
    prc_fem_strain(point, u, strain);
  strain[2] *= 0.5;
  if (turns) prc_fem_turn_stress(R, strain); /* as any tensor */
}

void prc_fem_cell_strain(const prc_fem *fem, const double *q, double *strain) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int c = 0; c < mesh->n_cells; c++) {
    double u[PRC_ELEMENT_NODES][2], mean[3] = {0.0}, volume = 0.0;
    prc_fem_point point[PRC_FEM_POINTS];
    prc_fem_cell_values(mesh, c, q, u);
    for (int k = 0, n = prc_fem_cell_points(fem->model, c, mesh->cell_element[c]->rule, point); k < n; k++) {
      double own[4];
      strain_at(fem, &point[k], (const double(*)[2])u, own);
      volume += point[k].volume;
      for (int i = 0; i < 3; i++) mean[i] += point[k].volume * own[i];
    }
    for (int i = 0; i < 3; i++) strain[3 * c + i] = mean[i] / volume;
  }
}

/* Shape functions reproduce the place in the reference element: at = sum N_a at_a. */
void prc_fem_stress_at(const prc_fem *fem, int c, const double *weight, const double *q, double stress[4],
                       double strain[3]) {
  const prc_element *element = fem->model->mesh->cell_element[c];
  double D[4][4], u[PRC_ELEMENT_NODES][2], x[PRC_ELEMENT_NODES][2], at[2] = {0.0, 0.0}, own[4];
  prc_fem_point point;
  for (int a = 0; a < element->n_nodes; a++)
    for (int k = 0; k < 2; k++) at[k] += weight[a] * element->node[a][k];
  prepare_cell(fem, c, q, D, u);
  prc_mesh_cell_nodes(fem->model->mesh, c, x);
  prc_fem_point_of(fem->model, element, (const double(*)[2])x, at, 0.0, &point);
  (void)stress_at(fem, &point, (const double(*)[4])D, (const double(*)[2])u, stress);
  strain_at(fem, &point, (const double(*)[2])u, own);
  memcpy(strain, own, 3 * sizeof *strain);
}

/* By the quadrature: of strains that turn. */
static double turned_energy(const prc_fem *fem, int c, const double *q) {
  double D[4][4], u[PRC_ELEMENT_NODES][2], s[4], sum = 0.0;
  prc_fem_point point[PRC_FEM_POINTS];
  const int n = prc_fem_cell_points(fem->model, c, fem->model->mesh->cell_element[c]->rule, point);
  prepare_cell(fem, c, q, D, u);
  for (int k = 0; k < n; k++)
    sum += point[k].volume * stress_at(fem, &point[k], (const double(*)[4])D, (const double(*)[2])u, s);
  return sum;
}

/* By the cell's own columns of M and K, so that cells add up to what the system has. The modified mass is D M D with D diagonal. */
void prc_fem_cell_energies(const prc_fem *fem, const double *q, const double *v, double *kinetic,
                           double *elastic) {
  const prc_mesh *mesh = fem->model->mesh;
  for (int c = 0; c < mesh->n_cells; c++) {
    double u[PRC_ELEMENT_NODES][2], w[PRC_ELEMENT_NODES][2], of_mass = 0.0, of_stiffness = 0.0;
    int n;
    const int *node = prc_fem_cell(mesh, c, &n);
    prc_fem_cell_values(mesh, c, q, u);
    prc_fem_cell_values(mesh, c, v, w);
    for (int a = 0; a < n && fem->mass_factor; a++)
      for (int k = 0; k < 2; k++) w[a][k] *= fem->mass_factor[node[a]];
    for (int a = 0; a < n; a++) {
      prc_fem_columns column;
      prc_fem_cell_columns(fem, c, a, &column);
      for (int b = 0; b < n; b++) {
        of_mass += column.M[b] * (w[a][0] * w[b][0] + w[a][1] * w[b][1]);
        for (int i = 0; i < 2; i++)
          of_stiffness += u[b][i] * (column.K[2 * b + i][0] * u[a][0] + column.K[2 * b + i][1] * u[a][1]);
      }
    }
    kinetic[c] = 0.5 * of_mass;
    elastic[c] = fem->model->kinematics == PRC_COROTATIONAL ? turned_energy(fem, c, q) : 0.5 * of_stiffness;
  }
}

const int *prc_fem_cell_materials(const prc_fem *fem) {
  return fem->cell_material;
}

/* sample: 3 for each of the cell's places of best stress */
static void sample_stress(const prc_fem *fem, int c, const double *q, double (*sample)[3]) {
  const prc_element *element = fem->model->mesh->cell_element[c];
  double D[4][4], u[PRC_ELEMENT_NODES][2], x[PRC_ELEMENT_NODES][2];
  prepare_cell(fem, c, q, D, u);
  prc_mesh_cell_nodes(fem->model->mesh, c, x);
  for (int k = 0; k < element->n_samples; k++) {
    prc_fem_point point;
    double s[4];
    prc_fem_point_of(fem->model, element, (const double(*)[2])x, element->sample[k], 0.0, &point);
    (void)stress_at(fem, &point, (const double(*)[4])D, (const double(*)[2])u, s);
    memcpy(sample[k], s, sizeof sample[k]);
  }
}

void prc_fem_node_stress(const prc_fem *fem, const double *q, double *stress) {
  const prc_mesh *mesh = fem->model->mesh;
  memset(stress, 0, 3 * (size_t)mesh->n_nodes * sizeof *stress);
  for (int c = 0; c < mesh->n_cells; c++) {
    const prc_element *element = mesh->cell_element[c];
    const double area = prc_mesh_area(mesh, c);
    double sample[PRC_ELEMENT_SAMPLES][3] = {{0.0}}, weight[PRC_ELEMENT_SAMPLES] = {0.0};
    sample_stress(fem, c, q, sample);
    for (int a = 0; a < element->n_nodes; a++) {
      double *out = stress + 3 * mesh->cell[mesh->cell_start[c] + a];
      element->extend(element->node[a], weight);
      for (int k = 0; k < element->n_samples; k++)
        for (int i = 0; i < 3; i++) out[i] += area * weight[k] * sample[k][i];
    }
  }
  for (int a = 0; a < mesh->n_nodes; a++)
    for (int i = 0; i < 3 && fem->node_area[a] > 0.0; i++) stress[3 * a + i] /= fem->node_area[a];
}

/* ---- rotation ------------------------------------------------------------------------------------------ */

/* F = R U in the plane, R by the angle whose tangent is (F_yx - F_xy) / (F_xx + F_yy). */
static double cell_rotation(const prc_fem_model *model, int c, const double *q) {
  const prc_element *element = model->mesh->cell_element[c];
  double x[PRC_ELEMENT_NODES][2], centre[2] = {0.0, 0.0}, F[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  prc_fem_point point;
  int n;
  const int *node = prc_fem_cell(model->mesh, c, &n);
  for (int a = 0; a < element->n_corners; a++)
    for (int k = 0; k < 2; k++) centre[k] += element->node[a][k] / element->n_corners;
  prc_mesh_cell_nodes(model->mesh, c, x);
  prc_fem_point_of(model, element, (const double(*)[2])x, centre, 0.0, &point);
  for (int a = 0; a < n; a++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) F[i][j] += q[2 * node[a] + i] * point.gradient[a][j];
  return fabs(atan2(F[1][0] - F[0][1], F[0][0] + F[1][1]));
}

double prc_fem_rotation(const prc_fem *fem, const double *q) {
  double largest = 0.0;
  for (int c = 0; c < fem->model->mesh->n_cells; c++) {
    const double angle = cell_rotation(fem->model, c, q);
    if (isnan(angle)) return angle;
    largest = fmax(largest, angle);
  }
  return largest;
}
