#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>

/* Bodies of several convex parts. */

/* ---- convex polygons ------------------------------------------------------------------------------------ */

int prc_case_turns_in(int n, const double *corner) {
  for (int k = 0; k < n; k++) {
    const double *a = corner + 2 * k, *b = corner + 2 * ((k + 1) % n), *d = corner + 2 * ((k + 2) % n);
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - b[0], d[1] - b[1]};
    const double turn = u[0] * v[1] - u[1] * v[0];
    if (turn < -PRC_CASE_STRAIGHT * hypot(u[0], u[1]) * hypot(v[0], v[1])) return (k + 1) % n + 1;
  }
  return 0;
}

prc_status prc_case_check_convex(const prc_case *c, const char *owner, const char *key, int n,
                                 const double *corner, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error inner = {0};
  prc_rigid_polygon_facts facts;
  double *turned = NULL;
  int bad = 0;
  const prc_case_place at = prc_case_place_of(c, "%s.%s", owner, key);
  if (prc_rigid_polygon(n, corner, &facts, &inner) != PRC_OK)
    return prc_case_fail(c, &at, err, "%s.%s: %s", owner, key, inner.message);
  prc_try(prc_new(&turned, 2 * (size_t)n, err));
  for (int i = 0; i < 2 * n; i++)
    turned[i] = facts.area > 0.0 ? corner[i] : corner[2 * (n - 1 - i / 2) + i % 2];
  bad = prc_case_turns_in(n, turned);
  if (bad && facts.area < 0.0) bad = n + 1 - bad;
  if (bad)
    status =
        prc_case_fail(c, &at, err,
                      "%s.%s turns inwards at corner %d, expected a convex polygon; what is not convex is "
                      "put together from convex ones",
                      owner, key, bad);
done:
  prc_delete(&turned);
  return status;
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

prc_status prc_case_measure(const prc_case *c, const prc_case_body *b, prc_rigid_polygon_facts *facts,
                            prc_error *err) {
  prc_status status = PRC_OK;
  const double pi = acos(-1.0);
  char owner[2 * PRC_CASE_PATH], key[64];
  sums s = {0};
  const double *corner = b->polygons.point;
  snprintf(owner, sizeof owner, "bodies.%s", b->name);
  for (int k = 0; k < b->polygons.n; corner += 2 * b->polygons.corners[k++]) {
    snprintf(key, sizeof key, "polygons[%d]", k);
    prc_try(prc_case_check_convex(c, owner, key, b->polygons.corners[k], corner, err));
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
