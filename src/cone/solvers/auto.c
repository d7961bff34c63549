#include "config.h"
#include "cone/solvers/islands.h"
#include "cone/solvers/method.h"

#include <math.h>
#include <string.h>

/* A few sweeps of Gauss-Seidel settle the statuses of most contacts and often the problem. Where they
 * converge slowly,
 *
 *   - in 2D, where a system costs as much as W is large, the active-set Newton method ends it at rounding; if its statuses cycle, sweeps
 *     go on from the better of the iterates, twice as many each time;
 *   - otherwise, or when that has failed three times, sweeps and the proximal-point Newton method take
 *     turns: when one of its inner iterations cycles, sweeps move p to another place before the next;
 *   - where systems are cheap and paths are not (more than 40 contacts), a warm start goes to
 *     the proximal-point Newton method after 40 sweeps, and other starts come early: see with_newton_cheap;
 *   - where that comes to nothing, other ways take turns, each for twice as long every time, until the
 *     budget is spent. Friction below 10: Newton's method from rest, where no sweeps lead it astray;
 *     interior points from the best iterate and from random starts; paths from other problems to this one
 *     (lemke.c). From there on paths alone. Where there are none, because there are too many contacts or
 *     the dimension is 1 or 4: the projected gradient from where it was, ended by Newton's method. After
 *     each turn sweeps and proximal points go on from a random start;
 *   - friction of the speed is for sweeps and proximal points alone.
 *
 * What each of these earns stands in doc/notes/contact-problem.md. Budgets are counts, so that a run does not depend on
 * the clock. The best of all iterates is what remains at the end. */
#define ACTIVE_SET_STEPS  12
#define ACTIVE_SET_ROUNDS 3
#define SWEEPS            50
#define LAST_SWEEPS       10   /* of them, whose increment of p may prove that there is no solution */
#define PATHS             3    /* at first, then twice as many each time */
#define PIECES            500  /* of all paths of a turn, at least: small problems have short paths */
#define POLISH_ALPHA      1e-6 /* the proximal term at the end of a path */
#define POLISH_ROUNDS     3    /* at most, there */
#define ALONE_2D          500  /* Newton steps, at first */
#define ALONE_3D          3000 /* there paths are curved and dear */
#define PRODUCTS          250  /* of the projected gradient, at first, in units of a Newton step's cost */
#define PRODUCTS_CHEAP    20   /* where systems are cheap: where it is of use 2000 products are enough */
#define LARGE_FRICTION    10.0 /* from here on paths find more than what keeps Phi, which loses u_N */
#define SHORT_PATIENCE    2    /* in 2D, where paths are straight and cheap */
#define ALONE_CHEAP       250  /* Newton steps from rest where systems are cheap, at first */
#define PATIENCE          8    /* rounds without halving the error, after which another start is tried */

#define ISLAND_ROUNDS 4 /* of islands solved to a tenth of the tolerance of the round before */

/* Plan by the cost of W: first attempts, and methods worth their price. */
typedef struct {
  int first_sweeps;    /* before anything else */
  int statuses;        /* these with active-set steps in turns, where there are any */
  int islands;         /* what sweeps leave is solved island after island */
  int cheap_systems;   /* beside paths and sweeps: with_newton_cheap */
  int at_any_friction; /* the same where friction is large */
  int rounding_ends;   /* an error that is rounding ends the search */
  int products; /* of the projected gradient, that cost what a Newton step does; 0: a tenth of the rows of W */
  int interior_contacts; /* at most, else another system of the size of W is too much */
  int interior_steps;    /* at first */
  int path_contacts;     /* at most, beyond which the dense systems of paths are dear */
} auto_plan;

static const auto_plan plans[] = {
    [PRC_CONE_COSTS_FULL] = {.first_sweeps = 12,
                             .statuses = 1,
                             .interior_contacts = 200,
                             .interior_steps = 500,
                             .path_contacts = 200},
    [PRC_CONE_COSTS_BLOCKS] = {.first_sweeps = 40, /* a sweep costs what a few columns of a dense W do */
                               .islands = 1,
                               .cheap_systems = 1,
                               .rounding_ends = 1,
                               .products = 100,
                               .interior_contacts = 20000,
                               .interior_steps = 125,
                               .path_contacts = 40},
    [PRC_CONE_COSTS_BODIES] = {.first_sweeps = 100, .cheap_systems = 1, .at_any_friction = 1},
};

typedef struct {
  const auto_plan *plan;
  void *gauss_seidel, *active_set, *newton, *gradient, *interior, *lemke;
  double *best, *increment, *scratch; /* dim n_max */
  double *descent;                    /* dim n_max: where the projected gradient is */
  double best_error;
  int warm;        /* the start was not rest */
  int at_rounding; /* it is no larger than what rounding makes, and that is above the tolerance */
  int apart;       /* islands are solved one after the other */
  prc_cone_islands islands;
  prc_cone_island island;
} work_auto;

static void auto_free(void **work) {
  work_auto *g = *work;
  if (!g) return;
  prc_cone_gauss_seidel.free(&g->gauss_seidel);
  prc_cone_active_set.free(&g->active_set);
  prc_cone_newton.free(&g->newton);
  prc_cone_projected_gradient.free(&g->gradient);
  if (g->interior) prc_cone_interior_point.free(&g->interior);
  if (g->lemke) prc_cone_lemke.free(&g->lemke);
  prc_delete(&g->best);
  prc_delete(&g->increment);
  prc_delete(&g->scratch);
  prc_delete(&g->descent);
  prc_cone_islands_free(&g->islands);
  prc_cone_island_free(&g->island);
  prc_delete(work);
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static prc_status auto_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_auto *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  const auto_plan *plan = g->plan = plans + sizes->W->cost;
  prc_try(prc_cone_gauss_seidel.create(sizes, &g->gauss_seidel, err));
  if (plan->statuses && prc_cone_method_can(&prc_cone_active_set, sizes))
    prc_try(prc_cone_active_set.create(sizes, &g->active_set, err));
  prc_try(prc_cone_newton.create(sizes, &g->newton, err));
  prc_try(prc_cone_projected_gradient.create(sizes, &g->gradient, err));
  if (prc_cone_method_can(&prc_cone_interior_point, sizes) && sizes->n_max <= plan->interior_contacts)
    prc_try(prc_cone_interior_point.create(sizes, &g->interior, err));
  prc_cone_sizes small = *sizes; /* active contacts may be fewer than candidates */
  small.n_max = smaller(sizes->n_max, plan->path_contacts);
  if (prc_cone_method_can(&prc_cone_lemke, sizes)) prc_try(prc_cone_lemke.create(&small, &g->lemke, err));
  g->apart = plan->islands && sizes->W->row && sizes->W->couple;
  if (g->apart) prc_try(prc_cone_islands_create(sizes, &g->islands, err));
  if (g->apart) prc_try(prc_cone_island_create(sizes, &g->island, err));
  prc_try(prc_new(&g->best, sizes->dim * sizes->n_max, err));
  prc_try(prc_new(&g->increment, sizes->dim * sizes->n_max, err));
  prc_try(prc_new(&g->scratch, sizes->dim * sizes->n_max, err));
  prc_try(prc_new(&g->descent, sizes->dim * sizes->n_max, err));
done:
  if (status != PRC_OK) auto_free(work);
  return status;
}

static int may_go_on(const prc_cone_options *options, const prc_cone_info *info) {
  return info->iterations < options->max_iterations && !prc_cone_stopped(options);
}

static int sweep(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options, int count,
                 double *p, prc_cone_info *info) {
  const int left = options->max_iterations - info->iterations;
  return prc_cone_sweeps(g->gauss_seidel, problem, options, smaller(count, left), p, info);
}

static int steps_left(const prc_cone_options *options, const prc_cone_info *info) {
  return smaller(ACTIVE_SET_STEPS, options->max_iterations - info->iterations);
}

static int with_active_set(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                           double *p, prc_cone_info *info) {
  int sweeps = g->plan->first_sweeps;
  for (int round = 0; round < ACTIVE_SET_ROUNDS && may_go_on(options, info); round++, sweeps *= 2) {
    if (sweep(g, problem, options, sweeps, p, info)) return 1;
    if (prc_cone_active_steps(g->active_set, problem, options, steps_left(options, info), p, info)) return 1;
  }
  return 0;
}

/* Measures p and keeps it if it is the best so far; returns 1 when it is a solution. */
static int keep_best(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                     const double *p, prc_cone_info *info) {
  const int reached = prc_cone_reached(problem, options, info->finished, p, g->scratch, info);
  const double error = prc_cone_verdict(options, &info->error);
  if (error < g->best_error) {
    g->best_error = error;
    memcpy(g->best, p, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
    g->at_rounding = g->plan->rounding_ends && options->criterion != PRC_CONE_PAPER && error > 0.0
                     && error <= prc_cone_rounding(problem, p, options->tolerance)
                     && !(prc_cone_rounding(problem, p, options->tolerance) <= options->tolerance);
  }
  return reached;
}

/* Where no percussion is enough, sweeps add to p the same again and again, and that is the proof. */
static int is_infeasible(work_auto *g, const prc_cone_problem *problem, const double *p,
                         prc_cone_info *info) {
  for (int i = 0; i < problem->dim * problem->n; i++) g->increment[i] = p[i] - g->increment[i];
  info->infeasible = prc_cone_infeasible(problem, g->increment, g->scratch);
  return info->infeasible;
}

/* From wherever p is: sweeps and proximal points in turns until the error has not been halved for a while. */
static int alternate(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                     int patience, int sweeps_first, double *p, prc_cone_info *info) {
  double least = INFINITY;
  for (int idle = 0, round = 0; idle < patience && may_go_on(options, info); round++) {
    if (round > 0 || sweeps_first) {
      if (sweep(g, problem, options, SWEEPS - LAST_SWEEPS, p, info)) return 1;
      memcpy(g->increment, p, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
      if (sweep(g, problem, options, LAST_SWEEPS, p, info)) return 1;
      if (keep_best(g, problem, options, p, info)) return 1;
      if (is_infeasible(g, problem, p, info)) return 0;
    }
    if (prc_cone_prox_run(g->newton, problem, options, p, info)) return 1;
    if (keep_best(g, problem, options, p, info)) return 1;
    const double error = prc_cone_verdict(options, &info->error);
    if (error < 0.5 * least)
      least = error, idle = 0;
    else
      idle++;
    if (g->at_rounding) return 0;
  }
  return 0;
}

/* To the end from a p that may be near a solution, by Newton's method, which does not mind that many
 * contacts change status on the way, as they do where W is singular. */
static int polish(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                  prc_cone_info *info) {
  if (keep_best(g, problem, options, p, info)) return 1;
  prc_cone_prox_restart(g->newton, POLISH_ALPHA);
  for (int round = 0; round < POLISH_ROUNDS && may_go_on(options, info); round++) {
    if (prc_cone_prox_run(g->newton, problem, options, p, info)) return 1;
    if (keep_best(g, problem, options, p, info)) return 1;
  }
  return 0;
}

/* Newton's method from rest, undisturbed. */
static int newton_from_rest(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                            int count, double *p, prc_cone_info *info) {
  prc_cone_options own = *options;
  own.max_iterations = info->iterations + smaller(count, options->max_iterations - info->iterations);
  memset(p, 0, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
  prc_cone_prox_restart(g->newton, PRC_CONE_ALPHA_FIRST);
  while (may_go_on(&own, info)) {
    if (prc_cone_prox_run(g->newton, problem, &own, p, info)) return 1;
    if (keep_best(g, problem, options, p, info)) return 1;
  }
  return 0;
}

/* On with the projected gradient for so many iterations. One of its products counts as what it costs
 * beside a Newton step, a tenth of a row's share where W is dense. */
static int with_gradient(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                         int count, double *p, prc_cone_info *info) {
  const int rows = problem->dim * problem->n, products = g->plan->products > 0 ? g->plan->products
                                                         : rows > 10           ? rows / 10
                                                                               : 1;
  prc_cone_options own = *options;
  prc_cone_info spent = {.iterations = 0};
  own.max_iterations = smaller(count, options->max_iterations - info->iterations) * products;
  prc_cone_projected_gradient.solve(g->gradient, problem, &own, g->descent, &spent);
  info->iterations += spent.iterations / products + 1;
  info->finished = spent.finished;
  memcpy(p, g->descent, (size_t)rows * sizeof *p);
  return polish(g, problem, options, p, info);
}

/* Interior points, other starts in every turn. */
static int with_interior_points(work_auto *g, const prc_cone_problem *problem,
                                const prc_cone_options *options, int turn, double *p, prc_cone_info *info) {
  prc_cone_options own = *options;
  own.max_iterations =
      info->iterations + smaller(turn * g->plan->interior_steps, options->max_iterations - info->iterations);
  own.seed = options->seed + (uint64_t)turn;
  prc_cone_interior_point.solve(g->interior, problem, &own, p, info);
  return keep_best(g, problem, options, p, info);
}

/* Paths from rest and from random solutions, each to its end: so many, and more where they are short. */
static int with_paths(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                      int turn, double *p, prc_cone_info *info) {
  const int enough = info->iterations + turn * PIECES;
  for (int k = 0; (k < turn * PATHS || info->iterations < enough) && may_go_on(options, info); k++) {
    info->iterations++; /* a path that goes nowhere still counts */
    if (!prc_cone_lemke_path(g->lemke, options, p, info)) {
      prc_cone_count_iterations(info, "lemke");
      continue;
    }
    if (polish(g, problem, options, p, info)) return 1;
  }
  return 0;
}

static int can_follow_paths(const work_auto *g, const prc_cone_problem *problem) {
  return g->lemke && prc_cone_lemke_fits(g->lemke, problem);
}

static int has_large_friction(const prc_cone_problem *problem) {
  int c = 0;
  while (c < problem->n && problem->mu[c] < LARGE_FRICTION) c++;
  return problem->dim > 1 && c < problem->n;
}

/* The ways that differ from sweeps and proximal points, each once. */
static int with_alternatives(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                             int turn, int large, double *p, prc_cone_info *info) {
  const int paths = can_follow_paths(g, problem), alone = problem->dim <= 2 ? ALONE_2D : ALONE_3D;
  if (large && paths) return with_paths(g, problem, options, turn, p, info);
  if (newton_from_rest(g, problem, options, turn * alone, p, info)) return 1;
  if (large) return 0;
  if (!paths && with_gradient(g, problem, options, turn * PRODUCTS, p, info)) return 1;
  memcpy(p, g->best, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
  if (g->interior && with_interior_points(g, problem, options, turn, p, info)) return 1;
  return paths && with_paths(g, problem, options, turn, p, info);
}

/* A cheap system still costs what ten sweeps or more do: it counts twice. */
static int may_go_on_cheap(const work_auto *g, const prc_cone_options *options, const prc_cone_info *info) {
  return info->iterations < options->max_iterations - info->newton && !info->infeasible && !g->at_rounding
         && !prc_cone_stopped(options);
}

/* Where systems are cheap, from p: proximal points and sweeps in turns, then interior points from there, and the turns again
 * from what these found. */
static int from_start(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                      int turn, int sweeps_first, double *p, prc_cone_info *info) {
  if (!may_go_on_cheap(g, options, info)) return 0;
  prc_cone_prox_restart(g->newton, PRC_CONE_ALPHA_FIRST);
  if (alternate(g, problem, options, SHORT_PATIENCE, sweeps_first, p, info)) return 1;
  if (!may_go_on_cheap(g, options, info)) return 0;
  if (g->interior && with_interior_points(g, problem, options, turn, p, info)) return 1;
  prc_cone_prox_restart(g->newton, PRC_CONE_ALPHA_FIRST);
  return alternate(g, problem, options, PATIENCE, 1, p, info);
}

/* From the given start, then from elsewhere: Newton's method with little regularisation finds solutions
 * that repel the sweeps. A problem that can be shown to have no solution is left. */
static int with_newton(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                       double *p, prc_cone_info *info) {
  const int paths = can_follow_paths(g, problem), large = has_large_friction(problem);
  prc_random random = {.state = 1};
  if (prc_cone_prox_start(g->newton, problem) != PRC_OK) return 0;
  if (paths) prc_cone_lemke_start(g->lemke, problem);
  if (alternate(g, problem, options,
                (paths && (g->active_set || large)) || (g->plan->cheap_systems && g->interior)
                    ? SHORT_PATIENCE
                    : PATIENCE,
                1, p, info))
    return 1;
  memset(g->descent, 0, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
  for (int turn = 1; may_go_on(options, info) && !info->infeasible && !g->at_rounding; turn *= 2) {
    if (with_alternatives(g, problem, options, turn, large, p, info)) return 1;
    prc_cone_draw_start(&random, problem, p);
    prc_cone_prox_restart(g->newton, pow(10.0, prc_random_uniform(&random, -8.0, -2.0)));
    if (alternate(g, problem, options, PATIENCE / 2, 0, p, info)) return 1;
  }
  return 0;
}

/* Where systems are cheap, without paths: from where the caller began, then from rest, from the best so far and from what is
 * drawn, as each leads elsewhere; between them the projected gradient and Newton's method from rest, undisturbed.
 * Every turn gives each way twice as much as the last: about 1000 systems a turn, 250 of them to Newton's method
 * from rest, so that what it needs alone is spent some 16 times at most, as long as the budget lasts. */
static int with_newton_cheap(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                             double *p, prc_cone_info *info) {
  const size_t bytes = (size_t)problem->dim * (size_t)problem->n * sizeof *p;
  prc_random random = {.state = 1};
  if (prc_cone_prox_start(g->newton, problem) != PRC_OK) return 0;
  memset(g->descent, 0, bytes);
  if (from_start(g, problem, options, 1, !g->warm, p, info)) return 1;
  for (int turn = 1; may_go_on_cheap(g, options, info); turn *= 2) {
    memset(p, 0, bytes);
    if ((turn > 1 || g->warm) && from_start(g, problem, options, turn, 1, p, info)) return 1;
    if (!may_go_on_cheap(g, options, info)) return 0;
    if (with_gradient(g, problem, options, turn * PRODUCTS_CHEAP, p, info)) return 1;
    if (newton_from_rest(g, problem, options, turn * ALONE_CHEAP, p, info)) return 1;
    memcpy(p, g->best, bytes);
    if (from_start(g, problem, options, turn, 1, p, info)) return 1;
    prc_cone_draw_start(&random, problem, p);
    if (from_start(g, problem, options, turn, 0, p, info)) return 1;
  }
  return 0;
}

/* Friction of the speed: the law is smooth where it is steep, so that Newton's method seldom fails where sweeps are slow; what else there is
 * does not know it. */
static int with_newton_of_speed(work_auto *g, const prc_cone_problem *problem,
                                const prc_cone_options *options, double *p, prc_cone_info *info) {
  prc_random random = {.state = 1};
  if (prc_cone_prox_start(g->newton, problem) != PRC_OK) return 0;
  if (alternate(g, problem, options, PATIENCE, 0, p, info)) return 1;
  for (int turn = 1; may_go_on(options, info) && !g->at_rounding; turn *= 2) {
    if (newton_from_rest(g, problem, options, turn * ALONE_CHEAP, p, info)) return 1;
    prc_cone_draw_start(&random, problem, p);
    prc_cone_prox_restart(g->newton, pow(10.0, prc_random_uniform(&random, -8.0, -2.0)));
    if (alternate(g, problem, options, PATIENCE / 2, 0, p, info)) return 1;
  }
  return 0;
}

static void solve_one(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                      double *p, prc_cone_info *info) {
  g->best_error = INFINITY, g->at_rounding = 0;
  const int cheap = g->plan->cheap_systems && !can_follow_paths(g, problem)
                    && (g->plan->at_any_friction || !has_large_friction(problem));
  if (problem->friction ? with_newton_of_speed(g, problem, options, p, info)
      : cheap           ? with_newton_cheap(g, problem, options, p, info)
                        : with_newton(g, problem, options, p, info))
    return;
  if (g->best_error < INFINITY) memcpy(p, g->best, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
}

/* Island k from p, back to p; `most` becomes its info where that took more than the others. Returns whether it is solved. */
static int solve_island(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options, int k,
                        const prc_cone_info *before, double *p, prc_cone_info *most) {
  prc_cone_info info = *before;
  prc_cone_island_extract(&g->island, &g->islands, problem, k, p);
  if (prc_cone_reached(&g->island.problem, options, info.finished, g->island.p, g->scratch, &info)) return 1;
  solve_one(g, &g->island.problem, options, g->island.p, &info);
  const int solved =
      prc_cone_reached(&g->island.problem, options, info.finished, g->island.p, g->scratch, &info);
  prc_cone_island_put_back(&g->island, &g->islands, k, p);
  if (info.infeasible) most->infeasible = 1;
  if (info.iterations <= most->iterations) return solved;
  info.infeasible = most->infeasible;
  *most = info;
  return solved;
}

/* Islands that sweeps left, one after the other, each to the tolerance by its own b; lower where that is not
 * enough for all together. The
 * iterations are those of the island that took most: they do not wait for each other. */
static void solve_islands(work_auto *g, const prc_cone_problem *problem, const prc_cone_options *options,
                          double *p, prc_cone_info *info) {
  prc_cone_options own = *options;
  const prc_cone_info before = *info;
  for (int round = 0; round < ISLAND_ROUNDS && !info->infeasible; round++, own.tolerance *= 0.1) {
    int solved = 1;
    for (int k = 0; k < g->islands.count && !prc_cone_stopped(options); k++)
      solved &= solve_island(g, problem, &own, k, &before, p, info);
    if (!solved || prc_cone_reached(problem, options, info->finished, p, g->scratch, info)) return;
  }
}

static void auto_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                       double *p, prc_cone_info *info) {
  work_auto *g = work;
  g->warm = prc_cone_largest(problem->dim * problem->n, p) > 0.0;
  if (g->active_set && !problem->friction ? with_active_set(g, problem, options, p, info)
                                          : sweep(g, problem, options, g->plan->first_sweeps, p, info))
    return;
  if (g->apart) prc_cone_islands_find(&g->islands, problem);
  if (g->apart && g->islands.count > 1)
    solve_islands(g, problem, options, p, info);
  else
    solve_one(g, problem, options, p, info);
}

const prc_cone_method prc_cone_auto = {
    .create = auto_create,
    .solve = auto_solve,
    .free = auto_free,
};
