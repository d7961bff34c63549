/* A case with many values of some of its keys: what `percuss sweep` knows of it. */
#ifndef PRC_CLI_SWEEP_H
#define PRC_CLI_SWEEP_H

#include "cli/axes.h"
#include "cli/family.h"

/* Content of a member's folder before anything runs. */
typedef enum { CLI_LEFT_NOTHING, CLI_LEFT_UNFINISHED, CLI_LEFT_DONE, CLI_LEFT_OTHER } cli_left;

/* An end value: a column of the table, and of each member its value, NaN where it has none. */
typedef struct {
  char *name;
  double *value;
} cli_end_value;

typedef struct {
  cli_axes axes;
  int n;
  cli_member *member;
  cli_left *left;
  char **name, **setting; /* n: of the folder below that of the sweep; n * axes.n_keys: KEY=VALUE */
  char folder_name[4096];
  int quiet;
  const char *quantities; /* --quantity; NULL: those that are usual */
  const prc_folder *folder;
  int n_values, n_ended;
  size_t room;
  cli_end_value *end;
  double written;    /* when the table was */
  prc_error failure; /* the first of what is done between the runs */
} cli_sweep_state;

/* Values of a member at its end: a column for each value asked for (sweep_values.c). */
prc_status cli_sweep_collect(cli_sweep_state *s, int member, prc_error *err) PRC_MUST_CHECK;
/* sweep.csv: the values that were swept, end values, certificate, steps, state, folder, reason. */
prc_status cli_sweep_write(const cli_sweep_state *s, prc_error *err) PRC_MUST_CHECK;
/* sweep.json, by which the folder is known and the page is drawn */
prc_status cli_sweep_write_record(const cli_sweep_state *s, const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* On the terminal; columns were asked for by name. */
void cli_sweep_print(const cli_sweep_state *s);
/* The certificate of a folder: its verdict, "" if there is none, and the names of what fails. */
void cli_sweep_certificate(const char *folder, char verdict[32], char *fails, size_t size);
void cli_sweep_free_values(cli_sweep_state *s);

#endif
