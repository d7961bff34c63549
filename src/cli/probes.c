#include "config.h"
#include "cli/cli.h"
#include "cli/columns.h"

#include <math.h>

/* Probes: displacement, velocity, stress and strain at a point of a mesh, and on a contact line what is between its two sides there. */

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Quantities of a point, by the words of the case. */
enum { DISPLACEMENT, VELOCITY, STRESS, STRAIN, KINDS };
static const struct {
  const char *word;
  const cli_column *columns;
  int n;
} kinds[KINDS] = {{"displacement", cli_probe_displacement, 2},
                  {"velocity", cli_probe_velocity, 2},
                  {"stress", cli_probe_stress, 4},
                  {"strain", cli_probe_strain, 3}};

static int has(const cli_run_state *run, int p, int kind) {
  return prc_is_listed(run->c->probe[p].of, kinds[kind].word);
}

/* The line of this contact; NULL: there is none. */
static const cli_line *line_of(const cli_run_state *run, const char *contact) {
  for (int l = 0; l < run->diagrams.n_lines; l++) {
    const cli_line *line = &run->diagrams.line[l];
    if (strcmp(line->body->kind->view->contact_name(line->body->self, line->own), contact) == 0) return line;
  }
  return NULL;
}

size_t cli_probes_columns(const cli_run_state *run) {
  size_t n = 0;
  for (int p = 0; p < run->c->n_probes; p++)
    for (int k = 0; k < KINDS; k++) n += has(run, p, k) ? (size_t)kinds[k].n : 0;
  for (int p = 0; p < run->c->n_probes; p++) n += run->probe[p].line ? (size_t)run->probe[p].line->n_now : 0;
  return n;
}

prc_status cli_probes_header(const cli_run_state *run, prc_bytes *l, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(cli_columns_add(cli_step_columns, "", 0, NULL, l, err));
  for (int p = 0; p < run->c->n_probes; p++) {
    const char *name = run->c->probe[p].name;
    const cli_line *line = run->probe[p].line;
    for (int k = 0; k < KINDS; k++)
      if (has(run, p, k)) prc_try(cli_columns_add(kinds[k].columns, name, 0, NULL, l, err));
    for (int k = 0; line && k < line->n_now; k++)
      prc_try(prc_bytes_print(l, err, ",%s_%s", name, line->field[k]));
  }
done:
  return status;
}

/* ---- places ------------------------------------------------------------------------------------------- */

/* Between which two candidates, one after the other along the line, the point lies, and how far it is off. */
static double find_between(const cli_line *line, const double point[2], cli_probe *probe) {
  double nearest = INFINITY;
  for (int i = 0; i + 1 < line->n || i == 0; i++) {
    const int last = i + 1 < line->n ? i + 1 : i;
    double a[2], b[2];
    line->body->kind->view->line_point(line->body->self, line->own, line->order[i], a);
    line->body->kind->view->line_point(line->body->self, line->own, line->order[last], b);
    const double way[2] = {b[0] - a[0], b[1] - a[1]}, square = way[0] * way[0] + way[1] * way[1];
    const double at = square > 0.0 ? ((point[0] - a[0]) * way[0] + (point[1] - a[1]) * way[1]) / square : 0.0;
    const double share = fmin(fmax(at, 0.0), 1.0);
    const double off = hypot(a[0] + share * way[0] - point[0], a[1] + share * way[1] - point[1]);
    if (!(off < nearest)) continue;
    nearest = off;
    probe->between[0] = line->order[i], probe->between[1] = line->order[last], probe->share = share;
  }
  return nearest;
}

static prc_status find_line(const cli_run_state *run, int p, cli_probe *probe, prc_error *err) {
  const prc_case_probe *of = &run->c->probe[p];
  if (!of->contact) return PRC_OK;
  probe->line = line_of(run, of->contact);
  if (!probe->line)
    return prc_fail(
        err, PRC_INPUT,
        "probes.%s.contact is '%s', expected a contact of a mesh with a plane or between two curves",
        of->name, of->contact);
  const cli_line *line = probe->line;
  const double off = find_between(line, of->point, probe);
  if (off <= 1e-3 * fabs(line->place[line->n - 1] - line->place[0])) return PRC_OK;
  return prc_fail(
      err, PRC_INPUT,
      "probes.%s.point is (%.9g, %.9g), which is %.3g off the curve of contact '%s', expected a point on it",
      of->name, of->point[0], of->point[1], off, of->contact);
}

/* Of the ranks that have the point the lowest. */
static void leave_to_one(const cli_run_state *run, cli_probe *probe) {
  const prc_ranks *ranks = run->share->ranks;
  double first = probe->body ? ranks->n - ranks->rank : 0.0;
  ranks->largest(ranks->of, 1, &first);
  if (ranks->n - (int)first != ranks->rank) probe->body = NULL;
}

prc_status cli_probes_locate(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_try(prc_new(&run->probe, run->c->n_probes, err));
  for (int p = 0; p < run->c->n_probes; p++) {
    for (int b = 0; b < n && !run->probe[p].body; b++)
      if (body[b].kind->view->locate
          && body[b].kind->view->locate(body[b].self, run->c->probe[p].point, &run->probe[p].place))
        run->probe[p].body = &body[b];
    if (run->share) leave_to_one(run, &run->probe[p]);
    prc_try(find_line(run, p, &run->probe[p], err));
  }
done:
  return status;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* Of the point; its numbers are returned: zeros where another rank has it. */
static int fill_point(const cli_run_state *run, int p, const prc_step_record *r, const double *v,
                      double *out) {
  const cli_probe *probe = &run->probe[p];
  const prc_body *body = probe->body;
  double motion[4] = {0.0}, stress[7] = {0.0};
  int n = 0;
  if (body)
    body->kind->view->probe(body->self, &probe->place, r->q + body->first_coordinate, v + body->first_dof,
                            motion);
  if (body && body->kind->view->probe_stress && (has(run, p, STRESS) || has(run, p, STRAIN)))
    body->kind->view->probe_stress(body->self, &probe->place, r->q + body->first_coordinate, stress);
  const double *const of[KINDS] = {motion, motion + 2, stress, stress + 4};
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < kinds[k].n && has(run, p, k); i++) out[n++] = of[k][i];
  return n;
}

int cli_probes_own(cli_run_state *run, double *out) {
  int n = 0;
  prc_stepper_state(run->stepper, run->field, NULL, NULL);
  for (int p = 0; p < run->c->n_probes; p++)
    n += fill_point(run, p, prc_stepper_record(run->stepper), run->field, out + n);
  return n;
}

/* Values of a probe on its line, between two neighbouring candidates. */
static int write_between(const cli_run_state *run, const cli_probe *probe, double *out) {
  const cli_line *line = probe->line;
  const double *a = run->diagrams.now + probe->between[0] * line->n_fields,
               *b = run->diagrams.now + probe->between[1] * line->n_fields;
  for (int k = 0; k < line->n_now; k++)
    out[k] = strcmp(line->field[k], "status") == 0 ? (probe->share < 0.5 ? a[k] : b[k])
                                                   : a[k] + probe->share * (b[k] - a[k]);
  return line->n_now;
}

prc_status cli_probes_write(cli_run_state *run, const prc_step_record *r, const double *v, prc_error *err) {
  int n = 2;
  const double *whole = run->share ? run->whole_row + 2 * run->c->n_supports : NULL;
  const cli_line *there = NULL;
  run->row[0] = r->step, run->row[1] = r->t;
  for (int p = 0; p < run->c->n_probes; p++) {
    const cli_line *line = run->probe[p].line;
    const int count = fill_point(run, p, r, v, run->row + n);
    if (whole) memcpy(run->row + n, whole, (size_t)count * sizeof *whole), whole += count;
    n += count;
    if (line && line != there) cli_diagrams_now(run, line, run->diagrams.now);
    if (line) there = line, n += write_between(run, &run->probe[p], run->row + n);
  }
  return prc_output_csv_row(run->probes, n, run->row, err);
}
