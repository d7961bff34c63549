#include "config.h"
#include "cone/solvers/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct prc_cone_solver {
  const prc_cone_method *method;
  prc_cone_sizes sizes; /* that it was created for */
  prc_cone_options options;
  void *work;
  double *w, *best; /* dim n_max */
};

prc_cone_options prc_cone_options_default(void) {
  return (prc_cone_options){.tolerance = 1e-10, .max_iterations = 10000, .relaxation = 1.0};
}

prc_status prc_cone_options_check(const prc_cone_options *options, prc_error *err) {
  prc_need(options, err);
  if (!(options->tolerance > 0.0 && options->tolerance < 1.0))
    return prc_fail(err, PRC_INPUT, "the contact tolerance is %g, expected a number in (0, 1), such as 1e-10",
                    options->tolerance);
  if (options->max_iterations < 1)
    return prc_fail(err, PRC_INPUT, "the contact solver may do %d iterations, expected at least 1",
                    options->max_iterations);
  if (!(options->relaxation > 0.0 && options->relaxation < 2.0))
    return prc_fail(err, PRC_INPUT,
                    "the relaxation of Gauss-Seidel is %g, expected a number in (0, 2), such as 1",
                    options->relaxation);
  if (!(options->gradient_step >= 0.0) || !isfinite(options->gradient_step))
    return prc_fail(err, PRC_INPUT, "the step of the projected gradient is %g, expected a number >= 0",
                    options->gradient_step);
  if ((unsigned)options->start > PRC_CONE_START_RANDOM || (unsigned)options->order > PRC_CONE_ORDER_RANDOM)
    return prc_fail(err, PRC_INPUT,
                    "the contact solver has start %d and order %d, expected 0 to %d and 0 to %d",
                    (int)options->start, (int)options->order, PRC_CONE_START_RANDOM, PRC_CONE_ORDER_RANDOM);
  return PRC_OK;
}

static void free_workspace(prc_cone_solver *s) {
  if (s->method) s->method->free(&s->work);
  prc_delete(&s->w);
  prc_delete(&s->best);
}

static prc_status create_workspace(prc_cone_solver *s, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(s->method->create(&s->sizes, &s->work, err));
  prc_try(prc_new(&s->w, s->sizes.dim * s->sizes.n_max, err));
  prc_try(prc_new(&s->best, s->sizes.dim * s->sizes.n_max, err));
done:
  return status; /* the caller frees what was made */
}

static prc_status create(const char *name, const prc_cone_sizes *sizes, const prc_cone_options *options,
                         prc_cone_solver **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_cone_solver *s = NULL;
  prc_try(prc_cone_options_check(options, err));
  prc_try(prc_new(&s, 1, err));
  s->options = *options, s->sizes = *sizes;
  prc_try(prc_cone_method_find(name, sizes, &s->method, err));
  prc_try(create_workspace(s, err));
  *out = s, s = NULL;
done:
  prc_cone_solver_free(&s);
  return status;
}

prc_status prc_cone_solver_create(const char *name, int dim, int n_max, const prc_cone_options *options,
                                  prc_cone_solver **out, prc_error *err) {
  prc_need(name, err);
  prc_need(options, err);
  prc_need(out, err);
  const prc_cone_problem largest = {.dim = dim, .n = n_max};
  return prc_cone_solver_create_for(name, &largest, options, out, err);
}

prc_status prc_cone_solver_create_for(const char *name, const prc_cone_problem *problem,
                                      const prc_cone_options *options, prc_cone_solver **out,
                                      prc_error *err) {
  prc_need(name, err);
  prc_need(problem, err);
  prc_need(options, err);
  prc_need(out, err);
  prc_status status = PRC_OK;
  prc_cone_sizes sizes;
  prc_try(prc_cone_sizes_find(problem, &sizes, err));
  prc_try(create(name, &sizes, options, out, err));
done:
  return status;
}

/* The new workspace is made before the old one is given up: without memory for it the solver is what it
 * was. */
prc_status prc_cone_solver_reserve(prc_cone_solver *s, const prc_cone_problem *largest, prc_error *err) {
  prc_status status = PRC_OK;
  prc_cone_solver larger = *s;
  prc_cone_sizes *sizes = &larger.sizes;
  if (largest->n == 0) return PRC_OK;
  prc_try(prc_cone_sizes_find(largest, sizes, err));
  if (sizes->dim != s->sizes.dim || sizes->W != s->sizes.W || sizes->owner != s->sizes.owner)
    return prc_fail(
        err, PRC_INPUT,
        "room is asked for problems of dimension %d, %s, expected the dimension and storage that the "
        "solver was created for",
        sizes->dim, sizes->W->name);
  if (sizes->n_max <= s->sizes.n_max && sizes->n_blocks <= s->sizes.n_blocks
      && sizes->n_runs <= s->sizes.n_runs)
    return PRC_OK;
  if (sizes->n_runs < s->sizes.n_runs) sizes->n_runs = s->sizes.n_runs;
  if (sizes->n_max < s->sizes.n_max) sizes->n_max = s->sizes.n_max;
  if (sizes->n_blocks < s->sizes.n_blocks) sizes->n_blocks = s->sizes.n_blocks;
  larger.work = NULL, larger.w = larger.best = NULL;
  status = create_workspace(&larger, err);
  free_workspace(status == PRC_OK ? s : &larger);
  if (status == PRC_OK) *s = larger;
done:
  return status;
}

void prc_cone_solver_free(prc_cone_solver **s) {
  if (!*s) return;
  free_workspace(*s);
  prc_delete(s);
}

void prc_cone_solver_set_step(prc_cone_solver *s, uint64_t step) {
  s->options.step = step;
}

void prc_cone_solver_set_tolerance(prc_cone_solver *s, double tolerance) {
  s->options.tolerance = tolerance;
}

int prc_cone_stopped(const prc_cone_options *options) {
  return options->stop && options->stop(options->stop_data);
}

/* Rounding of W p + b, against b: where it is not small, no verdict on p can be trusted. Column
 * j of W is no longer than the root of tr W W_jj, W being positive semidefinite: what W does not move,
 * such as friction along a prescribed motion, rounds nothing. As W_jj is at most tr W, what is `little`
 * without looking at them is so with them. */
double prc_cone_rounding(const prc_cone_problem *problem, const double *p, double little) {
  const int n = problem->dim * problem->n;
  const double b = prc_cone_norm(n, problem->b), most = prc_cone_norm(n, p), rho = prc_cone_rho(problem);
  if (!(most > 0.0 && b > 0.0)) return 0.0;
  const double unit = DBL_EPSILON * (most / b) / rho;
  double sum = 0.0;
  if (sqrt((double)n) * unit <= little) return sqrt((double)n) * unit;
  for (int i = 0; i < n; i++) {
    const double W = prc_cone_diagonal(problem, i);
    sum += rho * fabs(W) * (p[i] / most) * (p[i] / most);
  }
  return unit * sqrt(sum);
}

void prc_cone_count_iterations(prc_cone_info *info, const char *name) {
  int counted = 0, k = 0;
  for (int i = 0; i < info->n_stages; i++) counted += info->stages[i].iterations;
  if (info->iterations == counted) return;
  while (k < info->n_stages && strcmp(info->stages[k].method, name) != 0) k++;
  if (k == PRC_CONE_STAGES) k--;
  if (k == info->n_stages) info->stages[info->n_stages++] = (prc_cone_stage){.method = name};
  info->stages[k].iterations += info->iterations - counted;
}

double prc_cone_verdict(const prc_cone_options *options, const prc_cone_measure *error) {
  const double paper = error->paper, scaled = error->scaled;
  if (options->criterion == PRC_CONE_SCALED) return scaled;
  return options->criterion == PRC_CONE_PAPER || paper > scaled || isnan(paper) ? paper : scaled;
}

#define ROUNDINGS  4.0  /* times what rounding makes of the measure: no bound is below that */
#define FEW_DIGITS 1e-6 /* of rounding: of a p so large against b no verdict is to be trusted */

/* A bound below rounding is none: what masses of 1 and 1e6 kg leave of w = W p + b, with p as large as the heavy weight and b as small as the light one's velocity, is
 * 1e6 eps of b. Inside a run the measure is judged by rounding then. */
static int is_within_rounding(const prc_cone_problem *problem, const prc_cone_options *options,
                              const double *p, prc_cone_info *info) {
  const double rounding = prc_cone_rounding(problem, p, options->tolerance / ROUNDINGS);
  if (rounding > FEW_DIGITS) return 0;
  info->bound = fmax(options->tolerance, ROUNDINGS * rounding);
  return info->error.scaled <= info->bound;
}

int prc_cone_reached(const prc_cone_problem *problem, const prc_cone_options *options, const char *name,
                     const double *p, double *w, prc_cone_info *info) {
  info->error = prc_cone_error(problem, p, w);
  info->finished = name;
  prc_cone_count_iterations(info, name);
  info->bound = options->tolerance;
  if (options->criterion == PRC_CONE_SCALED) return is_within_rounding(problem, options, p, info);
  if (!(prc_cone_verdict(options, &info->error) <= options->tolerance)) return 0;
  return options->criterion == PRC_CONE_PAPER
         || prc_cone_rounding(problem, p, options->tolerance) <= options->tolerance;
}

/* Is there something to solve? Not where W or b has a NaN: every iteration would only run to its end. A
 * start that has one is forgotten, any other kept. */
static int is_posed(prc_cone_solver *s, const prc_cone_problem *problem, double *p, prc_cone_info *info) {
  const size_t bytes = (size_t)problem->dim * (size_t)problem->n * sizeof *p;
  if (!isnan(info->error.paper) && !isnan(info->error.scaled)) return 1;
  memcpy(s->best, p, bytes);
  memset(p, 0, bytes);
  prc_cone_reached(problem, &s->options, "warm start", p, s->w, info);
  const int posed = !isnan(info->error.paper) && !isnan(info->error.scaled);
  if (!posed) memcpy(p, s->best, bytes);
  return posed;
}

/* Does the workspace have room for it? */
static int fits(const prc_cone_sizes *sizes, const prc_cone_problem *problem) {
  if (problem->dim != sizes->dim || problem->n > sizes->n_max) return 0;
  if (problem->n == 0) return 1;
  const prc_cone_sizes needs = prc_cone_sizes_of(problem);
  return needs.W == sizes->W && needs.owner == sizes->owner && needs.n_blocks <= sizes->n_blocks
         && needs.n_runs <= sizes->n_runs;
}

/* b = 0 is solved by p = 0, exactly, and has no scale by which another p could be judged. */
static int is_at_rest(const prc_cone_problem *problem) {
  int i = 0;
  while (i < problem->dim * problem->n && problem->b[i] == 0.0) i++;
  return i == problem->dim * problem->n;
}

/* p: what the options say it begins with. Returns how that is called. */
static const char *begin(const prc_cone_solver *s, const prc_cone_problem *problem, double *p) {
  const int dim = problem->dim;
  const size_t bytes = (size_t)dim * (size_t)problem->n * sizeof *p;
  double largest = 0.0;
  if (s->options.start == PRC_CONE_START_WARM) return "warm start";
  for (int c = 0; c < problem->n; c++) largest = p[dim * c] > largest ? p[dim * c] : largest;
  memset(p, 0, bytes);
  if (s->options.start == PRC_CONE_START_ZERO) return "start";
  if (!(largest > 0.0)) largest = prc_cone_rho(problem) * prc_cone_largest(dim * problem->n, problem->b);
  prc_random random = prc_cone_random(&s->options, 0);
  if (largest < INFINITY) prc_cone_draw(problem, 2.0 * largest, &random, p);
  return "start";
}

/* Contacts do not pull, nor rub by more than mu p_N: where the row of W says so, as of bodies in space, whose tolerances are of the size of
 * percussions that count, what an iterate has outside its cone by its error is taken away, provided that it stays a solution. */
static void keep_in_cones(prc_cone_solver *s, const prc_cone_problem *problem, double *p,
                          prc_cone_info *info) {
  const int dim = problem->dim;
  const size_t bytes = (size_t)dim * (size_t)problem->n * sizeof *p;
  const prc_cone_info before = *info;
  int outside = 0;
  memcpy(s->best, p, bytes);
  for (int c = 0; c < problem->n; c++) {
    double *here = p + dim * c;
    const double mu = problem->friction && here[0] > 0.0 ? INFINITY : problem->mu[c],
                 most = mu * fmax(here[0], 0.0), rubs = prc_cone_tangential(dim, here);
    if (here[0] >= 0.0 && rubs <= most * (1.0 + 1e-12)) continue;
    outside = 1;
    for (int r = 1; r < dim; r++) here[r] *= rubs > most ? most / rubs : 1.0;
    here[0] = fmax(here[0], 0.0);
  }
  if (!outside || prc_cone_reached(problem, &s->options, info->finished, p, s->w, info)) return;
  memcpy(p, s->best, bytes);
  *info = before;
}

/* The problem with its row and its rho, which the measure and the methods ask for many times. */
static prc_cone_problem keep_constants(const prc_cone_problem *given) {
  prc_cone_problem problem = *given;
  problem.storage = prc_cone_operator_of(given);
  problem.rho = prc_cone_rho(given);
  return problem;
}

prc_cone_info prc_cone_solve(prc_cone_solver *s, const prc_cone_problem *given, double *p) {
  prc_cone_info info = {.finished = "none", .error = {INFINITY, INFINITY}};
  const size_t bytes = (size_t)given->dim * (size_t)given->n * sizeof *p;
  if (!fits(&s->sizes, given)) return info;
  if (given->friction && !prc_cone_method_can_speed(s->method)) return info;
  const prc_cone_problem kept = keep_constants(given), *problem = &kept;
  const char *start = begin(s, problem, p);
  if (is_at_rest(problem)) memset(p, 0, bytes);
  info.converged = prc_cone_reached(problem, &s->options, start, p, s->w, &info);
  if (info.converged || !is_posed(s, problem, p, &info)) return info;
  const double before = prc_cone_verdict(&s->options, &info.error);
  memcpy(s->best, p, bytes);
  s->method->solve(s->work, problem, &s->options, p, &info);
  info.converged = prc_cone_reached(problem, &s->options, info.finished, p, s->w, &info);
  if (!info.converged
      && !(prc_cone_verdict(&s->options, &info.error)
           <= before)) { /* the start was better, or the iteration met NaN */
    memcpy(p, s->best, bytes);
    prc_cone_reached(problem, &s->options, start, p, s->w, &info);
  }
  if (info.converged && problem->storage->ends_in_cones) keep_in_cones(s, problem, p, &info);
  if (!info.converged) info.rounding = prc_cone_rounding(problem, p, 0.0);
  return info;
}
