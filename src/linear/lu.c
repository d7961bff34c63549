#include "config.h"
#include "linear/linear.h"

#include <suitesparse/umfpack.h>

/* UMFPACK has the rows of A as the columns of A', so what is solved is the transposed system of A'. */
struct prc_lu {
  void *symbolic, *numeric;
  int n;
  const int *p, *i;
  const double *x;
  double *solution, *space; /* n_max, 5 n_max */
  int *indices;             /* n_max */
  double control[UMFPACK_CONTROL];
};

prc_status prc_lu_create(int n_max, prc_lu **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_lu *lu = NULL;
  prc_try(prc_new(&lu, 1, err));
  prc_try(prc_new(&lu->solution, n_max, err));
  prc_try(prc_new(&lu->space, 5 * (size_t)n_max, err));
  prc_try(prc_new(&lu->indices, n_max, err));
  umfpack_di_defaults(lu->control);
  lu->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  lu->control[UMFPACK_IRSTEP] = 1;
  *out = lu, lu = NULL;
done:
  prc_lu_free(&lu);
  return status;
}

void prc_lu_free(prc_lu **lu) {
  if (!*lu) return;
  umfpack_di_free_symbolic(&(*lu)->symbolic);
  umfpack_di_free_numeric(&(*lu)->numeric);
  prc_delete(&(*lu)->solution);
  prc_delete(&(*lu)->space);
  prc_delete(&(*lu)->indices);
  prc_delete(lu);
}

prc_status prc_lu_factor(prc_lu *lu, int n, const int *p, const int *i, const double *x, int same_pattern) {
  lu->n = n, lu->p = p, lu->i = i, lu->x = x;
  umfpack_di_free_numeric(&lu->numeric);
  if (!same_pattern) umfpack_di_free_symbolic(&lu->symbolic);
  if (!lu->symbolic && umfpack_di_symbolic(n, n, p, i, x, &lu->symbolic, lu->control, NULL) != UMFPACK_OK)
    return PRC_SINGULAR;
  return umfpack_di_numeric(p, i, x, lu->symbolic, &lu->numeric, lu->control, NULL) == UMFPACK_OK
             ? PRC_OK
             : PRC_SINGULAR;
}

void prc_lu_solve(prc_lu *lu, double *x) {
  umfpack_di_wsolve(UMFPACK_At, lu->p, lu->i, lu->x, lu->solution, x, lu->numeric, lu->control, NULL,
                    lu->indices, lu->space);
  for (int k = 0; k < lu->n; k++) x[k] = lu->solution[k];
}
