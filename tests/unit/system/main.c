/* The unit tests of src/system, src/law, src/ledger and src/explore. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(system) QUICK(law) QUICK(ledger) QUICK(explore)
/* clang-format on */
#include "support/suites.h"
