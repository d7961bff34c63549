# Hostile files: what was found before, in make check; the search itself by hand (fuzz.c says how).
check_PROGRAMS += %D%/replay
TESTS += %D%/replay
tests_fuzz_replay_SOURCES = %D%/replay.c %D%/targets.c %D%/targets.h
tests_fuzz_replay_CPPFLAGS = $(test_cppflags)
tests_fuzz_replay_LDADD = $(test_libs)
nodist_EXTRA_tests_fuzz_replay_SOURCES = force-cxx-linker.cxx

EXTRA_PROGRAMS += %D%/fuzz
tests_fuzz_fuzz_SOURCES = %D%/fuzz.c %D%/targets.c %D%/targets.h
tests_fuzz_fuzz_CPPFLAGS = $(test_cppflags)
tests_fuzz_fuzz_LDADD = libcore.la
tests_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
nodist_EXTRA_tests_fuzz_fuzz_SOURCES = force-cxx-linker.cxx
