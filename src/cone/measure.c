#include "config.h"
#include "cone/internal.h"

#include <math.h>

static double norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Euclidean projection. With the polar cone { x_N + mu |x_T| <= 0 } there are three cases: inside, in the polar cone (0),
 * else on the edge: x_N = s, |x_T| = mu s with s = (x_N + mu |x_T|) / (1 + mu^2). */
void prc_cone_project(int dim, double mu, double *x) {
  const double tangential = norm(dim - 1, x + 1);
  if (tangential <= mu * x[0]) return;
  const double s = (x[0] + mu * tangential) / (1.0 + mu * mu),
               shrink = tangential > 0.0 ? mu / tangential : 0.0;
  const double edge = s > 0.0 ? s : 0.0;
  x[0] = edge;
  for (int k = 1; k < dim; k++) x[k] *= shrink * edge;
}

double prc_cone_natural_map(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  const int dim = problem->dim;
  double sum = 0.0;
  for (int c = 0; c < problem->n; c++, p += dim, w += dim) {
    double z[3];
    z[0] = p[0] - rho * (w[0] + problem->mu[c] * norm(dim - 1, w + 1));
    for (int k = 1; k < dim; k++) z[k] = p[k] - rho * w[k];
    prc_cone_project(dim, problem->mu[c], z);
    for (int k = 0; k < dim; k++) sum += (p[k] - z[k]) * (p[k] - z[k]);
  }
  return sqrt(sum);
}

double prc_cone_rho(const prc_cone_problem *problem) {
  const int n = problem->dim * problem->n;
  double trace = 0.0;
  for (int i = 0; i < n; i++) trace += problem->W[(size_t)i * (size_t)n + (size_t)i];
  return trace > 0.0 ? n / trace : 1.0;
}

prc_cone_measure prc_cone_error(const prc_cone_problem *problem, const double *p, double *w) {
  const int n = problem->dim * problem->n;
  for (int i = 0; i < n; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double sum = problem->b[i];
    for (int j = 0; j < n; j++) sum += row[j] * p[j];
    w[i] = sum;
  }
  const double b = norm(n, problem->b), rho = prc_cone_rho(problem);
  prc_cone_measure error;
  error.paper = prc_cone_natural_map(problem, 1.0, p, w) / (1.0 + b);
  error.scaled = prc_cone_natural_map(problem, rho, p, w);
  if (b > 0.0) error.scaled /= rho * b;
  return error;
}

prc_cone_status prc_cone_status_of(int dim, double mu, const double *p) {
  if (!(p[0] > 0.0)) return PRC_CONE_OPEN;
  return norm(dim - 1, p + 1) < mu * p[0] * (1.0 - 1e-9) ? PRC_CONE_STICK : PRC_CONE_SLIP;
}
