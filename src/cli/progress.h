/* Messages to the user while a run goes on. */
#ifndef PRC_CLI_PROGRESS_H
#define PRC_CLI_PROGRESS_H

#include "ledger/ledger.h"

/* Name of the work before the first step: on a terminal a line that the next one replaces, elsewhere a line
 * only if the work takes longer than a second or two. Call it between cli_phases_begin and cli_phase_end, from
 * one thread; elsewhere it says nothing. */
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
/* Progress is measured in time, because the number of steps is not known. */
void cli_progress_by_time(cli_progress *progress, double now, double end);
/* Cheap enough for every step; looks at the clock only now and then. */
void cli_progress_show(cli_progress *progress, const prc_ledger_row *row, int last);

#endif
