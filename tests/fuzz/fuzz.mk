fuzz_readers = %D%/targets.c %D%/targets.h %D%/problem.c %D%/checkpoint.c %D%/plan.c %D%/plan.h
# Hostile files: what was found before, in make check; the search itself by hand (fuzz.c says how).
check_PROGRAMS += %D%/replay
TESTS += %D%/replay
tests_fuzz_replay_SOURCES = %D%/replay.c $(fuzz_readers)
tests_fuzz_replay_CPPFLAGS = $(test_cppflags)
tests_fuzz_replay_LDADD = libcli.la $(test_libs)

EXTRA_PROGRAMS += %D%/fuzz
tests_fuzz_fuzz_SOURCES = %D%/fuzz.c $(fuzz_readers)
tests_fuzz_fuzz_CPPFLAGS = $(test_cppflags)
tests_fuzz_fuzz_LDADD = libcli.la libcore.la
tests_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

# folders of files that were found, no programs of the sources beside them
%D%/checkpoint %D%/problem: ;
