#include "config.h"
#include "cone/solvers/splitting.h"

#include <math.h>
#include <string.h>

/* Nesterov's accelerated projected gradient with backtracking and adaptive restart (Beck and Teboulle
 * 2009, O'Donoghue and Candes 2015; for contact Mazhar, Heyn, Negrut and Tasora 2015), for the convex
 * problem
 *
 *   minimise f(p) = p' W p / 2 + (b + s) . p over K,   s_N = mu |u_T|, s_T = 0,
 *
 * inside the fixed point on s of Acary, Cadoux, Lemarechal and Malick (2011): s follows the velocity u = W
 * p + b, at every step as long as that goes well, else only when the convex problem has been solved to a
 * part of the change of s. One product with W a step: W y is extrapolated as y is, since y = p + beta (p -
 * p_before). */

#define SHRINK      0.9 /* of the step after each success: L is estimated again */
#define BACK        0.5
#define STEP_LEAST  1e-14
#define INNER_SHARE 0.1  /* of the first step of a convex problem: it is solved when steps are below it */
#define LOOK        1000 /* products without halving of the error, after which s is held */

typedef struct {
  double *m;                                         /* n_max: weights */
  double *u, *p_before, *u_before, *y, *u_y, *g, *w; /* dim n_max; u = W p + b, u_y = W y + b, g = u_y + s */
  double *s;                                         /* n_max */
} work_gradient;

static void gradient_free(void **work) {
  work_gradient *g = *work;
  if (!g) return;
  double **vectors[] = {&g->m, &g->u, &g->p_before, &g->u_before, &g->y, &g->u_y, &g->g, &g->w, &g->s};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(work);
}

static prc_status gradient_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_gradient *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  double **vectors[] = {&g->m, &g->u, &g->p_before, &g->u_before, &g->y, &g->u_y, &g->g, &g->w, &g->s};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    prc_try(prc_new(vectors[i], (size_t)sizes->dim * (size_t)sizes->n_max, err));
done:
  if (status != PRC_OK) gradient_free(work);
  return status;
}

/* s of u */
static void shift(const prc_cone_problem *problem, const double *u, double *s) {
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++, u += dim) s[c] = problem->mu[c] * prc_cone_tangential(dim, u);
}

/* p and u := W p + b after a step from y whose length passes f(p) <= f(y) + g.d + |d|^2 / (2 t), that is
 * d' W d <= |d|^2 / t, d = p - y. Returns |d|^2. */
static double step(work_gradient *g, const prc_cone_problem *problem, const prc_cone_options *options,
                   double *t, double *p, prc_cone_info *info) {
  const int dim = problem->dim;
  for (int i = 0; i < dim * problem->n; i++) g->g[i] = g->u_y[i] + (i % dim == 0 ? g->s[i / dim] : 0.0);
  for (;;) {
    prc_cone_project_step(problem, g->m, *t, g->y, g->g, p);
    prc_cone_velocity_fast(problem, p, g->u);
    info->iterations++;
    const double d2 = prc_cone_weighted_dot(problem, g->m, -1, p, g->y, p, g->y),
                 curve = prc_cone_weighted_dot(problem, g->m, 0, p, g->y, g->u, g->u_y);
    if (!(curve * *t > d2 * (1.0 + 1e-10)) || info->iterations >= options->max_iterations || *t < STEP_LEAST)
      return d2;
    *t *= fmax(0.1, fmin(BACK, d2 / (curve * *t)));
  }
}

/* The plain iteration, p := proj_K(p - rho Phi(u)), Phi(u) = (u_N + mu |u_T|, u_T), until it is solved, is no number, or the budget ends. */
static void solve_plainly(work_gradient *g, const prc_cone_problem *problem, const prc_cone_options *options,
                          double *p, prc_cone_info *info) {
  const int dim = problem->dim;
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    prc_cone_velocity_fast(problem, p, g->u);
    info->iterations++;
    shift(problem, g->u, g->s);
    for (int c = 0; c < problem->n; c++) {
      double *own = p + dim * c;
      for (int r = 0; r < dim; r++)
        own[r] -= options->gradient_step * (g->u[dim * c + r] + (r == 0 ? g->s[c] : 0.0));
      prc_cone_project(dim, problem->mu[c], own);
    }
    if (prc_cone_reached(problem, options, "projected-gradient", p, g->w, info)
        || !isfinite(prc_cone_verdict(options, &info->error)))
      return;
  }
}

static void gradient_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                           double *p, prc_cone_info *info) {
  work_gradient *g = work;
  const int rows = problem->dim * problem->n;
  const size_t bytes = (size_t)rows * sizeof *p;
  double t = 1.0, theta = 1.0, first = -1.0, least = INFINITY;
  int hold = 0, looked = 0;
  prc_cone_weights(problem, g->m);
  prc_cone_project_step(problem, g->m, 0.0, p, p, p);
  prc_cone_velocity_fast(problem, p, g->u);
  memcpy(g->y, p, bytes), memcpy(g->u_y, g->u, bytes);
  shift(problem, g->u, g->s);
  info->finished = "projected-gradient";
  if (options->gradient_step > 0.0) {
    solve_plainly(g, problem, options, p, info);
    return;
  }
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    memcpy(g->p_before, p, bytes), memcpy(g->u_before, g->u, bytes);
    const double moved = sqrt(step(g, problem, options, &t, p, info)) / t;
    if (prc_cone_is_nearly_solved(problem, options, g->m, t, g->y, p)
        && prc_cone_reached(problem, options, "projected-gradient", p, g->w, info))
      return;
    if (info->iterations - looked >= LOOK) {
      prc_cone_reached(problem, options, "projected-gradient", p, g->w, info);
      const double error = prc_cone_verdict(options, &info->error);
      if (!(error < 0.5 * least)) hold = !hold;
      least = fmin(least, error), looked = info->iterations;
    }
    if (first < 0.0) first = moved;
    int anew = prc_cone_weighted_dot(problem, g->m, -1, g->y, p, p, g->p_before) > 0.0;
    if (!hold || moved <= INNER_SHARE * first) {
      shift(problem, g->u, g->s);
      if (hold) anew = 1, first = -1.0;
    }
    const double next = anew ? 1.0 : 0.5 * theta * (sqrt(theta * theta + 4.0) - theta);
    const double beta = anew ? 0.0 : theta * (1.0 - theta) / (theta * theta + next);
    for (int i = 0; i < rows; i++) {
      g->y[i] = p[i] + beta * (p[i] - g->p_before[i]);
      g->u_y[i] = g->u[i] + beta * (g->u[i] - g->u_before[i]);
    }
    theta = next;
    t /= SHRINK;
  }
}

const prc_cone_method prc_cone_projected_gradient = {
    .create = gradient_create,
    .solve = gradient_solve,
    .free = gradient_free,
};
