/* The unit tests of src/linear. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(linear) QUICK(large) QUICK(lu) QUICK(joined) \
  SLOW(inverse) SLOW(operator)
/* clang-format on */
#include "support/suites.h"
