#include "config.h"
#include "step/theta.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The theta-scheme where internal forces are not linear, loads or damping depend on the state, or there are joints (theta_joints.c): Newton's
 * method on v_w = v_{k+theta},
 *
 *   M (v_w - v_k) + h theta (f* + C v_w - F*) = theta H'p,   q_m = q_k (+) h/2 v_w,   q' = q_k (+) h v_w,   F* = F(t_{k+theta}, q_m, v_w),
 *   f* = f(q_m) + [V(q') - V(q_k) - f(q_m) . dx] / (dx'M dx) M dx,   dx = h v_w      (Gonzalez' discrete gradient),
 *
 * or what the system offers in its place, so that h v_w . f* is the change of the potential V, whatever theta is: nothing numerical is left but (1/2 - theta) |dv|_M^2. Where K is
 * linear, f* = f_k + h theta K v_w as in the linear scheme. Of dofs that move by the mean of the velocities (prc_space.mean) v_m = v_k + (v_w - v_k) / (2 theta) stands in the place of v_w in dx, q_m, q', F*, f*
 * and C, but not in the momentum and in the law of contact. Each pass solves with A = M + h theta C + h^2 theta / 2 df/dq(q_m), and the contact
 * problem of the whole step. Loads that depend on the state stand on the right-hand side: A knows nothing of them. */

#define PASSES 50
#define POLISH 3
#define KEPT                                                                                                 \
  0.3 /* of the change of the pass before: what a pass may change, or the next one has a new matrix */
#define MANY     20 /* passes of a step with joints, and ... */
#define JUMP     0.5 /* ... what it changes velocities by, which ask whether it has gone on as the motion does */
#define ROUNDING (16.0 * DBL_EPSILON) /* of a potential: what is below is no change */

int prc_step_theta_is_nonlinear(const prc_system *system) {
  const unsigned nonlinear = PRC_LOADS_OF_STATE | PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE;
  return (system->dynamics.varies & nonlinear) != 0 || system->joints.n > 0;
}

int prc_step_theta_iterates(const prc_stepper *s) {
  return prc_step_theta_is_nonlinear(s->system) || prc_step_arms_iterate(s);
}

static int is_nonlinear(const prc_stepper *s) {
  return (s->system->dynamics.varies & PRC_INTERNAL_NONLINEAR) != 0;
}

static int is_damped_by_state(const prc_stepper *s) {
  return (s->system->dynamics.varies & PRC_DAMPING_OF_STATE) != 0;
}

prc_status prc_step_theta_create_iteration(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  double **vectors[] = {&w->f, &w->d, &w->x, &w->Mv, &w->begun};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], s->n, err));
  if (s->way) prc_try(prc_new(&w->Mway, s->n, err));
  prc_try(prc_new(&w->q, s->nq, err));
  if (s->joints.n > 0) prc_try(prc_new(&w->lead, s->joints.G.start[s->joints.n], err));
  if (is_nonlinear(s) || is_damped_by_state(s)) prc_try(prc_step_form_matrix(s, &w->A, err));
done:
  return status;
}

/* ---- forces ------------------------------------------------------------------------------------------------------------ */

static prc_status set_matrix(prc_stepper *s, const prc_at *middle, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  const double ht = s->options.h * s->options.theta, c = 0.5 * s->options.h * ht;
  prc_step_fill_matrix(s, w->A);
  prc_try(s->system->dynamics.tangent(s->system->owner, middle, c, ht, w->A, err));
  prc_try(prc_operator_set(s->op, w->A, err));
done:
  return status;
}

/* f* of a system that has one of its own. */
static prc_status own_mean(prc_stepper *s, prc_error *err) {
  const prc_dynamics *d = &s->system->dynamics;
  prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h;
  const double *way = prc_step_way(s);
  for (int i = 0; i < s->n; i++) w->x[i] = h * way[i];
  prc_step_coordinates(s, 0.5 * h, way, w->q);
  return d->mean_internal(s->system->owner, s->q, w->x, w->f, &w->gain, err);
}

/* f* of the pass; w->q stays at q_m. */
static prc_status discrete_gradient(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_dynamics *d = &s->system->dynamics;
  prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h, *way = prc_step_way(s);
  double after = 0.0, along = 0.0, norm = 0.0;
  if (d->mean_internal) return own_mean(s, err);
  prc_step_coordinates(s, h, way, w->q);
  prc_try(d->internal(s->system->owner, &(prc_at){s->t + h, w->q, way}, NULL, &after, err));
  prc_step_coordinates(s, 0.5 * h, way, w->q);
  const prc_at middle = {s->t + 0.5 * h, w->q, way};
  prc_try(d->internal(s->system->owner, &middle, w->f, NULL, err));
  if (s->way) prc_sym_multiply(d->M, way, w->Mway);
  const double *Mway = s->way ? w->Mway : w->Mv;
  for (int i = 0; i < s->n; i++) along += h * way[i] * w->f[i], norm += h * h * way[i] * Mway[i];
  w->gain = after - w->potential;
  const double left = w->gain - along, least = ROUNDING * (fabs(after) + fabs(w->potential));
  if (norm > 0.0 && fabs(left) > least) {
    for (int i = 0; i < s->n; i++) w->f[i] += left / norm * h * Mway[i];
    w->rounding = 2.0 * h * s->options.theta * least / sqrt(norm); /* of a bracket near `least`, in and out */
  }
done:
  return status;
}

/* f*, C v_w in drag, F* in F_work, all at the v_w of the pass, or its way. */
static prc_status evaluate_forces(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_dynamics *d = &s->system->dynamics;
  prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h, theta = s->options.theta, *way = prc_step_find_way(s);
  prc_sym_multiply(d->M, s->v_work, w->Mv);
  if (s->K) prc_product_multiply(s->K, s->v_work, s->s);
  if (d->C) prc_sym_multiply(d->C, s->v_work, s->drag);
  for (int i = 0; i < s->n; i++) {
    w->f[i] = s->f[i] + h * theta * s->s[i];
    s->drag[i] = (d->C ? s->drag[i] : 0.0) + d->damping_mass * w->Mv[i] + d->damping_stiffness * s->s[i];
  }
  if (is_nonlinear(s)) prc_try(discrete_gradient(s, err));
  if (is_damped_by_state(s)) {
    prc_step_coordinates(s, 0.5 * h, way, w->q);
    prc_try(d->damping(s->system->owner, &(prc_at){s->t + 0.5 * h, w->q, way}, s->work2, err));
    prc_step_arms_turn_back(s, way, s->work2);
    for (int i = 0; i < s->n; i++) s->drag[i] += s->work2[i];
  }
  if (d->varies & PRC_LOADS_OF_STATE) {
    prc_step_coordinates(s, 0.5 * h, way, w->q);
    prc_try(d->loads(s->system->owner, &(prc_at){s->t + theta * h, w->q, way}, s->F_work, err));
    prc_try(prc_step_add_missed(s, w->q, way, s->F_work, err));
    prc_step_add_force(s, s->F_work);
  }
done:
  return status;
}

/* ---- a pass -------------------------------------------------------------------------------------------------------------- */

/* The impulses of forces in the norm of energy, sqrt(sum p_i^2 / M_ii); rows without inertia are left out. */
static double size_of_forces(const prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const prc_sym *M = s->system->dynamics.M;
  double sum = 0.0;
  for (int i = 0; i < s->n; i++) {
    const double mass = M->x[M->p[i]];
    const double p = s->options.h * (fabs(s->F_work[i]) + fabs(w->f[i]) + fabs(s->drag[i]));
    if (mass > 0.0) sum += p / mass * p;
  }
  return sqrt(sum);
}

/* A anew, where it is not kept; W follows. */
static prc_status renew(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  const int changing = is_nonlinear(s) || is_damped_by_state(s), renews = changing && w->renews;
  if (renews || s->joints.n > 0) s->contacts.n_gathered = -1; /* A or G is another */
  if (renews) prc_try(set_matrix(s, &(prc_at){s->t + 0.5 * s->options.h, w->q, prc_step_way(s)}, err));
done:
  return status;
}

/* One Newton step on v_w, with the contacts that are active or with none; *change: its size against what is in play, 0 where it is what rounding leaves of the bracket of f*, which
 * differences of the potential make, in this pass or the one before. */
static prc_status pass(prc_stepper *s, int with_contacts, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  const double before = w->rounding;
  prc_step_contacts *k = &s->contacts;
  const double ht = s->options.h * s->options.theta;
  w->rounding = 0.0;
  prc_try(evaluate_forces(s, err));
  prc_try(renew(s, err));
  if (with_contacts && prc_step_arms_move(s, prc_step_way(s))) s->contacts.n_gathered = -1; /* so is H */
  for (int i = 0; i < s->n; i++)
    w->d[i] = w->begun[i] - w->Mv[i] - ht * (w->f[i] + s->drag[i] - s->F_work[i]);
  prc_step_mix_momentum(s, w->begun, 1.0, w->d), prc_step_mix_momentum(s, w->Mv, -1.0, w->d);
  for (int r = 0; r < s->n_prescribed; r++) w->d[s->system->drive.dof[r]] = 0.0;
  prc_try(prc_step_theta_impose_joints(s, err));
  prc_try(prc_step_joints_begin(&s->joints, s->op, s->t, NULL, w->d, err));
  for (int i = 0; i < s->n; i++) w->x[i] = s->part[i] != 0 ? s->v_work[i] + w->d[i] : s->v_work[i];
  if (with_contacts) {
    const prc_cone_info earlier = s->record.cone;
    prc_try(prc_step_contacts_solve(s->system, &s->options, k, s->t, w->x, &s->record.cone, err));
    if (s->passes > 1 && k->set.dim >= 3) s->record.cone = prc_step_contacts_join(&earlier, s->record.cone);
  }
  prc_operator_finish(s->op, &k->set.H, with_contacts ? k->n_active : 0, k->active, k->action.share, k->set.p,
                      w->d);
  prc_step_theta_set_joint_forces(s);
  for (int i = 0; i < s->n; i++) s->v_work[i] += w->d[i];
  w->scale = prc_step_size_of_velocity(s, s->v_work) + prc_step_size_of_velocity(s, s->v) + size_of_forces(s);
  const double size = prc_step_size_of_velocity(s, w->d);
  *change = size <= fmax(w->rounding, before) ? 0.0 : size / w->scale;
done:
  return status;
}

/* K is in the tangent, M + h^2 theta / 2 K. */
double prc_step_theta_rounding(const prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const double ht = s->options.h * s->options.theta;
  const prc_step_matrix of_tangent = {.mass = 1.0 + ht * s->system->dynamics.damping_mass,
                                      .stiffness = 0.5 * s->options.h * ht};
  return is_nonlinear(s) ? prc_step_rounding_of_forces(s, w->A, &of_tangent, ht) : 0.0;
}

/* Passes do not come closer any more, and what they change is no more than rounding. A tolerance that is out of reach for any number is meant so. */
static int is_at_rounding(const prc_stepper *s, double before, double change) {
  const prc_step_theta *w = s->work_of_scheme;
  return s->record.tolerance >= DBL_EPSILON && prc_step_stagnates(s, before, change)
         && change * w->scale <= prc_step_theta_rounding(s);
}

/* ---- the step -------------------------------------------------------------------------------------------------------------- */

/* m' = m + h (F* - f* - C v_w) + H'p,  v' = (v_w - (1 - theta) v) / theta,  f' afresh where it is not linear. */
static prc_status update(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h, theta = s->options.theta;
  for (int i = 0; i < s->n; i++) {
    s->m[i] = s->m_old[i] + h * (s->F_work[i] - w->f[i] - s->drag[i]);
    s->f[i] = s->f_old[i] + h * s->s[i];
    s->v[i] = (s->v_work[i] - (1.0 - theta) * s->v_old[i]) / theta;
  }
  if (s->mixed) prc_step_mix_velocity(s);
  prc_step_contacts_apply(&s->contacts, 1.0, s->m);
  prc_step_joints_pull(&s->joints, 1.0, s->m);
  prc_step_prescribed_rows(s, 1.0);
  if (!is_nonlinear(s)) return PRC_OK;
  prc_try(s->system->dynamics.internal(s->system->owner, &(prc_at){s->t + h, s->q, s->v}, s->f, NULL, err));
done:
  return status;
}

static void set_works(prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h, theta = s->options.theta, *way = prc_step_way(s);
  double damping = 0.0, dv_dm = 0.0, dq_df = 0.0;
  prc_step_bulk_works(s);
  if (is_nonlinear(s)) s->record.potential = w->gain;
  for (int i = 0; i < s->n; i++) {
    damping += way[i] * s->drag[i];
    if (prc_step_is_weighed(s, i)) dv_dm += (s->v[i] - s->v_old[i]) * (s->m[i] - s->m_old[i]);
    dq_df += s->v_work[i] * s->s[i];
  }
  prc_step_theta_joint_works(s);
  s->record.work[PRC_WORK_damping] = -h * damping;
  prc_step_part_boundary(s);
  s->record.work[PRC_WORK_numerical] = (0.5 - theta) * (dv_dm + h * h * dq_df) + prc_step_work_of_means(s);
}

/* Does nothing but loads that depend on the state make this step iterate? */
static int is_free(const prc_stepper *s, int with_contacts) {
  return (s->system->dynamics.varies & PRC_LOADS_OF_STATE) && !is_nonlinear(s) && !is_damped_by_state(s)
         && s->joints.n == 0 && !(with_contacts && s->contacts.n_active > 0);
}

/* Where passes are cheap, they go on to rounding. With a matrix that is kept they are, and of a stiff body what the tolerance leaves in v would be much in h f*. */
static int goes_on(const prc_stepper *s, int with_contacts) {
  return is_free(s, with_contacts) || s->system->dynamics.tangent_lasts;
}

/* Passes until one changes little enough, PASSES more at most; what the last one changed is in the record. Loads on the right-hand side lack what the
 * last pass changed, the same way in every step: where they are all there is, as of bodies that fly, passes are cheap and go on to rounding. */
static prc_status converge(prc_stepper *s, int with_contacts, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_record *r = &s->record;
  prc_step_theta *w = s->work_of_scheme;
  const int most = s->passes + PASSES;
  double before = INFINITY;
  r->change = INFINITY;
  while (s->passes < most) {
    const int enough = r->change <= r->tolerance,
              at_rounding = r->change <= 0.5 * DBL_EPSILON || r->change >= before;
    if (enough && (at_rounding || !goes_on(s, with_contacts))) break;
    before = r->change;
    s->passes++;
    prc_try(pass(s, with_contacts, &r->change, err));
    if (is_at_rounding(s, before, r->change)) r->change = 0.0;
    w->renews = !s->system->dynamics.tangent_lasts || r->change > KEPT * before;
  }
done:
  return status;
}

/* Bodies that fly freely take some passes more, which cost next to nothing: what the tolerance leaves in each step has one sign, and adds up. */
static prc_status polish(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const double wanted = s->record.change;
  double change = wanted;
  if (is_nonlinear(s) || is_damped_by_state(s) || s->joints.n > 0 || s->contacts.n_active > 0) return PRC_OK;
  for (int k = 0; k < POLISH && change > 2.0 * DBL_EPSILON && change <= s->record.tolerance; k++) {
    s->passes++;
    prc_try(pass(s, 0, &change, err));
  }
  s->record.change = fmin(wanted, change);
done:
  return status;
}

static int has_converged(const prc_stepper *s) {
  return s->record.change <= s->record.tolerance;
}

/* m goes on by impulses and closes the balance, v by what the passes leave: M v' = m_k+1 - r / theta - (1 - theta)/theta (M v_k - m_k) for a residual r, so at theta = 1/2 what one step misses goes to and fro for ever,
 * and adds up. Where passes are solved to more than rounding, as of beams, the step begins with theta m + (1 - theta) M v, by which M v' - m' is that of the step alone. */
static void begin_momentum(prc_stepper *s) {
  prc_step_theta *w = s->work_of_scheme;
  memcpy(w->begun, s->m, (size_t)s->n * sizeof *s->m);
  if (!(s->record.tolerance > PRC_STEP_THETA_TOLERANCE)) return;
  prc_sym_multiply(s->system->dynamics.M, s->v, w->Mv);
  for (int i = 0; i < s->n; i++) {
    const double theta = prc_step_theta_of(s, i);
    w->begun[i] = theta * s->m[i] + (1.0 - theta) * w->Mv[i];
  }
}

static void set_guess(prc_stepper *s) {
  memcpy(s->v_work, s->v, (size_t)s->n * sizeof *s->v);
  prc_step_set_prescribed(s, s->v_work);
}

/* Have passes come to an end that joints agree with? */
static int holds(prc_stepper *s, prc_error *contradiction) {
  *contradiction = (prc_error){0};
  return has_converged(s) && prc_step_theta_check_joints(s, contradiction) == PRC_OK;
}

static prc_status begin_again(prc_stepper *s, int ranks_anew, prc_error *err) {
  prc_step_theta *w = s->work_of_scheme;
  w->ranks_anew = ranks_anew, w->renews = 1, s->passes = 0;
  set_guess(s);
  return converge(s, 1, err);
}

/* Ranks of G(q_k) again. */
static prc_status begin_with_ranks(prc_stepper *s, prc_error *err) {
  const prc_status status = prc_step_joints_end(&s->joints, &(prc_at){s->t, s->q, s->v}, err);
  return status == PRC_OK ? prc_step_theta_begin_joints(s, err) : status;
}

/* Where nothing touches, velocities change by what forces and turns of bodies make of them; a step that has changed them by more may have left a place that joints can leave in two ways on the wrong one. */
static int jumps(const prc_stepper *s) {
  double *change = s->work;
  for (int i = 0; i < s->n; i++) change[i] = s->v_work[i] - s->v[i];
  return s->passes > MANY
         || prc_step_size_of_velocity(s, change)
                > 2.0 * size_of_forces(s) + JUMP * prc_step_size_of_velocity(s, s->v);
}

/* Over a place where rows of joints depend on each other: by Newton's method from the ranks of q_k (theta_joints.c). */
static prc_status pass_singular_place(prc_stepper *s, int *held, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error why = {0};
  *held = 0;
  if (s->options.joints == PRC_JOINTS_VELOCITY || s->contacts.n_active > 0) return PRC_OK;
  prc_try(begin_with_ranks(s, err));
  prc_step_theta_lead_joints(s);
  const prc_status came = begin_again(s, 0, &why);
  prc_try(prc_step_theta_end_lead(s, err));
  *held = came == PRC_OK && holds(s, &why);
done:
  return status;
}

/* held: what came out before may stand. */
static prc_status solve_again(prc_stepper *s, int held, prc_error *err) {
  prc_status status = PRC_OK;
  int passed;
  prc_try(pass_singular_place(s, &passed, err));
  if (passed) return PRC_OK;
  if (held) prc_try(begin_with_ranks(s, err));
  prc_try(begin_again(s, !held, err));
  if (has_converged(s)) prc_try(prc_step_theta_check_joints(s, err));
done:
  return status;
}

/* From v_k; where the step without contact says which contacts are active, from its end. */
static prc_status solve(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  prc_error ignored;
  set_guess(s);
  s->passes = 0, w->rounding = 0.0, w->renews = 1;
  w->ranks_anew = 0;
  prc_try(prc_step_theta_begin_joints(s, err));
  if (s->options.prediction == PRC_PREDICT_FREE) {
    prc_try(converge(s, 0, err));
    prc_try(prc_step_theta_begin_contacts(s, s->v_work, err));
  }
  prc_try(converge(s, 1, err));
  prc_try(polish(s, err));
  if (s->joints.n == 0) return PRC_OK;
  const int held = holds(s, &ignored);
  if (!held || (s->contacts.n_active == 0 && jumps(s))) prc_try(solve_again(s, held, err));
done:
  return status;
}

/* Where the passes do not suffice the state is that of the last, as for a contact problem short of its tolerance: the record says so. */
prc_status prc_step_theta_iterate(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_theta *w = s->work_of_scheme;
  s->record.tolerance = s->options.tolerance > 0.0 ? s->options.tolerance : PRC_STEP_THETA_TOLERANCE;
  if (is_nonlinear(s))
    prc_try(s->system->dynamics.internal(s->system->owner, &(prc_at){s->t, s->q, s->v}, NULL, &w->potential,
                                         err));
  begin_momentum(s);
  prc_try(solve(s, err));
  prc_try(evaluate_forces(s, err)); /* of the v_w that the state is made of */
  prc_step_joints_measure(&s->joints, s->options.h, prc_step_way(s));
  prc_step_next_state(s);
  prc_try(update(s, err));
  set_works(s);
done:
  return status;
}
