#include "config.h"
#include "base/ranks.h"

#include <stdlib.h>

/* A build without PETSc. */

prc_status prc_ranks_begin(int n_options, const char *const *options, const prc_ranks **out, prc_error *err) {
  (void)n_options, (void)options;
  *out = NULL;
  return prc_fail(err, PRC_INPUT,
                  "this percuss was configured without PETSc: many processes cannot share a mesh, expected "
                  "one that was configured --with-petsc, or a start without mpiexec");
}

void prc_ranks_end(const prc_ranks **ranks) {
  *ranks = NULL;
}

void prc_ranks_abort(const prc_ranks *ranks, int code) {
  (void)ranks;
  _Exit(code);
}

int prc_ranks_end_together(const prc_ranks *ranks, double seconds) {
  (void)ranks, (void)seconds;
  return 1;
}

void prc_ranks_describe(size_t size, char *text) {
  if (size > 0) *text = '\0';
}
