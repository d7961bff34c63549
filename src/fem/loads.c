#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* ---- terms --------------------------------------------------------------------------------------------- */

typedef struct {
  prc_fem *fem;
  size_t term_capacity, dof_capacity, value_capacity;
} builder;

static prc_status add_entry(builder *b, int dof, double value, prc_error *err) {
  prc_fem_terms *t = &b->fem->terms;
  const size_t needed = (size_t)t->n_entries + 1;
  prc_status status = prc_grow(&t->dof, &b->dof_capacity, needed, sizeof *t->dof, err);
  if (status == PRC_OK) status = prc_grow(&t->value, &b->value_capacity, needed, sizeof *t->value, err);
  if (status != PRC_OK) return status;
  t->dof[t->n_entries] = dof;
  t->value[t->n_entries++] = value;
  t->term[t->n_terms - 1].count++;
  return PRC_OK;
}

static prc_status open_term(builder *b, const prc_field *amplitude, double x, double y, prc_error *err) {
  prc_fem_terms *t = &b->fem->terms;
  const prc_status status =
      prc_grow(&t->term, &b->term_capacity, (size_t)t->n_terms + 1, sizeof *t->term, err);
  if (status != PRC_OK) return status;
  t->term[t->n_terms++] = (prc_fem_term){.amplitude = amplitude, .x = x, .y = y, .first = t->n_entries};
  return PRC_OK;
}

/* A field at one place: a term of its own if it depends on time, else its value. */
static prc_status begin(builder *b, const prc_field *field, const double x[2], double *value,
                        prc_error *err) {
  return field->uses_time ? open_term(b, field, x[0], x[1], err)
                          : prc_field_eval(field, x[0], x[1], 0.0, value, err);
}

/* value x share on a dof, or share as an entry of the open term */
static prc_status add(builder *b, int in_term, int dof, double value, double share, prc_error *err) {
  if (in_term) return add_entry(b, dof, share, err);
  b->fem->F_constant[dof] += value * share;
  return PRC_OK;
}

/* ---- gravity ------------------------------------------------------------------------------------------- */

/* share[a] = factor x integral of N_a over the volume of cell c, by its quadrature; with factor = density a mass, and their
 * sum that of the cell: exact for the consistent mass. A plane T3: a third each. */
static int cell_shares(const prc_fem_model *model, int c, double factor, double *share) {
  const prc_element *element = model->mesh->cell_element[c];
  prc_fem_point point[PRC_FEM_POINTS];
  memset(share, 0, PRC_ELEMENT_NODES * sizeof *share);
  if (element->n_nodes == 3 && model->plane != PRC_AXISYMMETRIC) {
    for (int a = 0; a < 3; a++) share[a] = factor * model->thickness * prc_mesh_area(model->mesh, c) / 3.0;
    return 3;
  }
  for (int k = 0, n = prc_fem_cell_points(model, c, element->rule, point); k < n; k++)
    for (int a = 0; a < element->n_nodes; a++) share[a] += factor * point[k].volume * point[k].N[a];
  return element->n_nodes;
}

/* F_{2a+k} += g_k(t) sum over cells of the integral of rho N_a dV [force], the consistent M times the acceleration; the
 * same forces with the other mass matrices. */
static prc_status add_gravity(builder *b, int k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = b->fem->model;
  const prc_field *field = &model->gravity[k];
  double value = 1.0;
  const double origin[2] = {0.0, 0.0};
  prc_try(begin(b, field, origin, &value, err));
  if (value == 0.0) goto done;
  for (int c = 0; c < model->mesh->n_cells; c++) {
    double share[PRC_ELEMENT_NODES];
    const double density = model->material[b->fem->cell_material[c]].density;
    const int *node = model->mesh->cell + model->mesh->cell_start[c];
    for (int a = 0, n = cell_shares(model, c, density, share); a < n; a++)
      prc_try(add(b, field->uses_time, 2 * node[a] + k, value, share[a], err));
  }
done:
  return status;
}

/* ---- body force ---------------------------------------------------------------------------------------- */

static int is_zero(const prc_field *field) {
  return !field->eval && field->constant == 0.0;
}

/* F_{2a+k} += integral of b_k(t, x) N_a dV [force], b force per volume: at each point of the fine quadrature, so that what is not
 * polynomial is caught too. */
static prc_status add_body_force(builder *b, int k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = b->fem->model;
  const prc_field *field = &model->body_force[k];
  for (int c = 0; c < model->mesh->n_cells && !is_zero(field); c++) {
    prc_fem_point point[PRC_FEM_POINTS];
    const int *node = model->mesh->cell + model->mesh->cell_start[c];
    for (int i = 0, n = prc_fem_cell_points(model, c, model->mesh->cell_element[c]->fine, point); i < n;
         i++) {
      double value = 1.0;
      prc_try(begin(b, field, point[i].x, &value, err));
      for (int a = 0; a < point[i].n; a++)
        prc_try(add(b, field->uses_time, 2 * node[a] + k, value, point[i].volume * point[i].N[a], err));
    }
  }
done:
  if (status != PRC_OK) prc_error_context(err, "body force");
  return status;
}

/* ---- edges --------------------------------------------------------------------------------------------- */

/* area[a] = integral of N_a dA over edge k [length^2], dA = depth dl: the thickness, or 2 pi x. */
int prc_fem_edge_areas(const prc_fem_model *model, int k, int node[3], double area[3]) {
  prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
  const int n_points = prc_mesh_edge_points(model->mesh, k, point), n = point[0].n_nodes;
  const int closed_form = n == 2 && model->plane != PRC_AXISYMMETRIC;
  for (int a = 0; a < n; a++) {
    node[a] = point[0].node[a];
    area[a] = closed_form ? 0.5 * prc_mesh_length(model->mesh, k) * model->thickness : 0.0;
    for (int g = 0; g < n_points && !closed_form; g++)
      area[a] += point[g].length * prc_fem_depth(model, point[g].x[0]) * point[g].N[a];
  }
  return n;
}

prc_status prc_fem_check_boundary(const prc_mesh *mesh, const prc_mesh_group *group, prc_error *err) {
  for (int k = 0; k < group->n_cells && mesh->edge_beyond; k++) {
    const int e = group->cell[k], one = mesh->edge_cell[e], other = mesh->edge_beyond[e];
    if (other < 0) continue;
    return prc_fail(
        err, PRC_INPUT,
        "the edge of '%s' between nodes %zu and %zu lies inside the body, between %s %zu and %s %zu, "
        "expected edges of its boundary",
        group->name, mesh->tag[mesh->edge[2 * e]], mesh->tag[mesh->edge[2 * e + 1]],
        mesh->cell_element[one]->noun, mesh->cell_tag[one], mesh->cell_element[other]->noun,
        mesh->cell_tag[other]);
  }
  return PRC_OK;
}

/* A traction that does not vary along the edges: F_{2a+k} += T_k(t) integral of N_a dA [force]. */
static prc_status add_uniform(builder *b, const prc_field *field, const prc_mesh_group *group, int k,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const double origin[2] = {0.0, 0.0};
  double value = 1.0, area[3];
  int node[3];
  prc_try(begin(b, field, origin, &value, err));
  for (int e = 0; e < group->n_cells; e++)
    for (int a = 0, n = prc_fem_edge_areas(b->fem->model, group->cell[e], node, area); a < n; a++)
      prc_try(add(b, field->uses_time, 2 * node[a] + k, value, area[a], err));
done:
  return status;
}

/* One that does, point by point: F_{2a+d} += integral of T_d(t, x) N_a dA. normal: the field is a pressure p, which acts against
 * the outward normal, T = -p n; else it is component k of a traction. */
static prc_status add_varying(builder *b, const prc_field *field, const prc_mesh_group *group, int k,
                              int normal, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = b->fem->model;
  for (int e = 0; e < group->n_cells; e++) {
    prc_mesh_edge_point point[PRC_MESH_EDGE_POINTS];
    for (int g = 0, n = prc_mesh_edge_points(model->mesh, group->cell[e], point); g < n; g++) {
      const prc_mesh_edge_point *p = &point[g];
      const double area = p->length * prc_fem_depth(model, p->x[0]);
      double value = 1.0;
      prc_try(begin(b, field, p->x, &value, err));
      for (int a = 0; a < p->n_nodes; a++)
        for (int d = normal ? 0 : k; d <= (normal ? 1 : k); d++)
          prc_try(add(b, field->uses_time, 2 * p->node[a] + d, value,
                      area * p->N[a] * (normal ? -p->normal[d] : 1.0), err));
    }
  }
done:
  return status;
}

/* F_{2a+k} += N_a(x) f_k(t) at each point x [force]: the work of the force on what the body does there is exact. */
static prc_status add_point(builder *b, const prc_fem_load *load, const double x[2], prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mesh *mesh = b->fem->model->mesh;
  double N[PRC_ELEMENT_NODES];
  int c, n;
  prc_try(prc_fem_find_point(mesh, x, &c, N, err));
  const int *node = prc_fem_cell(mesh, c, &n);
  for (int k = 0; k < 2; k++) {
    double value = 1.0;
    if (is_zero(&load->force[k])) continue;
    prc_try(begin(b, &load->force[k], x, &value, err));
    for (int a = 0; a < n; a++) prc_try(add(b, load->force[k].uses_time, 2 * node[a] + k, value, N[a], err));
  }
done:
  return status;
}

static prc_status add_load(builder *b, const prc_fem_load *load, prc_error *err) {
  prc_status status = PRC_OK;
  for (int p = 0; p < load->n_points; p++) prc_try(add_point(b, load, load->point + 2 * p, err));
  for (int k = 0; k < 2 && load->group; k++) {
    const prc_field *field = &load->traction[k];
    if (field->uses_place)
      prc_try(add_varying(b, field, load->group, k, 0, err));
    else
      prc_try(add_uniform(b, field, load->group, k, err));
  }
  if (!load->group || is_zero(&load->pressure)) goto done;
  prc_try(prc_fem_check_boundary(b->fem->model->mesh, load->group, err));
  status = add_varying(b, &load->pressure, load->group, 0, 1, err);
done:
  if (status != PRC_OK) prc_error_context(err, "load '%s'", load->name);
  return status;
}

/* ---- prestress ----------------------------------------------------------------------------------------- */

/* F += T w H_k' : row 0 is normal, 1 is shear; w is a part of the contact's area. */
static prc_status add_prestress_of(builder *b, const prc_field *field, const prc_rows *H, int k, int row,
                                   const double x[2], double w, prc_error *err) {
  const int first = H->start[k], count = H->start[k + 1] - first;
  const double *of = H->x + H->dim * first + row * count;
  double value = 1.0;
  prc_status status = is_zero(field) ? PRC_OK : begin(b, field, x, &value, err);
  for (int d = 0; d < count && status == PRC_OK && !is_zero(field); d++)
    status = add(b, field->uses_time, H->dof[first + d], value, w * of[d], err);
  return status;
}

/* Which row is that of point j of the second, among those that ascend. */
static int row_of(const prc_fem_touch *touch, int j) {
  int low = 0, high = touch->n - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (touch->of[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* F += sum_j H_j' (int -normal N_j ds, int shear N_j ds), by the mortar's points: with it stuck contacts have the mean tractions of their hats. Where a
 * traction jumps at a node, it has the mean of both. */
prc_status prc_fem_add_prestress(prc_fem *fem, int i, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_interface *interface = &fem->model->interface[i];
  const prc_fem_touch *touch = &fem->touch[i];
  const prc_mortar *mortar = touch->mortar;
  const prc_mortar_chain *chain = touch->chain[1];
  const size_t terms = (size_t)fem->terms.n_terms, entries = (size_t)fem->terms.n_entries;
  builder b = {.fem = fem, .term_capacity = terms, .dof_capacity = entries, .value_capacity = entries};
  for (int g = 0; g < mortar->start[chain->n_chords]; g++) {
    const prc_mortar_point *point = &mortar->point[g];
    const int *end = chain->chord[point->chord[1]].point;
    const double N[2] = {1.0 - point->at[1], point->at[1]};
    const double *from = chain->x + 2 * end[0], *to = chain->x + 2 * end[1];
    const double x[2] = {N[0] * from[0] + N[1] * to[0], N[0] * from[1] + N[1] * to[1]};
    for (int a = 0; a < 2; a++) {
      if (mortar->goes[end[a]] < 0) continue;
      const int k = row_of(touch, mortar->goes[end[a]]);
      const double w = point->weight * N[a];
      prc_try(add_prestress_of(&b, &interface->normal, &touch->rows, k, 0, x, -w, err));
      prc_try(add_prestress_of(&b, &interface->shear, &touch->rows, k, 1, x, w, err));
    }
  }
done:
  return status;
}

prc_status prc_fem_build_loads(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  builder b = {.fem = fem};
  prc_try(prc_new(&fem->F_constant, 2 * (size_t)fem->model->mesh->n_nodes, err));
  for (int k = 0; k < 2; k++) prc_try(add_gravity(&b, k, err));
  for (int k = 0; k < 2; k++) prc_try(add_body_force(&b, k, err));
  for (int l = 0; l < fem->model->n_loads; l++) prc_try(add_load(&b, &fem->model->load[l], err));
done:
  return status;
}

/* sum_j amplitude_j (nodal vector)_j, added to F; the window is NULL, or amplitudes are what is missed of them in it. */
static prc_status add_terms(const prc_fem *fem, double t, prc_window *window, double *F, prc_error *err) {
  const prc_fem_terms *terms = &fem->terms;
  for (int j = 0; j < terms->n_terms; j++) {
    const prc_fem_term *term = &terms->term[j];
    double amplitude;
    const prc_status status = prc_field_in(window, term->amplitude, term->x, term->y, t, &amplitude, err);
    if (status != PRC_OK) return status;
    for (int k = term->first; k < term->first + term->count && amplitude != 0.0; k++)
      F[terms->dof[k]] += amplitude * terms->value[k];
  }
  return PRC_OK;
}

/* F(t) = F_constant + sum_j amplitude_j(t) (nodal vector)_j; amplitudes are evaluated as written, at t itself. */
prc_status prc_fem_loads(void *body, const prc_at *at, double *F, prc_error *err) {
  const prc_fem *fem = body;
  memcpy(F, fem->F_constant, 2 * (size_t)fem->model->mesh->n_nodes * sizeof *F);
  return add_terms(fem, at->t, NULL, F, err);
}

prc_status prc_fem_missed_loads(void *body, const prc_at *at, prc_window *window, double *F, prc_error *err) {
  const prc_fem *fem = body;
  memset(F, 0, 2 * (size_t)fem->model->mesh->n_nodes * sizeof *F);
  return add_terms(fem, at->t, window, F, err);
}
