/* The unit tests of src/mesh. */
/* clang-format off */
#define SUITES(QUICK, SLOW) \
  QUICK(mesh) QUICK(element) QUICK(raw_mesh) QUICK(locate) QUICK(msh) QUICK(mesh_split) QUICK(deal)
/* clang-format on */
#include "support/suites.h"
