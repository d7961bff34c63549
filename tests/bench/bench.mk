# Speed, as ratios within one run; never part of the tests.
EXTRA_PROGRAMS += %D%/bench_step
tests_bench_bench_step_SOURCES = %D%/bench_step.c
tests_bench_bench_step_LDADD = libcore.la
nodist_EXTRA_tests_bench_bench_step_SOURCES = force-cxx-linker.cxx

EXTRA_PROGRAMS += %D%/bench_cone
tests_bench_bench_cone_SOURCES = %D%/bench_cone.c
tests_bench_bench_cone_CPPFLAGS = $(AM_CPPFLAGS) -DPRC_BENCH_FOLDER='"$(abs_top_srcdir)/../shared/fclib/open"'
tests_bench_bench_cone_LDADD = libcore.la
nodist_EXTRA_tests_bench_bench_cone_SOURCES = force-cxx-linker.cxx

EXTRA_DIST += %D%/siconos_cone.py

.PHONY: bench bench-cone
bench-cone: tests/bench/bench_cone
	@OPENBLAS_NUM_THREADS=1 tests/bench/bench_cone
	@if /usr/bin/python3 -c 'import siconos.numerics, h5py' 2>/dev/null; then \
	  /usr/bin/python3 $(srcdir)/tests/bench/siconos_cone.py \
	    --folder $(abs_top_srcdir)/../shared/fclib/open --percuss tests/bench/bench_cone; \
	else \
	  echo 'no comparison with Siconos: apt-get install --no-install-recommends python3-siconos python3-h5py'; fi
bench: tests/bench/bench_step
	@for size in 2 1 0.5 0.25; do \
	  OPENBLAS_NUM_THREADS=1 tests/bench/bench_step $(srcdir)/cases/sliding-block.yaml mesh.size=$$size || exit 1; done
	@$(MAKE) --no-print-directory bench-cone
