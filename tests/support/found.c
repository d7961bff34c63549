#include "config.h"
#include "support/found.h"
#include "support/support.h"

void found_contacts(const prc_system *system, const double *q, prc_contact_set *set) {
  prc_error err = {0};
  const prc_at at = {.q = q};
  support_ok(prc_system_find_contacts(system, &at, 0.0, 0.0, set, NULL, &err), &err);
  if (set->n > 0) system->contacts.evaluate(system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, set);
}

int found_count(const prc_system *system) {
  prc_error err = {0};
  prc_contact_set set = {0};
  support_ok(prc_system_find_contacts(system, &(prc_at){0}, 0.0, 0.0, &set, NULL, &err), &err);
  const int n = set.n;
  prc_contact_set_free(&set);
  return n;
}
