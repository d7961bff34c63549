#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Common parts of all schemes: set-up, the state, the record of a step. */

/* Inside a run the measure that is free of units is judged: units are the user's. */
prc_step_options prc_step_options_default(double h) {
  prc_step_options options = {.scheme = "theta",
                              .h = h,
                              .theta = 0.5,
                              .rho = 0.8,
                              .law = PRC_IMPACT_FREMOND,
                              .solver = "auto",
                              .linear = "auto",
                              .cone = prc_cone_options_default()};
  options.cone.criterion = PRC_CONE_SCALED;
  return options;
}

static prc_status check_options(const prc_system *system, const prc_step_options *o, prc_error *err) {
  prc_need(o->scheme, err);
  prc_need(o->solver, err);
  prc_need(o->linear, err);
  const prc_scheme *scheme = prc_scheme_find(o->scheme);
  if (!scheme)
    return prc_fail(err, PRC_INPUT, "there is no scheme '%s', expected %s or static", o->scheme,
                    PRC_STEP_SCHEME_NAMES);
  if (!(o->h > 0.0) || !isfinite(o->h))
    return prc_fail(err, PRC_INPUT, "the time step is %g, expected a positive number", o->h);
  if (system->joints.n > 0 && !scheme->has_joints)
    return prc_fail(err, PRC_INPUT, "the scheme %s has no joints, expected theta or generalized-alpha",
                    o->scheme);
  prc_status status = prc_step_pace_check(o, err);
  if (status == PRC_OK) status = scheme->check(system, o, err);
  return status == PRC_OK ? prc_cone_options_check(&o->cone, err) : status;
}

/* ---- set-up ------------------------------------------------------------------------------------------------------------ */

/* part[i]: 0 interior, 1 touched by a contact or a joint, 2 prescribed. */
static prc_status find_parts(prc_stepper *s, prc_error *err) {
  const prc_contact_set *set = &s->contacts.set;
  const char *touched = s->system->contacts.touched;
  const prc_status status = prc_new(&s->part, s->n, err);
  if (status != PRC_OK) return status;
  for (int i = 0; set->n > 0 && i < set->H.start[set->n]; i++) s->part[set->H.dof[i]] = 1;
  for (int i = 0; touched && i < s->n; i++)
    if (touched[i]) s->part[i] = 1;
  for (int i = 0; s->joints.n > 0 && i < s->joints.G.start[s->joints.n]; i++) s->part[s->joints.G.dof[i]] = 1;
  for (int i = 0; i < s->n_prescribed; i++) s->part[s->system->drive.dof[i]] = 2;
  return PRC_OK;
}

/* Visits the entries of M in prescribed rows; counts them (place = 0) or stores them. */
static void visit_prescribed(prc_stepper *s, const int *row_of, int *next, int place) {
  const prc_sym *M = s->system->dynamics.M;
  for (int j = 0; j < M->n; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++) {
      const int i = M->i[k];
      for (int side = 0; side < (i == j ? 1 : 2); side++) {
        const int row = row_of[side ? j : i], column = side ? i : j;
        if (row < 0) continue;
        const int at = next[row]++;
        if (place) s->rows.column[at] = column, s->rows.M[at] = M->x[k];
      }
    }
}

static prc_status keep_prescribed_rows(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  int *next = NULL, *row_of = NULL;
  prc_try(prc_new(&next, s->n_prescribed, err));
  prc_try(prc_new(&row_of, s->n, err));
  for (int i = 0; i < s->n; i++) row_of[i] = -1;
  for (int r = 0; r < s->n_prescribed; r++) row_of[s->system->drive.dof[r]] = r;
  prc_try(prc_new(&s->rows.start, (size_t)s->n_prescribed + 1, err));
  visit_prescribed(s, row_of, next, 0);
  for (int r = 0; r < s->n_prescribed; r++) {
    s->rows.start[r + 1] = s->rows.start[r] + next[r];
    next[r] = s->rows.start[r];
  }
  prc_try(prc_new(&s->rows.column, s->rows.start[s->n_prescribed], err));
  prc_try(prc_new(&s->rows.M, s->rows.start[s->n_prescribed], err));
  visit_prescribed(s, row_of, next, 1);
done:
  prc_delete(&next);
  prc_delete(&row_of);
  return status;
}

/* The pattern of A: those of M, K, C and of what the tangent of internal forces adds. K is left out where it does not count. */
prc_status prc_step_form(const prc_stepper *s, const prc_step_matrix *c, int tangent, prc_sym **A,
                         prc_error *err) {
  prc_status status = PRC_OK;
  const prc_dynamics *d = &s->system->dynamics;
  const prc_sym *const parts[] = {c->damping != 0.0 ? d->C : NULL, tangent ? d->pattern : NULL};
  const double factor[] = {c->damping, 0.0};
  prc_sym *sum = NULL, *more = NULL;
  prc_try(prc_sym_add(c->mass, d->M, c->stiffness, c->stiffness != 0.0 ? d->K : NULL, &sum, err));
  for (int k = 0; k < 2; k++) {
    if (!parts[k]) continue;
    prc_try(prc_sym_add(1.0, sum, factor[k], parts[k], &more, err));
    prc_sym_free(&sum);
    sum = more, more = NULL;
  }
  prc_step_mix_matrix(s, sum);
  *A = sum, sum = NULL;
done:
  prc_sym_free(&sum);
  return status;
}

prc_status prc_step_form_matrix(const prc_stepper *s, prc_sym **A, prc_error *err) {
  const prc_step_matrix c = s->scheme->matrix(s->system, &s->options);
  return prc_step_form(s, &c, 1, A, err);
}

/* A += a B, the pattern of B being within that of A */
static void add_within(prc_sym *A, double a, const prc_sym *B) {
  for (int j = 0; B && j < B->n; j++)
    for (int k = A->p[j], l = B->p[j]; l < B->p[j + 1]; l++) {
      while (A->i[k] < B->i[l]) k++;
      A->x[k] += a * B->x[l];
    }
}

void prc_step_fill(const prc_stepper *s, const prc_step_matrix *c, prc_sym *A) {
  const prc_dynamics *d = &s->system->dynamics;
  for (int k = 0; k < A->p[A->n]; k++) A->x[k] = 0.0;
  add_within(A, c->mass, d->M);
  if (c->stiffness != 0.0) add_within(A, c->stiffness, d->K);
  if (c->damping != 0.0) add_within(A, c->damping, d->C);
  prc_step_mix_matrix(s, A);
}

void prc_step_fill_matrix(const prc_stepper *s, prc_sym *A) {
  const prc_step_matrix c = s->scheme->matrix(s->system, &s->options);
  prc_step_fill(s, &c, A);
}

prc_status prc_step_make_operator(const prc_stepper *s, const prc_step_matrix *c, int may_change, int joined,
                                  prc_operator **op, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_sym *M = s->system->dynamics.M;
  const int varies = prc_step_varies(&s->options);
  const char *linear = varies && s->op ? prc_operator_get_facts(s->op).name : s->options.linear;
  prc_sym *A = NULL;
  double *mass = NULL;
  if (s->joints.n > 0) prc_try(prc_new(&mass, s->n, err));
  for (int i = 0; mass && i < s->n; i++) mass[i] = M->x[M->p[i]];
  const prc_operator_plan plan = {.given = &A,
                                  .part = s->part,
                                  .tolerance = 1e-13, /* 10 000 steps then leave the momentum within 1e-10 */
                                  .has_mass = s->scheme->has_mass,
                                  .threads = s->options.threads,
                                  .log = s->options.log,
                                  .may_change = may_change,
                                  .is_one_of_many = varies,
                                  .like = varies ? s->op : NULL,
                                  .joints = joined ? &s->joints.G : NULL,
                                  .body = s->system->space.body,
                                  .share = s->system->share,
                                  .mass = mass};
  prc_try(prc_step_form(s, c, may_change, &A, err));
  prc_try(prc_operator_create(linear, A, &plan, op, err));
done:
  prc_delete(&mass);
  prc_sym_free(&A);
  return status;
}

prc_status prc_step_create_operator(prc_stepper *s, prc_operator **op, prc_error *err) {
  const prc_step_matrix c = s->scheme->matrix(s->system, &s->options);
  const unsigned changing = PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE;
  prc_status status = prc_step_make_operator(s, &c, (s->system->dynamics.varies & changing) != 0, 1, op, err);
  if (status == PRC_OK && !s->scheme->has_mass
      && prc_operator_get_facts(*op).weakest_pivot <= s->n * DBL_EPSILON)
    status = prc_fail(err, PRC_SINGULAR, "something can move without being strained");
  if (status == PRC_SINGULAR)
    prc_error_context(err, s->scheme->has_mass ? "the iteration matrix M + h theta C + h^2 theta^2 K"
                                               : "the stiffness");
  if (status != PRC_OK) prc_operator_free(op);
  return status;
}

static prc_status create_operator(prc_stepper *s, prc_error *err) {
  const prc_status status = prc_step_create_operator(s, &s->op, err);
  if (status != PRC_OK || !s->system->dynamics.K) return status;
  return prc_product_create(s->system->dynamics.K, s->op, &s->K, err);
}

/* Every vector of the stepper, once: allocated and freed from these lists. A state of zeros, which contacts are found at, comes first; all else
 * once the factor is made, which takes the most memory. */
#define VECTORS_OF_THE_STATE(X) X(q) X(v)
#define VECTORS_OF_DOFS(X)                                                                                   \
  X(m) X(f) X(v_old) X(m_old) X(f_old) X(v_work) X(s) X(F_work) X(F) X(F_next) X(drag) X(let_in)
#define VECTORS_OF_COORDINATES(X) X(work) X(work2) X(q_old)
#define VECTORS_OF_PRESCRIBED(X)  X(vp) X(vp_next) X(reaction)

static prc_status allocate_vectors(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_carried = s->system->overlaps.n_carried;
  if (n_carried > 0) prc_try(prc_new(&s->overlaps, n_carried, err));
#define X(name) prc_try(prc_new(&s->name, s->n, err));
  VECTORS_OF_DOFS(X)
#undef X
#define X(name) prc_try(prc_new(&s->name, s->nq > s->n ? s->nq : s->n, err));
  VECTORS_OF_COORDINATES(X)
#undef X
#define X(name) prc_try(prc_new(&s->name, s->n_prescribed, err));
  VECTORS_OF_PRESCRIBED(X)
#undef X
  if (s->system->moment) prc_try(prc_new(&s->sizes, s->n, err));
  prc_step_moments_begin(s);
done:
  return status;
}

/* Contacts that are there at all times, or what is known of those that come and go without their laws: at coordinates that are zeros. */
static prc_status find_first(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_at at = {0.0, s->q, s->v};
  prc_contact_set *set = &s->contacts.set;
  prc_step_contacts_classify(s->system, &s->contacts);
  if (s->system->contacts.n_laws == 0)
    prc_try(prc_system_find_contacts(s->system, &at, s->options.h, 0.0, set, NULL, err));
  else {
    prc_contact_set_begin(set, s->system->contacts.dim);
    prc_try(prc_contact_set_end(set, NULL, err));
  }
  prc_step_friction_classify(s->system, &s->contacts);
done:
  return status;
}

static prc_status prepare(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_action action = {0};
  prc_try(prc_new(&s->q, s->nq, err));
  prc_try(prc_new(&s->v, s->n, err));
  prc_try(find_first(s, err));
  prc_try(prc_step_joints_create(s->system, &s->joints, err));
  prc_try(find_parts(s, err));
  prc_try(keep_prescribed_rows(s, err));
  prc_try(create_operator(s, err));
  prc_try(allocate_vectors(s, err));
  prc_try(s->scheme->create(s, &action, err));
  prc_step_contacts_set_tolerances(s->system, &s->options, action.all, &s->contacts);
  s->options.gap_tolerance = s->contacts.gap_tolerance;
  s->options.velocity_tolerance = s->contacts.velocity_tolerance;
  prc_try(prc_step_mix(s, err));
  prc_try(prc_step_contacts_create(&s->options, s->op, &action, &s->contacts, err));
  prc_try(
      prc_step_motion_create(s->system, &s->options, s->scheme->follows, s->scheme->exact, &s->motion, err));
  s->late = s->scheme->has_mass && !s->scheme->promises(s).penetration.theorem;
  prc_try(prc_step_values_create(s->system, &s->options, s->scheme->follows, &s->values, &s->joints, err));
done:
  return status;
}

/* Fremond's law at theta = 1/2 stops u_{k+theta} = (u_k + u_{k+1}) / 2: what rests goes to and fro by the error of its start, and percussions alternate. Of bodies in
 * space, whose forces are indeterminate, the last ones are no better to begin with than none. */
static int alternates(const prc_system *system, const prc_step_options *o, const prc_scheme *scheme) {
  return scheme->n_kept == 0 && scheme->has_mass && (scheme->options & PRC_OPTION_LAW) != 0
         && o->law == PRC_IMPACT_FREMOND && o->theta == 0.5 && system->contacts.dim >= 3
         && system->contacts.find != NULL;
}

/* Of rigid bodies alone: at theta = 1/2 a tangential restitution (1 - w) / w makes Newton's problem that of the weight w (problem.c). */
static void scale_law_alone(prc_stepper *s) {
  prc_step_options *o = &s->options;
  o->weight = 0.0;
  if (o->bulk != PRC_BULK_MIDDLE) return;
  o->weight = o->theta;
  if (s->mixed) return;
  o->theta = 0.5;
  o->law = o->weight == 0.5 ? PRC_IMPACT_FREMOND : PRC_IMPACT_NEWTON;
}

prc_status prc_stepper_create(const prc_system *system, const prc_step_options *options, prc_stepper **out,
                              prc_error *err) {
  prc_need(system, err);
  prc_need(options, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_stepper *s = NULL;
  prc_try(prc_system_check(system, err));
  prc_try(check_options(system, options, err));
  prc_try(prc_new(&s, 1, err));
  s->system = system;
  s->options = *options;
  s->mixed = options->bulk == PRC_BULK_MIDDLE && system->space.deforms != NULL;
  scale_law_alone(s);
  s->op_h = s->pace_first = options->h;
  s->scheme = prc_scheme_find(options->scheme);
  s->contacts.alternates = alternates(system, options, s->scheme);
  s->contacts.ramps = s->scheme->leans && system->contacts.ramps && system->contacts.dim == 2;
  s->contacts.set.n_kept =
      (s->scheme->n_kept + s->contacts.alternates + s->contacts.ramps + s->mixed) * system->contacts.dim;
  prc_step_note_contacts_room(s);
  s->n = system->space.nv, s->nq = prc_system_coordinates(system), s->n_prescribed = system->drive.n;
  prc_share_own(system->share, s->n, &s->first, &s->end);
  prc_try(prepare(s, err));
  prc_step_fill_record(s);
  s->options.log = NULL;
  *out = s, s = NULL;
done:
  prc_stepper_free(&s);
  return status;
}

void prc_stepper_free(prc_stepper **out) {
  prc_stepper *s = *out;
  if (!s) return;
#define X(name) prc_delete(&s->name);
  VECTORS_OF_THE_STATE(X)
  VECTORS_OF_DOFS(X)
  VECTORS_OF_COORDINATES(X)
  VECTORS_OF_PRESCRIBED(X)
#undef X
  prc_delete(&s->way);
  prc_delete(&s->ahead);
  if (s->scheme && s->scheme->free) s->scheme->free(s);
  prc_delete(&s->overlaps);
  prc_delete(&s->sizes);
  prc_delete(&s->part);
  prc_operator_free(&s->op);
  prc_step_ladder_free(&s->ladder);
  prc_product_free(&s->K);
  prc_delete(&s->rows.start);
  prc_delete(&s->rows.column);
  prc_delete(&s->rows.M);
  prc_step_contacts_free(&s->contacts);
  prc_step_joints_free(&s->joints);
  prc_step_values_free(&s->values);
  prc_step_motion_free(&s->motion);
  prc_delete(out);
}

const prc_step_options *prc_stepper_options(const prc_stepper *s) {
  return &s->options;
}
unsigned prc_stepper_levels(const prc_stepper *s) {
  return s->scheme->levels;
}

const prc_step_record *prc_stepper_record(const prc_stepper *s) {
  return &s->record;
}
