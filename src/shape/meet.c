#include "config.h"
#include "shape/internal.h"

#include <math.h>

/* The table of pairs: who meets whom and how, by the kinds of the two. */
typedef struct {
  prc_status (*meet)(prc_shape_stand a, prc_shape_stand b, double reach, prc_shape_touches *out,
                     prc_error *err);
  prc_shape_touch (*follow)(prc_shape_stand a, prc_shape_stand b, const prc_shape_touch *touch);
} pair;

static prc_status add(const prc_shape_touch *touch, prc_shape_touches *out, prc_error *err) {
  const prc_status status =
      prc_grow((void *)&out->touch, &out->room, (size_t)out->n + 1, sizeof *out->touch, err);
  if (status == PRC_OK) out->touch[out->n++] = *touch;
  return status;
}

/* ---- hull and hull ------------------------------------------------------------------------------------- */

static prc_status meet_hulls(prc_shape_stand a, prc_shape_stand b, const prc_shape_hidden *hidden,
                             double reach, prc_shape_touches *out, prc_error *err) {
  prc_shape_touch touch[2];
  const int n = prc_shape_hulls(a, b, hidden, reach, touch);
  prc_status status = PRC_OK;
  for (int k = 0; k < n && status == PRC_OK; k++) status = add(&touch[k], out, err);
  return status;
}
static prc_status hulls_meet(prc_shape_stand a, prc_shape_stand b, double reach, prc_shape_touches *out,
                             prc_error *err) {
  return meet_hulls(a, b, NULL, reach, out, err);
}

prc_status prc_shape_meet_covered(const prc_shape *a, const prc_pose *pose_a, const prc_shape_covers *of_a,
                                  const prc_shape *b, const prc_pose *pose_b, const prc_shape_covers *of_b,
                                  double reach, prc_shape_touches *out, prc_error *err) {
  const prc_shape_hidden hidden = {{of_a, of_b}};
  return meet_hulls((prc_shape_stand){a, pose_a}, (prc_shape_stand){b, pose_b}, &hidden, reach, out, err);
}

static prc_shape_touch hulls_follow(prc_shape_stand a, prc_shape_stand b, const prc_shape_touch *touch) {
  const int i = touch->feature_a & ~PRC_SHAPE_EDGE, j = touch->feature_b & ~PRC_SHAPE_EDGE;
  if (touch->feature_a & PRC_SHAPE_EDGE) return prc_shape_corner_edge(b, j, a, i);
  if (!(touch->feature_b & PRC_SHAPE_EDGE)) return prc_shape_corner_corner(a, i, b, j);
  const prc_shape_touch there = prc_shape_corner_edge(a, i, b, j);
  return prc_shape_turned_round(&there);
}

/* ---- half-planes and holes: every corner for itself ---------------------------------------------------- */

static prc_shape_touch half_plane_corner(prc_shape_stand a, prc_shape_stand b, int j) {
  prc_shape_touch touch = prc_shape_corner_edge(b, j, a, 0);
  touch.feature_a = 0;
  return touch;
}

/* The gap at the corner that is the nearest possible, on a circle around the origin of the hull's axes; a little less. */
static double least_gap(prc_shape_stand a, prc_shape_stand b) {
  const prc_shape *shape = a.shape, *hull = b.shape;
  double arm[2], d[2], n[2];
  prc_shape_turn(a.pose, shape->corner, arm);
  for (int k = 0; k < 2; k++) d[k] = (b.pose->x[k] - a.pose->x[k]) - arm[k];
  const double far = prc_shape_distance(d, n), rounding = 1e-12 * (far + hull->extent + shape->radius);
  if (shape->kind->row == PRC_SHAPE_HOLE) return shape->radius - far - hull->extent - rounding;
  prc_shape_turn(a.pose, shape->normal, n);
  return prc_shape_dot(n, d) - hull->extent - rounding;
}

static prc_status every_corner(prc_shape_stand a, prc_shape_stand b, double reach,
                               prc_shape_touch (*corner)(prc_shape_stand a, prc_shape_stand b, int j),
                               prc_shape_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  if (least_gap(a, b) > reach) return PRC_OK;
  for (int j = 0; j < b.shape->n && status == PRC_OK; j++) {
    const prc_shape_touch touch = corner(a, b, j);
    if (touch.gap <= reach) status = add(&touch, out, err);
  }
  return status;
}

static prc_status half_plane_meets(prc_shape_stand a, prc_shape_stand b, double reach, prc_shape_touches *out,
                                   prc_error *err) {
  return every_corner(a, b, reach, half_plane_corner, out, err);
}
static prc_shape_touch half_plane_follow(prc_shape_stand a, prc_shape_stand b, const prc_shape_touch *touch) {
  return half_plane_corner(a, b, touch->feature_b);
}
static prc_status hole_meets(prc_shape_stand a, prc_shape_stand b, double reach, prc_shape_touches *out,
                             prc_error *err) {
  return every_corner(a, b, reach, prc_shape_hole_corner, out, err);
}
static prc_shape_touch hole_follow(prc_shape_stand a, prc_shape_stand b, const prc_shape_touch *touch) {
  return prc_shape_hole_corner(a, b, touch->feature_b);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* Row: the kind of the first; column: of the second. What is missing is a pair the other way round, or none: what has no end meets hulls
 * alone. */
static const pair table[PRC_SHAPE_KINDS][PRC_SHAPE_KINDS] = {
    [PRC_SHAPE_HULL] = {[PRC_SHAPE_HULL] = {hulls_meet, hulls_follow}},
    [PRC_SHAPE_HALF_PLANE] = {[PRC_SHAPE_HULL] = {half_plane_meets, half_plane_follow}},
    [PRC_SHAPE_HOLE] = {[PRC_SHAPE_HULL] = {hole_meets, hole_follow}},
};

prc_status prc_shape_meet(const prc_shape *a, const prc_pose *pose_a, const prc_shape *b,
                          const prc_pose *pose_b, double reach, prc_shape_touches *out, prc_error *err) {
  const prc_shape_stand x = {a, pose_a}, y = {b, pose_b};
  const pair *as_is = &table[a->kind->row][b->kind->row], *round = &table[b->kind->row][a->kind->row];
  const int before = out->n;
  if (as_is->meet) return as_is->meet(x, y, reach, out, err);
  if (!round->meet) return PRC_OK;
  const prc_status status = round->meet(y, x, reach, out, err);
  for (int k = before; k < out->n; k++) out->touch[k] = prc_shape_turned_round(&out->touch[k]);
  return status;
}

void prc_shape_follow(const prc_shape *a, const prc_pose *pose_a, const prc_shape *b, const prc_pose *pose_b,
                      prc_shape_touch *touch) {
  const prc_shape_stand x = {a, pose_a}, y = {b, pose_b};
  const pair *as_is = &table[a->kind->row][b->kind->row], *round = &table[b->kind->row][a->kind->row];
  if (as_is->follow) {
    *touch = as_is->follow(x, y, touch);
  } else if (round->follow) {
    const prc_shape_touch other = prc_shape_turned_round(touch), followed = round->follow(y, x, &other);
    *touch = prc_shape_turned_round(&followed);
  }
}
