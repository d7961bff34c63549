#include "config.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* checkpoint.h5 holds all that a run needs to go on as if it had never stopped: the state (q, v, m, f and the percussions
 * as warm start), the ledger's sums, the sizes of the tables, the columns of the space-time diagrams. `identity` says
 * which run it belongs to. */
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
  ID_COLUMNS,
  ID_EVERY,
  ID_LEDGER,
  ID_SIZE
};
#define FORMAT 2.0

/* A number that changes with the coordinates and cells of the mesh. */
static double fingerprint(const prc_mesh *mesh) {
  double sum = 0.0;
  if (!mesh) return sum;
  for (int i = 0; i < 2 * mesh->n_nodes; i++) sum += mesh->x[i] * (1.0 + i % 97);
  for (int k = 0; k < 3 * mesh->n_cells; k++) sum += (double)mesh->cell[k] * (1.0 + k % 89);
  return sum;
}

/* A number that changes with what makes the matrices: m and f of the checkpoint belong to them. */
static double model_fingerprint(const prc_case *c) {
  double sum = c->model.plane_strain + 2.0 * c->model.lumped + 3.0 * c->model.thickness
               + 5.0 * c->model.damping_mass + 7.0 * c->model.damping_stiffness;
  for (int m = 0; m < c->n_materials; m++)
    sum +=
        (11.0 + m) * (c->material[m].young + 13.0 * c->material[m].poisson + 17.0 * c->material[m].density);
  for (int b = 0; b < c->n_bodies; b++) sum += (19.0 + b) * (c->body[b].mass + 23.0 * c->body[b].inertia);
  return sum;
}

static void identify(const cli_run_state *run, double id[ID_SIZE]) {
  const prc_step_options *o = prc_stepper_options(run->stepper);
  id[ID_FORMAT] = FORMAT;
  id[ID_DOFS] = run->system->n_dof, id[ID_CONTACTS] = run->system->n_contacts;
  id[ID_STEP] = prc_stepper_record(run->stepper)->step;
  id[ID_H] = o->h, id[ID_THETA] = o->theta, id[ID_LAW] = o->law;
  id[ID_MESH] = fingerprint(run->model->mesh), id[ID_MODEL] = model_fingerprint(run->c);
  id[ID_COLUMNS] = (double)run->diagrams.n_columns, id[ID_EVERY] = run->diagrams.every;
  id[ID_LEDGER] = (double)prc_ledger_size();
}

static void path_of(const char *folder, char *path, size_t size) {
  snprintf(path, size, "%s/checkpoint.h5", folder);
}

/* ---- writing ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  double *v, *m, *f, *ledger;
} buffers;

static prc_status fill(const cli_run_state *run, buffers *b, prc_error *err) {
  prc_status status = PRC_OK;
  const int n = run->system->n_dof;
  prc_try(prc_new(&b->v, n, err));
  prc_try(prc_new(&b->m, n, err));
  prc_try(prc_new(&b->f, n, err));
  prc_try(prc_new(&b->ledger, prc_ledger_size(), err));
  prc_stepper_state(run->stepper, b->v, b->m, b->f);
  prc_ledger_save(run->ledger, b->ledger);
done:
  return status;
}

static void empty(buffers *b) {
  prc_delete(&b->v);
  prc_delete(&b->m);
  prc_delete(&b->f);
  prc_delete(&b->ledger);
}

static prc_status put_all(const cli_run_state *run, const buffers *b, prc_output_store *store,
                          prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const size_t n = (size_t)run->system->n_dof, columns = run->diagrams.n_columns;
  double id[ID_SIZE], sizes[CLI_TABLES];
  identify(run, id);
  cli_results_sizes(run, sizes);
  prc_try(prc_output_store_put(store, "identity", ID_SIZE, id, err));
  prc_try(prc_output_store_put(store, "tables", CLI_TABLES, sizes, err));
  prc_try(prc_output_store_put(store, "q", n, r->q, err));
  prc_try(prc_output_store_put(store, "v", n, b->v, err));
  prc_try(prc_output_store_put(store, "m", n, b->m, err));
  prc_try(prc_output_store_put(store, "f", n, b->f, err));
  prc_try(prc_output_store_put(store, "slip", (size_t)r->n_contacts, run->slip, err));
  prc_try(prc_output_store_put(store, "p", (size_t)(r->dim * r->n_contacts), r->p, err));
  prc_try(prc_output_store_put(store, "ledger", prc_ledger_size(), b->ledger, err));
  prc_try(prc_output_store_put(store, "diagram_time", columns, run->diagrams.time, err));
  prc_try(prc_output_store_put(store, "diagram", columns * cli_diagrams_column_size(run), run->diagrams.value,
                               err));
done:
  return status;
}

prc_status cli_checkpoint_write(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  buffers b = {0};
  char path[4200];
  path_of(run->folder, path, sizeof path);
  prc_try(cli_results_flush(run, err)); /* a checkpoint counts on the rows before it */
  prc_try(fill(run, &b, err));
  prc_try(prc_output_store_create(path, &store, err));
  prc_try(put_all(run, &b, store, err));
done:
  empty(&b);
  if (store) {
    const prc_status closed = prc_output_store_close(&store, err);
    if (status == PRC_OK) status = closed;
  }
  return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static prc_status compare(const cli_run_state *run, const char *path, const double id[ID_SIZE],
                          prc_error *err) {
  static const struct {
    int id;
    const char *name;
    int is_quantity; /* says something to the reader */
  } compared[] = {{ID_FORMAT, "format", 1},
                  {ID_DOFS, "number of unknowns", 1},
                  {ID_MESH, "mesh", 0},
                  {ID_CONTACTS, "number of contacts", 1},
                  {ID_MODEL, "model (materials, thickness, mass or damping)", 0},
                  {ID_H, "time.step", 1},
                  {ID_THETA, "time.theta", 1},
                  {ID_LAW, "time.law", 0},
                  {ID_LEDGER, "size of the ledger", 1}};
  double mine[ID_SIZE];
  identify(run, mine);
  for (size_t k = 0; k < sizeof compared / sizeof *compared; k++) {
    const int i = compared[k].id;
    if (id[i] == mine[i]) continue;
    if (!compared[k].is_quantity)
      return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is not that of this case", path,
                      compared[k].name);
    return prc_fail(err, PRC_INPUT, "%s belongs to another run: its %s is %.15g, this case has %.15g", path,
                    compared[k].name, id[i], mine[i]);
  }
  if (id[ID_STEP] > run->c->time.n_steps)
    return prc_fail(err, PRC_INPUT, "%s is at step %.0f, the case ends at step %d; expected a later time.end",
                    path, id[ID_STEP], run->c->time.n_steps);
  return PRC_OK;
}

static prc_status read_diagrams(cli_run_state *run, const double id[ID_SIZE], prc_output_store *store,
                                prc_error *err) {
  prc_status status = PRC_OK;
  cli_diagrams *d = &run->diagrams;
  const size_t columns = (size_t)id[ID_COLUMNS];
  const int every = (int)id[ID_EVERY];
  if (every != d->every) { /* the default depends on the length of the run: what was begun goes on */
    const size_t capacity = every > 0 ? (size_t)(run->c->time.n_steps / every) + 2 : 0;
    cli_diagrams_free(run);
    d->every = every;
    d->capacity = capacity;
    prc_try(prc_new(&d->time, capacity, err));
    prc_try(prc_new(&d->value, capacity * cli_diagrams_column_size(run), err));
  }
  if (columns > d->capacity)
    prc_try(prc_fail(err, PRC_INPUT, "the checkpoint has more columns than the run can have"));
  prc_try(prc_output_store_get(store, "diagram_time", columns, d->time, err));
  prc_try(prc_output_store_get(store, "diagram", columns * cli_diagrams_column_size(run), d->value, err));
  d->n_columns = columns;
done:
  return status;
}

static prc_status read_state(cli_run_state *run, const double id[ID_SIZE], prc_output_store *store,
                             prc_error *err) {
  prc_status status = PRC_OK;
  const size_t n = (size_t)run->system->n_dof, n_p = (size_t)(run->system->dim * run->system->n_contacts);
  buffers b = {0};
  double *q = NULL, *p = NULL;
  prc_try(fill(run, &b, err));
  prc_try(prc_new(&q, n, err));
  prc_try(prc_new(&p, n_p, err));
  prc_try(prc_output_store_get(store, "q", n, q, err));
  prc_try(prc_output_store_get(store, "v", n, b.v, err));
  prc_try(prc_output_store_get(store, "m", n, b.m, err));
  prc_try(prc_output_store_get(store, "f", n, b.f, err));
  prc_try(prc_output_store_get(store, "slip", (size_t)run->system->n_contacts, run->slip, err));
  prc_try(prc_output_store_get(store, "p", n_p, p, err));
  prc_try(prc_output_store_get(store, "ledger", prc_ledger_size(), b.ledger, err));
  prc_ledger_restore(run->ledger, b.ledger);
  prc_try(prc_stepper_resume(run->stepper, (int)id[ID_STEP], q, b.v, b.m, b.f, p, err));
done:
  empty(&b);
  prc_delete(&q);
  prc_delete(&p);
  return status;
}

prc_status cli_checkpoint_read(cli_run_state *run, double sizes[CLI_TABLES], prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  double id[ID_SIZE];
  char path[4200];
  path_of(run->folder, path, sizeof path);
  if (access(path, F_OK) != 0)
    return prc_fail(err, PRC_INPUT,
                    "%s: there is no checkpoint to resume from, expected one in the results folder (-o DIR); "
                    "without --resume the run starts anew",
                    path);
  prc_try(prc_output_store_open(path, &store, err));
  prc_try(prc_output_store_get(store, "identity", ID_SIZE, id, err));
  prc_try(compare(run, path, id, err));
  prc_try(prc_output_store_get(store, "tables", CLI_TABLES, sizes, err));
  prc_try(read_diagrams(run, id, store, err));
  prc_try(read_state(run, id, store, err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}

prc_status cli_checkpoint_end_of(const cli_run_state *run, double *q, double *v, prc_error *err) {
  prc_status status = PRC_OK;
  prc_output_store *store = NULL;
  const prc_case_place *place = &run->c->initial.place;
  const size_t n = (size_t)run->system->n_dof;
  double id[ID_SIZE];
  char path[4200];
  path_of(run->c->initial.from, path, sizeof path);
  if (access(path, F_OK) != 0)
    return prc_case_fail(run->c, place, err,
                         "initial.run: there is no '%s', expected the results folder of a run", path);
  prc_try(prc_output_store_open(path, &store, err));
  prc_try(prc_output_store_get(store, "identity", ID_SIZE, id, err));
  if (id[ID_DOFS] != (double)n || id[ID_MESH] != fingerprint(run->model->mesh))
    prc_try(prc_case_fail(run->c, place, err,
                          "initial.run: '%s' has another mesh, expected that of this case", path));
  prc_try(prc_output_store_get(store, "q", n, q, err));
  prc_try(prc_output_store_get(store, "v", n, v, err));
done:
  if (store && prc_output_store_close(&store, err) != PRC_OK && status == PRC_OK) status = PRC_IO;
  return status;
}
