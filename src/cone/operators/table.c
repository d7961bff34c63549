#include "config.h"
#include "cone/operators/internal.h"
#include "cone/operators/operators.h"

/* The row of a problem, and what a row has. */

#define ROW_OF(symbol, field)                                                                                \
  if (problem->field) return &prc_cone_##symbol;

const prc_cone_operator *prc_cone_operator_of(const prc_cone_problem *problem) {
  if (problem->storage) return problem->storage;
  PRC_CONE_OPERATORS(ROW_OF)
  return &prc_cone_dense;
}

const prc_cone_sweeper *prc_cone_sweeper_of(const prc_cone_operator *W) {
  return W->sweeper ? W->sweeper : W->row ? &prc_cone_sweeps_by_rows : NULL;
}

const prc_cone_algebra *prc_cone_algebra_of(const prc_cone_operator *W) {
  return W->algebra ? W->algebra : W->row && W->forms ? &prc_cone_assembled : NULL;
}

unsigned prc_cone_offers(const prc_cone_operator *W) {
  return (prc_cone_sweeper_of(W) ? PRC_CONE_SWEEPS : 0u) | (W->row && W->forms ? PRC_CONE_FORMED : 0u)
         | (prc_cone_algebra_of(W) ? PRC_CONE_SYSTEMS : 0u);
}

int prc_cone_can(const prc_cone_ability *ability, const prc_cone_operator *W) {
  return (ability->needs & ~prc_cone_offers(W)) == 0;
}
