#include "config.h"
#include "solid/internal.h"
#include "spatial/internal.h"

#include <math.h>
#include <string.h>

/* As rigid/slid.c, in space. The rim of a cylinder rolls over places that its features do not name: it is not looked at. */

/* [length] What of a part is at x, on a surface of `radius` along n, moves by it. */
static void way_of(const prc_spatial *spatial, const double *q_old, const double *q, int part,
                   const double x[3], const double n[3], double way[3]) {
  const int b = spatial->meeting.body[part], first = spatial->fact[b].first;
  const double radius = spatial->meeting.part[part]->radius;
  double c[3], own[3], then[3], e[3], rolled[3];
  for (int k = 0; k < 3; k++) way[k] = q[first + k] - q_old[first + k];
  if (spatial->fact[b].turn < 0) return;
  const prc_solid_pose old = prc_spatial_pose(spatial, q_old, b), now = prc_spatial_pose(spatial, q, b);
  for (int k = 0; k < 3; k++) c[k] = x[k] - old.x[k] - radius * n[k];
  prc_solid_turn_back(old.R, c, own);
  prc_solid_turn(now.R, own, then);
  for (int k = 0; k < 3; k++) way[k] += then[k] - c[k];
  if (radius == 0.0) return;
  /* the turn as a vector: the sum of the columns' cross products is 2 sin(angle) along its axis, of their products 1 + 2 cos(angle). A free body goes by its Cayley vector,
   * 2 tan(angle / 2): that is what it rolls by */
  double sine[3] = {0.0}, cosine = -0.5;
  for (int k = 0; k < 3; k++) {
    const double from[3] = {old.R[k], old.R[3 + k], old.R[6 + k]},
                 to[3] = {now.R[k], now.R[3 + k], now.R[6 + k]};
    prc_solid_cross(from, to, e);
    cosine += 0.5 * prc_solid_dot(from, to);
    for (int i = 0; i < 3; i++) sine[i] += 0.5 * e[i];
  }
  const double square = prc_solid_dot(sine, sine),
               share = radius
                       * (spatial->model->body[b].driven ? 1.0 + square * (1.0 / 6.0 + 0.075 * square)
                                                         : 2.0 / (1.0 + cosine));
  prc_solid_cross(sine, n, rolled);
  for (int k = 0; k < 3; k++) way[k] += share * rolled[k];
}

void prc_spatial_slid(void *owner, const double *q_old, const double *q, const char *known,
                      const prc_contact_set *set, double *slid) {
  const prc_spatial *spatial = owner;
  for (int c = 0; c < set->n; c++) {
    const double *axes = set->axes + 9 * c, in[3] = {-axes[0], -axes[1], -axes[2]};
    double of_a[3], of_b[3];
    slid[2 * c] = slid[2 * c + 1] = 0.0;
    if (!(known[c] & PRC_CONTACT_STUCK) || PRC_SOLID_KIND(set->id[c].feature_a) == PRC_SOLID_RIM
        || PRC_SOLID_KIND(set->id[c].feature_b) == PRC_SOLID_RIM)
      continue;
    way_of(spatial, q_old, q, (int)set->id[c].a - set->first_surface, set->place + 3 * c, axes, of_a);
    way_of(spatial, q_old, q, (int)set->id[c].b, set->place + 3 * c, in, of_b);
    for (int k = 0; k < 3; k++) of_b[k] -= of_a[k];
    for (int d = 0; d < 2; d++) slid[2 * c + d] = prc_solid_dot(axes + 3 * (d + 1), of_b);
  }
}
