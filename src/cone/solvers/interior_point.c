#include "config.h"
#include "cone/solvers/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A primal-dual interior-point method for the convex problem, minimise p' W p / 2 + (b + s) . p over K,
 * whose conditions are
 *
 *   z = W p + b + s,   K* contains z,   K contains p,   p . z = 0,   s_N = mu |w_T|, s_T = 0,  w = W p + b,
 *
 * inside the fixed point on s (Acary, Cadoux, Lemarechal, Malick 2011). Nested iterations would solve
 * problems whose solution is not wanted: s follows w at every step instead, either as a constant (the
 * fixed point) or with its derivative in the system (Newton's method for all conditions). The second
 * converges faster, the first more often; they take turns when steps become short.
 *
 * With D = diag(mu, 1, 1, ...), x = D p and y = D^-1 z lie in the second-order cone, which is its own
 * dual. Jordan products: a o b = (a . b, a_0 b_T + b_0 a_T), unit e. The scaling V of Nesterov and Todd, V
 * x = V^-1 y = lambda, turns x o y = tau e into lambda o (V dx + V^-1 dy) = tau e - lambda o lambda, and a
 * step solves
 *
 *   (D V^2 D + (1 + s') W) dp = D c - (w + s - z),   dz = D c - D V^2 D dp,   c = V (lambda^-1 o (the right-hand side)),
 *
 * first with tau = 0 (the prediction), then with tau after what that promises and its second-order term
 * (Mehrotra 1992; Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010). Contacts
 * without friction are one-dimensional: k = 1 there, and p_T = 0 is their equation.
 *
 * What is measured is the projection of p - z, which is exactly in the cone and zero where contacts are
 * open. Where complementarity is not strict (p = 0 and w = 0, or p on the edge and w = 0) its error falls
 * as the root of p . z only, and the system degenerates before the last digits: whenever the error has
 * become small against the last time, a few semismooth Newton steps on the function of Alart and Curnier
 * are tried from there, and kept while the error falls. */

#define TO_BOUNDARY  0.99 /* of the way, at most */
#define SHORT_STEP   0.05
#define FROM_HERE    1 /* attempts 0 and 1 of eight start from the best iterate, the others at random */
#define IDLE_MOST    3 /* steps that are short or do not help, after which it starts again, the other way */
#define SHIFT_LEAST  1e-13
#define POLISH_STEPS 20
#define POLISH_IDLE  3     /* steps that do not help */
#define POLISH_AFTER 1e-2  /* of the error at the last polish */
#define ALPHA_LEAST  1e-10 /* proximal term: W may be singular */
#define ALPHA_FIRST  1e-3  /* in every other polish, a tenth of it after each step that helps */

typedef struct {
  prc_cone_system system;
  double *V, *V_inverse; /* dim^2 per contact, in the variables x and y */
  double *lambda, *s;    /* dim n_max; s: (mu |w_T|, 0, 0) */
  double *p, *z, *w, *F, *dp, *dz, *second, *c, *out;
  double least; /* error of the best iterate, which is in the caller's p */
  int polishes;
} work_interior;

#define VECTORS(g)                                                                                           \
  {                                                                                                          \
    &(g)->lambda, &(g)->s, &(g)->p, &(g)->z, &(g)->w, &(g)->F, &(g)->dp, &(g)->dz, &(g)->second, &(g)->c,    \
        &(g)->out                                                                                            \
  }

static void interior_free(void **work) {
  work_interior *g = *work;
  if (!g) return;
  double **vectors[] = VECTORS(g);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->V);
  prc_delete(&g->V_inverse);
  prc_cone_system_free(&g->system);
  prc_delete(work);
}

static prc_status interior_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  work_interior *g = NULL;
  const size_t rows = (size_t)sizes->dim * (size_t)sizes->n_max;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  double **vectors[] = VECTORS(g);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], rows, err));
  prc_try(prc_new(&g->V, (size_t)sizes->dim * rows, err));
  prc_try(prc_new(&g->V_inverse, (size_t)sizes->dim * rows, err));
  prc_try(prc_cone_system_create(sizes, &g->system, err));
done:
  if (status != PRC_OK) interior_free(work);
  return status;
}

/* ---- the second-order cone of dimension k --------------------------------------------------- */

/* a_0^2 - |a_T|^2 without cancellation */
static double determinant(int k, const double *a) {
  const double t = prc_cone_tangential(k, a);
  return (a[0] - t) * (a[0] + t);
}

static void jordan(int k, const double *a, const double *b, double *product) {
  product[0] = prc_cone_dot(k, a, b);
  for (int r = 1; r < k; r++) product[r] = a[0] * b[r] + b[0] * a[r];
}

/* u with a o u = v */
static void jordan_divide(int k, const double *a, const double *v, double *u) {
  u[0] = (a[0] * v[0] - prc_cone_dot(k - 1, a + 1, v + 1)) / determinant(k, a);
  for (int r = 1; r < k; r++) u[r] = (v[r] - u[0] * a[r]) / a[0];
}

static void multiply(int k, const double *A, const double *x, double *y) {
  for (int r = 0; r < k; r++) y[r] = prc_cone_dot(k, A + k * r, x);
}

/* V = beta (v v'-like matrix of the hyperbolic vector v), v = (y' + J x') / (2 gamma) for x', y' of
 * determinant one; its inverse is the same of J v and 1 / beta (Vandenberghe 2010, 4). */
static void hyperbolic(int k, double beta, double sign, const double *v, double *V) {
  for (int r = 0; r < k; r++)
    for (int j = 0; j < k; j++)
      V[k * r + j] =
          beta
          * (r == 0 || j == 0 ? (r == j ? v[0] : sign * v[r + j]) : (r == j) + v[r] * v[j] / (v[0] + 1.0));
}

/* Returns 0 when x or y is not inside. */
static int scaling(int k, const double *x, const double *y, double *V, double *V_inverse) {
  const double dx = determinant(k, x), dy = determinant(k, y);
  if (!(x[0] > 0.0 && y[0] > 0.0 && dx > 0.0 && dy > 0.0)) return 0;
  const double rx = 1.0 / sqrt(dx), ry = 1.0 / sqrt(dy), beta = sqrt(sqrt(dy / dx));
  const double gamma = sqrt(0.5 * (1.0 + prc_cone_dot(k, x, y) * rx * ry));
  double v[PRC_CONE_DIM_MOST], squares = 1.0;
  for (int r = 1; r < k; r++) {
    v[r] = (y[r] * ry - x[r] * rx) / (2.0 * gamma);
    squares += v[r] * v[r];
  }
  v[0] = sqrt(squares);
  hyperbolic(k, beta, 1.0, v, V);
  hyperbolic(k, 1.0 / beta, -1.0, v, V_inverse);
  return isfinite(beta) && isfinite(v[0]);
}

/* the largest a <= most with x + a d in the cone, x inside */
static double to_boundary(int k, const double *x, const double *d, double most) {
  const double A = determinant(k, d), B = x[0] * d[0] - prc_cone_dot(k - 1, x + 1, d + 1),
               C = determinant(k, x);
  double a = most;
  if (d[0] < 0.0) a = fmin(a, -x[0] / d[0]);
  if (k == 1) return a;
  /* A a^2 + 2 B a + C: the first positive root, in the form that does not cancel */
  const double disc = B * B - A * C;
  if (disc < 0.0) return a;
  const double q = B <= 0.0 ? -B + sqrt(disc) : -B - sqrt(disc);
  const double roots[2] = {q != 0.0 ? C / q : INFINITY, A != 0.0 ? q / A : INFINITY};
  for (int i = 0; i < 2; i++)
    if (roots[i] > 0.0) a = fmin(a, roots[i]);
  return a;
}

/* ---- the contacts --------------------------------------------------------------------------- */

/* Friction below rounding is none: z_N / mu must stay a number. */
static int order_of(const prc_cone_system *s, int c) {
  return s->mu[c] > DBL_EPSILON ? s->dim : 1;
}

/* x = D p (power 1) or y = D^-1 z (power -1) */
static void to_cone(double mu, int k, int power, const double *from, double *to) {
  for (int r = 0; r < k; r++) to[r] = from[r];
  if (k > 1) to[0] = power > 0 ? mu * from[0] : from[0] / mu;
}

/* p and z strictly inside, near the projections of p and Phi(w), by a power of the natural map there. */
static void start(work_interior *g, double power) {
  const prc_cone_system *s = &g->system;
  const int dim = s->dim;
  double away = 0.0, size = 0.0;
  prc_cone_system_multiply(s, g->p, g->w);
  for (int c = 0; c < s->n; c++) {
    double *p = g->p + dim * c, *z = g->z + dim * c, next[PRC_CONE_DIM_MOST];
    for (int r = 0; r < dim; r++) {
      z[r] = g->w[dim * c + r] + s->b[dim * c + r];
      size = fmax(size, fabs(s->b[dim * c + r]));
    }
    z[0] += s->mu[c] * prc_cone_tangential(dim, z);
    for (int r = 0; r < dim; r++) next[r] = p[r] - z[r];
    prc_cone_project(dim, s->mu[c], next);
    for (int r = 0; r < dim; r++) away = fmax(away, fabs(next[r] - p[r]));
  }
  away = size * fmax(SHIFT_LEAST, size > 0.0 ? pow(away / size, power) : 0.0);
  for (int c = 0; c < s->n; c++) {
    double *p = g->p + dim * c, *z = g->z + dim * c;
    prc_cone_project(dim, s->mu[c], p);
    p[0] += away;
    if (order_of(s, c) > 1)
      prc_cone_project(dim, 1.0 / s->mu[c], z);
    else
      z[0] = fmax(z[0], 0.0), memset(p + 1, 0, (size_t)(dim - 1) * sizeof *p);
    z[0] += away;
  }
}

/* w, s, V, lambda and the system's matrices. with_slope: s' is in it. Returns sum p . z / n, or -1 when p
 * or z has left the cone. */
static double linearise(work_interior *g, int with_slope) {
  prc_cone_system *s = &g->system;
  const int dim = s->dim, size = dim * dim;
  double gap = 0.0;
  prc_cone_system_multiply(s, g->p, g->w);
  memset(s->A, 0, (size_t)(size * s->n) * sizeof *s->A);
  memset(s->B, 0, (size_t)(size * s->n) * sizeof *s->B);
  memset(g->s, 0, (size_t)dim * (size_t)s->n * sizeof *g->s);
  for (int c = 0; c < s->n; c++) {
    const int k = order_of(s, c), first = dim * c;
    double x[PRC_CONE_DIM_MOST] = {0.0}, y[PRC_CONE_DIM_MOST] = {0.0}, *V = g->V + size * c,
           *A = s->A + size * c, *B = s->B + size * c, *w = g->w + first;
    for (int r = 0; r < dim; r++) w[r] += s->b[first + r];
    const double speed = prc_cone_tangential(dim, w);
    g->s[first] = s->mu[c] * speed;
    to_cone(s->mu[c], k, 1, g->p + first, x);
    to_cone(s->mu[c], k, -1, g->z + first, y);
    if (!scaling(k, x, y, V, g->V_inverse + size * c)) return -1.0;
    multiply(k, V, x, g->lambda + first);
    gap += prc_cone_dot(k, x, y);
    s->open[c] = 0;
    for (int r = 0; r < dim; r++) {
      if (r >= k) {
        A[dim * r + r] = 1.0;
        continue;
      }
      B[dim * r + r] = 1.0;
      if (with_slope && r > 0 && speed > 0.0) B[r] = s->mu[c] * w[r] / speed;
      for (int j = 0; j < k; j++)
        A[dim * r + j] = prc_cone_dot(k, V + k * r, V + k * j) * (k > 1 && r == 0 ? s->mu[c] : 1.0)
                         * (k > 1 && j == 0 ? s->mu[c] : 1.0);
    }
  }
  return s->n > 0 ? gap / s->n : 0.0;
}

/* dp and dz for tau, with the second-order term when there is one. Returns 0 when the system is singular. */
static int direction(work_interior *g, double tau, int with_second) {
  prc_cone_system *s = &g->system;
  const int dim = s->dim, size = dim * dim;
  for (int c = 0; c < s->n; c++) {
    const int k = order_of(s, c), first = dim * c;
    const double *lambda = g->lambda + first;
    double rhs[PRC_CONE_DIM_MOST] = {0.0}, u[PRC_CONE_DIM_MOST] = {0.0};
    jordan(k, lambda, lambda, rhs);
    for (int r = 0; r < k; r++)
      rhs[r] = (r == 0 ? tau : 0.0) - rhs[r] - (with_second ? g->second[first + r] : 0.0);
    jordan_divide(k, lambda, rhs, u);
    multiply(k, g->V + size * c, u, rhs);
    if (k > 1) rhs[0] *= s->mu[c];
    for (int r = 0; r < dim; r++) {
      g->c[first + r] = r < k ? rhs[r] : 0.0;
      g->F[first + r] = r < k ? g->w[first + r] + g->s[first + r] - g->z[first + r] - rhs[r] : 0.0;
    }
  }
  if (with_second ? !prc_cone_system_step_again(s, 0.0, g->F, g->dp)
                  : !prc_cone_system_step(s, 0.0, g->F, g->dp))
    return 0;
  for (int c = 0; c < s->n; c++)
    for (int r = 0; r < dim; r++) {
      const double *A = s->A + size * c + dim * r;
      g->dz[dim * c + r] =
          r < order_of(s, c) ? g->c[dim * c + r] - prc_cone_dot(dim, A, g->dp + dim * c) : 0.0;
    }
  return 1;
}

/* How far along dp and dz both stay in their cones, at most 1; keeps the second-order term of this
 * direction. */
static double longest_step(work_interior *g, double share) {
  const prc_cone_system *s = &g->system;
  const int dim = s->dim, size = dim * dim;
  double a = 1.0 / share;
  for (int c = 0; c < s->n; c++) {
    const int k = order_of(s, c), first = dim * c;
    double x[PRC_CONE_DIM_MOST] = {0.0}, y[PRC_CONE_DIM_MOST] = {0.0}, dx[PRC_CONE_DIM_MOST] = {0.0},
           dy[PRC_CONE_DIM_MOST] = {0.0}, Vdx[PRC_CONE_DIM_MOST], Vdy[PRC_CONE_DIM_MOST];
    to_cone(s->mu[c], k, 1, g->p + first, x);
    to_cone(s->mu[c], k, -1, g->z + first, y);
    to_cone(s->mu[c], k, 1, g->dp + first, dx);
    to_cone(s->mu[c], k, -1, g->dz + first, dy);
    a = to_boundary(k, y, dy, to_boundary(k, x, dx, a));
    multiply(k, g->V + size * c, dx, Vdx);
    multiply(k, g->V_inverse + size * c, dy, Vdy);
    jordan(k, Vdx, Vdy, g->second + first);
  }
  return a * share;
}

/* sum (p + a dp) . (z + a dz) / n over what has a cone */
static double gap_at(const work_interior *g, double a) {
  const prc_cone_system *s = &g->system;
  double sum = 0.0;
  for (int c = 0; c < s->n; c++)
    for (int r = 0, i = s->dim * c; r < order_of(s, c); r++, i++)
      sum += (g->p[i] + a * g->dp[i]) * (g->z[i] + a * g->dz[i]);
  return sum / s->n;
}

/* One step; returns its length, 0 when none can be made. */
static double advance(work_interior *g, int with_slope, prc_cone_info *info) {
  const int rows = g->system.dim * g->system.n;
  const double gap = linearise(g, with_slope);
  if (!(gap > 0.0) || !direction(g, 0.0, 0)) return 0.0;
  info->iterations += 2, info->newton += 2; /* systems */
  const double promise = longest_step(g, 1.0), ratio = fmax(0.0, gap_at(g, promise)) / gap;
  const double sigma = fmin(1.0, ratio * ratio * ratio);
  if (!direction(g, sigma * gap, 1)) return 0.0;
  const double a = fmin(1.0, longest_step(g, fmax(TO_BOUNDARY, promise > 0.9999 ? 0.9999 : 0.0)));
  for (int i = 0; i < rows; i++) g->p[i] += a * g->dp[i], g->z[i] += a * g->dz[i];
  return isfinite(a) ? a : 0.0;
}

/* out: the projection of p - z, in the problem's variables */
static void projected(work_interior *g) {
  const prc_cone_system *s = &g->system;
  const int dim = s->dim;
  for (int c = 0; c < s->n; c++) {
    double *out = g->out + dim * c;
    for (int r = 0; r < dim; r++) out[r] = g->p[dim * c + r] - (r < order_of(s, c) ? g->z[dim * c + r] : 0.0);
    if (order_of(s, c) > 1)
      prc_cone_project(dim, s->mu[c], out);
    else
      out[0] = fmax(out[0], 0.0);
    for (int r = 0; r < dim; r++) out[r] *= s->scale[c];
  }
}

/* The measure at out; where it is the least so far, out is kept in p. Returns 1 when the problem is
 * solved. */
static int keep_best(work_interior *g, const prc_cone_problem *problem, const prc_cone_options *options,
                     double *p, prc_cone_info *info) {
  const int reached = prc_cone_reached(problem, options, "interior-point", g->out, g->w, info);
  const double error = prc_cone_verdict(options, &info->error);
  if (!reached && !(error < g->least)) return 0;
  g->least = error;
  memcpy(p, g->out, (size_t)problem->dim * (size_t)problem->n * sizeof *p);
  return reached;
}

/* Newton steps from out, with one of two functions in turn, as long as they help. */
static int polish(work_interior *g, const prc_cone_problem *problem, const prc_cone_options *options,
                  double *p, prc_cone_info *info) {
  prc_cone_system *s = &g->system;
  const int rows = s->dim * s->n;
  double here = INFINITY;
  const int proximal = g->polishes++ % 2;
  double alpha = proximal ? ALPHA_FIRST : ALPHA_LEAST;
  s->natural = 0, s->rho = proximal ? 100.0 : 1.0;
  for (int k = 0, idle = 0; k < POLISH_STEPS && idle <= POLISH_IDLE; k++) {
    if (info->iterations >= options->max_iterations || prc_cone_stopped(options)) return 0;
    for (int i = 0; i < rows; i++) g->second[i] = g->out[i] / s->scale[i / s->dim];
    prc_cone_system_multiply(s, g->second, g->w);
    for (int i = 0; i < rows; i++) g->w[i] += s->b[i];
    prc_cone_system_residual(s, g->second, g->w, g->F);
    prc_cone_system_derive(s, g->second, g->w);
    info->iterations++, info->newton++;
    if (!prc_cone_system_step(s, alpha, g->F, g->dp)) return 0;
    for (int i = 0; i < rows; i++) g->out[i] += g->dp[i] * s->scale[i / s->dim];
    if (keep_best(g, problem, options, p, info)) return 1;
    const double error = prc_cone_verdict(options, &info->error);
    idle = error < here ? 0 : idle + 1;
    if (idle == 0) alpha = fmax(0.1 * alpha, ALPHA_LEAST);
    here = fmin(here, error);
  }
  return 0;
}

/* Percussions inside the cones, up to twice what stops the largest |b| (normal diagonals are one). */
static void draw_start(work_interior *g, prc_random *random) {
  const prc_cone_system *s = &g->system;
  double size = 0.0;
  for (int i = 0; i < s->dim * s->n; i++) size = fmax(size, fabs(s->b[i]));
  size *= pow(10.0, prc_random_uniform(random, -2.0, 1.0));
  for (int c = 0; c < s->n; c++) {
    double *p = g->p + s->dim * c;
    p[0] = prc_random_uniform(random, 0.0, 2.0 * size);
    for (int r = 1; r < s->dim; r++) p[r] = s->mu[c] * p[0] * prc_random_uniform(random, -1.0, 1.0);
  }
}

/* From p and z until steps do not help; polished at times and in the end. */
static int attempt(work_interior *g, const prc_cone_problem *problem, const prc_cone_options *options,
                   int with_slope, double *p, prc_cone_info *info) {
  double here = INFINITY, polished = INFINITY; /* the least error of this attempt; that of the last polish */
  for (int idle = 0; idle < IDLE_MOST && info->iterations < options->max_iterations;) {
    const double length = advance(g, with_slope, info);
    if (!(length > 0.0) || prc_cone_stopped(options)) break;
    projected(g);
    if (keep_best(g, problem, options, p, info)) return 1;
    const double error = prc_cone_verdict(options, &info->error);
    idle = length < SHORT_STEP || !(error < here) ? idle + 1 : 0;
    here = fmin(here, error);
    if (polished == INFINITY) polished = error;
    if (error > POLISH_AFTER * polished) continue;
    polished = error;
    if (polish(g, problem, options, p, info)) return 1;
  }
  if (prc_cone_stopped(options) || !(here < polished)) return 0;
  for (int kind = 0; kind < 2; kind++) {
    projected(g);
    if (polish(g, problem, options, p, info)) return 1;
  }
  return 0;
}

static void interior_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                           double *p, prc_cone_info *info) {
  static const double powers[] = {1.0, 0.5, 0.75, 0.35, 0.5, 0.6, 0.25, 0.9}; /* of the natural map: shifts */
  work_interior *g = work;
  const int rows = problem->dim * problem->n;
  prc_random random = {.state = options->seed + 1};
  int warm = 0;
  info->finished = "interior-point";
  if (prc_cone_system_set(&g->system, problem) != PRC_OK) return;
  g->polishes = 0;
  const prc_cone_measure error = prc_cone_error(problem, p, g->w);
  g->least = prc_cone_verdict(options, &error);
  for (int i = 0; i < rows; i++) g->out[i] = p[i], warm |= p[i] != 0.0;
  if (warm && polish(g, problem, options, p, info)) return;
  for (int k = 0; info->iterations < options->max_iterations && !prc_cone_stopped(options); k++) {
    const int elsewhere = k % 8 > FROM_HERE;
    for (int i = 0; i < rows; i++) g->p[i] = p[i] / g->system.scale[i / problem->dim];
    if (elsewhere) draw_start(g, &random);
    start(g, powers[k % 8]);
    if (attempt(g, problem, options, elsewhere || k % 2 == 0, p, info)) return;
    info->iterations++; /* a start that goes nowhere still counts */
  }
}

const prc_cone_method prc_cone_interior_point = {
    .create = interior_create,
    .solve = interior_solve,
    .free = interior_free,
};
