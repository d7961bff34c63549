/* The unit tests of src/beam. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(beam) QUICK(hopper)
/* clang-format on */
#include "support/suites.h"
