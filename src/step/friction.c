#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* The friction of a step: mu of each contact from its law, its state in the middle of the step, and its speed.
 *
 * Where mu depends on what the step itself makes of the state it is taken at D_{k+theta}, which is known beforehand to the second order: a contact that slipped in
 * the last step goes on at |u_T,k|; one that stuck has a velocity that only changes its sign at theta = 1/2, and stays. Where mu is a function of the speed the contact
 * problem asks for it, at a state that has gone on by theta h at the speed of the last step, and once more at that which the first solution has. */

static const double *parameters_of(const prc_step_contacts *k, int c) {
  const prc_law *law = k->set.law[c];
  return law->formulas ? k->parameter + PRC_LAW_PARAMETERS * c : law->parameter;
}

static double *middle_of(const prc_step_contacts *k, int c) {
  return k->middle + PRC_LAW_STATE * c;
}

void prc_step_friction_classify(const prc_system *system, prc_step_contacts *k) {
  k->of_speed = 0;
  for (int c = 0; c < k->set.n; c++) k->of_speed |= k->set.law[c]->friction->of_speed;
  for (int i = 0; i < system->contacts.n_laws; i++)
    k->of_speed |= system->contacts.law[i]->friction->of_speed;
  if (k->set.dim < 2) k->of_speed = 0;
}

/* ---- before the contact problem ------------------------------------------------------------------------------------------ */

static void go_on(prc_step_contacts *k, int c, double way, double speed) {
  const prc_friction *friction = k->set.law[c]->friction;
  const prc_law_slip slip = {speed, speed > 0.0};
  memcpy(middle_of(k, c), k->set.state + PRC_LAW_STATE * c, PRC_LAW_STATE * sizeof(double));
  if (friction->passes > 0 && friction->n_state > 0)
    friction->advance(parameters_of(k, c), way, &slip, middle_of(k, c));
}

static double speed_before(const prc_step_contacts *k, int c) {
  return prc_step_norm(k->set.dim - 1, k->u_old + k->set.dim * c + 1);
}

prc_status prc_step_friction_begin(prc_step_contacts *k, double t, double way, prc_error *err) {
  prc_status status = PRC_OK;
  for (int c = 0; c < k->set.n; c++) {
    const prc_law *law = k->set.law[c];
    const double slipped = k->set.state[PRC_LAW_STATE * c + PRC_LAW_SPEED];
    if (prc_law_is_constant(law)) continue;
    if (law->formulas)
      prc_try(prc_law_parameters_at(law, t + way, k->parameter + PRC_LAW_PARAMETERS * c, err));
    if (law->friction->of_speed)
      go_on(k, c, way, slipped > 0.0 ? slipped : speed_before(k, c));
    else
      go_on(k, c, way, slipped > 0.0 ? speed_before(k, c) : 0.0);
  }
done:
  return status;
}

double prc_step_friction_of(const prc_step_contacts *k, int c) {
  const prc_law *law = k->set.law[c];
  if (prc_law_is_constant(law)) return law->friction->friction(law->parameter, NULL, 0.0, NULL);
  return law->friction->friction(parameters_of(k, c), middle_of(k, c), speed_before(k, c), NULL);
}

double prc_step_friction_at_speed(const void *owner, int i, double speed, double *slope) {
  const prc_step_contacts *k = owner;
  const int c = k->active[i];
  if (k->set.law[c]->friction->of_speed)
    return k->set.law[c]->friction->friction(parameters_of(k, c), middle_of(k, c), speed, slope);
  if (slope) *slope = 0.0;
  return k->mu[i];
}

/* ---- after it --------------------------------------------------------------------------------------------------------------- */

/* Speeds are those of the law that are nearest to what was solved: where percussions are large, the rounding of w is not below them. They stand in the last number of
 * states in the middle. */
static void find_speeds(prc_step_contacts *k, const prc_cone_problem *problem) {
  prc_cone_friction_found(problem, k->p_active, k->w, k->mu, k->speed_found);
  for (int i = 0; i < k->n_active; i++) middle_of(k, k->active[i])[PRC_LAW_SPEED] = k->speed_found[i];
}

int prc_step_friction_again(prc_step_contacts *k, const prc_cone_problem *problem, double way) {
  int again = 0;
  find_speeds(k, problem);
  for (int i = 0; i < k->n_active; i++) {
    const prc_friction *friction = k->set.law[k->active[i]]->friction;
    if (!friction->of_speed || friction->passes < 2) continue;
    go_on(k, k->active[i], way, k->speed_found[i]);
    again = 1;
  }
  return again;
}

void prc_step_friction_end(prc_step_contacts *k, const prc_cone_problem *problem) {
  if (k->of_speed) find_speeds(k, problem);
}

/* Where mu is a function of the speed p_T is mu p_N of another speed, by the error of the contact problem: whether it slips is said by p_T - rho u_T, which leaves the
 * cone if it does. What is zero at rest never sticks. */
int prc_step_friction_status(const prc_step_contacts *k, int i, double rho) {
  const int dim = k->set.dim, c = k->active[i];
  const double *p = k->p_active + dim * i, *w = k->w + dim * i;
  double square = 0.0;
  if (!(p[0] > 0.0) || dim < 2 || !k->set.law[c]->friction->of_speed)
    return (int)prc_cone_status_of(dim, k->mu[i], p);
  if (prc_step_friction_at_speed(k, i, 0.0, NULL) == 0.0) return PRC_CONE_SLIP;
  for (int r = 1; r < dim; r++) square += (p[r] - rho * w[r]) * (p[r] - rho * w[r]);
  return sqrt(square) > k->mu[i] * p[0] ? PRC_CONE_SLIP : PRC_CONE_STICK;
}

/* ---- at the end of the step --------------------------------------------------------------------------------------------------- */

static void begin_state(const prc_law *law, double *state) {
  memset(state, 0, PRC_LAW_STATE * sizeof *state);
  if (law->friction->start) law->friction->start(law->parameter, state);
}

void prc_step_friction_forget(prc_step_contacts *k) {
  for (int c = 0; c < k->set.n; c++) begin_state(k->set.law[c], k->set.state + PRC_LAW_STATE * c);
}

static double speed_of_work(const prc_step_contacts *k, int c) {
  if (k->set.law[c]->friction->of_speed) return middle_of(k, c)[PRC_LAW_SPEED];
  return prc_step_norm(k->set.dim - 1, k->u_work + k->set.dim * c + 1);
}

/* Newton's law stops u_{k+1}: in the step that stops it a contact goes on by u_{k+theta}, and that is its slip, not an error. */
void prc_step_friction_advance(prc_step_contacts *k, double h) {
  const int dim = k->set.dim, late = k->action.newton && k->action.share < k->action.scale;
  for (int c = 0; c < k->set.n; c++) {
    const prc_law *law = k->set.law[c];
    double *state = k->set.state + PRC_LAW_STATE * c;
    if (prc_law_is_constant(law) || law->friction->n_state == 0) continue;
    if (!(k->set.p[dim * c] > 0.0) && law->friction->forgets) {
      begin_state(law, state);
      continue;
    }
    const int slips = k->set.p[dim * c] > 0.0 && k->status[c] == PRC_CONE_SLIP;
    const double speed = k->set.p[dim * c] > 0.0 ? speed_of_work(k, c) : 0.0;
    const prc_law_slip slip = {speed, slips || (late && state[PRC_LAW_SPEED] > 0.0)};
    law->friction->advance(parameters_of(k, c), h, &slip, state);
    state[PRC_LAW_SPEED] = slips ? speed : 0.0;
  }
}

double prc_step_friction_breakdown(const prc_step_contacts *k) {
  double work = 0.0;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], dim = k->set.dim;
    const prc_law *law = k->set.law[c];
    if (!law->friction->residual || k->status[c] != PRC_CONE_SLIP) continue;
    work += (k->mu[i] - law->friction->residual(parameters_of(k, c))) * k->p_active[dim * i]
            * speed_of_work(k, c);
  }
  return work;
}

double prc_step_friction_slip_rate(const prc_step_contacts *k) {
  const int dim = k->set.dim;
  double rate = 0.0;
  for (int c = 0; c < k->set.n; c++) {
    const prc_law *law = k->set.law[c];
    if (!law->friction->length || !(k->set.p[dim * c] > 0.0)) continue;
    const double length = law->friction->length(parameters_of(k, c));
    if (length > 0.0) rate = fmax(rate, prc_step_norm(dim - 1, k->u_work + dim * c + 1) / length);
  }
  return rate;
}
