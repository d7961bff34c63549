#include "config.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

int support_run(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_set_tap(runner, "-");
  setenv("PERCUSS_LIBDIR", support_build("."), 0); /* by hand, without make check's surroundings */
  srunner_run_all(runner, CK_SILENT);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static const char *below(const char *variable, const char *relative) {
  static char path[8][4096];
  static int next;
  const char *root = getenv(variable);
  char *out = path[next = (next + 1) % 8];
  snprintf(out, sizeof path[0], "%s/%s", root ? root : ".", relative);
  return out;
}

const char *support_source(const char *relative) {
  return below("PRC_SOURCE", relative);
}
const char *support_build(const char *relative) {
  return below("PRC_BUILD", relative);
}
