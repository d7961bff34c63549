# Slow tests, run by make check-long.
EXTRA_PROGRAMS += %D%/random_cones
check_LONG += %D%/random_cones
tests_verify_random_cones_SOURCES = %D%/random_cones.c
tests_verify_random_cones_CPPFLAGS = $(test_cppflags)
tests_verify_random_cones_LDADD = $(test_libs)

# every number of candidates from 1 to 500 in place of some
EXTRA_PROGRAMS += %D%/cone_sizes
check_LONG += %D%/cone_sizes
tests_verify_cone_sizes_SOURCES = tests/unit/check_cone_sizes.c
tests_verify_cone_sizes_CPPFLAGS = $(test_cppflags) -DALL_SIZES=1
tests_verify_cone_sizes_LDADD = $(test_libs)
