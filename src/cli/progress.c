#include "config.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cli_progress_begin(cli_progress *p, int quiet, int first, int n_steps) {
  *p = (cli_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .n_steps = n_steps, .first = first};
  p->began = p->shown = prc_clock();
}

void cli_progress_by_time(cli_progress *p, double now, double end) {
  p->from = now, p->end = end;
}

static void time_left(char *text, size_t size, double seconds) {
  if (!isfinite(seconds))
    snprintf(text, size, "-");
  else if (seconds < 100.0)
    snprintf(text, size, "%.0f s", ceil(seconds));
  else if (seconds < 6000.0)
    snprintf(text, size, "%.0f min", ceil(seconds / 60.0));
  else
    snprintf(text, size, "%.1f h", seconds / 3600.0);
}

void cli_progress_show(cli_progress *p, const prc_ledger_row *row, int last) {
  const int step = (int)row->step, look = step % 16 == 0 || last;
  if (p->quiet || !look) return;
  const double now = prc_clock(), every = p->terminal ? 0.1 : 60.0;
  if (!last && now - p->shown < every) return;
  p->shown = now;
  char left[32], bar[31];
  char of[32];
  const int by_time = p->end > 0.0;
  const double all = by_time ? p->end : p->n_steps, at = by_time ? row->t : step,
               done = by_time ? row->t - p->from : step - p->first;
  const int filled = all > 0.0 ? (int)(30.0 * fmin(at / all, 1.0)) : 30;
  time_left(left, sizeof left, (now - p->began) / done * (all - at));
  snprintf(of, sizeof of, " of %d", p->n_steps);
  if (by_time) of[0] = '\0';
  memset(bar, '.', 30), memset(bar, '#', (size_t)filled), bar[30] = '\0';
  if (p->terminal)
    fprintf(stderr, "\r[%s] step %d%s  t = %.6g  %d active  %s left \033[K", bar, step, of, row->t,
            (int)row->active, left);
  else
    fprintf(stderr, "step %d%s  t = %.6g  %d active  %s left\n", step, of, row->t, (int)row->active, left);
  if (p->terminal && last) fputc('\n', stderr);
}
