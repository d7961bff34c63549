/* Calls of the system and of libraries that fail; wrapped, so a program of its own. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(calls)
/* clang-format on */
#include "support/suites.h"
