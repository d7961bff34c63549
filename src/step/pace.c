#include "config.h"
#include "step/internal.h"

#include <math.h>

/* Steps that vary: how long the next is, and the time that they add up to. */

prc_status prc_step_pace_check(const prc_step_options *o, prc_error *err) {
  const prc_step_pace *p = &o->pace;
  if (p->max == 0.0) return PRC_OK;
  if (!(prc_step_scheme_options(o->scheme) & PRC_OPTION_PACE))
    return prc_fail(err, PRC_INPUT,
                    "the scheme %s has steps of one size, expected theta, midpoint, position or static where "
                    "they vary",
                    o->scheme);
  if (!(p->max >= o->h) || !isfinite(p->max))
    return prc_fail(err, PRC_INPUT,
                    "the largest step is %g, expected a number that is not below the first, %g", p->max,
                    o->h);
  if (!(p->growth > 1.0 && p->growth <= 2.0))
    return prc_fail(err, PRC_INPUT, "steps grow by a factor of %g, expected a number in (1, 2]", p->growth);
  if (!(p->per_slip >= 0.0) || !isfinite(p->per_slip))
    return prc_fail(err, PRC_INPUT, "the way of a step, of that of friction, is %g, expected a number >= 0",
                    p->per_slip);
  if (p->end >= 0.0 && isfinite(p->end)) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "the end is %g, expected a number >= 0", p->end);
}

/* ---- time ------------------------------------------------------------------------------------------------------------------- */

double prc_step_time_after(const prc_stepper *s) {
  if (!prc_step_varies(&s->options)) return (s->step + 1) * s->options.h;
  prc_sum after = s->time;
  prc_sum_add(&after, s->options.h);
  return prc_sum_total(&after);
}

void prc_step_pace_enter(prc_stepper *s, const prc_step_clock *from) {
  if (!prc_step_varies(&s->options)) {
    s->t = s->step * s->options.h;
    return;
  }
  s->time = from ? (prc_sum){from->t, from->lost} : (prc_sum){0};
  s->t = prc_sum_total(&s->time);
  s->h_next = from ? from->next : s->pace_first;
}

prc_step_clock prc_stepper_clock(const prc_stepper *s) {
  return (prc_step_clock){s->time.value, s->time.lost, s->options.h, s->h_next};
}

/* Rounding of `end`. */
int prc_stepper_is_at_end(const prc_stepper *s) {
  const double end = s->options.pace.end;
  return prc_step_varies(&s->options) && end > 0.0 && s->t >= end * (1.0 - 1e-14);
}

/* ---- the next step ------------------------------------------------------------------------------------------------------------ */

/* The largest of the ladder that is not above h, but for rounding. */
static double rung_below(const prc_stepper *s, double h) {
  const prc_step_pace *p = &s->options.pace;
  if (h >= p->max) return p->max;
  return s->pace_first * pow(p->growth, floor(log(h / s->pace_first) / log(p->growth) + 1e-9));
}

/* Of the step that was made. */
static double choose(const prc_stepper *s) {
  const prc_step_pace *p = &s->options.pace;
  const double rate = s->record.slip_rate;
  const double by_slip = p->per_slip > 0.0 && rate > 0.0 ? p->per_slip / rate : INFINITY;
  const double h = rung_below(s, fmin(fmin(by_slip, p->growth * s->options.h), p->max));
  return h > 0.0 ? h : s->options.h; /* an infinite rate fails otherwise */
}

/* Neither a last step that is a splinter of the one before. */
static double land(const prc_stepper *s, double h) {
  const double end = s->options.pace.end, left = end - s->t;
  if (!(end > 0.0) || left <= 0.0 || left >= 2.0 * h) return h;
  return left <= h * (1.0 + 1e-9) ? left : 0.5 * left;
}

prc_status prc_step_pace_begin(prc_stepper *s, prc_error *err) {
  s->contacts.warm = 1.0;
  if (!prc_step_varies(&s->options)) return PRC_OK;
  const double h = land(s, s->h_next);
  if (s->step > 0) s->contacts.warm = h / s->record.h;
  return prc_step_ladder_set(s, h, err);
}

void prc_step_pace_end(prc_stepper *s) {
  if (!prc_step_varies(&s->options)) {
    s->t = s->step * s->options.h;
    return;
  }
  prc_sum_add(&s->time, s->options.h);
  s->t = prc_sum_total(&s->time);
}

void prc_step_pace_choose(prc_stepper *s) {
  if (prc_step_varies(&s->options)) s->h_next = choose(s);
}

prc_status prc_stepper_set_step(prc_stepper *s, double h, prc_error *err) {
  prc_need(s, err);
  const double max = s->options.pace.max;
  if (!prc_step_varies(&s->options))
    return prc_fail(err, PRC_INPUT,
                    "the stepper was made for steps of one size, expected a pace in its options");
  if (!(h > 0.0 && h <= max))
    return prc_fail(err, PRC_INPUT, "the next step is %g, expected a positive number that is not above %g", h,
                    max);
  s->h_next = h;
  return PRC_OK;
}
