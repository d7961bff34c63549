#include "config.h"
#include "cli/cli.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

prc_step_options cli_step_options(const prc_case *c) {
  static const prc_activation activation[] = {
      [PRC_ACTIVATE_BOTH] = PRC_ACTIVATION_BOTH,
      [PRC_ACTIVATE_GAP] = PRC_ACTIVATION_GAP,
      [PRC_ACTIVATE_STRICT] = PRC_ACTIVATION_STRICT,
  };
  prc_step_options o = prc_step_options_default(c->time.step);
  o.theta = c->time.theta;
  o.law = c->time.fremond ? PRC_LAW_FREMOND : PRC_LAW_NEWTON;
  o.activation = activation[c->contact.activation];
  o.gap_tolerance = c->contact.gap_tolerance;
  o.velocity_tolerance = c->contact.velocity_tolerance;
  o.solver = c->contact.solver;
  o.cone.tolerance = c->contact.tolerance;
  o.cone.max_iterations = c->contact.max_iterations;
  return o;
}

static prc_ledger_options ledger_options(const prc_case *c) {
  return (prc_ledger_options){.tangential_promised = c->time.fremond || c->time.theta == 1.0,
                              .normal_promised = c->contact.activation != PRC_ACTIVATE_GAP,
                              .tolerance = c->contact.tolerance,
                              .max_penetration = c->contact.max_penetration};
}

static prc_status given_velocity(const cli_run_state *run, double *v, prc_error *err) {
  const prc_mesh *mesh = run->model->mesh;
  for (int a = 0; a < mesh->n_nodes; a++)
    for (int k = 0; k < 2; k++) {
      const double *x = mesh->x + 2 * a;
      const prc_status status =
          prc_field_eval(&run->c->initial.velocity[k], x[0], x[1], 0.0, &v[2 * a + k], err);
      if (status != PRC_OK) return status;
    }
  return PRC_OK;
}

static prc_status initial_state(const cli_run_state *run, double *q, double *v, prc_error *err) {
  switch (run->c->initial.kind) {
  case PRC_INITIAL_VELOCITY:
    return given_velocity(run, v, err);
  case PRC_INITIAL_EQUILIBRIUM:
    return prc_fem_equilibrium(run->model->fem, run->c->initial.with_loads, q, err);
  case PRC_INITIAL_END_OF:
    return cli_checkpoint_end_of(run->c->initial.from, run->system->n_dof, q, v, err);
  default:
    return PRC_OK;
  }
}

/* Nodes behind their obstacle at the start would be thrown out at once: refused. */
static prc_status refuse_penetration(const cli_run_state *run, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  for (int g = 0; g < run->c->n_contacts; g++)
    for (int c = prc_fem_contact_first(run->model->fem, g); c < prc_fem_contact_first(run->model->fem, g + 1);
         c++) {
      const int node = prc_fem_contact_nodes(run->model->fem)[c];
      if (r->gap[c] >= -1e-9 * run->system->length) continue;
      return prc_case_fail(
          run->c, &run->c->contact_group[g].place, err,
          "node %zu at (%g, %g) stands %.3g behind the plane of '%s' at the start, expected a gap >= 0 (the "
          "normal points from the obstacle into the body)",
          run->model->mesh->tag[node], run->model->mesh->x[2 * node], run->model->mesh->x[2 * node + 1],
          -r->gap[c], run->c->contact_group[g].name);
    }
  return PRC_OK;
}

static prc_status start(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  double *v = NULL;
  prc_try(prc_new(&v, run->system->n_dof, err));
  prc_try(initial_state(run, run->q0, v, err));
  prc_try(prc_stepper_start(run->stepper, run->q0, v, err));
  prc_try(refuse_penetration(run, err));
  prc_ledger_start(run->ledger, prc_stepper_record(run->stepper));
done:
  prc_delete(&v);
  return status;
}

static prc_status build(cli_run_state *run, const cli_options *o, prc_case **c, prc_model **model,
                        prc_error *err) {
  prc_status status = PRC_OK;
  const double began = prc_clock();
  prc_try(prc_case_read(o->case_path, o->n_set, o->set, c, err));
  run->c = *c;
  run->times.read = prc_clock() - began;
  prc_try(prc_case_build(*c, &cli_log, model, err));
  run->model = *model;
  run->system = prc_fem_system((*model)->fem);
  const prc_step_options options = cli_step_options(*c);
  const prc_ledger_options ledger = ledger_options(*c);
  prc_try(prc_stepper_create(run->system, &options, &run->stepper, err));
  prc_try(prc_ledger_create(&ledger, &run->ledger, err));
  prc_try(prc_new(&run->q0, run->system->n_dof, err));
  prc_try(cli_diagrams_create(run, err));
  prc_try(start(run, err));
  run->times.build = prc_clock() - began - run->times.read;
done:
  return status;
}

/* ---- the results folder --------------------------------------------------------------------------------------------- */

static prc_status folder_of(const cli_options *o, const prc_case *c, char **folder, prc_error *err) {
  char path[4096];
  snprintf(path, sizeof path, "results/%s", c->name);
  return prc_strdup(o->folder ? o->folder : path, folder, err);
}

/* A new run does not leave the files of an older one beside its own. */
static void clear_folder(const cli_run_state *run) {
  static const char *const names[] = {"solution.pvd", "checkpoint.h5", "certificate.json",
                                      "run.json",     "contacts.csv",  "probes.csv"};
  char path[8192];
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    snprintf(path, sizeof path, "%s/%s", run->folder, names[k]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/vtu", run->folder);
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    const size_t length = strlen(entry->d_name);
    if (strncmp(entry->d_name, "step-", 5) != 0 || length < 4
        || strcmp(entry->d_name + length - 4, ".vtu") != 0)
      continue;
    snprintf(path, sizeof path, "%s/vtu/%s", run->folder, entry->d_name);
    unlink(path);
  }
  if (folder) closedir(folder);
}

static prc_status open_results(cli_run_state *run, int resume, prc_error *err) {
  prc_status status = PRC_OK;
  double sizes[4];
  char path[8192];
  snprintf(path, sizeof path, "%s/vtu", run->folder);
  if (resume) {
    prc_try(cli_checkpoint_read(run, sizes, err));
    return cli_results_open(run, sizes, err);
  }
  prc_try(prc_output_make_folder(run->c->output.every > 0 ? path : run->folder, err));
  clear_folder(run);
  prc_try(cli_results_open(run, NULL, err));
  prc_try(cli_results_rows(run, err));
  cli_diagrams_column(run);
  if (run->c->output.every > 0) prc_try(cli_results_snapshot(run, err));
  prc_try(cli_results_flush(run, err));
done:
  return status;
}

/* ---- the loop ----------------------------------------------------------------------------------------------------------- */

static prc_status drift(cli_run_state *run, prc_error *err) {
  prc_step_drift d;
  const prc_status status = prc_stepper_drift(run->stepper, &d, err);
  if (status == PRC_OK) prc_ledger_drift(run->ledger, prc_stepper_record(run->stepper)->step, &d);
  return status;
}

/* What is due after a step: drifts, snapshots, checkpoints. */
static prc_status outputs(cli_run_state *run, int step, int last, prc_error *err) {
  prc_status status = PRC_OK;
  const int every = run->c->output.every, checkpoint = run->c->output.checkpoint;
  const int snapshot_due = every > 0 && (step % every == 0 || last);
  const int checkpoint_due = last || (checkpoint > 0 && step % checkpoint == 0);
  if (!snapshot_due && !checkpoint_due && step % 1000 != 0) return PRC_OK;
  const double began = prc_clock();
  prc_try(drift(run, err));
  if (every > 0 && step % every == 0) prc_try(cli_results_snapshot(run, err));
  prc_try(cli_results_flush(run, err));
  if (checkpoint_due) {
    prc_try(cli_diagrams_write(run, err));
    prc_try(cli_checkpoint_write(run, err));
  }
  run->times.output += prc_clock() - began;
done:
  return status;
}

static prc_status loop(cli_run_state *run, int quiet, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_steps = run->c->time.n_steps, first = prc_stepper_record(run->stepper)->step;
  const double began = prc_clock(), output_before = run->times.output;
  int step = first, stop = 0;
  cli_progress progress;
  cli_progress_begin(&progress, quiet, first, n_steps);
  while (step < n_steps && !stop) {
    prc_try(prc_stepper_step(run->stepper, err));
    step++;
    prc_ledger_enter(run->ledger, prc_stepper_record(run->stepper));
    prc_try(cli_results_rows(run, err));
    cli_diagrams_column(run);
    stop = cli_interrupted();
    prc_try(outputs(run, step, stop || step == n_steps, err));
    cli_progress_show(&progress, prc_ledger_now(run->ledger), stop || step == n_steps);
  }
done:
  run->times.step = prc_clock() - began - (run->times.output - output_before);
  if (step > first && run->times.step > 0.0) run->steps_per_second = (step - first) / run->times.step;
  outcome->n_steps_done = step;
  outcome->stopped = stop && step < n_steps;
  return status;
}

/* Rows and checkpoint survive a failure of the step: what was computed is kept. */
static void keep_what_there_is(cli_run_state *run) {
  prc_error second = {0};
  if (!run->energy || cli_results_flush(run, &second) != PRC_OK) return;
  if (cli_diagrams_write(run, &second) != PRC_OK)
    prc_log_say(&cli_log, PRC_LOG_WARNING, "%s", second.message);
}

static prc_status conclude(cli_run_state *run, const cli_options *o, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  outcome->certificate = prc_ledger_certificate(run->ledger);
  outcome->last = *prc_ledger_now(run->ledger);
  prc_try(cli_certificate_write(run, &outcome->certificate, err));
  prc_try(cli_manifest_write(run, outcome->stopped ? "stopped" : "finished", err));
  if (o->quiet) goto done;
  printf("%s: %d steps, kinetic + elastic energy %.9g, %.0f steps/s; results in %s\n", run->c->name,
         outcome->n_steps_done, outcome->last.kinetic + outcome->last.elastic, run->steps_per_second,
         run->folder);
  cli_certificate_print(&outcome->certificate);
done:
  return status;
}

prc_status cli_run_case(const cli_options *o, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  cli_run_state run = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  char *folder = NULL;
  const double began = prc_clock();
  *outcome = (cli_outcome){0};
  prc_try(build(&run, o, &c, &model, err));
  prc_try(folder_of(o, c, &folder, err));
  run.folder = folder;
  outcome->first = *prc_ledger_now(run.ledger);
  outcome->n_nodes = model->mesh->n_nodes;
  prc_try(open_results(&run, o->resume, err));
  prc_try(cli_manifest_write(&run, "running", err));
  status = loop(&run, o->quiet, outcome, err);
  if (status != PRC_OK) {
    keep_what_there_is(&run);
    prc_error second = {0};
    if (cli_manifest_write(&run, "failed", &second) != PRC_OK)
      fprintf(stderr, "percuss: %s\n", second.message);
    goto done;
  }
  prc_try(conclude(&run, o, outcome, err));
done:
  outcome->seconds = prc_clock() - began;
  if (status == PRC_OK)
    status = cli_results_close(&run, err);
  else {
    prc_error second = {0};
    cli_results_close(&run, &second);
  }
  cli_diagrams_free(&run);
  prc_delete(&run.q0);
  prc_ledger_free(&run.ledger);
  prc_stepper_free(&run.stepper);
  prc_delete(&folder);
  prc_model_free(&model);
  prc_case_free(&c);
  return status;
}

static int run_command(int argc, char **argv) {
  cli_options o;
  cli_outcome outcome;
  prc_error err = {0};
  int status = cli_parse(&cli_run, "cosrq", argc, argv, &o);
  if (status < 0) {
    cli_catch_interrupts();
    if (cli_run_case(&o, &outcome, &err) != PRC_OK)
      status = cli_report(&err);
    else if (outcome.stopped) {
      fprintf(stderr, "stopped after step %d; everything is written, --resume goes on from there\n",
              outcome.n_steps_done);
      status = CLI_FAILED;
    } else
      status = outcome.certificate.verdict == PRC_FAIL ? CLI_FAILED : CLI_DONE;
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_run = {"run", "CASE.yaml [-o DIR] [--set KEY=VALUE]... [--resume] [--quiet]",
                             "computes a case and certifies its energy balance", run_command};
