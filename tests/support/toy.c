#include "config.h"
#include "support/toy.h"
#include "support/support.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

static prc_status force(void *body, double t, double *F, prc_error *e) {
  const toy *s = body;
  memcpy(F, s->F, (size_t)s->system.n_dof * sizeof *F);
  return s->load ? s->load(t, F, e) : PRC_OK;
}

static prc_status prescribed_velocity(void *body, double t, double h, double *v, prc_error *e) {
  const toy *s = body;
  (void)e;
  for (int i = 0; i < s->system.n_prescribed; i++) v[i] = s->drive ? s->drive(t, h) : s->motion[i];
  return PRC_OK;
}

static prc_status prescribed_displacement(void *body, double t, double *d, prc_error *e) {
  const toy *s = body;
  if (s->path && isnan(s->path(t))) return prc_fail(e, PRC_INPUT, "the path is not known at t = %g", t);
  for (int i = 0; i < s->system.n_prescribed; i++)
    d[i] = s->path ? s->path(t) : s->place[i] + s->motion[i] * t;
  return PRC_OK;
}

static void gaps(void *body, const double *q, double *gap) {
  const toy *s = body;
  for (int c = 0; c < s->system.n_contacts; c++) {
    gap[c] = s->gap0[c];
    for (int i = 0; i < s->system.n_dof; i++) gap[c] += s->H[c][0][i] * q[i];
  }
}

static void directions(void *body, const double *q, double *H) {
  const toy *s = body;
  const int n = s->system.n_dof, dim = s->system.dim;
  (void)q;
  for (int c = 0; c < s->system.n_contacts; c++)
    for (int r = 0; r < dim; r++)
      for (int i = 0; i < n; i++) H[(c * dim + r) * n + i] = s->H[c][r][i];
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
  s->system.n_dof = n, s->system.dim = 2;
  s->system.length = 1.0, s->system.velocity = 1.0;
  s->system.H_constant = s->system.force_constant = 1;
  for (int i = 0; i < n; i++) s->M[i][i] = m;
}

void toy_floor(toy *s, int normal, int tangent, double mu, double e) {
  const int c = s->system.n_contacts++;
  s->H[c][0][normal] = s->H[c][1][tangent] = 1.0;
  s->mu[c] = mu, s->e[c] = e;
}

void toy_spring(toy *s, int a, int b, double k) {
  s->K[a][a] += k, s->K[b][b] += k;
  s->K[a][b] -= k, s->K[b][a] -= k;
}

prc_status toy_create(toy *s, const prc_step_options *options, prc_error *err) {
  prc_system *y = &s->system;
  const int n = y->n_dof;
  int stiff = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) stiff |= s->K[i][j] != 0.0;
  for (int c = 0; c < y->n_contacts; c++) {
    s->H_start[c + 1] = s->H_start[c] + n;
    for (int i = 0; i < n; i++) s->H_dof[c * n + i] = i;
  }
  y->M = packed(n, s->M), y->K = stiff ? packed(n, s->K) : NULL;
  y->prescribed = s->prescribed, y->mu = s->mu, y->e = s->e, y->H_start = s->H_start, y->H_dof = s->H_dof;
  y->body = s;
  y->force = force, y->force_constant = !s->load;
  y->prescribed_velocity = prescribed_velocity;
  y->prescribed_displacement = s->drive && !s->path ? NULL : prescribed_displacement;
  y->gap = gaps, y->directions = directions;
  return prc_stepper_create(y, options, &s->stepper, err);
}

void toy_start(toy *s, const prc_step_options *options, const double *q, const double *v) {
  prc_error err = {0};
  for (int i = 0; i < s->system.n_prescribed; i++) s->place[i] = q[s->prescribed[i]];
  support_ok(toy_create(s, options, &err), &err);
  support_ok(prc_stepper_start(s->stepper, q, v, &err), &err);
  s->r = prc_stepper_record(s->stepper);
}

void toy_step(toy *s, int n) {
  prc_error err = {0};
  for (int k = 0; k < n; k++) support_ok(prc_stepper_step(s->stepper, &err), &err);
}

void toy_free(toy *s) {
  prc_sym *M = (prc_sym *)s->system.M, *K = (prc_sym *)s->system.K;
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
  s->system.n_prescribed = 1, s->system.prescribed_rest = 1;
}
