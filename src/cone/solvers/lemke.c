#include "config.h"
#include "cone/solvers/lemke.h"

#include <math.h>
#include <string.h>

/* A method of Lemke's kind, for 2D and 3D. The problem with b + t d in the place of b, every d_N > 0, has
 * p = 0 as its only solution when t is large. From there its solutions form a path, along which t falls,
 * and also rises where the path turns back, until t = 0. It ends elsewhere only in a ray, where p grows
 * without end; another d gives another path.
 *
 * The path consists of pieces on which no status changes. In a piece the unknowns are t and
 *
 *   open: none;   stick: p, with w = 0;   slip: p_N and the direction e of p_T = mu p_N e, with w_N = 0, e x w_T = 0,
 *
 * and the inequalities w_N >= 0 (open), mu p_N >= |p_T| (stick), p_N >= 0 and -e . w_T >= 0 (slip). The
 * one that becomes an equality ends the piece, its contact changes status, and the inequality that it then
 * has an equality in must become strict: this tells the direction of the next piece, whatever becomes of
 * t. In 2D pieces are straight, and this is Lemke's method for the complementarity problem of Anitescu and
 * Potra (1997), with statuses in the place of a tableau; every system is factored anew, so that rounding
 * does not accumulate. In 3D the path is followed by prediction along the tangent and Newton's method.
 *
 * Contacts are scaled by W_NN^-1/2, as in newton.h, and b by a power of two to the size of t, so that no
 * path depends on units. */

#define PIECES_MOST 100  /* per contact */
#define NEAR        1e-4 /* of the first t */

static void point_free(prc_lemke_point *y) {
  prc_delete(&y->p);
  prc_delete(&y->w);
  prc_delete(&y->e);
}

static prc_status point_create(size_t rows, size_t n, prc_lemke_point *y, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&y->p, rows, err));
  prc_try(prc_new(&y->w, rows, err));
  prc_try(prc_new(&y->e, 2 * n, err));
done:
  return status;
}

static void lemke_free(void **work) {
  prc_lemke *g = *work;
  if (!g) return;
  double **vectors[] = {&g->W, &g->b, &g->d, &g->scale, &g->J, &g->x, &g->tangent};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->status);
  prc_delete(&g->first);
  prc_delete(&g->closed);
  prc_delete(&g->pivots);
  point_free(&g->here);
  point_free(&g->next);
  point_free(&g->rate);
  prc_delete(work);
}

static prc_status lemke_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  prc_lemke *g = NULL;
  const size_t n = (size_t)sizes->n_max, rows = n * (size_t)sizes->dim;
  const double entries = (double)rows * (double)rows;
  prc_try(prc_memory_expect(2.0 * sizeof(double) * entries, "the contact solver lemke", err));
  prc_try(prc_new(&g, 1, err));
  *work = g;
  g->n_max = sizes->n_max;
  prc_try(prc_new(&g->W, rows * rows, err));
  prc_try(prc_new(&g->b, rows, err));
  prc_try(prc_new(&g->d, rows, err));
  prc_try(prc_new(&g->scale, n, err));
  prc_try(prc_new(&g->J, (rows + 1) * (rows + 1), err));
  prc_try(prc_new(&g->x, rows + 1, err));
  prc_try(prc_new(&g->tangent, rows + 1, err));
  prc_try(prc_new(&g->status, n, err));
  prc_try(prc_new(&g->first, n, err));
  prc_try(prc_new(&g->closed, n, err));
  prc_try(prc_new(&g->pivots, rows + 1, err));
  prc_try(point_create(rows, n, &g->here, err));
  prc_try(point_create(rows, n, &g->next, err));
  prc_try(point_create(rows, n, &g->rate, err));
done:
  if (status != PRC_OK) lemke_free(work);
  return status;
}

int prc_cone_lemke_fits(const void *work, const prc_cone_problem *problem) {
  const prc_lemke *g = work;
  return problem->n <= g->n_max;
}

/* ---- the scaled problem --------------------------------------------------------------------- */

void prc_cone_lemke_start(void *work, const prc_cone_problem *problem) {
  prc_lemke *g = work;
  const int n = problem->n, dim = problem->dim;
  const size_t rows = (size_t)dim * (size_t)n;
  const double mean = 1.0 / prc_cone_rho(problem);
  g->dim = dim, g->n = n, g->mu = problem->mu;
  g->random.state = 1, g->paths = 0, g->work = 0.0;
  prc_cone_copy_dense(problem, g->W);
  for (int c = 0; c < n; c++) {
    const double diagonal = g->W[(size_t)dim * (size_t)c * (rows + 1)];
    g->scale[c] = 1.0 / sqrt(diagonal > 1e-6 * mean ? diagonal : mean);
  }
  double largest = 0.0;
  for (size_t i = 0; i < rows; i++) {
    g->b[i] = problem->b[i] * g->scale[i / (size_t)dim];
    largest = fmax(largest, fabs(g->b[i]));
    for (size_t j = 0; j < rows; j++)
      g->W[i * rows + j] *= g->scale[i / (size_t)dim] * g->scale[j / (size_t)dim];
  }
  g->unit = largest > 0.0 && largest < INFINITY ? ldexp(1.0, ilogb(largest)) : 1.0;
  for (size_t i = 0; i < rows; i++) g->b[i] /= g->unit;
  g->w_size = largest / g->unit;
}

/* ---- starts and paths ----------------------------------------------------------------------- */

/* From rest: every contact open, for d drawn at random. Returns the first end of a piece. */
static prc_lemke_condition start_open(prc_lemke *g) {
  const int dim = g->dim, rows = dim * g->n;
  const double spread = prc_random_uniform(&g->random, 0.0, 1.0);
  int first = 0;
  for (int i = 0; i < rows; i++)
    g->d[i] = g->w_size
              * (i % dim == 0 ? prc_random_uniform(&g->random, 0.1, 1.0)
                              : spread * prc_random_uniform(&g->random, -1.0, 1.0));
  g->here.t = 0.0;
  for (int c = 0; c < g->n; c++) {
    const double t = -g->b[dim * c] / g->d[dim * c];
    g->status[c] = OPEN;
    if (t > g->here.t) g->here.t = t, first = c;
  }
  memset(g->here.p, 0, (size_t)rows * sizeof *g->here.p);
  memset(g->here.e, 0, 2 * (size_t)g->n * sizeof *g->here.e);
  prc_lemke_count(g);
  prc_lemke_velocity(g, &g->here);
  return (prc_lemke_condition){g->here.t > 0.0 ? W_N : T_ZERO, first};
}

/* d = w - W p - b and t = 1, of which p and w are a solution */
static void make_solution(prc_lemke *g) {
  const int rows = g->dim * g->n;
  prc_lemke_count(g);
  memcpy(g->d, g->here.w, (size_t)rows * sizeof *g->d);
  prc_lemke_multiply(g, g->here.p, g->here.w);
  for (int i = 0; i < rows; i++) g->d[i] -= g->here.w[i] + g->b[i];
  g->here.t = 1.0;
  prc_lemke_velocity(g, &g->here);
}

/* From a solution drawn at random, of the problem with d = w - W p - b and t = 1: some solutions cannot be
 * reached from rest. */
static void start_anywhere(prc_lemke *g) {
  const int dim = g->dim;
  const double closed = prc_random_uniform(&g->random, 0.0, 1.0),
               stuck = prc_random_uniform(&g->random, 0.0, 1.0),
               size = g->w_size * pow(10.0, prc_random_uniform(&g->random, -1.0, 1.0));
  for (int c = 0; c < g->n; c++) {
    double *p = g->here.p + dim * c, *w = g->here.w + dim * c, *e = g->here.e + 2 * c;
    const double angle = prc_random_uniform(&g->random, 0.0, 6.283185307179586);
    e[0] = dim == 3 ? cos(angle) : angle < 3.141592653589793 ? 1.0 : -1.0;
    e[1] = dim == 3 ? sin(angle) : 0.0;
    for (int r = 0; r < dim; r++) p[r] = w[r] = 0.0;
    g->status[c] = prc_random_uniform(&g->random, 0.0, 1.0) > closed  ? OPEN
                   : prc_random_uniform(&g->random, 0.0, 1.0) < stuck ? STICK
                                                                      : SLIP;
    if (g->status[c] == STICK && !(g->mu[c] > 0.0)) g->status[c] = SLIP;
    const double speed = g->w_size * prc_random_uniform(&g->random, 0.01, 1.0),
                 share = g->status[c] == STICK ? prc_random_uniform(&g->random, 0.0, 1.0) : 1.0;
    if (g->status[c] == OPEN)
      w[0] = g->w_size * prc_random_uniform(&g->random, 0.01, 1.0);
    else
      p[0] = size * prc_random_uniform(&g->random, 0.01, 1.0);
    for (int r = 1; r < dim; r++) {
      p[r] = share * g->mu[c] * p[0] * e[r - 1];
      w[r] = g->status[c] == STICK ? 0.0 : -speed * e[r - 1];
    }
  }
  make_solution(g);
}

/* One path; what it ends at is in p. One in four starts from a random solution, the others from rest.
 * Returns 1 when the path ends where t = 0, or almost. */
int prc_cone_lemke_path(void *work, const prc_cone_options *options, double *p, prc_cone_info *info) {
  prc_lemke *g = work;
  prc_lemke_condition end;
  info->finished = "lemke";
  g->p_size = g->w_size;
  if (g->paths++ % 4 != 2) {
    end = start_open(g);
  } else {
    start_anywhere(g);
    end = prc_lemke_follow(g, (prc_lemke_condition){T_ZERO, 0}, options, info);
  }
  const double t_first = g->here.t;
  for (int pieces = 0; pieces < PIECES_MOST * (1 + g->n) && end.what != T_ZERO && end.what != ARC; pieces++)
    end = prc_lemke_follow(g, prc_lemke_change(g, end), options, info);
  for (int i = 0; i < g->dim * g->n; i++) p[i] = g->here.p[i] * g->scale[i / g->dim] * g->unit;
  return g->here.t <= NEAR * t_first && !prc_lemke_is_unbounded(g);
}

static void lemke_solve(void *work, const prc_cone_problem *problem, const prc_cone_options *options,
                        double *p, prc_cone_info *info) {
  prc_lemke *g = work;
  info->finished = "lemke";
  prc_cone_lemke_start(work, problem);
  while (info->iterations < options->max_iterations && !prc_cone_stopped(options)) {
    const int ended = prc_cone_lemke_path(work, options, p, info);
    info->iterations++;
    if (ended && prc_cone_reached(problem, options, "lemke", p, g->next.w, info)) return;
  }
}

const prc_cone_method prc_cone_lemke = {
    .create = lemke_create,
    .solve = lemke_solve,
    .free = lemke_free,
};
