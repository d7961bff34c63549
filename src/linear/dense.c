#include "config.h"
#include "linear/internal.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* LAPACK's Fortran names; OpenBLAS has them, its headers do not declare them. Hidden string lengths are passed by no
 * compiler for these one-letter arguments on the platforms OpenBLAS supports. */
void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *pivots, double *b, const int *ldb,
            int *info);
void dpotri_(const char *uplo, const int *n, double *A, const int *lda, int *info);
void openblas_set_num_threads(int n);
#ifdef HAVE_OPENBLAS_GET_CORENAME
char *openblas_get_corename(void);
#endif
#ifdef HAVE_OPENBLAS_GET_CONFIG
char *openblas_get_config(void);
#endif

void prc_dense_single_thread(void) {
  openblas_set_num_threads(1);
}

/* The configuration begins with name and version. */
void prc_dense_kernel(char text[PRC_DENSE_KERNEL]) {
  const char *library = "", *kernel = "";
  size_t length = 0;
#ifdef HAVE_OPENBLAS_GET_CONFIG
  library = openblas_get_config();
  length = strcspn(library, " ");
  if (library[length]) length += 1 + strcspn(library + length + 1, " ");
#endif
#ifdef HAVE_OPENBLAS_GET_CORENAME
  kernel = openblas_get_corename();
#endif
  snprintf(text, PRC_DENSE_KERNEL, "%.*s%s%s", (int)length, library, length && *kernel ? " " : "", kernel);
  if (!*text) snprintf(text, PRC_DENSE_KERNEL, "unknown");
}

/* OpenBLAS takes 128 MiB of address space for the buffer of a thread at the first call, and tries for ever when there is none.
 * That of this thread is taken here, while there is room; one more may be in the hands of a thread that it began with. */
prc_status prc_dense_begin(prc_error *err) {
  const double needed = 320e6, left = prc_memory_address_space();
  double one = 1.0;
  if (left < needed)
    return prc_fail(err, PRC_NOMEM,
                    "out of memory: %.3g GB of address space are left, expected at least %.3g (ulimit -v)",
                    1e-9 * left, 1e-9 * needed);
  prc_dense_single_thread();
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1, 1, 1.0, &one, 1, &one, 1);
  return PRC_OK;
}

int prc_dense_is_definite(int n, int stride, double *A) {
  for (int j = 0; j < n; j++) {
    double *row = A + j * stride;
    for (int k = 0; k < j; k++) row[j] -= row[k] * row[k];
    if (!(row[j] > 0.0)) return 0;
    row[j] = sqrt(row[j]);
    for (int i = j + 1; i < n; i++) {
      double *below = A + i * stride;
      for (int k = 0; k < j; k++) below[j] -= below[k] * row[k];
      below[j] /= row[j];
    }
  }
  return 1;
}

void prc_dense_multiply_add(int n_rows, int n_cols, double a, const double *A, const double *x, double *y) {
  if (n_rows == 0 || n_cols == 0) return;
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n_rows, n_cols, a, A, n_cols, x, 1, 1.0, y, 1);
}

prc_status prc_dense_solve(int n, double *A, int *pivots, double *x) {
  int one = 1, info = 0;
  if (n == 0) return PRC_OK;
  for (int r = 0; r < n; r++)
    for (int c = 0; c < r; c++) {
      const double swap = A[(size_t)r * (size_t)n + (size_t)c];
      A[(size_t)r * (size_t)n + (size_t)c] = A[(size_t)c * (size_t)n + (size_t)r];
      A[(size_t)c * (size_t)n + (size_t)r] = swap;
    }
  dgesv_(&n, &one, A, &n, pivots, x, &n, &info);
  return info == 0 ? PRC_OK : PRC_SINGULAR;
}

prc_status prc_dense_invert_factored(int n, double *T, prc_error *err) {
  int info = 0;
  if (n == 0) return PRC_OK;
  dpotri_("U", &n, T, &n, &info); /* the row-major lower triangle is Fortran's upper one */
  if (info != 0)
    return prc_fail(err, PRC_SINGULAR, "the condensed contact matrix is singular (unknown %d)", info);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < r; c++) T[(size_t)c * (size_t)n + (size_t)r] = T[(size_t)r * (size_t)n + (size_t)c];
  return PRC_OK;
}
