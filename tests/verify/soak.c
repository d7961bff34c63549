/* Ten million steps of a small block that is pressed on a floor and driven to and fro: memory stays what it was, and
 * what rounding does to the ledger grows no faster than the square root of the number of steps.
 * PRC_SOAK=STEPS makes it shorter.
 * Measured: each ratio is an error over 2^-52 sqrt(n) of its scale, for n steps. Independent roundings keep it
 * constant; a systematic loss makes it grow as sqrt(n), by a factor of 30 from 10^4 to 10^7 steps. K q is off by the
 * rounding of q, which K enlarges: a random walk of few directions, whose length scatters by itself. */
#include "config.h"
#include "support/block.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 10000 };
#define MOST_GROWTH 8.0 /* of a ratio, from FIRST steps on */
#define MOST_MEMORY                                                                                          \
  1e6 /* bytes: a tenth of one a step, so that no leak hides in pages that are first touched late */

/* bytes of this process that are in memory */
static double resident(void) {
  double all = 0.0, pages = 0.0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file || fscanf(file, "%lf %lf", &all, &pages) != 2) pages = 0.0;
  if (file) fclose(file);
  return 4096.0 * pages;
}

typedef struct {
  double balance;           /* |energies - works| / largest energy */
  double elastic, momentum; /* K q against f, M v against m, relative */
} errors;

static errors measure(block *b, double start, double scale) {
  const prc_ledger_row *r = b->row;
  const double works = r->work_external + r->work_damping + r->work_contact_normal
                       + r->work_contact_tangential + r->dissipation_numerical;
  const prc_certificate c = block_certificate(b);
  return (errors){.balance = fabs(block_energy(b) - start - works) / scale,
                  .elastic = c.entry[PRC_CERTIFY_DRIFT_ELASTIC].value,
                  .momentum = c.entry[PRC_CERTIFY_DRIFT_MOMENTUM].value};
}

static void judge(const char *name, double first, double now, double n) {
  const double least = 1.0; /* below that an error is no more than a few roundings */
  const double ratio = now / (DBL_EPSILON * sqrt(n)),
               before = fmax(first / (DBL_EPSILON * sqrt(FIRST)), least);
  printf("# %.0f steps: %s %.3g, over 2^-52 sqrt(n): %.3g\n", n, name, now, ratio);
  fflush(stdout);
  ck_assert_double_le(ratio, MOST_GROWTH * before);
}

static int steps(void) {
  const char *text = getenv("PRC_SOAK");
  return text ? atoi(text) : 10000000;
}

START_TEST(ten_million_steps_keep_memory_and_energy) {
  const int n = steps();
  prc_mesh *mesh = block_strip(4, 3, 40.0, 25.0);
  block b;
  block_case(&b, mesh);
  b.support.held[0] = 1; /* it cannot slide away, so that the scales stay */
  block_start(&b);
  const double start = block_energy(&b);
  double scale = 0.0, after_first = 0.0;
  errors first = {0.0, 0.0, 0.0};
  for (int k = 1, next = FIRST; k <= n; k++) {
    block_step(&b, 1);
    scale = fmax(scale, block_energy(&b));
    if (k != next && k != n) continue;
    const errors now = measure(&b, start, scale);
    if (k == FIRST) first = now, after_first = resident();
    judge("balance", first.balance, now.balance, k);
    judge("K q against f", first.elastic, now.elastic, k);
    judge("M v against m", first.momentum, now.momentum, k);
    if (next < 1000000000) next *= 10;
  }
  const double more = resident() - after_first;
  printf("# memory grew by %.0f bytes since step %d\n", more, FIRST);
  ck_assert_double_le(more, MOST_MEMORY);
  ck_assert_int_eq(block_certificate(&b).verdict, PRC_PASS);
  block_free(&b);
  prc_mesh_free(&mesh);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("soak");
  TCase *tc = tcase_create("long");
  tcase_set_timeout(tc, 3600);
  tcase_add_test(tc, ten_million_steps_keep_memory_and_energy);
  suite_add_tcase(suite, tc);
  return support_run(suite);
}
