#include "config.h"
#include "step/internal.h"
#include "cone/operator.h"

#include <string.h>

/* Contacts in space that do not rub, of schemes that solve for gaps: with mu = 0 the percussion is normal, and its problem
 *
 *   w_N = W_NN p_N + b_N,   0 <= w_N _|_ p_N >= 0
 *
 * that of the normal rows of H alone, a ninth of the numbers. Its solution is that of the whole, p_T = 0, and its error no less. */

static int solves_normals(const char *solver) {
  int count = 0;
  const prc_cone_ability *ability = prc_cone_abilities(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(ability[i].name, solver) == 0)
      return (ability[i].dims & 1u << 1) && prc_cone_can(ability + i, &prc_cone_by_blocks);
  return 0;
}

void prc_step_normals_prepare(const prc_step_options *o, prc_step_contacts *k) {
  k->normals.may = k->action.implicit && !k->constant && k->set.dim > 2 && (k->sparse || k->factored)
                   && solves_normals(o->solver);
}

void prc_step_normals_free(prc_step_normals *n) {
  prc_delete(&n->x);
  prc_delete(&n->b);
  prc_delete(&n->p);
  prc_block_matrix_free(&n->W);
  prc_cone_solver_free(&n->solver);
}

int prc_step_normals_suffice(const prc_step_contacts *k) {
  if (!k->normals.may) return 0;
  for (int i = 0; i < k->n_active; i++)
    if (prc_law_rubs(k->set.law[k->active[i]])) return 0;
  return 1;
}

/* The first row of each block that is active. */
static prc_status copy_rows(prc_step_contacts *k, prc_rows *H, prc_error *err) {
  prc_step_normals *n = &k->normals;
  const prc_rows *all = &k->set.H;
  const size_t numbers = (size_t)(all->start[k->set.n] - all->start[0]);
  const prc_status status = prc_grow((void *)&n->x, &n->room_x, numbers, sizeof *n->x, err);
  if (status != PRC_OK) return status;
  *H = (prc_rows){.n = all->n, .dim = 1, .start = all->start, .dof = all->dof, .x = n->x};
  for (int i = 0; i < k->n_active; i++) {
    const int first = all->start[k->active[i]], count = all->start[k->active[i] + 1] - first;
    memcpy(n->x + first, all->x + all->dim * first, (size_t)count * sizeof *n->x);
  }
  return PRC_OK;
}

static prc_status make_problem(const prc_step_options *o, prc_step_contacts *k, prc_cone_problem *problem,
                               prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_normals *n = &k->normals;
  const size_t active = (size_t)k->n_active;
  prc_rows H;
  prc_try(copy_rows(k, &H, err));
  prc_try(prc_operator_condense_blocks(k->op, &H, k->n_active, k->active, k->action.scale, &n->W, err));
  prc_try(prc_grow((void *)&n->b, &n->room_b, active, sizeof *n->b, err));
  prc_try(prc_grow((void *)&n->p, &n->room_p, active, sizeof *n->p, err));
  *problem = (prc_cone_problem){
      .dim = 1, .n = k->n_active, .symmetric = 1, .blocks = &n->W.blocks, .b = n->b, .mu = k->mu};
  if (n->solver) return prc_cone_solver_reserve(n->solver, problem, err);
  return prc_cone_solver_create_for(o->solver, problem, &o->cone, &n->solver, err);
done:
  return status;
}

prc_status prc_step_normals_solve(const prc_step_options *o, prc_step_contacts *k, prc_cone_info *info,
                                  prc_error *err) {
  prc_step_normals *n = &k->normals;
  const int dim = k->set.dim;
  prc_cone_problem problem;
  const prc_status status = make_problem(o, k, &problem, err);
  if (status != PRC_OK) return status;
  for (int i = 0; i < k->n_active; i++) n->b[i] = k->b[dim * i], n->p[i] = k->p_active[dim * i];
  prc_cone_solver_set_step(n->solver, n->step);
  *info = prc_cone_solve(n->solver, &problem, n->p);
  memset(k->p_active, 0, (size_t)dim * (size_t)k->n_active * sizeof *k->p_active);
  for (int i = 0; i < k->n_active; i++) k->p_active[dim * i] = n->p[i];
  return PRC_OK;
}
