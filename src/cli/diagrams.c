#include "config.h"
#include "base/order.h"
#include "cli/cli.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a column holds of each candidate. Tractions are p/(h area), velocities those at k + theta; the slip is the way since the start, or since a contact that
 * comes and goes closed. */
static const char *const fields[] = {"traction_normal", "traction_tangential", "slip_velocity", "gap",
                                     "status"};
enum { N_FIELDS = sizeof fields / sizeof *fields };
/* The normal multipliers of the schemes by levels besides, by PRC_LEVEL_...; other schemes have none. */
static const char *const level_fields[PRC_STEP_LEVELS] = {"impulse_normal", "position_normal",
                                                          "force_normal"};

static void add_field(cli_line *line, const char *begin, const char *name) {
  snprintf(line->field[line->n_fields++], CLI_LINE_NAME, "%s%s", begin, name);
}

/* Behind the five and the levels: slip; of an interface the smoothed traction; where mu is more than a number, mu and the state of friction. */
static void name_fields(const cli_run_state *run, cli_line *line) {
  const unsigned levels = prc_stepper_levels(run->stepper);
  const char *name = line->body->kind->view->contact_name(line->body->self, line->own);
  const prc_law_fields *friction = cli_rubbing_law(run, name, &line->rubs, &line->interface);
  const prc_friction *law = friction ? friction->law : NULL;
  for (int k = 0; k < N_FIELDS; k++) add_field(line, "", fields[k]);
  for (int level = 0; level < PRC_STEP_LEVELS; level++)
    if (levels & 1U << level) add_field(line, "", level_fields[level]);
  add_field(line, "", "slip");
  if (line->interface) add_field(line, "", "traction_normal_smoothed");
  if (!line->rubs) return;
  add_field(line, "", "friction");
  line->n_state = law ? law->n_state : 0;
  for (int k = 0; k < line->n_state; k++) add_field(line, "state_", law->state[k]);
}

size_t cli_diagrams_column_size(const cli_run_state *run) {
  return run->diagrams.column;
}

int cli_diagrams_possible(const cli_run_state *run) {
  return run->diagrams.n_candidates > 0;
}

typedef struct {
  double position; /* the first, for prc_by_double: along t, from the plane's point */
  int candidate;
} place;

/* Candidates along their line. */
static prc_status sort_places(cli_line *line, prc_error *err) {
  prc_status status = PRC_OK;
  place *sorted = NULL;
  prc_try(prc_new(&line->order, line->n, err));
  prc_try(prc_new(&line->place, line->n, err));
  prc_try(prc_new(&sorted, line->n, err));
  prc_try(line->body->kind->view->line_places(line->body->self, line->own, line->place, err));
  for (int k = 0; k < line->n; k++) sorted[k] = (place){line->place[k], k};
  qsort(sorted, (size_t)line->n, sizeof *sorted, prc_by_double);
  for (int k = 0; k < line->n; k++) line->place[k] = sorted[k].position, line->order[k] = sorted[k].candidate;
done:
  prc_delete(&sorted);
  return status;
}

static prc_status find_lines(cli_run_state *run, prc_error *err) {
  cli_diagrams *d = &run->diagrams;
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_status status = PRC_OK;
  int most = 0, longest = 0;
  for (int b = 0; b < n; b++)
    if (body[b].kind->view->lines) most += body[b].kind->view->lines(body[b].self);
  prc_try(prc_new(&d->line, most, err));
  for (int b = 0; b < n; b++) {
    const prc_body_view *view = body[b].kind->view;
    const int own = view->lines ? view->lines(body[b].self) : 0;
    for (int k = 0; k < own; k++) {
      cli_line *line = &d->line[d->n_lines++];
      *line = (cli_line){.body = &body[b],
                         .own = k,
                         .n = view->line_size(body[b].self, k),
                         .first = d->column,
                         .surface = prc_scene_surface(run->model->scene, b, k)};
      name_fields(run, line);
      prc_try(sort_places(line, err));
      d->n_candidates += line->n;
      d->column += (size_t)line->n * (size_t)line->n_fields;
      longest = line->n > longest ? line->n : longest;
    }
  }
  prc_try(prc_new(&d->room, 2 * (size_t)longest, err));
  prc_try(prc_new(&d->now, d->column, err));
done:
  return status;
}

/* Columns of a run; the number of steps that vary is not known. */
size_t cli_diagrams_room(const cli_run_state *run, int every) {
  const double interval = run->c->output.contact_interval;
  if (every == 0) return 0;
  if (interval > 0.0) return (size_t)fmin(run->c->time.end / interval, run->c->time.n_steps) + 3;
  return (size_t)(run->c->time.n_steps == INT_MAX ? 1000
                                                  : (run->c->time.n_steps - run->c->time.first) / every)
         + 2;
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
  for (int l = 0; run->diagrams.line && l < run->diagrams.n_lines; l++) {
    prc_delete(&run->diagrams.line[l].order);
    prc_delete(&run->diagrams.line[l].place);
  }
  prc_delete(&run->diagrams.line);
  prc_delete(&run->diagrams.room);
  prc_delete(&run->diagrams.now);
  cli_diagrams_free_columns(run);
}

void cli_diagrams_free_columns(cli_run_state *run) {
  prc_delete(&run->diagrams.time);
  prc_delete(&run->diagrams.value);
}

/* ---- a column --------------------------------------------------------------------------------------- */

static void write_candidate(const cli_run_state *run, const cli_line *line, int c, double area, double mu,
                            double *out) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const unsigned levels = prc_stepper_levels(run->stepper);
  const double per = area > 0.0 ? 1.0 / (r->h * area) : 0.0;
  *out++ = r->p[2 * c] * per;
  *out++ = r->p[2 * c + 1] * per;
  *out++ = r->u_work[2 * c + 1];
  *out++ = r->gap[c];
  *out++ = r->status[c];
  for (int level = 0; level < PRC_STEP_LEVELS; level++)
    if (levels & 1U << level) *out++ = r->contact_level[level] ? r->contact_level[level][2 * c] : 0.0;
  *out++ = cli_slip_of(run, c);
  out += line->interface; /* filled when all tractions are there */
  if (!line->rubs) return;
  *out++ = mu;
  for (int k = 0; k < line->n_state; k++) *out++ = r->contacts->state[PRC_LAW_STATE * c + k];
}

/* (p_{j-1} + p_j + p_{j+1}) / (a_{j-1} + a_j + a_{j+1}) along the line: single pressures of triangles are rough. */
static void smooth(const cli_diagrams *d, const cli_line *line, const double *areas, double *out) {
  double *force = d->room, *area = d->room + line->n;
  int to = 0;
  while (strcmp(line->field[to], "traction_normal_smoothed") != 0) to++;
  for (int i = 0; i < line->n; i++) {
    area[i] = areas[line->order[i]];
    force[i] = area[i] * out[line->order[i] * line->n_fields];
  }
  for (int i = 0; i < line->n; i++) {
    double sum = 0.0, over = 0.0;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < line->n; j++) sum += force[j], over += area[j];
    out[line->order[i] * line->n_fields + to] = over > 0.0 ? sum / over : 0.0;
  }
}

/* Candidates that are not in the set have zeros: nothing lies under them. */
static void write_line(const cli_run_state *run, const cli_line *line, cli_rubbing *rubbing, double *out) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_body_view *view = line->body->kind->view;
  const double *areas = view->line_areas(line->body->self, line->own);
  int first;
  const int n = prc_scene_places(r->contacts, line->surface, &first);
  memset(out, 0, (size_t)line->n * (size_t)line->n_fields * sizeof *out);
  for (int c = first; c < first + n; c++) {
    const int i = view->line_candidate(line->body->self, line->own, (int)r->contacts->id[c].feature_b);
    const double mu = line->rubs ? cli_rubbing_of(rubbing, c) : 0.0;
    if (i >= 0) write_candidate(run, line, c, areas[i], mu, out + i * line->n_fields);
  }
  if (line->interface) smooth(&run->diagrams, line, areas, out);
}

void cli_diagrams_now(const cli_run_state *run, const cli_line *line, double *out) {
  cli_rubbing rubbing = {.record = prc_stepper_record(run->stepper)};
  write_line(run, line, &rubbing, out);
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
  cli_rubbing rubbing = {.record = r};
  if (!cli_is_due(run, d->every, run->c->output.contact_interval)) return PRC_OK;
  if (d->n_columns == d->capacity) {
    if (run->c->time.n_steps < INT_MAX) return PRC_OK;
    prc_try(grow(run, err));
  }
  double *out = d->value + d->n_columns * d->column;
  d->time[d->n_columns++] = r->t;
  for (int l = 0; l < d->n_lines; l++) write_line(run, &d->line[l], &rubbing, out + d->line[l].first);
done:
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------ */

static prc_status write_diagram(cli_run_state *run, const cli_line *line, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_diagrams *d = &run->diagrams;
  const int n = line->n;
  const size_t block = (size_t)n * d->n_columns, n_fields = (size_t)line->n_fields;
  double *value = NULL;
  prc_array arrays[CLI_LINE_FIELDS];
  char name[4200];
  prc_try(prc_new(&value, n_fields * block, err));
  for (size_t f = 0; f < n_fields; f++) {
    arrays[f] = (prc_array){line->field[f], 1, value + f * block, NULL};
    for (size_t j = 0; j < d->n_columns; j++)
      for (int k = 0; k < n; k++)
        value[f * block + j * (size_t)n + (size_t)k] =
            d->value[j * d->column + line->first + n_fields * (size_t)line->order[k] + f];
  }
  snprintf(name, sizeof name, "contact-%s.vtr",
           line->body->kind->view->contact_name(line->body->self, line->own));
  prc_try(prc_output_vtr(run->writer, run->results, name, n, line->place, (int)d->n_columns, d->time,
                         (int)n_fields, arrays, err));
done:
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
