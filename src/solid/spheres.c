#include "config.h"
#include "solid/cores.h"

#include <math.h>

/* A sphere and what it touches. */

prc_status prc_solid_spheres_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                                  prc_error *err) {
  const prc_solid_touch touch = prc_solid_ball_ball(a, 0, b, 0, NULL);
  return prc_solid_add_touch(&touch, reach, out, err);
}

prc_status prc_solid_sphere_capsule_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                         prc_solid_touches *out, prc_error *err) {
  double along[3], d[3];
  int ends[2];
  const double length = prc_solid_edge_of(b, 0, ends, along), same = PRC_SOLID_SAME * b.solid->length;
  prc_solid_between(a, 0, b, 0, d);
  const double s = prc_solid_dot(d, along);
  prc_solid_touch touch;
  if (s > -same && s < length + same) { /* over an end: over the side, as over the next one of a row */
    touch = prc_solid_ball_edge(a, 0, b, 0, NULL);
    touch = prc_solid_turned_round(&touch);
  } else {
    touch = prc_solid_ball_ball(a, 0, b, s > 0.0, NULL);
  }
  return prc_solid_add_touch(&touch, reach, out, err);
}

/* ---- a polyhedron -------------------------------------------------------------------------------------- */

/* How far point p of its axes is in front of face f. */
static double in_front(const prc_solid *solid, int f, const double p[3]) {
  const double *n = solid->face_normal + 3 * (size_t)f;
  const double *o = solid->corner + 3 * (size_t)solid->face_corner[solid->face_start[f]];
  const double d[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
  return prc_solid_dot(n, d);
}

/* Is p over face f: for none of its edges outside, in the plane of the face, by more than rounding? Over the seam of two flush faces it is over both. */
static int is_over(const prc_solid *solid, int f, const double p[3]) {
  const double *n = solid->face_normal + 3 * (size_t)f;
  for (int i = solid->face_start[f], end = solid->face_start[f + 1]; i < end; i++) {
    const double *from = solid->corner + 3 * (size_t)solid->face_corner[i];
    const double *to =
        solid->corner + 3 * (size_t)solid->face_corner[i + 1 < end ? i + 1 : solid->face_start[f]];
    const double edge[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double d[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]};
    double outside[3];
    prc_solid_cross(edge, n, outside);
    if (prc_solid_dot(outside, d) > PRC_SOLID_SAME * solid->length * sqrt(prc_solid_dot(edge, edge)))
      return 0;
  }
  return 1;
}

/* The square of the distance of p from edge e; *corner: that which is nearest, -1: a place between them. */
static double from_edge(const prc_solid *solid, int e, const double p[3], int *corner) {
  const int *edge = solid->edge + 4 * (size_t)e;
  const double *from = solid->corner + 3 * (size_t)edge[0], *to = solid->corner + 3 * (size_t)edge[1];
  const double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double d[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]};
  const double far = prc_solid_dot(along, along);
  const double s = prc_solid_dot(along, d), t = s > 0.0 ? fmin(s / far, 1.0) : 0.0;
  const double off[3] = {d[0] - t * along[0], d[1] - t * along[1], d[2] - t * along[2]};
  *corner = t > 0.0 ? t < 1.0 ? -1 : edge[1] : edge[0];
  return prc_solid_dot(off, off);
}

/* The face of the largest separation; where they are alike within 1e-9 of the length, that of the lowest number. */
static int foremost_face(const prc_solid *solid, const double p[3], double *most) {
  int best = 0;
  *most = in_front(solid, 0, p);
  for (int f = 1; f < solid->n_faces; f++) {
    const double front = in_front(solid, f, p);
    if (front > *most + PRC_SOLID_SAME * solid->length) *most = front, best = f;
  }
  return best;
}

/* A point in front of a face and over it is nearest to it. Else an edge or a corner of the faces that it is in front of is nearest. */
prc_solid_touch prc_solid_ball_polyhedron(prc_solid_stand x, int i, prc_solid_stand y) {
  const prc_solid *solid = y.solid;
  double p[3], d[3], most, least = INFINITY;
  int edge = 0, corner = -1;
  prc_solid_between(x, i, y, 0, d);
  prc_solid_turn_back(y.pose->R, d, p);
  for (int k = 0; k < 3; k++) p[k] += solid->corner[k];
  const int face = foremost_face(solid, p, &most);
  if (!(most > 0.0)) return prc_solid_ball_face(x, i, y, face);
  for (int f = 0; f < solid->n_faces; f++)
    if (in_front(solid, f, p) > 0.0 && is_over(solid, f, p)) return prc_solid_ball_face(x, i, y, f);
  for (int e = 0; e < solid->n_edges; e++) {
    int nearest;
    const double square = from_edge(solid, e, p, &nearest);
    if (square < least) least = square, edge = e, corner = nearest;
  }
  return corner < 0 ? prc_solid_ball_edge(x, i, y, edge, NULL) : prc_solid_ball_ball(y, corner, x, i, NULL);
}

prc_status prc_solid_sphere_polyhedron_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                            prc_solid_touches *out, prc_error *err) {
  const prc_solid_touch there = prc_solid_ball_polyhedron(a, 0, b), touch = prc_solid_turned_round(&there);
  return prc_solid_add_touch(&touch, reach, out, err);
}
