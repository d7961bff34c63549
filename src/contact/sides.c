#include "config.h"
#include "contact/sides.h"

#include "contact/mortar_internal.h"

#include <float.h>
#include <math.h>

/* Touches of a convex shape with a chain of sides. The body is on the left of each side. */

#define FACES 0.17    /* cosine: an edge and a side that face each other by less do not touch */
enum { NEWTON = 20 }; /* steps to the foot on a curved side */

#define cross prc_mortar_cross
#define dot   prc_mortar_dot

/* ---- places ---------------------------------------------------------------------------------------------- */

static void place_corner(const prc_shape *shape, const prc_pose *pose, int k, double x[2]) {
  const double *r = shape->corner + 2 * (size_t)k;
  x[0] = pose->x[0] + pose->c * r[0] - pose->s * r[1];
  x[1] = pose->x[1] + pose->s * r[0] + pose->c * r[1];
}

static void turn_normal(const prc_shape *shape, const prc_pose *pose, int k, double n[2]) {
  const double *r = shape->normal + 2 * (size_t)k;
  n[0] = pose->c * r[0] - pose->s * r[1], n[1] = pose->s * r[0] + pose->c * r[1];
}

static int has_end(const prc_shape *shape) {
  return isfinite(shape->extent) != 0;
}
static int is_hole(const prc_shape *shape) {
  return !has_end(shape) && shape->radius > 0.0;
}
static int is_disc(const prc_shape *shape) {
  return has_end(shape) && shape->n == 1;
}

/* Length of d; unit: d over it, or `other` where d is zero. */
static double unit_of(const double d[2], const double other[2], double unit[2]) {
  const double length = hypot(d[0], d[1]);
  for (int k = 0; k < 2; k++) unit[k] = length > 0.0 ? d[k] / length : other[k];
  return length;
}

/* ---- a foot on a side -------------------------------------------------------------------------------------- */

typedef struct {
  double at, x[2], normal[2]; /* share of the chord, place, unit normal out of the body */
} foot;

/* The foot of c on the side of a chord: (c - x(s)) . x'(s) = 0, by Newton from the foot on the chord. For a
 * straight side x is linear and the start is the answer. */
static foot foot_on(const prc_mortar_chain *chain, const prc_mortar_chord *chord, const double c[2]) {
  const double *a = chain->x + 2 * chord->point[0], *b = chain->x + 2 * chord->point[1];
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {c[0] - a[0], c[1] - a[1]};
  const double square = dot(d, d);
  double along[2];
  foot f = {.at = square > 0.0 ? dot(r, d) / square : 0.0};
  if (chord->n_nodes > 2) {
    double bend[2]; /* x'' of the side, constant */
    for (int k = 0; k < 2; k++)
      bend[k] = 4.0
                * (chain->x[2 * chord->of[0] + k] + chain->x[2 * chord->of[1] + k]
                   - 2.0 * chain->x[2 * chord->of[2] + k]);
    for (int i = 0; i < NEWTON; i++) {
      prc_mortar_place_on(chain, chord, f.at, f.x, along);
      const double e[2] = {c[0] - f.x[0], c[1] - f.x[1]};
      const double full = dot(along, along), curved = full - dot(e, bend);
      const double slope = curved > 0.5 * full ? curved : full;
      if (!(slope > 0.0)) break;
      const double step = dot(e, along) / slope / chord->part;
      f.at += fmax(-1.0, fmin(1.0, step));
      if (fabs(step) <= 4.0 * DBL_EPSILON) break;
    }
  }
  prc_mortar_place_on(chain, chord, f.at, f.x, along);
  const double out[2] = {along[1], -along[0]}, none[2] = {0.0, 0.0};
  (void)unit_of(out, none, f.normal);
  return f;
}

/* ---- follow -------------------------------------------------------------------------------------------------- */

static void node_on_edge(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                         prc_side_touch *t) {
  const double *x = chain->x + 2 * t->of_chain, up[2] = {0.0, 1.0};
  double c[2], unit[2];
  place_corner(shape, pose, t->of_shape, c);
  const double d[2] = {x[0] - c[0], x[1] - c[1]};
  if (is_disc(shape)) {
    t->gap = unit_of(d, up, t->normal) - shape->radius;
  } else if (is_hole(shape)) {
    t->gap = shape->radius - unit_of(d, up, unit);
    for (int k = 0; k < 2; k++) t->normal[k] = -unit[k];
  } else {
    turn_normal(shape, pose, t->of_shape, t->normal);
    t->gap = dot(t->normal, d) - shape->radius;
  }
  t->place[0] = x[0], t->place[1] = x[1], t->at = 0.0;
}

static void corner_on_side(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                           prc_side_touch *t) {
  double c[2];
  place_corner(shape, pose, t->of_shape, c);
  const foot f = foot_on(chain, &chain->chord[t->of_chain], c);
  const double d[2] = {c[0] - f.x[0], c[1] - f.x[1]};
  t->gap = dot(d, f.normal) - shape->radius;
  for (int k = 0; k < 2; k++) t->normal[k] = -f.normal[k], t->place[k] = f.x[k];
  t->at = f.at;
}

/* Mean of the normals of the sides at a point. */
static void normal_at(const prc_mortar_chain *chain, int point, double n[2]) {
  double sum[2] = {0.0, 0.0}, one[2];
  const double none[2] = {0.0, 1.0};
  for (int e = 0; e < 2; e++) {
    const int k = chain->ahead[2 * point + e];
    if (k < 0) continue;
    (void)prc_mortar_chord_normal(chain, &chain->chord[k], one);
    sum[0] += one[0], sum[1] += one[1];
  }
  (void)unit_of(sum, none, n);
}

static void corner_on_node(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                           prc_side_touch *t) {
  const double *x = chain->x + 2 * t->of_chain;
  double c[2], out[2], mean[2];
  place_corner(shape, pose, t->of_shape, c);
  const double d[2] = {c[0] - x[0], c[1] - x[1]};
  normal_at(chain, t->of_chain, mean);
  t->gap = unit_of(d, mean, out) - shape->radius;
  for (int k = 0; k < 2; k++) t->normal[k] = -out[k], t->place[k] = x[k];
  t->at = 0.0;
}

void prc_sides_follow(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                      prc_side_touch *touch) {
  static void (*const follow[])(const prc_mortar_chain *, const prc_shape *, const prc_pose *,
                                prc_side_touch *) = {node_on_edge, corner_on_side, corner_on_node};
  follow[touch->kind](chain, shape, pose, touch);
}

int prc_sides_points(const prc_mortar_chain *chain, const prc_side_touch *touch, int point[3],
                     double share[3]) {
  double slope[3];
  if (touch->kind != PRC_CORNER_ON_SIDE) {
    point[0] = touch->of_chain, share[0] = 1.0;
    return 1;
  }
  const prc_mortar_chord *chord = &chain->chord[touch->of_chain];
  prc_mortar_shape(chord, touch->at, share, slope);
  for (int k = 0; k < chord->n_nodes; k++) point[k] = chord->of[k];
  return chord->n_nodes;
}

/* ---- search -------------------------------------------------------------------------------------------------- */

typedef struct {
  const prc_mortar_chain *chain;
  const prc_shape *shape;
  const prc_pose *pose;
  const prc_side_limits *limits;
  double box[4];  /* of the shape, widened by reach */
  double wide[4]; /* and by the depth that its corners may have behind a side */
} search;

static prc_status add(const search *s, const prc_side_touch *touch, prc_side_touches *out, prc_error *err) {
  if (!(touch->gap <= s->limits->reach) || touch->gap < -s->limits->depth) return PRC_OK;
  const prc_status status =
      prc_grow((void *)&out->touch, &out->room, (size_t)out->n + 1, sizeof *out->touch, err);
  if (status == PRC_OK) out->touch[out->n++] = *touch;
  return status;
}

/* Does some side at the point face the direction n, which points into the body, or is the point foremost
 * against it, as the tip of a spike? */
static int is_faced(const prc_mortar_chain *chain, int point, const double n[2]) {
  const double *x = chain->x + 2 * point;
  double own[2];
  int foremost = 1, outside = 0;
  for (int e = 0; e < 2; e++) {
    const int k = chain->ahead[2 * point + e];
    if (k < 0) continue;
    (void)prc_mortar_chord_normal(chain, &chain->chord[k], own);
    if (-dot(own, n) > FACES) return 1;
    const double *other = chain->x + 2 * chain->chord[k].point[e], d[2] = {x[0] - other[0], x[1] - other[1]};
    outside |= dot(own, n) <= 0.0, foremost &= dot(n, d) <= 0.0;
  }
  return outside && foremost;
}

/* Is x over edge e, between its ends? */
static int is_over(const search *s, int e, const double x[2]) {
  double a[2], b[2];
  const int next = e + 1 < s->shape->n ? e + 1 : 0;
  place_corner(s->shape, s->pose, e, a);
  place_corner(s->shape, s->pose, next, b);
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {x[0] - a[0], x[1] - a[1]};
  const double along = dot(r, d);
  return along >= 0.0 && along <= dot(d, d);
}

/* A node on the edge that it is least deep behind, of those that face it. */
static prc_status meet_node(const search *s, int point, prc_side_touches *out, prc_error *err) {
  const int is_hull = has_end(s->shape) && s->shape->n > 1, n_edges = is_hull ? s->shape->n : 1;
  prc_side_touch best = {.of_shape = -1, .gap = -INFINITY};
  for (int e = 0; e < n_edges; e++) {
    prc_side_touch t = {.kind = PRC_NODE_ON_EDGE, .of_shape = e, .of_chain = point};
    node_on_edge(s->chain, s->shape, s->pose, &t);
    if (t.gap > best.gap && is_faced(s->chain, point, t.normal)) best = t;
  }
  if (best.of_shape < 0 || (is_hull && !is_over(s, best.of_shape, s->chain->x + 2 * point))) return PRC_OK;
  return add(s, &best, out, err);
}

/* May the shape's corner k touch in the direction n, out of the shape: is it its foremost point that way, give
 * or take the angle by which flat things in contact may bend? */
static int leads(const search *s, int k, const double n[2]) {
  double c[2], other[2];
  if (s->shape->n == 1) return 1;
  place_corner(s->shape, s->pose, k, c);
  for (int e = -1; e < 2; e += 2) {
    place_corner(s->shape, s->pose, (k + e + s->shape->n) % s->shape->n, other);
    const double d[2] = {c[0] - other[0], c[1] - other[1]};
    if (dot(n, d) < -FACES * hypot(d[0], d[1])) return 0;
  }
  return 1;
}

/* Sine of the turn from chord a to chord b, where the one ends and the other begins: positive outwards. */
static double turn_of(const prc_mortar_chain *chain, int a, int b) {
  double n[2], m[2];
  (void)prc_mortar_chord_normal(chain, &chain->chord[a], n);
  (void)prc_mortar_chord_normal(chain, &chain->chord[b], m);
  return cross(n, m);
}

/* Is c behind the side before (end 0) or behind (end 1) chord k, which turns inwards there, and near that end? */
static int is_in_valley(const search *s, int k, int end, const double c[2]) {
  const int point = s->chain->chord[k].point[end], other = s->chain->ahead[2 * point + end];
  const double *x = s->chain->x + 2 * point, d[2] = {c[0] - x[0], c[1] - x[1]};
  double n[2];
  if (other < 0 || turn_of(s->chain, end ? k : other, end ? other : k) >= 0.0) return 0;
  (void)prc_mortar_chord_normal(s->chain, &s->chain->chord[other], n);
  return dot(d, n) <= 0.0 && hypot(d[0], d[1]) <= s->limits->depth;
}

/* Is the foot on the chord? At an end where the chain turns inwards a corner that is inside the body has its
 * foot beyond both sides, and both hold it. */
static int is_on(const search *s, int k, const prc_side_touch *t, const double c[2]) {
  const int inside = t->gap + s->shape->radius <= 0.0;
  if (t->at < 0.0) return inside && is_in_valley(s, k, 0, c);
  if (t->at < 1.0) return 1;
  if (t->at == 1.0 && s->chain->ahead[2 * s->chain->chord[k].point[1] + 1] < 0) return 1;
  return inside && is_in_valley(s, k, 1, c);
}

static int is_near(const search *s, const prc_mortar_chord *chord) {
  for (int d = 0; d < 2; d++) {
    double low = INFINITY, high = -INFINITY;
    for (int a = 0; a < chord->n_nodes; a++) {
      const double x = s->chain->x[2 * chord->of[a] + d];
      low = fmin(low, x), high = fmax(high, x);
    }
    if (low > s->wide[2 + d] || high < s->wide[d]) return 0;
  }
  return 1;
}

/* Beyond the end of the side before the point, and before the beginning of the side behind it? At an end of the
 * chain the missing side goes on at a right angle. */
static int is_beyond(const prc_mortar_chain *chain, int point, const double c[2]) {
  const double *x = chain->x + 2 * point, d[2] = {c[0] - x[0], c[1] - x[1]};
  const int before = chain->ahead[2 * point], behind = chain->ahead[2 * point + 1];
  double n[2];
  if (before >= 0) {
    const foot f = foot_on(chain, &chain->chord[before], c);
    if (f.at < 1.0 || (behind < 0 && (f.at == 1.0 || dot(d, f.normal) < 0.0))) return 0;
  }
  if (behind >= 0) {
    const foot f = foot_on(chain, &chain->chord[behind], c);
    if (f.at >= 0.0 || (before < 0 && dot(d, f.normal) < 0.0)) return 0;
  }
  if (before < 0 || behind < 0) return 1;
  normal_at(chain, point, n);
  return dot(d, n) >= 0.0; /* not behind a node where the chain turns inwards */
}

/* A corner of the shape on the sides and nodes near it. */
static prc_status meet_corner(const search *s, int k, prc_side_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_mortar_chain *chain = s->chain;
  const int first = out->n;
  double c[2], least = INFINITY;
  place_corner(s->shape, s->pose, k, c);
  for (int e = 0; e < chain->n_chords; e++) {
    const prc_mortar_chord *chord = &chain->chord[e];
    if (!is_near(s, chord)) continue;
    prc_side_touch t = {.kind = PRC_CORNER_ON_SIDE, .of_shape = k, .of_chain = e};
    corner_on_side(chain, s->shape, s->pose, &t);
    if (is_on(s, e, &t, c) && leads(s, k, t.normal)) prc_try(add(s, &t, out, err));
    for (int end = 0; end < 2; end++) {
      const int point = chord->point[end];
      if (end == 1 && chain->ahead[2 * point + 1] >= 0) continue; /* the chord behind has it */
      if (!is_beyond(chain, point, c)) continue;
      t = (prc_side_touch){.kind = PRC_CORNER_ON_NODE, .of_shape = k, .of_chain = point};
      corner_on_node(chain, s->shape, s->pose, &t);
      if (leads(s, k, t.normal)) prc_try(add(s, &t, out, err));
    }
  }
  /* Inside the body a corner has a foot on every wall around it; it came through the nearest. */
  for (int i = first; i < out->n; i++)
    if (out->touch[i].gap + s->shape->radius < 0.0) least = fmin(least, -out->touch[i].gap);
  int n = first;
  for (int i = first; i < out->n; i++) {
    const double gap = out->touch[i].gap;
    if (gap + s->shape->radius >= 0.0 || -gap <= least + s->limits->slack) out->touch[n++] = out->touch[i];
  }
  out->n = n;
done:
  return status;
}

prc_status prc_sides_meet(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose,
                          const prc_side_limits *limits, prc_side_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  search s = {.chain = chain, .shape = shape, .pose = pose, .limits = limits};
  prc_shape_box(shape, pose, s.box);
  const double wide = fmax(limits->reach, limits->depth);
  for (int d = 0; d < 2; d++) {
    s.wide[d] = s.box[d] - wide, s.wide[2 + d] = s.box[2 + d] + wide;
    s.box[d] -= limits->reach, s.box[2 + d] += limits->reach;
  }
  for (int j = 0; j < chain->n_points && !(is_disc(shape) && !limits->by_nodes); j++) {
    const double *x = chain->x + 2 * j;
    const int near = x[0] >= s.box[0] && x[0] <= s.box[2] && x[1] >= s.box[1] && x[1] <= s.box[3];
    if (near) prc_try(meet_node(&s, j, out, err));
  }
  const int n_corners = !has_end(shape) || (is_disc(shape) && limits->by_nodes) ? 0 : shape->n;
  for (int k = 0; k < n_corners; k++) prc_try(meet_corner(&s, k, out, err));
done:
  return status;
}
