#include "config.h"
#include "contact/mortar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST  1e-12 /* of a chord: pieces that are shorter are none */
#define GRAZE  1e-6  /* chords that face each other by less do not */
#define LITTLE 0.25  /* of a hat's area: with less it hands on what it has */
#define GAUSS  0.57735026918962576451 /* 1 / sqrt(3) */

/* A part of a chord of the second over a chord of the first. */
typedef struct {
  double low, high, apart; /* apart: the distance along the ray in its middle, positive where there is a gap */
  int chord;
} piece;

/* A chord of the first by its lower end along an axis. */
typedef struct {
  double low;
  int chord;
} stand;

struct prc_mortar_work {
  stand *stand; /* the first's chords, ascending */
  int axis;     /* along which it is longest */
  piece *piece; /* at most one for each chord of the first */
  int n_pieces;
  double *bound; /* twice as many */
  double *own;   /* their areas before merging */
  size_t room;   /* points of integration */
};

static double cross(const double a[2], const double b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}
static double dot(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* ---- chains ------------------------------------------------------------------------------------------------------------ */

/* Out of the body, which is on the left, and the length. */
static double chord_normal(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double n[2]) {
  const double *a = chain->x + 2 * chord->point[0], *b = chain->x + 2 * chord->point[1];
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
  n[0] = length > 0.0 ? d[1] / length : 0.0, n[1] = length > 0.0 ? -d[0] / length : 0.0;
  return length;
}

static void look_at(prc_mortar_chain *chain) {
  memset(chain->normal, 0, 2 * (size_t)chain->n_points * sizeof *chain->normal);
  chain->longest = 0.0;
  for (int k = 0; k < chain->n_chords; k++) {
    double n[2];
    chain->longest = fmax(chain->longest, chord_normal(chain, &chain->chord[k], n));
    for (int e = 0; e < 2; e++)
      for (int d = 0; d < 2; d++) chain->normal[2 * chain->chord[k].point[e] + d] += n[d];
  }
  for (int i = 0; i < chain->n_points; i++) {
    double *n = chain->normal + 2 * i;
    const double length = hypot(n[0], n[1]);
    for (int d = 0; d < 2; d++) n[d] = length > GRAZE ? n[d] / length : 0.0;
  }
}

/* The functions of a chord's side at the place s of the chord, and their derivatives along the side. */
static void shape(const prc_mortar_chord *chord, double s, double N[3], double dN[3]) {
  const double at = chord->from + s * chord->part, r = 1.0 - at;
  if (chord->n_nodes == 2) {
    N[0] = r, N[1] = at, N[2] = 0.0;
    dN[0] = -1.0, dN[1] = 1.0, dN[2] = 0.0;
    return;
  }
  N[0] = r * (r - at), N[1] = at * (at - r), N[2] = 4.0 * r * at;
  dN[0] = 1.0 - 4.0 * r, dN[1] = 4.0 * at - 1.0, dN[2] = 4.0 * (r - at);
}

static void place_on(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double s, double x[2],
                     double along[2]) {
  double N[3], dN[3];
  shape(chord, s, N, dN);
  for (int d = 0; d < 2; d++) {
    x[d] = along[d] = 0.0;
    for (int a = 0; a < chord->n_nodes; a++) {
      x[d] += N[a] * chain->x[2 * chord->of[a] + d];
      along[d] += dN[a] * chain->x[2 * chord->of[a] + d];
    }
  }
}

/* ---- pieces ------------------------------------------------------------------------------------------------------------ */

/* A chord of the second and the rays from it: X(s) = a + s d, m(s) = m + s dm. */
typedef struct {
  double a[2], d[2], m[2], dm[2], length, low[2], high[2];
} fan;

static fan fan_of(const prc_mortar_chain *chain, const prc_mortar_chord *chord) {
  fan f;
  double own[2], m[2][2];
  f.length = chord_normal(chain, chord, own);
  for (int e = 0; e < 2; e++) {
    const double *n = chain->normal + 2 * chord->point[e];
    const int none = dot(n, own) <= GRAZE;
    for (int k = 0; k < 2; k++) m[e][k] = none ? own[k] : n[k];
  }
  for (int k = 0; k < 2; k++) {
    const double a = chain->x[2 * chord->point[0] + k], b = chain->x[2 * chord->point[1] + k];
    f.a[k] = a, f.d[k] = b - a, f.m[k] = m[0][k], f.dm[k] = m[1][k] - m[0][k];
    f.low[k] = fmin(a, b), f.high[k] = fmax(a, b);
  }
  return f;
}

static void ray_at(const fan *f, double s, double x[2], double m[2]) {
  for (int k = 0; k < 2; k++) x[k] = f->a[k] + s * f->d[k], m[k] = f->m[k] + s * f->dm[k];
}

/* s with (X(s) - y) x m(s) = 0, the root nearest the middle; NAN: there is none. */
static double foot_of(const fan *f, const double y[2]) {
  const double r[2] = {f->a[0] - y[0], f->a[1] - y[1]};
  const double c0 = cross(r, f->m), c1 = cross(f->d, f->m) + cross(r, f->dm), c2 = cross(f->d, f->dm);
  if (fabs(c2) <= 1e-12 * fabs(c1)) return c1 != 0.0 ? -c0 / c1 : NAN;
  const double inside = c1 * c1 - 4.0 * c0 * c2;
  if (!(inside >= 0.0)) return NAN;
  const double q = -0.5 * (c1 + copysign(sqrt(inside), c1));
  const double one = q / c2, other = q != 0.0 ? c0 / q : one;
  return fabs(one - 0.5) < fabs(other - 0.5) ? one : other;
}

static int by_low(const void *a, const void *b) {
  const stand *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return (p->chord > q->chord) - (p->chord < q->chord);
}

static void line_up(prc_mortar *m) {
  const prc_mortar_chain *chain = m->chain[0];
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < 2 * chain->n_points; i++)
    low[i % 2] = fmin(low[i % 2], chain->x[i]), high[i % 2] = fmax(high[i % 2], chain->x[i]);
  const int axis = m->work->axis = high[1] - low[1] > high[0] - low[0];
  for (int e = 0; e < chain->n_chords; e++) {
    const int *end = chain->chord[e].point;
    m->work->stand[e] = (stand){fmin(chain->x[2 * end[0] + axis], chain->x[2 * end[1] + axis]), e};
  }
  qsort(m->work->stand, (size_t)chain->n_chords, sizeof *m->work->stand, by_low);
}

/* The first chord that begins at `low` or above. */
static int first_from(const prc_mortar *m, double low) {
  int from = 0, to = m->chain[0]->n_chords;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (m->work->stand[middle].low < low)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

static int is_far(const fan *f, const double *y0, const double *y1, double range) {
  for (int k = 0; k < 2; k++)
    if (fmin(y0[k], y1[k]) > f->high[k] + range || fmax(y0[k], y1[k]) < f->low[k] - range) return 1;
  return 0;
}

/* What chord number e of the first has over the fan. */
static void add_piece(prc_mortar *m, const fan *f, int e) {
  const prc_mortar_chain *chain = m->chain[0];
  const prc_mortar_chord *chord = &chain->chord[e];
  const double *y0 = chain->x + 2 * chord->point[0], *y1 = chain->x + 2 * chord->point[1];
  double n[2], x[2], ray[2];
  if (is_far(f, y0, y1, fmax(m->range, m->depth))) return;
  const double s0 = foot_of(f, y0), s1 = foot_of(f, y1);
  if (!(isfinite(s0) && isfinite(s1))) return;
  const double low = fmax(fmin(s0, s1), 0.0), high = fmin(fmax(s0, s1), 1.0);
  if (!(high - low >= LEAST)) return;
  chord_normal(chain, chord, n);
  ray_at(f, 0.5 * (low + high), x, ray);
  const double size = hypot(ray[0], ray[1]), faces = dot(n, ray);
  if (!(faces < -GRAZE * size)) return;
  const double apart = ((y0[0] - x[0]) * n[0] + (y0[1] - x[1]) * n[1]) / faces * size;
  if (apart > m->range || apart < -m->depth) return;
  m->work->piece[m->work->n_pieces++] = (piece){low, high, apart, e};
}

static int by_place(const void *a, const void *b) {
  const piece *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return (p->chord > q->chord) - (p->chord < q->chord);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- points of integration ---------------------------------------------------------------------------------------- */

static prc_status add_point(prc_mortar *m, const fan *f, int k, const piece *p, double s, double part,
                            prc_error *err) {
  const int count = m->start[k + 1];
  const prc_status status =
      prc_grow((void *)&m->point, &m->work->room, (size_t)count + 1, sizeof *m->point, err);
  if (status != PRC_OK) return status;
  const prc_mortar_chain *first = m->chain[0], *second = m->chain[1];
  const prc_mortar_chord *chord = &first->chord[p->chord];
  const double *y0 = first->x + 2 * chord->point[0], *y1 = first->x + 2 * chord->point[1];
  double x[2], ray[2], y[2], along[2], across[2];
  ray_at(f, s, x, ray);
  const double d[2] = {y1[0] - y0[0], y1[1] - y0[1]}, r[2] = {x[0] - y0[0], x[1] - y0[1]};
  prc_mortar_point *point = &m->point[count];
  *point = (prc_mortar_point){.chord = {p->chord, k}, .at = {cross(r, ray) / cross(d, ray), s}};
  place_on(first, chord, point->at[0], y, along);
  place_on(second, &second->chord[k], s, x, across);
  const double size = hypot(along[0], along[1]);
  point->normal[0] = along[1] / size, point->normal[1] = -along[0] / size;
  point->gap = point->normal[0] * (x[0] - y[0]) + point->normal[1] * (x[1] - y[1]);
  point->weight = part * f->length * (m->across + m->around * x[0]);
  m->start[k + 1]++;
  return PRC_OK;
}

static prc_status integrate(prc_mortar *m, const fan *f, int k, const piece *p, double low, double high,
                            prc_error *err) {
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const prc_status status = add_point(m, f, k, p, middle - GAUSS * half, half, err);
  return status == PRC_OK ? add_point(m, f, k, p, middle + GAUSS * half, half, err) : status;
}

/* Where pieces lie over each other, as over the second of two walls, the nearest counts. */
static prc_status integrate_nearest(prc_mortar *m, const fan *f, int k, prc_error *err) {
  prc_mortar_work *w = m->work;
  for (int i = 0; i < w->n_pieces; i++)
    w->bound[2 * i] = w->piece[i].low, w->bound[2 * i + 1] = w->piece[i].high;
  qsort(w->bound, 2 * (size_t)w->n_pieces, sizeof *w->bound, by_size);
  for (int i = 1; i < 2 * w->n_pieces; i++) {
    const double low = w->bound[i - 1], high = w->bound[i], middle = 0.5 * (low + high);
    const piece *nearest = NULL;
    if (!(high - low >= LEAST)) continue;
    for (int p = 0; p < w->n_pieces; p++)
      if (w->piece[p].low <= middle && middle <= w->piece[p].high
          && (!nearest || fabs(w->piece[p].apart) < fabs(nearest->apart)))
        nearest = &w->piece[p];
    if (!nearest) continue;
    const prc_status status = integrate(m, f, k, nearest, low, high, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

static prc_status integrate_chord(prc_mortar *m, int k, prc_error *err) {
  prc_mortar_work *w = m->work;
  const fan f = fan_of(m->chain[1], &m->chain[1]->chord[k]);
  int overlap = 0;
  m->start[k + 1] = m->start[k];
  w->n_pieces = 0;
  const int axis = w->axis;
  const double way = fmax(m->range, m->depth);
  for (int e = first_from(m, f.low[axis] - way - m->chain[0]->longest);
       e < m->chain[0]->n_chords && w->stand[e].low <= f.high[axis] + way; e++)
    add_piece(m, &f, w->stand[e].chord);
  if (w->n_pieces > 1) qsort(w->piece, (size_t)w->n_pieces, sizeof *w->piece, by_place);
  for (int i = 1; i < w->n_pieces; i++) overlap |= w->piece[i].low < w->piece[i - 1].high - LEAST;
  if (overlap) return integrate_nearest(m, &f, k, err);
  for (int i = 0; i < w->n_pieces; i++) {
    const prc_status status =
        integrate(m, &f, k, &w->piece[i], w->piece[i].low, w->piece[i].high, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* ---- hats ---------------------------------------------------------------------------------------------------------------- */

static void measure_hats(prc_mortar *m) {
  const prc_mortar_chain *chain = m->chain[1];
  const size_t bytes = (size_t)chain->n_points * sizeof *m->area;
  memset(m->full, 0, bytes), memset(m->area, 0, bytes), memset(m->gap, 0, bytes);
  for (int k = 0; k < chain->n_chords; k++) {
    const int *end = chain->chord[k].point;
    const double x[2] = {chain->x[2 * end[0]], chain->x[2 * end[1]]};
    const double length = hypot(x[1] - x[0], chain->x[2 * end[1] + 1] - chain->x[2 * end[0] + 1]);
    for (int e = 0; e < 2; e++)
      m->full[end[e]] +=
          length * (0.5 * m->across + m->around * (x[e] / 3.0 + x[1 - e] / 6.0));
    for (int i = m->start[k]; i < m->start[k + 1]; i++) {
      const prc_mortar_point *p = &m->point[i];
      const double N[2] = {1.0 - p->at[1], p->at[1]};
      for (int e = 0; e < 2; e++)
        m->area[end[e]] += p->weight * N[e], m->gap[end[e]] += p->weight * N[e] * p->gap;
    }
  }
}

/* The points beside j in the chain; -1: it ends there. */
static void neighbours(const prc_mortar_chain *chain, int j, int beside[2]) {
  const int before = chain->ahead[2 * j], after = chain->ahead[2 * j + 1];
  beside[0] = before < 0 ? -1 : chain->chord[before].point[0];
  beside[1] = after < 0 ? -1 : chain->chord[after].point[1];
}

static int end_of(const prc_mortar *m, int j) {
  while (j >= 0 && m->goes[j] != j) j = m->goes[j];
  return j;
}

/* Of areas as they were found: larger, or as large and before. */
static int is_larger(const prc_mortar *m, int i, int j) {
  const double *own = m->work->own;
  return own[i] > own[j] || (own[i] == own[j] && i < j);
}

static int is_held(const prc_mortar *m, int j) {
  return m->held && m->held[j];
}

/* The larger neighbour with what it has; for what is held one that is not. */
static int taker_of(const prc_mortar *m, int j) {
  int beside[2], taker = -1;
  const int held = is_held(m, j);
  neighbours(m->chain[1], j, beside);
  for (int e = 0; e < 2; e++) {
    const int i = beside[e];
    if (i < 0 || m->goes[i] < 0) continue;
    if (held ? is_held(m, i) || m->goes[i] != i : !is_larger(m, i, j)) continue;
    if (taker < 0 || is_larger(m, i, taker)) taker = i;
  }
  return taker;
}

static void hand_on(prc_mortar *m, int j) {
  const int taker = taker_of(m, j);
  if (taker < 0) return;
  m->goes[j] = taker;
}

/* First what is little, then what is held, into those that stayed: no way of handing on comes back. */
static void merge(prc_mortar *m) {
  const int n = m->chain[1]->n_points;
  for (int j = 0; j < n; j++) m->work->own[j] = m->area[j], m->goes[j] = m->area[j] > 0.0 ? j : -1;
  for (int j = 0; j < n; j++)
    if (m->goes[j] == j && !is_held(m, j) && m->area[j] < LITTLE * m->full[j]) hand_on(m, j);
  for (int j = 0; j < n; j++)
    if (m->goes[j] == j && is_held(m, j)) hand_on(m, j);
  for (int j = 0; j < n; j++) m->goes[j] = end_of(m, j);
  for (int j = 0; j < n; j++)
    if (m->goes[j] >= 0 && m->goes[j] != j) {
      m->area[m->goes[j]] += m->work->own[j];
      m->gap[m->goes[j]] += m->gap[j];
      m->area[j] = m->gap[j] = 0.0;
    }
  for (int j = 0; j < n; j++)
    if (m->goes[j] == j) m->gap[j] /= m->area[j];
}

prc_status prc_mortar_find(prc_mortar *m, prc_error *err) {
  for (int k = 0; k < 2; k++) look_at(m->chain[k]);
  line_up(m);
  for (int k = 0; k < m->chain[1]->n_chords; k++) {
    const prc_status status = integrate_chord(m, k, err);
    if (status != PRC_OK) return status;
  }
  measure_hats(m);
  merge(m);
  return PRC_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

void prc_mortar_row_free(prc_mortar_row *row) {
  prc_delete(&row->node);
  prc_delete(&row->c);
  *row = (prc_mortar_row){0};
}

static prc_status room_for(prc_mortar_row *row, prc_error *err) {
  prc_status status = PRC_OK;
  size_t nodes = (size_t)row->capacity, numbers = 2 * nodes;
  if (row->n < row->capacity) return PRC_OK;
  const size_t n = 2 * (size_t)row->n + 8;
  prc_try(prc_grow(&row->node, &nodes, n, sizeof *row->node, err));
  prc_try(prc_grow(&row->c, &numbers, 2 * n, sizeof *row->c, err));
  row->capacity = (int)n;
done:
  return status;
}

/* c of a node grows by a. */
static prc_status add_to(prc_mortar_row *row, int node, double a, const double n[2], prc_error *err) {
  const prc_status status = room_for(row, err);
  int at = row->n;
  if (status != PRC_OK) return status;
  while (at > 0 && row->node[at - 1] > node) at--;
  if (at > 0 && row->node[at - 1] == node)
    at--;
  else {
    memmove(row->node + at + 1, row->node + at, (size_t)(row->n - at) * sizeof *row->node);
    memmove(row->c + 2 * (at + 1), row->c + 2 * at, 2 * (size_t)(row->n - at) * sizeof *row->c);
    row->node[at] = node, row->c[2 * at] = row->c[2 * at + 1] = 0.0;
    row->n++;
  }
  for (int d = 0; d < 2; d++) row->c[2 * at + d] += a * n[d];
  return PRC_OK;
}

/* What end e of chord k gives. */
static prc_status add_hat(const prc_mortar *m, int k, int e, prc_mortar_row *row, prc_error *err) {
  for (int i = m->start[k]; i < m->start[k + 1]; i++) {
    const prc_mortar_point *p = &m->point[i];
    const double w = p->weight * (e == 0 ? 1.0 - p->at[1] : p->at[1]);
    for (int d = 0; d < 2; d++) row->normal[d] += w * p->normal[d];
    for (int side = 0; side < 2; side++) {
      const prc_mortar_chord *chord = &m->chain[side]->chord[p->chord[side]];
      double N[3], dN[3];
      shape(chord, p->at[side], N, dN);
      for (int a = 0; a < chord->n_nodes; a++) {
        const prc_status status = add_to(row, m->chain[side]->node[chord->of[a]],
                                         (side == 1 ? w : -w) * N[a], p->normal, err);
        if (status != PRC_OK) return status;
      }
    }
  }
  return PRC_OK;
}

/* Chords around point i, but `but`. */
static prc_status add_point_hats(const prc_mortar *m, int i, prc_mortar_row *row, prc_error *err) {
  for (int e = 0; e < 2; e++) {
    const int k = m->chain[1]->ahead[2 * i + e];
    const prc_status status = k < 0 ? PRC_OK : add_hat(m, k, 1 - e, row, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* Those that went to j are beside it, one after the other. */
prc_status prc_mortar_find_row(const prc_mortar *m, int j, prc_mortar_row *row, prc_error *err) {
  prc_status status = PRC_OK;
  row->n = 0, row->normal[0] = row->normal[1] = 0.0;
  prc_try(add_point_hats(m, j, row, err));
  for (int e = 0; e < 2; e++) {
    int beside[2];
    neighbours(m->chain[1], j, beside);
    for (int i = beside[e]; i >= 0 && i != j && m->goes[i] == j; i = beside[e]) {
      prc_try(add_point_hats(m, i, row, err));
      neighbours(m->chain[1], i, beside);
    }
  }
  for (int i = 0; i < 2 * row->n; i++) row->c[i] /= m->area[j];
  const double size = hypot(row->normal[0], row->normal[1]);
  for (int d = 0; d < 2; d++) row->normal[d] = size > 0.0 ? row->normal[d] / size : 0.0;
done:
  return status;
}

/* ---- making ----------------------------------------------------------------------------------------------------------- */

prc_status prc_mortar_create(prc_mortar_chain *touched, prc_mortar_chain *touching, prc_mortar **out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  prc_mortar *m = NULL;
  const size_t n = (size_t)touching->n_points, chords = (size_t)touched->n_chords;
  prc_try(prc_new(&m, 1, err));
  m->chain[0] = touched, m->chain[1] = touching;
  m->across = 1.0, m->range = m->depth = INFINITY;
  prc_try(prc_new(&m->start, (size_t)touching->n_chords + 1, err));
  double **arrays[] = {&m->full, &m->area, &m->gap};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) prc_try(prc_new(arrays[k], n, err));
  prc_try(prc_new(&m->goes, n, err));
  prc_try(prc_new(&m->work, 1, err));
  prc_try(prc_new(&m->work->stand, chords, err));
  prc_try(prc_new(&m->work->piece, chords, err));
  prc_try(prc_new(&m->work->bound, 2 * chords, err));
  prc_try(prc_new(&m->work->own, n, err));
  *out = m, m = NULL;
done:
  prc_mortar_free(&m);
  return status;
}

void prc_mortar_free(prc_mortar **mortar) {
  prc_mortar *m = *mortar;
  if (!m) return;
  if (m->work) {
    prc_delete(&m->work->stand);
    prc_delete(&m->work->piece);
    prc_delete(&m->work->bound);
    prc_delete(&m->work->own);
  }
  prc_delete(&m->work);
  prc_delete(&m->start);
  prc_delete(&m->point);
  prc_delete(&m->full);
  prc_delete(&m->area);
  prc_delete(&m->gap);
  prc_delete(&m->goes);
  prc_delete(mortar);
}
