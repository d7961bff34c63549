#include "config.h"
#include "cone/solvers/islands.h"
#include "cone/solvers/method.h"

#include <string.h>

/* Nonsmooth Gauss-Seidel: contact after contact, the local problem is solved exactly, by the sweeps of the row of W. An island of contacts
 * that has settled is not swept again until all have. */

typedef struct {
  double *w;   /* dim n_max: the sweeper's, and W p + b of the measure */
  int *order;  /* n_max: contacts in the order of the sweep */
  int n_awake; /* of them, which the sweep takes */
  prc_cone_islands islands;
  double *small2, *change; /* of each island: |change of p|^2 at which it rests; that of the sweep */
  const prc_cone_sweeper *sweeper;
  void *sweeps;
} work_sweeps;

static void gauss_seidel_free(void **work) {
  work_sweeps *g = *work;
  if (!g) return;
  prc_delete(&g->w);
  prc_delete(&g->order);
  prc_cone_islands_free(&g->islands);
  prc_delete(&g->small2);
  prc_delete(&g->change);
  if (g->sweeper) g->sweeper->free(&g->sweeps);
  prc_delete(work);
}

static prc_status gauss_seidel_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_sweeps *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  g->sweeper = prc_cone_sweeper_of(sizes->W);
  prc_try(prc_new(&g->w, (size_t)sizes->dim * (size_t)sizes->n_max, err));
  prc_try(prc_new(&g->order, sizes->n_max, err));
  prc_try(prc_cone_islands_create(sizes, &g->islands, err));
  prc_try(prc_new(&g->small2, sizes->n_max, err));
  prc_try(prc_new(&g->change, sizes->n_max, err));
  prc_try(g->sweeper->create(sizes, &g->sweeps, err));
done:
  if (status != PRC_OK) gauss_seidel_free(work);
  return status;
}

static void shuffle(int n, int *order, prc_random random) {
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)(prc_random_bits(&random) % (uint64_t)(i + 1)), swap = order[i];
    order[i] = order[j], order[j] = swap;
  }
}

static void draw_order(work_sweeps *g, int n, const prc_cone_options *options, const prc_cone_info *info) {
  if (options->order == PRC_CONE_ORDER_RANDOM)
    shuffle(n, g->order, prc_cone_random(options, 1 + (uint64_t)info->iterations));
}

static void wake(work_sweeps *g, int n) {
  for (int c = 0; c < n; c++) g->order[c] = c;
  g->n_awake = n;
}

/* small2: what p of an island may change by in a sweep that is its last, by its own b. The measure costs as much as a sweep: it is taken
 * when p hardly moves. */
static void begin_islands(work_sweeps *g, const prc_cone_problem *problem, const prc_cone_options *options) {
  const int dim = problem->dim;
  const double small = options->tolerance * prc_cone_rho(problem);
  prc_cone_islands_find(&g->islands, problem);
  memset(g->small2, 0, (size_t)g->islands.count * sizeof *g->small2);
  for (int i = 0; i < dim * problem->n; i++)
    g->small2[g->islands.of[i / dim]] += problem->b[i] * problem->b[i];
  for (int k = 0; k < g->islands.count; k++) g->small2[k] *= small * small;
}

/* Islands that hardly moved are left. */
static void leave_settled(work_sweeps *g, double share) {
  int kept = 0;
  for (int k = 0; k < g->n_awake; k++) {
    const int island = g->islands.of[g->order[k]];
    if (g->change[island] > share * g->small2[island]) g->order[kept++] = g->order[k];
  }
  g->n_awake = kept;
}

#define SHARE                                                                                                \
  0.1 /* where islands that had settled are no solution together: of |change|^2, for the next time */

int prc_cone_sweeps(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                    int n_sweeps, double *p, prc_cone_info *info) {
  work_sweeps *g = work;
  double share = 1.0;
  info->finished = "gauss-seidel";
  wake(g, problem->n);
  begin_islands(g, problem, options);
  g->sweeper->begin(g->sweeps, problem, p, g->w);
  for (int k = 0; k < n_sweeps && !prc_cone_stopped(options); k++) {
    draw_order(g, g->n_awake, options, info);
    memset(g->change, 0, (size_t)g->islands.count * sizeof *g->change);
    const prc_cone_sweep sweep = {g->n_awake, g->order, g->islands.of, options->relaxation};
    g->sweeper->sweep(g->sweeps, problem, &sweep, p, g->w, g->change);
    info->iterations++;
    leave_settled(g, share);
    if (g->n_awake > 0) continue;
    if (prc_cone_reached(problem, options, "gauss-seidel", p, g->w, info)) return 1;
    if (g->islands.count > 1) share *= SHARE;
    if (g->islands.couples)
      wake(g, problem->n);
    else
      g->n_awake = problem->n; /* an order that is drawn goes on from the last */
  }
  return 0;
}

static void gauss_seidel_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                               double *p, prc_cone_info *info) {
  prc_cone_sweeps(work, problem, options, options->max_iterations, p, info);
}

const prc_cone_method prc_cone_gauss_seidel = {
    .create = gauss_seidel_create,
    .solve = gauss_seidel_solve,
    .free = gauss_seidel_free,
};
