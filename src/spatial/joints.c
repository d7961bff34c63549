#include "config.h"
#include "spatial/links.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints between bodies in space, or of the ground and a body: what they are at the start, and their rows. */

#define NEAR 1e-9 /* of the size of what is joined: digits that a case file has */

/* ---- the start ------------------------------------------------------------------------------------------- */

static double length_of(const double x[3]) {
  return sqrt(prc_solid_dot(x, x));
}

/* [length] Of the joined: the largest distance of a joint's points from the centres of mass, and of these from each other. */
static double size_of(const prc_spatial_line *line) {
  double size = length_of(line->d);
  for (int i = 0; i < 2; i++) size = fmax(size, length_of(line->arm[i]));
  return size;
}

/* [length] What makes an angle comparable with a distance: the largest radius of gyration of those that move; then the diagonal of G M^-1 G' is
 * near to 1/m in all rows. */
static double gyration_of(const prc_spatial *spatial, const prc_spatial_link *link) {
  double length = 0.0;
  for (int i = 0; i < 2; i++) {
    const int b = link->body[i];
    if (b < 0 || spatial->model->body[b].driven || spatial->fact[b].turn < 0) continue;
    const double *J = spatial->fact[b].moments;
    length = fmax(length, sqrt(fmax(J[0], fmax(J[1], J[2])) / spatial->model->body[b].mass));
  }
  return length > 0.0 ? length : 1.0;
}

/* e, and two across it: the coordinate axis least along e first, without its part along e. */
static prc_status set_axes(const prc_spatial_joint *joint, const prc_spatial_line *line,
                           prc_spatial_joint_facts *fact, prc_error *err) {
  static const double zeros[9] = {0.0};
  const int needed = joint->type == PRC_SPATIAL_HINGE || joint->type == PRC_SPATIAL_SLIDER;
  const double length = length_of(joint->axis);
  double frame[9], e[3] = {0.0, 0.0, 1.0};
  if (needed && !(length > 0.0 && isfinite(length)))
    return prc_fail(err, PRC_INPUT, "joint '%s': its axis is (%g, %g, %g), expected a direction", joint->name,
                    joint->axis[0], joint->axis[1], joint->axis[2]);
  for (int k = 0; k < 3 && needed; k++) e[k] = joint->axis[k] / length;
  prc_contact_turn_frame(zeros, e, frame);
  for (int i = 0; i < 3; i++) {
    prc_solid_turn_back(line->R[0], frame + 3 * i, fact->of_a[i]);
    prc_solid_turn_back(line->R[1], frame + 3 * i, fact->of_b[i]);
  }
  return PRC_OK;
}

/* Where the points are: together, or for a distance apart by its length. */
static prc_status check_places(const prc_spatial_joint *joint, const prc_spatial_line *line,
                               prc_spatial_joint_facts *fact, prc_error *err) {
  const double apart = length_of(line->d), size = size_of(line);
  if (joint->type != PRC_SPATIAL_DISTANCE) {
    if (apart <= NEAR * fmax(size, length_of(line->x[1]))) return PRC_OK;
    return prc_fail(err, PRC_INPUT, "joint '%s': its points are %.3g apart at the start, expected one place",
                    joint->name, apart);
  }
  fact->length = apart;
  if (!(apart > NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its points are at one place at the start, expected a distance; a ball joins "
                    "what stays together",
                    joint->name);
  if (!isnan(joint->length) && !(fabs(joint->length - apart) <= NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its length is %.9g, but its points are %.9g apart at the start, which is "
                    "%.3g more; without a length it is as at the start",
                    joint->name, joint->length, apart, apart - joint->length);
  return PRC_OK;
}

static prc_status check_value(const prc_spatial_joint *joint, const prc_spatial_joint_facts *fact,
                              const prc_spatial_line *line, prc_error *err) {
  const int is_distance = joint->type == PRC_SPATIAL_DISTANCE;
  const double expected = is_distance ? fact->length : 0.0;
  double value = 0.0;
  if (!joint->has_value) return PRC_OK;
  if (joint->type == PRC_SPATIAL_FIXED || joint->type == PRC_SPATIAL_BALL)
    return prc_fail(err, PRC_INPUT,
                    "joint '%s' has a prescribed value, expected none of a ball or a fixed joint",
                    joint->name);
  const prc_status status = prc_field_eval(&joint->value, 0.0, 0.0, 0.0, &value, err);
  if (status != PRC_OK) return status;
  const double scale = joint->type == PRC_SPATIAL_HINGE ? 1.0 : size_of(line);
  if (fabs(value - expected) <= NEAR * scale) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "joint '%s': its prescribed value is %.9g at t = 0, expected %.9g, %s; it is off by %.3g",
                  joint->name, value, expected,
                  is_distance ? "the distance at the start" : "since it counts from the start",
                  value - expected);
}

static prc_status make_facts(const prc_spatial *spatial, const prc_spatial_joint *joint, const double *q,
                             prc_spatial_joint_facts *fact, prc_error *err) {
  prc_status status = PRC_OK;
  prc_spatial_line line;
  double at[2][3];
  memcpy(at, joint->at, sizeof at);
  prc_try(prc_spatial_make_link(spatial, "joint", joint->name, joint->body, (const double(*)[3])at,
                                &fact->link, err));
  prc_spatial_place_link(spatial, &fact->link, q, NULL, &line);
  fact->length = gyration_of(spatial, &fact->link);
  prc_try(set_axes(joint, &line, fact, err));
  prc_try(check_places(joint, &line, fact, err));
  prc_try(check_value(joint, fact, &line, err));
done:
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static prc_status make_rows(prc_spatial *spatial, prc_error *err) {
  const int most = PRC_SPATIAL_JOINT_ROWS * spatial->model->n_joints;
  prc_spatial_joint_rows *rows = &spatial->joints;
  prc_status status = PRC_OK;
  int n = 0, kind[PRC_SPATIAL_JOINT_ROWS];
  prc_try(prc_new(&rows->first, (size_t)spatial->model->n_joints + 1, err));
  prc_try(prc_new(&rows->row, most, err));
  prc_try(prc_new(&rows->start, (size_t)most + 1, err));
  prc_try(prc_new(&rows->dof, PRC_SPATIAL_LINK_DOFS * (size_t)most, err));
  prc_try(prc_new(&rows->slot, PRC_SPATIAL_LINK_DOFS * (size_t)most, err));
  for (int k = 0; k < spatial->model->n_joints; k++) {
    const int count = prc_spatial_joint_kinds(&spatial->model->joint[k], kind);
    for (int i = 0; i < count; i++, n++) {
      const int at = rows->start[n];
      rows->row[n] = (prc_spatial_joint_row){k, kind[i]};
      rows->start[n + 1] =
          at + prc_spatial_link_dofs(spatial, &rows->fact[k].link, rows->dof + at, rows->slot + at);
    }
    rows->first[k + 1] = n;
  }
done:
  return status;
}

static void name_of(void *owner, int row, char *text, size_t size) {
  const prc_spatial *spatial = owner;
  snprintf(text, size, "joint '%s'", spatial->model->joint[spatial->joints.row[row].joint].name);
}

prc_status prc_spatial_make_joints(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  prc_spatial_joint_rows *rows = &spatial->joints;
  double *q = NULL;
  int has_values = 0;
  if (model->n_joints == 0) return PRC_OK;
  for (int k = 0; k < model->n_joints; k++) has_values |= model->joint[k].has_value;
  prc_try(prc_new(&q, (size_t)(spatial->nv + spatial->n_turning + spatial->nv), err));
  prc_try(prc_new(&rows->fact, model->n_joints, err));
  prc_spatial_initial(spatial, q, q + spatial->nv + spatial->n_turning);
  for (int k = 0; k < model->n_joints; k++)
    prc_try(make_facts(spatial, &model->joint[k], q, &rows->fact[k], err));
  prc_try(make_rows(spatial, err));
  prc_try(prc_new(&rows->q, (size_t)(spatial->nv + spatial->n_turning), err));
  spatial->system.joints = (prc_joints){.n = rows->first[model->n_joints],
                                        .start = rows->start,
                                        .dof = rows->dof,
                                        .evaluate = prc_spatial_evaluate_joints,
                                        .secant = prc_spatial_secant_joints,
                                        .value = has_values ? prc_spatial_joint_values : NULL,
                                        .value_rate = prc_spatial_joint_rates,
                                        .name = name_of};
done:
  prc_delete(&q);
  return status;
}

void prc_spatial_free_joints(prc_spatial *spatial) {
  prc_spatial_joint_rows *rows = &spatial->joints;
  prc_delete(&rows->fact);
  prc_delete(&rows->first);
  prc_delete(&rows->row);
  prc_delete(&rows->start);
  prc_delete(&rows->dof);
  prc_delete(&rows->slot);
  prc_delete(&rows->q);
}

/* ---- what is asked of them ------------------------------------------------------------------------------- */

int prc_spatial_joint_first(const prc_spatial *spatial, int k) {
  return spatial->model->n_joints > 0 ? spatial->joints.first[k] : 0;
}

void prc_spatial_joint_place(const prc_spatial *spatial, int k, const double *q, double x[2][3]) {
  prc_spatial_line line;
  prc_spatial_place_link(spatial, &spatial->joints.fact[k].link, q, NULL, &line);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 3; c++) x[i][c] = line.x[i][c] + line.arm[i][c];
}
