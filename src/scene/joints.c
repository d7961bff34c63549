#include "config.h"
#include "scene/internal.h"

#include <stdio.h>

/* Joints of the bodies, one after the other: rows and dofs are shifted; and behind them those between bodies. */

/* The body that has row i. */
static int body_of(const prc_scene *scene, int row) {
  int b = scene->n_bodies - 1;
  while (b > 0 && row < scene->body[b].first_joint) b--;
  return b;
}

static prc_status evaluate(void *owner, const prc_at *at, double *g, double *G, double *rate, double *bias,
                           prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies && status == PRC_OK; b++) {
    const prc_system *own = scene->of[b];
    const prc_body *body = &scene->body[b];
    const int row = body->first_joint;
    const prc_at here = {at->t, at->q + body->first_coordinate, at->v ? at->v + body->first_dof : NULL};
    if (own->joints.n == 0) continue;
    status =
        own->joints.evaluate(own->owner, &here, g ? g + row : NULL, G ? G + scene->joint_start[row] : NULL,
                             rate ? rate + row : NULL, bias ? bias + row : NULL, err);
  }
  for (int k = 0; k < scene->n_joints && status == PRC_OK; k++)
    status = prc_scene_evaluate_linked(scene, k, at, g, G, rate, bias, err);
  return status;
}

static prc_status secant(void *owner, const prc_at *from, double h, const double *dx, double *G, double *rate,
                         prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies && status == PRC_OK; b++) {
    const prc_system *own = scene->of[b];
    const prc_body *body = &scene->body[b];
    const int row = body->first_joint;
    const prc_at here = {from->t, from->q + body->first_coordinate,
                         from->v ? from->v + body->first_dof : NULL};
    if (own->joints.n == 0) continue;
    status = own->joints.secant(own->owner, &here, h, dx + body->first_dof,
                                G ? G + scene->joint_start[row] : NULL, rate ? rate + row : NULL, err);
  }
  for (int k = 0; k < scene->n_joints && status == PRC_OK; k++)
    status = prc_scene_secant_linked(scene, k, from, h, dx, G, rate, err);
  return status;
}

/* Prescribed values of all rows, or their rates. */
static prc_status put_values(const prc_scene *scene, double t, double h, int rates, double *out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies && status == PRC_OK; b++) {
    const prc_system *own = scene->of[b];
    double *own_out = out + scene->body[b].first_joint;
    for (int i = 0; i < own->joints.n; i++) own_out[i] = 0.0;
    if (own->joints.n == 0 || !own->joints.value) continue;
    status = rates ? own->joints.value_rate(own->owner, t, h, own_out, err)
                   : own->joints.value(own->owner, t, own_out, err);
  }
  for (int k = 0; k < scene->n_joints && status == PRC_OK; k++)
    status = prc_scene_linked_values(scene, k, t, h, rates, out, err);
  return status;
}

static prc_status values(void *owner, double t, double *d, prc_error *err) {
  return put_values(owner, t, 0.0, 0, d, err);
}

static prc_status value_rates(void *owner, double t, double h, double *rate, prc_error *err) {
  return put_values(owner, t, h, 1, rate, err);
}

static int has_values(const prc_scene *scene) {
  for (int b = 0; b < scene->n_bodies; b++)
    if (scene->of[b]->joints.n > 0 && scene->of[b]->joints.value) return 1;
  for (int k = 0; k < scene->n_joints; k++)
    if (scene->joint[k].has_value) return 1;
  return 0;
}

static void name(void *owner, int row, char *text, size_t size) {
  const prc_scene *scene = owner;
  for (int k = 0; k < scene->n_joints; k++)
    if (row >= scene->fact[k].first && row < scene->fact[k].first + scene->fact[k].n_rows) {
      snprintf(text, size, "joint '%s'", scene->joint[k].name);
      return;
    }
  const int b = body_of(scene, row), own_row = row - scene->body[b].first_joint;
  const prc_system *own = scene->of[b];
  if (own->joints.name)
    own->joints.name(own->owner, own_row, text, size);
  else
    snprintf(text, size, "joint %d of body '%s'", own_row, scene->body[b].name);
}

static void add_rows(prc_scene *scene, int b) {
  const prc_joints *own = &scene->of[b]->joints;
  const int row = scene->body[b].first_joint, at = scene->joint_start[row];
  for (int i = 0; i < own->n; i++) {
    scene->joint_start[row + i + 1] = at + own->start[i + 1];
    scene->joint_of_velocities[row + i] = own->of_velocities ? own->of_velocities[i] : 0;
  }
  for (int k = 0; own->n > 0 && k < own->start[own->n]; k++)
    scene->joint_dof[at + k] = scene->body[b].first_dof + own->dof[k];
}

prc_status prc_scene_make_joints(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  int n = 0, entries = 0, linked_rows = 0, linked_entries = 0;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_joints *own = &scene->of[b]->joints;
    scene->body[b].first_joint = n;
    n += own->n, entries += own->n > 0 ? own->start[own->n] : 0;
  }
  const int own_rows = n;
  prc_try(prc_scene_make_linked(scene, n, &linked_rows, &linked_entries, err));
  n += linked_rows, entries += linked_entries;
  if (n == 0) goto done;
  prc_try(prc_new(&scene->joint_start, (size_t)n + 1, err));
  prc_try(prc_new(&scene->joint_dof, entries, err));
  prc_try(prc_new(&scene->joint_of_velocities, n, err));
  for (int b = 0; b < scene->n_bodies; b++) add_rows(scene, b);
  for (int k = 0, row = own_rows; k < scene->n_joints; k++)
    for (int i = 0; i < scene->fact[k].n_rows; i++, row++)
      scene->joint_start[row + 1] =
          scene->joint_start[row]
          + prc_scene_linked_dofs(scene, k, scene->joint_dof + scene->joint_start[row]);
  scene->system.joints = (prc_joints){.n = n,
                                      .start = scene->joint_start,
                                      .dof = scene->joint_dof,
                                      .of_velocities = scene->joint_of_velocities,
                                      .evaluate = evaluate,
                                      .secant = secant,
                                      .value = has_values(scene) ? values : NULL,
                                      .value_rate = value_rates,
                                      .name = name};
done:
  return status;
}
