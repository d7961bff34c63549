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

enum { A, B, REFERENCE, SPEED, LENGTH, EVOLUTION, INITIAL };
enum { AGEING, SLIP };
static const char *const names[] = {"a",      "b",         "reference_friction", "reference_speed",
                                    "length", "evolution", "initial_state"};
static const char *const words[] = {NULL, NULL, NULL, NULL, NULL, "ageing|slip", NULL};
static const double otherwise[] = {NAN, NAN, NAN, NAN, NAN, AGEING, 0.0};
static const char *const states[] = {"state"};

static prc_status check(const double *parameter, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(prc_law_expect_positive(names[A], parameter[A], err));
  prc_try(prc_law_expect(names[B], parameter[B], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect(names[REFERENCE], parameter[REFERENCE], 0.0, PRC_CONE_FRICTION_MOST, err));
  prc_try(prc_law_expect_positive(names[SPEED], parameter[SPEED], err));
  prc_try(prc_law_expect_positive(names[LENGTH], parameter[LENGTH], err));
  if (parameter[EVOLUTION] != AGEING && parameter[EVOLUTION] != SLIP)
    return prc_fail(err, PRC_INPUT, "the parameter %s of the friction is %g, expected 0 (ageing) or 1 (slip)",
                    names[EVOLUTION], parameter[EVOLUTION]);
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
static double age(double theta, double h, double x) {
  return x > 0.0 ? theta * exp(-x) - h * expm1(-x) / x : theta + h;
}

/* ln theta goes to ln(L / V) as e^-x; `part` is V theta / L. */
static double renew(double theta, double part, double x) {
  return part > 0.0 ? theta * exp(log(part) * expm1(-x)) : theta;
}

static void advance(const double *parameter, double h, const prc_law_slip *slip, double *state) {
  const double rate = slip->speed / parameter[LENGTH], x = rate * h;
  state[0] = parameter[EVOLUTION] == SLIP ? renew(state[0], rate * state[0], x) : age(state[0], h, x);
}

static double length(const double *parameter) {
  return parameter[LENGTH];
}

const prc_friction prc_friction_rate_and_state = {
    .name = "rate-and-state",
    .help = "a asinh(V / (2 reference_speed) exp(psi / a)), psi = reference_friction + b ln(reference_speed "
            "s / length); the state s is a time, which grows by the ageing or the slip law; initial_state 0: "
            "length / reference_speed",
    .n_parameters = 7,
    .n_state = 1,
    .parameter = names,
    .words = words,
    .otherwise = otherwise,
    .state = states,
    .check = check,
    .start = start,
    .friction = friction,
    .advance = advance,
    .of_speed = 1,
    .passes = 2,
    .length = length};
