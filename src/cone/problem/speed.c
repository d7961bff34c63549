#include "config.h"
#include "cone/problem/speed.h"

#include <float.h>
#include <math.h>

/* Speeds of rate-and-state friction have 16 decades and more, and mu is like ln V in most of them, like V below and next to nothing beside V
 * above. From above Newton's step is taken in V where that stays above zero, as of what is linear, and in ln V elsewhere, which never passes
 * the root of a function that is convex in ln V, as V + S a asinh(V / V_0) is. From below it is taken in V where the function is nearly
 * proportional to it, V f' > f / 2. What leaves the bracket is replaced by geometric means, as is the third step that does not shorten it by a
 * factor of e. */
enum { STEPS = 200, SLOW = 3 };

#define REACHED (4.0 * DBL_EPSILON) /* of a value near one */

/* Between the ends; where the lower is zero as yet, 2^-4, 2^-8, 2^-16 ... of the upper. */
static double middle_of(double low, double high, double *share) {
  if (low > 0.0) return sqrt(low) * sqrt(high);
  *share *= *share;
  const double next = *share * high;
  return next > PRC_CONE_SPEED_LEAST * 1e-5 || high < PRC_CONE_SPEED_LEAST ? next
                                                                           : PRC_CONE_SPEED_LEAST * 1e-5;
}

static double newton_step(double x, double low, prc_cone_value at) {
  const double rest = 1.0 - at.value, rate = x * at.slope, linear = x * (1.0 + rest / rate);
  if (!(rate > 0.0 && rate < INFINITY)) return NAN;
  return (rest < 0.0 ? linear > low : 2.0 * rate > at.value) ? linear : x * exp(rest / rate);
}

double prc_cone_root(prc_cone_function *at, void *owner, double high) {
  double x = high, low = 0.0, share = 0.25, length = INFINITY;
  int slow = 0;
  for (int i = 0; i < STEPS; i++) {
    const prc_cone_value here = at(owner, x);
    if (!(fabs(here.value - 1.0) > REACHED)) return x; /* NaN too: who looks at the result will see it */
    *(here.value > 1.0 ? &high : &low) = x;
    const double left = low > 0.0 ? log(high / low) : INFINITY;
    slow = left < length - 1.0 ? 0 : slow + 1;
    length = left;
    double next = newton_step(x, low, here);
    if (fabs(next - x) <= 2.0 * DBL_EPSILON * x)
      return x; /* before the bracket is asked: it rounds to nothing */
    if (!(next > low && next < high) || (slow > SLOW && low > 0.0)) {
      next = middle_of(low, high, &share);
      slow = 0;
    }
    if (!(next > low && next < high)) return x; /* neighbours, or below all numbers */
    x = next;
  }
  return x;
}

/* (V + S mu p_N) / d. Where 1 - wedge mu is not positive, any mu holds it: more than enough. */
static prc_cone_value drive_at(void *owner, double V) {
  prc_cone_rub *k = owner;
  double slope = 0.0;
  k->mu = prc_cone_friction_at(k->problem, k->c, k->unit * V, &slope);
  k->slope = k->unit * slope;
  const double free = 1.0 - k->wedge * k->mu;
  const double force = k->S * (k->normal / free);
  k->value = isnan(free) ? NAN : free > 0.0 ? (V + force * k->mu) / k->d : INFINITY;
  return (prc_cone_value){k->value, (1.0 + force / free * k->slope) / k->d};
}

double prc_cone_rub_speed(prc_cone_rub *rub) {
  const prc_cone_value at_rest = drive_at(rub, 0.0);
  if (!(rub->d > 0.0) || at_rest.value >= 1.0) return 0.0;
  const double V = prc_cone_root(drive_at, rub, rub->d);
  if (!(V < PRC_CONE_SPEED_LEAST && rub->value > 1.0 + 1e-9)) return V;
  rub->mu = rub->d / (rub->S * rub->normal + rub->wedge * rub->d);
  rub->slope = INFINITY;
  return 0.0;
}
