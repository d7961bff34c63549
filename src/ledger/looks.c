/* Looks: what the certificate judges besides works, one row each. A helper of the stepper or of the system states a number and
 * its scale (system.h); here stands how much of it is noted and how much fails. */
#include "config.h"
#include "ledger/internal.h"

#include <math.h>

static const prc_ledger_look_row table[PRC_N_LOOKS] = {
    [PRC_LOOK_angular_momentum] =
        {"angular_momentum",
         "angular momentum that no moment from outside explains, summed over the run / "
         "the largest angular momentum",
         "smaller steps, contact.directions: centre or scheme: midpoint keep it", .noted = 1e-3,
         .fails = 1e-2, .adds_up = 1},
    [PRC_LOOK_sticking] = {"sticking", "slip of places that stick in a step / the way of the step",
                           "smaller steps", .noted = 1e-3, .fails = INFINITY, .place = PRC_LOOK_OF_PAIR},
    [PRC_LOOK_seams] =
        {"seams",
         "largest turn of a contact's normal in a step while its pair stayed, beside flush blocks, in rad",
         "smaller steps; blocks that are flush to 1e-6 of their size", .noted = 1.0, .fails = INFINITY,
         .place = PRC_LOOK_OF_PAIR},
    [PRC_LOOK_overlap] =
        {"overlap", "deepest overlap of two bodies by their whole boundaries, wherever contacts look",
         "nodes or points that touch closer to each other than the other body is small (check "
         "says how far apart they may be), or shorter steps",
         .noted = INFINITY, .fails = 1.0, .place = PRC_LOOK_OF_PAIR},
    [PRC_LOOK_small_sliding] = {"small_sliding", "slip where sliding: small is assumed / length of a side",
                                "contacts.<name>.sliding: large", .noted = 0.25, .fails = 1.0},
    [PRC_LOOK_strain] = {"strain", "strain that 1 % of the volume of a body exceeds; of beams their stretch",
                         "smaller loads; model.strains: accepted only notes it", .noted = 0.02, .fails = 0.1},
    [PRC_LOOK_largest_strain] = {"largest_strain", "largest strain of a single cell", "a look at this cell",
                                 .noted = 0.1, .fails = INFINITY, .place = PRC_LOOK_OF_CELL},
    [PRC_LOOK_inverted_cells] = {"inverted_cells", "cells that are turned inside out",
                                 "smaller loads or steps", .noted = INFINITY, .fails = 1.0,
                                 .place = PRC_LOOK_OF_CELL},
    [PRC_LOOK_sampling] = {"sampling", "what steps missed of loads and motions / their range",
                           "smaller steps, or steps that end where data jump or bend", .noted = 0.05,
                           .fails = 0.1},
    [PRC_LOOK_drag] =
        {"drag",
         "forces of contacts times the gaps and slips that a load step left / twice the elastic energy",
         "a larger drag or a smaller contact.tolerance", .noted = 1e-3, .fails = 1e-2},
};

const prc_ledger_look_row *prc_ledger_look_of(int k) {
  return &table[k];
}

static double ratio_of(const prc_look *look) {
  return look->value == 0.0 ? 0.0 : look->value / look->scale;
}

static void enter_one(prc_ledger_look *l, const prc_look *look, int step) {
  const double ratio = ratio_of(look);
  if (!(look->scale > 0.0)) return;
  prc_ledger_worst(&l->largest, look->value, step);
  prc_sum_add(&l->sum, look->value);
  l->scale = fmax(l->scale, look->scale);
  if (l->looked && (isnan(l->ratio) || ratio <= l->ratio)) return;
  l->looked = 1.0, l->ratio = ratio;
  l->value = look->value, l->of = look->scale, l->step = step;
  l->a = look->a, l->b = look->b;
}

void prc_ledger_enter_looks(prc_ledger_look *looks, const prc_look *look, int step) {
  for (int k = 0; k < PRC_N_LOOKS; k++) enter_one(&looks[k], &look[k], step);
}

void prc_ledger_look_at(prc_ledger *l, int step, const prc_look look[PRC_N_LOOKS]) {
  prc_ledger_enter_looks(l->state.look, look, step);
}

double prc_ledger_look_ratio(const prc_ledger *l, int k) {
  return l->state.look[k].ratio;
}

void prc_ledger_look_bounds(int k, double *noted, double *fails) {
  *noted = table[k].noted, *fails = table[k].fails;
}

/* The bound is that of failing; of a look that never fails, that of noting. */
prc_certificate_entry prc_ledger_look_entry(const prc_ledger *ledger, int k) {
  const prc_ledger_look_row *row = &table[k];
  const prc_ledger_look *l = &ledger->state.look[k];
  const int accepted = (ledger->options.accepted >> k & 1U) != 0;
  const double scale = row->adds_up ? l->scale : l->of,
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
  if (k == PRC_LOOK_seams) entry.mended = ledger->state.mended;
  if (row->place == PRC_LOOK_OF_PAIR) {
    entry.has_pair = value > 0.0;
    entry.pair[0] = prc_ledger_item(l->a), entry.pair[1] = prc_ledger_item(l->b);
  }
  if (row->place == PRC_LOOK_OF_CELL && l->a >= 0.0) entry.has_cell = 1, entry.cell = prc_ledger_item(l->a);
  return entry;
}
