#include "config.h"
#include "cone/problem/problem.h"

#include <assert.h>
#include <string.h>

/* ---- sizes of vectors ----------------------------------------------------------------------- */

double prc_cone_largest(int n, const double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
  return largest;
}

double prc_cone_scale_for(double largest) {
  if (!(largest > 0.0 && largest < INFINITY) || (largest > PRC_CONE_SMALL && largest < PRC_CONE_LARGE))
    return 1.0;
  const int e = ilogb(largest);
  return ldexp(1.0, e < -1000 ? 1000 : -e);
}

double prc_cone_norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  if (sum > PRC_CONE_SMALL * PRC_CONE_SMALL && sum < PRC_CONE_LARGE * PRC_CONE_LARGE) return sqrt(sum);
  const double scale = prc_cone_scale_for(prc_cone_largest(n, x));
  if (scale == 1.0) return sqrt(sum);
  sum = 0.0;
  for (int i = 0; i < n; i++) sum += (scale * x[i]) * (scale * x[i]);
  return sqrt(sum) / scale;
}

/* ---- the cone ------------------------------------------------------------------------------- */

/* Euclidean projection. With the polar cone { x_N + mu |x_T| <= 0 } there are three cases: inside, in the
 * polar cone (0), else on the edge: x_N = s, |x_T| = mu s with s = (x_N + mu |x_T|) / (1 + mu^2). */
void prc_cone_project(int dim, double mu, double *x) {
  const double t = prc_cone_tangential(dim, x);
  if (x[0] >= 0.0 && t <= mu * x[0]) return;
  const double s = (x[0] + mu * t) / (1.0 + mu * mu), shrink = t > 0.0 ? mu / t : 0.0;
  const double edge = s > 0.0 ? s : 0.0;
  x[0] = edge;
  for (int k = 1; k < dim; k++) x[k] *= shrink * edge;
}

/* ---- W and its products --------------------------------------------------------------------- */

int prc_cone_find_block(const prc_cone_blocks *W, int row, int column) {
  int low = W->row_start[row], high = W->row_start[row + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (W->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low == high && W->column[low] == column ? low : -1;
}

double prc_cone_diagonal(const prc_cone_problem *problem, int row) {
  const size_t dim = (size_t)problem->dim, n = dim * (size_t)problem->n;
  const int c = row / problem->dim;
  if (problem->factors) {
    const double *G = problem->factors->G + (size_t)row * 2 * PRC_CONE_RUN;
    return prc_cone_dot(2 * PRC_CONE_RUN, G, G);
  }
  if (!problem->blocks) return problem->W[(size_t)row * (n + 1)];
  const int k = prc_cone_find_block(problem->blocks, c, c);
  assert(k >= 0); /* every row has its diagonal block */
  return problem->blocks->values[(size_t)k * dim * dim + (size_t)(row % problem->dim) * (dim + 1)];
}

double prc_cone_rho(const prc_cone_problem *problem) {
  const int n = problem->dim * problem->n;
  double trace = 0.0;
  for (int i = 0; i < n; i++)
    trace += problem->whole ? problem->whole->diagonal[i] : prc_cone_diagonal(problem, i);
  return trace > 0.0 ? n / trace : 1.0;
}

void prc_cone_copy_dense(const prc_cone_problem *problem, double *W) {
  const size_t dim = (size_t)problem->dim, rows = dim * (size_t)problem->n;
  const prc_cone_blocks *B = problem->blocks;
  if (!B) {
    if (rows > 0) memcpy(W, problem->W, rows * rows * sizeof *W);
    return;
  }
  memset(W, 0, rows * rows * sizeof *W);
  for (size_t c = 0; c < (size_t)problem->n; c++)
    for (int k = B->row_start[c]; k < B->row_start[c + 1]; k++)
      for (size_t i = 0; i < dim * dim; i++)
        W[(dim * c + i / dim) * rows + dim * (size_t)B->column[k] + i % dim] =
            B->values[(size_t)k * dim * dim + i];
}

static void dense_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  const int n = problem->dim * problem->n;
  int first = 0;
  for (; first + 4 <= n; first += 4) { /* four sums side by side, none of which waits for the others */
    const double *r0 = problem->W + (size_t)first * (size_t)n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    double s0 = problem->b[first], s1 = problem->b[first + 1], s2 = problem->b[first + 2],
           s3 = problem->b[first + 3];
    for (int j = 0; j < n; j++) {
      s0 += r0[j] * p[j], s1 += r1[j] * p[j];
      s2 += r2[j] * p[j], s3 += r3[j] * p[j];
    }
    w[first] = s0, w[first + 1] = s1, w[first + 2] = s2, w[first + 3] = s3;
  }
  for (int i = first; i < n; i++) {
    const double *row = problem->W + (size_t)i * (size_t)n;
    double sum = problem->b[i];
    for (int j = 0; j < n; j++) sum += row[j] * p[j];
    w[i] = sum;
  }
}

static void block_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++) {
    double sum[PRC_CONE_DIM_MOST];
    for (int r = 0; r < dim; r++) sum[r] = problem->b[dim * c + r];
    for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++) {
      const double *block = W->values + (size_t)k * (size_t)dim * (size_t)dim, *x = p + dim * W->column[k];
      for (int r = 0; r < dim; r++)
        for (int d = 0; d < dim; d++) sum[r] += block[dim * r + d] * x[d];
    }
    for (int r = 0; r < dim; r++) w[dim * c + r] = sum[r];
  }
}

static void whole_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  prc_cone_whole_multiply(problem->whole, problem->dim * problem->n, p, w);
  for (int i = 0; i < problem->dim * problem->n; i++) w[i] += problem->b[i];
}

/* v := G'p of those with a percussion; v: 6 (n_runs + 1) */
void prc_cone_factors_pull(const prc_cone_factors *factors, int dim, int n, const double *p, double *v) {
  memset(v, 0, ((size_t)factors->n_runs + 1) * PRC_CONE_RUN * sizeof *v);
  for (int i = 0; i < dim * n; i++) {
    const double *G = factors->G + (size_t)i * 2 * PRC_CONE_RUN;
    double *a = v + PRC_CONE_RUN * factors->run[2 * (i / dim)],
           *b = v + PRC_CONE_RUN * factors->run[2 * (i / dim) + 1];
    if (p[i] == 0.0) continue;
    for (int k = 0; k < PRC_CONE_RUN; k++) a[k] += G[k] * p[i];
    for (int k = 0; k < PRC_CONE_RUN; k++) b[k] += G[PRC_CONE_RUN + k] * p[i];
  }
}

/* w := G v */
void prc_cone_factors_push(const prc_cone_factors *factors, int dim, int n, const double *v, double *w) {
  for (int i = 0; i < dim * n; i++) {
    const double *G = factors->G + (size_t)i * 2 * PRC_CONE_RUN;
    w[i] = prc_cone_dot(PRC_CONE_RUN, G, v + PRC_CONE_RUN * factors->run[2 * (i / dim)])
           + prc_cone_dot(PRC_CONE_RUN, G + PRC_CONE_RUN, v + PRC_CONE_RUN * factors->run[2 * (i / dim) + 1]);
  }
}

static void factored_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  prc_cone_factors_pull(problem->factors, problem->dim, problem->n, p, problem->factors->v);
  prc_cone_factors_push(problem->factors, problem->dim, problem->n, problem->factors->v, w);
  for (int i = 0; i < problem->dim * problem->n; i++) w[i] += problem->b[i];
}

void prc_cone_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  if (problem->factors)
    factored_velocity(problem, p, w);
  else if (problem->whole)
    whole_velocity(problem, p, w);
  else if (problem->blocks)
    block_velocity(problem, p, w);
  else
    dense_velocity(problem, p, w);
}
