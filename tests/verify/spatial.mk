# Bodies in space.
if HAVE_CHECK
spatial_tests = %D%/free_flight %D%/sphere_cluster
check_PROGRAMS += $(spatial_tests)
TESTS += $(spatial_tests)

tests_verify_free_flight_SOURCES = %D%/free_flight.c
tests_verify_free_flight_CPPFLAGS = $(test_cppflags)
tests_verify_free_flight_LDADD = $(test_libs)

tests_verify_sphere_cluster_SOURCES = %D%/sphere_cluster.c tests/support/spheres.c tests/support/spheres.h
tests_verify_sphere_cluster_CPPFLAGS = $(test_cppflags)
tests_verify_sphere_cluster_LDADD = $(test_libs)
endif
