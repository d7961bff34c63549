/* Clusters of spheres that do not turn, as section 6.3 of Maury 2006 has them: they fall as one onto a floor. */
#ifndef PRC_TESTS_SPHERES_H
#define PRC_TESTS_SPHERES_H

#include "spatial/spatial.h"

/* A model together with everything it points to. */
typedef struct {
  prc_spatial_model model;
  prc_spatial_body *body;
  prc_solid *part;
  prc_spatial_pairs pairs[2];
  int *sphere, floor;
  char (*name)[16];
} spheres;

/* n[0] x n[1] x n[2] spheres of radii in [0.8, 1.2] r0, r0 = 0.015, by the golden section, masses (r/r0)^3, 2.4 r0 apart in layers of squares along x and y,
 * each layer half of that further along x, and along y where n[1] > 1; with velocity -1 along z towards the half-space z <= 0. With n[1] = 1 the layers stand
 * as those of the discs of cases/sphere-cluster.yaml. */
prc_status spheres_make(const int n[3], spheres *out, prc_error *err);
void spheres_free(spheres *s);

#endif
