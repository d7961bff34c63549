#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* From where the dofs are, not from where they should be: what rounding leaves does not add up. */
prc_status prc_step_static_prescribed(prc_stepper *s, double t, prc_error *err) {
  const prc_system *system = s->system;
  if (s->n_prescribed == 0) return PRC_OK;
  memset(s->work, 0, (size_t)s->n_prescribed * sizeof *s->work);
  if (system->prescribed_displacement) {
    const prc_status status = system->prescribed_displacement(system->body, t, s->work, err);
    if (status != PRC_OK) return status;
  }
  for (int r = 0; r < s->n_prescribed; r++)
    s->vp_next[r] = (s->work[r] - s->q[system->prescribed[r]]) / s->options.h;
  return PRC_OK;
}

/* C v = (alpha M + beta K) v, in the order of elimination; s->s is K v. */
static void set_drag(prc_stepper *s) {
  const double alpha = s->system->damping_mass, beta = s->system->damping_stiffness;
  if (alpha != 0.0) {
    for (int i = 0; i < s->n; i++) s->work[s->perm[i]] = s->v_theta[i];
    prc_sym_multiply(s->system->M, s->work, s->work2);
  }
  for (int i = 0; i < s->n; i++)
    s->drag[i] = beta * s->s[i] + (alpha != 0.0 ? alpha * s->work2[s->perm[i]] : 0.0);
}

/* q' = q + h v, f' = f + h s, v' = v_theta, m' = 0; the reaction is what equilibrium lacks on prescribed rows,
 *   R = f' + C v - F - H'p / h. */
void prc_step_static_update(prc_stepper *s) {
  const double h = s->options.h;
  for (int i = 0; i < s->n; i++) {
    s->m[i] = 0.0;
    s->f[i] = s->f_old[i] + h * s->s[i];
    s->v[i] = s->v_theta[i];
    s->q[s->perm[i]] += h * s->v_theta[i];
  }
  set_drag(s);
  if (s->n_prescribed == 0) return;
  for (int i = 0; i < s->n; i++) s->work[i] = s->f[i] + s->drag[i] - s->F_theta[i];
  prc_step_contacts_apply(s->system, &s->contacts, -1.0 / h, s->work);
  memcpy(s->reaction, s->work + s->n_free, (size_t)s->n_prescribed * sizeof *s->reaction);
}

double prc_step_static_imbalance(prc_stepper *s) {
  double sum = 0.0;
  if (!s->moved) return 0.0;
  prc_sym_multiply(s->system->K, s->q, s->work2);
  for (int i = 0; i < s->n; i++) s->work[i] = s->work2[s->perm[i]] + s->drag[i] - s->F_theta[i];
  prc_step_contacts_apply(s->system, &s->contacts, -1.0 / s->options.h, s->work);
  for (int i = 0; i < s->n_free; i++) sum += s->work[i] * s->work[i];
  return sqrt(sum);
}
