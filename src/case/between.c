#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The two sides of contacts: fixed planes, obstacles, bodies and sets of bodies, by their names. */

/* ---- the two sides -------------------------------------------------------------------------------------- */

/* Bodies, obstacles behind them, in any order and perhaps twice. */
typedef struct {
  int n;
  size_t capacity;
  int *body;
} side;

static prc_status add_range(side *s, int first, int n, prc_error *err) {
  const prc_status status = prc_grow(&s->body, &s->capacity, (size_t)s->n + (size_t)n, sizeof *s->body, err);
  for (int i = 0; status == PRC_OK && i < n; i++) s->body[s->n++] = first + i;
  return status;
}

/* Does the name fit the pattern, in which * stands for any characters? */
static int fits(const char *pattern, const char *name) {
  const char *star = NULL, *from = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++, from = name;
    } else if (*pattern == *name) {
      pattern++, name++;
    } else if (star) {
      pattern = star + 1, name = ++from;
    } else
      return 0;
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

/* Whole sets whose name fits, and of the others the bodies whose own name does; "*" alone is all bodies and no obstacle. */
static prc_status add_pattern(const prc_case *c, const char *pattern, side *s, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_sets; i++) {
    const prc_case_set *set = &c->set[i];
    if (fits(pattern, set->name)) {
      prc_try(add_range(s, set->first, set->n, err));
      continue;
    }
    for (int b = set->first; set->several && b < set->first + set->n; b++)
      if (fits(pattern, c->body[b].name)) prc_try(add_range(s, b, 1, err));
  }
  for (int i = 0; strcmp(pattern, "*") != 0 && i < c->n_obstacles; i++)
    if (fits(pattern, c->obstacle[i].name)) prc_try(add_range(s, c->n_bodies + i, 1, err));
done:
  return status;
}

/* *found: does the name mean something? A set may be empty. */
static prc_status add_name(const prc_case *c, const char *name, side *s, int *found, prc_error *err) {
  const prc_named what = prc_case_find(c, name);
  const int before = s->n;
  *found = 1;
  if (what.kind == PRC_NAMED_BODY) return add_range(s, what.index, 1, err);
  if (what.kind == PRC_NAMED_SET) return add_range(s, c->set[what.index].first, c->set[what.index].n, err);
  if (what.kind == PRC_NAMED_OBSTACLE) return add_range(s, c->n_bodies + what.index, 1, err);
  const prc_status status = strchr(name, '*') ? add_pattern(c, name, s, err) : PRC_OK;
  *found = s->n > before;
  return status;
}

static int compare(const void *a, const void *b) {
  const int i = *(const int *)a, j = *(const int *)b;
  return (i > j) - (i < j);
}

static void sort(side *s) {
  int n = 0, sorted = 1;
  for (int k = 1; k < s->n; k++) sorted &= s->body[k - 1] < s->body[k];
  if (sorted) return;
  qsort(s->body, (size_t)s->n, sizeof *s->body, compare);
  for (int k = 0; k < s->n; k++)
    if (k == 0 || s->body[k] != s->body[k - 1]) s->body[n++] = s->body[k];
  s->n = n;
}

/* ", expected an obstacle or a body: floor, disc; did you mean 'floor'?" */
static prc_status refuse_name(const prc_case *c, const prc_case_contact *contact, int which, const char *name,
                              prc_error *err) {
  const char *near = NULL;
  char names[256] = "", hint[128] = "";
  for (int i = 0; i < c->n_obstacles; i++) {
    near = prc_nearest_name(name, near, c->obstacle[i].name);
    prc_append(names, sizeof names, "%s%s", names[0] ? ", " : "", c->obstacle[i].name);
  }
  for (int i = 0; i < c->n_sets; i++) {
    near = prc_nearest_name(name, near, c->set[i].name);
    prc_append(names, sizeof names, "%s%s", names[0] ? ", " : "", c->set[i].name);
  }
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return prc_case_fail(c, &contact->between_place, err, "contacts.%s.between[%d] is '%s', expected %s: %s%s",
                       contact->name, which, name, "an obstacle, a body, a set of bodies or a pattern",
                       names[0] ? names : "there is none", hint);
}

/* The names as they stand in the file: one, or a list. *group: the second is none of ours, and a group of the mesh if there is a mesh. */
static prc_status resolve_side(const prc_case *c, prc_case_contact *contact, int which, int *group,
                               prc_error *err) {
  prc_status status = PRC_OK;
  const char *rest;
  side s = {0};
  char path[PRC_CASE_PATH];
  snprintf(path, sizeof path, "contacts.%s.between", contact->name);
  const prc_node *node = prc_tree_walk(c->store->root, path, &rest)->child[which];
  const size_t n = node->kind == PRC_NODE_LIST ? node->n_children : 1;
  for (size_t k = 0; k < n; k++) {
    const char *name = node->kind == PRC_NODE_LIST ? node->child[k]->text : node->text;
    int found;
    prc_try(add_name(c, name, &s, &found, err));
    *group = !found && n == 1 && c->mesh.file;
    if (!found && !*group) prc_try(refuse_name(c, contact, which, name, err));
  }
  sort(&s);
  contact->n_side[which] = s.n, contact->side[which] = s.body;
  if (s.body) prc_try(prc_case_own_memory(c, s.body, err));
  s.body = NULL;
done:
  prc_delete(&s.body);
  return status;
}

/* ---- what contacts stand between ------------------------------------------------------------------------ */

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

static int is_driven(const prc_case *c, int body) {
  return body >= c->n_bodies || c->body[body].driven;
}

static int all_driven(const prc_case *c, const prc_case_contact *contact) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < contact->n_side[k]; i++)
      if (!is_driven(c, contact->side[k][i])) return 0;
  return contact->n_side[0] > 0 && contact->n_side[1] > 0;
}

/* One plane, one disc or one body with a face or a disc: points touch it. */
static int is_surface(const prc_case *c, int n, const int *list) {
  if (n != 1) return 0;
  if (list[0] < c->n_bodies) return c->body[list[0]].has_face || c->body[list[0]].radius > 0.0;
  const prc_case_obstacle *o = &c->obstacle[list[0] - c->n_bodies];
  return o->is_plane || o->is_disc;
}

/* One plane, or one body with a face. */
static int is_flat(const prc_case *c, int n, const int *list) {
  if (n != 1) return 0;
  return list[0] < c->n_bodies ? c->body[list[0]].has_face : c->obstacle[list[0] - c->n_bodies].is_plane;
}

/* Nodes of a mesh, or given points of a body, touch one surface. */
static prc_status resolve_points(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  const int a = contact->n_side[0] == 1 ? contact->side[0][0] : -1, of_mesh = contact->n_side[1] == 0;
  const prc_case_obstacle *o = a >= c->n_bodies ? &c->obstacle[a - c->n_bodies] : NULL;
  if (!is_surface(c, contact->n_side[0], contact->side[0]))
    return prc_case_fail(c, &contact->between_place, err, "contacts.%s.between[0] is '%s', expected %s%s",
                         contact->name, contact->between[0],
                         "one plane, one disc or one body with a face or a disc: what touches it are ",
                         contact->beam >= 0 ? "points of a beam"
                         : of_mesh          ? "nodes of a mesh"
                                            : "points of a body");
  if (!of_mesh && (contact->n_side[1] != 1 || contact->side[1][0] >= c->n_bodies))
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s.between[1] is '%s', expected one body, whose points touch",
                         contact->name, contact->between[1]);
  contact->obstacle = o ? a - c->n_bodies : -1;
  contact->surface_body = o ? -1 : a;
  contact->group = of_mesh ? contact->between[1] : NULL;
  contact->body = of_mesh ? NULL : c->body[contact->side[1][0]].name;
  contact->n_side[0] = contact->n_side[1] = 0;
  return PRC_OK;
}

static int has_face(const prc_case *c, int body) {
  return body < c->n_bodies && c->body[body].has_face;
}

/* The corners of a polygon that is not convex touch a plane or a disc, and nothing else. */
static int touches_by_corners(const prc_case *c, int obstacle, int body) {
  if (obstacle < c->n_bodies || body >= c->n_bodies) return 0;
  const prc_case_obstacle *o = &c->obstacle[obstacle - c->n_bodies];
  const prc_case_body *b = &c->body[body];
  return (o->is_plane || o->is_disc) && b->n_points > 2 && !prc_case_is_convex(b->n_points, b->point);
}

/* Bodies of one set, each against the next. */
static prc_status resolve_ordered(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  const int n = contact->n_side[0];
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.ordered", contact->name);
  if (n != contact->n_side[1]
      || (n > 0 && memcmp(contact->side[0], contact->side[1], (size_t)n * sizeof *contact->side[0]) != 0))
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is between '%s' and '%s', expected one set twice with ordered",
                         contact->name, contact->between[0], contact->between[1]);
  if (n > 0 && contact->side[0][n - 1] >= c->n_bodies)
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is between '%s', which has obstacles, expected bodies with ordered",
                         contact->name, contact->between[0]);
  const double length = hypot(contact->ordered[0], contact->ordered[1]);
  if (!(length > 0.0) || !isfinite(length))
    return prc_case_fail(c, &at, err,
                         "contacts.%s.ordered is [%g, %g], expected a direction of non-zero, finite length",
                         contact->name, contact->ordered[0], contact->ordered[1]);
  for (int k = 0; k < 2; k++) contact->ordered[k] /= length;
  contact->group = contact->body = NULL;
  return PRC_OK;
}

/* A curve of the mesh and bodies or obstacles, in either order: nodes touch a plane, everything else touches by
 * its shapes. which: the side that is the curve. */
static prc_status resolve_shapes(const prc_case *c, prc_case_contact *contact, int which, prc_error *err) {
  char *const curve = contact->between[which];
  if (contact->is_ordered)
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is with a curve of the mesh, expected bodies with ordered",
                         contact->name);
  if (which == 0) {
    contact->n_side[0] = contact->n_side[1], contact->side[0] = contact->side[1];
    contact->n_side[1] = 0;
  }
  if (is_flat(c, contact->n_side[0], contact->side[0])) {
    if (which == 0) contact->between[0] = contact->between[1], contact->between[1] = curve;
    return resolve_points(c, contact, err);
  }
  contact->shapes = 1;
  contact->group = curve, contact->body = NULL;
  return PRC_OK;
}

/* ---- curves of meshes ----------------------------------------------------------------------------------- */

/* Whether the mesh has them is seen when it is read. */
static prc_status resolve_curves(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  if (strcmp(contact->curve[0], contact->curve[1]) == 0)
    return prc_case_fail(
        c, &contact->between_place, err,
        "contacts.%s is between the curve '%s' and itself, expected two curves of two bodies", contact->name,
        contact->curve[0]);
  if (contact->is_ordered)
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is between curves of the mesh, expected bodies with ordered",
                         contact->name);
  contact->interface = 1;
  contact->group = contact->curve[1], contact->body = NULL;
  return PRC_OK;
}

/* Beside split, between may say which of its sides touches: the other way round than by itself. */
static prc_status order_sides(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  char *const right = contact->curve[0], *const left = contact->curve[1];
  if (!contact->between[0]) {
    contact->between_place = contact->split_place;
    return PRC_OK;
  }
  const int same = strcmp(contact->between[0], right) == 0 && strcmp(contact->between[1], left) == 0;
  const int turned = strcmp(contact->between[0], left) == 0 && strcmp(contact->between[1], right) == 0;
  if (turned) contact->curve[0] = left, contact->curve[1] = right;
  if (same || turned) return PRC_OK;
  return prc_case_fail(
      c, &contact->between_place, err,
      "contacts.%s is between '%s' and '%s' beside split, expected none, or the sides '%s' and '%s'",
      contact->name, contact->between[0], contact->between[1], right, left);
}

static prc_status resolve_split(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  static const char *const key[] = {"plane", "body", "group"}, *const hand[] = {"right", "left"};
  prc_status status = PRC_OK;
  prc_bytes name = {0};
  for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
    if (!prc_case_is_given(c, "contacts.%s.%s", contact->name, key[k])) continue;
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.%s", contact->name, key[k]);
    return prc_case_fail(
        c, &at, err,
        "contacts.%s.%s is given beside split, expected one of them: the sides of '%s' are what touches",
        contact->name, key[k], contact->split);
  }
  for (int k = 0; k < 2; k++) {
    name.used = 0;
    prc_try(prc_bytes_print(&name, err, "%s.%s", contact->split, hand[k]));
    prc_try(prc_case_strdup(c, name.at, &contact->curve[k], err));
  }
  if (!contact->sliding_given) contact->small = 1;
  prc_try(order_sides(c, contact, err));
  prc_try(resolve_curves(c, contact, err));
done:
  prc_delete(&name.at);
  return status;
}

/* Keys of interfaces alone. */
static prc_status check_interface_keys(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  static const char *const key[] = {"sliding", "gap", "interference", "prestress"};
  for (size_t k = 0; k < sizeof key / sizeof *key && !contact->interface; k++) {
    if (!prc_case_is_given(c, "contacts.%s.%s", contact->name, key[k])) continue;
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.%s", contact->name, key[k]);
    return prc_case_fail(
        c, &at, err, "contacts.%s.%s is given, expected it only between two curves of meshes or with split",
        contact->name, key[k]);
  }
  if (contact->interference > 0.0 && !contact->from_start) {
    const prc_case_place at = prc_case_place_of(c, "contacts.%s.interference", contact->name);
    return prc_case_fail(c, &at, err,
                         "contacts.%s.interference is given, expected it only beside gap: from-start: "
                         "as meshed, sides overlap by what their places say",
                         contact->name);
  }
  return PRC_OK;
}

/* ---- each contact --------------------------------------------------------------------------------------- */

/* Points of a beam touch what nodes of a mesh may. */
static prc_status resolve_beam(const prc_case *c, prc_case_contact *contact, int named, prc_error *err) {
  prc_status status = PRC_OK;
  int group = 0;
  prc_try(resolve_side(c, contact, 0, &group, err));
  if (group) return refuse_name(c, contact, 0, contact->between[0], err);
  prc_try(prc_case_touch_with_beam(c, contact, named, err));
  prc_try(resolve_points(c, contact, err));
  contact->group = NULL;
done:
  return status;
}

static prc_status resolve_between(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  prc_status status = PRC_OK;
  int group = 0, touched = 0;
  prc_try(refuse_beside(c, contact, err));
  const prc_named second = prc_case_find(c, contact->between[1]);
  if (second.kind == PRC_NAMED_BEAM && !contact->is_ordered)
    return resolve_beam(c, contact, second.index, err);
  prc_try(resolve_side(c, contact, 0, &touched, err));
  prc_try(resolve_side(c, contact, 1, &group, err));
  for (int k = 0; k < 2; k++) contact->curve[k] = touched && group ? contact->between[k] : NULL;
  if (touched && group) return resolve_curves(c, contact, err);
  if (touched || group) return resolve_shapes(c, contact, touched ? 0 : 1, err);
  const int *a = contact->side[0], *b = contact->side[1];
  const int single = contact->n_side[0] == 1 && contact->n_side[1] == 1;
  if (contact->is_ordered) return resolve_ordered(c, contact, err);
  /* a set of one meets nothing of itself, and may have been more */
  if (single && a[0] == b[0] && prc_case_find_body(c, contact->between[0]))
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s is between '%s' and itself, expected two bodies", contact->name,
                         contact->between[0]);
  if (all_driven(c, contact))
    return prc_case_fail(
        c, &contact->between_place, err,
        "contacts.%s is between '%s' and '%s', whose motions are both data, expected one that "
        "contact can move",
        contact->name, contact->between[0], contact->between[1]);
  const int points = single && (has_face(c, a[0]) || touches_by_corners(c, a[0], b[0]));
  contact->pairs = contact->n_candidates == 0 && !points;
  if (!contact->pairs)
    status = resolve_points(c, contact, err);
  else
    contact->group = contact->body = NULL; /* which is by default the contact's name where there is a mesh */
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
  if (c->model.dimension == 3)
    return prc_case_fail(
        c, &contact->place, err,
        "the key 'contacts.%s.between' is missing, expected [what is touched, what touches]%s", contact->name,
        hint);
  return prc_case_fail(c, &contact->place, err,
                       "the block 'contacts.%s.plane' is missing, expected it, or between: [what is touched, "
                       "what touches]%s",
                       contact->name, hint);
}

/* With a plane: a body where one is named, else a group of the mesh. */
static prc_status resolve_plane(const prc_case *c, prc_case_contact *contact, prc_error *err) {
  if (!contact->on_plane) return refuse_bare(c, contact, err);
  const prc_named what = contact->body ? prc_case_find(c, contact->body) : (prc_named){PRC_NAMED_NOTHING, -1};
  if (what.kind == PRC_NAMED_BEAM && !prc_case_is_given(c, "contacts.%s.group", contact->name))
    return prc_case_touch_with_beam(c, contact, what.index, err);
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

static prc_status refuse_alone(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.ordered", contact->name);
  return prc_case_fail(c, &at, err, "contacts.%s.ordered is given without between, expected the set twice",
                       contact->name);
}

prc_status prc_case_resolve_contacts(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_contacts; i++) {
    prc_case_contact *contact = &c->contact_group[i];
    contact->obstacle = contact->surface_body = contact->beam = -1;
    if (contact->is_ordered && !contact->between[0]) prc_try(refuse_alone(c, contact, err));
    prc_try((contact->split        ? resolve_split
             : contact->between[0] ? resolve_between
                                   : resolve_plane)(c, contact, err));
    prc_try(check_interface_keys(c, contact, err));
    prc_try(prc_case_check_along(c, contact, err));
  }
done:
  return status;
}
