#include "config.h"
#include "step/alpha.h"

#include <math.h>
#include <string.h>

/* Joints of the generalized-alpha schemes: g = 0 of positions, G u + rate = 0 of velocities, G a + bias = 0 of accelerations, at the end of the
 * step. Their forces are filtered with the accelerations; with total impulses for unknowns nothing of that would be needed, but what is shown,
 *
 *   P_total = Pt + P_g,   Lambda_g = P_g - h g' l',   kappa_g = kap_g - h^2 b' l'.
 *
 * Where accelerations are those of a smooth motion (ggl), it is its velocity ut + h g' a~ that G x + rate = 0 is of.
 * A row of velocities alone has no place in (q): there its mean over the step holds, G (q_k + dx / 2) dx + h rate = 0. */

#define VECTORS(X) X(rate) X(l) X(lbar) X(l_next) X(P_g) X(kap_g) X(Pt_g) X(Lambda_g) X(kappa_g)

prc_status prc_alpha_create_joints(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_joints *j = &s->joints;
#define X(name) prc_try(prc_new(&w->name, j->n, err));
  VECTORS(X)
#undef X
  prc_try(prc_new(&w->G, j->n > 0 ? j->G.start[j->n] : 0, err));
done:
  return status;
}

void prc_alpha_free_joints(prc_step_alpha *w) {
#define X(name) prc_delete(&w->name);
  VECTORS(X)
#undef X
  prc_delete(&w->G);
}

void prc_alpha_begin_joints(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_alpha_constants *k = &w->k;
  for (int r = 0; r < s->joints.n; r++) {
    const double t = (k->af * w->l[r] - k->am * w->lbar[r]) / (1.0 - k->am);
    w->Pt_g[r] = s->options.h * ((1.0 - k->gamma) * w->lbar[r] + k->gamma * t);
    w->l_next[r] = w->l[r];
  }
}

/* ---- levels ---------------------------------------------------------------------------------------------------------------- */

/* G, g and rate are those of q' at most once; bias is of u' too. */
static prc_status place_joints(prc_stepper *s, int with_bias, prc_error *err) {
  prc_step_alpha *w = s->work_of_scheme;
  if (w->joints_placed && !with_bias) return PRC_OK;
  const prc_status status = prc_step_joints_evaluate(&s->joints, &(prc_at){w->t, w->q, w->u}, err);
  w->joints_placed = status == PRC_OK;
  return status;
}

/* Rows of velocities over the step, in place of those at its end. */
static prc_status find_means(prc_stepper *s, prc_error *err) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_joints *j = &s->joints;
  const char *of_velocities = s->system->joints.of_velocities;
  const prc_at from = {s->t, s->q, s->v};
  int any = 0;
  for (int r = 0; of_velocities && r < j->n; r++) any |= of_velocities[r] != 0;
  if (!any) return PRC_OK;
  memcpy(w->G, j->G.x, (size_t)j->G.start[j->n] * sizeof *w->G);
  const prc_status status = prc_step_joints_secant(j, &from, s->options.h, w->dx, err);
  w->joints_placed = 0;
  for (int r = 0; r < j->n; r++)
    for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++)
      if (!of_velocities[r]) j->G.x[at] = w->G[at];
  return status;
}

static double row_times(const prc_step_joints *j, int r, const double *x) {
  double sum = 0.0;
  for (int at = j->G.start[r]; at < j->G.start[r + 1]; at++) sum += j->G.x[at] * x[j->G.dof[at]];
  return sum;
}

prc_status prc_alpha_aim_positions(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_joints *j = &s->joints;
  const char *of_velocities = s->system->joints.of_velocities;
  if (j->n == 0) return PRC_OK;
  prc_try(place_joints(s, 0, err));
  prc_try(find_means(s, err));
  for (int r = 0; r < j->n; r++)
    j->target[r] =
        of_velocities && of_velocities[r] ? -s->options.h * j->rate[r] - row_times(j, r, w->dx) : -j->g[r];
  prc_try(prc_step_joints_impose(j, w->position.op, s->passes == 1, j->target, INFINITY, err));
  if (w->variant->impulse_first) prc_try(place_joints(s, 0, err)); /* works are of the G of its impulses */
done:
  return status;
}

prc_status prc_alpha_aim_velocities(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_joints *j = &s->joints;
  if (j->n == 0) return PRC_OK;
  prc_try(place_joints(s, 0, err));
  for (int r = 0; r < j->n; r++) j->target[r] = -j->rate[r] - row_times(j, r, w->u);
  prc_try(prc_step_joints_impose(j, s->op, s->passes == 1, j->target, INFINITY, err));
done:
  return status;
}

prc_status prc_alpha_aim_accelerations(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_joints *j = &s->joints;
  if (j->n == 0) return PRC_OK;
  const int of_velocity = !w->variant->hats && !w->starts;
  prc_try(place_joints(s, !of_velocity, err));
  for (int r = 0; r < j->n; r++)
    j->target[r] =
        of_velocity ? -(j->rate[r] + row_times(j, r, w->ut)) / (s->options.h * w->k.g) : -j->bias[r];
  prc_try(prc_step_joints_impose(j, s->op, s->passes == 1, j->target, INFINITY, err));
done:
  return status;
}

void prc_alpha_end_joints(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_joints *j = &s->joints;
  const prc_alpha_constants *k = &w->k;
  const double h = s->options.h;
  for (int r = 0; r < j->n; r++) {
    if (w->variant->smooth) {
      w->l_next[r] = w->kap_g[r] / (h * h * k->b);
      w->P_g[r] = h * k->g * w->l_next[r];
    }
    j->force[r] = w->Pt_g[r] + w->P_g[r];
    w->Lambda_g[r] = w->P_g[r] - h * k->g * w->l_next[r];
    w->kappa_g[r] = w->kap_g[r] - h * h * k->b * w->l_next[r];
    const double t = (k->af * w->l[r] - k->am * w->lbar[r]) / (1.0 - k->am);
    w->lbar[r] = t + k->c * w->l_next[r], w->l[r] = w->l_next[r];
  }
}
