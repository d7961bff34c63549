/* Ranks as processes of a test, which talk through pairs of sockets: the table that MPI fills for the program. */
#ifndef PRC_TESTS_FORKED_RANKS_H
#define PRC_TESTS_FORKED_RANKS_H

#include "base/ranks.h"

enum { FORKED_RANKS = 8 }; /* at most */

/* What a rank does. It has what the test had in memory, and nothing of it comes back but its status and message. */
typedef prc_status (*forked_work)(const prc_ranks *ranks, void *data, prc_error *err);
/* Runs it on n ranks. result: of each; one that dies, or that waits for what does not come, has failed with PRC_IO. */
void forked_run(int n, forked_work work, void *data, prc_error *result);
/* The same, and all of them succeed. */
void forked_ok(int n, forked_work work, void *data);

/* In such work, in place of ck_assert, which speaks for the process of the test. */
#define forked_assert(condition)                                                                             \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      return prc_fail(err, PRC_DIVERGED, "%s:%d: rank %d: %s", __FILE__, __LINE__, ranks->rank, #condition); \
  } while (0)
#define forked_try(call)                                                                                     \
  do {                                                                                                       \
    const prc_status forked_status = (call);                                                                 \
    if (forked_status != PRC_OK) return forked_status;                                                       \
  } while (0)

#endif
