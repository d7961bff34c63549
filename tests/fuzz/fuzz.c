/* libFuzzer's main program, PRC_FUZZ=TARGET fuzz FOLDER... The whole tree must be built for it, in a folder of its own:
 *   flags="-g -O1 -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
 *   ../configure --disable-shared CC=clang CFLAGS="$flags" && make tests/fuzz/fuzz
 *   PRC_SOURCE=.. PRC_FUZZ=case tests/fuzz/fuzz -max_total_time=3600 found ../tests/fuzz/case ../tests/input
 * CONTRIBUTING.md says which libraries to build with coverage too. Finally -merge=1 with an empty folder before the found ones
 * leaves the few files that together reach as much. */
#include "config.h"
#include "fuzz/targets.h"

#include <stdlib.h>

#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#error                                                                                                       \
    "what is read in a child process (prc_subprocess_run) is not seen: build with -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  static const fuzz_target *target;
  const char *name = getenv("PRC_FUZZ");
  if (!target) target = fuzz_find(name ? name : "case");
  if (!target) abort();
  target->read(bytes, n);
  return 0;
}
