#include "config.h"
#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/pieces.h"
#include "cli/continued.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define STEPS_DONE "steps_done"
#define IN_ALL     "wall_time_in_all"

/* Raised where names, columns or words of results change that scripts of users read: 2 since there are three verdicts. */
#define CLI_RESULTS_VERSION 2
enum { CLI_NOTES = 2048 }; /* of the line on what was noted */

static void write_body_sizes(const cli_run_state *run, prc_output_json *json) {
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  for (int b = 0; b < n; b++) {
    prc_view_size size[PRC_VIEW_SIZES];
    const int n_sizes = body[b].kind->view->sizes(body[b].self, size);
    for (int k = 0; k < n_sizes; k++) prc_output_json_integer(json, size[k].name, size[k].value);
  }
}

static void write_sizes(const cli_run_state *run, prc_output_json *json) {
  const prc_step_facts facts = prc_stepper_facts(run->stepper);
  prc_output_json_begin(json, "sizes", '{');
  write_body_sizes(run, json);
  prc_output_json_integer(json, "dofs", (long long)cli_checkpoint_dofs(run));
  prc_output_json_integer(json, "prescribed_dofs", run->share ? run->n_prescribed : run->system->drive.n);
  if (run->share) prc_output_json_integer(json, "ranks", run->share->ranks->n);
  prc_output_json_integer(json, "contacts", prc_stepper_record(run->stepper)->n_contacts);
  prc_output_json_integer(json, "factor_entries", (long long)facts.linear.entries);
  prc_output_json_text(json, "ordering", facts.linear.ordering);
  prc_output_json_text(json, "solver", facts.linear.name);
  if (facts.linear.n_solved > 0) {
    prc_output_json_integer(json, "most_products", facts.linear.products);
    prc_output_json_number(json, "mean_products",
                           (double)facts.linear.products_sum / (double)facts.linear.n_solved);
  }
  prc_output_json_end(json);
}

/* Of the mesh, which is the first body where there is one. */
typedef struct {
  int n;
  prc_view_energy *body;
} mesh_bodies;

static const prc_body *mesh_of(const cli_run_state *run) {
  const prc_body *body;
  return prc_scene_bodies(run->model->scene, &body) > 0 && body->kind->view->materials ? body : NULL;
}

static prc_status name_bodies(const cli_run_state *run, mesh_bodies *out, prc_error *err) {
  const prc_body *body = mesh_of(run);
  return body && !run->share ? body->kind->view->body_names(body->self, &out->n, &out->body, err) : PRC_OK;
}

/* Names behind the numbers of materials and bodies in snapshots, and shear moduli. */
static void write_meanings(const cli_run_state *run, const mesh_bodies *names, prc_output_json *json) {
  const prc_body *body = mesh_of(run);
  if (!body) return;
  prc_output_json_number(json, "thickness", run->c->model.thickness);
  prc_output_json_begin(json, "materials", '[');
  for (int k = 0; k < body->kind->view->materials(body->self); k++) {
    const prc_view_material m = body->kind->view->material(body->self, k);
    prc_output_json_begin(json, NULL, '{');
    prc_output_json_integer(json, "number", k);
    prc_output_json_text(json, "name", m.name);
    prc_output_json_number(json, "density", m.density);
    prc_output_json_number(json, "shear_modulus", m.shear);
    prc_output_json_end(json);
  }
  prc_output_json_end(json);
  prc_output_json_begin(json, "mesh_bodies", '[');
  for (int k = 0; k < names->n; k++) {
    prc_output_json_begin(json, NULL, '{');
    prc_output_json_integer(json, "number", cli_first_mesh_body(run->model->scene) + k);
    prc_output_json_text(json, "name", names->body[k].body);
    prc_output_json_end(json);
  }
  prc_output_json_end(json);
}

/* Further parameters of the scheme. */
static void write_scheme(const prc_step_options *o, prc_output_json *json) {
  static const char *const prediction[] = {"q", "q+hv", "free"}, *const slip[] = {"end", "mean"},
                           *const joints[] = {"secant", "velocity"},
                           *const directions[] = {"centre", "start", "middle"};
  const unsigned takes = prc_step_scheme_options(o->scheme);
  if (takes & PRC_OPTION_RHO) prc_output_json_number(json, "rho", o->rho);
  if (takes & PRC_OPTION_TOLERANCE) prc_output_json_number(json, "tolerance", o->tolerance);
  if (takes & PRC_OPTION_JOINTS) prc_output_json_text(json, "joints", joints[o->joints]);
  if (takes & PRC_OPTION_BULK)
    prc_output_json_text(json, "bulk", o->bulk == PRC_BULK_MIDDLE ? "middle" : "theta");
  if (takes & PRC_OPTION_LOADS)
    prc_output_json_text(json, "loads", o->loads == PRC_LOADS_SAMPLED ? "sampled" : "mean");
  if (o->bulk == PRC_BULK_MIDDLE) prc_output_json_number(json, "weight", o->weight);
  if (takes & PRC_OPTION_DIRECTIONS) prc_output_json_text(json, "directions", directions[o->directions]);
  if (takes & PRC_OPTION_PREDICTION) prc_output_json_text(json, "prediction", prediction[o->prediction]);
  if (takes & PRC_OPTION_SLIP_DIRECTION)
    prc_output_json_text(json, "slip_direction", slip[o->slip_direction]);
}

static void write_contact_options(const prc_step_options *o, const char *solver, prc_output_json *json) {
  static const char *const start[] = {"warm", "zero", "random"}, *const order[] = {"natural", "random"};
  prc_output_json_text(json, "contact_solver", solver);
  prc_output_json_integer(json, "contact_max_iterations", o->cone.max_iterations);
  prc_output_json_text(json, "contact_start", start[o->cone.start]);
  prc_output_json_text(json, "contact_order", order[o->cone.order]);
  prc_output_json_integer(json, "contact_seed", (long long)o->cone.seed);
}

static void write_options(const cli_run_state *run, prc_output_json *json) {
  static const char *const activation[] = {"both", "gap", "strict"};
  const prc_step_options *o = prc_stepper_options(run->stepper);
  prc_output_json_begin(json, "scheme", '{');
  prc_output_json_text(json, "name", o->scheme);
  prc_output_json_text(json, "analysis", cli_is_static(o) ? "quasi-static" : "dynamic");
  prc_output_json_text(json, "law", o->law == PRC_IMPACT_FREMOND ? "fremond" : "newton");
  prc_output_json_number(json, "step", run->c->time.step);
  if (o->pace.max > 0.0) {
    prc_output_json_number(json, "step_max", o->pace.max);
    prc_output_json_number(json, "step_growth", o->pace.growth);
    prc_output_json_number(json, "step_per_slip", o->pace.per_slip);
  }
  prc_output_json_number(json, "theta", o->theta);
  if (!(o->pace.max > 0.0)) prc_output_json_integer(json, "steps", run->c->time.n_steps);
  prc_output_json_text(json, "activation", activation[o->activation]);
  write_contact_options(o, run->c->contact.solver, json);
  write_scheme(o, json);
  prc_output_json_end(json);
  prc_output_json_begin(json, "tolerances", '{');
  prc_output_json_number(json, "contact", o->cone.tolerance);
  prc_output_json_number(json, "gap", o->gap_tolerance);
  prc_output_json_number(json, "velocity", o->velocity_tolerance);
  prc_output_json_end(json);
}

static void write_machine(const cli_run_state *run, prc_output_json *json) {
  struct utsname name;
  prc_output_json_begin(json, "machine", '{');
  if (uname(&name) == 0) {
    prc_output_json_text(json, "system", name.sysname);
    prc_output_json_text(json, "release", name.release);
    prc_output_json_text(json, "architecture", name.machine);
  }
  prc_output_json_integer(json, "processors", sysconf(_SC_NPROCESSORS_ONLN));
  prc_output_json_text(json, "compiler", __VERSION__);
  prc_output_json_text(json, "kernels", run->kernels);
  prc_output_json_end(json);
}

static void write_parameters(const prc_case *c, prc_output_json *json) {
  prc_output_json_begin(json, "parameters", '{');
  for (int k = 0; k < c->n_parameters; k++)
    prc_output_json_number(json, c->parameter[k].name, c->parameter[k].value);
  prc_output_json_end(json);
}

/* Of a run that has ended: the verdict and what was noted. While it runs there is none. */
static void write_verdict(const cli_run_state *run, const char *state, prc_output_json *json) {
  char notes[CLI_NOTES];
  if (strcmp(state, "running") == 0) return;
  const prc_certificate certificate = prc_ledger_certificate(run->ledger);
  prc_certificate_notes(&certificate, notes, sizeof notes);
  prc_output_json_text(json, "certificate", prc_verdict_name(certificate.verdict));
  prc_output_json_text(json, "notes", notes);
}

prc_status cli_manifest_write(const cli_run_state *run, const char *state, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_json *json = NULL;
  static const char *const plane[] = {
      [PRC_PLANE_STRESS] = "stress", [PRC_PLANE_STRAIN] = "strain", [PRC_AXISYMMETRIC] = "axisymmetric"};
  char *text = NULL;
  mesh_bodies names = {0};
  prc_try(prc_case_text(run->c, &text, err));
  prc_try(name_bodies(run, &names, err));
  prc_try(prc_output_json_open(run->results, "run.json", &json, err));
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "program", "percuss");
  prc_output_json_text(json, "version", PACKAGE_VERSION);
  prc_output_json_integer(json, "results_version", CLI_RESULTS_VERSION);
  prc_output_json_text(json, "case_file", run->c->path);
  prc_output_json_text(json, "name", run->c->name);
  prc_output_json_text(json, "units", run->c->units ? run->c->units : "");
  if (run->c->mesh.file) prc_output_json_text(json, "plane", plane[run->c->model.plane]);
  prc_output_json_text(json, "fingerprint", run->fingerprint);
  prc_output_json_text(json, "state", state);
  prc_output_json_integer(json, STEPS_DONE, prc_stepper_record(run->stepper)->step);
  write_verdict(run, state, json);
  cli_continued_write(run, json);
  write_sizes(run, json);
  write_options(run, json);
  cli_picked_write(run, json);
  write_machine(run, json);
  prc_output_json_integer(json, "threads", run->threads);
  prc_output_json_text(json, "fields_by", run->fields_by);
  prc_output_json_begin(json, "wall_time", '{');
  prc_output_json_number(json, "read", run->times.read);
  prc_output_json_number(json, "build", run->times.build);
  prc_output_json_number(json, "step", run->times.step);
  prc_output_json_number(json, "output", run->times.output);
  prc_output_json_end(json);
  prc_output_json_number(json, IN_ALL, run->seconds_before + prc_clock() - run->began);
  prc_output_json_number(json, "steps_per_second", run->steps_per_second);
  if (run->c->n_parameters > 0) write_parameters(run->c, json);
  write_meanings(run, &names, json); /* behind what cli_manifest_read_done looks for: it may be long */
  prc_output_json_text(json, "case", text);
  prc_output_json_end(json);
  prc_try(prc_output_json_close(&json, err));
done:
  prc_delete(&text);
  prc_delete(&names.body);
  return status;
}

/* The number behind a name in what cli_manifest_write wrote; its texts hold no quotation marks that are not
 * escaped. */
static double number_after(const char *text, const char *name) {
  const char *at = strstr(text, name);
  const double value = at ? prc_strtod(at + strlen(name), NULL) : 0.0;
  return value > 0.0 && isfinite(value) ? value : 0.0;
}

void cli_manifest_read_done(const prc_folder *folder, int *steps, double *seconds) {
  char text[16384]; /* the case, which may be long, comes last */
  cli_read_start(folder, "run.json", text, sizeof text);
  *steps = (int)fmin(number_after(text, "\"" STEPS_DONE "\": "), INT_MAX);
  *seconds = number_after(text, "\"" IN_ALL "\": ");
}

/* "'grain[3]' in 'floor'"; 0: the entry is of no two bodies. */
static int name_pair(const cli_run_state *run, const prc_certificate_entry *entry, char *text, size_t size) {
  char name[2][128];
  if (!entry->has_pair || entry->pair[1] < 0) return 0;
  for (int k = 0; k < 2; k++)
    prc_view_indicator_name(run->model->scene, entry->pair[k], name[k], sizeof name[k]);
  snprintf(text, size, "%s%s%s", name[1], *name[0] ? " in " : "", name[0]);
  return 1;
}

/* "joint 'knee'"; 0: the entry is of none */
static int name_joint(const cli_run_state *run, const prc_certificate_entry *entry, char *text, size_t size) {
  const prc_system *system = run->system;
  if (!entry->has_row || entry->row < 0 || entry->row >= system->joints.n || !system->joints.name) return 0;
  system->joints.name(system->owner, entry->row, text, size);
  return 1;
}

prc_status cli_certificate_write(const cli_run_state *run, const prc_certificate *certificate,
                                 prc_error *err) {
  prc_output_json *json = NULL;
  char pair[512], notes[CLI_NOTES];
  const prc_status status = prc_output_json_open(run->results, "certificate.json", &json, err);
  if (status != PRC_OK) return status;
  prc_output_json_begin(json, NULL, '{');
  prc_output_json_text(json, "verdict", prc_verdict_name(certificate->verdict));
  prc_certificate_notes(certificate, notes, sizeof notes);
  prc_output_json_text(json, "notes", notes);
  prc_output_json_integer(json, "steps", prc_stepper_record(run->stepper)->step);
  prc_output_json_number(json, "energy_largest", certificate->energy_largest);
  prc_output_json_begin(json, "entries", '[');
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    const prc_certificate_entry *entry = &certificate->entry[k];
    if (entry->absent) continue;
    prc_output_json_begin(json, NULL, '{');
    prc_output_json_text(json, "name", entry->name);
    prc_output_json_number(json, "value", entry->value);
    prc_output_json_number(json, "bound", entry->bound);
    prc_output_json_text(json, "verdict", prc_verdict_name(entry->verdict));
    prc_output_json_number(json, "ratio", entry->ratio);
    prc_output_json_integer(json, "step", entry->step);
    prc_output_json_integer(json, "count", entry->count);
    prc_output_json_number(json, "largest", entry->largest);
    prc_output_json_integer(json, "largest_step", entry->largest_step);
    if (entry->created > 0.0) prc_output_json_number(json, "created", entry->created);
    if (entry->has_cell) prc_output_json_integer(json, "cell", entry->cell);
    if (entry->passes > 0.0) prc_output_json_number(json, "passes", entry->passes);
    if (entry->passes > 0.0) prc_output_json_integer(json, "frozen", entry->frozen);
    if (entry->has_sums) prc_output_json_number(json, "gained", entry->gained);
    if (entry->has_sums) prc_output_json_number(json, "lost", entry->lost);
    if (entry->mended > 0.0) prc_output_json_number(json, "mended", entry->mended);
    if (entry->height > 0.0) prc_output_json_number(json, "height", entry->height);
    if (name_pair(run, entry, pair, sizeof pair)) prc_output_json_text(json, "bodies", pair);
    if (name_joint(run, entry, pair, sizeof pair)) prc_output_json_text(json, "joint", pair);
    prc_output_json_text(json, "meaning", entry->meaning);
    if (entry->theorem) prc_output_json_text(json, "theorem", entry->theorem);
    if (entry->reason) prc_output_json_text(json, "reason", entry->reason);
    if (entry->cure) prc_output_json_text(json, "cure", entry->cure);
    prc_output_json_end(json);
  }
  prc_output_json_end(json);
  prc_output_json_end(json);
  return prc_output_json_close(&json, err);
}

/* Where the entry was worst, and what may help. */
static void print_worst(const prc_certificate_entry *entry) {
  printf("                worst at step %d", entry->step);
  if (entry->has_cell) printf(" in cell %d", entry->cell);
  if (entry->count > 0) printf(", beyond the bound %d times", entry->count);
  if (entry->largest_step != entry->step && entry->largest > 0.0)
    printf("; the largest value is %.3g, at step %d", entry->largest, entry->largest_step);
  if (entry->cure) printf("; what may help: %s", entry->cure);
  printf("\n");
}

static void print_entry(const cli_run_state *run, const prc_certificate_entry *entry) {
  char pair[512], bound[32] = "", ratio[32] = "";
  if (isfinite(entry->bound)) snprintf(bound, sizeof bound, "<= %.3g", entry->bound);
  if (isfinite(entry->ratio)) snprintf(ratio, sizeof ratio, "%.2g", entry->ratio);
  printf("  %-12s  %-20s %10.3g %-10s %8s  %s", prc_verdict_name(entry->verdict), entry->name, entry->value,
         bound, ratio, entry->meaning);
  if (name_pair(run, entry, pair, sizeof pair)) cli_print(stdout, ", of %s", pair);
  if (name_joint(run, entry, pair, sizeof pair)) cli_print(stdout, ", of %s", pair);
  if (entry->height > 0.0) printf(", at a step %.3g high", entry->height);
  if (entry->passes > 0.0) printf("; %.10g passes in all", entry->passes);
  if (entry->frozen > 0) printf(", friction held in %d steps", entry->frozen);
  if (entry->has_sums && entry->gained > 0.0) printf("; %.3g in all", entry->gained);
  if (entry->has_sums && entry->lost < 0.0) printf("; losses %.3g in all", entry->lost);
  printf("\n");
  if (entry->theorem) printf("                by %s\n", entry->theorem);
  if (entry->reason) printf("                because %s\n", entry->reason);
  if (entry->verdict == PRC_FAIL || entry->verdict == PRC_NOTED) print_worst(entry);
}

/* Names of the entries that fail, with their values. */
static void list_failures(const prc_certificate *certificate, char *text, size_t size) {
  text[0] = '\0';
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++) {
    const prc_certificate_entry *entry = &certificate->entry[k];
    if (entry->absent || entry->verdict != PRC_FAIL) continue;
    prc_append(text, size, "%s%s is %.3g", *text ? "; " : "", entry->name, entry->value);
    if (isfinite(entry->bound)) prc_append(text, size, ", expected at most %.3g", entry->bound);
  }
}

void cli_certificate_warn(const char *folder, const prc_certificate *certificate, int strict) {
  char text[CLI_NOTES];
  if (cli_is_certified(certificate, strict)) return;
  list_failures(certificate, text, sizeof text);
  if (*text)
    cli_print(stderr, "percuss: %s: the certificate fails: %s\n", folder, text);
  else {
    prc_certificate_notes(certificate, text, sizeof text);
    cli_print(stderr, "percuss: %s: the certificate passes with notes: %s\n", folder, text);
  }
}

void cli_certificate_print(const cli_run_state *run, const prc_certificate *certificate) {
  char fails[CLI_NOTES], notes[CLI_NOTES];
  printf("  %-12s  %-20s %10s %-10s %8s\n", "", "", "value", "   bound", "ratio");
  for (int k = 0; k < PRC_CERTIFY_ENTRIES; k++)
    if (!certificate->entry[k].absent) print_entry(run, &certificate->entry[k]);
  list_failures(certificate, fails, sizeof fails);
  prc_certificate_notes(certificate, notes, sizeof notes);
  printf("certificate: %s", prc_verdict_name(certificate->verdict));
  if (*fails) printf(": %s", fails);
  if (*notes) printf("%s%s", *fails ? "; noted: " : ": ", notes);
  printf("\n");
}
