#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints between bodies, or of the ground and a body: what they are at the start, and their rows. */

#define NEAR 1e-9 /* of the size of what is joined: digits that a case file has */

/* ---- the start ------------------------------------------------------------------------------------------------------------ */

/* [length] Of the joined: the largest distance of a joint's points from the centres of mass, and of these from each other. */
static double size_of(const prc_rigid_line *line) {
  double size = hypot(line->d[0], line->d[1]);
  for (int i = 0; i < 2; i++) size = fmax(size, hypot(line->arm[i][0], line->arm[i][1]));
  return size;
}

/* [length] What makes an angle comparable with a distance: the radius of gyration sqrt(I / m), the larger of those that move, for then the
 * diagonal of G M^-1 G' is 1/m in all rows. */
static double length_of(const prc_rigid_model *model, const prc_rigid_link *link) {
  double length = 0.0;
  for (int i = 0; i < 2; i++) {
    const prc_rigid_body *body = link->body[i] < 0 ? NULL : &model->body[link->body[i]];
    if (body && !body->driven) length = fmax(length, sqrt(body->inertia / body->mass));
  }
  return length;
}

static int carries_axis(prc_joint_type type) { /* which of the two; -1: neither */
  if (type == PRC_JOINT_PRISMATIC || type == PRC_JOINT_WHEEL) return 0;
  return type == PRC_JOINT_SKATE ? 1 : -1;
}

static prc_status set_axis(const prc_rigid_model *model, const prc_rigid_joint *joint,
                           prc_rigid_joint_facts *fact, prc_error *err) {
  const int which = carries_axis(joint->type);
  const double length = hypot(joint->axis[0], joint->axis[1]);
  if (which < 0) return PRC_OK;
  if (!(length > 0.0) || !isfinite(length))
    return prc_fail(err, PRC_INPUT, "joint '%s': its axis is (%g, %g), expected a direction", joint->name,
                    joint->axis[0], joint->axis[1]);
  const int b = fact->link.body[which];
  const double axis[2] = {joint->axis[0] / length, joint->axis[1] / length};
  prc_rigid_turn(b < 0 ? 0.0 : -model->body[b].angle, axis, fact->axis);
  return PRC_OK;
}

/* All but a distance begin where both points are one; a distance where it says, which is more than nothing. */
static prc_status check_places(const prc_rigid_joint *joint, const prc_rigid_line *line,
                               prc_rigid_joint_facts *fact, prc_error *err) {
  const double apart = hypot(line->d[0], line->d[1]), size = size_of(line);
  if (joint->type != PRC_JOINT_DISTANCE) {
    if (apart <= NEAR * size) return PRC_OK;
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its two points are %g apart at the start, expected one place", joint->name,
                    apart);
  }
  fact->length = apart;
  if (!(apart > NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its points are at one place at the start, expected a distance; revolute "
                    "joins what stays together",
                    joint->name);
  if (!isnan(joint->length) && !(fabs(joint->length - apart) <= NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its length is %.9g, but its points are %.9g apart at the start, which is "
                    "%.3g more; without a length it is as at the start",
                    joint->name, joint->length, apart, apart - joint->length);
  return PRC_OK;
}

static prc_status check_value(const prc_rigid_joint *joint, prc_rigid_joint_facts *fact,
                              const prc_rigid_line *line, prc_error *err) {
  const int is_distance = joint->type == PRC_JOINT_DISTANCE;
  const double expected = is_distance ? fact->length : 0.0;
  if (!joint->has_value) return PRC_OK;
  if (joint->type == PRC_JOINT_FIXED || joint->type == PRC_JOINT_WHEEL || joint->type == PRC_JOINT_SKATE)
    return prc_fail(err, PRC_INPUT,
                    "joint '%s' has a prescribed value, expected none of a fixed joint, a wheel or a skate",
                    joint->name);
  const prc_status status = prc_field_eval(&joint->value, 0.0, 0.0, 0.0, &fact->value, err);
  if (status != PRC_OK) return status;
  const double scale = joint->type == PRC_JOINT_PRISMATIC || is_distance ? size_of(line) : 1.0;
  if (fabs(fact->value - expected) <= NEAR * scale) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "joint '%s': its prescribed value is %.9g at t = 0, expected %.9g, %s; it is off by %.3g",
                  joint->name, fact->value, expected,
                  is_distance ? "the distance at the start" : "since it counts from the start",
                  fact->value - expected);
}

static prc_status check_joint(const prc_rigid_joint *joint, prc_error *err) {
  if (joint->type == PRC_JOINT_WHEEL && !(joint->radius > 0.0 && isfinite(joint->radius)))
    return prc_fail(err, PRC_INPUT, "joint '%s': its radius is %g, expected a positive number", joint->name,
                    joint->radius);
  return PRC_OK;
}

static prc_status make_facts(const prc_rigid_model *model, const prc_rigid_joint *joint, const double *q,
                             prc_rigid_joint_facts *fact, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_line line;
  double at[2][2];
  memcpy(at, joint->at, sizeof at);
  prc_try(check_joint(joint, err));
  prc_try(prc_rigid_make_link(model, "joint", joint->name, joint->body, (const double(*)[2])at, &fact->link,
                              err));
  prc_rigid_place_link(&fact->link, q, NULL, &line);
  fact->length = length_of(model, &fact->link);
  fact->turn = line.q[1][2] - line.q[0][2];
  prc_try(set_axis(model, joint, fact, err));
  prc_try(check_places(joint, &line, fact, err));
  prc_try(check_value(joint, fact, &line, err));
done:
  return status;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

/* The dofs of row i, ascending: of the six those that its kind touches, without the ground's. */
static void add_dofs(prc_rigid_joint_rows *rows, int i) {
  const prc_rigid_link *link = &rows->fact[rows->row[i].joint].link;
  const unsigned slots = prc_rigid_joint_slots(rows->row[i].kind);
  const int first = link->body[0] < link->body[1] ? 0 : 1;
  int n = rows->start[i];
  for (int which = 0; which < 2; which++) {
    const int of = which == 0 ? first : 1 - first;
    for (int k = 0; k < 3 && link->body[of] >= 0; k++)
      if (slots & (1u << (3 * of + k))) {
        rows->dof[n] = 3 * link->body[of] + k;
        rows->slot[n++] = 3 * of + k;
      }
  }
  rows->start[i + 1] = n;
}

static prc_status make_rows(prc_rigid *rigid, prc_error *err) {
  const int most = PRC_RIGID_JOINT_ROWS * rigid->model->n_joints;
  prc_rigid_joint_rows *rows = &rigid->joints;
  prc_status status = PRC_OK;
  int n = 0, kind[PRC_RIGID_JOINT_ROWS];
  prc_try(prc_new(&rows->first, (size_t)rigid->model->n_joints + 1, err));
  prc_try(prc_new(&rows->row, most, err));
  prc_try(prc_new(&rows->start, (size_t)most + 1, err));
  prc_try(prc_new(&rows->dof, 6 * (size_t)most, err));
  prc_try(prc_new(&rows->slot, 6 * (size_t)most, err));
  prc_try(prc_new(&rows->of_velocities, most, err));
  for (int k = 0; k < rigid->model->n_joints; k++) {
    const int count = prc_rigid_joint_kinds(&rigid->model->joint[k], kind);
    for (int i = 0; i < count; i++, n++) {
      rows->row[n] = (prc_rigid_joint_row){k, kind[i]};
      rows->of_velocities[n] = (char)prc_rigid_joint_is_of_velocities(kind[i]);
      add_dofs(rows, n);
    }
    rows->first[k + 1] = n;
  }
done:
  return status;
}

static void name_of(void *owner, int row, char *text, size_t size) {
  const prc_rigid *rigid = owner;
  snprintf(text, size, "joint '%s'", rigid->model->joint[rigid->joints.row[row].joint].name);
}

prc_status prc_rigid_make_joints(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_rigid_joint_rows *rows = &rigid->joints;
  double *q = NULL, *v = NULL;
  int has_values = 0;
  if (model->n_joints == 0) return PRC_OK;
  prc_try(prc_new(&q, 3 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&v, 3 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&rows->fact, model->n_joints, err));
  prc_rigid_initial(rigid, q, v);
  for (int k = 0; k < model->n_joints; k++) has_values |= model->joint[k].has_value;
  for (int k = 0; k < model->n_joints; k++)
    prc_try(make_facts(model, &model->joint[k], q, &rows->fact[k], err));
  prc_try(make_rows(rigid, err));
  rigid->system.joints = (prc_joints){.n = rows->first[model->n_joints],
                                      .start = rows->start,
                                      .dof = rows->dof,
                                      .of_velocities = rows->of_velocities,
                                      .evaluate = prc_rigid_evaluate_joints,
                                      .secant = prc_rigid_secant_joints,
                                      .value = has_values ? prc_rigid_joint_values : NULL,
                                      .value_rate = prc_rigid_joint_rates,
                                      .name = name_of};
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

void prc_rigid_free_joints(prc_rigid *rigid) {
  prc_rigid_joint_rows *rows = &rigid->joints;
  prc_delete(&rows->fact);
  prc_delete(&rows->first);
  prc_delete(&rows->row);
  prc_delete(&rows->start);
  prc_delete(&rows->dof);
  prc_delete(&rows->slot);
  prc_delete(&rows->of_velocities);
}

/* ---- what is asked of them ------------------------------------------------------------------------------------------------ */

int prc_rigid_joint_first(const prc_rigid *rigid, int k) {
  return rigid->model->n_joints > 0 ? rigid->joints.first[k] : 0;
}

void prc_rigid_joint_place(const prc_rigid *rigid, int k, const double *q, double x[2][2]) {
  prc_rigid_line line;
  prc_rigid_place_link(&rigid->joints.fact[k].link, q, NULL, &line);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 2; c++) x[i][c] = line.q[i][c] + line.arm[i][c];
}
