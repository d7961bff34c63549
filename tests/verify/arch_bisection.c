/* The least thickness of masonry arches by bisection over runs, to 0.5 %, against limit analysis on the same blocks. */
#include "config.h"
#include "support/arch.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>

static const struct {
  int n;
  double friction;
} arches[] = {{9, 0.5}, {27, 0.5}, {81, 0.5}, {9, 0.32}, {27, 0.32}, {81, 0.32}};

START_TEST(runs_find_the_limit) {
  const int n = arches[_i].n;
  const double friction = arches[_i].friction, limit = arch_limit(n, friction);
  double falls = 0.05, stands = 0.3;
  while (stands - falls > 0.005 * falls) {
    const double middle = 0.5 * (falls + stands);
    if (arch_stands(n, middle, friction, 10.0))
      stands = middle;
    else
      falls = middle;
  }
  fprintf(stderr, "# %d blocks, friction %g: falls at %.6f, stands at %.6f, limit analysis %.6f\n", n,
          friction, falls, stands, limit);
  ck_assert(falls <= limit && stands >= limit);
}
END_TEST

/* What is told of 27 blocks: over 10 sqrt(R/g). */
START_TEST(near_the_limit_runs_decide) {
  ck_assert(arch_stands(27, 0.10675, 0.5, 10.0) && !arch_stands(27, 0.1066, 0.5, 10.0));
  ck_assert(arch_stands(27, 0.1840, 0.32, 10.0) && !arch_stands(27, 0.1825, 0.32, 10.0));
}
END_TEST

int main(void) {
  Suite *s = suite_create("arches by bisection");
  TCase *t = tcase_create("all");
  tcase_set_timeout(t, 3600.0);
  tcase_add_loop_test(t, runs_find_the_limit, 0, 6);
  tcase_add_test(t, near_the_limit_runs_decide);
  suite_add_tcase(s, t);
  return support_run(s);
}
