#include "config.h"
#include "cone/internal.h"

/* A few sweeps of Gauss-Seidel settle the statuses of most contacts and often the problem; where they converge slowly,
 * the active-set Newton method ends it at rounding. If its statuses cycle, sweeps go on from the better of the iterates,
 * twice as many each time. Budgets are counts, so that a run does not depend on the clock. */
#define FIRST_SWEEPS 12
#define NEWTON_STEPS 12

typedef struct {
  void *gauss_seidel, *active_set;
} work_auto;

static void auto_free(void **work) {
  work_auto *g = *work;
  if (!g) return;
  prc_cone_gauss_seidel.free(&g->gauss_seidel);
  prc_cone_active_set.free(&g->active_set);
  prc_delete(work);
}

static prc_status auto_create(int dim, int n_max, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_auto *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_cone_gauss_seidel.create(dim, n_max, &g->gauss_seidel, err));
  prc_try(prc_cone_active_set.create(dim, n_max, &g->active_set, err));
done:
  if (status != PRC_OK) auto_free(work);
  return status;
}

static void auto_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                       double *p, prc_cone_info *info) {
  work_auto *g = work;
  for (int sweeps = FIRST_SWEEPS; info->iterations < options->max_iterations; sweeps *= 2) {
    const int left = options->max_iterations - info->iterations;
    if (prc_cone_sweeps(g->gauss_seidel, problem, options, sweeps < left ? sweeps : left, p, info)) return;
    const int rest = options->max_iterations - info->iterations;
    if (prc_cone_newton(g->active_set, problem, options, NEWTON_STEPS < rest ? NEWTON_STEPS : rest, p, info))
      return;
  }
}

const prc_cone_method prc_cone_auto = {
    .name = "auto",
    .in_2d = 1,
    .create = auto_create,
    .solve = auto_solve,
    .free = auto_free,
};
