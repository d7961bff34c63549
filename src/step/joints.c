#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The joints of a system: their rows at a state or over a step, what operators are told of them, and what a state may miss them by. */

#define OPEN 5e-10 /* of the system's length: what a joint may be open by at the start, and stays open by */
#define MOVING                                                                                               \
  1e-9 /* of what cancels in a row: its velocity at the start; and where rows agree that depend on each other */
#define AGREED                                                                                               \
  1e-9 /* of the system's length: what joints that depend on others may be open by before they contradict each other */
#define PART    1e-3  /* of a row: what another has of it, to be named */
#define ROUNDED 1e-13 /* of the system's length: openings that are rounding and stay; ... */
#define CLOSING 1e-12 /* ... and what a step takes back at most of those that are more */

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

#define VECTORS(X) X(g) X(rate) X(bias) X(target) X(force) X(miss) X(ahead) X(closing)
#define VALUES(X)  X(way) X(shift)

prc_status prc_step_joints_create(const prc_system *system, prc_step_joints *joints, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_joints *from = &system->joints;
  joints->system = system, joints->n = from->n;
  if (from->n == 0) return PRC_OK;
  const size_t entries = (size_t)from->start[from->n];
  joints->G.n = from->n, joints->G.dim = 1;
  prc_try(prc_new(&joints->G.start, (size_t)from->n + 1, err));
  prc_try(prc_new(&joints->G.dof, entries, err));
  prc_try(prc_new(&joints->G.x, entries, err));
  memcpy(joints->G.start, from->start, ((size_t)from->n + 1) * sizeof *from->start);
  if (entries > 0) memcpy(joints->G.dof, from->dof, entries * sizeof *from->dof);
#define X(name) prc_try(prc_new(&joints->name, from->n, err));
  VECTORS(X)
#undef X
done:
  return status; /* the stepper frees what was made */
}

void prc_step_joints_free(prc_step_joints *joints) {
#define X(name) prc_delete(&joints->name);
  VECTORS(X)
  VALUES(X)
#undef X
  prc_delete(&joints->G.start);
  prc_delete(&joints->G.dof);
  prc_delete(&joints->G.x);
}

void prc_step_joints_name(const prc_step_joints *joints, int row, char *text, size_t size) {
  if (joints->system->joints.name)
    joints->system->joints.name(joints->system->owner, row, text, size);
  else
    snprintf(text, size, "joint %d", row);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

prc_status prc_step_joints_evaluate(prc_step_joints *joints, const prc_at *at, prc_error *err) {
  const prc_joints *from = &joints->system->joints;
  if (joints->n == 0) return PRC_OK;
  return from->evaluate(joints->system->owner, at, joints->g, joints->G.x, joints->rate, joints->bias, err);
}

prc_status prc_step_joints_secant(prc_step_joints *joints, const prc_at *from, double h, const double *dx,
                                  prc_error *err) {
  if (joints->n == 0) return PRC_OK;
  const prc_status status =
      joints->system->joints.secant(joints->system->owner, from, h, dx, joints->G.x, joints->rate, err);
  for (int r = 0; r < joints->n && joints->way; r++) joints->rate[r] = -joints->way[r] / h;
  return status;
}

static int is_of_velocities(const prc_step_joints *joints, int row) {
  const char *of = joints->system->joints.of_velocities;
  return of && of[row];
}

/* G v + rate of a row, and what cancels in it */
static double velocity_of(const prc_step_joints *joints, int row, const double *v, double *size) {
  const prc_rows *G = &joints->G;
  double sum = joints->rate[row];
  *size = fabs(sum);
  for (int at = G->start[row]; at < G->start[row + 1]; at++) {
    const double term = G->x[at] * v[G->dof[at]];
    sum += term, *size += fabs(term);
  }
  return sum;
}

double prc_step_joints_close(const prc_step_joints *joints, int row) {
  const double length = joints->system->length, g = joints->g[row];
  if (is_of_velocities(joints, row)) return 0.0;
  return copysign(fmin(fmax(fabs(g) - ROUNDED * length, 0.0), CLOSING * length), g);
}

void prc_step_joints_measure(prc_step_joints *joints, double h, const double *v) {
  double size;
  for (int r = 0; r < joints->n; r++)
    if (is_of_velocities(joints, r)) joints->miss[r] = h * velocity_of(joints, r, v, &size);
}

/* A row of what is no number would be taken for one that depends on others, and passed over. */
static prc_status check_numbers(const prc_step_joints *joints, double t, prc_error *err) {
  const prc_rows *G = &joints->G;
  char name[128];
  for (int r = 0; r < joints->n; r++) {
    double sum = (joints->g[r] - joints->g[r]) + (joints->rate[r] - joints->rate[r]);
    for (int at = G->start[r]; at < G->start[r + 1]; at++) sum += G->x[at] - G->x[at];
    if (sum == 0.0) continue;
    prc_step_joints_name(joints, r, name, sizeof name);
    return prc_fail(err, PRC_DIVERGED, "at t = %.9g a row of %s is not of finite numbers", t, name);
  }
  return PRC_OK;
}

prc_status prc_step_joints_end(prc_step_joints *joints, const prc_at *at, prc_error *err) {
  prc_status status = prc_step_joints_evaluate(joints, at, err);
  if (status == PRC_OK) status = check_numbers(joints, at->t, err);
  for (int r = 0; r < joints->n && joints->shift; r++) joints->g[r] -= joints->shift[r];
  for (int r = 0; r < joints->n; r++)
    if (!is_of_velocities(joints, r)) joints->miss[r] = joints->g[r];
  return status;
}

/* ---- operators -------------------------------------------------------------------------------------------------------------- */

prc_status prc_step_joints_rank(prc_step_joints *joints, prc_operator *op, prc_error *err) {
  return joints->n > 0 ? prc_operator_rank_joints(op, &joints->G, err) : PRC_OK;
}

prc_status prc_step_joints_impose(prc_step_joints *joints, prc_operator *op, int rank, const double *target,
                                  double least, prc_error *err) {
  if (joints->n == 0) return PRC_OK;
  prc_operator_aim_joints(op, target);
  prc_operator_size_joints(op, least);
  return (rank ? prc_operator_set_joints : prc_operator_turn_joints)(op, &joints->G, err);
}

/* "joint 'c', joint 'd' and more": those that a row depends on; each once, as they have several rows. */
static void name_others(prc_step_joints *joints, prc_operator *op, int row, char *text, size_t size) {
  enum { MOST = 6 };
  char last[128], name[128];
  int count = 0;
  prc_operator_dependence(op, row, joints->target);
  prc_step_joints_name(joints, row, last, sizeof last);
  text[0] = '\0';
  for (int r = 0; r < joints->n; r++) {
    if (!(fabs(joints->target[r]) > PART)) continue;
    prc_step_joints_name(joints, r, name, sizeof name);
    if (strcmp(name, last) == 0) continue;
    memcpy(last, name, sizeof last);
    if (count++ < MOST) prc_append(text, size, "%s%s", count > 1 ? ", " : "", name);
  }
  if (count > MOST) prc_append(text, size, " and others");
  if (count == 0) snprintf(text, size, "other joints");
}

static prc_status contradict(prc_step_joints *joints, prc_operator *op, int row, double t, double by,
                             prc_error *err) {
  char name[128], others[320];
  prc_step_joints_name(joints, row, name, sizeof name);
  name_others(joints, op, row, others, sizeof others);
  *err = (prc_error){0};
  return prc_fail(err, PRC_INPUT, "at t = %.9g %s contradicts %s: with them it misses its value by %.3g", t,
                  name, others, by);
}

prc_status prc_step_joints_begin(prc_step_joints *joints, prc_operator *op, double t, const double *guess,
                                 double *x, prc_error *err) {
  const prc_status status = prc_operator_begin(op, guess, x, err);
  double by;
  if (status == PRC_OK || joints->n == 0) return status;
  const int row = prc_operator_contradiction(op, &by);
  return row < 0 ? status : contradict(joints, op, row, t, fabs(by), err);
}

/* A velocity whose way in a step is rounding: rows of what rests, and begins to move, have no other scale. */
static double still(const prc_step_joints *joints, double h) {
  return ROUNDED * joints->system->length / h;
}

prc_status prc_step_joints_agree(prc_step_joints *joints, prc_operator *op, double t, double h,
                                 const double *v, const double *play, prc_error *err) {
  double size;
  for (int r = 0; r < joints->n; r++) {
    const double miss = velocity_of(joints, r, v, &size);
    for (int at = joints->G.start[r]; at < joints->G.start[r + 1]; at++)
      size += fabs(joints->G.x[at]) * play[joints->G.dof[at]];
    const double after = is_of_velocities(joints, r) ? h * miss : joints->g[r] + h * miss;
    if (fabs(miss) <= MOVING * size || fabs(after) <= AGREED * joints->system->length) continue;
    return contradict(joints, op, r, t, fabs(after), err);
  }
  return PRC_OK;
}

/* Of schemes by levels: rows that depend on others stay open when these close. v: NULL where rows of velocities are not of the end of the step. */
prc_status prc_step_joints_agree_at_end(prc_step_joints *joints, prc_operator *op, double t, double h,
                                        const double *v, prc_error *err) {
  const double open = AGREED * joints->system->length;
  double size;
  for (int r = 0; r < joints->n; r++) {
    const int of_velocities = is_of_velocities(joints, r);
    if (of_velocities && !v) continue;
    const double miss = of_velocities ? h * velocity_of(joints, r, v, &size) : joints->g[r];
    if (fabs(miss) > open) return contradict(joints, op, r, t, fabs(miss), err);
  }
  return PRC_OK;
}

void prc_step_joints_pull(const prc_step_joints *joints, double a, double *y) {
  if (joints->n > 0) prc_rows_pull(&joints->G, joints->n, NULL, a, joints->force, y);
}

void prc_step_joints_add_sizes(const prc_step_joints *joints, double *y) {
  const prc_rows *G = &joints->G;
  for (int r = 0; r < joints->n; r++)
    for (int at = G->start[r]; at < G->start[r + 1]; at++) y[G->dof[at]] += fabs(G->x[at] * joints->force[r]);
}

/* ---- the start -------------------------------------------------------------------------------------------------------------- */

prc_status prc_step_joints_check_start(prc_step_joints *joints, const prc_at *at, double h, prc_error *err) {
  const double length = joints->system->length, open = OPEN * (length > 0.0 ? length : 1.0);
  prc_status status = PRC_OK;
  char name[128];
  double size;
  prc_try(prc_step_joints_evaluate(joints, at, err));
  for (int r = 0; r < joints->n; r++) {
    const double v = velocity_of(joints, r, at->v, &size);
    /* behind the start joints that follow values are where chords are, and move as these do */
    const double followed = joints->shift && at->t > 0.0 ? fabs(joints->rate[r]) : 0.0;
    prc_step_joints_name(joints, r, name, sizeof name);
    if (!is_of_velocities(joints, r) && !(fabs(joints->g[r]) <= open + h * followed))
      return prc_fail(err, PRC_INPUT, "%s is open by %.9g at the start, expected at most %.3g", name,
                      joints->g[r], open);
    if (!(fabs(v) <= MOVING * size + still(joints, h) + followed))
      return prc_fail(err, PRC_INPUT,
                      is_of_velocities(joints, r)
                          ? "%s slips at %.9g at the start, expected velocities that it allows"
                          : "%s opens at %.9g at the start, expected velocities that it allows: those of "
                            "its bodies, spins too, and the rate of its value go together",
                      name, v);
  }
done:
  return status;
}
