#include "config.h"
#include "cli/columns.h"
#include "cli/measures.h"

#include <math.h>
#include <string.h>

/* Measurements of rigid bodies during a run: grains.csv, grain-forces.csv and strips.csv, and the neighbours
 * and forces of snapshots. Works of groups are summed at every step; everything else is computed when it is
 * written. */

enum { GRAINS, FORCES, STRIPS, TABLES };
enum { WORKS = 5 }; /* numbers of a prc_measure_work */

static const struct {
  const char *name;
  const cli_column *columns;
} tables[TABLES] = {{"grains.csv", cli_grain_columns},
                    {"grain-forces.csv", cli_grain_force_columns},
                    {"strips.csv", cli_strip_columns}};

/* Of the histogram: normal forces up to six times their mean, and all above. */
enum { BINS = 61 };
#define BIN 0.1

struct cli_measures {
  prc_measure *measure;
  int n, n_groups, every; /* every: 0, no tables */
  prc_measure_body *body;
  int *first_dof, *first_coordinate, *neighbours;
  double *q, *v, *field; /* 3 n each; velocities of the system */
  double period[2];
  prc_measure_contact *contact;
  size_t room;
  int n_contacts, step; /* that they are of; -1: of none yet */
  prc_measure_group *group;
  prc_measure_work *work; /* so far */
  prc_measure_grid grid;
  prc_measure_cell *cell; /* NULL: no strips are wanted */
  prc_output_csv *table[TABLES];
  double size[TABLES]; /* that the tables are continued at */
};

/* ---- making -------------------------------------------------------------------------------------------- */

static int bodies_meet(const prc_case *c) {
  int meet = 0;
  for (int k = 0; k < c->n_contacts; k++)
    meet |= c->contact_group[k].pairs && c->contact_group[k].n_side[0] > 0;
  return meet;
}

static int count_items(const prc_scene *scene) {
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  return n > 0 ? body[n - 1].first_item + body[n - 1].kind->items(body[n - 1].self) : 0;
}

/* Bodies that are not rigid have dofs -1. */
static int list_bodies(cli_measures *m, const prc_scene *scene) {
  const prc_body *body;
  const int n = prc_scene_bodies(scene, &body);
  int found = 0;
  for (int k = 0; k < m->n; k++) m->first_dof[k] = -1, m->body[k].group = -1;
  for (int b = 0; b < n; b++)
    for (int i = 0; body[b].kind->view->grain && i < body[b].kind->items(body[b].self); i++) {
      const int k = body[b].first_item + i;
      body[b].kind->view->grain(body[b].self, i, &m->body[k]);
      m->first_dof[k] = body[b].first_dof + 3 * i, m->first_coordinate[k] = body[b].first_coordinate + 3 * i;
      found += m->body[k].group >= 0;
    }
  return found;
}

static prc_status make_grid(cli_measures *m, const prc_case *c, prc_error *err) {
  if (!c->measures.strips) return PRC_OK;
  const double *n = c->measures.normal, length = hypot(n[0], n[1]), *across = c->measures.across;
  m->grid = (prc_measure_grid){.normal = {n[0] / length, n[1] / length},
                               .from = {c->measures.from, across[0]},
                               .to = {c->measures.to, across[1]},
                               .n = {c->measures.n, c->measures.columns}};
  return prc_new(&m->cell, (size_t)m->grid.n[0] * (size_t)m->grid.n[1], err);
}

prc_status cli_measures_create(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  cli_measures *m = NULL;
  const prc_case *c = run->c;
  prc_try(prc_new(&m, 1, err));
  m->n = count_items(run->model->scene), m->n_groups = c->n_sets, m->step = -1;
  const size_t n = (size_t)m->n;
  prc_try(prc_new(&m->body, n, err));
  prc_try(prc_new(&m->first_dof, n, err));
  prc_try(prc_new(&m->first_coordinate, n, err));
  if (list_bodies(m, run->model->scene) == 0) goto done;
  prc_try(prc_measure_create(&m->measure, err));
  prc_try(prc_new(&m->neighbours, n, err));
  prc_try(prc_new(&m->q, 3 * n, err));
  prc_try(prc_new(&m->v, 3 * n, err));
  prc_try(prc_new(&m->field, run->system->space.nv, err));
  prc_try(prc_new(&m->group, (size_t)m->n_groups + 1, err));
  prc_try(prc_new(&m->work, (size_t)m->n_groups + 1, err));
  if (c->measures.given || bodies_meet(c))
    m->every = c->measures.every < 0 ? c->output.every : c->measures.every;
  const double *d = c->periodic.direction;
  for (int k = 0; k < 2 && c->periodic.given; k++)
    m->period[k] = c->periodic.length * (d[k] / hypot(d[0], d[1]));
  if (m->every > 0) prc_try(make_grid(m, c, err));
  run->measures = m, m = NULL;
done:
  cli_measures_free(&m);
  return status;
}

void cli_measures_free(cli_measures **measures) {
  cli_measures *m = *measures;
  if (!m) return;
  prc_measure_free(&m->measure);
  prc_delete(&m->body);
  prc_delete(&m->first_dof);
  prc_delete(&m->first_coordinate);
  prc_delete(&m->neighbours);
  prc_delete(&m->q);
  prc_delete(&m->v);
  prc_delete(&m->field);
  prc_delete(&m->contact);
  prc_delete(&m->group);
  prc_delete(&m->work);
  prc_delete(&m->cell);
  prc_delete(measures);
}

/* ---- tables and checkpoints ---------------------------------------------------------------------------- */

static int is_wanted(const cli_measures *m, int table) {
  return m && m->every > 0 && (table != STRIPS || m->cell);
}

static prc_status check_table(const cli_run_state *run, int table, const char *header, prc_error *err) {
  const double size = run->measures->size[table];
  if (size == 0.0)
    return prc_fail(
        err, PRC_INPUT,
        "%s/%s: cannot be continued: the run began without it, expected a case with the same measures",
        run->folder, tables[table].name);
  return prc_output_csv_check(run->results, tables[table].name, header, (long)size, err);
}

prc_status cli_measures_check(const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  prc_bytes header = {0};
  for (int k = 0; k < TABLES; k++) {
    if (!is_wanted(run->measures, k)) continue;
    header.used = 0;
    prc_try(cli_columns_add(tables[k].columns, "", 0, NULL, &header, err));
    prc_try(check_table(run, k, header.at, err));
  }
done:
  prc_delete(&header.at);
  return status;
}

prc_status cli_measures_open(const cli_run_state *run, int resumed, prc_error *err) {
  cli_measures *m = run->measures;
  prc_status status = PRC_OK;
  prc_bytes header = {0};
  for (int k = 0; k < TABLES; k++) {
    if (!is_wanted(m, k)) continue;
    header.used = 0;
    prc_try(cli_columns_add(tables[k].columns, "", 0, NULL, &header, err));
    prc_try(prc_output_csv_open(run->results, tables[k].name, header.at, resumed ? (long)m->size[k] : -1L,
                                &m->table[k], err));
  }
done:
  prc_delete(&header.at);
  return status;
}

prc_status cli_measures_close(const cli_run_state *run, prc_error *err) {
  prc_status first = PRC_OK;
  for (int k = 0; k < TABLES && run->measures; k++) {
    const prc_status status = prc_output_csv_close(&run->measures->table[k], err);
    if (first == PRC_OK) first = status;
  }
  return first;
}

prc_status cli_measures_flush(const cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < TABLES && status == PRC_OK; k++)
    if (run->measures && run->measures->table[k]) status = prc_output_csv_flush(run->measures->table[k], err);
  return status;
}

static size_t saved_size(const cli_measures *m) {
  return TABLES + WORKS * ((size_t)m->n_groups + 1);
}

prc_status cli_measures_put(const cli_run_state *run, prc_output_store *store, prc_error *err) {
  const cli_measures *m = run->measures;
  prc_status status = PRC_OK;
  double *saved = NULL;
  if (!m) return PRC_OK;
  prc_try(prc_new(&saved, saved_size(m), err));
  for (int k = 0; k < TABLES; k++) saved[k] = m->table[k] ? (double)prc_output_csv_bytes(m->table[k]) : 0.0;
  for (int g = 0; g <= m->n_groups; g++) {
    double *to = saved + TABLES + WORKS * g;
    to[0] = m->work[g].external, to[1] = m->work[g].normal, to[2] = m->work[g].tangential;
    to[3] = m->work[g].loss_normal, to[4] = m->work[g].loss_tangential;
  }
  prc_try(prc_output_store_put(store, "measures", saved_size(m), saved, err));
done:
  prc_delete(&saved);
  return status;
}

prc_status cli_measures_get(const cli_run_state *run, prc_output_store *store, const char *path,
                            prc_error *err) {
  cli_measures *m = run->measures;
  prc_status status = PRC_OK;
  double *saved = NULL;
  if (!m || m->every == 0) return PRC_OK;
  prc_try(prc_new(&saved, saved_size(m), err));
  prc_try(prc_output_store_get(store, "measures", saved_size(m), saved, err));
  prc_try(cli_checkpoint_finite(path, "measures", saved_size(m), saved, err));
  for (int k = 0; k < TABLES; k++) {
    if (!(saved[k] >= 0.0 && saved[k] <= 0x1p53 && saved[k] == floor(saved[k])))
      prc_try(prc_fail(err, PRC_INPUT, "%s is damaged: a count is %g", path, saved[k]));
    m->size[k] = saved[k];
  }
  for (int g = 0; g <= m->n_groups; g++) {
    const double *from = saved + TABLES + WORKS * g;
    m->work[g] = (prc_measure_work){from[0], from[1], from[2], from[3], from[4]};
  }
done:
  prc_delete(&saved);
  return status;
}

/* ---- the present step ------------------------------------------------------------------------------------ */

static prc_measure_grains grains_of(const cli_measures *m) {
  return (prc_measure_grains){.n = m->n,
                              .body = m->body,
                              .q = m->q,
                              .v = m->v,
                              .n_groups = m->n_groups,
                              .period = {m->period[0], m->period[1]}};
}

prc_status cli_measures_update(const cli_run_state *run, prc_error *err) {
  cli_measures *m = run->measures;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  if (!m || m->step == r->step) return PRC_OK;
  const prc_status status = prc_grow(&m->contact, &m->room, (size_t)r->n_active, sizeof *m->contact, err);
  if (status != PRC_OK) return status;
  prc_stepper_state(run->stepper, m->field, NULL, NULL);
  for (int b = 0; b < m->n; b++) {
    if (m->first_dof[b] < 0) continue;
    memcpy(m->q + 3 * b, r->q + m->first_coordinate[b], 3 * sizeof *m->q);
    memcpy(m->v + 3 * b, m->field + m->first_dof[b], 3 * sizeof *m->v);
  }
  m->n_contacts = r->step > 0 ? prc_measure_contacts(r, m->first_dof, m->contact) : 0;
  m->step = r->step;
  const prc_measure_grains grains = grains_of(m);
  return prc_measure_groups(m->measure, &grains, m->n_contacts, m->contact, m->group, m->neighbours, err);
}

const int *cli_measures_neighbours(const cli_measures *m) {
  return m->neighbours;
}

int cli_measures_bodies(const cli_measures *m) {
  return m->n;
}

int cli_measures_is_grain(const cli_measures *m, int body) {
  return body >= 0 && m->body[body].group >= 0;
}

int cli_measures_contacts(const cli_measures *m, const prc_measure_contact **contact, const double **q) {
  *contact = m->contact, *q = m->q;
  return m->n_contacts;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static prc_status write_group(const cli_measures *m, const prc_step_record *r, const char *name, int g,
                              prc_error *err) {
  const prc_measure_group *of = &m->group[g];
  const prc_measure_work *work = &m->work[g];
  const prc_output_value row[] = {{.number = r->step},
                                  {.number = r->t},
                                  {.text = name},
                                  {.number = of->bodies},
                                  {.number = of->translation},
                                  {.number = of->rotation},
                                  {.number = work->external},
                                  {.number = work->normal},
                                  {.number = work->tangential},
                                  {.number = of->contacts},
                                  {.number = of->coordination},
                                  {.number = of->coordination_carried},
                                  {.number = of->rattlers},
                                  {.number = of->force_mean},
                                  {.number = of->force_max},
                                  {.number = work->loss_normal},
                                  {.number = work->loss_tangential}};
  return prc_output_csv_values(m->table[GRAINS], (int)(sizeof row / sizeof *row), row, err);
}

/* All together, and each set of several. */
static prc_status write_groups(const cli_run_state *run, const prc_step_record *r, prc_error *err) {
  const cli_measures *m = run->measures;
  prc_status status = write_group(m, r, "", m->n_groups, err);
  for (int s = 0; s < run->c->n_sets && status == PRC_OK; s++)
    if (run->c->set[s].several && m->group[s].bodies > 0)
      status = write_group(m, r, run->c->set[s].name, s, err);
  return status;
}

static prc_status write_histogram(const cli_measures *m, const prc_step_record *r, prc_error *err) {
  prc_status status = PRC_OK;
  int count[BINS];
  const double mean = prc_measure_histogram(m->n_contacts, m->contact, BINS, BIN, count);
  const double last = mean > 0.0 ? fmax(m->group[m->n_groups].force_max / mean, BINS * BIN) : BINS * BIN;
  for (int k = 0; k < BINS && mean > 0.0 && status == PRC_OK; k++) {
    const double row[] = {r->step, r->t, mean, k * BIN, k + 1 < BINS ? (k + 1) * BIN : last, count[k]};
    status = prc_output_csv_row(m->table[FORCES], (int)(sizeof row / sizeof *row), row, err);
  }
  return status;
}

/* Strips have the height of the plate as depth: stresses are forces per area, and a density is a mass per volume. */
static prc_status write_strips(const cli_run_state *run, const prc_step_record *r, prc_error *err) {
  const cli_measures *m = run->measures;
  const prc_measure_grid *g = &m->grid;
  const prc_measure_grains grains = grains_of(m);
  const double deep = run->c->model.thickness;
  prc_status status = PRC_OK;
  double border[2][2];
  prc_measure_cells(&grains, m->n_contacts, m->contact, g, m->cell);
  for (int k = 0; k < g->n[0] * g->n[1] && status == PRC_OK; k++) {
    const prc_measure_cell *c = &m->cell[k];
    const int at[2] = {k / g->n[1], k % g->n[1]};
    for (int i = 0; i < 2; i++)
      for (int end = 0; end < 2; end++)
        border[i][end] = g->from[i] + (g->to[i] - g->from[i]) * (at[i] + end) / g->n[i];
    const double row[] = {r->step,
                          r->t,
                          at[0] + 1,
                          at[1] + 1,
                          border[0][0],
                          border[0][1],
                          border[1][0],
                          border[1][1],
                          c->solid,
                          c->density / deep,
                          c->velocity[0],
                          c->velocity[1],
                          c->spin,
                          c->stress[0] / deep,
                          c->stress[1] / deep,
                          c->stress[2] / deep,
                          c->stress[3] / deep,
                          c->kinetic[0] / deep,
                          c->kinetic[1] / deep,
                          c->kinetic[3] / deep};
    status = prc_output_csv_row(m->table[STRIPS], (int)(sizeof row / sizeof *row), row, err);
  }
  return status;
}

prc_status cli_measures_rows(const cli_run_state *run, prc_error *err) {
  cli_measures *m = run->measures;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  prc_status status = PRC_OK;
  if (!m || m->every == 0) return PRC_OK;
  if (r->step > 0) prc_measure_add_works(r, m->n, m->body, m->first_dof, m->n_groups, m->work);
  const double interval = run->c->measures.every < 0 ? run->c->output.interval : 0.0;
  if (!cli_is_due(run, m->every, interval) && !cli_is_last(run)) return PRC_OK;
  prc_try(cli_measures_update(run, err));
  prc_try(write_groups(run, r, err));
  prc_try(write_histogram(m, r, err));
  if (m->cell) prc_try(write_strips(run, r, err));
done:
  return status;
}
