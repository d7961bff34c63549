#include "config.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdio.h>

/* Strains between drifts. A look at all cells costs about as much as a step, so it is made where it may find something: strains need energy (prc_system.energy_strained,
 * energy_inverted), and where there is less than that, nothing is strained and no cell inverted. Beyond it one step in EVERY is looked at, of load steps each. */

enum { EVERY = 64 };

int prc_simulation_strains_are_due(const prc_simulation_parts *run) {
  const prc_system *system = run->model->system;
  const double elastic = prc_ledger_now(run->ledger)->elastic;
  double noted, fails;
  if (!system->indicator
      || (!run->c->time.quasi_static && prc_stepper_record(run->stepper)->step % EVERY != 0))
    return 0;
  prc_ledger_indicator_bounds(PRC_INDICATOR_strain, &noted, &fails);
  return (system->energy_strained > 0.0 && elastic >= noted * noted * system->energy_strained)
         || (system->energy_inverted > 0.0 && elastic >= system->energy_inverted);
}

/* 1: a look went beyond that ratio for the first time. */
static int passed(double before, double now, double bound) {
  return !(now < bound) && before < bound;
}

int prc_simulation_enter_strains(const prc_simulation_parts *run, const prc_indicator *indicator, char *text,
                                 size_t size) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const double now = indicator[PRC_INDICATOR_strain].value,
               before = prc_ledger_indicator_ratio(run->ledger, PRC_INDICATOR_strain);
  double noted, fails;
  prc_ledger_indicator_bounds(PRC_INDICATOR_strain, &noted, &fails);
  if (!(indicator[PRC_INDICATOR_strain].scale > 0.0)
      || (!passed(before, now, noted) && !passed(before, now, fails)))
    return 0;
  snprintf(text, size,
           "step %d, t = %.9g: more than 1 %% of the volume of a body is strained by %.3g %%, and its law is "
           "for small "
           "strains: %s from %.3g %% on",
           r->step, r->t, 100.0 * now,
           now < fails || run->c->model.strains_accepted ? "noted" : "the certificate fails",
           100.0 * (now < fails ? noted : fails));
  return 1;
}

prc_status prc_simulation_refuse_inverted(const prc_simulation_parts *run, const prc_indicator *indicator,
                                          prc_error *err) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_indicator *inverted = &indicator[PRC_INDICATOR_inverted_cells];
  if (!(inverted->value > 0.0)) return PRC_OK;
  const int others = (int)inverted->value - 1;
  char where[64] = "", more[64] = "";
  if (inverted->a >= 0) snprintf(where, sizeof where, " %d", inverted->a);
  if (others > 0) snprintf(more, sizeof more, " (and %d other%s)", others, others == 1 ? "" : "s");
  return prc_fail(
      err, PRC_DIVERGED,
      "step %d, t = %.9g: cell%s of the mesh%s is turned inside out: smaller loads or steps, or a finer mesh "
      "where it is; nothing that follows would be true",
      r->step, r->t, where, more);
}
