#include "config.h"
#include "cli/checkpoint.h"
#include "cli/identity.h"
#include "cli/continued.h"
#include "cli/measures.h"
#include "cli/cli.h"
#include "linear/linear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- set-up -------------------------------------------------------------------------------------------- */

static void warn_of_normals(const cli_run_state *run) {
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  for (int b = 0; b < n; b++) {
    const prc_body_view *view = body[b].kind->view;
    const int own = view->faces_away ? body[b].kind->surfaces(body[b].self) : 0;
    for (int k = 0; k < own; k++)
      if (view->faces_away(body[b].self, k))
        prc_log_message(&cli_log, PRC_LOG_WARNING,
                        "contact '%s': the plane's normal points out of the body, expected one from the "
                        "obstacle into it",
                        view->contact_name(body[b].self, k));
  }
}

/* Below the error of the contact problem, the velocity test takes what rests for something that leaves. Where H moves there is no such test. */
static void warn_of_tolerances(const cli_run_state *run) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  if (run->system->contacts.varies & PRC_CONTACTS_H) return;
  const double least = 0.1 * o->cone.tolerance * run->system->velocity;
  if (o->activation == PRC_ACTIVATION_BOTH && !cli_is_static(o) && o->velocity_tolerance < 0.999 * least)
    prc_log_message(
        &cli_log, PRC_LOG_WARNING,
        "contact.velocity_tolerance is %g: resting contacts may be lost, expected at least %.3g with "
        "contact.tolerance %g",
        o->velocity_tolerance, least, o->cone.tolerance);
}

/* Sliding friction can excite short waves (flutter). Without damping the contact starts to bounce. */
static void note_of_slides(const cli_run_state *run) {
  const prc_dynamics *d = &run->system->dynamics;
  if (!run->system->contacts.ramps || run->c->time.quasi_static || run->c->time.theta != 0.5) return;
  if (d->damping_stiffness > 0.0 || d->C) return;
  prc_log_message(
      &cli_log, PRC_LOG_INFO,
      "note: curves may slide far (sliding: large), and nothing damps short waves: what rubs feeds "
      "them until it hops, and contacts lose their force; scheme: theta with theta: 0.51 calms them, "
      "so does damping");
}

/* ---- the results folder -------------------------------------------------------------------------------- */

prc_status cli_results_folder(const cli_options *o, const prc_case *c, char **folder, prc_error *err) {
  char path[4096];
  snprintf(path, sizeof path, "results/%s", c->name);
  return prc_strdup(o->folder ? o->folder : path, folder, err);
}

prc_status cli_run_read(cli_run_state *run, const cli_options *o, prc_case **c, prc_model **model,
                        prc_error *err) {
  prc_status status = PRC_OK;
  const double began = prc_clock();
  if (!o->quiet) cli_phases_begin();
  cli_phase("reading the case");
  prc_try(prc_case_read(o->case_path, o->n_set, o->set, c, err));
  run->c = *c;
  (*c)->mesh.no_commands = o->no_commands;
  if (cli_ranks_share(o->ranks, (*c)->time.solver)) {
    (*c)->mesh.launch = &o->ranks->launch;
    prc_try(prc_case_check_ranks(*c, err));
  }
  prc_try(cli_continued_find(run, o, *c, err));
  if (!o->quiet) cli_note_geometry(*c);
  run->times.read = prc_clock() - began;
  prc_try(prc_case_build(*c, o->quiet ? &cli_log_warnings : &cli_log, model, err));
  run->model = *model;
  run->system = (*model)->system, run->share = run->system->share;
  run->threads = o->threads;
  if (!o->quiet) note_of_slides(run);
done:
  run->times.build = prc_clock() - began - run->times.read;
  return status;
}

prc_status cli_run_build(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const double began = prc_clock();
  prc_step_options options = prc_simulation_step_options(run->c);
  options.threads = run->threads;
  if (!run->share && strcmp(options.linear, "petsc") == 0)
    options.linear = "auto"; /* to be looked at: check */
  options.log = &cli_log;
  prc_dense_kernel(run->kernels);
  prc_try(cli_ranks_compare(run, err));
  prc_try(prc_case_place_setup(run->c, prc_stepper_create(run->system, &options, &run->stepper, err), err));
  warn_of_tolerances(run);
  warn_of_normals(run);
  const prc_ledger_options ledger = prc_simulation_ledger_options(run->c, run->stepper);
  prc_try(prc_ledger_create(&ledger, &run->ledger, err));
  prc_try(cli_diagrams_create(run, err));
  prc_try(cli_measures_create(run, err));
  prc_try(cli_kept_contacts(run, run->kept_contacts, err));
  prc_try(cli_checkpoint_identify_ranks(run, err));
  run->times.build += prc_clock() - began;
done:
  return status;
}

void cli_run_clear(cli_run_state *run) {
  cli_diagrams_free(run);
  cli_measures_free(&run->measures);
  cli_slip_free(&run->slip);
  cli_continued_free(&run->continued);
  prc_delete(&run->q_start);
  prc_delete(&run->v_start);
  prc_delete(&run->whole_row);
  prc_ledger_free(&run->ledger);
  prc_stepper_free(&run->stepper);
}

void cli_run_free(cli_run_state *run, prc_case **c, prc_model **model) {
  cli_run_clear(run);
  prc_model_free(model);
  prc_case_free(c);
}

/* Fields are written late, those of contact lines at the end only: that they can be is known before the first
 * step. */
static prc_status find_writer(cli_run_state *run, prc_error *err) {
  run->writer = prc_output_writer_find(run->c->output.writer);
  if (run->c->output.every == 0 && run->diagrams.every == 0) return PRC_OK;
  return prc_output_writer_describe(run->writer, run->fields_by, sizeof run->fields_by, err);
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

static int checkpoint_is_late(const cli_run_state *run) {
  const double longest = run->c->output.checkpoint_time;
  int late = longest > 0.0 && prc_clock() - run->checkpoint_made >= longest;
  cli_ranks_tell(run, sizeof late, &late);
  return late;
}

static int is_interrupted(const cli_run_state *run) {
  int stop = cli_interrupted();
  cli_ranks_tell(run, sizeof stop, &stop);
  return stop;
}

static void update_times(cli_run_state *run, int step) {
  run->times.step = prc_clock() - run->times.began - run->times.output;
  run->times.steps_made = step - run->times.first;
  if (run->times.steps_made > 0 && run->times.step > 0.0)
    run->steps_per_second = run->times.steps_made / run->times.step;
}

/* Saves the present state, as at the end of a run. run.json, diagrams and the list of snapshots can be made
 * anew from a checkpoint: if they cannot be written, the checkpoint is still made and the error is reported
 * afterwards. They are written first, because a checkpoint flushes everything to the disk. */
static prc_status save_state(cli_run_state *run, int is_running, prc_error *err) {
  prc_error other = {0};
  const int writes = cli_ranks_write(run);
  if (is_running && writes) (void)!cli_manifest_write(run, "running", &other);
  if (writes) (void)!cli_diagrams_write(run, &other);
  prc_status status = cli_ranks_agree(run, cli_snapshots_wait(run, err), err);
  if (status != PRC_OK) return status;
  if (writes) (void)!cli_snapshots_list(run, &other);
  status = cli_checkpoint_write(run, err);
  if (status == PRC_OK && other.status != PRC_OK) *err = other, status = other.status;
  return cli_ranks_agree(run, status, err);
}

int cli_is_due(const cli_run_state *run, int every, double interval) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (every == 0 || r->step % every != 0) return 0;
  if (interval == 0.0) return 1;
  return r->step == 0 || floor(r->t / interval + 1e-9) > floor(run->t_before / interval + 1e-9);
}

int cli_is_last(const cli_run_state *run) {
  return prc_stepper_record(run->stepper)->step == run->c->time.n_steps
         || prc_stepper_is_at_end(run->stepper);
}

/* Work that is due after a step: drifts, snapshots, checkpoints. A stop, or a checkpoint asked for by the
 * clock, enters no drift: else a resumed run would not give the bytes of a run that never stopped. */
static prc_status write_outputs(cli_run_state *run, int step, int last, prc_error *err) {
  prc_status status = PRC_OK;
  const int checkpoint = run->c->output.checkpoint;
  const int snapshot_due = cli_is_due(run, run->c->output.every, run->c->output.interval);
  const int checkpoint_due = checkpoint > 0 && step % checkpoint == 0;
  const int drift_due = snapshot_due || checkpoint_due || step % 1000 == 0;
  const int time_due = checkpoint_is_late(run);
  const int every = run->states > 0 ? run->c->time.n_steps / run->states : 0, kept = run->c->output.states;
  if ((every > 0 && step % every == 0) || (kept > 0 && step % kept == 0)) prc_try(cli_state_write(run, err));
  if (!drift_due && !time_due && !last) return PRC_OK;
  const double began = prc_clock();
  if (drift_due) prc_try(cli_failure_check_drift(run, err));
  if (snapshot_due || cli_is_last(run)) prc_try(cli_results_errors(run, err));
  if (snapshot_due || cli_is_last(run)) prc_try(cli_energies_write(run, err));
  if (snapshot_due) prc_try(cli_snapshots_add(run, err));
  prc_try(cli_ranks_agree(run, cli_results_flush(run, err), err));
  int unlisted = cli_snapshots_unlisted(run);
  cli_ranks_tell(run, sizeof unlisted, &unlisted);
  if (checkpoint_due || time_due || last || (snapshot_due && unlisted)) {
    if (!last) update_times(run, step);
    prc_try(save_state(run, !last, err));
  }
  run->times.output += prc_clock() - began;
done:
  return status;
}

/* Tables, diagrams and problems of the step that was made. */
static prc_status add_rows(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_picked_add(run);
  prc_try(cli_results_rows(run, err));
  if (!cli_ranks_write(run)) return PRC_OK;
  prc_try(cli_measures_rows(run, err));
  prc_try(cli_diagrams_column(run, err));
  prc_try(cli_problems_add(run, err));
done:
  return status;
}

static prc_status run_steps(cli_run_state *run, int quiet, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_steps = run->c->time.n_steps, first = prc_stepper_record(run->stepper)->step;
  int step = first, stop = 0, over = cli_is_last(run);
  cli_progress progress;
  cli_use_threads(run->threads - cli_snapshots_in_background(run));
  cli_progress_begin(&progress, quiet, first, n_steps);
  if (run->c->time.longest > 0.0)
    cli_progress_by_time(&progress, prc_stepper_record(run->stepper)->t, run->c->time.end);
  run->times.began = prc_clock(), run->times.first = first;
  if (over && n_steps == run->c->time.first)
    prc_try(save_state(run, 0, err)); /* to be prolonged, like any other */
  if (over && cli_ranks_write(run))
    prc_try(cli_diagrams_write(run, err)); /* they may not have been written */
  while (!over && !stop) {
    run->t_before = prc_stepper_record(run->stepper)->t;
    status = prc_stepper_step(run->stepper, err);
    if (status != PRC_OK) {
      cli_failure_of_step(run, step + 1, err);
      cli_ranks_fail(run, err);
      goto done;
    }
    step++;
    prc_ledger_enter(run->ledger, prc_stepper_record(run->stepper));
    prc_try(add_rows(run, err));
    status = cli_failure_check(run, err);
    if (status != PRC_OK) cli_ranks_fail(run, err);
    prc_try(status);
    stop = is_interrupted(run), over = cli_is_last(run);
    prc_try(write_outputs(run, step, stop || over, err));
    cli_progress_show(&progress, prc_ledger_now(run->ledger), stop || over);
  }
done:
  update_times(run, step);
  outcome->n_steps_done = step;
  outcome->stopped = stop && !over;
  return status;
}

/* Rows and checkpoint survive a failure of the step: what was computed is kept. */
static void save_results(cli_run_state *run) {
  prc_error second = {0};
  if (!run->energy || cli_results_flush(run, &second) != PRC_OK) return;
  const prc_certificate certificate = prc_ledger_certificate(run->ledger);
  if (cli_diagrams_write(run, &second) != PRC_OK
      || cli_certificate_write(run, &certificate, &second) != PRC_OK)
    prc_log_message(&cli_log, PRC_LOG_WARNING, "%s", second.message);
}

/* Where ranks iterate: it grows with the step, and hardly with the mesh. */
static void print_products(const cli_run_state *run) {
  const prc_operator_facts facts = prc_stepper_facts(run->stepper).linear;
  if (facts.n_solved > 0)
    cli_print(stdout, "%d rank%s: %.3g products of conjugate gradients in a step, at most %d\n",
              run->share->ranks->n, run->share->ranks->n == 1 ? "" : "s",
              (double)facts.products_sum / (double)facts.n_solved, facts.products);
}

static prc_status finish_run(cli_run_state *run, const cli_options *o, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  outcome->certificate = prc_ledger_certificate(run->ledger);
  outcome->last = *prc_ledger_now(run->ledger);
  if (!cli_ranks_write(run)) return PRC_OK;
  prc_try(cli_certificate_write(run, &outcome->certificate, err));
  prc_try(cli_manifest_write(run, outcome->stopped ? "stopped" : "finished", err));
  if (prc_stepper_record(run->stepper)->n_contacts > 0 && outcome->n_steps_done > 0
      && prc_ledger_entries(run->ledger) == 0.0)
    prc_log_message(
        &cli_log, PRC_LOG_WARNING,
        "no contact was ever active; does each plane's normal point from the obstacle into the body?");
  if (o->quiet) {
    cli_certificate_warn(run->folder, &outcome->certificate, o->strict);
    goto done;
  }
  if (run->times.steps_made == 0 && outcome->n_steps_done > 0)
    cli_print(stdout, "%s was at its end already: nothing was computed\n", run->c->name);
  cli_print(stdout, "%s: %d steps, kinetic + elastic energy %.9g, %.0f steps/s; results in %s\n",
            run->c->name, outcome->n_steps_done - run->c->time.first,
            outcome->last.kinetic + outcome->last.elastic, run->steps_per_second, run->folder);
  print_products(run);
  cli_picked_print(run);
  cli_certificate_print(run, &outcome->certificate);
done:
  return status;
}

static void say_failed(const cli_run_state *run) {
  prc_error second = {0};
  if (cli_manifest_write(run, "failed", &second) != PRC_OK) fprintf(stderr, "percuss: %s\n", second.message);
}

prc_status cli_run_case(const cli_options *o, cli_outcome *outcome, prc_error *err) {
  prc_status status = PRC_OK;
  cli_run_state run = {0};
  prc_case *c = NULL;
  prc_model *model = NULL;
  char *folder = NULL;
  cli_folders folders = {0};
  run.began = prc_clock();
  *outcome = (cli_outcome){0};
  cli_use_threads(o->threads);
  run.strict = o->strict;
  prc_try(cli_run_read(&run, o, &c, &model, err));
  prc_try(cli_case_fingerprint(c, run.fingerprint, err));
  /* first: an equilibrium's factor is gone when the stepper makes its own */
  prc_try(cli_run_initial_state(&run, err));
  prc_try(cli_run_build(&run, err));
  prc_try(find_writer(&run, err));
  prc_try(cli_run_start(&run, err));
  prc_try(cli_results_folder(o, c, &folder, err));
  run.folder = folder, run.states = o->states;
  run.checkpoints = o->checkpoints ? o->checkpoints : folder;
  run.checkpoint_made = prc_clock();
  outcome->first = *prc_ledger_now(run.ledger);
  cli_defer_interrupts(0); /* a folder that is locked must be left in order */
  prc_try(cli_continued_check_folder(&run, err));
  prc_try(cli_folders_open(&run, &folders, o, err));
  if (!o->quiet) prc_try(cli_continued_print(&run, 0, err));
  status = run_steps(&run, o->quiet, outcome, err);
  /* that of the end, whatever was due there */
  if (status == PRC_OK) status = cli_failure_check_drift(&run, err);
  if (status != PRC_OK && !cli_ranks_write(&run)) goto done;
  if (status != PRC_OK) {
    save_results(&run);
    outcome->can_go_on = (status == PRC_IO || status == PRC_NOMEM) && cli_checkpoint_exists(run.checkpoints);
    say_failed(&run);
    goto done;
  }
  prc_try(finish_run(&run, o, outcome, err));
done:
  outcome->seconds = prc_clock() - run.began;
  if (status == PRC_OK)
    status = cli_results_close(&run, err);
  else {
    prc_error second = {0};
    cli_results_close(&run, &second);
  }
  cli_folders_close(&run, &folders);
  prc_delete(&folder);
  cli_run_free(&run, &c, &model);
  return status;
}

int cli_is_certified(const prc_certificate *certificate, int strict) {
  return certificate->verdict == PRC_PASS || (!strict && certificate->verdict == PRC_PASS_WITH_NOTES);
}

static int run_command(int argc, char **argv) {
  cli_options o;
  cli_outcome outcome;
  prc_error err = {0};
  cli_ranks ranks;
  cli_ranks_prepare(&ranks, &argc, argv);
  int status = cli_parse(&cli_run, "coskrwtqnCX", argc, argv, &o);
  o.ranks = &ranks, o.quiet |= ranks.rank > 0;
  if (status < 0) {
    cli_catch_interrupts(CLI_STOPPED_AT_ONCE, CLI_FAILED);
    if (cli_run_case(&o, &outcome, &err) != PRC_OK) {
      status = cli_report(&err);
      if (outcome.can_go_on)
        fprintf(stderr,
                "once this is mended, the same command with --resume goes on from the last checkpoint\n");
    } else if (outcome.stopped) {
      fprintf(stderr,
              "stopped after step %d; everything is written, the same command with --resume goes on\n",
              outcome.n_steps_done);
      status = CLI_FAILED;
    } else
      status = cli_is_certified(&outcome.certificate, o.strict) ? CLI_DONE : CLI_FAILED;
  }
  cli_options_free(&o);
  return cli_ranks_finish(&ranks, status, err.status == PRC_OK ? NULL : &err);
}

const cli_command cli_run = {
    "run",
    "CASE.yaml [-o DIR] [--set KEY=VALUE]... [--resume[=if-possible] | --overwrite] [--checkpoint "
    "DIR] [--threads N] [--no-commands] [--quiet] [--strict]",
    "computes a case and certifies its energy balance", run_command};
