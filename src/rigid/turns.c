#include "config.h"
#include "rigid/internal.h"
#include "system/wholes.h"

#include <math.h>
#include <string.h>

/* Angles over a step of h w = dx: they add, delta = dx, or go by the Cayley map of the plane, delta = 2 atan(dx / 2). Of a body that turns by delta
 *
 *   R' r - R r = 2 sin(delta/2) k x R(theta + delta/2) r,   (R + R') r / 2 = cos(delta/2) R(theta + delta/2) r:
 *
 * joints and springs keep positions and energy with the first divided by dx as their arms, angular momentum with the second, for centres go about the middle of their
 * way. Both are one where dx = 2 tan(delta/2). The angle is off by (h w)^2 / 12 of itself then. So bodies go by it where something hangs off their centres or on their angles
 * and angular momentum is there to be kept: where no joint or spring ties them, or what they hang on, to the ground or to what is driven. */

prc_rigid_turned prc_rigid_turned_by(int cayley, double dx) {
  const double half = atan(0.5 * dx);
  if (cayley) return (prc_rigid_turned){2.0 * half, cos(half)};
  return (prc_rigid_turned){dx, prc_rigid_sine_over(0.5 * dx)};
}

/* (delta_b - delta_a) / (dx_b - dx_a): atan(b) - atan(a) = atan(z), z = (b - a) / (1 + a b), where 1 + a b > 0; the series leaves z^4 / 5, below rounding */
double prc_rigid_mean_of_turns(double dx_a, double dx_b) {
  const double a = 0.5 * dx_a, b = 0.5 * dx_b, product = 1.0 + a * b, z = (b - a) / product;
  if (!(product > 0.0)) return (atan(b) - atan(a)) / (b - a);
  return (fabs(z) < 1e-4 ? 1.0 - z * z / 3.0 : atan(z) / z) / product;
}

double prc_rigid_mean_arm(const prc_rigid *rigid, int b, double angle, double dx, const double r[2],
                          double arm[2]) {
  const prc_rigid_turned now = prc_rigid_turned_by(rigid->cayley[b], dx);
  prc_rigid_turn(angle + 0.5 * now.turn, r, arm);
  for (int k = 0; k < 2; k++) arm[k] *= now.share;
  return dx != 0.0 ? now.turn / dx : 1.0;
}

void prc_rigid_advance(const void *owner, const double *q, const double *dx, double *q_next) {
  const prc_rigid *rigid = owner;
  for (int b = 0; b < rigid->model->n_bodies; b++) {
    const double *by = dx + 3 * b;
    for (int k = 0; k < 2; k++) q_next[3 * b + k] = q[3 * b + k] + by[k];
    q_next[3 * b + 2] = q[3 * b + 2] + prc_rigid_turned_by(rigid->cayley[b], by[2]).turn;
  }
}

/* ---- which bodies --------------------------------------------------------------------------------------------- */

static void join(const prc_rigid *rigid, const prc_rigid_link *link, int *above) {
  int end[2];
  for (int i = 0; i < 2; i++) {
    const int b = link->body[i], fixed = b < 0 || rigid->model->body[b].driven;
    end[i] = fixed ? rigid->model->n_bodies : b;
  }
  prc_wholes_tie(above, end[0], end[1]);
}

/* The numbers of the dofs of bodies that are not tied; those of others are -1. */
static void number(prc_rigid *rigid, int *above) {
  const int n = rigid->model->n_bodies;
  for (int b = 0; b < n; b++) {
    const int root = rigid->model->body[b].driven ? n : prc_wholes_root(above, b);
    for (int k = 0; k < 3; k++) rigid->whole[3 * b + k] = root < n ? root : -1;
  }
}

static void mark(prc_rigid *rigid, prc_rigid_link *link, int by_angles) {
  for (int i = 0; i < 2; i++) {
    const int b = link->body[i];
    if (b < 0 || rigid->whole[3 * b] < 0) continue;
    if (by_angles || link->r[i][0] != 0.0 || link->r[i][1] != 0.0) rigid->cayley[b] = 1;
  }
}

static void tell(const prc_rigid *rigid, prc_rigid_link *link) {
  for (int i = 0; i < 2; i++) link->cayley[i] = link->body[i] >= 0 && rigid->cayley[link->body[i]];
}

/* Has it rows that know of angles besides those of its points? */
static int is_of_angles(const prc_rigid_joint *joint) {
  return joint->type != PRC_JOINT_DISTANCE && !(joint->type == PRC_JOINT_REVOLUTE && !joint->has_value);
}

prc_status prc_rigid_find_turns(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  int *above = NULL;
  prc_try(prc_new(&rigid->cayley, model->n_bodies, err));
  prc_try(prc_new(&above, (size_t)model->n_bodies + 1, err));
  prc_try(prc_new(&rigid->whole, 3 * (size_t)model->n_bodies, err));
  prc_wholes_begin(model->n_bodies, above);
  for (int k = 0; k < model->n_joints; k++) join(rigid, &rigid->joints.fact[k].link, above);
  for (int k = 0; k < model->n_springs; k++) join(rigid, &rigid->spring[k].link, above);
  number(rigid, above);
  for (int k = 0; k < model->n_joints; k++)
    mark(rigid, &rigid->joints.fact[k].link, is_of_angles(&model->joint[k]));
  for (int k = 0; k < model->n_springs; k++) mark(rigid, &rigid->spring[k].link, 0);
  for (int k = 0; k < model->n_joints; k++) tell(rigid, &rigid->joints.fact[k].link);
  for (int k = 0; k < model->n_springs; k++) tell(rigid, &rigid->spring[k].link);
  for (int b = 0; b < model->n_bodies; b++)
    if (rigid->cayley[b]) rigid->system.space.advance = prc_rigid_advance;
done:
  prc_delete(&above);
  return status;
}
