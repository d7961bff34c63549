#include "config.h"
#include "solid/cores.h"

#include <math.h>

/* A capsule and another one, or a polyhedron.
 *
 * Where the cores are apart, whatever is one by one a true contact of theirs touches: each end of a core against what is nearest to it, and the
 * middle of a core against corners and edges where the nearest points are between the ends. The least of their gaps is that of the two solids,
 * and what lies along an edge or a face has two, at true corners or where edges cross. */

#define SINE 1e-8 /* edges that cross at less are nearest nowhere in particular: the ends say it all */
#define OFF                                                                                                  \
  0.05 /* a crossing and a corner count if their normal is so little outside of those that the faces there allow */

/* ---- two capsules -------------------------------------------------------------------------------------- */

/* How far along the core of y the place is that is nearest to corner i of x: -1, 1: at or beyond its ends. */
static int beyond(prc_solid_stand x, int i, prc_solid_stand y, double same) {
  double along[3], d[3];
  int ends[2];
  const double length = prc_solid_edge_of(y, 0, ends, along);
  prc_solid_between(x, i, y, 0, d);
  const double s = prc_solid_dot(d, along);
  return s > same ? s < length - same ? 0 : 1 : -1;
}

static double least_gap_from(const prc_solid_touches *touches, int first) {
  double least = INFINITY;
  for (int k = first; k < touches->n; k++) least = fmin(least, touches->touch[k].gap);
  return least;
}

/* An end of one core against the other core between its ends, either way; and two ends where each is nearest to the other. */
static prc_status add_ends(prc_solid_stand a, prc_solid_stand b, double same, double reach,
                           prc_solid_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_touch touch;
  for (int i = 0; i < 2; i++) {
    const int side = beyond(a, i, b, same), j = side > 0;
    if (side == 0) {
      touch = prc_solid_ball_edge(a, i, b, 0, NULL);
      touch = prc_solid_turned_round(&touch);
    } else if (beyond(b, j, a, same) == (i ? 1 : -1)) {
      touch = prc_solid_ball_ball(a, i, b, j, NULL);
    } else {
      continue;
    }
    prc_try(prc_solid_add_touch(&touch, reach, out, err));
  }
  for (int j = 0; j < 2; j++) {
    if (beyond(b, j, a, same) != 0) continue;
    touch = prc_solid_ball_edge(b, j, a, 0, NULL);
    prc_try(prc_solid_add_touch(&touch, reach, out, err));
  }
done:
  return status;
}

static int crosses(const prc_solid_touch *touch, double s, double t, double length_a, double length_b,
                   double same) {
  return isfinite(touch->gap) && s > same && s < length_a - same && t > same && t < length_b - same;
}

prc_status prc_solid_capsules_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_touches *out,
                                   prc_error *err) {
  double u[3], v[3], c[3], s, t;
  int ends[2];
  const int first = out->n;
  const double same = PRC_SOLID_SAME * fmin(a.solid->length, b.solid->length);
  const double length_a = prc_solid_edge_of(a, 0, ends, u), length_b = prc_solid_edge_of(b, 0, ends, v);
  const prc_status status = add_ends(a, b, same, reach, out, err);
  prc_solid_cross(u, v, c);
  if (status != PRC_OK || !(prc_solid_dot(c, c) > SINE * SINE)) return status;
  const prc_solid_touch touch = prc_solid_line_line(a, 0, b, 0, NULL, &s, &t);
  if (!crosses(&touch, s, t, length_a, length_b, same) || !(touch.gap < least_gap_from(out, first) - same))
    return status;
  return prc_solid_add_touch(&touch, reach, out, err);
}

/* ---- a capsule and a polyhedron ------------------------------------------------------------------------ */

/* Both where they stand; `two` lengths within `same` are one. */
typedef struct {
  prc_solid_stand x, y; /* the capsule, the polyhedron */
  double along[3], length, same;
} couple;

/* How far the direction, at right angles to edge e of y, is outside of the arc between the normals of its faces: the sine; <= 0: within. */
static double off_arc(const couple *two, int e, const double direction[3]) {
  const double *normal = two->y.solid->face_normal;
  const int *edge = two->y.solid->edge + 4 * (size_t)e;
  double arc[3], a[3], b[3], axis[3], d[3];
  prc_solid_turn_back(two->y.pose->R, direction, d);
  const double *left = normal + 3 * (size_t)edge[2], *right = normal + 3 * (size_t)edge[3];
  prc_solid_cross(right, left, arc);
  prc_solid_cross(right, d, a);
  prc_solid_cross(d, left, b);
  (void)prc_solid_distance(arc, axis);
  return -fmin(prc_solid_dot(axis, a), prc_solid_dot(axis, b));
}

/* The line of edge e of y against that of the core, its normal on the side of the faces; 0: they are parallel. */
static int line_of(const couple *two, int e, prc_solid_touch *touch, double *off, int *crossing) {
  double v[3], c[3], n[3], s, t;
  int ends[2];
  const double length = prc_solid_edge_of(two->y, e, ends, v);
  prc_solid_cross(v, two->along, c);
  if (!(prc_solid_dot(c, c) > SINE * SINE)) return 0;
  (void)prc_solid_distance(c, n);
  const double back[3] = {-n[0], -n[1], -n[2]};
  const double off_n = off_arc(two, e, n), off_back = off_arc(two, e, back);
  *off = fmin(off_n, off_back);
  *touch = prc_solid_line_line(two->y, e, two->x, 0, off_n <= off_back ? n : back, &s, &t);
  *crossing = crosses(touch, s, t, length, two->length, two->same);
  return 1;
}
/* Edge e of y against the core; 0: they do not cross between their ends. */
static int crossing(const couple *two, int e, prc_solid_touch *touch, double *off) {
  int is_crossing;
  return line_of(two, e, touch, off, &is_crossing) && is_crossing;
}

/* Corner i of y against the core between its ends; 0: it is not there. */
static int under_core(const couple *two, int i, prc_solid_touch *touch, double *off) {
  const prc_solid *solid = two->y.solid;
  double d[3], n[3];
  prc_solid_between(two->y, i, two->x, 0, d);
  const double s = prc_solid_dot(d, two->along);
  if (!(s > two->same) || !(s < two->length - two->same)) return 0;
  *touch = prc_solid_ball_edge(two->y, i, two->x, 0, NULL);
  *touch = prc_solid_turned_round(touch);
  prc_solid_turn_back(two->y.pose->R, touch->normal, n);
  *off = -INFINITY;
  for (int k = solid->corner_start[i]; k < solid->corner_start[i + 1]; k++) {
    const int *edge = solid->edge + 4 * (size_t)solid->corner_edge[k];
    const double *from = solid->corner + 3 * (size_t)i;
    const double *to = solid->corner + 3 * (size_t)(edge[0] == i ? edge[1] : edge[0]);
    const double e[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    *off = fmax(*off, prc_solid_dot(e, n) / sqrt(prc_solid_dot(e, e)));
  }
  return 1;
}

/* Direction that separates the cores, over the faces, and over edges across the core whose arc of normals it
 * crosses. */
typedef struct {
  int face, edge;
  double by_face, by_edge, normal[3]; /* of the edge */
} separation;

static double of_face(const couple *two, int f) {
  const prc_solid_touch from = prc_solid_ball_face(two->x, 0, two->y, f),
                        to = prc_solid_ball_face(two->x, 1, two->y, f);
  return fmin(from.gap, to.gap) + two->x.solid->radius;
}

static separation separate(const couple *two) {
  separation most = {.face = 0, .edge = -1, .by_face = of_face(two, 0), .by_edge = -INFINITY};
  for (int f = 1; f < two->y.solid->n_faces; f++) {
    const double by = of_face(two, f);
    if (by > most.by_face + two->same) most.by_face = by, most.face = f;
  }
  for (int e = 0; e < two->y.solid->n_edges; e++) {
    prc_solid_touch touch;
    double off;
    int is_crossing;
    if (!line_of(two, e, &touch, &off, &is_crossing) || off > 0.0) continue;
    const double by = touch.gap + two->x.solid->radius;
    if (!(by > most.by_edge + two->same)) continue;
    most.by_edge = by, most.edge = e;
    for (int k = 0; k < 3; k++) most.normal[k] = touch.normal[k];
  }
  return most;
}

/* The cores are apart. A crossing or a corner whose normal is a little outside of what the faces there allow can be nearer than the cores
 * are: then it is none. */
static prc_status add_outside(const couple *two, double reach, prc_solid_touches *out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_solid_touch touch, ends[2];
  double off, least = INFINITY;
  for (int i = 0; i < 2; i++) {
    ends[i] = prc_solid_ball_polyhedron(two->x, i, two->y);
    least = fmin(least, ends[i].gap);
  }
  for (int e = 0; e < two->y.solid->n_edges; e++)
    if (crossing(two, e, &touch, &off) && off <= PRC_SOLID_SAME && touch.gap > -two->x.solid->radius)
      least = fmin(least, touch.gap);
  for (int i = 0; i < two->y.solid->n; i++)
    if (under_core(two, i, &touch, &off) && off <= PRC_SOLID_SAME) least = fmin(least, touch.gap);
  for (int i = 0; i < 2; i++) prc_try(prc_solid_add_touch(&ends[i], reach, out, err));
  for (int e = 0; e < two->y.solid->n_edges; e++)
    if (crossing(two, e, &touch, &off) && off <= OFF && touch.gap >= least - two->same)
      prc_try(prc_solid_add_touch(&touch, reach, out, err));
  for (int i = 0; i < two->y.solid->n; i++)
    if (under_core(two, i, &touch, &off) && off <= OFF && touch.gap >= least - two->same)
      prc_try(prc_solid_add_touch(&touch, reach, out, err));
done:
  return status;
}

/* Is corner i of the capsule over face f of the polyhedron? */
static int is_over(const couple *two, int i, int f) {
  const prc_solid *solid = two->y.solid;
  const double *n = solid->face_normal + 3 * (size_t)f;
  for (int k = solid->face_start[f], end = solid->face_start[f + 1]; k < end; k++) {
    const int from = solid->face_corner[k];
    const int to = solid->face_corner[k + 1 < end ? k + 1 : solid->face_start[f]];
    double d[3], p[3], edge[3], outside[3], direction[3];
    prc_solid_between(two->x, i, two->y, from, d);
    prc_solid_turn_back(two->y.pose->R, d, p);
    for (int l = 0; l < 3; l++)
      edge[l] = solid->corner[3 * (size_t)to + (size_t)l] - solid->corner[3 * (size_t)from + (size_t)l];
    prc_solid_cross(edge, n, outside);
    (void)prc_solid_distance(outside, direction);
    if (prc_solid_dot(direction, p) > two->same) return 0;
  }
  return 1;
}

/* The core is in the polyhedron: where the face separates most, its ends over that face and the edges of that face that it crosses; if there
 * are none, the edge or the end that separates most. */
static prc_status add_inside(const couple *two, const separation *most, double reach, prc_solid_touches *out,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const int f = most->face, first = out->n;
  prc_solid_touch touch, deepest = {.gap = INFINITY};
  double n[3], off;
  prc_solid_turn(two->y.pose->R, two->y.solid->face_normal + 3 * (size_t)f, n);
  if (most->edge >= 0 && most->by_edge > most->by_face + 1e-6 * two->y.solid->length
      && prc_solid_dot(n, most->normal) < 1.0 - 0.5 * OFF * OFF) {
    (void)crossing(two, most->edge, &touch, &off);
    return prc_solid_add_touch(&touch, reach, out, err);
  }
  for (int i = 0; i < 2; i++) {
    touch = prc_solid_ball_face(two->x, i, two->y, f);
    if (touch.gap < deepest.gap) deepest = touch;
    if (is_over(two, i, f)) prc_try(prc_solid_add_touch(&touch, reach, out, err));
  }
  for (int e = 0; e < two->y.solid->n_edges; e++) {
    const int *edge = two->y.solid->edge + 4 * (size_t)e;
    if (edge[2] != f && edge[3] != f) continue;
    if (crossing(two, e, &touch, &off) && off <= OFF
        && prc_solid_dot(n, touch.normal) > 1.0 - 0.5 * OFF * OFF)
      prc_try(prc_solid_add_touch(&touch, reach, out, err));
  }
  if (out->n == first) {
    const int edge =
        most->edge >= 0 && most->by_edge > most->by_face && crossing(two, most->edge, &touch, &off);
    prc_try(prc_solid_add_touch(edge ? &touch : &deepest, reach, out, err));
  }
done:
  return status;
}

prc_status prc_solid_capsule_polyhedron_meet(prc_solid_stand a, prc_solid_stand b, double reach,
                                             prc_solid_touches *out, prc_error *err) {
  couple two = {.x = a, .y = b, .same = PRC_SOLID_SAME * fmin(a.solid->length, b.solid->length)};
  const int first = out->n;
  int ends[2];
  two.length = prc_solid_edge_of(a, 0, ends, two.along);
  const separation most = separate(&two);
  if (fmax(most.by_face, most.by_edge) > reach + a.solid->radius) return PRC_OK;
  const prc_status status = most.by_face > 0.0 || most.by_edge > 0.0
                                ? add_outside(&two, reach, out, err)
                                : add_inside(&two, &most, reach, out, err);
  for (int k = first; k < out->n; k++) out->touch[k] = prc_solid_turned_round(&out->touch[k]);
  return status;
}

/* ---- what goes on ---------------------------------------------------------------------------------------- */

/* From the round side of a capsule n leaves at once, of a core without a radius everywhere; there are points beyond one of its ends' normals where the core goes on along n. */
int prc_solid_capsule_goes_on(prc_solid_stand x, const double p[3], const double n[3], double flush,
                              int normals) {
  const double *pose = x.pose->x, r = x.solid->radius;
  double from[3], along[3], foot[3], out[3];
  int ends[2];
  const double length = prc_solid_edge_of(x, 0, ends, along);
  prc_solid_turn(x.pose->R, x.solid->corner + 3 * (size_t)ends[0], from);
  for (int k = 0; k < 3; k++) from[k] = (p[k] - pose[k]) - from[k];
  const double s = fmin(fmax(prc_solid_dot(from, along), 0.0), length), slope = prc_solid_dot(n, along);
  for (int k = 0; k < 3; k++) foot[k] = from[k] - s * along[k];
  const double far = prc_solid_distance(foot, out), c = prc_solid_dot(out, n);
  const double beyond = slope > 0.0 ? slope * (length - s) : -slope * s;
  if (far > r + flush) return 0;
  if (normals == PRC_SOLID_MANY_NORMALS) return beyond > PRC_SOLID_SAME * length;
  if (normals == PRC_SOLID_ONE_NORMAL && (!(r > 0.0) || (c > 0.0 && r + flush - far <= 2.0 * flush * c)))
    return 0;
  return beyond + r - far * c > 2.0 * flush;
}
