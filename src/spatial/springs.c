#include "config.h"
#include "spatial/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Springs and dampers between points of bodies in space, or of the ground and a body. With L = |d|, w = d / L, G the row of dL/dt:
 *
 *   V = k (L - L_0)^2 / 2,   f = k (L - L_0) G',   d = c (G v) G'.
 *
 * With L_0 = 0 that is k |d|^2 / 2, and needs no direction. */

/* ---- one spring -------------------------------------------------------------------------------------------- */

typedef struct {
  prc_spatial_line line;
  double length;
  prc_spatial_row along; /* w; zero where the length is */
} stretched;

static stretched stretch(const prc_spatial *spatial, int k, const double *q, const double *v) {
  stretched s = {.length = 0.0};
  prc_spatial_place_link(spatial, &spatial->spring[k].link, q, v, &s.line);
  s.length = sqrt(prc_solid_dot(s.line.d, s.line.d));
  for (int c = 0; c < 3 && s.length > 0.0; c++) s.along.w[c] = s.line.d[c] / s.length;
  return s;
}

static double rate_of(const stretched *s) {
  return prc_solid_dot(s->along.w, s->line.d_rate);
}

prc_spatial_spring_state prc_spatial_spring_now(const prc_spatial *spatial, int k, const double *q,
                                                const double *v) {
  const prc_spatial_spring *spring = &spatial->model->spring[k];
  const double rest_length = spatial->spring[k].rest_length;
  const stretched s = stretch(spatial, k, q, v);
  const double elongation = s.length - rest_length, rate = rate_of(&s);
  return (prc_spatial_spring_state){.length = s.length,
                                    .rest_length = rest_length,
                                    .rate = rate,
                                    .elastic = spring->stiffness * elongation,
                                    .viscous = spring->damping * rate,
                                    .potential = 0.5 * spring->stiffness * elongation * elongation};
}

void prc_spatial_spring_place(const prc_spatial *spatial, int k, const double *q, double x[2][3]) {
  prc_spatial_line line;
  prc_spatial_place_link(spatial, &spatial->spring[k].link, q, NULL, &line);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < 3; c++) x[i][c] = line.x[i][c] + line.arm[i][c];
}

/* to += force G' */
static void add_row(const prc_spatial *spatial, int k, const double G[PRC_SPATIAL_LINK_DOFS], double force,
                    double *to) {
  int dof[PRC_SPATIAL_LINK_DOFS], slot[PRC_SPATIAL_LINK_DOFS];
  const int n = prc_spatial_link_dofs(spatial, &spatial->spring[k].link, dof, slot);
  for (int i = 0; i < n; i++) to[dof[i]] += force * G[slot[i]];
}
static void pull(const prc_spatial *spatial, int k, const stretched *s, double force, double *to) {
  double G[PRC_SPATIAL_LINK_DOFS];
  prc_spatial_row_gradient(&s->along, &s->line, G);
  add_row(spatial, k, G, force, to);
}

/* ---- the system's functions -------------------------------------------------------------------------------- */

static prc_status internal(void *owner, const prc_at *at, double *f, double *potential, prc_error *err) {
  const prc_spatial *spatial = owner;
  double sum = 0.0;
  (void)err;
  if (f) memset(f, 0, (size_t)spatial->nv * sizeof *f);
  for (int k = 0; k < spatial->model->n_springs; k++) {
    const double stiffness = spatial->model->spring[k].stiffness;
    const stretched s = stretch(spatial, k, at->q, NULL);
    const double elongation = s.length - spatial->spring[k].rest_length;
    sum += 0.5 * stiffness * elongation * elongation;
    if (f) pull(spatial, k, &s, stiffness * elongation, f);
  }
  if (potential) *potential = sum;
  return PRC_OK;
}

/* Over a step V changes by k ((L + L')/2 - L_0) (L' - L), and L by a mean of G (prc_spatial_mean_along): action and reaction on one line, which keep energy,
 * linear and angular momentum to rounding. */
static prc_status mean_internal(void *owner, const double *q, const double *dx, double *f, double *gain,
                                prc_error *err) {
  const prc_spatial *spatial = owner;
  (void)err;
  memset(f, 0, (size_t)spatial->nv * sizeof *f);
  prc_spatial_advance(spatial, q, dx, spatial->spring_q);
  for (int k = 0; k < spatial->model->n_springs; k++) {
    const prc_spatial_spring_facts *fact = &spatial->spring[k];
    const stretched from = stretch(spatial, k, q, NULL), to = stretch(spatial, k, spatial->spring_q, NULL);
    double G[PRC_SPATIAL_LINK_DOFS];
    prc_spatial_row row = {.w = {0.0}};
    const double length = prc_spatial_mean_along(from.line.d, to.line.d, row.w);
    prc_spatial_mean_gradient(spatial, &fact->link, &row, &from.line, &to.line, dx, G);
    add_row(spatial, k, G, spatial->model->spring[k].stiffness * (length - fact->rest_length), f);
  }
  *gain = 0.0;
  for (int i = 0; i < spatial->nv; i++) *gain += dx[i] * f[i];
  return PRC_OK;
}

static prc_status damping(void *owner, const prc_at *at, double *d, prc_error *err) {
  const prc_spatial *spatial = owner;
  (void)err;
  memset(d, 0, (size_t)spatial->nv * sizeof *d);
  for (int k = 0; k < spatial->model->n_springs; k++) {
    const stretched s = stretch(spatial, k, at->q, at->v);
    pull(spatial, k, &s, spatial->model->spring[k].damping * rate_of(&s), d);
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

/* A += factor G G' of the row along w. */
static void add_outer(const prc_spatial *spatial, int k, const stretched *s, const double w[3], double factor,
                      prc_sym *A) {
  prc_spatial_row row = {.w = {w[0], w[1], w[2]}};
  double G[PRC_SPATIAL_LINK_DOFS];
  int dof[PRC_SPATIAL_LINK_DOFS], slot[PRC_SPATIAL_LINK_DOFS];
  const int n = prc_spatial_link_dofs(spatial, &spatial->spring[k].link, dof, slot);
  prc_spatial_row_gradient(&row, &s->line, G);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double value = factor * G[slot[i]] * G[slot[j]];
      if (dof[i] >= dof[j] && value != 0.0) *entry(A, dof[i], dof[j]) += value;
    }
}

/* c df/dx without what could make it indefinite: k G G' along the spring, and across it F/L where it pulls. What the turn of the arms adds is left
 * out: of the size of F |arm|, it is small beside inertia / h^2. Newton's method then needs some passes more, and goes to the same place. */
static void add_stiffness(const prc_spatial *spatial, int k, const prc_at *at, double c, prc_sym *A) {
  static const double zeros[9] = {0.0};
  const double stiffness = spatial->model->spring[k].stiffness, rest = spatial->spring[k].rest_length;
  const stretched s = stretch(spatial, k, at->q, NULL);
  double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double across = rest > 0.0 ? 0.0 : stiffness;
  if (s.length > 0.0) {
    across = fmax(stiffness * (s.length - rest) / s.length, 0.0);
    prc_contact_turn_frame(zeros, s.along.w, frame);
  }
  add_outer(spatial, k, &s, frame, c * (s.length > 0.0 ? stiffness : across), A);
  for (int i = 1; i < 3; i++) add_outer(spatial, k, &s, frame + 3 * i, c * across, A);
}

static prc_status tangent(void *owner, const prc_at *at, double c_x, double c_v, prc_sym *A, prc_error *err) {
  const prc_spatial *spatial = owner;
  (void)err;
  for (int k = 0; k < spatial->model->n_springs; k++) {
    const double damping_k = spatial->model->spring[k].damping;
    if (c_x != 0.0) add_stiffness(spatial, k, at, c_x, A);
    if (c_v == 0.0 || damping_k == 0.0) continue;
    const stretched s = stretch(spatial, k, at->q, NULL);
    add_outer(spatial, k, &s, s.along.w, c_v * damping_k, A);
  }
  return PRC_OK;
}

/* ---- making ------------------------------------------------------------------------------------------------ */

static prc_status make_spring(prc_spatial *spatial, int k, const double *q, prc_error *err) {
  const prc_spatial_spring *spring = &spatial->model->spring[k];
  prc_spatial_spring_facts *fact = &spatial->spring[k];
  double at[2][3];
  memcpy(at, spring->at, sizeof at);
  if (!(spring->stiffness >= 0.0 && spring->damping >= 0.0 && isfinite(spring->stiffness + spring->damping)))
    return prc_fail(err, PRC_INPUT, "spring '%s': stiffness %g and damping %g, expected numbers >= 0",
                    spring->name, spring->stiffness, spring->damping);
  const prc_status status = prc_spatial_make_link(spatial, "spring", spring->name, spring->body,
                                                  (const double(*)[3])at, &fact->link, err);
  if (status != PRC_OK) return status;
  const stretched s = stretch(spatial, k, q, NULL);
  fact->rest_length = isnan(spring->rest_length) ? s.length : spring->rest_length;
  if (!(fact->rest_length >= 0.0 && isfinite(fact->rest_length)))
    return prc_fail(err, PRC_INPUT, "spring '%s': its rest length is %g, expected a number >= 0",
                    spring->name, fact->rest_length);
  if (s.length == 0.0 && fact->rest_length > 0.0)
    return prc_fail(err, PRC_INPUT,
                    "spring '%s': its points are at one place at the start, where a rest length of %g has no "
                    "direction; expected them apart, or a rest length of 0",
                    spring->name, fact->rest_length);
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
static int list_couples(const prc_spatial *spatial, couple *list) {
  int n = 0, kept = 0;
  for (int b = 0; b < spatial->model->n_bodies; b++) list[n++] = (couple){b, b};
  for (int k = 0; k < spatial->model->n_springs; k++) {
    const int *of = spatial->spring[k].link.body;
    if (of[0] >= 0) list[n++] = of[0] < of[1] ? (couple){of[0], of[1]} : (couple){of[1], of[0]};
  }
  qsort(list, (size_t)n, sizeof *list, compare_couples);
  for (int k = 0; k < n; k++)
    if (kept == 0 || compare_couples(&list[k], &list[kept - 1]) != 0) list[kept++] = list[k];
  return kept;
}

static int dofs_of(const prc_spatial *spatial, int b) {
  return spatial->fact[b].turn >= 0 ? 6 : 3;
}

/* Full blocks of bodies, of those on the diagonal the lower triangle. */
static prc_status make_pattern(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  couple *list = NULL;
  prc_try(prc_new(&list, (size_t)spatial->model->n_bodies + (size_t)spatial->model->n_springs, err));
  const int n_couples = list_couples(spatial, list);
  int entries = 0;
  for (int k = 0; k < n_couples; k++) {
    const int rows = dofs_of(spatial, list[k].high), columns = dofs_of(spatial, list[k].low);
    entries += list[k].low == list[k].high ? rows * (rows + 1) / 2 : rows * columns;
  }
  prc_try(prc_sym_create(spatial->nv, entries, &spatial->pattern, err));
  int at = 0, first = 0;
  for (int column = 0; column < spatial->nv; column++) {
    const int b = spatial->body_of_dof[column];
    while (list[first].low < b) first++;
    for (int k = first; k < n_couples && list[k].low == b; k++) {
      const int high = list[k].high, begin = spatial->fact[high].first;
      for (int i = high == b ? column : begin; i < begin + dofs_of(spatial, high); i++)
        spatial->pattern->i[at++] = i;
    }
    spatial->pattern->p[column + 1] = at;
  }
done:
  prc_delete(&list);
  return status;
}

prc_status prc_spatial_make_springs(prc_spatial *spatial, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_spatial_model *model = spatial->model;
  prc_dynamics *d = &spatial->system.dynamics;
  double *q = NULL;
  if (model->n_springs == 0) return PRC_OK;
  prc_try(prc_new(&q, (size_t)(2 * spatial->nv + spatial->n_turning), err));
  prc_try(prc_new(&spatial->spring, model->n_springs, err));
  prc_try(prc_new(&spatial->spring_q, (size_t)(spatial->nv + spatial->n_turning), err));
  prc_spatial_initial(spatial, q, q + spatial->nv + spatial->n_turning);
  for (int k = 0; k < model->n_springs; k++) {
    prc_try(make_spring(spatial, k, q, err));
    if (model->spring[k].stiffness > 0.0) d->varies |= PRC_INTERNAL_NONLINEAR;
    if (model->spring[k].damping > 0.0) d->varies |= PRC_DAMPING_OF_STATE;
  }
  prc_try(make_pattern(spatial, err));
  if (d->varies & PRC_INTERNAL_NONLINEAR) d->internal = internal, d->mean_internal = mean_internal;
  if (d->varies & PRC_DAMPING_OF_STATE) d->damping = damping;
  d->tangent = tangent, d->pattern = spatial->pattern;
done:
  prc_delete(&q);
  return status;
}

void prc_spatial_free_springs(prc_spatial *spatial) {
  prc_delete(&spatial->spring);
  prc_delete(&spatial->spring_q);
  prc_sym_free(&spatial->pattern);
}
