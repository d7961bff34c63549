#include "config.h"
#include "step/internal.h"
#include "cone/operator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The contacts of a step: which there are, and which of them are active. */

/* ---- room -------------------------------------------------------------------------------------------------------------- */

/* For as many contacts as the set has; it grows between steps and never within one. */
static prc_status make_room(prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)k->set.capacity, dim = (size_t)k->set.dim, old = k->room;
  size_t room = old;
  if (k->room > 0 && n <= old && (!k->turns || k->set.room_rows <= k->room_H)) return PRC_OK;
#define GROW(array, width)                                                                                   \
  room = old * (size_t)(width);                                                                              \
  prc_try(prc_grow(&k->array, &room, n *(size_t)(width), sizeof *k->array, err))
  GROW(b, dim);
  GROW(w, dim);
  GROW(p_active, dim);
  GROW(u_old, dim);
  GROW(u_work, dim);
  GROW(u, dim);
  GROW(u_mean, dim);
  GROW(u_before, dim);
  GROW(weight, 2);
  GROW(mu, 1);
  GROW(speed_found, 1);
  GROW(allowance, 1);
  GROW(middle, PRC_LAW_STATE);
  GROW(parameter, PRC_LAW_PARAMETERS);
  GROW(known, 1);
  GROW(gap_old, 1);
  GROW(gap_predicted, 1);
  GROW(p_old, 1);
  GROW(id_old, 1);
  GROW(depth_old, 1);
  GROW(W_normal, 1);
  GROW(active, 1);
  GROW(gathered, 1);
  GROW(status, 1);
  GROW(place, 1);
#undef GROW
  if (k->turns) prc_try(prc_grow(&k->H_old, &k->room_H, k->set.room_rows, sizeof *k->H_old, err));
  k->room = n;
  k->n_gathered = -1;
done:
  return status;
}

/* Of the contacts of the set, whatever was in it before: a run that is resumed does not know that. */
static void find_least_size(prc_step_contacts *k) {
  k->size_least = 0.0;
  for (int c = 0; c < k->set.n; c++)
    if (k->set.size[c] > 0.0 && !(k->set.size[c] >= k->size_least && k->size_least > 0.0))
      k->size_least = k->set.size[c];
}

/* A matrix W of so many rows, dense, twice where it is kept for all candidates. */
static prc_status room_for_dense(prc_step_contacts *k, size_t rows, int constant, prc_error *err) {
  prc_status status = PRC_OK;
  char what[64];
  if (rows * rows <= k->room_W) return PRC_OK;
  snprintf(what, sizeof what, "the contact problem of %zu candidates", rows / (size_t)k->set.dim);
  prc_try(prc_memory_expect(2.0 * sizeof(double) * (double)rows * (double)rows, what, err));
  prc_delete(&k->W);
  k->room_W = 0;
  prc_try(prc_new(&k->W, rows * rows, err));
  if (constant) prc_try(prc_new(&k->W_all, rows * rows, err));
  k->room_W = rows * rows;
done:
  return status;
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

/* Room for the problem of all contacts of the set, and the pattern of its W: whatever is active, steps allocate nothing. */
static prc_status create_solver(const prc_step_options *o, int constant, prc_step_contacts *k,
                                prc_error *err) {
  prc_status status = PRC_OK;
  const prc_contact_set *set = &k->set;
  if (k->factored) {
    prc_try(prc_operator_condense_runs(k->op, &set->H, set->n, NULL, k->action.scale, &k->runs, err));
  } else if (k->sparse) {
    prc_try(prc_operator_condense_blocks(k->op, &set->H, set->n, NULL, k->action.scale, &k->part, err));
    if (constant)
      prc_try(prc_operator_condense_blocks(k->op, &set->H, set->n, NULL, k->action.scale, &k->all, err));
  } else
    prc_try(room_for_dense(k, (size_t)set->dim * (size_t)set->n, constant, err));
  const prc_cone_problem largest = {.dim = set->dim,
                                    .n = set->n,
                                    .friction = k->of_speed ? prc_step_friction_at_speed : NULL,
                                    .friction_owner = k,
                                    .blocks = k->sparse ? &k->part.blocks : NULL,
                                    .factors = k->factored ? &k->runs.runs : NULL};
  prc_try(prc_cone_solver_create_for(o->solver, &largest, &o->cone, &k->solver, err));
done:
  return status;
}

void prc_step_contacts_classify(const prc_system *system, prc_step_contacts *k) {
  k->constant = system->contacts.varies == 0 && system->joints.n == 0
                && !(system->dynamics.varies & (PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE));
  k->turns = (system->contacts.varies & PRC_CONTACTS_H) != 0;
}

static int solves_factored(const char *solver) {
  int count = 0;
  const prc_cone_ability *ability = prc_cone_abilities(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(ability[i].name, solver) == 0) return prc_cone_can(ability + i, &prc_cone_by_runs);
  return 0;
}

prc_status prc_step_contacts_create(const prc_step_options *o, prc_operator *op,
                                    const prc_step_action *action, prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  k->op = op, k->action = *action;
  k->factored = !k->constant && k->set.dim > 2 && prc_operator_is_sparse(op) && prc_operator_has_runs(op)
                && solves_factored(o->solver);
  k->sparse = !k->factored && prc_operator_is_sparse(op);
  prc_step_normals_prepare(o, k);
  prc_try(make_room(k, err));
  find_least_size(k);
  prc_try(create_solver(o, k->constant, k, err));
done:
  return status; /* the stepper frees what was made */
}

void prc_step_contacts_free(prc_step_contacts *k) {
  double **vectors[] = {
      &k->W,     &k->W_all,  &k->b,         &k->w,         &k->p_active, &k->mu,      &k->speed_found,
      &k->u_old, &k->u,      &k->u_work,    &k->allowance, &k->W_normal, &k->gap_old, &k->gap_predicted,
      &k->p_old, &k->middle, &k->parameter, &k->u_mean,    &k->u_before, &k->weight};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_block_matrix_free(&k->all);
  prc_block_matrix_free(&k->part);
  prc_run_matrix_free(&k->runs);
  prc_delete(&k->H_old);
  prc_delete(&k->id_old);
  prc_delete(&k->depth_old);
  prc_delete(&k->mobility);
  prc_delete(&k->place);
  prc_delete(&k->active);
  prc_delete(&k->gathered);
  prc_delete(&k->status);
  prc_delete(&k->known);
  prc_contact_set_free(&k->set);
  prc_cone_solver_free(&k->solver);
  prc_step_normals_free(&k->normals);
}

/* The number of active contacts may have grown with the set. */
prc_status prc_step_contacts_reserve(prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  if (prc_step_normals_suffice(k)) return PRC_OK; /* the solver of the whole is not asked */
  if (!k->sparse && !k->factored)
    prc_try(room_for_dense(k, (size_t)k->set.dim * (size_t)k->n_active, 0, err));
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  prc_try(prc_cone_solver_reserve(k->solver, &problem, err));
done:
  return status;
}

/* Percussions and states of those that were active in the last step are carried along. What is closed within the tolerance is active, so
 * it must be found where nothing moves, too. */
prc_status prc_step_contacts_search(const prc_system *system, const prc_step_options *o, const prc_at *at,
                                    prc_step_contacts *k, int *changed, prc_error *err) {
  prc_status status = PRC_OK;
  *changed = 0;
  if (!(system->contacts.varies & PRC_CONTACTS_SET)) return PRC_OK;
  prc_try(prc_system_find_contacts(system, at, o->h, k->gap_tolerance, &k->set, changed, err));
  prc_try(make_room(k, err)); /* also where an attempt before this one found them and had no memory */
  if (*changed) find_least_size(k);
done:
  return status;
}

/* ---- activation --------------------------------------------------------------------------------------------------------- */

#define CLOSE                                                                                                \
  1e-5 /* of a size: a scene may be a thousand times as large as its grains, and things as fast as they fall over it */
#define ABOVE 100.0 /* as a wave speed is above the velocities of an elastic body's contacts */

/* A resting contact moves by the error of its contact problem: the velocity. Coordinates are rounded, and that motion drifts
 * over steps: the gap. */
static void find_tolerances(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  if (k->velocity_share > 0.0)
    k->velocity_tolerance = k->velocity_share * fmax(system->velocity, ABOVE * k->speed);
  if (!k->gap_follows) return;
  const double h =
      prc_step_varies(o) ? o->pace.max : o->h; /* what a long step left is there in a short one */
  const double drift = 10.0 * h * k->velocity_tolerance, size = system->contacts.size;
  k->gap_tolerance = 100.0 * DBL_EPSILON * system->length + (size > 0.0 ? fmin(drift, CLOSE * size) : drift);
}

void prc_step_contacts_set_tolerances(const prc_system *system, const prc_step_options *o, int all,
                                      prc_step_contacts *k) {
  if (all) { /* only what is prescribed is judged by them */
    k->gap_tolerance = 1000.0 * DBL_EPSILON * system->length;
    k->velocity_tolerance = k->gap_tolerance / o->h;
    return;
  }
  k->gap_tolerance = o->gap_tolerance, k->velocity_tolerance = o->velocity_tolerance;
  k->velocity_share = o->velocity_tolerance > 0.0 ? 0.0 : fmax(1e-11, 0.1 * o->cone.tolerance);
  k->gap_follows = !(o->gap_tolerance > 0.0);
  find_tolerances(system, o, k);
  if (!system->velocity_at_start) k->velocity_share = 0.0, k->gap_follows = 0;
}

void prc_step_contacts_resize(const prc_step_options *o, prc_step_contacts *k) {
  if (k->action.all) k->velocity_tolerance = k->gap_tolerance / o->h;
}

void prc_step_contacts_set_speed(const prc_system *system, const prc_step_options *o, double speed,
                                 prc_step_contacts *k) {
  k->speed = speed;
  find_tolerances(system, o, k);
}

/* Bodies that begin at rest without loads show only later how fast things are: the error of a contact problem is relative
 * to the free velocities u_F, and an acceleration (u_F - u_k) / (theta h) gives a velocity over the system's length. */
void prc_step_contacts_follow(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  double largest = 0.0, gain = 0.0;
  for (int i = 0; i < k->set.dim * k->set.n; i++) {
    largest = fmax(largest, fabs(k->u_work[i]));
    gain = fmax(gain, fabs(k->u_work[i] - k->u_old[i]));
  }
  const double speed = fmax(largest, sqrt(gain * system->length / (o->theta * o->h)));
  if (speed > k->speed && isfinite(speed)) prc_step_contacts_set_speed(system, o, speed, k);
}

/* A contact without restitution that carried a percussion is closed and at rest: w_N is theta u_N,k+1 in either law, and p_N > 0 makes
 * it zero. What its gap and velocity show is the error of the last contact problem, which is relative to b and so may exceed any
 * tolerance made of the system's own velocity. It is on the closed branch of the natural map as long as
 * u_N < W_NN p_N. With an H that moves, or a restitution, the velocity may be real; and at a prediction a contact may have been stopped before it
 * closed. */
static int still_pushes(const prc_step_options *o, const prc_step_contacts *k, int c) {
  if (!k->constant || k->set.law[c]->e > 0.0) return 0;
  if (o->prediction != PRC_PREDICT_PRESENT && k->set.gap[c] > k->gap_tolerance) return 0;
  const int n = k->set.dim * c;
  return k->set.p[n] > 0.0 && k->u_old[n] < k->W_normal[c] * k->set.p[n];
}

/* Where nothing resists by inertia: those that twice their velocity would bring to the obstacle. */
static int within_reach(const prc_step_options *o, const prc_step_contacts *k, int c) {
  return k->set.gap[c] <= k->gap_tolerance - 2.0 * o->h * fmin(k->u_old[k->set.dim * c], 0.0);
}

/* Where H moves, H_{k+1} v_{k+1} is not zero although H_k v_{k+1} is: a test of u_N,k would lose what rests, and what is closed sinks. All that
 * is closed enters then; what parts does no work by it (right_hand_side). One that pushed in the last step stays in up to a gap of its own, but for the directions of the papers: with that of
 * rounding alone contacts of surfaces that slide over each other blink, and so do those of bodies that turn, as a tangent opens them by (h w)^2 R / 8 in half a step. At
 * the start all sides of meshes within that gap may have pushed. */
static int is_active(const prc_step_options *o, const prc_step_contacts *k, int c) {
  const int strict = o->activation == PRC_ACTIVATION_STRICT;
  const double gap = strict ? 0.0 : k->gap_tolerance, velocity = strict ? 0.0 : k->velocity_tolerance;
  const int by_gap = o->activation == PRC_ACTIVATION_GAP || (k->turns && !strict);
  if (k->action.all) return 1;
  if (k->action.implicit) return within_reach(o, k, c);
  if (!strict && still_pushes(o, k, c)) return 1;
  const double *seen = o->prediction == PRC_PREDICT_PRESENT ? k->set.gap : k->gap_predicted;
  const int pushed =
      k->set.p[k->set.dim * c] > 0.0 || (k->starts && k->set.ramp[c] > 0.0 && k->set.stay[c] > 0.0);
  const int stays = o->directions == PRC_DIRECTIONS_CENTRE || k->set.ramp[c] > 0.0;
  if (k->turns && !strict && stays && pushed && seen[c] <= k->set.stay[c]) return 1;
  return seen[c] <= gap && (by_gap || k->u_old[k->set.dim * c] <= velocity);
}

void prc_step_contacts_exchange_gaps(prc_step_contacts *k) {
  for (int c = 0; c < k->set.n; c++) {
    const double swap = k->set.gap[c];
    k->set.gap[c] = k->gap_predicted[c], k->gap_predicted[c] = swap;
  }
}

/* A gap that is not a number fails all tests above and would be passed over in silence. */
prc_status prc_step_contacts_check(const prc_step_contacts *k, double t, prc_error *err) {
  for (int c = 0; c < k->set.n; c++) {
    const double gap = k->set.gap[c], u = k->u_old[k->set.dim * c];
    if (!isnan(gap) && !isnan(u)) continue;
    return prc_fail(err, PRC_DIVERGED,
                    "at t = %.9g contact %d has the gap %g and the normal velocity %g, expected numbers", t,
                    c, gap, u);
  }
  return PRC_OK;
}

void prc_step_contacts_activate(const prc_step_options *o, prc_step_contacts *k) {
  k->n_active = 0, k->begun = 0;
  if (!k->constant) k->n_gathered = -1;
  for (int c = 0; c < k->set.n; c++)
    if (is_active(o, k, c)) k->active[k->n_active++] = c;
}

/* ---- what percussions do ---------------------------------------------------------------------------------------------- */

void prc_step_contacts_apply(const prc_step_contacts *k, double a, double *y) {
  prc_rows_pull(&k->set.H, k->n_active, k->active, a, k->set.p, y);
}

void prc_step_contacts_add_sizes(const prc_step_contacts *k, double *y) {
  const prc_rows *H = &k->set.H;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], first = H->start[c], count = H->start[c + 1] - first;
    const double *row = H->x + H->dim * first;
    for (int r = 0; r < H->dim; r++, row += count)
      for (int d = 0; d < count; d++) y[H->dof[first + d]] += fabs(row[d] * k->set.p[H->dim * c + r]);
  }
}

/* Row by row. Rows without inertia are none of momentum, and a load step has none. */
double prc_step_contacts_impulse(const prc_step_contacts *k) {
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  double sum = 0.0;
  if (k->action.massless) return 0.0;
  for (int i = 0; i < problem.dim * problem.n; i++)
    sum += prc_cone_diagonal(&problem, i) * k->p_active[i] * k->p_active[i];
  return sqrt(fmax(sum, 0.0));
}

void prc_step_contacts_forget(prc_step_contacts *k) {
  memset(k->set.p, 0, (size_t)k->set.dim * (size_t)k->set.n * sizeof *k->set.p);
  if (k->set.n_kept > 0)
    memset(k->set.kept, 0, (size_t)k->set.n_kept * (size_t)k->set.n * sizeof *k->set.kept);
  prc_step_friction_forget(k);
  prc_contact_set_forget_away(&k->set);
}
