#include "config.h"
#include "solid/cores.h"
#include "solid/polyhedra.h"

#include <math.h>

/* Two polyhedra. Their gap is the largest separation over the faces of both and over their pairs of edges (separation.c); where a face
 * separates most they touch at the corners of the overlap (manifold.c), otherwise at the two edges.
 *
 * The one of the two that comes first in a fixed direction is the first in all that is decided here, so that it does not matter which is called
 * a; and the direction is such that blocks in a row do not change places by rounding. */

static int is_before(prc_solid_stand a, prc_solid_stand b) {
  static const double direction[3] = {0.53, 0.33, 0.78};
  const double *x = a.pose->x, *y = b.pose->x;
  const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
  const double along = prc_solid_dot(direction, d);
  if (along != 0.0) return along > 0.0;
  for (int k = 0; k < 9; k++)
    if (a.pose->R[k] != b.pose->R[k]) return a.pose->R[k] < b.pose->R[k];
  if (a.solid->n != b.solid->n) return a.solid->n < b.solid->n;
  for (int k = 0; k < 3 * a.solid->n; k++)
    if (a.solid->corner[k] != b.solid->corner[k]) return a.solid->corner[k] < b.solid->corner[k];
  return 1;
}

/* Edges are taken only where they separate by more than this share of the length of the pair than the faces do, and in another direction: the
 * cosine of 0.05. Of two that lie flat on each other with a tilt a pair of edges would separate more, at one point. */
#define MORE  1e-6
#define ALIKE 0.99875026039496625

static int edges_separate_more(const prc_solid_two *two, const prc_solid_best_edges *edges,
                               const prc_solid_best_face *most, const prc_solid_best_face *reference) {
  const double *n = two->side[reference->side].normal + 3 * (size_t)reference->face;
  const double same = prc_solid_dot(n, edges->normal);
  const double length = two->same / PRC_SOLID_SAME;
  return edges->edge[0] >= 0 && edges->separation > most->separation + MORE * length
         && (reference->side ? -same : same) < ALIKE;
}

/* Where the nearest points of the two lines are on the edges. */
static prc_status add_edges(const prc_solid_two *two, const prc_solid_best_edges *edges, double reach,
                            prc_solid_touches *out, prc_error *err) {
  const prc_solid_stand a = two->side[0].stand, b = two->side[1].stand;
  double n[3];
  int inside;
  if (edges->edge[0] < 0) return PRC_OK;
  prc_solid_turn(a.pose->R, edges->normal, n);
  const prc_solid_touch touch =
      prc_solid_edge_edge(a, edges->edge[0], b, edges->edge[1], n, two->same, &inside);
  return inside ? prc_solid_add_touch(&touch, reach, out, err) : PRC_OK;
}

static prc_status add_deepest(const prc_solid_two *two, const prc_solid_best_face *most, double reach,
                              prc_solid_touches *out, prc_error *err) {
  const prc_solid_stand on = two->side[most->side].stand, other = two->side[!most->side].stand;
  prc_solid_touch touch = prc_solid_ball_face(other, prc_solid_deepest_corner(two, most), on, most->face);
  if (most->side) touch = prc_solid_turned_round(&touch);
  return prc_solid_add_touch(&touch, reach, out, err);
}

static prc_status meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                       prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_two two;
  prc_solid_best_face most, reference;
  prc_solid_best_edges edges;
  const int before = out->n;
  if (!prc_solid_may_meet(a, b, reach, &two)) return PRC_OK;
  prc_try(prc_grow((void *)&out->work, &out->room_work, prc_solid_room_of(a.solid, b.solid),
                   sizeof *out->work, err));
  prc_solid_place_both(a, b, out->work, &two);
  if (!prc_solid_separate_faces(&two, reach, &most, &reference)) return PRC_OK;
  if (!prc_solid_separate_edges(&two, most.separation, reach, &edges)) return PRC_OK;
  if (edges_separate_more(&two, &edges, &most, &reference)) prc_try(add_edges(&two, &edges, reach, out, err));
  if (out->n == before) prc_try(prc_solid_add_manifold(&two, &reference, reach, out, err));
  const double separation = edges.separation;
  if (out->n == before && prc_solid_separate_edges(&two, -INFINITY, reach, &edges))
    prc_try(add_edges(&two, &edges, reach, out, err));
  if (out->n == before && separation <= 0.0) prc_try(add_deepest(&two, &most, reach, out, err));
done:
  return status;
}

prc_status prc_solid_polyhedra_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                    prc_solid_touches *out, prc_error *err) {
  const int before = out->n;
  if (is_before(a, b)) return meet(a, b, reach, out, err);
  const prc_status status = meet(b, a, reach, out, err);
  for (int k = before; k < out->n; k++) out->touch[k] = prc_solid_turned_round(&out->touch[k]);
  return status;
}

prc_status prc_solid_polyhedra_gap(prc_solid_stand a, prc_solid_stand b, prc_solid_touches *work, double *gap,
                                   prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_two two;
  prc_solid_best_face most, reference;
  prc_solid_best_edges edges;
  if (!is_before(a, b)) return prc_solid_polyhedra_gap(b, a, work, gap, err);
  *gap = INFINITY;
  if (!prc_solid_may_meet(a, b, INFINITY, &two)) return PRC_OK;
  prc_try(prc_grow((void *)&work->work, &work->room_work, prc_solid_room_of(a.solid, b.solid),
                   sizeof *work->work, err));
  prc_solid_place_both(a, b, work->work, &two);
  if (prc_solid_separate_faces(&two, INFINITY, &most, &reference)
      && prc_solid_separate_edges(&two, most.separation, INFINITY, &edges))
    *gap = edges.separation;
done:
  return status;
}

/* Touches are corners of the two, crossings of their edges with edges, and what one clips of the other: no pair has more than one for each edge of both, and one for each corner. */
prc_status prc_solid_make_room(const prc_solid *a, const prc_solid *b, prc_solid_touches *out,
                               prc_error *err) {
  const size_t most = 2 * ((size_t)a->n + (size_t)b->n + (size_t)a->n_edges + (size_t)b->n_edges) + 16;
  const prc_status status = prc_grow((void *)&out->touch, &out->room, most, sizeof *out->touch, err);
  if (status != PRC_OK || !prc_solid_has_faces(a) || !prc_solid_has_faces(b)) return status;
  return prc_grow((void *)&out->work, &out->room_work, prc_solid_room_of(a, b), sizeof *out->work, err);
}

#define ALONG 0.9987 /* cos(0.05) */

/* ---- a face that is given, and what is behind it -------------------------------------------------------- */

int prc_solid_has_faces(const prc_solid *solid) {
  return solid->kind->row == PRC_SOLID_POLYHEDRON;
}

prc_status prc_solid_meet_on(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                             const prc_solid_pose *pose_b, int of_b, int face, double reach,
                             prc_solid_touches *out, prc_error *err) {
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b};
  const prc_solid_best_face reference = {.side = of_b, .face = face};
  prc_status status = PRC_OK;
  prc_solid_two two;
  if (!prc_solid_may_meet(x, y, INFINITY, &two)) return PRC_OK;
  prc_try(prc_grow((void *)&out->work, &out->room_work, prc_solid_room_of(a, b), sizeof *out->work, err));
  prc_solid_place_both(x, y, out->work, &two);
  prc_try(prc_solid_add_manifold(&two, &reference, reach, out, err));
done:
  return status;
}

/* n . x of the corners of a solid where it stands, from `origin` on: the least and the most. */
static void range_along(const prc_solid *x, const prc_solid_pose *pose, const double origin[3],
                        const double n[3], double range[2]) {
  const double d[3] = {pose->x[0] - origin[0], pose->x[1] - origin[1], pose->x[2] - origin[2]};
  const double from = prc_solid_dot(n, d);
  double own[3];
  prc_solid_turn_back(pose->R, n, own);
  range[0] = INFINITY, range[1] = -INFINITY;
  for (int k = 0; k < x->n; k++) {
    const double s = from + prc_solid_dot(own, x->corner + 3 * (size_t)k);
    range[0] = fmin(range[0], s), range[1] = fmax(range[1], s);
  }
}

double prc_solid_in_front(const prc_solid *x, const prc_solid_pose *pose_x, int f, const prc_solid *y,
                          const prc_solid_pose *pose_y, double normal[3]) {
  double range[2];
  prc_solid_turn(pose_x->R, x->face_normal + 3 * (size_t)f, normal);
  range_along(y, pose_y, pose_x->x, normal, range);
  return range[0] - x->face_offset[f];
}

double prc_solid_outside(const prc_solid *x, const prc_solid_pose *pose, const double p[3]) {
  const double d[3] = {p[0] - pose->x[0], p[1] - pose->x[1], p[2] - pose->x[2]};
  double own[3], most = -INFINITY;
  prc_solid_turn_back(pose->R, d, own);
  for (int f = 0; f < x->n_faces; f++)
    most = fmax(most, prc_solid_dot(x->face_normal + 3 * (size_t)f, own) - x->face_offset[f]);
  return most;
}

/* x is convex: from a point of it the way to any other point is in it. p is so far in front of each face at most.
 *
 * Of a face the surface leaves p along its one normal: x goes on along it only where the ray is in x for more than what both may be off. An edge or a corner has many normals, and those
 * are left to it that no point of x is beyond: where p is on a face of x that looks along n, the height of that face over p counts for nothing. */
int prc_solid_polyhedron_goes_on(prc_solid_stand y, const double p[3], const double n[3], double flush,
                                 int normals) {
  const prc_solid *x = y.solid;
  const double d[3] = {p[0] - y.pose->x[0], p[1] - y.pose->x[1], p[2] - y.pose->x[2]};
  double own[3], way[3], range[2], along = 0.0, front = 0.0, ray = INFINITY;
  prc_solid_turn_back(y.pose->R, d, own);
  prc_solid_turn_back(y.pose->R, n, way);
  for (int f = 0; f < x->n_faces; f++) {
    const double *m = x->face_normal + 3 * (size_t)f, s = prc_solid_dot(m, own) - x->face_offset[f],
                 c = prc_solid_dot(m, way);
    if (s > flush) return 0;
    if (c > 0.0) ray = fmin(ray, (flush - s) / c);
    if (c > along) along = c, front = s;
  }
  range_along(x, y.pose, p, n, range);
  if (normals == PRC_SOLID_MANY_NORMALS && along > ALONG && fabs(front) <= flush)
    return range[1] + along * front > PRC_SOLID_SAME * x->length;
  return range[1] > 2.0 * flush && (normals != PRC_SOLID_ONE_NORMAL || ray > 2.0 * flush);
}
