#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>

/* Bodies of several convex parts. */

/* ---- convex polygons ------------------------------------------------------------------------------------ */

/* way: 1 for corners anticlockwise, -1 */
static int find_turn(int n, const double *corner, double way) {
  for (int k = 0; k < n; k++) {
    const double *a = corner + 2 * k, *b = corner + 2 * ((k + 1) % n), *d = corner + 2 * ((k + 2) % n);
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - b[0], d[1] - b[1]};
    const double turn = way * (u[0] * v[1] - u[1] * v[0]);
    if (turn < -PRC_CASE_STRAIGHT * hypot(u[0], u[1]) * hypot(v[0], v[1])) return (k + 1) % n + 1;
  }
  return 0;
}

int prc_case_turns_in(int n, const double *corner) {
  return find_turn(n, corner, 1.0);
}

int prc_case_is_convex(int n, const double *corner) {
  return find_turn(n, corner, 1.0) == 0 || find_turn(n, corner, -1.0) == 0;
}

prc_status prc_case_check_convex(const prc_case *c, const char *name, const prc_case_place *at, int n,
                                 const double *corner, prc_error *err) {
  prc_error inner = {0};
  prc_rigid_polygon_facts facts;
  if (prc_rigid_polygon(n, corner, &facts, &inner) != PRC_OK)
    return prc_case_fail(c, at, err, "%s: %s", name, inner.message);
  const int bad = find_turn(n, corner, facts.area > 0.0 ? 1.0 : -1.0);
  if (!bad) return PRC_OK;
  return prc_case_fail(
      c, at, err,
      "%s turns inwards at corner %d, expected a convex polygon; what is not convex is put together "
      "from convex ones",
      name, bad);
}

/* ---- area, centre and moment of several ----------------------------------------------------------------- */

/* Sums of area, of area x place, and of the moment about the origin. */
typedef struct {
  double area, first[2], second;
} sums;

/* A part of this area, its centre, and its moment about that. */
static void add_part(sums *s, double area, const double centre[2], double moment) {
  s->area += area;
  for (int k = 0; k < 2; k++) s->first[k] += area * centre[k];
  s->second += moment + area * (centre[0] * centre[0] + centre[1] * centre[1]);
}

prc_status prc_case_measure(const prc_case *c, const char *set, const prc_case_body *b,
                            prc_rigid_polygon_facts *facts, prc_error *err) {
  prc_status status = PRC_OK;
  const double pi = acos(-1.0);
  const prc_case_place at = prc_case_place_of(c, "bodies.%s.polygons", set);
  char name[2 * PRC_CASE_PATH];
  sums s = {0};
  const double *corner = b->polygons.point;
  for (int k = 0; k < b->polygons.n; corner += 2 * b->polygons.corners[k++]) {
    snprintf(name, sizeof name, "bodies.%s.polygons[%d]", b->name, k);
    prc_try(prc_case_check_convex(c, name, &at, b->polygons.corners[k], corner, err));
    prc_try(prc_rigid_polygon(b->polygons.corners[k], corner, facts, err));
    add_part(&s, fabs(facts->area), facts->centre, fabs(facts->moment));
  }
  for (int k = 0; k < b->discs.n; k++) {
    const double *disc = b->discs.disc + 3 * k, r2 = disc[2] * disc[2];
    add_part(&s, pi * r2, disc, 0.5 * pi * r2 * r2);
  }
  *facts = (prc_rigid_polygon_facts){.area = s.area, .centre = {s.first[0] / s.area, s.first[1] / s.area}};
  const double *g = facts->centre;
  facts->moment = s.second - s.area * (g[0] * g[0] + g[1] * g[1]);
done:
  return status;
}
