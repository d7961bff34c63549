# Slow tests, run by make check-long.
EXTRA_PROGRAMS += %D%/random_cones
check_LONG += %D%/random_cones
tests_verify_random_cones_SOURCES = %D%/random_cones.c
tests_verify_random_cones_CPPFLAGS = $(test_cppflags)
tests_verify_random_cones_LDADD = $(test_libs)
