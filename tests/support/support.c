#include "config.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(SRunner *runner) {
  srunner_set_tap(runner, "-");
  setenv("PERCUSS_LIBDIR", support_build("."), 0); /* by hand, without make check's surroundings */
  srunner_run_all(runner, CK_SILENT);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int support_run(Suite *suite) {
  return run(srunner_create(suite));
}

int support_run_suites(size_t n, const support_suite *suites) {
  const char *only = getenv("PRC_SUITE");
  const int quick = getenv("PRC_QUICK") != NULL;
  SRunner *runner = srunner_create(NULL);
  for (size_t k = 0; k < n; k++)
    if (only ? strcmp(only, suites[k].name) == 0 : !quick || !suites[k].slow)
      srunner_add_suite(runner, suites[k].create());
  return run(runner);
}

int support_whole(void) {
  return getenv("PRC_LONG") != NULL;
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
