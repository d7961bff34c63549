#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a body says of itself ------------------------------------------------------------------------ */

static int has_parts(const prc_case_body *b) {
  return b->polygons.n > 0 || b->discs.n > 0;
}

/* Where the key stands in the block that makes the body; if it does not, the row of the table that does. */
static prc_case_place place_of_key(const prc_case *c, const char *set, const prc_case_body *b,
                                   const char *key) {
  if (b->place.file && !prc_case_is_given(c, "bodies.%s.%s", set, key)) return b->place;
  return prc_case_place_of(c, "bodies.%s.%s", set, key);
}

/* One polygon, one disc, or parts. set: the block that makes the body. */
static prc_status check_shapes(const prc_case *c, const char *set, const prc_case_body *b, prc_error *err) {
  const char *key = b->polygons.n > 0 ? "polygons" : b->discs.n > 0 ? "discs" : "disc";
  const int several = (b->n_points > 0) + (b->radius > 0.0) + has_parts(b);
  if (several < 2) return PRC_OK;
  const prc_case_place at = place_of_key(c, set, b, key);
  return prc_case_fail(c, &at, err, "bodies.%s.%s is given beside %s, expected one of them", b->name, key,
                       b->n_points > 0 ? "a polygon" : "a disc");
}

/* Either mass and inertia, or a density and a shape. */
static prc_status check_inertia(const prc_case *c, const char *set, const prc_case_body *b, prc_error *err) {
  const char *missing = b->mass > 0.0 ? "inertia" : "mass";
  const int given = (b->mass > 0.0) + (b->inertia > 0.0),
            shape = b->n_points > 0 || b->radius > 0.0 || has_parts(b);
  const prc_case_place at = place_of_key(c, set, b, "density"); /* without it: of the body */
  if (b->density > 0.0 && given > 0)
    return prc_case_fail(c, &at, err,
                         "bodies.%s.density is given beside %s, expected either mass and inertia, or density",
                         b->name, b->mass > 0.0 ? "mass" : "inertia");
  if (b->density > 0.0 && !shape)
    return prc_case_fail(c, &at, err, "bodies.%s.density is given, expected with it a polygon or a disc",
                         b->name);
  if (b->density > 0.0 || given == 2 || b->driven) return PRC_OK;
  return prc_case_fail(
      c, &at, err,
      "the key 'bodies.%s.%s' is missing, expected mass and inertia, or density with a polygon or a disc",
      b->name, missing);
}

static prc_status measure_polygon(const prc_case *c, const prc_case_body *b, prc_rigid_polygon_facts *facts,
                                  prc_error *err) {
  prc_error inner = {0};
  const prc_status status = prc_rigid_polygon(b->n_points, b->point, facts, &inner);
  if (status == PRC_OK) return PRC_OK;
  return prc_case_fail(c, &b->polygon_place, err, "bodies.%s.polygon: %s", b->name, inner.message);
}

/* ---- what follows from it ------------------------------------------------------------------------------ */

static void reverse_corners(prc_case_body *b) {
  for (int i = 0, j = b->n_points - 1; i < j; i++, j--)
    for (int k = 0; k < 2; k++) {
      const double corner = b->point[2 * i + k];
      b->point[2 * i + k] = b->point[2 * j + k];
      b->point[2 * j + k] = corner;
    }
}

static void move_points(int n, double *point, const double origin[2]) {
  for (int i = 0; i < 2 * n; i++) point[i] -= origin[i % 2];
}

static void move_parts(prc_case_body *b, const double origin[2]) {
  double *corner = b->polygons.point;
  for (int k = 0; k < b->polygons.n; corner += 2 * b->polygons.corners[k++])
    move_points(b->polygons.corners[k], corner, origin);
  for (int k = 0; k < b->discs.n; k++) move_points(1, b->discs.disc + 3 * k, origin);
}

/* The points of a body's contacts stand in its axes and move with them. */
static void move_contacts(prc_case *c, const double *origin) {
  for (int k = 0; k < c->n_contacts; k++) {
    const prc_case_contact *contact = &c->contact_group[k];
    const prc_case_body *body = contact->body ? prc_case_find_body(c, contact->body) : NULL;
    if (body) move_points(contact->n_candidates, contact->candidate, origin + 2 * (body - c->body));
  }
}

/* Mass and inertia of density and thickness, of a disc or of a polygon whose centroid becomes the origin. */
static prc_status compute_inertia(const prc_case *c, const char *set, prc_case_body *b,
                                  const prc_rigid_polygon_facts *facts, double origin[2], prc_error *err) {
  const double per_area = b->density * c->model.thickness, r2 = b->radius * b->radius;
  b->mass = per_area * (b->radius > 0.0 ? acos(-1.0) * r2 : fabs(facts->area));
  b->inertia = b->radius > 0.0 ? 0.5 * b->mass * r2 : per_area * facts->moment;
  memcpy(origin, facts->centre, sizeof facts->centre);
  move_points(b->n_points, b->point, origin);
  move_points(1, b->face_point, origin);
  move_parts(b, origin);
  if (b->mass > 0.0 && b->inertia > 0.0 && isfinite(b->mass) && isfinite(b->inertia)) return PRC_OK;
  const prc_case_place at = place_of_key(c, set, b, "density");
  return prc_case_fail(c, &at, err,
                       "bodies.%s.density gives a mass of %g and an inertia of %g, expected positive numbers",
                       b->name, b->mass, b->inertia);
}

/* origin: in the axes as they were given; zero where the body keeps them. */
static prc_status complete_body(const prc_case *c, const char *set, prc_case_body *b, double origin[2],
                                prc_error *err) {
  prc_status status = PRC_OK;
  prc_rigid_polygon_facts facts = {0};
  prc_try(check_shapes(c, set, b, err));
  prc_try(check_inertia(c, set, b, err));
  if (b->n_points > 0) prc_try(measure_polygon(c, b, &facts, err));
  if (has_parts(b)) prc_try(prc_case_measure(c, set, b, &facts, err));
  if (facts.area < 0.0) reverse_corners(b);
  if (b->density > 0.0) prc_try(compute_inertia(c, set, b, &facts, origin, err));
done:
  return status;
}

prc_status prc_case_complete_bodies(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  double *origin = NULL;
  if (c->model.dimension == 3) return prc_case_complete_solids(c, err);
  prc_try(prc_new(&origin, 2 * (size_t)c->n_bodies, err));
  for (int s = 0; s < c->n_sets; s++)
    for (int i = c->set[s].first; i < c->set[s].first + c->set[s].n; i++)
      prc_try(complete_body(c, c->set[s].name, &c->body[i], origin + 2 * i, err));
  move_contacts(c, origin);
  prc_case_move_joints(c, origin);
done:
  prc_delete(&origin);
  return status;
}

/* ---- contacts of bodies -------------------------------------------------------------------------------- */

static prc_status refuse_body(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  const char *near = NULL;
  char names[256] = "", hint[128] = "";
  if (prc_case_find(c, contact->body).kind == PRC_NAMED_SET)
    return prc_case_fail(
        c, &contact->body_place, err,
        "contacts.%s.body is '%s', a set of bodies, expected one body; a set touches the plane of an "
        "obstacle, by between",
        contact->name, contact->body);
  for (int i = 0; i < c->n_sets; i++) {
    near = prc_nearest_name(contact->body, near, c->set[i].name);
    prc_append(names, sizeof names, "%s%s", i ? ", " : "", c->set[i].name);
  }
  if (near) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
  return prc_case_fail(c, &contact->body_place, err,
                       "contacts.%s.body is '%s', expected a body of the case: %s%s", contact->name,
                       contact->body, names, hint);
}

typedef struct {
  double x, y;
  int index;
} numbered_point;

/* By place, and where that is the same, by number. */
static int compare_points(const void *a, const void *b) {
  const numbered_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

/* The first of the points that was there before; -1: none. */
static prc_status find_repeated(int n, const double *point, int *repeated, prc_error *err) {
  numbered_point *sorted = NULL;
  const prc_status status = prc_new(&sorted, n, err);
  *repeated = -1;
  if (status != PRC_OK) return status;
  for (int i = 0; i < n; i++) sorted[i] = (numbered_point){point[2 * i], point[2 * i + 1], i};
  qsort(sorted, (size_t)n, sizeof *sorted, compare_points);
  for (int k = 1; k < n; k++) {
    if (sorted[k].x != sorted[k - 1].x || sorted[k].y != sorted[k - 1].y) continue;
    if (*repeated < 0 || sorted[k].index < *repeated) *repeated = sorted[k].index;
  }
  prc_delete(&sorted);
  return PRC_OK;
}

/* Nothing to touch with, or one point twice. */
static prc_status check_points(const prc_case *c, const prc_case_contact *contact, const prc_case_body *body,
                               prc_error *err) {
  const double *p = contact->candidate;
  int twice;
  if (contact->n_candidates == 0 && body->n_points == 0 && !(body->radius > 0.0))
    return prc_case_fail(
        c, &contact->place, err,
        "contacts.%s has no points and bodies.%s has neither a polygon nor a disc, expected one of the three",
        contact->name, body->name);
  const prc_status status = find_repeated(contact->n_candidates, p, &twice, err);
  if (status != PRC_OK || twice < 0) return status;
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.points", contact->name);
  return prc_case_fail(c, &at, err,
                       "contacts.%s.points has the point (%g, %g) twice, expected different points",
                       contact->name, p[2 * twice], p[2 * twice + 1]);
}

/* It is of Newton's law, on meshes as on bodies. */
static prc_status check_tangential(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.tangential_restitution", contact->name);
  prc_step_scheme scheme;
  const int has_newton = prc_step_scheme_of(c->time.scheme, &scheme) && strstr(scheme.laws, "newton");
  char with[128] = "";
  if (contact->tangential_restitution == 0.0) return PRC_OK;
  if (c->time.quasi_static)
    snprintf(with, sizeof with, "analysis: quasi-static");
  else if (!has_newton)
    snprintf(with, sizeof with, "scheme: %s", c->time.scheme);
  else if (c->time.law == PRC_IMPACT_FREMOND)
    snprintf(with, sizeof with, "law: fremond (the default)");
  else
    return PRC_OK;
  return prc_case_fail(
      c, &at, err, "contacts.%s.tangential_restitution is %g, expected 0 with %s; it belongs to law: newton",
      contact->name, contact->tangential_restitution, with);
}

static prc_status check_laws(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  if (prc_case_friction_varies(&contact->friction, 1))
    return prc_case_fail(c, &contact->friction_place, err,
                         "contacts.%s.friction depends on place, expected a constant with bodies",
                         contact->name);
  if (contact->restitution.eval)
    return prc_case_fail(c, &contact->restitution_place, err,
                         "contacts.%s.restitution depends on place, expected a constant with bodies",
                         contact->name);
  return check_tangential(c, contact, err);
}

/* Points are a body's. */
static prc_status check_mesh_contact(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  if (!prc_case_is_given(c, "contacts.%s.points", contact->name)) return check_tangential(c, contact, err);
  const prc_case_place at = prc_case_place_of(c, "contacts.%s.points", contact->name);
  return prc_case_fail(c, &at, err, "contacts.%s.points is given, expected it only where a body touches",
                       contact->name);
}

/* A body that touches others has a shape, and a convex one. */
static prc_status check_side(const prc_case *c, const prc_case_contact *contact, int which, prc_error *err) {
  for (int k = 0; k < contact->n_side[which]; k++) {
    const int i = contact->side[which][k];
    if (c->model.dimension == 3) {
      const prc_status status = prc_case_check_meeting(c, contact, which, i, err);
      if (status != PRC_OK) return status;
      continue;
    }
    const prc_case_body *b = &c->body[i];
    if (i >= c->n_bodies) break; /* obstacles have shapes, and stand last */
    if (b->n_points == 0 && !(b->radius > 0.0) && !has_parts(b))
      return prc_case_fail(
          c, &contact->between_place, err,
          "contacts.%s.between[%d]: the body '%s' has no shape, expected polygon, disc, polygons or "
          "discs, or with `points` one body as the second",
          contact->name, which, b->name);
    const int corner = b->n_points > 0 ? prc_case_turns_in(b->n_points, b->point) : 0;
    if (corner > 0)
      return prc_case_fail(
          c, &b->polygon_place, err,
          "bodies.%s.polygon turns inwards at (%g, %g) from its centre, expected a convex polygon where "
          "contacts.%s names it; what is not convex is given by convex parts, `polygons`",
          b->name, b->point[2 * corner - 2], b->point[2 * corner - 1], contact->name);
  }
  return PRC_OK;
}

/* How far body b is in front of a along d, between their discs. */
static double gap_along(const prc_case_body *a, const prc_case_body *b, const double d[2]) {
  return d[0] * (b->position[0] - a->position[0]) + d[1] * (b->position[1] - a->position[1])
         - (a->radius + b->radius);
}

/* Points or discs, of which each is in front of the one before at the start. */
static prc_status check_ordered(const prc_case *c, const prc_case_contact *contact, prc_error *err) {
  for (int k = 0; k < contact->n_side[0]; k++) {
    const prc_case_body *b = &c->body[contact->side[0][k]];
    if (b->n_points > 0 || has_parts(b))
      return prc_case_fail(
          c, &contact->between_place, err,
          "contacts.%s.between: the body '%s' has corners or parts, expected points or discs "
          "with ordered",
          contact->name, b->name);
    if (k == 0) continue;
    const prc_case_body *before = &c->body[contact->side[0][k - 1]];
    const double gap = gap_along(before, b, contact->ordered);
    const double size = fabs(b->position[0]) + fabs(b->position[1]) + b->radius;
    if (gap >= -1e-12 * size || c->contact.overlap_allowed) continue;
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s: '%s' stands %.6g behind '%s' along [%g, %g], expected the order of "
                         "the set; contact.initial_overlap: allow pushes them there",
                         contact->name, b->name, -gap, before->name, contact->ordered[0],
                         contact->ordered[1]);
  }
  return check_laws(c, contact, err);
}

prc_status prc_case_check_body_contacts(const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < c->n_contacts; i++) {
    const prc_case_contact *contact = &c->contact_group[i];
    if (contact->is_ordered) {
      prc_try(check_ordered(c, contact, err));
      continue;
    }
    for (int k = 0; k < 2; k++) prc_try(check_side(c, contact, k, err));
    if (contact->pairs) prc_try(check_laws(c, contact, err));
    if (contact->group) prc_try(check_mesh_contact(c, contact, err));
    if (contact->beam >= 0) prc_try(check_laws(c, contact, err));
    if (!contact->body) continue;
    const prc_case_body *body = prc_case_find_body(c, contact->body);
    if (!body) return refuse_body(c, contact, err);
    prc_try(check_points(c, contact, body, err));
    prc_try(check_laws(c, contact, err));
  }
done:
  return status;
}
