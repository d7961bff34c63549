#include "config.h"
#include "rigid/internal.h"

/* Means of the loads over a step, where the integrals of forces are known. */

static int has_integrals(const prc_rigid_model *model) {
  for (int b = 0; b < model->n_bodies; b++)
    if (model->body[b].has_integral) return 1;
  return 0;
}

/* A scheme takes either means or values: what varies has an integral then, or there is none at all. */
static prc_status check(const prc_rigid_model *model, prc_error *err) {
  if (model->gravity[0].uses_time || model->gravity[1].uses_time)
    return prc_fail(err, PRC_INPUT, "gravity varies with t, expected a constant beside integrals of forces");
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    if (body->moment.uses_time)
      return prc_fail(err, PRC_INPUT,
                      "body '%s': its moment varies with t, expected a constant beside integrals of forces",
                      body->name);
    if (!body->has_integral && (body->force[0].uses_time || body->force[1].uses_time))
      return prc_fail(err, PRC_INPUT,
                      "body '%s': its force varies with t, expected its integral as another body has one",
                      body->name);
  }
  return PRC_OK;
}

/* The mean of F = (m g + force, moment) over (t, t + h):  m g + (I(t + h) - I(t)) / h  with I' = force. */
static prc_status mean_loads(void *owner, double t, double h, double *F, prc_error *err) {
  const prc_rigid *rigid = owner;
  const prc_rigid_model *model = rigid->model;
  prc_status status = PRC_OK;
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_rigid_body *body = &model->body[b];
    for (int k = 0; k < 2; k++) {
      double before = 0.0, after = h * body->force[k].constant;
      if (body->has_integral) {
        prc_try(prc_field_eval(&body->force_integral[k], 0.0, 0.0, t, &before, err));
        prc_try(prc_field_eval(&body->force_integral[k], 0.0, 0.0, t + h, &after, err));
      }
      F[3 * b + k] = body->mass * model->gravity[k].constant + (after - before) / h;
    }
    F[3 * b + 2] = body->moment.constant;
  }
done:
  return status;
}

prc_status prc_rigid_make_means(prc_rigid *rigid, prc_error *err) {
  if (!has_integrals(rigid->model)) return PRC_OK;
  rigid->system.dynamics.mean_loads = mean_loads;
  return check(rigid->model, err);
}
