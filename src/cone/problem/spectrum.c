#include "config.h"
#include "cone/problem/problem.h"

/* LAPACK's Fortran names: OpenBLAS has them, its headers do not declare them. */
void dgesdd_(const char *job, const int *m, const int *n, double *A, const int *lda, double *s, double *U,
             const int *ldu, double *Vt, const int *ldvt, double *work, const int *lwork, int *iwork,
             int *info);
void dsyev_(const char *job, const char *uplo, const int *n, double *A, const int *lda, double *w,
            double *work, const int *lwork, int *info);

prc_status prc_cone_singular_values(const prc_cone_problem *problem, double *sigma, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = problem->dim * problem->n, none = 1, ask = -1;
  double *A = NULL, *work = NULL, best = 0.0, unused = 0.0;
  int *iwork = NULL, info = 0;
  if (n == 0) return PRC_OK;
  prc_try(prc_new(&A, (size_t)n * (size_t)n, err));
  prc_try(prc_new(&iwork, 8 * (size_t)n, err));
  prc_cone_copy_dense(problem, A); /* transposed to Fortran, which does not change the singular values */
  dgesdd_("N", &n, &n, A, &n, sigma, &unused, &none, &unused, &none, &best, &ask, iwork, &info);
  const int length = (int)best;
  prc_try(prc_new(&work, length, err));
  dgesdd_("N", &n, &n, A, &n, sigma, &unused, &none, &unused, &none, work, &length, iwork, &info);
  if (info != 0)
    prc_try(prc_fail(err, PRC_DIVERGED, "the singular values of W cannot be computed (%d)", info));
done:
  prc_delete(&A);
  prc_delete(&work);
  prc_delete(&iwork);
  return status;
}

prc_status prc_cone_eigenvalues(const prc_cone_problem *problem, double *lambda, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = problem->dim * problem->n, ask = -1;
  double *A = NULL, *work = NULL, best = 0.0;
  int info = 0;
  if (n == 0) return PRC_OK;
  prc_try(prc_new(&A, (size_t)n * (size_t)n, err));
  prc_cone_copy_dense(problem, A);
  for (size_t r = 0; r < (size_t)n; r++)
    for (size_t c = 0; c <= r; c++)
      A[r * (size_t)n + c] = 0.5 * (A[r * (size_t)n + c] + A[c * (size_t)n + r]);
  dsyev_("N", "U", &n, A, &n, lambda, &best, &ask, &info); /* our lower triangle is Fortran's upper one */
  const int length = (int)best;
  prc_try(prc_new(&work, length, err));
  dsyev_("N", "U", &n, A, &n, lambda, work, &length, &info);
  if (info != 0) prc_try(prc_fail(err, PRC_DIVERGED, "the eigenvalues of W cannot be computed (%d)", info));
done:
  prc_delete(&A);
  prc_delete(&work);
  return status;
}
