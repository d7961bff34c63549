#include "config.h"
#include "base/base.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

prc_field prc_field_constant(double value) {
  prc_field field = {0};
  field.constant = value;
  return field;
}

prc_status prc_field_eval(const prc_field *field, double x, double y, double t, double *value,
                          prc_error *err) {
  if (field->eval) return field->eval(field, x, y, t, value, err);
  *value = field->constant;
  return PRC_OK;
}

/* Over (t, t + h), or over (t + h, t) for negative h. Differences from the value at t make it exactly zero where that rests. */
static prc_status one_sided_rate(const prc_field *field, double x, double y, double t, double h, double *rate,
                                 prc_error *err) {
  static const double weight[4] = {48.0, -36.0, 16.0, -3.0};
  double now, then, sum = 0.0;
  prc_status status = prc_field_eval(field, x, y, t, &now, err);
  for (int k = 0; k < 4 && status == PRC_OK; k++) {
    status = prc_field_eval(field, x, y, t + 0.25 * h * (k + 1), &then, err);
    sum += weight[k] * (then - now);
  }
  *rate = sum / (3.0 * h);
  return status;
}

prc_status prc_field_rate(const prc_field *field, double x, double y, double t, double h, double *rate,
                          prc_error *err) {
  prc_error from_the_right = {0}, from_the_left = {0};
  *rate = 0.0;
  if (!field->eval) return PRC_OK;
  if (one_sided_rate(field, x, y, t, h, rate, &from_the_right) == PRC_OK) return PRC_OK;
  if (one_sided_rate(field, x, y, t, -h, rate, &from_the_left) == PRC_OK) return PRC_OK;
  return prc_fail(err, from_the_right.status, "%s", from_the_right.message);
}

void prc_sum_add(prc_sum *sum, double x) {
  const double total = sum->value + x;
  sum->lost += fabs(sum->value) >= fabs(x) ? (sum->value - total) + x : (x - total) + sum->value;
  sum->value = total;
}

double prc_sum_total(const prc_sum *sum) {
  return sum->value + sum->lost;
}

double prc_strtod(const char *text, char **end) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain) return strtod(text, end);
  const double number = strtod_l(text, end, plain);
  freelocale(plain);
  return number;
}

double prc_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014) */
uint64_t prc_random_bits(prc_random *r) {
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

double prc_random_uniform(prc_random *r, double low, double high) {
  return low + (high - low) * ((double)(prc_random_bits(r) >> 11) * 0x1.0p-53);
}
