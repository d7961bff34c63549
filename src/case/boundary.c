#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <string.h>

/* Rules of loads and supports of a mesh. */

/* Keys of a load on a curve and of forces at points. */
static prc_status check_points(prc_case *c, prc_case_load *load, prc_error *err) {
  static const char *const of_curves[] = {"group", "traction", "pressure"};
  const prc_case_place at = prc_case_place_of(c, "loads.%s", load->name);
  const int has_force = prc_case_is_given(c, "loads.%s.force", load->name);
  if (load->at_points && load->n_points > 0)
    return prc_case_fail(c, &at, err, "loads.%s has point and points, expected one of them", load->name);
  if (load->at_points) load->point = load->one, load->n_points = 1;
  if (load->n_points == 0 && !has_force) return PRC_OK;
  if (load->n_points == 0 || !has_force)
    return prc_case_fail(
        c, &at, err,
        has_force ? "loads.%s has a force, expected point: [x, y] with it; on a curve there is traction, "
                    "force per area"
                  : "loads.%s has a point, expected force: [x, y] with it",
        load->name);
  for (size_t k = 0; k < sizeof of_curves / sizeof *of_curves; k++) {
    const prc_case_place given = prc_case_place_of(c, "loads.%s.%s", load->name, of_curves[k]);
    if (prc_case_is_given(c, "loads.%s.%s", load->name, of_curves[k]))
      return prc_case_fail(
          c, &given, err,
          "loads.%s.%s is given beside a point, expected one of them: a load is on a curve or at "
          "points",
          load->name, of_curves[k]);
  }
  return PRC_OK;
}

prc_status prc_case_check_loads(prc_case *c, prc_error *err) {
  for (int i = 0; i < c->n_loads; i++) {
    prc_case_load *load = &c->load[i];
    const prc_case_place at = prc_case_place_of(c, "loads.%s", load->name);
    const prc_status status = check_points(c, load, err);
    if (status != PRC_OK) return status;
    if (load->n_points == 0 && !prc_case_is_given(c, "loads.%s.traction", load->name)
        && !prc_case_is_given(c, "loads.%s.pressure", load->name))
      return prc_case_fail(
          c, &at, err,
          "loads.%s is nothing, expected a traction, a pressure or both, or a point and its force",
          load->name);
  }
  return PRC_OK;
}

/* A velocity takes the place of the displacement of a component. */
static prc_status put_velocities(const prc_case *c, prc_case_support *s, prc_error *err) {
  for (int k = 0; k < 2; k++) {
    const prc_case_place at = prc_case_place_of(c, "supports.%s.velocity.%c", s->name, "xy"[k]);
    if (!s->has_velocity[k]) continue;
    if (s->held[k])
      return prc_case_fail(c, &at, err, "supports.%s.velocity.%c is given beside %c, expected one of them",
                           s->name, "xy"[k], "xy"[k]);
    s->held[k] = 1, s->displacement[k] = s->velocity[k];
  }
  return PRC_OK;
}

/* At a point there are springs in x and y, and nothing else. */
static prc_status check_point(const prc_case *c, const prc_case_support *s, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "supports.%s.point", s->name);
  const int along = s->spring[0] > 0.0 || s->spring[1] > 0.0;
  if (!s->point_given) return PRC_OK;
  if (s->held[0] || s->held[1] || s->absorbing || prc_case_is_given(c, "supports.%s.group", s->name))
    return prc_case_fail(
        c, &at, err,
        "supports.%s.point is given beside what belongs to a curve, expected a spring alone: at a "
        "point there is spring: {x: ..., y: ...}",
        s->name);
  if (along)
    return prc_case_fail(
        c, &at, err,
        "supports.%s.spring has normal or tangential at a point, expected x and y: a point has no "
        "normal",
        s->name);
  return PRC_OK;
}

static prc_status check_each(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_supports; i++) {
    prc_case_support *s = &c->support[i];
    const int springs = s->spring[0] > 0.0 || s->spring[1] > 0.0 || s->fixed[0] > 0.0 || s->fixed[1] > 0.0;
    prc_try(put_velocities(c, s, err));
    prc_try(check_point(c, s, err));
    const int holds = s->held[0] || s->held[1];
    const prc_case_place at = prc_case_place_of(c, "supports.%s", s->name),
                         absorbing = prc_case_place_of(c, "supports.%s.absorbing", s->name),
                         spring = prc_case_place_of(c, "supports.%s.spring", s->name);
    if (holds && s->absorbing)
      prc_try(prc_case_fail(c, &absorbing, err,
                            "supports.%s.absorbing is true beside x or y, expected one of them", s->name));
    if (s->spring_given && !springs)
      prc_try(prc_case_fail(c, &spring, err,
                            "supports.%s.spring has no stiffness, expected normal, tangential, x or y > 0",
                            s->name));
    if (!holds && !s->absorbing && !springs)
      prc_try(prc_case_fail(
          c, &at, err,
          "supports.%s holds nothing, expected x, y or both, velocity, spring, or absorbing: true", s->name));
  }
done:
  return status;
}

static prc_case_ground ground_of(const prc_case_support *s) {
  return (prc_case_ground){.name = s->name,
                           .group = s->point_given ? NULL : s->group,
                           .spring = {s->spring[0], s->spring[1]},
                           .fixed = {s->fixed[0], s->fixed[1]},
                           .point = {s->point[0], s->point[1]},
                           .place = s->place};
}

/* A support that absorbs is a dashpot of the same name: it stands behind those of the case. What has springs is a ground. What holds is left. */
static prc_status turn_supports(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  prc_case_dashpot *dashpot = NULL;
  int kept = 0, n = c->n_dashpots;
  prc_try(prc_new(&dashpot, (size_t)n + (size_t)c->n_supports, err));
  prc_try(prc_new(&c->ground, c->n_supports, err));
  if (n > 0) memcpy(dashpot, c->dashpot, (size_t)n * sizeof *dashpot);
  for (int i = 0; i < c->n_supports; i++) {
    const prc_case_support *s = &c->support[i];
    for (int k = 0; k < n && s->absorbing; k++)
      if (strcmp(dashpot[k].name, s->name) == 0)
        prc_try(prc_case_fail(c, &s->place, err,
                              "supports.%s absorbs and there are dashpots.%s, expected one of them", s->name,
                              s->name));
    if (s->absorbing)
      dashpot[n++] = (prc_case_dashpot){
          .name = s->name, .group = s->group, .coefficient = {NAN, NAN}, .place = s->place};
    if (s->spring_given) c->ground[c->n_grounds++] = ground_of(s);
    if (s->held[0] || s->held[1]) c->support[kept++] = *s;
  }
  prc_delete(&c->dashpot);
  c->dashpot = dashpot, c->n_dashpots = n, c->n_supports = kept;
  dashpot = NULL;
done:
  prc_delete(&dashpot);
  return status;
}

prc_status prc_case_check_supports(prc_case *c, prc_error *err) {
  const prc_status status = check_each(c, err);
  return status == PRC_OK ? turn_supports(c, err) : status;
}
