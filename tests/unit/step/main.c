/* The unit tests of src/step. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(step) QUICK(stepper) QUICK(pace) QUICK(schemes) QUICK(wrong) \
  SLOW(motion)
/* clang-format on */
#include "support/suites.h"
