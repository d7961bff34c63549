#include "config.h"
#include "explore/explore.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Data of a step that decide how far its impulses are determined.
 *
 * A step has A (v' - v) = h F + H'p + ..., where all but H'p is given by v and v'. So other percussions lead to the same v' if and only if they
 * have the same H'p; whether they are percussions depends on the velocities w of the contact problem. */

static double largest_of(int n, const double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

/* ---- contacts where the step began --------------------------------------------------------------------------------------- */

static int find_places(const prc_step_record *r, prc_explore_step *s) {
  for (int i = 0; i < r->n_active; i++) {
    s->place[i] = prc_contact_set_place(&s->set, &r->contacts->id[r->active[i]]);
    if (s->place[i] < 0) return 0;
  }
  return 1;
}

/* A search may have to reach further than what is closed: what came to touch within the step was active too. */
static prc_status find_contacts(const prc_system *system, const prc_step_record *r, const prc_at *at,
                                double reach, prc_explore_step *s, prc_error *err) {
  enum { TIMES = 40 };
  prc_status status = PRC_OK;
  for (int k = 0; k < TIMES; k++, reach *= 4.0) {
    prc_try(prc_system_find_contacts(system, at, r->h, reach, &s->set, NULL, err));
    if (find_places(r, s)) return PRC_OK;
  }
  status = prc_fail(err, PRC_INPUT, "an active contact is not found where the step began");
done:
  return status;
}

/* max |H v' - u| over active contacts, u being that of the step's own H */
static double mismatch(const prc_step_record *r, const prc_explore_step *s, double *room) {
  double largest = 0.0;
  prc_rows_multiply(&s->set.H, r->v, room);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < r->dim; k++)
      largest = fmax(largest, fabs(room[r->dim * s->place[i] + k] - r->u[r->dim * r->active[i] + k]));
  return largest;
}

/* Gaps and H where the step began, which are those of its contact problem: velocities at its end show it. */
static prc_status evaluate(const prc_system *system, const prc_step_record *r, const prc_at *at,
                           prc_explore_step *s, prc_error *err) {
  prc_status status = PRC_OK;
  double *room = NULL;
  prc_try(prc_new(&room, r->dim * s->set.n, err));
  const double size =
      largest_of(r->n, r->v) * fmax(1.0, system->length) + largest_of(r->dim * r->n_contacts, r->u);
  system->contacts.evaluate(system->owner, at, PRC_EVALUATE_GAP | PRC_EVALUATE_H | PRC_EVALUATE_PLACE,
                            &s->set);
  if (mismatch(r, s, room) > 1e-9 * size)
    status = prc_fail(
        err, PRC_INPUT,
        "at t = %.9g the contacts are not those of the step that ended at t = %.9g, expected the state "
        "from which it went",
        at->t, r->t);
done:
  prc_delete(&room);
  return status;
}

/* ---- the two problems --------------------------------------------------------------------------------------------------------- */

/* |v|^2 and |h F|^2 in the norm of energy, on free dofs with inertia */
static void find_rest(const prc_step_record *r, prc_explore_step *s) {
  double before = 0.0, after = 0.0, loads = 0.0;
  for (int i = 0; i < r->n; i++) {
    const double impulse = r->h * r->F[i];
    if (s->driven[i]) { /* what is driven must not move at all */
      before += r->v_old[i] != 0.0 || r->v[i] != 0.0 ? (double)INFINITY : 0.0;
      continue;
    }
    if (!(s->mass[i] > 0.0)) continue;
    before += s->mass[i] * r->v_old[i] * r->v_old[i];
    after += s->mass[i] * r->v[i] * r->v[i];
    loads += impulse * impulse / s->mass[i];
  }
  s->begins_at_rest = before <= 1e-12 * loads;
  s->rests = s->begins_at_rest && after <= 1e-12 * loads;
}

static prc_status make_arrays(const prc_system *system, const prc_step_record *r, prc_explore_step *s,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const prc_sym *M = system->dynamics.M;
  prc_try(prc_new(&s->mass, r->n, err));
  prc_try(prc_new(&s->driven, r->n, err));
  prc_try(prc_new(&s->load, r->n, err));
  prc_try(prc_new(&s->balance, r->n, err));
  prc_try(prc_new(&s->mu, s->n, err));
  prc_try(prc_new(&s->may, s->n, err));
  prc_try(prc_new(&s->closed, s->set.n, err));
  prc_try(prc_new(&s->mu_closed, s->set.n, err));
  for (int i = 0; i < r->n; i++) s->mass[i] = M->x[M->p[i]], s->load[i] = -r->h * r->F[i];
  for (int k = 0; k < system->drive.n; k++) s->driven[system->drive.dof[k]] = 1;
  if (s->n > 0) memcpy(s->mu, r->problem.mu, (size_t)s->n * sizeof *s->mu);
  prc_explore_may_of(r->dim, s->n, r->w_active, s->still, s->may);
done:
  return status;
}

/* H'p of the percussions of the step or, where bodies rest, the loads, which are known better. */
static prc_status find_balance(const prc_step_record *r, prc_explore_step *s, prc_error *err) {
  prc_status status = PRC_OK;
  double *p = NULL;
  if (s->rests) {
    memcpy(s->balance, s->load, (size_t)r->n * sizeof *s->balance);
    return PRC_OK;
  }
  prc_try(prc_new(&p, r->dim * s->set.n, err));
  for (int i = 0; i < s->n; i++)
    memcpy(p + r->dim * s->place[i], r->p_active + r->dim * i, (size_t)r->dim * sizeof *p);
  prc_rows_pull(&s->set.H, s->n, s->place, 1.0, p, s->balance);
done:
  prc_delete(&p);
  return status;
}

/* Contacts within the tolerance, and contacts that were active. */
static prc_status find_closed(double gap_tolerance, prc_explore_step *s, prc_error *err) {
  prc_status status = PRC_OK;
  int *active = NULL;
  prc_try(prc_new(&active, s->set.n, err));
  for (int i = 0; i < s->n; i++) active[s->place[i]] = i + 1;
  for (int c = 0; c < s->set.n; c++) {
    const prc_law *law = s->set.law[c];
    if (!active[c] && !(s->set.gap[c] <= gap_tolerance)) continue;
    s->mu_closed[s->rest.n] =
        active[c] ? s->mu[active[c] - 1] : prc_law_friction_at(law, s->set.state + PRC_LAW_STATE * c, 0.0);
    s->closed[s->rest.n++] = c;
  }
done:
  prc_delete(&active);
  return status;
}

static void state_problems(const prc_step_record *r, prc_explore_step *s) {
  const prc_explore_problem common = {.n_dof = r->n, .held = s->driven, .mass = s->mass, .H = &s->set.H};
  const int n_closed = s->rest.n;
  s->held = s->rest = common;
  s->held.g = s->balance, s->held.n = s->n, s->held.contact = s->place, s->held.mu = s->mu;
  s->held.may = s->rests ? NULL : s->may;
  s->rest.g = s->load, s->rest.n = n_closed, s->rest.contact = s->closed, s->rest.mu = s->mu_closed;
}

/* ---- the step --------------------------------------------------------------------------------------------------------------------- */

static prc_status check(const prc_system *system, const prc_step_record *r, prc_error *err) {
  if (system->dynamics.K || (system->dynamics.varies & PRC_INTERNAL_NONLINEAR))
    return prc_fail(
        err, PRC_INPUT,
        "something is elastic, expected rigid bodies alone: of points that move each by itself the motion "
        "determines the forces");
  if (r->problem.n != r->n_active)
    return prc_fail(err, PRC_INPUT,
                    "the scheme makes percussions of forces, expected one that solves a problem for them");
  if (r->dim > 2)
    return prc_fail(err, PRC_INPUT,
                    "contacts are in space, expected the plane: cones there are no polyhedra");
  return PRC_OK;
}

/* The error of the contact problem leaves velocities of about its share of |b|, where they should be zero. */
static double stillness(const prc_step_record *r, double tolerance) {
  double b2 = 0.0;
  for (int i = 0; i < r->dim * r->n_active; i++) b2 += r->problem.b[i] * r->problem.b[i];
  return 100.0 * fmax(tolerance, r->cone.error.scaled) * sqrt(b2);
}

prc_status prc_explore_step_create(const prc_system *system, const prc_step_record *r, const prc_at *before,
                                   double gap_tolerance, prc_explore_step **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_explore_step *s = NULL;
  prc_try(check(system, r, err));
  prc_try(prc_new(&s, 1, err));
  prc_try(prc_new(&s->place, r->n_active, err));
  s->n = r->n_active;
  s->still = stillness(r, 1e-12);
  prc_try(find_contacts(system, r, before, fmax(gap_tolerance, DBL_EPSILON * system->length), s, err));
  prc_try(evaluate(system, r, before, s, err));
  prc_try(make_arrays(system, r, s, err));
  find_rest(r, s);
  prc_try(find_balance(r, s, err));
  prc_try(find_closed(gap_tolerance, s, err));
  state_problems(r, s);
  *out = s, s = NULL;
done:
  prc_explore_step_free(&s);
  return status;
}

void prc_explore_step_free(prc_explore_step **step) {
  prc_explore_step *s = *step;
  if (!s) return;
  prc_delete(&s->mass);
  prc_delete(&s->driven);
  prc_delete(&s->load);
  prc_delete(&s->balance);
  prc_delete(&s->mu);
  prc_delete(&s->may);
  prc_delete(&s->mu_closed);
  prc_delete(&s->place);
  prc_delete(&s->closed);
  prc_contact_set_free(&s->set);
  prc_delete(step);
}
