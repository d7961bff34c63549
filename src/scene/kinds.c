#include "config.h"
#include "scene/scene.h"

#include <string.h>

static const prc_body_kind *const kinds[] = {&prc_body_kind_mesh, &prc_body_kind_rigid,
                                             &prc_body_kind_spatial, &prc_body_kind_beam, NULL};

const prc_body_kind *const *prc_body_kinds(void) {
  return kinds;
}

const prc_body_kind *prc_body_kind_find(const char *name) {
  for (int k = 0; kinds[k]; k++)
    if (strcmp(kinds[k]->name, name) == 0) return kinds[k];
  return NULL;
}
