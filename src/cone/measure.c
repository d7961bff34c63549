#include "config.h"
#include "cone/internal.h"

#include <float.h>
#include <math.h>

/* Squares of what lies between these neither overflow nor vanish. */
#define SMALL 1e-140
#define LARGE 1e140

static double largest_of(int n, const double *x) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
  return largest;
}

/* The power of two that brings a number near one; 1 where there is no need. */
static double scale_for(double largest) {
  if (!(largest > 0.0 && largest < INFINITY) || (largest > SMALL && largest < LARGE)) return 1.0;
  const int e = ilogb(largest);
  return ldexp(1.0, e < -1000 ? 1000 : -e);
}

double prc_cone_norm(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  if (sum > SMALL * SMALL && sum < LARGE * LARGE) return sqrt(sum);
  const double scale = scale_for(largest_of(n, x));
  if (scale == 1.0) return sqrt(sum);
  sum = 0.0;
  for (int i = 0; i < n; i++) sum += (scale * x[i]) * (scale * x[i]);
  return sqrt(sum) / scale;
}

static double tangential(int dim, const double *x) {
  return dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* Euclidean projection. With the polar cone { x_N + mu |x_T| <= 0 } there are three cases: inside, in the polar cone (0),
 * else on the edge: x_N = s, |x_T| = mu s with s = (x_N + mu |x_T|) / (1 + mu^2). */
void prc_cone_project(int dim, double mu, double *x) {
  const double t = tangential(dim, x);
  if (x[0] >= 0.0 && t <= mu * x[0]) return;
  const double s = (x[0] + mu * t) / (1.0 + mu * mu), shrink = t > 0.0 ? mu / t : 0.0;
  const double edge = s > 0.0 ? s : 0.0;
  x[0] = edge;
  for (int k = 1; k < dim; k++) x[k] *= shrink * edge;
}

/* The larger of two, a NaN if there is one. */
static double larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}

/* |p - proj_K(p - z)|^2 of one contact, the larger of two ways to compute it. The first, as it is written, loses z where p
 * is so large that p - z rounds to p: a percussion that runs away would look like a solution. The second does not: with
 * y = p - z the residual is z inside the cone, p in the polar one, and z + g (-mu, y_T / |y_T|) on the edge, where
 * g = (|y_T| - mu y_N) / (1 + mu^2). Inside needs y_N >= 0 too: with mu = 0 and y_T = 0 the polar cone has |y_T| <= mu y_N. */
static double natural_square(int dim, double mu, const double *p, const double *z) {
  double y[3] = {0.0}, direct = 0.0, sure = 0.0;
  for (int k = 0; k < dim; k++) y[k] = p[k] - z[k];
  const double y_t = tangential(dim, y), edge = (y[0] + mu * y_t) / (1.0 + mu * mu);
  if (y[0] >= 0.0 && y_t <= mu * y[0]) {
    for (int k = 0; k < dim; k++) direct += (p[k] - y[k]) * (p[k] - y[k]), sure += z[k] * z[k];
    return larger(direct, sure);
  }
  if (edge <= 0.0) {
    for (int k = 0; k < dim; k++) direct += p[k] * p[k];
    return direct;
  }
  const double shrink = y_t > 0.0 ? mu / y_t * edge : 0.0, g = (y_t - mu * y[0]) / (1.0 + mu * mu);
  direct = (p[0] - edge) * (p[0] - edge), sure = (z[0] - g * mu) * (z[0] - g * mu);
  for (int k = 1; k < dim; k++) {
    const double d = p[k] - y[k] * shrink, r = z[k] + g * y[k] / y_t;
    direct += d * d, sure += r * r;
  }
  return larger(direct, sure);
}

static double natural_of(int dim, double mu, double rho, const double *p, const double *w) {
  double z[3];
  z[0] = rho * (w[0] + mu * tangential(dim, w));
  for (int k = 1; k < dim; k++) z[k] = rho * w[k];
  return natural_square(dim, mu, p, z);
}

/* The square of the decoupled residual of one contact, the normal law and friction each by itself,
 *
 *   e_N = min(p_N, rho w_N),
 *   e_T = rho w_T where |y| <= mu p_N+, else p_T - mu p_N+ y / |y|,   y = p_T - rho w_T,
 *
 * zero for the same p and w as the natural map r. With p' = p - r in K and rho Phi(w) - r in K* orthogonal, open, sticking and
 * sliding give |e_N|^2 + |e_T|^2 <= ((1 + mu^2) + (1 + mu)^2) |r|^2: up to mu = 2 the natural map says as much, to a factor of
 * 3.8, and is what others measure. Far above it does not: p = 0, w = (-1, 1e-6) has r = 1e-12 at mu = 1e12, u_N being lost in u_N + mu |u_T|, and e = 1; p = (1, 0),
 * w = (0, 1e-16) has r = 1e-8 at mu = 1e8, and e = 1e-16.
 * Nothing is computed as p - (p - rho w), so a large p hides no w. A p_N within the tolerance would let mu times as much
 * friction pass at a contact that opens: above mu = 2, e_T = p_T where rho w_N exceeds p_N by more than `slack`, the rounding
 * of w. */
static double decoupled_square(int dim, double mu, double rho, double slack, const double *p,
                               const double *w) {
  const double n = p[0], v = rho * w[0], radius = n > 0.0 ? mu * n : 0.0;
  const double e = (n <= v ? n : v) + (n - n) + (v - v); /* NaN where one is not finite */
  const int opens = mu > PRC_CONE_COUPLED_MOST && v - n > slack;
  double y[3] = {0.0}, sum = e * e;
  for (int k = 1; k < dim; k++) y[k] = p[k] - rho * w[k];
  const double y_t = tangential(dim, y);
  for (int k = 1; k < dim; k++) {
    const double r = opens ? p[k] : y_t <= radius ? rho * w[k] : p[k] - radius / y_t * y[k];
    sum += r * r;
  }
  return sum;
}

/* What rounding may make of rho w_N: only contacts with large friction ask. */
static double slack_of(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  const int n = problem->dim * problem->n;
  int c = 0;
  while (c < problem->n && problem->mu[c] <= PRC_CONE_COUPLED_MOST) c++;
  return c < problem->n ? 16.0 * DBL_EPSILON * (prc_cone_norm(n, p) + rho * prc_cone_norm(n, w)) : 0.0;
}

/* Contacts with mu > coupled by the decoupled map, the others by the natural one. Both grow with p and w: what is so small or
 * so large that squares fail is taken `scale` times as large. */
static double sum_of_squares(const prc_cone_problem *problem, double coupled, double rho, double slack,
                             double scale, const double *p, const double *w) {
  const int dim = problem->dim;
  double sum = 0.0;
  for (int c = 0; c < problem->n; c++, p += dim, w += dim) {
    const double mu = problem->mu[c];
    const double *x = p, *u = w;
    double scaled[6] = {0.0};
    if (scale != 1.0) {
      for (int k = 0; k < dim; k++) scaled[k] = scale * p[k], scaled[3 + k] = scale * w[k];
      x = scaled, u = scaled + 3;
    }
    sum += mu <= coupled ? natural_of(dim, mu, rho, x, u) : decoupled_square(dim, mu, rho, slack, x, u);
  }
  return sum;
}

static double residual(const prc_cone_problem *problem, double coupled, double rho, const double *p,
                       const double *w) {
  const int n = problem->dim * problem->n;
  const double slack = coupled < INFINITY ? slack_of(problem, rho, p, w) : 0.0;
  const double sum = sum_of_squares(problem, coupled, rho, slack, 1.0, p, w);
  if (sum > SMALL * SMALL && sum < LARGE * LARGE) return sqrt(sum);
  const double largest_p = largest_of(n, p), largest_w = rho * largest_of(n, w),
               scale = scale_for(largest_p > largest_w ? largest_p : largest_w);
  if (scale == 1.0) return sqrt(sum);
  return sqrt(sum_of_squares(problem, coupled, rho, scale * slack, scale, p, w)) / scale;
}

double prc_cone_natural_map(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  return residual(problem, INFINITY, rho, p, w);
}
double prc_cone_decoupled_map(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  return residual(problem, -1.0, rho, p, w);
}
double prc_cone_residual(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  return residual(problem, PRC_CONE_COUPLED_MOST, rho, p, w);
}

static double block_diagonal(const prc_cone_problem *problem, int row) {
  const prc_cone_blocks *W = problem->blocks;
  const int dim = problem->dim, c = row / dim;
  int low = W->row_start[c], high = W->row_start[c + 1] - 1; /* columns ascend, and c is one of them */
  while (low < high) {
    const int middle = (low + high) / 2;
    if (W->column[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return W->values[(size_t)low * (size_t)dim * (size_t)dim + (size_t)(row % dim * (dim + 1))];
}

double prc_cone_diagonal(const prc_cone_problem *problem, int row) {
  const size_t n = (size_t)problem->dim * (size_t)problem->n;
  return problem->blocks ? block_diagonal(problem, row) : problem->W[(size_t)row * (n + 1)];
}

double prc_cone_rho(const prc_cone_problem *problem) {
  const int n = problem->dim * problem->n;
  double trace = 0.0;
  for (int i = 0; i < n; i++)
    trace += problem->whole ? problem->whole->diagonal[i] : prc_cone_diagonal(problem, i);
  return trace > 0.0 ? n / trace : 1.0;
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
    double sum[3];
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

void prc_cone_velocity(const prc_cone_problem *problem, const double *p, double *w) {
  if (problem->whole)
    whole_velocity(problem, p, w);
  else if (problem->blocks)
    block_velocity(problem, p, w);
  else
    dense_velocity(problem, p, w);
}

#define RUNAWAY 1e12 /* times the percussion that b is worth: W p + b has four digits of b left */

prc_cone_measure prc_cone_error(const prc_cone_problem *problem, const double *p, double *w) {
  const int n = problem->dim * problem->n;
  prc_cone_velocity(problem, p, w);
  const double b = prc_cone_norm(n, problem->b), p_size = prc_cone_norm(n, p), rho = prc_cone_rho(problem);
  prc_cone_measure error;
  error.paper = prc_cone_residual(problem, 1.0, p, w) / (1.0 + b);
  error.scaled = prc_cone_residual(problem, rho, p, w);
  if (b > 0.0) {
    /* p so large against b that W p + b has lost b to rounding: what was lost is error too */
    const double lost = p_size > RUNAWAY * rho * b ? DBL_EPSILON * p_size / rho : 0.0;
    error.scaled /= rho * b;
    if (error.scaled < lost / b) error.scaled = lost / b; /* a NaN stays */
    if (error.paper < lost / (1.0 + b)) error.paper = lost / (1.0 + b);
  } else if (p_size > 0.0)
    error.scaled /= p_size; /* p = 0 is the solution that b = 0 has always */
  return error;
}

prc_cone_status prc_cone_status_of(int dim, double mu, const double *p) {
  if (!(p[0] > 0.0)) return PRC_CONE_OPEN;
  return tangential(dim, p) < mu * p[0] * (1.0 - 1e-9) ? PRC_CONE_STICK : PRC_CONE_SLIP;
}
