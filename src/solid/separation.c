#include "config.h"
#include "solid/polyhedra.h"

#include <math.h>

/* How far two polyhedra are apart, or how deep they are in each other: of their difference {y - x}, a polyhedron whose faces are those of both
 * and, for each pair of edges whose arcs of normals cross, a parallelogram of the two, the plane that is farthest out from the origin. */

/* ---- placing ------------------------------------------------------------------------------------------- */

/* The spheres around the origins of the axes, with room for their rounding. */
static int spheres_separate(prc_solid_stand a, prc_solid_stand b, double reach) {
  const double d[3] = {b.pose->x[0] - a.pose->x[0], b.pose->x[1] - a.pose->x[1], b.pose->x[2] - a.pose->x[2]};
  const double near = (a.solid->extent + b.solid->extent) * (1.0 + 1e-12) + reach;
  return near > 0.0 && prc_solid_dot(d, d) > near * near * (1.0 + 1e-12);
}

static void axes_of(prc_solid_stand a, prc_solid_stand b, double origin[3], double Q[9]) {
  const double d[3] = {b.pose->x[0] - a.pose->x[0], b.pose->x[1] - a.pose->x[1], b.pose->x[2] - a.pose->x[2]};
  const double *A = a.pose->R, *B = b.pose->R;
  prc_solid_turn_back(A, d, origin);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) Q[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

/* The face of x that is farthest below the point: the point's distance. */
static double face_below(const prc_solid *x, const double point[3], int *face) {
  double most = -INFINITY;
  *face = 0;
  for (int f = 0; f < x->n_faces; f++) {
    const double s = prc_solid_dot(x->face_normal + 3 * (size_t)f, point) - x->face_offset[f];
    if (s > most) most = s, *face = f;
  }
  return most;
}
static double least_along(int n, const double *corner, const double m[3]) {
  double least = INFINITY;
  for (int k = 0; k < n; k++) {
    const double s = prc_solid_dot(m, corner + 3 * (size_t)k);
    least = s < least ? s : least;
  }
  return least;
}

/* The same of many corners: from *at on down along edges, as far as it goes, for what is convex has no other lowest corner. */
#define MANY 32
static double least_from(const prc_solid *x, const double *corner, const double m[3], int *at) {
  double least = prc_solid_dot(m, corner + 3 * (size_t)*at);
  if (x->n <= MANY) return least_along(x->n, corner, m);
  for (int from = -1; from != *at;) {
    from = *at;
    for (int k = x->corner_start[from]; k < x->corner_start[from + 1]; k++) {
      const int *edge = x->edge + 4 * (size_t)x->corner_edge[k], to = edge[0] == from ? edge[1] : edge[0];
      const double s = prc_solid_dot(m, corner + 3 * (size_t)to);
      if (s < least) least = s, *at = to;
    }
  }
  return least;
}

int prc_solid_may_meet(prc_solid_stand a, prc_solid_stand b, double reach, prc_solid_two *two) {
  double m[3], back[3];
  int face;
  if (spheres_separate(a, b, reach)) return 0;
  axes_of(a, b, two->origin, two->Q);
  const double above = face_below(a.solid, two->origin, &face);
  prc_solid_turn_back(two->Q, a.solid->face_normal + 3 * (size_t)face, m);
  if (above + least_along(b.solid->n, b.solid->corner, m) > reach) return 0;
  prc_solid_turn_back(two->Q, two->origin, back);
  for (int k = 0; k < 3; k++) back[k] = -back[k];
  const double below = face_below(b.solid, back, &face);
  prc_solid_turn(two->Q, b.solid->face_normal + 3 * (size_t)face, m);
  return below + least_along(a.solid->n, a.solid->corner, m) <= reach;
}

void prc_solid_place_both(prc_solid_stand a, prc_solid_stand b, double *work, prc_solid_two *two) {
  double *corner = work, *normal = corner + 3 * (size_t)b.solid->n;
  double *separation = normal + 3 * (size_t)b.solid->n_faces;
  for (int k = 0; k < b.solid->n; k++) {
    double *x = corner + 3 * (size_t)k;
    prc_solid_turn(two->Q, b.solid->corner + 3 * (size_t)k, x);
    for (int l = 0; l < 3; l++) x[l] += two->origin[l];
  }
  for (int f = 0; f < b.solid->n_faces; f++)
    prc_solid_turn(two->Q, b.solid->face_normal + 3 * (size_t)f, normal + 3 * (size_t)f);
  two->side[0] = (prc_solid_placed){a, a.solid->corner, a.solid->face_normal, separation};
  two->side[1] = (prc_solid_placed){b, corner, normal, separation + a.solid->n_faces};
  two->same = PRC_SOLID_SAME * fmin(a.solid->length, b.solid->length);
  two->work = separation + a.solid->n_faces + b.solid->n_faces;
}

/* ---- faces --------------------------------------------------------------------------------------------- */

/* s(f) = min over the corners v of the other of n . (v - x_f). */
static int separate_side(prc_solid_two *two, int side, double reach) {
  const prc_solid_placed *on = &two->side[side], *other = &two->side[!side];
  const prc_solid *x = on->stand.solid;
  int at = 0;
  for (int f = 0; f < x->n_faces; f++) {
    const double *n = on->normal + 3 * (size_t)f;
    const double offset = side ? x->face_offset[f] + prc_solid_dot(n, two->origin) : x->face_offset[f];
    on->separation[f] = least_from(other->stand.solid, other->corner, n, &at) - offset;
    if (on->separation[f] > reach) return 0;
  }
  return 1;
}

/* The face that separates most, and of those within `same` of it the lowest number. */
static void best_of_side(const prc_solid_two *two, int side, prc_solid_best_face *most,
                         prc_solid_best_face *lowest) {
  const double *s = two->side[side].separation;
  const int n = two->side[side].stand.solid->n_faces;
  int f = 0;
  *most = (prc_solid_best_face){side, 0, s[0]};
  for (int k = 1; k < n; k++)
    if (s[k] > most->separation) *most = (prc_solid_best_face){side, k, s[k]};
  while (f < most->face && !(s[f] >= most->separation - two->same)) f++;
  *lowest = (prc_solid_best_face){side, f, s[f]};
}

int prc_solid_separate_faces(prc_solid_two *two, double reach, prc_solid_best_face *most,
                             prc_solid_best_face *reference) {
  prc_solid_best_face best[2], lowest[2];
  for (int side = 0; side < 2; side++) {
    if (!separate_side(two, side, reach)) return 0;
    best_of_side(two, side, &best[side], &lowest[side]);
  }
  const double more = best[1].separation - best[0].separation;
  *most = best[more > 0.0];
  if (fabs(more) > two->same)
    *reference = lowest[more > 0.0];
  else
    *reference = lowest[lowest[1].face < lowest[0].face];
  return 1;
}

/* ---- edges --------------------------------------------------------------------------------------------- */

#define OFF_ZERO 1e-9 /* a normal less than this off the plane across an edge says nothing of a side */
#define SINE     1e-6 /* edges that are parallel within this make no plane */

/* On which side of the plane across direction d the normals of faces are. A normal is `on` the side 1 or 2, and `off` the side 2 or 1, 0
 * where that is not clear: on[f] & off[g] is 1 where f is on the first side and g on the second, 2 the other way round, otherwise 0. */
typedef struct {
  unsigned char *on, *off;
} sides;
static void sides_of(const prc_solid_placed *x, const double d[3], double square, sides out) {
  const double clear = OFF_ZERO * sqrt(square), *restrict normal = x->normal;
  unsigned char *restrict on = out.on, *restrict off = out.off;
  const int n = x->stand.solid->n_faces;
  for (int f = 0; f < n; f++) {
    const double s = prc_solid_dot(normal + 3 * (size_t)f, d);
    const int above = s > clear, below = s < -clear;
    on[f] = (unsigned char)(above | below << 1);
    off[f] = (unsigned char)(below | above << 1);
  }
}
/* on[left] & off[right] of the faces of edges */
static void cross_faces(int n, const int *restrict number, const int *restrict edge, sides of,
                        unsigned char *restrict out) {
  const unsigned char *restrict on = of.on, *restrict off = of.off;
  for (int k = 0; k < n; k++) {
    const int *faces = edge + 4 * (size_t)number[k] + 2;
    out[k] = on[faces[0]] & off[faces[1]];
  }
}

/* The same of few edges, whose faces alone are looked at. */
static void cross_few(int n, const int *number, const prc_solid_placed *x, const double d[3], double square,
                      unsigned char *out) {
  const double clear = OFF_ZERO * sqrt(square);
  for (int k = 0; k < n; k++) {
    const int *face = x->stand.solid->edge + 4 * (size_t)number[k] + 2;
    const double left = prc_solid_dot(x->normal + 3 * (size_t)face[0], d);
    const double right = prc_solid_dot(x->normal + 3 * (size_t)face[1], d);
    const int first = left > clear && right < -clear, second = left < -clear && right > clear;
    out[k] = (unsigned char)(first | second << 1);
  }
}

static double edge_between(const prc_solid_placed *x, int e, double d[3]) {
  const int *edge = x->stand.solid->edge + 4 * (size_t)e;
  const double *from = x->corner + 3 * (size_t)edge[0], *to = x->corner + 3 * (size_t)edge[1];
  for (int k = 0; k < 3; k++) d[k] = to[k] - from[k];
  return prc_solid_dot(d, d);
}

/* Room for the edges of the first that may separate: directions, their squares and numbers; sides of its faces, and what the edges make of
 * them. */
typedef struct {
  double *d, *square;
  int *number;
  sides of_a;
  unsigned char *row;
} edges_work;
static size_t edges_bytes(const prc_solid *a) {
  return (sizeof(int) + 1) * (size_t)a->n_edges + 2 * (size_t)a->n_faces;
}
static edges_work lay_out(const prc_solid *a, double *work) {
  edges_work w = {.d = work, .square = work + 3 * (size_t)a->n_edges};
  w.number = (void *)(w.square + a->n_edges);
  w.of_a.on = (unsigned char *)(w.number + a->n_edges);
  w.of_a.off = w.of_a.on + a->n_faces;
  w.row = w.of_a.off + a->n_faces;
  return w;
}

/* Along n the two are separated by s(n) = min n . (y - x), which changes by no more than their largest distance D times the change of n. On the arc
 * of an edge between the normals of its faces, c apart, that is at most the mean of both separations and D times 0.71 c, for the chords to both
 * ends are together at most sqrt(2) c. Of finely faceted things few edges are left. */
static int may_separate(const prc_solid_placed *x, int e, double far, double above) {
  if (x->stand.solid->n <= MANY) return 1;
  const int *face = x->stand.solid->edge + 4 * (size_t)e + 2;
  const double *m = x->normal + 3 * (size_t)face[0], *n = x->normal + 3 * (size_t)face[1];
  const double d[3] = {n[0] - m[0], n[1] - m[1], n[2] - m[2]};
  return 0.5 * (x->separation[face[0]] + x->separation[face[1]]) + 0.71 * far * sqrt(prc_solid_dot(d, d))
         >= above;
}
static size_t find_edges(const prc_solid_placed *a, double far, double above, const edges_work *w) {
  size_t n = 0;
  for (int i = 0; i < a->stand.solid->n_edges; i++) {
    if (!may_separate(a, i, far, above)) continue;
    w->square[n] = edge_between(a, i, w->d + 3 * n);
    w->number[n++] = i;
  }
  return n;
}

/* The plane of edge i of the first, in direction d, and j of the second, in direction e; c . c is more than `limit`. Replaces `most` where
 * it separates more: without a root where it does not. */
static void separate_pair(const prc_solid_two *two, int i, int j, const double d[3], const double e[3],
                          double limit, double sign, prc_solid_best_edges *most) {
  const prc_solid_placed *a = &two->side[0], *b = &two->side[1];
  const double *p = a->corner + 3 * (size_t)a->stand.solid->edge[4 * (size_t)i];
  const double *q = b->corner + 3 * (size_t)b->stand.solid->edge[4 * (size_t)j];
  const double between[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
  double c[3];
  prc_solid_cross(d, e, c);
  const double square = prc_solid_dot(c, c), along = sign * prc_solid_dot(c, between);
  const double least = most->separation * most->separation * square;
  if (!(square > limit)) return;
  if (most->separation < 0.0 ? along < 0.0 && along * along >= least
                             : !(along > 0.0 && along * along > least))
    return;
  const double root = sqrt(square), s = along / root;
  if (!(s > most->separation)) return;
  most->edge[0] = i, most->edge[1] = j, most->separation = s;
  for (int k = 0; k < 3; k++) most->normal[k] = sign * c[k] / root;
}

/* Arcs of normals of edge d of the first, from n_l on its left to n_r on its right, n_l x n_r along d, and of e of the second reversed, from
 * -m_l to -m_r. They cross where the ends of each are on different sides of the other's plane,
 *   n_l . e > 0 > n_r . e  and  m_l . d > 0 > m_r . d,  at d x e,  or all the other way round, at -d x e:
 * n_l (-n_r . e) + n_r (n_l . e) = d x e |n_l x n_r| / |d| is on the one arc, and so on. What is not clear within rounding crosses nothing:
 * parallel edges of blocks in one attitude would otherwise separate what does not separate. */
int prc_solid_separate_edges(prc_solid_two *two, double above, double reach, prc_solid_best_edges *most) {
  const prc_solid_placed *a = &two->side[0], *b = &two->side[1];
  const prc_solid *x = a->stand.solid, *y = b->stand.solid;
  const edges_work w = lay_out(x, two->work);
  *most = (prc_solid_best_edges){{-1, -1}, above, {0.0, 0.0, 0.0}};
  const double far = sqrt(prc_solid_dot(two->origin, two->origin)) + x->extent + y->extent;
  const size_t n = find_edges(a, far, above, &w);
  for (int j = 0; j < y->n_edges; j++) {
    if (!may_separate(b, j, far, above)) continue;
    const double *left = b->normal + 3 * (size_t)y->edge[4 * (size_t)j + 2];
    const double *right = b->normal + 3 * (size_t)y->edge[4 * (size_t)j + 3];
    double e[3];
    const double square = edge_between(b, j, e);
    if (2 * n < (size_t)x->n_faces) {
      cross_few((int)n, w.number, a, e, square, w.row);
    } else {
      sides_of(a, e, square, w.of_a);
      cross_faces((int)n, w.number, x->edge, w.of_a, w.row);
    }
    for (size_t i = 0; i < n; i++) {
      if (w.row[i] == 0) continue;
      const double sign = w.row[i] == 1 ? 1.0 : -1.0, *d = w.d + 3 * i;
      const double clear = OFF_ZERO * OFF_ZERO * w.square[i];
      const double l = sign * prc_solid_dot(left, d), r = sign * prc_solid_dot(right, d);
      if (l > 0.0 && r < 0.0 && l * l > clear && r * r > clear)
        separate_pair(two, w.number[i], j, d, e, SINE * SINE * square * w.square[i], sign, most);
    }
    if (most->separation > reach) return 0;
  }
  return 1;
}

size_t prc_solid_room_of(const prc_solid *a, const prc_solid *b) {
  size_t corners[2] = {0, 0};
  const prc_solid *const x[2] = {a, b};
  for (int side = 0; side < 2; side++)
    for (int f = 0; f < x[side]->n_faces; f++) {
      const size_t n = (size_t)(x[side]->face_start[f + 1] - x[side]->face_start[f]);
      if (n > corners[side]) corners[side] = n;
    }
  const size_t placed = 3 * (size_t)b->n + 4 * (size_t)b->n_faces + (size_t)a->n_faces;
  const size_t edges = 4 * (size_t)a->n_edges + edges_bytes(a) / sizeof(double) + 1;
  const size_t polygons = 5 * (corners[0] + corners[1]) + 2 * corners[0] * corners[1];
  return placed + (edges > polygons ? edges : polygons);
}
