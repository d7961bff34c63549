#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A step that cannot be believed ends the run, or is counted in the certificate (time.on_failure). */

/* Beyond these no motion is one that the model was made for: a thousand times the waves in an elastic body,
 * which are strains of a thousand; in a load step a thousand times its size; for contacts of rigid bodies, in
 * a step a million times the size of all there is, whose coordinates lose as many digits. */
#define ABSURD_WAVES  1e3
#define ABSURD_STATIC 1e3
#define ABSURD_RIGID  1e6

const prc_case_contact *cli_contact_of(const cli_run_state *run, int c) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  return &run->c->contact_group[prc_model_contact_of(run->model, set, c)];
}

const prc_case_contact *cli_name_contact(const cli_run_state *run, int c, char *text, size_t size) {
  const prc_contact_set *set = prc_stepper_record(run->stepper)->contacts;
  const prc_case_contact *contact = cli_contact_of(run, c);
  int item;
  const prc_body *body = prc_view_body_of(run->model->scene, set->body[2 * c + 1], &item);
  if (contact->pairs) {
    cli_name_pair(run, c, text, size);
    return contact;
  }
  body->kind->view->point_name(body->self, item, (int)set->id[c].feature_b, text, size);
  return contact;
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
  if (prc_stepper_record(run->stepper)->problem.n == 0) return;
  if (cli_problems_write(run, path, sizeof path, &second) == PRC_OK)
    snprintf(text, size, "; its contact problem is %s", path);
  else
    snprintf(text, size, "; its contact problem is not kept: %s", second.message);
}

/* Where only the start has a velocity, dofs may be angles, and contacts' velocities are looked at. */
static double velocity_limit(const cli_run_state *run) {
  const prc_system *system = run->system;
  const double crossing = system->length / prc_stepper_record(run->stepper)->h;
  if (system->velocity_at_start) return system->length > 0.0 ? ABSURD_RIGID * crossing : INFINITY;
  return run->c->time.quasi_static ? ABSURD_STATIC * crossing : ABSURD_WAVES * system->velocity;
}

/* The sum of squares is cheaper than the largest, and never less. */
static double largest_velocity(const cli_run_state *run, double limit) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const int of_contacts = run->system->velocity_at_start, n = of_contacts ? r->dim * r->n_contacts : r->n;
  const double *v = of_contacts ? r->u : r->v;
  double sum = 0.0, largest = 0.0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  if (sum <= limit * limit) return 0.0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(v[i]));
  return largest;
}

/* Load steps, and schemes whose steps do not iterate, have no time.tolerance. */
static int has_tolerance(const cli_run_state *run) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  return !cli_is_static(o) && (prc_step_scheme_options(o->scheme) & PRC_OPTION_TOLERANCE) != 0;
}

/* What is wrong with the step that was made, in words; 0: nothing. */
static int find_fault(const cli_run_state *run, char *text, size_t size) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_ledger_row *row = prc_ledger_now(run->ledger);
  const double tolerance = prc_stepper_options(run->stepper)->cone.tolerance;
  const double absurd = velocity_limit(run), velocity = largest_velocity(run, absurd),
               balance = prc_ledger_balance_bound(run->ledger);
  if (velocity > absurd)
    snprintf(text, size, "a velocity is %.6g, expected at most %.6g", velocity, absurd);
  else if (!r->cone.converged)
    snprintf(text, size,
             "the contact problem is solved to %.3g only, expected %.3g; %d iterations ended with %s%s",
             row->cone_error, tolerance, r->cone.iterations, r->cone.finished,
             r->cone.rounding > tolerance ? ", and rounding alone is more than that" : "");
  else if (!(r->change <= r->tolerance))
    snprintf(
        text, size,
        "the step does not converge: the last of %d passes changed what is in play by %.3g of it, expected "
        "%.3g; smaller steps%s may help",
        r->passes, r->change, r->tolerance, has_tolerance(run) ? ", or a larger time.tolerance," : "");
  else if (!(fabs(row->balance_residual) <= balance))
    snprintf(text, size, "the energy changed by %.6g more than all works explain, expected at most %.3g",
             row->balance_residual, balance);
  else
    return 0;
  return 1;
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

prc_status cli_failure_check(cli_run_state *run, prc_error *err) {
  char fault[256];
  warn_of_penetration(run);
  return find_fault(run, fault, sizeof fault) ? refuse_step(run, fault, err) : PRC_OK;
}

/* Every step's increments close whether or not the state is right; that it is right is seen here. */
prc_status cli_failure_check_drift(cli_run_state *run, prc_error *err) {
  prc_step_drift drift;
  char fault[256];
  const prc_status status = prc_stepper_drift(run->stepper, &drift, err);
  if (status != PRC_OK) return status;
  const prc_ledger_drifts d = prc_ledger_drift(run->ledger, prc_stepper_record(run->stepper)->step, &drift);
  if (!(d.elastic <= PRC_LEDGER_DRIFT))
    snprintf(fault, sizeof fault,
             "the elastic force carried along is off K q by %.3g of its largest norm, expected at most %.3g",
             d.elastic, PRC_LEDGER_DRIFT);
  else if (!(d.momentum <= prc_ledger_momentum_bound(run->ledger)))
    snprintf(fault, sizeof fault, "%s by %.3g of its largest norm, expected at most %.3g",
             run->c->time.quasi_static ? "equilibrium is missed" : "the momentum carried along is off M v",
             d.momentum, prc_ledger_momentum_bound(run->ledger));
  else
    return PRC_OK;
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
