#include "config.h"
#include "spatial/internal.h"

#include <string.h>

/* A force and a moment in fixed axes, gravity, and of bodies that turn -w x J w: F_w = R'M - w x J w [force x length, in the axes of inertia]. */

/* w . (-w x J w) = w1 w2 w3 ((J2 - J3) + (J3 - J1) + (J1 - J2)): zero to rounding. A body with three equal moments has none at all. */
static void add_gyroscopic(const prc_spatial_facts *fact, const double *w, double *F) {
  const double *J = fact->moments;
  F[0] += (J[1] - J[2]) * (w[1] * w[2]);
  F[1] += (J[2] - J[0]) * (w[2] * w[0]);
  F[2] += (J[0] - J[1]) * (w[0] * w[1]);
}

/* window: NULL, or what is missed of forces and moments in it. */
static prc_status add_up(void *owner, const prc_at *at, prc_window *window, double *F, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial *spatial = owner;
  const prc_spatial_model *model = spatial->model;
  double g[3];
  for (int k = 0; k < 3; k++) prc_try(prc_field_in(window, &model->gravity[k], 0.0, 0.0, at->t, &g[k], err));
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_spatial_body *body = &model->body[b];
    const prc_spatial_facts *fact = &spatial->fact[b];
    double *force = F + fact->first, *moment = force + 3;
    for (int k = 0; k < 3; k++) {
      prc_try(prc_field_in(window, &body->force[k], 0.0, 0.0, at->t, &force[k], err));
      force[k] += body->mass * g[k];
      if (fact->turn >= 0) prc_try(prc_field_in(window, &body->moment[k], 0.0, 0.0, at->t, &moment[k], err));
    }
    if (fact->turn < 0) continue;
    if (moment[0] != 0.0 || moment[1] != 0.0 || moment[2] != 0.0)
      prc_spatial_turn_back(spatial, at->q, fact->first + 3, moment); /* R'M */
    if (!window) add_gyroscopic(fact, at->v + fact->first + 3, moment);
  }
done:
  return status;
}

prc_status prc_spatial_loads(void *owner, const prc_at *at, double *F, prc_error *err) {
  return add_up(owner, at, NULL, F, err);
}

prc_status prc_spatial_missed_loads(void *owner, const prc_at *at, prc_window *window, double *F,
                                    prc_error *err) {
  return add_up(owner, at, window, F, err);
}

static int is_nothing(const prc_field *field) {
  return !field->eval && field->constant == 0.0;
}

/* Bodies that turn with three equal moments, and without a moment of forces, are linear. */
unsigned prc_spatial_loads_vary(const prc_spatial *spatial) {
  const prc_spatial_model *model = spatial->model;
  unsigned varies = 0;
  for (int k = 0; k < 3; k++)
    if (model->gravity[k].uses_time) varies |= PRC_LOADS_IN_TIME;
  for (int b = 0; b < model->n_bodies; b++) {
    const prc_spatial_body *body = &model->body[b];
    const double *J = spatial->fact[b].moments;
    const int turns = spatial->fact[b].turn >= 0;
    if (turns && (J[0] != J[1] || J[1] != J[2])) varies |= PRC_LOADS_OF_STATE;
    for (int k = 0; k < 3; k++) {
      if (body->force[k].uses_time || (turns && body->moment[k].uses_time)) varies |= PRC_LOADS_IN_TIME;
      if (turns && !is_nothing(&body->moment[k])) varies |= PRC_LOADS_OF_STATE;
    }
  }
  return varies;
}
