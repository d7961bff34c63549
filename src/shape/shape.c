#include "config.h"
#include "shape/internal.h"

#include <float.h>
#include <math.h>

/* ---- where they are ------------------------------------------------------------------------------------ */

static void hull_box(const prc_shape *shape, const prc_pose *pose, double box[4]) {
  double arm[2];
  box[0] = box[1] = INFINITY, box[2] = box[3] = -INFINITY;
  for (int j = 0; j < shape->n; j++) {
    prc_shape_turn(pose, shape->corner + 2 * (size_t)j, arm);
    for (int k = 0; k < 2; k++) {
      if (arm[k] < box[k]) box[k] = arm[k];
      if (arm[k] > box[2 + k]) box[2 + k] = arm[k];
    }
  }
  for (int k = 0; k < 2; k++) {
    box[k] = pose->x[k] + (box[k] - shape->radius);
    box[2 + k] = pose->x[k] + (box[2 + k] + shape->radius);
  }
}

/* Without end but where the normal is that of an axis. */
static void half_plane_box(const prc_shape *shape, const prc_pose *pose, double box[4]) {
  double n[2], arm[2];
  prc_shape_turn(pose, shape->normal, n);
  prc_shape_turn(pose, shape->corner, arm);
  box[0] = box[1] = -INFINITY, box[2] = box[3] = INFINITY;
  for (int k = 0; k < 2; k++) {
    if (!(n[k] != 0.0) || n[1 - k] != 0.0) continue;
    box[n[k] > 0.0 ? 2 + k : k] = pose->x[k] + arm[k];
  }
}

static void hole_box(const prc_shape *shape, const prc_pose *pose, double box[4]) {
  (void)shape, (void)pose;
  box[0] = box[1] = -INFINITY, box[2] = box[3] = INFINITY;
}

void prc_shape_box(const prc_shape *shape, const prc_pose *pose, double box[4]) {
  shape->kind->box(shape, pose, box);
}

static const struct prc_shape_kind hull = {PRC_SHAPE_HULL, hull_box},
                                   half_plane = {PRC_SHAPE_HALF_PLANE, half_plane_box},
                                   hole = {PRC_SHAPE_HOLE, hole_box};

/* ---- making them --------------------------------------------------------------------------------------- */

static prc_status allocate(const struct prc_shape_kind *kind, int n, const double *corner, prc_shape *out,
                           prc_error *err) {
  prc_status status = PRC_OK;
  *out = (prc_shape){.kind = kind, .n = n};
  for (int k = 0; k < 2 * n; k++)
    if (!isfinite(corner[k]))
      return prc_fail(err, PRC_INPUT, "corner %d of a shape is (%g, %g), expected finite numbers", k / 2 + 1,
                      corner[k / 2 * 2], corner[k / 2 * 2 + 1]);
  prc_try(prc_new(&out->corner, 2 * n, err));
  prc_try(prc_new(&out->normal, 2 * n, err));
  for (int k = 0; k < 2 * n; k++) out->corner[k] = corner[k];
done:
  if (status != PRC_OK) prc_shape_free(out);
  return status;
}

void prc_shape_free(prc_shape *shape) {
  prc_delete(&shape->corner);
  prc_delete(&shape->normal);
  shape->n = 0;
}

static void edge_of(const prc_shape *shape, int k, double out[2]) {
  const double *from = shape->corner + 2 * (size_t)k;
  const double *to = shape->corner + 2 * (size_t)prc_shape_next(shape, k);
  for (int i = 0; i < 2; i++) out[i] = to[i] - from[i];
}

/* Normals, and the smallest length; an edge is refused that has none. */
static prc_status find_edges(prc_shape *shape, prc_error *err) {
  double least = shape->radius > 0.0 ? 2.0 * shape->radius : INFINITY, edge[2], direction[2];
  for (int k = 0; k < shape->n; k++) {
    const double *at = shape->corner + 2 * (size_t)k;
    shape->extent = fmax(shape->extent, prc_shape_distance(at, direction));
    if (shape->n == 1) break;
    edge_of(shape, k, edge);
    const double length = prc_shape_distance(edge, direction);
    if (!(length > 0.0) || !isfinite(length))
      return prc_fail(err, PRC_INPUT,
                      "corners %d and %d of a shape are both at (%g, %g), expected two places", k + 1,
                      prc_shape_next(shape, k) + 1, at[0], at[1]);
    shape->normal[2 * (size_t)k] = direction[1], shape->normal[2 * (size_t)k + 1] = -direction[0];
    least = fmin(least, length);
  }
  shape->extent += shape->radius;
  shape->length = isfinite(least) ? least : 0.0;
  return PRC_OK;
}

/* How far corner k is behind edge e. */
static double behind_edge(const prc_shape *shape, int e, int k) {
  const double *n = shape->normal + 2 * (size_t)e, *from = shape->corner + 2 * (size_t)e;
  const double *at = shape->corner + 2 * (size_t)k;
  return n[0] * (from[0] - at[0]) + n[1] * (from[1] - at[1]);
}

/* The least of all widths is across an edge. The corner farthest behind an edge goes round with it. */
static void find_width(prc_shape *shape) {
  double least = shape->n > 2 ? INFINITY : 0.0;
  for (int e = 0, far = 2; e < shape->n && shape->n > 2; e++) {
    if (far < e + 2) far = e + 2;
    double across = behind_edge(shape, e, far % shape->n), next;
    while ((next = behind_edge(shape, e, (far + 1) % shape->n)) > across) across = next, far++;
    least = fmin(least, across);
  }
  shape->width = least + 2.0 * shape->radius;
}

/* Corners are known to their last bit: a turn that this could be all of is none. In all they turn once. */
static prc_status check_turns(const prc_shape *shape, prc_error *err) {
  double size = 0.0, angle = 0.0, edge[2] = {0.0, 0.0}, next[2] = {0.0, 0.0}, direction[2];
  for (int k = 0; k < 2 * shape->n; k++) size = fmax(size, fabs(shape->corner[k]));
  for (int k = 0; k < shape->n && shape->n > 2; k++) {
    const int corner = prc_shape_next(shape, k);
    edge_of(shape, k, edge);
    edge_of(shape, corner, next);
    const double lengths = prc_shape_distance(edge, direction) + prc_shape_distance(next, direction);
    const double turn = edge[0] * next[1] - edge[1] * next[0];
    if (!(turn > 4.0 * DBL_EPSILON * size * lengths))
      return prc_fail(err, PRC_INPUT,
                      "corner %d of a shape, (%g, %g), turns %s, expected the corners of a convex polygon "
                      "anticlockwise, none on the line of its neighbours",
                      corner + 1, shape->corner[2 * corner], shape->corner[2 * corner + 1],
                      turn < -4.0 * DBL_EPSILON * size * lengths ? "clockwise" : "not at all");
    angle += atan2(turn, prc_shape_dot(edge, next));
  }
  if (angle > 8.0) /* 2 pi, or 4 pi and more */
    return prc_fail(err, PRC_INPUT,
                    "the corners of a shape go round more than once, expected a convex polygon");
  return PRC_OK;
}

prc_status prc_shape_make_hull(int n, const double *corner, double radius, prc_shape *out, prc_error *err) {
  prc_status status = PRC_OK;
  *out = (prc_shape){0};
  if (n < 1 || n > PRC_SHAPE_CORNERS)
    return prc_fail(err, PRC_INPUT, "a shape has %d corners, expected 1 to %d", n, PRC_SHAPE_CORNERS);
  if (!(radius >= 0.0) || !isfinite(radius))
    return prc_fail(err, PRC_INPUT, "the radius of a shape is %g, expected a number >= 0", radius);
  prc_try(allocate(&hull, n, corner, out, err));
  out->radius = radius;
  prc_try(find_edges(out, err));
  prc_try(check_turns(out, err));
  find_width(out);
done:
  if (status != PRC_OK) prc_shape_free(out);
  return status;
}

prc_status prc_shape_make_half_plane(const double point[2], const double normal[2], prc_shape *out,
                                     prc_error *err) {
  double direction[2];
  *out = (prc_shape){0};
  if (!isfinite(normal[0]) || !isfinite(normal[1]) || !(prc_shape_distance(normal, direction) > 0.0))
    return prc_fail(err, PRC_INPUT, "the normal of a half-plane is (%g, %g), expected a direction", normal[0],
                    normal[1]);
  const prc_status status = allocate(&half_plane, 1, point, out, err);
  if (status != PRC_OK) return status;
  for (int k = 0; k < 2; k++) out->normal[k] = direction[k];
  out->extent = out->width = INFINITY;
  return PRC_OK;
}

prc_status prc_shape_make_hole(const double centre[2], double radius, prc_shape *out, prc_error *err) {
  *out = (prc_shape){0};
  if (!(radius > 0.0) || !isfinite(radius))
    return prc_fail(err, PRC_INPUT, "the radius of a hole is %g, expected a number > 0", radius);
  const prc_status status = allocate(&hole, 1, centre, out, err);
  if (status != PRC_OK) return status;
  out->radius = radius;
  out->length = 2.0 * radius;
  out->extent = out->width = INFINITY;
  return PRC_OK;
}
