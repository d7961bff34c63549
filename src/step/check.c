#include "config.h"
#include "step/internal.h"

#include <math.h>

/* What a system must be, asked once, when a stepper is made of it: bodies come from outside the library too. */

/* ---- matrices ---------------------------------------------------------------------------------------------------------- */

/* A row without inertia has no entry at all: else M would give some motion a negative kinetic energy. */
static prc_status check_massless(const prc_sym *M, prc_error *err) {
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j] + 1; k < M->p[j + 1]; k++) {
      const int i = M->i[k], zero = M->x[M->p[j]] == 0.0 ? j : i;
      if (M->x[k] != 0.0 && M->x[M->p[zero]] == 0.0)
        return prc_fail(err, PRC_INPUT,
                        "M: entry (%d, %d) is %g, expected 0 since (%d, %d) on the diagonal is 0", i, j,
                        M->x[k], zero, zero);
    }
  return PRC_OK;
}

static prc_status check_mass(const prc_system *s, prc_error *err) {
  if (!s->M || s->M->n != s->n_dof)
    return prc_fail(err, PRC_INPUT, "a system of %d dofs needs a mass matrix of that size", s->n_dof);
  const prc_status status = prc_sym_check(s->M, "M", err);
  if (status != PRC_OK) return status;
  for (int j = 0; j < s->n_dof; j++)
    if (s->M->x[s->M->p[j]] < 0.0)
      return prc_fail(err, PRC_INPUT, "M: entry (%d, %d) is %g, expected a mass >= 0", j, j,
                      s->M->x[s->M->p[j]]);
  return check_massless(s->M, err);
}

static prc_status check_stiffness(const prc_system *s, prc_error *err) {
  if (!s->K) return PRC_OK;
  if (s->K->n != s->n_dof)
    return prc_fail(err, PRC_INPUT, "the stiffness has %d rows, expected %d", s->K->n, s->n_dof);
  return prc_sym_check(s->K, "K", err);
}

/* ---- prescribed motions -------------------------------------------------------------------------------------------------- */

static prc_status check_prescribed(const prc_system *s, prc_error *err) {
  if (s->n_prescribed < 0 || s->n_prescribed > s->n_dof)
    return prc_fail(err, PRC_INPUT, "%d of %d dofs are prescribed, expected at most all", s->n_prescribed,
                    s->n_dof);
  if (s->n_prescribed > 0 && !s->prescribed)
    return prc_fail(err, PRC_INPUT, "%d dofs are prescribed, expected the list of them", s->n_prescribed);
  for (int k = 0; k < s->n_prescribed; k++) {
    const int dof = s->prescribed[k];
    if (dof < 0 || dof >= s->n_dof)
      return prc_fail(err, PRC_INPUT, "prescribed dof %d of the list is %d, expected 0 to %d", k, dof,
                      s->n_dof - 1);
    if (k > 0 && dof <= s->prescribed[k - 1])
      return prc_fail(err, PRC_INPUT,
                      "prescribed dof %d of the list is %d behind %d, expected ascending, each once", k, dof,
                      s->prescribed[k - 1]);
  }
  if (s->n_prescribed > 0 && !s->prescribed_rest && !s->prescribed_velocity)
    return prc_fail(err, PRC_INPUT, "a system with prescribed motions needs a function for their velocities");
  return PRC_OK;
}

/* ---- contacts -------------------------------------------------------------------------------------------------------------- */

static prc_status check_coefficients(const prc_system *s, prc_error *err) {
  for (int c = 0; c < s->n_contacts; c++) {
    if (!(s->mu[c] >= 0.0 && s->mu[c] <= PRC_CONE_FRICTION_MOST))
      return prc_fail(err, PRC_INPUT, "the friction of contact %d is %g, expected a number in [0, %g]", c,
                      s->mu[c], PRC_CONE_FRICTION_MOST);
    if (!(s->e[c] >= 0.0 && s->e[c] <= 1.0))
      return prc_fail(err, PRC_INPUT, "the restitution of contact %d is %g, expected a number in [0, 1]", c,
                      s->e[c]);
    if (s->e_t && !(s->e_t[c] >= -1.0 && s->e_t[c] <= 1.0))
      return prc_fail(err, PRC_INPUT,
                      "the tangential restitution of contact %d is %g, expected a number in [-1, 1]", c,
                      s->e_t[c]);
  }
  return PRC_OK;
}

static prc_status check_contact_dofs(const prc_system *s, prc_error *err) {
  if (s->H_start[0] != 0) return prc_fail(err, PRC_INPUT, "H_start[0] is %d, expected 0", s->H_start[0]);
  for (int c = 0; c < s->n_contacts; c++)
    if (s->H_start[c + 1] < s->H_start[c])
      return prc_fail(err, PRC_INPUT, "the dofs of contact %d end at %d, before their start at %d", c,
                      s->H_start[c + 1], s->H_start[c]);
  for (int c = 0; c < s->n_contacts; c++)
    for (int k = s->H_start[c]; k < s->H_start[c + 1]; k++)
      if (s->H_dof[k] < 0 || s->H_dof[k] >= s->n_dof)
        return prc_fail(err, PRC_INPUT, "contact %d touches dof %d, expected 0 to %d", c, s->H_dof[k],
                        s->n_dof - 1);
  return PRC_OK;
}

static prc_status check_contacts(const prc_system *s, prc_error *err) {
  if (s->n_contacts < 0)
    return prc_fail(err, PRC_INPUT, "the system has %d contacts, expected 0 or more", s->n_contacts);
  if (s->n_contacts == 0) return PRC_OK;
  if (s->dim != 2 && s->dim != 3)
    return prc_fail(err, PRC_INPUT, "contacts have the dimension %d, expected 2 or 3", s->dim);
  if (!s->gap || !s->directions || !s->mu || !s->e || !s->H_start || !s->H_dof)
    return prc_fail(err, PRC_INPUT,
                    "a system with contacts needs mu, e, their dofs and functions for gaps and directions");
  const prc_status status = check_coefficients(s, err);
  return status == PRC_OK ? check_contact_dofs(s, err) : status;
}

prc_status prc_step_check_system(const prc_system *s, prc_error *err) {
  prc_status status = PRC_OK;
  if (s->n_dof < 1) return prc_fail(err, PRC_INPUT, "the system has %d dofs, expected 1 or more", s->n_dof);
  if (!(s->damping_mass >= 0.0 && isfinite(s->damping_mass) && s->damping_stiffness >= 0.0
        && isfinite(s->damping_stiffness)))
    return prc_fail(err, PRC_INPUT, "the damping is %g M + %g K, expected finite factors >= 0",
                    s->damping_mass, s->damping_stiffness);
  if (!(s->length >= 0.0 && isfinite(s->length) && s->velocity >= 0.0 && isfinite(s->velocity)))
    return prc_fail(err, PRC_INPUT,
                    "the system's length is %g and its velocity %g, expected finite numbers >= 0", s->length,
                    s->velocity);
  prc_try(check_mass(s, err));
  prc_try(check_stiffness(s, err));
  prc_try(check_prescribed(s, err));
  prc_try(check_contacts(s, err));
done:
  return status;
}

prc_status prc_step_check_numbers(const char *name, int n, const double *x, prc_error *err) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return prc_fail(err, PRC_INPUT, "%s[%d] is %g, expected a finite number", name, i, x[i]);
  return PRC_OK;
}
