/* The unit tests of src/linear. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(linear) QUICK(lu) QUICK(joined) \
  SLOW(large) SLOW(inverse) SLOW(operator)
/* clang-format on */
#include "support/suites.h"
