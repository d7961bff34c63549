#include "config.h"
#include "case/internal.h"

#include <math.h>

/* Measurements of groups of bodies. */

/* One period along t, where the period has a part along it. */
static prc_status complete_across(prc_case *c, prc_error *err) {
  const double *d = c->periodic.direction, *n = c->measures.normal;
  if (!c->periodic.given)
    return prc_case_fail(
        c, &c->measures.place, err,
        "measures.strips.across is missing, expected [from, to], how long strips are: there is no period");
  const double along = fabs(d[0] * n[1] - d[1] * n[0]) / (hypot(d[0], d[1]) * hypot(n[0], n[1]));
  if (!(along > 1e-6))
    return prc_case_fail(
        c, &c->measures.place, err,
        "measures.strips.across is missing, expected [from, to], how long strips are: the period is "
        "along their normal");
  c->measures.across[0] = 0.0, c->measures.across[1] = c->periodic.length * along;
  return PRC_OK;
}

prc_status prc_case_check_measures(prc_case *c, prc_error *err) {
  if (!c->measures.strips) return PRC_OK;
  const double *n = c->measures.normal, *across = c->measures.across, length = hypot(n[0], n[1]);
  if (!(length > 0.0) || !isfinite(length)) {
    const prc_case_place at = prc_case_place_of(c, "measures.strips.normal");
    return prc_case_fail(
        c, &at, err, "measures.strips.normal is [%g, %g], expected a direction of non-zero, finite length",
        n[0], n[1]);
  }
  if (!(c->measures.to > c->measures.from)) {
    const prc_case_place at = prc_case_place_of(c, "measures.strips.to");
    return prc_case_fail(c, &at, err, "measures.strips.to is %g, expected more than from, which is %g",
                         c->measures.to, c->measures.from);
  }
  if (c->measures.across_given && !(across[1] > across[0])) {
    const prc_case_place at = prc_case_place_of(c, "measures.strips.across");
    return prc_case_fail(c, &at, err,
                         "measures.strips.across is [%g, %g], expected [from, to] with to > from", across[0],
                         across[1]);
  }
  if ((double)c->measures.n * c->measures.columns > 1e6) {
    const prc_case_place at = prc_case_place_of(c, "measures.strips.n");
    return prc_case_fail(c, &at, err, "measures.strips has %d x %d cells, expected at most a million",
                         c->measures.n, c->measures.columns);
  }
  return c->measures.across_given ? PRC_OK : complete_across(c, err);
}
