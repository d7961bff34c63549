#include "config.h"
#include "cone/problem/problem.h"
#include "cone/problem/speed.h"

#include <float.h>

/* |x_T|: not that of the solvers, whose errors must not hide here */
static double tangential(int dim, const double *x) {
  double sum = 0.0;
  for (int k = 1; k < dim; k++) sum += x[k] * x[k];
  return dim == 2 ? fabs(x[1]) : sqrt(sum);
}

/* The larger of two, a NaN if there is one. */
static double larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}

/* |p - proj_K(p - z)|^2 of one contact, the larger of two ways to compute it. The first, as it is written,
 * loses z where p is so large that p - z rounds to p: a percussion that runs away would look like a
 * solution. The second does not: with y = p - z the residual is z inside the cone, p in the polar one, and
 * z + g (-mu, y_T / |y_T|) on the edge, where g = (|y_T| - mu y_N) / (1 + mu^2). Inside needs y_N >= 0
 * too: with mu = 0 and y_T = 0 the polar cone has |y_T| <= mu y_N. */
static double natural_square(int dim, double mu, const double *p, const double *z) {
  double y[PRC_CONE_DIM_MOST] = {0.0}, direct = 0.0, sure = 0.0;
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
  double z[PRC_CONE_DIM_MOST];
  z[0] = rho * (w[0] + mu * tangential(dim, w));
  for (int k = 1; k < dim; k++) z[k] = rho * w[k];
  return natural_square(dim, mu, p, z);
}

/* The square of the decoupled residual of one contact, the normal law and friction each by itself,
 *
 *   e_N = min(p_N, rho w_N),
 *   e_T = rho w_T where |y| <= mu p_N+, else p_T - mu p_N+ y / |y|,   y = p_T - rho w_T,
 *
 * zero for the same p and w as the natural map r. With p' = p - r in K and rho Phi(w) - r in K*
 * orthogonal, open, sticking and sliding give |e_N|^2 + |e_T|^2 <= ((1 + mu^2) + (1 + mu)^2) |r|^2: up to
 * mu = 2 the natural map says as much, to a factor of 3.8, and is what others measure. Far above it does
 * not: p = 0, w = (-1, 1e-6) has r = 1e-12 at mu = 1e12, u_N being lost in u_N + mu |u_T|, and e = 1;
 * p = (1, 0), w = (0, 1e-16) has r = 1e-8 at mu = 1e8, and e = 1e-16. Nothing is computed as p - (p - rho w),
 * so a large p hides no w. A p_N within the tolerance would let mu times as much friction pass at a
 * contact that opens: above mu = 2, e_T = p_T where rho w_N exceeds p_N by more than `slack`, the rounding
 * of w. */
static double decoupled_square(int dim, double mu, double rho, double slack, const double *p,
                               const double *w) {
  const double n = p[0], v = rho * w[0], radius = n > 0.0 ? mu * n : 0.0;
  const double e = (n <= v ? n : v) + (n - n) + (v - v); /* NaN where one is not finite */
  const int opens = mu > PRC_CONE_COUPLED_MOST && v - n > slack;
  double y[PRC_CONE_DIM_MOST] = {0.0}, sum = e * e;
  for (int k = 1; k < dim; k++) y[k] = p[k] - rho * w[k];
  const double y_t = tangential(dim, y);
  for (int k = 1; k < dim; k++) {
    const double r = opens ? p[k] : y_t <= radius ? rho * w[k] : p[k] - radius / y_t * y[k];
    sum += r * r;
  }
  return sum;
}

/* The square of the residual where mu depends on the speed: how far p_T and rho w_T are, the larger of the two, from a pair that its law allows,
 *
 *   p* = mu(V) p_N+ d,   rho w* = -rho V d,   |d| = 1.
 *
 * The nearest one with p* - rho w* = y = p_T - rho w_T has d = y / |y| and V + mu(V) p_N+ / rho = |y| / rho, and both are at the same distance: with a mu
 * that does not change it is e_T above. mu at |w_T| would not do in its place: a speed of 1e-10 that is the rest of two of 1e2 is rounding
 * in its fourth digit, which mu of rate and state sees and p does not. What was found at the speed |w_T| counts too, as the equation may have another root where mu
 * falls. Any V is an upper bound: an error in it cannot hide one of p. */
static double pair_square(int dim, const prc_cone_rub *at, double V, double rho, const double *d,
                          const double *p, const double *w) {
  double of_p = 0.0, of_w = 0.0;
  for (int k = 1; k < dim; k++) {
    const double x = p[k] - at->mu * at->normal * d[k], v = rho * (w[k] + V * d[k]);
    of_p += x * x, of_w += v * v;
  }
  return larger(of_p, of_w);
}

static double stick_square(int dim, double rho, const double *w) {
  double sum = 0.0;
  for (int k = 1; k < dim; k++) sum += rho * w[k] * (rho * w[k]);
  return sum;
}

/* Of the nearer pair; rub->mu is its friction, *V_near its speed. */
static double friction_square(int dim, prc_cone_rub *rub, double rho, const double *p, const double *w,
                              double *V_near) {
  double d[PRC_CONE_DIM_MOST] = {0.0}, y[PRC_CONE_DIM_MOST] = {0.0}, slope = 0.0;
  const double speed = tangential(dim, w);
  for (int k = 1; k < dim; k++) y[k] = p[k] - rho * w[k];
  const double size = tangential(dim, y);
  rub->S = 1.0 / rho, rub->d = size / rho;
  const double V = prc_cone_rub_speed(rub);
  for (int k = 1; k < dim; k++) d[k] = size > 0.0 ? y[k] / size : 0.0;
  const double sum = V > 0.0 ? pair_square(dim, rub, V, rho, d, p, w) : stick_square(dim, rho, w);
  *V_near = V;
  if (!(speed > 0.0) || !(sum > 0.0)) return sum;
  const double mu = rub->mu;
  rub->mu = prc_cone_friction_at(rub->problem, rub->c, rub->unit * speed, &slope);
  for (int k = 1; k < dim; k++) d[k] = -w[k] / speed;
  const double other = pair_square(dim, rub, speed, rho, d, p, w);
  if (other < sum) {
    *V_near = speed;
    return other;
  }
  rub->mu = mu;
  return sum;
}

/* Of the tangents of contact c alone. What moves easily along its normal may be stiff along its tangents: with rho of both a speed is below the rounding of p_T. */
static double rho_of_tangents(const prc_cone_problem *problem, int c, double rho) {
  double trace = 0.0;
  for (int k = 1; k < problem->dim; k++) {
    const int row = problem->dim * c + k;
    trace += prc_cone_diagonal(problem, row);
  }
  return trace > 0.0 && isfinite(trace) ? (problem->dim - 1) / trace : rho;
}

/* |b| / |b_T|, by which errors of speeds count more than others: b of such a contact is nearly all normal. */
#define HEAVY 1e5 /* what normal percussions leave of rounding in w_T stays below the tolerance */
static double weight_of(const prc_cone_problem *problem) {
  const int dim = problem->dim;
  double all = 0.0, tangents = 0.0;
  if (!problem->friction || !problem->b || dim < 2) return 1.0;
  const double largest = prc_cone_largest(dim * problem->n, problem->b);
  for (int i = 0; largest > 0.0 && i < dim * problem->n; i++) {
    const double b = problem->b[i] / largest;
    all += b * b, tangents += i % dim > 0 ? b * b : 0.0;
  }
  return all < HEAVY * HEAVY * tangents ? sqrt(all / tangents) : all > 0.0 ? HEAVY : 1.0;
}

/* Normal law, and friction so; one that opens as above. p and w are `scale` times what they are. */
static double of_speed_square(const prc_cone_problem *problem, int c, double rho, double slack, double weight,
                              double scale, const double *p, const double *w) {
  const int dim = problem->dim;
  const double n = p[0], v = rho * w[0], normal = n > 0.0 ? n : 0.0;
  const double e = (n <= v ? n : v) + (n - n) + (v - v);
  prc_cone_rub rub = {.problem = problem, .c = c, .unit = 1.0 / scale, .normal = normal};
  double V = 0.0;
  const double own = rho_of_tangents(problem, c, rho), part = weight * rho / own;
  const double sum = part * part * friction_square(dim, &rub, own, p, w, &V);
  const int opens = rub.mu > PRC_CONE_COUPLED_MOST && v - n > slack;
  return e * e + (opens ? tangential(dim, p) * tangential(dim, p) : sum);
}

/* Rounding of rho w_N: only contacts with large friction ask. */
static double slack_of(const prc_cone_problem *problem, double rho, const double *p, const double *w) {
  const int n = problem->dim * problem->n;
  int c = 0;
  while (c < problem->n && !problem->friction && problem->mu[c] <= PRC_CONE_COUPLED_MOST) c++;
  return c < problem->n ? 16.0 * DBL_EPSILON * (prc_cone_norm(n, p) + rho * prc_cone_norm(n, w)) : 0.0;
}

/* Contacts with mu > coupled by the decoupled map, the others by the natural one. Both grow with p and w:
 * what is so small or so large that squares fail is taken `scale` times as large. */
static double sum_of_squares(const prc_cone_problem *problem, double coupled, double rho, double slack,
                             double weight, double scale, const double *p, const double *w) {
  const int dim = problem->dim;
  double sum = 0.0;
  for (int c = 0; c < problem->n; c++, p += dim, w += dim) {
    const double mu = problem->mu[c];
    const double *x = p, *u = w;
    double scaled[2 * PRC_CONE_DIM_MOST] = {0.0}, *near_w = scaled + PRC_CONE_DIM_MOST;
    if (scale != 1.0) {
      for (int k = 0; k < dim; k++) scaled[k] = scale * p[k], near_w[k] = scale * w[k];
      x = scaled, u = near_w;
    }
    sum += problem->friction && dim > 1 ? of_speed_square(problem, c, rho, slack, weight, scale, x, u)
           : mu <= coupled              ? natural_of(dim, mu, rho, x, u)
                                        : decoupled_square(dim, mu, rho, slack, x, u);
  }
  return sum;
}

static double residual(const prc_cone_problem *problem, double coupled, double rho, const double *p,
                       const double *w) {
  const int n = problem->dim * problem->n;
  const double slack = coupled < INFINITY || problem->friction ? slack_of(problem, rho, p, w) : 0.0;
  const double weight = weight_of(problem);
  const double sum = sum_of_squares(problem, coupled, rho, slack, weight, 1.0, p, w);
  if (sum > PRC_CONE_SMALL * PRC_CONE_SMALL && sum < PRC_CONE_LARGE * PRC_CONE_LARGE) return sqrt(sum);
  const double largest_p = prc_cone_largest(n, p), largest_w = rho * prc_cone_largest(n, w),
               scale = prc_cone_scale_for(largest_p > largest_w ? largest_p : largest_w);
  if (scale == 1.0) return sqrt(sum);
  return sqrt(sum_of_squares(problem, coupled, rho, scale * slack, weight, scale, p, w)) / scale;
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

void prc_cone_friction_found(const prc_cone_problem *problem, const double *p, const double *w, double *mu,
                             double *speed) {
  const double rho = prc_cone_rho(problem);
  const int dim = problem->dim;
  for (int c = 0; c < problem->n; c++, p += dim, w += dim) {
    prc_cone_rub rub = {.problem = problem, .c = c, .unit = 1.0, .normal = p[0]};
    double V = tangential(dim, w);
    if (problem->friction && dim > 1 && p[0] > 0.0)
      friction_square(dim, &rub, rho_of_tangents(problem, c, rho), p, w, &V);
    mu[c] = rub.d > 0.0 ? rub.mu : prc_cone_friction_at(problem, c, V, &rub.slope);
    if (speed) speed[c] = V;
  }
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
  return dim > 1 && tangential(dim, p) < mu * p[0] * (1.0 - 1e-9) ? PRC_CONE_STICK : PRC_CONE_SLIP;
}
