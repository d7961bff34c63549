#include "config.h"
#include "contact/mortar_internal.h"

#include <math.h>

/* Contacts of corners. A hat weighs gaps over its sides, and a corner that goes in between leaves that mean open:
 *
 *   g_j = (1/a_j) int N_j n.(x - y) ds > 0   while   g_c = n.(x_c - y_c) < 0.
 *
 * Then the contact of the hat is that of the corner, with the row of its place alone, (n, t)(v(x_c) - v(y_c)): at a corner of the second chain n is the first's, where the
 * ray from it arrives; at one of the first it is that of the second's side, turned round. A straight side of the second rests on two corners at most,
 * and has two points to give. Where hats are closed they carry, and nothing changes. */

#define TURN 0.86602540378443865 /* cosine of 30 degrees: what turns outwards by more is a corner */
#define OPEN                                                                                                 \
  1e-3 /* of the longest chord: mean gaps up to that are none, nor are corners that are nearer by less */
#define SLACK 1e-9 /* of a chord: a foot in the joint of two chords is on both */

/* Chains have their bodies on the left: what turns left turns outwards. */
static int turns_out(const prc_mortar_chain *chain, int before, int after) {
  double n[2], m[2];
  prc_mortar_chord_normal(chain, &chain->chord[before], n);
  prc_mortar_chord_normal(chain, &chain->chord[after], m);
  return prc_mortar_cross(n, m) > 0.0 && prc_mortar_dot(n, m) < TURN;
}

void prc_mortar_chain_mark_corners(prc_mortar_chain *chain, const char *no_end) {
  for (int i = 0; i < chain->n_points; i++) {
    const int before = chain->ahead[2 * i], after = chain->ahead[2 * i + 1];
    chain->corner[i] =
        (char)(before < 0 || after < 0 ? !(no_end && no_end[i]) : turns_out(chain, before, after));
  }
}

/* The mean gap of the contact that point j of the second is part of. */
static double gap_around(const prc_mortar *m, int j) {
  return m->goes[j] < 0 ? INFINITY : m->gap[m->goes[j]];
}

static double least_open(const prc_mortar *m) {
  return OPEN * m->chain[1]->longest;
}

static int is_within(const prc_mortar *m, double gap) {
  return gap <= fmin(m->reach, m->range) && gap >= -m->depth;
}

/* Point j of the second, where its ray arrives. */
static void find_from(prc_mortar *m, int j) {
  const prc_mortar_chain *first = m->chain[0], *second = m->chain[1];
  const double *x = second->x + 2 * j, *ray = second->normal + 2 * j;
  const double way = fmax(fmin(m->reach, m->range), m->depth);
  const int axis = m->work->axis, ends = second->ahead[2 * j + 1] < 0;
  prc_mortar_corner found = {.point = {j, -1}};
  double nearest = INFINITY, at, apart;
  for (int i = prc_mortar_first_from(m, x[axis] - way - first->longest);
       i < first->n_chords && m->work->stand[i].low <= x[axis] + way; i++) {
    const int e = m->work->stand[i].chord;
    const prc_mortar_target to = prc_mortar_target_of(first, e);
    if (!prc_mortar_arrives(x, ray, &to, SLACK, &at, &apart) || !(fabs(apart) < nearest)) continue;
    nearest = fabs(apart);
    found.at = (prc_mortar_point){
        .chord = {e, second->ahead[2 * j + !ends]}, .at = {at, ends ? 1.0 : 0.0}, .weight = 1.0};
  }
  if (!isfinite(nearest)) return;
  double y[2], along[2];
  prc_mortar_place_on(first, &first->chord[found.at.chord[0]], found.at.at[0], y, along);
  const double size = hypot(along[0], along[1]);
  found.at.normal[0] = along[1] / size, found.at.normal[1] = -along[0] / size;
  for (int k = 0; k < 2; k++) found.at.gap += found.at.normal[k] * (x[k] - y[k]);
  if (is_within(m, found.at.gap)) m->work->corner[m->work->n_corners++] = found;
}

static int is_beyond(const prc_mortar *m, int k, const double y[2], double way) {
  const int *end = m->chain[1]->chord[k].point;
  const double *a = m->chain[1]->x + 2 * end[0], *b = m->chain[1]->x + 2 * end[1];
  for (int d = 0; d < 2; d++)
    if (y[d] > fmax(a[d], b[d]) + way || y[d] < fmin(a[d], b[d]) - way) return 1;
  return 0;
}

/* Point i of the first, where rays of the second arrive at it. */
static void find_under(prc_mortar *m, int i) {
  const prc_mortar_chain *first = m->chain[0], *second = m->chain[1];
  const double *y = first->x + 2 * i, *n = first->normal + 2 * i;
  const double way = fmax(fmin(m->reach, m->range), m->depth), open = least_open(m);
  const int begins = first->ahead[2 * i + 1] >= 0;
  prc_mortar_corner found = {0};
  double nearest = INFINITY, foot[2], x[2], ray[2];
  for (int k = 0; k < second->n_chords; k++) {
    const int *end = second->chord[k].point;
    if (is_beyond(m, k, y, way) || !(gap_around(m, end[0]) > open || gap_around(m, end[1]) > open)) continue;
    const prc_mortar_fan f = prc_mortar_fan_of(second, &second->chord[k]);
    for (int r = prc_mortar_feet_of(&f, y, SLACK, foot) - 1; r >= 0; r--) {
      prc_mortar_ray_at(&f, foot[r], x, ray);
      const double size = hypot(ray[0], ray[1]), d[2] = {y[0] - x[0], y[1] - x[1]};
      const double apart = prc_mortar_dot(d, ray) / size;
      if (!(prc_mortar_dot(n, ray) < -GRAZE * size) || !(fabs(apart) < nearest)) continue;
      nearest = fabs(apart);
      found = (prc_mortar_corner){.at = {.chord = {first->ahead[2 * i + begins], k},
                                         .at = {begins ? 0.0 : 1.0, foot[r]},
                                         .weight = 1.0},
                                  .point = {end[foot[r] > 0.5], end[foot[r] <= 0.5]}};
    }
  }
  if (!isfinite(nearest)) return;
  double along[2];
  prc_mortar_place_on(second, &second->chord[found.at.chord[1]], found.at.at[1], x, along);
  const double size = hypot(along[0], along[1]);
  found.at.normal[0] = -along[1] / size, found.at.normal[1] = along[0] / size;
  for (int k = 0; k < 2; k++) found.at.gap += found.at.normal[k] * (x[k] - y[k]);
  if (is_within(m, found.at.gap)) m->work->corner[m->work->n_corners++] = found;
}

/* By gaps; corners are few. */
static void sort_corners(prc_mortar_work *w) {
  for (int i = 1; i < w->n_corners; i++) {
    const prc_mortar_corner now = w->corner[i];
    int at = i;
    for (; at > 0 && w->corner[at - 1].at.gap > now.at.gap; at--) w->corner[at] = w->corner[at - 1];
    w->corner[at] = now;
  }
}

/* The first of its points that is open, and not another's, has this corner. */
static void settle(prc_mortar *m, const prc_mortar_corner *corner) {
  for (int e = 0; e < 2; e++) {
    const int point = corner->point[e];
    if (point < 0) continue;
    const int j = m->goes[point] < 0 ? point : m->goes[point];
    const double gap = gap_around(m, point), open = least_open(m);
    if (m->own[j].weight > 0.0 || !(gap > open && corner->at.gap < gap - open)) continue;
    m->own[j] = corner->at;
    if (m->goes[j] < 0) m->goes[j] = j, m->area[j] = m->full[j];
    return;
  }
}

void prc_mortar_find_corners(prc_mortar *m) {
  const double open = least_open(m);
  for (int j = 0; j < m->chain[1]->n_points; j++) m->own[j].weight = 0.0;
  m->work->n_corners = 0;
  if (m->reach < 0.0) return;
  for (int j = 0; j < m->chain[1]->n_points; j++)
    if (gap_around(m, j) > open && m->chain[1]->corner[j]) find_from(m, j);
  for (int i = 0; i < m->chain[0]->n_points; i++)
    if (m->chain[0]->corner[i]) find_under(m, i);
  sort_corners(m->work);
  for (int i = 0; i < m->work->n_corners; i++) settle(m, &m->work->corner[i]);
  for (int j = 0; j < m->chain[1]->n_points; j++)
    if (m->own[j].weight > 0.0) m->gap[j] = m->own[j].gap;
}
