#include "config.h"
#include "cli/converge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ORDER 0.5 /* below it differences hardly fall, and an extrapolation says nothing */

/* The order observed over three members: e ~ C s^p gives |Q_i - Q_{i+1}| = C (s_i^p - s_{i+1}^p); solved for
 * p by bisection. NaN where the differences do not fall. */
double cli_observed_order(const double s[3], double d01, double d12) {
  const double ratio = d01 / d12;
  double low = 1e-3, high = 20.0;
  if (!(ratio > 1e-12) || !isfinite(ratio)) return NAN;
  for (int k = 0; k < 100; k++) {
    const double p = 0.5 * (low + high);
    const double r = (pow(s[0], p) - pow(s[1], p)) / (pow(s[1], p) - pow(s[2], p));
    if (r < ratio)
      low = p;
    else
      high = p;
  }
  return low < 2e-3 || low > 19.0 ? NAN : low;
}

/* ---- a member and what it left ------------------------------------------------------------------------- */

void cli_member_close(cli_member_results *b) {
  prc_delete(&b->q);
  prc_delete(&b->v);
  prc_folder_close(&b->states);
  prc_model_free(&b->model);
  prc_case_free(&b->c);
}

prc_status cli_member_open(const cli_member *m, cli_member_results *b, prc_error *err) {
  prc_status status = PRC_OK;
  *b = (cli_member_results){0};
  prc_try(prc_case_read(m->options.case_path, m->options.n_set, m->options.set, &b->c, err));
  b->c->mesh.no_commands = m->options.no_commands;
  prc_try(prc_case_build(b->c, &cli_log_warnings, &b->model, err));
  b->n = (size_t)b->model->system->space.nv;
  prc_try(prc_new(&b->q, b->n, err));
  prc_try(prc_new(&b->v, b->n, err));
  prc_try(cli_states_open(m->folder, &b->states, err));
done:
  return status;
}

prc_status cli_member_read(const cli_member *m, int k, cli_member_results *b, prc_error *err) {
  return cli_state_read(b->states, k * (m->n_steps / m->options.states), b->n, b->q, b->v, b->ledger, err);
}

/* ---- quantities ---------------------------------------------------------------------------------------- */

static prc_status find_quantity(cli_convergence *c, const char *name, int is_norm, cli_quantity **out,
                                prc_error *err) {
  for (int k = 0; k < c->n_quantities; k++)
    if (strcmp(c->quantity[k].name, name) == 0) return *out = &c->quantity[k], PRC_OK;
  const prc_status status =
      prc_grow(&c->quantity, &c->capacity, (size_t)c->n_quantities + 1, sizeof *c->quantity, err);
  if (status != PRC_OK) return status;
  cli_quantity *q = &c->quantity[c->n_quantities++];
  memset(q, 0, sizeof *q);
  snprintf(q->name, sizeof q->name, "%s", name);
  q->is_norm = is_norm, q->limit = NAN;
  for (int i = 0; i < CLI_MAX_MEMBERS; i++) q->value[i] = q->error[i] = q->order[i] = NAN;
  *out = q;
  return PRC_OK;
}

static prc_status set_value(cli_convergence *c, int i, const char *name, double value, prc_error *err) {
  cli_quantity *q;
  const prc_status status = find_quantity(c, name, 0, &q, err);
  if (status == PRC_OK) q->value[i] = value;
  return status;
}

/* Norms of the difference of two members at one time: at the end, and the largest of all times. */
static prc_status set_norms(cli_convergence *c, int i, int at_end, const prc_body_norms *e,
                            const prc_body_norms *s, prc_error *err) {
  enum { NORMS = 4 };
  static const char *const name[2][NORMS] = {{"u_L2", "u_energy", "v_L2", "v_energy"},
                                             {"u_L2_max", "u_energy_max", "v_L2_max", "v_energy_max"}};
  const double error[NORMS] = {e->displacement, e->elastic, e->velocity, e->kinetic};
  const double size[NORMS] = {s->displacement, s->elastic, s->velocity, s->kinetic};
  prc_status status = PRC_OK;
  for (int largest = 0; largest < 2; largest++)
    for (int k = 0; k < NORMS; k++) {
      cli_quantity *q;
      prc_try(find_quantity(c, name[largest][k], 1, &q, err));
      if (largest ? q->error[i] >= error[k] : !at_end) continue;
      q->error[i] = error[k], q->value[i] = size[k];
    }
done:
  return status;
}

/* ---- impulses: the sums of forces.csv ------------------------------------------------------------------ */

/* *head: the first line of the table, to be freed; (*sum)[k]: of its k-th column. A table is as wide as the
 * case has contacts and supports. */
static prc_status sum_columns(FILE *file, const char *path, char **head, double **sum, prc_error *err) {
  prc_status status = PRC_OK;
  char *line = NULL;
  size_t room = 0, line_room = 0, columns = 1;
  errno = 0;
  /* never taken: the member that has just ended has written it */
  if (getline(head, &room, file) < 0)
    return prc_fail(err, PRC_IO, "%s: cannot be read: %s", path, errno ? strerror(errno) : "it is empty");
  for (const char *at = *head; (at = strchr(at, ',')); at++) columns++;
  prc_try(prc_new(sum, columns, err));
  while (getline(&line, &line_room, file) > 0) {
    const char *at = line;
    for (size_t k = 0; k < columns && at; k++) {
      (*sum)[k] += strtod(at, NULL);
      at = strchr(at, ',');
      if (at) at++;
    }
  }
done:
  free(line);
  return status;
}

/* impulse_<contact>_normal and _tangential: the sums of the contacts' forces times the step */
static prc_status set_impulses(cli_convergence *c, int i, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_member *m = &c->member[i];
  char path[8192], name[128], *head = NULL, *state = NULL;
  double *sum = NULL;
  snprintf(path, sizeof path, "%s/forces.csv", m->folder);
  FILE *file = fopen(path, "re");
  /* never taken: as above */
  if (!file) return prc_fail(err, PRC_IO, "%s: cannot be read: %s", path, strerror(errno));
  prc_try(sum_columns(file, path, &head, &sum, err));
  head[strcspn(head, "\n")] = '\0';
  char *column = strtok_r(head, ",", &state);
  for (int k = 0; column; k++, column = strtok_r(NULL, ",", &state)) {
    char *force = strstr(column, "_force_");
    if (!force || (!prc_ends_with(column, "_force_normal") && !prc_ends_with(column, "_force_tangential")))
      continue;
    *force = '\0';
    snprintf(name, sizeof name, "impulse_%.80s_%.16s", column, force + strlen("_force_"));
    prc_try(set_value(c, i, name, sum[k] * m->step, err));
  }
done:
  fclose(file);
  free(head);
  prc_delete(&sum);
  return status;
}

/* ---- the comparison ------------------------------------------------------------------------------------ */

static prc_status compare_fields(cli_convergence *c, int i, cli_member_results *coarse,
                                 cli_member_results *fine, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_body *a = prc_view_measured(coarse->model->scene), *b = prc_view_measured(fine->model->scene);
  const prc_body_view *view = a->kind->view;
  prc_body_comparison *comparison = NULL;
  const int last = c->member[i].options.states;
  prc_try(view->compare_with(a->self, b->self, &comparison, err));
  for (int k = 0; k <= last; k++) {
    prc_body_norms error, size;
    prc_try(cli_member_read(&c->member[i], k, coarse, err));
    prc_try(cli_member_read(&c->member[i + 1], k, fine, err));
    view->compare(comparison, coarse->q + a->first_coordinate, coarse->v + a->first_dof,
                  fine->q + b->first_coordinate, fine->v + b->first_dof, &error, &size);
    prc_try(set_norms(c, i, k == last, &error, &size, err));
  }
done:
  if (comparison) view->compare_free(&comparison);
  return status;
}

/* Against the exact solution of the case: member i's own errors. */
static prc_status compare_exact(cli_convergence *c, int i, cli_member_results *b, prc_error *err) {
  prc_status status = PRC_OK;
  const cli_member *m = &c->member[i];
  const prc_body *of = prc_view_measured(b->model->scene);
  const int last = m->options.states;
  for (int k = 0; k <= last; k++) {
    prc_body_norms error, size;
    const int step = k * (m->n_steps / last);
    prc_try(cli_member_read(m, k, b, err));
    prc_try(of->kind->view->errors(of->self, &b->c->exact.solution, step * m->step,
                                   b->q + of->first_coordinate, b->v + of->first_dof, &error, &size, err));
    prc_try(set_norms(c, i, k == last, &error, &size, err));
  }
done:
  return status;
}

/* Of the body that is compared: the first of its sizes. */
static int count_nodes(const prc_model *model) {
  const prc_body *of = prc_view_measured(model->scene);
  prc_view_size size[PRC_VIEW_SIZES];
  return of->kind->view->sizes(of->self, size) > 0 ? (int)size[0].value : 0;
}

static prc_status set_member(cli_convergence *c, int i, cli_member_results *b, prc_error *err) {
  prc_status status = PRC_OK;
  c->n_dof[i] = b->model->system->space.nv;
  c->member[i].n_nodes = count_nodes(b->model);
  prc_try(cli_member_read(&c->member[i], 0, b, err));
  prc_try(set_value(c, i, "elastic_0", b->ledger[1], err));
  prc_try(cli_member_read(&c->member[i], c->member[i].options.states, b, err));
  for (int k = 0; k < CLI_STATE_VALUES; k++) prc_try(set_value(c, i, cli_state_names[k], b->ledger[k], err));
  prc_try(set_impulses(c, i, err));
done:
  return status;
}

/* Differences of values, the orders of all, and Richardson's extrapolation: Q + (Q - Q') / (r^p - 1), r = s'
 * / s. */
static void finish(cli_convergence *c, cli_quantity *q) {
  const int n = c->n_members;
  const double *s = c->scale;
  for (int i = 0; i + 1 < n && !q->is_norm; i++) q->error[i] = fabs(q->value[i] - q->value[i + 1]);
  for (int i = 1; i < n && q->is_norm && c->is_exact; i++)
    q->order[i] = log(q->error[i - 1] / q->error[i]) / log(s[i - 1] / s[i]);
  for (int i = 1; i + 1 < n && !(q->is_norm && c->is_exact); i++)
    q->order[q->is_norm ? i : i + 1] = cli_observed_order(s + i - 1, q->error[i - 1], q->error[i]);
  if (q->is_norm || n < 3) return;
  const double d = q->value[n - 1] - q->value[n - 2], before = q->value[n - 2] - q->value[n - 3];
  if (d * before > 0.0 && q->order[n - 1] >= LEAST_ORDER)
    q->limit = q->value[n - 1] + d / (pow(s[n - 2] / s[n - 1], q->order[n - 1]) - 1.0);
}

prc_status cli_convergence_find(cli_convergence *c, prc_error *err) {
  prc_status status = PRC_OK;
  cli_member_results coarse = {0}, fine = {0};
  for (int i = 0; i < c->n_members; i++) {
    prc_try(cli_member_open(&c->member[i], &fine, err));
    prc_try(set_member(c, i, &fine, err));
    c->is_exact = fine.c->exact.given[0];
    if (c->is_exact)
      prc_try(compare_exact(c, i, &fine, err));
    else if (i > 0)
      prc_try(compare_fields(c, i - 1, &coarse, &fine, err));
    cli_member_close(&coarse);
    coarse = fine, fine = (cli_member_results){0};
  }
  for (int k = 0; k < c->n_quantities; k++) finish(c, &c->quantity[k]);
done:
  cli_member_close(&coarse);
  cli_member_close(&fine);
  return status;
}
