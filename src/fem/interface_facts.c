#include "config.h"
#include "fem/internal.h"

#include <math.h>
#include <string.h>

/* Facts about two curves that meet: distance of straight sides from the arcs that they follow, features
 * smaller than sides, and slides that are not small. */

#define TURN  0.35 /* 20 degrees: what turns by more is a corner, and no arc */
#define LEVEL 1e-3 /* radians: chords that turn by less are of no arc */
#define SMALL 0.1  /* of the mean gap: what straight sides may be off without a word */
#define ROUGH 0.05 /* of what sides are off: gaps that vary by less are of two chains that go the same way */
#define MUCH  0.3  /* of the area: so much of it has to be like that */

static double length_of(const prc_mortar_chain *chain, int k) {
  const double *a = chain->x + 2 * chain->chord[k].point[0], *b = chain->x + 2 * chain->chord[k].point[1];
  return hypot(b[0] - a[0], b[1] - a[1]);
}

/* Positive: outwards. 0 at ends. */
static double turn_at(const prc_mortar_chain *chain, int i) {
  const int k[2] = {chain->ahead[2 * i], chain->ahead[2 * i + 1]};
  double d[2][2];
  if (k[0] < 0 || k[1] < 0) return 0.0;
  for (int e = 0; e < 2; e++)
    for (int c = 0; c < 2; c++)
      d[e][c] = chain->x[2 * chain->chord[k[e]].point[1] + c] - chain->x[2 * chain->chord[k[e]].point[0] + c];
  return atan2(d[0][0] * d[1][1] - d[0][1] * d[1][0], d[0][0] * d[1][0] + d[0][1] * d[1][1]);
}

/* d^2 / 8R = d a / 8, of chords that turn by a at both ends, or at one where the other is the chain's; of sides with three nodes the arc is their own. */
static double sag_of(const prc_mortar_chain *chain, int k) {
  double turn[2];
  if (chain->chord[k].n_nodes > 2) return 0.0;
  for (int e = 0; e < 2; e++) {
    const int i = chain->chord[k].point[e];
    turn[e] = chain->ahead[2 * i] < 0 || chain->ahead[2 * i + 1] < 0 ? NAN : turn_at(chain, i);
    if (fabs(turn[e]) < LEVEL || fabs(turn[e]) > TURN) return 0.0;
  }
  if (turn[0] * turn[1] < 0.0) return 0.0;
  const double least = fmin(fabs(turn[0]), fabs(turn[1])); /* the other one, if one is none */
  return isnan(least) ? 0.0 : length_of(chain, k) * least / 8.0;
}

/* Where gaps are hardly more than what sides are off, over much of what lies over each other. */
static void measure_arcs(const prc_mortar *m, prc_fem_interface_facts *facts) {
  double area = 0.0, rough = 0.0, gap = 0.0, largest = 0.0;
  for (int k = 0; k < m->chain[1]->n_chords; k++) {
    double low = INFINITY, high = -INFINITY, own = 0.0, mean = 0.0, sag = sag_of(m->chain[1], k);
    for (int i = m->start[k]; i < m->start[k + 1]; i++) {
      const prc_mortar_point *p = &m->point[i];
      low = fmin(low, p->gap), high = fmax(high, p->gap);
      own += p->weight, mean += p->weight * fabs(p->gap);
      sag = fmax(sag, sag_of(m->chain[0], p->chord[0]));
    }
    area += own;
    if (!(own > 0.0 && SMALL * mean < own * sag && high - low > ROUGH * sag)) continue;
    rough += own, gap += mean, largest = fmax(largest, sag);
  }
  if (rough > MUCH * area) facts->off = largest, facts->gap = gap / rough;
}

/* The shortest way between two corners, and the least radius of what bends outwards. */
static double feature_of(const prc_mortar_chain *chain) {
  double least = INFINITY;
  for (int i = 0; i < chain->n_points; i++) {
    const double turn = turn_at(chain, i);
    if (turn > LEVEL && turn < TURN)
      least = fmin(least,
                   0.5 * (length_of(chain, chain->ahead[2 * i]) + length_of(chain, chain->ahead[2 * i + 1]))
                       / turn);
    if (fabs(turn) < TURN) continue;
    double way = 0.0;
    int k = chain->ahead[2 * i + 1], at = i;
    for (; k >= 0 && way < least; k = chain->ahead[2 * at + 1]) {
      way += length_of(chain, k), at = chain->chord[k].point[1];
      if (at == i || fabs(turn_at(chain, at)) >= TURN) break;
    }
    if (k >= 0) least = fmin(least, way);
  }
  return least;
}

prc_fem_interface_facts prc_fem_get_interface_facts(const prc_fem *fem, int i) {
  const prc_fem_touch *touch = &fem->touch[i];
  prc_fem_interface_facts facts = {.side = touch->chain[1]->longest, .feature = feature_of(touch->chain[0])};
  if (!fem->model->interface[i].from_start) measure_arcs(touch->mortar, &facts);
  return facts;
}

/* ---- slides ---------------------------------------------------------------------------------------------------- */

/* A node that slid by more than the length of a side still stands on the side that was under it at
 * the start. */
static void measure_slip(const prc_fem_touch *touch, int k, const double *q, prc_indicator *indicator) {
  const prc_rows *H = &touch->rows;
  const int first = H->start[k], count = H->start[k + 1] - first;
  double slip = 0.0;
  if (prc_fem_linear_gap(touch, k, q) > PRC_FEM_STAY * touch->chain[1]->longest) return;
  for (int d = 0; d < count; d++) slip += H->x[2 * first + count + d] * q[H->dof[first + d]];
  prc_indicator_worst(&indicator[PRC_INDICATOR_small_sliding],
                      &(prc_indicator){fabs(slip), prc_fem_length_at(touch, touch->of[k]), -1, -1, 0.0});
}

void prc_fem_judge_interfaces(const prc_fem *fem, const prc_at *at, prc_indicator *indicator) {
  for (int i = 0; i < fem->model->n_interfaces; i++)
    for (int k = 0; fem->model->interface[i].small && k < fem->touch[i].n; k++)
      measure_slip(&fem->touch[i], k, at->q, indicator);
}
