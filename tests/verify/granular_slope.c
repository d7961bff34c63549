/* Polygons that flow down a slope: the first steps of the shipped case. Its steady flow: granular_flow.c. */
#include "config.h"
#include "support/slope.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The change of momentum is weight and ground, in every step, and in the mean of all. */
START_TEST(the_ground_gives_the_weight_less_the_change_of_momentum) {
  const double pi = 3.14159265358979323846, angle = 26.5 * pi / 180.0, g[2] = {sin(angle), -cos(angle)};
  double before[2], after[2], given[2], sum[2] = {0.0, 0.0}, start[2];
  slope s;
  slope_open(&s, 0, NULL);
  slope_momentum(&s, start);
  memcpy(before, start, sizeof before);
  for (int step = 1; step <= 160; step++) {
    slope_step(&s);
    slope_momentum(&s, after), slope_reaction(&s, given);
    for (int k = 0; k < 2; k++) {
      ck_assert_double_eq_tol(after[k] - before[k], s.r->h * s.weight * g[k] + given[k],
                              1e-11 * fabs(start[0]));
      sum[k] += given[k], before[k] = after[k];
    }
  }
  const double span = 160 * s.r->h;
  for (int k = 0; k < 2; k++)
    ck_assert_double_eq_tol(sum[k] / span / s.weight - (after[k] - start[k]) / span / s.weight, -g[k], 1e-10);
  ck_assert_double_eq_tol(g[0], 0.446198, 5e-7);
  ck_assert_double_eq_tol(-g[1], 0.894934, 5e-7);
  ck_assert(sum[1] > 0.0 && s.r->n_active > 100);
  slope_close(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("granular slope");
  TCase *t = tcase_create("all");
  tcase_set_timeout(t, 600.0);
  tcase_add_test(t, the_ground_gives_the_weight_less_the_change_of_momentum);
  suite_add_tcase(suite, t);
  return support_run(suite);
}
