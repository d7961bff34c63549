#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints and springs: what they are between, by name, and which keys go with which type. */

/* Data common to "joints" and "springs", for the checks below. */
typedef struct {
  const char *block, *name;
  char *const *between;
  int *index;
  const prc_case_place *between_place;
  int *beam, *end; /* NULL: it is none of beams */
} linked;

/* ---- the two ends --------------------------------------------------------------------------------------- */

static prc_status refuse_name(const prc_case *c, const linked *l, int which, prc_error *err) {
  const char *name = l->between[which], *near = prc_nearest_name(name, NULL, "ground");
  char names[256] = "", hint[128] = "";
  for (int i = 0; i < c->n_sets; i++) {
    if (c->set[i].several) continue;
    near = prc_nearest_name(name, near, c->set[i].name);
    prc_append(names, sizeof names, "%s, ", c->set[i].name);
  }
  for (int i = 0; i < c->n_obstacles; i++) {
    near = prc_nearest_name(name, near, c->obstacle[i].name);
    prc_append(names, sizeof names, "%s, ", c->obstacle[i].name);
  }
  for (int i = 0; l->beam && i < 2 * c->n_beams; i++) {
    near = prc_nearest_name(name, near, c->beam[i / 2].end_name[i % 2]);
    prc_append(names, sizeof names, "%s, ", c->beam[i / 2].end_name[i % 2]);
  }
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return prc_case_fail(c, l->between_place, err,
                       "%s.%s.between[%d] is '%s', expected a body, an obstacle or ground: %sground%s",
                       l->block, l->name, which, name, names, hint);
}

static prc_status resolve_beam(const prc_case *c, const linked *l, int which, int named, prc_error *err) {
  const char *name = c->beam[named / 3].name;
  if (!l->beam)
    return prc_case_fail(
        c, l->between_place, err,
        "%s.%s.between[%d] is '%s', expected a body, an obstacle or ground: none are of beams", l->block,
        l->name, which, l->between[which]);
  if (named % 3 == 0)
    return prc_case_fail(c, l->between_place, err,
                         "%s.%s.between[%d] is '%s', a beam, expected one of its ends: %s.start or %s.end",
                         l->block, l->name, which, name, name, name);
  l->beam[which] = named / 3, l->end[which] = named % 3 - 1;
  l->index[which] = PRC_CASE_BEAM;
  return PRC_OK;
}

/* A body or an obstacle may be called ground itself. */
static prc_status resolve_end(const prc_case *c, const linked *l, int which, prc_error *err) {
  const char *name = l->between[which];
  const prc_named what = prc_case_find(c, name);
  const prc_case_set *set = what.kind == PRC_NAMED_SET ? &c->set[what.index] : NULL;
  if (l->beam) l->beam[which] = l->end[which] = -1;
  if (what.kind == PRC_NAMED_BEAM) return resolve_beam(c, l, which, what.index, err);
  if (what.kind == PRC_NAMED_NOTHING && strcmp(name, "ground") != 0) return refuse_name(c, l, which, err);
  if (set && set->several)
    return prc_case_fail(c, l->between_place, err,
                         "%s.%s.between[%d] is '%s', a set of bodies, expected one of them, such as %s[0]",
                         l->block, l->name, which, name, name);
  l->index[which] = what.kind == PRC_NAMED_NOTHING    ? -1
                    : what.kind == PRC_NAMED_OBSTACLE ? c->n_bodies + what.index
                    : set                             ? set->first
                                                      : what.index;
  return PRC_OK;
}

static int is_data(const prc_case *c, int index) {
  if (index == PRC_CASE_BEAM) return 0;
  return index < 0 || index >= c->n_bodies || c->body[index].driven;
}

static prc_status resolve(const prc_case *c, const linked *l, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < 2; k++) prc_try(resolve_end(c, l, k, err));
  const int beams = l->beam && l->index[0] == PRC_CASE_BEAM && l->index[1] == PRC_CASE_BEAM;
  const int one_end = beams && l->beam[0] == l->beam[1] && l->end[0] == l->end[1];
  if (beams ? one_end : l->index[0] == l->index[1])
    return prc_case_fail(c, l->between_place, err, "%s.%s is between '%s' and itself, expected two", l->block,
                         l->name, l->between[0]);
  if (is_data(c, l->index[0]) && is_data(c, l->index[1]))
    return prc_case_fail(c, l->between_place, err,
                         "%s.%s is between two whose motion is data, '%s' and '%s', expected a body that may "
                         "move",
                         l->block, l->name, l->between[0], l->between[1]);
done:
  return status;
}

static prc_status check_points(const prc_case *c, const linked *l, int n, int needed, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "%s.%s.points", l->block, l->name);
  const int on_ground = l->index[0] < 0 || l->index[1] < 0;
  if (n == 2 || (n == 0 && !needed && !on_ground)) return PRC_OK;
  if (n > 0)
    return prc_case_fail(c, &at, err, "%s.%s.points has %d point%s, expected two: one of each", l->block,
                         l->name, n, n > 1 ? "s" : "");
  return prc_case_fail(c, &at, err, "%s.%s has no points, expected two: one of each%s", l->block, l->name,
                       on_ground ? "; of the ground in fixed axes" : "");
}

/* ---- joints --------------------------------------------------------------------------------------------- */

const char *prc_case_joint_type(int dimension, int type) {
  static const char *const in_plane[] = {"revolute", "prismatic", "fixed", "distance",
                                         "angle",    "wheel",     "skate"};
  static const char *const in_space[] = {"ball", "hinge", "slider", "fixed", "distance"};
  return dimension == 3 ? in_space[type] : in_plane[type];
}

/* Which types have a key, as bits. */
#define OF(type)       (1u << PRC_JOINT_##type)
#define IN_SPACE(type) (1u << PRC_SPATIAL_##type)
enum { KEYS = 5 };
typedef struct {
  const char *key;
  unsigned may, must;
} joint_key;
static const joint_key keys_in_space[KEYS] = {
    {"at", ~IN_SPACE(DISTANCE), 0},
    {"axis", IN_SPACE(HINGE) | IN_SPACE(SLIDER), IN_SPACE(HINGE) | IN_SPACE(SLIDER)},
    {"length", IN_SPACE(DISTANCE), 0},
    {"radius", 0, 0},
    {"value", IN_SPACE(HINGE) | IN_SPACE(SLIDER) | IN_SPACE(DISTANCE), 0},
};
static const joint_key keys_in_plane[KEYS] = {
    {"at", ~OF(DISTANCE), 0},
    {"axis", OF(PRISMATIC) | OF(WHEEL) | OF(SKATE), OF(PRISMATIC) | OF(WHEEL) | OF(SKATE)},
    {"length", OF(DISTANCE), 0},
    {"radius", OF(WHEEL), OF(WHEEL)},
    {"value", OF(REVOLUTE) | OF(PRISMATIC) | OF(DISTANCE) | OF(ANGLE), 0},
};

static prc_status check_keys(const prc_case *c, const prc_case_joint *j, prc_error *err) {
  const joint_key *keys_of = c->model.dimension == 3 ? keys_in_space : keys_in_plane;
  const char *type_name = prc_case_joint_type(c->model.dimension, j->type);
  for (size_t k = 0; k < KEYS; k++) {
    const char *key = keys_of[k].key;
    const int given = prc_case_is_given(c, "joints.%s.%s", j->name, key);
    const prc_case_place at = prc_case_place_of(c, "joints.%s.%s", j->name, key);
    if (given && !(keys_of[k].may >> j->type & 1u))
      return prc_case_fail(c, &at, err, "joints.%s.%s is given, expected none with type: %s", j->name, key,
                           type_name);
    if (!given && (keys_of[k].must >> j->type & 1u))
      return prc_case_fail(c, &at, err, "the key 'joints.%s.%s' is missing, expected it with type: %s",
                           j->name, key, type_name);
  }
  return PRC_OK;
}

/* A beam's end says where a joint is. */
static prc_status check_beams(const prc_case *c, const prc_case_joint *j, prc_error *err) {
  const unsigned may = OF(REVOLUTE) | OF(FIXED) | OF(ANGLE) | OF(DISTANCE);
  const prc_case_place at =
      prc_case_place_of(c, "joints.%s.%s", j->name, j->n_points > 0 ? "points" : "type");
  if (!(may >> j->type & 1u))
    return prc_case_fail(c, &at, err,
                         "joints.%s.type is %s, expected revolute, fixed, angle or distance with beams",
                         j->name, prc_case_joint_type(2, j->type));
  if (j->n_points > 0)
    return prc_case_fail(
        c, &at, err, "joints.%s.points is given, expected none with beams, whose ends are places", j->name);
  if (j->type == PRC_JOINT_DISTANCE && (j->index[0] == -1 || j->index[1] == -1))
    return prc_case_fail(
        c, &j->between_place, err,
        "joints.%s is a distance of a beam from the ground, expected one from another end or a body: "
        "an obstacle, say",
        j->name);
  return PRC_OK;
}

static int is_of(const prc_case *c, const prc_case_joint *j, int in_plane, int in_space) {
  return j->type == (c->model.dimension == 3 ? in_space : in_plane);
}

static prc_status check_place(const prc_case *c, const prc_case_joint *j, const linked *l, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "joints.%s.points", j->name);
  if (j->beam[0] >= 0 || j->beam[1] >= 0) return check_beams(c, j, err);
  const int is_distance = is_of(c, j, PRC_JOINT_DISTANCE, PRC_SPATIAL_DISTANCE);
  if (j->at_given && j->n_points > 0)
    return prc_case_fail(c, &at, err, "joints.%s.points is given beside at, expected one of them", j->name);
  if (j->at_given || (is_of(c, j, PRC_JOINT_ANGLE, -1) && j->n_points == 0)) return PRC_OK;
  if (j->n_points == 0 && !is_distance)
    return prc_case_fail(c, &j->place, err, "joints.%s has no place, expected `at`, or two `points`",
                         j->name);
  return check_points(c, l, j->n_points, !is_distance, err);
}

static prc_status check_axis(const prc_case *c, const prc_case_joint *j, prc_error *err) {
  char path[PRC_CASE_PATH];
  snprintf(path, sizeof path, "joints.%s.axis", j->name);
  return j->axis_given ? prc_case_check_direction(c, path, j->axis, err) : PRC_OK;
}

/* Load steps have none: what is joined has inertia. */
static prc_status check_scheme(const prc_case *c, prc_error *err) {
  prc_step_scheme scheme = {0};
  char names[256] = "";
  if (c->n_joints == 0) return PRC_OK;
  if (c->time.quasi_static)
    return prc_case_fail(c, &c->joint[0].place, err,
                         "joints.%s is given, expected none with analysis: quasi-static", c->joint[0].name);
  if (!prc_step_scheme_of(c->time.scheme, &scheme) || scheme.has_joints) return PRC_OK;
  for (int k = 0; prc_step_scheme_at(k, &scheme); k++)
    if (scheme.has_joints) prc_append(names, sizeof names, "%s%s", names[0] ? ", " : "", scheme.name);
  return prc_case_fail(c, &c->joint[0].place, err,
                       "joints.%s is given, expected none with scheme: %s; joints are for %s",
                       c->joint[0].name, c->time.scheme, names);
}

static prc_status check_springs(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_springs; i++) {
    prc_case_spring *s = &c->spring[i];
    const linked l = {"springs", s->name, s->between, s->index, &s->between_place, NULL, NULL};
    prc_try(resolve(c, &l, err));
    prc_try(check_points(c, &l, s->n_points, 0, err));
    if (s->stiffness == 0.0 && s->damping == 0.0)
      return prc_case_fail(c, &s->place, err,
                           "springs.%s has neither stiffness nor damping, expected one of them or both",
                           s->name);
  }
done:
  return status;
}

prc_status prc_case_check_joints(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(check_scheme(c, err));
  for (int i = 0; i < c->n_joints; i++) {
    prc_case_joint *j = &c->joint[i];
    const linked l = {"joints", j->name, j->between, j->index, &j->between_place, j->beam, j->end};
    prc_try(resolve(c, &l, err));
    prc_try(check_keys(c, j, err));
    prc_try(check_place(c, j, &l, err));
    prc_try(check_axis(c, j, err));
  }
  prc_try(check_springs(c, err));
done:
  return status;
}

static void move_points(const prc_case *c, const int index[2], int n, double *point, const double *origin) {
  const int dimension = c->model.dimension;
  for (int k = 0; k < n; k++)
    for (int d = 0; d < dimension && index[k] >= 0 && index[k] < c->n_bodies; d++)
      point[dimension * k + d] -= origin[dimension * index[k] + d];
}

void prc_case_move_joints(prc_case *c, const double *origin) {
  for (int i = 0; i < c->n_joints; i++)
    move_points(c, c->joint[i].index, c->joint[i].n_points, c->joint[i].point, origin);
  for (int i = 0; i < c->n_springs; i++)
    move_points(c, c->spring[i].index, c->spring[i].n_points, c->spring[i].point, origin);
}
