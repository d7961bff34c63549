/* How far contact forces are from determined: intervals against closed forms, against all vertices of small problems and against a published
 * pile; samples against the intervals. */
#include "config.h"
#include "explore/explore.h"
#include "explore/internal.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 40, CONTACTS = 80, WIDTH = 6, NO_BODY = -1 };

static prc_error err;

/* ---- bodies and contacts by their geometry ----------------------------------------------------------------------------------------- */

typedef struct {
  int n_bodies, n;
  double mass[3 * BODIES], g[3 * BODIES], mu[CONTACTS];
  prc_explore_may may[CONTACTS];
  double x[BODIES][2];
  int start[CONTACTS + 1], dof[CONTACTS * WIDTH];
  double h[2 * CONTACTS * WIDTH];
  prc_rows H;
} heap;

static void heap_begin(heap *s) {
  memset(s, 0, sizeof *s);
  for (int c = 0; c < CONTACTS; c++) s->may[c] = PRC_EXPLORE_CONE;
}

/* weight: along -y, a mass of the same number; inertia: half of it times size^2 */
static int heap_body(heap *s, double x, double y, double weight, double size) {
  const int b = s->n_bodies++;
  s->x[b][0] = x, s->x[b][1] = y;
  s->mass[3 * b] = s->mass[3 * b + 1] = weight, s->mass[3 * b + 2] = 0.5 * weight * size * size;
  s->g[3 * b + 1] = weight; /* H'p = -F */
  return b;
}

/* On body b at (x, y), pushed along n by `by` (or by what does not move); t is n turned by +90 degrees. */
static int heap_contact(heap *s, int b, int by, double x, double y, const double n[2], double mu) {
  const int c = s->n++, sides = by == NO_BODY ? 1 : 2, width = 3 * sides;
  const double axes[2][2] = {{n[0], n[1]}, {-n[1], n[0]}};
  double *row = s->h + 2 * s->start[c];
  s->start[c + 1] = s->start[c] + width;
  s->mu[c] = mu;
  for (int r = 0; r < 2; r++)
    for (int side = 0; side < sides; side++) {
      const int body = side ? by : b;
      const double sign = side ? -1.0 : 1.0, *a = axes[r], rx = x - s->x[body][0], ry = y - s->x[body][1];
      const double of[3] = {sign * a[0], sign * a[1], sign * (rx * a[1] - ry * a[0])};
      for (int k = 0; k < 3; k++) {
        row[r * width + 3 * side + k] = of[k];
        s->dof[s->start[c] + 3 * side + k] = 3 * body + k;
      }
    }
  return c;
}

static prc_explore_problem heap_problem(heap *s) {
  s->H = (prc_rows){.n = s->n, .dim = 2, .start = s->start, .dof = s->dof, .x = s->h};
  return (prc_explore_problem){.n_dof = 3 * s->n_bodies,
                               .mass = s->mass,
                               .g = s->g,
                               .H = &s->H,
                               .n = s->n,
                               .mu = s->mu,
                               .may = s->may};
}

static prc_explore_set *heap_set(heap *s) {
  const prc_explore_problem problem = heap_problem(s);
  prc_explore_set *set = NULL;
  support_ok(prc_explore_set_create(&problem, &set, &err), &err);
  return set;
}

static int heap_is_empty(heap *s) {
  prc_explore_set *set = heap_set(s);
  const int empty = prc_explore_set_is_empty(set);
  prc_explore_set_free(&set);
  return empty;
}

/* The largest of H'p - g over that of g, rows by their masses: a moment is no force. */
static double imbalance(const heap *s, const double *p) {
  double rest[3 * BODIES], largest = 0.0, size = 0.0;
  for (int i = 0; i < 3 * s->n_bodies; i++) rest[i] = -s->g[i];
  prc_rows_pull(&s->H, s->n, NULL, 1.0, p, rest);
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    const double scale = 1.0 / sqrt(s->mass[i]);
    largest = fmax(largest, scale * fabs(rest[i])), size = fmax(size, scale * fabs(s->g[i]));
  }
  return largest / size;
}

#define near(a, b, tolerance) ck_assert_double_eq_tol(a, b, (tolerance)*fmax(1e-300, fabs(b)))

static void check_interval(prc_explore_set *set, int contact, int component, double low, double high,
                           double tolerance) {
  double range[2];
  support_ok(prc_explore_set_interval(set, contact, component, range, &err), &err);
  for (int k = 0; k < 2; k++) {
    const double expected = k ? high : low, scale = fmax(fabs(low), fabs(high));
    if (isinf(expected))
      ck_assert_double_eq(range[k], expected);
    else
      ck_assert_msg(fabs(range[k] - expected) <= tolerance * (isinf(scale) ? fabs(expected) : scale),
                    "contact %d, component %d: %.12g, expected %.12g", contact, component, range[k],
                    expected);
  }
}

/* ---- closed forms --------------------------------------------------------------------------------------------------------------------- */

/* A disc on supports at +-beta below it: N / W within 1/2 / (cos beta +- mu sin beta), and T = N tan(...) on the segment. */
static void two_supports(heap *s, double beta, double mu, double weight, double radius) {
  heap_begin(s);
  const int b = heap_body(s, 0.0, 0.0, weight, radius);
  for (int side = -1; side <= 1; side += 2) {
    const double n[2] = {-side * sin(beta), cos(beta)};
    heap_contact(s, b, NO_BODY, -radius * n[0], -radius * n[1], n, mu);
  }
}

START_TEST(a_disc_on_two_supports) {
  static const double betas[] = {10.0, 30.0, 45.0, 80.0}, sizes[] = {1.0, 1e3, 0x1p-20, 1e-6},
                      weights[] = {1.0, 1e6, 0x1p-30};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++) {
        heap s;
        const double beta = betas[i] * acos(-1.0) / 180.0, mu = 0.3, W = weights[k];
        const double least = 0.5 * W / (cos(beta) + mu * sin(beta)), cosine = cos(beta) - mu * sin(beta);
        two_supports(&s, beta, mu, W, sizes[j]);
        prc_explore_set *set = heap_set(&s);
        ck_assert(!prc_explore_set_is_empty(set));
        /* both T = -+ tau N, N = W/2 / (cos beta + tau sin beta): jammed where mu > cot beta */
        const double most = cosine > 0.0 ? 0.5 * W / cosine : (double)INFINITY;
        check_interval(set, 0, 0, least, most, 1e-12);
        check_interval(set, 1, 0, least, most, 1e-12);
        check_interval(set, 0, 1, -mu * most, mu * least, 1e-12);
        check_interval(set, 1, 1, -mu * least, mu * most, 1e-12);
        prc_explore_set_free(&set);
      }
}
END_TEST

/* The same interval for the sample of values of the literature: 0.492114 .. 0.698299 at 30 degrees, mu = 0.3. */
START_TEST(a_disc_on_two_supports_has_the_published_interval) {
  heap s;
  two_supports(&s, acos(-1.0) / 6.0, 0.3, 1.0, 1.0);
  prc_explore_set *set = heap_set(&s);
  check_interval(set, 0, 0, 0.492114, 0.698299, 1e-6);
  prc_explore_set_free(&set);
}
END_TEST

/* A rod between walls that converge upward: the horizontal force has a least value, W/2 cot(phi - psi), and no largest one. */
START_TEST(a_wedged_rod_has_no_upper_bound) {
  const double psi = acos(-1.0) / 18.0, mu = 0.5;
  const double nA[2] = {cos(psi), -sin(psi)}, nB[2] = {-cos(psi), -sin(psi)};
  double range[2];
  heap s;
  heap_begin(&s);
  const int b = heap_body(&s, 0.0, 0.0, 10.0, 1.0);
  const int A = heap_contact(&s, b, NO_BODY, -1.0, 0.0, nA, mu);
  heap_contact(&s, b, NO_BODY, 1.0, 0.0, nB, mu);
  prc_explore_set *set = heap_set(&s);
  /* of R_A = p_N n + p_T t the part along x; t = (sin psi, cos psi) */
  const double c[4] = {cos(psi), sin(psi), 0.0, 0.0};
  support_ok(prc_explore_set_range(set, c, range, &err), &err);
  near(range[0], 16.8096107, 1e-8);
  near(range[0], 5.0 / tan(atan(mu) - psi), 1e-12);
  ck_assert_double_eq(range[1], INFINITY);
  check_interval(set, A, 0, range[0] * cos(psi) - 5.0 * sin(psi), INFINITY, 1e-12);
  prc_explore_set_free(&set);
}
END_TEST

/* Blocks on top of each other, two points each: what stands above halves between them, and each pushes the other sideways as far as it holds. */
START_TEST(a_tower_is_determined_but_for_what_spreads_it) {
  enum { HIGH = 20 };
  const double up[2] = {0.0, 1.0}, mu = 0.6;
  heap s;
  heap_begin(&s);
  for (int k = 0; k < HIGH; k++) {
    const int b = heap_body(&s, 0.0, k + 0.5, 1.0 + k, 1.0);
    for (int side = -1; side <= 1; side += 2) heap_contact(&s, b, k > 0 ? b - 1 : NO_BODY, side, k, up, mu);
  }
  prc_explore_set *set = heap_set(&s);
  double above = 0.0;
  for (int k = HIGH - 1; k >= 0; k--) {
    above += 1.0 + k;
    for (int side = 0; side < 2; side++) {
      check_interval(set, 2 * k + side, 0, 0.5 * above, 0.5 * above, 1e-13);
      check_interval(set, 2 * k + side, 1, -0.5 * mu * above, 0.5 * mu * above, 1e-13);
    }
  }
  prc_explore_set_free(&set);
}
END_TEST

/* ---- what cannot rest ------------------------------------------------------------------------------------------------------------------- */

static void block_on_slope(heap *s, double angle, double mu, double unit) {
  const double n[2] = {-sin(angle), cos(angle)}, t[2] = {cos(angle), sin(angle)};
  heap_begin(s);
  const int b = heap_body(s, 0.0, 0.0, 3.0, unit);
  for (int side = -1; side <= 1; side += 2)
    heap_contact(s, b, NO_BODY, unit * (side * t[0] - 0.2 * n[0]), unit * (side * t[1] - 0.2 * n[1]), n, mu);
}

START_TEST(a_block_rests_on_a_slope_up_to_its_friction) {
  static const double units[] = {1.0, 1e3, 1e-3};
  heap s;
  for (int k = 0; k < 3; k++) {
    block_on_slope(&s, 0.4, tan(0.4) * (1.0 - 1e-7), units[k]);
    ck_assert(heap_is_empty(&s));
    block_on_slope(&s, 0.4, tan(0.4) * (1.0 + 1e-7), units[k]);
    ck_assert(!heap_is_empty(&s));
  }
}
END_TEST

START_TEST(a_disc_alone_on_a_slope_rolls_whatever_the_friction) {
  const double n[2] = {-sin(0.1), cos(0.1)}, up[2] = {0.0, 1.0};
  heap s;
  heap_begin(&s);
  heap_contact(&s, heap_body(&s, 0.0, 0.0, 1.0, 1.0), NO_BODY, -n[0], -n[1], n, 5.0);
  ck_assert(heap_is_empty(&s));
  heap_begin(&s);
  heap_contact(&s, heap_body(&s, 0.0, 0.0, 1.0, 1.0), NO_BODY, 0.0, -1.0, up, 5.0);
  ck_assert(!heap_is_empty(&s));
}
END_TEST

/* A light body that slides off, beside a heavy one that rests: its lack is not lost in the other's forces. */
START_TEST(a_light_body_counts_beside_a_heavy_one) {
  const double n[2] = {-sin(0.4), cos(0.4)}, up[2] = {0.0, 1.0};
  for (int steep = 0; steep < 2; steep++) {
    heap s;
    heap_begin(&s);
    const int heavy = heap_body(&s, 0.0, 0.0, 1e9, 1.0), light = heap_body(&s, 9.0, 0.0, 1.0, 1.0);
    heap_contact(&s, heavy, NO_BODY, 0.0, -1.0, up, 0.3);
    const int c = heap_contact(&s, light, NO_BODY, 9.0 + cos(0.4), sin(0.4), n, steep ? 0.4 : 0.5);
    heap_contact(&s, light, NO_BODY, 9.0 - cos(0.4), -sin(0.4), n, steep ? 0.4 : 0.5);
    prc_explore_set *set = heap_set(&s);
    ck_assert_int_eq(prc_explore_set_is_empty(set), steep);
    if (!steep) check_interval(set, c, 0, 0.5 * cos(0.4), 0.5 * cos(0.4), 1e-9);
    prc_explore_set_free(&set);
  }
}
END_TEST

START_TEST(a_body_without_contacts_falls) {
  heap s;
  heap_begin(&s);
  heap_body(&s, 0.0, 0.0, 1.0, 1.0);
  ck_assert(heap_is_empty(&s));
  s.g[1] = 0.0;
  prc_explore_set *set = heap_set(&s);
  ck_assert(!prc_explore_set_is_empty(set)); /* nothing acts on it */
  double range[2] = {1.0, 1.0};
  support_ok(prc_explore_set_range(set, NULL, range, &err), &err);
  ck_assert_double_eq(range[0], 0.0);
  ck_assert_double_eq(range[1], 0.0);
  prc_explore_set_free(&set);
}
END_TEST

/* ---- in motion -------------------------------------------------------------------------------------------------------------------------- */

START_TEST(velocities_say_what_contacts_may_carry) {
  const double w[] = {0.0, 0.0, 1e-3, 5.0, 1e-13, 2.0, 0.0, -2.0, -1e-13, 1e-13};
  const prc_explore_may expected[] = {PRC_EXPLORE_CONE, PRC_EXPLORE_NOTHING, PRC_EXPLORE_FORWARD,
                                      PRC_EXPLORE_BACKWARD, PRC_EXPLORE_CONE};
  prc_explore_may may[5];
  prc_explore_may_of(2, 5, w, 1e-12, may);
  for (int k = 0; k < 5; k++) ck_assert_int_eq(may[k], expected[k]);
  prc_explore_may_of(1, 2, (const double[]){0.0, 1.0}, 1e-12, may);
  ck_assert_int_eq(may[0], PRC_EXPLORE_CONE);
  ck_assert_int_eq(may[1], PRC_EXPLORE_NOTHING);
}
END_TEST

/* Three points in a row under a block that slides: the normal forces have one parameter, and each tangential one is its -mu N. */
START_TEST(sliders_stay_on_their_edge) {
  const double up[2] = {0.0, 1.0}, mu = 0.5, W = 6.0;
  heap s;
  heap_begin(&s);
  const int b = heap_body(&s, 0.0, 0.0, W, 1.0);
  for (int k = -1; k <= 1; k++)
    s.may[heap_contact(&s, b, NO_BODY, k, 0.0, up, mu)] = PRC_EXPLORE_FORWARD; /* t = -x */
  s.g[0] = mu * W; /* mass x acceleration, in H'p = M a - F */
  prc_explore_set *set = heap_set(&s);
  check_interval(set, 0, 0, 0.0, 0.5 * W, 1e-13);
  check_interval(set, 1, 0, 0.0, W, 1e-13);
  check_interval(set, 0, 1, -0.5 * mu * W, 0.0, 1e-13);
  check_interval(set, 1, 1, -mu * W, 0.0, 1e-13);
  prc_explore_set_free(&set);
  s.may[1] = PRC_EXPLORE_NOTHING;
  set = heap_set(&s);
  check_interval(set, 0, 0, 0.5 * W, 0.5 * W, 1e-13);
  check_interval(set, 1, 0, 0.0, 0.0, 0.0);
  check_interval(set, 1, 1, 0.0, 0.0, 0.0);
  prc_explore_set_free(&set);
  for (int k = 0; k < 3; k++) s.may[k] = PRC_EXPLORE_BACKWARD; /* they would push it the other way */
  ck_assert(heap_is_empty(&s));
}
END_TEST

/* What is held needs no balance, and contacts of which nothing else depends are free. */
START_TEST(held_bodies_need_no_balance) {
  const double up[2] = {0.0, 1.0};
  char held[6] = {1, 1, 1, 0, 0, 0};
  heap s;
  heap_begin(&s);
  const int a = heap_body(&s, 0.0, 0.0, 1.0, 1.0), b = heap_body(&s, 0.0, 2.0, 4.0, 1.0);
  const int on = heap_contact(&s, b, a, 0.0, 1.0, up, 0.3),
            ground = heap_contact(&s, a, NO_BODY, 0.0, -1.0, up, 0.3);
  prc_explore_problem problem = heap_problem(&s);
  problem.held = held;
  prc_explore_set *set = NULL;
  support_ok(prc_explore_set_create(&problem, &set, &err), &err);
  check_interval(set, on, 0, 4.0, 4.0, 1e-13);
  check_interval(set, on, 1, 0.0, 0.0, 0.0);
  check_interval(set, ground, 0, 0.0, INFINITY, 1e-13);
  check_interval(set, ground, 1, -INFINITY, INFINITY, 1e-13);
  prc_explore_set_free(&set);
  /* some of the blocks of H, in another order */
  const int only[] = {0};
  problem.n = 1, problem.contact = only;
  support_ok(prc_explore_set_create(&problem, &set, &err), &err);
  check_interval(set, 0, 0, 4.0, 4.0, 1e-13);
  prc_explore_set_free(&set);
}
END_TEST

/* ---- all vertices of small problems -------------------------------------------------------------------------------------------------------- */

enum { SMALL_ROWS = 6, SMALL_COLUMNS = 14 };

/* x of B x = b by elimination with pivots; 0: B is singular. */
static int solve(int n, double B[SMALL_ROWS][SMALL_ROWS + 1]) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k; i < n; i++)
      if (fabs(B[i][k]) > fabs(B[pivot][k])) pivot = i;
    if (fabs(B[pivot][k]) < 1e-10) return 0;
    for (int j = 0; j <= n; j++) {
      const double swap = B[k][j];
      B[k][j] = B[pivot][j], B[pivot][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      const double f = i == k ? 0.0 : B[i][k] / B[k][k];
      for (int j = k; j <= n && f != 0.0; j++) B[i][j] -= f * B[k][j];
    }
  }
  for (int i = 0; i < n; i++) B[i][n] /= B[i][i];
  return 1;
}

typedef struct {
  int columns, contact[SMALL_COLUMNS];
  double p[SMALL_COLUMNS][2], A[SMALL_ROWS][SMALL_COLUMNS];
} vertices;

static void find_columns(const heap *s, vertices *v) {
  memset(v, 0, sizeof *v);
  for (int c = 0; c < s->n; c++)
    for (int side = -1; side <= 1; side += 2) {
      if (s->may[c] == PRC_EXPLORE_NOTHING || (s->may[c] == PRC_EXPLORE_FORWARD && side > 0)
          || (s->may[c] == PRC_EXPLORE_BACKWARD && side < 0))
        continue;
      const int j = v->columns++;
      double e[2 * CONTACTS] = {0.0}, y[3 * BODIES] = {0.0};
      v->contact[j] = c, v->p[j][0] = 1.0, v->p[j][1] = side * s->mu[c];
      e[2 * c] = 1.0, e[2 * c + 1] = side * s->mu[c];
      prc_rows_pull(&s->H, s->n, NULL, 1.0, e, y);
      for (int i = 0; i < 3 * s->n_bodies; i++) v->A[i][j] = y[i];
    }
}

/* The largest sign x component of contact c over all vertices; those of a bounded set are enough. */
static int enumerate(const heap *s, double low[CONTACTS][2], double high[CONTACTS][2]) {
  const int rows = 3 * s->n_bodies;
  int found = 0;
  vertices v;
  find_columns(s, &v);
  for (unsigned set = 0; set < 1u << v.columns; set++) {
    if (__builtin_popcount(set) != rows) continue;
    double B[SMALL_ROWS][SMALL_ROWS + 1];
    int list[SMALL_ROWS], count = 0, negative = 0;
    for (int j = 0; j < v.columns; j++)
      if (set >> j & 1) list[count++] = j;
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < rows; k++) B[i][k] = v.A[i][list[k]];
      B[i][rows] = s->g[i];
    }
    if (!solve(rows, B)) continue;
    for (int k = 0; k < rows; k++) negative += B[k][rows] < -1e-11;
    if (negative) continue;
    double p[CONTACTS][2] = {{0.0}};
    for (int k = 0; k < rows; k++)
      for (int r = 0; r < 2; r++) p[v.contact[list[k]]][r] += v.p[list[k]][r] * B[k][rows];
    for (int c = 0; c < s->n; c++)
      for (int r = 0; r < 2; r++) {
        low[c][r] = found ? fmin(low[c][r], p[c][r]) : p[c][r];
        high[c][r] = found ? fmax(high[c][r], p[c][r]) : p[c][r];
      }
    found++;
  }
  return found;
}

/* Two bodies, one of them on three points of the ground and both against each other and a wall; percussions drawn give g. Normals all have a
 * part upwards, so that the set is bounded. */
static void random_heap(heap *s, prc_random *random) {
  const int n_contacts = 4 + (int)(prc_random_bits(random) % 4);
  double p[2 * CONTACTS];
  heap_begin(s);
  for (int b = 0; b < 2; b++) heap_body(s, 0.0, 2.0 * b, 1.0 + b, 1.0);
  for (int c = 0; c < n_contacts; c++) {
    const int b = c % 2, by = b == 1 && c < 4 ? 0 : NO_BODY;
    const double angle = prc_random_uniform(random, -0.5, 0.5), n[2] = {sin(angle), cos(angle)};
    const double mu = prc_random_uniform(random, 0.1, 0.7), kind = prc_random_uniform(random, 0.0, 1.0);
    heap_contact(s, b, by, prc_random_uniform(random, -1.0, 1.0), 2.0 * b - 1.0, n, mu);
    s->may[c] = kind < 0.6    ? PRC_EXPLORE_CONE
                : kind < 0.75 ? PRC_EXPLORE_FORWARD
                : kind < 0.9  ? PRC_EXPLORE_BACKWARD
                              : PRC_EXPLORE_NOTHING;
    p[2 * c] = s->may[c] == PRC_EXPLORE_NOTHING ? 0.0 : prc_random_uniform(random, 0.0, 2.0);
    const double share = s->may[c] == PRC_EXPLORE_CONE      ? prc_random_uniform(random, -1.0, 1.0)
                         : s->may[c] == PRC_EXPLORE_FORWARD ? -1.0
                                                            : 1.0;
    p[2 * c + 1] = share * mu * p[2 * c];
  }
  (void)heap_problem(s);
  memset(s->g, 0, sizeof s->g);
  prc_rows_pull(&s->H, s->n, NULL, 1.0, p, s->g);
}

START_TEST(intervals_are_those_of_all_vertices) {
  prc_random random = {20261};
  int compared = 0;
  for (int trial = 0; trial < 300; trial++) {
    heap s;
    double low[CONTACTS][2], high[CONTACTS][2];
    random_heap(&s, &random);
    /* fewer columns than rows: the one solution is no vertex of theirs */
    if (enumerate(&s, low, high) == 0) continue;
    prc_explore_set *set = heap_set(&s);
    ck_assert_msg(!prc_explore_set_is_empty(set), "trial %d", trial);
    for (int c = 0; c < s.n; c++)
      for (int r = 0; r < 2; r++) {
        double range[2];
        support_ok(prc_explore_set_interval(set, c, r, range, &err), &err);
        ck_assert_double_eq_tol(range[0], low[c][r], 1e-9);
        ck_assert_double_eq_tol(range[1], high[c][r], 1e-9);
        compared++;
      }
    prc_explore_set_free(&set);
  }
  ck_assert_int_gt(compared, 1000);
}
END_TEST

/* ---- 28 discs in a V ------------------------------------------------------------------------------------------------------------------------ */

enum { ROWS = 7, PILE_DISCS = 28, PILE_CONTACTS = 56 };
typedef struct {
  heap heap;
  int disc[ROWS][ROWS], on_left[ROWS],
      below_left[ROWS][ROWS]; /* contacts: of (0, j) with the left wall, of (i, j) on (i - 1, j) */
} pile;

/* Disc (i, j) at i (a, a) + j (-a, a), a = sqrt 2 times the radius, i + j <= 6; walls at +-45 degrees. */
static void make_pile(pile *s, double mu, double weight, double radius) {
  const double a = sqrt(2.0) * radius, half = sqrt(0.5), right[2] = {half, half}, left[2] = {-half, half};
  heap_begin(&s->heap);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; i + j < ROWS; j++)
      s->disc[i][j] = heap_body(&s->heap, a * (i - j), a * (i + j), weight, radius);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; i + j < ROWS; j++) {
      const int b = s->disc[i][j];
      const double *x = s->heap.x[b];
      const int on = heap_contact(&s->heap, b, i > 0 ? s->disc[i - 1][j] : NO_BODY, x[0] - radius * right[0],
                                  x[1] - radius * right[1], right, mu);
      heap_contact(&s->heap, b, j > 0 ? s->disc[i][j - 1] : NO_BODY, x[0] - radius * left[0],
                   x[1] - radius * left[1], left, mu);
      if (i > 0)
        s->below_left[i][j] = on;
      else
        s->on_left[j] = on;
    }
}

static int rank_of(const heap *s) {
  enum { N = 3 * PILE_DISCS, M = 2 * PILE_CONTACTS };
  static double A[N][M];
  int rank = 0;
  memset(A, 0, sizeof A);
  for (int c = 0; c < s->n; c++)
    for (int r = 0; r < 2; r++)
      for (int k = 0, width = s->start[c + 1] - s->start[c]; k < width; k++)
        A[s->dof[s->start[c] + k]][2 * c + r] = s->h[2 * s->start[c] + r * width + k];
  for (int column = 0; column < M && rank < N; column++) {
    int pivot = rank;
    for (int i = rank; i < N; i++)
      if (fabs(A[i][column]) > fabs(A[pivot][column])) pivot = i;
    if (fabs(A[pivot][column]) < 1e-9) continue;
    for (int j = 0; j < M; j++) {
      const double swap = A[rank][j];
      A[rank][j] = A[pivot][j], A[pivot][j] = swap;
    }
    for (int i = rank + 1; i < N; i++) {
      const double f = A[i][column] / A[rank][column];
      for (int j = column; j < M && f != 0.0; j++) A[i][j] -= f * A[rank][j];
    }
    rank++;
  }
  return rank;
}

START_TEST(a_pile_of_28_discs_is_indetermined_28_times) {
  static pile s;
  make_pile(&s, 0.3, 1.0, 1.0);
  ck_assert_int_eq(s.heap.n_bodies, PILE_DISCS);
  ck_assert_int_eq(s.heap.n, PILE_CONTACTS);
  ck_assert_int_eq(rank_of(&s.heap), 84);
}
END_TEST

/* The table has six decimals. */
static void check_row(prc_explore_set *set, int contact, int component, double weight,
                      const double expected[2]) {
  double range[2];
  support_ok(prc_explore_set_interval(set, contact, component, range, &err), &err);
  for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(range[k] / weight, expected[k], 5.001e-7);
}

/* The table of the pile, whatever the units. */
static void check_pile(double weight, double radius) {
  static pile s;
  double range[2], sum[2 * PILE_CONTACTS];
  make_pile(&s, 0.3, weight, radius);
  prc_explore_set *set = heap_set(&s.heap);
  ck_assert(!prc_explore_set_is_empty(set));
  const struct {
    int contact;
    double N[2], T[2];
  } row[] = {{s.below_left[3][3], {0.543928, 1.010153}, {-0.303046, 0.163178}},
             {s.on_left[6], {0.543928, 1.010153}, {-0.303046, 0.163178}},
             {s.below_left[2][2], {0.0, 4.402782}, {-1.308758, 1.019210}},
             {s.below_left[1][1], {0.0, 10.229594}, {-3.053094, 2.541747}},
             {s.on_left[3], {0.0, 6.837888}, {-2.051367, 1.770231}},
             {s.on_left[0], {0.0, 18.173052}, {-5.451916, 4.542810}}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    check_row(set, row[k].contact, 0, weight, row[k].N);
    check_row(set, row[k].contact, 1, weight, row[k].T);
  }
  for (int c = 0; c < PILE_CONTACTS; c++) sum[2 * c] = 1.0, sum[2 * c + 1] = 0.0;
  support_ok(prc_explore_set_range(set, sum, range, &err), &err);
  ck_assert_double_eq_tol(range[0] / weight, 88.889750, 1e-6);
  ck_assert_double_eq_tol(range[1] / weight, 169.705627, 1e-6);
  double p[2 * PILE_CONTACTS];
  prc_explore_set_point(set, p);
  ck_assert_double_lt(imbalance(&s.heap, p), 1e-13);
  prc_explore_set_free(&set);
}

START_TEST(a_pile_of_28_discs_has_the_published_intervals) {
  check_pile(1.0, 1.0);
  check_pile(1.0, 1e3);
  check_pile(0x1p20, 0x1p-12);
  check_pile(1e-7, 1e-3);
}
END_TEST

/* Top contacts have one parameter, N = W / (sqrt 2 (1 + tau)); a pile is as its mirror image. */
START_TEST(a_pile_of_28_discs_is_symmetric_and_its_top_a_segment) {
  static pile s;
  double mirrored[2], range[2], at[2][2];
  make_pile(&s, 0.3, 1.0, 1.0);
  prc_explore_set *set = heap_set(&s.heap);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; i + j < ROWS; j++) {
      const int left = i > 0 ? s.below_left[i][j] : s.on_left[j];
      /* the mirror image of (i, j) on its left neighbour is (j, i) on its right one, which stands behind the left one */
      const int right = (j > 0 ? s.below_left[j][i] : s.on_left[i]) + 1;
      for (int r = 0; r < 2; r++) {
        support_ok(prc_explore_set_interval(set, left, r, range, &err), &err);
        support_ok(prc_explore_set_interval(set, right, r, mirrored, &err), &err);
        ck_assert_double_eq_tol(range[0], r ? -mirrored[1] : mirrored[0], 1e-11);
        ck_assert_double_eq_tol(range[1], r ? -mirrored[0] : mirrored[1], 1e-11);
      }
    }
  for (int r = 0; r < 2; r++) {
    support_ok(prc_explore_set_interval(set, s.below_left[3][3], r, at[r], &err), &err);
  }
  near(at[0][0], sqrt(0.5) / 1.3, 1e-12);
  near(at[0][1], sqrt(0.5) / 0.7, 1e-12);
  near(at[1][0], -0.3 * sqrt(0.5) / 0.7, 1e-12);
  near(at[1][1], 0.3 * sqrt(0.5) / 1.3, 1e-12);
  prc_explore_set_free(&set);
}
END_TEST

/* ---- samples ------------------------------------------------------------------------------------------------------------------------------------ */

enum { SAMPLES = 150 };
typedef struct {
  double W[4 * PILE_CONTACTS * PILE_CONTACTS], b[2 * PILE_CONTACTS], most[PILE_CONTACTS];
  prc_cone_problem dense, sparse;
  prc_cone_blocks blocks;
  int row_start[PILE_CONTACTS + 1], column[PILE_CONTACTS * PILE_CONTACTS];
  double values[4 * PILE_CONTACTS * PILE_CONTACTS];
} contact_problem;

/* A step of length 1 from rest: b = -H M^-1 g, W = H M^-1 H'; the same by the blocks that are not zero. */
static void make_problem(heap *s, contact_problem *d) {
  const int rows = 2 * s->n;
  double e[2 * CONTACTS] = {0.0}, v[3 * BODIES], u[2 * CONTACTS];
  for (int i = 0; i < 3 * s->n_bodies; i++) v[i] = -s->g[i] / s->mass[i];
  prc_rows_multiply(&s->H, v, d->b);
  for (int j = 0; j < rows; j++) {
    memset(v, 0, sizeof v);
    e[j] = 1.0;
    prc_rows_pull(&s->H, s->n, NULL, 1.0, e, v);
    e[j] = 0.0;
    for (int i = 0; i < 3 * s->n_bodies; i++) v[i] /= s->mass[i];
    prc_rows_multiply(&s->H, v, u);
    for (int i = 0; i < rows; i++) d->W[(size_t)i * (size_t)rows + (size_t)j] = u[i];
  }
  int count = 0;
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) {
      double *block = d->values + 4 * count;
      for (int k = 0; k < 4; k++)
        block[k] = d->W[(size_t)(2 * i + k / 2) * (size_t)rows + (size_t)(2 * j + k % 2)];
      if (i == j || block[0] != 0.0 || block[1] != 0.0 || block[2] != 0.0 || block[3] != 0.0)
        d->column[count++] = j;
    }
    d->row_start[i + 1] = count;
  }
  d->blocks = (prc_cone_blocks){d->row_start, d->column, d->values};
  d->dense = (prc_cone_problem){.dim = 2, .n = s->n, .W = d->W, .b = d->b, .mu = s->mu};
  d->sparse = (prc_cone_problem){.dim = 2, .n = s->n, .blocks = &d->blocks, .b = d->b, .mu = s->mu};
}

static prc_explore_draws draws_of(const double *most, uint64_t seed) {
  prc_explore_draws draws = {.seed = seed, .most = most, .cone = prc_cone_options_default()};
  draws.cone.tolerance = 1e-12, draws.cone.criterion = PRC_CONE_SCALED, draws.cone.max_iterations = 100000;
  return draws;
}

static pile sampled;
static contact_problem problem_of_pile;
static double samples[2][SAMPLES][2 * PILE_CONTACTS];

static void make_samples(void) {
  contact_problem *d = &problem_of_pile;
  double w[2 * PILE_CONTACTS];
  prc_explore_sampler *sampler = NULL;
  make_pile(&sampled, 0.3, 1.0, 1.0);
  (void)heap_problem(&sampled.heap);
  make_problem(&sampled.heap, d);
  for (int c = 0; c < PILE_CONTACTS; c++) d->most[c] = 10.0;
  const prc_explore_draws draws = draws_of(d->most, 7);
  support_ok(prc_explore_sampler_create(&d->dense, &draws, &sampler, &err), &err);
  for (int way = 0; way < 2; way++)
    for (int k = 0; k < SAMPLES; k++) {
      const prc_cone_info info = prc_explore_sample(sampler, (prc_explore_way)way, k, samples[way][k], w);
      ck_assert_msg(info.converged, "way %d, sample %d", way, k);
      for (int i = 0; i < 2 * PILE_CONTACTS; i++) ck_assert_double_lt(fabs(w[i]), 1e-9);
    }
  prc_explore_sampler_free(&sampler);
}

START_TEST(samples_are_equilibria_in_the_cones) {
  make_samples();
  for (int way = 0; way < 2; way++)
    for (int k = 0; k < SAMPLES; k++) {
      const double *p = samples[way][k];
      ck_assert_double_lt(imbalance(&sampled.heap, p), 1e-10);
      for (int c = 0; c < PILE_CONTACTS; c++)
        ck_assert_double_le(fabs(p[2 * c + 1]), 0.3 * p[2 * c] * (1.0 + 1e-14));
      /* disc (3, 3) on the two below it: one parameter */
      const double *top = p + 2 * sampled.below_left[3][3], tau = top[1] / top[0];
      near(top[0], sqrt(0.5) / (1.0 + tau), 1e-9);
    }
}
END_TEST

START_TEST(samples_lie_within_the_intervals_and_fill_most_of_them) {
  static double low[2][2 * PILE_CONTACTS], high[2][2 * PILE_CONTACTS];
  make_samples();
  prc_explore_set *set = heap_set(&sampled.heap);
  double filled[2] = {0.0, 0.0};
  for (int way = 0; way < 2; way++)
    for (int i = 0; i < 2 * PILE_CONTACTS; i++) {
      double range[2];
      low[way][i] = (double)INFINITY, high[way][i] = -(double)INFINITY;
      for (int k = 0; k < SAMPLES; k++)
        low[way][i] = fmin(low[way][i], samples[way][k][i]),
        high[way][i] = fmax(high[way][i], samples[way][k][i]);
      support_ok(prc_explore_set_interval(set, i / 2, i % 2, range, &err), &err);
      ck_assert_double_ge(low[way][i], range[0] - 1e-9);
      ck_assert_double_le(high[way][i], range[1] + 1e-9);
      filled[way] += (high[way][i] - low[way][i]) / (range[1] - range[0]) / (2 * PILE_CONTACTS);
    }
  prc_explore_set_free(&set);
  printf("# of the intervals %.0f %% by random starts, %.0f %% by random orders\n", 100.0 * filled[0],
         100.0 * filled[1]);
  ck_assert_double_gt(filled[0], 0.2);
  ck_assert_double_gt(filled[1], 0.2);
}
END_TEST

/* Each sample depends on seed and number alone, and W may stand by blocks. */
START_TEST(samples_are_the_same_whatever_came_before) {
  contact_problem *d = &problem_of_pile;
  double p[2 * PILE_CONTACTS], w[2 * PILE_CONTACTS], largest = 0.0;
  make_samples();
  for (int sparse = 0; sparse < 2; sparse++) {
    prc_explore_sampler *sampler = NULL;
    const prc_explore_draws draws = draws_of(d->most, 7), other = draws_of(d->most, 8);
    support_ok(prc_explore_sampler_create(sparse ? &d->sparse : &d->dense, &draws, &sampler, &err), &err);
    for (int way = 0; way < 2; way++) {
      (void)prc_explore_sample(sampler, (prc_explore_way)way, 3, p, w);
      for (int i = 0; i < 2 * PILE_CONTACTS; i++)
        if (sparse)
          ck_assert_double_eq_tol(p[i], samples[way][3][i], 1e-9);
        else
          ck_assert_double_eq(p[i], samples[way][3][i]);
    }
    prc_explore_sampler_free(&sampler);
    support_ok(prc_explore_sampler_create(&d->dense, &other, &sampler, &err), &err);
    (void)prc_explore_sample(sampler, PRC_EXPLORE_STARTS, 3, p, w);
    for (int i = 0; i < 2 * PILE_CONTACTS; i++) largest = fmax(largest, fabs(p[i] - samples[0][3][i]));
    ck_assert_double_gt(largest, 0.1);
    prc_explore_sampler_free(&sampler);
  }
}
END_TEST

/* ---- columns that are nearly parallel ------------------------------------------------------------------------------------------- */

enum { PAIRS = 4, PAIR_ROWS = 12 };

static double draw(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Is what is b = A x of some x >= 0, but for the last digit and for `off` in one row, said to have none? Pairs of columns differ by 1e-8. */
static int pairs_are_empty(uint64_t seed, double off) {
  int row[2 * PAIRS * PAIR_ROWS], start[2 * PAIRS + 1];
  double A[2 * PAIRS * PAIR_ROWS], b[PAIR_ROWS] = {0.0};
  for (int j = 0; j <= 2 * PAIRS; j++) start[j] = PAIR_ROWS * j;
  for (int i = 0; i < PAIR_ROWS; i++) {
    long double sum = 0.0L;
    for (int j = 0; j < 2 * PAIRS; j++) {
      double *a = A + PAIR_ROWS * j + i;
      *a = j % 2 == 0 ? 2.0 * draw(&seed) - 1.0 : a[-PAIR_ROWS] + 1e-8 * (2.0 * draw(&seed) - 1.0);
      row[PAIR_ROWS * j + i] = i;
      sum += (long double)*a * (0.1 + 0.1 * j);
    }
    b[i] = (double)sum + (i == 0 ? off : 0.0);
  }
  const prc_program_data data = {PAIR_ROWS, 2 * PAIRS, start, row, A, b};
  prc_program *program = NULL;
  support_ok(prc_program_create(&data, &program, &err), &err);
  const int is_empty = prc_program_is_empty(program);
  prc_program_free(&program);
  return is_empty;
}

/* A basis with both columns of a pair makes 1e-8 of the last digit of b: more than rows may miss. */
START_TEST(nearly_parallel_columns_leave_what_is_there) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    ck_assert_msg(!pairs_are_empty(seed, 0.0), "seed %d", (int)seed);
    ck_assert_msg(pairs_are_empty(seed, 1e-3), "seed %d, off by 1e-3", (int)seed);
  }
}
END_TEST

SUITE(explore) {
  Suite *suite = suite_create("explore");
  TCase *tcase = tcase_create("intervals");
  if (prc_explore_is_built()) {
    tcase_add_test(tcase, nearly_parallel_columns_leave_what_is_there);
    tcase_add_test(tcase, a_disc_on_two_supports);
    tcase_add_test(tcase, a_disc_on_two_supports_has_the_published_interval);
    tcase_add_test(tcase, a_wedged_rod_has_no_upper_bound);
    tcase_add_test(tcase, a_tower_is_determined_but_for_what_spreads_it);
    tcase_add_test(tcase, a_block_rests_on_a_slope_up_to_its_friction);
    tcase_add_test(tcase, a_disc_alone_on_a_slope_rolls_whatever_the_friction);
    tcase_add_test(tcase, a_light_body_counts_beside_a_heavy_one);
    tcase_add_test(tcase, a_body_without_contacts_falls);
    tcase_add_test(tcase, sliders_stay_on_their_edge);
    tcase_add_test(tcase, held_bodies_need_no_balance);
    tcase_add_test(tcase, intervals_are_those_of_all_vertices);
    tcase_add_test(tcase, a_pile_of_28_discs_has_the_published_intervals);
    tcase_add_test(tcase, a_pile_of_28_discs_is_symmetric_and_its_top_a_segment);
    tcase_add_test(tcase, samples_lie_within_the_intervals_and_fill_most_of_them);
  }
  tcase_add_test(tcase, velocities_say_what_contacts_may_carry);
  tcase_add_test(tcase, a_pile_of_28_discs_is_indetermined_28_times);
  tcase_add_test(tcase, samples_are_equilibria_in_the_cones);
  tcase_add_test(tcase, samples_are_the_same_whatever_came_before);
  suite_add_tcase(suite, tcase);
  return suite;
}
