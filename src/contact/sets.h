/* Which bodies meet, and by what law: pairs of sets of bodies. Where several name two bodies, the first does it.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_CONTACT_SETS_H
#define PRC_CONTACT_SETS_H

#include "base/base.h"
#include "law/law.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int n_bodies, n_pairs, n_words;
  uint64_t *side[2];    /* n_words for each body: bit k of the first, or of the second set of pair k */
  prc_law *law;         /* n_pairs */
  const prc_law **laws; /* and where they are */
} prc_contact_sets;

prc_status prc_contact_sets_create(int n_bodies, int n_pairs, prc_contact_sets *out,
                                   prc_error *err) PRC_MUST_CHECK;
void prc_contact_sets_free(prc_contact_sets *sets);
/* Pair k, with its name for messages: n[0] and n[1] bodies, in any order, which may be the same. Refuses bodies that there are not, and
 * coefficients out of range. */
prc_status prc_contact_sets_enter(prc_contact_sets *sets, int k, const char *name, const int n[2],
                                  const int *const body[2], prc_law law, prc_error *err) PRC_MUST_CHECK;
/* The first pair that names body i in its first set and j in its second, or with *swapped the other way; -1: none does. */
int prc_contact_sets_find(const prc_contact_sets *sets, int i, int j, int *swapped);

#ifdef __cplusplus
}
#endif
#endif
