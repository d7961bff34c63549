#include "config.h"
#include "system/internal.h"

#include <math.h>
#include <string.h>

/* State of friction of two surfaces that are apart, until they meet again: a way of slip stays, a time of rest
 * goes on. A search lists only contacts that may close in a step; the states of the others are kept here, by
 * their ids. */

static int never_forgets(const prc_law *law) {
  return law && law->friction && law->friction->n_state > 0 && !law->friction->forgets;
}

size_t prc_contact_aways_count(const prc_contact_set *set) {
  size_t n = 0;
  for (int c = 0; c < set->n; c++) n += never_forgets(set->law[c]) != 0;
  return n;
}

int prc_contact_lasts(const prc_law *law, const double *state) {
  double begun[PRC_LAW_STATE] = {0.0};
  if (!never_forgets(law)) return 0;
  if (law->friction->start) law->friction->start(law->parameter, begun);
  for (int i = 0; i < law->friction->n_state; i++)
    if (state[i] != begun[i]) return 1;
  return 0;
}

void prc_contact_aways_commit(prc_contact_aways *a) {
  const prc_contact_aways old = *a;
  a->before = old.now, a->n_before = old.n_now, a->room_before = old.room_now;
  a->now = old.before, a->n_now = 0, a->room_now = old.room_before;
}

prc_status prc_contact_aways_reserve(prc_contact_aways *a, size_t n, prc_error *err) {
  const size_t all = (size_t)a->n_before + (size_t)a->n_now + n;
  const prc_status status = prc_grow((void *)&a->before, &a->room_before, all, sizeof *a->before, err);
  return status == PRC_OK ? prc_grow((void *)&a->now, &a->room_now, all, sizeof *a->now, err) : status;
}

prc_status prc_contact_aways_set(prc_contact_aways *a, int n, const prc_contact_away *list, prc_error *err) {
  a->n_before = a->n_now = 0;
  const prc_status status = prc_contact_aways_reserve(a, (size_t)n, err);
  if (status != PRC_OK) return status;
  if (n > 0) memcpy(a->before, list, (size_t)n * sizeof *list);
  a->n_before = n;
  return PRC_OK;
}

void prc_contact_aways_free(prc_contact_aways *a) {
  prc_delete(&a->before);
  prc_delete(&a->now);
  *a = (prc_contact_aways){0};
}

/* An open contact is at rest. The state of a law is exact over a time of constant speed, so that it may be
 * taken on at once. */
void prc_contact_aways_return(const prc_contact_aways *a, prc_contact_set *set) {
  const prc_law_slip rest = {0.0, 0};
  for (int k = 0; k < a->n_before; k++) {
    const int c = prc_contact_set_place(set, &a->before[k].id);
    if (c < 0) continue;
    double *state = set->state + PRC_LAW_STATE * c;
    const prc_law *law = set->law[c];
    memcpy(state, a->before[k].state, PRC_LAW_STATE * sizeof *state);
    state[PRC_LAW_SPEED] = 0.0;
    if (law && law->friction && law->friction->advance && set->t > a->before[k].since)
      law->friction->advance(law->parameter, set->t - a->before[k].since, &rest, state);
  }
}

/* The later half of them and no more: those that left at one time go together. A time so that at most half left after it is found by halving. */
static void thin(prc_contact_aways *a) {
  double low = INFINITY, high = -INFINITY;
  int n = 0;
  for (int k = 0; k < a->n_now; k++) low = fmin(low, a->now[k].since), high = fmax(high, a->now[k].since);
  for (double middle = 0.5 * (low + high); low < middle && middle < high; middle = 0.5 * (low + high)) {
    int later = 0;
    for (int k = 0; k < a->n_now; k++) later += a->now[k].since > middle;
    if (later > PRC_CONTACTS_AWAY / 2)
      low = middle;
    else
      high = middle;
  }
  for (int k = 0; k < a->n_now; k++)
    if (a->now[k].since > high) a->now[n++] = a->now[k];
  a->n_now = n, a->given_up = 1;
}

void prc_contact_aways_leave(prc_contact_aways *a, const prc_contact_set *set, int n,
                             const prc_contact_id *id, const char *goes, const double *state) {
  a->n_now = 0;
  for (int i = 0, k = 0; i < a->n_before || k < n;) {
    const int order = i == a->n_before ? 1 : k == n ? -1 : prc_contact_id_compare(&a->before[i].id, &id[k]);
    if (order < 0) {
      if (prc_contact_set_place(set, &a->before[i].id) < 0) a->now[a->n_now++] = a->before[i];
    } else if (goes[k]) {
      prc_contact_away *away = &a->now[a->n_now++];
      away->id = id[k], away->since = set->t;
      memcpy(away->state, state + PRC_LAW_STATE * k, sizeof away->state);
    }
    i += order <= 0, k += order >= 0;
  }
  if (a->n_now > PRC_CONTACTS_AWAY) thin(a);
}
