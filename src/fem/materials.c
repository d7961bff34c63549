#include "config.h"
#include "fem/internal.h"

#include <string.h>

#define ROW(symbol, name) &prc_fem_##symbol,
static const prc_fem_law *const laws[] = {PRC_FEM_LAWS(ROW, ROW) NULL};
#undef ROW

const prc_fem_law *const *prc_fem_laws(void) {
  return laws;
}

const prc_fem_law *prc_fem_law_find(const char *name) {
  const prc_fem_law *const *law = laws;
  while (*law && strcmp((*law)->name, name) != 0) law++;
  return *law;
}

int prc_fem_law_has(const prc_fem_law *law, const char *parameter) {
  const char *const *name = law->parameter;
  while (*name && strcmp(*name, parameter) != 0) name++;
  return *name != NULL;
}

static const prc_fem_law *law_of(const prc_fem_material *material) {
  return material->law ? material->law : laws[0];
}

prc_status prc_fem_material_check(const prc_fem_material *material, prc_fem_plane plane, prc_error *err) {
  if (!(material->density > 0.0))
    return prc_fail(err, PRC_INPUT, "density is %g, expected a number > 0", material->density);
  return law_of(material)->check(material, plane, err);
}

void prc_fem_material_elasticity(const prc_fem_material *material, prc_fem_plane plane, double D[4][4]) {
  memset(D, 0, 16 * sizeof(double));
  law_of(material)->elasticity(material, plane, D);
}

void prc_fem_material_moduli(const prc_fem_material *material, prc_fem_plane plane, double *longitudinal,
                             double *shear) {
  law_of(material)->moduli(material, plane, longitudinal, shear);
}
