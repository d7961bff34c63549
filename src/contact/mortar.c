#include "config.h"
#include "contact/mortar_internal.h"

#include <math.h>
#include <string.h>

/* Hats over points of integration: their areas and gaps, what is merged, and rows. */

#define LITTLE 0.25 /* of a hat's area: with less it hands on what it has */

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
      m->full[end[e]] += length * (0.5 * m->across + m->around * (x[e] / 3.0 + x[1 - e] / 6.0));
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
  return own[i] > own[j] || (i < j && own[i] == own[j]);
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
  const prc_status status = prc_mortar_integrate(m, err);
  if (status != PRC_OK) return status;
  measure_hats(m);
  merge(m);
  prc_mortar_find_corners(m);
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

/* Contribution of an integration point with weight w. */
static prc_status add_place(const prc_mortar *m, const prc_mortar_point *p, double w, prc_mortar_row *row,
                            prc_error *err) {
  for (int d = 0; d < 2; d++) row->normal[d] += w * p->normal[d];
  for (int side = 0; side < 2; side++) {
    const prc_mortar_chord *chord = &m->chain[side]->chord[p->chord[side]];
    double N[3], dN[3];
    prc_mortar_shape(chord, p->at[side], N, dN);
    for (int a = 0; a < chord->n_nodes; a++) {
      const prc_status status =
          add_to(row, m->chain[side]->node[chord->of[a]], (side == 1 ? w : -w) * N[a], p->normal, err);
      if (status != PRC_OK) return status;
    }
  }
  return PRC_OK;
}

/* Contribution of end e of chord k. */
static prc_status add_hat(const prc_mortar *m, int k, int e, prc_mortar_row *row, prc_error *err) {
  for (int i = m->start[k]; i < m->start[k + 1]; i++) {
    const prc_mortar_point *p = &m->point[i];
    const prc_status status = add_place(m, p, p->weight * (e == 0 ? 1.0 - p->at[1] : p->at[1]), row, err);
    if (status != PRC_OK) return status;
  }
  return PRC_OK;
}

/* The row of a corner keeps the places of its hat, as zeros: within a step the hat may close. */
static prc_status turn_to_corner(const prc_mortar *m, int j, prc_mortar_row *row, prc_error *err) {
  memset(row->c, 0, 2 * (size_t)row->n * sizeof *row->c);
  row->normal[0] = row->normal[1] = 0.0;
  return add_place(m, &m->own[j], m->area[j], row, err);
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

/* The shape functions merged into j stand beside it, one after the other. */
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
  if (m->own[j].weight > 0.0) prc_try(turn_to_corner(m, j, row, err));
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
  m->across = 1.0, m->range = m->depth = INFINITY, m->reach = -1.0;
  prc_try(prc_new(&m->start, (size_t)touching->n_chords + 1, err));
  double **arrays[] = {&m->full, &m->area, &m->gap};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) prc_try(prc_new(arrays[k], n, err));
  prc_try(prc_new(&m->goes, n, err));
  prc_try(prc_new(&m->own, n, err));
  prc_try(prc_new(&m->work, 1, err));
  prc_try(prc_new(&m->work->stand, chords, err));
  prc_try(prc_new(&m->work->piece, PRC_MORTAR_PIECES * chords, err));
  prc_try(prc_new(&m->work->bound, 2 * PRC_MORTAR_PIECES * chords, err));
  prc_try(prc_new(&m->work->own, n, err));
  prc_try(prc_new(&m->work->corner, n + (size_t)touched->n_points, err));
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
    prc_delete(&m->work->corner);
  }
  prc_delete(&m->work);
  prc_delete(&m->start);
  prc_delete(&m->point);
  prc_delete(&m->full);
  prc_delete(&m->area);
  prc_delete(&m->gap);
  prc_delete(&m->goes);
  prc_delete(&m->own);
  prc_delete(mortar);
}
