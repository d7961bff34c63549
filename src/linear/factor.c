#include "config.h"
#include "linear/internal.h"

#include <math.h>
#include <string.h>

/* Below this many unknowns the factor is made simplicially: faster to solve with, as it carries no extra zeros. */
#define SUPERNODAL_FROM 50000

struct prc_factor {
  int n, n_tail;
  prc_panels *lead;     /* the columns of the leading unknowns; the diagonal is stored inverted */
  double *inverse_tail; /* n_tail x n_tail: (L_tt L_tt')^-1 */
  double *tail;         /* n_tail: room for prc_factor_solve */
  size_t nnz;
  double weakest_pivot;
};

/* ---- making ---------------------------------------------------------------------------------------------------- */

/* The factor in packed columns, rows sorted, in the order given. */
static prc_status factorise(const prc_sym *A, cholmod_common *common, cholmod_factor **L, prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(A);
  common->method[0].ordering = CHOLMOD_NATURAL;
  common->postorder = 0;
  common->final_asis = common->final_super = 0;
  common->final_ll = common->final_pack = common->final_monotonic = 1;
  common->supernodal = A->n < SUPERNODAL_FROM ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
  if (!(*L = cholmod_analyze(&view, common)) || !cholmod_factorize(&view, *L, common))
    return prc_cholmod_failed(common, "while factorising", err);
  if (common->status == CHOLMOD_NOT_POSDEF)
    return prc_fail(err, PRC_SINGULAR, "the matrix is not positive definite (unknown %zu of %d)", (*L)->minor,
                    A->n);
  return PRC_OK;
}

/* Lower triangle of L_tt, by rows, into the dense n_tail x n_tail matrix T (zero on entry). */
static void copy_tail(const cholmod_factor *L, int n_lead, int n_tail, double *T) {
  const int *p = L->p, *i = L->i;
  const double *x = L->x;
  for (int j = n_lead; j < n_lead + n_tail; j++)
    for (int k = p[j]; k < p[j + 1]; k++)
      T[(size_t)(i[k] - n_lead) * (size_t)n_tail + (size_t)(j - n_lead)] = x[k];
}

static double weakest_pivot(const prc_sym *A, const cholmod_factor *L) {
  const int *p = L->p;
  const double *x = L->x;
  double weakest = 1.0;
  for (int j = 0; j < A->n; j++) weakest = fmin(weakest, x[p[j]] * x[p[j]] / A->x[A->p[j]]);
  return weakest;
}

/* In every panel: the diagonal becomes its inverse, so that substitutions multiply. */
static void invert_diagonals(prc_panels *A) {
  for (int k = 0; k < A->n_panels; k++) {
    const int w = A->first[k + 1] - A->first[k];
    for (int c = 0; c < w; c++)
      A->x[A->start[k] + (size_t)(c * w + c)] = 1.0 / A->x[A->start[k] + (size_t)(c * w + c)];
  }
}

prc_status prc_factor_create(const prc_sym *A, int n_tail, prc_factor **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_factor *F = NULL;
  cholmod_factor *L = NULL;
  cholmod_common common;
  prc_cholmod_begin(&common);
  const int n_lead = A->n - n_tail;
  prc_try(prc_new(&F, 1, err));
  F->n = A->n, F->n_tail = n_tail;
  F->weakest_pivot = 1.0;
  if (n_tail > 0 && (size_t)n_tail > SIZE_MAX / sizeof(double) / (size_t)n_tail)
    prc_try(prc_fail(err, PRC_NOMEM, "a dense matrix of %d contact unknowns does not fit in memory", n_tail));
  prc_try(prc_new(&F->inverse_tail, (size_t)n_tail * (size_t)n_tail, err));
  prc_try(prc_new(&F->tail, n_tail, err));
  if (A->n > 0) {
    prc_try(factorise(A, &common, &L, err));
    prc_try(prc_panels_pack(A->n, n_lead, L->p, L->i, L->x, &F->lead, err));
    invert_diagonals(F->lead);
    F->nnz = (size_t)((const int *)L->p)[A->n];
    F->weakest_pivot = weakest_pivot(A, L);
    copy_tail(L, n_lead, n_tail, F->inverse_tail);
    prc_try(prc_dense_invert_factored(n_tail, F->inverse_tail, err));
  }
  *out = F, F = NULL;
done:
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  prc_factor_free(&F);
  return status;
}

void prc_factor_free(prc_factor **F) {
  if (!*F) return;
  prc_panels_free(&(*F)->lead);
  prc_delete(&(*F)->inverse_tail);
  prc_delete(&(*F)->tail);
  prc_delete(F);
}

const double *prc_factor_inverse_tail(const prc_factor *L) {
  return L->inverse_tail;
}
size_t prc_factor_nnz(const prc_factor *L) {
  return L->nnz;
}
double prc_factor_weakest_pivot(const prc_factor *L) {
  return L->weakest_pivot;
}

/* ---- substitution ------------------------------------------------------------------------------------------------ */

/* One panel of width w (constant where inlined): x_c := L_cc^-1 x_c, then x_r -= L_rc x_c below. */
static inline void forward_panel(int w, const double *restrict l, int below, const int *restrict row,
                                 double *restrict x, int c0) {
  double xc[PRC_PANEL_MAX];
  for (int c = 0; c < w; c++) {
    double sum = x[c0 + c];
    for (int d = 0; d < c; d++) sum -= l[c * w + d] * xc[d];
    x[c0 + c] = xc[c] = sum * l[c * w + c];
  }
  l += w * w;
  for (int r = 0; r < below; r++, l += w) {
    double sum = 0.0;
    for (int c = 0; c < w; c++) sum += l[c] * xc[c];
    x[row[r]] -= sum;
  }
}

/* x_c := L_cc^-T (x_c - L_rc' x_r) */
static inline void backward_panel(int w, const double *restrict l, int below, const int *restrict row,
                                  double *restrict x, int c0) {
  double sum[PRC_PANEL_MAX] = {0.0};
  const double *a = l + w * w;
  for (int r = 0; r < below; r++, a += w)
    for (int c = 0; c < w; c++) sum[c] += a[c] * x[row[r]];
  for (int c = w - 1; c >= 0; c--) {
    double value = x[c0 + c] - sum[c];
    for (int d = c + 1; d < w; d++) value -= l[d * w + c] * x[c0 + d];
    x[c0 + c] = value * l[c * w + c];
  }
}

void prc_factor_forward(const prc_factor *L, double *x) {
  const prc_panels *A = L->lead;
  for (int k = 0; A && k < A->n_panels; k++) {
    const int c0 = A->first[k], below = A->row_start[k + 1] - A->row_start[k],
              *row = A->row + A->row_start[k];
    const double *l = A->x + A->start[k];
    switch (A->first[k + 1] - c0) {
    case 1:
      forward_panel(1, l, below, row, x, c0);
      break;
    case 2:
      forward_panel(2, l, below, row, x, c0);
      break;
    case 3:
      forward_panel(3, l, below, row, x, c0);
      break;
    default:
      forward_panel(4, l, below, row, x, c0);
      break;
    }
  }
}

void prc_factor_backward(const prc_factor *L, double *x) {
  const prc_panels *A = L->lead;
  for (int k = A ? A->n_panels - 1 : -1; k >= 0; k--) {
    const int c0 = A->first[k], below = A->row_start[k + 1] - A->row_start[k],
              *row = A->row + A->row_start[k];
    const double *l = A->x + A->start[k];
    switch (A->first[k + 1] - c0) {
    case 1:
      backward_panel(1, l, below, row, x, c0);
      break;
    case 2:
      backward_panel(2, l, below, row, x, c0);
      break;
    case 3:
      backward_panel(3, l, below, row, x, c0);
      break;
    default:
      backward_panel(4, l, below, row, x, c0);
      break;
    }
  }
}

void prc_factor_solve(prc_factor *L, double *x) {
  double *tail = x + (L->n - L->n_tail);
  prc_factor_forward(L, x);
  memcpy(L->tail, tail, (size_t)L->n_tail * sizeof *tail);
  memset(tail, 0, (size_t)L->n_tail * sizeof *tail);
  prc_dense_multiply_add(L->n_tail, L->n_tail, 1.0, L->inverse_tail, L->tail, tail);
  prc_factor_backward(L, x);
}
