/* Which case a folder's results are of. */
#ifndef PRC_CLI_IDENTITY_H
#define PRC_CLI_IDENTITY_H

#include "cli/cli.h"

/* One for all commands: of the merged case, its --set among it, and of what is in all files that it is made of (prc_case_files): meshes with what a geometry includes, tables of bodies and of
 * formulas, surfaces, the state that it begins from. */
prc_status cli_case_fingerprint(const prc_case *c, char out[CLI_FINGERPRINT], prc_error *err) PRC_MUST_CHECK;

/* Identity as a record (run.json, sweep.json) says it; all "" without a record. */
typedef struct {
  char name[PRC_CASE_FOLDER + 1], case_file[4200], fingerprint[CLI_FINGERPRINT], state[16];
  int steps;
} cli_identity;
void cli_identity_read(const prc_folder *folder, const char *record, cli_identity *out);
/* Is it another case? By its name, and of the same name by its file, where both are still there. */
int cli_is_other_case(const cli_identity *there, const prc_case *c);
prc_status cli_refuse_other_case(const char *folder, const cli_identity *there, const prc_case *c,
                                 prc_error *err) PRC_MUST_CHECK;
/* The first line in which the case of a run.json differs from this one, as words; a file if none does. */
prc_status cli_case_difference(const prc_folder *folder, const prc_case *c, char *text, size_t size,
                               prc_error *err) PRC_MUST_CHECK;

#endif
