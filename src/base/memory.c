#include "config.h"
#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* `out` is the address of a typed pointer, passed as void *; memcpy reads and writes the pointer it holds,
 * whatever its type, without breaking the aliasing rules. */

prc_status prc_allocate(size_t count, size_t size, void *out, prc_error *err) {
  void *block = calloc(count ? count : 1, size ? size : 1); /* calloc checks the product */
  if (!block) return prc_fail(err, PRC_NOMEM, "out of memory: %zu items of %zu bytes", count, size);
  prc_memory_large_pages(block, count * size);
  memcpy(out, &block, sizeof block);
  return PRC_OK;
}

prc_status prc_grow(void *block, size_t *capacity, size_t needed, size_t size, prc_error *err) {
  void *old, *grown;
  size_t count = *capacity ? *capacity : 16;
  if (needed <= *capacity) return PRC_OK;
  while (count < needed) {
    if (count > SIZE_MAX / 2)
      return prc_fail(err, PRC_NOMEM, "out of memory: %zu items are asked for", needed);
    count *= 2;
  }
  memcpy(&old, block, sizeof old);
  if (count > SIZE_MAX / size || !(grown = realloc(old, count * size)))
    return prc_fail(err, PRC_NOMEM, "out of memory: %zu items of %zu bytes", count, size);
  memset((char *)grown + *capacity * size, 0, (count - *capacity) * size);
  memcpy(block, &grown, sizeof grown);
  *capacity = count;
  return PRC_OK;
}

prc_status prc_strdup(const char *text, char **out, prc_error *err) {
  const size_t bytes = strlen(text) + 1;
  const prc_status status = prc_new(out, bytes, err);
  if (status == PRC_OK) memcpy(*out, text, bytes);
  return status;
}

void prc_release(void *block) {
  void *old, *none = NULL;
  memcpy(&old, block, sizeof old);
  free(old);
  memcpy(block, &none, sizeof none);
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

prc_status prc_bytes_put(prc_bytes *bytes, const void *data, size_t n, prc_error *err) {
  if (n > SIZE_MAX - bytes->used) return prc_fail(err, PRC_NOMEM, "out of memory: %zu bytes", n);
  const prc_status status = prc_grow(&bytes->at, &bytes->capacity, bytes->used + n, 1, err);
  if (status != PRC_OK || n == 0) return status;
  memcpy(bytes->at + bytes->used, data, n);
  bytes->used += n;
  return PRC_OK;
}

prc_status prc_bytes_print(prc_bytes *bytes, prc_error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  assert(length >= 0); /* no wide characters, and by far not INT_MAX */
  const size_t needed = bytes->used + (size_t)length + 1;
  const prc_status status = prc_grow(&bytes->at, &bytes->capacity, needed, 1, err);
  if (status != PRC_OK) return status;
  va_start(args, format);
  vsnprintf(bytes->at + bytes->used, (size_t)length + 1, format, args);
  va_end(args);
  bytes->used += (size_t)length;
  return PRC_OK;
}

int prc_bytes_get(prc_bytes *bytes, void *out, size_t n) {
  if (n > bytes->used - bytes->got) return 0;
  if (n > 0) memcpy(out, bytes->at + bytes->got, n);
  bytes->got += n;
  return 1;
}

uint64_t prc_hash(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t k = 0; k < bytes; k++) hash = (hash ^ byte[k]) * UINT64_C(0x100000001b3);
  return hash;
}

/* ---- how much there is --------------------------------------------------------------------------------- */

/* Memory that Linux can give without swapping, from the line "MemAvailable: 12345 kB". */
static double system_memory(void) {
  double kilobytes = INFINITY;
  char line[128];
  FILE *file = fopen("/proc/meminfo", "re");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  if (file) fclose(file);
  return 1024.0 * kilobytes;
}

/* Address space that is left to this process, where it is limited. */
double prc_memory_address_space(void) {
  struct rlimit limit;
  double pages = 0.0;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file && fscanf(file, "%lf", &pages) != 1) pages = 0.0;
  if (file) fclose(file);
  return fmax((double)limit.rlim_cur - 4096.0 * pages, 0.0);
}

void prc_memory_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  enum { PAGE = 4096, LARGE = 4 << 20 };
  if (bytes < LARGE) return;
  const size_t before = (PAGE - (uintptr_t)block % PAGE) % PAGE;
  (void)madvise((char *)block + before, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)block, (void)bytes;
#endif
}

void prc_memory_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

double prc_memory_available(void) {
  return fmin(system_memory(), prc_memory_address_space());
}

prc_status prc_memory_expect(double bytes, const char *what, prc_error *err) {
  enum { SMALL = 64 << 20 }; /* not worth the question */
  if (bytes <= SMALL) return PRC_OK;
  const double available = prc_memory_available();
  if (bytes <= available) return PRC_OK;
  return prc_fail(err, PRC_NOMEM, "out of memory: %s needs about %.3g GB, %.3g GB are available", what,
                  1e-9 * bytes, 1e-9 * available);
}
