#ifndef PRC_SYSTEM_INTERNAL_H
#define PRC_SYSTEM_INTERNAL_H

#include "system/system.h"

/* Contacts that a search did not find, whose friction does not forget: `before` of the last search that came to its end, `now` of the present one. */
typedef struct {
  int n_before, n_now, given_up;  /* given_up: has thin() been at work? */
  prc_contact_away *before, *now; /* ascending */
  size_t room_before, room_now;
} prc_contact_aways;

/* A search came to its end: what it found away stands. */
void prc_contact_aways_commit(prc_contact_aways *aways);
/* `before` := list, ascending. */
prc_status prc_contact_aways_set(prc_contact_aways *aways, int n, const prc_contact_away *list,
                                 prc_error *err) PRC_MUST_CHECK;
/* Contacts of the set that were away go on with their state, as it is at set->t. */
void prc_contact_aways_return(const prc_contact_aways *aways, prc_contact_set *set);
/* `now` := those before that the set has not, and of n others, ascending, those that go away in this search, from set->t on. */
void prc_contact_aways_leave(prc_contact_aways *aways, const prc_contact_set *set, int n,
                             const prc_contact_id *id, const char *goes, const double *state);
/* Of the set, those that may go. */
size_t prc_contact_aways_count(const prc_contact_set *set);
/* For as many more as may go in the next search. */
prc_status prc_contact_aways_reserve(prc_contact_aways *aways, size_t n, prc_error *err) PRC_MUST_CHECK;
void prc_contact_aways_free(prc_contact_aways *aways);

#endif
