# `make check-valgrind`: every test of `make check`, each program of ours under valgrind's memcheck, children too. Some tests are
# shorter then (PRC_SHORT, PRC_KILLS). The reports stay in the folder valgrind. `make check-valgrind TESTS=tests/unit/check_step` is one of them.
EXTRA_DIST += %D%/memcheck %D%/suppressions %D%/judge
memcheck = $(abs_srcdir)/%D%/memcheck
reports = $(abs_builddir)/valgrind

.PHONY: check-valgrind clean-valgrind
check-valgrind: percuss$(EXEEXT)
	@command -v valgrind >/dev/null || { echo "valgrind is missing (Debian: valgrind)" >&2; exit 1; }
	rm -rf valgrind && $(MKDIR_P) valgrind && chmod 1777 valgrind
	@printf '#!/bin/sh\nexec "%s" "%s" "$$@"\n' '$(memcheck)' '$(abs_builddir)/percuss$(EXEEXT)' >valgrind/percuss
	@chmod 755 valgrind/percuss
	@status=0; \
	  $(MAKE) $(AM_MAKEFLAGS) -k check LOG_COMPILER='$(memcheck)' TEST_SUITE_LOG=check-valgrind.log TESTS_ENVIRONMENT="PRC_VALGRIND='$(reports)' \
	    PRC_PERCUSS='$(reports)/percuss' PRC_SHORT=1 PRC_KILLS=3 CK_TIMEOUT_MULTIPLIER=1000" || status=1; \
	  $(SHELL) $(srcdir)/%D%/judge valgrind || status=1; exit $$status
clean-valgrind:
	-rm -rf valgrind check-valgrind.log
