#include "config.h"
#include "step/alpha.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The three levels of a pass, each a linear system with its own matrix and its own contact problem: positions, velocities, accelerations. */

enum { ALL_MOST = 4000 }; /* rows of a W that is kept of all contacts */
#define MOST 10.0         /* of the force of a percussion: what a force begins with */

/* ---- a contact problem ------------------------------------------------------------------------------------------------- */

static prc_status room_for(prc_alpha_level *l, size_t rows, prc_error *err) {
  if (rows * rows <= l->room_W) return PRC_OK;
  const size_t wanted = rows * rows + rows * rows / 2;
  prc_delete(&l->W);
  l->room_W = 0;
  const prc_status status = prc_new(&l->W, wanted, err);
  if (status == PRC_OK) l->room_W = wanted;
  return status;
}

/* Where H and A stay what they are W is made once, of all contacts, and rows of those listed are copied. */
static void copy_rows(prc_alpha_level *l, const prc_rows *rows, int n, const int *list) {
  const size_t dim = (size_t)rows->dim, width = dim * (size_t)rows->n;
  double *W = l->W;
  if (!l->has_all) prc_operator_condense_dense(l->op, rows, rows->n, NULL, 1.0, l->all);
  l->has_all = 1;
  for (size_t i = 0; i < dim * (size_t)n; i++) {
    const double *from = l->all + (dim * (size_t)list[i / dim] + i % dim) * width;
    for (int j = 0; j < n; j++, W += dim) memcpy(W, from + dim * (size_t)list[j], dim * sizeof *W);
  }
}

/* W of those listed. */
static prc_status condense(prc_alpha_level *l, const prc_rows *rows, int n, const int *list,
                           prc_cone_problem *problem, prc_error *err) {
  prc_status status = PRC_OK;
  *problem = (prc_cone_problem){.dim = rows->dim, .n = n, .symmetric = 1};
  if (prc_operator_is_sparse(l->op)) {
    prc_try(prc_operator_condense_blocks(l->op, rows, n, list, 1.0, &l->blocks, err));
    problem->blocks = &l->blocks.blocks;
  } else {
    prc_try(room_for(l, (size_t)rows->dim * (size_t)n, err));
    if (l->all)
      copy_rows(l, rows, n, list);
    else
      prc_operator_condense_dense(l->op, rows, n, list, 1.0, l->W);
    problem->W = l->W;
  }
  prc_try(prc_cone_solver_reserve(l->solver, problem, err));
done:
  return status;
}

/* Room for the problem of all contacts, where they are there at all times: whatever is listed, steps allocate nothing. */
static prc_status reserve(const prc_stepper *s, prc_alpha_level *l, const prc_rows *rows, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t width = (size_t)rows->dim * (size_t)rows->n;
  prc_cone_problem problem = {.dim = rows->dim, .n = rows->n, .symmetric = 1};
  if (rows->n == 0 || (s->system->contacts.varies & PRC_CONTACTS_SET)) return PRC_OK;
  if (prc_operator_is_sparse(l->op)) {
    prc_try(prc_operator_condense_blocks(l->op, rows, rows->n, NULL, 1.0, &l->blocks, err));
    problem.blocks = &l->blocks.blocks;
  } else {
    prc_try(room_for(l, width, err));
    if (s->contacts.constant && width <= ALL_MOST) prc_try(prc_new(&l->all, width * width, err));
  }
  prc_try(prc_cone_solver_reserve(l->solver, &problem, err));
done:
  return status;
}

prc_status prc_alpha_reserve_levels(prc_stepper *s, prc_error *err) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_status status = reserve(s, &w->position, &w->N, err);
  return status == PRC_OK && w->variant->hats ? reserve(s, &w->acceleration, &s->contacts.set.H, err)
                                              : status;
}

/* ---- (q) ---------------------------------------------------------------------------------------------------------------- */

/* rhs := h^2 b' F' + h^2/2 F^ - M (dx - xt) + H_N'(impulse - kt) + H_T' phi; of prescribed dofs what dx lacks. */
static void residual_of_positions(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const prc_drive *drive = &s->system->drive;
  const double h = s->options.h, of_force = h * h * w->k.b;
  for (int i = 0; i < s->n; i++) w->x[i] = w->dx[i] - w->xt[i];
  prc_sym_multiply(s->system->dynamics.M, w->x, w->rhs);
  for (int i = 0; i < s->n; i++)
    w->rhs[i] = of_force * (w->load.now[i] - w->internal.now[i] - w->drag.now[i]) - w->rhs[i];
  for (int i = 0; s->loads_break && i < s->n; i++) w->rhs[i] += 0.5 * h * h * w->missed[i];
  if (w->variant->hats && k->set.n > 0) {
    memcpy(w->forces, w->phi, (size_t)(k->set.dim * k->set.n) * sizeof *w->phi);
    for (int c = 0; c < k->set.n; c++) w->forces[k->set.dim * c] = -w->kt[c];
    prc_rows_pull(&k->set.H, k->set.n, NULL, 1.0, w->forces, w->rhs);
  } else if (w->variant->impulse_first && k->set.n > 0)
    prc_rows_pull(&k->set.H, k->set.n, NULL, s->options.h, k->set.p, w->rhs);
  for (int r = 0; r < drive->n; r++) w->rhs[drive->dof[r]] = w->prescribed[r] - w->dx[drive->dof[r]];
}

/* Contacts that would close or that push; or contacts that are not listed and that the answer closes. Returns
 * how many are new. */
static int list_closing(prc_stepper *s, int first) {
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const double least = first ? 0.0 : -100.0 * DBL_EPSILON * s->system->length;
  int n = 0, added = 0;
  prc_rows_multiply(&w->N, w->x, w->gap);
  for (int c = 0; c < set->n; c++) w->listed[c] = (unsigned char)(first ? 0 : w->listed[c]);
  for (int c = 0; c < set->n; c++) {
    const double gap = set->gap[c] + w->gap[c];
    const int is_new = !w->listed[c] && (first ? gap <= least || w->kap[c] > 0.0 : gap < least);
    if (is_new) w->listed[c] = 1, added++;
    if (w->listed[c]) w->list[n++] = c;
  }
  w->n_listed = n;
  return added;
}

/* kap of those listed, and x with it. */
static prc_status push_positions(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  prc_cone_problem problem;
  prc_try(condense(&w->position, &w->N, w->n_listed, w->list, &problem, err));
  for (int i = 0; i < w->n_listed; i++) {
    const int c = w->list[i];
    w->b[i] = set->gap[c] + w->gap[c], w->mu[i] = 0.0, w->p[i] = w->kap[c];
  }
  problem.b = w->b, problem.mu = w->mu;
  prc_cone_solver_set_step(w->position.solver, (uint64_t)s->step + 1);
  const prc_cone_info info = prc_cone_solve(w->position.solver, &problem, w->p);
  w->position.missed |= !info.converged;
  if (!info.converged) w->position.miss = info;
  for (int c = 0; c < set->n; c++) w->kap[c] = 0.0;
  for (int i = 0; i < w->n_listed; i++) w->kap[w->list[i]] = w->p[i];
done:
  return status;
}

prc_status prc_alpha_positions(prc_stepper *s, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const size_t bytes = (size_t)s->n * sizeof *w->x;
  const double rounding = 64.0 * DBL_EPSILON * s->system->length;
  int more = 1;
  prc_try(prc_alpha_aim_positions(s, err));
  residual_of_positions(s);
  memcpy(w->x, w->rhs, bytes);
  prc_try(prc_step_joints_begin(&s->joints, w->position.op, w->t, NULL, w->x, err));
  list_closing(s, 1);
  for (int turn = 0; more; turn++) {
    if (w->n_listed > 0) prc_try(push_positions(s, err));
    prc_operator_finish(w->position.op, &w->N, w->n_listed, w->list, 1.0, w->kap, w->x);
    more = list_closing(s, 0) > 0 && turn < 100;
    if (!more) break;
    memcpy(w->x, w->rhs, bytes);
    prc_try(prc_step_joints_begin(&s->joints, w->position.op, w->t, NULL, w->x, err));
    prc_rows_multiply(&w->N, w->x, w->gap);
  }
  if (s->joints.n > 0) prc_operator_joint_forces(w->position.op, w->kap_g);
  double largest = 0.0;
  for (int i = 0; i < s->n; i++) w->dx[i] += w->x[i], largest = fmax(largest, fabs(w->x[i]));
  *change = largest <= rounding ? 0.0 : prc_step_size_of_velocity(s, w->x) / s->options.h;
  prc_step_move(s, s->q, 1.0, w->dx, w->q);
  w->joints_placed = 0;
  prc_alpha_evaluate(s, s->t + s->options.h, w->q, w->u);
done:
  return status;
}

/* ---- (v) ---------------------------------------------------------------------------------------------------------------- */

/* b = H u'_free + e H u of the closed contacts: with hats with the H of the end, (88) of 2021; else with that of the beginning, (24) of
 * 2014. */
static void aim_velocities(prc_stepper *s) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim;
  const double *before = w->variant->hats ? k->u_old : w->before;
  prc_alpha_find_bounces(s);
  for (int i = 0; i < s->n; i++) w->rhs[i] = w->u[i] + w->x[i];
  prc_rows_multiply(&k->set.H, w->rhs, k->u_work);
  prc_rows_multiply(&k->set.H, s->v, k->u_old);
  if (s->system->velocity_at_start) prc_step_contacts_follow(s->system, &s->options, k);
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    const prc_law *law = k->set.law[c];
    const double e_t = w->mean[c] ? 1.0 : law->e_t;
    for (int r = 0; r < dim; r++) {
      const int j = dim * c + r;
      k->b[dim * i + r] = k->u_work[j]
                          + (r == 0 ? law->e : e_t) * (r > 0 && w->mean[c] ? w->before[j] : before[j])
                          - (r == 0 ? w->bounce[c] : 0.0);
      k->p_active[dim * i + r] = k->set.p[j];
    }
    k->mu[i] = w->friction[c] = prc_step_friction_of(k, c);
  }
}

/* Friction may oppose the mean slip of a step only where slip goes on: with it what percussions stop, or turn round, would be thrown back. Those have
 * the slip of the end, for the rest of the step. Returns how many they are. xi: H u' + e H u of the active ones. */
static int end_means(prc_stepper *s, const double *xi) {
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const double *before = w->before;
  const int dim = k->set.dim;
  int ended = 0;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    double onwards = 0.0;
    if (!w->mean[c]) continue;
    for (int r = 1; r < dim; r++) onwards += (xi[dim * i + r] - before[dim * c + r]) * before[dim * c + r];
    if (onwards > 0.0) continue;
    for (int r = 1; r < dim; r++) k->b[dim * i + r] += (k->set.law[c]->e_t - 1.0) * before[dim * c + r];
    w->mean[c] = 0, ended++;
  }
  return ended;
}

static prc_status solve_velocity_contacts(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const int dim = k->set.dim, n = k->set.n;
  prc_cone_info *info = &s->record.cone;
  *info = (prc_cone_info){.converged = 1, .finished = "nothing to do"};
  aim_velocities(s);
  prc_try(prc_step_contacts_gather(k, err));
  for (int c = 0; c < n; c++) k->status[c] = PRC_CONE_OPEN, k->allowance[c] = 0.0;
  if (n > 0) memset(k->set.p, 0, (size_t)dim * (size_t)n * sizeof *k->set.p);
  if (k->n_active == 0) return PRC_OK;
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  prc_try(prc_step_contacts_refuse_driven(k, &problem, s->t, err));
  if (s->joints.n > 0) prc_step_contacts_clear_blocked(&problem, k->velocity_tolerance, k->b);
  if (w->variant->hats) prc_alpha_keep_jammed(&problem, k->p_active, k->w);
  do {
    *info = prc_cone_solve(k->solver, &problem, k->p_active);
    prc_cone_error(&problem, k->p_active, k->w);
  } while (end_means(s, k->w) > 0);
  prc_step_contacts_allow(s->system, &s->options, k, &problem, w->rhs);
  for (int i = 0; i < k->n_active; i++) {
    memcpy(k->set.p + dim * k->active[i], k->p_active + dim * i, (size_t)dim * sizeof *k->set.p);
    k->status[k->active[i]] = (int)prc_cone_status_of(dim, k->mu[i], k->p_active + dim * i);
  }
done:
  return status;
}

prc_status prc_alpha_velocities(prc_stepper *s, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  prc_step_contacts *k = &s->contacts;
  const prc_drive *drive = &s->system->drive;
  const double of_force = s->options.h * w->k.g;
  prc_alpha_find_closed(s);
  prc_try(prc_alpha_aim_velocities(s, err));
  for (int i = 0; i < s->n; i++) w->rhs[i] = w->u[i] - w->ut[i];
  prc_sym_multiply(s->system->dynamics.M, w->rhs, w->x);
  for (int i = 0; i < s->n; i++)
    w->x[i] = of_force * (w->load.now[i] - w->internal.now[i] - w->drag.now[i]) - w->x[i];
  for (int i = 0; s->loads_break && i < s->n; i++) w->x[i] += s->options.h * w->missed[i];
  if (w->variant->hats) prc_rows_pull(&k->set.H, k->set.n, NULL, -1.0, w->Pt, w->x);
  for (int r = 0; r < drive->n; r++) w->x[drive->dof[r]] = s->vp_next[r] - w->u[drive->dof[r]];
  prc_try(prc_step_joints_begin(&s->joints, s->op, w->t, NULL, w->x, err));
  prc_try(solve_velocity_contacts(s, err));
  prc_operator_finish(s->op, &k->set.H, k->n_active, k->active, 1.0, k->set.p, w->x);
  if (s->joints.n > 0) prc_operator_joint_forces(s->op, w->P_g);
  for (int i = 0; i < s->n; i++) w->u[i] += w->x[i];
  *change = prc_step_size_of_velocity(s, w->x);
done:
  return status;
}

/* ---- (a) ---------------------------------------------------------------------------------------------------------------- */

/* Of a contact that slips friction has a direction, p_T = -mu p_N d: the columns of its tangents go to that of its normal, by which W is
 * symmetric no more, and mu = 0 stands for it in the problem. */
static void fold_friction(const prc_alpha_level *l, const prc_cone_problem *problem, int j, double mu,
                          const double *d) {
  const int dim = problem->dim;
  const size_t rows = (size_t)dim * (size_t)problem->n;
  if (problem->W)
    for (size_t i = 0; i < rows; i++)
      for (int r = 1; r < dim; r++)
        l->W[i * rows + (size_t)(dim * j)] -= mu * d[r] * l->W[i * rows + (size_t)(dim * j + r)];
  for (int i = 0; !problem->W && problem->blocks && i < problem->n; i++)
    for (int at = problem->blocks->row_start[i]; at < problem->blocks->row_start[i + 1]; at++) {
      double *block = problem->blocks->values + (size_t)(dim * dim) * (size_t)at;
      if (problem->blocks->column[at] != j) continue;
      for (int a = 0; a < dim; a++)
        for (int r = 1; r < dim; r++) block[dim * a] -= mu * d[r] * block[dim * a + r];
    }
}

/* The problem of those listed. A contact that slips whose own force would not hold it off (W_NN - mu W_NT d <= 0, the paradox of Painleve) is
 * taken from the list: what it needs is in P. */
static prc_status set_acceleration_problem(prc_stepper *s, prc_cone_problem *problem, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const int dim = set->dim;
  int lost = 1;
  while (lost > 0) {
    int n = 0;
    lost = 0;
    prc_try(condense(&w->acceleration, &set->H, w->n_listed, w->list, problem, err));
    for (int i = 0; i < w->n_listed; i++) {
      const int c = w->list[i];
      const double mu = w->friction[c], before = prc_cone_diagonal(problem, dim * i);
      if ((w->state[c] & PRC_ALPHA_SLIPS) && mu > 0.0) {
        fold_friction(&w->acceleration, problem, i, mu, w->direction + dim * c);
        problem->symmetric = 0;
      }
      w->mu[i] = w->state[c] & PRC_ALPHA_SLIPS ? 0.0 : mu;
      if (prc_cone_diagonal(problem, dim * i) <= 1e-12 * before)
        lost++;
      else
        w->rest[n++] = c;
    }
    if (lost > 0) memcpy(w->list, w->rest, (size_t)n * sizeof *w->list), w->n_listed = n;
  }
done:
  return status;
}

/* Where forces are indeterminate, as of a disc between two walls, the answer is near what the problem begins with, and would go its own way from step to step, 10^6 times the forces that percussions are
 * of. So lam begins with no more than MOST times P / h, but where a contact strikes or begins: what share of lam. */
static double share_to_begin_with(const prc_stepper *s, int c) {
  const prc_step_alpha *w = s->work_of_scheme;
  const int at = s->contacts.set.dim * c;
  const double force = s->contacts.set.p[at] / s->options.h;
  if (w->starts || !(w->lam[at] > MOST * force) || prc_alpha_strikes(s, c)) return 1.0;
  return fmax(force, 0.0) / w->lam[at];
}

/* lam of those that press; zero of the others. */
static prc_status solve_acceleration_contacts(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const int dim = set->dim;
  prc_cone_problem problem = {.n = 0};
  if (w->n_listed > 0) {
    prc_try(set_acceleration_problem(s, &problem, err));
    prc_rows_multiply(&set->H, w->x, w->forces);
  }
  for (int i = 0; i < w->n_listed; i++) {
    const double share = share_to_begin_with(s, w->list[i]);
    for (int r = 0; r < dim; r++) {
      const int c = w->list[i], j = dim * c + r, slips = w->state[c] & PRC_ALPHA_SLIPS;
      w->b[dim * i + r] = w->forces[j] + w->bias[j];
      w->p[dim * i + r] = r > 0 && slips ? 0.0 : share * w->lam[j];
    }
  }
  for (int j = 0; j < dim * set->n; j++) w->lam[j] = 0.0;
  if (w->n_listed == 0) return PRC_OK;
  problem.b = w->b, problem.mu = w->mu;
  prc_cone_solver_set_step(w->acceleration.solver, (uint64_t)s->step + 1);
  const prc_cone_info info = prc_cone_solve(w->acceleration.solver, &problem, w->p);
  w->acceleration.missed |= !info.converged;
  if (!info.converged) w->acceleration.miss = info;
  for (int i = 0; info.converged && i < w->n_listed; i++) {
    const int c = w->list[i];
    const double *d = w->direction + dim * c;
    for (int r = 0; r < dim; r++)
      w->lam[dim * c + r] = r > 0 && (w->state[c] & PRC_ALPHA_SLIPS) ? -w->friction[c] * w->p[dim * i] * d[r]
                                                                     : w->p[dim * i + r];
  }
done:
  return status;
}

/* By the stepper's matrix, that of velocities: the smooth scheme, which is here at its start alone, has joints there. */
prc_status prc_alpha_accelerations(prc_stepper *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_contact_set *set = &s->contacts.set;
  const prc_drive *drive = &s->system->drive;
  for (int i = 0; i < s->n; i++) w->x[i] = w->load.now[i] - w->internal.now[i] - w->drag.now[i];
  for (int r = 0; r < drive->n; r++) w->x[drive->dof[r]] = w->prescribed[drive->n + r];
  prc_try(prc_alpha_aim_accelerations(s, err));
  prc_try(prc_step_joints_begin(&s->joints, s->op, w->t, NULL, w->x, err));
  w->n_listed = 0;
  /* the smooth scheme has its forces from positions, but for those that there are at the start */
  const int pressed = w->variant->hats || (w->variant->smooth && w->starts);
  for (int c = 0; pressed && c < set->n; c++)
    if (w->state[c] & PRC_ALPHA_PRESSED) w->list[w->n_listed++] = c;
  prc_try(solve_acceleration_contacts(s, err));
  prc_operator_finish(s->op, &set->H, w->n_listed, w->list, 1.0, w->lam, w->x);
  if (s->joints.n > 0) prc_operator_joint_forces(s->op, w->l_next);
  memcpy(w->a_next, w->x, (size_t)s->n * sizeof *w->x);
done:
  return status;
}

/* x = factor M^-1 (F' + H'lam + what joints push) of the rows that are free, the others as they are prescribed. */
static prc_status push_masses(prc_stepper *s, double factor, const double *prescribed, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const prc_drive *drive = &s->system->drive;
  const double of_joints = factor / (s->options.h * s->options.h * w->k.b);
  for (int i = 0; i < s->n; i++) w->x[i] = factor * (w->load.now[i] - w->internal.now[i] - w->drag.now[i]);
  if (s->joints.n > 0) prc_rows_pull(&s->joints.G, s->joints.n, NULL, of_joints, w->kap_g, w->x);
  for (int r = 0; r < drive->n; r++) w->x[drive->dof[r]] = prescribed[r];
  prc_try(prc_operator_begin(w->acceleration.op, NULL, w->x, err));
  prc_operator_finish(w->acceleration.op, &k->set.H, k->set.n, NULL, factor, w->lam, w->x);
done:
  return status;
}

/* lam = kap / (h^2 b'), M a' = F' + H_N'lam, and M (u' - ut) = h g' (F' + H_N'lam): u' = ut + h g' a' where nothing is prescribed. */
prc_status prc_alpha_follow_positions(prc_stepper *s, double *change, prc_error *err) {
  prc_status status = PRC_OK;
  prc_step_alpha *w = s->work_of_scheme;
  const prc_step_contacts *k = &s->contacts;
  const prc_drive *drive = &s->system->drive;
  const double h = s->options.h, of_force = h * w->k.g;
  double *const target = w->prescribed + 2 * drive->n;
  const int dim = k->set.dim;
  for (int i = 0; i < dim * k->set.n; i++)
    w->lam[i] = i % dim == 0 ? w->kap[i / dim] / (h * h * w->k.b) : 0.0;
  prc_try(push_masses(s, 1.0, w->prescribed + drive->n, err));
  memcpy(w->a_next, w->x, (size_t)s->n * sizeof *w->x);
  for (int r = 0; r < drive->n; r++) target[r] = s->vp_next[r] - w->ut[drive->dof[r]];
  if (drive->n > 0)
    prc_try(push_masses(s, of_force, target, err));
  else
    for (int i = 0; i < s->n; i++) w->x[i] *= of_force;
  for (int i = 0; i < s->n; i++) {
    w->x[i] += w->ut[i] - w->u[i];
    w->u[i] += w->x[i];
  }
  for (int r = 0; r < drive->n; r++) w->u[drive->dof[r]] = s->vp_next[r];
  *change = prc_step_size_of_velocity(s, w->x);
done:
  return status;
}
