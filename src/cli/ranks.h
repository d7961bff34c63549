/* Ranks of a run, as mpiexec starts them: all compute, rank 0 alone writes and speaks. */
#ifndef PRC_CLI_RANKS_H
#define PRC_CLI_RANKS_H

#include "base/ranks.h"

struct cli_run_state;

typedef struct {
  int n, rank; /* as they were started */
  prc_ranks_launch launch;
  const prc_ranks *ranks; /* NULL until they have begun */
  int n_options;          /* for PETSc: -prc_ksp_type cg ... */
  char **options;
  int voice; /* where errors of a rank that fails alone go; -1: stderr is not taken away */
} cli_ranks;

/* Takes what is for PETSc out of the arguments, and the voice of all but rank 0, unless PERCUSS_ALL_RANKS is set. */
void cli_ranks_prepare(cli_ranks *ranks, int *argc, char **argv);
/* The case is shared by them: there are several, or it asks for it. */
int cli_ranks_share(const cli_ranks *ranks, const char *solver);
/* Ends with the others, in the end of a run that came to this exit status, with this error (NULL: none); what fails alone ends all. Returns the status. */
int cli_ranks_finish(cli_ranks *ranks, int status, const prc_error *err);

/* Of a run. Does this rank write? */
int cli_ranks_write(const struct cli_run_state *run);
/* The line of check: can processes share the case? */
void cli_ranks_print(const struct cli_run_state *run);
/* Copies data of rank 0 to all ranks. */
void cli_ranks_tell(const struct cli_run_state *run, size_t bytes, void *data);
/* Makes a failure of one rank a failure of all. */
prc_status cli_ranks_agree(const struct cli_run_state *run, prc_status status, prc_error *err) PRC_MUST_CHECK;
/* After a failed step: finds out whether all ranks failed, and marks the error so, or only this one. */
void cli_ranks_fail(const struct cli_run_state *run, prc_error *err);
/* Reactions of supports and points of probes, whole: room for them, and theirs of the present step. */
prc_status cli_ranks_make_row(struct cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_ranks_fill_row(struct cli_run_state *run);
/* All must compute contacts with the same bits: refuses ranks whose arithmetic is not that of rank 0. */
prc_status cli_ranks_compare(const struct cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* A fingerprint of sums over dofs that does not depend on who has which: nine digits of each. */
uint64_t cli_ranks_hash(const prc_share *share, int n, double *sums);
/* A vector of dofs in the order of the whole, on rank 0, where *out is made; others get NULL. */
prc_status cli_ranks_collect(const prc_share *share, const double *x, double **out,
                             prc_error *err) PRC_MUST_CHECK;
/* And back: whole on rank 0 alone. */
prc_status cli_ranks_spread(const prc_share *share, const double *whole, double *x,
                            prc_error *err) PRC_MUST_CHECK;

#endif
