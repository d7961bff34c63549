#include "config.h"
#include "base/ranks.h"

#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The table of ranks by MPI. A failure of MPI itself ends all ranks with its own message, as MPI does. */

#ifndef PRC_RANKS_PIECE
#define PRC_RANKS_PIECE (1 << 30) /* bytes of a message: MPI counts them by an int */
#endif
enum { TAG = 1 };

typedef struct {
  MPI_Comm comm; /* first: what `of` points to */
  MPI_Comm end;  /* of prc_ranks_end_together: who ends may not be mistaken for who computes */
  int n_arguments;
  char **argument; /* PETSc's command line, which it may ask again */
  prc_ranks table;
} ranks_mpi;

static MPI_Comm comm_of(void *of) {
  return ((const ranks_mpi *)of)->comm;
}

static void sum(void *of, int n, double *x) {
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm_of(of));
}

static void largest(void *of, int n, double *x) {
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, comm_of(of));
}

/* Bytes of the next message, of so many that are left. */
static int piece(size_t left) {
  return left > PRC_RANKS_PIECE ? PRC_RANKS_PIECE : (int)left;
}

static void broadcast(void *of, size_t bytes, void *data) {
  char *at = data;
  for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
    n = piece(bytes);
    MPI_Bcast(at, n, MPI_BYTE, 0, comm_of(of));
  }
}

static void send_to(void *of, int to, size_t bytes, const void *data) {
  const char *at = data;
  for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
    n = piece(bytes);
    MPI_Send(at, n, MPI_BYTE, to, TAG, comm_of(of));
  }
}

static void receive(void *of, int from, size_t bytes, void *data) {
  char *at = data;
  for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
    n = piece(bytes);
    MPI_Recv(at, n, MPI_BYTE, from, TAG, comm_of(of), MPI_STATUS_IGNORE);
  }
}

/* ---- begin and end ------------------------------------------------------------------------------------- */

static void free_own(ranks_mpi **own) {
  for (int k = 0; *own && (*own)->argument && k < (*own)->n_arguments; k++) prc_delete(&(*own)->argument[k]);
  if (*own) prc_delete(&(*own)->argument);
  prc_delete(own);
}

/* PETSc's memory, with large pages. */
static PetscErrorCode petsc_allocate(size_t bytes, PetscBool clear, int line, const char *function,
                                     const char *file, void **out) {
  (void)line, (void)function, (void)file;
  *out = bytes > 0 ? clear ? calloc(1, bytes) : malloc(bytes) : NULL;
  if (bytes > 0 && !*out) return PETSC_ERR_MEM;
  prc_memory_large_pages(*out, bytes);
  return 0;
}

static PetscErrorCode petsc_release(void *block, int line, const char *function, const char *file) {
  (void)line, (void)function, (void)file;
  free(block);
  return 0;
}

static PetscErrorCode petsc_reallocate(size_t bytes, int line, const char *function, const char *file,
                                       void **block) {
  (void)line, (void)function, (void)file;
  void *now = bytes > 0 ? realloc(*block, bytes) : NULL;
  if (bytes == 0) free(*block);
  if (bytes > 0 && !now) return PETSC_ERR_MEM;
  *block = now;
  return 0;
}

/* PETSc takes allocators once, and its own where it watches memory: in builds for debugging, and by options. */
static int watches_memory(void) {
#ifdef PETSC_USE_DEBUG
  return 1;
#else
  const char *options = getenv("PETSC_OPTIONS");
  return options && (strstr(options, "malloc") || strstr(options, "log_view"));
#endif
}

/* PETSc with a command line of ours: no handlers of signals, which children would inherit and hang in, and no .petscrc of whatever folder this is. */
static prc_status begin_petsc(ranks_mpi *own, int n_options, const char *const *options, prc_error *err) {
  static const char *const first[] = {"percuss", "-skip_petscrc", "-no_signal_handler"};
  enum { FIRST = sizeof first / sizeof *first };
  prc_status status = PRC_OK;
  prc_try(prc_new(&own->argument, FIRST + n_options + 1, err));
  own->n_arguments = FIRST + n_options;
  for (int k = 0; k < own->n_arguments; k++)
    prc_try(prc_strdup(k < FIRST ? first[k] : options[k - FIRST], &own->argument[k], err));
  int n = own->n_arguments;
  char **argument = own->argument;
  PetscErrorCode code = 0;
  if (!watches_memory()) code = PetscMallocSet(petsc_allocate, petsc_release, petsc_reallocate);
  if (!code) code = PetscInitialize(&n, &argument, NULL, NULL);
  if (code || PetscPushErrorHandler(PetscReturnErrorHandler, NULL))
    return prc_fail(err, PRC_INPUT,
                    "PETSc cannot begin (its error %d), expected options as it knows them in the variable "
                    "PETSC_OPTIONS",
                    (int)code);
done:
  return status;
}

static prc_status expect_first(prc_error *err) {
  PetscBool begun = PETSC_FALSE, ended = PETSC_FALSE;
  int over = 0;
  if (PetscInitialized(&begun) || PetscFinalized(&ended) || MPI_Finalized(&over) || begun || ended || over)
    return prc_fail(err, PRC_INPUT, "PETSc or MPI has begun already, expected once in a program");
  return PRC_OK;
}

/* A process started by srun finds no others if MPI does not speak srun's protocol. Each process would then
 * compute the whole. */
static prc_status expect_foreseen(const prc_ranks *table, prc_error *err) {
  int rank = 0;
  const int n = prc_ranks_foreseen(&rank);
  if (table->n == n && table->rank == rank) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "the environment has process %d of %d, MPI has %d of %d: expected a start by mpiexec of the "
      "same MPI, or by srun with a protocol that it speaks (srun --mpi=list)",
      rank, n, table->rank, table->n);
}

static prc_status make_table(ranks_mpi *own, prc_error *err) {
  MPI_Comm_dup(PETSC_COMM_WORLD, &own->comm);
  MPI_Comm_dup(PETSC_COMM_WORLD, &own->end);
  MPI_Comm_set_errhandler(own->comm, MPI_ERRORS_ARE_FATAL);
  own->table = (prc_ranks){
      .of = own, .sum = sum, .largest = largest, .broadcast = broadcast, .send = send_to, .receive = receive};
  MPI_Comm_size(own->comm, &own->table.n);
  MPI_Comm_rank(own->comm, &own->table.rank);
  return expect_foreseen(&own->table, err);
}

prc_status prc_ranks_begin(int n_options, const char *const *options, const prc_ranks **out, prc_error *err) {
  prc_status status = PRC_OK;
  ranks_mpi *own = NULL;
  const prc_ranks *table = NULL;
  *out = NULL;
  prc_try(expect_first(err));
  prc_try(prc_new(&own, 1, err));
  prc_try(begin_petsc(own, n_options, options, err));
  table = &own->table;
  prc_try(make_table(own, err));
  *out = table, own = NULL, table = NULL;
done:
  if (table)
    prc_ranks_end(&table);
  else
    free_own(&own);
  return status;
}

void prc_ranks_end(const prc_ranks **ranks) {
  if (!*ranks) return;
  ranks_mpi *own = (*ranks)->of;
  MPI_Comm_free(&own->end);
  MPI_Comm_free(&own->comm);
  (void)!PetscPopErrorHandler();
  (void)!PetscFinalize();
  free_own(&own);
  *ranks = NULL;
}

void prc_ranks_abort(const prc_ranks *ranks, int code) {
  if (ranks) MPI_Abort(comm_of(ranks->of), code);
  _Exit(code);
}

/* A waiting rank polls a thousand times a second, because other ranks may need the processor. The pending
 * message is dropped when the process ends. */
int prc_ranks_end_together(const prc_ranks *ranks, double seconds) {
  const struct timespec moment = {.tv_nsec = 1000000};
  const double until = prc_clock() + seconds;
  MPI_Request request;
  int all = 0;
  if (!ranks) return 1;
  MPI_Ibarrier(((const ranks_mpi *)ranks->of)->end, &request);
  for (;;) {
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    if (all || prc_clock() >= until) return all;
    nanosleep(&moment, NULL);
  }
}

/* ---- what they are ------------------------------------------------------------------------------------- */

/* The libraries as loaded, by the first words of what they say: "Open MPI v4.1.4, package: ...", "MPICH Version: 4.0.2 ...". */
void prc_ranks_describe(size_t size, char *text) {
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  PetscInt major = 0, minor = 0, subminor = 0;
  int length = 0;
  if (size == 0) return;
  (void)!PetscGetVersionNumber(&major, &minor, &subminor, NULL);
  MPI_Get_library_version(mpi, &length);
  mpi[strcspn(mpi, ",\n")] = '\0';
  char *version = strstr(mpi, " v");
  if (version) memmove(version + 1, version + 2, strlen(version + 2) + 1);
  snprintf(text, size, "PETSc %d.%d.%d, %s", (int)major, (int)minor, (int)subminor, mpi);
}
