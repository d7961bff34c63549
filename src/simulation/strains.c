#include "config.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdio.h>

/* Strains and small slides between drifts. A look at all cells costs about a third of a step, so it is made where it
 * may find something.
 *
 * Strains need energy (prc_system.energy_strained, energy_inverted): where there is less, nothing is strained and no
 * cell inverted. Beyond that, a step is looked at if it is a load step, if it is one of EVERY, or if the elastic energy
 * is higher than ever and has passed a rung GROWTH^k: the strain at the last look is then below the largest by the root
 * of GROWTH at most, as far as strains go with the root of the energy.
 * Slides on curves that slide little need no energy: one step of EVERY is looked at. */

enum { EVERY = 64 };
#define GROWTH 1.04

static int reaches_rung(double before, double now) {
  return now > before && floor(log(now) / log(GROWTH)) > floor(log(before) / log(GROWTH));
}

static int slides_little(const prc_case *c) {
  for (int i = 0; i < c->n_contacts; i++)
    if (c->contact_group[i].interface && c->contact_group[i].small) return 1;
  return 0;
}

int prc_simulation_strains_are_due(const prc_simulation_parts *run) {
  const prc_system *system = run->model->system;
  const double elastic = prc_ledger_now(run->ledger)->elastic;
  const int one_of_many = prc_stepper_record(run->stepper)->step % EVERY == 0;
  double noted, fails;
  if (!system->indicator) return 0;
  if (one_of_many && slides_little(run->c)) return 1;
  prc_ledger_indicator_bounds(PRC_INDICATOR_strain, &noted, &fails);
  const int strained = system->energy_strained > 0.0 && elastic >= noted * noted * system->energy_strained,
            inverted = system->energy_inverted > 0.0 && elastic >= system->energy_inverted;
  return (strained || inverted)
         && (run->c->time.quasi_static || one_of_many
             || reaches_rung(prc_ledger_elastic_before(run->ledger), elastic));
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
