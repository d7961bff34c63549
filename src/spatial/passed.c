#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"

#include <math.h>
#include <string.h>

/* Through each other: two parts that are apart at both ends of a step and were deep in each other on the way between, as in the plane (rigid/passed.c). The way is a straight line, and by the
 * shorter turn. */

#define FAST   0.25 /* of the width of the thinner: what goes less in a step does not come through */
#define DEEP   0.1  /* of that width: who was deeper on the way missed an impact */
#define STRIDE 0.2  /* of that width, between two looks */
enum { LOOKS = 1024 };

static double width_of(const prc_spatial_meeting *m, int a, int b) {
  const double x = m->part[a]->width, y = m->part[b]->width;
  return x > 0.0 && y > 0.0 ? fmin(x, y) : fmax(x, y);
}

prc_status prc_spatial_watch(prc_spatial *spatial, int a, int b, prc_error *err) {
  prc_spatial_meeting *m = &spatial->meeting;
  int swapped;
  if (!(m->drift[a] + m->drift[b] > FAST * width_of(m, a, b))) return PRC_OK;
  if (prc_contact_sets_find(&m->sets, m->body[a], m->body[b], &swapped) < 0) return PRC_OK;
  const prc_status status =
      prc_grow((void *)&m->watched, &m->room_watched, (size_t)m->n_watched + 1, sizeof *m->watched, err);
  if (status != PRC_OK) return status;
  m->watched[m->n_watched++] = (prc_grid_pair){a, b, 0};
  return prc_solid_make_room(m->part[a], m->part[b], &m->way, err);
}

/* Coordinates of body b at share s of the way, into m->q_way; quaternions by the mean of both, of length one. */
static void go(prc_spatial *spatial, int b, const double *from, const double *to, double s) {
  const prc_spatial_facts *fact = &spatial->fact[b];
  double *q = spatial->meeting.q_way;
  for (int k = 0; k < 3; k++) {
    const int i = fact->first + k;
    q[i] = from[i] + s * (to[i] - from[i]);
  }
  if (fact->turn < 0) return;
  double old[4], new[4], now[4], dot = 0.0;
  prc_spatial_orientation(spatial, from, b, old);
  prc_spatial_orientation(spatial, to, b, new);
  for (int k = 0; k < 4; k++) dot += old[k] * new[k];
  for (int k = 0; k < 4; k++) now[k] = (1.0 - s) * old[k] + (dot < 0.0 ? -s : s) * new[k];
  prc_quaternion_normalize(now);
  for (int k = 0; k < 3; k++) q[fact->first + 3 + k] = now[1 + k];
  q[spatial->nv + fact->turn] = now[0];
}

/* The gap of the pair on the way, minus the depth where they overlap. No room for a touch: as if they were apart. */
static double gap_on_way(prc_spatial *spatial, const prc_grid_pair *pair, const double *from,
                         const double *to, double s) {
  prc_spatial_meeting *m = &spatial->meeting;
  const int a = m->body[pair->i], b = m->body[pair->j];
  prc_error none = {0};
  double gap = INFINITY;
  go(spatial, a, from, to, s), go(spatial, b, from, to, s);
  const prc_solid_pose pose_a = prc_spatial_pose(spatial, m->q_way, a),
                       pose_b = prc_spatial_pose(spatial, m->q_way, b);
  m->way.n = 0;
  if (prc_solid_meet(m->part[pair->i], &pose_a, m->part[pair->j], &pose_b, 0.0, &m->way, &none) != PRC_OK)
    return gap;
  for (int i = 0; i < m->way.n; i++) gap = fmin(gap, m->way.touch[i].gap);
  return gap;
}

/* The angle that body b turns by from q to q_end. */
static double angle_between(const prc_spatial *spatial, int b, const double *q, const double *q_end) {
  double from[4], to[4], dot = 0.0;
  if (spatial->fact[b].turn < 0) return 0.0;
  prc_spatial_orientation(spatial, q, b, from);
  prc_spatial_orientation(spatial, q_end, b, to);
  for (int k = 0; k < 4; k++) dot += from[k] * to[k];
  return 2.0 * acos(fmin(fabs(dot), 1.0));
}

/* How far the one comes against the other, by its centre and by its turning. */
static double way_between(const prc_spatial *spatial, const prc_grid_pair *pair, const double *from,
                          const double *to) {
  const prc_spatial_meeting *m = &spatial->meeting;
  const int a = m->body[pair->i], b = m->body[pair->j];
  double d[3];
  for (int k = 0; k < 3; k++) {
    const int i = spatial->fact[a].first + k, j = spatial->fact[b].first + k;
    d[k] = (to[j] - from[j]) - (to[i] - from[i]);
  }
  return sqrt(prc_solid_dot(d, d)) + angle_between(spatial, a, from, to) * m->part[pair->i]->extent
         + angle_between(spatial, b, from, to) * m->part[pair->j]->extent;
}

/* Deepest on the way; 0 where they are not apart at both its ends. */
static double deepest_on_way(prc_spatial *spatial, const prc_grid_pair *pair, const double *from,
                             const double *to, double width, double way) {
  const double apart = -DEEP * width;
  double deepest = 0.0;
  if (!(gap_on_way(spatial, pair, from, to, 0.0) > apart)
      || !(gap_on_way(spatial, pair, from, to, 1.0) > apart))
    return 0.0;
  const int n = (int)fmin(fmax(ceil(way / (STRIDE * width)), 4.0), LOOKS);
  for (int i = 1; i < n; i++) deepest = fmax(deepest, -gap_on_way(spatial, pair, from, to, (double)i / n));
  return deepest;
}

void prc_spatial_passed(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator) {
  prc_spatial *spatial = owner;
  prc_spatial_meeting *m = &spatial->meeting;
  for (int i = 0; i < m->n_watched; i++) {
    const prc_grid_pair *pair = &m->watched[i];
    const double width = width_of(m, pair->i, pair->j), way = way_between(spatial, pair, q_old, end->q);
    if (!(way > FAST * width) || !(width > 0.0)) continue;
    prc_indicator_worst(&indicator[PRC_INDICATOR_overlap],
                        &(prc_indicator){deepest_on_way(spatial, pair, q_old, end->q, width, way),
                                         DEEP * width, m->body[pair->i], m->body[pair->j], 0.0});
  }
}
