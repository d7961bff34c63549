#include "config.h"
#include "cli/checkpoint.h"
#include "cli/measures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* checkpoint.h5 holds all that a run needs to go on as if it had never stopped: the state (q, v, m, f),
 * what contacts carry by their ids (percussions, the state of friction, slip), the ledger's sums, the
 * sizes of the tables, the columns of the space-time diagrams. `identity` says which run it belongs to.
 * The one before it is kept as checkpoint-older.h5. `kernels` is younger than the format: a checkpoint
 * without it is read all the same. */
const char cli_checkpoint_newest[] = "checkpoint.h5", cli_checkpoint_older[] = "checkpoint-older.h5";

int cli_checkpoint_is_there(const char *folder, const char *name, char path[CLI_CHECKPOINT_PATH]) {
  snprintf(path, CLI_CHECKPOINT_PATH, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

int cli_checkpoint_exists(const char *folder) {
  char path[CLI_CHECKPOINT_PATH];
  return cli_checkpoint_is_there(folder, cli_checkpoint_newest, path)
         || cli_checkpoint_is_there(folder, cli_checkpoint_older, path);
}

int cli_checkpoint_start(const char *folder, double *time) {
  const char *const name[] = {cli_checkpoint_newest, cli_checkpoint_older};
  char path[CLI_CHECKPOINT_PATH];
  int found = 0;
  for (int i = 0; i < 2 && !found; i++) {
    prc_output_store *store = NULL;
    prc_error ignored = {0};
    if (!cli_checkpoint_is_there(folder, name[i], path)) continue;
    found = prc_output_store_open(NULL, path, &store, &ignored) == PRC_OK
            && prc_output_store_get(store, "start", 1, time, &ignored) == PRC_OK && *time >= 0.0
            && isfinite(*time);
    (void)prc_output_store_close(&store, &ignored);
  }
  return found;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

typedef struct {
  double *v, *m, *f, *ledger;
  cli_carried carried;
} buffers;

static prc_status collect_arrays(const cli_run_state *run, buffers *b, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = run->system->space.nv;
  prc_try(prc_new(&b->v, n, err));
  prc_try(prc_new(&b->m, n, err));
  prc_try(prc_new(&b->f, n, err));
  prc_try(prc_new(&b->ledger, prc_ledger_size(), err));
  prc_stepper_state(run->stepper, b->v, b->m, b->f);
  prc_ledger_save(run->ledger, b->ledger);
  prc_try(cli_carried_collect(run, &b->carried, err));
done:
  return status;
}

static void free_arrays(buffers *b) {
  prc_delete(&b->v);
  prc_delete(&b->m);
  prc_delete(&b->f);
  prc_delete(&b->ledger);
  cli_carried_free(&b->carried);
}

/* Further state of the scheme. */
static prc_status put_vector(void *to, const char *name, size_t n, double *values, prc_error *err) {
  return prc_output_store_put(to, name, n, values, err);
}

/* The steps up to which loads are compared: of those that vary, first ones until t. */
int cli_checkpoint_steps_of_loads(const cli_run_state *run, int step, double t) {
  return run->c->time.longest > 0.0 ? (int)fmin(floor(t / run->c->time.step), 2e9) : step;
}

/* Of steps that vary. */
static prc_status put_clock(const cli_run_state *run, prc_output_store *store, prc_error *err) {
  const prc_step_clock clock = prc_stepper_clock(run->stepper);
  if (!(run->c->time.longest > 0.0)) return PRC_OK;
  return prc_output_store_put(store, "clock", sizeof clock / sizeof clock.t, &clock.t, err);
}

/* With several ranks, rank 0 holds one whole vector at a time. */
static prc_status put_dofs(const cli_run_state *run, const char *name, size_t n, const double *x,
                           prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  double *whole = NULL;
  if (!run->share) return store ? prc_output_store_put(store, name, n, x, err) : PRC_OK;
  prc_try(cli_ranks_collect(run->share, x, &whole, err));
  if (whole)
    status = prc_output_store_put(store, name, (size_t)run->share->width * (size_t)run->share->n_whole, whole,
                                  err);
  prc_try(cli_ranks_agree(run, status, err));
done:
  prc_delete(&whole);
  return status;
}

/* Others than rank 0 have nothing but their part of vectors to give. */
static prc_status join_state(const cli_run_state *run, const buffers *b, prc_error *err) {
  prc_status status = PRC_OK;
  const double *const vector[] = {prc_stepper_record(run->stepper)->q, b->v, b->m, b->f};
  for (int k = 0; k < 4; k++) prc_try(put_dofs(run, NULL, 0, vector[k], NULL, err));
done:
  return status;
}

/* The state, by which any run may go on. */
static prc_status put_state(const cli_run_state *run, const buffers *b, prc_output_store *store,
                            prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const size_t n = (size_t)run->system->space.nv;
  double id[ID_SIZE];
  prc_try(cli_checkpoint_identify(run, cli_checkpoint_steps_of_loads(run, r->step, r->t), id, err));
  prc_try(prc_output_store_put(store, "identity", ID_SIZE, id, err));
  prc_try(prc_output_store_put(store, "time", 1, &r->t, err));
  prc_try(prc_output_store_put(store, "start", 1, &run->c->initial.time, err));
  prc_try(put_dofs(run, "q", (size_t)prc_system_coordinates(run->system), r->q, store, err));
  prc_try(put_dofs(run, "v", n, b->v, store, err));
  prc_try(put_dofs(run, "m", n, b->m, store, err));
  prc_try(put_dofs(run, "f", n, b->f, store, err));
  prc_try(cli_carried_put(&b->carried, store, err));
  prc_try(cli_kept_put(run, &b->carried, store, err));
  prc_try(cli_parts_put(run, store, err));
  prc_try(prc_stepper_visit(run->stepper, put_vector, store, err));
  prc_try(put_clock(run, store, err));
  prc_try(prc_output_store_put(store, "speed", 1, &r->speed, err));
  prc_try(prc_output_store_put(store, "ledger", prc_ledger_size(), b->ledger, err));
done:
  return status;
}

/* And the files of this one. */
static prc_status put_arrays(const cli_run_state *run, const buffers *b, prc_output_store *store,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const size_t columns = run->diagrams.n_columns;
  double sizes[CLI_TABLES];
  cli_results_sizes(run, sizes);
  prc_try(put_state(run, b, store, err));
  prc_try(prc_output_store_put(store, "tables", CLI_TABLES, sizes, err));
  prc_try(prc_output_store_put(store, "errors", sizeof run->error_max / sizeof(double),
                               &run->error_max.displacement, err));
  prc_try(cli_measures_put(run, store, err));
  prc_try(cli_kernels_put(run, store, err));
  prc_try(prc_output_store_put(store, "diagram_time", columns, run->diagrams.time, err));
  prc_try(prc_output_store_put(store, "diagram_sums", run->diagrams.n_sums, run->diagrams.sums, err));
  prc_try(prc_output_store_put(store, "diagram_span", 1, &run->diagrams.span, err));
  prc_try(prc_output_store_put(store, "diagram", columns * cli_diagrams_column_size(run), run->diagrams.value,
                               err));
done:
  return status;
}

prc_status cli_state_put(const cli_run_state *run, prc_output_store *store, prc_error *err) {
  buffers b = {0};
  prc_status status = collect_arrays(run, &b, err);
  if (status == PRC_OK) status = put_state(run, &b, store, err);
  free_arrays(&b);
  return status;
}

/* A checkpoint counts on all that was written before it: that is on the disk first. */
static prc_status begin_writing(cli_run_state *run, prc_output_store **store, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(cli_snapshots_wait(run, err));
  prc_try(cli_results_flush(run, err));
  prc_try(prc_output_sync(run->results, err));
  if (cli_ranks_write(run))
    prc_try(prc_output_store_create(run->checkpoint_folder, cli_checkpoint_newest,
                                    run->newest_is_bad ? NULL : cli_checkpoint_older, store, err));
done:
  return status;
}

prc_status cli_checkpoint_write(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  buffers b = {0};
  prc_try(cli_ranks_agree(run, begin_writing(run, &store, err), err));
  prc_try(cli_ranks_agree(run, collect_arrays(run, &b, err), err));
  prc_try(cli_ranks_write(run) ? put_arrays(run, &b, store, err) : join_state(run, &b, err));
done:
  free_arrays(&b);
  if (store) {
    const prc_status closed = prc_output_store_close(&store, err);
    if (status == PRC_OK) status = closed;
  }
  if (status == PRC_OK && run->checkpoint_folder)
    status = prc_output_sync(run->checkpoint_folder, err); /* the names too */
  status = cli_ranks_agree(run, status, err);
  if (status == PRC_OK) run->newest_is_bad = 0;
  run->checkpoint_made = prc_clock();
  return status;
}
