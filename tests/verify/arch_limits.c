/* Masonry arches: the least thickness by limit analysis, and what stands in motion. */
#include "config.h"
#include "support/arch.h"
#include "support/support.h"

#include <math.h>

/* Limits of semicircular arches of 9, 27 and 81 blocks with contacts at the true corners, from a linear programme of another program. */
static const struct {
  int n;
  double friction, limit;
} arches[] = {{9, 0.5, 0.101526},  {27, 0.5, 0.106721},  {81, 0.5, 0.107431},
              {9, 0.32, 0.170014}, {27, 0.32, 0.183845}, {81, 0.32, 0.185460}};

START_TEST(a_linear_programme_has_the_least_thickness) {
  const double to = 1.01e-6, limit = arches[_i].limit;
  ck_assert(arch_has_equilibrium(arches[_i].n, limit + to, arches[_i].friction));
  ck_assert(!arch_has_equilibrium(arches[_i].n, limit - to, arches[_i].friction));
}
END_TEST

/* Friction of 0.3953 is what 27 blocks need to turn about hinges alone; of 9 less. */
START_TEST(more_friction_does_not_help) {
  ck_assert_double_eq_tol(arch_limit(9, 10.0), arch_limit(9, 0.5), 1e-6);
  ck_assert_double_gt(arch_limit(9, 0.39), arch_limit(9, 0.5) + 1e-4);
}
END_TEST

/* By 0.25 % thicker it stands, thinner it falls. */
START_TEST(what_is_thicker_stands) {
  const int n = arches[_i].n;
  const double friction = arches[_i].friction, limit = arches[_i].limit;
  ck_assert(arch_stands(n, 1.0025 * limit, friction, 0.5));
  ck_assert(!arch_stands(n, 0.9975 * limit, friction, 10.0));
}
END_TEST

int main(void) {
  Suite *s = suite_create("arches");
  TCase *t = tcase_create("all");
  tcase_set_timeout(t, 300.0);
  tcase_add_loop_test(t, a_linear_programme_has_the_least_thickness, 0, 6);
  tcase_add_test(t, more_friction_does_not_help);
  tcase_add_loop_test(t, what_is_thicker_stands, 0, 1); /* of 27: the case; more in arch_bisection.c */
  tcase_add_loop_test(t, what_is_thicker_stands, 3, 4);
  suite_add_tcase(s, t);
  return support_run(s);
}
