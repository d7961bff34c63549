#include "config.h"
#include "cli/cli.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Messages about work before the first step. The working thread does not read the clock. Without a terminal a
 * second thread does, and names work that takes long. */

enum { PATIENCE = 2 }; /* seconds, that a phase may take unsaid */

static struct {
  int begun, terminal, shown; /* shown: something stands in the line of the terminal */
  int watched, is_ending;
  pthread_t thread;
  pthread_mutex_t mutex; /* of what follows, where it is watched */
  pthread_cond_t changed;
  char words[200]; /* "": nothing, or it was said */
  double since;
} phases;

static void wait_a_little(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 250000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  (void)pthread_cond_timedwait(&phases.changed, &phases.mutex, &until);
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&phases.mutex);
  while (!phases.is_ending) {
    if (phases.words[0] && prc_clock() - phases.since >= PATIENCE) {
      fprintf(stderr, "%s ...\n", phases.words);
      phases.words[0] = '\0';
    }
    wait_a_little();
  }
  pthread_mutex_unlock(&phases.mutex);
  return NULL;
}

/* Signals are for the thread that was there before; where there is no other, nothing is said. */
static int start_watching(void) {
  sigset_t all, before;
  pthread_mutex_init(&phases.mutex, NULL);
  pthread_cond_init(&phases.changed, NULL);
  phases.is_ending = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int refused = pthread_create(&phases.thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (refused) {
    pthread_cond_destroy(&phases.changed);
    pthread_mutex_destroy(&phases.mutex);
  }
  return !refused;
}

void cli_phases_begin(void) {
  if (phases.begun) return;
  phases.begun = 1, phases.shown = 0, phases.words[0] = '\0';
  phases.terminal = isatty(STDERR_FILENO);
  phases.watched = !phases.terminal && start_watching();
}

void cli_phase(const char *words) {
  if (!phases.begun) return;
  if (phases.terminal) {
    fprintf(stderr, "\r%.70s ...\033[K", words);
    fflush(stderr);
    phases.shown = 1;
  }
  if (!phases.watched) return;
  pthread_mutex_lock(&phases.mutex);
  snprintf(phases.words, sizeof phases.words, "%s", words);
  phases.since = prc_clock();
  pthread_mutex_unlock(&phases.mutex);
}

void cli_phase_clear(void) {
  if (phases.begun && phases.shown) fprintf(stderr, "\r\033[K");
  phases.shown = 0;
}

void cli_phase_end(void) {
  if (!phases.begun) return;
  cli_phase_clear();
  phases.begun = 0;
  if (!phases.watched) return;
  pthread_mutex_lock(&phases.mutex);
  phases.is_ending = 1;
  pthread_cond_signal(&phases.changed);
  pthread_mutex_unlock(&phases.mutex);
  pthread_join(phases.thread, NULL);
  pthread_cond_destroy(&phases.changed);
  pthread_mutex_destroy(&phases.mutex);
  phases.watched = 0;
}
