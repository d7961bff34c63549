#include "config.h"
#include "support/polyhedra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
typedef support_real real;

double support_uniform(uint64_t *seed, double low, double high) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* ---- poses --------------------------------------------------------------------------------------------- */

prc_solid_pose support_pose(const double x[3], const double axis[3], double angle) {
  prc_solid_pose pose = {{x[0], x[1], x[2]}, {0}};
  const real length = sqrtl((real)axis[0] * axis[0] + (real)axis[1] * axis[1] + (real)axis[2] * axis[2]);
  const real n[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
  const real c = cosl(angle), s = sinl(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      real value = (1 - c) * n[i] * n[j];
      if (i == j)
        value += c;
      else
        value += ((j - i + 3) % 3 == 2 ? s : -s) * n[3 - i - j];
      pose.R[3 * i + j] = (double)value;
    }
  return pose;
}

static void any_axis(uint64_t *seed, double axis[3]) {
  do
    for (int k = 0; k < 3; k++) axis[k] = support_uniform(seed, -1.0, 1.0);
  while (!(dot(axis, axis) > 0.01 && dot(axis, axis) < 1.0));
}
prc_solid_pose support_any_attitude(uint64_t *seed, const double x[3]) {
  double axis[3];
  any_axis(seed, axis);
  prc_solid_pose pose = support_pose(x, axis, support_uniform(seed, -3.1, 3.1));
  support_nudge(seed, &pose, support_uniform(seed, -3.1, 3.1));
  return pose;
}
void support_nudge(uint64_t *seed, prc_solid_pose *pose, double angle) {
  const double zero[3] = {0.0, 0.0, 0.0};
  double axis[3], R[9];
  any_axis(seed, axis);
  const prc_solid_pose by = support_pose(zero, axis, angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      real sum = 0.0L;
      for (int k = 0; k < 3; k++) sum += (real)by.R[3 * i + k] * pose->R[3 * k + j];
      R[3 * i + j] = (double)sum;
    }
  memcpy(pose->R, R, sizeof R);
}

/* ---- a hull by all triples ----------------------------------------------------------------------------- */

typedef struct {
  int n, corner[MOST];
  double normal[3], offset;
} side;

/* The corners in the plane of three, anticlockwise from the lowest; 0: others are on both sides, or the three are in line. */
static int side_of(int n, const double *x, const int three[3], side *out) {
  double s[3], t[3], middle[3] = {0.0, 0.0, 0.0}, angle[MOST];
  for (int k = 0; k < 3; k++) {
    s[k] = x[3 * three[1] + k] - x[3 * three[0] + k];
    t[k] = x[3 * three[2] + k] - x[3 * three[0] + k];
  }
  cross(s, t, out->normal);
  const double length = sqrt(dot(out->normal, out->normal));
  if (!(length > 1e-12 * sqrt(dot(s, s) * dot(t, t)))) return 0;
  for (int k = 0; k < 3; k++) out->normal[k] /= length;
  out->offset = dot(out->normal, x + 3 * three[0]), out->n = 0;
  for (int k = 0; k < n; k++) {
    const double d = dot(out->normal, x + 3 * k) - out->offset;
    if (d > 1e-10) return 0;
    if (d > -1e-10) out->corner[out->n++] = k;
  }
  for (int k = 0; k < out->n; k++)
    for (int l = 0; l < 3; l++) middle[l] += x[3 * out->corner[k] + l] / out->n;
  for (int l = 0; l < 3; l++) s[l] = x[3 * out->corner[0] + l] - middle[l];
  cross(out->normal, s, t);
  for (int k = 0; k < out->n; k++) {
    const double *y = x + 3 * out->corner[k];
    const double d[3] = {y[0] - middle[0], y[1] - middle[1], y[2] - middle[2]};
    angle[k] = k ? atan2(dot(t, d), dot(s, d)) : 0.0;
    if (angle[k] < 0.0) angle[k] += 6.283185307179586;
    for (int l = k; l > 1 && angle[l] < angle[l - 1]; l--) {
      const double a = angle[l];
      const int c = out->corner[l];
      angle[l] = angle[l - 1], angle[l - 1] = a;
      out->corner[l] = out->corner[l - 1], out->corner[l - 1] = c;
    }
  }
  return 1;
}

static int all_sides(int n, const double *point, side *found) {
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        const int three[3] = {i, j, k};
        side candidate;
        int known = i == j || j == k || k == i || !side_of(n, point, three, &candidate);
        for (int f = 0; f < count && !known; f++)
          known = dot(found[f].normal, candidate.normal) > 1.0 - 1e-12;
        if (!known) found[count++] = candidate;
      }
  return count;
}

static double farthest(const prc_solid *solid) {
  double square = 0.0;
  for (int k = 0; k < solid->n; k++)
    square = fmax(square, dot(solid->corner + 3 * (size_t)k, solid->corner + 3 * (size_t)k));
  return sqrt(square);
}

/* Each edge is in two faces, along it in that on its left. */
static void find_edges(prc_solid *solid) {
  solid->length = INFINITY;
  for (int f = 0; f < solid->n_faces; f++) {
    const int *corner = solid->face_corner + solid->face_start[f],
              n = solid->face_start[f + 1] - solid->face_start[f];
    for (int k = 0; k < n; k++) {
      const int from = corner[k], to = corner[(k + 1) % n];
      int *edge = solid->edge + 4 * (size_t)solid->n_edges;
      if (from > to) continue;
      edge[0] = from, edge[1] = to, edge[2] = f, edge[3] = -1;
      for (int g = 0; g < solid->n_faces; g++) {
        const int *other = solid->face_corner + solid->face_start[g];
        const int m = solid->face_start[g + 1] - solid->face_start[g];
        for (int l = 0; l < m; l++)
          if (other[l] == to && other[(l + 1) % m] == from) edge[3] = g;
      }
      if (edge[3] < 0) abort();
      double d[3];
      for (int l = 0; l < 3; l++) d[l] = solid->corner[3 * to + l] - solid->corner[3 * from + l];
      solid->length = fmin(solid->length, sqrt(dot(d, d)));
      solid->n_edges++;
    }
  }
  int count = 0;
  for (int k = 0; k < solid->n; k++) {
    solid->corner_start[k] = count;
    for (int e = 0; e < solid->n_edges; e++)
      if (solid->edge[4 * e] == k || solid->edge[4 * e + 1] == k) solid->corner_edge[count++] = e;
  }
  solid->corner_start[solid->n] = count;
}

prc_solid support_hull(int n, const double *point) {
  side *found = calloc(4 * MOST, sizeof *found);
  prc_solid solid = {.n = n, .n_faces = all_sides(n, point, found)};
  const size_t faces = (size_t)solid.n_faces, corners = (size_t)n, most = 16 * (corners + faces);
  solid.corner = calloc(3 * corners, sizeof *solid.corner);
  solid.face_start = calloc(faces + 1, sizeof *solid.face_start);
  solid.face_corner = calloc(most, sizeof *solid.face_corner);
  solid.face_normal = calloc(3 * faces, sizeof *solid.face_normal);
  solid.face_offset = calloc(faces, sizeof *solid.face_offset);
  solid.edge = calloc(4 * most, sizeof *solid.edge);
  solid.corner_start = calloc(corners + 1, sizeof *solid.corner_start);
  solid.corner_edge = calloc(most, sizeof *solid.corner_edge);
  memcpy(solid.corner, point, 3 * corners * sizeof *point);
  for (int f = 0; f < solid.n_faces; f++) {
    solid.face_start[f + 1] = solid.face_start[f] + found[f].n;
    memcpy(solid.face_corner + solid.face_start[f], found[f].corner, (size_t)found[f].n * sizeof(int));
    memcpy(solid.face_normal + 3 * f, found[f].normal, sizeof found[f].normal);
    solid.face_offset[f] = found[f].offset;
  }
  free(found);
  find_edges(&solid);
  solid.extent = farthest(&solid);
  solid.width = solid.length; /* not looked at */
  return solid;
}

/* One set of corners and faces is the same for all boxes. */
prc_solid support_box(double x, double y, double z) {
  static const double unit[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                  -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
  const double edges[3] = {x, y, z};
  prc_solid box = support_hull(8, unit);
  int order[6];
  double normal[18];
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 3; k++)
      if (fabs(box.face_normal[3 * f + k]) > 0.5) order[f] = 2 * k + (box.face_normal[3 * f + k] > 0.0);
  for (int f = 0; f < 6; f++)
    for (int k = 0; k < 3; k++) normal[3 * order[f] + k] = rint(box.face_normal[3 * f + k]) + 0.0;
  int corner[24];
  for (int f = 0; f < 6; f++) memcpy(corner + 4 * order[f], box.face_corner + 4 * f, 4 * sizeof(int));
  memcpy(box.face_corner, corner, sizeof corner);
  memcpy(box.face_normal, normal, sizeof normal);
  for (int f = 0; f < 6; f++) box.face_offset[f] = 0.5 * edges[f / 2];
  for (int k = 0; k < 24; k++) box.corner[k] = 0.5 * edges[k % 3] * unit[k];
  box.n_edges = 0;
  find_edges(&box);
  box.extent = farthest(&box);
  box.width = box.length;
  return box;
}

prc_solid support_stone(uint64_t *seed) {
  return support_pebble(seed, 5 + (int)support_uniform(seed, 0.0, 11.999));
}
prc_solid support_pebble(uint64_t *seed, int n) {
  double x[3 * MOST];
  const double stretch[3] = {support_uniform(seed, 0.3, 1.0), support_uniform(seed, 0.3, 1.0),
                             support_uniform(seed, 0.3, 1.0)};
  for (int k = 0; k < n; k++) {
    double *y = x + 3 * k, d[3];
    int near;
    do {
      any_axis(seed, y);
      const double length = sqrt(dot(y, y));
      near = 0;
      for (int l = 0; l < 3; l++) y[l] /= length;
      for (int i = 0; i < k; i++) {
        for (int l = 0; l < 3; l++) d[l] = y[l] - x[3 * i + l];
        near |= dot(d, d) < (n > 16 ? 1e-3 : 0.01);
      }
    } while (near);
  }
  for (int k = 0; k < 3 * n; k++) x[k] *= stretch[k % 3];
  return support_hull(n, x);
}

void support_release(prc_solid *solid) {
  free(solid->corner), free(solid->face_start), free(solid->face_corner), free(solid->face_normal);
  free(solid->face_offset), free(solid->edge), free(solid->corner_start), free(solid->corner_edge);
  *solid = (prc_solid){0};
}

/* ---- slow answers -------------------------------------------------------------------------------------- */

typedef struct {
  const prc_solid *solid;
  real x[MOST][3], n[4 * MOST][3];
} placed;

static real rdot(const real a[3], const real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void rcross(const real a[3], const real b[3], real out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
static void less(const real a[3], const real b[3], real out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}
/* Normals afresh from the corners, by Newell's sums. */
static void place(const prc_solid *solid, const prc_solid_pose *pose, placed *out) {
  out->solid = solid;
  for (int i = 0; i < solid->n; i++)
    for (int k = 0; k < 3; k++) {
      out->x[i][k] = pose->x[k];
      for (int l = 0; l < 3; l++) out->x[i][k] += (real)pose->R[3 * k + l] * solid->corner[3 * i + l];
    }
  for (int f = 0; f < solid->n_faces; f++) {
    const int *corner = solid->face_corner + solid->face_start[f],
              n = solid->face_start[f + 1] - solid->face_start[f];
    real sum[3] = {0.0L, 0.0L, 0.0L};
    for (int k = 1; k + 1 < n; k++) {
      real s[3], t[3], c[3];
      less(out->x[corner[k]], out->x[corner[0]], s), less(out->x[corner[k + 1]], out->x[corner[0]], t);
      rcross(s, t, c);
      for (int l = 0; l < 3; l++) sum[l] += c[l];
    }
    const real length = sqrtl(rdot(sum, sum));
    for (int l = 0; l < 3; l++) out->n[f][l] = sum[l] / length;
  }
}

static real above(const placed *w, int f, const real p[3]) {
  real d[3];
  less(p, w->x[w->solid->face_corner[w->solid->face_start[f]]], d);
  return rdot(d, w->n[f]);
}
/* Whether the point, when it is moved along the normal of the face into its plane, is in it. */
static int is_over(const placed *w, int f, const real p[3]) {
  const prc_solid *solid = w->solid;
  const int *corner = solid->face_corner + solid->face_start[f];
  const int n = solid->face_start[f + 1] - solid->face_start[f];
  for (int k = 0; k < n; k++) {
    real t[3], c[3], d[3];
    less(w->x[corner[(k + 1) % n]], w->x[corner[k]], t), less(p, w->x[corner[k]], d);
    rcross(t, d, c);
    if (rdot(c, w->n[f]) < 0.0L) return 0;
  }
  return 1;
}

static real segments(const real a[3], const real b[3], const real c[3], const real d[3]) {
  real s[3], t[3], r[3], least = INFINITY;
  less(b, a, s), less(d, c, t), less(a, c, r);
  const real ss = rdot(s, s), st = rdot(s, t), tt = rdot(t, t), sr = rdot(s, r), tr = rdot(t, r);
  const real det = ss * tt - st * st;
  /* inside, if there; else one of the four ends and the nearest point of the other */
  const real sigma = (st * tr - tt * sr) / det, tau = (ss * tr - st * sr) / det;
  if (det > 1e-17L * ss * tt && sigma >= 0.0L && sigma <= 1.0L && tau >= 0.0L && tau <= 1.0L) {
    real n[3];
    rcross(s, t, n);
    return fabsl(rdot(n, r)) / sqrtl(rdot(n, n));
  }
  const real *end[4] = {a, b, c, d};
  for (int k = 0; k < 4; k++) {
    const real *from = k < 2 ? c : a, *along = k < 2 ? t : s;
    real e[3];
    less(end[k], from, e);
    const real at = fminl(fmaxl(rdot(e, along) / rdot(along, along), 0.0L), 1.0L);
    for (int l = 0; l < 3; l++) e[l] -= at * along[l];
    least = fminl(least, sqrtl(rdot(e, e)));
  }
  return least;
}

static int holds(const placed *w, const real p[3]) {
  for (int f = 0; f < w->solid->n_faces; f++)
    if (!(above(w, f, p) < 0.0L)) return 0;
  return 1;
}
static int pierces(const placed *x, const placed *y) {
  for (int e = 0; e < x->solid->n_edges; e++)
    for (int f = 0; f < y->solid->n_faces; f++) {
      const real *p = x->x[x->solid->edge[4 * e]], *q = x->x[x->solid->edge[4 * e + 1]];
      const real above_p = above(y, f, p), above_q = above(y, f, q);
      real at[3];
      if (!(above_p < 0.0L) == !(above_q < 0.0L)) continue;
      for (int k = 0; k < 3; k++) at[k] = p[k] + (q[k] - p[k]) * above_p / (above_p - above_q);
      if (is_over(y, f, at)) return 1;
    }
  return 0;
}
int support_overlap(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                    const prc_solid_pose *pose_b) {
  placed x, y;
  place(a, pose_a, &x), place(b, pose_b, &y);
  return holds(&x, y.x[0]) || holds(&y, x.x[0]) || pierces(&x, &y) || pierces(&y, &x);
}

support_real support_distance(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                              const prc_solid_pose *pose_b) {
  placed x, y;
  real least = INFINITY;
  place(a, pose_a, &x), place(b, pose_b, &y);
  for (int turn = 0; turn < 2; turn++) {
    const placed *of = turn ? &x : &y, *to = turn ? &y : &x;
    for (int k = 0; k < of->solid->n; k++)
      for (int f = 0; f < to->solid->n_faces; f++) {
        const real height = above(to, f, of->x[k]);
        if (height >= 0.0L && height < least && is_over(to, f, of->x[k])) least = height;
      }
  }
  for (int i = 0; i < a->n_edges; i++)
    for (int j = 0; j < b->n_edges; j++)
      least = fminl(least, segments(x.x[a->edge[4 * i]], x.x[a->edge[4 * i + 1]], y.x[b->edge[4 * j]],
                                    y.x[b->edge[4 * j + 1]]));
  return least;
}

static real larger(real a, real b) {
  return a > b ? a : b;
}
static real smaller(real a, real b) {
  return a < b ? a : b;
}
/* At least `enough` is enough. */
static real width_along(const placed *x, const placed *y, const real n[3], real enough) {
  real most = -INFINITY, least = INFINITY;
  for (int i = 0; i < x->solid->n; i++) most = larger(most, rdot(n, x->x[i]));
  for (int j = 0; j < y->solid->n && most - least < enough; j++) least = smaller(least, rdot(n, y->x[j]));
  return most - least;
}
support_real support_depth(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                           const prc_solid_pose *pose_b) {
  placed x, y;
  real depth = INFINITY;
  place(a, pose_a, &x), place(b, pose_b, &y);
  for (int f = 0; f < a->n_faces; f++) depth = fminl(depth, width_along(&x, &y, x.n[f], depth));
  for (int f = 0; f < b->n_faces; f++) {
    const real n[3] = {-y.n[f][0], -y.n[f][1], -y.n[f][2]};
    depth = fminl(depth, width_along(&x, &y, n, depth));
  }
  for (int i = 0; i < a->n_edges; i++)
    for (int j = 0; j < b->n_edges; j++) {
      real s[3], t[3], n[3];
      less(x.x[a->edge[4 * i + 1]], x.x[a->edge[4 * i]], s),
          less(y.x[b->edge[4 * j + 1]], y.x[b->edge[4 * j]], t);
      rcross(s, t, n);
      const real length = sqrtl(rdot(n, n));
      if (!(length > 1e-9L * sqrtl(rdot(s, s) * rdot(t, t)))) continue;
      for (int sign = -1; sign <= 1; sign += 2) {
        const real u[3] = {sign * n[0] / length, sign * n[1] / length, sign * n[2] / length};
        depth = fminl(depth, width_along(&x, &y, u, depth));
      }
    }
  return depth;
}
