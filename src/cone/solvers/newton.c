#include "config.h"
#include "cone/solvers/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A proximal-point iteration around a semismooth Newton method. The proximal point of p^ solves the
 * contact problem of
 *
 *   w = (W + alpha) p + b - alpha p^,
 *
 * whose matrix is definite even where W is singular. Newton's method with a nonmonotone line search
 * computes it from p^, to an error small against alpha |p - p^|, the error that remains in the problem
 * itself. As alpha decreases the outer iteration becomes Newton's method for that. When an inner iteration
 * does not settle, alpha grows, and the equation changes: cycles depend on it. */

#define INNER_STEPS                                                                                          \
  PRC_CONE_INNER_STEPS /* at first, if the row of W says nothing else; twice and four times that in hard problems */
#define INNER_MOST 40
#define IDLE       12 /* proximal points without halving the error: p runs away, or rounding rules */
#define HARD       4  /* failed inner iterations, from which on alpha decreases slowly */
#define MEMORY     5  /* of the line search: the merit must be below the largest of so many */
/* of a step, at most, after which the best of them is taken: short steps only crawl along the kinks */
#define HALVINGS    3
#define ALPHA_LEAST 1e-12
#define ALPHA_MOST  1e3

typedef struct {
  prc_cone_system system;
  double alpha;
  int failures;                                              /* inner iterations that did not settle */
  double *p, *w, *F, *p_try, *w_try, *F_try, *centre, *step; /* dim n_max */
} work_prox;

static void newton_free(void **work) {
  work_prox *g = *work;
  if (!g) return;
  double **vectors[] = {&g->p, &g->w, &g->F, &g->p_try, &g->w_try, &g->F_try, &g->centre, &g->step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_cone_system_free(&g->system);
  prc_delete(work);
}

static prc_status newton_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_prox *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  double **vectors[] = {&g->p, &g->w, &g->F, &g->p_try, &g->w_try, &g->F_try, &g->centre, &g->step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    prc_try(prc_new(vectors[i], (size_t)sizes->dim * (size_t)sizes->n_max, err));
  prc_try(prc_cone_system_create(sizes, &g->system, err));
done:
  if (status != PRC_OK) newton_free(work);
  return status;
}

/* The equations that are tried in turn, the row of W says which first. */
static void choose_equation(work_prox *g) {
  static const struct {
    double rho;
    int natural;
  } equations[] = {{100.0, 0}, {10.0, 0}, {100.0, 1}, {1.0, 0}, {1000.0, 0}, {10.0, 1}};
  const int k =
      (g->failures + g->system.algebra->first_equation) % (int)(sizeof equations / sizeof *equations);
  g->system.rho = equations[k].rho;
  g->system.natural = equations[k].natural;
}

/* |F|^2 of the proximal problem at p */
static double evaluate(work_prox *g, const double *p, double *w, double *F) {
  const prc_cone_system *s = &g->system;
  prc_cone_system_multiply(s, p, w);
  for (int i = 0; i < s->dim * s->n; i++) w[i] += s->b[i] + g->alpha * (p[i] - g->centre[i]);
  return prc_cone_system_residual(s, p, w, F);
}

static double try_length(work_prox *g, double length) {
  for (int i = 0; i < g->system.dim * g->system.n; i++) g->p_try[i] = g->p[i] + length * g->step[i];
  return evaluate(g, g->p_try, g->w_try, g->F_try);
}

/* Shortens the step until the merit is below `bound`; moves there and returns the merit. */
static double search_line(work_prox *g, double bound) {
  double length = 1.0, best = 1.0, least = INFINITY, merit = INFINITY;
  for (int k = 0; k < HALVINGS; k++, length *= 0.5) {
    merit = try_length(g, length);
    if (merit <= (1.0 - 1e-4 * length) * bound) break;
    if (merit < least) least = merit, best = length;
    if (k == HALVINGS - 1) merit = try_length(g, best);
  }
  double **pairs[][2] = {{&g->p, &g->p_try}, {&g->w, &g->w_try}, {&g->F, &g->F_try}};
  for (int k = 0; k < 3; k++) {
    double *swap = *pairs[k][0];
    *pairs[k][0] = *pairs[k][1], *pairs[k][1] = swap;
  }
  return merit;
}

static double distance2(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/* The proximal point of centre, from there. Returns the Newton steps it took, 0 when it was not found. */
static int solve_proximal(work_prox *g, const prc_cone_options *options, prc_cone_info *info) {
  const int rows = g->system.dim * g->system.n;
  double merits[MEMORY], merit = evaluate(g, g->p, g->w, g->F);
  const double first = merit;
  for (int k = 0; k < MEMORY; k++) merits[k] = merit;
  const int few = g->system.algebra->inner_steps;
  const int most = g->failures < HARD ? few : g->failures < 2 * HARD ? 2 * INNER_STEPS : INNER_MOST;
  for (int k = 0; k < most && !prc_cone_stopped(options); k++) {
    double bound = 0.0, size = 0.0;
    prc_cone_system_derive(&g->system, g->p, g->w);
    info->iterations++, info->newton++; /* also of a system that proves singular */
    if (!prc_cone_system_step(&g->system, g->alpha, g->F, g->step)) return 0;
    for (int i = 0; i < MEMORY; i++) bound = fmax(bound, merits[i]);
    merit = search_line(g, bound);
    merits[k % MEMORY] = merit;
    /* small against what is left, or as small as rounding lets it be */
    for (int i = 0; i < rows; i++) size += g->p[i] * g->p[i];
    const double left = 0.1 * g->alpha * g->system.rho, rounding = 8.0 * DBL_EPSILON;
    if (merit <= left * left * distance2(rows, g->p, g->centre) + rounding * rounding * size) return k + 1;
    if (!(merit <= 1e6 * first)) return 0;
  }
  return 0;
}

/* alpha's factor after a success */
static double decrease(const work_prox *g, int steps) {
  if (g->failures < HARD) return steps <= 4 ? 0.1 : 0.3;
  return steps <= 4 ? 0.3 : 0.6;
}

void prc_cone_prox_restart(void *work, double alpha) {
  work_prox *g = work;
  g->alpha = alpha;
  g->failures = 0;
}

prc_status prc_cone_prox_start(void *work, const prc_cone_problem *problem) {
  work_prox *g = work;
  prc_cone_prox_restart(work, PRC_CONE_ALPHA_FIRST);
  return prc_cone_system_set(&g->system, problem);
}

int prc_cone_prox_run(void *work, const prc_cone_problem *problem, const prc_cone_options *options, double *p,
                      prc_cone_info *info) {
  work_prox *g = work;
  const int dim = problem->dim, rows = dim * problem->n;
  const size_t bytes = (size_t)rows * sizeof *p;
  const double *scale = g->system.scale;
  choose_equation(g);
  for (int i = 0; i < rows; i++) g->p[i] = g->centre[i] = p[i] / scale[i / dim];
  double least = INFINITY;
  for (int idle = 0;
       idle < IDLE && info->iterations < options->max_iterations && !prc_cone_stopped(options);) {
    const int steps = solve_proximal(g, options, info);
    for (int i = 0; i < rows; i++) p[i] = g->p[i] * scale[i / dim];
    const int reached = prc_cone_reached(problem, options, "newton", p, g->w, info);
    if (reached) return 1;
    if (steps == 0) {
      for (int i = 0; i < rows; i++) p[i] = g->centre[i] * scale[i / dim];
      g->alpha = fmin((g->failures < HARD ? 3.0 : 10.0) * g->alpha, ALPHA_MOST);
      g->failures++;
      return 0;
    }
    idle++;
    if (info->error.scaled < 0.5 * least) least = info->error.scaled, idle = 0;
    memcpy(g->centre, g->p, bytes);
    g->alpha = fmax(g->alpha * decrease(g, steps), ALPHA_LEAST);
  }
  return 0;
}

static void newton_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                         double *p, prc_cone_info *info) {
  if (prc_cone_prox_start(work, problem) != PRC_OK) return;
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options))
    if (prc_cone_prox_run(work, problem, options, p, info)) return;
}

const prc_cone_method prc_cone_newton = {
    .create = newton_create,
    .solve = newton_solve,
    .free = newton_free,
};
