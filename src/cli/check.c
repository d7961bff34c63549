#include "config.h"
#include "cli/cli.h"

#include <stdio.h>

static void print_mesh(const prc_case *c, const prc_mesh *mesh) {
  printf("mesh      %s: %d nodes, %d triangles", c->mesh.file, mesh->n_nodes, mesh->n_cells);
  if (mesh->n_turned > 0) printf(", %d of them clockwise and turned", mesh->n_turned);
  if (mesh->n_unused > 0) printf(", %d nodes unused", mesh->n_unused);
  printf("\n          from (%g, %g) to (%g, %g)\n", mesh->low[0], mesh->low[1], mesh->high[0], mesh->high[1]);
  for (int g = 0; g < mesh->n_groups; g++)
    printf("          %s '%s': %d nodes, %d %s\n", mesh->group[g].dim == 1 ? "curve" : "surface",
           mesh->group[g].name, mesh->group[g].n_nodes, mesh->group[g].n_cells,
           mesh->group[g].dim == 1 ? "edges" : "triangles");
}

static void print_materials(const prc_case *c, const prc_model *model) {
  const prc_fem_facts facts = prc_fem_get_facts(model->fem);
  printf("model     plane %s, thickness %g, %s mass, damping C = %g M + %g K\n",
         c->model.plane_strain ? "strain" : "stress", c->model.thickness,
         c->model.lumped ? "lumped" : "consistent", c->model.damping_mass, c->model.damping_stiffness);
  for (int m = 0; m < c->n_materials; m++)
    printf("material  '%s': E = %g, nu = %g, rho = %g\n", c->material[m].group, c->material[m].young,
           c->material[m].poisson, c->material[m].density);
  printf("          area %.9g, mass %.9g, centre of mass (%.6g, %.6g)\n", facts.area, facts.mass,
         facts.first_moment[0] / facts.mass, facts.first_moment[1] / facts.mass);
  printf("          wave speeds: longitudinal %.6g, shear %.6g\n", facts.speed_p, facts.speed_s);
  printf("time      %d steps of %g to t = %g, theta = %g, %s law\n", c->time.n_steps, c->time.step,
         c->time.end, c->time.theta, c->time.fremond ? "Fremond" : "Newton");
  printf("          CFL number %.3g (step x speed / smallest height of a triangle; the scheme is stable "
         "beyond 1)\n",
         c->time.step / facts.cfl_step);
}

static int is_prescribed(const prc_system *system, int dof) {
  int low = 0, high = system->n_prescribed;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (system->prescribed[middle] < dof)
      low = middle + 1;
    else
      high = middle;
  }
  return low < system->n_prescribed && system->prescribed[low] == dof;
}

static void print_contact(const prc_case *c, const prc_model *model, int g) {
  const prc_system *system = prc_fem_system(model->fem);
  const prc_case_contact *contact = &c->contact_group[g];
  const int first = prc_fem_contact_first(model->fem, g), end = prc_fem_contact_first(model->fem, g + 1);
  double mu[2] = {system->mu[first], system->mu[first]}, e[2] = {system->e[first], system->e[first]};
  int prescribed = 0;
  for (int k = first; k < end; k++) {
    const int node = prc_fem_contact_nodes(model->fem)[k];
    prescribed += is_prescribed(system, 2 * node) || is_prescribed(system, 2 * node + 1);
    if (system->mu[k] < mu[0]) mu[0] = system->mu[k];
    if (system->mu[k] > mu[1]) mu[1] = system->mu[k];
    if (system->e[k] < e[0]) e[0] = system->e[k];
    if (system->e[k] > e[1]) e[1] = system->e[k];
  }
  printf("contact   '%s': %d nodes of '%s' against the plane through (%g, %g) with normal (%g, %g)\n",
         contact->name, end - first, contact->group, contact->point[0], contact->point[1], contact->normal[0],
         contact->normal[1]);
  printf("          friction %g", mu[0]);
  if (mu[1] > mu[0]) printf(" to %g", mu[1]);
  printf(", restitution %g", e[0]);
  if (e[1] > e[0]) printf(" to %g", e[1]);
  printf("\n");
  if (prescribed > 0)
    printf("          %d of these nodes have a prescribed displacement as well: there it is the support that "
           "decides\n",
           prescribed);
}

static prc_status print_stepper(const prc_case *c, const prc_model *model, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = prc_fem_system(model->fem);
  const prc_step_options options = cli_step_options(c);
  prc_stepper *stepper = NULL;
  prc_try(prc_stepper_create(system, &options, &stepper, err));
  const prc_step_facts facts = prc_stepper_facts(stepper);
  const prc_step_options *used = prc_stepper_options(stepper);
  printf("solver    %d unknowns, %d of them prescribed, %d touched by contact; factor of %zu entries (%s)\n",
         system->n_dof, system->n_prescribed, facts.n_tail, facts.factor_entries, facts.ordering);
  printf("          contact tolerance %g, active when gap <= %.3g and normal velocity <= %.3g\n",
         used->cone.tolerance, used->gap_tolerance, used->velocity_tolerance);
  printf(
      "memory    about %.3g MB\n",
      1e-6 * (double)(facts.bytes + (size_t)model->mesh->n_nodes * 300 + (size_t)model->mesh->n_cells * 120)
          + 60.0);
done:
  prc_stepper_free(&stepper);
  return status;
}

static prc_status print_model(const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_try(prc_case_read(o->case_path, o->n_set, o->set, &c, err));
  prc_try(prc_case_build(c, &cli_log, &model, err));
  printf("case      %s (%s)\n", c->name, c->path);
  print_mesh(c, model->mesh);
  print_materials(c, model);
  for (int g = 0; g < c->n_contacts; g++) print_contact(c, model, g);
  for (int s = 0; s < c->n_supports; s++) {
    const int *rows;
    printf("support   '%s': %s%s of '%s', %d unknowns\n", c->support[s].name,
           c->support[s].held[0] ? "x" : "", c->support[s].held[1] ? "y" : "", c->support[s].group,
           prc_fem_support_rows(model->fem, s, &rows));
  }
  for (int l = 0; l < c->n_loads; l++)
    printf("load      '%s': traction on '%s'\n", c->load[l].name, c->load[l].group);
  prc_try(print_stepper(c, model, err));
done:
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

static int check_command(int argc, char **argv) {
  cli_options o;
  prc_error err = {0};
  int status = cli_parse(&cli_check, "cs", argc, argv, &o);
  if (status < 0) status = print_model(&o, &err) == PRC_OK ? CLI_DONE : cli_report(&err);
  cli_options_free(&o);
  return status;
}

const cli_command cli_check = {"check", "CASE.yaml [--set KEY=VALUE]...",
                               "validates a case and prints what was understood", check_command};
