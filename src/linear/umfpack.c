#include "config.h"
#include "linear/internal.h"
#include "linear/row.h"

#include <math.h>
#include <string.h>

/* The solver of time steps that shares nothing with CHOLMOD, the order of elimination and the panels: A = L U by UMFPACK in an order
 * of its own, S^-1 by a solve for each unknown of the tail, and in a step a solve for what is there and one for what percussions
 * add. For cross-checks: L and U take what both triangles take, and steps with contact are four substitutions and not two. */
typedef struct {
  prc_frame frame; /* of the operator */
  int n, n_tail;
  prc_lu *lu;
  prc_tail *tail; /* S^-1 */
  double *y;      /* n */
} solver;

static void solver_free(solver **s) {
  if (!*s) return;
  prc_frame_free(&(*s)->frame);
  prc_lu_free(&(*s)->lu);
  prc_tail_free(&(*s)->tail);
  prc_delete(&(*s)->y);
  prc_delete(s);
}

/* Both triangles of A, rows ascending: column j has what row j of the lower triangle has, then its own column. */
static void unfold(const prc_sym *A, int *p, int *i, double *x) {
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) p[A->i[k] + 1]++, p[j + 1] += A->i[k] != j;
  for (int j = 0; j < A->n; j++) p[j + 1] += p[j];
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
      const int row = A->i[k];
      i[p[row]] = j, x[p[row]++] = A->x[k]; /* the start moves on to the end */
    }
  for (int j = 0; j < A->n; j++)
    for (int k = A->p[j] + 1; k < A->p[j + 1]; k++) i[p[j]] = A->i[k], x[p[j]++] = A->x[k];
  for (int j = A->n; j > 0; j--) p[j] = p[j - 1];
  p[0] = 0;
}

/* Other numbers of the same pattern where there is an analysis. */
static prc_status factorise(solver *s, const prc_sym *A, prc_error *err) {
  prc_status status = PRC_OK;
  const int again = s->lu != NULL;
  const prc_lu_options options = {.n_max = A->n, .symmetric = 1};
  const size_t entries = 2 * (size_t)prc_sym_nnz(A) - (size_t)A->n;
  int *p = NULL, *i = NULL;
  double *x = NULL;
  if (entries > INT32_MAX)
    return prc_fail(err, PRC_NOMEM, "the matrix is too large for UMFPACK: %zu entries", entries);
  prc_try(prc_new(&p, (size_t)A->n + 1, err));
  prc_try(prc_new(&i, entries, err));
  prc_try(prc_new(&x, entries, err));
  unfold(A, p, i, x);
  if (!again) prc_try(prc_lu_create(&options, &s->lu, err));
  status = prc_lu_factor(s->lu, A->n, p, i, x, again);
  if (status == PRC_NOMEM)
    (void)prc_fail(err, status, "out of memory: UMFPACK's factors of %d unknowns", A->n);
  if (status == PRC_SINGULAR) (void)prc_fail(err, status, "the matrix is singular");
done:
  prc_delete(&p);
  prc_delete(&i);
  prc_delete(&x);
  return status;
}

/* Column c of S^-1, a solve */
static void solve_column(void *of, int c, double *x) {
  solver *s = of;
  memset(s->y, 0, (size_t)s->n * sizeof *s->y);
  s->y[s->n - s->n_tail + c] = 1.0;
  prc_lu_solve(s->lu, s->y);
  memcpy(x, s->y + (s->n - s->n_tail), (size_t)s->n_tail * sizeof *x);
}

/* (A^-1)_rr is at least 1 / A_rr. */
static prc_status find_tail(solver *s, const prc_sym *A, prc_error *err) {
  double *least = NULL;
  prc_status status = prc_new(&least, s->n_tail, err);
  if (status != PRC_OK) return status;
  for (int r = 0; r < s->n_tail; r++) {
    const double diagonal = A->x[A->p[s->n - s->n_tail + r]];
    least[r] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 0.0; /* not definite: nothing is left out */
  }
  status = prc_tail_of_columns(s->n_tail, least, solve_column, s, &s->tail, err);
  prc_delete(&least);
  return status;
}

/* ---- as an operator ------------------------------------------------------------------------------------------------------------ */

/* The unknowns as they stand in their three parts: UMFPACK orders them. */
static prc_status leave_order(const prc_sym *A, const int *part, int *perm, const char **method,
                              prc_error *err) {
  (void)err;
  prc_order_parts(A->n, part, perm);
  *method = "UMFPACK's own";
  return PRC_OK;
}

static prc_status set_matrix(solver *s, const prc_sym *A, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *inner = NULL;
  prc_try(prc_frame_prescribe(&s->frame, A, &inner, err));
  if (inner->n > 0) prc_try(factorise(s, inner, err));
  prc_tail_free(&s->tail);
  prc_try(find_tail(s, inner, err));
done:
  prc_sym_free(&inner);
  return status;
}

static prc_status row_create(prc_operator_setup *setup, void **work, prc_error *err) {
  prc_status status = PRC_OK;
  solver *s = NULL;
  prc_try(prc_new(&s, 1, err));
  prc_try(prc_frame_create(setup->A, setup->plan->part, leave_order, &s->frame, err));
  s->n = s->frame.n_free, s->n_tail = s->frame.n_tail;
  prc_try(prc_new(&s->y, s->n, err));
  prc_try(set_matrix(s, setup->A, err));
  *work = s, s = NULL;
done:
  solver_free(&s);
  return status;
}

static prc_status row_set(void *work, const prc_sym *A, prc_error *err) {
  return set_matrix(work, A, err);
}

static prc_status row_begin(void *work, const double *guess, double *x, prc_error *err) {
  solver *s = work;
  (void)guess, (void)err;
  prc_frame_enter(&s->frame, x);
  if (s->lu) prc_lu_solve(s->lu, s->frame.y);
  prc_frame_leave_tail(&s->frame, x);
  return PRC_OK;
}

static void row_free(void **work) {
  solver *s = *work;
  solver_free(&s);
  *work = NULL;
}

/* x += A^-1 (0, pull) */
static void add_pull(solver *s, const double *pull, double *x) {
  int pulled = 0;
  for (int k = 0; k < s->n_tail; k++) pulled |= pull[k] != 0.0;
  if (!pulled) return;
  memset(s->y, 0, (size_t)(s->n - s->n_tail) * sizeof *s->y);
  memcpy(s->y + (s->n - s->n_tail), pull, (size_t)s->n_tail * sizeof *pull);
  prc_lu_solve(s->lu, s->y);
  for (int k = 0; k < s->n; k++) x[k] += s->y[k];
}

static void row_finish(void *work, const prc_rows *H, int n, const int *list, double scale, const double *p,
                       double *x) {
  solver *s = work;
  prc_frame *f = &s->frame;
  if (prc_frame_pull(f, H, n, list, scale, p)) add_pull(s, f->pull, f->y);
  prc_frame_leave(f, x);
}

static void row_reach(void *work, const prc_rows *G, int row, int count, const int *dof, double *y) {
  solver *s = work;
  prc_frame_reach(&s->frame, s->tail, G, row, count, dof, y);
}

static void row_add(void *work, const prc_rows *G, const double *l, double *x) {
  solver *s = work;
  prc_frame *f = &s->frame;
  if (prc_frame_pull(f, G, G->n, NULL, 1.0, l)) add_pull(s, f->pull, f->y);
  if (x) prc_frame_leave_tail(f, x);
}

static int row_is_sparse(const void *work) {
  return prc_tail_is_sparse(((const solver *)work)->tail);
}

static void row_condense_dense(void *work, const prc_rows *H, int n, const int *list, double scale,
                               double *W) {
  solver *s = work;
  prc_frame_condense_dense(&s->frame, s->tail, H, n, list, scale, W);
}

static prc_status row_condense_blocks(void *work, const prc_rows *H, int n, const int *list, double scale,
                                      prc_block_matrix *W, prc_error *err) {
  solver *s = work;
  return prc_frame_condense_blocks(&s->frame, s->tail, H, n, list, scale, W, err);
}

static void row_facts(const void *work, prc_operator_facts *facts) {
  const solver *s = work;
  facts->ordering = s->frame.ordering;
  facts->n_touched = s->n_tail;
  facts->bytes = prc_tail_bytes(s->tail) + 3 * (size_t)s->n * sizeof(double) + prc_frame_bytes(&s->frame);
  facts->weakest_pivot = 1.0;
  if (!s->lu) return; /* all is prescribed */
  facts->entries = prc_lu_entries(s->lu);
  facts->bytes += prc_lu_bytes(s->lu);
  facts->weakest_pivot = prc_lu_weakest_pivot(s->lu);
}

const prc_operator_row prc_operator_umfpack = {
    .name = "umfpack",
    .create = row_create,
    .set = row_set,
    .begin = row_begin,
    .finish = row_finish,
    .is_sparse = row_is_sparse,
    .condense_dense = row_condense_dense,
    .condense_blocks = row_condense_blocks,
    .facts = row_facts,
    .free = row_free,
    .reach = row_reach,
    .add = row_add,
    .no_panels = 1,
};
