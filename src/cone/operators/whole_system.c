#include "config.h"
#include "cone/solvers/newton_whole.h"
#include "linear/linear.h"

#include <stdlib.h>
#include <string.h>

/* Newton's system of a problem in global form, for velocities and percussions together,
 *
 *   [   M        -H S      ] [dv]   [ 0 ]
 *   [ B S H'   A + alpha B ] [dp] = [-F ],      S = diag(scale),
 *
 * in rows, sparse: its order is analysed once, entries that happen to be zero stay in the pattern. */
struct prc_cone_newton_whole {
  const prc_cone_whole *problem;
  int *start, *column; /* by rows */
  int *seen;           /* n_velocities: the contact whose rows have this column */
  double *x;           /* values */
  double *solution;    /* n_velocities + dim n */
  double *gathered;    /* n_velocities: a row of B S H' */
  int *Ht_start, *Ht_column;
  double *Ht; /* H by rows */
  prc_lu *lu;
  int is_analysed;
};

void prc_cone_newton_whole_free(prc_cone_newton_whole **g) {
  if (!*g) return;
  prc_lu_free(&(*g)->lu);
  int **lists[] = {&(*g)->start, &(*g)->column, &(*g)->seen, &(*g)->Ht_start, &(*g)->Ht_column};
  double **vectors[] = {&(*g)->x, &(*g)->solution, &(*g)->gathered, &(*g)->Ht};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(g);
}

/* H by rows, by counting. */
static void transpose(prc_cone_newton_whole *g, int rows) {
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
static int list_velocities(prc_cone_newton_whole *g, int dim, int c, int e) {
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
static void lay_out(prc_cone_newton_whole *g, int dim, int n) {
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

prc_status prc_cone_newton_whole_create(const prc_cone_whole *problem, int dim, int n,
                                        prc_cone_newton_whole **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_cone_newton_whole *g = NULL;
  const size_t nv = (size_t)problem->n_velocities, rows = (size_t)dim * (size_t)n,
               nM = (size_t)problem->M_start[nv], nH = (size_t)problem->H_start[rows];
  prc_try(prc_new(&g, 1, err));
  g->problem = problem;
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
  *out = g, g = NULL;
done:
  prc_cone_newton_whole_free(&g);
  return status;
}

static void fill_motion(prc_cone_newton_whole *g, int dim, const double *scale) {
  const prc_cone_whole *P = g->problem;
  double *x = g->x;
  for (int r = 0; r < P->n_velocities; r++) {
    for (int k = P->M_start[r]; k < P->M_start[r + 1]; k++) *x++ = P->M[k];
    for (int k = g->Ht_start[r]; k < g->Ht_start[r + 1]; k++) *x++ = -g->Ht[k] * scale[g->Ht_column[k] / dim];
  }
}

/* Row r of B S H' of contact c, gathered where its velocities are, then the row of A + alpha B. */
static void fill_contact(prc_cone_newton_whole *g, int dim, int c, int r, double scale, const double *a,
                         const double *b, double alpha) {
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

int prc_cone_newton_whole_step(prc_cone_newton_whole *g, int dim, int n, const double *scale, const double *A,
                               const double *B, double alpha, const double *F, double *step) {
  const int nv = g->problem->n_velocities, rows = dim * n;
  fill_motion(g, dim, scale);
  for (int c = 0; c < n; c++)
    for (int r = 0; r < dim; r++) {
      const int k = dim * (dim * c + r);
      fill_contact(g, dim, c, r, scale[c], A + k, B + k, alpha);
    }
  if (prc_lu_factor(g->lu, nv + rows, g->start, g->column, g->x, g->is_analysed) != PRC_OK) return 0;
  g->is_analysed = 1;
  memset(g->solution, 0, (size_t)nv * sizeof *g->solution);
  for (int i = 0; i < rows; i++) g->solution[nv + i] = -F[i];
  prc_lu_solve(g->lu, g->solution);
  memcpy(step, g->solution + nv, (size_t)rows * sizeof *step);
  return 1;
}
