#include "config.h"
#include "cone/operators/internal.h"
#include "linear/linear.h"

#include <string.h>

/* A problem in global form, M v = H p + f, w = H' v + w_0: W = H' M^-1 H is applied by a solve with M, never formed. M in kg (of a
 * rotation kg m^2), H without unit (of a rotation m). */

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

/* n lists of indices below n_indices, with a finite number each. what: "row" of "M" ... */
static prc_status check_lists(const char *matrix, const char *what, int n, const int *start, const int *index,
                              int n_indices, const double *value, prc_error *err) {
  if (!start || !index || !value) return prc_fail(err, PRC_INPUT, "%s lacks one of its arrays", matrix);
  if (start[0] != 0)
    return prc_fail(err, PRC_INPUT, "the %ss of %s start at %d, expected 0", what, matrix, start[0]);
  for (int r = 0; r < n; r++)
    if (start[r + 1] < start[r])
      return prc_fail(err, PRC_INPUT, "%s %d of %s ends at %d, before its start at %d", what, r, matrix,
                      start[r + 1], start[r]);
  for (int r = 0; r < n; r++)
    for (int k = start[r]; k < start[r + 1]; k++) {
      if (index[k] < 0 || index[k] >= n_indices)
        return prc_fail(err, PRC_INPUT, "%s %d of %s has an entry at %d, expected 0 to %d", what, r, matrix,
                        index[k], n_indices - 1);
      if (!isfinite(value[k]))
        return prc_fail(err, PRC_INPUT, "%s %d of %s has %g at %d, expected a finite number", what, r, matrix,
                        value[k], index[k]);
    }
  return PRC_OK;
}

/* UMFPACK wants the rows of M sorted. */
static prc_status check_whole(const prc_cone_whole *g, int rows, prc_error *err) {
  prc_status status = PRC_OK;
  if (g->n_velocities < 0 || rows < 0)
    return prc_fail(err, PRC_INPUT, "M has %d rows and H %d columns, expected 0 or more", g->n_velocities,
                    rows);
  prc_try(check_lists("M", "row", g->n_velocities, g->M_start, g->M_column, g->n_velocities, g->M, err));
  for (int r = 0; r < g->n_velocities; r++)
    for (int k = g->M_start[r] + 1; k < g->M_start[r + 1]; k++)
      if (g->M_column[k] <= g->M_column[k - 1])
        return prc_fail(err, PRC_INPUT,
                        "row %d of M has column %d behind column %d, expected ascending, each once", r,
                        g->M_column[k], g->M_column[k - 1]);
  prc_try(check_lists("H", "column", rows, g->H_start, g->H_row, g->n_velocities, g->H, err));
done:
  return status;
}

prc_status prc_cone_whole_prepare(prc_cone_whole *g, int rows, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(check_whole(g, rows, err));
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

/* ---- products ------------------------------------------------------------------------------- */

/* w_j := column j of H . v */
void prc_cone_whole_velocities(const prc_cone_whole *g, int rows, const double *v, double *w) {
  for (int j = 0; j < rows; j++) {
    w[j] = 0.0;
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++) w[j] += g->H[k] * v[g->H_row[k]];
  }
}

/* v := M^-1 H p, w += H' v */
void prc_cone_whole_multiply(const prc_cone_whole *g, int rows, const double *p, double *w) {
  memset(g->v, 0, (size_t)g->n_velocities * sizeof *g->v);
  for (int j = 0; j < rows; j++)
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++) g->v[g->H_row[k]] += g->H[k] * p[j];
  if (g->M_lu) prc_lu_solve(g->M_lu, g->v);
  for (int j = 0; j < rows; j++) {
    double sum = 0.0;
    for (int k = g->H_start[j]; k < g->H_start[j + 1]; k++) sum += g->H[k] * g->v[g->H_row[k]];
    w[j] += sum;
  }
}

static void multiply(const prc_cone_problem *problem, const double *p, double *w) {
  prc_cone_whole_multiply(problem->whole, problem->dim * problem->n, p, w);
}

/* ---- the diagonal: that of H' D^-1 H -------------------------------------------------------- */

static double diagonal(const prc_cone_problem *problem, int i) {
  return problem->whole->diagonal[i];
}

static void block(const prc_cone_problem *problem, int c, double *out) {
  const int dim = problem->dim;
  for (int i = 0; i < dim * dim; i++)
    out[i] = i / dim == i % dim ? diagonal(problem, dim * c + i / dim) : 0.0;
}

/* Newton's system is laid out for one M and one H. */
static void size(const prc_cone_problem *problem, prc_cone_sizes *sizes) {
  sizes->owner = problem->whole;
}

const prc_cone_operator prc_cone_global = {
    .name = "in global form",
    .size = size,
    .multiply = multiply,
    .block = block,
    .diagonal = diagonal,
    .diagonal_is_scale = 1,
    .algebra = &prc_cone_system_of_all,
    .cost = PRC_CONE_COSTS_FULL,
};
