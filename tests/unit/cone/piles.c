/* Contact problems of piles, W by blocks: islands, towers, packings, mass ratios, against closed forms and what equilibrium demands. */
#include "config.h"
#include "cone/solvers/islands.h"
#include "support/methods.h"
#include "support/pile.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static prc_error err;

/* ---- islands ----------------------------------------------------------------------------------------------------------------- */

enum { CONTACTS = 60 };

typedef struct {
  char coupled[CONTACTS][CONTACTS];
  int start[CONTACTS + 1], column[CONTACTS * CONTACTS];
  prc_blocks W;
} graph;

static void draw_graph(graph *g, int n, double chance, prc_random *r) {
  int count = 0;
  memset(g, 0, sizeof *g);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      g->coupled[i][j] = g->coupled[j][i] = (char)(i == j || prc_random_uniform(r, 0.0, 1.0) < chance);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (g->coupled[i][j]) g->column[count++] = j;
    g->start[i + 1] = count;
  }
  g->W = (prc_blocks){.row_start = g->start, .column = g->column};
}

/* Warshall's closure */
static void close_graph(graph *g, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) g->coupled[i][j] |= g->coupled[i][k] && g->coupled[k][j];
}

START_TEST(islands_are_what_is_connected) {
  prc_random r = {3};
  prc_cone_islands islands = {0};
  support_ok(
      prc_cone_islands_create(&(prc_cone_sizes){.n_max = CONTACTS, .W = &prc_cone_by_blocks}, &islands, &err),
      &err);
  for (int draw = 0; draw < 200; draw++) {
    const int n = draw % (CONTACTS + 1);
    int expected = 0, total = 0;
    graph g;
    draw_graph(&g, n, draw % 7 * 0.01, &r);
    prc_cone_islands_find(&islands, &(prc_cone_problem){.n = n, .blocks = &g.W});
    close_graph(&g, n);
    for (int i = 0; i < n; i++) {
      int first = 0;
      while (!g.coupled[i][first]) first++;
      expected += first == i;
      for (int j = 0; j < n; j++) ck_assert_int_eq(islands.of[i] == islands.of[j], g.coupled[i][j]);
    }
    ck_assert_int_eq(islands.count, expected);
    for (int k = 0; k < islands.count; k++)
      for (int at = islands.start[k]; at < islands.start[k + 1]; at++, total++) {
        ck_assert_int_eq(islands.of[islands.member[at]], k);
        if (at > islands.start[k]) ck_assert_int_gt(islands.member[at], islands.member[at - 1]);
      }
    ck_assert_int_eq(total, n);
  }
  prc_cone_islands_free(&islands);
}
END_TEST

/* ---- solutions that are known -------------------------------------------------------------------------------------------------- */

static prc_cone_info solve_to(const prc_cone_problem *problem, const char *name, double tolerance,
                              double *p) {
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error_clear(&err);
  options.tolerance = tolerance, options.criterion = PRC_CONE_SCALED;
  support_ok(prc_cone_solver_create_for(name, problem, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

/* |v + M^-1 H'p| of the body that moves fastest, in extended precision, against the fall of a step: nothing moves in a pile at rest. */
static double fastest(const pile *s, const double *p) {
  long double *v = calloc(3 * (size_t)s->n_bodies, sizeof *v), most = 0.0L;
  ck_assert_ptr_nonnull(v);
  for (int c = 0; c < s->H.n; c++) {
    const int first = s->H.start[c], count = s->H.start[c + 1] - first;
    for (int k = 0; k < 2 * count; k++)
      v[s->H.dof[first + k % count]] += (long double)s->H.x[2 * first + k] * p[2 * c + k / count];
  }
  for (int i = 0; i < 3 * s->n_bodies; i++) {
    v[i] = s->v[i] + v[i] / (i % 3 == 2 ? s->inertia[i / 3] : s->mass[i / 3]);
    if (fabsl(v[i]) > most) most = fabsl(v[i]);
  }
  free(v);
  return (double)most;
}

/* The corners of a box carry half of what is above each; friction is not needed, and what there is of it cancels. */
static void expect_weights(const pile *s, const double *p, double tolerance) {
  double above = 0.0;
  for (int i = s->n_bodies - 1; i >= 0; i--) {
    above += s->mass[i];
    for (int side = 0; side < 2; side++)
      ck_assert_msg(fabs(p[2 * (2 * i + side)] - 0.5 * above) <= tolerance * above,
                    "joint %d of %d carries %.15g, expected %.15g", i, s->n_bodies, p[2 * (2 * i + side)],
                    0.5 * above);
    ck_assert_double_le(fabs(p[4 * i + 1] + p[4 * i + 3]), tolerance * above);
  }
}

START_TEST(a_tower_carries_the_weights_above) {
  static const double mus[] = {0.0, 0.3, 0.5, 1.0};
  static const int heights[] = {1, 2, 10, 50, 100};
  pile s;
  pile_make(&s, PILE_TOWER, heights[_i / 4], mus[_i % 4], 1.0, 1);
  const prc_cone_info cold = solve_to(&s.problem, "auto", 1e-10, s.p);
  ck_assert_int_eq(cold.converged, 1);
  /* the condition of W grows as the square of the height */
  expect_weights(&s, s.p, 1e-9 * (1.0 + s.n_bodies * s.n_bodies));
  ck_assert_double_le(fastest(&s, s.p), 1e-7);
  pile_disturb(&s, 1e-3, 5); /* the next step, from there */
  const prc_cone_info warm = solve_to(&s.problem, "auto", 1e-10, s.p);
  ck_assert_int_eq(warm.converged, 1);
  pile_free(&s);
}
END_TEST

/* Ten thousand times as heavy on top: what the solution says of the weights has lost four digits of rounding. */
START_TEST(a_heavy_top_is_carried_to_what_rounding_leaves) {
  pile s;
  pile_make(&s, PILE_TOWER, 100, 0.5, 1e4, 1);
  ck_assert_int_eq(solve_to(&s.problem, "auto", 1e-8, s.p).converged, 1);
  expect_weights(&s, s.p, 1e-6);
  memset(s.p, 0, 2 * (size_t)s.H.n * sizeof *s.p);
  const prc_cone_info info = solve_to(&s.problem, "auto", 1e-10, s.p);
  ck_assert_int_eq(info.converged,
                   1); /* by the bound that rounding leaves, and takes no 10000 iterations for that */
  ck_assert_double_gt(info.bound, 1e-10);
  ck_assert_double_le(info.bound, 1e-8);
  ck_assert_double_le(info.error.scaled, info.bound);
  ck_assert_int_lt(info.iterations, 1000);
  expect_weights(&s, s.p, 1e-6);
  pile_free(&s);
}
END_TEST

START_TEST(packings_between_walls_stand_still) {
  static const struct {
    pile_kind kind;
    int n;
    double mu, ratio;
  } of[] = {{PILE_BOX, 100, 0.0, 1.0},     {PILE_BOX, 100, 0.5, 1.0},    {PILE_BOX, 300, 0.3, 1e4},
            {PILE_FUNNEL, 100, 0.0, 1.0},  {PILE_FUNNEL, 100, 1.0, 1.0}, {PILE_FUNNEL, 300, 0.3, 1e4},
            {PILE_FUNNEL, 1000, 0.3, 1.0}, {PILE_BOX, 1, 0.3, 1.0},      {PILE_BOX, 2, 0.3, 1.0}};
  const double tolerance = of[_i].ratio > 1.0 ? 1e-9 : 1e-10;
  pile s;
  pile_make(&s, of[_i].kind, of[_i].n, of[_i].mu, of[_i].ratio, 1);
  const prc_cone_info info = solve_to(&s.problem, "auto", tolerance, s.p);
  ck_assert_msg(info.converged, "%g after %d iterations", info.error.scaled, info.iterations);
  ck_assert_double_le(fastest(&s, s.p), 1e-4);
  pile_free(&s);
}
END_TEST

/* Without friction velocities are unique: pivoting from rest on the dense problem finds the same. */
START_TEST(velocities_without_friction_are_those_of_lemke) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    double *W = NULL, *q, *w[2];
    pile s;
    pile_make(&s, PILE_RANDOM, 30, 0.0, seed % 2 ? 1.0 : 100.0, seed);
    const prc_cone_problem dense = pile_dense(&s, &W);
    const size_t rows = 2 * (size_t)s.H.n;
    q = calloc(rows, sizeof *q), w[0] = calloc(rows, sizeof *q), w[1] = calloc(rows, sizeof *q);
    ck_assert(q && w[0] && w[1]);
    ck_assert_int_eq(solve_to(&s.problem, "auto", 1e-11, s.p).converged, 1);
    ck_assert_int_eq(solve_to(&dense, "lemke", 1e-11, q).converged, 1);
    prc_cone_velocity(&s.problem, s.p, w[0]);
    prc_cone_velocity(&dense, q, w[1]);
    for (size_t i = 0; i < rows; i++) ck_assert_double_le(fabs(w[0][i] - w[1][i]), 1e-8);
    free(W), free(q), free(w[0]), free(w[1]);
    pile_free(&s);
  }
}
END_TEST

/* ---- many islands ------------------------------------------------------------------------------------------------------------------ */

/* k copies of a pile beside each other, contacts of all copies in turns, so that islands are no intervals. */
typedef struct {
  prc_cone_problem problem;
  prc_cone_blocks blocks;
  double *b, *mu, *p;
} copies;

static void make_copies(copies *g, const pile *s, int k) {
  const int n = s->H.n, total = n * k;
  const prc_blocks *W = &s->W.blocks;
  const size_t count = (size_t)W->row_start[n] * (size_t)k;
  *g = (copies){.b = calloc(2 * (size_t)total, sizeof(double)),
                .mu = calloc((size_t)total, sizeof(double)),
                .p = calloc(2 * (size_t)total, sizeof(double))};
  g->blocks = (prc_cone_blocks){.row_start = calloc((size_t)total + 1, sizeof(int)),
                                .column = calloc(count, sizeof(int)),
                                .values = calloc(4 * count, sizeof(double))};
  ck_assert(g->b && g->mu && g->p && g->blocks.row_start && g->blocks.column && g->blocks.values);
  for (int c = 0; c < total; c++) {
    const int from = c / k, copy = c % k;
    int at = g->blocks.row_start[c];
    for (int e = W->row_start[from]; e < W->row_start[from + 1]; e++, at++) {
      g->blocks.column[at] = W->column[e] * k + copy;
      memcpy(g->blocks.values + 4 * (size_t)at, W->values + 4 * (size_t)e, 4 * sizeof(double));
    }
    g->blocks.row_start[c + 1] = at;
    g->mu[c] = s->mu[from];
    memcpy(g->b + 2 * c, s->b + 2 * from, 2 * sizeof(double));
  }
  g->problem = (prc_cone_problem){.dim = 2, .n = total, .blocks = &g->blocks, .b = g->b, .mu = g->mu};
}

static void free_copies(copies *g) {
  free(g->b), free(g->mu), free(g->p);
  free(g->blocks.row_start), free(g->blocks.column), free(g->blocks.values);
}

/* Islands know nothing of each other: copies of other friction and under forces of other sizes end at the bits that each has alone, after as
 * many iterations as the one that takes most. */
START_TEST(copies_beside_each_other_are_solved_as_each_alone) {
  static const pile_kind kinds[] = {PILE_TOWER, PILE_BOX, PILE_RANDOM};
  enum { K = 7 };
  int most = 0, counted = 0;
  pile s;
  copies g;
  pile_make(&s, kinds[_i], 40, 0.5, 1.0, 2);
  make_copies(&g, &s, K);
  for (int c = 0; c < g.problem.n; c++) {
    g.mu[c] = 0.1 + 0.125 * (c % K);
    g.b[2 * c] = ldexp(g.b[2 * c], c % K), g.b[2 * c + 1] = ldexp(g.b[2 * c + 1], c % K);
  }
  const prc_cone_info all = solve_to(&g.problem, "auto", 1e-10, g.p);
  ck_assert_int_eq(all.converged, 1);
  for (int k = 0; k < K; k++) {
    for (int c = 0; c < s.H.n; c++) s.mu[c] = g.mu[K * c + k];
    memset(s.p, 0, 2 * (size_t)s.H.n * sizeof *s.p);
    const prc_cone_info one = solve_to(&s.problem, "auto", 1e-10, s.p);
    ck_assert_int_eq(one.converged, 1);
    most = one.iterations > most ? one.iterations : most;
    for (int i = 0; i < 2 * s.H.n; i++) ck_assert(g.p[2 * (K * (i / 2) + k) + i % 2] == ldexp(s.p[i], k));
  }
  ck_assert_int_eq(all.iterations, most);
  for (int k = 0; k < all.n_stages; k++) counted += all.stages[k].iterations;
  ck_assert_int_eq(counted, all.iterations);
  free_copies(&g);
  pile_free(&s);
}
END_TEST

/* An island that has settled is not swept on because another has not: its bits are those that it has alone. */
START_TEST(an_island_that_has_settled_is_left_alone) {
  pile s;
  copies g;
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  pile_make(&s, PILE_TOWER, 30, 0.5, 1.0, 2);
  make_copies(&g, &s, 2);
  for (int c = 0; c < s.H.n; c++) { /* the first tower flies, but for its foot, which turns as it falls */
    s.b[2 * c] = c > 1 ? 1.0 : -1.0 - 0.5 * c, s.b[2 * c + 1] = 0.1 * (c < 2);
    memcpy(g.b + 4 * c, s.b + 2 * c, 2 * sizeof(double));
  }
  options.max_iterations = 400, options.tolerance = 1e-6, options.criterion = PRC_CONE_SCALED;
  support_ok(prc_cone_solver_create_for("gauss-seidel", &g.problem, &options, &solver, &err), &err);
  const prc_cone_info alone = prc_cone_solve(solver, &s.problem, s.p);
  const prc_cone_info both = prc_cone_solve(solver, &g.problem, g.p);
  prc_cone_solver_free(&solver);
  ck_assert_int_eq(alone.converged, 1);
  ck_assert_int_lt(alone.iterations, 100);
  ck_assert_int_eq(both.converged, 0); /* the other one is slow */
  ck_assert_int_eq(both.iterations, 400);
  ck_assert(s.p[0] > 0.0 && s.p[2] > 0.0);
  for (int c = 0; c < s.H.n; c++) ck_assert_mem_eq(g.p + 4 * c, s.p + 2 * c, 2 * sizeof(double));
  free_copies(&g);
  pile_free(&s);
}
END_TEST

/* Driven bodies that are pressed into each other have no solution; the tower beside them has one, and finds it. */
START_TEST(what_has_no_solution_spoils_no_other_island) {
  pile s;
  copies g;
  pile_make(&s, PILE_TOWER, 50, 0.5, 1.0, 2);
  make_copies(&g, &s, 2);
  const int *start = g.blocks.row_start;
  for (int c = 0; c < g.problem.n; c += 2) {
    memset(g.blocks.values + 4 * (size_t)start[c], 0, sizeof(double) * 4 * (size_t)(start[c + 1] - start[c]));
    g.b[2 * c] = -1e-3;
  }
  const prc_cone_info info = solve_to(&g.problem, "auto", 1e-10, g.p);
  ck_assert_int_eq(info.converged, 0);
  for (int i = 0; i < s.H.n; i++) memcpy(s.p + 2 * i, g.p + 2 * (2 * i + 1), 2 * sizeof(double));
  expect_weights(&s, s.p, 1e-9 * (1.0 + s.n_bodies * s.n_bodies));
  free_copies(&g);
  pile_free(&s);
}
END_TEST

START_TEST(thrown_together_every_pair_is_solved) {
  static const char *const names[] = {"auto", "gauss-seidel"};
  pile s;
  pile_make(&s, PILE_LOOSE, 4000, 0.4, 1.0, 9);
  const prc_cone_info info = solve_to(&s.problem, names[_i], 1e-10, s.p);
  ck_assert_int_eq(info.converged, 1);
  ck_assert_str_eq(info.finished, "gauss-seidel");
  ck_assert_int_lt(info.iterations, 100);
  pile_free(&s);
}
END_TEST

/* ---- what held up time stepping -------------------------------------------------------------------------------------------------- */

/* Shaken piles, from rest or from the solution of another shake: where paths were followed, each of hundreds of dense systems, thousands of
 * systems led nowhere. `systems`: at most. */
static const struct {
  pile_kind kind;
  int n;
  double mu, ratio;
  uint64_t seed;
  int warm, systems;
} shaken[] = {{PILE_BOX, 30, 1.0, 1e4, 1, 1, 1500},    {PILE_BOX, 30, 1.0, 1e4, 6, 0, 1500},
              {PILE_BOX, 30, 1.0, 1e4, 8, 1, 1500},    {PILE_BOX, 30, 1.0, 1e4, 9, 0, 1500},
              {PILE_FUNNEL, 50, 0.3, 1e4, 1, 1, 1500}, {PILE_RANDOM, 70, 0.5, 1.0, 3, 1, 1500},
              {PILE_RANDOM, 70, 0.5, 1.0, 5, 0, 1500}, {PILE_RANDOM, 50, 1.0, 1.0, 3, 0, 1500},
              {PILE_RANDOM, 70, 1.0, 1.0, 5, 0, 3000}};

START_TEST(a_shaken_pile_is_solved_or_given_up_within_its_budget) {
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  pile s;
  double *w;
  pile_make(&s, shaken[_i].kind, shaken[_i].n, shaken[_i].mu, shaken[_i].ratio, shaken[_i].seed);
  options.tolerance = 1e-8, options.criterion = PRC_CONE_SCALED, options.max_iterations = 3000;
  support_ok(prc_cone_solver_create_for("auto", &s.problem, &options, &solver, &err), &err);
  pile_disturb(&s, shaken[_i].warm ? 1.0 : 0.1, shaken[_i].seed + 100);
  if (shaken[_i].warm) {
    prc_cone_solve(solver, &s.problem, s.p);
    pile_disturb(&s, 1.0, shaken[_i].seed + 200);
  }
  const prc_cone_info info = prc_cone_solve(solver, &s.problem, s.p);
  prc_cone_solver_free(&solver);
  ck_assert_msg(info.newton <= shaken[_i].systems, "%d systems, %g", info.newton, info.error.scaled);
  ck_assert_int_le(info.iterations, 3000);
  ck_assert_msg(info.converged || shaken[_i].systems == 3000, "%g", info.error.scaled);
  w = calloc(2 * (size_t)s.H.n, sizeof *w);
  ck_assert_ptr_nonnull(w);
  ck_assert(prc_cone_error(&s.problem, s.p, w).scaled == info.error.scaled); /* said of what is returned */
  free(w);
  pile_free(&s);
}
END_TEST

/* ---- degenerate ---------------------------------------------------------------------------------------------------------------------- */

/* Contacts between two driven bodies have W = 0, alone or beside a pile; nothing pushes there, since they do not approach. */
START_TEST(contacts_of_driven_bodies_are_left_at_rest) {
  int ability_count, *start;
  const prc_cone_ability *methods = prc_cone_abilities(&ability_count);
  if (!(methods[_i].dims >> 2 & 1u) || !prc_cone_can(methods + _i, &prc_cone_by_blocks)) return;
  pile s;
  copies g;
  pile_make(&s, PILE_BOX, 6, 0.5, 1.0, 1);
  make_copies(&g, &s, 2);
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  options.tolerance = 1e-8, options.criterion = PRC_CONE_SCALED, options.max_iterations = 100000;
  support_ok(prc_cone_solver_create_for(methods[_i].name, &g.problem, &options, &solver, &err), &err);
  const int can_solve = prc_cone_solve(solver, &s.problem, s.p).converged; /* the pile alone */
  ck_assert(can_solve || strcmp(methods[_i].name, "active-set") == 0);     /* W is singular */
  start = g.blocks.row_start;
  for (int c = 0; c < g.problem.n; c += 2) { /* of the first copy nothing moves */
    memset(g.blocks.values + 4 * (size_t)start[c], 0, sizeof(double) * 4 * (size_t)(start[c + 1] - start[c]));
    g.b[2 * c] = c % 4 ? 0.0 : 0.25, g.b[2 * c + 1] = 0.0;
  }
  const prc_cone_info info = prc_cone_solve(solver, &g.problem, g.p);
  prc_cone_solver_free(&solver);
  ck_assert_msg(info.converged || !can_solve, "%s: %g", methods[_i].name, info.error.scaled);
  for (int c = 0; c < g.problem.n && can_solve; c += 4) ck_assert_double_le(fabs(g.p[2 * c]), 1e-6);
  free_copies(&g);
  pile_free(&s);
}
END_TEST

SUITE(piles) {
  Suite *suite = suite_create("piles");
  TCase *piles = tcase_create("piles");
  int methods;
  prc_cone_abilities(&methods);
  prc_dense_single_thread();
  tcase_set_timeout(piles, 120.0);
  tcase_add_test(piles, islands_are_what_is_connected);
  tcase_add_loop_test(piles, a_tower_carries_the_weights_above, 0, 20);
  tcase_add_test(piles, a_heavy_top_is_carried_to_what_rounding_leaves);
  tcase_add_loop_test(piles, packings_between_walls_stand_still, 0, 9);
  tcase_add_test(piles, velocities_without_friction_are_those_of_lemke);
  tcase_add_loop_test(piles, copies_beside_each_other_are_solved_as_each_alone, 0, 3);
  tcase_add_test(piles, an_island_that_has_settled_is_left_alone);
  tcase_add_test(piles, what_has_no_solution_spoils_no_other_island);
  tcase_add_loop_test(piles, thrown_together_every_pair_is_solved, 0, 2);
  tcase_add_loop_test(piles, a_shaken_pile_is_solved_or_given_up_within_its_budget, 0,
                      (int)(sizeof shaken / sizeof *shaken));
  tcase_add_loop_test(piles, contacts_of_driven_bodies_are_left_at_rest, 0, methods);
  suite_add_tcase(suite, piles);
  return suite;
}
