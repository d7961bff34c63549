#include "config.h"
#include "shape/internal.h"

#include <math.h>

/* Parts of a shape covered by flush neighbours. Let a corner be d below the top of a row of blocks and less
 * than d beyond a seam. It is nearer to the next block's side than to its top; but behind that side there is
 * material, and nothing can come out of it. */

#define AGAINST   0.999 /* cosine between faces that cover each other */
#define FLAT      1e-6  /* a corner that turns by less is none */
#define ARC_SLACK 1e-3

static double length_of_edge(const prc_shape *y, int e) {
  const double *from = y->corner + 2 * (size_t)e, *to = y->corner + 2 * (size_t)prc_shape_next(y, e);
  return hypot(to[0] - from[0], to[1] - from[1]);
}

/* How far corner k of z is in front of edge e of y. */
static double in_front(prc_shape_stand z, int k, prc_shape_stand y, int e) {
  double n[2], d[2];
  prc_shape_turn(y.pose, y.shape->normal + 2 * (size_t)e, n);
  prc_shape_between(z, k, y, e, d);
  return prc_shape_dot(n, d);
}

/* The corner of y at one end of the edge, which the neighbour's surface reaches at `at` beyond it. */
static void end_cover(prc_shape_stand z, int next, double at, double flush, int *kind, double normal[2]) {
  *kind = at > flush ? PRC_SHAPE_NO_CORNER : at >= -flush ? PRC_SHAPE_GOES_ON : 0;
  prc_shape_turn(z.pose, z.shape->normal + 2 * (size_t)next, normal);
}

/* Edge j of z runs against edge i of y: it begins where that ends. */
static prc_status add_cover(prc_shape_stand y, int i, prc_shape_stand z, int j, prc_shape_covers *out,
                            prc_error *err) {
  const int end = prc_shape_next(z.shape, j), before = j > 0 ? j - 1 : z.shape->n - 1;
  double high[2], low[2];
  prc_shape_along_edge(z, j, y, i, high);
  prc_shape_along_edge(z, end, y, i, low);
  prc_shape_cover cover = {.edge = i, .from = low[0], .to = high[0]};
  if (!(low[1] < -out->flush) || !(high[0] > out->flush)) return PRC_OK;
  end_cover(z, end, -low[0], out->flush, &cover.end[0], cover.next[0]);
  end_cover(z, before, high[1], out->flush, &cover.end[1], cover.next[1]);
  const prc_status status =
      prc_grow((void *)&out->cover, &out->room, (size_t)out->n + 1, sizeof *out->cover, err);
  if (status == PRC_OK) out->cover[out->n++] = cover;
  return status;
}

prc_status prc_shape_add_covers(const prc_shape *y, const prc_pose *pose_y, const prc_shape *z,
                                const prc_pose *pose_z, prc_shape_covers *out, prc_error *err) {
  const prc_shape_stand on = {y, pose_y}, other = {z, pose_z};
  if (y->kind->row != PRC_SHAPE_HULL || z->kind->row != PRC_SHAPE_HULL || y->n < 2 || z->n < 2
      || y->radius > 0.0 || z->radius > 0.0)
    return PRC_OK;
  for (int i = 0; i < y->n; i++) {
    double n[2];
    prc_shape_turn(pose_y, y->normal + 2 * (size_t)i, n);
    for (int j = 0; j < z->n; j++) {
      double m[2];
      prc_shape_turn(pose_z, z->normal + 2 * (size_t)j, m);
      if (prc_shape_dot(n, m) > -AGAINST || fabs(in_front(other, j, on, i)) > out->flush
          || fabs(in_front(other, prc_shape_next(z, j), on, i)) > out->flush)
        continue;
      const prc_status status = add_cover(on, i, other, j, out, err);
      if (status != PRC_OK) return status;
    }
  }
  return PRC_OK;
}

/* The covers cut one piece after the other from the part of x in front of the edge. */
int prc_shape_edge_is_covered(prc_shape_stand y, const prc_shape_covers *of_y, int e, prc_shape_stand x) {
  double low = INFINITY, high = -INFINITY;
  int any = 0;
  for (int k = 0; of_y && k < of_y->n; k++) any |= of_y->cover[k].edge == e;
  if (!any) return 0;
  for (int k = 0; k < x.shape->n; k++) {
    double along[2];
    prc_shape_along_edge(x, k, y, e, along);
    low = fmin(low, along[0] - x.shape->radius), high = fmax(high, along[0] + x.shape->radius);
  }
  const double length = length_of_edge(y.shape, e);
  low = fmin(fmax(low, 0.0), length), high = fmin(fmax(high, 0.0), length);
  for (int more = 1; more && low < high - of_y->flush;) {
    more = 0;
    for (int k = 0; k < of_y->n; k++) {
      const prc_shape_cover *cover = &of_y->cover[k];
      if (cover->edge != e || cover->from > low + of_y->flush || cover->to <= low) continue;
      low = cover->to, more = 1;
    }
  }
  if (low < high - of_y->flush) return 0;
  for (int k = 0; k < of_y->n; k++) { /* where x has only the end of the edge in front of it */
    const prc_shape_cover *cover = &of_y->cover[k];
    if (cover->edge == e && cover->from <= high + of_y->flush && cover->to >= high - of_y->flush) return 1;
  }
  return 0;
}

/* The arc from the normal of the edge before the corner to that of the edge behind it, each replaced by that of the neighbour that goes on there. */
int prc_shape_corner_has(prc_shape_stand y, const prc_shape_covers *of_y, int c, const double direction[2]) {
  const int edge[2] = {c > 0 ? c - 1 : y.shape->n - 1, c};
  double arc[2][2];
  int touched = 0;
  if (!of_y || of_y->n == 0 || y.shape->n < 2) return 1;
  for (int i = 0; i < 2; i++) prc_shape_turn(y.pose, y.shape->normal + 2 * (size_t)edge[i], arc[i]);
  for (int k = 0; k < of_y->n; k++)
    for (int i = 0; i < 2; i++) {
      const prc_shape_cover *cover = &of_y->cover[k];
      if (cover->edge != edge[i] || !cover->end[1 - i]) continue;
      if (cover->end[1 - i] == PRC_SHAPE_NO_CORNER) return 0;
      arc[i][0] = cover->next[1 - i][0], arc[i][1] = cover->next[1 - i][1];
      touched = 1;
    }
  if (!touched) return 1;
  const double *from = arc[0], *to = arc[1];
  if (from[0] * to[1] - from[1] * to[0] <= FLAT) return 0;
  return from[0] * direction[1] - from[1] * direction[0] >= -ARC_SLACK
         && direction[0] * to[1] - direction[1] * to[0] >= -ARC_SLACK;
}

/* ---- what goes on ---------------------------------------------------------------------------------------- */

#define ALONG 0.9987 /* cos(0.05) */

/* Of a polygon: where p is on an edge that looks along n, its height over p counts for nothing. */
static int polygon_goes_on(const prc_shape *x, const double p[2], const double n[2], double flush,
                           int normals) {
  double along = 0.0, front = 0.0, ray = INFINITY, most = -INFINITY;
  for (int e = 0; e < x->n; e++) {
    const double *m = x->normal + 2 * (size_t)e, *from = x->corner + 2 * (size_t)e;
    const double d[2] = {p[0] - from[0], p[1] - from[1]};
    const double s = prc_shape_dot(m, d) - x->radius, c = prc_shape_dot(m, n);
    if (s > flush) return 0;
    if (c > 0.0) ray = fmin(ray, (flush - s) / c);
    if (c > along) along = c, front = s;
    most = fmax(most, x->radius - prc_shape_dot(n, d));
  }
  if (normals == PRC_SHAPE_MANY_NORMALS && along > ALONG && fabs(front) <= flush)
    return most + along * front > PRC_SHAPE_SAME * x->length;
  return most > 2.0 * flush && (normals != PRC_SHAPE_ONE_NORMAL || ray > 2.0 * flush);
}

/* Of a segment or a capsule, by its core: what of it is beyond the foot of p along n. */
static int core_goes_on(const prc_shape *x, const double p[2], const double n[2], double flush, int normals) {
  const double t[2] = {-x->normal[1], x->normal[0]}, r = x->radius;
  const double d[2] = {p[0] - x->corner[0], p[1] - x->corner[1]}, slope = prc_shape_dot(n, t);
  const double length = hypot(x->corner[2] - x->corner[0], x->corner[3] - x->corner[1]);
  const double s = fmin(fmax(prc_shape_dot(d, t), 0.0), length);
  const double foot[2] = {d[0] - s * t[0], d[1] - s * t[1]};
  double out[2];
  const double far = prc_shape_distance(foot, out), c = prc_shape_dot(out, n);
  const double beyond = slope > 0.0 ? slope * (length - s) : -slope * s;
  if (far > r + flush) return 0;
  if (normals == PRC_SHAPE_MANY_NORMALS) return beyond > PRC_SHAPE_SAME * length;
  if (normals == PRC_SHAPE_ONE_NORMAL && (!(r > 0.0) || (c > 0.0 && r + flush - far <= 2.0 * flush * c)))
    return 0;
  return beyond + r - far * c > 2.0 * flush;
}

int prc_shape_goes_on(const prc_shape *x, const prc_pose *pose, const double p[2], const double n[2],
                      double flush, int normals) {
  const double d[2] = {p[0] - pose->x[0], p[1] - pose->x[1]};
  const double own[2] = {pose->c * d[0] + pose->s * d[1], pose->c * d[1] - pose->s * d[0]};
  const double way[2] = {pose->c * n[0] + pose->s * n[1], pose->c * n[1] - pose->s * n[0]};
  if (x->kind->row != PRC_SHAPE_HULL || x->n < 2) return 0;
  return x->n == 2 ? core_goes_on(x, own, way, flush, normals) : polygon_goes_on(x, own, way, flush, normals);
}

double prc_shape_outside(const prc_shape *x, const prc_pose *pose, const double p[2]) {
  const double d[2] = {p[0] - pose->x[0], p[1] - pose->x[1]};
  const double own[2] = {pose->c * d[0] + pose->s * d[1], pose->c * d[1] - pose->s * d[0]};
  double most = -INFINITY;
  for (int e = 0; e < x->n; e++) {
    const double *from = x->corner + 2 * (size_t)e;
    const double r[2] = {own[0] - from[0], own[1] - from[1]};
    most = fmax(most, prc_shape_dot(x->normal + 2 * (size_t)e, r) - x->radius);
  }
  return most;
}
