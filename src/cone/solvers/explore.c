#include "config.h"
#include "cone/solvers/method.h"

#include <string.h>

static double largest_difference(int n, const double *x, const double *y) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i] - y[i]));
  return largest;
}

/* The range of the draws: twice the largest normal percussion of the solution from rest or, if that has
 * none, the percussion that the largest free velocity is worth. */
static double draw_range(const prc_cone_problem *problem, const double *p) {
  double largest = 0.0, diagonal = 0.0;
  for (int c = 0; c < problem->n; c++) largest = fmax(largest, p[c * problem->dim]);
  if (largest > 0.0) return 2.0 * largest;
  const int n = problem->dim * problem->n;
  for (int i = 0; i < n; i++) diagonal = fmax(diagonal, prc_cone_diagonal(problem, i));
  return diagonal > 0.0 ? prc_cone_largest(n, problem->b) / diagonal : 1.0;
}

static void extend_box(int n, const double *p, int first, double *low, double *high) {
  for (int i = 0; i < n; i++) {
    low[i] = first || p[i] < low[i] ? p[i] : low[i];
    high[i] = first || p[i] > high[i] ? p[i] : high[i];
  }
}

/* Keeps the first of every family of solutions that are no further apart than `distinct` of the largest
 * component. */
static void merge(int n, prc_cone_exploration *e) {
  const double limit = e->distinct * fmax(prc_cone_largest(n, e->low), prc_cone_largest(n, e->high));
  for (int k = 0; k < e->n_solved; k++) {
    const double *p = e->p + (size_t)k * (size_t)n;
    int same = 0;
    for (int j = 0; j < e->n_distinct && !same; j++)
      same = largest_difference(n, p, e->p + (size_t)j * (size_t)n) <= limit;
    if (!same) memmove(e->p + (size_t)e->n_distinct++ * (size_t)n, p, (size_t)n * sizeof *p);
  }
}

typedef struct {
  const prc_cone_problem *problem;
  const char *name;
  prc_cone_options options;
  prc_random random;
  double largest; /* of the draws; known once the solution from rest is */
  double *p;
  size_t capacity;
} explorer;

/* A solver is made for each draw: the order of contacts belongs to its options. */
static prc_status solve_draw(explorer *x, prc_cone_exploration *e, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = x->problem->dim * x->problem->n;
  prc_cone_solver *solver = NULL;
  if (e->n_draws > 0) {
    prc_cone_draw(x->problem, x->largest, &x->random, x->p);
    x->options.order = PRC_CONE_ORDER_RANDOM;
    x->options.seed = prc_random_bits(&x->random);
  }
  prc_try(prc_cone_solver_create_for(x->name, x->problem, &x->options, &solver, err));
  const prc_cone_info info = prc_cone_solve(solver, x->problem, x->p);
  if (e->n_draws == 0) x->largest = draw_range(x->problem, x->p);
  e->n_draws++;
  if (!info.converged) goto done;
  prc_try(prc_grow(&e->p, &x->capacity, ((size_t)e->n_solved + 1) * (size_t)n, sizeof *e->p, err));
  if (n > 0) memcpy(e->p + (size_t)e->n_solved * (size_t)n, x->p, (size_t)n * sizeof *x->p);
  extend_box(n, x->p, e->n_solved == 0, e->low, e->high);
  e->n_solved++;
done:
  prc_cone_solver_free(&solver);
  return status;
}

prc_status prc_cone_explore(const prc_cone_problem *problem, const char *solver,
                            const prc_cone_options *options, int n_draws, uint64_t seed,
                            prc_cone_exploration **out, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  prc_cone_exploration *e = NULL;
  explorer x = {.problem = problem, .name = solver, .options = *options, .random = {seed}};
  x.options.start = PRC_CONE_START_WARM; /* draws are made here */
  if (n_draws < 1) prc_try(prc_fail(err, PRC_INPUT, "%d solves are asked for, expected at least 1", n_draws));
  prc_try(prc_new(&e, 1, err));
  prc_try(prc_new(&e->low, n, err));
  prc_try(prc_new(&e->high, n, err));
  prc_try(prc_new(&x.p, n, err));
  e->distinct = 1e-6;
  for (int k = 0; k < n_draws; k++) {
    prc_try(solve_draw(&x, e, err));
    if (options->stop && options->stop(options->stop_data)) break;
  }
  merge((int)n, e);
  *out = e, e = NULL;
done:
  prc_delete(&x.p);
  prc_cone_exploration_free(&e);
  return status;
}

void prc_cone_exploration_free(prc_cone_exploration **exploration) {
  if (!*exploration) return;
  prc_delete(&(*exploration)->p);
  prc_delete(&(*exploration)->low);
  prc_delete(&(*exploration)->high);
  prc_delete(exploration);
}
