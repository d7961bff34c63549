#include "config.h"
#include "cone/operators/internal.h"
#include "cone/problem/local.h"

#include <math.h>
#include <string.h>

/* W = G G', as of contacts between rigid bodies: G = H M^-1/2, of a contact 6 numbers a row for either of its two bodies (prc_runs). W is
 * never formed. With v = G'p, the velocities of bodies in the scale of their mass, a contact costs the same however many others its
 * bodies have. Numbers of G are in kg^-1/2. */
#define INLINE PRC_CONE_INLINE
enum { RUN = PRC_CONE_RUN, SIZE = PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST };

static const double *rows_of(const prc_cone_problem *problem, int c) {
  return problem->factors->G + (size_t)(c * problem->dim) * 2 * RUN;
}

static prc_status check(const prc_cone_problem *problem, prc_error *err) {
  const prc_cone_factors *F = problem->factors;
  const size_t run = 2 * PRC_CONE_RUN;
  for (int k = 0; k < 2 * problem->n; k++)
    if (F->run[k] < 0 || F->run[k] > F->n_runs)
      return prc_fail(err, PRC_INPUT, "contact %d touches the run %d, expected 0 to %d", k / 2, F->run[k],
                      F->n_runs);
  for (size_t i = 0; i < (size_t)problem->dim * (size_t)problem->n * run; i++)
    if (!isfinite(F->G[i]))
      return prc_fail(err, PRC_INPUT, "G(%zu, %zu) is %g, expected a finite number", i / run, i % run,
                      F->G[i]);
  return PRC_OK;
}

static void size(const prc_cone_problem *problem, prc_cone_sizes *sizes) {
  sizes->n_runs = problem->factors->n_runs;
}

/* ---- products ------------------------------------------------------------------------------- */

/* v := G'p, p_i = 0 left out */
void prc_cone_factors_pull(const prc_cone_factors *factors, int dim, int n, const double *p, double *v) {
  memset(v, 0, ((size_t)factors->n_runs + 1) * RUN * sizeof *v);
  for (int i = 0; i < dim * n; i++) {
    const double *G = factors->G + (size_t)i * 2 * RUN;
    double *a = v + RUN * factors->run[2 * (i / dim)], *b = v + RUN * factors->run[2 * (i / dim) + 1];
    if (p[i] == 0.0) continue;
    for (int k = 0; k < RUN; k++) a[k] += G[k] * p[i];
    for (int k = 0; k < RUN; k++) b[k] += G[RUN + k] * p[i];
  }
}

/* w += G v */
void prc_cone_factors_push(const prc_cone_factors *factors, int dim, int n, const double *v, double *w) {
  for (int i = 0; i < dim * n; i++) {
    const double *G = factors->G + (size_t)i * 2 * RUN;
    w[i] += prc_cone_dot(RUN, G, v + RUN * factors->run[2 * (i / dim)])
            + prc_cone_dot(RUN, G + RUN, v + RUN * factors->run[2 * (i / dim) + 1]);
  }
}

static void multiply(const prc_cone_problem *problem, const double *p, double *w) {
  prc_cone_factors_pull(problem->factors, problem->dim, problem->n, p, problem->factors->v);
  prc_cone_factors_push(problem->factors, problem->dim, problem->n, problem->factors->v, w);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* W_cj = G_c G_j', sums over the runs that both touch. Returns whether there is one. */
static int couples(const prc_cone_problem *problem, int c, int j, double *block) {
  const prc_cone_factors *F = problem->factors;
  const int dim = problem->dim, *a = F->run + 2 * c, *b = F->run + 2 * j;
  int shared = 0;
  for (int k = 0; k < 4; k++) shared |= a[k / 2] == b[k % 2] && a[k / 2] < F->n_runs;
  for (int e = 0; e < dim * dim && (shared || c == j); e++) {
    const double *x = rows_of(problem, c) + e / dim * 2 * RUN, *y = rows_of(problem, j) + e % dim * 2 * RUN;
    block[e] = 0.0;
    for (int k = 0; k < 4; k++)
      if (a[k / 2] == b[k % 2]) block[e] += prc_cone_dot(RUN, x + RUN * (k / 2), y + RUN * (k % 2));
  }
  return shared || c == j;
}

/* Looks at all contacts: for files and tests. */
static void row(const prc_cone_problem *problem, int c, prc_cone_take *take, void *taker) {
  double block[SIZE];
  for (int j = 0; j < problem->n; j++)
    if (couples(problem, c, j, block)) take(taker, j, block);
}

/* W_cc = G_c G_c', symmetric to the last bit */
INLINE void diagonal_block(const int dim, const double *G, double *W) {
  for (int r = 0; r < dim; r++)
    for (int s = 0; s <= r; s++) {
      double sum = 0.0;
      for (int k = 0; k < 2 * RUN; k++) sum += G[2 * RUN * r + k] * G[2 * RUN * s + k];
      W[dim * r + s] = W[dim * s + r] = sum;
    }
}

static void block(const prc_cone_problem *problem, int c, double *out) {
  diagonal_block(problem->dim, rows_of(problem, c), out);
}

static double diagonal(const prc_cone_problem *problem, int i) {
  const double *G = problem->factors->G + (size_t)i * 2 * RUN;
  return prc_cone_dot(2 * RUN, G, G);
}

/* Contacts of one run are coupled: each with the first that touches it. */
static void couple(const prc_cone_problem *problem, int *first, int *parent, prc_cone_unite *unite) {
  const prc_cone_factors *F = problem->factors;
  for (int k = 0; k <= F->n_runs; k++) first[k] = -1;
  for (int k = 0; k < 2 * problem->n; k++) {
    int *touched = first + F->run[k];
    if (F->run[k] == F->n_runs) continue;
    if (*touched >= 0)
      unite(parent, *touched, k / 2);
    else
      *touched = k / 2;
  }
}

/* ---- sweeps --------------------------------------------------------------------------------- */

typedef struct {
  double *v; /* 6 (n_runs + 1): G'p, carried along */
  double *diagonal,
      *inverse; /* dim^2 n_max: W_cc; its inverse, by which a contact sticks, zeros where it is thin */
} velocities;

static void velocities_free(void **work) {
  velocities *g = *work;
  if (!g) return;
  prc_delete(&g->v);
  prc_delete(&g->diagonal);
  prc_delete(&g->inverse);
  prc_delete(work);
}

static prc_status velocities_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t size = (size_t)sizes->dim * (size_t)sizes->dim * (size_t)sizes->n_max;
  velocities *g = NULL;
  prc_try(prc_new(&g, 1, err));
  *work = g;
  prc_try(prc_new(&g->v, ((size_t)sizes->n_runs + 1) * RUN, err));
  prc_try(prc_new(&g->diagonal, size, err));
  prc_try(prc_new(&g->inverse, size, err));
done:
  if (status != PRC_OK) velocities_free(work);
  return status;
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

INLINE void fill_blocks(const int dim, velocities *g, const prc_cone_problem *problem) {
  const int size = dim * dim;
  for (int c = 0; c < problem->n; c++) {
    double *W = g->diagonal + (size_t)c * (size_t)size, *inverse = g->inverse + (size_t)c * (size_t)size;
    diagonal_block(dim, problem->factors->G + (size_t)(c * dim) * 2 * RUN, W);
    if (!invert(dim, W, inverse)) memset(inverse, 0, (size_t)size * sizeof *inverse);
  }
}

/* v of p, and W_cc */
static void begin(void *work, const prc_cone_problem *problem, const double *p, double *w) {
  velocities *g = work;
  (void)w;
  prc_cone_factors_pull(problem->factors, problem->dim, problem->n, p, g->v);
  if (problem->dim == 3)
    fill_blocks(3, g, problem);
  else
    fill_blocks(problem->dim, g, problem);
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

/* For each contact: w_c := b_c + G_c v, p_c := the solution of w_c = W_cc p_c + (w_c - W_cc p_c), v += G_c' (change of p_c). */
INLINE void sweep_velocities(const int dim, velocities *g, const prc_cone_problem *problem,
                             const prc_cone_sweep *sweep, double *p, double *change) {
  const prc_cone_factors *factors = problem->factors;
  for (int k = 0; k < sweep->n; k++) {
    const int c = sweep->list[k];
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
    prc_cone_relax(dim, mu, sweep->relaxation, here, next);
    for (int r = 0; r < dim; r++) {
      const double d = next[r] - here[r];
      d2 += d * d, here[r] = next[r];
      w[r] = d;
    }
    if (d2 == 0.0) continue;
    change[sweep->island[c]] += d2;
    for (int i = 0; i < RUN; i++) {
      double to_a = 0.0, to_b = 0.0;
      for (int r = 0; r < dim; r++)
        to_a += G[2 * RUN * r + i] * w[r], to_b += G[2 * RUN * r + RUN + i] * w[r];
      a[i] += to_a, b[i] += to_b;
    }
  }
}

static void sweep(void *work, const prc_cone_problem *problem, const prc_cone_sweep *sweep, double *p,
                  double *w, double *change) {
  velocities *g = work;
  (void)w;
  if (problem->dim == 3)
    sweep_velocities(3, g, problem, sweep, p, change);
  else if (problem->dim == 4)
    sweep_velocities(4, g, problem, sweep, p, change);
  else
    sweep_velocities(problem->dim, g, problem, sweep, p, change);
}

static const prc_cone_sweeper sweeper = {
    .create = velocities_create, .free = velocities_free, .begin = begin, .sweep = sweep};

const prc_cone_operator prc_cone_by_runs = {
    .name = "as G G'",
    .check = check,
    .size = size,
    .multiply = multiply,
    .block = block,
    .diagonal = diagonal,
    .row = row,
    .couple = couple,
    .sweeper = &sweeper,
    .algebra = &prc_cone_system_of_bodies,
    .cost = PRC_CONE_COSTS_BODIES,
    .ends_in_cones = 1,
};
