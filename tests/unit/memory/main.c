/* Memory, over all modules: what is refused, and what a step may not ask for. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(room) \
  SLOW(memory)
/* clang-format on */
#include "support/suites.h"
