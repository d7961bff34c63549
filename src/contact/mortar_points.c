#include "config.h"
#include "contact/mortar_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where chords of the second chain lie over chords of the first, and points of integration there. */

#define LEAST 1e-12 /* of a chord: pieces that are shorter are none */
#define FACES                                                                                                \
  0.17 /* cosine: sides that face each other by less, as a wall and the floor that it stands on, do not */
#define GAUSS 0.57735026918962576451 /* 1 / sqrt(3) */

#define cross prc_mortar_cross
#define dot   prc_mortar_dot

/* ---- chains ------------------------------------------------------------------------------------------------------------ */

double prc_mortar_chord_normal(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double n[2]) {
  const double *a = chain->x + 2 * chord->point[0], *b = chain->x + 2 * chord->point[1];
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
  n[0] = length > 0.0 ? d[1] / length : 0.0, n[1] = length > 0.0 ? -d[0] / length : 0.0;
  return length;
}

static void measure_chain(prc_mortar_chain *chain) {
  memset(chain->normal, 0, 2 * (size_t)chain->n_points * sizeof *chain->normal);
  chain->longest = 0.0;
  for (int k = 0; k < chain->n_chords; k++) {
    double *n = chain->across + 2 * k;
    chain->longest = fmax(chain->longest, prc_mortar_chord_normal(chain, &chain->chord[k], n));
    for (int e = 0; e < 2; e++)
      for (int d = 0; d < 2; d++) chain->normal[2 * chain->chord[k].point[e] + d] += n[d];
  }
  for (int i = 0; i < chain->n_points; i++) {
    double *n = chain->normal + 2 * i;
    const double length = hypot(n[0], n[1]);
    for (int d = 0; d < 2; d++) n[d] = length > GRAZE ? n[d] / length : 0.0;
  }
}

void prc_mortar_shape(const prc_mortar_chord *chord, double s, double N[3], double dN[3]) {
  const double at = chord->from + s * chord->part, r = 1.0 - at;
  if (chord->n_nodes == 2) {
    N[0] = r, N[1] = at, N[2] = 0.0;
    dN[0] = -1.0, dN[1] = 1.0, dN[2] = 0.0;
    return;
  }
  N[0] = r * (r - at), N[1] = at * (at - r), N[2] = 4.0 * r * at;
  dN[0] = 1.0 - 4.0 * r, dN[1] = 4.0 * at - 1.0, dN[2] = 4.0 * (r - at);
}

void prc_mortar_place_on(const prc_mortar_chain *chain, const prc_mortar_chord *chord, double s, double x[2],
                         double along[2]) {
  double N[3], dN[3];
  prc_mortar_shape(chord, s, N, dN);
  for (int d = 0; d < 2; d++) {
    x[d] = along[d] = 0.0;
    for (int a = 0; a < chord->n_nodes; a++) {
      x[d] += N[a] * chain->x[2 * chord->of[a] + d];
      along[d] += dN[a] * chain->x[2 * chord->of[a] + d];
    }
  }
}

/* ---- pieces ------------------------------------------------------------------------------------------------------------ */

prc_mortar_fan prc_mortar_fan_of(const prc_mortar_chain *chain, const prc_mortar_chord *chord) {
  prc_mortar_fan f;
  double own[2], m[2][2];
  f.length = prc_mortar_chord_normal(chain, chord, own);
  f.n[0] = own[0], f.n[1] = own[1];
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

void prc_mortar_ray_at(const prc_mortar_fan *f, double s, double x[2], double m[2]) {
  for (int k = 0; k < 2; k++) x[k] = f->a[k] + s * f->d[k], m[k] = f->m[k] + s * f->dm[k];
}

int prc_mortar_feet_of(const prc_mortar_fan *f, const double y[2], double slack, double feet[2]) {
  const double r[2] = {f->a[0] - y[0], f->a[1] - y[1]};
  const double c0 = cross(r, f->m), c1 = cross(f->d, f->m) + cross(r, f->dm), c2 = cross(f->d, f->dm);
  if (slack == 0.0 && c0 * (c0 + c1 + c2) > 0.0 && c1 * (c1 + 2.0 * c2) >= 0.0) return 0; /* monotonous */
  double root[2];
  int n = 0, found = 0;
  if (fabs(c2) <= 1e-12 * fabs(c1))
    root[found++] = -c0 / c1;
  else {
    const double inside = c1 * c1 - 4.0 * c0 * c2;
    if (!(inside >= 0.0)) return 0;
    const double q = -0.5 * (c1 + copysign(sqrt(inside), c1));
    root[found++] = q / c2;
    if (q != 0.0) root[found++] = c0 / q;
  }
  for (int i = 0; i < found; i++)
    if (root[i] >= -slack && root[i] <= 1.0 + slack) feet[n++] = fmin(fmax(root[i], 0.0), 1.0);
  return n;
}

static int by_low(const void *a, const void *b) {
  const prc_mortar_stand *p = a, *q = b;
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
    m->work->stand[e] = (prc_mortar_stand){fmin(chain->x[2 * end[0] + axis], chain->x[2 * end[1] + axis]), e};
  }
  qsort(m->work->stand, (size_t)chain->n_chords, sizeof *m->work->stand, by_low);
}

int prc_mortar_first_from(const prc_mortar *m, double low) {
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

static int is_far(const prc_mortar_fan *f, const double *y0, const double *y1, double range) {
  for (int k = 0; k < 2; k++)
    if (fmin(y0[k], y1[k]) > f->high[k] + range || fmax(y0[k], y1[k]) < f->low[k] - range) return 1;
  return 0;
}

prc_mortar_target prc_mortar_target_of(const prc_mortar_chain *chain, int e) {
  const prc_mortar_chord *chord = &chain->chord[e];
  prc_mortar_target to = {
      chain->x + 2 * chord->point[0], chain->x + 2 * chord->point[1], {0.0, 0.0}, {0.0, 0.0}};
  for (int k = 0; k < 2; k++) to.d[k] = to.y1[k] - to.y0[k], to.n[k] = chain->across[2 * e + k];
  return to;
}

int prc_mortar_arrives(const double x[2], const double ray[2], const prc_mortar_target *to, double slack,
                       double *at, double *apart) {
  const double r[2] = {x[0] - to->y0[0], x[1] - to->y0[1]}, end[2] = {x[0] - to->y1[0], x[1] - to->y1[1]};
  const double before = cross(r, ray);
  if (slack == 0.0 && before * cross(end, ray) > 0.0) return 0;
  const double size = hypot(ray[0], ray[1]), faces = dot(to->n, ray), across = cross(to->d, ray);
  *at = before / across;
  if (!(faces < -GRAZE * size && *at >= -slack && *at <= 1.0 + slack)) return 0;
  *apart = -dot(r, to->n) / faces * size;
  return 1;
}

/* Cuts ascend from 0 to 1: where lines along rays pass ends of the chord. Returns their number. */
static int cuts_of(const prc_mortar_fan *f, const prc_mortar_target *to, double cut[6]) {
  int n = 1;
  cut[0] = 0.0;
  n += prc_mortar_feet_of(f, to->y0, 0.0, cut + n);
  n += prc_mortar_feet_of(f, to->y1, 0.0, cut + n);
  for (int i = 2; i < n; i++) {
    const double value = cut[i];
    int at = i;
    for (; at > 1 && cut[at - 1] > value; at--) cut[at] = cut[at - 1];
    cut[at] = value;
  }
  cut[n] = 1.0;
  return n + 1;
}

/* Pieces of chord number e of the first over the fan. Beside a corner a line along rays may pass a point
 * twice, or pass one end of a chord alone: what is
 * between two cuts arrives or does not, as the ray in its middle. */
static void add_pieces(prc_mortar *m, const prc_mortar_fan *f, int e) {
  const prc_mortar_chain *chain = m->chain[0];
  const int *end = chain->chord[e].point;
  double cut[6], x[2], ray[2], at, apart;
  if (is_far(f, chain->x + 2 * end[0], chain->x + 2 * end[1], fmax(m->range, m->depth))) return;
  const prc_mortar_target to = prc_mortar_target_of(chain, e);
  if (!(dot(to.n, f->n) < -FACES)) return;
  const int n = cuts_of(f, &to, cut);
  for (int i = 1; i < n; i++) {
    const double low = cut[i - 1], high = cut[i];
    if (!(high - low >= LEAST)) continue;
    prc_mortar_ray_at(f, 0.5 * (low + high), x, ray);
    if (!prc_mortar_arrives(x, ray, &to, 0.0, &at, &apart) || apart > m->range || apart < -m->depth) continue;
    m->work->piece[m->work->n_pieces++] = (prc_mortar_piece){low, high, apart, e};
  }
}

static int by_place(const void *a, const void *b) {
  const prc_mortar_piece *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  return (p->chord > q->chord) - (p->chord < q->chord);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- points of integration ---------------------------------------------------------------------------------------- */

static prc_status add_point(prc_mortar *m, const prc_mortar_fan *f, int k, const prc_mortar_piece *p,
                            double s, double part, prc_error *err) {
  const int count = m->start[k + 1];
  const prc_status status =
      prc_grow((void *)&m->point, &m->work->room, (size_t)count + 1, sizeof *m->point, err);
  if (status != PRC_OK) return status;
  const prc_mortar_chain *first = m->chain[0], *second = m->chain[1];
  const prc_mortar_chord *chord = &first->chord[p->chord];
  const double *y0 = first->x + 2 * chord->point[0], *y1 = first->x + 2 * chord->point[1];
  double x[2], ray[2], y[2], along[2], across[2];
  prc_mortar_ray_at(f, s, x, ray);
  const double d[2] = {y1[0] - y0[0], y1[1] - y0[1]}, r[2] = {x[0] - y0[0], x[1] - y0[1]};
  prc_mortar_point *point = &m->point[count];
  *point = (prc_mortar_point){.chord = {p->chord, k}, .at = {cross(r, ray) / cross(d, ray), s}};
  prc_mortar_place_on(first, chord, point->at[0], y, along);
  prc_mortar_place_on(second, &second->chord[k], s, x, across);
  const double size = hypot(along[0], along[1]);
  point->normal[0] = along[1] / size, point->normal[1] = -along[0] / size;
  point->gap = point->normal[0] * (x[0] - y[0]) + point->normal[1] * (x[1] - y[1]);
  point->weight = part * f->length * (m->across + m->around * x[0]);
  m->start[k + 1]++;
  return PRC_OK;
}

static prc_status integrate(prc_mortar *m, const prc_mortar_fan *f, int k, const prc_mortar_piece *p,
                            double low, double high, prc_error *err) {
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const prc_status status = add_point(m, f, k, p, middle - GAUSS * half, half, err);
  return status == PRC_OK ? add_point(m, f, k, p, middle + GAUSS * half, half, err) : status;
}

/* Where pieces lie over each other, as over the second of two walls, the nearest counts. */
static prc_status integrate_nearest(prc_mortar *m, const prc_mortar_fan *f, int k, prc_error *err) {
  prc_mortar_work *w = m->work;
  for (int i = 0; i < w->n_pieces; i++)
    w->bound[2 * i] = w->piece[i].low, w->bound[2 * i + 1] = w->piece[i].high;
  qsort(w->bound, 2 * (size_t)w->n_pieces, sizeof *w->bound, by_size);
  for (int i = 1; i < 2 * w->n_pieces; i++) {
    const double low = w->bound[i - 1], high = w->bound[i], middle = 0.5 * (low + high);
    const prc_mortar_piece *nearest = NULL;
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
  const prc_mortar_fan f = prc_mortar_fan_of(m->chain[1], &m->chain[1]->chord[k]);
  int overlap = 0;
  m->start[k + 1] = m->start[k];
  w->n_pieces = 0;
  const int axis = w->axis;
  const double way = fmax(m->range, m->depth);
  for (int e = prc_mortar_first_from(m, f.low[axis] - way - m->chain[0]->longest);
       e < m->chain[0]->n_chords && w->stand[e].low <= f.high[axis] + way; e++)
    add_pieces(m, &f, w->stand[e].chord);
  if (w->n_pieces > 1) qsort(w->piece, (size_t)w->n_pieces, sizeof *w->piece, by_place);
  for (int i = 1; i < w->n_pieces; i++) overlap |= w->piece[i].low < w->piece[i - 1].high - LEAST;
  if (overlap) return integrate_nearest(m, &f, k, err);
  for (int i = 0; i < w->n_pieces; i++) {
    const prc_status status = integrate(m, &f, k, &w->piece[i], w->piece[i].low, w->piece[i].high, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

prc_status prc_mortar_integrate(prc_mortar *m, prc_error *err) {
  for (int k = 0; k < 2; k++) measure_chain(m->chain[k]);
  line_up(m);
  for (int k = 0; k < m->chain[1]->n_chords; k++) {
    const prc_status status = integrate_chord(m, k, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}
