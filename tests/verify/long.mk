# What takes minutes: make check-long
EXTRA_PROGRAMS += %D%/soak
check_LONG += %D%/soak
tests_verify_soak_SOURCES = %D%/soak.c
tests_verify_soak_CPPFLAGS = $(test_cppflags)
tests_verify_soak_LDADD = $(test_libs)
