#include "config.h"
#include "base/order.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static void print_elements(const prc_mesh *mesh) {
  int n;
  const prc_element *const *element = prc_elements(&n);
  const char *before = " (";
  for (int k = 0; k < n; k++) {
    const int count = count_of(mesh, element[k]);
    if (count == 0) continue;
    printf("%s%d %s", before, count, element[k]->name);
    before = ", ";
  }
  printf(")");
}

static void print_group(const prc_mesh *mesh, const prc_mesh_group *group) {
  const int curve = group->dim == 1;
  cli_print(stdout, "          %s '%s': %d nodes, %d %s, %s %.9g\n", curve ? "curve" : "surface", group->name,
            group->n_nodes, group->n_cells, curve ? "edges" : word_for_cells(mesh), curve ? "length" : "area",
            measure_of(mesh, group));
}

static void print_mesh(const prc_case *c, const prc_mesh *mesh) {
  cli_print(stdout, "mesh      %s: %d nodes, %d %s", c->mesh.file, mesh->n_nodes, mesh->n_cells,
            word_for_cells(mesh));
  print_elements(mesh);
  if (mesh->n_turned > 0) printf(", %d of them clockwise and turned", mesh->n_turned);
  if (mesh->n_unused > 0) printf(", %d nodes unused", mesh->n_unused);
  printf("\n          from (%g, %g) to (%g, %g)\n", mesh->low[0], mesh->low[1], mesh->high[0], mesh->high[1]);
  for (int g = 0; g < mesh->n_groups; g++) print_group(mesh, &mesh->group[g]);
}

static void print_time(const prc_case *c) {
  if (c->time.quasi_static) {
    printf("time      quasi-static: %d load steps of %g to t = %g\n", c->time.n_steps, c->time.step,
           c->time.end);
    return;
  }
  printf("time      %d steps of %g to t = %g, theta = %g, %s law\n", c->time.n_steps, c->time.step,
         c->time.end, c->time.theta, c->time.law == PRC_IMPACT_FREMOND ? "Fremond" : "Newton");
}

static void print_material(const prc_case_material *m, double mass) {
  cli_print(stdout, "material  '%s':", m->group);
  if (strcmp(m->law, PRC_FEM_DEFAULT_LAW) != 0) printf(" %s,", m->law);
#define PARAMETER(name, symbol, dimension, low, high, open_low, open_high, help)                             \
  if (prc_fem_law_has(m->values.law, #name)) printf(" " symbol " = %g,", m->values.name);
  PRC_FEM_PARAMETERS(PARAMETER)
#undef PARAMETER
  printf(" rho = %g, mass %.9g\n", m->values.density, mass);
}

static void print_materials(const prc_case *c, const prc_model *model) {
  static const char *const plane[] = {[PRC_PLANE_STRESS] = "plane stress, ",
                                      [PRC_PLANE_STRAIN] = "plane strain, ",
                                      [PRC_AXISYMMETRIC] = "axisymmetric (x the radius), whole rings, "};
  static const char *const mass[] = {
      [PRC_MASS_CONSISTENT] = "consistent", [PRC_MASS_LUMPED] = "lumped", [PRC_MASS_MODIFIED] = "modified"};
  const prc_fem_facts facts = prc_fem_get_facts(model->fem);
  printf("model     %s", plane[c->model.plane]);
  if (c->model.plane != PRC_AXISYMMETRIC) printf("thickness %g, ", c->model.thickness);
  printf("%s mass, damping C = %g M + %g K\n", mass[c->model.mass], c->model.damping_mass,
         c->model.damping_stiffness);
  for (int m = 0; m < c->n_materials; m++)
    print_material(&c->material[m], prc_fem_material_mass(model->fem, m));
  printf("          in all: area %.9g, mass %.9g, centre of mass (%.6g, %.6g)\n", facts.area, facts.mass,
         facts.first_moment[0] / facts.mass, facts.first_moment[1] / facts.mass);
  printf("          wave speeds: longitudinal %.6g, shear %.6g\n", facts.speed_p, facts.speed_s);
  printf("          small strains: a cell that turns by 1 degree is noted%s\n",
         c->model.rotations_accepted ? ", larger rotations are accepted"
                                     : ", one that turns by 5 degrees fails the certificate");
  print_time(c);
  if (c->time.quasi_static) return;
  printf("          CFL number %.3g (step x speed / smallest height of a cell; the scheme is stable "
         "beyond 1)\n",
         c->time.step / facts.cfl_step);
}

static void print_bodies(const prc_case *c) {
  for (int b = 0; b < c->n_bodies; b++) {
    const prc_case_body *body = &c->body[b];
    cli_print(stdout, "body      '%s': mass %.9g, inertia %.9g, centre of mass (%g, %g), angle %g\n",
              body->name, body->mass, body->inertia, body->position[0], body->position[1], body->angle);
    printf("          velocity (%g, %g), spin %g", body->velocity[0], body->velocity[1], body->spin);
    if (body->radius > 0.0) printf(", a disc of radius %g", body->radius);
    if (body->n_points > 0) printf(", a polygon of %d corners", body->n_points);
    printf("\n");
  }
}

static int is_prescribed(const prc_system *system, int dof) {
  return bsearch(&dof, system->drive.dof, (size_t)system->drive.n, sizeof dof, prc_by_int) != NULL;
}

typedef double coefficient(const prc_law *law);
static double friction_of(const prc_law *law) {
  const double state[PRC_LAW_STATE] = {0.0};
  return prc_law_friction_at(law, state, 0.0);
}
static double restitution_of(const prc_law *law) {
  return law->e;
}
static double tangential_of(const prc_law *law) {
  return law->e_t;
}

/* "0.5", or "0.2 to 0.5" where it varies over n values */
static void print_range(const char *name, int n, const double *value) {
  double low = value[0], high = value[0];
  for (int k = 1; k < n; k++) low = fmin(low, value[k]), high = fmax(high, value[k]);
  printf("%s %g", name, low);
  if (high > low) printf(" to %g", high);
}

static void print_law(const char *name, int n, const prc_law *const *law, coefficient *value) {
  double ends[] = {value(law[0]), value(law[0])};
  for (int k = 1; k < n; k++) ends[0] = fmin(ends[0], value(law[k])), ends[1] = fmax(ends[1], value(law[k]));
  print_range(name, 2, ends);
}

/* Nodes that may touch and are prescribed as well: there it is the support that decides. */
static void print_prescribed(const prc_model *model, int first, int end) {
  int count = 0;
  for (int k = first; k < end; k++) {
    const int node = prc_fem_contact_nodes(model->fem)[k];
    count += is_prescribed(model->system, 2 * node) || is_prescribed(model->system, 2 * node + 1);
  }
  if (count > 0)
    printf("          %d of these nodes have a prescribed displacement as well: there it is the support that "
           "decides\n",
           count);
}

static void print_contact(const prc_case *c, const prc_model *model, const prc_contact_set *set, int g) {
  const prc_case_contact *contact = &c->contact_group[g];
  const int first = prc_model_contact_first(model, g), end = prc_model_contact_first(model, g + 1);
  cli_print(stdout, "contact   '%s': %d %s of '%s' against the plane through (%g, %g) with normal (%g, %g)\n",
            contact->name, end - first,
            model->fem        ? "nodes"
            : end - first > 1 ? "points"
                              : "point",
            model->fem ? contact->group : contact->body, contact->point[0], contact->point[1],
            contact->normal[0], contact->normal[1]);
  if (end == first) return;
  const prc_law *const *law = set->law + first;
  print_law("          friction", end - first, law, friction_of);
  print_law(", restitution", end - first, law, restitution_of);
  if (!model->fem) print_law(", tangential", end - first, law, tangential_of);
  printf("\n");
  if (model->fem) print_prescribed(model, first, end);
}

static double memory_of(const cli_run_state *run) {
  const prc_mesh *mesh = run->model->mesh;
  const size_t of_mesh =
      mesh ? (size_t)mesh->n_nodes * 300 + (size_t)mesh->cell_start[mesh->n_cells] * 40 : 0;
  return 60.0 + 1e-6 * (double)(prc_stepper_facts(run->stepper).bytes + of_mesh);
}

static void print_stepper(const cli_run_state *run) {
  const prc_step_facts facts = prc_stepper_facts(run->stepper);
  const prc_step_options *used = prc_stepper_options(run->stepper);
  printf("solver    %d unknowns, %d of them prescribed, %d touched by contact; ", run->system->space.nv,
         run->system->drive.n, facts.linear.n_touched);
  if (strcmp(facts.linear.name, "iterative") == 0)
    printf("conjugate gradients, about %d products a step\n", facts.linear.products);
  else if (strcmp(facts.linear.name, "umfpack") == 0)
    printf("factors of %zu entries by UMFPACK\n", facts.linear.entries);
  else
    printf("factor of %zu entries (%s)\n", facts.linear.entries, facts.linear.ordering);
  if (facts.linear.products > 0) /* both ways were looked at */
    printf(
        "          a step reads and writes about %.3g MB with a factor, %.3g MB with conjugate gradients\n",
        1e-6 * facts.linear.traffic_factor, 1e-6 * facts.linear.traffic_iteration);
  if (cli_is_static(used))
    printf("          contact tolerance %g, all candidates are in the contact problem\n",
           used->cone.tolerance);
  else
    printf("          contact tolerance %g, active when gap <= %.3g and normal velocity <= %.3g\n",
           used->cone.tolerance, used->gap_tolerance, used->velocity_tolerance);
  printf("memory    about %.3g MB\n", memory_of(run));
}

/* What only contact and the drag of model.damping.mass hold when there is no inertia. */
static prc_status print_free_bodies(const cli_run_state *run, prc_error *err) {
  prc_fem_free_body *list = NULL;
  char text[512];
  int n = 0;
  if (!run->c->time.quasi_static) return PRC_OK;
  const prc_status status = prc_fem_free_bodies(run->model->fem, &n, &list, err);
  for (int k = 0; k < n; k++) {
    prc_fem_free_body_text(&list[k], text, sizeof text);
    cli_print(stdout, "held      only by contact: %s; regularised by the drag %g M v\n", text,
              run->c->model.damping_mass);
  }
  if (n == 0 && status == PRC_OK) printf("held      every body, by its supports\n");
  prc_delete(&list);
  return status;
}

static int is_given(const prc_field *field) {
  return field->eval || field->constant != 0.0;
}

static void print_load(const prc_case_load *load) {
  const int pressure = is_given(&load->pressure),
            traction = is_given(&load->traction[0]) || is_given(&load->traction[1]);
  cli_print(stdout, "load      '%s': %s on '%s'\n", load->name,
            !pressure  ? "traction"
            : traction ? "traction and pressure"
                       : "pressure",
            load->group);
}

static void print_model(const cli_run_state *run) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  const prc_case *c = run->c;
  const prc_model *model = run->model;
  cli_print(stdout, "case      %s (%s)\n", c->name, c->path);
  if (model->mesh) {
    print_mesh(c, model->mesh);
    print_materials(c, model);
  } else {
    print_bodies(c);
    print_time(c);
  }
  for (int g = 0; g < c->n_contacts; g++) print_contact(c, model, set, g);
  for (int s = 0; s < c->n_supports; s++) {
    const int *rows;
    cli_print(stdout, "support   '%s': %s%s of '%s', %d unknowns\n", c->support[s].name,
              c->support[s].held[0] ? "x" : "", c->support[s].held[1] ? "y" : "", c->support[s].group,
              prc_fem_support_rows(model->fem, s, &rows));
  }
  for (int l = 0; l < c->n_loads; l++) print_load(&c->load[l]);
  print_stepper(run);
}

static void print_gaps(const cli_run_state *run) {
  const double *gap = prc_stepper_record(run->stepper)->gap;
  for (int g = 0; g < run->c->n_contacts; g++) {
    const int first = prc_model_contact_first(run->model, g),
              n = prc_model_contact_first(run->model, g + 1) - first;
    cli_print(stdout, "start     '%s':", run->c->contact_group[g].name);
    if (n > 0) print_range(" gap", n, gap + first);
    printf("\n");
  }
}

/* The initial state comes last: where it is refused, what is printed before helps to see why. */
static prc_status check(const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  cli_run_state run = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_try(cli_run_read(&run, o, &c, &model, err));
  prc_try(cli_run_build(&run, err));
  print_model(&run);
  prc_try(print_free_bodies(&run, err));
  fflush(stdout);
  prc_try(cli_run_initial_state(&run, err));
  prc_try(cli_run_start(&run, err));
  print_gaps(&run);
done:
  cli_run_free(&run, &c, &model);
  return status;
}

static int check_command(int argc, char **argv) {
  cli_options o;
  prc_error err = {0};
  int status = cli_parse(&cli_check, "csnC", argc, argv, &o);
  if (status < 0) {
    cli_catch_interrupts(CLI_STOPPED, CLI_FAILED);
    status = check(&o, &err) == PRC_OK ? CLI_DONE : cli_report(&err);
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_check = {"check", "CASE.yaml [--set KEY=VALUE]... [--commands]",
                               "validates a case and prints what was understood", check_command};
