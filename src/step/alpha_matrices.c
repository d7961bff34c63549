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

/* M + c_v C + c_x K with Rayleigh's part of C folded in; where K does not count it is left out of the pattern, too. */
static prc_step_matrix matrix_of(const prc_dynamics *d, double c_v, double c_x) {
  return (prc_step_matrix){
      .mass = 1.0 + c_v * d->damping_mass, .stiffness = c_v * d->damping_stiffness + c_x, .damping = c_v};
}

static prc_step_matrix matrix_of_positions(const prc_stepper *s) {
  const prc_step_alpha *w = s->work_of_scheme;
  const double h = s->options.h;
  return matrix_of(&s->system->dynamics, h * w->k.g, h * h * w->k.b);
}

prc_step_matrix prc_alpha_matrix(const prc_system *system, const prc_step_options *o) {
  return matrix_of(&system->dynamics, o->h * prc_alpha_constants_of(o->rho).g, 0.0);
}

static prc_status create_solver(prc_stepper *s, prc_alpha_level *l, int dim, prc_error *err) {
  prc_cone_options options = s->options.cone;
  const prc_cone_problem none = {.dim = dim,
                                 .blocks = prc_operator_is_sparse(l->op) ? &l->blocks.blocks : NULL};
  options.start = PRC_CONE_START_WARM, options.order = PRC_CONE_ORDER_NATURAL;
  return prc_cone_solver_create_for(s->options.solver, &none, &options, &l->solver, err);
}

prc_status prc_alpha_create_levels(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const int dim = s->system->contacts.find ? s->system->contacts.dim : 1;
  w->position.op = w->acceleration.op = s->op;
  if (has_stiffness(d)) {
    const prc_step_matrix c = matrix_of_positions(s);
    w->position.own = 1, w->position.op = NULL;
    prc_try(prc_step_make_operator(s, &c, (d->varies & (PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE)) != 0,
                                   1, &w->position.op, err));
  }
  if (prc_alpha_is_damped(d)
      || (w->variant->smooth && s->joints.n > 0)) { /* the smooth scheme has no joints there */
    const prc_step_matrix c = matrix_of(d, 0.0, 0.0);
    w->acceleration.own = 1, w->acceleration.op = NULL;
    prc_try(prc_step_make_operator(s, &c, 0, !w->variant->smooth, &w->acceleration.op, err));
  }
  if (d->varies & (PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE)) {
    const prc_step_matrix c = matrix_of_positions(s);
    prc_try(prc_step_form(s, &c, 1, &w->A, err));
  }
  if (d->varies & PRC_DAMPING_OF_STATE) {
    const prc_step_matrix c = prc_alpha_matrix(s->system, &s->options);
    prc_try(prc_step_form(s, &c, 1, &w->D, err));
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
  prc_sym_free(&w->D);
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
  if (w->D) {
    const prc_step_matrix c = prc_alpha_matrix(system, &s->options);
    prc_step_fill(s, &c, w->D);
    prc_try(system->dynamics.tangent(system->owner, &at, 0.0, h * w->k.g, w->D, err));
    prc_try(prc_operator_set(s->op, w->D, err));
  }
done:
  return status;
}

/* ---- forces -------------------------------------------------------------------------------------------------------------- */

/* Loads, internal forces and damping at a state, into `now` of each. */
prc_status prc_alpha_find_forces(prc_stepper *s, double t, const double *q, const double *u, int moved,
                                 prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_dynamics *d = &s->system->dynamics;
  const prc_at at = {t, q, u};
  if (d->loads && (d->varies & PRC_LOADS_OF_STATE))
    prc_try(d->loads(s->system->owner, &at, w->load.now, err));
  if (moved && (d->varies & PRC_INTERNAL_NONLINEAR))
    prc_try(d->internal(s->system->owner, &at, w->internal.now, NULL, err));
  else if (moved && s->K)
    prc_product_multiply(s->K, q, w->internal.now);
  if (!prc_alpha_is_damped(d)) return PRC_OK;
  if (d->varies & PRC_DAMPING_OF_STATE)
    prc_try(d->damping(s->system->owner, &at, w->drag.now, err));
  else
    memset(w->drag.now, 0, (size_t)s->n * sizeof *w->drag.now);
  const prc_sym *const part[] = {d->M, d->K, d->C};
  const double factor[] = {d->damping_mass, d->damping_stiffness, 1.0};
  for (int k = 0; k < 3; k++) {
    if (!part[k] || factor[k] == 0.0) continue;
    prc_sym_multiply(part[k], u, s->work);
    for (int i = 0; i < s->n; i++) w->drag.now[i] += factor[k] * s->work[i];
  }
done:
  return status;
}
