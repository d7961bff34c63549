#include "config.h"
#include "solid/internal.h"

#include <math.h>

prc_solid_pose prc_solid_pose_at(const double x[3], const double quaternion[4]) {
  const double w = quaternion[0], a = quaternion[1], b = quaternion[2], c = quaternion[3];
  const prc_solid_pose pose = {{x[0], x[1], x[2]},
                               {1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b),
                                2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a),
                                2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)}};
  return pose;
}

/* Squares of what is near the ends of the range of numbers have no digits: such d is brought near 1 by a power of two first, which changes
 * no other bit. */
double prc_solid_distance(const double d[3], double direction[3]) {
  const double square = prc_solid_dot(d, d), largest = fmax(fmax(fabs(d[0]), fabs(d[1])), fabs(d[2]));
  direction[0] = direction[1] = 0.0, direction[2] = 1.0;
  if (square > 0x1p-900 && square < 0x1p900) {
    const double length = sqrt(square);
    for (int k = 0; k < 3; k++) direction[k] = d[k] / length;
    return length;
  }
  int exponent;
  if (!(largest > 0.0)) return largest;
  (void)frexp(largest, &exponent);
  const double scaled[3] = {ldexp(d[0], -exponent), ldexp(d[1], -exponent), ldexp(d[2], -exponent)};
  const double length = sqrt(prc_solid_dot(scaled, scaled));
  for (int k = 0; k < 3; k++) direction[k] = scaled[k] / length;
  return ldexp(length, exponent);
}

/* ---- where they are ------------------------------------------------------------------------------------ */

static void hull_box(const prc_solid *solid, const prc_solid_pose *pose, double box[6]) {
  double arm[3];
  for (int k = 0; k < 3; k++) box[k] = INFINITY, box[3 + k] = -INFINITY;
  for (int j = 0; j < solid->n; j++) {
    prc_solid_turn(pose->R, solid->corner + 3 * (size_t)j, arm);
    for (int k = 0; k < 3; k++) {
      if (arm[k] < box[k]) box[k] = arm[k];
      if (arm[k] > box[3 + k]) box[3 + k] = arm[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    box[k] = pose->x[k] + (box[k] - solid->radius);
    box[3 + k] = pose->x[k] + (box[3 + k] + solid->radius);
  }
}

/* Without end but where the normal is that of an axis. */
static void half_space_box(const prc_solid *solid, const prc_solid_pose *pose, double box[6]) {
  double n[3], arm[3];
  prc_solid_turn(pose->R, solid->face_normal, n);
  prc_solid_turn(pose->R, solid->corner, arm);
  for (int k = 0; k < 3; k++) box[k] = -INFINITY, box[3 + k] = INFINITY;
  for (int k = 0; k < 3; k++) {
    if (!(n[k] != 0.0) || n[(k + 1) % 3] != 0.0 || n[(k + 2) % 3] != 0.0) continue;
    box[n[k] > 0.0 ? 3 + k : k] = pose->x[k] + arm[k];
  }
}

/* A rim with the axis a reaches r sqrt(1 - a_k^2) along axis k. */
static void cylinder_box(const prc_solid *solid, const prc_solid_pose *pose, double box[6]) {
  double a[3], end[2][3];
  prc_solid_turn(pose->R, solid->face_normal, a);
  for (int j = 0; j < 2; j++) prc_solid_turn(pose->R, solid->corner + 3 * j, end[j]);
  for (int k = 0; k < 3; k++) {
    const double across = hypot(a[(k + 1) % 3], a[(k + 2) % 3]) * solid->radius;
    box[k] = pose->x[k] + (fmin(end[0][k], end[1][k]) - across);
    box[3 + k] = pose->x[k] + (fmax(end[0][k], end[1][k]) + across);
  }
}

void prc_solid_box(const prc_solid *solid, const prc_solid_pose *pose, double box[6]) {
  solid->kind->box(solid, pose, box);
}

static const struct prc_solid_kind kinds[PRC_SOLID_KINDS] = {
    [PRC_SOLID_SPHERE] = {PRC_SOLID_SPHERE, hull_box},
    [PRC_SOLID_CAPSULE] = {PRC_SOLID_CAPSULE, hull_box},
    [PRC_SOLID_POLYHEDRON] = {PRC_SOLID_POLYHEDRON, hull_box},
    [PRC_SOLID_HALF_SPACE] = {PRC_SOLID_HALF_SPACE, half_space_box},
    [PRC_SOLID_CYLINDER] = {PRC_SOLID_CYLINDER, cylinder_box},
};

/* ---- making them --------------------------------------------------------------------------------------- */

void prc_solid_free(prc_solid *solid) {
  prc_delete(&solid->corner);
  prc_delete(&solid->face_start);
  prc_delete(&solid->face_corner);
  prc_delete(&solid->face_normal);
  prc_delete(&solid->face_offset);
  prc_delete(&solid->edge);
  prc_delete(&solid->corner_start);
  prc_delete(&solid->corner_edge);
  *solid = (prc_solid){0};
}

static prc_status check_points(int n, const double *point, prc_error *err) {
  for (int i = 0; i < n; i++) {
    const double *p = point + 3 * (size_t)i;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
      return prc_fail(err, PRC_INPUT, "point %d of a solid is (%g, %g, %g), expected finite numbers", i + 1,
                      p[0], p[1], p[2]);
  }
  return PRC_OK;
}

static prc_status check_radius(double radius, const char *whose, int positive, prc_error *err) {
  if (!(radius >= 0.0) || !isfinite(radius) || (positive && !(radius > 0.0)))
    return prc_fail(err, PRC_INPUT, "the radius of a %s is %g, expected a number %s 0", whose, radius,
                    positive ? ">" : ">=");
  return PRC_OK;
}

static prc_status begin(int row, int n, const double *point, prc_solid *out, prc_error *err) {
  *out = (prc_solid){.kind = &kinds[row], .n = n};
  const prc_status status = prc_new(&out->corner, 3 * (size_t)n, err);
  for (size_t k = 0; status == PRC_OK && k < 3 * (size_t)n; k++) out->corner[k] = point[k];
  return status;
}

/* From the origin of the axes. A rim's farthest point: sqrt(along^2 + (across + r)^2). */
static void find_extent(prc_solid *solid) {
  double direction[3], along;
  solid->extent = 0.0;
  for (int i = 0; i < solid->n; i++) {
    const double *p = solid->corner + 3 * (size_t)i;
    double far = prc_solid_distance(p, direction);
    if (solid->kind->row == PRC_SOLID_CYLINDER) {
      along = prc_solid_dot(p, solid->face_normal);
      const double a[3] = {p[0] - along * solid->face_normal[0], p[1] - along * solid->face_normal[1],
                           p[2] - along * solid->face_normal[2]};
      far = hypot(along, prc_solid_distance(a, direction) + solid->radius);
    } else {
      far += solid->radius;
    }
    solid->extent = fmax(solid->extent, far);
  }
  if (solid->kind->row == PRC_SOLID_HALF_SPACE) solid->extent = INFINITY;
}

/* One point or two, and a radius. */
static prc_status make_round(int n, const double *point, double radius, prc_solid *out, prc_error *err) {
  double direction[3] = {0.0}, d[3] = {0.0};
  for (int k = 0; k < 3 && n == 2; k++) d[k] = point[3 + k] - point[k];
  const double length = prc_solid_distance(d, direction);
  if (n == 2 && (!(length > 0.0) || !isfinite(length)))
    return prc_fail(err, PRC_INPUT, "both ends of a capsule are at (%g, %g, %g), expected two places",
                    point[0], point[1], point[2]);
  const prc_status status = begin(n == 1 ? PRC_SOLID_SPHERE : PRC_SOLID_CAPSULE, n, point, out, err);
  if (status != PRC_OK) return status;
  out->radius = radius;
  out->width = 2.0 * radius;
  out->length = n == 2 && !(2.0 * radius < length && radius > 0.0) ? length : 2.0 * radius;
  find_extent(out);
  return PRC_OK;
}

static prc_status make_polyhedron(int n, const double *point, double flat, prc_solid *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_net net = {0};
  prc_try(prc_solid_find_net(n, point, flat, &net, err));
  prc_try(begin(PRC_SOLID_POLYHEDRON, net.n, net.corner, out, err));
  prc_try(prc_solid_add_faces(&net, out, err));
  find_extent(out);
done:
  prc_solid_free_net(&net);
  if (status != PRC_OK) prc_solid_free(out);
  return status;
}

prc_status prc_solid_make_hull(int n, const double *point, double radius, prc_solid *out, prc_error *err) {
  prc_status status = PRC_OK;
  *out = (prc_solid){0};
  if (n < 1) return prc_fail(err, PRC_INPUT, "a solid has %d points, expected at least one", n);
  prc_try(check_points(n, point, err));
  prc_try(check_radius(radius, n == 1 ? "sphere" : n == 2 ? "capsule" : "hull", 0, err));
  if (n <= 2) return make_round(n, point, radius, out, err);
  if (radius > 0.0)
    return prc_fail(err, PRC_INPUT, "the radius of a polyhedron is %g, expected 0: it has no round edges",
                    radius);
  status = make_polyhedron(n, point, 1e-9, out, err);
done:
  return status;
}

prc_status prc_solid_make_rough_hull(int n, const double *point, prc_solid *out, prc_error *err) {
  *out = (prc_solid){0};
  if (n < 1) return prc_fail(err, PRC_INPUT, "a solid has %d points, expected at least one", n);
  const prc_status status = check_points(n, point, err);
  return status == PRC_OK ? make_polyhedron(n, point, 1e-6, out, err) : status;
}

prc_status prc_solid_make_box(const double edges[3], prc_solid *out, prc_error *err) {
  double point[24];
  *out = (prc_solid){0};
  for (int k = 0; k < 3; k++)
    if (!(edges[k] > 0.0) || !isfinite(edges[k]))
      return prc_fail(err, PRC_INPUT, "edge %d of a box is %g, expected a number > 0", k + 1, edges[k]);
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) point[3 * i + k] = i >> k & 1 ? 0.5 * edges[k] : -0.5 * edges[k];
  return prc_solid_make_hull(8, point, 0.0, out, err);
}

prc_status prc_solid_make_half_space(const double point[3], const double normal[3], prc_solid *out,
                                     prc_error *err) {
  prc_status status = PRC_OK;
  double direction[3];
  *out = (prc_solid){0};
  prc_try(check_points(1, point, err));
  if (!isfinite(normal[0]) || !isfinite(normal[1]) || !isfinite(normal[2])
      || !(prc_solid_distance(normal, direction) > 0.0))
    return prc_fail(err, PRC_INPUT, "the normal of a half-space is (%g, %g, %g), expected a direction",
                    normal[0], normal[1], normal[2]);
  prc_try(begin(PRC_SOLID_HALF_SPACE, 1, point, out, err));
  prc_try(prc_new(&out->face_normal, 3, err));
  prc_try(prc_new(&out->face_offset, 1, err));
  for (int k = 0; k < 3; k++) out->face_normal[k] = direction[k];
  out->face_offset[0] = prc_solid_dot(direction, point);
  out->width = INFINITY;
  find_extent(out);
done:
  if (status != PRC_OK) prc_solid_free(out);
  return status;
}

prc_status prc_solid_make_cylinder(const double ends[6], double radius, prc_solid *out, prc_error *err) {
  prc_status status = PRC_OK;
  double axis[3];
  *out = (prc_solid){0};
  prc_try(check_points(2, ends, err));
  prc_try(check_radius(radius, "cylinder", 1, err));
  const double d[3] = {ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]};
  const double length = prc_solid_distance(d, axis);
  if (!(length > 0.0) || !isfinite(length))
    return prc_fail(err, PRC_INPUT, "both ends of a cylinder are at (%g, %g, %g), expected two places",
                    ends[0], ends[1], ends[2]);
  prc_try(begin(PRC_SOLID_CYLINDER, 2, ends, out, err));
  prc_try(prc_new(&out->face_normal, 3, err));
  for (int k = 0; k < 3; k++) out->face_normal[k] = axis[k];
  out->radius = radius;
  out->length = out->width = fmin(length, 2.0 * radius);
  find_extent(out);
done:
  if (status != PRC_OK) prc_solid_free(out);
  return status;
}

void prc_solid_move(prc_solid *solid, const double by[3], const double R[9]) {
  for (int i = 0; i < solid->n; i++) {
    double *p = solid->corner + 3 * (size_t)i;
    const double moved[3] = {p[0] + by[0], p[1] + by[1], p[2] + by[2]};
    prc_solid_turn(R, moved, p);
  }
  const int directions = solid->n_faces > 0 ? solid->n_faces : solid->face_normal ? 1 : 0;
  for (int f = 0; f < directions; f++) {
    double *n = solid->face_normal + 3 * (size_t)f;
    const double old[3] = {n[0], n[1], n[2]};
    prc_solid_turn(R, old, n);
  }
  prc_solid_find_offsets(solid);
  find_extent(solid);
}
