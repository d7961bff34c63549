#include "config.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Ctrl-C and its like. As long as nothing would be lost, while files are read, a geometry is meshed and
 * matrices are made, they end the program at once, whatever it waits for. Once a run has begun, the step in
 * hand is finished and everything written; a second one ends the program at once. */

static volatile sig_atomic_t interrupted, held, patience, answer = CLI_FAILED, nowhere = -1;
static const char *volatile last_words;
static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

/* ---- in a handler: nothing but calls that are safe there ----------------------------------------------- */

static int can_write(int descriptor) {
  struct pollfd about = {.fd = descriptor, .events = POLLOUT};
  return poll(&about, 1, 0) != 0; /* a closed one fails at once too */
}

static void exit_at_once(void) {
  const char *text = last_words;
  if (text && can_write(STDERR_FILENO)) (void)!write(STDERR_FILENO, text, strlen(text));
  _exit((int)answer);
}

/* The reader of our pipe is gone: the run goes on and drops its messages. */
static void redirect_output(void) {
  for (int k = STDOUT_FILENO; k <= STDERR_FILENO; k++)
    if (nowhere >= 0 && !can_write(k)) (void)dup2((int)nowhere, k);
}

static void on_interrupt(int number) {
  interrupted = number;
  if (!held) exit_at_once();
  redirect_output();
  if (patience > 0) alarm((unsigned)patience);
  for (int k = 0; k < INTERRUPTS; k++) signal(interrupts[k], SIG_DFL);
}

/* Signals that ask for a checkpoint and an end: from batch systems before a job's time is over, from the
 * system every second once processor time is used up, from `converge` to its members. A repeated signal means
 * the same. */
static void on_request(int number) {
  interrupted = number;
  if (!held) exit_at_once();
  redirect_output();
  if (patience > 0) alarm((unsigned)patience);
}

static void on_alarm(int number) {
  (void)number;
  exit_at_once();
}

/* ---- what they mean ------------------------------------------------------------------------------------ */

/* Calls that wait begin again after it: files are written whole. */
static void set_handler(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  sigaction(number, &action, NULL);
}

static int is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* nohup's wish is kept. (SIGINT is ignored in what a shell starts in the background, but kill -INT is meant.)
 * A file that grows beyond a limit is an error that is reported, and who reads the messages may go away while
 * the run goes on. */
void cli_catch_interrupts(const char *words, int status) {
  interrupted = held = patience = 0;
  last_words = words, answer = status;
  if (nowhere < 0) nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (int k = 0; k < INTERRUPTS; k++)
    if (interrupts[k] != SIGHUP || !is_ignored(SIGHUP)) set_handler(interrupts[k], on_interrupt);
  set_handler(CLI_SIGNAL_STOP, on_request);
  set_handler(SIGXCPU, on_request);
  set_handler(SIGALRM, on_alarm);
  set_handler(SIGXFSZ, SIG_IGN);
  set_handler(SIGPIPE, SIG_IGN);
}

void cli_defer_interrupts(int seconds) {
  patience = seconds;
  held = 1;
}

void cli_release_interrupts(const char *words, int status) {
  last_words = words, answer = status;
  held = 0;
  if (interrupted) exit_at_once();
}

int cli_interrupted(void) {
  return interrupted != 0;
}
