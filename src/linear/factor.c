#include "config.h"
#include "linear/internal.h"

#include <math.h>
#include <string.h>

/* Below this many unknowns the factor is made simplicially, without the zeros that supernodes carry; above, that takes too
 * long. */
#define SUPERNODAL_FROM 50000

struct prc_factor {
  int n, n_tail;
  prc_panels *panels; /* the columns of the leading unknowns; the diagonal is stored inverted */
  prc_forest *forest; /* of the panels, where threads share them; else NULL */
  prc_tail *tail;     /* S^-1 */
  cholmod_factor *
      L; /* kept for the numbers to come; a supernodal one has lent its numbers to the panels. NULL: there are none to come */
  size_t lent[2]; /* what it lends: entries of s and x */
  double *room;   /* n_tail, for prc_factor_solve */
  size_t nnz;
  double weakest_pivot;
};

/* ---- making ---------------------------------------------------------------------------------------------------- */

/* A = L L' in the order given. kind: CHOLMOD_SIMPLICIAL, packed columns with sorted rows, or CHOLMOD_SUPERNODAL. An L that is there is
 * of the same pattern, and its memory is used again. */
static prc_status factorise(const prc_sym *A, int kind, cholmod_common *common, cholmod_factor **L,
                            prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(A);
  common->method[0].ordering = CHOLMOD_NATURAL;
  common->postorder = 0;
  common->final_asis = 0;
  common->final_super = kind == CHOLMOD_SUPERNODAL;
  common->final_ll = common->final_pack = common->final_monotonic = 1;
  common->supernodal = kind;
  common->zrelax[0] = 0.15, common->zrelax[1] = 0.03,
  common->zrelax[2] = 0.01; /* few zeros: every one is read twice a step */
  if ((!*L && !(*L = cholmod_analyze(&view, common))) || !cholmod_factorize(&view, *L, common))
    return prc_cholmod_failed(common, "while factorising", err);
  if (common->status == CHOLMOD_NOT_POSDEF)
    return prc_fail(err, PRC_SINGULAR, "the matrix is not positive definite (unknown %zu of %d)", (*L)->minor,
                    A->n);
  return PRC_OK;
}

prc_status prc_factor_count(const prc_sym *A, double *entries, prc_error *err) {
  cholmod_common common;
  prc_status status = prc_sym_check(A, "the matrix", err);
  if (status != PRC_OK) return status;
  cholmod_sparse view = prc_cholmod_view(A);
  prc_cholmod_begin(&common);
  common.method[0].ordering = CHOLMOD_NATURAL;
  common.postorder = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL; /* counts columns and no more */
  cholmod_factor *L = cholmod_analyze(&view, &common);
  *entries = common.lnz;
  if (!L) status = prc_cholmod_failed(&common, "while counting the entries of the factor", err);
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return status;
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
  for (int k = 0; A && k < A->n_panels; k++) {
    const int w = A->first[k + 1] - A->first[k];
    for (int c = 0; c < w; c++)
      A->x[A->start[k] + (size_t)(c * w + c)] = 1.0 / A->x[A->start[k] + (size_t)(c * w + c)];
  }
}

/* Panels of the leading columns of a supernodal L, in its memory, which comes back from the last ones. */
static prc_status lend(prc_factor *F, cholmod_factor *L, cholmod_common *common, prc_error *err) {
  prc_panels_free(&F->panels);
  F->lent[0] = L->ssize, F->lent[1] = L->xsize;
  return prc_panels_from_supernodes(L, F->n - F->n_tail, common, &F->panels, err);
}

static prc_status make_panels(prc_factor *F, cholmod_factor *L, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  if (L->is_super)
    status = lend(F, L, common, err);
  else if (F->panels)
    prc_panels_refill(F->panels, L->p, L->i, L->x);
  else
    status = prc_panels_pack(F->n, F->n - F->n_tail, L->p, L->i, L->x, &F->panels, err);
  if (status == PRC_OK) invert_diagonals(F->panels);
  return status;
}

/* S^-1 first, from L, whose memory becomes that of the panels. keep: L stays for other numbers. */
static prc_status make(const prc_sym *A, prc_factor *F, int keep, prc_error *err) {
  prc_status status = PRC_OK;
  const int simplicial = A->n < SUPERNODAL_FROM;
  cholmod_factor *L = F->L;
  cholmod_common common;
  prc_cholmod_begin(&common);
  F->L = NULL;
  if (L && F->panels) prc_supernodes_return(F->panels, L, F->lent, &common);
  if (L && L->is_super && !L->x) status = prc_cholmod_failed(&common, "while factorising", err);
  if (status != PRC_OK) goto done;
  status = factorise(A, simplicial ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL, &common, &L, err);
  if (status != PRC_OK) goto done;
  if (!F->nnz) F->nnz = (size_t)common.lnz;
  F->weakest_pivot = simplicial ? weakest_pivot(A, L) : prc_supernodes_weakest_pivot(L, A);
  prc_try(prc_tail_of_factor(L, F->n_tail, &F->tail, err));
  status = make_panels(F, L, &common, err);
done:
  if (keep) F->L = L, L = NULL;
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return status;
}

prc_status prc_check_tail(const prc_sym *A, int n_tail, prc_error *err) {
  const prc_status status = prc_sym_check(A, "the matrix", err);
  if (status != PRC_OK || (n_tail >= 0 && n_tail <= A->n)) return status;
  return prc_fail(err, PRC_INPUT, "the tail has %d of %d unknowns, expected at most all", n_tail, A->n);
}

prc_status prc_factor_make(const prc_sym *A, int n_tail, int keep, prc_factor **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_factor *F = NULL;
  prc_try(prc_check_tail(A, n_tail, err));
  prc_try(prc_new(&F, 1, err));
  F->n = A->n, F->n_tail = n_tail;
  F->weakest_pivot = 1.0;
  prc_try(prc_new(&F->room, n_tail, err));
  status = A->n > 0 ? make(A, F, keep, err) : prc_tail_of_nothing(&F->tail, err);
  if (status != PRC_OK) goto done;
  *out = F, F = NULL;
done:
  prc_factor_free(&F);
  return status;
}

prc_status prc_factor_create(const prc_sym *A, int n_tail, prc_factor **out, prc_error *err) {
  return prc_factor_make(A, n_tail, 0, out, err);
}

prc_status prc_factor_set(prc_factor *F, const prc_sym *A, prc_error *err) {
  return A->n > 0 ? make(A, F, 1, err) : PRC_OK;
}

void prc_factor_free(prc_factor **F) {
  if (!*F) return;
  prc_panels_free(&(*F)->panels);
  prc_forest_free(&(*F)->forest);
  prc_tail_free(&(*F)->tail);
  if ((*F)->L) {
    cholmod_common common;
    prc_cholmod_begin(&common);
    cholmod_free_factor(&(*F)->L, &common);
    cholmod_finish(&common);
  }
  prc_delete(&(*F)->room);
  prc_delete(F);
}

prc_status prc_factor_share(prc_factor *L, int threads, prc_error *err) {
  if (threads < 2 || !L->panels) return PRC_OK;
  return prc_forest_create(L->panels, L->n - L->n_tail, threads, &L->forest, err);
}

const prc_tail *prc_factor_tail(const prc_factor *L) {
  return L->tail;
}
size_t prc_factor_nnz(const prc_factor *L) {
  return L->nnz;
}
size_t prc_factor_bytes(const prc_factor *L) {
  const size_t kept = L->L && !L->L->is_super ? L->L->nzmax * (sizeof(int) + sizeof(double))
                                              : 0; /* a supernodal one has lent it */
  return (L->panels ? prc_panels_bytes(L->panels) : 0) + prc_tail_bytes(L->tail) + kept;
}
int prc_factor_is_shared(const prc_factor *L) {
  return L->forest != NULL;
}
double prc_factor_weakest_pivot(const prc_factor *L) {
  return L->weakest_pivot;
}

/* ---- substitution ------------------------------------------------------------------------------------------------ */

void prc_factor_forward(const prc_factor *L, double *x) {
  if (L->forest)
    prc_forest_forward(L->forest, L->panels, x);
  else if (L->panels)
    prc_panels_forward(L->panels, 0, L->panels->n_panels, NULL, x, NULL);
}

void prc_factor_backward(const prc_factor *L, double *x) {
  if (L->forest)
    prc_forest_backward(L->forest, L->panels, x);
  else if (L->panels)
    prc_panels_backward(L->panels, 0, L->panels->n_panels, x);
}

void prc_factor_solve(prc_factor *L, double *x) {
  double *tail = x + (L->n - L->n_tail);
  prc_factor_forward(L, x);
  memcpy(L->room, tail, (size_t)L->n_tail * sizeof *tail);
  prc_tail_multiply(L->tail, L->room, tail);
  prc_factor_backward(L, x);
}
