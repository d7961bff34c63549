/* Cases that start from the state of another run. */
#ifndef PRC_CASE_CONTINUED_H
#define PRC_CASE_CONTINUED_H

#include "case/case.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A continued case that does not say when it starts: at this time, that of the state. PRC_INPUT where its steps do not
 * fit. */
prc_status prc_case_begin_at(prc_case *c, double time, prc_error *err) PRC_MUST_CHECK;
static inline int prc_case_start_is_open(const prc_case *c) {
  return c->initial.kind == PRC_INITIAL_CONTINUED && !c->initial.time_given;
}
/* Differences from the case of another run, whose run.json is `manifest`, without the start itself: each key
 * with the values that it had there and
 * has here, NULL: none. */
typedef void prc_case_difference(void *to, const char *key, const char *before, const char *now);
prc_status prc_case_differences(const prc_case *c, const char *manifest, prc_case_difference *say, void *to,
                                prc_error *err) PRC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
