#include "config.h"
#include "rigid/internal.h"

#include <math.h>

/* Outlines of bodies for pictures. */

#define DISC_SEGMENTS 48 /* of a disc's outline */

/* Both only count while out has no arrays yet. */
static void add_point(prc_rigid_outline *out, int b, double x, double y) {
  const int k = out->n_points++;
  if (!out->r) return;
  out->body[k] = b;
  out->r[2 * k] = x, out->r[2 * k + 1] = y;
}

static void add_segment(prc_rigid_outline *out, int from, int to) {
  const int k = out->n_segments++;
  if (out->segment) out->segment[2 * k] = from, out->segment[2 * k + 1] = to;
}

/* A loop around a polygon or a disc; spokes from the centre of mass to show a disc's angle, or to the
 * contact points of a body that has no outline. */
static void outline_body(const prc_rigid_model *model, int b, prc_rigid_outline *out) {
  const prc_rigid_body *body = &model->body[b];
  const int first = out->n_points, disc = body->radius > 0.0;
  int spokes = disc ? 1 : 0;
  for (int k = 0; disc && k < DISC_SEGMENTS; k++) {
    const double angle = 2.0 * acos(-1.0) * k / DISC_SEGMENTS;
    add_point(out, b, body->radius * cos(angle), body->radius * sin(angle));
  }
  for (int k = 0; !disc && k < body->n_points; k++)
    add_point(out, b, body->point[2 * k], body->point[2 * k + 1]);
  const int corners = out->n_points - first;
  for (int k = 0; k < corners; k++) add_segment(out, first + k, first + (k + 1) % corners);
  for (int c = 0; c < model->n_contacts && corners == 0; c++)
    for (int k = 0; model->contact[c].body == b && k < model->contact[c].n_points; k++, spokes++)
      add_point(out, b, model->contact[c].point[2 * k], model->contact[c].point[2 * k + 1]);
  if (spokes == 0) return;
  add_point(out, b, 0.0, 0.0);
  for (int k = 0; k < spokes; k++) add_segment(out, out->n_points - 1, first + k);
}

prc_status prc_rigid_make_outline(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_outline *out = &rigid->outline;
  for (int b = 0; b < rigid->model->n_bodies; b++) outline_body(rigid->model, b, out);
  prc_try(prc_new(&out->segment, 2 * (size_t)out->n_segments, err));
  prc_try(prc_new(&out->body, out->n_points, err));
  prc_try(prc_new(&out->r, 2 * (size_t)out->n_points, err));
  out->n_points = out->n_segments = 0;
  for (int b = 0; b < rigid->model->n_bodies; b++) outline_body(rigid->model, b, out);
done:
  return status;
}

const prc_rigid_outline *prc_rigid_get_outline(const prc_rigid *rigid) {
  return &rigid->outline;
}

/* x = x_G + R r, dx/dt = v_G + spin k x R r; by points, (x, y) each [length, velocity]. */
void prc_rigid_place_outline(const prc_rigid *rigid, const double *q, const double *v, double *x,
                             double *velocity) {
  for (int k = 0; k < rigid->outline.n_points; k++) {
    const int b = 3 * rigid->outline.body[k];
    double arm[2];
    prc_rigid_turn(q[b + 2], rigid->outline.r + 2 * k, arm);
    x[2 * k] = q[b] + arm[0], x[2 * k + 1] = q[b + 1] + arm[1];
    velocity[2 * k] = v[b] - v[b + 2] * arm[1], velocity[2 * k + 1] = v[b + 1] + v[b + 2] * arm[0];
  }
}
