/* The unit tests of src/shape. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(shape) QUICK(shape_random) QUICK(grid)
/* clang-format on */
#include "support/suites.h"
