#include "config.h"
#include "case/internal.h"
#include "case/taylor.h"

#include <math.h>
#include <string.h>

/* Truncated Taylor series of second order, a(t + s) = a + a' s + a'' s^2 / 2 + ..., s > 0, and what operators and functions make of them. By
 *
 *   (a b)'' = a'' b + 2 a' b' + a b'',      f(a)' = f'(a) a',      f(a)'' = f''(a) a'^2 + f'(a) a''
 *
 * derivatives are exact but for rounding. What asks for a sign asks for that of the first of value, rate and second that is not zero: the sign just
 * right of t. So steps and branches have their limits from the right. */

/* 0 inf = 0: what does not vary passes on no derivative, however steep the function. */
static double product(double a, double b) {
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static prc_taylor chain(prc_taylor a, double f, double f1, double f2) {
  return (prc_taylor){f, product(f1, a.rate), product(f2, a.rate * a.rate) + product(f1, a.second)};
}

static prc_taylor times(double c, prc_taylor a) {
  return (prc_taylor){c * a.value, c * a.rate, c * a.second};
}

static prc_taylor add(prc_taylor a, prc_taylor b) {
  return (prc_taylor){a.value + b.value, a.rate + b.rate, a.second + b.second};
}

static prc_taylor subtract(prc_taylor a, prc_taylor b) {
  return (prc_taylor){a.value - b.value, a.rate - b.rate, a.second - b.second};
}

static prc_taylor multiply(prc_taylor a, prc_taylor b) {
  return (prc_taylor){a.value * b.value, a.rate * b.value + a.value * b.rate,
                      a.second * b.value + 2.0 * a.rate * b.rate + a.value * b.second};
}

/* q = a / b:  a' = q' b + q b',  a'' = q'' b + 2 q' b' + q b'' */
static prc_taylor divide(prc_taylor a, prc_taylor b) {
  prc_taylor q = {.value = a.value / b.value};
  q.rate = (a.rate - q.value * b.rate) / b.value;
  q.second = (a.second - 2.0 * q.rate * b.rate - q.value * b.second) / b.value;
  return q;
}

/* ---- to the right of t ----------------------------------------------------------------------------------------------- */

static double sign(double x) {
  return (double)((x > 0.0) - (x < 0.0)) + (isnan(x) ? x : 0.0);
}

static double sign_to_the_right(prc_taylor a) {
  return sign(a.value != 0.0 ? a.value : a.rate != 0.0 ? a.rate : a.second);
}

static double direction(prc_taylor a) {
  return sign(a.rate != 0.0 ? a.rate : a.second);
}

static double floor_to_the_right(prc_taylor a) {
  const double below = floor(a.value);
  return a.value == below && direction(a) < 0.0 ? below - 1.0 : below;
}

static double ceil_to_the_right(prc_taylor a) {
  return -floor_to_the_right(times(-1.0, a));
}

/* Halves go to the even number only where they stay halves. */
static double rint_to_the_right(prc_taylor a) {
  const double half = a.value - floor(a.value);
  if (half != 0.5 || direction(a) == 0.0) return rint(a.value);
  return floor(a.value) + (direction(a) > 0.0 ? 1.0 : 0.0);
}

/* ---- operators ------------------------------------------------------------------------------------------------------- */

#define UNUSED (void)seed, (void)n
#define BINARY(name, expression)                                                                             \
  static void name(uint64_t seed, int n, prc_taylor *a) {                                                    \
    UNUSED;                                                                                                  \
    a[0] = (expression);                                                                                     \
  }
#define TRUTH(name, condition) BINARY(name, prc_taylor_constant((condition) ? 1.0 : 0.0))
#define COMPARED               sign_to_the_right(subtract(a[0], a[1]))

BINARY(apply_add, add(a[0], a[1]))
BINARY(apply_subtract, subtract(a[0], a[1]))
BINARY(apply_multiply, multiply(a[0], a[1]))
BINARY(apply_divide, divide(a[0], a[1]))
BINARY(apply_negative, times(-1.0, a[0]))
BINARY(apply_plus, a[0])
TRUTH(apply_less, COMPARED < 0.0)
TRUTH(apply_greater, COMPARED > 0.0)
TRUTH(apply_at_most, COMPARED <= 0.0)
TRUTH(apply_at_least, COMPARED >= 0.0)
TRUTH(apply_equal, COMPARED == 0.0)
TRUTH(apply_unequal, COMPARED != 0.0)
TRUTH(apply_and, sign_to_the_right(a[0]) != 0.0 && sign_to_the_right(a[1]) != 0.0)
TRUTH(apply_or, sign_to_the_right(a[0]) != 0.0 || sign_to_the_right(a[1]) != 0.0)
BINARY(apply_choice, sign_to_the_right(a[0]) != 0.0 ? a[1] : a[2])

/* a^b: with a constant exponent b a^(b - 1), b (b - 1) a^(b - 2); else exp(b ln a) */
static void apply_power(uint64_t seed, int n, prc_taylor *a) {
  UNUSED;
  const double x = a[0].value, b = a[1].value;
  if (a[1].rate == 0.0 && a[1].second == 0.0) {
    a[0] = chain(a[0], pow(x, b), product(b, pow(x, b - 1.0)), product(b * (b - 1.0), pow(x, b - 2.0)));
    return;
  }
  const prc_taylor exponent = multiply(a[1], chain(a[0], log(x), 1.0 / x, -1.0 / (x * x)));
  const double power = pow(x, b);
  a[0] = chain(exponent, power, power, power);
}

/* ---- functions ---------------------------------------------------------------------------------------------------------- */

/* x: the argument; f, f', f'' of it */
#define FUNCTION(name, f, f1, f2)                                                                            \
  static void name(uint64_t seed, int n, prc_taylor *a) {                                                    \
    UNUSED;                                                                                                  \
    const double x = a[0].value;                                                                             \
    a[0] = chain(a[0], (f), (f1), (f2));                                                                     \
  }
#define STEP(name, expression) BINARY(name, prc_taylor_constant(expression))

FUNCTION(apply_sin, sin(x), cos(x), -sin(x))
FUNCTION(apply_cos, cos(x), -sin(x), -cos(x))
FUNCTION(apply_tan, tan(x), 1.0 + tan(x) * tan(x), 2.0 * tan(x) * (1.0 + tan(x) * tan(x)))
FUNCTION(apply_asin, asin(x), 1.0 / sqrt((1.0 - x) * (1.0 + x)), x / pow((1.0 - x) * (1.0 + x), 1.5))
FUNCTION(apply_acos, acos(x), -1.0 / sqrt((1.0 - x) * (1.0 + x)), -x / pow((1.0 - x) * (1.0 + x), 1.5))
FUNCTION(apply_atan, atan(x), 1.0 / (1.0 + x * x), -2.0 * x / ((1.0 + x * x) * (1.0 + x * x)))
FUNCTION(apply_sinh, sinh(x), cosh(x), sinh(x))
FUNCTION(apply_cosh, cosh(x), sinh(x), cosh(x))
FUNCTION(apply_tanh, tanh(x), 1.0 / (cosh(x) * cosh(x)), -2.0 * tanh(x) / (cosh(x) * cosh(x)))
FUNCTION(apply_asinh, asinh(x), 1.0 / sqrt(1.0 + x * x), -x / pow(1.0 + x * x, 1.5))
FUNCTION(apply_acosh, acosh(x), 1.0 / sqrt((x - 1.0) * (x + 1.0)), -x / pow((x - 1.0) * (x + 1.0), 1.5))
FUNCTION(apply_atanh, atanh(x), 1.0 / ((1.0 - x) * (1.0 + x)),
         2.0 * x / ((1.0 - x) * (1.0 - x) * (1.0 + x) * (1.0 + x)))
FUNCTION(apply_exp, exp(x), exp(x), exp(x))
FUNCTION(apply_ln, log(x), 1.0 / x, -1.0 / (x * x))
FUNCTION(apply_log2, log2(x), M_LOG2E / x, -M_LOG2E / (x * x))
FUNCTION(apply_log10, log10(x), M_LOG10E / x, -M_LOG10E / (x * x))
FUNCTION(apply_sqrt, sqrt(x), 0.5 / sqrt(x), -0.25 / (x * sqrt(x)))
FUNCTION(apply_cbrt, cbrt(x), 1.0 / (3.0 * cbrt(x) * cbrt(x)), -2.0 / (9.0 * x * cbrt(x) * cbrt(x)))
BINARY(apply_abs, times(sign_to_the_right(a[0]) < 0.0 ? -1.0 : 1.0, a[0]))
STEP(apply_sign, sign_to_the_right(a[0]))
STEP(apply_heaviside, 0.5 * (1.0 + sign_to_the_right(a[0])))
STEP(apply_floor, floor_to_the_right(a[0]))
STEP(apply_ceil, ceil_to_the_right(a[0]))
STEP(apply_rint, rint_to_the_right(a[0]))
BINARY(apply_mod, subtract(a[0], times(floor_to_the_right(divide(a[0], a[1])), a[1])))

/* (x y' - y x') / (x^2 + y^2), and by the rule of quotients */
static void apply_atan2(uint64_t seed, int n, prc_taylor *a) {
  UNUSED;
  const prc_taylor y = a[0], x = a[1];
  const prc_taylor turn = {.value = x.value * y.rate - y.value * x.rate,
                           .rate = x.value * y.second - y.value * x.second};
  const prc_taylor square = add(multiply(x, x), multiply(y, y));
  const int rests = turn.value == 0.0 && turn.rate == 0.0;
  const prc_taylor rate = rests ? prc_taylor_constant(0.0) : divide(turn, square);
  a[0] = (prc_taylor){atan2(y.value, x.value), rate.value, rate.rate};
}

static void apply_sum(uint64_t seed, int n, prc_taylor *a) {
  (void)seed;
  for (int k = 1; k < n; k++) a[0] = add(a[0], a[k]);
}

static void apply_mean(uint64_t seed, int n, prc_taylor *a) {
  apply_sum(seed, n, a);
  a[0] = times(1.0 / (double)n, a[0]);
}

static void apply_min(uint64_t seed, int n, prc_taylor *a) {
  (void)seed;
  for (int k = 1; k < n; k++)
    if (sign_to_the_right(subtract(a[k], a[0])) < 0.0) a[0] = a[k];
}

static void apply_max(uint64_t seed, int n, prc_taylor *a) {
  (void)seed;
  for (int k = 1; k < n; k++)
    if (sign_to_the_right(subtract(a[k], a[0])) > 0.0) a[0] = a[k];
}

/* Another number for each argument: without a derivative where they vary. */
static void apply_random(uint64_t seed, int n, prc_taylor *a) {
  (void)n;
  const int varies = a[0].rate != 0.0 || a[0].second != 0.0 || a[1].rate != 0.0 || a[1].second != 0.0;
  const double number = prc_case_random(seed, a[0].value, a[1].value), none = varies ? (double)NAN : 0.0;
  a[0] = (prc_taylor){number, none, none};
}

prc_taylor prc_taylor_of_table(const prc_history *history, prc_taylor a) {
  double d[3];
  (void)prc_history_evaluate(history, a.value, direction(a) < 0.0, d);
  return chain(a, d[0], d[1], d[2]);
}

/* ---- by name ---------------------------------------------------------------------------------------------------------- */

static const prc_taylor_function functions[] = {
    {"sin", 1, apply_sin},
    {"cos", 1, apply_cos},
    {"tan", 1, apply_tan},
    {"asin", 1, apply_asin},
    {"acos", 1, apply_acos},
    {"atan", 1, apply_atan},
    {"atan2", 2, apply_atan2},
    {"sinh", 1, apply_sinh},
    {"cosh", 1, apply_cosh},
    {"tanh", 1, apply_tanh},
    {"asinh", 1, apply_asinh},
    {"acosh", 1, apply_acosh},
    {"atanh", 1, apply_atanh},
    {"exp", 1, apply_exp},
    {"ln", 1, apply_ln},
    {"log", 1, apply_ln},
    {"log2", 1, apply_log2},
    {"log10", 1, apply_log10},
    {"sqrt", 1, apply_sqrt},
    {"cbrt", 1, apply_cbrt},
    {"abs", 1, apply_abs},
    {"sgn", 1, apply_sign},
    {"sign", 1, apply_sign},
    {"heaviside", 1, apply_heaviside},
    {"floor", 1, apply_floor},
    {"ceil", 1, apply_ceil},
    {"rint", 1, apply_rint},
    {"mod", 2, apply_mod},
    {"if", 3, apply_choice},
    {"random", 2, apply_random},
    {"min", PRC_TAYLOR_SEVERAL, apply_min},
    {"max", PRC_TAYLOR_SEVERAL, apply_max},
    {"sum", PRC_TAYLOR_SEVERAL, apply_sum},
    {"avg", PRC_TAYLOR_SEVERAL, apply_mean},
};

static const prc_taylor_function operators[] = {
    {"+", 2, apply_add},      {"-", 2, apply_subtract},   {"*", 2, apply_multiply},  {"/", 2, apply_divide},
    {"^", 2, apply_power},    {"neg", 1, apply_negative}, {"pos", 1, apply_plus},    {"<", 2, apply_less},
    {">", 2, apply_greater},  {"<=", 2, apply_at_most},   {">=", 2, apply_at_least}, {"==", 2, apply_equal},
    {"!=", 2, apply_unequal}, {"&&", 2, apply_and},       {"||", 2, apply_or},       {"?:", 3, apply_choice},
};

const prc_taylor_function *prc_taylor_find(const char *name, size_t length) {
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    if (strlen(functions[k].name) == length && memcmp(functions[k].name, name, length) == 0)
      return &functions[k];
  return NULL;
}

const prc_taylor_function *prc_taylor_operator(const char *name) {
  for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
    if (strcmp(operators[k].name, name) == 0) return &operators[k];
  return NULL;
}
