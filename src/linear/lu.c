#include "config.h"
#include "linear/linear.h"

#include <string.h>
#include <suitesparse/umfpack.h>

/* UMFPACK's matrices stand by columns. The rows of A are the columns of A', so A x = b is the transposed system of what it has
 * factorised. */
struct prc_lu {
  void *symbolic, *numeric;
  int n;
  const int *p, *i;
  const double *x;
  double *solution, *space; /* n_max; n_max, or 5 n_max with refinement */
  int *indices;             /* n_max */
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

prc_status prc_lu_create(const prc_lu_options *o, prc_lu **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_lu *lu = NULL;
  const size_t n = (size_t)o->n_max;
  prc_try(prc_new(&lu, 1, err));
  prc_try(prc_new(&lu->solution, n, err));
  prc_try(prc_new(&lu->space, (o->refine > 0 ? 5 : 1) * n, err));
  prc_try(prc_new(&lu->indices, n, err));
  umfpack_di_defaults(lu->control);
  lu->control[UMFPACK_STRATEGY] = o->symmetric ? UMFPACK_STRATEGY_SYMMETRIC : UMFPACK_STRATEGY_AUTO;
  lu->control[UMFPACK_IRSTEP] = o->refine;
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

static prc_status judge(int code) {
  if (code == UMFPACK_OK) return PRC_OK;
  return code == UMFPACK_ERROR_out_of_memory || code == UMFPACK_ERROR_ordering_failed ? PRC_NOMEM
                                                                                      : PRC_SINGULAR;
}

prc_status prc_lu_factor(prc_lu *lu, int n, const int *p, const int *i, const double *x, int same_pattern) {
  lu->n = n, lu->p = p, lu->i = i, lu->x = x;
  umfpack_di_free_numeric(&lu->numeric);
  if (!same_pattern) umfpack_di_free_symbolic(&lu->symbolic);
  int code =
      lu->symbolic ? UMFPACK_OK : umfpack_di_symbolic(n, n, p, i, x, &lu->symbolic, lu->control, lu->info);
  if (code == UMFPACK_OK)
    code = umfpack_di_numeric(p, i, x, lu->symbolic, &lu->numeric, lu->control, lu->info);
  if (code != UMFPACK_OK) umfpack_di_free_numeric(&lu->numeric); /* a singular one is there, but useless */
  return judge(code);
}

static void solve(prc_lu *lu, int system, double *x) {
  umfpack_di_wsolve(system, lu->p, lu->i, lu->x, lu->solution, x, lu->numeric, lu->control, NULL, lu->indices,
                    lu->space);
  memcpy(x, lu->solution, (size_t)lu->n * sizeof *x);
}

void prc_lu_solve(prc_lu *lu, double *x) {
  solve(lu, UMFPACK_At, x);
}

void prc_lu_solve_transposed(prc_lu *lu, double *x) {
  solve(lu, UMFPACK_A, x);
}

double prc_lu_weakest_pivot(const prc_lu *lu) {
  return lu->info[UMFPACK_UMIN];
}

size_t prc_lu_entries(const prc_lu *lu) {
  return (size_t)(lu->info[UMFPACK_LNZ] + lu->info[UMFPACK_UNZ]);
}

size_t prc_lu_bytes(const prc_lu *lu) {
  return (size_t)(lu->info[UMFPACK_NUMERIC_SIZE] * lu->info[UMFPACK_SIZE_OF_UNIT]);
}
