#include "config.h"
#include "cone/problem/speed.h"
#include "cone/solvers/newton.h"

#include <math.h>
#include <string.h>

/* Two functions whose zeros solve the contact problem, and their derivatives. With z = p - rho w:
 *
 * Alart and Curnier (1991):  F_N = p_N - max(0, z_N),  F_T = p_T - (projection of z_T on the disc of
 * radius mu max(0, z_N)); the natural map:           F = p - proj_K(p - rho Phi(w)).
 *
 * Where friction is large, mu z_N has mu times the rounding of w_N. There the radius is mu p_N, which has
 * the same zeros (Jean 1999), as soon as the contact pushes; and this stands in for the natural map, which
 * loses u_N. */

static int is_large(double mu) {
  return mu > PRC_CONE_COUPLED_MOST;
}

/* Is the disc's radius mu p_N? Else it is mu z_N. */
static int is_held(double mu, double p_n) {
  return is_large(mu) && p_n > 0.0;
}

static int is_natural(const prc_cone_system *g, int c) {
  return g->natural && !g->rubs && !is_large(g->mu[c]);
}

/* The disc of friction where z_N > 0, and how its radius R follows t = |z_T| and n, z_N or p_N. Where mu depends on the speed V,
 *
 *   R = mu(V) n,   R + rho V = t:   dR = (1 - beta) mu dn + beta dt,   beta = n mu' / (n mu' + rho),
 *
 * which is what p_T would have to be for z_T to be p_T - rho w_T of a pair that the law allows; beta = 0 is a mu that is a number, beta = 1
 * sticks. */
typedef struct {
  int sticks, held;
  double radius, mu, beta;
} disc;

static disc disc_of(const prc_cone_system *g, int c, double n, double t, int held) {
  const double mu = g->mu[c];
  if (!g->rubs) return (disc){.sticks = t <= mu * n, .held = held, .radius = mu * n, .mu = mu};
  prc_cone_rub rub = {.problem = g->rubs, .c = c, .unit = 1.0 / g->scale[c]};
  rub.S = 1.0 / g->rho, rub.normal = n, rub.d = t / g->rho;
  const double V = prc_cone_rub_speed(&rub), rate = fmax(n * rub.slope, 0.0);
  disc of = {.held = held,
             .radius = rub.mu * n,
             .mu = rub.mu,
             .beta = rate < INFINITY ? rate / (rate + g->rho) : 1.0};
  of.sticks = !(V > 0.0) && (rub.mu > 0.0 || of.beta == 1.0);
  return of;
}

static disc disc_at(const prc_cone_system *g, int c, const double *p, const double *z) {
  const int held = is_held(g->mu[c], p[0]);
  return disc_of(g, c, held ? p[0] : z[0], prc_cone_tangential(g->dim, z), held);
}

static void alart_curnier(const prc_cone_system *g, int c, const double *p, const double *w, double *F) {
  const int dim = g->dim;
  const double rho = g->rho;
  double z[PRC_CONE_DIM_MOST] = {0.0};
  for (int r = 0; r < dim; r++) z[r] = p[r] - rho * w[r];
  if (z[0] <= 0.0) {
    for (int r = 0; r < dim; r++) F[r] = p[r];
    return;
  }
  const disc of = disc_at(g, c, p, z);
  const double t = prc_cone_tangential(dim, z), share = t > 0.0 ? of.radius / t : 0.0;
  F[0] = rho * w[0];
  for (int r = 1; r < dim; r++) F[r] = of.sticks ? rho * w[r] : p[r] - share * z[r];
}

static void natural_map(int dim, double rho, double mu, const double *p, const double *w, double *F) {
  double z[PRC_CONE_DIM_MOST] = {0.0};
  z[0] = p[0] - rho * (w[0] + mu * prc_cone_tangential(dim, w));
  for (int r = 1; r < dim; r++) z[r] = p[r] - rho * w[r];
  prc_cone_project(dim, mu, z);
  for (int r = 0; r < dim; r++) F[r] = p[r] - z[r];
}

double prc_cone_system_residual(const prc_cone_system *g, const double *p, const double *w, double *F) {
  const int dim = g->dim;
  double sum = 0.0;
  for (int c = 0; c < g->n; c++) {
    const int first = dim * c;
    if (is_natural(g, c))
      natural_map(dim, g->rho, g->mu[c], p + first, w + first, F + first);
    else
      alart_curnier(g, c, p + first, w + first, F + first);
    for (int r = 0; r < dim; r++) sum += F[first + r] * F[first + r];
  }
  return sum;
}

/* Slip, with d = z_T / |z_T| and the radius R of the disc: dF_T = dp_T - d dR - (R / |z_T|) (1 - d d') dz_T, dz = dp - rho dw.
 * Without friction every p_T slips, also where z_T is zero. Returns 1 when the contact is open. */
static int derive_alart_curnier(const prc_cone_system *g, int c, const double *p, const double *w, double *A,
                                double *B) {
  const int dim = g->dim;
  const double rho = g->rho;
  double z[PRC_CONE_DIM_MOST] = {0.0};
  for (int r = 0; r < dim; r++) z[r] = p[r] - rho * w[r];
  if (z[0] <= 0.0) return 1;
  const disc of = disc_at(g, c, p, z);
  const double t = prc_cone_tangential(dim, z), mu = (1.0 - of.beta) * of.mu;
  B[0] = rho;
  for (int r = 1; r < dim; r++) {
    if (of.sticks && (of.mu > 0.0 || of.beta > 0.0)) {
      B[dim * r + r] = rho;
      continue;
    }
    if (!(t > 0.0) || (!(of.mu > 0.0) && !(of.beta > 0.0))) {
      A[dim * r + r] = 1.0 - of.beta;
      B[dim * r + r] = rho * of.beta;
      continue;
    }
    A[dim * r] = -mu * z[r] / t;
    B[dim * r] = of.held ? 0.0 : rho * mu * z[r] / t;
    for (int j = 1; j < dim; j++) {
      const double along = z[r] / t * z[j] / t,
                   turn = (dim <= 2 ? 0.0 : of.radius / t * ((r == j) - along)) + of.beta * along;
      A[dim * r + j] = (r == j) - turn;
      B[dim * r + j] = rho * turn;
    }
  }
  return 0;
}

/* V, the derivative of the projection at z, neither inside the polar cone. On the edge, with s = (z_N + mu
 * |z_T|) / (1 + mu^2) and d = z_T / |z_T|: (s, mu s d) has ds = (dz_N + mu d.dz_T) / (1 + mu^2), dd = (1 -
 * d d') dz_T / |z_T|. */
static void derive_projection(int dim, double mu, const double *z, double *V) {
  const double t = prc_cone_tangential(dim, z), m = 1.0 / (1.0 + mu * mu), s = (z[0] + mu * t) * m;
  for (int r = 0; r < dim; r++)
    for (int j = 0; j < dim; j++) {
      if (!(mu > 0.0))
        V[dim * r + j] = r == 0 && j == 0;
      else if (t <= mu * z[0])
        V[dim * r + j] = r == j;
      else if (r == 0 || j == 0)
        V[dim * r + j] = r == j ? m : mu * m * z[r + j] / t;
      else
        V[dim * r + j] = mu * mu * m * (z[r] / t) * (z[j] / t)
                         + (dim <= 2 ? 0.0 : mu * s / t * ((r == j) - z[r] / t * z[j] / t));
    }
}

/* dF = dp - V (dp - rho (dw + mu e_N (w_T / |w_T|) . dw_T)) */
static int derive_natural_map(int dim, double rho, double mu, const double *p, const double *w, double *A,
                              double *B) {
  const double speed = prc_cone_tangential(dim, w);
  double z[PRC_CONE_DIM_MOST] = {0.0}, V[PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST] = {0.0};
  z[0] = p[0] - rho * (w[0] + mu * speed);
  for (int r = 1; r < dim; r++) z[r] = p[r] - rho * w[r];
  if (z[0] + mu * prc_cone_tangential(dim, z) <= 0.0) return 1;
  derive_projection(dim, mu, z, V);
  for (int r = 0; r < dim; r++)
    for (int j = 0; j < dim; j++) {
      A[dim * r + j] = (r == j) - V[dim * r + j];
      B[dim * r + j] = rho * (V[dim * r + j] + (j > 0 && speed > 0.0 ? V[dim * r] * mu * w[j] / speed : 0.0));
    }
  return 0;
}

void prc_cone_system_derive(prc_cone_system *g, const double *p, const double *w) {
  const int dim = g->dim, size = dim * dim;
  memset(g->A, 0, (size_t)(size * g->n) * sizeof *g->A);
  memset(g->B, 0, (size_t)(size * g->n) * sizeof *g->B);
  for (int c = 0; c < g->n; c++) {
    const double *pc = p + dim * c, *wc = w + dim * c;
    double *A = g->A + size * c, *B = g->B + size * c;
    g->open[c] = (char)(is_natural(g, c) ? derive_natural_map(dim, g->rho, g->mu[c], pc, wc, A, B)
                                         : derive_alart_curnier(g, c, pc, wc, A, B));
    for (int r = 0; r < dim && g->open[c]; r++) A[dim * r + r] = 1.0;
  }
}
