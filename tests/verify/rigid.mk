# Rigid bodies: unit tests and verification. Each program takes seconds.
EXTRA_DIST += tests/verify/check_rigid_common.h

if HAVE_CHECK
rigid_tests = tests/unit/check_rigid tests/verify/check_rigid_impacts tests/verify/check_rigid_laws \
  tests/verify/check_rigid_rolling
check_PROGRAMS += $(rigid_tests)
TESTS += $(rigid_tests)

tests_unit_check_rigid_SOURCES = tests/unit/check_rigid.c
tests_unit_check_rigid_CPPFLAGS = $(test_cppflags)
tests_unit_check_rigid_LDADD = $(test_libs)
nodist_EXTRA_tests_unit_check_rigid_SOURCES = force-cxx-linker.cxx

tests_verify_check_rigid_impacts_SOURCES = tests/verify/check_rigid_impacts.c tests/verify/check_rigid_common.c
tests_verify_check_rigid_impacts_CPPFLAGS = $(test_cppflags)
tests_verify_check_rigid_impacts_LDADD = $(test_libs)
nodist_EXTRA_tests_verify_check_rigid_impacts_SOURCES = force-cxx-linker.cxx

tests_verify_check_rigid_laws_SOURCES = tests/verify/check_rigid_laws.c tests/verify/check_rigid_common.c
tests_verify_check_rigid_laws_CPPFLAGS = $(test_cppflags)
tests_verify_check_rigid_laws_LDADD = $(test_libs)
nodist_EXTRA_tests_verify_check_rigid_laws_SOURCES = force-cxx-linker.cxx

tests_verify_check_rigid_rolling_SOURCES = tests/verify/check_rigid_rolling.c tests/verify/check_rigid_common.c
tests_verify_check_rigid_rolling_CPPFLAGS = $(test_cppflags)
tests_verify_check_rigid_rolling_LDADD = $(test_libs)
nodist_EXTRA_tests_verify_check_rigid_rolling_SOURCES = force-cxx-linker.cxx
endif
