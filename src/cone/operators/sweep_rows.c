#include "config.h"
#include "cone/operators/internal.h"
#include "cone/problem/local.h"

#include <string.h>

/* Sweeps of a storage that gives its rows and has no sweep of its own. Nothing is carried along. */

enum { SIZE = PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST };

static prc_status create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  (void)sizes, (void)work, (void)err;
  return PRC_OK;
}

static void free_nothing(void **work) {
  (void)work;
}

static void begin(void *work, const prc_cone_problem *problem, const double *p, double *w) {
  (void)work, (void)problem, (void)p, (void)w;
}

/* q := b_c + sum_j W_cj p_j, j not c, and W_cc */
typedef struct {
  int dim, c;
  const double *p;
  double q[PRC_CONE_DIM_MOST], W[SIZE];
} summing;

static void add(void *taker, int column, const double *block) {
  summing *s = taker;
  const int dim = s->dim;
  if (column == s->c)
    memcpy(s->W, block, (size_t)(dim * dim) * sizeof *block);
  else
    for (int r = 0; r < dim; r++) s->q[r] += prc_cone_dot(dim, block + dim * r, s->p + dim * column);
}

/* For each contact: p_c := the solution of w_c = W_cc p_c + q. */
static void sweep(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                  double *w, double *change) {
  const prc_cone_operator *W = prc_cone_operator_of(problem);
  const int dim = problem->dim;
  (void)work, (void)w;
  for (int k = 0; k < sweep->n; k++) {
    summing s = {.dim = dim, .c = sweep->list[k], .p = p};
    double next[PRC_CONE_DIM_MOST] = {0.0}, *here = p + dim * s.c, d2 = 0.0;
    for (int r = 0; r < dim; r++) s.q[r] = problem->b[dim * s.c + r], next[r] = here[r];
    W->row(problem, s.c, add, &s);
    const double mu = prc_cone_local_of(dim, problem, s.c, s.W, s.q, next);
    prc_cone_relax(dim, mu, sweep->relaxation, here, next);
    for (int r = 0; r < dim; r++) d2 += (next[r] - here[r]) * (next[r] - here[r]), here[r] = next[r];
    change[sweep->island[s.c]] += d2;
  }
}

const prc_cone_sweeper prc_cone_sweeps_by_rows = {
    .create = create, .free = free_nothing, .begin = begin, .sweep = sweep};
