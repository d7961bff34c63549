/* The allocator, watched: programs that use it are linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
 * and with allocator.c. Only the calls of our own objects are seen, not those of libraries. */
#ifndef PRC_TESTS_ALLOCATOR_H
#define PRC_TESTS_ALLOCATOR_H

typedef struct {
  int watching;
  _Atomic int calls; /* that ask for memory, of any thread */
  int fail_at;       /* the call that fails, from 1; 0: none */
  _Atomic long live; /* blocks handed out less blocks taken back */
} support_allocations;
extern support_allocations support_allocator;

void support_watch(int fail_at); /* counts from zero */
void support_look_away(void);

#endif
