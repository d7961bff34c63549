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
