#include "config.h"
#include "law/law.h"

#include <string.h>

#define ROW(symbol) &prc_friction_##symbol,
static const prc_friction *const rows[] = {PRC_LAW_FRICTIONS(ROW) NULL};
#undef ROW

const prc_friction *const *prc_frictions(void) {
  return rows;
}

const prc_friction *prc_friction_find(const char *name) {
  const prc_friction *const *row = rows;
  while (*row && strcmp((*row)->name, name) != 0) row++;
  return *row;
}

prc_law prc_law_coulomb(double mu, double e, double e_t) {
  return (prc_law){.friction = &prc_friction_coulomb, .parameter = {mu}, .e = e, .e_t = e_t};
}

prc_law prc_law_or_coulomb(const prc_law *law, double mu, double e, double e_t) {
  return law ? *law : prc_law_coulomb(mu, e, e_t);
}

prc_status prc_law_check(const prc_law *law, prc_error *err) {
  if (!law->friction) return prc_fail(err, PRC_INPUT, "there is no law of friction");
  const prc_status status = law->friction->check(law->parameter, err);
  if (status != PRC_OK) return status;
  if (!(law->e >= 0.0 && law->e <= 1.0))
    return prc_fail(err, PRC_INPUT, "the restitution is %g, expected a number in [0, 1]", law->e);
  if (!(law->e_t >= -1.0 && law->e_t <= 1.0))
    return prc_fail(err, PRC_INPUT, "the tangential restitution is %g, expected a number in [-1, 1]",
                    law->e_t);
  return PRC_OK;
}
