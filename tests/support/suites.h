/* The main program of a module's unit tests. Before it is included, SUITES(QUICK, SLOW) lists the suites by name: QUICK(name), or
 * SLOW(name) where a suite takes more than four seconds; with PRC_QUICK=1 (make quick) the slow ones are left out. */
#include "support/support.h"

#define SUITES_DECLARED(name) SUITE(name);
#define SUITES_QUICK(name)    {#name, name##_suite, 0},
#define SUITES_SLOW(name)     {#name, name##_suite, 1},

SUITES(SUITES_DECLARED, SUITES_DECLARED)

int main(void) {
  static const support_suite suites[] = {SUITES(SUITES_QUICK, SUITES_SLOW)};
  return support_run_suites(sizeof suites / sizeof *suites, suites);
}
