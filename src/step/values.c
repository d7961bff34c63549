#include "config.h"
#include "step/internal.h"

#include <math.h>

/* Prescribed values of joints. Through the secant of g with the values themselves, v_{k+theta} is the chord of the value over the step, and at theta = 1/2
 * v_{k+1} = 2 (d_{k+1} - d_k) / h - v_k: behind a kink it rings for ever. So joints follow their values as supports follow their displacements (motion.c):
 *
 *   a_k = theta D_k + (1 - theta) D_{k-1} + c,   D_k = d(t_k + (1 - theta) h),   a_{k+1} - a_k = h [(1 - theta) V_k + theta V_{k+1}],
 *
 * V_k = (D_k - D_{k-1}) / h. Joints have a_k where they would have d(t_k): it is shift = a_k - d(t_k) away, of second order in h where d is smooth and zero for
 * theta = 1 and for what moves steadily. a_k is made of data alone, so a resumed run has the same. Steps that vary and schemes by levels take d as it is; jumps
 * are refused of all. */

#define OPEN 5e-10 /* of the system's length: what a state may differ from a_k by without changing c */

prc_status prc_step_values_create(const prc_system *system, const prc_step_options *options, int follows,
                                  prc_step_values *x, prc_step_joints *joints, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)system->joints.n;
  x->given = n > 0 && system->joints.value;
  if (!x->given) return PRC_OK;
  x->follows = follows && options->joints == PRC_JOINTS_SECANT && !prc_step_varies(options);
  prc_try(prc_new(&x->row, n, err));
  prc_try(prc_new(&x->V, n, err));
  prc_try(prc_new(&x->c, n, err));
  prc_try(prc_new(&x->a, n, err));
  prc_try(prc_new(&x->a_next, n, err));
  for (size_t i = 0; i < n; i++) x->row[i] = (int)i;
  x->data.owner = system->owner, x->data.length = system->length;
  x->data.drive = (prc_drive){.n = (int)n,
                              .dof = x->row,
                              .displacement = system->joints.value,
                              .velocity = system->joints.value_rate,
                              .name = system->joints.name};
  prc_try(prc_step_motion_create(&x->data, options, x->follows, 0, &x->motion, err));
  if (system->space.mean || (options->bulk == PRC_BULK_MIDDLE && system->space.deforms))
    x->motion.theta = 0.5; /* coordinates that move by the mean would ring with another */
  if (!x->follows) return PRC_OK;
  prc_try(prc_new(&joints->way, n, err));
  prc_try(prc_new(&joints->shift, n, err));
done:
  return status; /* the stepper frees what was made */
}

void prc_step_values_free(prc_step_values *x) {
  if (x->given) prc_step_motion_free(&x->motion);
  prc_delete(&x->row);
  prc_delete(&x->V);
  prc_delete(&x->c);
  prc_delete(&x->a);
  prc_delete(&x->a_next);
}

static double chord(const prc_step_values *x, int i) {
  const prc_step_motion *m = &x->motion;
  return m->theta * m->ahead[i] + (1.0 - m->theta) * m->before[i] + x->c[i];
}

/* a_k, where a run begins or goes on. At the start D_{-1} = D_0 - h V_0, so that a_0 = d(0). */
static prc_status begin_to_follow(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_values *x = &s->values;
  prc_step_motion *m = &x->motion;
  prc_try(prc_step_motion_enter(m, s->step, x->V, err));
  prc_try(prc_step_motion_offset(m, x->c, x->a_next, err));
  for (int i = 0; i < s->joints.n; i++) {
    if (s->step == 0) m->before[i] = m->ahead[i] - m->h * x->V[i];
    x->a[i] = s->step == 0 ? m->first[i] : chord(x, i);
    s->joints.shift[i] = x->a[i] - m->now[i];
  }
done:
  return status;
}

prc_status prc_step_values_enter(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_values *x = &s->values;
  prc_step_motion *m = &x->motion;
  if (!x->given) return PRC_OK;
  if (x->follows) return begin_to_follow(s, err);
  prc_try(prc_step_motion_displacements(m, 0.0, m->first, err));
  prc_try(prc_step_motion_displacements(m, s->t, m->now, err));
  for (int i = 0; i < s->joints.n; i++) m->rate[i] = 0.0;
  if (s->t > 0.0) prc_try(x->data.drive.velocity(x->data.owner, s->t, s->options.h, m->rate, err));
done:
  return status;
}

/* Another run may have followed with other steps, or a program has put a state here: joints stay where they are. */
void prc_step_values_settle(prc_stepper *s) {
  prc_step_values *x = &s->values;
  for (int i = 0; x->follows && s->step > 0 && i < s->joints.n; i++) {
    const double open = s->joints.g[i];
    const prc_step_motion *m = &x->motion;
    const int rests = m->first[i] == 0.0 && m->now[i] == 0.0 && m->ahead[i] == 0.0 && m->before[i] == 0.0;
    if (rests || !(fabs(open) > OPEN * s->system->length)) continue;
    x->c[i] += open, x->a[i] += open, s->joints.shift[i] += open;
    s->joints.g[i] = s->joints.miss[i] = 0.0;
  }
}

/* Without a chord: jumps alone are looked for. */
static prc_status watch(prc_stepper *s, prc_error *err) {
  prc_step_motion *m = &s->values.motion;
  const double end = prc_step_time_after(s);
  prc_error ended = {0};
  m->h = s->options.h;
  prc_step_exchange(&m->before, &m->now);
  if (prc_step_motion_displacements(m, end, m->now, &ended) != PRC_OK) return PRC_OK; /* the step says so */
  return prc_step_motion_watch(m, s->t, end, m->before, m->now, err);
}

prc_status prc_step_values_advance(prc_stepper *s, prc_error *err) {
  prc_step_values *x = &s->values;
  if (!x->given) return PRC_OK;
  if (!x->follows) return watch(s, err);
  const prc_status status = prc_step_motion_advance(&x->motion, s->step + 1, x->V, err);
  for (int i = 0; i < s->joints.n && status == PRC_OK; i++) {
    x->a_next[i] = chord(x, i);
    s->joints.way[i] = x->a_next[i] - x->a[i];
  }
  return status;
}

void prc_step_values_end(prc_stepper *s) {
  prc_step_values *x = &s->values;
  if (!x->follows) return;
  prc_step_exchange(&x->a, &x->a_next);
  for (int i = 0; i < s->joints.n; i++) s->joints.shift[i] = x->a[i] - x->motion.now[i];
}
