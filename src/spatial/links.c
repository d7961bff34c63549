#include "config.h"
#include "spatial/links.h"

#include <math.h>
#include <string.h>

static prc_status check_link(const prc_spatial_model *model, const char *what, const char *name,
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

prc_status prc_spatial_make_link(const prc_spatial *spatial, const char *what, const char *name,
                                 const int body[2], const double at[2][3], prc_spatial_link *link,
                                 prc_error *err) {
  const prc_status status = check_link(spatial->model, what, name, body, err);
  if (status != PRC_OK) return status;
  const int turned = body[1] < 0; /* the ground stands first */
  for (int i = 0; i < 2; i++) {
    const int from = turned ? 1 - i : i, b = body[from];
    double arm[3], R[9];
    memcpy(arm, at[from], sizeof arm);
    link->body[i] = b;
    if (b < 0) {
      memcpy(link->r[i], arm, sizeof arm);
      continue;
    }
    for (int k = 0; k < 3; k++) arm[k] -= spatial->model->body[b].position[k];
    prc_quaternion_matrix(spatial->fact[b].orientation, R);
    prc_solid_turn_back(R, arm, link->r[i]);
  }
  return PRC_OK;
}

static void place_body(const prc_spatial *spatial, int b, const double *q, const double *v, int i,
                       prc_spatial_line *line) {
  static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const prc_spatial_facts *fact = b < 0 ? NULL : &spatial->fact[b];
  double orientation[4];
  for (int k = 0; k < 3; k++) {
    line->x[i][k] = fact ? q[fact->first + k] : 0.0;
    line->v[i][k] = fact && v ? v[fact->first + k] : 0.0;
    line->spin[i][k] = 0.0;
  }
  memcpy(line->R[i], identity, sizeof identity);
  if (!fact) return;
  prc_spatial_orientation(spatial, q, b, orientation);
  prc_quaternion_matrix(orientation, line->R[i]);
  if (v && fact->turn >= 0) prc_solid_turn(line->R[i], v + fact->first + 3, line->spin[i]);
}

void prc_spatial_place_link(const prc_spatial *spatial, const prc_spatial_link *link, const double *q,
                            const double *v, prc_spatial_line *line) {
  double moved[2][3];
  for (int i = 0; i < 2; i++) {
    place_body(spatial, link->body[i], q, v, i, line);
    prc_solid_turn(line->R[i], link->r[i], line->arm[i]);
    prc_solid_cross(line->spin[i], line->arm[i], moved[i]);
  }
  for (int k = 0; k < 3; k++) {
    line->d[k] = (line->x[1][k] - line->x[0][k]) + (line->arm[1][k] - line->arm[0][k]);
    line->d_rate[k] = (line->v[1][k] - line->v[0][k]) + (moved[1][k] - moved[0][k]);
  }
}

/* (spin x arm) . w = spin . (arm x w), and spin = R of what the dofs are. */
void prc_spatial_row_gradient(const prc_spatial_row *row, const prc_spatial_line *line,
                              double G[PRC_SPATIAL_LINK_DOFS]) {
  double moment[2][3] = {{0.0}};
  for (int i = 0; i < 2; i++) prc_solid_cross(line->arm[i], row->w, moment[i]);
  for (int k = 0; k < 3; k++) {
    G[k] = -row->w[k], G[6 + k] = row->w[k];
    moment[0][k] = row->extra[k] - moment[0][k] - row->turn[k];
    moment[1][k] += row->turn[k];
  }
  for (int i = 0; i < 2; i++) prc_solid_turn_back(line->R[i], moment[i], G + 6 * i + 3);
}

/* ---- a step ----------------------------------------------------------------------------------------------- */

/* |d'| - |d| = (d + d') . (d' - d) / (|d| + |d'|) */
double prc_spatial_mean_along(const double d[3], const double d_next[3], double w[3]) {
  const double sum = sqrt(prc_solid_dot(d, d)) + sqrt(prc_solid_dot(d_next, d_next));
  for (int k = 0; k < 3; k++) w[k] = sum > 0.0 ? (d[k] + d_next[k]) / sum : 0.0;
  return 0.5 * sum;
}

/* A moment L in fixed axes over the step, in the axes that dofs stand in: with a of dx, R' J w' = R J w + L is
 *   J (w' - w) + a x J (w + w')/2 = (1 - a^/2) R'L,   R' for the transpose of R at the start,
 * since (1 - a^/2) cay(a) = 1 + a^/2. Along a it is as R'L, so that G dx stays the change of g; and the scheme stays of second order, with the angular
 * momentum of what the joint joins. A driven body turns by the angle |dx| and not by the Cayley map: a is then dx tan(|dx|/2) / (|dx|/2). */
static void turn_moment(const prc_spatial *spatial, int b, const double *dx, double moment[3]) {
  double a[3], across[3], stretch = 1.0;
  if (b < 0 || spatial->fact[b].turn < 0) return;
  memcpy(a, dx + spatial->fact[b].first + 3, sizeof a);
  if (spatial->model->body[b].driven) {
    const double half = 0.5 * sqrt(prc_solid_dot(a, a));
    stretch = half < 1e-4 ? 1.0 + half * half / 3.0 : tan(half) / half;
  }
  prc_solid_cross(a, moment, across);
  for (int k = 0; k < 3; k++) moment[k] = stretch * (moment[k] - 0.5 * stretch * across[k]);
}

void prc_spatial_mean_gradient(const prc_spatial *spatial, const prc_spatial_link *link,
                               const prc_spatial_row *row, const prc_spatial_line *from,
                               const prc_spatial_line *to, const double *dx,
                               double G[PRC_SPATIAL_LINK_DOFS]) {
  prc_spatial_line middle = *from; /* with R of the start */
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) middle.arm[i][k] = 0.5 * (from->arm[i][k] + to->arm[i][k]);
  prc_spatial_row_gradient(row, &middle, G);
  for (int i = 0; i < 2; i++) turn_moment(spatial, link->body[i], dx, G + 6 * i + 3);
}

/* ---- dofs ------------------------------------------------------------------------------------------------- */

int prc_spatial_link_dofs(const prc_spatial *spatial, const prc_spatial_link *link,
                          int dof[PRC_SPATIAL_LINK_DOFS], int slot[PRC_SPATIAL_LINK_DOFS]) {
  const int first = link->body[0] < link->body[1] ? 0 : 1;
  int n = 0;
  for (int which = 0; which < 2; which++) {
    const int of = which == 0 ? first : 1 - first, b = link->body[of];
    if (b < 0) continue;
    for (int k = 0; k < (spatial->fact[b].turn >= 0 ? 6 : 3); k++, n++)
      dof[n] = spatial->fact[b].first + k, slot[n] = 6 * of + k;
  }
  return n;
}

static double arm_of(const prc_spatial_link *link) {
  double arm = 0.0;
  for (int i = 0; i < 2; i++)
    if (link->body[i] >= 0) arm = fmax(arm, sqrt(prc_solid_dot(link->r[i], link->r[i])));
  return arm;
}

double prc_spatial_largest_arm(const prc_spatial *spatial) {
  double arm = 0.0;
  for (int k = 0; k < spatial->model->n_joints; k++) arm = fmax(arm, arm_of(&spatial->joints.fact[k].link));
  for (int k = 0; k < spatial->model->n_springs; k++) arm = fmax(arm, arm_of(&spatial->spring[k].link));
  return arm;
}
