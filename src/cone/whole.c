#include "config.h"
#include "cone/internal.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Problems in global form as they are, M v = H p + f, w = H' v + w_0: W = H' M^-1 H is applied, never formed. */

void prc_cone_whole_free(prc_cone_whole **whole) {
  if (!*whole) return;
  prc_lu_free(&(*whole)->M_lu);
  int **lists[] = {&(*whole)->M_start, &(*whole)->M_column, &(*whole)->H_start, &(*whole)->H_row};
  double **vectors[] = {&(*whole)->M, &(*whole)->H, &(*whole)->diagonal, &(*whole)->v};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) prc_delete(lists[i]);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) prc_delete(vectors[i]);
  prc_delete(whole);
}

/* H' D^-1 H on its diagonal, D that of M: what the scaling and the weights take for the diagonal of W */
static void estimate_diagonal(prc_cone_whole *g, int rows) {
  memset(g->v, 0, (size_t)g->n_velocities * sizeof *g->v);
  for (int r = 0; r < g->n_velocities; r++)
    for (int k = g->M_start[r]; k < g->M_start[r + 1]; k++)
      if (g->M_column[k] == r) g->v[r] = fabs(g->M[k]);
  for (int j = 0; j < rows; j++) {
    g->diagonal[j] = 0.0;
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++)
      if (g->v[g->H_row[k]] > 0.0) g->diagonal[j] += g->H[k] * g->H[k] / g->v[g->H_row[k]];
  }
}

prc_status prc_cone_whole_prepare(prc_cone_whole *g, int rows, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&g->v, g->n_velocities, err));
  prc_try(prc_new(&g->diagonal, rows, err));
  estimate_diagonal(g, rows);
  if (g->n_velocities == 0) return PRC_OK;
  prc_try(
      prc_lu_create(&(prc_lu_options){.n_max = g->n_velocities, .symmetric = 1, .refine = 1}, &g->M_lu, err));
  if (prc_lu_factor(g->M_lu, g->n_velocities, g->M_start, g->M_column, g->M, 0) != PRC_OK)
    prc_try(prc_fail(err, PRC_INPUT, "M is singular, expected a matrix that has an inverse"));
done:
  return status;
}

void prc_cone_whole_multiply(const prc_cone_whole *g, int rows, const double *p, double *w) {
  memset(g->v, 0, (size_t)g->n_velocities * sizeof *g->v);
  for (int j = 0; j < rows; j++)
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++) g->v[g->H_row[k]] += g->H[k] * p[j];
  if (g->M_lu) prc_lu_solve(g->M_lu, g->v);
  prc_cone_whole_velocities(g, rows, g->v, w);
}

void prc_cone_whole_velocities(const prc_cone_whole *g, int rows, const double *v, double *w) {
  for (int j = 0; j < rows; j++) {
    w[j] = 0.0;
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++) w[j] += g->H[k] * v[g->H_row[k]];
  }
}
