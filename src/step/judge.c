/* How far a state may be believed: the sizes of what cancels in a step, and what was carried along against the matrices. */
#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* ---- what cancels in a step -------------------------------------------------------------------------------------- */

/* The diagonal of M or K in the row that stands at place i. */
static double diagonal(const prc_stepper *s, const prc_sym *A, int i) {
  return A ? A->x[A->p[s->perm[i]]] : 0.0;
}

/* The impulses of row i that cancel in a step, but for those of contacts and supports. */
static double impulses(const prc_stepper *s, int i) {
  const prc_system *system = s->system;
  const double h = s->options.h, v = fabs(s->v[i]) + fabs(s->v_old[i]);
  const double inertia = s->options.quasi_static ? 0.0 : 1.0 + h * system->damping_mass;
  const double viscous = fabs(s->drag[i]) + system->damping_stiffness * fabs(s->s[i]);
  const double elastic =
      fabs(s->f[i]) + fabs(s->f_old[i]) + h * diagonal(s, system->K, i) * fabs(s->v_theta[i]);
  return inertia * diagonal(s, system->M, i) * v + fabs(s->m[i]) + fabs(s->m_old[i])
         + h * (fabs(s->F_theta[i]) + elastic + viscous);
}

double prc_stepper_terms(const prc_stepper *s) {
  double sum = 0.0, *others = s->work;
  memset(others, 0, (size_t)s->n * sizeof *others);
  prc_step_contacts_add_sizes(s->system, &s->contacts, others);
  for (int r = 0; r < s->n_prescribed; r++) others[s->n_free + r] += s->options.h * fabs(s->reaction[r]);
  for (int i = 0; i < s->n; i++)
    sum += (fabs(s->v[i]) + fabs(s->v_old[i]) + fabs(s->v_theta[i])) * (impulses(s, i) + others[i]);
  return sum;
}

/* ---- what has drifted --------------------------------------------------------------------------------------------- */

static double norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* sum x_i^2 / M_ii over the rows with inertia; x in the order of elimination */
static double kinetic_norm(const prc_stepper *s, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < s->n; i++) {
    const double M = diagonal(s, s->system->M, i);
    if (M > 0.0) sum += x[i] / M * x[i];
  }
  return sqrt(sum);
}

static void momentum_drift(prc_stepper *s, prc_step_drift *drift) {
  const double h = s->options.h;
  prc_stepper_state(s, s->work, NULL, NULL);
  prc_sym_multiply(s->system->M, s->work, s->work2);
  for (int i = 0; i < s->n; i++) s->work[i] = s->work2[s->perm[i]] - s->m[i];
  drift->momentum = kinetic_norm(s, s->work);
  for (int i = 0; i < s->n; i++) s->work[i] = s->F[s->perm[i]];
  drift->momentum_scale = kinetic_norm(s, s->m) + h * (kinetic_norm(s, s->f) + kinetic_norm(s, s->work));
  memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  prc_step_contacts_add_sizes(s->system, &s->contacts, s->work);
  drift->momentum_scale += kinetic_norm(s, s->work);
}

prc_status prc_stepper_drift(prc_stepper *s, prc_step_drift *drift, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  *drift = (prc_step_drift){0};
  momentum_drift(s, drift);
  if (system->K) {
    double translation = 0.0, diagonals = 0.0;
    for (int i = 0; i < s->n; i++) {
      const double K_ii = system->K->x[system->K->p[i]];
      translation += pow(K_ii * s->q[i], 2.0), diagonals += K_ii * K_ii;
    }
    drift->stiffness = 1e-4 * sqrt(diagonals / s->n);
    prc_sym_multiply(system->K, s->q, s->work2);
    for (int i = 0; i < s->n; i++) s->work[i] = s->work2[s->perm[i]] - s->f[i];
    drift->elastic = norm(s->n, s->work);
    drift->elastic_scale = fmax(norm(s->n, s->f), 1e-4 * sqrt(translation));
  }
  if (system->K && s->options.quasi_static) { /* there is no momentum: equilibrium stands in its place */
    drift->momentum = s->options.h * prc_step_static_imbalance(s);
    drift->lack = s->options.h;
    drift->momentum_scale = s->options.h * (drift->elastic_scale + norm(s->n, s->F));
  }
  if (system->prescribed_displacement) {
    prc_try(system->prescribed_displacement(system->body, s->t, s->work, err));
    drift->prescribed = prc_step_motion_compare(&s->motion, s->work, s->q);
  }
  if (system->rotation) drift->rotation = system->rotation(system->body, s->q);
done:
  return status;
}
