#include "config.h"
#include "cli/continued.h"
#include "step/schemes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "1000 steps of 0.001"; "steps from 0.001 on, ... to" */
static void print_steps(const prc_case *c, const char *load) {
  if (!(c->time.longest > 0.0)) {
    printf("%d %ssteps of %g to t = %g", c->time.n_steps, load, c->time.step, c->time.end);
    return;
  }
  printf("%ssteps that vary, from %g up to %g, growing by %g at most", load, c->time.step, c->time.longest,
         c->time.growth);
  if (c->time.per_slip > 0.0) printf(", %g of the length of friction in one", c->time.per_slip);
  printf(", to t = %g", c->time.end);
}

static void print_time(const prc_case *c) {
  if (c->time.quasi_static) {
    printf("time      quasi-static: ");
    print_steps(c, "load ");
    printf("\n");
    return;
  }
  const unsigned takes = prc_step_scheme_options(c->time.scheme);
  printf("time      ");
  print_steps(c, "");
  if (strcmp(c->time.scheme, PRC_STEP_DEFAULT_SCHEME) != 0) printf(", %s", c->time.scheme);
  if (takes & PRC_OPTION_RHO) printf(", rho = %g", c->time.rho);
  if (takes & PRC_OPTION_THETA) printf(", theta = %g", c->time.theta);
  const int deforms = c->mesh.file || c->n_beams > 0;
  if (c->time.bulk == PRC_BULK_MIDDLE)
    printf(deforms ? " of what deforms, and of friction between bodies" : " of friction alone");
  if (c->time.bulk == PRC_BULK_THETA ? (takes & PRC_OPTION_LAW) != 0 : deforms)
    printf(", %s law", c->time.law == PRC_IMPACT_FREMOND ? "Fremond" : "Newton");
  if (takes & PRC_OPTION_JOINTS && c->time.joints == PRC_JOINTS_VELOCITY) printf(", joints by velocities");
  if (takes & PRC_OPTION_LOADS && c->time.loads == PRC_LOADS_SAMPLED) printf(", loads at the ends of steps");
  if (takes & PRC_OPTION_DIRECTIONS && c->contact.directions != PRC_DIRECTIONS_CENTRE)
    printf(", directions of the %s",
           c->contact.directions == PRC_DIRECTIONS_START ? "start of a step" : "middle of a step");
  if (takes & PRC_OPTION_PREDICTION && c->contact.prediction != PRC_PREDICT_PRESENT)
    printf(", gaps %s",
           c->contact.prediction == PRC_PREDICT_FREE ? "of the step without contact" : "at q + h v");
  if (takes & PRC_OPTION_SLIP_DIRECTION && c->contact.slip_direction == PRC_SLIP_MEAN)
    printf(", friction against the mean slip");
  printf("\n");
}

/* The law of Fremond stops the mean of slip: what an impact catches goes back with (1 - theta) / theta of it. */
static void print_thrown_back(const prc_case *c) {
  const unsigned takes = prc_step_scheme_options(c->time.scheme);
  int rubs = 0;
  if (c->time.quasi_static || !(takes & PRC_OPTION_LAW) || c->time.law != PRC_IMPACT_FREMOND) return;
  if (c->time.bulk == PRC_BULK_MIDDLE ? c->time.theta > 0.5 : c->time.theta == 1.0) return;
  for (int k = 0; k < c->n_contacts && c->n_bodies > 0; k++) {
    const prc_law_fields *friction = &c->contact_group[k].friction;
    rubs |= friction->law != prc_frictions()[0] || friction->parameter[0].eval != NULL
            || friction->parameter[0].constant != 0.0;
  }
  if (rubs)
    printf("          what friction catches in an impact is thrown back along it, by (1 - theta) / theta = "
           "%g (theta: 1 "
           "or law: newton: it is not)\n",
           (1.0 - c->time.theta) / c->time.theta);
}

/* Lines about the bodies. How they move in time stands behind the lines of time. */
static void print_bodies(const prc_case *c, const prc_model *model) {
  char files[1024] = "";
  for (int i = 0; i < c->mesh.n_files; i++)
    prc_append(files, sizeof files, "%s%s", i > 0 ? ", " : "", c->mesh.files[i]);
  const prc_view_words words = {.file = files, .rotations_accepted = c->model.rotations_accepted};
  const prc_text to = cli_text(stdout);
  const prc_body *body;
  const int n = prc_scene_bodies(model->scene, &body);
  for (int b = 0; b < n; b++) body[b].kind->view->describe(body[b].self, &words, &to);
  print_time(c);
  print_thrown_back(c);
  for (int b = 0; b < n && !c->time.quasi_static; b++)
    if (body[b].kind->view->describe_step)
      body[b].kind->view->describe_step(body[b].self, fmax(c->time.step, c->time.longest), &to);
}

typedef double coefficient(const prc_law *law);
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

/* The candidates of contact g of the case: their places in the set, `place` having room for all. */
static int list_candidates(const prc_model *model, const prc_contact_set *set, int g, int *place) {
  int n = 0;
  for (int c = 0; c < set->n; c++)
    if (prc_model_contact_of(model, set, c) == g) place[n++] = c;
  return n;
}

static void print_law(const char *name, const prc_contact_set *set, int n, const int *place,
                      coefficient *value) {
  double ends[] = {value(set->law[place[0]]), value(set->law[place[0]])};
  for (int k = 1; k < n; k++) {
    const double now = value(set->law[place[k]]);
    ends[0] = fmin(ends[0], now), ends[1] = fmax(ends[1], now);
  }
  print_range(name, 2, ends);
}

static void print_parameter(const prc_contact_set *set, int n, const int *place, int k, const char *name) {
  double ends[] = {set->law[place[0]]->parameter[k], set->law[place[0]]->parameter[k]};
  for (int i = 1; i < n; i++) {
    const double now = set->law[place[i]]->parameter[k];
    ends[0] = fmin(ends[0], now), ends[1] = fmax(ends[1], now);
  }
  const char *words = set->law[place[0]]->friction->words ? set->law[place[0]]->friction->words[k] : NULL;
  if (!words) {
    print_range(name, 2, ends);
    return;
  }
  for (int skip = (int)ends[0]; skip > 0 && strchr(words, '|'); skip--) words = strchr(words, '|') + 1;
  printf("%s %.*s", name, (int)strcspn(words, "|"), words);
}

/* "friction 0.5" of Coulomb's law; "friction slip-weakening: static 0.6, kinetic 0.5" of the others. */
static void print_friction(const prc_contact_set *set, int n, const int *place) {
  const prc_friction *law = set->law[place[0]]->friction;
  printf("          ");
  if (law == prc_frictions()[0]) {
    print_parameter(set, n, place, 0, "friction");
    return;
  }
  printf("friction %s", law->name);
  for (int k = 0; k < law->n_parameters; k++) {
    printf(k > 0 ? ", " : ": ");
    print_parameter(set, n, place, k, law->parameter[k]);
  }
}

/* Smallest gaps between bodies and at interfaces. Nodes of an interface with nothing under them do not
 * count. */
static prc_status print_laws_of(const cli_run_state *run, int g, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case_contact *contact = &run->c->contact_group[g];
  prc_law *law = NULL;
  const prc_law **of = NULL;
  int n, *place = NULL;
  prc_try(prc_model_laws(run->c, run->model, g, &n, &law, err));
  prc_try(prc_new(&of, n, err));
  prc_try(prc_new(&place, n, err));
  for (int k = 0; k < n; k++) of[k] = &law[k], place[k] = k;
  const prc_contact_set set = {.n = n, .law = of};
  print_friction(&set, n, place);
  print_law(", restitution", &set, n, place, restitution_of);
  if (!contact->interface) print_law(", tangential", &set, n, place, tangential_of);
  if (contact->drilling > 0.0) printf(", drilling on a radius of %g", contact->drilling);
  if (contact->from_start) printf("; gaps from the start");
  if (contact->interference > 0.0) printf(" less an interference of %g", contact->interference);
  printf("\n");
done:
  prc_delete(&law);
  prc_delete(&of);
  prc_delete(&place);
  return status;
}

/* Points that may touch and are prescribed as well: there it is the support that decides. */
static void print_prescribed(const prc_body *body, const prc_contact_set *set, int n, const int *place) {
  const prc_body_view *view = body->kind->view;
  int count = 0;
  for (int k = 0; view->is_prescribed && k < n; k++)
    count += view->is_prescribed(body->self, (int)set->id[place[k]].feature_b);
  if (count > 0)
    printf("          %d of these %s have a prescribed displacement as well: there it is the support that "
           "decides\n",
           count, view->many);
}

/* Does law bear this shear under this compression, before it slips? What depends on the speed is not judged: it always slips. */
static int bears(const prc_law *law, double normal, double shear) {
  double state[PRC_LAW_STATE] = {0.0};
  if (law->friction->of_speed) return 1;
  if (law->friction->start) law->friction->start(law->parameter, state);
  return fabs(shear) <= prc_law_friction_at(law, state, 0.0) * fmax(normal, 0.0) * (1.0 + 1e-12);
}

/* Traction that holds two sides at the start, over the nodes of the touching side, and the places where it
 * slips at once. */
static prc_status print_prestress(const cli_run_state *run, int g, prc_error *err) {
  prc_status status = PRC_OK;
  prc_law *law = NULL;
  double *value[2] = {NULL, NULL};
  int n, beyond = 0;
  prc_try(prc_model_laws(run->c, run->model, g, &n, &law, err));
  for (int i = 0; i < 2; i++) prc_try(prc_new(&value[i], n, err));
  prc_try(prc_model_prestress(run->c, run->model, g, value, err));
  for (int k = 0; k < n; k++) beyond += !bears(&law[k], value[0][k], value[1][k]);
  print_range("          prestress normal", n, value[0]);
  print_range(", shear", n, value[1]);
  if (beyond > 0) printf("; beyond what friction bears at %d of %d nodes, which slip at once", beyond, n);
  printf("\n");
done:
  prc_delete(&law);
  prc_delete(&value[0]);
  prc_delete(&value[1]);
  return status;
}

static prc_status print_interface(const cli_run_state *run, int g, prc_error *err) {
  const prc_case_contact *contact = &run->c->contact_group[g];
  cli_print(stdout, "contact   '%s': '%s' against '%s'%s\n", contact->name, contact->curve[1],
            contact->curve[0], contact->small ? ", small sliding" : "");
  const prc_status status = print_laws_of(run, g, err);
  const prc_text to = cli_text(stdout);
  prc_model_describe_sides(run->c, run->model, g, &to);
  if (status != PRC_OK || !contact->prestress_given) return status;
  return print_prestress(run, g, err);
}

static prc_status print_contact(const cli_run_state *run, const prc_contact_set *set, int g, int *place,
                                prc_error *err) {
  const prc_case_contact *contact = &run->c->contact_group[g];
  const int n = list_candidates(run->model, set, g, place);
  int item;
  if (contact->pairs) {
    cli_print(stdout, "contact   '%s': %d of '%s' against %d of '%s'\n", contact->name, contact->n_side[1],
              contact->between[1], contact->n_side[0], contact->between[0]);
    return print_laws_of(run, g, err);
  }
  if (contact->shapes) {
    cli_print(stdout, "contact   '%s': the curve '%s' against the shapes of %d of '%s'\n", contact->name,
              contact->group, contact->n_side[0],
              contact->between[contact->group == contact->between[0] ? 1 : 0]);
    return print_laws_of(run, g, err);
  }
  if (contact->is_ordered) {
    cli_print(stdout, "contact   '%s': %d of '%s', each against the next along (%g, %g)\n", contact->name,
              contact->n_side[0], contact->between[0], contact->ordered[0], contact->ordered[1]);
    return print_laws_of(run, g, err);
  }
  const prc_body *body = prc_view_body_of(run->model->scene, n > 0 ? set->body[2 * place[0] + 1] : 0, &item);
  cli_print(stdout, "contact   '%s': %d %s of '%s' against ", contact->name, n,
            n > 1 ? body->kind->view->many : body->kind->view->one,
            contact->beam >= 0 ? run->c->beam[contact->beam].name
            : contact->group   ? contact->group
                               : contact->body);
  if (contact->between[0])
    cli_print(stdout, "'%s'\n", contact->between[0]);
  else
    cli_print(stdout, "the plane through (%g, %g) with normal (%g, %g)\n", contact->point[0],
              contact->point[1], contact->normal[0], contact->normal[1]);
  if (n == 0) return PRC_OK;
  print_friction(set, n, place);
  print_law(", restitution", set, n, place, restitution_of);
  if (body->kind->view->tangential_restitution || contact->tangential_restitution != 0.0)
    print_law(", tangential", set, n, place, tangential_of);
  printf("\n");
  print_prescribed(body, set, n, place);
  return PRC_OK;
}

static double memory_of(const cli_run_state *run) {
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  size_t of_bodies = 0;
  for (int b = 0; b < n; b++)
    if (body[b].kind->view->memory) of_bodies += body[b].kind->view->memory(body[b].self);
  return 60.0 + 1e-6 * (double)(prc_stepper_facts(run->stepper).bytes + of_bodies);
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
  else if (strcmp(facts.linear.name, "diagonal") == 0)
    printf("a diagonal matrix\n");
  else
    printf("factor of %zu entries (%s)\n", facts.linear.entries, facts.linear.ordering);
  if (facts.linear.products > 0) /* both ways were looked at */
    printf(
        "          a step reads and writes about %.3g MB with a factor, %.3g MB with conjugate gradients\n",
        1e-6 * facts.linear.traffic_factor, 1e-6 * facts.linear.traffic_iteration);
  if (cli_is_static(used))
    printf("          contact tolerance %g, all candidates are in the contact problem\n",
           used->cone.tolerance);
  else if (run->system->contacts.varies & PRC_CONTACTS_H)
    printf("          contact tolerance %g, active when gap <= %.3g\n", used->cone.tolerance,
           used->gap_tolerance);
  else
    printf("          contact tolerance %g, active when gap <= %.3g and normal velocity <= %.3g\n",
           used->cone.tolerance, used->gap_tolerance, used->velocity_tolerance);
  printf("memory    about %.3g MB\n", memory_of(run));
  cli_ranks_print(run);
}

/* Bodies that only contact holds, where there is no inertia. */
static prc_status print_held(const cli_run_state *run, prc_error *err) {
  const prc_text to = cli_text(stdout);
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_status status = PRC_OK;
  for (int b = 0; b < n && run->c->time.quasi_static && status == PRC_OK; b++)
    if (body[b].kind->view->describe_held) status = body[b].kind->view->describe_held(body[b].self, &to, err);
  return status;
}

static int is_given(const prc_field *field) {
  return field->eval || field->constant != 0.0;
}

/* "ground    'bed': springs normal 1e6 on 'bottom'" */
static void print_ground(const prc_case_ground *ground) {
  static const char *const direction[] = {"normal", "tangential", "x", "y"};
  const double of[] = {ground->spring[0], ground->spring[1], ground->fixed[0], ground->fixed[1]};
  cli_print(stdout, "spring    '%s': to the ground", ground->name);
  for (int k = 0; k < 4; k++)
    if (of[k] > 0.0) printf(", %s %g", direction[k], of[k]);
  if (ground->group)
    cli_print(stdout, ", on '%s'\n", ground->group);
  else
    printf(", at (%g, %g)\n", ground->point[0], ground->point[1]);
}

static void print_load(const prc_case_load *load) {
  const int pressure = is_given(&load->pressure),
            traction = is_given(&load->traction[0]) || is_given(&load->traction[1]);
  if (load->n_points > 0) {
    cli_print(stdout, "load      '%s': force at (%g, %g)", load->name, load->point[0], load->point[1]);
    if (load->n_points > 1) printf(" and %d other points", load->n_points - 1);
    printf("\n");
    return;
  }
  cli_print(stdout, "load      '%s': %s on '%s'\n", load->name,
            !pressure  ? "traction"
            : traction ? "traction and pressure"
                       : "pressure",
            load->group);
}

static void print_dashpot(const prc_case_dashpot *dashpot) {
  static const char *const direction[] = {"normal", "tangential"};
  cli_print(stdout, "dashpot   '%s': ", dashpot->name);
  for (int k = 0; k < 2; k++)
    if (isnan(dashpot->coefficient[k]))
      printf("%s absorbing, ", direction[k]);
    else
      printf("%s %g, ", direction[k], dashpot->coefficient[k]);
  cli_print(stdout, "on '%s'\n", dashpot->group);
}

static void print_parameter_of_case(const prc_case_parameter *p) {
  char value[32], *end;
  snprintf(value, sizeof value, "%.9g", p->value);
  const double written = prc_strtod(p->text, &end);
  const int formula = end == p->text || *end || !(written == p->value);
  cli_print(stdout, "parameter %s = %s%s%s%s\n", p->name, value, formula ? " = " : "", formula ? p->text : "",
            p->used ? "" : ", used by no formula");
}

/* Candidates of all contacts at the start, also of sets that vary, which a stepper finds when it starts. */
static prc_status find_candidates(const cli_run_state *run, prc_contact_set *set, prc_error *err) {
  prc_status status = PRC_OK;
  double *q = NULL, *v = NULL;
  prc_try(prc_new(&q, prc_system_coordinates(run->system), err));
  prc_try(prc_new(&v, run->system->space.nv, err));
  prc_scene_initial(run->model->scene, q, v);
  prc_try(prc_system_find_contacts(run->system, &(prc_at){0.0, q, v}, 0.0, 0.0, set, NULL, err));
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

static prc_status print_model(const cli_run_state *run, prc_error *err) {
  const prc_case *c = run->c;
  prc_contact_set found = {0}, *const set = &found;
  int *place = NULL;
  prc_status status = PRC_OK;
  const prc_model *model = run->model;
  prc_try(find_candidates(run, set, err));
  prc_try(prc_new(&place, set->n, err));
  cli_print(stdout, "case      %s (%s)\n", c->name, c->path);
  for (int k = 0; k < c->n_parameters; k++) print_parameter_of_case(&c->parameter[k]);
  print_bodies(c, model);
  for (int g = 0; g < c->n_contacts; g++)
    if (c->contact_group[g].interface)
      prc_try(print_interface(run, g, err));
    else
      prc_try(print_contact(run, set, g, place, err));
  for (int s = 0; s < c->n_supports; s++) {
    const int *rows;
    int n;
    (void)prc_view_support(model->scene, s, &rows, &n);
    cli_print(stdout, "support   '%s': %s%s%s of '%s', %d unknowns\n", c->support[s].name,
              c->support[s].held[0] ? "x" : "", c->support[s].held[1] ? "y" : "",
              c->support[s].has_velocity[0] || c->support[s].has_velocity[1] ? ", by its velocity," : "",
              c->support[s].group, n);
  }
  if (c->n_joints + c->n_springs > 0) prc_try(cli_print_joints(run, err));
  for (int g = 0; g < c->n_grounds; g++) print_ground(&c->ground[g]);
  for (int l = 0; l < c->n_loads; l++) print_load(&c->load[l]);
  for (int d = 0; d < c->n_dashpots; d++) print_dashpot(&c->dashpot[d]);
  print_stepper(run);
done:
  prc_contact_set_free(&found);
  prc_delete(&place);
  return status;
}

static void print_overlaps(const cli_run_state *run, int of) {
  const prc_simulation_parts parts = cli_run_parts(run);
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_overlaps o = prc_simulation_find_overlaps(&parts, of);
  cli_print(stdout, "start     '%s': %d pairs touch, %d of them overlap by more than 1e-6 of their size\n",
            run->c->contact_group[of].name, o.n, o.n_deep);
  for (int k = 0; k < o.n_worst; k++) {
    char name[256];
    prc_simulation_name_pair(&parts, o.worst[k], name, sizeof name);
    cli_print(stdout, "          %s by %.3g\n", name, -r->gap[o.worst[k]]);
  }
}

static prc_status print_gaps(const cli_run_state *run, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  int *place = NULL;
  const prc_status status = prc_new(&place, r->n_contacts, err);
  if (status != PRC_OK) return status;
  for (int g = 0; g < run->c->n_contacts; g++) {
    if (run->c->contact_group[g].pairs) {
      print_overlaps(run, g);
      continue;
    }
    const int n = list_candidates(run->model, r->contacts, g, place);
    double ends[2];
    cli_print(stdout, "start     '%s':", run->c->contact_group[g].name);
    for (int k = 0; k < n; k++) {
      const double gap = r->gap[place[k]];
      ends[0] = k > 0 ? fmin(ends[0], gap) : gap, ends[1] = k > 0 ? fmax(ends[1], gap) : gap;
    }
    if (n > 0) print_range(" gap", 2, ends);
    if (n == 0 && run->c->contact_group[g].shapes) printf(" nothing near enough to touch");
    if (n == 0 && run->c->contact_group[g].interface)
      printf(" no node lies over what it may touch; is it the right pair of curves?");
    cli_print_outlines(run, g);
  }
  prc_delete(&place);
  return PRC_OK;
}

/* The initial state comes last: where it is refused, what is printed before helps to see why. */
static prc_status check(const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  cli_run_state run = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  prc_try(cli_run_read(&run, o, &c, &model, err));
  prc_try(cli_run_build(&run, err));
  cli_phase_end();
  prc_try(print_model(&run, err));
  prc_try(print_held(&run, err));
  fflush(stdout);
  prc_try(cli_run_initial_state(&run, err));
  prc_try(cli_run_start(&run, err));
  prc_try(cli_continued_print(&run, 1, err));
  prc_try(print_gaps(&run, err));
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
