/* cli: the program. Only here is anything printed to the terminal, a signal caught, or an exit status
 * decided. */
#ifndef PRC_CLI_H
#define PRC_CLI_H

#include "base/base.h"
#include "case/case.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "ledger/ledger.h"
#include "output/output.h"
#include "scene/view.h"
#include "simulation/simulation.h"
#include "step/step.h"

#include <stdio.h>
#include <string.h>

/* ---- the command line ---------------------------------------------------------------------------------- */

enum { CLI_RESUME = 1, CLI_RESUME_IF_POSSIBLE };
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_WRONG = 2 }; /* exit status */

typedef struct {
  const char *name, *arguments, *help;
  int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} cli_command;

typedef struct {
  int letter; /* of O, W, A */
  const char *text;
} cli_axis_option;

/* Options that several commands share; every command accepts those it names in `accepted` (letters as below). */
typedef struct {
  const char *case_path; /* the one argument */
  const char *folder;    /* o: -o DIR */
  const char **set;      /* s: --set KEY=VALUE */
  int n_set;
  const char *checkpoints; /* k: --checkpoint DIR */
  int resume;              /* r: --resume, or CLI_RESUME_IF_POSSIBLE */
  int overwrite;           /* w: --overwrite */
  int quiet;               /* q: --quiet */
  int strict;              /* X: --strict */
  const char *sizes;       /* z: --sizes A,B,C */
  const char *steps;       /* S: --steps A,B,C or courant */
  const char *quantities;  /* Q: --quantity A,B */
  const char *schemes;     /* M: --schemes A,B */
  int states;              /* keep the state at the ends of so many equal parts of the run; 0: none */
  int bodies;              /* b: --bodies */
  int space;               /* x: --space */
  int grains, seed;        /* g, e: --grains, 0: none; --seed */
  int polygons, slope;     /* p, l: --shape polygons, --slope */
  int no_commands;         /* n: --no-commands, C: --commands; by itself for check */
  int threads;             /* t: --threads N, 1 unless it is given */
  const char *time;        /* T: --time T */
  const char *from;        /* F: --from DIR */
  int samples;             /* N: --samples N */
  const char *by;          /* B: --by starts|orders|both */
  const char *contacts;    /* L: --contacts A,B */
  int at_rest;             /* R: --at-rest */
  int jobs;                /* j: --jobs N, 0: not given */
  int list,
      n_axis; /* i: --list; O, W, A: --over KEY=VALUES, --with KEY=VALUES, --rows FILE, in their order */
  cli_axis_option *axis;
  const cli_ranks *ranks; /* of run; else NULL */
  int n_arguments;        /* everything that is no option */
  char **argument;
} cli_options;
/* Returns -1 to go on, or the exit status. argv must have room: set points into an array allocated here. */
int cli_parse(const cli_command *command, const char *accepted, int argc, char **argv, cli_options *out);
/* Prints what is wrong with an argument of the command; the exit status. */
int cli_wrong(const cli_command *command, const char *argument, const char *what);
void cli_options_free(cli_options *options);
enum { CLI_THREADS_MAX = 1024 }; /* the most that may be asked for */
void cli_use_threads(int n);     /* of parallel loops from now on */
void cli_print_version(void);
/* The page of `percuss help schemes`. */
prc_status cli_print_schemes(prc_error *err) PRC_MUST_CHECK;

/* Prints the error and gives the exit status it means. */
int cli_report(const prc_error *err);
/* A line with foreign text, such as names of files and groups, made safe for a terminal
 * (prc_escape_character). Newlines at the  * end of the format stay. */
void cli_print(FILE *to, const char *format, ...) PRC_PRINTF(2, 3);
prc_text cli_text(FILE *to);                    /* the same for who is given a place for words */
extern const prc_log cli_log, cli_log_warnings; /* to stderr: all, or nothing but warnings */

extern const cli_command cli_run, cli_check, cli_converge, cli_sweep, cli_cone, cli_explore, cli_plot,
    cli_snapshot, cli_front, cli_report_command, cli_init, cli_cases, cli_help;

/* ---- a run --------------------------------------------------------------------------------------------- */

typedef struct {
  double read, build, step, output; /* wall time by phase, seconds */
  double began;                     /* prc_clock() of the first step */
  int first, steps_made; /* the step it began at, and those since; a resumed run made some before */
} cli_times;

typedef struct cli_snapshots cli_snapshots;
typedef struct cli_measures cli_measures;   /* measures.h */
typedef struct cli_continued cli_continued; /* continued.h */

/* The space-time diagrams of the contact lines: columns kept until they are written. */
enum { CLI_LINE_FIELDS = 20, CLI_LINE_NAME = 32 };
typedef struct {
  const prc_body *body;
  int own, n;          /* its number among the body's; its candidates */
  size_t first;        /* where its numbers begin in a column, n_fields of each candidate */
  uint32_t surface;    /* of its contacts */
  int *order;          /* n: candidates by their places along it */
  double *place;       /* n, in that order */
  int interface;       /* of two curves: contacts may come and go, and pressures are smoothed too */
  int n_state;         /* of its friction */
  int rubs;            /* its friction is more than a number */
  int n_fields, n_now; /* those at the end of a step are first, then means since the last column */
  int touching;        /* what never touches is left out */
  double *sum;         /* n of each mean: times h, since the last column; of the diagrams */
  char field[CLI_LINE_FIELDS][CLI_LINE_NAME];
} cli_line;
typedef struct {
  int every; /* steps between columns, 0: none */
  int n_lines, n_candidates;
  cli_line *line;
  double *room; /* 2 for each candidate of the longest line */
  double *now;  /* room for a column */
  size_t n_sums;
  double *sums, span; /* of the means of all lines, and the time that they are over */
  size_t column;      /* numbers in one */
  size_t n_columns, capacity;
  double *time;  /* capacity */
  double *value; /* column after column */
} cli_diagrams;

typedef struct {
  const prc_body *body;
  prc_view_place place;
  const cli_line *line; /* that it is on too; NULL: on none */
  int between
      [2]; /* its candidates around the point, which is this share of the way from the first to the second */
  double share;
} cli_probe;

/* As the contacts of the set. */
typedef struct {
  int n;
  size_t room;
  prc_contact_id *id, *id_next; /* the next ones: workspace */
  double *way, *way_next;
} cli_slip;

/* Use of a contact solver: the steps that it finished, and all its iterations. */
enum { CLI_PICKED = PRC_CONE_STAGES + 3 };
typedef struct {
  const char *name;
  long long steps, iterations;
} cli_picked_solver;
typedef struct {
  int n;
  cli_picked_solver solver[CLI_PICKED];
} cli_picked;

enum { CLI_KERNELS = 512, CLI_FINGERPRINT = 17 };

typedef struct cli_run_state {
  const prc_case *c;
  const prc_model *model;
  const prc_system *system;
  const prc_share *share; /* ranks share it: see ranks.h; NULL: they do not */
  double *whole_row;      /* then: reactions of supports and points of probes over all ranks */
  int n_prescribed;       /* then: dofs */
  double identity[2];     /* then: of model and loads, see checkpoint.h */
  prc_stepper *stepper;
  prc_ledger *ledger;
  char kernels[CLI_KERNELS];         /* which arithmetic computes it, and has done so far */
  char fingerprint[CLI_FINGERPRINT]; /* of the case and its files, see identity.h */
  const char *folder;                /* of the results: its name */
  const char *checkpoints;           /* that of the folder of the checkpoints: mostly the same */
  prc_folder *results;               /* both, held open */
  prc_folder *checkpoint_folder;
  double began;              /* prc_clock() of the start */
  double seconds_before;     /* wall time of the runs that this one goes on from */
  double checkpoint_made;    /* prc_clock() of the last one, or of the start */
  double t_before;           /* where the last step began */
  int newest_is_bad;         /* checkpoint.h5 is damaged: the older one is not given up for it */
  uint64_t initial;          /* fingerprint of the state at the start as the case gives it */
  int resumes;               /* from a checkpoint of its own: the start is not looked at */
  cli_continued *continued;  /* the state of another run that it starts from; NULL: of none */
  double kept_contacts[2];   /* see cli_kept_contacts */
  int states, threads;       /* as in the options */
  double *q_start, *v_start; /* until the start only */
  cli_slip slip;             /* of each candidate: the tangential way since it came */
  /* who writes fields, and what that is; nothing if none are written */
  const prc_output_writer *writer;
  char fields_by[64];
  cli_diagrams diagrams;
  prc_output_csv *energy, *forces, *contacts, *probes, *bodies, *errors, *joints, *energies;
  cli_snapshots *snapshots; /* NULL: none are wanted */
  cli_measures *measures;   /* NULL: nothing is rigid */
  cli_probe *probe;         /* n_probes of the case: where they are */
  prc_body_norms error_max; /* largest errors so far, of the steps where they were computed */
  int rubs;                 /* friction of some contact is more than a number */
  double *row;              /* room for the longest row of a table */
  int *candidates;          /* workspace: of each contact of the case */
  double *field;            /* n_dof: room for velocities */
  cli_picked picked;
  cli_times times;
  double steps_per_second;
  int strict;               /* what would be noted of the start is refused */
  int step_failed, forgets; /* the last one that was counted as failed; said: prc_contact_set.gave_up */
  double depth;             /* of penetrations, see prc_ledger_depth: what was warned of */
} cli_run_state;

static inline prc_simulation_parts cli_run_parts(const cli_run_state *run) {
  return (prc_simulation_parts){run->c, run->model, run->stepper, run->ledger};
}

/* picked.c */
void cli_picked_add(cli_run_state *run); /* the step that was made */
void cli_picked_write(const cli_run_state *run, prc_output_json *json);
void cli_picked_print(const cli_run_state *run);

/* Where its results go; to be freed. */
prc_status cli_results_folder(const cli_options *o, const prc_case *c, char **folder,
                              prc_error *err) PRC_MUST_CHECK;
/* Reads the case and makes its model; both are the run's, see cli_run_free. */
prc_status cli_run_read(cli_run_state *run, const cli_options *o, prc_case **c, prc_model **model,
                        prc_error *err) PRC_MUST_CHECK;
/* Says of a geometry that the user has not run before that it is a program. */
void cli_note_geometry(const prc_case *c);
static inline int cli_is_static(const prc_step_options *o) {
  return strcmp(o->scheme, "static") == 0;
}

/* State that the run starts from, before or after the stepper is built. */
prc_status cli_run_initial_state(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Stepper, ledger and what else the steps need. */
prc_status cli_run_build(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Puts it into its initial state, or says why that cannot be. */
prc_status cli_run_start(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Frees what a run has beside its case and model, and then these too. */
void cli_run_clear(cli_run_state *run);
void cli_run_free(cli_run_state *run, prc_case **c, prc_model **model);

/* The tables: energy, forces, contacts, probes, bodies, errors, joints, energies; append: their sizes as a checkpoint has them,
 * in this order, or NULL for a new run. */
#define CLI_TABLES 8
prc_status cli_results_open(cli_run_state *run, const double *append, prc_error *err) PRC_MUST_CHECK;
prc_status cli_results_close(cli_run_state *run, prc_error *err);
/* The row of errors.csv of the present step, if the case knows the exact solution. */
prc_status cli_results_errors(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Rows of energies.csv of the present step, if the case wants them (energies.c). */
prc_status cli_energies_write(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* The rows of one step. */
prc_status cli_results_rows(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
prc_status cli_results_flush(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_results_sizes(const cli_run_state *run, double sizes[CLI_TABLES]);

/* mu of the contacts of a step, asked for in ascending order: as it was in the step's problem, or of what was not in it, by its state (rubbing.c). */
typedef struct {
  const prc_step_record *record;
  int next;
} cli_rubbing;
double cli_rubbing_of(cli_rubbing *rubbing, int c);
/* Is mu more than a number in this contact of the case; its name. The law; NULL: the case has no contact of that name. */
const prc_law_fields *cli_rubbing_law(const cli_run_state *run, const char *contact, int *rubs,
                                      int *interface);
/* Way of contact c in `run`; 0 where it is not known yet. */
double cli_slip_of(const cli_run_state *run, int c);

/* Probes (probes.c): where they are, their columns of probes.csv, and a row; v in the system's order. */
prc_status cli_probes_locate(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Share of this rank of the reactions (2 for each support) and of the probe points, with their number. */
void cli_supports_own(const cli_run_state *run, double *out);
int cli_probes_own(cli_run_state *run, double *out);
size_t cli_probes_columns(const cli_run_state *run);
prc_status cli_probes_header(const cli_run_state *run, prc_bytes *line, prc_error *err) PRC_MUST_CHECK;
prc_status cli_probes_write(cli_run_state *run, const prc_step_record *r, const double *v,
                            prc_error *err) PRC_MUST_CHECK;

/* After a step: those of the contacts that are there now (slip.c). */
prc_status cli_slip_follow(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_slip_free(cli_slip *slip);

/* vtu/step-NNN.vtu and its line in solution.pvd, when the case wants snapshots; with two threads or more, one
 * of them writes while the run goes on. */
prc_output_form cli_output_form(const cli_run_state *run); /* as the case wants it */
prc_status cli_snapshots_create(cli_run_state *run, int resumed, prc_error *err) PRC_MUST_CHECK;
/* That of the present step; waits for the one before, and fails if that has failed. */
prc_status cli_snapshots_add(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Until all are written. */
prc_status cli_snapshots_wait(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Once they are: lists them in solution.pvd, which else follows twice a second. */
prc_status cli_snapshots_list(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Could solution.pvd not be written? It is no failure before it is asked for: the snapshots are there. */
int cli_snapshots_unlisted(const cli_run_state *run);
int cli_snapshots_in_background(const cli_run_state *run);
void cli_snapshots_free(cli_snapshots **snapshots); /* waits too; NULL is fine */

/* Diagrams are of contacts that are lines. */
int cli_diagrams_possible(const cli_run_state *run);
prc_status cli_diagrams_create(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_diagrams_free(cli_run_state *run);
void cli_diagrams_free_columns(cli_run_state *run); /* the lines stay */
/* Is the present step one of every so many, or where an interval is given one that has passed a multiple of it; is it the last? */
int cli_is_due(const cli_run_state *run, int every, double interval);
int cli_is_last(const cli_run_state *run);
size_t cli_diagrams_room(const cli_run_state *run, int every);
/* The present step as a column, when it is due. */
prc_status cli_diagrams_column(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
prc_status cli_diagrams_write(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* The fields of a line at the present step, n_fields for each candidate. */
void cli_diagrams_now(const cli_run_state *run, const cli_line *line, double *out);
size_t cli_diagrams_column_size(const cli_run_state *run); /* doubles in a column */

/* ---- steps that fail (failure.c) ----------------------------------------------------------------------- */

/* Joints and springs (joints.c): their columns of forces.csv, and lines of check. */
prc_status cli_joints_header(const prc_case *c, prc_bytes *line, prc_error *err) PRC_MUST_CHECK;
size_t cli_joints_columns(const prc_case *c);
void cli_joints_row(const cli_run_state *run, const prc_step_record *r, double *out);
/* joints.csv: of every row of a joint what it misses and its multipliers. */
prc_status cli_joints_write(cli_run_state *run, const prc_step_record *r, prc_error *err) PRC_MUST_CHECK;
prc_status cli_print_joints(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_print_outlines(const cli_run_state *run, int of); /* of contact `of`, at the start; ends its line */

/* The contact of the case that candidate c belongs to. */
const prc_case_contact *cli_contact_of(const cli_run_state *run, int c);
/* "node 12 at (0, 1)", "point 2 of body 'stick'", or of two bodies "'stick' and 'stone'"; returns the contact that it belongs to. */
const prc_case_contact *cli_name_contact(const cli_run_state *run, int c, char *text, size_t size);
/* Is the step just made to be believed? If not it is counted, and the run is told to stop, with the step, the
 * time, the values and where the contact problem is, unless the case says to continue. */
prc_status cli_failure_check(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* The same for what the ledger cannot see: the state against itself, computed afresh. Too dear for every
 * step. */
prc_status cli_failure_check_drift(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* Completes the message of a step that could not be made at all. */
void cli_failure_of_step(const cli_run_state *run, int step, prc_error *err);

/* ---- a folder is one run's at a time (lock.c) ---------------------------------------------------------- */

enum { CLI_LOCK_PATH = 4200, CLI_LOCK_TEXT = 4800 };
typedef struct {
  int is_held, was_stale; /* left behind by a run that died */
  int descriptor;
  const prc_folder *in;
  char left[CLI_LOCK_TEXT];             /* what it says in there */
  char left_checkpoints[CLI_LOCK_PATH]; /* where that run had its checkpoints; "": in the same folder */
} cli_lock;
#define CLI_LOCK_NAME "lock"
/* How its text begins. */
#define CLI_LOCK_MARK "percuss, process "
/* checkpoints: the folder that the run has them in; "": the same. The folder stays open until the lock is
 * released. */
prc_status cli_lock_acquire(cli_lock *lock, const prc_folder *folder, const char *checkpoints,
                            prc_error *err) PRC_MUST_CHECK;
void cli_lock_release(cli_lock *lock);
/* The same, but what was left behind is there again: nothing was done. */
void cli_lock_restore(cli_lock *lock);

/* ---- the results folder (folder.c) --------------------------------------------------------------------- */

/* Folders made, locked and cleared, tables opened, the state of a checkpoint restored. */
typedef struct {
  cli_lock results, checkpoints;
} cli_folders;
/* How a run treats the results that are there already. */
prc_status cli_folders_open(cli_run_state *run, cli_folders *folders, const cli_options *o,
                            prc_error *err) PRC_MUST_CHECK;
void cli_folders_close(cli_run_state *run, cli_folders *folders);

/* ---- whose a folder is (ownership.c) ------------------------------------------------------------------- */

/* PRC_INPUT unless the folder is empty or has the mark of a run: its run.json, its lock or a checkpoint.
 * Hidden files and lost+found do not count. Where a result should be and a symbolic link is: PRC_INPUT.
 * overwrite: any folder will do, and what goes is said. resumes: nothing goes, and the checkpoint tells
 * whether the folder is the right one. */
prc_status cli_ownership_check(const prc_folder *folder, int resumes, int overwrite,
                               prc_error *err) PRC_MUST_CHECK;
/* The same for that of a family: one of its members, or the table of convergence; and for that of a sweep: sweep.json. */
prc_status cli_ownership_check_family(const prc_folder *folder, int overwrite, prc_error *err) PRC_MUST_CHECK;
prc_status cli_ownership_check_sweep(const prc_folder *folder, int overwrite, prc_error *err) PRC_MUST_CHECK;
/* How a file begins, as text; "" when there is none. */
void cli_read_start(const prc_folder *folder, const char *name, char *text, size_t size);
/* The same for that of an exploration, which removes nothing but its own files. */
prc_status cli_ownership_check_explored(const prc_folder *folder, int overwrite,
                                        prc_error *err) PRC_MUST_CHECK;
/* Is the file one that results in this folder remove or replace? */
int cli_results_claim(const prc_folder *folder, const char *path);
/* Refuses that of a file that is an input, by the key that names it; and of any that the case is made of (inputs.c). */
prc_status cli_input_check(const prc_folder *folder, const char *key, const char *path,
                           prc_error *err) PRC_MUST_CHECK;
prc_status cli_inputs_check(const prc_folder *folder, const prc_case *c, prc_error *err) PRC_MUST_CHECK;
/* The results that are there are removed; checkpoints: these alone. */
prc_status cli_results_remove(const prc_folder *folder, int checkpoints, prc_error *err) PRC_MUST_CHECK;

/* The state and the ledger of the present step, kept for other runs to go on from, and for comparison with them. */
#define CLI_STATES       "states" /* their folder */
#define CLI_STATE_VALUES 7
void cli_state_name(int step, char name[64]);
extern const char *const cli_state_names[CLI_STATE_VALUES]; /* columns of the ledger */
prc_status cli_state_write(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* folder: the states of a run, as cli_states_open has it */
prc_status cli_states_open(const char *results, prc_folder **out, prc_error *err) PRC_MUST_CHECK;
prc_status cli_state_read(const prc_folder *folder, int step, size_t n_dof, double *q, double *v,
                          double values[CLI_STATE_VALUES], prc_error *err) PRC_MUST_CHECK;

/* cone-NNNNNNNN.hdf5: the contact problem of the last step as an FCLib file, if the case wants it, with what
 * the solver made of it as guess */
prc_status cli_problems_add(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* The same, wanted or not; its path. */
prc_status cli_problems_write(const cli_run_state *run, char *path, size_t size,
                              prc_error *err) PRC_MUST_CHECK;

prc_status cli_manifest_write(const cli_run_state *run, const char *state, prc_error *err) PRC_MUST_CHECK;
/* Steps done and their wall time in seconds, from the run.json of a folder; 0 if it does not say. */
void cli_manifest_read_done(const prc_folder *folder, int *steps, double *seconds);
prc_status cli_certificate_write(const cli_run_state *run, const prc_certificate *certificate,
                                 prc_error *err) PRC_MUST_CHECK;
void cli_certificate_print(const cli_run_state *run, const prc_certificate *certificate);
/* One line on stderr where it does not pass (strict: or passes with notes), in the place of all that. */
void cli_certificate_warn(const char *folder, const prc_certificate *certificate, int strict);

/* Result of a finished run. */
typedef struct {
  prc_ledger_row first, last;
  prc_certificate certificate;
  int n_steps_done, stopped;
  int can_go_on; /* it failed for want of room, a folder or memory, and has a checkpoint */
  double seconds;
} cli_outcome;
/* Does the certificate pass? strict: without notes */
int cli_is_certified(const prc_certificate *certificate, int strict);
prc_status cli_run_case(const cli_options *options, cli_outcome *outcome, prc_error *err) PRC_MUST_CHECK;
/* Starts a script of postprocess/ with one argument and waits; 0 when it succeeded. */
int cli_run_script(const char *script, const char *argument);

/* ---- Ctrl-C and its like, and CLI_SIGNAL_STOP, which may be sent any number of times (interrupts.c) ---- */

#define CLI_SIGNAL_STOP SIGUSR1
/* From here on they end the program at once, with these words (NULL: none) and this status. */
void cli_catch_interrupts(const char *words, int status);
/* From here on they are to be asked for: there is something to be finished and written. seconds: what does
 * not come to its end by then is ended; 0: it may take its time, which a second Ctrl-C ends. */
void cli_defer_interrupts(int seconds);
/* From here on they end the program at once again, and one that came in between does so now. */
void cli_release_interrupts(const char *words, int status);
int cli_interrupted(void); /* one came */
#define CLI_STOPPED_AT_ONCE "percuss: stopped before the first step, nothing was computed\n"
#define CLI_STOPPED         "percuss: stopped\n"

#endif
