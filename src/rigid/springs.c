#include "config.h"
#include "rigid/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Springs and dampers between points of bodies, or of the ground and a body. With L = |d|, w = d / L, G = dL/dq (links.c):
 *
 *   V = k (L - L_0)^2 / 2,   f = k (L - L_0) G',   d = c (G v) G'.
 *
 * With L_0 = 0 that is k |d|^2 / 2, linear but for the turn of the arms, and needs no direction. */

/* ---- one spring ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  prc_rigid_line line;
  double length;
  prc_rigid_row along; /* w; zero where the length is */
} stretched;

static stretched stretch(const prc_rigid_spring_facts *fact, const double *q, const double *v) {
  stretched s = {.length = 0.0};
  prc_rigid_place_link(&fact->link, q, v, &s.line);
  s.length = hypot(s.line.d[0], s.line.d[1]);
  for (int k = 0; k < 2 && s.length > 0.0; k++) s.along.w[k] = s.line.d[k] / s.length;
  return s;
}

static double rate_of(const stretched *s) {
  return s->along.w[0] * s->line.d_rate[0] + s->along.w[1] * s->line.d_rate[1];
}

prc_rigid_spring_state prc_rigid_spring_now(const prc_rigid *rigid, int k, const double *q, const double *v) {
  const prc_rigid_spring *spring = &rigid->model->spring[k];
  const prc_rigid_spring_facts *fact = &rigid->spring[k];
  const stretched s = stretch(fact, q, v);
  const double stretch = s.length - fact->rest_length, rate = rate_of(&s);
  return (prc_rigid_spring_state){.length = s.length,
                                  .rest_length = fact->rest_length,
                                  .rate = rate,
                                  .elastic = spring->stiffness * stretch,
                                  .viscous = spring->damping * rate,
                                  .potential = 0.5 * spring->stiffness * stretch * stretch};
}

void prc_rigid_spring_place(const prc_rigid *rigid, int k, const double *q, double x[2][2]) {
  prc_rigid_line line;
  prc_rigid_place_link(&rigid->spring[k].link, q, NULL, &line);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 2; c++) x[i][c] = line.q[i][c] + line.arm[i][c];
}

/* to += s G' */
static void pull(const prc_rigid_link *link, const stretched *s, double force, double *to) {
  double G[6];
  prc_rigid_row_gradient(&s->along, (const double(*)[2])s->line.arm, G);
  for (int i = 0; i < 6; i++)
    if (link->body[i / 3] >= 0) to[3 * link->body[i / 3] + i % 3] += force * G[i];
}

/* ---- the system's functions ------------------------------------------------------------------------------------------------ */

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err) {
  const prc_rigid *rigid = owner;
  double sum = 0.0;
  (void)err;
  if (f) memset(f, 0, 3 * (size_t)rigid->model->n_bodies * sizeof *f);
  for (int k = 0; k < rigid->model->n_springs; k++) {
    const prc_rigid_spring_facts *fact = &rigid->spring[k];
    const double stiffness = rigid->model->spring[k].stiffness;
    const stretched s = stretch(fact, at->q, NULL);
    const double elongation = s.length - fact->rest_length;
    sum += 0.5 * stiffness * elongation * elongation;
    if (f) pull(&fact->link, &s, stiffness * elongation, f);
  }
  if (potential) *potential = sum;
  return PRC_OK;
}

/* Over a step V changes by k ((L + L')/2 - L_0) (L' - L), and L by a mean of G (prc_rigid_mean_along). What pulls so acts and reacts on one line, keeps
 * energy and linear momentum to rounding, and the angular one, about the middles of the ways, with angles that go by the Cayley map off the centres (turns.c). */
static prc_status mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                prc_error *err) {
  const prc_rigid *rigid = owner;
  const int n = 3 * rigid->model->n_bodies;
  (void)err;
  memset(f, 0, (size_t)n * sizeof *f);
  for (int k = 0; k < rigid->model->n_springs; k++) {
    const prc_rigid_spring_facts *fact = &rigid->spring[k];
    stretched s = {.length = 0.0};
    prc_rigid_middle(&fact->link, q, dx, 1, &s.line);
    s.length = prc_rigid_mean_along(&s.line, s.along.w);
    pull(&fact->link, &s, rigid->model->spring[k].stiffness * (s.length - fact->rest_length), f);
  }
  *gain = 0.0;
  for (int i = 0; i < n; i++) *gain += dx[i] * f[i];
  return PRC_OK;
}

static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *err) {
  const prc_rigid *rigid = owner;
  (void)err;
  memset(d, 0, 3 * (size_t)rigid->model->n_bodies * sizeof *d);
  for (int k = 0; k < rigid->model->n_springs; k++) {
    const stretched s = stretch(&rigid->spring[k], at->q, at->v);
    pull(&rigid->spring[k].link, &s, rigid->model->spring[k].damping * rate_of(&s), d);
  }
  return PRC_OK;
}

/* A_ij, which the pattern has; i and j in either order. */
static double *entry(prc_sym *A, int i, int j) {
  const int column = i < j ? i : j, row = i < j ? j : i;
  int low = A->p[column], high = A->p[column + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (A->i[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return &A->x[low];
}

/* A += s x x' of the six, the lower triangle. */
static void add_outer(const prc_rigid_link *link, double s, const double x[6], prc_sym *A) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      const int a = link->body[i / 3], b = link->body[j / 3];
      const double value = s * x[i] * x[j];
      if (a >= 0 && b >= 0 && value != 0.0) *entry(A, 3 * a + i % 3, 3 * b + j % 3) += value;
    }
}

/* c df/dq, exact but for its limit below. With G_n that of n = k x w, and F = k (L - L_0) the pull:
 *
 *   df/dq = k G G' + F/L G_n G_n' + F w . (r_a on the angle of a, -r_b on that of b),
 *
 * the last since an arm's second derivative in its angle is -r. A spring that pushes makes the second negative, without bound as L goes
 * to zero. What it takes off A is held to a share of what the masses of its bodies oppose to it, so that A stays positive definite; Newton's
 * method then needs more passes, and goes to the same place. */
static void add_stiffness(const prc_rigid *rigid, int k, const prc_at *at, double c, prc_sym *A) {
  const prc_rigid_model *model = rigid->model;
  const prc_rigid_spring_facts *fact = &rigid->spring[k];
  const double stiffness = model->spring[k].stiffness, share = 0.5 / model->n_springs;
  const stretched s = stretch(fact, at->q, NULL);
  const double F = stiffness * (s.length - fact->rest_length);
  const prc_rigid_row rows[2] = {s.length > 0.0 ? s.along : (prc_rigid_row){.w = {1.0, 0.0}},
                                 {.w = {-s.along.w[1], s.length > 0.0 ? s.along.w[0] : 1.0}}};
  /* where the length is zero, so is the force, and with a rest length there is no derivative */
  const double across = s.length > 0.0 ? F / s.length : fact->rest_length > 0.0 ? 0.0 : stiffness;
  const double along = s.length > 0.0 || fact->rest_length == 0.0 ? stiffness : 0.0;
  double G[6];
  prc_rigid_row_gradient(&rows[0], (const double(*)[2])s.line.arm, G);
  add_outer(&fact->link, c * along, G, A);
  prc_rigid_row_gradient(&rows[1], (const double(*)[2])s.line.arm, G);
  add_outer(&fact->link, fmax(c * across, -share * fact->mass), G, A);
  for (int i = 0; i < 2; i++) {
    const int b = fact->link.body[i];
    const double w_r = s.along.w[0] * s.line.arm[i][0] + s.along.w[1] * s.line.arm[i][1];
    if (b < 0) continue;
    const double least = model->body[b].driven ? -INFINITY : -share * model->body[b].inertia;
    *entry(A, 3 * b + 2, 3 * b + 2) += fmax(c * F * (i == 0 ? w_r : -w_r), least);
  }
}

static prc_status tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *err) {
  const prc_rigid *rigid = owner;
  (void)err;
  for (int k = 0; k < rigid->model->n_springs; k++) {
    const double damping_k = rigid->model->spring[k].damping;
    if (c_x != 0.0) add_stiffness(rigid, k, at, c_x, A);
    if (c_v == 0.0 || damping_k == 0.0) continue;
    const stretched s = stretch(&rigid->spring[k], at->q, NULL);
    double G[6];
    prc_rigid_row_gradient(&s.along, (const double(*)[2])s.line.arm, G);
    add_outer(&rigid->spring[k].link, c_v * damping_k, G, A);
  }
  return PRC_OK;
}

/* ---- making --------------------------------------------------------------------------------------------------------------- */

/* 1 / (J M^-1 J') of both points, whichever way: 1/m + r^2 / I of each that moves. */
static double opposed_mass(const prc_rigid_model *model, const prc_rigid_link *link) {
  double inverse = 0.0;
  for (int i = 0; i < 2; i++) {
    const prc_rigid_body *body = link->body[i] < 0 ? NULL : &model->body[link->body[i]];
    const double *r = link->r[i];
    if (body && !body->driven) inverse += 1.0 / body->mass + (r[0] * r[0] + r[1] * r[1]) / body->inertia;
  }
  return 1.0 / inverse;
}

static prc_status make_facts(const prc_rigid_model *model, const prc_rigid_spring *spring, const double *q,
                             prc_rigid_spring_facts *fact, prc_error *err) {
  double at[2][2];
  memcpy(at, spring->at, sizeof at);
  if (!(spring->stiffness >= 0.0 && spring->damping >= 0.0 && isfinite(spring->stiffness + spring->damping)))
    return prc_fail(err, PRC_INPUT, "spring '%s': stiffness %g and damping %g, expected numbers >= 0",
                    spring->name, spring->stiffness, spring->damping);
  const prc_status status = prc_rigid_make_link(model, "spring", spring->name, spring->body,
                                                (const double(*)[2])at, &fact->link, err);
  if (status != PRC_OK) return status;
  const stretched s = stretch(fact, q, NULL);
  fact->rest_length = isnan(spring->rest_length) ? s.length : spring->rest_length;
  if (!(fact->rest_length >= 0.0 && isfinite(fact->rest_length)))
    return prc_fail(err, PRC_INPUT, "spring '%s': its rest length is %g, expected a number >= 0",
                    spring->name, fact->rest_length);
  if (s.length == 0.0 && fact->rest_length > 0.0)
    return prc_fail(err, PRC_INPUT,
                    "spring '%s': its points are at one place at the start, where a rest length of %g has no "
                    "direction; expected them apart, or a rest length of 0",
                    spring->name, fact->rest_length);
  fact->mass = opposed_mass(model, &fact->link);
  return PRC_OK;
}

/* Bodies that a spring couples, the lower number first; each body with itself. */
typedef struct {
  int low, high;
} couple;

static int compare_couples(const void *a, const void *b) {
  const couple *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->high < y->high ? -1 : x->high > y->high;
}

/* Ascending, each once; returns how many. */
static int list_couples(const prc_rigid *rigid, couple *list) {
  int n = 0, kept = 0;
  for (int b = 0; b < rigid->model->n_bodies; b++) list[n++] = (couple){b, b};
  for (int k = 0; k < rigid->model->n_springs; k++) {
    const int *of = rigid->spring[k].link.body;
    if (of[0] >= 0) list[n++] = of[0] < of[1] ? (couple){of[0], of[1]} : (couple){of[1], of[0]};
  }
  qsort(list, (size_t)n, sizeof *list, compare_couples);
  for (int k = 0; k < n; k++)
    if (kept == 0 || compare_couples(&list[k], &list[kept - 1]) != 0) list[kept++] = list[k];
  return kept;
}

/* Blocks of 3 x 3, of those on the diagonal the lower triangle. */
static prc_status make_pattern(prc_rigid *rigid, prc_error *err) {
  const int n = rigid->model->n_bodies;
  prc_status status = PRC_OK;
  couple *list = NULL;
  prc_try(prc_new(&list, (size_t)n + (size_t)rigid->model->n_springs, err));
  const int n_couples = list_couples(rigid, list);
  prc_try(prc_sym_create(3 * n, 9 * n_couples - 3 * n, &rigid->pattern, err));
  int at = 0, first = 0;
  for (int column = 0; column < 3 * n; column++) {
    const int b = column / 3;
    while (list[first].low < b) first++;
    for (int k = first; k < n_couples && list[k].low == b; k++)
      for (int i = list[k].high == b ? column : 3 * list[k].high; i < 3 * list[k].high + 3; i++)
        rigid->pattern->i[at++] = i;
    rigid->pattern->p[column + 1] = at;
  }
done:
  prc_delete(&list);
  return status;
}

prc_status prc_rigid_make_springs(prc_rigid *rigid, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_rigid_model *model = rigid->model;
  prc_dynamics *d = &rigid->system.dynamics;
  double *q = NULL, *v = NULL;
  if (model->n_springs == 0) return PRC_OK;
  prc_try(prc_new(&q, 3 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&v, 3 * (size_t)model->n_bodies, err));
  prc_try(prc_new(&rigid->spring, model->n_springs, err));
  prc_rigid_initial(rigid, q, v);
  for (int k = 0; k < model->n_springs; k++) {
    prc_try(make_facts(model, &model->spring[k], q, &rigid->spring[k], err));
    if (model->spring[k].stiffness > 0.0) d->varies |= PRC_INTERNAL_NONLINEAR;
    if (model->spring[k].damping > 0.0) d->varies |= PRC_DAMPING_OF_STATE;
  }
  prc_try(make_pattern(rigid, err));
  if (d->varies & PRC_INTERNAL_NONLINEAR) d->internal = internal, d->mean_internal = mean_internal;
  if (d->varies & PRC_DAMPING_OF_STATE) d->damping = damping;
  d->tangent = tangent, d->pattern = rigid->pattern;
done:
  prc_delete(&q);
  prc_delete(&v);
  return status;
}

void prc_rigid_free_springs(prc_rigid *rigid) {
  prc_delete(&rigid->spring);
  prc_sym_free(&rigid->pattern);
}
