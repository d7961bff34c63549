/* Solids and their masses in closed form, hulls beside those of a slow answer, boxes; half-spaces and cylinders; what is no solid. */
#include "config.h"
#include "solid/solid.h"
#include "support/allocator.h"
#include "support/polyhedra.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_solid_touches found;
static const double pi = 3.14159265358979323846, zero[3] = {0.0, 0.0, 0.0};
static const prc_solid_pose origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static prc_solid hull(int n, const double *point, double radius) {
  prc_solid solid;
  prc_error_clear(&err);
  support_ok(prc_solid_make_hull(n, point, radius, &solid, &err), &err);
  return solid;
}
static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- hulls --------------------------------------------------------------------------------------------- */

/* Every face of the one is a face of the other, with the same corners. */
static void check_same_faces(const prc_solid *solid, const prc_solid *slow) {
  ck_assert_int_eq(solid->n, slow->n);
  ck_assert_int_eq(solid->n_faces, slow->n_faces);
  ck_assert_int_eq(solid->n_edges, slow->n_edges);
  for (int f = 0; f < slow->n_faces; f++) {
    const int *corner = slow->face_corner + slow->face_start[f],
              n = slow->face_start[f + 1] - slow->face_start[f];
    int lowest = 0, twins = 0;
    for (int k = 1; k < n; k++)
      if (corner[k] < corner[lowest]) lowest = k;
    for (int g = 0; g < solid->n_faces; g++) {
      const int *own = solid->face_corner + solid->face_start[g];
      int same = solid->face_start[g + 1] - solid->face_start[g] == n;
      for (int k = 0; k < n && same; k++) same = own[k] == corner[(lowest + k) % n];
      twins += same && dot(solid->face_normal + 3 * g, slow->face_normal + 3 * f) > 1.0 - 1e-12;
    }
    ck_assert_int_eq(twins, 1);
  }
}
/* Edges lie between the faces that they name, corners name their edges, and all is behind all faces. */
static void check_net(const prc_solid *s) {
  double shortest = INFINITY;
  for (int e = 0; e < s->n_edges; e++) {
    const int *edge = s->edge + 4 * e;
    double d[3];
    ck_assert_int_lt(edge[0], edge[1]);
    for (int k = 0; k < 3; k++) d[k] = s->corner[3 * edge[1] + k] - s->corner[3 * edge[0] + k];
    shortest = fmin(shortest, sqrt(dot(d, d)));
    for (int side = 0; side < 2; side++) {
      const int f = edge[2 + side], *corner = s->face_corner + s->face_start[f],
                n = s->face_start[f + 1] - s->face_start[f];
      int there = 0;
      for (int k = 0; k < n; k++) there += corner[k] == edge[side] && corner[(k + 1) % n] == edge[1 - side];
      ck_assert_int_eq(there, 1);
    }
  }
  ck_assert_double_eq_tol(s->length, shortest, 1e-12 * shortest);
  ck_assert_int_eq(s->corner_start[s->n], 2 * s->n_edges);
  for (int i = 0; i < s->n; i++) {
    for (int k = s->corner_start[i]; k < s->corner_start[i + 1]; k++) {
      const int *edge = s->edge + 4 * s->corner_edge[k];
      ck_assert(edge[0] == i || edge[1] == i);
      ck_assert(k == s->corner_start[i] || s->corner_edge[k - 1] < s->corner_edge[k]);
    }
    for (int f = 0; f < s->n_faces; f++)
      ck_assert_double_le(dot(s->face_normal + 3 * f, s->corner + 3 * i), s->face_offset[f]);
  }
}
/* The least of all widths, over directions near the best of many. */
static double slow_width(const prc_solid *s, uint64_t *seed) {
  double best = INFINITY, at[3] = {0, 0, 1};
  for (int k = 0; k < 30000; k++) {
    const double reach = k < 3000 ? 2.0 : pow(10.0, -(k - 3000) / 4500.0);
    double d[3], low = INFINITY, high = -INFINITY;
    for (int l = 0; l < 3; l++) d[l] = at[l] + reach * support_uniform(seed, -1.0, 1.0);
    const double length = sqrt(dot(d, d));
    for (int l = 0; l < 3; l++) d[l] /= length;
    for (int i = 0; i < s->n; i++) {
      low = fmin(low, dot(d, s->corner + 3 * i)), high = fmax(high, dot(d, s->corner + 3 * i));
    }
    if (!(high - low < best)) continue;
    best = high - low;
    memcpy(at, d, sizeof at);
  }
  return best;
}

/* A polyhedron of thousands of corners: its width across a face is that which all corners say. */
START_TEST(the_width_of_many_corners_is_that_across_a_face) {
  enum { CORNERS = 3000 };
  uint64_t seed = 4;
  double *point = malloc(3 * CORNERS * sizeof *point), least = INFINITY;
  ck_assert_ptr_nonnull(point);
  for (int i = 0; i < CORNERS; i++) {
    double *p = point + 3 * (size_t)i;
    for (int k = 0; k < 3; k++) p[k] = support_uniform(&seed, -1.0, 1.0);
    const double size = sqrt(dot(p, p));
    for (int k = 0; k < 3; k++) p[k] *= (k == 2 ? 0.3 : 1.0) / size;
  }
  prc_solid solid = hull(CORNERS, point, 0.0);
  ck_assert_int_gt(solid.n_edges, 2000);
  for (int f = 0; f < solid.n_faces; f++) {
    double lowest = INFINITY;
    for (int i = 0; i < solid.n; i++)
      lowest = fmin(lowest, dot(solid.face_normal + 3 * (size_t)f, solid.corner + 3 * (size_t)i));
    least = fmin(least, solid.face_offset[f] - lowest);
  }
  ck_assert_double_eq_tol(solid.width, least, 1e-15);
  prc_solid_free(&solid);
  free(point);
}
END_TEST

START_TEST(hulls_are_those_of_the_slow_answer) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 300; trial++) {
    prc_solid slow = support_stone(&seed), solid = hull(slow.n, slow.corner, 0.0);
    check_same_faces(&solid, &slow);
    check_net(&solid);
    ck_assert_double_eq_tol(solid.extent, slow.extent, 1e-15);
    if (trial % 20 == 0) {
      const double width = slow_width(&solid, &seed);
      ck_assert_double_le(solid.width, width * (1 + 1e-12));
      ck_assert_double_ge(solid.width, 0.9 * width); /* the search ends in a valley of its own at times */
    }
    prc_solid_free(&solid);
    support_release(&slow);
  }
}
END_TEST

/* Points on faces and edges of a box and within it, turned anyhow: its eight corners stay, in their order. */
START_TEST(points_that_are_no_corners_are_left_out) {
  uint64_t seed = 2;
  for (int trial = 0; trial < 200; trial++) {
    const prc_solid_pose pose = support_any_attitude(&seed, zero);
    const double size = pow(2.0, rint(support_uniform(&seed, -60.0, 60.0)));
    double x[3 * 125];
    int corner[8], n = 0;
    for (int i = 0; i < 125; i++) {
      const double r[3] = {0.1 * (i % 5), 0.3 * (i / 5 % 5), 0.2 * (i / 25)};
      if (i % 5 % 4 == 0 && i / 5 % 5 % 4 == 0 && i / 25 % 4 == 0) corner[n++] = i;
      for (int k = 0; k < 3; k++) x[3 * i + k] = size * dot(pose.R + 3 * k, r);
    }
    prc_solid solid = hull(125, x, 0.0);
    ck_assert_int_eq(solid.n, 8);
    ck_assert_int_eq(solid.n_faces, 6);
    for (int i = 0; i < 8; i++) ck_assert_mem_eq(solid.corner + 3 * i, x + 3 * corner[i], 3 * sizeof *x);
    check_net(&solid);
    ck_assert_double_eq_tol(solid.width, 0.4 * size, 1e-14 * size);
    prc_solid_free(&solid);
  }
}
END_TEST

/* The same points in single precision, as a file of triangles has them: in planes to 1e-7 of their extent. */
START_TEST(rough_hulls_forgive_single_precision) {
  uint64_t seed = 4;
  for (int trial = 0; trial < 1000; trial++) {
    const prc_solid_pose pose = support_any_attitude(&seed, zero);
    const double unit = trial % 2 ? 1e-3 : 1.0;
    double x[3 * 125];
    prc_solid solid;
    for (int i = 0; i < 125; i++) {
      const double r[3] = {0.1 * (i % 5), 0.3 * (i / 5 % 5), 0.2 * (i / 25)};
      for (int k = 0; k < 3; k++)
        x[3 * i + k] = unit * (double)(float)(10.0 + 100.0 * dot(pose.R + 3 * k, r));
    }
    prc_error_clear(&err);
    support_ok(prc_solid_make_rough_hull(125, x, &solid, &err), &err);
    ck_assert_int_eq(solid.n, 8);
    ck_assert_int_eq(solid.n_faces, 6);
    check_net(&solid);
    ck_assert_double_eq_tol(prc_solid_mass_of(&solid).volume, 0.4 * 1.2 * 0.8 * pow(100.0 * unit, 3.0),
                            1e-6 * pow(100.0 * unit, 3.0));
    prc_solid_free(&solid);
  }
}
END_TEST

/* Corners on a sphere, many of them, and a prism whose faces have a hundred corners. */
START_TEST(large_hulls_are_closed) {
  static double x[3 * 2000];
  uint64_t seed = 3;
  for (int i = 0; i < 2000; i++) {
    double length = 0.0;
    for (int k = 0; k < 3; k++)
      x[3 * i + k] = support_uniform(&seed, -1.0, 1.0), length += x[3 * i + k] * x[3 * i + k];
    for (int k = 0; k < 3; k++) x[3 * i + k] /= sqrt(length);
  }
  prc_solid ball = hull(2000, x, 0.0);
  ck_assert_int_eq(ball.n, 2000);
  ck_assert_int_eq(ball.n_faces, 3996);
  ck_assert_double_eq_tol(prc_solid_mass_of(&ball).volume, 4.0 / 3.0 * pi, 0.03);
  prc_solid_free(&ball);
  for (int i = 0; i < 200; i++) {
    const double angle = 2.0 * pi * (i / 2) / 100.0 + 0.3;
    x[3 * i] = cos(angle), x[3 * i + 1] = sin(angle), x[3 * i + 2] = i % 2;
  }
  prc_solid prism = hull(200, x, 0.0);
  ck_assert_int_eq(prism.n_faces, 102);
  ck_assert_int_eq(prism.n_edges, 300);
  check_net(&prism);
  ck_assert_double_eq_tol(prc_solid_mass_of(&prism).volume, 50.0 * sin(2.0 * pi / 100.0), 1e-14);
  prc_solid_free(&prism);
}
END_TEST

static void refused(int n, const double *point, double radius, const char *text) {
  prc_solid solid;
  prc_error_clear(&err);
  support_fails(prc_solid_make_hull(n, point, radius, &solid, &err), PRC_INPUT, &err, text);
}
START_TEST(what_is_no_solid_is_refused) {
  const double flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1e-10}, nan[3] = {0, NAN, 0},
               huge[3] = {0, INFINITY, 0};
  const double line[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
               same[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  prc_solid solid;
  refused(0, flat, 0.0, "has 0 points");
  refused(4, flat, 0.0, "in one plane");
  refused(3, flat, 0.0, "in one plane");
  refused(4, line, 0.0, "on one line");
  refused(4, same, 0.0, "at one place");
  refused(2, same, 1.0, "both ends of a capsule");
  refused(1, nan, 1.0, "finite");
  refused(1, huge, 1.0, "finite");
  refused(1, flat, -1.0, "radius of a sphere is -1");
  refused(2, flat, NAN, "radius of a capsule");
  refused(4, flat, 0.1, "no round edges");
  prc_error_clear(&err);
  support_fails(prc_solid_make_box((const double[3]){1, 0, 1}, &solid, &err), PRC_INPUT, &err,
                "edge 2 of a box is 0");
  prc_error_clear(&err);
  support_fails(prc_solid_make_half_space(zero, zero, &solid, &err), PRC_INPUT, &err, "expected a direction");
  prc_error_clear(&err);
  support_fails(prc_solid_make_cylinder(same, 1.0, &solid, &err), PRC_INPUT, &err, "both ends of a cylinder");
  prc_error_clear(&err);
  support_fails(prc_solid_make_cylinder(line, 0.0, &solid, &err), PRC_INPUT, &err,
                "radius of a cylinder is 0");
}
END_TEST

START_TEST(memory_that_runs_out_is_told) {
  const double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1};
  prc_solid solid;
  int fail = 1;
  for (;; fail++) {
    prc_error_clear(&err);
    support_watch(fail);
    const prc_status status = prc_solid_make_hull(5, x, 0.0, &solid, &err);
    prc_solid_free(&solid);
    support_look_away();
    if (status == PRC_OK) break;
    ck_assert_int_eq(status, PRC_NOMEM);
    ck_assert_int_eq((int)support_allocator.live, 0);
  }
  ck_assert_int_gt(fail, 10);
}
END_TEST

/* ---- masses -------------------------------------------------------------------------------------------- */

static void check_inertia(const prc_solid_mass *m, const double expected[6], double tolerance) {
  for (int k = 0; k < 6; k++) ck_assert_double_eq_tol(m->inertia[k], expected[k], tolerance * expected[0]);
}

/* The rock of the wall: benchmarks give its mass and inertia with density 2300. */
START_TEST(the_rock_weighs_what_it_should) {
  static const double r[16] = {
      1.143194140731269,   0.6247636994959747, 0.4198206059540749, 1.1116480956118107,
      0.8965451614785596,  0.8819019228647785, 0.2592675582459427, 0.22899315888913663,
      0.23837569282753324, 0.6585606791241505, 1.0084563758002816, 0.9096785924063177,
      0.8633716705085941,  1.1215975890657788, 1.1983269522076825, 0.5443688021200721};
  static const int sign[8][3] = {{1, 1, 1},  {1, -1, 1},  {-1, 1, 1},  {-1, -1, 1},
                                 {1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1}};
  static const double inertia[6] = {136844.35, 147071.19, 98845.51, -9121.35, 3144.91, -18336.50};
  double x[24], low[3] = {9, 9, 9}, high[3] = {-9, -9, -9}, extent = 0.0;
  for (int i = 0; i < 8; i++) {
    x[3 * i] = sign[i][0] * cos(r[2 * i]) * cos(r[2 * i + 1]);
    x[3 * i + 1] = sign[i][1] * sin(r[2 * i]) * cos(r[2 * i + 1]);
    x[3 * i + 2] = sign[i][2] * sin(r[2 * i + 1]);
    for (int k = 0; k < 3; k++) low[k] = fmin(low[k], x[3 * i + k]), high[k] = fmax(high[k], x[3 * i + k]);
  }
  for (int k = 0; k < 3; k++) extent = fmax(extent, high[k] - low[k]);
  for (int k = 0; k < 24; k++) x[k] *= 5.0 / extent;
  prc_solid rock = hull(8, x, 0.0);
  const prc_solid_mass m = prc_solid_mass_of(&rock);
  ck_assert_double_eq_tol(m.volume, 31.326012, 5e-7);
  ck_assert_double_eq_tol(2300.0 * m.volume, 72049.828, 5e-4);
  for (int k = 0; k < 6; k++) ck_assert_double_eq_tol(2300.0 * m.inertia[k], inertia[k], 0.006);
  /* moved and turned, far away: the centre goes along, I = R I R' */
  uint64_t seed = 7;
  const prc_solid_pose pose = support_any_attitude(&seed, zero);
  const double by[3] = {1000.0, -300.0, 20.0};
  double centre[3];
  prc_solid_move(&rock, by, pose.R);
  const prc_solid_mass there = prc_solid_mass_of(&rock);
  for (int k = 0; k < 3; k++) centre[k] = m.centre[k] + by[k];
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(there.centre[i], dot(pose.R + 3 * i, centre), 1e-11);
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) sum += pose.R[3 * i + k] * m.inertia[at[k][l]] * pose.R[3 * j + l];
      ck_assert_double_eq_tol(there.inertia[at[i][j]], sum, 1e-10);
    }
  }
  check_net(&rock);
  prc_solid_free(&rock);
}
END_TEST

START_TEST(boxes_balls_cylinders_and_capsules_have_their_closed_forms) {
  const double a = 1.0, b = 2.0, c = 3.0, ends[6] = {0, 0, -1.5, 0, 0, 1.5}, r = 0.5, l = 3.0;
  prc_solid box, cylinder, ball = hull(1, (const double[3]){1, 2, 3}, r), capsule = hull(2, ends, r);
  support_ok(prc_solid_make_box((const double[3]){a, b, c}, &box, &err), &err);
  support_ok(prc_solid_make_cylinder(ends, r, &cylinder, &err), &err);
  prc_solid_mass m = prc_solid_mass_of(&box);
  ck_assert_double_eq_tol(m.volume, 6.0, 1e-14);
  for (int k = 0; k < 3; k++) ck_assert_double_eq(m.centre[k], 0.0);
  check_inertia(&m, (const double[6]){6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0, 0, 0, 0},
                1e-14);
  m = prc_solid_mass_of(&ball);
  const double v = 4.0 / 3.0 * pi * r * r * r;
  ck_assert_double_eq_tol(m.volume, v, 1e-15);
  check_inertia(&m, (const double[6]){0.4 * v * r * r, 0.4 * v * r * r, 0.4 * v * r * r, 0, 0, 0}, 1e-15);
  m = prc_solid_mass_of(&cylinder);
  const double w = pi * r * r * l, across = w * (3.0 * r * r + l * l) / 12.0;
  ck_assert_double_eq_tol(m.volume, w, 1e-15);
  check_inertia(&m, (const double[6]){across, across, 0.5 * w * r * r, 0, 0, 0}, 1e-15);
  m = prc_solid_mass_of(&capsule);
  /* two halves of a ball: that of the ball, and by Steiner 3 r / 8 beyond the ends for nothing at their flat sides */
  const double caps = 0.4 * v * r * r + v * (l * l / 4.0 + 2.0 * (l / 2.0) * 0.375 * r);
  ck_assert_double_eq_tol(m.volume, w + v, 1e-14);
  check_inertia(
      &m, (const double[6]){across + caps, across + caps, 0.5 * w * r * r + 0.4 * v * r * r, 0, 0, 0}, 1e-14);
  ck_assert_double_eq(cylinder.width, 1.0);
  ck_assert_double_eq(capsule.width, 1.0);
  ck_assert_double_eq_tol(cylinder.extent, hypot(1.5, 0.5), 1e-15);
  ck_assert_double_eq(capsule.extent, 2.0);
  ck_assert_double_eq(box.width, 1.0);
  prc_solid_free(&box), prc_solid_free(&ball), prc_solid_free(&cylinder), prc_solid_free(&capsule);
}
END_TEST

/* ---- boxes around them --------------------------------------------------------------------------------- */

START_TEST(boxes_hold_what_they_are_around) {
  uint64_t seed = 11;
  const double ends[6] = {0.1, -0.2, -0.7, 0.3, 0.4, 0.5};
  prc_solid cylinder;
  support_ok(prc_solid_make_cylinder(ends, 0.6, &cylinder, &err), &err);
  for (int trial = 0; trial < 100; trial++) {
    const prc_solid_pose pose = support_any_attitude(&seed, ends);
    double box[6], low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    prc_solid_box(&cylinder, &pose, box);
    for (int k = 0; k < 3; k++) { /* along axis k: the cylinder against a half-space below it */
      const double out[3] = {k == 0, k == 1, k == 2}, back[3] = {-out[0], -out[1], -out[2]};
      for (int side = 0; side < 2; side++) {
        prc_solid half;
        support_ok(prc_solid_make_half_space(zero, side ? back : out, &half, &err), &err);
        found.n = 0;
        support_ok(prc_solid_meet(&half, &origin, &cylinder, &pose, 10.0, &found, &err), &err);
        for (int i = 0; i < found.n; i++) {
          low[k] = fmin(low[k], side ? low[k] : found.touch[i].gap);
          high[k] = fmax(high[k], side ? -found.touch[i].gap : high[k]);
        }
        prc_solid_free(&half);
      }
      ck_assert_double_eq_tol(box[k], low[k], 1e-14);
      ck_assert_double_eq_tol(box[3 + k], high[k], 1e-14);
    }
  }
  prc_solid half;
  support_ok(prc_solid_make_half_space(ends, (const double[3]){0, 0, 2}, &half, &err), &err);
  double box[6];
  prc_solid_box(&half, &origin, box);
  ck_assert(isinf(box[0]) && isinf(box[2]) && isinf(box[3]) && isinf(box[4]));
  ck_assert_double_eq(box[5], -0.7);
  prc_solid_free(&cylinder), prc_solid_free(&half);
}
END_TEST

/* ---- half-spaces --------------------------------------------------------------------------------------- */

START_TEST(every_corner_meets_a_half_space) {
  uint64_t seed = 13;
  for (int trial = 0; trial < 5000; trial++) {
    double n[3], point[3];
    for (int k = 0; k < 3; k++)
      n[k] = support_uniform(&seed, -1.0, 1.0), point[k] = support_uniform(&seed, -1.0, 1.0);
    const int round = trial % 3;
    prc_solid stone = {0}, half, body;
    if (round == 0) stone = support_stone(&seed);
    body = round ? hull(round, (const double[6]){0.3, 0, 0, -0.4, 0.2, 0.1}, 0.2)
                 : hull(stone.n, stone.corner, 0.0);
    support_ok(prc_solid_make_half_space(point, n, &half, &err), &err);
    const prc_solid_pose here = support_any_attitude(&seed, point), there = support_any_attitude(&seed, n);
    const double reach = support_uniform(&seed, -0.5, 0.5);
    found.n = 0;
    support_ok(prc_solid_meet(&half, &here, &body, &there, reach, &found, &err), &err);
    const int first = found.n;
    support_ok(prc_solid_meet(&body, &there, &half, &here, reach, &found, &err), &err);
    ck_assert_int_eq(found.n, 2 * first);
    int at = 0;
    for (int i = 0; i < body.n; i++) {
      long double gap = -body.radius, normal[3];
      for (int k = 0; k < 3; k++) {
        normal[k] = 0.0L;
        for (int l = 0; l < 3; l++) normal[k] += (long double)here.R[3 * k + l] * half.face_normal[l];
        long double d = (long double)there.x[k] - here.x[k];
        for (int l = 0; l < 3; l++)
          d += (long double)there.R[3 * k + l] * body.corner[3 * i + l]
               - (long double)here.R[3 * k + l] * half.corner[l];
        gap += normal[k] * d;
      }
      if (gap > reach) continue;
      ck_assert_int_lt(at, first);
      const prc_solid_touch *t = &found.touch[at], *turned = &found.touch[first + at];
      at++;
      ck_assert_ldouble_eq_tol(t->gap, gap, 1e-14L);
      ck_assert_uint_eq(t->feature_a, PRC_SOLID_FACE);
      ck_assert_uint_eq(t->feature_b, (uint32_t)i);
      ck_assert_double_eq(t->gap, turned->gap);
      for (int k = 0; k < 3; k++) ck_assert_double_eq(t->normal[k], -turned->normal[k]);
    }
    ck_assert_int_eq(at, first);
    prc_solid_free(&half), prc_solid_free(&body), support_release(&stone);
  }
}
END_TEST

/* The lowest point of a rim is not higher than any of 20 000 others; its gap goes with the point of the body that is there. */
START_TEST(a_cylinder_touches_with_the_lowest_points_of_its_rims) {
  uint64_t seed = 17;
  prc_solid half, disc;
  support_ok(prc_solid_make_half_space(zero, (const double[3]){0, 0, 1}, &half, &err), &err);
  support_ok(prc_solid_make_cylinder((const double[6]){0, 0, -0.1, 0, 0, 0.1}, 1.0, &disc, &err), &err);
  for (int trial = 0; trial < 200; trial++) {
    const double x[3] = {0.3, -0.2, 0.5}, tilt = pow(10.0, support_uniform(&seed, -8.0, 0.19));
    const double axis[3] = {support_uniform(&seed, -1.0, 1.0), support_uniform(&seed, -1.0, 1.0), 0.0};
    const prc_solid_pose pose = support_pose(x, axis, tilt);
    found.n = 0;
    support_ok(prc_solid_meet(&half, &origin, &disc, &pose, 10.0, &found, &err), &err);
    ck_assert_int_eq(found.n, 14);
    for (int rim = 0; rim < 2; rim++) {
      double least = INFINITY;
      for (int k = 0; k < 20000; k++) {
        const double angle = 2.0 * pi * k / 20000, r[3] = {cos(angle), sin(angle), rim ? 0.1 : -0.1};
        least = fmin(least, x[2] + dot(pose.R + 6, r));
      }
      const prc_solid_touch *t = &found.touch[7 * rim];
      ck_assert_uint_eq(t->feature_b, PRC_SOLID_RIM | (uint32_t)rim);
      ck_assert_double_le(t->gap, least + 1e-15);
      ck_assert_double_ge(t->gap, least - 1e-7 * sin(tilt));
      for (int k = 1; k < 7; k++) ck_assert_double_ge(found.touch[7 * rim + k].gap, t->gap - 1e-15);
      for (int k = 0; k < 7; k++) { /* each is on its rim */
        const prc_solid_touch *p = &found.touch[7 * rim + k];
        double d[3], r[3];
        for (int l = 0; l < 3; l++) d[l] = p->place[l] + (l == 2 ? 0.5 * p->gap : 0.0) - x[l];
        for (int l = 0; l < 3; l++) r[l] = pose.R[l] * d[0] + pose.R[3 + l] * d[1] + pose.R[6 + l] * d[2];
        ck_assert_double_eq_tol(hypot(r[0], r[1]), 1.0, 1e-14);
        ck_assert_double_eq_tol(r[2], rim ? 0.1 : -0.1, 1e-14);
      }
    }
    const double h = 1e-6 * tilt, spin[3] = {0.3, -0.7, 0.4}; /* about the centre */
    prc_solid_touch before = found.touch[0], after = before;
    const prc_solid_pose turn = support_pose(zero, spin, h * sqrt(dot(spin, spin))),
                         back = support_pose(zero, spin, -h * sqrt(dot(spin, spin)));
    prc_solid_pose late = pose, early = pose;
    for (int i = 0; i < 9; i++) {
      late.R[i] = early.R[i] = 0.0;
      for (int k = 0; k < 3; k++) {
        late.R[i] += turn.R[i / 3 * 3 + k] * pose.R[3 * k + i % 3];
        early.R[i] += back.R[i / 3 * 3 + k] * pose.R[3 * k + i % 3];
      }
    }
    prc_solid_follow(&half, &origin, &disc, &late, &after);
    prc_solid_follow(&half, &origin, &disc, &early, &before);
    const double *p = found.touch[0].place;
    const double rate = spin[0] * (p[1] - x[1]) - spin[1] * (p[0] - x[0]);
    ck_assert_double_eq_tol((after.gap - before.gap) / (2.0 * h), rate, 1e-6 + 1e-15 / h);
  }
  prc_solid_free(&half), prc_solid_free(&disc);
}
END_TEST

/* Rolling it touches with one point of a rim and no other; lying flat with six that stay; on its side with one of each rim. */
START_TEST(a_disc_rolls_on_one_point_and_lies_on_six) {
  prc_solid half, disc;
  support_ok(prc_solid_make_half_space(zero, (const double[3]){0, 0, 1}, &half, &err), &err);
  support_ok(prc_solid_make_cylinder((const double[6]){0, 0, -0.1, 0, 0, 0.1}, 1.0, &disc, &err), &err);
  for (int k = 0; k < 100; k++) {
    const double tilt = 0.3, spin[3] = {0, 0, 1};
    prc_solid_pose lean = support_pose((const double[3]){0, 0, sin(tilt) + 0.1 * cos(tilt)},
                                       (const double[3]){1, 0, 0}, tilt),
                   pose = lean;
    const prc_solid_pose turn = support_pose(zero, spin, 0.1 * k);
    for (int i = 0; i < 9; i++) {
      pose.R[i] = 0.0;
      for (int l = 0; l < 3; l++) pose.R[i] += lean.R[i / 3 * 3 + l] * turn.R[3 * l + i % 3];
    }
    found.n = 0;
    support_ok(prc_solid_meet(&half, &origin, &disc, &pose, 0.01, &found, &err), &err);
    ck_assert_int_eq(found.n, 1);
    ck_assert_double_eq_tol(found.touch[0].gap, 0.0, 1e-15);
    ck_assert_uint_eq(found.touch[0].feature_b, PRC_SOLID_RIM);
  }
  const prc_solid_pose flat = {{0, 0, 0.1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                       side = {{0, 0, 1}, {1, 0, 0, 0, 0, -1, 0, 1, 0}};
  found.n = 0;
  support_ok(prc_solid_meet(&half, &origin, &disc, &flat, 0.01, &found, &err), &err);
  ck_assert_int_eq(found.n, 6);
  for (int k = 0; k < 6; k++) {
    ck_assert_double_eq(found.touch[k].gap, 0.0);
    ck_assert_uint_eq(found.touch[k].feature_b, PRC_SOLID_RIM | (2u + 2u * (uint32_t)k));
    ck_assert_double_eq_tol(hypot(found.touch[k].place[0], found.touch[k].place[1]), 1.0, 1e-15);
  }
  found.n = 0;
  support_ok(prc_solid_meet(&half, &origin, &disc, &side, 0.01, &found, &err), &err);
  ck_assert_int_eq(found.n, 2);
  for (int k = 0; k < 2; k++) ck_assert_double_eq(found.touch[k].gap, 0.0);
  prc_solid_free(&half), prc_solid_free(&disc);
}
END_TEST

START_TEST(meeting_and_following_allocate_nothing_once_there_is_room) {
  prc_solid box, capsule = hull(2, (const double[6]){-0.5, 0, 0, 0.5, 0, 0}, 0.1);
  support_ok(prc_solid_make_box((const double[3]){1, 1, 1}, &box, &err), &err);
  const prc_solid_pose above = {{0, 0, 0.6}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  found.n = 0;
  support_ok(prc_solid_meet(&box, &origin, &capsule, &above, 0.01, &found, &err), &err);
  ck_assert_int_eq(found.n, 2); /* along a face: two points, at its ends */
  for (int k = 0; k < 2; k++) {
    ck_assert_double_eq_tol(found.touch[k].gap, 0.0, 1e-16);
    ck_assert_double_eq(found.touch[k].normal[2], 1.0);
    ck_assert_uint_eq(found.touch[k].feature_b, (uint32_t)k);
  }
  support_watch(0);
  found.n = 0;
  const prc_status status = prc_solid_meet(&box, &origin, &capsule, &above, 0.01, &found, &err);
  prc_solid_follow(&box, &origin, &capsule, &above, &found.touch[0]);
  support_look_away();
  support_ok(status, &err);
  ck_assert_int_eq(support_allocator.calls, 0);
  prc_solid_free(&box), prc_solid_free(&capsule);
}
END_TEST

SUITE(solid) {
  Suite *suite = suite_create("solid");
  TCase *solids = tcase_create("solids"), *half = tcase_create("half-spaces");
  tcase_set_timeout(solids, 60.0);
  tcase_set_timeout(half, 60.0);
  tcase_add_test(solids, hulls_are_those_of_the_slow_answer);
  tcase_add_test(solids, the_width_of_many_corners_is_that_across_a_face);
  tcase_add_test(solids, points_that_are_no_corners_are_left_out);
  tcase_add_test(solids, rough_hulls_forgive_single_precision);
  tcase_add_test(solids, large_hulls_are_closed);
  tcase_add_test(solids, what_is_no_solid_is_refused);
  tcase_add_test(solids, memory_that_runs_out_is_told);
  tcase_add_test(solids, the_rock_weighs_what_it_should);
  tcase_add_test(solids, boxes_balls_cylinders_and_capsules_have_their_closed_forms);
  tcase_add_test(solids, boxes_hold_what_they_are_around);
  tcase_add_test(half, every_corner_meets_a_half_space);
  tcase_add_test(half, a_cylinder_touches_with_the_lowest_points_of_its_rims);
  tcase_add_test(half, a_disc_rolls_on_one_point_and_lies_on_six);
  tcase_add_test(half, meeting_and_following_allocate_nothing_once_there_is_room);
  suite_add_tcase(suite, solids);
  suite_add_tcase(suite, half);
  return suite;
}
