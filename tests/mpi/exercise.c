/* One rank of several that mpiexec starts, `exercise N WORK...`: does what its arguments say with the table of N ranks, says what was not as expected, and ends
 * with 0 if all was. ranks.test starts it.
 * Messages have at most 1000 bytes here (PRC_RANKS_PIECE), so that longer data come in pieces. */
#include "config.h"
#include "base/ranks.h"

#include <petscsys.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const prc_ranks *ranks;
static prc_error err;
static int wrong;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "rank %d of %d: not so: %s\n", ranks ? ranks->rank : -1, ranks ? ranks->n : 0, what);
  wrong = 1;
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

enum { MANY = 3001 };

/* Of whole numbers, exact: sum over r = 0 .. n-1 of (r+1)(i+1) = n(n+1)/2 (i+1). */
static void whole_sums(int count) {
  double x[MANY], y[MANY];
  const int n = ranks->n;
  for (int i = 0; i < count; i++) x[i] = (ranks->rank + 1.0) * (i + 1.0), y[i] = -x[i];
  x[count] = y[count] = 17.0;
  ranks->sum(ranks->of, count, x);
  ranks->largest(ranks->of, count, y);
  for (int i = 0; i < count; i++) {
    expect(x[i] == 0.5 * n * (n + 1.0) * (i + 1.0), "a sum of whole numbers is exact");
    expect(y[i] == -(i + 1.0), "the largest of negative numbers is that of rank 0");
  }
  expect(x[count] == 17.0 && y[count] == 17.0, "what is behind them is not touched");
}

/* Numbers of all sizes: rounded to the last bits, which are the same on all ranks. */
static void same_bits(void) {
  static double x[MANY], of_0[MANY];
  prc_random random = {7 + (uint64_t)ranks->rank};
  for (int i = 0; i < MANY; i++)
    x[i] = ldexp(prc_random_uniform(&random, -1.0, 1.0), (int)prc_random_uniform(&random, -60.0, 60.0));
  ranks->sum(ranks->of, MANY, x);
  memcpy(of_0, x, sizeof x);
  ranks->broadcast(ranks->of, sizeof of_0, of_0);
  expect(memcmp(x, of_0, sizeof x) == 0, "a sum has the same bits on all ranks");
}

static void sums(void) {
  static const int counts[] = {0, 1, 2, 7, 512, MANY - 1};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) whole_sums(counts[k]);
  same_bits();
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

enum { ROOM = 5003 };
static const size_t sizes[] = {0, 1, 999, 1000, 1001, 1999, 2000, 2001, 5000};

static unsigned char byte_of(int rank, size_t k) {
  return (unsigned char)(31 * rank + 7 * (int)(k % 251) + (int)(k / 251));
}

static void fill(unsigned char *data, int rank) {
  for (size_t k = 0; k < ROOM; k++) data[k] = byte_of(rank, k);
}

/* n bytes are those of `rank`, those behind them are as `fill` of this rank left them */
static int is_from(const unsigned char *data, size_t n, int rank) {
  for (size_t k = 0; k < ROOM; k++)
    if (data[k] != byte_of(k < n ? rank : ranks->rank, k)) return 0;
  return 1;
}

static void bytes(void) {
  static unsigned char own[ROOM], other[ROOM];
  const int n = ranks->n, next = (ranks->rank + 1) % n, before = (ranks->rank + n - 1) % n;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    fill(own, ranks->rank);
    ranks->broadcast(ranks->of, sizes[k], own);
    expect(is_from(own, sizes[k], 0), "a broadcast brings what rank 0 has");
    if (n == 1) continue;
    fill(own, ranks->rank), fill(other, ranks->rank); /* around the ring, rank 0 sends first */
    if (ranks->rank == 0) ranks->send(ranks->of, next, sizes[k], own);
    ranks->receive(ranks->of, before, sizes[k], other);
    if (ranks->rank > 0) ranks->send(ranks->of, next, sizes[k], own);
    expect(is_from(other, sizes[k], before), "what is received is what was sent");
    expect(is_from(own, ROOM, ranks->rank), "and what is sent stays");
  }
}

/* ---- failures ------------------------------------------------------------------------------------------ */

/* For every set of ranks that fail, as bits of `set`: the lowest tells all. */
static void agree(void) {
  for (int set = 0; set < 1 << ranks->n; set++) {
    prc_error own = {0};
    prc_status status = PRC_OK;
    int lowest = 0;
    char text[64];
    while (set && !(set >> lowest & 1)) lowest++;
    if (set >> ranks->rank & 1) status = prc_fail(&own, PRC_IO, "rank %d failed", ranks->rank);
    status = prc_ranks_agree(ranks, status, &own);
    snprintf(text, sizeof text, "rank %d failed", lowest);
    expect(status == (set ? PRC_IO : PRC_OK), "all fail if one does");
    expect(!set || strcmp(own.message, text) == 0, "with the message of the lowest");
  }
}

static void together(void) {
  for (int late = 0; late < ranks->n; late++) {
    if (ranks->rank == late) usleep(200000);
    expect(prc_ranks_end_together(ranks, 60.0), "all come, one of them late");
  }
}

/* One waits for a message that nobody sends: the others see that it does not come, and end it. */
static void apart(void) {
  double x;
  if (ranks->rank == ranks->n - 1 && ranks->n > 1) ranks->receive(ranks->of, 0, sizeof x, &x);
  const int came = prc_ranks_end_together(ranks, 0.3);
  expect(came == (ranks->n == 1), "one that waits elsewhere is missed");
  prc_ranks_abort(ranks, wrong ? 99 : 3);
}

static prc_status crash(void *data, prc_bytes *out, prc_error *at) {
  (void)out, (void)at;
  raise(*(const int *)data);
  return PRC_OK;
}

/* A child dies of what kills it, in spite of handlers that MPI and PETSc have. */
static void children(void) {
  static const int number[] = {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGABRT};
  const prc_subprocess_limits limits = {.what = "the work", .seconds = 60};
  for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
    prc_error own = {0};
    prc_bytes out = {0};
    int which = number[k];
    expect(prc_subprocess_run(&limits, crash, &which, &out, &own) == PRC_INPUT, "a child that crashes fails");
    expect(strstr(own.message, strsignal(number[k])) != NULL, "and its signal is named");
    prc_delete(&out.at);
  }
}

/* ---- PETSc --------------------------------------------------------------------------------------------- */

static int option(const char *name) {
  PetscInt value = 0;
  PetscBool set = PETSC_FALSE;
  return PetscOptionsGetInt(NULL, NULL, name, &value, &set) || !set ? -1 : (int)value;
}

/* The test sets PETSC_OPTIONS, and writes a .petscrc that is not to be read. */
static void options(void) {
  expect(option("-prc_argument") == 7, "options of the caller are known");
  expect(option("-prc_variable") == 8, "so are those of PETSC_OPTIONS");
  expect(option("-prc_both") == 7, "of both, the caller's count");
  expect(option("-prc_file") == -1, "no file of options is read");
}

/* An error of PETSc is a code and no text: the test looks that nothing was printed. */
static void errors(void) {
  PetscInt value;
  expect(PetscOptionsStringToInt("word", &value) != 0, "PETSc's errors are returned");
}

static void once(void) {
  const prc_ranks *second = NULL;
  expect(prc_ranks_begin(0, NULL, &second, &err) == PRC_INPUT && !second, "they begin once only");
}

static void describe(void) {
  char text[256], small[6];
  prc_ranks_describe(sizeof text, text);
  prc_ranks_describe(sizeof small, small);
  expect(strncmp(text, "PETSc 3.", 8) == 0 && strstr(text, ", ") && !strchr(text, '\n'), text);
  expect(strcmp(small, "PETSc") == 0, "what has too little room is cut");
}

/* --------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*work)(void);
} works[] = {{"sums", sums},   {"bytes", bytes},       {"agree", agree},     {"together", together},
             {"apart", apart}, {"children", children}, {"options", options}, {"errors", errors},
             {"once", once},   {"describe", describe}};

static void do_work(const char *name) {
  for (size_t k = 0; k < sizeof works / sizeof *works; k++)
    if (strcmp(works[k].name, name) == 0) {
      works[k].work();
      return;
    }
  expect(0, "the work is known");
}

int main(int argc, char **argv) {
  static const char *const given[] = {"-prc_argument", "7", "-prc_both", "7"};
  int rank = -1, begun = 1, ended = 0;
  const int foreseen = prc_ranks_foreseen(&rank);
  MPI_Initialized(&begun);
  if (argc < 3 || begun) return 98;
  if (prc_ranks_begin(4, given, &ranks, &err) != PRC_OK) {
    fprintf(stderr, "%s\n", err.message);
    return 97;
  }
  expect(ranks->n == atoi(argv[1]), "there are as many as the test says");
  expect(foreseen == ranks->n && rank == ranks->rank, "they were foreseen");
  for (int k = 2; k < argc; k++) do_work(argv[k]);
  prc_ranks_end(&ranks);
  MPI_Finalized(&ended);
  expect(ended && !ranks, "they have ended");
  expect(prc_ranks_begin(0, NULL, &ranks, &err) == PRC_INPUT, "they do not begin again");
  return wrong;
}
