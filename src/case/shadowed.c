#include "config.h"
#include "case/internal.h"
#include "contact/sets.h"

#include <stdio.h>

/* Contacts between sets of bodies all of whose pairs stand in earlier ones, where the first that names a pair holds: they have no effect. */

static int is_driven(const prc_case *c, int body) {
  return body >= c->n_bodies || c->body[body].driven;
}

static int may_meet(const prc_case *c, int a, int b) {
  return (a != b || c->periodic.given) && !(is_driven(c, a) && is_driven(c, b));
}

/* taken[j]: contact j of the case has a pair of contact i's. 1: it has one itself, or nothing that could meet. */
static int has_its_own(const prc_case *c, const prc_contact_sets *sets, int i, char *taken) {
  const prc_case_contact *of = &c->contact_group[i];
  int n = 0, swapped;
  for (int a = 0; a < of->n_side[0]; a++)
    for (int b = 0; b < of->n_side[1]; b++) {
      if (!may_meet(c, of->side[0][a], of->side[1][b])) continue;
      const int by = prc_contact_sets_find(sets, of->side[0][a], of->side[1][b], &swapped);
      if (by == i) return 1;
      taken[by] = 1, n++;
    }
  return n == 0;
}

static void warn(const prc_case *c, int i, const char *taken, const prc_log *log) {
  char where[4096], names[512] = "";
  for (int j = 0; j < i; j++)
    if (taken[j]) prc_append(names, sizeof names, "%s'%s'", *names ? ", " : "", c->contact_group[j].name);
  prc_case_place_text(c, &c->contact_group[i].place, where, sizeof where);
  prc_log_message(
      log, PRC_LOG_WARNING,
      "%s: contacts.%s has no effect: each of its pairs stands in an earlier contact (%s), and the "
      "first that names a pair holds; write what is special before what is general",
      where, c->contact_group[i].name, names);
}

prc_status prc_case_note_shadowed(const prc_case *c, const prc_log *log, prc_error *err) {
  prc_status status = PRC_OK;
  prc_contact_sets sets = {0};
  char *taken = NULL;
  prc_try(prc_contact_sets_create(c->n_bodies + c->n_obstacles, c->n_contacts, &sets, err));
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *of = &c->contact_group[i];
    if (!of->pairs) continue;
    const int *const side[2] = {of->side[0], of->side[1]};
    prc_try(prc_contact_sets_enter(&sets, i, of->name, of->n_side, side,
                                   prc_law_or_coulomb(NULL, 0.0, 0.0, 0.0), err));
    prc_delete(&taken);
    prc_try(prc_new(&taken, c->n_contacts, err));
    if (!has_its_own(c, &sets, i, taken)) warn(c, i, taken, log);
  }
done:
  prc_delete(&taken);
  prc_contact_sets_free(&sets);
  return status;
}
