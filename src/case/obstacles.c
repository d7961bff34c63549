#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Obstacles, and motions that are data. */

int prc_case_is_given(const prc_case *c, const char *format, ...) {
  char path[2 * PRC_CASE_PATH];
  const char *rest;
  va_list args;
  va_start(args, format);
  vsnprintf(path, sizeof path, format, args);
  va_end(args);
  (void)prc_tree_walk(c->store->root, path, &rest);
  return !*rest;
}

/* ---- motions ---------------------------------------------------------------------------------------- */

static const char *const component[] = {"x", "y", "rotation", "z"};
enum { COMPONENTS = 4 };

/* Largest value of the formula during the run, the scale of its rounding. */
static prc_status largest_value(const prc_case *c, const prc_field *field, double *largest, prc_error *err) {
  enum { TIMES = 64 };
  prc_status status = PRC_OK;
  *largest = 0.0;
  for (int k = 0; k <= TIMES && status == PRC_OK; k++) {
    double value;
    status = prc_field_eval(field, 0.0, 0.0, c->time.end * k / TIMES, &value, err);
    if (status == PRC_OK) *largest = fmax(*largest, fabs(value));
  }
  return status;
}

/* owner: "obstacles.floor"; axis: that of the rotation, in space */
static prc_status check_motion(const prc_case *c, const char *owner, const prc_field motion[3],
                               const prc_field *z, const double axis[3], prc_error *err) {
  prc_status status = PRC_OK;
  int given = 0;
  for (int k = 0; k < COMPONENTS; k++) {
    const prc_field *field = k < 3 ? &motion[k] : z;
    double start, largest;
    if (!field || !prc_case_is_given(c, "%s.motion.%s", owner, component[k])) continue;
    given = 1;
    prc_try(prc_field_eval(field, 0.0, 0.0, 0.0, &start, err));
    prc_try(largest_value(c, field, &largest, err));
    if (fabs(start) <= 1e-12 * largest && field->eval) continue;
    if (start == 0.0) continue;
    const prc_case_place at = prc_case_place_of(c, "%s.motion.%s", owner, component[k]);
    return prc_case_fail(c, &at, err,
                         "%s.motion.%s is %.9g at t = 0, expected 0: it is what is added to the place at the "
                         "start, which it would leave by a jump",
                         owner, component[k], start);
  }
  if (given && c->model.dimension == 3) {
    char path[PRC_CASE_PATH + 16];
    snprintf(path, sizeof path, "%s.motion.axis", owner);
    return prc_case_check_direction(c, path, axis, err);
  }
  if (given) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "%s.motion", owner);
  return prc_case_fail(c, &at, err, "%s.motion has no x, y%s or rotation, expected one of them or more",
                       owner, c->model.dimension == 3 ? ", z" : "");
done:
  return status;
}

/* ---- obstacles -------------------------------------------------------------------------------------- */

prc_status prc_case_check_direction(const prc_case *c, const char *path, const double *direction,
                                    prc_error *err) {
  const int in_space = c->model.dimension == 3;
  const double length = hypot(hypot(direction[0], direction[1]), in_space ? direction[2] : 0.0);
  char text[128] = "";
  if (length > 0.0 && isfinite(length)) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "%s", path);
  for (int k = 0; k < c->model.dimension; k++)
    prc_append(text, sizeof text, "%s%g", k > 0 ? ", " : "", direction[k]);
  return prc_case_fail(c, &at, err, "%s is [%s], expected a direction of non-zero, finite length", path,
                       text);
}

static const char *const turned[] = {"position", "orientation", "rotation"};

/* In the order of the table of keys. */
static int shapes_of(const prc_case_obstacle *o) {
  return o->is_plane + o->is_disc + o->is_hole + (o->n_corners > 0) + (o->n_ends > 0);
}

static const double *first_point(const prc_case_obstacle *o) {
  return o->is_plane ? o->point : o->n_corners > 0 ? o->corner : o->n_ends > 0 ? o->end : o->centre;
}

static prc_status check_shape(const prc_case *c, const prc_case_obstacle *o, const char *owner,
                              prc_error *err) {
  char path[PRC_CASE_PATH + 16];
  snprintf(path, sizeof path, "%s.plane.normal", owner);
  if (o->is_plane) return prc_case_check_direction(c, path, o->normal, err);
  const prc_case_place at = prc_case_place_of(c, o->n_corners > 0 ? "%s.polygon" : "%s.segment", owner);
  if (o->n_corners > 0) {
    snprintf(path, sizeof path, "%s.polygon", owner);
    return prc_case_check_convex(c, path, &at, o->n_corners, o->corner, err);
  }
  if (o->n_ends == 0) return PRC_OK;
  if (o->n_ends != 2)
    return prc_case_fail(c, &at, err, "%s.segment has %d point%s, expected its two ends", owner, o->n_ends,
                         o->n_ends > 1 ? "s" : "");
  if (o->end[0] != o->end[2] || o->end[1] != o->end[3]) return PRC_OK;
  return prc_case_fail(c, &at, err, "%s.segment has the point (%g, %g) twice, expected two different ends",
                       owner, o->end[0], o->end[1]);
}

/* A plane, or what a body may be. */
static prc_status check_in_space(const prc_case *c, prc_case_obstacle *o, const char *owner, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_case_owner who = prc_case_owner_of_obstacle(c, o);
  const int shape = prc_case_has_solid(&o->space.solid);
  prc_case_solids solids = {0};
  if (o->is_plane + shape != 1)
    return prc_case_fail(c, &o->place, err, "%s has %s, expected a plane, a box, a sphere or another shape",
                         owner, shape ? "several shapes" : "no shape");
  for (size_t k = 0; o->is_plane && k < sizeof turned / sizeof *turned; k++)
    if (prc_case_is_given(c, "%s.%s", owner, turned[k])) {
      const prc_case_place at = prc_case_place_of(c, "%s.%s", owner, turned[k]);
      return prc_case_fail(c, &at, err, "%s.%s is given beside plane, expected its point and normal alone",
                           owner, turned[k]);
    }
  if (o->is_plane) prc_try(check_shape(c, o, owner, err));
  prc_try(prc_case_check_solid(&who, &o->space.solid, err));
  prc_try(prc_case_make_solids(&who, &o->space.solid, &solids, err));
  memcpy(o->about, o->is_plane ? o->point : o->space.position, sizeof o->about);
  if (o->moves) prc_try(check_motion(c, owner, o->motion, &o->space.motion_z, o->space.motion_axis, err));
done:
  prc_case_free_solids(&solids);
  return status;
}

static prc_status check_obstacle(const prc_case *c, prc_case_obstacle *o, prc_error *err) {
  prc_status status = PRC_OK;
  char owner[PRC_CASE_PATH];
  snprintf(owner, sizeof owner, "obstacles.%s", o->name);
  if (c->model.dimension == 3) return check_in_space(c, o, owner, err);
  if (shapes_of(o) != 1)
    return prc_case_fail(c, &o->place, err,
                         "%s has %s, expected a plane, a disc, a hole, a polygon or a segment", owner,
                         shapes_of(o) > 1 ? "several shapes" : "no shape");
  prc_try(check_shape(c, o, owner, err));
  if (o->about_given && !prc_case_is_given(c, "%s.motion.rotation", owner)) {
    const prc_case_place at = prc_case_place_of(c, "%s.motion.about", owner);
    return prc_case_fail(c, &at, err, "%s.motion.about is given, expected it only with a rotation", owner);
  }
  if (!o->about_given) memcpy(o->about, first_point(o), 2 * sizeof *o->about);
  if (o->moves) prc_try(check_motion(c, owner, o->motion, NULL, NULL, err));
done:
  return status;
}

/* Data common to all bodies of a set; b is its first. */
static prc_status check_driven_body(const prc_case *c, const prc_case_body *b, const char *name,
                                    prc_error *err) {
  static const char *const key[] = {"velocity", "spin", "force", "force_integral", "moment", "motion"};
  prc_status status = PRC_OK;
  char owner[PRC_CASE_PATH];
  snprintf(owner, sizeof owner, "bodies.%s", name);
  if (b->has_face) {
    char path[PRC_CASE_PATH + 16];
    snprintf(path, sizeof path, "%s.face.normal", owner);
    prc_try(prc_case_check_direction(c, path, b->face_normal, err));
  }
  if (!b->driven) return PRC_OK;
  for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
    if ((k == 5 && !b->fixed) || !prc_case_is_given(c, "%s.%s", owner, key[k])) continue;
    const prc_case_place at = prc_case_place_of(c, "%s.%s", owner, key[k]);
    return prc_case_fail(c, &at, err, "%s.%s is given beside %s, expected one of them: %s", owner, key[k],
                         b->fixed ? "fixed" : "motion",
                         b->fixed ? "what is fixed does not move" : "motion is all of it");
  }
  if (!b->fixed) prc_try(check_motion(c, owner, b->motion, &b->space.motion_z, b->space.motion_axis, err));
done:
  return status;
}

/* A table may say what the block does not. */
static prc_status check_at_rest(const prc_case *c, const prc_case_body *b, prc_error *err) {
  double largest = fabs(b->spin);
  for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(b->velocity[k]), fabs(b->space.spin[k])));
  if (!b->driven || !b->place.file || largest == 0.0) return PRC_OK;
  return prc_case_fail(c, &b->place, err, "the body '%s' is %s and has a velocity, expected none", b->name,
                       b->fixed ? "fixed" : "driven");
}

prc_status prc_case_check_obstacles(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_obstacles; i++) prc_try(check_obstacle(c, &c->obstacle[i], err));
  for (int i = 0; i < c->n_bodies; i++) c->body[i].driven |= c->body[i].fixed;
  for (int i = 0; i < c->n_bodies; i++) prc_try(check_at_rest(c, &c->body[i], err));
  for (int i = 0; i < c->n_sets; i++)
    if (c->set[i].n > 0) prc_try(check_driven_body(c, &c->body[c->set[i].first], c->set[i].name, err));
done:
  return status;
}
