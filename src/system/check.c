#include "config.h"
#include "system/system.h"

#include <math.h>

/* Requirements on a system, checked once, when a stepper is made of it: bodies may come from outside the
 * library. */

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

/* In a positive definite matrix no entry is more than its two diagonals allow: |M_ij|^2 <= M_ii M_jj. */
static prc_status check_pairs(const prc_sym *M, prc_error *err) {
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j] + 1; k < M->p[j + 1]; k++) {
      const int i = M->i[k];
      const double most = sqrt(M->x[M->p[i]]) * sqrt(M->x[M->p[j]]);
      if (!(fabs(M->x[k]) <= (1.0 + 1e-12) * most))
        return prc_fail(
            err, PRC_INPUT,
            "M: entry (%d, %d) is %g, expected at most %g in size, else some motion has a negative "
            "kinetic energy",
            i, j, M->x[k], most);
    }
  return PRC_OK;
}

static prc_status check_mass(const prc_system *s, prc_error *err) {
  if (!s->dynamics.M || s->dynamics.M->n != s->space.nv)
    return prc_fail(err, PRC_INPUT, "a system of %d dofs needs a mass matrix of that size", s->space.nv);
  prc_status status = prc_sym_check(s->dynamics.M, "M", err);
  if (status != PRC_OK) return status;
  for (int j = 0; j < s->space.nv; j++)
    if (s->dynamics.M->x[s->dynamics.M->p[j]] < 0.0)
      return prc_fail(err, PRC_INPUT, "M: entry (%d, %d) is %g, expected a mass >= 0", j, j,
                      s->dynamics.M->x[s->dynamics.M->p[j]]);
  status = check_massless(s->dynamics.M, err);
  return status == PRC_OK ? check_pairs(s->dynamics.M, err) : status;
}

/* A matrix that there need not be. */
static prc_status check_matrix(const prc_system *s, const prc_sym *A, const char *what, const char *letter,
                               prc_error *err) {
  if (!A) return PRC_OK;
  if (A->n != s->space.nv)
    return prc_fail(err, PRC_INPUT, "the %s has %d rows, expected %d", what, A->n, s->space.nv);
  return prc_sym_check(A, letter, err);
}

/* ---- coordinates and functions ------------------------------------------------------------------------------------------- */

static prc_status check_space(const prc_system *s, prc_error *err) {
  if (s->space.nv < 1)
    return prc_fail(err, PRC_INPUT, "the system has %d dofs, expected 1 or more", s->space.nv);
  if (s->space.advance || prc_system_coordinates(s) == s->space.nv) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "%d velocities and %d coordinates need a function that goes from q to q (+) dx",
                  s->space.nv, s->space.nq);
}

static prc_status check_functions(const prc_system *s, prc_error *err) {
  const prc_dynamics *d = &s->dynamics;
  if ((d->varies & PRC_LOADS_OF_STATE) && !d->loads)
    return prc_fail(err, PRC_INPUT, "loads that depend on the state need a function for them");
  if ((d->varies & PRC_INTERNAL_NONLINEAR) && (!d->internal || !d->tangent))
    return prc_fail(err, PRC_INPUT, "internal forces that are not linear need %s",
                    d->internal ? "a function for their tangent" : "a function for them and their potential");
  if ((d->varies & PRC_INTERNAL_NONLINEAR) && d->K)
    return prc_fail(err, PRC_INPUT,
                    "K is given beside internal forces that are not linear, expected it within these");
  if ((d->varies & PRC_DAMPING_OF_STATE) && (!d->damping || !d->tangent))
    return prc_fail(err, PRC_INPUT,
                    "damping that depends on the state needs functions for it and its tangent");
  return PRC_OK;
}

/* ---- prescribed motions -------------------------------------------------------------------------------------------------- */

static prc_status check_prescribed(const prc_system *s, prc_error *err) {
  if (s->drive.n < 0 || s->drive.n > s->space.nv)
    return prc_fail(err, PRC_INPUT, "%d of %d dofs are prescribed, expected at most all", s->drive.n,
                    s->space.nv);
  if (s->drive.n > 0 && !s->drive.dof)
    return prc_fail(err, PRC_INPUT, "%d dofs are prescribed, expected the list of them", s->drive.n);
  for (int k = 0; k < s->drive.n; k++) {
    const int dof = s->drive.dof[k];
    if (dof < 0 || dof >= s->space.nv)
      return prc_fail(err, PRC_INPUT, "prescribed dof %d of the list is %d, expected 0 to %d", k, dof,
                      s->space.nv - 1);
    if (k > 0 && dof <= s->drive.dof[k - 1])
      return prc_fail(err, PRC_INPUT,
                      "prescribed dof %d of the list is %d behind %d, expected ascending, each once", k, dof,
                      s->drive.dof[k - 1]);
  }
  if (s->drive.n > 0 && !s->drive.rest && !s->drive.velocity)
    return prc_fail(err, PRC_INPUT, "a system with prescribed motions needs a function for their velocities");
  return PRC_OK;
}

/* ---- contacts ------------------------------------------------------------------------------------------------------------ */

static prc_status check_dofs(const prc_system *s, const prc_contact_set *set, int c, prc_error *err) {
  for (int k = set->H.start[c]; k < set->H.start[c + 1]; k++) {
    const int dof = set->H.dof[k];
    if (dof < 0 || dof >= s->space.nv)
      return prc_fail(err, PRC_INPUT, "contact %d touches dof %d, expected 0 to %d", c, dof, s->space.nv - 1);
    if (s->contacts.touched && !s->contacts.touched[dof])
      return prc_fail(err, PRC_INPUT,
                      "contact %d touches dof %d, which is not marked as one that contacts touch", c, dof);
  }
  return PRC_OK;
}

prc_status prc_system_check_contacts(const prc_system *s, const prc_contact_set *set, prc_error *err) {
  prc_need(s, err);
  prc_need(set, err);
  for (int c = 0; c < set->n; c++) {
    if (!set->law[c]) return prc_fail(err, PRC_INPUT, "contact %d has no law", c);
    prc_status status = prc_law_check(set->law[c], err);
    if (status != PRC_OK) {
      prc_error_context(err, "contact %d", c);
      return status;
    }
    status = check_dofs(s, set, c, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

prc_status prc_system_find_contacts(const prc_system *s, const prc_at *at, double h, double reach,
                                    prc_contact_set *set, int *changed, prc_error *err) {
  prc_need(s, err);
  prc_need(at, err);
  prc_need(set, err);
  prc_status status = PRC_OK;
  set->t = at->t;
  prc_contact_set_begin(set, s->contacts.find ? s->contacts.dim : 1);
  if (s->contacts.find) prc_try(s->contacts.find(s->owner, at, h, reach, set, err));
  prc_try(prc_contact_set_end(set, changed, err));
  prc_try(prc_system_check_contacts(s, set, err));
done:
  return status;
}

static prc_status check_contacts(const prc_system *s, prc_error *err) {
  if (!s->contacts.find) return PRC_OK;
  if (s->contacts.dim < 1 || s->contacts.dim > 4)
    return prc_fail(err, PRC_INPUT, "contacts have the dimension %d, expected 1 to 4", s->contacts.dim);
  if (!s->contacts.evaluate)
    return prc_fail(err, PRC_INPUT, "a system with contacts needs a function for their gaps and directions");
  if ((s->contacts.varies & PRC_CONTACTS_SET) && !s->contacts.touched)
    return prc_fail(err, PRC_INPUT, "contacts that come and go need a mark for each dof that they may touch");
  if (s->contacts.n_laws < 0 || (s->contacts.n_laws > 0 && !s->contacts.law))
    return prc_fail(err, PRC_INPUT, "contacts may have %d laws, expected the list of them",
                    s->contacts.n_laws);
  for (int k = 0; k < s->contacts.n_laws; k++)
    if (!s->contacts.law[k]) return prc_fail(err, PRC_INPUT, "law %d of the contacts' list is missing", k);
  return PRC_OK;
}

/* ---- joints ---------------------------------------------------------------------------------------------------------------- */

static prc_status check_joints(const prc_system *s, prc_error *err) {
  const prc_joints *j = &s->joints;
  if (j->n < 0) return prc_fail(err, PRC_INPUT, "%d rows of joints, expected 0 or more", j->n);
  if (j->n == 0) return PRC_OK;
  if (!j->start || !j->dof || !j->evaluate || !j->secant)
    return prc_fail(err, PRC_INPUT, "a system with joints needs their pattern and functions for their rows");
  if (j->start[0] != 0) return prc_fail(err, PRC_INPUT, "joint row 0 starts at %d, expected 0", j->start[0]);
  for (int r = 0; r < j->n; r++) {
    if (j->start[r + 1] < j->start[r])
      return prc_fail(err, PRC_INPUT, "joint row %d has %d dofs, expected 0 or more", r,
                      j->start[r + 1] - j->start[r]);
    for (int at = j->start[r]; at < j->start[r + 1]; at++)
      if (j->dof[at] < 0 || j->dof[at] >= s->space.nv || (at > j->start[r] && j->dof[at] <= j->dof[at - 1]))
        return prc_fail(err, PRC_INPUT, "joint row %d touches dof %d, expected 0 to %d, ascending, each once",
                        r, j->dof[at], s->space.nv - 1);
  }
  return PRC_OK;
}

prc_status prc_system_check(const prc_system *s, prc_error *err) {
  prc_need(s, err);
  prc_status status = PRC_OK;
  prc_try(check_space(s, err));
  if (!(s->dynamics.damping_mass >= 0.0 && isfinite(s->dynamics.damping_mass)
        && s->dynamics.damping_stiffness >= 0.0 && isfinite(s->dynamics.damping_stiffness)))
    return prc_fail(err, PRC_INPUT, "the damping is %g M + %g K, expected finite factors >= 0",
                    s->dynamics.damping_mass, s->dynamics.damping_stiffness);
  if (!(s->length >= 0.0 && isfinite(s->length) && s->velocity >= 0.0 && isfinite(s->velocity)))
    return prc_fail(err, PRC_INPUT,
                    "the system's length is %g and its velocity %g, expected finite numbers >= 0", s->length,
                    s->velocity);
  prc_try(check_mass(s, err));
  prc_try(check_matrix(s, s->dynamics.K, "stiffness", "K", err));
  prc_try(check_matrix(s, s->dynamics.C, "damping", "C", err));
  prc_try(check_matrix(s, s->dynamics.C_boundary, "the boundary's damping", "C_boundary", err));
  prc_try(check_matrix(s, s->dynamics.pattern, "pattern of the tangent", "the tangent's pattern", err));
  prc_try(check_functions(s, err));
  prc_try(check_prescribed(s, err));
  prc_try(check_contacts(s, err));
  prc_try(check_joints(s, err));
done:
  return status;
}

void prc_indicator_worst(prc_indicator *worst, const prc_indicator *now) {
  const double ratio = worst->scale > 0.0 ? worst->value / worst->scale : 0.0;
  if (!(now->scale > 0.0) || isnan(ratio)) return;
  if (worst->scale == 0.0 || !(now->value / now->scale <= ratio)) *worst = *now;
}
