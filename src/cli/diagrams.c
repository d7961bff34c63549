#include "config.h"
#include "base/order.h"
#include "cli/continued.h"
#include "cli/cli.h"
#include "cli/columns.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_field(cli_line *line, const char *begin, const char *name) {
  snprintf(line->field[line->n_fields++], CLI_LINE_NAME, "%s%s", begin, name);
}

/* Behind the five and the levels (the normal multipliers of schemes that have them): slip; of an interface the smoothed traction; where mu is more than a
 * number, mu and the state of friction; means. */
static void name_fields(const cli_run_state *run, cli_line *line) {
  const unsigned levels = prc_stepper_levels(run->stepper);
  const char *name = line->body->kind->view->contact_name(line->body->self, line->own);
  const prc_law_fields *friction = cli_rubbing_law(run, name, &line->rubs, &line->interface);
  const prc_friction *law = friction ? friction->law : NULL;
  for (int k = 0; k < CLI_DIAGRAM_FIELDS; k++) add_field(line, "", cli_diagram_fields[k].name);
  for (int level = 0; level < PRC_STEP_LEVELS; level++)
    if (levels & 1U << level) add_field(line, "", cli_diagram_levels[level].name);
  add_field(line, "", cli_diagram_slip->name);
  if (line->interface) add_field(line, "", cli_diagram_smoothed->name);
  if (line->rubs) add_field(line, "", cli_diagram_friction->name);
  line->n_state = law && line->rubs ? law->n_state : 0;
  for (int k = 0; k < line->n_state; k++) add_field(line, cli_diagram_state->name, law->state[k]);
  line->n_now = line->n_fields;
  for (int k = 0; k < CLI_DIAGRAM_MEANS; k++) add_field(line, "", cli_diagram_means[k].name);
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

/* Does the case want nothing of its diagram but where it touches? */
static int is_of_touching(const cli_run_state *run, const cli_line *line) {
  const char *name = line->body->kind->view->contact_name(line->body->self, line->own);
  int touching = 0;
  for (int g = 0; g < run->c->n_contacts; g++)
    if (strcmp(run->c->contact_group[g].name, name) == 0) touching = run->c->contact_group[g].diagram;
  return touching;
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
      line->touching = is_of_touching(run, line);
      prc_try(sort_places(line, err));
      d->n_candidates += line->n;
      d->column += (size_t)line->n * (size_t)line->n_fields;
      longest = line->n > longest ? line->n : longest;
    }
  }
  prc_try(prc_new(&d->room, 2 * (size_t)longest, err));
  prc_try(prc_new(&d->now, d->column, err));
  d->n_sums = CLI_DIAGRAM_MEANS * (size_t)d->n_candidates;
  prc_try(prc_new(&d->sums, d->n_sums, err));
  double *sum = d->sums;
  for (int l = 0; l < d->n_lines; l++) {
    d->line[l].sum = sum;
    sum += CLI_DIAGRAM_MEANS * d->line[l].n;
  }
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
  prc_delete(&run->diagrams.sums);
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
  const double per = area > 0.0 && !cli_is_start(run) ? 1.0 / (r->h * area) : 0.0;
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

/* A node on the axis has no area of its own: it is drawn with the state and the pressure of the neighbour that
 * has its area. */
static void write_carried(const cli_line *line, double *out) {
  const prc_body_view *view = line->body->kind->view;
  const size_t size = (size_t)line->n_fields;
  int feature;
  for (int i = 0; i < line->n; i++) {
    const int j = view->line_carrier(line->body->self, line->own, i, &feature);
    if (j >= 0 && j != i) memcpy(out + (size_t)i * size, out + (size_t)j * size, size * sizeof *out);
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
  if (line->interface) write_carried(line, out);
  if (line->interface) smooth(&run->diagrams, line, areas, out);
}

void cli_diagrams_now(const cli_run_state *run, const cli_line *line, double *out) {
  cli_rubbing rubbing = {.record = prc_stepper_record(run->stepper)};
  write_line(run, line, &rubbing, out);
}

/* ---- means --------------------------------------------------------------------------------------------- */

/* Tractions and slip velocities times h: a step's percussion over its area, and its way. What is open and at rest adds nothing. */
static void add_step(const cli_run_state *run, const cli_line *line) {
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_body_view *view = line->body->kind->view;
  const double *areas = view->line_areas(line->body->self, line->own);
  int first;
  const int n = prc_scene_places(r->contacts, line->surface, &first);
  for (int c = first; c < first + n; c++) {
    const double *p = r->p + 2 * c, slip = r->u_work[2 * c + 1];
    if (p[0] == 0.0 && p[1] == 0.0 && slip == 0.0) continue;
    const int i = view->line_candidate(line->body->self, line->own, (int)r->contacts->id[c].feature_b);
    if (i < 0) continue;
    double *sum = line->sum + CLI_DIAGRAM_MEANS * i;
    for (int k = 0; k < 2 && areas[i] > 0.0; k++) sum[k] += p[k] / areas[i];
    sum[2] += r->h * slip;
  }
}

/* Into a column; the sums begin anew. */
static void write_means(const cli_line *line, double span, double *out) {
  for (int i = 0; i < line->n; i++) {
    double *sum = line->sum + CLI_DIAGRAM_MEANS * i, *mean = out + i * line->n_fields + line->n_now;
    for (int k = 0; k < CLI_DIAGRAM_MEANS; k++) mean[k] = span > 0.0 ? sum[k] / span : 0.0, sum[k] = 0.0;
  }
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
  if (d->every == 0) return PRC_OK;
  for (int l = 0; l < d->n_lines && r->step > 0; l++) add_step(run, &d->line[l]);
  d->span += r->step > 0 ? r->h : 0.0;
  if (!cli_is_due(run, d->every, run->c->output.contact_interval)) return PRC_OK;
  if (d->n_columns == d->capacity) {
    if (run->c->time.n_steps < INT_MAX) return PRC_OK;
    prc_try(grow(run, err));
  }
  double *out = d->value + d->n_columns * d->column;
  d->time[d->n_columns++] = r->t;
  for (int l = 0; l < d->n_lines; l++) {
    write_line(run, &d->line[l], &rubbing, out + d->line[l].first);
    write_means(&d->line[l], d->span, out + d->line[l].first);
  }
  d->span = 0.0;
done:
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------ */

/* Which places are written, by `which`; returns their number. Without one that touches, all. */
static int choose(const cli_diagrams *d, const cli_line *line, int *which) {
  int n = 0;
  for (int k = 0; k < line->n; k++) {
    int touches = !line->touching;
    for (size_t j = 0; j < d->n_columns && !touches; j++) {
      const double *of = d->value + j * d->column + line->first + line->n_fields * line->order[k];
      touches = of[4] > 0.0 || of[line->n_now] != 0.0; /* its status, its mean traction */
    }
    if (touches) which[n++] = k;
  }
  for (int k = 0; n == 0 && k < line->n; k++) which[k] = k;
  return n > 0 ? n : line->n;
}

static prc_status write_diagram(cli_run_state *run, const cli_line *line, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_diagrams *d = &run->diagrams;
  const size_t n_fields = (size_t)line->n_fields;
  const prc_output_form form = cli_output_form(run);
  double *value = NULL, *x = NULL, *to;
  int *which = NULL;
  prc_array arrays[CLI_LINE_FIELDS];
  char name[4200];
  prc_try(prc_new(&which, line->n, err));
  prc_try(prc_new(&x, line->n, err));
  const int n = choose(d, line, which);
  const size_t block = (size_t)n * d->n_columns;
  prc_try(prc_new(&value, n_fields * block, err));
  to = value;
  for (int k = 0; k < n; k++) x[k] = line->place[which[k]];
  for (size_t f = 0; f < n_fields; f++) {
    arrays[f] = (prc_array){line->field[f], 1, to, NULL};
    for (size_t j = 0; j < d->n_columns; j++)
      for (int k = 0; k < n; k++)
        *to++ = d->value[j * d->column + line->first + n_fields * (size_t)line->order[which[k]] + f];
  }
  snprintf(name, sizeof name, "contact-%s.vtr",
           line->body->kind->view->contact_name(line->body->self, line->own));
  prc_try(prc_output_vtr(run->writer, &form, run->results, name, n, x, (int)d->n_columns, d->time,
                         (int)n_fields, arrays, err));
done:
  prc_delete(&value);
  prc_delete(&x);
  prc_delete(&which);
  return status;
}

prc_status cli_diagrams_write(cli_run_state *run, prc_error *err) {
  const cli_diagrams *d = &run->diagrams;
  prc_status status = PRC_OK;
  for (int l = 0; l < d->n_lines && d->every > 0 && status == PRC_OK; l++)
    status = write_diagram(run, &d->line[l], err);
  return status;
}
