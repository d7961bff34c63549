#include "config.h"
#include "base/order.h"
#include "cli/cli.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a column holds of each candidate. Tractions are p/(h area), velocities those at k + theta. */
static const char *const fields[] = {"traction_normal", "traction_tangential", "slip_velocity", "gap",
                                     "status"};
enum { N_FIELDS = sizeof fields / sizeof *fields };
/* The normal multipliers of the schemes by levels besides, by PRC_LEVEL_...; other schemes have none. */
static const char *const level_fields[PRC_STEP_LEVELS] = {"impulse_normal", "position_normal",
                                                          "force_normal"};
enum { MOST_FIELDS = N_FIELDS + PRC_STEP_LEVELS };

static int list_fields(const cli_run_state *run, const char *name[MOST_FIELDS]) {
  const unsigned levels = prc_stepper_levels(run->stepper);
  int n = 0;
  for (int k = 0; k < N_FIELDS; k++) name[n++] = fields[k];
  for (int level = 0; level < PRC_STEP_LEVELS; level++)
    if (levels & 1U << level) name[n++] = level_fields[level];
  return n;
}

size_t cli_diagrams_column_size(const cli_run_state *run) {
  const char *name[MOST_FIELDS];
  return (size_t)list_fields(run, name) * (size_t)run->diagrams.n_candidates;
}

int cli_diagrams_possible(const cli_run_state *run) {
  return run->diagrams.n_candidates > 0;
}

static prc_status find_lines(cli_run_state *run, prc_error *err) {
  cli_diagrams *d = &run->diagrams;
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_status status = PRC_OK;
  int most = 0;
  for (int b = 0; b < n; b++)
    if (body[b].kind->view->lines) most += body[b].kind->view->lines(body[b].self);
  prc_try(prc_new(&d->line, most, err));
  for (int b = 0; b < n; b++) {
    const prc_body_view *view = body[b].kind->view;
    const int own = view->lines ? view->lines(body[b].self) : 0;
    for (int k = 0; k < own; k++) {
      const int size = view->line_size(body[b].self, k);
      d->line[d->n_lines++] =
          (cli_line){&body[b], k, size, d->n_candidates, prc_scene_surface(run->model->scene, b, k)};
      d->n_candidates += size;
    }
  }
done:
  return status;
}

/* Columns of a run; the number of steps that vary is not known. */
size_t cli_diagrams_room(const cli_run_state *run, int every) {
  const double interval = run->c->output.contact_interval;
  if (every == 0) return 0;
  if (interval > 0.0) return (size_t)fmin(run->c->time.end / interval, run->c->time.n_steps) + 3;
  return (size_t)(run->c->time.n_steps == INT_MAX ? 1000 : run->c->time.n_steps / every) + 2;
}

/* Room for all columns of the run, so that the step loop allocates nothing; of steps that vary it may have to grow. */
prc_status cli_diagrams_create(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_diagrams *d = &run->diagrams;
  prc_try(find_lines(run, err));
  d->every = cli_diagrams_possible(run) ? run->c->output.contact_every : 0;
  d->capacity = cli_diagrams_room(run, d->every);
  const double bytes = (double)sizeof *d->value * (double)d->capacity * (double)cli_diagrams_column_size(run);
  prc_try(prc_memory_expect(bytes, "to keep the space-time diagrams (output.contact_every)", err));
  prc_try(prc_new(&d->time, d->capacity, err));
  prc_try(prc_new(&d->value, d->capacity * cli_diagrams_column_size(run), err));
done:
  return status;
}

void cli_diagrams_free(cli_run_state *run) {
  prc_delete(&run->diagrams.line);
  cli_diagrams_free_columns(run);
}

void cli_diagrams_free_columns(cli_run_state *run) {
  prc_delete(&run->diagrams.time);
  prc_delete(&run->diagrams.value);
}

/* All candidates of a line are in the set at all times. */
static double *write_line(const cli_line *line, const prc_step_record *r, unsigned levels, double *out) {
  const double *areas = line->body->kind->view->line_areas(line->body->self, line->own);
  int first;
  (void)prc_scene_places(r->contacts, line->surface, &first);
  for (int i = 0; i < line->n; i++) {
    const double area = areas[i], per = area > 0.0 ? 1.0 / (r->h * area) : 0.0;
    const int c = first + i;
    *out++ = r->p[2 * c] * per;
    *out++ = r->p[2 * c + 1] * per;
    *out++ = r->u_work[2 * c + 1];
    *out++ = r->gap[c];
    *out++ = r->status[c];
    for (int level = 0; level < PRC_STEP_LEVELS; level++)
      if (levels & 1U << level) *out++ = r->contact_level[level] ? r->contact_level[level][2 * c] : 0.0;
  }
  return out;
}

static prc_status grow(cli_run_state *run, prc_error *err) {
  cli_diagrams *d = &run->diagrams;
  const size_t size = cli_diagrams_column_size(run);
  size_t columns = d->capacity, numbers = d->capacity * size;
  prc_status status = prc_grow((void *)&d->time, &columns, d->capacity + 1, sizeof *d->time, err);
  if (status == PRC_OK) status = prc_grow((void *)&d->value, &numbers, columns * size, sizeof *d->value, err);
  if (status == PRC_OK) d->capacity = columns;
  return status;
}

prc_status cli_diagrams_column(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_diagrams *d = &run->diagrams;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (!cli_is_due(run, d->every, run->c->output.contact_interval)) return PRC_OK;
  if (d->n_columns == d->capacity) {
    if (run->c->time.n_steps < INT_MAX) return PRC_OK;
    prc_try(grow(run, err));
  }
  double *out = d->value + d->n_columns * cli_diagrams_column_size(run);
  d->time[d->n_columns++] = r->t;
  for (int l = 0; l < d->n_lines; l++)
    out = write_line(&d->line[l], r, prc_stepper_levels(run->stepper), out);
done:
  return status;
}

typedef struct {
  double position; /* the first, for prc_by_double: along t, from the plane's point */
  int candidate;
} place;

/* Candidates along their line; room: as many numbers. */
static void sort_places(const cli_line *line, double *room, place *out) {
  line->body->kind->view->line_places(line->body->self, line->own, room);
  for (int k = 0; k < line->n; k++) out[k] = (place){room[k], line->first + k};
  qsort(out, (size_t)line->n, sizeof *out, prc_by_double);
}

static prc_status write_diagram(cli_run_state *run, const cli_line *line, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_diagrams *d = &run->diagrams;
  const int n = line->n;
  const size_t column = cli_diagrams_column_size(run), block = (size_t)n * d->n_columns;
  place *places = NULL;
  double *x = NULL, *value = NULL;
  const char *field[MOST_FIELDS];
  const size_t n_fields = (size_t)list_fields(run, field);
  prc_output_array arrays[MOST_FIELDS];
  char name[4200];
  prc_try(prc_new(&places, n, err));
  prc_try(prc_new(&x, n, err));
  prc_try(prc_new(&value, n_fields * block, err));
  sort_places(line, x, places);
  for (int k = 0; k < n; k++) x[k] = places[k].position;
  for (size_t f = 0; f < n_fields; f++) {
    arrays[f] = (prc_output_array){field[f], 1, value + f * block, NULL};
    for (size_t j = 0; j < d->n_columns; j++)
      for (int k = 0; k < n; k++)
        value[f * block + j * (size_t)n + (size_t)k] =
            d->value[j * column + n_fields * (size_t)places[k].candidate + f];
  }
  snprintf(name, sizeof name, "contact-%s.vtr",
           line->body->kind->view->contact_name(line->body->self, line->own));
  prc_try(prc_output_vtr(run->writer, run->results, name, n, x, (int)d->n_columns, d->time, (int)n_fields,
                         arrays, err));
done:
  prc_delete(&places);
  prc_delete(&x);
  prc_delete(&value);
  return status;
}

prc_status cli_diagrams_write(cli_run_state *run, prc_error *err) {
  const cli_diagrams *d = &run->diagrams;
  prc_status status = PRC_OK;
  for (int l = 0; l < d->n_lines && d->every > 0 && status == PRC_OK; l++)
    status = write_diagram(run, &d->line[l], err);
  return status;
}
