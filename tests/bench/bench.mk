# Speed, as ratios within one run; never part of the tests.
EXTRA_PROGRAMS += %D%/bench_step
tests_bench_bench_step_SOURCES = %D%/bench_step.c
tests_bench_bench_step_LDADD = libcore.la
nodist_EXTRA_tests_bench_bench_step_SOURCES = force-cxx-linker.cxx

.PHONY: bench
bench: tests/bench/bench_step
	@for size in 2 1 0.5 0.25; do \
	  OPENBLAS_NUM_THREADS=1 tests/bench/bench_step $(srcdir)/cases/sliding-block.yaml mesh.size=$$size || exit 1; done
