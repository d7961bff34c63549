/* What several test programs need. */
#ifndef PRC_TESTS_SUPPORT_H
#define PRC_TESTS_SUPPORT_H

#include <check.h>

#include "base/base.h"

/* Runs a suite and reports in TAP; the exit status of the program. */
int support_run(Suite *suite);
/* What a file of unit tests has for the main program of its module: SUITE(name) { Suite *suite = suite_create("name"); ... return suite; } */
#define SUITE(name)                                                                                          \
  Suite *name##_suite(void);                                                                                 \
  Suite *name##_suite(void)
typedef struct {
  const char *name;
  Suite *(*create)(void);
  int slow; /* left out with PRC_QUICK=1 */
} support_suite;
/* As support_run, of several suites; with PRC_SUITE=name of that one. */
int support_run_suites(size_t n, const support_suite *suites);
/* Is all of a family to be run (PRC_LONG=1: make check-long), and not the sample of make check? */
int support_whole(void);
/* Path of a file below the source tree (PRC_SOURCE) or the build tree (PRC_BUILD); one of a few static buffers. */
const char *support_source(const char *relative);
const char *support_build(const char *relative);
/* The call succeeds, or the test fails with the error's message. */
#define support_ok(call, err)                                                                                \
  ck_assert_msg((call) == PRC_OK, "%s:%d: %s", (err)->file, (err)->line, (err)->message)
/* The call fails with that status and the message contains the text. */
#define support_fails(call, expected, err, text)                                                             \
  do {                                                                                                       \
    ck_assert_int_eq((call), (expected));                                                                    \
    ck_assert_msg(strstr((err)->message, (text)) != NULL, "message is '%s', expected '%s' in it",            \
                  (err)->message, (text));                                                                   \
  } while (0)

#endif
