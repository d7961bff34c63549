#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* Prescribed motions of steps that vary. As in motion.c a velocity is imposed, and V is the mean of d' over an interval that reaches beyond the step:
 * from t_k to t_{k+1} = t_k + h a prescribed dof goes by h [(1 - theta) V_k + theta V_{k+1}], and
 *
 *   V_{k+1} = [d(t_{k+1} + r) - d(t_k + r)] / h - m / max(h, h_max),   r = (1 - theta) h,   m = q_k + r V_k - d(t_k + r).
 *
 * With equal steps m is what it was at the start, and this is the V of there: terms cancel in pairs. Where h changes, V_k stood for a mean over
 * another interval, and m of the order of h^2 d'' is left, which goes back over a time of h_max: at once it would be a blow where steps
 * get short. (Turns have no q to look at: of them it stays.) What has no displacement has the velocity of the data. */

static prc_status begin(prc_step_motion *m, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const double half = 0.5 * m->h;
  prc_try(m->system->drive.velocity(m->system->owner, 0.0, m->h, v, err));
  prc_try(prc_step_motion_displacements(m, half, m->room, err));
  prc_step_motion_temper(m, m->now, m->room, half, v);
done:
  return status;
}

prc_status prc_step_motion_enter_at(prc_step_motion *m, double t, double h, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_drive *drive = &m->system->drive;
  m->h = h;
  if (!drive->displacement) return m->moves ? drive->velocity(m->system->owner, t, h, v, err) : PRC_OK;
  prc_try(prc_step_motion_displacements(m, 0.0, m->first, err));
  if (!m->moves) return PRC_OK;
  prc_try(prc_step_motion_displacements(m, t, m->now, err));
  if (t == 0.0) prc_try(begin(m, v, err));
  for (int i = 0; i < drive->n; i++) m->rate[i] = t == 0.0 ? 0.0 : v[i];
done:
  return status;
}

/* Where d ends it goes on with its derivative from the left. */
static prc_status read_ahead(prc_step_motion *m, double t, double r, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error ended = {0};
  if (prc_step_motion_displacements(m, t + r, m->ahead, &ended) == PRC_OK) return PRC_OK;
  prc_try(m->system->drive.velocity(m->system->owner, t, m->h, v, err));
  prc_step_motion_temper(m, m->before, m->now, m->h - r, v);
  for (int i = 0; i < m->system->drive.n; i++) m->ahead[i] = m->now[i] + r * v[i];
done:
  return status;
}

prc_status prc_step_motion_advance_by(prc_step_motion *m, const prc_at *at, double h, double after, double *v,
                                      prc_error *err) {
  prc_status status = PRC_OK;
  const prc_drive *drive = &m->system->drive;
  const double r = (1.0 - m->theta) * h, share = h / fmax(h, m->longest);
  m->h = h;
  if (!m->moves) return PRC_OK;
  if (!m->follows) return drive->velocity(m->system->owner, after, h, v, err);
  prc_step_exchange(&m->start, &m->now);
  prc_try(prc_step_motion_displacements(m, after, m->now, err));
  if (r > 0.0)
    prc_try(prc_step_motion_displacements(m, at->t + r, m->before, err));
  else
    memcpy(m->before, m->start, (size_t)drive->n * sizeof *m->before);
  prc_try(read_ahead(m, after, r, v, err));
  prc_try(prc_step_motion_watch(m, at->t, after + r, m->start, m->ahead, err));
  for (int i = 0; i < drive->n; i++) {
    const int dof = drive->dof[i];
    /* turns have no coordinate of their own */
    const double left = drive->turn && drive->turn[i] ? 0.0 : at->q[dof] + r * at->v[dof] - m->before[i];
    v[i] = (m->ahead[i] - m->before[i] - share * left) / h;
  }
done:
  return status;
}
