/* ranks: the processes of one run that share a mesh, as mpiexec starts them. A table of functions that MPI fills (ranks_mpi.c), or a test; a pointer that is
 * NULL stands for one process alone. All ranks call the same functions in the same order; what a sum or a broadcast gives has the same bits on all.
 * No pointer may be NULL unless that is said: nothing looks whether one is. */
#ifndef PRC_RANKS_H
#define PRC_RANKS_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct prc_ranks {
  int n, rank; /* of n ranks, 0 .. n-1 */
  void *of;
  void (*sum)(void *of, int n, double *x);               /* x := its sum over all ranks */
  void (*largest)(void *of, int n, double *x);           /* x := its largest */
  void (*broadcast)(void *of, size_t bytes, void *data); /* that of rank 0, to all */
  void (*send)(void *of, int to, size_t bytes, const void *data);
  void (*receive)(void *of, int from, size_t bytes, void *data); /* as many bytes as were sent */
} prc_ranks;

/* How a mesh comes to be shared: rank 0 reads it, in child processes, which should be done before MPI begins; then all begin. */
typedef struct {
  int rank;
  prc_status (*begin)(void *to, const prc_ranks **ranks, prc_error *err);
  void *to;
} prc_ranks_launch;
/* How many processes mpiexec or srun started together and which of them this one is, 0 .. n-1, as the environment says, before MPI begins; 1 and 0 where none
 * was used. It knows Open MPI, MPICH and what speaks its protocol, and steps of Slurm. A user who starts runs of their own together sets PERCUSS_RANKS=1. */
int prc_ranks_foreseen(int *rank);
/* Begins MPI and PETSc, once in a program. What has to be read in child processes should have been. options: names and values as PETSc knows them,
 * "-prc_ksp_type", "cg", after those of the variable PETSC_OPTIONS; no file is read for more. PETSc's messages of errors and its handlers of signals stay out.
 * Sums are MPI_Allreduce, of which MPI advises and the common libraries see to it that all ranks get the same bits; `of` points to an MPI_Comm of the table's
 * own, for calls of MPI and PETSc. PRC_INPUT in a build without PETSc, and where MPI
 * has others than the environment says. */
prc_status prc_ranks_begin(int n_options, const char *const *options, const prc_ranks **out,
                           prc_error *err) PRC_MUST_CHECK;
/* Called by all ranks. NULL is fine. */
void prc_ranks_end(const prc_ranks **ranks);
/* Ends all ranks at once, whatever they wait for, with that status; does not return. */
void prc_ranks_abort(const prc_ranks *ranks, int code);
/* Waits at the end of a run until all ranks have called it: 1, or 0 after so many seconds. After a 0 other
 * ranks may still wait elsewhere; only prc_ranks_abort ends them. */
int prc_ranks_end_together(const prc_ranks *ranks, double seconds);
/* "PETSc 3.18.5, Open MPI 4.1.4", or "" in a build without. */
void prc_ranks_describe(size_t size, char *text);

/* Makes the failure of one rank a failure of all: everybody gets the status and the message of the lowest rank
 * that failed. All ranks call it, each with its own status. A failure that all ranks share already is not
 * exchanged again: one agreement is enough to leave nested work. */
prc_status prc_ranks_agree(const prc_ranks *ranks, prc_status status, prc_error *err) PRC_MUST_CHECK;

/* How ranks share the items of a vector, `width` numbers each. Here are n of n_whole, own ones and copies of others: sums are over own ones, first .. end-1.
 * Each item of the whole is one rank's own. In the whole own ones ascend from first to middle, and again from middle to end. */
typedef struct {
  const prc_ranks *ranks;
  int width, n, n_whole;
  int first, middle, end;
  const int *whole; /* n: which of the whole it is */
  const int
      *number; /* n: its number where the own ones of rank 0, 1, ... follow each other, each in their order */
  const double *place; /* 2 n: where it is in the plane */
} prc_share;

/* With a share that is NULL nothing happens, and what is here is the whole. */
void prc_share_sum(const prc_share *share, int n, double *x);
void prc_share_largest(const prc_share *share, int n, double *x);
/* Numbers of a vector (width n of them) whose sums are this rank's own: *first .. *end-1. */
static inline void prc_share_own(const prc_share *share, int n, int *first, int *end) {
  *first = share ? share->width * share->first : 0, *end = share ? share->width * share->end : n;
}
/* Is number i of a vector this rank's own? */
static inline int prc_share_has(const prc_share *share, int i) {
  return !share || (i >= share->width * share->first && i < share->width * share->end);
}
/* Items from .. from+n-1 of the whole, of a vector x: all together in `out` on rank 0 (others may give NULL) ... */
prc_status prc_share_gather(const prc_share *share, const double *x, int from, int n, double *out,
                            prc_error *err) PRC_MUST_CHECK;
/* ... and from `in` on rank 0 to all that have some, own ones and copies. */
prc_status prc_share_scatter(const prc_share *share, int from, int n, const double *in, double *x,
                             prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
