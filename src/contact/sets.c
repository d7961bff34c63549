#include "config.h"
#include "contact/sets.h"

enum { WORD = 64 }; /* sets that one word has bits for */

prc_status prc_contact_sets_create(int n_bodies, int n_pairs, prc_contact_sets *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_contact_sets sets = {.n_bodies = n_bodies, .n_pairs = n_pairs, .n_words = (n_pairs + WORD - 1) / WORD};
  const size_t words = (size_t)n_bodies * (size_t)sets.n_words;
  prc_try(prc_new(&sets.law, n_pairs, err));
  prc_try(prc_new(&sets.laws, n_pairs, err));
  for (int side = 0; side < 2; side++) prc_try(prc_new(&sets.side[side], words, err));
  *out = sets, sets = (prc_contact_sets){0};
done:
  prc_contact_sets_free(&sets);
  return status;
}

void prc_contact_sets_free(prc_contact_sets *sets) {
  prc_delete(&sets->law);
  prc_delete(&sets->laws);
  for (int side = 0; side < 2; side++) prc_delete(&sets->side[side]);
  *sets = (prc_contact_sets){0};
}

prc_status prc_contact_sets_enter(prc_contact_sets *sets, int k, const char *name, const int n[2],
                                  const int *const body[2], prc_law law, prc_error *err) {
  const prc_status status = prc_law_check(&law, err);
  if (status != PRC_OK) {
    prc_error_context(err, "contact '%s'", name);
    return status;
  }
  sets->law[k] = law;
  sets->laws[k] = &sets->law[k];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < n[side]; i++) {
      const int b = body[side][i];
      if (b < 0 || b >= sets->n_bodies)
        return prc_fail(err, PRC_INPUT, "contact '%s': a set has body %d, expected a number in [0, %d)", name,
                        b, sets->n_bodies);
      sets->side[side][(size_t)b * (size_t)sets->n_words + (size_t)(k / WORD)] |= (uint64_t)1 << k % WORD;
    }
  return PRC_OK;
}

static const uint64_t *sets_of(const prc_contact_sets *sets, int side, int body) {
  return sets->side[side] + (size_t)body * (size_t)sets->n_words;
}

int prc_contact_sets_find(const prc_contact_sets *sets, int i, int j, int *swapped) {
  const uint64_t *first_i = sets_of(sets, 0, i), *second_i = sets_of(sets, 1, i);
  const uint64_t *first_j = sets_of(sets, 0, j), *second_j = sets_of(sets, 1, j);
  for (int w = 0; w < sets->n_words; w++) {
    const uint64_t straight = first_i[w] & second_j[w], other = first_j[w] & second_i[w],
                   both = straight | other;
    if (both == 0) continue;
    const uint64_t lowest = both & (~both + 1);
    *swapped = (straight & lowest) == 0;
    int k = WORD * w;
    for (uint64_t bit = lowest; bit > 1; bit >>= 1) k++;
    return k;
  }
  return -1;
}
