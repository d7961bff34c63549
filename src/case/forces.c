#include "config.h"
#include "case/internal.h"

#include <math.h>
#include <stdio.h>

/* Forces and their integrals in time. */

/* Refuses a field that varies beside a known integral of another: the loads of a step are means or they are not. */
static prc_status refuse_variable(const prc_case *c, const char *with, const char *path, prc_error *err) {
  const prc_case_place at = prc_case_place_of(c, "%s", path);
  return prc_case_fail(c, &at, err, "%s varies with t, expected a constant beside bodies.%s.force_integral",
                       path, with);
}

static prc_status check_others(const prc_case *c, const char *with, prc_error *err) {
  char path[PRC_CASE_PATH];
  if (c->model.gravity[0].uses_time || c->model.gravity[1].uses_time)
    return refuse_variable(c, with, "model.gravity", err);
  for (int s = 0; s < c->n_sets; s++) {
    const prc_case_body *b = &c->body[c->set[s].first];
    if (c->set[s].n == 0) continue;
    snprintf(path, sizeof path, "bodies.%s.moment", c->set[s].name);
    if (b->moment.uses_time) return refuse_variable(c, with, path, err);
    if (b->integral_given || !(b->force[0].uses_time || b->force[1].uses_time)) continue;
    const prc_case_place at = prc_case_place_of(c, "bodies.%s.force", c->set[s].name);
    return prc_case_fail(c, &at, err,
                         "bodies.%s.force varies with t, expected its force_integral as bodies.%s has one",
                         c->set[s].name, with);
  }
  return PRC_OK;
}

enum { TIMES = 97 };

/* The force and the derivative of its integral at times drawn from one sequence, away from steps of the force; their size. */
static prc_status sample(const prc_case *c, int k, const prc_case_body *b, double t[TIMES],
                         double force[TIMES], double rate[TIMES], double *size, prc_error *err) {
  const double end = c->time.end > 0.0 ? c->time.end : 1.0;
  prc_status status = PRC_OK;
  prc_random random = {1};
  *size = 0.0;
  for (int i = 0; i < TIMES; i++) {
    double d[3];
    t[i] = prc_random_uniform(&random, 0.0, end);
    prc_try(prc_field_eval(&b->force[k], 0.0, 0.0, t[i], &force[i], err));
    prc_try(prc_field_derivatives(&b->force_integral[k], 0.0, 0.0, t[i], 0.0, d, err));
    rate[i] = d[1];
    *size = fmax(*size, fabs(force[i]) + fabs(rate[i]));
  }
done:
  return status;
}

static prc_status compare(const prc_case *c, const char *name, int k, const prc_case_body *b,
                          prc_error *err) {
  double t[TIMES], force[TIMES], rate[TIMES], size;
  const prc_status status = sample(c, k, b, t, force, rate, &size, err);
  const prc_case_place at = prc_case_place_of(c, "bodies.%s.force_integral", name);
  if (status != PRC_OK) return status;
  for (int i = 0; i < TIMES; i++)
    if (fabs(rate[i] - force[i]) > 1e-9 * size)
      return prc_case_fail(c, &at, err,
                           "the derivative of bodies.%s.force_integral[%d] is %.9g at t = %.9g, expected "
                           "bodies.%s.force[%d], which is %.9g there",
                           name, k, rate[i], t[i], name, k, force[i]);
  return PRC_OK;
}

prc_status prc_case_check_integrals(const prc_case *c, prc_error *err) {
  prc_status status = PRC_OK;
  const char *with = NULL;
  for (int s = 0; s < c->n_sets; s++) {
    const prc_case_body *b = &c->body[c->set[s].first];
    if (c->set[s].n == 0 || !b->integral_given) continue;
    with = c->set[s].name;
    for (int k = 0; k < 2; k++) prc_try(compare(c, with, k, b, err));
  }
  if (with) prc_try(check_others(c, with, err));
done:
  return status;
}
