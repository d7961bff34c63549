#include "config.h"
#include "system/probe.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Checks of a system's functions at a state: motions against forces. Contacts and joints: check_rows.c. */

/* ---- displaced states -------------------------------------------------------------------------------------- */

static void displace(const prc_probe *p, const double *q, const double *dx, double *out) {
  if (p->s->space.advance) {
    p->s->space.advance(p->s->owner, q, dx, out);
    return;
  }
  for (int i = 0; i < p->nv; i++) out[i] = q[i] + dx[i];
}

/* q (+) way e_j */
prc_at prc_probe_along(const prc_probe *p, int j, double way) {
  memset(p->dx, 0, (size_t)p->nv * sizeof *p->dx);
  p->dx[j] = way;
  displace(p, p->at.q, p->dx, p->q);
  return (prc_at){p->at.t, p->q, p->at.v};
}

/* Somewhere else, each dof by another way. */
prc_at prc_probe_elsewhere(const prc_probe *p) {
  for (int i = 0; i < p->nv; i++) {
    p->dx[i] = PRC_PROBE_FAR * p->length * sin(1.0 + i);
    p->v[i] = p->at.v[i] + p->length / p->h * PRC_PROBE_FAR * cos(2.0 + i);
  }
  displace(p, p->at.q, p->dx, p->q);
  return (prc_at){p->at.t, p->q, p->v};
}

void prc_probe_fill(int n, double *x) {
  for (int i = 0; i < n; i++) x[i] = NAN;
}

prc_status prc_probe_numbers(const prc_probe *p, const char *what, int n, const double *x) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return prc_fail(p->err, PRC_INPUT, "%s[%d] is %g, expected a finite number written there", what, i,
                      x[i]);
  return PRC_OK;
}

/* x at -2s, -s, s, 2s against the derivative that is told; size: of what x is a difference of, largest: of the derivatives beside it. */
int prc_probe_is_derivative(const double x[4], double s, double told, double size, double largest,
                            double *found) {
  const double one = (x[2] - x[1]) / (2.0 * s), two = (x[3] - x[0]) / (4.0 * s);
  *found = one + (one - two) / 3.0;
  /* places are rounded too: by eps of the length, times the second derivative */
  const double curved = fabs(x[3] + x[0] - x[2] - x[1]) / (3.0 * s),
               allowed = 10.0 * fabs(two - one) + 100.0 * DBL_EPSILON * (size / s + curved / PRC_PROBE_STEP)
                         + PRC_PROBE_SHARE * largest;
  return fabs(told - *found) <= allowed;
}
const double prc_probe_ways[4] = {-2.0, -1.0, 1.0, 2.0};

double prc_probe_largest(int n, const double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* ---- coordinates and motions that are data ------------------------------------------------------------------ */

static prc_status check_advance(const prc_probe *p) {
  double *still = p->x[0];
  prc_status status = PRC_OK;
  if (!p->s->space.advance) return PRC_OK;
  memset(still, 0, (size_t)p->nv * sizeof *still);
  prc_probe_fill(p->nq, p->q);
  displace(p, p->at.q, still, p->q);
  prc_try(prc_probe_numbers(p, "space.advance: q_next", p->nq, p->q));
  for (int i = 0; i < p->nq; i++)
    if (!(fabs(p->q[i] - p->at.q[i]) <= PRC_PROBE_ROUNDED * (p->length + fabs(p->at.q[i]))))
      return prc_fail(p->err, PRC_INPUT, "space.advance: q (+) 0 has q[%d] = %.9g, expected %.9g as in q", i,
                      p->q[i], p->at.q[i]);
  /* beyond p->q stands room for as many coordinates */
  double *in_place = p->q + p->nq;
  memcpy(in_place, p->at.q, (size_t)p->nq * sizeof *in_place);
  const prc_at far = prc_probe_elsewhere(p);
  displace(p, in_place, p->dx, in_place);
  for (int i = 0; i < p->nq; i++)
    if (in_place[i] != far.q[i])
      return prc_fail(p->err, PRC_INPUT,
                      "space.advance: q[%d] is %.9g where q_next is q, and %.9g where it is not", i,
                      in_place[i], far.q[i]);
done:
  return status;
}

static prc_status check_motion(const prc_probe *p) {
  const prc_drive *drive = &p->s->drive;
  const double dt = 1e-4 * p->h, t = p->at.t;
  double *v = p->x[0], *d[3] = {p->x[1], p->x[2], p->x[3]};
  prc_status status = PRC_OK;
  if (drive->n == 0 || !drive->velocity) return PRC_OK;
  prc_probe_fill(drive->n, v);
  prc_try(drive->velocity(p->s->owner, t, dt, v, p->err));
  prc_try(prc_probe_numbers(p, "drive.velocity: v", drive->n, v));
  if (!drive->displacement) return PRC_OK;
  for (int k = 0; k < 3; k++) {
    prc_probe_fill(drive->n, d[k]);
    prc_try(drive->displacement(p->s->owner, t + k * dt, d[k], p->err));
    prc_try(prc_probe_numbers(p, "drive.displacement: d", drive->n, d[k]));
  }
  for (int i = 0; i < drive->n; i++) {
    const double one = (d[1][i] - d[0][i]) / dt, two = (d[2][i] - d[0][i]) / (2.0 * dt);
    const double allowed = 10.0 * fabs(two - one) + 100.0 * DBL_EPSILON * (p->length + fabs(d[0][i])) / dt
                           + PRC_PROBE_SHARE * prc_probe_largest(drive->n, v);
    if (!(fabs(v[i] - one) <= allowed))
      return prc_fail(p->err, PRC_INPUT,
                      "drive.velocity: v[%d] is %.9g, expected %.9g, the rate of drive.displacement", i, v[i],
                      2.0 * one - two);
  }
done:
  return status;
}

/* ---- forces ------------------------------------------------------------------------------------------------- */

/* The loads at another time or state are the same where `varies` does not say that they change. */
static prc_status compare_loads(const prc_probe *p, const prc_at *at, const char *flag, const char *what) {
  prc_status status = PRC_OK;
  prc_try(p->s->dynamics.loads(p->s->owner, at, p->x[1], p->err));
  for (int i = 0; i < p->nv; i++)
    if (p->x[1][i] != p->x[0][i])
      return prc_fail(
          p->err, PRC_INPUT,
          "dynamics.loads: F[%d] is %.9g and, at another %s, %.9g, expected %s in dynamics.varies", i,
          p->x[0][i], what, p->x[1][i], flag);
done:
  return status;
}

static prc_status check_loads(const prc_probe *p) {
  const prc_dynamics *d = &p->s->dynamics;
  prc_status status = PRC_OK;
  if (!d->loads) return PRC_OK;
  prc_probe_fill(p->nv, p->x[0]);
  prc_try(d->loads(p->s->owner, &p->at, p->x[0], p->err));
  prc_try(prc_probe_numbers(p, "dynamics.loads: F", p->nv, p->x[0]));
  const prc_at later = {p->at.t + p->h, p->at.q, p->at.v}, far = prc_probe_elsewhere(p);
  if (!(d->varies & PRC_LOADS_IN_TIME)) prc_try(compare_loads(p, &later, "PRC_LOADS_IN_TIME", "time"));
  if (!(d->varies & PRC_LOADS_OF_STATE)) prc_try(compare_loads(p, &far, "PRC_LOADS_OF_STATE", "state"));
  if (d->mean_loads) {
    prc_probe_fill(p->nv, p->x[1]);
    prc_try(d->mean_loads(p->s->owner, p->at.t, p->h, p->x[1], p->err));
    prc_try(prc_probe_numbers(p, "dynamics.mean_loads: F", p->nv, p->x[1]));
  }
done:
  return status;
}

/* f is the gradient of V. */
static prc_status check_gradient(const prc_probe *p, const double *f, double V) {
  const double largest = prc_probe_largest(p->nv, f);
  prc_status status = PRC_OK;
  for (int j = 0; j < p->nv; j++) {
    double at[4], found;
    for (int k = 0; k < 4; k++) {
      const prc_at there = prc_probe_along(p, j, prc_probe_ways[k] * p->step);
      prc_try(p->s->dynamics.internal(p->s->owner, &there, NULL, &at[k], p->err));
    }
    if (!prc_probe_is_derivative(at, p->step, f[j], fabs(V) + largest * p->length, largest, &found))
      return prc_fail(p->err, PRC_INPUT,
                      "dynamics.internal: f[%d] is %.9g, expected %.9g, the derivative of its potential", j,
                      f[j], found);
  }
done:
  return status;
}

/* Entry (i, j) of a matrix of which the lower triangle stands there. */
static double entry(const prc_sym *A, int i, int j) {
  const int row = i > j ? i : j, column = i > j ? j : i;
  for (int k = A->p[column]; k < A->p[column + 1]; k++)
    if (A->i[k] == row) return A->x[k];
  return 0.0;
}

/* Column j of df/dq (of = 0) or dd/dv (of = 1) against differences of these. */
static prc_status check_column(const prc_probe *p, const prc_sym *A, double largest, int j, int of) {
  const prc_dynamics *d = &p->s->dynamics;
  const double s = of ? p->step / p->h : p->step;
  prc_status status = PRC_OK;
  double found;
  for (int k = 0; k < 4; k++) {
    prc_at there = prc_probe_along(p, j, of ? 0.0 : prc_probe_ways[k] * s);
    if (of) {
      memcpy(p->v, p->at.v, (size_t)p->nv * sizeof *p->v);
      p->v[j] += prc_probe_ways[k] * s, there.v = p->v;
    }
    prc_try(of ? d->damping(p->s->owner, &there, p->x[k], p->err)
               : d->internal(p->s->owner, &there, p->x[k], NULL, p->err));
  }
  for (int i = 0; i < p->nv; i++) {
    const double at[4] = {p->x[0][i], p->x[1][i], p->x[2][i], p->x[3][i]}, told = entry(A, i, j);
    if (!prc_probe_is_derivative(at, s, told, fabs(at[1]) + largest * s / PRC_PROBE_STEP, 10.0 * largest,
                                 &found))
      return prc_fail(
          p->err, PRC_INPUT,
          "dynamics.tangent: entry (%d, %d) of %s is %.9g, expected %.9g (an entry that is missing in "
          "the pattern is 0)",
          i, j, of ? "dd/dv" : "df/dq", told, found);
  }
done:
  return status;
}

static prc_status check_tangent(const prc_probe *p, int of) {
  const prc_dynamics *d = &p->s->dynamics;
  prc_status status = PRC_OK;
  prc_sym *MC = NULL, *A = NULL;
  prc_try(prc_sym_add(0.0, d->M, 0.0, d->C, &MC, p->err));
  prc_try(prc_sym_add(0.0, MC, 0.0, d->pattern, &A, p->err));
  for (int k = 0; k < prc_sym_nnz(A); k++) A->x[k] = 0.0; /* what stands there may be anything times zero */
  prc_try(d->tangent(p->s->owner, &p->at, of ? 0.0 : 1.0, of ? 1.0 : 0.0, A, p->err));
  prc_try(prc_probe_numbers(p, "dynamics.tangent: A.x", prc_sym_nnz(A), A->x));
  const double largest = prc_probe_largest(prc_sym_nnz(A), A->x);
  for (int j = 0; j < p->nv; j++) prc_try(check_column(p, A, largest, j, of));
done:
  prc_sym_free(&MC);
  prc_sym_free(&A);
  return status;
}

/* dx . f = gain = V(q (+) dx) - V(q) */
static prc_status check_mean(const prc_probe *p, double V) {
  const prc_dynamics *d = &p->s->dynamics;
  double *f = p->x[1], gain = NAN, after = NAN, work = 0.0, size = fabs(V);
  prc_status status = PRC_OK;
  if (!d->mean_internal) return PRC_OK;
  const prc_at far = prc_probe_elsewhere(p);
  prc_probe_fill(p->nv, f);
  prc_try(d->mean_internal(p->s->owner, p->at.q, p->dx, f, &gain, p->err));
  prc_try(d->internal(p->s->owner, &far, NULL, &after, p->err));
  prc_try(prc_probe_numbers(p, "dynamics.mean_internal: f", p->nv, f));
  for (int i = 0; i < p->nv; i++) work += p->dx[i] * f[i], size += fabs(p->dx[i] * f[i]);
  if (!(fabs(gain - (after - V)) <= PRC_PROBE_ROUNDED * size))
    return prc_fail(p->err, PRC_INPUT,
                    "dynamics.mean_internal: gain is %.9g, expected %.9g, what the potential gains", gain,
                    after - V);
  if (!(fabs(work - gain) <= PRC_PROBE_ROUNDED * size))
    return prc_fail(p->err, PRC_INPUT, "dynamics.mean_internal: dx . f is %.9g, expected the gain %.9g", work,
                    gain);
done:
  return status;
}

static prc_status check_internal(const prc_probe *p) {
  const prc_dynamics *d = &p->s->dynamics;
  double V = NAN, *f = NULL;
  prc_status status = PRC_OK;
  if (!(d->varies & PRC_INTERNAL_NONLINEAR)) return PRC_OK;
  prc_try(prc_new(&f, p->nv, p->err));
  prc_probe_fill(p->nv, f);
  prc_try(d->internal(p->s->owner, &p->at, f, &V, p->err));
  prc_try(prc_probe_numbers(p, "dynamics.internal: f", p->nv, f));
  prc_try(prc_probe_numbers(p, "dynamics.internal: potential", 1, &V));
  prc_try(check_gradient(p, f, V));
  prc_try(check_tangent(p, 0));
  prc_try(check_mean(p, V));
done:
  prc_delete(&f);
  return status;
}

static prc_status check_damping(const prc_probe *p) {
  const prc_dynamics *dynamics = &p->s->dynamics;
  double *d = p->x[0], power = 0.0, size = 0.0;
  prc_status status = PRC_OK;
  if (!(dynamics->varies & PRC_DAMPING_OF_STATE)) return PRC_OK;
  const prc_at far = prc_probe_elsewhere(p);
  prc_probe_fill(p->nv, d);
  prc_try(dynamics->damping(p->s->owner, &far, d, p->err));
  prc_try(prc_probe_numbers(p, "dynamics.damping: d", p->nv, d));
  for (int i = 0; i < p->nv; i++) power += far.v[i] * d[i], size += fabs(far.v[i] * d[i]);
  if (!(power >= -PRC_PROBE_ROUNDED * size))
    return prc_fail(p->err, PRC_INPUT, "dynamics.damping: v . d is %.9g, expected a number >= 0", power);
  prc_try(check_tangent(p, 1));
done:
  return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static prc_status check_functions(const prc_probe *p) {
  prc_status status = PRC_OK;
  prc_try(check_advance(p));
  prc_try(check_motion(p));
  prc_try(check_loads(p));
  prc_try(check_internal(p));
  prc_try(check_damping(p));
  prc_try(prc_probe_contacts(p));
  prc_try(prc_probe_joints(p));
done:
  return status;
}

static prc_status check_state(const prc_probe *p) {
  prc_status status = PRC_OK;
  if (!(p->h > 0.0 && isfinite(p->h)))
    return prc_fail(p->err, PRC_INPUT, "the time step is %g, expected a number > 0", p->h);
  prc_try(prc_probe_numbers(p, "q", p->nq, p->at.q));
  prc_try(prc_probe_numbers(p, "v", p->nv, p->at.v));
done:
  return status;
}

prc_status prc_system_check_at(const prc_system *system, const prc_at *at, double h, prc_error *err) {
  prc_status status = prc_system_check(system, err);
  if (status != PRC_OK) return status;
  const size_t nq = (size_t)prc_system_coordinates(system), nv = (size_t)system->space.nv;
  const double length = system->length > 0.0 ? system->length : 1.0;
  double *room = NULL;
  prc_try(prc_new(&room, 3 * nq + 7 * nv, err));
  double *next = room + 3 * nq;
  const prc_at zero = {0.0, room, next};
  const prc_probe p = {.s = system,
                       .at = at ? *at : zero,
                       .h = h,
                       .length = length,
                       .step = PRC_PROBE_STEP * length,
                       .nq = (int)nq,
                       .nv = (int)nv,
                       .q = room + nq,
                       .v = next + nv,
                       .dx = next + 2 * nv,
                       .x = {next + 3 * nv, next + 4 * nv, next + 5 * nv, next + 6 * nv},
                       .err = err};
  prc_try(check_state(&p));
  prc_try(check_functions(&p));
done:
  prc_delete(&room);
  return status;
}
