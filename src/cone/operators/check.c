#include "config.h"
#include "cone/operators/internal.h"
#include "cone/problem/local.h"

#include <math.h>
#include <string.h>

/* The battery of a storage: every function of a row against the same W as a dense matrix. Numbers are drawn from a fixed seed. */

enum { SIZE = PRC_CONE_DIM_MOST * PRC_CONE_DIM_MOST };

typedef struct {
  const prc_cone_problem *problem;
  const prc_cone_operator *row;
  const double *W; /* (dim n)^2, by rows */
  int dim, n, rows;
  double tolerance, size; /* size: max |W_ij| */
  prc_random random;
  prc_error *err;
  double *p, *w, *expected, *other, *change; /* rows each */
  double *A, *B;                             /* dim^2 n */
  int *list, *island, *room;                 /* n each; n_runs + 1 */
  char *met;                                 /* n */
  double *open_step;                         /* rows */
} battery;

static void battery_free(battery *g) {
  double **vectors[] = {&g->p, &g->w, &g->expected, &g->other, &g->change, &g->A, &g->B, &g->open_step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(&g->list);
  prc_delete(&g->island);
  prc_delete(&g->room);
  prc_delete(&g->met);
}

static prc_status battery_create(battery *g, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t rows = (size_t)g->rows;
  const prc_cone_sizes sizes = prc_cone_sizes_of(g->problem);
  double **vectors[] = {&g->p, &g->w, &g->expected, &g->other, &g->change, &g->open_step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_try(prc_new(vectors[i], rows, err));
  prc_try(prc_new(&g->A, rows * (size_t)g->dim, err));
  prc_try(prc_new(&g->B, rows * (size_t)g->dim, err));
  prc_try(prc_new(&g->list, g->n, err));
  prc_try(prc_new(&g->island, g->n, err));
  prc_try(prc_new(&g->room, (size_t)sizes.n_runs + 1, err));
  prc_try(prc_new(&g->met, g->n, err));
done:
  return status;
}

static double entry(const battery *g, int i, int j) {
  return g->W[(size_t)i * (size_t)g->rows + (size_t)j];
}

static double draw(battery *g) {
  return prc_random_uniform(&g->random, -1.0, 1.0);
}

/* expected += W p, or W' p */
static void add_expected(battery *g, int transposed) {
  for (int i = 0; i < g->rows; i++)
    for (int j = 0; j < g->rows; j++)
      g->expected[i] += (transposed ? entry(g, j, i) : entry(g, i, j)) * g->p[j];
}

/* g->w against g->expected, both of the size of W times `times` */
static prc_status compare(const battery *g, const char *function, double times) {
  for (int i = 0; i < g->rows; i++)
    if (!(fabs(g->w[i] - g->expected[i]) <= g->tolerance * (1.0 + g->size) * times))
      return prc_fail(g->err, PRC_INPUT, "%s of the storage '%s': row %d is %.17g, expected %.17g", function,
                      g->row->name, i, g->w[i], g->expected[i]);
  return PRC_OK;
}

/* ---- products ------------------------------------------------------------------------------- */

typedef void product(const prc_cone_problem *problem, const double *p, double *w);

static prc_status check_product(battery *g, const char *name, product *multiply, int adds, int transposed) {
  prc_status status = PRC_OK;
  for (int k = -3; k < g->rows; k++) { /* three p at random, half of them zeros, and all unit vectors */
    for (int i = 0; i < g->rows; i++) {
      g->p[i] = k >= 0 ? (i == k) : draw(g) > 0.0 ? draw(g) : 0.0;
      g->w[i] = draw(g);
      g->expected[i] = adds ? g->w[i] : 0.0;
    }
    add_expected(g, transposed);
    multiply(g->problem, g->p, g->w);
    prc_try(compare(g, name, g->rows));
  }
done:
  return status;
}

static prc_status check_products(battery *g) {
  prc_status status = PRC_OK;
  prc_try(check_product(g, "multiply", g->row->multiply, 1, 0));
  if (g->row->multiply_fast) prc_try(check_product(g, "multiply_fast", g->row->multiply_fast, 1, 0));
  prc_try(check_product(
      g, g->row->multiply_transposed ? "multiply_transposed" : "multiply (no multiply_transposed: symmetric)",
      prc_cone_multiply_transposed, 0, 1));
done:
  return status;
}

/* ---- entries -------------------------------------------------------------------------------- */

static prc_status check_entry(const battery *g, const char *function, double value, int i, int j) {
  if (fabs(value - entry(g, i, j)) <= g->tolerance * g->size) return PRC_OK;
  return prc_fail(g->err, PRC_INPUT, "%s of the storage '%s': W(%d, %d) is %.17g, expected %.17g", function,
                  g->row->name, i, j, value, entry(g, i, j));
}

static prc_status check_diagonal(battery *g) {
  prc_status status = PRC_OK;
  const int dim = g->dim;
  double block[SIZE];
  for (int c = 0; c < g->n; c++) {
    g->row->block(g->problem, c, block);
    for (int e = 0; e < dim * dim && !g->row->diagonal_is_scale; e++)
      prc_try(check_entry(g, "block", block[e], dim * c + e / dim, dim * c + e % dim));
    for (int r = 0; r < dim; r++) {
      const double here = prc_cone_diagonal(g->problem, dim * c + r), same = block[r * (dim + 1)];
      if (fabs(here - same) <= g->tolerance * g->size) continue;
      prc_try(prc_fail(g->err, PRC_INPUT,
                       "diagonal of the storage '%s': W(%d, %d) is %.17g, expected that of block, %.17g",
                       g->row->name, dim * c + r, dim * c + r, here, same));
    }
  }
done:
  return status;
}

/* One row of W as it is handed out. */
typedef struct {
  battery *g;
  int c, last; /* the last column, -1 */
  prc_status status;
} reading;

static void read_block(void *taker, int column, const double *block) {
  reading *r = taker;
  battery *g = r->g;
  const int dim = g->dim;
  if (r->status != PRC_OK) return;
  if (column <= r->last || column >= g->n) {
    r->status =
        prc_fail(g->err, PRC_INPUT,
                 "row of the storage '%s': row %d has column %d behind %d, expected ascending below %d",
                 g->row->name, r->c, column, r->last, g->n);
    return;
  }
  r->last = column, g->met[column] = 1;
  for (int e = 0; e < dim * dim && r->status == PRC_OK; e++)
    r->status = check_entry(g, "row", block[e], dim * r->c + e / dim, dim * column + e % dim);
}

static prc_status check_rows(battery *g) {
  prc_status status = PRC_OK;
  const int dim = g->dim;
  size_t count = 0;
  if (!g->row->row) return PRC_OK;
  for (int c = 0; c < g->n; c++) {
    reading r = {.g = g, .c = c, .last = -1};
    memset(g->met, 0, (size_t)g->n);
    g->row->row(g->problem, c, read_block, &r);
    prc_try(r.status);
    if (!g->met[c])
      prc_try(prc_fail(g->err, PRC_INPUT, "row of the storage '%s': row %d has no diagonal block",
                       g->row->name, c));
    for (int j = 0; j < g->n; j++) {
      count += g->met[j] != 0;
      for (int e = 0; e < dim * dim && !g->met[j]; e++)
        prc_try(check_entry(g, "row", 0.0, dim * c + e / dim, dim * j + e % dim));
    }
  }
  if (g->row->forms && count > prc_cone_sizes_of(g->problem).n_blocks)
    prc_try(prc_fail(g->err, PRC_INPUT, "size of the storage '%s': %zu blocks, expected at least %zu",
                     g->row->name, prc_cone_sizes_of(g->problem).n_blocks, count));
  for (int i = 0; g->row->dense && i < g->rows * g->rows; i++)
    prc_try(check_entry(g, "dense", g->row->dense(g->problem)[i], i / g->rows, i % g->rows));
done:
  return status;
}

static void unite(int *parent, int c, int d) {
  while (parent[c] != c) c = parent[c];
  while (parent[d] != d) d = parent[d];
  if (c < d)
    parent[d] = c;
  else
    parent[c] = d;
}

/* Between two islands W is zero. */
static prc_status check_islands(battery *g) {
  prc_status status = PRC_OK;
  const int dim = g->dim;
  for (int c = 0; c < g->n; c++) g->island[c] = g->row->couple ? c : 0;
  if (!g->row->couple) return PRC_OK;
  g->row->couple(g->problem, g->room, g->island, unite);
  for (int c = 0; c < g->n; c++)
    while (g->island[c] != g->island[g->island[c]]) g->island[c] = g->island[g->island[c]];
  for (int c = 0; c < g->n; c++)
    for (int j = 0; j < g->n; j++)
      for (int e = 0; e < dim * dim && g->island[c] != g->island[j]; e++)
        prc_try(check_entry(g, "couple", 0.0, dim * c + e / dim, dim * j + e % dim));
done:
  return status;
}

/* ---- sweeps --------------------------------------------------------------------------------- */

/* A sweep of the dense matrix over g->list from g->other; its change goes to g->expected by islands. */
static void sweep_dense(battery *g, const prc_cone_sweep *sweep) {
  const int dim = g->dim;
  for (int k = 0; k < sweep->n; k++) {
    const int c = sweep->list[k];
    double W[SIZE], q[PRC_CONE_DIM_MOST] = {0.0}, next[PRC_CONE_DIM_MOST] = {0.0}, *here = g->other + dim * c;
    for (int r = 0; r < dim; r++) {
      q[r] = g->problem->b[dim * c + r], next[r] = here[r];
      for (int j = 0; j < g->rows; j++)
        if (j / dim != c) q[r] += entry(g, dim * c + r, j) * g->other[j];
      for (int d = 0; d < dim; d++) W[dim * r + d] = entry(g, dim * c + r, dim * c + d);
    }
    prc_cone_local(dim, W, q, g->problem->mu[c], next);
    prc_cone_relax(dim, g->problem->mu[c], sweep->relaxation, here, next);
    for (int r = 0; r < dim; r++) {
      g->expected[g->island[c]] += (next[r] - here[r]) * (next[r] - here[r]);
      here[r] = next[r];
    }
  }
}

/* Local problems of thin blocks lose digits: to the root of the tolerance. */
static prc_status compare_sweep(const battery *g, int number) {
  const double size = fmax(prc_cone_largest(g->rows, g->other), 1.0), near = sqrt(g->tolerance);
  for (int i = 0; i < g->rows; i++)
    if (!(fabs(g->p[i] - g->other[i]) <= near * size))
      return prc_fail(g->err, PRC_INPUT,
                      "sweep %d of the storage '%s': p(%d) is %.17g, expected %.17g of Gauss-Seidel", number,
                      g->row->name, i, g->p[i], g->other[i]);
  for (int c = 0; c < g->n; c++)
    if (!(fabs(g->change[c] - g->expected[c]) <= near * size * size))
      return prc_fail(g->err, PRC_INPUT,
                      "sweep %d of the storage '%s': island %d changes by %.17g, expected %.17g", number,
                      g->row->name, c, g->change[c], g->expected[c]);
  return PRC_OK;
}

/* All contacts in their order, then half of them backwards, with relaxation; w is W p + b anew in between, as after a measure. */
static prc_status check_sweeps(battery *g) {
  prc_status status = PRC_OK;
  const prc_cone_sweeper *sweeper = prc_cone_sweeper_of(g->row);
  const prc_cone_sizes sizes = prc_cone_sizes_of(g->problem);
  void *work = NULL;
  if (!sweeper) return PRC_OK;
  prc_try(sweeper->create(&sizes, &work, g->err));
  for (int i = 0; i < g->rows; i++) g->p[i] = i % g->dim == 0 ? draw(g) + 1.0 : 0.0;
  memcpy(g->other, g->p, (size_t)g->rows * sizeof *g->p);
  sweeper->begin(work, g->problem, g->p, g->w);
  for (int k = 0; k < 4; k++) {
    const prc_cone_sweep sweep = {k < 2 ? g->n : (g->n + 1) / 2, g->list, g->island, k < 2 ? 1.0 : 0.7};
    for (int c = 0; c < g->n; c++) g->list[c] = k < 2 ? c : g->n - 1 - c;
    memset(g->change, 0, (size_t)g->rows * sizeof *g->change);
    memset(g->expected, 0, (size_t)g->rows * sizeof *g->expected);
    sweeper->sweep(work, g->problem, &sweep, g->p, g->w, g->change);
    sweep_dense(g, &sweep);
    prc_try(compare_sweep(g, k));
    if (k == 1) prc_cone_velocity(g->problem, g->p, g->w);
  }
done:
  sweeper->free(&work);
  return status;
}

/* ---- Newton's systems ------------------------------------------------------------------------- */

/* Blocks A and B near the identity; every third contact open when `opens`. */
static void draw_jacobian(battery *g, int opens, char *open) {
  const int dim = g->dim, size = dim * dim;
  for (int c = 0; c < g->n; c++) {
    open[c] = (char)(opens && c % 3 == 1);
    for (int e = 0; e < size; e++) {
      const double one = e % (dim + 1) == 0;
      g->A[size * c + e] = open[c] ? one : one + 0.1 * draw(g);
      g->B[size * c + e] = open[c] ? 0.0 : one + 0.1 * draw(g);
    }
  }
}

/* w := (A + B (S W S + alpha)) x, x = g->p, of the dense matrix; s: other */
static void multiply_jacobian(battery *g, double alpha, const double *scale) {
  const int dim = g->dim;
  for (int i = 0; i < g->rows; i++) {
    g->other[i] = alpha * g->p[i];
    for (int j = 0; j < g->rows; j++)
      g->other[i] += scale[i / dim] * entry(g, i, j) * scale[j / dim] * g->p[j];
  }
  for (int i = 0; i < g->rows; i++)
    g->w[i] = prc_cone_dot(dim, g->A + dim * i, g->p + dim * (i / dim))
              + prc_cone_dot(dim, g->B + dim * i, g->other + dim * (i / dim));
}

#define DEFECT 1e-6 /* of the right-hand side: what the methods accept of a step */

static prc_status check_step(battery *g, const char *function, double alpha, const double *scale,
                             const double *F) {
  multiply_jacobian(g, alpha, scale);
  const double size = prc_cone_largest(g->rows, F);
  for (int i = 0; i < g->rows; i++)
    if (!(fabs(g->w[i] + F[i]) <= DEFECT * size))
      return prc_fail(g->err, PRC_INPUT,
                      "%s of the storage '%s': row %d of (A + B (W' + alpha)) step is %.17g, expected %.17g",
                      function, g->row->name, i, g->w[i], -F[i]);
  return PRC_OK;
}

static prc_status check_multiply_scaled(battery *g, const prc_cone_algebra *algebra, void *work,
                                        const double *scale) {
  const int dim = g->dim;
  for (int i = 0; i < g->rows; i++) g->p[i] = draw(g), g->expected[i] = 0.0;
  for (int i = 0; i < g->rows; i++)
    for (int j = 0; j < g->rows; j++)
      g->expected[i] += scale[i / dim] * entry(g, i, j) * scale[j / dim] * g->p[j];
  algebra->multiply(work, g->p, g->w);
  return compare(g, "algebra.multiply", 4.0 * g->rows); /* scales are below 2 */
}

static prc_status check_algebra(battery *g) {
  prc_status status = PRC_OK;
  const prc_cone_algebra *algebra = prc_cone_algebra_of(g->row);
  const prc_cone_sizes sizes = prc_cone_sizes_of(g->problem);
  const double alpha = 1e-2;
  double *scale = g->change, *F = g->open_step;
  void *work = NULL;
  if (!algebra) return PRC_OK;
  prc_try(algebra->create(&sizes, &work, g->err));
  for (int c = 0; c < g->n; c++) scale[c] = 1.0 + 0.5 * draw(g);
  if (algebra->set(work, g->problem, scale) != PRC_OK)
    prc_try(prc_fail(g->err, PRC_INPUT, "algebra.set of the storage '%s' fails", g->row->name));
  prc_try(check_multiply_scaled(g, algebra, work, scale));
  for (int opens = 1; opens >= 0; opens--)
    for (int again = 0; again < 2 - opens; again++) {
      const prc_cone_jacobian at = {g->dim, g->n, g->A, g->B, g->met, alpha};
      int solved;
      if (!again) draw_jacobian(g, opens, g->met);
      for (int i = 0; i < g->rows; i++) F[i] = draw(g);
      solved = (again && algebra->step_again ? algebra->step_again : algebra->step)(work, &at, F, g->p);
      if (!solved)
        prc_try(prc_fail(g->err, PRC_INPUT,
                         "algebra.step of the storage '%s' calls a regular matrix singular", g->row->name));
      prc_try(check_step(g, again ? "algebra.step_again" : "algebra.step", alpha, scale, F));
    }
done:
  algebra->free(&work);
  return status;
}

/* ---- all of them ------------------------------------------------------------------------------ */

static prc_status check_row(const prc_cone_operator *row, prc_error *err) {
  const char *missing = !row->name ? "name" : !row->multiply ? "multiply" : !row->block ? "block" : NULL;
  if (missing) return prc_fail(err, PRC_INPUT, "the storage of W lacks %s", missing);
  if (row->forms && !row->row)
    return prc_fail(err, PRC_INPUT, "the storage '%s' forms W, but has no function row", row->name);
  return PRC_OK;
}

prc_status prc_operator_check(const prc_cone_problem *problem, const double *W, double tolerance,
                              prc_error *err) {
  prc_status status = PRC_OK;
  prc_need(problem, err);
  prc_need(W, err);
  battery g = {.problem = problem, .row = prc_cone_operator_of(problem), .W = W, .tolerance = tolerance};
  g.dim = problem->dim, g.n = problem->n, g.rows = problem->dim * problem->n, g.err = err;
  g.random.state = 1;
  prc_try(check_row(g.row, err));
  prc_try(prc_cone_problem_check(problem, err));
  prc_try(battery_create(&g, err));
  for (int i = 0; i < g.rows * g.rows; i++) g.size = fmax(g.size, fabs(W[i]));
  prc_try(check_products(&g));
  prc_try(check_diagonal(&g));
  prc_try(check_rows(&g));
  prc_try(check_islands(&g));
  prc_try(check_sweeps(&g));
  prc_try(check_algebra(&g));
done:
  battery_free(&g);
  return status;
}
