#include "config.h"
#include "law/law.h"

#include <math.h>

/* Friction that falls with the slip D, from its static value to the kinetic one,
 *
 *   mu = static - (static - kinetic) min(D / distance, 1),   or   mu = kinetic + (static - kinetic) exp(-D / distance).
 *
 * D grows where a contact slips and is never healed: what opens and closes again has weakened. */

enum { STATIC, KINETIC, DISTANCE };
static const char *const names[] = {"static", "kinetic", "distance"};
static const char *const states[] = {"slip"};

static prc_status check(const double *parameter, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = STATIC; i <= KINETIC; i++)
    prc_try(prc_law_expect(names[i], parameter[i], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect_positive(names[DISTANCE], parameter[DISTANCE], err));
done:
  return status;
}

static double linear(const double *parameter, const double *state, double speed, double *slope) {
  const double part = state[0] / parameter[DISTANCE];
  (void)speed;
  if (slope) *slope = 0.0;
  if (!(part < 1.0)) return parameter[KINETIC];
  return parameter[STATIC] - (parameter[STATIC] - parameter[KINETIC]) * part;
}

static double exponential(const double *parameter, const double *state, double speed, double *slope) {
  (void)speed;
  if (slope) *slope = 0.0;
  return parameter[KINETIC] + (parameter[STATIC] - parameter[KINETIC]) * exp(-state[0] / parameter[DISTANCE]);
}

static void advance(const double *parameter, double h, const prc_law_slip *slip, double *state) {
  (void)parameter;
  if (slip->slips) state[0] += h * slip->speed;
}

static double residual(const double *parameter) {
  return parameter[KINETIC];
}

static double length(const double *parameter) {
  return parameter[DISTANCE];
}

#define ROW(symbol, text, formula, words)                                                                    \
  const prc_friction prc_friction_##symbol = {.name = (text),                                                \
                                              .help = (words),                                               \
                                              .n_parameters = 3,                                             \
                                              .n_state = 1,                                                  \
                                              .parameter = names,                                            \
                                              .state = states,                                               \
                                              .check = check,                                                \
                                              .friction = (formula),                                         \
                                              .advance = advance,                                            \
                                              .passes = 1,                                                   \
                                              .residual = residual,                                          \
                                              .length = length}
ROW(slip_weakening, "slip-weakening", linear,
    "from static to kinetic in a straight line over a way of slip while it touches, the distance; then "
    "kinetic");
ROW(slip_weakening_exponential, "slip-weakening-exponential", exponential,
    "kinetic + (static - kinetic) exp(-D / distance) after a way D of slip while it touches");
