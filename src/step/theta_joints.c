#include "config.h"
#include "step/theta.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Joints of the theta-scheme, with impulses l in the equation of v_w = v_{k+theta}, theta G'l:
 *
 *   secant:    G* v_w = -rate*,  where  g(t', q') - g(t, q_k) = G* h v_w + h rate*:  positions hold, and l works nothing but -rate* . l;
 *   velocity:  G(q_k) v' + rate(t') = 0,  that is  G v_w = -theta rate(t') + (1 - theta) G v_k:  positions drift.
 *
 * Of dofs that move by the mean of the velocities (prc_space.mean) the secant is of v_m, of which a pass changes d / (2 theta): G* d is aimed at what
 * is lacking divided by a factor halfway between 1 and 1 / (2 theta), by which passes contract by (theta - 1/2) / (theta + 1/2) at worst, 1/3 at theta = 1.
 *
 * A pass imposes them on its correction d of v_w. Which rows depend on others is decided where the step begins, at a state that the joints
 * allow; at the states of passes they do so only nearly, and would be taken for independent ones with forces of any size. Where joints do
 * not agree with what comes out, as at a place that they leave in two ways, each pass decides anew. */

#define ROUNDING (64.0 * DBL_EPSILON) /* of what cancels in a row */

/* G and rate of the pass */
static prc_status evaluate(prc_stepper *s, prc_error *err) {
  prc_step_theta *w = s->work_of_scheme;
  if (s->options.joints == PRC_JOINTS_VELOCITY) return PRC_OK;
  const double *way = prc_step_way(s);
  for (int i = 0; i < s->n; i++) w->x[i] = s->options.h * way[i];
  return prc_step_joints_secant(&s->joints, &(prc_at){s->t, s->q, s->v}, s->options.h, w->x, err);
}

/* What G d is to be. */
static void aim(prc_stepper *s) {
  prc_step_joints *j = &s->joints;
  const int drifts = s->options.joints == PRC_JOINTS_VELOCITY;
  const double theta = s->options.theta, *v = drifts ? s->v_work : prc_step_way(s);
  const double factor = s->way && !drifts ? (4.0 * theta) / (2.0 * theta + 1.0) : 1.0;
  for (int r = 0; r < j->n; r++) {
    double u = 0.0, u_old = 0.0;
    for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) {
      u += j->G.x[at] * v[j->G.dof[at]];
      u_old += j->G.x[at] * s->v[j->G.dof[at]];
    }
    j->target[r] = drifts ? (1.0 - theta) * u_old - theta * j->ahead[r] - u
                          : factor * (-j->rate[r] - j->closing[r] / s->options.h - u);
  }
}

prc_status prc_step_theta_begin_joints(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_joints *j = &s->joints;
  const double theta = s->options.theta;
  if (j->n == 0) return PRC_OK;
  prc_try(prc_step_joints_rank(j, s->op, err)); /* G is that of q_k */
  for (int r = 0; r < j->n; r++) j->closing[r] = prc_step_joints_close(j, r), j->ahead[r] = j->rate[r];
  if (s->options.joints == PRC_JOINTS_SECANT) return PRC_OK;
  prc_try(prc_step_joints_evaluate(j, &(prc_at){s->t + s->options.h, s->q, s->v}, err));
  for (int r = 0; r < j->n; r++) {
    const double now = j->ahead[r];
    j->ahead[r] = j->rate[r];
    j->rate[r] = (1.0 - theta) * now + theta * j->ahead[r];
  }
done:
  return status;
}

prc_status prc_step_theta_impose_joints(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_theta *w = s->work_of_scheme;
  if (s->joints.n == 0) return PRC_OK;
  prc_try(evaluate(s, err));
  aim(s);
  prc_try(prc_step_joints_impose(&s->joints, s->op, w->ranks_anew, s->joints.target, INFINITY, err));
done:
  return status;
}

void prc_step_theta_set_joint_forces(prc_stepper *s) {
  prc_step_joints *j = &s->joints;
  if (j->n == 0) return;
  prc_operator_joint_forces(s->op, j->force);
  for (int r = 0; r < j->n; r++) j->force[r] /= s->options.theta;
}

/* Velocities that were in play at each dof: what rounding of a row of joints is measured by. */
static void find_play(const prc_stepper *s, double *play) {
  const prc_step_theta *w = s->work_of_scheme;
  const prc_sym *M = s->system->dynamics.M;
  for (int i = 0; i < s->n; i++) {
    const double mass = M->x[M->p[i]],
                 p = s->options.h * (fabs(s->F_work[i]) + fabs(w->f[i]) + fabs(s->drag[i]));
    play[i] = fabs(s->v[i]) + fabs(s->v_work[i]) + (s->part[i] != 2 && mass > 0.0 ? p / mass : 0.0);
  }
}

prc_status prc_step_theta_check_joints(prc_stepper *s, prc_error *err) {
  prc_step_theta *w = s->work_of_scheme;
  if (s->joints.n == 0 || s->options.joints == PRC_JOINTS_VELOCITY) return PRC_OK;
  find_play(s, w->x);
  return prc_step_joints_agree(&s->joints, s->op, s->t, s->options.h, prc_step_way(s), w->x, err);
}

void prc_step_theta_joint_works(prc_stepper *s) {
  prc_step_joints *j = &s->joints;
  const prc_step_theta *w = s->work_of_scheme;
  const double *way = prc_step_way(s);
  double driven = 0.0, rest = 0.0, explained = 0.0;
  if (j->n > 0) find_play(s, w->x);
  for (int r = 0; r < j->n; r++) {
    double u = j->rate[r], size = fabs(u);
    for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) {
      u += j->G.x[at] * way[j->G.dof[at]];
      size += fabs(j->G.x[at]) * w->x[j->G.dof[at]];
    }
    explained += ROUNDING * size * fabs(j->force[r]);
    driven -= j->rate[r] * j->force[r];
    rest += u * j->force[r];
  }
  if (j->n == 0) return;
  s->record.work[PRC_WORK_driven] += driven;
  s->record.work[PRC_WORK_joints] = rest;
  s->record.joint_allowance = explained;
}

prc_step_promise prc_step_theta_joint_promise(const prc_stepper *s) {
  if (s->options.joints == PRC_JOINTS_SECANT)
    return (prc_step_promise){
        .theorem = "the secant of g: what joints miss at the end of a step is what they missed before"};
  return (prc_step_promise){.reason = "joints on velocities alone drift"};
}
