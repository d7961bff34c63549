/* The mortar of two chains: areas, gaps, rows, and what is merged. */
#include "config.h"
#include "contact/mortar.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static const double eps = 2.3e-16;

/* A chain through n nodes, numbered from `first` on; quadratic: n is odd, every second halfway. x: where they are. */
static prc_mortar_chain *chain_of(int first, int n, int quadratic, const double (*x)[2]) {
  int node[64], side[64][3];
  prc_mortar_chain *chain = NULL;
  const int n_sides = quadratic ? (n - 1) / 2 : n - 1;
  for (int k = 0; k < n; k++) node[k] = first + k;
  for (int k = 0; k < n_sides; k++) {
    side[k][0] = first + (quadratic ? 2 * k : k), side[k][1] = side[k][0] + (quadratic ? 2 : 1);
    side[k][2] = quadratic ? side[k][0] + 1 : -1;
  }
  prc_error_clear(&err);
  support_ok(prc_mortar_chain_create(n, node, n_sides, (const int(*)[3])side, &chain, NULL, &err), &err);
  for (int k = 0; k < n; k++) memcpy(chain->x + 2 * k, x[k], sizeof x[k]);
  return chain;
}

/* From `from` to `to` at a height; the first chain goes to the left (its body below), the second to the right. */
static prc_mortar_chain *flat(int first, int n, double from, double to, double y) {
  double x[64][2];
  for (int k = 0; k < n; k++) x[k][0] = from + (to - from) * k / (n - 1), x[k][1] = y;
  return chain_of(first, n, 0, (const double(*)[2])x);
}

static prc_mortar *join(prc_mortar_chain *a, prc_mortar_chain *b) {
  prc_mortar *m = NULL;
  support_ok(prc_mortar_create(a, b, &m, &err), &err);
  support_ok(prc_mortar_find(m, &err), &err);
  return m;
}

static void part(prc_mortar **m) {
  prc_mortar_chain *a = (*m)->chain[0], *b = (*m)->chain[1];
  prc_mortar_free(m);
  prc_mortar_chain_free(&a);
  prc_mortar_chain_free(&b);
}

static double sum(int n, const double *x) {
  double total = 0.0;
  for (int k = 0; k < n; k++) total += x[k];
  return total;
}

START_TEST(areas_are_those_of_the_overlap) {
  static const struct {
    double from, to, area;
    int n_contacts;
  } all[] = {{0.0, 3.0, 3.0, 4}, {-1.0, 5.0, 3.0, 4}, {1.0, 2.0, 1.0, 2},   {0.4, 2.2, 1.8, 3},
             {2.9, 9.0, 0.1, 1}, {3.0, 4.0, 0.0, 0},  {-9.0, -1.0, 0.0, 0}, {1.4, 1.5, 0.1, 1}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    prc_mortar *m = join(flat(100, 6, all[k].to, all[k].from, 0.0), flat(0, 4, 0.0, 3.0, 0.25));
    int n = 0;
    ck_assert_double_eq_tol(sum(4, m->area), all[k].area, 1e-14);
    ck_assert_double_eq_tol(sum(4, m->full), 3.0, 1e-14);
    for (int j = 0; j < 4; j++) {
      if (m->goes[j] != j) continue;
      n++;
      ck_assert_double_eq_tol(m->gap[j], 0.25, 1e-15);
    }
    ck_assert_msg(n == all[k].n_contacts, "case %zu: %d contacts", k, n);
    part(&m);
  }
}
END_TEST

/* Below a quarter a hat hands on what it has; the area under all stays. */
START_TEST(little_hats_are_merged) {
  for (int k = 0; k < 40; k++) {
    const double end = 2.0 + k * 0.025;
    prc_mortar *m = join(flat(100, 3, end, -1.0, 0.0), flat(0, 4, 0.0, 3.0, 0.0));
    const double last = 0.5 * (end - 2.0) * (end - 2.0);
    const int merged = last < 0.25 * 0.5;
    ck_assert_double_eq_tol(sum(4, m->area), end, 1e-14);
    ck_assert_int_eq(m->goes[3], last == 0.0 ? -1 : merged ? 2 : 3);
    ck_assert_double_eq_tol(m->area[3], merged ? 0.0 : last, 1e-14);
    part(&m);
  }
}
END_TEST

START_TEST(held_points_hand_on) {
  const char ends[4] = {1, 0, 0, 1}, pair[4] = {1, 1, 0, 0}, all[4] = {1, 1, 1, 1};
  prc_mortar *m = join(flat(100, 3, 4.0, -1.0, 0.0), flat(0, 4, 0.0, 3.0, 0.0));
  m->held = ends;
  support_ok(prc_mortar_find(m, &err), &err);
  ck_assert(m->goes[0] == 1 && m->goes[1] == 1 && m->goes[2] == 2 && m->goes[3] == 2);
  ck_assert_double_eq_tol(m->area[1], 1.5, 1e-15);
  m->held = pair; /* the first has no neighbour that is free */
  support_ok(prc_mortar_find(m, &err), &err);
  ck_assert(m->goes[0] == 0 && m->goes[1] == 2 && m->goes[2] == 2 && m->goes[3] == 3);
  m->held = all;
  support_ok(prc_mortar_find(m, &err), &err);
  for (int j = 0; j < 4; j++) ck_assert_int_eq(m->goes[j], j);
  part(&m);
}
END_TEST

/* A wavy pair of quadratic sides, close to each other. */
static prc_mortar *wavy(double slide) {
  double a[21][2], b[13][2];
  for (int k = 0; k < 21; k++) a[k][0] = 3.0 - 4.0 * k / 20.0, a[k][1] = 0.1 * sin(2.0 * a[k][0]);
  for (int k = 0; k < 13; k++) {
    b[k][0] = 0.1 + 1.7 * k / 12.0;
    b[k][1] = 0.1 * sin(2.0 * b[k][0]) + 0.01 * cos(3.0 * b[k][0]);
    b[k][0] += slide;
  }
  return join(chain_of(100, 21, 1, (const double(*)[2])a), chain_of(0, 13, 1, (const double(*)[2])b));
}

/* Row sums vanish: a common motion makes no velocity; and so do the moments of forces where there is no gap and no friction. */
START_TEST(rows_are_of_relative_motion) {
  prc_mortar *m = wavy(0.0);
  prc_mortar_row row = {0};
  for (int j = 0; j < 13; j++) {
    double c[2] = {0.0, 0.0}, size = 0.0, own[2] = {0.0, 0.0};
    if (m->goes[j] != j) continue;
    support_ok(prc_mortar_find_row(m, j, &row, &err), &err);
    for (int k = 0; k < row.n; k++)
      for (int d = 0; d < 2; d++) {
        c[d] += row.c[2 * k + d], size += fabs(row.c[2 * k + d]);
        if (row.node[k] < 100) own[d] += row.c[2 * k + d];
        if (k > 0) ck_assert_int_gt(row.node[k], row.node[k - 1]);
      }
    for (int d = 0; d < 2; d++) ck_assert_double_le(fabs(c[d]), 4.0 * eps * size);
    /* the second's share is the mean normal, of length one but for its turning */
    ck_assert_double_eq_tol(hypot(own[0], own[1]), 1.0, 0.02);
    ck_assert_double_eq_tol(own[0] * row.normal[0] + own[1] * row.normal[1], hypot(own[0], own[1]), 1e-14);
  }
  prc_mortar_row_free(&row);
  part(&m);
}
END_TEST

/* u_N is the rate of the gap where nothing slides; while it slides over polygons without a gap, too. */
START_TEST(gaps_move_as_rows_say) {
  prc_mortar *m = join(flat(100, 8, 4.0, -1.0, 0.0), flat(0, 4, 0.3, 2.7, 0.02));
  prc_mortar_row row = {0};
  const double h = 1e-6, slope = 0.01;
  for (int j = 0; j < 4; j++) {
    double rate = 0.0, gap[2];
    support_ok(prc_mortar_find_row(m, j, &row, &err), &err);
    for (int k = 0; k < row.n; k++) /* v = (0, 1 + slope x) of the second */
      if (row.node[k] < 100) rate += row.c[2 * k + 1] * (1.0 + slope * m->chain[1]->x[2 * row.node[k]]);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < 4; i++)
        m->chain[1]->x[2 * i + 1] = 0.02 + (side ? h : -h) * (1.0 + slope * m->chain[1]->x[2 * i]);
      support_ok(prc_mortar_find(m, &err), &err);
      gap[side] = m->gap[j];
    }
    ck_assert_double_eq_tol((gap[1] - gap[0]) / (2.0 * h), rate, 1e-8);
    for (int i = 0; i < 4; i++) m->chain[1]->x[2 * i + 1] = 0.02;
    support_ok(prc_mortar_find(m, &err), &err);
  }
  prc_mortar_row_free(&row);
  part(&m);
}
END_TEST

/* Turned and moved, everything is the same; quadratic arcs that fit leave gaps of the fourth order. */
START_TEST(places_do_not_matter) {
  const double angle = 0.7, c = cos(angle), s = sin(angle);
  prc_mortar *m = wavy(0.03), *other = wavy(0.03);
  for (int side = 0; side < 2; side++) {
    prc_mortar_chain *chain = other->chain[side];
    for (int k = 0; k < chain->n_points; k++) {
      const double x = chain->x[2 * k], y = chain->x[2 * k + 1];
      chain->x[2 * k] = 5.0 + c * x - s * y, chain->x[2 * k + 1] = -2.0 + s * x + c * y;
    }
  }
  support_ok(prc_mortar_find(other, &err), &err);
  for (int j = 0; j < 13; j++) {
    ck_assert_int_eq(m->goes[j], other->goes[j]);
    ck_assert_double_eq_tol(m->area[j], other->area[j], 1e-13);
    ck_assert_double_eq_tol(m->gap[j], other->gap[j], 1e-14);
  }
  part(&m);
  part(&other);
}
END_TEST

static double gap_of_arcs(int n) {
  double a[64][2], b[64][2], worst = 0.0;
  const int n_a = 2 * n + 1, n_b = 2 * (n + 1) + 1;
  for (int k = 0; k < n_a; k++)
    a[k][0] = sin(0.7 * (1.0 - 2.0 * k / (n_a - 1))), a[k][1] = cos(0.7 * (1.0 - 2.0 * k / (n_a - 1)));
  for (int k = 0; k < n_b; k++)
    b[k][0] = sin(0.6 * (2.0 * k / (n_b - 1) - 1.0)), b[k][1] = cos(0.6 * (2.0 * k / (n_b - 1) - 1.0));
  prc_mortar *m =
      join(chain_of(100, n_a, 1, (const double(*)[2])a), chain_of(0, n_b, 1, (const double(*)[2])b));
  for (int j = 0; j < n_b; j++) worst = fmax(worst, fabs(m->gap[j]));
  part(&m);
  return worst;
}

START_TEST(quadratic_sides_follow_arcs) {
  const double coarse = gap_of_arcs(4), fine = gap_of_arcs(8);
  ck_assert_msg(log2(coarse / fine) > 3.3, "gaps %.3e, %.3e", coarse, fine);
}
END_TEST

/* Over two walls the nearer counts; what looks away does not, nor what is out of range. */
START_TEST(the_nearest_counts) {
  const double steps[4][2] = {{2.0, -0.5}, {-1.0, -0.5}, {5.0, 0.0}, {1.0, 0.0}};
  int node[4] = {100, 101, 102, 103};
  const int side[2][3] = {{100, 101, -1}, {102, 103, -1}};
  prc_mortar_chain *two = NULL;
  support_ok(prc_mortar_chain_create(4, node, 2, side, &two, NULL, &err), &err);
  memcpy(two->x, steps, sizeof steps);
  prc_mortar *m = join(two, flat(0, 4, 0.0, 3.0, 0.1));
  ck_assert_double_eq_tol(sum(4, m->area), 3.0, 1e-14);
  ck_assert_double_eq_tol(m->gap[0], 0.6, 1e-14);
  ck_assert_double_eq_tol(m->gap[3], 0.1, 1e-14);
  m->range = 0.3;
  support_ok(prc_mortar_find(m, &err), &err);
  ck_assert_double_eq_tol(sum(4, m->area), 2.0, 1e-14);
  part(&m);
  m = join(flat(100, 3, -1.0, 4.0, 0.0), flat(0, 4, 0.0, 3.0, 0.1)); /* its body is above */
  ck_assert_double_eq(sum(4, m->area), 0.0);
  part(&m);
}
END_TEST

/* A corner that went in, or stands above: all of both its sides is over the floor, whatever nodes that has, and so are their gaps. */
START_TEST(corners_lie_over_what_they_go_into) {
  prc_random random = {5};
  for (int i = 0; i < 200; i++) {
    double floor[40][2], x[9][2], exact = 0.0, found = 0.0, last = 12.0;
    const int n = 3 + (int)(30.0 * prc_random_uniform(&random, 0.0, 1.0)),
              sides = 1 + (int)(4.0 * prc_random_uniform(&random, 0.0, 1.0));
    const double deep = 0.3 * prc_random_uniform(&random, 0.0, 1.0),
                 tilt = prc_random_uniform(&random, 0.0, 1.0) - 0.5, size = 0.25;
    for (int k = 0; k < n; k++) {
      const double from = 12.0 - 24.0 * k / n, to = 12.0 - 24.0 * (k + 1) / n;
      floor[k][0] = last, floor[k][1] = 0.0,
      last = k + 2 < n ? from + (to - from) * prc_random_uniform(&random, 0.0, 1.0) : -12.0;
    }
    for (int k = -sides; k <= sides; k++) {
      const double angle = tilt + (k < 0 ? 0.75 : 0.25) * M_PI, way = size * abs(k);
      x[k + sides][0] = way * cos(angle), x[k + sides][1] = way * sin(angle) - deep;
    }
    for (int k = 0; k < 2 * sides; k++) exact += size * 0.5 * (x[k][1] + x[k + 1][1]);
    prc_mortar *m = join(chain_of(100, n, 0, (const double(*)[2])floor),
                         chain_of(0, 2 * sides + 1, 0, (const double(*)[2])x));
    for (int k = 0; k < m->start[2 * sides]; k++) found += m->point[k].weight * m->point[k].gap;
    ck_assert_double_eq_tol(sum(2 * sides + 1, m->area), 2.0 * sides * size, 1e-12);
    ck_assert_double_eq_tol(found, exact, 1e-12);
    part(&m);
  }
}
END_TEST

/* In axisymmetry a hat has the area of its ring. */
START_TEST(rings_have_areas) {
  const double pi = acos(-1.0);
  prc_mortar *m = join(flat(100, 5, 3.0, 0.0, 0.0), flat(0, 3, 0.0, 2.0, 0.0));
  m->across = 0.0, m->around = 2.0 * pi;
  support_ok(prc_mortar_find(m, &err), &err);
  const double exact[] = {2.0 * pi / 6.0, 2.0 * pi, 2.0 * pi * 5.0 / 6.0};
  for (int j = 0; j < 3; j++) {
    ck_assert_double_eq_tol(m->area[j], exact[j], 1e-14);
    ck_assert_double_eq_tol(m->full[j], exact[j], 1e-14);
  }
  part(&m);
}
END_TEST

/* A split line has its ends in both sides: merged there, its rows are independent, one pair for each pair of nodes. */
START_TEST(ends_of_a_split_line_are_closed) {
  const int right[5] = {0, 1, 2, 3, 8}, left[5] = {0, 5, 6, 7, 8};
  int one[4][3], other[4][3];
  for (int k = 0; k < 4; k++) {
    one[k][0] = right[4 - k], one[k][1] = right[3 - k], other[k][0] = left[k], other[k][1] = left[k + 1];
    one[k][2] = other[k][2] = -1;
  }
  prc_mortar_chain *a = NULL, *b = NULL;
  support_ok(prc_mortar_chain_create(5, right, 4, (const int(*)[3])one, &a, NULL, &err), &err);
  support_ok(prc_mortar_chain_create(5, left, 4, (const int(*)[3])other, &b, NULL, &err), &err);
  for (int k = 0; k < 5; k++) a->x[2 * k] = b->x[2 * k] = k;
  prc_mortar *m = NULL;
  const char held[5] = {1, 0, 0, 0, 1};
  support_ok(prc_mortar_create(a, b, &m, &err), &err);
  m->held = held;
  support_ok(prc_mortar_find(m, &err), &err);
  ck_assert(m->goes[0] == 1 && m->goes[4] == 3);
  ck_assert_double_eq_tol(sum(5, m->area), 4.0, 1e-14);
  prc_mortar_row row = {0};
  double D[3][3] = {{0.0}};
  for (int j = 1; j < 4; j++) {
    support_ok(prc_mortar_find_row(m, j, &row, &err), &err);
    for (int k = 0; k < row.n; k++) {
      if (row.node[k] == 0 || row.node[k] == 8)
        ck_assert_double_le(hypot(row.c[2 * k], row.c[2 * k + 1]), 1e-15);
      if (row.node[k] >= 5 && row.node[k] <= 7) D[j - 1][row.node[k] - 5] = row.c[2 * k + 1];
    }
  }
  const double det = D[0][0] * (D[1][1] * D[2][2] - D[1][2] * D[2][1])
                     - D[0][1] * (D[1][0] * D[2][2] - D[1][2] * D[2][0])
                     + D[0][2] * (D[1][0] * D[2][1] - D[1][1] * D[2][0]);
  ck_assert_double_gt(fabs(det), 0.1);
  prc_mortar_row_free(&row);
  part(&m);
}
END_TEST

START_TEST(branches_are_refused) {
  const int node[4] = {3, 5, 7, 9}, side[3][3] = {{3, 5, -1}, {5, 7, -1}, {5, 9, -1}},
            unknown[1][3] = {{3, 4, -1}};
  prc_mortar_chain *chain = NULL;
  int branch;
  prc_error_clear(&err);
  support_fails(prc_mortar_chain_create(4, node, 3, side, &chain, &branch, &err), PRC_INPUT, &err,
                "meet in one node");
  ck_assert_int_eq(branch, 5);
  prc_error_clear(&err);
  support_fails(prc_mortar_chain_create(4, node, 1, unknown, &chain, &branch, &err), PRC_INPUT, &err,
                "not in the chain");
}
END_TEST

SUITE(mortar) {
  Suite *suite = suite_create("mortar");
  TCase *all = tcase_create("all");
  tcase_add_test(all, areas_are_those_of_the_overlap);
  tcase_add_test(all, little_hats_are_merged);
  tcase_add_test(all, held_points_hand_on);
  tcase_add_test(all, rows_are_of_relative_motion);
  tcase_add_test(all, gaps_move_as_rows_say);
  tcase_add_test(all, places_do_not_matter);
  tcase_add_test(all, quadratic_sides_follow_arcs);
  tcase_add_test(all, the_nearest_counts);
  tcase_add_test(all, corners_lie_over_what_they_go_into);
  tcase_add_test(all, rings_have_areas);
  tcase_add_test(all, ends_of_a_split_line_are_closed);
  tcase_add_test(all, branches_are_refused);
  suite_add_tcase(suite, all);
  return suite;
}
