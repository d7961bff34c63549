#include "config.h"
#include "contact/mortar.h"

#include <stdlib.h>

/* Chains of sides: points in the order of their numbers, chords, and what joins them. */

static int by_number(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int prc_mortar_chain_point(const prc_mortar_chain *chain, int node) {
  const int *at = bsearch(&node, chain->node, (size_t)chain->n_points, sizeof *chain->node, by_number);
  return at ? (int)(at - chain->node) : -1;
}

/* A chord from a to b, part number `half` of the side s; 0 where one of its ends has another already. */
static int add_chord(prc_mortar_chain *chain, const int s[3], int a, int b, int half) {
  const int n = s[2] < 0 ? 2 : 3, k = chain->n_chords++;
  chain->chord[k] = (prc_mortar_chord){.point = {a, b},
                                       .n_nodes = n,
                                       .of = {s[0], s[1], s[2]},
                                       .from = 0.5 * half,
                                       .part = n == 2 ? 1.0 : 0.5};
  if (chain->ahead[2 * a + 1] >= 0 || chain->ahead[2 * b] >= 0) return 0;
  chain->ahead[2 * a + 1] = chain->ahead[2 * b] = k;
  return 1;
}

static prc_status add_side(prc_mortar_chain *chain, const int side[3], int *branch, prc_error *err) {
  int s[3];
  for (int k = 0; k < 3; k++) {
    s[k] = side[k] < 0 ? -1 : prc_mortar_chain_point(chain, side[k]);
    if (side[k] >= 0 && s[k] < 0)
      return prc_fail(err, PRC_INPUT, "a side has node %d, which is not in the chain's list", side[k]);
  }
  const int ok = s[2] < 0 ? add_chord(chain, s, s[0], s[1], 0)
                          : add_chord(chain, s, s[0], s[2], 0) & add_chord(chain, s, s[2], s[1], 1);
  if (ok) return PRC_OK;
  for (int k = 0; k < 2; k++)
    if (*branch < 0 && chain->ahead[2 * s[k] + 1 - k] != chain->n_chords - 1) *branch = side[k];
  return prc_fail(err, PRC_INPUT, "more than two of its sides meet in one node, expected a curve");
}

prc_status prc_mortar_chain_create(int n_nodes, const int *node, int n_sides, const int (*side)[3],
                                   prc_mortar_chain **out, int *branch, prc_error *err) {
  prc_status status = PRC_OK;
  prc_mortar_chain *chain = NULL;
  int none = -1;
  if (!branch) branch = &none;
  *branch = -1;
  prc_try(prc_new(&chain, 1, err));
  prc_try(prc_new(&chain->node, n_nodes, err));
  prc_try(prc_new(&chain->ahead, 2 * (size_t)n_nodes, err));
  prc_try(prc_new(&chain->x, 2 * (size_t)n_nodes, err));
  prc_try(prc_new(&chain->normal, 2 * (size_t)n_nodes, err));
  prc_try(prc_new(&chain->across, 4 * (size_t)n_sides, err));
  prc_try(prc_new(&chain->corner, n_nodes, err));
  prc_try(prc_new(&chain->chord, 2 * (size_t)n_sides, err));
  chain->n_points = n_nodes;
  for (int k = 0; k < n_nodes; k++) chain->node[k] = node[k];
  for (int k = 0; k < 2 * n_nodes; k++) chain->ahead[k] = -1;
  for (int k = 0; k < n_sides; k++) prc_try(add_side(chain, side[k], branch, err));
  *out = chain, chain = NULL;
done:
  prc_mortar_chain_free(&chain);
  return status;
}

void prc_mortar_chain_free(prc_mortar_chain **chain) {
  if (!*chain) return;
  prc_delete(&(*chain)->node);
  prc_delete(&(*chain)->ahead);
  prc_delete(&(*chain)->chord);
  prc_delete(&(*chain)->x);
  prc_delete(&(*chain)->normal);
  prc_delete(&(*chain)->across);
  prc_delete(&(*chain)->corner);
  prc_delete(chain);
}
