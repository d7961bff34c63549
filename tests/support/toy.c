#include "config.h"
#include "support/toy.h"
#include "support/support.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

static prc_status loads(void *owner, const prc_at *at, double *F, prc_error *e) {
  const toy *s = owner;
  memcpy(F, s->F, (size_t)s->system.space.nv * sizeof *F);
  return s->load ? s->load(at->t, F, e) : PRC_OK;
}

static prc_status prescribed_velocity(void *body, double t, double h, double *v, prc_error *e) {
  const toy *s = body;
  (void)e;
  for (int i = 0; i < s->system.drive.n; i++) v[i] = s->drive ? s->drive(t, h) : s->motion[i];
  return PRC_OK;
}

static prc_status prescribed_displacement(void *body, double t, double *d, prc_error *e) {
  const toy *s = body;
  if (s->path && isnan(s->path(t))) return prc_fail(e, PRC_INPUT, "the path is not known at t = %g", t);
  for (int i = 0; i < s->system.drive.n; i++) d[i] = s->path ? s->path(t) : s->place[i] + s->motion[i] * t;
  return PRC_OK;
}

/* Contact c is toy contact feature_b, in whatever order they were added. */
static void evaluate(void *owner, const prc_at *at, unsigned what, prc_contact_set *set) {
  const toy *s = owner;
  const int n = s->system.space.nv;
  for (int k = 0; k < set->n; k++) {
    const uint32_t c = set->id[k].feature_b;
    if (what & PRC_EVALUATE_GAP) {
      set->gap[k] = s->gap0[c];
      for (int i = 0; i < n; i++) set->gap[k] += s->H[c][0][i] * at->q[i];
    }
    for (int r = 0; (what & PRC_EVALUATE_H) && r < set->dim; r++)
      for (int i = 0; i < n; i++) set->H.x[(k * set->dim + r) * n + i] = s->H[c][r][i];
  }
}

static prc_status find(void *owner, const prc_at *at, double h, double reach, prc_contact_set *set,
                       prc_error *e) {
  toy *s = owner;
  int dof[TOY_MAX];
  (void)at, (void)h, (void)reach;
  for (int i = 0; i < TOY_MAX; i++) dof[i] = i;
  for (int k = 0; k < s->n_contacts; k++) {
    const int c = s->backwards ? s->n_contacts - 1 - k : k;
    if (!s->law[c].friction) s->law[c] = prc_law_coulomb(s->mu[c], s->e[c], s->e_t[c]);
    const prc_contact contact = {.id = {.feature_b = (uint32_t)c},
                                 .body = {-1, 0},
                                 .n_dof = s->system.space.nv,
                                 .dof = dof,
                                 .law = &s->law[c],
                                 .size = s->size[c]};
    const prc_status status = prc_contact_set_add(set, &contact, e);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

static prc_sym *packed(int n, double A[TOY_MAX][TOY_MAX]) {
  prc_error err = {0};
  prc_sym *out = NULL;
  int at = 0;
  support_ok(prc_sym_create(n, n * (n + 1) / 2, &out, &err), &err);
  for (int j = 0; j < n; j++) {
    out->p[j] = at;
    for (int i = j; i < n; i++)
      if (i == j || A[i][j] != 0.0) out->i[at] = i, out->x[at++] = A[i][j];
  }
  out->p[n] = at;
  return out;
}

void toy_make(toy *s, int n, double m) {
  memset(s, 0, sizeof *s);
  s->system.space.nv = n, s->system.contacts.dim = 2;
  s->system.length = 1.0, s->system.velocity = 1.0;
  for (int i = 0; i < n; i++) s->M[i][i] = m;
}

void toy_floor(toy *s, int normal, int tangent, double mu, double e) {
  const int c = s->n_contacts++;
  s->H[c][0][normal] = s->H[c][1][tangent] = 1.0;
  s->mu[c] = mu, s->e[c] = e;
}

void toy_spring(toy *s, int a, int b, double k) {
  s->K[a][a] += k, s->K[b][b] += k;
  s->K[a][b] -= k, s->K[b][a] -= k;
}

prc_status toy_create(toy *s, const prc_step_options *options, prc_error *err) {
  prc_system *y = &s->system;
  const int n = y->space.nv;
  int stiff = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) stiff |= s->K[i][j] != 0.0;
  y->dynamics.M = packed(n, s->M), y->dynamics.K = stiff ? packed(n, s->K) : NULL;
  y->dynamics.loads = loads, y->dynamics.varies |= s->load ? PRC_LOADS_IN_TIME : 0;
  y->drive.dof = s->prescribed;
  y->drive.velocity = prescribed_velocity;
  y->drive.displacement = s->drive && !s->path ? NULL : prescribed_displacement;
  if (s->n_contacts > 0) y->contacts.find = find, y->contacts.evaluate = evaluate;
  y->owner = s;
  return prc_stepper_create(y, options, &s->stepper, err);
}

void toy_start(toy *s, const prc_step_options *options, const double *q, const double *v) {
  prc_error err = {0};
  for (int i = 0; i < s->system.drive.n; i++) s->place[i] = q[s->prescribed[i]];
  support_ok(toy_create(s, options, &err), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
}

void toy_step(toy *s, int n) {
  prc_error err = {0};
  for (int k = 0; k < n; k++) support_ok(prc_stepper_step(s->stepper, &err), &err);
}

void toy_free(toy *s) {
  prc_sym *M = (prc_sym *)s->system.dynamics.M, *K = (prc_sym *)s->system.dynamics.K;
  prc_stepper_free(&s->stepper);
  prc_sym_free(&M);
  prc_sym_free(&K);
}

double toy_velocity(const toy *s, int i) {
  double v[TOY_MAX];
  prc_stepper_state(s->stepper, v, NULL, NULL);
  return v[i];
}

prc_step_options toy_options(double h, double theta, prc_impact law) {
  prc_step_options o = prc_step_options_default(h);
  o.theta = theta, o.law = law;
  o.cone.tolerance = 1e-14;
  return o;
}

void toy_oscillator(toy *s, double omega) {
  toy_make(s, 2, 1.0);
  toy_spring(s, TOY_WALL, TOY_MASS, omega * omega);
  s->system.drive.n = 1, s->system.drive.rest = 1;
}
