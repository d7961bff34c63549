#include "config.h"
#include "case/build.h"
#include "base/order.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a case that are finite one by one may make a matrix that is not: it is refused where the case says them. And errors of a stepper that cannot be made get the place of the key
 * that they are about. */

static int is_in(const prc_mesh_group *group, int cell) {
  return bsearch(&cell, group->cell, (size_t)group->n_cells, sizeof cell, prc_by_int) != NULL;
}

/* The material of the first cell at a node; "": there is none. */
static const char *material_at(const prc_mesh *mesh, int node) {
  for (int c = 0; c < mesh->n_cells; c++)
    for (int k = mesh->cell_start[c]; k < mesh->cell_start[c + 1]; k++)
      for (int g = 0; mesh->cell[k] == node && g < mesh->n_groups; g++)
        if (mesh->group[g].dim == 2 && is_in(&mesh->group[g], c)) return mesh->group[g].name;
  return "";
}

static const char *set_of(const prc_case *c, const char *name) {
  for (int s = 0; s < c->n_sets; s++)
    for (int i = c->set[s].first; i < c->set[s].first + c->set[s].n; i++)
      if (strcmp(c->body[i].name, name) == 0) return c->set[s].name;
  return name;
}

static void name_dof(const prc_case *c, const prc_model *model, const prc_view_part *part, int dof,
                     char *path, size_t size) {
  if (strcmp(part->kind, "mesh") == 0)
    snprintf(path, size, "materials.%s", material_at(model->mesh, (dof - part->first_dof) / 2));
  else if (strcmp(part->kind, "beam") == 0)
    snprintf(path, size, "beams.%s", part->name);
  else
    snprintf(path, size, "bodies.%s", set_of(c, part->name));
}

static prc_status refuse(const prc_case *c, const prc_model *model, const char *what, int dof, double value,
                         prc_error *err) {
  prc_view_part *part = NULL;
  const int n = prc_view_parts(model->scene);
  char path[2 * PRC_CASE_PATH] = "model";
  prc_status status = prc_new(&part, n, err);
  if (status != PRC_OK) return status;
  prc_view_list_parts(model->scene, part);
  for (int i = 0; i < n; i++)
    if (dof >= part[i].first_dof && dof < part[i].first_dof + part[i].n)
      name_dof(c, model, &part[i], dof, path, sizeof path);
  const prc_case_place place = prc_case_place_of(c, "%s", path);
  status = prc_case_fail(
      c, &place, err,
      "%s: its %s matrix has the entry %g, expected finite numbers: sizes, densities, stiffnesses "
      "or dampings are too large or too small together; choose other units",
      path, what, value);
  prc_delete(&part);
  return status;
}

prc_status prc_build_check_finite(const prc_case *c, const prc_model *model, prc_error *err) {
  const prc_dynamics *d = &model->system->dynamics;
  const struct {
    const prc_sym *matrix;
    const char *what;
  } all[] = {{d->M, "mass"}, {d->K, "stiffness"}, {d->C, "damping"}};
  for (size_t m = 0; m < sizeof all / sizeof *all; m++)
    for (int j = 0; all[m].matrix && j < all[m].matrix->n; j++)
      for (int k = all[m].matrix->p[j]; k < all[m].matrix->p[j + 1]; k++)
        if (!isfinite(all[m].matrix->x[k])) return refuse(c, model, all[m].what, j, all[m].matrix->x[k], err);
  return PRC_OK;
}

prc_status prc_case_place_setup(const prc_case *c, prc_status status, prc_error *err) {
  static const struct {
    const char *part, *key;
  } keys[] = {{"contact solver", "contact.solver"},
              {"the solver ", "time.solver"},
              {"beside its diagonal", "time.solver"},
              {"PETSc", "time.solver"},
              {"conjugate gradients", "time.solver"},
              {"solver", "time.solver"},
              {"restitution", "contacts"},
              {"theta is", "time.theta"},
              {"rho is", "time.rho"},
              {"quasi-static", "time.analysis"},
              {"the scheme ", "time.scheme"},
              {"the time step", "time.step"},
              {"the matrix", "time.step"},
              {"steps", "time.step"},
              {"", "time"}};
  if (status != PRC_INPUT) return status;
  status = prc_build_place_joint(c, status, err);
  if (prc_begins_with(err->message, c->path)) return status;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    if (!strstr(err->message, keys[k].part)) continue;
    const prc_case_place place = prc_case_place_of(c, "%s", keys[k].key);
    prc_build_add_context(c, &place, status, err);
    break;
  }
  return status;
}
