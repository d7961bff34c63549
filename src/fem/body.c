#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* ---- materials --------------------------------------------------------------------------------------------------------- */

static prc_status assign_materials(prc_fem *fem, prc_error *err) {
  const prc_fem_model *model = fem->model;
  const prc_mesh *mesh = model->mesh;
  const prc_status status = prc_new(&fem->cell_material, mesh->n_cells, err);
  if (status != PRC_OK) return status;
  for (int c = 0; c < mesh->n_cells; c++) fem->cell_material[c] = -1;
  for (int m = 0; m < model->n_materials; m++)
    for (int k = 0; k < model->material[m].group->n_cells; k++) {
      const int c = model->material[m].group->cell[k];
      if (fem->cell_material[c] >= 0)
        return prc_fail(err, PRC_INPUT, "%s %zu belongs to two groups with a material, '%s' and '%s'",
                        mesh->cell_element[c]->noun, mesh->cell_tag[c],
                        model->material[fem->cell_material[c]].group->name, model->material[m].group->name);
      fem->cell_material[c] = m;
    }
  for (int c = 0; c < mesh->n_cells; c++)
    if (fem->cell_material[c] < 0) {
      char names[256];
      prc_mesh_names(mesh, 2, names, sizeof names);
      return prc_fail(
          err, PRC_INPUT,
          "%s %zu has no material, expected every cell in a group that `materials` names (the mesh "
          "has the surfaces: %s)",
          mesh->cell_element[c]->noun, mesh->cell_tag[c], names);
    }
  return PRC_OK;
}

static prc_status sum_areas(prc_fem *fem, prc_error *err) {
  const prc_mesh *mesh = fem->model->mesh;
  const prc_status status = prc_new(&fem->node_area, mesh->n_nodes, err);
  for (int c = 0; status == PRC_OK && c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
      fem->node_area[mesh->cell[k]] += prc_mesh_area(mesh, c);
  return status;
}

/* ---- the system -------------------------------------------------------------------------------------------------------------- */

double prc_fem_diagonal(const prc_mesh *mesh) {
  return hypot(mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1]);
}

static double rotation(void *body, const double *q) {
  return prc_fem_rotation(body, q);
}

/* The size of the coordinates sets the rounding of gaps. */
static double size_of(const prc_fem_model *model) {
  const prc_mesh *mesh = model->mesh;
  double size = prc_fem_diagonal(mesh);
  for (int k = 0; k < 2; k++) {
    size = fmax(size, fmax(fabs(mesh->low[k]), fabs(mesh->high[k])));
    for (int c = 0; c < model->n_contacts; c++) size = fmax(size, fabs(model->contact[c].plane.point[k]));
  }
  return size;
}

static void judge(void *body, const prc_at *at, prc_indicator *looks) {
  prc_fem_judge_interfaces(body, at, looks);
  prc_fem_judge_strains(body, at, looks);
}

static void present(prc_fem *fem) {
  const prc_fem_model *model = fem->model;
  prc_system *s = &fem->system;
  s->space.nv = 2 * model->mesh->n_nodes;
  s->space.deforms = fem->deforms;
  s->dynamics = (prc_dynamics){.M = fem->M,
                               .K = fem->K,
                               .damping_mass = fem->damping_mass,
                               .damping_stiffness = fem->damping_stiffness,
                               .C = fem->C,
                               .C_boundary = fem->C_boundary,
                               .varies = fem->terms.n_terms == 0 ? 0 : PRC_LOADS_IN_TIME,
                               .loads = prc_fem_loads,
                               .missed_loads = prc_fem_missed_loads};
  s->drive = prc_fem_drive(fem);
  s->contacts = prc_fem_contacts(fem);
  s->length = size_of(model);
  s->share = model->mesh->part ? &model->mesh->part->share : NULL;
  s->velocity = prc_fem_get_facts(fem).speed_p;
  s->owner = fem;
  s->rotation = rotation;
  s->indicator = judge;
  prc_fem_present_corotation(fem);
  prc_fem_present_strains(fem);
}

static prc_status check_gravity(const prc_fem_model *model, prc_error *err) {
  if (model->plane != PRC_AXISYMMETRIC || prc_fem_same_constant(&model->gravity[0], &(prc_field){0}))
    return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "the model is axisymmetric, but gravity has a radial part, expected [0, g]");
}

static prc_status make(prc_fem *fem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fem_model *model = fem->model;
  prc_try(check_gravity(model, err));
  prc_try(assign_materials(fem, err));
  prc_try(sum_areas(fem, err));
  prc_try(prc_fem_check_dashpots(model, err));
  prc_try(prc_fem_assemble(fem, err));
  prc_try(prc_fem_make_corotation(fem, err));
  prc_try(prc_fem_add_springs(fem, err));
  prc_try(prc_fem_prescribe(fem, err));
  prc_try(prc_fem_make_ways(fem, err));
  prc_try(prc_fem_compare_rows(fem, err));
  prc_try(prc_fem_build_loads(fem, err));
  prc_try(prc_fem_make_candidates(fem, err));
  prc_try(prc_fem_make_interfaces(fem, err));
  if (model->mass == PRC_MASS_MODIFIED && model->n_contacts + model->n_interfaces > 0)
    prc_try(prc_fem_modify_mass(fem, err));
  prc_try(prc_fem_assemble_damping(fem, err));
  prc_try(prc_fem_make_strains(fem, err));
done:
  return status;
}

/* Each support must prescribe a dof on at least one rank. */
static prc_status check_shared_supports(const prc_fem *fem, prc_error *err) {
  for (int s = 0; fem->system.share && s < fem->model->n_supports; s++) {
    double held = fem->support_count[s];
    prc_share_largest(fem->system.share, 1, &held);
    if (held == 0.0)
      return prc_fail(err, PRC_INPUT,
                      "the support '%s' holds nothing: other supports hold all of its nodes already",
                      fem->model->support[s].name);
  }
  return PRC_OK;
}

prc_status prc_fem_create(const prc_fem_model *model, prc_fem **out, prc_error *err) {
  prc_need(model, err);
  prc_need(model->mesh, err);
  if (model->n_materials > 0) prc_need(model->material, err);
  if (model->n_supports > 0) prc_need(model->support, err);
  if (model->n_contacts > 0) prc_need(model->contact, err);
  if (model->n_loads > 0) prc_need(model->load, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_fem *fem = NULL;
  prc_try(prc_new(&fem, 1, err));
  fem->model = model;
  prc_try(prc_ranks_agree(prc_mesh_ranks(model->mesh), make(fem, err), err));
  prc_try(prc_new(&fem->deforms, 2 * model->mesh->n_nodes, err));
  memset(fem->deforms, 1, 2 * (size_t)model->mesh->n_nodes);
  present(fem);
  prc_try(check_shared_supports(fem, err));
  *out = fem, fem = NULL;
done:
  prc_fem_free(&fem);
  return status;
}

void prc_fem_free(prc_fem **out) {
  prc_fem *fem = *out;
  if (!fem) return;
  for (int s = 0; fem->support_rows && s < fem->model->n_supports; s++) prc_delete(&fem->support_rows[s]);
  prc_delete(&fem->support_rows);
  prc_delete(&fem->support_count);
  prc_delete(&fem->deforms);
  prc_sym_free(&fem->M);
  prc_sym_free(&fem->K);
  prc_sym_free(&fem->C);
  prc_sym_free(&fem->C_boundary);
  prc_delete(&fem->mass_factor);
  prc_delete(&fem->cell_material);
  prc_delete(&fem->node_area);
  prc_delete(&fem->spring_at);
  prc_delete(&fem->F_constant);
  prc_delete(&fem->terms.term);
  prc_delete(&fem->terms.dof);
  prc_delete(&fem->terms.value);
  prc_delete(&fem->prescribed);
  prc_delete(&fem->prescribed_support);
  prc_delete(&fem->like);
  prc_delete(&fem->way_of);
  prc_delete(&fem->way);
  prc_fem_free_interfaces(fem);
  prc_fem_free_corotation(fem);
  prc_fem_free_strains(fem);
  prc_contact_points_free(&fem->points);
  prc_delete(&fem->contact_first);
  prc_delete(&fem->contact_node);
  prc_delete(&fem->contact_area);
  prc_delete(&fem->contact_frame);
  prc_delete(&fem->law);
  prc_delete(&fem->formulas);
  prc_delete(out);
}

const prc_system *prc_fem_system(const prc_fem *fem) {
  return &fem->system;
}
const prc_fem_model *prc_fem_get_model(const prc_fem *fem) {
  return fem->model;
}
