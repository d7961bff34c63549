#include "config.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Faults of a step that was made: its result must not be used. */

/* Beyond these no motion is one that the model was made for: a thousand times the waves in an elastic body,
 * which are strains of a thousand; in a load step a thousand times its size; for contacts of rigid bodies, in
 * a step a million times the size of all there is, whose coordinates lose as many digits. */
#define ABSURD_WAVES  1e3
#define ABSURD_STATIC 1e3
#define ABSURD_RIGID  1e6

static int is_static(const prc_step_options *o) {
  return strcmp(o->scheme, "static") == 0;
}

/* Where only the start has a velocity, dofs may be angles, and contacts' velocities are looked at. */
static double velocity_limit(const prc_simulation_parts *run) {
  const prc_system *system = run->model->system;
  const double crossing = system->length / prc_stepper_record(run->stepper)->h;
  if (system->velocity_at_start) return system->length > 0.0 ? ABSURD_RIGID * crossing : INFINITY;
  return run->c->time.quasi_static ? ABSURD_STATIC * crossing : ABSURD_WAVES * system->velocity;
}

/* The sum of squares is cheaper than the largest, and never less. */
static double largest_velocity(const prc_simulation_parts *run, double limit) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const int of_contacts = run->model->system->velocity_at_start,
            n = of_contacts ? r->dim * r->n_contacts : r->n;
  const double *v = of_contacts ? r->u : r->v;
  double sum = 0.0, largest = 0.0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  const int is_small = sum <= limit * limit;
  for (int i = 0; i < n && !is_small; i++) largest = fmax(largest, fabs(v[i]));
  prc_share_largest(run->model->system->share, 1, &largest);
  return largest;
}

/* Load steps, and schemes whose steps do not iterate, have no time.tolerance. */
static int has_tolerance(const prc_simulation_parts *run) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  return !is_static(o) && (prc_step_scheme_options(o->scheme) & PRC_OPTION_TOLERANCE) != 0;
}

/* Fault of the step that was made, in words; 0: none. */
int prc_simulation_find_fault(const prc_simulation_parts *run, char *text, size_t size) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_ledger_row *row = prc_ledger_now(run->ledger);
  const double tolerance = prc_stepper_options(run->stepper)->cone.tolerance;
  const double absurd = velocity_limit(run), velocity = largest_velocity(run, absurd),
               balance = prc_ledger_balance_bound(run->ledger);
  if (velocity > absurd)
    snprintf(text, size, "a velocity is %.6g, expected at most %.6g", velocity, absurd);
  else if (!r->cone.converged)
    snprintf(text, size,
             "the contact problem %sis solved to %.3g only, expected %.3g; %d iterations ended with %s%s",
             r->cone_level ? r->cone_level : "", row->cone_error, tolerance, r->cone.iterations,
             r->cone.finished, r->cone.rounding > tolerance ? ", and rounding alone is more than that" : "");
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

int prc_simulation_find_drift(const prc_simulation_parts *run, const prc_ledger_drifts *d, char *text,
                              size_t size) {
  if (!(d->elastic <= PRC_LEDGER_DRIFT))
    snprintf(text, size,
             "the elastic force carried along is off K q by %.3g of its largest norm, expected at most %.3g",
             d->elastic, PRC_LEDGER_DRIFT);
  else if (!(d->momentum <= prc_ledger_momentum_bound(run->ledger)))
    snprintf(text, size, "%s by %.3g of its largest norm, expected at most %.3g",
             run->c->time.quasi_static ? "equilibrium is missed" : "the momentum carried along is off M v",
             d->momentum, prc_ledger_momentum_bound(run->ledger));
  else
    return 0;
  return 1;
}
