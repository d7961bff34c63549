/* Tables of numbers over one variable, mostly time, as expressions look them up: table(file.csv, t). */
#ifndef PRC_CASE_HISTORY_H
#define PRC_CASE_HISTORY_H

#include "base/base.h"

/* Request for columns of a file. */
typedef struct {
  const char *path;
  const char *column; /* its name in the first line, or its number from 1; NULL: the second of two */
  int cubic;          /* else linear between rows */
  int hold; /* before the first and after the last row it keeps their values; else it has none there */
} prc_history_options;

typedef struct prc_history prc_history;
/* Messages begin with "file.csv:7: ", line 7. */
prc_status prc_history_read(const prc_history_options *options, prc_history **out,
                            prc_error *err) PRC_MUST_CHECK;
void prc_history_free(prc_history **history);
/* d: the value and its first two derivatives at s; at a row of the table those of what follows it, or of what comes before where
 * `from_left`. 0, and NaN, outside of the table. */
int prc_history_evaluate(const prc_history *history, double s, int from_left, double d[3]);
/* The first node of a table that is linear between rows, beyond s, upwards or downwards; not finite: there is none. */
double prc_history_next(const prc_history *history, double s, int upwards);
void prc_history_range(const prc_history *history, double *first, double *last);
const char *prc_history_path(const prc_history *history);
/* of the bytes of the file, and of what is made of them */
uint64_t prc_history_identity(const prc_history *history);
int prc_history_is(const prc_history *history, const prc_history_options *options);

#endif
