#include "config.h"
#include "rigid/rigid.h"

#include <math.h>

/* (b - a) x (c - a): twice the signed area of the triangle a b c [length^2]; positive anticlockwise */
static double turn(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

static int between(const double *a, const double *b,
                   const double *p) { /* p on the line a b: also on the segment? */
  return fmin(a[0], b[0]) <= p[0] && p[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= p[1]
         && p[1] <= fmax(a[1], b[1]);
}

/* Do the closed segments a b and c d have a point in common? */
static int meet(const double *a, const double *b, const double *c, const double *d) {
  const double s = turn(a, b, c), t = turn(a, b, d), u = turn(c, d, a), v = turn(c, d, b);
  if (((s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0)) && ((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0)))
    return 1;
  return (s == 0.0 && between(a, b, c)) || (t == 0.0 && between(a, b, d)) || (u == 0.0 && between(c, d, a))
         || (v == 0.0 && between(c, d, b));
}

static prc_status check_simple(int n, const double *p, prc_error *err) {
  for (int i = 0; i < n; i++) { /* first: a corner given twice also makes edges meet */
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n);
    if (a[0] == b[0] && a[1] == b[1])
      return prc_fail(err, PRC_INPUT, "corners %d and %d of the polygon are the same point", i + 1,
                      (i + 1) % n + 1);
  }
  for (int i = 0; i < n; i++) {
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n);
    for (int j = i + 2; j < n; j++) {
      if ((j + 1) % n == i) continue; /* neighbours share a corner */
      if (meet(a, b, p + 2 * j, p + 2 * ((j + 1) % n)))
        return prc_fail(
            err, PRC_INPUT,
            "the polygon crosses itself: the edge from corner %d to %d meets the one from corner %d to %d",
            i + 1, i + 2, j + 1, (j + 1) % n + 1);
    }
  }
  return PRC_OK;
}

/* Sums over the triangles (first corner, i, i+1), which may be negative where the polygon is not convex. With a, b the other two
 * corners from the first, and |a x b| / 2 the triangle's area A_i, exact integrals of polynomials of degree 0, 1, 2:
 *   2 A = sum a x b,   2 A c = sum (a x b) (a + b) / 3,   integral of |x|^2 = sum (a x b) (a.a + a.b + b.b) / 12,
 * and the moment about the centre c by Steiner's theorem, J = integral of |x|^2 - A |c|^2 [length^4]. */
prc_status prc_rigid_polygon(int n, const double *point, prc_rigid_polygon_facts *out, prc_error *err) {
  double area2 = 0.0, first[2] = {0.0, 0.0}, second = 0.0;
  if (n < 3) return prc_fail(err, PRC_INPUT, "the polygon has %d corners, expected at least 3", n);
  const prc_status status = check_simple(n, point, err);
  if (status != PRC_OK) return status;
  for (int i = 1; i + 1 < n; i++) {
    const double ax = point[2 * i] - point[0], ay = point[2 * i + 1] - point[1];
    const double bx = point[2 * i + 2] - point[0], by = point[2 * i + 3] - point[1];
    const double cross = ax * by - bx * ay; /* twice the area of the triangle */
    area2 += cross;
    first[0] += cross * (ax + bx) / 3.0, first[1] += cross * (ay + by) / 3.0;
    second += cross * (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) / 12.0;
  }
  if (!(fabs(area2) > 0.0)) return prc_fail(err, PRC_INPUT, "the polygon has no area");
  const double cx = first[0] / area2, cy = first[1] / area2, area = 0.5 * area2;
  out->area = area;
  out->centre[0] = point[0] + cx, out->centre[1] = point[1] + cy;
  out->moment = fabs(second - area * (cx * cx + cy * cy));
  return PRC_OK;
}
