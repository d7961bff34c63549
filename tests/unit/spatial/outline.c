/* Surfaces of bodies in space for pictures: closed, outwards, of the right volume; they move as the bodies do; half-spaces reach as far as the
 * bodies and are cut off within others; of many round things there are few faces. */
#include "config.h"
#include "solid/internal.h"
#include "spatial/spatial.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static const double origin[3];

enum { POLYGON = 7, VERTEX = 1, BODIES = 6 };

typedef struct {
  prc_spatial_body body[BODIES];
  prc_solid part[BODIES];
  prc_spatial_model model;
  prc_spatial *spatial;
  double q[7 * BODIES], v[6 * BODIES];
} scene;

static void add(scene *s, const prc_solid *part, const double x[3]) {
  const int b = s->model.n_bodies++;
  s->part[b] = *part;
  s->body[b] = (prc_spatial_body){.name = "body",
                                  .mass = 2.0,
                                  .inertia = {0.4, 0.5, 0.6, 0.01, 0.02, -0.03},
                                  .orientation = {0.5, 0.5, -0.5, 0.5},
                                  .position = {x[0], x[1], x[2]},
                                  .velocity = {1.0, -2.0, 0.5},
                                  .spin = {0.3, 2.0, -1.0},
                                  .turns = 1,
                                  .n_parts = 1,
                                  .part = &s->part[b]};
  s->model.body = s->body;
}

static void add_plane(scene *s, const double point[3], const double normal[3]) {
  prc_solid half_space;
  support_ok(prc_solid_make_half_space(origin, normal, &half_space, &err), &err);
  add(s, &half_space, point);
  prc_spatial_body *body = &s->body[s->model.n_bodies - 1];
  body->driven = 1, body->noun = "obstacle";
  body->orientation[0] = 1.0;
  for (int k = 1; k < 4; k++) body->orientation[k] = 0.0;
}

static void open_scene(scene *s) {
  support_ok(prc_spatial_create(&s->model, &s->spatial, &err), &err);
  prc_spatial_initial(s->spatial, s->q, s->v);
}

static void close_scene(scene *s) {
  prc_spatial_free(&s->spatial);
  for (int b = 0; b < s->model.n_bodies; b++) prc_solid_free(&s->part[b]);
}

static void make_shapes(prc_solid shape[4]) {
  static const double ends[6] = {0.1, 0.2, -0.7, 0.4, -0.1, 0.8};
  support_ok(prc_solid_make_box((const double[3]){1.0, 2.0, 3.0}, &shape[0], &err), &err);
  support_ok(prc_solid_make_hull(1, origin, 0.75, &shape[1], &err), &err);
  support_ok(prc_solid_make_hull(2, ends, 0.5, &shape[2], &err), &err);
  support_ok(prc_solid_make_cylinder(ends, 0.5, &shape[3], &err), &err);
}

/* Sums over the faces of body b: areas as vectors, and the volume inside. */
static double volume_of(const prc_spatial_outline *out, const double *x, int b, double area[3]) {
  double volume = 0.0;
  for (int k = 0; k < 3; k++) area[k] = 0.0;
  for (int c = 0; c < out->n_cells; c++) {
    if (out->owner[c] != b || out->type[c] != POLYGON || out->kind[c] == PRC_SPATIAL_HALF_SPACE) continue;
    const double *a = x + 3 * out->node[out->start[c]];
    for (int k = out->start[c] + 1; k + 1 < out->start[c + 1]; k++) {
      double d[3], e[3], n[3];
      for (int i = 0; i < 3; i++) {
        d[i] = x[3 * out->node[k] + i] - a[i];
        e[i] = x[3 * out->node[k + 1] + i] - a[i];
      }
      prc_solid_cross(d, e, n);
      for (int i = 0; i < 3; i++) area[i] += 0.5 * n[i];
      volume += prc_solid_dot(a, n) / 6.0;
    }
  }
  return volume;
}

/* What has round faces lacks a little: a polygon of 32 corners has 0.9936 of the circle's area. */
START_TEST(surfaces_are_closed_and_hold_the_volume) {
  scene s = {0};
  prc_solid shape[4];
  make_shapes(shape);
  for (int b = 0; b < 4; b++) add(&s, &shape[b], (const double[3]){3.0 * b, -1.0, 2.0});
  open_scene(&s);
  const prc_spatial_outline *out = prc_spatial_get_outline(s.spatial);
  double *x = calloc(3 * (size_t)out->n_points, sizeof *x);
  prc_spatial_place_outline(s.spatial, s.q, NULL, x, NULL);
  for (int b = 0; b < 4; b++) {
    double area[3];
    const double volume = volume_of(out, x, b, area), whole = prc_solid_mass_of(&s.part[b]).volume;
    for (int i = 0; i < 3; i++) ck_assert_double_lt(fabs(area[i]), 1e-12);
    ck_assert_double_le(volume, whole * (1.0 + 1e-12));
    ck_assert_double_gt(volume, whole * (b == 0 ? 1.0 - 1e-12 : 0.97));
  }
  ck_assert_int_eq(out->n_bounded, out->n_points);
  free(x);
  close_scene(&s);
}
END_TEST

/* A box has its eight corners and six faces, each once. */
START_TEST(a_polyhedron_has_its_own_corners_and_faces) {
  scene s = {0};
  prc_solid shape[4];
  make_shapes(shape);
  for (int b = 1; b < 4; b++) prc_solid_free(&shape[b]);
  add(&s, &shape[0], origin);
  open_scene(&s);
  const prc_spatial_outline *out = prc_spatial_get_outline(s.spatial);
  ck_assert_int_eq(out->n_points, 8);
  ck_assert_int_eq(out->n_cells, 6);
  ck_assert_int_eq(out->n_nodes, 24);
  for (int c = 0; c < 6; c++) ck_assert_int_eq(out->kind[c], PRC_SPATIAL_BODY);
  close_scene(&s);
}
END_TEST

/* Distances within a body stay, and velocities are the differences of places along a motion. */
START_TEST(points_move_as_their_body_does) {
  const double h = 1e-6;
  scene s = {0};
  prc_solid shape[4];
  double dx[6 * BODIES], q[2][7 * BODIES];
  make_shapes(shape);
  for (int b = 0; b < 4; b++) add(&s, &shape[b], (const double[3]){3.0 * b, -1.0, 2.0});
  open_scene(&s);
  const prc_system *system = prc_spatial_system(s.spatial);
  const prc_spatial_outline *out = prc_spatial_get_outline(s.spatial);
  const size_t n = 3 * (size_t)out->n_points;
  double *x[3] = {calloc(n, sizeof **x), calloc(n, sizeof **x), calloc(n, sizeof **x)},
         *velocity = calloc(n, sizeof *velocity);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < system->space.nv; k++) dx[k] = (side ? 0.5 : -0.5) * h * s.v[k];
    system->space.advance(system->owner, s.q, dx, q[side]);
    prc_spatial_place_outline(s.spatial, q[side], NULL, x[side], NULL);
  }
  prc_spatial_place_outline(s.spatial, s.q, s.v, x[2], velocity);
  for (size_t k = 0; k < n; k++) ck_assert_double_lt(fabs((x[1][k] - x[0][k]) / h - velocity[k]), 1e-8);
  for (int k = 1; k < out->n_points; k++) {
    double is = 0.0, was = 0.0;
    if (out->body[k] != out->body[k - 1]) continue;
    for (int i = 0; i < 3; i++) {
      is += pow(x[2][3 * k + i] - x[2][3 * k - 3 + i], 2.0);
      was += pow(out->r[3 * k + i] - out->r[3 * k - 3 + i], 2.0);
    }
    ck_assert_double_lt(fabs(sqrt(is) - sqrt(was)), 1e-13);
  }
  for (int k = 0; k < 3; k++) free(x[k]);
  free(velocity);
  close_scene(&s);
}
END_TEST

/* A floor and a slope that meet at x = -1: each is in its plane, reaches as far as the body above it, and ends where the other begins. */
START_TEST(half_spaces_reach_below_the_bodies_and_end_at_each_other) {
  const double r = sqrt(0.5), normal[2][3] = {{0.0, 0.0, 1.0}, {r, 0.0, r}}, point[3] = {-1.0, 0.0, 0.0};
  scene s = {0};
  prc_solid box;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  support_ok(prc_solid_make_box((const double[3]){2.0, 4.0, 2.0}, &box, &err), &err);
  add(&s, &box, (const double[3]){0.0, 0.0, 3.0});
  for (int k = 0; k < 2; k++) add_plane(&s, point, normal[k]);
  open_scene(&s);
  const prc_spatial_outline *out = prc_spatial_get_outline(s.spatial);
  ck_assert_int_eq(out->n_bounded, 8);
  ck_assert_int_eq(out->n_planes, 8 + 2 * 5);
  double x[3 * 18];
  prc_spatial_place_outline(s.spatial, s.q, NULL, x, NULL);
  for (int k = 8; k < 18; k++) {
    double d[3], height[2];
    const int own = out->body[k] - 1;
    for (int i = 0; i < 3; i++) d[i] = x[3 * k + i] - point[i];
    for (int p = 0; p < 2; p++) height[p] = prc_solid_dot(d, normal[p]);
    ck_assert_double_lt(fabs(height[own]), 1e-14);
    ck_assert_double_ge(height[1 - own], -1e-14);
    low[own] = fmin(low[own], x[3 * k]), high[own] = fmax(high[own], x[3 * k]);
  }
  ck_assert_double_lt(fabs(low[0] + 1.0), 1e-14); /* the floor begins where the slope ends ... */
  ck_assert_double_lt(fabs(high[1] + 1.0), 1e-14);
  ck_assert_double_ge(high[0], 2.0); /* ... and goes on below the box, which is turned: 2 to either side */
  close_scene(&s);
}
END_TEST

/* n spheres, of which there would be too many faces: fewer of each, and at last a point with its radius. */
START_TEST(many_round_things_have_few_faces) {
  static const int n[] = {1, 100, 600, 5000};
  prc_solid ball;
  support_ok(prc_solid_make_hull(1, origin, 0.5, &ball, &err), &err);
  prc_spatial_body *body = calloc((size_t)n[_i], sizeof *body);
  for (int b = 0; b < n[_i]; b++)
    body[b] = (prc_spatial_body){.name = "ball",
                                 .mass = 1.0,
                                 .inertia = {1.0, 1.0, 1.0},
                                 .orientation = {1.0},
                                 .position = {b, 0.0, 0.0},
                                 .turns = 1,
                                 .n_parts = 1,
                                 .part = &ball};
  const prc_spatial_model model = {.n_bodies = n[_i], .body = body};
  prc_spatial *spatial = NULL;
  support_ok(prc_spatial_create(&model, &spatial, &err), &err);
  const prc_spatial_outline *out = prc_spatial_get_outline(spatial);
  ck_assert_int_le(out->n_cells, 20000);
  for (int c = 0; c < out->n_cells; c++) {
    ck_assert_int_eq(out->type[c], n[_i] == 5000 ? VERTEX : POLYGON);
    ck_assert(n[_i] == 5000 ? out->radius[c] == 0.5 : !(out->radius[c] > 0.0)); // NOLINT: as it was given
  }
  if (n[_i] == 1) ck_assert_int_eq(out->n_cells, 32 * 16);
  prc_spatial_free(&spatial);
  prc_solid_free(&ball);
  free(body);
}
END_TEST

SUITE(outline) {
  Suite *suite = suite_create("outline");
  TCase *tc = tcase_create("outline");
  tcase_add_test(tc, surfaces_are_closed_and_hold_the_volume);
  tcase_add_test(tc, a_polyhedron_has_its_own_corners_and_faces);
  tcase_add_test(tc, points_move_as_their_body_does);
  tcase_add_test(tc, half_spaces_reach_below_the_bodies_and_end_at_each_other);
  tcase_add_loop_test(tc, many_round_things_have_few_faces, 0, 4);
  suite_add_tcase(suite, tc);
  return suite;
}
