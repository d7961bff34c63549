#include "config.h"
#include "spatial/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Driven bodies: their dofs are data. Of a row of a place the position at the start and what `motion` adds; of a row of the attitude the angle times
 * the axis, in the body's axes, of which it keeps its place: whatever it turned by, a turn about its own axis leaves that there. Steps of angles
 * add up, since the attitude of a driven body goes on by the angle |dx| (prc_spatial_advance), and so it follows them exactly. */

typedef struct {
  const prc_spatial_body *body;
  const prc_field *field;
  double at_start, share; /* d = at_start + share field */
} row;

static row row_of(const prc_spatial *spatial, int i) {
  const int b = spatial->body_of_dof[spatial->driven[i]], k = spatial->driven[i] - spatial->fact[b].first;
  const prc_spatial_body *body = &spatial->model->body[b];
  if (k < 3) return (row){body, &body->motion[k], body->position[k], 1.0};
  return (row){body, &body->motion[3], 0.0, spatial->fact[b].axis[k - 3]};
}

static prc_status displacement_at(void *owner, int i, double t, double *d, prc_error *err) {
  const row r = row_of(owner, i);
  const prc_status status = prc_field_eval(r.field, 0.0, 0.0, t, d, err);
  *d = r.at_start + r.share * *d;
  return status;
}

static prc_status displacement(void *owner, double t, double *d, prc_error *err) {
  const prc_spatial *spatial = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < spatial->n_driven && status == PRC_OK; i++)
    status = displacement_at(owner, i, t, &d[i], err);
  return status;
}

/* dd_i/dt over (t, t + h), one-sided (prc_field_rate) [velocity; 1 / time]. */
static prc_status velocity(void *owner, double t, double h, double *v, prc_error *err) {
  const prc_spatial *spatial = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < spatial->n_driven && status == PRC_OK; i++) {
    const row r = row_of(spatial, i);
    status = prc_field_rate(r.field, 0.0, 0.0, t, h, &v[i], err);
    v[i] *= r.share;
  }
  return status;
}

/* d2d_i/dt2, one-sided and to rounding: asked for where all motions know their derivatives. */
static prc_status acceleration(void *owner, double t, double *a, prc_error *err) {
  const prc_spatial *spatial = owner;
  prc_status status = PRC_OK;
  for (int i = 0; i < spatial->n_driven && status == PRC_OK; i++) {
    const row r = row_of(spatial, i);
    double d[3] = {0.0};
    status = prc_field_derivatives(r.field, 0.0, 0.0, t, 0.0, d, err);
    a[i] = r.share * d[2];
  }
  return status;
}

/* Rows of a body stand together, those of its turn last. */
static double turned(void *owner, const double *d, const double *q) {
  const prc_spatial *spatial = owner;
  double largest = 0.0;
  for (int i = 0; i < spatial->n_driven; i++) {
    const int b = spatial->body_of_dof[spatial->driven[i]];
    const prc_spatial_facts *fact = &spatial->fact[b];
    double back[4], is[4], off[4];
    if (fact->turn < 0 || spatial->driven[i] != fact->first + 3) continue;
    prc_quaternion_exponential(fact->orientation, d + i, back);
    for (int k = 1; k < 4; k++) back[k] = -back[k];
    prc_spatial_orientation(spatial, q, b, is);
    prc_quaternion_product(back, is, off);
    largest = fmax(largest, 2.0 * atan2(hypot(hypot(off[1], off[2]), off[3]), fabs(off[0])));
  }
  return largest;
}

static void name(void *owner, int i, char *text, size_t size) {
  static const char *const component[] = {"x", "y", "z", "rotation"};
  const prc_spatial *spatial = owner;
  const int b = spatial->body_of_dof[spatial->driven[i]], k = spatial->driven[i] - spatial->fact[b].first;
  const prc_spatial_body *body = &spatial->model->body[b];
  snprintf(text, size, "%s '%s': %s", body->noun ? body->noun : "body", body->name, component[k < 3 ? k : 3]);
}

/* The list of dofs; *rest, *known: all of them rest, and all motions know their derivatives. */
static prc_status list_rows(prc_spatial *spatial, int *rest, int *known, prc_error *err) {
  prc_status status = PRC_OK;
  *rest = *known = 1;
  prc_try(prc_new(&spatial->driven, spatial->nv, err));
  prc_try(prc_new(&spatial->driven_work, spatial->nv, err));
  prc_try(prc_new(&spatial->driven_turn, spatial->nv, err));
  prc_try(prc_new(&spatial->driven_like, spatial->nv, err));
  for (int i = 0; i < spatial->nv; i++) {
    const int b = spatial->body_of_dof[i];
    if (!spatial->model->body[b].driven) continue;
    spatial->driven_work[spatial->n_driven] = 1;
    spatial->driven_turn[spatial->n_driven] = (char)(i - spatial->fact[b].first >= 3);
    spatial->driven[spatial->n_driven++] = i;
    const prc_field *field = row_of(spatial, spatial->n_driven - 1).field;
    spatial->driven_like[spatial->n_driven - 1] = field->uses_time ? spatial->n_driven - 1 : -1;
    if (field->uses_time) *rest = 0, *known &= field->derivatives != NULL;
  }
done:
  return status;
}

prc_status prc_spatial_make_drive(prc_spatial *spatial, prc_error *err) {
  int rest, known;
  const prc_status status = list_rows(spatial, &rest, &known, err);
  if (status != PRC_OK || spatial->n_driven == 0) return status;
  spatial->system.drive = (prc_drive){.n = spatial->n_driven,
                                      .rest = rest,
                                      .dof = spatial->driven,
                                      .work = spatial->driven_work,
                                      .turn = spatial->driven_turn,
                                      .turned = turned,
                                      .like = spatial->driven_like,
                                      .velocity = velocity,
                                      .displacement = displacement,
                                      .displacement_at = displacement_at,
                                      .acceleration = known ? acceleration : NULL,
                                      .name = name};
  return PRC_OK;
}
