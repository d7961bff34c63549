/* The unit tests of src/output. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(output) QUICK(fields) QUICK(store) QUICK(module)
/* clang-format on */
#include "support/suites.h"
