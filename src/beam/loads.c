#include "config.h"
#include "beam/internal.h"

#include <math.h>

/* F_i = (rho g + force) integral of N_i J ds + sum of N_i(s) force + moment d(angle)/dx_i at s of point loads. */

/* Distributed loads, once the amount per length is known. */
static void add_distributed(const prc_beam *beam, const double load[2], double *F) {
  for (int i = 0; i < 2 * beam->n_points; i++) F[i] = 0.0;
  for (int i = 0; i < beam->n_gauss; i++) {
    const prc_beam_gauss *g = &beam->gauss[i];
    for (int j = 0; j < g->basis.n; j++)
      for (int k = 0; k < 2; k++) F[2 * (g->basis.first + j) + k] += g->weight * g->basis.N[0][j] * load[k];
  }
}

/* A virtual rotation of the tangent a is  k x a . da / |a|^2. */
static void add_moment(const prc_beam_basis *of, const double *q, double moment, double *F) {
  double a[2];
  prc_beam_sum(of, 1, q, a);
  const double r = a[0] * a[0] + a[1] * a[1], turned[2] = {-a[1] / r, a[0] / r};
  for (int j = 0; j < of->n; j++)
    for (int k = 0; k < 2; k++) F[2 * (of->first + j) + k] += moment * of->N[1][j] * turned[k];
}

/* window: NULL, or what is missed of all in it. */
static prc_status add_up(void *owner, const prc_at *at, prc_window *window, double *F, prc_error *err) {
  const prc_beam *beam = owner;
  const prc_beam_model *model = beam->model;
  prc_status status = PRC_OK;
  double load[2], moment;
  for (int k = 0; k < 2; k++) {
    double g;
    prc_try(prc_field_in(window, &model->gravity[k], 0.0, 0.0, at->t, &g, err));
    prc_try(prc_field_in(window, &model->force[k], 0.0, 0.0, at->t, &load[k], err));
    load[k] += model->density * g;
  }
  add_distributed(beam, load, F);
  for (int i = 0; i < model->n_loads; i++) {
    const prc_beam_basis *of = &beam->of_load[i];
    for (int k = 0; k < 2; k++) {
      prc_try(prc_field_in(window, &model->load[i].force[k], 0.0, 0.0, at->t, &load[k], err));
      for (int j = 0; j < of->n; j++) F[2 * (of->first + j) + k] += load[k] * of->N[0][j];
    }
    prc_try(prc_field_in(window, &model->load[i].moment, 0.0, 0.0, at->t, &moment, err));
    if (moment != 0.0) add_moment(of, at->q, moment, F);
  }
done:
  return status;
}

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *err) {
  return add_up(owner, at, NULL, F, err);
}

prc_status prc_beam_make_loads(prc_beam *beam, prc_error *err) {
  const prc_beam_model *model = beam->model;
  int in_time = 0, of_state = 0;
  const prc_status status = prc_new(&beam->of_load, model->n_loads, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < 2; k++) in_time |= model->gravity[k].uses_time || model->force[k].uses_time;
  for (int i = 0; i < model->n_loads; i++) {
    const prc_beam_load *load = &model->load[i];
    if (!(load->s >= 0.0 && load->s <= 1.0))
      return prc_fail(err, PRC_INPUT, "beam '%s': a load acts at s = %g, expected a number in [0, 1]",
                      model->name, load->s);
    beam->of_load[i] = prc_beam_basis_at(beam, load->s);
    in_time |= load->force[0].uses_time || load->force[1].uses_time || load->moment.uses_time;
    of_state |= load->moment.uses_time || load->moment.constant != 0.0;
  }
  beam->system.dynamics.loads = loads, beam->system.dynamics.missed_loads = add_up;
  if (in_time) beam->system.dynamics.varies |= PRC_LOADS_IN_TIME;
  if (of_state) beam->system.dynamics.varies |= PRC_LOADS_OF_STATE;
  return PRC_OK;
}
