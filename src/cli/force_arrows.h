/* Contact forces in space as points with vectors. */
#ifndef PRC_CLI_FORCE_ARROWS_H
#define PRC_CLI_FORCE_ARROWS_H

#include "cli/cli.h"

/* Of one contact: where it is, the force on its second body over the step in fixed axes, and what else is known. */
typedef struct {
  double x[3], force[3], normal, gap;
  int status, contact; /* contact: which of the case's, from 0 */
  int other, body;     /* the first pushes the second; -1: what does not move */
} cli_force_arrow;

/* Copy of the contacts of the present step that push. */
typedef struct {
  int n;
  size_t room, room_real, room_integer;
  cli_force_arrow *arrow;
  double *real; /* workspace of who writes */
  int *integer;
} cli_force_arrows;
prc_status cli_force_arrows_copy(const cli_run_state *run, cli_force_arrows *to,
                                 prc_error *err) PRC_MUST_CHECK;
prc_status cli_force_arrows_write(cli_force_arrows *arrows, const prc_output_writer *writer,
                                  const prc_output_form *form, const prc_folder *in, const char *name,
                                  prc_error *err) PRC_MUST_CHECK;
void cli_force_arrows_free(cli_force_arrows *arrows);

#endif
