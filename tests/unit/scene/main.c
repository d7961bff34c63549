/* The unit tests of src/scene and src/measure. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(scene) QUICK(measure)
/* clang-format on */
#include "support/suites.h"
