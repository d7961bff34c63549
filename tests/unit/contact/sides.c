/* Convex shapes against chains of sides: the least gap is the distance of the boundaries, touches follow their
 * features, the rate of a gap is that of its row, and feet change hands without a step. */
#include "config.h"
#include "contact/sides.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static unsigned long long seed = 1;

static double uniform(double low, double high) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

/* closed: the last node is joined to the first. quadratic: every second node is halfway. */
static prc_mortar_chain *chain_of(int n, int quadratic, int closed, const double *x) {
  int node[64], side[64][3], n_sides = 0;
  prc_mortar_chain *chain = NULL;
  const int step = quadratic ? 2 : 1;
  for (int k = 0; k < n; k++) node[k] = 10 + k;
  for (int k = 0; k + (closed ? 0 : step) < n; k += step, n_sides++) {
    side[n_sides][0] = 10 + k, side[n_sides][1] = 10 + (k + step) % n;
    side[n_sides][2] = quadratic ? 11 + k : -1;
  }
  prc_error_clear(&err);
  support_ok(prc_mortar_chain_create(n, node, n_sides, (const int(*)[3])side, &chain, NULL, &err), &err);
  memcpy(chain->x, x, 2 * (size_t)n * sizeof *x);
  return chain;
}

/* A body like a star: n corners around the origin, anticlockwise. */
static prc_mortar_chain *star(int n, double low, double high) {
  double x[128];
  for (int k = 0; k < n; k++) {
    const double angle = 2.0 * M_PI * (k + uniform(-0.3, 0.3)) / n, r = uniform(low, high);
    x[2 * k] = r * cos(angle), x[2 * k + 1] = r * sin(angle);
  }
  return chain_of(n, 0, 1, x);
}

static void make_shape(int n, double size, double radius, prc_shape *out) {
  double corner[32];
  for (int k = 0; k < n; k++) {
    const double angle = 2.0 * M_PI * (k + (n > 2 ? uniform(0.0, 0.3) : 0.0)) / n;
    corner[2 * k] = n > 1 ? size * cos(angle) : 0.0, corner[2 * k + 1] = n > 1 ? size * sin(angle) : 0.0;
  }
  prc_error_clear(&err);
  support_ok(prc_shape_make_hull(n, corner, radius, out, &err), &err);
}

static double to_segment(const double c[2], const double a[2], const double b[2]) {
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {c[0] - a[0], c[1] - a[1]};
  const double square = d[0] * d[0] + d[1] * d[1];
  const double s = fmax(0.0, fmin(1.0, (r[0] * d[0] + r[1] * d[1]) / square));
  return hypot(r[0] - s * d[0], r[1] - s * d[1]);
}

static void corner_at(const prc_shape *shape, const prc_pose *pose, int k, double x[2]) {
  const double *r = shape->corner + 2 * (k % shape->n);
  x[0] = pose->x[0] + pose->c * r[0] - pose->s * r[1], x[1] = pose->x[1] + pose->s * r[0] + pose->c * r[1];
}

/* Between the boundaries, by all corners and all edges. */
static double distance(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose) {
  double least = INFINITY, a[2], b[2];
  for (int e = 0; e < chain->n_chords; e++)
    for (int k = 0; k < shape->n; k++) {
      const double *x = chain->x + 2 * chain->chord[e].point[0], *y = chain->x + 2 * chain->chord[e].point[1];
      corner_at(shape, pose, k, a);
      corner_at(shape, pose, k + 1, b);
      least = fmin(least, to_segment(a, x, y));
      if (shape->n > 1) least = fmin(least, fmin(to_segment(x, a, b), to_segment(y, a, b)));
    }
  return least - shape->radius;
}

static int meet(const prc_mortar_chain *chain, const prc_shape *shape, const prc_pose *pose, double reach,
                int by_nodes, prc_side_touches *out) {
  const prc_side_limits limits = {.reach = reach, .depth = 0.5, .slack = 1e-3, .by_nodes = by_nodes};
  out->n = 0;
  support_ok(prc_sides_meet(chain, shape, pose, &limits, out, &err), &err);
  return out->n;
}

static const prc_side_touch *least_of(const prc_side_touches *all) {
  const prc_side_touch *least = NULL;
  for (int k = 0; k < all->n; k++)
    if (!least || all->touch[k].gap < least->gap) least = &all->touch[k];
  return least;
}

START_TEST(the_least_gap_is_the_distance) {
  prc_side_touches found = {0};
  int judged = 0;
  for (int i = 0; i < 3000; i++) {
    prc_mortar_chain *chain = star(3 + i % 9, 0.4, 1.0);
    prc_shape shape;
    make_shape(1 + i % 5, uniform(0.2, 1.5), i % 3 == 1 || i % 5 == 0 ? uniform(0.05, 0.4) : 0.0, &shape);
    const double angle = uniform(0.0, 6.3), away = 1.0 + shape.extent + uniform(0.0, 0.3);
    const prc_pose pose = prc_pose_at(away * cos(angle), away * sin(angle), uniform(0.0, 6.3));
    const double gap = distance(chain, &shape, &pose);
    if (meet(chain, &shape, &pose, 2.0, 0, &found) > 0) {
      judged++;
      ck_assert_msg(fabs(least_of(&found)->gap - gap) <= 1e-13, "scene %d: %.17g, expected %.17g", i,
                    least_of(&found)->gap, gap);
    } else
      ck_assert_msg(gap > 2.0, "scene %d: nothing found at a distance of %g", i, gap);
    for (int k = 0; k < found.n; k++)
      for (int j = 0; j < k; j++)
        ck_assert(found.touch[j].kind != found.touch[k].kind
                  || found.touch[j].of_shape != found.touch[k].of_shape
                  || found.touch[j].of_chain != found.touch[k].of_chain);
    prc_shape_free(&shape);
    prc_mortar_chain_free(&chain);
  }
  ck_assert_int_gt(judged, 2900);
  free(found.touch);
}
END_TEST

/* gap' = n . (v of the chain - v of the shape), both at the place, by central differences; also of curved sides and of features that were
 * left behind. */
START_TEST(gaps_move_as_rows_say) {
  prc_side_touches found = {0};
  double worst = 0.0;
  int kinds[3] = {0, 0, 0};
  for (int i = 0; i < 400; i++) {
    const int n = 4 + 2 * (i % 5), quadratic = i % 2;
    double x[128], v[128];
    for (int k = 0; k < n; k++) {
      const double a = 2.0 * M_PI * k / n, r = 1.0 + uniform(-0.05, 0.05);
      x[2 * k] = r * cos(a), x[2 * k + 1] = r * sin(a);
    }
    prc_mortar_chain *chain = chain_of(n, quadratic, 1, x);
    prc_shape shape;
    make_shape(1 + i % 4, 0.5, i % 4 == 0 ? 0.3 : 0.0, &shape);
    const double q[3] = {uniform(-1.6, 1.6), uniform(1.2, 1.6), uniform(0.0, 6.3)};
    const double w[3] = {uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)}, s = 1e-6;
    for (int k = 0; k < 2 * n; k++) v[k] = uniform(-1.0, 1.0);
    prc_pose pose = prc_pose_at(q[0], q[1], q[2]);
    meet(chain, &shape, &pose, 1.0, 0, &found);
    for (int k = 0; k < found.n; k++) {
      prc_side_touch t = found.touch[k], at[2] = {t, t};
      int point[3];
      double share[3];
      const int count = prc_sides_points(chain, &t, point, share);
      double rate = 0.0;
      for (int j = 0; j < count; j++)
        for (int d = 0; d < 2; d++) rate += share[j] * t.normal[d] * v[2 * point[j] + d];
      rate -= t.normal[0] * (w[0] - w[2] * (t.place[1] - q[1]))
              + t.normal[1] * (w[1] + w[2] * (t.place[0] - q[0]));
      for (int e = 0; e < 2; e++) {
        const double way = e ? s : -s;
        for (int d = 0; d < 2 * n; d++) chain->x[d] = x[d] + way * v[d];
        pose = prc_pose_at(q[0] + way * w[0], q[1] + way * w[1], q[2] + way * w[2]);
        prc_sides_follow(chain, &shape, &pose, &at[e]);
      }
      memcpy(chain->x, x, sizeof *x * 2 * (size_t)n);
      pose = prc_pose_at(q[0], q[1], q[2]);
      prc_sides_follow(chain, &shape, &pose, &t);
      ck_assert(memcmp(&t, &found.touch[k], sizeof t) == 0); /* the same bits where it was found */
      worst = fmax(worst, fabs((at[1].gap - at[0].gap) / (2.0 * s) - rate));
      kinds[t.kind]++;
    }
    prc_shape_free(&shape);
    prc_mortar_chain_free(&chain);
  }
  ck_assert_msg(worst <= 1e-8, "%g", worst);
  for (int k = 0; k < 3; k++) ck_assert_int_gt(kinds[k], 20);
  free(found.touch);
}
END_TEST

/* A disc that is moved over level nodes, over a ridge and through a valley by its distance: the least gap has no step, and over level sides no
 * rounding to speak of. */
START_TEST(feet_change_hands_without_a_step) {
  static const double profile[3][10] = {{4, 0, 3, 0, 2, 0, 1, 0, 0, 0},
                                        {4, -1, 3, -0.3, 2, 0, 1, -0.2, 0, -1},
                                        {4, 1, 3, 0.4, 2, 0, 1, 0.3, 0, 1}};
  prc_side_touches found = {0};
  for (int i = 0; i < 3; i++)
    for (int turn = 0; turn < 8; turn++) {
      const double a = 0.77 * turn, c = turn ? cos(a) : 1.0, s = turn ? sin(a) : 0.0;
      double x[10];
      for (int k = 0; k < 5; k++)
        x[2 * k] = c * profile[i][2 * k] - s * profile[i][2 * k + 1],
              x[2 * k + 1] = s * profile[i][2 * k] + c * profile[i][2 * k + 1];
      prc_mortar_chain *chain = chain_of(5, 0, 0, x);
      prc_shape disc;
      make_shape(1, 0.0, 0.25, &disc);
      double before = NAN;
      for (int k = 0; k <= 4000; k++) {
        const double along = 0.4 + 3.2 * k / 4000, up = 0.25 + (i == 2 ? 1.0 : 0.0);
        const prc_pose pose = prc_pose_at(c * along - s * up, s * along + c * up, 0.3 * k);
        ck_assert_int_gt(meet(chain, &disc, &pose, 2.0, 0, &found), 0);
        const double gap = least_of(&found)->gap;
        if (i == 0)
          ck_assert_msg(fabs(gap) <= 1e-15, "turn %d at %g: %g, kind %d of %d at %g", turn, along, gap,
                        least_of(&found)->kind, least_of(&found)->of_chain, least_of(&found)->at);
        ck_assert_msg(fabs(gap - distance(chain, &disc, &pose)) <= 1e-14, "%g", gap);
        if (k > 0) ck_assert_msg(fabs(gap - before) <= 1.0 * 3.2 / 4000, "%g after %g", gap, before);
        before = gap;
      }
      prc_shape_free(&disc);
      prc_mortar_chain_free(&chain);
    }
  free(found.touch);
}
END_TEST

/* What is in the body is found as deep as it is: corners at most half a side, between nodes, at nodes, in valleys; a corner beside a ridge belongs to the nearer
 * wall alone. */
START_TEST(depths_are_those_of_the_nearest_wall) {
  static const double wall[] = {2, -2, 2, 0, 0, 0, -2, 0, -2, -2}; /* up, to the left over the top, down */
  prc_mortar_chain *chain = chain_of(5, 0, 0, wall);
  prc_side_touches found = {0};
  prc_shape point;
  make_shape(3, 1.0, 0.0, &point);
  for (int i = 0; i < 500; i++) {
    /* the shape's corner 0, at the end of its axis, points down */
    const double depth = pow(10.0, uniform(-12.0, -1.5)), at = uniform(-1.9, 1.9);
    const double *r = point.corner, angle = -0.5 * M_PI - atan2(r[1], r[0]) + uniform(-0.3, 0.3),
                 c = cos(angle), s = sin(angle);
    const double tip[2] = {c * r[0] - s * r[1], s * r[0] + c * r[1]};
    const prc_pose pose = prc_pose_at(at - tip[0], -depth - tip[1], angle);
    meet(chain, &point, &pose, 0.0, 0, &found);
    int n = 0;
    for (int k = 0; k < found.n; k++) {
      if (found.touch[k].of_shape != 0 || found.touch[k].kind == PRC_NODE_ON_EDGE) continue;
      n++;
      ck_assert_msg(fabs(found.touch[k].gap + depth) <= 1e-15, "%g for %g", found.touch[k].gap, depth);
      ck_assert(fabs(found.touch[k].normal[1] + 1.0) <= 1e-15);
    }
    ck_assert_msg(n == 1, "%d touches at x = %g, %g deep", n, at, depth);
  }
  prc_shape_free(&point);
  prc_mortar_chain_free(&chain);
  free(found.touch);
}
END_TEST

/* A corner that is a little inside a valley, wherever it went in: two sides hold it. */
START_TEST(valleys_hold_by_both_sides) {
  prc_side_touches found = {0};
  for (int i = 0; i < 300; i++) {
    const double slope = uniform(0.05, 1.2), deep = pow(10.0, uniform(-11.0, -4.0));
    const double x[] = {1, slope, 0, 0, -1, slope},
                 direction = -0.5 * M_PI + uniform(-0.4, 0.4) * atan(slope);
    prc_mortar_chain *chain = chain_of(3, 0, 0, x);
    prc_shape disc;
    make_shape(1, 0.0, 0.0, &disc);
    const prc_pose pose = prc_pose_at(deep * cos(direction), deep * sin(direction), 0.0);
    ck_assert_msg(meet(chain, &disc, &pose, 0.0, 0, &found) == 2,
                  "%d sides hold it, %g deep at a slope of %g", found.n, deep, slope);
    prc_shape_free(&disc);
    prc_mortar_chain_free(&chain);
  }
  free(found.touch);
}
END_TEST

/* Planes and holes meet nodes; large discs too. */
START_TEST(what_has_no_end_meets_nodes) {
  static const double top[] = {2, 0, 1, 0, 0, 0};
  prc_mortar_chain *chain = chain_of(3, 0, 0, top);
  prc_side_touches found = {0};
  prc_shape plane, hole, disc;
  support_ok(prc_shape_make_half_plane((const double[]){0, 0}, (const double[]){0, -1}, &plane, &err), &err);
  support_ok(prc_shape_make_hole((const double[]){0, 0}, 10.0, &hole, &err), &err);
  make_shape(1, 0.0, 50.0, &disc);
  prc_pose pose = prc_pose_at(0.0, 0.125, 0.0);
  ck_assert_int_eq(meet(chain, &plane, &pose, 1.0, 0, &found), 3);
  for (int k = 0; k < 3; k++) ck_assert(found.touch[k].gap == 0.125 && found.touch[k].normal[1] == -1.0);
  pose = prc_pose_at(1.0, -9.0, 0.0);
  ck_assert_int_eq(meet(chain, &hole, &pose, 2.0, 0, &found), 3);
  for (int k = 0; k < 3; k++)
    ck_assert(fabs(found.touch[k].gap - (10.0 - hypot(1.0 - k, 9.0))) <= 4e-15
              && found.touch[k].normal[1] < -0.9);
  pose = prc_pose_at(1.0, 50.0, 0.0);
  ck_assert_int_eq(meet(chain, &disc, &pose, 1.0, 1, &found), 3);
  for (int k = 0; k < 3; k++) ck_assert(fabs(found.touch[k].gap - (hypot(1.0 - k, 50.0) - 50.0)) <= 1e-13);
  ck_assert_int_eq(meet(chain, &disc, &pose, 1.0, 0, &found), 1);
  prc_shape_free(&plane);
  prc_shape_free(&hole);
  prc_shape_free(&disc);
  prc_mortar_chain_free(&chain);
  free(found.touch);
}
END_TEST

SUITE(sides) {
  Suite *suite = suite_create("sides");
  TCase *all = tcase_create("all");
  tcase_add_test(all, the_least_gap_is_the_distance);
  tcase_add_test(all, gaps_move_as_rows_say);
  tcase_add_test(all, feet_change_hands_without_a_step);
  tcase_add_test(all, depths_are_those_of_the_nearest_wall);
  tcase_add_test(all, valleys_hold_by_both_sides);
  tcase_add_test(all, what_has_no_end_meets_nodes);
  suite_add_tcase(suite, all);
  return suite;
}
