/* Tables of cases in space (tables_space.c). */
#ifndef PRC_CLI_TABLES_H
#define PRC_CLI_TABLES_H

#include "cli/cli.h"

enum { CLI_SPACE_OF_CONTACT = 8 }; /* columns of each contact in forces.csv */

prc_status cli_space_contacts_header(const cli_run_state *run, prc_bytes *line,
                                     prc_error *err) PRC_MUST_CHECK;
prc_status cli_space_write_contacts(cli_run_state *run, const prc_step_record *r,
                                    prc_error *err) PRC_MUST_CHECK;
/* v: of the body, in the system's order */
prc_status cli_space_write_motion(cli_run_state *run, const prc_step_record *r, const prc_body *body,
                                  int item, const double *v, prc_error *err) PRC_MUST_CHECK;
void cli_space_add_slip(cli_run_state *run, const prc_step_record *r);
/* CLI_SPACE_OF_CONTACT numbers of each contact of the case */
void cli_space_contact_columns(const cli_run_state *run, const prc_step_record *r, double *out);

static inline int cli_in_space(const cli_run_state *run) {
  return run->c->model.dimension == 3;
}

#endif
