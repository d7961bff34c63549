#include "config.h"
#include "base/order.h"
#include "scene/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* View of a mesh for output and commands. */

static const prc_mesh *mesh_of(const void *self) {
  return prc_fem_get_model(self)->mesh;
}

/* ---- words ------------------------------------------------------------------------------------------ */

/* length of a curve, area of a surface */
static double measure_of(const prc_mesh *mesh, const prc_mesh_group *group) {
  double sum = 0.0;
  for (int k = 0; k < group->n_cells; k++)
    sum += group->dim == 1 ? prc_mesh_length(mesh, group->cell[k]) : prc_mesh_area(mesh, group->cell[k]);
  return sum;
}

static int count_of(const prc_mesh *mesh, const prc_element *element) {
  int n = 0;
  for (int c = 0; c < mesh->n_cells; c++) n += mesh->cell_element[c] == element;
  return n;
}

/* "triangles" where there are only those of three nodes */
static const char *word_for_cells(const prc_mesh *mesh) {
  return count_of(mesh, prc_element_of_gmsh(2)) == mesh->n_cells ? "triangles" : "cells";
}

/* " (12 T6, 30 Q8)" */
static void print_elements(const prc_mesh *mesh, const prc_text *to) {
  int n;
  const prc_element *const *element = prc_elements(&n);
  const char *before = " (";
  for (int k = 0; k < n; k++) {
    const int count = count_of(mesh, element[k]);
    if (count == 0) continue;
    prc_text_print(to, "%s%d %s", before, count, element[k]->name);
    before = ", ";
  }
  prc_text_print(to, ")");
}

static void print_group(const prc_mesh *mesh, const prc_mesh_group *group, const prc_text *to) {
  const int curve = group->dim == 1;
  prc_text_print(to, "          %s '%s': %d nodes, %d %s, %s %.9g\n", curve ? "curve" : "surface",
                 group->name, group->n_nodes, group->n_cells, curve ? "edges" : word_for_cells(mesh),
                 curve ? "length" : "area", measure_of(mesh, group));
}

static void print_mesh(const prc_mesh *mesh, const char *file, const prc_text *to) {
  prc_text_print(to, "mesh      %s: %d nodes, %d %s", file, mesh->n_nodes, mesh->n_cells,
                 word_for_cells(mesh));
  print_elements(mesh, to);
  if (mesh->n_turned > 0) prc_text_print(to, ", %d of them clockwise and turned", mesh->n_turned);
  if (mesh->n_unused > 0) prc_text_print(to, ", %d nodes unused", mesh->n_unused);
  prc_text_print(to, "\n");
  prc_text_print(to, "          from (%g, %g) to (%g, %g)\n", mesh->low[0], mesh->low[1], mesh->high[0],
                 mesh->high[1]);
  for (int g = 0; g < mesh->n_groups; g++) print_group(mesh, &mesh->group[g], to);
}

/* Where it is not that of the model. */
static void print_own_damping(const prc_fem_model *model, const prc_fem_damping *own, const prc_text *to) {
  if (own->mass == model->damping_mass && own->stiffness == model->damping_stiffness) return;
  prc_text_print(to, "          damping of its own: %g M + %g K\n", own->mass, own->stiffness);
}

static void print_material(const prc_fem_material *m, double mass, const prc_text *to) {
  const prc_fem_law *first = prc_fem_laws()[0], *law = m->law ? m->law : first;
  prc_text_print(to, "material  '%s':", m->group->name);
  if (law != first) prc_text_print(to, " %s,", law->name);
#define PARAMETER(name, symbol, dimension, low, high, open_low, open_high, help)                             \
  if (prc_fem_law_has(law, #name)) prc_text_print(to, " " symbol " = %g,", m->name);
  PRC_FEM_PARAMETERS(PARAMETER)
#undef PARAMETER
  prc_text_print(to, " rho = %g, mass %.9g\n", m->density, mass);
}

static void print_model(const prc_fem *fem, const prc_text *to) {
  static const char *const plane[] = {[PRC_PLANE_STRESS] = "plane stress, ",
                                      [PRC_PLANE_STRAIN] = "plane strain, ",
                                      [PRC_AXISYMMETRIC] = "axisymmetric (x the radius), whole rings, "};
  static const char *const mass[] = {
      [PRC_MASS_CONSISTENT] = "consistent", [PRC_MASS_LUMPED] = "lumped", [PRC_MASS_MODIFIED] = "modified"};
  const prc_fem_model *model = prc_fem_get_model(fem);
  prc_text_print(to, "model     %s", plane[model->plane]);
  if (model->plane != PRC_AXISYMMETRIC) prc_text_print(to, "thickness %g, ", model->thickness);
  prc_text_print(to, "%s mass, damping C = %g M + %g K\n", mass[model->mass], model->damping_mass,
                 model->damping_stiffness);
  for (int m = 0; m < model->n_materials; m++) {
    print_material(&model->material[m], prc_fem_material_mass(fem, m), to);
    if (model->own_damping) print_own_damping(model, &model->own_damping[m], to);
  }
}

/* Of pieces of a mesh that ranks share nothing is known. */
static void warn_of_locking(const void *self, const prc_text *to) {
  prc_fem_locking l;
  prc_error ignored = {0};
  if (mesh_of(self)->part || prc_fem_find_locking(self, &l, &ignored) != PRC_OK) return;
  if (l.material)
    prc_text_print(
        to,
        "          warning: poisson %g of '%s' with %ss: linear elements lock where volume hardly changes "
        "(displacements too small by up to 70 %%); expected quadratic ones (Mesh.ElementOrder = 2; in the "
        ".geo)\n",
        l.material->poisson, l.material->group->name, l.element->noun);
  if (l.n_thin > 0)
    prc_text_print(
        to,
        "          warning: %s with %s %s%s across (around %s %zu, about %.3g times as long as wide): "
        "linear elements are too stiff in bending; expected quadratic ones, or four across and more\n",
        l.n_thin == 1 ? "a part" : "parts", l.across == 1 ? "one" : "two", l.thin_element->noun,
        l.across == 1 ? "" : "s", l.thin_element->noun, l.thin, l.slender);
}

static void describe(const void *self, const prc_view_words *words, const prc_text *to) {
  const prc_fem_facts facts = prc_fem_get_facts(self);
  print_mesh(mesh_of(self), words->file, to);
  print_model(self, to);
  warn_of_locking(self, to);
  prc_text_print(to, "          in all: area %.9g, mass %.9g, centre of mass (%.6g, %.6g)\n", facts.area,
                 facts.mass, facts.first_moment[0] / facts.mass, facts.first_moment[1] / facts.mass);
  prc_text_print(to, "          wave speeds: longitudinal %.6g, shear %.6g\n", facts.speed_p, facts.speed_s);
  if (prc_fem_get_model(self)->kinematics == PRC_COROTATIONAL) {
    prc_text_print(
        to, "          corotational: strains are small and turn by any angle; tractions, pressures and "
            "dashpots keep the directions of the start\n");
    return;
  }
  prc_text_print(to, "          small strains: a cell that turns by 1 degree is noted%s\n",
                 words->rotations_accepted ? ", larger rotations are accepted"
                                           : ", one that turns by 5 degrees fails the certificate");
}

static double courant(const void *self, double step) {
  return step / prc_fem_get_facts(self).cfl_step;
}

static void describe_step(const void *self, double step, const prc_text *to) {
  prc_text_print(to,
                 "          CFL number %.3g (step x speed / smallest height of a cell; the scheme is stable "
                 "beyond 1)\n",
                 courant(self, step));
}

/* Bodies that only contact and the drag of the damping hold, without inertia. */
static prc_status describe_held(const void *self, const prc_text *to, prc_error *err) {
  const double drag = prc_fem_get_model(self)->damping_mass;
  prc_fem_free_body *list = NULL;
  char text[512];
  int n = 0;
  const prc_status status = prc_fem_free_bodies(self, &n, &list, err);
  for (int k = 0; k < n; k++) {
    prc_fem_free_body_text(&list[k], text, sizeof text);
    prc_text_print(to, "held      only by contact: %s; ", text);
    if (drag > 0.0)
      prc_text_print(to, "regularised by the drag %g M v\n", drag);
    else
      prc_text_print(to, "braked by dashpots or the damping of a material\n");
  }
  if (n == 0 && status == PRC_OK) prc_text_print(to, "held      every body, by its supports\n");
  prc_delete(&list);
  return status;
}

static int sizes(const void *self, prc_view_size size[PRC_VIEW_SIZES]) {
  const prc_mesh *mesh = mesh_of(self);
  size[0] = (prc_view_size){"nodes", mesh->part ? mesh->part->share.n_whole : mesh->n_nodes};
  size[1] = (prc_view_size){"cells", mesh->part ? mesh->part->n_cells : mesh->n_cells};
  return 2;
}

static size_t memory(const void *self) {
  const prc_mesh *mesh = mesh_of(self);
  return (size_t)mesh->n_nodes * 300 + (size_t)mesh->cell_start[mesh->n_cells] * 40;
}

static uint64_t fingerprint(const void *self) {
  return prc_mesh_hash(mesh_of(self));
}

/* ---- points that may touch -------------------------------------------------------------------------- */

static void point_name(const void *self, int item, int node, char *text, size_t size) {
  const prc_mesh *mesh = mesh_of(self);
  (void)item;
  snprintf(text, size, "node %zu at (%g, %g)", mesh->tag[node], mesh->x[2 * node], mesh->x[2 * node + 1]);
}

static double point_number(const void *self, int item, int node) {
  (void)item;
  return (double)mesh_of(self)->tag[node];
}

static int is_prescribed(const void *self, int node) {
  const prc_drive *drive = &prc_fem_system(self)->drive;
  for (int dof = 2 * node; dof < 2 * node + 2; dof++)
    if (bsearch(&dof, drive->dof, (size_t)drive->n, sizeof dof, prc_by_int)) return 1;
  return 0;
}

/* The outward normal of a contact line, summed over its edges (the body is on their left), should face the
 * obstacle. That of a closed line sums to zero, of which rounding leaves some: a few units of the last digit
 * of each edge. */
static int faces_away(const void *self, int k) {
  if (k >= prc_fem_get_model(self)->n_contacts) return 0; /* an interface has two sides */
  const prc_mesh *mesh = mesh_of(self);
  const prc_fem_contact *contact = &prc_fem_get_model(self)->contact[k];
  const prc_mesh_group *group = contact->group;
  const double *normal = contact->plane.normal;
  double facing = 0.0, length = 0.0;
  for (int i = 0; i < group->n_cells; i++) {
    const int *edge = mesh->edge + 2 * group->cell[i];
    const double *a = mesh->x + 2 * edge[0], *b = mesh->x + 2 * edge[1];
    facing += (b[1] - a[1]) * normal[0] - (b[0] - a[0]) * normal[1];
    length += hypot(b[0] - a[0], b[1] - a[1]);
  }
  return facing > 1e-9 * length;
}

static const char *contact_name(const void *self, int k) {
  const prc_fem_model *model = prc_fem_get_model(self);
  return k < model->n_contacts ? model->contact[k].name : model->interface[k - model->n_contacts].name;
}

/* ---- supports and probes ---------------------------------------------------------------------------- */

static int supports(const void *self) {
  return prc_fem_get_model(self)->n_supports;
}

static int support_rows(const void *self, int k, const int **rows) {
  return prc_fem_support_rows(self, k, rows);
}

static int direction(const void *self, int row) {
  return prc_fem_system(self)->drive.dof[row] % 2;
}

static int grounds(const void *self) {
  return prc_fem_get_model(self)->n_springs;
}

static void ground(const void *self, int k, const double *q, double force[2]) {
  prc_fem_spring_force(self, k, q, force);
}

static int locate(const void *self, const double x[2], prc_view_place *place) {
  prc_mesh own =
      *mesh_of(self); /* its own cells alone: of a point on an edge one rank at least says it has it */
  own.n_cells = prc_mesh_own_cells(&own);
  place->cell = prc_mesh_locate(&own, x[0], x[1], place->weight);
  return place->cell >= 0;
}

/* By the shape functions of the cell. */
static void probe(const void *self, const prc_view_place *place, const double *q, const double *v,
                  double row[4]) {
  const prc_mesh *mesh = mesh_of(self);
  const double *weight = place->weight;
  memset(row, 0, 4 * sizeof *row);
  for (int i = mesh->cell_start[place->cell]; i < mesh->cell_start[place->cell + 1]; i++, weight++)
    for (int k = 0; k < 2; k++) {
      const int dof = 2 * mesh->cell[i] + k;
      row[k] += *weight * q[dof];
      row[2 + k] += *weight * v[dof];
    }
}

static void probe_stress(const void *self, const prc_view_place *place, const double *q, double row[7]) {
  prc_fem_stress_at(self, place->cell, place->weight, q, row, row + 4);
}

/* ---- materials -------------------------------------------------------------------------------------- */

static int materials(const void *self) {
  return prc_fem_get_model(self)->n_materials;
}

static prc_view_material material(const void *self, int k) {
  const prc_fem_model *model = prc_fem_get_model(self);
  const prc_fem_material *m = &model->material[k];
  const prc_fem_law *law = m->law ? m->law : prc_fem_laws()[0];
  double longitudinal, shear;
  law->moduli(m, model->plane, &longitudinal, &shear);
  return (prc_view_material){m->group->name, m->density, shear};
}

static void mark_regions(const void *self, const char *regions, char *wanted) {
  const prc_mesh *mesh = mesh_of(self);
  for (int g = 0; g < mesh->n_groups; g++)
    for (int k = 0; k < mesh->group[g].n_cells; k++)
      if (mesh->group[g].dim == 2 && (!regions || prc_is_listed(regions, mesh->group[g].name)))
        wanted[mesh->group[g].cell[k]] = mesh->group[g].cell[k] < prc_mesh_own_cells(mesh);
}

/* ---- the start, and distances ----------------------------------------------------------------------- */

static prc_status velocity(const void *self, const prc_field given[2], double *v, prc_error *err) {
  const prc_mesh *mesh = mesh_of(self);
  for (int a = 0; a < mesh->n_nodes; a++)
    for (int k = 0; k < 2; k++) {
      const double *x = mesh->x + 2 * a;
      const prc_status status = prc_field_eval(&given[k], x[0], x[1], 0.0, &v[2 * a + k], err);
      if (status != PRC_OK) return status;
    }
  return PRC_OK;
}

/* "'floor' (3 of 20 points pull, 5 need more friction than there is)" of contacts that the equilibrium holds against their law. */
static prc_status equilibrium(const void *self, int with_loads, double *q, char *held, size_t size,
                              prc_error *err) {
  const prc_fem_model *model = prc_fem_get_model(self);
  prc_fem_held *of = NULL;
  prc_status status = PRC_OK;
  held[0] = '\0';
  prc_try(prc_new(&of, model->n_contacts + model->n_interfaces, err));
  prc_try(prc_fem_equilibrium(self, with_loads, q, of, err));
  for (int k = 0; k < model->n_contacts + model->n_interfaces; k++) {
    const char *name =
        k < model->n_contacts ? model->contact[k].name : model->interface[k - model->n_contacts].name;
    if (of[k].pulled + of[k].beyond == 0) continue;
    prc_append(held, size, "%s'%.60s' (of %d points %d pull and %d need more friction than there is)",
               held[0] ? ", " : "", name, of[k].n, of[k].pulled, of[k].beyond);
  }
done:
  prc_delete(&of);
  return status;
}

static prc_status errors(const void *self, const prc_body_exact *exact, double t, const double *q,
                         const double *v, prc_body_norms *error, prc_body_norms *size, prc_error *err) {
  return prc_fem_errors(self, exact, t, q, v, error, size, err);
}

static prc_status compare_with(const void *coarse, const void *fine, prc_body_comparison **out,
                               prc_error *err) {
  return prc_fem_comparison_create(coarse, fine, out, err);
}

static uint64_t groups(const void *self) {
  return prc_mesh_groups_hash(mesh_of(self));
}

const prc_body_view prc_body_view_mesh = {.one = "nodes",
                                          .many = "nodes",
                                          .describe = describe,
                                          .describe_step = describe_step,
                                          .describe_held = describe_held,
                                          .sizes = sizes,
                                          .memory = memory,
                                          .fingerprint = fingerprint,
                                          .point_name = point_name,
                                          .point_number = point_number,
                                          .is_prescribed = is_prescribed,
                                          .faces_away = faces_away,
                                          .contact_name = contact_name,
                                          .supports = supports,
                                          .support_rows = support_rows,
                                          .direction = direction,
                                          .grounds = grounds,
                                          .ground = ground,
                                          .locate = locate,
                                          .probe = probe,
                                          .probe_stress = probe_stress,
                                          .materials = materials,
                                          .material = material,
                                          .mark_regions = mark_regions,
                                          .courant = courant,
                                          .energies = prc_mesh_view_energies,
                                          .groups = groups,
                                          .body_names = prc_mesh_view_body_names,
                                          .lines = prc_mesh_view_lines,
                                          .line_size = prc_mesh_view_line_size,
                                          .line_areas = prc_mesh_view_line_areas,
                                          .line_places = prc_mesh_view_line_places,
                                          .line_candidate = prc_mesh_view_line_candidate,
                                          .line_carrier = prc_mesh_view_line_carrier,
                                          .line_point = prc_mesh_view_line_point,
                                          .fields = prc_mesh_view_fields,
                                          .update = prc_mesh_view_update,
                                          .velocity = velocity,
                                          .equilibrium = equilibrium,
                                          .errors = errors,
                                          .compare_with = compare_with,
                                          .compare = prc_fem_compare,
                                          .compare_free = prc_fem_comparison_free};
