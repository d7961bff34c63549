/* The unit tests of src/cone. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(cone) QUICK(cone_solvers) QUICK(cone_family) QUICK(cone_friction) QUICK(cone_dims) \
  QUICK(cone_speed) QUICK(cone_speeds) QUICK(cone_room) QUICK(cone_draws) QUICK(cone_storages) QUICK(piles) QUICK(runs) \
  SLOW(cone_sizes) SLOW(fclib)
/* clang-format on */
#include "support/suites.h"
