#include "config.h"
#include "rigid/internal.h"

#include <stdio.h>
#include <string.h>

/* Driven bodies: their three dofs are data, position and angle at the start and what `motion` adds. */

static double at_start(const prc_rigid_body *body, int component) {
  return component < 2 ? body->position[component] : body->angle;
}

/* d_i(t) of dof i of the list: where it began plus motion(t), which is zero at t = 0 [length, length, rad]. */
static prc_status displacement_at(void *owner, int i, double t, double *d, prc_error *err) {
  const prc_rigid *rigid = owner;
  const int k = rigid->driven[i] % 3;
  const prc_rigid_body *body = &rigid->model->body[rigid->driven[i] / 3];
  const prc_status status = prc_field_eval(&body->motion[k], 0.0, 0.0, t, d, err);
  *d += at_start(body, k);
  return status;
}

static prc_status displacement(void *owner, double t, double *d, prc_error *err) {
  const prc_rigid *rigid = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < rigid->n_driven && status == PRC_OK; i++)
    status = displacement_at(owner, i, t, &d[i], err);
  return status;
}

/* dd_i/dt over (t, t + h), one-sided (prc_field_rate) [velocity, velocity, rad / time]. */
static prc_status velocity(void *owner, double t, double h, double *v, prc_error *err) {
  const prc_rigid *rigid = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < rigid->n_driven && status == PRC_OK; i++) {
    const prc_rigid_body *body = &rigid->model->body[rigid->driven[i] / 3];
    status = prc_field_rate(&body->motion[rigid->driven[i] % 3], 0.0, 0.0, t, h, &v[i], err);
  }
  return status;
}

/* d2d_i/dt2, one-sided and to rounding: asked for where all motions know their derivatives [.. / time^2]. */
static prc_status acceleration(void *owner, double t, double *a, prc_error *err) {
  const prc_rigid *rigid = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < rigid->n_driven && status == PRC_OK; i++) {
    const prc_rigid_body *body = &rigid->model->body[rigid->driven[i] / 3];
    double d[3] = {0.0};
    status = prc_field_derivatives(&body->motion[rigid->driven[i] % 3], 0.0, 0.0, t, 0.0, d, err);
    a[i] = d[2];
  }
  return status;
}

static int derivatives_are_known(const prc_rigid *rigid) {
  for (int i = 0; i < rigid->n_driven; i++) {
    const prc_field *motion = &rigid->model->body[rigid->driven[i] / 3].motion[rigid->driven[i] % 3];
    if (motion->uses_time && !motion->derivatives) return 0;
  }
  return 1;
}

static void name(void *owner, int i, char *text, size_t size) {
  static const char *const component[] = {"x", "y", "rotation"};
  const prc_rigid *rigid = owner;
  const prc_rigid_body *body = &rigid->model->body[rigid->driven[i] / 3];
  snprintf(text, size, "%s '%s': %s", body->noun ? body->noun : "body", body->name,
           component[rigid->driven[i] % 3]);
}

prc_status prc_rigid_make_drive(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_drive *drive = &rigid->system.drive;
  drive->rest = 1;
  prc_try(prc_new(&rigid->driven, 3 * (size_t)model->n_bodies, err));
  for (int b = 0; b < model->n_bodies; b++)
    for (int k = 0; k < 3 && model->body[b].driven; k++) {
      rigid->driven[rigid->n_driven++] = 3 * b + k;
      if (model->body[b].motion[k].uses_time) drive->rest = 0;
    }
  if (rigid->n_driven == 0) return PRC_OK;
  prc_try(prc_new(&rigid->driven_work, rigid->n_driven, err));
  prc_try(prc_new(&rigid->driven_like, rigid->n_driven, err));
  for (int i = 0; i < rigid->n_driven; i++)
    rigid->driven_like[i] = model->body[rigid->driven[i] / 3].motion[rigid->driven[i] % 3].uses_time ? i : -1;
  memset(rigid->driven_work, 1, (size_t)rigid->n_driven);
  *drive = (prc_drive){.n = rigid->n_driven,
                       .rest = drive->rest,
                       .dof = rigid->driven,
                       .work = rigid->driven_work,
                       .like = rigid->driven_like,
                       .velocity = velocity,
                       .displacement = displacement,
                       .displacement_at = displacement_at,
                       .acceleration = derivatives_are_known(rigid) ? acceleration : NULL,
                       .name = name};
done:
  return status;
}
