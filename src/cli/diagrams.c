#include "config.h"
#include "base/order.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a column holds of each candidate. Tractions are p/(h area), velocities those at k + theta. */
static const char *const fields[] = {"traction_normal", "traction_tangential", "slip_velocity", "gap",
                                     "status"};
#define N_FIELDS (sizeof fields / sizeof *fields)

/* Nodes of the mesh that may touch fixed planes: the first contacts of the set. */
static int count_nodes(const cli_run_state *run) {
  const prc_fem *fem = run->model->fem;
  return fem ? prc_fem_contact_first(fem, prc_fem_get_model(fem)->n_contacts) : 0;
}

size_t cli_diagrams_column_size(const cli_run_state *run) {
  return N_FIELDS * (size_t)count_nodes(run);
}

int cli_diagrams_possible(const cli_run_state *run) {
  return count_nodes(run) > 0;
}

/* Room for all columns of the run, so that the step loop allocates nothing. */
prc_status cli_diagrams_create(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_diagrams *d = &run->diagrams;
  d->every = cli_diagrams_possible(run) ? run->c->output.contact_every : 0;
  d->capacity = d->every > 0 ? (size_t)(run->c->time.n_steps / d->every) + 2 : 0;
  const double bytes = (double)sizeof *d->value * (double)d->capacity * (double)cli_diagrams_column_size(run);
  prc_try(prc_memory_expect(bytes, "to keep the space-time diagrams (output.contact_every)", err));
  prc_try(prc_new(&d->time, d->capacity, err));
  prc_try(prc_new(&d->value, d->capacity * cli_diagrams_column_size(run), err));
done:
  return status;
}

void cli_diagrams_free(cli_run_state *run) {
  prc_delete(&run->diagrams.time);
  prc_delete(&run->diagrams.value);
}

void cli_diagrams_column(cli_run_state *run) {
  cli_diagrams *d = &run->diagrams;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (d->every == 0 || r->step % d->every != 0 || d->n_columns >= d->capacity) return;
  double *out = d->value + d->n_columns * cli_diagrams_column_size(run);
  d->time[d->n_columns++] = r->t;
  for (int c = 0, n = count_nodes(run); c < n; c++) {
    const double area = prc_fem_contact_areas(run->model->fem)[c],
                 per = area > 0.0 ? 1.0 / (r->h * area) : 0.0;
    *out++ = r->p[2 * c] * per;
    *out++ = r->p[2 * c + 1] * per;
    *out++ = r->u_work[2 * c + 1];
    *out++ = r->gap[c];
    *out++ = r->status[c];
  }
}

typedef struct {
  double position; /* the first, for prc_by_double: along t, from the plane's point */
  int candidate;
} place;

/* Candidates of group g of the mesh, contact k of the case, along their line. */
static void sort_places(const cli_run_state *run, int g, int k_case, int n, place *out) {
  const prc_fem *fem = run->model->fem;
  const double *point = run->c->contact_group[k_case].point;
  for (int k = 0; k < n; k++) {
    const int c = prc_fem_contact_first(fem, g) + k, node = prc_fem_contact_nodes(fem)[c];
    const double *x = run->model->mesh->x + 2 * node, *t = prc_fem_contact_frames(fem) + 4 * c + 2;
    out[k] = (place){(x[0] - point[0]) * t[0] + (x[1] - point[1]) * t[1], c};
  }
  qsort(out, (size_t)n, sizeof *out, prc_by_double);
}

static prc_status write_group(cli_run_state *run, int g, int k_case, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_diagrams *d = &run->diagrams;
  const int n = prc_fem_contact_first(run->model->fem, g + 1) - prc_fem_contact_first(run->model->fem, g);
  const size_t column = cli_diagrams_column_size(run), block = (size_t)n * d->n_columns;
  place *places = NULL;
  double *x = NULL, *value = NULL;
  prc_output_array arrays[N_FIELDS];
  char name[4200];
  prc_try(prc_new(&places, n, err));
  prc_try(prc_new(&x, n, err));
  prc_try(prc_new(&value, N_FIELDS * block, err));
  sort_places(run, g, k_case, n, places);
  for (int k = 0; k < n; k++) x[k] = places[k].position;
  for (size_t f = 0; f < N_FIELDS; f++) {
    arrays[f] = (prc_output_array){fields[f], 1, value + f * block, NULL};
    for (size_t j = 0; j < d->n_columns; j++)
      for (int k = 0; k < n; k++)
        value[f * block + j * (size_t)n + (size_t)k] =
            d->value[j * column + N_FIELDS * (size_t)places[k].candidate + f];
  }
  snprintf(name, sizeof name, "contact-%s.vtr", run->c->contact_group[k_case].name);
  prc_try(prc_output_vtr(run->writer, run->results, name, n, x, (int)d->n_columns, d->time, N_FIELDS, arrays,
                         err));
done:
  prc_delete(&places);
  prc_delete(&x);
  prc_delete(&value);
  return status;
}

prc_status cli_diagrams_write(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0, g = 0; k < run->c->n_contacts && run->diagrams.every > 0 && status == PRC_OK; k++)
    if (run->c->contact_group[k].group && run->c->contact_group[k].on_plane)
      status = write_group(run, g++, k, err);
  return status;
}
