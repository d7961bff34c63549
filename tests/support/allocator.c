#include "config.h"
#include "support/allocator.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

support_allocations support_allocator;

static int refuse(void) {
  return support_allocator.watching && ++support_allocator.calls == support_allocator.fail_at;
}

static void *handed(void *memory) {
  if (support_allocator.watching && memory) support_allocator.live++;
  return memory;
}

void *__wrap_malloc(size_t size) {
  return refuse() ? NULL : handed(__real_malloc(size));
}
void *__wrap_calloc(size_t count, size_t size) {
  return refuse() ? NULL : handed(__real_calloc(count, size));
}
void *__wrap_realloc(void *memory, size_t size) {
  if (refuse()) return NULL;
  return memory ? __real_realloc(memory, size) : handed(__real_realloc(NULL, size));
}
void __wrap_free(void *memory) {
  if (support_allocator.watching && memory) support_allocator.live--;
  __real_free(memory);
}

void support_watch(int fail_at) {
  support_allocator.calls = 0;
  support_allocator.live = 0;
  support_allocator.fail_at = fail_at;
  support_allocator.watching = 1;
}

void support_look_away(void) {
  support_allocator.watching = 0;
}
