/* The methods of the table of contact solvers, and what each says it can do. */
#ifndef PRC_TESTS_METHODS_H
#define PRC_TESTS_METHODS_H

#include "cone/operator.h"
#include "support/support.h"

/* NULL behind the last. */
static inline const prc_cone_ability *ability(int k) {
  int count;
  const prc_cone_ability *all = prc_cone_abilities(&count);
  return k < count ? all + k : NULL;
}

static inline int can(int k, int dim, const prc_cone_operator *W) {
  return (ability(k)->dims >> dim & 1u) && prc_cone_can(ability(k), W);
}

static inline prc_cone_info solve(const char *name, const prc_cone_problem *problem, double *p) {
  prc_cone_options options = prc_cone_options_default();
  prc_cone_solver *solver = NULL;
  prc_error err = {0};
  options.max_iterations = 100000;
  support_ok(prc_cone_problem_check(problem, &err), &err);
  support_ok(prc_cone_solver_create_for(name, problem, &options, &solver, &err), &err);
  const prc_cone_info info = prc_cone_solve(solver, problem, p);
  prc_cone_solver_free(&solver);
  return info;
}

#endif
