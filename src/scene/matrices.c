#include "config.h"
#include "scene/internal.h"

#include <string.h>

/* Block diagonal matrices of the system. */

/* The matrix of body b with a factor, or zeros where it has none: every column has its diagonal. */
typedef struct {
  const prc_sym *x;
  double factor;
} block;

static prc_status join(const prc_scene *scene, const block *blocks, prc_sym **out, prc_error *err) {
  prc_status status = PRC_OK;
  int nnz = 0, at = 0, column = 0;
  for (int b = 0; b < scene->n_bodies; b++)
    nnz += blocks[b].x ? prc_sym_nnz(blocks[b].x) : scene->of[b]->space.nv;
  prc_try(prc_sym_create(scene->system.space.nv, nnz, out, err));
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_sym *x = blocks[b].x;
    const int first = scene->body[b].first_dof;
    for (int j = 0; j < scene->of[b]->space.nv; j++) {
      if (!x) (*out)->i[at++] = first + j; /* its value is zero since allocation */
      for (int k = x ? x->p[j] : 0; x && k < x->p[j + 1]; k++, at++)
        (*out)->i[at] = first + x->i[k], (*out)->x[at] = blocks[b].factor * x->x[k];
      (*out)->p[++column] = at;
    }
  }
done:
  return status;
}

static prc_status join_mass_and_stiffness(prc_scene *scene, block *blocks, prc_error *err) {
  prc_status status = PRC_OK;
  int has_K = 0;
  for (int b = 0; b < scene->n_bodies; b++) blocks[b] = (block){scene->of[b]->dynamics.M, 1.0};
  prc_try(join(scene, blocks, &scene->M, err));
  for (int b = 0; b < scene->n_bodies; b++) {
    blocks[b] = (block){scene->of[b]->dynamics.K, 1.0};
    has_K |= blocks[b].x != NULL;
  }
  if (has_K && !prc_scene_is_nonlinear(scene)) prc_try(join(scene, blocks, &scene->K, err));
done:
  return status;
}

prc_status prc_scene_make_pattern(const prc_scene *scene, prc_sym **out, prc_error *err) {
  block *blocks = NULL;
  prc_status status = prc_new(&blocks, scene->n_bodies, err);
  for (int b = 0; status == PRC_OK && b < scene->n_bodies; b++)
    blocks[b] = (block){scene->part[b] ? scene->part[b] : scene->of[b]->dynamics.K, 0.0};
  if (status == PRC_OK) status = join(scene, blocks, out, err);
  prc_delete(&blocks);
  return status;
}

static prc_status add_to(prc_sym **sum, prc_sym **more, prc_error *err) {
  prc_sym *both = NULL;
  if (!*sum) {
    *sum = *more, *more = NULL;
    return PRC_OK;
  }
  const prc_status status = prc_sym_add(1.0, *sum, 1.0, *more, &both, err);
  if (status != PRC_OK) return status;
  prc_sym_free(sum);
  prc_sym_free(more);
  *sum = both;
  return PRC_OK;
}

/* Part of C from the boundary. */
static prc_status join_boundary(prc_scene *scene, block *blocks, prc_error *err) {
  int has = 0;
  for (int b = 0; b < scene->n_bodies; b++) {
    blocks[b] = (block){scene->of[b]->dynamics.C_boundary, 1.0};
    has |= blocks[b].x != NULL;
  }
  return has ? join(scene, blocks, &scene->C_boundary, err) : PRC_OK;
}

/* C = alpha M + beta K keeps its two factors where all bodies share them (those without stiffness share
 * any beta); what differs becomes entries of C. */
static prc_status join_damping(prc_scene *scene, block *blocks, prc_error *err) {
  prc_status status = PRC_OK;
  prc_dynamics *d = &scene->system.dynamics;
  prc_sym *more = NULL;
  int needs[3] = {0, 0, 0}, first_K = -1;
  for (int b = 0; b < scene->n_bodies; b++)
    if (scene->of[b]->dynamics.K && first_K < 0) first_K = b;
  d->damping_mass = scene->of[0]->dynamics.damping_mass;
  const int no_K = first_K < 0 || prc_scene_is_nonlinear(scene); /* then all of it stands in C */
  d->damping_stiffness = no_K ? 0.0 : scene->of[first_K]->dynamics.damping_stiffness;
  for (int b = 0; b < scene->n_bodies; b++) {
    const prc_dynamics *own = &scene->of[b]->dynamics;
    needs[0] |= own->damping_mass != d->damping_mass;
    needs[1] |= own->K && own->damping_stiffness != d->damping_stiffness;
    needs[2] |= own->C != NULL;
  }
  if (needs[0]) d->damping_mass = 0.0;
  if (needs[1]) d->damping_stiffness = 0.0;
  for (int kind = 0; kind < 3; kind++) {
    for (int b = 0; b < scene->n_bodies; b++) {
      const prc_dynamics *own = &scene->of[b]->dynamics;
      blocks[b] = kind == 0   ? (block){own->M, own->damping_mass}
                  : kind == 1 ? (block){own->K, own->damping_stiffness}
                              : (block){own->C, 1.0};
      if (blocks[b].factor == 0.0) blocks[b].x = NULL;
    }
    if (!needs[kind]) continue;
    prc_try(join(scene, blocks, &more, err));
    prc_try(add_to(&scene->C, &more, err));
  }
done:
  prc_sym_free(&more);
  return status;
}

prc_status prc_scene_make_matrices(prc_scene *scene, prc_error *err) {
  prc_status status = PRC_OK;
  prc_dynamics *d = &scene->system.dynamics;
  block *blocks = NULL;
  prc_try(prc_new(&blocks, scene->n_bodies, err));
  prc_try(join_mass_and_stiffness(scene, blocks, err));
  prc_try(join_damping(scene, blocks, err));
  prc_try(join_boundary(scene, blocks, err));
  d->M = scene->M, d->K = scene->K, d->C = scene->C, d->C_boundary = scene->C_boundary;
done:
  prc_delete(&blocks);
  return status;
}
