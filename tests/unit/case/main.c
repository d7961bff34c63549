/* The unit tests of src/case and src/simulation. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(case) QUICK(case_sets) QUICK(case_interfaces) QUICK(derivatives) QUICK(history) \
  QUICK(simulation) \
  SLOW(case_many)
/* clang-format on */
#include "support/suites.h"
