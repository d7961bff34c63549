#include "config.h"
#include "step/alpha.h"

#include <string.h>

/* The matrices of the three levels, and the forces that are not of contacts. */

/* ---- making ------------------------------------------------------------------------------------------------------------ */

int prc_alpha_is_damped(const prc_dynamics *d) {
  return d->damping_mass != 0.0 || d->damping_stiffness != 0.0 || d->C || (d->varies & PRC_DAMPING_OF_STATE);
}

static int has_stiffness(const prc_dynamics *d) {
  return d->K || (d->varies & PRC_INTERNAL_NONLINEAR);
}

/* M + h g' C + h^2 b' K, of positions. */
static prc_step_matrix matrix_of_positions(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const double c_v = s->options.h * w->k.g, c_x = s->options.h * s->options.h * w->k.b;
  return (prc_step_matrix){
      .mass = 1.0 + c_v * d->damping_mass, .stiffness = c_v * d->damping_stiffness + c_x, .damping = c_v};
}

/* M, of velocities and accelerations. */
prc_step_matrix prc_alpha_matrix(const prc_system *system, const prc_step_options *o) {
  (void)system, (void)o;
  return (prc_step_matrix){.mass = 1.0};
}

/* For a problem without contacts: it grows with theirs. */
static prc_status create_solver(prc_stepper *s, prc_alpha_level *l, int dim, prc_error *err) {
  prc_status status = PRC_OK;
  const int sparse = prc_operator_is_sparse(l->op);
  const prc_rows no_rows = {.dim = dim};
  prc_cone_options options = s->options.cone;
  options.start = PRC_CONE_START_WARM, options.order = PRC_CONE_ORDER_NATURAL;
  if (sparse) prc_try(prc_operator_condense_blocks(l->op, &no_rows, 0, NULL, 1.0, &l->blocks, err));
  const prc_cone_problem none = {.dim = dim, .blocks = sparse ? &l->blocks.blocks : NULL};
  prc_try(prc_cone_solver_create_for(s->options.solver, &none, &options, &l->solver, err));
done:
  return status;
}

prc_status prc_alpha_create_levels(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const int dim = s->system->contacts.find ? s->system->contacts.dim : 1;
  w->position.op = w->acceleration.op = s->op;
  const unsigned changing = d->varies & (PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE);
  if (has_stiffness(d) || prc_alpha_is_damped(d)) {
    const prc_step_matrix c = matrix_of_positions(s);
    w->position.own = 1, w->position.op = NULL;
    prc_try(prc_step_make_operator(s, &c, changing != 0, 1, &w->position.op, err));
    if (changing) prc_try(prc_step_form(s, &c, 1, &w->A, err));
  }
  if (w->variant->smooth && s->joints.n > 0) { /* its accelerations have no joints of their own */
    const prc_step_matrix c = prc_alpha_matrix(s->system, &s->options);
    w->acceleration.own = 1, w->acceleration.op = NULL;
    prc_try(prc_step_make_operator(s, &c, 0, 0, &w->acceleration.op, err));
  }
  prc_try(create_solver(s, &w->position, 1, err));
  prc_try(create_solver(s, &w->acceleration, dim, err));
done:
  return status;
}

static void free_level(prc_alpha_level *l) {
  if (l->own) prc_operator_free(&l->op);
  prc_delete(&l->W);
  prc_delete(&l->all);
  prc_block_matrix_free(&l->blocks);
  prc_cone_solver_free(&l->solver);
}

void prc_alpha_free_levels(prc_step_alpha *w) {
  free_level(&w->position);
  free_level(&w->acceleration);
  prc_sym_free(&w->A);
}

/* With the tangents at the q' and u' of the first pass; the passes that follow keep them. */
prc_status prc_alpha_set_matrices(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_system *system = s->system;
  const double h = s->options.h;
  const prc_at at = {s->t + h, w->q, w->u};
  if (w->A) {
    const prc_step_matrix c = matrix_of_positions(s);
    prc_step_fill(s, &c, w->A);
    prc_try(system->dynamics.tangent(system->owner, &at, h * h * w->k.b, h * w->k.g, w->A, err));
    prc_try(prc_operator_set(w->position.op, w->A, err));
  }
done:
  return status;
}

/* ---- forces -------------------------------------------------------------------------------------------------------------- */

/* Damping is of the velocity that goes with the positions, us = ut + g' / (h b') (dx - xt): u' where nothing strikes. So the matrix of positions is exact,
 * and a linear damped system needs no more passes than another; with u' itself, which percussions change at positions that stand, passes
 * would contract by h C / (M + h C). */
static prc_status find_drag(prc_stepper *s, double t, const double *q, const double *u, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const prc_drive *drive = &s->system->drive;
  const double of_way = w->k.g / (s->options.h * w->k.b);
  for (int i = 0; i < s->n; i++) w->us[i] = w->starts ? u[i] : w->ut[i] + of_way * (w->dx[i] - w->xt[i]);
  for (int r = 0; r < drive->n; r++) w->us[drive->dof[r]] = u[drive->dof[r]];
  memset(w->drag.now, 0, (size_t)s->n * sizeof *w->drag.now);
  if (d->varies & PRC_DAMPING_OF_STATE)
    prc_try(d->damping(s->system->owner, &(prc_at){t, q, w->us}, w->drag.now, err));
  const prc_sym *const part[] = {d->M, d->K, d->C};
  const double factor[] = {d->damping_mass, d->damping_stiffness, 1.0};
  for (int k = 0; k < 3; k++) {
    if (!part[k] || factor[k] == 0.0) continue;
    prc_sym_multiply(part[k], w->us, s->work);
    for (int i = 0; i < s->n; i++) w->drag.now[i] += factor[k] * s->work[i];
  }
  if (d->C_boundary) prc_sym_multiply(d->C_boundary, w->us, w->boundary.now);
done:
  return status;
}

/* Loads, internal forces and damping at a state, into `now` of each. */
prc_status prc_alpha_find_forces(prc_stepper *s, double t, const double *q, const double *u, int moved,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const prc_at at = {t, q, u};
  if (!moved) return PRC_OK;
  if (d->loads && (d->varies & PRC_LOADS_OF_STATE))
    prc_try(d->loads(s->system->owner, &at, w->load.now, err));
  if (d->varies & PRC_INTERNAL_NONLINEAR)
    prc_try(d->internal(s->system->owner, &at, w->internal.now, NULL, err));
  else if (s->K)
    prc_product_multiply(s->K, q, w->internal.now);
  if (prc_alpha_is_damped(d)) prc_try(find_drag(s, t, q, u, err));
done:
  return status;
}

/* Accelerations that are data, at t. */
prc_status prc_alpha_prescribe_accelerations(prc_stepper *s, double t, double *a, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_drive *drive = &s->system->drive;
  const double little = s->options.h / 64.0;
  for (int r = 0; r < drive->n; r++) a[r] = 0.0;
  if (drive->n == 0 || drive->rest) return PRC_OK;
  if (drive->acceleration) return drive->acceleration(s->system->owner, t, a, err);
  prc_try(drive->velocity(s->system->owner, t, little, a, err));
  prc_error ended = {0}; /* as at the end of a run: from the left then */
  const int ahead = drive->velocity(s->system->owner, t + little, little, s->work, &ended) == PRC_OK;
  if (!ahead) prc_try(drive->velocity(s->system->owner, t - little, little, s->work, err));
  for (int r = 0; r < drive->n; r++) a[r] = (s->work[r] - a[r]) / (ahead ? little : -little);
done:
  return status;
}
