# The program from end to end, each test a shell script that speaks TAP.
case_tests = %D%/sliding_block.test %D%/laws.test %D%/without_energy.test %D%/resume.test %D%/steps.test %D%/remembered.test %D%/reproducible.test %D%/set.test \
  %D%/mistakes.test %D%/check.test %D%/converge.test %D%/sweep.test %D%/style.test %D%/exact.test %D%/outputs.test %D%/initial.test %D%/continued.test %D%/motions.test %D%/moving.test %D%/shapes_on_meshes.test %D%/rotations.test %D%/corotation.test \
  %D%/writers.test %D%/fields.test %D%/front_tools.test \
  %D%/pictures.test %D%/pictures_in_space.test %D%/vtkjs.test %D%/python.test %D%/simulation.test %D%/browser.test %D%/paraview.test %D%/documents.test %D%/library.test %D%/quickstart.test %D%/progress.test \
  %D%/init.test %D%/examples.test %D%/cone.test %D%/rigid.test %D%/joints.test %D%/meeting.test %D%/curves.test %D%/carried_spheres.test %D%/spinning_disc.test %D%/position.test %D%/between.test %D%/strains.test %D%/grains.test %D%/momentum.test %D%/angular_momentum.test %D%/quasi_static.test %D%/units.test %D%/wedged.test %D%/contact_limits.test %D%/systems.test %D%/rubbing.test %D%/alpha_meshes.test %D%/tippe_top.test %D%/space.test %D%/beams.test %D%/space_friction.test \
  %D%/absorbed_pulse.test %D%/fronts.test \
  %D%/masonry.test %D%/names.test %D%/measured.test \
  %D%/bodies_beside_mesh.test \
  %D%/meshes.test \
  %D%/solvers.test \
  %D%/explore.test \
  %D%/schemes.test \
  %D%/extremes.test \
  %D%/fault.test %D%/two_bodies.test %D%/overlap.test %D%/words.test %D%/bars.test %D%/elastic_floor.test
# when something goes wrong
case_tests += %D%/ranks.test %D%/both_ways.test %D%/slurm.test
case_tests += %D%/faults.test %D%/refused.test %D%/kill.test %D%/inputs.test %D%/reliability.test
case_tests += %D%/checkpoints.test %D%/identity.test %D%/folders.test %D%/damaged.test %D%/signals.test %D%/power.test
dist_check_SCRIPTS += $(case_tests)
TESTS += $(case_tests)
EXTRA_DIST += %D%/tap.sh %D%/transcription.py tests/input tests/support/other_units.py tests/support/fault_seen_from.py tests/support/run_in_space.py tests/support/masonry.py \
  %D%/extremes.py tests/support/rupture.py tests/data/tpv205/stations.csv tests/data/tpv205/stations-small.csv

# all extremes of numbers instead of sixty
check-long: check-extremes
.PHONY: check-extremes
check-extremes: percuss$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) PRC_EXTREMES= $(top_srcdir)/tests/cases/extremes.test >extremes.log; cat extremes.log; ! grep -q '^not ok' extremes.log

# all of what `make check` does a sample of
whole_tests = %D%/solvers.test %D%/units.test %D%/inputs.test %D%/remembered.test %D%/faults.test %D%/damaged.test %D%/rigid.test %D%/sweep.test %D%/pictures.test %D%/pictures_in_space.test %D%/documents.test %D%/mistakes.test %D%/identity.test
if HAVE_CHECK
whole_tests += tests/unit/check_memory$(EXEEXT) tests/unit/check_solid$(EXEEXT) tests/unit/check_cone$(EXEEXT) tests/verify/rigid_laws$(EXEEXT) tests/verify/interfaces$(EXEEXT) tests/verify/waves$(EXEEXT) tests/verify/meeting_bodies$(EXEEXT) tests/unit/check_linear$(EXEEXT)
endif
check-long: check-whole-tests
.PHONY: check-whole-tests
check-whole-tests: all-am $(check_PROGRAMS) $(check_LTLIBRARIES) $(check_DATA)
	@$(AM_TESTS_ENVIRONMENT) PRC_LONG=1; export PRC_LONG; status=0; \
	for test in $(whole_tests); do \
	  name=whole-`basename $$test .test`; case $$test in *.test) test=$(top_srcdir)/$$test ;; *) test=./$$test ;; esac; \
	  $$test >$$name.log 2>&1 || status=1; cat $$name.log; ! grep -q '^not ok' $$name.log || status=1; \
	done; exit $$status

# what is kept of vtk.js, made anew from the network
check-long: check-vtkjs
.PHONY: check-vtkjs
check-vtkjs:
	@$(AM_TESTS_ENVIRONMENT) PRC_NPM=1 $(top_srcdir)/tests/cases/vtkjs.test >vtkjs.log; cat vtkjs.log; ! grep -q '^not ok' vtkjs.log

# every command of the manual
dist_check_SCRIPTS += %D%/manual.test
check-long: check-manual
.PHONY: check-manual
check-manual: percuss$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/tests/cases/manual.test >manual.log; cat manual.log; ! grep -q '^not ok' manual.log

# from nothing, where root runs it
dist_check_SCRIPTS += %D%/bare.test
EXTRA_DIST += tests/support/bare/inside.sh tests/support/bare/use.sh tests/support/bare/packages.sh tests/support/bare/container.py
check-long: check-bare
.PHONY: check-bare
check-bare:
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/tests/cases/bare.test >bare.log; cat bare.log; ! grep -q '^not ok' bare.log

# the whole wall
dist_check_SCRIPTS += %D%/masonry_whole.test
check-long: check-masonry
.PHONY: check-masonry
check-masonry: percuss$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/tests/cases/masonry_whole.test >masonry.log; cat masonry.log; ! grep -q '^not ok' masonry.log

# a hundred kills instead of ten
check-long: check-kill
.PHONY: check-kill
check-kill: percuss$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) PRC_KILLS=100 $(top_srcdir)/tests/cases/kill.test >kill.log; cat kill.log; ! grep -q '^not ok' kill.log

# the same case by a program that another compiler made
dist_check_SCRIPTS += %D%/compilers.test
check-long: check-compilers
.PHONY: check-compilers
check-compilers: percuss$(EXEEXT)
	rm -rf other-compiler && $(MKDIR_P) other-compiler
	case '$(CC)' in *clang*) CC=gcc ;; *) CC=clang ;; esac; export CC; cd other-compiler && \
	  $(abs_srcdir)/configure --disable-shared $(VTK_CONFIGURE) CFLAGS=-O2 >/dev/null && $(MAKE) percuss$(EXEEXT) >/dev/null
	@$(AM_TESTS_ENVIRONMENT) PRC_OTHER=$(abs_builddir)/other-compiler/percuss$(EXEEXT) \
	  $(top_srcdir)/tests/cases/compilers.test >compilers.log; cat compilers.log; ! grep -q '^not ok' compilers.log

.PHONY: clean-case-tests
clean-case-tests:
	-rm -rf tests/cases/work-* tests/cases/state-* manual.log bare.log kill.log compilers.log shared_runs.log whole-*.log other-compiler
EXTRA_DIST += tests/fuzz/case tests/fuzz/expression tests/fuzz/history tests/fuzz/mesh tests/fuzz/problem tests/fuzz/problem-made tests/fuzz/checkpoint \
  tests/fuzz/checkpoint-made
