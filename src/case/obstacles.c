#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Obstacles, motions that are data, and what contacts stand between. */

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

static const char *const component[] = {"x", "y", "rotation"};

/* What the formula reaches during the run: its rounding is measured by that. */
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

/* owner: "obstacles.floor" */
static prc_status check_motion(const prc_case *c, const char *owner, const prc_field *motion,
                               prc_error *err) {
  prc_status status = PRC_OK;
  int given = 0;
  for (int k = 0; k < 3; k++) {
    double start, largest;
    if (!prc_case_is_given(c, "%s.motion.%s", owner, component[k])) continue;
    given = 1;
    prc_try(prc_field_eval(&motion[k], 0.0, 0.0, 0.0, &start, err));
    prc_try(largest_value(c, &motion[k], &largest, err));
    if (fabs(start) <= 1e-12 * largest && motion[k].eval) continue;
    if (start == 0.0) continue;
    const prc_case_place at = prc_case_place_of(c, "%s.motion.%s", owner, component[k]);
    return prc_case_fail(c, &at, err,
                         "%s.motion.%s is %.9g at t = 0, expected 0: it is what is added to the place at the "
                         "start, which it would leave by a jump",
                         owner, component[k], start);
  }
  if (given) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "%s.motion", owner);
  return prc_case_fail(c, &at, err, "%s.motion has no x, y or rotation, expected one of them or more", owner);
done:
  return status;
}

/* ---- obstacles -------------------------------------------------------------------------------------- */

static prc_status check_direction(const prc_case *c, const char *path, const double normal[2],
                                  prc_error *err) {
  const double length = hypot(normal[0], normal[1]);
  if (length > 0.0 && isfinite(length)) return PRC_OK;
  const prc_case_place at = prc_case_place_of(c, "%s", path);
  return prc_case_fail(c, &at, err, "%s is [%g, %g], expected a direction of non-zero, finite length", path,
                       normal[0], normal[1]);
}

static prc_status check_obstacle(const prc_case *c, prc_case_obstacle *o, prc_error *err) {
  prc_status status = PRC_OK;
  char owner[PRC_CASE_PATH];
  snprintf(owner, sizeof owner, "obstacles.%s", o->name);
  if (o->is_plane == o->is_disc)
    return prc_case_fail(c, &o->place, err, "%s has %s, expected one of them", owner,
                         o->is_plane ? "both a plane and a disc" : "neither a plane nor a disc");
  if (o->is_plane) {
    char path[PRC_CASE_PATH + 16];
    snprintf(path, sizeof path, "%s.plane.normal", owner);
    prc_try(check_direction(c, path, o->normal, err));
  }
  if (o->about_given && !prc_case_is_given(c, "%s.motion.rotation", owner)) {
    const prc_case_place at = prc_case_place_of(c, "%s.motion.about", owner);
    return prc_case_fail(c, &at, err, "%s.motion.about is given, expected it only with a rotation", owner);
  }
  if (!o->about_given) memcpy(o->about, o->is_plane ? o->point : o->centre, sizeof o->about);
  if (o->moves) prc_try(check_motion(c, owner, o->motion, err));
done:
  return status;
}

static prc_status check_driven_body(const prc_case *c, const prc_case_body *b, prc_error *err) {
  static const char *const key[] = {"velocity", "spin", "force", "moment"};
  prc_status status = PRC_OK;
  char owner[PRC_CASE_PATH];
  snprintf(owner, sizeof owner, "bodies.%s", b->name);
  if (b->has_face) {
    char path[PRC_CASE_PATH + 16];
    snprintf(path, sizeof path, "%s.face.normal", owner);
    prc_try(check_direction(c, path, b->face_normal, err));
  }
  if (!b->driven) return PRC_OK;
  for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
    if (!prc_case_is_given(c, "%s.%s", owner, key[k])) continue;
    const prc_case_place at = prc_case_place_of(c, "%s.%s", owner, key[k]);
    return prc_case_fail(c, &at, err,
                         "%s.%s is given beside motion, expected one of them: motion is all of it", owner,
                         key[k]);
  }
  prc_try(check_motion(c, owner, b->motion, err));
done:
  return status;
}

prc_status prc_case_check_obstacles(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_obstacles; i++) {
    prc_case_obstacle *o = &c->obstacle[i];
    if (prc_case_find_body(c, o->name))
      return prc_case_fail(
          c, &o->place, err,
          "'%s' is a body and an obstacle, expected two names: contacts tell them apart by that", o->name);
    prc_try(check_obstacle(c, o, err));
  }
  for (int i = 0; i < c->n_bodies; i++) prc_try(check_driven_body(c, &c->body[i], err));
done:
  return status;
}

/* ---- what contacts stand between -------------------------------------------------------------------- */

static int find_obstacle(const prc_case *c, const char *name) {
  for (int i = 0; i < c->n_obstacles; i++)
    if (strcmp(c->obstacle[i].name, name) == 0) return i;
  return -1;
}

static int has_surface(const prc_case_body *b) {
  return b->has_face || b->radius > 0.0;
}

/* ", expected an obstacle or a body with ...: floor, disc; did you mean 'floor'?" */
static prc_status refuse_name(const prc_case *c, const prc_case_contact *contact, int which, prc_error *err) {
  const char *near = NULL, *name = contact->between[which];
  char names[256] = "", hint[128] = "";
  for (int i = 0; which == 0 && i < c->n_obstacles; i++) {
    near = prc_nearest_name(name, near, c->obstacle[i].name);
    prc_append(names, sizeof names, "%s%s", names[0] ? ", " : "", c->obstacle[i].name);
  }
  for (int i = 0; i < c->n_bodies; i++) {
    if (which == 0 && !has_surface(&c->body[i])) continue;
    near = prc_nearest_name(name, near, c->body[i].name);
    prc_append(names, sizeof names, "%s%s", names[0] ? ", " : "", c->body[i].name);
  }
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return prc_case_fail(c, &contact->between_place, err, "contacts.%s.between[%d] is '%s', expected %s: %s%s",
                       contact->name, which, name,
                       which == 0 ? "what is touched, an obstacle or a body with a face or a disc"
                                  : "what touches, a body",
                       names[0] ? names : "there is none", hint);
}

static prc_status refuse_beside(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  static const char *const key[] = {"plane", "body", "group"};
  for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
    if (!prc_case_is_given(c, "contacts.%s.%s", contact->name, key[k])) continue;
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.%s", contact->name, key[k]);
    return prc_case_fail(
        c, &at, err, "contacts.%s.%s is given beside between, expected one of them: between names both sides",
        contact->name, key[k]);
  }
  return PRC_OK;
}

static prc_status resolve_between(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(refuse_beside(c, contact, err));
  const prc_case_body *a = prc_case_find_body(c, contact->between[0]),
                      *b = prc_case_find_body(c, contact->between[1]);
  contact->obstacle = find_obstacle(c, contact->between[0]);
  if (contact->obstacle < 0 && (!a || !has_surface(a))) return refuse_name(c, contact, 0, err);
  if (a) contact->surface_body = (int)(a - c->body);
  if (a && a == b)
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is between '%s' and itself, expected two bodies", contact->name,
                         a->name);
  if (!b && (!c->mesh.file || find_obstacle(c, contact->between[1]) >= 0))
    return refuse_name(c, contact, 1, err);
  if (b && b->driven && (!a || a->driven))
    return prc_case_fail(
        c, &contact->between_place, err,
        "contacts.%s is between '%s' and '%s', whose motions are both data, expected one that "
        "contact can move",
        contact->name, contact->between[0], contact->between[1]);
  contact->group = b ? NULL : contact->between[1];
  contact->body = b ? contact->between[1] : NULL;
done:
  return status;
}

/* One that --set has made may be a misspelling of one in the file. */
static prc_status refuse_bare(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  const char *near = NULL;
  char hint[3 * PRC_CASE_NAME] = "";
  for (int i = 0; contact->place.set && i < c->n_contacts; i++)
    if (!c->contact_group[i].place.set)
      near = prc_nearest_name(contact->name, near, c->contact_group[i].name);
  if (near) snprintf(hint, sizeof hint, "; '%s' is not in the file, did you mean '%s'?", contact->name, near);
  return prc_case_fail(c, &contact->place, err,
                       "the block 'contacts.%s.plane' is missing, expected it, or between: [what is touched, "
                       "what touches]%s",
                       contact->name, hint);
}

/* With a plane: a body where one is named, else a group of the mesh. */
static prc_status resolve_plane(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  if (!contact->on_plane) return refuse_bare(c, contact, err);
  if (!contact->body && !c->mesh.file)
    return prc_case_fail(c, &contact->place, err, "the key 'contacts.%s.body' is missing, expected a text",
                         contact->name);
  if (!contact->body) return PRC_OK;
  if (c->mesh.file && prc_case_is_given(c, "contacts.%s.group", contact->name))
    return prc_case_fail(c, &contact->body_place, err,
                         "contacts.%s.body is given beside a group of the mesh, expected one of them",
                         contact->name);
  contact->group = NULL;
  return PRC_OK;
}

prc_status prc_case_resolve_contacts(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_contacts; i++) {
    prc_case_contact *contact = &c->contact_group[i];
    contact->obstacle = contact->surface_body = -1;
    prc_try((contact->between[0] ? resolve_between : resolve_plane)(c, contact, err));
  }
done:
  return status;
}
