# Several processes on one mesh, where percuss was configured --with-petsc. Each starts up to four ranks on this machine, whatever processors it has.
EXTRA_DIST += %D%/launch.sh %D%/exercise.c %D%/ranks.test %D%/near.test %D%/shared_runs.test
mpi_tests =
petsc_programs =
if HAVE_PETSC
mpi_tests += %D%/ranks.test %D%/near.test %D%/shared_runs.test
check_PROGRAMS += %D%/exercise
petsc_programs += %D%/exercise$(EXEEXT)
# with the table of its own, whose messages are short
tests_mpi_exercise_SOURCES = %D%/exercise.c src/base/ranks_mpi.c
tests_mpi_exercise_CPPFLAGS = $(AM_CPPFLAGS) -DPRC_RANKS_PIECE=1000
tests_mpi_exercise_LDADD = libcore.la
endif
TESTS += $(mpi_tests)

# all of its cases on one, two, three and four ranks
check-long: check-shared-runs
.PHONY: check-shared-runs
check-shared-runs: percuss$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) PRC_LONG=1 $(top_srcdir)/tests/mpi/shared_runs.test >shared_runs.log; cat shared_runs.log; ! grep -q '^not ok' shared_runs.log

# what a build with PETSc changes, and no more: `make check` runs it too
petsc_tests = $(mpi_tests) tests/cases/ranks.test tests/cases/slurm.test
.PHONY: check-petsc count-petsc-tests
check-petsc: all-am
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(petsc_tests)' check_PROGRAMS='$(petsc_programs)' check_LTLIBRARIES= check_DATA=
count-petsc-tests:
	@set x $(petsc_tests); shift; echo $$#
