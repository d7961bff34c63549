#include "config.h"
#include "law/law.h"

/* Friction that falls with the speed, mu = kinetic + (static - kinetic) / (1 + V / speed): what sticks holds with the static value. */

enum { STATIC, KINETIC, SPEED };
static const char *const names[] = {"static", "kinetic", "speed"};

static prc_status check(const double *parameter, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = STATIC; i <= KINETIC; i++)
    prc_try(prc_law_expect(names[i], parameter[i], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect_positive(names[SPEED], parameter[SPEED], err));
done:
  return status;
}

static double friction(const double *parameter, const double *state, double speed, double *slope) {
  const double drop = parameter[STATIC] - parameter[KINETIC], part = 1.0 + speed / parameter[SPEED];
  (void)state;
  if (slope) *slope = -drop / (parameter[SPEED] * part * part);
  return parameter[KINETIC] + drop / part;
}

static double residual(const double *parameter) {
  return parameter[KINETIC];
}

const prc_friction prc_friction_velocity_weakening = {
    .name = "velocity-weakening",
    .help = "kinetic + (static - kinetic) / (1 + V / speed) at the speed V of slip",
    .n_parameters = 3,
    .parameter = names,
    .check = check,
    .friction = friction,
    .of_speed = 1,
    .residual = residual};
