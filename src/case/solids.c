#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bodies and obstacles in space: how they are turned, what they are made of, and the masses that follow. */

/* ---- where things stand in the file -------------------------------------------------------------------- */

static prc_case_place place_of(const prc_case_owner *o, const char *key) {
  if (o->row && !prc_case_is_given(o->c, "%s.%s", o->block, key)) return *o->row;
  return prc_case_place_of(o->c, "%s.%s", o->block, key);
}

/* Puts "bodies.rock.box: " and its place in front of what another module says. */
static prc_status refuse(const prc_case_owner *o, const char *key, const prc_error *inner, prc_error *err) {
  const prc_case_place at = place_of(o, key);
  if (inner->status != PRC_INPUT) return prc_fail(err, inner->status, "%s", inner->message);
  return prc_case_fail(o->c, &at, err, "%s.%s: %s", o->name, key, inner->message);
}

prc_case_owner prc_case_owner_of_body(const prc_case *c, const char *set, const prc_case_body *b) {
  prc_case_owner o = {.c = c, .row = b->place.file ? &b->place : NULL};
  snprintf(o.block, sizeof o.block, "bodies.%s", set);
  snprintf(o.name, sizeof o.name, "bodies.%s", b->name);
  return o;
}

prc_case_owner prc_case_owner_of_obstacle(const prc_case *c, const prc_case_obstacle *obstacle) {
  prc_case_owner o = {.c = c};
  snprintf(o.block, sizeof o.block, "obstacles.%s", obstacle->name);
  snprintf(o.name, sizeof o.name, "obstacles.%s", obstacle->name);
  return o;
}

/* ---- how they are turned ------------------------------------------------------------------------------- */

/* Rounded digits are mended, up to a thousandth; more is a mistake, whose mending is proposed. */
static prc_status check_quaternion(const prc_case_owner *o, prc_case_solid *s, prc_error *err) {
  double *q = s->orientation;
  const double length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
  const prc_case_place at = place_of(o, "orientation");
  if (!(length > 0.0))
    return prc_case_fail(o->c, &at, err,
                         "%s.orientation has length zero, expected a unit quaternion [w, x, y, z]; "
                         "[1, 0, 0, 0] turns nothing",
                         o->name);
  if (fabs(length - 1.0) > 1e-3)
    return prc_case_fail(o->c, &at, err,
                         "%s.orientation has length %.6g, expected 1: the same direction is [%.9g, %.9g, "
                         "%.9g, %.9g]",
                         o->name, length, q[0] / length, q[1] / length, q[2] / length, q[3] / length);
  for (int k = 0; k < 4; k++) q[k] /= length;
  return PRC_OK;
}

/* (cos(angle/2), sin(angle/2) axis) */
static prc_status use_rotation(const prc_case_owner *o, prc_case_solid *s, prc_error *err) {
  const double length = hypot(hypot(s->axis[0], s->axis[1]), s->axis[2]);
  const prc_case_place at = place_of(o, "rotation.axis");
  if (!(length > 0.0) || !isfinite(length))
    return prc_case_fail(o->c, &at, err,
                         "%s.rotation.axis is [%g, %g, %g], expected a direction of non-zero, finite length",
                         o->name, s->axis[0], s->axis[1], s->axis[2]);
  s->orientation[0] = cos(0.5 * s->angle);
  for (int k = 0; k < 3; k++) s->orientation[k + 1] = sin(0.5 * s->angle) * (s->axis[k] / length);
  return PRC_OK;
}

static prc_status complete_orientation(const prc_case_owner *o, prc_case_solid *s, prc_error *err) {
  const prc_case_place at = place_of(o, "rotation");
  if (s->rotation_given && s->n_orientation > 0)
    return prc_case_fail(o->c, &at, err, "%s.rotation is given beside orientation, expected one of them",
                         o->name);
  if (s->rotation_given) return use_rotation(o, s, err);
  if (s->n_orientation > 0) return check_quaternion(o, s, err);
  s->orientation[0] = 1.0;
  return PRC_OK;
}

/* ---- what they are made of ----------------------------------------------------------------------------- */

static const char *const shape_keys[] = {"sphere",   "box",       "polyhedron", "capsule",
                                         "cylinder", "polyhedra", "spheres",    "shape"};
enum { SPHERE, BOX, POLYHEDRON, CAPSULE, CYLINDER, POLYHEDRA, SPHERES, FILE_SHAPE, SHAPES };

static void list_shapes(const prc_case_solid *s, int given[SHAPES]) {
  given[SPHERE] = s->sphere > 0.0;
  given[BOX] = s->box[0] > 0.0 || s->box[1] > 0.0 || s->box[2] > 0.0;
  given[POLYHEDRON] = s->n_corners > 0;
  given[CAPSULE] = s->capsule[0] > 0.0 || s->capsule[1] > 0.0;
  given[CYLINDER] = s->cylinder[0] > 0.0 || s->cylinder[1] > 0.0;
  given[POLYHEDRA] = s->polyhedra.n > 0, given[SPHERES] = s->spheres.n > 0;
  given[FILE_SHAPE] = s->file != NULL;
}

int prc_case_has_solid(const prc_case_solid *s) {
  int given[SHAPES], n = 0;
  list_shapes(s, given);
  for (int k = 0; k < SHAPES; k++) n += given[k];
  return n > 0;
}

/* A length along z and a radius: both. */
static prc_status check_round(const prc_case_owner *o, const char *key, const double size[2],
                              prc_error *err) {
  const prc_case_place at = place_of(o, key);
  if ((size[0] > 0.0) == (size[1] > 0.0)) return PRC_OK;
  return prc_case_fail(o->c, &at, err, "the key '%s.%s.%s' is missing, expected a length and a radius",
                       o->name, key, size[0] > 0.0 ? "radius" : "length");
}

static prc_status check_file(const prc_case_owner *o, const prc_case_solid *s, prc_error *err) {
  const prc_case_place unit = place_of(o, "shape_unit"), as = place_of(o, "shape_as");
  if (!s->file && s->unit > 0.0)
    return prc_case_fail(o->c, &unit, err, "%s.shape_unit is given, expected it only with shape", o->name);
  if (!s->file && s->surface != PRC_CASE_CONVEX)
    return prc_case_fail(o->c, &as, err, "%s.shape_as is given, expected it only with shape", o->name);
  return PRC_OK;
}

prc_status prc_case_check_solid(const prc_case_owner *o, prc_case_solid *s, prc_error *err) {
  prc_status status = PRC_OK;
  int given[SHAPES], first = -1;
  list_shapes(s, given);
  for (int k = 0; k < SHAPES; k++) {
    if (!given[k]) continue;
    if (first >= 0 && !(first == POLYHEDRA && k == SPHERES)) {
      const prc_case_place at = place_of(o, shape_keys[k]);
      return prc_case_fail(o->c, &at, err,
                           "%s.%s is given beside %s, expected one of them; parts are given by polyhedra and "
                           "spheres",
                           o->name, shape_keys[k], shape_keys[first]);
    }
    if (first < 0) first = k;
  }
  prc_try(check_round(o, "capsule", s->capsule, err));
  prc_try(check_round(o, "cylinder", s->cylinder, err));
  prc_try(check_file(o, s, err));
  prc_try(complete_orientation(o, s, err));
done:
  return status;
}

/* ---- parts and their mass ------------------------------------------------------------------------------ */

void prc_case_free_solids(prc_case_solids *solids) {
  for (int k = 0; k < solids->n; k++) prc_solid_free(&solids->part[k]);
  prc_delete(&solids->part);
  solids->n = 0;
}

/* Sums of volume and of volume x place, and the inertia about the origin: entries xx, yy, zz, xy, xz, yz. */
static void add_mass(const prc_solid_mass *m, prc_solid_mass *sum) {
  const double *g = m->centre, v = m->volume, square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
  sum->volume += v;
  for (int k = 0; k < 3; k++) sum->centre[k] += v * g[k];
  for (int k = 0; k < 3; k++) sum->inertia[k] += m->inertia[k] + v * (square - g[k] * g[k]);
  sum->inertia[3] += m->inertia[3] - v * g[0] * g[1];
  sum->inertia[4] += m->inertia[4] - v * g[0] * g[2];
  sum->inertia[5] += m->inertia[5] - v * g[1] * g[2];
}

/* From about the origin to about the centre. */
static void finish_mass(prc_solid_mass *sum) {
  const double v = sum->volume;
  double *g = sum->centre, square = 0.0;
  for (int k = 0; k < 3; k++) g[k] = v > 0.0 ? g[k] / v : 0.0;
  for (int k = 0; k < 3; k++) square += g[k] * g[k];
  for (int k = 0; k < 3; k++) sum->inertia[k] -= v * (square - g[k] * g[k]);
  sum->inertia[3] += v * g[0] * g[1];
  sum->inertia[4] += v * g[0] * g[2];
  sum->inertia[5] += v * g[1] * g[2];
}

static prc_status add_hull(int n, const double *point, double radius, prc_case_solids *out, prc_error *err) {
  const prc_status status = prc_solid_make_hull(n, point, radius, &out->part[out->n], err);
  if (status == PRC_OK) out->n++;
  return status;
}

/* Along z, around the origin. */
static prc_status add_round(const prc_case_solid *s, int which, prc_case_solids *out, prc_error *err) {
  const double *size = which == CAPSULE ? s->capsule : s->cylinder;
  const double ends[6] = {0.0, 0.0, -0.5 * size[0], 0.0, 0.0, 0.5 * size[0]};
  if (which == CAPSULE) return add_hull(2, ends, size[1], out, err);
  const prc_status status = prc_solid_make_cylinder(ends, size[1], &out->part[out->n], err);
  if (status == PRC_OK) out->n++;
  return status;
}

/* The hull of the points of one piece; -1: of all. */
static prc_status add_piece(const prc_solid_surface *surface, int piece, prc_case_solids *out,
                            prc_error *err) {
  prc_status status = PRC_OK;
  double *point = NULL;
  char *taken = NULL;
  int n = 0;
  prc_try(prc_new(&point, 3 * (size_t)surface->n_points, err));
  prc_try(prc_new(&taken, surface->n_points, err));
  for (int t = 0; t < 3 * surface->n_triangles; t++) {
    const int i = surface->triangle[t];
    if ((piece >= 0 && surface->piece[t / 3] != piece) || taken[i]) continue;
    memcpy(point + 3 * (size_t)n++, surface->point + 3 * (size_t)i, 3 * sizeof *point);
    taken[i] = 1;
  }
  prc_try(prc_solid_make_rough_hull(n, point, &out->part[out->n], err));
  out->n++;
done:
  prc_delete(&point);
  prc_delete(&taken);
  return status;
}

/* A surface is convex where its hull holds no more than it does, to what triangles of single precision leave open. */
static prc_status judge_convex(const prc_solid_surface *surface, double of_hull, double own, prc_error *err) {
  if (surface->n_pieces > 1)
    return prc_fail(err, PRC_INPUT,
                    "the surface has %d pieces, expected one; or shape_as: pieces, whose hulls others touch, "
                    "or shape_as: hull",
                    surface->n_pieces);
  if (of_hull - own <= 1e-4 * of_hull) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "the surface is not convex: its hull holds %.3g %% more than it does, expected a convex one; or "
      "shape_as: hull, which others touch then, or convex parts in pieces and shape_as: pieces",
      100.0 * (of_hull / own - 1.0));
}

/* Mass by what the surface holds, contact by hulls. */
static prc_status add_surface(const prc_case_solid *s, prc_solid_surface *surface, prc_case_solids *out,
                              prc_error *err) {
  prc_status status = PRC_OK;
  const int n = s->surface == PRC_CASE_PIECES ? surface->n_pieces : 1;
  for (int i = 0; i < 3 * surface->n_points; i++) surface->point[i] *= s->unit;
  out->mass = prc_solid_mass_inside(surface);
  prc_try(prc_new(&out->part, n, err));
  for (int k = 0; k < n; k++) prc_try(add_piece(surface, n > 1 ? k : -1, out, err));
  if (s->surface == PRC_CASE_CONVEX)
    prc_try(judge_convex(surface, prc_solid_mass_of(&out->part[0]).volume, out->mass.volume, err));
done:
  return status;
}

static prc_status refuse_unit(const prc_case_owner *o, const prc_case_solid *s,
                              const prc_solid_surface *surface, prc_error *err) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  const prc_case_place at = place_of(o, "shape");
  for (int i = 0; i < 3 * surface->n_points; i++) {
    low[i % 3] = fmin(low[i % 3], surface->point[i]);
    high[i % 3] = fmax(high[i % 3], surface->point[i]);
  }
  return prc_case_fail(
      o->c, &at, err,
      "the key '%s.shape_unit' is missing, expected how long the unit of %s is in that of the "
      "case, where the surface measures %.6g x %.6g x %.6g",
      o->name, s->file, high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

static prc_status add_file(const prc_case_owner *o, const prc_case_solid *s, prc_case_solids *out,
                           prc_error *err) {
  prc_error inner = {0};
  prc_solid_surface surface = {0};
  prc_status status = prc_solid_read_surface(s->file, &surface, &inner);
  if (status == PRC_IO) inner.status = PRC_INPUT; /* the case is wrong */
  if (status == PRC_OK && !(s->unit > 0.0))
    status = refuse_unit(o, s, &surface, err);
  else if (status != PRC_OK || add_surface(s, &surface, out, &inner) != PRC_OK)
    status = refuse(o, "shape", &inner, err);
  prc_solid_free_surface(&surface);
  return status;
}

static prc_status add_parts(const prc_case_solid *s, prc_case_solids *out, const char **key, prc_error *err) {
  prc_status status = PRC_OK;
  const double *corner = s->polyhedra.point;
  *key = "polyhedra";
  for (int k = 0; k < s->polyhedra.n; corner += 3 * (size_t)s->polyhedra.corners[k++])
    prc_try(add_hull(s->polyhedra.corners[k], corner, 0.0, out, err));
  *key = "spheres";
  for (int k = 0; k < s->spheres.n; k++)
    prc_try(add_hull(1, s->spheres.disc + 4 * (size_t)k, s->spheres.disc[4 * (size_t)k + 3], out, err));
done:
  return status;
}

/* All shapes but a file; *key: where it went wrong. */
static prc_status make_parts(const prc_case_solid *s, prc_case_solids *out, const char **key,
                             prc_error *err) {
  prc_status status = PRC_OK;
  static const double zero[3] = {0.0, 0.0, 0.0};
  int given[SHAPES], k = 0;
  list_shapes(s, given);
  while (k < FILE_SHAPE && !given[k]) k++;
  *key = shape_keys[k];
  prc_try(prc_new(&out->part, (size_t)s->polyhedra.n + (size_t)s->spheres.n + 1, err));
  if (k == SPHERE) prc_try(add_hull(1, zero, s->sphere, out, err));
  if (k == POLYHEDRON) prc_try(add_hull(s->n_corners, s->corner, 0.0, out, err));
  if (k == CAPSULE || k == CYLINDER) prc_try(add_round(s, k, out, err));
  if (k == BOX) {
    prc_try(prc_solid_make_box(s->box, &out->part[0], err));
    out->n = 1;
  }
  if (k == POLYHEDRA || k == SPHERES) prc_try(add_parts(s, out, key, err));
  for (int i = 0; i < out->n; i++) {
    const prc_solid_mass m = prc_solid_mass_of(&out->part[i]);
    add_mass(&m, &out->mass);
  }
  finish_mass(&out->mass);
done:
  return status;
}

prc_status prc_case_make_solids(const prc_case_owner *o, const prc_case_solid *s, prc_case_solids *out,
                                prc_error *err) {
  prc_error inner = {0};
  const char *key;
  prc_status status = PRC_OK;
  *out = (prc_case_solids){0};
  if (s->file)
    status = add_file(o, s, out, err);
  else if (make_parts(s, out, &key, &inner) != PRC_OK)
    status = refuse(o, key, &inner, err);
  if (status != PRC_OK) prc_case_free_solids(out);
  return status;
}

/* ---- bodies -------------------------------------------------------------------------------------------- */

/* Either mass and inertia, or a density and a shape. What does not turn needs no inertia. */
static prc_status check_mass(const prc_case_owner *o, const prc_case_body *b, prc_error *err) {
  const int shape = prc_case_has_solid(&b->space.solid), n = b->space.n_inertia;
  const prc_case_place at = place_of(o, "density"), spin = place_of(o, "spin");
  if (!b->space.turns && (b->space.spin[0] != 0.0 || b->space.spin[1] != 0.0 || b->space.spin[2] != 0.0))
    return prc_case_fail(o->c, &spin, err, "%s.spin is given beside turns: false, expected none", o->name);
  if (b->density > 0.0 && (b->mass > 0.0 || n > 0))
    return prc_case_fail(o->c, &at, err,
                         "%s.density is given beside %s, expected either mass and inertia, or density",
                         o->name, b->mass > 0.0 ? "mass" : "inertia");
  if (b->density > 0.0 && !shape)
    return prc_case_fail(o->c, &at, err,
                         "%s.density is given, expected with it a sphere, a box or another shape", o->name);
  if (b->density > 0.0 || b->driven || (b->mass > 0.0 && (n > 0 || !b->space.turns))) return PRC_OK;
  return prc_case_fail(o->c, &at, err,
                       "the key '%s.%s' is missing, expected mass and inertia, or density with a sphere, a "
                       "box or another shape",
                       o->name, b->mass > 0.0 ? "inertia" : "mass");
}

/* From what its shape holds. */
static prc_status set_mass(const prc_case_owner *o, prc_case_body *b, const prc_solid_mass *m,
                           prc_error *err) {
  const prc_case_place at = place_of(o, "density");
  b->mass = b->density * m->volume;
  for (int k = 0; k < 6; k++) b->space.inertia[k] = b->density * m->inertia[k];
  for (int k = 0; k < 3; k++) b->space.origin[k] = -m->centre[k];
  b->space.n_inertia = 6;
  if (b->mass > 0.0 && isfinite(b->mass)) return PRC_OK;
  return prc_case_fail(o->c, &at, err, "%s.density gives a mass of %g, expected a positive number", o->name,
                       b->mass);
}

static prc_status check_body(const prc_case *c, const char *set, prc_case_body *b, prc_error *err) {
  prc_status status = PRC_OK;
  prc_error inner = {0};
  prc_case_solids solids = {0};
  const prc_case_owner o = prc_case_owner_of_body(c, set, b);
  prc_try(prc_case_check_solid(&o, &b->space.solid, err));
  prc_try(check_mass(&o, b, err));
  prc_try(prc_case_make_solids(&o, &b->space.solid, &solids, err));
  if (b->density > 0.0) prc_try(set_mass(&o, b, &solids.mass, err));
  if (b->space.n_inertia == 0 || !b->space.turns) goto done;
  const char *key = b->density > 0.0 ? "density" : "inertia";
  if (prc_spatial_check_inertia(b->space.inertia, &inner) != PRC_OK) prc_try(refuse(&o, key, &inner, err));
done:
  prc_case_free_solids(&solids);
  return status;
}

prc_status prc_case_complete_solids(prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  double *origin = NULL;
  prc_try(prc_new(&origin, 3 * (size_t)c->n_bodies, err));
  for (int s = 0; s < c->n_sets; s++)
    for (int i = c->set[s].first; i < c->set[s].first + c->set[s].n; i++) {
      prc_try(check_body(c, c->set[s].name, &c->body[i], err));
      for (int k = 0; k < 3; k++) origin[3 * i + k] = -c->body[i].space.origin[k];
    }
  prc_case_move_joints(c, origin);
done:
  prc_delete(&origin);
  return status;
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

prc_status prc_case_check_meeting(const prc_case *c, const prc_case_contact *contact, int which, int i,
                                  prc_error *err) {
  const int *other = contact->side[!which];
  const prc_case_obstacle *o = i < c->n_bodies ? NULL : &c->obstacle[i - c->n_bodies];
  const prc_case_solid *solid = o ? &o->space.solid : &c->body[i].space.solid;
  if (o && o->is_plane) return PRC_OK;
  if (!prc_case_has_solid(solid))
    return prc_case_fail(c, &contact->between_place, err,
                         "contacts.%s.between[%d]: the body '%s' has no shape, expected a sphere, a box or "
                         "another shape",
                         contact->name, which, c->body[i].name);
  if (!(solid->cylinder[1] > 0.0)) return PRC_OK;
  for (int k = 0; other && k < contact->n_side[!which]; k++)
    if (!c->obstacle || other[k] < c->n_bodies || !c->obstacle[other[k] - c->n_bodies].is_plane)
      return prc_case_fail(c, &contact->between_place, err,
                           "contacts.%s.between[%d]: '%s' is a cylinder, which meets planes alone, expected "
                           "%s; a polyhedron or a capsule meets all",
                           contact->name, which, o ? o->name : c->body[i].name,
                           o ? "no such obstacle" : "obstacles with a plane as the other side");
  return PRC_OK;
}
