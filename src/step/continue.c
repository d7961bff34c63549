#include "config.h"
#include "step/internal.h"

#include <string.h>

/* A new run from the state of another. */

/* V_k by the data. *fresh: m is to be made of v, as prescribed velocities are not those of the state, or it has none. */
static prc_status begin_motion(prc_stepper *s, const prc_step_state *from, int *fresh, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  const prc_drive *drive = &system->drive;
  *fresh = !from->m;
  if (*fresh && prc_step_varies(&s->options) && s->motion.moves) {
    prc_try(drive->velocity(system->owner, s->t, s->options.h, s->vp, err));
    for (int i = 0; i < s->n_prescribed; i++) s->v[drive->dof[i]] = s->vp[i];
  }
  prc_try(prc_step_enter_motion(s, err));
  if (drive->displacement && (s->scheme->follows || s->scheme->exact))
    prc_try(prc_step_motion_check_start(&s->motion, s->t, from->q, s->vp, err));
  for (int i = 0; i < s->n_prescribed; i++) {
    double *v = &s->v[drive->dof[i]];
    *fresh |= *v != s->vp[i];
    *v = s->vp[i];
  }
done:
  return status;
}

/* m and f are those of the state, or made of q and v. */
static prc_status begin_forces(prc_stepper *s, const prc_step_state *from, int fresh, prc_error *err) {
  const size_t bytes = (size_t)s->n * sizeof *s->f;
  const prc_dynamics *d = &s->system->dynamics;
  s->scheme->start(s);
  if (!fresh && from->m) memcpy(s->m, from->m, bytes);
  memset(s->f, 0, bytes);
  if (from->f) {
    memcpy(s->f, from->f, bytes);
    return PRC_OK;
  }
  if (d->K) prc_sym_multiply(d->K, s->q, s->f);
  if (!(d->varies & PRC_INTERNAL_NONLINEAR)) return PRC_OK;
  return d->internal(s->system->owner, &(prc_at){s->t, s->q, s->v}, s->f, NULL, err);
}

prc_status prc_stepper_continue(prc_stepper *s, const prc_step_state *from, prc_error *err) {
  prc_need(s, err);
  prc_need(from, err);
  prc_need(from->q, err);
  prc_need(from->v, err);
  prc_status status = PRC_OK;
  int fresh;
  if (prc_step_varies(&s->options) && !from->clock)
    return prc_fail(err, PRC_INPUT, "steps vary, expected the clock of the state that they go on from");
  prc_try(prc_step_check_numbers("q", s->nq, from->q, err));
  if (s->scheme->has_mass) prc_try(prc_step_check_numbers("v", s->n, from->v, err));
  s->step = from->step;
  s->contacts.starts = from->n_contacts == 0;
  if (prc_step_varies(&s->options)) s->options.h = from->clock->h;
  prc_step_pace_enter(s, from->clock);
  memcpy(s->q, from->q, (size_t)s->nq * sizeof *s->q);
  if (s->scheme->has_mass || from->m) memcpy(s->v, from->v, (size_t)s->n * sizeof *s->v);
  prc_try(begin_motion(s, from, &fresh, err));
  if (!from->m)
    prc_try(prc_step_joints_check_start(&s->joints, &(prc_at){s->t, s->q, s->v}, s->options.h, err));
  prc_try(begin_forces(s, from, fresh, err));
  prc_step_contacts_forget(&s->contacts);
  prc_step_contacts_set_speed(s->system, &s->options, from->speed, &s->contacts);
  prc_try(prc_step_restore_contacts(s, from, err));
  prc_try(prc_step_enter(s, err));
  prc_step_restore_axes(&s->contacts.set);
  if (!from->m && s->scheme->begin) {
    prc_try(s->scheme->begin(s, err));
    prc_step_fill_record(s);
  }
done:
  return status;
}
