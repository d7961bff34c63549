/* Which processes a launcher started, as the environment says; and what a build without PETSc says to them. */
#include "config.h"
#include "support/support.h"
#include "base/ranks.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",      "PMI_RANK",
    "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "PERCUSS_RANKS", "SLURM_NTASKS"};
enum { NAMES = sizeof names / sizeof *names };

static const struct {
  const char *value[NAMES];
  int n, rank;
} environments[] = {
    {{0}, 1, 0},
    {{"4", "3"}, 4, 3},
    {{"1", "0"}, 1, 0},
    {{0, 0, "2", "1"}, 2, 1},
    {{0, 0, 0, 0, "1000", "999", 0, "1000"}, 1000, 999},
    /* a script of sbatch, and mpiexec in it */
    {{0, 0, 0, 0, 0, "0", 0, "8"}, 1, 0},
    {{"8", "5", 0, 0, 0, "0", 0, "8"}, 8, 5},
    {{"2", "1", "4", "3", "8", "7"}, 2, 1},
    /* runs of their own */
    {{"4", "3", 0, 0, 0, 0, "1"}, 1, 0},
    {{"4", "3", 0, 0, 0, 0, "0"}, 4, 3},
    {{"4", "3", 0, 0, 0, 0, ""}, 4, 3},
    /* what makes no sense does not count */
    {{"4"}, 1, 0},
    {{0, "3"}, 1, 0},
    {{"4", "4"}, 1, 0},
    {{"0", "0"}, 1, 0},
    {{"-2", "-1"}, 1, 0},
    {{"4", "x"}, 1, 0},
    {{"4x", "3"}, 1, 0},
    {{"", ""}, 1, 0},
    {{"99999999999999999999", "3"}, 1, 0},
    {{"4294967298", "1"}, 1, 0},
    {{"4", "4", "3", "2"}, 3, 2},
};

static void clear(void) {
  for (int k = 0; k < NAMES; k++) unsetenv(names[k]);
}

START_TEST(processes_are_counted_as_the_launcher_says) {
  int rank = -1;
  clear();
  for (int k = 0; k < NAMES; k++)
    if (environments[_i].value[k]) setenv(names[k], environments[_i].value[k], 1);
  ck_assert_int_eq(prc_ranks_foreseen(&rank), environments[_i].n);
  ck_assert_int_eq(rank, environments[_i].rank);
  clear();
}
END_TEST

#ifndef PRC_HAVE_PETSC
START_TEST(without_petsc_they_are_refused) {
  const prc_ranks *ranks = NULL;
  prc_error err = {0};
  char text[8] = "before";
  support_fails(prc_ranks_begin(0, NULL, &ranks, &err), PRC_INPUT, &err, "was configured without PETSc");
  ck_assert_ptr_null(ranks);
  ck_assert_int_eq(prc_ranks_end_together(ranks, 0.0), 1);
  prc_ranks_end(&ranks);
  prc_ranks_describe(0, text);
  ck_assert_str_eq(text, "before");
  prc_ranks_describe(sizeof text, text);
  ck_assert_str_eq(text, "");
}
END_TEST
#endif

SUITE(launchers) {
  Suite *suite = suite_create("launchers");
  TCase *environment = tcase_create("environment");
  tcase_add_loop_test(environment, processes_are_counted_as_the_launcher_says, 0,
                      sizeof environments / sizeof *environments);
#ifndef PRC_HAVE_PETSC
  tcase_add_test(environment, without_petsc_they_are_refused);
#endif
  suite_add_tcase(suite, environment);
  return suite;
}
