#include "config.h"
#include "scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Joints between bodies of a scene, of whatever kinds: of points P_a, P_b with directions fixed to them, d = P_b - P_a, turn the angle of b's
 * less that of a's,
 *
 *   X, Y      g = d_x, d_y                  TURN   g = length (turn - turn at the start - value), within half a turn
 *   DISTANCE  g = |d| - length - (value - value at the start). */
enum { X, Y, TURN, DISTANCE, ROWS = 3 };

#define NEAR 1e-9 /* of the size of what is joined: digits that a case file has */

static const double pi = 3.14159265358979323846;

static int kinds_of(const prc_scene_joint *joint, int kind[ROWS]) {
  static const int none[ROWS], revolute[ROWS] = {X, Y, TURN}, angle[ROWS] = {TURN},
                               distance[ROWS] = {DISTANCE};
  const int *of = joint->type == PRC_JOINT_ANGLE                                        ? angle
                  : joint->type == PRC_JOINT_DISTANCE                                   ? distance
                  : joint->type == PRC_JOINT_REVOLUTE || joint->type == PRC_JOINT_FIXED ? revolute
                                                                                        : none;
  memcpy(kind, of, ROWS * sizeof *kind);
  if (of == none) return 0;
  if (of != revolute) return 1;
  return joint->type == PRC_JOINT_FIXED || joint->has_value ? 3 : 2;
}

static int has_value(const prc_scene_joint *joint, int kind) {
  return joint->has_value && (kind == TURN || kind == DISTANCE);
}

/* ---- both points ------------------------------------------------------------------------------------------------------------ */

typedef struct {
  prc_body_frame of[2];
  double d[2];
} line;

/* The ground has no dofs, and directions that stay. */
static void place_end(const prc_scene *scene, const prc_scene_joint *joint, int i, const double *q,
                      const double *v, prc_body_frame *out) {
  const prc_body_point *point = &joint->point[i];
  if (joint->body[i] < 0) {
    *out = (prc_body_frame){.x = {point->r[0], point->r[1], 0.0}};
    return;
  }
  const prc_body *body = &scene->body[joint->body[i]];
  body->kind->frame(body->self, q + body->first_coordinate, v ? v + body->first_dof : NULL, point, out);
}

static void place_ends(const prc_scene *scene, const prc_scene_joint *joint, const double *q, const double *v,
                       line *out) {
  for (int i = 0; i < 2; i++) place_end(scene, joint, i, q, v, &out->of[i]);
  for (int k = 0; k < 2; k++) out->d[k] = out->of[1].x[k] - out->of[0].x[k];
}

/* Rates of place and angle of end i: J v. */
static void rates_of(const prc_scene *scene, const prc_scene_joint *joint, int i, const prc_body_frame *of,
                     const double *v, double rate[3]) {
  const double *own = joint->body[i] < 0 ? NULL : v + scene->body[joint->body[i]].first_dof;
  for (int k = 0; k < 3; k++) {
    rate[k] = 0.0;
    for (int d = 0; own && d < of->n; d++) rate[k] += of->J[k][d] * own[of->dof[d]];
  }
}

/* ---- rows --------------------------------------------------------------------------------------------------------------------- */

/* The forces of a row: along w on the second point, and a moment. */
typedef struct {
  double w[2], turn;
} row;

static row row_of(const prc_scene_joint_facts *fact, int kind, const double d[2], double length) {
  row r = {{kind == X, kind == Y}, kind == TURN ? fact->length : 0.0};
  for (int k = 0; k < 2 && kind == DISTANCE; k++) r.w[k] = length > 0.0 ? d[k] / length : 0.0;
  return r;
}

static int compare(const void *a, const void *b) {
  const int i = *(const int *)a, j = *(const int *)b;
  return (i > j) - (i < j);
}

static int list_dofs(const prc_scene *scene, const prc_scene_joint *joint, const line *now,
                     int dof[2 * PRC_BODY_DOFS]) {
  int n = 0, kept = 0;
  for (int i = 0; i < 2; i++)
    for (int d = 0; d < now->of[i].n; d++)
      dof[n++] = scene->body[joint->body[i]].first_dof + now->of[i].dof[d];
  qsort(dof, (size_t)n, sizeof *dof, compare);
  for (int d = 0; d < n; d++)
    if (kept == 0 || dof[d] != dof[kept - 1]) dof[kept++] = dof[d];
  return kept;
}

/* G of the row: of b less that of a, over the dofs listed in `dof`; both ends may be of one body. */
static void write_gradient(const prc_scene *scene, const prc_scene_joint *joint, const line *now,
                           const row *r, const int *dof, int n, double *G) {
  for (int d = 0; d < n; d++) G[d] = 0.0;
  for (int i = 0; i < 2; i++) {
    const prc_body_frame *of = &now->of[i];
    const double sign = i == 0 ? -1.0 : 1.0;
    int at = 0;
    for (int d = 0; d < of->n; d++) {
      const int wanted = scene->body[joint->body[i]].first_dof + of->dof[d];
      while (dof[at] != wanted) at++;
      G[at] += sign * (r->w[0] * of->J[0][d] + r->w[1] * of->J[1][d] + r->turn * of->J[2][d]);
    }
  }
}

int prc_scene_linked_dofs(const prc_scene *scene, int k, int dof[2 * PRC_BODY_DOFS]) {
  const prc_scene_joint *joint = &scene->joint[k];
  line now = {.d = {0.0, 0.0}};
  for (int i = 0; i < 2; i++) { /* where it is does not matter, but there must be a place */
    const prc_body *body = joint->body[i] < 0 ? NULL : &scene->body[joint->body[i]];
    if (body)
      body->kind->frame(body->self, scene->start + body->first_coordinate, NULL, &joint->point[i],
                        &now.of[i]);
  }
  return list_dofs(scene, joint, &now, dof);
}

static double gap_of(const prc_scene_joint *joint, const prc_scene_joint_facts *fact, int kind,
                     const line *now, double value) {
  const double moved = has_value(joint, kind) ? value - fact->value : 0.0;
  if (kind == DISTANCE) return hypot(now->d[0], now->d[1]) - fact->length - moved;
  if (kind != TURN) return now->d[kind];
  return fact->length * remainder(now->of[1].x[2] - now->of[0].x[2] - fact->turn - moved, 2.0 * pi);
}

/* Part of g'' without accelerations: w . d'' + turn (angles'') , and (w x d')^2 / |d| of a length. */
static double bias_of(const prc_scene *scene, const prc_scene_joint *joint, int kind, const line *now,
                      const row *r, const double *v) {
  const double *a = now->of[0].bias, *b = now->of[1].bias;
  double bias = r->w[0] * (b[0] - a[0]) + r->w[1] * (b[1] - a[1]) + r->turn * (b[2] - a[2]), rate[2][3];
  const double length = hypot(now->d[0], now->d[1]);
  if (kind != DISTANCE || !(length > 0.0)) return bias;
  for (int i = 0; i < 2; i++) rates_of(scene, joint, i, &now->of[i], v, rate[i]);
  const double across = r->w[0] * (rate[1][1] - rate[0][1]) - r->w[1] * (rate[1][0] - rate[0][0]);
  return bias + across * across / length;
}

prc_status prc_scene_evaluate_linked(const prc_scene *scene, int k, const prc_at *at, double *g, double *G,
                                     double *rate, double *bias, prc_error *err) {
  const prc_scene_joint *joint = &scene->joint[k];
  const prc_scene_joint_facts *fact = &scene->fact[k];
  double value[3] = {0.0, 0.0, 0.0};
  int kind[ROWS];
  line now;
  /* as it goes on from t where it has a kink; what has no formula is differentiated over this time */
  const prc_status status =
      joint->has_value ? prc_field_derivatives(&joint->value, 0.0, 0.0, at->t, 1e-3, value, err) : PRC_OK;
  if (status != PRC_OK) return status;
  (void)kinds_of(joint, kind);
  place_ends(scene, joint, at->q, bias ? at->v : NULL, &now);
  for (int i = 0; i < fact->n_rows; i++) {
    const int to = fact->first + i, start = scene->joint_start[to];
    const row r = row_of(fact, kind[i], now.d, hypot(now.d[0], now.d[1]));
    const double unit = !has_value(joint, kind[i]) ? 0.0 : kind[i] == TURN ? fact->length : 1.0;
    if (g) g[to] = gap_of(joint, fact, kind[i], &now, value[0]);
    if (rate) rate[to] = unit != 0.0 ? -unit * value[1] : 0.0;
    if (bias)
      bias[to] = bias_of(scene, joint, kind[i], &now, &r, at->v) - (unit != 0.0 ? unit * value[2] : 0.0);
    if (G)
      write_gradient(scene, joint, &now, &r, scene->joint_dof + start, scene->joint_start[to + 1] - start,
                     G + start);
  }
  return PRC_OK;
}

/* Prescribed values of the rows of joint k, or with `rates` their mean rates over (t, t + h). */
prc_status prc_scene_linked_values(const prc_scene *scene, int k, double t, double h, int rates, double *out,
                                   prc_error *err) {
  const prc_scene_joint *joint = &scene->joint[k];
  const prc_scene_joint_facts *fact = &scene->fact[k];
  double value = 0.0;
  int kind[ROWS];
  prc_status status = PRC_OK;
  if (joint->has_value)
    status = rates ? prc_field_rate(&joint->value, 0.0, 0.0, t, h, &value, err)
                   : prc_field_eval(&joint->value, 0.0, 0.0, t, &value, err);
  if (status != PRC_OK) return status;
  if (!rates) value -= fact->value;
  (void)kinds_of(joint, kind);
  for (int i = 0; i < fact->n_rows; i++)
    out[fact->first + i] = !has_value(joint, kind[i]) ? 0.0 : kind[i] == TURN ? fact->length * value : value;
  return PRC_OK;
}

/* Places and angles change by J dx of `frame_mean`; a length by (d + d') . (d' - d) / (|d| + |d'|): as of joints in rigid. */
prc_status prc_scene_secant_linked(const prc_scene *scene, int k, const prc_at *from, double h,
                                   const double *dx, double *G, double *rate, prc_error *err) {
  const prc_scene_joint *joint = &scene->joint[k];
  const prc_scene_joint_facts *fact = &scene->fact[k];
  prc_status status = PRC_OK;
  double now = 0.0, then = 0.0, change[2][3] = {{0.0}}, d[2] = {0.0}, after[2] = {0.0};
  int kind[ROWS];
  line mean;
  (void)kinds_of(joint, kind);
  if (joint->has_value) {
    prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t, &now, err));
    prc_try(prc_field_eval(&joint->value, 0.0, 0.0, from->t + h, &then, err));
  }
  place_ends(scene, joint, from->q, NULL, &mean);
  for (int i = 0; i < 2; i++) {
    const prc_body *body = joint->body[i] < 0 ? NULL : &scene->body[joint->body[i]];
    if (!body) continue;
    body->kind->frame_mean(body->self, from->q + body->first_coordinate, dx + body->first_dof,
                           &joint->point[i], &mean.of[i]);
    rates_of(scene, joint, i, &mean.of[i], dx, change[i]);
  }
  for (int i = 0; i < 2; i++)
    after[i] = mean.d[i] + (change[1][i] - change[0][i]), d[i] = 0.5 * (mean.d[i] + after[i]);
  const double length = 0.5 * (hypot(mean.d[0], mean.d[1]) + hypot(after[0], after[1]));
  for (int i = 0; i < fact->n_rows; i++) {
    const int to = fact->first + i, start = scene->joint_start[to];
    const row r = row_of(fact, kind[i], d, length);
    const double unit = kind[i] == TURN ? fact->length : 1.0;
    if (rate) rate[to] = has_value(joint, kind[i]) ? -unit * (then - now) / h : 0.0;
    if (G)
      write_gradient(scene, joint, &mean, &r, scene->joint_dof + start, scene->joint_start[to + 1] - start,
                     G + start);
  }
done:
  return status;
}

/* ---- making --------------------------------------------------------------------------------------------------------------------- */

static prc_status check_bodies(const prc_scene *scene, const prc_scene_joint *joint, prc_error *err) {
  int kind[ROWS];
  for (int i = 0; i < 2; i++) {
    const int b = joint->body[i];
    if (b < -1 || b >= scene->n_bodies)
      return prc_fail(err, PRC_INPUT, "joint '%s': body %d, expected one of %d, or -1 for the ground",
                      joint->name, b, scene->n_bodies);
    if (b >= 0 && !scene->body[b].kind->frame)
      return prc_fail(err, PRC_INPUT, "joint '%s': a %s has no joints with other bodies", joint->name,
                      scene->body[b].kind->name);
  }
  if (joint->body[0] < 0 && joint->body[1] < 0)
    return prc_fail(err, PRC_INPUT, "joint '%s' is between the ground and itself, expected two", joint->name);
  if (kinds_of(joint, kind) == 0)
    return prc_fail(err, PRC_INPUT, "joint '%s': it is none of revolute, fixed, distance and angle",
                    joint->name);
  if (joint->has_value && joint->type == PRC_JOINT_FIXED)
    return prc_fail(err, PRC_INPUT, "joint '%s' has a prescribed value, expected none of a fixed joint",
                    joint->name);
  return PRC_OK;
}

static prc_status check_places(const prc_scene_joint *joint, const line *now, prc_scene_joint_facts *fact,
                               prc_error *err) {
  const double apart = hypot(now->d[0], now->d[1]);
  double size = apart;
  for (int i = 0; i < 2; i++) size = fmax(size, now->of[i].length);
  if (joint->type == PRC_JOINT_ANGLE) return PRC_OK;
  if (joint->type != PRC_JOINT_DISTANCE) {
    if (apart <= NEAR * size) return PRC_OK;
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its two points are %g apart at the start, expected one place", joint->name,
                    apart);
  }
  fact->length = apart;
  if (!(apart > NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its two points are at one place at the start, expected a distance",
                    joint->name);
  if (!isnan(joint->length) && !(fabs(joint->length - apart) <= NEAR * size))
    return prc_fail(err, PRC_INPUT,
                    "joint '%s': its length is %.9g, but its points are %.9g apart at the start", joint->name,
                    joint->length, apart);
  return PRC_OK;
}

static prc_status check_value(const prc_scene_joint *joint, prc_scene_joint_facts *fact, prc_error *err) {
  const double expected = joint->type == PRC_JOINT_DISTANCE ? fact->length : 0.0;
  if (!joint->has_value) return PRC_OK;
  const prc_status status = prc_field_eval(&joint->value, 0.0, 0.0, 0.0, &fact->value, err);
  if (status != PRC_OK || fabs(fact->value - expected) <= NEAR * (expected > 0.0 ? expected : 1.0))
    return status;
  return prc_fail(err, PRC_INPUT,
                  "joint '%s': its prescribed value is %.9g at t = 0, expected %.9g, %s; it is off by %.3g",
                  joint->name, fact->value, expected,
                  expected > 0.0 ? "the distance at the start" : "since it counts from the start",
                  fact->value - expected);
}

static prc_status make_facts(const prc_scene *scene, const prc_scene_joint *joint, const double *q,
                             prc_scene_joint_facts *fact, prc_error *err) {
  prc_status status = PRC_OK;
  line now;
  prc_try(check_bodies(scene, joint, err));
  place_ends(scene, joint, q, NULL, &now);
  fact->length = fmax(now.of[0].length, now.of[1].length);
  fact->turn = now.of[1].x[2] - now.of[0].x[2];
  prc_try(check_places(joint, &now, fact, err));
  prc_try(check_value(joint, fact, err));
done:
  return status;
}

prc_status prc_scene_make_linked(prc_scene *scene, int first, int *n_rows, int *n_entries, prc_error *err) {
  prc_status status = PRC_OK;
  double *v = NULL;
  if (scene->n_joints == 0) return PRC_OK;
  prc_try(prc_new(&scene->start, prc_system_coordinates(&scene->system), err));
  prc_try(prc_new(&v, scene->system.space.nv, err));
  prc_scene_initial(scene, scene->start, v);
  for (int k = 0; k < scene->n_joints; k++) {
    int dof[2 * PRC_BODY_DOFS], kind[ROWS];
    prc_scene_joint_facts *fact = &scene->fact[k];
    prc_try(make_facts(scene, &scene->joint[k], scene->start, fact, err));
    fact->first = first, fact->n_rows = kinds_of(&scene->joint[k], kind);
    first += fact->n_rows, *n_rows += fact->n_rows;
    *n_entries += fact->n_rows * prc_scene_linked_dofs(scene, k, dof);
  }
done:
  prc_delete(&v);
  return status;
}

/* ---- what is asked of them ------------------------------------------------------------------------------------------------------ */

int prc_scene_joint_first(const prc_scene *scene, int k) {
  return k < scene->n_joints ? scene->fact[k].first : scene->system.joints.n;
}

void prc_scene_joint_now(const prc_scene *scene, int k, const double *q, const double *rows, double force[3],
                         double x[2][2]) {
  const prc_scene_joint_facts *fact = &scene->fact[k];
  int kind[ROWS];
  line now;
  (void)kinds_of(&scene->joint[k], kind);
  place_ends(scene, &scene->joint[k], q, NULL, &now);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 2; c++) x[i][c] = now.of[i].x[c];
  force[0] = force[1] = force[2] = 0.0;
  for (int i = 0; rows && i < fact->n_rows; i++) {
    const row r = row_of(fact, kind[i], now.d, hypot(now.d[0], now.d[1]));
    for (int c = 0; c < 2; c++) force[c] += rows[fact->first + i] * r.w[c];
    force[2] += rows[fact->first + i] * r.turn;
  }
}
