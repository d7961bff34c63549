/* How far the contact forces at a state of a case are from determined: what `percuss explore` knows of it. */
#ifndef PRC_CLI_EXPLORE_H
#define PRC_CLI_EXPLORE_H

#include "cli/cli.h"
#include "explore/explore.h"

enum { CLI_WAYS = 2 };
extern const char *const cli_way_names[CLI_WAYS]; /* starts, orders */

typedef struct {
  double low, high; /* forces */
} cli_interval;

typedef struct {
  /* what was asked for */
  int has_time, n_samples, by[CLI_WAYS];
  double time;
  uint64_t seed;

  /* the state, and the step from it */
  cli_run_state run;
  prc_case *c;
  prc_model *model;
  prc_folder *folder;
  const char *folder_path;
  double *q, *v, t;
  int step;
  prc_explore_step *held;

  int has_intervals;           /* GLPK is there */
  int rest_is_possible;        /* with it */
  int equilibria;              /* all of them are looked for; else the velocities of the step are held */
  prc_explore_problem problem; /* of these */
  int n, n_chosen;
  char *chosen;                /* n: contacts that were asked for */
  cli_interval (*interval)[2]; /* n: of those, normal and tangential */
  int pivots;
  double *most; /* n: of random starts, percussions */
  double *w;    /* the velocities that are held */
  prc_explore_samples *samples[CLI_WAYS];
  double seconds[2]; /* for intervals, for samples */
} cli_exploration;

/* "disc-3/disc-1", "floor/block.2": what pushes and what is pushed; what does not move by its contact of the case. Of several that two
 * have, the number among them. */
void cli_explore_name(const cli_exploration *x, int contact, char *text, size_t size);
/* The two bodies by name: side 0 pushes side 1. */
const char *cli_explore_side(const cli_exploration *x, int contact, int side);
const char *cli_explore_group(const cli_exploration *x, int contact);
int cli_explore_is_open(const cli_interval *interval); /* not determined */
/* samples.csv, intervals.csv, explore.json */
prc_status cli_explore_write(const cli_exploration *x, prc_error *err) PRC_MUST_CHECK;
void cli_explore_print(const cli_exploration *x);

#endif
