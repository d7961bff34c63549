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

/* A look at what the system's loads do in time inside the step (base/window.c), at this state, into work; of loads that the scheme takes at one time where
 * `at_once`. Levels have the trapezoidal rule in the long run, whatever they weigh. */
static prc_status find_window(prc_stepper *s, const prc_at *at, prc_window_look what, int at_once,
                              prc_window *window, prc_error *err) {
  const prc_dynamics *d = &s->system->dynamics;
  *window = (prc_window){.t = s->t,
                         .end = prc_step_time_after(s),
                         .theta = s->scheme->of_levels ? 0.5 : s->options.theta,
                         .at_once = at_once,
                         .look = what,
                         .at_end = !s->scheme->has_mass};
  memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  if (!(d->varies & PRC_LOADS_IN_TIME) || !d->missed_loads) return PRC_OK;
  return d->missed_loads(s->system->owner, at, window, s->work, err);
}

prc_status prc_step_add_missed(prc_stepper *s, const double *q, const double *v, double *F, prc_error *err) {
  prc_window window;
  const prc_at at = {s->t, q, v};
  if (!s->loads_break) return PRC_OK;
  const prc_status status = find_window(s, &at, PRC_WINDOW_MISSED, 1, &window, err);
  for (int i = 0; i < s->n && window.found; i++) F[i] += s->work[i];
  return status;
}

/* Impulses that `sampled` misses against those of the loads, as velocities in the norm of energy. */
static prc_status judge_sampled(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_at at = {s->t, s->q, s->v};
  prc_indicator *lost = &s->sampled_loads;
  prc_window window;
  *lost = (prc_indicator){.a = -1, .b = -1};
  prc_try(find_window(s, &at, PRC_WINDOW_MISSED, 0, &window, err));
  lost->value = s->options.h * prc_step_size_of_impulse(s, s->work);
  prc_try(find_window(s, &at, PRC_WINDOW_SIZES, 0, &window, err));
  lost->scale = s->options.h * prc_step_size_of_impulse(s, s->work);
done:
  return status;
}

/* F_work += what the scheme's value misses, or this is judged. */
static prc_status mend(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_at at = {s->t, s->q, s->v};
  prc_window window;
  if (!s->scheme->takes_means) {
    prc_try(find_window(s, &at, PRC_WINDOW_LOST, 0, &window, err));
    s->sampling = (prc_indicator){.value = window.lost, .scale = 1.0, .a = -1, .b = -1};
    return PRC_OK;
  }
  if (s->options.loads == PRC_LOADS_SAMPLED) return judge_sampled(s, err);
  prc_try(find_window(s, &at, PRC_WINDOW_MISSED, 0, &window, err));
  s->loads_break = window.found;
  for (int i = 0; i < s->n && window.found; i++) s->F_work[i] += s->work[i];
done:
  return status;
}

/* F_work := the mean of the system's own. Constant ones stand there since the start. */
static prc_status find_mean(prc_stepper *s, prc_error *err) {
  const double theta = s->options.theta;
  const prc_dynamics *d = &s->system->dynamics;
  prc_status status = PRC_OK;
  s->loads_break = 0, s->sampling = s->sampled_loads = (prc_indicator){0};
  if (d->varies == 0) return PRC_OK;
  prc_try(prc_step_loads_at(s, prc_step_time_after(s), s->F_next, err));
  if (d->mean_loads) return d->mean_loads(s->system->owner, s->t, s->options.h, s->F_work, err);
  for (int i = 0; i < s->n; i++) s->F_work[i] = (1.0 - theta) * s->F[i] + theta * s->F_next[i];
  return mend(s, err);
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
