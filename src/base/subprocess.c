#include "config.h"
#include "base/base.h"
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef PRC_COVERAGE
void __gcov_dump(void); /* a child that leaves by _exit has not written its counters */
#endif

/* ---- the child ----------------------------------------------------------------------------------------- */

/* Address space: the sanitizer's own is without bounds. */
static void limit_memory(double more) {
#ifdef SANITIZED
  (void)more;
#else
  double pages = 0.0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file && fscanf(file, "%lf", &pages) != 1) pages = 0.0;
  if (file) fclose(file);
  const double bytes = (double)sysconf(_SC_PAGESIZE) * pages + more;
  struct rlimit limit;
  if (more <= 0.0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  if (limit.rlim_cur == RLIM_INFINITY || (double)limit.rlim_cur > bytes) limit.rlim_cur = (rlim_t)bytes;
  (void)setrlimit(RLIMIT_AS, &limit);
#endif
}

/* The last words of a dying library are not shown to the user; the report of a sanitizer is. */
static void close_terminal(void) {
#ifndef SANITIZED
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (nowhere > STDERR_FILENO) close(nowhere);
#endif
}

/* The child resets all signal handlers: a signal ends it. (Signals that nohup ignores stay ignored.) Handlers
 * of the calling program would otherwise run in a crashed child, on damaged data. Handlers of a sanitizer
 * stay. */
static void reset_signals(void) {
  static const int signals[] = {SIGINT,  SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM, SIGPIPE,
#ifndef SANITIZED
                                SIGSEGV, SIGFPE,  SIGBUS, SIGILL,  SIGABRT
#endif
  };
  struct sigaction action;
  sigset_t none;
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
    if (signals[k] != SIGHUP || sigaction(SIGHUP, NULL, &action) != 0 || action.sa_handler != SIG_IGN)
      signal(signals[k], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void enter_child(const prc_subprocess_limits *limits, pid_t parent) {
  const struct rlimit none = {0, 0};
#ifdef PR_SET_PDEATHSIG
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive who waits for it */
  if (getppid() != parent) _exit(EXIT_FAILURE);
#else
  (void)parent;
#endif
  reset_signals();
  (void)setrlimit(RLIMIT_CORE, &none);
  close_terminal();
  if (limits->load) limits->load();
  limit_memory(limits->memory);
  if (limits->seconds > 0) alarm(limits->seconds);
}

static int write_all(int to, const void *data, size_t n) {
  const char *at = data;
  while (n > 0) {
    const ssize_t wrote = write(to, at, n);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return 0;
    at += wrote, n -= (size_t)wrote;
  }
  return 1;
}

/* The error first, then the bytes. */
static _Noreturn void run_child(const prc_subprocess_limits *limits, prc_subprocess_work work, void *data,
                                int to, pid_t parent) {
  prc_error err = {0};
  prc_bytes out = {0};
  enter_child(limits, parent);
  const prc_status status = work(data, &out, &err);
  err.status = status;
  if (status != PRC_OK) out.used = 0;
  const int sent = write_all(to, &err, sizeof err) && write_all(to, out.at, out.used);
  prc_delete(&out.at);
#ifdef PRC_COVERAGE
  __gcov_dump();
#endif
  _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- the parent ---------------------------------------------------------------------------------------- */

static prc_status read_answer(const prc_subprocess_limits *limits, int from, prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  enum { PIECE = 1 << 16 };
  ssize_t got = 0;
  do {
    prc_try(prc_grow(&out->at, &out->capacity, out->used + PIECE, 1, err));
    got = read(from, out->at + out->used, PIECE);
    if (got > 0) out->used += (size_t)got;
  } while (got > 0 || (got < 0 && errno == EINTR));
  if (got < 0)
    status = prc_fail(err, PRC_IO, "%s: its process cannot be heard: %s", limits->what, strerror(errno));
done:
  return status;
}

/* Words for a forbidden action of the child; NULL if there was none. */
static const char *name_violation(int outcome) {
  if (WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGSYS) /* signals are blocked while one is started */
    return "start a program";
  switch (WIFEXITED(outcome) ? WEXITSTATUS(outcome) : 0) {
  case PRC_SANDBOX_PROGRAM:
    return "start a program";
  case PRC_SANDBOX_FILE:
    return "write, move or remove a file";
  case PRC_SANDBOX_CONNECTION:
    return "open a connection";
  default:
    return NULL;
  }
}

/* How the child ended, if not well. */
static prc_status check_outcome(const prc_subprocess_limits *limits, int outcome, prc_error *err) {
  if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == EXIT_SUCCESS) return PRC_OK;
  const int number = WIFSIGNALED(outcome) ? WTERMSIG(outcome) : 0;
  const char *expected = limits->expected ? limits->expected : "a file that is not damaged",
             *attempt = limits->sandboxed ? name_violation(outcome) : NULL;
  if (attempt)
    return prc_fail(err, PRC_INPUT, "%s: it would %s, expected %s", limits->what, attempt, limits->sandboxed);
  if (number == SIGINT || number == SIGTERM || number == SIGHUP)
    return prc_fail(err, PRC_STOPPED, "%s was stopped", limits->what);
  if (number == SIGALRM)
    return prc_fail(err, PRC_INPUT, "%s takes more than %u s, expected %s", limits->what, limits->seconds,
                    expected);
  char most[64] = "";
  if (limits->memory > 0.0)
    snprintf(most, sizeof most, " with at most %.3g GB of memory", 1e-9 * limits->memory);
  return prc_fail(err, PRC_INPUT, "%s ends in '%s'%s, expected %s", limits->what,
                  number ? strsignal(number) : "a fault", most, expected);
}

static prc_status read_error(prc_bytes *out, const prc_subprocess_limits *limits, prc_error *err) {
  prc_error theirs;
  if (!prc_bytes_get(out, &theirs, sizeof theirs))
    return prc_fail(err, PRC_IO, "%s gave no answer", limits->what);
  theirs.message[sizeof theirs.message - 1] = '\0';
  if (theirs.status != PRC_OK && err && err->status == PRC_OK) *err = theirs;
  return theirs.status;
}

static prc_status wait_for_child(const prc_subprocess_limits *limits, pid_t child, int from, prc_bytes *out,
                                 prc_error *err) {
  int outcome = 0;
  prc_status status = read_answer(limits, from, out, err);
  if (status != PRC_OK) kill(child, SIGKILL);
  while (waitpid(child, &outcome, 0) < 0)
    if (errno != EINTR) return prc_fail(err, PRC_IO, "%s: no answer: %s", limits->what, strerror(errno));
  if (status == PRC_OK) status = check_outcome(limits, outcome, err);
  return status == PRC_OK ? read_error(out, limits, err) : status;
}

prc_status prc_subprocess_run(const prc_subprocess_limits *limits, prc_subprocess_work work, void *data,
                              prc_bytes *out, prc_error *err) {
  prc_status status = PRC_OK;
  int ends[2] = {-1, -1};
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* what guides the search sees no other process */
  return work(data, out, err);
#endif
  fflush(NULL); /* else the child has the parent's unwritten text too */
  if (pipe(ends) != 0)
    return prc_fail(err, PRC_IO, "%s needs a process of its own: %s", limits->what, strerror(errno));
  for (int k = 0; k < 2; k++) /* what the child starts does not keep them open */
    (void)fcntl(ends[k], F_SETFD, FD_CLOEXEC);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(limits, work, data, ends[1], parent);
  }
  close(ends[1]);
  if (child < 0)
    status = prc_fail(err, PRC_IO, "%s needs a process of its own: %s", limits->what, strerror(errno));
  else
    status = wait_for_child(limits, child, ends[0], out, err);
  close(ends[0]);
  return status;
}
