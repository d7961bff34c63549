/* The unit tests of src/base. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(base) QUICK(ranks) QUICK(launchers)
/* clang-format on */
#include "support/suites.h"
