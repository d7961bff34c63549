/* What may come from anywhere, given to what reads it. A target takes any bytes and must return: no crash, no hang, no
 * leak, no memory without bounds. */
#ifndef PRC_TESTS_FUZZ_TARGETS_H
#define PRC_TESTS_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name; /* of its folder in tests/fuzz */
  void (*read)(const uint8_t *bytes, size_t n);
} fuzz_target;
extern const fuzz_target fuzz_targets[];
extern const size_t fuzz_n_targets;
const fuzz_target *fuzz_find(const char *name); /* NULL: there is none */

#endif
