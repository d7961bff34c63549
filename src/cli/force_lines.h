/* Contact forces as lines from centre to centre. */
#ifndef PRC_CLI_FORCE_LINES_H
#define PRC_CLI_FORCE_LINES_H

#include "cli/cli.h"

/* Of one contact: both ends, and what it carries. */
typedef struct {
  double from[2], to[2], normal, tangential, gap;
  int status, contact; /* contact: which of the case's, from 0 */
} cli_force_line;

/* Copy of the contacts of the present step. */
typedef struct {
  int n;
  size_t room, room_real, room_integer;
  cli_force_line *line;
  double *real; /* workspace of who writes */
  int *integer;
} cli_force_lines;
prc_status cli_force_lines_copy(const cli_run_state *run, cli_force_lines *to, prc_error *err) PRC_MUST_CHECK;
prc_status cli_force_lines_write(cli_force_lines *lines, const prc_output_writer *writer,
                                 const prc_output_form *form, const prc_folder *in, const char *name,
                                 prc_error *err) PRC_MUST_CHECK;
void cli_force_lines_free(cli_force_lines *lines);

#endif
