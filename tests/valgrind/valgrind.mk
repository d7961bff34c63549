# `make check-valgrind`: every test of `make check`, each program of ours under valgrind's memcheck, children too. Some tests are
# shorter then (PRC_SHORT, PRC_KILLS). The reports stay in the folder valgrind. `make check-valgrind TESTS=tests/unit/check_step` is one of them.
EXTRA_DIST += %D%/memcheck %D%/suppressions %D%/judge
memcheck = $(abs_srcdir)/%D%/memcheck
reports = $(abs_builddir)/valgrind

.PHONY: check-valgrind check-threads clean-valgrind
check-valgrind: percuss$(EXEEXT)
	@command -v valgrind >/dev/null || { echo "valgrind is missing (Debian: valgrind)" >&2; exit 1; }
	rm -rf valgrind && $(MKDIR_P) valgrind && chmod 1777 valgrind
	@printf '#!/bin/sh\nexec "%s" "%s" "$$@"\n' '$(memcheck)' '$(abs_builddir)/percuss$(EXEEXT)' >valgrind/percuss
	@chmod 755 valgrind/percuss
	@status=0; \
	  $(MAKE) $(AM_MAKEFLAGS) -k check LOG_COMPILER='$(memcheck)' TEST_SUITE_LOG=check-valgrind.log TESTS_ENVIRONMENT="PRC_VALGRIND='$(reports)' \
	    PRC_PERCUSS='$(reports)/percuss' PRC_SHORT=1 PRC_KILLS=3 CK_TIMEOUT_MULTIPLIER=1000" || status=1; \
	  $(SHELL) $(srcdir)/%D%/judge valgrind || status=1; exit $$status

# `make check-threads`: what uses threads, under valgrind's helgrind: snapshots written beside the steps, substitutions that are shared.
EXTRA_DIST += tests/support/team.c
helgrind = valgrind --tool=helgrind --history-level=approx --fair-sched=yes --vgdb=no --num-callers=30 --error-exitcode=99 \
  --suppressions='$(abs_srcdir)/%D%/suppressions' --log-file='$(reports)/threads.%p.log'
check-threads: percuss$(EXEEXT) tests/unit/check_linear$(EXEEXT)
	@command -v valgrind >/dev/null || { echo "valgrind is missing (Debian: valgrind)" >&2; exit 1; }
	rm -rf valgrind && $(MKDIR_P) valgrind
	$(CC) $(PRC_CFLAGS) -O1 -g -shared -fPIC -o valgrind/team.so $(srcdir)/tests/support/team.c -lpthread
	@$(AM_TESTS_ENVIRONMENT) status=0; LD_PRELOAD='$(reports)/team.so'; export LD_PRELOAD; \
	  $(helgrind) ./percuss$(EXEEXT) run $(srcdir)/cases/sliding-block.yaml --set mesh.size=4 --set time.end=0.003 --set output.every=1 \
	    --set output.checkpoint=10 --quiet --threads 2 -o valgrind/run || status=1; \
	  CK_FORK=no CK_RUN_SUITE=large CK_RUN_CASE=threads CK_TIMEOUT_MULTIPLIER=1000 $(helgrind) tests/unit/check_linear$(EXEEXT) || status=1; \
	  unset LD_PRELOAD; $(SHELL) $(srcdir)/%D%/judge valgrind || status=1; exit $$status

clean-valgrind:
	-rm -rf valgrind check-valgrind.log
