#include "config.h"
#include "cli/checkpoint.h"
#include "cli/explore.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const cli_way_names[CLI_WAYS] = {"starts", "orders"};

/* ---- what was asked for ------------------------------------------------------------------------------------ */

/* A whole number up to `high`; -1: it is none. */
static long long read_whole(const char *text, long long high) {
  char *end;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && !errno && value <= high ? value : -1;
}

/* Returns -1 to go on, or the exit status. */
static int read_request(const cli_options *o, cli_exploration *x) {
  char *end;
  *x = (cli_exploration){.n_samples = o->samples, .seed = (uint64_t)o->seed, .by = {1, 1}};
  if (o->time) {
    x->has_time = 1;
    x->time = prc_strtod(o->time, &end);
    if (end == o->time || *end || !(x->time >= 0.0) || !isfinite(x->time))
      return cli_wrong(&cli_explore, o->time, "is no time, expected --time T with a number >= 0");
  }
  if (!o->by || strcmp(o->by, "both") == 0) return -1;
  for (int k = 0; k < CLI_WAYS; k++) x->by[k] = strcmp(o->by, cli_way_names[k]) == 0;
  if (!x->by[0] && !x->by[1])
    return cli_wrong(&cli_explore, o->by, "is no way, expected --by starts, orders or both");
  return -1;
}

/* ---- the state ------------------------------------------------------------------------------------------------ */

static prc_status refuse_elastic(const cli_exploration *x, const cli_options *o, prc_error *err) {
  const prc_system *system = x->run.system;
  const prc_case *c = x->run.c;
  if (!system->dynamics.K && !(system->dynamics.varies & PRC_INTERNAL_NONLINEAR)) return PRC_OK;
  if (!c->mesh.file)
    return prc_fail(
        err, PRC_INPUT,
        "%s: has %s, expected rigid bodies alone without stiffness: contact forces are explored where "
        "nothing elastic stands beside them",
        o->case_path, c->n_beams > 0 ? "a beam" : "springs");
  return prc_fail(err, PRC_INPUT,
                  "%s: has a mesh, expected rigid bodies alone: nodes of a mesh move each by itself, so that "
                  "their motion "
                  "determines their contact forces",
                  o->case_path);
}

/* The last checkpoint of a run of this case, which stays as it is. */
static prc_status go_on_from(cli_exploration *x, const char *folder, prc_error *err) {
  double sizes[CLI_TABLES];
  x->run.folder = x->run.checkpoints = folder;
  if (!cli_checkpoint_exists(folder))
    return prc_fail(err, PRC_INPUT,
                    "%s/checkpoint.h5: is not there, expected the results folder of a run of this case",
                    folder);
  prc_status status = prc_folder_open(folder, &x->run.checkpoint_folder, err);
  if (status == PRC_OK) status = cli_checkpoint_read(&x->run, sizes, err);
  prc_folder_close(&x->run.checkpoint_folder);
  return status;
}

/* The step whose state is asked for. */
static prc_status find_step(const cli_exploration *x, const cli_options *o, int *out, prc_error *err) {
  const prc_case *c = x->c;
  const int now = prc_stepper_record(x->run.stepper)->step;
  *out = now;
  if (x->has_time && c->time.longest > 0.0)
    return prc_fail(err, PRC_INPUT,
                    "--time is given, expected none where time.step varies: --from a run that ends there, by "
                    "--set time.end=%g",
                    x->time);
  const double end = c->time.n_steps * c->time.step;
  if (!x->has_time) return PRC_OK;
  if (x->time > end + 0.5 * c->time.step)
    return prc_fail(err, PRC_INPUT,
                    "--time %g is beyond the end of the case, t = %.9g; expected a time until then, or --set "
                    "time.end=%g",
                    x->time, end, x->time);
  *out = (int)lround(fmin(x->time, end) / c->time.step);
  if (*out >= now) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "--time %g is before the checkpoint of %s, t = %.9g; expected a later time, or no --from",
                  x->time, o->from, now * c->time.step);
}

static prc_status make_step(cli_exploration *x, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  const int step = r->step + 1;
  const prc_status status = prc_stepper_step(x->run.stepper, err);
  if (status != PRC_OK) {
    if (err->status == PRC_INPUT) prc_case_place_motion(x->c, err);
    prc_error_context(err, "step %d", step);
    return status;
  }
  if (r->cone.converged || x->c->time.continue_on_failure) return PRC_OK;
  return prc_fail(
      err, PRC_DIVERGED,
      "step %d, t = %.9g: the contact problem of %d contacts is solved to %.3g only, expected %.3g; "
      "time.on_failure: continue would go on",
      step, r->t, r->n_active, r->cone.error.scaled, prc_stepper_options(x->run.stepper)->cone.tolerance);
}

static prc_status run_until(cli_exploration *x, int last, int quiet, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  cli_progress progress;
  cli_progress_begin(&progress, quiet, r->step, last);
  while (r->step < last) {
    prc_try(make_step(x, err));
    prc_ledger_enter(x->run.ledger, r);
    cli_progress_show(&progress, prc_ledger_now(x->run.ledger), r->step == last);
  }
done:
  return status;
}

/* The same places with nothing moving, but what is driven. */
static prc_status put_to_rest(cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  double *zero = NULL, *p = NULL, *q = NULL, *f = NULL;
  const size_t n_p = (size_t)r->dim * (size_t)r->n_contacts;
  prc_contact_id *id = NULL;
  double *state = NULL;
  prc_try(prc_new(&zero, r->n, err));
  prc_try(prc_new(&f, r->n, err));
  prc_try(prc_new(&q, prc_system_coordinates(x->run.system), err));
  prc_try(prc_new(&p, n_p, err));
  prc_try(prc_new(&id, r->n_contacts, err));
  prc_try(prc_new(&state, PRC_LAW_STATE * (size_t)r->n_contacts, err));
  memcpy(q, r->q, (size_t)prc_system_coordinates(x->run.system) * sizeof *q);
  if (r->n_contacts > 0) {
    memcpy(p, r->p, n_p * sizeof *p);
    memcpy(id, r->contacts->id, (size_t)r->n_contacts * sizeof *id);
    memcpy(state, r->contacts->state, PRC_LAW_STATE * (size_t)r->n_contacts * sizeof *state);
  }
  prc_stepper_state(x->run.stepper, NULL, NULL, f);
  const prc_step_clock clock = prc_stepper_clock(x->run.stepper);
  const prc_step_state still = {.step = r->step,
                                .clock = &clock,
                                .q = q,
                                .v = zero,
                                .m = zero,
                                .f = f,
                                .speed = r->speed,
                                .n_contacts = r->n_contacts,
                                .id = id,
                                .p = p,
                                .state = state};
  status = prc_stepper_resume(x->run.stepper, &still, err);
done:
  prc_delete(&zero);
  prc_delete(&f);
  prc_delete(&q);
  prc_delete(&p);
  prc_delete(&id);
  prc_delete(&state);
  return status;
}

static prc_status reach_state(cli_exploration *x, const cli_options *o, prc_error *err) {
  prc_status status = PRC_OK;
  int last;
  prc_try(cli_run_read(&x->run, o, &x->c, &x->model, err));
  prc_try(refuse_elastic(x, o, err));
  if (x->c->n_contacts == 0)
    prc_try(prc_fail(err, PRC_INPUT, "%s: has no contacts, expected some to explore", o->case_path));
  prc_try(cli_run_initial_state(&x->run, err));
  prc_try(cli_run_build(&x->run, err));
  prc_try(cli_run_start(&x->run, err));
  if (o->from) prc_try(go_on_from(x, o->from, err));
  prc_try(find_step(x, o, &last, err));
  prc_try(run_until(x, last, o->quiet, err));
  if (o->at_rest) prc_try(put_to_rest(x, err));
done:
  return status;
}

/* The step from there, whose contact problem is explored. */
static prc_status step_on(cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  const size_t nq = (size_t)prc_system_coordinates(x->run.system);
  prc_try(prc_new(&x->q, nq, err));
  prc_try(prc_new(&x->v, r->n, err));
  memcpy(x->q, r->q, nq * sizeof *x->q);
  memcpy(x->v, r->v, (size_t)r->n * sizeof *x->v);
  x->t = r->t, x->step = r->step;
  prc_try(make_step(x, err));
  if (r->n_active == 0)
    prc_try(
        prc_fail(err, PRC_INPUT, "no contact is closed at t = %.9g, expected a time when some are", x->t));
  const prc_at before = {x->t, x->q, x->v};
  prc_try(prc_explore_step_create(x->run.system, r, &before,
                                  prc_stepper_options(x->run.stepper)->gap_tolerance, &x->held, err));
  x->n = x->held->n;
done:
  return status;
}

/* ---- contacts that were asked for --------------------------------------------------------------------------------- */

static int is_named(const cli_exploration *x, int contact, const char *name) {
  char text[512];
  cli_explore_name(x, contact, text, sizeof text);
  return strcmp(name, text) == 0 || strcmp(name, cli_explore_side(x, contact, 0)) == 0
         || strcmp(name, cli_explore_side(x, contact, 1)) == 0
         || strcmp(name, cli_explore_group(x, contact)) == 0;
}

static prc_status choose_named(cli_exploration *x, const char *name, prc_error *err) {
  char example[512];
  int found = 0;
  for (int i = 0; i < x->n; i++)
    if (is_named(x, i, name)) x->chosen[i] = 1, found = 1;
  const long long number = found ? 0 : read_whole(name, x->n);
  if (number > 0) x->chosen[number - 1] = 1, found = 1;
  if (found) return PRC_OK;
  cli_explore_name(x, 0, example, sizeof example);
  return prc_fail(err, PRC_INPUT,
                  "--contacts: there is no '%.200s' among the %d closed contacts at t = %.9g, expected a "
                  "number from 1 on, a "
                  "name such as '%.200s', or that of a body or of a contact of the case",
                  name, x->n, x->t, example);
}

static prc_status choose(cli_exploration *x, const char *list, prc_error *err) {
  prc_status status = PRC_OK;
  char *names = NULL, *rest = NULL;
  prc_try(prc_new(&x->chosen, x->n, err));
  if (!list) memset(x->chosen, 1, (size_t)x->n);
  prc_try(prc_strdup(list ? list : "", &names, err));
  for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    prc_try(choose_named(x, name, err));
  for (int i = 0; i < x->n; i++) x->n_chosen += x->chosen[i];
  if (x->n_chosen == 0) status = prc_fail(err, PRC_INPUT, "--contacts names none, expected some");
done:
  prc_delete(&names);
  return status;
}

/* ---- intervals ------------------------------------------------------------------------------------------------------ */

static prc_status ask_rest(cli_exploration *x, prc_error *err) {
  prc_explore_set *set = NULL;
  const prc_status status = prc_explore_set_create(&x->held->rest, &set, err);
  if (status == PRC_OK) x->rest_is_possible = !prc_explore_set_is_empty(set);
  prc_explore_set_free(&set);
  return status;
}

/* Which forces are looked for: where a state at rest may stay there all that keep it so, else those of the motion. */
static prc_status state_problem(cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  x->has_intervals = prc_explore_is_built();
  x->equilibria = x->held->rests;
  x->problem = x->held->held;
  prc_try(prc_new(&x->w, r->dim * x->n, err));
  if (x->has_intervals) {
    prc_try(ask_rest(x, err));
    x->equilibria = x->held->begins_at_rest && x->rest_is_possible;
  }
  if (x->equilibria) x->problem.g = x->held->rest.g, x->problem.may = NULL;
  if (!x->equilibria) memcpy(x->w, r->w_active, (size_t)(r->dim * x->n) * sizeof *x->w);
done:
  return status;
}

/* Starts where a force has no upper bound are drawn up to so many times its lower one. */
#define ABOVE 4.0

static prc_status find_interval(cli_exploration *x, prc_explore_set *set, int contact, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  for (int k = 0; k < r->dim; k++) {
    double range[2];
    prc_try(prc_explore_set_interval(set, contact, k, range, err));
    x->interval[contact][k] = (cli_interval){range[0] / r->h, range[1] / r->h};
    if (k == 0) x->most[contact] = isfinite(range[1]) ? range[1] : fmax(x->most[contact], ABOVE * range[0]);
  }
done:
  return status;
}

static prc_status find_intervals(cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  const double began = prc_clock();
  prc_explore_set *set = NULL;
  prc_try(prc_new(&x->interval, x->n, err));
  if (!x->has_intervals) return PRC_OK;
  prc_try(prc_explore_set_create(&x->problem, &set, err));
  if (prc_explore_set_is_empty(set))
    prc_try(prc_fail(err, PRC_DIVERGED,
                     "the percussions found at t = %.9g are not those of a motion of sticking, sliding and "
                     "opening contacts to "
                     "1e-9; expected a lower contact.tolerance",
                     x->t));
  for (int i = 0; i < x->n; i++)
    if (x->chosen[i]) prc_try(find_interval(x, set, i, err));
  x->pivots = prc_explore_set_pivots(set);
  x->seconds[0] = prc_clock() - began;
done:
  prc_explore_set_free(&set);
  return status;
}

/* ---- samples ---------------------------------------------------------------------------------------------------------- */

/* Where no interval tells: twice the largest of the solution that was found, or what the largest free velocity is worth. */
static prc_status guess_most(cli_exploration *x, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  double largest = 0.0, free = 0.0;
  const prc_status status = prc_new(&x->most, x->n, err);
  for (int i = 0; i < r->dim * x->n; i++) free = fmax(free, fabs(r->problem.b[i]));
  for (int i = 0; i < x->n; i++) largest = fmax(largest, r->p_active[r->dim * i]);
  if (!(largest > 0.0)) largest = free * prc_cone_rho(&r->problem);
  for (int i = 0; i < x->n && status == PRC_OK; i++) x->most[i] = 2.0 * largest;
  return status;
}

static prc_status draw_samples(cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(x->run.stepper);
  const double began = prc_clock();
  double free = 0.0;
  const prc_explore_draws draws = {
      .seed = x->seed, .most = x->most, .cone = prc_stepper_options(x->run.stepper)->cone};
  prc_try(prc_memory_expect(16.0 * (x->by[0] + x->by[1]) * x->n_samples * x->n, "keeping the samples", err));
  for (int i = 0; i < r->dim * x->n; i++) free = fmax(free, fabs(r->problem.b[i]));
  for (int k = 0; k < CLI_WAYS; k++)
    if (x->by[k])
      prc_try(prc_explore_samples_create(&r->problem, &draws, (prc_explore_way)k, x->n_samples, x->w,
                                         fmax(1e-6 * free, x->held->still), &x->samples[k], err));
  x->seconds[1] = prc_clock() - began;
done:
  return status;
}

/* ---- the command ------------------------------------------------------------------------------------------------------- */

static prc_status open_folder(cli_exploration *x, const cli_options *o, char *path, size_t size,
                              prc_error *err) {
  prc_status status = PRC_OK;
  snprintf(path, size, "results/%s-explore", x->c->name);
  x->folder_path = o->folder ? o->folder : path;
  prc_try(prc_output_make_folder(x->folder_path, err));
  prc_try(prc_folder_open(x->folder_path, &x->folder, err));
  prc_try(cli_ownership_check_explored(x->folder, o->overwrite, err));
  prc_try(cli_inputs_check(x->folder, x->c, err));
done:
  return status;
}

static void free_exploration(cli_exploration *x) {
  for (int k = 0; k < CLI_WAYS; k++) prc_explore_samples_free(&x->samples[k]);
  prc_explore_step_free(&x->held);
  prc_delete(&x->q);
  prc_delete(&x->v);
  prc_delete(&x->w);
  prc_delete(&x->most);
  prc_delete(&x->chosen);
  prc_delete(&x->interval);
  prc_folder_close(&x->folder);
  cli_run_free(&x->run, &x->c, &x->model);
}

static prc_status explore(const cli_options *o, cli_exploration *x, prc_error *err) {
  prc_status status = PRC_OK;
  char path[4096];
  cli_use_threads(o->threads);
  prc_try(reach_state(x, o, err));
  prc_try(step_on(x, err));
  prc_try(choose(x, o->contacts, err));
  prc_try(open_folder(x, o, path, sizeof path, err));
  prc_try(guess_most(x, err));
  prc_try(state_problem(x, err));
  prc_try(find_intervals(x, err));
  prc_try(draw_samples(x, err));
  prc_try(cli_explore_write(x, err));
  if (!o->quiet) cli_explore_print(x);
  if (cli_run_script("plot_explore.py", x->folder_path) != 0)
    fprintf(stderr, "warning: no picture was drawn (Debian: python3-matplotlib)\n");
done:
  free_exploration(x);
  return status;
}

static int explore_command(int argc, char **argv) {
  cli_options o;
  cli_exploration x;
  prc_error err = {0};
  int status = cli_parse(&cli_explore, "cTFRNBeLoswtqnC", argc, argv, &o);
  if (status < 0) status = read_request(&o, &x);
  if (status < 0) {
    cli_catch_interrupts(CLI_STOPPED, CLI_FAILED);
    status = explore(&o, &x, &err) == PRC_OK ? CLI_DONE : cli_report(&err);
  }
  cli_options_free(&o);
  return status;
}

const cli_command cli_explore = {"explore",
                                 "CASE.yaml [--time T] [--from DIR] [--at-rest] [--samples N] [--by WAY] "
                                 "[--seed S] [--contacts A,B] [-o DIR] [--set "
                                 "KEY=VALUE]...",
                                 "finds how far the contact forces at a time are from determined",
                                 explore_command};
