#include "config.h"
#include "step/alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The generalized-alpha schemes: rows of the table, what they need, and a step as passes over the levels (alpha.h has the equations). */

enum {
  PASSES = 50,
  FREEZE = 20,
  SEARCHES = 10
}; /* from FREEZE on the feedback of friction is held: it has no fixed point */
#define RISE                                                                                                 \
  1e-3 /* of the largest energy: what T + V may gain before it is noted, as no theorem forbids it */
#define RENEWS                                                                                               \
  0.3 /* of the change of the pass before: what a pass may change, or the next one has a new tangent */
#define TOLERANCE 1e-10 /* or what contact problems are solved to */

/* q: positions, v: velocities, a: accelerations, f: what positions give */
static const prc_alpha_variant of_generalized_alpha = {.hats = 1, .levels = "qva"},
                               of_ggl = {.levels = "qav"},
                               of_modified_lcp = {.impulse_first = 1, .levels = "avq"},
                               of_smooth_alpha = {.smooth = 1, .levels = "qf"};

/* ---- what they need ---------------------------------------------------------------------------------------------------- */

prc_alpha_constants prc_alpha_constants_of(double rho) {
  prc_alpha_constants k = {.am = (2.0 * rho - 1.0) / (rho + 1.0), .af = rho / (rho + 1.0)};
  k.gamma = 0.5 + k.af - k.am;
  k.beta = 0.25 * (k.gamma + 0.5) * (k.gamma + 0.5);
  k.c = (1.0 - k.af) / (1.0 - k.am);
  k.g = k.gamma * k.c, k.b = k.beta * k.c;
  return k;
}

static prc_status check(const prc_system *system, const prc_step_options *o, prc_error *err) {
  (void)system;
  if (!(o->rho >= 0.0 && o->rho <= 1.0))
    return prc_fail(err, PRC_INPUT, "rho is %g, expected a number in [0, 1]", o->rho);
  const prc_status status = prc_step_refuse_prediction(o, err);
  if (status != PRC_OK) return status;
  if (!(o->tolerance >= 0.0 && o->tolerance < 1.0))
    return prc_fail(err, PRC_INPUT,
                    "the tolerance of the passes of a step is %g, expected a number in [0, 1)", o->tolerance);
  return PRC_OK;
}

/* Parts of a contact's law that a variant has no place for. */
static prc_status check_law(const prc_stepper *s, const prc_law *law, prc_error *err) {
  const prc_alpha_variant *variant = s->scheme->variant;
  const double begun[PRC_LAW_STATE] = {0.0};
  if (!law) return PRC_OK;
  if (law->friction->of_speed)
    return prc_fail(
        err, PRC_INPUT,
        "the scheme %s has no friction of the speed, a contact has %s; theta has it, with law: fremond",
        s->scheme->name, law->friction->name);
  if (!variant->hats && s->system->contacts.dim > 1 && prc_law_rubs(law))
    return prc_fail(err, PRC_INPUT,
                    "the scheme %s has no friction, a contact has mu = %g; generalized-alpha has it",
                    s->scheme->name, prc_law_friction_at(law, begun, 0.0));
  if (variant->smooth && law->e != 0.0)
    return prc_fail(err, PRC_INPUT, "the scheme %s has no restitution, a contact has e = %g", s->scheme->name,
                    law->e);
  return PRC_OK;
}

static prc_status check_contacts(const prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_contact_set *set = &s->contacts.set;
  const prc_contacts *contacts = &s->system->contacts;
  const prc_sym *M = s->system->dynamics.M;
  for (int c = 0; c < set->n; c++) prc_try(check_law(s, set->law[c], err));
  for (int k = 0; k < contacts->n_laws; k++) prc_try(check_law(s, contacts->law[k], err));
  for (int i = 0; i < s->n; i++)
    if (s->part[i] != 2 && M->x[M->p[i]] == 0.0)
      return prc_fail(err, PRC_INPUT, "the scheme %s needs a mass in every free dof, dof %d has none",
                      s->scheme->name, i);
done:
  return status;
}

static prc_step_promises promises(const prc_stepper *s) {
  return (prc_step_promises){
      .tangential_sign =
          {.reason = "friction opposes the slip at the end of a step and works at the mean of both ends"},
      .normal_sign = {.reason = "a percussion works at the mean velocity with the directions of the end"},
      .numerical_sign = {.reason = "no theorem of dissipation is known of this scheme"},
      .penetration = {.theorem = "imposing gaps on positions"},
      .rise_noted = RISE,
      .gap_left = s->system->space.advance ? s->options.tolerance * prc_alpha_size_of_things(s) : 0.0,
      .joints = {.theorem = "imposing joints on positions"}};
}

/* ---- making ------------------------------------------------------------------------------------------------------------ */

/* clang-format off */
#define OF_DOFS(X) \
  X(a) X(abar) X(load.old) X(load.bar) X(load.now) X(internal.old) X(internal.bar) X(internal.now) X(drag.old) X(drag.bar) \
  X(drag.now) X(at) X(xt) X(ut) X(us) X(dx) X(u) X(a_next) X(x) X(rhs) X(missed)
/* clang-format on */
#define OF_BOUNDARY(X) X(boundary.old) X(boundary.bar) X(boundary.now)

static prc_status create(prc_stepper *s, prc_step_action *action, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = NULL;
  prc_try(prc_new(&w, 1, err));
  s->work_of_scheme = w;
  w->variant = s->scheme->variant;
  w->k = prc_alpha_constants_of(s->options.rho);
  if (s->options.tolerance == 0.0) s->options.tolerance = fmax(TOLERANCE, s->options.cone.tolerance);
  *action = (prc_step_action){.share = 1.0, .scale = 1.0, .newton = 1, .unsolved = w->variant->smooth};
  prc_try(check_contacts(s, err));
#define X(name) prc_try(prc_new(&w->name, s->n, err));
  OF_DOFS(X)
#undef X
#define X(name) prc_try(prc_new(&w->name, s->system->dynamics.C_boundary ? s->n : 0, err));
  OF_BOUNDARY(X)
#undef X
  prc_try(prc_new(&w->q, s->nq, err));
  prc_try(prc_new(&w->prescribed, 3 * (size_t)s->n_prescribed, err));
  prc_try(prc_alpha_create_joints(s, err));
  prc_try(prc_alpha_create_levels(s, err));
  prc_try(prc_alpha_reserve(s, err));
  prc_try(prc_alpha_reserve_levels(s, err));
done:
  return status;
}

static void free_work(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  if (!w) return;
  prc_alpha_free_levels(w);
  prc_alpha_free_contacts(w);
  prc_alpha_free_joints(w);
#define X(name) prc_delete(&w->name);
  OF_DOFS(X)
  OF_BOUNDARY(X)
#undef X
  prc_delete(&w->q);
  prc_delete(&w->prescribed);
  prc_delete(&s->work_of_scheme);
}

static prc_status visit(prc_stepper *s, prc_step_visit *visitor, void *to, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const size_t n = (size_t)s->n, joints = (size_t)s->joints.n,
               of_boundary = s->system->dynamics.C_boundary ? n : 0;
  const struct {
    const char *name;
    size_t n;
    double *values;
  } vectors[] = {{"scheme.a", n, w->a},
                 {"scheme.abar", n, w->abar},
                 {"scheme.load", n, w->load.old},
                 {"scheme.load_bar", n, w->load.bar},
                 {"scheme.internal", n, w->internal.old},
                 {"scheme.internal_bar", n, w->internal.bar},
                 {"scheme.drag", n, w->drag.old},
                 {"scheme.drag_bar", n, w->drag.bar},
                 {"scheme.boundary", of_boundary, w->boundary.old},
                 {"scheme.boundary_bar", of_boundary, w->boundary.bar},
                 {"scheme.l", joints, w->l},
                 {"scheme.l_bar", joints, w->lbar}};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    prc_try(visitor(to, vectors[k].name, vectors[k].n, vectors[k].values, err));
done:
  return status;
}

/* ---- the start ---------------------------------------------------------------------------------------------------------- */

static void start(prc_stepper *s) {
  prc_sym_multiply(s->system->dynamics.M, s->v, s->m);
}

/* Accelerations and contact forces that agree with the state, the contacts that are closed included: (a) once. Bars are what they are bars of. */
static prc_status begin(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const size_t bytes = (size_t)s->n * sizeof *w->a;
  prc_try(prc_alpha_reserve(s, err));
  memcpy(w->load.now, s->F, bytes);
  w->t = s->t, w->starts = 1, s->passes = 1;
  prc_try(prc_alpha_find_forces(s, s->t, s->q, s->v, 1, err));
  prc_try(prc_alpha_prescribe_accelerations(s, s->t, w->prescribed + s->n_prescribed, err));
  prc_alpha_evaluate(s, s->t, s->q, s->v);
  prc_rows_multiply(&k->set.H, s->v, k->u);
  prc_rows_multiply(&k->set.H, s->v, k->u_old);
  prc_alpha_find_bias(s, s->t, s->q, s->v);
  prc_try(prc_step_friction_begin(k, s->t, 0.0, err));
  prc_alpha_begin_hats(s);
  prc_alpha_find_first(s);
  memcpy(w->q, s->q, (size_t)s->nq * sizeof *s->q), memcpy(w->u, s->v, bytes);
  w->joints_placed = 0;
  prc_try(prc_alpha_accelerations(s, err));
  w->starts = 0;
  for (int r = 0; r < s->joints.n; r++) w->l[r] = w->lbar[r] = w->l_next[r];
  prc_alpha_keep_first(s);
  prc_alpha_force *const forces[] = {&w->load, &w->internal, &w->drag, &w->boundary};
  for (int j = 0; j < (s->system->dynamics.C_boundary ? 4 : 3); j++)
    memcpy(forces[j]->old, forces[j]->now, bytes), memcpy(forces[j]->bar, forces[j]->now, bytes);
  memcpy(w->a, w->a_next, bytes), memcpy(w->abar, w->a_next, bytes);
  prc_alpha_set_levels(s);
done:
  return status;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------- */

/* at, xt, ut, and what is prescribed. x: the way of the step without contact, as a velocity. */
static prc_status predict(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_drive *drive = &s->system->drive;
  const prc_step_motion *motion = &s->motion;
  const prc_alpha_constants *k = &w->k;
  const double h = s->options.h;
  for (int i = 0; i < s->n; i++) {
    w->at[i] = (k->af * w->a[i] - k->am * w->abar[i]) / (1.0 - k->am);
    w->xt[i] = h * s->v[i] + 0.5 * h * h * ((1.0 - 2.0 * k->beta) * w->abar[i] + 2.0 * k->beta * w->at[i]);
    w->ut[i] = s->v[i] + h * ((1.0 - k->gamma) * w->abar[i] + k->gamma * w->at[i]);
    w->x[i] = w->xt[i] / h + h * k->b * w->a[i];
  }
  w->t = s->t + h;
  for (int r = 0; r < s->joints.n; r++) w->rate[r] = s->joints.rate[r]; /* of the end of the last step */
  memcpy(w->load.now, s->system->dynamics.varies ? s->F_next : s->F, (size_t)s->n * sizeof *w->x);
  prc_try(prc_alpha_prescribe_accelerations(s, w->t, w->prescribed + drive->n, err));
  for (int r = 0; r < drive->n; r++) {
    const int i = drive->dof[r];
    const double place = drive->turn && drive->turn[r] ? motion->before[r] : s->q[i];
    w->prescribed[r] = motion->follows ? motion->now[r] - place : 0.5 * h * (s->v[i] + s->vp_next[r]);
    w->x[i] = w->prescribed[r] / h;
  }
done:
  return status;
}

/* dx, u', a' and the state of contacts that the passes begin with. */
static prc_status begin_passes(prc_stepper *s, prc_error *err) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_drive *drive = &s->system->drive;
  const double h = s->options.h;
  prc_status status = PRC_OK;
  prc_try(prc_alpha_reserve(s, err));
  prc_try(prc_step_friction_begin(&s->contacts, s->t, 0.5 * h, err));
  for (int i = 0; i < s->n; i++) {
    w->a_next[i] = w->a[i];
    w->dx[i] = w->xt[i] + h * h * w->k.b * w->a[i];
    w->u[i] = w->ut[i] + h * w->k.g * w->a[i];
  }
  for (int r = 0; r < drive->n; r++) {
    const int i = drive->dof[r];
    w->dx[i] = w->prescribed[r], w->u[i] = s->vp_next[r], w->a_next[i] = w->prescribed[drive->n + r];
  }
  prc_alpha_begin_hats(s), prc_alpha_begin_joints(s);
  for (int c = 0; c < s->contacts.set.n; c++) w->gap_before[c] = s->contacts.set.gap[c], w->bounce[c] = 0.0;
  if (s->contacts.set.n > 0)
    prc_rows_multiply(&s->contacts.set.H, s->v, w->before); /* H is still that of q_k */
  prc_step_move(s, s->q, 1.0, w->dx, w->q);
  prc_alpha_evaluate(s, w->t, w->q, w->u);
  w->moved = 1, w->joints_placed = 0;
done:
  return status;
}

static prc_status level(prc_stepper *s, char which, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const double t = s->t + s->options.h;
  prc_try(prc_alpha_find_forces(s, t, w->q, w->u, w->moved, err));
  w->moved = which == 'q';
  if (which == 'q') return prc_alpha_positions(s, change, err);
  if (which == 'v') return prc_alpha_velocities(s, change, err);
  if (which == 'f') return prc_alpha_follow_positions(s, change, err);
  *change = 0.0;
  if (w->variant->hats && prc_alpha_find_pressed(s) > 0) prc_alpha_find_bias(s, t, w->q, w->u);
  return prc_alpha_accelerations(s, err);
done:
  return status;
}

/* The change of a pass is compared with velocities and with the impulses of forces, in the norm of energy. */
static double scale_of(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_sym *M = s->system->dynamics.M;
  double force = 0.0;
  for (int i = 0; i < s->n; i++) {
    const double mass = M->x[M->p[i]];
    const double F = s->options.h * (fabs(w->load.now[i]) + fabs(w->internal.now[i]) + fabs(w->drag.now[i]));
    if (mass > 0.0) force += F / mass * F;
  }
  return prc_step_size_of_velocity(s, w->u) + prc_step_size_of_velocity(s, s->v) + sqrt(force);
}

/* Nothing of a pass depends on what it finds: one is enough. */
static int is_direct(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  int rubs = 0, strikes = 0;
  if ((d->varies & (PRC_LOADS_OF_STATE | PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE)) || s->contacts.turns
      || s->joints.n > 0 || (s->K && w->variant->levels[0] != 'q'))
    return 0;
  for (int i = 0; i < s->contacts.set.dim * s->contacts.set.n; i++)
    rubs |= w->phi[i] != 0.0 || w->target[i] != 0.0;
  for (int c = 0; c < s->contacts.set.n; c++)
    strikes |= s->contacts.set.law[c]->e == 1.0 && prc_alpha_strikes(s, c);
  return !rubs && !strikes;
}

/* phi of the next pass. Where there is no fixed point it is held half way, and passes that follow converge. */
static void feed_back(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const int n = s->contacts.set.n, rows = s->contacts.set.dim * n;
  if (s->passes == FREEZE) {
    for (int i = 0; i < rows; i++) w->phi[i] = 0.5 * (w->phi[i] + w->target[i]);
    s->record.frozen = 1;
  }
  if (s->passes >= FREEZE) return;
  if (n > 0 && memcmp(w->state, w->was, (size_t)n) != 0) prc_alpha_feedback_restart(&w->feedback);
  prc_alpha_feedback_next(&w->feedback, rows, w->target, w->phi);
}

static prc_status pass(prc_stepper *s, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const size_t n = (size_t)s->contacts.set.n;
  w->position.missed = w->acceleration.missed = 0;
  *change = 0.0;
  if (n > 0) memcpy(w->was, w->state, n);
  for (const char *l = w->variant->levels; *l; l++) {
    double here;
    prc_try(level(s, *l, &here, err));
    *change = fmax(*change, here);
  }
  *change /= scale_of(s) + DBL_MIN;
  if (w->variant->hats) prc_alpha_find_targets(s);
done:
  return status;
}

/* K is in the matrix of positions, where that changes. */
static double rounding(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const double h = s->options.h;
  const prc_step_matrix of_positions = {.mass = 1.0 + h * w->k.g * s->system->dynamics.damping_mass,
                                        .stiffness = h * h * w->k.b};
  return prc_step_rounding_of_forces(s, w->A, &of_positions, h * w->k.g);
}

static double rounding_of_changing(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  return w->A ? rounding(s) : 0.0;
}

/* Passes do not come closer any more, and what they change is no more than rounding. */
static int is_at_rounding(const prc_stepper *s, double before, double change) {
  return prc_step_stagnates(s, before, change) && change * (scale_of(s) + DBL_MIN) <= rounding(s);
}

static prc_status iterate(prc_stepper *s, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_alpha *w = s->work_of_scheme;
  double before = INFINITY;
  prc_try(begin_passes(s, err));
  s->record.frozen = 0, s->record.cone_level = NULL;
  for (s->passes = 1;; s->passes++) {
    const int renews = w->A && s->passes > 2 && *change > RENEWS * before;
    if (s->passes > 1) before = *change;
    if (s->passes == 1 || renews) prc_try(prc_alpha_set_matrices(s, err));
    prc_try(pass(s, change, err));
    if (is_at_rounding(s, before, *change)) *change = 0.0;
    if (*change <= s->options.tolerance || s->passes == PASSES) break;
    if (s->passes == 1 && is_direct(s)) {
      *change = 0.0;
      break;
    }
    if (w->variant->hats) feed_back(s);
  }
  if (w->position.missed) s->record.cone = w->position.miss, s->record.cone_level = "of positions ";
  if (w->acceleration.missed)
    s->record.frozen = 1; /* lam = 0 then: what contacts need is in P, whose law holds */
done:
  return status;
}

/* Bodies set in motion by contacts may have come to others that were not listed: these are found by the way of
 * the step. *more: the passes begin anew with them. */
static prc_status search_again(prc_stepper *s, int *more, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  *more = 0;
  if (!(s->system->contacts.varies & PRC_CONTACTS_SET)) return PRC_OK;
  for (int i = 0; i < s->n; i++) w->x[i] = w->dx[i] / s->options.h;
  prc_try(prc_step_search_contacts(s, w->x, more, err));
  if (!*more) prc_alpha_evaluate(s, w->t, w->q, w->u);
done:
  return status;
}

static prc_status step(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  double change = INFINITY;
  int more = 1;
  prc_try(prc_step_motion_advance(&s->motion, s->step + 1, s->vp_next, err));
  prc_try(prc_step_loads(s, err));
  if (s->loads_break) memcpy(w->missed, s->work, (size_t)s->n * sizeof *w->missed);
  prc_try(predict(s, err));
  prc_try(prc_step_begin_contacts(s, w->x, err));
  prc_step_end_phase(s, PRC_STEP_loads);
  for (int turn = 0; more && turn < SEARCHES; turn++) {
    prc_try(iterate(s, &change, err));
    prc_try(search_again(s, &more, err));
  }
  if (more) prc_try(iterate(s, &change, err));
  prc_step_end_phase(s, PRC_STEP_contact);
  s->record.change = change, s->record.tolerance = s->options.tolerance;
  if (change <= s->options.tolerance)
    prc_try(prc_step_joints_agree_at_end(&s->joints, w->position.op, s->t, s->options.h,
                                         w->variant->smooth ? NULL : w->u, err));
  prc_try(prc_alpha_finish(s, err));
done:
  return status;
}

/* ---- the rows ------------------------------------------------------------------------------------------------------------ */

static void drift(prc_stepper *s, prc_step_drift *drift_of) {
  prc_step_momentum_drift(s, drift_of);
  prc_step_elastic_drift(s, drift_of);
}

#define ALPHA(symbol, text, keeps, has, takes_more, says, names, is_of)                                      \
  const prc_scheme prc_scheme_##symbol = {.name = (text),                                                    \
                                          .help = (says),                                                    \
                                          .laws = "newton",                                                  \
                                          .takes = (names),                                                  \
                                          .order = (is_of),                                                  \
                                          .options = PRC_OPTION_RHO | PRC_OPTION_TOLERANCE | (takes_more),   \
                                          .takes_means = ((takes_more)&PRC_OPTION_LOADS) != 0,               \
                                          .of_levels = 1,                                                    \
                                          .exact = 1,                                                        \
                                          .has_mass = 1,                                                     \
                                          .has_joints = 1,                                                   \
                                          .n_kept = (keeps),                                                 \
                                          .levels = (has),                                                   \
                                          .variant = &of_##symbol,                                           \
                                          .check = check,                                                    \
                                          .promises = promises,                                              \
                                          .matrix = prc_alpha_matrix,                                        \
                                          .create = create,                                                  \
                                          .start = start,                                                    \
                                          .begin = begin,                                                    \
                                          .step = step,                                                      \
                                          .drift = drift,                                                    \
                                          .rounding = rounding_of_changing,                                  \
                                          .visit = visit,                                                    \
                                          .free = free_work}
ALPHA(
    generalized_alpha, "generalized-alpha", 3, PRC_ALPHA_OF_MOTIONS | PRC_ALPHA_OF_ACCELERATIONS,
    PRC_OPTION_SLIP_DIRECTION | PRC_OPTION_RESTITUTION | PRC_OPTION_FRICTION | PRC_OPTION_LOADS,
    "Nonsmooth generalized-alpha with friction (Capobianco, Harsch, Eugster & Leine 2021): contacts and "
    "joints "
    "on three levels, positions, velocities and accelerations, so that nothing penetrates and nothing drifts",
    "rho, tolerance, contact.slip_direction; restitutions up to 1",
    "2 on smooth arcs in positions, velocities and forces, with slip_direction: end 1 where slip turns; 1 at "
    "impacts");
ALPHA(ggl, "ggl", 0, PRC_ALPHA_OF_MOTIONS, PRC_OPTION_RESTITUTION | PRC_OPTION_LOADS,
      "Nonsmooth generalized-alpha without friction (Bruls, Acary & Cardona 2014): positions and velocities "
      "are "
      "imposed, accelerations are those of a smooth motion",
      "rho, tolerance; restitutions up to 1; no friction",
      "2 on smooth arcs, 1 at impacts and while contacts are closed");
ALPHA(modified_lcp, "modified-lcp", 0, PRC_ALPHA_OF_MOTIONS, PRC_OPTION_RESTITUTION | PRC_OPTION_LOADS,
      "The same with positions that begin with the impulse of the velocities (2014, (25) and (27)): it "
      "chatters; for comparison",
      "rho, tolerance; restitutions up to 1; no friction", "1");
ALPHA(smooth_alpha, "smooth-alpha", 3, PRC_ALPHA_OF_ACCELERATIONS, 0,
      "Generalized-alpha of index 3: contact forces hold positions alone, as if nothing ever met; gives "
      "energy at impacts; for comparison",
      "rho, tolerance; no friction, no restitution", "2 on smooth arcs; none at impacts");
