# What takes minutes: make check-long
EXTRA_PROGRAMS += %D%/soak
check_LONG += %D%/soak
tests_verify_soak_SOURCES = %D%/soak.c
tests_verify_soak_CPPFLAGS = $(test_cppflags)
tests_verify_soak_LDADD = $(test_libs)

EXTRA_PROGRAMS += %D%/arch_bisection
check_LONG += %D%/arch_bisection
tests_verify_arch_bisection_SOURCES = %D%/arch_bisection.c tests/support/arch.c tests/support/arch.h $(meeting_common)
tests_verify_arch_bisection_CPPFLAGS = $(test_cppflags)
tests_verify_arch_bisection_LDADD = $(test_libs)

EXTRA_PROGRAMS += %D%/granular_flow
check_LONG += %D%/granular_flow
tests_verify_granular_flow_SOURCES = %D%/granular_flow.c tests/support/slope.c tests/support/slope.h
tests_verify_granular_flow_CPPFLAGS = $(test_cppflags)
tests_verify_granular_flow_LDADD = $(test_libs)

EXTRA_PROGRAMS += %D%/settling
check_LONG += %D%/settling
tests_verify_settling_SOURCES = %D%/settling.c $(meeting_common)
tests_verify_settling_CPPFLAGS = $(test_cppflags)
tests_verify_settling_LDADD = $(test_libs)
