/* Measurements of rigid bodies, as tables and for snapshots. */
#ifndef PRC_CLI_MEASURES_H
#define PRC_CLI_MEASURES_H

#include "cli/checkpoint.h"
#include "measure/measure.h"

/* run->measures, NULL where nothing is rigid. */
prc_status cli_measures_create(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_measures_free(cli_measures **measures);
/* Before tables are cut: could all be continued? */
prc_status cli_measures_check(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
prc_status cli_measures_open(const cli_run_state *run, int resumed, prc_error *err) PRC_MUST_CHECK;
prc_status cli_measures_close(const cli_run_state *run, prc_error *err);
prc_status cli_measures_flush(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
prc_status cli_measures_put(const cli_run_state *run, prc_output_store *store, prc_error *err) PRC_MUST_CHECK;
prc_status cli_measures_get(const cli_run_state *run, prc_output_store *store, const char *path,
                            prc_error *err) PRC_MUST_CHECK;
/* Impulses of the present step, which is counted once. */
prc_status cli_measures_rows(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;

/* Contacts and neighbours of the present step, until the next. */
prc_status cli_measures_update(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
const int *cli_measures_neighbours(const cli_measures *measures); /* of all bodies, as contacts number them */
int cli_measures_bodies(const cli_measures *measures);            /* their number */
int cli_measures_is_grain(const cli_measures *measures, int body); /* < 0: no */
int cli_measures_contacts(const cli_measures *measures, const prc_measure_contact **contact,
                          const double **q);

#endif
