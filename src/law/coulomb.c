#include "config.h"
#include "law/law.h"

/* Coulomb's friction: |p_T| <= mu p_N with one mu, whatever the speed. */

static const char *const names[] = {"mu"};

static prc_status check(const double *parameter, prc_error *err) {
  if (parameter[0] >= 0.0 && parameter[0] <= PRC_CONE_FRICTION_MOST) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "the friction is %g, expected a number in [0, %g]", parameter[0],
                  PRC_CONE_FRICTION_MOST);
}

static double friction(const double *parameter, const double *state, double speed, double *slope) {
  (void)state, (void)speed;
  if (slope) *slope = 0.0;
  return parameter[0];
}

const prc_friction prc_friction_coulomb = {.name = "coulomb",
                                           .help = "mu, one number whatever happens",
                                           .n_parameters = 1,
                                           .parameter = names,
                                           .check = check,
                                           .friction = friction};
