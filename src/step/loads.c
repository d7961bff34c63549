#include "config.h"
#include "step/internal.h"

#include <string.h>

/* Loads of a step: those of the system, and what a program adds to them. */

void prc_stepper_set_force(prc_stepper *s, const double *force) {
  s->force = force;
}

void prc_step_add_force(const prc_stepper *s, double *F) {
  for (int i = 0; s->force && i < s->n; i++) F[i] += s->force[i];
}

prc_status prc_step_loads_at(prc_stepper *s, double t, double *F, prc_error *err) {
  const prc_at at = {t, s->q, s->v};
  if (!s->system->dynamics.loads) {
    memset(F, 0, (size_t)s->n * sizeof *F);
    return PRC_OK;
  }
  return s->system->dynamics.loads(s->system->owner, &at, F, err);
}

/* F_work := the mean of the system's own. Constant ones stand there since the start. */
static prc_status find_mean(prc_stepper *s, prc_error *err) {
  const double theta = s->options.theta;
  const prc_dynamics *d = &s->system->dynamics;
  prc_status status = PRC_OK;
  if (d->varies == 0) return PRC_OK;
  prc_try(prc_step_loads_at(s, prc_step_time_after(s), s->F_next, err));
  if (d->mean_loads) return d->mean_loads(s->system->owner, s->t, s->options.h, s->F_work, err);
  for (int i = 0; i < s->n; i++) s->F_work[i] = (1.0 - theta) * s->F[i] + theta * s->F_next[i];
done:
  return status;
}

/* A program's force may change at every step: the loads of both ends are made anew, so that it is the whole of what is added to either. */
static prc_status find_with_force(prc_stepper *s, prc_error *err) {
  const size_t bytes = (size_t)s->n * sizeof *s->F;
  prc_status status = PRC_OK;
  prc_try(prc_step_check_numbers("the force", s->n, s->force, err));
  prc_try(prc_step_loads_at(s, s->t, s->F, err));
  memcpy(s->F_next, s->F, bytes);
  memcpy(s->F_work, s->F, bytes);
  prc_try(find_mean(s, err));
  prc_step_add_force(s, s->F);
  prc_step_add_force(s, s->F_next);
  prc_step_add_force(s, s->F_work);
done:
  return status;
}

prc_status prc_step_loads(prc_stepper *s, prc_error *err) {
  return s->force ? find_with_force(s, err) : find_mean(s, err);
}
