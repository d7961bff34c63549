#include "config.h"
#include "step/internal.h"

#include <math.h>
#include <string.h>

/* Inside a run the measure that is free of units is judged: units are the user's. */
prc_step_options prc_step_options_default(double h) {
  prc_step_options options = {
      .h = h, .theta = 0.5, .law = PRC_IMPACT_FREMOND, .solver = "auto", .cone = prc_cone_options_default()};
  options.cone.criterion = PRC_CONE_SCALED;
  return options;
}

static prc_status check_options(const prc_system *system, const prc_step_options *o, prc_error *err) {
  double e = 0.0;
  for (int c = 0; c < system->n_contacts; c++) e = fmax(e, system->e[c]);
  if (!(o->h > 0.0) || !isfinite(o->h))
    return prc_fail(err, PRC_INPUT, "the time step is %g, expected a positive number", o->h);
  if (o->quasi_static && (!system->K || o->theta != 1.0 || e > 0.0))
    return prc_fail(
        err, PRC_INPUT,
        "a quasi-static analysis needs a stiffness, theta = 1 and no restitution; theta is %g, the "
        "largest e is %g",
        o->theta, e);
  if (!(o->theta >= 0.5 - 1e-12 && o->theta <= 1.0 / (1.0 + e) + 1e-12))
    return prc_fail(err, PRC_INPUT,
                    "theta is %g, expected a number in [1/2, 1/(1+e)] = [0.5, %g] (the largest e is %g)",
                    o->theta, 1.0 / (1.0 + e), e);
  return prc_cone_options_check(&o->cone, err);
}

/* ---- set-up ------------------------------------------------------------------------------------------------------------ */

/* part[i]: 0 interior, 1 touched by a contact, 2 prescribed; then the order of elimination. */
static prc_status order_dofs(prc_stepper *s, const prc_sym *Mhat, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *system = s->system;
  int *part = NULL;
  prc_try(prc_new(&part, s->n, err));
  for (int i = 0; system->n_contacts > 0 && i < system->H_start[system->n_contacts]; i++)
    part[system->H_dof[i]] = 1;
  for (int i = 0; i < system->n_prescribed; i++) part[system->prescribed[i]] = 2;
  for (int i = 0; i < s->n; i++) {
    s->n_lead += part[i] == 0;
    s->n_tail += part[i] == 1;
  }
  s->n_free = s->n_lead + s->n_tail;
  prc_try(prc_new(&s->perm, s->n, err));
  if (s->options.linear == PRC_LINEAR_UMFPACK) /* which has an order of its own */
    prc_order_parts(s->n, part, s->perm), s->ordering = "UMFPACK's own";
  else
    prc_try(prc_order(Mhat, part, s->perm, &s->ordering, err));
done:
  prc_delete(&part);
  return status;
}

/* Visits the entries of M and Mhat (one pattern) in prescribed rows; counts them (place = 0) or stores them. */
static void visit_prescribed(prc_stepper *s, const prc_sym *M, const prc_sym *Mhat, const int *inverse,
                             int *next, int place) {
  for (int j = 0; j < Mhat->n; j++)
    for (int k = Mhat->p[j]; k < Mhat->p[j + 1]; k++) {
      const int a = inverse[Mhat->i[k]], b = inverse[j];
      for (int side = 0; side < (a == b ? 1 : 2); side++) {
        const int row = (side ? b : a) - s->n_free, column = side ? a : b;
        if (row < 0) continue;
        const int at = next[row]++;
        if (!place) continue;
        s->rows.column[at] = column;
        s->rows.M[at] = M->x[k], s->rows.Mhat[at] = Mhat->x[k];
      }
    }
}

static prc_status keep_prescribed_rows(prc_stepper *s, const prc_sym *M, const prc_sym *Mhat,
                                       const int *inverse, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL;
  prc_try(prc_new(&next, s->n_prescribed, err));
  prc_try(prc_new(&s->rows.start, (size_t)s->n_prescribed + 1, err));
  visit_prescribed(s, M, Mhat, inverse, next, 0);
  for (int r = 0; r < s->n_prescribed; r++) {
    s->rows.start[r + 1] = s->rows.start[r] + next[r];
    next[r] = s->rows.start[r];
  }
  const int nnz = s->rows.start[s->n_prescribed];
  prc_try(prc_new(&s->rows.column, nnz, err));
  prc_try(prc_new(&s->rows.M, nnz, err));
  prc_try(prc_new(&s->rows.Mhat, nnz, err));
  visit_prescribed(s, M, Mhat, inverse, next, 1);
done:
  prc_delete(&next);
  return status;
}

/* Mhat = M + h theta C + h^2 theta^2 K with C = alpha M + beta K, without its first term where there is no inertia; and M
 * again on the same pattern. */
static prc_status form_matrices(const prc_system *system, const prc_step_options *o, prc_sym **M,
                                prc_sym **Mhat, prc_error *err) {
  const double ht = o->h * o->theta;
  const double inertia = o->quasi_static ? 0.0 : 1.0;
  const double a = inertia + ht * system->damping_mass, b = ht * system->damping_stiffness + ht * ht;
  prc_status status = prc_sym_add(a, system->M, b, system->K, Mhat, err);
  if (status == PRC_OK) status = prc_sym_add(1.0, system->M, 0.0, system->K, M, err);
  return status;
}

static prc_status pack_stiffness(prc_stepper *s, prc_error *err) {
  prc_sym *K = NULL;
  if (!s->system->K) return PRC_OK;
  prc_status status = prc_sym_permute(s->system->K, s->perm, s->n, &K, err);
  if (s->options.linear == PRC_LINEAR_UMFPACK) {
    s->K_plain = K;
    return status;
  }
  if (status == PRC_OK) status = prc_panels_create(K, &s->K, err);
  prc_sym_free(&K);
  return status;
}

/* Rows without inertia, see step.h: if the contacts touch some, they touch no others. */
static prc_status find_massless(prc_stepper *s, const prc_sym *M, prc_error *err) {
  const prc_system *system = s->system;
  const double theta = s->options.theta, h = s->options.h, beta = system->damping_stiffness;
  int n = 0, touched = 0;
  double e = 0.0;
  s->contacts.share = theta;
  s->contacts.implicit = s->options.quasi_static;
  if (s->options.quasi_static || !system->K) return PRC_OK;
  for (int i = 0; i < s->n_free; i++) n += M->x[M->p[s->perm[i]]] == 0.0;
  if (n == 0) return PRC_OK;
  const prc_status status = prc_new(&s->massless, s->n, err);
  if (status != PRC_OK) return status;
  for (int i = 0; i < s->n_free; i++) {
    s->massless[i] = M->x[M->p[s->perm[i]]] == 0.0;
    touched += s->massless[i] && i >= s->n_lead;
  }
  if (touched == 0) return PRC_OK;
  for (int c = 0; c < system->n_contacts; c++) e = fmax(e, system->e[c]);
  if (touched < s->n_tail || e > 0.0)
    return prc_fail(err, PRC_INPUT,
                    touched < s->n_tail
                        ? "%d of %d contact dofs have no mass, expected all or none"
                        : "contact dofs without mass cannot have a restitution, expected 0 in all contacts",
                    touched, s->n_tail);
  s->contacts.implicit = 1;
  s->contacts.share = theta * (beta + h * theta) / (beta + h);
  return PRC_OK;
}

/* What the factorisation does not need is gone before it begins: it is what takes the most memory. */
static prc_status prepare(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *M = NULL, *Mhat = NULL, *A = NULL;
  int *inverse = NULL;
  prc_try(form_matrices(s->system, &s->options, &M, &Mhat, err));
  prc_try(order_dofs(s, Mhat, err));
  prc_try(prc_new(&inverse, s->n, err));
  for (int i = 0; i < s->n; i++) inverse[s->perm[i]] = i;
  prc_try(keep_prescribed_rows(s, M, Mhat, inverse, err));
  prc_sym_free(&M);
  prc_try(prc_sym_permute(Mhat, s->perm, s->n_free, &A, err));
  prc_sym_free(&Mhat);
  prc_try(prc_step_solver_create(&s->solver, &s->options, A, s->n_tail, err));
  prc_sym_free(&A);
  prc_try(pack_stiffness(s, err));
  prc_try(find_massless(s, s->system->M, err));
  prc_try(prc_step_contacts_create(s->system, &s->options, s->solver.row->tail(s->solver.work), inverse,
                                   s->n_lead, s->n_tail, &s->contacts, err));
done:
  prc_sym_free(&M);
  prc_sym_free(&Mhat);
  prc_sym_free(&A);
  prc_delete(&inverse);
  return status;
}

/* Every vector of the stepper, once: allocated and freed from this list. */
#define VECTORS_OF_DOFS(X)                                                                                   \
  X(q)                                                                                                       \
  X(v) X(m) X(f) X(v_old) X(m_old) X(f_old) X(v_theta) X(s) X(F_theta) X(F) X(F_next) X(work) X(work2) X(drag)
#define VECTORS_OF_PRESCRIBED(X) X(vp) X(vp_next) X(reaction)

static prc_status allocate_vectors(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
#define X(name) prc_try(prc_new(&s->name, s->n, err));
  VECTORS_OF_DOFS(X)
#undef X
#define X(name) prc_try(prc_new(&s->name, s->n_prescribed, err));
  VECTORS_OF_PRESCRIBED(X)
#undef X
done:
  return status;
}

prc_status prc_stepper_create(const prc_system *system, const prc_step_options *options, prc_stepper **out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_stepper *s = NULL;
  prc_try(prc_step_check_system(system, err));
  prc_try(check_options(system, options, err));
  prc_try(prc_new(&s, 1, err));
  s->system = system;
  s->options = *options;
  prc_step_contacts_set_tolerances(system, options, &s->contacts);
  s->options.gap_tolerance = s->contacts.gap_tolerance;
  s->options.velocity_tolerance = s->contacts.velocity_tolerance;
  s->n = system->n_dof, s->n_prescribed = system->n_prescribed;
  prc_try(prepare(s, err));
  prc_try(allocate_vectors(s, err));
  prc_try(prc_step_motion_create(system, &s->options, &s->motion, err));
  *out = s, s = NULL;
done:
  prc_stepper_free(&s);
  return status;
}

void prc_stepper_free(prc_stepper **out) {
  prc_stepper *s = *out;
  if (!s) return;
#define X(name) prc_delete(&s->name);
  VECTORS_OF_DOFS(X)
  VECTORS_OF_PRESCRIBED(X)
#undef X
  prc_delete(&s->perm);
  prc_delete(&s->massless);
  prc_step_solver_free(&s->solver);
  prc_panels_free(&s->K);
  prc_sym_free(&s->K_plain);
  prc_delete(&s->rows.start);
  prc_delete(&s->rows.column);
  prc_delete(&s->rows.M);
  prc_delete(&s->rows.Mhat);
  prc_step_contacts_free(&s->contacts);
  prc_step_motion_free(&s->motion);
  prc_delete(out);
}

const prc_step_options *prc_stepper_options(const prc_stepper *s) {
  return &s->options;
}
const prc_step_record *prc_stepper_record(const prc_stepper *s) {
  return &s->record;
}

/* ---- beginning ------------------------------------------------------------------------------------------------------------ */

static prc_status load_at(prc_stepper *s, double t, double *F, prc_error *err) {
  if (!s->system->force) return PRC_OK; /* zero since allocation */
  return s->system->force(s->system->body, t, F, err);
}

/* Gaps and H at the present q. */
static void look_at_contacts(prc_stepper *s, int with_directions) {
  const prc_system *system = s->system;
  if (system->n_contacts == 0) return;
  system->gap(system->body, s->q, s->contacts.gap);
  if (with_directions) system->directions(system->body, s->q, s->contacts.H);
}

static void fill_record(prc_stepper *s) {
  const prc_step_contacts *k = &s->contacts;
  const prc_cone_info cone = s->record.cone;
  s->record = (prc_step_record){.step = s->step,
                                .t = s->t,
                                .h = s->options.h,
                                .theta = s->options.theta,
                                .n = s->n,
                                .n_prescribed = s->n_prescribed,
                                .perm = s->perm,
                                .q = s->q,
                                .v = s->v,
                                .m = s->m,
                                .f = s->f,
                                .v_old = s->v_old,
                                .m_old = s->m_old,
                                .f_old = s->f_old,
                                .v_theta = s->v_theta,
                                .s = s->s,
                                .F_theta = s->F_theta,
                                .reaction = s->reaction,
                                .prescribed = s->motion.follows
                                                  ? prc_step_motion_compare(&s->motion, s->motion.now, s->q)
                                                  : (prc_step_deviation){0},
                                .damping_mass = s->system->damping_mass,
                                .damping_stiffness = s->system->damping_stiffness,
                                .speed = k->speed,
                                .implicit = k->implicit,
                                .massless = s->massless,
                                .drag = s->options.quasi_static ? s->drag : NULL,
                                .dim = k->dim,
                                .n_contacts = k->n,
                                .p = k->p,
                                .u_old = k->u_old,
                                .u_theta = k->u_theta,
                                .u = k->u,
                                .gap = k->gap,
                                .status = k->status,
                                .allowance = k->allowance,
                                .n_active = k->n_active,
                                .active = k->active,
                                .problem = prc_step_contacts_problem(k),
                                .p_active = k->p_active,
                                .w_active = k->w,
                                .size = k->size_least > 0.0 ? s->system->size : NULL,
                                .size_least = k->size_least,
                                .stepper = s,
                                .cone = cone};
}

/* Loads, prescribed velocities and contact quantities at the present step. */
static prc_status enter(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  s->t = s->step * s->options.h;
  s->moved = 0;
  prc_try(load_at(s, s->t, s->F, err));
  memcpy(s->F_next, s->F, (size_t)s->n * sizeof *s->F);
  prc_try(prc_step_motion_enter(&s->motion, s->step, s->vp, err));
  look_at_contacts(s, 1);
  prc_step_contacts_condense_all(s->system, &s->contacts);
  s->contacts.n_active = 0;
  s->record.cone = (prc_cone_info){.converged = 1, .finished = "nothing to do"};
  prc_step_contacts_velocity(s->system, &s->contacts, s->v, s->contacts.u);
  fill_record(s);
done:
  return status;
}

prc_status prc_stepper_start(prc_stepper *s, const double *q, const double *v, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_step_check_numbers("q", s->n, q, err));
  if (!s->options.quasi_static) prc_try(prc_step_check_numbers("v", s->n, v, err));
  s->step = 0;
  memcpy(s->q, q, (size_t)s->n * sizeof *q);
  if (s->options.quasi_static)
    memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  else
    memcpy(s->work, v, (size_t)s->n * sizeof *v);
  prc_try(prc_step_motion_enter(&s->motion, 0, s->vp, err));
  if (s->system->prescribed_displacement && !s->options.quasi_static)
    prc_try(prc_step_motion_check_start(&s->motion, q, s->vp, err));
  for (int i = 0; i < s->n_prescribed; i++) s->work[s->system->prescribed[i]] = s->vp[i];
  for (int i = 0; i < s->n; i++) s->v[i] = s->work[s->perm[i]];
  prc_sym_multiply(s->system->M, s->work, s->work2);
  for (int i = 0; i < s->n; i++) s->m[i] = s->work2[s->perm[i]];
  memset(s->f, 0, (size_t)s->n * sizeof *s->f);
  if (s->system->K) {
    prc_sym_multiply(s->system->K, s->q, s->work2);
    for (int i = 0; i < s->n; i++) s->f[i] = s->work2[s->perm[i]];
  }
  memset(s->contacts.p, 0, (size_t)s->contacts.dim * (size_t)s->contacts.n * sizeof *s->contacts.p);
  prc_step_contacts_set_speed(s->system, &s->options, 0.0, &s->contacts);
  prc_try(enter(s, err));
done:
  return status;
}

prc_status prc_stepper_resume(prc_stepper *s, int step, const double *q, const double *v, const double *m,
                              const double *f, const double *p, double speed, prc_error *err) {
  s->step = step;
  memcpy(s->q, q, (size_t)s->n * sizeof *q);
  for (int i = 0; i < s->n; i++) {
    s->v[i] = v[s->perm[i]];
    s->m[i] = m[s->perm[i]];
    s->f[i] = f[s->perm[i]];
  }
  memcpy(s->contacts.p, p, (size_t)s->contacts.dim * (size_t)s->contacts.n * sizeof *p);
  prc_step_contacts_set_speed(s->system, &s->options, speed, &s->contacts);
  return enter(s, err);
}

prc_status prc_stepper_foresee(prc_stepper *s, int n_steps, prc_error *err) {
  const prc_status status = prc_step_motion_foresee(&s->motion, n_steps, s->vp_next, err);
  return status == PRC_OK ? prc_step_motion_enter(&s->motion, s->step, s->vp, err) : status;
}

void prc_stepper_state(const prc_stepper *s, double *v, double *m, double *f) {
  for (int i = 0; i < s->n; i++) {
    if (v) v[s->perm[i]] = s->v[i];
    if (m) m[s->perm[i]] = s->m[i];
    if (f) f[s->perm[i]] = s->f[i];
  }
}

/* ---- the step --------------------------------------------------------------------------------------------------------------- */

/* Rows without inertia: kappa h (F_{k+1} - f), and F_{k+1} is their load. */
static void balance_massless(prc_stepper *s, double *x) {
  const double theta = s->options.theta, h = s->options.h, beta = s->system->damping_stiffness;
  const double kappa = theta * (beta + h * theta) / (beta + h);
  const double *F = s->system->force_constant ? s->F : s->F_next;
  for (int i = 0; i < s->n_free; i++) {
    if (!s->massless[i]) continue;
    s->F_theta[i] = F[s->perm[i]];
    x[i] = kappa * h * (s->F_theta[i] - s->f[i]);
  }
}

/* v_theta := m - h theta f + h theta F_theta over the free dofs, (97), minus the columns of Mhat times the prescribed
 * v_{p,k+theta}, which stand in the rows behind. */
static void right_hand_side(prc_stepper *s) {
  const double theta = s->options.theta, ht = s->options.h * theta;
  double *restrict x = s->v_theta, *restrict F_theta = s->F_theta;
  if (s->system->force_constant)
    for (int i = 0; i < s->n; i++) F_theta[i] = s->F[s->perm[i]];
  else
    for (int i = 0; i < s->n; i++)
      F_theta[i] = (1.0 - theta) * s->F[s->perm[i]] + theta * s->F_next[s->perm[i]];
  for (int i = 0; i < s->n_free; i++) x[i] = s->m[i] - ht * s->f[i] + ht * F_theta[i];
  if (s->massless) balance_massless(s, x);
  for (int r = 0; r < s->n_prescribed; r++) {
    const double v = x[s->n_free + r] = (1.0 - theta) * s->vp[r] + theta * s->vp_next[r];
    if (v == 0.0) continue;
    for (int k = s->rows.start[r]; k < s->rows.start[r + 1]; k++)
      if (s->rows.column[k] < s->n_free) x[s->rows.column[k]] -= s->rows.Mhat[k] * v;
  }
}

/* Step 5 of the scheme with C = alpha M + beta K folded in:
 *   m' = [(1 - h alpha (1 - theta)) m + h (F_theta - f - (h theta + beta) s) + H'p] / (1 + h alpha theta),  s = K v_theta,
 *   q' = q + h v_theta,   f' = f + h s,   v' = (v_theta - (1 - theta) v) / theta. */
static void update(prc_stepper *s) {
  const double h = s->options.h, theta = s->options.theta;
  const double alpha = s->system->damping_mass, beta = s->system->damping_stiffness;
  const double keep = 1.0 - h * alpha * (1.0 - theta), divide = 1.0 / (1.0 + h * alpha * theta),
               hb = h * theta + beta;
  const double *restrict v_theta = s->v_theta, *restrict Kv = s->s, *restrict F = s->F_theta;
  const double *restrict v = s->v_old, *restrict m = s->m_old, *restrict f = s->f_old;
  double *restrict v_next = s->v, *restrict m_next = s->m, *restrict f_next = s->f;
  for (int i = 0; i < s->n; i++) {
    m_next[i] = (keep * m[i] + h * (F[i] - f[i] - hb * Kv[i])) * divide;
    f_next[i] = f[i] + h * Kv[i];
    v_next[i] = (v_theta[i] - (1.0 - theta) * v[i]) / theta;
  }
  for (int i = 0; i < s->n; i++) s->q[s->perm[i]] += h * v_theta[i];
  prc_step_contacts_apply(s->system, &s->contacts, divide, s->m);
  for (int i = 0; s->massless && i < s->n_free; i++)
    if (s->massless[i]) s->m[i] = 0.0, s->v[i] = s->v_theta[i];
}

/* Prescribed rows: v' is the datum, m' = (M v')_p, and the reaction is what the equation of motion lacks there,
 *   R = dm / h + f_theta + C v_theta - F_theta - H'p / h.
 * On entry their m holds what the recursion gives without R, m_free' = m' - h R / (1 + h alpha theta). */
static void update_prescribed(prc_stepper *s) {
  const double h = s->options.h, factor = 1.0 + h * s->system->damping_mass * s->options.theta;
  for (int r = 0; r < s->n_prescribed; r++) s->v[s->n_free + r] = s->vp_next[r];
  for (int r = 0; r < s->n_prescribed; r++) {
    double m = 0.0;
    for (int k = s->rows.start[r]; k < s->rows.start[r + 1]; k++) m += s->rows.M[k] * s->v[s->rows.column[k]];
    s->reaction[r] = (m - s->m[s->n_free + r]) * factor / h;
    s->m[s->n_free + r] = m;
  }
}

static void trade(double **a, double **b) {
  double *swap = *a;
  *a = *b, *b = swap;
}

static int all_finite(int n, const double *x) {
  double sum[4] = {0.0}; /* x - x is zero, or NaN where x is not finite */
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += x[i + k] - x[i + k];
  for (; i < n; i++) sum[0] += x[i] - x[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

static prc_status finish(prc_stepper *s, prc_error *err) {
  if (!all_finite(s->n, s->v)) {
    fill_record(s); /* with the contact problem that it came from */
    return prc_fail(err, PRC_DIVERGED, "the velocities or reactions are not finite at t = %.9g", s->t);
  }
  prc_step_contacts_velocity(s->system, &s->contacts, s->v_theta, s->contacts.u_theta);
  prc_step_contacts_velocity(s->system, &s->contacts, s->v, s->contacts.u);
  look_at_contacts(s, !s->system->H_constant);
  fill_record(s);
  return PRC_OK;
}

/* The phase that ends here. */
static void book(prc_stepper *s, int phase) {
  if (!s->options.timed) return;
  const double now = prc_clock();
  s->seconds[phase] += now - s->since;
  s->since = now;
}

prc_status prc_stepper_step(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  if (s->options.timed) s->since = prc_clock();
  prc_step_contacts *k = &s->contacts;
  const double t_next = (s->step + 1) * s->options.h;

  /* data at the end of the step */
  if (!s->system->force_constant) prc_try(load_at(s, t_next, s->F_next, err));
  if (s->options.quasi_static)
    prc_try(prc_step_static_prescribed(s, t_next, err));
  else
    prc_try(prc_step_motion_advance(&s->motion, s->step + 1, s->vp_next, err));

  /* contacts at its beginning: u_k and the active set; gaps and H at q_k are those of the end of the last step */
  if (!s->options.quasi_static) prc_step_contacts_velocity(s->system, k, s->v, k->u_old);
  prc_step_contacts_activate(s->system, &s->options, k);

  /* v_{k+theta}: right-hand side, forward, contact problem on the tail, backward */
  right_hand_side(s);
  book(s, PRC_STEP_loads);
  prc_try(s->solver.row->begin(s->solver.work, s->v, s->v_theta, err));
  book(s, PRC_STEP_forward);
  prc_try(prc_step_contacts_solve(s->system, &s->options, k, s->t, s->v_theta, &s->record.cone, err));
  book(s, PRC_STEP_contact);
  s->solver.row->finish(s->solver.work, k->pull, k->kick, s->v_theta);
  book(s, PRC_STEP_backward);

  /* the state at its end */
  if (s->K) prc_panels_multiply(s->K, s->v_theta, s->s);
  if (s->K_plain) prc_sym_multiply(s->K_plain, s->v_theta, s->s);
  book(s, PRC_STEP_product);
  trade(&s->v, &s->v_old), trade(&s->m, &s->m_old), trade(&s->f, &s->f_old);
  if (s->options.quasi_static)
    prc_step_static_update(s);
  else
    update(s), update_prescribed(s);
  trade(&s->F, &s->F_next), trade(&s->vp, &s->vp_next);
  s->step++;
  s->moved = 1;
  s->t = t_next;
  status = finish(s, err);
  book(s, PRC_STEP_state);
done:
  return status;
}

/* ---- for reports ------------------------------------------------------------------------------------------------------------ */

prc_step_facts prc_stepper_facts(const prc_stepper *s) {
  const prc_step_contacts *k = &s->contacts;
  const size_t rows = (size_t)k->dim * (size_t)k->n,
               n_blocks = k->sparse ? (size_t)k->all.row_start[k->n] : 0;
  const prc_solver_facts solver = s->solver.row->facts(s->solver.work);
  prc_step_facts facts = {.ordering = s->ordering,
                          .n_tail = s->n_tail,
                          .solver = s->solver.row->name,
                          .shared = solver.shared,
                          .products = s->solver.products,
                          .traffic_factor = s->solver.traffic_factor,
                          .traffic_iteration = s->solver.traffic_iteration,
                          .factor_entries = (size_t)s->solver.entries,
                          .W_entries = k->sparse ? n_blocks * (size_t)k->dim * (size_t)k->dim : rows * rows};
  memcpy(facts.seconds, s->seconds, sizeof facts.seconds);
  facts.bytes =
      solver.bytes + (size_t)s->n * 16 * sizeof(double)
      + 12 * facts.W_entries * sizeof(double); /* W, that of the active ones, and the solvers' own */
  if (s->system->K) facts.bytes += (size_t)prc_sym_nnz(s->system->K) * 42;
  return facts;
}

void prc_stepper_delassus(prc_stepper *s, int count, const int *candidates, double *W) {
  prc_step_contacts_condense(s->system, &s->contacts, s->contacts.share, count, candidates, W);
}
