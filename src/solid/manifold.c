#include "config.h"
#include "solid/cores.h"
#include "solid/polyhedra.h"

#include <math.h>

/* Where two faces that look at each other touch: the corners of what they have in common, seen along the normal of the one, the face of
 * reference. Each is a true corner, of the one or of the other, or two edges that cross. */

prc_status prc_solid_add_touch(const prc_solid_touch *touch, double reach, prc_solid_touches *out,
                               prc_error *err) {
  if (!(touch->gap <= reach)) return PRC_OK;
  const prc_status status =
      prc_grow((void *)&out->touch, &out->room, (size_t)out->n + 1, sizeof *out->touch, err);
  if (status == PRC_OK) out->touch[out->n++] = *touch;
  return status;
}

/* ---- which faces --------------------------------------------------------------------------------------- */

int prc_solid_deepest_corner(const prc_solid_two *two, const prc_solid_best_face *face) {
  const prc_solid_placed *on = &two->side[face->side], *other = &two->side[!face->side];
  const double *n = on->normal + 3 * (size_t)face->face;
  double least = INFINITY;
  int at = 0;
  for (int k = 0; k < other->stand.solid->n; k++) {
    const double s = prc_solid_dot(n, other->corner + 3 * (size_t)k);
    if (s < least) least = s, at = k;
  }
  return at;
}

/* Of the faces at the deepest corner the one that is most against the face of reference; within 1e-9 the lowest number. Among all faces one
 * far away might be more so. */
static int incident_face(const prc_solid_two *two, const prc_solid_best_face *reference) {
  const prc_solid_placed *on = &two->side[reference->side], *other = &two->side[!reference->side];
  const prc_solid *y = other->stand.solid;
  const double *n = on->normal + 3 * (size_t)reference->face;
  const int corner = prc_solid_deepest_corner(two, reference);
  double least = INFINITY;
  int at = y->n_faces;
  for (int pass = 0; pass < 2; pass++)
    for (int k = y->corner_start[corner]; k < y->corner_start[corner + 1]; k++)
      for (int side = 2; side < 4; side++) {
        const int face = y->edge[4 * (size_t)y->corner_edge[k] + (size_t)side];
        const double s = prc_solid_dot(n, other->normal + 3 * (size_t)face);
        if (pass == 0)
          least = fmin(least, s);
        else if (s <= least + PRC_SOLID_SAME && face < at)
          at = face;
      }
  return at;
}

/* ---- two polygons in the plane of reference ------------------------------------------------------------ */

/* A face seen along the normal: its corners in the plane, and unit directions of its sides. */
typedef struct {
  const prc_solid_placed *of;
  int face, n;
  const int *corner;
  double *x, *t, *length; /* 2 n, 2 n, n */
} polygon;

static polygon polygon_of(const prc_solid_placed *of, int face, const double *origin, double axis[2][3],
                          double *work) {
  const prc_solid *solid = of->stand.solid;
  polygon p = {.of = of, .face = face, .corner = solid->face_corner + solid->face_start[face]};
  p.n = solid->face_start[face + 1] - solid->face_start[face];
  p.x = work, p.t = p.x + 2 * (size_t)p.n, p.length = p.t + 2 * (size_t)p.n;
  for (int k = 0; k < p.n; k++) {
    const double *x = of->corner + 3 * (size_t)p.corner[k];
    const double d[3] = {x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]};
    for (int l = 0; l < 2; l++) p.x[2 * k + l] = prc_solid_dot(axis[l], d);
  }
  for (int k = 0; k < p.n; k++) {
    const double *x = p.x + 2 * (size_t)k, *y = p.x + 2 * (size_t)(k + 1 < p.n ? k + 1 : 0);
    const double t[2] = {y[0] - x[0], y[1] - x[1]};
    p.length[k] = sqrt(t[0] * t[0] + t[1] * t[1]);
    for (int l = 0; l < 2; l++) p.t[2 * k + l] = p.length[k] > 0.0 ? t[l] / p.length[k] : 0.0;
  }
  return p;
}

/* How far the corners of p are inside of each side of o, from the line through it: p.n by o.n. Of a side that is a point seen so: as far as
 * can be. `turn`: 1 where o goes round anticlockwise, -1 clockwise. */
static void distances(const polygon *p, const polygon *o, double turn, double same, double *out) {
  for (int k = 0; k < p->n; k++)
    for (int e = 0; e < o->n; e++) {
      const double d[2] = {p->x[2 * k] - o->x[2 * e], p->x[2 * k + 1] - o->x[2 * e + 1]};
      const double s = turn * (o->t[2 * e] * d[1] - o->t[2 * e + 1] * d[0]);
      out[k * o->n + e] = o->length[e] > same ? s : INFINITY;
    }
}
static int is_inside(int n, const double *distance, double same) {
  for (int e = 0; e < n; e++)
    if (!(distance[e] >= -same)) return 0;
  return 1;
}
/* Clearly on different sides. */
static int differ(double a, double b, double same) {
  return (a > same && b < -same) || (a < -same && b > same);
}

static int edge_of(const polygon *p, int k) {
  const prc_solid *solid = p->of->stand.solid;
  const int from = p->corner[k], to = p->corner[k + 1 < p->n ? k + 1 : 0];
  for (int e = solid->corner_start[from]; e < solid->corner_start[from + 1]; e++) {
    const int *edge = solid->edge + 4 * (size_t)solid->corner_edge[e];
    if (edge[0] == to || edge[1] == to) return solid->corner_edge[e];
  }
  return -1;
}

/* ---- the points ---------------------------------------------------------------------------------------- */

typedef struct {
  polygon on, other; /* of reference, incident */
  double *deep,
      *facing; /* distances of the incident corners from the sides of reference, and the other way round */
  double same, reach;
} overlap;

/* Corner k of p against the face of o. */
static prc_status add_corner(const overlap *both, const polygon *p, int k, const polygon *o,
                             prc_solid_touches *out, prc_error *err) {
  prc_solid_touch touch = prc_solid_ball_face(p->of->stand, p->corner[k], o->of->stand, o->face);
  if (o->of > p->of) touch = prc_solid_turned_round(&touch); /* the second's face */
  return prc_solid_add_touch(&touch, both->reach, out, err);
}

/* Corners of the incident face inside the face of reference, which touch that; and corners of the face of reference inside the other, which
 * touch the other, but where two corners are at one place. */
static prc_status add_corners(const overlap *both, prc_solid_touches *out, prc_error *err) {
  const polygon *on = &both->on, *other = &both->other;
  const double near = 4.0 * both->same * both->same;
  prc_status status = PRC_OK;
  for (int k = 0; k < other->n && status == PRC_OK; k++)
    if (is_inside(on->n, both->deep + k * on->n, both->same))
      status = add_corner(both, other, k, on, out, err);
  for (int e = 0; e < on->n && status == PRC_OK; e++) {
    int single = is_inside(other->n, both->facing + e * other->n, both->same);
    for (int k = 0; k < other->n && single; k++) {
      const double d[2] = {other->x[2 * k] - on->x[2 * e], other->x[2 * k + 1] - on->x[2 * e + 1]};
      if (d[0] * d[0] + d[1] * d[1] <= near && is_inside(on->n, both->deep + k * on->n, both->same))
        single = 0;
    }
    if (single) status = add_corner(both, on, e, other, out, err);
  }
  return status;
}

static prc_status add_crossing(const overlap *both, int e, int k, prc_solid_touches *out, prc_error *err) {
  const polygon *on = &both->on, *other = &both->other;
  const prc_solid_stand x = on->of->stand, y = other->of->stand;
  double n[3];
  prc_solid_turn(x.pose->R, x.solid->face_normal + 3 * (size_t)on->face, n);
  prc_solid_touch touch = prc_solid_edge_edge(x, edge_of(on, e), y, edge_of(other, k), n, 0.0, NULL);
  if (on->of > other->of) touch = prc_solid_turned_round(&touch);
  return prc_solid_add_touch(&touch, both->reach, out, err);
}

/* Edges that cross, no end of either on the other. */
static prc_status add_crossings(const overlap *both, prc_solid_touches *out, prc_error *err) {
  const int n = both->on.n, m = both->other.n;
  prc_status status = PRC_OK;
  for (int e = 0; e < n; e++)
    for (int k = 0; k < m; k++) {
      const int e_next = e + 1 < n ? e + 1 : 0, k_next = k + 1 < m ? k + 1 : 0;
      if (!differ(both->deep[k * n + e], both->deep[k_next * n + e], both->same)
          || !differ(both->facing[e * m + k], both->facing[e_next * m + k], both->same))
        continue;
      status = add_crossing(both, e, k, out, err);
      if (status != PRC_OK) return status;
    }
  return status;
}

prc_status prc_solid_add_manifold(const prc_solid_two *two, const prc_solid_best_face *reference,
                                  double reach, prc_solid_touches *out, prc_error *err) {
  const prc_solid_placed *x = &two->side[reference->side], *y = &two->side[!reference->side];
  const prc_solid *solid = x->stand.solid;
  const int incident = incident_face(two, reference);
  const int *corner = solid->face_corner + solid->face_start[reference->face];
  const double *from = x->corner + 3 * (size_t)corner[0], *to = x->corner + 3 * (size_t)corner[1];
  const double *n = x->normal + 3 * (size_t)reference->face;
  double axis[2][3] = {{to[0] - from[0], to[1] - from[1], to[2] - from[2]}};
  const double length = sqrt(prc_solid_dot(axis[0], axis[0]));
  prc_status status;
  if (incident >= y->stand.solid->n_faces) return PRC_OK; /* of poses that are not numbers */
  for (int k = 0; k < 3; k++) axis[0][k] /= length;
  prc_solid_cross(n, axis[0], axis[1]);
  overlap both = {.same = two->same, .reach = reach};
  both.on = polygon_of(x, reference->face, from, axis, two->work);
  both.other = polygon_of(y, incident, from, axis, two->work + 5 * (size_t)both.on.n);
  both.deep = two->work + 5 * (size_t)(both.on.n + both.other.n);
  both.facing = both.deep + (size_t)both.on.n * (size_t)both.other.n;
  distances(&both.other, &both.on, 1.0, two->same, both.deep);
  distances(&both.on, &both.other, -1.0, two->same, both.facing);
  status = add_corners(&both, out, err);
  if (status == PRC_OK) status = add_crossings(&both, out, err);
  return status;
}
