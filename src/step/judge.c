/* How far a state may be believed: the sizes of what cancels in a step, and what was carried along against the matrices. */
#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDED   16.0 /* eps of coordinates: what forces of them leave */
#define STAGNATES 0.3  /* of the change of the pass before: more is no convergence */

/* ---- what cancels in a step -------------------------------------------------------------------------------------- */

/* The diagonal of M or K in row i. */
static double diagonal(const prc_sym *A, int i) {
  return A ? A->x[A->p[i]] : 0.0;
}

/* The impulses of row i that cancel in a step, but for those of contacts and supports. */
static double impulses(const prc_stepper *s, int i) {
  const prc_dynamics *d = &s->system->dynamics;
  const double h = s->options.h, v = fabs(s->v[i]) + fabs(s->v_old[i]);
  const double inertia = s->scheme->has_mass ? 1.0 + h * d->damping_mass : 0.0;
  const double viscous = fabs(s->drag[i]) + d->damping_stiffness * fabs(s->s[i]);
  const double elastic = fabs(s->f[i]) + fabs(s->f_old[i]) + h * diagonal(d->K, i) * fabs(s->v_work[i]);
  return inertia * diagonal(d->M, i) * v + fabs(s->m[i]) + fabs(s->m_old[i])
         + h * (fabs(s->F_work[i]) + elastic + viscous);
}

double prc_stepper_terms(const prc_stepper *s) {
  double sum = 0.0, *others = s->work;
  memset(others, 0, (size_t)s->n * sizeof *others);
  prc_step_contacts_add_sizes(&s->contacts, others);
  prc_step_joints_add_sizes(&s->joints, others);
  for (int r = 0; r < s->n_prescribed; r++)
    others[s->system->drive.dof[r]] += s->options.h * fabs(s->reaction[r]);
  for (int i = s->first; i < s->end; i++)
    sum += (fabs(s->v[i]) + fabs(s->v_old[i]) + fabs(s->v_work[i])) * (impulses(s, i) + others[i]);
  return prc_step_whole(s, sum);
}

/* ---- what rounding leaves of forces ----------------------------------------------------------------------------- */

/* Elastic forces are differences of coordinates: rounding of these leaves eps K q in forces, which no pass mends. */
double prc_step_rounding_of_forces(const prc_stepper *s, const prc_sym *A, const prc_step_matrix *of,
                                   double impulse) {
  const prc_dynamics *d = &s->system->dynamics;
  double sum = 0.0, largest = 0.0;
  for (int i = 0; i < s->nq; i++) largest = fmax(largest, fabs(s->q[i]));
  for (int i = 0; i < s->n; i++) {
    const double mass = diagonal(d->M, i);
    const double K = A ? (diagonal(A, i) - of->mass * mass) / of->stiffness : diagonal(d->K, i);
    const double p = impulse * ROUNDED * DBL_EPSILON * fabs(K) * largest;
    if (mass > 0.0) sum += p / mass * p;
  }
  return sqrt(sum);
}

int prc_step_stagnates(const prc_stepper *s, double before, double change) {
  return s->passes > 3 && change > STAGNATES * before;
}

/* Of a system that rests and has no energy, velocities are what rounding makes of it: both are of this size. */
double prc_stepper_rounding(const prc_stepper *s) {
  const double p = s->scheme->rounding ? s->scheme->rounding(s) : 0.0;
  return p > 0.0 ? p * (prc_step_size_of_velocity(s, s->v) + prc_step_size_of_velocity(s, s->v_old)) : 0.0;
}

/* ---- what has drifted --------------------------------------------------------------------------------------------- */

double prc_step_norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

double prc_step_whole(const prc_stepper *s, double sum) {
  prc_share_sum(s->system->share, 1, &sum);
  return sum;
}

/* Ranks may have none that are prescribed, and ask all the same. */
void prc_step_share_deviation(const prc_stepper *s, prc_step_deviation *d) {
  double largest[3] = {d->deviation, d->range, d->largest};
  if (!s->system->share) return;
  prc_share_largest(s->system->share, 3, largest);
  *d = (prc_step_deviation){largest[0], largest[1], largest[2]};
}

double prc_step_norm_of_dofs(const prc_stepper *s, const double *x) {
  double sum = 0.0;
  for (int i = s->first; i < s->end; i++) sum += x[i] * x[i];
  return sqrt(prc_step_whole(s, sum));
}

/* Rows without inertia have no share. */
double prc_step_size_of_velocity(const prc_stepper *s, const double *v) {
  const prc_sym *M = s->system->dynamics.M;
  double sum = 0.0;
  for (int i = s->first; i < s->end; i++) sum += M->x[M->p[i]] * v[i] * v[i];
  return sqrt(prc_step_whole(s, sum));
}

/* sum x_i^2 / M_ii over the rows with inertia */
double prc_step_size_of_impulse(const prc_stepper *s, const double *x) {
  double sum = 0.0;
  for (int i = s->first; i < s->end; i++) {
    const double M = diagonal(s->system->dynamics.M, i);
    if (M > 0.0) sum += x[i] / M * x[i];
  }
  return sqrt(prc_step_whole(s, sum));
}

void prc_step_momentum_drift(prc_stepper *s, prc_step_drift *drift) {
  const double h = s->options.h;
  prc_sym_multiply(s->system->dynamics.M, s->v, s->work2);
  for (int i = 0; i < s->n; i++) s->work[i] = s->work2[i] - s->m[i];
  drift->momentum = prc_step_size_of_impulse(s, s->work);
  if (drift->momentum > 0.0 && s->scheme->rounding)
    drift->momentum = fmax(0.0, drift->momentum - s->scheme->rounding(s)); /* a NaN stays */
  drift->momentum_scale = prc_step_size_of_impulse(s, s->m)
                          + h * (prc_step_size_of_impulse(s, s->f) + prc_step_size_of_impulse(s, s->F));
  memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  prc_step_contacts_add_sizes(&s->contacts, s->work);
  prc_step_joints_add_sizes(&s->joints, s->work);
  drift->momentum_scale += prc_step_size_of_impulse(s, s->work);
}

void prc_step_elastic_drift(prc_stepper *s, prc_step_drift *drift) {
  const prc_sym *K = s->system->dynamics.K;
  const prc_share *share = s->system->share;
  const int n = share ? share->width * share->n_whole : s->n;
  double translation = 0.0, diagonals = 0.0;
  if (!K) return;
  for (int i = s->first; i < s->end; i++) {
    const double K_ii = K->x[K->p[i]];
    translation += pow(K_ii * s->q[i], 2.0), diagonals += K_ii * K_ii;
  }
  translation = prc_step_whole(s, translation);
  drift->stiffness = 1e-4 * sqrt(prc_step_whole(s, diagonals) / n);
  prc_sym_multiply(K, s->q, s->work2);
  for (int i = 0; i < s->n; i++) s->work[i] = s->work2[i] - s->f[i];
  drift->elastic = prc_step_norm_of_dofs(s, s->work);
  drift->elastic_scale = fmax(prc_step_norm_of_dofs(s, s->f), 1e-4 * sqrt(translation));
}

/* With ranks that share a mesh: the worst of all. The rank with the worst cell knows its number, others have
 * -1. */
static void share_indicators(const prc_share *share, prc_indicator *indicator) {
  double worst[2 * PRC_N_INDICATORS];
  if (!share) return;
  for (int k = 0; k < PRC_N_INDICATORS; k++) {
    worst[2 * k] = indicator[k].scale > 0.0 ? indicator[k].value / indicator[k].scale : -1.0;
    worst[2 * k + 1] = indicator[k].scale;
  }
  prc_share_largest(share, 2 * PRC_N_INDICATORS, worst);
  for (int k = 0; k < PRC_N_INDICATORS; k++) {
    if (indicator[k].scale > 0.0 && indicator[k].value / indicator[k].scale == worst[2 * k]) continue;
    indicator[k] = (prc_indicator){
        .value = fmax(worst[2 * k], 0.0) * worst[2 * k + 1], .scale = worst[2 * k + 1], .a = -1, .b = -1};
  }
}

void prc_stepper_indicate(prc_stepper *s, prc_indicator indicator[PRC_N_INDICATORS]) {
  const prc_system *system = s->system;
  memset(indicator, 0, PRC_N_INDICATORS * sizeof *indicator);
  if (system->indicator) system->indicator(system->owner, &(prc_at){s->t, s->q, s->v}, indicator);
  share_indicators(system->share, indicator);
}

prc_status prc_stepper_drift(prc_stepper *s, prc_step_drift *drift, prc_error *err) {
  prc_need(s, err);
  prc_need(drift, err);
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  *drift = (prc_step_drift){0};
  s->scheme->drift(s, drift);
  if (system->drive.displacement) {
    prc_try(system->drive.displacement(system->owner, s->t, s->work, err));
    drift->prescribed = prc_step_motion_compare(&s->motion, s->work, s->q);
  }
  prc_step_share_deviation(s, &drift->prescribed);
  if (system->rotation) drift->rotation = system->rotation(system->owner, s->q);
  prc_share_largest(system->share, 1, &drift->rotation);
  prc_stepper_indicate(s, drift->indicator);
done:
  return status;
}
