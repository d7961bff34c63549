# Speed, as ratios within one run; never part of the tests.
EXTRA_PROGRAMS += %D%/bench_step
tests_bench_bench_step_SOURCES = %D%/bench_step.c
tests_bench_bench_step_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_order
tests_bench_bench_order_SOURCES = %D%/bench_order.c
tests_bench_bench_order_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_product
tests_bench_bench_product_SOURCES = %D%/bench_product.c
tests_bench_bench_product_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_cone
tests_bench_bench_cone_SOURCES = %D%/bench_cone.c
tests_bench_bench_cone_CPPFLAGS = $(AM_CPPFLAGS) -DPRC_BENCH_FOLDER='"$(abs_top_srcdir)/../shared/fclib/open"'
tests_bench_bench_cone_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_piles
tests_bench_bench_piles_SOURCES = %D%/bench_piles.c tests/support/pile.c tests/support/pile.h
tests_bench_bench_piles_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_bench_bench_piles_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_instructions
tests_bench_bench_instructions_SOURCES = %D%/bench_instructions.c
tests_bench_bench_instructions_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_schemes
tests_bench_bench_schemes_SOURCES = %D%/bench_schemes.c
tests_bench_bench_schemes_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_system
tests_bench_bench_system_SOURCES = %D%/bench_system.c
tests_bench_bench_system_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_bodies
tests_bench_bench_bodies_SOURCES = %D%/bench_bodies.c %D%/bodies_scene.h
tests_bench_bench_bodies_LDADD = libcore.la

EXTRA_PROGRAMS += %D%/bench_space
tests_bench_bench_space_SOURCES = %D%/bench_space.c %D%/space_scene.h %D%/bodies_scene.h
tests_bench_bench_space_LDADD = libcore.la

if HAVE_PETSC
EXTRA_PROGRAMS += %D%/bench_ranks
tests_bench_bench_ranks_SOURCES = %D%/bench_ranks.c
tests_bench_bench_ranks_LDADD = libcore.la
endif
EXTRA_DIST += %D%/ranks.geo %D%/ranks.yaml
# Steps that ranks share beside a plain program of PETSc, on one and two processes in turns, by lines of JSON; sizes in mm: 10^5 to 8 10^5 unknowns. Some minutes.
BENCH_RANKS_SIZES = 0.14 0.07 0.05
BENCH_RANKS = model.mass=lumped
bench-ranks: tests/bench/bench_ranks
	@for size in $(BENCH_RANKS_SIZES); do for courant in 3e-4 9e-4; do for n in 1 2 1 2; do \
	  h=`awk "BEGIN { print $$courant * $$size }"` end=`awk "BEGIN { print 1000 * $$courant * $$size }"`; \
	  OPENBLAS_NUM_THREADS=1 mpiexec -n $$n tests/bench/bench_ranks $(srcdir)/tests/bench/ranks.yaml 10 3 mesh.size=$$size \
	    time.step=$$h time.end=$$end $(BENCH_RANKS) || exit 1; done; done; done
.PHONY: bench-ranks

EXTRA_DIST += %D%/space_scene.py %D%/space_measure.py %D%/space_siconos.py %D%/space_bullet.cc %D%/space_ode.c
EXTRA_DIST += %D%/bodies.py %D%/bodies_scene.py %D%/bodies_measure.py %D%/bodies_siconos.py %D%/bodies_bullet.cc %D%/bodies_ode.c
EXTRA_DIST += %D%/schemes.py %D%/schemes_chain.py %D%/schemes_siconos.cc
EXTRA_DIST += %D%/siconos_cone.py %D%/siconos_block.py %D%/summary.py %D%/whole_run.sh %D%/instructions.sh %D%/instructions.txt %D%/chain.yaml
EXTRA_DIST += %D%/interface.geo %D%/interface.yaml

# Many bodies by percuss and, where they are there, by Siconos, Bullet and ODE; some minutes. bodies.py says what is compared.
bench-bodies: tests/bench/bench_bodies tests/bench/bench_space
	@OPENBLAS_NUM_THREADS=1 /usr/bin/python3 $(srcdir)/tests/bench/bodies.py --percuss tests/bench/bench_bodies --space tests/bench/bench_space --cc "$(CC)" --cxx "$(CXX)" --folder bench-bodies $(BENCH_BODIES)
# Contact problems of piles: about a minute.
bench-piles: tests/bench/bench_piles
	@OPENBLAS_NUM_THREADS=1 tests/bench/bench_piles $(BENCH_PILES)
.PHONY: bench bench-schemes bench-piles bench-bodies bench-large bench-order bench-cone bench-siconos bench-instructions bench-interface
# Systems of a few bodies and a chain of joints, by percuss and by Siconos: about two minutes. schemes.py says what is compared.
bench-schemes: tests/bench/bench_schemes
	@/usr/bin/python3 $(srcdir)/tests/bench/schemes.py --percuss tests/bench/bench_schemes --cases $(srcdir)/cases --cxx "$(CXX)" $(BENCH_SCHEMES)
bench-cone: tests/bench/bench_cone
	@OPENBLAS_NUM_THREADS=1 tests/bench/bench_cone
	@if /usr/bin/python3 -c 'import siconos.numerics, h5py' 2>/dev/null; then \
	  /usr/bin/python3 $(srcdir)/tests/bench/siconos_cone.py \
	    --folder $(abs_top_srcdir)/../shared/fclib/open --percuss tests/bench/bench_cone; \
	else \
	  echo 'no comparison with Siconos: apt-get install --no-install-recommends python3-siconos python3-h5py'; fi
# The first forty steps of the sliding block, by Siconos too, about two minutes.
bench-siconos: tests/bench/bench_system
	@OPENBLAS_NUM_THREADS=1 tests/bench/bench_system $(srcdir)/cases/sliding-block.yaml 40 bench-system.h5 time.law=newton
	@if /usr/bin/python3 -c 'import siconos.kernel, h5py, scipy' 2>/dev/null; then \
	  /usr/bin/python3 $(srcdir)/tests/bench/siconos_block.py bench-system.h5; \
	else \
	  echo 'no comparison with Siconos: apt-get install --no-install-recommends python3-siconos python3-h5py python3-scipy'; fi
# Sizes in mm: 2 450 to a million unknowns at 0.05; the time step follows, so that the Courant number is the same.
BENCH_SIZES = 2 1 0.5 0.25 0.125
bench: tests/bench/bench_step percuss$(EXEEXT)
	@rm -f bench.jsonl
	@for size in $(BENCH_SIZES); do \
	  OPENBLAS_NUM_THREADS=1 PRC_BENCH_JSON=bench.jsonl tests/bench/bench_step $(srcdir)/cases/sliding-block.yaml \
	    mesh.size=$$size time.step=`awk "BEGIN { print 1e-4 * $$size }"` || exit 1; done
	@/usr/bin/python3 $(srcdir)/tests/bench/summary.py bench.jsonl bench.json
	@$(srcdir)/tests/bench/whole_run.sh ./percuss$(EXEEXT) $(srcdir)/cases/sliding-block.yaml bench-runs bench-runs.json
	@$(MAKE) --no-print-directory bench-interface
	@$(MAKE) --no-print-directory bench-schemes
	@$(MAKE) --no-print-directory bench-cone
# A fault of 1 000 nodes in 200 000 unknowns; with small slides H stays, with large ones it is made anew in every step.
bench-interface: tests/bench/bench_step
	@for sliding in small large; do OPENBLAS_NUM_THREADS=1 tests/bench/bench_step $(srcdir)/tests/bench/interface.yaml \
	  contacts.fault.sliding=$$sliding || exit 1; done
# The order of elimination beside CHOLMOD's, with linear triangles and quadratic ones.
bench-order: tests/bench/bench_order
	@for size in $(BENCH_SIZES); do tests/bench/bench_order $(srcdir)/cases/sliding-block.yaml mesh.size=$$size; done
	@for size in 0.1 0.05 0.02 0.008; do tests/bench/bench_order $(srcdir)/cases/hertz.yaml \
	  mesh.file=$(abs_srcdir)/meshes/cylinder-quadratic.geo mesh.size=$$size; done
bench-large:
	@$(MAKE) --no-print-directory bench BENCH_SIZES='1 0.25 0.125 0.0625 0.05'
# To be compared with tests/bench/instructions.txt in review.
bench-instructions: tests/bench/bench_instructions
	@$(srcdir)/tests/bench/instructions.sh tests/bench/bench_instructions $(srcdir)
