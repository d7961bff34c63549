/* What a user sees of a run while it goes on. */
#ifndef PRC_CLI_PROGRESS_H
#define PRC_CLI_PROGRESS_H

#include "ledger/ledger.h"

/* What is being done before the first step: on a terminal a line that the next one takes the place of, elsewhere a line where it takes longer than a second or
 * two. From cli_phases_begin to cli_phase_end, from one thread; else nothing is said. */
void cli_phases_begin(void);
void cli_phase(const char *words);
void cli_phase_clear(void); /* other lines follow */
void cli_phase_end(void);

/* Progress on stderr: a bar on a terminal, elsewhere a plain line every minute. */
typedef struct {
  int quiet, terminal, n_steps, first;
  double began, shown, from, end;
} cli_progress;
void cli_progress_begin(cli_progress *progress, int quiet, int first, int n_steps);
/* What is done is a matter of time, and the number of steps is not known. */
void cli_progress_by_time(cli_progress *progress, double now, double end);
/* Cheap enough for every step; looks at the clock only now and then. */
void cli_progress_show(cli_progress *progress, const prc_ledger_row *row, int last);

#endif
