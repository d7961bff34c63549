/* The unit tests of src/fem. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(fem) QUICK(triangle) QUICK(boundary) QUICK(deal_fem)
/* clang-format on */
#include "support/suites.h"
