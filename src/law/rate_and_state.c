#include "config.h"
#include "law/law.h"

#include <math.h>

/* Friction of rate and state (Dieterich, Ruina), regularised (Rice, Lapusta & Ranjith 2001): it is zero at rest, so that a contact creeps and never sticks,
 *
 *   mu = a asinh(V / (2 V_0) exp(psi / a)),   psi = f_0 + b ln(V_0 theta / L),
 *
 * with the state theta, a time, that grows by the ageing or by the slip law,
 *
 *   theta' = 1 - V theta / L,   theta' = -(V theta / L) ln(V theta / L),
 *
 * both exact over a time h of constant V. A contact that is open ages at V = 0. */

enum { A, B, REFERENCE, SPEED, LENGTH, INITIAL };
static const char *const names[] = {
    "a", "b", "reference_friction", "reference_speed", "length", "initial_state"};
static const char *const states[] = {"state"};
static const double otherwise[] = {NAN, NAN, NAN, NAN, NAN, 0.0}; /* initial_state: see start */

static prc_status check(const double *parameter, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_law_expect_positive(names[A], parameter[A], err));
  prc_try(prc_law_expect(names[B], parameter[B], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect(names[REFERENCE], parameter[REFERENCE], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect_positive(names[SPEED], parameter[SPEED], err));
  prc_try(prc_law_expect_positive(names[LENGTH], parameter[LENGTH], err));
  if (parameter[INITIAL] == 0.0) return PRC_OK;
  prc_try(prc_law_expect_positive(names[INITIAL], parameter[INITIAL], err));
done:
  return status;
}

/* 0: that of steady slip at the reference speed. */
static void start(const double *parameter, double *state) {
  state[0] = parameter[INITIAL] > 0.0 ? parameter[INITIAL] : parameter[LENGTH] / parameter[SPEED];
}

#define LARGE 300.0 /* ln y from which asinh y = ln 2y to rounding, far below where y is not a double */

/* Through ln y = ln(V / 2 V_0) + psi / a; d mu / dV = a (y / V) / sqrt(1 + y^2). */
static double friction(const double *parameter, const double *state, double speed, double *slope) {
  const double a = parameter[A], rate = 2.0 * parameter[SPEED];
  const double psi =
      parameter[REFERENCE] + parameter[B] * log(parameter[SPEED] * state[0] / parameter[LENGTH]);
  if (!(speed > 0.0)) {
    if (slope) *slope = a / rate * exp(fmin(psi / a, 2.0 * LARGE));
    return 0.0;
  }
  const double log_y = log(speed / rate) + psi / a;
  if (log_y > LARGE) {
    if (slope) *slope = a / speed;
    return a * (log_y + 0.69314718055994530942);
  }
  const double y = exp(log_y);
  if (slope) *slope = a / speed * (y / hypot(1.0, y));
  return a * asinh(y);
}

/* theta e^-x + h (1 - e^-x) / x, x = V h / L */
static void age(const double *parameter, double h, const prc_law_slip *slip, double *state) {
  const double x = slip->speed * h / parameter[LENGTH];
  state[0] = x > 0.0 ? state[0] * exp(-x) - h * expm1(-x) / x : state[0] + h;
}

/* ln theta goes to ln(L / V) as e^-x. */
static void renew(const double *parameter, double h, const prc_law_slip *slip, double *state) {
  const double x = slip->speed * h / parameter[LENGTH];
  if (x > 0.0) state[0] *= exp(log(slip->speed * state[0] / parameter[LENGTH]) * expm1(-x));
}

static double length(const double *parameter) {
  return parameter[LENGTH];
}

#define ROW(symbol, text, evolution)                                                                         \
  const prc_friction prc_friction_##symbol = {.name = text,                                                  \
                                              .n_parameters = 6,                                             \
                                              .n_state = 1,                                                  \
                                              .parameter = names,                                            \
                                              .otherwise = otherwise,                                        \
                                              .state = states,                                               \
                                              .check = check,                                                \
                                              .start = start,                                                \
                                              .friction = friction,                                          \
                                              .advance = evolution,                                          \
                                              .of_speed = 1,                                                 \
                                              .length = length,                                              \
                                              .passes = 2}
ROW(rate_and_state, "rate-and-state", age);
ROW(rate_and_state_slip, "rate-and-state-slip", renew);
