#include "config.h"
#include "cone/fclib.h"
#include "cone/fclib/internal.h"
#include "cone/problem/problem.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* M is general: neither symmetric nor definite, as far as anybody has told us. It stands by columns, so it
 * is the transposed system that is solved with its factors. */

static prc_status factorise(prc_fclib *problem, prc_error *err) {
  const prc_fclib_matrix *M = &problem->M;
  const prc_lu_options options = {.n_max = M->n_rows, .refine = 2};
  prc_lu_free(&problem->factor);
  prc_status status = prc_lu_create(&options, &problem->factor, err);
  if (status != PRC_OK) return status;
  status = prc_lu_factor(problem->factor, M->n_rows, M->p, M->i, M->x, 0);
  if (status == PRC_NOMEM) return prc_fail(err, PRC_NOMEM, "%s: no memory to factorise M", problem->path);
  if (status != PRC_OK)
    return prc_fail(err, PRC_INPUT, "%s: /fclib_global/M is singular, expected a matrix that has an inverse",
                    problem->path);
  return PRC_OK;
}

/* x = M^-1 y */
static prc_status solve(const prc_fclib *problem, const double *y, double *x, prc_error *err) {
  const int n = problem->M.n_rows;
  if (n == 0) return PRC_OK;
  memcpy(x, y, (size_t)n * sizeof *x);
  prc_lu_solve_transposed(problem->factor, x);
  for (int k = 0; k < n; k++)
    if (!isfinite(x[k]))
      return prc_fail(err, PRC_INPUT,
                      "%s: /fclib_global: M^-1 H or M^-1 f overflows, expected matrices of comparable scale",
                      problem->path);
  return PRC_OK;
}

/* Column j of W = H' M^-1 H, its exact zeros left out, behind the `count` entries there are. */
typedef struct {
  double *h, *x, *column; /* n_velocities, n_velocities, dim n */
  size_t count, capacity[3];
  int *row, *col;
  double *value;
} condenser;

static prc_status condense_column(const prc_fclib *problem, int j, condenser *C, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fclib_matrix *H = &problem->H;
  memset(C->h, 0, (size_t)H->n_rows * sizeof *C->h);
  memset(C->column, 0, (size_t)H->n_cols * sizeof *C->column);
  for (int k = H->p[j]; k < H->p[j + 1]; k++) C->h[H->i[k]] = H->x[k];
  prc_try(solve(problem, C->h, C->x, err));
  prc_fclib_matrix_multiply_add_transposed(H, 1.0, C->x, C->column);
  for (int i = 0; i < H->n_cols; i++) {
    if (C->column[i] == 0.0) continue;
    if (C->count > INT32_MAX / 16)
      prc_try(prc_fail(err, PRC_INPUT, "%s: H' M^-1 H has too many entries to be condensed", problem->path));
    prc_try(prc_grow(&C->row, &C->capacity[0], C->count + 1, sizeof *C->row, err));
    prc_try(prc_grow(&C->col, &C->capacity[1], C->count + 1, sizeof *C->col, err));
    prc_try(prc_grow(&C->value, &C->capacity[2], C->count + 1, sizeof *C->value, err));
    C->row[C->count] = i, C->col[C->count] = j, C->value[C->count] = C->column[i], C->count++;
  }
done:
  return status;
}

static prc_status condense(prc_fclib *problem, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fclib_matrix *H = &problem->H;
  condenser C = {.count = 0};
  double *b = NULL;
  prc_try(prc_new(&C.h, H->n_rows, err));
  prc_try(prc_new(&C.x, H->n_rows, err));
  prc_try(prc_new(&C.column, H->n_cols, err));
  prc_try(prc_new(&b, H->n_cols, err));
  for (int j = 0; j < H->n_cols; j++) prc_try(condense_column(problem, j, &C, err));
  memcpy(b, problem->w0, (size_t)H->n_cols * sizeof *b);
  prc_try(solve(problem, problem->f, C.x, err));
  prc_fclib_matrix_multiply_add_transposed(H, 1.0, C.x, b);
  prc_try(prc_fclib_matrix_set(&problem->W, H->n_cols, H->n_cols, (int)C.count, C.row, C.col, C.value, err));
  prc_delete(&problem->b); /* the same, as the whole problem has it */
  problem->b = b, b = NULL;
done:
  if (status != PRC_OK) prc_fclib_matrix_clear(&problem->W);
  prc_delete(&C.h);
  prc_delete(&C.x);
  prc_delete(&C.column);
  prc_delete(&C.row);
  prc_delete(&C.col);
  prc_delete(&C.value);
  prc_delete(&b);
  return status;
}

prc_status prc_fclib_condense(prc_fclib *problem, prc_error *err) {
  prc_status status = PRC_OK;
  if (!problem->global || problem->W.p) return PRC_OK;
  if (problem->n_velocities > 0) prc_try(factorise(problem, err));
  prc_try(condense(problem, err));
done:
  return status;
}

/* ---- as it is ------------------------------------------------------------------------------- */

/* M by rows. */
static void copy_rows(const prc_fclib_matrix *M, prc_cone_whole *g) {
  for (int k = 0; k < M->p[M->n_cols]; k++) g->M_start[M->i[k] + 1]++;
  for (int r = 0; r < M->n_rows; r++) g->M_start[r + 1] += g->M_start[r];
  for (int j = 0; j < M->n_cols; j++)
    for (int k = M->p[j]; k < M->p[j + 1]; k++) {
      const int place = g->M_start[M->i[k]]++; /* the start moves on to the end */
      g->M_column[place] = j, g->M[place] = M->x[k];
    }
  for (int r = M->n_rows; r > 0; r--) g->M_start[r] = g->M_start[r - 1];
  g->M_start[0] = 0;
}

static prc_status make_whole(const prc_fclib *problem, prc_cone_whole **out, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_fclib_matrix *M = &problem->M, *H = &problem->H;
  prc_cone_whole *g = NULL;
  prc_try(prc_new(&g, 1, err));
  g->n_velocities = problem->n_velocities;
  prc_try(prc_new(&g->M_start, M->n_rows + 1, err));
  prc_try(prc_new(&g->M_column, M->p[M->n_cols], err));
  prc_try(prc_new(&g->M, M->p[M->n_cols], err));
  prc_try(prc_new(&g->H_start, H->n_cols + 1, err));
  prc_try(prc_new(&g->H_row, H->p[H->n_cols], err));
  prc_try(prc_new(&g->H, H->p[H->n_cols], err));
  copy_rows(M, g);
  memcpy(g->H_start, H->p, ((size_t)H->n_cols + 1) * sizeof *H->p);
  memcpy(g->H_row, H->i, (size_t)H->p[H->n_cols] * sizeof *H->i);
  memcpy(g->H, H->x, (size_t)H->p[H->n_cols] * sizeof *H->x);
  prc_try(prc_cone_whole_prepare(g, H->n_cols, err));
  *out = g, g = NULL;
done:
  prc_cone_whole_free(&g);
  return status;
}

prc_status prc_fclib_whole(prc_fclib *problem, prc_cone_problem *out, prc_error *err) {
  prc_status status = PRC_OK;
  double *v = NULL, *b = NULL;
  if (!problem->global)
    return prc_fail(err, PRC_INPUT, "%s: a local problem, expected a global one (/fclib_global)",
                    problem->path);
  if (!problem->whole && (status = make_whole(problem, &problem->whole, err)) != PRC_OK) {
    prc_error_context(err, "%s", problem->path);
    return status;
  }
  if (!problem->b) {
    prc_try(prc_new(&v, problem->n_velocities, err));
    prc_try(prc_new(&b, problem->H.n_cols, err));
    memcpy(v, problem->f, (size_t)problem->n_velocities * sizeof *v);
    if (problem->whole->M_lu) prc_lu_solve(problem->whole->M_lu, v);
    prc_cone_whole_velocities(problem->whole, problem->H.n_cols, v, b);
    for (int i = 0; i < problem->H.n_cols; i++) b[i] += problem->w0[i];
    problem->b = b, b = NULL;
  }
  *out = (prc_cone_problem){
      .dim = problem->dim, .n = problem->n, .b = problem->b, .mu = problem->mu, .whole = problem->whole};
done:
  prc_delete(&v);
  prc_delete(&b);
  return status;
}

prc_status prc_fclib_velocity(const prc_fclib *problem, const double *p, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  double *y = NULL;
  prc_try(prc_new(&y, problem->n_velocities, err));
  memcpy(y, problem->f, (size_t)problem->n_velocities * sizeof *y);
  prc_fclib_matrix_multiply_add(&problem->H, 1.0, p, y);
  prc_try(solve(problem, y, v, err));
done:
  prc_delete(&y);
  return status;
}
