#include "config.h"
#include "cli/continued.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/measures.h"
#include "cli/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- headers ------------------------------------------------------------------------------------------- */

/* Of cli_level_columns. */
static const struct {
  int level, row;
} levels[CLI_LEVEL_COLUMNS] = {{PRC_LEVEL_VELOCITY, 0},
                               {PRC_LEVEL_VELOCITY, 1},
                               {PRC_LEVEL_POSITION, 0},
                               {PRC_LEVEL_ACCELERATION, 0},
                               {PRC_LEVEL_ACCELERATION, 1}};

static int has_level(const cli_run_state *run, int level) {
  return (prc_stepper_levels(run->stepper) & 1U << level) != 0;
}

static prc_status contacts_header(const cli_run_state *run, prc_bytes *l, prc_error *err) {
  prc_status status = PRC_OK;
  if (cli_in_space(run)) return cli_space_contacts_header(run, l, err);
  prc_try(cli_columns_add(cli_contact_columns, "", 0, NULL, l, err));
  for (int k = 0; k < CLI_LEVEL_COLUMNS; k++)
    if (has_level(run, levels[k].level))
      prc_try(cli_columns_add((const cli_column[]){cli_level_columns[k], {0}}, "", 0, NULL, l, err));
  if (run->rubs) prc_try(cli_columns_add(cli_contact_rub_columns, "", 0, NULL, l, err));
done:
  return status;
}

enum { OF_CONTACT = 5 };
static int of_contact_columns(const cli_run_state *run) {
  return cli_in_space(run) ? CLI_SPACE_OF_CONTACT : OF_CONTACT;
}

/* step,t, then per contact its forces and slip, per support its reaction and the force of its springs to the ground, per joint its force, per spring its elongation and forces; with
 * levels, which follow gaps, the smallest gap of each contact too */
static prc_status forces_header(const cli_run_state *run, prc_bytes *l, prc_error *err) {
  const prc_case *c = run->c;
  const cli_column *of_contact = cli_in_space(run) ? cli_space_contact_sums : cli_contact_sums;
  prc_status status = PRC_OK;
  prc_try(cli_columns_add(cli_step_columns, "", 0, NULL, l, err));
  for (int g = 0; g < c->n_contacts; g++)
    prc_try(cli_columns_add(of_contact, c->contact_group[g].name, 0, NULL, l, err));
  for (int s = 0; s < c->n_supports; s++)
    prc_try(cli_columns_add(cli_support_sums, c->support[s].name, 0, NULL, l, err));
  for (int s = 0; s < c->n_grounds; s++)
    prc_try(cli_columns_add(cli_ground_sums, c->ground[s].name, 0, NULL, l, err));
  prc_try(cli_joints_header(c, l, err));
  for (int g = 0; g < c->n_contacts && prc_stepper_levels(run->stepper) != 0; g++)
    prc_try(cli_columns_add(cli_gap_sums, c->contact_group[g].name, 0, NULL, l, err));
done:
  return status;
}

/* ---- opening and closing ------------------------------------------------------------------------------- */

static int count_tracked(const prc_model *model) {
  const prc_body *body;
  const int n = prc_scene_bodies(model->scene, &body);
  int tracked = 0;
  for (int b = 0; b < n; b++)
    if (body[b].kind->view->tracked) tracked += body[b].kind->view->tracked(body[b].self);
  return tracked;
}

typedef struct {
  const char *name, *header;
  int is_wanted;
  prc_output_csv **table;
} table_plan;

static prc_status open_table(const cli_run_state *run, const table_plan *plan, const double *append_at,
                             prc_error *err) {
  return prc_output_csv_open(run->results, plan->name, plan->header, append_at ? (long)*append_at : -1L,
                             plan->table, err);
}

/* Nothing is cut before it is known that all can be continued. */
static prc_status check_table(const cli_run_state *run, const table_plan *plan, double append_at,
                              prc_error *err) {
  if (append_at == 0.0)
    return prc_fail(err, PRC_INPUT,
                    "%s/%s: cannot be continued: the run began without it, expected a case that asks for the "
                    "same tables (probes, output.contacts, output.table_every, output.energies, exact)",
                    run->folder, plan->name);
  return prc_output_csv_check(run->results, plan->name, plan->header, (long)append_at, err);
}

/* Tables whose columns follow from the case and the scheme. */
typedef struct {
  prc_bytes forces, contacts, probes, bodies, errors, joints, energies;
} headers;

static prc_status make_headers(const cli_run_state *run, headers *of, prc_error *err) {
  prc_status status = PRC_OK;
  prc_try(forces_header(run, &of->forces, err));
  prc_try(contacts_header(run, &of->contacts, err));
  prc_try(cli_probes_header(run, &of->probes, err));
  prc_try(cli_columns_add(cli_in_space(run) ? cli_space_body_columns : cli_body_columns, "", 0, NULL,
                          &of->bodies, err));
  prc_try(cli_columns_add(cli_error_columns, "", 0, NULL, &of->errors, err));
  prc_try(cli_columns_add(cli_joint_columns, "", 0, NULL, &of->joints, err));
  if (prc_stepper_levels(run->stepper))
    prc_try(cli_columns_add(cli_joint_level_columns, "", 0, NULL, &of->joints, err));
  prc_try(cli_columns_add(cli_energies_columns, "", 0, NULL, &of->energies, err));
done:
  return status;
}

static void free_headers(headers *of) {
  prc_bytes *const all[] = {&of->forces, &of->contacts, &of->probes,  &of->bodies,
                            &of->errors, &of->joints,   &of->energies};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) prc_delete(&all[k]->at);
}

static prc_status open_tables(cli_run_state *run, const double *at, const headers *of, prc_error *err) {
  prc_status status = PRC_OK;
  const table_plan plan[CLI_TABLES] = {
      {"energy.csv", prc_ledger_header(), 1, &run->energy},
      {"forces.csv", of->forces.at, 1, &run->forces},
      {"contacts.csv", of->contacts.at, run->c->output.contacts && run->c->output.table_every > 0,
       &run->contacts},
      {"probes.csv", of->probes.at, run->c->n_probes > 0, &run->probes},
      {"bodies.csv", of->bodies.at, count_tracked(run->model) > 0 && run->c->output.table_every > 0,
       &run->bodies},
      {"errors.csv", of->errors.at, run->c->exact.given[0], &run->errors},
      {"joints.csv", of->joints.at, run->c->n_joints > 0 && run->c->output.table_every > 0, &run->joints},
      {"energies.csv", of->energies.at, run->c->output.energies, &run->energies},
  };
  if (!cli_ranks_write(run)) return cli_snapshots_create(run, at != NULL, err);
  for (int k = 0; at && k < CLI_TABLES; k++)
    if (plan[k].is_wanted) prc_try(check_table(run, &plan[k], at[k], err));
  prc_try(cli_snapshots_create(run, at != NULL, err));
  for (int k = 0; k < CLI_TABLES; k++)
    if (plan[k].is_wanted) prc_try(open_table(run, &plan[k], at ? at + k : NULL, err));
done:
  return status;
}

prc_status cli_results_open(cli_run_state *run, const double *at, prc_error *err) {
  prc_status status = PRC_OK;
  headers of = {0};
  for (int g = 0, rubs, curves; g < run->c->n_contacts; g++) {
    (void)cli_rubbing_law(run, run->c->contact_group[g].name, &rubs, &curves);
    run->rubs |= rubs;
  }
  prc_try(cli_probes_locate(run, err));
  const size_t widest = 16 + (1 + CLI_SPACE_OF_CONTACT) * (size_t)run->c->n_contacts
                        + 2 * (size_t)(run->c->n_supports + run->c->n_grounds) + cli_probes_columns(run)
                        + cli_joints_columns(run->c) + (size_t)PRC_LEDGER_N_COLUMNS;
  prc_try(prc_new(&run->row, widest, err));
  prc_try(prc_new(&run->candidates, run->c->n_contacts, err));
  prc_try(prc_new(&run->field, run->system->space.nv, err));
  prc_try(cli_ranks_make_row(run, err));
  prc_try(make_headers(run, &of, err));
  prc_try(cli_ranks_agree(run, open_tables(run, at, &of, err), err));
done:
  free_headers(&of);
  return status;
}

static prc_output_csv **table_of(cli_run_state *run, int k) {
  prc_output_csv **const tables[CLI_TABLES] = {&run->energy, &run->forces, &run->contacts, &run->probes,
                                               &run->bodies, &run->errors, &run->joints,   &run->energies};
  return tables[k];
}

prc_status cli_results_close(cli_run_state *run, prc_error *err) {
  prc_status first = cli_snapshots_wait(run, err);
  if (first == PRC_OK) first = cli_snapshots_list(run, err);
  for (int k = 0; k < CLI_TABLES; k++) {
    const prc_status status = prc_output_csv_close(table_of(run, k), err);
    if (first == PRC_OK) first = status;
  }
  const prc_status measures = cli_measures_close(run, err);
  if (first == PRC_OK) first = measures;
  cli_snapshots_free(&run->snapshots);
  prc_delete(&run->row);
  prc_delete(&run->candidates);
  prc_delete(&run->field);
  prc_delete(&run->probe);
  return first;
}

prc_status cli_results_flush(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  for (int k = 0; k < CLI_TABLES && status == PRC_OK; k++)
    if (*table_of(run, k)) status = prc_output_csv_flush(*table_of(run, k), err);
  return status == PRC_OK ? cli_measures_flush(run, err) : status;
}

void cli_results_sizes(const cli_run_state *run, double sizes[CLI_TABLES]) {
  const prc_output_csv *const tables[CLI_TABLES] = {run->energy, run->forces, run->contacts, run->probes,
                                                    run->bodies, run->errors, run->joints,   run->energies};
  for (int k = 0; k < CLI_TABLES; k++) sizes[k] = tables[k] ? (double)prc_output_csv_bytes(tables[k]) : 0.0;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* The tangential way of each candidate since it came: on a plane under a mesh, t . (q - q_0). Where contacts come and go, since it closed:
 * how long before that it was listed says nothing. */
static prc_status add_slip(cli_run_state *run, const prc_step_record *r, prc_error *err) {
  const prc_status status = cli_slip_follow(run, err);
  if (status != PRC_OK) return status;
  if (cli_in_space(run)) {
    cli_space_add_slip(run, r);
    return PRC_OK;
  }
  for (int c = 0; c < r->n_contacts && r->step > 0; c++) {
    const int *of =
        r->contacts->body + 2 * c; /* one body: of an interface, which keeps its slip while it gapes */
    const int open = r->p[2 * c] == 0.0 && r->p[2 * c + 1] == 0.0 && of[0] != of[1];
    run->slip.way[c] = r->gap_old && open ? 0.0 : run->slip.way[c] + r->h * r->u_work[2 * c + 1];
  }
  return PRC_OK;
}

/* Five for each contact of the case, its candidates together. Forces are means over the step, p/h; the slip of largest size keeps its sign. */
static void contact_columns(const cli_run_state *run, const prc_step_record *r, double *out) {
  enum { COLUMNS = OF_CONTACT };
  const int n = run->c->n_contacts;
  memset(out, 0, COLUMNS * (size_t)n * sizeof *out);
  memset(run->candidates, 0, (size_t)n * sizeof *run->candidates);
  for (int c = 0; c < r->n_contacts; c++) run->candidates[prc_model_contact_of(run->model, r->contacts, c)]++;
  for (int c = 0; c < r->n_contacts; c++) {
    const int g = prc_model_contact_of(run->model, r->contacts, c), count = run->candidates[g];
    const double slip = run->slip.way[c];
    double *of = out + COLUMNS * g;
    of[2] += slip / count;
    if (fabs(slip) > fabs(of[3])) of[3] = slip;
    if (cli_is_start(run)) continue;
    of[0] += r->p[2 * c] / r->h;
    of[1] += r->p[2 * c + 1] / r->h;
    of[4] += r->p[2 * c] > 0.0;
  }
  for (int g = 0; g < n; g++)
    if (run->candidates[g] > 0) out[COLUMNS * g + 4] /= run->candidates[g];
}

static int support_columns(const cli_run_state *run, const prc_step_record *r, int support, double *out) {
  const int *rows;
  int count;
  const prc_body *body = prc_view_support(run->model->scene, support, &rows, &count);
  out[0] = out[1] = 0.0;
  for (int k = 0; k < count; k++)
    if (prc_share_has(run->share, run->system->drive.dof[body->first_prescribed + rows[k]]))
      out[body->kind->view->direction(body->self, rows[k])] += r->reaction[body->first_prescribed + rows[k]];
  return 2;
}

void cli_supports_own(const cli_run_state *run, double *out) {
  for (int s = 0; s < run->c->n_supports; s++)
    out += support_columns(run, prc_stepper_record(run->stepper), s, out);
}

/* Values of the candidates that are listed; the others are unknown. */
static int gap_columns(const cli_run_state *run, const prc_step_record *r, double *out) {
  const int n = prc_stepper_levels(run->stepper) != 0 ? run->c->n_contacts : 0;
  for (int g = 0; g < n; g++) out[g] = NAN;
  for (int c = 0; c < r->n_contacts && n > 0; c++) {
    const int g = prc_model_contact_of(run->model, r->contacts, c);
    out[g] = fmin(out[g], r->gap[c]);
  }
  return n;
}

static prc_status write_forces(cli_run_state *run, const prc_step_record *r, prc_error *err) {
  int n = 2;
  run->row[0] = r->step, run->row[1] = r->t;
  (cli_in_space(run) ? cli_space_contact_columns : contact_columns)(run, r, run->row + n);
  n += of_contact_columns(run) * run->c->n_contacts;
  for (int s = 0; s < run->c->n_supports; s++) n += support_columns(run, r, s, run->row + n);
  if (run->share)
    memcpy(run->row + n - 2 * run->c->n_supports, run->whole_row,
           2 * (size_t)run->c->n_supports * sizeof *run->row);
  for (int s = 0; s < run->c->n_grounds; s++, n += 2)
    prc_view_ground_force(run->model->scene, s, r->q, run->row + n);
  cli_joints_row(run, r, run->row + n);
  n += (int)cli_joints_columns(run->c);
  n += gap_columns(run, r, run->row + n);
  return prc_output_csv_row(run->forces, n, run->row, err);
}

/* Where candidate c is; of a rigid body `own` has its arm. */
static void place_of(const cli_run_state *run, const prc_step_record *r, int c,
                     const prc_measure_contact *own, double x[2]) {
  const prc_contact_set *set = r->contacts;
  int item;
  if (cli_contact_of(run, c)->shapes) { /* it may be between two nodes */
    for (int k = 0; k < 2; k++) x[k] = set->place[3 * c + k];
    return;
  }
  const prc_body *body = prc_view_body_of(run->model->scene, set->body[2 * c + 1], &item);
  const prc_body_point point = {.item = item, .feature = (int)set->id[c].feature_b};
  body->kind->place(body->self, r->q + body->first_coordinate, &point, x); /* of a rigid body its centre */
  for (int k = 0; k < 2 && own; k++) x[k] += own->arm[1][k];
}

/* The contact of the case that candidate c belongs to, its body and the number of its point, what that touches ("": a fixed plane). */
static prc_status write_contact(cli_run_state *run, const prc_step_record *r, int c,
                                const prc_measure_contact *own, cli_rubbing *rubbing, prc_error *err) {
  const prc_contact_set *set = r->contacts;
  const int k = 2 * c, feature = (int)set->id[c].feature_b;
  int item, other_item = 0;
  const prc_body *body = prc_view_body_of(run->model->scene, set->body[k + 1], &item),
                 *other =
                     set->body[k] < 0 ? NULL : prc_view_body_of(run->model->scene, set->body[k], &other_item);
  double x[2], work[2];
  place_of(run, r, c, own, x);
  prc_step_work_of_contact(r, c, work);
  enum { PLAIN = 18 };
  prc_output_value row[PLAIN + CLI_LEVEL_COLUMNS + 3] = {
      {.number = r->step},
      {.number = r->t},
      {.text = cli_contact_of(run, c)->name},
      {.text = prc_view_item_name(body, item)},
      {.number = body->kind->view->point_number(body->self, item, feature)},
      {.text = other ? prc_view_item_name(other, other_item) : ""},
      {.number = x[0]},
      {.number = x[1]},
      {.number = r->status[c]},
      {.number = r->gap[c]},
      {.number = r->u_old[k]},
      {.number = r->u_old[k + 1]},
      {.number = r->u[k]},
      {.number = r->u[k + 1]},
      {.number = r->p[k]},
      {.number = r->p[k + 1]},
      {.number = work[0]},
      {.number = work[1]}};
  int n = PLAIN;
  for (int i = 0; i < CLI_LEVEL_COLUMNS; i++) {
    const double *level = r->contact_level[levels[i].level];
    if (has_level(run, levels[i].level)) row[n++].number = level[k + levels[i].row];
  }
  if (run->rubs) {
    row[n++].number = cli_slip_of(run, c);
    row[n++].number = cli_rubbing_of(rubbing, c);
    row[n++].number = set->state[PRC_LAW_STATE * c];
  }
  return prc_output_csv_values(run->contacts, n, row, err);
}

static prc_status write_contacts(cli_run_state *run, const prc_step_record *r, prc_error *err) {
  prc_status status = cli_measures_update(run, err);
  const prc_measure_contact *own = NULL;
  cli_rubbing rubbing = {.record = r};
  const double *q;
  if (cli_in_space(run)) return status == PRC_OK ? cli_space_write_contacts(run, r, err) : status;
  const int n = run->measures ? cli_measures_contacts(run->measures, &own, &q) : 0;
  const int turn =
      (run->system->contacts.varies & PRC_CONTACTS_H) != 0;          /* then what parts is in the problem */
  for (int i = 0, k = 0; i < r->n_active && status == PRC_OK; i++) { /* both ascend */
    const int c = r->active[i];
    if (turn && r->status[c] == PRC_CONE_OPEN) continue;
    while (k < n && own[k].place < c) k++;
    status = write_contact(run, r, c, k < n && own[k].place == c ? &own[k] : NULL, &rubbing, err);
  }
  return status;
}

/* Position of the centre of mass, angle and their velocities. */
static prc_status write_motion(cli_run_state *run, const prc_step_record *r, const prc_body *body, int item,
                               const double *v, prc_error *err) {
  double of[PRC_VIEW_MOTION];
  if (cli_in_space(run)) return cli_space_write_motion(run, r, body, item, v, err);
  body->kind->view->motion(body->self, item, r->q + body->first_coordinate, v + body->first_dof, of);
  const prc_output_value row[] = {
      {.number = r->step}, {.number = r->t},  {.text = prc_view_tracked_name(body, item)},
      {.number = of[0]},   {.number = of[1]}, {.number = of[2]},
      {.number = of[3]},   {.number = of[4]}, {.number = of[5]}};
  return prc_output_csv_values(run->bodies, (int)(sizeof row / sizeof *row), row, err);
}

/* v in the system's order */
static prc_status write_bodies(cli_run_state *run, const prc_step_record *r, const double *v,
                               prc_error *err) {
  const prc_body *body;
  const int n = prc_scene_bodies(run->model->scene, &body);
  prc_status status = PRC_OK;
  for (int b = 0; b < n; b++) {
    const int tracked = body[b].kind->view->tracked ? body[b].kind->view->tracked(body[b].self) : 0;
    for (int item = 0; item < tracked && status == PRC_OK; item++)
      status = write_motion(run, r, &body[b], item, v, err);
  }
  return status;
}

/* Errors, the largest so far, and the norms of the exact solution. */
prc_status cli_results_errors(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  prc_body_norms error, size, *most = &run->error_max;
  const prc_body *body = prc_view_measured(run->model->scene);
  if (!run->errors || !body) return PRC_OK;
  prc_stepper_state(run->stepper, run->field, NULL, NULL);
  prc_try(body->kind->view->errors(body->self, &run->c->exact.solution, r->t, r->q + body->first_coordinate,
                                   run->field + body->first_dof, &error, &size, err));
  most->displacement = fmax(most->displacement, error.displacement),
  most->elastic = fmax(most->elastic, error.elastic);
  most->velocity = fmax(most->velocity, error.velocity), most->kinetic = fmax(most->kinetic, error.kinetic);
  const double row[] = {r->step,        r->t,          error.displacement, error.elastic,
                        error.velocity, error.kinetic, most->displacement, most->elastic,
                        most->velocity, most->kinetic, size.displacement,  size.elastic,
                        size.velocity,  size.kinetic};
  prc_try(prc_output_csv_row(run->errors, (int)(sizeof row / sizeof *row), row, err));
done:
  return status;
}

prc_status cli_results_rows(cli_run_state *run, prc_error *err) {
  prc_status status = PRC_OK;
  const prc_step_record *r = prc_stepper_record(run->stepper);
  const prc_ledger_row *now = prc_ledger_now(run->ledger);
  double row[sizeof *now / sizeof(double)];
  memcpy(row, now, sizeof *now);
  cli_ranks_fill_row(run);
  prc_try(add_slip(run, r, err));
  if (!cli_ranks_write(run)) return PRC_OK;
  prc_try(prc_output_csv_row(run->energy, PRC_LEDGER_N_COLUMNS, row, err));
  prc_try(write_forces(run, r, err));
  const int every = run->c->output.table_every, long_due = r->step % (every > 0 ? every : 1) == 0;
  if (run->contacts && (long_due || cli_is_last(run))) prc_try(write_contacts(run, r, err));
  if (run->joints && (long_due || cli_is_last(run))) prc_try(cli_joints_write(run, r, err));
  if (!run->probes && !run->bodies) goto done;
  prc_stepper_state(run->stepper, run->field, NULL, NULL);
  if (run->probes) prc_try(cli_probes_write(run, r, run->field, err));
  if (run->bodies && (long_due || cli_is_last(run))) prc_try(write_bodies(run, r, run->field, err));
done:
  return status;
}
