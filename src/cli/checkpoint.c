#include "config.h"
#include "cli/cli.h"
#include "step/schemes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* checkpoint.h5 holds all that a run needs to go on as if it had never stopped: the state (q, v, m, f and the
 * percussions as warm start), the ledger's sums, the sizes of the tables, the columns of the space-time
 * diagrams. `identity` says which run it belongs to. The one before it is kept as checkpoint-older.h5.
 * `kernels` is younger than the format: a checkpoint without it is read all the same. */
enum {
  ID_FORMAT,
  ID_DOFS,
  ID_CONTACTS,
  ID_STEP,
  ID_H,
  ID_THETA,
  ID_LAW,
  ID_MESH,
  ID_MODEL,
  ID_CONTACT,
  ID_LOADS,
  ID_COLUMNS,
  ID_EVERY,
  ID_LEDGER,
  ID_VERSION,
  ID_SIZE
};
#define FORMAT 6.0

/* What of a hash a double holds exactly. */
static double as_number(uint64_t hash) {
  return (double)(hash >> 11);
}

static void hash_values(uint64_t *hash, const void *data, size_t bytes) {
  *hash = prc_hash(*hash, data, bytes);
}

static double mesh_fingerprint(const prc_mesh *mesh) {
  uint64_t hash = PRC_HASH_START;
  if (!mesh) return 0.0;
  hash_values(&hash, mesh->x, 2 * (size_t)mesh->n_nodes * sizeof *mesh->x);
  hash_values(&hash, mesh->cell, (size_t)mesh->cell_start[mesh->n_cells] * sizeof *mesh->cell);
  return as_number(hash);
}

/* What makes the matrices: m and f of the checkpoint belong to them. */
static double model_fingerprint(const prc_system *s) {
  uint64_t hash = PRC_HASH_START;
  const prc_dynamics *d = &s->dynamics;
  const prc_sym *const matrix[] = {d->M, d->K, d->C};
  for (int k = 0; k < 3; k++)
    if (matrix[k]) hash_values(&hash, matrix[k]->x, (size_t)prc_sym_nnz(matrix[k]) * sizeof *matrix[k]->x);
  hash_values(&hash, &d->damping_mass, sizeof d->damping_mass);
  hash_values(&hash, &d->damping_stiffness, sizeof d->damping_stiffness);
  return as_number(hash);
}

/* Coefficients and places of the contacts. */
static prc_status contact_fingerprint(const prc_system *s, double *out, prc_error *err) {
  prc_status status = PRC_OK;
  uint64_t hash = PRC_HASH_START;
  prc_contact_set set = {0};
  double *zero = NULL;
  prc_try(prc_new(&zero, prc_system_coordinates(s), err));
  const prc_at at = {0.0, zero, zero};
  prc_try(prc_system_find_contacts(s, &at, 0.0, 0.0, &set, NULL, err));
  if (set.n > 0) s->contacts.evaluate(s->owner, &at, PRC_EVALUATE_GAP, &set);
  hash_values(&hash, set.id, (size_t)set.n * sizeof *set.id);
  hash_values(&hash, set.gap, (size_t)set.n * sizeof *set.gap);
  for (int c = 0; c < set.n; c++) {
    const prc_law *law = set.law[c];
    hash_values(&hash, law->friction->name, strlen(law->friction->name));
    hash_values(&hash, law->parameter, sizeof law->parameter);
    hash_values(&hash, &law->e, sizeof law->e);
    hash_values(&hash, &law->e_t, sizeof law->e_t);
  }
  *out = as_number(hash);
done:
  prc_delete(&zero);
  prc_contact_set_free(&set);
  return status;
}

/* The state at t = 0, the formulas of time as they are written, and loads and prescribed displacements over
 * the steps done, at times that grow like the Fibonacci numbers. */
static prc_status load_fingerprint(const cli_run_state *run, double h, int last, double *out,
                                   prc_error *err) {
  prc_status status = PRC_OK;
  const prc_system *s = run->system;
  const uint64_t formulas = prc_case_formulas(run->c);
  uint64_t hash = run->initial;
  double *value = NULL;
  hash_values(&hash, &formulas, sizeof formulas);
  prc_try(prc_new(&value, s->space.nv, err));
  for (long long step = 0, next = 1; step <= last; next += step, step = next - step) {
    prc_try(s->dynamics.loads(s->owner, &(prc_at){.t = (double)step * h}, value, err));
    hash_values(&hash, value, (size_t)s->space.nv * sizeof *value);
    if (s->drive.n == 0) continue;
    prc_try(s->drive.displacement(s->owner, (double)step * h, value, err));
    hash_values(&hash, value, (size_t)s->drive.n * sizeof *value);
  }
  *out = as_number(hash);
done:
  prc_delete(&value);
  return status;
}

#define QUASI_STATIC 2.0 /* in place of a law */

/* The identity of this run; loads up to step `last`. */
/* The law; of another scheme than the first the name too. */
static double scheme_fingerprint(const prc_step_options *o) {
  if (cli_is_static(o)) return QUASI_STATIC;
  if (strcmp(o->scheme, PRC_STEP_DEFAULT_SCHEME) == 0) return (double)o->law;
  return as_number(prc_hash(prc_hash(PRC_HASH_START, o->scheme, strlen(o->scheme)), &o->law, sizeof o->law));
}

static prc_status identify(const cli_run_state *run, int last, double id[ID_SIZE], prc_error *err) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  id[ID_FORMAT] = FORMAT;
  id[ID_DOFS] = run->system->space.nv, id[ID_CONTACTS] = prc_stepper_record(run->stepper)->n_contacts;
  id[ID_STEP] = prc_stepper_record(run->stepper)->step;
  id[ID_H] = o->h, id[ID_THETA] = o->theta, id[ID_LAW] = scheme_fingerprint(o);
  id[ID_MESH] = mesh_fingerprint(run->model->mesh), id[ID_MODEL] = model_fingerprint(run->system);
  id[ID_COLUMNS] = (double)run->diagrams.n_columns, id[ID_EVERY] = run->diagrams.every;
  id[ID_LEDGER] = (double)prc_ledger_size();
  id[ID_VERSION] = as_number(prc_hash(PRC_HASH_START, PACKAGE_VERSION, sizeof PACKAGE_VERSION));
  const prc_status status = contact_fingerprint(run->system, &id[ID_CONTACT], err);
  return status == PRC_OK ? load_fingerprint(run, o->h, last, &id[ID_LOADS], err) : status;
}

enum { PATH_SIZE = 4200 };
static const char newest[] = "checkpoint.h5", older[] = "checkpoint-older.h5";

static int is_there(const char *folder, const char *name, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

int cli_checkpoint_exists(const char *folder) {
  char path[PATH_SIZE];
  return is_there(folder, newest, path) || is_there(folder, older, path);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

typedef struct {
  double *v, *m, *f, *ledger;
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
done:
  return status;
}

static void free_arrays(buffers *b) {
  prc_delete(&b->v);
  prc_delete(&b->m);
  prc_delete(&b->f);
  prc_delete(&b->ledger);
}

static prc_status put_arrays(const cli_run_state *run, const buffers *b, prc_output_store *store,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const size_t n = (size_t)run->system->space.nv, columns = run->diagrams.n_columns;
  double id[ID_SIZE], sizes[CLI_TABLES];
  prc_try(identify(run, r->step, id, err));
  cli_results_sizes(run, sizes);
  prc_try(prc_output_store_put(store, "identity", ID_SIZE, id, err));
  prc_try(prc_output_store_put(store, "tables", CLI_TABLES, sizes, err));
  prc_try(prc_output_store_put(store, "errors", sizeof run->error_max / sizeof(double),
                               &run->error_max.displacement, err));
  prc_try(prc_output_store_put(store, "q", n, r->q, err));
  prc_try(prc_output_store_put(store, "v", n, b->v, err));
  prc_try(prc_output_store_put(store, "m", n, b->m, err));
  prc_try(prc_output_store_put(store, "f", n, b->f, err));
  prc_try(prc_output_store_put(store, "slip", (size_t)r->n_contacts, run->slip, err));
  prc_try(prc_output_store_put(store, "p", (size_t)r->dim * (size_t)r->n_contacts, r->p, err));
  prc_try(prc_output_store_put(store, "speed", 1, &r->speed, err));
  prc_try(prc_output_store_put(store, "ledger", prc_ledger_size(), b->ledger, err));
  prc_try(cli_kernels_put(run, store, err));
  prc_try(prc_output_store_put(store, "diagram_time", columns, run->diagrams.time, err));
  prc_try(prc_output_store_put(store, "diagram", columns * cli_diagrams_column_size(run), run->diagrams.value,
                               err));
done:
  return status;
}

/* A checkpoint counts on all that was written before it: that is on the disk first. */
prc_status cli_checkpoint_write(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  buffers b = {0};
  prc_try(cli_snapshots_wait(run, err));
  prc_try(cli_results_flush(run, err));
  prc_try(prc_output_sync(run->results, err));
  prc_try(collect_arrays(run, &b, err));
  prc_try(prc_output_store_create(run->checkpoint_folder, newest, run->newest_is_bad ? NULL : older, &store,
                                  err));
  prc_try(put_arrays(run, &b, store, err));
done:
  free_arrays(&b);
  if (store) {
    const prc_status closed = prc_output_store_close(&store, err);
    if (status == PRC_OK) status = closed;
  }
  if (status == PRC_OK) status = prc_output_sync(run->checkpoint_folder, err); /* the names too */
  if (status == PRC_OK) run->newest_is_bad = 0;
  run->checkpoint_made = prc_clock();
  return status;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* What is used as a count must be one: a file may be damaged. */
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

static prc_status compare(const cli_run_state *run, const char *path, const double id[ID_SIZE],
                          prc_error *err) {
  static const struct {
    const char *name;
    int id;
    int is_quantity; /* says something to the reader */
  } compared[] = {{"format", ID_FORMAT, 1},
                  {"version of percuss", ID_VERSION, 0},
                  {"number of unknowns", ID_DOFS, 1},
                  {"mesh", ID_MESH, 0},
                  {"number of contacts", ID_CONTACTS, 1},
                  {"model (materials, thickness, mass or damping)", ID_MODEL, 0},
                  {"contact (planes, friction or restitution)", ID_CONTACT, 0},
                  {"loading (loads, gravity, supports or initial state)", ID_LOADS, 0},
                  {"time.step", ID_H, 1},
                  {"time.theta", ID_THETA, 1},
                  {"time.law, time.scheme or time.analysis", ID_LAW, 0},
                  {"size of the ledger", ID_LEDGER, 1}};
  double mine[ID_SIZE];
  if (identify(run, (int)id[ID_STEP], mine, err) != PRC_OK) return err->status;
  for (size_t k = 0; k < sizeof compared / sizeof *compared; k++) {
    const int i = compared[k].id;
    if (id[i] == mine[i]) continue;
    if (!compared[k].is_quantity)
      return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is not that of this case", path,
                      compared[k].name);
    return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is %.15g, this case has %.15g", path,
                    compared[k].name, id[i], mine[i]);
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
    const size_t capacity = every > 0 ? (size_t)(run->c->time.n_steps / every) + 2 : 0;
    cli_diagrams_free(run);
    d->every = every;
    d->capacity = capacity;
    prc_try(prc_new(&d->time, capacity, err));
    prc_try(prc_new(&d->value, capacity * cli_diagrams_column_size(run), err));
  }
  if (columns > d->capacity)
    prc_try(prc_fail(err, PRC_INPUT,
                     "%s is damaged: it has %zu columns of space-time diagrams, expected at most %zu", path,
                     columns, d->capacity));
  prc_try(prc_output_store_get(store, "diagram_time", columns, d->time, err));
  prc_try(prc_output_store_get(store, "diagram", columns * cli_diagrams_column_size(run), d->value, err));
  d->n_columns = columns;
done:
  return status;
}

static prc_status read_state(cli_run_state *run, const char *path, const double id[ID_SIZE],
                             prc_output_store *store, prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)run->system->space.nv,
               n_p = (size_t)prc_stepper_record(run->stepper)->dim
                     * (size_t)prc_stepper_record(run->stepper)->n_contacts;
  buffers b = {0};
  double *q = NULL, *p = NULL, speed = 0.0;
  char kernels[CLI_KERNELS];
  prc_try(collect_arrays(run, &b, err));
  prc_try(prc_new(&q, n, err));
  prc_try(prc_new(&p, n_p, err));
  prc_try(prc_output_store_get(store, "errors", sizeof run->error_max / sizeof(double),
                               &run->error_max.displacement, err));
  prc_try(prc_output_store_get(store, "q", n, q, err));
  prc_try(prc_output_store_get(store, "v", n, b.v, err));
  prc_try(prc_output_store_get(store, "m", n, b.m, err));
  prc_try(prc_output_store_get(store, "f", n, b.f, err));
  prc_try(prc_output_store_get(store, "slip", (size_t)prc_stepper_record(run->stepper)->n_contacts, run->slip,
                               err));
  prc_try(prc_output_store_get(store, "p", n_p, p, err));
  prc_try(prc_output_store_get(store, "speed", 1, &speed, err));
  prc_try(cli_checkpoint_finite(path, "speed", 1, &speed, err));
  prc_try(prc_output_store_get(store, "ledger", prc_ledger_size(), b.ledger, err));
  prc_try(cli_kernels_get(store, kernels, err));
  const cli_checkpoint_content content = {(int)id[ID_STEP], q, b.v, b.m, b.f, run->slip, p, b.ledger};
  prc_try(cli_checkpoint_check(run, path, &content, err));
  prc_ledger_restore(run->ledger, b.ledger);
  const prc_step_state state = {.step = (int)id[ID_STEP],
                                .q = q,
                                .v = b.v,
                                .m = b.m,
                                .f = b.f,
                                .speed = speed,
                                .n_contacts = prc_stepper_record(run->stepper)->n_contacts,
                                .p = p};
  prc_try(prc_stepper_resume(run->stepper, &state, err));
  run->depth = prc_ledger_depth(run->ledger);
  cli_kernels_continue(run, kernels, (int)id[ID_STEP]);
done:
  free_arrays(&b);
  prc_delete(&q);
  prc_delete(&p);
  return status;
}

/* One file; *step: that of the checkpoint, once it is known to belong to this run. */
static prc_status read_one(cli_run_state *run, const char *name, double sizes[CLI_TABLES], double *step,
                           prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  double id[ID_SIZE];
  char path[PATH_SIZE];
  prc_folder_join(run->checkpoint_folder, name, path, sizeof path);
  prc_try(prc_output_store_open(run->checkpoint_folder, name, &store, err));
  prc_try(prc_output_store_get(store, "identity", ID_SIZE, id, err));
  prc_try(prc_output_store_get(store, "tables", CLI_TABLES, sizes, err));
  prc_try(check_counts(path, id, sizes, err));
  prc_try(compare(run, path, id, err));
  *step = id[ID_STEP];
  if (*step > run->c->time.n_steps) goto done; /* see cli_checkpoint_read */
  prc_try(read_diagrams(run, path, id, store, err));
  prc_try(read_state(run, path, id, store, err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

/* The newest said no: the older one, with a warning, or both reasons. */
static prc_status read_older(cli_run_state *run, double sizes[CLI_TABLES], double *step, prc_error *err) {
  prc_error first = *err;
  char path[PATH_SIZE];
  if (!is_there(run->checkpoints, older, path) || first.status == PRC_NOMEM) return first.status;
  prc_error_clear(err);
  const prc_status status = read_one(run, older, sizes, step, err);
  if (status == PRC_OK && first.message[0])
    prc_log_message(&cli_log, PRC_LOG_WARNING, "%s; going on from the older %s of step %.0f", first.message,
                    path, *step);
  run->newest_is_bad = status == PRC_OK && first.message[0];
  if (status == PRC_OK || !first.message[0]) return status;
  const size_t used = strlen(first.message);
  snprintf(first.message + used, sizeof first.message - used, "; the older one: %s", err->message);
  *err = first;
  return err->status;
}

/* A checkpoint beyond the end is a mistake of the case: the older one is not asked, and no row is lost. */
prc_status cli_checkpoint_read(cli_run_state *run, double sizes[CLI_TABLES], prc_error *err) {
  double step = 0.0;
  char path[PATH_SIZE];
  prc_status status = PRC_INPUT;
  if (is_there(run->checkpoints, newest, path)) status = read_one(run, newest, sizes, &step, err);
  if (status != PRC_OK) status = read_older(run, sizes, &step, err);
  if (status == PRC_OK && step > run->c->time.n_steps)
    return prc_fail(err, PRC_INPUT, "%s is at step %.0f, the case ends at step %d; expected a later time.end",
                    path, step, run->c->time.n_steps);
  return status;
}

prc_status cli_checkpoint_end_of(const cli_run_state *run, double *q, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  const prc_case_place *place = &run->c->initial.place;
  const size_t n = (size_t)run->system->space.nv;
  double id[ID_SIZE];
  char path[PATH_SIZE];
  if (!is_there(run->c->initial.from, newest, path))
    return prc_case_fail(run->c, place, err,
                         "initial.run: there is no '%s', expected the results folder of a run", path);
  prc_try(prc_output_store_open(NULL, path, &store, err));
  prc_try(prc_output_store_get(store, "identity", ID_SIZE, id, err));
  if (id[ID_DOFS] != (double)n || id[ID_MESH] != mesh_fingerprint(run->model->mesh))
    prc_try(prc_case_fail(run->c, place, err,
                          "initial.run: '%s' has another mesh, expected that of this case", path));
  prc_try(prc_output_store_get(store, "q", n, q, err));
  prc_try(prc_output_store_get(store, "v", n, v, err));
  prc_try(cli_checkpoint_finite(path, "q", n, q, err));
  prc_try(cli_checkpoint_finite(path, "v", n, v, err));
  if (id[ID_LAW] == QUASI_STATIC) memset(v, 0, n * sizeof *v); /* it was the rate of the last load step */
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}
