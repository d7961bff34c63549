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

/* Of the polynomial through the values at t, t + h/4, ..., t + h, h of either sign: its value and its derivatives at t,
 *
 *   f' = (-25 f_0 + 48 f_1 - 36 f_2 + 16 f_3 - 3 f_4) / (3 h),   f'' = 4 (35 f_0 - 104 f_1 + 114 f_2 - 56 f_3 + 11 f_4) / (3 h^2).
 *
 * Both sums of weights are zero: differences from the value at t make them exactly zero where that rests. */
static prc_status one_sided(const prc_field *field, double x, double y, double t, double h, double out[3],
                            prc_error *err) {
  static const double first[4] = {48.0, -36.0, 16.0, -3.0}, second[4] = {-104.0, 114.0, -56.0, 11.0};
  double then = 0.0, sum[2] = {0.0, 0.0};
  prc_status status = prc_field_eval(field, x, y, t, &out[0], err);
  for (int k = 0; k < 4 && status == PRC_OK; k++) {
    status = prc_field_eval(field, x, y, t + 0.25 * h * (k + 1), &then, err);
    sum[0] += first[k] * (then - out[0]), sum[1] += second[k] * (then - out[0]);
  }
  out[1] = sum[0] / (3.0 * h), out[2] = 4.0 * sum[1] / (3.0 * h * h);
  return status;
}

/* To the right, or where the field ends there, from the left. */
static prc_status either_side(const prc_field *field, double x, double y, double t, double h, double out[3],
                              prc_error *err) {
  prc_error from_the_right = {0}, from_the_left = {0};
  if (one_sided(field, x, y, t, h, out, &from_the_right) == PRC_OK) return PRC_OK;
  if (one_sided(field, x, y, t, -h, out, &from_the_left) == PRC_OK) return PRC_OK;
  return prc_fail(err, from_the_right.status, "%s", from_the_right.message);
}

prc_status prc_field_rate(const prc_field *field, double x, double y, double t, double h, double *rate,
                          prc_error *err) {
  double all[3] = {0.0};
  *rate = 0.0;
  if (!field->eval) return PRC_OK;
  const prc_status status = either_side(field, x, y, t, h, all, err);
  *rate = all[1];
  return status;
}

prc_status prc_field_derivatives(const prc_field *field, double x, double y, double t, double h,
                                 double out[3], prc_error *err) {
  if (field->derivatives) return field->derivatives(field, x, y, t, out, err);
  out[1] = out[2] = 0.0;
  if (!field->uses_time) return prc_field_eval(field, x, y, t, &out[0], err);
  return either_side(field, x, y, t, h, out, err);
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
