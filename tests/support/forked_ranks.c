#include "config.h"
#include "support/forked_ranks.h"
#include "support/support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif

#ifdef PRC_COVERAGE
void __gcov_dump(void);
#endif

enum { PIECE = 256, PATIENCE = 600 /* s, under valgrind too */ };

typedef struct {
  int n, rank;
  int to[FORKED_RANKS]; /* the sockets to the others; -1: its own */
  int result;           /* the one to the test */
} line;

/* ---- bytes ----------------------------------------------------------------------------------------------- */

static int write_all(int to, const void *data, size_t n) {
  for (const char *at = data; n > 0;) {
    const ssize_t wrote = send(to, at, n, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return 0;
    at += wrote, n -= (size_t)wrote;
  }
  return 1;
}

static int read_all(int from, void *data, size_t n) {
  for (char *at = data; n > 0;) {
    const ssize_t got = read(from, at, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    at += got, n -= (size_t)got;
  }
  return 1;
}

static _Noreturn void leave(const line *l, const prc_error *result) {
  const int told = write_all(l->result, result, sizeof *result);
#ifdef PRC_COVERAGE
  __gcov_dump();
#endif
  _exit(told ? EXIT_SUCCESS : EXIT_FAILURE);
}

static _Noreturn void give_up(const line *l, int other) {
  prc_error err = {0};
  (void)prc_fail(&err, PRC_IO, "rank %d: rank %d is gone", l->rank, other);
  leave(l, &err);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static void send_to(void *of, int to, size_t bytes, const void *data) {
  const line *l = of;
  if (!write_all(l->to[to], data, bytes)) give_up(l, to);
}

static void receive_from(void *of, int from, size_t bytes, void *data) {
  const line *l = of;
  if (!read_all(l->to[from], data, bytes)) give_up(l, from);
}

static void broadcast(void *of, size_t bytes, void *data) {
  const line *l = of;
  for (int rank = 1; rank < l->n && l->rank == 0; rank++) send_to(of, rank, bytes, data);
  if (l->rank > 0) receive_from(of, 0, bytes, data);
}

static void add(double *to, double x) {
  *to += x;
}

static void keep_larger(double *to, double x) {
  if (x > *to) *to = x;
}

/* Rank 0 does it in the order of ranks. */
static void reduce(void *of, int n, double *x, void (*with)(double *, double)) {
  const line *l = of;
  for (int first = 0; first < n; first += PIECE) {
    const int count = n - first < PIECE ? n - first : PIECE;
    const size_t bytes = (size_t)count * sizeof *x;
    double theirs[PIECE];
    if (l->rank > 0) send_to(of, 0, bytes, x + first);
    for (int rank = 1; rank < l->n && l->rank == 0; rank++) {
      receive_from(of, rank, bytes, theirs);
      for (int k = 0; k < count; k++) with(x + first + k, theirs[k]);
    }
    broadcast(of, bytes, x + first);
  }
}

static void sum(void *of, int n, double *x) {
  reduce(of, n, x, add);
}

static void largest(void *of, int n, double *x) {
  reduce(of, n, x, keep_larger);
}

/* ---- the processes --------------------------------------------------------------------------------------- */

/* Of a pair between i and j each has its end. */
static void connect_all(int n, int ends[FORKED_RANKS][FORKED_RANKS]) {
  for (int i = 0; i < n; i++) ends[i][i] = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      int pair[2];
      ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
      ends[i][j] = pair[0], ends[j][i] = pair[1];
    }
}

/* All but those of one rank; -1: all. */
static void close_others(int n, int ends[FORKED_RANKS][FORKED_RANKS], int rank) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != rank && i != j) close(ends[i][j]);
}

static _Noreturn void be_rank(line *l, forked_work work, void *data) {
  prc_error err = {0};
  const prc_ranks ranks = {.n = l->n,
                           .rank = l->rank,
                           .of = l,
                           .sum = sum,
                           .largest = largest,
                           .broadcast = broadcast,
                           .send = send_to,
                           .receive = receive_from};
#ifdef PR_SET_PDEATHSIG
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive the test */
#endif
  signal(SIGALRM, SIG_DFL);
  alarm(PATIENCE);
  err.status = work(&ranks, data, &err);
  leave(l, &err);
}

void forked_run(int n, forked_work work, void *data, prc_error *result) {
  int ends[FORKED_RANKS][FORKED_RANKS], from[FORKED_RANKS][2];
  pid_t child[FORKED_RANKS];
  ck_assert_int_le(n, FORKED_RANKS);
  connect_all(n, ends);
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, from[i]), 0);
    child[i] = fork();
    ck_assert_int_ge(child[i], 0);
    if (child[i] == 0) {
      line l = {.n = n, .rank = i, .result = from[i][1]};
      for (int k = 0; k <= i; k++) close(from[k][0]);
      memcpy(l.to, ends[i], sizeof l.to);
      close_others(n, ends, i);
      be_rank(&l, work, data);
    }
    close(from[i][1]);
  }
  close_others(n, ends, -1);
  for (int i = 0; i < n; i++) {
    int outcome = 0;
    result[i] = (prc_error){0};
    if (!read_all(from[i][0], &result[i], sizeof result[i]))
      (void)prc_fail(&result[i], PRC_IO, "rank %d died", i);
    close(from[i][0]);
    while (waitpid(child[i], &outcome, 0) < 0 && errno == EINTR) {
    }
    if (result[i].status == PRC_OK && !(WIFEXITED(outcome) && WEXITSTATUS(outcome) == EXIT_SUCCESS))
      (void)prc_fail(&result[i], PRC_IO, "rank %d ended badly", i);
  }
}

void forked_ok(int n, forked_work work, void *data) {
  prc_error result[FORKED_RANKS];
  int first = -1;
  forked_run(n, work, data, result);
  for (int i = n - 1; i >= 0; i--) /* that others are gone is a consequence */
    if (result[i].status != PRC_OK && (first < 0 || result[first].status == PRC_IO)) first = i;
  ck_assert_msg(first < 0, "%d ranks: %s", n, first < 0 ? "" : result[first].message);
}
