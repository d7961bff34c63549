#include "config.h"
#include "linear/internal.h"

#include <math.h>
#include <string.h>

void prc_cholmod_begin(cholmod_common *common) {
  cholmod_start(common);
  common->print = 0;
  common->nmethods = 1;
}

cholmod_sparse prc_cholmod_view(const prc_sym *A) {
  cholmod_sparse view;
  memset(&view, 0, sizeof view);
  view.nrow = view.ncol = (size_t)A->n;
  view.nzmax = (size_t)prc_sym_nnz(A);
  view.p = A->p, view.i = A->i, view.x = A->x;
  view.stype = -1;
  view.itype = CHOLMOD_INT, view.xtype = CHOLMOD_REAL, view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

prc_status prc_cholmod_failed(const cholmod_common *common, const char *doing, prc_error *err) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY) return prc_fail(err, PRC_NOMEM, "out of memory %s", doing);
  if (common->status == CHOLMOD_TOO_LARGE)
    return prc_fail(err, PRC_NOMEM, "the matrix is too large %s", doing);
  return prc_fail(err, PRC_SINGULAR, "CHOLMOD failed %s (its status is %d)", doing, common->status);
}

typedef struct {
  const prc_sym *A;  /* interior unknowns first, then the tail; the prescribed ones are gone */
  int n, n_interior; /* of A */
  prc_sym *interior; /* its leading block */
  int *camd;         /* n: the constrained order, or NULL */
  int *trial, *best; /* n */
  double fill_best;  /* entries of the factor under `best` */
  const char *name_best;
} search;

/* Entries of the factor of s->A under s->trial as it stands. */
static prc_status fill_of(search *s, cholmod_common *common, double *fill, prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(s->A);
  common->method[0].ordering = CHOLMOD_GIVEN;
  common->postorder = 0;
  cholmod_factor *L = cholmod_analyze_p(&view, s->trial, NULL, 0, common);
  common->postorder = 1;
  if (!L) return prc_cholmod_failed(common, "while counting the entries of a factor", err);
  *fill = common->lnz;
  cholmod_free_factor(&L, common);
  return PRC_OK;
}

/* Orders the interior by one of CHOLMOD's methods (postordered), appends the tail, and keeps it if it is the sparsest. */
static prc_status try_method(search *s, int ordering, const char *name, cholmod_common *common,
                             prc_error *err) {
  cholmod_sparse view = prc_cholmod_view(s->interior);
  double fill = INFINITY;
  common->method[0].ordering = ordering;
  cholmod_factor *L = cholmod_analyze_p(&view, ordering == CHOLMOD_GIVEN ? s->camd : NULL, NULL, 0, common);
  if (!L && common->status == CHOLMOD_NOT_INSTALLED)
    return PRC_OK; /* a CHOLMOD without METIS: the others remain */
  if (!L) return prc_cholmod_failed(common, "while ordering the unknowns", err);
  memcpy(s->trial, L->Perm, (size_t)s->n_interior * sizeof *s->trial);
  cholmod_free_factor(&L, common);
  for (int k = s->n_interior; k < s->n; k++) s->trial[k] = ordering == CHOLMOD_GIVEN ? s->camd[k] : k;
  const prc_status status = fill_of(s, common, &fill, err);
  if (status != PRC_OK || fill >= s->fill_best) return status;
  memcpy(s->best, s->trial, (size_t)s->n * sizeof *s->best);
  s->fill_best = fill;
  s->name_best = name;
  return PRC_OK;
}

/* AMD that knows that the tail will stay last: interior in 0 .. n_interior-1, tail after it. */
static prc_status constrained(search *s, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  cholmod_sparse view = prc_cholmod_view(s->A);
  int *member = NULL;
  prc_try(prc_new(&member, s->n, err));
  for (int k = s->n_interior; k < s->n; k++) member[k] = 1;
  if (!cholmod_camd(&view, NULL, 0, member, s->camd, common))
    prc_try(prc_cholmod_failed(common, "while ordering the unknowns", err));
done:
  prc_delete(&member);
  return status;
}

static prc_status search_order(search *s, cholmod_common *common, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_new(&s->trial, s->n, err));
  prc_try(prc_new(&s->best, s->n, err));
  prc_try(prc_new(&s->camd, s->n, err));
  for (int k = 0; k < s->n; k++) s->best[k] = k;
  s->name_best = "none", s->fill_best = INFINITY;
  if (s->n_interior == 0) goto done;
  for (int k = 0; k < s->n_interior; k++) s->trial[k] = k;
  prc_try(prc_sym_permute(s->A, s->trial, s->n_interior, &s->interior, err));
  prc_try(constrained(s, common, err));
  prc_try(try_method(s, CHOLMOD_GIVEN, "CAMD", common, err));
  prc_try(try_method(s, CHOLMOD_AMD, "AMD", common, err));
  prc_try(try_method(s, CHOLMOD_METIS, "METIS", common, err));
done:
  return status;
}

prc_status prc_order(const prc_sym *A, const int *part, int *perm, const char **method, prc_error *err) {
  prc_status status = PRC_OK;
  prc_sym *free_part = NULL;
  int *list = NULL;
  search s = {0};
  cholmod_common common;
  prc_cholmod_begin(&common);
  prc_try(prc_new(&list, A->n, err));
  for (int wanted = 0, k = 0; wanted < 3; wanted++) {
    for (int i = 0; i < A->n; i++)
      if (part[i] == wanted) list[k++] = i;
    if (wanted == 0) s.n_interior = k;
    if (wanted == 1) s.n = k;
  }
  prc_try(prc_sym_permute(A, list, s.n, &free_part, err));
  s.A = free_part;
  prc_try(search_order(&s, &common, err));
  for (int k = 0; k < s.n; k++) perm[k] = list[s.best[k]];
  for (int k = s.n; k < A->n; k++) perm[k] = list[k];
  if (method) *method = s.name_best;
done:
  prc_delete(&s.trial);
  prc_delete(&s.best);
  prc_delete(&s.camd);
  prc_sym_free(&s.interior);
  prc_sym_free(&free_part);
  prc_delete(&list);
  cholmod_finish(&common);
  return status;
}
