#include "config.h"
#include "cone/solvers/splitting.h"

#include <math.h>

void prc_cone_weights(const prc_cone_problem *problem, double *m) {
  const double mean = prc_cone_rho(problem);
  for (int c = 0; c < problem->n; c++) {
    const double trace = prc_cone_trace(problem, c);
    m[c] = trace * mean > 1e-6 * problem->dim ? problem->dim / trace : mean;
  }
}

void prc_cone_phi(const prc_cone_problem *problem, const double *w, double *z) {
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++, w += dim, z += dim) {
    z[0] = w[0] + problem->mu[c] * prc_cone_tangential(dim, w);
    for (int r = 1; r < dim; r++) z[r] = w[r];
  }
}

void prc_cone_project_step(const prc_cone_problem *problem, const double *m, double rho, const double *p,
                           const double *z, double *next) {
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++, p += dim, z += dim, next += dim) {
    for (int r = 0; r < dim; r++) next[r] = p[r] - rho * m[c] * z[r];
    prc_cone_project(dim, problem->mu[c], next);
  }
}

double prc_cone_weighted_dot(const prc_cone_problem *problem, const double *m, int power, const double *x,
                             const double *y, const double *u, const double *v) {
  const int dim = problem->dim;
  double sum = 0.0;
  for (int c = 0, i = 0; c < problem->n; c++) {
    double here = 0.0;
    for (int r = 0; r < dim; r++, i++) here += (x[i] - (y ? y[i] : 0.0)) * (u[i] - (v ? v[i] : 0.0));
    sum += power == 0 ? here : power > 0 ? here * m[c] : here / m[c];
  }
  return sum;
}

int prc_cone_is_nearly_solved(const prc_cone_problem *problem, const prc_cone_options *options,
                              const double *m, double rho, const double *p, const double *next) {
  const double r = prc_cone_rho(problem);
  const double b = prc_cone_norm(problem->dim * problem->n, problem->b);
  double paper = 0.0, scaled = 0.0;
  /* the natural map's norm grows with its step and falls, divided by it: between the two is what a step of
   * another length would show, to the ratio of the lengths */
  for (int c = 0, i = 0; c < problem->n; c++) {
    double d2 = 0.0;
    const double step = rho * m[c], mu = problem->mu[c];
    for (int k = 0; k < problem->dim; k++, i++) d2 += (p[i] - next[i]) * (p[i] - next[i]);
    if (mu > 1.0)
      d2 /= mu * mu; /* the step sees mu times an error of w_T: the measure must be asked sooner */
    paper += step > 1.0 ? d2 / (step * step) : d2;
    scaled += step > r ? d2 / (step * step) : d2 / (r * r);
  }
  const prc_cone_measure error = {sqrt(paper) / (1.0 + b), sqrt(scaled) / b};
  return prc_cone_verdict(options, &error) <= options->tolerance;
}
