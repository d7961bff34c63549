#include "config.h"
#include "cli/checkpoint.h"
#include "case/continued.h"
#include "cli/measures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A run goes on from a checkpoint: from the newer of two that is whole and belongs to it. */

/* A number used as a count must be a count, because the file may be damaged. */
static prc_status check_count(const char *path, double value, double most, prc_error *err) {
  if (value >= 0.0 && value <= most && value == floor(value)) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s is damaged: a count is %g", path, value);
}

static prc_status check_counts(const char *path, const double id[ID_SIZE], const double sizes[CLI_TABLES],
                               prc_error *err) {
  static const int counts[] = {ID_STEP, ID_COLUMNS, ID_EVERY};
  prc_status status = PRC_OK;
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    prc_try(check_count(path, id[counts[k]], 2e9, err));
  for (int k = 0; k < CLI_TABLES; k++) prc_try(check_count(path, sizes[k], 0x1p53, err));
done:
  return status;
}

/* The rest of a file of another format is not read. */
prc_status cli_checkpoint_read_identity(prc_output_store *store, const char *path, double id[ID_SIZE],
                                        prc_error *err) {
  enum { MOST = 64 };
  prc_status status = PRC_OK;
  double all[MOST] = {0.0};
  size_t n;
  prc_try(prc_output_store_size(store, "identity", &n, err));
  if (n >= 1 && n <= MOST) prc_try(prc_output_store_get(store, "identity", n, all, err));
  if (n >= 1 && n <= MOST && all[ID_FORMAT] != CLI_CHECKPOINT_FORMAT && isfinite(all[ID_FORMAT]))
    return prc_fail(
        err, PRC_INPUT,
        "%s is of format %g, percuss " PACKAGE_VERSION
        " reads checkpoints of format %g; expected a run of this program: finish that one with the "
        "percuss that began it (its run.json says which), or begin it anew",
        path, all[ID_FORMAT], CLI_CHECKPOINT_FORMAT);
  prc_try(prc_output_store_get(store, "identity", ID_SIZE, id, err));
done:
  return status;
}

/* Keys that make another model, with their values in the folder's run.json and here. */
typedef struct {
  int n;
  char text[400];
} differing;

static void add_difference(void *to, const char *key, const char *before, const char *now) {
  enum { MOST = 3 };
  differing *d = to;
  if (prc_case_may_change(key) || d->n++ >= MOST) return;
  prc_append(d->text, sizeof d->text, "%s%s is %.40s there, %.40s here", d->n == 1 ? "; " : ", ", key,
             before ? before : "not given", now ? now : "not given");
}

/* Items that run.json lacks are left out. With several ranks no child process reads it. */
static void find_differences(const cli_run_state *run, differing *out) {
  prc_error ignored = {0};
  char *record = NULL;
  size_t n = 0;
  *out = (differing){0};
  if (run->share || prc_file_read_all(run->results, "run.json", &record, &n, &ignored) != PRC_OK) return;
  if (prc_case_differences(run->c, record, add_difference, out, &ignored) != PRC_OK) out->text[0] = '\0';
  prc_delete(&record);
}

static prc_status refuse_processes(const char *path, int were_shared, prc_error *err) {
  return prc_fail(err, PRC_INPUT,
                  were_shared
                      ? "%s was written by several processes, and this is one; expected the same command "
                        "under mpiexec: a run does not go from several processes to one"
                      : "%s was written by one process, and these are several; expected the same command "
                        "without mpiexec: a run does not go from one process to several",
                  path);
}

static prc_status refuse_other(const cli_run_state *run, const char *path, const char *name,
                               const double *values, prc_error *err) {
  differing keys;
  find_differences(run, &keys);
  if (!values)
    return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is not that of this case%s", path,
                    name, keys.text);
  return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is %.15g, this case has %.15g%s", path,
                  name, values[0], values[1], keys.text);
}

static prc_status compare(const cli_run_state *run, const char *path, const double id[ID_SIZE], double t,
                          prc_error *err) {
  static const struct {
    const char *name;
    int id;
    int is_quantity; /* says something to the reader */
  } compared[] = {{"version of percuss", ID_VERSION, 0},
                  {"number of unknowns", ID_DOFS, 1},
                  {"mesh", ID_PLACES, 0},
                  {"number of contacts", ID_CONTACTS, 1},
                  {"model (materials, thickness, mass, damping or dashpots)", ID_MODEL, 0},
                  {"contact (planes, friction or restitution)", ID_CONTACT, 0},
                  {"time.step", ID_H, 1},
                  {"time.theta", ID_THETA, 1},
                  {"time.law, time.scheme, an option of it, how steps vary or time.analysis", ID_LAW, 0},
                  {"loading (loads, gravity, supports or initial state)", ID_LOADS, 0},
                  {"size of the ledger", ID_LEDGER, 1},
                  {"model (a key, a file that it names or a group of the mesh)", ID_KEYS, 0}};
  double mine[ID_SIZE];
  if (cli_checkpoint_identify(run, cli_checkpoint_steps_of_loads(run, (int)id[ID_STEP], t), mine, err)
      != PRC_OK)
    return err->status;
  if (id[ID_VERSION] == mine[ID_VERSION] && id[ID_SHARED] != mine[ID_SHARED])
    return refuse_processes(path, id[ID_SHARED] != 0.0, err);
  for (size_t k = 0; k < sizeof compared / sizeof *compared; k++) {
    const int i = compared[k].id;
    const double values[] = {id[i], mine[i]};
    if (id[i] == mine[i]) continue;
    return refuse_other(run, path, compared[k].name, compared[k].is_quantity ? values : NULL, err);
  }
  return PRC_OK;
}

static prc_status read_diagrams(cli_run_state *run, const char *path, const double id[ID_SIZE],
                                prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  cli_diagrams *d = &run->diagrams;
  const size_t columns = (size_t)id[ID_COLUMNS];
  const int every = (int)id[ID_EVERY];
  if (every > 0 && !cli_diagrams_possible(run))
    return prc_fail(err, PRC_INPUT,
                    "%s is damaged: it has diagrams of contact lines, expected none as the case has no line",
                    path);
  if (every != d->every) { /* the default depends on the length of the run: what was begun goes on */
    const size_t capacity = cli_diagrams_room(run, every);
    cli_diagrams_free_columns(run);
    d->every = every;
    d->capacity = capacity;
    prc_try(prc_new(&d->time, capacity, err));
    prc_try(prc_new(&d->value, capacity * cli_diagrams_column_size(run), err));
  }
  if (columns > d->capacity && run->c->time.n_steps == INT_MAX) { /* they grow */
    size_t numbers = d->capacity * cli_diagrams_column_size(run);
    prc_try(prc_grow((void *)&d->time, &d->capacity, columns, sizeof *d->time, err));
    prc_try(prc_grow((void *)&d->value, &numbers, d->capacity * cli_diagrams_column_size(run),
                     sizeof *d->value, err));
  }
  if (columns > d->capacity)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s is damaged: it has %zu columns of space-time diagrams, expected at most %zu", path,
                     columns, d->capacity));
  prc_try(prc_output_store_get(store, "diagram_time", columns, d->time, err));
  prc_try(prc_output_store_get(store, "diagram", columns * cli_diagrams_column_size(run), d->value, err));
  prc_try(prc_output_store_get(store, "diagram_sums", d->n_sums, d->sums, err));
  prc_try(prc_output_store_get(store, "diagram_span", 1, &d->span, err));
  prc_try(cli_checkpoint_finite(path, "diagram_sums", d->n_sums, d->sums, err));
  if (!(d->span >= 0.0 && isfinite(d->span)))
    prc_try(prc_fail(err, PRC_INPUT, "%s is damaged: 'diagram_span' is %g, expected a time", path, d->span));
  d->n_columns = columns;
done:
  return status;
}

static prc_status get_state(const cli_run_state *run, prc_output_store *store, const char *path,
                            cli_checkpoint_state *b, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = cli_checkpoint_dofs(run), n_q = cli_checkpoint_coordinates(run);
  prc_try(prc_new(&b->q, n_q, err));
  prc_try(prc_new(&b->v, n, err));
  prc_try(prc_new(&b->m, n, err));
  prc_try(prc_new(&b->f, n, err));
  prc_try(prc_new(&b->ledger, prc_ledger_size(), err));
  prc_try(prc_output_store_get(store, "q", n_q, b->q, err));
  prc_try(prc_output_store_get(store, "v", n, b->v, err));
  prc_try(prc_output_store_get(store, "m", n, b->m, err));
  prc_try(prc_output_store_get(store, "f", n, b->f, err));
  prc_try(prc_output_store_get(store, "ledger", prc_ledger_size(), b->ledger, err));
  prc_try(cli_carried_get(store, path, prc_stepper_record(run->stepper)->contacts, &b->carried, err));
  prc_try(prc_output_store_get(store, "speed", 1, &b->speed, err));
  prc_try(cli_checkpoint_finite(path, "speed", 1, &b->speed, err));
done:
  return status;
}

void cli_checkpoint_state_free(cli_checkpoint_state *b) {
  double **const vector[] = {&b->q, &b->v, &b->m, &b->f, &b->ledger};
  for (int k = 0; k < 5; k++) prc_delete(vector[k]);
  cli_carried_free(&b->carried);
}

prc_status cli_checkpoint_resume(cli_run_state *run, const cli_checkpoint_state *b, prc_error *err) {
  const prc_step_state state = {.step = b->step,
                                .clock = &b->clock,
                                .q = b->q,
                                .v = b->v,
                                .m = b->m,
                                .f = b->f,
                                .speed = b->speed,
                                .n_contacts = b->carried.n,
                                .id = b->carried.id,
                                .p = b->carried.p,
                                .state = b->carried.state,
                                .kept = b->carried.kept,
                                .place = b->carried.place,
                                .axes = b->carried.axes,
                                .lasts = b->carried.lasts,
                                .n_away = b->carried.n_away,
                                .away = b->carried.away};
  prc_ledger_restore(run->ledger, b->ledger);
  prc_status status = prc_stepper_resume(run->stepper, &state, err);
  if (status == PRC_OK) status = cli_slip_follow(run, err);
  if (status == PRC_OK) cli_carried_to_slip(&b->carried, run);
  run->depth = prc_ledger_depth(run->ledger);
  return status;
}

typedef struct {
  prc_output_store *store;
  const char *path;
} scheme_store;

static prc_status get_vector(void *to, const char *name, size_t n, double *values, prc_error *err) {
  const scheme_store *from = to;
  const prc_status status = prc_output_store_get(from->store, name, n, values, err);
  return status == PRC_OK ? cli_checkpoint_finite(from->path, name, n, values, err) : status;
}

static prc_status read_state(cli_run_state *run, const char *path, const double id[ID_SIZE],
                             const prc_step_clock *clock, prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  cli_checkpoint_state b = {.step = (int)id[ID_STEP], .clock = *clock};
  char kernels[CLI_KERNELS];
  prc_try(prc_output_store_get(store, "errors", sizeof run->error_max / sizeof(double),
                               &run->error_max.displacement, err));
  prc_try(get_state(run, store, path, &b, err));
  prc_try(cli_measures_get(run, store, path, err));
  prc_try(cli_kernels_get(store, kernels, err));
  const cli_checkpoint_content content = {b.step,    clock->t + clock->lost, b.q, b.v, b.m, b.f, b.ledger,
                                          &b.carried};
  prc_try(cli_checkpoint_check(run, path, &content, err));
  prc_try(cli_checkpoint_hand_over(run, &b, err));
  prc_try(cli_ranks_agree(run, cli_checkpoint_resume(run, &b, err), err));
  prc_try(prc_stepper_visit(run->stepper, get_vector, &(scheme_store){store, path}, err));
  cli_kernels_continue(run, kernels, b.step);
done:
  cli_checkpoint_state_free(&b);
  return status;
}

/* A run whose steps are all alike has none: it is another then, and compare says so. */
static prc_status get_clock(const cli_run_state *run, const char *path, const double id[ID_SIZE],
                            prc_output_store *store, prc_step_clock *clock, prc_error *err) {
  const size_t n = sizeof *clock / sizeof clock->t;
  prc_error absent = {0};
  size_t there = 0;
  clock->t = id[ID_STEP] * run->c->time.step;
  if (!(run->c->time.longest > 0.0)) return PRC_OK;
  if (prc_output_store_size(store, "clock", &there, &absent) != PRC_OK) return PRC_OK;
  const prc_status status = prc_output_store_get(store, "clock", n, &clock->t, err);
  return status == PRC_OK ? cli_checkpoint_finite(path, "clock", n, &clock->t, err) : status;
}

static prc_status check_clock(const cli_run_state *run, const char *path, const prc_step_clock *clock,
                              prc_error *err) {
  const double longest = run->c->time.longest, end = run->c->time.end;
  if (!(longest > 0.0)) return PRC_OK;
  if (!(clock->t >= 0.0) || !(fabs(clock->lost) <= 1e-9 * clock->t)
      || !(clock->h > 0.0 && clock->h <= longest) || !(clock->next > 0.0 && clock->next <= longest))
    return prc_fail(
        err, PRC_INPUT,
        "%s is damaged: its clock is at %g, after a step of %g and before one of %g, expected steps "
        "up to %g",
        path, clock->t, clock->h, clock->next, longest);
  if (clock->t <= end * (1.0 + 1e-9)) return PRC_OK;
  return prc_fail(err, PRC_INPUT, "%s is at t = %.9g, the case ends at %.9g; expected a later time.end", path,
                  clock->t, end);
}

/* One file; *step: that of the checkpoint, once it is known to belong to this run. */
static prc_status read_one(cli_run_state *run, const char *name, double sizes[CLI_TABLES], double *step,
                           prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  prc_step_clock clock = {0};
  double id[ID_SIZE];
  char path[CLI_CHECKPOINT_PATH];
  prc_folder_join(run->checkpoint_folder, name, path, sizeof path);
  prc_try(prc_output_store_open(run->checkpoint_folder, name, &store, err));
  prc_try(cli_checkpoint_read_identity(store, path, id, err));
  prc_try(prc_output_store_get(store, "tables", CLI_TABLES, sizes, err));
  prc_try(check_counts(path, id, sizes, err));
  prc_try(get_clock(run, path, id, store, &clock, err));
  prc_try(compare(run, path, id, clock.t, err));
  prc_try(check_clock(run, path, &clock, err));
  *step = id[ID_STEP];
  if (*step > run->c->time.n_steps) goto done; /* see cli_checkpoint_read */
  prc_try(read_diagrams(run, path, id, store, err));
  prc_try(read_state(run, path, id, &clock, store, err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

/* The newest said no: the older one, with a warning, or both reasons. */
static prc_status read_older(cli_run_state *run, double sizes[CLI_TABLES], double *step, prc_error *err) {
  prc_error first = *err;
  char path[CLI_CHECKPOINT_PATH];
  if (!cli_checkpoint_is_there(run->checkpoints, cli_checkpoint_older, path) || first.status == PRC_NOMEM)
    return first.status;
  prc_error_clear(err);
  const prc_status status = read_one(run, cli_checkpoint_older, sizes, step, err);
  if (status == PRC_OK && first.message[0])
    prc_log_message(&cli_log, PRC_LOG_WARNING, "%s; going on from the older %s of step %.0f", first.message,
                    path, *step);
  run->newest_is_bad = status == PRC_OK && first.message[0];
  if (status == PRC_OK || !first.message[0]) return status;
  prc_append(first.message, sizeof first.message, "; the older one: %s", err->message);
  *err = first;
  return err->status;
}

/* A checkpoint beyond the end is a mistake of the case: the older one is not asked, and no row is lost. */
static prc_status read_any(cli_run_state *run, double sizes[CLI_TABLES], prc_error *err) {
  double step = 0.0;
  char path[CLI_CHECKPOINT_PATH];
  prc_status status = PRC_INPUT;
  if (cli_checkpoint_is_there(run->checkpoints, cli_checkpoint_newest, path))
    status = read_one(run, cli_checkpoint_newest, sizes, &step, err);
  if (status != PRC_OK) status = read_older(run, sizes, &step, err);
  if (status == PRC_OK && step > run->c->time.n_steps)
    return prc_fail(err, PRC_INPUT, "%s is at step %.0f, the case ends at step %d; expected a later time.end",
                    path, step, run->c->time.n_steps);
  return status;
}

prc_status cli_checkpoint_read(cli_run_state *run, double sizes[CLI_TABLES], prc_error *err) {
  prc_status status;
  if (!cli_ranks_write(run))
    status = cli_checkpoint_follow(run, err);
  else {
    status = read_any(run, sizes, err);
    cli_checkpoint_end(run);
  }
  err->agreed = 0; /* what some said of one file is not what all say of both */
  return cli_ranks_agree(run, status, err);
}
