#include "config.h"
#include "cone/solvers/splitting.h"

#include <math.h>
#include <string.h>

/* A projection method for the variational inequality p = proj_K(p - rho F(p)), F(p) = Phi(W p + b).
 *
 *   prediction:  q = proj_K(p - rho F(p)),   where   rho |F(p) - F(q)| <= L |p - q|   (Khobotov 1987, Marcotte 1991);
 *   correction:  p := proj_K(p - gamma a rho F(q)),  a = (p - q) . d / |d|^2,  d = (p - q) - rho (F(p) - F(q))
 *
 * (He and Liao 2002). A prediction that fails the test shortens rho; one that passes it easily lengthens
 * the next. F is not monotone: what holds for monotone F is the hope, and the measure the judge. */

#define RATIO_MOST 0.9 /* L */
#define RATIO_EASY 0.4 /* below it, rho grows */
#define SHRINK     (2.0 / 3.0)
#define GROW       1.5
#define RELAXATION 1.5 /* gamma, in (0, 2) */
#define STEP_LEAST 1e-14

typedef struct {
  double *m;               /* n_max: weights */
  double *w, *F, *q, *F_q; /* dim n_max; w: what the measure leaves */
} work_extragradient;

static void extragradient_free(void **work) {
  work_extragradient *g = *work;
  if (!g) return;
  double **vectors[] = {&g->m, &g->w, &g->F, &g->q, &g->F_q};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(work);
}

static prc_status extragradient_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_extragradient *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  double **vectors[] = {&g->m, &g->w, &g->F, &g->q, &g->F_q};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    prc_try(prc_new(vectors[i], (size_t)sizes->dim * (size_t)sizes->n_max, err));
done:
  if (status != PRC_OK) extragradient_free(work);
  return status;
}

static void evaluate(const prc_cone_problem *problem, const double *p, double *F) {
  prc_cone_velocity_fast(problem, p, F);
  prc_cone_phi(problem, F, F);
}

/* q and F(q) with a step *rho that passes the test; returns the ratio, -1 when q = p. Each try is a
 * product. */
static double predict(work_extragradient *g, const prc_cone_problem *problem, const prc_cone_options *options,
                      const double *p, double *rho, prc_cone_info *info) {
  for (;;) {
    prc_cone_project_step(problem, g->m, *rho, p, g->F, g->q);
    const double moved = prc_cone_weighted_dot(problem, g->m, -1, p, g->q, p, g->q);
    if (!(moved > 0.0)) return -1.0;
    evaluate(problem, g->q, g->F_q);
    info->iterations++;
    const double ratio =
        *rho * sqrt(prc_cone_weighted_dot(problem, g->m, 1, g->F, g->F_q, g->F, g->F_q) / moved);
    if (ratio <= RATIO_MOST || info->iterations >= options->max_iterations || *rho < STEP_LEAST) return ratio;
    *rho *= SHRINK * fmin(1.0, 1.0 / ratio);
  }
}

/* a, from the sums it consists of */
static double correction(const work_extragradient *g, const prc_cone_problem *problem, const double *p,
                         double rho) {
  const double pp = prc_cone_weighted_dot(problem, g->m, -1, p, g->q, p, g->q),
               pF = rho * prc_cone_weighted_dot(problem, g->m, 0, p, g->q, g->F, g->F_q),
               FF = rho * rho * prc_cone_weighted_dot(problem, g->m, 1, g->F, g->F_q, g->F, g->F_q);
  const double dd = pp - 2.0 * pF + FF;
  return dd > 0.0 ? (pp - pF) / dd : 1.0;
}

static void extragradient_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                                double *p, prc_cone_info *info) {
  work_extragradient *g = work;
  double rho = 1.0;
  prc_cone_weights(problem, g->m);
  evaluate(problem, p, g->F);
  info->finished = "extragradient";
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    const double ratio = predict(g, problem, options, p, &rho, info);
    if ((ratio < 0.0 || prc_cone_is_nearly_solved(problem, options, g->m, rho, p, g->q))
        && prc_cone_reached(problem, options, "extragradient", p, g->w, info))
      return;
    if (ratio < 0.0) return; /* p does not move: rounding rules */
    const double a = correction(g, problem, p, rho);
    prc_cone_project_step(problem, g->m, RELAXATION * a * rho, p, g->F_q, p);
    evaluate(problem, p, g->F);
    info->iterations++;
    if (ratio < RATIO_EASY) rho *= GROW;
  }
}

const prc_cone_method prc_cone_extragradient = {
    .create = extragradient_create,
    .solve = extragradient_solve,
    .free = extragradient_free,
};
