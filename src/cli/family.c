#include "config.h"
#include "cli/family.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif

/* ---- what members say -------------------------------------------------------------------------------------
 * Each is a process of its own. Hashes of the warnings that any of them gave lie in memory that they share; 0: none. */

enum { N_SAID = 4096 };
static _Atomic uint64_t *said;

int cli_family_has_said(const char *text) {
  if (!said) return 0;
  const uint64_t mine = prc_hash(PRC_HASH_START, text, strlen(text)) | 1U;
  for (uint64_t k = 0; k < N_SAID; k++) {
    uint64_t there = 0;
    if (atomic_compare_exchange_strong(&said[(mine + k) % N_SAID], &there, mine)) return 0;
    if (there == mine) return 1;
  }
  return 0; /* they said so much else */
}

static void begin_to_listen(void) {
  void *shared = mmap(NULL, N_SAID * sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  said = shared == MAP_FAILED ? NULL : shared; /* without it each member gives its own */
}

static void end_to_listen(void) {
  if (said) munmap((void *)said, N_SAID * sizeof *said);
  said = NULL;
}

/* ---- how a member ended ---------------------------------------------------------------------------------- */

int cli_member_is_certified(cli_member_end end) {
  return end == CLI_MEMBER_CERTIFIED || end == CLI_MEMBER_NOTED;
}
int cli_member_is_done(cli_member_end end) {
  return cli_member_is_certified(end) || end == CLI_MEMBER_NOT_CERTIFIED;
}
const char *cli_member_word(cli_member_end end) {
  return end == CLI_MEMBER_CERTIFIED       ? "certified"
         : end == CLI_MEMBER_NOTED         ? "certified, with notes"
         : end == CLI_MEMBER_NOT_CERTIFIED ? "not certified"
                                           : "failed";
}

/* ---- in the process of a member ------------------------------------------------------------------------- */

void cli_family_await_interrupts(void) {
  cli_release_interrupts(NULL, CLI_MEMBER_STOPPED);
}

/* Its last words, one message, go to the family's process, which says them and keeps them. */
static cli_member_end run_member(const cli_family *f, const cli_member *m, int words) {
  cli_outcome outcome = {0};
  prc_error err = {0};
  if (f->run(m, &outcome, &err) != PRC_OK) {
    (void)!write(words, err.message, strlen(err.message));
    return err.status == PRC_INPUT ? CLI_MEMBER_WRONG : CLI_MEMBER_FAILED;
  }
  if (cli_interrupted() || outcome.stopped) return CLI_MEMBER_STOPPED;
  return outcome.certificate.verdict == PRC_FAIL              ? CLI_MEMBER_NOT_CERTIFIED
         : outcome.certificate.verdict == PRC_PASS_WITH_NOTES ? CLI_MEMBER_NOTED
                                                              : CLI_MEMBER_CERTIFIED;
}

/* ---- in the family's ------------------------------------------------------------------------------------ */

static prc_status refuse_start(const cli_member *m, prc_error *err) {
  return prc_fail(err, PRC_NOMEM, "%s needs a process of its own: %s", m->folder, strerror(errno));
}

static prc_status start(const cli_family *f, cli_member *m, prc_error *err) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return refuse_start(m, err);
  for (int k = 0; k < 2; k++) fcntl(pipe_ends[k], F_SETFD, FD_CLOEXEC);
  fcntl(pipe_ends[0], F_SETFL,
        O_NONBLOCK); /* what a member has started may outlive it, and hold its end open */
  fflush(stdout), fflush(stderr);
  m->began = prc_clock();
  m->pid = fork();
  if (m->pid == 0) {
    cli_family_await_interrupts();
#ifdef PR_SET_PDEATHSIG
    prctl(PR_SET_PDEATHSIG, CLI_SIGNAL_STOP); /* nobody would read its results */
#endif
    const int result = (int)run_member(f, m, pipe_ends[1]);
    fflush(stdout), fflush(stderr);
    _exit(result);
  }
  const prc_status status = m->pid < 0 ? refuse_start(m, err) : PRC_OK;
  close(pipe_ends[1]);
  m->words = pipe_ends[0];
  if (m->pid < 0) m->pid = 0, close(m->words);
  return status;
}

static int is_running(const cli_member *m) {
  return m->pid > 0 && m->end == CLI_MEMBER_WAITING;
}

/* An interrupt may have reached only this process, or the members too, whom a second one would stop at once:
 * they are told in a way that can be repeated. */
static void forward_interrupt(const cli_family *f) {
  for (int i = 0; i < f->n; i++)
    if (is_running(&f->member[i])) kill(f->member[i].pid, CLI_SIGNAL_STOP);
}

static pid_t wait_for_any(const cli_family *f, int *result) {
  static const struct timespec moment = {0, 20000000};
  int is_told = 0;
  pid_t pid;
  while ((pid = waitpid(-1, result, WNOHANG)) == 0) {
    if (cli_interrupted() && !is_told) forward_interrupt(f), is_told = 1;
    nanosleep(&moment, NULL);
  }
  return pid;
}

static void read_words(cli_member *m) {
  size_t used = 0;
  ssize_t got;
  while (used + 1 < sizeof m->reason
         && (got = read(m->words, m->reason + used, sizeof m->reason - 1 - used)) > 0)
    used += (size_t)got;
  m->reason[used] = '\0';
  close(m->words);
}

/* How it ended, and what is to be said of it where it has not done so itself. */
static void set_end(const cli_family *f, cli_member *m, int result) {
  const int code = WIFEXITED(result) ? WEXITSTATUS(result) : (int)CLI_MEMBER_FAILED;
  m->seconds = prc_clock() - m->began;
  m->end = code == CLI_MEMBER_CERTIFIED || (code >= CLI_MEMBER_NOT_CERTIFIED && code < CLI_MEMBER_ENDS)
               ? (cli_member_end)code
               : CLI_MEMBER_FAILED;
  read_words(m);
  if (*m->reason)
    cli_print(stderr, "%s%s%s\n", prc_begins_with(m->reason, m->folder) ? "" : m->folder,
              prc_begins_with(m->reason, m->folder) ? "" : ": ", m->reason);
  if (!WIFSIGNALED(result)) return;
  snprintf(m->reason, sizeof m->reason, "ended by '%s'", strsignal(WTERMSIG(result)));
  if (!f->needs_all) /* else its end is that of all, and said there */
    cli_print(stderr, "%s: %s; the same command goes on from its last checkpoint\n", m->folder, m->reason);
}

/* Message of a family that needs all its members. */
static prc_status judge_end(const cli_member *m, prc_error *err) {
  if (m->end == CLI_MEMBER_STOPPED) return prc_fail(err, PRC_STOPPED, CLI_FAMILY_STOPPED);
  if (m->end == CLI_MEMBER_WRONG) return prc_fail(err, PRC_INPUT, "%s cannot be computed", m->folder);
  if (m->end == CLI_MEMBER_FAILED && prc_begins_with(m->reason, "ended by"))
    return prc_fail(err, PRC_DIVERGED, "%s was %s; the same command goes on from its last checkpoint",
                    m->folder, m->reason);
  if (m->end == CLI_MEMBER_FAILED) return prc_fail(err, PRC_DIVERGED, "%s failed", m->folder);
  return PRC_OK;
}

/* Waits until one of them ends. */
static prc_status wait_for_one(const cli_family *f, prc_error *err) {
  int result;
  const pid_t pid = wait_for_any(f, &result);
  for (int i = 0; i < f->n; i++) {
    cli_member *m = &f->member[i];
    if (!is_running(m) || m->pid != pid) continue;
    set_end(f, m, result);
    if (f->on_end) f->on_end(f->to, m);
    return f->needs_all ? judge_end(m, err) : PRC_OK;
  }
  return PRC_OK;
}

/* The next that waits and has not begun; NULL: none. */
static cli_member *next_member(const cli_family *f) {
  for (int k = 0; k < f->n; k++) {
    cli_member *m = &f->member[f->from_last ? f->n - 1 - k : k];
    if (m->end == CLI_MEMBER_WAITING && m->pid == 0) return m;
  }
  return NULL;
}

prc_status cli_family_run(cli_family *f, prc_error *err) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const int jobs = f->jobs > 0 ? f->jobs : processors > 1 ? (int)processors : 1;
  prc_status status = PRC_OK;
  int running = 0;
  cli_member *next = next_member(f);
  begin_to_listen();
  while (running > 0 || (next && status == PRC_OK)) {
    if (cli_interrupted() && status == PRC_OK) status = prc_fail(err, PRC_STOPPED, CLI_FAMILY_STOPPED);
    if (next && status == PRC_OK && running < jobs) {
      status = start(f, next, err);
      if (status == PRC_OK) next = next_member(f), running++;
      continue;
    }
    if (running == 0) break;
    const prc_status one = wait_for_one(f, err);
    if (status == PRC_OK) status = one;
    running--;
  }
  end_to_listen();
  return status;
}
