/* The unit tests of src/spatial. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(spatial) QUICK(outline) QUICK(joints_space)
/* clang-format on */
#include "support/suites.h"
