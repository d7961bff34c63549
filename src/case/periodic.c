#include "config.h"
#include "base/order.h"
#include "case/internal.h"

#include <math.h>
#include <stdlib.h>

/* Periodic cells. */

/* An unbounded obstacle exists once. It equals its periodic image only if it is a line along the cell. */
static prc_status check_endless(const prc_case *c, const double d[2], double length, prc_error *err) {
  for (int i = 0; i < c->n_obstacles; i++) {
    const prc_case_obstacle *o = &c->obstacle[i];
    const double *n = o->normal, across = fabs(n[0] * d[0] + n[1] * d[1]);
    if (o->is_hole)
      return prc_case_fail(
          c, &o->place, err,
          "obstacle '%.80s' is a hole, expected none in a periodic cell: outside it there is no "
          "room for the next one",
          o->name);
    if (o->is_plane && across > 1e-9 * hypot(n[0], n[1]) * length)
      return prc_case_fail(c, &o->place, err,
                           "obstacle '%.80s' is a plane across the periodic cell, with the normal [%g, %g], "
                           "expected one along periodic.direction, [%g, %g]",
                           o->name, n[0], n[1], d[0], d[1]);
  }
  return PRC_OK;
}

enum { PERIODS = 1000 }; /* that a body may be long: it is there with as many images */

/* Does some contact name the body on both sides? */
static int meets_itself(const prc_case *c, int body) {
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *of = &c->contact_group[i];
    int both = of->pairs;
    for (int k = 0; k < 2 && both; k++)
      both = bsearch(&body, of->side[k], (size_t)of->n_side[k], sizeof body, prc_by_int) != NULL;
    if (both) return 1;
  }
  return 0;
}

/* A disc that is longer than the cell stands in its own image, and among thousands of images what meets is looked for for minutes. */
prc_status prc_case_check_periods(const prc_case *c, prc_error *err) {
  const double period = c->periodic.length;
  for (int s = 0; c->periodic.given && s < c->n_sets; s++)
    for (int b = c->set[s].first; b < c->set[s].first + c->set[s].n; b++) {
      const prc_case_body *body = &c->body[b];
      const int too_long = 2.0 * body->radius > PERIODS * period,
                in_itself = !body->driven && 2.0 * body->radius > (1.0 + 1e-9) * period
                            && !c->contact.overlap_allowed && meets_itself(c, b);
      if (!too_long && !in_itself) continue;
      const prc_case_place at = prc_case_place_of(c, "bodies.%s", c->set[s].name);
      return prc_case_fail(c, &at, err,
                           "'%.80s' has the diameter %g, %.3g times periodic.length, expected %s", body->name,
                           2.0 * body->radius, 2.0 * body->radius / period,
                           in_itself ? "no more than that: it overlaps its own image in the next cell"
                                     : "at most 1000 times that");
    }
  return PRC_OK;
}

prc_status prc_case_check_periodic(const prc_case *c, prc_error *err) {
  const double *d = c->periodic.direction, length = hypot(d[0], d[1]);
  if (!c->periodic.given) return PRC_OK;
  if (c->mesh.file)
    return prc_case_fail(c, &c->periodic.place, err,
                         "'periodic' is given with a mesh, expected it with bodies alone");
  if (length > 0.0 && isfinite(length)) return check_endless(c, d, length, err);
  const prc_case_place at = prc_case_place_of(c, "periodic.direction");
  return prc_case_fail(c, &at, err,
                       "periodic.direction is [%g, %g], expected a direction of non-zero, finite length",
                       d[0], d[1]);
}
