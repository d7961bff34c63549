/* The grid of boxes against every box with every other. */
#include "config.h"
#include "contact/grid.h"
#include "support/allocator.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;
static prc_grid *grid;

static void begin(void) {
  prc_error_clear(&err);
  support_ok(prc_grid_create(&grid, &err), &err);
}
static void end(void) {
  prc_grid_free(&grid);
  prc_grid_free(&grid);
}

/* ---- the slow answer ----------------------------------------------------------------------------------- */

static int by_numbers(const void *a, const void *b) {
  const prc_grid_pair *p = a, *q = b;
  if (p->i != q->i) return p->i < q->i ? -1 : 1;
  if (p->j != q->j) return p->j < q->j ? -1 : 1;
  return (p->image > q->image) - (p->image < q->image);
}
static int overlap(const prc_grid_boxes *b, int i, int j, int image) {
  const int dim = b->in_space ? 3 : 2;
  const double *p = b->box + 2 * dim * i, *q = b->box + 2 * dim * j;
  for (int k = 0; k < dim; k++) {
    const double by = image * b->period[k];
    if (q[k] + by > p[dim + k] || q[dim + k] + by < p[k]) return 0;
  }
  return 1;
}
/* All pairs, with images from -most to most; sorted. */
static prc_grid_pair *all_pairs(const prc_grid_boxes *b, int most, int *n) {
  size_t room = 0;
  prc_grid_pair *pair = NULL;
  *n = 0;
  for (int i = 0; i < b->n; i++)
    for (int j = i; j < b->n; j++)
      for (int image = -most; image <= most; image++) {
        if (i == j && image <= 0) continue;
        if (b->still && b->still[i] && b->still[j]) continue;
        if (!overlap(b, i, j, image)) continue;
        support_ok(prc_grow((void *)&pair, &room, (size_t)*n + 1, sizeof *pair, &err), &err);
        pair[(*n)++] = (prc_grid_pair){i, j, image};
      }
  return pair;
}

/* Each pair once, none missed; how many. */
static int check_boxes(const prc_grid_boxes *boxes, int most) {
  const prc_grid_pair *found;
  int n_found, n;
  support_ok(prc_grid_find(grid, boxes, &found, &n_found, &err), &err);
  prc_grid_pair *wanted = all_pairs(boxes, most, &n),
                *sorted = malloc((size_t)(n_found + 1) * sizeof *sorted);
  ck_assert_ptr_nonnull(sorted);
  if (n_found) memcpy(sorted, found, (size_t)n_found * sizeof *sorted);
  qsort(sorted, (size_t)n_found, sizeof *sorted, by_numbers);
  ck_assert_int_eq(n_found, n);
  for (int k = 0; k < n; k++) ck_assert_int_eq(by_numbers(&sorted[k], &wanted[k]), 0);
  free(sorted);
  free(wanted);
  return n;
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

enum { MOST = 3000 };
static double box[6 * MOST];
static char still[MOST];

static void put(int i, double x, double y, double w, double h) {
  box[4 * i] = x, box[4 * i + 1] = y, box[4 * i + 2] = x + w, box[4 * i + 3] = y + h;
}
/* Sizes from `smallest` to 1, by powers; over `spread`; some flat, some points. */
static void scatter(prc_random *r, int n, double smallest, double spread, double flat) {
  for (int i = 0; i < n; i++) {
    const double w = pow(smallest, prc_random_uniform(r, 0.0, 1.0)), kind = prc_random_uniform(r, 0.0, 1.0);
    const double x = prc_random_uniform(r, -spread, spread), y = prc_random_uniform(r, -spread, spread);
    if (kind < 0.1)
      put(i, x, y, w, flat * w);
    else if (kind < 0.2)
      put(i, x, y, flat * w, w);
    else
      put(i, x, y, w, w * prc_random_uniform(r, 0.3, 1.0));
    still[i] = prc_random_uniform(r, 0.0, 1.0) < 0.2;
  }
}

START_TEST(boxes_anywhere_of_any_size_meet_those_they_overlap) {
  static const double smallest[] = {1.0, 0.5, 1e-2, 1e-6}, spread[] = {0.1, 3.0, 12.0, 1e9};
  static const double flat[] = {1.0, 1e-3, 0.0};
  prc_random r = {1};
  for (int trial = 0; trial < 48; trial++) {
    const int n = 1 + trial * 7;
    scatter(&r, n, smallest[trial % 4], spread[trial / 4 % 4], flat[trial / 16]);
    const int pairs = check_boxes(&(prc_grid_boxes){.n = n, .box = box, .still = still}, 0);
    if (trial == 4 || trial == 20) ck_assert_int_gt(pairs, 10);
    check_boxes(&(prc_grid_boxes){.n = n, .box = box}, 0);
  }
}
END_TEST

START_TEST(none_one_and_all_in_one_place) {
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 0, .box = box}, 0), 0);
  put(0, -0.0, 0.0, 1.0, 1.0);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 1, .box = box}, 0), 0);
  for (int i = 0; i < 100; i++) put(i, 3.0, 4.0, 0.5, 0.25);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 100, .box = box}, 0), 4950);
  for (int i = 0; i < 100; i++) put(i, 0.0, -0.0, 0.0, 0.0); /* points in the origin */
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 100, .box = box}, 0), 4950);
  memset(still, 1, 100);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 100, .box = box, .still = still}, 0), 0);
  still[7] = 0;
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 100, .box = box, .still = still}, 0), 99);
}
END_TEST

/* Sides that coincide exactly count as an overlap, a bit less does not. */
START_TEST(boxes_that_touch_meet) {
  const int side = 20;
  for (int i = 0; i < side * side; i++) put(i, i % side, i / side, 1.0, 1.0); /* 4 neighbours and 4 across */
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = side * side, .box = box}, 0),
                   2 * side * (side - 1) + 2 * (side - 1) * (side - 1));
  for (int i = 0; i < side * side; i++) box[4 * i + 2] = nextafter(box[4 * i + 2], -1.0);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = side * side, .box = box}, 0), side * (side - 1));
}
END_TEST

START_TEST(a_line_and_one_that_covers_all) {
  for (int i = 0; i < 1000; i++) put(i, 0.75 * i, 0.25, 1.0, 1.0);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 1000, .box = box}, 0), 999);
  put(1000, -1e6, -1e6, 2e6, 2e6);
  put(1001, 1e300, -1e300, 1e300, 0.0);
  put(1002, -1.5e308, -1.5e308, 1.0, 1.0);
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 1003, .box = box}, 0), 1999);
  box[4 * 1002] = box[4 * 1002 + 1] = -1.5e308, box[4 * 1002 + 2] = box[4 * 1002 + 3] = 1.5e308;
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = 1003, .box = box}, 0), 1999 + 1002);
}
END_TEST

/* ---- in space ------------------------------------------------------------------------------------------ */

static void put_in_space(int i, const double x[3], const double size[3]) {
  for (int k = 0; k < 3; k++) box[6 * i + k] = x[k], box[6 * i + 3 + k] = x[k] + size[k];
}

/* As in the plane; some are plates, some needles, some points. */
START_TEST(boxes_in_space_meet_those_they_overlap) {
  static const double smallest[] = {1.0, 0.5, 1e-2, 1e-6}, spread[] = {0.1, 2.0, 5.0, 1e9};
  static const double flat[] = {1.0, 1e-3, 0.0};
  prc_random r = {5};
  int pairs = 0;
  for (int trial = 0; trial < 96; trial++) {
    const int n = 1 + trial * 5;
    for (int i = 0; i < n; i++) {
      double x[3], size[3];
      const double w = pow(smallest[trial % 4], prc_random_uniform(&r, 0.0, 1.0));
      for (int k = 0; k < 3; k++) {
        x[k] = prc_random_uniform(&r, -1.0, 1.0) * spread[trial / 4 % 4];
        size[k] = w
                  * (prc_random_uniform(&r, 0.0, 1.0) < 0.2 ? flat[trial / 16 % 3]
                                                            : prc_random_uniform(&r, 0.3, 1.0));
      }
      put_in_space(i, x, size);
      still[i] = prc_random_uniform(&r, 0.0, 1.0) < 0.2;
    }
    prc_grid_boxes boxes = {.n = n, .in_space = 1, .box = box, .still = trial % 2 ? still : NULL};
    pairs += check_boxes(&boxes, 0);
    if (spread[trial / 4 % 4] > 2.0) continue;
    for (int k = 0; k < 3; k++) boxes.period[k] = prc_random_uniform(&r, -1.0, 1.0) + (k == trial % 3) * 4.0;
    pairs += check_boxes(&boxes, 10);
  }
  ck_assert_int_gt(pairs, 10000);
}
END_TEST

/* Cubes of a lattice have 3 neighbours by faces, 6 by edges and 4 by corners on one side; one that covers all meets each. */
START_TEST(cubes_of_a_lattice_touch_all_around) {
  const int side = 8, n = side * side * side;
  static const double unit[3] = {1.0, 1.0, 1.0};
  for (int i = 0; i < n; i++)
    put_in_space(i, (const double[3]){i % side - 3.0, i / side % side - 3.0, (double)(i / side / side) - 3.0},
                 unit);
  const prc_grid_boxes boxes = {.n = n, .in_space = 1, .box = box};
  const int less = side - 1, faces = 3 * side * side * less, edges = 6 * side * less * less,
            corners = 4 * less * less * less;
  ck_assert_int_eq(check_boxes(&boxes, 0), faces + edges + corners);
  put_in_space(n, (const double[3]){-1e5, -1e5, -1e5}, (const double[3]){2e5, 2e5, 2e5});
  ck_assert_int_eq(check_boxes(&(prc_grid_boxes){.n = n + 1, .in_space = 1, .box = box}, 0),
                   faces + edges + corners + n);
  const prc_grid_pair *pair;
  int found;
  box[6 * 41 + 5] = NAN;
  support_fails(prc_grid_find(grid, &boxes, &pair, &found, &err), PRC_DIVERGED, &err,
                "box 42 is from (-2, 2, -3) to (-1, 3, nan)");
}
END_TEST

/* ---- with a period ------------------------------------------------------------------------------------- */

START_TEST(images_meet_along_any_period) {
  static const double period[][2] = {{4.0, 0.0},  {-4.0, -0.0}, {0.0, 2.5},
                                     {2.3, -1.1}, {-0.7, 3.9},  {1e-3, 5.0}};
  prc_random r = {2};
  int pairs = 0;
  for (int trial = 0; trial < 60; trial++) {
    const double *p = period[trial % 6], spread = trial % 5 == 0 ? 40.0 : 4.0;
    const int n = 2 + trial;
    scatter(&r, n, trial % 3 ? 1e-2 : 1.0, spread, 0.1);
    const prc_grid_boxes boxes = {
        .n = n, .box = box, .still = trial % 2 ? still : NULL, .period = {p[0], p[1]}};
    pairs += check_boxes(&boxes, 60);
  }
  ck_assert_int_gt(pairs, 900);
}
END_TEST

START_TEST(a_box_longer_than_the_cell_meets_itself) {
  put(0, 0.25, 0.0, 1.0, 1.0); /* exactly a period long: it touches its next image */
  put(1, 5.5, 0.5, 0.125, 0.125);
  put(2, -7.0, 0.5, 3.25, 0.125);
  const prc_grid_boxes boxes = {.n = 3, .box = box, .period = {1.0, 0.0}};
  /* 0-0: 1; 0-1: 1; 0-2: images of a stretch of 4.25; 1-2; 2-2: 3 */
  const int n = check_boxes(&boxes, 40);
  ck_assert_int_ge(n, 1 + 1 + 4 + 3 + 3);
  memset(still, 1, 3);
  ck_assert_int_eq(
      check_boxes(&(prc_grid_boxes){.n = 3, .box = box, .still = still, .period = {1.0, 0.0}}, 40), 0);
}
END_TEST

/* Sides and period of tenths, which no number is: the boxes themselves say whether they touch, not where rounding brings them. */
START_TEST(images_that_touch_are_judged_by_the_boxes_themselves) {
  prc_random r = {4};
  for (int trial = 0; trial < 40; trial++) {
    for (int i = 0; i < 60; i++) {
      put(i, 0.1 * floor(prc_random_uniform(&r, -90.0, 90.0)), 0.1 * floor(prc_random_uniform(&r, 0.0, 4.0)),
          0.1, 0.1);
    }
    put(60, 0.0, 0.0, 0.0, 0.0); /* a point, so small that its cells would be */
    const prc_grid_boxes boxes = {
        .n = 61, .box = box, .period = {trial % 2 ? 0.7 : 1.1, trial % 4 < 2 ? 0.0 : 0.1}};
    ck_assert_int_gt(check_boxes(&boxes, 40), 20);
  }
}
END_TEST

START_TEST(images_may_be_many_periods_away) {
  const prc_grid_pair *pair;
  int n;
  put(0, 0.25, 0.0, 0.25, 1.0);
  put(1, 0.25 + 1e6, 0.5, 0.25, 1.0);
  const prc_grid_boxes boxes = {.n = 2, .box = box, .period = {1.0, 0.0}};
  support_ok(prc_grid_find(grid, &boxes, &pair, &n, &err), &err);
  ck_assert_int_eq(n, 1);
  ck_assert(pair[0].i == 0 && pair[0].j == 1 && pair[0].image == -1000000);
  put(1, 1e12, 0.5, 0.25, 1.0);
  support_fails(prc_grid_find(grid, &boxes, &pair, &n, &err), PRC_DIVERGED, &err, "box 2, from (1e+12, 0.5)");
}
END_TEST

/* ---- the same again ------------------------------------------------------------------------------------ */

START_TEST(the_same_boxes_give_the_same_order_and_ask_for_no_memory) {
  prc_random r = {3};
  const prc_grid_pair *pair;
  int n, again;
  scatter(&r, MOST, 1e-2, 10.0, 0.2);
  const prc_grid_boxes boxes = {.n = MOST, .box = box, .still = still, .period = {20.0, 0.0}};
  support_ok(prc_grid_find(grid, &boxes, &pair, &n, &err), &err);
  ck_assert_int_gt(n, 1000);
  prc_grid_pair *first = malloc((size_t)n * sizeof *first);
  ck_assert_ptr_nonnull(first);
  memcpy(first, pair, (size_t)n * sizeof *first);
  support_watch(0);
  const prc_status status = prc_grid_find(grid, &boxes, &pair, &again, &err);
  support_look_away();
  ck_assert_int_eq(status, PRC_OK);
  ck_assert_int_eq(support_allocator.calls, 0);
  prc_grid *other;
  support_ok(prc_grid_create(&other, &err), &err);
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(again, n);
    ck_assert_int_eq(memcmp(first, pair, (size_t)n * sizeof *first), 0);
    support_ok(prc_grid_find(other, &boxes, &pair, &again, &err), &err);
  }
  prc_grid_free(&other);
  free(first);
}
END_TEST

START_TEST(what_fails_says_so) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  const prc_grid_pair *pair;
  int n, calls;
  for (int i = 0; i < 100; i++) put(i, 0.5 * i, 0.0, 1.0, 1.0);
  const prc_grid_boxes boxes = {.n = 100, .box = box};
  for (int k = 0; k < 3; k++) {
    box[4 * 41 + 3] = bad[k];
    prc_error_clear(&err);
    support_fails(prc_grid_find(grid, &boxes, &pair, &n, &err), PRC_DIVERGED, &err,
                  "box 42 is from (20.5, 0)");
  }
  box[4 * 41 + 3] = 1.0;
  for (calls = 1;; calls++) {
    prc_grid *fresh;
    prc_error_clear(&err);
    support_ok(prc_grid_create(&fresh, &err), &err);
    support_watch(calls);
    const prc_status status = prc_grid_find(fresh, &boxes, &pair, &n, &err);
    support_look_away();
    prc_grid_free(&fresh);
    if (status == PRC_OK) break;
    ck_assert_int_eq(status, PRC_NOMEM);
  }
  ck_assert_int_ge(calls, 6);
}
END_TEST

SUITE(grid) {
  Suite *suite = suite_create("grid");
  TCase *pairs = tcase_create("pairs");
  tcase_add_checked_fixture(pairs, begin, end);
  tcase_add_test(pairs, boxes_anywhere_of_any_size_meet_those_they_overlap);
  tcase_add_test(pairs, none_one_and_all_in_one_place);
  tcase_add_test(pairs, boxes_that_touch_meet);
  tcase_add_test(pairs, a_line_and_one_that_covers_all);
  tcase_add_test(pairs, boxes_in_space_meet_those_they_overlap);
  tcase_add_test(pairs, cubes_of_a_lattice_touch_all_around);
  tcase_add_test(pairs, images_meet_along_any_period);
  tcase_add_test(pairs, a_box_longer_than_the_cell_meets_itself);
  tcase_add_test(pairs, images_that_touch_are_judged_by_the_boxes_themselves);
  tcase_add_test(pairs, images_may_be_many_periods_away);
  tcase_add_test(pairs, the_same_boxes_give_the_same_order_and_ask_for_no_memory);
  tcase_add_test(pairs, what_fails_says_so);
  suite_add_tcase(suite, pairs);
  return suite;
}
