#include "config.h"
#include "case/build.h"

#include <math.h>
#include <string.h>

/* Shapes of bodies and obstacles that meet, in their own axes. */

/* The corners of a convex polygon without those on a straight line, anticlockwise, seen from `origin`. */
static int keep_corners(int n, const double *corner, const double origin[2], double *kept) {
  int count = 0;
  double area = 0.0;
  for (int k = 0; k < n; k++) {
    const double *a = corner + 2 * k, *b = corner + 2 * ((k + 1) % n), *d = corner + 2 * ((k + n - 1) % n);
    const double u[2] = {a[0] - d[0], a[1] - d[1]}, v[2] = {b[0] - a[0], b[1] - a[1]};
    const double turn = u[0] * v[1] - u[1] * v[0];
    area += (a[0] - corner[0]) * (b[1] - corner[1]) - (a[1] - corner[1]) * (b[0] - corner[0]);
    if (fabs(turn) <= PRC_CASE_STRAIGHT * hypot(u[0], u[1]) * hypot(v[0], v[1])) continue;
    kept[2 * count] = a[0] - origin[0], kept[2 * count + 1] = a[1] - origin[1];
    count++;
  }
  for (int i = 0, j = count - 1; area < 0.0 && i < j; i++, j--)
    for (int k = 0; k < 2; k++) {
      const double swapped = kept[2 * i + k];
      kept[2 * i + k] = kept[2 * j + k], kept[2 * j + k] = swapped;
    }
  return count;
}

static prc_status add_polygon(const prc_builder *b, int n, const double *corner, const double origin[2]) {
  prc_status status = PRC_OK;
  double *kept = NULL;
  prc_try(prc_new(&kept, 2 * (size_t)n, b->err));
  const int count = keep_corners(n, corner, origin, kept);
  if (count < 3)
    prc_try(
        prc_fail(b->err, PRC_INPUT,
                 "a polygon is as thin as a line: its outline turns by less than %g at all but %d of its %d "
                 "corners; expected three or more that turn",
                 PRC_CASE_STRAIGHT, count, n));
  prc_try(prc_shape_make_hull(count, kept, 0.0, &b->parts->shape[b->parts->n_shapes], b->err));
  b->parts->n_shapes++;
done:
  prc_delete(&kept);
  return status;
}

static prc_status add_disc(const prc_builder *b, const double centre[2], double radius) {
  const prc_status status =
      prc_shape_make_hull(1, centre, radius, &b->parts->shape[b->parts->n_shapes], b->err);
  if (status == PRC_OK) b->parts->n_shapes++;
  return status;
}

static int parts_of(const prc_case_body *b) {
  return (b->n_points > 0) + (b->radius > 0.0) + b->polygons.n + b->discs.n;
}

static prc_status add_body(const prc_builder *b, const prc_case_body *from) {
  prc_status status = PRC_OK;
  const double zero[2] = {0.0, 0.0}, *corner = from->polygons.point;
  if (from->n_points > 0) prc_try(add_polygon(b, from->n_points, from->point, zero));
  if (from->radius > 0.0) prc_try(add_disc(b, zero, from->radius));
  for (int k = 0; k < from->polygons.n; corner += 2 * from->polygons.corners[k++])
    prc_try(add_polygon(b, from->polygons.corners[k], corner, zero));
  for (int k = 0; k < from->discs.n; k++)
    prc_try(add_disc(b, from->discs.disc + 3 * k, from->discs.disc[3 * k + 2]));
done:
  return status;
}

static prc_status add_obstacle(const prc_builder *b, const prc_case_obstacle *from) {
  prc_status status = PRC_OK;
  prc_shape *out = &b->parts->shape[b->parts->n_shapes];
  const double *point = from->is_plane ? from->point : from->centre,
               length = hypot(from->normal[0], from->normal[1]);
  const double place[2] = {point[0] - from->about[0], point[1] - from->about[1]};
  double ends[4];
  if (from->n_corners > 0) return add_polygon(b, from->n_corners, from->corner, from->about);
  if (from->is_disc) return add_disc(b, place, from->radius);
  if (from->is_plane)
    prc_try(prc_shape_make_half_plane(place, (double[]){from->normal[0] / length, from->normal[1] / length},
                                      out, b->err));
  if (from->is_hole) prc_try(prc_shape_make_hole(place, from->radius, out, b->err));
  for (int k = 0; k < 2 * from->n_ends; k++) ends[k] = from->end[k] - from->about[k % 2];
  if (from->n_ends > 0) prc_try(prc_shape_make_hull(2, ends, 0.0, out, b->err));
  b->parts->n_shapes++;
done:
  return status;
}

/* The half-plane that a body carries, for pictures: others touch it by points of theirs. */
static prc_status add_face(const prc_builder *b, const prc_case_body *from, prc_rigid_body *to) {
  const double length = hypot(from->face_normal[0], from->face_normal[1]);
  prc_shape *out = &b->parts->shape[b->parts->n_shapes];
  if (!from->has_face) return PRC_OK;
  const prc_status status = prc_shape_make_half_plane(
      from->face_point, (double[]){from->face_normal[0] / length, from->face_normal[1] / length}, out,
      b->err);
  if (status != PRC_OK) return status;
  b->parts->n_shapes++;
  to->n_drawn = 1, to->drawn = out;
  return PRC_OK;
}

/* Which bodies and obstacles some contact names as one side of pairs. */
static void mark_meeting(const prc_case *c, char *meets) {
  for (int i = 0; i < c->n_contacts; i++)
    for (int k = 0; k < 2; k++)
      for (int j = 0; !c->contact_group[i].is_ordered && j < c->contact_group[i].n_side[k]; j++)
        meets[c->contact_group[i].side[k][j]] = 1;
}

static prc_status add_shapes(const prc_builder *b, const char *meets) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  for (int i = 0; i < c->n_bodies + c->n_obstacles; i++) {
    prc_rigid_body *to = &b->parts->body[i];
    const int first = b->parts->n_shapes, obstacle = i >= c->n_bodies;
    const prc_case_place *at = obstacle ? &c->obstacle[i - c->n_bodies].place : &c->body[i].place;
    prc_error inner = {0};
    const prc_builder one = {b->c, b->mesh, b->parts, &inner};
    if (obstacle)
      status = add_obstacle(&one, &c->obstacle[i - c->n_bodies]);
    else if (meets[i])
      status = add_body(&one, &c->body[i]);
    if (status == PRC_INPUT)
      return prc_case_fail(c, at, b->err, "%s '%s': %s", obstacle ? "obstacle" : "body", to->name,
                           inner.message);
    if (status != PRC_OK) return prc_fail(b->err, status, "%s", inner.message);
    const int n = b->parts->n_shapes - first;
    if (meets[i])
      to->n_parts = n, to->part = &b->parts->shape[first];
    else
      to->n_drawn = n, to->drawn = &b->parts->shape[first];
    if (!obstacle && (status = add_face(b, &c->body[i], to)) != PRC_OK) return status;
  }
  return PRC_OK;
}

prc_status prc_build_shapes(const prc_builder *b) {
  prc_status status = PRC_OK;
  const prc_case *c = b->c;
  char *meets = NULL;
  size_t n = (size_t)c->n_obstacles;
  for (int i = 0; i < c->n_bodies; i++) n += (size_t)parts_of(&c->body[i]) + (size_t)c->body[i].has_face;
  prc_try(prc_new(&meets, (size_t)c->n_bodies + (size_t)c->n_obstacles, b->err));
  prc_try(prc_new(&b->parts->shape, n, b->err));
  mark_meeting(c, meets);
  status = add_shapes(b, meets);
done:
  prc_delete(&meets);
  return status;
}
