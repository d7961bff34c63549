/* The flow of the shipped granular slope from the time when it is packed: the mean reaction of the ground, and the profile of velocities. */
#include "config.h"
#include "support/slope.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>

enum { STRIPS = 12 };

START_TEST(a_slow_flow_weighs_on_the_ground_and_shears) {
  const double height = 0.084;
  double start[2], end[2], given[2], sum[2] = {0.0, 0.0}, mass[STRIPS] = {0}, momentum[STRIPS] = {0};
  slope s;
  slope_open(&s, 0, NULL);
  for (int step = 0; step < 1600; step++) slope_step(&s);
  slope_momentum(&s, start);
  for (int step = 0; step < 1400; step++) {
    slope_step(&s);
    slope_reaction(&s, given);
    for (int k = 0; k < 2; k++) sum[k] += given[k];
    slope_strips(&s, STRIPS, height, mass, momentum);
  }
  slope_momentum(&s, end);
  const double span = 1400 * s.r->h * s.weight;
  fprintf(
      stderr,
      "# reaction/weight %.6f normal, %.6f along the slope; of these %.6f, %.6f by the change of momentum\n",
      sum[1] / span, -sum[0] / span, (end[1] - start[1]) / span, -(end[0] - start[0]) / span);
  ck_assert_double_eq_tol(sum[1] / span, 0.894934, 0.01);
  ck_assert_double_eq_tol(-sum[0] / span, 0.446198, 0.05);
  ck_assert_double_eq_tol((sum[1] - (end[1] - start[1])) / span, 0.894934, 1e-6);
  ck_assert_double_eq_tol(-(sum[0] - (end[0] - start[0])) / span, 0.446198, 1e-6);
  double below = -1.0;
  for (int k = 0; k < STRIPS; k++) {
    if (mass[k] < 1400 * 0.002 * s.weight / 9.81) continue; /* of the mass: above the layer */
    fprintf(stderr, "# strip %2d: %8.5f m/s\n", k + 1, momentum[k] / mass[k]);
    ck_assert_double_gt(momentum[k] / mass[k], below);
    below = momentum[k] / mass[k];
    if (k == 0) ck_assert_double_lt(fabs(below), 0.05);
  }
  ck_assert_double_gt(below, 0.3);
  slope_close(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("granular flow");
  TCase *t = tcase_create("all");
  tcase_set_timeout(t, 3600.0);
  tcase_add_test(t, a_slow_flow_weighs_on_the_ground_and_shears);
  suite_add_tcase(suite, t);
  return support_run(suite);
}
