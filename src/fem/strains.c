#include "config.h"
#include "fem/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How strained a mesh is, by the strain of its law: eps of small strains, E = U - 1 of those that turn. At each point of integration the largest principal
 * strain by its absolute value counts, with the volume of the point. A cell is turned inside out where
 *
 *   det F <= 0,   F = 1 + du/dx,    or 1 + u_r / r <= 0,
 *
 * at one of its points of integration or nodes. In the plane det F = det(1 + eps) + w^2, w the rotation, and det F = det U. So a principal strain is -1 or less there,
 * and the point alone has the energy volume lambda / 2, lambda the least eigenvalue of the elasticity on tensors. A mesh with less potential has no such
 * point. At nodes strains are extended from the points, at most CORNER times as large where sides are straight. */

#define CORNER 6.0 /* T6 7/3, Q4 3, Q8 and Q9 5.44 */

/* ---- strains of points ----------------------------------------------------------------------------------------- */

static int is_plane_triangle(const prc_fem_model *model, const prc_element *element) {
  return element->n_nodes == 3 && model->plane != PRC_AXISYMMETRIC;
}

/* du/dx and the strain of the law, with the hoop strain behind it. */
typedef struct {
  double det, strain[4];
} state;

static double det_of(int n, const double (*gradient)[2], const double (*u)[2]) {
  double F[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  for (int a = 0; a < n; a++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) F[i][j] += u[a][i] * gradient[a][j];
  return F[0][0] * F[1][1] - F[0][1] * F[1][0];
}

static state state_of(const prc_fem_model *model, const prc_fem_point *p, const double (*u)[2]) {
  state s = {.det = det_of(p->n, (const double(*)[2])p->gradient, u)};
  if (model->kinematics == PRC_COROTATIONAL)
    prc_fem_turned_strain(p, u, s.strain, NULL);
  else
    prc_fem_strain(p, u, s.strain);
  return s;
}

/* The gradients of the three-node triangle, in closed form. */
static void triangle_gradients(const double (*x)[2], prc_fem_point *p) {
  const double area2 = prc_triangle_area2(x[0], x[1], x[2]);
  p->n = 3;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    p->gradient[a][0] = (x[b][1] - x[c][1]) / area2, p->gradient[a][1] = (x[c][0] - x[b][0]) / area2;
    p->hoop[a] = 0.0;
  }
}

/* The largest principal strain by its absolute value. */
static double size_of(const double strain[4]) {
  const double mean = 0.5 * (strain[0] + strain[1]),
               radius = hypot(0.5 * (strain[0] - strain[1]), 0.5 * strain[2]);
  const double in_plane = fabs(mean) + radius;
  return in_plane >= fabs(strain[3]) ? in_plane : fabs(strain[3]) + 0.0 * in_plane;
}

/* Is a node of the cell where the map turns over? Nodes whose own map is none, and triangles, which are the same everywhere, are passed over. */
static int node_is_inverted(const prc_fem_model *model, int c, const double (*x)[2], const double (*u)[2]) {
  const prc_element *element = model->mesh->cell_element[c];
  double place[2], N[PRC_ELEMENT_NODES], gradient[PRC_ELEMENT_NODES][2];
  for (int a = 0; a < element->n_nodes && element->n_nodes > 3; a++) {
    const double det = prc_element_map(element, x, element->node[a], place, N, gradient);
    if (det > 0.0 && !(det_of(element->n_nodes, (const double(*)[2])gradient, u) > 0.0)) return 1;
  }
  return 0;
}

/* Of a cell: strains of its points to `strain`, their number; *inverted. */
static int judge_cell(const prc_fem *fem, int c, const double *q, double *strain, int *inverted) {
  const prc_fem_model *model = fem->model;
  const prc_element *element = model->mesh->cell_element[c];
  double x[PRC_ELEMENT_NODES][2], u[PRC_ELEMENT_NODES][2];
  prc_fem_point p;
  const int plain = is_plane_triangle(model, element), n = plain ? 1 : element->rule->n;
  prc_mesh_cell_nodes(model->mesh, c, x);
  prc_fem_cell_values(model->mesh, c, q, u);
  *inverted = 0;
  for (int k = 0; k < n; k++) {
    if (plain)
      triangle_gradients((const double(*)[2])x, &p);
    else
      prc_fem_point_of(model, element, (const double(*)[2])x, element->rule->point[k].at, 0.0, &p);
    const state s = state_of(model, &p, (const double(*)[2])u);
    strain[k] = size_of(s.strain);
    if (!(s.det > 0.0) || !(s.strain[3] > -1.0)) *inverted = 1;
  }
  /* where no strain is near one, none of the nodes has turned over */
  double largest = 0.0;
  for (int k = 0; k < n; k++)
    if (!isnan(largest) && !(strain[k] <= largest)) largest = strain[k];
  if (!*inverted && !(CORNER * largest < 1.0))
    *inverted = node_is_inverted(model, c, (const double(*)[2])x, (const double(*)[2])u);
  return n;
}

/* ---- the look ---------------------------------------------------------------------------------------------------- */

static int tag_of(const prc_fem *fem, int c) {
  return (int)fem->model->mesh->cell_tag[c];
}

void prc_fem_judge_strains(void *body, const prc_at *at, prc_indicator *indicator) {
  const prc_fem *fem = body;
  const prc_strains *s = &fem->strains;
  prc_indicator largest = {.scale = 1.0, .a = -1, .b = -1}, inverted = largest, most = largest;
  int inside_out;
  for (int c = 0, k = 0; c < prc_mesh_own_cells(fem->model->mesh); c++) {
    const int end = k + judge_cell(fem, c, at->q, s->strain + k, &inside_out);
    for (; k < end; k++)
      if (!isnan(largest.value) && !(s->strain[k] <= largest.value))
        largest.value = s->strain[k], largest.a = tag_of(fem, c);
    if (inside_out && inverted.value++ == 0.0) inverted.a = tag_of(fem, c);
  }
  most.value = prc_strains_of_most(s, fem->system.share);
  prc_indicator_worst(&indicator[PRC_INDICATOR_strain], &most);
  prc_indicator_worst(&indicator[PRC_INDICATOR_largest_strain], &largest);
  prc_indicator_worst(&indicator[PRC_INDICATOR_inverted_cells], &inverted);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* A bound from below of the least eigenvalue of D on strains as tensors (the shear is 1/sqrt(2) of the engineering shear's row): det D / (trace / (n - 1))^(n - 1), since
 * the product of the others is at most the power of their mean. By D = L d L'. */
static double least_modulus(const double D[4][4], int n) {
  double A[4][4], det = 1.0, trace = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i][j] = D[i][j] * (i == 2 ? sqrt(2.0) : 1.0) * (j == 2 ? sqrt(2.0) : 1.0);
  for (int i = 0; i < n; i++) trace += A[i][i];
  for (int k = 0; k < n; k++) {
    det *= A[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j] / A[k][k];
  }
  return det > 0.0 ? det / pow(trace / (n - 1), n - 1) : 0.0;
}

static double material_modulus(const prc_fem_model *model, int m) {
  double D[4][4];
  prc_fem_material_elasticity(&model->material[m], model->plane, D);
  return least_modulus((const double(*)[4])D, model->plane == PRC_AXISYMMETRIC ? 4 : 3);
}

/* Parts that hang together, by the lowest node of each: numbers of parts take the place of nodes. On ranks, which have pieces of parts, all is one. */
static prc_status number_parts(const prc_fem *fem, int *part_of_node, int *n_parts, prc_error *err) {
  const int n = fem->model->mesh->n_nodes;
  int *body = NULL;
  const prc_status status = prc_new(&body, n, err);
  *n_parts = 0;
  if (status != PRC_OK) return status;
  prc_fem_join_nodes(fem->K, body);
  for (int a = 0; a < n; a++) part_of_node[a] = body[a] == a && !fem->model->mesh->part ? (*n_parts)++ : 0;
  for (int a = 0; a < n && !fem->model->mesh->part; a++) part_of_node[a] = part_of_node[body[a]];
  if (*n_parts == 0) *n_parts = 1;
  prc_delete(&body);
  return PRC_OK;
}

static int points_of(const prc_fem_model *model, int c) {
  const prc_element *element = model->mesh->cell_element[c];
  return is_plane_triangle(model, element) ? 1 : element->rule->n;
}

/* Volumes and parts of all points, and the least energies at which something can be too strained. */
static void fill(prc_fem *fem, const int *part_of_node) {
  const prc_fem_model *model = fem->model;
  const int n_cells = prc_mesh_own_cells(model->mesh);
  double modulus = INFINITY, inverted = INFINITY, least = INFINITY;
  double *of_part = fem->strains.sum, *volume = fem->strains.volume;
  int *part = fem->strains.part;
  for (int c = 0, k = 0; c < n_cells; c++) {
    prc_fem_point point[PRC_FEM_POINTS];
    const int n = points_of(model, c), first = model->mesh->cell[model->mesh->cell_start[c]];
    const double own = material_modulus(model, fem->cell_material[c]);
    if (n > 1) (void)prc_fem_cell_points(model, c, model->mesh->cell_element[c]->rule, point);
    modulus = fmin(modulus, own);
    for (int i = 0; i < n; i++, k++) {
      volume[k] = n > 1 ? point[i].volume : prc_fem_cell_volume(model, c);
      part[k] = part_of_node[first];
      of_part[part[k]] += volume[k];
      inverted = fmin(inverted, 0.5 * own * volume[k] / (n > 1 ? CORNER * CORNER : 1.0));
    }
  }
  for (int p = 0; p < fem->strains.n_parts; p++)
    if (of_part[p] > 0.0) least = fmin(least, of_part[p]);
  fem->system.energy_inverted = inverted;
  fem->system.energy_strained = 0.5 * modulus * 0.01 * least;
}

/* With several ranks: the least of all ranks. The whole is spread over them, so each has less. */
static void share_energies(prc_fem *fem) {
  double most[2] = {1.0 / fem->system.energy_inverted, 1.0 / fem->system.energy_strained};
  prc_share_largest(fem->system.share, 2, most);
  fem->system.energy_inverted = 1.0 / most[0], fem->system.energy_strained = 1.0 / most[1];
}

prc_status prc_fem_make_strains(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  prc_strains *s = &fem->strains;
  int *part_of_node = NULL, n = 0;
  for (int c = 0; c < prc_mesh_own_cells(fem->model->mesh); c++) n += points_of(fem->model, c);
  prc_try(prc_new(&part_of_node, fem->model->mesh->n_nodes, err));
  prc_try(prc_new(&s->part, n, err));
  prc_try(prc_new(&s->volume, n, err));
  prc_try(prc_new(&s->strain, n, err));
  prc_try(number_parts(fem, part_of_node, &s->n_parts, err));
  prc_try(prc_new(&s->sum, 2 * (size_t)s->n_parts, err));
  s->n = n;
  fill(fem, part_of_node);
done:
  prc_delete(&part_of_node);
  return status;
}

void prc_fem_present_strains(prc_fem *fem) {
  if (fem->system.share) share_energies(fem);
}

void prc_fem_free_strains(prc_fem *fem) {
  prc_delete(&fem->strains.part);
  prc_delete(&fem->strains.volume);
  prc_delete(&fem->strains.strain);
  prc_delete(&fem->strains.sum);
}
