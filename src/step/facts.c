#include "config.h"
#include "step/internal.h"

#include <string.h>

/* Facts of a stepper for reports. */

prc_step_facts prc_stepper_facts(const prc_stepper *s) {
  const prc_step_contacts *k = &s->contacts;
  const size_t rows = (size_t)k->set.dim * (size_t)k->set.n, size = (size_t)k->set.dim * (size_t)k->set.dim;
  const size_t n_blocks =
      k->sparse && k->part.blocks.row_start ? (size_t)k->part.blocks.row_start[k->n_active] : 0;
  prc_step_facts facts = {.linear = prc_operator_get_facts(s->op),
                          .W_entries = k->factored ? 2 * PRC_RUN * rows
                                       : k->sparse ? n_blocks * size
                                                   : rows * rows};
  memcpy(facts.seconds, s->seconds, sizeof facts.seconds);
  facts.bytes =
      facts.linear.bytes + (size_t)s->n * 16 * sizeof(double)
      + 12 * facts.W_entries * sizeof(double); /* W, that of the active ones, and the solvers' own */
  facts.bytes += (size_t)s->ladder.bytes;
  if (s->K) facts.bytes += prc_product_bytes(s->K) + (size_t)prc_sym_nnz(s->system->dynamics.K) * 34;
  return facts;
}

void prc_stepper_delassus(prc_stepper *s, int count, const int *candidates, double *W) {
  prc_operator_condense_dense(s->op, &s->contacts.set.H, count, candidates, s->contacts.action.share, W);
}
