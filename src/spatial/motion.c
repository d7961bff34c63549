#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"
#include "system/wholes.h"

#include <math.h>
#include <string.h>

/* Where bodies are and how they move. */

void prc_spatial_orientation(const prc_spatial *spatial, const double *q, int b, double out[4]) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  if (fact->turn < 0) {
    memcpy(out, fact->orientation, 4 * sizeof *out);
    return;
  }
  out[0] = q[spatial->nv + fact->turn];
  memcpy(out + 1, q + fact->first + 3, 3 * sizeof *out);
}

static void set_orientation(const prc_spatial *spatial, const double orientation[4], int b, double *q) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  if (fact->turn < 0) return;
  q[spatial->nv + fact->turn] = orientation[0];
  memcpy(q + fact->first + 3, orientation + 1, 3 * sizeof *q);
}

/* q (+) dx: x + dx, and the attitude by the Cayley map, with which J (w' - w) + h w_m x J w_m = 0, w_m = (w + w')/2, dx = h w_m, keeps R J w
 * to rounding: cay(h w_m) J w' = J w is (1 + h/2 w_m^) J w' = (1 - h/2 w_m^) J w, which is that. A driven body turns about one axis, by the angle
 * |dx|: angles add then, and it follows what is prescribed whatever the steps are. */
void prc_spatial_advance(const void *owner, const double *q, const double *dx, double *q_next) {
  const prc_spatial *spatial = owner;
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    const prc_spatial_facts *fact = &spatial->fact[b];
    double orientation[4];
    for (int k = fact->first; k < fact->first + 3; k++) q_next[k] = q[k] + dx[k];
    if (fact->turn < 0) continue;
    prc_spatial_orientation(spatial, q, b, orientation);
    if (spatial->model->body[b].driven)
      prc_quaternion_exponential(orientation, dx + fact->first + 3, orientation);
    else
      prc_quaternion_cayley(orientation, dx + fact->first + 3, orientation);
    set_orientation(spatial, orientation, b, q_next);
  }
}

void prc_spatial_turn_back(const void *owner, const double *q, int dof, double x[3]) {
  const prc_spatial *spatial = owner;
  const double fixed[3] = {x[0], x[1], x[2]};
  double orientation[4], R[9];
  prc_spatial_orientation(spatial, q, spatial->body_of_dof[dof], orientation);
  prc_quaternion_matrix(orientation, R);
  prc_solid_turn_back(R, fixed, x);
}

static void turn(const double orientation[4], const double r[3], double out[3]) {
  double R[9];
  prc_quaternion_matrix(orientation, R);
  for (int k = 0; k < 3; k++) out[k] = R[3 * k] * r[0] + R[3 * k + 1] * r[1] + R[3 * k + 2] * r[2];
}

static void conjugate(const double a[4], double out[4]) {
  out[0] = a[0];
  for (int k = 1; k < 4; k++) out[k] = -a[k];
}

/* Of the axes that the body was given in. */
static void given_orientation(const prc_spatial *spatial, const double *q, int b, double out[4]) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  double back[4];
  prc_spatial_orientation(spatial, q, b, out);
  if (fact->turn < 0 || fact->aligned) return;
  conjugate(fact->axes, back);
  prc_quaternion_product(out, back, out);
}

void prc_spatial_initial(const prc_spatial *spatial, double *q, double *v) {
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    const prc_spatial_body *body = &spatial->model->body[b];
    const prc_spatial_facts *fact = &spatial->fact[b];
    double back[4], *spin = v + fact->first + 3;
    for (int k = 0; k < 3; k++)
      q[fact->first + k] = body->position[k], v[fact->first + k] = body->velocity[k];
    if (fact->turn < 0) continue;
    set_orientation(spatial, fact->orientation, b, q);
    memcpy(spin, body->spin, 3 * sizeof *spin);
    conjugate(fact->axes, back);
    if (!fact->aligned) turn(back, body->spin, spin);
  }
}

prc_spatial_motion prc_spatial_motion_of(const prc_spatial *spatial, const double *q, const double *v,
                                         int b) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  prc_spatial_motion motion = {.orientation = {0.0}};
  memcpy(motion.position, q + fact->first, sizeof motion.position);
  given_orientation(spatial, q, b, motion.orientation);
  if (!v) return motion;
  memcpy(motion.velocity, v + fact->first, sizeof motion.velocity);
  if (fact->turn < 0) return motion;
  memcpy(motion.spin, v + fact->first + 3, sizeof motion.spin);
  if (!fact->aligned) turn(fact->axes, v + fact->first + 3, motion.spin);
  return motion;
}

prc_solid_pose prc_spatial_pose(const prc_spatial *spatial, const double *q, int b) {
  prc_solid_pose pose;
  double orientation[4];
  given_orientation(spatial, q, b, orientation);
  memcpy(pose.x, q + spatial->fact[b].first, sizeof pose.x);
  prc_quaternion_matrix(orientation, pose.R);
  return pose;
}

/* sum of x x m v + R J w, w in the axes of inertia */
void prc_spatial_momentum(const prc_spatial *spatial, const double *q, const double *v, double linear[3],
                          double angular[3]) {
  memset(linear, 0, 3 * sizeof *linear);
  memset(angular, 0, 3 * sizeof *angular);
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    const prc_spatial_facts *fact = &spatial->fact[b];
    const double *x = q + fact->first, m = spatial->model->body[b].mass;
    double p[3], own[3] = {0.0}, orbit[3], orientation[4];
    if (spatial->model->body[b].driven) continue;
    for (int k = 0; k < 3; k++) p[k] = m * v[fact->first + k];
    prc_solid_cross(x, p, orbit);
    if (fact->turn >= 0) {
      double Jw[3];
      for (int k = 0; k < 3; k++) Jw[k] = fact->moments[k] * v[fact->first + 3 + k];
      prc_spatial_orientation(spatial, q, b, orientation);
      turn(orientation, Jw, own);
    }
    for (int k = 0; k < 3; k++) linear[k] += p[k], angular[k] += orbit[k] + own[k];
  }
}

/* ---- moments --------------------------------------------------------------------------------------------------------------- */

/* The mean centre of the bodies that count, and of momenta their velocity. */
static void find_means(const prc_spatial *spatial, const double *q, const double *f, int what,
                       const int *whole, double X[3], double V[3]) {
  double mass = 0.0;
  for (int k = 0; k < 3; k++) X[k] = V[k] = 0.0;
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    const double m = spatial->model->body[b].mass;
    const int first = spatial->fact[b].first;
    if (whole[first] < 0) continue;
    mass += m;
    for (int k = 0; k < 3; k++) X[k] += m * q[first + k], V[k] += f[first + k];
  }
  for (int k = 0; k < 3 && mass > 0.0; k++)
    X[k] /= mass, V[k] = what == PRC_MOMENT_OF_MOMENTA ? V[k] / mass : 0.0;
}

static double length_of(const double x[3]) {
  return sqrt(prc_solid_dot(x, x));
}

void prc_spatial_moment(void *owner, const double *q, const double *f, int what, const int *whole,
                        double moment[3], double *size) {
  const prc_spatial *spatial = owner;
  double X[3], V[3], sizes = 0.0;
  find_means(spatial, q, f, what, whole, X, V);
  for (int k = 0; k < 3; k++) moment[k] = 0.0;
  for (int b = 0; b < spatial->model->n_bodies; b++) {
    const prc_spatial_facts *fact = &spatial->fact[b];
    const double *x = q + fact->first, *g = f + fact->first, m = spatial->model->body[b].mass;
    double about[3], relative[3], own[3] = {0.0}, orientation[4], r[3], p[3];
    if (whole[fact->first] < 0) continue;
    for (int k = 0; k < 3; k++) r[k] = x[k] - X[k], p[k] = g[k] - m * V[k];
    prc_solid_cross(x, g, about);
    prc_solid_cross(r, p, relative);
    if (fact->turn >= 0 && what != PRC_MOMENT_OF_LOADS) {
      prc_spatial_orientation(spatial, q, b, orientation);
      turn(orientation, g + 3, own);
    }
    for (int k = 0; k < 3; k++) moment[k] += about[k] + own[k];
    sizes +=
        length_of(own) + (what == PRC_MOMENT_OF_MOMENTA ? length_of(relative) : length_of(x) * length_of(p));
  }
  if (size) *size = sizes;
}

static int end_of(const prc_spatial *spatial, int b) {
  return b < 0 || spatial->model->body[b].driven ? spatial->model->n_bodies : b;
}

/* Is a moment prescribed? It stands in axes that turn, and its body counts as tied. */
static int is_twisted(const prc_spatial_body *body) {
  for (int k = 0; k < 3; k++)
    if (body->moment[k].eval || body->moment[k].constant != 0.0) return 1;
  return 0;
}

static void tie(const prc_spatial *spatial, int *above) {
  const prc_spatial_model *model = spatial->model;
  const int n = model->n_bodies;
  prc_wholes_begin(n, above);
  for (int k = 0; k < model->n_joints; k++)
    prc_wholes_tie(above, end_of(spatial, model->joint[k].body[0]), end_of(spatial, model->joint[k].body[1]));
  for (int k = 0; k < model->n_springs; k++)
    prc_wholes_tie(above, end_of(spatial, model->spring[k].body[0]),
                   end_of(spatial, model->spring[k].body[1]));
  for (int b = 0; b < n; b++)
    if (is_twisted(&model->body[b])) prc_wholes_tie(above, b, n);
}

prc_status prc_spatial_find_wholes(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = spatial->model->n_bodies;
  int *above = NULL, any = 0;
  prc_try(prc_new(&spatial->whole, spatial->nv, err));
  prc_try(prc_new(&above, (size_t)n + 1, err));
  tie(spatial, above);
  for (int b = 0; b < n; b++) {
    const prc_spatial_facts *fact = &spatial->fact[b];
    const int root = prc_wholes_root(above, end_of(spatial, b)), count = fact->turn >= 0 ? 6 : 3;
    for (int k = 0; k < count; k++) spatial->whole[fact->first + k] = root < n ? root : -1;
    any |= root < n;
  }
  if (any) spatial->system.moment = prc_spatial_moment, spatial->system.whole = spatial->whole;
done:
  prc_delete(&above);
  return status;
}
