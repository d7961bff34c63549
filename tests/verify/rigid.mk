# Rigid bodies: unit tests and verification. Each program takes seconds.
if HAVE_CHECK
rigid_tests = %D%/moving_obstacles %D%/rigid_impacts %D%/rigid_laws %D%/rigid_rolling %D%/meeting_bodies %D%/turning \
  %D%/alpha %D%/arch_limits %D%/granular_slope %D%/indeterminate %D%/space %D%/tippe_top
meeting_common = tests/support/crowd.c tests/support/crowd.h
rigid_common = tests/support/rigid_common.c tests/support/rigid_common.h
check_PROGRAMS += $(rigid_tests)
TESTS += $(rigid_tests)

tests_verify_moving_obstacles_SOURCES = %D%/moving_obstacles.c
tests_verify_moving_obstacles_CPPFLAGS = $(test_cppflags)
tests_verify_moving_obstacles_LDADD = $(test_libs)

tests_verify_turning_SOURCES = %D%/turning.c $(meeting_common)
tests_verify_turning_CPPFLAGS = $(test_cppflags)
tests_verify_turning_LDADD = $(test_libs)

tests_verify_meeting_bodies_SOURCES = %D%/meeting_bodies.c $(meeting_common)
tests_verify_meeting_bodies_CPPFLAGS = $(test_cppflags)
tests_verify_meeting_bodies_LDADD = $(test_libs)

tests_verify_arch_limits_SOURCES = %D%/arch_limits.c tests/support/arch.c tests/support/arch.h $(meeting_common)
tests_verify_arch_limits_CPPFLAGS = $(test_cppflags)
tests_verify_arch_limits_LDADD = $(test_libs)

tests_verify_indeterminate_SOURCES = %D%/indeterminate.c tests/support/crowd.c tests/support/crowd.h
tests_verify_indeterminate_CPPFLAGS = $(test_cppflags)
tests_verify_indeterminate_LDADD = $(test_libs)

tests_verify_granular_slope_SOURCES = %D%/granular_slope.c tests/support/slope.c tests/support/slope.h
tests_verify_granular_slope_CPPFLAGS = $(test_cppflags)
tests_verify_granular_slope_LDADD = $(test_libs)

tests_verify_alpha_SOURCES = %D%/alpha.c $(rigid_common) tests/support/crowd.c tests/support/crowd.h
tests_verify_alpha_CPPFLAGS = $(test_cppflags)
tests_verify_alpha_LDADD = $(test_libs)

tests_verify_space_SOURCES = %D%/space.c tests/support/top.c tests/support/top.h
tests_verify_space_CPPFLAGS = $(test_cppflags)
tests_verify_space_LDADD = $(test_libs)

tests_verify_tippe_top_SOURCES = %D%/tippe_top.c tests/support/top.c tests/support/top.h
tests_verify_tippe_top_CPPFLAGS = $(test_cppflags)
tests_verify_tippe_top_LDADD = $(test_libs)

tests_verify_rigid_impacts_SOURCES = %D%/rigid_impacts.c $(rigid_common)
tests_verify_rigid_impacts_CPPFLAGS = $(test_cppflags)
tests_verify_rigid_impacts_LDADD = $(test_libs)

tests_verify_rigid_laws_SOURCES = %D%/rigid_laws.c $(rigid_common)
tests_verify_rigid_laws_CPPFLAGS = $(test_cppflags)
tests_verify_rigid_laws_LDADD = $(test_libs)

tests_verify_rigid_rolling_SOURCES = %D%/rigid_rolling.c $(rigid_common)
tests_verify_rigid_rolling_CPPFLAGS = $(test_cppflags)
tests_verify_rigid_rolling_LDADD = $(test_libs)
endif
