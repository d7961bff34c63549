#include "config.h"
#include "scene/view.h"

/* Rigid bodies in space, all of them. No mesh and no beam stands beside them: others touch none of their surfaces but by their own contacts. */

static const prc_system *system_of(const void *self) {
  return prc_spatial_system(self);
}

static void initial(const void *self, double *q, double *v) {
  prc_spatial_initial(self, q, v);
}

static int items(const void *self) {
  return prc_spatial_count(self);
}

static int surfaces(const void *self) {
  return prc_spatial_surface_count(self);
}

static int groups(const void *self) {
  return prc_spatial_group_count(self);
}

static double size(const void *self, int item) {
  return prc_spatial_size(self, item);
}

const prc_body_kind prc_body_kind_spatial = {.name = "spatial",
                                             .system = system_of,
                                             .initial = initial,
                                             .items = items,
                                             .surfaces = surfaces,
                                             .groups = groups,
                                             .size = size,
                                             .view = &prc_body_view_spatial};
