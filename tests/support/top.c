#include "config.h"
#include "support/top.h"
#include "support/support.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

static prc_error err;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void turn(const double R[9], const double *x, double *out) {
  for (int k = 0; k < 3; k++) out[k] = dot(R + 3 * k, x);
}

static void turn_back(const double R[9], const double *x, double *out) {
  for (int k = 0; k < 3; k++) out[k] = R[k] * x[0] + R[3 + k] * x[1] + R[6 + k] * x[2];
}

/* ---- coordinates ----------------------------------------------------------------------------------------------------------- */

void top_matrix(const double *q, double R[9]) {
  const double a[4] = {q[6], q[3], q[4], q[5]}, *p = a + 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const double skew = i == j ? 0.0 : (j == (i + 1) % 3 ? -p[k] : p[k]);
      R[3 * i + j] = 2.0 * (p[i] * p[j] + a[0] * skew) + (i == j ? 2.0 * a[0] * a[0] - 1.0 : 0.0);
    }
}

static void multiply(const double *a, const double *b, double *out) {
  double c[3];
  cross(a + 1, b + 1, c);
  out[0] = a[0] * b[0] - dot(a + 1, b + 1);
  for (int k = 0; k < 3; k++) out[k + 1] = a[0] * b[k + 1] + b[0] * a[k + 1] + c[k];
}

static void set_attitude(const double *a, double *q) {
  const double length = sqrt(a[0] * a[0] + dot(a + 1, a + 1));
  for (int k = 0; k < 4; k++) q[k == 0 ? 6 : 2 + k] = a[k] / length;
}

static void advance(const void *owner, const double *q, const double *dx, double *next) {
  const double a[4] = {q[6], q[3], q[4], q[5]}, by[4] = {1.0, 0.5 * dx[3], 0.5 * dx[4], 0.5 * dx[5]};
  double b[4];
  (void)owner;
  multiply(a, by, b);
  for (int k = 0; k < 3; k++) next[k] = q[k] + dx[k];
  set_attitude(b, next);
}

void top_turn(double *q, const double axis[3], double degree) {
  const double half = degree * M_PI / 360.0, s = sin(half) / sqrt(dot(axis, axis));
  const double by[4] = {cos(half), s * axis[0], s * axis[1], s * axis[2]}, a[4] = {q[6], q[3], q[4], q[5]};
  double b[4];
  multiply(by, a, b);
  set_attitude(b, q);
}

/* ---- forces ---------------------------------------------------------------------------------------------------------------- */

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const top *s = owner;
  const double *w = at->v + 3, *J = s->moments;
  const double L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
  double R[9];
  (void)e;
  top_matrix(at->q, R);
  turn_back(R, s->moment, F + 3);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    F[k] = s->force[k];
    F[3 + k] -= w[i] * L[j] - w[j] * L[i];
  }
  return PRC_OK;
}

/* ---- contacts -------------------------------------------------------------------------------------------------------------- */

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  top *s = owner;
  const int dof[] = {0, 1, 2, 3, 4, 5};
  (void)at, (void)h, (void)reach;
  for (int k = s->n_balls - 1; k >= 0; k--) {
    const prc_contact contact = {.id = {0, 1, 0, (uint32_t)k},
                                 .body = {-1, 0},
                                 .n_dof = 6,
                                 .dof = dof,
                                 .law = &s->law,
                                 .size = s->radius[k]};
    const prc_status status = prc_contact_set_add(set, &contact, e);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* Row d of a place `arm` off the centre of mass: d.(v + R w x arm) = d.v + w.R'(arm x d). */
static void write_row(const double R[9], const double *arm, const double *d, double *row) {
  double moment[3];
  cross(arm, d, moment);
  memcpy(row, d, 3 * sizeof *row);
  turn_back(R, moment, row + 3);
}

/* The distance of a ball's centre from the floor, and the normal. */
static double find_gap(const top *s, const double *x, const double *arm, double n[3]) {
  double centre[3];
  for (int k = 0; k < 3; k++) n[k] = s->normal[k], centre[k] = x[k] + arm[k];
  if (s->bowl == 0.0) return dot(n, centre);
  const double distance = sqrt(dot(centre, centre));
  for (int k = 0; k < 3; k++) n[k] = -centre[k] / distance;
  return s->bowl - distance;
}

static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const top *s = owner;
  double R[9];
  top_matrix(at->q, R);
  for (int c = 0; c < set->n; c++) {
    const uint32_t k = set->id[c].feature_b;
    double arm[3], n[3];
    turn(R, s->centre[k], arm);
    const double gap = find_gap(s, at->q, arm, n) - s->radius[k];
    if (what & PRC_EVALUATE_GAP) set->gap[c] = gap;
    if (!(what & PRC_EVALUATE_H)) continue;
    double *axes = set->axes + 9 * c, *row = set->H.x + 6 * set->dim * c;
    for (int i = 0; i < 3; i++) arm[i] -= s->radius[k] * n[i];
    prc_contact_turn_frame(set->base + 9 * c, n, axes);
    for (int r = 0; r < 3; r++) write_row(R, arm, axes + 3 * r, row + 6 * r);
    if (set->dim < 4) continue;
    memset(row + 18, 0, 3 * sizeof *row);
    turn_back(R, n, row + 21);
    for (int i = 21; i < 24; i++) row[i] *= s->drilling;
  }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

void top_make(top *s, double mass, double J1, double J2, double J3) {
  *s = (top){.mass = mass, .moments = {J1, J2, J3}, .dim = 3, .normal = {0.0, 0.0, 1.0}, .q = {[6] = 1.0}};
}

void top_ball(top *s, double x, double y, double z, double radius) {
  const double centre[3] = {x, y, z};
  memcpy(s->centre[s->n_balls], centre, sizeof centre);
  s->radius[s->n_balls++] = radius;
}

static prc_sym *mass_matrix(const top *s) {
  prc_sym *M = NULL;
  support_ok(prc_sym_create(6, 6, &M, &err), &err);
  for (int i = 0; i < 6; i++) M->p[i + 1] = i + 1, M->i[i] = i, M->x[i] = i < 3 ? s->mass : s->moments[i - 3];
  return M;
}

void top_start(top *s, const prc_step_options *options) {
  double largest = 0.0, smallest = INFINITY;
  prc_sym *M = mass_matrix(s);
  prc_error_clear(&err);
  for (int k = 0; k < s->n_balls; k++)
    largest = fmax(largest, s->radius[k]), smallest = fmin(smallest, s->radius[k]);
  s->law = prc_law_coulomb(s->friction, s->restitution, 0.0);
  s->system = (prc_system){.space = {.nq = 7, .nv = 6, .advance = advance},
                           .length = largest > 0.0 ? 10.0 * largest : 1.0,
                           .owner = s};
  s->system.velocity = 100.0
                       * (sqrt(sqrt(dot(s->force, s->force)) / s->mass * s->system.length)
                          + sqrt(dot(s->v, s->v)) + largest * sqrt(dot(s->v + 3, s->v + 3)));
  s->system.dynamics = (prc_dynamics){.M = M, .varies = PRC_LOADS_OF_STATE, .loads = loads};
  if (s->n_balls > 0)
    s->system.contacts =
        (prc_contacts){.dim = s->dim,
                       .varies = PRC_CONTACTS_H | (s->comes_and_goes ? (unsigned)PRC_CONTACTS_SET : 0u),
                       .size = smallest,
                       .find = find,
                       .evaluate = evaluate,
                       .touched = "\1\1\1\1\1\1"};
  support_ok(prc_stepper_create(&s->system, options, &s->stepper, &err), &err);
  support_ok(prc_stepper_start(s->stepper, s->q, s->v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
  const prc_ledger_options of_ledger = {.promises = prc_stepper_promises(s->stepper),
                                        .tolerance = options->cone.tolerance,
                                        .max_penetration = -1.0};
  support_ok(prc_ledger_create(&of_ledger, &s->ledger, &err), &err);
  prc_ledger_start(s->ledger, s->r);
}

void top_step(top *s, int n) {
  for (int k = 0; k < n; k++) {
    support_ok(prc_stepper_step(s->stepper, &err), &err);
    prc_ledger_enter(s->ledger, s->r);
  }
}

void top_free(top *s) {
  prc_stepper_free(&s->stepper);
  prc_ledger_free(&s->ledger);
  prc_sym_free((prc_sym **)&s->system.dynamics.M);
}

double top_energy(const top *s) {
  const double *q = s->r->q, *v = s->r->v;
  double twice = s->mass * dot(v, v);
  for (int k = 0; k < 3; k++) twice += s->moments[k] * v[3 + k] * v[3 + k];
  return 0.5 * twice - dot(s->force, q);
}

void top_spin(const top *s, double fixed[3]) {
  double R[9];
  top_matrix(s->r->q, R);
  turn(R, s->r->v + 3, fixed);
}

void top_angular_momentum(const top *s, double fixed[3]) {
  double R[9], L[3];
  for (int k = 0; k < 3; k++) L[k] = s->moments[k] * s->r->v[3 + k];
  top_matrix(s->r->q, R);
  turn(R, L, fixed);
}

double top_percussion(const top *s, int c, double fixed[3]) {
  const prc_contact_set *set = s->r->contacts;
  const double *p = s->r->p + set->dim * c, *axes = set->axes + 9 * c;
  for (int k = 0; k < 3; k++) fixed[k] = p[0] * axes[k] + p[1] * axes[3 + k] + p[2] * axes[6 + k];
  return set->dim > 3 ? s->drilling * p[3] : 0.0;
}
