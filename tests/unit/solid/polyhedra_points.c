/* Where two polyhedra touch: the corners of what their faces have in common, which of them they are from step to step, and how their gaps change. */
#include "config.h"
#include "solid/internal.h"
#include "support/allocator.h"
#include "support/polyhedra.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_solid_touches found, later;
static const double zero[3] = {0.0, 0.0, 0.0};

static int count_of(int n) {
  return getenv("PRC_SHORT") ? n / 50 : n;
}
static int meet(const prc_solid *a, const prc_solid_pose *pose_a, const prc_solid *b,
                const prc_solid_pose *pose_b, double reach, prc_solid_touches *out) {
  const prc_solid_stand x = {a, pose_a}, y = {b, pose_b};
  out->n = 0;
  support_ok(prc_solid_polyhedra_meet(x, y, reach, out, &err), &err);
  return out->n;
}
/* b stands at `offset` and turned by R in the axes of a. */
static prc_solid_pose seen_from(const prc_solid_pose *a, const double offset[3], const prc_solid_pose *turn) {
  prc_solid_pose b = {{0}, {0}};
  double arm[3];
  prc_solid_turn(a->R, offset, arm);
  for (int k = 0; k < 3; k++) b.x[k] = a->x[k] + arm[k];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) b.R[3 * i + j] += a->R[3 * i + k] * turn->R[3 * k + j];
  return b;
}
static prc_solid_pose about_z(double angle) {
  return support_pose(zero, (const double[3]){0.0, 0.0, 1.0}, angle);
}
static int has(const prc_solid_touches *touches, uint32_t feature_a, uint32_t feature_b) {
  for (int k = 0; k < touches->n; k++)
    if (touches->touch[k].feature_a == feature_a && touches->touch[k].feature_b == feature_b) return 1;
  return 0;
}

/* ---- blocks on each other ------------------------------------------------------------------------------ */

START_TEST(a_block_on_a_block_touches_at_its_four_corners) {
  prc_solid block = support_box(2.0, 1.0, 0.5), plate = support_box(8.0, 8.0, 0.5);
  const prc_solid_pose origin = about_z(0.0), above = {{0.0, 0.0, 0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ck_assert_int_eq(meet(&plate, &origin, &block, &above, 0.0, &found), 4);
  for (uint32_t k = 0; k < 4; k++) ck_assert(has(&found, PRC_SOLID_FACE | 5u, k)); /* its lower corners */
  for (int k = 0; k < 4; k++) {
    const prc_solid_touch *touch = &found.touch[k];
    ck_assert_double_eq(touch->gap, 0.0);
    ck_assert_double_eq(touch->normal[2], 1.0);
    ck_assert_double_eq(fabs(touch->place[0]), 1.0);
    ck_assert_double_eq(fabs(touch->place[1]), 0.5);
    ck_assert_double_eq(touch->place[2], 0.25);
  }
  /* exactly above its like: one corner of the two at each place */
  ck_assert_int_eq(meet(&block, &origin, &block, &above, 0.0, &found), 4);
  /* half a block on, as in a wall: two corners of each */
  const prc_solid_pose aside = {{1.0, 0.0, 0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ck_assert_int_eq(meet(&block, &origin, &block, &aside, 0.0, &found), 4);
  int mine = 0;
  for (int k = 0; k < 4; k++) {
    mine += PRC_SOLID_KIND(found.touch[k].feature_a) == PRC_SOLID_FACE;
    ck_assert_double_eq(fabs(found.touch[k].place[0] - 0.5), 0.5);
  }
  ck_assert_int_ge(mine, 2);
  support_release(&block), support_release(&plate);
}
END_TEST

/* In any attitude, also with rounding of it, and a little deep or apart: 4 points, and 8 when turned by 45 degrees. */
START_TEST(a_tower_has_four_points_a_joint_and_eight_when_it_is_turned) {
  prc_solid cube = support_box(1.0, 1.0, 1.0);
  uint64_t seed = 11u;
  for (int i = 0; i < count_of(5000); i++) {
    const double x[3] = {support_uniform(&seed, -9.0, 9.0), support_uniform(&seed, -9.0, 9.0), 3.0};
    static const double off[] = {0.0, 1e-16, 1e-14, -1e-12, 1e-10, 1e-4, -1e-4, 1e-2};
    const prc_solid_pose a = support_any_attitude(&seed, x),
                         turn = about_z(i % 2 ? 0.78539816339744831 : 0.0);
    const double offset[3] = {i % 3 ? 0.0 : 1e-11, 0.0, 1.0 + off[i / 2 % 8]};
    const prc_solid_pose b = seen_from(&a, offset, &turn);
    const double reach = fmax(0.0, off[i / 2 % 8]) + 1e-13;
    ck_assert_int_eq(meet(&cube, &a, &cube, &b, reach, &found), i % 2 ? 8 : 4);
    for (int k = 0; k < found.n; k++)
      if (!(fabs(found.touch[k].gap - off[i / 2 % 8]) < 2e-14)) ck_abort_msg("gap %g", found.touch[k].gap);
  }
  support_release(&cube);
}
END_TEST

/* Points that are out of reach are left out alone: a joint that opens turns about an edge. */
START_TEST(a_joint_that_opens_keeps_the_corners_that_touch) {
  prc_solid block = support_box(2.0, 1.0, 0.5);
  static const double angle[] = {1e-12, 1e-9, 1e-7, 1e-6, 1e-4, 1e-3, 0.03, 0.1, 0.3};
  const prc_solid_pose origin = about_z(0.0);
  for (size_t k = 0; k < sizeof angle / sizeof *angle; k++) {
    const double c = cos(angle[k]), s = sin(angle[k]);
    /* about its lower edge at x = -1 */
    const double x[3] = {-1.0 + c - 0.25 * s, 0.0, 0.25 + s + 0.25 * c};
    const prc_solid_pose open = support_pose(x, (const double[3]){0.0, -1.0, 0.0}, angle[k]);
    ck_assert_int_eq(meet(&block, &origin, &block, &open, 2.1 * s, &found), 4);
    double sum = 0.0;
    for (int l = 0; l < 4; l++) sum += found.touch[l].gap;
    ck_assert_double_eq_tol(sum, 4.0 * s, 1e-14 + 0.1 * s * angle[k]);
    ck_assert_int_eq(meet(&block, &origin, &block, &open, 0.5 * s + 1e-15, &found), 2);
  }
  support_release(&block);
}
END_TEST

START_TEST(edges_that_cross_touch_once_with_their_own_normal) {
  prc_solid bar = support_box(4.0, 1.0, 1.0);
  const double r = sqrt(0.5), axis[3] = {1.0, 0.0, 0.0};
  const prc_solid_pose below = support_pose(zero, axis, 0.78539816339744831);
  for (int k = -3; k <= 3; k++) {
    const double gap = ldexp(k, -7), x[3] = {0.25, 0.125, 2.0 * r + gap};
    const prc_solid_pose quarter = about_z(1.5707963267948966 + 0.1 * k),
                         tilted = seen_from(&quarter, zero, &below);
    prc_solid_pose above = tilted;
    memcpy(above.x, x, sizeof x);
    ck_assert_int_eq(meet(&bar, &below, &bar, &above, 0.1, &found), 1);
    const prc_solid_touch *touch = &found.touch[0];
    ck_assert_uint_eq(PRC_SOLID_KIND(touch->feature_a), PRC_SOLID_EDGE);
    ck_assert_uint_eq(PRC_SOLID_KIND(touch->feature_b), PRC_SOLID_EDGE);
    ck_assert_double_eq_tol(touch->gap, gap, 1e-15);
    ck_assert_double_eq_tol(touch->normal[2], 1.0, 1e-15);
    ck_assert_double_eq_tol(touch->place[1], 0.0, 1e-14);
    ck_assert_double_eq_tol(touch->place[2], r + 0.5 * gap, 1e-14);
  }
  support_release(&bar);
}
END_TEST

/* ---- the true overlap ---------------------------------------------------------------------------------- */

/* Corners of a convex polygon (anticlockwise) cut by the sides of another, one after the other. */
typedef long double plane_points[64][2];
static int cut(int n, plane_points x, const long double p[2], const long double q[2]) {
  plane_points out;
  int m = 0;
  for (int k = 0; k < n; k++) {
    const long double *u = x[k], *v = x[(k + 1) % n];
    const long double su = (q[0] - p[0]) * (u[1] - p[1]) - (q[1] - p[1]) * (u[0] - p[0]);
    const long double sv = (q[0] - p[0]) * (v[1] - p[1]) - (q[1] - p[1]) * (v[0] - p[0]);
    if (su >= 0.0L) out[m][0] = u[0], out[m++][1] = u[1];
    if ((su > 0.0L && sv < 0.0L) || (su < 0.0L && sv > 0.0L)) {
      for (int l = 0; l < 2; l++) out[m][l] = u[l] + (v[l] - u[l]) * su / (su - sv);
      m++;
    }
  }
  memcpy(x, out, sizeof out);
  return m;
}
/* The face in the plane z = 0 of common axes; turned round if it is seen from behind. */
static int face_of(const prc_solid *solid, int face, const prc_solid_pose *pose, int behind,
                   plane_points out) {
  const int *corner = solid->face_corner + solid->face_start[face];
  const int n = solid->face_start[face + 1] - solid->face_start[face];
  for (int k = 0; k < n; k++) {
    double x[3];
    prc_solid_turn(pose->R, solid->corner + 3 * (size_t)corner[behind ? n - 1 - k : k], x);
    for (int l = 0; l < 2; l++) out[k][l] = pose->x[l] + x[l];
  }
  return n;
}
/* R whose transpose turns the face's normal to (0, 0, up). */
static prc_solid_pose laid_flat(const prc_solid *solid, int face, double up) {
  const double *n = solid->face_normal + 3 * (size_t)face, to[3] = {0.0, 0.0, up};
  double axis[3];
  prc_solid_cross(n, to, axis);
  const double sine = sqrt(prc_solid_dot(axis, axis));
  if (!(sine > 1e-3))
    return support_pose(zero, (const double[3]){1.0, 0.0, 0.0}, n[2] * up > 0.0 ? 0.0 : 3.141592653589793);
  return support_pose(zero, axis, atan2(sine, prc_solid_dot(n, to)));
}

/* A face of one flat on a face of the other: each corner of the polygon that they have in common is a touch, and each touch is such a corner. */
START_TEST(the_points_are_the_corners_of_the_true_overlap) {
  uint64_t seed = 12u;
  prc_solid pool[16];
  for (int k = 0; k < 16; k++) pool[k] = k % 2 ? support_stone(&seed) : support_box(0.5 + 0.1 * k, 1.0, 0.7);
  for (int i = 0; i < count_of(20000); i++) {
    const prc_solid *a = &pool[i % 16], *b = &pool[i / 16 % 16];
    const int f = (int)support_uniform(&seed, 0.0, a->n_faces - 0.001);
    const int g = (int)support_uniform(&seed, 0.0, b->n_faces - 0.001);
    const prc_solid_pose low = laid_flat(a, f, 1.0), high = laid_flat(b, g, -1.0);
    const prc_solid_pose turn = about_z(support_uniform(&seed, -3.1, 3.1));
    prc_solid_pose pose_a = low, pose_b = seen_from(&turn, zero, &high);
    pose_a.x[2] = -a->face_offset[f], pose_b.x[2] = b->face_offset[g] - 1e-7;
    for (int k = 0; k < 2; k++) pose_b.x[k] = support_uniform(&seed, -0.6, 0.6);
    plane_points x, y;
    int n = face_of(a, f, &pose_a, 0, x), m = face_of(b, g, &pose_b, 1, y);
    for (int k = 0; k < m; k++) n = n > 0 ? cut(n, x, y[k], y[(k + 1) % m]) : 0;
    long double area = 0.0L;
    for (int k = 0; k < n; k++) area += x[k][0] * x[(k + 1) % n][1] - x[(k + 1) % n][0] * x[k][1];
    if (!(area > 1e-4L)) continue;
    meet(a, &pose_a, b, &pose_b, 0.0, &found);
    for (int k = 0; k < n; k++) {
      double least = INFINITY;
      for (int l = 0; l < found.n; l++)
        least = fmin(least, hypot(found.touch[l].place[0] - (double)x[k][0],
                                  found.touch[l].place[1] - (double)x[k][1]));
      if (!(least < 1e-6)) ck_abort_msg("%d: corner %d of %d is %g off", i, k, n, least);
    }
    for (int l = 0; l < found.n; l++) {
      double least = INFINITY;
      for (int k = 0; k < n; k++)
        least = fmin(least, hypot(found.touch[l].place[0] - (double)x[k][0],
                                  found.touch[l].place[1] - (double)x[k][1]));
      if (!(least < 1e-6) || !(fabs(found.touch[l].gap + 1e-7) < 1e-13)
          || !(found.touch[l].normal[2] > 1.0 - 1e-12))
        ck_abort_msg("%d: touch %d is %g off, gap %g", i, l, least, found.touch[l].gap);
    }
  }
  for (int k = 0; k < 16; k++) support_release(&pool[k]);
}
END_TEST

/* ---- from step to step --------------------------------------------------------------------------------- */

/* Blocks at rest shake within what a solver leaves: no identity is lost. Where they are lined up, offsets up to 1e-10 change none either. */
START_TEST(blocks_at_rest_keep_the_identities_of_their_points) {
  prc_solid block = support_box(1.0, 2.0, 1.0);
  uint64_t seed = 13u;
  int lost = 0, all = 0;
  for (int i = 0; i < count_of(4000); i++) {
    const prc_solid_pose a = support_any_attitude(&seed, zero), none = about_z(0.0);
    const double offset[3] = {i % 2 ? 0.0 : support_uniform(&seed, -0.9, 0.9),
                              i % 4 > 1 ? 1.005 : support_uniform(&seed, -1.9, 1.9), 1.0 - 1e-6};
    prc_solid_pose b = seen_from(&a, offset, &none);
    meet(&block, &a, &block, &b, 0.0, &found);
    for (int k = 0; k < 3; k++) b.x[k] += support_uniform(&seed, -1e-10, 1e-10);
    support_nudge(&seed, &b, support_uniform(&seed, -1e-10, 1e-10));
    meet(&block, &a, &block, &b, 0.0, &later);
    for (int k = 0; k < found.n; k++)
      lost += !has(&later, found.touch[k].feature_a, found.touch[k].feature_b);
    all += found.n;
  }
  ck_assert_msg(lost <= all / 10000, "%d of %d lost", lost, all);
  support_release(&block);
}
END_TEST

/* Moving on, most stay, and what comes instead of another is near to it or was far from it in the order of the move. */
START_TEST(what_takes_the_place_of_another_is_near_to_it) {
  prc_solid block = support_box(1.0, 2.0, 1.0), stone;
  uint64_t seed = 14u;
  const double move = 1e-3;
  int lost = 0, all = 0, orphans = 0;
  stone = support_stone(&seed);
  for (int i = 0; i < count_of(20000); i++) {
    const prc_solid *x = i % 2 ? &stone : &block;
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = support_uniform(&seed, -1.5, 1.5);
    const prc_solid_pose a = support_any_attitude(&seed, zero);
    prc_solid_pose b = support_any_attitude(&seed, y);
    const prc_solid_stand sa = {&block, &a}, sb = {x, &b};
    double gap;
    support_ok(prc_solid_polyhedra_gap(sa, sb, &found, &gap, &err), &err);
    if (!(gap < -1e-3 && gap > -0.05)) continue;
    meet(&block, &a, x, &b, 0.0, &found);
    for (int k = 0; k < 3; k++) b.x[k] += support_uniform(&seed, -move, move) / 3.0;
    meet(&block, &a, x, &b, 0.0, &later);
    for (int k = 0; k < found.n; k++) {
      all++;
      if (found.touch[k].gap > -2.0 * move || has(&later, found.touch[k].feature_a, found.touch[k].feature_b))
        continue;
      double least = INFINITY;
      for (int l = 0; l < later.n; l++) {
        double d[3];
        for (int m = 0; m < 3; m++) d[m] = later.touch[l].place[m] - found.touch[k].place[m];
        least = fmin(least, sqrt(prc_solid_dot(d, d)));
      }
      lost++, orphans += least > 20.0 * move;
    }
  }
  ck_assert_int_gt(all, count_of(500));
  ck_assert_msg(lost <= all / 20 && orphans <= 1 + all / 100, "%d of %d lost, %d of them have no heir", lost,
                all, orphans);
  support_release(&block), support_release(&stone);
}
END_TEST

/* g' = n . (v_b - v_a) at the place: against differences, but of edges that are nearly parallel. */
static void moved(prc_solid_pose *pose, const double v[3], const double spin[3], double t) {
  const double zeros[3] = {0.0, 0.0, 0.0};
  const prc_solid_pose by = support_pose(zeros, spin, t * sqrt(prc_solid_dot(spin, spin)));
  double R[9] = {0.0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) R[3 * i + j] += by.R[3 * i + k] * pose->R[3 * k + j];
  memcpy(pose->R, R, sizeof R);
  for (int k = 0; k < 3; k++) pose->x[k] += t * v[k];
}
static double rate_of(const prc_solid_touch *touch, double x[2][3], double v[2][3], double spin[2][3]) {
  double rate = 0.0;
  for (int side = 0; side < 2; side++) {
    double arm[3], turn[3];
    for (int k = 0; k < 3; k++) arm[k] = touch->place[k] - x[side][k];
    prc_solid_cross(spin[side], arm, turn);
    for (int k = 0; k < 3; k++) rate += (side ? 1.0 : -1.0) * touch->normal[k] * (v[side][k] + turn[k]);
  }
  return rate;
}
START_TEST(gaps_change_as_their_normals_and_places_say) {
  uint64_t seed = 15u;
  const double t = 1e-6;
  prc_solid pool[8];
  int checked = 0;
  for (int k = 0; k < 8; k++) pool[k] = k % 2 ? support_stone(&seed) : support_box(0.5 + 0.1 * k, 1.0, 0.7);
  for (int i = 0; i < count_of(20000); i++) {
    const prc_solid *solid[2] = {&pool[i % 8], &pool[i / 8 % 8]};
    double x[2][3], v[2][3], spin[2][3];
    prc_solid_pose pose[2];
    for (int side = 0; side < 2; side++) {
      for (int k = 0; k < 3; k++) {
        x[side][k] = support_uniform(&seed, -0.6, 0.6);
        v[side][k] = support_uniform(&seed, -1.0, 1.0), spin[side][k] = support_uniform(&seed, -1.0, 1.0);
      }
      pose[side] = support_any_attitude(&seed, x[side]);
    }
    meet(solid[0], &pose[0], solid[1], &pose[1], 0.05, &found);
    for (int k = 0; k < found.n; k++) {
      prc_solid_touch end[2] = {found.touch[k], found.touch[k]};
      for (int sign = 0; sign < 2; sign++) {
        prc_solid_pose there[2] = {pose[0], pose[1]};
        for (int side = 0; side < 2; side++) moved(&there[side], v[side], spin[side], sign ? t : -t);
        prc_solid_polyhedra_follow((prc_solid_stand){solid[0], &there[0]},
                                   (prc_solid_stand){solid[1], &there[1]}, &end[sign]);
      }
      const double rate = rate_of(&found.touch[k], x, v, spin),
                   difference = (end[1].gap - end[0].gap) / (2.0 * t);
      int exact = 1;
      if (PRC_SOLID_KIND(found.touch[k].feature_a)
          == PRC_SOLID_EDGE) { /* its own normal, or that of a face? */
        for (int side = 0; side < 2; side++)
          for (int f = 0; f < solid[side]->n_faces; f++) {
            double n[3];
            prc_solid_turn(pose[side].R, solid[side]->face_normal + 3 * f, n);
            if (fabs(prc_solid_dot(n, found.touch[k].normal)) > 1.0 - 1e-15) exact = 0;
          }
      }
      if (!exact) continue;
      checked++;
      if (!(fabs(rate - difference) < 1e-8))
        ck_abort_msg("%d: rate %g, difference %g, features %x %x", i, rate, difference,
                     found.touch[k].feature_a, found.touch[k].feature_b);
    }
  }
  ck_assert_int_gt(checked, count_of(5000));
  for (int k = 0; k < 8; k++) support_release(&pool[k]);
}
END_TEST

START_TEST(a_corner_is_followed_beyond_the_end_of_its_face) {
  prc_solid plate = support_box(2.0, 2.0, 1.0), block = support_box(1.0, 1.0, 1.0);
  const prc_solid_pose origin = about_z(0.0), above = {{0.25, 0.0, 1.0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const prc_solid_pose away = {{7.0, 5.0, 1.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  meet(&plate, &origin, &block, &above, 0.0, &found);
  ck_assert_int_eq(found.n, 4);
  for (int k = 0; k < 4; k++) {
    const prc_solid_stand x = {&plate, &origin}, y = {&block, &away};
    prc_solid_polyhedra_follow(x, y, &found.touch[k]);
    ck_assert_double_eq(found.touch[k].gap, 0.5);
    ck_assert_double_eq(found.touch[k].normal[2], 1.0);
  }
  support_release(&plate), support_release(&block);
}
END_TEST

/* ---- memory -------------------------------------------------------------------------------------------- */

START_TEST(with_room_nothing_is_allocated_and_without_it_refused) {
  prc_solid a = support_box(1.0, 1.0, 1.0), b = support_box(2.0, 1.0, 1.0);
  const prc_solid_pose origin = about_z(0.0), there = {{0.3, 0.2, 0.9}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const prc_solid_stand x = {&a, &origin}, y = {&b, &there};
  prc_solid_touches touches = {0};
  for (int fail = 1;; fail++) {
    support_watch(fail);
    prc_error_clear(&err);
    const prc_status status = prc_solid_polyhedra_meet(x, y, 0.0, &touches, &err);
    support_look_away();
    if (status == PRC_OK) break;
    ck_assert_int_eq(status, PRC_NOMEM);
    ck_assert_int_lt(fail, 9);
  }
  ck_assert_int_ge(touches.n, 1);
  int failed = 0; /* assertions allocate */
  support_watch(0);
  for (int k = 0; k < 100; k++) {
    touches.n = 0;
    failed += prc_solid_polyhedra_meet(x, y, 0.0, &touches, &err) != PRC_OK;
    for (int l = 0; l < touches.n; l++) prc_solid_polyhedra_follow(x, y, &touches.touch[l]);
  }
  support_look_away();
  ck_assert_int_eq(failed, 0);
  ck_assert_int_eq(support_allocator.calls, 0);
  prc_release(&touches.touch), prc_release(&touches.work);
  support_release(&a), support_release(&b);
}
END_TEST

SUITE(polyhedra_points) {
  Suite *suite = suite_create("polyhedra_points");
  TCase *blocks = tcase_create("blocks"), *random = tcase_create("random");
  tcase_add_test(blocks, a_block_on_a_block_touches_at_its_four_corners);
  tcase_add_test(blocks, a_tower_has_four_points_a_joint_and_eight_when_it_is_turned);
  tcase_add_test(blocks, a_joint_that_opens_keeps_the_corners_that_touch);
  tcase_add_test(blocks, edges_that_cross_touch_once_with_their_own_normal);
  tcase_add_test(random, the_points_are_the_corners_of_the_true_overlap);
  tcase_add_test(random, blocks_at_rest_keep_the_identities_of_their_points);
  tcase_add_test(random, what_takes_the_place_of_another_is_near_to_it);
  tcase_add_test(random, gaps_change_as_their_normals_and_places_say);
  tcase_add_test(random, a_corner_is_followed_beyond_the_end_of_its_face);
  tcase_add_test(random, with_room_nothing_is_allocated_and_without_it_refused);
  suite_add_tcase(suite, blocks);
  suite_add_tcase(suite, random);
  return suite;
}
