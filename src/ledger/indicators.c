/* Indicators: what the certificate judges besides works, one row each. The stepper or the system states a number and its scale
 * (system.h); here stands how much of it is noted and how much fails. */
#include "config.h"
#include "ledger/internal.h"

#include <math.h>

static const prc_ledger_indicator_row table[PRC_N_INDICATORS] = {
    [PRC_INDICATOR_angular_momentum] =
        {"angular_momentum",
         "angular momentum that no moment from outside explains, summed over the run / "
         "the largest angular momentum",
         "smaller steps, contact.directions: centre or scheme: midpoint keep it", .noted = 1e-3,
         .fails = 1e-2, .adds_up = 1},
    [PRC_INDICATOR_sticking] =
        {"sticking",
         "way of a contact while it sticks, of the places of both bodies / size of the smaller body",
         "contact.directions: centre, smaller steps or theta = 1/2", .noted = 3e-3, .fails = 1e-2,
         .place = PRC_INDICATOR_OF_PAIR},
    [PRC_INDICATOR_seams] =
        {"seams",
         "largest turn of a contact's normal in a step while its pair stayed, beside flush blocks, or where "
         "a step little higher than flush stopped what slides, in rad",
         "smaller steps; blocks that are flush to 1e-6 of their size", .noted = 1.0, .fails = INFINITY,
         .place = PRC_INDICATOR_OF_PAIR},
    [PRC_INDICATOR_overlap] =
        {"overlap", "deepest overlap of two bodies by their whole boundaries, wherever contacts look",
         "nodes or points that touch closer to each other than the other body is small (check "
         "says how far apart they may be), or shorter steps",
         .noted = INFINITY, .fails = 1.0, .place = PRC_INDICATOR_OF_PAIR},
    [PRC_INDICATOR_small_sliding] = {"small_sliding",
                                     "slip where sliding: small is assumed / length of a side",
                                     "contacts.<name>.sliding: large", .noted = 0.25, .fails = 1.0},
    [PRC_INDICATOR_strain] = {"strain",
                              "strain that 1 % of the volume of a body exceeds; of beams their stretch",
                              "smaller loads; model.strains: accepted only notes it", .noted = 0.02,
                              .fails = 0.1},
    [PRC_INDICATOR_largest_strain] = {"largest_strain", "largest strain of a single cell",
                                      "a look at this cell", .noted = 0.1, .fails = INFINITY,
                                      .place = PRC_INDICATOR_OF_CELL},
    [PRC_INDICATOR_inverted_cells] = {"inverted_cells", "cells that are turned inside out",
                                      "smaller loads or steps", .noted = INFINITY, .fails = 1.0,
                                      .place = PRC_INDICATOR_OF_CELL},
    [PRC_INDICATOR_sampling] = {"sampling", "what steps missed of loads and motions / their range",
                                "smaller steps, or steps that end where data jump or bend", .noted = 0.05,
                                .fails = 0.1},
    [PRC_INDICATOR_sampled_loads] =
        {"sampled_loads",
         "impulses that loads: sampled missed of loads that jump or bend, summed over the run / "
         "the impulses of the loads",
         "time.loads: mean, or smaller steps", .noted = 0.05, .fails = 0.1, .adds_up = 1, .scales_add_up = 1},
    [PRC_INDICATOR_drag] =
        {"drag",
         "forces of contacts times the gaps and slips that a load step left / twice the elastic energy",
         "a larger drag or a smaller contact.tolerance", .noted = 1e-3, .fails = 1e-2},
};

const prc_ledger_indicator_row *prc_ledger_indicator_of(int k) {
  return &table[k];
}

static double ratio_of(const prc_indicator *indicator) {
  return indicator->value == 0.0 ? 0.0 : indicator->value / indicator->scale;
}

static void enter_one(const prc_ledger_indicator_row *row, prc_ledger_indicator *l,
                      const prc_indicator *indicator, int step) {
  const double ratio = ratio_of(indicator);
  if (!(indicator->scale > 0.0)) return;
  prc_ledger_worst(&l->largest, indicator->value, step);
  prc_sum_add(&l->sum, indicator->value);
  l->scale = row->scales_add_up ? l->scale + indicator->scale : fmax(l->scale, indicator->scale);
  if (l->looked && (isnan(l->ratio) || ratio <= l->ratio)) return;
  l->looked = 1.0, l->ratio = ratio;
  l->value = indicator->value, l->of = indicator->scale, l->step = step;
  l->a = indicator->a, l->b = indicator->b, l->height = indicator->height;
}

void prc_ledger_enter_indicators(prc_ledger_indicator *all, const prc_indicator *indicator, int step) {
  for (int k = 0; k < PRC_N_INDICATORS; k++) enter_one(&table[k], &all[k], &indicator[k], step);
}

void prc_ledger_indicator_at(prc_ledger *l, int step, const prc_indicator indicator[PRC_N_INDICATORS]) {
  prc_ledger_enter_indicators(l->state.indicator, indicator, step);
}

double prc_ledger_indicator_ratio(const prc_ledger *l, int k) {
  return l->state.indicator[k].ratio;
}

void prc_ledger_indicator_bounds(int k, double *noted, double *fails) {
  *noted = table[k].noted, *fails = table[k].fails;
}

#define PROMISED 1e-12 /* of the largest angular momentum, beyond what rounding explains */

/* Where it is promised the sum is rounding, whatever the steps. What is beyond fails at PROMISED. Else the reason says what may help. */
static void hold_to_promise(const prc_ledger *ledger, const prc_ledger_indicator *l,
                            prc_certificate_entry *entry) {
  const prc_step_promise *promise = &ledger->options.promises.angular_momentum;
  const double excess = prc_sum_total(&ledger->state.moment_excess);
  if (promise->reason) entry->cure = promise->reason;
  if (!promise->theorem || entry->absent) return;
  entry->theorem = promise->theorem;
  entry->bound = PROMISED * l->scale + (entry->value - excess);
  entry->ratio = entry->value == 0.0 ? 0.0 : entry->value / entry->bound;
  if (entry->verdict != PRC_FAIL) entry->verdict = excess <= PROMISED * l->scale ? PRC_PASS : PRC_FAIL;
}

/* Runs of fewer steps are judged as if they had so many: half of a step's load is no share of a single step. */
#define FEW 20.0

static double scale_of_sum(const prc_ledger *ledger, const prc_ledger_indicator_row *row,
                           const prc_ledger_indicator *l) {
  const double steps = fmax(1.0, (double)ledger->state.row.step);
  return row->scales_add_up && steps < FEW ? l->scale * FEW / steps : l->scale;
}

/* The bound is that of failing; of a look that never fails, that of noting. */
prc_certificate_entry prc_ledger_indicator_entry(const prc_ledger *ledger, int k) {
  const prc_ledger_indicator_row *row = &table[k];
  const prc_ledger_indicator *l = &ledger->state.indicator[k];
  const int accepted = (ledger->options.accepted >> k & 1U) != 0;
  const double scale = row->adds_up ? scale_of_sum(ledger, row, l) : l->of,
               value = row->adds_up ? prc_sum_total(&l->sum) : l->value,
               ratio = row->adds_up ? (value == 0.0 ? 0.0 : value / scale) : l->ratio,
               most = isfinite(row->fails) && !accepted ? row->fails : row->noted;
  prc_certificate_entry entry = {.name = row->name,
                                 .meaning = row->meaning,
                                 .cure = row->cure,
                                 .absent = l->looked == 0.0,
                                 .value = value,
                                 .bound = most * scale,
                                 .ratio = ratio / most,
                                 .largest = l->largest.value,
                                 .largest_step = prc_ledger_whole(l->largest.step),
                                 .step = prc_ledger_whole(l->step),
                                 .verdict = PRC_PASS};
  if (!(ratio < row->noted)) entry.verdict = PRC_NOTED;
  if (!(ratio < row->fails)) entry.verdict = accepted ? PRC_NOTED : PRC_FAIL;
  if (k == PRC_INDICATOR_angular_momentum) hold_to_promise(ledger, l, &entry);
  if (k == PRC_INDICATOR_seams) entry.mended = ledger->state.mended, entry.height = l->height;
  if (row->place == PRC_INDICATOR_OF_PAIR) {
    entry.has_pair = value > 0.0;
    entry.pair[0] = prc_ledger_item(l->a), entry.pair[1] = prc_ledger_item(l->b);
  }
  if (row->place == PRC_INDICATOR_OF_CELL && l->a >= 0.0)
    entry.has_cell = 1, entry.cell = prc_ledger_item(l->a);
  return entry;
}
