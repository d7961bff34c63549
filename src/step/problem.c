#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The contact problem of a step, w = W p + b: W of the active contacts, b from their law, and what its solution may be believed. */

/* ---- W -------------------------------------------------------------------------------------------------------------- */

prc_status prc_step_contacts_condense_all(prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_contact_set *set = &k->set;
  const double scale = k->action.scale;
  k->n_gathered = -1;
  if (!k->constant) return PRC_OK; /* W is made for the active ones of each step */
  prc_cone_problem all = {.dim = set->dim, .n = set->n};
  if (k->sparse) {
    prc_try(prc_operator_condense_blocks(k->op, &set->H, set->n, NULL, scale, &k->all, err));
    all.blocks = &k->all.blocks;
  } else {
    prc_operator_condense_dense(k->op, &set->H, set->n, NULL, scale, k->W_all);
    all.W = k->W_all;
  }
  for (int c = 0; c < set->n; c++)
    k->W_normal[c] = k->action.share / scale * prc_cone_diagonal(&all, set->dim * c);
done:
  return status;
}

static void gather_dense(prc_step_contacts *k) {
  const int dim = k->set.dim, rows = dim * k->n_active;
  const size_t all = (size_t)dim * (size_t)k->set.n;
  double *W = k->W;
  for (int i = 0; i < rows; i++) {
    const double *from = k->W_all + (size_t)(dim * k->active[i / dim] + i % dim) * all;
    for (int a = 0; a < k->n_active; a++)
      for (int r = 0; r < dim; r++) *W++ = from[dim * k->active[a] + r];
  }
}

static void gather_blocks(prc_step_contacts *k) {
  const size_t size = (size_t)k->set.dim * (size_t)k->set.dim;
  const prc_blocks *all = &k->all.blocks, *part = &k->part.blocks;
  int count = 0;
  for (int c = 0; c < k->set.n; c++) k->place[c] = -1;
  for (int i = 0; i < k->n_active; i++) k->place[k->active[i]] = i;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    for (int at = all->row_start[c]; at < all->row_start[c + 1]; at++) {
      const int column = k->place[all->column[at]];
      if (column < 0) continue;
      part->column[count] = column;
      memcpy(part->values + size * (size_t)count, all->values + size * (size_t)at,
             size * sizeof *all->values);
      count++;
    }
    part->row_start[i + 1] = count;
  }
}

/* W of the active set: the sub-block of the inverse over all candidates, never the inverse of a sub-block. It stays while the
 * set and H do. */
prc_status prc_step_contacts_gather(prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  if (k->factored) {
    if (k->n_gathered == k->n_active) return PRC_OK; /* another pass of the step */
    prc_try(
        prc_operator_condense_runs(k->op, &k->set.H, k->n_active, k->active, k->action.scale, &k->runs, err));
    k->n_gathered = k->n_active;
    return prc_step_contacts_reserve(k, err);
  }
  if (!k->constant) {
    if (k->n_gathered == k->n_active) return PRC_OK; /* another pass of the step */
    if (k->sparse)
      prc_try(prc_operator_condense_blocks(k->op, &k->set.H, k->n_active, k->active, k->action.scale,
                                           &k->part, err));
    prc_try(prc_step_contacts_reserve(k, err));
    if (!k->sparse)
      prc_operator_condense_dense(k->op, &k->set.H, k->n_active, k->active, k->action.scale, k->W);
    k->n_gathered = k->n_active;
    return PRC_OK;
  }
  const size_t bytes = (size_t)k->n_active * sizeof *k->active;
  if (k->n_gathered == k->n_active && memcmp(k->gathered, k->active, bytes) == 0) return PRC_OK;
  (k->sparse ? gather_blocks : gather_dense)(k);
  memcpy(k->gathered, k->active, bytes);
  k->n_gathered = k->n_active;
done:
  return status;
}

prc_cone_problem prc_step_contacts_problem(const prc_step_contacts *k) {
  return (prc_cone_problem){.dim = k->set.dim,
                            .n = k->action.unsolved ? 0 : k->n_active,
                            .W = k->sparse || k->factored ? NULL : k->W,
                            .symmetric = 1,
                            .blocks = k->sparse ? &k->part.blocks : NULL,
                            .factors = k->factored ? &k->runs.runs : NULL,
                            .b = k->b,
                            .mu = k->mu,
                            .friction = k->of_speed ? prc_step_friction_at_speed : NULL,
                            .friction_owner = k};
}

/* ---- b --------------------------------------------------------------------------------------------------------------- */

/* max(u_N,k, 0) where it is let go, else 0. */
static double parting_of(const prc_step_options *o, const prc_step_contacts *k, int c) {
  return k->turns && o->activation != PRC_ACTIVATION_GAP ? fmax(k->u_old[k->set.dim * c], 0.0) : 0.0;
}

/* Rigid bodies beside what deforms (mixed.c): b of active contact i by what it has of theta. */
static void weighed_right_hand_side(const prc_step_options *o, prc_step_contacts *k,
                                    const prc_cone_problem *problem, int i) {
  const int dim = k->set.dim, c = k->active[i];
  const prc_law *law = k->set.law[c];
  const double *u = k->u_old + dim * c;
  double normal, tangential;
  prc_step_contacts_find_weight(o, k, problem, i, &normal, &tangential);
  k->b[dim * i] = k->u_work[dim * c] + (normal * (1.0 + law->e) - 1.0) * prc_step_contacts_approach(o, k, c);
  for (int r = 1; r < dim; r++) k->b[dim * i + r] = k->u_work[dim * c + r] - tangential * u[r];
}

/* Where nothing resists by inertia, and in the scheme `position`, w_N is the gap at the end of the step, g_k + h u_N, over h.
 *
 * Only an approach is thrown back: of a contact that parts (u_N,k > 0, which is there where H moves) w_N is u_{k+theta}, so that its percussion
 * works nothing,
 *   w_N = u_F + (theta (1 + e) - 1) min(u_N,k, 0) + W p,
 * in units of theta with the Newton law.
 *
 * b of (98)-(101) from the free velocity y_F = u_work of a step without percussions. The Newton law's problem is that of
 * u_{k+1}: W_N = W_F / theta, y_N = (y_F - (1 - theta) u_k) / theta. With PRC_BULK_MIDDLE theta is 1/2, and the weight w of the tangential law makes it z_T = u_{k+1},T + (1/w - 1) u_k,T. */
static void right_hand_side(const prc_step_options *o, prc_step_contacts *k) {
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  const double theta = o->theta, back = o->weight > 0.0 ? 1.0 / o->weight - 1.0 : 0.0;
  const int newton = k->action.newton, dim = k->set.dim;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    const prc_law *law = k->set.law[c];
    const double e = law->e, u_n = k->u_old[dim * c];
    const double shift = (theta * (1.0 + e) - 1.0) * parting_of(o, k, c);
    for (int r = 0; r < dim; r++) {
      const double y = k->u_work[dim * c + r];
      k->b[dim * i + r] = newton ? (y - (1.0 - theta) * k->u_old[dim * c + r]) / theta : y;
      k->p_active[dim * i + r] = k->warm * k->set.p[dim * c + r];
    }
    k->b[dim * i] += k->action.implicit ? k->set.gap[c] / o->h
                     : newton           ? e * u_n - shift / theta
                                        : (theta * (1.0 + e) - 1.0) * u_n - shift;
    for (int r = 1; newton && r < dim; r++) /* (58) */
      k->b[dim * i + r] += (law->e_t + back) * k->u_old[dim * c + r];
    if (k->mobility) weighed_right_hand_side(o, k, &problem, i);
    k->mu[i] = prc_step_friction_of(k, c);
  }
}

void prc_step_contacts_clear_blocked(const prc_cone_problem *problem, double tolerance, double *b) {
  for (int i = 0; i < problem->dim * problem->n; i++)
    if (prc_cone_diagonal(problem, i) == 0.0 && fabs(b[i]) <= tolerance) b[i] = 0.0;
}

/* A contact whose normal motion is prescribed has no W_NN: nothing can stop it, so it must not approach. */
prc_status prc_step_contacts_refuse_driven(const prc_step_contacts *k, const prc_cone_problem *problem,
                                           double t, prc_error *err) {
  for (int i = 0; i < k->n_active; i++) {
    const int n = k->set.dim * i;
    if (!isfinite(k->b[n])) continue; /* the step will say so */
    if (k->b[n] >= -k->velocity_tolerance || prc_cone_diagonal(problem, n) > 0.0) continue;
    return prc_fail(err, PRC_INPUT,
                    "at t = %.9g a prescribed motion drives contact %d into its obstacle (normal velocity "
                    "%.3g), expected a motion along it or away from it",
                    t, k->active[i], k->b[n]);
  }
  return PRC_OK;
}

/* ---- what its error explains ------------------------------------------------------------------------------------------ */

/* The work that the error of a contact can explain, e_N and e_T of prc_cone_decoupled_map. Where rho w_N < p_N, e_N = rho w_N and
 * w_N p_N <= |e_N| |p_N| / rho; else e_N = p_N and w_N p_N <= |e_N| |w_N|. Where the contact sticks, e_T = rho w_T and w_T . p_T <=
 * |e_T| |p_T| / rho; else, with y = p_T - rho w_T and k = mu p_N+ / |y| < 1, p_T = k y + e_T and rho w_T = -(1 - k) y + e_T, so that
 * w_T . p_T <= |e_T| (|y| + |e_T|) / rho. Both are below |e| ((|p| + |e|) / rho + |w|): mu is not in it, however large.
 * Twice that is allowed, and rounding on top. */
static double allowance_of(int dim, double mu, double rho, const double *p, const double *w,
                           double rounding) {
  const prc_cone_problem one = {.dim = dim, .n = 1, .mu = &mu};
  const double e = prc_cone_decoupled_map(&one, rho, p, w);
  double p2 = 0.0, w2 = 0.0;
  for (int i = 0; i < dim; i++) p2 += p[i] * p[i], w2 += w[i] * w[i];
  const double size_p = sqrt(p2);
  return 2.0 * e * ((size_p + e) / rho + sqrt(w2)) + size_p * rounding;
}

/* u_N,k+theta p_N = w_N p_N + (1 - theta - theta e) x p_N, x = min(u_N,k, 0), or u_N,k where H stays (right_hand_side). The second term is what
 * restitution takes, <= 0 of a contact that pushes; one that pulls has |p_N| <= |e_N|, and its error explains that term too. */
static double allowance_of_pull(const prc_step_options *o, const prc_step_contacts *k, int c, double p_n) {
  const double x =
      k->mobility ? prc_step_contacts_approach(o, k, c) : k->u_old[k->set.dim * c] - parting_of(o, k, c);
  const double weight = k->mobility ? 0.5 : o->theta; /* the least of a contact */
  const double taken = (1.0 - weight * (1.0 + k->set.law[c]->e)) * x;
  return 2.0 * fmax(0.0, taken * fmin(p_n, 0.0));
}

/* The size of what cancels in H x at contact c: its rounding is a few eps of that. */
static double size_of_terms(const prc_rows *H, int c, const double *x) {
  const int first = H->start[c], count = H->start[c + 1] - first;
  const double *row = H->x + H->dim * first;
  double size = 0.0;
  for (int d = 0; d < H->dim; d++, row += count)
    for (int i = 0; i < count; i++) size += fabs(row[i] * x[H->dof[first + i]]);
  return size;
}

/* Rounding counts too: u = H v cancels terms of that size, and W p terms of at most sqrt(W_ii) sum_j sqrt(W_jj) |p_j|
 * (Cauchy-Schwarz, W being positive semidefinite). x: the free velocities, not changed by the percussions yet. */
void prc_step_contacts_allow(const prc_system *system, const prc_step_options *o, prc_step_contacts *k,
                             const prc_cone_problem *problem, const double *x) {
  const int dim = k->set.dim, rows = dim * k->n_active;
  const double rho = prc_cone_rho(problem);
  double largest = 0.0, reach = 0.0;
  for (int i = 0; i < rows; i++) {
    const double W = fmax(prc_cone_diagonal(problem, i), 0.0);
    largest = fmax(largest, fabs(k->b[i]));
    reach += sqrt(W) * fabs(k->p_active[i]);
  }
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    double W = 0.0;
    for (int d = 0; d < dim; d++) W = fmax(W, prc_cone_diagonal(problem, dim * i + d));
    double terms = sqrt((double)rows) * largest + size_of_terms(&k->set.H, c, x) + sqrt(W) * reach;
    if (k->action.implicit) terms += system->length / o->h; /* gaps are differences of coordinates */
    k->allowance[c] =
        allowance_of(dim, k->mu[i], rho, k->p_active + dim * i, k->w + dim * i, 64.0 * DBL_EPSILON * terms);
    if (!k->action.implicit) k->allowance[c] += allowance_of_pull(o, k, c, k->p_active[dim * i]);
    if (k->action.implicit) /* what the last step left behind the obstacle is pushed out again */
      k->allowance[c] += fmax(0.0, -k->set.gap[c]) / o->h * fmax(0.0, k->p_active[dim * i]);
  }
}

/* Percussions that alternate from step to step are begun with those of the step before the last, by id: the two lists change places in the first pass of
 * a step. */
static void begin_with_older(prc_step_contacts *k) {
  const int dim = k->set.dim;
  if (k->begun || !k->alternates) return;
  for (int c = 0; c < k->set.n; c++)
    for (int r = 0; r < dim; r++) {
      double *kept = &k->set.kept[k->set.n_kept * c + r], swap = k->set.p[dim * c + r];
      k->set.p[dim * c + r] = *kept, *kept = swap;
    }
  k->begun = 1;
}

/* ---- its solution ----------------------------------------------------------------------------------------------------- */

prc_cone_info prc_step_contacts_join(const prc_cone_info *before, prc_cone_info now) {
  prc_cone_info all = now.iterations > 0 ? now : *before;
  all.converged = now.converged, all.infeasible = now.infeasible;
  all.error = now.error, all.bound = now.bound, all.rounding = now.rounding;
  if (now.iterations == 0) return all;
  all.iterations += before->iterations, all.newton += before->newton;
  for (int i = 0; i < before->n_stages; i++) {
    int k = 0;
    while (k < all.n_stages && strcmp(all.stages[k].method, before->stages[i].method) != 0) k++;
    if (k < all.n_stages)
      all.stages[k].iterations += before->stages[i].iterations;
    else if (k < PRC_CONE_STAGES)
      all.stages[all.n_stages++] = before->stages[i];
  }
  return all;
}

static prc_status solve_once(const prc_step_options *o, prc_step_contacts *k, const prc_cone_problem *problem,
                             prc_cone_info *info, prc_error *err) {
  prc_status status = PRC_OK;
  if (prc_step_normals_suffice(k))
    prc_try(prc_step_normals_solve(o, k, info, err));
  else
    *info = prc_cone_solve(k->solver, problem, k->p_active);
  prc_cone_error(problem, k->p_active, k->w);
done:
  return status;
}

/* With friction of the speed, twice where states are to be in the middle of the step. */
static prc_status solve(const prc_step_options *o, prc_step_contacts *k, const prc_cone_problem *problem,
                        prc_cone_info *info, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(solve_once(o, k, problem, info, err));
  if (!k->of_speed) return PRC_OK;
  if (prc_step_friction_again(k, problem, o->theta * o->h)) {
    const prc_cone_info before = *info;
    prc_try(solve_once(o, k, problem, info, err));
    *info = prc_step_contacts_join(&before, *info);
  }
  prc_step_friction_end(k, problem);
done:
  return status;
}

static void keep_percussions(prc_step_contacts *k, const prc_cone_problem *problem) {
  const int dim = k->set.dim;
  const double rho = k->of_speed ? prc_cone_rho(problem) : 1.0;
  for (int i = 0; i < k->n_active; i++) {
    memcpy(k->set.p + dim * k->active[i], k->p_active + dim * i, (size_t)dim * sizeof *k->set.p);
    k->status[k->active[i]] = prc_step_friction_status(k, i, rho);
  }
}

prc_status prc_step_contacts_solve(const prc_system *system, const prc_step_options *o, prc_step_contacts *k,
                                   double t, const double *x, prc_cone_info *info, prc_error *err) {
  const int dim = k->set.dim, n = k->set.n;
  prc_status status = PRC_OK;
  for (int c = 0; c < n; c++) k->allowance[c] = 0.0, k->status[c] = PRC_CONE_OPEN;
  *info = (prc_cone_info){.converged = 1, .finished = "nothing to do"};
  prc_rows_multiply(&k->set.H, x, k->u_work);
  if (system->velocity_at_start) prc_step_contacts_follow(system, o, k);
  prc_try(prc_step_contacts_gather(k, err));
  begin_with_older(k);
  prc_try(prc_step_friction_begin(k, t, o->theta * o->h, err));
  right_hand_side(o, k);
  k->warm = 1.0;
  memset(k->set.p, 0, (size_t)dim * (size_t)n * sizeof *k->set.p);
  if (k->n_active == 0) return PRC_OK;
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  prc_try(prc_step_contacts_refuse_driven(k, &problem, t, err));
  if (system->joints.n > 0) prc_step_contacts_clear_blocked(&problem, k->velocity_tolerance, k->b);
  prc_try(solve(o, k, &problem, info, err));
  prc_step_contacts_allow(system, o, k, &problem, x);
  keep_percussions(k, &problem);
done:
  return status;
}

/* Row by row: what u at v + dv is beyond W p + b is an error of b. */
prc_status prc_step_contacts_refine(const prc_system *system, const prc_step_options *o, prc_step_contacts *k,
                                    const double *v, const double *dv, prc_cone_info *info, prc_error *err) {
  const int dim = k->set.dim;
  prc_status status = PRC_OK;
  prc_cone_info again = {0};
  if (k->n_active == 0) return PRC_OK;
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  prc_rows_multiply(&k->set.H, v, k->u);
  prc_rows_multiply(&k->set.H, dv, k->u_work);
  for (int i = 0; i < dim * k->n_active; i++) {
    const int c = k->active[i / dim], at = dim * c + i % dim;
    const double gap = i % dim == 0 ? k->set.gap[c] / o->h : 0.0;
    k->b[i] += (k->u[at] + gap - k->w[i]) + k->u_work[at];
  }
  prc_try(solve_once(o, k, &problem, &again, err));
  prc_step_friction_end(k, &problem);
  *info = prc_step_contacts_join(info, again);
  for (int i = 0; i < dim * k->n_active; i++) {
    const int at = dim * k->active[i / dim] + i % dim;
    k->u_work[at] = k->p_active[i] - k->set.p[at];
  }
  prc_step_contacts_allow(system, o, k, &problem, v);
  keep_percussions(k, &problem);
done:
  return status;
}
