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
 * not agree with what comes out, as at a place that they leave in two ways, each pass decides anew.
 *
 * Over a place where rows depend on each other, as of a parallelogram whose bars lie on one line, g is as x y, with x from -a to b in the step and y = 0 as the motion goes on. Secants impose
 * (x + dx/2) dy = -y dx/2 with y of the pass before: passes contract by (a + b) / |b - a|, not at all, and come to the other way out. Newton's method does not mind: G(q') d is aimed at what is lacking, with forces
 * along the secants as before, so that the step that comes out is the same scheme's (prc_operator_lead_joints). */

#define ROUNDING (64.0 * DBL_EPSILON) /* of what cancels in a row */

/* G and rate of the pass */
static prc_status evaluate(prc_stepper *s, prc_error *err) {
  prc_step_theta *w = s->work_of_scheme;
  if (s->options.joints == PRC_JOINTS_VELOCITY) return PRC_OK;
  const double *way = prc_step_way(s);
  for (int i = 0; i < s->n; i++) w->x[i] = s->options.h * way[i];
  return prc_step_joints_secant(&s->joints, &(prc_at){s->t, s->q, s->v}, s->options.h, w->x, err);
}

/* Target of G d. */
static void aim(prc_stepper *s) {
  prc_step_joints *j = &s->joints;
  const int drifts = s->options.joints == PRC_JOINTS_VELOCITY;
  const double theta = s->options.theta, *v = drifts ? s->v_work : prc_step_way(s);
  const prc_step_theta *w = s->work_of_scheme;
  const double factor = s->way && !drifts && !w->leads ? (4.0 * theta) / (2.0 * theta + 1.0) : 1.0;
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

/* G at the end of the step as the pass has it */
static prc_status find_lead(prc_stepper *s, prc_error *err) {
  prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h;
  const double *way = prc_step_way(s);
  prc_step_coordinates(s, h, way, w->q);
  const prc_status status = prc_step_joints_evaluate(&s->joints, &(prc_at){s->t + h, w->q, way}, err);
  memcpy(w->lead, s->joints.G.x, (size_t)s->joints.G.start[s->joints.n] * sizeof *w->lead);
  return status;
}

/* Rows of velocities are their own derivatives; dofs that move by the mean of velocities move by d / (2 theta). */
static prc_status set_lead(prc_stepper *s, prc_error *err) {
  const prc_step_theta *w = s->work_of_scheme;
  const prc_rows *G = &s->joints.G;
  const char *of = s->system->joints.of_velocities;
  for (int r = 0; r < s->joints.n; r++)
    for (int at = G->start[r]; at < G->start[r + 1]; at++) {
      if (of && of[r]) w->lead[at] = G->x[at];
      if (s->way && s->system->space.mean[G->dof[at]]) w->lead[at] /= 2.0 * s->options.theta;
    }
  return prc_operator_lead_joints(s->op, w->lead, err);
}

void prc_step_theta_lead_joints(prc_stepper *s) {
  prc_step_theta *w = s->work_of_scheme;
  w->leads = 1;
}

prc_status prc_step_theta_end_lead(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  w->leads = 0;
  (void)prc_step_find_way(s);
  prc_try(prc_operator_lead_joints(s->op, NULL, err));
  prc_try(prc_step_joints_end(&s->joints, &(prc_at){s->t, s->q, s->v}, err)); /* g of q_k again */
  prc_try(evaluate(s, err));
done:
  return status;
}

prc_status prc_step_theta_impose_joints(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_theta *w = s->work_of_scheme;
  if (s->joints.n == 0) return PRC_OK;
  if (w->leads) prc_try(find_lead(s, err));
  prc_try(evaluate(s, err));
  if (w->leads) prc_try(set_lead(s, err));
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
