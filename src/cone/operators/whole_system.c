#include "config.h"
#include "cone/operators/internal.h"
#include "linear/linear.h"

#include <stdlib.h>
#include <string.h>

/* Newton's system of a problem in global form, for velocities and percussions together,
 *
 *   [   M        -H S      ] [dv]   [ 0 ]
 *   [ B S H'   A + alpha B ] [dp] = [-F ],      S = diag(scale),
 *
 * in rows, sparse: its order is analysed once, entries that happen to be zero stay in the pattern. */
typedef struct {
  int dim, n;
  const prc_cone_whole *problem;
  const double *scale; /* n, of the caller */
  double *scaled;      /* dim n: S x */
  int *start, *column; /* by rows */
  int *seen;           /* n_velocities: the contact whose rows have this column */
  double *x;           /* values */
  double *solution;    /* n_velocities + dim n */
  double *gathered;    /* n_velocities: a row of B S H' */
  int *Ht_start, *Ht_column;
  double *Ht; /* H by rows */
  prc_lu *lu;
  int is_analysed;
} all;

static void all_free(void **work) {
  all *g = *work;
  if (!g) return;
  prc_lu_free(&g->lu);
  int **lists[] = {&g->start, &g->column, &g->seen, &g->Ht_start, &g->Ht_column};
  double **vectors[] = {&g->x, &g->solution, &g->gathered, &g->Ht, &g->scaled};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(work);
}

/* H by rows, by counting. */
static void transpose(all *g, int rows) {
  const prc_cone_whole *P = g->problem;
  for (int k = 0; k < P->H_start[rows]; k++) g->Ht_start[P->H_row[k] + 1]++;
  for (int r = 0; r < P->n_velocities; r++) g->Ht_start[r + 1] += g->Ht_start[r];
  for (int j = 0; j < rows; j++)
    for (int k = P->H_start[j]; k < P->H_start[j + 1]; k++) {
      const int place = g->Ht_start[P->H_row[k]]++; /* the start moves on to the end */
      g->Ht_column[place] = j, g->Ht[place] = P->H[k];
    }
  for (int r = P->n_velocities; r > 0; r--) g->Ht_start[r] = g->Ht_start[r - 1];
  g->Ht_start[0] = 0;
}

static int ascending(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The velocities that contact c sees, each once and ascending, in `column` from e on. Returns how many. */
static int list_velocities(all *g, int dim, int c, int e) {
  const prc_cone_whole *P = g->problem;
  int count = 0;
  for (int k = P->H_start[dim * c]; k < P->H_start[dim * c + dim]; k++) {
    if (g->seen[P->H_row[k]] == c + 1) continue;
    g->seen[P->H_row[k]] = c + 1;
    g->column[e + count++] = P->H_row[k];
  }
  qsort(g->column + e, (size_t)count, sizeof *g->column, ascending);
  return count;
}

/* The places of all entries; M and those of contact rows are followed by the columns of percussions. */
static void lay_out(all *g, int dim, int n) {
  const prc_cone_whole *P = g->problem;
  const int nv = P->n_velocities;
  int e = 0;
  for (int r = 0; r < nv; r++) {
    g->start[r] = e;
    for (int k = P->M_start[r]; k < P->M_start[r + 1]; k++) g->column[e++] = P->M_column[k];
    for (int k = g->Ht_start[r]; k < g->Ht_start[r + 1]; k++) g->column[e++] = nv + g->Ht_column[k];
  }
  for (int c = 0; c < n; c++) {
    const int first = e, count = list_velocities(g, dim, c, e);
    for (int r = 0; r < dim; r++) {
      g->start[nv + dim * c + r] = e;
      if (r > 0) memcpy(g->column + e, g->column + first, (size_t)count * sizeof *g->column);
      e += count;
      for (int d = 0; d < dim; d++) g->column[e++] = nv + dim * c + d;
    }
  }
  g->start[nv + dim * n] = e;
}

static prc_status all_create(const prc_cone_sizes *sizes, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  all *g = NULL;
  const prc_cone_whole *problem = sizes->owner;
  const int dim = sizes->dim, n = sizes->n_max;
  const size_t nv = (size_t)problem->n_velocities, rows = (size_t)dim * (size_t)n,
               nM = (size_t)problem->M_start[nv], nH = (size_t)problem->H_start[rows];
  prc_try(prc_new(&g, 1, err));
  *work = g;
  g->problem = problem, g->dim = dim;
  prc_try(prc_new(&g->scaled, rows, err));
  prc_try(prc_new(&g->start, nv + rows + 1, err));
  prc_try(prc_new(&g->column, nM + (1 + (size_t)dim) * nH + (size_t)dim * rows, err));
  prc_try(prc_new(&g->x, nM + (1 + (size_t)dim) * nH + (size_t)dim * rows, err));
  prc_try(prc_new(&g->seen, nv, err));
  prc_try(prc_new(&g->solution, nv + rows, err));
  prc_try(prc_new(&g->gathered, nv, err));
  prc_try(prc_new(&g->Ht_start, nv + 1, err));
  prc_try(prc_new(&g->Ht_column, nH, err));
  prc_try(prc_new(&g->Ht, nH, err));
  prc_try(
      prc_lu_create(&(prc_lu_options){.n_max = (int)(nv + rows), .symmetric = 1, .refine = 1}, &g->lu, err));
  transpose(g, (int)rows);
  lay_out(g, dim, n);
done:
  if (status != PRC_OK) all_free(work);
  return status;
}

static void fill_motion(all *g, int dim, const double *scale) {
  const prc_cone_whole *P = g->problem;
  double *x = g->x;
  for (int r = 0; r < P->n_velocities; r++) {
    for (int k = P->M_start[r]; k < P->M_start[r + 1]; k++) *x++ = P->M[k];
    for (int k = g->Ht_start[r]; k < g->Ht_start[r + 1]; k++) *x++ = -g->Ht[k] * scale[g->Ht_column[k] / dim];
  }
}

/* Row r of B S H' of contact c, gathered where its velocities are, then the row of A + alpha B. */
static void fill_contact(all *g, int dim, int c, int r, double scale, const double *a, const double *b,
                         double alpha) {
  const prc_cone_whole *P = g->problem;
  const int row = P->n_velocities + dim * c + r, last = g->start[row + 1] - dim;
  for (int d = 0; d < dim; d++)
    for (int k = P->H_start[dim * c + d]; k < P->H_start[dim * c + d + 1]; k++)
      g->gathered[P->H_row[k]] += b[d] * scale * P->H[k];
  for (int e = g->start[row]; e < last; e++) {
    g->x[e] = g->gathered[g->column[e]];
    g->gathered[g->column[e]] = 0.0;
  }
  for (int d = 0; d < dim; d++) g->x[last + d] = a[d] + alpha * b[d];
}

static prc_status set(void *work, const prc_cone_problem *problem, const double *scale) {
  all *g = work;
  g->n = problem->n, g->scale = scale;
  return PRC_OK;
}

/* y := S H' M^-1 H S x */
static void multiply(void *work, const double *x, double *y) {
  all *g = work;
  const int rows = g->dim * g->n;
  for (int i = 0; i < rows; i++) g->scaled[i] = g->scale[i / g->dim] * x[i], y[i] = 0.0;
  prc_cone_whole_multiply(g->problem, rows, g->scaled, y);
  for (int i = 0; i < rows; i++) y[i] *= g->scale[i / g->dim];
}

static int step(void *work, const prc_cone_jacobian *at, const double *F, double *step) {
  all *g = work;
  const int nv = g->problem->n_velocities, rows = g->dim * g->n;
  fill_motion(g, g->dim, g->scale);
  for (int c = 0; c < g->n; c++)
    for (int r = 0; r < g->dim; r++) {
      const int k = g->dim * (g->dim * c + r);
      fill_contact(g, g->dim, c, r, g->scale[c], at->A + k, at->B + k, at->alpha);
    }
  if (prc_lu_factor(g->lu, nv + rows, g->start, g->column, g->x, g->is_analysed) != PRC_OK) return 0;
  g->is_analysed = 1;
  memset(g->solution, 0, (size_t)nv * sizeof *g->solution);
  for (int i = 0; i < rows; i++) g->solution[nv + i] = -F[i];
  prc_lu_solve(g->lu, g->solution);
  memcpy(step, g->solution + nv, (size_t)rows * sizeof *step);
  return 1;
}

const prc_cone_algebra prc_cone_system_of_all = {
    .create = all_create,
    .free = all_free,
    .set = set,
    .multiply = multiply,
    .step = step,
    .inner_steps = PRC_CONE_INNER_STEPS,
};
