#include "config.h"
#include "step/theta.h"

#include <math.h>
#include <string.h>

/* The Moreau-Jean theta-scheme, (97)-(101): forces and contacts at v_{k+theta} = (1 - theta) v_k + theta v_{k+1},
 *
 *   M (v_{k+1} - v_k) = h (F_{k+theta} - f_{k+theta} - C v_{k+theta}) + H'p,   q_{k+1} = q_k + h v_{k+theta},
 *   f_{k+theta} = f_k + h theta K v_{k+theta},
 *
 * so that A v_{k+theta} = m_k + h theta (F_{k+theta} - f_k) + theta H'p with A = M + h theta C + h^2 theta^2 K and m = M v. m and f are carried
 * along: a step has one product with K. C = alpha M + beta K + dashpots; the first two need no product of their own.
 *
 * Rows without inertia (step.h) are balanced at the end of the step; with kappa = theta (beta + h theta) / (beta + h) they are rows of A. */

/* ---- what it needs ------------------------------------------------------------------------------------------------------ */

double prc_step_largest_restitution(const prc_stepper *s) {
  const prc_contact_set *set = &s->contacts.set;
  double e = 0.0;
  for (int c = 0; c < set->n; c++) e = fmax(e, set->law[c]->e);
  for (int k = 0; k < s->system->contacts.n_laws; k++) e = fmax(e, s->system->contacts.law[k]->e);
  return e;
}

prc_status prc_step_theta_check(const prc_system *system, const prc_step_options *o, prc_error *err) {
  if (!(o->theta >= 0.5 - 1e-12 && o->theta <= 1.0 + 1e-12))
    return prc_fail(err, PRC_INPUT, "theta is %g, expected a number in [1/2, 1]", o->theta);
  if (o->bulk == PRC_BULK_MIDDLE && system->dynamics.K && !system->space.deforms)
    return prc_fail(err, PRC_INPUT,
                    "the bulk is that of the middle, expected space.deforms beside a stiffness: which dofs "
                    "keep theta, as they are of what deforms");
  if (o->bulk == PRC_BULK_MIDDLE && system->space.deforms && o->joints == PRC_JOINTS_VELOCITY)
    return prc_fail(err, PRC_INPUT,
                    "joints are held on velocities, expected positions where rigid bodies step by the "
                    "middle beside what deforms");
  if (o->prediction != PRC_PREDICT_PRESENT && o->directions == PRC_DIRECTIONS_CENTRE)
    return prc_fail(
        err, PRC_INPUT,
        "gaps are predicted and directions are those of the centre, expected those of the start or the "
        "middle");
  if ((system->dynamics.varies & PRC_INTERNAL_NONLINEAR)
      && (!system->dynamics.internal || system->dynamics.K))
    return prc_fail(
        err, PRC_INPUT,
        "internal forces that are not linear need a function for them and no stiffness beside it");
  return PRC_OK;
}

/* Of contacts that there are, of what deforms: between rigid bodies that step by the mean any will do. */
static double largest_restitution_of_mixed(const prc_stepper *s) {
  const prc_contact_set *set = &s->contacts.set;
  double e = 0.0;
  for (int c = 0; c < set->n; c++) {
    int deforms = 0;
    for (int i = set->H.start[c]; i < set->H.start[c + 1]; i++)
      deforms |= s->system->space.deforms[set->H.dof[i]];
    if (deforms) e = fmax(e, set->law[c]->e);
  }
  return e;
}

/* (87): with a larger theta a restitution would give energy. */
static prc_status check_restitution(const prc_stepper *s, prc_error *err) {
  const prc_step_options *o = &s->options;
  const double e = s->mixed ? largest_restitution_of_mixed(s) : prc_step_largest_restitution(s);
  if (o->theta <= 1.0 / (1.0 + e) + 1e-12) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "theta is %g, expected a number in [1/2, 1/(1+e)] = [0.5, %g] (the largest e is %g)",
                  o->theta, 1.0 / (1.0 + e), e);
}

static prc_step_promise tangential_promise(const prc_stepper *s) {
  const prc_step_options *o = &s->options;
  if (o->weight > 0.5)
    return (prc_step_promise){.reason = "with bulk: middle and theta above 1/2 friction is weighed at "
                                        "another velocity than that of its work"};
  if (prc_step_throws_back(s)) return (prc_step_promise){.reason = "a tangential restitution may throw back"};
  if (o->law == PRC_IMPACT_FREMOND) return (prc_step_promise){.theorem = "Fremond's law, Proposition 1"};
  if (o->theta == 1.0) return (prc_step_promise){.theorem = "theta = 1, where the laws coincide"};
  return (prc_step_promise){
      .reason = "Newton's law with theta below 1 weighs friction at another velocity than that of its work"};
}

/* By arms of percussions (arms.c), secants of joints and means of springs. */
static prc_step_promise moment_promise(const prc_stepper *s) {
  const prc_step_options *o = &s->options;
  const unsigned pulls = PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE;
  const int ties = s->joints.n > 0 || (s->system->dynamics.varies & pulls) != 0;
  const char *reason = NULL;
  int others = 0;
  if (!s->system->moment) return (prc_step_promise){0};
  for (int i = 0; i < s->n; i++) others |= s->system->whole[i] < 0 && s->part[i] != 2;
  if (others)
    reason = "beside what deforms or is tied to the ground passes of a step end by its forces";
  else if ((s->system->contacts.varies & PRC_CONTACTS_H) && o->directions != PRC_DIRECTIONS_CENTRE)
    reason = "percussions have their arms about other centres than those of contact.directions: centre";
  else if (ties && o->theta != 0.5)
    reason = "with theta above 1/2 springs and joints push about other centres than contacts do";
  else if (s->joints.n > 0 && o->joints == PRC_JOINTS_VELOCITY)
    reason = "joints on velocities alone drift";
  else if (o->tolerance > PRC_STEP_THETA_TOLERANCE)
    reason = "the passes of a step end at a tolerance above theirs";
  else if (s->system->space.mean && !prc_step_theta_iterates(s))
    reason = "steps of spheres beside what is fixed or driven have no passes";
  if (reason) return (prc_step_promise){.reason = reason};
  return (prc_step_promise){.theorem = "what pushes two bodies has one place, and arms about the centres by "
                                       "which angular momentum changes"};
}

prc_step_promises prc_step_theta_promises(const prc_stepper *s) {
  const prc_step_options *o = &s->options;
  const prc_step_theta *w = s->work_of_scheme;
  prc_step_promise normal = {.theorem = "(69), (87): what opens is not active"},
                   numerical = {.theorem = "(65): theta is not below 1/2"};
  if (o->activation == PRC_ACTIVATION_GAP)
    normal = (prc_step_promise){.reason = "activation by the gap alone keeps contacts that separate"};
  if (w->massless)
    numerical = (prc_step_promise){
        .reason = "rows without mass are balanced at the end of the step, which works either way"};
  return (prc_step_promises){.tangential_sign = tangential_promise(s),
                             .normal_sign = normal,
                             .numerical_sign = numerical,
                             .joints = prc_step_theta_joint_promise(s),
                             .angular_momentum = moment_promise(s),
                             .penetration = {.reason = "contacts are closed on velocities, at the place "
                                                       "where they are looked at"}};
}

/* A = M + h theta C + h^2 theta^2 K; where internal forces are not linear, M + h theta C, to which each pass adds their tangent. */
prc_step_matrix prc_step_theta_matrix(const prc_system *system, const prc_step_options *o) {
  const double ht = o->h * o->theta;
  return (prc_step_matrix){.mass = 1.0 + ht * system->dynamics.damping_mass,
                           .stiffness = ht * system->dynamics.damping_stiffness + ht * ht,
                           .damping = ht};
}

/* ---- rows without inertia ------------------------------------------------------------------------------------------------ */

static prc_status refuse_damped(const prc_stepper *s, const char *massless, prc_error *err) {
  const prc_sym *C = s->system->dynamics.C;
  for (int j = 0; C && j < C->n; j++)
    for (int k = C->p[j]; k < C->p[j + 1]; k++)
      if (C->x[k] != 0.0 && (massless[j] || massless[C->i[k]]))
        return prc_fail(err, PRC_INPUT,
                        "dof %d has no mass but damping of its own, expected one or the other",
                        massless[j] ? j : C->i[k]);
  return PRC_OK;
}

static double kappa_of(const prc_stepper *s) {
  const double theta = s->options.theta, h = s->options.h, beta = s->system->dynamics.damping_stiffness;
  return theta * (beta + h * theta) / (beta + h);
}

void prc_step_theta_resize(prc_stepper *s, prc_step_action *action) {
  prc_step_theta *w = s->work_of_scheme;
  if (!w->massless) return;
  w->kappa = kappa_of(s);
  if (action->massless) action->share = action->scale = w->kappa;
}

/* If the contacts touch some, they touch no others. */
static prc_status find_massless(prc_stepper *s, prc_step_theta *w, prc_step_action *action, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_dynamics *d = &s->system->dynamics;
  int n = 0, touched = 0, n_touched = 0;
  for (int i = 0; i < s->n; i++) n += s->part[i] != 2 && d->M->x[d->M->p[i]] == 0.0;
  if (n == 0) return PRC_OK;
  if (s->mixed)
    return prc_fail(err, PRC_INPUT,
                    "%d dofs have no mass, expected some, or bulk theta, where rigid bodies step by the "
                    "middle beside what deforms",
                    n);
  if (prc_step_theta_is_nonlinear(s->system))
    return prc_fail(err, PRC_INPUT,
                    "a system whose steps iterate needs a mass in every free dof, %d have none", n);
  prc_try(prc_new(&w->massless, s->n, err));
  for (int i = 0; i < s->n; i++) {
    w->massless[i] = s->part[i] != 2 && d->M->x[d->M->p[i]] == 0.0;
    touched += w->massless[i] && s->part[i] == 1;
    n_touched += s->part[i] == 1;
  }
  w->kappa = kappa_of(s);
  prc_try(refuse_damped(s, w->massless, err));
  if (touched == 0) return PRC_OK;
  if (touched < n_touched || prc_step_largest_restitution(s) > 0.0 || prc_step_throws_back(s))
    return prc_fail(err, PRC_INPUT,
                    touched < n_touched
                        ? "%d of %d contact dofs have no mass, expected all or none"
                        : "contact dofs without mass cannot have a restitution, expected 0 in all contacts",
                    touched, n_touched);
  if (s->system->contacts.varies & PRC_CONTACTS_SET)
    return prc_fail(err, PRC_INPUT, "contacts that come and go need a mass where they touch");
  const int middle = prc_step_is_in_middle(s);
  if (middle || s->options.prediction != PRC_PREDICT_PRESENT)
    return prc_fail(err, PRC_INPUT,
                    "contact dofs without mass have the gap at the end of the step in their law, expected %s",
                    !middle             ? "no prediction of it"
                    : s->scheme->middle ? "another scheme than midpoint"
                                        : "directions of the centre or the start");
  *action = (prc_step_action){.share = w->kappa, .scale = w->kappa, .implicit = 1, .massless = 1};
done:
  return status;
}

/* Friction of the speed is asked at that of the contact problem, and works at u_{k+theta}. */
static prc_status check_speed(const prc_stepper *s, prc_error *err) {
  const prc_step_options *o = &s->options;
  if (s->contacts.of_speed && o->weight > 0.5)
    return prc_fail(
        err, PRC_INPUT,
        "the bulk is that of the middle with theta %g, expected bulk theta, or theta 1/2, with friction "
        "that depends on the speed",
        o->weight);
  if (!s->contacts.of_speed || o->law == PRC_IMPACT_FREMOND || o->theta == 1.0) return PRC_OK;
  return prc_fail(err, PRC_INPUT,
                  "the law is newton with theta %g, expected fremond (or theta 1) with friction that depends "
                  "on the speed",
                  o->theta);
}

prc_status prc_step_theta_create(prc_stepper *s, prc_step_action *action, prc_error *err) {
  prc_status status = PRC_OK;
  const double theta = s->options.theta;
  const int newton = s->options.law == PRC_IMPACT_NEWTON && !s->mixed;
  prc_step_theta *w = NULL;
  prc_try(prc_new(&w, 1, err));
  s->work_of_scheme = w;
  prc_try(check_restitution(s, err));
  prc_try(check_speed(s, err));
  if (s->system->space.mean && theta != 0.5 && !s->mixed) prc_try(prc_new(&s->way, s->n, err));
  *action = (prc_step_action){.share = theta, .scale = newton ? 1.0 : theta, .newton = newton};
  prc_try(find_massless(s, w, action, err));
  if (prc_step_theta_iterates(s)) prc_try(prc_step_theta_create_iteration(s, err));
done:
  return status;
}

void prc_step_theta_free(prc_stepper *s) {
  prc_step_theta *w = s->work_of_scheme;
  if (!w) return;
  double **vectors[] = {&w->f, &w->d, &w->x, &w->Mv, &w->q, &w->begun, &w->Mway, &w->lead};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&w->massless);
  prc_sym_free(&w->A);
  prc_delete(&s->work_of_scheme);
}

void prc_step_theta_start(prc_stepper *s) {
  prc_sym_multiply(s->system->dynamics.M, s->v, s->m);
}

/* ---- a step ------------------------------------------------------------------------------------------------------------- */

/* kappa h (F_{k+1} - f), and F_{k+1} is their load. */
static void balance_massless(prc_stepper *s, double *x) {
  const prc_step_theta *w = s->work_of_scheme;
  const double *F = s->system->dynamics.varies ? s->F_next : s->F;
  for (int i = 0; i < s->n; i++) {
    if (!w->massless[i]) continue;
    s->F_work[i] = F[i];
    x[i] = w->kappa * s->options.h * (F[i] - s->f[i]);
  }
}

void prc_step_set_prescribed(const prc_stepper *s, double *v) {
  for (int r = 0; r < s->n_prescribed; r++) {
    const int i = s->system->drive.dof[r];
    const double theta = prc_step_theta_of(s, i);
    v[i] = (1.0 - theta) * s->vp[r] + theta * s->vp_next[r];
  }
}

/* v_work := m - h theta f + h theta F_{k+theta} on free dofs, (97), and v_{p,k+theta} on prescribed ones. */
void prc_step_theta_right_hand_side(prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const double theta = s->options.theta, ht = s->options.h * theta;
  const double *restrict m = s->m, *restrict f = s->f, *restrict F = s->F_work;
  double *restrict x = s->v_work;
  for (int i = 0; i < s->n; i++) x[i] = m[i] - ht * f[i] + ht * F[i];
  if (w->massless) balance_massless(s, x);
  prc_step_mix_momentum(s, m, 1.0, x);
  prc_step_set_prescribed(s, x);
}

/* With C = alpha M + beta K + dashpots folded in, and drag = (dashpots) v_{k+theta}:
 *   m' = [(1 - h alpha (1 - theta)) m + h (F_theta - f - (h theta + beta) s - drag) + H'p] / (1 + h alpha theta),  s = K v_{k+theta},
 *   f' = f + h s,   v' = (v_{k+theta} - (1 - theta) v) / theta. */
static void update(prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const double h = s->options.h, theta = s->options.theta, alpha = d->damping_mass;
  const double keep = 1.0 - h * alpha * (1.0 - theta), divide = 1.0 / (1.0 + h * alpha * theta),
               hb = h * theta + d->damping_stiffness;
  const double *restrict v_work = s->v_work, *restrict Kv = s->s, *restrict F = s->F_work;
  const double *restrict v = s->v_old, *restrict m = s->m_old, *restrict f = s->f_old;
  double *restrict v_next = s->v, *restrict m_next = s->m, *restrict f_next = s->f;
  for (int i = 0; i < s->n; i++) {
    m_next[i] = (keep * m[i] + h * (F[i] - f[i] - hb * Kv[i])) * divide;
    f_next[i] = f[i] + h * Kv[i];
    v_next[i] = (v_work[i] - (1.0 - theta) * v[i]) / theta;
  }
  if (d->C) {
    prc_sym_multiply(d->C, s->v_work, s->drag);
    for (int i = 0; i < s->n; i++) s->m[i] -= h * divide * s->drag[i];
  }
  prc_step_contacts_apply(&s->contacts, divide, s->m);
  if (s->mixed) prc_step_mix_velocity(s), prc_step_mix_damping(s);
  for (int i = 0; w->massless && i < s->n; i++)
    if (w->massless[i]) s->m[i] = 0.0, s->v[i] = s->v_work[i];
}

static double mean_momentum(const prc_stepper *s, int i) {
  const double theta = prc_step_theta_of(s, i);
  return (1.0 - theta) * s->m_old[i] + theta * s->m[i];
}

/* The terms of (65) over all dofs, from increments: 1/2 d(v'Mv) = (v + dv/2)'M dv, and likewise for K.
 *   external = h v_work' F (+ h v_p' R),   damping + boundary = -h v_work' C v_work,   numerical = (1/2 - theta) [dv' M dv + dq' K dq];
 * over all dofs but those of prc_space.mean, of which it is of percussions alone (prc_step_work_of_means);
 * rows without inertia are balanced at k+1, which adds (theta - 1) h^2 v_work' s over them (of either sign, where their load
 * changes: at touch-down and lift-off). */
static void set_works(prc_stepper *s) {
  prc_step_record *r = &s->record;
  const prc_dynamics *d = &s->system->dynamics;
  const prc_step_theta *w = s->work_of_scheme;
  const double h = s->options.h, theta = s->options.theta, alpha = d->damping_mass,
               beta = d->damping_stiffness;
  double damping = 0.0, dv_dm = 0.0, dq_df = 0.0, massless = 0.0;
  prc_step_bulk_works(s);
  if (alpha != 0.0 || beta != 0.0 || d->C)
    for (int i = s->first; i < s->end; i++)
      damping += s->v_work[i] * (alpha * mean_momentum(s, i) + beta * s->s[i] + s->drag[i]);
  for (int i = s->first; theta != 0.5 && i < s->end; i++) {
    if (prc_step_is_weighed(s, i)) dv_dm += (s->v[i] - s->v_old[i]) * (s->m[i] - s->m_old[i]);
    dq_df += s->v_work[i] * s->s[i];
  }
  for (int i = s->first; w->massless && i < s->end; i++)
    if (w->massless[i]) massless += (theta - 1.0) * h * h * s->v_work[i] * s->s[i];
  r->work[PRC_WORK_damping] = -h * damping;
  prc_step_part_boundary(s);
  r->work[PRC_WORK_numerical] =
      (0.5 - theta) * (dv_dm + h * h * dq_df) + massless + prc_step_work_of_means(s);
}

/* From v_{k+theta} and the percussions to the state and the works of the step. */
void prc_step_theta_finish(prc_stepper *s) {
  if (s->K) prc_product_multiply(s->K, s->v_work, s->s);
  prc_step_end_phase(s, PRC_STEP_product);
  prc_step_next_state(s);
  update(s);
  prc_step_prescribed_rows(s, 1.0 + s->options.h * s->system->dynamics.damping_mass * s->options.theta);
  set_works(s);
}

/* Contacts of the step by v_free, of which dofs that no contact touches are not known yet: those keep v_k. v_free: where the next state goes. */
static prc_status begin_by_free_motion(prc_stepper *s, double *v_free, prc_error *err) {
  for (int i = 0; i < s->n; i++) v_free[i] = s->part[i] != 0 ? s->v_work[i] : s->v[i];
  return prc_step_theta_begin_contacts(s, v_free, err);
}

static prc_status step_linear(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_contacts *k = &s->contacts;
  prc_step_theta_right_hand_side(s);
  prc_step_end_phase(s, PRC_STEP_loads);
  prc_try(prc_operator_begin(s->op, s->v, s->v_work, err));
  prc_step_end_phase(s, PRC_STEP_forward);
  if (s->options.prediction == PRC_PREDICT_FREE) prc_try(begin_by_free_motion(s, s->v_old, err));
  prc_try(prc_step_contacts_solve(s->system, &s->options, k, s->t, s->v_work, &s->record.cone, err));
  prc_step_end_phase(s, PRC_STEP_contact);
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, k->action.share, k->set.p, s->v_work);
  prc_step_end_phase(s, PRC_STEP_backward);
  prc_step_theta_finish(s);
done:
  return status;
}

prc_status prc_step_theta_begin_contacts(prc_stepper *s, const double *v_free, prc_error *err) {
  const prc_status status = prc_step_begin_contacts(s, v_free, err);
  return status == PRC_OK && (s->system->contacts.varies & PRC_CONTACTS_SET) ? check_restitution(s, err)
                                                                             : status;
}

prc_status prc_step_theta_step(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_step_drive(s, err));
  prc_try(prc_step_loads(s, err));
  if (s->options.prediction != PRC_PREDICT_FREE) prc_try(prc_step_theta_begin_contacts(s, NULL, err));
  prc_try((prc_step_theta_iterates(s) ? prc_step_theta_iterate : step_linear)(s, err));
done:
  return status;
}

/* Strains of displacements that turn are differences of numbers near one: rounding leaves in h f* some of h diag(K) q, as it does in K q of a translation. A has
 * h^2 theta K / 2. */
static double rounding_of_strains(const prc_stepper *s) {
  const prc_step_theta *w = s->work_of_scheme;
  const prc_sym *M = s->system->dynamics.M;
  double sum = 0.0;
  for (int i = 0; s->system->dynamics.tangent_lasts && i < s->n; i++) {
    const double mass = M->x[M->p[i]], K = w->A->x[w->A->p[i]] - mass;
    const double p = 2.0 * K * s->q[i] / (s->options.h * s->options.theta);
    if (mass > 0.0) sum += p / mass * p;
  }
  return 1e-4 * sqrt(sum);
}

void prc_step_theta_drift(prc_stepper *s, prc_step_drift *drift) {
  prc_step_momentum_drift(s, drift);
  drift->momentum_scale += rounding_of_strains(s);
  prc_step_elastic_drift(s, drift);
}

const prc_scheme prc_scheme_theta = {
    .name = "theta",
    .help = "Moreau and Jean's scheme on velocities (Acary & Collins-Craft 2024): forces, contacts and "
            "percussions at v_{k+theta} = (1 - theta) v_k + "
            "theta v_{k+1}, gaps at q_k, directions that turn at q_k + (1 - theta) h v_k. A linear system "
            "takes one solve a step; else the "
            "step iterates by Newton's method.",
    .laws = "fremond, newton",
    .takes = "theta, bulk (of rigid bodies), law, tolerance (of a step that iterates), joints, "
             "contact.activation, "
             "contact.directions, contact.prediction; "
             "restitutions up to 1 / theta - 1, with bulk: middle up to 1; steps that vary",
    .order = "2 at theta = 1/2 while contacts stay as they are, also where their directions turn; else 1; 1 "
             "at impacts",
    .leans = 1,
    .follows = 1,
    .has_mass = 1,
    .takes_means = 1,
    .has_joints = 1,
    .options = PRC_OPTION_THETA | PRC_OPTION_LAW | PRC_OPTION_TOLERANCE | PRC_OPTION_PREDICTION
               | PRC_OPTION_JOINTS | PRC_OPTION_RESTITUTION | PRC_OPTION_FRICTION | PRC_OPTION_PACE
               | PRC_OPTION_DIRECTIONS | PRC_OPTION_LOADS | PRC_OPTION_BULK,
    .check = prc_step_theta_check,
    .promises = prc_step_theta_promises,
    .matrix = prc_step_theta_matrix,
    .create = prc_step_theta_create,
    .start = prc_step_theta_start,
    .step = prc_step_theta_step,
    .resize = prc_step_theta_resize,
    .drift = prc_step_theta_drift,
    .rounding = prc_step_theta_rounding,
    .free = prc_step_theta_free};
