#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <string.h>

/* Two points of bodies, or of the ground and a body: what joints and springs hang on. */

static prc_status check_link(const prc_rigid_model *model, const char *what, const char *name,
                             const int body[2], prc_error *err) {
  int is_data[2];
  for (int i = 0; i < 2; i++) {
    if (body[i] < -1 || body[i] >= model->n_bodies)
      return prc_fail(err, PRC_INPUT, "%s '%s': body %d, expected one of %d, or -1 for the ground", what,
                      name, body[i], model->n_bodies);
    is_data[i] = body[i] < 0 || model->body[body[i]].driven;
  }
  if (body[0] == body[1])
    return prc_fail(err, PRC_INPUT, "%s '%s' is between %s and itself, expected two", what, name,
                    body[0] < 0 ? "the ground" : model->body[body[0]].name);
  if (is_data[0] && is_data[1])
    return prc_fail(err, PRC_INPUT,
                    "%s '%s' is between two whose motion is data, expected a body that may move", what, name);
  return PRC_OK;
}

prc_status prc_rigid_make_link(const prc_rigid_model *model, const char *what, const char *name,
                               const int body[2], const double at[2][2], prc_rigid_link *link,
                               prc_error *err) {
  const prc_status status = check_link(model, what, name, body, err);
  if (status != PRC_OK) return status;
  const int turned = body[1] < 0; /* the ground stands first */
  for (int i = 0; i < 2; i++) {
    const int from = turned ? 1 - i : i, b = body[from];
    double arm[2] = {at[from][0], at[from][1]};
    link->body[i] = b;
    for (int k = 0; k < 2 && b >= 0; k++) arm[k] -= model->body[b].position[k];
    prc_rigid_turn(b >= 0 ? -model->body[b].angle : 0.0, arm, link->r[i]);
  }
  return PRC_OK;
}

void prc_rigid_place_link(const prc_rigid_link *link, const double *q, const double *v,
                          prc_rigid_line *line) {
  for (int i = 0; i < 2; i++) {
    const int b = link->body[i];
    for (int k = 0; k < 3; k++) {
      line->q[i][k] = b < 0 ? 0.0 : q[3 * b + k];
      line->v[i][k] = b < 0 || !v ? 0.0 : v[3 * b + k];
    }
    prc_rigid_turn(line->q[i][2], link->r[i], line->arm[i]);
  }
  for (int k = 0; k < 2; k++) {
    line->d[k] = (line->q[1][k] - line->q[0][k]) + (line->arm[1][k] - line->arm[0][k]);
    line->d_rate[k] = line->v[1][k] - line->v[0][k];
  }
  for (int i = 0; i < 2; i++) {
    const double spin = i == 0 ? -line->v[i][2] : line->v[i][2];
    line->d_rate[0] -= spin * line->arm[i][1], line->d_rate[1] += spin * line->arm[i][0];
  }
}

/* ---- a step ------------------------------------------------------------------------------------------------- */

/* sin(x) / x; the series leaves x^4 / 120, below rounding */
double prc_rigid_sine_over(double x) {
  return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

/* A body turns by delta about its mean angle,
 *
 *   R(theta + delta) r - R(theta) r = 2 sin(delta/2) k x R(theta + delta/2) r = dx k x arm,   arm = share R(theta + delta/2) r,
 *
 * dx that of its angle and share as of prc_rigid_turned, so that d' - d = dx_b + dx_b k x arm_b - dx_a - dx_a k x arm_a of (x, angle) of both, which has the form of a velocity. */
void prc_rigid_middle(const prc_rigid_link *link, const double *q, const double *dx, int with_places,
                      prc_rigid_line *line) {
  double start[2] = {0.0, 0.0};
  if (with_places) {
    prc_rigid_place_link(link, q, dx, line);
    memcpy(start, line->d, sizeof start);
  }
  for (int i = 0; i < 2; i++) {
    const int b = link->body[i];
    for (int k = 0; k < 3; k++) {
      line->v[i][k] = b < 0 ? 0.0 : dx[3 * b + k];
      line->q[i][k] = (b < 0 ? 0.0 : q[3 * b + k]) + 0.5 * line->v[i][k];
    }
    line->turned[i] = prc_rigid_turned_by(link->cayley[i], line->v[i][2]);
    if (link->cayley[i]) line->q[i][2] = q[3 * b + 2] + 0.5 * line->turned[i].turn;
    prc_rigid_turn(line->q[i][2], link->r[i], line->arm[i]);
    for (int k = 0; k < 2; k++) line->arm[i][k] *= line->turned[i].share;
  }
  if (!with_places) return;
  for (int k = 0; k < 2; k++) line->d_rate[k] = line->v[1][k] - line->v[0][k];
  for (int i = 0; i < 2; i++) {
    const double delta = i == 0 ? -line->v[i][2] : line->v[i][2];
    line->d_rate[0] -= delta * line->arm[i][1], line->d_rate[1] += delta * line->arm[i][0];
  }
  for (int k = 0; k < 2; k++) line->d[k] = start[k] + 0.5 * line->d_rate[k];
}

/* |d'| - |d| = (d + d') . (d' - d) / (|d| + |d'|) */
double prc_rigid_mean_along(const prc_rigid_line *middle, double w[2]) {
  const double *d = middle->d, *change = middle->d_rate;
  const double sum = hypot(d[0] - 0.5 * change[0], d[1] - 0.5 * change[1])
                     + hypot(d[0] + 0.5 * change[0], d[1] + 0.5 * change[1]);
  for (int k = 0; k < 2; k++) w[k] = sum > 0.0 ? 2.0 * d[k] / sum : 0.0;
  return 0.5 * sum;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* w . k x r = w_y r_x - w_x r_y */
void prc_rigid_row_gradient(const prc_rigid_row *row, const double arm[2][2], double G[6]) {
  const double *w = row->w;
  G[0] = -w[0], G[1] = -w[1], G[2] = -(w[1] * arm[0][0] - w[0] * arm[0][1]) + row->extra - row->turn;
  G[3] = w[0], G[4] = w[1], G[5] = w[1] * arm[1][0] - w[0] * arm[1][1] + row->turn;
}

static double arm_of(const prc_rigid_link *link) {
  double arm = 0.0;
  for (int i = 0; i < 2; i++)
    if (link->body[i] >= 0) arm = fmax(arm, hypot(link->r[i][0], link->r[i][1]));
  return arm;
}

double prc_rigid_largest_arm(const prc_rigid *rigid) {
  double arm = 0.0;
  for (int k = 0; k < rigid->model->n_joints; k++) arm = fmax(arm, arm_of(&rigid->joints.fact[k].link));
  for (int k = 0; k < rigid->model->n_springs; k++) arm = fmax(arm, arm_of(&rigid->spring[k].link));
  return arm;
}
