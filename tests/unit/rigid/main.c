/* The unit tests of src/rigid. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(rigid) QUICK(joints)
/* clang-format on */
#include "support/suites.h"
