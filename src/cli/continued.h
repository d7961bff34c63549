/* A case that starts from a state that another run kept. */
#ifndef PRC_CLI_CONTINUED_H
#define PRC_CLI_CONTINUED_H

#include "case/continued.h"
#include "cli/checkpoint.h"

enum { CLI_CONTINUED_PATH = 4400 };

/* Momenta of all nodes of the mesh, about the origin, and energies of the whole system. NaN: not known. */
typedef struct {
  double kinetic, elastic, mass, momentum[2], angular;
} cli_continued_sums;

/* Values that contacts remembered, and where they are now. */
typedef enum {
  CLI_MEMORY_NOT_ASKED, /* initial.state: end_of */
  CLI_MEMORY_ABSENT,    /* the state says nothing of other runs' contacts */
  CLI_MEMORY_NAMES,     /* dropped: the contacts have other names */
  CLI_MEMORY_PLACES,    /* dropped: they are others, or elsewhere */
  CLI_MEMORY_ORDER,     /* dropped: bodies stand in another order, by which contacts are known */
  CLI_MEMORY_KEPT,      /* by ids */
  CLI_MEMORY_MAPPED     /* to the nearest of the same contact */
} cli_continued_memory;

struct cli_continued {
  char path[CLI_CONTINUED_PATH];   /* of the state */
  char folder[CLI_CONTINUED_PATH]; /* of the results that it is of */
  prc_output_store *store;
  int step;
  double t, id[ID_SIZE], speed;
  prc_step_clock clock;
  size_t n_q, n_v, n_m, n_f, n_ledger, n_law;
  double *q, *v, *m, *f, *ledger;
  cli_carried carried;
  double *law, contacts[KEPT_SIZE]; /* see cli_kept_put */
  int knows_contacts;
  int reordered;       /* the case has its bodies in another order: vectors are those of the case */
  int same_mesh, same; /* same: it goes on bit by bit */
  cli_continued_memory memory;
  prc_kept_mesh mesh; /* of the state, where it is another */
  prc_kept_outside outside;
  cli_continued_sums before, after;
  int begins_at;         /* the step that the run starts from */
  int n_overlaps;        /* made by interpolation, ... */
  double overlap;        /* ... the deepest of them */
  double out_of_balance; /* forces on what no contact touches, less the loads, over the internal forces */
};

/* The state that the case asks for, and where the clock starts. A run that goes on from a checkpoint of its own does not ask. */
prc_status cli_continued_find(cli_run_state *run, const cli_options *o, prc_case *c,
                              prc_error *err) PRC_MUST_CHECK;
/* Refuses to remove the folder that the run starts from. */
prc_status cli_continued_check_folder(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* One time, as it is printed. */
int cli_continued_is_at(double t, double at);
void cli_continued_free(cli_continued **continued);
/* Its coordinates and velocities, on the mesh of the case. */
prc_status cli_continued_place(cli_run_state *run, double *q, double *v, prc_error *err) PRC_MUST_CHECK;
/* The stepper goes on from there, with what contacts remember; and once the ledger has begun, what it knows. */
prc_status cli_continued_start(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_continued_enter(cli_run_state *run);
/* Is the run at its start, behind no step? Percussions that contacts carry over are those of the other run's last step then, and no forces of this one. */
int cli_is_start(const cli_run_state *run);
/* The same bodies and contacts go on: what stands in each other came there by the steps. */
int cli_continued_is_whole(const cli_run_state *run);
/* Refuses bodies that overlap by more than interpolation from another mesh explains. */
prc_status cli_continued_judge_overlaps(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;

/* ---- what is said of it (continued_report.c) ------------------------------------------------------------ */

/* With what differs from the other case: all of it, or the names of the keys alone. */
prc_status cli_continued_print(const cli_run_state *run, int all, prc_error *err) PRC_MUST_CHECK;
void cli_continued_write(const cli_run_state *run, prc_output_json *json);

#endif
