#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A step that cannot be believed ends the run, or is counted in the certificate (time.on_failure). */

const prc_case_contact *cli_contact_of(const cli_run_state *run, int c) {
  const prc_simulation_parts parts = cli_run_parts(run);
  return prc_simulation_contact_of(&parts, c);
}

const prc_case_contact *cli_name_contact(const cli_run_state *run, int c, char *text, size_t size) {
  const prc_simulation_parts parts = cli_run_parts(run);
  return prc_simulation_name_contact(&parts, c, text, size);
}

/* The active contact whose own error is the largest, in the measure that judges; -1: there is none. p and w
 * are those of the step. */
static int worst_contact(const prc_step_record *r, double *error) {
  const double rho = r->problem.n > 0 ? prc_cone_rho(&r->problem) : 1.0;
  int worst = -1;
  *error = 0.0;
  for (int i = 0; i < r->problem.n; i++) {
    const int dim = r->dim;
    const prc_cone_problem one = {.dim = dim, .n = 1, .mu = r->problem.mu + i};
    const double own = prc_cone_residual(&one, rho, r->p_active + dim * i, r->w_active + dim * i);
    if (worst < 0 || !(own <= *error)) worst = r->active[i], *error = own;
  }
  return worst;
}

static void append_vector(char *text, size_t size, int n, const double *value) {
  for (int k = 0; k < n; k++) prc_append(text, size, "%s%.6g", k > 0 ? ", " : "", value[k]);
}

static void describe_contact(const cli_run_state *run, char *text, size_t size) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char name[256];
  double error;
  const int c = worst_contact(r, &error);
  text[0] = '\0';
  if (c < 0) return;
  const prc_case_contact *group = cli_name_contact(run, c, name, sizeof name);
  snprintf(text, size, "; the worst of %d contacts is %s in '%.80s': gap %.6g, velocity before (",
           r->n_active, name, group->name, r->gap[c]);
  append_vector(text, size, r->dim, r->u_old + r->dim * c);
  prc_append(text, size, "), percussion (");
  append_vector(text, size, r->dim, r->p + r->dim * c);
  prc_append(text, size, ")");
}

/* Where the contact problem was saved, or why not. */
static void save_problem(const cli_run_state *run, char *text, size_t size) {
  prc_error second = {0};
  char path[4200];
  text[0] = '\0';
  if (prc_stepper_record(run->stepper)->problem.n == 0 || !cli_ranks_write(run)) return;
  if (cli_problems_write(run, path, sizeof path, &second) == PRC_OK)
    snprintf(text, size, "; its contact problem is %s", path);
  else
    snprintf(text, size, "; its contact problem is not kept: %s", second.message);
}

/* Counts the step once, whatever is wrong with it, and stops the run unless the case says to continue. */
static prc_status refuse_step(cli_run_state *run, const char *fault, prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  char contact[512], problem[4500];
  if (run->step_failed != r->step) prc_ledger_fail(run->ledger, r->step);
  run->step_failed = r->step;
  if (run->c->time.continue_on_failure) return PRC_OK;
  describe_contact(run, contact, sizeof contact);
  save_problem(run, problem, sizeof problem);
  return prc_fail(err, PRC_DIVERGED, "step %d, t = %.9g: %s%s%s; time.on_failure: continue would go on",
                  r->step, r->t, fault, contact, problem);
}

/* A body may pass into its obstacle within a step, before its contact closes. Warned of once, where it is
 * first too deep. */
static void warn_of_penetration(cli_run_state *run) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double depth = prc_ledger_depth(run->ledger);
  char name[256];
  double worst = 0.0;
  int deepest = 0;
  if (!(depth > 1.0) || run->depth > 1.0) return;
  run->depth = depth;
  /* as the verdict does: by the body's own size, unless the case gives a length */
  const double *size =
      run->c->contact.max_penetration < 0.0 && r->size_least > 0.0 ? r->contacts->size : NULL;
  for (int c = 0; c < r->n_contacts; c++) {
    if (size && !(size[c] > 0.0)) continue;
    const double now = size ? -r->gap[c] / size[c] : -r->gap[c];
    if (now > worst) worst = now, deepest = c;
  }
  const prc_case_contact *group = cli_name_contact(run, deepest, name, sizeof name);
  prc_log_message(&cli_log, PRC_LOG_WARNING,
                  "step %d, t = %.9g: %s %s %.3g %s '%.80s'; what is fast goes through "
                  "obstacles within a step: "
                  "expected a shorter time.step, or contact.max_penetration as deep as this may be",
                  r->step, r->t, name, group->pairs ? "overlap by" : "is", -r->gap[deepest],
                  group->pairs ? "in" : "behind the plane of", group->name);
}

/* Said once: in the steps behind it is no news. */
static void warn_of_forgotten(cli_run_state *run) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (run->forgets || !r->contacts || !r->contacts->gave_up) return;
  run->forgets = 1;
  prc_log_message(&cli_log, PRC_LOG_WARNING,
                  "step %d, t = %.9g: more than %d contacts are apart whose friction does not forget; what "
                  "those that opened first had slipped is given up, and they begin anew where they meet",
                  r->step, r->t, PRC_CONTACTS_AWAY);
}

/* Before it is entered, so that what is said is said once. */
static void warn_of_strains(const prc_simulation_parts *parts, const prc_indicator *indicator) {
  char text[256];
  if (prc_simulation_enter_strains(parts, indicator, text, sizeof text))
    prc_log_message(&cli_log, PRC_LOG_WARNING, "%s", text);
}

static prc_status check_strains(cli_run_state *run, prc_error *err) {
  const prc_simulation_parts parts = cli_run_parts(run);
  prc_indicator indicator[PRC_N_INDICATORS];
  if (!prc_simulation_strains_are_due(&parts)) return PRC_OK;
  prc_stepper_indicate(run->stepper, indicator);
  warn_of_strains(&parts, indicator);
  prc_ledger_indicator_at(run->ledger, prc_stepper_record(run->stepper)->step, indicator);
  return prc_simulation_refuse_inverted(&parts, indicator, err);
}

prc_status cli_failure_check(cli_run_state *run, prc_error *err) {
  const prc_simulation_parts parts = cli_run_parts(run);
  char fault[256];
  const prc_status status = check_strains(run, err);
  if (status != PRC_OK) return status;
  warn_of_penetration(run);
  warn_of_forgotten(run);
  return prc_simulation_find_fault(&parts, fault, sizeof fault) ? refuse_step(run, fault, err) : PRC_OK;
}

/* Every step's increments close whether or not the state is right; that it is right is seen here. */
prc_status cli_failure_check_drift(cli_run_state *run, prc_error *err) {
  const prc_simulation_parts parts = cli_run_parts(run);
  prc_step_drift drift;
  char fault[256];
  const prc_status status = prc_stepper_drift(run->stepper, &drift, err);
  if (status != PRC_OK) return status;
  warn_of_strains(&parts, drift.indicator);
  const prc_ledger_drifts d = prc_ledger_drift(run->ledger, prc_stepper_record(run->stepper)->step, &drift);
  const prc_status inverted = prc_simulation_refuse_inverted(&parts, drift.indicator, err);
  if (inverted != PRC_OK) return inverted;
  if (!prc_simulation_find_drift(&parts, &d, fault, sizeof fault)) return PRC_OK;
  return refuse_step(run, fault, err);
}

/* The stepper itself gave up: a step from which nothing can go on. */
void cli_failure_of_step(const cli_run_state *run, int step, prc_error *err) {
  char problem[4500];
  prc_ledger_fail(run->ledger, step);
  if (err->status == PRC_INPUT) { /* the case is to blame, and the message says where */
    prc_case_place_motion(run->c, err);
    return;
  }
  save_problem(run, problem, sizeof problem);
  const size_t used = strlen(err->message);
  snprintf(err->message + used, sizeof err->message - used, "%s", problem);
  prc_error_context(err, "step %d", step);
}
