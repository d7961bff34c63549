/* Gmsh's library, which is loaded where it is first called. */
#ifndef PRC_BASE_GMSH_H
#define PRC_BASE_GMSH_H

#include "base/base.h"

/* Loads it where it is not loaded, for good; prc_subprocess_limits.load of work that calls Gmsh. */
void prc_gmsh_load(void);
/* Is it there? To be asked before its first call. */
prc_status prc_gmsh_check(prc_error *err) PRC_MUST_CHECK;

#endif
