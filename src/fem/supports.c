#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <stdio.h>

/* Supports: which dofs they prescribe, and the displacements and velocities there. */

int prc_fem_same_constant(const prc_field *a, const prc_field *b) {
  return !a->uses_time && !a->uses_place && !b->uses_time && !b->uses_place && !a->eval && !b->eval
         && a->constant == b->constant;
}

static int same_motion(const prc_fem_support *a, const prc_fem_support *b, int d) {
  const int at_rest = prc_fem_same_constant(&a->displacement[d], &(prc_field){0});
  return (a->by_velocity[d] == b->by_velocity[d] || at_rest)
         && prc_fem_same_constant(&a->displacement[d], &b->displacement[d]);
}

static prc_status refuse_both(const prc_fem_model *model, int first, int second, int d, int node,
                              prc_error *err) {
  return prc_fail(err, PRC_INPUT,
                  "the supports '%s' and '%s' both prescribe the %c displacement of node %zu, expected one "
                  "of them, or the "
                  "same constant in both",
                  model->support[first].name, model->support[second].name, "xy"[d],
                  model -> mesh -> tag[node]);
}

/* owner[dof]: the support that prescribes it, -1 for what is held at zero anyway (unused nodes, radial displacements on the
 * axis), -2 for a free dof */
static prc_status mark_support(const prc_fem_model *model, int s, int *owner, prc_error *err) {
  const prc_fem_support *support = &model->support[s];
  for (int k = 0; k < support->group->n_nodes; k++)
    for (int d = 0; d < 2; d++) {
      const int node = support->group->node[k], other = owner[2 * node + d];
      if (!support->held[d]) continue;
      if (other < 0)
        owner[2 * node + d] = s;
      else if (!same_motion(support, &model->support[other], d))
        return refuse_both(model, other, s, d, node, err);
    }
  return PRC_OK;
}

static void mark_unused(const prc_mesh *mesh, int *owner) {
  for (int i = 0; i < 2 * mesh->n_nodes; i++) owner[i] = -1;
  for (int k = 0; k < mesh->cell_start[mesh->n_cells]; k++)
    owner[2 * mesh->cell[k]] = owner[2 * mesh->cell[k] + 1] = -2;
}

static int is_on_axis(const prc_mesh *mesh, int a) {
  return fabs(mesh->x[2 * a]) <= 1e-12 * fmax(mesh->high[0], mesh->high[1] - mesh->low[1]);
}

/* On the axis nothing moves radially; beyond it there is nothing. */
static prc_status hold_axis(const prc_fem_model *model, int *owner, prc_error *err) {
  const prc_mesh *mesh = model->mesh;
  const prc_field zero = prc_field_constant(0.0);
  for (int a = 0; a < mesh->n_nodes; a++) {
    int *own = &owner[2 * a];
    if (*own == -1) continue;
    if (is_on_axis(mesh, a)) {
      if (*own >= 0 && !prc_fem_same_constant(&model->support[*own].displacement[0], &zero))
        return prc_fail(err, PRC_INPUT,
                        "the support '%s' moves node %zu off the axis, expected x: 0 there: in axisymmetry x "
                        "is the radius",
                        model->support[*own].name, mesh->tag[a]);
      if (*own < 0) *own = -1;
    } else if (mesh->x[2 * a] < 0.0)
      return prc_fail(err, PRC_INPUT,
                      "the model is axisymmetric, but node %zu has x = %g, expected x >= 0: x is the radius",
                      mesh->tag[a], mesh->x[2 * a]);
  }
  return PRC_OK;
}

static prc_status list_rows(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_supports = fem->model->n_supports;
  prc_try(prc_new(&fem->support_rows, n_supports, err));
  prc_try(prc_new(&fem->support_count, n_supports, err));
  for (int s = 0; s < n_supports; s++) {
    prc_try(prc_new(&fem->support_rows[s], 2 * (size_t)fem->model->support[s].group->n_nodes, err));
    const prc_fem_support *support = &fem->model->support[s];
    for (int i = 0; i < fem->n_prescribed; i++)
      if (fem->prescribed_support[i] == s) fem->support_rows[s][fem->support_count[s]++] = i;
    if (fem->support_count[s] == 0 && !fem->model->mesh->part) /* of ranks another may hold it */
      prc_try(prc_fail(err, PRC_INPUT, "the support '%s' holds nothing: %s", support->name,
                       support->group->n_nodes == 0 ? "its group has no nodes"
                                                    : "other supports hold all of its nodes already"));
  }
done:
  return status;
}

prc_status prc_fem_prescribe(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  const int n_dof = 2 * model->mesh->n_nodes;
  int *owner = NULL;
  prc_try(prc_new(&owner, n_dof, err));
  mark_unused(model->mesh, owner);
  for (int s = 0; s < model->n_supports; s++) prc_try(mark_support(model, s, owner, err));
  if (model->plane == PRC_AXISYMMETRIC) prc_try(hold_axis(model, owner, err));
  for (int i = 0; i < n_dof; i++) fem->n_prescribed += owner[i] >= -1;
  prc_try(prc_new(&fem->prescribed, fem->n_prescribed, err));
  prc_try(prc_new(&fem->prescribed_support, fem->n_prescribed, err));
  for (int i = 0, k = 0; i < n_dof; i++)
    if (owner[i] >= -1) fem->prescribed[k] = i, fem->prescribed_support[k++] = owner[i];
  prc_try(list_rows(fem, err));
done:
  prc_delete(&owner);
  return status;
}

static const prc_field *displacement_of(const prc_fem *fem, int i, double x[2]) {
  const int dof = fem->prescribed[i];
  for (int k = 0; k < 2; k++) x[k] = fem->model->mesh->x[2 * (dof / 2) + k];
  return &fem->model->support[fem->prescribed_support[i]].displacement[dof % 2];
}

static prc_status value_of(const prc_fem *fem, int i, const prc_field *field, const double x[2], double t,
                           double h, double *value, prc_error *err) {
  (void)h;
  return fem->way_of[i] >= 0 ? prc_fem_way_at(fem, i, field, x, t, value, err)
                             : prc_field_eval(field, x[0], x[1], t, value, err);
}

static prc_status prescribed_at(void *body, int i, double t, double *d, prc_error *err) {
  const prc_fem *fem = body;
  double x[2];
  *d = 0.0;
  if (fem->prescribed_support[i] < 0) return PRC_OK;
  const prc_field *field = displacement_of(fem, i, x);
  return value_of(fem, i, field, x, t, 0.0, d, err);
}

/* Of row i, given by a displacement or by a velocity, at a place and time; h is for rates. */
typedef prc_status support_value(const prc_fem *fem, int i, const prc_field *field, const double x[2],
                                 double t, double h, double *value, prc_error *err);

static prc_status rate_of(const prc_fem *fem, int i, const prc_field *field, const double x[2], double t,
                          double h, double *value, prc_error *err) {
  double d[2];
  *value = 0.0;
  if (fem->way_of[i] >= 0) {
    const prc_status status = prc_fem_way_rates(field, x, t, d, err);
    *value = d[0];
    return status;
  }
  return field->uses_time ? prc_field_rate(field, x[0], x[1], t, h, value, err) : PRC_OK;
}

static prc_status second_derivative_of(const prc_fem *fem, int i, const prc_field *field, const double x[2],
                                       double t, double h, double *value, prc_error *err) {
  double d[3] = {0.0};
  if (fem->way_of[i] >= 0) {
    const prc_status status = prc_fem_way_rates(field, x, t, d, err);
    *value = d[1];
    return status;
  }
  const prc_status status =
      field->uses_time ? prc_field_derivatives(field, x[0], x[1], t, h, d, err) : PRC_OK;
  *value = d[2];
  return status;
}

/* A component of a displacement that is the same along its edge is evaluated once for all of the edge's nodes. */
static prc_status each_row(const prc_fem *fem, support_value *of, double t, double h, double *out,
                           prc_error *err) {
  const prc_field *last[2] = {NULL, NULL};
  double last_value[2] = {0.0, 0.0};
  for (int i = 0; i < fem->n_prescribed; i++) {
    const int component = fem->prescribed[i] % 2;
    double x[2];
    out[i] = 0.0;
    if (fem->prescribed_support[i] < 0) continue;
    const prc_field *field = displacement_of(fem, i, x);
    if (field != last[component] || field->uses_place) {
      const prc_status status = of(fem, i, field, x, t, h, &last_value[component], err);
      if (status != PRC_OK) return status;
      last[component] = field;
    }
    out[i] = last_value[component];
  }
  return PRC_OK;
}

static prc_status prescribed_displacement(void *body, double t, double *d, prc_error *err) {
  return each_row(body, value_of, t, 0.0, d, err);
}

static prc_status prescribed_velocity(void *body, double t, double h, double *v, prc_error *err) {
  return each_row(body, rate_of, t, h, v, err);
}

static prc_status prescribed_acceleration(void *body, double t, double *a, prc_error *err) {
  return each_row(body, second_derivative_of, t, 0.0, a, err);
}

static void prescribed_name(void *body, int i, char *text, size_t size) {
  const prc_fem *fem = body;
  const int support = fem->prescribed_support[i];
  if (support < 0)
    snprintf(text, size, "what is held at zero");
  else
    snprintf(text, size, "support '%s': %c", fem->model->support[support].name, "xy"[fem->prescribed[i] % 2]);
}

/* A velocity that depends on the place alone moves as well. */
static int moves(const prc_fem_support *support, int k) {
  const prc_field *field = &support->displacement[k];
  return field->uses_time || (support->by_velocity[k] && (field->eval || field->constant != 0.0));
}

static int is_at_rest(const prc_fem_model *model) {
  for (int i = 0; i < model->n_supports; i++)
    for (int k = 0; k < 2; k++)
      if (model->support[i].held[k] && moves(&model->support[i], k)) return 0;
  return 1;
}

/* Rows of one field that is the same along its edge move alike, and one that does not move at all never does. */
prc_status prc_fem_compare_rows(prc_fem *fem, prc_error *err) {
  const prc_status status = prc_new(&fem->like, fem->n_prescribed, err);
  int last[2] = {-1, -1};
  if (status != PRC_OK) return status;
  for (int i = 0; i < fem->n_prescribed; i++) {
    const int k = fem->prescribed[i] % 2, s = fem->prescribed_support[i];
    const prc_fem_support *support = s >= 0 ? &fem->model->support[s] : NULL;
    fem->like[i] = -1;
    if (!support || !moves(support, k)) continue;
    const int before = last[k], same = before >= 0 && fem->prescribed_support[before] == s;
    fem->like[i] = same && !support->displacement[k].uses_place ? before : i;
    if (fem->like[i] == i) last[k] = i;
  }
  return PRC_OK;
}

static int derivatives_are_known(const prc_fem_model *model) {
  for (int i = 0; i < model->n_supports; i++)
    for (int k = 0; k < 2; k++) {
      const prc_field *d = &model->support[i].displacement[k];
      if (model->support[i].held[k] && d->uses_time && !d->derivatives) return 0;
    }
  return 1;
}

prc_drive prc_fem_drive(const prc_fem *fem) {
  return (prc_drive){.n = fem->n_prescribed,
                     .rest = is_at_rest(fem->model),
                     .dof = fem->prescribed,
                     .like = fem->like,
                     .velocity = prescribed_velocity,
                     .displacement = prescribed_displacement,
                     .displacement_at = prescribed_at,
                     .acceleration = derivatives_are_known(fem->model) ? prescribed_acceleration : NULL,
                     .name = prescribed_name};
}

int prc_fem_support_rows(const prc_fem *fem, int k, const int **rows) {
  *rows = fem->support_rows[k];
  return fem->support_count[k];
}
