#include "config.h"
#include "cli/checkpoint.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif

enum {
  MEMBER_CERTIFIED = 0,
  MEMBER_NOT_CERTIFIED = 3,
  MEMBER_STOPPED = 4,
  MEMBER_FAILED = 5,
  MEMBER_WRONG = 6
};

static int has_file(const char *folder, const char *name, int step) {
  char path[8192];
  snprintf(path, sizeof path, name, folder, step);
  return access(path, R_OK) == 0;
}

/* All states up to the end, which `converge` is going to read. */
static int is_complete(const cli_member *m) {
  for (int k = 0; k <= m->options.states; k++)
    if (!has_file(m->folder, "%s/states/step-%08d.h5", k * (m->n_steps / m->options.states))) return 0;
  return 1;
}

static prc_status run_once(const cli_member *m, int resume, cli_outcome *outcome, prc_error *err) {
  cli_options o = m->options;
  o.resume = resume;
  return cli_run_case(&o, outcome, err);
}

/* Goes on where an earlier run of the same member was stopped; what is there of another one is done anew. A
 * failure that has another reason, a full disk for instance, leaves what is there. */
static prc_status run_or_resume(const cli_member *m, cli_outcome *outcome, prc_error *err) {
  if (cli_checkpoint_exists(m->folder)) {
    const prc_status status = run_once(m, 1, outcome, err);
    const int is_other = status == PRC_INPUT || (status == PRC_OK && !outcome->stopped && !is_complete(m));
    if (!is_other || cli_interrupted()) return status;
    prc_error_clear(err);
    cli_release_interrupts(NULL, MEMBER_STOPPED);
  }
  return run_once(m, 0, outcome, err);
}

static int run_member(const cli_member *m) {
  cli_outcome outcome = {0};
  prc_error err = {0};
  if (run_or_resume(m, &outcome, &err) != PRC_OK) {
    cli_print(stderr, "%s: %s\n", m->folder, err.message);
    return err.status == PRC_INPUT ? MEMBER_WRONG : MEMBER_FAILED;
  }
  if (cli_interrupted() || outcome.stopped) return MEMBER_STOPPED;
  return outcome.certificate.verdict == PRC_FAIL ? MEMBER_NOT_CERTIFIED : MEMBER_CERTIFIED;
}

static prc_status start(cli_member *m, prc_error *err) {
  fflush(stdout), fflush(stderr);
  m->began = prc_clock();
  m->pid = fork();
  if (m->pid < 0) {
    m->pid = 0;
    return prc_fail(err, PRC_NOMEM, "%s needs a process of its own: %s", m->folder, strerror(errno));
  }
  if (m->pid == 0) {
    cli_release_interrupts(NULL, MEMBER_STOPPED);
#ifdef PR_SET_PDEATHSIG
    prctl(PR_SET_PDEATHSIG, CLI_SIGNAL_STOP); /* nobody would read its results */
#endif
    const int result = run_member(m);
    fflush(stdout), fflush(stderr);
    _exit(result);
  }
  return PRC_OK;
}

/* An interrupt may have reached only this process, or the members too, whom a second one would stop at once:
 * they are told in a way that can be repeated. */
static void forward_interrupt(int n, const cli_member *member) {
  for (int i = 0; i < n; i++)
    if (member[i].pid > 0 && !member[i].ended) kill(member[i].pid, CLI_SIGNAL_STOP);
}

static pid_t wait_for_any(int n, const cli_member *member, int *result) {
  static const struct timespec moment = {0, 20000000};
  int is_told = 0;
  pid_t pid;
  while ((pid = waitpid(-1, result, WNOHANG)) == 0) {
    if (cli_interrupted() && !is_told) forward_interrupt(n, member), is_told = 1;
    nanosleep(&moment, NULL);
  }
  return pid;
}

/* How a member ended that has not said so itself. */
static prc_status describe_end(const cli_member *m, int result, prc_error *err) {
  if (WIFSIGNALED(result))
    return prc_fail(err, PRC_DIVERGED,
                    "%s was ended by '%s'; the same command goes on from its last checkpoint", m->folder,
                    strsignal(WTERMSIG(result)));
  return prc_fail(err, PRC_DIVERGED, "%s failed", m->folder);
}

/* Waits until one of them ends. */
static prc_status wait_for_one(int n, cli_member *member, prc_error *err) {
  int result;
  const pid_t pid = wait_for_any(n, member, &result);
  for (int i = 0; i < n; i++) {
    cli_member *m = &member[i];
    if (m->pid != pid) continue;
    const int code = WIFEXITED(result) ? WEXITSTATUS(result) : MEMBER_FAILED;
    m->ended = 1, m->certified = code == MEMBER_CERTIFIED;
    m->seconds = prc_clock() - m->began;
    if (code == MEMBER_STOPPED)
      return prc_fail(err, PRC_STOPPED, "stopped; the same command goes on from there");
    if (code == MEMBER_WRONG) return prc_fail(err, PRC_INPUT, "%s cannot be computed", m->folder);
    if (code >= MEMBER_FAILED) return describe_end(m, result, err);
    cli_print(stderr, "%s: %s, %.1f s\n", m->folder, m->certified ? "certified" : "not certified",
              m->seconds);
  }
  return PRC_OK;
}

prc_status cli_family_run(int n, cli_member *member, prc_error *err) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  prc_status status = PRC_OK;
  int running = 0, next = n - 1;
  while (running > 0 || (next >= 0 && status == PRC_OK)) {
    if (cli_interrupted() && status == PRC_OK)
      status = prc_fail(err, PRC_STOPPED, "stopped; the same command goes on from there");
    if (next >= 0 && status == PRC_OK && running < (processors > 1 ? processors : 1)) {
      status = start(&member[next], err);
      if (status == PRC_OK) next--, running++;
      continue;
    }
    if (running == 0) break;
    const prc_status one = wait_for_one(n, member, err);
    if (status == PRC_OK) status = one;
    running--;
  }
  return status;
}
