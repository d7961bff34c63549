/* The unit tests of src/solid. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(solid) QUICK(solid_surface) QUICK(polyhedra_points) \
  SLOW(solid_round) SLOW(polyhedra)
/* clang-format on */
#include "support/suites.h"
