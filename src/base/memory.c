#include "config.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* `out` is the address of a typed pointer, passed as void *; memcpy reads and writes the pointer it holds, whatever
 * its type, without breaking the aliasing rules. */

prc_status prc_allocate(size_t count, size_t size, void *out, prc_error *err) {
  void *block = calloc(count ? count : 1, size ? size : 1); /* calloc checks the product */
  if (!block) return prc_fail(err, PRC_NOMEM, "out of memory: %zu items of %zu bytes", count, size);
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
