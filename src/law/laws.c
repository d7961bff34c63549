#include "config.h"
#include "law/law.h"

#include <math.h>
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

int prc_law_is_constant(const prc_law *law) {
  return law->friction == &prc_friction_coulomb && !law->formulas;
}

int prc_law_rubs(const prc_law *law) {
  const double state[PRC_LAW_STATE] = {0.0};
  return !prc_law_is_constant(law) || prc_law_friction_at(law, state, 0.0) > 0.0;
}

prc_status prc_law_parameters_at(const prc_law *law, double t, double out[PRC_LAW_PARAMETERS],
                                 prc_error *err) {
  prc_status status = PRC_OK;
  const prc_law_formulas *f = law->formulas;
  memcpy(out, law->parameter, sizeof law->parameter);
  if (!f) return PRC_OK;
  for (int i = 0; i < law->friction->n_parameters; i++)
    if (f->parameter[i]) prc_try(prc_field_eval(f->parameter[i], f->place[0], f->place[1], t, &out[i], err));
  status = law->friction->check(out, err);
  if (status != PRC_OK) prc_error_context(err, "friction at (%g, %g), t = %.9g", f->place[0], f->place[1], t);
done:
  return status;
}

prc_status prc_law_expect(const char *name, double value, double least, double most, prc_error *err) {
  if (value >= least && value <= most) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "the parameter %s of the friction is %g, expected a number in [%g, %g]",
                  name, value, least, most);
}

prc_status prc_law_expect_positive(const char *name, double value, prc_error *err) {
  if (value > 0.0 && isfinite(value)) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "the parameter %s of the friction is %g, expected a positive number", name,
                  value);
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

prc_status prc_law_at(const prc_law_fields *friction, const prc_field *restitution,
                      double restitution_tangential, const double x[2], prc_law *law,
                      prc_law_formulas *formulas, prc_error *err) {
  prc_status status = PRC_OK;
  *law = prc_law_coulomb(0.0, 0.0, restitution_tangential);
  if (friction->law) law->friction = friction->law;
  *formulas = (prc_law_formulas){.place = {x[0], x[1]}};
  for (int k = 0; k < law->friction->n_parameters; k++) {
    const prc_field *field = &friction->parameter[k];
    prc_try(prc_field_eval(field, x[0], x[1], 0.0, &law->parameter[k], err));
    if (!field->uses_time) continue;
    formulas->parameter[k] = field, law->formulas = formulas;
  }
  prc_try(prc_field_eval(restitution, x[0], x[1], 0.0, &law->e, err));
  status = prc_law_check(law, err);
  if (status != PRC_OK) prc_error_context(err, "at (%g, %g)", x[0], x[1]);
done:
  return status;
}
