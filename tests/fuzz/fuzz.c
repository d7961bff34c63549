/* libFuzzer's main program, PRC_FUZZ=TARGET fuzz FOLDER... The whole tree must be built for it, in a folder of its own:
 *   flags="-g -O1 -fsanitize=fuzzer-no-link,address,undefined"
 *   ../configure CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" && make tests/fuzz/fuzz
 *   PRC_FUZZ=case tests/fuzz/fuzz -max_total_time=3600 found ../tests/fuzz/case ../tests/input */
#include "config.h"
#include "fuzz/targets.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  static const fuzz_target *target;
  const char *name = getenv("PRC_FUZZ");
  if (!target) target = fuzz_find(name ? name : "case");
  if (!target) abort();
  target->read(bytes, n);
  return 0;
}
