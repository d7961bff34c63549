/* The unit tests of src/contact. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(contact) QUICK(mortar) QUICK(sides) QUICK(contact_set)
/* clang-format on */
#include "support/suites.h"
