#include "config.h"
#include "rigid/internal.h"

#include <math.h>

/* Through each other: two parts that are apart at both ends of a step and were deep in each other on the way between. Gaps at the ends of steps cannot see it, nor what the
 * step did about it: so the way is looked at itself, from pose to pose in a straight line and by the shorter turn, of those pairs alone whose boxes met in the search and
 * which come by a quarter of the thinner one's width in a step. */

#define FAST   0.25 /* of the width of the thinner: what goes less in a step does not come through */
#define DEEP   0.1  /* of that width: who was deeper on the way missed an impact */
#define STRIDE 0.2  /* of that width, between two looks */
enum { LOOKS = 1024 };

static double width_of(const prc_rigid_meeting *m, int a, int b) {
  const double x = m->part[a]->width, y = m->part[b]->width;
  return x > 0.0 && y > 0.0 ? fmin(x, y) : fmax(x, y);
}

prc_status prc_rigid_watch(prc_rigid *rigid, int a, int b, int image, prc_error *err) {
  prc_rigid_meeting *m = &rigid->meeting;
  int swapped;
  if (!(m->drift[a] + m->drift[b] > FAST * width_of(m, a, b))) return PRC_OK;
  if (prc_contact_sets_find(&m->sets, m->body[a], m->body[b], &swapped) < 0) return PRC_OK;
  const prc_status status =
      prc_grow((void *)&m->watched, &m->room_watched, (size_t)m->n_watched + 1, sizeof *m->watched, err);
  if (status == PRC_OK) m->watched[m->n_watched++] = (prc_grid_pair){a, b, image};
  return status;
}

/* At share s of the way between two states of the body of part k. */
static prc_pose pose_on_way(const prc_rigid *rigid, int k, int image, const double *from, const double *to,
                            double s) {
  const int b = rigid->meeting.body[k];
  const double *q = from + 3 * b, *end = to + 3 * b, *period = rigid->model->period;
  return prc_pose_at(q[0] + s * (end[0] - q[0]) + image * period[0],
                     q[1] + s * (end[1] - q[1]) + image * period[1], q[2] + s * (end[2] - q[2]));
}

/* The gap of the pair, minus the depth where they overlap. No room for a touch: as if they were apart. */
static double gap_on_way(prc_rigid *rigid, const prc_grid_pair *pair, const double *from, const double *to,
                         double s) {
  prc_rigid_meeting *m = &rigid->meeting;
  const prc_pose a = pose_on_way(rigid, pair->i, 0, from, to, s),
                 b = pose_on_way(rigid, pair->j, pair->image, from, to, s);
  double gap = INFINITY;
  prc_error none = {0};
  m->way.n = 0;
  if (prc_shape_meet(m->part[pair->i], &a, m->part[pair->j], &b, INFINITY, &m->way, &none) != PRC_OK)
    return gap;
  for (int i = 0; i < m->way.n; i++) gap = fmin(gap, m->way.touch[i].gap);
  return gap;
}

/* How far the one comes against the other, by its centre and by its turning. */
static double way_between(const prc_rigid *rigid, const prc_grid_pair *pair, const double *from,
                          const double *to) {
  const prc_rigid_meeting *m = &rigid->meeting;
  const double *q[2] = {from + 3 * m->body[pair->i], from + 3 * m->body[pair->j]};
  const double *end[2] = {to + 3 * m->body[pair->i], to + 3 * m->body[pair->j]};
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = (end[1][k] - q[1][k]) - (end[0][k] - q[0][k]);
  return hypot(d[0], d[1]) + fabs(end[0][2] - q[0][2]) * m->part[pair->i]->extent
         + fabs(end[1][2] - q[1][2]) * m->part[pair->j]->extent;
}

/* Deepest on the way; 0 where they are not apart at both its ends. */
static double deepest_on_way(prc_rigid *rigid, const prc_grid_pair *pair, const double *from,
                             const double *to, double width, double way) {
  const double apart = -DEEP * width;
  double deepest = 0.0;
  if (!(gap_on_way(rigid, pair, from, to, 0.0) > apart) || !(gap_on_way(rigid, pair, from, to, 1.0) > apart))
    return 0.0;
  const int n = (int)fmin(fmax(ceil(way / (STRIDE * width)), 4.0), LOOKS);
  for (int i = 1; i < n; i++) deepest = fmax(deepest, -gap_on_way(rigid, pair, from, to, (double)i / n));
  return deepest;
}

void prc_rigid_passed(void *owner, const double *q_old, const prc_at *end, prc_indicator *indicator) {
  prc_rigid *rigid = owner;
  const prc_rigid_meeting *m = &rigid->meeting;
  for (int i = 0; i < m->n_watched; i++) {
    const prc_grid_pair *pair = &m->watched[i];
    const double width = width_of(m, pair->i, pair->j), way = way_between(rigid, pair, q_old, end->q);
    if (!(way > FAST * width) || !(width > 0.0)) continue;
    prc_indicator_worst(&indicator[PRC_INDICATOR_overlap],
                        &(prc_indicator){deepest_on_way(rigid, pair, q_old, end->q, width, way), DEEP * width,
                                         m->body[pair->i], m->body[pair->j], 0.0});
  }
}
