#include "config.h"
#include "scene/internal.h"

#include <string.h>

/* Internal forces of a scene with bodies whose own are not linear, and dampings that depend on the state. Where one body's internal forces are
 * not linear, those of the others, f = K q, stand beside them in one function:
 *
 *   V = sum of q'K q / 2 and the bodies' own,   df/dq = K, or the bodies' own tangent. */

static prc_at at_body(const prc_scene *scene, int b, const prc_at *at) {
  const prc_body *body = &scene->body[b];
  return (prc_at){at->t, at->q + body->first_coordinate, at->v ? at->v + body->first_dof : NULL};
}

static int is_nonlinear(const prc_system *own) {
  return (own->dynamics.varies & PRC_INTERNAL_NONLINEAR) != 0;
}

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  double sum = 0.0;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const prc_at here = at_body(scene, b, at);
    double *own_f = f ? f + scene->body[b].first_dof : NULL, V = 0.0;
    if (is_nonlinear(own))
      prc_try(own->dynamics.internal(own->owner, &here, own_f, potential ? &V : NULL, err));
    else if (own->dynamics.K) {
      if (own_f) prc_sym_multiply(own->dynamics.K, here.q, own_f);
      if (potential) V = 0.5 * prc_sym_form(own->dynamics.K, here.q, here.q);
    } else if (own_f)
      memset(own_f, 0, (size_t)own->space.nv * sizeof *own_f);
    sum += V;
  }
  if (potential) *potential = sum;
done:
  return status;
}

/* Of bodies with f = K q, K (q + dx/2). */
static prc_status mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  *gain = 0.0;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const prc_body *body = &scene->body[b];
    const double *own_q = q + body->first_coordinate, *own_dx = dx + body->first_dof;
    double *own_f = f + body->first_dof, V = 0.0;
    if (is_nonlinear(own))
      prc_try(own->dynamics.mean_internal(own->owner, own_q, own_dx, own_f, &V, err));
    else if (own->dynamics.K) {
      for (int i = 0; i < own->space.nv; i++) scene->middle[i] = own_q[i] + 0.5 * own_dx[i];
      prc_sym_multiply(own->dynamics.K, scene->middle, own_f);
      for (int i = 0; i < own->space.nv; i++) V += own_dx[i] * own_f[i];
    } else
      memset(own_f, 0, (size_t)own->space.nv * sizeof *own_f);
    *gain += V;
  }
done:
  return status;
}

/* Where all bodies that are not linear have one. */
static prc_status make_mean(prc_scene *scene, prc_error *err) {
  for (int b = 0; b < scene->n_bodies; b++)
    if (is_nonlinear(scene->of[b]) && !scene->of[b]->dynamics.mean_internal) return PRC_OK;
  scene->system.dynamics.mean_internal = mean_internal;
  return prc_new(&scene->middle, scene->system.space.nv, err);
}

static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *err) {
  const prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies && status == PRC_OK; b++) {
    const prc_system *own = scene->of[b];
    const prc_at here = at_body(scene, b, at);
    if (own->dynamics.varies & PRC_DAMPING_OF_STATE)
      status = own->dynamics.damping(own->owner, &here, d + scene->body[b].first_dof, err);
    else
      memset(d + scene->body[b].first_dof, 0, (size_t)own->space.nv * sizeof *d);
  }
  return status;
}

/* A += s x, the block of the body whose dofs begin at `first`: both columns ascend, and those of A have all rows of x. */
static void add_block(double s, const prc_sym *x, int first, prc_sym *A) {
  for (int j = 0; j < x->n; j++) {
    int to = A->p[first + j];
    for (int k = x->p[j]; k < x->p[j + 1]; k++) {
      while (A->i[to] < first + x->i[k]) to++;
      A->x[to] += s * x->x[k];
    }
  }
}

static prc_status tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *err) {
  prc_scene *scene = owner;
  prc_status status = PRC_OK;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_system *own = scene->of[b];
    const prc_at here = at_body(scene, b, at);
    const int first = scene->body[b].first_dof;
    prc_sym *part = scene->part[b];
    if (part) {
      memset(part->x, 0, (size_t)prc_sym_nnz(part) * sizeof *part->x);
      prc_try(own->dynamics.tangent(own->owner, &here, c_x, c_v, part, err));
      add_block(1.0, part, first, A);
    }
    if (!is_nonlinear(own) && own->dynamics.K && !scene->system.dynamics.K)
      add_block(c_x, own->dynamics.K, first, A);
  }
done:
  return status;
}

/* A matrix for each body's own tangent: on a pattern that holds those of its M, C and tangent, as its function expects. */
static prc_status make_parts(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&scene->part, scene->n_bodies, err));
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_dynamics *own = &scene->of[b]->dynamics;
    const prc_sym *pattern = own->pattern ? own->pattern : own->M, *more = own->C ? own->C : own->M;
    if (!own->tangent) continue;
    prc_sym *both = NULL;
    prc_try(prc_sym_add(0.0, own->M, 0.0, more, &both, err));
    status = prc_sym_add(0.0, both, 0.0, pattern, &scene->part[b], err);
    prc_sym_free(&both);
    if (status != PRC_OK) goto done;
  }
done:
  return status;
}

prc_status prc_scene_make_nonlinear(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_dynamics *d = &scene->system.dynamics;
  if (!(d->varies & (PRC_INTERNAL_NONLINEAR | PRC_DAMPING_OF_STATE))) return PRC_OK;
  prc_try(make_parts(scene, err));
  prc_try(prc_scene_make_pattern(scene, &scene->pattern, err));
  if (d->varies & PRC_INTERNAL_NONLINEAR) {
    d->internal = internal;
    prc_try(make_mean(scene, err));
  }
  if (d->varies & PRC_DAMPING_OF_STATE) d->damping = damping;
  d->tangent = tangent, d->pattern = scene->pattern;
  for (int b = 0; b < scene->n_bodies; b++) d->tangent_lasts |= scene->of[b]->dynamics.tangent_lasts;
done:
  return status;
}

void prc_scene_free_nonlinear(prc_scene *scene) {
  for (int b = 0; scene->part && b < scene->n_bodies; b++) prc_sym_free(&scene->part[b]);
  prc_delete(&scene->part);
  prc_delete(&scene->middle);
  prc_sym_free(&scene->pattern);
}
