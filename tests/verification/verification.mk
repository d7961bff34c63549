# `make verification`: the tests of tests/verify, then VERIFICATION.md and its pictures from real runs, written into the source. Four minutes
# of processor time or less; runs are kept in the folder verification.
closed_form_tests = tests/cases/pushed_block.test tests/cases/partial_slip.test
dist_check_SCRIPTS += $(closed_form_tests)
TESTS += $(closed_form_tests)
verification_pictures = doc/verification/elements.png doc/verification/manufactured.png doc/verification/waves.png \
  doc/verification/bar.png doc/verification/partial-slip.png doc/verification/sliding-block.png doc/verification/bouncing-bar.png doc/verification/elastic-floor.png
EXTRA_DIST += VERIFICATION.md %D%/make_page.py \
  %D%/closed_forms.py %D%/findings.md %D%/findings-bar.md %D%/findings-interfaces.md %D%/page.py %D%/dynamics.py %D%/faults.py %D%/orders.py %D%/point.yaml %D%/cylinder.yaml %D%/findings-bounces.md %D%/findings-floors.md %D%/impacts.py \
  %D%/rigid-floor.yaml %D%/smooth.yaml %D%/manufactured.yaml %D%/pulse.yaml %D%/rayleigh.yaml %D%/bar.yaml %D%/square.geo %D%/strip.geo \
  $(verification_pictures)

.PHONY: verification clean-verification
verification: percuss$(EXEEXT)
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(verify_tests)"
	/usr/bin/python3 $(srcdir)/%D%/make_page.py ./percuss$(EXEEXT) $(srcdir) verification
clean-verification:
	-rm -rf verification
