#include "config.h"
#include "cli/continued.h"
#include "cli/columns.h"
#include "cli/tables.h"

#include <math.h>
#include <string.h>

/* Tables of cases in space: contacts.csv, bodies.csv, and what contacts have in forces.csv. Components of a contact are along its normal n, which
 * points from what is touched to what touches, along t, and along n x t; with drilling friction the fourth is about n. */

static const char *const row_name[] = {"n", "t1", "t2", "drill"};

/* Multipliers of the schemes by levels, in the order of the plane's: velocities, positions, accelerations. */
static const struct {
  const cli_column *columns;
  int level, n; /* n: of positions the normal alone */
} levels[] = {{cli_space_impulse_columns, PRC_LEVEL_VELOCITY, 4},
              {cli_space_position_columns, PRC_LEVEL_POSITION, 1},
              {cli_space_force_columns, PRC_LEVEL_ACCELERATION, 4}};
enum { LEVELS = sizeof levels / sizeof *levels };

static int level_rows(const cli_run_state *run, int k) {
  const int dim = run->system->contacts.dim,
            has = (prc_stepper_levels(run->stepper) & 1U << levels[k].level) != 0;
  return !has ? 0 : levels[k].n < dim ? levels[k].n : dim;
}

prc_status cli_space_contacts_header(const cli_run_state *run, prc_bytes *l, prc_error *err) {
  prc_status status = PRC_OK;
  const int dim = run->system->contacts.dim;
  prc_try(cli_columns_add(cli_space_contact_columns_of, "", dim, row_name, l, err));
  for (int k = 0; k < LEVELS; k++)
    if (level_rows(run, k) > 0)
      prc_try(cli_columns_add(levels[k].columns, "", level_rows(run, k), row_name, l, err));
done:
  return status;
}

/* ---- contacts.csv -------------------------------------------------------------------------------------- */

enum { WIDEST = 20 + 4 * 3 + 2 + 4 + 1 + 4 };

static void put_numbers(prc_output_value *row, int *n, int count, const double *value) {
  for (int k = 0; k < count; k++) row[(*n)++] = (prc_output_value){.number = value[k]};
}

static double number_of_point(const prc_body *body, int item, uint32_t feature) {
  return body->kind->view->point_number(body->self, item, (int)feature);
}

static prc_status write_contact(cli_run_state *run, const prc_step_record *r, int c, prc_error *err) {
  const prc_contact_set *set = r->contacts;
  const int dim = r->dim, k = dim * c;
  int item, other_item, n = 0;
  const prc_body *body = prc_view_body_of(run->model->scene, set->body[2 * c + 1], &item),
                 *other = prc_view_body_of(run->model->scene, set->body[2 * c], &other_item);
  const uint32_t surface = set->id[c].a - (uint32_t)other->first_surface;
  prc_output_value row[WIDEST] = {{.number = r->step},
                                  {.number = r->t},
                                  {.text = cli_contact_of(run, c)->name},
                                  {.text = prc_view_item_name(body, item)},
                                  {.number = body->kind->view->part_number(body->self, set->id[c].b)},
                                  {.number = number_of_point(body, item, set->id[c].feature_b)},
                                  {.text = prc_view_item_name(other, other_item)},
                                  {.number = other->kind->view->part_number(other->self, surface)},
                                  {.number = number_of_point(other, other_item, set->id[c].feature_a)}};
  const double ends[] = {r->status[c], r->gap[c]};
  double works[2];
  prc_step_work_of_contact(r, c, works);
  n = 9;
  put_numbers(row, &n, 3, set->place + 3 * c);
  put_numbers(row, &n, 6, set->axes + 9 * c);
  put_numbers(row, &n, 2, ends);
  put_numbers(row, &n, dim, r->u_old + k);
  put_numbers(row, &n, dim, r->u + k);
  put_numbers(row, &n, dim, r->p + k);
  put_numbers(row, &n, 2, works);
  for (int i = 0; i < LEVELS; i++)
    if (level_rows(run, i) > 0)
      put_numbers(row, &n, level_rows(run, i), r->contact_level[levels[i].level] + k);
  return prc_output_csv_values(run->contacts, n, row, err);
}

prc_status cli_space_write_contacts(cli_run_state *run, const prc_step_record *r, prc_error *err) {
  prc_status status = PRC_OK;
  for (int i = 0; i < r->n_active && status == PRC_OK; i++)
    if (r->status[r->active[i]] != PRC_CONE_OPEN) status = write_contact(run, r, r->active[i], err);
  return status;
}

/* ---- bodies.csv ---------------------------------------------------------------------------------------- */

prc_status cli_space_write_motion(cli_run_state *run, const prc_step_record *r, const prc_body *body,
                                  int item, const double *v, prc_error *err) {
  double of[PRC_VIEW_MOTION];
  prc_output_value row[3 + PRC_VIEW_MOTION] = {
      {.number = r->step}, {.number = r->t}, {.text = prc_view_item_name(body, item)}};
  int n = 3;
  body->kind->view->motion(body->self, item, r->q + body->first_coordinate, v + body->first_dof, of);
  put_numbers(row, &n, PRC_VIEW_MOTION, of);
  return prc_output_csv_values(run->bodies, n, row, err);
}

/* ---- forces.csv ---------------------------------------------------------------------------------------- */

/* The way of the slip, whatever its direction, of candidate c in this step. */
static double slip_of(const prc_step_record *r, int c) {
  const double *u = r->u_work + r->dim * c;
  return r->h * hypot(u[1], u[2]);
}

void cli_space_add_slip(cli_run_state *run, const prc_step_record *r) {
  for (int c = 0; c < r->n_contacts && r->step > 0; c++) {
    const double *p = r->p + r->dim * c;
    const int open = p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0;
    run->slip.way[c] = open ? 0.0 : run->slip.way[c] + slip_of(r, c);
  }
}

/* Forces on what touches, means over the step: sums of the normal ones and of the sizes of the tangential ones, and the sum of all in fixed axes. */
void cli_space_contact_columns(const cli_run_state *run, const prc_step_record *r, double *out) {
  enum { COLUMNS = CLI_SPACE_OF_CONTACT };
  const int n = run->c->n_contacts;
  memset(out, 0, COLUMNS * (size_t)n * sizeof *out);
  memset(run->candidates, 0, (size_t)n * sizeof *run->candidates);
  for (int c = 0; c < r->n_contacts; c++) run->candidates[prc_model_contact_of(run->model, r->contacts, c)]++;
  for (int c = 0; c < r->n_contacts; c++) {
    const int g = prc_model_contact_of(run->model, r->contacts, c), count = run->candidates[g];
    const double *p = r->p + r->dim * c, *axes = r->contacts->axes + 9 * c, slip = run->slip.way[c];
    double *of = out + COLUMNS * g;
    of[5] += slip / count;
    of[6] = fmax(of[6], slip);
    if (cli_is_start(run)) continue;
    of[0] += p[0] / r->h;
    of[1] += hypot(p[1], p[2]) / r->h;
    for (int k = 0; k < 3; k++)
      of[2 + k] += (p[0] * axes[k] + p[1] * axes[3 + k] + p[2] * axes[6 + k]) / r->h;
    of[7] += p[0] > 0.0;
  }
  for (int g = 0; g < n; g++)
    if (run->candidates[g] > 0) out[COLUMNS * g + 7] /= run->candidates[g];
}
