#include "config.h"
#include "shape/internal.h"

#include <math.h>

/* Two hulls. Their cores, the hulls of the corners without the radii, are apart by the largest separation over the edges of both,
 *   s(e) = min over the corners v of the other of (v - y_e) . n_e,
 * or overlap by less than nothing of it; only where two corners are nearest to each other the distance is more. For the difference
 * {y - x} of the two, a polygon with the edges of both, s(e) is the distance of the origin from the line of an edge: the line that is
 * farthest out is that of the nearest edge, or of one of the two that meet in the nearest corner. */

/* Where neighbours cover faces (covers.c), those are no candidates. Nothing else is to be said of them: whether the two are near each other at all is judged by every
 * face, covered or not. */

/* An edge of one and the corner of the other that is least along its normal. */
typedef struct {
  prc_shape_stand on, other;
  int edge, corner;
  double separation;
} face;

/* ---- separation ---------------------------------------------------------------------------------------- */

/* The other as seen from the axes of the one: their origin, and directions of the one in axes of the other (c, s of the angle). */
typedef struct {
  double origin[2], c, s;
} relative;
static relative see(const prc_pose *one, const prc_pose *other) {
  const double d[2] = {other->x[0] - one->x[0], other->x[1] - one->x[1]};
  return (relative){{one->c * d[0] + one->s * d[1], one->c * d[1] - one->s * d[0]},
                    one->c * other->c + one->s * other->s,
                    one->s * other->c - one->c * other->s};
}

static int least_along(const prc_shape *shape, const double n[2]) {
  double least = INFINITY;
  int at = 0;
  for (int k = 0; k < shape->n; k++) {
    const double along = prc_shape_dot(n, shape->corner + 2 * (size_t)k);
    if (along < least) least = along, at = k;
  }
  return at;
}

/* The edge that faces the other's origin most: where that is apart, its separation mostly says so. */
static int edge_towards(const prc_shape *shape, const double d[2]) {
  double most = -INFINITY;
  int at = 0;
  for (int k = 0; k < shape->n; k++) {
    const double along = prc_shape_dot(d, shape->normal + 2 * (size_t)k);
    if (along > most) most = along, at = k;
  }
  return at;
}

/* Of the two edges at the other's corner the one that is most against edge e; within 1e-9 the lower number. */
static int edge_against(prc_shape_stand on, int e, prc_shape_stand other, int corner) {
  const prc_shape *x = on.shape, *y = other.shape;
  const relative seen = see(on.pose, other.pose);
  const double *n = x->normal + 2 * (size_t)e;
  const double m[2] = {seen.c * n[0] - seen.s * n[1], seen.s * n[0] + seen.c * n[1]};
  const int after = corner, before = after > 0 ? after - 1 : y->n - 1;
  const double a = prc_shape_dot(m, y->normal + 2 * (size_t)after);
  const double b = prc_shape_dot(m, y->normal + 2 * (size_t)before);
  if (fabs(a - b) > PRC_SHAPE_SAME) return a < b ? after : before;
  return after < before ? after : before;
}

#define FACING 0.9987 /* cos(0.05) */

/* Edge e of `on` is covered, or what it meets of the other: the edge there that it faces, or the corner, which may have no such normal. */
static int is_hidden(prc_shape_stand on, prc_shape_stand other, const prc_shape_hidden *hidden, int e,
                     int corner) {
  double n[2], m[2];
  if (hidden->of[0] && prc_shape_edge_is_covered(on, hidden->of[0], e, other)) return 1;
  if (!hidden->of[1] || other.shape->n < 2) return 0;
  const int against = edge_against(on, e, other, corner);
  prc_shape_turn(on.pose, on.shape->normal + 2 * (size_t)e, n);
  prc_shape_turn(other.pose, other.shape->normal + 2 * (size_t)against, m);
  if (prc_shape_dot(n, m) < -FACING) return prc_shape_edge_is_covered(other, hidden->of[1], against, on);
  return !prc_shape_corner_has(other, hidden->of[1], corner, (double[2]){-n[0], -n[1]});
}

/* The edges in turn, and the corner of the other that is least along the normal goes round with them: on over the edges that descend,
 * which their normals tell without loss of digits, t . n = n_y . (-m_y, m_x). In all n + m, and not n m. *most has the largest separation
 * of all; *chosen the lowest number of those that are within `same` of it. 0: one of them is above `limit`. */
static int separate(prc_shape_stand on, prc_shape_stand other, const prc_shape_hidden *hidden, double same,
                    double limit, face *most, face *chosen) {
  const prc_shape *x = on.shape, *y = other.shape;
  const relative seen = see(on.pose, other.pose);
  const int first = edge_towards(x, seen.origin);
  int corner = -1, e = first;
  *most = *chosen = (face){on, other, -1, 0, -INFINITY};
  for (int count = 0; count < x->n; count++, e = prc_shape_next(x, e)) {
    const double *n = x->normal + 2 * (size_t)e;
    const double m[2] = {seen.c * n[0] - seen.s * n[1], seen.s * n[0] + seen.c * n[1]};
    if (corner < 0) corner = least_along(y, m);
    for (int k = 1; k < y->n; k++) {
      const double *beyond = y->normal + 2 * (size_t)corner;
      if (m[1] * beyond[0] - m[0] * beyond[1] > 0.0) break;
      corner = prc_shape_next(y, corner);
    }
    const double *from = x->corner + 2 * (size_t)e;
    const double d[2] = {seen.origin[0] - from[0], seen.origin[1] - from[1]};
    const double s = prc_shape_dot(n, d) + prc_shape_dot(m, y->corner + 2 * (size_t)corner);
    if (s > limit) return 0;
    if (hidden && is_hidden(on, other, hidden, e, corner)) continue;
    if (s > most->separation || (s == most->separation && e < most->edge))
      *most = (face){on, other, e, corner, s};
    if (s > chosen->separation + same || (s >= chosen->separation - same && e < chosen->edge))
      *chosen = (face){on, other, e, corner, s};
  }
  return 1;
}

/* Of two edges that separate alike: the lower number; of equal numbers one by the numbers that make it, so that it does not matter which
 * of the two is called the first. Of equal shapes the first. */
static int is_before(const face *a, const face *b) {
  const prc_shape *x = a->on.shape, *y = b->on.shape;
  if (a->edge != b->edge) return a->edge < b->edge;
  if (x->n != y->n) return x->n < y->n;
  if (x->radius != y->radius) return x->radius < y->radius;
  for (int k = 0; k < 2 * x->n; k++)
    if (x->corner[k] != y->corner[k]) return x->corner[k] < y->corner[k];
  return 1;
}
static const face *reference_of(const face *a, const face *b, double same) {
  if (a->edge < 0 || b->edge < 0) return a->edge < 0 ? b : a;
  if (fabs(a->separation - b->separation) > same) return a->separation > b->separation ? a : b;
  return is_before(a, b) ? a : b;
}

/* ---- a corner alone ------------------------------------------------------------------------------------ */

void prc_shape_along_edge(prc_shape_stand x, int corner, prc_shape_stand y, int e, double out[2]) {
  double n[2], d[2];
  prc_shape_turn(y.pose, y.shape->normal + 2 * (size_t)e, n);
  const double t[2] = {-n[1], n[0]};
  prc_shape_between(x, corner, y, e, d);
  out[0] = prc_shape_dot(t, d);
  prc_shape_between(x, corner, y, prc_shape_next(y.shape, e), d);
  out[1] = prc_shape_dot(t, d);
}

/* Have both corners, of f->on and of the other, the normals along which they would touch? */
static int corners_have(const face *f, const prc_shape_hidden *hidden, int i, int j) {
  double d[2], n[2];
  if (!hidden) return 1;
  prc_shape_between(f->other, j, f->on, i, d);
  (void)prc_shape_distance(d, n);
  return prc_shape_corner_has(f->on, hidden->of[0], i, n)
         && prc_shape_corner_has(f->other, hidden->of[1], j, (double[2]){-n[0], -n[1]});
}

static double flush_of(const prc_shape_hidden *hidden) {
  double flush = 0.0;
  for (int i = 0; i < 2; i++)
    if (hidden && hidden->of[i]) flush = fmax(flush, hidden->of[i]->flush);
  return flush;
}

/* One corner against a hull of edges: beyond an end of the edge it is the corner there that is nearest. Inside it never is; a segment has
 * no inside. A distance of nothing has no direction: there it is the edge. Returns how many: none where the corner there is covered, whose neighbour has the touch. */
static int single_corner(const face *f, const prc_shape_hidden *hidden, double same, prc_shape_touch *touch) {
  double along[2], d[2], direction[2];
  const prc_shape_stand x = f->other, y = f->on;
  const double slack = y.shape->n == 2 ? same : 0.0; /* over the end of a segment: over its side */
  prc_shape_along_edge(x, 0, y, f->edge, along);
  if ((along[0] < -slack || along[1] > slack) && (f->separation > 0.0 || y.shape->n == 2)) {
    const int k = along[0] < 0.0 ? f->edge : prc_shape_next(y.shape, f->edge);
    prc_shape_between(x, 0, y, k, d);
    if (prc_shape_distance(d, direction) > same) {
      *touch = prc_shape_corner_corner(y, k, x, 0);
      if (corners_have(f, hidden, k, 0)) return 1;
      if (fmax(-along[0], along[1]) > flush_of(hidden)) return 0; /* else over the seam: over both */
    }
  }
  *touch = prc_shape_corner_edge(x, 0, y, f->edge);
  return 1;
}

/* ---- edges --------------------------------------------------------------------------------------------- */

static int incident_edge(const face *f) {
  return edge_against(f->on, f->edge, f->other, f->corner);
}

/* A corner of x that is nearer to a point between the ends of edge e of y than `distance`. */
static int faces_edge(prc_shape_stand x, int corner, prc_shape_stand y, int e, double distance, double same) {
  double along[2];
  prc_shape_along_edge(x, corner, y, e, along);
  if (along[0] < -same || along[1] > same) return 0;
  const double core = x.shape->radius + y.shape->radius;
  return prc_shape_corner_edge(x, corner, y, e).gap + core <= distance + same;
}

/* Whether two corners are nearest to each other, (on, *i) and (other, *j), of all points of the two edges. Only where the corner that is
 * least is beyond an end. */
static int corners_are_nearest(const face *f, int incident, double same, int *i, int *j) {
  const int end[2] = {f->edge, prc_shape_next(f->on.shape, f->edge)};
  const int tip[2] = {incident, prc_shape_next(f->other.shape, incident)};
  double along[2], least = INFINITY, d[2], direction[2];
  prc_shape_along_edge(f->other, f->corner, f->on, f->edge, along);
  if (along[0] >= -same && along[1] <= same) return 0;
  for (int k = 0; k < 4; k++) {
    prc_shape_between(f->other, tip[k / 2], f->on, end[k % 2], d);
    const double distance = prc_shape_distance(d, direction);
    if (distance < least) least = distance, *i = end[k % 2], *j = tip[k / 2];
  }
  if (!(least > same)) return 0;
  for (int k = 0; k < 2; k++)
    if (faces_edge(f->other, tip[k], f->on, f->edge, least, same)
        || faces_edge(f->on, end[k], f->other, incident, least, same))
      return 0;
  return 1;
}

/* Whether the edges are apart, face each other and have one end in common and no more, seen across: (on, *i) and (other, *j). What is there slides past,
 * as on a floor of tiles: against the edge it would be a step of no height. */
static int ends_pass(const face *f, int incident, double same, int *i, int *j) {
  const int end[2] = {f->edge, prc_shape_next(f->on.shape, f->edge)};
  const int tip[2] = {prc_shape_next(f->other.shape, incident), incident}; /* in the direction of the edge */
  double n[2], m[2], low[2], high[2], d[2], direction[2];
  if (!(f->separation > same)) return 0;
  prc_shape_turn(f->on.pose, f->on.shape->normal + 2 * (size_t)f->edge, n);
  prc_shape_turn(f->other.pose, f->other.shape->normal + 2 * (size_t)incident, m);
  if (prc_shape_dot(n, m) > -FACING) return 0;
  prc_shape_along_edge(f->other, tip[0], f->on, f->edge, low);
  prc_shape_along_edge(f->other, tip[1], f->on, f->edge, high);
  const int k = fabs(high[0]) <= same ? 0 : fabs(low[1]) <= same ? 1 : -1;
  if (k < 0) return 0;
  *i = end[k], *j = tip[1 - k];
  prc_shape_between(f->other, *j, f->on, *i, d);
  return prc_shape_distance(d, direction) > same;
}

/* The two ends of what the edges have in common along the first: each is a corner, of the other against the edge, or of the edge against
 * the other's. Two corners at one end within `same`: the other's. An end that is beyond the other's edge when seen along that one is
 * none: the corner there has it. Their number; -1: they have nothing in common. */
static int ends_of_overlap(const face *f, int incident, double same, prc_shape_touch touch[2]) {
  const int tip[2] = {prc_shape_next(f->other.shape, incident), incident}; /* in the direction of the edge */
  const int end[2] = {f->edge, prc_shape_next(f->on.shape, f->edge)};
  double low[2], high[2], along[2];
  int n = 0;
  prc_shape_along_edge(f->other, tip[0], f->on, f->edge, low);
  prc_shape_along_edge(f->other, tip[1], f->on, f->edge, high);
  if (low[1] > same || high[0] < -same) return -1;
  const int theirs[2] = {low[0] >= -same, high[1] <= same};
  for (int k = 0; k < 2; k++) {
    if (theirs[k]) {
      touch[n++] = prc_shape_corner_edge(f->other, tip[k], f->on, f->edge);
      continue;
    }
    prc_shape_along_edge(f->on, end[k], f->other, incident, along);
    if (along[0] < -same || along[1] > same) continue;
    const prc_shape_touch there = prc_shape_corner_edge(f->on, end[k], f->other, incident);
    touch[n++] = prc_shape_turned_round(&there);
  }
  const double width = (theirs[1] ? high[0] : high[0] - high[1]) - (theirs[0] ? low[0] : 0.0);
  if (n == 2 && width <= same) { /* one place: the deeper one, or the other's */
    const int second = fabs(touch[1].gap - touch[0].gap) > same ? touch[1].gap < touch[0].gap : !theirs[0];
    touch[0] = touch[second], n = 1;
  }
  return n;
}

/* Two hulls with edges: touches of chosen->on and chosen->other, unless its edges have nothing in common; then of most. hidden: of most->on and
 * most->other; edges that are left over then and have nothing in common touch nowhere. */
static int two_edges(const face *most, const face *chosen, const prc_shape_hidden *hidden, double same,
                     const face **used, prc_shape_touch touch[2]) {
  int i = 0, j = 0, n;
  const int incident = incident_edge(most);
  *used = most;
  if ((corners_are_nearest(most, incident, same, &i, &j) || ends_pass(most, incident, same, &i, &j))
      && corners_have(most, hidden, i, j)) {
    touch[0] = prc_shape_corner_corner(most->on, i, most->other, j);
    return 1;
  }
  n = ends_of_overlap(chosen, incident_edge(chosen), same, touch);
  if (n > 0) *used = chosen;
  if (n <= 0) n = ends_of_overlap(most, incident, same, touch);
  if (n <= 0 && hidden) return 0;
  if (n <= 0) touch[0] = prc_shape_corner_edge(most->other, most->corner, most->on, most->edge), n = 1;
  return n;
}

/* ---- hulls --------------------------------------------------------------------------------------------- */

static double pair_length(const prc_shape *a, const prc_shape *b) {
  if (a->length > 0.0 && b->length > 0.0) return fmin(a->length, b->length);
  return fmax(a->length, b->length);
}

/* The circles around the origins of the axes, with room for their rounding. */
static int circles_separated(prc_shape_stand a, prc_shape_stand b, double reach) {
  const double d[2] = {b.pose->x[0] - a.pose->x[0], b.pose->x[1] - a.pose->x[1]};
  const double near = (a.shape->extent + b.shape->extent) * (1.0 + 1e-12) + reach;
  return near > 0.0 && prc_shape_dot(d, d) > near * near * (1.0 + 1e-12);
}

int prc_shape_hulls(prc_shape_stand a, prc_shape_stand b, const prc_shape_hidden *hidden, double reach,
                    prc_shape_touch touch[2]) {
  const prc_shape_hidden round = {{hidden ? hidden->of[1] : NULL, hidden ? hidden->of[0] : NULL}};
  const prc_shape_hidden *const of[2] = {hidden, hidden ? &round : NULL};
  const double same = PRC_SHAPE_SAME * pair_length(a.shape, b.shape);
  const double limit = reach + (a.shape->radius + b.shape->radius);
  face most[2] = {{a, b, -1, 0, -INFINITY}, {b, a, -1, 0, -INFINITY}}, chosen[2] = {most[0], most[1]};
  const face *used;
  int n = 1, kept = 0;
  if (circles_separated(a, b, reach)) return 0;
  if (a.shape->n == 1 && b.shape->n == 1) {
    touch[0] = prc_shape_corner_corner(a, 0, b, 0);
    return touch[0].gap <= reach;
  }
  if (a.shape->n > 1 && !separate(a, b, of[0], same, limit, &most[0], &chosen[0])) return 0;
  if (b.shape->n > 1 && !separate(b, a, of[1], same, limit, &most[1], &chosen[1])) return 0;
  const face *farthest = reference_of(&most[0], &most[1], 0.0);
  const face *reference = reference_of(&chosen[0], &chosen[1], same);
  if (farthest->edge < 0) return 0; /* of poses that are not numbers; or all is covered */
  const prc_shape_hidden *seen = of[farthest == &most[1]];
  if (a.shape->n == 1 || b.shape->n == 1) {
    n = single_corner(farthest, seen, same, touch);
    used = farthest;
  } else {
    n = two_edges(farthest, reference, seen, same, &used, touch);
  }
  for (int k = 0; k < n; k++) {
    if (!(touch[k].gap <= reach)) continue;
    const int from_a = used == &most[0] || used == &chosen[0];
    touch[kept++] = from_a ? touch[k] : prc_shape_turned_round(&touch[k]);
  }
  return kept;
}

int prc_shape_meet_again(const prc_shape *x, const prc_pose *pose_x, const prc_shape_covers *of_x,
                         const prc_shape *y, const prc_pose *pose_y, const prc_shape_covers *of_y,
                         const double n[2], double depth, double flush, double reach,
                         prc_shape_touch touch[2], int *count) {
  face f = {.on = {y, pose_y}, .other = {x, pose_x}, .edge = -1};
  double m[2], own[2], d[2], along = FACING;
  if (x->n < 2 || y->n < 2) return 0;
  for (int e = 0; e < y->n; e++) {
    prc_shape_turn(pose_y, y->normal + 2 * (size_t)e, m);
    if (prc_shape_dot(m, n) > along) along = prc_shape_dot(m, n), f.edge = e;
  }
  if (f.edge < 0 || prc_shape_edge_is_covered(f.on, of_y, f.edge, f.other)) return 0;
  prc_shape_turn(pose_y, y->normal + 2 * (size_t)f.edge, m);
  own[0] = pose_x->c * m[0] + pose_x->s * m[1], own[1] = pose_x->c * m[1] - pose_x->s * m[0];
  f.corner = least_along(x, own);
  prc_shape_between(f.other, f.corner, f.on, f.edge, d);
  f.separation = prc_shape_dot(m, d);
  if (f.separation - x->radius - y->radius < -(depth + flush)) return 0;
  const int incident = incident_edge(&f);
  if (prc_shape_edge_is_covered(f.other, of_x, incident, f.on)) return 0;
  const int found = ends_of_overlap(&f, incident, PRC_SHAPE_SAME * pair_length(x, y), touch);
  *count = 0;
  for (int k = 0; k < found; k++) {
    if (touch[k].gap < -(depth + 2.0 * flush)) return 0;
    if (touch[k].gap <= reach) touch[(*count)++] = prc_shape_turned_round(&touch[k]);
  }
  return found != 0;
}
