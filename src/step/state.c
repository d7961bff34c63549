#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* The state of a stepper: where it begins, where it goes on, and what a step made of it. */

/* ---- the record --------------------------------------------------------------------------------------------------------- */

/* Works and energies are the scheme's; the rest is what stands in the stepper. */
void prc_step_fill_record(prc_stepper *s) {
  prc_step_record *r = &s->record;
  const prc_step_contacts *k = &s->contacts;
  r->step = s->step, r->t = s->t, r->h = s->options.h;
  r->slip_rate = prc_step_friction_slip_rate(k);
  r->n = s->n, r->n_prescribed = s->n_prescribed;
  r->q = s->q, r->v = s->v, r->m = s->m, r->f = s->f;
  r->v_old = s->v_old, r->m_old = s->m_old, r->f_old = s->f_old;
  r->v_work = s->v_work, r->F = s->F_work, r->reaction = s->reaction;
  r->prescribed = (prc_step_deviation){0};
  if (s->motion.follows) r->prescribed = prc_step_motion_compare(&s->motion, s->motion.now, s->q);
  prc_step_share_deviation(s, &r->prescribed);
  r->n_joints = s->joints.n, r->joint_length = s->system->length;
  r->joint_g = s->joints.miss, r->joint_force = s->joints.force;
  r->speed = k->speed, r->listed = k->action.implicit || k->turns, r->passes = s->passes;
  r->dim = k->set.dim, r->n_contacts = k->set.n;
  r->contacts = &k->set;
  r->gap = k->set.gap, r->p = k->set.p;
  r->u_before = k->u_before;
  r->gap_old = s->moved && (s->system->contacts.varies & PRC_CONTACTS_SET) ? k->gap_old : NULL;
  r->p_old = s->moved && s->system->contacts.ramps ? k->p_old : NULL;
  r->u_old = k->u_old, r->u_work = k->u_work, r->u = k->u;
  r->status = k->status, r->allowance = k->allowance;
  r->n_active = k->n_active, r->active = k->active;
  r->problem = prc_step_contacts_problem(k);
  r->p_active = k->p_active, r->w_active = k->w;
  r->size_least = k->size_least, r->gap_closed = k->gap_tolerance;
  r->impulse = prc_step_contacts_impulse(k);
  r->stepper = s;
}

void prc_step_work_of_contact(const prc_step_record *r, int c, double work[2]) {
  const double *p = r->p + r->dim * c, *u = r->u_work + r->dim * c;
  if (r->works) {
    memcpy(work, r->works + 2 * c, 2 * sizeof *work);
    return;
  }
  work[0] = u[0] * p[0], work[1] = 0.0;
  for (int k = 1; k < r->dim; k++) work[1] += u[k] * p[k];
}

/* Zero, or NaN where a velocity is not finite: x - x is that. */
static double not_finite(const prc_stepper *s) {
  const double *x = s->v + s->first;
  const int n = s->end - s->first;
  double sum[4] = {0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += x[i + k] - x[i + k];
  for (; i < n; i++) sum[0] += x[i] - x[i];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

/* Sums of the record over the dofs of all ranks, in one reduction. Returns 0 where the velocities of some are not finite. */
static int share_sums(prc_stepper *s) {
  prc_step_record *r = &s->record;
  double sum[5 + PRC_N_WORKS] = {r->kinetic, r->potential, r->force, r->displacement, not_finite(s)};
  memcpy(sum + 5, r->work, sizeof r->work);
  if (!s->system->share) return sum[4] == 0.0;
  prc_share_sum(s->system->share, 5 + PRC_N_WORKS, sum);
  r->kinetic = sum[0], r->potential = sum[1], r->force = sum[2], r->displacement = sum[3];
  memcpy(r->work, sum + 5, sizeof r->work);
  return sum[4] == 0.0;
}

/* The energies of the start, v'm / 2 and q'f / 2 or the potential. */
static prc_status set_energies(prc_stepper *s, prc_error *err) {
  prc_step_record *r = &s->record;
  const prc_dynamics *d = &s->system->dynamics;
  prc_sum kinetic = {0}, elastic = {0};
  r->force = r->displacement = 0.0;
  for (int i = s->first; i < s->end; i++) {
    prc_sum_add(&kinetic, 0.5 * s->v[i] * s->m[i]);
    if (d->K) prc_sum_add(&elastic, 0.5 * s->q[i] * s->f[i]);
    r->force += s->f[i] * s->f[i], r->displacement += s->q[i] * s->q[i];
  }
  r->kinetic = prc_sum_total(&kinetic), r->potential = prc_sum_total(&elastic);
  memset(r->work, 0, sizeof r->work);
  (void)share_sums(s);
  if (!(d->varies & PRC_INTERNAL_NONLINEAR)) return PRC_OK;
  return d->internal(s->system->owner, &(prc_at){s->t, s->q, s->v}, NULL, &r->potential, err);
}

/* ---- beginning ------------------------------------------------------------------------------------------------------------ */

/* Gaps at a place, and H where it is not that already. */
static void evaluate_contacts(prc_stepper *s, const prc_at *at, int with_H) {
  const prc_system *system = s->system;
  if (s->contacts.set.n == 0) return;
  system->contacts.evaluate(system->owner, at, with_H ? PRC_EVALUATE_GAP | PRC_EVALUATE_H : PRC_EVALUATE_GAP,
                            &s->contacts.set);
}

static prc_at present(const prc_stepper *s) {
  return (prc_at){s->t, s->q, s->v};
}

void prc_step_evaluate_contacts(prc_stepper *s) {
  const prc_at at = present(s);
  evaluate_contacts(s, &at, 1);
}

/* V_k: of steps that vary, that of the state where a run goes on. */
prc_status prc_step_enter_motion(prc_stepper *s, prc_error *err) {
  if (!prc_step_varies(&s->options)) return prc_step_motion_enter(&s->motion, s->step, s->vp, err);
  for (int i = 0; i < s->n_prescribed; i++) s->vp[i] = s->v[s->system->drive.dof[i]];
  return prc_step_motion_enter_at(&s->motion, s->t, s->options.h, s->vp, err);
}

/* Failures of single ranks are agreed on before the ranks add up. */
static prc_status agree(const prc_stepper *s, prc_status status, prc_error *err) {
  return prc_ranks_agree(s->system->share ? s->system->share->ranks : NULL, status, err);
}

/* Loads, prescribed velocities and contact quantities at the present step. */
static prc_status enter_here(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_at at = {s->t, s->q, s->v};
  prc_try(prc_step_loads_at(s, s->t, s->F, err));
  prc_step_add_force(s, s->F);
  memcpy(s->F_next, s->F, (size_t)s->n * sizeof *s->F);
  memcpy(s->F_work, s->F, (size_t)s->n * sizeof *s->F);
  prc_try(prc_step_enter_motion(s, err));
  prc_step_evaluate_contacts(s);
  prc_try(prc_step_values_enter(s, err));
  prc_try(prc_step_joints_end(&s->joints, &at, err));
  prc_step_values_settle(s);
  prc_try(prc_step_joints_impose(&s->joints, s->op, 1, NULL, INFINITY, err));
  prc_step_joints_measure(&s->joints, s->options.h, s->v);
done:
  return status;
}

prc_status prc_step_enter(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_carried = s->system->overlaps.n_carried;
  s->moved = 0, s->passes = 1;
  for (int k = 0; k < n_carried; k++) s->overlaps[k] = 0.0;
  memcpy(s->v_old, s->v, (size_t)s->n * sizeof *s->v);
  prc_try(agree(s, enter_here(s, err), err));
  prc_try(prc_step_contacts_condense_all(&s->contacts, err));
  s->contacts.n_active = 0;
  s->record.cone = (prc_cone_info){.converged = 1, .finished = "nothing to do"};
  prc_rows_multiply(&s->contacts.set.H, s->v, s->contacts.u);
  prc_try(set_energies(s, err));
  prc_step_fill_record(s);
done:
  return status;
}

prc_status prc_step_check_numbers(const char *name, int n, const double *x, prc_error *err) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return prc_fail(err, PRC_INPUT, "%s[%d] is %g, expected a finite number", name, i, x[i]);
  return PRC_OK;
}

static prc_status start_here(prc_stepper *s, const double *q, const double *v, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  int changed;
  prc_try(prc_step_check_numbers("q", s->nq, q, err));
  if (s->scheme->has_mass) prc_try(prc_step_check_numbers("v", s->n, v, err));
  s->step = 0;
  if (prc_step_varies(&s->options)) prc_try(prc_step_ladder_set(s, s->pace_first, err));
  prc_step_pace_enter(s, NULL);
  memcpy(s->q, q, (size_t)s->nq * sizeof *q);
  if (s->scheme->has_mass) memcpy(s->v, v, (size_t)s->n * sizeof *v);
  prc_try(prc_step_enter_motion(s, err));
  if (system->drive.displacement && (s->scheme->follows || s->scheme->exact))
    prc_try(prc_step_motion_check_start(&s->motion, 0.0, q, s->vp, err));
  for (int i = 0; i < s->n_prescribed; i++) s->v[system->drive.dof[i]] = s->vp[i];
  prc_try(prc_step_joints_check_start(&s->joints, &(prc_at){0.0, s->q, s->v}, s->options.h, err));
  s->scheme->start(s);
  memset(s->f, 0, (size_t)s->n * sizeof *s->f);
  if (system->dynamics.K) prc_sym_multiply(system->dynamics.K, s->q, s->f);
  if (system->dynamics.varies & PRC_INTERNAL_NONLINEAR)
    prc_try(system->dynamics.internal(system->owner, &(prc_at){0.0, s->q, s->v}, s->f, NULL, err));
  prc_step_contacts_forget(&s->contacts);
  s->contacts.starts = 1;
  prc_step_contacts_set_speed(system, &s->options, 0.0, &s->contacts);
  const prc_at at = present(s); /* the first step looks for its own */
  status = prc_step_contacts_search(system, &s->options, &at, &s->contacts, &changed, err);
done:
  return status;
}

prc_status prc_stepper_start(prc_stepper *s, const double *q, const double *v, prc_error *err) {
  prc_need(s, err);
  prc_need(q, err);
  prc_need(v, err);
  prc_status status = PRC_OK;
  prc_try(agree(s, start_here(s, q, v, err), err));
  prc_try(prc_step_enter(s, err));
  if (s->scheme->begin) {
    prc_try(s->scheme->begin(s, err));
    prc_step_fill_record(s);
  }
done:
  return status;
}

/* Contacts that come and go are searched where the next step begins, which carries those along that are in the set now: so they must be in it. */
prc_status prc_step_restore_contacts(prc_stepper *s, const prc_step_state *from, prc_error *err) {
  prc_contact_set *set = &s->contacts.set;
  const size_t of_p = (size_t)set->dim * sizeof *set->p, of_state = PRC_LAW_STATE * sizeof *set->state;
  prc_status status = PRC_OK;
  int changed;
  const prc_at at = prc_step_place_of_contacts(s);
  prc_try(prc_step_contacts_search(s->system, &s->options, &at, &s->contacts, &changed, err));
  prc_step_contacts_forget(&s->contacts); /* what was found at the start of the run */
  if (set->dim >= 3 && set->n > 0) memset(set->base, 0, 9 * (size_t)set->n * sizeof *set->base);
  for (int k = 0; k < from->n_contacts; k++) {
    const int c = from->id ? prc_contact_set_place(set, &from->id[k]) : k;
    if (c < 0 || c >= set->n) continue; /* it has opened since, or its features have changed */
    memcpy(set->p + set->dim * c, from->p + set->dim * k, of_p);
    if (from->state) memcpy(set->state + PRC_LAW_STATE * c, from->state + PRC_LAW_STATE * k, of_state);
    for (int i = 0; from->kept && i < set->n_kept; i++)
      set->kept[set->n_kept * c + i] = from->kept[set->n_kept * k + i];
    if (set->dim >= 3 && from->axes) memcpy(set->base + 9 * c, from->axes + 9 * k, 9 * sizeof *set->base);
  }
  if ((s->system->contacts.varies & PRC_CONTACTS_SET) && from->id && from->state && from->place)
    prc_try(prc_contact_set_restore(set, from->n_contacts, from->id, from->p, from->state, from->kept,
                                    from->place, from->axes, from->lasts, from->n_away, from->away, err));
done:
  return status;
}

/* Percussions stand in the frames of their step, from which the next goes on, and not in those of the present state. */
void prc_step_restore_axes(prc_contact_set *set) {
  for (int c = 0; set->dim >= 3 && c < set->n; c++) {
    const double *base = set->base + 9 * c;
    if (base[0] != 0.0 || base[1] != 0.0 || base[2] != 0.0) memcpy(set->axes + 9 * c, base, 9 * sizeof *base);
  }
}

prc_status prc_stepper_resume(prc_stepper *s, const prc_step_state *from, prc_error *err) {
  prc_need(s, err);
  prc_need(from, err);
  prc_need(from->q, err);
  prc_need(from->v, err);
  prc_need(from->m, err);
  prc_need(from->f, err);
  prc_status status = PRC_OK;
  if (prc_step_varies(&s->options) && !from->clock)
    return prc_fail(err, PRC_INPUT, "steps vary, expected the clock of the state that they go on from");
  s->step = from->step;
  s->contacts.starts = s->step == 0 && from->n_contacts == 0;
  if (prc_step_varies(&s->options)) s->options.h = from->clock->h;
  prc_step_pace_enter(s, from->clock);
  memcpy(s->q, from->q, (size_t)s->nq * sizeof *s->q);
  memcpy(s->v, from->v, (size_t)s->n * sizeof *s->v);
  memcpy(s->m, from->m, (size_t)s->n * sizeof *s->m);
  memcpy(s->f, from->f, (size_t)s->n * sizeof *s->f);
  prc_step_contacts_set_speed(s->system, &s->options, from->speed, &s->contacts);
  prc_try(agree(s, prc_step_restore_contacts(s, from, err), err));
  prc_try(prc_step_enter(s, err));
  prc_step_restore_axes(&s->contacts.set);
done:
  return status;
}

prc_status prc_stepper_visit(prc_stepper *s, prc_step_visit *visit, void *to, prc_error *err) {
  prc_need(s, err);
  prc_need(visit, err);
  const int n = s->system->overlaps.n_carried;
  prc_status status = s->scheme->visit ? s->scheme->visit(s, visit, to, err) : PRC_OK;
  if (status == PRC_OK && n > 0) status = visit(to, "overlaps", (size_t)n, s->overlaps, err);
  if (status == PRC_OK && s->contacts.set.n_noted > 0 && (s->system->contacts.varies & PRC_CONTACTS_SET))
    status = visit(to, "velocity_before", (size_t)s->n, s->v_old, err);
  return status;
}

prc_status prc_stepper_foresee(prc_stepper *s, int n_steps, prc_error *err) {
  prc_need(s, err);
  prc_status status = prc_step_motion_foresee(&s->motion, s->step, n_steps, s->vp_next, err);
  if (prc_step_varies(&s->options)) return status;
  if (status == PRC_OK) status = prc_step_motion_enter(&s->motion, s->step, s->vp, err);
  if (status != PRC_OK || !s->values.follows) return status;
  status = prc_step_motion_foresee(&s->values.motion, s->step, n_steps, s->values.V, err);
  return status == PRC_OK ? prc_step_values_enter(s, err) : status;
}

void prc_stepper_state(const prc_stepper *s, double *v, double *m, double *f) {
  const size_t bytes = (size_t)s->n * sizeof *s->v;
  if (v) memcpy(v, s->v, bytes);
  if (m) memcpy(m, s->m, bytes);
  if (f) memcpy(f, s->f, bytes);
}

/* ---- for schemes ------------------------------------------------------------------------------------------------------------ */

void prc_step_end_phase(prc_stepper *s, int phase) {
  if (!s->options.timed) return;
  const double now = prc_clock();
  s->seconds[phase] += now - s->since;
  s->since = now;
}

static int has_directions(const prc_stepper *s) {
  return (s->scheme->options & PRC_OPTION_DIRECTIONS) != 0;
}

/* Are gaps, and H with them, those of the middle of the step? */
int prc_step_is_in_middle(const prc_stepper *s) {
  if (has_directions(s) && s->options.directions == PRC_DIRECTIONS_MIDDLE) return 1;
  return s->scheme->middle && s->options.directions == PRC_DIRECTIONS_CENTRE
         && !(s->system->contacts.varies & PRC_CONTACTS_H);
}

/* By the velocity of the step's beginning, so far into it. */
static prc_at ahead(prc_stepper *s, double way) {
  prc_step_coordinates(s, way, s->v, s->work2);
  return (prc_at){s->t + way, s->work2, s->v};
}

/* In the middle of the step, or at its beginning. */
prc_at prc_step_place_of_contacts(prc_stepper *s) {
  return prc_step_is_in_middle(s) ? ahead(s, 0.5 * s->options.h) : present(s);
}

/* May one of them be active, so that its H counts? */
static int is_near(const prc_step_contacts *k) {
  for (int c = 0; c < k->set.n; c++)
    if (k->set.gap[c] <= fmax(k->gap_tolerance, k->set.stay[c])) return 1;
  return 0;
}

#define FAR                                                                                                  \
  0.1 /* of the size of a body: what goes in so far on the way to q_c may have come out on the other side */

int prc_step_goes_far(const prc_step_contacts *k, int c, double way) {
  return k->set.size[c] > 0.0 && -way * k->u_old[k->set.dim * c] > FAR * k->set.size[c];
}

/* H of q_c, but for contacts that go in far on the way there: those stay as they were found. */
static void evaluate_at_centre(prc_stepper *s, double way) {
  prc_step_contacts *k = &s->contacts;
  prc_rows *H = &k->set.H;
  prc_step_centre(s, s->q, s->v, s->work2);
  const prc_at at = {s->t + way, s->work2, s->v};
  int *far = &k->goes_far;
  for (int c = 0; c < k->set.n; c++) {
    if (!prc_step_goes_far(k, c, way)) continue;
    const int first = H->dim * H->start[c], n = H->dim * (H->start[c + 1] - H->start[c]);
    memcpy(k->H_old + first, H->x + first, (size_t)n * sizeof *H->x);
    *far = 1;
  }
  s->system->contacts.evaluate(s->system->owner, &at, PRC_EVALUATE_H | PRC_EVALUATE_CENTRE, &k->set);
  for (int c = 0; *far && c < k->set.n; c++) {
    if (!prc_step_goes_far(k, c, way)) continue;
    const int first = H->dim * H->start[c], n = H->dim * (H->start[c + 1] - H->start[c]);
    memcpy(H->x + first, k->H_old + first, (size_t)n * sizeof *H->x);
  }
}

/* Directions that turn are those of q_c = q_k (+) (1 - theta) h v_k. With v_{k+theta} = v' - (1 - theta) dv and v' x M v' = 0 translations have, whatever pushes,
 *
 *   L' - L = sum (x_k + (1 - theta) h v_k) x m dv,
 *
 * so that pairs of percussions at one place keep L where their arms are those of q_c. u_k stays H(q_k) v_k: with H(q_c) a contact that turns would seem to approach, or to
 * part, by h v^2 / R. At rest u_k = 0 then gives u_{k+theta} = 0, and its place keeps to second order. */
static void move_directions(prc_stepper *s) {
  const double way = (s->mixed ? 0.5 : 1.0 - s->options.theta) * s->options.h; /* the longest */
  s->contacts.goes_far = 0;
  if (!has_directions(s) || s->options.directions != PRC_DIRECTIONS_CENTRE || way == 0.0) return;
  if (!(s->system->contacts.varies & PRC_CONTACTS_H) || s->contacts.action.implicit || !is_near(&s->contacts))
    return;
  evaluate_at_centre(s, way);
}

/* Of friction as percussions that are solved to 1e-10 know it: strictly inside the cone. */
#define INSIDE 1e-6

static char what_is_known(const prc_step_contacts *k, int c, double way) {
  const double *p = k->set.p + k->set.dim * c;
  char known = 0;
  double squares = 0.0;
  if (prc_step_goes_far(k, c, way)) known |= PRC_CONTACT_FAR;
  if (!(p[0] > 0.0)) return known;
  known |= PRC_CONTACT_PUSHED;
  for (int r = 1; r < k->set.dim; r++) squares += p[r] * p[r];
  if (sqrt(squares) < (1.0 - INSIDE) * prc_step_friction_of(k, c) * p[0]) known |= PRC_CONTACT_STUCK;
  return known;
}

/* Driven bodies move by data: the rows of contacts with them are those of the displacements over the step. */
static prc_status carry_contacts(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  prc_step_contacts *k = &s->contacts;
  const double h = s->options.h, theta = s->options.theta, *v = s->v;
  if (!has_directions(s) || s->options.directions != PRC_DIRECTIONS_CENTRE || !system->contacts.carry
      || system->drive.rest || k->action.implicit || !is_near(k))
    return PRC_OK;
  prc_try(prc_step_friction_begin(k, s->t, theta * h, err));
  for (int i = 0; i < s->n; i++) s->work[i] = h * v[i];
  for (int r = 0; r < s->n_prescribed; r++) {
    const double own = prc_step_theta_of(s, system->drive.dof[r]);
    s->work[system->drive.dof[r]] = h * ((1.0 - own) * s->vp[r] + own * s->vp_next[r]);
  }
  const double ahead = (s->mixed ? 0.5 : 1.0 - theta) * h; /* of rigid bodies, which these are */
  for (int c = 0; c < k->set.n; c++) k->known[c] = what_is_known(k, c, ahead);
  const prc_contact_step step = {
      .q = s->q, .v = v, .dx = s->work, .h = h, .ahead = ahead, .known = k->known, .u = k->u_old};
  system->contacts.carry(system->owner, &step, &k->set);
done:
  return status;
}

/* The gaps that activation looks at instead of those of the step. */
static void predict_gaps(prc_stepper *s, const double *v_free) {
  const double h = s->options.h, *v = v_free ? v_free : s->v;
  if (s->options.prediction == PRC_PREDICT_PRESENT || s->contacts.set.n == 0) return;
  prc_step_coordinates(s, h, v, s->work2);
  memcpy(s->contacts.gap_predicted, s->contacts.set.gap, (size_t)s->contacts.set.n * sizeof(double));
  evaluate_contacts(s, &(prc_at){s->t + h, s->work2, v}, 0);
  prc_step_contacts_exchange_gaps(&s->contacts);
}

/* A search by v_free lists those that the step without contact would close. */
prc_status prc_step_search_contacts(prc_stepper *s, const double *v_free, int *changed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  prc_at at = prc_step_place_of_contacts(s);
  prc_step_note_depths(s);
  if (v_free) at.v = v_free;
  prc_try(prc_step_contacts_search(s->system, &s->options, &at, k, changed, err));
  at = present(s);
  evaluate_contacts(s, &at, !prc_step_is_in_middle(s));
  if (k->set.n > 0) memcpy(k->gap_old, k->set.gap, (size_t)k->set.n * sizeof *k->gap_old);
done:
  return status;
}

/* Contacts of this step, u_k, and which are active: gaps and H at q_k are of the end of the last step, but
 * where contacts come and go or are looked at in the middle. */
prc_status prc_step_begin_contacts(prc_stepper *s, const double *v_free, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  int changed;
  if (s->system->contacts.varies & PRC_CONTACTS_SET)
    prc_try(prc_step_search_contacts(s, v_free, &changed, err));
  else
    prc_contact_set_keep_axes(&k->set);
  if (prc_step_is_in_middle(s)) {
    const prc_at at = prc_step_place_of_contacts(s);
    evaluate_contacts(s, &at, s->system->contacts.varies != 0);
  }
  predict_gaps(s, v_free);
  prc_rows_multiply(&k->set.H, s->v, k->u_old);
  prc_try(prc_step_contacts_check(k, s->t, err));
  move_directions(s);
  prc_try(carry_contacts(s, err));
  if (k->ramps) prc_step_contacts_lean(s->system, &s->options, k);
  prc_step_contacts_activate(&s->options, k);
  prc_step_arms_begin(s);
  for (int c = 0; s->system->contacts.ramps && c < k->set.n; c++)
    k->p_old[c] = k->warm * k->set.p[k->set.dim * c];
  prc_step_note_contacts(s);
done:
  return status;
}

prc_status prc_step_drive(prc_stepper *s, prc_error *err) {
  const prc_at at = present(s);
  if (prc_step_varies(&s->options))
    return prc_step_motion_advance_by(&s->motion, &at, s->options.h, prc_step_time_after(s), s->vp_next, err);
  return prc_step_motion_advance(&s->motion, s->step + 1, s->vp_next, err);
}

const double *prc_step_find_way(prc_stepper *s) {
  const char *mean = s->system->space.mean;
  if (!s->way) return s->v_work;
  for (int i = 0; i < s->n; i++)
    s->way[i] = mean[i] ? s->v[i] + (s->v_work[i] - s->v[i]) / (2.0 * s->options.theta) : s->v_work[i];
  return s->way;
}

/* w_m - w_theta = (1/2 - theta) dw; at w_m the gyroscopic term works nothing. It is positive at most where a body that turns is pushed: with J dw = p + h tau, tau all that is no
 * percussion, it is -(theta - 1/2) (p + h tau/2)^2 / J + (theta - 1/2) h^2 tau^2 / (4 J), of each axis. */
double prc_step_work_of_means(prc_stepper *s) {
  const prc_sym *M = s->system->dynamics.M;
  const double share = s->options.theta - 0.5;
  double work = 0.0, allowance = 0.0, *p = s->work;
  s->record.numerical_allowance = 0.0;
  if (!s->way) return 0.0;
  memset(p, 0, (size_t)s->n * sizeof *p);
  prc_step_contacts_apply(&s->contacts, 1.0, p);
  for (int i = 0; i < s->n; i++) {
    if (!s->system->space.mean[i] || p[i] == 0.0) continue;
    const double rest = s->m[i] - s->m_old[i] - p[i];
    work -= share * (s->v[i] - s->v_old[i]) * p[i];
    allowance += 0.25 * share * rest * rest / M->x[M->p[i]];
  }
  s->record.numerical_allowance = allowance;
  return work;
}

void prc_step_next_state(prc_stepper *s) {
  const double *way = prc_step_find_way(s);
  prc_step_exchange(&s->v, &s->v_old);
  prc_step_exchange(&s->m, &s->m_old);
  prc_step_exchange(&s->f, &s->f_old);
  prc_step_coordinates(s, s->options.h, way, s->q);
}

void prc_step_move(const prc_stepper *s, const double *q, double way, const double *v, double *out) {
  if (s->system->space.advance) {
    for (int i = 0; i < s->n; i++) s->work[i] = way * v[i];
    s->system->space.advance(s->system->owner, q, s->work, out);
    return;
  }
  for (int i = 0; i < s->n; i++) out[i] = q[i] + way * v[i];
}

void prc_step_coordinates(const prc_stepper *s, double h, const double *v, double *q) {
  prc_step_move(s, s->q, h, v, q);
}

/* Prescribed rows: v' is the datum, m' = (M v')_p, and the reaction is what the equation of motion lacks there,
 *   R = dm / h + f_theta + C v_work - F - H'p / h.
 * On entry their m holds what the recursion gives without R, m_free' = m' - h R / factor. */
void prc_step_prescribed_rows(prc_stepper *s, double factor) {
  const int *dof = s->system->drive.dof;
  for (int r = 0; r < s->n_prescribed; r++) s->v[dof[r]] = s->vp_next[r];
  for (int r = 0; r < s->n_prescribed; r++) {
    double m = 0.0;
    for (int k = s->rows.start[r]; k < s->rows.start[r + 1]; k++) m += s->rows.M[k] * s->v[s->rows.column[k]];
    s->reaction[r] = (m - s->m[dof[r]]) * factor / s->options.h;
    s->m[dof[r]] = m;
  }
}

/* Increments of the energies and the works of loads and prescribed motions, over all dofs: 1/2 d(v'Mv) = (v + v')/2 . M dv, and likewise
 * for K. Nothing here is the difference of two large energies. */
void prc_step_bulk_works(prc_stepper *s) {
  prc_step_record *r = &s->record;
  const prc_drive *drive = &s->system->drive;
  const double h = s->options.h, *way = prc_step_way(s);
  double kinetic = 0.0, elastic = 0.0, external = 0.0, force = 0.0, displacement = 0.0;
  for (int i = s->first; i < s->end; i++) {
    const double v = s->v_work[i], f = s->f[i], q = s->q[i];
    kinetic += 0.5 * (s->v[i] + s->v_old[i]) * (s->m[i] - s->m_old[i]);
    elastic += 0.5 * (f + s->f_old[i]) * v;
    external += way[i] * s->F_work[i];
    force += f * f;
    displacement += q * q;
  }
  double driven = 0.0, held = 0.0;
  for (int k = 0; k < s->n_prescribed; k++)
    if (prc_step_is_own(s, drive->dof[k]))
      *(drive->work && drive->work[k] ? &driven : &held) += s->v_work[drive->dof[k]] * s->reaction[k];
  r->kinetic = kinetic, r->potential = h * elastic;
  r->force = force, r->displacement = displacement;
  r->work[PRC_WORK_external] = h * (external + held);
  r->work[PRC_WORK_driven] = h * driven;
}

void prc_step_part_boundary(prc_stepper *s) {
  const prc_sym *C = s->system->dynamics.C_boundary;
  double *work = s->record.work, sum = 0.0;
  work[PRC_WORK_boundary] = 0.0; /* of ranks some may have none of it */
  if (!C) return;
  prc_sym_multiply(C, s->v_work, s->work2);
  for (int i = s->first; i < s->end; i++) sum += s->v_work[i] * s->work2[i];
  work[PRC_WORK_boundary] = -s->options.h * sum;
  work[PRC_WORK_damping] -= work[PRC_WORK_boundary];
}

/* ---- the step --------------------------------------------------------------------------------------------------------------- */

/* T' - T = v_m . M dv: of percussions u_m . p, whatever velocity the theorem weighs them with. Rows without mass have no dv, and schemes by levels and theta = 1/2 work at the mean. */
static void find_means(prc_stepper *s) {
  prc_step_contacts *k = &s->contacts;
  const int same = !s->scheme->has_mass || s->scheme->exact || s->options.theta == 0.5 || k->action.massless;
  s->record.u_mean = same ? NULL : k->u_mean;
  if (same || k->set.n == 0) return;
  prc_rows_multiply(&k->set.H, s->v_old, k->u_before);
  for (int i = 0; i < k->set.dim * k->set.n; i++) k->u_mean[i] = 0.5 * (k->u_before[i] + k->u[i]);
  if (s->mixed) prc_step_mix_means(s);
}

static void judge_overlaps(prc_stepper *s) {
  const prc_system_overlaps *overlaps = &s->system->overlaps;
  if (overlaps->n_carried > 0)
    overlaps->indicator(overlaps->owner, s->q_old, s->q, s->late, s->overlaps,
                        &s->record.indicator[PRC_INDICATOR_overlap]);
}

static prc_status finish(prc_stepper *s, prc_error *err) {
  prc_step_contacts *k = &s->contacts;
  if (!share_sums(s)) {
    prc_step_fill_record(s); /* with the contact problem that it came from */
    return prc_fail(err, PRC_DIVERGED, "the velocities or reactions are not finite at t = %.9g", s->t);
  }
  prc_rows_multiply(&k->set.H, s->v_work, k->u_work);
  prc_rows_multiply(&k->set.H, s->v, k->u);
  find_means(s);
  if (k->ramps) prc_step_contacts_keep_slides(k);
  if (s->mixed) prc_step_mix_keep(s);
  k->starts = 0, s->record.breakdown = prc_step_friction_breakdown(k);
  prc_step_friction_advance(k, s->options.h);
  prc_step_judge_moments(s);
  prc_step_note_slides(s);
  /* those that come and go are evaluated when the next step looks for them; until then H is that of the step, with which p worked */
  const prc_at at = present(s);
  const int anew = s->system->contacts.varies == PRC_CONTACTS_H;
  if (anew) prc_contact_set_keep_axes(&k->set);
  evaluate_contacts(s, &at, anew);
  if (s->system->passed) s->system->passed(s->system->owner, s->q_old, &at, s->record.indicator);
  const prc_status status = prc_step_joints_end(&s->joints, &(prc_at){s->t, s->q, s->v}, err);
  judge_overlaps(s);
  prc_step_note_stops(s);
  prc_step_fill_record(s);
  return status;
}

/* Parts of loads and motions that the step from `before` on did not see. All ranks get the worst of all. */
static void sample(prc_stepper *s, double before) {
  prc_indicator *indicator = &s->record.indicator[PRC_INDICATOR_sampling];
  prc_step_motion_sample(&s->motion, s->step, before, s->t, indicator);
  if (s->values.given) prc_step_motion_sample(&s->values.motion, s->step, before, s->t, indicator);
  prc_indicator_worst(indicator, &s->sampling);
  s->record.indicator[PRC_INDICATOR_sampled_loads] = s->sampled_loads;
  if (!s->system->share) return;
  double worst[2] = {indicator->scale > 0.0 ? indicator->value / indicator->scale : 0.0, indicator->scale};
  prc_share_largest(s->system->share, 2, worst);
  *indicator = (prc_indicator){.value = worst[0] * worst[1], .scale = worst[1], .a = -1, .b = -1};
}

prc_status prc_stepper_step(prc_stepper *s, prc_error *err) {
  prc_need(s, err);
  prc_status status = PRC_OK;
  const double before = s->t;
  if (s->options.timed) s->since = prc_clock();
  s->passes = 1;
  memset(s->record.indicator, 0, sizeof s->record.indicator);
  if (s->system->passed || s->overlaps || s->system->moment || s->system->contacts.slid)
    memcpy(s->q_old, s->q, (size_t)s->nq * sizeof *s->q);
  prc_try(prc_step_pace_begin(s, err));
  prc_cone_solver_set_step(s->contacts.solver,
                           (uint64_t)s->step + 1); /* what is drawn for a step is that of its number */
  s->contacts.normals.step = (uint64_t)s->step + 1;
  prc_try(prc_step_values_advance(s, err));
  prc_try(s->scheme->step(s, err));
  if (s->system->dynamics.varies) prc_step_exchange(&s->F, &s->F_next);
  prc_step_exchange(&s->vp, &s->vp_next);
  s->step++;
  s->moved = 1;
  prc_step_pace_end(s);
  prc_step_values_end(s);
  sample(s, before);
  status = finish(s, err);
  prc_step_pace_choose(s);
  prc_step_end_phase(s, PRC_STEP_state);
done:
  return status;
}
