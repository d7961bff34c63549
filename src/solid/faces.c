#include "config.h"
#include "solid/internal.h"

#include <math.h>
#include <stdlib.h>

/* Normals, edges, length and width of a polyhedron from the corners of its faces. */

/* Twice the area of a face times its normal: the sum of the cross products of neighbours, both from its first corner. */
static void area_vector(const prc_solid *solid, int f, double out[3]) {
  const int *corner = solid->face_corner + solid->face_start[f];
  const int n = solid->face_start[f + 1] - solid->face_start[f];
  const double *o = solid->corner + 3 * (size_t)corner[0];
  out[0] = out[1] = out[2] = 0.0;
  for (int i = 1; i + 1 < n; i++) {
    double a[3], b[3], c[3];
    for (int k = 0; k < 3; k++) {
      a[k] = solid->corner[3 * (size_t)corner[i] + (size_t)k] - o[k];
      b[k] = solid->corner[3 * (size_t)corner[i + 1] + (size_t)k] - o[k];
    }
    prc_solid_cross(a, b, c);
    for (int k = 0; k < 3; k++) out[k] += c[k];
  }
}

void prc_solid_find_offsets(prc_solid *solid) {
  if (solid->kind->row == PRC_SOLID_HALF_SPACE)
    solid->face_offset[0] = prc_solid_dot(solid->face_normal, solid->corner);
  for (int f = 0; f < solid->n_faces; f++) {
    double most = -INFINITY;
    for (int i = solid->face_start[f]; i < solid->face_start[f + 1]; i++)
      most = fmax(most, prc_solid_dot(solid->face_normal + 3 * (size_t)f,
                                      solid->corner + 3 * (size_t)solid->face_corner[i]));
    solid->face_offset[f] = most;
  }
}

/* ---- edges --------------------------------------------------------------------------------------------- */

/* One side of an edge: a face in whose round it goes from corner to corner. */
typedef struct {
  int low, high, falls, face; /* falls: from the higher corner to the lower */
} side;

static int compare_sides(const void *x, const void *y) {
  const side *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->falls - b->falls;
}

/* Every edge is gone along once in either direction: by the face on its left from the lower corner, on its right to it. V - E + F = 2. */
static prc_status pair_sides(prc_solid *solid, int n_sides, const side *sides, prc_error *err) {
  solid->n_edges = n_sides / 2;
  int good = n_sides % 2 == 0 && solid->n - solid->n_edges + solid->n_faces == 2;
  for (int e = 0; good && e < solid->n_edges; e++) {
    const side *left = &sides[2 * e], *right = left + 1;
    const int edge[4] = {left->low, left->high, left->face, right->face};
    good = left->low == right->low && left->high == right->high && !left->falls && right->falls
           && (e == 0 || compare_sides(left - 2, left) != 0);
    for (int k = 0; k < 4; k++) solid->edge[4 * (size_t)e + (size_t)k] = edge[k];
  }
  if (!good)
    return prc_fail(
        err, PRC_INPUT,
        "the hull of the points of a solid is not certain: some of its %d corners are nearly, but not "
        "quite, in the planes of their neighbours",
        solid->n);
  return PRC_OK;
}

static prc_status find_edges(prc_solid *solid, prc_error *err) {
  prc_status status = PRC_OK;
  side *sides = NULL;
  const int n_sides = solid->face_start[solid->n_faces];
  prc_try(prc_new(&sides, n_sides, err));
  prc_try(prc_new(&solid->edge, 2 * (size_t)n_sides + 2, err));
  for (int f = 0; f < solid->n_faces; f++)
    for (int i = solid->face_start[f], end = solid->face_start[f + 1]; i < end; i++) {
      const int from = solid->face_corner[i];
      const int to = solid->face_corner[i + 1 < end ? i + 1 : solid->face_start[f]];
      const int falls = from > to;
      sides[i] = (side){falls ? to : from, falls ? from : to, falls, f};
    }
  qsort(sides, (size_t)n_sides, sizeof *sides, compare_sides);
  prc_try(pair_sides(solid, n_sides, sides, err));
done:
  prc_delete(&sides);
  return status;
}

static prc_status find_corner_edges(prc_solid *solid, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&solid->corner_start, solid->n + 2, err));
  prc_try(prc_new(&solid->corner_edge, 2 * (size_t)solid->n_edges, err));
  int *start = solid->corner_start;
  for (int e = 0; e < solid->n_edges; e++)
    for (int k = 0; k < 2; k++) start[solid->edge[4 * (size_t)e + (size_t)k] + 2]++;
  for (int i = 2; i <= solid->n; i++) start[i] += start[i - 1];
  for (int e = 0; e < solid->n_edges; e++)
    for (int k = 0; k < 2; k++) solid->corner_edge[start[solid->edge[4 * (size_t)e + (size_t)k] + 1]++] = e;
done:
  return status;
}

/* ---- length and width ---------------------------------------------------------------------------------- */

static void edge_vector(const prc_solid *solid, int e, double out[3]) {
  const double *from = solid->corner + 3 * (size_t)solid->edge[4 * (size_t)e];
  const double *to = solid->corner + 3 * (size_t)solid->edge[4 * (size_t)e + 1];
  for (int k = 0; k < 3; k++) out[k] = to[k] - from[k];
}

/* Does the direction, at right angles to the edge, lie on the arc between the normals of both its faces? */
static int on_arc(const prc_solid *solid, int e, const double direction[3]) {
  const double *left = solid->face_normal + 3 * (size_t)solid->edge[4 * (size_t)e + 2];
  const double *right = solid->face_normal + 3 * (size_t)solid->edge[4 * (size_t)e + 3];
  double arc[3], a[3], b[3];
  prc_solid_cross(right, left, arc);
  prc_solid_cross(right, direction, a);
  prc_solid_cross(direction, left, b);
  const double least = -1e-9 * prc_solid_dot(arc, arc);
  return prc_solid_dot(direction, left) + prc_solid_dot(direction, right) > 0.0
         && prc_solid_dot(arc, a) >= least && prc_solid_dot(arc, b) >= least;
}

/* Across two edges that have parallel planes between which the solid is; infinite: they have none. */
static double across_edges(const prc_solid *solid, int e, int f) {
  double a[3], b[3], c[3], direction[3];
  edge_vector(solid, e, a);
  edge_vector(solid, f, b);
  prc_solid_cross(a, b, c);
  const double sine = prc_solid_distance(c, direction),
               lengths = sqrt(prc_solid_dot(a, a) * prc_solid_dot(b, b));
  if (!(sine > 1e-9 * lengths)) return INFINITY; /* parallel: across a face */
  const double *p = solid->corner + 3 * (size_t)solid->edge[4 * (size_t)e];
  const double *q = solid->corner + 3 * (size_t)solid->edge[4 * (size_t)f];
  const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
  double across = prc_solid_dot(direction, d);
  if (across < 0.0) {
    across = -across;
    for (int k = 0; k < 3; k++) direction[k] = -direction[k];
  }
  const double back[3] = {-direction[0], -direction[1], -direction[2]};
  return on_arc(solid, e, direction) && on_arc(solid, f, back) ? across : INFINITY;
}

enum { FEW_EDGES = 2000 };

/* How low the corners are along a direction: of few all are asked; of many, from one of them on, *at, each time the lowest of those beside it, as
 * there is no lower one elsewhere. */
static double find_lowest(const prc_solid *solid, const double direction[3], int *at) {
  double lowest = prc_solid_dot(direction, solid->corner + 3 * (size_t)*at);
  for (int i = 0; i < solid->n && solid->n_edges <= FEW_EDGES; i++)
    lowest = fmin(lowest, prc_solid_dot(direction, solid->corner + 3 * (size_t)i));
  for (int from = -1; from != *at && solid->n_edges > FEW_EDGES;) {
    from = *at;
    for (int k = solid->corner_start[from]; k < solid->corner_start[from + 1]; k++) {
      const int *edge = solid->edge + 4 * (size_t)solid->corner_edge[k], to = edge[edge[0] == from];
      const double height = prc_solid_dot(direction, solid->corner + 3 * (size_t)to);
      if (height < lowest) lowest = height, *at = to;
    }
  }
  return lowest;
}

/* The least of all widths is across a face and a corner, or across two edges. Of many edges the faces alone are asked: they are so many that they
 * are as good. */
static void find_width(prc_solid *solid) {
  double least = INFINITY;
  int at = 0;
  for (int f = 0; f < solid->n_faces; f++)
    least = fmin(least, solid->face_offset[f] - find_lowest(solid, solid->face_normal + 3 * (size_t)f, &at));
  for (int e = 0; e < solid->n_edges && solid->n_edges <= FEW_EDGES; e++)
    for (int f = 0; f < e; f++) least = fmin(least, across_edges(solid, e, f));
  solid->width = least;
}

static void find_length(prc_solid *solid) {
  double vector[3], direction[3];
  solid->length = INFINITY;
  for (int e = 0; e < solid->n_edges; e++) {
    edge_vector(solid, e, vector);
    solid->length = fmin(solid->length, prc_solid_distance(vector, direction));
  }
}

prc_status prc_solid_add_faces(const prc_solid_net *net, prc_solid *solid, prc_error *err) {
  prc_status status = PRC_OK;
  const int n_faces = net->n_faces, n_all = net->start[n_faces];
  prc_try(prc_new(&solid->face_start, n_faces + 1, err));
  prc_try(prc_new(&solid->face_corner, n_all, err));
  prc_try(prc_new(&solid->face_normal, 3 * (size_t)n_faces, err));
  prc_try(prc_new(&solid->face_offset, n_faces, err));
  solid->n_faces = n_faces;
  for (int f = 0; f <= n_faces; f++) solid->face_start[f] = net->start[f];
  for (int i = 0; i < n_all; i++) solid->face_corner[i] = net->face[i];
  for (int f = 0; f < n_faces; f++) {
    double vector[3];
    area_vector(solid, f, vector);
    double *normal = solid->face_normal + 3 * (size_t)f;
    (void)prc_solid_distance(vector, normal);
    for (int k = 0; k < 3; k++) normal[k] += 0.0; /* no -0.0 */
  }
  prc_solid_find_offsets(solid);
  prc_try(find_edges(solid, err));
  prc_try(find_corner_edges(solid, err));
  find_length(solid);
  find_width(solid);
done:
  return status;
}
