#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SETTLED     1e-4  /* of what a load step moves: what its last pass may change ... */
#define CLOSER      0.95  /* of the least change so far: what a pass may change, or passes go round */
#define SHORTEST    0.125 /* of the way to where contacts are looked at next */
#define FINE        1e-9  /* ... and what is enough */
#define LACK        1e-11 /* of the forces: what equilibrium may lack before it is refined */
#define LEFT        1e-6 /* of twice the elastic energy: what contacts may leave before they are solved to more, */
#define SHARPER     6     /* so many times */
#define COORDINATES 1e-13 /* of the system's length: rounding of gaps */

/* Load steps without inertia: theta = 1, no M in the matrix but as a drag, and the gap at the end of the step in b_N. See step.h. */

static prc_status check(const prc_system *system, const prc_step_options *o, prc_error *err) {
  if (!system->dynamics.K || o->theta != 1.0)
    return prc_fail(err, PRC_INPUT, "a quasi-static analysis needs a stiffness and theta = 1; theta is %g",
                    o->theta);
  if (system->dynamics.varies & (PRC_LOADS_OF_STATE | PRC_INTERNAL_NONLINEAR))
    return prc_fail(err, PRC_INPUT,
                    "a quasi-static analysis needs a linear system, whose loads depend on time alone");
  return prc_step_refuse_prediction(o, err);
}

static prc_step_promises promises(const prc_stepper *s) {
  (void)s;
  return (prc_step_promises){
      .tangential_sign = {.theorem = "theta = 1: friction works at the end of the step"},
      .normal_sign = {.theorem = "the normal law, which has the gap at the end of the step"},
      .numerical_sign =
          {.theorem = "theta = 1: forces at the end of a load step work -dq' K dq / 2 beyond the energy"},
      .penetration = {.reason = "gaps are closed to what the tolerance of the contact problem leaves"},
      .equilibrium = 1};
}

static prc_step_matrix matrix(const prc_system *system, const prc_step_options *o) {
  const prc_dynamics *d = &system->dynamics;
  return (prc_step_matrix){.mass = o->h * d->damping_mass,
                           .stiffness = o->h * d->damping_stiffness + o->h * o->h,
                           .damping = o->h};
}

static prc_status create(prc_stepper *s, prc_step_action *action, prc_error *err) {
  double e = 0.0;
  for (int c = 0; c < s->contacts.set.n; c++) e = fmax(e, s->contacts.set.law[c]->e);
  *action = (prc_step_action){.share = 1.0, .scale = 1.0, .implicit = 1, .massless = 1, .all = 1};
  if (e != 0.0)
    return prc_fail(err, PRC_INPUT, "a quasi-static analysis has no restitution; the largest e is %g", e);
  if (prc_step_throws_back(s))
    return prc_fail(err, PRC_INPUT, "a quasi-static analysis has no tangential restitution, expected 0");
  double *forces = NULL;                                             /* of contacts, on all dofs */
  const prc_status status = prc_new(&forces, 3 * (size_t)s->n, err); /* and of two looks at contacts */
  s->work_of_scheme = forces;
  return status;
}

static void free_work(prc_stepper *s) {
  double *forces = s->work_of_scheme;
  prc_delete(&forces);
  s->work_of_scheme = NULL;
}

/* Velocities of the start are not used. */
static void start(prc_stepper *s) {
  memset(s->v, 0, (size_t)s->n * sizeof *s->v);
  memset(s->m, 0, (size_t)s->n * sizeof *s->m);
}

/* vp_next := the rate that takes the prescribed dofs to their displacements at t. From where they are, not from where they should be:
 * what rounding leaves does not add up. Where velocities alone are known, these; what rests stays where it is. */
static prc_status prescribe(prc_stepper *s, double t, prc_error *err) {
  const prc_drive *drive = &s->system->drive;
  if (s->n_prescribed == 0) return PRC_OK;
  if (!drive->displacement)
    return drive->rest ? PRC_OK : drive->velocity(s->system->owner, t, s->options.h, s->vp_next, err);
  const prc_status status = drive->displacement(s->system->owner, t, s->work, err);
  if (status != PRC_OK) return status;
  for (int r = 0; r < s->n_prescribed; r++) s->vp_next[r] = (s->work[r] - s->q[drive->dof[r]]) / s->options.h;
  return PRC_OK;
}

/* drag := C v, C = alpha M + beta K + dashpots */
static void set_drag(prc_stepper *s) {
  const prc_dynamics *d = &s->system->dynamics;
  for (int i = 0; i < s->n; i++) s->drag[i] = d->damping_stiffness * s->s[i];
  if (d->damping_mass != 0.0) {
    prc_sym_multiply(d->M, s->v_work, s->work2);
    for (int i = 0; i < s->n; i++) s->drag[i] += d->damping_mass * s->work2[i];
  }
  if (!d->C) return;
  prc_sym_multiply(d->C, s->v_work, s->work2);
  for (int i = 0; i < s->n; i++) s->drag[i] += s->work2[i];
}

/* work := b + H'p - A v on free rows, zero on prescribed ones, of v_work and s = K v_work; is it more than rounding of a load step leaves? */
static int has_lack(prc_stepper *s) {
  const double h = s->options.h;
  double sum = 0.0, forces = 0.0, loads = 0.0;
  set_drag(s);
  for (int i = 0; i < s->n; i++) {
    const double f = s->f[i] + h * s->s[i];
    s->work[i] = h * (s->F_work[i] - f - s->drag[i]);
    forces += f * f, loads += s->F_work[i] * s->F_work[i];
  }
  prc_step_contacts_apply(&s->contacts, 1.0, s->work);
  for (int r = 0; r < s->n_prescribed; r++) s->work[s->system->drive.dof[r]] = 0.0;
  for (int i = 0; i < s->n; i++) sum += s->work[i] * s->work[i];
  return sqrt(sum) > LACK * h * (sqrt(forces) + sqrt(loads));
}

/* A body held by a small drag and contacts alone moves far without contact forces, and these take it back: the
 * rest has lost the digits of that way.
 * One step of refinement: A dv = b + H'p - A v + H'dp, with the contact problem for p + dp, as a p alone would move it again. */
static prc_status refine(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  double *dv = s->work_of_scheme;
  if (!has_lack(s)) return PRC_OK;
  memcpy(dv, s->work, (size_t)s->n * sizeof *dv);
  prc_try(prc_operator_begin(s->op, NULL, dv, err));
  prc_try(prc_step_contacts_refine(s->system, &s->options, k, s->v_work, dv, &s->record.cone, err));
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, k->action.share, k->u_work, dv);
  for (int i = 0; i < s->n; i++) s->v_work[i] += dv[i];
  prc_product_multiply(s->K, s->v_work, s->s);
done:
  return status;
}

/* ---- what the contact problem leaves ------------------------------------------------------------------------------ */

/* By what is left open or slips, forces work  sum of p_N |g'| / h + |p_T . u_T| of those that stick:  an elastic body that is pressed by them lacks about this share of
 * 2 V, and of its stress. Rounding of coordinates is no part of it. *elastic: 2 V, at the end of the step. */
static double left_open(prc_stepper *s, double *elastic) {
  prc_step_contacts *k = &s->contacts;
  const double h = s->options.h, rounded = COORDINATES * s->system->length;
  const int dim = k->set.dim;
  double sum = 0.0;
  *elastic = 0.0;
  for (int i = 0; i < s->n; i++) *elastic += (s->q[i] + h * s->v_work[i]) * (s->f[i] + h * s->s[i]);
  prc_rows_multiply(&k->set.H, s->v_work, k->u);
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    const double *p = k->set.p + dim * c, *u = k->u + dim * c;
    const double open = fabs(k->set.gap[c] + h * u[0]),
                 slip = dim > 1 ? h * prc_step_norm(dim - 1, u + 1) : 0.0;
    if (!(p[0] > 0.0)) continue;
    if (open > rounded) sum += p[0] / h * open;
    if (k->status[c] == PRC_CONE_STICK && slip > rounded) sum += prc_step_norm(dim - 1, p + 1) / h * slip;
  }
  return sum;
}

/* One step of refinement with the contact problem solved to more: its tolerance is of |b|, what the drag alone would allow, and W knows the stiffness of the body only to
 * the rounding of that. */
static prc_status refine_to(prc_stepper *s, double tolerance, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  const prc_cone_info before = s->record.cone;
  double *dv = s->work_of_scheme;
  (void)has_lack(s);
  memcpy(dv, s->work, (size_t)s->n * sizeof *dv);
  prc_try(prc_operator_begin(s->op, NULL, dv, err));
  prc_cone_solver_set_tolerance(k->solver, tolerance);
  status = prc_step_contacts_refine(s->system, &s->options, k, s->v_work, dv, &s->record.cone, err);
  prc_cone_solver_set_tolerance(k->solver, s->options.cone.tolerance);
  prc_try(status);
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, k->action.share, k->u_work, dv);
  for (int i = 0; i < s->n; i++) s->v_work[i] += dv[i];
  prc_product_multiply(s->K, s->v_work, s->s);
  /* it is the tolerance of the options that is promised */
  s->record.cone.converged = before.converged && s->record.cone.error.scaled <= s->options.cone.tolerance;
done:
  return status;
}

static prc_status sharpen(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  double tolerance = s->options.cone.tolerance, elastic;
  if (!s->record.cone.converged) return PRC_OK;
  for (int k = 0; k < SHARPER; k++) {
    const double left = left_open(s, &elastic);
    if (!(left > LEFT * elastic)) break;
    tolerance = fmax(8.0 * DBL_EPSILON, tolerance * fmin(0.1, 0.1 * LEFT * elastic / left));
    prc_try(refine_to(s, tolerance, err));
  }
done:
  return status;
}

static void judge_drag(prc_stepper *s) {
  prc_indicator drag = {.a = -1, .b = -1};
  drag.value = left_open(s, &drag.scale);
  if (s->contacts.n_active > 0) prc_indicator_worst(&s->record.indicator[PRC_INDICATOR_drag], &drag);
}

/* H'p / h, of the step: where H moves that of the next one takes its place, and directions turn by what a
 * load step moves. */
static void keep_forces(prc_stepper *s) {
  double *forces = s->work_of_scheme;
  memset(forces, 0, (size_t)s->n * sizeof *forces);
  prc_step_contacts_apply(&s->contacts, 1.0 / s->options.h, forces);
}

/* f' = f + h s, v' = v_work, m' = 0; the reaction is what equilibrium lacks on prescribed rows,
 *   R = f' + C v - F - H'p / h. */
static void update(prc_stepper *s) {
  const double h = s->options.h;
  for (int i = 0; i < s->n; i++) {
    s->m[i] = 0.0;
    s->f[i] = s->f_old[i] + h * s->s[i];
    s->v[i] = s->v_work[i];
  }
  set_drag(s);
  keep_forces(s);
  if (s->n_prescribed == 0) return;
  for (int i = 0; i < s->n; i++) s->work[i] = s->f[i] + s->drag[i] - s->F_work[i];
  prc_step_contacts_apply(&s->contacts, -1.0 / h, s->work);
  for (int r = 0; r < s->n_prescribed; r++) s->reaction[r] = s->work[s->system->drive.dof[r]];
}

/* numerical = -1/2 dq' K dq: what end-of-step forces work beyond the elastic energy. */
static void set_works(prc_stepper *s) {
  const double h = s->options.h;
  double damping = 0.0, dq_df = 0.0;
  prc_step_bulk_works(s);
  for (int i = 0; i < s->n; i++) damping += s->v_work[i] * s->drag[i], dq_df += s->v_work[i] * s->s[i];
  s->record.work[PRC_WORK_damping] = -h * damping;
  prc_step_part_boundary(s);
  s->record.work[PRC_WORK_numerical] = -0.5 * h * h * dq_df;
}

/* v_work from its right-hand side, with percussions. */
static prc_status pass(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  prc_try(prc_operator_begin(s->op, s->v, s->v_work, err));
  prc_step_end_phase(s, PRC_STEP_forward);
  prc_try(prc_step_contacts_solve(s->system, &s->options, k, s->t, s->v_work, &s->record.cone, err));
  prc_step_end_phase(s, PRC_STEP_contact);
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, k->action.share, k->set.p, s->v_work);
  prc_step_end_phase(s, PRC_STEP_backward);
  prc_product_multiply(s->K, s->v_work, s->s);
  prc_try(refine(s, err));
  prc_try(sharpen(s, err));
  prc_step_end_phase(s, PRC_STEP_product);
done:
  return status;
}

static void set_right_hand_side(prc_stepper *s) {
  const double h = s->options.h;
  for (int i = 0; i < s->n; i++) s->v_work[i] = h * (s->F_work[i] - s->f[i]);
  for (int r = 0; r < s->n_prescribed; r++) s->v_work[s->system->drive.dof[r]] = s->vp_next[r];
}

/* Contacts at q_k + h v of the pass before, and gaps that are linear around there: g - H h v, what they were at q_k. */
static prc_status search_ahead(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  const double h = s->options.h;
  int changed;
  prc_step_coordinates(s, h, s->v_work, s->work2);
  const prc_at at = {s->t + h, s->work2, s->v_work};
  prc_try(prc_step_contacts_search(s->system, &s->options, &at, k, &changed, err));
  if (k->set.n == 0) goto done;
  s->system->contacts.evaluate(s->system->owner, &at, PRC_EVALUATE_GAP | PRC_EVALUATE_H, &k->set);
  prc_rows_multiply(&k->set.H, s->v_work, k->u_work);
  for (int c = 0; c < k->set.n; c++) k->set.gap[c] -= h * k->u_work[k->set.dim * c];
  memcpy(k->gap_old, k->set.gap, (size_t)k->set.n * sizeof *k->gap_old);
  memset(k->u_old, 0, (size_t)k->set.dim * (size_t)k->set.n * sizeof *k->u_old);
done:
  prc_step_contacts_activate(&s->options, k);
  return prc_step_contacts_check(k, s->t, err);
}

/* Error of the velocities by the error of the contact problems, |b| times the tolerance: a load step that moves
 * less than that is unknown. */
static int is_noise(const prc_stepper *s, const double *last) {
  const prc_cone_problem problem = prc_step_contacts_problem(&s->contacts);
  double change = 0.0, size = 0.0;
  for (int i = 0; i < s->n; i++) change = fmax(change, fabs(s->v_work[i] - last[i]));
  for (int i = 0; i < problem.dim * problem.n; i++) size += problem.b[i] * problem.b[i];
  return change <= s->options.cone.tolerance * sqrt(size);
}

/* Result of the evaluation at `place` is v_work, r more. The next look is there, or, where passes go round,
 * part of the way, by Aitken's rule from this r and the last one (`rest`, which becomes this):
 * part' = -part r.(r' - r) / |r' - r|^2. */
static void move_on(prc_stepper *s, int goes_round, double *part, double *place, double *rest) {
  double along = 0.0, square = 0.0;
  for (int i = 0; i < s->n; i++) {
    const double now = s->v_work[i] - place[i], more = now - rest[i];
    along += rest[i] * more, square += more * more, rest[i] = now;
  }
  if (goes_round && square > 0.0) *part = fmin(fmax(-*part * along / square, SHORTEST), 1.0);
  for (int i = 0; *part < 1.0 && i < s->n; i++) s->v_work[i] = place[i] + *part * rest[i];
  memcpy(place, s->v_work, (size_t)s->n * sizeof *place);
}

/* Where contacts come and go, and directions move, a load step ends with those of its end: Newton's method on them, while passes change less and less.
 * A step that goes far, through a gap for one, may go round among a few sets of pairs, each of which presses bodies on to the next: then looks go part of the way, until what one makes of its place is that place.
 * What a small drag alone holds against contact is known no better than the contact problem is solved, times how soft it is. */
static prc_status follow_contacts(prc_stepper *s, prc_error *err) {
  enum { MOST = 60, STRAIGHT = 6 };
  const double fine = s->options.tolerance > 0.0 ? s->options.tolerance : FINE;
  double before = INFINITY, least = INFINITY, part = 1.0;
  int round = 0;
  prc_status status = PRC_OK;
  prc_step_record *r = &s->record;
  double *last = (double *)s->work_of_scheme + s->n;
  if (!(s->system->contacts.varies & PRC_CONTACTS_SET)) return PRC_OK;
  r->tolerance = fmax(fine, SETTLED);
  for (r->change = INFINITY; r->change > fine && s->passes < MOST; s->passes++) {
    if (r->change <= r->tolerance && r->change >= before) break;
    before = r->change;
    if (r->change <= r->tolerance && s->passes > STRAIGHT && r->change > CLOSER * least) break;
    round |= s->passes > STRAIGHT && r->change > CLOSER * least;
    least = fmin(least, r->change);
    move_on(s, round, &part, last, last + s->n);
    prc_try(search_ahead(s, err));
    set_right_hand_side(s);
    prc_try(pass(s, err));
    /* of the larger of both: a pass that takes all motion back has not converged */
    double size = 0.0, size_before = 0.0, change = 0.0;
    for (int i = 0; i < s->n; i++) {
      size += s->v_work[i] * s->v_work[i], size_before += last[i] * last[i];
      change += pow(s->v_work[i] - last[i], 2.0);
    }
    r->change = change > 0.0 ? sqrt(change / fmax(size, size_before)) : 0.0;
    if (r->change >= before && is_noise(s, last)) r->change = fmin(r->change, r->tolerance);
  }
done:
  return status;
}

static prc_status step(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  prc_try(prescribe(s, prc_step_time_after(s), err));
  prc_try(prc_step_loads(s, err));
  prc_try(prc_step_begin_contacts(s, NULL, err));
  memset(k->u_old, 0, (size_t)k->set.dim * (size_t)k->set.n * sizeof *k->u_old);
  set_right_hand_side(s);
  prc_step_end_phase(s, PRC_STEP_loads);
  prc_try(pass(s, err));
  prc_try(follow_contacts(s, err));
  judge_drag(s);
  prc_step_next_state(s);
  update(s);
  set_works(s);
done:
  return status;
}

/* The norm of what the equilibrium of the last step lacks on free dofs, computed afresh. */
static double imbalance(prc_stepper *s) {
  const double *forces = s->work_of_scheme;
  double sum = 0.0;
  if (!s->moved) return 0.0;
  prc_sym_multiply(s->system->dynamics.K, s->q, s->work2);
  for (int i = 0; i < s->n; i++) s->work[i] = s->work2[i] + s->drag[i] - s->F_work[i] - forces[i];
  for (int i = 0; i < s->n; i++)
    if (s->part[i] != 2) sum += s->work[i] * s->work[i];
  return sqrt(sum);
}

/* There is no momentum: equilibrium stands in its place. */
static void drift(prc_stepper *s, prc_step_drift *drift) {
  const double h = s->options.h;
  prc_step_elastic_drift(s, drift);
  drift->momentum = h * imbalance(s);
  drift->lack = h;
  drift->momentum_scale = h * (drift->elastic_scale + prc_step_norm(s->n, s->F));
}

const prc_scheme prc_scheme_static = {
    .name = "static",
    .help = "load steps without inertia, of analysis: quasi-static",
    .laws = "one: nothing bounces",
    .takes = "no restitution; a linear system; steps that vary",
    .order = "1 in what friction remembers of its path; without it each step is exact",
    .theta = 1.0,
    .options = PRC_OPTION_PACE,
    .check = check,
    .promises = promises,
    .matrix = matrix,
    .create = create,
    .start = start,
    .step = step,
    .drift = drift,
    .free = free_work};
