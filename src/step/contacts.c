#include "config.h"
#include "step/internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the pattern of W -------------------------------------------------------------------------------------------------- */

/* Is contact c a neighbour of the one whose row of S^-1 this is: does W have a block for them? */
static int reaches(const prc_system *system, const prc_step_contacts *k, const double *row, int c) {
  for (int i = system->H_start[c]; i < system->H_start[c + 1]; i++) {
    const int dof = k->H_dof[i] - k->n_lead;
    if (dof >= 0 && dof < k->n_tail && row[dof] != 0.0) return 1;
  }
  return 0;
}

/* The columns of row c of W by blocks, ascending, into `column` unless that is NULL; returns their number. */
static size_t neighbours(const prc_system *system, const prc_step_contacts *k, int c, int *column) {
  size_t count = 0;
  memset(k->row, 0, (size_t)k->n_tail * sizeof *k->row);
  for (int i = system->H_start[c]; i < system->H_start[c + 1]; i++) {
    const int dof = k->H_dof[i] - k->n_lead; /* no frame matters here: signs must not cancel */
    if (dof >= 0 && dof < k->n_tail) prc_tail_mark_row(k->S, dof, k->row);
  }
  for (int other = 0; other < k->n; other++) {
    if (other != c && !reaches(system, k, k->row, other)) continue;
    if (column) column[count] = other;
    count++;
  }
  return count;
}

static prc_status create_blocks(const prc_system *system, prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)k->dim * (size_t)k->dim;
  size_t count = 0;
  prc_try(prc_new(&k->all.row_start, k->n + 1, err));
  prc_try(prc_new(&k->part.row_start, k->n + 1, err));
  for (int c = 0; c < k->n; c++) {
    count += neighbours(system, k, c, NULL);
    if (count > INT_MAX / size) return prc_fail(err, PRC_NOMEM, "W has too many blocks");
    k->all.row_start[c + 1] = (int)count;
  }
  prc_try(prc_new(&k->all.column, count, err));
  prc_try(prc_new(&k->part.column, count, err));
  prc_try(prc_new(&k->all.values, size * count, err));
  prc_try(prc_new(&k->part.values, size * count, err));
  prc_try(prc_new(&k->place, k->n, err));
  for (int c = 0; c < k->n; c++) neighbours(system, k, c, k->all.column + k->all.row_start[c]);
done:
  return status;
}

/* W over all candidates while H is constant, and that of the active ones. */
static prc_status create_dense(const prc_system *system, prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  char what[64];
  const size_t rows = (size_t)k->dim * (size_t)k->n;
  snprintf(what, sizeof what, "the contact problem of %d candidates", k->n);
  prc_try(prc_memory_expect(2.0 * sizeof(double) * (double)rows * (double)rows, what, err));
  prc_try(prc_new(&k->W, rows * rows, err));
  prc_try(prc_new(&k->W_all, system->H_constant ? rows * rows : 0, err));
done:
  return status;
}

prc_status prc_step_contacts_create(const prc_system *system, const prc_step_options *options,
                                    const prc_tail *S, const int *inverse, int n_lead, int n_tail,
                                    prc_step_contacts *k, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_dofs = system->n_contacts ? system->H_start[system->n_contacts] : 0;
  const size_t rows = (size_t)system->dim * (size_t)system->n_contacts;
  k->dim = system->dim, k->n = system->n_contacts;
  k->n_lead = n_lead, k->n_tail = n_tail;
  k->S = S;
  k->newton = options->law == PRC_IMPACT_NEWTON && !k->implicit;
  k->scale = k->newton ? k->share / options->theta : k->share;
  k->sparse = system->H_constant && prc_tail_is_sparse(S);
  prc_try(prc_new(&k->H_dof, n_dofs, err));
  for (int i = 0; i < n_dofs; i++) k->H_dof[i] = inverse[system->H_dof[i]];
  prc_try(prc_new(&k->H, system->dim * n_dofs, err));
  double **tails[] = {&k->row, &k->pull, &k->kick};
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) prc_try(prc_new(tails[i], n_tail, err));
  double **vectors[] = {&k->b,     &k->w,       &k->p_active, &k->mu,  &k->p,        &k->W_normal,
                        &k->u_old, &k->u_theta, &k->u,        &k->gap, &k->allowance};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], rows, err));
  prc_try(prc_new(&k->active, k->n, err));
  prc_try(prc_new(&k->gathered, k->n, err));
  prc_try(prc_new(&k->status, k->n, err));
  for (int c = 0; system->size && c < k->n; c++)
    if (system->size[c] > 0.0 && !(system->size[c] >= k->size_least && k->size_least > 0.0))
      k->size_least = system->size[c];
  prc_try((k->sparse ? create_blocks : create_dense)(system, k, err));
  const prc_cone_problem largest = {.dim = k->dim, .n = k->n, .blocks = k->sparse ? &k->all : NULL};
  prc_try(prc_cone_solver_create_for(options->solver, &largest, &options->cone, &k->solver, err));
done:
  return status; /* the stepper frees what was made */
}

static void free_blocks(prc_cone_blocks *W) {
  prc_delete(&W->row_start);
  prc_delete(&W->column);
  prc_delete(&W->values);
}

void prc_step_contacts_free(prc_step_contacts *k) {
  double **vectors[] = {&k->H,         &k->W,   &k->W_all, &k->b,    &k->w,       &k->p_active,
                        &k->p,         &k->mu,  &k->u_old, &k->u,    &k->gap,     &k->u_theta,
                        &k->allowance, &k->row, &k->pull,  &k->kick, &k->W_normal};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  free_blocks(&k->all);
  free_blocks(&k->part);
  prc_delete(&k->place);
  prc_delete(&k->H_dof);
  prc_delete(&k->active);
  prc_delete(&k->gathered);
  prc_delete(&k->status);
  prc_cone_solver_free(&k->solver);
}

void prc_step_contacts_velocity(const prc_system *system, const prc_step_contacts *k, const double *x,
                                double *u) {
  for (int c = 0; c < k->n; c++) {
    const int first = system->H_start[c], count = system->H_start[c + 1] - first;
    const double *row = k->H + k->dim * first;
    for (int r = 0; r < k->dim; r++, row += count) {
      double sum = 0.0;
      for (int i = 0; i < count; i++) sum += row[i] * x[k->H_dof[first + i]];
      u[k->dim * c + r] = sum;
    }
  }
}

void prc_step_contacts_apply(const prc_system *system, const prc_step_contacts *k, double a, double *y) {
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], first = system->H_start[c], count = system->H_start[c + 1] - first;
    const double *row = k->H + k->dim * first;
    for (int r = 0; r < k->dim; r++, row += count)
      for (int d = 0; d < count; d++) y[k->H_dof[first + d]] += a * row[d] * k->p[k->dim * c + r];
  }
}

void prc_step_contacts_add_sizes(const prc_system *system, const prc_step_contacts *k, double *y) {
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], first = system->H_start[c], count = system->H_start[c + 1] - first;
    const double *row = k->H + k->dim * first;
    for (int r = 0; r < k->dim; r++, row += count)
      for (int d = 0; d < count; d++) y[k->H_dof[first + d]] += fabs(row[d] * k->p[k->dim * c + r]);
  }
}

/* ---- activation --------------------------------------------------------------------------------------------------------- */

#define ABOVE 100.0 /* as a wave speed is above the velocities of an elastic body's contacts */

/* A resting contact moves by the error of its contact problem: the velocity. Coordinates are rounded, and that motion drifts
 * over steps: the gap. */
static void find_tolerances(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  if (k->velocity_share > 0.0)
    k->velocity_tolerance = k->velocity_share * fmax(system->velocity, ABOVE * k->speed);
  if (k->gap_follows)
    k->gap_tolerance = 100.0 * DBL_EPSILON * system->length + 10.0 * o->h * k->velocity_tolerance;
}

void prc_step_contacts_set_tolerances(const prc_system *system, const prc_step_options *o,
                                      prc_step_contacts *k) {
  if (o->quasi_static) { /* only what is prescribed is judged by them */
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

void prc_step_contacts_set_speed(const prc_system *system, const prc_step_options *o, double speed,
                                 prc_step_contacts *k) {
  k->speed = speed;
  find_tolerances(system, o, k);
}

/* Bodies that begin at rest without loads show only later how fast things are: the error of a contact problem is relative
 * to the free velocities u_F, and an acceleration (u_F - u_k) / (theta h) gives a velocity over the system's length. */
static void follow_velocities(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  double largest = 0.0, gain = 0.0;
  for (int i = 0; i < k->dim * k->n; i++) {
    largest = fmax(largest, fabs(k->u_theta[i]));
    gain = fmax(gain, fabs(k->u_theta[i] - k->u_old[i]));
  }
  const double speed = fmax(largest, sqrt(gain * system->length / (o->theta * o->h)));
  if (speed > k->speed && isfinite(speed)) prc_step_contacts_set_speed(system, o, speed, k);
}

/* A contact without restitution that carried a percussion is closed and at rest: w_N is theta u_N,k+1 in either law, and p_N > 0 makes
 * it zero. What its gap and velocity show is the error of the last contact problem, which is relative to b and so may exceed any
 * tolerance made of the system's own velocity. It is on the closed branch of the natural map as long as
 * u_N < W_NN p_N. With an H that moves, or a restitution, the velocity may be real. */
static int still_pushes(const prc_system *system, const prc_step_contacts *k, int c) {
  if (!system->H_constant || system->e[c] > 0.0) return 0;
  const int n = k->dim * c;
  return k->p[n] > 0.0 && k->u_old[n] < k->W_normal[c] * k->p[n];
}

void prc_step_contacts_activate(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  const int strict = o->activation == PRC_ACTIVATION_STRICT;
  const double gap = strict ? 0.0 : k->gap_tolerance, velocity = strict ? 0.0 : k->velocity_tolerance;
  k->n_active = 0;
  for (int c = 0; c < k->n; c++) {
    const double u_n = k->u_old[k->dim * c];
    const int within_reach = k->implicit && k->gap[c] <= k->gap_tolerance - 2.0 * o->h * fmin(u_n, 0.0);
    if (o->quasi_static || within_reach || (!strict && !k->implicit && still_pushes(system, k, c))
        || (!k->implicit && k->gap[c] <= gap && (o->activation == PRC_ACTIVATION_GAP || u_n <= velocity)))
      k->active[k->n_active++] = c;
  }
}

/* ---- W -------------------------------------------------------------------------------------------------------------- */

/* row := (row r of contact c's H, restricted to the tail) S^-1 */
static void condense_row(const prc_system *system, const prc_step_contacts *k, int c, int r, double *row) {
  const int first = system->H_start[c], count = system->H_start[c + 1] - first;
  const double *H = k->H + k->dim * first + r * count;
  memset(row, 0, (size_t)k->n_tail * sizeof *row);
  for (int d = 0; d < count; d++) {
    const int dof = k->H_dof[first + d] - k->n_lead;
    if (dof < 0 || dof >= k->n_tail || H[d] == 0.0) continue; /* prescribed, or not involved */
    prc_tail_add_row(k->S, dof, H[d], row);
  }
}

/* (row r of contact c's H S^-1) . (row of contact c's H) */
static double project(const prc_system *system, const prc_step_contacts *k, const double *row, int c, int r) {
  const int first = system->H_start[c], count = system->H_start[c + 1] - first;
  const double *H = k->H + k->dim * first + r * count;
  double sum = 0.0;
  for (int d = 0; d < count; d++) {
    const int dof = k->H_dof[first + d] - k->n_lead;
    if (dof >= 0 && dof < k->n_tail) sum += row[dof] * H[d];
  }
  return sum;
}

void prc_step_contacts_condense(const prc_system *system, const prc_step_contacts *k, double scale, int count,
                                const int *list, double *W) {
  const int dim = k->dim;
  const size_t rows = (size_t)dim * (size_t)count;
  for (size_t i = 0; i < rows; i++) {
    condense_row(system, k, list ? list[i / (size_t)dim] : (int)i / dim, (int)i % dim, k->row);
    for (size_t j = 0; j <= i; j++) { /* exactly symmetric by construction */
      const int c = list ? list[j / (size_t)dim] : (int)j / dim;
      W[i * rows + j] = W[j * rows + i] = scale * project(system, k, k->row, c, (int)j % dim);
    }
  }
}

/* The same by blocks over all candidates. place[c]: the block of row c for the contact that is met next; from c itself on they
 * are met in ascending order. */
static void condense_blocks(const prc_system *system, prc_step_contacts *k) {
  const int dim = k->dim, size = dim * dim;
  const prc_cone_blocks *W = &k->all;
  for (int c = 0; c < k->n; c++) {
    const int first = W->row_start[c];
    for (k->place[c] = first; W->column[k->place[c]] < c;) k->place[c]++;
    for (int r = 0; r < dim; r++) {
      condense_row(system, k, c, r, k->row);
      for (int at = first; at < W->row_start[c + 1] && W->column[at] <= c; at++) {
        const int other = W->column[at], mirror = k->place[other];
        for (int d = 0; d < (other == c ? r + 1 : dim); d++) {
          const double value = k->scale * project(system, k, k->row, other, d);
          W->values[size * at + dim * r + d] = value;
          W->values[size * mirror + dim * d + r] = value;
        }
      }
    }
    for (int at = first; at < W->row_start[c + 1] && W->column[at] <= c; at++) k->place[W->column[at]]++;
  }
}

void prc_step_contacts_condense_all(const prc_system *system, prc_step_contacts *k) {
  k->n_gathered = -1;
  if (!system->H_constant) return; /* W is made for the active ones of each step */
  for (int c = 0; c < k->n; c++) {
    condense_row(system, k, c, 0, k->row);
    k->W_normal[c] = k->share * project(system, k, k->row, c, 0);
  }
  if (k->sparse)
    condense_blocks(system, k);
  else
    prc_step_contacts_condense(system, k, k->scale, k->n, NULL, k->W_all);
}

static void gather_dense(prc_step_contacts *k) {
  const int dim = k->dim, rows = dim * k->n_active;
  const size_t all = (size_t)dim * (size_t)k->n;
  double *W = k->W;
  for (int i = 0; i < rows; i++) {
    const double *from = k->W_all + (size_t)(dim * k->active[i / dim] + i % dim) * all;
    for (int a = 0; a < k->n_active; a++)
      for (int r = 0; r < dim; r++) *W++ = from[dim * k->active[a] + r];
  }
}

static void gather_blocks(prc_step_contacts *k) {
  const size_t size = (size_t)k->dim * (size_t)k->dim;
  int count = 0;
  for (int c = 0; c < k->n; c++) k->place[c] = -1;
  for (int i = 0; i < k->n_active; i++) k->place[k->active[i]] = i;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    for (int at = k->all.row_start[c]; at < k->all.row_start[c + 1]; at++) {
      const int column = k->place[k->all.column[at]];
      if (column < 0) continue;
      k->part.column[count] = column;
      memcpy(k->part.values + size * (size_t)count, k->all.values + size * (size_t)at,
             size * sizeof *k->all.values);
      count++;
    }
    k->part.row_start[i + 1] = count;
  }
}

/* W of the active set: the sub-block of the inverse over all candidates, never the inverse of a sub-block. It stays while the
 * set and H do. */
static void gather(const prc_system *system, prc_step_contacts *k) {
  if (!system->H_constant) {
    prc_step_contacts_condense(system, k, k->scale, k->n_active, k->active, k->W);
    return;
  }
  const size_t bytes = (size_t)k->n_active * sizeof *k->active;
  if (k->n_gathered == k->n_active && memcmp(k->gathered, k->active, bytes) == 0) return;
  (k->sparse ? gather_blocks : gather_dense)(k);
  memcpy(k->gathered, k->active, bytes);
  k->n_gathered = k->n_active;
}

prc_cone_problem prc_step_contacts_problem(const prc_step_contacts *k) {
  return (prc_cone_problem){.dim = k->dim,
                            .n = k->n_active,
                            .W = k->sparse ? NULL : k->W,
                            .symmetric = 1,
                            .blocks = k->sparse ? &k->part : NULL,
                            .b = k->b,
                            .mu = k->mu};
}

/* ---- the problem ------------------------------------------------------------------------------------------------------- */

/* Where nothing resists by inertia, w_N is the gap at the end of the step, g_k + h u_N, over h.
 *
 * b of (98)-(101) from the free velocity y_F = u_theta of a step without percussions. The Newton law's problem is that of
 * u_{k+1}: W_N = W_F / theta, y_N = (y_F - (1 - theta) u_k) / theta. */
static void right_hand_side(const prc_system *system, const prc_step_options *o, prc_step_contacts *k) {
  const double theta = o->theta;
  const int newton = k->newton, dim = k->dim;
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i];
    const double e = system->e[c], u_n = k->u_old[dim * c];
    for (int r = 0; r < dim; r++) {
      const double y = k->u_theta[dim * c + r];
      k->b[dim * i + r] = newton ? (y - (1.0 - theta) * k->u_old[dim * c + r]) / theta : y;
      k->p_active[dim * i + r] = k->p[dim * c + r];
    }
    k->b[dim * i] += k->implicit ? k->gap[c] / o->h : newton ? e * u_n : (theta * (1.0 + e) - 1.0) * u_n;
    for (int r = 1; newton && system->e_t && r < dim; r++) /* (58) */
      k->b[dim * i + r] += system->e_t[c] * k->u_old[dim * c + r];
    k->mu[i] = system->mu[c];
  }
}

/* A contact whose normal motion is prescribed has no W_NN: nothing can stop it, so it must not approach. */
static prc_status refuse_driven(const prc_step_contacts *k, const prc_cone_problem *problem, double t,
                                prc_error *err) {
  for (int i = 0; i < k->n_active; i++) {
    const int n = k->dim * i;
    if (k->b[n] >= -k->velocity_tolerance || prc_cone_diagonal(problem, n) > 0.0) continue;
    return prc_fail(err, PRC_INPUT,
                    "at t = %.9g a prescribed motion drives contact %d into its obstacle (normal velocity "
                    "%.3g), expected a "
                    "motion along it or away from it",
                    t, k->active[i], k->b[n]);
  }
  return PRC_OK;
}

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

/* The size of what cancels in H x at contact c: its rounding is a few eps of that. */
static double size_of_terms(const prc_system *system, const prc_step_contacts *k, int c, const double *x) {
  const int first = system->H_start[c], count = system->H_start[c + 1] - first;
  double size = 0.0;
  for (int i = 0; i < k->dim * count; i++)
    size += fabs(k->H[k->dim * first + i] * x[k->H_dof[first + i % count]]);
  return size;
}

/* Rounding counts too: u = H v cancels terms of that size, and W p terms of at most sqrt(W_ii) sum_j sqrt(W_jj) |p_j|
 * (Cauchy-Schwarz, W being positive semidefinite). x: the free velocities, not changed by the percussions yet. */
static void set_allowances(const prc_system *system, const prc_step_options *o, prc_step_contacts *k,
                           const prc_cone_problem *problem, const double *x) {
  const int dim = k->dim, rows = dim * k->n_active;
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
    double terms = sqrt((double)rows) * largest + size_of_terms(system, k, c, x) + sqrt(W) * reach;
    if (k->implicit) terms += system->length / o->h; /* gaps are differences of coordinates */
    k->allowance[c] = allowance_of(dim, system->mu[c], rho, k->p_active + dim * i, k->w + dim * i,
                                   64.0 * DBL_EPSILON * terms);
    if (k->implicit) /* what the last step left behind the obstacle is pushed out again */
      k->allowance[c] += fmax(0.0, -k->gap[c]) / o->h * fmax(0.0, k->p_active[dim * i]);
  }
}

/* pull := share H' p, kick := S^-1 pull */
static void find_kick(const prc_system *system, prc_step_contacts *k) {
  memset(k->kick, 0, (size_t)k->n_tail * sizeof *k->kick);
  memset(k->pull, 0, (size_t)k->n_tail * sizeof *k->pull);
  for (int i = 0; i < k->n_active; i++) {
    const int c = k->active[i], first = system->H_start[c], count = system->H_start[c + 1] - first;
    const double *H = k->H + k->dim * first;
    for (int r = 0; r < k->dim; r++, H += count)
      for (int d = 0; d < count; d++) {
        const int dof = k->H_dof[first + d] - k->n_lead;
        if (dof >= 0 && dof < k->n_tail) k->pull[dof] += H[d] * k->p[k->dim * c + r];
      }
  }
  for (int dof = 0; dof < k->n_tail; dof++) {
    k->pull[dof] *= k->share;
    if (k->pull[dof] != 0.0) prc_tail_add_row(k->S, dof, k->pull[dof], k->kick);
  }
}

prc_status prc_step_contacts_solve(const prc_system *system, const prc_step_options *o, prc_step_contacts *k,
                                   double t, const double *x, prc_cone_info *info, prc_error *err) {
  const int dim = k->dim;
  for (int c = 0; c < k->n; c++) k->allowance[c] = 0.0, k->status[c] = PRC_CONE_OPEN;
  *info = (prc_cone_info){.converged = 1, .finished = "nothing to do"};

  prc_step_contacts_velocity(system, k, x, k->u_theta);
  if (system->velocity_at_start) follow_velocities(system, o, k);
  gather(system, k);
  right_hand_side(system, o, k);
  memset(k->p, 0, (size_t)dim * (size_t)k->n * sizeof *k->p);
  if (k->n_active == 0) {
    memset(k->pull, 0, (size_t)k->n_tail * sizeof *k->pull);
    memset(k->kick, 0, (size_t)k->n_tail * sizeof *k->kick);
    return PRC_OK;
  }
  const prc_cone_problem problem = prc_step_contacts_problem(k);
  const prc_status status = refuse_driven(k, &problem, t, err);
  if (status != PRC_OK) return status;

  *info = prc_cone_solve(k->solver, &problem, k->p_active);
  prc_cone_error(&problem, k->p_active, k->w);
  set_allowances(system, o, k, &problem, x);
  for (int i = 0; i < k->n_active; i++) {
    memcpy(k->p + dim * k->active[i], k->p_active + dim * i, (size_t)dim * sizeof *k->p);
    k->status[k->active[i]] = (int)prc_cone_status_of(dim, k->mu[i], k->p_active + dim * i);
  }
  find_kick(system, k);
  return PRC_OK;
}
