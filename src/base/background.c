#include "config.h"
#include "base/base.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

struct prc_background {
  pthread_t thread;
  pthread_mutex_t mutex; /* of all below */
  pthread_cond_t changed;
  int started, is_ending;
  prc_background_work work; /* NULL: nothing is to be done */
  void *data;
  prc_error failure; /* of what was done last, until somebody was told */
};

/* The lock is free while the work is done: only who began it may touch its data, after waiting. */
static void *work_loop(void *of) {
  prc_background *b = of;
  pthread_mutex_lock(&b->mutex);
  while (b->work || !b->is_ending) {
    if (!b->work) {
      pthread_cond_wait(&b->changed, &b->mutex);
      continue;
    }
    const prc_background_work work = b->work;
    prc_error failure = {0};
    pthread_mutex_unlock(&b->mutex);
    (void)work(b->data, &failure);
    pthread_mutex_lock(&b->mutex);
    b->failure = failure;
    b->work = NULL;
    pthread_cond_broadcast(&b->changed);
  }
  pthread_mutex_unlock(&b->mutex);
  return NULL;
}

/* Signals are for the threads that were there before. */
static int start_thread(prc_background *b) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int refused = pthread_create(&b->thread, NULL, work_loop, b);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return refused;
}

prc_status prc_background_create(prc_background **out, prc_error *err) {
  prc_status status = PRC_OK;
  prc_background *b = NULL;
  prc_try(prc_new(&b, 1, err));
  pthread_mutex_init(&b->mutex, NULL);
  pthread_cond_init(&b->changed, NULL);
  const int refused = start_thread(b);
  if (refused) prc_try(prc_fail(err, PRC_NOMEM, "there is no thread to be had: %s", strerror(refused)));
  b->started = 1;
  *out = b, b = NULL;
done:
  prc_background_free(&b);
  return status;
}

prc_status prc_background_wait(prc_background *b, prc_error *err) {
  if (!b) return PRC_OK;
  pthread_mutex_lock(&b->mutex);
  while (b->work) pthread_cond_wait(&b->changed, &b->mutex);
  const prc_error failure = b->failure;
  prc_error_clear(&b->failure);
  pthread_mutex_unlock(&b->mutex);
  if (failure.status != PRC_OK && err && err->status == PRC_OK) *err = failure;
  return failure.status;
}

prc_status prc_background_begin(prc_background *b, prc_background_work work, void *data, prc_error *err) {
  if (!b) return work(data, err);
  const prc_status status = prc_background_wait(b, err);
  if (status != PRC_OK) return status;
  pthread_mutex_lock(&b->mutex);
  b->work = work, b->data = data;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->mutex);
  return PRC_OK;
}

void prc_background_free(prc_background **background) {
  prc_background *b = *background;
  if (!b) return;
  if (b->started) {
    pthread_mutex_lock(&b->mutex);
    b->is_ending = 1;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
    pthread_join(b->thread, NULL);
  }
  pthread_cond_destroy(&b->changed);
  pthread_mutex_destroy(&b->mutex);
  prc_delete(background);
}
