/* Checkpoints: the state that a run goes on from. */
#ifndef PRC_CLI_CHECKPOINT_H
#define PRC_CLI_CHECKPOINT_H

#include "cli/cli.h"
#include "scene/kept.h"
#include "scene/view.h"

/* A checkpoint is written beside the last one, which is kept as the older of two. */
prc_status cli_checkpoint_write(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* From the newer of the two that is whole and belongs to this run; a warning says why not from the newest. */
prc_status cli_checkpoint_read(cli_run_state *run, double sizes[CLI_TABLES], prc_error *err) PRC_MUST_CHECK;
int cli_checkpoint_exists(const char *folder);
enum { CLI_CHECKPOINT_PATH = 4200 };
extern const char cli_checkpoint_newest[], cli_checkpoint_older[];
int cli_checkpoint_is_there(const char *folder, const char *name, char path[CLI_CHECKPOINT_PATH]);
/* The steps up to which loads are compared: of those that vary, first ones until t. */
int cli_checkpoint_steps_of_loads(const cli_run_state *run, int step, double t);
/* Where the clock of the run began, as its newest checkpoint says that can be read; 0: none does. */
int cli_checkpoint_start(const char *folder, double *time);
/* The state that a checkpoint has, without what is about files of the run. */
prc_status cli_state_put(const cli_run_state *run, prc_output_store *store, prc_error *err) PRC_MUST_CHECK;

/* ---- which run it belongs to (checkpoint_identity.c) ------------------------------------------------ */

enum {
  ID_FORMAT,
  ID_DOFS,
  ID_CONTACTS,
  ID_STEP,
  ID_H,
  ID_THETA,
  ID_LAW,
  ID_PLACES,
  ID_MODEL,
  ID_CONTACT,
  ID_LOADS,
  ID_COLUMNS,
  ID_EVERY,
  ID_LEDGER,
  ID_VERSION,
  ID_KEYS,   /* of the case and of the groups of its mesh */
  ID_SHARED, /* 1: by several processes, whose sums over the model are others */
  ID_SIZE
};
#define CLI_CHECKPOINT_FORMAT 12.0
#define CLI_CHECKPOINT_STATIC 2.0 /* in place of a law; or below zero, where steps vary */
/* The identity of this run; loads up to step `last`, of steps that vary up to so many first ones. */
prc_status cli_checkpoint_identify(const cli_run_state *run, int last, double id[ID_SIZE],
                                   prc_error *err) PRC_MUST_CHECK;
prc_status cli_checkpoint_read_identity(prc_output_store *store, const char *path, double id[ID_SIZE],
                                        prc_error *err) PRC_MUST_CHECK;
/* Hash of the data that the places of the bodies follow from; 0 where the state at the start has them all. */
double cli_checkpoint_places(const prc_model *model);

/* ---- contacts that carry something: a percussion, the state of their friction or a slip, by their ids  */

typedef struct {
  int n, dim, n_kept;
  prc_contact_id *id;       /* n, ascending */
  double *p, *state, *slip; /* dim n, PRC_LAW_STATE n, n */
  double *place;            /* 3 n: where they were found */
  double *kept;             /* n_kept n: of the scheme */
  double *axes;             /* 9 n in space: the frames that p and kept stand in */
  char *lasts;              /* n: friction keeps its state where it is not found any more */
  int n_away;               /* those that were not found before, ascending */
  prc_contact_away *away;
} cli_carried;
prc_status cli_carried_collect(const cli_run_state *run, cli_carried *out, prc_error *err) PRC_MUST_CHECK;
prc_status cli_carried_put(const cli_carried *carried, prc_output_store *store,
                           prc_error *err) PRC_MUST_CHECK;
/* Ids are numbers, ascending; values are finite: else PRC_INPUT. */
prc_status cli_carried_get(prc_output_store *store, const char *path, const prc_contact_set *set,
                           cli_carried *out, prc_error *err) PRC_MUST_CHECK;
void cli_carried_free(cli_carried *carried);
/* The slips of contacts that are there, or that others have handed on to; those of others begin at zero. */
void cli_carried_to_slip(const cli_carried *carried, cli_run_state *run);

/* ---- what was read, handed to ranks (checkpoint_ranks.c) ------------------------------------------------- */

typedef struct {
  int step;
  prc_step_clock clock;
  double speed, *q, *v, *m, *f,
      *ledger; /* vectors: of the whole, and once they were handed over those of this rank */
  cli_carried carried;
} cli_checkpoint_state;
void cli_checkpoint_state_free(cli_checkpoint_state *state);
/* The run goes on from there. */
prc_status cli_checkpoint_resume(cli_run_state *run, const cli_checkpoint_state *state,
                                 prc_error *err) PRC_MUST_CHECK;
/* Numbers of velocities and coordinates in a checkpoint: of all ranks. */
size_t cli_checkpoint_dofs(const cli_run_state *run);
size_t cli_checkpoint_coordinates(const cli_run_state *run);
/* From rank 0 to all, which follow until the end is said; without ranks nothing happens. */
prc_status cli_checkpoint_hand_over(cli_run_state *run, cli_checkpoint_state *state,
                                    prc_error *err) PRC_MUST_CHECK;
prc_status cli_checkpoint_follow(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
void cli_checkpoint_end(cli_run_state *run);
/* run->identity, once the stepper is there. */
prc_status cli_checkpoint_identify_ranks(cli_run_state *run, prc_error *err) PRC_MUST_CHECK;

/* ---- names of what has coordinates (parts.c) ----------------------------------------------------------- */

/* Of a state: what has a name, in the order of its coordinates and dofs. */
typedef struct {
  int n;
  char *text;   /* "rigid/disc", one behind the other */
  double *size; /* n: how many dofs; minus that where there is one coordinate more */
} cli_parts;
prc_status cli_parts_put(const cli_run_state *run, prc_output_store *store, prc_error *err) PRC_MUST_CHECK;
prc_status cli_parts_get(prc_output_store *store, const char *path, cli_parts *out,
                         prc_error *err) PRC_MUST_CHECK;
void cli_parts_free(cli_parts *parts);
/* From where each coordinate and dof of the run comes in a state with these parts: q and v, NULL where both have the same order; the caller deletes them. A mesh may have other nodes: its
 * own come first as they are in the state, and the rest follows. PRC_INPUT with the names of what one of them lacks. */
prc_status cli_parts_match(const cli_run_state *run, const cli_parts *there, const char *path, size_t **q,
                           size_t **v, prc_error *err) PRC_MUST_CHECK;

/* ---- for other runs (kept.c) ------------------------------------------------------------------------- */

/* In a state: which contacts they are, by names and places, and of those that carry something their laws of friction. */
prc_status cli_kept_put(const cli_run_state *run, const cli_carried *carried, prc_output_store *store,
                        prc_error *err) PRC_MUST_CHECK;
enum { KEPT_NAMES, KEPT_PLACES, KEPT_SIZE };
prc_status cli_kept_contacts(const cli_run_state *run, double out[KEPT_SIZE], prc_error *err) PRC_MUST_CHECK;
double cli_kept_law(const prc_law *law);
/* mesh.h5: the mesh of the run, for runs on others; nothing without a mesh. */
#define CLI_KEPT_MESH "mesh.h5"
prc_status cli_kept_mesh_write(const cli_run_state *run, prc_error *err) PRC_MUST_CHECK;
/* *fingerprint: of the states that belong to it. */
prc_status cli_kept_mesh_read(const char *folder, prc_kept_mesh *out, double *fingerprint,
                              prc_error *err) PRC_MUST_CHECK;

/* ---- what is read of one (checkpoint_check.c) ------------------------------------------------------- */

typedef struct {
  int step;
  double t;
  const double *q, *v, *m, *f, *ledger;
  const cli_carried *carried;
} cli_checkpoint_content;
/* Is it the state of a run? PRC_INPUT with the array and the number that is not. The diagrams are the run's
 * already. */
prc_status cli_checkpoint_check(const cli_run_state *run, const char *path,
                                const cli_checkpoint_content *content, prc_error *err) PRC_MUST_CHECK;
prc_status cli_checkpoint_quaternions(const char *path, const cli_run_state *run, const double *q,
                                      prc_error *err) PRC_MUST_CHECK;
prc_status cli_checkpoint_finite(const char *path, const char *name, size_t n, const double *value,
                                 prc_error *err) PRC_MUST_CHECK;
/* The kernels of a checkpoint, and a warning if this program goes on with another. */
void cli_kernels_continue(cli_run_state *run, const char *kernels, int step);
prc_status cli_kernels_put(const cli_run_state *run, prc_output_store *store, prc_error *err) PRC_MUST_CHECK;
prc_status cli_kernels_get(prc_output_store *store, char kernels[CLI_KERNELS], prc_error *err) PRC_MUST_CHECK;

#endif
