#include "config.h"
#include "step/internal.h"

#include <string.h>

/* A state that a program puts in the place of the present one. */

/* Refuses states that prescribed motions or joints do not allow. Nothing of the stepper has changed yet. */
static prc_status check_given(prc_stepper *s, const double *q, const double *v, prc_error *err) {
  const prc_drive *drive = &s->system->drive;
  char name[128];
  prc_status status = PRC_OK;
  prc_try(prc_step_check_numbers("q", s->nq, q, err));
  prc_try(prc_step_check_numbers("v", s->n, v, err));
  for (int i = 0; i < drive->n; i++) {
    const int dof = drive->dof[i];
    const int moved = !(drive->turn && drive->turn[i]) && q[dof] != s->q[dof];
    if (v[dof] == s->v[dof] && !moved) continue;
    prc_step_motion_name(s->system, i, name, sizeof name);
    return prc_fail(err, PRC_INPUT, "%s[%d] is %.9g, expected %.9g as it was: %s prescribes it",
                    moved ? "q" : "v", dof, moved ? q[dof] : v[dof], moved ? s->q[dof] : s->v[dof], name);
  }
  status = prc_step_joints_check_start(&s->joints, &(prc_at){s->t, q, v}, s->options.h, err);
  /* what they keep is of the present state again */
  if (status != PRC_OK) (void)!prc_step_joints_end(&s->joints, &(prc_at){s->t, s->q, s->v}, NULL);
done:
  return status;
}

/* A contact that pushed stays active while its gap is small. So it must not have pushed where the new state
 * opens it. */
static void forget_open(prc_step_contacts *k) {
  prc_contact_set *set = &k->set;
  for (int c = 0; c < set->n; c++)
    if (set->gap[c] > k->gap_tolerance) {
      memset(set->p + (size_t)set->dim * (size_t)c, 0, (size_t)set->dim * sizeof *set->p);
      for (int i = 0; i < set->n_kept; i++) set->kept[set->n_kept * c + i] = 0.0;
    }
}

/* Contacts keep what they remember, by their ids. */
prc_status prc_stepper_set_state(prc_stepper *s, const double *q, const double *v, prc_error *err) {
  prc_need(s, err);
  prc_need(q, err);
  prc_need(v, err);
  const prc_dynamics *d = &s->system->dynamics;
  prc_status status = PRC_OK;
  int changed;
  prc_try(check_given(s, q, v, err));
  memcpy(s->q, q, (size_t)s->nq * sizeof *q);
  memcpy(s->v, v, (size_t)s->n * sizeof *v);
  s->scheme->start(s);
  if (d->K) prc_sym_multiply(d->K, s->q, s->f);
  if (d->varies & PRC_INTERNAL_NONLINEAR)
    prc_try(d->internal(s->system->owner, &(prc_at){s->t, s->q, s->v}, s->f, NULL, err));
  const prc_at at = prc_step_place_of_contacts(s);
  prc_try(prc_step_contacts_search(s->system, &s->options, &at, &s->contacts, &changed, err));
  prc_try(prc_step_enter(s, err));
  forget_open(&s->contacts);
  prc_step_restore_axes(&s->contacts.set);
  if (s->scheme->begin) {
    prc_try(s->scheme->begin(s, err));
    prc_step_fill_record(s);
  }
done:
  return status;
}
