#include "config.h"
#include "step/theta.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The inelastic scheme on positions (Maury 2006): theta = 1, and what is not to become negative is the gap at the end of the step, linear in
 * the velocity,
 *
 *   M (v' - v) = h (F - f') + H'p,   0 <= g_k + h u_N'  _|_  p_N >= 0,   q' = q + h v',   H and g at q_k,
 *
 * of all contacts that there may be, open ones too: it is the projection of the velocity without contact onto those that the
 * constraints allow, where there is no friction. With friction p_T opposes u_T' and is at most mu p_N.
 *
 * Most contacts stay open. A pass solves the problem of those that would close, adds those that its answer closes, and looks, with its
 * velocities, for pairs that were not listed; until there are none. The answer is that of the problem of all. */

enum { PASSES = 100 };

static prc_status check(const prc_system *system, const prc_step_options *o, prc_error *err) {
  if (o->theta != 1.0)
    return prc_fail(err, PRC_INPUT, "theta is %g, expected 1 with the scheme position", o->theta);
  if (prc_step_theta_is_nonlinear(system))
    return prc_fail(err, PRC_INPUT,
                    "the scheme position needs a linear system, whose loads depend on time alone");
  const prc_status status = prc_step_refuse_prediction(o, err);
  return status == PRC_OK ? prc_step_theta_check(system, o, err) : status;
}

static prc_status create(prc_stepper *s, prc_step_action *action, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = NULL;
  const double e = prc_step_largest_restitution(s);
  prc_try(prc_new(&w, 1, err));
  s->work_of_scheme = w;
  *action = (prc_step_action){.share = 1.0, .scale = 1.0, .implicit = 1};
  prc_try(prc_new(&w->x, s->n, err));
  if (e != 0.0)
    return prc_fail(err, PRC_INPUT, "the scheme position has no restitution; the largest e is %g", e);
  if (prc_step_throws_back(s))
    return prc_fail(err, PRC_INPUT, "the scheme position has no tangential restitution, expected 0");
  for (int i = 0; i < s->n; i++)
    if (s->part[i] != 2 && s->system->dynamics.M->x[s->system->dynamics.M->p[i]] == 0.0)
      return prc_fail(err, PRC_INPUT, "the scheme position needs a mass in every free dof, dof %d has none",
                      i);
done:
  return status;
}

/* Maury's propositions are of contacts without friction. */
static int has_friction(const prc_stepper *s) {
  const prc_contact_set *set = &s->contacts.set;
  for (int c = 0; c < set->n; c++)
    if (prc_law_rubs(set->law[c])) return 1;
  for (int k = 0; k < s->system->contacts.n_laws; k++)
    if (prc_law_rubs(s->system->contacts.law[k])) return 1;
  return 0;
}

/* The gap of the law is linear in the velocity, which is that of the end of the step only where H is constant. */
static prc_step_promises promises(const prc_stepper *s) {
  prc_step_promise penetration = {.theorem =
                                      "the law, which has the gap at the end of the step; it is linear"};
  if (s->system->contacts.varies & PRC_CONTACTS_H)
    penetration = (prc_step_promise){
        .reason = "the gap at the end of the step is in the law, but as its tangent at the beginning"};
  prc_step_promise normal = {
      .theorem = "the normal law, which has the gap at the end of the step (Maury 2006, Proposition 2)"};
  const int friction = has_friction(s);
  if (friction) normal = (prc_step_promise){.reason = "Maury's theorems are of contacts without friction"};
  return (prc_step_promises){
      .tangential_sign = {.theorem = "theta = 1: friction works at the end of the step"},
      .normal_sign = normal,
      .numerical_sign = {.theorem = friction ? "(65): theta = 1" : "theta = 1 (Maury 2006, Proposition 3)"},
      .penetration = penetration};
}

/* ---- which contacts are in the problem ---------------------------------------------------------------------------- */

/* g_k + h u_N of contact c, at the velocities u. */
static double gap_at_end(const prc_step_contacts *k, double h, int c) {
  return k->set.gap[c] + h * k->u_work[k->set.dim * c];
}

/* Rounding of a gap, which is a difference of coordinates. */
static double rounding_of(const prc_stepper *s) {
  return 100.0 * DBL_EPSILON * s->system->length;
}

/* Contacts that v_work would close, and contacts that push. */
static void choose(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  prc_rows_multiply(&k->set.H, s->v_work, k->u_work);
  k->n_active = 0;
  for (int c = 0; c < k->set.n; c++)
    if (k->set.p[k->set.dim * c] > 0.0 || gap_at_end(k, s->options.h, c) <= 0.0) k->active[k->n_active++] = c;
  k->n_gathered = -1;
}

/* Adds those that the answer closes by more than rounding: their number. Both lists ascend. */
static int add_closed(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const double least = -rounding_of(s);
  int n = 0, next = 0, added = 0;
  prc_rows_multiply(&k->set.H, s->v_work, k->u_work);
  for (int i = 0; i < k->n_active; i++) k->gathered[i] = k->active[i];
  for (int c = 0; c < k->set.n; c++) {
    const int was = next < k->n_active && k->gathered[next] == c;
    next += was;
    if (!was && !(gap_at_end(k, s->options.h, c) < least)) continue;
    k->active[n++] = c, added += !was;
  }
  k->n_active = n, k->n_gathered = -1;
  return added;
}

/* Lists pairs anew by the velocities of the answer, which may close some that were not listed. Those that push are listed again: they are
 * closed by these velocities. *changed: others are listed than before. */
static prc_status search_again(prc_stepper *s, int *changed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  *changed = 0;
  if (!(s->system->contacts.varies & PRC_CONTACTS_SET)) return PRC_OK;
  prc_try(
      prc_step_contacts_search(s->system, &s->options, &(prc_at){s->t, s->q, s->v_work}, k, changed, err));
  prc_step_evaluate_contacts(s); /* a search leaves nothing of that */
  if (k->set.n > 0) memcpy(k->gap_old, k->set.gap, (size_t)k->set.n * sizeof *k->gap_old);
  prc_rows_multiply(&k->set.H, s->v, k->u_old);
  if (*changed) choose(s);
done:
  return status;
}

/* ---- the step ------------------------------------------------------------------------------------------------------- */

/* v_work := v' with the percussions of the contacts that are in. */
static prc_status pass(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  prc_try(prc_step_contacts_solve(s->system, &s->options, k, s->t, s->v_work, &s->record.cone, err));
  prc_step_end_phase(s, PRC_STEP_contact);
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, k->action.share, k->set.p, s->v_work);
  prc_step_end_phase(s, PRC_STEP_backward);
done:
  return status;
}

static prc_status begin(prc_stepper *s, prc_error *err) {
  const prc_step_theta *w = s->work_of_scheme;
  memcpy(s->v_work, w->x, (size_t)s->n * sizeof *w->x);
  return prc_operator_begin(s->op, s->v, s->v_work, err);
}

static prc_status step(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_theta *w = s->work_of_scheme;
  int more = 1;
  prc_try(prc_step_drive(s, err));
  prc_try(prc_step_loads(s, err));
  prc_try(prc_step_begin_contacts(s, NULL, err));
  prc_step_theta_right_hand_side(s);
  memcpy(w->x, s->v_work, (size_t)s->n * sizeof *w->x);
  prc_step_end_phase(s, PRC_STEP_loads);
  prc_try(begin(s, err));
  prc_step_end_phase(s, PRC_STEP_forward);
  choose(s);
  for (s->passes = 0; more;) {
    if (s->passes++ == PASSES)
      return prc_fail(
          err, PRC_DIVERGED,
          "the step at t = %.9g does not converge: after %d passes there are still pairs that its "
          "velocities close anew; smaller steps may help",
          s->t, PASSES);
    prc_try(pass(s, err));
    more = add_closed(s) > 0;
    if (!more) prc_try(search_again(s, &more, err));
    if (more) prc_try(begin(s, err));
  }
  prc_step_theta_finish(s);
done:
  return status;
}

const prc_scheme prc_scheme_position = {
    .name = "position",
    .help = "the inelastic scheme on positions (Maury 2006): the gap at the end of the step, linear in the "
            "velocity, is what the law keeps from "
            "becoming negative; steps may be long, pairs that close within one are found",
    .laws = "one: nothing bounces",
    .takes = "no restitution; a linear system, masses in all free dofs; steps that vary",
    .order = "1",
    .theta = 1.0,
    .follows = 1,
    .has_mass = 1,
    .takes_means = 1,
    .options = PRC_OPTION_FRICTION | PRC_OPTION_PACE | PRC_OPTION_LOADS,
    .check = check,
    .promises = promises,
    .matrix = prc_step_theta_matrix,
    .create = create,
    .start = prc_step_theta_start,
    .step = step,
    .drift = prc_step_theta_drift,
    .free = prc_step_theta_free};
