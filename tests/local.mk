# Tests speak TAP, so that automake counts single tests. They write below the build folder only.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(top_srcdir)/tests/timed $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
  OPENBLAS_NUM_THREADS=1; export OPENBLAS_NUM_THREADS; OMP_NUM_THREADS=1; export OMP_NUM_THREADS; \
  PRC_SOURCE='$(abs_top_srcdir)'; export PRC_SOURCE; PRC_BUILD='$(abs_top_builddir)'; export PRC_BUILD; \
  PERCUSS_DATADIR='$(abs_top_srcdir)/postprocess'; export PERCUSS_DATADIR; \
  PERCUSS_LIBDIR='$(abs_top_builddir)'; export PERCUSS_LIBDIR; \
  LC_ALL=C; export LC_ALL; CK_TIMEOUT_MULTIPLIER=30; export CK_TIMEOUT_MULTIPLIER; $(SANITIZED_TESTS)
if SANITIZERS
SANITIZED_TESTS = CK_FORK=no; export CK_FORK; PRC_SANITIZED=1; export PRC_SANITIZED; PRC_SHORT=1; export PRC_SHORT;
endif

test_cppflags = $(AM_CPPFLAGS) $(CHECK_CFLAGS) -I$(top_srcdir)/tests
# Tests link the shared library, which exports all of ours, internals too; those that wrap what it calls need its objects.
test_libs = tests/libsupport.la libpercuss.la $(libcore_la_LIBADD) $(GMSH_LIBS) $(CHECK_LIBS)
whole_libs = tests/libsupport.la libcore.la $(GMSH_LIBS) $(CHECK_LIBS)

if HAVE_CHECK
check_LTLIBRARIES = tests/libsupport.la
tests_libsupport_la_SOURCES = %D%/support/support.c %D%/support/support.h %D%/support/suites.h %D%/support/files.c %D%/support/files.h %D%/support/block.c %D%/support/block.h %D%/support/patches.c %D%/support/patches.h %D%/support/duet.c %D%/support/duet.h \
  %D%/support/plate.c %D%/support/plate.h %D%/support/path.c %D%/support/path.h %D%/support/forked_ranks.c %D%/support/forked_ranks.h %D%/support/rig.c %D%/support/rig.h %D%/support/halves.c %D%/support/halves.h %D%/support/body.c %D%/support/body.h \
  %D%/support/known_contact.c %D%/support/known_contact.h %D%/support/toy.c %D%/support/toy.h %D%/support/methods.h %D%/support/speed_laws.h \
  %D%/support/gmsh.c %D%/support/gmsh.h %D%/support/found.c %D%/support/found.h %D%/support/polyhedra.c %D%/support/polyhedra.h %D%/support/pile.c %D%/support/pile.h
tests_libsupport_la_CPPFLAGS = $(test_cppflags)

# loaded before libc by faults.test
check_DATA = tests/libfaults.so
tests/libfaults.so: %D%/support/faults.c
	$(AM_V_CCLD)$(MKDIR_P) tests && $(CC) $(PRC_CFLAGS) -O1 -shared -fPIC -o $@ $(srcdir)/tests/support/faults.c -ldl
EXTRA_DIST += %D%/support/faults.c
CLEANFILES += tests/libfaults.so

# modules in the place of percuss-vtk.so, for check_module
EXTRA_DIST += %D%/support/module.c
if VTK
check_DATA += tests/modules/failing/percuss-vtk.so
tests/modules/failing/percuss-vtk.so: %D%/support/module.c src/output/vtk.h
	$(AM_V_CCLD)for m in failing older empty; do $(MKDIR_P) tests/modules/$$m && \
	  case $$m in older) more='-DPRC_MODULE_VERSION="0.0.1"' ;; empty) more=-Dpercuss_vtk=percuss_nothing ;; *) more= ;; esac && \
	  $(CC) $(DEFS) -I. -I$(top_srcdir)/src $(PRC_CFLAGS) -O1 $$more -shared -fPIC -o tests/modules/$$m/percuss-vtk.so \
	    $(srcdir)/tests/support/module.c || exit 1; done
endif

include tests/unit/unit.mk
include tests/verify/verify.mk
include tests/verify/cones.mk
include tests/verify/long.mk
include tests/fuzz/fuzz.mk
endif
clean-local: clean-modules
.PHONY: clean-modules
clean-modules:
	-rm -rf tests/modules
EXTRA_DIST += tests/data/sliding-block/README.md tests/data/sliding-block/block.msh \
  tests/data/sliding-block/fremond.csv tests/data/sliding-block/newton.csv

# what takes minutes
.PHONY: check-long
check-long: $(check_LONG)
	@$(AM_TESTS_ENVIRONMENT) for test in $(check_LONG); do ./$$test || exit 1; done

include tests/bench/bench.mk
include tests/verify/rigid.mk
include tests/verify/spatial.mk
include tests/cases/cases.mk
include tests/mpi/mpi.mk
include tests/verification/verification.mk
include tests/valgrind/valgrind.mk

# what tests leave below the build folder
clean-local: clean-case-tests clean-unit-tests clean-verification clean-valgrind
.PHONY: clean-unit-tests
clean-unit-tests:
	find tests -name '*.time' -delete
	rm -rf quick.log check-*.log fuzz-*.tmp check-mesh* check-memory* check_case*.yaml output.tmp fclib.tmp

# how many files of tests there are, for quickstart
.PHONY: count-tests
count-tests:
	@set x $(TESTS); shift; echo $$#

# `make quick`: the unit tests but their slow suites, on all processors unless make was told how many: less than a minute after a build
EXTRA_DIST += %D%/named %D%/README.md
.PHONY: quick
quick: all-am $(check_LTLIBRARIES) $(check_DATA)
	@jobs=; case '$(MAKEFLAGS)' in *-j*) ;; *) jobs=-j`nproc` ;; esac; \
	$(MAKE) $(AM_MAKEFLAGS) $$jobs check-TESTS TESTS='$(unit_tests)' check_PROGRAMS='$(unit_programs)' TEST_SUITE_LOG=quick.log TESTS_ENVIRONMENT='PRC_QUICK=1'

# `make check-NAME`: one test is built and run, a module's unit program, one suite of it, a program of tests/verify or a shell test (tests/named)
check-%: all-am $(check_LTLIBRARIES) $(check_DATA)
	@found=`$(top_srcdir)/tests/named $(top_srcdir) $*` || exit 1; eval "$$found"; names=; \
	for program in $$programs; do names="$$names $$program$(EXEEXT)"; done; \
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS="$$programs $$scripts" check_PROGRAMS="$$names" TEST_SUITE_LOG=check-$*.log \
	  TESTS_ENVIRONMENT="$$environment"

# seconds of the tests that ran last, the dearest first
EXTRA_DIST += %D%/timed %D%/times
.PHONY: times
times:
	@$(top_srcdir)/%D%/times .

# `make bytes`: the bytes of all shipped cases, straight and resumed, in bytes.txt; `make bytes REFERENCE=/path/of/another/build` compares with its table
EXTRA_DIST += %D%/bytes.py
.PHONY: bytes clean-bytes
bytes: all-am
	@$(AM_TESTS_ENVIRONMENT) /usr/bin/python3 $(srcdir)/%D%/bytes.py ./percuss$(EXEEXT) $(srcdir)/cases . $(REFERENCE)
clean-local: clean-bytes
clean-bytes:
	-rm -rf bytes bytes.txt
