#include "config.h"
#include "cone/solvers/runs.h"
#include "cone/problem/local.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline)) /* dim is a constant where these are used */
enum { RUN = PRC_CONE_RUN };

prc_status prc_cone_runs_create(const prc_cone_sizes *sizes, prc_cone_runs *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)sizes->dim * (size_t)sizes->dim * (size_t)sizes->n_max;
  prc_try(prc_new(&g->v, ((size_t)sizes->n_runs + 1) * RUN, err));
  prc_try(prc_new(&g->diagonal, size, err));
  prc_try(prc_new(&g->inverse, size, err));
done:
  return status; /* the caller frees what was made */
}

void prc_cone_runs_free(prc_cone_runs *g) {
  prc_delete(&g->v);
  prc_delete(&g->diagonal);
  prc_delete(&g->inverse);
}

#define THIN 1e-3 /* of a pivot against its diagonal: below, the local problem is not solved by the inverse */

/* inverse := W^-1 by L D L', W = L D L' symmetric; 0: it is thin. */
INLINE int invert(const int dim, const double *W, double *inverse) {
  double L[PRC_CONE_DIM_MOST][PRC_CONE_DIM_MOST] = {{0.0}}, d[PRC_CONE_DIM_MOST];
  for (int j = 0; j < dim; j++) {
    d[j] = W[dim * j + j];
    for (int k = 0; k < j; k++) d[j] -= L[j][k] * L[j][k] * d[k];
    if (!(d[j] > THIN * W[dim * j + j])) return 0;
    for (int i = j + 1; i < dim; i++) {
      double sum = W[dim * i + j];
      for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k] * d[k];
      L[i][j] = sum / d[j];
    }
  }
  for (int c = 0; c < dim; c++) {
    double x[PRC_CONE_DIM_MOST];
    for (int i = 0; i < dim; i++) {
      x[i] = i == c;
      for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
    }
    for (int i = dim - 1; i >= 0; i--) {
      x[i] /= d[i];
      for (int k = i + 1; k < dim; k++) x[i] -= L[k][i] * x[k];
    }
    for (int i = 0; i < dim; i++) inverse[dim * i + c] = x[i];
  }
  return 1;
}

INLINE void begin(const int dim, prc_cone_runs *g, const prc_cone_problem *problem) {
  const int size = dim * dim;
  for (int c = 0; c < problem->n; c++) {
    const double *G = problem->factors->G + (size_t)(c * dim) * 2 * RUN;
    double *W = g->diagonal + (size_t)c * (size_t)size, *inverse = g->inverse + (size_t)c * (size_t)size;
    for (int r = 0; r < dim; r++)
      for (int s = 0; s <= r; s++) {
        double sum = 0.0;
        for (int k = 0; k < 2 * RUN; k++) sum += G[2 * RUN * r + k] * G[2 * RUN * s + k];
        W[dim * r + s] = W[dim * s + r] = sum;
      }
    if (!invert(dim, W, inverse)) memset(inverse, 0, (size_t)size * sizeof *inverse);
  }
}

void prc_cone_runs_begin(prc_cone_runs *g, const prc_cone_problem *problem, const double *p) {
  prc_cone_factors_pull(problem->factors, problem->dim, problem->n, p, g->v);
  if (problem->dim == 3)
    begin(3, g, problem);
  else
    begin(problem->dim, g, problem);
}

/* next from w = W p + b, which is there. Where the contact sticks, w = 0, p is less by W_cc^-1 w. Returns mu. */
INLINE double solve_contact(const int dim, const prc_cone_problem *problem, int c, const double *W,
                            const double *inverse, const double *w, const double *p, double *next) {
  const double mu = problem->mu[c];
  double q[PRC_CONE_DIM_MOST] = {0.0}, t = 0.0;
  for (int r = 0; r < dim; r++) {
    q[r] = w[r];
    for (int s = 0; s < dim; s++) q[r] -= W[dim * r + s] * p[s];
    next[r] = 0.0;
  }
  if (q[0] >= 0.0) return mu;
  for (int r = 0; r < dim; r++) {
    double sum = p[r];
    for (int s = 0; s < dim; s++) sum -= inverse[dim * r + s] * w[s];
    next[r] = sum;
    if (r > 0) t += sum * sum;
  }
  if (!problem->friction && inverse[0] > 0.0 && next[0] > 0.0 && t <= mu * mu * next[0] * next[0]) return mu;
  for (int r = 0; r < dim; r++) next[r] = p[r];
  return prc_cone_local_of(dim, problem, c, W, q, next);
}

INLINE void sweep(const int dim, prc_cone_runs *g, const prc_cone_problem *problem, int n, const int *list,
                  const int *island, double relaxation, double *p, double *change) {
  const prc_cone_factors *factors = problem->factors;
  for (int k = 0; k < n; k++) {
    const int c = list[k];
    const double *G = factors->G + (size_t)(c * dim) * 2 * RUN;
    double *restrict a = g->v + RUN * factors->run[2 * c], *restrict b = g->v + RUN * factors->run[2 * c + 1];
    double *here = p + dim * c, w[PRC_CONE_DIM_MOST], next[PRC_CONE_DIM_MOST] = {0.0}, d2 = 0.0;
    for (int r = 0; r < dim; r++) {
      double sum = problem->b[dim * c + r], other = 0.0;
      for (int i = 0; i < RUN; i++)
        sum += G[2 * RUN * r + i] * a[i], other += G[2 * RUN * r + RUN + i] * b[i];
      w[r] = sum + other;
    }
    const double mu = solve_contact(dim, problem, c, g->diagonal + (size_t)c * (size_t)(dim * dim),
                                    g->inverse + (size_t)c * (size_t)(dim * dim), w, here, next);
    prc_cone_relax(dim, mu, relaxation, here, next);
    for (int r = 0; r < dim; r++) {
      const double d = next[r] - here[r];
      d2 += d * d, here[r] = next[r];
      w[r] = d;
    }
    if (d2 == 0.0) continue;
    change[island[c]] += d2;
    for (int i = 0; i < RUN; i++) {
      double to_a = 0.0, to_b = 0.0;
      for (int r = 0; r < dim; r++)
        to_a += G[2 * RUN * r + i] * w[r], to_b += G[2 * RUN * r + RUN + i] * w[r];
      a[i] += to_a, b[i] += to_b;
    }
  }
}

void prc_cone_runs_sweep(prc_cone_runs *g, const prc_cone_problem *problem, int n, const int *list,
                         const int *island, double relaxation, double *p, double *change) {
  if (problem->dim == 3)
    sweep(3, g, problem, n, list, island, relaxation, p, change);
  else if (problem->dim == 4)
    sweep(4, g, problem, n, list, island, relaxation, p, change);
  else
    sweep(problem->dim, g, problem, n, list, island, relaxation, p, change);
}
