/* For make check-threads: loaded before gcc's OpenMP (LD_PRELOAD) for valgrind's helgrind, which knows the threads of POSIX. libgomp
 * makes its threads wait by means that helgrind does not see, so that each loop looks like a race. Here every parallel loop has threads
 * of its own, joined at its end. */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 64 };
typedef void (*team_work)(void *data);
typedef struct {
  team_work work;
  void *data;
  int rank, n;
} member;

void GOMP_parallel(team_work work, void *data, unsigned n, unsigned flags);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
void omp_set_num_threads(int n);

static _Thread_local int my_rank, my_team = 1;
static int wanted = 2;

static void *serve(void *of) {
  const member *m = of;
  my_rank = m->rank, my_team = m->n;
  m->work(m->data);
  my_rank = 0, my_team = 1;
  return NULL;
}

void GOMP_parallel(team_work work, void *data, unsigned n, unsigned flags) {
  (void)flags;
  const int size = n == 0 ? wanted : n < MOST ? (int)n : MOST;
  pthread_t thread[MOST];
  member team[MOST];
  for (int i = size - 1; i >= 0; i--) {
    team[i] = (member){work, data, i, size};
    if (i == 0)
      serve(&team[i]);
    else if (pthread_create(&thread[i], NULL, serve, &team[i]) != 0)
      abort();
  }
  for (int i = 1; i < size; i++) pthread_join(thread[i], NULL);
}

int omp_get_thread_num(void) {
  return my_rank;
}
int omp_get_num_threads(void) {
  return my_team;
}
int omp_get_max_threads(void) {
  return wanted;
}
void omp_set_num_threads(int n) {
  wanted = n;
}
