/* Contact forces that are not determined, of bodies that meet, from steps: a pile turned, mirrored, shuffled and in other units against the
 * table of its intervals; blocks that slide and rest; polygons that fall, at whose every step samples lie within the intervals. */
#include "config.h"
#include "explore/explore.h"
#include "support/crowd.h"
#include "support/toy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, up[2] = {0.0, 1.0}, zero[2] = {0.0, 0.0};

/* ---- a step of a crowd ---------------------------------------------------------------------------------------------------------- */

typedef struct {
  double *q, *v, t;
  prc_explore_step *step;
  prc_explore_set *set;
} explored;

/* One more step of the crowd, and what is to be known of it. */
static void explore_step(crowd *c, explored *x) {
  const size_t n = 3 * (size_t)c->model.n_bodies;
  x->q = malloc(n * sizeof *x->q), x->v = malloc(n * sizeof *x->v);
  ck_assert(x->q && x->v);
  memcpy(x->q, c->r->q, n * sizeof *x->q);
  memcpy(x->v, c->r->v, n * sizeof *x->v);
  x->t = c->r->t;
  crowd_steps(c, 1);
  const prc_at before = {x->t, x->q, x->v};
  support_ok(prc_explore_step_create(c->system, c->r, &before, prc_stepper_options(c->stepper)->gap_tolerance,
                                     &x->step, &crowd_err),
             &crowd_err);
  support_ok(prc_explore_set_create(&x->step->held, &x->set, &crowd_err), &crowd_err);
}

static void explore_end(explored *x) {
  prc_explore_set_free(&x->set);
  prc_explore_step_free(&x->step);
  free(x->q), free(x->v);
  *x = (explored){0};
}

/* The contact of two bodies, in any order. */
static int contact_of(const crowd *c, int a, int b) {
  for (int i = 0; i < c->r->n_active; i++) {
    const int *body = c->r->contacts->body + 2 * c->r->active[i];
    if ((body[0] == a && body[1] == b) || (body[0] == b && body[1] == a)) return i;
  }
  ck_abort_msg("bodies %d and %d do not touch", a, b);
  return -1;
}

/* How far p is outside the intervals, over the largest component. */
static double outside(const explored *x, const double *p) {
  double most = 0.0, size = 0.0;
  for (int i = 0; i < x->step->n; i++)
    for (int k = 0; k < 2; k++) {
      double range[2];
      support_ok(prc_explore_set_interval(x->set, i, k, range, &crowd_err), &crowd_err);
      most = fmax(most, fmax(range[0] - p[2 * i + k], p[2 * i + k] - range[1]));
      size = fmax(size, fabs(p[2 * i + k]));
    }
  return size > 0.0 ? most / size : most;
}

/* ---- 28 discs in a V ---------------------------------------------------------------------------------------------------------------- */

enum { ROWS = 7, DISCS = 28, WALL_LEFT = 28, WALL_RIGHT = 29 };

typedef struct {
  crowd c;
  int number[ROWS][ROWS]; /* of disc (i, j) */
} pile;

/* x, turned by `angle` after the mirror */
static void place(double angle, int mirrored, double x, double y, double out[2]) {
  if (mirrored) x = -x;
  out[0] = x * cos(angle) - y * sin(angle), out[1] = x * sin(angle) + y * cos(angle);
}

/* Weight 1. Disc (i, j) is the body shuffle (7 j + i) of those that there are, in that order. */
static void make_pile(pile *s, double radius, double angle, int mirrored, int shuffled) {
  const double a = sqrt(2.0) * radius, h = sqrt(0.5);
  double at[DISCS][2], x[2], n[2], bottom[2];
  int order[DISCS], count = 0;
  for (int k = 0; k < DISCS; k++) order[k] = shuffled ? (11 * k + 5) % DISCS : k;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; i + j < ROWS; j++, count++) {
      s->number[i][j] = order[count];
      place(angle, mirrored, a * (i - j), a * (i + j), at[order[count]]);
    }
  for (int b = 0; b < DISCS; b++) (void)crowd_disc(&s->c, at[b][0], at[b][1], radius);
  place(angle, mirrored, 0.0, -a, bottom);
  for (int side = 0; side < 2; side++) {
    place(angle, mirrored, side ? -h : h, h, n);
    ck_assert_int_eq(crowd_half_plane(&s->c, bottom, n), side ? WALL_RIGHT : WALL_LEFT);
  }
  crowd_meet(&s->c, 0.3, 0.0);
  place(angle, 0, 0.0, -1.0 / (pi * radius * radius), x);
  crowd_gravity(&s->c, x[0], x[1]);
  prc_step_options o = crowd_options(1e-3 * sqrt(radius), 0.5, PRC_IMPACT_FREMOND);
  o.cone.tolerance = 1e-13, o.cone.max_iterations = 100000;
  crowd_open(&s->c, &o);
}

/* Normal and tangential force, T along n turned by -90 degrees; half a unit of the last digit. */
static void check_row(pile *s, explored *x, int a, int b, int mirrored, const double N[2],
                      const double T[2]) {
  const int i = contact_of(&s->c, a, b);
  double range[2];
  support_ok(prc_explore_set_interval(x->set, i, 0, range, &crowd_err), &crowd_err);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(range[k] / s->c.r->h, N[k], 5.001e-7);
  support_ok(prc_explore_set_interval(x->set, i, 1, range, &crowd_err), &crowd_err);
  for (int k = 0; k < 2; k++)
    ck_assert_double_eq_tol(range[k] / s->c.r->h, mirrored ? T[k] : -T[1 - k], 5.001e-7);
}

static void check_table(pile *s, explored *x, int mirrored) {
  const struct {
    int a, b;
    double N[2], T[2]; /* T along n turned by +90 degrees */
  } row[] = {{s->number[2][3], s->number[3][3], {0.543928, 1.010153}, {-0.303046, 0.163178}},
             {WALL_LEFT, s->number[0][6], {0.543928, 1.010153}, {-0.303046, 0.163178}},
             {s->number[1][2], s->number[2][2], {0.0, 4.402782}, {-1.308758, 1.019210}},
             {s->number[0][1], s->number[1][1], {0.0, 10.229594}, {-3.053094, 2.541747}},
             {WALL_LEFT, s->number[0][3], {0.0, 6.837888}, {-2.051367, 1.770231}},
             {WALL_LEFT, s->number[0][0], {0.0, 18.173052}, {-5.451916, 4.542810}}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    check_row(s, x, row[k].a, row[k].b, mirrored, row[k].N, row[k].T);
  double sum[112], range[2];
  for (int k = 0; k < 112; k++) sum[k] = k % 2 == 0;
  support_ok(prc_explore_set_range(x->set, sum, range, &crowd_err), &crowd_err);
  ck_assert_double_eq_tol(range[0] / s->c.r->h, 88.889750, 1e-6);
  ck_assert_double_eq_tol(range[1] / s->c.r->h, 169.705627, 1e-6);
}

START_TEST(a_pile_has_its_intervals_however_it_is_put) {
  static const struct {
    double radius, angle;
    int mirrored, shuffled;
  } way[] = {{1.0, 0.0, 0, 0},  {1.0, 0.0, 0, 1}, {1.0, 0.7, 0, 1},
             {1.0, -2.0, 1, 1}, {1e3, 0.3, 0, 1}, {0x1p-9, 0.0, 1, 0}};
  pile s = {.c = {.r = NULL}};
  explored x = {0};
  make_pile(&s, way[_i].radius, way[_i].angle, way[_i].mirrored, way[_i].shuffled);
  explore_step(&s.c, &x);
  ck_assert_int_eq(x.step->n, 56);
  ck_assert(x.step->rests && x.step->begins_at_rest && x.step->rest.n == 56);
  check_table(&s, &x, way[_i].mirrored);
  ck_assert_double_lt(outside(&x, s.c.r->p_active), 1e-9);
  explore_end(&x);
  crowd_close(&s.c);
}
END_TEST

/* Samples of the step's own problem: in equilibrium to 1e-10 of a weight, and within. */
START_TEST(samples_of_a_pile_are_equilibria) {
  pile s = {.c = {.r = NULL}};
  explored x = {0};
  double most[56], still[112] = {0.0};
  make_pile(&s, 1.0, 0.0, 0, 1);
  explore_step(&s.c, &x);
  const prc_step_record *r = s.c.r;
  for (int i = 0; i < 56; i++) most[i] = 10.0 * r->h;
  const prc_explore_draws draws = {.seed = 3, .most = most, .cone = prc_stepper_options(s.c.stepper)->cone};
  for (int way = 0; way < 2; way++) {
    prc_explore_samples *samples = NULL;
    support_ok(prc_explore_samples_create(&r->problem, &draws, (prc_explore_way)way, 40, still, x.step->still,
                                          &samples, &crowd_err),
               &crowd_err);
    for (int k = 0; k < samples->n; k++) {
      double rest[3 * 30], all[112] = {0.0};
      ck_assert_int_eq(samples->end[k], PRC_EXPLORE_SAME);
      for (int i = 0; i < 56; i++)
        memcpy(all + 2 * x.step->place[i], samples->p + 112 * k + 2 * i, 2 * sizeof *all);
      for (int i = 0; i < 90; i++) rest[i] = -x.step->load[i];
      prc_rows_pull(&x.step->set.H, 56, x.step->place, 1.0, all, rest);
      for (int i = 0; i < 84; i++) ck_assert_double_lt(fabs(rest[i]) / r->h, 1e-10);
      if (k % 10 == 0) ck_assert_double_lt(outside(&x, samples->p + 112 * k), 1e-9);
    }
    prc_explore_samples_free(&samples);
  }
  explore_end(&x);
  crowd_close(&s.c);
}
END_TEST

/* ---- one block --------------------------------------------------------------------------------------------------------------------------- */

/* A box that slides on a floor by two points: nothing is open, T = -mu N sgn u_T; at rest the tangential forces have one parameter. */
START_TEST(a_block_that_slides_is_determined_and_one_that_rests_is_not) {
  const double mu = 0.3, width = 2.0, height = 1.0, W = 9.81 * width * height;
  crowd c = {0};
  explored x = {0};
  double range[2], sum = 0.0;
  const int box = crowd_box(&c, 0.0, 0.5 * height, width, height);
  (void)crowd_half_plane(&c, zero, up);
  crowd_meet(&c, mu, 0.0);
  crowd_gravity(&c, 0.0, -9.81);
  c.body[box].velocity[0] = _i ? 0.0 : 3.0;
  prc_step_options o = crowd_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
  o.cone.tolerance = 1e-13;
  crowd_open(&c, &o);
  explore_step(&c, &x);
  ck_assert_int_eq(x.step->n, 2);
  ck_assert_int_eq(x.step->begins_at_rest, _i);
  ck_assert_int_eq(x.step->rests, _i);
  for (int i = 0; i < 2; i++) {
    support_ok(prc_explore_set_interval(x.set, i, 0, range, &crowd_err), &crowd_err);
    ck_assert_double_eq_tol(range[1], range[0], 1e-10 * W * o.h);
    sum += range[0] / o.h;
    const double N = range[0];
    support_ok(prc_explore_set_interval(x.set, i, 1, range, &crowd_err), &crowd_err);
    if (_i) {
      ck_assert_double_eq_tol(range[0], -mu * N, 1e-10 * W * o.h);
      ck_assert_double_eq_tol(range[1], mu * N, 1e-10 * W * o.h);
    } else {
      ck_assert_double_eq_tol(range[0], range[1], 1e-10 * W * o.h);
      ck_assert_double_eq_tol(fabs(range[0]), mu * N, 1e-10 * W * o.h);
    }
  }
  ck_assert_double_eq_tol(sum, W, 1e-10 * W);
  /* whether it could rest is a matter of its place */
  prc_explore_set *rest = NULL;
  support_ok(prc_explore_set_create(&x.step->rest, &rest, &crowd_err), &crowd_err);
  ck_assert(!prc_explore_set_is_empty(rest));
  prc_explore_set_free(&rest);
  explore_end(&x);
  crowd_close(&c);
}
END_TEST

/* ---- polygons that fall ---------------------------------------------------------------------------------------------------------------------- */

static void drop_polygons(crowd *c, const char *scheme) {
  static const double hexagon[] = {0.5, 0.0, 0.25, 0.4, -0.25, 0.4, -0.5, 0.0, -0.25, -0.4, 0.25, -0.4};
  static const double triangle[] = {-0.5, -0.3, 0.5, -0.3, 0.0, 0.6};
  const double left[2] = {1.0, 0.0}, right[2] = {-1.0, 0.0}, at_right[2] = {3.3, 0.0};
  for (int k = 0; k < 12; k++) {
    const double x = 0.6 + 1.05 * (k % 3), y = 0.6 + 1.1 * (k / 3), angle = 0.37 * k;
    (void)crowd_polygon(c, x, y, angle, k % 2 ? 3 : 6, k % 2 ? triangle : hexagon);
  }
  (void)crowd_half_plane(c, zero, up);
  (void)crowd_half_plane(c, zero, left);
  (void)crowd_half_plane(c, at_right, right);
  crowd_meet(c, 0.3, 0.0);
  crowd_gravity(c, 0.0, -9.81);
  prc_step_options o = crowd_options(2e-3, 1.0, PRC_IMPACT_FREMOND);
  o.scheme = scheme;
  o.cone.tolerance = 1e-12;
  crowd_open(c, &o);
}

/* Percussions of the step itself and of samples with its velocities are among those that the intervals are of. */
START_TEST(samples_of_a_motion_lie_within_its_intervals) {
  crowd c = {0};
  int sticking = 0, sliding = 0, compared = 0;
  drop_polygons(&c, _i ? "position" : "theta");
  for (int moment = 0; moment < 12; moment++) {
    explored x = {0};
    prc_explore_samples *samples = NULL;
    double most[200];
    crowd_steps(&c, 40);
    explore_step(&c, &x);
    const prc_step_record *r = c.r;
    const int n = r->n_active;
    ck_assert_int_le(n, 200);
    ck_assert_msg(!prc_explore_set_is_empty(x.set), "step %d: %d contacts", r->step, n);
    ck_assert_double_lt(outside(&x, r->p_active), 1e-7);
    for (int i = 0; i < n; i++) {
      most[i] = 0.2;
      sticking += x.step->may[i] == PRC_EXPLORE_CONE;
      sliding += x.step->may[i] == PRC_EXPLORE_FORWARD || x.step->may[i] == PRC_EXPLORE_BACKWARD;
    }
    const prc_explore_draws draws = {.seed = 5, .most = most, .cone = prc_stepper_options(c.stepper)->cone};
    support_ok(prc_explore_samples_create(&r->problem, &draws, PRC_EXPLORE_STARTS, n > 0 ? 5 : 0, r->w_active,
                                          fmax(x.step->still, 1e-8), &samples, &crowd_err),
               &crowd_err);
    for (int k = 0; k < samples->n; k++) {
      if (samples->end[k] != PRC_EXPLORE_SAME) continue;
      ck_assert_double_lt(outside(&x, samples->p + 2 * (size_t)n * (size_t)k), 1e-7);
      compared++;
    }
    prc_explore_samples_free(&samples);
    explore_end(&x);
  }
  crowd_close(&c);
  ck_assert_int_gt(sticking, 20);
  ck_assert_int_gt(sliding, 20);
  ck_assert_int_gt(compared, 20);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------------------------------------------------------------- */

START_TEST(what_is_elastic_is_refused) {
  toy s;
  prc_explore_step *step = NULL;
  prc_error err = {0};
  toy_make(&s, 3, 1.0);
  toy_floor(&s, 1, 0, 0.3, 0.0);
  toy_spring(&s, 0, 2, 100.0);
  const prc_step_options o = toy_options(1e-3, 0.5, PRC_IMPACT_FREMOND);
  const double q[3] = {0.0}, v[3] = {0.0};
  toy_start(&s, &o, q, v);
  toy_step(&s, 1);
  support_fails(prc_explore_step_create(&s.system, s.r, &(prc_at){0.0, q, v}, 1e-9, &step, &err), PRC_INPUT,
                &err, "something is elastic, expected rigid bodies alone");
  toy_free(&s);
}
END_TEST

/* A box that turns: its contacts are others where it was not. */
START_TEST(a_state_from_which_the_step_did_not_go_is_refused) {
  crowd c = {0};
  prc_explore_step *step = NULL;
  const int box = crowd_box(&c, 0.0, 0.5, 2.0, 1.0);
  (void)crowd_half_plane(&c, zero, up);
  crowd_meet(&c, 0.3, 0.0);
  crowd_gravity(&c, 0.0, -9.81);
  c.body[box].velocity[0] = 1.0, c.body[box].spin = 1.0;
  const prc_step_options o = crowd_options(1e-3, 1.0, PRC_IMPACT_FREMOND);
  crowd_open(&c, &o);
  crowd_steps(&c, 1);
  const double elsewhere[6] = {0.0, 0.45, 0.1};
  ck_assert_int_gt(c.r->n_active, 0);
  prc_error_clear(&crowd_err);
  support_fails(
      prc_explore_step_create(c.system, c.r, &(prc_at){0.0, elsewhere, c.v}, 1.0, &step, &crowd_err),
      PRC_INPUT, &crowd_err, "expected the state from which it went");
  prc_error_clear(&crowd_err);
  support_ok(prc_explore_step_create(c.system, c.r, &(prc_at){0.0, c.q, c.v}, 1e-9, &step, &crowd_err),
             &crowd_err);
  prc_explore_step_free(&step);
  crowd_close(&c);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("indeterminate");
  TCase *tcase = tcase_create("forces");
  if (prc_explore_is_built()) {
    tcase_add_loop_test(tcase, a_pile_has_its_intervals_however_it_is_put, 0, 6);
    tcase_add_test(tcase, samples_of_a_pile_are_equilibria);
    tcase_add_loop_test(tcase, a_block_that_slides_is_determined_and_one_that_rests_is_not, 0, 2);
    tcase_add_loop_test(tcase, samples_of_a_motion_lie_within_its_intervals, 0, 2);
  }
  tcase_add_test(tcase, what_is_elastic_is_refused);
  tcase_add_test(tcase, a_state_from_which_the_step_did_not_go_is_refused);
  suite_add_tcase(suite, tcase);
  return support_run(suite);
}
