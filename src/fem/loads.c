#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* ---- terms --------------------------------------------------------------------------------------------------------- */

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

/* ---- gravity --------------------------------------------------------------------------------------------------------- */

/* A third of each cell's mass times the acceleration at each of its nodes: exact for the consistent mass. */
static prc_status add_gravity(builder *b, int k, prc_error *err) {
  prc_status status = PRC_OK;
  prc_fem *fem = b->fem;
  const prc_fem_model *model = fem->model;
  const prc_field *field = &model->gravity[k];
  double value = 1.0;
  if (field->uses_time)
    prc_try(open_term(b, field, 0.0, 0.0, err));
  else
    prc_try(prc_field_eval(field, 0.0, 0.0, 0.0, &value, err));
  if (value == 0.0) goto done;
  for (int c = 0; c < model->mesh->n_cells; c++) {
    const double third = model->material[fem->cell_material[c]].density * model->thickness
                         * prc_mesh_area(model->mesh, c) / 3.0;
    for (int a = 0; a < 3; a++) {
      const int dof = 2 * model->mesh->cell[3 * c + a] + k;
      if (field->uses_time)
        prc_try(add_entry(b, dof, third, err));
      else
        fem->F_constant[dof] += value * third;
    }
  }
done:
  return status;
}

/* ---- tractions --------------------------------------------------------------------------------------------------------- */

/* Gauss points of an edge, in (0, 1); the rule with two is exact for a traction linear along it, and more. */
static const double gauss[2] = {0.21132486540518711775, 0.78867513459481288225};

/* One edge of a load that does not vary along it: half of its area at each end. */
static prc_status add_uniform_edge(builder *b, int edge, int k, double value, int in_term, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = b->fem->model;
  const double half = 0.5 * prc_mesh_length(model->mesh, edge) * model->thickness;
  for (int a = 0; a < 2; a++) {
    const int dof = 2 * model->mesh->edge[2 * edge + a] + k;
    if (in_term)
      prc_try(add_entry(b, dof, half, err));
    else
      b->fem->F_constant[dof] += value * half;
  }
done:
  return status;
}

static prc_status add_varying_edge(builder *b, const prc_field *field, int edge, int k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = b->fem->model;
  const int *node = model->mesh->edge + 2 * edge;
  const double *x0 = model->mesh->x + 2 * node[0], *x1 = model->mesh->x + 2 * node[1];
  const double half = 0.5 * prc_mesh_length(model->mesh, edge) * model->thickness;
  for (int g = 0; g < 2; g++) {
    const double s = gauss[g], shape[2] = {1.0 - s, s};
    const double x = shape[0] * x0[0] + s * x1[0], y = shape[0] * x0[1] + s * x1[1];
    double value = 1.0;
    if (field->uses_time)
      prc_try(open_term(b, field, x, y, err));
    else
      prc_try(prc_field_eval(field, x, y, 0.0, &value, err));
    for (int a = 0; a < 2; a++) {
      const int dof = 2 * node[a] + k;
      if (field->uses_time)
        prc_try(add_entry(b, dof, half * shape[a], err));
      else
        b->fem->F_constant[dof] += value * half * shape[a];
    }
  }
done:
  return status;
}

static prc_status add_traction(builder *b, const prc_fem_load *load, int k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_field *field = &load->traction[k];
  double value = 0.0;
  if (!field->uses_place && !field->uses_time) prc_try(prc_field_eval(field, 0.0, 0.0, 0.0, &value, err));
  if (!field->uses_place && field->uses_time) prc_try(open_term(b, field, 0.0, 0.0, err));
  for (int e = 0; e < load->group->n_cells; e++) {
    if (field->uses_place)
      prc_try(add_varying_edge(b, field, load->group->cell[e], k, err));
    else
      prc_try(add_uniform_edge(b, load->group->cell[e], k, value, field->uses_time, err));
  }
done:
  if (status != PRC_OK) prc_error_context(err, "load '%s'", load->name);
  return status;
}

prc_status prc_fem_build_loads(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  builder b = {.fem = fem};
  prc_try(prc_new(&fem->F_constant, 2 * (size_t)fem->model->mesh->n_nodes, err));
  for (int k = 0; k < 2; k++) prc_try(add_gravity(&b, k, err));
  for (int l = 0; l < fem->model->n_loads; l++)
    for (int k = 0; k < 2; k++) prc_try(add_traction(&b, &fem->model->load[l], k, err));
done:
  return status;
}

/* F(t) = F_constant + sum_j amplitude_j(t) (nodal vector)_j; amplitudes are evaluated as written, at t itself. */
prc_status prc_fem_force(void *body, double t, double *F, prc_error *err) {
  const prc_fem *fem = body;
  const prc_fem_terms *terms = &fem->terms;
  memcpy(F, fem->F_constant, 2 * (size_t)fem->model->mesh->n_nodes * sizeof *F);
  for (int j = 0; j < terms->n_terms; j++) {
    const prc_fem_term *term = &terms->term[j];
    double amplitude;
    const prc_status status = prc_field_eval(term->amplitude, term->x, term->y, t, &amplitude, err);
    if (status != PRC_OK) return status;
    for (int k = term->first; k < term->first + term->count; k++)
      F[terms->dof[k]] += amplitude * terms->value[k];
  }
  return PRC_OK;
}
